//! Replies of a judge by what was asked: a file that can be committed, so that the same question is not paid for twice.
//!
//! A line a reply, sorted by key, without dates or counters, so that two machines write the same file. The key is a digest
//! of the judge, the whole prompt and the repeat: another model, prompt, order of passages or vote is another key. What is
//! kept is what the judge said, not what was made of it, so a changed check reads it anew.

use super::wire::{Call, Said};
use crate::digest::Hasher;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of the file.
pub const VERSION: u32 = 1;

/// The header line.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    version: u32,
    kind: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    key: String,
    said: Said,
}

/// The replies that are known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cache {
    entries: BTreeMap<String, Said>,
}

/// A fault in a file of replies.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct Fault {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub what: String,
}

/// The key of a call of a judge (its fingerprint, without what only a reply tells), in one run of several.
pub fn key(judge: &str, call: &Call, repeat: u32) -> String {
    let mut h = Hasher::default();
    h.field(judge);
    h.field(&repeat.to_string());
    match call {
        Call::Chat { prompt, schema, seed } => {
            h.field("chat");
            h.field(prompt);
            h.field(&schema.to_string());
            h.field(&seed.to_string());
        }
        Call::Embed { texts } => {
            h.field("embed");
            texts.iter().for_each(|t| h.field(t));
        }
    }
    h.digits(32)
}

impl Cache {
    /// Reads a file.
    ///
    /// # Errors
    /// The first line that is none: a version that is not known, no JSON, a key that stands twice.
    pub fn read(text: &str) -> Result<Cache, Fault> {
        let mut lines = text.lines().enumerate().map(|(i, l)| (i + 1, l)).filter(|(_, l)| !l.trim().is_empty());
        let mut cache = Cache::default();
        let fault = |line: usize, what: String| Fault { line, what };
        if let Some((n, first)) = lines.next() {
            let header: Header = serde_json::from_str(first).map_err(|e| fault(n, e.to_string()))?;
            if header.kind != "judged" || header.version != VERSION {
                let what =
                    format!("this is kind `{}`, version {}; read is `judged`, {VERSION}", header.kind, header.version);
                return Err(fault(n, what));
            }
        }
        for (n, text) in lines {
            let Line { key, said } = serde_json::from_str(text).map_err(|e| fault(n, e.to_string()))?;
            if cache.entries.insert(key, said).is_some() {
                return Err(fault(n, "this key stands twice".to_owned()));
            }
        }
        Ok(cache)
    }

    /// The file's text: the same for the same replies.
    pub fn written(&self) -> String {
        let mut out = format!("{{\"version\":{VERSION},\"kind\":\"judged\"}}\n");
        for (key, said) in &self.entries {
            if let Ok(line) = serde_json::to_string(&Line { key: key.clone(), said: said.clone() }) {
                out.push_str(&line);
                out.push('\n');
            }
        }
        out
    }

    /// A reply that is known.
    pub fn get(&self, key: &str) -> Option<&Said> {
        self.entries.get(key)
    }

    /// Keeps a reply; the first one stays.
    pub fn keep(&mut self, key: String, said: Said) {
        self.entries.entry(key).or_insert(said);
    }

    /// How many replies it holds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::judge::wire::chat::Completion;
    use serde_json::json;

    fn chat(prompt: &str, seed: u64) -> Call {
        Call::Chat { prompt: prompt.into(), schema: json!({}), seed }
    }

    #[test]
    fn the_judge_the_prompt_and_the_repeat_are_the_key() {
        let all = [
            key("a", &chat("p", 1), 0),
            key("b", &chat("p", 1), 0),
            key("a", &chat("q", 1), 0),
            key("a", &chat("p", 2), 0),
            key("a", &chat("p", 1), 1),
            key("a", &Call::Embed { texts: vec!["p".into()] }, 0),
            key("a", &Call::Embed { texts: vec!["p".into(), String::new()] }, 0),
        ];
        for (i, key) in all.iter().enumerate() {
            assert!(!all[..i].contains(key));
        }
    }

    #[test]
    fn a_file_comes_back_as_it_was_and_is_the_same_whatever_came_first() {
        let said =
            |s: &str| Said::Chat(Completion { content: s.into(), prompt_tokens: Some(9), ..Completion::default() });
        let (mut one, mut other) = (Cache::default(), Cache::default());
        one.keep("b".into(), said("ế\n"));
        one.keep("a".into(), Said::Embed(vec![vec![0.1, -2.5]]));
        other.keep("a".into(), Said::Embed(vec![vec![0.1, -2.5]]));
        other.keep("b".into(), said("ế\n"));
        other.keep("b".into(), said("not kept"));
        assert_eq!(one.written(), other.written());
        assert_eq!(Cache::read(&one.written()), Ok(one.clone()));
        assert_eq!(Cache::read(""), Ok(Cache::default()));
    }

    #[test]
    fn what_is_no_such_file_is_refused() {
        let header = "{\"version\":1,\"kind\":\"judged\"}\n";
        let line = "{\"key\":\"a\",\"said\":{\"embed\":[[1.0]]}}\n";
        assert_eq!(Cache::read("{\"version\":2,\"kind\":\"judged\"}").unwrap_err().line, 1);
        assert_eq!(Cache::read("{\"version\":1,\"kind\":\"responses\"}").unwrap_err().line, 1);
        assert_eq!(Cache::read(&format!("{header}{line}{line}")).unwrap_err().line, 3);
        assert_eq!(Cache::read(&format!("{header}\n<<<<<<< ours")).unwrap_err().line, 3);
    }
}
