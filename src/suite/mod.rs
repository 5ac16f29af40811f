//! Golden sets: the model of a suite, how its files are read, selected from and examined for soundness.

pub mod config;
pub mod corpus;
pub mod digest;
pub mod edit;
pub mod lint;
pub mod load;
pub mod model;
pub mod node;
pub mod schema;
pub mod select;
mod words;
pub mod write;
pub mod yaml;

pub use model::{
    CitationPolicy, Evidence, EvidenceItem, Expect, Fact, FactForm, LayerSetting, Level, Looking, Need, Negation,
    NumberOp, NumbersGrant, Question, QuestionId, Severity, Suite, Support,
};
