//! What each test shows: the verdicts of a finished run, and nothing more.

use crate::core::machine::Finished;
use crate::core::{QuestionReport, Verdict};
use crate::gate::{ADVISED, RuleVerdict};
use crate::report::story;
use serde::{Deserialize, Serialize};

/// One test.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shown {
    /// `suite::id` or `gate::RULE`.
    pub name: String,
    /// How it is shown.
    #[serde(rename = "as")]
    pub as_: ShownAs,
    /// Why it fails or is ignored; empty for a test that is ok.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// How a test is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShownAs {
    /// `ok`.
    Ok,
    /// `FAILED`.
    Failed,
    /// `ignored`.
    Ignored,
}

/// The longest story of a test, in bytes.
const STORY: usize = 4096;

/// The tests of a finished run, questions first, with the stories of those that fail.
pub fn of(finished: &Finished) -> Vec<Shown> {
    tests(finished, story::text)
}

/// The same as the record of a run keeps it: without the answers, which stand in the other files of its folder.
pub fn for_record(finished: &Finished) -> Vec<Shown> {
    tests(finished, story::brief)
}

type Story = fn(&QuestionReport, usize) -> String;

fn tests(finished: &Finished, story: Story) -> Vec<Shown> {
    let questions = finished.reports.iter().map(|r| question(r, story));
    let rules = finished.decision.rules.iter().map(|r| {
        let (as_, text) = match r.verdict {
            RuleVerdict::Holds => (ShownAs::Ok, String::new()),
            RuleVerdict::Advised(_) => (ShownAs::Ignored, format!("{ADVISED}: {}", r.message)),
            RuleVerdict::Broken(_) => (ShownAs::Failed, r.message.clone()),
            RuleVerdict::NotEvaluated => (ShownAs::Ignored, r.message.clone()),
        };
        Shown { name: format!("gate::{}", r.name), as_, text }
    });
    questions.chain(rules).collect()
}

fn question(r: &QuestionReport, story: Story) -> Shown {
    let name = format!("{}::{}", r.suite, r.id);
    let (as_, text) = match &r.verdict {
        Verdict::Passed => (ShownAs::Ok, String::new()),
        Verdict::Failed | Verdict::Incomplete => (ShownAs::Failed, story(r, STORY)),
        Verdict::Skipped(why) => (ShownAs::Ignored, why.clone()),
    };
    Shown { name, as_, text }
}
