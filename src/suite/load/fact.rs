//! `facts` and `must_not`: what the answer must say, and what it must not.

use crate::suite::model::{Fact, FactForm};
use crate::suite::node::reader::shown;
use crate::suite::node::{Fields, Node, Reader, Shape, Value, composed};
use crate::text::decimal::Decimal;
use crate::text::norm;
use regex::RegexBuilder;

/// The keys of a fact: one of the forms.
pub(crate) const FACT: Shape = Shape {
    what: "a fact",
    keys: &["text", "any_of", "all_of", "regex", "number", "yes_no"],
    reserved: &["date", "order", "fold", "fuzzy", "min_recall", "condition", "negation", "path"],
};

/// The keys of a number.
pub(crate) const NUMBER: Shape = Shape { what: "a number", keys: &["value", "unit", "op"], reserved: &[] };

/// A compiled pattern may take this many bytes.
const REGEX_SIZE: usize = 1 << 20;

/// The facts of a list.
pub(super) fn list(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Vec<Fact> {
    reader.list(node, what).unwrap_or_default().iter().filter_map(|n| fact(reader, n)).collect()
}

fn fact(reader: &Reader<'_>, node: &Node<'_>) -> Option<Fact> {
    let place = reader.place(node.span);
    let form = match &node.value {
        Value::Scalar(..) => FactForm::Text(reader.string(node, "a fact")?),
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
                && !FACT.reserved.contains(&only.key.as_ref())
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
            form(reader, &fields)?
        }
    };
    Some(Fact { form, place })
}

fn form(reader: &Reader<'_>, fields: &Fields<'_, '_>) -> Option<FactForm> {
    let given: Vec<_> = fields.entries.iter().filter(|e| FACT.keys.contains(&e.key.as_ref())).collect();
    let entry = match given.as_slice() {
        [one] => *one,
        [] => {
            // Only unknown or reserved keys: they have been recorded.
            if fields.entries.is_empty() {
                reader.push(reader.error("fact-form", fields.span, "a fact without content"));
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
    match entry.key.as_ref() {
        "text" => Some(FactForm::Text(reader.string(node, "`text`")?)),
        "any_of" => Some(FactForm::AnyOf(combined(reader, node, "`any_of`")?)),
        "all_of" => Some(FactForm::AllOf(combined(reader, node, "`all_of`")?)),
        "regex" => Some(FactForm::Regex(regex(reader, node)?)),
        "number" => number(reader, node),
        _ => {
            let words = [("yes", true), ("no", false), ("true", true), ("false", false)];
            Some(FactForm::YesNo(reader.word(node, "`yes_no`", &words, &[])?))
        }
    }
}

fn combined(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Option<Vec<Fact>> {
    let facts = list(reader, node, what);
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
    if let Some(op) = fields.get("op") {
        reader.word(op, "`op`", &[("stated", ())], &["eq", "le", "ge"])?;
    }
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
    Some(FactForm::Number { value: parsed, unit: unit.flatten() })
}

/// Records texts that are required and forbidden at once: no answer could pass.
pub(super) fn contradictions(reader: &Reader<'_>, facts: &[Fact], must_not: &[Fact]) {
    for no in must_not {
        let FactForm::Text(forbidden) = &no.form else { continue };
        let form = norm::matching(forbidden);
        let same = |f: &&Fact| matches!(&f.form, FactForm::Text(t) if norm::matching(t) == form);
        if let Some(fact) = facts.iter().find(same) {
            reader.push(
                crate::problem::Problem::error(
                    "fact-contradicts",
                    no.place.clone(),
                    format!("“{}” is required under `facts` and forbidden under `must_not`", shown(forbidden)),
                )
                .label("forbidden here", forbidden.chars().count())
                .related(fact.place.clone(), "required here")
                .source(reader.source())
                .help("remove one of them: no answer can pass"),
            );
        }
    }
}
