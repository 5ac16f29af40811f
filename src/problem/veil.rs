//! Lines of `ragline.toml` are shown without what must not be read by others: a log of CI is read by more people than the
//! file.

use regex::Regex;
use std::borrow::Cow;
use std::sync::LazyLock;

/// A value behind a name that says what it is, a name and a password in an address, a parameter of one.
static HIDDEN: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let forms = [
        r#"(?i)["']?[\w-]*(?:auth|token|secret|passw|credential|cookie|signature|key)[\w-]*["']?\s*=\s*["'](?P<s>[^"']+)"#,
        r#"://(?P<s>[^/@\s"']+)@"#,
        r#"(?i)[?&][\w-]*(?:token|secret|passw|signature|key)[\w-]*=(?P<s>[^&#"'\s]+)"#,
    ];
    // They are constant and compile; a test says so.
    forms.iter().filter_map(|f| Regex::new(f).ok()).collect()
});

/// The same text with `*` for every character of what may be a secret: the columns stay. What names a variable alone
/// (`${NAME}`, with a word for its kind before it) is none.
pub(super) fn veil(text: &str) -> Cow<'_, str> {
    let mut text = Cow::Borrowed(text);
    for form in HIDDEN.iter() {
        let mut veiled = String::new();
        let mut end = 0;
        for found in form.captures_iter(&text).filter_map(|c| c.name("s")) {
            if found.as_str().contains("${") {
                continue;
            }
            veiled.push_str(text.get(end..found.start()).unwrap_or_default());
            veiled.extend(found.as_str().chars().map(|_| '*'));
            end = found.end();
        }
        if end > 0 {
            veiled.push_str(text.get(end..).unwrap_or_default());
            text = Cow::Owned(veiled);
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{HIDDEN, veil};

    #[test]
    fn what_may_be_a_secret_is_not_shown() {
        assert_eq!(HIDDEN.len(), 3);
        for (text, right) in [
            (
                r#"headers = { Authorization = "Bearer abc", X = "y" }"#,
                r#"headers = { Authorization = "**********", X = "y" }"#,
            ),
            (r#""x-api-key" = 'abc'"#, r#""x-api-key" = '***'"#),
            (r#"Authorization = "Bearer ${KEY}""#, r#"Authorization = "Bearer ${KEY}""#),
            (r#"url = "http://u:pä@h/?a=b&api_key=abc&c=d""#, r#"url = "http://****@h/?a=b&api_key=***&c=d""#),
            (r#"url = "http://h/a@b""#, r#"url = "http://h/a@b""#),
            ("retries = 1", "retries = 1"),
            (r#"TOKEN = "a", Cookie = "b""#, r#"TOKEN = "*", Cookie = "*""#),
        ] {
            assert_eq!(veil(text), right);
        }
    }
}
