//! The same passages come again from question to question: what was read of one is kept for the next.
//!
//! What is kept follows from the text and the pack alone, so that it does not matter who read it first.

use crate::text::number::{Mention, Mentions, NumberPack};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// How many bytes are kept, roughly. When they are used up, all is forgotten: a run that goes on meets its passages anew.
const MOST: usize = 32 << 20;

/// A shorter text is read as fast as it is looked up.
const SHORTEST: usize = 80;

/// What is kept, by pack and text.
#[derive(Default)]
struct Kept {
    by_text: HashMap<usize, HashMap<Box<str>, Arc<[Mention]>>>,
    bytes: usize,
}

/// The numbers of digits and characters of a text, read now or before.
pub(super) fn numbers(text: &str, pack: &'static NumberPack) -> Arc<[Mention]> {
    static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);
    let read = || Mentions::new(text, pack).collect::<Arc<[Mention]>>();
    if text.len() < SHORTEST {
        return read();
    }
    // A pack is made once and stays where it is.
    let place = std::ptr::from_ref(pack).addr();
    let lock = || KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = lock().by_text.get(&place).and_then(|texts| texts.get(text)) {
        return Arc::clone(found);
    }
    // Without the lock: two threads may read the same text, and find the same.
    let found = read();
    let size = text.len() + found.len() * (size_of::<Mention>() + 64) + 128;
    let mut kept = lock();
    if kept.bytes + size > MOST {
        *kept = Kept::default();
    }
    if size <= MOST {
        kept.bytes += size;
        kept.by_text.entry(place).or_default().insert(text.into(), Arc::clone(&found));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::pack::Lang;

    #[test]
    fn a_text_is_read_by_its_language_and_once() {
        let text = "Phí giao hàng là 1.500 đồng cho mỗi kiện, áp dụng từ ngày 1 tháng 3 năm 2026 cho mọi đơn hàng.";
        let [vi, en] = ["vi", "en"].map(|l| NumberPack::of(&Lang::new(l).unwrap()));
        let first = numbers(text, vi);
        assert!(Arc::ptr_eq(&first, &numbers(text, vi)));
        assert_eq!(*first, *Mentions::new(text, vi).collect::<Vec<_>>());
        assert_eq!(*numbers(text, en), *Mentions::new(text, en).collect::<Vec<_>>());
        assert_ne!(first, numbers(text, en), "1.500 has a decimal point in English");
    }

    /// More than fits is read all the same, and rightly.
    #[test]
    fn what_is_kept_is_bounded() {
        let pack = NumberPack::of(&Lang::new("en").unwrap());
        let words = "word ".repeat(MOST / 50);
        for i in 1000..1020 {
            let found = numbers(&format!("{words}{i}"), pack);
            assert_eq!(found.iter().map(|m| m.key.clone()).collect::<Vec<_>>(), [i.to_string()]);
        }
    }
}
