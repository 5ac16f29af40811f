//! Kinds of characters, as far as the normal forms and the search for phrases tell them apart.

use crate::text::pack::Script;

/// Characters that are not seen and mean nothing: zero-width space, word joiner, byte-order mark, soft hyphen, grapheme
/// joiner, invisible signs of formulas, and the marks that steer the direction of text. The joiners U+200C and U+200D stay: Persian, Indic scripts and emoji need them.
pub fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' | '\u{200E}' | '\u{200F}' | '\u{61C}'
        | '\u{34F}' | '\u{202A}'..='\u{202E}' | '\u{2061}'..='\u{2064}' | '\u{2066}'..='\u{206F}')
}

/// Characters that put ink on the page by themselves. Controls, joiners, variation selectors, marks without a letter,
/// fillers and tags do not.
pub fn is_visible(c: char) -> bool {
    let unseen = |c: char| {
        matches!(c, '\u{200C}' | '\u{200D}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}'
            | '\u{180B}'..='\u{180F}' | '\u{2065}' | '\u{3164}' | '\u{FFA0}' | '\u{FFF0}'..='\u{FFFB}'
            | '\u{1D173}'..='\u{1D17A}' | '\u{E0000}'..='\u{E0FFF}')
    };
    !(is_blank(c) || is_invisible(c) || c.is_control() || is_mark(c) || unseen(c))
}

/// Blanks of every kind, line ends included.
pub fn is_blank(c: char) -> bool {
    c.is_whitespace() || c == '\u{180E}' || c == '\u{2800}'
}

/// Hyphens, dashes and minus signs, as one.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{2043}' | '\u{FE58}' | '\u{FE63}' | '\u{FF0D}')
}

/// The straight form of a typographic quotation mark or apostrophe.
pub fn straight_quote(c: char) -> Option<char> {
    match c {
        '\u{2018}'..='\u{201B}' | '\u{2BC}' | '\u{2B9}' | '\u{2032}' | '\u{FF07}' | '\u{B4}' => Some('\''),
        '\u{201C}'..='\u{201F}' | '\u{2033}' | '\u{FF02}' => Some('"'),
        _ => None,
    }
}

/// The value of a decimal digit of any script.
pub fn digit(c: char) -> Option<u8> {
    if c.is_ascii_digit() {
        return Some(c as u8 - b'0');
    }
    // The first digits of the scripts that have decimal digits of their own (general category Nd).
    const ZEROS: [u32; 31] = [
        0x660, 0x6F0, 0x7C0, 0x966, 0x9E6, 0xA66, 0xAE6, 0xB66, 0xBE6, 0xC66, 0xCE6, 0xD66, 0xDE6, 0xE50, 0xED0, 0xF20,
        0x1040, 0x1090, 0x17E0, 0x1810, 0x1946, 0x19D0, 0x1A80, 0x1A90, 0x1B50, 0x1BB0, 0x1C40, 0x1C50, 0xA620, 0xA8D0,
        0xFF10,
    ];
    let code = c as u32;
    if code < 0x660 {
        return None;
    }
    let zero = ZEROS.get(ZEROS.partition_point(|z| *z <= code).checked_sub(1)?)?;
    u8::try_from(code - zero).ok().filter(|d| *d < 10)
}

/// Superscript and subscript digits: `10²` is not 102.
pub fn is_raised_digit(c: char) -> bool {
    matches!(c, '²' | '³' | '¹' | '\u{2070}' | '\u{2074}'..='\u{2079}' | '\u{2080}'..='\u{2089}')
}

/// Marks that belong to the character in front of them.
pub fn is_mark(c: char) -> bool {
    let code = c as u32;
    if code < 0x300 {
        return false;
    }
    matches!(code, 0xE31 | 0xE33..=0xE3A | 0xE47..=0xE4E | 0xEB1 | 0xEB3..=0xEBC | 0xEC8..=0xECD | 0xFE00..=0xFE0F)
        || unicode_normalization::char::is_combining_mark(c)
}

/// Letters, digits and their marks.
pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || is_mark(c) || c == '\u{200C}' || c == '\u{200D}'
}

/// The script of a letter; nothing for what is not a letter.
pub fn script(c: char) -> Option<Script> {
    if c.is_ascii() {
        return c.is_ascii_alphabetic().then_some(Script::Latin);
    }
    let script = match c as u32 {
        // These blocks hold letters alone, and are most of what is asked for.
        0xF8..=0x24F | 0x1E00..=0x1EFF => return Some(Script::Latin),
        0x4E00..=0x9FFF => return Some(Script::Han),
        0xAA..=0xF7 | 0xFF21..=0xFF5A => Script::Latin,
        0xE00..=0xE7F => Script::Thai,
        0x3040..=0x30FF | 0x31F0..=0x31FF | 0xFF66..=0xFF9F => Script::Kana,
        0x3005..=0x3007 | 0x3400..=0x4DFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF => Script::Han,
        0x1100..=0x11FF | 0x3130..=0x318F | 0xAC00..=0xD7FF => Script::Hangul,
        _ => Script::Other,
    };
    c.is_alphabetic().then_some(script)
}

/// Letters that are their own composed and compatibility form, whatever letter follows: most of what is written in Latin,
/// Greek, Cyrillic, Thai, Kana, Han and Hangul.
pub fn is_composed_letter(c: char) -> bool {
    matches!(c as u32, 0x61..=0x7A | 0x41..=0x5A
        | 0xC0..=0xD6 | 0xD8..=0xF6 | 0xF8..=0x131 | 0x134..=0x13E | 0x141..=0x148 | 0x14A..=0x17E
        | 0x1A0 | 0x1A1 | 0x1AF | 0x1B0 | 0x1EA0..=0x1EF9
        | 0x386 | 0x388..=0x38A | 0x38C | 0x38E..=0x3A1 | 0x3A3..=0x3CE | 0x410..=0x44F
        | 0xE01..=0xE30 | 0xE32 | 0xE40..=0xE45 | 0x3041..=0x3096 | 0x30A1..=0x30FA | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3)
}

/// Whether a text is in composed form and holds nothing invisible, as far as a glance can tell: it is made of letters that
/// are composed, punctuation, and Thai marks in their order.
pub fn is_surely_composed(text: &str) -> bool {
    let mut before = ' ';
    text.chars().all(|c| {
        let in_order = match c as u32 {
            // A vowel below goes in front of the tone.
            0xE38..=0xE3A => !matches!(before, '\u{E48}'..='\u{E4B}'),
            0xE48..=0xE4E => true,
            _ => composition_leaves_alone(c),
        };
        before = c;
        in_order
    })
}

/// Characters that composition leaves alone wherever they stand.
fn composition_leaves_alone(c: char) -> bool {
    let code = c as u32;
    (code < 0x300 && code != 0xAD)
        || is_composed_letter(c)
        || matches!(code, 0xE31 | 0xE33..=0xE37 | 0xE3F | 0xE46..=0xE47 | 0xE50..=0xE59 | 0x2010..=0x2027
            | 0x20A0..=0x20BF | 0x3000..=0x3003 | 0x3008..=0x3011 | 0x30FB..=0x30FE | 0xFF01..=0xFF9D)
}

/// The lower case of a letter where that is one character and plainly told; nothing for the rest.
pub fn lower(c: char) -> Option<char> {
    let code = c as u32;
    let raised = match code {
        0..=0x7F => return Some(c.to_ascii_lowercase()),
        0xC0..=0xD6 | 0xD8..=0xDE | 0x391..=0x3A1 | 0x3A3..=0x3A9 | 0x410..=0x42F => code + 0x20,
        0xDF..=0xFF | 0x3B1..=0x3C9 | 0x430..=0x44F => code,
        0x100..=0x12F | 0x14A..=0x177 | 0x1A0 | 0x1A1 | 0x1EA0..=0x1EF9 => code | 1,
        0x1AF | 0x1B0 => 0x1B0,
        0xE01..=0xE7F | 0x3041..=0x30FA | 0x4E00..=0x9FFF | 0xAC00..=0xD7A3 => code,
        _ => return None,
    };
    char::from_u32(raised)
}

/// Letters of scripts that set no blanks between words.
pub fn is_unspaced(c: char) -> bool {
    matches!(c as u32, 0xE01..=0xE4E | 0xE80..=0xECD | 0x1000..=0x109F | 0x1780..=0x17D3
        | 0x3005..=0x3007 | 0x3040..=0x30FA | 0x30FC..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9F | 0x20000..=0x3FFFF)
}

/// Punctuation: what the matching form turns into a blank.
pub fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation() && !matches!(c, '$' | '+' | '<' | '=' | '>');
    }
    matches!(c as u32, 0xA1 | 0xA7 | 0xAB | 0xB4 | 0xB6..=0xB7 | 0xBB | 0xBF | 0x55A..=0x55F | 0x589 | 0x5BE
        | 0x609..=0x60D | 0x61B..=0x61F | 0x66A..=0x66D | 0x6D4 | 0x964..=0x965 | 0xE4F | 0xE5A..=0xE5B
        | 0x104A..=0x104F | 0x1360..=0x1368 | 0x17D4..=0x17DA | 0x1800..=0x180A | 0x2010..=0x2027 | 0x2030..=0x205E
        | 0x207D..=0x207E | 0x208D..=0x208E | 0x2308..=0x230B | 0x2329..=0x232A | 0x2768..=0x2775 | 0x27E6..=0x27EF
        | 0x2983..=0x2998 | 0x2E00..=0x2E7F | 0x3001..=0x3003 | 0x3008..=0x3011 | 0x3014..=0x301F | 0x3030 | 0x303D
        | 0x30A0 | 0x30FB | 0xFD3E..=0xFD3F | 0xFE10..=0xFE19 | 0xFE30..=0xFE63 | 0xFE68 | 0xFE6A..=0xFE6B
        | 0xFF01..=0xFF03 | 0xFF05..=0xFF0A | 0xFF0C..=0xFF0F | 0xFF1A..=0xFF1B | 0xFF1F..=0xFF20 | 0xFF3B..=0xFF3D
        | 0xFF3F | 0xFF5B | 0xFF5D | 0xFF5F..=0xFF65 | 0x25AA | 0x25CF)
}

/// A text for a message: what cannot be seen is written as `\u{…}`, every blank but the space likewise.
pub fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let hidden =
            is_invisible(c) || c.is_control() || matches!(c, '\u{200C}' | '\u{200D}') || (is_blank(c) && c != ' ');
        if hidden {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_script() {
        for (text, value) in [("๐", 0), ("๙", 9), ("٣", 3), ("۷", 7), ("५", 5), ("９", 9), ("7", 7)] {
            assert_eq!(digit(text.chars().next().unwrap()), Some(value), "{text}");
        }
        for c in ['²', '½', '①', '一', 'a', '\u{E5A}', 'Ⅷ'] {
            assert_eq!(digit(c), None, "{c}");
        }
    }

    #[test]
    fn the_short_ways_agree_with_the_tables() {
        use unicode_normalization::UnicodeNormalization;
        for c in '\0'..='\u{FFFF}' {
            if let Some(l) = lower(c) {
                assert_eq!(c.to_lowercase().collect::<String>(), l.to_string(), "{c}");
            }
            if is_composed_letter(c) {
                let s = c.to_string();
                assert_eq!(s.nfkc().collect::<String>(), s, "{c}");
                assert!(c.is_alphabetic(), "{c}");
            }
            if composition_leaves_alone(c) {
                let s = format!("a{c}");
                assert_eq!(s.nfc().collect::<String>(), s, "{c}");
                assert_eq!(unicode_normalization::char::canonical_combining_class(c), 0, "{c}");
            }
        }
    }

    #[test]
    fn hidden_characters_are_shown() {
        assert_eq!(visible("می\u{200c}خ a\u{a0}b"), "می\\u{200c}خ a\\u{a0}b");
    }
}
