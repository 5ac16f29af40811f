//! What a history knows of how questions come out.

use super::{Kind, Line};
use crate::baseline::{Baseline, Entry, LayerBase};
use crate::problem::{Problems, read_source};
use crate::stats::Rate;
use crate::suite::QuestionId;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Runs that came out as accepted, by question.
pub type Known = BTreeMap<QuestionId, Rate>;

/// The lines of a file; none where it is not there.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path, shown: &str) -> Result<Vec<Line>, Problems> {
    if path.exists() { super::parse(&*read_source(path, shown)?) } else { Ok(Vec::new()) }
}

/// What is known of the questions of a baseline, beyond what stands in it. Of each question the newest lines count, back to
/// where it expected something else, came out otherwise or was measured under other rules. A run counts once, whoever accepted
/// it. The floor of a flaky question is what somebody decided, and stays.
pub fn known(lines: &[Line], baseline: &Baseline) -> Known {
    let of = |(id, entry): (&QuestionId, &Entry)| {
        let seen = trail(lines, baseline, id, entry);
        let more = if entry.flaky { entry.floor.is_none() && seen.n > 0 } else { seen.n > entry.seen().runs.into() };
        more.then(|| (id.clone(), seen))
    };
    baseline.entries.iter().filter_map(of).collect()
}

/// The layers that an entry accepts as failing.
pub(super) fn failing(entry: &Entry) -> Vec<String> {
    entry.layers.iter().filter(|(_, b)| **b == Some(LayerBase::Fail)).map(|(l, _)| l.name().to_owned()).collect()
}

fn trail(lines: &[Line], baseline: &Baseline, id: &QuestionId, entry: &Entry) -> Rate {
    let fails = failing(entry);
    let mut runs = BTreeSet::new();
    let mut total = Rate::default();
    for line in lines.iter().rev().filter(|l| l.kind == Kind::Accept) {
        let Some(seen) = line.questions.get(id.as_str()) else { continue };
        if Some(&line.measure) != baseline.measure.as_ref() || seen.e != entry.expects || seen.f != fails {
            break;
        }
        // A question that failed in other layers in some of its runs: how often it came out as accepted is not known.
        let as_accepted = match (fails.is_empty() || entry.flaky, seen.k) {
            (true, k) => k,
            (false, 0) => seen.n,
            (false, _) => break,
        };
        if runs.insert(&line.run) {
            total = Rate::new(total.hits + as_accepted, total.n + seen.n);
        }
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::tests::accepted;
    use crate::problem::Source;
    use std::sync::Arc;

    fn baseline(more: &str) -> Baseline {
        let text = format!(
            "[baseline]\nversion = 1\nmeasure = \"m\"\n\n# Q?\n[question.\"q1\"]\nexpects = \"e1\"\nfacts = \"pass\"\n{more}"
        );
        Baseline::parse(&Arc::new(Source { path: "b.toml".into(), text })).unwrap()
    }

    fn rate(lines: &[Line], more: &str) -> Option<(u64, u64)> {
        known(lines, &baseline(more)).values().next().map(|r| (r.hits, r.n))
    }

    #[test]
    fn accepted_runs_add_up() {
        let lines = [accepted("1", 5, 5), accepted("2", 4, 5), accepted("3", 10, 10)];
        assert_eq!(rate(&lines, "runs = 10\n"), Some((19, 20)));
        // Twice accepted is once run.
        let twice = [accepted("1", 5, 5), Line { who: None, ..accepted("1", 5, 5) }];
        assert_eq!(rate(&twice, ""), Some((5, 5)));
        // No more than the baseline knows.
        assert_eq!(rate(&lines[..1], "runs = 5\n"), None);
    }

    #[test]
    fn what_is_no_longer_the_same_question_ends_it() {
        let mut edited = accepted("2", 0, 50);
        edited.questions.get_mut("q1").unwrap().e = "e0".into();
        let mut failed = accepted("2", 0, 50);
        failed.questions.get_mut("q1").unwrap().f = vec!["facts".into()];
        let other_rules = Line { measure: "m0".into(), ..accepted("2", 0, 50) };
        let only_run = Line { kind: Kind::Run, ..accepted("4", 0, 50) };
        for break_ in [edited, failed, other_rules] {
            let lines = [accepted("1", 0, 50), break_, accepted("3", 9, 9), only_run.clone()];
            assert_eq!(rate(&lines, ""), Some((9, 9)));
        }
    }

    #[test]
    fn a_floor_stays_and_a_flaky_question_without_one_is_known() {
        let lines = [accepted("1", 3, 5), accepted("2", 4, 5)];
        let flaky = "reason = \"r\"\nstability = \"flaky\"\n";
        assert_eq!(rate(&lines, flaky), Some((7, 10)));
        assert_eq!(rate(&lines, &format!("{flaky}floor = \"1/2\"\n")), None);
    }

    #[test]
    fn of_an_accepted_failure_the_fails_came_out_as_accepted() {
        let fails = |run, k| {
            let mut line = accepted(run, k, 5);
            line.questions.get_mut("q1").unwrap().f = vec!["facts".into()];
            line
        };
        let known = |lines: &[Line]| {
            let text = "[baseline]\nversion = 1\nmeasure = \"m\"\n\n# Q?\n[question.\"q1\"]\nexpects = \"e1\"\nfacts = \"fail\"\nreason = \"r\"\n";
            let baseline = Baseline::parse(&Arc::new(Source { path: "b.toml".into(), text: text.into() })).unwrap();
            super::known(lines, &baseline).values().next().map(|r| (r.hits, r.n))
        };
        assert_eq!(known(&[fails("1", 0), fails("2", 0)]), Some((10, 10)));
        assert_eq!(known(&[fails("1", 0), fails("2", 1)]), None);
    }
}
