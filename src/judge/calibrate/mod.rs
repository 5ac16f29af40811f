//! How far a judge is to be trusted.
