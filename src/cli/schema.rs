//! `ragline schema`.

use super::say;
use anyhow::{Result, bail};
use clap::Args;
use ragline::gate::Exit;
use ragline::suite::schema as schemas;

#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Which format: suite, responses, ragline, thresholds, labels or decisions.
    #[arg(value_name = "KIND")]
    kind: String,
}

pub(crate) fn schema(args: &SchemaArgs) -> Result<Exit> {
    match schemas::schema(&args.kind) {
        Some(text) => {
            say(&text)?;
            Ok(Exit::Open)
        }
        None => bail!("no schema `{}`; there are: {}", args.kind, schemas::KINDS.join(", ")),
    }
}
