//! Two runs over the same questions: which changed, and whether the one is better than the other or only varies.
//!
//! Questions are paired by suite and id where both runs asked them with the same expectations; the others are listed apart.
//! Each measure is tested on the pairs: shares by the exact test of McNemar, means by sign flips, both with whole groups where
//! questions share one. Three families of tests are corrected by Holm, each by itself: the question with the primary layers, the
//! metrics of retrieval, and the parts of the suites (tags). A difference is named only behind that correction; beside
//! everything else stands how small a difference would have gone unseen.

mod changes;

pub use changes::{Change, LayerChanges};

use crate::compare::{ALPHA, Asked, Measure, Run, Values, between, family, numbered};
use crate::layer::LayerId;
use crate::stats::Contrast;
use std::collections::{BTreeMap, BTreeSet};

/// The state of a question or of one of its layers in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// It passed.
    Pass,
    /// It failed.
    Fail,
    /// It should have been measured and was not.
    Unmeasured,
    /// It was skipped.
    Skipped,
}

impl State {
    /// All of them, in the order of tables.
    pub const ALL: [State; 4] = [State::Pass, State::Fail, State::Unmeasured, State::Skipped];

    /// As results write it.
    pub fn name(self) -> &'static str {
        match self {
            State::Pass => "pass",
            State::Fail => "fail",
            State::Unmeasured => "unmeasured",
            State::Skipped => "skipped",
        }
    }

    /// What results say; a layer that they do not have was skipped.
    fn of(word: Option<&str>) -> State {
        State::ALL.into_iter().find(|s| Some(s.name()) == word).unwrap_or(State::Skipped)
    }

    /// The state of a layer.
    fn of_layer(asked: &Asked, layer: LayerId) -> State {
        State::of(asked.layers.get(layer.name()).map(|l| l.outcome.as_str()))
    }
}

/// How many questions stand in each state on the first side and in each on the second.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// The layer; nothing for the question as a whole.
    pub layer: Option<LayerId>,
    /// Questions by both states.
    counts: BTreeMap<(State, State), usize>,
}

impl Table {
    fn new(layer: Option<LayerId>, pairs: &Pairs<'_>) -> Table {
        let state = |asked: &Asked| layer.map_or(State::of(Some(&asked.outcome)), |l| State::of_layer(asked, l));
        let mut counts = BTreeMap::new();
        for (first, second) in pairs.first.iter().zip(&pairs.second) {
            *counts.entry((state(first), state(second))).or_default() += 1;
        }
        Table { layer, counts }
    }

    /// `passed`, or the layer.
    pub fn name(&self) -> &'static str {
        self.layer.map_or("passed", LayerId::name)
    }

    /// Questions in this state on the first side and in that on the second.
    pub fn count(&self, first: State, second: State) -> usize {
        self.counts.get(&(first, second)).copied().unwrap_or(0)
    }

    /// Questions that one of the two did not measure, or neither.
    pub fn apart(&self) -> usize {
        let measured = |s: State| matches!(s, State::Pass | State::Fail);
        self.counts.iter().filter(|((a, b), _)| !measured(*a) || !measured(*b)).map(|(_, n)| n).sum()
    }

    /// Whether any question was measured on both sides.
    fn says_something(&self) -> bool {
        self.counts.values().sum::<usize>() > self.apart()
    }
}

/// What a family of tests asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The question as a whole and the layers.
    Layers,
    /// The metrics of retrieval.
    Metrics,
    /// Suites and tags, on the question as a whole.
    Parts,
}

impl Kind {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Layers => "layers",
            Kind::Metrics => "metrics",
            Kind::Parts => "parts",
        }
    }
}

/// One measure on both sides.
#[derive(Debug, Clone)]
pub struct Tested {
    /// `passed`, a layer, a metric, `tag money`, `suite shop-vi`.
    pub name: String,
    /// The difference and its test.
    pub contrast: Contrast,
    /// The p-value after Holm's correction over its family; nothing where it is shown and not tested.
    pub adjusted: Option<f64>,
    /// The smallest difference that would have been seen four times of five, in the unit of the measure.
    pub unseen: Option<f64>,
}

impl Tested {
    /// Whether the two sides differ by more than noise.
    pub fn differs(&self) -> bool {
        self.adjusted.is_some_and(|p| p < ALPHA)
    }
}

/// Tests that are corrected together.
#[derive(Debug, Clone)]
pub struct Family {
    /// What they ask.
    pub kind: Kind,
    /// Each of them; those that are only shown last.
    pub tests: Vec<Tested>,
}

/// A question whose expectations are not the same in both runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// `suite::id`.
    pub id: String,
    /// Its state under the first run's expectations.
    pub first: State,
    /// Its state under the second's.
    pub second: State,
}

/// Two runs side by side.
#[derive(Debug)]
pub struct Diff {
    /// The names of the two.
    pub names: [String; 2],
    /// How many questions are paired.
    pub questions: usize,
    /// How many groups they form.
    pub groups: usize,
    /// Questions that only the first run has, and only the second.
    pub only: [Vec<String>; 2],
    /// Questions that expect something else in the second run, which are not paired.
    pub edited: Vec<Edited>,
    /// Suites that the two runs judged by different rules: what differs there may be the rules' doing.
    pub rules: Vec<String>,
    /// The question as a whole, then each layer that both measured.
    pub tables: Vec<Table>,
    /// The tests; families that have none are left out.
    pub families: Vec<Family>,
    /// The questions whose state changed, by layer.
    pub changes: Vec<LayerChanges>,
}

/// The questions of both, in one order.
struct Pairs<'a> {
    ids: Vec<&'a String>,
    first: Vec<&'a Asked>,
    second: Vec<&'a Asked>,
}

/// Metrics that are tested.
const METRICS: [Measure; 6] = [
    Measure::Metric("hit@1"),
    Measure::Metric("hit@3"),
    Measure::Metric("hit@5"),
    Measure::Metric("rr"),
    Measure::Metric("ndcg@5"),
    Measure::Complete,
];

/// Holds the second run against the first. `primary` are the layers that are tested; the others are shown.
pub fn diff(first: &Run, second: &Run, primary: &[LayerId]) -> Diff {
    let only = |a: &Run, b: &Run| a.questions.keys().filter(|id| !b.questions.contains_key(*id)).cloned().collect();
    let mut pairs = Pairs { ids: Vec::new(), first: Vec::new(), second: Vec::new() };
    let mut edited = Vec::new();
    for (id, a) in &first.questions {
        let Some(b) = second.questions.get(id) else { continue };
        if a.expects == b.expects {
            pairs.ids.push(id);
            pairs.first.push(a);
            pairs.second.push(b);
        } else {
            let state = |asked: &Asked| State::of(Some(&asked.outcome));
            edited.push(Edited { id: id.clone(), first: state(a), second: state(b) });
        }
    }
    let groups: BTreeSet<usize> = numbered(pairs.second.iter().map(|q| q.group.as_deref())).into_iter().collect();
    let tables = std::iter::once(None).chain(LayerId::ALL.into_iter().map(Some)).map(|l| Table::new(l, &pairs));
    let families = [layers(&pairs, primary), metrics(&pairs), parts(&pairs)];
    let other_rules = |suite: &&String| {
        first.rules.get(*suite).zip(second.rules.get(*suite)).is_some_and(|(before, now)| before != now)
    };
    Diff {
        names: [first.name.clone(), second.name.clone()],
        questions: pairs.ids.len(),
        groups: groups.len(),
        only: [only(first, second), only(second, first)],
        edited,
        rules: first.rules.keys().filter(other_rules).cloned().collect(),
        tables: tables.filter(|t| t.layer.is_none() || t.says_something()).collect(),
        families: families.into_iter().filter(|f| !f.tests.is_empty()).collect(),
        changes: changes::by_layer(&pairs),
    }
}

/// A name, the values of both sides, and their contrast.
type Named = (String, (Values, Contrast));

/// Corrects the contrasts of a family.
fn tested(kind: Kind, named: Vec<Named>) -> Family {
    let (names, contrasts): (Vec<String>, Vec<(Values, Contrast)>) = named.into_iter().unzip();
    let corrected = family(&contrasts);
    let tests = names.into_iter().zip(contrasts).zip(corrected);
    let test =
        |((name, (_, contrast)), (adjusted, unseen))| Tested { name, contrast, adjusted: Some(adjusted), unseen };
    Family { kind, tests: tests.map(test).collect() }
}

fn layers(pairs: &Pairs<'_>, primary: &[LayerId]) -> Family {
    let of = |m: Measure| Some((m.name(), between(m, &pairs.first, &pairs.second)?));
    let named = |layers: bool| LayerId::ALL.into_iter().filter(move |l| primary.contains(l) == layers);
    let primary = std::iter::once(Measure::Passed).chain(named(true).map(Measure::Layer)).filter_map(of).collect();
    let mut out = tested(Kind::Layers, primary);
    let shown = |(name, (_, contrast)): Named| {
        let unseen = contrast.unseen(ALPHA);
        Tested { name, contrast, adjusted: None, unseen }
    };
    out.tests.extend(named(false).map(Measure::Layer).filter_map(of).map(shown));
    out
}

fn metrics(pairs: &Pairs<'_>) -> Family {
    let of = |m: &Measure| Some((m.name(), between(*m, &pairs.first, &pairs.second)?));
    tested(Kind::Metrics, METRICS.iter().filter_map(of).collect())
}

/// Each tag, and each suite where there are several, on the question as a whole.
fn parts(pairs: &Pairs<'_>) -> Family {
    let suites: BTreeSet<&str> = pairs.second.iter().map(|q| q.suite.as_str()).collect();
    let tags: BTreeSet<&str> = pairs.second.iter().flat_map(|q| q.tags.iter().map(String::as_str)).collect();
    let of = |belongs: &dyn Fn(&Asked) -> bool| {
        let chosen = pairs.first.iter().zip(&pairs.second).filter(|(_, q)| belongs(q));
        let (first, second): (Vec<&Asked>, Vec<&Asked>) = chosen.unzip();
        let (_, contrast) = between(Measure::Passed, &first, &second)?;
        // Of which questions it is, and how they came out: two tags of the same questions are one part.
        let measured =
            |(a, b): (&&Asked, &&Asked)| belongs(b).then(|| Measure::Passed.of(a).zip(Measure::Passed.of(b))).flatten();
        Some((pairs.first.iter().zip(&pairs.second).map(measured).collect(), contrast))
    };
    let mut named = Vec::new();
    for suite in suites.iter().filter(|_| suites.len() > 1) {
        named.extend(of(&|q| q.suite == *suite).map(|c| (format!("suite {suite}"), c)));
    }
    for tag in tags {
        named.extend(of(&|q| q.tags.iter().any(|t| t == tag)).map(|c| (format!("tag {tag}"), c)));
    }
    tested(Kind::Parts, named)
}
