//! The figures of one ranked list, beside those of a random ranking. They are written as the field writes them (`precision@5`,
//! `mrr`); in the results of a run their names are shorter (`p@5`, `rr`).

use super::Input;
use super::table::table;
use crate::layer::retrieval::CUT_OFFS;
use crate::layer::retrieval::metrics::{Gain, Ranking};
use crate::layer::retrieval::random::Random;
use crate::layer::retrieval::ties::Tied;
use serde_json::{Map, Value};
use std::collections::HashSet;

/// The largest pool, and the longest list, that is reckoned with: a year's queries at once are a mistake, and each rank costs.
const MOST: usize = 10_000_000;

/// A ranked list whose figures are wanted.
#[derive(Debug, Clone)]
pub struct Ranked {
    ranking: Ranking,
    /// The list with its ties, where neighbours have the same score and no other order.
    tied: Option<Tied>,
    /// The units in the pool, where the number of its passages is known.
    random: Option<Random>,
    ks: Vec<usize>,
    gain: Gain,
    /// Hit says that every unit is found.
    all: bool,
}

/// A name, the figure and that of a random ranking; none for what does not apply.
type Row = (String, Option<f64>, Option<f64>);

/// A figure of a random ranking: without a pool, and with a pool that cannot hold the evidence, there is none.
type Maybe = Option<Option<f64>>;

impl Ranked {
    /// Reads one: `{"relevant":[0,1,…] | "units":[[0],[],…], "gold_total"?, "gold_grades"?, "ids"?, "scores"?, "pool"?,
    /// "chunks_per_unit"?, "k"?, "gain"?, "need"?}`.
    ///
    /// # Errors
    ///
    /// A sentence on what is wrong.
    pub fn read(input: &Input<'_>) -> Result<Ranked, String> {
        let ks = cut_offs(input)?;
        let gain = match input.text("gain")? {
            None | Some("linear") => Gain::Linear,
            Some("exp") => Gain::Exponential,
            Some(other) => return Err(format!("`gain` is `{other}`, expected `linear` or `exp`")),
        };
        let all = match input.text("need")? {
            None | Some("any") => false,
            Some("all") => true,
            Some(other) => return Err(format!("`need` is `{other}`, expected `any` or `all`")),
        };
        let gold_grades = grades(input, "gold_grades")?;
        if gold_grades.contains(&0.0) {
            return Err("`gold_grades` holds a 0: what has no grade is no unit of evidence".to_owned());
        }
        let total = count(input, "gold_total")?;
        if let Some(total) = total.filter(|t| !gold_grades.is_empty() && *t != gold_grades.len()) {
            return Err(format!("`gold_total` is {total}, and there are {} `gold_grades`", gold_grades.len()));
        }
        let repeats = repeats(input)?;
        let (ranking, simple) = if input.get("units").is_some() {
            (by_units(input, &gold_grades, total, &repeats)?, false)
        } else {
            by_grades(input, &gold_grades, total, &repeats)?
        };
        let tied = tied(input, &ranking, simple)?;
        let random = random(input, &ranking)?;
        Ok(Ranked { ranking, tied, random, ks, gain, all })
    }

    fn rows(&self) -> Vec<Row> {
        let mut out = Vec::new();
        for k in &self.ks {
            let mut add = |name: &str, own: Option<f64>, random: Maybe| {
                out.push((format!("{name}@{k}"), own, random.flatten()));
            };
            let (r, k, gain) = (self.random.as_ref(), *k, self.gain);
            let hit = if self.all { r.map(|r| r.all(k)) } else { r.map(|r| r.hit(k)) };
            add("hit", self.hit(k), hit);
            add("precision", self.pick(|r| r.precision(k), |t| t.precision(k)), r.map(|r| r.precision(k)));
            add("recall", self.pick(|r| r.recall(k), |t| t.recall(k)), r.map(|r| r.recall(k)));
            add("f1", self.pick(|r| r.f1(k), |t| t.f1(k)), r.map(|r| r.f1(k)));
            let k = Some(k);
            add("mrr", self.pick(|r| r.reciprocal_rank(k), |t| t.reciprocal_rank(k)), r.map(|r| r.reciprocal_rank(k)));
            add(
                "ap",
                self.pick(|r| r.average_precision(k), |t| t.average_precision(k)),
                r.map(|r| r.average_precision(k)),
            );
            add("ndcg", self.pick(|r| r.ndcg(k, gain), |t| t.ndcg(k, gain)), r.map(|r| self.graded(r).ndcg(k)));
        }
        let n = self.ranking.relevant.len();
        let r = self.random.as_ref();
        let whole: [(&str, Option<f64>, Maybe); 6] = [
            (
                "mrr",
                self.pick(|r| r.reciprocal_rank(None), |t| t.reciprocal_rank(None)),
                r.map(|r| r.reciprocal_rank(None)),
            ),
            (
                "ap",
                self.pick(|r| r.average_precision(None), |t| t.average_precision(None)),
                r.map(|r| r.average_precision(None)),
            ),
            (
                "ndcg",
                self.pick(|r| r.ndcg(None, self.gain), |t| t.ndcg(None, self.gain)),
                r.map(|r| self.graded(r).ndcg(None)),
            ),
            (
                "context_precision",
                self.pick(Ranking::context_precision_ratio, Tied::context_precision_ratio),
                r.map(|r| r.context_precision_ratio(n)),
            ),
            (
                "context_precision_ap",
                self.pick(Ranking::context_precision_ap, Tied::context_precision_ap),
                r.map(|r| r.context_precision_ap(n)),
            ),
            ("rank", self.rank(), None),
        ];
        out.extend(whole.into_iter().map(|(name, own, random)| (name.to_owned(), own, random.flatten())));
        out
    }

    /// The pool with what its grades are worth.
    fn graded(&self, random: &Random) -> Random {
        Random { units: random.units.iter().map(|(g, c)| (self.gain.of(*g), *c)).collect(), ..*random }
    }

    fn pick(&self, own: impl Fn(&Ranking) -> Option<f64>, tied: impl Fn(&Tied) -> Option<f64>) -> Option<f64> {
        match &self.tied {
            Some(t) => tied(t),
            None => own(&self.ranking),
        }
    }

    fn rank(&self) -> Option<f64> {
        self.pick(|r| r.first_rank().map(|r| r as f64), Tied::first_rank)
    }

    fn hit(&self, k: usize) -> Option<f64> {
        if self.all {
            return self.ranking.recall(k).map(|r| if r >= 1.0 { 1.0 } else { 0.0 });
        }
        self.pick(|r| r.hit(k), |t| t.hit(k))
    }

    /// The figures: `{"k":[…],"metrics":{…},"random":{…}}`. What does not apply is null: without evidence there is no figure,
    /// never a 0; `random` is null where the pool is not known or cannot hold the evidence.
    pub fn json(&self) -> Value {
        let rows = self.rows();
        let round = |v: Option<f64>| v.map_or(Value::Null, |v| Value::from((v * 1e6).round() / 1e6 + 0.0));
        let side = |of: &dyn Fn(&Row) -> Option<f64>| -> Map<String, Value> {
            rows.iter().map(|row| (row.0.clone(), round(of(row)))).collect()
        };
        let mut out = Map::new();
        out.insert("k".to_owned(), Value::from(self.ks.clone()));
        let mut metrics = side(&|r| r.1);
        // A rank is a count, unless it is the mean of several.
        if let Some(rank) = self.rank().filter(|r| r.fract() == 0.0) {
            metrics.insert("rank".to_owned(), Value::from(rank as u64));
        }
        out.insert("metrics".to_owned(), Value::Object(metrics));
        let mut random = side(&|r| r.2);
        random.remove("rank");
        let known = random.values().any(|v| !v.is_null());
        out.insert("random".to_owned(), if known { Value::Object(random) } else { Value::Null });
        Value::Object(out)
    }

    /// The figures for people.
    pub fn table(&self) -> String {
        let shown = |v: Option<f64>| v.map_or("-".to_owned(), |v| format!("{v:.4}"));
        let mut rows = vec![["metric", "", "at random"].map(str::to_owned).to_vec()];
        for (name, own, random) in self.rows() {
            let own = match own {
                Some(rank) if name == "rank" && rank.fract() == 0.0 => format!("{rank:.0}"),
                own => shown(own),
            };
            rows.push(vec![name, own, if random.is_some() { shown(random) } else { String::new() }]);
        }
        table(&rows)
    }
}

/// A whole number of at least 0.
fn count(input: &Input<'_>, name: &str) -> Result<Option<usize>, String> {
    match input.get(name) {
        None => Ok(None),
        Some(v) => match v.as_u64().and_then(|n| usize::try_from(n).ok()).filter(|n| *n <= MOST) {
            Some(n) => Ok(Some(n)),
            None => Err(format!("`{name}` is {v}, expected a whole number from 0 to {MOST}")),
        },
    }
}

fn cut_offs(input: &Input<'_>) -> Result<Vec<usize>, String> {
    let one = |v: &Value| match v.as_u64().and_then(|n| usize::try_from(n).ok()) {
        Some(k @ 1..=MOST) => Ok(k),
        Some(_) | None => Err(format!("`k` is {v}, expected a whole number from 1 to {MOST}")),
    };
    let mut ks = match input.get("k") {
        None => CUT_OFFS.to_vec(),
        Some(Value::Array(list)) => list.iter().map(one).collect::<Result<_, _>>()?,
        Some(v) => vec![one(v)?],
    };
    ks.sort_unstable();
    ks.dedup();
    Ok(ks)
}

/// Grades of at least 0; booleans are 0 and 1.
fn grades(input: &Input<'_>, name: &str) -> Result<Vec<f64>, String> {
    let list = input.list(name)?;
    let one = |v: &Value| {
        let grade = v.as_bool().map(|yes| f64::from(u8::from(yes))).or(v.as_f64());
        grade.filter(|g| (0.0..=100.0).contains(g))
    };
    let read: Option<Vec<f64>> = list.iter().map(one).collect();
    let wrong = || list.iter().find(|v| one(v).is_none()).map(Value::to_string).unwrap_or_default();
    read.ok_or_else(|| format!("`{name}` holds {}, expected grades from 0 to 100", wrong()))
}

/// Which passages repeat an earlier one, by their ids where there are any: they keep their rank and count as misses.
fn repeats(input: &Input<'_>) -> Result<Vec<bool>, String> {
    let mut seen = HashSet::new();
    // 7 and "7" are one id.
    let text = |v: &Value| v.as_str().map_or_else(|| v.to_string(), str::to_owned);
    Ok(input.list("ids")?.iter().map(|v| !seen.insert(text(v))).collect())
}

fn same_length(of: usize, name: &str, wanted: usize) -> Result<(), String> {
    if of == 0 || of == wanted { Ok(()) } else { Err(format!("`{name}` has {of} entries for a list of {wanted}")) }
}

/// A list in which a relevant passage covers one unit of its own, until there are no more units: further ones repeat what
/// was found. Also whether there are no further ones.
fn by_grades(
    input: &Input<'_>,
    gold: &[f64],
    total: Option<usize>,
    repeats: &[bool],
) -> Result<(Ranking, bool), String> {
    if input.get("relevant").is_none() {
        return Err("neither `relevant` nor `units`".to_owned());
    }
    let mut list = grades(input, "relevant")?;
    same_length(repeats.len(), "ids", list.len())?;
    list.iter_mut().zip(repeats).filter(|(_, again)| **again).for_each(|(g, _)| *g = 0.0);
    let found = list.iter().filter(|g| **g > 0.0).count();
    let total = total.unwrap_or(if gold.is_empty() { found } else { gold.len() });
    let mut left = total;
    let mut ranking = Ranking::default();
    let mut missing = gold.to_vec();
    for grade in &list {
        let new = *grade > 0.0 && left > 0;
        ranking.relevant.push(*grade > 0.0 && total > 0);
        ranking.newly.push(if new { vec![ranking.grades.len()] } else { Vec::new() });
        if new {
            left -= 1;
            ranking.grades.push(*grade);
            match missing.iter().position(|g| g == grade) {
                Some(at) => {
                    missing.swap_remove(at);
                }
                None if gold.is_empty() => {}
                None => return Err(format!("`relevant` holds the grade {grade} more often than `gold_grades`")),
            }
        }
    }
    if gold.is_empty() {
        missing = vec![1.0; left];
    }
    ranking.grades.extend(missing);
    Ok((ranking, found <= total))
}

/// A list that says which units each passage holds, by their number from 0.
fn by_units(input: &Input<'_>, gold: &[f64], total: Option<usize>, repeats: &[bool]) -> Result<Ranking, String> {
    let list = input.list("units")?;
    same_length(repeats.len(), "ids", list.len())?;
    let Some(total) = total.or((!gold.is_empty()).then_some(gold.len())) else {
        return Err("`units` needs `gold_total` or `gold_grades`".to_owned());
    };
    let grades = if gold.is_empty() { vec![1.0; total] } else { gold.to_vec() };
    let mut ranking = Ranking { grades, ..Ranking::default() };
    let mut found = vec![false; total];
    for (i, passage) in list.iter().enumerate() {
        let Value::Array(units) = passage else { return Err("`units` holds something that is no list".to_owned()) };
        let again = repeats.get(i).copied().unwrap_or(false);
        let mut newly = Vec::new();
        for unit in units {
            let n = unit.as_u64().and_then(|n| usize::try_from(n).ok());
            let Some((n, known)) = n.and_then(|n| found.get_mut(n).map(|known| (n, known))) else {
                return Err(format!("`units` names the unit {unit}, and there are {total}, counted from 0"));
            };
            if !again && !std::mem::replace(known, true) {
                newly.push(n);
            }
        }
        ranking.relevant.push(!again && !units.is_empty());
        ranking.newly.push(newly);
    }
    Ok(ranking)
}

fn tied(input: &Input<'_>, ranking: &Ranking, simple: bool) -> Result<Option<Tied>, String> {
    let list = input.list("scores")?;
    if list.is_empty() {
        return Ok(None);
    }
    same_length(list.len(), "scores", ranking.relevant.len())?;
    let scores: Option<Vec<f64>> = list.iter().map(Value::as_f64).collect();
    let scores = scores.ok_or("`scores` holds something that is no number")?;
    let grade = |newly: &Vec<usize>| newly.first().and_then(|u| ranking.grades.get(*u)).copied().unwrap_or(0.0);
    let grades: Vec<f64> = ranking.newly.iter().map(grade).collect();
    let found = grades.iter().filter(|g| **g > 0.0).count();
    let missing = ranking.grades.get(found..).unwrap_or_default();
    let Some(tied) = Tied::new(&grades, &scores, missing).filter(Tied::any) else { return Ok(None) };
    if !simple {
        return Err(
            "equal scores have no order, and what they then come to is known only where each relevant passage \
                    covers one unit of its own: leave `scores` out where the order counts"
                .to_owned(),
        );
    }
    if input.text("need")? == Some("all") {
        return Err("with `need` `all` equal scores must have an order: leave `scores` out".to_owned());
    }
    Ok(Some(tied))
}

fn random(input: &Input<'_>, ranking: &Ranking) -> Result<Option<Random>, String> {
    let chunks = input.list("chunks_per_unit")?;
    let Some(pool) = count(input, "pool")? else { return Ok(None) };
    if !chunks.is_empty() && chunks.len() != ranking.grades.len() {
        return Err(format!("`chunks_per_unit` has {} entries for {} units", chunks.len(), ranking.grades.len()));
    }
    if pool < ranking.relevant.len() {
        return Err(format!("`pool` is {pool}, and the list has {} passages", ranking.relevant.len()));
    }
    let lies_in = |i: usize| match chunks.get(i) {
        None => Ok(1),
        Some(v) => match v.as_u64().and_then(|n| usize::try_from(n).ok()) {
            Some(n @ 1..=MOST) => Ok(n),
            Some(_) | None => Err(format!("`chunks_per_unit` holds {v}, expected whole numbers from 1")),
        },
    };
    let unit = |(i, grade): (usize, &f64)| Ok((*grade, lies_in(i)?));
    let units = ranking.grades.iter().enumerate().map(unit).collect::<Result<Vec<_>, String>>()?;
    Ok(Some(Random { pool, units }))
}

/// One line of input answered.
///
/// # Errors
///
/// A sentence on what is wrong with the line.
pub fn line(input: &Input<'_>) -> Result<Value, String> {
    Ranked::read(input).map(|r| r.json())
}
