//! What is looked at before the first question is asked: names that nothing gives, JSON that breaks on a quote.

use super::{Escape, GIVEN, Template, Values, Variable, fill};
use crate::problem::near::or_near;
use crate::problem::{Place, Problem};
use crate::suite::config::live::EnvText;
use serde_json::Value;

/// A question that breaks whatever is not escaped: quotes, line ends, control characters, the signs of templates and of
/// variables, four scripts, a character beyond the basic plane.
const HOSTILE: &str = "\"'\\\"\\n}{{ question }}{% if %}${HOME} </script> \u{1}\u{7f}\n\t\r,]}: ế ไม่มี 保修期 𠮷";

/// The functions that minijinja brings: names that are no variables.
const FUNCTIONS: [&str; 4] = ["range", "dict", "namespace", "debug"];

/// Renders a template with a hostile question.
///
/// # Errors
/// A name that nothing gives, a template that fails, JSON that is none.
pub(super) fn check(template: &Template, text: &EnvText) -> Result<(), Problem> {
    let problem = |code, title: String| Problem::error(code, text.place.clone(), title);
    let known: Vec<&str> = GIVEN.into_iter().chain(template.vars.keys().map(String::as_str)).collect();
    let unknown = |n: &&String| !known.contains(&n.as_str()) && !FUNCTIONS.contains(&n.as_str());
    if let Some(name) = template.names.iter().find(unknown) {
        let near = or_near(name, known.iter().copied());
        let title = format!("the template names `{name}`, which nothing gives{near}");
        let help = format!("the names are {}; `vars` adds others", known.join(", "));
        return Err(problem("template-name", title).help(help));
    }
    let values = Values { question: HOSTILE, id: HOSTILE, suite: HOSTILE, language: "en", repeat: 0, session: HOSTILE };
    let rendered = match template.text(&values) {
        Ok(rendered) => fill::filled(&rendered, &template.mark, &template.variables, template.escape),
        Err(e) => return Err(no_template(text.place.clone(), &e, &template.mark, &template.variables)),
    };
    if template.escape != Escape::Json {
        return Ok(());
    }
    let value: Value = match serde_json::from_str(&rendered) {
        Ok(value) => value,
        Err(e) => {
            return Err(match quoted_name(&text.raw) {
                Some(name) => {
                    let title = format!("write {name} without quotes: it brings its own");
                    problem("template-quotes", title).help(format!(
                        "{{\"message\": {name}}}, or {{\"message\": {{{{ \"Briefly: \" ~ question }}}}}}"
                    ))
                }
                None => problem("template-json", format!("the template gives no JSON ({})", place_in(&e)))
                    .help("values bring their own quotes: {\"message\": {{ question }}}"),
            });
        }
    };
    if template.names.contains("question") && !holds(&value, HOSTILE) {
        let title = "the question does not arrive as it was asked: a filter changes it";
        return Err(problem("template-question", title.to_owned()).help("write {{ question }}"));
    }
    Ok(())
}

/// The first `{{ … }}` that stands within the quotes of a JSON string, as it is written.
fn quoted_name(raw: &str) -> Option<&str> {
    let (mut string, mut at) = (false, 0);
    while let Some(rest) = raw.get(at..) {
        let c = rest.chars().next()?;
        if rest.starts_with("{{") {
            let length = rest.find("}}").map_or(rest.len(), |end| end + 2);
            if string {
                return rest.get(..length);
            }
            // Quotes in here are the template's.
            at += length;
            continue;
        }
        match c {
            '\\' if string => at += rest.chars().nth(1).map_or(0, char::len_utf8),
            '"' => string = !string,
            _ => {}
        }
        at += c.len_utf8();
    }
    None
}

fn holds(value: &Value, text: &str) -> bool {
    match value {
        Value::String(s) => s.contains(text),
        Value::Array(items) => items.iter().any(|v| holds(v, text)),
        Value::Object(entries) => entries.iter().any(|(k, v)| k.contains(text) || holds(v, text)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// What a JSON parser says, without the text: that may hold a secret.
fn place_in(e: &serde_json::Error) -> String {
    crate::target::response::plain_message(e)
}

/// A template that is none.
pub(super) fn no_template(place: Place, e: &minijinja::Error, mark: &str, variables: &[Variable]) -> Problem {
    Problem::error("template", place, format!("this is no template: {}", reason(e, mark, variables)))
        .help("{{ question }} stands for what is asked")
}

/// What minijinja says, in one line, with the names of variables in place of marks.
pub(super) fn reason(e: &minijinja::Error, mark: &str, variables: &[Variable]) -> String {
    let what = e.detail().map_or_else(|| e.kind().to_string(), str::to_owned);
    fill::named(&crate::text::norm::visible(&what), mark, variables)
}
