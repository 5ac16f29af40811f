//! Selectors: which questions a command is about.
//!
//! | selector | selects |
//! | --- | --- |
//! | `all` | every question |
//! | `shop-vi` | the suite of that name; where there is none, the question of that id |
//! | `shop-vi::q06` | one question |
//! | `shop-*`, `shop-vi::q0?` | globs, on both parts |
//! | `tag:` `severity:` `owner:` `doc:` | by what the suite says, for instance `tag:warranty` |
//! | `layer:` `change:` | by what the last run found, for instance `change:regressed` |
//!
//! Several selectors select what any of them does. One that matches nothing is an error: a typing error must not turn a
//! check off.

use super::model::{Question, Severity, Suite};
use crate::layer::LayerId;
use crate::problem::near::did_you_mean;
use globset::{GlobBuilder, GlobMatcher};
use std::collections::BTreeSet;

/// A pattern with the text that it was written as.
#[derive(Debug, Clone)]
struct Pattern {
    text: String,
    glob: GlobMatcher,
}

impl Pattern {
    fn new(text: &str) -> Result<Self, String> {
        if text.is_empty() {
            return Err("a part of it is empty".to_owned());
        }
        let glob = GlobBuilder::new(text)
            .backslash_escape(true)
            .build()
            .map_err(|e| format!("`{text}` is not a glob: {}", e.kind()))?;
        Ok(Pattern { text: text.to_owned(), glob: glob.compile_matcher() })
    }

    fn matches(&self, text: &str) -> bool {
        self.text == text || self.glob.is_match(text)
    }

    /// True when it has no glob characters.
    fn is_literal(&self) -> bool {
        !self.text.contains(['*', '?', '[', '{', '\\'])
    }
}

#[derive(Debug, Clone)]
enum Kind {
    All,
    /// A suite, or an id where no suite has that name.
    Bare(Pattern),
    /// A suite and an id.
    Pair(Pattern, Pattern),
    Tag(Pattern),
    Severity(Pattern),
    Owner(Pattern),
    Doc(Pattern),
    Layer(Pattern),
    Change(Pattern),
}

/// One selector.
#[derive(Debug, Clone)]
pub struct Selector {
    text: String,
    kind: Kind,
}

/// The kinds of selector that have a name in front.
const PREFIXES: [&str; 6] = ["tag", "layer", "change", "severity", "owner", "doc"];

impl Selector {
    /// Reads a selector.
    ///
    /// # Errors
    /// One sentence on what is wrong with it.
    pub fn parse(text: &str) -> Result<Selector, String> {
        let wrong = |why: String| format!("selector `{text}`: {why}");
        let pattern = |p: &str| Pattern::new(p).map_err(wrong);
        let kind = if text == "all" {
            Kind::All
        } else if let Some((suite, id)) = text.split_once("::") {
            Kind::Pair(pattern(suite)?, pattern(id)?)
        } else if let Some((prefix, value)) = text.split_once(':') {
            match prefix {
                "tag" => Kind::Tag(pattern(value)?),
                "severity" => Kind::Severity(pattern(value)?),
                "owner" => Kind::Owner(pattern(value)?),
                "doc" => Kind::Doc(pattern(value)?),
                "layer" => Kind::Layer(pattern(value)?),
                "change" => Kind::Change(pattern(value)?),
                other => {
                    let near = did_you_mean(other, PREFIXES).map(|p| format!("; did you mean `{p}:{value}`?"));
                    return Err(wrong(format!(
                        "`{other}:` is not known, expected one of {}{}",
                        PREFIXES.map(|p| format!("{p}:")).join(" "),
                        near.unwrap_or_default()
                    )));
                }
            }
        } else {
            Kind::Bare(pattern(text)?)
        };
        Ok(Selector { text: text.to_owned(), kind })
    }
}

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::str::FromStr for Selector {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        Selector::parse(text)
    }
}

/// What a run found about one question, for `change:` and `layer:`.
#[derive(Debug, Clone, Default)]
pub struct RunFacts {
    /// Its change, as results write it (`regressed`); none when the run did not ask it.
    pub change: Option<String>,
    /// The layers whose state changed.
    pub layers_changed: Vec<LayerId>,
}

/// Looks a question up in a run, by suite and id.
pub type RunLookup<'a> = dyn Fn(&str, &str) -> RunFacts + 'a;

/// The selected questions of some suites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// For each suite, in the given order, for each question, in file order: is it selected?
    pub suites: Vec<Vec<bool>>,
}

/// Why there is no selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSelection {
    /// A sentence for each selector that is at fault.
    pub why: Vec<String>,
    /// True when there is no other fault than that nothing is selected: all of them match nothing.
    pub nothing: bool,
}

/// Why one selector selects nothing.
struct Miss {
    why: String,
    nothing: bool,
}

/// A fault of the selector itself.
impl From<String> for Miss {
    fn from(why: String) -> Self {
        Miss { why, nothing: false }
    }
}

impl Selection {
    /// Every question.
    pub fn all(suites: &[Suite]) -> Self {
        Selection { suites: suites.iter().map(|s| vec![true; s.questions.len()]).collect() }
    }

    /// What any of the selectors selects; without selectors, every question. `run` is the last run, where there is one.
    ///
    /// # Errors
    /// One sentence for each selector that matches nothing, is an id that several suites have, or needs a run.
    pub fn new(selectors: &[Selector], suites: &[Suite], run: Option<&RunLookup<'_>>) -> Result<Self, NoSelection> {
        if selectors.is_empty() {
            return Ok(Selection::all(suites));
        }
        let mut selection = Selection { suites: suites.iter().map(|s| vec![false; s.questions.len()]).collect() };
        let mut none = NoSelection { why: Vec::new(), nothing: true };
        for selector in selectors {
            match select(selector, suites, run) {
                Ok(hits) => hits.into_iter().for_each(|(s, q)| selection.set(s, q)),
                Err(miss) => {
                    none.nothing &= miss.nothing;
                    none.why.push(format!("selector `{selector}` {}", miss.why));
                }
            }
        }
        none.nothing &= selection.count() == 0;
        if none.why.is_empty() { Ok(selection) } else { Err(none) }
    }

    fn set(&mut self, suite: usize, question: usize) {
        if let Some(q) = self.suites.get_mut(suite).and_then(|s| s.get_mut(question)) {
            *q = true;
        }
    }

    /// Whether a question is selected, by the indices of its suite and of itself.
    pub fn has(&self, suite: usize, question: usize) -> bool {
        self.suites.get(suite).and_then(|s| s.get(question)).copied().unwrap_or(false)
    }

    /// How many questions are selected.
    pub fn count(&self) -> usize {
        self.suites.iter().flatten().filter(|q| **q).count()
    }

    /// How many questions there are.
    pub fn total(&self) -> usize {
        self.suites.iter().map(Vec::len).sum()
    }

    /// True when a question is not selected: rules about whole suites are then not evaluated.
    pub fn is_partial(&self) -> bool {
        self.suites.iter().flatten().any(|q| !q)
    }
}

/// Questions by the index of their suite and their own.
type Hits = Vec<(usize, usize)>;

/// Whether a question is meant.
type Test<'a> = dyn Fn(&Suite, &Question) -> bool + 'a;

/// The questions that one selector selects, as pairs of indices, or why there are none.
fn select(selector: &Selector, suites: &[Suite], run: Option<&RunLookup<'_>>) -> Result<Hits, Miss> {
    let by = |test: &Test<'_>| -> Hits {
        let hits = suites
            .iter()
            .enumerate()
            .flat_map(|(i, s)| s.questions.iter().enumerate().filter(|(_, q)| test(s, q)).map(move |(j, _)| (i, j)));
        hits.collect()
    };
    let found = |hits: Hits, value: &Pattern, known: BTreeSet<&str>| {
        if hits.is_empty() { Err(nothing(&value.text, &known)) } else { Ok(hits) }
    };
    match &selector.kind {
        Kind::All => Ok(by(&|_, _| true)),
        Kind::Bare(p) => bare(p, suites, &by),
        Kind::Pair(suite, id) => {
            let of_suites: BTreeSet<&str> = suites.iter().map(|s| &*s.name).collect();
            if !of_suites.iter().any(|s| suite.matches(s)) {
                let miss = nothing(&suite.text, &of_suites);
                return Err(Miss { why: format!("names no suite: {}", miss.why), ..miss });
            }
            let known = suites.iter().filter(|s| suite.matches(&s.name)).flat_map(|s| &s.questions);
            found(
                by(&|s, q| suite.matches(&s.name) && id.matches(q.id.as_str())),
                id,
                known.map(|q| q.id.as_str()).collect(),
            )
        }
        Kind::Tag(p) => found(
            by(&|_, q| q.tags.iter().any(|t| p.matches(t))),
            p,
            questions(suites).flat_map(|q| q.tags.iter().map(String::as_str)).collect(),
        ),
        Kind::Severity(p) => found(by(&|_, q| p.matches(severity(q))), p, questions(suites).map(severity).collect()),
        Kind::Owner(p) => found(
            by(&|_, q| q.owner.as_deref().is_some_and(|o| p.matches(o))),
            p,
            questions(suites).filter_map(|q| q.owner.as_deref()).collect(),
        ),
        Kind::Doc(p) => {
            found(by(&|_, q| docs(q).iter().any(|d| p.matches(d))), p, questions(suites).flat_map(docs).collect())
        }
        Kind::Layer(p) => {
            let names: BTreeSet<&str> = LayerId::ALL.iter().map(|l| l.name()).collect();
            if !names.iter().any(|n| p.matches(n)) {
                return Err(nothing(&p.text, &names).why.into());
            }
            let run = run.ok_or_else(needs_run)?;
            let changed: BTreeSet<&str> = suites
                .iter()
                .flat_map(|s| s.questions.iter().flat_map(|q| run(&s.name, q.id.as_str()).layers_changed))
                .map(LayerId::name)
                .collect();
            let hits = by(&|s, q| run(&s.name, q.id.as_str()).layers_changed.iter().any(|l| p.matches(l.name())));
            found(hits, p, changed)
        }
        Kind::Change(p) => {
            let run = run.ok_or_else(needs_run)?;
            let of = |s: &Suite, q: &Question| run(&s.name, q.id.as_str()).change;
            let hits = by(&|s, q| of(s, q).is_some_and(|c| p.matches(&c)));
            let changes: BTreeSet<String> =
                suites.iter().flat_map(|s| s.questions.iter().filter_map(move |q| of(s, q))).collect();
            found(hits, p, changes.iter().map(String::as_str).collect())
        }
    }
}

/// A name without `::`: suites of that name, else questions of that id.
fn bare(p: &Pattern, suites: &[Suite], by: &dyn Fn(&Test<'_>) -> Hits) -> Result<Hits, Miss> {
    let named = suites.iter().any(|s| p.matches(&s.name));
    let ids = by(&|_, q| p.matches(q.id.as_str()));
    let full = |hits: &[(usize, usize)]| {
        let names = hits.iter().filter_map(|(s, q)| {
            let suite = suites.get(*s)?;
            Some(format!("{}::{}", suite.name, suite.questions.get(*q)?.id))
        });
        names.collect::<Vec<_>>().join(", ")
    };
    if named {
        if p.is_literal() && !ids.is_empty() {
            return Err(format!("names a suite and a question: say {}::* or {}", p.text, full(&ids)).into());
        }
        // A suite without a question selects nothing; the loader does not let one through.
        return Ok(by(&|s, _| p.matches(&s.name)));
    }
    if ids.is_empty() {
        let known = suites.iter().map(|s| &*s.name).chain(questions(suites).map(|q| q.id.as_str())).collect();
        return Err(nothing(&p.text, &known));
    }
    if p.is_literal() && ids.len() > 1 {
        return Err(format!("fits several suites, say which: {}", full(&ids)).into());
    }
    Ok(ids)
}

fn questions(suites: &[Suite]) -> impl Iterator<Item = &Question> {
    suites.iter().flat_map(|s| &s.questions)
}

fn severity(q: &Question) -> &'static str {
    match q.severity {
        Severity::Critical => "critical",
        Severity::Normal => "normal",
        Severity::Minor => "minor",
    }
}

/// The documents that a question's evidence names.
fn docs(q: &Question) -> Vec<&str> {
    q.places().filter_map(|e| e.doc.as_deref()).collect()
}

fn needs_run() -> String {
    "needs a run: run the suite first, or name a run".to_owned()
}

/// "Matches nothing", with what is near or, where that is short, everything there is.
fn nothing(written: &str, known: &BTreeSet<&str>) -> Miss {
    if let Some(near) = did_you_mean(written, known.iter().copied()) {
        return Miss { why: format!("matches nothing; did you mean `{near}`?"), nothing: true };
    }
    let list = known.iter().take(8).copied().collect::<Vec<_>>().join(", ");
    let why = match known.len() {
        0 => "matches nothing: no question has any".to_owned(),
        1..=8 => format!("matches nothing; there are {list}"),
        n => format!("matches nothing; there are {list} and {} more", n - 8),
    };
    Miss { why, nothing: true }
}
