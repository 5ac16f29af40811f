//! The list of questions: the form that filters it, a row each, and what the script knows of them.

use super::page::Page;
use super::question::Asked;
use super::spans::Mark;
use super::sums;
use crate::core::{Change, QuestionReport, RunHeader};
use crate::labels;
use crate::layer::LayerId;
use crate::report::{clean, cut, story, terminal};
use crate::suite::Severity;
use serde::Serialize;
use std::collections::BTreeSet;
use unicode_normalization::UnicodeNormalization as _;

/// Code points of a text in a row.
const ROW: usize = 300;

/// What the script knows of a question: what is filtered by, and what a decision names.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Known {
    /// `shop-vi::q14`: also the fragment that leads to it.
    pub(super) key: String,
    pub(super) suite: String,
    pub(super) id: String,
    pub(super) change: &'static str,
    pub(super) severity: &'static str,
    owner: String,
    tags: Vec<String>,
    /// The layers at fault.
    layers: Vec<&'static str>,
    was: &'static str,
    now: &'static str,
    expects: String,
    /// The digest of the answer, as labels name it.
    answer: Option<String>,
    /// What a search reads: the id, the question, the first reason, the answers, folded.
    text: String,
}

impl Known {
    pub(super) fn of(asked: &Asked<'_>) -> Known {
        let q = asked.q;
        // What an option of the form holds, and what is compared with it, is the same text.
        let value = |text: &str| clean::terminal(&cut::chars(text, ROW)).into_owned();
        Known {
            key: terminal::name(q),
            suite: value(&q.suite),
            id: q.id.to_string(),
            change: q.change.name(),
            severity: severity(q.severity),
            owner: q.owner.as_deref().map(value).unwrap_or_default(),
            tags: q.tags.iter().map(|t| value(t)).collect(),
            layers: story::at_fault(q).iter().map(|(id, _)| id.name()).collect(),
            was: sums::was(q).name(),
            now: sums::now(q).name(),
            expects: q.expects.clone(),
            answer: asked.answer().map(labels::digest_of),
            text: searched(asked),
        }
    }
}

/// What the script is told: the run, and its questions in the order of the rows.
#[derive(Serialize)]
pub(super) struct Data<'a> {
    pub(super) run: &'a str,
    pub(super) layers: [&'static str; 5],
    pub(super) questions: Vec<&'a Known>,
}

impl<'a> Data<'a> {
    pub(super) fn new(header: &'a RunHeader, questions: Vec<&'a Known>) -> Self {
        Data { run: &header.id, layers: LayerId::ALL.map(LayerId::name), questions }
    }
}

/// Code points of each text that a search reads.
const SEARCHED: usize = 2_000;

fn searched(asked: &Asked<'_>) -> String {
    let q = asked.q;
    let reason = first_reason(q);
    let texts = [Some(q.question.as_str()), reason.as_deref(), asked.answer(), q.was_answer.as_deref()];
    let mut out = terminal::name(q);
    for text in texts.into_iter().flatten() {
        out.push('\n');
        out.push_str(&cut::chars(text, SEARCHED));
    }
    folded(&out)
}

/// A text without case and without the marks of Latin letters, `đ` as `d`; the vowels and tones of Thai stay. The script folds
/// what is searched for in the same way.
fn folded(text: &str) -> String {
    let marks = '\u{300}'..='\u{36f}';
    let plain: String = text.nfkd().filter(|c| !marks.contains(c)).collect();
    plain.to_lowercase().replace('đ', "d")
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Critical => "critical",
        Severity::Normal => "normal",
        Severity::Minor => "minor",
    }
}

/// The row of a question, which is the summary of its details.
pub(super) fn row(p: &mut Page, asked: &Asked<'_>) {
    let q = asked.q;
    let mark = terminal::mark(q);
    p.inside("summary", &[], |p| {
        p.leaf("span", &[("class", tone(mark)), ("aria-hidden", "true")], mark);
        p.text(" ");
        p.leaf("h3", &[], &terminal::name(q));
        p.text(" ");
        p.leaf("span", &[("class", &format!("state {}", tone(mark)))], &terminal::state(q));
        let mut text = vec![("class", "ask")];
        if !asked.beside.language.is_empty() {
            text.push(("lang", &asked.beside.language));
        }
        p.text(" ");
        p.leaf("span", &text, &clean::terminal(&cut::chars(&q.question, ROW)));
        if let Some(reason) = first_reason(q) {
            p.text(" ");
            p.leaf("span", &[("class", "reason")], &reason);
        }
    });
}

/// The layers at fault and the first reason, on one line.
fn first_reason(q: &QuestionReport) -> Option<String> {
    let quiet = matches!(q.change, Change::Unchanged | Change::NewPass | Change::Observed);
    let reasons = story::reasons(q);
    let reason = reasons.first().map(|r| r.message).or(q.change_note.as_deref()).or(q.known_reason.as_deref())?;
    let layers = story::names(&story::at_fault(q));
    let gap = if layers.is_empty() { "" } else { ": " };
    let reason = cut::chars(&story::condensed(&cut::chars(reason, 2_000)), ROW);
    (!quiet).then(|| clean::terminal(&format!("{layers}{gap}{reason}")).into_owned())
}

/// The colour of a sign, which never speaks alone.
fn tone(mark: &str) -> &'static str {
    match mark {
        "✗" => "bad",
        "✓" => "good",
        "–" => "dim",
        _ => "warn",
    }
}

/// What the marks in answers and passages mean.
pub(super) fn legend(p: &mut Page) {
    p.inside("p", &[("id", "legend"), ("class", "dim")], |p| {
        p.text("Marks: ");
        p.leaf("del", &[], "gone from the accepted answer");
        p.text(", ");
        p.leaf("ins", &[], "new in the answer");
        for mark in [Mark::Fault, Mark::Citation, Mark::Evidence] {
            p.text(", ");
            mark.put(p, mark.words());
        }
        p.text(".");
    });
}

/// The form that filters: only what the run has is offered.
pub(super) fn filters(p: &mut Page, known: &[&Known]) {
    p.inside("form", &[("id", "filter"), ("role", "search"), ("class", "js")], |p| {
        p.inside("label", &[("class", "wide")], |p| {
            p.text("Search ");
            p.open("input", &[("type", "search"), ("name", "text"), ("autocomplete", "off"), ("spellcheck", "false")]);
        });
        let changes: Vec<(&str, &str)> = Change::ALL
            .into_iter()
            .filter(|c| known.iter().any(|k| k.change == c.name()))
            .map(|c| (c.name(), c.words()))
            .collect();
        select(p, "change", "Change", &changes);
        let all =
            |of: &dyn Fn(&Known) -> Vec<String>| -> BTreeSet<String> { known.iter().flat_map(|k| of(k)).collect() };
        let mut plain = |name: &'static str, label: &str, found: BTreeSet<String>, least: usize| {
            let options: Vec<(&str, &str)> = found.iter().filter(|t| !t.is_empty()).map(|t| (&**t, &**t)).collect();
            if options.len() >= least {
                select(p, name, label, &options);
            }
        };
        plain("suite", "Suite", all(&|k| vec![k.suite.clone()]), 2);
        plain("layer", "Layer at fault", all(&|k| k.layers.iter().map(|l| (*l).to_owned()).collect()), 1);
        plain("tag", "Tag", all(&|k| k.tags.clone()), 1);
        plain("severity", "Severity", all(&|k| vec![k.severity.to_owned()]), 2);
        plain("owner", "Owner", all(&|k| vec![k.owner.clone()]), 1);
        plain("was", "Was", all(&|k| vec![k.was.to_owned()]), 1);
        plain("now", "Now", all(&|k| vec![k.now.to_owned()]), 1);
        select(p, "decided", "Decided", &[("no", "not yet"), ("yes", "yes")]);
        p.leaf("button", &[("type", "reset")], "Show all");
    });
}

fn select(p: &mut Page, name: &'static str, label: &str, options: &[(&str, &str)]) {
    p.inside("label", &[], |p| {
        p.text(&format!("{label} "));
        p.inside("select", &[("name", name)], |p| {
            p.leaf("option", &[("value", "")], "any");
            for (value, words) in options {
                p.leaf("option", &[("value", value)], words);
            }
        });
    });
}

#[cfg(test)]
mod tests {
    use super::folded;

    #[test]
    fn what_is_searched_has_no_case_and_no_latin_marks() {
        assert_eq!(folded("ĐỔI Trả, Ｋg ﬁ"), "doi tra, kg fi");
        assert_eq!(folded("ภายใน ๗ วัน"), "ภายใน ๗ วัน", "vowels and tones of Thai are letters");
        assert_eq!(folded("退货 七天内"), "退货 七天内");
    }
}
