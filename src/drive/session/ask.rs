//! One question without a suite, or beside one: asked, looked at by every layer, and kept nowhere.

use super::{Conduct, Opened, Options, Stop, open, usage};
use crate::core::QuestionReport;
use crate::problem::Source;
use crate::problem::near::or_near;
use crate::suite::Suite;
use crate::suite::load::{detect, load_source};
use crate::target::response::OwnedResponse;
use crate::target::tap::{Seen, Tap};
use crate::text::pack::Lang;
use serde_json::json;
use std::sync::Arc;

/// A question as it is typed.
#[derive(Debug, Clone, Default)]
pub struct Typed {
    /// What is asked.
    pub question: String,
    /// The suite whose language, corpus, target and allowed numbers it takes; where nothing is said the first one of the
    /// target in the language of the question, else the first one of the target.
    pub suite: Option<String>,
    /// Another language.
    pub language: Option<String>,
    /// Facts that the answer must state.
    pub facts: Vec<String>,
    /// A refusal is expected.
    pub refuse: bool,
}

/// What came of it.
#[derive(Debug)]
pub struct Asked {
    /// What the layers say.
    pub report: QuestionReport,
    /// What the target returned.
    pub response: Option<OwnedResponse>,
    /// Who answered: a target, or the recording that stands for it.
    pub target: String,
    /// The language that the answer was read in.
    pub language: String,
    /// The suite that it was asked like, and how many there are; none where there is no suite.
    pub suite: Option<(String, usize)>,
}

/// The id of a question that has none.
pub const ID: &str = "ask";

/// The suite that a typed question is asked like.
fn base<'s>(typed: &Typed, target: Option<&str>, suites: &'s [Suite]) -> Result<Option<&'s Suite>, Stop> {
    if let Some(name) = &typed.suite {
        let found = suites.iter().find(|s| *s.name == **name).ok_or_else(|| {
            let near = or_near(name, suites.iter().map(|s| &*s.name));
            usage("unknown-suite", format!("there is no suite `{name}`{near}"))
        })?;
        return Ok(Some(found));
    }
    let mut of_target: Vec<&Suite> =
        suites.iter().filter(|s| target.is_none() || s.target.as_deref() == target).collect();
    if of_target.is_empty() {
        of_target = suites.iter().collect();
    }
    let language = match &typed.language {
        Some(tag) => Lang::new(tag),
        None => Some(detect([typed.question.as_str()])),
    };
    let same = of_target.iter().find(|s| Some(&s.language) == language.as_ref());
    Ok(same.or(of_target.first()).copied())
}

/// The suite that a typed question is alone in. `target`: who is asked, where the command says so.
pub(super) fn alone(typed: &Typed, target: Option<&str>, suites: &[Suite]) -> Result<Suite, Stop> {
    let base = base(typed, target, suites)?;
    let language = typed.language.as_deref().or(base.map(|s| s.language.as_str()));
    let mut question = json!({ "id": ID, "question": typed.question });
    if !typed.facts.is_empty() {
        question["facts"] = typed.facts.clone().into();
    }
    if typed.refuse {
        question["expect"] = "refuse".into();
    } else if typed.facts.is_empty() {
        // What asserts nothing is observed.
        question["reference"] = "?".into();
    }
    let mut file = json!({ "version": 1, "suite": ID, "questions": [question] });
    if let Some(base) = base.filter(|b| !b.numbers.allow.is_empty()) {
        file["numbers"] = json!({ "allow": base.numbers.allow });
    }
    if let Some(language) = language {
        file["language"] = language.into();
    }
    // JSON is YAML, and the reader of suites is the one place that knows what a question is.
    let source = Arc::new(Source { path: "the question".to_owned(), text: file.to_string() });
    let path = base.map_or_else(|| "ask.yaml".into(), |b| b.path.with_file_name("ask.yaml"));
    let (mut suite, _) = load_source(&path, &source)?;
    if let Some(base) = base {
        suite.corpus.clone_from(&base.corpus);
        suite.target.clone_from(&base.target);
        suite.top_k = base.top_k;
    }
    Ok(suite)
}

/// Asks a typed question. Of the options the folder, the target and where answers come from count.
///
/// # Errors
/// Everything that is wrong with the project's files or the words of the command; that nobody can be asked.
pub fn ask(options: &Options, typed: &Typed, conduct: Conduct) -> Result<Asked, Stop> {
    let options = Options { keep: false, typed: Some(typed.clone()), ..options.clone() };
    let suites = opened(&options)?.suites;
    let suite = base(typed, options.target.as_deref(), &suites)?.map(|s| (s.name.to_string(), suites.len()));
    let ready = super::prepare(&options, None, None)?;
    let (target, language) = ready
        .plan
        .suites
        .first()
        .map(|s| (s.target.name.clone(), s.suite.language.as_str().to_owned()))
        .unwrap_or_default();
    let seen = Seen::default();
    let tap = seen.clone();
    let plan = Arc::clone(&ready.plan);
    let done = ready.wrap(move |inner| Arc::new(Tap::new(inner, tap.clone()))).conduct(conduct)?;
    let report = done.finished.reports.into_iter().next();
    let report = report.ok_or_else(|| Stop::from(usage("ask", "the question was not asked")))?;
    // The layers looked at the answer as it came; what is shown is masked like all that is written.
    let mut response = seen.take();
    if let Some(response) = &mut response {
        plan.mask.response(response);
    }
    Ok(Asked { report, response, target, language, suite })
}

/// A project with the suites that it has, none included.
pub(super) fn opened(options: &Options) -> Result<Opened, Stop> {
    match open(&options.folder) {
        Err(stop) if options.typed.is_some() && stop.problems.0.iter().all(|p| p.code == "no-suite") => {
            let (project, warnings) = crate::suite::config::load(&options.folder)?;
            Ok(Opened { project, suites: Vec::new(), warnings })
        }
        other => other,
    }
}
