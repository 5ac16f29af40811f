//! Reads addresses and headers: what would fail at the first question is refused with its line.

use super::live;
use super::units::env_text;
use crate::problem::near::did_you_mean;
use crate::suite::config::live::EnvText;
use crate::suite::node::reader::shown;
use crate::suite::node::{Node, Reader, Style, Value};

/// An address with `http://` or `https://`. One that begins with `${NAME}` or `{{ name }}` is known later.
pub(super) fn address(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Option<EnvText> {
    let text = env_text(reader, node, what)?;
    let raw = &text.raw;
    // Blanks of a template are not sent.
    let outside: String = raw.split("{{").enumerate().fold(String::new(), |all, (i, part)| {
        all + if i == 0 { part } else { part.split_once("}}").map_or("", |(_, rest)| rest) }
    });
    if let Some(c) = outside.chars().find(|c| c.is_whitespace() || c.is_control()) {
        let named = match c {
            ' ' => "a blank".to_owned(),
            '\n' | '\r' => "a line break".to_owned(),
            _ => format!("the character U+{:04X}", u32::from(c)),
        };
        let title = format!("{what} holds {named}, which no address has");
        reader.push(reader.error("address", node.span, title).help("a question belongs into `query` or `body`"));
        return None;
    }
    if raw.starts_with("${") || raw.starts_with("{{") {
        return Some(text);
    }
    // A password in an address is not repeated by the message that finds fault with it.
    let open = raw.contains('@');
    let shown = |text: &str| if open { crate::secret::HIDDEN.to_owned() } else { shown(text) };
    let mut problem = match raw.split_once("://") {
        Some(("http" | "https", rest)) if rest.is_empty() || rest.starts_with(['/', '?', '#']) => {
            reader.error("address", node.span, format!("{what} names no host: `{}`", shown(raw)))
        }
        Some(("http" | "https", _)) => return Some(text),
        Some((scheme, rest)) => {
            let title = format!("{what} begins with `{}://`, expected http:// or https://", shown(scheme));
            let p = reader.error("address", node.span, title);
            match did_you_mean(scheme, ["https", "http"]) {
                Some(near) => p.help(format!("did you mean `{near}://{}`?", shown(rest))),
                None => p,
            }
        }
        None => {
            let title = format!("{what} is `{}`, expected an address with http:// or https://", shown(raw));
            let rest = raw.trim_start_matches("http:").trim_start_matches("https:").trim_start_matches('/');
            let p = reader.error("address", node.span, title);
            if rest.is_empty() { p } else { p.help(format!("did you mean `http://{}`?", shown(rest))) }
        }
    };
    if open {
        problem.source = None;
    }
    reader.push(problem);
    None
}

/// Headers. With a preset, an empty text takes a header of the preset's away.
pub(super) fn headers(reader: &Reader<'_>, node: Option<&Node<'_>>, preset: bool) -> Vec<(String, EnvText)> {
    let value = |reader: &Reader<'_>, n: &Node<'_>, what: &str| {
        if preset && matches!(&n.value, Value::Scalar(t, style) if t.is_empty() && *style != Style::Plain) {
            return Some(EnvText { raw: String::new(), place: reader.place(n.span) });
        }
        let text = env_text(reader, n, what)?;
        if text.raw.chars().any(|c| c.is_control() && c != '\t') {
            let title = format!("{what} holds a line break or another control character, which no header has");
            reader.push(reader.error("header", n.span, title).help("write the text on one line"));
            return None;
        }
        Some(text)
    };
    if let Some(Value::Map(entries)) = node.map(|n| &n.value) {
        for (i, e) in entries.iter().enumerate() {
            let token = |b: u8| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&b);
            if e.key.is_empty() || !e.key.bytes().all(token) {
                let title = format!("`{}` is no name of a header", shown(&e.key));
                reader.push(reader.error("header", e.key_span, title).help("letters, digits and - as in X-Api-Key"));
            }
            if let Some(first) = entries.iter().take(i).find(|f| f.key != e.key && f.key.eq_ignore_ascii_case(&e.key)) {
                let title = format!("`{}` and `{}` are one header: names have no letter case", first.key, e.key);
                reader.push(reader.error("header", e.key_span, title).help("keep one of them"));
            }
        }
    }
    live::pairs(reader, node, "`headers`", value)
}
