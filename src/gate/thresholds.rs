//! `thresholds.toml`: the policy, in a file of its own so that those who own quality can own it.
//!
//! A rule that cannot bind never holds in silence: an unknown metric, suite or tag is an error, and so is a number
//! outside its range. No file at all means the defaults, which are the strict ones.

mod bind;
mod metric;
mod read;

pub use metric::Metric;

use super::modes::Modes;
use crate::layer::LayerId;
use crate::problem::{Place, Problems, Source, read_source};
use crate::suite::node::{Reader, toml};
use std::path::Path;
use std::sync::Arc;

#[cfg(test)]
pub(crate) use read::{FOR_PROFILE, RULE, THRESHOLDS};

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

/// What an accepted failure does when its last day has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Expired {
    /// It blocks on the main branch, and warns on pull requests and other branches: the day passes for everybody, and
    /// whoever happens to open a pull request that day did not break it. Where the branch is not known it blocks.
    #[default]
    Main,
    /// It blocks everywhere.
    Block,
    /// It warns.
    Warn,
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
    /// Block, or only say so; block. Parts may differ.
    pub modes: Modes,
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
    /// What an accepted failure does when its last day has passed; blocks on the main branch.
    pub expired: Limit<Expired>,
    /// The names of the main branch; main and master.
    pub main: Limit<Vec<String>>,
    /// What holds instead when a profile is named, in file order.
    pub profiles: Vec<ForProfile>,
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
            modes: Modes::default(),
            max_regressed: Limit::default(),
            max_unmeasured: Limit::default(),
            stale: Limit::default(),
            primary: Limit {
                value: vec![LayerId::Retrieval, LayerId::Facts, LayerId::Refusal, LayerId::Numbers],
                place: None,
            },
            baseline: Limit::default(),
            incomparable: Limit::default(),
            expired: Limit::default(),
            main: Limit { value: ["main", "master"].map(str::to_owned).to_vec(), place: None },
            profiles: Vec::new(),
            rules: Vec::new(),
            source: None,
        }
    }
}

/// `[profile.NAME]`: what holds instead when a profile of `ragline.toml` is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForProfile {
    /// The profile.
    pub name: String,
    /// Where its name stands.
    pub place: Place,
    /// Block, or only say so.
    pub mode: Option<Limit<Mode>>,
    /// How many questions may regress.
    pub max_regressed: Option<Limit<u64>>,
    /// How many questions may stay unmeasured.
    pub max_unmeasured: Option<Limit<u64>>,
    /// What an unaccepted fix does.
    pub stale: Option<Limit<Stale>>,
    /// What an accepted failure does after its last day.
    pub expired: Option<Limit<Expired>>,
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

    /// The policy of a run with a profile: what its section states in place of the rest. The nearest of a profile and
    /// those that it inherits from is the first of `line`.
    #[must_use]
    pub fn for_profile(mut self, line: &[&str]) -> Thresholds {
        for name in line.iter().rev() {
            let Some(given) = self.profiles.iter().find(|p| p.name == *name).cloned() else { continue };
            if let Some(mode) = given.mode {
                self.modes.all = mode;
            }
            let put = |to: &mut Limit<u64>, from: Option<Limit<u64>>| {
                if let Some(limit) = from {
                    *to = limit;
                }
            };
            put(&mut self.max_regressed, given.max_regressed);
            put(&mut self.max_unmeasured, given.max_unmeasured);
            if let Some(stale) = given.stale {
                self.stale = stale;
            }
            if let Some(expired) = given.expired {
                self.expired = expired;
            }
        }
        self
    }
}
