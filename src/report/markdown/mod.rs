//! The Markdown report: for a comment on a pull request, or the summary of a CI step.
//!
//! The decision and the rules that made it first, then the questions that changed, then the layers, then what the run cannot
//! see, then what to type, then what is folded away. Every text that is not ours goes through the Markdown cleaner. A report
//! that would be refused for its length loses folds from the end, then rows from the end, and says so. The first line is a
//! comment that nobody sees, by which a CI step finds the comment of an earlier run and replaces it.

mod details;
mod layers;
mod room;

pub(super) use layers::{COLUMNS, counted, row as layer_row, unseen_by};
pub use room::Room;

use super::gather::Gathered;
use super::order::gravest_first;
use super::terminal::{no_baseline, word};
use super::{clean, cut, file, measure, story};
use crate::core::event::{BaselineState, Reporter};
use crate::core::{Change, Event, QuestionReport, Verdict};
use crate::digest::Hasher;
use crate::gate::{Decision, Exit, RuleVerdict};
use crate::problem::Place;
use crate::suite::Severity;
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

/// Code points of one reason.
const MESSAGE: usize = 300;

/// Code points of a question in a cell.
const QUESTION: usize = 200;

/// So many reasons stand in a cell.
const REASONS: usize = 2;

/// Bytes of a command that is told.
const COMMAND: usize = 2_000;

/// So many broken rules are told one by one.
const RULES: usize = 20;

/// A passage that was in the prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// The document and the headings, or whatever names it.
    pub place: String,
    /// Its text, from its beginning.
    pub text: String,
}

/// What was in the prompt of the questions that are told at length. The events of a run do not carry it; whoever has the
/// run's journal may look it up.
#[derive(Debug, Clone, Default)]
pub struct Passages(BTreeMap<(String, String), Vec<Passage>>);

impl Passages {
    /// Adds those of a question of a suite.
    pub fn add(&mut self, suite: &str, id: &str, passages: Vec<Passage>) {
        self.0.insert((suite.to_owned(), id.to_owned()), passages);
    }

    fn of(&self, q: &QuestionReport) -> Option<&[Passage]> {
        self.0.get(&(q.suite.to_string(), q.id.to_string())).map(Vec::as_slice)
    }
}

/// Collects a run; [`Markdown::write_to`] writes the report.
#[derive(Debug, Default)]
pub struct Markdown {
    title: Option<String>,
    passages: Passages,
    run: Gathered,
    decision: Option<Decision>,
}

impl Markdown {
    /// An empty report.
    pub fn new() -> Self {
        Markdown::default()
    }

    /// What the report is called in its heading, in place of the suites; part of the mark in its first line.
    #[must_use]
    pub fn title(mut self, title: Option<String>) -> Self {
        self.title = title;
        self
    }

    /// The passages that its folds show.
    #[must_use]
    pub fn passages(mut self, passages: Passages) -> Self {
        self.passages = passages;
        self
    }

    /// The report as a comment; empty until the run is decided.
    pub fn text(&self) -> String {
        self.within(Room::COMMENT)
    }

    /// The report in so much room; empty until the run is decided.
    pub fn within(&self, room: Room) -> String {
        self.decision.as_ref().map(|d| self.report(d, room)).unwrap_or_default()
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; the message names the path.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        file::write(path, self.text().as_bytes())
    }

    fn report(&self, d: &Decision, room: Room) -> String {
        let questions = shown(&self.run);
        let mut head = self.mark() + "\n";
        self.decided(&mut head, d);
        let mut tail = layers::tables(d) + &layers::unseen(&self.run.header, d);
        self.next(&mut tail, &questions, d);

        // Room for the two sentences on what was left out.
        let mut left = room.less(700);
        let fixed = left.take(&head) && left.take(&tail);
        if !fixed {
            // Hundreds of rules, or of suites: the decision stands at the front.
            let all = head + &tail;
            return cut::bytes(&cut::chars(&all, room.units / 2), room.bytes);
        }
        let rows = rows(&questions, &mut left);
        let known = Some(known(&self.run)).filter(|k| left.take(k)).unwrap_or_default();
        let folds = self.folds(&questions, &mut left);
        head + &rows + &known + &tail + &folds
    }

    /// The comment by which a later run finds this one: the same for the same title, else for the same suites.
    fn mark(&self) -> String {
        let mut hasher = Hasher::default();
        match &self.title {
            Some(title) => {
                hasher.field("title");
                hasher.field(title);
            }
            None => {
                let names: BTreeSet<&str> = self.run.header.suites.iter().map(|s| &*s.name).collect();
                hasher.field("suites");
                names.iter().for_each(|n| hasher.field(n));
            }
        }
        format!("<!-- ragline report {} -->", hasher.short())
    }

    /// The decision, the rules that made it, what there is to know about the run, the counts.
    fn decided(&self, out: &mut String, d: &Decision) {
        let sign = match d.exit {
            Exit::Open if d.exit_if_blocking != Exit::Open => "⚠️",
            Exit::Open => "✅",
            Exit::Incomplete => "❔",
            Exit::Closed | Exit::Usage | Exit::NothingSelected | Exit::ReportNotWritten => "❌",
        };
        let suites = || self.run.header.suites.iter().map(|s| s.name.to_string()).collect::<Vec<_>>().join(", ");
        let of = cut::chars(&self.title.clone().unwrap_or_else(suites), 300);
        let of = if of.is_empty() { String::new() } else { format!(" · {}", clean::markdown(&of)) };
        out.push_str(&format!("### {sign} {}{of}\n\n", word(d.exit, no_baseline(&self.run))));
        for notice in notices(&self.run, d) {
            out.push_str(&format!("**{}**\n\n", clean::markdown(&cut::chars(&notice, MESSAGE))));
        }
        let broken: Vec<_> =
            d.rules.iter().filter(|r| matches!(r.verdict, RuleVerdict::Broken(_) | RuleVerdict::Advised(_))).collect();
        for r in broken.iter().take(RULES) {
            let message = clean::markdown(&cut::chars(&r.message, MESSAGE)).into_owned();
            let place = r.place.as_ref().map(|p| format!(" ({})", place(p))).unwrap_or_default();
            out.push_str(&format!("- {message}{place}\n"));
        }
        if broken.len() > RULES {
            out.push_str(&format!("- and {} more\n", broken.len() - RULES));
        }
        if !broken.is_empty() {
            out.push('\n');
        }
        out.push_str(&measure::markdown(&self.run.header));
        let tally: Vec<String> = d.tally.iter().map(|(c, n)| super::terminal::counted(*c, *n)).collect();
        if !tally.is_empty() {
            out.push_str(&format!("{}\n\n", clean::markdown(&format!("Questions: {}", tally.join(" · ")))));
        }
        for notice in &d.notices {
            out.push_str(&format!("{}\n\n", clean::markdown(&cut::chars(notice, 1_000))));
        }
    }

    /// What to type next, as code that can be copied. The report is read beside a pull request, far from the machine that ran:
    /// what is accepted comes from the job's artefact.
    fn next(&self, out: &mut String, questions: &[&QuestionReport], d: &Decision) {
        let first = no_baseline(&self.run);
        let mend = story::mend(questions);
        let meant = story::accept(questions).filter(|_| !first);
        let (accepts, others): (Vec<&String>, Vec<&String>) =
            d.next.iter().chain(&mend).partition(|line| line.starts_with(ACCEPT));
        // What breaks before what got better.
        let accepts: BTreeSet<&String> = accepts.into_iter().filter(|line| Some(*line) != meant.as_ref()).collect();
        let accepts: Vec<String> = meant.iter().chain(accepts).map(|line| from_artefact(line)).collect();
        if !accepts.is_empty() {
            out.push_str(if first {
                "To start from what this run measured, with the artefact of this job as `rag.zip` (none is needed where it ran):\n\n"
            } else {
                "If this is meant, with the artefact of this job as `rag.zip` (none is needed where it ran):\n\n"
            });
        }
        let keep = (!accepts.is_empty()).then(|| self.keep(first));
        // A command that is cut is no command.
        let lines = others.into_iter().chain(&accepts).chain(&keep).filter(|l| l.len() <= COMMAND);
        let lines: Vec<_> = lines.take(RULES).map(|l| clean::terminal(l)).collect();
        if lines.is_empty() {
            return;
        }
        let fence = "`".repeat(lines.iter().map(|l| longest_run(l)).max().unwrap_or(0).max(2) + 1);
        out.push_str(&format!("{fence}sh\n{}\n{fence}\n\n", lines.join("\n")));
    }

    /// The commit of what was accepted: the folders of the baselines.
    fn keep(&self, first: bool) -> String {
        let folders: BTreeSet<String> = self
            .run
            .header
            .suites
            .iter()
            .filter_map(|s| match &s.baseline {
                BaselineState::Present(path) | BaselineState::Missing(path) => Some(path.as_str()),
                BaselineState::NotUsed => None,
            })
            .map(|path| path.rsplit_once('/').map_or(".", |(folder, _)| folder))
            .map(shell)
            .collect();
        let folders: Vec<String> = folders.into_iter().collect();
        let what = if first { "The first baseline" } else { "Accept what this change does to the answers" };
        format!("git add {} && git commit -m \"{what}\"", folders.join(" "))
    }

    fn folds(&self, questions: &[&QuestionReport], left: &mut Room) -> String {
        let mut out = String::new();
        let mut left_out = 0_usize;
        for q in questions {
            // Once a fold does not fit none is even made: what is left out is always the end.
            if left_out > 0 {
                left_out += usize::from(q.verdict != Verdict::Passed);
                continue;
            }
            let Some(fold) = details::fold(q, &self.passages) else { continue };
            if left.take(&fold) { out.push_str(&fold) } else { left_out += 1 }
        }
        if left_out > 0 {
            let n = cut::count(left_out);
            out.push_str(&format!("… and the details of {n} more questions, left out for length: {WHOLE}.\n"));
        }
        out
    }
}

/// How a line begins that writes baselines.
const ACCEPT: &str = "ragline accept ";

/// The same line for a run that another machine made.
fn from_artefact(line: &str) -> String {
    match line.split_once(" --reason ") {
        Some((front, reason)) => format!("{front} --run rag.zip --reason {reason}"),
        None => format!("{line} --run rag.zip"),
    }
}

/// Where all of it is.
const WHOLE: &str = "`ragline show ID`, and `results.jsonl` in the run folder, have them all";

impl Reporter for Markdown {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.run.take(event);
        if let Event::Decided(d) = event {
            self.decision = Some(d.clone());
        }
        Ok(())
    }
}

/// What a reader must know of the run as a whole before anything else, a sentence each.
pub(super) fn notices(run: &Gathered, d: &Decision) -> Vec<String> {
    let mut out = Vec::new();
    out.extend(run.header.not_in_full.clone());
    if d.exit != d.exit_if_blocking {
        out.push(format!("Advisory: this would have blocked (exit {})", d.exit_if_blocking.code()));
    }
    if let Some((selected, all)) = run.header.partial {
        out.push(format!("Partial: {} of {} questions", cut::count(selected), cut::count(all)));
    }
    out
}

/// The questions of the table. Known failures are told apart, and new passes are in the counts.
fn shown(run: &Gathered) -> Vec<&QuestionReport> {
    let counted = |c: Change| matches!(c, Change::StillFailing | Change::NewPass | Change::Flaky);
    let blocks = |q: &QuestionReport| matches!(q.verdict, Verdict::Failed | Verdict::Incomplete);
    let wanted = |q: &QuestionReport| if counted(q.change) { blocks(q) } else { story::notable(q) };
    let mut out: Vec<_> = run.questions.iter().filter(|q| wanted(q)).collect();
    gravest_first(&mut out);
    out
}

/// `shop-vi::q14`.
fn name(q: &QuestionReport) -> String {
    format!("{}::{}", cut::chars(&q.suite, QUESTION), q.id)
}

/// A place, cleaned; a file's name may be long.
fn place(p: &Place) -> String {
    clean::markdown(&cut::chars(&p.to_string(), QUESTION)).into_owned()
}

fn severity(q: &QuestionReport) -> &'static str {
    match q.severity {
        Severity::Critical => " · critical",
        Severity::Normal => "",
        Severity::Minor => " · minor",
    }
}

/// A word of a shell's line.
fn shell(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    if word.chars().all(plain) && !word.starts_with('-') {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// So many known failures are told one by one.
const KNOWN: usize = 20;

/// So many known failures stand open; more are folded.
const UNFOLDED: usize = 3;

/// The failures that the baseline knows of: which, what is asked, why, until when.
fn known(run: &Gathered) -> String {
    let counts = |q: &&QuestionReport| matches!(q.verdict, Verdict::Failed | Verdict::Incomplete);
    let known: Vec<_> = run.questions.iter().filter(|q| q.change == Change::StillFailing && !counts(q)).collect();
    if known.is_empty() {
        return String::new();
    }
    // A list in a fold is read as Markdown between empty lines.
    let (begin, end) = match known.len() {
        0..=UNFOLDED => ("Known failures:\n\n".to_owned(), "\n"),
        n => (format!("<details><summary>{} known failures</summary>\n\n", cut::count(n)), "\n</details>\n\n"),
    };
    let mut out = begin;
    for q in known.iter().take(KNOWN) {
        let cut = |text: &str| clean::markdown(&cut::chars(text, QUESTION)).into_owned();
        let why = q.known_reason.as_deref().map_or_else(|| "no reason is noted".to_owned(), cut);
        let name = clean::markdown(&name(q)).into_owned();
        out.push_str(&format!("- **{name}** {} — {why}\n", cut(&q.question)));
    }
    if known.len() > KNOWN {
        out.push_str(&format!("- and {} more\n", cut::count(known.len() - KNOWN)));
    }
    out.push_str(end);
    out
}

fn rows(questions: &[&QuestionReport], left: &mut Room) -> String {
    if questions.is_empty() {
        return String::new();
    }
    let mut out = "| Question | Change | Layers | Why |\n| --- | --- | --- | --- |\n".to_owned();
    left.take(&out);
    let mut told = 0;
    for q in questions {
        let row = row(q);
        // A row that does not fit ends the table: what is left out is always the end.
        if !left.take(&row) {
            break;
        }
        out.push_str(&row);
        told += 1;
    }
    out.push('\n');
    if told < questions.len() {
        let n = cut::count(questions.len() - told);
        out.push_str(&format!("… and {n} more questions, left out for length: {WHOLE}.\n\n"));
    }
    out
}

fn row(q: &QuestionReport) -> String {
    let fault = story::at_fault(q);
    let layers = q.layers.iter().filter(|(id, l)| {
        fault.iter().any(|(f, _)| f == id) || (q.change == Change::Fixed && l.change == Change::Fixed)
    });
    let layers: Vec<String> = layers.map(|(id, l)| format!("{id} {}", story::sign(l.result.outcome))).collect();
    let mut asked = vec![name(q)];
    if q.verdict != Verdict::Passed && !q.question.is_empty() {
        asked.push(cut::chars(&q.question, QUESTION));
    }
    let change = vec![format!("{}{}", q.change.words(), severity(q))];
    let cells = [asked, change, vec![layers.join(", ")], why(q)];
    let cells: Vec<_> = cells.iter().map(|lines| cell(lines)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Lines of one cell, each cleaned.
fn cell(lines: &[String]) -> String {
    let lines: Vec<_> = lines.iter().map(|l| clean::markdown(l)).filter(|l| !l.trim().is_empty()).collect();
    if lines.is_empty() { clean::markdown_cell("").into_owned() } else { lines.join("<br>") }
}

/// The first reasons and the layer that is blamed, a line each; why it does not count, where it does not.
fn why(q: &QuestionReport) -> Vec<String> {
    let mut out = Vec::new();
    if let Verdict::Skipped(why) = &q.verdict {
        out.push(cut::chars(why, MESSAGE));
    }
    out.extend(q.change_note.as_ref().map(|note| cut::chars(note, MESSAGE)));
    let reasons = story::reasons(q);
    for r in reasons.iter().take(REASONS) {
        let whole = r.message.chars().count() <= MESSAGE;
        let message = if whole { r.message.into() } else { story::condensed(r.message) };
        out.push(cut::chars(&message, MESSAGE));
    }
    if reasons.len() > REASONS {
        out.push(format!("and {} more", reasons.len() - REASONS));
    }
    // What to try stands in the fold.
    out.extend(story::suspect(q).filter(|_| q.verdict != Verdict::Passed).map(|blame| format!("blame: {blame}")));
    out
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::shell;

    #[test]
    fn a_folder_is_one_word_of_a_shell() {
        assert_eq!(shell("suites/shop"), "suites/shop");
        assert_eq!(shell("bộ câu hỏi"), "'bộ câu hỏi'");
        assert_eq!(shell("a'; rm -rf ~"), "'a'\\''; rm -rf ~'");
        assert_eq!(shell("-n"), "'-n'");
    }
}
