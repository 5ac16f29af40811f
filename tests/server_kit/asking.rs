//! A target as `ragline.toml` writes it, asked without the driver.

use ragline::problem::Problems;
use ragline::suite::config::{TargetKind, load_file};
use ragline::suite::corpus::Corpus;
use ragline::target::response::{Answer, OwnedResponse};
use ragline::target::{Corpora, Environment, Failure, Reply, Request, Surroundings, Target, http};
use std::sync::Arc;

/// Opens the http target whose settings these lines are; the variables are all there are.
pub(crate) fn open_in(
    lines: &str,
    variables: &[(&str, &str)],
    corpus: Option<&Arc<Corpus>>,
) -> Result<Arc<dyn Target>, Problems> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ragline.toml");
    std::fs::write(&path, format!("version = 1\n[targets.shop]\nkind = \"http\"\n{lines}\n")).unwrap();
    let (project, _) = load_file(&path, "ragline.toml")?;
    let target = &project.targets["shop"];
    let TargetKind::Http(config) = &target.kind else { panic!("no http target") };
    let environment: Environment = variables.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    http::open(
        config,
        &Surroundings {
            name: "shop",
            provides: target.provides,
            concurrency: target.concurrency,
            subject: None,
            environment: &environment,
            corpora: corpus.cloned().map_or_else(Corpora::default, Corpora::for_every_suite),
        },
    )
}

/// The same without variables and corpus, where it opens.
#[track_caller]
pub(crate) fn open(lines: &str) -> Arc<dyn Target> {
    open_in(lines, &[], None).unwrap_or_else(|p| panic!("{p}"))
}

/// What is wrong with these settings.
#[track_caller]
pub(crate) fn refused(lines: &str, variables: &[(&str, &str)]) -> String {
    match open_in(lines, variables, None) {
        Ok(_) => panic!("opened:\n{lines}"),
        Err(p) => p.to_string(),
    }
}

/// A runtime as the driver has one.
pub(crate) fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

/// The reply to one question.
pub(crate) fn ask(target: &Arc<dyn Target>, question: &str) -> Reply {
    runtime().block_on(target.ask(Request::new("shop", "q1", question)))
}

/// The response to one question.
#[track_caller]
pub(crate) fn response(target: &Arc<dyn Target>, question: &str) -> OwnedResponse {
    match ask(target, question) {
        Reply::Response(r) => r,
        other @ (Reply::Line { .. } | Reply::Missing(_) | Reply::Failed(_)) => panic!("{other:?}"),
    }
}

/// The text of a response's answer.
#[track_caller]
pub(crate) fn answer(response: &OwnedResponse) -> &str {
    match &response.answer {
        Answer::Text(t) => t,
        other @ (Answer::Absent | Answer::Null) => panic!("{other:?}"),
    }
}

/// The failure of one question.
#[track_caller]
pub(crate) fn failure(target: &Arc<dyn Target>, question: &str) -> Failure {
    match ask(target, question) {
        Reply::Failed(f) => f,
        other @ (Reply::Line { .. } | Reply::Missing(_) | Reply::Response(_)) => panic!("{other:?}"),
    }
}
