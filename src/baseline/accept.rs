//! `ragline accept`: writes named outcomes into the baseline. A function of what is known; the command does the reading
//! and the writing.

use super::file::{Baseline, Entry, Floor, LayerBase};
use super::stability::{Seen, Stability};
use crate::core::Change;
use crate::layer::{LayerId, LayerMap};
use crate::problem::{Place, Problem, Problems};
use crate::report::results::ResultLine;
use crate::suite::{Question, QuestionId, Suite};
use jiff::civil::Date;
use std::collections::{BTreeMap, BTreeSet};

/// How outcomes are accepted.
#[derive(Debug, Clone, Default)]
pub struct How {
    /// Only questions with one of these changes.
    pub only: Vec<Change>,
    /// Questions to take out; those that the suite still holds stay.
    pub removed: BTreeSet<QuestionId>,
    /// Why failures are accepted.
    pub reason: Option<String>,
    /// Until when.
    pub until: Option<Date>,
    /// Who looks after them.
    pub owner: Option<String>,
    /// Where they are tracked.
    pub issue: Option<String>,
    /// The question is known to pass at some times and fail at others, with its floor.
    pub flaky: Option<Option<Floor>>,
    /// Whatever becomes of the question blocks nothing until the last day.
    pub quarantine: bool,
}

/// What a run says of one suite.
#[derive(Debug, Clone, Copy)]
pub struct SuiteRun<'a> {
    /// The rules under which it was measured.
    pub measure: &'a str,
    /// What each question expected.
    pub expects: &'a BTreeMap<String, String>,
    /// The results of this suite.
    pub results: &'a [&'a ResultLine],
}

/// What was accepted.
#[derive(Debug)]
pub struct Accepted {
    /// The new baseline.
    pub baseline: Baseline,
    /// Questions whose block is new, each with its former and new outcomes in short.
    pub written: Vec<(QuestionId, String)>,
    /// Every question that was accepted, those with the outcome that stood there already included: their answers are
    /// the accepted ones from now on.
    pub accepted: BTreeSet<QuestionId>,
    /// Questions taken out.
    pub removed: Vec<QuestionId>,
}

/// Writes the outcomes of the selected questions over a baseline (none: the first one).
///
/// # Errors
/// Nothing is accepted when something of it cannot be: a question was not measured, was edited since the run, fails and
/// has no reason; or the rules changed and not every question that they touch is selected.
pub fn accept(
    old: Option<&Baseline>,
    suite: &Suite,
    today: &dyn Fn(&Question) -> String,
    measure_now: &str,
    run: SuiteRun<'_>,
    selected: &dyn Fn(&str) -> bool,
    how: &How,
) -> Result<Accepted, Problems> {
    let mut baseline = old.cloned().unwrap_or_default();
    let mut problems = Problems::default();
    if run.measure != measure_now {
        problems.0.push(
            problem("run-outdated", "the run was measured by another version of the rules than this program's".into())
                .help("run again, then accept"),
        );
        return Err(problems);
    }
    let questions: BTreeMap<&str, &Question> =
        suite.questions.iter().filter(|q| !q.draft).map(|q| (q.id.as_str(), q)).collect();
    let mut written = Vec::new();
    let mut done = BTreeSet::new();
    let wanted = |line: &ResultLine| {
        let nothing = matches!(line.change, Change::Draft | Change::Observed | Change::Removed | Change::NotAsked);
        selected(&line.id) && (how.only.is_empty() || how.only.contains(&line.change)) && !nothing
    };
    let of_suite = |line: &&&ResultLine| questions.get(line.id.as_str()).copied();
    let chosen: Vec<(&ResultLine, &Question)> =
        run.results.iter().filter(|l| wanted(l)).filter_map(|l| Some((*l, of_suite(&l)?))).collect();
    if let Some(p) = other_suite(suite, today, run, chosen.iter().map(|(_, q)| *q), old.is_none()) {
        problems.0.push(p);
        return Err(problems);
    }
    for (line, question) in chosen {
        match entry(&baseline, question, line, &today(question), how) {
            Ok(e) => {
                let was = baseline.entries.get(&question.id);
                let text = described(was, &e);
                if was.is_none_or(|w| !w.says_what(&e)) {
                    written.push((question.id.clone(), text));
                }
                done.insert(question.id.clone());
                baseline.entries.insert(question.id.clone(), e);
            }
            Err(p) => problems.0.push(p),
        }
    }
    let measure_changes = old.is_some_and(|b| b.measure.as_deref() != Some(measure_now));
    if measure_changes && problems.0.is_empty() {
        problems.0.extend(untouched(&baseline, &done, run, how, &questions));
    }
    let gone = |id: &QuestionId| how.removed.contains(id) && !questions.contains_key(id.as_str());
    let removed: Vec<QuestionId> = baseline.entries.keys().filter(|id| gone(id)).cloned().collect();
    for id in &removed {
        baseline.entries.remove(id);
    }
    if !problems.0.is_empty() {
        return Err(problems);
    }
    if !done.is_empty() || old.is_none() {
        baseline.measure = Some(measure_now.to_owned());
    }
    Ok(Accepted { baseline, written, accepted: done, removed })
}

fn problem(code: &'static str, title: String) -> Problem {
    Problem::error(code, Place::default(), title)
}

/// `q1, q2 and 3 more`
fn listed(ids: &[&str]) -> String {
    const SHOWN: usize = 5;
    let shown = ids.iter().take(SHOWN).copied().collect::<Vec<_>>().join(", ");
    match ids.len().saturating_sub(SHOWN) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// That the run was made from another state of the suite: what is accepted expects something else by now, or the first
/// baseline, which speaks for the whole suite, would be that of another suite.
fn other_suite<'q>(
    suite: &'q Suite,
    today: &dyn Fn(&Question) -> String,
    run: SuiteRun<'q>,
    chosen: impl Iterator<Item = &'q Question>,
    first: bool,
) -> Option<Problem> {
    let is_edited = |q: &&Question| run.expects.get(q.id.as_str()).is_none_or(|e| *e != today(q));
    let edited: Vec<&'q Question> = chosen.filter(is_edited).collect();
    let (mut new, mut gone): (Vec<&str>, Vec<&str>) = Default::default();
    if first {
        let here: BTreeSet<&str> = suite.questions.iter().map(|q| q.id.as_str()).collect();
        let asked = suite.questions.iter().filter(|q| !q.draft).map(|q| q.id.as_str());
        new = asked.filter(|id| !run.expects.contains_key(*id)).collect();
        gone = run.expects.keys().map(String::as_str).filter(|id| !here.contains(id)).collect();
    }
    if let ([one], [], []) = (edited.as_slice(), new.as_slice(), gone.as_slice()) {
        let what = format!("`{}` was edited since the run", one.id);
        return Some(Problem::error("run-outdated", one.place.clone(), what).help("run again, then accept"));
    }
    let edited: Vec<&str> = edited.iter().map(|q| q.id.as_str()).collect();
    let parts = [(&edited, "edited since"), (&new, "not in the run"), (&gone, "no more in the suite")];
    let said: Vec<String> = parts
        .into_iter()
        .filter(|(ids, _)| !ids.is_empty())
        .map(|(ids, what)| format!("{} {what} ({})", ids.len(), listed(ids)))
        .collect();
    if said.is_empty() {
        return None;
    }
    let what = format!("the run was made from another state of the suite `{}`: {}", suite.name, said.join(", "));
    let help =
        "check out the commit that was measured (`git switch --detach COMMIT`) and accept there, or run again here";
    Some(Problem::error("run-outdated", Place::file(&suite.shown), what).help(help))
}

fn entry(
    baseline: &Baseline,
    question: &Question,
    line: &ResultLine,
    expects_now: &str,
    how: &How,
) -> Result<Entry, Problem> {
    let at = |code, title: String| Problem::error(code, question.place.clone(), title);
    let id = &question.id;
    let mut layers = LayerMap::<Option<LayerBase>>::default();
    for (layer, outcome) in &line.layers {
        layers[*layer] = match outcome.as_str() {
            "pass" => Some(LayerBase::Pass),
            "fail" => Some(LayerBase::Fail),
            "skipped" => Some(LayerBase::Skipped),
            _ => {
                let what = format!("`{id}` was not measured in layer {layer}, so there is nothing to accept");
                return Err(at("not-measured", what).help("mend what kept it from being measured, or leave it out"));
            }
        };
    }
    let seen = Seen { first: line.first, fresh: line.fresh, layers: line.runs };
    let stability = Stability::of(seen, &mut layers);
    let old = baseline.entries.get(id);
    let any_fails = |layers: &LayerMap<_>| layers.0.contains(&Some(LayerBase::Fail));
    let failed = any_fails(&layers);
    let tolerated = how.flaky.is_some() || how.quarantine;
    if (failed || how.flaky.is_some()) && stability.floor.is_none() {
        still_mixed(old.filter(|o| o.flaky && o.expects == expects_now), &mut layers);
    }
    if how.quarantine {
        // A share of runs stands at a flaky question only.
        for base in layers.0.iter_mut().flatten().filter(|b| matches!(b, LayerBase::Mixed(_))) {
            *base = LayerBase::Fail;
        }
    }
    let fails = any_fails(&layers);
    let keeps = old.filter(|_| failed || tolerated);
    let reason = how.reason.clone().filter(|_| failed || tolerated).or(keeps.and_then(|o| o.reason.clone()));
    if fails && reason.is_none() {
        return Err(at("reason-missing", format!("`{id}` fails, and a failure is accepted for a reason"))
            .help("add --reason \"…\": the next reader of the baseline will want to know"));
    }
    if how.quarantine && reason.is_none() {
        return Err(at("reason-missing", format!("`{id}` is quarantined for a reason"))
            .help("add --reason \"…\": somebody has to let it out again"));
    }
    let flaky =
        !how.quarantine && (how.flaky.is_some() || stability.floor.is_some() || old.is_some_and(|o| o.flaky && failed));
    let same = old.filter(|o| !flaky && !o.flaky && o.layers == layers && o.expects == expects_now);
    Ok(Entry {
        question: question.text.clone(),
        expects: expects_now.to_owned(),
        layers,
        reason,
        owner: how.owner.clone().filter(|_| fails || flaky || how.quarantine).or(keeps.and_then(|o| o.owner.clone())),
        issue: how.issue.clone().filter(|_| fails || flaky || how.quarantine).or(keeps.and_then(|o| o.issue.clone())),
        until: how.until.filter(|_| fails || how.quarantine).or(keeps.and_then(|o| o.until)),
        flaky,
        quarantined: how.quarantine,
        floor: how
            .flaky
            .flatten()
            .or(stability.floor)
            .filter(|_| flaky)
            .or(old.filter(|_| flaky).and_then(|o| o.floor)),
        // What was known of the same outcome stays known.
        runs: stability.runs.max(same.and_then(|o| o.runs)).filter(|_| !flaky),
        place: Place::default(),
    })
}

/// One run says nothing new of a layer that is known to vary.
fn still_mixed(old: Option<&Entry>, layers: &mut LayerMap<Option<LayerBase>>) {
    for l in LayerId::ALL {
        let known = old.and_then(|o| o.layers[l]).filter(|b| matches!(b, LayerBase::Mixed(_)));
        if matches!(layers[l], Some(LayerBase::Pass | LayerBase::Fail)) {
            layers[l] = known.or(layers[l]);
        }
    }
}

/// `fail facts -> pass`, for the person who just accepted.
fn described(was: Option<&Entry>, now: &Entry) -> String {
    let short = |e: &Entry| {
        if let Some(until) = e.until.filter(|_| e.quarantined) {
            return format!("quarantined until {until}");
        }
        if let Some(floor) = e.floor {
            return format!("flaky, passes {} of {}", floor.passes, floor.runs);
        }
        let failing: Vec<&str> =
            e.layers.iter().filter(|(_, b)| **b == Some(LayerBase::Fail)).map(|(l, _)| l.name()).collect();
        if failing.is_empty() { "pass".to_owned() } else { format!("fail {}", failing.join(", ")) }
    };
    match was {
        Some(w) if short(w) == short(now) && w.expects == now.expects => {
            format!("{}, {}", short(now), if w.reason == now.reason { "written anew" } else { "with another reason" })
        }
        Some(w) => format!("{} -> {}", short(w), short(now)),
        None => format!("new: {}", short(now)),
    }
}

/// When the measure of the file changes, every other entry must be known to come out the same under the new one.
fn untouched(
    baseline: &Baseline,
    done: &BTreeSet<QuestionId>,
    run: SuiteRun<'_>,
    how: &How,
    questions: &BTreeMap<&str, &Question>,
) -> Vec<Problem> {
    let lines: BTreeMap<&str, &ResultLine> = run.results.iter().map(|l| (l.id.as_str(), *l)).collect();
    let mut left = Vec::new();
    for id in baseline.entries.keys().filter(|id| !done.contains(id.as_str())) {
        let gone = how.removed.contains(id) && !questions.contains_key(id.as_str());
        let same = lines.get(id.as_str()).is_some_and(|l| {
            !matches!(l.change, Change::RuleChanged | Change::Incomparable | Change::Unmeasured | Change::EvidenceStale)
        });
        if !gone && !same {
            left.push(id.as_str());
        }
    }
    if left.is_empty() {
        return Vec::new();
    }
    let what = format!(
        "the rules changed since the baseline was written, and {} of its questions would be left behind: {}",
        left.len(),
        listed(&left)
    );
    vec![
        problem("measure-changed", what)
            .help("run the whole suite and accept all of it: `ragline accept all --reason \"…\"`"),
    ]
}
