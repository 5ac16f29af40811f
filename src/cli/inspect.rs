//! `ragline inspect`: what the checks make of a text, without a suite.

use super::{jsonl, say};
use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use ragline::gate::Exit;
use ragline::inspect::citation::Citing;
use ragline::inspect::facts::Stated;
use ragline::inspect::numbers::{self, Judged};
use ragline::inspect::retrieval::Ranked;
use ragline::inspect::{self, Input};
use ragline::layer::refusal::Own;
use ragline::suite::{CitationPolicy, load};
use ragline::target::response::Context;
use ragline::text::pack::Lang;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct InspectArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// The numbers of a text, and which of an answer's stand in its passages.
    Numbers(NumbersArgs),
    /// Which facts an answer states.
    Facts(FactsArgs),
    /// What the sentences of an answer cite, and whether it bears them out.
    Citation(CitationArgs),
    /// The figures of a ranked list, beside those of a random ranking.
    Retrieval(RetrievalArgs),
    /// Whether an answer refuses, and what each part of it is.
    Refusal(RefusalArgs),
    /// One statistic of given numbers, as every report reckons it.
    Stats(StatsArgs),
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

/// With TEXT: a table for people. Without: JSON objects, one a line, are read and answered line by line.
///
/// {"lang","question"?,"answer","facts":[…],"must_not":[…]} is answered with an outcome and the reason of each fact. Facts are
/// written as in a suite. An "id" is repeated.
#[derive(Debug, Args)]
struct FactsArgs {
    /// The answer; `-` or none: JSON lines from FILE or standard input.
    #[arg(value_name = "TEXT")]
    text: Option<String>,

    /// The language of the answer; of JSON lines that name none.
    #[arg(long, short, value_name = "TAG", default_value = "en")]
    lang: String,

    /// The question.
    #[arg(long, short, value_name = "TEXT")]
    question: Option<String>,

    /// A fact that TEXT must state, as a suite writes it (`7 days`, `{ yes_no: "no" }`); may be repeated.
    #[arg(long, short, value_name = "FACT")]
    fact: Vec<String>,

    /// A fact that TEXT must not state; may be repeated.
    #[arg(long, short, value_name = "FACT")]
    must_not: Vec<String>,

    /// JSON lines to read.
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,

    /// Print JSON for TEXT too.
    #[arg(long)]
    json: bool,
}

/// With TEXT: a table for people. Without: JSON objects, one a line, are read and answered line by line.
///
/// {"lang","question"?,"answer","contexts":[…],"citations"?,"evidence"?} is answered with an outcome, each claim with what it
/// cites and whether that bears it out, precision and recall. Passages are texts, or objects with id, source, heading, url and
/// text. An "id" is repeated.
#[derive(Debug, Args)]
struct CitationArgs {
    /// The answer; `-` or none: JSON lines from FILE or standard input.
    #[arg(value_name = "TEXT")]
    text: Option<String>,

    /// The language of the answer; of JSON lines that name none.
    #[arg(long, short, value_name = "TAG", default_value = "en")]
    lang: String,

    /// The question; a short answer is read with it.
    #[arg(long, short, value_name = "TEXT")]
    question: Option<String>,

    /// A passage of the prompt, in order; may be repeated.
    #[arg(long, short, value_name = "TEXT")]
    context: Vec<String>,

    /// Where the answer stands, as a suite writes it (`{ span: within 7 days }`); may be repeated.
    #[arg(long, value_name = "EVIDENCE")]
    evidence: Vec<String>,

    /// Markers count the passages from 0.
    #[arg(long)]
    from_zero: bool,

    /// JSON lines to read.
    #[arg(long, short, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,

    /// Print JSON for TEXT too.
    #[arg(long)]
    json: bool,
}

/// With GRADES: a table for people. Without: JSON objects, one a line, are read and answered line by line.
///
/// {"relevant":[0,1,…],"gold_total"?,"pool"?,"k"?} is answered with {"k","metrics","random"}. An "id" is repeated. What does
/// not apply is null.
#[derive(Debug, Args)]
struct RetrievalArgs {
    /// For each passage in rank order its grade, 0 for one that is not relevant: `0 1 0`; none: JSON lines from FILE or
    /// standard input.
    #[arg(value_name = "GRADE")]
    grades: Vec<f64>,

    /// How many units of evidence there are; as many as are found.
    #[arg(long, value_name = "N")]
    gold_total: Option<usize>,

    /// How many passages the index holds: the line of a random ranking.
    #[arg(long, value_name = "N")]
    pool: Option<usize>,

    /// A cut-off; may be repeated. 1, 3, 5 and 10.
    #[arg(short, value_name = "K")]
    k: Vec<usize>,

    /// JSON lines to read.
    #[arg(long, short, value_name = "FILE", conflicts_with = "grades")]
    file: Option<PathBuf>,

    /// Print JSON for GRADES too.
    #[arg(long)]
    json: bool,
}

/// With TEXT: a table for people. Without: JSON objects, one a line, are read and answered line by line.
///
/// {"lang","question"?,"answer"} is answered with {"label","pattern"?,"veto"?,"asks_back"?}: refusal, partial, none, error,
/// empty or unknown; the pattern that hit, and what took a hit away. An "id" is repeated. In a project the wordings of
/// [refusal] in ragline.toml count too.
#[derive(Debug, Args)]
struct RefusalArgs {
    /// The answer; `-` or none: JSON lines from FILE or standard input.
    #[arg(value_name = "TEXT")]
    text: Option<String>,

    /// The language of the answer; of JSON lines that name none.
    #[arg(long, short, value_name = "TAG", default_value = "en")]
    lang: String,

    /// The question.
    #[arg(long, short, value_name = "TEXT")]
    question: Option<String>,

    /// JSON lines to read.
    #[arg(long, short, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,

    /// Print JSON for TEXT too.
    #[arg(long)]
    json: bool,
}

/// With WORDS (`wilson 23 27`): a table for people. Without: JSON objects, one a line, are read and answered line by line.
///
/// {"wilson":[hits,n]}; also clopper_pearson, percentile, mcnemar [broken,fixed], tango [broken,fixed,n], fisher
/// [hits,n,hits,n], binomial [hits,n,share], holm [p,…], bca and sign_flip [value,…] with "groups"? and "seed"?, agreement
/// [both,first,second,neither], labels, power [n,gains], sprt "FPP"; with "level"? of 0.9, 0.95, 0.99. An "id" is repeated.
#[derive(Debug, Args)]
struct StatsArgs {
    /// The name of a statistic and its numbers; none: JSON lines from FILE or standard input.
    #[arg(value_name = "WORDS", allow_negative_numbers = true)]
    words: Vec<String>,

    /// JSON lines to read.
    #[arg(long, short, value_name = "FILE", conflicts_with = "words")]
    file: Option<PathBuf>,

    /// Print JSON for WORDS too.
    #[arg(long)]
    json: bool,
}

pub(crate) fn inspect(folder: &Path, args: &InspectArgs) -> Result<Exit> {
    match &args.what {
        What::Numbers(a) => of_numbers(a),
        What::Facts(a) => of_facts(a),
        What::Citation(a) => of_citation(a),
        What::Retrieval(a) => of_retrieval(a),
        What::Refusal(a) => of_refusal(folder, a),
        What::Stats(a) => of_stats(a),
    }
}

fn language(tag: &str) -> Result<Lang> {
    Lang::new(tag).with_context(|| format!("`{tag}` is no language tag"))
}

fn of_facts(args: &FactsArgs) -> Result<Exit> {
    let lang = language(&args.lang)?;
    let Some(answer) = args.text.as_deref().filter(|t| *t != "-") else {
        if args.question.is_some() || !args.fact.is_empty() || !args.must_not.is_empty() {
            bail!("a question or a fact goes with a TEXT");
        }
        return lines(inspect::What::Facts, args.file.as_deref(), &lang, &Own::default());
    };
    let list = |facts: &[String]| -> Result<Vec<ragline::suite::Fact>> {
        let written: String = facts.iter().map(|f| format!("- {f}\n")).collect();
        if written.is_empty() { Ok(Vec::new()) } else { Ok(load::facts(&written)?) }
    };
    let question = args.question.as_deref().unwrap_or_default();
    let stated = Stated { question, answer, facts: list(&args.fact)?, must_not: list(&args.must_not)? };
    if args.json {
        say(&(inspect::facts::judge(stated, &lang).to_string() + "\n"))?;
    } else {
        say(&inspect::facts::judge_table(stated, &lang))?;
    }
    Ok(Exit::Open)
}

fn of_refusal(folder: &Path, args: &RefusalArgs) -> Result<Exit> {
    let lang = language(&args.lang)?;
    let (project, _) = ragline::suite::config::load(folder)?;
    let own = &project.refusal;
    let Some(answer) = args.text.as_deref().filter(|t| *t != "-") else {
        if args.question.is_some() {
            bail!("a question goes with a TEXT");
        }
        return lines(inspect::What::Refusal, args.file.as_deref(), &lang, own);
    };
    let question = args.question.as_deref().unwrap_or_default();
    if args.json {
        say(&(inspect::refusal::judge(question, answer, &lang, own).to_string() + "\n"))?;
    } else {
        say(&inspect::refusal::judge_table(question, answer, &lang, own))?;
    }
    Ok(Exit::Open)
}

fn of_numbers(args: &NumbersArgs) -> Result<Exit> {
    let lang = language(&args.lang)?;
    if let Some(text) = args.text.as_deref().filter(|t| *t != "-") {
        let judged = (args.question.is_some() || !args.context.is_empty()).then(|| Judged {
            question: args.question.as_deref().unwrap_or_default(),
            answer: text,
            contexts: &args.context,
        });
        let out = match (judged, args.json) {
            (Some(judged), true) => numbers::judge(&judged, &lang).to_string() + "\n",
            (Some(judged), false) => numbers::judge_table(&judged, &lang),
            (None, true) => numbers::mentions(text, &lang).to_string() + "\n",
            (None, false) => numbers::mentions_table(text, &lang),
        };
        say(&out)?;
        return Ok(Exit::Open);
    }
    if args.question.is_some() || !args.context.is_empty() {
        bail!("a question or a passage goes with a TEXT");
    }
    lines(inspect::What::Numbers, args.file.as_deref(), &lang, &Own::default())
}

fn of_citation(args: &CitationArgs) -> Result<Exit> {
    let lang = language(&args.lang)?;
    let Some(answer) = args.text.as_deref().filter(|t| *t != "-") else {
        if args.question.is_some() || !args.context.is_empty() || !args.evidence.is_empty() || args.from_zero {
            bail!("a question, a passage, evidence and --from-zero go with a TEXT");
        }
        return lines(inspect::What::Citation, args.file.as_deref(), &lang, &Own::default());
    };
    let written: String = args.evidence.iter().map(|e| format!("- {e}\n")).collect();
    let citing = Citing {
        question: args.question.as_deref().unwrap_or_default(),
        answer,
        contexts: args.context.iter().map(|t| Context { text: Some(t.into()), ..Context::default() }).collect(),
        citations: None,
        evidence: if written.is_empty() { Vec::new() } else { load::evidence(&written)? },
        policy: CitationPolicy { from_zero: args.from_zero.then_some(true), ..CitationPolicy::default() },
    };
    if args.json {
        say(&(inspect::citation::judge(citing, &lang).to_string() + "\n"))?;
    } else {
        say(&inspect::citation::judge_table(citing, &lang))?;
    }
    Ok(Exit::Open)
}

fn of_retrieval(args: &RetrievalArgs) -> Result<Exit> {
    if args.grades.is_empty() {
        if args.gold_total.is_some() || args.pool.is_some() || !args.k.is_empty() {
            bail!("the numbers go with GRADES, or into the JSON lines");
        }
        return lines(inspect::What::Retrieval, args.file.as_deref(), &language("en")?, &Own::default());
    }
    let mut object = serde_json::json!({ "relevant": args.grades, "gold_total": args.gold_total, "pool": args.pool });
    if let (false, Some(map)) = (args.k.is_empty(), object.as_object_mut()) {
        map.insert("k".to_owned(), args.k.clone().into());
    }
    let ranked = Ranked::read(&Input::new(&object)).map_err(anyhow::Error::msg)?;
    if args.json {
        say(&(ranked.json().to_string() + "\n"))?;
    } else {
        say(&ranked.table())?;
    }
    Ok(Exit::Open)
}

fn of_stats(args: &StatsArgs) -> Result<Exit> {
    if args.words.is_empty() {
        return lines(inspect::What::Stats, args.file.as_deref(), &language("en")?, &Own::default());
    }
    let answer = inspect::stats::words(&args.words).map_err(anyhow::Error::msg)?;
    say(&if args.json { format!("{answer}\n") } else { inspect::stats::shown(&answer) })?;
    Ok(Exit::Open)
}

/// Answers each line with one line.
fn lines(what: inspect::What, file: Option<&Path>, lang: &Lang, own: &Own) -> Result<Exit> {
    let none = "give a TEXT, a --file, or JSON lines on standard input";
    jsonl::answer(file, none, |text| inspect::line(what, text, lang, own))
}
