//! Language packs: what the checks know of a language, as data.

use std::fmt;

/// A language by its primary subtag (`vi`, `th`, `zh`, `en`, …), lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lang(String);

impl Lang {
    /// The language of a tag such as `vi`, `zh-Hant` or `en_US`; nothing when it has no letters in front.
    pub fn new(tag: &str) -> Option<Self> {
        let primary: String = tag.chars().take_while(char::is_ascii_alphabetic).collect();
        (2..=3).contains(&primary.len()).then(|| Lang(primary.to_ascii_lowercase()))
    }

    /// The subtag.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Lang {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// What the checks know of one language.
#[derive(Debug)]
pub struct Pack {}
