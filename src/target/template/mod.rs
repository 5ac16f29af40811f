//! Templates of requests: every value that goes into JSON is escaped as JSON.
//!
//! A text of the settings holds two kinds of names. `{{ question }}` is given by each request and is put in by minijinja,
//! escaped for its place. `${NAME}` is a variable of the environment: it is put in after rendering, so that what it holds
//! is never read as a template, and what may be shown keeps its name.

mod check;
mod fill;

pub use fill::percent_encoded;

use super::{Environment, Failure, FailureKind};
use crate::problem::{Place, Problem};
use crate::secret::Secret;
use crate::suite::config::live::EnvText;
use minijinja::syntax::SyntaxConfig;
use minijinja::{AutoEscape, Environment as Engine, ErrorKind, UndefinedBehavior, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

/// How a value is put into the text around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Escape {
    /// As a JSON value, quotes included.
    Json,
    /// Percent-encoded, for a part of an address.
    Url,
    /// As it is.
    None,
}

/// What a template may name beside the `vars` of its target.
#[derive(Debug, Clone, Copy)]
pub struct Values<'a> {
    /// What is asked.
    pub question: &'a str,
    /// The question's id.
    pub id: &'a str,
    /// The suite.
    pub suite: &'a str,
    /// The suite's language: a code such as `vi`.
    pub language: &'a str,
    /// Which of several runs, from 0.
    pub repeat: u32,
    /// The id of a conversation that is fresh for this question.
    pub session: &'a str,
}

impl Values<'static> {
    /// Values that stand for any, to look at what a template gives before the first question.
    pub fn example() -> Self {
        Values { question: "question", id: "id", suite: "suite", language: "en", repeat: 0, session: SHOWN_SESSION }
    }
}

/// The names of [`Values`]: what differs from question to question.
pub const GIVEN: [&str; 6] = ["question", "id", "suite", "language", "repeat", "session"];

/// What stands for the session in what is shown.
const SHOWN_SESSION: &str = "SESSION";

/// A template that has been compiled.
#[derive(Debug)]
pub struct Template {
    engine: Engine<'static>,
    escape: Escape,
    vars: BTreeMap<String, String>,
    names: BTreeSet<String>,
    variables: Vec<Variable>,
    /// What stands for the variables of the environment while the text is rendered: nobody can guess it.
    mark: String,
}

/// A variable of the environment that a template names.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: Secret,
}

/// A text that was made from a template.
#[derive(Debug, Clone)]
pub struct Rendered {
    /// What may be shown and what requests are told apart by: `${NAME}` and the session stand in place of their values.
    pub shown: String,
    /// What is sent.
    pub sent: Secret,
}

impl Template {
    /// Compiles a template and looks its variables up. A JSON template must give JSON whatever the values hold.
    ///
    /// # Errors
    /// A template that is none, a name that nothing gives, a JSON template that gives no JSON, a variable of the environment
    /// that is not there (`env-missing`).
    pub fn compile(
        text: &EnvText,
        escape: Escape,
        vars: &BTreeMap<String, String>,
        environment: &Environment,
    ) -> Result<Template, Problem> {
        let mark = fresh();
        let (source, variables) = look_up(text, environment, &mark)?;
        let mut engine = Engine::new();
        engine.set_undefined_behavior(UndefinedBehavior::Strict);
        // A text ends as it is written.
        if let Ok(syntax) = SyntaxConfig::builder().keep_trailing_newline(true).build() {
            engine.set_syntax(syntax);
        }
        engine.set_auto_escape_callback(move |_| match escape {
            Escape::Json => AutoEscape::Json,
            Escape::Url | Escape::None => AutoEscape::None,
        });
        if escape == Escape::Url {
            // What has gone through `urlencode` is encoded already.
            engine.add_filter("urlencode", |v: &Value| Value::from_safe_string(percent_encoded(&plain(v))));
            engine.set_formatter(|out, _, value| {
                let text = if value.is_safe() { plain(value) } else { percent_encoded(&plain(value)) };
                out.write_str(&text).map_err(|_| ErrorKind::WriteFailure.into())
            });
        }
        let place = || text.place.clone();
        engine.add_template_owned("t", source).map_err(|e| check::no_template(place(), &e, &mark, &variables))?;
        let names = match engine.get_template("t") {
            Ok(t) => t.undeclared_variables(false).into_iter().collect(),
            Err(e) => return Err(check::no_template(place(), &e, &mark, &variables)),
        };
        let template = Template { engine, escape, vars: vars.clone(), names, variables, mark };
        check::check(&template, text)?;
        Ok(template)
    }

    /// The names that it uses, of `vars` and of [`Values`].
    pub fn names(&self) -> &BTreeSet<String> {
        &self.names
    }

    /// Whether it gives the same for every question.
    pub fn is_fixed(&self) -> bool {
        !GIVEN.iter().any(|n| self.names.contains(*n))
    }

    /// The variables of the environment that it names, in order, each as often as it stands there.
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Puts values in.
    ///
    /// # Errors
    /// [`FailureKind::Template`] where the template fails on these values.
    pub fn render(&self, values: &Values<'_>) -> Result<Rendered, Failure> {
        let failed = |e: &minijinja::Error| {
            Failure::new(
                FailureKind::Template,
                format!("the request cannot be made: {}", check::reason(e, &self.mark, &self.variables)),
            )
        };
        let sent = self.text(values).map_err(|e| failed(&e))?;
        let shown = if self.names.contains("session") {
            self.text(&Values { session: SHOWN_SESSION, ..*values }).map_err(|e| failed(&e))?
        } else {
            sent.clone()
        };
        Ok(Rendered {
            shown: fill::named(&shown, &self.mark, &self.variables),
            sent: Secret::new(fill::filled(&sent, &self.mark, &self.variables, self.escape)),
        })
    }

    /// The text with marks in place of the environment's variables.
    fn text(&self, values: &Values<'_>) -> Result<String, minijinja::Error> {
        let mut given: BTreeMap<&str, Value> =
            self.vars.iter().map(|(name, v)| (name.as_str(), Value::from(v.as_str()))).collect();
        given.insert("question", values.question.into());
        given.insert("id", values.id.into());
        given.insert("suite", values.suite.into());
        given.insert("language", values.language.into());
        given.insert("repeat", values.repeat.into());
        given.insert("session", values.session.into());
        self.engine.get_template("t")?.render(given)
    }
}

/// The text of a value; that of a text has no quotes.
fn plain(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// The text with a mark in place of each `${NAME}`, and the variables.
fn look_up(text: &EnvText, environment: &Environment, mark: &str) -> Result<(String, Vec<Variable>), Problem> {
    let (mut source, mut variables) = (String::new(), Vec::new());
    let mut rest = text.raw.as_str();
    while let Some((before, after)) = rest.split_once("${") {
        let Some((name, tail)) = after.split_once('}') else { break };
        let Some(value) = environment.get(name) else {
            return Err(missing(name, text.place.clone()));
        };
        source.push_str(before);
        source.push_str(&fill::marked(mark, variables.len()));
        variables.push(Variable { name: name.to_owned(), value: Secret::new(value) });
        rest = tail;
    }
    source.push_str(rest);
    Ok((source, variables))
}

pub(super) fn missing(name: &str, place: Place) -> Problem {
    let what = format!("the environment variable `{name}` is not set, or empty");
    Problem::error("env-missing", place, what)
        .help(format!("set {name}; `ragline run` has --answers replay and --without-keys for where there is none"))
}

/// A text of 32 hexadecimal digits that was never made before: the id of a conversation. It is drawn from the randomness
/// that the standard library takes from the system for its hash tables.
pub fn fresh() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let half = || {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(count);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(), half())
}

#[cfg(test)]
mod tests;
