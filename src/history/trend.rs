//! How the shares of layers went from run to run, and whether the newest one is another than an earlier one or within noise.

use super::{Line, Share};
use crate::stats::{Rate, fisher};
use std::collections::BTreeMap;

/// A suite asked of one target, in the order of the runs.
#[derive(Debug, PartialEq)]
pub struct Series<'l> {
    /// The suite.
    pub suite: &'l str,
    /// What was asked.
    pub target: &'l str,
    /// A line for each run of the whole suite.
    pub points: Vec<&'l Line>,
    /// Runs that asked a part of it: no points of a trend.
    pub partial: usize,
}

/// What came of a layer since an earlier run.
#[derive(Debug, Clone, PartialEq)]
pub struct Step<'l> {
    /// The layer.
    pub layer: &'l str,
    /// The earlier run.
    pub since: &'l str,
    /// What it came to.
    pub from: Share,
    /// What the newest run came to.
    pub to: Share,
    /// What that is taken for.
    pub verdict: Verdict,
    /// The two-sided p-value, not corrected.
    pub p: f64,
}

/// What a difference is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Lower, by more than noise.
    Fell,
    /// Higher, by more than noise.
    Rose,
    /// No difference is shown.
    Noise,
}

impl Verdict {
    /// The word for it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Fell => "fell",
            Verdict::Rose => "rose",
            Verdict::Noise => "noise",
        }
    }
}

/// The error that all steps of one series may make together: .05.
pub const LEVEL: f64 = 0.05;

impl From<Share> for Rate {
    fn from(s: Share) -> Rate {
        Rate::new(s.pass, s.n)
    }
}

/// The lines of whole runs by their ids, and how many were parts.
type ByRun<'l> = (BTreeMap<&'l str, &'l Line>, usize);

/// The series in some lines, which are in the order of their runs. A run that was made and accepted is one point.
pub fn series(lines: &[Line]) -> Vec<Series<'_>> {
    let mut all: BTreeMap<(&str, &str), ByRun<'_>> = BTreeMap::new();
    for line in lines {
        let (points, partial) = all.entry((&line.suite, &line.target)).or_default();
        if line.partial {
            *partial += 1;
        } else {
            points.entry(&line.run).or_insert(line);
        }
    }
    let mut found = Vec::new();
    for ((suite, target), (points, partial)) in all {
        found.push(Series { suite, target, points: points.into_values().collect(), partial });
    }
    found
}

impl<'l> Series<'l> {
    /// The layers that any point measured, in the order of reports.
    pub fn layers(&self) -> Vec<&'l str> {
        let known = crate::layer::LayerId::ALL.into_iter().map(crate::layer::LayerId::name);
        let mut found: Vec<&str> = self.points.iter().flat_map(|l| l.layers.keys()).map(String::as_str).collect();
        found.sort_by_key(|name| (known.clone().position(|k| k == *name), *name));
        found.dedup();
        found
    }

    /// The newest run against the one before it and against the oldest, as far as they asked the same questions under the same
    /// rules. Fisher's exact test of the two counts; the level is shared by all steps of the series (Bonferroni), so that a
    /// series in which nothing changed is said to have moved at most once in twenty times. The questions are the same in both
    /// runs, which the test does not know: it errs on the side of noise, and `ragline diff` sees more.
    pub fn steps(&self) -> Vec<Step<'l>> {
        let Some((newest, earlier)) = self.points.split_last() else { return Vec::new() };
        let alike: Vec<&&Line> =
            earlier.iter().filter(|l| l.set == newest.set && l.measure == newest.measure).collect();
        let mut since: Vec<&&Line> = alike.last().copied().into_iter().collect();
        since.extend(alike.first().copied().filter(|first| since.iter().all(|s| s.run != first.run)));
        let pairs: Vec<(&'l str, &'l str, Share, Share)> = since
            .into_iter()
            .flat_map(|from| {
                newest.layers.iter().filter_map(move |(layer, to)| {
                    Some((layer.as_str(), from.run.as_str(), *from.layers.get(layer)?, *to))
                })
            })
            .collect();
        let at = LEVEL / pairs.len().max(1) as f64;
        let step = |(layer, since, from, to): &(&'l str, &'l str, Share, Share)| {
            let (lower, higher) = (fisher((*from).into(), (*to).into()), fisher((*to).into(), (*from).into()));
            let p = (2.0 * lower.min(higher)).min(1.0);
            let verdict = match (p <= at, lower < higher) {
                (false, _) => Verdict::Noise,
                (true, true) => Verdict::Fell,
                (true, false) => Verdict::Rose,
            };
            Step { layer, since, from: *from, to: *to, verdict, p }
        };
        pairs.iter().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::tests::accepted;

    fn verdicts(counts: &[(u64, u64)]) -> Vec<Verdict> {
        let lines: Vec<Line> =
            counts.iter().zip(1..).map(|((k, n), run)| accepted(&format!("{run}"), *k, *n)).collect();
        let all = series(&lines);
        let [one] = all.as_slice() else { panic!("{all:?}") };
        one.steps().iter().map(|s| s.verdict).collect()
    }

    #[test]
    fn a_fall_within_noise_is_no_fall() {
        // Two-sided p of 23/27 against 20/27 is .50; of 27/27 against 14/27, .000034.
        assert_eq!(verdicts(&[(23, 27), (20, 27)]), [Verdict::Noise]);
        assert_eq!(verdicts(&[(27, 27), (14, 27)]), [Verdict::Fell]);
        assert_eq!(verdicts(&[(14, 27), (27, 27)]), [Verdict::Rose]);
        // The newest against the one before, then against the oldest.
        assert_eq!(verdicts(&[(27, 27), (20, 27), (16, 27)]), [Verdict::Noise, Verdict::Fell]);
        assert!(verdicts(&[(3, 3)]).is_empty());
    }

    #[test]
    fn nothing_is_said_of_a_series_that_stays_the_same() {
        // Every pair of counts that a suite of 20 with a share of .9 could have: how often each is called a move.
        let choose = |n: u64, k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
        let at = |k: u64| choose(20, k) * 0.9_f64.powi(k as i32) * 0.1_f64.powi(20 - k as i32);
        let mut moved = 0.0;
        for (a, b) in (0..=20).flat_map(|a| (0..=20).map(move |b| (a, b))) {
            if verdicts(&[(a, 20), (b, 20)]) != [Verdict::Noise] {
                moved += at(a) * at(b);
            }
        }
        assert!(moved < LEVEL, "{moved}");
    }

    #[test]
    fn other_questions_other_rules_and_parts_are_not_compared() {
        let good = accepted("1", 27, 27);
        let bad = accepted("2", 5, 27);
        for newest in [Line { set: "t".into(), ..bad.clone() }, Line { measure: "m2".into(), ..bad.clone() }] {
            let lines = [good.clone(), newest];
            assert!(series(&lines).iter().all(|s| s.points.len() == 2 && s.steps().is_empty()));
        }
        let lines = [good, Line { partial: true, ..bad }];
        let all = series(&lines);
        assert_eq!(all.iter().map(|s| (s.points.len(), s.partial)).collect::<Vec<_>>(), [(1, 1)]);
    }
}
