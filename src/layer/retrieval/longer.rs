//! Names that hold the wanted one and more: `fees.md@r9#2`, `/srv/kb/fees.md`.
//!
//! Names are compared whole, so a passage of that name is another document until the mapping of the target makes the names
//! meet. A whole suite of such names is `labels-do-not-fit`; of one or two questions nobody could tell without this.

use crate::suite::Evidence;
use crate::target::response::Context;
use crate::text::norm::visible;

/// What is said of the first passage whose name holds the wanted one, beginning with `; `.
pub(super) fn name(e: &Evidence, contexts: &[Context<'_>]) -> Option<String> {
    let wanted = [("doc", e.doc.as_deref()), ("chunk", e.chunk.as_deref()), ("url", e.url.as_deref())];
    contexts.iter().enumerate().find_map(|(i, c)| {
        let names = [c.doc.as_deref(), c.chunk.as_deref(), c.url.as_deref()];
        wanted.iter().zip(names).find_map(|((key, wanted), name)| {
            let (wanted, name) = ((*wanted)?, name?);
            let how = how(wanted, name)?;
            let shown = visible(name);
            let n = i + 1;
            Some(format!(
                "; passage {n} is named “{shown}”: make the names meet with `{key} = {{ path = \"…\", {how} }}`"
            ))
        })
    })
}

/// The settings that make a longer name the wanted one; nothing where it is another name.
fn how(wanted: &str, name: &str) -> Option<String> {
    if wanted.is_empty() || wanted == name {
        return None;
    }
    let (front, tail) = name
        .match_indices(wanted)
        .map(|(at, w)| (name.get(..at).unwrap_or_default(), name.get(at + w.len()..).unwrap_or_default()))
        .find(|(front, tail)| is_front(front) && is_tail(tail))?;
    let mut settings = Vec::new();
    let folder = front.ends_with(['/', '\\']);
    if folder && !wanted.contains(['/', '\\']) && !tail.contains(['/', '\\']) {
        settings.push("basename = true".to_owned());
    } else if !front.is_empty() {
        settings.push(format!("strip_prefix = \"{}\"", visible(front)));
    }
    if let Some(c) = tail.chars().next() {
        let border = regex::escape(&c.to_string());
        // Up to where the rest begins; where the name has that character itself, up to the last one.
        settings.push(match (wanted.contains(c), tail.matches(c).count()) {
            (false, _) => format!("regex = '^([^{border}]+)'"),
            (true, 1) => format!("regex = '^(.+){border}'"),
            (true, _) => "regex = '…'".to_owned(),
        });
    }
    Some(settings.join(", "))
}

/// Whether a name may begin behind this: `late-fees.md` is another document than `fees.md`.
fn is_front(front: &str) -> bool {
    front.is_empty() || front.ends_with(['/', '\\', ':', '|', '#', '@', '=', ' '])
}

/// Whether a name may end before this: at a border, and where that is a dash only before the number of a part
/// (`fees.md-3`, but not `fees-2024.md`).
fn is_tail(tail: &str) -> bool {
    match tail.chars().next() {
        None => true,
        Some('-' | '_') => {
            let rest = tail.trim_start_matches(['-', '_']);
            let rest = ["chunk", "part", "page"].iter().find_map(|w| rest.strip_prefix(w)).unwrap_or(rest);
            let rest = rest.trim_start_matches(['-', '_']);
            !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit())
        }
        Some(c) => !c.is_alphanumeric(),
    }
}

#[cfg(test)]
mod tests {
    use super::how;
    use regex::Regex;

    /// A name as the settings leave it, in the order in which a mapping applies them.
    fn shaped(name: &str, settings: &str) -> String {
        let mut text = name.to_owned();
        if let Some(front) = settings.split("strip_prefix = \"").nth(1).and_then(|r| r.split('"').next()) {
            text = text.strip_prefix(front).unwrap().to_owned();
        }
        if settings.contains("basename = true") {
            text = text.rsplit(['/', '\\']).next().unwrap().to_owned();
        }
        match settings.split("regex = '").nth(1).and_then(|r| r.split('\'').next()) {
            Some(regex) => Regex::new(regex).unwrap().captures(&text).unwrap()[1].to_owned(),
            None => text,
        }
    }

    #[test]
    fn longer_names_are_made_to_meet() {
        for (wanted, name, right) in [
            ("fees.md", "fees.md@r9#2", "regex = '^([^@]+)'"),
            ("fees.md", "/srv/kb/fees.md", "basename = true"),
            ("fees.md", "C:\\kb\\fees.md", "basename = true"),
            ("fees.md", "/srv/kb/fees.md#3", "basename = true, regex = '^([^\\#]+)'"),
            ("faq/fees.md", "/srv/kb/faq/fees.md", "strip_prefix = \"/srv/kb/\""),
            ("fees.md", "kb:fees.md", "strip_prefix = \"kb:\""),
            ("fees", "fees.md", "regex = '^([^\\.]+)'"),
            ("fees.md", "fees.md.7", "regex = '^(.+)\\.'"),
            ("fees.md", "fees.md_chunk_12", "regex = '^([^_]+)'"),
            ("ประกัน.md", "kb/ประกัน.md|4", "basename = true, regex = '^([^\\|]+)'"),
        ] {
            let settings = how(wanted, name);
            assert_eq!(settings.as_deref(), Some(right), "{name}");
            assert_eq!(shaped(name, right), wanted, "{name}");
        }
    }

    #[test]
    fn another_document_is_another() {
        for (wanted, name) in [
            ("fees.md", "late-fees.md"),
            ("fees.md", "fees.md"),
            ("fees.md", "fees.mdx"),
            ("fees", "fees-2024.md"),
            ("fees.md", "FEES.md"),
            ("", "fees.md"),
        ] {
            assert_eq!(how(wanted, name), None, "{name}");
        }
    }
}
