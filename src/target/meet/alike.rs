//! Names that are the same but for letter case, folders, a file's ending, or a part such as a version: which settings
//! would make them one.

use crate::suite::config::live::Field;
use regex::Regex;
use std::collections::{BTreeMap, BTreeSet};

/// A part between the name and its ending is only looked for where at least so many characters are the same.
const LEAST: usize = 3;

/// More names of ours are not tried: a hint is no reason to wait.
const MOST: usize = 2_000;

/// Expressions with what takes the place of their matches, in order.
type Replace = Vec<(String, String)>;

/// Settings that make names meet.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Alike {
    /// Only what follows the last `/`.
    pub basename: bool,
    /// Expressions with what takes the place of their matches, in order.
    pub replace: Replace,
    /// All letters small.
    pub lowercase: bool,
    /// A name of theirs, and ours that it becomes.
    pub pair: (String, String),
    /// What differs, in words.
    pub differs: Vec<String>,
}

impl Alike {
    /// How much is to be written for it.
    fn cost(&self) -> usize {
        usize::from(self.basename) + 2 * self.replace.len() + usize::from(self.lowercase)
    }

    /// How many names of theirs are ours with these settings.
    fn meets(&self, returned: &[String], known: &BTreeSet<String>) -> usize {
        let compiled = |(from, to): &(String, String)| Regex::new(from).ok().map(|r| (r, to.clone()));
        let Some(replace) = self.replace.iter().map(compiled).collect::<Option<Vec<_>>>() else { return 0 };
        let field = Field { basename: self.basename, lowercase: self.lowercase, replace, ..Field::default() };
        returned.iter().filter(|name| known.contains(&field.shape((*name).clone()))).count()
    }
}

/// The settings that make most names of theirs ours, and of those the fewest.
pub(super) fn alike(returned: &[String], known: &BTreeSet<String>) -> Option<Alike> {
    let mut candidates: BTreeMap<(bool, Replace, bool), Alike> = BTreeMap::new();
    for name in returned {
        for (basename, lowercase) in [(false, false), (true, false), (false, true), (true, true)] {
            let field = Field { basename, lowercase, ..Field::default() };
            let plain = Field { basename, ..Field::default() }.shape(name.clone());
            let theirs = field.shape(name.clone());
            for ours in known.iter().take(MOST) {
                let Some((replace, parts)) = difference(&theirs, &plain, ours) else { continue };
                let mut differs = Vec::new();
                differs.extend((basename && plain != *name).then(|| "their folders".to_owned()));
                differs.extend((lowercase && theirs != plain).then(|| "letter case".to_owned()));
                differs.extend(parts);
                let pair = (name.clone(), ours.clone());
                let key = (basename, replace.clone(), lowercase);
                candidates.entry(key).or_insert(Alike { basename, replace, lowercase, pair, differs });
            }
        }
    }
    let scored = candidates.into_values().map(|c| (c.meets(returned, known), c)).filter(|(n, _)| *n > 0);
    scored.max_by_key(|(n, c)| (*n, std::cmp::Reverse(c.cost()))).map(|(_, c)| c)
}

/// What is to be replaced in a name of theirs so that it is ours, and how the difference is called. `plain` is theirs with
/// its own letters.
fn difference(theirs: &str, plain: &str, ours: &str) -> Option<(Replace, Vec<String>)> {
    let (mut replace, mut differs) = (Vec::new(), Vec::new());
    let ((their_stem, their_ending), (our_stem, our_ending)) = (ending(theirs), ending(ours));
    if their_stem != our_stem {
        let long = our_stem.chars().count() >= LEAST;
        let border = |part: &str, at_end: bool| {
            let c = if at_end { part.chars().next_back() } else { part.chars().next() };
            c.is_some_and(|c| !c.is_alphanumeric())
        };
        let behind = their_stem.strip_prefix(our_stem).filter(|rest| border(rest, false));
        let before = their_stem.strip_suffix(our_stem).filter(|front| border(front, true));
        let (part, expression) = match (behind, before) {
            (Some(rest), _) => (rest, pattern(rest, plain)),
            (None, Some(front)) => (front, format!("^{}", pattern(front, plain))),
            (None, None) => return None,
        };
        if !long {
            return None;
        }
        differs.push(format!("“{part}”"));
        replace.push((expression, String::new()));
    }
    if their_ending != our_ending {
        let expression = format!("{}$", pattern(their_ending, plain));
        replace.push((expression, our_ending.to_owned()));
        differs.push(match (their_ending, our_ending) {
            ("", ours) => format!("the missing “{ours}”"),
            (theirs, _) => format!("“{theirs}” at the end"),
        });
    }
    Some((replace, differs))
}

/// A name and its ending, with the dot; no ending where none is one.
fn ending(name: &str) -> (&str, &str) {
    let split = name.rfind('.').and_then(|at| name.split_at_checked(at));
    let is_ending = |end: &str| {
        let letters = end.trim_start_matches('.');
        (1..=5).contains(&letters.len()) && letters.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    split.filter(|(stem, end)| !stem.is_empty() && is_ending(end)).unwrap_or((name, ""))
}

/// An expression for a part and for others like it: any number in place of each. Of a part that stands in other letters in
/// the name itself, letters of any case.
fn pattern(part: &str, plain: &str) -> String {
    let mut out = String::new();
    if !plain.contains(part) {
        out.push_str("(?i)");
    }
    let mut digits = false;
    for c in part.chars() {
        if c.is_ascii_digit() {
            if !digits {
                out.push_str("\\d+");
            }
            digits = true;
        } else {
            digits = false;
            out.push_str(&regex::escape(&c.to_string()));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{Alike, alike};

    fn of(returned: &[&str], known: &[&str]) -> Option<Alike> {
        let returned: Vec<String> = returned.iter().map(ToString::to_string).collect();
        alike(&returned, &known.iter().map(ToString::to_string).collect())
    }

    fn pair(from: &str, to: &str) -> (String, String) {
        (from.to_owned(), to.to_owned())
    }

    #[test]
    fn what_differs_is_found() {
        let known = ["annual-leave.md", "nghỉ-phép.md"];
        let versions = of(&["kb/2026-10/Annual-leave.v4.md", "kb/2026-08/Nghỉ-phép.v11.md"], &known).unwrap();
        assert!(versions.basename && versions.lowercase, "{versions:?}");
        assert_eq!(versions.replace, [pair(r"\.v\d+", "")]);
        assert_eq!(versions.differs, ["their folders", "letter case", "“.v4”"]);
        assert_eq!(versions.pair, pair("kb/2026-10/Annual-leave.v4.md", "annual-leave.md"));
        assert!(of(&["ANNUAL-LEAVE.MD"], &known).unwrap().lowercase);
        assert_eq!(of(&["annual-leave"], &known).unwrap().replace, [pair("$", ".md")]);
        assert_eq!(of(&["annual-leave.pdf"], &known).unwrap().replace, [pair(r"\.pdf$", ".md")]);
        assert_eq!(of(&["2026-10_annual-leave.md"], &known).unwrap().replace, [pair(r"^\d+\-\d+_", "")]);
        assert_eq!(of(&["Annual-leave.V4.md"], &known).unwrap().replace, [pair(r"(?i)\.v\d+", "")]);
    }

    #[test]
    fn another_name_is_another() {
        let known = ["annual-leave.md", "a.md"];
        assert_eq!(of(&["sick-leave.md", "xannual-leave.md", "a.v4.md"], &known), None);
        assert_eq!(of(&["annual-leaves.md"], &known), None);
    }
}
