//! Command targets as a user writes them: settings and a script in a folder of their own.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

use crate::process_kit::environment;
use ragline::problem::Problems;
use ragline::suite::config::{self, TargetKind};
use ragline::target::response::{Answer, OwnedResponse};
use ragline::target::{Corpora, Failure, FailureKind, Reply, Request, Surroundings, Target, command};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A target whose program is `sh bot.sh` where the settings name no other, in a folder that is removed at the end.
pub(crate) struct Bot {
    pub(crate) target: Arc<dyn Target>,
    pub(crate) dir: TempDir,
}

/// The secret of the tests, which settings reach as `${KEY}`.
pub(crate) const KEY: &str = "sk-\"very\" secret";

/// The target of these settings.
pub(crate) fn try_bot(settings: &str, script: &str) -> Result<Bot, Problems> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("bot.sh"), script).unwrap();
    let named = settings.lines().any(|l| l.starts_with("command"));
    let program = if named { "" } else { "command = [\"sh\", \"bot.sh\"]\n" };
    let text = format!("version = 1\n[targets.bot]\nkind = \"command\"\n{program}{settings}\n");
    std::fs::write(dir.path().join("ragline.toml"), text).unwrap();
    let (project, _) = config::load(dir.path())?;
    let settings = &project.targets["bot"];
    let TargetKind::Command(config) = &settings.kind else { panic!("{settings:?}") };
    let environment = environment(&[("KEY", KEY), ("PORT", "80")]);
    let around = Surroundings {
        name: "bot",
        provides: settings.provides,
        concurrency: settings.concurrency,
        subject: None,
        environment: &environment,
        corpora: Corpora::default(),
    };
    Ok(Bot { target: command::open(config, &around)?, dir })
}

/// The target of settings that are right.
pub(crate) fn bot(settings: &str, script: &str) -> Bot {
    try_bot(settings, script).unwrap_or_else(|e| panic!("{e:?}"))
}

/// The code and the title of the only problem of settings that are wrong.
pub(crate) fn problem(settings: &str) -> (&'static str, String) {
    let Err(problems) = try_bot(settings, "") else { panic!("nothing is wrong with {settings}") };
    let [p] = problems.0.as_slice() else { panic!("{problems:?}") };
    (p.code, p.title.clone())
}

/// A question whose id is its text.
pub(crate) fn question(text: &str) -> Request<'_> {
    Request::new("shop", text, text)
}

impl Bot {
    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// A file that the program wrote.
    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Asks one question.
    pub(crate) async fn ask(&self, request: Request<'_>) -> Result<OwnedResponse, Failure> {
        // No test waits for ever.
        match tokio::time::timeout(Duration::from_secs(60), self.target.ask(request)).await.unwrap() {
            Reply::Response(r) => Ok(r),
            Reply::Failed(f) => Err(f),
            other @ (Reply::Line { .. } | Reply::Missing(_)) => panic!("{other:?}"),
        }
    }

    /// The answer to a question.
    pub(crate) async fn answer(&self, text: &str) -> String {
        answer(&self.ask(question(text)).await.unwrap_or_else(|f| panic!("{f:?}"))).to_owned()
    }

    /// How a question fails.
    pub(crate) async fn fails(&self, text: &str) -> (FailureKind, String) {
        let f = self.ask(question(text)).await.unwrap_err();
        (f.kind, f.why)
    }
}

/// The text of an answer.
pub(crate) fn answer(response: &OwnedResponse) -> &str {
    match &response.answer {
        Answer::Text(t) => t,
        other @ (Answer::Absent | Answer::Null) => panic!("{other:?}"),
    }
}
