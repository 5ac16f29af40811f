//! What several runs of a question make of what is accepted: how each layer is written, and how often it was seen so.

use super::file::{Floor, LayerBase};
use crate::core::event::LayerRuns;
use crate::layer::LayerMap;
use crate::stats::Rate;

/// The runs of a question, passes of measured ones.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    /// Its first runs; none where there was one run alone.
    pub(crate) first: Option<Rate>,
    /// Those that were asked anew.
    pub(crate) fresh: Option<Rate>,
    /// Both of each layer.
    pub(crate) layers: LayerMap<LayerRuns>,
}

/// What they make of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Stability {
    /// Of a question that passes at some times and fails at others: how often it did.
    pub(crate) floor: Option<Floor>,
    /// Of any other: how many runs came out alike in every layer, from 2 on.
    pub(crate) runs: Option<u32>,
}

fn is_mixed(runs: Rate) -> bool {
    0 < runs.hits && runs.hits < runs.n
}

fn floor(runs: Rate) -> Floor {
    let count = |n: u64| u32::try_from(n).unwrap_or(u32::MAX);
    Floor { passes: count(runs.hits), runs: count(runs.n) }
}

/// A layer that came out alike in all of its runs; nothing where it never passed or failed.
fn alike(runs: Rate) -> Option<LayerBase> {
    (runs.n > 0).then_some(if runs.hits == 0 { LayerBase::Fail } else { LayerBase::Pass })
}

impl Stability {
    /// Writes each layer as all of its runs say, and not as the one that is told of.
    ///
    /// A question whose first runs were mixed is flaky: its mixed layers with their share, the others with what they were in
    /// every run, so that they can still regress. A question that never passes is a known failure in each layer that ever
    /// failed: it may fail in another layer each time, and a layer that is known to fail at times is not called regressed
    /// for it. `runs` speaks for all layers, so it is written only where every one came out alike.
    pub(crate) fn of(seen: Seen, layers: &mut LayerMap<Option<LayerBase>>) -> Stability {
        let Some(first) = seen.first.filter(|f| f.n > 0) else { return Stability::default() };
        if is_mixed(first) {
            for (base, runs) in layers.0.iter_mut().zip(&seen.layers.0).filter(|(b, _)| b.is_some()) {
                let share = is_mixed(runs.first).then(|| LayerBase::Mixed(floor(runs.first)));
                *base = share.or_else(|| alike(runs.first)).or(*base);
            }
            return Stability { floor: Some(floor(first)), runs: None };
        }
        let both = |first: Rate, fresh: Rate| Rate::new(first.hits + fresh.hits, first.n + fresh.n);
        let all = both(first, seen.fresh.unwrap_or_default());
        if is_mixed(all) {
            return Stability::default();
        }
        let mut every = true;
        for (base, runs) in layers.0.iter_mut().zip(&seen.layers.0).filter(|(b, _)| b.is_some()) {
            let runs = both(runs.first, runs.fresh);
            // In a question that passes every time only a layer that warns can be mixed: it is written as it was told.
            if all.hits == 0 && is_mixed(runs) {
                (*base, every) = (Some(LayerBase::Fail), false);
            }
        }
        Stability { floor: None, runs: Some(floor(all).runs).filter(|n| every && *n >= 2) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::LayerId::{Facts, Numbers, Refusal, Retrieval};

    fn of(first: (u64, u64), fresh: (u64, u64), runs: [(u64, u64); 3]) -> (Stability, [Option<LayerBase>; 3]) {
        let rate = |(hits, n)| Rate::new(hits, n);
        let mut seen = Seen {
            first: Some(rate(first)),
            fresh: Some(rate(fresh)).filter(|f| f.n > 0),
            layers: LayerMap::default(),
        };
        let mut layers = LayerMap::default();
        for (l, n) in [Retrieval, Facts, Refusal].into_iter().zip(runs) {
            seen.layers[l].first = rate(n);
            layers[l] = Some(LayerBase::Pass);
        }
        layers[Numbers] = Some(LayerBase::Skipped);
        let stability = Stability::of(seen, &mut layers);
        assert_eq!(layers[Numbers], Some(LayerBase::Skipped), "nothing was counted there");
        (stability, [layers[Retrieval], layers[Facts], layers[Refusal]])
    }

    const PASS: Option<LayerBase> = Some(LayerBase::Pass);
    const FAIL: Option<LayerBase> = Some(LayerBase::Fail);

    fn mixed(passes: u32, runs: u32) -> Option<LayerBase> {
        Some(LayerBase::Mixed(Floor { passes, runs }))
    }

    #[test]
    fn a_question_that_fails_in_another_layer_each_time_is_a_failure_in_each() {
        let (stability, layers) = of((0, 5), (0, 0), [(2, 5), (3, 5), (5, 5)]);
        assert_eq!((stability, layers), (Stability::default(), [FAIL, FAIL, PASS]));
        // In the same layer every time: all of it is known from five runs.
        let (stability, layers) = of((0, 5), (0, 0), [(5, 5), (0, 5), (5, 5)]);
        assert_eq!((stability.runs, layers), (Some(5), [PASS, PASS, PASS]), "the run that is told of says which fails");
    }

    #[test]
    fn a_mixed_question_is_flaky_in_its_mixed_layers_alone() {
        let (stability, layers) = of((3, 5), (0, 0), [(5, 5), (3, 5), (5, 5)]);
        assert_eq!(stability, Stability { floor: Some(Floor { passes: 3, runs: 5 }), runs: None });
        assert_eq!(layers, [PASS, mixed(3, 5), PASS]);
    }

    #[test]
    fn what_did_not_come_out_alike_in_every_run_is_known_from_none() {
        assert_eq!(of((1, 1), (10, 10), [(1, 1); 3]).0.runs, Some(11));
        assert_eq!(of((0, 5), (3, 10), [(0, 5); 3]).0, Stability::default());
    }
}
