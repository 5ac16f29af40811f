//! How often each layer errs, by the labels on the answers of a run.
//!
//! A fault is the positive: precision is the share of a layer's faults that people see too, recall the share of people's
//! faults that the layer finds.

use super::Label;
use crate::drive::told::Told;
use crate::layer::{LayerId, LayerMap};
use crate::stats::Agreement;
use std::collections::HashMap;

/// A layer against its labels.
#[derive(Debug, Clone, Default)]
pub struct Measured {
    /// The rule as the first judge, people as the second; a fault is the yes.
    pub table: Agreement,
    /// Where they differ.
    pub disagreements: Vec<Disagreement>,
    /// Labels on answers that the layer did not judge: skipped, unmeasured.
    pub not_judged: usize,
}

/// A label that differs from the rule.
#[derive(Debug, Clone)]
pub struct Disagreement {
    /// `suite::id`.
    pub name: String,
    /// What was asked.
    pub question: String,
    /// The outcome by the rule.
    pub rule: String,
    /// The rule's first finding.
    pub finding: Option<String>,
    /// The label.
    pub label: Label,
}

/// The labels of some suites against a run.
#[derive(Debug, Default)]
pub struct Report {
    /// By layer.
    pub layers: LayerMap<Measured>,
    /// Labels on an answer that is another one now: suite and label.
    pub stale: Vec<(String, Label)>,
    /// Labels on questions that the run does not hold.
    pub absent: Vec<(String, Label)>,
    /// Labels behind which a later one stands, on the same layer of the same answer.
    pub replaced: usize,
}

/// Compares the labels of suites, each with its name, with what a run says.
pub fn measure(labels: &[(String, Vec<Label>)], run: &[Told]) -> Report {
    let by_name: HashMap<(&str, &str), &Told> = run.iter().map(|j| ((j.suite.as_str(), j.id.as_str()), j)).collect();
    let mut report = Report::default();
    for (suite, labels) in labels {
        let mut latest: HashMap<(&str, LayerId), &Label> = HashMap::new();
        for label in labels {
            let Some(judged) = by_name.get(&(suite.as_str(), label.id.as_str())) else {
                report.absent.push((suite.clone(), label.clone()));
                continue;
            };
            if !judged.answer.as_deref().is_some_and(|a| label.is_about(a)) {
                report.stale.push((suite.clone(), label.clone()));
                continue;
            }
            // Somebody changed their mind.
            if latest.insert((label.id.as_str(), label.layer), label).is_some() {
                report.replaced += 1;
            }
        }
        let mut kept: Vec<&Label> = latest.into_values().collect();
        kept.sort_by_key(|l| l.line);
        for label in kept {
            if let Some(judged) = by_name.get(&(suite.as_str(), label.id.as_str())) {
                count(&mut report.layers[label.layer], judged, label);
            }
        }
    }
    report
}

fn count(measured: &mut Measured, judged: &Told, label: &Label) {
    let found = judged.layer(label.layer);
    let rule = found.map_or("skipped", |l| l.outcome.as_str());
    let finding = found.and_then(|l| l.finding.as_ref()).map(|(_, message)| message.clone());
    let fault = match rule {
        "pass" => false,
        "fail" => true,
        _ => {
            measured.not_judged += 1;
            return;
        }
    };
    measured.table.add(fault, !label.pass);
    if fault == label.pass {
        measured.disagreements.push(Disagreement {
            name: format!("{}::{}", judged.suite, judged.id),
            question: judged.question.clone(),
            rule: rule.to_owned(),
            finding: finding.filter(|_| fault),
            label: label.clone(),
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::Seen;
    use super::*;
    use crate::drive::told::LayerTold;

    fn label(id: &str, pass: bool, answer: &str, line: u32) -> Label {
        let answer = Seen::Text(answer.to_owned());
        Label { id: id.into(), layer: LayerId::Facts, pass, because: "x".into(), by: None, at: None, answer, line }
    }

    fn judged(id: &str, outcome: &str) -> Told {
        let finding = Some(("fact-missing".to_owned(), "why".to_owned()));
        Told {
            suite: "s".into(),
            id: id.into(),
            answer: Some("a".into()),
            layers: vec![LayerTold { layer: "facts".into(), outcome: outcome.into(), finding }],
            ..Told::default()
        }
    }

    #[test]
    fn labels_are_counted_once_and_stale_ones_apart() {
        let run = [judged("a", "fail"), judged("b", "fail"), judged("c", "pass"), judged("d", "skipped")];
        let labels = vec![
            label("a", true, "a", 1),
            label("a", false, "a", 2),
            label("b", true, "a", 3),
            label("c", true, "other", 4),
            label("c", false, "a", 5),
            label("d", true, "a", 6),
            label("e", true, "a", 7),
        ];
        let report = measure(&[("s".to_owned(), labels)], &run);
        let facts = &report.layers[LayerId::Facts];
        assert_eq!(facts.table, Agreement { both: 1, first: 1, second: 1, neither: 0 });
        let differ: Vec<&str> = facts.disagreements.iter().map(|d| d.name.as_str()).collect();
        assert_eq!(differ, ["s::b", "s::c"]);
        assert_eq!((report.stale.len(), report.absent.len(), report.replaced, facts.not_judged), (1, 1, 1, 1));
    }
}
