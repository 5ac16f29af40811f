//! What the builtin target knows of a language: a table, and the terms of a text by it.

use crate::text::pack::Lang;
use crate::text::{norm, segment};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

/// One language of `languages.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Language {
    /// The sentence of a refusal.
    pub(super) refusal: String,
    /// Sentences with more characters are cut at blanks; 0: none.
    #[serde(default)]
    pub(super) clause: usize,
    pairs: Pairs,
    stem: usize,
    asking: HashSet<String>,
    amount: Vec<String>,
}

/// What is indexed beside the words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Pairs {
    #[default]
    None,
    /// Two neighbouring words.
    Words,
    /// Two neighbouring characters of a word or of words without a blank between them.
    Characters,
}

/// The table, read once.
fn table() -> &'static BTreeMap<String, Language> {
    static TABLE: OnceLock<BTreeMap<String, Language>> = OnceLock::new();
    TABLE.get_or_init(|| toml::from_str(include_str!("languages.toml")).unwrap_or_default())
}

/// The words of a question, in matching form, that say what it is about and not how it is asked (`how long`); all of them where
/// the language has no list, and maybe none.
pub fn topic(question: &str, lang: &Lang) -> HashSet<String> {
    let language = Language::of(lang);
    let form = norm::matching(question);
    let asked: Vec<_> = language.amounts(&form).collect();
    let words = segment::words(&form, lang).into_iter();
    let about = words.filter(|w| !asked.iter().any(|a| a.start <= w.start && w.end <= a.end));
    about.filter_map(|w| form.get(w)).filter(|w| !language.asking.contains(*w)).map(str::to_owned).collect()
}

impl Language {
    /// The settings of a language, or those of `default`.
    pub(super) fn of(lang: &Lang) -> &'static Language {
        static NOTHING: OnceLock<Language> = OnceLock::new();
        let table = table();
        let found = table.get(lang.as_str()).or_else(|| table.get("default"));
        found.unwrap_or_else(|| NOTHING.get_or_init(Language::default))
    }

    /// The terms of a text of the corpus, in order, with repeats.
    pub(super) fn terms(&self, text: &str, lang: &Lang) -> Vec<String> {
        self.terms_without(text, lang, |_| false)
    }

    /// The terms of a question: without the words that say how it is asked, unless nothing else is left.
    pub(super) fn question_terms(&self, question: &str, lang: &Lang) -> Vec<String> {
        let terms = self.terms_without(question, lang, |word| self.asking.contains(word));
        if terms.is_empty() { self.terms(question, lang) } else { terms }
    }

    /// True when the question asks for an amount or a time.
    pub(super) fn asks_amount(&self, question: &str) -> bool {
        self.amounts(&norm::matching(question)).next().is_some()
    }

    /// Where a question in matching form asks for an amount or a time.
    fn amounts<'q>(&'q self, question: &'q str) -> impl Iterator<Item = Range<usize>> + 'q {
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() && c.is_ascii());
        let places = self.amount.iter().flat_map(move |words| question.match_indices(words.as_str()));
        places.map(|(at, found)| at..at + found.len()).filter(move |place| {
            let before = question.get(..place.start).and_then(|t| t.chars().next_back());
            let after = question.get(place.end..).and_then(|t| t.chars().next());
            !letter(before) && !letter(after)
        })
    }

    fn terms_without(&self, text: &str, lang: &Lang, left_out: impl Fn(&str) -> bool) -> Vec<String> {
        let text = norm::matching(text);
        let mut terms = Vec::new();
        let mut last: Option<(&str, usize)> = None;
        for range in segment::words(&text, lang) {
            let end = range.end;
            let Some(word) = text.get(range.clone()) else { continue };
            if left_out(word) {
                last = None;
                continue;
            }
            let touches = last.filter(|(_, last_end)| *last_end == range.start);
            match self.pairs {
                Pairs::None => {}
                Pairs::Words => terms.extend(last.map(|(before, _)| format!("{before} {word}"))),
                Pairs::Characters => {
                    let before = touches.and_then(|(before, _)| before.chars().next_back());
                    let characters: Vec<char> = before.into_iter().chain(word.chars()).collect();
                    let wide = |c: &char| !c.is_ascii();
                    let pairs = characters.windows(2).filter(|pair| pair.iter().all(wide));
                    // A word of two characters is its own pair.
                    terms.extend(pairs.map(|p| p.iter().collect::<String>()).filter(|pair| pair != word));
                }
            }
            terms.push(self.stemmed(word));
            last = Some((word, end));
        }
        terms
    }

    fn stemmed(&self, word: &str) -> String {
        let is_number = word.chars().any(|c| c.is_ascii_digit());
        if self.stem == 0 || is_number { word.to_owned() } else { word.chars().take(self.stem).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(lang: &str, text: &str) -> Vec<String> {
        let lang = Lang::new(lang).unwrap();
        Language::of(&lang).question_terms(text, &lang)
    }

    #[test]
    fn the_table_is_sound() {
        let table: BTreeMap<String, Language> = toml::from_str(include_str!("languages.toml")).unwrap();
        for name in ["default", "vi", "th", "zh", "en"] {
            assert!(!table[name].refusal.is_empty(), "{name}");
        }
        for (name, language) in &table {
            for word in language.asking.iter().chain(&language.amount) {
                assert_eq!(norm::matching(word).trim(), word, "{name}: in matching form");
            }
        }
    }

    #[test]
    fn terms_by_language() {
        assert_eq!(terms("en", "How many days do returns take?"), ["days", "retur", "take"]);
        assert_eq!(terms("vi", "Thẻ quà tặng có hạn bao lâu?"), ["thẻ", "thẻ quà", "quà", "quà tặng", "tặng", "hạn"]);
        assert_eq!(terms("zh", "保修期多久"), ["保", "保修", "修", "修期", "期"]);
        assert_eq!(terms("en", "How much is it?"), ["how", "much", "is", "it"], "rather than nothing");
        assert_eq!(terms("xx", "1,500 VND"), ["1,500", "vnd"]);
    }

    #[test]
    fn amounts_are_asked_for() {
        let asks = |lang: &str, text: &str| Language::of(&Lang::new(lang).unwrap()).asks_amount(text);
        assert!(
            asks("en", "How many days?") && asks("vi", "Phí bao nhiêu?") && asks("zh", "多少钱") && asks("th", "กี่วัน")
        );
        assert!(!asks("en", "Whenever did it almost rain?") && !asks("vi", "Hàng thanh lý có được đổi trả không?"));
    }
}
