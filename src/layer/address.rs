//! Addresses and the headings that they name: one page is written in several ways.

use crate::text::norm::composed;

/// Whether two addresses are of one page: the scheme, the case of the host, a slash at the end, a piece behind `#` and how
/// letters are composed do not matter.
///
/// ```
/// use ragline::layer::address::same_url;
/// assert!(same_url("http://Shop.example/faq/", "https://shop.example/faq#fees"));
/// assert!(!same_url("https://shop.example/faq", "https://shop.example/FAQ"));
/// ```
pub fn same_url(a: &str, b: &str) -> bool {
    if a == b {
        return !a.is_empty();
    }
    let (a, b) = (composed(a), composed(b));
    let ((host_a, path_a), (host_b, path_b)) = (parts(&a), parts(&b));
    !(host_a.is_empty() && path_a.is_empty()) && host_a.eq_ignore_ascii_case(host_b) && path_a == path_b
}

/// The host and the path of an address, without what does not matter.
fn parts(url: &str) -> (&str, &str) {
    let url = url.split('#').next().unwrap_or_default().trim();
    let scheme = |s: &str| url.get(..s.len()).is_some_and(|head| head.eq_ignore_ascii_case(s));
    let rest = ["https://", "http://"].iter().find(|s| scheme(s)).and_then(|s| url.get(s.len()..)).unwrap_or(url);
    let rest = rest.trim_end_matches('/');
    rest.find(['/', '?']).and_then(|i| rest.split_at_checked(i)).unwrap_or((rest, ""))
}

/// One way of writing an address, for sets of them: two that are of one page have the same. Nothing for what is no address.
pub fn page(url: &str) -> Option<String> {
    let has = |s: &str| url.get(..s.len()).is_some_and(|head| head.eq_ignore_ascii_case(s));
    let url = composed(url);
    let (host, path) = parts(&url);
    (has("https://") || has("http://")).then(|| format!("//{}{path}", host.to_ascii_lowercase()))
}

/// The piece of an address behind `#`, where there is one.
pub fn fragment(url: &str) -> Option<&str> {
    url.split_once('#').map(|(_, part)| part.trim()).filter(|part| !part.is_empty())
}

/// The letters and digits of a heading without marks, as addresses of headings are made: `Thời hạn` gives `thoihan`.
pub fn slug(heading: &str) -> String {
    use unicode_normalization::UnicodeNormalization;
    heading
        .nfd()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .map(|c| if c == 'đ' { 'd' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_page() {
        for (a, b) in [
            ("https://a.example/x/", "http://a.example/x#part"),
            ("HTTPS://A.example", "http://a.example/"),
            ("https://a.example/x?q=1", "http://a.example/x?q=1"),
            ("a.example/x", "https://a.example/x"),
        ] {
            assert!(same_url(a, b), "{a} {b}");
        }
        for (a, b) in [
            ("https://a.example/x", "https://a.example/y"),
            ("https://a.example/x", "https://b.example/x"),
            ("https://a.example/x", "https://a.example/x/y"),
            ("", ""),
            ("#a", "#a "),
        ] {
            assert!(!same_url(a, b), "{a} {b}");
        }
        assert_eq!(page("http://A.example/x/#a"), page("https://a.example/x"));
        assert!(page("https://a.example/x").is_some() && page("a.md").is_none());
        assert_eq!(fragment("https://a.example/x#fees"), Some("fees"));
        assert_eq!((fragment("https://a.example/x#"), fragment("https://a.example/x")), (None, None));
    }

    #[test]
    fn headings() {
        assert_eq!(slug("Thời hạn đổi"), slug("thoi-han-doi"));
        assert_ne!(slug("运费"), slug("退货"));
    }
}
