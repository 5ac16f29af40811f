//! `ragline explain`.

use super::say;
use anyhow::{Result, bail};
use clap::Args;
use ragline::gate::Exit;
use ragline::layer::Code;
use ragline::problem::near::did_you_mean;
use ragline::report::explain as pages;

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The code, as reports print it; none: the list of codes.
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(crate) fn explain(args: &ExplainArgs) -> Result<Exit> {
    let Some(code) = &args.code else {
        let list: String = Code::ALL.iter().map(|c| format!("{c:<26} {}\n", c.summary())).collect();
        say(&list)?;
        return Ok(Exit::Open);
    };
    match pages::page(code) {
        Some(text) => {
            say(text)?;
            Ok(Exit::Open)
        }
        None => {
            let near = did_you_mean(code, Code::ALL.iter().map(|c| c.as_str()));
            let near = near.map_or_else(String::new, |n| format!("; did you mean `{n}`?"));
            bail!("there is no finding `{code}`{near}")
        }
    }
}
