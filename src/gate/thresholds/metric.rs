//! The means that a threshold can name.

use crate::layer::LayerId;
use std::fmt;

/// A mean that a run computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Metric {
    /// `LAYER.rate`: the share of questions that pass, of those that pass or fail.
    Rate(LayerId),
    /// `retrieval.hit@K`: evidence among the first K.
    Hit(usize),
    /// `retrieval.p@K`: precision.
    Precision(usize),
    /// `retrieval.r@K`: recall.
    Recall(usize),
    /// `retrieval.ndcg@K`.
    Ndcg(usize),
    /// `retrieval.rr`: reciprocal rank.
    ReciprocalRank,
    /// `retrieval.ap`: average precision.
    AveragePrecision,
    /// `refusal.recall`: the share of questions out of the corpus that are refused.
    RefusalRecall,
    /// `refusal.false_rate`: the share of answerable questions that are refused; low is good.
    FalseRefusalRate,
}

impl Metric {
    /// The names, as `thresholds.toml` writes them; K stands for a cut-off.
    pub const NAMES: [&'static str; 13] = [
        "retrieval.rate",
        "facts.rate",
        "refusal.rate",
        "numbers.rate",
        "citation.rate",
        "retrieval.hit@K",
        "retrieval.p@K",
        "retrieval.r@K",
        "retrieval.ndcg@K",
        "retrieval.rr",
        "retrieval.ap",
        "refusal.recall",
        "refusal.false_rate",
    ];

    /// The metric of a name.
    pub fn parse(name: &str) -> Option<Self> {
        let (layer, what) = name.split_once('.')?;
        let layer = LayerId::parse(layer)?;
        if what == "rate" {
            return Some(Metric::Rate(layer));
        }
        match layer {
            LayerId::Retrieval => match what.split_once('@') {
                None => match what {
                    "rr" => Some(Metric::ReciprocalRank),
                    "ap" => Some(Metric::AveragePrecision),
                    _ => None,
                },
                Some((kind, k)) => {
                    let plain = !k.starts_with('0') && k.bytes().all(|b| b.is_ascii_digit());
                    let k: usize = k.parse().ok().filter(|_| plain)?;
                    match kind {
                        "hit" => Some(Metric::Hit(k)),
                        "p" => Some(Metric::Precision(k)),
                        "r" => Some(Metric::Recall(k)),
                        "ndcg" => Some(Metric::Ndcg(k)),
                        _ => None,
                    }
                }
            },
            LayerId::Refusal => match what {
                "recall" => Some(Metric::RefusalRecall),
                "false_rate" => Some(Metric::FalseRefusalRate),
                _ => None,
            },
            LayerId::Facts | LayerId::Numbers | LayerId::Citation => None,
        }
    }

    /// The layer that it belongs to.
    pub fn layer(self) -> LayerId {
        match self {
            Metric::Rate(layer) => layer,
            Metric::Hit(_)
            | Metric::Precision(_)
            | Metric::Recall(_)
            | Metric::Ndcg(_)
            | Metric::ReciprocalRank
            | Metric::AveragePrecision => LayerId::Retrieval,
            Metric::RefusalRecall | Metric::FalseRefusalRate => LayerId::Refusal,
        }
    }

    /// The name of the metric within its layer, as results write it (`hit@3`, `rr`); none where it is no metric of a
    /// single question.
    pub fn of_question(self) -> Option<String> {
        match self {
            Metric::Hit(k) => Some(format!("hit@{k}")),
            Metric::Precision(k) => Some(format!("p@{k}")),
            Metric::Recall(k) => Some(format!("r@{k}")),
            Metric::Ndcg(k) => Some(format!("ndcg@{k}")),
            Metric::ReciprocalRank => Some("rr".to_owned()),
            Metric::AveragePrecision => Some("ap".to_owned()),
            Metric::Rate(_) | Metric::RefusalRecall | Metric::FalseRefusalRate => None,
        }
    }

    /// The cut-off, where it has one.
    pub fn cut_off(self) -> Option<usize> {
        match self {
            Metric::Hit(k) | Metric::Precision(k) | Metric::Recall(k) | Metric::Ndcg(k) => Some(k),
            Metric::Rate(_)
            | Metric::ReciprocalRank
            | Metric::AveragePrecision
            | Metric::RefusalRecall
            | Metric::FalseRefusalRate => None,
        }
    }
}

impl fmt::Display for Metric {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self {
            Metric::Rate(_) => "rate".to_owned(),
            Metric::RefusalRecall => "recall".to_owned(),
            Metric::FalseRefusalRate => "false_rate".to_owned(),
            Metric::Hit(_)
            | Metric::Precision(_)
            | Metric::Recall(_)
            | Metric::Ndcg(_)
            | Metric::ReciprocalRank
            | Metric::AveragePrecision => self.of_question().unwrap_or_default(),
        };
        f.pad(&format!("{}.{what}", self.layer()))
    }
}
