//! What the bytes of a fuzzer say.

/// Longer inputs find nothing more and are slow.
pub const LONGEST: usize = 4096;

/// The languages that have a pack.
pub const LANGS: [&str; 9] = ["en", "vi", "th", "zh", "de", "fr", "es", "ja", "ko"];

/// A first byte, which chooses a language or a way of looking, and the rest; nothing for what is too long.
pub fn first(data: &[u8]) -> Option<(u8, &[u8])> {
    let (first, rest) = data.split_first()?;
    (data.len() <= LONGEST).then_some((*first, rest))
}

/// One of a list, by a byte.
pub fn one_of<T: Copy>(list: &[T], byte: u8) -> Option<T> {
    list.get(usize::from(byte).checked_rem(list.len())?).copied()
}

/// The texts with `\0` between them. What is no UTF-8 is replaced.
pub fn texts(data: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(data).split('\0').map(str::to_owned).collect()
}
