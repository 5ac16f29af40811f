//! The gate: the policy, and what it makes of the changes.

pub mod thresholds;
