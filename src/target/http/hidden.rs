//! Which texts of a target's settings are secrets.

use crate::secret::Secret;
use crate::target::template::{Template, Variable};
use reqwest::Url;

/// A literal value of fewer characters, such as the `EMPTY` that local servers are given as a key, is not hidden: it would
/// be taken out of answers too.
const SHORTEST_LITERAL: usize = 6;

/// Whether a header or a parameter of this name holds a secret.
pub(super) fn is_sensitive(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = ["token", "secret", "auth", "password", "passwd", "credential", "cookie", "signature"];
    words.iter().any(|w| name.contains(w))
        || name.ends_with("key")
        || name.split(|c: char| !c.is_ascii_alphanumeric()).any(|part| part == "key")
}

/// The values of variables, but for those that are no more than a small number: a port, a count.
pub(super) fn of_variables(variables: &[Variable]) -> impl Iterator<Item = Secret> + '_ {
    let is_small = |v: &str| v.len() <= 5 && v.bytes().all(|b| b.is_ascii_digit());
    variables.iter().map(|v| v.value.clone()).filter(move |v| !is_small(v.expose()))
}

/// A header's value, or a parameter's, where its name says that it is a secret and it is the same for every question.
pub(super) fn of_named(name: &str, template: &Template, value: &str) -> Vec<Secret> {
    if !is_sensitive(name) || !template.is_fixed() {
        return Vec::new();
    }
    let mut found = vec![value.to_owned()];
    // Behind the word for the scheme stands what matters: `Bearer X`.
    found.extend(value.split_once(' ').map(|(_, rest)| rest.trim().to_owned()));
    if name.to_ascii_lowercase().contains("cookie") {
        found.extend(value.split(';').filter_map(|c| c.split_once('=')).map(|(_, v)| v.trim().to_owned()));
    }
    found.into_iter().filter(|v| v.chars().count() >= SHORTEST_LITERAL).map(Secret::new).collect()
}

/// The password of an address, alone and with its user, as it stands there and as it is meant.
pub(super) fn user_info(url: &Url) -> Vec<Secret> {
    let mut found = Vec::new();
    if let Some(password) = url.password() {
        found.extend(Secret::basic(url.username(), password));
        found.extend(Secret::basic(&decoded(url.username()), &decoded(password)));
    } else if url.username().chars().count() >= SHORTEST_LITERAL {
        // A key in the place of a name: `https://KEY@host`.
        found.extend(Secret::basic(&decoded(url.username()), "").into_iter().next());
        found.push(Secret::new(url.username()));
    }
    found
}

/// The parameters of an address whose names say that they are secrets.
pub(super) fn of_query(url: &Url) -> Vec<Secret> {
    let pairs = url.query_pairs().filter(|(name, _)| is_sensitive(name));
    pairs.map(|(_, v)| v.into_owned()).filter(|v| v.chars().count() >= SHORTEST_LITERAL).map(Secret::new).collect()
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend_from_slice(before.as_bytes());
        match after.get(..2).and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::{decoded, is_sensitive, user_info};
    use reqwest::Url;

    #[test]
    fn names_that_hold_secrets() {
        for name in ["Authorization", "proxy-authorization", "Cookie", "X-API-Key", "api-key", "apikey", "X-Auth"] {
            assert!(is_sensitive(name), "{name}");
        }
        for name in ["access_token", "client_secret", "key", "key-id", "PASSWORD"] {
            assert!(is_sensitive(name), "{name}");
        }
        for name in ["content-type", "keyword", "monkeys", "accept", "q", "x-tenant"] {
            assert!(!is_sensitive(name), "{name}");
        }
    }

    #[test]
    fn passwords_of_addresses() {
        assert_eq!(decoded("p%40ss%zz%"), "p@ss%zz%");
        let url = Url::parse("http://user:p%40ssword@h/").unwrap();
        let found: Vec<String> = user_info(&url).iter().map(|s| s.expose().to_owned()).collect();
        assert!(found.iter().any(|s| s == "user:p@ssword") && found.iter().any(|s| s == "p%40ssword"), "{found:?}");
        assert!(user_info(&Url::parse("http://h/").unwrap()).is_empty());
    }
}
