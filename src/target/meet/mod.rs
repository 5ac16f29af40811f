//! Whether the names of documents on both sides meet: those that a target returns, and those that the suites' evidence
//! and the corpus bear. Where they do not, what would make them.

mod alike;

pub use alike::Alike;

use std::collections::{BTreeMap, BTreeSet};

/// How the names of a target meet ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meeting {
    /// At least one is the same as it stands.
    Same,
    /// They would with only what follows the last `/`.
    Basename,
    /// They would without this at their front.
    Prefix(String),
    /// They would with only what the first group of this regular expression matches.
    Regex(String),
    /// They are the same but for letter case, folders, endings or a part such as a version; these settings make them one.
    Alike(Box<Alike>),
    /// They do not, in any way that is known here.
    Never,
}

/// Looks how returned names meet known ones.
pub fn meet(returned: &[String], known: &BTreeSet<String>) -> Meeting {
    if returned.iter().any(|n| known.contains(n)) {
        return Meeting::Same;
    }
    let last = |n: &str| n.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    if returned.iter().any(|n| known.contains(&last(n))) {
        return Meeting::Basename;
    }
    // The most frequent front of a name that ends in a known one at a border.
    let mut fronts: BTreeMap<String, usize> = BTreeMap::new();
    for name in returned {
        for ours in known {
            if let Some(front) = name.strip_suffix(ours.as_str())
                && front.ends_with(|c: char| !c.is_alphanumeric())
            {
                *fronts.entry(front.to_owned()).or_default() += 1;
            }
        }
    }
    if let Some((front, _)) = fronts.into_iter().max_by_key(|(front, n)| (*n, std::cmp::Reverse(front.len()))) {
        return Meeting::Prefix(front);
    }
    // What a splitter appends: `doi-tra.md#3`, `doi-tra.md::chunk-3`, `doi-tra.md_12`.
    for between in ["::", "#", "@", "|", "_", "-", ":"] {
        let head = |n: &String| n.rsplit_once(between).map(|(head, _)| head.to_owned());
        if returned.iter().filter_map(head).any(|n| known.contains(&n) || known.contains(&last(&n))) {
            let whole = returned.iter().filter_map(head).any(|n| known.contains(&n));
            let front = if whole { "^" } else { "([^/]+)" };
            let between = regex::escape(between);
            let pattern = if whole { format!("{front}(.+){between}[^/]*$") } else { format!("{front}{between}[^/]*$") };
            return Meeting::Regex(pattern);
        }
    }
    alike::alike(returned, known).map_or(Meeting::Never, |found| Meeting::Alike(Box::new(found)))
}

#[cfg(test)]
mod tests {
    use super::{Meeting, meet};

    fn of(returned: &[&str], known: &[&str]) -> Meeting {
        let returned: Vec<String> = returned.iter().map(ToString::to_string).collect();
        meet(&returned, &known.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn ways_to_meet() {
        let known = ["doi-tra.md", "faq/giao-hang.md", "ประกัน.md"];
        assert_eq!(of(&["x.md", "doi-tra.md"], &known), Meeting::Same);
        assert_eq!(of(&["/srv/kb/doi-tra.md"], &known), Meeting::Basename);
        assert_eq!(of(&["s3://bucket/faq/giao-hang.md"], &known), Meeting::Prefix("s3://bucket/".into()));
        assert_eq!(of(&["kb:ประกัน.md"], &known), Meeting::Prefix("kb:".into()));
        let Meeting::Regex(chunked) = of(&["doi-tra.md::chunk-3"], &known) else { panic!() };
        let found = regex::Regex::new(&chunked).unwrap().captures("doi-tra.md::chunk-3").unwrap();
        assert_eq!(&found[1], "doi-tra.md");
        let Meeting::Regex(deep) = of(&["/srv/kb/doi-tra.md#3"], &known) else { panic!() };
        let found = regex::Regex::new(&deep).unwrap().captures("/srv/kb/doi-tra.md#3").unwrap();
        assert_eq!(&found[1], "doi-tra.md");
        assert_eq!(of(&["sha1:77ab"], &known), Meeting::Never);
        assert_eq!(of(&[], &known), Meeting::Never);
        // A name that merely ends in the letters of another is another.
        assert_eq!(of(&["xdoi-tra.md"], &known), Meeting::Never);
    }
}
