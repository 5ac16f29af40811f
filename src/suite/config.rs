//! `ragline.toml`: targets and profiles (design 5).

use crate::layer::Provides;
use crate::problem::{Place, Problems};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A project: the folder of `ragline.toml` (searched upwards), or the given folder when there is none.
#[derive(Debug, Clone)]
pub struct Project {
    /// The folder; suites are looked for in its `suites/`.
    pub root: PathBuf,
    /// The targets by name. `builtin` is always there.
    pub targets: BTreeMap<String, TargetConfig>,
    /// The profiles by name.
    pub profiles: BTreeMap<String, Profile>,
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

/// Finds and reads the project of a folder.
///
/// # Errors
/// Everything that is wrong with `ragline.toml`.
pub fn load(folder: &Path) -> Result<(Project, Problems), Problems> {
    let targets = BTreeMap::new();
    Ok((Project { root: folder.to_owned(), targets, profiles: BTreeMap::new() }, Problems::default()))
}
