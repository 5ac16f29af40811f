//! Language packs: what the checks know of a language, as data.
//!
//! A pack is a TOML file of this crate (`packs/vi.toml`, …). It is read when its language is first asked for, and each of
//! its regular expressions is compiled when a text first gives a reason to try it: all of them at once would cost more
//! than checking a small suite. Where a language needs an algorithm, its pack names one from a closed list ([`Tone`],
//! [`Script`], [`Count`]), so that no check ever asks which language it has before it.

mod claims;
mod lazy;
mod refusing;

pub use claims::{Claims, Contractions, Words};
pub use lazy::Expression;
pub use refusing::{Pattern, Refusing};

use crate::digest::Hasher;
use crate::text::norm::unmarked;
use serde::Deserialize;
use std::fmt;
use std::sync::OnceLock;

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

/// How a language places its tone marks, where two spellings of one word are in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Vietnamese: `hoà` and `hòa` are one word, `hoa` is another.
    Vi,
}

/// A script, as far as the checks tell scripts apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Script {
    /// Latin letters.
    Latin,
    /// Thai.
    Thai,
    /// Han characters.
    Han,
    /// Hiragana and Katakana.
    Kana,
    /// Hangul.
    Hangul,
    /// Letters of any other script.
    Other,
}

/// What is counted when the new content of a sentence is weighed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// Words.
    Words,
    /// The characters of words, marks not counted.
    Characters,
}

/// What the checks know of one language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pack {
    language: String,
    /// Whether the refusal patterns were tried on labelled sentences.
    pub tested: bool,
    /// How tone marks are placed.
    #[serde(default)]
    pub tone: Option<Tone>,
    /// The scripts it is written in.
    pub scripts: Vec<Script>,
    /// Frequent words, by which a text in Latin letters is recognised.
    #[serde(default)]
    pub common: Vec<String>,
    /// Where sentences end when there is no mark.
    #[serde(default)]
    pub sentence: SentenceData,
    /// Words of a short answer.
    pub yes_no: YesNo,
    /// How it denies, bounds and asks.
    #[serde(default)]
    pub claims: Claims,
    /// How a refusal is worded.
    pub refusal: Refusing,
    #[serde(skip)]
    digest: String,
}

/// Where sentences end in a script that has no sentence mark.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentenceData {
    /// A sentence ends behind these.
    #[serde(default)]
    pub cut_after: Vec<String>,
    /// A sentence ends in front of these.
    #[serde(default)]
    pub cut_before: Vec<String>,
    /// A sentence ends at two blanks.
    #[serde(default)]
    pub double_blank: bool,
}

/// Words of a short answer.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct YesNo {
    /// Ways to say yes.
    pub yes: Vec<String>,
    /// Ways to say no.
    pub no: Vec<String>,
    /// Words that may follow a yes or no and change nothing (`ạ`, `ครับ`).
    pub particles: Vec<String>,
    /// Words that may stand in front of it (`dạ`, `xin lỗi`).
    pub courtesy: Vec<String>,
}

struct Entry {
    code: &'static str,
    data: &'static str,
    pack: OnceLock<Option<Pack>>,
    /// The same with the marks of its letters left out.
    unmarked: OnceLock<Option<Pack>>,
}

macro_rules! packs {
    ($($code:literal)*) => {
        [$(Entry {
            code: $code,
            data: include_str!(concat!("packs/", $code, ".toml")),
            pack: OnceLock::new(),
            unmarked: OnceLock::new(),
        },)*]
    };
}

static PACKS: [Entry; 9] = packs!["en" "vi" "th" "zh" "ja" "ko" "de" "fr" "es"];

impl Entry {
    fn get(&'static self) -> Option<&'static Pack> {
        self.pack.get_or_init(|| Pack::read(self.data).ok()).as_ref()
    }
}

impl Pack {
    /// The pack of a language; nothing when there is none.
    pub fn of(lang: &Lang) -> Option<&'static Pack> {
        Pack::by_code(lang.as_str())
    }

    /// The pack of a primary subtag.
    pub fn by_code(code: &str) -> Option<&'static Pack> {
        PACKS.iter().find(|e| e.code == code).and_then(Entry::get)
    }

    /// The pack for texts that somebody typed without any mark (`khong co thong tin`); nothing for a language whose marks
    /// are not left out like that.
    pub fn unmarked(&self) -> Option<&'static Pack> {
        self.tone?;
        let entry = PACKS.iter().find(|e| e.code == self.language)?;
        // Keys of the file have no marks.
        entry.unmarked.get_or_init(|| Pack::read(&unmarked(entry.data)).ok()).as_ref()
    }

    /// The languages that have a pack.
    pub fn codes() -> impl Iterator<Item = &'static str> {
        PACKS.iter().map(|e| e.code)
    }

    /// Reads a pack.
    ///
    /// # Errors
    /// When the text is not TOML of this form. Expressions are compiled at first use, not here.
    pub fn read(data: &str) -> Result<Pack, toml::de::Error> {
        let mut pack: Pack = toml::from_str(data)?;
        let mut hash = Hasher::default();
        for line in data.lines().map(str::trim).filter(|l| !l.is_empty() && !l.starts_with('#')) {
            hash.update(line.as_bytes());
            hash.update(b"\n");
        }
        pack.digest = hash.digits(64);
        pack.refusal.fill_in();
        Ok(pack)
    }

    /// The language's primary subtag.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// SHA-256 of the pack's data (comments and layout left out), in hexadecimal: part of what decides a verdict.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pack_reads_and_its_expressions_compile() {
        for code in Pack::codes() {
            let entry = PACKS.iter().find(|e| e.code == code).unwrap();
            if let Err(e) = Pack::read(entry.data) {
                panic!("{code}: {e}");
            }
            let pack = Pack::by_code(code).unwrap();
            assert_eq!(pack.language(), code);
            assert_eq!(pack.digest().len(), 64);
            let r = &pack.refusal;
            let own = [&pack.claims.asking, &pack.claims.yes_no_question].into_iter().flatten();
            for e in r.expressions().chain(own) {
                assert!(e.compiles(), "{code}: {}", e.source());
                assert!(!e.source().contains('<'), "{code}: a name of no group of words in {}", e.source());
            }
        }
    }

    #[test]
    fn a_pack_without_marks_is_read_too() {
        let vi = Pack::by_code("vi").unwrap().unmarked().unwrap();
        assert!(vi.refusal.triggers.iter().any(|t| t == "khong"));
        assert!(vi.refusal.expressions().all(Expression::compiles));
        assert!(Pack::by_code("en").unwrap().unmarked().is_none());
    }

    #[test]
    fn the_digest_follows_the_data_and_not_the_layout() {
        let data = PACKS[0].data;
        let same = format!("# more\r\n{}", data.replace('\n', "\r\n"));
        assert_eq!(Pack::read(data).unwrap().digest(), Pack::read(&same).unwrap().digest());
        let other = data.replacen("tested = true", "tested = false", 1);
        assert_ne!(Pack::read(data).unwrap().digest(), Pack::read(&other).unwrap().digest());
    }

    #[test]
    fn a_language_is_its_primary_subtag() {
        assert_eq!(Lang::new("zh-Hant").unwrap().as_str(), "zh");
        assert!(Pack::of(&Lang::new("vi-VN").unwrap()).unwrap().tone == Some(Tone::Vi));
        assert!(Pack::of(&Lang::new("nl").unwrap()).is_none());
        assert!(Lang::new("-").is_none());
    }
}
