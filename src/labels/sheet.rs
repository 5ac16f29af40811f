//! Labels of a sheet that people filled in: the sheet that `ragline sample` writes, or any with the same columns.

use super::{Label, Seen};
use crate::import::sheet::plain_rows;
use crate::layer::LayerId;
use crate::problem::{Place, Problem, Problems};
use std::collections::HashMap;
use std::path::Path;

/// The columns that are read, by name; a sheet may have others.
pub const COLUMNS: [&str; 7] = ["suite", "id", "layer", "verdict", "because", "by", "digest"];

/// What stands behind a `pass` without a reason.
const NO_REASON: &str = "as labelled in a sheet";

/// The labels of a sheet (CSV or a workbook), each with its suite; rows without a verdict are not labelled and are left out.
/// Their number comes second.
///
/// # Errors
/// Every row that is no label, with its number; a sheet without the columns.
pub fn read(
    path: &Path,
    shown: &str,
    by: Option<&str>,
    at: Option<&str>,
) -> Result<(Vec<(String, Label)>, usize), Problems> {
    let rows = plain_rows(path)?;
    let mut rows = rows.into_iter();
    let (_, head) = rows.next().unwrap_or_default();
    let column: HashMap<String, usize> = head.iter().enumerate().map(|(i, c)| (c.trim().to_lowercase(), i)).collect();
    for needed in ["suite", "id", "layer", "verdict", "digest"] {
        if !column.contains_key(needed) {
            let title = format!("this sheet has no column `{needed}` in its first row");
            let help =
                "`ragline sample` writes a sheet with all of them; leave its first row and its columns as they are";
            return Err(Problem::error("label-sheet", Place::file(shown), title).help(help).into());
        }
    }
    let (mut labels, mut blank, mut problems) = (Vec::new(), 0, Vec::new());
    for (number, cells) in rows {
        let cell =
            |name: &str| column.get(name).and_then(|i| cells.get(*i)).map(|c| c.trim()).filter(|c| !c.is_empty());
        if cell("verdict").is_none() {
            blank += usize::from(cells.iter().any(|c| !c.trim().is_empty()));
            continue;
        }
        let line = u32::try_from(number).unwrap_or(u32::MAX);
        match label(&cell, by, at, line) {
            Ok(found) => labels.push(found),
            Err(title) => {
                let place = Place { file: shown.into(), line, column: 0 };
                let help = "a verdict is `pass` or `fail`, and a `fail` has its reason in `because`";
                problems.push(Problem::error("label-sheet", place, title).help(help));
            }
        }
    }
    if problems.is_empty() { Ok((labels, blank)) } else { Err(Problems(problems)) }
}

fn label<'c>(
    cell: &impl Fn(&str) -> Option<&'c str>,
    by: Option<&str>,
    at: Option<&str>,
    line: u32,
) -> Result<(String, Label), String> {
    let needed = |name: &str| cell(name).ok_or_else(|| format!("`{name}` is empty"));
    let layer = needed("layer")?;
    let known = || LayerId::ALL.map(LayerId::name).join(", ");
    let layer = LayerId::parse(layer).ok_or_else(|| format!("`layer` is `{layer}`, expected one of {}", known()))?;
    let pass = match needed("verdict")?.to_lowercase().as_str() {
        "pass" => true,
        "fail" => false,
        other => return Err(format!("`verdict` is `{other}`, expected `pass` or `fail`")),
    };
    let because = match (cell("because"), pass) {
        (Some(text), _) => text.to_owned(),
        (None, true) => NO_REASON.to_owned(),
        (None, false) => return Err("`because` is empty, and the verdict is `fail`".to_owned()),
    };
    let label = Label {
        id: needed("id")?.to_owned(),
        layer,
        pass,
        because,
        by: cell("by").or(by).map(str::to_owned),
        at: at.map(str::to_owned),
        answer: Seen::Digest(needed("digest")?.to_owned()),
        line,
    };
    Ok((needed("suite")?.to_owned(), label))
}
