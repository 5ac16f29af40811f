//! Preparing a run: what each suite is asked with and compared with.

use super::against::{Against, Control};
use super::{
    Answers, Opened, Options, Policy, Stop, ask, baseline_stem, expected, history_path, inputs, live::Lives,
    open_answers, policy, read_baseline, select, suites_of_recording, target_name, target_of, usage, with_ending,
};
use crate::core::measure;
use crate::core::plan::{BaselinePlan, Plan, Shard, SuitePlan, TargetFacts, names_of};
use crate::drive::base::Base;
use crate::drive::record;
use crate::drive::shard::record::ShardRecord;
use crate::gate::Exit;
use crate::gate::thresholds::Thresholds;
use crate::history::known::{self, Known};
use crate::labels::{self, Label};
use crate::privacy::Masker;
use crate::privacy::allow::Allowed;
use crate::problem::{Place, Problem, Problems, shown_path};
use crate::suite::config::{Project, TargetKind};
use crate::suite::corpus::{Corpus, corpus_line, holding};
use crate::suite::digest::expects;
use crate::suite::select::RunLookup;
use crate::suite::{Question, Suite};
use crate::target::builtin::Builtin;
use crate::target::local::Local;
use crate::target::recorded::Recorded;
use crate::target::replay::{Asks, Standing};
use crate::target::{Request, Target};
use std::collections::{BTreeMap, HashMap, HashSet};
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
    pub(in crate::drive) targets: Vec<Arc<dyn Target>>,
    pub(in crate::drive) beside: Vec<Option<Arc<dyn Target>>>,
    pub(in crate::drive) accepted: Vec<Option<Arc<Recorded>>>,
    pub(in crate::drive) threads: usize,
    pub(super) keep: bool,
    /// What a reader should know before anything is asked.
    pub notes: Vec<String>,
    /// The targets that are asked anew, by suite; nothing for the others.
    pub(in crate::drive) standing: Vec<Option<Arc<Standing>>>,
    /// A file that takes all answers of the run as a recording; only where a run folder is kept.
    pub save: Option<PathBuf>,
    /// Whether the recordings are completed with what was asked.
    pub(in crate::drive) fills: bool,
    /// What the record of a shard says of the whole.
    pub(in crate::drive) share: Option<ShardRecord>,
    /// Digests of what decides what is made of an answer, where several runs must agree on it.
    pub(in crate::drive) inputs: BTreeMap<String, String>,
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
    let Opened { project, suites, mut warnings } = ask::opened(options)?;
    let given = options;
    let options = &given.settled(&project)?;
    // Against all suites: a section of `thresholds.toml` that fits none of them would always hold.
    let Policy { thresholds, base, changes, notes: mut said } = policy(options, &project, &suites)?;
    let (suites, thresholds) = match &options.typed {
        Some(typed) => (vec![ask::alone(typed, options.target.as_deref(), &suites)?], Thresholds::without_baseline()),
        None => (suites, thresholds),
    };
    let expected = if options.typed.is_some() { None } else { expected::expected(options, &project, &suites)? };
    let recording = match options.file() {
        Some(path) if options.measured.is_none() => {
            let shown = shown_path(path, &project.root);
            Some(Arc::new(open_answers(path, &shown)?))
        }
        Some(_) | None => None,
    };
    let suites = match (&recording, &options.measured) {
        (Some(r), _) => suites_of_recording(r, suites, options)?,
        (None, Some(measured)) => suites.into_iter().filter(|s| measured.has(&s.name)).collect(),
        (None, None) => suites,
    };
    let mut selection = select(options, &suites, last)?;
    if selection.count() == 0 {
        let problems = usage("nothing-selected", "nothing is selected").into();
        return Err(Stop { problems, exit: Exit::NothingSelected });
    }
    // Of all shards together; each asks its share of them, and none may be nothing.
    let whole = selection.suites.clone();
    if let Some(share) = &options.share {
        share.keep(&suites, &mut selection.suites);
    }
    let mut cache = Cache { lives: Lives::new(options), ..Cache::default() };
    let everywhere = suites.iter().flat_map(|s| s.questions.iter().map(|q| q.id.to_string())).collect();
    let mut plans = Vec::new();
    let mut targets: Vec<Arc<dyn Target>> = Vec::new();
    let (mut accepted, mut standing, mut beside) = (Vec::new(), Vec::new(), Vec::new());
    let mut problems = Problems::default();
    let mut chosen = Vec::new();
    for ((suite, selected), whole) in suites.into_iter().zip(selection.suites).zip(whole) {
        if !whole.contains(&true) {
            continue;
        }
        chosen.push(whole);
        let measured = options.measured.as_ref().and_then(|m| m.target(&suite.name));
        match one_suite(
            options,
            &project,
            suite,
            selected,
            &thresholds,
            base.as_ref(),
            measured.as_ref().or(own.as_ref()),
            recording.as_ref(),
            &everywhere,
            &mut cache,
        ) {
            Ok(bound) => {
                warnings.0.extend(bound.warnings);
                plans.push(bound.plan);
                targets.push(bound.target);
                accepted.push(bound.accepted);
                beside.push(bound.beside);
                standing.push(bound.standing);
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
    match cache.lives.keys_missing() {
        Some(p) if options.plan => warnings.0.push(p),
        missing => problems.0.extend(missing),
    }
    if !problems.0.is_empty() {
        return Err(problems.into());
    }
    warnings.0.append(&mut cache.lives.warnings);
    warnings.0.append(&mut cache.control.warnings);
    let mut notes: Vec<String> = from_file(&plans, &standing).into_iter().collect();
    notes.append(&mut said);
    notes.extend(nothing_to_measure(&plans, &standing, &accepted));
    let several = options.share.is_some() || options.measured.is_some();
    let inputs = if several { inputs::digests(options, &project, &plans, &thresholds)? } else { BTreeMap::new() };
    let count = |of: &Vec<bool>| of.iter().filter(|s| **s).count();
    let in_share = plans.iter().map(|s| count(&s.selected)).sum();
    let shard = options.share.as_ref().map(|share| Shard {
        index: share.index,
        of: share.of,
        questions: in_share,
        all: chosen.iter().map(count).sum(),
    });
    let plan = Plan {
        id: record::folder_name(&run_id(), shard),
        suites: plans,
        today: options.today,
        profile: options.profile.clone(),
        other_target: options.target.clone().filter(|_| options.file().is_none()),
        policy_from: base.map(|b| b.named),
        measure_changes: changes,
        on_main: options.checkout.is_main(&thresholds.main.value),
        repeat_args: repeat_args(given),
        own: project.refusal.clone(),
        mask: masker(&project)?,
        expected,
        repeat: options.repeat.unwrap_or(1).max(1),
        confirm: options.confirm,
        spend: options.spend.unwrap_or_default(),
        thresholds,
        shard,
    };
    let share = options.share.as_ref().map(|share| ShardRecord::of(given, &plan, share, &chosen, inputs.clone()));
    let plan = Arc::new(plan);
    let threads = options.threads.unwrap_or_else(|| fitting_threads(&plan, &targets));
    let fills = options.answers == Some(Answers::Fill);
    Ok(Ready {
        project,
        plan,
        warnings,
        targets,
        beside,
        accepted,
        threads,
        keep: options.keep,
        notes,
        standing,
        save: None,
        fills,
        share,
        inputs,
    })
}

/// What the project takes out of answers.
pub(super) fn masker(project: &Project) -> Result<Masker, Problem> {
    let place = || Place::file(crate::suite::config::FILE);
    let masker = Masker::new(&project.privacy.mask).map_err(|(_, why)| Problem::error("mask-item", place(), why))?;
    let allowed =
        Allowed::new(&project.privacy.allow).map_err(|(_, why)| Problem::error("allow-item", place(), why))?;
    Ok(masker.but_for(allowed))
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
    match &options.answers {
        None | Some(Answers::Live) => {}
        Some(Answers::Replay) => words.push("--answers replay".to_owned()),
        Some(Answers::Fill) => words.push("--answers fill".to_owned()),
        Some(Answers::File(p)) => words.push(format!("--answers {}", p.to_string_lossy())),
    }
    if options.without_keys {
        words.push("--without-keys".to_owned());
    }
    if let Some(t) = &options.target {
        words.push(format!("--target {t}"));
    }
    if let Some(p) = &options.profile {
        words.push(format!("--profile {p}"));
    }
    if let Some(n) = options.repeat {
        words.push(format!("--repeat {n}"));
    }
    if let Some(t) = &options.against {
        words.push(format!("--against {t}"));
    }
    if let Some(commit) = &options.policy_from {
        words.push(format!("--policy-from {commit}"));
    }
    words.join(" ")
}

/// Corpora and targets that several suites share.
#[derive(Default)]
struct Cache {
    lives: Lives,
    control: Control,
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
    standing: Option<Arc<Standing>>,
    beside: Option<Arc<dyn Target>>,
    warnings: Vec<Problem>,
}

#[allow(clippy::too_many_arguments)]
fn one_suite(
    options: &Options,
    project: &Project,
    suite: Suite,
    selected: Vec<bool>,
    thresholds: &Thresholds,
    base: Option<&Base>,
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
    let mut standing = None;
    let mut unasked = None;
    let (target, warning): (Arc<dyn Target>, _) = match (own, recording) {
        (Some(t), _) => (Arc::clone(t), None),
        (None, Some(r)) => (Arc::clone(r) as Arc<dyn Target>, unused(r, &suite, &here)?),
        (None, None) => match open_target(options, project, &suite, corpus.as_ref(), cache)? {
            Opening::Live(s) => {
                let r = s.recording().filter(|_| s.asks() != Asks::Everything);
                let warning = r.map(|r| unused(r, &suite, everywhere)).transpose()?.flatten();
                unasked = cache.lives.suite(&s, &suite, &selected);
                standing = Some(Arc::clone(&s));
                (s, warning)
            }
            Opening::Local(t) => (t, None),
            Opening::Recorded(r) => {
                // Other suites may read the same file.
                let warning = unused(&r, &suite, everywhere)?;
                (r, warning)
            }
        },
    };
    let asked_anew = !target.is_replay() && (target.manners().is_some() || own.is_some());
    let beside: Option<Arc<dyn Target>> = match &options.against {
        // Shards that are put together say themselves what was asked beside them.
        Some(word) if asked_anew && options.measured.is_none() && options.typed.is_none() => {
            let tested = target_name(options, &suite);
            match cache.control.of(word, project)? {
                Against::Target(name) => {
                    let other = target_of(project, &name)?;
                    Some(cache.lives.open(project, other, &suite.name, corpus.as_ref())?)
                }
                Against::Commit(at) => {
                    Some(cache.control.target(&at, project, tested, &suite.name, corpus.as_ref())?)
                }
                Against::Nothing => None,
            }
        }
        Some(_) | None => None,
    };
    let stem = baseline_stem(options, project, &suite);
    let accepted_shown = with_ending(&stem, ".accepted.jsonl");
    let baseline = read_baseline(&stem, project, thresholds, base)?;
    let stem = base.and_then(|b| b.stem(&project.root, &stem)).unwrap_or(stem);
    let accepted = match &baseline {
        BaselinePlan::Present { answers: true, .. } => {
            let shown = shown_path(&accepted_shown, &project.root);
            let path = with_ending(&stem, ".accepted.jsonl");
            Some(Arc::new(Recorded::open(&shown, &path, &shown, None)?))
        }
        BaselinePlan::Present { .. } | BaselinePlan::Missing(_) | BaselinePlan::NotUsed => None,
    };
    let history = history_of(project, base, &stem, &baseline)?;
    let labels = labels_of(&suite, &project.root)?;
    let digests = suite.questions.iter().map(|q| expects(q, suite.top_k)).collect();
    let plan = SuitePlan {
        selected,
        expects: digests,
        names: names_of(&suite.questions),
        measure: measure::of(&suite.language, &project.refusal),
        corpus,
        target: TargetFacts {
            name: target.name().to_owned(),
            provides: target.provides(),
            subject: target.subject(),
            passages: target.passages(),
            holdings: target.holdings(),
            asked_anew,
        },
        beside: beside.as_ref().map(|t| t.name().to_owned()),
        baseline,
        suite,
        unasked,
        history,
        labels,
    };
    let mut warnings: Vec<Problem> = warning.into_iter().collect();
    if own.is_none() && recording.is_none() && options.target.is_none() && plan.suite.target.is_none() {
        warnings.extend(accepted.as_deref().and_then(|a| other_system(&plan, a)));
    }
    Ok(Bound { plan, target, accepted, standing, beside, warnings })
}

/// What the history knows, where one is kept: that of the commit whose baselines decide.
fn history_of(project: &Project, base: Option<&Base>, stem: &Path, baseline: &BaselinePlan) -> Result<Known, Problems> {
    let project = base.map_or(project, Base::project);
    let BaselinePlan::Present { baseline, .. } = baseline else { return Ok(Known::new()) };
    let Some(path) = history_path(project, stem) else { return Ok(Known::new()) };
    Ok(known::known(&known::read(&path, &shown_path(&path, &project.root))?, baseline))
}

/// What people say of the answers of a suite.
fn labels_of(suite: &Suite, root: &Path) -> Result<Vec<Label>, Problems> {
    let path = labels::file::path_of(&suite.path);
    labels::file::read(&path, &shown_path(&path, root), &suite.name)
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
    Live(Arc<Standing>),
    Local(Arc<dyn Target>),
    Recorded(Arc<Recorded>),
}

/// The line that a suite without a corpus most likely lacks: the folder of the project with the documents of its evidence.
fn corpus_of(project: &Project, suite: &Suite) -> Option<String> {
    let names = suite.questions.iter().flat_map(Question::places).filter_map(|e| e.doc.as_deref());
    let found = holding(&project.root, names)?;
    let line = corpus_line(&suite.path, &found.folder);
    let shown = shown_path(&found.folder, &project.root);
    Some(format!(
        "write `{line}` at the top of {}, from which the path counts: the documents that its evidence names are files of {shown}",
        suite.shown
    ))
}

fn open_target(
    options: &Options,
    project: &Project,
    suite: &Suite,
    corpus: Option<&Arc<Corpus>>,
    cache: &mut Cache,
) -> Result<Opening, Problems> {
    let name = target_name(options, suite);
    let target = target_of(project, name)?;
    match &target.kind {
        TargetKind::Http(_) | TargetKind::Command(_) => {
            cache.lives.open(project, target, &suite.name, corpus).map(Opening::Live)
        }
        TargetKind::Builtin(config) => {
            let Some(corpus) = corpus else {
                let what = format!("the builtin target needs a corpus, and suite `{}` names none", suite.name);
                let other = project.targets.keys().find(|n| *n != "builtin");
                let help = match (other, corpus_of(project, suite)) {
                    (None, Some(line)) => line,
                    (Some(other), _) => format!(
                        "ragline.toml has the target `{other}`: write `target: {other}` at the top of {}, or --target {other}",
                        suite.shown
                    ),
                    (None, None) => {
                        "add `corpus: FOLDER` to the suite, name another target with `target:`, or judge a file: \
                             --answers FILE"
                            .to_owned()
                    }
                };
                return Err(Problem::error("no-corpus", Place::file(&suite.shown), what).help(help).into());
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

/// Every answer is on file, and the subject that gave them is the one whose answers were accepted: the run can only repeat
/// what is known. The questions are examined all the same, since the rules or the expectations may have changed.
fn nothing_to_measure(
    plans: &[SuitePlan],
    standing: &[Option<Arc<Standing>>],
    accepted: &[Option<Arc<Recorded>>],
) -> Option<String> {
    let mut subjects: Vec<String> = Vec::new();
    for ((plan, standing), accepted) in plans.iter().zip(standing).zip(accepted) {
        let (standing, accepted) = (standing.as_ref()?, accepted.as_ref()?);
        let subject = plan.target.subject.as_deref()?;
        let mut asked = plan.suite.questions.iter().enumerate().filter(|(i, q)| plan.selected[*i] && !q.draft);
        let known = asked.all(|(_, q)| {
            let request =
                Request::new(&plan.suite.name, q.id.as_str(), &q.text).in_language(plan.suite.language.as_str());
            standing.on_file(request) && accepted.subject_of(&plan.suite.name, q.id.as_str()) == Some(subject)
        });
        if !known {
            return None;
        }
        subjects.push(subject.get(..7).unwrap_or(subject).to_owned());
    }
    subjects.sort_unstable();
    subjects.dedup();
    let is = if subjects.len() == 1 { "this is the subject that was" } else { "these are the subjects that were" };
    let what = format!("nothing to measure: {is} accepted ({})", subjects.join(", "));
    (!subjects.is_empty()).then(|| format!("{what}; the answers on file are examined again, and nobody is asked"))
}

/// How many answers come from recordings, and how many are asked for: what was replayed must not look like what was asked.
fn from_file(plans: &[SuitePlan], standing: &[Option<Arc<Standing>>]) -> Option<String> {
    let (mut files, mut on_file, mut asked) = (Vec::new(), 0_usize, 0_usize);
    for (plan, standing) in plans.iter().zip(standing) {
        let Some(standing) = standing.as_ref().filter(|s| s.asks() != Asks::Everything) else { continue };
        let Some(recording) = standing.recording() else { continue };
        if !files.contains(recording.shown()) {
            files.push(Arc::clone(recording.shown()));
        }
        let questions = plan.suite.questions.iter().enumerate().filter(|(i, q)| plan.selected[*i] && !q.draft);
        for (_, q) in questions {
            if standing.on_file(
                Request::new(&plan.suite.name, q.id.as_str(), &q.text).in_language(plan.suite.language.as_str()),
            ) {
                on_file += 1;
            } else {
                asked += usize::from(standing.asks() == Asks::Missing);
            }
        }
    }
    (!files.is_empty()).then(|| format!("answers  {on_file} from {}, {asked} to ask", files.join(", ")))
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

/// `20261130-061502-4f2a0`: sorts by time, the tail being the part of the second in 2^20 parts, about a microsecond each.
fn run_id() -> String {
    let now = jiff::Timestamp::now();
    let part = (i64::from(now.subsec_nanosecond()).unsigned_abs() << 20) / 1_000_000_000;
    format!("{}-{part:05x}", now.strftime("%Y%m%d-%H%M%S"))
}
