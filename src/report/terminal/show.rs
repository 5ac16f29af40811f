//! One question in full: what was asked and expected, the whole answer, the passages, and what each layer says.
//!
//! It reads the question's line of the results as it is written, so it shows what the run found and not what would be
//! found today.

use super::Look;
use super::paint::{Ink, Line, Paper};
use super::table::HEADLINES;
use crate::core::Change;
use crate::layer::{Code, LayerId};
use crate::report::{clean, cut, words};
use crate::target::response::{Answer, Context, Response};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Columns of the labels.
const LABEL: usize = 12;

/// Lines of a passage unless it is shown whole.
const SHORT: usize = 2;

/// What is shown of a question.
#[derive(Debug)]
pub struct View<'a> {
    /// `suite::id`, or what stands for it.
    pub name: &'a str,
    /// Where the question stands; may be empty.
    pub place: &'a str,
    /// What was asked.
    pub question: &'a str,
    /// What was expected, a line each.
    pub expected: &'a [String],
    /// The question's line of the results.
    pub result: &'a ResultView,
    /// What the target returned.
    pub response: Option<&'a Response<'a>>,
    /// Why there is no response.
    pub failed: Option<&'a str>,
    /// The accepted answer.
    pub was: Option<&'a Response<'a>>,
    /// Passages are shown whole.
    pub contexts: bool,
    /// What produced it, in a line; may be empty.
    pub from: &'a str,
    /// What people say of layers: the layer, the verdict with who said it, and why.
    pub labels: &'a [(LayerId, String, String)],
}

/// What is read of a line of the results.
#[derive(Debug, Clone, Deserialize)]
pub struct ResultView {
    change: String,
    #[serde(default)]
    note: Option<String>,
    #[serde(default)]
    why: Option<String>,
    layers: BTreeMap<String, LayerView>,
    #[serde(default)]
    diagnosis: Option<DiagnosisView>,
    #[serde(default)]
    same_contexts: Option<bool>,
}

impl ResultView {
    /// The same of a question that nothing is compared with: it passes or fails, and is not new.
    #[must_use]
    pub fn without_baseline(mut self) -> Self {
        let words = Change::parse(&self.change).map(Change::words);
        if let Some(plain) = words.and_then(|w| w.strip_prefix("new, ")) {
            plain.clone_into(&mut self.change);
        }
        self
    }
}

#[derive(Debug, Clone, Deserialize)]
struct LayerView {
    outcome: String,
    #[serde(default)]
    why: Option<String>,
    #[serde(default)]
    findings: Vec<FindingView>,
    #[serde(default)]
    metrics: BTreeMap<String, Option<f64>>,
    #[serde(default)]
    facts: Vec<FactView>,
    #[serde(default)]
    label: Option<String>,
    #[serde(default)]
    numbers: Vec<NumberView>,
    #[serde(default)]
    cited: Vec<usize>,
}

#[derive(Debug, Clone, Deserialize)]
struct FindingView {
    code: String,
    message: String,
    #[serde(default)]
    note: bool,
    #[serde(default)]
    start: Option<usize>,
    #[serde(default)]
    end: Option<usize>,
}

#[derive(Debug, Clone, Deserialize)]
struct FactView {
    fact: String,
    forbidden: bool,
    ok: bool,
}

#[derive(Debug, Clone, Deserialize)]
struct NumberView {
    text: String,
    status: String,
}

#[derive(Debug, Clone, Deserialize)]
struct DiagnosisView {
    layer: String,
    next: String,
}

fn label(text: &str) -> String {
    format!("  {}", cut::pad(text, LABEL - 2))
}

/// The question as text for a terminal.
pub fn show(view: &View<'_>, look: Look) -> String {
    let mut p = Paper::new(Look { width: look.width.max(20), ..look });
    let r = view.result;
    let change = Change::parse(&r.change).map_or(r.change.clone(), |c| c.words().to_owned());
    let head = Line::new().ink(&clean::terminal(view.name), Ink::Strong).plain("  ").plain(&clean::terminal(&change));
    p.ends(head, &clean::terminal(view.place), Ink::Dim);
    say(&mut p, "question", view.question);
    for (i, line) in view.expected.iter().enumerate() {
        say(&mut p, if i == 0 { "expects" } else { "" }, line);
    }
    answers(&mut p, view);
    passages(&mut p, view);
    for id in LayerId::ALL {
        if let Some(l) = r.layers.get(id.name()) {
            layer(&mut p, id, l);
        }
        for (_, said, because) in view.labels.iter().filter(|(of, ..)| *of == id) {
            let line = clean::terminal(&format!("{said}: {because}")).into_owned();
            p.hanging_ends(&label(""), Ink::Dim, &line, Ink::Strong, usize::MAX, "label");
        }
    }
    if let Some(note) = r.note.as_deref().or(r.why.as_deref()) {
        say(&mut p, "note", note);
    }
    if let Some(d) = r.diagnosis.as_ref().filter(|d| d.layer != "none") {
        let same = match r.same_contexts {
            Some(true) => " (same passages as before)",
            Some(false) => " (other passages than before)",
            None => "",
        };
        say(&mut p, "blame", &format!("{}{same}: {}", d.layer, d.next));
    }
    if !view.from.is_empty() {
        p.hanging(&label("from"), Ink::Dim, &clean::terminal(view.from), Ink::Dim, usize::MAX);
    }
    p.text().into_owned()
}

fn say(p: &mut Paper, name: &str, text: &str) {
    p.hanging(&label(name), Ink::Dim, &clean::terminal(text), Ink::Plain, usize::MAX);
}

/// The answer of a response, where it is a text.
fn answer_of<'r>(response: Option<&'r Response<'_>>) -> Option<&'r str> {
    match &response?.answer {
        Answer::Text(t) => Some(t.as_ref()),
        Answer::Null | Answer::Absent => None,
    }
}

fn answers(p: &mut Paper, view: &View<'_>) {
    let faults: Vec<(usize, usize)> = view
        .result
        .layers
        .values()
        .filter(|l| l.outcome == "fail")
        .flat_map(|l| &l.findings)
        .filter(|f| !f.note)
        .filter_map(|f| Some((f.start?, f.end?)))
        .collect();
    let mut tell = |name: &str, text: &str| p.hanging(&label(name), Ink::Dim, text, Ink::Plain, usize::MAX);
    match (answer_of(view.was), answer_of(view.response)) {
        (Some(was), Some(now)) if was != now => {
            let c = words::compare(was, now, &faults);
            tell("was", &words::text(&c.was));
            tell("now", &words::text(&c.now));
        }
        (was, Some(now)) => {
            tell("answer", &words::text(&words::alone(now, &faults)));
            if was.is_some() {
                tell("", "(the accepted one)");
            }
        }
        (_, None) => {
            let why = view.failed.or(view.response.and_then(|r| r.error.as_deref()));
            tell("answer", &clean::terminal(why.unwrap_or("(none)")));
        }
    }
}

fn passages(p: &mut Paper, view: &View<'_>) {
    let Some(contexts) = view.response.and_then(|r| r.contexts.as_ref()) else { return };
    let out = contexts.iter().filter(|c| !c.in_prompt()).count();
    let not = if out > 0 { format!(", {out} of them not in the prompt") } else { String::new() };
    say(p, "passages", &format!("{}{not}", contexts.len()));
    for (i, c) in contexts.iter().enumerate() {
        let mut right = c.score.map(|s| format!("{s:.3}")).unwrap_or_default();
        if !c.in_prompt() {
            right.push_str(" not in the prompt");
        }
        let name = clean::terminal(&name_of(c)).into_owned();
        p.ends(Line::new().plain(&format!("    {:>3}   ", i + 1)).ink(&name, Ink::Strong), right.trim(), Ink::Dim);
        let lines = if view.contexts { usize::MAX } else { SHORT };
        if let Some(text) = &c.text {
            p.hanging("          ", Ink::Dim, &clean::terminal(text.trim()), Ink::Plain, lines);
        }
    }
}

/// `doi-tra.md › Thời hạn đổi trả`, or what there is.
pub(in crate::report) fn name_of(c: &Context<'_>) -> String {
    let name = [&c.doc, &c.chunk, &c.url].into_iter().flatten().next().map_or("(without a name)", AsRef::as_ref);
    let mut out = name.to_owned();
    for heading in &c.section {
        out.push_str(" › ");
        out.push_str(heading);
    }
    out
}

fn layer(p: &mut Paper, id: LayerId, l: &LayerView) {
    let (sign, ink) = match l.outcome.as_str() {
        "pass" => ("✓", Ink::Good),
        "fail" => ("✗", Ink::Bad),
        "unmeasured" => ("?", Ink::Warn),
        _ => ("–", Ink::Dim),
    };
    let parts = seen(l);
    let text = clean::terminal(&parts.join(" · ")).into_owned();
    let head = format!("  {}{sign} ", cut::pad(id.name(), LABEL - 2));
    p.hanging(&head, ink, &text, Ink::Plain, usize::MAX);
    for f in &l.findings {
        let ink = if f.note { Ink::Dim } else { Ink::Plain };
        p.hanging_ends(&label(""), Ink::Dim, &clean::terminal(&f.message), ink, usize::MAX, &f.code);
    }
}

/// What a layer saw, in pieces: why it was skipped, its label, its figures, the facts that are right, the numbers, what is cited.
fn seen(l: &LayerView) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(l.why.iter().map(|w| w.replace(['-', '_'], " ")));
    let against = l.findings.iter().any(|f| f.code == Code::RefusalFlagDisagrees.as_str());
    let told = |name: String| if against { format!("the text: {name}") } else { name };
    parts.extend(l.label.clone().filter(|_| l.outcome != "skipped").map(told));
    let metric = |(name, value): (&String, &Option<f64>)| value.map(|v| format!("{name} {}", short(v)));
    parts.extend(l.metrics.iter().filter(|(name, _)| HEADLINES.contains(&name.as_str())).filter_map(metric));
    parts.extend(l.facts.iter().filter(|f| f.ok).map(|f| {
        let not = if f.forbidden { "not " } else { "" };
        format!("{not}“{}” ✓", f.fact)
    }));
    parts.extend(l.numbers.iter().map(|n| format!("{} {}", n.text, n.status.replace('_', " "))));
    if !l.cited.is_empty() {
        // The results count from 0, the passages above from 1.
        let cited: Vec<String> = l.cited.iter().map(|index| (index + 1).to_string()).collect();
        parts.push(format!("cites passage {}", cited.join(", ")));
    }
    parts
}

/// What a layer of a question saw, as `ragline show` tells it; nothing for a layer that the result does not hold.
pub(in crate::report) fn seen_by(result: &ResultView, id: LayerId) -> String {
    let parts = result.layers.get(id.name()).map(seen).unwrap_or_default();
    clean::terminal(&parts.join(" · ")).into_owned()
}

/// A value with at most three decimals.
fn short(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
