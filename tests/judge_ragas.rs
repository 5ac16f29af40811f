//! The arithmetic of four metrics against Ragas, on verdicts that were drawn (`scripts/judge-ragas.py` writes the file).
//!
//! Where ragline's definition is another one on purpose, the difference is written down here and checked.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, reason = "a test fails by a panic")]

use ragline::judge::Verdict::{self, No, Yes};
use ragline::judge::metrics::{Generated, answer_relevancy, context_precision, context_recall, faithfulness};
use serde_json::Value;

/// Ragas adds this to the divisor of context precision, so that a perfect list stays below 1.
const ADDED: f64 = 1e-10;

#[test]
fn four_metrics_agree_with_ragas_wherever_its_definition_is_used() {
    let Ok(path) = std::env::var("RAGLINE_RAGAS") else {
        eprintln!(
            "SKIPPED: RAGLINE_RAGAS is not set, no values of Ragas were read (scripts/judge-ragas.py writes them)"
        );
        return;
    };
    let text = std::fs::read_to_string(path).unwrap();
    let mut compared = [0_usize; 4];
    let mut noncommittal_some = 0;
    for line in text.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        let theirs = line["value"].as_f64().unwrap();
        let verdicts: Vec<Verdict> = line["verdicts"]
            .as_array()
            .map(|v| v.iter().map(|x| if x == 1 { Yes } else { No }).collect())
            .unwrap_or_default();
        let (i, ours) = match line["metric"].as_str().unwrap() {
            "faithfulness" => (0, faithfulness(&verdicts, 1).value().unwrap().value().unwrap()),
            "context_recall" => (1, context_recall(&verdicts, 1).value().unwrap().value().unwrap()),
            "context_precision" => {
                let ap = context_precision(&verdicts).value().unwrap().ap;
                let useful = verdicts.iter().filter(|v| **v == Yes).count() as f64;
                (2, ap * useful / (useful + ADDED))
            }
            "answer_relevancy" => {
                let floats =
                    |v: &Value| -> Vec<f64> { v.as_array().unwrap().iter().map(|x| x.as_f64().unwrap()).collect() };
                let flags: Vec<bool> = line["noncommittal"].as_array().unwrap().iter().map(|x| x == 1).collect();
                let vectors = line["vectors"].as_array().unwrap().iter().map(floats);
                let generated: Vec<Option<Generated>> =
                    vectors.zip(&flags).map(|(vector, n)| Some(Generated { vector, noncommittal: *n })).collect();
                let ours = answer_relevancy(&floats(&line["question"]), &generated).value().unwrap();
                // A difference by age: until its version 0.3 Ragas gave 0 when any of the questions was called
                // noncommittal; since then, as here, when all are.
                if flags.contains(&true) && flags.contains(&false) && theirs == 0.0 {
                    noncommittal_some += 1;
                    assert!(ours.abs() > 1e-9);
                    continue;
                }
                (3, ours)
            }
            other => panic!("{other}"),
        };
        assert!((ours - theirs).abs() < 1e-6, "{line}: {ours}");
        compared[i] += 1;
    }
    assert!(compared.iter().all(|n| *n > 0), "{compared:?}");
    eprintln!("compared {compared:?}; noncommittal by the older definition {noncommittal_some}");
}
