//! `import trec`: a suite and recorded responses from judgements and a ranking.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may")]

mod data_kit;

use ragline::import::trec::{Trec, import};
use ragline::problem::Problem;
use ragline::text::pack::Lang;
use serde_json::Value;
use std::collections::HashMap;
use std::path::Path;

fn trec<'a>(qrels: &'a Path, run: &'a Path, out: &'a Path, lang: &'a Lang) -> Trec<'a> {
    Trec { qrels, run, out, suite: "runs", language: lang, top_k: None, force: false }
}

fn lines(path: &Path) -> Vec<Value> {
    std::fs::read_to_string(path).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect()
}

/// Writes two files and imports them.
fn small(qrels: &str, run: &str) -> (tempfile::TempDir, Result<String, Problem>) {
    let dir = tempfile::tempdir().unwrap();
    let (q, r, out) = (dir.path().join("qrels.txt"), dir.path().join("run.txt"), dir.path().join("out"));
    std::fs::write(&q, qrels).unwrap();
    std::fs::write(&r, run).unwrap();
    let lang = Lang::new("en").unwrap();
    let result = import(&trec(&q, &r, &out, &lang)).map(|s| s.to_string()).map_err(|mut p| p.0.remove(0));
    (dir, result)
}

#[test]
fn a_small_run() {
    let qrels = "301 0 d1 1\r\n301 0 d2 0\r\n301\t0\td3\t3\r\n302 0 d9 -1\n303 0 d1 1\n\n# a comment\nt/4 0 d1 1\n";
    let run = "301 Q0 d1 1 0.5 x\n301 Q0 d3 2 0.50 x\n301 Q0 d2 3 7e-1 x y z\n302 Q0 d1 1 1 x\nt/4 Q0 d1 1 -0 x\nt/4 Q0 d0 1 0 x\n999 Q0 d1 1 1 x\n";
    let (dir, summary) = small(qrels, run);
    let summary = summary.unwrap();
    let out = dir.path().join("out");
    assert_eq!(
        std::fs::read_to_string(out.join("suites/runs.jsonl")).unwrap(),
        concat!(
            r#"{"version":1,"suite":"runs","language":"en","target":"recorded"}"#,
            "\n",
            r#"{"id":"301","question":"301","evidence":[{"doc":"d1"},{"doc":"d3","grade":3}]}"#,
            "\n",
            r#"{"id":"303","question":"303","evidence":[{"doc":"d1"}]}"#,
            "\n",
            r#"{"id":"t-4","question":"t/4","evidence":[{"doc":"d1"}]}"#,
            "\n",
        )
    );
    // Equal scores stand by falling document id: d3 before d1.
    assert_eq!(
        std::fs::read_to_string(out.join("responses.jsonl")).unwrap(),
        concat!(
            r#"{"version":1,"kind":"responses","suite":"runs"}"#,
            "\n",
            r#"{"id":"301","contexts":[{"doc":"d2","score":0.7},{"doc":"d3","score":0.5},{"doc":"d1","score":0.5}]}"#,
            "\n",
            r#"{"id":"t-4","contexts":[{"doc":"d1","score":0.0},{"doc":"d0","score":0.0}]}"#,
            "\n",
        )
    );
    let project: toml::Table = std::fs::read_to_string(out.join("ragline.toml")).unwrap().parse().unwrap();
    assert_eq!(project["targets"]["recorded"]["file"].as_str(), Some("responses.jsonl"));
    for part in [
        "3 questions with 4 relevant documents",
        "2 responses with 5 contexts",
        "2 pairs of neighbours with equal scores",
        "not in the run, so unmeasured: 303",
        "left out, no relevant document: 302",
        "left out, in the run but not judged: 999",
        "1 topic name that cannot be an id: changed",
        "as trec_eval",
    ] {
        assert!(summary.contains(part), "{part} in {summary}");
    }
}

#[test]
fn faults_name_the_line() {
    let good = ("1 0 d 1\n", "1 Q0 d 1 0.5 x\n");
    let fault = |qrels: &str, run: &str| {
        let (dir, result) = small(qrels, run);
        assert!(!dir.path().join("out").exists());
        let p = result.unwrap_err();
        let file = p.place.file.rsplit('/').next().unwrap().to_owned();
        (p.code, file, p.place.line, p.title)
    };
    let at = |f: (&'static str, String, u32, String)| format!("{} {}:{} {}", f.0, f.1, f.2, f.3);
    assert!(at(fault("1 0 d 1\n1 0 e\n", good.1)).starts_with("import-malformed qrels.txt:2 3 fields, expected 4"));
    assert!(at(fault("1 0 d high\n", good.1)).starts_with("import-malformed qrels.txt:1 the grade is `high`"));
    assert!(at(fault("1 0 d 1\n1 0 d 2\n", good.1)).starts_with("import-malformed qrels.txt:2 document `d`"));
    assert!(at(fault("1 0 d 99999999999\n", good.1)).starts_with("import-malformed qrels.txt:1 the grade"));
    assert!(at(fault(good.0, "1 Q0 d 1 0.5\n")).starts_with("import-malformed run.txt:1 5 fields, expected 6"));
    assert!(at(fault(good.0, "1 Q0 d 1 NaN x\n")).starts_with("import-malformed run.txt:1 the score is `NaN`"));
    assert!(at(fault(good.0, "1 Q0 d 1 1e999 x\n")).starts_with("import-malformed run.txt:1 the score is `1e999`"));
    assert_eq!(fault("1 0 d 0\n", good.1).0, "import-empty");
    assert_eq!(fault(good.0, "\n").0, "import-empty");
}

/// Ranks of relevant documents by question, read back from an import.
fn ranks(out: &Path) -> HashMap<String, Vec<usize>> {
    let responses = lines(&out.join("responses.jsonl"));
    let contexts: HashMap<&str, &Vec<Value>> =
        responses.iter().skip(1).map(|r| (r["id"].as_str().unwrap(), r["contexts"].as_array().unwrap())).collect();
    let suite = lines(&out.join("suites/runs.jsonl"));
    let ranks = suite.iter().skip(1).map(|q| {
        let id = q["id"].as_str().unwrap();
        let gold: Vec<&str> = q["evidence"].as_array().unwrap().iter().map(|e| e["doc"].as_str().unwrap()).collect();
        let hits = contexts[id].iter().enumerate().filter(|(_, c)| gold.contains(&c["doc"].as_str().unwrap()));
        (id.to_owned(), hits.map(|(i, _)| i + 1).collect())
    });
    ranks.collect()
}

/// The figures of a trec_eval output by measure and topic.
fn reference(path: &Path) -> HashMap<(String, String), f64> {
    let text = std::fs::read_to_string(path).unwrap();
    let rows = text.lines().filter_map(|l| {
        let fields: Vec<&str> = l.split_whitespace().collect();
        Some(((fields[0].to_owned(), fields[1].to_owned()), fields.get(2)?.parse().ok()?))
    });
    rows.collect()
}

#[test]
fn trec_evals_own_test_comes_out_the_same() {
    let Some(folder) = data_kit::folder("c_trec_eval/test") else { return };
    let dir = tempfile::tempdir().unwrap();
    let lang = Lang::new("en").unwrap();
    let summary = import(&trec(&folder.join("qrels.test"), &folder.join("results.test"), dir.path(), &lang)).unwrap();
    println!("{summary}");
    let right = reference(&folder.join("out.test.aq"));
    let ranks = ranks(dir.path());
    assert_eq!(ranks.len(), 3);
    for (topic, ranks) in &ranks {
        let value = |name: &str| right[&(name.to_owned(), topic.clone())];
        let close = |name: &str, ours: f64| {
            assert!((ours - value(name)).abs() < 5.1e-5, "{topic} {name}: {ours}, trec_eval has {}", value(name));
        };
        close("num_rel_ret", ranks.len() as f64);
        close("recip_rank", ranks.first().map_or(0.0, |r| 1.0 / *r as f64));
        close("P_5", ranks.iter().filter(|r| **r <= 5).count() as f64 / 5.0);
        let precisions = ranks.iter().enumerate().map(|(i, r)| (i + 1) as f64 / *r as f64);
        close("map", precisions.sum::<f64>() / value("num_rel"));
    }
}

#[test]
fn real_retrievers_come_out_the_same() {
    let Some(folder) = data_kit::folder("c_xquad_runs") else { return };
    let lang = Lang::new("en").unwrap();
    for language in ["en", "vi"] {
        let mut hits: Vec<HashMap<String, bool>> = Vec::new();
        for system in ["bm25", "e5"] {
            let dir = tempfile::tempdir().unwrap();
            let name = |kind: &str| folder.join(format!("{kind}.{language}.txt"));
            import(&trec(&name("qrels"), &name(&format!("run.{system}")), dir.path(), &lang)).unwrap();
            let right = reference(&name(&format!("out.{system}")));
            let ranks = ranks(dir.path());
            assert_eq!(ranks.len(), 298);
            for (topic, ranks) in &ranks {
                let rr = ranks.first().map_or(0.0, |r| 1.0 / *r as f64);
                assert!((rr - right[&("recip_rank".to_owned(), topic.clone())]).abs() < 5.1e-5, "{topic}");
            }
            hits.push(ranks.into_iter().map(|(t, r)| (t, r.first().is_some_and(|r| *r <= 5))).collect());
        }
        let changed = |from: bool| hits[0].iter().filter(|(t, hit)| **hit == from && hits[1][*t] != from).count();
        let right = if language == "en" { (6, 1) } else { (6, 4) };
        assert_eq!((changed(false), changed(true)), right, "{language}: fixed and regressed at hit@5");
    }
}
