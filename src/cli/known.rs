//! `ragline known`.

use super::{say, say_problems, today};
use anyhow::{Context as _, Result, bail};
use clap::Args;
use jiff::civil::Date;
use ragline::baseline::file::Baseline;
use ragline::baseline::known::{self, Known};
use ragline::drive::baselines;
use ragline::drive::session::{self, Opened};
use ragline::gate::Exit;
use ragline::problem::{Problems, read_source};
use ragline::report::known as report;
use ragline::suite::Suite;
use ragline::suite::select::{Selection, Selector};
use std::collections::BTreeSet;
use std::path::Path;

/// The failures that the baselines accept and the questions that they call flaky: what ends first comes first.
#[derive(Debug, Args)]
pub(crate) struct KnownArgs {
    /// Only these questions: SUITE, SUITE::ID, an id, globs, or tag: severity: owner: doc:.
    #[arg(value_name = "SELECTOR")]
    selectors: Vec<String>,

    /// Only what this person or team looks after.
    #[arg(long, value_name = "WHO")]
    owner: Option<String>,

    /// Only what ends within this time, or has ended.
    #[arg(long, value_name = "30d|2w", value_parser = days)]
    expiring: Option<i64>,

    /// Print a JSON object a line.
    #[arg(long, conflicts_with = "csv")]
    json: bool,

    /// Print a table for a spreadsheet.
    #[arg(long)]
    csv: bool,

    /// The day that counts as today.
    #[arg(long, value_name = "YYYY-MM-DD", env = "RAGLINE_TODAY")]
    today: Option<Date>,
}

/// `30d`, `2w`.
fn days(text: &str) -> Result<i64, String> {
    let unit =
        |ending: char, days: i64| Some(text.strip_suffix(ending)?.parse::<u16>().ok()?).map(|n| i64::from(n) * days);
    unit('d', 1)
        .or_else(|| unit('w', 7))
        .ok_or_else(|| "expected a number of days or weeks such as 30d or 2w".to_owned())
}

pub(crate) fn known(folder: &Path, args: &KnownArgs) -> Result<Exit> {
    let opened = match session::open(folder) {
        Ok(opened) => opened,
        Err(stop) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
    };
    let today = today(args.today);
    let all = match read(&opened) {
        Ok(all) => all,
        Err(problems) => {
            say_problems(&problems);
            return Ok(Exit::Usage);
        }
    };
    let mut rows: Vec<Known> =
        all.iter().flat_map(|(suite, target, b)| known::known(suite, *target, b, today)).collect();
    if let Some(chosen) = chosen(&opened.suites, &all, &args.selectors)? {
        rows.retain(|k| chosen.contains(&(k.suite.clone(), k.id.to_string())));
    }
    rows.retain(|k| args.owner.as_ref().is_none_or(|who| k.owner.as_ref() == Some(who)));
    rows.retain(|k| args.expiring.is_none_or(|within| k.left.is_some_and(|left| left <= within)));
    known::sort(&mut rows);
    if args.json {
        say(&report::json(&rows))?;
    } else if args.csv {
        let bytes = report::csv(&rows).context("cannot make the table")?;
        say(&String::from_utf8_lossy(&bytes))?;
    } else {
        let narrowed = !args.selectors.is_empty() || args.owner.is_some() || args.expiring.is_some();
        say(&report::text(&rows, narrowed))?;
    }
    Ok(Exit::Open)
}

/// A baseline with its suite, and the target whose it is where it is not the suite's usual one.
type OfSuite<'o> = (&'o Suite, Option<&'o str>, Baseline);

/// All baselines.
fn read(opened: &Opened) -> Result<Vec<OfSuite<'_>>, Problems> {
    let mut all = Vec::new();
    let mut problems = Problems::default();
    for of in baselines::of_project(opened) {
        let (path, shown) = &of.pair.baseline;
        if !path.exists() {
            continue;
        }
        match read_source(path, shown).map_err(Problems::from).and_then(|s| Baseline::parse(&s)) {
            Ok(baseline) => all.push((of.suite, of.target, baseline)),
            Err(more) => problems.0.extend(more.0),
        }
    }
    if problems.0.is_empty() { Ok(all) } else { Err(problems) }
}

/// The questions that the selectors name, where there are any. What the suite no longer holds is selected as if it stood
/// at its end.
fn chosen(suites: &[Suite], all: &[OfSuite<'_>], words: &[String]) -> Result<Option<BTreeSet<(String, String)>>> {
    if words.is_empty() {
        return Ok(None);
    }
    if let Some(word) = words.iter().find(|w| w.starts_with("change:") || w.starts_with("layer:")) {
        bail!(
            "`{word}` is about a run, and this is about the baselines; name suites, ids, tag: severity: owner: or doc:"
        );
    }
    let selectors: Vec<Selector> =
        words.iter().map(|w| Selector::parse(w)).collect::<Result<_, _>>().map_err(anyhow::Error::msg)?;
    let mut suites = suites.to_vec();
    for suite in &mut suites {
        let name = std::sync::Arc::clone(&suite.name);
        for (_, _, baseline) in all.iter().filter(|(of, ..)| of.name == name) {
            known::stand_in(suite, &baseline.entries);
        }
    }
    let selection =
        Selection::new(&selectors, &suites, None).map_err(|none| anyhow::Error::msg(none.why.join("; ")))?;
    let mut chosen = BTreeSet::new();
    for (suite, selected) in suites.iter().zip(&selection.suites) {
        let picked = suite.questions.iter().zip(selected).filter(|(_, s)| **s);
        chosen.extend(picked.map(|(q, _)| (suite.name.to_string(), q.id.to_string())));
    }
    Ok(Some(chosen))
}
