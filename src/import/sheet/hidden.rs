//! The rows of a worksheet that are hidden or filtered out, which the reader of cells does not tell.

use std::collections::HashSet;
use std::io::{Read, Seek};
use zip::ZipArchive;

/// A part of a workbook is at most so many bytes long, unpacked; a longer one is not looked into.
const LONGEST_PART: u64 = 256 * 1024 * 1024;

/// The numbers of the hidden rows of the n-th sheet of a workbook, from 1. Empty where that cannot be told.
pub(super) fn rows(file: impl Read + Seek, sheet: usize) -> HashSet<usize> {
    find(file, sheet).unwrap_or_default()
}

fn find(file: impl Read + Seek, sheet: usize) -> Option<HashSet<usize>> {
    let mut archive = ZipArchive::new(file).ok()?;
    let workbook = part(&mut archive, "xl/workbook.xml")?;
    let id = tags(&workbook, "sheet").nth(sheet).and_then(|tag| attribute(tag, "r:id"))?.to_owned();
    let relations = part(&mut archive, "xl/_rels/workbook.xml.rels")?;
    let target = tags(&relations, "Relationship")
        .find(|t| attribute(t, "Id") == Some(&id))
        .and_then(|t| attribute(t, "Target"))?;
    let name = target.strip_prefix('/').map_or_else(|| format!("xl/{target}"), str::to_owned);
    let worksheet = part(&mut archive, &name)?;
    let mut next = 1;
    let mut hidden = HashSet::new();
    for tag in tags(&worksheet, "row") {
        // A row that does not say its number is the one behind the last.
        let number = attribute(tag, "r").and_then(|r| r.parse().ok()).unwrap_or(next);
        next = number + 1;
        if matches!(attribute(tag, "hidden"), Some("1" | "true")) {
            hidden.insert(number);
        }
    }
    Some(hidden)
}

fn part<R: Read + Seek>(archive: &mut ZipArchive<R>, name: &str) -> Option<String> {
    let mut text = String::new();
    archive.by_name(name).ok()?.take(LONGEST_PART).read_to_string(&mut text).ok()?;
    Some(text)
}

/// What stands inside each opening tag of a name. A `<` in the text of a part is always escaped.
fn tags<'t>(xml: &'t str, name: &'t str) -> impl Iterator<Item = &'t str> {
    xml.split('<').skip(1).filter_map(move |piece| {
        let tag = piece.split('>').next()?;
        let (found, rest) = tag.split_once(|c: char| c.is_ascii_whitespace())?;
        (found == name || found.rsplit(':').next() == Some(name)).then_some(rest)
    })
}

/// The value of an attribute.
fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let mut rest = tag;
    loop {
        let (key, behind) = rest.split_once('=')?;
        let behind = behind.trim_start();
        let quote = behind.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let (value, after) = behind.get(1..)?.split_once(quote)?;
        if key.trim() == name {
            return Some(value);
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_their_attributes() {
        let xml = "<rows><row r=\"2\" spans='1:2' hidden=\"1\"><c r=\"A2\"/></row><x:row hidden=\"true\"/><rowBreaks a=\"1\"/></rows>";
        let found: Vec<&str> = tags(xml, "row").collect();
        assert_eq!(found.len(), 2);
        assert_eq!((attribute(found[0], "r"), attribute(found[0], "hidden")), (Some("2"), Some("1")));
        assert_eq!(attribute(found[1], "hidden"), Some("true"));
        assert_eq!(attribute(found[1], "r"), None);
    }
}
