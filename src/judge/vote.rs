//! Votes: the same statement judged over the sources in several orders.
//!
//! A judge at temperature 0 that is asked the same again gives a copy, not another vote; what moves small judges is the
//! order of the passages. So each vote has an order of its own, and there are no more votes than orders.

use super::Verdict;

/// The orders of `n` sources for so many votes, each a list of positions: as they are, reversed, then each turned further.
/// At least one, at most `votes`, no two alike.
pub fn orders(n: usize, votes: usize) -> Vec<Vec<usize>> {
    let mut out: Vec<Vec<usize>> = Vec::new();
    for turn in 0..n.max(1) {
        let mut order: Vec<usize> = (0..n).collect();
        order.rotate_left(turn.min(n));
        let reversed = order.iter().rev().copied().collect();
        for order in [order, reversed] {
            if out.len() < votes.max(1) && !out.contains(&order) {
                out.push(order);
            }
        }
    }
    out
}

/// What became of the votes on one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voted {
    /// The verdict of the majority.
    pub verdict: Verdict,
    /// Each vote, in the order of [`orders`].
    pub votes: Vec<Verdict>,
}

impl Voted {
    /// The majority of the votes that are known; [`Verdict::Unclear`] for a tie, or where more are unclear than agree on
    /// either; [`Verdict::Unknown`] where no vote came.
    pub fn of(votes: Vec<Verdict>) -> Voted {
        let count = |v: Verdict| votes.iter().filter(|x| **x == v).count();
        let (yes, no, unclear) = (count(Verdict::Yes), count(Verdict::No), count(Verdict::Unclear));
        let verdict = if yes + no + unclear == 0 {
            Verdict::Unknown
        } else if yes > no && yes > unclear {
            Verdict::Yes
        } else if no > yes && no > unclear {
            Verdict::No
        } else {
            Verdict::Unclear
        };
        Voted { verdict, votes }
    }

    /// One verdict that nobody voted on.
    pub fn alone(verdict: Verdict) -> Voted {
        Voted { verdict, votes: Vec::new() }
    }

    /// Whether the votes that came differ.
    pub fn is_split(&self) -> bool {
        let mut came = self.votes.iter().filter(|v| **v != Verdict::Unknown);
        let first = came.next();
        came.any(|v| Some(v) != first)
    }
}

/// How often the votes of statements that have several differ: the flip rate, in 0 ..= 1; nothing without such statements.
pub fn flip_rate<'a>(voted: impl IntoIterator<Item = &'a Voted>) -> Option<f64> {
    let (mut split, mut n) = (0_u32, 0_u32);
    for v in voted {
        if v.votes.iter().filter(|v| **v != Verdict::Unknown).count() > 1 {
            n += 1;
            split += u32::from(v.is_split());
        }
    }
    (n > 0).then(|| f64::from(split) / f64::from(n))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{No, Unclear, Unknown, Yes};

    #[test]
    fn orders_differ_and_hold_every_source() {
        assert_eq!(orders(3, 3), [vec![0, 1, 2], vec![2, 1, 0], vec![1, 2, 0]]);
        assert_eq!(orders(2, 3), [vec![0, 1], vec![1, 0]]);
        assert_eq!(orders(1, 3), [vec![0]]);
        assert_eq!(orders(0, 3), [Vec::<usize>::new()]);
        assert_eq!(orders(4, 0).len(), 1);
        for n in 0..7 {
            let all = orders(n, 9);
            for (i, order) in all.iter().enumerate() {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert_eq!(sorted, (0..n).collect::<Vec<_>>());
                assert!(!all[..i].contains(order));
            }
        }
    }

    #[test]
    fn the_majority_decides_and_a_tie_is_unclear() {
        for (votes, verdict) in [
            (vec![Yes, Yes, No], Yes),
            (vec![No, Yes, No], No),
            (vec![Yes, No], Unclear),
            (vec![Yes, Unclear], Unclear),
            (vec![Yes, Unclear, Unclear], Unclear),
            (vec![Yes, Unknown, Unknown], Yes),
            (vec![Unknown, Unknown], Unknown),
            (vec![Unclear, Unknown], Unclear),
            (vec![], Unknown),
        ] {
            assert_eq!(Voted::of(votes.clone()).verdict, verdict, "{votes:?}");
        }
    }

    #[test]
    fn the_flip_rate_counts_statements_with_several_votes() {
        let all = [vec![Yes, Yes, No], vec![Yes, Yes, Yes], vec![Yes], vec![No, Unknown]].map(Voted::of);
        assert_eq!(flip_rate(&all), Some(0.5));
        assert_eq!(flip_rate(&all[2..]), None);
    }
}
