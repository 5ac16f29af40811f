//! `ragline import`.

use super::{say, say_problems};
use anyhow::Result;
use clap::{Args, Subcommand};
use ragline::gate::Exit;
use ragline::import::squad::{self, Squad};
use ragline::import::trec::{self, Trec};
use ragline::text::pack::Lang;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ImportArgs {
    #[command(subcommand)]
    format: Format,
}

#[derive(Debug, Subcommand)]
enum Format {
    /// A data set in SQuAD's form: suite, corpus, evidence, reference answers as facts.
    Squad {
        /// The JSON file.
        file: PathBuf,
        /// The folder to write.
        #[arg(long)]
        out: PathBuf,
        /// The suite's name.
        #[arg(long)]
        suite: String,
        /// Its language.
        #[arg(long, value_parser = parse_lang)]
        language: Lang,
        /// How many passages count for retrieval; all 10 that are retrieved when not given.
        #[arg(long, value_parser = parse_k)]
        top_k: Option<usize>,
        /// Write over an earlier import.
        #[arg(long)]
        force: bool,
    },
    /// Judgements and a ranking in TREC's form: a bare retriever's responses, evidence by id and grade.
    Trec {
        /// The judgements.
        #[arg(long)]
        qrels: PathBuf,
        /// The ranking.
        #[arg(long)]
        run: PathBuf,
        /// The folder to write.
        #[arg(long)]
        out: PathBuf,
        /// The suite's name.
        #[arg(long, default_value = "trec")]
        suite: String,
        /// The suite's language; the files do not tell.
        #[arg(long, default_value = "en", value_parser = parse_lang)]
        language: Lang,
        /// How many passages count for retrieval; all of them when not given.
        #[arg(long, value_parser = parse_k)]
        top_k: Option<usize>,
        /// Write over an earlier import.
        #[arg(long)]
        force: bool,
    },
}

fn parse_lang(text: &str) -> Result<Lang, String> {
    Lang::new(text).ok_or_else(|| "expected a language such as vi, th, zh or en".to_owned())
}

fn parse_k(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|k| *k > 0).ok_or_else(|| "expected a number of passages, at least 1".to_owned())
}

pub(crate) fn import(args: ImportArgs) -> Result<Exit> {
    let done = match &args.format {
        Format::Squad { file, out, suite, language, top_k, force } => {
            squad::import(&Squad { file, out, suite, language, top_k: *top_k, force: *force })
        }
        Format::Trec { qrels, run, out, suite, language, top_k, force } => {
            trec::import(&Trec { qrels, run, out, suite, language, top_k: *top_k, force: *force })
        }
    };
    match done {
        Ok(summary) => {
            say(&format!("{summary}\n"))?;
            Ok(Exit::Open)
        }
        Err(problems) => {
            say_problems(&problems);
            Ok(Exit::Usage)
        }
    }
}
