//! `ragline init`.

use super::say;
use anyhow::{Context, Result, bail};
use clap::Args;
use ragline::gate::Exit;
use ragline::start;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The language of the first questions.
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = start::LANGUAGES)]
    language: String,
}

pub(crate) fn init(folder: &Path, args: &InitArgs) -> Result<Exit> {
    let files: Vec<start::StartFile> = std::iter::once(start::SETTINGS).chain(start::files(&args.language)).collect();
    if folder.join("suites").is_dir() {
        bail!("{} has suites already: nothing was written", folder.join("suites").display());
    }
    let mut out = String::new();
    for (name, text) in files {
        let path = folder.join(name);
        if path.exists() {
            out.push_str(&format!("kept     {name}\n"));
            continue;
        }
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
        }
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        out.push_str(&format!("wrote    {name}\n"));
    }
    out.push_str(
        "\nnext     ragline run                                        3 questions to the builtin retriever\n         \
         ragline accept --first --reason \"first baseline\"     from then on only changes count\n",
    );
    say(&out)?;
    Ok(Exit::Open)
}
