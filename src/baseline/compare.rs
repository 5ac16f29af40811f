//! The state table: what an outcome means against what was accepted.

use super::file::{Entry, LayerBase};
use crate::core::Change;
use crate::layer::{LayerId, Outcome};
use jiff::civil::Date;

/// How the failures of an entry are read today.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Fail means an accepted failure.
    Plain,
    /// The date until which failures were accepted has passed.
    Expired,
    /// The question is known to be flaky, and not in which layers.
    Flaky,
    /// The question is quarantined: no outcome of it is held against anything.
    Quarantined,
    /// Its quarantine is over: every failure counts.
    Released,
}

impl Standing {
    /// The standing of an entry on a day. The last day of `until` still counts.
    pub fn of(entry: &Entry, today: Date) -> Standing {
        let over = entry.until.is_some_and(|d| d < today);
        if entry.quarantined {
            if over { Standing::Released } else { Standing::Quarantined }
        } else if entry.flaky && !entry.names_what_varies() {
            Standing::Flaky
        } else if over {
            Standing::Expired
        } else {
            Standing::Plain
        }
    }
}

/// One cell of the table: the change of a layer with the same expectations under the same measure. `now` is never
/// undecided here: that takes repeated runs.
///
/// A skip against an accepted pass is a note for numbers and citation, whose subject may be gone from a good answer; for
/// retrieval, facts and refusal it means that something that was measured no longer is.
pub fn layer_change(layer: LayerId, base: Option<LayerBase>, standing: Standing, now: Outcome) -> Change {
    use Outcome::{Fail, Pass, Skipped, Unmeasured};
    let Some(base) = base else {
        return match now {
            Pass => Change::NewPass,
            Fail => Change::NewFail,
            Unmeasured => Change::Unmeasured,
            Skipped(_) => Change::Observed,
        };
    };
    if now == Unmeasured {
        return Change::Unmeasured;
    }
    match (base, standing) {
        (_, Standing::Quarantined) => Change::Flaky,
        (_, Standing::Released) if now == Fail => Change::Expired,
        (LayerBase::Mixed(_), _) | (LayerBase::Pass | LayerBase::Fail, Standing::Flaky) => Change::Flaky,
        (LayerBase::Pass, Standing::Plain | Standing::Expired | Standing::Released) => match now {
            Pass => Change::Unchanged,
            Fail => Change::Regressed,
            Skipped(_) => match layer {
                LayerId::Retrieval | LayerId::Facts | LayerId::Refusal => Change::Unmeasured,
                LayerId::Numbers | LayerId::Citation => Change::Unchanged,
            },
            Unmeasured => Change::Unmeasured,
        },
        (LayerBase::Fail, Standing::Plain | Standing::Expired | Standing::Released) => match now {
            Pass => Change::Fixed,
            Fail | Skipped(_) => match standing {
                Standing::Expired => Change::Expired,
                Standing::Plain | Standing::Flaky | Standing::Quarantined | Standing::Released => Change::StillFailing,
            },
            Unmeasured => Change::Unmeasured,
        },
        (LayerBase::Skipped, _) => match now {
            Pass | Skipped(_) => Change::Unchanged,
            Fail => Change::Regressed,
            Unmeasured => Change::Unmeasured,
        },
    }
}

/// The worst of the changes of a question's layers: the order of `Change::ALL`, then a layer that was only observed.
pub fn worst(changes: impl Iterator<Item = Change>) -> Change {
    changes.min_by_key(|c| Change::ALL.iter().position(|a| a == c)).unwrap_or(Change::Observed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::baseline::file::Floor;
    use crate::layer::Skip;

    #[test]
    fn every_cell_of_the_table() {
        use Change::*;
        let now = [Outcome::Pass, Outcome::Fail, Outcome::Unmeasured, Outcome::Skipped(Skip::NotApplicable)];
        let mixed = LayerBase::Mixed(Floor { passes: 3, runs: 5 });
        let table: [(Option<LayerBase>, Standing, [Change; 4]); 10] = [
            (Some(LayerBase::Pass), Standing::Quarantined, [Flaky, Flaky, Change::Unmeasured, Flaky]),
            (Some(LayerBase::Pass), Standing::Released, [Unchanged, Expired, Change::Unmeasured, Unchanged]),
            (Some(LayerBase::Fail), Standing::Released, [Fixed, Expired, Change::Unmeasured, StillFailing]),
            (Some(mixed), Standing::Plain, [Flaky, Flaky, Change::Unmeasured, Flaky]),
            (Some(LayerBase::Pass), Standing::Plain, [Unchanged, Regressed, Change::Unmeasured, Unchanged]),
            (Some(LayerBase::Fail), Standing::Plain, [Fixed, StillFailing, Change::Unmeasured, StillFailing]),
            (Some(LayerBase::Fail), Standing::Expired, [Fixed, Expired, Change::Unmeasured, Expired]),
            (Some(LayerBase::Fail), Standing::Flaky, [Flaky, Flaky, Change::Unmeasured, Flaky]),
            (Some(LayerBase::Skipped), Standing::Plain, [Unchanged, Regressed, Change::Unmeasured, Unchanged]),
            (None, Standing::Plain, [NewPass, NewFail, Change::Unmeasured, Observed]),
        ];
        for (base, standing, want) in table {
            for (n, w) in now.into_iter().zip(want) {
                assert_eq!(layer_change(LayerId::Numbers, base, standing, n), w, "{base:?} {standing:?} {n:?}");
            }
        }
        for layer in [LayerId::Retrieval, LayerId::Facts, LayerId::Refusal] {
            let c = layer_change(layer, Some(LayerBase::Pass), Standing::Plain, Outcome::Skipped(Skip::NotObserved));
            assert_eq!(c, Change::Unmeasured);
        }
    }

    #[test]
    fn one_more_failing_layer_is_a_regression() {
        assert_eq!(worst([Change::StillFailing, Change::Regressed, Change::Unchanged].into_iter()), Change::Regressed);
        assert_eq!(worst([Change::Observed, Change::Unchanged].into_iter()), Change::Unchanged);
        assert_eq!(worst([Change::Unmeasured, Change::NewFail].into_iter()), Change::NewFail);
    }
}
