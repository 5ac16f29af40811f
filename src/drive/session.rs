//! From a folder and the words of a command to a run: opening a project and choosing what is run, here; preparing the run
//! ([`prepare()`]) and running it ([`Ready::run`]), each in its own file.

mod against;
mod ask;
mod check;
#[cfg(feature = "http")]
mod connect;
mod expected;
mod inputs;
mod live;
mod prepare;
mod run;

pub use ask::{Asked, ID as ASK_ID, Typed, ask};
pub use check::{Check, check};
#[cfg(feature = "http")]
pub use connect::{Connected, Known, Unconnected, connect};
pub use prepare::{Ready, prepare};
pub use run::{Conduct, Done, Resume};

use super::base::{self, Base};
use super::checkout::Checkout;
use crate::baseline::Baseline;
use crate::confirm::Spend;
use crate::core::plan::BaselinePlan;
use crate::drive::merge::Measured;
use crate::drive::shard::Share;
use crate::gate::Exit;
use crate::gate::expected::By;
use crate::gate::thresholds::Thresholds;
use crate::loosened::MeasureChange;
use crate::problem::near::or_near;
use crate::problem::{Place, Problem, Problems, read_source, shown_path};
use crate::suite::config::{self, Project, TargetConfig, TargetKind};
use crate::suite::load;
use crate::suite::select::{RunLookup, Selection, Selector};
use crate::suite::{QuestionId, Suite};
use crate::target::Environment;
use crate::target::recorded::Recorded;
use jiff::civil::Date;
use std::collections::{BTreeSet, HashSet};
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
    /// The commit whose policy and baselines decide; none: as the profile says, or those of the branch itself.
    pub policy_from: Option<String>,
    /// The commit with which the branch's own policy is compared; none: that of `policy_from`, or what the CI server says.
    pub base: Option<String>,
    /// Where the answers come from; none: as the profile says, or live.
    pub answers: Option<Answers>,
    /// Targets whose keys are not there are replayed, and what is not on file is not asked.
    pub without_keys: bool,
    /// Only looks what a run would take: no key and no answer is needed.
    pub plan: bool,
    /// The suite of a file of responses that names none.
    pub suite: Option<String>,
    /// The day of the run.
    pub today: Date,
    /// How many threads examine answers; none: what fits the run.
    pub threads: Option<usize>,
    /// Whether a run folder is kept.
    pub keep: bool,
    /// What `start` of the targets says runs already: nothing is started, and `ready` is waited for all the same.
    pub started: bool,
    /// A typed question in place of the suites.
    pub typed: Option<Typed>,
    /// Where the files under test come from, as far as that is known.
    pub checkout: Checkout,
    /// How often every question is asked; none: as the profile says, else once.
    pub repeat: Option<u32>,
    /// Selectors of questions that the change is to mend; none: those of `expected.toml`.
    pub expect_fixed: Vec<String>,
    /// What the change is to, where the command says so.
    pub expect_by: Option<By>,
    /// The target or the commit that is asked beside what is tested, where questions are asked anew.
    pub against: Option<String>,
    /// Whether a question that comes out otherwise than accepted is asked anew.
    pub confirm: bool,
    /// How much is spent on that; none: as the profile says, else without a limit but that of each question.
    pub spend: Option<Spend>,
    /// Only this share of what is selected; others ask the rest.
    pub share: Option<Share>,
    /// What stands for the suites' targets where shards have asked them: nothing is opened.
    pub measured: Option<Arc<Measured>>,
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
            policy_from: None,
            base: None,
            answers: None,
            without_keys: false,
            plan: false,
            suite: None,
            today,
            threads: None,
            keep: true,
            started: false,
            typed: None,
            checkout: Checkout::default(),
            repeat: None,
            against: None,
            expect_fixed: Vec::new(),
            expect_by: None,
            confirm: true,
            spend: None,
            share: None,
            measured: None,
        }
    }

    /// The file that is itself tested.
    fn file(&self) -> Option<&Path> {
        self.answers.as_ref().and_then(Answers::file)
    }

    /// These options with what their profile settles: the words of the command come first.
    ///
    /// # Errors
    /// When there is no such profile.
    fn settled(&self, project: &Project) -> Result<Options, Problem> {
        let mut settled = self.clone();
        let Some(name) = &self.profile else { return Ok(settled) };
        let Some(profile) = project.profile(name) else {
            let near = or_near(name, project.profiles.keys().map(String::as_str));
            return Err(usage("unknown-profile", format!("ragline.toml has no profile `{name}`{near}")));
        };
        // Shards that are put together say themselves what they asked.
        if settled.selectors.is_empty() && settled.measured.is_none() {
            settled.selectors = profile.select.unwrap_or_default();
        }
        settled.target = settled.target.or(profile.target);
        settled.answers = settled.answers.or_else(|| profile.answers.as_deref().and_then(|w| Answers::parse(Some(w))));
        settled.policy_from = settled.policy_from.or(profile.policy_from);
        settled.repeat = settled.repeat.or(profile.repeat);
        settled.spend = settled.spend.or(profile.confirm);
        settled.against = settled.against.or(profile.against);
        settled.without_keys |= profile.without_keys.unwrap_or(false);
        Ok(settled)
    }
}

/// Where the answers of a run come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Answers {
    /// The targets are asked.
    #[default]
    Live,
    /// The recording of each target that would be asked anew stands for it; nobody is called.
    Replay,
    /// The same where its recording holds the answer; else the target is asked, and the recording is completed.
    Fill,
    /// A file of responses is itself what is tested.
    File(PathBuf),
}

impl Answers {
    /// What `--answers` says, where it says anything.
    pub fn parse(word: Option<&str>) -> Option<Answers> {
        word.map(|word| match word {
            "live" => Answers::Live,
            "replay" => Answers::Replay,
            "fill" => Answers::Fill,
            file => Answers::File(PathBuf::from(file)),
        })
    }

    /// The file that is itself tested.
    pub fn file(&self) -> Option<&Path> {
        match self {
            Answers::File(path) => Some(path),
            Answers::Live | Answers::Replay | Answers::Fill => None,
        }
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

/// The settings of a target.
fn target_of<'p>(project: &'p Project, name: &str) -> Result<&'p TargetConfig, Problem> {
    project.targets.get(name).ok_or_else(|| {
        let near = or_near(name, project.targets.keys().map(String::as_str));
        usage("unknown-target", format!("ragline.toml has no target `{name}`{near}"))
    })
}

/// The suites whose target the project does not have. A warning: with `--target` or `--answers` they can be run all the same.
pub fn unknown_targets(opened: &Opened) -> impl Iterator<Item = Problem> + '_ {
    opened.suites.iter().filter_map(|suite| {
        let problem = target_of(&opened.project, suite.target.as_deref()?).err()?;
        let help = "give it a section, or mend `target` of the suite; until then only --target or --answers runs it";
        Some(Problem::warning("unknown-target", Place::file(&suite.shown), problem.title).help(help))
    })
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

/// The names of what a run would show, known without asking anybody.
#[derive(Debug)]
pub struct Listing {
    /// `suite::id`: the selected questions.
    pub questions: Vec<String>,
    /// `suite::id`: those that stand in a baseline and not in its suite; none when questions are left out.
    pub removed: Vec<String>,
    /// The policy.
    pub thresholds: Thresholds,
    /// Fixes are expected of the change.
    pub expects_fixes: bool,
    /// A recording that a target of the run names is not there, or a key of one that is asked: nothing can be asked.
    pub cannot_ask: bool,
}

/// Lists the questions of a run. Of a file that the command names only the suites are read; the recording of a target is
/// not opened, since it may not be there yet.
///
/// # Errors
/// Everything that is wrong with the files or the words of the command.
pub fn list(options: &Options) -> Result<Listing, Stop> {
    let Opened { project, mut suites, .. } = open(&options.folder)?;
    let options = &options.settled(&project)?;
    let Policy { thresholds, base, .. } = policy(options, &project, &suites)?;
    if let Some(path) = options.file() {
        let shown = shown_path(path, &project.root);
        suites = suites_of_recording(&open_answers(path, &shown)?, suites, options)?;
    }
    let selection = select(options, &suites, None)?;
    let (mut questions, mut removed) = (Vec::new(), Vec::new());
    for (suite, selected) in suites.iter().zip(&selection.suites) {
        // A partial run cannot tell what was removed.
        let whole = !selected.contains(&false);
        let stem = baseline_stem(options, &project, suite);
        let baseline = if whole { Some(read_baseline(&stem, &project, &thresholds, base.as_ref())?) } else { None };
        let mut gone: BTreeSet<&str> = BTreeSet::new();
        if let Some(BaselinePlan::Present { baseline, .. }) = &baseline {
            // Drafts count as gone: they are asked no more.
            let here: HashSet<&str> = suite.questions.iter().filter(|q| !q.draft).map(|q| q.id.as_str()).collect();
            gone = baseline.entries.keys().map(QuestionId::as_str).filter(|id| !here.contains(id)).collect();
        }
        let chosen = suite.questions.iter().zip(selected).filter(|(q, s)| **s && !gone.contains(q.id.as_str()));
        questions.extend(chosen.map(|(q, _)| format!("{}::{}", suite.name, q.id)));
        removed.extend(gone.iter().map(|id| format!("{}::{id}", suite.name)));
    }
    let wanted: HashSet<&str> = suites
        .iter()
        .zip(&selection.suites)
        .filter(|(_, selected)| selected.contains(&true))
        .map(|(s, _)| target_name(options, s))
        .collect();
    let environment = Environment::of_process();
    let absent = project.targets.values().filter(|t| wanted.contains(t.name.as_str())).any(|t| match &t.kind {
        TargetKind::Recorded { file } => !file.exists(),
        TargetKind::Builtin(_) => false,
        TargetKind::Http(_) | TargetKind::Command(_) => match options.answers.as_ref().unwrap_or(&Answers::Live) {
            Answers::Replay => t.live().is_some_and(|l| !l.recording.exists()),
            Answers::Live => !options.without_keys && !live::lacking(t, &environment).is_empty(),
            // What is on file may be all that is asked for.
            Answers::Fill | Answers::File(_) => false,
        },
    });
    let cannot_ask = options.file().is_none() && absent;
    Ok(Listing {
        expects_fixes: project.root.join(expected::FILE).exists(),
        questions,
        removed,
        thresholds,
        cannot_ask,
    })
}

/// The name of the target that a suite is asked with: the command's, else the suite's usual one.
fn target_name<'a>(options: &'a Options, suite: &'a Suite) -> &'a str {
    options.target.as_deref().unwrap_or_else(|| super::record::usual_target(suite))
}

/// Opens the file that the words of a command name. That it is not there is a fault of the command, wherever it runs.
fn open_answers(path: &Path, shown: &str) -> Result<Recorded, Problems> {
    if !path.exists() {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        return Err(usage("answers-missing", format!("there is no file {}", whole.display())).into());
    }
    Recorded::open(shown, path, shown, None)
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

fn select(options: &Options, suites: &[Suite], last: Option<&RunLookup<'_>>) -> Result<Selection, Stop> {
    let mut selectors = Vec::new();
    let mut problems = Problems::default();
    for word in &options.selectors {
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

/// What decides, and what the branch changes of it.
struct Policy {
    thresholds: Thresholds,
    /// The commit whose policy and baselines decide.
    base: Option<Base>,
    /// What the branch changes of what decides.
    changes: Vec<MeasureChange>,
    /// What a reader should know of it.
    notes: Vec<String>,
}

/// Reads `thresholds.toml` and binds it to the suites of the project. A rule of a suite that is there and not in this run
/// is left out. Where another commit's policy decides, that one's is taken: what of it no longer binds was changed by the
/// branch, which is told, and is no error of the branch's files.
fn policy(options: &Options, project: &Project, suites: &[Suite]) -> Result<Policy, Problems> {
    let path = project.root.join("thresholds.toml");
    let thresholds = Thresholds::load(&path, &shown_path(&path, &project.root))?;
    let problems = thresholds.bind(suites, project.profiles.keys().map(String::as_str));
    if problems.any_error() {
        return Err(problems);
    }
    let mut policy = Policy { thresholds, base: None, changes: Vec::new(), notes: Vec::new() };
    let profile = options.profile.as_deref();
    if options.typed.is_none() {
        if let Some(reference) = &options.policy_from {
            let base = base::open(project, reference)?;
            policy.changes = base.changes(project, &policy.thresholds, suites)?;
            policy.thresholds = base.thresholds.clone();
            let line = profile.map(|name| base.line(name)).unwrap_or_default();
            policy.thresholds = policy.thresholds.for_profile(&line);
            policy.base = Some(base);
            return Ok(policy);
        }
        compared(options, project, suites, &mut policy)?;
    }
    let line = profile.map(|name| project.line(name)).unwrap_or_default();
    policy.thresholds = policy.thresholds.for_profile(&line);
    Ok(policy)
}

/// What the branch changes of what decides, where it is known what it is to be compared with. What the CI server names may
/// not have been fetched: that is told and stops nothing.
fn compared(options: &Options, project: &Project, suites: &[Suite], policy: &mut Policy) -> Result<(), Problems> {
    let opened = match (&options.base, &options.checkout.base) {
        (Some(reference), _) => base::open(project, reference)?,
        (None, None) => return Ok(()),
        (None, Some(branch)) => {
            let remote = format!("origin/{branch}");
            match base::open(project, &remote) {
                Ok(base) => base,
                Err(problems) => {
                    let why = problems.0.first().map(|p| p.title.clone()).unwrap_or_default();
                    policy.notes.push(format!("what this branch changes of the measure is not shown: {why}"));
                    return Ok(());
                }
            }
        }
    };
    policy.changes = opened.changes(project, &policy.thresholds, suites)?;
    Ok(())
}

/// Where a suite's baseline stands, without its ending. One per suite; one more for each other target that it is run
/// against.
pub fn baseline_stem(options: &Options, project: &Project, suite: &Suite) -> PathBuf {
    let folder = suite.path.parent().unwrap_or(&project.root);
    let other = options.target.as_deref().filter(|_| options.file().is_none());
    stem_for(folder, suite, other)
}

/// The same for a suite and the target that a command named.
pub fn stem_for(folder: &Path, suite: &Suite, target: Option<&str>) -> PathBuf {
    match target.filter(|t| *t != super::record::usual_target(suite)) {
        Some(t) => folder.join(format!("{}.{t}", suite.name)),
        None => folder.join(&*suite.name),
    }
}

/// The history that belongs to a baseline; none where the project keeps none.
pub fn history_path(project: &Project, stem: &Path) -> Option<PathBuf> {
    Some(with_ending(&project.history.as_ref()?.join(stem.file_name()?), crate::history::ENDING))
}

/// A path with more at its end.
pub fn with_ending(stem: &Path, ending: &str) -> PathBuf {
    let mut name = stem.as_os_str().to_owned();
    name.push(ending);
    PathBuf::from(name)
}

/// The baseline of a suite; that of the commit whose policy decides, where it has one.
fn read_baseline(
    stem: &Path,
    project: &Project,
    thresholds: &Thresholds,
    base: Option<&Base>,
) -> Result<BaselinePlan, Problems> {
    if !thresholds.wants_baseline() {
        return Ok(BaselinePlan::NotUsed);
    }
    let shown = shown_path(&with_ending(stem, ".baseline.toml"), &project.root);
    let stem = &base.and_then(|b| b.stem(&project.root, stem)).unwrap_or_else(|| stem.to_owned());
    let path = with_ending(stem, ".baseline.toml");
    if !path.exists() {
        return Ok(BaselinePlan::Missing(shown));
    }
    let baseline = Baseline::parse(&read_source(&path, &shown)?)?;
    let answers = with_ending(stem, ".accepted.jsonl").is_file();
    Ok(BaselinePlan::Present { baseline, shown, answers })
}
