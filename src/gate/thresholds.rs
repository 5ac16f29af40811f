//! `thresholds.toml`: the policy, in a file of its own so that those who own quality can own it.
//!
//! A rule that cannot bind never holds in silence: an unknown metric, suite or tag is an error, and so is a number
//! outside its range. No file at all means the defaults, which are the strict ones.

mod metric;
mod read;

pub use metric::Metric;

use crate::layer::LayerId;
use crate::problem::near::did_you_mean;
use crate::problem::{Place, Problem, Problems, Source, read_source};
use crate::suite::Suite;
use crate::suite::node::reader::shown;
use crate::suite::node::{Reader, toml};
use std::path::Path;
use std::sync::Arc;

#[cfg(test)]
pub(crate) use read::{RULE, THRESHOLDS};

/// The cut-offs that are always computed.
pub const CUT_OFFS: [usize; 4] = [1, 3, 5, 10];

/// What a closed gate does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mode {
    /// It stops the build.
    #[default]
    Block,
    /// It says "would have blocked" and exits 0.
    Advisory,
}

/// What a confirmed fix does that nobody accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stale {
    /// It blocks: while the baseline says "fail", the next break would hide behind it.
    #[default]
    Block,
    /// It warns.
    Warn,
}

/// Whether questions are compared with an accepted outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BaselineUse {
    /// They are; a missing baseline is exit code 2.
    #[default]
    Required,
    /// They are not: each question is judged by its own assertions.
    None,
}

/// What happens when a baseline was made by other rules or another judge, so that outcomes cannot be compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Incomparable {
    /// The run is incomplete: exit code 3.
    #[default]
    Block,
    /// Those layers are left out, with a notice.
    Allow,
}

/// A setting and where it was given; no place when it is the default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limit<T> {
    /// The setting.
    pub value: T,
    /// Where it stands.
    pub place: Option<Place>,
}

/// The policy.
#[derive(Debug, Clone)]
pub struct Thresholds {
    /// Block, or only say so; block.
    pub mode: Limit<Mode>,
    /// How many questions of normal severity may regress; 0.
    pub max_regressed: Limit<u64>,
    /// How many questions may stay unmeasured; 0.
    pub max_unmeasured: Limit<u64>,
    /// What an unaccepted fix does; block.
    pub stale: Limit<Stale>,
    /// The layers that reports lead with and that paired tests look at; retrieval, facts, refusal and numbers.
    pub primary: Limit<Vec<LayerId>>,
    /// Whether a baseline is needed; it is.
    pub baseline: Limit<BaselineUse>,
    /// What an incomparable baseline does; block.
    pub incomparable: Limit<Incomparable>,
    /// The rules on means, in file order.
    pub rules: Vec<Rule>,
    /// The file's text, for messages; none when there is no file.
    pub source: Option<Arc<Source>>,
}

impl Thresholds {
    /// The policy that judges each question by its own assertions.
    pub fn without_baseline() -> Thresholds {
        Thresholds { baseline: Limit { value: BaselineUse::None, place: None }, ..Thresholds::default() }
    }
}

impl Default for Thresholds {
    fn default() -> Self {
        Thresholds {
            mode: Limit::default(),
            max_regressed: Limit::default(),
            max_unmeasured: Limit::default(),
            stale: Limit::default(),
            primary: Limit {
                value: vec![LayerId::Retrieval, LayerId::Facts, LayerId::Refusal, LayerId::Numbers],
                place: None,
            },
            baseline: Limit::default(),
            incomparable: Limit::default(),
            rules: Vec::new(),
            source: None,
        }
    }
}

/// A limit on a mean over the questions of a suite, or over those of one tag.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The suite.
    pub suite: String,
    /// The tag; none: the whole suite.
    pub tag: Option<String>,
    /// The metric.
    pub metric: Metric,
    /// The least value that holds, from 0 to 1.
    pub min: Option<f64>,
    /// The greatest value that holds, from 0 to 1.
    pub max: Option<f64>,
    /// What is compared with the limits; the value.
    pub bound: Bound,
    /// Where the metric stands.
    pub place: Place,
    /// Where the name of the suite stands.
    pub suite_place: Place,
    /// Where the tag stands.
    pub tag_place: Option<Place>,
}

/// Which number a limit is compared with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bound {
    /// The mean itself.
    #[default]
    Value,
    /// The worse end of its interval: the lower one for `min`, the upper one for `max`.
    Lower,
}

impl Thresholds {
    /// Reads a file; a file that does not exist means the defaults. `shown` is the path that messages use.
    ///
    /// # Errors
    /// Everything that is wrong with the file. It never falls back to defaults.
    pub fn load(path: &Path, shown: &str) -> Result<Thresholds, Problems> {
        match path.try_exists() {
            Ok(false) => Ok(Thresholds::default()),
            // What exists, or cannot even be looked for, must be readable.
            Ok(true) | Err(_) => Thresholds::parse(&read_source(path, shown)?),
        }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn parse(source: &Arc<Source>) -> Result<Thresholds, Problems> {
        let reader = Reader::new(source);
        let root = toml::parse(&reader);
        let thresholds = if reader.failed() { None } else { read::root(&reader, &root) };
        let problems = reader.finish();
        match thresholds {
            Some(t) if !problems.any_error() => Ok(t),
            Some(_) | None => Err(problems),
        }
    }

    /// Binds the rules to the suites of a project, selected or not: a rule on a suite, a tag or a cut-off that does not exist is an error.
    pub fn bind(&self, suites: &[Suite]) -> Problems {
        let mut problems = Vec::new();
        let mut report = |place: &Place, code, title: String, width: &str, help: String| {
            let mut p = Problem::error(code, place.clone(), title).label("", width.chars().count()).help(help);
            if let Some(source) = &self.source {
                p = p.source(source);
            }
            problems.push(p);
        };
        let list =
            |names: &mut dyn Iterator<Item = &str>| names.map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ");
        // Several rules of one section would report the same name again.
        let mut reported: Vec<&Place> = Vec::new();
        for rule in &self.rules {
            let Some(suite) = suites.iter().find(|s| *s.name == *rule.suite) else {
                if !reported.contains(&&rule.suite_place) {
                    reported.push(&rule.suite_place);
                    let help = match did_you_mean(&rule.suite, suites.iter().map(|s| &*s.name)) {
                        Some(near) => format!("did you mean `{near}`?"),
                        None => format!("the suites are {}", list(&mut suites.iter().map(|s| &*s.name))),
                    };
                    let title =
                        format!("there is no suite `{}`, so this threshold would always hold", shown(&rule.suite));
                    report(&rule.suite_place, "threshold-suite-unknown", title, &rule.suite, help);
                }
                continue;
            };
            if let (Some(tag), Some(place)) = (&rule.tag, &rule.tag_place)
                && !suite.questions.iter().any(|q| q.tags.contains(tag))
                && !reported.contains(&place)
            {
                reported.push(place);
                let mut tags: Vec<&str> =
                    suite.questions.iter().flat_map(|q| q.tags.iter().map(String::as_str)).collect();
                tags.sort_unstable();
                tags.dedup();
                let help = match did_you_mean(tag, tags.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if tags.is_empty() => "this suite has no tags".to_owned(),
                    None => format!("the tags are {}", list(&mut tags.iter().copied())),
                };
                let title = format!("no question of suite `{}` has the tag `{}`", rule.suite, shown(tag));
                report(place, "threshold-tag-unknown", title, tag, help);
            }
            if let Some(k) = rule.metric.cut_off() {
                let given = suite.questions.iter().filter_map(|q| q.top_k).chain(suite.top_k);
                let mut known: Vec<usize> = given.chain(CUT_OFFS).collect();
                known.sort_unstable();
                known.dedup();
                if !known.contains(&k) {
                    let all = known.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
                    let title = format!("nothing computes `{}` for suite `{}`", rule.metric, rule.suite);
                    let help = format!("the cut-offs are {all}: 1, 3, 5, 10 and every `top_k`");
                    report(&rule.place, "threshold-cut-off", title, &rule.metric.to_string(), help);
                }
            }
        }
        Problems(problems)
    }
}
