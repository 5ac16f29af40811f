//! From a folder and the words of a command to a run: finds the project, reads its files, opens targets, keeps the run
//! folder.

use super::journal::Journal;
use super::{BROKEN_LINE, Driver};
use crate::baseline::Baseline;
use crate::core::machine::Finished;
use crate::core::measure;
use crate::core::plan::{BaselinePlan, Plan, SuitePlan, TargetFacts, names_of};
use crate::gate::Exit;
use crate::gate::thresholds::Thresholds;
use crate::problem::near::or_near;
use crate::problem::{Place, Problem, Problems, read_source, shown_path};
use crate::suite::Suite;
use crate::suite::config::{self, Project, TargetKind};
use crate::suite::corpus::Corpus;
use crate::suite::digest::expects;
use crate::suite::load;
use crate::suite::select::{RunLookup, Selection, Selector};
use crate::target::Target;
use crate::target::builtin::Builtin;
use crate::target::local::Local;
use crate::target::recorded::Recorded;
use jiff::civil::Date;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a run is asked for.
#[derive(Debug, Clone)]
pub struct Options {
    /// Where the project is looked for, upwards.
    pub folder: PathBuf,
    /// Which questions; none: all of the profile, or all.
    pub selectors: Vec<String>,
    /// Only these, as `suite::id`, of what the selectors select.
    pub only: Option<HashSet<String>>,
    /// Another target than the suites' own.
    pub target: Option<String>,
    /// A profile of `ragline.toml`.
    pub profile: Option<String>,
    /// A file of responses that stands for the system.
    pub answers: Option<PathBuf>,
    /// The suite of a file of responses that names none.
    pub suite: Option<String>,
    /// The day of the run.
    pub today: Date,
    /// How many threads examine answers; none: what fits the run.
    pub threads: Option<usize>,
    /// Whether a run folder is kept.
    pub keep: bool,
}

impl Options {
    /// A run of everything in a folder, on a day.
    pub fn new(folder: &Path, today: Date) -> Self {
        Options {
            folder: folder.to_owned(),
            selectors: Vec::new(),
            only: None,
            target: None,
            profile: None,
            answers: None,
            suite: None,
            today,
            threads: None,
            keep: true,
        }
    }
}

/// What `--answers` says: a file that stands for the system, or nothing where the system itself is asked.
///
/// # Errors
/// For the words that are kept for ways of answering which are not built.
pub fn answers(word: Option<&str>) -> Result<Option<PathBuf>, Problem> {
    match word {
        None | Some("live") => Ok(None),
        Some(word @ ("replay" | "fill")) => {
            Err(usage("not-yet", format!("--answers {word} is not yet supported; a FILE of responses is")))
        }
        Some(file) => Ok(Some(PathBuf::from(file))),
    }
}

/// Why there is no run.
#[derive(Debug)]
pub struct Stop {
    /// What is wrong.
    pub problems: Problems,
    /// How the command ends.
    pub exit: Exit,
}

impl From<Problems> for Stop {
    fn from(problems: Problems) -> Self {
        Stop { problems, exit: Exit::Usage }
    }
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Problems::from(problem).into()
    }
}

/// A problem of the command itself rather than of a file.
fn usage(code: &'static str, title: impl Into<String>) -> Problem {
    Problem::error(code, Place::default(), title)
}

/// A project with its suites.
#[derive(Debug)]
pub struct Opened {
    /// The project.
    pub project: Project,
    /// Its suites, by name.
    pub suites: Vec<Suite>,
    /// What a person should look at.
    pub warnings: Problems,
}

/// Finds a project and reads its suites.
///
/// # Errors
/// Everything that is wrong with its files; or that there is not one suite.
pub fn open(folder: &Path) -> Result<Opened, Stop> {
    let (project, mut warnings) = config::load(folder)?;
    let paths = load::discover(&project.root)?;
    if paths.is_empty() {
        let what = format!("no suite in {}", shown_path(&project.root.join("suites"), &project.root));
        return Err(usage("no-suite", what)
            .help("write your first questions into suites/NAME.yaml; the README shows ten lines to start from")
            .into());
    }
    let (mut suites, more) = load::load_all(&paths, &project.root)?;
    warnings.0.extend(more.0);
    suites.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(Opened { project, suites, warnings })
}

impl std::fmt::Debug for Ready {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ready").field("plan", &self.plan).finish_non_exhaustive()
    }
}

/// The names of what a run would show, known without asking anybody.
#[derive(Debug)]
pub struct Listing {
    /// `suite::id`: the selected questions.
    pub questions: Vec<String>,
    /// `suite::id`: those that stand in a baseline and not in its suite; none when questions are left out.
    pub removed: Vec<String>,
    /// The policy.
    pub thresholds: Thresholds,
}

/// Lists the questions of a run. A recording is not opened: its suites are those that its lines name, and a list that
/// needed it could not be had before it is there.
///
/// # Errors
/// Everything that is wrong with the files or the words of the command.
pub fn list(options: &Options) -> Result<Listing, Stop> {
    let Opened { project, mut suites, .. } = open(&options.folder)?;
    let thresholds = thresholds(&project, &suites)?;
    if let Some(path) = options.answers.as_ref().filter(|p| p.exists()) {
        let shown = shown_path(path, &project.root);
        suites = suites_of_recording(&Recorded::open(&shown, path, &shown, None)?, suites, options)?;
    }
    let selection = select(options, &project, &suites, None)?;
    let (mut questions, mut removed) = (Vec::new(), Vec::new());
    for (suite, selected) in suites.iter().zip(&selection.suites) {
        let chosen = suite.questions.iter().zip(selected).filter(|(_, s)| **s);
        questions.extend(chosen.map(|(q, _)| format!("{}::{}", suite.name, q.id)));
        if !selected.contains(&false)
            && let BaselinePlan::Present { baseline, .. } =
                read_baseline(&baseline_stem(options, &project, suite), &project, &thresholds)?
        {
            let here: HashSet<&str> = suite.questions.iter().map(|q| q.id.as_str()).collect();
            let gone = baseline.entries.keys().filter(|id| !here.contains(id.as_str()));
            removed.extend(gone.map(|id| format!("{}::{id}", suite.name)));
        }
    }
    Ok(Listing { questions, removed, thresholds })
}

/// A run that is ready to be driven.
pub struct Ready {
    /// The project.
    pub project: Project,
    /// What is to be done.
    pub plan: Arc<Plan>,
    /// Warnings, and notes such as recordings that nothing asks for.
    pub warnings: Problems,
    targets: Vec<Arc<dyn Target>>,
    accepted: Vec<Option<Arc<Recorded>>>,
    threads: usize,
    keep: bool,
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
            Some(Arc::new(Recorded::open(&shown, path, &shown, None)?))
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
                warnings.0.extend(bound.warning);
                plans.push(bound.plan);
                targets.push(bound.target);
                accepted.push(bound.accepted);
            }
            Err(p) => problems.0.extend(p.0),
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
    });
    let threads = options.threads.unwrap_or_else(|| fitting_threads(&plan, &targets));
    Ok(Ready { project, plan, warnings, targets, accepted, threads, keep: options.keep })
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

/// The suites that a recording speaks of.
fn suites_of_recording(recording: &Recorded, suites: Vec<Suite>, options: &Options) -> Result<Vec<Suite>, Stop> {
    let mut named = recording.suites();
    if let Some(only) = &options.suite {
        if !named.is_empty() && !named.iter().any(|n| **n == **only) {
            let what = format!("{} holds no responses for suite `{only}`", recording.shown());
            return Err(usage("suite-not-in-recording", what).into());
        }
        named = vec![only.as_str().into()];
    }
    if named.is_empty() {
        if suites.len() == 1 {
            return Ok(suites);
        }
        let what = format!("{} does not say which suite it belongs to", recording.shown());
        return Err(usage("recording-without-suite", what)
            .help("name it with --suite NAME, or in the first line: {\"version\":1,\"kind\":\"responses\",\"suite\":\"NAME\"}")
            .into());
    }
    for name in &named {
        if !suites.iter().any(|s| s.name == *name) {
            let near = or_near(name, suites.iter().map(|s| &*s.name));
            let what = format!("there is no suite `{name}`{near}");
            return Err(match &options.suite {
                Some(_) => usage("unknown-suite", what),
                None => recording.problem_of_suite("unknown-suite", name, what),
            }
            .into());
        }
    }
    Ok(suites.into_iter().filter(|s| named.contains(&s.name)).collect())
}

fn select(
    options: &Options,
    project: &Project,
    suites: &[Suite],
    last: Option<&RunLookup<'_>>,
) -> Result<Selection, Stop> {
    let profile = match &options.profile {
        Some(name) => Some(project.profiles.get(name).ok_or_else(|| {
            let near = or_near(name, project.profiles.keys().map(String::as_str));
            usage("unknown-profile", format!("ragline.toml has no profile `{name}`{near}"))
        })?),
        None => None,
    };
    let words = if options.selectors.is_empty() {
        profile.map(|p| p.select.clone()).unwrap_or_default()
    } else {
        options.selectors.clone()
    };
    let mut selectors = Vec::new();
    let mut problems = Problems::default();
    for word in &words {
        match Selector::parse(word) {
            Ok(s) => selectors.push(s),
            Err(why) => problems.0.push(usage("selector", why)),
        }
    }
    if !problems.0.is_empty() {
        return Err(problems.into());
    }
    let mut selection = Selection::new(&selectors, suites, last).map_err(|none| Stop {
        exit: if none.nothing { Exit::NothingSelected } else { Exit::Usage },
        problems: Problems(none.why.into_iter().map(|w| usage("selector", w)).collect()),
    })?;
    if let Some(only) = &options.only {
        for (suite, selected) in suites.iter().zip(&mut selection.suites) {
            for (question, selected) in suite.questions.iter().zip(selected) {
                *selected &= only.contains(&format!("{}::{}", suite.name, question.id));
            }
        }
    }
    Ok(selection)
}

/// Reads `thresholds.toml` and binds it to the suites of the project. A rule of a suite that is there and not in this run
/// is left out.
fn thresholds(project: &Project, suites: &[Suite]) -> Result<Thresholds, Problems> {
    let path = project.root.join("thresholds.toml");
    let thresholds = Thresholds::load(&path, &shown_path(&path, &project.root))?;
    let problems = thresholds.bind(suites);
    if problems.any_error() {
        return Err(problems);
    }
    Ok(thresholds)
}

/// Corpora and targets that several suites share.
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
    warning: Option<Problem>,
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
    Ok(Bound { plan, target, accepted, warning })
}

/// The name of the target that a suite is asked with: the command's, the suite's, else the builtin one.
fn target_name<'a>(options: &'a Options, suite: &'a Suite) -> &'a str {
    options.target.as_deref().or(suite.target.as_deref()).unwrap_or("builtin")
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
    match &target.kind {
        TargetKind::Builtin(config) => {
            let Some(corpus) = corpus else {
                let what = format!("the builtin target needs a corpus, and suite `{}` names none", suite.name);
                return Err(Problem::error("no-corpus", Place::file(&suite.shown), what)
                    .help("add `corpus: FOLDER` to the suite, or name another target with `target:`")
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

/// Where a suite's baseline stands, without its ending. One per suite; one more for each other target that it is run
/// against.
pub fn baseline_stem(options: &Options, project: &Project, suite: &Suite) -> PathBuf {
    let folder = suite.path.parent().unwrap_or(&project.root);
    let other = options.target.as_deref().filter(|_| options.answers.is_none());
    stem_for(folder, suite, other)
}

/// The same for a suite and the target that a command named.
pub fn stem_for(folder: &Path, suite: &Suite, target: Option<&str>) -> PathBuf {
    match target.filter(|t| *t != super::record::usual_target(suite)) {
        Some(t) => folder.join(format!("{}.{t}", suite.name)),
        None => folder.join(&*suite.name),
    }
}

/// A path with more at its end.
pub fn with_ending(stem: &Path, ending: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

fn read_baseline(stem: &Path, project: &Project, thresholds: &Thresholds) -> Result<BaselinePlan, Problems> {
    if !thresholds.wants_baseline() {
        return Ok(BaselinePlan::NotUsed);
    }
    let path = with_ending(stem, ".baseline.toml");
    let shown = shown_path(&path, &project.root);
    if !path.exists() {
        return Ok(BaselinePlan::Missing(shown));
    }
    let baseline = Baseline::parse(&read_source(&path, &shown)?)?;
    let answers = with_ending(stem, ".accepted.jsonl").is_file();
    Ok(BaselinePlan::Present { baseline, shown, answers })
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

/// A run that is over.
#[derive(Debug)]
pub struct Done {
    /// What came of it.
    pub finished: Finished,
    /// Its folder, where one is kept.
    pub folder: Option<PathBuf>,
}

impl Ready {
    /// Lets another target stand before each suite's own, such as one that shares answers between processes.
    #[must_use]
    pub fn wrap(mut self, wrap: impl Fn(Arc<dyn Target>) -> Arc<dyn Target>) -> Self {
        self.targets = self.targets.into_iter().map(wrap).collect();
        self
    }

    /// Drives the run and keeps its folder.
    ///
    /// # Errors
    /// A broken recording, or a run folder that cannot be written.
    pub fn run(self) -> Result<Done, Stop> {
        let folder = if self.keep { Some(self.start_folder()?) } else { None };
        let journal = match &folder {
            Some(f) => Some(Journal::create(&f.join("journal.jsonl")).map_err(|e| cannot_keep(f, &e))?),
            None => None,
        };
        let driver = Driver {
            plan: Arc::clone(&self.plan),
            targets: self.targets,
            accepted: self.accepted,
            journal,
            threads: self.threads,
        };
        let finished = match driver.run() {
            Ok(finished) => finished,
            Err(problems) => {
                // A recording that cannot be read costs nobody anything: no half of a run is left to be taken for one.
                if let Some(f) = folder.filter(|_| problems.0.iter().all(|p| p.code == BROKEN_LINE)) {
                    let _ = fs::remove_dir_all(f);
                }
                return Err(problems.into());
            }
        };
        if let Some(f) = &folder {
            super::record::write(f, &self.project, &self.plan, &finished).map_err(|e| cannot_keep(f, &e))?;
        }
        Ok(Done { finished, folder })
    }

    /// Makes the folder of the run; `.ragline/` ignores itself in git.
    fn start_folder(&self) -> Result<PathBuf, Problem> {
        let top = self.project.root.join(".ragline");
        let folder = top.join("runs").join(&self.plan.id);
        let make = || -> io::Result<()> {
            fs::create_dir_all(&folder)?;
            let ignore = top.join(".gitignore");
            if !ignore.exists() {
                fs::write(ignore, "*\n")?;
            }
            Ok(())
        };
        make().map_err(|e| cannot_keep(&folder, &e))?;
        super::record::forget_old(&top.join("runs"));
        Ok(folder)
    }
}

fn cannot_keep(folder: &Path, e: &io::Error) -> Problem {
    usage("run-folder", format!("cannot write the run folder {}: {e}", folder.display()))
}
