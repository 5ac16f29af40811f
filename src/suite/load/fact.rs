//! `facts` and `must_not`: what the answer must say, and what it must not.

use super::looking::{self, LOOKING};
use crate::suite::model::{Fact, FactForm, Looking, NumberOp};
use crate::suite::node::reader::shown;
use crate::suite::node::{Fields, Node, Reader, Shape, Value};
use crate::text::decimal::Decimal;
use crate::text::norm;
use crate::text::norm::composed;
use crate::text::number::Civil;
use regex::RegexBuilder;

/// The forms of a fact: it has one of them.
const FORMS: [&str; 8] = ["text", "any_of", "all_of", "order", "regex", "number", "date", "yes_no"];

/// The keys of a fact: one of the forms, and how it is looked for.
pub(crate) const FACT: Shape = Shape {
    what: "a fact",
    keys: &[
        "text",
        "any_of",
        "all_of",
        "order",
        "regex",
        "number",
        "date",
        "yes_no",
        "fold",
        "fuzzy",
        "min_recall",
        "negation",
        "condition",
        "path",
    ],
    reserved: &[],
};

/// The keys of a number.
pub(crate) const NUMBER: Shape = Shape { what: "a number", keys: &["value", "unit", "op"], reserved: &[] };

/// What an answer may say of a number.
pub(crate) const OPS: [(&str, NumberOp); 4] =
    [("stated", NumberOp::Stated), ("eq", NumberOp::Eq), ("le", NumberOp::Le), ("ge", NumberOp::Ge)];

/// A compiled pattern may take this many bytes.
const REGEX_SIZE: usize = 1 << 20;

/// The facts of a list.
pub(super) fn list(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Vec<Fact> {
    members(reader, node, what, &Looking::default())
}

/// The facts of a list, looked for as the fact around them says unless they say otherwise.
fn members(reader: &Reader<'_>, node: &Node<'_>, what: &str, around: &Looking) -> Vec<Fact> {
    reader.list(node, what).unwrap_or_default().iter().filter_map(|n| fact(reader, n, around)).collect()
}

/// One fact.
pub(super) fn fact(reader: &Reader<'_>, node: &Node<'_>, around: &Looking) -> Option<Fact> {
    let place = reader.place(node.span);
    let (form, looking) = match &node.value {
        Value::Scalar(..) => (FactForm::Text(reader.string(node, "a fact")?), looking::handed_on(around)),
        Value::List(_) => {
            reader.push(
                reader
                    .error("expected-fact", node.span, "a fact is a list, expected a text or a map")
                    .help("write `any_of: [ … ]` or `all_of: [ … ]`"),
            );
            return None;
        }
        Value::Map(entries) => {
            // `- Fee: 7 days` is a map in YAML; whoever wrote it meant a text.
            if let [only] = entries.as_slice()
                && !FACT.keys.contains(&only.key.as_ref())
                && crate::problem::near::did_you_mean(&only.key, FACT.keys.iter().copied()).is_none()
            {
                let title = format!("unknown key `{}` in a fact", shown(&only.key));
                reader.push(
                    reader
                        .error("unknown-key", only.key_span, title)
                        .label("a text with `: ` is a map", reader.width(only.key_span))
                        .help("quote the whole fact when it is a text"),
                );
                return None;
            }
            let fields = reader.fields(node, &FACT)?;
            let looking = looking::read(reader, &fields, around);
            (form(reader, &fields, &looking)?, looking)
        }
    };
    Some(Fact { form, looking, place })
}

fn form(reader: &Reader<'_>, fields: &Fields<'_, '_>, looking: &Looking) -> Option<FactForm> {
    let given: Vec<_> = fields.entries.iter().filter(|e| FORMS.contains(&e.key.as_ref())).collect();
    let entry = match given.as_slice() {
        [one] => *one,
        [] => {
            // Where only unknown keys stand, they have been recorded.
            if fields.entries.iter().all(|e| LOOKING.contains(&e.key.as_ref())) {
                let title = "a fact without content";
                reader.push(reader.error("fact-form", fields.span, title).help("say what is looked for: `text: …`"));
            }
            return None;
        }
        [first, second, ..] => {
            if first.key != second.key {
                let title = format!("a fact has `{}` and `{}`, expected one form", first.key, second.key);
                reader.push(reader.error("fact-form", second.key_span, title).help("write two facts, or use `all_of`"));
            }
            return None;
        }
    };
    let node = &entry.value;
    looking::refuse_idle(reader, fields, &entry.key);
    let combined = |what| combined(reader, node, what, looking);
    match entry.key.as_ref() {
        "text" => Some(FactForm::Text(reader.string(node, "`text`")?)),
        "any_of" => Some(FactForm::AnyOf(combined("`any_of`")?)),
        "all_of" => Some(FactForm::AllOf(combined("`all_of`")?)),
        "order" => Some(FactForm::Order(order(reader, node, combined("`order`")?)?)),
        "regex" => Some(FactForm::Regex(regex(reader, node)?)),
        "number" => number(reader, node),
        "date" => Some(FactForm::Date(date(reader, node)?)),
        _ => {
            let words = [("yes", true), ("no", false), ("true", true), ("false", false)];
            Some(FactForm::YesNo(reader.word(node, "`yes_no`", &words, &[])?))
        }
    }
}

/// An order of one thing says nothing; a yes or no has no place in an answer.
fn order(reader: &Reader<'_>, node: &Node<'_>, facts: Vec<Fact>) -> Option<Vec<Fact>> {
    if let [_] = facts.as_slice() {
        let title = "`order` has one item, expected two or more";
        reader.push(reader.error("fact-form", node.span, title).help("write it as a fact of its own"));
        return None;
    }
    if let Some(fact) = facts.iter().find(|f| matches!(f.form, FactForm::YesNo(_))) {
        let title = "a yes or no inside `order` stands at no place of the answer";
        let problem = crate::problem::Problem::error("fact-form", fact.place.clone(), title).source(reader.source());
        reader.push(problem.help("write it as a fact of its own"));
        return None;
    }
    Some(facts)
}

fn date(reader: &Reader<'_>, node: &Node<'_>) -> Option<Civil> {
    let text = reader.string(node, "`date`")?;
    let date = Civil::parse(text.trim());
    if date.is_none() {
        let title = format!("`date` is `{}`, expected a date", shown(&text));
        let help = "write year, month and day as 2026-11-30; a month as 2026-11; a day of any year as --11-30";
        reader.push(reader.error("expected-date", node.span, title).help(help));
    }
    date
}

fn combined(reader: &Reader<'_>, node: &Node<'_>, what: &str, around: &Looking) -> Option<Vec<Fact>> {
    let facts = members(reader, node, what, around);
    if facts.is_empty() {
        if matches!(&node.value, Value::List(l) if l.is_empty()) {
            reader.push(reader.error("fact-form", node.span, format!("{what} is empty")));
        }
        return None;
    }
    Some(facts)
}

fn regex(reader: &Reader<'_>, node: &Node<'_>) -> Option<regex::Regex> {
    let pattern = reader.string(node, "`regex`")?;
    // Answers are read in composed form; a pattern typed in decomposed form would never match one.
    let pattern = composed(&pattern);
    match RegexBuilder::new(&pattern).size_limit(REGEX_SIZE).dfa_size_limit(REGEX_SIZE).nest_limit(50).build() {
        Ok(r) if r.is_match("") => {
            let title = "this pattern matches every answer, even an empty one";
            reader.push(reader.error("regex-always-matches", node.span, title).help("require at least one character"));
            None
        }
        Ok(r) => Some(r),
        Err(e) => {
            let why = if matches!(e, regex::Error::CompiledTooBig(_)) {
                "it is too large when compiled".to_owned()
            } else {
                e.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
            };
            reader.push(
                reader
                    .error("regex-syntax", node.span, format!("not a regular expression: {}", shown(&why)))
                    .help("the syntax is that of the Rust crate `regex`: no look-around, no back-references"),
            );
            None
        }
    }
}

fn number(reader: &Reader<'_>, node: &Node<'_>) -> Option<FactForm> {
    if let Value::Scalar(..) = node.value {
        let title = "`number` is a plain value, expected a map";
        reader.push(reader.error("expected-map", node.span, title).help("write `number: { value: 7, unit: day }`"));
        return None;
    }
    let fields = reader.fields(node, &NUMBER)?;
    let unit = fields.get("unit").map(|n| reader.string(n, "`unit`"));
    let op = match fields.get("op") {
        Some(op) => reader.word(op, "`op`", &OPS, &[])?,
        None => NumberOp::Stated,
    };
    let Some(value) = fields.get("value") else {
        reader.push(reader.error("key-missing", node.span, "`value` is missing in a number"));
        return None;
    };
    let text = reader.string(value, "`value`")?;
    let Some(parsed) = Decimal::parse(&text) else {
        let title = format!("`value` is `{}`, expected a number", shown(&text));
        reader.push(
            reader
                .error("expected-number", value.span, title)
                .help("write digits with `.` as the decimal mark and nothing between thousands: 5000000, 1.5"),
        );
        return None;
    };
    Some(FactForm::Number { value: parsed, unit: unit.flatten(), op })
}

/// Records what is required and forbidden at once: no answer could pass.
pub(super) fn contradictions(reader: &Reader<'_>, facts: &[Fact], must_not: &[Fact]) {
    for no in must_not {
        if let Some(fact) = facts.iter().find(|f| is_same(&f.form, &no.form)) {
            let forbidden = no.form.to_string();
            reader.push(
                crate::problem::Problem::error(
                    "fact-contradicts",
                    no.place.clone(),
                    format!("“{}” is required under `facts` and forbidden under `must_not`", shown(&forbidden)),
                )
                .label("forbidden here", forbidden.chars().count())
                .related(fact.place.clone(), "required here")
                .source(reader.source())
                .help("remove one of them: no answer can pass"),
            );
        }
    }
}

/// Whether two forms say the same.
fn is_same(a: &FactForm, b: &FactForm) -> bool {
    match (a, b) {
        (FactForm::Text(a), FactForm::Text(b)) => norm::matching(a) == norm::matching(b),
        (
            FactForm::Number { value: a, unit: u, op: NumberOp::Stated },
            FactForm::Number { value: b, unit: v, op: NumberOp::Stated },
        ) => a == b && u == v,
        (FactForm::Date(a), FactForm::Date(b)) => a == b,
        (FactForm::YesNo(a), FactForm::YesNo(b)) => a == b,
        _ => false,
    }
}
