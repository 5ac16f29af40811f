//! The forms of a secret that no escape explains: its parts, base64, hexadecimal.

use super::SHORTEST;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A form that is searched for.
#[derive(Debug)]
pub(super) struct Form {
    pub(super) bytes: Vec<u8>,
    /// The base64 characters before and behind it that hold bits of the secret beside bits of its neighbours.
    edges: (bool, bool),
}

impl Form {
    /// The place of a hit with what its edges hold.
    pub(super) fn whole(&self, bytes: &[u8], hit: Range<usize>) -> Range<usize> {
        let is_base64 = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(|b| value_of(*b).is_some());
        let (before, behind) = self.edges;
        let start = if before && is_base64(hit.start.checked_sub(1)) { hit.start - 1 } else { hit.start };
        let end = if behind && is_base64(Some(hit.end)) { hit.end + 1 } else { hit.end };
        start..end
    }
}

/// A core of base64 or of hexadecimal with fewer characters stands in innocent texts too.
const SHORTEST_CORE: usize = 8;

/// A line of a key of several lines is a secret of its own from so many bytes on.
const SHORTEST_LINE: usize = 16;

/// All forms of these values.
pub(super) fn of<'v>(values: impl Iterator<Item = &'v str>) -> Vec<Form> {
    let mut parts = Vec::new();
    values.for_each(|v| take_apart(v, &mut parts));
    let mut forms: BTreeMap<Vec<u8>, (bool, bool)> = BTreeMap::new();
    let mut add = |bytes: Vec<u8>, edges: (bool, bool)| {
        let known = forms.entry(bytes).or_default();
        *known = (known.0 || edges.0, known.1 || edges.1);
    };
    for part in parts {
        let bytes = part.as_bytes();
        if bytes.iter().all(u8::is_ascii_hexdigit) {
            add(bytes.to_ascii_lowercase(), (false, false));
            add(bytes.to_ascii_uppercase(), (false, false));
        }
        let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
        if hex.len() >= SHORTEST_CORE {
            add(hex.to_ascii_uppercase().into_bytes(), (false, false));
            add(hex.into_bytes(), (false, false));
        }
        // A server that puts a whole request into base64 puts the escapes of its body and its address there too.
        for escaped in escaped(&part) {
            for (core, edges) in cores(escaped.as_bytes()) {
                add(url_safe(&core), edges);
                add(core, edges);
            }
        }
        add(part.into_bytes(), (false, false));
    }
    forms.into_iter().map(|(bytes, edges)| Form { bytes, edges }).collect()
}

/// The value as it stands in texts that we send: as it is, in JSON, in an address; or in a page of the server's.
fn escaped(value: &str) -> BTreeSet<String> {
    let percent = |upper: bool, blank: &str| -> String {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_.~".contains(&b);
        let one = |b: u8| match (plain(b), upper) {
            (true, _) => char::from(b).to_string(),
            (false, _) if b == b' ' => blank.to_owned(),
            (false, true) => format!("%{b:02X}"),
            (false, false) => format!("%{b:02x}"),
        };
        value.bytes().map(one).collect()
    };
    let json = serde_json::to_string(value).unwrap_or_default();
    let json = json.strip_prefix('"').and_then(|j| j.strip_suffix('"')).unwrap_or_default().to_owned();
    let slashes = json.replace('/', "\\/");
    let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let all = [value.to_owned(), json, slashes, html, percent(true, "%20"), percent(true, "+"), percent(false, "%20")];
    all.into_iter().collect()
}

/// A value and what in it is secret by itself.
fn take_apart(value: &str, parts: &mut Vec<String>) {
    let mut add = |part: &str| {
        if part.chars().count() >= SHORTEST {
            parts.push(part.to_owned());
        }
    };
    add(value);
    let value = value.trim();
    add(value);
    // `Bearer X`, `Basic X`, `Token X`: the scheme is no secret, and what follows is one without it.
    if let Some((scheme, rest)) = value.split_once(' ') {
        let rest = rest.trim();
        let is_scheme = !scheme.is_empty() && scheme.bytes().all(|b| b.is_ascii_alphabetic() || b == b'-');
        if is_scheme && !rest.is_empty() && !rest.contains(char::is_whitespace) {
            add(rest);
            if scheme.eq_ignore_ascii_case("basic")
                && let Some(pair) = decode(rest)
                && let Some((_, password)) = pair.split_once(':')
            {
                add(&pair);
                add(password);
            }
        }
    }
    if value.contains('\n') {
        value.lines().map(str::trim).filter(|l| l.len() >= SHORTEST_LINE && !l.starts_with("-----")).for_each(add);
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn url_safe(text: &[u8]) -> Vec<u8> {
    let one = |b: &u8| match b {
        b'+' => b'-',
        b'/' => b'_',
        b => *b,
    };
    text.iter().map(one).collect()
}

/// The six bits of a character of either alphabet.
fn value_of(b: u8) -> Option<u8> {
    Some(match b {
        b'A'..=b'Z' => b - b'A',
        b'a'..=b'z' => b - b'a' + 26,
        b'0'..=b'9' => b - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

/// Base64 without padding (RFC 4648, 4).
fn encode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len() * 4 / 3 + 2);
    for three in bytes.chunks(3) {
        let bits = (0..3).fold(0_u32, |bits, i| bits << 8 | u32::from(three.get(i).copied().unwrap_or(0)));
        for i in 0..=three.len() {
            let six = (bits >> (18 - 6 * i)) & 63;
            out.extend(usize::try_from(six).ok().and_then(|six| ALPHABET.get(six)));
        }
    }
    out
}

fn decode(text: &str) -> Option<String> {
    let mut out = Vec::new();
    let (mut bits, mut held) = (0_u32, 0);
    for b in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | u32::from(value_of(b)?);
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push(u8::try_from((bits >> held) & 255).ok()?);
        }
    }
    String::from_utf8(out).ok()
}

/// What base64 makes of bytes wherever they stand in a longer text: three bytes become four characters, so there are
/// three ways to begin. Of each, the characters that hold nothing but these bytes, and whether others hold a part.
fn cores(bytes: &[u8]) -> Vec<(Vec<u8>, (bool, bool))> {
    let mut out = Vec::new();
    for before in 0..3_usize {
        let mut long = vec![0; before];
        long.extend_from_slice(bytes);
        let text = encode(&long);
        let first = (before * 8).div_ceil(6);
        let end = long.len() * 8 / 6;
        let Some(core) = text.get(first..end).filter(|c| c.len() >= SHORTEST_CORE) else { continue };
        let edges = (before * 8 % 6 != 0, long.len() * 8 % 6 != 0);
        out.push((core.to_vec(), edges));
    }
    // The whole by itself, with its last character, is long enough a little sooner.
    let whole = encode(bytes);
    let tail = match whole.len() % 4 {
        2 => "==",
        3 => "=",
        _ => "",
    };
    if whole.len() >= 6 && !tail.is_empty() {
        let mut padded = whole.clone();
        padded.extend_from_slice(tail.as_bytes());
        out.push((padded, (false, false)));
        if whole.len() >= SHORTEST_CORE {
            out.push((whole, (false, false)));
        }
    }
    out
}
