//! The demo shop for tests: its accepted answers, and a target that answers from a table.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "each test file uses a part of it"
)]

use jiff::civil::{Date, date};
use ragline::core::machine::Finished;
use ragline::core::plan::Plan;
use ragline::drive::Driver;
use ragline::drive::session::{self, Options};
use ragline::layer::Provides;
use ragline::target::recorded::Recorded;
use ragline::target::response::{self, OwnedResponse};
use ragline::target::{Pending, Reply, Request, Target};
use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::sync::Arc;

pub const SUITES: [&str; 4] = ["shop-vi", "shop-en", "shop-th", "shop-zh"];

pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every day is as good: no known failure of the shop has an end.
pub fn today() -> Date {
    date(2026, 11, 30)
}

/// False, with a loud line, where the demo shop is not there (a packaged crate).
pub fn there_is_a_shop() -> bool {
    let there = root().join("fixtures/shop").is_dir() && root().join("suites/shop-vi.yaml").is_file();
    if !there {
        println!("SKIPPED: there is no demo shop");
    }
    there
}

/// The responses of a recording, by id.
pub fn recording(path: &Path) -> BTreeMap<String, OwnedResponse> {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().skip(1).filter(|l| !l.trim().is_empty());
    lines.map(|l| response::parse(l.as_bytes()).unwrap().into_owned()).map(|r| (r.id.to_string(), r)).collect()
}

/// The accepted answers of a suite, by id.
pub fn accepted(suite: &str) -> BTreeMap<String, OwnedResponse> {
    recording(&root().join(format!("suites/{suite}.accepted.jsonl")))
}

/// Answers from a table, each the response of its question.
#[derive(Debug, Default, Clone)]
pub struct Table(pub BTreeMap<String, OwnedResponse>);

impl Target for Table {
    fn name(&self) -> &str {
        "table"
    }

    fn provides(&self) -> Provides {
        Provides::ALL
    }

    fn subject(&self) -> Option<String> {
        None
    }

    fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
        let reply = match self.0.get(request.id) {
            Some(r) => Reply::Response(OwnedResponse { id: request.id.to_owned().into(), ..r.clone() }),
            None => Reply::Missing("the table does not hold it".into()),
        };
        Box::pin(std::future::ready(reply))
    }
}

/// The plan of a run of one suite.
pub fn plan(suite: &str) -> Arc<Plan> {
    plan_of(suite, None)
}

/// The plan of a run of one suite, or of some of its questions (`suite::id`).
pub fn plan_of(suite: &str, only: Option<HashSet<String>>) -> Arc<Plan> {
    let mut options = Options::new(root(), today());
    options.selectors = vec![suite.to_owned()];
    options.only = only;
    options.keep = false;
    session::prepare(&options, Some(Arc::new(Table::default())), None).unwrap().plan
}

/// Drives a plan of one suite against a target, with its accepted answers at hand.
pub fn drive(plan: &Arc<Plan>, target: impl Target + 'static) -> Finished {
    let name = &plan.suites[0].suite.name;
    let path = root().join(format!("suites/{name}.accepted.jsonl"));
    let accepted = Recorded::open(name, &path, name, None).unwrap();
    let mut driver = Driver::new(Arc::clone(plan), vec![Arc::new(target)], vec![Some(Arc::new(accepted))]);
    driver.threads = 2;
    driver.run().unwrap()
}
