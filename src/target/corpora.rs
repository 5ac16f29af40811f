//! The corpora from which passages that come without text take it.

use crate::suite::corpus::Corpus;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The corpora of the suites that share a target, by suite; one target, with one server and one limit of its concurrency,
/// serves them all. Suites may be added after the target was opened, until the first question. A clone looks at the same
/// corpora.
#[derive(Debug, Clone, Default)]
pub struct Corpora {
    every: Option<Arc<Corpus>>,
    own: Arc<RwLock<HashMap<Arc<str>, Arc<Corpus>>>>,
}

impl Corpora {
    /// One corpus, whatever the suite.
    pub fn for_every_suite(corpus: Arc<Corpus>) -> Corpora {
        Corpora { every: Some(corpus), own: Arc::default() }
    }

    /// Adds the corpus of a suite.
    pub fn add(&self, suite: &Arc<str>, corpus: &Arc<Corpus>) {
        let mut own = self.own.write().unwrap_or_else(PoisonError::into_inner);
        own.insert(Arc::clone(suite), Arc::clone(corpus));
    }

    /// The corpus of a suite, where it has one.
    pub fn of(&self, suite: &str) -> Option<Arc<Corpus>> {
        let own = self.own.read().unwrap_or_else(PoisonError::into_inner);
        own.get(suite).or(self.every.as_ref()).cloned()
    }
}
