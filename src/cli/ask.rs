//! `ragline ask`.

use super::{say, say_error, say_problems, today};
use anyhow::Result;
use clap::Args;
use ragline::core::Verdict;
use ragline::drive::session::{self, Answers, Conduct, Options, Typed};
use ragline::drive::stop::Stop;
use ragline::gate::Exit;
use ragline::layer::{Outcome, Weight};
use ragline::report::results;
use ragline::report::terminal::show::{ResultView, View, show};
use serde_json::value::RawValue;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// The question.
    question: String,

    /// Ask this target of ragline.toml.
    #[arg(long, env = "RAGLINE_TARGET")]
    target: Option<String>,

    /// Take language, corpus, target and allowed numbers from this suite; without it from the first one in the question's
    /// language.
    #[arg(long, value_name = "NAME")]
    suite: Option<String>,

    /// The language of the question.
    #[arg(long, value_name = "LANG")]
    language: Option<String>,

    /// A fact that the answer must state; may be given several times.
    #[arg(long, value_name = "FACT")]
    fact: Vec<String>,

    /// A refusal is expected.
    #[arg(long, conflicts_with = "fact")]
    refuse: bool,

    /// Show the passages whole.
    #[arg(long)]
    contexts: bool,

    /// Print one JSON object: the question, its result, the response.
    #[arg(long)]
    json: bool,
}

pub(crate) fn ask(folder: &Path, args: &AskArgs) -> Result<Exit> {
    let mut options = Options::new(folder, today(None));
    options.target.clone_from(&args.target);
    options.answers = Some(Answers::Live);
    let typed = Typed {
        question: args.question.clone(),
        suite: args.suite.clone(),
        language: args.language.clone(),
        facts: args.fact.clone(),
        refuse: args.refuse,
    };
    let conduct = Conduct { stop: Stop::on_signals().unwrap_or_default(), ..Conduct::default() };
    let asked = match session::ask(&options, &typed, conduct) {
        Ok(asked) => asked,
        Err(stop) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
    };
    if let Some((suite, of)) = asked.suite.as_ref().filter(|(_, of)| *of > 1 && args.suite.is_none()) {
        say_error(&format!(
            "asked like suite `{suite}` of {of}: target {}, language {}; --suite NAME takes another",
            asked.target, asked.language
        ));
    }
    let line = results::line_of(&asked.report)?;
    if args.json {
        #[derive(serde::Serialize)]
        struct Shown<'a> {
            question: &'a str,
            target: &'a str,
            result: &'a RawValue,
            response: Option<&'a ragline::target::response::OwnedResponse>,
        }
        let shown = Shown {
            question: &args.question,
            target: &asked.target,
            result: serde_json::from_str(&line)?,
            response: asked.response.as_ref(),
        };
        say(&format!("{}\n", serde_json::to_string(&shown)?))?;
    } else {
        let result = serde_json::from_str::<ResultView>(&line)?.without_baseline();
        let faults = asked.report.layers.iter().flat_map(|(_, l)| &l.result.findings);
        let failed = faults.filter(|f| f.weight == Weight::Fault).map(|f| f.message.as_str()).next();
        say(&show(
            &View {
                name: &asked.target,
                place: &asked.language,
                question: &args.question,
                expected: &[],
                result: &result,
                response: asked.response.as_ref(),
                failed,
                was: None,
                contexts: args.contexts,
                from: "",
                labels: &[],
            },
            super::look(),
        ))?;
    }
    Ok(match (&asked.report.verdict, asked.report.outcome) {
        (_, Outcome::Unmeasured) => {
            say_error("the question could not be measured: exit 3");
            Exit::Incomplete
        }
        // What asserts nothing is only looked at.
        _ if args.fact.is_empty() && !args.refuse => Exit::Open,
        (Verdict::Failed, _) | (_, Outcome::Fail) => Exit::Closed,
        (Verdict::Passed | Verdict::Skipped(_) | Verdict::Incomplete, Outcome::Pass | Outcome::Skipped(_)) => {
            Exit::Open
        }
    })
}
