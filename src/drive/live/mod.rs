//! Targets that are asked anew: attempts within budgets ([`attempt`]), the manners of a host ([`host`]), and the lane that
//! opens a target, asks it all its questions and closes it ([`lane`]); or calls that follow from each other ([`calls`]).

mod attempt;
pub(super) mod calls;
mod host;
pub(super) mod lane;

pub use attempt::Attempt;
pub(super) use attempt::masked;

use std::time::Duration;
use tokio::time::Instant;

/// So long after this moment; a length that no clock can hold is as good as for ever.
fn later(from: Instant, by: Duration) -> Instant {
    const YEARS: Duration = Duration::from_secs(30 * 365 * 24 * 60 * 60);
    from.checked_add(by.min(YEARS)).unwrap_or(from)
}
