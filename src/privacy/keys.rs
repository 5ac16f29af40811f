//! Keys, tokens and passwords by their looks, for texts that must not hold any: recordings that are committed.
//!
//! The forms are those that the issuers document or that are seen in every scanner of repositories (GitHub's "secret
//! scanning patterns", AWS's "IAM identifiers", Slack's "token types", RFC 7519 for JWT, RFC 7468 for private keys).
//! Values of the target's own settings need no looks: [`crate::secret::Secrets`] knows them.

use regex::Regex;
use serde_json::Value;
use std::ops::Range;
use std::sync::LazyLock;

/// A piece of a text that looks like a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// What it looks like, in words.
    pub what: &'static str,
    /// Where it stands, in bytes of the text.
    pub range: Range<usize>,
}

/// What it is, and its form; the group `k`, where there is one, is the key itself. The more special comes first.
const FORMS: &[(&str, &str)] = &[
    ("a private key", r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"),
    ("a key of Anthropic", r"\b(?P<k>sk-ant-[A-Za-z0-9_-]{16,})"),
    ("a key of OpenAI or of a server like it", r"\b(?P<k>sk-[A-Za-z0-9][A-Za-z0-9_-]{18,})"),
    ("a key of Stripe", r"\b(?P<k>[rs]k_(?:live|test)_[A-Za-z0-9]{16,})"),
    ("a key of AWS", r"\b(?P<k>(?:AKIA|ASIA)[A-Z0-9]{16})\b"),
    ("a token of GitHub", r"\b(?P<k>gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{20,})"),
    ("a token of GitLab", r"\b(?P<k>glpat-[A-Za-z0-9_-]{20,})"),
    ("a token of Slack", r"\b(?P<k>xox[abeoprs]-[A-Za-z0-9-]{10,})"),
    ("a key of Google", r"\b(?P<k>AIza[A-Za-z0-9_-]{35})"),
    ("a token of Hugging Face", r"\b(?P<k>hf_[A-Za-z0-9]{30,})"),
    ("a token (JWT)", r"\b(?P<k>eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,})"),
    ("an address with a password", r"[a-z][a-z0-9+.-]*://(?P<k>[^\s/:@?#'<>]+:[^\s/@?#'<>]{3,})@[^\s/@]"),
];

/// Values behind these words are keys where they look like chance.
const BEHIND: &[(&str, &str)] = &[
    ("a token", r"(?i)\b(?:bearer|basic) (?P<k>[A-Za-z0-9._~+/=-]{16,})"),
    (
        "a value that is named a key, token, secret or password",
        r#"(?i)(?:key|token|secret|passw(?:or)?d|pwd)\\?["']?\s*[:=]\s*\\?["']?(?P<k>[A-Za-z0-9._~+/=!@$%^&*-]{10,})"#,
    ),
];

static FORMED: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| compiled(FORMS));
static NAMED: LazyLock<Vec<(&str, Regex)>> = LazyLock::new(|| compiled(BEHIND));
static NAME: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)(?:key|token|secret|passw(?:or)?d|pwd|authorization)$").ok());

fn compiled(forms: &[(&'static str, &str)]) -> Vec<(&'static str, Regex)> {
    forms.iter().filter_map(|(what, form)| Some((*what, Regex::new(form).ok()?))).collect()
}

/// All keys of a text, in order.
pub fn find(text: &str) -> Vec<Key> {
    let mut found: Vec<Key> = Vec::new();
    for (named, forms) in [(false, &*FORMED), (true, &*NAMED)] {
        for (what, form) in forms {
            for c in form.captures_iter(text) {
                let Some(key) = c.name("k").or_else(|| c.get(0)) else { continue };
                let taken = found.iter().any(|f| f.range.start < key.end() && key.start() < f.range.end);
                if taken || (named && !is_chance(key.as_str())) || is_filled_in(key.as_str()) {
                    continue;
                }
                found.push(Key { what, range: key.range() });
            }
        }
    }
    found.sort_by_key(|f| f.range.start);
    found
}

/// Whether the member of a JSON object is named a key, token, secret or password and holds what looks like one.
pub fn is_named_key(name: &str, value: &Value) -> bool {
    let Value::String(value) = value else { return false };
    NAME.as_ref().is_some_and(|n| n.is_match(name)) && !value.contains(char::is_whitespace) && is_chance(value)
}

/// A place for a value rather than a value.
fn is_filled_in(key: &str) -> bool {
    key.contains("***") || key.contains("${") || key.contains("{{") || key.contains("$(")
}

/// Whether a value looks like chance: letters and digits mixed, few repeated. Words, even joined by dashes, have no digits
/// between their letters; placeholders repeat themselves.
fn is_chance(value: &str) -> bool {
    const FEWEST: usize = 10;
    const BITS: f64 = 2.8;
    let n = value.chars().count();
    let digits = value.chars().filter(char::is_ascii_digit).count();
    let letters = value.chars().filter(char::is_ascii_alphabetic).count();
    if n < FEWEST || digits < 2 || letters < 2 {
        return false;
    }
    let mut counts = std::collections::BTreeMap::new();
    value.chars().for_each(|c| *counts.entry(c).or_insert(0_u32) += 1);
    let total = f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    let bits: f64 = counts.values().map(|k| f64::from(*k) / total).map(|p| -p * p.log2()).sum();
    bits >= BITS
}
