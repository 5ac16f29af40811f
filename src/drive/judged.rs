//! Answers what inquests ask: from the replies that are known, else by calls of the judge's endpoint.

use super::live::calls::Calls;
use super::stop::Stop;
use crate::judge::cache::{self, Cache};
use crate::judge::elicit::{Elicitation, Elicited};
use crate::judge::inquest::{Ask, Found, Inquest, Terms};
use crate::judge::metrics::{Generated, Lost, Measured, answer_relevancy};
use crate::judge::reply::Heard;
use crate::judge::wire::{Call, Said};
use crate::target::{Reply, Request, Target};
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::JoinSet;

/// A judge that can be asked.
pub struct Bench {
    calls: Calls,
    /// The identity of the judge as far as it is known before the first reply.
    judge: String,
    terms: Terms,
    seed: u64,
    /// Which of several runs of the same questions this is, from 0.
    repeat: u32,
    cache: Mutex<Cache>,
    made: AtomicUsize,
    known: AtomicUsize,
    names: Mutex<BTreeSet<String>>,
    stop: Stop,
}

/// What a judge cost.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cost {
    /// Calls that were made.
    pub made: usize,
    /// Calls whose reply was known.
    pub known: usize,
    /// The models that answered, by their own names.
    pub models: Vec<String>,
}

/// What came of answer relevancy.
#[derive(Debug, Clone, PartialEq)]
pub struct Relevancy {
    /// The mean cosine.
    pub measured: Measured<f64>,
    /// The vector of the question that was asked; empty where none came.
    pub asked: Vec<f64>,
    /// The questions that were made of the answer.
    pub generated: Vec<Generated>,
}

impl Default for Relevancy {
    fn default() -> Self {
        let none = Lost::TooFewKnown { known: 0, asked: 0 };
        Relevancy { measured: Measured::Unmeasured(none), asked: Vec::new(), generated: Vec::new() }
    }
}

impl Bench {
    /// A judge behind a target of judge's calls, with the replies that are known; nothing for a target that says nothing of
    /// how it wants to be asked.
    pub fn new(
        target: Arc<dyn Target>,
        judge: String,
        terms: Terms,
        seed: u64,
        cache: Cache,
        stop: Stop,
    ) -> Option<Bench> {
        Some(Bench {
            calls: Calls::new(target)?,
            judge,
            terms,
            seed,
            repeat: 0,
            cache: Mutex::new(cache),
            made: AtomicUsize::new(0),
            known: AtomicUsize::new(0),
            names: Mutex::default(),
            stop,
        })
    }

    /// The same for another run of the same questions: replies are not shared between runs.
    #[must_use]
    pub fn repeat(self, repeat: u32) -> Bench {
        Bench { repeat, ..self }
    }

    /// Conducts these inquests, all at once as far as the endpoint takes it, and gives what they came to, in their order.
    pub async fn conduct(self: &Arc<Self>, inquests: Vec<Inquest>) -> Vec<Found> {
        let mut tasks = JoinSet::new();
        for (i, inquest) in inquests.into_iter().enumerate() {
            let bench = Arc::clone(self);
            tasks.spawn(async move { (i, bench.one(inquest).await) });
        }
        let mut found: Vec<(usize, Found)> = Vec::new();
        while let Some(done) = tasks.join_next().await {
            match done {
                Ok(done) => found.push(done),
                // A panic is a defect of ours, and is shown as one.
                Err(e) if e.is_panic() => std::panic::resume_unwind(e.into_panic()),
                Err(_) => {}
            }
        }
        found.sort_by_key(|(i, _)| *i);
        found.into_iter().map(|(_, f)| f).collect()
    }

    /// What it cost so far.
    pub fn cost(&self) -> Cost {
        Cost {
            made: self.made.load(Ordering::Relaxed),
            known: self.known.load(Ordering::Relaxed),
            models: lock(&self.names).iter().cloned().collect(),
        }
    }

    /// The replies that are known now.
    pub fn cache(&self) -> Cache {
        lock(&self.cache).clone()
    }

    async fn one(self: Arc<Self>, mut inquest: Inquest) -> Found {
        let mut tasks: JoinSet<(Ask, Heard)> = JoinSet::new();
        loop {
            for ask in inquest.asks() {
                let bench = Arc::clone(&self);
                tasks.spawn(async move {
                    let heard = bench.hear(&ask, bench.seed).await;
                    (ask, heard)
                });
            }
            match tasks.join_next().await {
                Some(Ok((ask, heard))) => inquest.give(&ask, &heard, self.terms),
                Some(Err(e)) if e.is_panic() => std::panic::resume_unwind(e.into_panic()),
                Some(Err(_)) => {}
                None => return inquest.finish(),
            }
        }
    }

    /// Answer relevancy: the questions that the judge makes of an answer, by their vectors, against the one that was asked.
    /// The answer is no refusal. With the vectors, for the random line of the suite: of the asked question, and of those made.
    pub async fn relevancy(&self, question: &str, elicitation: Elicitation) -> Relevancy {
        let elicited = self.elicit(elicitation).await;
        let lost = |why: String| Relevancy { measured: Measured::Unmeasured(Lost::Judge(why)), ..Relevancy::default() };
        let made: Vec<&str> = elicited.questions.iter().flatten().map(|q| q.question.as_str()).collect();
        if made.is_empty() {
            return lost(elicited.lost.unwrap_or_else(|| "the judge made no question of the answer".to_owned()));
        }
        let texts = [question].into_iter().chain(made).map(str::to_owned).collect();
        let vectors = match self.call(&Call::Embed { texts }).await {
            Ok(Said::Embed(vectors)) => vectors,
            Ok(Said::Chat(_)) => return lost("a reply came where vectors were asked for".to_owned()),
            Err(why) => return lost(why),
        };
        let mut vectors = vectors.into_iter();
        let asked = vectors.next().unwrap_or_default();
        let generated: Vec<Option<Generated>> = elicited
            .questions
            .iter()
            .map(|q| Some(Generated { noncommittal: q.as_ref()?.noncommittal, vector: vectors.next()? }))
            .collect();
        let measured = match (answer_relevancy(&asked, &generated), elicited.lost) {
            (Measured::Unmeasured(_), Some(why)) => Measured::Unmeasured(Lost::Judge(why)),
            (measured, _) => measured,
        };
        Relevancy { measured, asked, generated: generated.into_iter().flatten().collect() }
    }

    async fn elicit(&self, mut elicitation: Elicitation) -> Elicited {
        loop {
            let asks = elicitation.asks();
            if asks.is_empty() {
                return elicitation.finish();
            }
            for ask in asks {
                let heard = self.hear(&ask, self.seed + ask.call as u64).await;
                elicitation.give(&ask, &heard);
            }
        }
    }

    async fn hear(&self, ask: &Ask, seed: u64) -> Heard {
        let prompt = &ask.prompt;
        let call = Call::Chat { prompt: prompt.text.clone(), schema: prompt.schema.clone(), seed };
        match self.call(&call).await {
            Ok(Said::Chat(completion)) => Heard::Reply(completion.into()),
            Ok(Said::Embed(_)) => Heard::Failed("vectors came where a reply was asked for".to_owned()),
            Err(why) => Heard::Failed(why),
        }
    }

    /// What is said to a call: known already, or asked for.
    ///
    /// # Errors
    /// Why nothing was said, in one line.
    pub async fn call(&self, call: &Call) -> Result<Said, String> {
        let key = cache::key(&self.judge, call, self.repeat);
        let known = lock(&self.cache).get(&key).cloned();
        if let Some(said) = known {
            self.known.fetch_add(1, Ordering::Relaxed);
            self.remember(&said);
            return Ok(said);
        }
        if self.stop.is_stopped() {
            return Err("the run was ended from outside before this was asked".to_owned());
        }
        let body = serde_json::to_string(call).map_err(|e| e.to_string())?;
        self.made.fetch_add(1, Ordering::Relaxed);
        let reply = tokio::select! {
            biased;
            () = self.stop.stopped() => return Err("the run was ended from outside before this was answered".to_owned()),
            reply = self.calls.ask(Request::new("judge", "judge", &body)) => reply,
        };
        let said = match reply {
            Reply::Line { bytes, .. } => serde_json::from_slice::<Said>(&bytes).map_err(|e| e.to_string())?,
            Reply::Failed(failure) => return Err(failure.why),
            Reply::Response(_) | Reply::Missing(_) => return Err("this target is no judge".to_owned()),
        };
        self.remember(&said);
        lock(&self.cache).keep(key, said.clone());
        Ok(said)
    }

    fn remember(&self, said: &Said) {
        if let Said::Chat(c) = said
            && let Some(name) = &c.model
        {
            lock(&self.names).insert(name.clone());
        }
    }
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}
