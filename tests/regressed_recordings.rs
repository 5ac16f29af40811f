//! The recordings with planted faults that a newcomer tries first: a red build, exactly the planted questions changed,
//! each at the planted layer, and each blamed on the right link of the chain.

#![allow(clippy::unwrap_used, reason = "a test may")]

mod shop_kit;

use ragline::core::{Change, Verdict};
use ragline::drive::session::{self, Options};
use ragline::gate::Exit;
use ragline::layer::LayerId;
use shop_kit::{SUITES, accepted, recording, root, there_is_a_shop, today};
use std::collections::BTreeSet;

/// The planted faults: the question, the layer, the first layer at fault as the diagnosis names it.
const PLANTED: [(&str, LayerId, &str); 8] = [
    ("return-window", LayerId::Numbers, "generation: invention"),
    ("refund-card", LayerId::Retrieval, "retrieval"),
    ("warranty-rice-cooker", LayerId::Retrieval, "retrieval"),
    ("express-fee", LayerId::Citation, "citation"),
    ("points-share", LayerId::Citation, "citation"),
    ("gold-return-window", LayerId::Refusal, "generation: over-refusal"),
    ("price-match-amount", LayerId::Facts, "generation: misreading"),
    ("robot-vacuum-price", LayerId::Refusal, "generation: fabrication"),
];

#[test]
fn exactly_the_planted_faults_are_found() {
    if !there_is_a_shop() {
        return;
    }
    for suite in SUITES {
        let language = suite.trim_start_matches("shop-");
        let mut options = Options::new(root(), today());
        let file = root().join(format!("fixtures/shop/regressed.{language}.jsonl"));
        options.answers = Some(ragline::drive::session::Answers::File(file));
        options.keep = false;
        let ready = session::prepare(&options, None, None).unwrap();
        assert!(ready.warnings.0.is_empty(), "{:?}", ready.warnings);
        let finished = ready.run().unwrap().finished;
        assert_eq!(finished.decision.exit, Exit::Closed);
        assert_eq!(finished.reports.len(), 32);
        for report in &finished.reports {
            let id = report.id.as_str();
            match PLANTED.iter().find(|(planted, ..)| *planted == id) {
                Some((_, layer, blamed)) => {
                    assert_eq!(report.change, Change::Regressed, "{language} {id}");
                    assert_eq!(report.verdict, Verdict::Failed, "{language} {id}");
                    assert_eq!(report.layers[*layer].change, Change::Regressed, "{language} {id} {layer}");
                    assert_eq!(report.diagnosis.as_ref().unwrap().layer, *blamed, "{language} {id}");
                }
                None => {
                    let quiet = matches!(report.change, Change::Unchanged | Change::StillFailing);
                    assert!(quiet, "{language} {id}: {}", report.change);
                    let passes = matches!(report.verdict, Verdict::Passed | Verdict::Skipped(_));
                    assert!(passes, "{language} {id}: {:?}", report.verdict);
                }
            }
        }
    }
}

#[test]
fn the_planted_faults_cover_every_layer() {
    let layers: BTreeSet<LayerId> = PLANTED.iter().map(|(_, layer, _)| *layer).collect();
    assert_eq!(layers.len(), LayerId::ALL.len());
}

/// Nothing but the planted lines differs from the accepted answers, so nothing else can be at fault.
#[test]
fn only_the_planted_answers_differ_from_the_accepted_ones() {
    if !there_is_a_shop() {
        return;
    }
    for suite in SUITES {
        let language = suite.trim_start_matches("shop-");
        let good = accepted(suite);
        let bad = recording(&root().join(format!("fixtures/shop/regressed.{language}.jsonl")));
        let differ: BTreeSet<&str> = good.iter().filter(|(id, r)| bad[*id] != **r).map(|(id, _)| id.as_str()).collect();
        assert_eq!(differ, PLANTED.iter().map(|(id, ..)| *id).collect());
    }
}

/// The page beside the recordings tells what was done: one row for each planted fault, under its layer.
#[test]
fn the_readme_lists_the_planted_faults() {
    if !there_is_a_shop() {
        return;
    }
    let page = std::fs::read_to_string(root().join("fixtures/shop/README.md")).unwrap();
    let rows: BTreeSet<(&str, &str)> = page
        .lines()
        .filter_map(|l| l.strip_prefix("| `"))
        .filter_map(|l| {
            let (id, rest) = l.split_once("` | ")?;
            Some((id, rest.split_once(" | ")?.0))
        })
        .collect();
    assert_eq!(rows, PLANTED.iter().map(|(id, layer, _)| (*id, layer.name())).collect());
}
