//! How many tokens a text has, without the tokenizer of any model: bounds, not counts.
//!
//! English has about 4.5 letters a token, and no text of words has more than 8 on average. A letter of Thai, Chinese or
//! Vietnamese with marks takes between a quarter of a token and one token a byte, by how much of the script a tokenizer has
//! seen: a small English model reads Thai byte by byte.

/// At least so many tokens: a server that counts fewer has not read the whole text.
pub fn least(text: &str) -> usize {
    let (ascii, others) = letters(text);
    ascii / 8 + others / 4
}

/// At most so many tokens, for text of languages: whether a text fits into a window is decided on the safe side.
pub fn most(text: &str) -> usize {
    let (ascii, _) = letters(text);
    ascii.div_ceil(3) + (text.len() - ascii)
}

/// About so many, for messages and for estimates of cost.
pub fn about(text: &str) -> usize {
    let (ascii, others) = letters(text);
    (ascii * 10).div_ceil(43) + (others * 2).div_ceil(3)
}

fn letters(text: &str) -> (usize, usize) {
    let ascii = text.bytes().filter(u8::is_ascii).count();
    (ascii, text.chars().filter(|c| !c.is_ascii()).count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounds_enclose_what_is_told() {
        for text in
            ["", "a", "You may return it within 30 days.", "七天内可以退货", "คืนได้ภายใน 30 วัน", "Đổi trả trong 7 ngày"]
        {
            assert!(least(text) <= about(text) && about(text) <= most(text), "{text}");
        }
        // Nine thousand tokens of English, of which a server read 2,050.
        assert!(least(&"word ".repeat(9000)) > 2050);
    }
}
