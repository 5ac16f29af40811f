//! Preparing a run: what each suite is asked with and compared with.

use super::{
    Opened, Options, Stop, baseline_stem, open, open_answers, read_baseline, select, suites_of_recording, target_name,
    thresholds, usage, with_ending,
};
use crate::core::measure;
use crate::core::plan::{BaselinePlan, Plan, SuitePlan, TargetFacts, names_of};
use crate::gate::Exit;
use crate::gate::thresholds::Thresholds;
use crate::privacy::Masker;
use crate::problem::near::or_near;
use crate::problem::{Place, Problem, Problems, shown_path};
use crate::suite::Suite;
use crate::suite::config::live::HttpConfig;
use crate::suite::config::{Project, TargetKind};
use crate::suite::corpus::Corpus;
use crate::suite::digest::expects;
use crate::suite::select::RunLookup;
use crate::target::builtin::Builtin;
use crate::target::local::Local;
use crate::target::recorded::Recorded;
use crate::target::{Environment, Surroundings, Target, command};
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A run that is ready to be driven.
pub struct Ready {
    /// The project.
    pub project: Project,
    /// What is to be done.
    pub plan: Arc<Plan>,
    /// Warnings, and notes such as recordings that nothing asks for.
    pub warnings: Problems,
    pub(super) targets: Vec<Arc<dyn Target>>,
    pub(super) accepted: Vec<Option<Arc<Recorded>>>,
    pub(super) threads: usize,
    pub(super) keep: bool,
}

impl std::fmt::Debug for Ready {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ready").field("plan", &self.plan).finish_non_exhaustive()
    }
}

/// Reads everything that a run needs. `own` stands for every suite's target where it is given. Nothing is asked and
/// nothing is written.
///
/// # Errors
/// Everything that is wrong with the files or the words of the command, each with its place.
pub fn prepare(options: &Options, own: Option<Arc<dyn Target>>, last: Option<&RunLookup<'_>>) -> Result<Ready, Stop> {
    let Opened { project, suites, mut warnings } = open(&options.folder)?;
    // Against all suites: a section of `thresholds.toml` that fits none of them would always hold.
    let thresholds = thresholds(&project, &suites)?;
    let recording = match &options.answers {
        Some(path) => {
            let shown = shown_path(path, &project.root);
            Some(Arc::new(open_answers(path, &shown)?))
        }
        None => None,
    };
    let suites = match &recording {
        Some(r) => suites_of_recording(r, suites, options)?,
        None => suites,
    };
    let selection = select(options, &project, &suites, last)?;
    if selection.count() == 0 {
        let problems = usage("nothing-selected", "nothing is selected").into();
        return Err(Stop { problems, exit: Exit::NothingSelected });
    }
    let mut cache = Cache::default();
    let everywhere = suites.iter().flat_map(|s| s.questions.iter().map(|q| q.id.to_string())).collect();
    let mut plans = Vec::new();
    let mut targets: Vec<Arc<dyn Target>> = Vec::new();
    let mut accepted = Vec::new();
    let mut problems = Problems::default();
    for (suite, selected) in suites.into_iter().zip(selection.suites) {
        if !selected.contains(&true) {
            continue;
        }
        match one_suite(
            options,
            &project,
            suite,
            selected,
            &thresholds,
            own.as_ref(),
            recording.as_ref(),
            &everywhere,
            &mut cache,
        ) {
            Ok(bound) => {
                warnings.0.extend(bound.warnings);
                plans.push(bound.plan);
                targets.push(bound.target);
                accepted.push(bound.accepted);
            }
            // Suites may share a target, and its fault is one.
            Err(more) => {
                for p in more.0 {
                    if !problems.0.iter().any(|q: &Problem| q.title == p.title && q.place == p.place) {
                        problems.0.push(p);
                    }
                }
            }
        }
    }
    if !problems.0.is_empty() {
        return Err(problems.into());
    }
    let plan = Arc::new(Plan {
        id: run_id(),
        suites: plans,
        thresholds,
        today: options.today,
        profile: options.profile.clone(),
        other_target: options.target.clone().filter(|_| options.answers.is_none()),
        repeat_args: repeat_args(options),
        mask: masker(&project)?,
    });
    let threads = options.threads.unwrap_or_else(|| fitting_threads(&plan, &targets));
    Ok(Ready { project, plan, warnings, targets, accepted, threads, keep: options.keep })
}

/// What the project takes out of answers.
fn masker(project: &Project) -> Result<Masker, Problem> {
    let place = || Place::file(crate::suite::config::FILE);
    Masker::new(&project.privacy.mask).map_err(|(_, why)| Problem::error("mask-item", place(), why))
}

/// As many threads as there are cores; one for a replay that it finishes in a moment: most of such a run is reading and
/// writing, and a second thread costs more than it saves.
fn fitting_threads(plan: &Plan, targets: &[Arc<dyn Target>]) -> usize {
    let asked: usize = plan.suites.iter().map(|s| s.selected.iter().filter(|x| **x).count()).sum();
    if asked <= SMALL_REPLAY && targets.iter().all(|t| t.is_replay()) {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// A replay of so many questions takes about a second.
const SMALL_REPLAY: usize = 20_000;

/// The words that repeat a run on other questions.
fn repeat_args(options: &Options) -> String {
    let mut words = Vec::new();
    if let Some(p) = &options.answers {
        words.push(format!("--answers {}", p.to_string_lossy()));
    }
    if let Some(t) = &options.target {
        words.push(format!("--target {t}"));
    }
    words.join(" ")
}

/// Corpora that several suites share.
#[derive(Default)]
struct Cache {
    corpora: HashMap<PathBuf, Arc<Corpus>>,
}

impl Cache {
    fn corpus(&mut self, path: &Path, root: &Path) -> Result<Arc<Corpus>, Problem> {
        if let Some(c) = self.corpora.get(path) {
            return Ok(Arc::clone(c));
        }
        let corpus = Arc::new(Corpus::load(path, &shown_path(path, root))?);
        self.corpora.insert(path.to_owned(), Arc::clone(&corpus));
        Ok(corpus)
    }
}

/// A suite with what it is asked with and compared with.
struct Bound {
    plan: SuitePlan,
    target: Arc<dyn Target>,
    accepted: Option<Arc<Recorded>>,
    warnings: Vec<Problem>,
}

#[allow(clippy::too_many_arguments)]
fn one_suite(
    options: &Options,
    project: &Project,
    suite: Suite,
    selected: Vec<bool>,
    thresholds: &Thresholds,
    own: Option<&Arc<dyn Target>>,
    recording: Option<&Arc<Recorded>>,
    everywhere: &HashSet<String>,
    cache: &mut Cache,
) -> Result<Bound, Problems> {
    let corpus = match &suite.corpus {
        Some(path) => Some(cache.corpus(path, &project.root)?),
        None => None,
    };
    let here: HashSet<String> = suite.questions.iter().map(|q| q.id.to_string()).collect();
    let (target, warning): (Arc<dyn Target>, _) = match (own, recording) {
        (Some(t), _) => (Arc::clone(t), None),
        (None, Some(r)) => (Arc::clone(r) as Arc<dyn Target>, unused(r, &suite, &here)?),
        (None, None) => match open_target(options, project, &suite, corpus.as_ref())? {
            Opening::Local(t) => (t, None),
            Opening::Recorded(r) => {
                // Other suites may read the same file.
                let warning = unused(&r, &suite, everywhere)?;
                (r, warning)
            }
        },
    };
    let stem = baseline_stem(options, project, &suite);
    let baseline = read_baseline(&stem, project, thresholds)?;
    let accepted = match &baseline {
        BaselinePlan::Present { answers: true, .. } => {
            let path = with_ending(&stem, ".accepted.jsonl");
            let shown = shown_path(&path, &project.root);
            Some(Arc::new(Recorded::open(&shown, &path, &shown, None)?))
        }
        BaselinePlan::Present { .. } | BaselinePlan::Missing(_) | BaselinePlan::NotUsed => None,
    };
    let digests = suite.questions.iter().map(|q| expects(q, suite.top_k)).collect();
    let plan = SuitePlan {
        selected,
        expects: digests,
        names: names_of(&suite.questions),
        measure: measure::of(&suite.language),
        corpus,
        target: TargetFacts {
            name: target.name().to_owned(),
            provides: target.provides(),
            subject: target.subject(),
            passages: target.passages(),
        },
        baseline,
        suite,
    };
    let mut warnings: Vec<Problem> = warning.into_iter().collect();
    if own.is_none() && recording.is_none() && options.target.is_none() && plan.suite.target.is_none() {
        warnings.extend(accepted.as_deref().and_then(|a| other_system(&plan, a)));
    }
    Ok(Bound { plan, target, accepted, warnings })
}

/// Nobody named a target, so the builtin one was asked; the accepted answers came from another system. A green of the one
/// says nothing of the other.
fn other_system(plan: &SuitePlan, accepted: &Recorded) -> Option<Problem> {
    let from = accepted.target().filter(|t| *t != plan.target.name)?;
    let what = format!("asked the builtin retriever; the accepted answers of `{}` came from {from}", plan.suite.name);
    let help = "name your system: `target:` in the suite, --target NAME, or --answers FILE";
    Some(Problem::warning("other-system", Place::file(&plan.suite.shown), what).help(help))
}

/// A target that has been opened.
enum Opening {
    Local(Arc<dyn Target>),
    Recorded(Arc<Recorded>),
}

fn open_target(
    options: &Options,
    project: &Project,
    suite: &Suite,
    corpus: Option<&Arc<Corpus>>,
) -> Result<Opening, Problems> {
    let name = target_name(options, suite);
    let Some(target) = project.targets.get(name) else {
        let near = or_near(name, project.targets.keys().map(String::as_str));
        return Err(usage("unknown-target", format!("ragline.toml has no target `{name}`{near}")).into());
    };
    let environment = Environment::of_process();
    let around = Surroundings {
        name,
        provides: target.provides,
        concurrency: target.concurrency,
        subject: None,
        environment: &environment,
        corpus,
    };
    match &target.kind {
        TargetKind::Http(config) => open_http(config, &around),
        TargetKind::Command(config) => command::open(config, &around).map(Opening::Local),
        TargetKind::Builtin(config) => {
            let Some(corpus) = corpus else {
                let what = format!("the builtin target needs a corpus, and suite `{}` names none", suite.name);
                return Err(Problem::error("no-corpus", Place::file(&suite.shown), what)
                    .help("add `corpus: FOLDER` to the suite, name another target with `target:`, or judge a file: --answers FILE")
                    .into());
            };
            let builtin = Builtin::new(Arc::clone(corpus), config, &suite.language);
            Ok(Opening::Local(Arc::new(Local::new(name, builtin, target.concurrency))))
        }
        TargetKind::Recorded { file } => {
            let shown = shown_path(file, &project.root);
            Ok(Opening::Recorded(Arc::new(Recorded::open(name, file, &shown, target.provides)?)))
        }
    }
}

#[cfg(feature = "http")]
fn open_http(config: &HttpConfig, around: &Surroundings<'_>) -> Result<Opening, Problems> {
    crate::target::http::open(config, around).map(Opening::Local)
}

#[cfg(not(feature = "http"))]
fn open_http(_config: &HttpConfig, around: &Surroundings<'_>) -> Result<Opening, Problems> {
    let what = format!("target `{}` is asked over HTTP, and this build has no `http`", around.name);
    Err(usage("no-http", what).help("build with the feature `http`").into())
}

/// Recordings that nothing asks for: often a typing error in an id. They are read here, since nobody else will.
///
/// # Errors
/// What is wrong with their lines.
fn unused(recording: &Recorded, suite: &Suite, asked: &HashSet<String>) -> Result<Option<Problem>, Problems> {
    let ids = recording.expect(&suite.name, &|id| asked.contains(id))?;
    if ids.is_empty() {
        return Ok(None);
    }
    let shown: Vec<&str> = ids.iter().take(5).map(String::as_str).collect();
    let more = if ids.len() > 5 { format!(" and {} more", ids.len() - 5) } else { String::new() };
    let what = format!("recordings that no question of `{}` asks for: {}{more}", suite.name, shown.join(", "));
    Ok(Some(Problem::warning("recording-unused", Place::file(recording.shown()), what)))
}

/// `20261130-061502-4f2a`: sorts by time; the tail keeps two runs of one second apart.
fn run_id() -> String {
    let now = jiff::Timestamp::now();
    let tail = u64::try_from(now.as_nanosecond()).unwrap_or(0) ^ u64::from(std::process::id()) << 7;
    format!("{}-{:05x}", now.strftime("%Y%m%d-%H%M%S"), tail & 0xf_ffff)
}
