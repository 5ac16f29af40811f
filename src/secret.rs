//! Values that must never be printed: keys of the environment, sensitive headers, passwords in addresses.
//!
//! A [`Secret`] has no way to be shown, written or compared in a message; [`Secrets`] takes every value, in each form in
//! which a server may echo it, out of what came back.

use aho_corasick::{AhoCorasick, MatchKind};
use std::borrow::Cow;
use std::fmt;

/// A text that is sent and never shown. Neither `Display` nor `Serialize`; `Debug` gives `***`.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Wraps a value.
    pub fn new(value: impl Into<String>) -> Secret {
        Secret(value.into())
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
    forms: Vec<String>,
    finder: Option<AhoCorasick>,
}

/// What stands where a secret stood.
pub const HIDDEN: &str = "***";

impl Secrets {
    /// The secrets with these values.
    pub fn new(values: impl IntoIterator<Item = Secret>) -> Secrets {
        let mut forms: Vec<String> = values.into_iter().map(|s| s.0).filter(|v| !v.is_empty()).collect();
        forms.sort_unstable();
        forms.dedup();
        let finder = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&forms).ok();
        Secrets { finder: finder.filter(|_| !forms.is_empty()), forms }
    }

    /// True when there is nothing to hide.
    pub fn is_empty(&self) -> bool {
        self.forms.is_empty()
    }

    /// The text without the secrets.
    pub fn hide<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match &self.finder {
            Some(f) if f.is_match(text) => Cow::Owned(f.replace_all(text, &vec![HIDDEN; self.forms.len()])),
            Some(_) | None => Cow::Borrowed(text),
        }
    }
}

impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Secrets({})", self.forms.len())
    }
}
