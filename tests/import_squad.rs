//! `import squad`: a suite and a corpus from questions with their paragraphs.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may")]

mod data_kit;

use ragline::import::squad::{Squad, import};
use ragline::suite::Evidence;
use ragline::suite::config::BuiltinConfig;
use ragline::suite::corpus::{Corpus, Standing};
use ragline::target::builtin::Builtin;
use ragline::text::pack::Lang;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// One question of an imported suite.
struct Golden {
    line: Value,
}

impl Golden {
    fn evidence(&self) -> Option<Evidence> {
        let e = self.line.get("evidence")?.get(0)?;
        let text = |key: &str| e.get(key).and_then(Value::as_str).map(str::to_owned);
        let section = e["section"].as_array().unwrap().iter().map(|h| h.as_str().unwrap().to_owned()).collect();
        Some(Evidence {
            doc: text("doc"),
            section,
            span: text("span"),
            chunk: None,
            url: None,
            grade: 1,
            at: None,
            union: false,
            place: ragline::problem::Place::default(),
        })
    }
}

fn golden(dir: &Path, suite: &str) -> (Value, Vec<Golden>) {
    let text = std::fs::read_to_string(dir.join(format!("suites/{suite}.jsonl"))).unwrap();
    let mut lines = text.lines().map(|l| serde_json::from_str(l).unwrap());
    let header = lines.next().unwrap();
    (header, lines.map(|line| Golden { line }).collect())
}

fn squad<'a>(file: &'a Path, out: &'a Path, lang: &'a Lang) -> Squad<'a> {
    Squad { file, out, suite: "set", language: lang, top_k: None, force: false }
}

fn en() -> Lang {
    Lang::new("en").unwrap()
}

const SMALL: &str = r#"{"version": "2.0", "data": [{"title": "Shop_terms", "paragraphs": [
  {"context": "Goods may be returned within 7 days.\n# Not a heading\nGold members have 17 days, others 7 days.", "qas": [
    {"id": "r1", "question": "How long?", "answers": [{"text": "7 days", "answer_start": 29}, {"text": "7  days", "answer_start": 0}, {"text": "7", "answer_start": 29}]},
    {"id": 2, "question": "How long?", "answers": [{"text": "17 days", "answer_start": 72}], "is_impossible": false},
    {"id": "r 3", "question": "Is there a shop on Mars?", "answers": [], "is_impossible": true, "plausible_answers": [{"text": "Gold", "answer_start": 53}]},
    {"question": "No answer given?"}]}]},
  {"paragraphs": [{"context": "Nothing here.", "qas": []}]}]}"#;

#[test]
fn a_small_set() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("small.json");
    std::fs::write(&file, SMALL).unwrap();
    let out = dir.path().join("out");
    let summary = import(&squad(&file, &out, &en())).unwrap();
    let text = std::fs::read_to_string(out.join("suites/set.jsonl")).unwrap();
    let right = [
        r#"{"version":1,"suite":"set","language":"en","corpus":"../corpus/set","target":"builtin-top10"}"#,
        r#"{"id":"r1","question":"How long?","evidence":[{"doc":"Shop_terms.md","section":["Shop_terms","Paragraph 1"],"span":"within 7 days"}],"facts":[{"any_of":["7 days","7"]}],"group":"Shop_terms.md#Paragraph 1"}"#,
        r#"{"id":"2","question":"How long?","evidence":[{"doc":"Shop_terms.md","section":["Shop_terms","Paragraph 1"],"span":"17 days"}],"facts":["17 days"],"group":"Shop_terms.md#Paragraph 1"}"#,
        r#"{"id":"r-3","question":"Is there a shop on Mars?","expect":"refuse"}"#,
        r#"{"id":"q","question":"No answer given?","evidence":[{"doc":"Shop_terms.md","section":["Shop_terms","Paragraph 1"]}],"group":"Shop_terms.md#Paragraph 1"}"#,
    ];
    assert_eq!(text.lines().collect::<Vec<_>>(), right);
    let document = std::fs::read_to_string(out.join("corpus/set/Shop_terms.md")).unwrap();
    assert_eq!(
        document,
        "# Shop_terms\n\n## Paragraph 1\n\nGoods may be returned within 7 days.\n    # Not a heading\nGold members have 17 days, others 7 days.\n"
    );
    assert!(out.join("corpus/set/Article-2.md").is_file());
    let project = std::fs::read_to_string(out.join("ragline.toml")).unwrap();
    let project: toml::Table = project.parse().unwrap();
    assert_eq!(project["targets"]["builtin-top10"]["kind"].as_str(), Some("builtin"));
    let thresholds: toml::Table = std::fs::read_to_string(out.join("thresholds.toml")).unwrap().parse().unwrap();
    assert_eq!(thresholds["version"].as_integer(), Some(1));
    let shown = summary.to_string();
    for part in [
        "wrote suites/set.jsonl",
        "4 questions over 2 paragraphs of 2 articles",
        "1 question must be refused",
        "2 ids missing, not valid or not unique: changed",
        "2 questions with a text that comes more than once",
        "1 article without a title",
        "next: ragline -C ",
    ] {
        assert!(shown.contains(part), "{part} in {shown}");
    }
    assert!(shown.trim_end().ends_with("run set"), "{shown}");
    let left: Vec<_> =
        std::fs::read_dir(&out).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert!(left.iter().all(|name| !name.starts_with('.')), "{left:?}");
}

#[test]
fn nothing_is_overwritten_unless_forced() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("small.json"), dir.path().join("out"));
    std::fs::write(&file, SMALL).unwrap();
    let lang = en();
    import(&squad(&file, &out, &lang)).unwrap();
    let suite = out.join("suites/set.jsonl");
    std::fs::write(&suite, "mine").unwrap();
    std::fs::write(out.join("ragline.toml"), "mine").unwrap();
    std::fs::write(out.join("corpus/set/old.md"), "old").unwrap();
    let problems = import(&squad(&file, &out, &lang)).unwrap_err();
    assert_eq!(problems.0[0].code, "import-exists");
    assert_eq!(std::fs::read_to_string(&suite).unwrap(), "mine");
    let summary = import(&Squad { force: true, ..squad(&file, &out, &lang) }).unwrap();
    assert!(std::fs::read_to_string(&suite).unwrap().starts_with("{\"version\":1"));
    assert_eq!(std::fs::read_to_string(out.join("ragline.toml")).unwrap(), "mine");
    assert!(!out.join("corpus/set/old.md").exists());
    assert!(summary.to_string().contains("kept as they are: ragline.toml"), "{summary}");
    // A second suite in the same project.
    let summary = import(&Squad { suite: "other", ..squad(&file, &out, &lang) }).unwrap();
    assert!(summary.written.contains(&"suites/other.jsonl".to_owned()));
}

#[test]
fn faults_name_the_place_and_write_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let out = dir.path().join("out");
    let lang = en();
    let fault = |text: &[u8], suite: &str| {
        let file = dir.path().join("bad.json");
        std::fs::write(&file, text).unwrap();
        let problem = import(&Squad { suite, ..squad(&file, &out, &lang) }).unwrap_err().0.remove(0);
        assert!(!out.exists());
        (problem.code, problem.place.line, problem.title)
    };
    let (code, line, title) = fault(b"{\"data\": [\n{\"paragraphs\": [{\"qas\": []}]}]}", "set");
    assert_eq!((code, line), ("import-malformed", 2));
    assert!(title.contains("missing field `context`"), "{title}");
    assert_eq!(fault(b"{\"data\": [", "set").0, "import-malformed");
    assert_eq!(fault(b"[]", "set").0, "import-malformed");
    assert_eq!(fault(b"", "set").0, "import-malformed");
    assert_eq!(fault(b"{\"data\": []}", "set").0, "import-empty");
    assert_eq!(fault(b"\xff\xfe{", "set").0, "file-not-utf8");
    assert_eq!(fault(SMALL.as_bytes(), "a/b").0, "suite-name");
    let deep = [b"{\"data\": ".as_slice(), &b"[".repeat(100_000)].concat();
    assert_eq!(fault(&deep, "set").0, "import-malformed");
    let none = import(&squad(&dir.path().join("none.json"), &out, &lang)).unwrap_err();
    assert_eq!(none.0[0].code, "file-unreadable");
}

/// Retrieval of the builtin target on one language of XQuAD.
#[derive(Debug)]
struct Figures {
    hit1: f64,
    hit3: f64,
    mrr10: f64,
}

#[test]
fn xquad_in_four_languages() {
    let Some(folder) = data_kit::folder("a_xquad") else { return };
    let mut figures = Vec::new();
    for name in ["en", "vi", "th", "zh"] {
        let dir = tempfile::tempdir().unwrap();
        let lang = Lang::new(name).unwrap();
        let began = Instant::now();
        let summary = import(&squad(&folder.join(format!("xquad.{name}.json")), dir.path(), &lang)).unwrap();
        println!("{name}: imported in {:?}\n{summary}", began.elapsed());
        let (_, questions) = golden(dir.path(), "set");
        assert_eq!(questions.len(), 1190, "{name}");

        let corpus = Arc::new(Corpus::load(&dir.path().join("corpus/set"), "corpus/set").unwrap());
        assert_eq!(corpus.documents.len(), 48, "{name}");
        let began = Instant::now();
        let standing = questions.iter().filter(|q| {
            let evidence = q.evidence().unwrap();
            evidence.span.is_some() && corpus.standing(&evidence) == Standing::Found
        });
        assert_eq!(standing.count(), 1190, "{name}: every span stands in its section");
        println!("{name}: 1190 spans found in {:?}", began.elapsed());

        let began = Instant::now();
        let config = BuiltinConfig { top_k: 10, refuse_below: 0.2, ..BuiltinConfig::default() };
        let target = Builtin::new(corpus, &config, &lang);
        assert_eq!(target.passages(), 240, "{name}");
        let indexed = began.elapsed();
        let (mut ranks, mut refused, mut answered) = (Vec::new(), 0, 0);
        for question in &questions {
            let response = target.ask(question.line["question"].as_str().unwrap());
            let gold = question.evidence().unwrap();
            let contexts = response.contexts.unwrap();
            let rank =
                contexts.iter().position(|c| c.doc.as_deref() == gold.doc.as_deref() && c.section == gold.section);
            ranks.extend(rank.map(|r| r + 1));
            refused += usize::from(response.refused == Some(true));
            let fact = question.line["facts"][0].as_str().unwrap().to_lowercase();
            let ragline::target::response::Answer::Text(answer) = response.answer else { panic!("an answer") };
            answered += usize::from(answer.to_lowercase().contains(&fact));
        }
        let share = |n: usize| n as f64 / 1190.0;
        let within = |k: usize| share(ranks.iter().filter(|r| **r <= k).count());
        let mrr10 = ranks.iter().map(|r| 1.0 / *r as f64).sum::<f64>() / 1190.0;
        println!(
            "{name}: hit@1 {:.4} hit@3 {:.4} MRR@10 {mrr10:.4} refused {:.4} answer holds the gold text {:.4}; indexed in {indexed:?}, asked in {:?}",
            within(1),
            within(3),
            share(refused),
            share(answered),
            began.elapsed() - indexed
        );
        assert!(refused < 1190 / 20, "{name}: every question can be answered, {refused} were refused");
        figures.push((name, Figures { hit1: within(1), hit3: within(3), mrr10 }));
    }
    let english = &figures[0].1;
    assert!(english.hit3 >= 0.95 && english.hit1 >= 0.9 && english.mrr10 >= 0.93, "{english:?}");
    for (name, f) in &figures {
        assert!(f.hit3 >= english.hit3 - 0.05 && f.hit1 >= english.hit1 - 0.05, "{name}: broken words? {f:?}");
    }
}
