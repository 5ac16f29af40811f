//! Ten and ten in the languages whose packs are less deep.

use super::four::Sentences;

#[rustfmt::skip]
pub(crate) const JA: Sentences = ("ja", &[
    "申し訳ございませんが、その件に関する情報は資料に見当たりません。",
    "提供された文書からは判断できません。",
    "恐れ入りますが、こちらではお答えいたしかねます。",
    "わかりません。",
    "ご質問の内容は対応範囲外となります。",
    "該当する情報が見つかりませんでした。",
    "文書には料金についての記載がございません。",
    "回答するための十分な情報がありません。",
    "申し訳ありませんが、そのご質問にはお答えできません。",
    "マニュアルには防水性能について書かれていません。",
], &[
    "いいえ、手数料はかかりません。",
    "開封後の商品は返品できません。",
    "お客様の個人情報を第三者に提供することはありません。",
    "月曜日は営業していません。",
    "この商品に保証はありません。",
    "海外への配送は行っていません。",
    "情報が見つからない場合は、注文番号をご確認ください。",
    "18歳未満の方は口座を開設できません。",
    "パスワードをお尋ねすることはございません。",
    "税金は含まれていません。",
]);

#[rustfmt::skip]
pub(crate) const KO: Sentences = ("ko", &[
    "죄송하지만 해당 내용은 문서에서 확인할 수 없습니다.",
    "제공된 자료에는 관련 정보가 없습니다.",
    "잘 모르겠습니다.",
    "그 질문에는 답변드리기 어렵습니다.",
    "문서에 요금에 대한 언급이 없습니다.",
    "주어진 정보만으로는 판단할 수 없습니다.",
    "질문하신 내용은 제가 도와드릴 수 있는 범위를 벗어납니다.",
    "관련 내용을 찾지 못했습니다.",
    "답변하기에 정보가 충분하지 않습니다.",
    "매뉴얼에 방수 기능에 대해 나와 있지 않습니다.",
], &[
    "아니요, 수수료가 없습니다.",
    "개봉한 상품은 반품할 수 없습니다.",
    "고객 정보를 제3자에게 제공하지 않습니다.",
    "월요일에는 영업하지 않습니다.",
    "이 제품은 보증이 없습니다.",
    "해외 배송은 하지 않습니다.",
    "정보를 찾을 수 없는 경우 주문 번호를 확인하세요.",
    "18세 미만은 계좌를 개설할 수 없습니다.",
    "비밀번호를 묻지 않습니다.",
    "세금은 포함되어 있지 않습니다.",
]);

#[rustfmt::skip]
pub(crate) const DE: Sentences = ("de", &[
    "Leider liegen mir dazu keine Informationen vor.",
    "In den bereitgestellten Dokumenten wird das nicht erwähnt.",
    "Das weiß ich leider nicht.",
    "Diese Frage kann ich anhand der Unterlagen nicht beantworten.",
    "Es tut mir leid, aber ich konnte nichts zu Ihrer Frage finden.",
    "Der Kontext enthält keine Angaben zum Preis.",
    "Ihre Frage liegt außerhalb meines Aufgabenbereichs.",
    "Die Dokumente enthalten nicht genügend Informationen, um die Frage zu beantworten.",
    "Dazu kann ich keine Auskunft geben.",
    "Ich bin mir nicht sicher.",
], &[
    "Nein, es fallen keine Gebühren an.",
    "Geöffnete Ware kann nicht zurückgegeben werden.",
    "Wir geben keine Daten an Dritte weiter.",
    "Montags ist das Museum nicht geöffnet.",
    "Wasserschäden sind nicht in der Garantie enthalten.",
    "Wir liefern nicht ins Ausland.",
    "Wenn Sie keine Informationen zu Ihrer Bestellung finden, rufen Sie 030 1234 an.",
    "Personen unter 18 Jahren können kein Konto eröffnen.",
    "Die Karte kann nicht im Ausland verwendet werden.",
    "Das Gerät hat keinen Kopfhöreranschluss.",
]);

#[rustfmt::skip]
pub(crate) const FR: Sentences = ("fr", &[
    "Désolé, je ne dispose d'aucune information à ce sujet.",
    "Les documents fournis ne mentionnent pas les frais de retour.",
    "Je ne sais pas.",
    "Je ne peux pas répondre à cette question.",
    "Aucune information pertinente n'a été trouvée dans les documents.",
    "Le contexte ne permet pas de déterminer le prix.",
    "Votre question sort du cadre de mes compétences.",
    "Malheureusement, je n'ai pas trouvé de réponse dans la base de connaissances.",
    "Cette information n'est pas précisée dans le règlement.",
    "Il n'y a pas assez d'informations pour répondre.",
], &[
    "Non, aucun frais n'est appliqué.",
    "Les articles ouverts ne peuvent pas être retournés.",
    "Nous ne partageons pas vos données avec des tiers.",
    "Le musée n'est pas ouvert le lundi.",
    "La garantie ne couvre pas les dégâts des eaux.",
    "Nous ne livrons pas à l'étranger.",
    "Si vous ne trouvez pas votre numéro de commande, appelez le 01 23 45 67 89.",
    "Les mineurs ne peuvent pas ouvrir de compte.",
    "La carte n'est pas utilisable à l'étranger.",
    "L'appareil n'a pas de prise casque.",
]);

#[rustfmt::skip]
pub(crate) const ES: Sentences = ("es", &[
    "Lo siento, no dispongo de información sobre ese tema.",
    "Los documentos no mencionan los gastos de devolución.",
    "No lo sé.",
    "No puedo responder a esa pregunta.",
    "No se encontró información relevante en los documentos.",
    "El contexto no permite determinar el precio.",
    "Su pregunta está fuera de mi ámbito.",
    "Lamentablemente, no he encontrado una respuesta en la base de conocimientos.",
    "Esa información no está especificada en la política.",
    "No hay suficiente información para responder.",
], &[
    "No, no se cobra ninguna comisión.",
    "Los artículos abiertos no se pueden devolver.",
    "No compartimos sus datos con terceros.",
    "El museo no abre los lunes.",
    "La garantía no cubre los daños por agua.",
    "No enviamos al extranjero.",
    "Si no encuentra información sobre su pedido, llame al 900 123 456.",
    "Los menores no pueden abrir una cuenta.",
    "La tarjeta no se puede usar en el extranjero.",
    "El aparato no tiene toma de auriculares.",
]);
