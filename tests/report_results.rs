//! `results.jsonl`: byte-stable, and read back.

mod report_kit;

use ragline::core::state::Change;
use ragline::layer::{Code, Detail, Finding, LayerId};
use ragline::report::results::{self, Results};
use report_kit::*;

#[test]
fn a_line_holds_what_the_design_says() {
    use ragline::layer::numbers::{NumberVerdict, Status};
    let mut q = with_metrics(question("a", "q06", "?")).broken(LayerId::Facts, Code::FactMissing, "no", Some((1, 4)));
    q.layers[LayerId::Numbers].result.detail = Detail::Numbers(vec![NumberVerdict {
        text: "17 ngày".into(),
        kind: "quantity",
        value: "17".into(),
        unit: Some("day".into()),
        status: Status::Ungrounded,
        start: 12,
        end: 19,
    }]);
    q.layers[LayerId::Facts].result.findings.push(Finding::note(Code::DuplicatePassage, "twice"));
    let text = run("a", vec![q.skipped(LayerId::Citation)]).results();
    let line: serde_json::Value = serde_json::from_str(text.lines().nth(1).unwrap()).unwrap();
    assert_eq!(line["layers"]["retrieval"]["metrics"]["hit@3"], 1.0);
    assert_eq!(line["layers"]["retrieval"]["metrics"]["rr"], 0.333_333);
    assert_eq!(line["layers"]["retrieval"]["metrics"]["ap"], serde_json::Value::Null, "no number is no number");
    assert_eq!(line["layers"]["retrieval"]["random"]["hit@3"], 0.058_824);
    assert_eq!(line["layers"]["facts"]["findings"][0]["code"], "fact-missing");
    assert_eq!(line["layers"]["facts"]["findings"][1]["note"], true);
    let number =
        r#"{"text":"17 ngày","kind":"quantity","value":"17","unit":"day","status":"ungrounded","start":12,"end":19}"#;
    assert!(text.contains(&format!("\"numbers\":[{number}]")), "{text}");
    assert!(text.contains(r#""citation":{"outcome":"skipped","why":"not_applicable""#), "{text}");
    assert!(text.starts_with("{\"version\":1,\"kind\":\"results\","));
    assert!(!text.contains("latency") && !text.contains("\"run\""));
}

#[test]
fn what_is_written_is_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("deep/results.jsonl");
    let run = red();
    let mut r = Results::new();
    run.play(&mut r);
    r.write_to(&path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), run.results(), "two runs, the same bytes");
    let lines = results::read(&path, "results.jsonl").unwrap();
    assert_eq!(lines.len(), run.questions.len());
    let q14 = &lines[0];
    assert_eq!((q14.suite.as_str(), q14.id.as_str(), q14.change), ("shop-vi", "q14", Change::Regressed));
    let layers: Vec<_> = q14.layers.iter().map(|(l, o)| (*l, o.as_str())).collect();
    assert_eq!(layers[..2], [(LayerId::Retrieval, "pass"), (LayerId::Facts, "fail")]);
    assert_eq!(layers.len(), 5);
}

#[test]
fn what_is_no_results_file_is_refused_with_its_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("r.jsonl");
    let head = "{\"version\":1,\"kind\":\"results\",\"suites\":[]}\n";
    let cases = [
        (String::new(), 0, "empty"),
        ("{}\n".into(), 1, "not a results file"),
        (head.replace(":1,", ":2,"), 1, "version 2"),
        (head.replace("results", "responses"), 1, "not a results file"),
        (format!("{head}{{\"suite\":\"a\"\n"), 2, "not a result"),
        (
            format!(
                "{head}\n{{\"suite\":\"a\",\"id\":\"q\",\"outcome\":\"pass\",\"change\":\"odd\",\"layers\":{{}}}}\n"
            ),
            3,
            "odd",
        ),
    ];
    for (text, line, words) in cases {
        std::fs::write(&path, &text).unwrap();
        let problem = results::read(&path, "r.jsonl").unwrap_err().0.remove(0);
        assert_eq!(problem.place.line, line, "{}", problem.title);
        assert!(problem.title.contains(words), "{}", problem.title);
    }
    assert!(results::read(&dir.path().join("none"), "none").is_err());
}
