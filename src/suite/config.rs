//! `ragline.toml`: targets and profiles.

pub mod live;
pub mod preset;
mod read;

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
    limits::{PRICE, TIMEOUT},
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
    /// Selectors; none: everything.
    pub select: Vec<String>,
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
            let project = Project {
                root: folder.to_owned(),
                targets: BTreeMap::from([("builtin".to_owned(), read::builtin())]),
                profiles: BTreeMap::new(),
                privacy: live::Privacy::default(),
                refusal: Own::default(),
            };
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
