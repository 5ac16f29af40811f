//! The builtin target as something that can be asked by the driver.

use super::builtin::Builtin;
use super::{Pending, Reply, Request, Target};
use crate::layer::Provides;
use crate::layer::retrieval::random::Holdings;
use std::sync::Arc;

/// The builtin target under a name.
#[derive(Debug)]
pub struct Local {
    name: String,
    builtin: Builtin,
    concurrency: usize,
}

impl Local {
    /// The builtin target under a name.
    pub fn new(name: &str, builtin: Builtin, concurrency: usize) -> Self {
        Local { name: name.to_owned(), builtin, concurrency }
    }
}

impl Target for Local {
    fn name(&self) -> &str {
        &self.name
    }

    fn provides(&self) -> Provides {
        Provides::ALL
    }

    fn subject(&self) -> Option<String> {
        Some(self.builtin.subject())
    }

    fn passages(&self) -> Option<usize> {
        Some(self.builtin.passages())
    }

    fn holdings(&self) -> Option<Arc<Holdings>> {
        Some(Arc::new(self.builtin.holdings()))
    }

    fn concurrency(&self) -> usize {
        self.concurrency
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        let mut response = self.builtin.ask(request.question);
        response.id = request.id.to_owned().into();
        Box::pin(std::future::ready(Reply::Response(response)))
    }
}
