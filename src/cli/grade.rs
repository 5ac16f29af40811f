//! `ragline judge grade`: a judge held against people's labels.

use super::{say, say_error};
use anyhow::{Context as _, Result};
use clap::{Args, ValueEnum};
use ragline::gate::Exit;
use ragline::judge::calibrate::items::{Layer, measure};
use ragline::judge::calibrate::{Item, Judge, Recorded, Rule, report};
use ragline::stats::SEED;
use ragline::text::pack::Lang;
use std::path::{Path, PathBuf};

/// Each line holds `label`, what people say of an answer (`pass` or `fail`), and `verdict`, what the judge says of it (`pass`,
/// `fail`, or nothing where it owes it). `second` is what another person says, `kind` what was planted into a twin.
#[derive(Debug, Args)]
pub(crate) struct GradeArgs {
    /// JSON lines.
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Take this layer for the judge: the lines hold what `ragline inspect LAYER` takes instead of `verdict`.
    #[arg(long)]
    layer: Option<Named>,

    /// The language of lines that name none.
    #[arg(long, short, value_name = "TAG", default_value = "en")]
    lang: String,

    /// Print one JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Named {
    Facts,
    Numbers,
    Refusal,
}

pub(crate) fn grade(folder: &Path, args: &GradeArgs) -> Result<Exit> {
    let lang = Lang::new(&args.lang).with_context(|| format!("`{}` is no language tag", args.lang))?;
    let path = if args.file.is_file() { args.file.clone() } else { folder.join(&args.file) };
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let judge: Box<dyn Judge> = match args.layer {
        None => Box::new(Recorded),
        Some(named) => {
            let layer = match named {
                Named::Facts => Layer::Facts,
                Named::Numbers => Layer::Numbers,
                Named::Refusal => Layer::Refusal,
            };
            Box::new(Rule { layer, lang })
        }
    };
    let lines = text.lines().map(|l| l.trim_start_matches('\u{feff}').trim()).zip(1..).filter(|(l, _)| !l.is_empty());
    let items =
        lines.map(|(l, n)| Item::read(l, n).map_err(|why| format!("line {n}: {why}"))).collect::<Result<Vec<_>, _>>();
    let found = items.and_then(|items| {
        if items.is_empty() {
            Err("no labelled answer in this file".to_owned())
        } else {
            measure(&items, judge.as_ref())
        }
    });
    match found {
        Ok(found) => {
            say(&if args.json { format!("{}\n", report::json(&found, SEED)) } else { report::text(&found, SEED) })?;
            Ok(Exit::Open)
        }
        Err(why) => {
            say_error(&format!("error: {}: {why}", args.file.display()));
            Ok(Exit::Usage)
        }
    }
}
