//! In which language an answer is, as far as that decides which patterns to try.
//!
//! A system may answer in another language than it was asked in. Its script shows that at once; among the languages in
//! Latin letters, frequent words do.

use crate::text::norm::chars::script;
use crate::text::pack::{Pack, Script};
use std::collections::BTreeSet;

/// The script of most letters; nothing for a text without letters. Kana decides early: Japanese is mostly written in Han.
pub(super) fn main_script(text: &str) -> Option<Script> {
    if text.is_ascii() {
        return text.bytes().any(|b| b.is_ascii_alphabetic()).then_some(Script::Latin);
    }
    const ALL: [Script; 6] = [Script::Latin, Script::Thai, Script::Han, Script::Kana, Script::Hangul, Script::Other];
    let mut counts = [0usize; 6];
    for s in text.chars().filter_map(script) {
        if let Some(n) = counts.get_mut(s as usize) {
            *n += 1;
        }
    }
    let count = |s: Script| counts.get(s as usize).copied().unwrap_or_default();
    if count(Script::Kana) * 10 > counts.iter().sum::<usize>() {
        return Some(Script::Kana);
    }
    // A Latin name takes many letters where Han takes one.
    let weight = |s: &Script| count(*s) * if *s == Script::Han { 3 } else { 1 };
    ALL.into_iter().max_by_key(|s| (weight(s), std::cmp::Reverse(*s as usize))).filter(|s| count(*s) > 0)
}

/// The first pack that is written in this script, for scripts that tell a language.
pub(super) fn of_script(script: Script) -> Option<&'static Pack> {
    match script {
        Script::Latin | Script::Other => None,
        Script::Thai | Script::Han | Script::Kana | Script::Hangul => {
            Pack::codes().filter_map(Pack::by_code).find(|p| p.scripts.first() == Some(&script))
        }
    }
}

/// The pack of another language in Latin letters whose frequent words show that the text is in it, and not in `own`. Names
/// bring such words along (`Los Angeles`, `de la Cruz`), so several different ones are needed, and many among all words.
pub(super) fn other_latin(text: &str, own: Option<&Pack>) -> Option<&'static Pack> {
    /// So many frequent words of its own settle that a text is in the suite's language.
    const ENOUGH: usize = 2;
    /// So many different ones show another language, if they are at least one word in three.
    const DIFFERENT: usize = 3;
    /// Words looked at.
    const WORDS: usize = 60;
    let words = || text.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty()).take(WORDS);
    let is_common = |pack: &Pack, w: &str| {
        if w.bytes().all(|b| b.is_ascii_lowercase()) {
            pack.common.iter().any(|c| c == w)
        } else {
            pack.common.contains(&w.to_lowercase())
        }
    };
    if let Some(own) = own
        && words().filter(|w| is_common(own, w)).take(ENOUGH).count() == ENOUGH
    {
        return None;
    }
    let others = Pack::codes()
        .filter_map(Pack::by_code)
        .filter(|p| p.scripts.contains(&Script::Latin) && own.is_none_or(|o| o.language() != p.language()));
    let counted = others.map(|p| {
        let found: Vec<String> = words().filter(|w| is_common(p, w)).map(str::to_lowercase).collect();
        let different = found.iter().collect::<BTreeSet<_>>().len();
        (found.len(), different, p)
    });
    let (found, different, pack) = counted.reduce(|a, b| if b.0 > a.0 { b } else { a })?;
    (different >= DIFFERENT && found * 3 >= words().count()).then_some(pack)
}

/// Whether a text has so few words that frequent ones cannot show its language.
pub(super) fn is_short(text: &str) -> bool {
    const FEW: usize = 8;
    text.split_whitespace().take(FEW + 1).count() <= FEW
}

/// The packs of languages in Latin letters, without that of the suite and English, which are tried anyway.
pub(super) fn latin(own: Option<&Pack>) -> impl Iterator<Item = &'static Pack> {
    let tried = own.map_or("", Pack::language).to_owned();
    let packs = Pack::codes().filter_map(Pack::by_code).filter(|p| p.scripts.contains(&Script::Latin));
    packs.filter(move |p| p.language() != tried && p.language() != "en")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_and_frequent_words() {
        assert_eq!(main_script("資料に記載がありません iPhone"), Some(Script::Kana));
        assert_eq!(main_script("iPhone 价格没有"), Some(Script::Han));
        assert_eq!(main_script("Ничего"), Some(Script::Other));
        assert_eq!(main_script("30 %"), None);
        assert_eq!(of_script(Script::Han).map(Pack::language), Some("zh"));
        assert_eq!(of_script(Script::Kana).map(Pack::language), Some("ja"));
        let en = Pack::by_code("en");
        let other = |t: &str| other_latin(t, en).map(Pack::language);
        assert_eq!(other("Dazu steht in den Unterlagen leider nichts."), Some("de"));
        assert_eq!(other("Je ne trouve rien à ce sujet dans les documents."), Some("fr"));
        assert_eq!(other("Tài liệu không có thông tin."), Some("vi"));
        assert_eq!(other("The fee is 5 euro."), None);
        assert_eq!(other("NBA (Los Angeles Lakers, Los Angeles Clippers);"), None);
        assert_eq!(
            other("Mexican Presidents Felipe Calderón, Carlos Salinas de Gortari and Miguel de la Madrid;"),
            None
        );
        assert_eq!(other("No."), None);
        assert_eq!(other("Nguyễn Văn A"), None);
    }
}
