//! What a run would take (`ragline run --plan`): calls, time and money by target, before anything is asked.
//!
//! Every number has a source, which is printed with it, or is unknown. Nothing here asks anybody.

use super::record::{self, responses};
use super::save;
use super::session::Ready;
use crate::core::plan::{BaselinePlan, SuitePlan};
use crate::report::{clean, cut};
use crate::suite::config::live::{Live, Price, Rate};
use crate::target::Request;
use crate::target::replay::Asks;
use crate::target::response::{self, Response};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// What a run would take of one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The target.
    pub target: String,
    /// Questions that it is asked.
    pub questions: usize,
    /// How many of them its recording answers; none where no recording stands for it.
    pub on_file: Option<usize>,
    /// Calls to make; none where the target costs none (it runs in this process, or is a file).
    pub calls: Option<usize>,
    /// Calls when every attempt fails for a passing reason.
    pub at_most: usize,
    /// How long the calls take; none when nothing tells.
    pub time: Option<Duration>,
    /// Whether the settings give a price.
    pub priced: bool,
    /// What the calls cost, in the currency; none when nothing tells.
    pub cost: Option<(f64, String)>,
    /// Where the numbers come from, in one line.
    pub source: String,
}

/// What earlier answers tell of a call.
#[derive(Debug, Default)]
struct Seen {
    latencies: Vec<u64>,
    input: Vec<u64>,
    output: Vec<u64>,
    source: &'static str,
}

impl Seen {
    fn take(&mut self, r: &Response<'_>) {
        self.latencies.extend(r.latency_ms);
        if let Some(u) = r.usage {
            self.input.extend(u.input_tokens);
            self.output.extend(u.output_tokens);
        }
    }

    fn is_empty(&self) -> bool {
        self.latencies.is_empty() && self.input.is_empty() && self.output.is_empty()
    }

    /// The median; the lower of the two in the middle.
    fn latency(&mut self) -> Option<Duration> {
        self.latencies.sort_unstable();
        let middle = self.latencies.len().checked_sub(1)? / 2;
        self.latencies.get(middle).map(|ms| Duration::from_millis(*ms))
    }
}

fn mean(values: &[u64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().map(|v| *v as f64).sum::<f64>() / values.len() as f64)
}

/// What calls cost: unknown where tokens have a price and nobody counted any.
fn cost(price: &Price, calls: usize, input: Option<f64>, output: Option<f64>) -> Option<f64> {
    let tokens = |each: f64, mean: Option<f64>| if each == 0.0 { Some(0.0) } else { mean.map(|m| m * each / 1e6) };
    let a_call = price.call + tokens(price.input, input)? + tokens(price.output, output)?;
    Some(a_call * calls as f64)
}

/// How long calls take: by their own time, so many at once, and not faster than the rate allows.
fn time(calls: usize, latency: Duration, at_once: usize, rate: Option<Rate>) -> Duration {
    let waves = calls.div_ceil(at_once.max(1));
    let by_latency = latency.saturating_mul(u32::try_from(waves).unwrap_or(u32::MAX));
    // The first of each window goes at once.
    let by_rate = rate.map_or(Duration::ZERO, |r| {
        let windows = calls.saturating_sub(1) as f64 / f64::from(r.count.max(1));
        Duration::try_from_secs_f64(r.per.as_secs_f64() * windows).unwrap_or(Duration::MAX)
    });
    by_latency.max(by_rate)
}

/// What the last run saw of each target.
fn last_run(root: &Path) -> BTreeMap<String, Seen> {
    let mut seen: BTreeMap<String, Seen> = BTreeMap::new();
    let Ok(run) = record::read(root, None) else { return seen };
    let targets: BTreeMap<&str, &str> =
        run.record.suites.iter().map(|s| (s.suite.as_str(), s.target.as_str())).collect();
    // A journal that cannot be read tells nothing, and that is said of each number.
    let _ = responses(&run.folder, |suite, _, raw| {
        if let (Some(target), Ok(r)) = (targets.get(suite), response::parse(raw.as_bytes())) {
            let of_target = seen.entry((*target).to_owned()).or_default();
            of_target.source = "the last run";
            of_target.take(&r);
        }
    });
    seen
}

/// What its recording tells of a target, where the last run tells nothing.
fn recorded(live: &Live) -> Seen {
    let mut seen = Seen { source: "its recording", ..Seen::default() };
    for r in save::read(&live.recording, "").unwrap_or_default() {
        seen.take(&r);
    }
    seen
}

impl Ready {
    /// What may be asked anew on top of it, in a sentence; none where nothing is.
    pub fn asked_anew(&self) -> Option<String> {
        let plan = &self.plan;
        let asks = |s: &&SuitePlan| s.target.asked_anew && matches!(s.baseline, BaselinePlan::Present { .. });
        let suites: Vec<&SuitePlan> = plan.suites.iter().filter(asks).filter(|_| plan.confirm).collect();
        let beside = suites.iter().find_map(|s| s.beside.as_ref());
        let beside = beside.map(|b| format!(", and as many of {}", clean::terminal(b))).unwrap_or_default();
        let budget =
            plan.spend.budget.map(|b| format!("; at most {} in all", cut::count(b as usize))).unwrap_or_default();
        (!suites.is_empty()).then(|| {
            format!(
                "asked anew, on top of that: at most {} runs of each question that comes out otherwise than accepted{beside}{budget}\n",
                plan.spend.most
            )
        })
    }

    /// What the run would take, a row for each target.
    pub fn estimate(&self) -> Vec<Row> {
        let mut last = last_run(&self.project.root);
        let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
        for (plan, standing) in self.plan.suites.iter().zip(&self.standing) {
            let row = rows.entry(&plan.target.name).or_insert_with(|| Row {
                target: plan.target.name.clone(),
                questions: 0,
                on_file: standing.as_ref().filter(|s| s.asks() != Asks::Everything).map(|_| 0),
                calls: standing.as_ref().map(|_| 0),
                at_most: 0,
                time: None,
                priced: false,
                cost: None,
                source: String::new(),
            });
            let asked = plan.suite.questions.iter().zip(&plan.selected).filter(|(q, selected)| **selected && !q.draft);
            for (q, _) in asked {
                row.questions += 1;
                let Some(standing) = standing else { continue };
                let first = Request::new(&plan.suite.name, q.id.as_str(), &q.text);
                let first = first.in_language(plan.suite.language.as_str());
                for repeat in 0..self.plan.repeat.max(1) {
                    if standing.on_file(Request { repeat, ..first }) {
                        row.on_file = row.on_file.map(|n| n + 1);
                    } else if standing.asks() != Asks::Nothing {
                        row.calls = row.calls.map(|n| n + 1);
                    }
                }
            }
        }
        let mut rows: Vec<Row> = rows.into_values().collect();
        for row in &mut rows {
            let settings = self.project.targets.get(&row.target);
            let Some((settings, live)) = settings.and_then(|t| Some((t, t.live()?))) else {
                "costs no call".clone_into(&mut row.source);
                continue;
            };
            let Some(calls) = row.calls else { continue };
            row.at_most = calls.saturating_mul(live.retries as usize + 1);
            let mut seen = last.remove(&row.target).filter(|s| !s.is_empty()).unwrap_or_else(|| recorded(live));
            row.tell(calls, settings.concurrency, live, &mut seen);
        }
        rows
    }
}

impl Row {
    fn tell(&mut self, calls: usize, at_once: usize, live: &Live, seen: &mut Seen) {
        let latency = seen.latency();
        let (input, output) = (mean(&seen.input), mean(&seen.output));
        self.time = if calls == 0 { Some(Duration::ZERO) } else { latency.map(|l| time(calls, l, at_once, live.rate)) };
        self.priced = live.price.is_some();
        self.cost = live.price.as_ref().and_then(|p| {
            let amount = if calls == 0 { Some(0.0) } else { cost(p, calls, input, output) };
            amount.map(|a| (a, p.currency.clone()))
        });
        let mut said = vec![match latency {
            Some(l) => format!("a call {} (median of {} answers of {})", long(l), seen.latencies.len(), seen.source),
            None => "time unknown: no earlier answer tells".to_owned(),
        }];
        said.push(format!("{at_once} at once"));
        if let Some(r) = live.rate {
            said.push(format!("at most {} in {}", r.count, long(r.per)));
        }
        match (&live.price, input, output) {
            (None, ..) => said.push("no price".to_owned()),
            (Some(p), None, _) if p.input > 0.0 => {
                said.push("cost unknown: no earlier answer counts tokens".to_owned());
            }
            (Some(p), _, None) if p.output > 0.0 => {
                said.push("cost unknown: no earlier answer counts tokens".to_owned());
            }
            (Some(_), None, None) => said.push("priced by the call".to_owned()),
            (Some(_), i, o) => {
                let tokens = |t: Option<f64>| t.map_or_else(|| "?".to_owned(), |t| format!("{t:.0}"));
                said.push(format!("{} + {} tokens a call (mean of {})", tokens(i), tokens(o), seen.source));
            }
        }
        self.source = said.join(", ");
    }
}

/// `0.8 s`, `12 s`, `3 min`, `2.5 h`.
fn long(time: Duration) -> String {
    let s = time.as_secs_f64();
    match s {
        s if s < 10.0 => format!("{s:.1} s"),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// `$0.42`, `CHF 12.00`: two digits, four below a tenth.
fn money(amount: f64, currency: &str) -> String {
    let gap = if currency.chars().all(char::is_alphabetic) { " " } else { "" };
    if amount > 0.0 && amount < 0.1 {
        format!("{currency}{gap}{amount:.4}")
    } else {
        format!("{currency}{gap}{amount:.2}")
    }
}

/// The rows as a table, with their totals.
pub fn table(rows: &[Row]) -> String {
    let n = |n: Option<usize>| n.map_or_else(|| "-".to_owned(), cut::count);
    let mut cells: Vec<[String; 7]> =
        vec![["target", "questions", "on file", "calls", "at most", "time", "cost"].map(str::to_owned)];
    let of = |row: &Row| {
        let live = row.calls.is_some();
        let unknown = |known: bool| if known { "unknown" } else { "-" }.to_owned();
        [
            clean::terminal(&cut::chars(&row.target, 40)).into_owned(),
            cut::count(row.questions),
            n(row.on_file),
            n(row.calls),
            if live { cut::count(row.at_most) } else { "-".to_owned() },
            row.time.map_or_else(|| unknown(live), long),
            row.cost.as_ref().map_or_else(|| unknown(row.priced), |(a, c)| money(*a, c)),
        ]
    };
    cells.extend(rows.iter().map(of));
    if rows.len() > 1 {
        let live: Vec<&Row> = rows.iter().filter(|r| r.calls.is_some()).collect();
        let sum = |f: &dyn Fn(&Row) -> usize| cut::count(rows.iter().map(f).sum());
        // Targets are asked beside each other, so the slowest takes as long as all.
        let slowest = live.iter().map(|r| r.time).collect::<Option<Vec<_>>>().map(|all| all.into_iter().max());
        let costs: Option<Vec<&(f64, String)>> = live.iter().map(|r| r.cost.as_ref()).collect();
        let cost = costs.and_then(|all| {
            let (_, currency) = all.first()?;
            let same = all.iter().all(|(_, c)| c == currency);
            same.then(|| money(all.iter().map(|(a, _)| a).sum(), currency))
        });
        cells.push([
            "total".to_owned(),
            sum(&|r| r.questions),
            sum(&|r| r.on_file.unwrap_or(0)),
            sum(&|r| r.calls.unwrap_or(0)),
            sum(&|r| r.at_most),
            slowest.map_or_else(|| "unknown".to_owned(), |t| long(t.unwrap_or_default())),
            cost.unwrap_or_else(|| if live.iter().any(|r| r.priced) { "unknown" } else { "-" }.to_owned()),
        ]);
    }
    let mut widths = [0; 7];
    for row in &cells {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cut::columns(cell));
        }
    }
    let mut out = String::new();
    for row in &cells {
        let mut line = String::new();
        for (i, (width, cell)) in widths.iter().zip(row).enumerate() {
            let blanks = " ".repeat(width - cut::columns(cell));
            // Names to the left, numbers to the right.
            line += &if i == 0 { format!("{cell}{blanks}") } else { format!("   {blanks}{cell}") };
        }
        let _ = writeln!(out, "{}", line.trim_end());
    }
    out.push('\n');
    for row in rows {
        let _ = writeln!(out, "{}: {}", clean::terminal(&row.target), row.source);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_is_that_of_the_narrower_way() {
        let s = Duration::from_secs;
        // Ten calls of 2 s, four at once: three waves.
        assert_eq!(time(10, s(2), 4, None), s(6));
        // At 1 in 3 s the tenth goes out after 27 s.
        let rate = Rate { count: 1, per: s(3) };
        assert_eq!(time(10, s(2), 4, Some(rate)), s(27));
        let rate = Rate { count: 600, per: s(60) };
        assert_eq!(time(10, s(2), 4, Some(rate)), s(6));
    }

    #[test]
    fn cost_is_unknown_rather_than_wrong() {
        let price = Price { input: 2.0, output: 10.0, call: 0.001, currency: "$".into() };
        // 1,000 calls of 500 tokens in and 100 out: 1.00 for the calls, 1.00 and 1.00 for the tokens.
        let got = cost(&price, 1000, Some(500.0), Some(100.0)).unwrap();
        assert!((got - 3.0).abs() < 1e-9, "{got}");
        assert_eq!(cost(&price, 1000, Some(500.0), None), None);
        let by_call = Price { input: 0.0, output: 0.0, ..price };
        assert!((cost(&by_call, 10, None, None).unwrap() - 0.01).abs() < 1e-12);
        assert_eq!(money(0.0125, "$"), "$0.0125");
        assert_eq!(money(12.0, "CHF"), "CHF 12.00");
    }
}
