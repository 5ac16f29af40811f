//! `ragline show`.

use super::{say, say_problems};
use anyhow::{Result, bail};
use clap::Args;
use ragline::drive::record::{self, Run};
use ragline::drive::session;
use ragline::gate::Exit;
use ragline::labels::Label;
use ragline::layer::LayerId;
use ragline::problem::shown_path;
use ragline::report::labels as report;
use ragline::report::terminal::show::{ResultView, View, show as render};
use ragline::report::wanted;
use ragline::suite::select::{Selection, Selector};
use ragline::suite::{Question, Suite};
use ragline::target::response::{self, Answer};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// The question: an id, SUITE::ID, or any other selector.
    #[arg(value_name = "ID", required = true)]
    selectors: Vec<String>,

    /// Show the accepted answer beside the new one.
    #[arg(long)]
    was: bool,

    /// Show the passages whole.
    #[arg(long)]
    contexts: bool,

    /// Print a JSON object a line: the question, its result, the response, the accepted answer.
    #[arg(long)]
    json: bool,

    /// The run; without it the last one.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
}

/// So many questions at once are looked at; more are a listing, and `run` prints that.
const MOST: usize = 50;

/// What a run holds of one question.
#[derive(Default)]
struct Held {
    result: Option<String>,
    response: Option<String>,
    failed: Option<String>,
    was: Option<String>,
}

pub(crate) fn show(folder: &Path, args: &ShowArgs) -> Result<Exit> {
    let opened = match session::open(folder) {
        Ok(opened) => opened,
        Err(stop) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
    };
    let (root, mut suites) = (&opened.project.root, opened.suites);
    let run = match record::read(root, args.run.as_deref()) {
        Ok(run) => run,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    // A bare id is looked for in the suites of the run, not in all there are.
    suites.retain(|s| run.of(&s.name).is_some());
    let last = super::accept::last_run_facts(folder, &args.selectors);
    let selectors: Vec<Selector> =
        args.selectors.iter().map(|s| Selector::parse(s)).collect::<Result<_, _>>().map_err(anyhow::Error::msg)?;
    let selected = match &last {
        Some(facts) => Selection::new(&selectors, &suites, Some(&|suite: &str, id: &str| facts.of(suite, id))),
        None => Selection::new(&selectors, &suites, None),
    };
    let selection = match selected {
        Ok(selection) => selection,
        Err(none) => bail!("{}", none.why.join("; ")),
    };
    if selection.count() > MOST {
        bail!("{} questions are selected; name at most {MOST}", selection.count());
    }
    let held = hold(&run, root, &suites, &selection, args)?;
    let mut labels = BTreeMap::new();
    for (suite, _) in chosen(&suites, &selection) {
        if labels.contains_key(&suite.name) {
            continue;
        }
        match super::labels::of_suite(suite, root) {
            Ok(of) => drop(labels.insert(suite.name.clone(), of)),
            Err(problems) => {
                say_problems(&problems);
                return Ok(Exit::Usage);
            }
        }
    }
    let mut out = String::new();
    for (suite, question) in chosen(&suites, &selection) {
        let of = held.get(&(suite.name.to_string(), question.id.to_string()));
        let Some(of) = of.filter(|h| h.result.is_some()) else {
            bail!("{}::{} is not in {}", suite.name, question.id, shown_path(&run.folder, root));
        };
        if !out.is_empty() && !args.json {
            out.push('\n');
        }
        let labels: Vec<&Label> =
            labels.get(&suite.name).into_iter().flatten().filter(|l| l.id == question.id.as_str()).collect();
        out.push_str(&if args.json {
            json(suite, question, of, &labels)?
        } else {
            text(&run, root, (suite, question), of, args, &labels)?
        });
    }
    say(&out)?;
    Ok(Exit::Open)
}

fn chosen<'s>(suites: &'s [Suite], selection: &Selection) -> impl Iterator<Item = (&'s Suite, &'s Question)> {
    let of = |(suite, selected): (&'s Suite, &Vec<bool>)| {
        let picked: Vec<_> =
            suite.questions.iter().zip(selected).filter(|(_, s)| **s).map(|(q, _)| (suite, q)).collect();
        picked
    };
    suites.iter().zip(&selection.suites).flat_map(of).collect::<Vec<_>>().into_iter()
}

/// Reads what the run holds of the chosen questions, and nothing else of it.
fn hold(
    run: &Run,
    root: &Path,
    suites: &[Suite],
    selection: &Selection,
    args: &ShowArgs,
) -> Result<BTreeMap<(String, String), Held>> {
    let mut held: BTreeMap<(String, String), Held> =
        chosen(suites, selection).map(|(s, q)| ((s.name.to_string(), q.id.to_string()), Held::default())).collect();
    let results = std::fs::read_to_string(run.folder.join("results.jsonl"))?;
    for line in results.lines().skip(1) {
        #[derive(serde::Deserialize)]
        struct Head {
            suite: String,
            id: String,
        }
        let head: Head = serde_json::from_str(line)?;
        if let Some(h) = held.get_mut(&(head.suite, head.id)) {
            h.result = Some(line.to_owned());
        }
    }
    record::replies(&run.folder, |suite, id, response, failed| {
        if let Some(h) = held.get_mut(&(suite.to_owned(), id.to_owned())) {
            h.response = response.map(str::to_owned);
            h.failed = failed.map(str::to_owned);
        }
    })?;
    if args.was || args.json {
        for suite in suites {
            let other = run.of(&suite.name).and_then(|r| r.other_target.as_deref());
            let folder = suite.path.parent().unwrap_or(root);
            let path = session::with_ending(&session::stem_for(folder, suite, other), ".accepted.jsonl");
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            for line in text.lines() {
                let Ok(r) = response::parse(line.as_bytes()) else { continue };
                if let Some(h) = held.get_mut(&(suite.name.to_string(), r.id.to_string())) {
                    h.was = Some(line.to_owned());
                }
            }
        }
    }
    Ok(held)
}

fn json(suite: &Suite, question: &Question, of: &Held, labels: &[&Label]) -> Result<String> {
    #[derive(serde::Serialize)]
    struct Shown<'a> {
        suite: &'a str,
        id: &'a str,
        question: &'a str,
        result: Option<&'a RawValue>,
        response: Option<&'a RawValue>,
        #[serde(skip_serializing_if = "Option::is_none")]
        failed: Option<&'a str>,
        was: Option<&'a RawValue>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        labels: Vec<serde_json::Value>,
    }
    fn raw(text: Option<&String>) -> Result<Option<&RawValue>> {
        Ok(text.map(|t| serde_json::from_str(t)).transpose()?)
    }
    let mut line = serde_json::to_string(&Shown {
        suite: &suite.name,
        id: question.id.as_str(),
        question: &question.text,
        result: raw(of.result.as_ref())?,
        response: raw(of.response.as_ref())?,
        failed: of.failed.as_deref(),
        was: raw(of.was.as_ref())?,
        labels: labels.iter().map(|l| with_staleness(l, answer(of).as_deref())).collect(),
    })?;
    line.push('\n');
    Ok(line)
}

/// A label, and whether it is about another answer than this one.
fn with_staleness(label: &Label, answer: Option<&str>) -> serde_json::Value {
    let mut value = report::label(label);
    value["stale"] = (!answer.is_some_and(|a| label.is_about(a))).into();
    value
}

/// The answer that the run holds.
fn answer(of: &Held) -> Option<String> {
    match response::parse(of.response.as_ref()?.as_bytes()).ok()?.answer {
        Answer::Text(text) => Some(text.into_owned()),
        Answer::Null | Answer::Absent => None,
    }
}

fn text(
    run: &Run,
    root: &Path,
    (suite, question): (&Suite, &Question),
    of: &Held,
    args: &ShowArgs,
    labels: &[&Label],
) -> Result<String> {
    let answer = answer(of);
    let labels: Vec<(LayerId, String, String)> = labels
        .iter()
        .map(|l| {
            let stale = if answer.as_deref().is_some_and(|a| l.is_about(a)) { "" } else { " of another answer" };
            (l.layer, format!("{}{stale}", report::said(l)), l.because.clone())
        })
        .collect();
    let result: ResultView = serde_json::from_str(of.result.as_deref().unwrap_or_default())?;
    let read =
        |line: &Option<String>| line.as_ref().and_then(|l| Some(response::parse(l.as_bytes()).ok()?.into_owned()));
    let (response, was) = (read(&of.response), read(&of.was));
    let recorded = run.of(&suite.name);
    let mut from = format!("run {}", shown_path(&run.folder, root));
    if let Some(r) = recorded {
        from.push_str(&format!(" · target {}", r.target));
        if let Some(subject) = &r.subject {
            from.push_str(&format!(" · subject {subject}"));
        }
    }
    Ok(render(
        &View {
            name: &format!("{}::{}", suite.name, question.id),
            place: &format!("{}:{}", suite.shown, question.place.line),
            question: &question.text,
            expected: &wanted::lines(question),
            result: &result,
            response: response.as_ref(),
            failed: of.failed.as_deref(),
            was: was.as_ref().filter(|_| args.was),
            contexts: args.contexts,
            from: &from,
            labels: &labels,
        },
        super::look(),
    ))
}
