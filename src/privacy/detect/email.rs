//! Addresses for e-mail: the unquoted form of RFC 5321, 4.1.2, with the letters of every script (RFC 6531), as people
//! write it within a sentence.

use crate::privacy::{Found, Kind};

/// The longest name, domain and label in bytes (RFC 5321, 4.5.3.1; RFC 1035, 2.3.4).
const NAME: usize = 64;
const DOMAIN: usize = 255;
const LABEL: usize = 63;

/// Every address of a text.
pub(super) fn find(text: &str) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for (at, sign) in text.match_indices(['@', '＠']) {
        let (before, behind) = (text.get(..at).unwrap_or_default(), text.get(at + sign.len()..).unwrap_or_default());
        let of = behind.chars().next().map_or(Script::Spaced, script);
        let (Some(start), Some(len)) = (name(before, of), domain(behind)) else { continue };
        let end = at + sign.len() + len;
        if found.last().is_some_and(|f| f.range.end > start)
            || is_login(before, start, text.get(end..).unwrap_or_default())
        {
            continue;
        }
        found.push(Found { kind: Kind::Email, range: start..end });
    }
    found
}

/// Scripts in which a name may stand beside words without a blank between them.
#[derive(PartialEq, Eq, Clone, Copy)]
enum Script {
    /// Latin, Greek, Cyrillic and others that write blanks.
    Spaced,
    Thai,
    Han,
}

fn script(c: char) -> Script {
    match c {
        '\u{0e00}'..='\u{0eff}' => Script::Thai,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{20000}'..='\u{3ffff}' => {
            Script::Han
        }
        _ => Script::Spaced,
    }
}

/// A letter, digit or mark.
fn is_word(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(c, '\u{0300}'..='\u{036f}' | '\u{0e31}' | '\u{0e34}'..='\u{0e3a}' | '\u{0e47}'..='\u{0e4e}')
}

/// Where the name before the sign begins; digits alone are of the domain's script. Of the marks that the standard allows, those that stand in addresses of people.
fn name(before: &str, domain: Script) -> Option<usize> {
    let mut start = before.len();
    let mut of: Option<Script> = None;
    for (at, c) in before.char_indices().rev() {
        if is_word(c) {
            // `请联系lan@…`: a change of script is where the name begins; digits go with both.
            let first = if start == before.len() { script(c) } else { domain };
            if !c.is_ascii_digit() && *of.get_or_insert(first) != script(c) {
                break;
            }
        } else if !"._+-'%~".contains(c) {
            break;
        }
        start = at;
    }
    let name = before.get(start..)?;
    let trimmed = name.trim_start_matches(|c: char| !is_word(c) && c != '_');
    let wrong = trimmed.is_empty() || trimmed.len() > NAME || trimmed.ends_with('.') || trimmed.contains("..");
    (!wrong).then(|| before.len() - trimmed.len())
}

/// How long the domain behind the sign is: at least two labels, the last of letters.
fn domain(behind: &str) -> Option<usize> {
    let mut end = None;
    let mut at = 0;
    let mut labels = 0;
    loop {
        let rest = behind.get(at..)?;
        let len = label(rest);
        let Some(label) = rest.get(..len).filter(|l| !l.is_empty() && l.len() <= LABEL) else { break };
        labels += 1;
        at += len;
        let last = label.chars().all(char::is_alphabetic) && label.chars().count() >= 2 || label.starts_with("xn--");
        // Marks of Thai are no letters by themselves.
        let last =
            last || (label.chars().count() >= 2 && label.chars().all(|c| is_word(c) && script(c) == Script::Thai));
        if labels > 1 && last {
            end = Some(at);
        }
        match behind.get(at..).and_then(|r| r.chars().next()) {
            Some('.') => at += 1,
            _ => break,
        }
    }
    let end = end.filter(|e| *e <= DOMAIN)?;
    // Files of pictures for screens of high density: `icon@2x.png`.
    let domain = behind.get(..end).unwrap_or_default().to_ascii_lowercase();
    let picture = domain.split_once('.').is_some_and(|(scale, kind)| {
        matches!(scale, "1x" | "2x" | "3x") && matches!(kind, "png" | "jpg" | "jpeg" | "webp" | "svg" | "gif")
    });
    (!picture).then_some(end)
}

/// How long the label at the start is: letters of one way of writing, digits, and dashes that do not end it.
fn label(text: &str) -> usize {
    let mut len = 0;
    let mut of: Option<Script> = None;
    for (at, c) in text.char_indices() {
        if is_word(c) {
            if !c.is_ascii_digit() && *of.get_or_insert(script(c)) != script(c) {
                break;
            }
            len = at + c.len_utf8();
        } else if c != '-' || at == 0 {
            break;
        }
    }
    len
}

/// The user of an address of the web (`https://user:word@host`), or of a repository (`git@host:path`).
fn is_login(before: &str, start: usize, behind: &str) -> bool {
    let head = before.get(..start).unwrap_or_default();
    let is_end = |c: char| c.is_whitespace() || "\"'<>()[]“”，。".contains(c);
    let token = head.rsplit(is_end).next().unwrap_or_default();
    let in_address = token.rsplit_once("://").is_some_and(|(_, authority)| !authority.contains(['/', '?', '#']));
    let repository = before.get(start..) == Some("git") && behind.starts_with([':', '/']);
    in_address || repository
}
