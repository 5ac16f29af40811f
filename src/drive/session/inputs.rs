//! Digests of the files that decide what is made of an answer. Runs that are put together must agree on all of them.

use super::{Options, baseline_stem, with_ending};
use crate::core::plan::{BaselinePlan, SuitePlan};
use crate::digest::Hasher;
use crate::drive::shard::record::digest;
use crate::gate::thresholds::Thresholds;
use crate::labels;
use crate::problem::{Problems, read_source, shown_path};
use crate::suite::config::{self, Project};
use crate::suite::corpus::Corpus;
use std::collections::BTreeMap;
use std::path::Path;

/// What stands for the digest of a file that is not there.
const ABSENT: &str = "absent";

/// By path as messages show it. What the machine is, and where the project lies on it, changes nothing.
///
/// # Errors
/// A file that was there a moment ago and cannot be read.
pub(super) fn digests(
    options: &Options,
    project: &Project,
    suites: &[SuitePlan],
    thresholds: &Thresholds,
) -> Result<BTreeMap<String, String>, Problems> {
    let mut found = BTreeMap::new();
    let policy = thresholds.source.as_ref().map_or_else(|| ABSENT.to_owned(), |s| digest(&s.text));
    found.insert("thresholds.toml".to_owned(), policy);
    found.insert(format!("[privacy] of {}", config::FILE), privacy(project));
    let mut add = |path: &Path| -> Result<(), Problems> {
        let shown = shown_path(path, &project.root);
        let digest = if path.exists() { digest(&read_source(path, &shown)?.text) } else { ABSENT.to_owned() };
        found.insert(shown, digest);
        Ok(())
    };
    for plan in suites {
        add(&plan.suite.path)?;
        add(&labels::file::path_of(&plan.suite.path))?;
        match plan.baseline {
            BaselinePlan::Present { .. } | BaselinePlan::Missing(_) => {
                let stem = baseline_stem(options, project, &plan.suite);
                add(&with_ending(&stem, ".baseline.toml"))?;
                add(&with_ending(&stem, ".accepted.jsonl"))?;
                if let Some(history) = super::history_path(project, &stem) {
                    add(&history)?;
                }
            }
            BaselinePlan::NotUsed => {}
        }
    }
    for plan in suites {
        if let (Some(path), Some(corpus)) = (&plan.suite.corpus, plan.corpus.as_deref()) {
            found.entry(shown_path(path, &project.root)).or_insert_with(|| of_corpus(corpus));
        }
    }
    Ok(found)
}

fn privacy(project: &Project) -> String {
    let mut h = Hasher::default();
    for (what, items) in [("mask", &project.privacy.mask), ("allow", &project.privacy.allow)] {
        for item in items {
            h.field(what);
            h.field(item);
        }
    }
    h.short()
}

fn of_corpus(corpus: &Corpus) -> String {
    let mut h = Hasher::default();
    for (id, document) in &corpus.documents {
        h.field(id);
        h.field(&document.text);
    }
    h.short()
}
