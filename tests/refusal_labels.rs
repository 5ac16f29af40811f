//! What is no refusal and no answer, questions back, the wordings of a project, and languages that show themselves.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod layer_kit;

use layer_kit::{exam, question, says};
use ragline::diagnose::{EvidenceFacts, diagnose};
use ragline::layer::refusal::{self, Label, Own, asks_back, read, read_with};
use ragline::layer::{Code, Exam, LayerId, Outcome, Reading, check_all};
use ragline::suite::{Expect, Question};
use ragline::target::response::Response;
use ragline::text::pack::{Lang, Pack};

fn label(lang: &str, answer: &str) -> Label {
    read(Some(answer), &question("?", Expect::Answer), Pack::by_code(lang)).label
}

#[rustfmt::skip]
const FAILURES: &[(&str, &str)] = &[
    ("vi", "Không thể xử lý yêu cầu, vui lòng thử lại."),
    ("vi", "Đã xảy ra lỗi trong quá trình xử lý câu hỏi của bạn."),
    ("vi", "Xin lỗi, hệ thống đang bận, bạn quay lại sau ít phút nhé."),
    ("vi", "Hiện tại tôi không thể trả lời, vui lòng thử lại sau."),
    ("vi", "Bạn đã vượt quá giới hạn số lượt hỏi trong ngày."),
    ("vi", "Kết nối tới máy chủ bị lỗi: hết thời gian chờ."),
    ("vi", "Nội dung đã bị chặn bởi bộ lọc an toàn."),
    ("th", "ไม่สามารถตอบคำถามได้ในขณะนี้ กรุณาลองใหม่"),
    ("th", "ขออภัย เกิดข้อผิดพลาดในการประมวลผล"),
    ("th", "ระบบไม่พร้อมใช้งานชั่วคราว กรุณาลองใหม่ภายหลัง"),
    ("th", "หมดเวลาการเชื่อมต่อกับเซิร์ฟเวอร์"),
    ("th", "มีคำขอมากเกินไป กรุณารอสักครู่"),
    ("th", "คำตอบถูกบล็อกโดยตัวกรองเนื้อหา"),
    ("en", "Sorry, something went wrong."),
    ("en", "An unexpected error occurred while processing your request."),
    ("en", "I'm having trouble connecting to the knowledge base right now. Please try again later."),
    ("en", "The service is temporarily unavailable."),
    ("en", "Rate limit exceeded. Please wait 20 seconds."),
    ("en", "Error: 429 Too Many Requests"),
    ("en", "The request timed out."),
    ("en", "I can't answer right now. Please try again in a few minutes."),
    ("en", "The response was filtered due to the prompt triggering the content management policy."),
    ("zh", "系统繁忙，请稍后再试"),
    ("zh", "抱歉，处理您的请求时出现了错误。"),
    ("zh", "网络超时，请重试。"),
    ("zh", "请求过于频繁，请稍后再试。"),
    ("zh", "伺服器錯誤，請稍後再試。"),
    ("zh", "该内容未通过安全审核。"),
    ("zh", "暂时无法回答，请稍后重试。"),
    ("ja", "エラーが発生しました。もう一度お試しください。"),
    ("ko", "오류가 발생했습니다. 잠시 후 다시 시도해 주세요."),
    ("de", "Es ist ein Fehler aufgetreten. Bitte versuchen Sie es später erneut."),
    ("fr", "Une erreur est survenue, veuillez réessayer plus tard."),
    ("es", "Se ha producido un error. Inténtelo de nuevo más tarde."),
];

#[test]
fn a_failure_is_no_refusal_and_no_answer() {
    let wrong: Vec<_> = FAILURES.iter().filter(|(l, a)| label(l, a) != Label::Error).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Out of the corpus, a text of a failure would be a cheap pass; and beside a flag it is one no less.
#[test]
fn a_failure_never_passes_whatever_is_expected() {
    for (lang, answer) in FAILURES {
        for expect in [Expect::Answer, Expect::Refuse, Expect::Either, Expect::Clarify] {
            for refused in [None, Some(true), Some(false)] {
                let q = Question { facts: Vec::new(), ..question("Do you sell plane tickets?", expect) };
                let response = Response { refused, ..says(answer) };
                let lang = Lang::new(lang).unwrap();
                let exam = Exam { pack: Pack::of(&lang), ..exam(&q, &response, &lang) };
                let result = refusal::check(&exam, &Reading::new(&exam));
                assert_eq!(result.outcome, Outcome::Unmeasured, "{answer} {expect:?} {refused:?}");
                assert_eq!(result.findings[0].code, Code::AnswerFailed);
                let layers = check_all(&exam);
                let numbers = layers[LayerId::Numbers].outcome;
                assert!(matches!(numbers, Outcome::Unmeasured | Outcome::Skipped(_)), "{answer}");
                assert_eq!(diagnose(expect, &EvidenceFacts::gather(&exam, &layers)).row, 0, "{answer}");
            }
        }
    }
}

/// What an answer says about failures, of a machine or in a case, is an answer.
#[test]
fn words_about_failures_are_answers() {
    for (lang, asked, answer) in [
        ("en", "What if the app hangs?", "If something went wrong, restart the app and sign in again."),
        ("en", "What does the error mean?", "The message \"Something went wrong\" means that the token is too old."),
        (
            "en",
            "What does 'rate limit exceeded' mean?",
            "Rate limit exceeded means that you sent over 60 requests a minute.",
        ),
        ("en", "Is there a late fee?", "Late payments that failed are charged again after 3 days."),
        ("vi", "Sản phẩm bị lỗi thì sao?", "Sản phẩm bị lỗi được đổi mới trong 30 ngày."),
        ("vi", "Khi nào hệ thống bảo trì?", "Nếu hệ thống đang bận, bạn thử lại sau 5 phút."),
        ("zh", "屏幕出错怎么办？", "如果系统繁忙，请稍后再试或联系门店。"),
        ("zh", "质量问题怎么退？", "商品有质量问题可以在7天内退货。"),
        ("th", "เครื่องมีปัญหาทำอย่างไร", "ถ้าระบบขัดข้อง ให้ปิดเครื่องแล้วเปิดใหม่"),
    ] {
        let found = read(Some(answer), &question(asked, Expect::Answer), Pack::by_code(lang));
        assert_eq!(found.label, Label::None, "{answer}: {:?}", found.pattern);
    }
    // One part failed, the others are judged, and it is told.
    let partly = "Returns are accepted within 14 days. Sorry, something went wrong while loading the rest.";
    let found = read(Some(partly), &question("?", Expect::Answer), Pack::by_code("en"));
    assert_eq!((found.label, found.failed.as_deref()), (Label::None, Some("en.went_wrong")));
    let refused =
        "The documents do not mention a fee. Returns are accepted within 14 days. An internal error occurred.";
    assert_eq!(label("en", refused), Label::Partial);
}

#[rustfmt::skip]
const ASKS: &[(&str, &str, bool)] = &[
    ("en", "Which model do you mean, the X1 or the X2?", true),
    ("en", "Could you please tell me which plan you are on?", true),
    ("en", "Sorry, I'm not sure which store you mean. Is it the one in Hue?", true),
    ("en", "Please specify which product you are asking about.", true),
    ("en", "Returns take 14 days. Which product is it?", false),
    ("en", "The fee is 30 dollars, is that what you mean?", false),
    ("en", "The documents do not mention it. Is there anything else I can help with?", false),
    ("en", "I don't know.", false),
    ("vi", "Anh chị đang hỏi mẫu nào ạ, X1 hay X2?", true),
    ("vi", "Dạ bạn cho mình biết rõ hơn là cửa hàng nào được không ạ", true),
    ("vi", "Phí là 30.000 đồng. Bạn hỏi cửa hàng nào?", false),
    ("vi", "Tài liệu không nêu. Anh chị cần hỗ trợ gì thêm không ạ?", false),
    ("zh", "请问您指的是哪一款，X1还是X2？", true),
    ("zh", "麻烦您告诉我具体的型号", true),
    ("zh", "退货期限为14天。您问的是哪款？", false),
    ("zh", "抱歉，资料没有提到。还有什么可以帮您的吗？", false),
    ("th", "คุณลูกค้าหมายถึงรุ่นไหนคะ", true),
    ("th", "รบกวนแจ้งรุ่นของเครื่องเพิ่มเติมด้วยค่ะ", true),
    ("th", "คืนได้ภายใน 14 วันค่ะ สนใจรุ่นไหนคะ", false),
    ("th", "ไม่พบข้อมูลค่ะ มีอะไรให้ช่วยอีกไหมคะ", false),
];

#[test]
fn asking_back_is_asking_and_claiming_nothing() {
    let q = question("Which fee is it?", Expect::Clarify);
    let wrong: Vec<_> =
        ASKS.iter().filter(|(l, a, right)| asks_back(a, &q, Pack::by_code(l), &Own::default()) != *right).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    for (lang, answer, right) in ASKS {
        let response = says(answer);
        let lang = Lang::new(lang).unwrap();
        let exam = Exam { pack: Pack::of(&lang), ..exam(&q, &response, &lang) };
        let result = refusal::check(&exam, &Reading::new(&exam));
        assert_eq!(result.outcome, if *right { Outcome::Pass } else { Outcome::Fail }, "{answer}");
        assert_eq!(result.findings.iter().any(|f| f.code == Code::NotClarified), !right, "{answer}");
    }
}

/// Where an answer is expected, a question back is no refusal, and has a row of its own.
#[test]
fn the_rows_of_questions_back() {
    let ask = |expect, answer: &str| {
        let facts = ragline::suite::load::facts("- 14 days\n").unwrap();
        let q = Question { facts, ..question("How long do I have to return it?", expect) };
        let response = says(answer);
        let lang = Lang::new("en").unwrap();
        let exam = Exam { pack: Pack::of(&lang), ..exam(&q, &response, &lang) };
        let layers = check_all(&exam);
        (layers[LayerId::Refusal].outcome, diagnose(expect, &EvidenceFacts::gather(&exam, &layers)).row)
    };
    assert_eq!(ask(Expect::Answer, "Which product do you mean?"), (Outcome::Pass, 26));
    assert_eq!(ask(Expect::Answer, "I do not know."), (Outcome::Fail, 9));
    assert_eq!(ask(Expect::Clarify, "Which product do you mean?"), (Outcome::Pass, 27));
    assert_eq!(ask(Expect::Clarify, "I do not know."), (Outcome::Fail, 28));
    assert_eq!(ask(Expect::Clarify, "You have 14 days from delivery."), (Outcome::Fail, 29));
    assert_eq!(ask(Expect::Refuse, "Which product do you mean?").0, Outcome::Fail);
}

fn own(phrases: &[&str], patterns: &[&str], not: &[&str], failures: &[&str]) -> Own {
    let list = |texts: &[&str]| texts.iter().map(|t| Own::phrase(t).unwrap()).collect();
    let expressions = |texts: &[&str]| texts.iter().map(|t| Own::expression(t).unwrap()).collect();
    Own::new(list(phrases), expressions(patterns), expressions(not), list(failures))
}

#[test]
fn a_project_adds_its_own_wordings() {
    let own = own(
        &["Mời anh chị ra quầy"],
        &["ask (?:sales|our team) instead"],
        &["do not mention .* internal codes"],
        &["Xin đợi robot sửa xong"],
    );
    let of = |lang: &str, answer: &str| {
        let found = read_with(Some(answer), &question("?", Expect::Refuse), Pack::by_code(lang), &own);
        (found.label, found.pattern.unwrap_or_default())
    };
    assert_eq!(of("vi", "MỜI anh chị, ra quầy ạ!"), (Label::Refusal, "own.phrase.1".to_owned()));
    assert_eq!(
        of("vi", "Khi mời anh chị ra quầy, nhân viên ghi tên của khách."),
        (Label::None, String::new()),
        "a condition"
    );
    assert_eq!(of("en", "Better ASK SALES instead."), (Label::Refusal, "own.pattern.1".to_owned()));
    assert_eq!(of("en", "The documents do not mention our internal codes."), (Label::None, String::new()));
    assert_eq!(of("en", "The documents do not mention it."), (Label::Refusal, "en.doc_silent".to_owned()));
    assert_eq!(of("vi", "Xin đợi robot sửa xong nhé"), (Label::Error, "own.failure.1".to_owned()));
}

#[test]
fn languages_that_no_pack_reads_stay_unmeasured_however_short() {
    let without = |answer| read(Some(answer), &question("?", Expect::Answer), None).label;
    for answer in ["Ne znam.", "Нет.", "لا أعرف", "Нет информации в documents", "30", "Weet ik niet"]
    {
        assert_eq!(without(answer), Label::Unknown, "{answer}");
    }
    for answer in ["Не знаю.", "لا توجد معلومات", "Δεν ξέρω"] {
        assert_eq!(label("en", answer), Label::Unknown, "{answer}");
        assert_eq!(label("vi", answer), Label::Unknown, "{answer}");
    }
    // Too short for frequent words to show a language; what it says shows it.
    for (suite, answer) in
        [("en", "Ne sais pas"), ("vi", "No lo sé."), ("en", "Je ne sais pas."), ("en", "Keine Ahnung.")]
    {
        assert_eq!(label(suite, answer), Label::Refusal, "{suite} {answer}");
    }
    assert_eq!(label("en", "No."), Label::None);
}

/// Without any mark throughout; with short forms only where what follows makes them sure.
#[test]
fn vietnamese_as_it_is_typed_in_a_hurry() {
    for answer in [
        "Khong tim thay thong tin trong tai lieu.",
        "toi khong biet",
        "rat tiec, cau hoi nay nam ngoai pham vi ho tro cua toi",
        "ko có thông tin nha bạn",
        "k biết luôn",
        "hok rõ nha",
        "Mình k tìm thấy thông tin về chương trình này",
    ] {
        assert_eq!(label("vi", answer), Label::Refusal, "{answer}");
    }
    for answer in
        ["Phi doi tra la 30.000 dong.", "khong, cua hang khong thu phi", "Giá 200k có bảo hành.", "Không k nhé"]
    {
        assert_eq!(label("vi", answer), Label::None, "{answer}");
    }
    let q = question("phí đổi trả ở cửa hàng Huế", Expect::Refuse);
    let answer = "khong co thong tin trong tai lieu. phi doi tra o cua hang hue";
    assert_eq!(read(Some(answer), &q, Pack::by_code("vi")).label, Label::Refusal);
}

#[test]
fn titles_and_questions_do_not_refuse() {
    assert_eq!(label("en", "I Can't Tell You Why was released by the Eagles in 1980."), Label::None);
    assert_eq!(label("en", "I CAN'T TELL YOU WHY."), Label::Refusal);
    assert_eq!(label("en", "Do the documents not mention a fee?"), Label::None);
    assert_eq!(label("en", "I don't know, which fee is it?"), Label::Refusal);
    assert_eq!(label("zh", "歌曲《我不知道》发行于1999年。"), Label::None);
    assert_eq!(label("zh", "沒有相關資訊🙏"), Label::Refusal);
    assert_eq!(label("th", "ไม่พบข้อมูล🙏"), Label::Refusal);
}

/// What a shop cannot do is an answer, also in the words of one person; what one cannot say is none.
#[test]
fn one_person_who_cannot() {
    for (lang, expected, answer) in [
        ("en", Label::None, "I can't give you a refund after 30 days."),
        ("en", Label::None, "I cannot ship to Laos."),
        ("en", Label::Refusal, "I can't pinpoint the exact date."),
        ("en", Label::Refusal, "I cannot work out which one it is."),
        ("vi", Label::None, "Em không thể hoàn tiền sau 30 ngày ạ."),
        ("vi", Label::None, "Chúng tôi không thể xác nhận đơn sau 24 giờ."),
        ("vi", Label::Refusal, "Em không thể đoán được ý của tác giả ạ."),
        ("zh", Label::None, "我不能给您退款。"),
        ("zh", Label::Refusal, "抱歉，我无法推算出具体日期。"),
        ("th", Label::None, "ผมไม่สามารถคืนเงินหลัง 30 วันได้ครับ"),
        ("th", Label::Refusal, "ผมไม่สามารถคำนวณวันที่แน่นอนได้ครับ"),
    ] {
        assert_eq!(label(lang, answer), expected, "{answer}");
    }
}
