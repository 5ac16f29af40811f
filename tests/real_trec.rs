//! Rankings of real retrievers through the real binary, against what the C program trec_eval says of each question.
//!
//! The data is not part of this project: RAGLINE_DATA names the folder that holds `c_xquad_runs` (BM25 and
//! multilingual-e5-small over 298 questions of XQuAD) and `c_trec_eval/test` (usnistgov/trec_eval).

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;
mod data_kit;

use binary_kit::{Folder, outcome};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// `metric topic value` lines of trec_eval's, by topic and metric.
fn trec_eval(path: &Path) -> BTreeMap<String, BTreeMap<String, f64>> {
    let mut out: BTreeMap<String, BTreeMap<String, f64>> = BTreeMap::new();
    for line in std::fs::read_to_string(path).unwrap().lines() {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [metric, topic, value] = fields.as_slice() else { panic!("{line}") };
        if let Ok(value) = value.parse() {
            out.entry((*topic).to_owned()).or_default().insert((*metric).to_owned(), value);
        }
    }
    out
}

fn import(folder: &Folder, data: &Path, qrels: &str, run: &str, rest: &[&str]) {
    let path = |name: &str| data.join(name).to_str().unwrap().to_owned();
    let (qrels, run) = (path(qrels), path(run));
    folder.run(&[&["import", "trec", "--qrels", &qrels, "--run", &run, "--out", "."], rest].concat()).exits(0);
}

/// Ids by the change of the last run.
fn changes(folder: &Folder) -> BTreeMap<String, BTreeSet<String>> {
    let mut out: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (id, r) in folder.results() {
        out.entry(r["change"].as_str().unwrap().to_owned()).or_default().insert(id);
    }
    out
}

#[test]
fn from_bm25_to_e5_exactly_the_right_questions_change_at_five() {
    let Some(data) = data_kit::folder("c_xquad_runs") else { return };
    for (lang, fixed, regressed) in [("en", 6, 1), ("vi", 6, 4)] {
        let (bm25, e5) = (Folder::new(), Folder::new());
        let rest = ["--suite", "xq", "--language", lang, "--top-k", "5"];
        let qrels = format!("qrels.{lang}.txt");
        import(&bm25, &data, &qrels, &format!("run.bm25.{lang}.txt"), &rest);
        import(&e5, &data, &qrels, &format!("run.e5.{lang}.txt"), &rest);
        bm25.run(&["run"]).exits(2);
        bm25.run(&["accept", "--first", "--reason", "BM25"]).exits(0);
        bm25.run(&["run"]).exits(0);
        bm25.write("e5.jsonl", e5.read("responses.jsonl").as_bytes());
        let ran = bm25.run(&["run", "--answers", "e5.jsonl"]).exits(1);

        let of = |system: &str| trec_eval(&data.join(format!("out.{system}.{lang}.txt")));
        let (was, now) = (of("bm25"), of("e5"));
        let hit = |side: &BTreeMap<String, BTreeMap<String, f64>>, id: &str| side[id]["success_5"] > 0.5;
        let ids = || was.keys().filter(|id| *id != "all");
        let pick = |from: bool, to: bool| -> BTreeSet<String> {
            ids().filter(|id| hit(&was, id) == from && hit(&now, id) == to).cloned().collect()
        };
        let expected: BTreeMap<String, BTreeSet<String>> = [
            ("fixed", pick(false, true)),
            ("regressed", pick(true, false)),
            ("still_failing", pick(false, false)),
            ("unchanged", pick(true, true)),
        ]
        .into_iter()
        .filter(|(_, ids)| !ids.is_empty())
        .map(|(change, ids)| (change.to_owned(), ids))
        .collect();
        assert_eq!(changes(&bm25), expected, "{lang}");
        assert_eq!((expected["fixed"].len(), expected["regressed"].len()), (fixed, regressed), "{lang}");
        for id in &expected["regressed"] {
            assert!(ran.out.contains(&format!("xq::{id}  regressed")), "{lang} {id}\n{}", ran.out);
        }

        // And every figure of every question, to the four digits that trec_eval prints.
        for (id, r) in bm25.results() {
            let metrics = &r["layers"]["retrieval"]["metrics"];
            for (ours, theirs) in [("hit@5", "success_5"), ("rr", "recip_rank"), ("ndcg@10", "ndcg_cut_10")] {
                let (a, b) = (metrics[ours].as_f64().unwrap(), now[&id][theirs]);
                assert!((a - b).abs() < 6e-5, "{lang} {id} {ours}: {a}, trec_eval {b}");
            }
        }
        let mean = |metric: &str| {
            let results = bm25.results();
            let sum: f64 =
                results.values().map(|r| r["layers"]["retrieval"]["metrics"][metric].as_f64().unwrap()).sum();
            sum / results.len() as f64
        };
        let shared = [("hit@1", "success_1"), ("hit@5", "success_5"), ("hit@10", "success_10"), ("p@5", "P_5")];
        let ranked = [("r@5", "recall_5"), ("r@10", "recall_10"), ("ap", "map"), ("rr", "recip_rank")];
        for (ours, theirs) in shared.into_iter().chain(ranked).chain([("ndcg@10", "ndcg_cut_10")]) {
            let (a, b) = (mean(ours), now["all"][theirs]);
            assert!((a - b).abs() < 6e-5, "{lang} mean {ours}: {a}, trec_eval {b}");
        }
    }
}

/// 3 topics with 500 ranked documents each and graded judgements.
#[test]
fn the_figures_of_trec_evals_own_test_are_its_figures() {
    let Some(data) = data_kit::folder("c_trec_eval") else { return };
    let data = data.join("test");
    let folder = Folder::new();
    import(&folder, &data, "qrels.test", "results.test", &[]);
    folder.run(&["run"]).exits(2);
    let theirs = trec_eval(&data.join("out.test.aq"));
    let results = folder.results();
    assert_eq!(results.len(), theirs.keys().filter(|t| *t != "all").count());
    let mut shared: Vec<(String, String)> = vec![("ap".into(), "map".into()), ("rr".into(), "recip_rank".into())];
    for k in [1, 5, 10, 500] {
        let pairs = [("hit", "success"), ("p", "P"), ("r", "recall"), ("ndcg", "ndcg_cut")];
        shared.extend(pairs.map(|(a, b)| (format!("{a}@{k}"), format!("{b}_{k}"))));
    }
    let mut compared = BTreeSet::new();
    for (id, r) in &results {
        assert!(matches!(outcome(r, "retrieval"), "pass" | "fail"), "{id}");
        for (ours, name) in &shared {
            let metrics = &r["layers"]["retrieval"]["metrics"];
            if let (Some(a), Some(b)) = (metrics[ours].as_f64(), theirs[id].get(name)) {
                assert!((a - b).abs() < 6e-5, "topic {id} {ours}: {a}, trec_eval {b}");
                compared.insert(ours.as_str());
            }
        }
    }
    let known = ["ap", "rr", "hit@1", "hit@5", "hit@10", "p@5", "p@10", "r@5", "r@10", "ndcg@5", "ndcg@10", "ndcg@500"];
    for metric in known {
        assert!(compared.contains(metric), "{metric} was not compared: {compared:?}");
    }
    // The known-right means of that test.
    let mean = |metric: &str| {
        let of = |r: &serde_json::Value| r["layers"]["retrieval"]["metrics"][metric].as_f64().unwrap();
        results.values().map(of).sum::<f64>() / results.len() as f64
    };
    let right =
        [("ap", 0.1785), ("rr", 0.4064), ("p@5", 0.2667), ("r@10", 0.0317), ("ndcg@10", 0.3016), ("hit@1", 0.3333)];
    for (metric, value) in right {
        assert!((mean(metric) - value).abs() < 6e-5, "{metric}: {}, not {value}", mean(metric));
    }
}
