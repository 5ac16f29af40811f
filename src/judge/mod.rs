//! Judged metrics: what a rule cannot decide, a language model is asked, and its word is checked before it counts.
//!
//! The rooms, from the text to the number:
//!
//! * [`statements`]: an answer as numbered statements, in scripts with and without full stops;
//! * [`fence`], [`prompts`]: how a judge is asked, so that no text which is judged can speak to it;
//! * [`parse`], [`quote`]: what it said, and whether the words that it copied stand where it says;
//! * [`vote`]: several orders of the passages, one verdict;
//! * [`inquest`]: the state machine that says what it wants to ask next, and ends in one verdict a statement;
//! * [`wire`], [`mod@cache`]: calls as an endpoint takes them, and replies that are known already;
//! * [`fingerprint`]: which judge it was;
//! * [`elicit`]: the questions that an answer answers;
//! * [`docket`]: what the metrics of one answer need to ask;
//! * [`metrics`]: from verdicts to values. A value that was not measured is no number;
//! * [`calibrate`], [`twins`]: how far a judge is to be trusted, and what it is measured with.
//!
//! Nothing here knows a network: whoever drives an [`inquest::Inquest`] answers what it asks.

pub mod cache;
pub mod calibrate;
pub mod docket;
pub mod elicit;
#[cfg(feature = "http")]
pub mod endpoint;
pub mod fence;
pub mod fingerprint;
pub mod inquest;
pub mod metrics;
pub mod parse;
pub mod prompts;
pub mod quote;
pub mod reply;
pub mod statements;
pub mod tokens;
pub mod twins;
pub mod verdict;
pub mod vote;
pub mod wire;

pub use verdict::Verdict;
