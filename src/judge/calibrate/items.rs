//! Labelled answers, and what judges them.
//!
//! A file of labelled answers is JSON lines: `label` is what people say (`pass`, `fail`), `verdict` what a judge said of the
//! same answer. Where a rule layer is the judge, the line holds what `ragline inspect` of that layer takes.

use super::grade::Measured;
use crate::inspect::{self, What};
use crate::layer::refusal::Own;
use crate::stats::Agreement;
use crate::text::pack::Lang;
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// One labelled answer.
#[derive(Debug, Clone)]
pub struct Item {
    /// The line, from 1.
    pub line: usize,
    /// Whether people let it pass.
    pub label: bool,
    /// What a second person says of it.
    pub second: Option<bool>,
    /// What was planted, where it is a twin.
    pub kind: Option<String>,
    /// The whole line.
    pub text: String,
    /// The verdict that stands in the line; nothing where it is owed.
    pub verdict: Option<bool>,
}

#[derive(Deserialize)]
struct Line {
    label: String,
    #[serde(default)]
    second: Option<String>,
    #[serde(default)]
    verdict: Option<String>,
    #[serde(default)]
    kind: Option<String>,
}

impl Item {
    /// Reads one line.
    ///
    /// # Errors
    /// A sentence on what is wrong with it.
    pub fn read(text: &str, line: usize) -> Result<Item, String> {
        let read: Line = serde_json::from_str(text).map_err(|e| format!("no labelled answer: {e}"))?;
        let verdict = match read.verdict.as_deref() {
            None | Some("unmeasured" | "unclear") => None,
            Some(word) => Some(passes("verdict", word)?),
        };
        Ok(Item {
            line,
            label: passes("label", &read.label)?,
            second: read.second.as_deref().map(|w| passes("second", w)).transpose()?,
            kind: read.kind,
            text: text.to_owned(),
            verdict,
        })
    }
}

fn passes(key: &str, word: &str) -> Result<bool, String> {
    match word {
        "pass" => Ok(true),
        "fail" => Ok(false),
        other => Err(format!("`{key}` is `{other}`, expected `pass` or `fail`")),
    }
}

/// Whatever gives verdicts on answers.
pub trait Judge {
    /// Its name in reports.
    fn name(&self) -> String;

    /// Whether an answer passes; nothing where the verdict is owed.
    ///
    /// # Errors
    /// A sentence on what is wrong with the item.
    fn verdict(&self, item: &Item) -> Result<Option<bool>, String>;
}

/// The verdicts that stand in the file.
#[derive(Debug, Clone, Copy)]
pub struct Recorded;

impl Judge for Recorded {
    fn name(&self) -> String {
        "the verdicts of the file".to_owned()
    }

    fn verdict(&self, item: &Item) -> Result<Option<bool>, String> {
        Ok(item.verdict)
    }
}

/// A rule layer as the judge.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Which one.
    pub layer: Layer,
    /// The language of lines that name none.
    pub lang: Lang,
}

/// The layers that can judge an answer by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layer {
    /// `facts` and `must_not` of the line.
    Facts,
    /// The answer against `contexts`.
    Numbers,
    /// The answer does not refuse; with `"expect": "refuse"` it does.
    Refusal,
}

impl Judge for Rule {
    fn name(&self) -> String {
        format!("the layer {}", self.layer.name())
    }

    fn verdict(&self, item: &Item) -> Result<Option<bool>, String> {
        let what = match self.layer {
            Layer::Facts => What::Facts,
            Layer::Numbers => What::Numbers,
            Layer::Refusal => What::Refusal,
        };
        let said = inspect::line(what, &item.text, &self.lang, &Own::default())?;
        let word = |key: &str| said.get(key).and_then(Value::as_str);
        Ok(match self.layer {
            Layer::Refusal => {
                let whole: Value = serde_json::from_str(&item.text).map_err(|e| e.to_string())?;
                let wanted = whole.get("expect").and_then(Value::as_str) == Some("refuse");
                match word("label") {
                    Some("refusal" | "partial") => Some(wanted),
                    Some("none") => Some(!wanted),
                    _ => None,
                }
            }
            // An answer in which a layer finds nothing to check is let pass by it.
            Layer::Facts | Layer::Numbers => match word("outcome") {
                Some("pass" | "skipped") => Some(true),
                Some("fail") => Some(false),
                _ => None,
            },
        })
    }
}

impl Layer {
    /// All of them.
    pub const ALL: [Layer; 3] = [Layer::Facts, Layer::Numbers, Layer::Refusal];

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Layer::Facts => "facts",
            Layer::Numbers => "numbers",
            Layer::Refusal => "refusal",
        }
    }
}

/// A judge over labelled answers.
#[derive(Debug, Clone, Default)]
pub struct Calibration {
    /// The judge's name.
    pub judge: String,
    /// All answers.
    pub all: Measured,
    /// Of twins by what was planted.
    pub kinds: BTreeMap<String, Measured>,
    /// Two people, where two labelled: what a judge can at most be held to.
    pub people: Agreement,
}

/// Asks a judge of every answer.
///
/// # Errors
/// What is wrong with a line, with its number.
pub fn measure(items: &[Item], judge: &dyn Judge) -> Result<Calibration, String> {
    let mut out = Calibration { judge: judge.name(), ..Calibration::default() };
    for item in items {
        let verdict = judge.verdict(item).map_err(|why| format!("line {}: {why}", item.line))?;
        let count = |m: &mut Measured| match verdict {
            // That an answer is wrong is the yes.
            Some(passes) => m.table.add(!passes, !item.label),
            None => m.unmeasured += 1,
        };
        count(&mut out.all);
        if let Some(kind) = &item.kind {
            count(out.kinds.entry(kind.clone()).or_default());
        }
        if let Some(second) = item.second {
            out.people.add(!second, !item.label);
        }
    }
    Ok(out)
}
