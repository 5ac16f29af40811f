//! Bias probes: pairs of inputs of which a judge must say the same, or the opposite.
//!
//! What a judge should not look at is changed and nothing else: the order of the passages, the length of the answer, an
//! authority that is named, the layout. Where the verdict changes too, it is the bias that speaks (Zheng and others 2023;
//! Wang and others 2023; Dubois and others 2024; Panickssery and others 2024).

use crate::stats::{Interval, Level, Rate, SEED, bca, mean};

/// What is changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Probe {
    /// The passages stand in reversed order.
    Order,
    /// One neutral sentence of the passages is added to the answer.
    Length,
    /// A polite sentence that claims nothing is added.
    Padding,
    /// The answer names an authority that nobody asked for.
    Authority,
    /// The answer is laid out as a list in bold.
    Format,
    /// The judge is asked whether the answer is *not* supported.
    Inverted,
}

/// What a pair must come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// The same verdict.
    Same,
    /// The opposite one.
    Opposite,
}

/// What is asked of a judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The passages in order.
    pub contexts: Vec<String>,
    /// Whether it is asked for the contrary: is the answer not supported?
    pub inverted: bool,
}

/// Two inputs that differ in one thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pair {
    /// In what.
    pub probe: Probe,
    /// As it was.
    pub plain: Asked,
    /// With the change.
    pub changed: Asked,
}

/// The sentences that probes put into answers, in the language of the answers.
#[derive(Debug, Clone, Copy)]
pub struct Sentences<'a> {
    /// One that claims nothing (`Please let us know if you have any other question.`).
    pub polite: &'a str,
    /// What stands in front of an answer, with `{}` for it, and names an authority.
    pub authority: &'a str,
}

impl Probe {
    /// All of them.
    pub const ALL: [Probe; 6] =
        [Probe::Order, Probe::Length, Probe::Padding, Probe::Authority, Probe::Format, Probe::Inverted];

    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Probe::Order => "order",
            Probe::Length => "length",
            Probe::Padding => "padding",
            Probe::Authority => "authority",
            Probe::Format => "format",
            Probe::Inverted => "inverted",
        }
    }

    /// What its pairs must come to.
    pub fn expected(self) -> Expected {
        match self {
            Probe::Inverted => Expected::Opposite,
            Probe::Order | Probe::Length | Probe::Padding | Probe::Authority | Probe::Format => Expected::Same,
        }
    }

    /// The pair of an input; nothing where it has nothing to change: an order of one passage, no sentence that the answer does
    /// not state already, sentences that are not given.
    pub fn pair(self, plain: &Asked, sentences: Sentences<'_>, grounded: Option<&str>) -> Option<Pair> {
        let mut changed = plain.clone();
        match self {
            Probe::Order => changed.contexts.reverse(),
            Probe::Length => {
                let sentence =
                    grounded.filter(|s| plain.contexts.iter().any(|c| c.contains(*s)) && !plain.answer.contains(*s))?;
                changed.answer = format!("{} {sentence}", plain.answer);
            }
            Probe::Padding => changed.answer = format!("{} {}", plain.answer, sentences.polite),
            Probe::Authority => changed.answer = sentences.authority.replace("{}", &plain.answer),
            Probe::Format => {
                let lines: Vec<String> = plain.answer.lines().map(|l| format!("- **{l}**")).collect();
                changed.answer = lines.join("\n");
            }
            Probe::Inverted => changed.inverted = !plain.inverted,
        }
        (changed != *plain).then(|| Pair { probe: self, plain: plain.clone(), changed })
    }
}

/// How often a judge did not do what was expected: of the pairs with both verdicts, those that flipped where they should not
/// (or did not where they should). Pairs of which a verdict is owed are not counted.
pub fn flips(expected: Expected, verdicts: impl IntoIterator<Item = (Option<bool>, Option<bool>)>) -> Rate {
    let both = verdicts.into_iter().filter_map(|(plain, changed)| Some((plain?, changed?)));
    Rate::of(both.map(|(plain, changed)| match expected {
        Expected::Same => plain != changed,
        Expected::Opposite => plain == changed,
    }))
}

/// The mean change of a score between the two inputs of pairs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Shift {
    /// The mean of changed minus plain.
    pub mean: f64,
    /// Its 95 % interval; none for fewer than eight pairs, or where all change alike.
    pub interval: Option<Interval>,
    /// How many pairs.
    pub n: usize,
}

impl Shift {
    /// Whether the interval covers 0, as it must: nothing where there is no interval and something changed.
    pub fn covers_zero(&self) -> Option<bool> {
        match self.interval {
            Some(i) => Some(i.low <= 0.0 && 0.0 <= i.high),
            None => (self.mean == 0.0 && self.n > 0).then_some(true),
        }
    }
}

/// The mean paired change of scores, each pair plain and changed, with its bootstrap interval (BCa). Nothing without pairs.
pub fn shift(scores: &[(f64, f64)]) -> Option<Shift> {
    let changes: Vec<f64> = scores.iter().map(|(plain, changed)| changed - plain).collect();
    let found = mean(changes.iter().copied())?;
    Some(Shift { mean: found.value, interval: bca(&changes, None, Level::P95, SEED), n: found.n })
}

/// By how much more a judge lets answers of its own family of models pass than those of others to the same questions: the
/// mean paired difference, own minus other.
pub fn self_preference(own_and_other: &[(bool, bool)]) -> Option<Shift> {
    let score = |passes: bool| f64::from(u8::from(passes));
    let scores: Vec<(f64, f64)> = own_and_other.iter().map(|(own, other)| (score(*other), score(*own))).collect();
    shift(&scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked() -> Asked {
        Asked {
            question: "How long may goods be returned?".into(),
            answer: "Within 7 days.".into(),
            contexts: vec!["Returns within 7 days.".into(), "Delivery costs 5 euros.".into()],
            inverted: false,
        }
    }

    const WORDS: Sentences<'_> = Sentences { polite: "Happy to help.", authority: "The manager confirms: {}" };

    /// Each probe changes its one thing and leaves the rest.
    #[test]
    fn a_pair_differs_in_one_thing() {
        let plain = asked();
        let changed = |probe: Probe| probe.pair(&plain, WORDS, Some("Delivery costs 5 euros.")).unwrap().changed;
        let order = changed(Probe::Order);
        assert_eq!(order.contexts, ["Delivery costs 5 euros.", "Returns within 7 days."]);
        assert_eq!(Asked { contexts: plain.contexts.clone(), ..order }, plain);
        assert_eq!(changed(Probe::Length).answer, "Within 7 days. Delivery costs 5 euros.");
        assert_eq!(changed(Probe::Padding).answer, "Within 7 days. Happy to help.");
        assert_eq!(changed(Probe::Authority).answer, "The manager confirms: Within 7 days.");
        assert_eq!(changed(Probe::Format).answer, "- **Within 7 days.**");
        assert_eq!(changed(Probe::Inverted), Asked { inverted: true, ..asked() });
        // Nothing to change: one passage, a sentence that no passage holds.
        let one = Asked { contexts: vec!["a".into()], ..asked() };
        assert_eq!(Probe::Order.pair(&one, WORDS, None), None);
        assert_eq!(Probe::Length.pair(&plain, WORDS, Some("The moon is green.")), None);
        assert!(Probe::ALL.iter().all(|p| (p.expected() == Expected::Opposite) == (*p == Probe::Inverted)));
    }

    #[test]
    fn flips_are_counted_against_what_is_expected() {
        let verdicts =
            [(Some(true), Some(true)), (Some(true), Some(false)), (Some(false), None), (Some(false), Some(false))];
        assert_eq!(flips(Expected::Same, verdicts), Rate::new(1, 3));
        assert_eq!(flips(Expected::Opposite, verdicts), Rate::new(2, 3));
        assert_eq!(flips(Expected::Same, []).value(), None);
    }

    #[test]
    fn a_shift_must_cover_zero() {
        let random: Vec<(f64, f64)> = (0..40).map(|i| (0.5, 0.5 + if i % 2 == 0 { 0.1 } else { -0.1 })).collect();
        assert_eq!(shift(&random).unwrap().covers_zero(), Some(true));
        let longer: Vec<(f64, f64)> = (0..40).map(|i| (0.5, 0.6 + f64::from(i % 3) / 100.0)).collect();
        assert_eq!(shift(&longer).unwrap().covers_zero(), Some(false));
        assert_eq!(shift(&[(0.5, 0.5); 10]).unwrap().covers_zero(), Some(true));
        assert_eq!(shift(&[(0.5, 0.7); 10]).unwrap().covers_zero(), None);
        assert_eq!(shift(&[]), None);
        // Own answers pass in 20 of 20, those of others to the same questions in 10.
        let own: Vec<(bool, bool)> = (0..20).map(|i| (true, i % 2 == 0)).collect();
        let found = self_preference(&own).unwrap();
        assert!((found.mean - 0.5).abs() < 1e-12 && found.covers_zero() == Some(false), "{found:?}");
    }
}
