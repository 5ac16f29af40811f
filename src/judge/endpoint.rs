//! A judge's endpoint over HTTP, as a target: it takes [calls](Call), and gives what was said as a line of JSON.
//!
//! It is a target so that the driver asks it with the same budgets, retries, pauses and redaction as any other. What it
//! learns of the endpoint's manner it keeps for the run; until a first reply came, one call is made at a time, so that a
//! refusal is met once.

use super::wire::{Call, Manner, Said, chat, embeddings};
use crate::layer::Provides;
use crate::problem::Problems;
use crate::suite::config::live::HttpConfig;
use crate::target::http::Http;
use crate::target::{Failure, FailureKind, Pending, Reply, Request, Surroundings, Target, mapping};
use serde_json::Value;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// The settings of a judge's endpoint.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The address for chat completions, with its headers, time-outs and the rest.
    pub chat: HttpConfig,
    /// The model that is asked for.
    pub model: String,
    /// The most tokens of a reply.
    pub reply_tokens: usize,
    /// The address for embeddings and their model, where there are any.
    pub embeddings: Option<(HttpConfig, String)>,
}

/// A judge's endpoint.
#[derive(Debug)]
pub struct Endpoint {
    chat: Http,
    model: String,
    reply_tokens: usize,
    embeddings: Option<(Http, String)>,
    manner: Mutex<Manner>,
    met: AtomicBool,
    meeting: tokio::sync::Mutex<()>,
}

impl Endpoint {
    /// Opens an endpoint. Nothing is asked yet.
    ///
    /// # Errors
    /// As for [`Http::new`].
    pub fn new(settings: &Settings, around: &Surroundings<'_>) -> Result<Endpoint, Problems> {
        let embeddings = match &settings.embeddings {
            Some((config, model)) => Some((Http::new(config, around)?, model.clone())),
            None => None,
        };
        Ok(Endpoint {
            chat: Http::new(&settings.chat, around)?,
            model: settings.model.clone(),
            reply_tokens: settings.reply_tokens,
            embeddings,
            manner: Mutex::default(),
            met: AtomicBool::new(false),
            meeting: tokio::sync::Mutex::new(()),
        })
    }

    /// What was learned of how it wants to be asked.
    pub fn manner(&self) -> Manner {
        *self.manner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn said(&self, request: Request<'_>) -> Result<Said, Failure> {
        let call: Call = serde_json::from_str(request.question)
            .map_err(|e| Failure::new(FailureKind::Template, format!("this is no call of a judge: {e}")))?;
        match call {
            Call::Chat { prompt, schema, seed } => {
                if self.met.load(Ordering::Relaxed) {
                    return self.completion(request, &prompt, &schema, seed).await.map(Said::Chat);
                }
                let meeting = self.meeting.lock().await;
                if self.met.load(Ordering::Relaxed) {
                    drop(meeting);
                    return self.completion(request, &prompt, &schema, seed).await.map(Said::Chat);
                }
                let said = self.completion(request, &prompt, &schema, seed).await;
                self.met.fetch_or(said.is_ok(), Ordering::Relaxed);
                said.map(Said::Chat)
            }
            Call::Embed { texts } => self.vectors(request, &texts).await.map(Said::Embed),
        }
    }

    /// Asks until nothing that can be left out is refused any more.
    async fn completion(
        &self,
        request: Request<'_>,
        prompt: &str,
        schema: &Value,
        seed: u64,
    ) -> Result<chat::Completion, Failure> {
        loop {
            let manner = self.manner();
            let body = chat::request(&self.model, prompt, schema, seed, self.reply_tokens, manner);
            let refused = match self.chat.post(request, &body).await {
                Ok(raw) => return chat::read(raw.values.first().unwrap_or(&Value::Null)),
                Err(refused) => refused,
            };
            let learned = refused.said.and_then(|(status, body)| manner.after(status, &body));
            let Some(next) = learned else { return Err(refused.failure) };
            let mut known = self.manner.lock().unwrap_or_else(PoisonError::into_inner);
            // Another call may have learned the same, or more.
            if *known == manner {
                *known = next;
            }
        }
    }

    /// The vectors of texts; where a batch comes back unfit, those of each text alone.
    async fn vectors(&self, request: Request<'_>, texts: &[String]) -> Result<Vec<Vec<f64>>, Failure> {
        let unfit = |why: String| Failure::new(FailureKind::Unmapped, format!("the embeddings cannot be used: {why}"));
        match self.batch(request, texts).await? {
            Ok(vectors) => Ok(vectors),
            Err(why) if texts.len() < 2 => Err(unfit(why)),
            Err(_) => {
                let mut all: Vec<Vec<f64>> = Vec::new();
                for text in texts {
                    all.extend(self.batch(request, std::slice::from_ref(text)).await?.map_err(unfit)?);
                }
                let dimension = all.first().map_or(0, Vec::len);
                match all.iter().find(|v| v.len() != dimension) {
                    Some(v) => Err(unfit(format!("vectors of {dimension} and of {} numbers came", v.len()))),
                    None => Ok(all),
                }
            }
        }
    }

    async fn batch(&self, request: Request<'_>, texts: &[String]) -> Result<Result<Vec<Vec<f64>>, String>, Failure> {
        let Some((http, model)) = &self.embeddings else {
            return Err(Failure::new(FailureKind::Template, "no endpoint for embeddings is named"));
        };
        if texts.iter().any(|t| t.trim().is_empty()) {
            return Err(Failure::new(FailureKind::Template, "a blank text has no embedding"));
        }
        let raw = http.post(request, &embeddings::request(model, texts)).await.map_err(|r| r.failure)?;
        let value = raw.values.first().unwrap_or(&Value::Null);
        if value.get("data").is_none() && mapping::of_body(value).is_some() {
            return Err(mapping::error_event(value));
        }
        Ok(embeddings::read(value, texts.len()))
    }
}

impl Target for Endpoint {
    fn name(&self) -> &str {
        self.chat.name()
    }

    fn provides(&self) -> Provides {
        Provides { answer: true, contexts: false, citations: false }
    }

    fn subject(&self) -> Option<String> {
        None
    }

    fn inner(&self) -> Option<&dyn Target> {
        Some(&self.chat)
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        Box::pin(async move {
            let said = self.said(request).await;
            let bytes =
                said.and_then(|s| serde_json::to_vec(&s).map_err(|e| Failure::new(FailureKind::Other, e.to_string())));
            match bytes {
                Ok(bytes) => Reply::Line { bytes, line: 0 },
                Err(failure) => Reply::Failed(failure),
            }
        })
    }
}
