//! Values that must never be printed: keys of the environment, sensitive headers, passwords in addresses.
//!
//! A [`Secret`] has no way to be shown, written or compared in a message; [`Secrets`] takes every value, in each form in
//! which a server may echo it, out of what came back: as it is, percent-encoded, escaped as JSON or HTML, in base64 (also
//! in the middle of a longer text, as the password of basic authentication stands) and in hexadecimal. Escapes are not
//! listed, they are undone: a text is searched as it stands and with each kind of escape taken off, twice over, so that
//! it does not matter which characters a server escapes.
//!
//! Not found: a value shorter than [`SHORTEST`] code points (it would take innocent words out of answers), a value that was
//! cut, encrypted, compressed, or put into base64 with line breaks inside.

mod escape;
mod forms;

use aho_corasick::{AhoCorasick, MatchKind};
use escape::{Escape, View};
use forms::Form;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A text that is sent and never shown. Neither `Display` nor `Serialize`; `Debug` gives `***`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    pub fn new(value: impl Into<String>) -> Secret {
        Secret(value.into())
    }

    /// What basic authentication makes of a user and a password: `user:password`, and the password alone. With both, the
    /// base64 of the pair is hidden whole; the user's name alone is no secret.
    pub fn basic(user: &str, password: &str) -> [Secret; 2] {
        [Secret(format!("{user}:{password}")), Secret(password.to_owned())]
    }

    /// The value, for the one place that sends it.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}

/// The secrets of a target, in every form in which they may come back.
#[derive(Default)]
pub struct Secrets {
    values: Vec<Secret>,
    forms: Vec<Form>,
    finder: Option<AhoCorasick>,
    /// Some value holds a blank, for which forms write `+`.
    blanks: bool,
}

/// What stands where a secret stood.
pub const HIDDEN: &str = "***";

/// A value of fewer code points is not searched for.
pub const SHORTEST: usize = 4;

/// How many escapes may lie over each other: JSON within JSON, an address within an address.
const DEPTH: usize = 2;

impl Secrets {
    /// The secrets with these values. A value such as `Bearer X` hides X too; of `Basic X`, also what X stands for.
    pub fn new(values: impl IntoIterator<Item = Secret>) -> Secrets {
        let mut values: Vec<Secret> = values.into_iter().filter(|v| !v.0.trim().is_empty()).collect();
        values.sort_unstable_by(|a, b| a.0.cmp(&b.0));
        values.dedup();
        let forms = forms::of(values.iter().map(Secret::expose));
        let finder = AhoCorasick::builder().match_kind(MatchKind::Standard).build(forms.iter().map(|f| &f.bytes)).ok();
        let blanks = values.iter().any(|v| v.0.contains(' '));
        Secrets { finder: finder.filter(|_| !forms.is_empty()), values, forms, blanks }
    }

    /// These and the others.
    #[must_use]
    pub fn merge(&self, others: &Secrets) -> Secrets {
        Secrets::new(self.values.iter().chain(&others.values).cloned())
    }

    /// True when there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The text without the secrets: `***` stands where one stood. Secrets that overlap are hidden as one.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.hide_bytes(text.as_bytes()) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(bytes) => Cow::Owned(match String::from_utf8(bytes) {
                Ok(text) => text,
                Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
            }),
        }
    }

    /// The same for bytes of which nobody has said that they are text.
    pub fn hide_bytes<'t>(&self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        let ranges = self.ranges(bytes);
        if ranges.is_empty() {
            return Cow::Borrowed(bytes);
        }
        let mut out = Vec::with_capacity(bytes.len());
        let mut from = 0;
        for range in ranges {
            out.extend_from_slice(bytes.get(from..range.start).unwrap_or_default());
            out.extend_from_slice(HIDDEN.as_bytes());
            from = range.end;
        }
        out.extend_from_slice(bytes.get(from..).unwrap_or_default());
        Cow::Owned(out)
    }

    /// Takes the secrets out of every text of a JSON value, the names of its members included. A number that holds one
    /// becomes a text.
    pub fn hide_value(&self, value: &mut Value) {
        if self.is_empty() {
            return;
        }
        match value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(n) => {
                if let Cow::Owned(hidden) = self.hide(&n.to_string()) {
                    *value = Value::String(hidden);
                }
            }
            Value::String(text) => {
                if let Cow::Owned(hidden) = self.hide(text) {
                    *text = hidden;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|v| self.hide_value(v)),
            Value::Object(members) => {
                members.values_mut().for_each(|v| self.hide_value(v));
                if members.keys().any(|k| matches!(self.hide(k), Cow::Owned(_))) {
                    *members =
                        std::mem::take(members).into_iter().map(|(k, v)| (self.hide(&k).into_owned(), v)).collect();
                }
            }
        }
    }

    /// Where the secrets stand, in order, none touching the next by more than its end.
    fn ranges(&self, bytes: &[u8]) -> Vec<Range<usize>> {
        let Some(finder) = &self.finder else { return Vec::new() };
        let mut found = Vec::new();
        self.search(finder, &View::plain(bytes), bytes, DEPTH, &mut found);
        found.sort_unstable_by_key(|r: &Range<usize>| (r.start, r.end));
        let mut merged: Vec<Range<usize>> = Vec::with_capacity(found.len());
        for range in found {
            match merged.last_mut() {
                Some(last) if range.start < last.end => last.end = last.end.max(range.end),
                Some(_) | None => merged.push(range),
            }
        }
        merged
    }

    /// Searches a view of the text, and each view that takes one more kind of escape off it.
    fn search(&self, finder: &AhoCorasick, view: &View, bytes: &[u8], depth: usize, found: &mut Vec<Range<usize>>) {
        for hit in finder.find_overlapping_iter(bytes) {
            let Some(form) = self.forms.get(hit.pattern().as_usize()) else { continue };
            let range = form.whole(bytes, hit.start()..hit.end());
            found.push(view.original(range));
        }
        if depth == 0 {
            return;
        }
        for escape in Escape::ALL {
            if escape == Escape::Form && !self.blanks {
                continue;
            }
            if let Some((next, plain)) = view.without(escape, bytes) {
                self.search(finder, &next, &plain, depth - 1, found);
            }
        }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.values.len())
    }
}

#[cfg(test)]
mod tests;
