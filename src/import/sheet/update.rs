//! Merges a sheet into its suite: questions and model answers follow the sheet, everything else is the suite's.
//!
//! A row is the question of the same id and text, else of the same text, else of the same id, else, where the sheet has no
//! id, the one whose words are most alike. So ids are never given anew, also when rows move.

use super::columns::Role;
use super::rows::{self, Item, short};
use super::suite::{self, Kept};
use super::{Sheet, file_place, observed_note, only_reference, refuse_other_endings};
use crate::import::{Summary, count, read_back};
use crate::problem::{Place, Problem, Problems};
use crate::suggest::unstated;
use crate::suite::edit::{self, Edits, Layout, Written};
use crate::suite::{Expect, Question, QuestionId, Suite};
use crate::target::builtin::topic;
use crate::text::norm::{matching, unmarked};
use crate::text::pack::Lang;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::Path;

/// Questions alike by at least this share of their words may be one question whose words were changed.
const ALIKE: f64 = 0.5;

/// Questions with a smaller share of the words of the shorter one in common are two questions, and no edit of one.
const OTHER: f64 = 0.4;

/// Merges the sheet into a suite that is there. Without columns of its own it takes those that the suite keeps; with
/// [`Sheet::yes`], where the suite keeps none, those that are guessed.
///
/// # Errors
/// Everything that is wrong with the file, the columns or the suite; nothing is written then.
pub fn update(what: &Sheet<'_>, path: &Path) -> Result<Summary, Problems> {
    refuse_other_endings(path)?;
    let shown = path.to_string_lossy().into_owned();
    let file = edit::read(path, &shown)?;
    let text = file.source.text.as_str();
    let kept = Kept::read(text).map_err(|(line, why)| {
        let place = Place { file: shown.as_str().into(), line: u32::try_from(line).unwrap_or(0), column: 0 };
        let title = format!("the columns that this suite keeps cannot be read: {why}");
        Problem::error("import-column", place, title)
            .help("name the columns on the command line; the line is written anew")
    });
    let kept = if what.columns.is_empty() { kept? } else { kept.ok().flatten() };
    if what.columns.is_empty() && kept.is_none() && !what.yes {
        let title = "this suite does not say which columns of the sheet it came from";
        let help = "name them (--question COLUMN --answer COLUMN …), or take them as guessed with --yes";
        return Err(Problem::error("import-column", file_place(path), title).help(help).into());
    }
    let kept = kept.unwrap_or_default();
    let what = Sheet {
        columns: if what.columns.is_empty() { kept.columns.clone() } else { what.columns.clone() },
        sheet: what.sheet.or(kept.sheet.as_deref()),
        header: what.header.or(kept.header),
        encoding: what.encoding.or(kept.encoding.as_deref()),
        ..what.clone()
    };
    let layout = edit::layout(&file.source)?;
    let read = read_back(path, text)?;
    let language = read.language.clone();
    let table = what.table()?;
    let mapping = what.mapping(&table)?;
    if mapping.column(Role::Question).is_none() {
        let title = "no column is named or filled like one of questions";
        return Err(Problem::error("import-column", file_place(what.file), title).help("add --question COLUMN").into());
    }
    let questions = rows::read(&table, &mapping);
    if questions.items.is_empty() {
        return Err(super::nothing(&what, &questions));
    }
    let pairs = pair(&questions.items, &layout.questions);

    let mut edits = Edits::default();
    let mut told = Told::default();
    for (item, pair) in questions.items.iter().zip(&pairs) {
        let Some(old) = pair.and_then(|at| layout.questions.get(at)) else { continue };
        if !what.replace && is_another(item, old, &language) {
            told.another(item, old);
            continue;
        }
        change(&mut edits, &mut told, text, item, old);
    }
    let mut new: Vec<Item> =
        questions.items.iter().zip(&pairs).filter(|(_, p)| p.is_none()).map(|(i, _)| i.clone()).collect();
    give_ids(&mut new, &layout, &mut told);
    let block: String = new.iter().map(|item| suite::question(item, layout.indent)).collect();
    if !block.is_empty() {
        let gap = if text.get(..layout.end).is_some_and(|t| t.ends_with('\n')) { "" } else { "\n" };
        edits.replace(layout.end..layout.end, format!("{gap}{block}"));
    }
    keep(&mut edits, text, &what.kept(&table, &mapping).line());

    let changed = told.changed.len();
    let same = pairs.iter().flatten().count() - changed - told.others.len();
    let others = match told.others.len() {
        0 => String::new(),
        n => format!(", {n} not applied"),
    };
    let mut notes = vec![format!(
        "{}: {} changed, {} added, {same} as before{others}",
        what.file.file_name().unwrap_or_default().to_string_lossy(),
        count(changed, "question"),
        new.len()
    )];
    notes.push(questions.sum());
    notes.append(&mut told.changes);
    if !told.others.is_empty() {
        notes.append(&mut told.others);
        notes.push(
            "apply these with --replace where the question was reworded; give the row of a new one an id of its own"
                .into(),
        );
    }
    notes.extend(new.iter().map(|i| format!("added: {}  {}", i.id.as_deref().unwrap_or("?"), short(&i.question))));
    notes.append(&mut told.remarks);
    notes.extend(gone(&questions, &pairs, &layout.questions));
    let others = [Role::Facts, Role::MustNot, Role::Tags, Role::Doc, Role::Span];
    let others: Vec<&str> = others.into_iter().filter(|r| mapping.column(*r).is_some()).map(Role::option).collect();
    if !others.is_empty() {
        notes.push(format!("of questions that were there, these columns are not taken: {}", others.join(", ")));
    }
    let differing = differing(&questions.items, &pairs, &layout, &read);
    const SHOWN: usize = 10;
    notes.extend(differing.iter().take(SHOWN).cloned());
    notes.extend((differing.len() > SHOWN).then(|| format!("and {} more", differing.len() - SHOWN)));
    notes.extend(questions.told());
    let observed = new.iter().filter(|i| only_reference(i)).count();
    notes.extend((observed > 0).then(|| observed_note(observed)));
    let unchanged = edits.is_empty();
    let changed_text = if unchanged { file.raw.clone() } else { edits.apply(&file.raw, text) };
    let suite = read_back(path, &changed_text)?;
    notes.extend(against_reference(&suite, &told.references));
    if !unchanged {
        super::write(path, &changed_text)?;
    }
    let without: Vec<&str> = suite.questions.iter().filter(|q| is_unchecked(q)).map(|q| q.id.as_str()).collect();
    if !what.suggest && !without.is_empty() {
        notes.push(format!("without facts: {}", crate::import::some_of(&without)));
    }
    let (note, next) = super::goes_on(&suite, path, &what, &suite.name)?;
    notes.extend(note);
    if unchanged && !what.suggest {
        return Ok(Summary { written: Vec::new(), notes, next });
    }
    Ok(Summary { written: vec![shown], notes, next })
}

/// Whether a question has a model answer and nothing of it is checked.
fn is_unchecked(q: &Question) -> bool {
    q.reference.is_some() && q.facts.is_empty() && matches!(q.expect, Expect::Answer | Expect::Either)
}

/// What the sheet says otherwise of the tags and documents of questions that were there: those columns are not taken.
fn differing(items: &[Item], pairs: &[Option<usize>], layout: &Layout<'_>, suite: &Suite) -> Vec<String> {
    let mut out = Vec::new();
    for (item, pair) in items.iter().zip(pairs) {
        let Some(old) = pair.and_then(|at| layout.questions.get(at)) else { continue };
        let Some(q) = suite.questions.iter().find(|q| q.id.as_str() == old.id) else { continue };
        let mut said = |key: &str, own: Vec<&str>, sheet: &[String]| {
            let (a, b): (BTreeSet<&str>, BTreeSet<&str>) =
                (own.into_iter().collect(), sheet.iter().map(String::as_str).collect());
            if !b.is_empty() && a != b {
                let list = |set: &BTreeSet<&str>| set.iter().copied().collect::<Vec<_>>().join(", ");
                let was = if a.is_empty() { "none".to_owned() } else { list(&a) };
                out.push(format!("{}: {key} in the suite: {was}; in row {}: {}", old.id, item.row, list(&b)));
            }
        };
        said("tags", q.tags.iter().map(String::as_str).collect(), &item.tags);
        said("doc", q.places().filter_map(|e| e.doc.as_deref()).collect(), &item.docs);
    }
    out
}

/// Whether a row has the id of a question and is another one: hardly a word of the one stands in the other.
fn is_another(item: &Item, old: &Written<'_>, lang: &Lang) -> bool {
    item.question != old.question
        && item.id.as_deref() == Some(old.id.as_str())
        && matching(&item.question) != matching(&old.question)
        && in_common(&item.question, &old.question, lang) < OTHER
}

/// The questions whose model answer changed and whose facts it does not state any more.
fn against_reference(suite: &Suite, changed: &BTreeSet<String>) -> Option<String> {
    let of = suite.questions.iter().filter(|q| changed.contains(q.id.as_str()));
    let against: Vec<&str> = of.filter(|q| !unstated(q, &suite.language).is_empty()).map(|q| q.id.as_str()).collect();
    (!against.is_empty()).then(|| {
        format!(
            "{}: their facts do not hold for the model answer any more; `ragline lint` shows each",
            against.join(", ")
        )
    })
}

/// What is told of the questions that were there.
#[derive(Default)]
struct Told {
    /// The changes, several lines each.
    changes: Vec<String>,
    /// The ids with a change.
    changed: BTreeSet<String>,
    /// The ids with another model answer.
    references: BTreeSet<String>,
    /// Rows that are another question than that of their id, with both texts.
    others: Vec<String>,
    /// What else a person should look at.
    remarks: Vec<String>,
}

impl Told {
    /// A row that is not applied.
    fn another(&mut self, item: &Item, old: &Written<'_>) {
        self.others.push(format!(
            "not applied: row {} has the id `{}` and asks something else\n    suite  {}\n    sheet  {}",
            item.row,
            old.id,
            one_line(&old.question),
            one_line(&item.question)
        ));
    }
}

/// Applies what the sheet says anew of a question.
fn change(edits: &mut Edits, told: &mut Told, text: &str, item: &Item, old: &Written<'_>) {
    let mut set = |key: &str, was: Option<&str>, now: &str| {
        edits.set(text, &old.node, key, now);
        told.changed.insert(old.id.clone());
        let line = |sign: char, text: &str| format!("\n    {sign} {}", one_line(text));
        let was = was.map(|w| line('-', w)).unwrap_or_default();
        told.changes.push(format!("changed: {} {key}{was}{}", old.id, line('+', now)));
    };
    if item.question != old.question {
        set("question", Some(&old.question), &item.question);
    }
    match (&item.reference, &old.reference) {
        (Some(now), was) if was.as_deref() != Some(now) => {
            set("reference", was.as_deref(), now);
            told.references.insert(old.id.clone());
        }
        (None, Some(_)) => {
            told.remarks.push(format!("{}: row {} has no answer any more; the suite keeps its own", old.id, item.row));
        }
        (Some(_) | None, _) => {}
    }
    if item.question != old.question && alike(&item.question, &old.question) < ALIKE && old.node.get("facts").is_some()
    {
        let remark = format!("{}: this may be another question now; its facts are those of the old one", old.id);
        told.remarks.push(remark);
    }
    if let Some(id) = item.id.as_ref().filter(|id| **id != old.id) {
        told.remarks.push(format!("{}: row {} has the id `{id}`; the suite keeps its own", old.id, item.row));
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', " ↵ ")
}

/// Says which questions of the suite a row may be.
type Pass<'p> = &'p dyn Fn(&Item) -> Vec<usize>;

/// For each row the question of the suite that it is.
fn pair(items: &[Item], olds: &[Written<'_>]) -> Vec<Option<usize>> {
    let mut by_text: HashMap<String, Vec<usize>> = HashMap::new();
    let mut by_id: HashMap<&str, usize> = HashMap::new();
    for (at, old) in olds.iter().enumerate() {
        by_text.entry(matching(&old.question)).or_default().push(at);
        by_id.entry(old.id.as_str()).or_insert(at);
    }
    let mut pairs: Vec<Option<usize>> = vec![None; items.len()];
    let mut taken: HashSet<usize> = HashSet::new();
    let same_id = |item: &Item| item.id.as_deref().and_then(|id| by_id.get(id)).copied();
    let same_text = |item: &Item| by_text.get(&matching(&item.question)).cloned().unwrap_or_default();
    let passes: [Pass<'_>; 3] =
        [&|item| same_text(item).into_iter().filter(|at| same_id(item) == Some(*at)).collect(), &same_text, &|item| {
            same_id(item).into_iter().collect()
        }];
    for pass in passes {
        for (item, pair) in items.iter().zip(&mut pairs).filter(|(_, p)| p.is_none()) {
            *pair = pass(item).into_iter().find(|at| taken.insert(*at));
        }
    }
    // The rest without an id: the pairs that are most alike come first.
    let free = |at: &usize| !taken.contains(at);
    let mut near: Vec<(f64, usize, usize)> = Vec::new();
    let open: Vec<usize> = (0..olds.len()).filter(free).collect();
    for (row, item) in items.iter().enumerate().filter(|(row, i)| i.id.is_none() && pairs.get(*row) == Some(&None)) {
        let alike = open.iter().filter_map(|at| Some((alike(&item.question, &olds.get(*at)?.question), row, *at)));
        near.extend(alike.filter(|(share, ..)| *share >= ALIKE));
    }
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    for (_, row, at) in near {
        if let Some(pair) = pairs.get_mut(row).filter(|p| p.is_none())
            && taken.insert(at)
        {
            *pair = Some(at);
        }
    }
    pairs
}

fn words(text: &str) -> HashSet<String> {
    let form = matching(text);
    crate::text::segment::words_of(&form).into_iter().filter_map(|r| form.get(r).map(str::to_owned)).collect()
}

/// The share of words that two questions have in common, of those of the shorter one: an edit that adds to a question keeps its
/// words. Words that only ask (`how long`) tell no two questions apart, and marks that were left out are no other word.
fn in_common(a: &str, b: &str, lang: &Lang) -> f64 {
    let about = |text: &str| -> HashSet<String> { topic(text, lang).iter().map(|w| unmarked(w)).collect() };
    let (mut a_words, mut b_words) = (about(a), about(b));
    // `How long?` is about nothing by itself.
    if a_words.is_empty() || b_words.is_empty() {
        (a_words, b_words) = (words(a), words(b));
    }
    let (a, b) = (a_words, b_words);
    let shorter = a.len().min(b.len());
    if shorter == 0 { 0.0 } else { a.intersection(&b).count() as f64 / shorter as f64 }
}

/// The share of words that two questions have in common, of all that either has.
fn alike(a: &str, b: &str) -> f64 {
    let (a, b) = (words(a), words(b));
    let common = a.intersection(&b).count();
    let all = a.len() + b.len() - common;
    if all == 0 { 0.0 } else { common as f64 / all as f64 }
}

/// Ids for new questions: the sheet's where the suite has none of that name, else `qNNN` behind the last one.
fn give_ids(new: &mut [Item], layout: &Layout<'_>, told: &mut Told) {
    let mut taken: HashSet<String> = layout.questions.iter().map(|q| q.id.to_ascii_lowercase()).collect();
    let number = |id: &str| id.strip_prefix('q').and_then(|n| n.parse::<usize>().ok());
    let mut last = taken.iter().filter_map(|id| number(id)).max().unwrap_or(layout.questions.len());
    for item in new {
        let wanted = item.id.clone().filter(|id| QuestionId::new(id).is_some());
        if let Some(id) = wanted.as_ref().filter(|id| taken.insert(id.to_ascii_lowercase())) {
            item.id = Some(id.clone());
            continue;
        }
        let made = loop {
            last += 1;
            let id = format!("q{last:03}");
            if taken.insert(id.clone()) {
                break id;
            }
        };
        if let Some(id) = wanted {
            told.remarks.push(format!("{made}: row {} has the id `{id}`, which is another question's", item.row));
        }
        item.id = Some(made);
    }
}

/// Questions that no row is: they stay.
fn gone(questions: &rows::Questions, pairs: &[Option<usize>], olds: &[Written<'_>]) -> Option<String> {
    let there: HashSet<usize> = pairs.iter().flatten().copied().collect();
    let left = |old: &Written<'_>| questions.left_texts.contains(&matching(&old.question));
    let gone: Vec<&str> = olds
        .iter()
        .enumerate()
        .filter(|(at, old)| !there.contains(at) && !left(old))
        .map(|(_, old)| old.id.as_str())
        .collect();
    (!gone.is_empty()).then(|| {
        format!("not in the sheet any more, and left as they are in the suite: {}; take them out by hand, then `ragline accept \
             --removed --reason \"…\"`",
            crate::import::some_of(&gone)
        )
    })
}

/// Keeps the columns of this time in the suite.
fn keep(edits: &mut Edits, text: &str, line: &str) {
    let line = line.trim_end();
    let Some(start) = Kept::place(text) else {
        edits.replace(0..0, format!("{line}\n"));
        return;
    };
    if text.get(start.clone()) != Some(line) {
        edits.replace(start, line.to_owned());
    }
}
