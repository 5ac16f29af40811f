//! What the gate says of its own error: how often it blocks a build in which nothing changed.

use super::primary;
use crate::baseline::Entry;
use crate::confirm::{self, EVERY, GOAL, Level};
use crate::core::QuestionReport;
use crate::core::machine::tests;
use crate::core::plan::{BaselinePlan, Plan};
use crate::report::cut;
use crate::stats::Rate;

/// One sentence, where answers may vary from run to run; none where nothing is compared or all answers are on file.
pub(super) fn stated(plan: &Plan) -> Option<String> {
    let varies = |s: &&crate::core::plan::SuitePlan| {
        s.target.asked_anew && matches!(s.baseline, BaselinePlan::Present { .. }) && s.selected.contains(&true)
    };
    let suites: Vec<_> = plan.suites.iter().filter(varies).collect();
    if suites.is_empty() {
        return None;
    }
    if !plan.confirm {
        return Some("One run decides, so what comes out otherwise by chance is taken for a change.".to_owned());
    }
    let level = Level::of(tests(plan)).up_to(plan.spend.most);
    // Beside a control arm every question is tested; else what is known of it must be enough.
    let alone = suites.iter().filter(|s| s.beside.is_none());
    let untested = alone.flat_map(|s| match &s.baseline {
        BaselinePlan::Present { baseline, .. } => {
            baseline.entries.iter().filter_map(|(id, e)| Some((e, s.known(id, e)?))).collect::<Vec<_>>()
        }
        BaselinePlan::Missing(_) | BaselinePlan::NotUsed => Vec::new(),
    });
    // Of a flaky question only the layers that came out alike can block otherwise than below its floor.
    let seen = |e: &Entry| Rate::new(e.seen().passes.into(), e.seen().runs.into());
    let uncovered: Vec<f64> = untested
        .filter(|(e, _)| !e.quarantined)
        .filter_map(|(e, known)| confirm::is_covered(if e.flaky { seen(e) } else { known }, level).err())
        .collect();
    Some(sentence(&uncovered, every(plan), plan.thresholds.primary.value.is_empty()))
}

/// So many fresh runs that all come out otherwise are a change whatever is known.
fn every(plan: &Plan) -> u32 {
    EVERY.min(plan.spend.most)
}

/// Above this share of builds a bound says nothing that could be used.
const TELLING: f64 = 0.2;

/// The sentence: of single questions, of layers, and the chances, each at its greatest, of those that are known from too few runs.
fn sentence(uncovered: &[f64], every: u32, no_layers: bool) -> String {
    let layers = if no_layers { 0.0 } else { primary::LEVEL };
    let more: f64 = uncovered.iter().sum();
    let one_in = |share: f64| (1.0 / share).floor();
    let parts = |more: f64| {
        let mut said = vec![format!("{GOAL} for single questions")];
        said.extend((!no_layers).then(|| format!("{layers} for whole layers")));
        said.extend((more > 0.0).then(|| format!("{more:.3} for {} known from few runs", cut::count(uncovered.len()))));
        said.join(", ")
    };
    let bound = |more: f64| {
        let total = GOAL + layers + more;
        format!("If nothing changed, about 1 build in {} at most is blocked by chance ({})", one_in(total), parts(more))
    };
    if more <= TELLING {
        return format!("{}.", bound(more));
    }
    format!(
        "{}, by what was accepted after enough runs; {} were run too seldom, and one of these blocks where all of {every} runs asked \
         anew come out otherwise.",
        bound(0.0),
        cut::count(uncovered.len())
    )
}

/// What was asked anew and what came of it; none where nothing was.
pub(super) fn asked_anew(reports: &[QuestionReport]) -> Option<String> {
    let runs = |r: &QuestionReport| {
        r.repeats.and_then(|r| r.fresh).map(|f| (f, r.repeats.and_then(|r| r.base).unwrap_or_default()))
    };
    let all: Vec<_> = reports.iter().filter_map(|r| Some((r, runs(r)?))).collect();
    let calls: u64 = all.iter().map(|(_, (fresh, base))| fresh.n + base.n).sum();
    let quiet = all.iter().filter(|(r, _)| !r.change.is_open(true) && r.change != crate::core::Change::Fixed).count();
    let one = |n: usize| if n == 1 { "question" } else { "questions" };
    (!all.is_empty()).then(|| {
        format!(
            "Asked anew: {} {}, {} runs; {} came out otherwise by chance.",
            cut::count(all.len()),
            one(all.len()),
            cut::count(usize::try_from(calls).unwrap_or(usize::MAX)),
            cut::count(quiet)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::sentence;

    #[test]
    fn the_sentence_says_how_it_is_reached() {
        let of = |uncovered: &[f64], no_layers| sentence(uncovered, 10, no_layers);
        assert!(of(&[], false).contains(
            "1 build in 66 at most is blocked by chance (0.01 for single questions, 0.005 for whole layers)."
        ));
        assert!(of(&[], true).contains("1 build in 100 at most is blocked by chance (0.01 for single questions)."));
        // Twenty questions of five known runs: 20 (5/15)^5 (10/15)^10 = .0014.
        assert!(
            of(&[7.136e-5; 20], false).contains("1 build in 60 at most")
                && of(&[7.136e-5; 20], false).contains("0.001 for 20 known")
        );
        // Of one run the bound would say nothing.
        let few = of(&[0.035; 22], false);
        assert!(few.contains("1 build in 66") && few.contains("22 were run too seldom"), "{few}");
    }
}
