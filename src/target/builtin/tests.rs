//! What the builtin target answers.

use super::*;

fn shop() -> Arc<Corpus> {
    let texts = [
        (
            "a.md",
            "# Returns\nGoods may be returned within 7 days. Clearance items stay sold.\n\n## Refunds\nA refund to a card takes 9 working days.\n",
        ),
        (
            "b.md",
            "# Warranty\n\n| Group | Time |\n| --- | --- |\n| Pans | 12 months |\n| Fridges | 24 months |\n\n# Empty\n\n## Loan\nA loan device needs a deposit of 500,000 VND.\n",
        ),
    ];
    Arc::new(Corpus::from_texts(texts.map(|(id, text)| (id.to_owned(), text.to_owned()))))
}

fn builtin(config: &BuiltinConfig) -> Builtin {
    Builtin::new(shop(), config, &Lang::new("en").unwrap())
}

fn answer(response: &Response<'_>) -> String {
    match &response.answer {
        Answer::Text(text) => text.to_string(),
        Answer::Absent | Answer::Null => panic!("{response:?}"),
    }
}

#[test]
fn answers_with_sentences_and_markers() {
    let target = builtin(&BuiltinConfig::default());
    assert_eq!(target.passages(), 4, "a heading without text is no passage");
    let r = target.ask("How many days does a refund to my card take?");
    assert_eq!(answer(&r), "A refund to a card takes 9 working days. [1]");
    assert_eq!(r.refused, Some(false));
    assert_eq!(r.citations, Some(vec![Citation { context: Some(1), ..Citation::default() }]));
    let contexts = r.contexts.unwrap();
    let first = &contexts[0];
    assert_eq!(first.chunk.as_deref(), Some("a.md#1"));
    assert_eq!(first.section, ["Returns", "Refunds"]);
    assert_eq!(first.text.as_deref(), Some("A refund to a card takes 9 working days."));
    assert_eq!((first.start, first.end), (Some(86), Some(126)));
    assert!(contexts.windows(2).all(|w| w[0].score >= w[1].score));
}

#[test]
fn a_table_row_is_a_sentence_with_its_column_heads() {
    let r = builtin(&BuiltinConfig::default()).ask("How many months of warranty do fridges have?");
    assert_eq!(answer(&r), "Fridges; Time: 24 months [1]");
}

#[test]
fn refuses_what_the_corpus_does_not_hold_and_still_shows_passages() {
    let r = builtin(&BuiltinConfig::default()).ask("Do you sell plane tickets for refund hunters in Singapore?");
    assert_eq!(answer(&r), "The documents do not contain information that answers this question.");
    assert_eq!(r.refused, Some(true));
    assert_eq!(r.citations, Some(Vec::new()));
    assert_eq!(r.contexts.unwrap().len(), 1);
    let r = builtin(&BuiltinConfig::default()).ask("");
    assert_eq!((r.refused, r.contexts.unwrap().len()), (Some(true), 0));
}

#[test]
fn subjects_differ_by_every_setting_and_the_corpus() {
    let d = BuiltinConfig::default();
    let configs = [
        d.clone(),
        BuiltinConfig { k1: 1.3, ..d.clone() },
        BuiltinConfig { b: 0.7, ..d.clone() },
        BuiltinConfig { top_k: 4, ..d.clone() },
        BuiltinConfig { refuse_below: 0.2, ..d.clone() },
        BuiltinConfig { chunk: Chunking::SectionMax(40), ..d.clone() },
        BuiltinConfig { chunk: Chunking::Fixed { size: 40, overlap: 4 }, ..d.clone() },
    ];
    let mut subjects: Vec<String> = configs.iter().map(|c| builtin(c).subject()).collect();
    let other = Corpus::from_texts([("a.md".to_owned(), "# Returns\n".to_owned())]);
    subjects.push(Builtin::new(Arc::new(other), &d, &Lang::new("en").unwrap()).subject());
    subjects.push(Builtin::new(shop(), &d, &Lang::new("vi").unwrap()).subject());
    assert_eq!(subjects[0], builtin(&d).subject());
    subjects.sort();
    subjects.dedup();
    assert_eq!(subjects.len(), 9);
    assert!(subjects.iter().all(|s| s.len() == 16));
}

fn texts(chunk: Chunking) -> Vec<(String, String)> {
    let target = builtin(&BuiltinConfig { chunk, ..BuiltinConfig::default() });
    let all = target.chunks.iter();
    all.map(|c| (format!("{}#{}", c.doc, c.number), text_of(&target.corpus, c).to_owned())).collect()
}

#[test]
fn long_sections_are_cut_at_sentence_ends() {
    let pieces = texts(Chunking::SectionMax(40));
    let of_a: Vec<&str> = pieces.iter().filter(|(id, _)| id.starts_with("a.md")).map(|(_, t)| t.as_str()).collect();
    let right = [
        "Goods may be returned within 7 days.",
        "Clearance items stay sold.",
        "A refund to a card takes 9 working days.",
    ];
    assert_eq!(of_a, right);
    assert!(texts(Chunking::SectionMax(12)).iter().all(|(_, t)| t.chars().count() <= 12));
    assert!(!texts(Chunking::SectionMax(0)).is_empty());
}

#[test]
fn a_passage_across_sections_stands_under_what_their_headings_share() {
    let text = "# A\n\n## B\n\nbbbb bbbb.\n\n## C\n\ncccc cccc.\n\n# D\n\ndddd.\n";
    let corpus = Arc::new(Corpus::from_texts([("x.md".to_owned(), text.to_owned())]));
    let cut = |size| {
        let config = BuiltinConfig { chunk: Chunking::Fixed { size, overlap: 0 }, ..BuiltinConfig::default() };
        let target = Builtin::new(Arc::clone(&corpus), &config, &Lang::new("en").unwrap());
        target.chunks.iter().map(|c| c.section.join("/")).collect::<Vec<_>>()
    };
    assert_eq!(cut(200), [""]);
    assert_eq!(cut(36), ["A", ""]);
    assert_eq!(cut(20), ["A/B", "A", "D"]);
}

#[test]
fn fixed_passages_overlap() {
    let corpus = Arc::new(Corpus::from_texts([("x.txt".to_owned(), "ảbcdefghij".to_owned())]));
    let cut = |size, overlap| {
        let config = BuiltinConfig { chunk: Chunking::Fixed { size, overlap }, ..BuiltinConfig::default() };
        let target = Builtin::new(Arc::clone(&corpus), &config, &Lang::new("en").unwrap());
        target.chunks.iter().map(|c| format!("{}:{}", c.points.start, text_of(&corpus, c))).collect::<Vec<_>>()
    };
    assert_eq!(cut(4, 1), ["0:ảbcd", "3:defg", "6:ghij"]);
    assert_eq!(cut(4, 0), ["0:ảbcd", "4:efgh", "8:ij"]);
    assert_eq!(cut(2, 9).len(), 9, "it moves on by one character at least");
    assert_eq!(cut(0, 0).len(), 10);
    let pieces = texts(Chunking::Fixed { size: 30, overlap: 10 });
    assert!(pieces.iter().all(|(_, t)| t.chars().count() <= 30));
}
