//! From what a program printed to a response.

use crate::layer::Provides;
use crate::secret::Secrets;
use crate::suite::config::live::{CommandConfig, Mapping, Output};
use crate::target::mapping;
use crate::target::response::{self, Answer, OwnedResponse};
use crate::target::{Corpora, Failure, FailureKind, Request, words};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// How what is printed is read.
pub(super) struct Reading {
    form: Form,
    corpora: Corpora,
    secrets: Arc<Secrets>,
}

enum Form {
    /// The answer, as it is.
    Text,
    /// The shape of our own recordings, in which the id may be missing.
    Own,
    /// The program's own JSON. `named`: a top-level `id` is that of the question.
    Mapped { mapping: Box<Mapping>, named: bool },
}

/// What an answer says of the question that it belongs to.
#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    id: Option<&'a RawValue>,
}

impl Reading {
    /// How the settings say that it is read.
    pub(super) fn of(config: &CommandConfig, corpora: &Corpora, secrets: &Arc<Secrets>) -> Reading {
        let mapping = || Box::new(config.mapping.clone());
        let form = match config.output {
            Output::Text => Form::Text,
            Output::Json if is_empty(&config.mapping) => Form::Own,
            Output::Json => Form::Mapped { mapping: mapping(), named: config.persistent },
        };
        Reading { form, corpora: corpora.clone(), secrets: Arc::clone(secrets) }
    }

    /// What can be read from it.
    pub(super) fn provides(&self) -> Provides {
        match &self.form {
            Form::Text => Provides { answer: true, contexts: false, citations: false },
            Form::Own => Provides::ALL,
            Form::Mapped { mapping: m, .. } => Provides {
                answer: m.answer.is_mapped() || m.delta.is_mapped(),
                contexts: m.contexts.is_mapped(),
                citations: m.citations.is_mapped(),
            },
        }
    }

    /// The response to a question.
    ///
    /// # Errors
    /// [`FailureKind::NotJson`], [`FailureKind::Unmapped`], [`FailureKind::ErrorBody`]; [`FailureKind::Process`] where it is
    /// the response to another question.
    pub(super) fn read(&self, bytes: &[u8], request: Request<'_>) -> Result<OwnedResponse, Failure> {
        // Programs on Windows like to begin with a byte-order mark.
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut response = match &self.form {
            Form::Text => text(bytes)?,
            Form::Own => self.own(bytes.trim_ascii(), request)?,
            Form::Mapped { mapping, named } => {
                let value = mapping::json(bytes)?;
                let id = match value.get("id") {
                    Some(Value::String(id)) => Some(id.clone()),
                    Some(Value::Number(id)) => Some(id.to_string()),
                    Some(Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_)) | None => None,
                };
                if let Some(id) = id.filter(|_| *named) {
                    self.same(&id, request)?;
                }
                mapping::response(mapping, &value, self.corpora.of(request.suite).as_deref())?
            }
        };
        response.id = request.id.to_owned().into();
        response.repeat = request.repeat;
        response.suite = None;
        Ok(response)
    }

    /// A response in the shape of our own recordings.
    fn own(&self, bytes: &[u8], request: Request<'_>) -> Result<OwnedResponse, Failure> {
        let unmapped = |what: String| Failure::new(FailureKind::Unmapped, what);
        let Ok(text) = std::str::from_utf8(bytes) else { return Err(not_utf8()) };
        if let Err(e) = serde_json::from_str::<IgnoredAny>(text) {
            let why = response::plain_message(&e);
            let what = format!("not JSON: `{}` ({why})", words::quote(bytes, &self.secrets));
            return Err(Failure::new(FailureKind::NotJson, what));
        }
        let Some(members) = text.strip_prefix('{') else {
            return Err(unmapped(format!("no JSON object: `{}`", words::quote(bytes, &self.secrets))));
        };
        let id = serde_json::from_str::<Named<'_>>(text).ok().and_then(|n| n.id);
        let line = match id {
            Some(_) => Cow::Borrowed(text),
            None => {
                let comma = if members.trim_start().starts_with('}') { "" } else { "," };
                Cow::Owned(format!("{{\"id\":{}{comma}{members}", Value::from(request.id)))
            }
        };
        let response = response::parse(line.as_bytes()).map_err(|(_, why)| {
            unmapped(format!("not the shape of a response: {why}; map it with `response`, see docs/recordings.md"))
        })?;
        self.same(&response.id, request)?;
        Ok(response.into_owned())
    }

    /// Refuses the response to another question.
    fn same(&self, id: &str, request: Request<'_>) -> Result<(), Failure> {
        if id == request.id {
            return Ok(());
        }
        let id = words::quote(id.as_bytes(), &self.secrets);
        let what = format!("the program answered `{id}` when it was asked `{}`", request.id);
        Err(Failure::new(FailureKind::Process, what))
    }
}

fn text(bytes: &[u8]) -> Result<OwnedResponse, Failure> {
    let text = std::str::from_utf8(bytes).map_err(|_| not_utf8())?;
    Ok(OwnedResponse { answer: Answer::Text(text.trim_end().to_owned().into()), ..OwnedResponse::default() })
}

fn not_utf8() -> Failure {
    Failure::new(FailureKind::NotJson, "what the program printed is not UTF-8; it looks like Latin-1 or Windows-1252")
}

/// Whether the settings say nothing of where the parts of a response stand.
fn is_empty(m: &Mapping) -> bool {
    let fields =
        [&m.answer, &m.delta, &m.contexts, &m.citations, &m.refused, &m.error, &m.input_tokens, &m.output_tokens];
    !fields.iter().any(|f| f.is_mapped())
}
