//! What is asked beside the system under test (`--against`): another target, or the system as another commit has it.
//!
//! Of a commit everything counts as it stands there: its `ragline.toml`, its files, its `start`. It runs in a working tree of
//! its own, on a port of its own, and only where a question is asked anew.

use super::live::open_http;
use super::usage;
use crate::drive::base::{Commit, FETCH, commit};
use crate::drive::worktree::Worktree;
use crate::layer::Provides;
use crate::problem::near::or_near;
use crate::problem::{Place, Problem, Problems, Source};
use crate::suite::config::{self, Project, TargetConfig, TargetKind};
use crate::suite::corpus::Corpus;
use crate::target::replay::{Asks, Standing};
use crate::target::{
    Closing, Corpora, Environment, Failure, FailureKind, Opening, PORT, Pending, Request, Surroundings, Target, command,
};
use std::collections::HashMap;
use std::sync::Arc;

/// What `--against` names.
#[derive(Debug, Clone)]
pub(super) enum Against {
    /// A target of the project.
    Target(String),
    /// The same target as a commit has it.
    Commit(Arc<AtCommit>),
    /// The very state that is tested: no control.
    Nothing,
}

/// A commit with its settings.
#[derive(Debug)]
pub(super) struct AtCommit {
    named: String,
    project: Project,
    tree: Arc<Worktree>,
}

/// The control arm of a run; what it names is looked up once, and only where something is asked anew.
#[derive(Default)]
pub(super) struct Control {
    found: Option<Against>,
    /// By target.
    opened: HashMap<String, (Arc<dyn Target>, Corpora)>,
    pub(super) warnings: Vec<Problem>,
}

impl Control {
    /// What a word names: `target:NAME`, `commit:REF`, or either without a prefix where it is not both.
    ///
    /// # Errors
    /// It is neither or both; the commit has no settings, or such that cannot be read.
    pub(super) fn of(&mut self, word: &str, project: &Project) -> Result<Against, Problems> {
        if let Some(found) = &self.found {
            return Ok(found.clone());
        }
        let found = self.find(word, project)?;
        self.found = Some(found.clone());
        Ok(found)
    }

    fn find(&mut self, word: &str, project: &Project) -> Result<Against, Problems> {
        if let Some(name) = word.strip_prefix("target:") {
            return Ok(Against::Target(name.to_owned()));
        }
        let (is_target, reference) = match word.strip_prefix("commit:") {
            Some(reference) => (false, reference),
            None => (project.targets.contains_key(word), word),
        };
        match (is_target, commit(&project.root, reference)) {
            (true, Ok(_)) => {
                let what = format!("`{word}` is a target of ragline.toml and a commit: which is to be asked?");
                let help = format!("write --against target:{word} or --against commit:{word}");
                Err(usage("against-both", what).help(help).into())
            }
            (true, Err(_)) => Ok(Against::Target(word.to_owned())),
            (false, Ok(commit)) => self.at(&commit, project),
            (false, Err(why)) => {
                let near = or_near(reference, project.targets.keys().map(String::as_str));
                let what =
                    format!("`{reference}` is no target of ragline.toml{near}, and no commit that git knows here");
                Err(usage("against-unknown", format!("{what}: {why}")).help(FETCH).into())
            }
        }
    }

    fn at(&mut self, commit: &Commit, project: &Project) -> Result<Against, Problems> {
        let named = &commit.named;
        let warn = |code, what: String| Problem::warning(code, Place::default(), what);
        if commit.is_checked_out(&project.root) {
            let what = format!("{named} is what is tested: there is no control arm");
            let help = "what is known of each question decides; a branch is held against where it left the main branch";
            self.warnings.push(warn("against-same", what).help(help));
            return Ok(Against::Nothing);
        }
        if !commit.is_fork {
            let what = format!("where this branch left {named} is not known here: that commit itself is asked");
            self.warnings.push(warn("against-shallow", what).help(FETCH));
        }
        let Some(text) = commit.text(&project.root, config::FILE) else {
            let what = format!("{named} has no {}: nothing says how its system is asked", config::FILE);
            return Err(usage("against-no-target", what)
                .help("name a target instead, or a commit that has settings: --against target:NAME")
                .into());
        };
        let tree = Arc::new(Worktree::new(&project.root, &commit.id));
        let source = Arc::new(Source { path: format!("{named}:{}", config::FILE), text });
        let (project, _) = config::read_text(&source, tree.path().join(&commit.prefix))?;
        Ok(Against::Commit(Arc::new(AtCommit { named: named.clone(), project, tree })))
    }

    /// The target of a suite as a commit has it. Nothing is checked out or started yet.
    ///
    /// # Errors
    /// The commit has no such target, or one that cannot be started from a commit, or that would listen where the one under
    /// test does; and what is wrong with its settings.
    pub(super) fn target(
        &mut self,
        at: &AtCommit,
        project: &Project,
        name: &str,
        suite: &Arc<str>,
        corpus: Option<&Arc<Corpus>>,
    ) -> Result<Arc<dyn Target>, Problems> {
        let add = |corpora: &Corpora| corpus.into_iter().for_each(|c| corpora.add(suite, c));
        if let Some((target, corpora)) = self.opened.get(name) {
            add(corpora);
            return Ok(Arc::clone(target));
        }
        let there = at.project.targets.get(name).ok_or_else(|| {
            let near = or_near(name, at.project.targets.keys().map(String::as_str));
            let what = format!("{} has no target `{name}`{near}", at.named);
            usage("against-no-target", what).help("name a target that runs that state: --against target:NAME")
        })?;
        let process = Environment::of_process();
        if let Some(tested) = project.targets.get(name) {
            elsewhere(at, tested, there, &process)?;
        }
        // Its own port, also where the environment gives one to the system under test.
        let environment = process.with_free_port();
        let corpora = Corpora::default();
        add(&corpora);
        let shown = format!("{name} on {}", at.named);
        let around = Surroundings {
            name: &shown,
            provides: there.provides,
            concurrency: there.concurrency,
            subject: Some(at.named.clone()),
            environment: &environment,
            corpora: corpora.clone(),
        };
        let inner = match &there.kind {
            TargetKind::Http(http) if http.live.start.is_some() => open_http(http, &around)?,
            TargetKind::Command(program) => command::open(program, &around)?,
            TargetKind::Http(_) | TargetKind::Builtin(_) | TargetKind::Recorded { .. } => {
                let what =
                    format!("the target `{name}` of {} has no `start`: nothing of that commit could run", at.named);
                return Err(usage("against-no-start", what)
                    .help("give it `start`, or name a target where that state runs: --against target:NAME")
                    .into());
            }
        };
        let inside = Inside { name: shown, inner, tree: Arc::clone(&at.tree) };
        let target: Arc<dyn Target> = Arc::new(Standing::new(Arc::new(inside), Asks::Everything, None, ""));
        self.opened.insert(name.to_owned(), (Arc::clone(&target), corpora));
        Ok(target)
    }
}

/// Two servers cannot listen at one address, and the second would be taken for the first.
fn elsewhere(
    at: &AtCommit,
    tested: &TargetConfig,
    there: &TargetConfig,
    environment: &Environment,
) -> Result<(), Problem> {
    let starts = there.live().is_some_and(|l| l.start.is_some());
    let Some(address) = origin(there, environment).filter(|_| starts) else { return Ok(()) };
    let has_port = address_of(there).is_some_and(|a| a.contains(&format!("${{{PORT}}}")));
    if has_port || origin(tested, environment).as_ref() != Some(&address) {
        return Ok(());
    }
    let what =
        format!("the target `{}` of {} would listen at {address}, as the one under test does", there.name, at.named);
    Err(usage("against-address", what).help(format!(
        "leave the port to ragline: write ${{{PORT}}} in `url`, `ready` and `start`, here or in that commit"
    )))
}

/// The address that a target is asked at, as written.
fn address_of(target: &TargetConfig) -> Option<&str> {
    match &target.kind {
        TargetKind::Http(c) => Some(&c.url.raw),
        TargetKind::Command(_) => Some(&target.live()?.ready.as_ref()?.raw),
        TargetKind::Builtin(_) | TargetKind::Recorded { .. } => None,
    }
}

/// Scheme, host and port of it; none where a variable of it is not there, which nobody listens at.
fn origin(target: &TargetConfig, environment: &Environment) -> Option<String> {
    let mut address = address_of(target)?.to_owned();
    for (name, _) in target.variables() {
        let named = format!("${{{name}}}");
        if address.contains(&named) {
            address = address.replace(&named, environment.get(&name)?);
        }
    }
    Some(address.split('/').take(3).collect::<Vec<_>>().join("/"))
}

/// A target that runs in a working tree.
struct Inside {
    name: String,
    inner: Arc<dyn Target>,
    tree: Arc<Worktree>,
}

impl Target for Inside {
    fn inner(&self) -> Option<&dyn Target> {
        Some(self.inner.as_ref())
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn provides(&self) -> Provides {
        self.inner.provides()
    }

    fn subject(&self) -> Option<String> {
        self.inner.subject()
    }

    fn open(&self) -> Opening<'_> {
        Box::pin(async {
            let tree = Arc::clone(&self.tree);
            let held = tokio::task::spawn_blocking(move || tree.hold()).await;
            let held = held.unwrap_or_else(|e| Err(format!("the working tree could not be made: {e}")));
            held.map_err(|why| Failure::new(FailureKind::NotReady, why))?;
            self.inner.open().await
        })
    }

    fn close(&self) -> Closing<'_> {
        Box::pin(async {
            self.inner.close().await;
            let tree = Arc::clone(&self.tree);
            // It waits for one that is being made; what fails here leaves a folder among the temporary files.
            let _ = tokio::task::spawn_blocking(move || tree.release()).await;
        })
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        self.inner.ask(request)
    }
}
