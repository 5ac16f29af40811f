//! Retrieval: is the evidence among the passages that count?
//!
//! It passes when the evidence is complete, at the finest level that it names (span, section, document), within the
//! first `top_k` passages that were in the prompt. The metrics describe the whole list as it was returned.

mod cover;
mod gold;
mod longer;
pub mod metrics;
pub mod name;
pub mod random;
pub mod ties;
mod union;
mod words;

use super::{Code, Detail, Exam, Finding, LayerResult, Outcome, Skip};
use crate::suite::corpus::Standing;
use crate::suite::{Expect, Level};
use crate::target::response::Context;
use cover::{Cover, Passage, Under, Unit};
use gold::{Gold, Tree};
use metrics::{Gain, Ranking};
pub use name::MetricName;
use random::{Holdings, Random};
use std::collections::{BTreeSet, HashMap, HashSet};
use union::{Pieces, WHOLE};

/// The cut-offs at which metrics are stated, besides the number of passages that count.
pub const CUT_OFFS: [usize; 4] = [1, 3, 5, 10];

/// Ranks and metrics of one question.
#[derive(Debug, Clone, Default)]
pub struct RetrievalDetail {
    /// Metric name with its cut-off (`hit@3`, `p@3`, `r@3`, `f1@3`, `rr`, `ap`, `ndcg@3`) and value, in a fixed order.
    pub metrics: Vec<(MetricName, f64)>,
    /// The same metrics for a random ranking, where the number of passages of the corpus is known.
    pub random: Vec<(MetricName, f64)>,
    /// The chance that a random ranking of the pool would pass; none when the pool is not known.
    pub chance: Option<f64>,
    /// Rank (from 1) of the first passage that holds evidence, among all that were returned.
    pub rank: Option<usize>,
    /// A passage of the right document or section is among those that count, or among the first `top_k` returned.
    pub in_top_k: bool,
    /// Such a passage was in the prompt.
    pub in_prompt: bool,
    /// It may be: a passage that does not count as evidence has a part of the heading path that the evidence names, and
    /// nothing proves that it is the same section or another.
    pub heading_unsure: bool,
    /// The evidence is complete, at the finest level that it names.
    pub complete: bool,
    /// Whether the evidence stands in the corpus; none when there is no corpus.
    pub in_corpus: Option<bool>,
    /// Indices (from 0) of the passages in the prompt that hold evidence at the finest level.
    pub holders: Vec<usize>,
}

/// Which passage covers which place.
struct Matrix {
    /// By passage and place.
    covers: Vec<Vec<Cover>>,
    /// Passages that repeat an earlier one.
    repeats: Vec<usize>,
}

impl Matrix {
    fn new(contexts: &[Context<'_>], gold: &Gold<'_>) -> Self {
        let mut seen = HashSet::new();
        let mut joined = HashMap::new();
        let mut matrix = Matrix { covers: Vec::with_capacity(contexts.len()), repeats: Vec::new() };
        for (i, context) in contexts.iter().enumerate() {
            // Chunks are often numbered within their document, so the id alone does not tell two passages apart.
            let name = context.chunk.as_deref().map(|id| (id, context.doc.as_deref(), context.url.as_deref()));
            if name.is_some_and(|name| !seen.insert(name)) {
                matrix.repeats.push(i);
                matrix.covers.push(vec![Cover::None; gold.places.len()]);
                continue;
            }
            let passage = Passage::new(context);
            let mut row: Vec<Cover> = gold.places.iter().map(|unit| unit.cover(&passage)).collect();
            for (place, (unit, cover)) in gold.places.iter().zip(&mut row).enumerate() {
                if unit.evidence.union && *cover != Cover::Complete && context.in_prompt() {
                    let joined = joined
                        .entry((place, context.doc.as_deref(), context.url.as_deref()))
                        .or_insert_with(|| Joined::new(unit));
                    if joined.add(unit, &passage) {
                        *cover = Cover::Complete;
                    }
                }
            }
            matrix.covers.push(row);
        }
        matrix
    }

    /// Whether the passage is of the right document or section for some place.
    fn places(&self, passage: usize) -> bool {
        self.covers.get(passage).is_some_and(|row| row.iter().any(|c| *c >= Cover::Place))
    }

    fn completes(&self, passage: usize) -> bool {
        self.covers.get(passage).is_some_and(|row| row.contains(&Cover::Complete))
    }

    /// The places that some of the passages cover.
    fn covered(&self, passages: &[usize], counts: impl Fn(Cover) -> bool) -> HashSet<usize> {
        let rows = passages.iter().filter_map(|p| self.covers.get(*p));
        rows.flat_map(|row| row.iter().enumerate().filter(|(_, c)| counts(**c)).map(|(i, _)| i)).collect()
    }

    /// The pool with the evidence in it. Where the evidence names a document or a section and the index is known, every passage
    /// of it counts. How many passages hold words is not known: at least one does, and as many as were returned and hold
    /// them, so that the true line may be a little higher.
    fn random(&self, pool: usize, holdings: Option<&Holdings>, gold: &Gold<'_>) -> Random {
        let holds = |tree: &Tree, row: &Vec<Cover>| tree.holds(&|p| row.get(p) == Some(&Cover::Complete));
        let known: Vec<Vec<Cover>> = holdings.map_or_else(Vec::new, |h| held_by(h, gold));
        let lies_in = |tree: &Tree| {
            let returned = self.covers.iter().filter(|row| holds(tree, row)).count();
            returned.max(known.iter().filter(|row| holds(tree, row)).count()).max(1)
        };
        let units: Vec<(f64, usize)> = gold.units.iter().map(|(tree, grade)| (*grade, lies_in(tree))).collect();
        // One passage may hold several units, and then the sum says too much.
        if units.iter().map(|(_, c)| c).sum::<usize>() > pool {
            return Random { pool, units: units.into_iter().map(|(grade, _)| (grade, 1)).collect() };
        }
        Random { pool, units }
    }

    /// The list as metrics see it, and the rank at which the whole condition first holds.
    fn ranking(&self, gold: &Gold<'_>) -> (Ranking, Option<usize>) {
        let mut ranking = Ranking { grades: gold.units.iter().map(|(_, g)| *g).collect(), ..Ranking::default() };
        let mut covered: HashSet<usize> = HashSet::new();
        let mut done = vec![false; gold.units.len()];
        let mut complete = None;
        for (i, row) in self.covers.iter().enumerate() {
            let hits = row.iter().enumerate().filter(|(_, c)| **c == Cover::Complete).map(|(p, _)| p);
            let before = covered.len();
            let mut relevant = false;
            for place in hits {
                relevant = true;
                covered.insert(place);
            }
            let mut newly = Vec::new();
            if covered.len() > before {
                for (u, ((tree, _), done)) in gold.units.iter().zip(&mut done).enumerate() {
                    if !*done && tree.holds(&|p| covered.contains(&p)) {
                        *done = true;
                        newly.push(u);
                    }
                }
                if complete.is_none() && gold.need.holds(&|p| covered.contains(&p)) {
                    complete = Some(i + 1);
                }
            }
            ranking.relevant.push(relevant);
            ranking.newly.push(newly);
        }
        (ranking, complete)
    }
}

/// The passages of an index that are of a document which the evidence names, and what they cover of it by their names alone: words
/// that are wanted are in none of them.
fn held_by(holdings: &Holdings, gold: &Gold<'_>) -> Vec<Vec<Cover>> {
    let coarse = |u: &&Unit<'_>| u.evidence.level() < Level::Words;
    let docs: BTreeSet<&str> = gold.places.iter().filter(coarse).filter_map(|u| u.evidence.doc.as_deref()).collect();
    let mut rows = Vec::new();
    for doc in docs {
        for section in holdings.0.get(doc).into_iter().flatten() {
            let section = section.iter().map(|h| h.as_str().into()).collect();
            let context = Context { doc: Some(doc.into()), section, ..Context::default() };
            let passage = Passage::new(&context);
            rows.push(gold.places.iter().map(|u| u.cover(&passage)).collect());
        }
    }
    rows
}

/// What the passages of one document hold together of a span: by the places in the document, or by the words.
struct Joined {
    words: Option<Pieces>,
    places: Vec<(u64, u64)>,
}

impl Joined {
    fn new(unit: &Unit<'_>) -> Self {
        Joined { words: unit.span.as_deref().map(Pieces::new), places: Vec::new() }
    }

    /// Adds what a passage holds, and says whether the span is whole with it.
    fn add(&mut self, unit: &Unit<'_>, passage: &Passage<'_>) -> bool {
        if !unit.may_hold_part(passage.context) {
            return false;
        }
        match (unit.evidence.at, passage.context.start, passage.context.end) {
            (Some((from, to)), Some(start), Some(end)) => {
                let part = (start.max(from), end.min(to));
                if part.0 >= part.1 {
                    return false;
                }
                self.places.push(part);
                share_of_places(&mut self.places, (from, to)) >= WHOLE
            }
            _ => {
                let (Some(words), Some(text)) = (&mut self.words, passage.normal()) else { return false };
                let before = words.share();
                words.add(text);
                words.share() > before && words.share() >= WHOLE
            }
        }
    }
}

/// The share of a range that lies in one of some ranges.
fn share_of_places(parts: &mut [(u64, u64)], (from, to): (u64, u64)) -> f64 {
    parts.sort_unstable();
    let (mut covered, mut at) = (0, from);
    for (start, end) in parts.iter() {
        covered += end.saturating_sub(at.max(*start));
        at = at.max(*end);
    }
    covered as f64 / to.saturating_sub(from).max(1) as f64
}

/// The share of the deciding words that the passages returned hold, whole or cut: the mean over the spans where all are needed,
/// else that of the best one. Nothing where the evidence names no words and no characters.
fn span_recall(contexts: &[Context<'_>], gold: &Gold<'_>, matrix: &Matrix) -> Option<f64> {
    let share = |place: usize| {
        let unit = gold.places.get(place)?;
        if unit.span.is_none() && unit.evidence.at.is_none() {
            return None;
        }
        if matrix.covers.iter().any(|row| row.get(place) == Some(&Cover::Complete)) {
            return Some(1.0);
        }
        let mut pieces = unit.span.as_deref().map(Pieces::new);
        let mut places = Vec::new();
        for c in contexts.iter().filter(|c| unit.may_hold_part(c)) {
            match (unit.evidence.at, c.start, c.end) {
                (Some((from, to)), Some(start), Some(end)) if end.min(to) > start.max(from) => {
                    places.push((start.max(from), end.min(to)));
                }
                (Some(_), Some(_), Some(_)) => {}
                _ => {
                    if let (Some(pieces), Some(text)) = (&mut pieces, Passage::new(c).normal()) {
                        pieces.add(text);
                    }
                }
            }
        }
        let by_place = unit.evidence.at.map_or(0.0, |at| share_of_places(&mut places, at));
        Some(by_place.max(pieces.map_or(0.0, |p| p.share())))
    };
    gold.need.share(&share)
}

/// The passages of the prompt (indices from 0) that hold a piece of evidence at the finest level that it names.
pub fn holders(exam: &Exam<'_>) -> Vec<usize> {
    let Some(contexts) = exam.response.contexts.as_ref() else { return Vec::new() };
    let gold = Gold::new(exam.question, exam.corpus);
    let matrix = Matrix::new(contexts, &gold);
    held(contexts, &matrix)
}

/// The share of the units of evidence (R) that some passages hold together: gold recall, where they are those that an answer
/// cites. Passages are indices from 0. 0 where the question names no evidence.
pub fn units_in(exam: &Exam<'_>, passages: &[usize]) -> f64 {
    let Some(contexts) = exam.response.contexts.as_ref() else { return 0.0 };
    let gold = Gold::new(exam.question, exam.corpus);
    let matrix = Matrix::new(contexts, &gold);
    let covered = matrix.covered(passages, |c| c == Cover::Complete);
    let found = gold.units.iter().filter(|(tree, _)| tree.holds(&|p| covered.contains(&p))).count();
    if gold.units.is_empty() { 0.0 } else { found as f64 / gold.units.len() as f64 }
}

fn held(contexts: &[Context<'_>], matrix: &Matrix) -> Vec<usize> {
    (0..contexts.len()).filter(|i| contexts.get(*i).is_some_and(Context::in_prompt) && matrix.completes(*i)).collect()
}

/// Checks retrieval.
pub fn check(exam: &Exam<'_>) -> LayerResult {
    if exam.question.evidence.is_empty() || exam.question.expect == Expect::Refuse {
        return LayerResult::skipped(Skip::NotApplicable);
    }
    let gold = Gold::new(exam.question, exam.corpus);
    let in_corpus = in_corpus(exam, &gold);
    if in_corpus == Some(false) {
        return stale(exam, &gold);
    }
    let Some(contexts) = exam.response.contexts.as_ref() else {
        return match (&exam.response.error, exam.provides.contexts) {
            (Some(error), _) => LayerResult::unmeasured(Finding::fault(
                Code::ResponseError,
                format!("The target reported an error: {error}"),
            )),
            (None, true) => {
                LayerResult::unmeasured(Finding::fault(Code::ContextsMissing, "The response holds no passages."))
            }
            (None, false) => LayerResult::skipped(Skip::NotObserved),
        };
    };
    let matrix = Matrix::new(contexts, &gold);
    let (ranking, complete_rank) = matrix.ranking(&gold);
    let sent: Vec<usize> = (0..contexts.len()).filter(|i| contexts.get(*i).is_some_and(Context::in_prompt)).collect();
    let top_k = exam.top_k.unwrap_or(sent.len());
    let counted: Vec<usize> = sent.iter().copied().take(top_k).collect();
    let first: Vec<usize> = (0..contexts.len()).take(exam.top_k.unwrap_or(usize::MAX)).collect();

    let random = exam.pool.map(|pool| matrix.random(pool, exam.holdings, &gold));

    let exact = |c: Cover| c == Cover::Complete;
    let holds = |covered: &HashSet<usize>| gold.need.holds(&|p| covered.contains(&p));
    let passes = holds(&matrix.covered(&counted, exact));
    let detail = RetrievalDetail {
        metrics: stated(&ranking, complete_rank, top_k, span_recall(contexts, &gold, &matrix)),
        random: random.as_ref().map(|r| by_chance(r, &gold, top_k, contexts.len())).unwrap_or_default(),
        chance: random.as_ref().and_then(|r| pass_by_chance(r, &gold, top_k)),
        rank: (0..contexts.len()).find(|i| matrix.completes(*i)).map(|i| i + 1),
        in_top_k: counted.iter().chain(&first).any(|i| matrix.places(*i)),
        in_prompt: sent.iter().any(|i| matrix.places(*i)),
        heading_unsure: !passes && words::other_heading(&gold, contexts).is_some_and(|(_, _, u)| u == Under::Unsure),
        complete: passes,
        in_corpus,
        holders: held(contexts, &matrix),
    };
    let mut findings = Vec::new();
    let outcome = if passes {
        Outcome::Pass
    } else {
        // Could it hold, if what the passages did not carry were right?
        let open =
            |c: Cover| matches!(c, Cover::Complete | Cover::Unknown | Cover::PlaceWithoutText | Cover::DocumentOnly);
        if holds(&matrix.covered(&counted, open)) {
            let textless = matrix.covered(&counted, |c| c == Cover::PlaceWithoutText);
            findings.push(words::not_carried(!textless.is_empty()));
            Outcome::Unmeasured
        } else {
            findings.push(words::fault(exam, &gold, &matrix, &detail, &counted, contexts));
            Outcome::Fail
        }
    };
    findings.extend(words::repeats(&matrix.repeats));
    if outcome == Outcome::Unmeasured {
        let detail = RetrievalDetail { metrics: Vec::new(), random: Vec::new(), ..detail };
        return LayerResult { outcome, findings, detail: Detail::Retrieval(Box::new(detail)) };
    }
    LayerResult { outcome, findings, detail: Detail::Retrieval(Box::new(detail)) }
}

/// Whether the condition can hold in the corpus; nothing when there is no corpus or it knows none of the places.
fn in_corpus(exam: &Exam<'_>, gold: &Gold<'_>) -> Option<bool> {
    let corpus = exam.corpus?;
    let standing: Vec<Standing> = gold.places.iter().map(|u| corpus.standing(u.evidence)).collect();
    let stands = |s: Option<&Standing>| matches!(s, Some(Standing::Found | Standing::Unknown));
    if !gold.need.holds(&|p| stands(standing.get(p))) {
        return Some(false);
    }
    standing.contains(&Standing::Found).then_some(true)
}

/// The evidence does not stand in the corpus: the question is at fault, not the retriever.
fn stale(exam: &Exam<'_>, gold: &Gold<'_>) -> LayerResult {
    let missing = gold.places.iter().find_map(|u| {
        let what = match exam.corpus.map(|c| c.standing(u.evidence)) {
            Some(Standing::NoDocument) => "the corpus has no such document".to_owned(),
            Some(Standing::NoSection) => {
                match exam.corpus.map_or_else(Vec::new, |c| c.sections_ending(u.evidence)).as_slice() {
                    [] => "the document has no such section".to_owned(),
                    several => format!("{} sections end with these headings, name more of them", several.len()),
                }
            }
            Some(Standing::NoSpan) => "the words do not stand there".to_owned(),
            Some(Standing::Found | Standing::Unknown) | None => return None,
        };
        Some(format!("The evidence {} is stale: {what}.", u.evidence))
    });
    let finding = Finding::fault(Code::EvidenceStale, missing.unwrap_or_else(|| "The evidence is stale.".into()));
    let detail = RetrievalDetail { in_corpus: Some(false), ..RetrievalDetail::default() };
    LayerResult { outcome: Outcome::Unmeasured, findings: vec![finding], detail: Detail::Retrieval(Box::new(detail)) }
}

/// The cut-offs of a question: the usual ones and its own.
fn cut_offs(top_k: usize) -> Vec<usize> {
    let mut ks = CUT_OFFS.to_vec();
    ks.extend((top_k > 0).then_some(top_k));
    ks.sort_unstable();
    ks.dedup();
    ks
}

/// Every metric of a list, in a fixed order. hit@k says that the question's own condition holds within k: with
/// `evidence_match: any` that one unit is found, with `all` that R@k is 1.
fn stated(
    ranking: &Ranking,
    complete: Option<usize>,
    top_k: usize,
    span_recall: Option<f64>,
) -> Vec<(MetricName, f64)> {
    let hit = |k: usize| Some(if complete.is_some_and(|r| r <= k) { 1.0 } else { 0.0 });
    let mut out = list(
        top_k,
        [
            ("hit", &hit),
            ("p", &|k| ranking.precision(k)),
            ("r", &|k| ranking.recall(k)),
            ("f1", &|k| ranking.f1(k)),
            ("ndcg", &|k| ranking.ndcg(Some(k), Gain::Linear)),
        ],
        [("rr", ranking.reciprocal_rank(None)), ("ap", ranking.average_precision(None))],
    );
    let whole = [
        ("context_precision", ranking.context_precision_ratio()),
        ("context_precision_ap", ranking.context_precision_ap()),
        ("span_recall", span_recall),
    ];
    out.extend(whole.into_iter().filter_map(|(name, v)| v.map(|v| (MetricName::whole(name), v))));
    out
}

/// The chance that the question's own condition holds within the first `top_k` of a random ranking.
fn pass_by_chance(random: &Random, gold: &Gold<'_>, top_k: usize) -> Option<f64> {
    if gold.needs_all() { random.all(top_k) } else { random.hit(top_k) }
}

/// The same metrics of a random ranking of the pool, for a list of n passages.
fn by_chance(random: &Random, gold: &Gold<'_>, top_k: usize, n: usize) -> Vec<(MetricName, f64)> {
    let hit = |k: usize| if gold.needs_all() { random.all(k) } else { random.hit(k) };
    let mut out = list(
        top_k,
        [
            ("hit", &hit),
            ("p", &|k| random.precision(k)),
            ("r", &|k| random.recall(k)),
            ("f1", &|k| random.f1(k)),
            ("ndcg", &|k| random.ndcg(Some(k))),
        ],
        [("rr", random.reciprocal_rank(None)), ("ap", random.average_precision(None))],
    );
    let whole = [
        ("context_precision", random.context_precision_ratio(n)),
        ("context_precision_ap", random.context_precision_ap(n)),
    ];
    out.extend(whole.into_iter().filter_map(|(name, v)| v.map(|v| (MetricName::whole(name), v))));
    out
}

type At<'a> = (&'static str, &'a dyn Fn(usize) -> Option<f64>);

fn list(top_k: usize, at: [At<'_>; 5], whole: [(&'static str, Option<f64>); 2]) -> Vec<(MetricName, f64)> {
    let ks = cut_offs(top_k);
    let [hit, p, r, f1, ndcg] = at;
    let cut =
        |(name, f): At<'_>| ks.iter().filter_map(|k| f(*k).map(|v| (MetricName::at(name, *k), v))).collect::<Vec<_>>();
    let mut out: Vec<(MetricName, f64)> = [hit, p, r, f1].into_iter().flat_map(cut).collect();
    out.extend(whole.into_iter().filter_map(|(name, v)| v.map(|v| (MetricName::whole(name), v))));
    out.extend(cut(ndcg));
    out
}
