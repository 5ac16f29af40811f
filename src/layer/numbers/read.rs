//! The same passages come again from question to question: what was read of one is kept for the next.
//!
//! What is kept follows from the text and the language alone, so that it does not matter who read it first.

use super::pieces::{Cut, pieces};
use crate::text::number::{Mention, Mentions, NumberPack};
use crate::text::pack::{Lang, Pack};
use crate::text::segment;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, OnceLock, PoisonError};

/// How many bytes are kept, roughly.
const MOST: usize = 64 << 20;

/// A shorter text is read as fast as it is looked up.
const SHORTEST: usize = 80;

/// What was read of a text, each once it was asked for: the numbers of digits and characters, those in words too, and the
/// sentences. Where no number stands in words, those of digits are all.
#[derive(Debug)]
pub(in crate::layer) struct Read {
    numbers: OnceLock<Box<[Mention]>>,
    spelled: OnceLock<Option<Box<[Mention]>>>,
    sentences: OnceLock<Box<[Sentence]>>,
}

/// A sentence of a text, and its pieces once they were asked for.
#[derive(Debug)]
pub(in crate::layer) struct Sentence {
    /// Its bytes in the text.
    pub(in crate::layer) place: Range<usize>,
    pieces: OnceLock<Box<[u32]>>,
}

impl Read {
    fn new() -> Self {
        Read { numbers: OnceLock::new(), spelled: OnceLock::new(), sentences: OnceLock::new() }
    }

    /// The numbers of digits and characters. The text and the language are those that were read.
    pub(super) fn numbers(&self, text: &str, lang: &Lang) -> &[Mention] {
        self.numbers.get_or_init(|| Mentions::new(text, NumberPack::of(lang)).collect())
    }

    /// All numbers. The text and the language are those that were read.
    pub(super) fn spelled(&self, text: &str, lang: &Lang) -> &[Mention] {
        let pack = NumberPack::of(lang);
        // Most texts hold no word that could be a number: then all numbers are those of digits, which are kept once.
        let spelled = self.spelled.get_or_init(|| {
            let words = Mentions::with_words(text, pack);
            words.may_be_spelled().then(|| words.collect())
        });
        match spelled {
            Some(spelled) => spelled,
            None => self.numbers(text, lang),
        }
    }

    /// The sentences, or the phrases of a script without marks between sentences.
    pub(in crate::layer) fn sentences(&self, text: &str, lang: &Lang) -> &[Sentence] {
        self.sentences.get_or_init(|| {
            let unmarked = Cut::of(lang) == Cut::UNMARKED;
            let places = if unmarked { phrases(text) } else { segment::sentences_in(text, Pack::of(lang)) };
            places.into_iter().map(|place| Sentence { place, pieces: OnceLock::new() }).collect()
        })
    }

    /// The bytes that it takes with its text, roughly, once all was asked for: a piece has four for six of text, and a number of
    /// some two hundred stands in as many of text.
    fn size(text: &str) -> usize {
        text.len() * 3 + 512
    }
}

impl Sentence {
    /// The pieces, as hashes. The text is the whole one, the cut that of its language.
    pub(in crate::layer) fn pieces(&self, text: &str, cut: Cut) -> &[u32] {
        self.pieces.get_or_init(|| {
            let mut found = Vec::new();
            pieces(text.get(self.place.clone()).unwrap_or_default(), cut, |p| found.push(p));
            found.into()
        })
    }
}

/// What stands between blanks.
fn phrases(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    for (i, c) in text.char_indices().filter(|(_, c)| c.is_whitespace()) {
        if i > start {
            out.push(start..i);
        }
        start = i + c.len_utf8();
    }
    if start < text.len() {
        out.push(start..text.len());
    }
    out
}

/// What is kept, by language and text.
type Texts = HashMap<Lang, HashMap<Box<str>, Arc<Read>, RandomState>, RandomState>;

/// What was asked for lately, and what was asked for before that. A text that is asked for again is of the former; when that
/// is half of all that may be kept, the latter is forgotten, and it takes its place.
#[derive(Default)]
struct Kept {
    lately: Texts,
    before: Texts,
    bytes: usize,
}

impl Kept {
    fn get(&mut self, text: &str, lang: &Lang) -> Option<Arc<Read>> {
        if let Some(found) = self.lately.get(lang).and_then(|texts| texts.get(text)) {
            return Some(Arc::clone(found));
        }
        let (text, found) = self.before.get_mut(lang)?.remove_entry(text)?;
        self.put(text, lang, Arc::clone(&found));
        Some(found)
    }

    fn put(&mut self, text: Box<str>, lang: &Lang, read: Arc<Read>) {
        let size = Read::size(&text);
        if size > MOST / 2 {
            return;
        }
        if self.bytes + size > MOST / 2 {
            self.before = std::mem::take(&mut self.lately);
            self.bytes = 0;
        }
        self.bytes += size;
        match self.lately.get_mut(lang) {
            Some(texts) => texts.insert(text, read),
            None => self.lately.entry(lang.clone()).or_default().insert(text, read),
        };
    }
}

/// What can be read of a text, read now or before.
pub(in crate::layer) fn read(text: &str, lang: &Lang) -> Arc<Read> {
    static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);
    if text.len() < SHORTEST {
        return Arc::new(Read::new());
    }
    let lock = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = lock().get(text, lang) {
        return found;
    }
    // Two threads may put the same text, and find the same in it.
    let found = Arc::new(Read::new());
    lock().put(text.into(), lang, Arc::clone(&found));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_by_its_language_and_once() {
        let text =
            "Phí giao hàng là 1.500 đồng cho mỗi kiện, áp dụng từ ngày một tháng 3 năm 2026. Đơn hàng khác thì không.";
        let [vi, en] = ["vi", "en"].map(|l| Lang::new(l).unwrap());
        let first = read(text, &vi);
        assert!(Arc::ptr_eq(&first, &read(text, &vi)));
        for lang in [&vi, &en] {
            let (found, pack) = (read(text, lang), NumberPack::of(lang));
            assert_eq!(found.numbers(text, lang), Mentions::new(text, pack).collect::<Vec<_>>());
            assert_eq!(found.spelled(text, lang), Mentions::with_words(text, pack).collect::<Vec<_>>());
            let places: Vec<_> = found.sentences(text, lang).iter().map(|s| s.place.clone()).collect();
            assert_eq!(places, segment::sentences(text, lang));
            let mut all = Vec::new();
            pieces(text.get(places[1].clone()).unwrap(), Cut::of(lang), |p| all.push(p));
            assert_eq!(found.sentences(text, lang)[1].pieces(text, Cut::of(lang)), all);
        }
        assert_ne!(
            first.numbers(text, &vi),
            read(text, &en).numbers(text, &en),
            "1.500 has a decimal point in English"
        );
    }

    /// More than fits is read all the same, and rightly.
    #[test]
    fn what_is_kept_is_bounded() {
        let en = Lang::new("en").unwrap();
        let words = "word ".repeat(MOST / 50);
        for i in 1000..1020 {
            let text = format!("{words}{i}");
            let found = read(&text, &en);
            assert_eq!(found.numbers(&text, &en).iter().map(|m| m.key.clone()).collect::<Vec<_>>(), [i.to_string()]);
        }
    }

    /// What is asked for again stays, and what nobody asks for makes room.
    #[test]
    fn what_is_asked_for_again_stays() {
        let (en, mut kept) = (Lang::new("en").unwrap(), Kept::default());
        let text = |i: usize| format!("{} {i}", "word ".repeat(MOST / 160));
        let first = text(0);
        for i in 0..20 {
            let text = text(i);
            kept.put(text.as_str().into(), &en, Arc::new(Read::new()));
            assert!(kept.bytes <= MOST / 2);
            assert!(kept.get(&first, &en).is_some(), "{i}");
        }
        assert!(kept.get(&text(1), &en).is_none() && kept.get(&text(19), &en).is_some());
    }
}
