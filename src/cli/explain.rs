//! `ragline explain`.

use super::say;
use anyhow::{Result, bail};
use clap::Args;
use ragline::gate::Exit;
use ragline::layer::Code;
use ragline::problem::manual;
use ragline::problem::near::did_you_mean;
use ragline::report::explain as pages;

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The code, as reports and messages print it; none: the list of codes.
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(crate) fn explain(args: &ExplainArgs) -> Result<Exit> {
    let text = match &args.code {
        None => list(),
        Some(code) => match page(code) {
            Some(text) => text,
            None => bail!("there is no code `{code}`{}", near(code)),
        },
    };
    say(&text)?;
    Ok(Exit::Open)
}

/// What the manual says of a code. A few codes are both: what is known before a run, and what is found in it.
fn page(code: &str) -> Option<String> {
    match (pages::page(code), manual::section(code)) {
        (None, None) => None,
        (Some(finding), None) => Some(finding.to_owned()),
        (None, Some(problem)) => Some(format!("# {code}\n\n{}\n", problem.text)),
        (Some(finding), Some(problem)) => Some(format!("{finding}\n## When the suite is read\n\n{}\n", problem.text)),
    }
}

fn list() -> String {
    let findings = Code::ALL.iter().map(|c| format!("{c:<26} {}\n", c.summary()));
    let problems = manual::sections().map(|s| format!("{:<26} {}\n", s.code, s.first_sentence()));
    std::iter::once("Findings: what is said of an answer\n\n".to_owned())
        .chain(findings)
        .chain(std::iter::once("\nSet-up: what is wrong with a file or a command\n\n".to_owned()))
        .chain(problems)
        .collect()
}

/// The nearest code of either kind.
fn near(code: &str) -> String {
    let finding = did_you_mean(code, Code::ALL.iter().map(|c| c.as_str()));
    let problem = did_you_mean(code, manual::sections().map(|s| s.code));
    match (finding, problem) {
        (None, None) => "; `ragline explain` lists them".to_owned(),
        (Some(one), Some(other)) if one != other => format!("; did you mean `{one}` or `{other}`?"),
        (Some(one), Some(_) | None) | (None, Some(one)) => format!("; did you mean `{one}`?"),
    }
}
