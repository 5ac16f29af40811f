//! The layers: each is one pure check of one answer, and all have the same shape.
//!
//! A layer reads an [`Exam`] and the [`Reading`] of the answer that all layers share, and returns a [`LayerResult`].
//! What could not be measured is [`Outcome::Unmeasured`], never a pass and never a zero.

pub mod address;
pub mod citation;
pub mod exam;
pub mod facts;
pub mod finding;
pub mod numbers;
pub mod refusal;
pub mod retrieval;

pub use exam::{Exam, Provides, Reading, says_nothing};
pub use finding::{Code, Finding, Weight};

use std::fmt;
use std::ops::{Index, IndexMut};

/// The layers in the order in which they are reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LayerId {
    /// Is the evidence among the passages in the prompt?
    Retrieval,
    /// Does the answer state the required facts?
    Facts,
    /// Does it refuse when it should, and only then?
    Refusal,
    /// Is each number of the answer grounded?
    Numbers,
    /// Do the citations resolve, and to the evidence?
    Citation,
}

impl LayerId {
    /// All layers, in report order.
    pub const ALL: [LayerId; 5] =
        [LayerId::Retrieval, LayerId::Facts, LayerId::Refusal, LayerId::Numbers, LayerId::Citation];

    /// The name, as files and reports write it.
    pub fn name(self) -> &'static str {
        match self {
            LayerId::Retrieval => "retrieval",
            LayerId::Facts => "facts",
            LayerId::Refusal => "refusal",
            LayerId::Numbers => "numbers",
            LayerId::Citation => "citation",
        }
    }

    /// The layer of that name.
    pub fn parse(name: &str) -> Option<Self> {
        LayerId::ALL.into_iter().find(|l| l.name() == name)
    }
}

impl fmt::Display for LayerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// One value per layer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LayerMap<T>(pub [T; 5]);

impl<T> LayerMap<T> {
    /// A map filled by a function.
    pub fn from_fn(mut f: impl FnMut(LayerId) -> T) -> Self {
        LayerMap(LayerId::ALL.map(&mut f))
    }

    /// Layers with their values, in report order.
    pub fn iter(&self) -> impl Iterator<Item = (LayerId, &T)> {
        LayerId::ALL.into_iter().zip(&self.0)
    }
}

impl<T> Index<LayerId> for LayerMap<T> {
    type Output = T;
    fn index(&self, layer: LayerId) -> &T {
        &self.0[layer as usize]
    }
}

impl<T> IndexMut<LayerId> for LayerMap<T> {
    fn index_mut(&mut self, layer: LayerId) -> &mut T {
        &mut self.0[layer as usize]
    }
}

/// Why a layer was not checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skip {
    /// Nothing to check: no evidence given, no number in the answer, a refusal needs no citation.
    NotApplicable,
    /// Switched off for this question.
    Off,
    /// The target declares that it does not return what the layer needs.
    NotObserved,
}

impl Skip {
    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Skip::NotApplicable => "not_applicable",
            Skip::Off => "off",
            Skip::NotObserved => "not_observed",
        }
    }
}

/// The outcome of one layer for one question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outcome {
    /// Checked and right.
    Pass,
    /// Checked and wrong.
    Fail,
    /// Should have been measured and was not; the findings say why.
    Unmeasured,
    /// Not checked, for a stated reason.
    Skipped(Skip),
}

impl Outcome {
    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Unmeasured => "unmeasured",
            Outcome::Skipped(_) => "skipped",
        }
    }
}

/// What one layer found.
#[derive(Debug, Clone)]
pub struct LayerResult {
    /// Pass, fail, unmeasured or skipped.
    pub outcome: Outcome,
    /// Reasons, the gravest first.
    pub findings: Vec<Finding>,
    /// What only this layer knows.
    pub detail: Detail,
}

impl LayerResult {
    /// A result without findings or detail.
    pub fn plain(outcome: Outcome) -> Self {
        LayerResult { outcome, findings: Vec::new(), detail: Detail::None }
    }

    /// Skipped, with the reason.
    pub fn skipped(why: Skip) -> Self {
        LayerResult::plain(Outcome::Skipped(why))
    }

    /// Unmeasured, with the reason.
    pub fn unmeasured(finding: Finding) -> Self {
        LayerResult { outcome: Outcome::Unmeasured, findings: vec![finding], detail: Detail::None }
    }
}

/// What only one layer knows.
#[derive(Debug, Clone)]
pub enum Detail {
    /// Nothing.
    None,
    /// Ranks and metrics.
    Retrieval(Box<retrieval::RetrievalDetail>),
    /// Each fact's verdict.
    Facts(Vec<facts::FactVerdict>),
    /// The label and the pattern that gave it.
    Refusal(refusal::RefusalDetail),
    /// Each number of the answer with its status.
    Numbers(Vec<numbers::NumberVerdict>),
    /// Each citation and where it leads.
    Citation(citation::CitationDetail),
}

/// Checks all five layers of one answer, in report order. A layer that is switched off for the question is not run.
pub fn check_all(exam: &Exam<'_>) -> LayerMap<LayerResult> {
    let mut reading = Reading::new(exam);
    LayerMap::from_fn(|layer| {
        if exam.question.setting(layer) == crate::suite::LayerSetting::Off {
            return LayerResult::skipped(Skip::Off);
        }
        match layer {
            LayerId::Retrieval => {
                let result = retrieval::check(exam);
                if let Detail::Retrieval(detail) = &result.detail {
                    reading.holders = Some(detail.holders.clone());
                }
                result
            }
            LayerId::Facts => facts::check(exam, &reading),
            LayerId::Refusal => refusal::check(exam, &reading),
            LayerId::Numbers => numbers::check(exam, &reading),
            LayerId::Citation => citation::check(exam, &reading),
        }
    })
}
