//! Templates of requests: every value that goes into JSON is escaped as JSON.

use super::{Environment, Failure, FailureKind};
use crate::problem::Problem;
use crate::secret::Secret;
use crate::suite::config::live::EnvText;
use std::collections::BTreeMap;

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
    /// Which of several runs, from 0.
    pub repeat: u32,
    /// The id of a conversation that is fresh for this question.
    pub session: &'a str,
}

/// A template that has been compiled.
#[derive(Debug)]
pub struct Template {}

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
        _text: &EnvText,
        _escape: Escape,
        _vars: &BTreeMap<String, String>,
        _environment: &Environment,
    ) -> Result<Template, Problem> {
        Ok(Template {})
    }

    /// Puts values in.
    ///
    /// # Errors
    /// [`FailureKind::Template`] where the template fails on these values.
    pub fn render(&self, _values: &Values<'_>) -> Result<Rendered, Failure> {
        Err(Failure::new(FailureKind::Template, "not yet supported"))
    }
}
