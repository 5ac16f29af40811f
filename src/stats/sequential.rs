//! The sequential probability ratio test of a share of passes (Wald 1945): run after run, until enough is known.

/// The two shares that are to be told apart, and how often either may be taken for the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    /// The share of passes if nothing changed; above `changed`, below 1.
    pub same: f64,
    /// The share of passes if it did; above 0.
    pub changed: f64,
    /// How often *changed* may be said of what is the same.
    pub alpha: f64,
    /// How often *same* may be said of what changed.
    pub beta: f64,
}

/// What a sequence of runs says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Says {
    /// As it was, after so many runs.
    Same(usize),
    /// Not as it was, after so many runs.
    Changed(usize),
    /// Neither yet.
    Nothing,
}

impl Sprt {
    /// A pass of .95 against a toss of a coin, alpha .05 and beta .1: two fails in a row are a change, four passes none.
    pub const STABLE: Sprt = Sprt { same: 0.95, changed: 0.5, alpha: 0.05, beta: 0.1 };

    /// What runs say, in their order; those behind the one that decides are not looked at. The sum of the logarithms of the
    /// likelihood ratios is held against `ln((1-beta)/alpha)` and `ln(beta/(1-alpha))`.
    pub fn says(self, passes: impl IntoIterator<Item = bool>) -> Says {
        let up = ((1.0 - self.beta) / self.alpha).ln();
        let down = (self.beta / (1.0 - self.alpha)).ln();
        let (pass, fail) = ((self.changed / self.same).ln(), ((1.0 - self.changed) / (1.0 - self.same)).ln());
        let mut sum = 0.0;
        for (at, passed) in passes.into_iter().enumerate() {
            sum += if passed { pass } else { fail };
            if sum >= up {
                return Says::Changed(at + 1);
            }
            if sum <= down {
                return Says::Same(at + 1);
            }
        }
        Says::Nothing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(runs: &str) -> Says {
        Sprt::STABLE.says(runs.chars().map(|c| c == 'P'))
    }

    #[test]
    fn two_fails_are_a_change_and_four_passes_are_none() {
        assert_eq!(says("FF"), Says::Changed(2));
        assert_eq!(says("PPPP"), Says::Same(4));
        assert_eq!(says("FPPPPPPPP"), Says::Same(9));
        assert_eq!(says("FPPPPPP"), Says::Nothing);
        assert_eq!(says("PFPF"), Says::Changed(4));
        assert_eq!(says(""), Says::Nothing);
        // What comes behind the decision does not count.
        assert_eq!(says("PPPPFFFFF"), Says::Same(4));
    }

    /// The shares of each ending within ten runs, over all sequences: at .95 a change is said in .018 of them, at .5 in .891,
    /// at .1 always.
    #[test]
    fn its_errors_are_what_was_computed_for_it() {
        let changed = |p: f64| {
            let mut share = 0.0;
            for bits in 0u32..1 << 10 {
                let runs = (0..10).map(|i| bits >> i & 1 == 1);
                if matches!(Sprt::STABLE.says(runs), Says::Changed(_)) {
                    share += p.powi(bits.count_ones() as i32) * (1.0 - p).powi(10 - bits.count_ones() as i32);
                }
            }
            share
        };
        for (p, right) in [(0.95, 0.018), (0.5, 0.891), (0.1, 1.0)] {
            assert!((changed(p) - right).abs() < 0.002, "{p}: {}", changed(p));
        }
    }
}
