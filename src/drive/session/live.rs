//! Targets that are asked anew: opened once for all suites that share them, each behind the recording that stands for it,
//! and with a look at the keys that they need before the first call.

use super::{Answers, Options, usage};
use crate::core::plan::Unasked;
use crate::drive::subject::subject;
use crate::problem::{Place, Problem, Problems, shown_path};
use crate::suite::Suite;
use crate::suite::config::live::{EnvText, HttpConfig, Proxy};
use crate::suite::config::{Project, TargetConfig, TargetKind};
use crate::suite::corpus::Corpus;
use crate::target::recorded::Recorded;
use crate::target::replay::{Asks, Standing};
use crate::target::{Corpora, Environment, PORT, Request, Surroundings, Target, command};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// The variables that a target's settings name and that are not there; an empty one is not there.
pub(super) fn lacking(target: &TargetConfig, environment: &Environment) -> Vec<(String, Place)> {
    let mut lacking = target.variables();
    let is_started = target.live().is_some_and(|l| l.start.is_some());
    lacking.retain(|(name, _)| environment.get(name).is_none() && !(is_started && name == PORT));
    lacking
}

/// The environment of a target: one that is started has a port, where its settings leave it to us.
pub(super) fn with_port(target: &TargetConfig, environment: &Environment) -> Environment {
    let wants = environment.get(PORT).is_none()
        && target.live().is_some_and(|l| l.start.is_some())
        && target.variables().iter().any(|(name, _)| name == PORT);
    if wants { environment.with_free_port() } else { environment.clone() }
}

/// The targets of a run that are asked anew.
#[derive(Default)]
pub(super) struct Lives {
    environment: Environment,
    answers: Answers,
    without_keys: bool,
    plan: bool,
    /// One typed question is asked, of which nothing is on file.
    typed: bool,
    /// By name: one target for all suites that it serves, so that what must run for it is started once, and its limits
    /// hold for all of them together.
    opened: HashMap<String, (Arc<Standing>, Corpora)>,
    /// Whether what the targets' `start` says runs already.
    started: bool,
    subjects: HashMap<String, String>,
    /// What is missing, by target.
    lacking: BTreeMap<String, Vec<(String, Place)>>,
    /// The suites that cannot be asked for want of it.
    stopped: BTreeMap<String, BTreeSet<Arc<str>>>,
    /// Such as a glob that matches nothing.
    pub(super) warnings: Vec<Problem>,
}

impl Lives {
    pub(super) fn new(options: &Options) -> Lives {
        Lives {
            environment: Environment::of_process(),
            answers: options.answers.clone().unwrap_or_default(),
            without_keys: options.without_keys,
            plan: options.plan,
            typed: options.typed.is_some(),
            started: options.started,
            ..Lives::default()
        }
    }

    /// A target behind its recording. Nothing is started or asked.
    ///
    /// # Errors
    /// What is wrong with its settings, its watched files or its recording; a recording that is to be replayed and is not
    /// there.
    pub(super) fn open(
        &mut self,
        project: &Project,
        target: &TargetConfig,
        suite: &Arc<str>,
        corpus: Option<&Arc<Corpus>>,
    ) -> Result<Arc<Standing>, Problems> {
        let add = |corpora: &Corpora| corpus.into_iter().for_each(|c| corpora.add(suite, c));
        if let Some((standing, corpora)) = self.opened.get(&target.name) {
            add(corpora);
            return Ok(Arc::clone(standing));
        }
        let corpora = Corpora::default();
        add(&corpora);
        let lacking = lacking(target, &self.environment);
        // Keys enter a request's digest by their names alone, so that a replay needs none; something must stand in for
        // them all the same, or the address would be no address. Nothing is ever sent to a target that lacks a key.
        let own = if self.started { self.environment.clone() } else { with_port(target, &self.environment) };
        let environment = own.with(lacking.iter().map(|(name, _)| (name.clone(), stand_in(target, name))));
        let around = Surroundings {
            name: &target.name,
            provides: target.provides,
            concurrency: target.concurrency,
            subject: Some(self.subject(project, target)?),
            environment: &environment,
            corpora: corpora.clone(),
        };
        let inner = self.open_kind(target, &around)?;
        // Whoever only looks what a run would take wants to know what it takes with the keys.
        let able = lacking.is_empty() || (self.plan && !self.without_keys);
        let asks = match self.answers {
            Answers::Live if able => Asks::Everything,
            Answers::Fill if able => Asks::Missing,
            Answers::Live | Answers::Fill | Answers::Replay | Answers::File(_) => Asks::Nothing,
        };
        self.lacking.insert(target.name.clone(), lacking);
        let standing = Arc::new(self.standing(project, target, inner, asks)?);
        self.opened.insert(target.name.clone(), (Arc::clone(&standing), corpora));
        Ok(standing)
    }

    fn subject(&mut self, project: &Project, target: &TargetConfig) -> Result<String, Problem> {
        if let Some(known) = self.subjects.get(&target.name) {
            return Ok(known.clone());
        }
        let (digest, warnings) = subject(target, &project.root, &self.environment)?;
        self.warnings.extend(warnings);
        self.subjects.insert(target.name.clone(), digest.clone());
        Ok(digest)
    }

    fn standing(
        &self,
        project: &Project,
        target: &TargetConfig,
        inner: Arc<dyn Target>,
        asks: Asks,
    ) -> Result<Standing, Problems> {
        let Some(live) = target.live() else { return Ok(Standing::new(inner, asks, None, "")) };
        let shown = shown_path(&live.recording, &project.root);
        if asks == Asks::Everything {
            return Ok(Standing::new(inner, asks, None, &shown));
        }
        let there = live.recording.exists();
        if !there && self.answers == Answers::Replay {
            let what = format!("there is no recording {shown}, and nobody may be asked instead");
            return Err(Problem::error("recording-missing", target.place.clone(), what)
                .help("record the answers first: ragline run --answers fill")
                .into());
        }
        let open = || Recorded::open_by_request(&target.name, &live.recording, &shown, target.provides);
        let recording = if there { Some(Arc::new(open()?)) } else { None };
        Ok(Standing::new(inner, asks, recording, &shown))
    }

    fn open_kind(&self, target: &TargetConfig, around: &Surroundings<'_>) -> Result<Arc<dyn Target>, Problems> {
        let mut kind = target.kind.clone();
        match &mut kind {
            TargetKind::Http(config) => {
                config.live.start.take_if(|_| self.started);
                open_http(config, around)
            }
            TargetKind::Command(config) => {
                config.live.start.take_if(|_| self.started);
                command::open(config, around)
            }
            TargetKind::Builtin(_) | TargetKind::Recorded { .. } => {
                Err(usage("target-kind", format!("target `{}` is not one that is asked anew", target.name)).into())
            }
        }
    }

    /// What of a suite is not on file: it will be asked; or, for want of a key, it cannot be. Then it is left out where
    /// the run was told to go without keys, else noted for [`Lives::keys_missing`].
    pub(super) fn suite(&mut self, standing: &Standing, suite: &Suite, selected: &[bool]) -> Option<Unasked> {
        let missing = |(q, selected): (&crate::suite::Question, &bool)| {
            *selected
                && !q.draft
                && !standing
                    .on_file(Request::new(&suite.name, q.id.as_str(), &q.text).in_language(suite.language.as_str()))
        };
        let questions: Vec<bool> = suite.questions.iter().zip(selected).map(missing).collect();
        let any = questions.contains(&true);
        if any {
            standing.will_ask();
        }
        let lacking = self.lacking.get(standing.name()).filter(|l| !l.is_empty())?;
        match self.answers {
            Answers::Replay | Answers::File(_) => None,
            // Without the flag a key is asked for even where all is on file: the run was to ask.
            Answers::Live if !self.without_keys => self.stop(standing.name(), suite),
            Answers::Fill if any && !self.without_keys => self.stop(standing.name(), suite),
            Answers::Live | Answers::Fill => {
                let mut variables: Vec<String> = lacking.iter().map(|(name, _)| name.clone()).collect();
                variables.sort_unstable();
                any.then_some(Unasked { variables, questions })
            }
        }
    }

    fn stop(&mut self, target: &str, suite: &Suite) -> Option<Unasked> {
        self.stopped.entry(target.to_owned()).or_default().insert(Arc::clone(&suite.name));
        None
    }

    /// One message for all keys that are missing: whoever sets them wants to do it once.
    pub(super) fn keys_missing(&self) -> Option<Problem> {
        let mut needs: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut place = None;
        for (target, suites) in &self.stopped {
            let names: Vec<&str> = suites.iter().map(AsRef::as_ref).collect();
            let kind = if names.len() == 1 { "suite" } else { "suites" };
            for (name, at) in self.lacking.get(target).into_iter().flatten() {
                place.get_or_insert_with(|| at.clone());
                needs.entry(name).or_default().push(format!("target `{target}`, {kind} {}", names.join(", ")));
            }
        }
        let place = place?;
        let listed: Vec<String> =
            needs.iter().map(|(name, who)| format!("{name} (needed by {})", who.join("; "))).collect();
        let verb = if needs.len() == 1 { "is" } else { "are" };
        let what = format!("{} {verb} not set or empty", listed.join(", "));
        let help = if self.typed {
            "set what is missing"
        } else {
            "set what is missing; `--answers replay` needs no key, and `--without-keys` leaves out what is not on file"
        };
        let problem = if self.plan { Problem::warning } else { Problem::error };
        Some(problem("env-missing", place, what).help(help))
    }
}

/// What stands in for a variable of a target that nothing is sent to: fit for the place where the variable stands.
fn stand_in(target: &TargetConfig, name: &str) -> String {
    let mut addresses: Vec<&EnvText> = target.live().and_then(|l| l.ready.as_ref()).into_iter().collect();
    if let TargetKind::Http(c) = &target.kind {
        addresses.push(&c.url);
        if let Proxy::Through(proxy) = &c.proxy {
            addresses.push(proxy);
        }
    }
    let named = format!("${{{name}}}");
    let whole = addresses.iter().any(|a| a.raw.starts_with(&named));
    // As a host, a port, a header: a digit will do for each.
    if whole { "http://127.0.0.1:1".to_owned() } else { "1".to_owned() }
}

#[cfg(feature = "http")]
pub(super) fn open_http(config: &HttpConfig, around: &Surroundings<'_>) -> Result<Arc<dyn Target>, Problems> {
    crate::target::http::open(config, around)
}

#[cfg(not(feature = "http"))]
pub(super) fn open_http(_config: &HttpConfig, around: &Surroundings<'_>) -> Result<Arc<dyn Target>, Problems> {
    let what = format!("target `{}` is asked over HTTP, and this build has no `http`", around.name);
    Err(usage("no-http", what).help("build with the feature `http`").into())
}
