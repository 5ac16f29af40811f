//! The fixes that are expected of a change: named by the command, or by `expected.toml` beside `ragline.toml`.

use super::{Options, usage};
use crate::gate::expected::{By, Expected};
use crate::problem::{Place, Problem, Problems, read_source, shown_path};
use crate::suite::Suite;
use crate::suite::config::Project;
use crate::suite::select::{Selection, Selector};
use serde::Deserialize;

/// The name of the file.
pub(super) const FILE: &str = "expected.toml";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    fixed: Vec<String>,
    #[serde(default)]
    by: Option<String>,
}

/// What is expected: by the words of the command where there are any, else by the file where there is one.
///
/// # Errors
/// A file that is not in its form, or a selector that selects nothing.
pub(super) fn expected(options: &Options, project: &Project, suites: &[Suite]) -> Result<Option<Expected>, Problems> {
    let path = project.root.join(FILE);
    let shown = shown_path(&path, &project.root);
    let (words, by, place) = if !options.expect_fixed.is_empty() {
        (options.expect_fixed.clone(), options.expect_by, None)
    } else if path.exists() {
        let source = read_source(&path, &shown)?;
        let place =
            |line: usize| Place { file: shown.as_str().into(), line: u32::try_from(line).unwrap_or(1), column: 0 };
        let wrong = |line: usize, what: String| {
            Problem::error("expected-file", place(line), what)
                .help("version = 1, fixed = [\"ID\"], and by = \"retrieval\" or \"generation\" where that is known")
        };
        let file: File = toml::from_str(&source.text).map_err(|e| {
            let at = e.span().map_or(0, |s| s.start);
            let line = source.text.get(..at).unwrap_or_default().matches('\n').count() + 1;
            wrong(line, e.message().to_owned())
        })?;
        if file.version != 1 {
            return Err(wrong(1, format!("version {} of this file is not known here", file.version)).into());
        }
        let by = match &file.by {
            None => None,
            Some(name) => {
                Some(By::parse(name).ok_or_else(|| wrong(1, format!("`{name}` is nothing that a change is made to")))?)
            }
        };
        (file.fixed, by, Some(place(1)))
    } else {
        return Ok(None);
    };
    let selectors = words.iter().map(|w| Selector::parse(w)).collect::<Result<Vec<_>, _>>();
    let selectors = selectors.map_err(|why| usage("selector", why))?;
    if selectors.is_empty() {
        return Ok(None);
    }
    let selection = Selection::new(&selectors, suites, None)
        .map_err(|none| Problems(none.why.into_iter().map(|w| usage("selector", w)).collect()))?;
    let mut fixed = std::collections::BTreeSet::new();
    for (suite, selected) in suites.iter().zip(&selection.suites) {
        let chosen = suite.questions.iter().zip(selected).filter(|(_, s)| **s);
        fixed.extend(chosen.map(|(q, _)| (suite.name.clone(), q.id.clone())));
    }
    Ok(Some(Expected { fixed, by, place }))
}
