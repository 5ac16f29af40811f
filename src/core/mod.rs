//! The core: a pure state machine. It says what it wants to know next ([`Ask`](machine::Ask)), makes of each reply what the
//! layers, the baseline and the gate make of it, and, when nothing is left to ask, decides. It knows no clock, network,
//! environment or chance.

pub mod again;
mod blank;
pub mod event;
pub mod examine;
pub mod machine;
pub mod measure;
pub mod plan;
pub mod state;

pub use event::{Event, LayerReport, QuestionReport, RunHeader, SuiteHeader};
pub use state::{Change, Verdict};
