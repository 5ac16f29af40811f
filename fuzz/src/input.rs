//! What the bytes of a fuzzer say: a language, then a question, an answer and passages, with `\0` between them.

use crate::numbers_kit::{Asked, LANGS};

/// Longer inputs find nothing more and are slow.
pub const LONGEST: usize = 4096;

/// The first byte chooses the language; what is no UTF-8 is replaced.
pub fn read(data: &[u8]) -> Option<Asked> {
    let (first, rest) = data.split_first()?;
    if data.len() > LONGEST {
        return None;
    }
    let lang = LANGS.get(usize::from(*first) % LANGS.len())?;
    let text = String::from_utf8_lossy(rest);
    let mut parts = text.split('\0').map(str::to_owned);
    let (question, answer) = (parts.next()?, parts.next().unwrap_or_default());
    Some(Asked { lang, question, answer, passages: parts.take(4).collect() })
}
