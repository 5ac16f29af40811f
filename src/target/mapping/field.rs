//! One part of a response: which nodes its paths select, and its value, leniently typed.

use crate::suite::config::live::Field;
use serde_json::Value;
use serde_json_path::JsonPath;

/// The items that a field selects.
#[derive(Debug)]
pub(super) enum Items<'v> {
    /// A list, which may be empty.
    List(Vec<&'v Value>),
    /// One thing that is no list, where the path can select no more than one.
    One(&'v Value),
}

/// What the paths of a field select.
#[derive(Debug)]
pub(super) enum Found<'v> {
    /// Nodes of which at least one is not null; nulls among them are left out.
    Nodes(Vec<&'v Value>),
    /// Null, and nothing else.
    Null,
    /// Nothing.
    Nothing,
}

impl Field {
    /// What the first path selects that selects anything but null.
    pub(super) fn nodes<'v>(&self, value: &'v Value) -> Found<'v> {
        let mut null = false;
        for path in &self.paths {
            let nodes = path.query(value).all();
            null |= !nodes.is_empty();
            let here: Vec<&Value> = nodes.into_iter().filter(|n| !n.is_null()).collect();
            if !here.is_empty() {
                return Found::Nodes(here);
            }
        }
        if null { Found::Null } else { Found::Nothing }
    }

    /// The first node that is not null.
    pub(super) fn first<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match self.nodes(value) {
            Found::Nodes(nodes) => nodes.into_iter().next(),
            Found::Null | Found::Nothing => None,
        }
    }

    /// The items of a list: every node, or, where the only node is itself a list, what it holds. None where there is no such
    /// list; that is not the same as an empty one, which selects no node either: then what stands above is looked at.
    pub(super) fn items<'v>(&self, value: &'v Value) -> Option<Vec<&'v Value>> {
        self.listed(value).map(|items| match items {
            Items::List(items) => items,
            Items::One(item) => vec![item],
        })
    }

    /// The same, and whether it is a list.
    pub(super) fn listed<'v>(&self, value: &'v Value) -> Option<Items<'v>> {
        for path in &self.paths {
            let nodes = path.query(value).all();
            match nodes.as_slice() {
                [Value::Array(items)] => return Some(Items::List(items.iter().collect())),
                [] => {}
                // The list is null; the only item of a list may be too, and is none then.
                [Value::Null] if !is_below_list(path, value) => {}
                [node] if is_single(path) => return Some(Items::One(node)),
                _ => return Some(Items::List(nodes)),
            }
        }
        self.paths.iter().any(|p| is_empty_list(p, value)).then(|| Items::List(Vec::new()))
    }

    /// Takes off what is not part of the name.
    pub(crate) fn shape(&self, mut text: String) -> String {
        if let Some(rest) = self.strip_prefix.as_deref().and_then(|p| text.strip_prefix(p)) {
            text = rest.to_owned();
        }
        if self.basename
            && let Some(name) = text.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next()
            && !name.is_empty()
        {
            text = name.to_owned();
        }
        if let Some(regex) = &self.regex
            && let Some(found) = regex.captures(&text)
            && let Some(part) = found.get(1).or_else(|| found.get(0))
        {
            text = part.as_str().to_owned();
        }
        for (regex, with) in &self.replace {
            text = regex.replace_all(&text, with.as_str()).into_owned();
        }
        if self.lowercase { text.to_lowercase() } else { text }
    }

    /// Its paths, for messages.
    pub(super) fn shown(&self) -> String {
        self.paths.iter().map(ToString::to_string).collect::<Vec<_>>().join(" or ")
    }
}

/// Whether a path that selects nothing does so because a list is empty (or none of its items fits).
fn is_empty_list(path: &JsonPath, value: &Value) -> bool {
    if !path.query(value).is_empty() {
        return false;
    }
    let text = path.to_string();
    let mut ends = segment_starts(&text);
    let mut direct = true;
    while let Some(end) = ends.pop() {
        let Some(Ok(parent)) = text.get(..end).map(JsonPath::parse) else { return false };
        let nodes = parent.query(value).all();
        if !nodes.is_empty() {
            // Right above a path that selects nothing a list need not be empty: a filter may leave nothing.
            return nodes.iter().any(|n| n.as_array().is_some_and(|a| direct || a.is_empty()));
        }
        direct = false;
    }
    false
}

/// Whether a path can select one node at most: it has no wildcard, filter, slice, list or descent.
pub(super) fn is_single(path: &JsonPath) -> bool {
    let text = path.to_string();
    let mut quoted = None;
    let mut before = ' ';
    for c in text.chars() {
        match (quoted, c) {
            (Some(q), c) if c == q && before != '\\' => quoted = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quoted = Some(c),
            (None, '*' | '?' | ':' | ',') => return false,
            (None, '.') if before == '.' => return false,
            (None, _) => {}
        }
        before = c;
    }
    true
}

/// Whether what a path selects is an item of a list.
fn is_below_list(path: &JsonPath, value: &Value) -> bool {
    let text = path.to_string();
    let parent = segment_starts(&text).pop().and_then(|end| text.get(..end)).map(JsonPath::parse);
    matches!(parent, Some(Ok(parent)) if parent.query(value).iter().any(|n| n.is_array()))
}

/// Where the segments of a path begin, in bytes: behind each of these prefixes stands one more segment.
fn segment_starts(path: &str) -> Vec<usize> {
    let (mut starts, mut depth, mut quote, mut escaped) = (Vec::new(), 0_u32, None, false);
    let mut before = '$';
    for (at, c) in path.char_indices().skip(1) {
        match (quote, c) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(q), c) if q == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[') => {
                // `..[` is one segment.
                if depth == 0 && before != '.' {
                    starts.push(at);
                }
                depth += 1;
            }
            (None, ']') => depth = depth.saturating_sub(1),
            (None, '.') if depth == 0 && before != '.' => starts.push(at),
            (None, _) => {}
        }
        before = c;
    }
    starts
}

/// The text of a node: a text, or the digits of a number, or `true` or `false`.
pub(super) fn text(node: &Value) -> Option<String> {
    match node {
        Value::String(s) => Some(s.clone()),
        Value::Number(n) => Some(n.to_string()),
        Value::Bool(b) => Some(b.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// A number that may be written as a text.
pub(super) fn number(node: &Value) -> Option<f64> {
    match node {
        Value::Number(n) => n.as_f64(),
        Value::String(s) => s.trim().parse().ok(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => None,
    }
    .filter(|n| n.is_finite())
}

/// A whole number from 0 that may be written as a text, or with a fraction of 0.
pub(super) fn whole(node: &Value) -> Option<u64> {
    let digits = text(node)?;
    let digits = digits.trim();
    digits.strip_suffix(".0").unwrap_or(digits).parse().ok()
}

/// A flag: `true`, `"true"`, 1; `false`, `"false"`, 0.
pub(super) fn flag(node: &Value) -> Option<bool> {
    match text(node)?.trim().to_ascii_lowercase().as_str() {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" | "" => Some(false),
        _ => None,
    }
}

/// What kind of value it is, for messages.
pub(super) fn kind(node: &Value) -> &'static str {
    match node {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(items) if items.is_empty() => "an empty list",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::segment_starts;

    #[test]
    fn segments_of_paths() {
        let cut = |p: &str| segment_starts(p).into_iter().map(|at| p.get(..at).unwrap().to_owned()).collect::<Vec<_>>();
        assert_eq!(cut("$"), Vec::<String>::new());
        assert_eq!(cut("$['a.b[']['c'][*]"), ["$", "$['a.b[']", "$['a.b[']['c']"]);
        assert_eq!(cut("$.a[?@.b == ']'].c"), ["$", "$.a", "$.a[?@.b == ']']"]);
        assert_eq!(cut("$..a[0]"), ["$", "$..a"]);
        assert_eq!(cut("$..[0]"), ["$"]);
    }
}
