//! Which passages hold the evidence: spans by their words or their places, pieces of several passages, addresses; and what a
//! bare retriever is told, through the real binary.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;

use binary_kit::{Folder, outcome};
use serde_json::{Value, json};

/// The retrieval of one question with this evidence and these passages, as the results say it. The target is a bare retriever.
fn run(language: &str, keys: &str, contexts: Value) -> Value {
    let suite = format!(
        "version: 1\nsuite: s\nlanguage: {language}\ntarget: bot\nquestions:\n  - id: q1\n    question: W?\n    {}\n",
        keys.replace('\n', "\n    ")
    );
    let line = json!({ "id": "q1", "contexts": contexts });
    let folder = Folder::with(&[
        (
            "ragline.toml",
            "version = 1\n[targets.bot]\nkind = \"recorded\"\nfile = \"r.jsonl\"\nprovides = [\"contexts\"]\n",
        ),
        ("thresholds.toml", "version = 1\nbaseline = \"none\"\n"),
        ("suites/s.yaml", &suite),
        ("r.jsonl", &format!("{{\"version\":1,\"kind\":\"responses\",\"suite\":\"s\"}}\n{line}\n")),
    ]);
    let ran = folder.run(&["run"]);
    assert!(matches!(ran.exit, 0 | 1 | 3), "{}{}", ran.out, ran.err);
    let results = folder.results();
    // Only what was returned is looked at.
    for layer in ["facts", "refusal", "numbers", "citation"] {
        assert_eq!(outcome(&results["q1"], layer), "skipped", "{layer}");
    }
    results["q1"]["layers"]["retrieval"].clone()
}

fn code(retrieval: &Value) -> (&str, &str) {
    let first = retrieval["findings"][0]["code"].as_str().unwrap_or_default();
    (retrieval["outcome"].as_str().unwrap(), first)
}

fn metric(retrieval: &Value, name: &str) -> f64 {
    retrieval["metrics"][name].as_f64().unwrap_or_else(|| panic!("{name}: {retrieval}"))
}

const CUT: [(&str, &str, [&str; 2]); 4] = [
    (
        "vi",
        "đổi trả trong vòng 7 ngày kể từ ngày nhận hàng",
        ["Khách được đổi trả trong vòng 7", "ngày kể từ ngày nhận hàng, trừ hàng thanh lý."],
    ),
    ("th", "คืนสินค้าได้ภายใน 7 วันนับจากวันที่ได้รับ", ["ลูกค้าคืนสินค้าได้ภายใน", "7 วันนับจากวันที่ได้รับสินค้า"]),
    ("zh", "自收到商品之日起七天内可以退货", ["顾客自收到商品之日", "起七天内可以退货，清仓商品除外。"]),
    (
        "en",
        "return an item within 7 days of delivery",
        ["You can return an item within", "7 days of delivery, except clearance items."],
    ),
];

/// A span that a chunk border cuts is whole for nobody but who says that neighbours may cover it together.
#[test]
fn neighbours_cover_a_span_together_where_the_suite_says_so() {
    for (language, span, [first, second]) in CUT {
        let contexts = json!([{ "doc": "a.md", "text": first }, { "doc": "b.md", "text": "x" }, { "doc": "a.md", "text": second }]);
        let alone = run(language, &format!("evidence: [{{ doc: a.md, span: {span} }}]"), contexts.clone());
        assert_eq!(code(&alone), ("fail", "evidence-span-cut"), "{language}");
        let cut = metric(&alone, "span_recall");
        assert!((cut - 1.0).abs() < 1e-9, "{language}: all of it was returned, in two pieces: {cut}");
        let keys = format!("evidence: [{{ doc: a.md, span: {span}, union: true }}]");
        let both = run(language, &keys, contexts.clone());
        assert_eq!(both["outcome"], "pass", "{language}: {both}");
        // It is whole with the second of them.
        assert_eq!((both["rank"].as_u64(), metric(&both, "hit@1")), (Some(3), 0.0), "{language}");
        assert!((metric(&both, "rr") - 1.0 / 3.0).abs() < 1e-6, "{language}");
        // Not from another document, not from a passage that was not in the prompt, not beyond those that count.
        let elsewhere = json!([{ "doc": "a.md", "text": first }, { "doc": "b.md", "text": second }]);
        assert_eq!(code(&run(language, &keys, elsewhere)), ("fail", "evidence-span-cut"), "{language}");
        let unsent = json!([{ "doc": "a.md", "text": first, "in_prompt": false }, { "doc": "a.md", "text": second }]);
        assert_eq!(run(language, &keys, unsent)["outcome"], "fail", "{language}");
        assert_eq!(run(language, &format!("{keys}\ntop_k: 2"), contexts)["outcome"], "fail", "{language}");
    }
}

/// How much is left of a span that was cut, in the message and as a figure.
#[test]
fn a_cut_span_says_how_much_is_left() {
    let span = "return an item within seven days of delivery unless it was on clearance";
    let contexts = json!([{ "doc": "a.md", "text": "You can return an item within seven days of delivery." }]);
    let r = run("en", &format!("evidence: [{{ doc: a.md, span: {span} }}]"), contexts);
    assert_eq!(code(&r), ("fail", "evidence-span-cut"));
    // 37 of the 59 letters.
    assert!(r["findings"][0]["message"].as_str().unwrap().contains("; 62 % of them are."), "{r}");
    assert!((metric(&r, "span_recall") - 37.0 / 59.0).abs() < 1e-6, "{r}");
    assert_eq!((metric(&r, "context_precision"), metric(&r, "context_precision_ap")), (0.0, 0.0));
}

/// By their places in the document: words are not needed, and the same words elsewhere in it do not count.
#[test]
fn spans_by_their_places() {
    let at = |start: u64, end: u64| json!({ "doc": "a.md", "start": start, "end": end, "text": "7 days" });
    let keys = "evidence: [{ doc: a.md, span: 7 days, start: 100, end: 200 }]";
    assert_eq!(run("en", keys, json!([at(0, 90), at(90, 210)]))["rank"], 2);
    let cut = run("en", keys, json!([at(0, 90), at(0, 185)]));
    assert_eq!(code(&cut), ("fail", "evidence-span-cut"));
    assert!(cut["findings"][0]["message"].as_str().unwrap().contains("85 %"), "{cut}");
    assert!((metric(&cut, "span_recall") - 0.85).abs() < 1e-9);
    let union = keys.replace("end: 200", "end: 200, union: true");
    assert_eq!(run("en", &union, json!([at(0, 185), at(160, 400)]))["outcome"], "pass");
    assert_eq!(run("en", &union, json!([at(0, 150), at(160, 400)]))["outcome"], "fail");
    // Passages that do not say where they stand are looked at by their words, and without words nothing can be told.
    assert_eq!(run("en", keys, json!([{ "doc": "a.md", "text": "within 7 days" }]))["outcome"], "pass");
    let bare = "evidence: [{ doc: a.md, start: 100, end: 200 }]";
    assert_eq!(run("en", bare, json!([{ "doc": "a.md", "start": 50, "end": 250 }]))["outcome"], "pass");
    assert_eq!(
        code(&run("en", bare, json!([{ "doc": "a.md", "text": "x" }]))),
        ("unmeasured", "context-place-missing")
    );
    assert_eq!(run("en", bare, json!([{ "doc": "b.md", "start": 50, "end": 250 }]))["outcome"], "fail");
}

#[test]
fn addresses_of_one_page_are_one() {
    let gold = |url: &str| format!("evidence: [{{ url: \"{url}\" }}]");
    for (wanted, returned, hit) in [
        ("https://shop.example/faq", json!({ "url": "http://Shop.example/faq/" }), true),
        ("https://shop.example/faq", json!({ "url": "https://shop.example/faq#fees" }), true),
        ("https://shop.example/faq", json!({ "url": "https://shop.example/FAQ" }), false),
        (
            "https://shop.example/faq#phi-giao-hang",
            json!({ "url": "https://shop.example/faq", "section": ["Phí giao hàng"] }),
            true,
        ),
        ("https://shop.example/faq#fees", json!({ "url": "https://shop.example/faq#fees" }), true),
        ("https://shop.example/faq#fees", json!({ "url": "https://shop.example/faq", "section": ["Returns"] }), false),
    ] {
        // A second question that fits keeps the run from saying that no label does.
        let r = run("vi", &gold(wanted), json!([returned]));
        let outcome = r["outcome"].as_str().unwrap();
        assert!(
            if hit { outcome == "pass" } else { matches!(outcome, "fail" | "unmeasured") },
            "{wanted} {returned}: {r}"
        );
    }
    // Which of the page's headings it is cannot be told.
    let r = run("en", &gold("https://shop.example/faq#fees"), json!([{ "url": "https://shop.example/faq" }]));
    assert_eq!(code(&r), ("unmeasured", "context-place-missing"));
}

/// One section in three passages counts once, and two units in one passage are both found there.
#[test]
fn units_and_passages() {
    let section = json!({ "doc": "a.md", "section": ["A"], "text": "x" });
    let other = json!({ "doc": "b.md", "section": ["A"], "text": "x" });
    let r = run("en", "evidence: [{ doc: a.md, section: A }]", json!([section, section, other, section, other]));
    for (name, right) in
        [("p@5", 0.6), ("r@5", 1.0), ("ndcg@5", 1.0), ("context_precision_ap", 0.916667), ("context_precision", 0.6)]
    {
        assert!((metric(&r, name) - right).abs() < 1e-6, "{name}: {r}");
    }
    let r = run(
        "en",
        "evidence: [{ doc: a.md, span: seven days }, { doc: a.md, span: three euro }]\nevidence_match: all",
        json!([{ "doc": "b.md", "text": "x" }, { "doc": "a.md", "text": "seven days, three euro" }, { "doc": "c.md", "text": "x" }, { "doc": "d.md", "text": "x" }]),
    );
    for (name, right) in [
        ("r@3", 1.0),
        ("ndcg@5", 0.63093),
        ("ap", 0.5),
        ("rr", 0.5),
        ("hit@1", 0.0),
        ("hit@3", 1.0),
        ("span_recall", 1.0),
    ] {
        assert!((metric(&r, name) - right).abs() < 1e-6, "{name}: {r}");
    }
    // An alternative of two that belong together.
    let keys = "evidence: [{ any_of: [{ doc: x.md }, { all_of: [{ doc: a.md }, { any_of: [{ doc: b.md }, { doc: c.md }] }] }] }]";
    let docs = |names: &[&str]| json!(names.iter().map(|n| json!({ "doc": n })).collect::<Vec<_>>());
    assert_eq!(run("en", keys, docs(&["a.md", "c.md"]))["outcome"], "pass");
    assert_eq!(run("en", keys, docs(&["x.md"]))["outcome"], "pass");
    assert_eq!(run("en", keys, docs(&["b.md", "c.md"]))["outcome"], "fail");
}

#[test]
fn evidence_that_cannot_be_meant_is_refused() {
    for (evidence, words) in [
        ("{ doc: a.md, start: 3 }", "`start` needs `end`"),
        ("{ doc: a.md, end: 3 }", "`end` needs `start`"),
        ("{ doc: a.md, start: 3, end: 3 }", "`end` is 3, expected more than `start`, 3"),
        ("{ span: abc, start: 1, end: 4 }", "characters of a document, and none is named"),
        ("{ doc: a.md, union: true }", "`union` stands without"),
        ("{ doc: a.md, start: -1, end: 4 }", "`start` is `-1`"),
    ] {
        let suite =
            format!("version: 1\nsuite: s\nquestions:\n  - {{ id: q1, question: W?, evidence: [{evidence}] }}\n");
        let ran = Folder::with(&[("suites/s.yaml", &suite)]).run(&["lint"]).exits(2);
        assert!(format!("{}{}", ran.out, ran.err).contains(words), "{evidence}: {}{}", ran.out, ran.err);
    }
}

/// A passage that reaches across sections bears the heading above them; its words tell whether it holds the evidence.
#[test]
fn a_passage_under_the_heading_above_holds_what_its_words_say() {
    let document = "# Đổi trả\n\n## Thời hạn\n\nĐổi trong 7 ngày.\n\n## Phí\n\nPhí 25.000 đồng.\n";
    let suite = "version: 1\nlanguage: vi\ntarget: t\ncorpus: ../docs\nquestions:\n  - id: a\n    question: Đổi trong bao lâu?\n    evidence: [{ doc: d.md, section: [Đổi trả, Thời hạn], span: trong 7 ngày }]\n";
    let targets =
        "version = 1\n[targets.t]\nkind = \"recorded\"\nfile = \"a.jsonl\"\nprovides = [\"answer\", \"contexts\"]\n";
    let outcome = |section: &str, text: &str| {
        let folder =
            binary_kit::Folder::with(&[("ragline.toml", targets), ("suites/s.yaml", suite), ("docs/d.md", document)]);
        let line = serde_json::json!({ "id": "a", "answer": "7 ngày.", "contexts": [{ "doc": "d.md", "section": [section], "text": text }] });
        folder.write("a.jsonl", format!("{line}\n").as_bytes());
        folder.run(&["run", "--results", "r.jsonl"]);
        let text = folder.read("r.jsonl");
        let line = binary_kit::lines(&text).nth(1).unwrap();
        binary_kit::outcome(&line, "retrieval").to_owned()
    };
    assert_eq!(outcome("Đổi trả", "Đổi trong 7 ngày. Phí 25.000 đồng."), "pass");
    assert_eq!(outcome("Đổi trả", "Phí 25.000 đồng."), "fail");
    assert_eq!(outcome("Phí", "Đổi trong 7 ngày."), "fail");
}
