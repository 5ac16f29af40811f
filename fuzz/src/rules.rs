//! What holds of a layer, whichever it is and whatever it is given.

use ragline::layer::{Detail, LayerResult};
use std::fmt::Debug;
use std::time::{Duration, Instant};
use unicode_normalization::UnicodeNormalization;

/// No input may take longer: the longest ones have four thousand bytes.
const SLOW: Duration = Duration::from_secs(1);

/// What a layer says, without its places and its words.
#[derive(Debug, PartialEq)]
pub struct Verdict {
    outcome: &'static str,
    codes: Vec<&'static str>,
    facts: Vec<(bool, String)>,
}

/// The verdict of a result. What it repeats of an answer is in composed form.
pub fn verdict(result: &LayerResult) -> Verdict {
    let facts = match &result.detail {
        Detail::Facts(list) => list.iter().map(|v| (v.ok, v.reason.nfc().collect())).collect(),
        _ => Vec::new(),
    };
    let codes = result.findings.iter().map(|f| f.code.as_str()).collect();
    Verdict { outcome: result.outcome.name(), codes, facts }
}

/// Panics where a look at an answer breaks a rule: places lie within the answer, a second look says the same, and none takes
/// long. Otherwise what was seen.
pub fn holds_of(asked: &dyn Debug, answer: &str, look: &dyn Fn() -> LayerResult) -> LayerResult {
    let result = look();
    let length = answer.chars().count();
    for finding in &result.findings {
        let fits = finding.span.is_none_or(|(start, end)| start <= end && end <= length);
        assert!(fits && !finding.message.is_empty(), "{asked:?}: {finding:?}");
    }
    // What the machine does beside it may delay one look, and hardly three.
    let mut shortest = Duration::MAX;
    for _ in 0..3 {
        let began = Instant::now();
        let again = look();
        shortest = shortest.min(began.elapsed());
        let same = verdict(&again) == verdict(&result) && again.findings == result.findings;
        assert!(same, "{asked:?}: {result:?}, then {again:?}");
        if shortest < SLOW {
            break;
        }
    }
    assert!(shortest < SLOW, "{shortest:?} for {asked:?}");
    result
}

/// A text in composed form.
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

/// A text in decomposed form.
pub fn decomposed(text: &str) -> String {
    text.nfd().collect()
}
