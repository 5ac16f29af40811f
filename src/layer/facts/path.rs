//! A part of an answer that is JSON.

use crate::text::norm::visible;
use serde_json::Value;
use serde_json_path::JsonPath;

/// The text of what a path finds in an answer in JSON, alone or in a fence of Markdown: a text as it is, a number or a
/// truth value as JSON writes it, what a list or an object holds one a line.
///
/// # Errors
/// Why there is none.
pub(super) fn part(answer: &str, path: &JsonPath) -> Result<String, String> {
    let json = unfenced(answer);
    let value: Value = serde_json::from_str(json).map_err(|_| "the answer is no JSON".to_owned())?;
    let mut lines = Vec::new();
    for found in path.query(&value).all() {
        leaves(found, &mut lines);
    }
    if lines.is_empty() {
        return Err(format!("nothing stands at {}", visible(&path.to_string())));
    }
    Ok(lines.join("\n"))
}

/// The inside of the first fence, where the answer has one.
fn unfenced(answer: &str) -> &str {
    let Some((_, behind)) = answer.split_once("```") else { return answer.trim() };
    let body = behind.split_once('\n').map_or(behind, |(_, body)| body);
    body.split_once("```").map_or(body, |(inside, _)| inside).trim()
}

fn leaves(value: &Value, lines: &mut Vec<String>) {
    match value {
        Value::Null => {}
        Value::String(text) => lines.push(text.clone()),
        Value::Bool(yes) => lines.push(yes.to_string()),
        Value::Number(number) => lines.push(number.to_string()),
        Value::Array(items) => items.iter().for_each(|v| leaves(v, lines)),
        Value::Object(map) => map.values().for_each(|v| leaves(v, lines)),
    }
}
