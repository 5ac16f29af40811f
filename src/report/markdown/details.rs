//! What is folded away: a question's answers word by word, its reasons and its passages.
//!
//! A fold is one block of HTML without an empty line, so that no Markdown is read in it; every text in it went through the
//! Markdown cleaner, whose entities HTML reads too. `<del>` and `<ins>` are among the elements that GitHub and GitLab keep.

use super::{MESSAGE, Passages, name, place, severity};
use crate::core::{QuestionReport, Verdict};
use crate::report::words::{self, Kind, Piece};
use crate::report::{clean, cut, story};

/// Columns of unmarked text beside a difference.
const AROUND: usize = 60;

/// Columns of an answer.
const ANSWER: usize = 700;

/// Columns of a passage.
const PASSAGE: usize = 160;

/// So many passages of a question are shown.
const PASSAGES: usize = 5;

/// So many reasons are told.
const REASONS: usize = 6;

/// The fold of a question; none where the table has said everything.
pub(super) fn fold(q: &QuestionReport, passages: &Passages) -> Option<String> {
    let lines = lines(q, passages);
    if q.verdict == Verdict::Passed || lines.is_empty() {
        return None;
    }
    let head = format!("<b>{}</b> {}{}", clean::markdown(&name(q)), q.change.words(), severity(q));
    Some(format!("<details><summary>{head}</summary>\n<p>\n{}\n</p>\n</details>\n\n", lines.join("<br>\n")))
}

fn lines(q: &QuestionReport, passages: &Passages) -> Vec<String> {
    let mut out = Vec::new();
    let said = |label: &str, html: &str| format!("<b>{label}</b> {html}");
    if !q.question.is_empty() {
        out.push(said("question", &clean::markdown(&cut::chars(&q.question, MESSAGE))));
    }
    let spans = story::spans(q);
    match (&q.was_answer, &q.answer) {
        (Some(was), Some(now)) => {
            let c = words::both(was, now, &spans);
            if c.kind == Kind::Same {
                out.push(said("now", &format!("(the accepted answer) {}", html(&c.now, "ins"))));
            } else {
                out.push(said("was", &html(&c.was, "del")));
                out.push(said("now", &html(&c.now, "ins")));
            }
        }
        (None, Some(now)) => out.push(said("now", &html(&words::alone(now, &spans), "strong"))),
        (Some(was), None) => {
            out.push(said("was", &html(&words::alone(was, &[]), "del")));
            out.push(said("now", "no answer"));
        }
        (None, None) => {}
    }
    out.extend(q.change_note.as_ref().map(|n| said("change", &clean::markdown(&cut::chars(n, MESSAGE)))));
    let reasons = story::reasons(q);
    for r in reasons.iter().take(REASONS) {
        let message = cut::chars(&story::condensed(r.message), MESSAGE);
        out.push(said("why", &format!("{} <code>{}</code>", clean::markdown(&message), r.code)));
    }
    if reasons.len() > REASONS {
        out.push(said("why", &format!("and {} more", reasons.len() - REASONS)));
    }
    out.extend(story::blame(q).map(|b| said("blame", &clean::markdown(&b))));
    out.extend(passages_of(q, passages));
    out.push(said("place", &place(&q.place)));
    out
}

/// An answer with its marked pieces in an element.
fn html(pieces: &[Piece], element: &str) -> String {
    let shown = words::excerpt(pieces, AROUND, ANSWER);
    let one = |p: &Piece| {
        // The cleaner trims what is a line's front; here a piece may be the middle of one.
        let (text, front) = (p.text.trim_start(), p.text.starts_with(' '));
        let text = format!("{}{}", if front { " " } else { "" }, clean::markdown(text));
        if p.marked { format!("<{element}>{text}</{element}>") } else { text }
    };
    let text: String = shown.iter().map(one).collect();
    if text.trim().is_empty() { "(blank)".to_owned() } else { text }
}

/// What was in the prompt, in short.
fn passages_of(q: &QuestionReport, passages: &Passages) -> Vec<String> {
    let Some(found) = passages.of(q) else { return Vec::new() };
    if found.is_empty() {
        return vec!["<b>passages</b> none".to_owned()];
    }
    let one = |(i, p): (usize, &super::Passage)| {
        let text = clean::markdown(&cut::width(&p.text, PASSAGE)).into_owned();
        format!("<b>passage {}</b> {}: {text}", i + 1, clean::markdown(&cut::width(&p.place, 120)))
    };
    let mut out: Vec<String> = found.iter().take(PASSAGES).enumerate().map(one).collect();
    if found.len() > PASSAGES {
        out.push(format!("<b>passages</b> and {} more", found.len() - PASSAGES));
    }
    out
}
