//! `ragline sample`: a sheet of answers for people to judge.

use super::{say, say_error, say_problems};
use anyhow::{Context as _, Result, bail};
use clap::Args;
use ragline::drive::record;
use ragline::drive::session::{self, Opened};
use ragline::drive::told::{self, Told};
use ragline::gate::Exit;
use ragline::judge::calibrate::sample::{Verdict, draw};
use ragline::labels::digest_of;
use ragline::problem::{Place, Problem, Problems};
use ragline::report::file;
use ragline::report::sample::{Row, csv, workbook};
use ragline::stats::SEED;
use ragline::target::response;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Draws verdicts of a run: a share of each layer's faults and passes, spread over the tags. The sheet does not say what the
/// rules said. Fill in `verdict` (pass, fail) and `because`, and bring it back with `ragline labels import`.
#[derive(Debug, Args)]
pub(crate) struct SampleArgs {
    /// The share that is drawn, above 0 and at most 1.
    #[arg(long, value_name = "SHARE", default_value_t = 0.1)]
    fraction: f64,

    /// The file to write: a workbook where it ends with `.xlsx`, else CSV.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,

    /// What is drawn from: the same seed draws the same rows.
    #[arg(long, value_name = "N", default_value_t = SEED)]
    seed: u64,

    /// The run; without it the last one.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
}

pub(crate) fn sample(folder: &Path, args: &SampleArgs) -> Result<Exit> {
    if !(args.fraction > 0.0 && args.fraction <= 1.0) {
        bail!("--fraction is {}, expected a share above 0 and at most 1", args.fraction);
    }
    let opened = match session::open(folder) {
        Ok(opened) => opened,
        Err(stop) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
    };
    let rows = match rows(&opened, args) {
        Ok(rows) => rows,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    if rows.is_empty() {
        bail!("this run has no answer that a layer passed or failed, so there is nothing to label");
    }
    let is_workbook = args.out.extension().is_some_and(|e| e.eq_ignore_ascii_case("xlsx"));
    let bytes = if is_workbook {
        workbook(&rows).context("cannot make the workbook")?
    } else {
        csv(&rows).context("cannot make the sheet")?
    };
    if let Err(e) = file::write(&args.out, &bytes) {
        say_error(&format!("error: {e}"));
        return Ok(Exit::ReportNotWritten);
    }
    let shown = args.out.display();
    say(&format!(
        "wrote {shown}: {} verdicts\nfill in verdict and because, then: ragline labels import {shown}\n",
        rows.len()
    ))?;
    Ok(Exit::Open)
}

fn rows(opened: &Opened, args: &SampleArgs) -> std::result::Result<Vec<Row>, Problems> {
    let run = record::read(&opened.project.root, args.run.as_deref())?;
    let questions = told::questions(&run, &opened.suites)?;
    let mut passages: HashMap<(String, String), String> = HashMap::new();
    record::replies(&run.folder, |suite, id, reply, _| {
        if let Some(text) = reply.and_then(prompt) {
            passages.insert((suite.to_owned(), id.to_owned()), text);
        }
    })
    .map_err(|e| Problem::error("run-unreadable", Place::default(), format!("cannot read the run's journal: {e}")))?;
    let tag = |q: &Told| {
        let suite = opened.suites.iter().find(|s| *s.name == *q.suite);
        let question = suite.and_then(|s| s.questions.iter().find(|own| own.id.as_str() == q.id));
        question.and_then(|q| q.tags.first().cloned()).unwrap_or_default()
    };
    let (mut verdicts, mut whose) = (Vec::new(), Vec::new());
    for question in questions.iter().filter(|q| q.answer.is_some()) {
        for layer in question.layers.iter().filter(|l| l.outcome == "pass" || l.outcome == "fail") {
            let passed = layer.outcome == "pass";
            verdicts.push(Verdict {
                layer: layer.layer.clone(),
                passed,
                score: None,
                threshold: None,
                tag: tag(question),
            });
            whose.push((question, layer.layer.clone()));
        }
    }
    let drawn = draw(&verdicts, args.fraction, args.seed);
    let row = |at: usize, weight: f64| {
        let (question, layer) = whose.get(at)?;
        let answer = question.answer.clone().unwrap_or_default();
        Some(Row {
            suite: question.suite.clone(),
            id: question.id.clone(),
            layer: layer.clone(),
            question: question.question.clone(),
            reference: question.reference.clone().unwrap_or_default(),
            digest: digest_of(&answer),
            answer,
            passages: passages.get(&(question.suite.clone(), question.id.clone())).cloned().unwrap_or_default(),
            weight,
        })
    };
    Ok(drawn.into_iter().filter_map(|d| row(d.at, d.weight)).collect())
}

/// The passages that were in the prompt, numbered.
fn prompt(reply: &str) -> Option<String> {
    let response = response::parse(reply.as_bytes()).ok()?;
    let texts = response.contexts.iter().flatten().zip(1..).filter(|(c, _)| c.in_prompt());
    let numbered: Vec<String> = texts.filter_map(|(c, n)| Some(format!("[{n}] {}", c.text.as_deref()?))).collect();
    Some(numbered.join("\n\n"))
}
