//! The record of a run, as `ragline accept` reads it: what was run, what came of it, and the answers.

use crate::baseline::stability::{Seen, Stability};
use crate::baseline::{Baseline, Entry};
use crate::core::Change;
use crate::core::event::{Event, Reporter};
use crate::core::machine::{Finished, base_of_outcome};
use crate::core::plan::{BaselinePlan, Plan, Shard, Unasked};
use crate::drive::shard::record::ShardRecord;
use crate::gate::refusals::Refusals;
use crate::harness::shown::{self, Shown};
use crate::layer::{LayerMap, Outcome};
use crate::problem::{Place, Problem, Problems, read_source};
use crate::report::results::{self, ResultLine, Results};
use crate::suite::config::Project;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// `run.json` of a run folder.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// 1.
    pub version: u32,
    /// `run`.
    pub kind: String,
    /// The run's id.
    pub id: String,
    /// True when the run was ended from outside before every question was answered: it can be resumed, not accepted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// True when something would have blocked and only advised, or could have: the policy advises, whole or in part.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub advisory: bool,
    /// What the whole is, where the run is one shard of it: it decides nothing, and cannot be accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardRecord>,
    /// The suites.
    pub suites: Vec<SuiteRecord>,
    /// What each test of the harness shows.
    pub tests: Vec<Shown>,
}

/// One suite of a run.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SuiteRecord {
    /// Its name.
    pub suite: String,
    /// What was asked.
    pub target: String,
    /// The identity of what was tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
    /// The rules and packs.
    pub measure: String,
    /// The target that has a baseline of its own, where it is not the suite's usual one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_target: Option<String>,
    /// True when selectors left questions of the suite out.
    pub partial: bool,
    /// Why questions of the suite were not asked, where some were not: then nothing of the run can be accepted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_asked: Option<String>,
    /// Refusals in both directions, where there is something to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refusals: Option<Refusals>,
    /// The digest of what each question of the run expected.
    pub expects: BTreeMap<String, String>,
}

/// Writes the results, the record and, where a suite has no baseline yet, a proposed one. A shard proposes nothing. The
/// run is the project's last one then.
///
/// # Errors
/// When a file cannot be written.
pub fn write(
    folder: &Path,
    project: &Project,
    plan: &Plan,
    finished: &Finished,
    shard: Option<&ShardRecord>,
) -> io::Result<()> {
    write_to(folder, plan, finished, shard)?;
    // The last word, so that `latest` never names a run that is not whole.
    let latest = project.root.join(".ragline").join("runs").join("latest");
    crate::report::file::write(&latest, format!("{}\n", plan.id).as_bytes())
}

/// The same for a run that is kept elsewhere than the project keeps its runs.
///
/// # Errors
/// When a file cannot be written.
pub fn write_to(folder: &Path, plan: &Plan, finished: &Finished, shard: Option<&ShardRecord>) -> io::Result<()> {
    let mut results = Results::new();
    emit(finished, &mut results)?;
    results.write_to(&folder.join("results.jsonl"))?;
    let record = Record {
        version: 1,
        kind: "run".into(),
        id: plan.id.clone(),
        interrupted: finished.interrupted,
        advisory: plan.thresholds.modes.advise(),
        shard: shard.cloned(),
        suites: plan
            .suites
            .iter()
            .map(|s| SuiteRecord {
                suite: s.suite.name.to_string(),
                target: s.target.name.clone(),
                subject: s.target.subject.clone(),
                measure: s.measure.clone(),
                partial: s.is_partial(),
                refusals: finished.decision.suites.iter().find(|d| d.suite == s.suite.name).and_then(|d| d.refusals),
                not_asked: s.unasked.as_ref().map(Unasked::why),
                other_target: plan.other_target.clone().filter(|t| *t != usual_target(&s.suite)),
                expects: s
                    .suite
                    .questions
                    .iter()
                    .zip(&s.expects)
                    .enumerate()
                    .filter(|(i, _)| s.is_asked(*i))
                    .map(|(_, (q, e))| (q.id.to_string(), e.clone()))
                    .collect(),
            })
            .collect(),
        tests: shown::for_record(finished),
    };
    let mut json = serde_json::to_vec(&record)?;
    json.push(b'\n');
    crate::report::file::write(&folder.join("run.json"), &json)?;
    for suite in &plan.suites {
        if shard.is_none() && matches!(suite.baseline, BaselinePlan::Missing(_)) {
            let text = proposal(finished, &suite.suite.name, suite).to_toml();
            let path = folder.join("proposed").join(format!("{}.baseline.toml", suite.suite.name));
            crate::report::file::write(&path, text.as_bytes())?;
        }
    }
    Ok(())
}

/// How many runs are kept: the newest. Shards are counted apart, and twice as many as one run has are kept at least:
/// those of a run must not push each other out before they are put together.
const KEPT: usize = 20;

/// Removes the oldest runs, so that a folder that nobody looks into does not grow for ever. What has another name than a
/// run is left alone; what cannot be removed stays.
pub fn forget_old(runs: &Path) {
    let (shards, whole): (Vec<String>, Vec<String>) = names(runs).into_iter().partition(|n| shards_of(n).is_some());
    let most = shards.iter().filter_map(|n| shards_of(n)).max().unwrap_or(0).saturating_mul(2);
    for (names, kept) in [(whole, KEPT), (shards, most.max(KEPT))] {
        for name in names.iter().take(names.len().saturating_sub(kept)) {
            let _ = std::fs::remove_dir_all(runs.join(name));
        }
    }
}

/// The name of the folder of a run: the moment in which it began, and where it is a shard, which of how many.
pub fn folder_name(began: &str, shard: Option<Shard>) -> String {
    shard.map_or_else(|| began.to_owned(), |s| format!("{began}-{}of{}", s.index, s.of))
}

/// Of how many shards the run of this name is one.
fn shards_of(name: &str) -> Option<usize> {
    let (_, tail) = name.rsplit_once('-')?;
    let (index, of) = tail.split_once("of")?;
    index.parse::<u32>().ok().and_then(|_| of.parse().ok())
}

/// The folder of the newest run that did not come to its end: it was killed, or ended from outside.
pub fn newest_unfinished(runs: &Path) -> Option<PathBuf> {
    names(runs).iter().rev().map(|name| runs.join(name)).find(|folder| is_unfinished(folder))
}

/// Whether a run did not come to its end. What has no journal is no run.
pub fn is_unfinished(folder: &Path) -> bool {
    #[derive(Deserialize)]
    struct Ended {
        #[serde(default)]
        interrupted: bool,
    }
    if !folder.join("journal.jsonl").is_file() {
        return false;
    }
    match std::fs::read(folder.join("run.json")) {
        // The record is written whole or not at all; one that cannot be read is for others to complain of.
        Ok(bytes) => serde_json::from_slice(&bytes).is_ok_and(|Ended { interrupted }| interrupted),
        Err(e) => e.kind() == io::ErrorKind::NotFound,
    }
}

/// The names of the runs in a folder, the oldest first.
fn names(runs: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(runs) else { return Vec::new() };
    let is_run = |name: &str| {
        let parts: Vec<&str> = name.split('-').collect();
        let hex = |part: &str, digits| part.len() == digits && part.bytes().all(|b| b.is_ascii_hexdigit());
        match parts.as_slice() {
            [day, time, tail] => hex(day, 8) && hex(time, 6) && hex(tail, 5),
            [day, time, tail, _] => hex(day, 8) && hex(time, 6) && hex(tail, 5) && shards_of(name).is_some(),
            _ => false,
        }
    };
    let mut names: Vec<String> =
        entries.filter_map(|e| e.ok()?.file_name().into_string().ok()).filter(|name| is_run(name)).collect();
    names.sort_unstable();
    names
}

/// The folders of the runs of a project that came to their end, the oldest first.
pub fn finished(root: &Path) -> Vec<PathBuf> {
    let runs = root.join(".ragline").join("runs");
    names(&runs)
        .iter()
        .map(|name| runs.join(name))
        .filter(|f| f.join("run.json").is_file() && !is_unfinished(f))
        .collect()
}

/// The target that a suite is asked with when the command names none.
pub fn usual_target(suite: &crate::suite::Suite) -> &str {
    suite.target.as_deref().unwrap_or("builtin")
}

/// Sends the events of a finished run to a reporter.
///
/// # Errors
/// The reporter's.
pub fn emit(finished: &Finished, reporter: &mut dyn Reporter) -> io::Result<()> {
    reporter.event(Event::Started(&finished.header))?;
    for report in &finished.reports {
        reporter.event(Event::Question(report))?;
    }
    reporter.event(Event::Decided(&finished.decision))
}

/// The baseline that this run would give if all of it were accepted; failures carry a reason that asks for a better one.
fn proposal(finished: &Finished, name: &str, suite: &crate::core::plan::SuitePlan) -> Baseline {
    let mut baseline = Baseline { measure: Some(suite.measure.clone()), ..Baseline::default() };
    let expects: BTreeMap<&str, &String> =
        suite.suite.questions.iter().map(|q| q.id.as_str()).zip(&suite.expects).collect();
    for r in finished.reports.iter().filter(|r| *r.suite == *name) {
        let counts = !matches!(r.change, Change::Draft | Change::Observed | Change::NotAsked)
            && r.outcome != Outcome::Unmeasured;
        if let (true, Some(expects)) = (counts, expects.get(r.id.as_str())) {
            let mut layers = LayerMap::from_fn(|l| base_of_outcome(r.layers[l].result.outcome));
            let seen = r.repeats.map(|r| Seen { first: Some(r.first), fresh: r.fresh, layers: r.layers });
            let stability = Stability::of(seen.unwrap_or_default(), &mut layers);
            let entry = Entry {
                question: r.question.clone(),
                expects: (*expects).clone(),
                layers,
                reason: None,
                // Who looks after it stands in the suite; the baseline names somebody only where a person says so.
                owner: None,
                issue: None,
                until: None,
                flaky: stability.floor.is_some(),
                quarantined: false,
                floor: stability.floor,
                runs: stability.runs,
                place: Place::default(),
            };
            let reason = entry.fails().then(|| "say why this failure is accepted".to_owned());
            baseline.entries.insert(r.id.clone(), Entry { reason, ..entry });
        }
    }
    baseline
}

/// A run folder that has been read.
#[derive(Debug)]
pub struct Run {
    /// Its folder.
    pub folder: PathBuf,
    /// What was run.
    pub record: Record,
    /// What came of it.
    pub results: Vec<ResultLine>,
}

impl Run {
    /// Whether the run decided.
    ///
    /// # Errors
    /// That it is one shard of several.
    pub fn is_whole(&self) -> Result<(), Problem> {
        let Some(shard) = &self.record.shard else { return Ok(()) };
        let what = format!("the run {} is shard {} of {}, and decides nothing", self.record.id, shard.index, shard.of);
        Err(Problem::error("run-shard", Place::default(), what)
            .help("put all shards together first: `ragline merge RUN…`, and take the run that it makes"))
    }

    /// What was run of a suite.
    pub fn of(&self, suite: &str) -> Option<&SuiteRecord> {
        self.record.suites.iter().find(|s| s.suite == suite)
    }
}

/// Reads a run: the given folder, or the project's last one.
///
/// # Errors
/// When there is none, or it is not whole.
pub fn read(root: &Path, folder: Option<&Path>) -> Result<Run, Problems> {
    let runs = root.join(".ragline").join("runs");
    let folder = match folder {
        Some(f) => f.to_owned(),
        None => {
            let latest = std::fs::read_to_string(runs.join("latest")).map_err(|_| {
                Problem::error("no-run", Place::default(), "there is no run yet")
                    .help("run the suite first: `ragline run`")
            })?;
            runs.join(latest.trim())
        }
    };
    let shown = |name: &str| crate::problem::shown_path(&folder.join(name), root);
    let record = read_source(&folder.join("run.json"), &shown("run.json"))?;
    let record: Record = serde_json::from_str(&record.text).map_err(|e| {
        let place = Place { file: shown("run.json").into(), line: 1, column: 0 };
        Problem::error("run-unreadable", place, format!("not the record of a run: {e}"))
    })?;
    if record.version != 1 || record.kind != "run" {
        let what = format!("version {} of kind `{}` is not known here", record.version, record.kind);
        return Err(Problem::error("run-unreadable", Place::file(&shown("run.json")), what).into());
    }
    let results = results::read(&folder.join("results.jsonl"), &shown("results.jsonl"))?;
    Ok(Run { folder, record, results })
}

/// What each test of a finished run shows.
///
/// # Errors
/// When there is no such run, or it is not whole.
pub fn read_shown(root: &Path, folder: &Path) -> Result<Vec<Shown>, Problems> {
    let run = read(root, Some(folder))?;
    run.is_whole()?;
    Ok(run.record.tests)
}

#[derive(Deserialize)]
struct JournalLine<'a> {
    suite: std::borrow::Cow<'a, str>,
    id: std::borrow::Cow<'a, str>,
    #[serde(default)]
    repeat: u32,
    /// The line is one of the control arm.
    #[serde(default)]
    beside: bool,
    #[serde(borrow)]
    response: Option<&'a RawValue>,
    #[serde(borrow, default)]
    failed: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow, default)]
    missing: Option<std::borrow::Cow<'a, str>>,
    #[serde(default)]
    ms: Option<u64>,
    #[serde(default)]
    attempts: Option<Vec<serde::de::IgnoredAny>>,
}

/// Hands each response to a question's first run in a run's journal to `take`, with its suite and id.
///
/// # Errors
/// When the journal cannot be read. A last line that is not whole (the run was killed) is passed over.
pub fn responses(folder: &Path, mut take: impl FnMut(&str, &str, &str)) -> io::Result<()> {
    runs(folder, |suite, id, repeat, response| {
        if repeat == 0 {
            take(suite, id, response);
        }
    })
}

/// Hands the response to each run of each question in a run's journal to `take`, with its suite, id and repeat. Those of a
/// control arm are left out: another system gave them.
///
/// # Errors
/// As for [`responses`].
pub fn runs(folder: &Path, mut take: impl FnMut(&str, &str, u32, &str)) -> io::Result<()> {
    journal(folder, |l| {
        if let Some(response) = l.response {
            take(&l.suite, &l.id, l.repeat, response.get());
        }
    })
}

/// Hands the reply to each question's first run in a run's journal to `take`, with its suite and id: the response, or why there is none.
///
/// # Errors
/// As for [`responses`].
pub fn replies(folder: &Path, mut take: impl FnMut(&str, &str, Option<&str>, Option<&str>)) -> io::Result<()> {
    journal(folder, |l| {
        if l.repeat == 0 {
            take(&l.suite, &l.id, l.response.map(RawValue::get), l.failed.as_deref().or(l.missing.as_deref()));
        }
    })
}

/// Hands the time of each reply of a run's journal to `take`, in milliseconds, with its suite and id.
///
/// # Errors
/// As for [`responses`].
pub fn times(folder: &Path, mut take: impl FnMut(&str, &str, u64)) -> io::Result<()> {
    journal(folder, |l| {
        if let Some(ms) = l.ms {
            take(&l.suite, &l.id, ms);
        }
    })
}

/// Hands the number of attempts of each reply of a run's journal to `take`, with its suite and id.
///
/// # Errors
/// As for [`responses`].
pub fn attempts(folder: &Path, mut take: impl FnMut(&str, &str, usize)) -> io::Result<()> {
    journal(folder, |l| {
        if let Some(attempts) = &l.attempts {
            take(&l.suite, &l.id, attempts.len());
        }
    })
}

fn journal(folder: &Path, mut take: impl FnMut(JournalLine<'_>)) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 16, File::open(folder.join("journal.jsonl"))?);
    let mut line = Vec::new();
    while {
        line.clear();
        reader.read_until(b'\n', &mut line)?
    } > 0
    {
        if let Ok(l) = serde_json::from_slice::<JournalLine<'_>>(&line)
            && !l.beside
        {
            take(l);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{KEPT, folder_name, forget_old};
    use crate::core::plan::Shard;

    fn shard(index: u32, of: u32) -> Option<Shard> {
        Some(Shard { index, of, questions: 1, all: 100 })
    }

    #[test]
    fn only_the_oldest_runs_are_forgotten() {
        let dir = tempfile::tempdir().unwrap();
        for i in 0..KEPT + 3 {
            std::fs::create_dir(dir.path().join(format!("20261130-0615{i:02}-0abcd"))).unwrap();
        }
        std::fs::create_dir(dir.path().join("mine")).unwrap();
        forget_old(dir.path());
        // Forty-five shards of one run are all kept; of one that had two, only the newest.
        for i in 1..=45 {
            std::fs::create_dir(dir.path().join(folder_name(&format!("20261130-071500-{i:05}"), shard(i, 45))))
                .unwrap();
        }
        forget_old(dir.path());
        assert!(dir.path().join("20261130-071500-00001-1of45").is_dir());
        for i in 1..=45 {
            std::fs::remove_dir(dir.path().join(format!("20261130-071500-{i:05}-{i}of45"))).unwrap();
        }
        let left = std::fs::read_dir(dir.path()).unwrap().count();
        assert_eq!(left, KEPT + 1);
        assert!(
            !dir.path().join("20261130-061502-0abcd").exists() && dir.path().join("20261130-061503-0abcd").exists()
        );
        assert!(dir.path().join("mine").exists());
    }
}
