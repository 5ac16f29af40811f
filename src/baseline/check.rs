//! Whether the files of a baseline are as `ragline accept` writes them, and fit each other and their suite. Functions of the
//! texts; the command reads and writes.

use super::answers::Answers;
use super::conflict::first_mark;
use super::file::{Baseline, Entry};
use crate::problem::{Place, Problem, Problems, Source};
use crate::suite::{QuestionId, Suite};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Named in a message at most so many.
const NAMED: usize = 5;

fn at(source: &Source, line: u32) -> Place {
    Place { file: source.path.as_str().into(), line, column: 1 }
}

/// What is said of a baseline.
#[derive(Debug, Default)]
pub struct Checked {
    /// The baseline, where it can be read.
    pub baseline: Option<Baseline>,
    /// What `--write` brings in order.
    pub form: Problems,
    /// What a person has to look at.
    pub rest: Problems,
    /// Lines that `accept` does not keep, such as comments of a person, each with its number, from 1.
    pub lost: Vec<(u32, String)>,
}

/// Checks the file of a baseline against its canonical form, and against its suite where that is known.
pub fn baseline(source: &Arc<Source>, suite: Option<&Suite>) -> Checked {
    let read = match Baseline::parse(source) {
        Ok(read) => read,
        Err(rest) => return Checked { rest, ..Checked::default() },
    };
    let mut checked = Checked::default();
    let canonical = read.to_toml();
    if canonical != source.text {
        checked.lost = lost(&source.text, &canonical);
        let found = unsorted(source, &read).unwrap_or_else(|| other_form(source, &canonical, &checked.lost));
        checked
            .form
            .0
            .push(found.help("`ragline baseline check --write` brings it into the form that `accept` writes"));
    }
    if let Some(suite) = suite {
        checked.rest.0.extend(unknown(source, &read, suite));
    }
    checked.baseline = Some(read);
    checked
}

/// The comment lines that are not in the canonical form.
fn lost(text: &str, canonical: &str) -> Vec<(u32, String)> {
    let kept: BTreeSet<&str> = canonical.lines().map(str::trim).collect();
    let is_lost = |line: &&str| line.starts_with('#') && !kept.contains(line);
    text.lines().map(str::trim).zip(1..).filter(|(l, _)| is_lost(l)).map(|(l, n)| (n, l.to_owned())).collect()
}

/// The first block that stands behind one that it belongs before.
fn unsorted(source: &Arc<Source>, read: &Baseline) -> Option<Problem> {
    let mut blocks: Vec<(&QuestionId, &Entry)> = read.entries.iter().collect();
    blocks.sort_by_key(|(_, e)| e.place.line);
    let (before, after) = blocks.iter().zip(blocks.iter().skip(1)).find(|(a, b)| a.0 > b.0)?;
    let what = format!("`{}` stands behind `{}`, expected the blocks sorted by id", after.0, before.0);
    Some(Problem::error("baseline-form", after.1.place.clone(), what).source(source))
}

/// The first line that `accept` writes in another way.
fn other_form(source: &Arc<Source>, canonical: &str, lost: &[(u32, String)]) -> Problem {
    if let Some((line, comment)) = lost.first() {
        let what = format!("`{comment}` is a comment that `accept` does not keep: write it as `reason`");
        return Problem::error("baseline-form", at(source, *line), what).source(source);
    }
    let pairs = source.text.lines().map(Some).chain([None]).zip(canonical.lines().map(Some).chain([None]));
    let first = pairs.zip(1..).find(|((found, wanted), _)| found != wanted);
    let (what, line) = match first {
        Some(((Some(found), Some(wanted)), n)) => (format!("found `{found}`, expected `{wanted}`"), n),
        Some(((Some(found), None), n)) => (format!("found `{found}`, expected the end of the file"), n),
        Some(((None, Some(wanted)), n)) => (format!("the file ends here, expected `{wanted}`"), n),
        Some(((None, None), n)) => ("the end of the file is not as expected".to_owned(), n),
        None => ("the line ends are not as expected".to_owned(), 1),
    };
    Problem::error("baseline-form", at(source, line), what).source(source)
}

/// Questions that the suite does not hold.
fn unknown(source: &Arc<Source>, read: &Baseline, suite: &Suite) -> Vec<Problem> {
    let here: BTreeSet<&QuestionId> = suite.questions.iter().filter(|q| !q.draft).map(|q| &q.id).collect();
    let gone = read.entries.iter().filter(|(id, _)| !here.contains(id));
    gone.map(|(id, e)| {
        let what = match suite.questions.iter().any(|q| q.id == *id) {
            true => format!("`{id}` is a draft in suite `{}`, and drafts are not asked", suite.name),
            false => format!("suite `{}` holds no question `{id}`", suite.name),
        };
        Problem::error("baseline-gone", e.place.clone(), what)
            .source(source)
            .help(format!("after the next run: `ragline accept --removed {}::{id}`", suite.name))
    })
    .collect()
}

/// Checks the file of accepted answers by itself and against the baseline. With the answers, where they can be read, and
/// whether `--write` has anything to bring in order.
pub fn answers(source: &Source, baseline: Option<&Baseline>) -> (Option<Answers>, bool, Problems) {
    if let Some(line) = first_mark(&source.text) {
        let found = Problem::error("accepted-conflict", at(source, line), "a merge left its marks here");
        return (None, false, found.help("`ragline baseline resolve` lets each answer follow its block").into());
    }
    let read = match Answers::read(source) {
        Ok(read) => read,
        Err(problems) => return (None, false, problems),
    };
    let mut problems = Problems::default();
    let mut order = false;
    for (id, first, second) in &read.doubled {
        let what = format!("`{id}` has a second accepted answer");
        let found = Problem::error("accepted-duplicate", at(source, *second), what)
            .related(at(source, *first), "the first one");
        problems.0.push(found.help("keep the one that earned the block, or accept the question again"));
    }
    let fixable = "`ragline baseline check --write` mends it";
    if let Some(line) = read.unsorted {
        order = true;
        let what = "this answer stands behind one that it belongs before, expected the lines sorted by id";
        problems.0.push(Problem::error("accepted-order", at(source, line), what).help(fixable));
    }
    if let Some(baseline) = baseline {
        for (id, line) in read.lines.iter().filter(|(id, _)| !baseline.entries.contains_key(id.as_str())) {
            order = true;
            let what = format!("the answer of `{id}` is accepted, and the baseline has no block for it");
            problems.0.push(Problem::error("accepted-orphan", at(source, line.number), what).help(fixable));
        }
        let bare: Vec<&QuestionId> =
            baseline.entries.keys().filter(|id| !read.lines.contains_key(id.as_str())).collect();
        problems.0.extend(unanswered(source, &bare));
    }
    (Some(read), order, problems)
}

/// A warning: questions without an accepted answer, which are judged alone once they or the rules change.
pub fn unanswered(source: &Source, bare: &[&QuestionId]) -> Option<Problem> {
    let named: Vec<&str> = bare.iter().take(NAMED).map(|id| id.as_str()).collect();
    let more = bare.len().saturating_sub(NAMED);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!bare.is_empty()).then(|| {
        let what = format!("no accepted answer for {}{more}", named.join(", "));
        Problem::warning("accepted-missing", Place::file(&source.path), what)
            .help("they are judged alone when they or the rules change; accept them again to have one")
    })
}
