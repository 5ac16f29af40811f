//! What stands beside the events of a run: what each question expects, and what the target returned.

use crate::core::QuestionReport;
use crate::core::machine::Finished;
use crate::drive::record;
use crate::report::wanted;
use crate::suite::Suite;
use crate::target::response::{self, OwnedResponse};
use crate::text::pack::Pack;
use std::collections::HashMap;
use std::path::Path;

/// What is known of a question besides its report; all of it may be missing.
#[derive(Debug, Default)]
pub struct Beside {
    /// The language of its suite, as a tag (`vi`); empty when not known.
    pub language: String,
    /// What it expects, a line each.
    pub expected: Vec<String>,
    /// The words that its evidence names.
    pub spans: Vec<String>,
    /// What the target returned.
    pub response: Option<OwnedResponse>,
}

impl Beside {
    /// The language pack of its suite.
    pub(super) fn pack(&self) -> Option<&'static Pack> {
        Pack::of(&crate::text::pack::Lang::new(&self.language)?)
    }
}

/// The same for every question of a run.
#[derive(Debug, Default)]
pub struct Besides(HashMap<(String, String), Beside>);

impl Besides {
    /// Adds what is known of a question.
    pub fn add(&mut self, suite: &str, id: &str, beside: Beside) {
        self.0.insert((suite.to_owned(), id.to_owned()), beside);
    }

    /// What the suites say of the questions of a run, and the responses that its folder holds. Whatever cannot be read is
    /// left out: the report is shorter, and right all the same.
    pub fn gather(finished: &Finished, suites: &[Suite], folder: Option<&Path>) -> Besides {
        let mut out = Besides::default();
        for q in &finished.reports {
            out.add(&q.suite, q.id.as_str(), said_of(q, suites));
        }
        let shown: HashMap<(&str, &str), u32> =
            finished.reports.iter().map(|q| ((&*q.suite, q.id.as_str()), q.shown_repeat)).collect();
        if let Some(folder) = folder {
            let _ = record::runs(folder, |suite, id, repeat, line| {
                if shown.get(&(suite, id)) == Some(&repeat)
                    && let Some(beside) = out.0.get_mut(&(suite.to_owned(), id.to_owned()))
                    && let Ok(response) = response::parse(line.as_bytes())
                {
                    beside.response = Some(response.into_owned());
                }
            });
        }
        out
    }

    pub(super) fn of(&self, q: &QuestionReport) -> Option<&Beside> {
        self.0.get(&(q.suite.to_string(), q.id.to_string()))
    }
}

fn said_of(q: &QuestionReport, suites: &[Suite]) -> Beside {
    let Some(suite) = suites.iter().find(|s| s.name == q.suite) else { return Beside::default() };
    let question = suite.questions.iter().find(|x| x.id == q.id);
    Beside {
        language: suite.language.to_string(),
        expected: question.map(wanted::lines).unwrap_or_default(),
        spans: question.map(|q| q.places().filter_map(|e| e.span.clone()).collect()).unwrap_or_default(),
        response: None,
    }
}
