//! `ragline explain`.

use super::say;
use anyhow::{Result, bail};
use clap::Args;
use ragline::gate::Exit;
use ragline::layer::Code;
use ragline::problem::near::or_near;
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
            let near = or_near(code, Code::ALL.iter().map(|c| c.as_str()));
            bail!("there is no finding `{code}`{near}")
        }
    }
}
