//! A target that is a program: one process a question, or one for all, a line of JSON in, a line out.

mod answer;
mod endings;
mod launch;
mod once;
mod pool;

use super::process::spawn;
use super::server::{Server, shown_program};
use super::template::{Escape, Template, Values, fresh};
use super::{Failure, FailureKind, Manners, Pending, Reply, Request, Surroundings, Target, clean, fill};
use crate::digest::Hasher;
use crate::layer::Provides;
use crate::problem::{Problem, Problems};
use crate::secret::{Secret, Secrets};
use crate::suite::config::live::{CommandConfig, EnvText, Output};
use crate::target::response::OwnedResponse;
use crate::target::{Closing, Opening};
use answer::Reading;
use endings::Endings;
use launch::{Launch, Limits};
use pool::Pool;
use serde::Serialize;
use std::sync::Arc;

/// A program that is asked.
struct Command {
    name: String,
    provides: Provides,
    concurrency: usize,
    subject: Option<String>,
    manners: Manners,
    /// The program and its arguments.
    words: Vec<Template>,
    /// What a process is given; none: the request as a line of JSON.
    stdin: Option<Template>,
    config: CommandConfig,
    reading: Reading,
    secrets: Arc<Secrets>,
    server: Server,
    /// Where one process answers all questions.
    pool: Option<Pool>,
    endings: Endings,
}

/// The request as a line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    id: &'a str,
    question: &'a str,
    suite: &'a str,
    repeat: u32,
    session: &'a str,
}

/// What is run and what it is given, with what of it may be shown.
struct Made {
    words: Vec<Secret>,
    input: Secret,
    shown: Vec<String>,
}

/// Opens a target. Nothing is asked yet.
///
/// # Errors
/// A variable of the environment that is not there, a template that is none, and what does not go together with one process
/// for all questions.
pub fn open(config: &CommandConfig, around: &Surroundings<'_>) -> Result<Arc<dyn Target>, Problems> {
    let mut problems = Problems::default();
    let mut compile = |text: &EnvText, escape| match Template::compile(text, escape, &config.vars, around.environment) {
        Ok(template) => Some(template),
        Err(p) => {
            problems.0.push(p);
            None
        }
    };
    let words: Vec<Template> = config.command.iter().filter_map(|t| compile(t, Escape::None)).collect();
    let stdin = config.stdin.as_ref().and_then(|t| compile(t, escape_of(&t.raw)));
    if config.persistent {
        problems.0.extend(not_persistent(config, &words));
    }
    let live = &config.live;
    let server = Server::new(live.start.as_ref(), live.ready.as_ref(), live.ready_within, around.environment)
        .map_err(|p| problems.0.push(p));
    let Ok(server) = server else { return Err(problems) };
    if !problems.0.is_empty() {
        return Err(problems);
    }
    let texts = config.command.iter().chain(&config.stdin);
    let texts = texts.chain(live.start.iter().flat_map(|s| &s.command)).chain(&live.ready);
    let secrets = Arc::new(Secrets::new(fill::secrets(texts, around.environment)));
    let reading = Reading::of(config, &around.corpora, &secrets);
    Ok(Arc::new(Command {
        name: around.name.to_owned(),
        provides: around.provides.unwrap_or_else(|| reading.provides()),
        concurrency: around.concurrency,
        subject: around.subject.clone(),
        manners: Manners {
            timeouts: live.timeouts,
            retries: live.retries,
            rate: live.rate,
            host: config.command.first().map_or_else(String::new, |w| w.raw.clone()),
            warm_up: live.warm_up,
        },
        words,
        stdin,
        config: config.clone(),
        reading,
        secrets,
        server,
        pool: config.persistent.then(|| Pool::new(around.concurrency)),
        endings: Endings::default(),
    }))
}

/// A text that begins as JSON does is JSON, and its values are escaped as such.
fn escape_of(raw: &str) -> Escape {
    let text = raw.trim_start();
    let is_object = text.strip_prefix('{').is_some_and(|rest| !rest.starts_with(['{', '%', '#']));
    if is_object || text.starts_with('[') { Escape::Json } else { Escape::None }
}

/// What does not go together with one process for all questions.
fn not_persistent(config: &CommandConfig, words: &[Template]) -> Vec<Problem> {
    let mut problems = Vec::new();
    let mut push = |text: Option<&EnvText>, title: &str, help: &str| {
        let place = text.map(|t| t.place.clone()).unwrap_or_default();
        problems.push(Problem::error("persistent-form", place, title).help(help));
    };
    if let Some(i) = words.iter().position(|w| !w.is_fixed()) {
        let title = "an argument depends on the question, and the process is started before there is one";
        push(config.command.get(i), title, "each question is given as a line of JSON on standard input");
    }
    if config.stdin.is_some() {
        let title = "`stdin` is for a process that answers one question";
        push(config.stdin.as_ref(), title, "without it each question is a line of JSON; or remove `persistent`");
    }
    if config.output == Output::Text {
        let title = "a process that answers all questions answers in lines of JSON, not in text";
        push(config.command.first(), title, "print {\"answer\": \"…\"} on one line, or remove `persistent`");
    }
    problems
}

impl Command {
    fn make(&self, request: Request<'_>, session: &str) -> Result<Made, Failure> {
        let Request { question, id, suite, language, repeat, within: _, fresh: _ } = request;
        let values = Values { question, id, suite, language, repeat, session };
        let (mut words, mut shown) = (Vec::new(), Vec::new());
        for word in &self.words {
            let rendered = word.render(&values)?;
            words.push(rendered.sent);
            shown.push(rendered.shown);
        }
        let input = match &self.stdin {
            Some(template) => {
                let rendered = template.render(&values)?;
                shown.push(rendered.shown);
                rendered.sent
            }
            None => {
                shown.push(line(request, "SESSION")?);
                Secret::new(line(request, session)? + "\n")
            }
        };
        Ok(Made { words, input, shown })
    }

    async fn attempt(&self, request: Request<'_>) -> Result<OwnedResponse, Failure> {
        if let Some(gone) = self.server.ended().await {
            return Err(gone);
        }
        let made = self.make(request, &fresh())?;
        let words: Vec<&str> = made.words.iter().map(Secret::expose).collect();
        let shown = shown_program(&self.config.command);
        let launch = Launch { words: &words, shown: &shown, folder: &self.config.folder, secrets: &self.secrets };
        let within = request.within.unwrap_or(self.config.live.timeouts.attempt);
        let limits = Limits { bytes: self.config.max_output, within };
        let input = made.input.expose();
        match &self.pool {
            Some(pool) => {
                let read = |bytes: &[u8]| self.reading.read(bytes, request);
                pool.ask(&launch, input, request.id, limits, &read, &self.endings).await
            }
            None => {
                let bytes = once::ask(&launch, input, limits, &self.endings).await?;
                if bytes.trim_ascii().is_empty() && self.config.output == Output::Json {
                    let what = format!("`{shown}` ended without an answer");
                    return Err(Failure::new(FailureKind::Process, what));
                }
                self.reading.read(&bytes, request)
            }
        }
    }
}

/// The request as JSON on one line.
fn line(request: Request<'_>, session: &str) -> Result<String, Failure> {
    let Request { question, id, suite, language: _, repeat, within: _, fresh: _ } = request;
    serde_json::to_string(&Line { id, question, suite, repeat, session })
        .map_err(|e| Failure::new(FailureKind::Template, format!("the request cannot be written as JSON: {e}")))
}

impl Target for Command {
    fn name(&self) -> &str {
        &self.name
    }

    fn provides(&self) -> Provides {
        self.provides
    }

    fn subject(&self) -> Option<String> {
        self.subject.clone()
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn manners(&self) -> Option<Manners> {
        Some(self.manners.clone())
    }

    fn key(&self, request: Request<'_>) -> Option<String> {
        let made = self.make(request, "").ok()?;
        let mut hasher = Hasher::default();
        hasher.field("command");
        // As the settings write it: where the project lies on this machine is no part of what is asked.
        hasher.field(&self.config.folder_shown);
        for part in &made.shown {
            hasher.field(part);
        }
        Some(hasher.digits(32))
    }

    fn secrets(&self) -> Option<Arc<Secrets>> {
        Some(Arc::clone(&self.secrets))
    }

    fn open(&self) -> Opening<'_> {
        Box::pin(self.server.open())
    }

    fn close(&self) -> Closing<'_> {
        Box::pin(async {
            if let Some(pool) = &self.pool {
                pool.close(&self.endings);
            }
            self.endings.all().await;
            self.server.close().await;
        })
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        Box::pin(async move {
            match self.attempt(request).await {
                Ok(mut response) => {
                    clean::response(&mut response, &self.secrets);
                    Reply::Response(response)
                }
                Err(f) => Reply::Failed(Failure { why: self.secrets.hide(&f.why).into_owned(), ..f }),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Escape, escape_of};

    #[test]
    fn what_begins_as_json_is_json() {
        for (raw, json) in [
            ("{\"q\": {{ question }}}", true),
            (" [{{ question }}]", true),
            ("{{ question }}", false),
            ("{% if id %}x{% endif %}", false),
            ("Q: {{ question }}", false),
        ] {
            assert_eq!(escape_of(raw), if json { Escape::Json } else { Escape::None }, "{raw}");
        }
    }
}
