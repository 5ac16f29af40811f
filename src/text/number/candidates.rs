//! The byte scan: almost all text holds no digit, so it is passed over in blocks.

use super::han;
use std::sync::OnceLock;

/// How many bytes are looked at together.
const BLOCK: usize = 32;

/// Marks with 1 the bytes of a block that may begin a number: an ASCII digit, or the lead byte of a script that has
/// digits or numeral characters. Continuation bytes and the lead byte of dashes and quotes never do.
/// Of fixed length and without branches, so that it becomes vector instructions.
fn marks(block: &[u8; BLOCK]) -> [u8; BLOCK] {
    let mut out = [0; BLOCK];
    for (mark, b) in out.iter_mut().zip(block) {
        *mark =
            u8::from(b.wrapping_sub(b'0') < 10) | (u8::from(*b >= 0xD9) & u8::from(*b != 0xE2)) | u8::from(*b == 0xC2);
    }
    out
}

/// The place from `at` on where a number may begin.
pub(super) fn next_candidate(bytes: &[u8], at: usize) -> Option<usize> {
    let (blocks, tail) = bytes.get(at..)?.as_chunks::<BLOCK>();
    let mut from = at;
    for block in blocks {
        // Eight marks to a word; the lowest bit that is set is the first byte that may begin a number.
        let marked = marks(block);
        let (words, _) = marked.as_chunks::<8>();
        if words.iter().fold(0, |any, w| any | u64::from_le_bytes(*w)) == 0 {
            from += BLOCK;
            continue;
        }
        for (i, word) in words.iter().enumerate() {
            let mut word = u64::from_le_bytes(*word);
            while word != 0 {
                let place = from + i * 8 + word.trailing_zeros() as usize / 8;
                if begins(bytes, place) {
                    return Some(place);
                }
                word &= word - 1;
            }
        }
        from += BLOCK;
    }
    tail.iter().enumerate().find(|(i, _)| begins(bytes, from + i)).map(|(i, _)| from + i)
}

/// Tells from the bytes of a character whether it can be a digit (general category Nd) or a Han numeral.
fn begins(bytes: &[u8], at: usize) -> bool {
    let byte = |i: usize| bytes.get(at + i).copied().unwrap_or(0);
    match byte(0) {
        b'0'..=b'9' => true,
        // ¼ ½ ¾
        0xC2 => (0xBC..=0xBE).contains(&byte(1)),
        // Arabic, extended Arabic, N'Ko.
        0xD9 => (0xA0..=0xA9).contains(&byte(1)),
        0xDB => (0xB0..=0xB9).contains(&byte(1)),
        0xDF => (0x80..=0x89).contains(&byte(1)),
        // Thai letters are the first half of the Thai block, its digits in the second.
        0xE0 => byte(1) != 0xB8 && matches!(byte(2), 0x90..=0x99 | 0xA0..=0xAF),
        // Vietnamese letters are above.
        0xE1 => byte(1) <= 0xB1,
        0xE3 => byte(1) == 0x80 && byte(2) == 0x87,
        0xE4..=0xE9 => numeral(byte(0), byte(1), byte(2)),
        0xEA => byte(1) < 0xB0,
        0xEF => byte(1) == 0xBC,
        0xF0 => byte(1) != 0x9F || byte(2) == 0xAF,
        _ => false,
    }
}

/// Whether three bytes are a Han character with which a numeral can begin.
fn numeral(a: u8, b: u8, c: u8) -> bool {
    static BITS: OnceLock<Vec<u64>> = OnceLock::new();
    const FIRST: u32 = 0x4E00;
    let bits = BITS.get_or_init(|| {
        let mut bits = vec![0u64; (0xA000 - FIRST as usize) / 64];
        for code in FIRST..0xA000 {
            let place = code - FIRST;
            if let (Some(true), Some(word)) = (char::from_u32(code).map(han::begins), bits.get_mut(place as usize / 64))
            {
                *word |= 1 << (place % 64);
            }
        }
        bits
    });
    let code = (u32::from(a) & 0xF) << 12 | (u32::from(b) & 0x3F) << 6 | (u32::from(c) & 0x3F);
    let Some(place) = code.checked_sub(FIRST) else { return false };
    bits.get(place as usize / 64).is_some_and(|word| word >> (place % 64) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::super::digits::digit;
    use super::*;

    /// Every digit and numeral of Unicode is found, whatever stands around it.
    #[test]
    fn no_digit_is_passed_over() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            if digit(c).is_some() || han::begins(c) {
                let text = format!("một hai ba bốn năm sáu bảy tám {c}");
                let place = text.len() - c.len_utf8();
                assert_eq!(next_candidate(text.as_bytes(), 0), Some(place), "{c} U+{:04X}", c as u32);
            }
        }
        let plain = "Ταῦτα — “quoted” ’ ệ ở ไม่มี 没有 ありません 없습니다 😀";
        assert_eq!(next_candidate(plain.as_bytes(), 0), None);
    }
}
