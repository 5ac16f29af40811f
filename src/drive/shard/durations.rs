//! How long questions take, in a committed file, so that shares take equally long.
//!
//! Shares that were balanced by what each machine has seen would differ between machines; only a file that all of them
//! have balances anything, and its digest is part of each share's record.

use crate::digest::Hasher;
use crate::problem::{Place, Problem, Source};
use serde::Deserialize;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Milliseconds by suite and id.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Durations(BTreeMap<String, BTreeMap<String, u64>>);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u64,
    #[serde(default)]
    suite: BTreeMap<String, BTreeMap<String, u64>>,
}

/// The version of the format.
const VERSION: u64 = 1;

/// No question takes longer: 30 days, in milliseconds. What is summed up cannot overflow.
const LONGEST: u64 = 30 * 24 * 3_600_000;

impl Durations {
    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, with its place.
    pub fn parse(source: &Source) -> Result<Durations, Problem> {
        let at = |offset: Option<usize>| {
            let before = offset.and_then(|o| source.text.get(..o)).unwrap_or_default();
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
            let small = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            Place { file: source.path.as_str().into(), line: small(line), column: small(column) }
        };
        let wrong = |offset, what: String| {
            Problem::error("durations", at(offset), what).help("write it anew: `ragline durations --out FILE`")
        };
        let file: File = toml::from_str(&source.text).map_err(|e| {
            wrong(e.span().map(|s| s.start), format!("not a file of durations: {}", e.message().replace('\n', " ")))
        })?;
        if file.version != VERSION {
            let what = format!("durations of version {}, this program reads version {VERSION}", file.version);
            return Err(wrong(None, what));
        }
        let far = file.suite.iter().flat_map(|(s, ids)| ids.iter().map(move |(id, ms)| (s, id, *ms)));
        if let Some((suite, id, ms)) = far.into_iter().find(|(.., ms)| *ms > LONGEST) {
            return Err(wrong(None, format!("{suite}::{id} took {ms} ms, expected at most {LONGEST} (30 days)")));
        }
        Ok(Durations(file.suite))
    }

    /// Adds the time of one attempt or repeat of a question.
    pub fn add(&mut self, suite: &str, id: &str, ms: u64) {
        let of = self.0.entry(suite.to_owned()).or_default().entry(id.to_owned()).or_default();
        *of = of.saturating_add(ms).min(LONGEST);
    }

    /// How many questions there are.
    pub fn len(&self) -> usize {
        self.0.values().map(BTreeMap::len).sum()
    }

    /// True when there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Two significant digits: what differs by chance makes no difference in review, nor in how questions are divided.
    #[must_use]
    pub fn rounded(mut self) -> Durations {
        for ms in self.0.values_mut().flat_map(BTreeMap::values_mut) {
            let mut unit = 1;
            while *ms / unit >= 100 {
                unit *= 10;
            }
            *ms = (*ms + unit / 2) / unit * unit;
        }
        self
    }

    /// The text of the file, sorted.
    pub fn to_toml(&self) -> String {
        let mut out = "# Milliseconds that each question took, so that shards take equally long.\n\
                       # Written by `ragline durations`; given to every shard: `ragline run --shard 2/7 --durations FILE`.\n"
            .to_owned();
        let _ = writeln!(out, "version = {VERSION}");
        for (suite, ids) in &self.0 {
            let _ = writeln!(out, "\n[suite.{}]", toml::Value::from(suite.as_str()));
            for (id, ms) in ids {
                let _ = writeln!(out, "{} = {ms}", toml::Value::from(id.as_str()));
            }
        }
        out
    }

    /// The digest of what the file says, whatever its comments and layout.
    pub fn digest(&self) -> String {
        let mut h = Hasher::default();
        h.field(&self.to_toml());
        h.short()
    }

    /// What a question counts as that the file does not know: the lower median of those that it does, at least 1.
    fn median(&self) -> u64 {
        let mut all: Vec<u64> = self.0.values().flat_map(BTreeMap::values).copied().collect();
        all.sort_unstable();
        all.get(all.len().saturating_sub(1) / 2).copied().unwrap_or(1).max(1)
    }

    /// The share of each question, from 1: the longest first, each into the share that has least so far, the first of
    /// several (Graham, Bounds on Multiprocessing Timing Anomalies, 1969: at most 4/3 of the best there is). Questions of
    /// one length go in the order of suite and id.
    pub fn balance(&self, questions: &[(&str, &str)], of: u32) -> Vec<u32> {
        let median = self.median();
        let ms =
            |(suite, id): (&str, &str)| self.0.get(suite).and_then(|ids| ids.get(id)).copied().unwrap_or(median).max(1);
        let mut order: Vec<usize> = (0..questions.len()).collect();
        order.sort_by_key(|i| questions.get(*i).map(|q| (Reverse(ms(*q)), *q)));
        let mut loads = vec![0_u64; usize::try_from(of.max(1)).unwrap_or(1)];
        let mut shares = vec![1; questions.len()];
        for i in order {
            let least = loads.iter().enumerate().min_by_key(|(at, load)| (**load, *at)).map_or(0, |(at, _)| at);
            let took = questions.get(i).map_or(0, |q| ms(*q));
            if let (Some(load), Some(share)) = (loads.get_mut(least), shares.get_mut(i)) {
                *load = load.saturating_add(took);
                *share = u32::try_from(least + 1).unwrap_or(u32::MAX);
            }
        }
        shares
    }
}

#[cfg(test)]
mod tests {
    use super::Durations;
    use crate::problem::Source;

    fn parse(text: &str) -> Result<Durations, String> {
        let source = Source { path: "durations.toml".into(), text: text.to_owned() };
        Durations::parse(&source).map_err(|p| format!("{}:{} {}", p.place.line, p.place.column, p.title))
    }

    #[test]
    fn the_longest_go_first_and_ties_have_an_order() {
        let d = parse("version = 1\n[suite.s]\na = 50\nb = 40\nc = 30\nd = 20\n").unwrap();
        // 50 | 40; 30 joins 40; 20 joins 50: 70 and 70. `e` is not known and counts as 30, the lower median, behind `c`:
        // 50 | 40+30 | e joins 50 | d joins the second: 80 and 90.
        assert_eq!(d.balance(&[("s", "a"), ("s", "b"), ("s", "c"), ("s", "d")], 2), [1, 2, 2, 1]);
        assert_eq!(d.balance(&[("s", "a"), ("s", "b"), ("s", "c"), ("s", "d"), ("s", "e")], 2), [1, 2, 2, 2, 1]);
        // The order in which they are given changes nothing.
        assert_eq!(d.balance(&[("s", "e"), ("s", "d"), ("s", "c"), ("s", "b"), ("s", "a")], 2), [1, 2, 2, 2, 1]);
        assert_eq!(d.balance(&[("s", "a")], 3), [1]);
        // Nothing known: all count the same, and are dealt in turn.
        assert_eq!(Durations::default().balance(&[("s", "b"), ("s", "a"), ("r", "z")], 2), [1, 2, 1]);
    }

    #[test]
    fn it_reads_what_it_writes() {
        let mut d = Durations::default();
        d.add("shop", "q.1", 1234);
        d.add("shop", "q.1", 1);
        d.add("cửa-hàng", "x", 87);
        d.add("cửa-hàng", "y", 0);
        let d = d.rounded();
        let text = d.to_toml();
        assert!(text.contains("[suite.\"shop\"]\n\"q.1\" = 1200\n"), "{text}");
        assert!(text.contains("\"x\" = 87\n\"y\" = 0\n"), "{text}");
        assert_eq!(parse(&text).unwrap(), d);
        assert_eq!(parse(&text.replace("# ", "# and ")).unwrap().digest(), d.digest());
        assert_ne!(parse(&text.replace("1200", "1300")).unwrap().digest(), d.digest());
    }

    #[test]
    fn what_is_wrong_has_a_place() {
        for (text, said) in [
            ("version = 2\n", "1:1 durations of version 2"),
            ("version = 1\nsuites = 1\n", "2:1 not a file of durations: unknown field `suites`"),
            ("version = 1\n[suite.s]\na = -1\n", "3:5 not a file of durations"),
            ("version = 1\n[suite.s]\na = 1\na = 2\n", "4:1 not a file of durations: duplicate key"),
            ("version = 1\n[suite.s]\na = 99999999999999\n", "s::a took"),
            ("", "missing field `version`"),
        ] {
            let found = parse(text).unwrap_err();
            assert!(found.contains(said), "{text:?}: {found}");
        }
    }
}
