//! A baseline and its accepted answers out of a merge that git could not end: reads the sides wherever they stand, has them
//! merged, and says what to write. Writes nothing itself.

use super::baselines::Pair;
use super::versions::{self, Versions};
use crate::baseline::answers::Answers;
use crate::baseline::conflict::{self, Edge, Sides};
use crate::baseline::file::Baseline;
use crate::baseline::follow::{self, follow};
use crate::baseline::merge::{Base, Fits, From, merge};
use crate::problem::{Place, Problem, Problems, Source, read_source};
use crate::suite::QuestionId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What is to be done with the files of one baseline.
#[derive(Debug, Default)]
pub struct Resolved {
    /// The files that change or end their conflict: path, name, new content.
    pub write: Vec<(PathBuf, String, String)>,
    /// What was done about each question that both sides changed.
    pub told: Vec<(QuestionId, String)>,
    /// How many questions the baseline has.
    pub questions: usize,
}

/// A file as it was found.
enum Found {
    /// It is not there.
    Absent,
    /// No merge is going on in it.
    Whole(Arc<Source>),
    /// Its sides.
    Apart { base: Option<Arc<Source>>, known: bool, ours: Arc<Source>, theirs: Arc<Source>, edges: Vec<Edge> },
}

impl Found {
    fn is_apart(&self) -> bool {
        matches!(self, Found::Apart { .. })
    }
}

/// Resolves the files of one baseline; nothing where neither of them is in conflict.
///
/// # Errors
/// Everything that keeps them from being merged: nothing may be written then.
pub fn resolve(pair: &Pair, fits: &dyn Fn(&QuestionId) -> Fits) -> Result<Option<Resolved>, Problems> {
    let (baseline, answers) = (find(&pair.baseline)?, find(&pair.answers)?);
    if !baseline.is_apart() && !answers.is_apart() {
        return Ok(None);
    }
    let mut out = Resolved::default();
    let (merged, from) = match &baseline {
        Found::Absent => {
            let what = "its accepted answers are in conflict, and there is no baseline";
            return Err(Problem::error("resolve-deleted", Place::file(&pair.baseline.1), what)
                .help("decide about the baseline first: `git checkout --ours FILE`, `--theirs`, or remove both files")
                .into());
        }
        Found::Whole(source) => {
            let merged = Baseline::parse(source)?;
            let from = sides_of(&merged, pair)?;
            (merged, from)
        }
        Found::Apart { base, known, ours, theirs, edges } => {
            let (o, t) = (Baseline::parse(ours)?, Baseline::parse(theirs)?);
            // What the marks tell of the base may not be a whole file: then it is not known.
            let base = match base {
                Some(source) => Baseline::parse(source).ok().map(|b| (ids_at(source, edges), b)),
                None => known.then(Default::default),
            };
            let base = base.as_ref().map_or(Base::Unknown, |(unsure, b)| Base::Known(b, unsure));
            let merged = merge(base, &o, &t, &pair.baseline.1, fits)?;
            out.told = merged.told;
            let (path, shown) = pair.baseline.clone();
            out.write.push((path, shown, merged.baseline.to_toml()));
            (merged.baseline, merged.from)
        }
    };
    out.questions = merged.entries.len();
    answer_files(pair, &answers, &merged, &from, &mut out)?;
    for (path, shown, text) in &out.write {
        untouched(path, shown, text)?;
    }
    Ok(Some(out))
}

/// The accepted answers beside a merged baseline.
fn answer_files(
    pair: &Pair,
    answers: &Found,
    merged: &Baseline,
    from: &BTreeMap<QuestionId, From>,
    out: &mut Resolved,
) -> Result<(), Problems> {
    let (path, shown) = pair.answers.clone();
    let kept = match answers {
        Found::Absent => return Ok(()),
        Found::Whole(source) => {
            let mut kept = Answers::read(source)?;
            let is_kept = |id: &str| merged.entries.contains_key(id) && from.get(id) != Some(&From::Mixed);
            let before = kept.lines.len();
            kept.lines.retain(|id, _| is_kept(id));
            if kept.lines.len() == before {
                return Ok(());
            }
            kept
        }
        Found::Apart { base, known, ours, theirs, .. } => {
            let read = |s: &Arc<Source>| Answers::read(s);
            let (o, t) = (read(ours)?, read(theirs)?);
            let base = match base {
                Some(source) => read(source).ok(),
                None => known.then(Answers::default),
            };
            let (kept, told) = follow(follow::Versions { base: base.as_ref(), ours: &o, theirs: &t }, from);
            out.told.extend(told);
            kept
        }
    };
    let name = |given: &Option<String>| given.clone().unwrap_or_default();
    let text = kept.to_jsonl(&name(&kept.header.suite), &name(&kept.header.target))?;
    out.write.push((path, shown, text));
    Ok(())
}

/// Whose block each question of a baseline has that git merged by itself.
fn sides_of(merged: &Baseline, pair: &Pair) -> Result<BTreeMap<QuestionId, From>, Problems> {
    let (path, shown) = &pair.baseline;
    let sides = match versions::of_commits(path, shown)? {
        Some(Versions { ours: Some(ours), theirs: Some(theirs), .. }) => {
            Some((Baseline::parse(&ours)?, Baseline::parse(&theirs)?))
        }
        Some(_) | None => None,
    };
    let whose = |id: &QuestionId| {
        let Some((ours, theirs)) = &sides else { return From::Mixed };
        let has =
            |b: &Baseline| matches!((b.entries.get(id), merged.entries.get(id)), (Some(a), Some(b)) if a.says_what(b));
        match (has(ours), has(theirs)) {
            (true, true) => From::Both,
            (true, false) => From::Ours,
            (false, true) => From::Theirs,
            (false, false) => From::Mixed,
        }
    };
    Ok(merged.entries.keys().map(|id| (id.clone(), whose(id))).collect())
}

fn find((path, shown): &(PathBuf, String)) -> Result<Found, Problems> {
    let staged = versions::staged(path, shown)?;
    let here = if path.exists() { Some(read_source(path, shown)?) } else { None };
    if let Some(Versions { base, ours, theirs }) = staged {
        let (Some(ours), Some(theirs)) = (ours, theirs) else {
            let what = "one side of the merge removed this file, and the other changed it";
            return Err(Problem::error("resolve-deleted", Place::file(shown), what)
                .help("keep it (`git add FILE`) or remove it (`git rm FILE`); its other file goes the same way")
                .into());
        };
        return Ok(Found::Apart { base, known: true, ours, theirs, edges: Vec::new() });
    }
    let Some(here) = here else { return Ok(Found::Absent) };
    let sides = conflict::split(&here.text).map_err(|line| {
        let place = Place { file: shown.as_str().into(), line, column: 1 };
        Problem::error("resolve-marks", place, "this mark of a conflict stands where none can")
            .source(&here)
            .help("bring the conflict back with `git checkout -m FILE`, or merge it by hand")
    })?;
    let Some(Sides { base, ours, theirs, edges }) = sides else { return Ok(Found::Whole(here)) };
    let named = |text, whose| Arc::new(Source { path: format!("{shown} ({whose})"), text });
    Ok(Found::Apart {
        base: base.map(|text| named(text, "base")),
        known: false,
        ours: named(ours, "ours"),
        theirs: named(theirs, "theirs"),
        edges,
    })
}

/// The questions within whose blocks a conflict begins or ends.
fn ids_at(base: &Source, edges: &[Edge]) -> BTreeSet<QuestionId> {
    let lines: Vec<&str> = base.text.lines().collect();
    let line = |n: Option<usize>| n.and_then(|n| lines.get(n)).copied().unwrap_or_default();
    let is_key = |l: &str| !l.trim().is_empty() && !l.starts_with(['#', '[']);
    let within = |e: &&Edge| is_key(line(Some(e.line))) || (e.begins && !line(e.line.checked_sub(1)).trim().is_empty());
    let id_of = |e: &Edge| {
        let before = lines.get(..e.line)?;
        let header = before.iter().rev().find_map(|l| l.strip_prefix("[question.")?.strip_suffix(']'))?;
        QuestionId::new(header.trim_matches('"'))
    };
    edges.iter().filter(within).filter_map(id_of).collect()
}

/// A file that somebody has merged by hand already, and not as it would be here, is left to them.
fn untouched(path: &Path, shown: &str, text: &str) -> Result<(), Problem> {
    if !path.exists() {
        return Ok(());
    }
    let here = read_source(path, shown)?;
    let in_index = versions::staged(path, shown)?.is_some();
    if !in_index || conflict::first_mark(&here.text).is_some() || here.text == text {
        return Ok(());
    }
    let what = "git says that this file is in conflict, and it has no marks of one: somebody merged it by hand";
    Err(Problem::error("resolve-edited", Place::file(shown), what)
        .help("keep that with `git add FILE`, or bring the conflict back with `git checkout -m FILE`"))
}

/// Merges one file for git: a baseline or accepted answers, of which git gives the three versions. The new content.
///
/// # Errors
/// What keeps it from being merged without a person, or without the other file.
pub fn merge_for_git(base: &Path, ours: &Path, theirs: &Path, shown: &str) -> Result<String, Problems> {
    let read = |path: &Path, whose: &str| read_source(path, &format!("{shown} ({whose})"));
    let (base, ours, theirs) = (read(base, "base")?, read(ours, "ours")?, read(theirs, "theirs")?);
    // git gives an empty file where both sides added theirs.
    let none = base.text.trim().is_empty();
    if shown.ends_with(super::baselines::ANSWERS) || ours.text.starts_with('{') {
        let base = if none { Answers::default() } else { Answers::read(&base)? };
        let (ours, theirs) = (Answers::read(&ours)?, Answers::read(&theirs)?);
        let merged = follow::alone(follow::Versions { base: Some(&base), ours: &ours, theirs: &theirs });
        let merged = merged.map_err(|ids| {
            let what = format!("both sides accepted an answer of {}", ids.join(", "));
            Problem::error("resolve-answers", Place::file(shown), what)
                .help("`ragline baseline resolve` lets each follow its block of the baseline")
        })?;
        let name = |given: &Option<String>| given.clone().unwrap_or_default();
        return Ok(merged.to_jsonl(&name(&merged.header.suite), &name(&merged.header.target))?);
    }
    let base = if none { Baseline::default() } else { Baseline::parse(&base)? };
    let (ours, theirs) = (Baseline::parse(&ours)?, Baseline::parse(&theirs)?);
    // The suite of the working tree is not merged yet.
    let fits = |_: &QuestionId| Fits::Unknown("the merge is still going on".to_owned());
    Ok(merge(Base::Known(&base, &BTreeSet::new()), &ours, &theirs, shown, &fits)?.baseline.to_toml())
}
