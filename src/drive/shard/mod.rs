//! Shards: the questions of one run, asked by several processes that know nothing of each other.
//!
//! Which share a question falls into follows from its suite and its id alone, so that every machine agrees on it, and a
//! question that is added or taken out moves no other. A committed file of durations balances the shares instead
//! ([`durations`]). A share decides nothing; [`merge`](super::merge) puts all of them together.

pub mod durations;
pub mod record;
pub(in crate::drive) mod wire;

use crate::digest::Hasher;
use crate::suite::Suite;
use durations::Durations;

/// No run is cut into more shares.
pub const MOST: u32 = 10_000;

/// Which share of the questions is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Share {
    /// From 1.
    pub index: u32,
    /// How many there are; at least `index`.
    pub of: u32,
    /// How long questions took, where the shares are balanced by it.
    pub durations: Option<Durations>,
}

impl Share {
    /// A share by its number, from 1.
    ///
    /// # Errors
    /// What is wrong with the numbers, in words.
    pub fn new(index: u32, of: u32) -> Result<Share, String> {
        if of == 0 {
            return Err("there are no shards: the number of shards is 0, expected 1 or more".into());
        }
        if of > MOST {
            return Err(format!("{of} shards are more than {MOST}"));
        }
        if index == 0 {
            return Err(format!("shards count from 1: expected 1/{of} to {of}/{of}, found 0/{of}"));
        }
        if index > of {
            return Err(format!("there is no shard {index} of {of}: expected 1/{of} to {of}/{of}"));
        }
        Ok(Share { index, of, durations: None })
    }

    /// Reads `2/7`.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub fn parse(text: &str) -> Result<Share, String> {
        let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
        match text.split_once('/') {
            Some((index, of)) if digits(index) && digits(of) => match (index.parse(), of.parse()) {
                (Ok(index), Ok(of)) => Share::new(index, of),
                (Err(_), _) | (_, Err(_)) => Err(format!("`{text}` holds a number that is too large")),
            },
            Some(_) | None => Err(format!("expected a shard such as 2/7, found `{text}`")),
        }
    }

    /// Keeps, of what is selected in each suite, this share.
    pub(in crate::drive) fn keep(&self, suites: &[Suite], selected: &mut [Vec<bool>]) {
        let mut at = Vec::new();
        for (s, (suite, selected)) in suites.iter().zip(selected.iter()).enumerate() {
            for (q, question) in suite.questions.iter().enumerate() {
                if selected.get(q) == Some(&true) {
                    at.push((&*suite.name, question.id.as_str(), s, q));
                }
            }
        }
        let names: Vec<(&str, &str)> = at.iter().map(|(suite, id, ..)| (*suite, *id)).collect();
        let shares = match &self.durations {
            Some(durations) => durations.balance(&names, self.of),
            None => names.iter().map(|(suite, id)| by_hash(suite, id, self.of)).collect(),
        };
        for ((.., s, q), share) in at.iter().zip(shares) {
            if let Some(selected) = selected.get_mut(*s).and_then(|suite| suite.get_mut(*q)) {
                *selected = share == self.index;
            }
        }
    }
}

/// The share of a question, from 1: the first 128 bits of the SHA-256 of the suite's name, a NUL and the id, read as one
/// number with its highest byte first, modulo the number of shares.
pub fn by_hash(suite: &str, id: &str, of: u32) -> u32 {
    let rest = Hasher::of(format!("{suite}\0{id}").as_bytes()) % u128::from(of.max(1));
    u32::try_from(rest).unwrap_or(0) + 1
}

#[cfg(test)]
mod tests {
    use super::{Share, by_hash};

    /// Computed by Python: `int.from_bytes(hashlib.sha256(b"shop\0q01").digest()[:16], "big") % 7 + 1`.
    #[test]
    fn every_machine_agrees_on_the_share_of_a_question() {
        assert_eq!(["q01", "q02", "q03", "q04"].map(|id| by_hash("shop", id, 7)), [1, 5, 4, 6]);
        assert_eq!(by_hash("cửa-hàng", "đổi-trả", 7), 6);
        assert_eq!(by_hash("shop", "q01", 1), 1);
    }

    #[test]
    fn what_is_no_share_is_refused() {
        let ok = |t: &str| Share::parse(t).map(|s| (s.index, s.of));
        assert_eq!(ok("2/7"), Ok((2, 7)));
        assert_eq!(ok("1/1"), Ok((1, 1)));
        for (text, why) in [
            ("0/7", "count from 1"),
            ("8/7", "no shard 8 of 7"),
            ("1/0", "there are no shards"),
            ("0/0", "there are no shards"),
            ("1/10001", "more than 10000"),
            ("99999999999/7", "too large"),
            ("7", "expected a shard such as 2/7"),
            ("/7", "expected a shard"),
            ("1/", "expected a shard"),
            ("-1/7", "expected a shard"),
            ("+1/7", "expected a shard"),
            ("1/7/2", "expected a shard"),
            (" 1/7", "expected a shard"),
        ] {
            let said = ok(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
