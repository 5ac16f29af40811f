//! Which verdicts people should look at: a stratified sample of a run.
//!
//! Verdicts are parted by layer and by what they are: faults, scores near the threshold (where a judge is least sure), high
//! scores (where nobody looks), the rest. Of each part a share is drawn, one at least, spread over the tags. Every verdict of a
//! part is drawn with the same chance, and a row's weight says for how many it stands: with it, what the sample shows can be
//! said of the run (Horvitz & Thompson 1952).

use std::collections::BTreeMap;

/// A verdict that may be drawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The layer.
    pub layer: String,
    /// Whether it passed.
    pub passed: bool,
    /// Its score from 0 to 1, where the layer has one.
    pub score: Option<f64>,
    /// The score from which it passes, where there is one.
    pub threshold: Option<f64>,
    /// The first tag of the question; empty without.
    pub tag: String,
}

/// What a verdict is to somebody who checks the judge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Band {
    /// It failed.
    Fail,
    /// Its score is within .1 of its threshold.
    Near,
    /// Its score is .9 or more.
    High,
    /// Any other.
    Pass,
}

/// So far from the threshold is near.
const NEAR: f64 = 0.1;

/// From here on a score is high.
const HIGH: f64 = 0.9;

impl Verdict {
    /// Its band.
    pub fn band(&self) -> Band {
        let near = self.score.zip(self.threshold).is_some_and(|(s, t)| (s - t).abs() <= NEAR);
        match (near, self.passed, self.score) {
            (true, _, _) => Band::Near,
            (false, false, _) => Band::Fail,
            (false, true, Some(s)) if s >= HIGH => Band::High,
            (false, true, _) => Band::Pass,
        }
    }
}

/// One that was drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Drawn {
    /// Its place among the verdicts.
    pub at: usize,
    /// For how many it stands.
    pub weight: f64,
}

/// Draws about this share of the verdicts, in their order. `fraction` is above 0 and at most 1; the same seed draws the same.
pub fn draw(verdicts: &[Verdict], fraction: f64, seed: u64) -> Vec<Drawn> {
    let mut parts: BTreeMap<(&str, Band), Vec<usize>> = BTreeMap::new();
    for (at, v) in verdicts.iter().enumerate() {
        parts.entry((v.layer.as_str(), v.band())).or_default().push(at);
    }
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut out = Vec::new();
    for mut part in parts.into_values() {
        let all = part.len();
        let wanted = ((all as f64 * fraction).round() as usize).clamp(1, all);
        // Shuffled, then in the order of the tags: every n-th from a random start takes its share of each tag.
        rng.shuffle(&mut part);
        part.sort_by_key(|at| verdicts.get(*at).map(|v| v.tag.as_str()));
        let step = all as f64 / wanted as f64;
        let start = rng.f64() * step;
        let places = (0..wanted).map(|i| ((start + i as f64 * step) as usize).min(all - 1));
        out.extend(places.filter_map(|p| part.get(p)).map(|at| Drawn { at: *at, weight: step }));
    }
    out.sort_by_key(|d| d.at);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(layer: &str, passed: bool, score: Option<f64>, tag: &str) -> Verdict {
        Verdict { layer: layer.into(), passed, score, threshold: score.map(|_| 0.7), tag: tag.into() }
    }

    #[test]
    fn bands_are_told_by_outcome_and_score() {
        assert_eq!(verdict("a", true, Some(0.75), "").band(), Band::Near);
        assert_eq!(verdict("a", false, Some(0.65), "").band(), Band::Near);
        assert_eq!(verdict("a", true, Some(0.95), "").band(), Band::High);
        assert_eq!(verdict("a", false, Some(0.1), "").band(), Band::Fail);
        assert_eq!(verdict("a", true, None, "").band(), Band::Pass);
    }

    /// Each part and each tag has its share, the weights add up to the whole, and every verdict is drawn about as often.
    #[test]
    fn every_part_and_tag_is_drawn_in_proportion() {
        let mut all = Vec::new();
        for i in 0..200 {
            let tag = ["a", "b", "c", "d"][i % 4];
            all.push(verdict(if i < 100 { "facts" } else { "numbers" }, i % 10 != 0, None, tag));
        }
        let drawn = draw(&all, 0.2, 7);
        assert_eq!(drawn, draw(&all, 0.2, 7));
        assert_ne!(drawn, draw(&all, 0.2, 8));
        assert_eq!(drawn.len(), 40);
        assert!((drawn.iter().map(|d| d.weight).sum::<f64>() - 200.0).abs() < 1e-9);
        for tag in ["a", "b", "c", "d"] {
            let n = drawn.iter().filter(|d| all[d.at].tag == tag).count();
            assert!((8..=12).contains(&n), "{tag}: {n}");
        }
        let mut times = vec![0; all.len()];
        (0..1_000).for_each(|seed| draw(&all, 0.2, seed).iter().for_each(|d| times[d.at] += 1));
        assert!(times.iter().all(|t| (140..=260).contains(t)), "{times:?}");
        // One of a part of one, whatever the share.
        assert_eq!(draw(&all[..1], 0.01, 1), [Drawn { at: 0, weight: 1.0 }]);
        assert!(draw(&[], 0.5, 1).is_empty());
    }
}
