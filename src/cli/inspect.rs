//! `ragline inspect`: what the checks make of a text, without a suite.

use super::say;
use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use ragline::gate::Exit;
use ragline::report::inspect::{self, Judged};
use ragline::text::pack::Lang;
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The numbers of a text, and which of an answer's stand in its passages.
    Numbers(NumbersArgs),
}

/// With TEXT: a table for people. Without: JSON objects, one a line, are read and answered line by line.
///
/// {"lang","text"} is answered with its mentions; {"lang","question","answer","contexts":[text…]} with an outcome and the
/// status of each number of the answer. An "id" is repeated. Offsets are code points.
#[derive(Debug, Args)]
struct NumbersArgs {
    /// The text; `-` or none: JSON lines from FILE or standard input.
    #[arg(value_name = "TEXT")]
    text: Option<String>,

    /// The language of the text; of JSON lines that name none.
    #[arg(long, short, value_name = "TAG", default_value = "en")]
    lang: String,

    /// The question, to check TEXT as an answer.
    #[arg(long, short, value_name = "TEXT")]
    question: Option<String>,

    /// A passage, to check TEXT as an answer; may be repeated.
    #[arg(long, short, value_name = "TEXT")]
    context: Vec<String>,

    /// JSON lines to read.
    #[arg(long, short, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,

    /// Print JSON for TEXT too.
    #[arg(long)]
    json: bool,
}

/// A line is at most so many bytes long; a longer one is cut and cannot be read.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;

pub(crate) fn inspect(args: &InspectArgs) -> Result<Exit> {
    match &args.what {
        What::Numbers(a) => numbers(a),
    }
}

fn numbers(args: &NumbersArgs) -> Result<Exit> {
    let lang = Lang::new(&args.lang).with_context(|| format!("`{}` is no language tag", args.lang))?;
    if let Some(text) = args.text.as_deref().filter(|t| *t != "-") {
        let judged = (args.question.is_some() || !args.context.is_empty()).then(|| Judged {
            question: args.question.as_deref().unwrap_or_default(),
            answer: text,
            contexts: &args.context,
        });
        let out = match (judged, args.json) {
            (Some(judged), true) => inspect::judge(&judged, &lang).to_string() + "\n",
            (Some(judged), false) => inspect::judge_table(&judged, &lang),
            (None, true) => inspect::mentions(text, &lang).to_string() + "\n",
            (None, false) => inspect::mentions_table(text, &lang),
        };
        say(&out)?;
        return Ok(Exit::Open);
    }
    if args.question.is_some() || !args.context.is_empty() {
        bail!("a question or a passage goes with a TEXT");
    }
    let source: Box<dyn Read> = match &args.file {
        Some(path) => Box::new(std::fs::File::open(path).with_context(|| path.display().to_string())?),
        None if std::io::stdin().is_terminal() => bail!("give a TEXT, a --file, or JSON lines on standard input"),
        None => Box::new(std::io::stdin()),
    };
    lines(BufReader::new(source), &lang)
}

/// Answers each line with one line. A line that cannot be read is answered with its error, so that lines stay in step; the
/// exit code then is that of a usage error.
fn lines(mut input: impl BufRead, lang: &Lang) -> Result<Exit> {
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    let mut exit = Exit::Open;
    loop {
        line.clear();
        if (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        match inspect::line(text, lang) {
            Ok(answer) => writeln!(out, "{answer}")?,
            Err(why) => {
                writeln!(out, "{}", serde_json::json!({ "error": why }))?;
                exit = Exit::Usage;
            }
        }
    }
    out.flush()?;
    Ok(exit)
}
