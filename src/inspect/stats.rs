//! One statistic of given numbers: what every report reckons with, for anybody to hold against another program.

use super::Input;
use super::table::table;
use crate::judge::calibrate::Measured;
use crate::stats::power::Plan;
use crate::stats::{
    Agreement, Corrected, Interval, Labelled, Level, Rate, SEED, Says, Scores, Sprt, Weights, bca, binomial_below,
    fisher, holm, mcnemar, mean, sign_flip, tango, weighted_kappa,
};
use serde_json::{Value, json};

/// What can be reckoned: its name, what is given, and how.
struct Statistic {
    name: &'static str,
    given: &'static str,
    of: fn(&Given<'_>) -> Result<Value, String>,
}

/// In the order in which a reader finds them.
const STATISTICS: [Statistic; 15] = [
    Statistic { name: "wilson", given: "hits, n", of: |g| g.rate(Rate::wilson) },
    Statistic { name: "clopper_pearson", given: "hits, n", of: |g| g.rate(Rate::clopper_pearson) },
    Statistic { name: "percentile", given: "hits, n", of: |g| g.rate(Rate::percentile) },
    Statistic { name: "mcnemar", given: "broken, fixed", of: paired },
    Statistic { name: "tango", given: "broken, fixed, n", of: difference },
    Statistic { name: "fisher", given: "hits, n before; hits, n now", of: two_rates },
    Statistic { name: "binomial", given: "hits, n, share", of: below },
    Statistic { name: "holm", given: "p-values", of: |g| Ok(json!({ "adjusted": holm(&g.shares()?) })) },
    Statistic { name: "bca", given: "values; `groups`, `seed`", of: bootstrap },
    Statistic { name: "sign_flip", given: "differences; `groups`, `seed`", of: permutation },
    Statistic { name: "agreement", given: "both, first, second, neither", of: agreement },
    Statistic { name: "weighted_kappa", given: "counts of a square table, row by row; `weights`", of: weighted },
    Statistic {
        name: "ppi",
        given: "the judge's scores without a label; `labelled` [[judge, person], …]",
        of: powered,
    },
    Statistic { name: "labels", given: "both, judge, person, neither, unlabelled, share", of: corrected },
    Statistic { name: "power", given: "n, gains; `sides`, `alpha`, `seen`", of: power },
];

/// The sequential test, whose input is a text.
const SPRT: &str = "sprt";

/// The numbers of one statistic, with what else the object says.
struct Given<'a> {
    name: &'static str,
    numbers: Vec<f64>,
    input: &'a Input<'a>,
}

/// Nobody labels more.
const LABELLED: u64 = 10_000;

/// More values than a suite has questions are a mistake.
const MOST: u64 = 1_000_000;

/// Reckons one object: `{"wilson":[23,27]}`. `level` is .9, .95 or .99.
///
/// # Errors
///
/// A sentence on what is wrong.
pub fn line(input: &Input<'_>) -> Result<Value, String> {
    if let Some(runs) = input.text(SPRT)? {
        return sequential(runs);
    }
    let mut named = STATISTICS.iter().filter(|s| input.get(s.name).is_some());
    let Some(statistic) = named.next() else {
        let names: Vec<String> = STATISTICS.iter().map(|s| format!("`{}` [{}]", s.name, s.given)).collect();
        return Err(format!("no statistic is named: one of {}, `{SPRT}` \"FPP\"", names.join(", ")));
    };
    if let Some(second) = named.next() {
        return Err(format!("both `{}` and `{}`: one at a time", statistic.name, second.name));
    }
    let number = |v: &Value| v.as_f64().filter(|n| n.is_finite());
    let numbers: Option<Vec<f64>> = input.list(statistic.name)?.iter().map(number).collect();
    let numbers = numbers.ok_or_else(|| format!("`{}` holds something that is no number", statistic.name))?;
    (statistic.of)(&Given { name: statistic.name, numbers, input })
        .map_err(|why| format!("{why}; `{}` takes [{}]", statistic.name, statistic.given))
}

/// The same for words of a command line, as a table: `wilson 23 27`.
///
/// # Errors
///
/// A sentence on what is wrong.
pub fn words(words: &[String]) -> Result<Value, String> {
    let (name, rest) = words.split_first().ok_or("no statistic is named")?;
    let object = if name == SPRT {
        json!({ SPRT: rest.concat() })
    } else {
        let number = |w: &String| w.parse::<f64>().map_err(|_| format!("`{w}` is no number"));
        let numbers = rest.iter().map(number).collect::<Result<Vec<_>, _>>()?;
        json!({ name.as_str(): numbers })
    };
    line(&Input::new(&object))
}

/// What was reckoned, for people.
pub fn shown(answer: &Value) -> String {
    let cell = |v: &Value| match v {
        Value::Number(n) => match (n.as_u64(), n.as_f64()) {
            (None, Some(x)) if x != 0.0 && x.abs() < 0.001 => format!("{x:.2e}"),
            (None, Some(x)) => format!("{x:.4}"),
            _ => n.to_string(),
        },
        Value::Null => "–".to_owned(),
        Value::String(s) => s.clone(),
        Value::Bool(_) | Value::Array(_) | Value::Object(_) => v.to_string(),
    };
    let rows: Vec<Vec<String>> =
        answer.as_object().into_iter().flatten().map(|(name, v)| vec![name.clone(), cell(v)]).collect();
    table(&rows)
}

impl Given<'_> {
    /// Exactly so many numbers.
    fn exactly<const N: usize>(&self) -> Result<[f64; N], String> {
        let numbers = self.numbers.as_slice();
        numbers.try_into().map_err(|_| format!("`{}` has {} numbers, expected {N}", self.name, numbers.len()))
    }

    fn level(&self) -> Result<Level, String> {
        let levels = [(0.9, Level::P90), (0.95, Level::P95), (0.99, Level::P99)];
        match self.input.get("level") {
            None => Ok(Level::P95),
            Some(v) => {
                let named = |n: f64| levels.iter().find(|(l, _)| *l == n).map(|(_, level)| *level);
                v.as_f64().and_then(named).ok_or_else(|| format!("`level` is {v}, expected 0.9, 0.95 or 0.99"))
            }
        }
    }

    fn seed(&self) -> Result<u64, String> {
        match self.input.get("seed") {
            None => Ok(SEED),
            Some(v) => v.as_u64().ok_or_else(|| format!("`seed` is {v}, expected a whole number")),
        }
    }

    /// A share beside the numbers, strictly between 0 and 1.
    fn share(&self, name: &str, default: f64) -> Result<f64, String> {
        match self.input.get(name) {
            None => Ok(default),
            Some(v) => {
                let share = v.as_f64().filter(|x| *x > 0.0 && *x < 1.0);
                share.ok_or_else(|| format!("`{name}` is {v}, expected a number between 0 and 1"))
            }
        }
    }

    /// All numbers, each from 0 to 1.
    fn shares(&self) -> Result<Vec<f64>, String> {
        self.numbers.iter().map(|n| share(*n)).collect()
    }

    /// The group of each value, numbered by its first place.
    fn groups(&self) -> Result<Option<Vec<usize>>, String> {
        let list = self.input.list("groups")?;
        if list.is_empty() {
            return Ok(None);
        }
        if list.len() != self.numbers.len() {
            return Err(format!("`groups` has {} entries for {} values", list.len(), self.numbers.len()));
        }
        let first = |v: &Value| list.iter().position(|other| other == v).unwrap_or(0);
        Ok(Some(list.iter().map(first).collect()))
    }

    fn rate(&self, of: fn(Rate, Level) -> Option<Interval>) -> Result<Value, String> {
        let [hits, n] = self.exactly()?;
        let rate = rate(hits, n)?;
        let ends = ends(of(rate, self.level()?));
        Ok(json!({ "value": rate.value(), "low": ends.0, "high": ends.1 }))
    }
}

fn whole(n: f64) -> Result<u64, String> {
    if n >= 0.0 && n.fract() == 0.0 && n <= MOST as f64 {
        Ok(n as u64)
    } else {
        Err(format!("{n} is no whole number from 0 to {MOST}"))
    }
}

fn rate(hits: f64, n: f64) -> Result<Rate, String> {
    let (hits, n) = (whole(hits)?, whole(n)?);
    if hits > n { Err(format!("{hits} of {n} is more than all")) } else { Ok(Rate::new(hits, n)) }
}

fn share(x: f64) -> Result<f64, String> {
    if (0.0..=1.0).contains(&x) { Ok(x) } else { Err(format!("{x} is not from 0 to 1")) }
}

fn ends(interval: Option<Interval>) -> (Option<f64>, Option<f64>) {
    (interval.map(|i| i.low), interval.map(|i| i.high))
}

fn paired(g: &Given<'_>) -> Result<Value, String> {
    let [broken, fixed] = g.exactly()?;
    let p = mcnemar(whole(broken)?, whole(fixed)?);
    Ok(json!({ "exact": p.exact, "mid": p.mid, "worse": p.worse }))
}

fn difference(g: &Given<'_>) -> Result<Value, String> {
    let [broken, fixed, n] = g.exactly()?;
    let (low, high) = ends(tango(whole(broken)?, whole(fixed)?, whole(n)?, g.level()?));
    Ok(json!({ "difference": (n > 0.0).then(|| (fixed - broken) / n), "low": low, "high": high }))
}

fn two_rates(g: &Given<'_>) -> Result<Value, String> {
    let [hits, n, hits_now, n_now] = g.exactly()?;
    Ok(json!({ "worse": fisher(rate(hits, n)?, rate(hits_now, n_now)?) }))
}

fn below(g: &Given<'_>) -> Result<Value, String> {
    let [hits, n, expected] = g.exactly()?;
    Ok(json!({ "worse": binomial_below(rate(hits, n)?, share(expected)?) }))
}

fn bootstrap(g: &Given<'_>) -> Result<Value, String> {
    let groups = g.groups()?;
    let interval = bca(&g.numbers, groups.as_deref(), g.level()?, g.seed()?);
    let of = mean(g.numbers.iter().copied());
    let (low, high) = ends(interval);
    let why = match &of {
        Some(m) if interval.is_none() && m.min == m.max => Some("too few distinct values"),
        _ if interval.is_none() => Some("too few values"),
        _ => None,
    };
    let mut out = json!({ "mean": of.map(|m| m.value), "low": low, "high": high, "seed": g.seed()? });
    if let (Some(why), Some(map)) = (why, out.as_object_mut()) {
        map.insert("why".to_owned(), json!(why));
        map.insert("min".to_owned(), json!(of.map(|m| m.min)));
        map.insert("max".to_owned(), json!(of.map(|m| m.max)));
    }
    Ok(out)
}

fn permutation(g: &Given<'_>) -> Result<Value, String> {
    let differences = match g.groups()? {
        None => g.numbers.clone(),
        Some(groups) => {
            let mut sums = std::collections::BTreeMap::<usize, f64>::new();
            g.numbers.iter().zip(groups).for_each(|(d, group)| *sums.entry(group).or_default() += d);
            sums.into_values().collect()
        }
    };
    let of = mean(g.numbers.iter().copied()).map(|m| m.value);
    Ok(json!({ "mean": of, "p": sign_flip(&differences, g.seed()?), "seed": g.seed()? }))
}

fn counts(numbers: [f64; 4]) -> Result<Agreement, String> {
    let [both, first, second, neither] = numbers;
    Ok(Agreement { both: whole(both)?, first: whole(first)?, second: whole(second)?, neither: whole(neither)? })
}

fn agreement(g: &Given<'_>) -> Result<Value, String> {
    let (table, level) = (counts(g.exactly()?)?, g.level()?);
    // The bootstrap draws every item anew, ten thousand times.
    if table.n() > LABELLED {
        return Err(format!("{} items, expected {LABELLED} at most", table.n()));
    }
    let (low, high) = ends(table.kappa_interval(level));
    let graded = Measured { table, unmeasured: 0 }.graded(g.seed()?);
    let (ac1_low, ac1_high) = ends(table.ac1_interval(level, g.seed()?));
    Ok(json!({
        "n": table.n(), "agreed": table.agreed().value(),
        "kappa": table.kappa(), "se": table.kappa_error(), "low": low, "high": high,
        "pabak": table.pabak(), "ac1": table.ac1(), "ac1_low": ac1_low, "ac1_high": ac1_high,
        "prevalence": table.prevalence(), "recall_of_yes": table.recall().value(),
        "recall_of_no": table.recall_of_no().value(), "trust": graded.grade.name(), "reasons": graded.reasons(),
    }))
}

fn weighted(g: &Given<'_>) -> Result<Value, String> {
    let counts = g.numbers.iter().map(|n| whole(*n)).collect::<Result<Vec<u64>, _>>()?;
    let side = (2..=100).find(|k| k * k == counts.len());
    let side = side.ok_or_else(|| format!("{} counts are no square table of two verdicts or more", counts.len()))?;
    let weights = match g.input.text("weights")? {
        None | Some("linear") => Weights::Linear,
        Some("quadratic") => Weights::Quadratic,
        Some(other) => return Err(format!("`weights` is `{other}`, expected `linear` or `quadratic`")),
    };
    let table: Vec<Vec<u64>> = counts.chunks(side).map(<[u64]>::to_vec).collect();
    let found = weighted_kappa(&table, weights);
    let (low, high) = ends(match found {
        Some(k) => Some(k.interval(g.level()?)),
        None => None,
    });
    Ok(json!({ "kappa": found.map(|k| k.value), "se": found.map(|k| k.error), "low": low, "high": high }))
}

fn powered(g: &Given<'_>) -> Result<Value, String> {
    let unlabelled = g.shares()?;
    let pair = |v: &Value| {
        let both = v.as_array().and_then(|p| <&[Value; 2]>::try_from(p.as_slice()).ok());
        let [judge, person] = both.ok_or("`labelled` holds something that is no pair of numbers")?;
        let number = |v: &Value| v.as_f64().ok_or_else(|| format!("`labelled` holds {v}, which is no number"));
        Ok::<_, String>((share(number(judge)?)?, share(number(person)?)?))
    };
    let labelled = g.input.list("labelled")?.iter().map(pair).collect::<Result<Vec<_>, _>>()?;
    let scores = Scores { labelled: &labelled, unlabelled: &unlabelled };
    let level = g.level()?;
    let shown = |c: Option<Corrected>| {
        c.map(|c| {
            let i = c.interval(level);
            json!({ "value": c.value, "se": c.error, "low": i.low, "high": i.high })
        })
    };
    let tuned = scores.tuned();
    Ok(json!({
        "enough": scores.enough(), "labels_alone": shown(scores.labels_alone()), "ppi": shown(scores.ppi()),
        "tuned": shown(tuned.map(|t| t.0)), "weight": tuned.map(|t| t.1),
    }))
}

fn corrected(g: &Given<'_>) -> Result<Value, String> {
    let [both, judge, person, neither, unlabelled, of] = g.exactly()?;
    let labelled =
        Labelled { table: counts([both, judge, person, neither])?, unlabelled: whole(unlabelled)?, share: share(of)? };
    let value = |c: Option<Corrected>| c.map(|c| json!([c.value, c.error]));
    let tuned = labelled.tuned();
    Ok(json!({
        "enough": labelled.enough(), "labels_alone": value(labelled.labels_alone()), "ppi": value(labelled.ppi()),
        "tuned": value(tuned.map(|t| t.0)), "weight": tuned.map(|t| t.1), "rogan_gladen": value(labelled.rogan_gladen()),
    }))
}

fn power(g: &Given<'_>) -> Result<Value, String> {
    let [n, gains] = g.exactly()?;
    let n = usize::try_from(whole(n)?).unwrap_or(usize::MAX);
    let one_sided = match g.input.get("sides").map(Value::as_u64) {
        None | Some(Some(1)) => true,
        Some(Some(2)) => false,
        Some(_) => return Err("`sides` is 1 or 2".to_owned()),
    };
    if !(0.0..0.5).contains(&gains) {
        return Err(format!("{gains} is no share of gains from 0 to .5"));
    }
    let plan = Plan { n, gains, one_sided, alpha: g.share("alpha", 0.05)?, power: g.share("seen", 0.8)? };
    Ok(json!({ "smallest_fall": plan.smallest_fall() }))
}

fn sequential(runs: &str) -> Result<Value, String> {
    if let Some(other) = runs.chars().find(|c| !matches!(c, 'P' | 'F')) {
        return Err(format!("`{SPRT}` holds `{other}`, expected P for a pass and F for a fail"));
    }
    Ok(match Sprt::STABLE.says(runs.chars().map(|c| c == 'P')) {
        Says::Same(after) => json!({ "says": "same", "after": after }),
        Says::Changed(after) => json!({ "says": "changed", "after": after }),
        Says::Nothing => json!({ "says": "nothing" }),
    })
}
