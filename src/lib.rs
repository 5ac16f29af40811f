//! ragline runs golden questions against a RAG system, checks each answer layer by layer, compares the outcome with a
//! baseline that is committed beside the questions, and decides: merge, or stop.
//!
//! The crate is built in rooms:
//!
//! * [`suite`]: golden sets and the files around them (what is asked, what is expected);
//! * [`target`]: ways to ask a RAG system, and the one shape of its answers;
//! * [`text`]: normal forms, sentences, words, language packs;
//! * [`layer`]: one check per layer, each a function of its arguments;
//! * [`diagnose`]: the first layer at fault;
//! * [`core`]: the state machine that says what it wants to know next, and what it makes of it;
//! * [`drive`]: the effects of a run: answers what the core asks and keeps the journal;
//! * [`baseline`], [`gate`]: what was accepted, what changed, and whether that blocks;
//! * [`report`]: readers of the events of a run;
//! * [`import`]: other tools' files, and sheets of questions;
//! * [`suggest`]: facts from model answers;
//! * [`mod@evidence`]: whether the evidence of suites still stands in the corpus;
//! * [`mod@compare`]: several configurations side by side; [`mod@diff`]: two runs, question by question;
//! * [`power`]: what a suite of so many questions can see;
//! * [`advisory`]: what became of what would have blocked;
//! * [`confirm`]: whether a question changed, or only varies;
//! * [`loosened`]: what a branch changes of what decides;
//! * [`judge`]: what a language model is asked where no rule decides, and what its word is worth;
//! * [`labels`]: what people say of answers, and how often the rules err by it;
//! * [`harness`]: the same verdicts as `cargo test --test rag_suite`.

pub mod advisory;
pub mod baseline;
pub mod compare;
pub mod confirm;
pub mod core;
pub mod diagnose;
pub mod diff;
pub mod digest;
pub mod drive;
pub mod evidence;
pub mod gate;
pub mod harness;
pub mod history;
pub mod import;
pub mod inspect;
pub mod judge;
pub mod labels;
pub mod layer;
pub mod loosened;
pub mod power;
pub mod privacy;
pub mod problem;
pub mod report;
pub mod review;
pub mod secret;
pub mod start;
pub mod stats;
pub mod suggest;
pub mod suite;
pub mod target;
pub mod text;

/// The version of this crate, as reports print it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
