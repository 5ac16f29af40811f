//! Ways to ask a RAG system, and the one shape of its answers.

pub mod builtin;
pub mod recorded;
pub mod response;
