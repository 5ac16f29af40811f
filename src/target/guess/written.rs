//! A proposed mapping as settings.

use super::{Guess, Refused};
use std::fmt::Write;

impl Guess {
    /// True when nothing was recognised.
    pub fn is_empty(&self) -> bool {
        self.answer.is_none() && self.delta.is_none() && self.contexts.is_none()
    }

    /// The mapping as the section of a target in `ragline.toml`.
    pub fn to_toml(&self, target: &str) -> String {
        let mut out = format!("[targets.{target}.response]\n");
        // Writing to a string cannot fail.
        let mut put = |key: &str, path: &Option<String>| {
            if let Some(path) = path {
                let _ = writeln!(out, "{key} = {}", quoted(path));
            }
        };
        put("answer", &self.answer);
        put("delta", &self.delta);
        put("input_tokens", &self.input_tokens);
        put("output_tokens", &self.output_tokens);
        match &self.refused {
            Some(Refused::Flag(path)) => put("refused", &Some(path.clone())),
            Some(Refused::Word { path, word, refuses: true }) => {
                let regex = format!("^{}$", regex::escape(word));
                let _ = writeln!(out, "refused = {{ path = {}, regex = {} }}", quoted(path), quoted(&regex));
            }
            Some(Refused::Word { path, word, refuses: false }) => {
                let _ = writeln!(
                    out,
                    "# refused = {{ path = {}, regex = '^WORD$' }}    # which word means a refusal? here it says {}",
                    quoted(path),
                    quoted(word)
                );
            }
            None => {}
        }
        if let Some(c) = &self.contexts {
            let _ = writeln!(out, "contexts = {}", list(&c.path, c.event.as_deref()));
            let mut parts: Vec<String> = Vec::new();
            let mut part = |key: &str, path: &Option<String>| {
                parts.extend(path.iter().map(|p| format!("{key} = {}", quoted(p))));
            };
            part("text", &c.text);
            part("section", &c.section);
            part("chunk", &c.chunk);
            part("url", &c.url);
            part("score", &c.score);
            part("in_prompt", &c.in_prompt);
            parts.extend(c.doc.as_ref().map(name));
            if !parts.is_empty() {
                let _ = writeln!(out, "context = {{ {} }}", parts.join(", "));
            }
        }
        if let Some(c) = &self.citations {
            let _ = writeln!(out, "citations = {}", list(&c.path, c.event.as_deref()));
            let mut parts: Vec<String> = Vec::new();
            parts.extend(c.context.iter().map(|p| format!("context = {}", quoted(p))));
            parts.extend(c.doc.as_ref().map(name));
            parts.extend(c.quote.iter().map(|p| format!("quote = {}", quoted(p))));
            if !parts.is_empty() {
                let _ = writeln!(out, "citation = {{ {} }}", parts.join(", "));
            }
        }
        out
    }
}

fn quoted(path: &str) -> String {
    toml::Value::from(path).to_string()
}

fn name((path, basename): &(String, bool)) -> String {
    if *basename {
        format!("doc = {{ path = {}, basename = true }}", quoted(path))
    } else {
        format!("doc = {}", quoted(path))
    }
}

fn list(path: &str, event: Option<&str>) -> String {
    match event {
        Some(event) => format!("{{ path = {}, event = {} }}", quoted(path), quoted(event)),
        None => quoted(path),
    }
}
