//! Questions: with their story, or on one line.

use super::paint::{Ink, Line, Paper};
use crate::core::{Change, QuestionReport, Verdict};
use crate::layer::{LayerId, Outcome};
use crate::report::{clean, cut, story, words};
use crate::suite::Severity;

/// Columns of the labels of a block.
const LABEL: usize = 12;

/// Columns of a change on a line.
const CHANGE: usize = 14;

/// Questions for which the same reason is given, from this number on, are told together.
pub(super) const GROUP: usize = 4;

/// `shop-vi::q14`.
pub(in crate::report) fn name(q: &QuestionReport) -> String {
    format!("{}::{}", clean::terminal(&q.suite), q.id)
}

fn sign(q: &QuestionReport) -> (&'static str, Ink) {
    match (q.change, &q.verdict) {
        (Change::Unmeasured | Change::EvidenceStale, _) => ("?", Ink::Warn),
        (Change::Fixed | Change::NewPass, _) | (_, Verdict::Passed) => ("✓", Ink::Good),
        (Change::Undecided | Change::Drifted | Change::Flaky, _) => ("~", Ink::Warn),
        (Change::StillFailing, _) => ("–", Ink::Dim),
        (_, Verdict::Skipped(_)) => ("!", Ink::Warn),
        (_, Verdict::Failed | Verdict::Incomplete) => ("✗", Ink::Bad),
    }
}

/// The sign of a question.
pub(in crate::report) fn mark(q: &QuestionReport) -> &'static str {
    sign(q).0
}

/// `regressed · critical`, `regressed · tolerated: …`.
pub(in crate::report) fn state(q: &QuestionReport) -> String {
    let mut parts = vec![q.change.words().to_owned()];
    match q.severity {
        Severity::Critical => parts.push("critical".into()),
        Severity::Minor => parts.push("minor".into()),
        Severity::Normal => {}
    }
    if let Some(owner) = &q.owner {
        parts.push(format!("owner {}", clean::terminal(&cut::chars(owner, 60))));
    }
    parts.join(" · ")
}

fn label(text: &str) -> String {
    format!("  {}", cut::pad(text, LABEL - 2))
}

/// One question with its story.
pub(super) fn full(p: &mut Paper, q: &QuestionReport) {
    let (sign, ink) = sign(q);
    let head = Line::new().ink(&format!("{sign} "), ink).ink(&name(q), Ink::Strong).plain("  ").ink(&state(q), ink);
    p.ends(head, &clean::terminal(&q.place.to_string()), Ink::Dim);
    p.hanging(&label("question"), Ink::Dim, &clean::terminal(&q.question), Ink::Plain, 2);
    answers(p, q);
    why(p, q);
    if q.change != Change::Removed {
        let layers: Vec<_> = q.layers.iter().map(|(id, l)| layer(id, l.result.outcome, l.warn)).collect();
        p.row(&label("layers"), &layers);
    }
    if let Some(blame) = story::blame(q) {
        p.hanging(&label("blame"), Ink::Dim, &blame, Ink::Plain, 3);
    }
    if let Verdict::Skipped(reason) = &q.verdict {
        p.hanging(&label("counts"), Ink::Dim, &format!("no: {}", clean::terminal(reason)), Ink::Plain, 2);
    }
    if q.change == Change::Removed {
        p.line(Line::new().ink(&label("meant?"), Ink::Dim).plain(&format!("ragline accept --removed {}", name(q))));
    }
}

fn layer(id: LayerId, outcome: Outcome, warn: bool) -> (String, Ink) {
    let ink = match outcome {
        Outcome::Pass => Ink::Good,
        Outcome::Fail if warn => Ink::Warn,
        Outcome::Fail => Ink::Bad,
        Outcome::Unmeasured => Ink::Warn,
        Outcome::Skipped(_) => Ink::Dim,
    };
    let warn = if warn && outcome == Outcome::Fail { " (warns)" } else { "" };
    (format!("{id} {}{warn}", story::sign(outcome)), ink)
}

/// The accepted answer above the new one, with the words that differ marked.
fn answers(p: &mut Paper, q: &QuestionReport) {
    let columns = p.room(LABEL) * 3 - 6;
    let mut say = |name: &str, text: &str| p.hanging(&label(name), Ink::Dim, text, Ink::Plain, 3);
    let spans = story::spans(q);
    match (&q.was_answer, &q.answer) {
        (Some(was), Some(now)) => {
            let c = words::compare(was, now, &spans);
            match c.kind {
                words::Kind::Same => {
                    say("answer", &words::window(&words::alone(now, &spans), columns));
                    say("", "(the same as before)");
                }
                words::Kind::Alike | words::Kind::Words | words::Kind::Other => {
                    say("was", &words::window(&c.was, columns));
                    say("now", &words::window(&c.now, columns));
                }
            }
            if c.kind == words::Kind::Alike {
                say("", "(the same to the eye: only invisible characters or the composition of letters differ)");
            }
        }
        (Some(was), None) => {
            say("was", &words::window(&words::alone(was, &[]), columns));
            say("now", "(no answer)");
        }
        (None, Some(now)) => say("now", &words::window(&words::alone(now, &spans), columns)),
        (None, None) => {}
    }
}

fn why(p: &mut Paper, q: &QuestionReport) {
    let reasons = story::reasons(q);
    let mut first = "why";
    if let Some(note) = &q.change_note {
        p.hanging(&label(first), Ink::Dim, &clean::terminal(note), Ink::Plain, 2);
        first = "";
    }
    if let (Change::Expired, Some(reason)) = (q.change, &q.known_reason) {
        let text = format!("it was accepted until now: {}", clean::terminal(reason));
        p.hanging(&label(first), Ink::Dim, &text, Ink::Plain, 2);
        first = "";
    }
    for r in reasons.iter().take(story::REASONS) {
        p.hanging_ends(
            &label(std::mem::take(&mut first)),
            Ink::Dim,
            &clean::terminal(r.message),
            Ink::Plain,
            3,
            r.code.as_str(),
        );
    }
    let more = reasons.len().saturating_sub(story::REASONS);
    if more > 0 {
        p.line(Line::new().plain(&label("")).ink(&format!("and {more} more reasons"), Ink::Dim));
    }
}

/// Questions on one line each: the layers at fault and the first reason, as far as they fit.
pub(super) fn brief(p: &mut Paper, questions: &[&QuestionReport]) {
    let names = names_width(questions);
    for q in questions {
        let reasons = story::reasons(q);
        let reason = reasons.first().map(|r| r.message).or(q.change_note.as_deref());
        let reason = clean::terminal(reason.unwrap_or_default());
        let of_target =
            q.outcome == Outcome::Unmeasured && reasons.first().is_some_and(|r| story::is_of_target(r.code));
        let layers = story::names(&story::at_fault(q));
        let gap = if layers.is_empty() || reason.is_empty() { "" } else { ": " };
        let whole = format!("{layers}{gap}{reason}");
        let condensed = story::condensed(&reason);
        // Of a call that failed the layers say nothing, and what the target said everything.
        let shorter = if of_target { condensed.into_owned() } else { format!("{layers}{gap}{condensed}") };
        let text = if cut::columns(&whole) <= room(p, names, q, "") { whole } else { shorter };
        one_line(p, names, q, &text, "");
    }
}

/// The columns of the longest name; long names are not waited for.
fn names_width(questions: &[&QuestionReport]) -> usize {
    questions.iter().map(|q| cut::columns(&name(q))).filter(|n| *n <= 40).max().unwrap_or(0)
}

/// New questions that pass, by name only.
pub(super) fn listed(p: &mut Paper, questions: &[&QuestionReport], limit: usize) {
    let Some(first) = questions.first() else { return };
    let mut names: Vec<_> = questions.iter().take(limit).map(|q| (name(q), Ink::Plain)).collect();
    if questions.len() > limit {
        names.push((format!("… and {} more", cut::count(questions.len() - limit)), Ink::Dim));
    }
    let (sign, ink) = sign(first);
    names.insert(0, (format!("{sign} {}", first.change.words()), ink));
    p.row("", &names);
}

/// A line each for questions that do not ask for attention at once.
pub(super) fn short(p: &mut Paper, questions: &[&QuestionReport]) {
    let names = names_width(questions);
    for q in questions {
        let (text, right) = short_text(q);
        one_line(p, names, q, &text, &right);
    }
}

/// What is said of a question on a short line, and what to type.
fn short_text(q: &QuestionReport) -> (String, String) {
    let layers: Vec<&str> = q.layers.iter().filter(|(_, l)| l.change == q.change).map(|(id, _)| id.name()).collect();
    let reason = match &q.verdict {
        Verdict::Skipped(reason) => clean::terminal(reason).into_owned(),
        Verdict::Passed | Verdict::Failed | Verdict::Incomplete => String::new(),
    };
    let accept = |why: &str| format!("{why}: ragline accept {}", name(q));
    match q.change {
        Change::Fixed => (layers.join(", "), accept("keep it")),
        Change::Edited => {
            (q.change_note.as_deref().map(clean::terminal).unwrap_or_default().into(), accept("take it up"))
        }
        Change::NewPass => (String::new(), String::new()),
        Change::StillFailing => {
            (q.known_reason.as_deref().map(clean::terminal).unwrap_or(reason.into()).into(), String::new())
        }
        Change::NotSelected
        | Change::NotAsked
        | Change::Draft
        | Change::Removed
        | Change::RuleChanged
        | Change::Incomparable
        | Change::EvidenceStale
        | Change::Regressed
        | Change::Expired
        | Change::NewFail
        | Change::Unmeasured
        | Change::Undecided
        | Change::Drifted
        | Change::Flaky
        | Change::Unchanged
        | Change::Observed => (if reason.is_empty() { layers.join(", ") } else { reason }, String::new()),
    }
}

/// The columns of a text on one line.
fn room(p: &Paper, names: usize, q: &QuestionReport, right: &str) -> usize {
    let right_columns = if right.is_empty() { 0 } else { cut::columns(right) + 2 };
    let used = 2 + cut::columns(&name(q)).max(names) + 2 + cut::columns(q.change.words()).max(CHANGE) + 1;
    let room = p.width().saturating_sub(used);
    // What a person types goes to the next line rather than cutting the reason away.
    if room > right_columns + 20 { room - right_columns } else { room }
}

/// Sign, name, change, and as much of a text as fits before what stands at the right.
fn one_line(p: &mut Paper, names: usize, q: &QuestionReport, text: &str, right: &str) {
    let (sign, ink) = sign(q);
    let name = cut::pad(&name(q), names);
    let change = cut::pad(q.change.words(), CHANGE);
    let room = room(p, names, q, right);
    let text = if room < 8 { String::new() } else { cut::width(&cut::chars(text, 600), room) };
    let line = Line::new().ink(sign, ink).plain(" ").ink(&name, Ink::Strong).plain("  ").ink(&change, ink);
    p.ends(line.plain(" ").plain(&text), right, Ink::Plain);
}

/// Unmeasured questions that failed in the same way, told once.
pub(super) struct Group<'a> {
    change: Change,
    /// What is said of the first.
    message: String,
    /// How many of the others say the same but for what the target put into it.
    alike: usize,
    code: &'static str,
    questions: Vec<&'a QuestionReport>,
}

/// Parts questions into those of which at least so many failed in the same way, and the rest.
pub(super) fn group(questions: Vec<&QuestionReport>, least: usize) -> (Vec<Group<'_>>, Vec<&QuestionReport>) {
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut index = std::collections::HashMap::new();
    for q in questions {
        let reasons = story::reasons(q);
        let reason = reasons.first();
        let (code, message) = reason.map_or(("", ""), |r| (r.code.as_str(), r.message));
        let kin = reason.map_or_else(String::new, |r| story::kin(r.code, r.message).into_owned());
        let at = *index.entry((q.change, code, kin)).or_insert(groups.len());
        match groups.get_mut(at) {
            Some(g) => {
                // Of how many attempts the others tell, the first need not.
                if g.message != message {
                    g.message = story::cause(&g.message).to_owned();
                }
                g.alike += usize::from(g.message != story::cause(message));
                g.questions.push(q);
            }
            None => {
                groups.push(Group {
                    change: q.change,
                    message: message.to_owned(),
                    alike: 0,
                    code,
                    questions: vec![q],
                });
            }
        }
    }
    let (together, single): (Vec<_>, Vec<_>) = groups.into_iter().partition(|g| g.questions.len() >= least);
    (together, single.into_iter().flat_map(|g| g.questions).collect())
}

/// A group: how many, why, which.
pub(super) fn grouped(p: &mut Paper, g: &Group<'_>) {
    let head = format!("{} questions", cut::count(g.questions.len()));
    p.line(Line::new().ink("? ", Ink::Warn).ink(&head, Ink::Strong).plain("  ").ink(g.change.words(), Ink::Warn));
    p.hanging_ends(&label("why"), Ink::Dim, &clean::terminal(&g.message), Ink::Plain, usize::MAX, g.code);
    if g.alike > 0 {
        p.hanging(&label(""), Ink::Dim, &format!("and {} alike", cut::count(g.questions.len() - 1)), Ink::Dim, 1);
    }
    if let Some(first) = g.questions.first().filter(|q| story::wants_recording(q))
        && let Some(blame) = story::blame(first)
    {
        p.hanging(&label("blame"), Ink::Dim, &blame, Ink::Plain, 3);
    }
    let mut names: Vec<_> = g.questions.iter().take(12).map(|q| (name(q), Ink::Plain)).collect();
    if g.questions.len() > names.len() {
        names.push((format!("… and {} more", cut::count(g.questions.len() - names.len())), Ink::Dim));
    }
    p.row(&label("which"), &names);
}
