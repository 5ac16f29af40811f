//! Texts for a page of HTML, and JSON for a script element of one.

use super::{Breaks, clean, harmless, treacherous};
use std::borrow::Cow;

/// The characters that HTML reads, between tags and in a quoted attribute.
const MEANING: [char; 5] = ['&', '<', '>', '"', '\''];

/// A text for HTML, between tags or in a quoted attribute, with its line breaks. It goes through this once, last: its
/// entities are those of HTML, and what no page may hold (controls, turns of direction, what is no character) is made visible.
pub fn html(text: &str) -> Cow<'_, str> {
    if harmless(text, Breaks::Keep, &MEANING) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(clean(text, Breaks::Keep, |out, c| {
        out.push_str(match c {
            '&' => "&amp;",
            '<' => "&lt;",
            '>' => "&gt;",
            '"' => "&quot;",
            '\'' => "&#39;",
            _ => return false,
        });
        true
    }))
}

/// JSON for the inside of a `<script type="application/json">`: no text in it can end the element or begin a comment, since
/// `<`, `>` and `&` stand only in strings of JSON, where an escape says the same.
pub fn json_in_html(json: &str) -> String {
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            // Not JSON's own blanks: those can stand between its values.
            c if treacherous(c) && u32::from(c) <= 0xffff => {
                out.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c if treacherous(c) => {
                let mut pair = [0_u16; 2];
                c.encode_utf16(&mut pair).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::hostile;
    use super::*;
    use proptest::prelude::*;

    /// Reads the entities that [`html`] writes, and no others.
    fn read(html: &str) -> String {
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .iter()
            .fold(html.to_owned(), |text, (entity, c)| text.replace(entity, c))
    }

    #[test]
    fn a_text_stays_a_text() {
        assert_eq!(
            html("7 ngày <b>&amp;</b> \"x\" 'y'"),
            "7 ngày &lt;b&gt;&amp;amp;&lt;/b&gt; &quot;x&quot; &#39;y&#39;"
        );
        assert_eq!(html("a\0b\u{202e}c\u{fffd}"), "a␀b\\u{202e}c\u{fffd}");
        assert_eq!(html("a\r\nb\tc\u{2028}d"), "a\nb c\nd");
        assert!(matches!(html("น้ำ 7 วัน"), Cow::Borrowed(_) | Cow::Owned(_)));
        assert_eq!(
            json_in_html("{\"a\":\"</script><!--\u{202e}\u{e0041}\"}"),
            "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u202e\\udb40\\udc41\"}"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]
        #[test]
        fn nothing_in_a_text_is_markup(text in hostile()) {
            let cleaned = html(&text);
            prop_assert!(!cleaned.contains(['<', '>', '"', '\'']));
            prop_assert!(!cleaned.chars().any(|c| (c.is_control() && c != '\n') || treacherous(c)));
            // Read back it is the text as XML has it: nothing is lost, and nothing is read twice.
            prop_assert_eq!(read(&cleaned), super::super::xml(&text));
        }

        #[test]
        fn json_says_the_same(text in hostile()) {
            let json = serde_json::to_string(&text).unwrap_or_default();
            let inside = json_in_html(&json);
            prop_assert!(!inside.contains(['<', '>', '&']));
            prop_assert_eq!(serde_json::from_str::<String>(&inside).ok(), Some(text));
        }
    }
}
