//! What an importer writes is what the project's own readers take.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may")]

mod data_kit;

use ragline::gate::thresholds::Thresholds;
use ragline::import::{squad, trec};
use ragline::suite::config::{self, TargetKind};
use ragline::suite::corpus::Corpus;
use ragline::suite::{lint, load};
use ragline::text::pack::Lang;

#[test]
fn squad_projects_are_sound() {
    let dir = tempfile::tempdir().unwrap();
    let (file, out) = (dir.path().join("in.json"), dir.path().join("out"));
    let text = r#"{"data": [{"title": "T", "paragraphs": [{"context": "One is 1. Two is 2.", "qas": [
        {"id": "a", "question": "One?", "answers": [{"text": "1", "answer_start": 7}]},
        {"id": "b", "question": "Three?", "answers": [], "is_impossible": true}]}]}]}"#;
    std::fs::write(&file, text).unwrap();
    let lang = Lang::new("en").unwrap();
    let what = squad::Squad { file: &file, out: &out, suite: "set", language: &lang, top_k: Some(10), force: false };
    squad::import(&what).unwrap();
    let (suite, warnings) = load::load(&out.join("suites/set.jsonl"), "suites/set.jsonl").unwrap();
    assert!(warnings.0.is_empty(), "{warnings}");
    assert_eq!((suite.questions.len(), suite.top_k), (2, Some(10)));
    assert!(suite.corpus.unwrap().is_dir());
    let (project, warnings) = config::load(&out).unwrap();
    assert!(warnings.0.is_empty(), "{warnings}");
    Thresholds::load(&out.join("thresholds.toml"), "thresholds.toml").unwrap();
    let target = &project.targets[suite.target.as_deref().unwrap()];
    assert!(matches!(&target.kind, TargetKind::Builtin(c) if c.top_k == 10), "{target:?}");
}

#[test]
fn trec_projects_are_sound() {
    let dir = tempfile::tempdir().unwrap();
    let (qrels, run, out) = (dir.path().join("qrels"), dir.path().join("run"), dir.path().join("out"));
    std::fs::write(&qrels, "1 0 d1 2\n1 0 d2 1\n").unwrap();
    std::fs::write(&run, "1 Q0 d1 1 0.5 x\n").unwrap();
    let lang = Lang::new("en").unwrap();
    let what = trec::Trec {
        qrels: &qrels,
        run: &run,
        out: &out,
        suite: "runs",
        language: &lang,
        top_k: Some(5),
        force: false,
    };
    trec::import(&what).unwrap();
    let (suite, warnings) = load::load(&out.join("suites/runs.jsonl"), "suites/runs.jsonl").unwrap();
    assert!(warnings.0.is_empty(), "{warnings}");
    assert_eq!((suite.questions.len(), suite.questions[0].evidence.len()), (1, 2));
    let (project, warnings) = config::load(&out).unwrap();
    assert!(warnings.0.is_empty(), "{warnings}");
    Thresholds::load(&out.join("thresholds.toml"), "thresholds.toml").unwrap();
    let target = &project.targets[suite.target.as_deref().unwrap()];
    assert!(matches!(&target.kind, TargetKind::Recorded { file } if file.is_file()), "{target:?}");
}

#[test]
fn xquad_suites_pass_lint_in_four_languages() {
    let Some(folder) = data_kit::folder("a_xquad") else { return };
    for name in ["en", "vi", "th", "zh"] {
        let dir = tempfile::tempdir().unwrap();
        let file = folder.join(format!("xquad.{name}.json"));
        let lang = Lang::new(name).unwrap();
        let what =
            squad::Squad { file: &file, out: dir.path(), suite: "set", language: &lang, top_k: None, force: false };
        squad::import(&what).unwrap();
        let (suite, _) = load::load(&dir.path().join("suites/set.jsonl"), "suites/set.jsonl").unwrap();
        assert_eq!(suite.questions.len(), 1190);
        let corpus = Corpus::load(suite.corpus.as_deref().unwrap(), "corpus/set").unwrap();
        let found = lint::lint(&suite, Some(&corpus));
        println!(
            "{name}: lint says {} things\n{}",
            found.0.len(),
            found.to_string().chars().take(600).collect::<String>()
        );
        assert!(!found.any_error(), "{name}");
    }
}
