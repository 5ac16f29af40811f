//! What suites of so many questions can see, before anything is run: how far a share must fall until two runs over the same
//! questions show it four times of five.

use crate::layer::LayerId;
use crate::stats::power::{Plan, unpaired};
use crate::suite::Suite;
use std::collections::BTreeSet;

/// The questions of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sample {
    /// The suite, or nothing where only a number is given.
    pub suite: Option<String>,
    /// What of it: all that is judged, or what a layer judges.
    pub layer: Option<LayerId>,
    /// Questions.
    pub questions: usize,
    /// The groups that they form; questions that share evidence change together, and count as one at worst.
    pub groups: usize,
}

/// What is assumed beside the questions.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Assumed {
    /// The share of questions that come out differently in two runs of an untouched system, both directions together; 0 to 1.
    pub discordant: f64,
    /// The share that is right, for two runs over different questions.
    pub rate: Option<f64>,
    /// A fall of which the questions are counted that show it; 0 to 1.
    pub fall: Option<f64>,
}

/// What a sample can see, as shares of its questions; nothing where it can see no fall at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// The sample.
    pub sample: Sample,
    /// A fall, by a one-sided test, where nothing else changes.
    pub fall: Option<f64>,
    /// A change in either direction, where nothing else changes.
    pub change: Option<f64>,
    /// The same where questions vary as assumed.
    pub varied: Option<f64>,
    /// The same with each group counted once; where questions share groups.
    pub grouped: Option<f64>,
    /// A change between two runs over different questions, where a rate is assumed.
    pub unpaired: Option<f64>,
}

impl Sample {
    /// So many questions, each by itself.
    pub fn of(questions: usize) -> Sample {
        Sample { suite: None, layer: None, questions, groups: questions }
    }

    /// The questions of a suite that are judged, and those that have something to check for retrieval and for facts.
    pub fn of_suite(suite: &Suite) -> Vec<Sample> {
        let judged = || suite.questions.iter().filter(|q| !q.draft && q.asserts());
        let sample = |layer: Option<LayerId>, has: &dyn Fn(&crate::suite::Question) -> bool| {
            let chosen = || judged().filter(|q| has(q));
            let (mut groups, mut alone) = (BTreeSet::new(), 0);
            for q in chosen() {
                match &q.group {
                    Some(group) => drop(groups.insert(group)),
                    None => alone += 1,
                }
            }
            let questions = chosen().count();
            Sample { suite: Some(suite.name.to_string()), layer, questions, groups: groups.len() + alone }
        };
        let mut all = vec![
            sample(None, &|_| true),
            sample(Some(LayerId::Retrieval), &|q| !q.evidence.is_empty()),
            sample(Some(LayerId::Facts), &|q| !q.facts.is_empty() || !q.must_not.is_empty()),
        ];
        all.retain(|s| s.questions > 0);
        all
    }

    /// What it can see.
    pub fn sight(self, assumed: Assumed) -> Sight {
        let plan = Plan::of(self.questions);
        let both = Plan { one_sided: false, ..plan };
        let varied = Plan { gains: assumed.discordant / 2.0, ..both };
        let grouped = Plan { n: self.groups, ..varied };
        Sight {
            fall: plan.smallest_fall(),
            change: both.smallest_fall(),
            varied: varied.smallest_fall(),
            grouped: if self.groups < self.questions { grouped.smallest_fall() } else { None },
            unpaired: assumed.rate.and_then(|r| unpaired(self.questions, r, plan.alpha, plan.power)),
            sample: self,
        }
    }
}

/// The fewest questions that show a fall of this share, one-sided where nothing else changes, and two-sided where questions
/// vary as assumed.
pub fn needed(fall: f64, assumed: Assumed) -> (Option<usize>, Option<usize>) {
    let plan = Plan::of(0);
    let varied = Plan { one_sided: false, gains: assumed.discordant / 2.0, ..plan };
    (fewest(plan, fall), fewest(varied, fall))
}

/// By bisection: more questions see smaller falls.
fn fewest(plan: Plan, fall: f64) -> Option<usize> {
    const MOST: usize = 1 << 24;
    if fall <= 0.0 || fall + 2.0 * plan.gains > 1.0 {
        return None;
    }
    let sees = |n: usize| Plan { n, ..plan }.smallest_fall().is_some_and(|f| f <= fall);
    let mut high = 1;
    while !sees(high) {
        if high >= MOST {
            return None;
        }
        high *= 2;
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if sees(middle) { high = middle } else { low = middle }
    }
    Some(high)
}

/// From so many points on, a drop that could be seen is no statement any more.
const FEW: f64 = 40.0;

/// What a comparison of `n` questions cannot see, as reports say it: the smallest fall that a one-sided mid-p test at .05 finds
/// with 80 % power when nothing else changes. Nothing without questions.
pub fn sentence(n: usize) -> Option<String> {
    if n == 0 {
        return None;
    }
    // What is a whole number of points but for the last digits is that number.
    let points = Plan::of(n).smallest_fall().map(|fall| (fall * 100.0 - 1e-6).ceil());
    Some(match points.filter(|p| *p <= FEW) {
        Some(points) => format!("{n} questions cannot show that a layer fell by less than about {points:.0} points."),
        None => {
            let few =
                if n == 1 { "The share of 1 question is".to_owned() } else { format!("Shares of {n} questions are") };
            format!("{few} too few to compare; the gate judges each question by itself.")
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The column "losses only, one-sided mid-p" of the table of exact powers: 27 → 19.5, 50 → 10.8, 60 → 9.0, 100 → 5.5,
    /// 200 → 2.7.
    #[test]
    fn what_a_suite_cannot_see() {
        for (n, points) in
            [(27, "20 points"), (50, "11 points"), (60, "9 points"), (100, "6 points"), (200, "3 points")]
        {
            let said = sentence(n).unwrap();
            assert!(said.contains(points), "{n}: {said}");
        }
        assert!(sentence(3).unwrap().contains("too few") && sentence(9).unwrap().contains("too few"));
        assert_eq!(sentence(0), None);
    }

    #[test]
    fn so_many_questions_show_a_fall() {
        let assumed = Assumed { discordant: 0.1, rate: None, fall: None };
        let (alone, varied) = needed(0.09, assumed);
        assert_eq!(alone, Some(60));
        for (n, sees) in [(varied.unwrap(), true), (varied.unwrap() - 1, false)] {
            let sight = Sample::of(n).sight(assumed);
            assert_eq!(sight.varied.is_some_and(|f| f <= 0.09), sees, "{n}");
        }
        assert_eq!(needed(0.95, assumed).1, None);
        assert_eq!(needed(0.0, assumed), (None, None));
    }
}
