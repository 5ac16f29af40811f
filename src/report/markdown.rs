//! The Markdown summary: for a step summary or a comment on a pull request.
//!
//! The decision first, then the questions that changed, then the layers, then what to type next. Answers stand in
//! table cells, so every text goes through the Markdown cleaner; a summary that would be refused for its length loses
//! rows from the end and says so.

use super::gather::Gathered;
use super::terminal::{no_baseline, word};
use super::{clean, cut, file, story, words};
use crate::core::event::Reporter;
use crate::core::{Change, Event, QuestionReport, Verdict};
use crate::gate::refusals::Refusals;
use crate::gate::{Decision, Exit, LayerSummary, RuleVerdict};
use crate::suite::Severity;
use std::io;
use std::path::Path;

/// The characters of a summary; a comment may hold 65,536.
pub const LIMIT: usize = 60_000;

/// Columns of one answer in a cell.
const ANSWER: usize = 160;

/// Code points of one reason in a cell.
const MESSAGE: usize = 240;

/// Collects a run; [`Markdown::write_to`] writes the summary.
#[derive(Debug, Default)]
pub struct Markdown {
    run: Gathered,
    text: String,
}

impl Markdown {
    /// An empty report.
    pub fn new() -> Self {
        Markdown::default()
    }

    /// The summary; empty until the run is decided.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; the message names the path.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        file::write(path, self.text.as_bytes())
    }
}

impl Reporter for Markdown {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.run.take(event);
        if let Event::Decided(d) = event {
            self.text = summary(&self.run, d);
        }
        Ok(())
    }
}

fn summary(run: &Gathered, d: &Decision) -> String {
    let mut head = String::new();
    decision(&mut head, run, d);
    let mut tail = String::new();
    for s in &d.suites {
        layers(&mut tail, &s.suite, &s.layers, d.suites.len() > 1);
        tail.extend(s.refusals.as_ref().map(refusals));
    }
    let questions = shown(run);
    next(&mut tail, &questions, d, no_baseline(run));

    let budget = LIMIT.saturating_sub(chars(&head) + chars(&tail) + 300);
    let known = known(run);
    let rows = rows(&questions, budget.saturating_sub(chars(&known)));
    let all = head + &rows + &known + &tail;
    // The head and the tail are short unless thousands of rules are broken; then the end is cut.
    if chars(&all) < LIMIT { all } else { cut::chars(&all, LIMIT - 1) }
}

fn chars(text: &str) -> usize {
    text.chars().count()
}

/// The decision, the broken rules, the counts.
fn decision(out: &mut String, run: &Gathered, d: &Decision) {
    let sign = match d.exit {
        Exit::Open if d.exit_if_blocking != Exit::Open => "⚠️",
        Exit::Open => "✅",
        Exit::Incomplete => "❔",
        Exit::Closed | Exit::Usage | Exit::NothingSelected | Exit::ReportNotWritten => "❌",
    };
    let suites: Vec<_> = run.header.suites.iter().map(|s| clean::markdown(&s.name)).collect();
    let of = if suites.is_empty() { String::new() } else { format!(" · {}", suites.join(", ")) };
    out.push_str(&format!("### {sign} {}{of}\n\n", word(d.exit, no_baseline(run))));
    if let Some(said) = &run.header.not_in_full {
        out.push_str(&format!("**{}**\n\n", clean::markdown(said)));
    }
    if d.exit != d.exit_if_blocking {
        out.push_str(&format!("Advisory: this would have blocked (exit {}).\n\n", d.exit_if_blocking.code()));
    }
    let broken: Vec<_> = d.rules.iter().filter(|r| matches!(r.verdict, RuleVerdict::Broken(_))).collect();
    for r in broken.iter().take(20) {
        let message = clean::markdown(&cut::chars(&r.message, 300)).into_owned();
        let place = r.place.as_ref().map(|p| format!(" ({})", clean::markdown(&p.to_string()))).unwrap_or_default();
        out.push_str(&format!("- {message}{place}\n"));
    }
    if broken.len() > 20 {
        out.push_str(&format!("- and {} more\n", broken.len() - 20));
    }
    if !broken.is_empty() {
        out.push('\n');
    }
    let tally: Vec<String> = d.tally.iter().map(|(c, n)| super::terminal::counted(*c, *n)).collect();
    if !tally.is_empty() {
        out.push_str(&format!("{}\n\n", clean::markdown(&format!("Questions: {}", tally.join(" · ")))));
    }
    if let Some((selected, all)) = run.header.partial {
        out.push_str(&format!("Partial: {} of {} questions\n\n", cut::count(selected), cut::count(all)));
    }
}

/// The questions of the table: what blocks first, then what was fixed. Known failures and new passes are in the counts.
fn shown(run: &Gathered) -> Vec<&QuestionReport> {
    let rank = |q: &QuestionReport| match q.verdict {
        Verdict::Failed => 0,
        Verdict::Incomplete => 1,
        Verdict::Skipped(_) => 2,
        Verdict::Passed => 3,
    };
    let counted = |c: Change| matches!(c, Change::StillFailing | Change::NewPass | Change::Flaky);
    let wanted = |q: &QuestionReport| if counted(q.change) { rank(q) < 2 } else { story::notable(q) };
    let mut out: Vec<_> = run.questions.iter().filter(|q| wanted(q)).collect();
    out.sort_by_key(|q| rank(q));
    out
}

/// So many known failures are told one by one.
const KNOWN: usize = 20;

/// The failures that the baseline knows of: which, what is asked, why, until when.
fn known(run: &Gathered) -> String {
    let counts = |q: &&QuestionReport| matches!(q.verdict, Verdict::Failed | Verdict::Incomplete);
    let known: Vec<_> = run.questions.iter().filter(|q| q.change == Change::StillFailing && !counts(q)).collect();
    if known.is_empty() {
        return String::new();
    }
    let mut out = "Known failures:\n\n".to_owned();
    for q in known.iter().take(KNOWN) {
        let cut = |text: &str| clean::markdown(&cut::chars(text, QUESTION)).into_owned();
        let why = q.known_reason.as_deref().map_or_else(|| "no reason is noted".to_owned(), cut);
        let name = clean::markdown(&format!("{}::{}", q.suite, q.id)).into_owned();
        out.push_str(&format!("- **{name}** {} — {why}\n", cut(&q.question)));
    }
    if known.len() > KNOWN {
        out.push_str(&format!("- and {} more\n", cut::count(known.len() - KNOWN)));
    }
    out.push('\n');
    out
}

fn rows(questions: &[&QuestionReport], budget: usize) -> String {
    if questions.is_empty() {
        return String::new();
    }
    let mut out = "| Question | Change | Layers | Was → now |\n| --- | --- | --- | --- |\n".to_owned();
    let mut used = chars(&out);
    let mut left_out = 0;
    for q in questions {
        let row = row(q);
        used += chars(&row);
        if left_out > 0 || used > budget {
            left_out += 1;
        } else {
            out.push_str(&row);
        }
    }
    out.push('\n');
    if left_out > 0 {
        let n = cut::count(left_out);
        out.push_str(&format!("… and {n} more questions, left out for length: the results file has them all.\n\n"));
    }
    out
}

fn row(q: &QuestionReport) -> String {
    let severity = match q.severity {
        Severity::Critical => " · critical",
        Severity::Normal => "",
        Severity::Minor => " · minor",
    };
    let fault = story::at_fault(q);
    let layers = q.layers.iter().filter(|(id, l)| {
        fault.iter().any(|(f, _)| f == id) || (q.change == Change::Fixed && l.change == Change::Fixed)
    });
    let layers: Vec<String> = layers.map(|(id, l)| format!("{id} {}", story::sign(l.result.outcome))).collect();
    let mut asked = vec![format!("{}::{}", q.suite, q.id)];
    if q.verdict != Verdict::Passed && !q.question.is_empty() {
        asked.push(cut::chars(&q.question, QUESTION));
    }
    let cells = [asked, vec![format!("{}{severity}", q.change.words())], vec![layers.join(", ")], story_of(q)];
    let cells: Vec<_> = cells.iter().map(|lines| cell(lines)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Lines of one cell, each cleaned.
fn cell(lines: &[String]) -> String {
    let lines: Vec<_> = lines.iter().map(|l| clean::markdown(l)).filter(|l| !l.trim().is_empty()).collect();
    if lines.is_empty() { clean::markdown_cell("").into_owned() } else { lines.join("<br>") }
}

/// Columns of a question.
const QUESTION: usize = 200;

/// So many reasons stand in a cell.
const REASONS: usize = 4;

/// Both answers in short, the reasons, and the layer that is blamed; a line each.
fn story_of(q: &QuestionReport) -> Vec<String> {
    let spans = story::spans(q);
    let mut out = vec![match (&q.was_answer, &q.answer) {
        (Some(was), Some(now)) => {
            let c = words::compare(was, now, &spans);
            match c.kind {
                words::Kind::Same => format!("the same answer: {}", words::window(&c.now, ANSWER)),
                words::Kind::Alike | words::Kind::Words | words::Kind::Other => {
                    format!("{} → {}", words::window(&c.was, ANSWER), words::window(&c.now, ANSWER))
                }
            }
        }
        (None, Some(now)) => words::window(&words::alone(now, &spans), ANSWER),
        (Some(was), None) => format!("{} → no answer", words::window(&words::alone(was, &[]), ANSWER)),
        (None, None) => String::new(),
    }];
    out.extend(q.change_note.as_ref().map(|note| format!("— {}", cut::chars(note, MESSAGE))));
    let reasons = story::reasons(q);
    for r in reasons.iter().take(REASONS) {
        let whole = r.message.chars().count() <= MESSAGE;
        let message = if whole { r.message.into() } else { story::condensed(r.message) };
        out.push(format!("— {}", cut::chars(&message, MESSAGE)));
    }
    if reasons.len() > REASONS {
        out.push(format!("— and {} more", reasons.len() - REASONS));
    }
    out.extend(story::blame(q).filter(|_| q.verdict != Verdict::Passed).map(|blame| format!("blame: {blame}")));
    out
}

fn layers(out: &mut String, suite: &str, layers: &[LayerSummary], named: bool) {
    let measured: Vec<_> = layers.iter().filter(|l| l.pass + l.fail + l.unmeasured > 0).collect();
    if measured.is_empty() {
        return;
    }
    if named {
        out.push_str(&format!("**{}**\n\n", clean::markdown(suite)));
    }
    out.push_str("| Layer | Right | Was | 95 % interval | Not measured |\n| --- | ---: | ---: | --- | ---: |\n");
    for l in measured {
        let was = l.was_pass.map(|w| w.to_string()).unwrap_or_default();
        let interval = l.interval.map(|(lo, hi)| format!("{lo:.2} to {hi:.2}")).unwrap_or_default();
        let unmeasured = if l.unmeasured > 0 { l.unmeasured.to_string() } else { String::new() };
        let n = l.pass + l.fail;
        out.push_str(&format!("| {} | {}/{n} | {was} | {interval} | {unmeasured} |\n", l.layer, l.pass));
    }
    out.push('\n');
}

/// Refusals in both directions, in one line.
fn refusals(r: &Refusals) -> String {
    let told = r.told().map(|(what, share)| match (share.value(), share.interval) {
        (Some(value), Some((low, high))) => {
            format!("{what} {}/{}: {value:.2} ({low:.2} to {high:.2})", share.hits, share.of)
        }
        (None, _) | (_, None) => format!("{what}: no such question was measured"),
    });
    format!("Refusals: {}\n\n", told.join(" · "))
}

/// What to type next, as code that can be copied.
fn next(out: &mut String, questions: &[&QuestionReport], d: &Decision, first: bool) {
    let meant = story::accept(questions).filter(|_| !first);
    let mend = story::mend(questions);
    let lines: Vec<&String> = d.next.iter().chain(&mend).chain(meant.iter().filter(|m| !d.next.contains(m))).collect();
    if lines.is_empty() {
        return;
    }
    let lines: Vec<_> = lines.iter().take(20).map(|l| clean::terminal(l)).collect();
    let fence = "`".repeat(lines.iter().map(|l| longest_run(l)).max().unwrap_or(0).max(2) + 1);
    out.push_str(&format!("{fence}sh\n{}\n{fence}\n", lines.join("\n")));
}

/// The longest run of backticks.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}
