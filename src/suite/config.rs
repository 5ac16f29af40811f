//! `ragline.toml`: targets and profiles.

pub mod live;
pub mod preset;
mod read;

use crate::confirm::Spend;
use crate::layer::Provides;
use crate::layer::refusal::Own;
use crate::problem::{Place, Problems, Source, read_source};
use crate::suite::node::{Reader, toml};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(test)]
pub(crate) use read::{
    BUILTIN_TARGET, CHUNK, PRIVACY, PROFILE, RAGLINE, RECORDED_TARGET,
    limits::{CONFIRM, PRICE, TIMEOUT},
    live::{COMMAND_TARGET, HTTP_TARGET},
    mapping::{CITATION, CONTEXT, FIELD, RESPONSE},
    refusal::REFUSAL,
};

/// A project: the folder of `ragline.toml` (searched upwards), or the given folder when there is none.
#[derive(Debug, Clone)]
pub struct Project {
    /// The folder; suites are looked for in its `suites/`.
    pub root: PathBuf,
    /// The targets by name. `builtin` is always there.
    pub targets: BTreeMap<String, TargetConfig>,
    /// The profiles by name.
    pub profiles: BTreeMap<String, Profile>,
    /// What is taken out of answers before anything is written.
    pub privacy: live::Privacy,
    /// The wordings of refusals and failures that it adds to those of the packs.
    pub refusal: Own,
    /// The folder in which the history of each suite is kept; none: no history is.
    pub history: Option<PathBuf>,
}

/// The settings of one target.
#[derive(Debug, Clone)]
pub struct TargetConfig {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub place: Place,
    /// How it is asked.
    pub kind: TargetKind,
    /// What it is said to return; the kind's default when nothing is said.
    pub provides: Option<Provides>,
    /// How many questions are asked at once; 8 when nothing is said.
    pub concurrency: usize,
    /// Globs of files, below the project's folder, that are part of the subject's identity.
    pub watch: Vec<String>,
    /// Names of environment variables whose values are part of the subject's identity.
    pub env: Vec<String>,
}

/// The ways to ask that are built.
#[derive(Debug, Clone)]
pub enum TargetKind {
    /// BM25 with an extractive answer over the suite's corpus.
    Builtin(BuiltinConfig),
    /// A file of responses.
    Recorded {
        /// The file, joined with the project's folder.
        file: PathBuf,
    },
    /// Asked over HTTP.
    Http(Box<live::HttpConfig>),
    /// A program.
    Command(Box<live::CommandConfig>),
}

impl TargetConfig {
    /// The variables of the environment that its settings name, each with a place that names it.
    pub fn variables(&self) -> Vec<(String, Place)> {
        let mut texts: Vec<&live::EnvText> = Vec::new();
        match &self.kind {
            TargetKind::Http(c) => {
                texts.push(&c.url);
                texts.extend(c.query.iter().chain(&c.headers).map(|(_, t)| t));
                texts.extend(&c.body);
                if let live::Proxy::Through(t) = &c.proxy {
                    texts.push(t);
                }
            }
            TargetKind::Command(c) => {
                texts.extend(&c.command);
                texts.extend(&c.stdin);
            }
            TargetKind::Builtin(_) | TargetKind::Recorded { .. } => {}
        }
        if let Some(live) = self.live() {
            texts.extend(live.start.iter().flat_map(|s| &s.command));
            texts.extend(&live.ready);
        }
        let mut found: Vec<(String, Place)> = Vec::new();
        for text in texts {
            for name in read::units::names(&text.raw).unwrap_or_default() {
                if !found.iter().any(|(n, _)| n == name) {
                    found.push((name.to_owned(), text.place.clone()));
                }
            }
        }
        found
    }

    /// The file whose answers stand for it; none for the builtin target.
    pub fn recording(&self) -> Option<&Path> {
        match &self.kind {
            TargetKind::Builtin(_) => None,
            TargetKind::Recorded { file } => Some(file),
            TargetKind::Http(_) | TargetKind::Command(_) => self.live().map(|l| l.recording.as_path()),
        }
    }

    /// What a target that is asked anew has; nothing for the others.
    pub fn live(&self) -> Option<&live::Live> {
        match &self.kind {
            TargetKind::Http(c) => Some(&c.live),
            TargetKind::Command(c) => Some(&c.live),
            TargetKind::Builtin(_) | TargetKind::Recorded { .. } => None,
        }
    }
}

/// Settings of the builtin target.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltinConfig {
    /// BM25's k1; 1.2.
    pub k1: f64,
    /// BM25's b; 0.75.
    pub b: f64,
    /// How the corpus is cut; by section.
    pub chunk: Chunking,
    /// How many passages are retrieved; 3.
    pub top_k: usize,
    /// The answer is refused when the best score, as a share of the best that the question could reach, is below it.
    pub refuse_below: f64,
}

/// How a corpus is cut into passages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Chunking {
    /// A passage per section.
    Section,
    /// By section, and sections of more than so many characters are cut at sentence ends.
    SectionMax(usize),
    /// Of a fixed size, with an overlap, in characters.
    Fixed {
        /// Characters of a passage.
        size: usize,
        /// Characters that it shares with the one before.
        overlap: usize,
    },
}

impl Default for BuiltinConfig {
    fn default() -> Self {
        BuiltinConfig { k1: 1.2, b: 0.75, chunk: Chunking::Section, top_k: 3, refuse_below: 0.3 }
    }
}

/// A named set of run settings.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// The profile whose settings hold where this one states none.
    pub inherits: Option<String>,
    /// Selectors; none: everything.
    pub select: Option<Vec<String>>,
    /// The target that stands for the suites' own.
    pub target: Option<String>,
    /// Where the answers come from: `live`, `replay`, `fill` or a file.
    pub answers: Option<String>,
    /// Whether targets whose keys are not there are replayed.
    pub without_keys: Option<bool>,
    /// The commit whose policy and baselines decide, as git names it.
    pub policy_from: Option<String>,
    /// The target or the commit that is asked beside what is tested, where questions are asked anew.
    pub against: Option<String>,
    /// How often every question is asked, up to [`REPEATS`].
    pub repeat: Option<u32>,
    /// How much is spent on asking anew.
    pub confirm: Option<Spend>,
}

/// No question is asked more often from the start.
pub const REPEATS: u32 = 100;

impl Project {
    /// The project of a folder without `ragline.toml`.
    pub fn plain(root: PathBuf) -> Project {
        Project {
            root,
            targets: BTreeMap::from([("builtin".to_owned(), read::builtin())]),
            profiles: BTreeMap::new(),
            privacy: live::Privacy::default(),
            refusal: Own::default(),
            history: None,
        }
    }

    /// A profile and those that it inherits from, nearest first; nothing when there is none of this name.
    pub fn line<'a>(&'a self, name: &'a str) -> Vec<&'a str> {
        let mut line = Vec::new();
        let mut next = self.profiles.get_key_value(name);
        while let Some((name, profile)) = next {
            // A circle is an error of the file; it ends here whoever made the project.
            if line.contains(&name.as_str()) {
                break;
            }
            line.push(name.as_str());
            next = profile.inherits.as_deref().and_then(|n| self.profiles.get_key_value(n));
        }
        line
    }

    /// A profile with what it inherits; none when there is none of this name.
    pub fn profile(&self, name: &str) -> Option<Profile> {
        let mut line = self.line(name).into_iter().filter_map(|n| self.profiles.get(n));
        let mut whole = line.next()?.clone();
        for from in line {
            whole.select = whole.select.or_else(|| from.select.clone());
            whole.target = whole.target.or_else(|| from.target.clone());
            whole.answers = whole.answers.or_else(|| from.answers.clone());
            whole.without_keys = whole.without_keys.or(from.without_keys);
            whole.policy_from = whole.policy_from.or_else(|| from.policy_from.clone());
            whole.against = whole.against.or_else(|| from.against.clone());
            whole.repeat = whole.repeat.or(from.repeat);
        }
        Some(whole)
    }
}

/// The file's name.
pub const FILE: &str = "ragline.toml";

/// How many questions are asked at once when nothing is said.
pub const CONCURRENCY: usize = 8;

/// The folder of the project that a folder belongs to: the nearest one, itself or above, with a `ragline.toml`. Nothing where
/// there is none.
pub fn root_of(folder: &Path) -> Option<PathBuf> {
    let start = std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned());
    let found = start.ancestors().find(|f| f.join(FILE).is_file())?;
    // A path as the caller wrote it stays as short as it was.
    Some(if found == start { folder.to_owned() } else { found.to_owned() })
}

/// Finds and reads the project of a folder: `ragline.toml` in it or in the nearest folder above; without one, the
/// folder itself with the target `builtin`.
///
/// # Errors
/// Everything that is wrong with `ragline.toml`.
pub fn load(folder: &Path) -> Result<(Project, Problems), Problems> {
    let root = root_of(folder);
    match root {
        Some(root) => load_file(&root.join(FILE), FILE),
        None => {
            let project = Project::plain(folder.to_owned());
            Ok((project, Problems::default()))
        }
    }
}

/// Reads one `ragline.toml`; `shown` is the path that messages use. Its folder is the project's.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load_file(path: &Path, shown: &str) -> Result<(Project, Problems), Problems> {
    let source = read_source(path, shown)?;
    read_text(&source, path.parent().unwrap_or(Path::new("")).to_owned())
}

/// Reads the text of a `ragline.toml` of the project in `root`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn read_text(source: &Arc<Source>, root: PathBuf) -> Result<(Project, Problems), Problems> {
    let reader = Reader::new(source);
    let tree = toml::parse(&reader);
    let project = if reader.failed() { None } else { read::project(&reader, &tree, root) };
    let problems = reader.finish();
    match project {
        Some(project) if !problems.any_error() => Ok((project, problems)),
        Some(_) | None => Err(problems),
    }
}
