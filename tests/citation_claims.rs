//! What the sentences of an answer cite and whether it bears them out, through the real binary: `ragline inspect citation`.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod inspect_kit;

use inspect_kit::{ask_of, inspect};
use serde_json::{Value, json};

fn ask(rows: &[Value]) -> Vec<Value> {
    ask_of("citation", rows)
}

const RETURNS: &str = "đổi trả trong vòng 7 ngày kể từ ngày nhận";
const FEES: &str = "Phí giao hàng nội thành là 30.000 đồng.";
const WARRANTY: &str = "Bảo hành chính hãng 12 tháng tại trung tâm.";

fn vi(answer: &str) -> Value {
    json!({
        "lang": "vi",
        "question": "Đổi trả trong bao lâu?",
        "answer": answer,
        "contexts": [
            { "id": "1", "source": "doi-tra.md", "heading": "Thời hạn", "text": RETURNS },
            { "id": "2", "source": "phi.md", "text": FEES },
            WARRANTY,
        ],
        "evidence": [{ "span": "7 ngày kể từ ngày nhận" }],
    })
}

/// `text [cited…] supported`, one for each claim.
fn shown(answer: &Value) -> Vec<String> {
    let claim = |c: &Value| {
        let cited: Vec<String> = c["cited"].as_array().unwrap().iter().map(Value::to_string).collect();
        let dangling = c["dangling"].as_array().unwrap().iter().map(|d| format!("!{}", d.as_str().unwrap()));
        let all: Vec<String> = cited.into_iter().chain(dangling).collect();
        let supported = match c["supported"].as_bool() {
            Some(true) => " yes",
            Some(false) => " no",
            None => "",
        };
        format!("{} [{}]{supported}", c["text"].as_str().unwrap(), all.join(" "))
    };
    answer["claims"].as_array().unwrap().iter().map(claim).collect()
}

fn codes(answer: &Value) -> Vec<&str> {
    answer["findings"].as_array().unwrap().iter().map(|f| f["code"].as_str().unwrap()).collect()
}

#[track_caller]
fn figures(answer: &Value, precision: Option<f64>, recall: Option<f64>) {
    let near = |name: &str, right: Option<f64>| match (answer[name].as_f64(), right) {
        (None, None) => true,
        (Some(a), Some(b)) => (a - b).abs() < 1e-9,
        _ => false,
    };
    assert!(near("precision", precision) && near("recall", recall), "{answer}");
}

#[test]
fn c01_c02_c03_support_evidence_and_nowhere() {
    let [right, wrong, nowhere] = <[Value; 3]>::try_from(ask(&[
        vi("Đổi trong 7 ngày [1]."),
        vi("Đổi trong 7 ngày [2]."),
        vi("Đổi trong 7 ngày [4]."),
    ]))
    .unwrap();
    assert_eq!(
        (right["outcome"].as_str(), shown(&right)),
        (Some("pass"), vec!["Đổi trong 7 ngày. [1] yes".to_owned()])
    );
    figures(&right, Some(1.0), Some(1.0));
    assert_eq!((right["gold_precision"].as_f64(), right["gold_recall"].as_f64()), (Some(1.0), Some(1.0)));

    assert_eq!((wrong["outcome"].as_str(), shown(&wrong)), (Some("fail"), vec!["Đổi trong 7 ngày. [2] no".to_owned()]));
    assert_eq!(codes(&wrong), ["citation-not-evidence", "citation-unsupported"]);
    assert_eq!(wrong["claims"][0]["lacks"], json!({ "number": "7 ngày" }));
    assert_eq!((wrong["gold_precision"].as_f64(), wrong["gold_recall"].as_f64()), (Some(0.0), Some(0.0)));
    figures(&wrong, Some(0.0), Some(0.0));

    assert_eq!(
        (nowhere["outcome"].as_str(), shown(&nowhere)),
        (Some("fail"), vec!["Đổi trong 7 ngày. [!4]".to_owned()])
    );
    assert_eq!((codes(&nowhere), &nowhere["dangling"]), (vec!["citation-dangling"], &json!(["4"])));
    figures(&nowhere, Some(0.0), Some(0.0));
}

#[test]
fn c04_c06_forms_of_markers() {
    let said = ask(&[
        vi("Đổi trong 7 ngày, phí 30.000 đồng [1,2]."),
        vi("Đổi trong 7 ngày, phí 30.000 đồng [1][2]."),
        vi("Đổi trong 7 ngày, phí 30.000 đồng [1–2]."),
    ]);
    for answer in &said {
        assert_eq!(shown(answer), ["Đổi trong 7 ngày, phí 30.000 đồng. [1 2] yes"]);
        // Neither supports it alone, and neither can be left out.
        figures(answer, Some(1.0), Some(1.0));
    }
    let said = ask(&[
        vi("Đổi trong 7 ngày【4:0†source】."),
        vi("Đổi trong 7 ngày (Nguồn: doi-tra.md#thoi-han)."),
        vi("Đổi trong 7 ngày (Nguồn: doi-tra.md#phi)."),
    ]);
    assert_eq!(shown(&said[0]), ["Đổi trong 7 ngày. [1] yes"]);
    assert_eq!(shown(&said[1]), ["Đổi trong 7 ngày. [1] yes"]);
    assert_eq!(shown(&said[2]), ["Đổi trong 7 ngày. [!doi-tra.md#phi]"]);
}

#[test]
fn c05_a_citation_that_adds_nothing() {
    let [answer] = <[Value; 1]>::try_from(ask(&[vi("Phí giao hàng 30.000 đồng [1][2]")])).unwrap();
    assert_eq!(shown(&answer), ["Phí giao hàng 30.000 đồng [1 2] yes"]);
    assert_eq!((&answer["claims"][0]["superfluous"], codes(&answer)), (&json!([1]), vec!["citation-superfluous"]));
    figures(&answer, Some(0.5), Some(1.0));
}

#[test]
fn c07_what_is_no_marker() {
    let said = ask(&[vi("Xem mục [x]"), vi("Giá trị là arr[1]"), vi("Áp dụng từ năm [2026]")]);
    for answer in said {
        assert_eq!((&answer["cited"], codes(&answer)), (&json!([]), vec!["citation-missing"]), "{answer}");
        figures(&answer, None, Some(0.0));
    }
}

#[test]
fn c08_c09_recall_and_refusals() {
    let said = ask(&[
        vi("Đổi trong 7 ngày [1]. Phí giao hàng nội thành là 30.000 đồng."),
        vi("Tài liệu không đề cập đến việc này."),
        vi("Tài liệu không đề cập đến việc này [1]."),
    ]);
    assert_eq!(shown(&said[0]), ["Đổi trong 7 ngày. [1] yes", "Phí giao hàng nội thành là 30.000 đồng. []"]);
    figures(&said[0], Some(1.0), Some(0.5));
    assert_eq!(said[1]["outcome"], "skipped");
    figures(&said[1], None, None);
    assert_eq!(said[2]["outcome"], "pass");
    figures(&said[2], None, None);
}

#[test]
fn c10_the_field_counts() {
    let mut row = vi("Đổi trong 7 ngày [1].");
    row["citations"] = json!([2]);
    let mut same = row.clone();
    same["citations"] = json!([{ "source": "doi-tra.md" }]);
    let mut named = row.clone();
    named["citations"] = json!(["1", "phi.md"]);
    let said = ask(&[row, same, named]);
    assert_eq!(shown(&said[0]), ["Đổi trong 7 ngày. [2] no"]);
    assert_eq!(codes(&said[0]), ["citation-not-evidence", "citation-fields-disagree", "citation-unsupported"]);
    assert_eq!((shown(&said[1]), codes(&said[1])), (vec!["Đổi trong 7 ngày. [1] yes".to_owned()], vec![]));
    // A text is the id of a passage where one has it, else a document. What a list cites counts once for the answer.
    assert_eq!(said[2]["cited"], json!([1, 2]));
    figures(&said[2], Some(0.5), Some(1.0));
}

/// To which sentences a marker belongs.
#[test]
fn a_marker_belongs_to_its_sentence() {
    let contexts = json!([
        "You can return an item within 7 days of delivery. It must be unused.",
        "Standard delivery costs 3 euro and takes two days.",
    ]);
    for (lang, contexts, answer, right) in [
        (
            "en",
            &contexts,
            "You can return an item within 7 days. [1] Delivery costs 3 euro. [2]",
            vec!["You can return an item within 7 days. [1] yes", "Delivery costs 3 euro. [2] yes"],
        ),
        // At the end of a paragraph: for each sentence that has none of its own.
        (
            "en",
            &contexts,
            "The item must be unused. You can return it within 7 days. [1]\n\nDelivery costs 3 euro.[2]",
            vec![
                "The item must be unused. [1] yes",
                "You can return it within 7 days. [1] yes",
                "Delivery costs 3 euro. [2] yes",
            ],
        ),
        (
            "en",
            &contexts,
            "Delivery costs 3 euro [2]. The item must be unused.\n[1]",
            vec!["Delivery costs 3 euro. [2] yes", "The item must be unused. [1] yes"],
        ),
        // In the sentence, and so for it alone.
        (
            "en",
            &contexts,
            "The item must be unused. You can return it within 7 days [1].",
            vec!["The item must be unused. []", "You can return it within 7 days. [1] yes"],
        ),
        // In front of what it is for.
        (
            "en",
            &contexts,
            "[1] You can return an item within 7 days.\n[2] Delivery costs 3 euro.",
            vec!["You can return an item within 7 days. [1] yes", "Delivery costs 3 euro. [2] yes"],
        ),
        // The line that introduces a list cites for its items.
        (
            "en",
            &contexts,
            "What counts for returns [1]:\n- The item must be unused.\n- You can return it within 7 days.\n- Delivery costs 3 euro [2].",
            vec![
                "- The item must be unused. [1] yes",
                "- You can return it within 7 days. [1] yes",
                "- Delivery costs 3 euro. [2] yes",
            ],
        ),
        // A question, a heading, courtesy and an offer claim nothing.
        (
            "en",
            &contexts,
            "# Returns\nThank you for your question! Is the item unused? You can return it within 7 days [1]. Please contact us for more help.",
            vec!["You can return it within 7 days. [1] yes"],
        ),
        // Footnotes, and a list of sources apart: of it no sentence cites more than it names.
        (
            "en",
            &contexts,
            "You can return an item within 7 days[^1]. Delivery costs 3 euro[^2].\n\n[^1]: the rules\n[^2]: the fees",
            vec!["You can return an item within 7 days. [1] yes", "Delivery costs 3 euro. [2] yes"],
        ),
    ] {
        let said = ask(&[json!({ "lang": lang, "answer": answer, "contexts": contexts })]);
        assert_eq!(shown(&said[0]), right, "{answer}");
    }
}

/// Thai and Chinese may write no mark between sentences: the marker and a blank end one.
#[test]
fn sentences_without_stops() {
    let said = ask(&[
        json!({
            "lang": "th",
            "answer": "คืนสินค้าได้ภายใน 7 วัน [1] ค่าจัดส่ง 30 บาท [2]",
            "contexts": ["คืนสินค้าได้ภายใน 7 วันนับจากวันที่ได้รับ", "ค่าจัดส่ง 30 บาทต่อชิ้น"],
        }),
        json!({
            "lang": "zh",
            "answer": "7天内可以退货[1] 运费为30元[2]",
            "contexts": ["自收到商品之日起7天内可以退货", "每件商品运费为30元"],
        }),
        json!({
            "lang": "zh",
            "answer": "7天内可以退货[1]，运费为30元[2]。会员免运费。",
            "contexts": ["自收到商品之日起7天内可以退货", "每件商品运费为30元"],
        }),
        json!({
            "lang": "th",
            "answer": "คืนสินค้าได้ภายใน 7 วัน [2] ค่าจัดส่ง 30 บาท [1]",
            "contexts": ["คืนสินค้าได้ภายใน 7 วันนับจากวันที่ได้รับ", "ค่าจัดส่ง 30 บาทต่อชิ้น"],
        }),
    ]);
    assert_eq!(shown(&said[0]), ["คืนสินค้าได้ภายใน 7 วัน [1] yes", "ค่าจัดส่ง 30 บาท [2] yes"]);
    assert_eq!(shown(&said[1]), ["7天内可以退货 [1] yes", "运费为30元 [2] yes"]);
    assert_eq!(shown(&said[2]), ["7天内可以退货，运费为30元。 [1 2] yes", "会员免运费。 []"]);
    assert_eq!(shown(&said[3]), ["คืนสินค้าได้ภายใน 7 วัน [2] no", "ค่าจัดส่ง 30 บาท [1] no"]);
}

/// A list of sources is for the answer, not for a sentence; with numbers of its own it says what they stand for.
#[test]
fn lists_of_sources() {
    let contexts = json!([
        { "id": 1, "source": "returns.md", "text": "You can return an item within 7 days of delivery." },
        { "id": 2, "source": "fees.md", "url": "https://shop.example/fees", "text": "Standard delivery costs 3 euro." },
    ]);
    for (answer, claims, cited) in [
        (
            "Items can be returned within 7 days of delivery [1].\n\nSources:\n[1] fees.md\n[2] returns.md",
            vec!["Items can be returned within 7 days of delivery. [2] no"],
            json!([1, 2]),
        ),
        (
            "Items can be returned within 7 days of delivery.\n\n**Sources:**\n- returns.md\n- [Fees](https://shop.example/fees/)",
            vec!["Items can be returned within 7 days of delivery. [1 2] yes"],
            json!([1, 2]),
        ),
        (
            "Items can be returned within 7 days of delivery [1].\n\n## References\n\n1. returns.md\n2. http://shop.example/fees",
            vec!["Items can be returned within 7 days of delivery. [1] yes"],
            json!([1, 2]),
        ),
        (
            "Items can be returned within 7 days of delivery.\nSources: returns.md",
            vec!["Items can be returned within 7 days of delivery. [1] yes"],
            json!([1]),
        ),
    ] {
        let said = ask(&[json!({ "lang": "en", "answer": answer, "contexts": contexts })]);
        assert_eq!(
            (shown(&said[0]), &said[0]["cited"]),
            (claims.into_iter().map(str::to_owned).collect(), &cited),
            "{answer}"
        );
    }
    let said =
        ask(&[json!({ "lang": "en", "answer": "Within 7 days.\n\nSources:\n- terms.md", "contexts": contexts })]);
    assert_eq!((codes(&said[0]), &said[0]["dangling"]), (vec!["citation-dangling"], &json!(["terms.md"])));
}

/// Words in quotation marks must stand in the passage as they are.
#[test]
fn quotations_and_addresses() {
    let row = |answer: &str| {
        json!({
            "lang": "en",
            "answer": answer,
            "contexts": [
                { "url": "https://shop.example/faq/", "heading": "Returns", "text": "You can return an item within 7 days of delivery if it is unused." },
                { "url": "http://Shop.example/faq", "heading": "Fees", "text": "Standard delivery costs 3 euro." },
            ],
        })
    };
    let said = ask(&[
        row("The page says “return an item within 7 days of delivery” [1]."),
        row("The page says “return an item … if it is unused” [1]."),
        row("The page says “return any item within 7 days of delivery” [1]."),
        row("You can return an item within 7 days: https://shop.example/faq#returns"),
        row("You can return an item within 7 days, see [the page](https://SHOP.example/faq#fees)."),
        row("You can return an item within 7 days (https://shop.example/terms)."),
    ]);
    assert_eq!(said[0]["claims"][0]["supported"], true);
    assert_eq!(said[1]["claims"][0]["supported"], true);
    assert_eq!(said[2]["claims"][0]["lacks"], json!({ "quote": "return any item within 7 days of delivery" }));
    // The piece behind `#` is a heading: it tells two passages of one page apart.
    assert_eq!((&said[3]["cited"], &said[3]["claims"][0]["supported"]), (&json!([1]), &json!(true)));
    assert_eq!((&said[4]["cited"], &said[4]["claims"][0]["supported"]), (&json!([2]), &json!(false)));
    assert_eq!(said[5]["dangling"], json!(["https://shop.example/terms"]));
}

/// Words of two scripts, and passages without text, cannot be compared: nothing is said, and no figure is made up.
#[test]
fn what_cannot_be_compared_is_in_no_figure() {
    let said = ask(&[
        json!({ "lang": "en", "answer": "Items can be returned within 7 days [1].", "contexts": ["自收到商品之日起7天内可以退货"] }),
        json!({ "lang": "en", "answer": "Items can be returned within 7 days [1].", "contexts": [{ "id": "a" }] }),
    ]);
    for answer in said {
        assert_eq!((answer["outcome"].as_str(), codes(&answer)), (Some("pass"), vec![]));
        assert_eq!(answer["claims"][0]["supported"], Value::Null);
        figures(&answer, None, None);
    }
}

/// A short answer is read with its question.
#[test]
fn a_short_answer_is_read_with_its_question() {
    let row = |n: usize| {
        json!({
            "lang": "vi",
            "question": "Máy bị vào nước ở động cơ thì có được bảo hành không?",
            "answer": format!("Không [{n}]."),
            "contexts": ["Máy bị vào nước ở phần động cơ thì không được bảo hành.", "Phí giao hàng nội thành là 30.000 đồng."],
        })
    };
    let said = ask(&[row(1), row(2)]);
    assert_eq!(
        (shown(&said[0]), shown(&said[1])),
        (vec!["Không. [1] yes".to_owned()], vec!["Không. [2] no".to_owned()])
    );
}

#[test]
fn support_counts_where_the_line_says_so_and_markers_may_count_from_zero() {
    let with = |key: &str, value: Value, answer: &str| {
        let mut row = vi(answer);
        row["evidence"] = json!([]);
        row[key] = value;
        ask(&[row]).remove(0)
    };
    for (policy, outcome, said) in [
        ("note", "pass", vec!["citation-unsupported"]),
        ("fail", "fail", vec!["citation-unsupported"]),
        ("off", "pass", vec![]),
    ] {
        let answer = with("support", json!(policy), "Đổi trong 7 ngày [2].");
        assert_eq!((answer["outcome"].as_str(), codes(&answer)), (Some(outcome), said), "{policy}");
    }
    let zero = with("count_from", json!(0), "Đổi trong 7 ngày [0].");
    assert_eq!((shown(&zero), codes(&zero)), (vec!["Đổi trong 7 ngày. [1] yes".to_owned()], vec![]));
    let one = with("count_from", json!(1), "Đổi trong 7 ngày [0].");
    assert_eq!(codes(&one), ["citation-dangling"]);
}

#[test]
fn lines_that_cannot_be_read_say_why() {
    let done = inspect(
        "citation",
        &[],
        concat!(
            "{\"answer\":\"a [1]\",\"contexts\":[7]}\n",
            "{\"contexts\":[]}\n",
            "{\"answer\":\"a\",\"support\":\"yes\"}\n",
            "{\"answer\":\"a\",\"count_from\":2}\n",
            "{\"answer\":\"a\",\"evidence\":[{\"dok\":\"a\"}]}\n",
            "{\"id\":7,\"answer\":\"Yes [1].\",\"contexts\":[{\"source\":3,\"content\":\"Yes.\"}],\"citations\":[true]}\n",
        ),
    );
    assert_eq!(done.status.code(), Some(2));
    let out = String::from_utf8(done.stdout).unwrap();
    let why = [
        "no text and no object",
        "no `answer`",
        "`support` is `yes`",
        "neither 0 nor 1",
        "needs one of `doc`",
        "a citation is",
    ];
    for (line, why) in out.lines().zip(why) {
        assert!(line.contains("\"error\"") && line.contains(why), "{line}: {why}");
    }
    assert_eq!(out.lines().count(), 6);
}

#[test]
fn a_table_for_people() {
    let args = ["--lang", "vi", "Đổi trong 7 ngày [2]. \u{1b}[31mPhí 30.000 đồng [9].", "-c", RETURNS, "-c", FEES];
    let done = inspect("citation", &args, "");
    let out = String::from_utf8(done.stdout).unwrap();
    assert!(done.status.success() && !out.contains('\u{1b}'), "{out}");
    for words in [
        "fail\n",
        "not supported  2",
        "dangling       9 (nowhere)",
        "citation-dangling: Citation [9]",
        "note, citation-unsupported",
        "precision 0.0000, recall 0.0000",
    ] {
        assert!(out.contains(words), "{words:?} is not in\n{out}");
    }
}
