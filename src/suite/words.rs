//! How the parts of a question read to a person: one wording for every report.

use super::{Evidence, EvidenceItem, Expect, Fact, FactForm, NumberOp};
use std::fmt::{self, Display, Formatter};

impl Display for Fact {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.form.fmt(f)?;
        match &self.looking.condition {
            Some(condition) => write!(f, ", only if {condition}"),
            None => Ok(()),
        }
    }
}

impl Display for FactForm {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            FactForm::Text(text) => f.write_str(text),
            FactForm::AnyOf(facts) => joined(f, facts, " | "),
            FactForm::AllOf(facts) => joined(f, facts, " + "),
            FactForm::Regex(regex) => write!(f, "/{}/", regex.as_str()),
            FactForm::Order(facts) => joined(f, facts, " → "),
            FactForm::Number { value, unit, op } => {
                f.write_str(match op {
                    NumberOp::Stated => "",
                    NumberOp::Eq => "= ",
                    NumberOp::Le => "≤ ",
                    NumberOp::Ge => "≥ ",
                })?;
                match unit {
                    Some(unit) => write!(f, "{value} {unit}"),
                    None => value.fmt(f),
                }
            }
            FactForm::Date(date) => date.fmt(f),
            FactForm::YesNo(true) => f.write_str("yes"),
            FactForm::YesNo(false) => f.write_str("no"),
        }
    }
}

impl Display for EvidenceItem {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            EvidenceItem::One(e) => e.fmt(f),
            EvidenceItem::AnyOf(items) => joined(f, items, " | "),
            EvidenceItem::AllOf(items) => joined(f, items, " + "),
        }
    }
}

/// The words that decide, shortened, and where they stand.
impl Display for Evidence {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(span) = &self.span {
            let short: String = span.chars().take(60).collect();
            let dots = if short.len() < span.len() { "…" } else { "" };
            parts.push(format!("“{short}{dots}”"));
        }
        if let Some(doc) = self.doc.as_ref().or(self.url.as_ref()) {
            let section: String = self.section.iter().map(|s| format!(" › {s}")).collect();
            parts.push(format!("{}{doc}{section}", if parts.is_empty() { "" } else { "of " }));
        }
        if let Some(chunk) = &self.chunk {
            parts.push(format!("(passage {chunk})"));
        }
        f.write_str(&parts.join(" "))
    }
}

impl Expect {
    /// The word of the suite file.
    pub fn name(self) -> &'static str {
        match self {
            Expect::Answer => "answer",
            Expect::Refuse => "refuse",
            Expect::Either => "either",
            Expect::Clarify => "clarify",
        }
    }
}

fn joined<T: Display>(f: &mut Formatter<'_>, items: &[T], between: &str) -> fmt::Result {
    for (i, item) in items.iter().enumerate() {
        if i > 0 {
            f.write_str(between)?;
        }
        item.fmt(f)?;
    }
    Ok(())
}
