//! The fixes that are expected of a change: named by the command, or by `expected.toml` beside `ragline.toml`.

use super::{Options, usage};
use crate::gate::expected::{Expected, Named};
use crate::problem::{Place, Problems, read_source, shown_path};
use crate::suite::Suite;
use crate::suite::config::Project;
use crate::suite::select::{Selection, Selector};

/// The name of the file.
pub(super) const FILE: &str = "expected.toml";

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
        let Named { fixed, by } = Named::parse(&*read_source(&path, &shown)?)?;
        (fixed, by, Some(Place { file: shown.as_str().into(), line: 1, column: 0 }))
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
