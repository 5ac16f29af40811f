//! Whether what a sentence cites bears it out.
//!
//! The numbers of a claim must stand in the passage that it cites, by the rules of the numbers layer; and the words of the
//! passage must cover those of the claim: by weight at least the threshold of the language, and not much less than those of
//! the passage that covers them best. A word weighs ln((N + 1) / (d + 0.5)), d of the N sentences of the passages holding it.
//! What the claim quotes must stand there word for word.
//!
//! Recall is the share of claims that are supported by all that they cite together, precision the share of citations of a
//! supported claim that are not superfluous: alone it does not support the claim, and the others do without it (ALCE, Gao et
//! al. 2023). A citation that leads nowhere counts as one that supports nothing. `scripts/evidence-real.py citation` measures
//! all this on the paragraphs of XQuAD.

use super::claims::Claim;
use super::resolve::Prompt;
use crate::layer::numbers::{self, Cut, pieces, read};
use crate::layer::{Exam, Reading};
use crate::text::norm::chars::script;
use crate::text::norm::{find_phrase, matching};
use crate::text::number::Mention;
use crate::text::pack::{Lang, Script};
use crate::text::segment::sentences_in;
use foldhash::fast::RandomState;
use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

/// How much less than the best passage a cited one may cover, of 1.
const BEHIND_BEST: f64 = 0.10;

/// So few sentences tell nothing of how rare a word is: N is no smaller.
const FEWEST: f64 = 30.0;

/// What a word that no passage holds weighs of the weight that it would have: most are question words and other forms of words
/// that a passage does hold. With the whole weight, claims of XQuAD are borne out by their own paragraph in .80 to .93 of the
/// cases and by another of the article in .004 to .009; with half of it in .94 to .96 and .002 to .008.
const UNHELD: f64 = 0.5;

/// A claim with fewer pieces than this is a short answer, and read with its question: `No [1].`
const SHORT: usize = 6;

/// A quotation of fewer characters is a word that is spoken of, or a title.
const SHORTEST_QUOTE: usize = 15;

/// What the words of a passage must cover of a claim's, by weight, of 1.
fn threshold(cut: Cut) -> f64 {
    match cut {
        Cut::Pairs => 0.35,
        Cut::Characters(2) => 0.30,
        Cut::Characters(_) | Cut::Words => 0.45,
    }
}

/// What a claim states and the passages that it cites do not.
#[derive(Debug, Clone, PartialEq)]
pub enum Lack {
    /// A number, as written.
    Number(String),
    /// Words in quotation marks.
    Quote(String),
    /// Most of its words: the share that is covered, and the passage (from 0) that covers most, with its share.
    Words {
        /// By the cited passages together, 0 to 1.
        covered: f64,
        /// The best passage.
        best: usize,
        /// By that one, 0 to 1.
        best_covered: f64,
    },
}

/// A sentence that claims something, and what its citations are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct ClaimVerdict {
    /// The sentence, without its markers.
    pub text: String,
    /// Its place in the answer as returned, in code points.
    pub start: usize,
    /// Its end, in code points.
    pub end: usize,
    /// The passages that it cites, as indices from 0.
    pub cited: Vec<usize>,
    /// Its citations that lead nowhere, as written.
    pub dangling: Vec<String>,
    /// Whether the cited passages together bear it out. None where that cannot be told: it cites no passage, or only passages
    /// without text or in another script.
    pub supported: Option<bool>,
    /// The passage of the prompt (from 0) that covers most of its words, with the share by weight, 0 to 1. None where it
    /// was not needed.
    pub best: Option<(usize, f64)>,
    /// What is missing where it is not supported.
    pub lack: Option<Lack>,
    /// The cited passages (from 0) without which it is supported as well, and that do not support it alone.
    pub superfluous: Vec<usize>,
}

/// The pieces of the claims in the passages.
struct Sheet {
    cut: Cut,
    /// Of each claim, its different pieces, by number.
    claims: Vec<Vec<u32>>,
    weights: Vec<f64>,
    /// Of each passage of the prompt the pieces that it holds, as bits.
    held: Vec<Vec<u64>>,
}

impl Sheet {
    fn new(exam: &Exam<'_>, plain: &str, claims: &[Claim], texts: &[Option<&str>]) -> Self {
        let cut = cut_of(plain, exam.lang);
        let mut numbers: HashMap<u32, u32, RandomState> = HashMap::default();
        let mut number = |p: u32| {
            let next = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
            *numbers.entry(p).or_insert(next)
        };
        let mut of_claims = Vec::with_capacity(claims.len());
        for claim in claims {
            let mut own = Vec::new();
            pieces(plain.get(claim.place.clone()).unwrap_or_default(), cut, |p| own.push(number(p)));
            if own.len() < SHORT {
                pieces(&exam.question.text, cut, |p| own.push(number(p)));
            }
            own.sort_unstable();
            own.dedup();
            of_claims.push(own);
        }
        let count = numbers.len();
        let mut sheet = Sheet { cut, claims: of_claims, weights: Vec::new(), held: Vec::with_capacity(texts.len()) };
        let (mut all, mut holding, mut last) = (0usize, vec![0u32; count], vec![0usize; count]);
        for text in texts {
            let mut held = vec![0u64; count.div_ceil(64)];
            let mut sentence = |found: &mut dyn Iterator<Item = u32>| {
                all += 1;
                for i in found.filter_map(|p| numbers.get(&p)).map(|i| *i as usize) {
                    if let Some(word) = held.get_mut(i / 64) {
                        *word |= 1 << (i % 64);
                    }
                    if let (Some(l), Some(h)) = (last.get_mut(i), holding.get_mut(i))
                        && std::mem::replace(l, all) != all
                    {
                        *h += 1;
                    }
                }
            };
            let text = text.unwrap_or_default();
            if cut == Cut::of(exam.lang) {
                // Read once for all questions that were given the passage.
                let known = read(text, exam.lang);
                known
                    .sentences(text, exam.lang)
                    .iter()
                    .for_each(|s| sentence(&mut s.pieces(text, cut).iter().copied()));
            } else {
                for place in sentences_in(text, None) {
                    let mut found = Vec::new();
                    pieces(text.get(place).unwrap_or_default(), cut, |p| found.push(p));
                    sentence(&mut found.into_iter());
                }
            }
            sheet.held.push(held);
        }
        let n = (all as f64).max(FEWEST);
        let rare = |d: f64| ((n + 1.0) / (d + 0.5)).ln();
        let weight = |d: &u32| if *d == 0 { rare(0.0) * UNHELD } else { rare(f64::from(*d)) };
        sheet.weights = holding.iter().map(weight).collect();
        sheet
    }

    fn holds(&self, passage: usize, piece: u32) -> bool {
        let word = self.held.get(passage).and_then(|h| h.get(piece as usize / 64));
        word.is_some_and(|w| w >> (piece % 64) & 1 == 1)
    }

    /// The share of a claim that is covered, by the weight of its pieces.
    fn share(&self, claim: usize, covered: impl Fn(usize, u32) -> bool) -> f64 {
        let (mut sum, mut all) = (0.0, 0.0);
        for (i, piece) in self.claims.get(claim).into_iter().flatten().enumerate() {
            let weight = self.weights.get(*piece as usize).copied().unwrap_or(0.0);
            all += weight;
            if covered(i, *piece) {
                sum += weight;
            }
        }
        if all > 0.0 { sum / all } else { 0.0 }
    }
}

/// The cut for a text: that of its script, and among the languages that part words by blanks that of the suite's language.
fn cut_of(text: &str, lang: &Lang) -> Cut {
    match (main_script(text), Cut::of(lang)) {
        (Some(Script::Thai), _) => Cut::UNMARKED,
        (Some(Script::Han | Script::Kana), _) => Cut::Characters(2),
        (_, Cut::Characters(_)) => Cut::Words,
        (_, cut) => cut,
    }
}

/// The script of most letters of a text; kana and Han are one, since both are Japanese.
fn main_script(text: &str) -> Option<Script> {
    const ENOUGH: usize = 400;
    let mut counts: [(Script, usize); 5] =
        [Script::Latin, Script::Thai, Script::Han, Script::Hangul, Script::Other].map(|s| (s, 0));
    for found in text.chars().filter_map(script).take(ENOUGH) {
        let found = if found == Script::Kana { Script::Han } else { found };
        counts.iter_mut().filter(|(s, _)| *s == found).for_each(|(_, n)| *n += 1);
    }
    counts.into_iter().filter(|(_, n)| *n > 0).max_by_key(|(_, n)| *n).map(|(s, _)| s)
}

/// All that is known of the passages when the claims of one answer are weighed.
struct Weighing<'w, 'c, 'r> {
    prompt: &'w Prompt<'c, 'r>,
    sheet: Sheet,
    mentions: Vec<Mention>,
    /// By passage of the prompt: whether it bears out each number of the answer. Asked for where it is cited.
    borne: Vec<OnceCell<Vec<bool>>>,
    /// By passage of the prompt: the script of its text.
    scripts: Vec<OnceCell<Option<Script>>>,
    exam: &'w Exam<'r>,
    plain: &'w str,
    /// The best passage is told of each claim, and not only where a claim is not borne out.
    full: bool,
    /// The place of a passage in the prompt, by its index.
    place: HashMap<usize, usize>,
}

/// One claim before one set of passages: for each number, quotation and piece, how many of them hold it.
struct Sums {
    numbers: Vec<(usize, usize)>,
    quotes: Vec<(String, usize)>,
    pieces: Vec<usize>,
}

impl<'r> Weighing<'_, '_, 'r> {
    fn bears(&self, passage: usize, mention: usize) -> bool {
        let contexts = &self.exam.response.contexts;
        let known = self.borne.get(passage).map(|cell| {
            cell.get_or_init(|| {
                let index = self.prompt.indices().get(passage).copied().unwrap_or_default();
                let Some(c) = contexts.as_ref().and_then(|c| c.get(index)) else { return Vec::new() };
                let text = c.text.as_deref().unwrap_or_default();
                numbers::borne_out(self.exam, self.plain, &self.mentions, (index + 1, text, c.doc.as_deref()))
            })
        });
        known.and_then(|k| k.get(mention)).copied().unwrap_or(false)
    }

    fn quoted(&self, passage: usize, quote: &str) -> bool {
        let index = self.prompt.indices().get(passage).copied().unwrap_or(usize::MAX);
        self.prompt.normal(index).is_some_and(|text| find_phrase(text, quote).is_some())
    }

    fn sums(&self, claim: usize, place: &std::ops::Range<usize>, set: &[usize]) -> Sums {
        let count = |holds: &dyn Fn(usize) -> bool| set.iter().filter(|p| holds(**p)).count();
        let words = self.plain.get(place.clone()).unwrap_or_default();
        Sums {
            numbers: self.numbers_of(place).map(|i| (i, count(&|p| self.bears(p, i)))).collect(),
            quotes: quotes(words)
                .into_iter()
                .map(|q| {
                    let n = count(&|p| self.quoted(p, &q));
                    (q, n)
                })
                .collect(),
            pieces: self
                .sheet
                .claims
                .get(claim)
                .into_iter()
                .flatten()
                .map(|piece| count(&|p| self.sheet.holds(p, *piece)))
                .collect(),
        }
    }

    /// What the set lacks without one of its passages, or as it is; nothing where it supports the claim.
    fn lack(&self, claim: usize, sums: &Sums, without: Option<usize>, best: (usize, f64)) -> Option<Lack> {
        let left = |n: usize, holds: &dyn Fn(usize) -> bool| n > usize::from(without.is_some_and(holds));
        if let Some((i, _)) = sums.numbers.iter().find(|(i, n)| !left(*n, &|p| self.bears(p, *i))) {
            let text = self.mentions.get(*i).and_then(|m| self.plain.get(m.start..m.end)).unwrap_or_default();
            return Some(Lack::Number(text.to_owned()));
        }
        if let Some((quote, _)) = sums.quotes.iter().find(|(q, n)| !left(*n, &|p| self.quoted(p, q))) {
            return Some(Lack::Quote(quote.clone()));
        }
        let covered = self
            .sheet
            .share(claim, |i, piece| sums.pieces.get(i).is_some_and(|n| left(*n, &|p| self.sheet.holds(p, piece))));
        let enough = covered >= threshold(self.sheet.cut) && covered >= best.1 - BEHIND_BEST;
        let best_index = self.prompt.indices().get(best.0).copied().unwrap_or_default();
        (!enough).then_some(Lack::Words { covered, best: best_index, best_covered: best.1 })
    }

    /// The share of a claim that one passage covers.
    fn share(&self, claim: usize, passage: usize) -> f64 {
        self.sheet.share(claim, |_, piece| self.sheet.holds(passage, piece))
    }

    /// The passage of the prompt that covers most of a claim, with the share: of those that bear out most of its numbers, and
    /// among equals the first.
    fn best(&self, claim: usize, place: &std::ops::Range<usize>) -> (usize, f64) {
        let numbers: Vec<usize> = self.numbers_of(place).collect();
        let mut best: Option<(usize, usize, f64)> = None;
        for passage in 0..self.sheet.held.len() {
            let borne = numbers.iter().filter(|m| self.bears(passage, **m)).count();
            if best.is_some_and(|(_, most, _)| borne < most) {
                continue;
            }
            let share = self.share(claim, passage);
            if best.is_none_or(|(_, most, least)| borne > most || share > least) {
                best = Some((passage, borne, share));
            }
        }
        best.map_or((0, 0.0), |(passage, _, share)| (passage, share))
    }

    /// The numbers that a claim states, as indices.
    fn numbers_of(&self, place: &std::ops::Range<usize>) -> impl Iterator<Item = usize> {
        let from = self.mentions.partition_point(|m| m.start < place.start);
        let to = self.mentions.partition_point(|m| m.start < place.end);
        from..to
    }

    fn judge(&self, at: usize, claim: Claim, points: &mut super::Points<'_>, reading: &Reading<'_>) -> ClaimVerdict {
        let (first, last) = (points.point(claim.place.start), points.point(claim.place.end).saturating_sub(1));
        let mut verdict = ClaimVerdict {
            text: self.plain.get(claim.place.clone()).unwrap_or_default().to_owned(),
            start: reading.cited.original(first),
            end: reading.cited.original(last.max(first)) + 1,
            cited: claim.cited,
            dangling: claim.dangling,
            supported: None,
            best: None,
            lack: None,
            superfluous: Vec::new(),
        };
        let set: Vec<usize> = verdict.cited.iter().filter_map(|c| self.place.get(c)).copied().collect();
        if set.is_empty() || !set.iter().any(|p| self.readable(*p, &verdict.text)) {
            return verdict;
        }
        // The passage that covers most is the best that there can be. Only where a cited one falls behind it must be known
        // which passages bear out the numbers: that costs more than the words.
        let shares = (0..self.sheet.held.len()).map(|p| (p, self.share(at, p)));
        let most = shares.fold((0, 0.0), |most: (usize, f64), s| if s.1 > most.1 { s } else { most });
        let sums = self.sums(at, &claim.place, &set);
        let mut best = most;
        verdict.lack = self.lack(at, &sums, None, best);
        if self.full || set.len() > 1 || matches!(verdict.lack, Some(Lack::Words { .. })) {
            best = self.best(at, &claim.place);
            verdict.lack = self.lack(at, &sums, None, best);
            verdict.best = self.prompt.indices().get(best.0).map(|index| (*index, best.1));
        }
        verdict.supported = Some(verdict.lack.is_none());
        if verdict.lack.is_none() && set.len() > 1 {
            for (passage, index) in set.iter().zip(&verdict.cited) {
                let others = self.lack(at, &sums, Some(*passage), best).is_none();
                if others && self.lack(at, &self.sums(at, &claim.place, &[*passage]), None, best).is_some() {
                    verdict.superfluous.push(*index);
                }
            }
        }
        verdict
    }

    /// Whether a passage came with text in the script of the claim: words of another one cannot be compared.
    fn readable(&self, passage: usize, claim: &str) -> bool {
        let index = self.prompt.indices().get(passage).copied().unwrap_or(usize::MAX);
        let contexts = self.exam.response.contexts.as_deref().unwrap_or_default();
        let text = contexts.get(index).and_then(|c| c.text.as_deref()).unwrap_or_default();
        let theirs = self.scripts.get(passage).and_then(|cell| *cell.get_or_init(|| main_script(text)));
        let own = main_script(claim);
        !text.trim().is_empty() && (own.is_none() || theirs.is_none() || own == theirs)
    }
}

/// Weighs the claims of an answer; with `full` the best passage is told of each. Where none of them cites a passage, nothing is read.
pub(super) fn weigh(
    exam: &Exam<'_>,
    reading: &Reading<'_>,
    prompt: &Prompt<'_, '_>,
    claims: Vec<Claim>,
    full: bool,
) -> Vec<ClaimVerdict> {
    let plain = reading.cited.plain.as_ref();
    let indices = prompt.indices();
    let cites = claims.iter().any(|c| !c.cited.is_empty());
    let contexts = exam.response.contexts.as_deref().unwrap_or_default();
    let texts: Vec<Option<&str>> = if cites {
        indices.iter().map(|i| contexts.get(*i).and_then(|c| c.text.as_deref())).collect()
    } else {
        Vec::new()
    };
    let sheet = Sheet::new(exam, plain, if cites { &claims } else { &[] }, &texts);
    let mentions =
        if cites { reading.mentions(exam.lang).iter().filter(|m| m.claim).cloned().collect() } else { Vec::new() };
    let weighing = Weighing {
        prompt,
        sheet,
        mentions,
        borne: indices.iter().map(|_| OnceCell::new()).collect(),
        scripts: indices.iter().map(|_| OnceCell::new()).collect(),
        exam,
        plain,
        full,
        place: indices.iter().enumerate().map(|(place, index)| (*index, place)).collect(),
    };
    let mut points = super::Points::new(plain);
    let mut out = Vec::with_capacity(claims.len());
    let mut shared = Vec::new();
    for (i, mut claim) in claims.into_iter().enumerate() {
        shared.push(std::mem::take(&mut claim.shared));
        out.push(weighing.judge(i, claim, &mut points, reading));
    }
    // What is cited for several sentences together is superfluous where it is so for each of them.
    let useful: HashSet<usize> = out
        .iter()
        .filter(|c| c.supported == Some(true))
        .flat_map(|c| c.cited.iter().filter(|p| !c.superfluous.contains(p)).copied())
        .collect();
    for (claim, shared) in out.iter_mut().zip(shared).filter(|(c, _)| !c.superfluous.is_empty()) {
        let shared: HashSet<usize> = shared.into_iter().collect();
        claim.superfluous.retain(|p| !(shared.contains(p) && useful.contains(p)));
    }
    out
}

/// Precision and recall of the claims, each where it applies. With `once` a citation counts once for the answer, as those of
/// a list of sources do; else once for each claim that makes it.
pub(super) fn figures(claims: &[ClaimVerdict], once: bool) -> (Option<f64>, Option<f64>) {
    let share = |part: usize, all: usize| (all > 0).then(|| part as f64 / all as f64);
    // What cannot be told is in no mean; a claim that cites nothing, or only what is not there, is not supported.
    let told = || claims.iter().filter(|c| c.supported.is_some() || c.cited.is_empty());
    let supported = told().filter(|c| c.supported == Some(true)).count();
    let useful = |c: &ClaimVerdict, p: &usize| c.supported == Some(true) && !c.superfluous.contains(p);
    let precision = if once {
        let first = claims.first();
        let all = first.map_or(0, |c| c.cited.len() + c.dangling.len());
        let good = |p: &&usize| told().any(|c| useful(c, p));
        share(first.map_or(0, |c| c.cited.iter().filter(good).count()), if told().count() > 0 { all } else { 0 })
    } else {
        let all = told().map(|c| c.cited.len() + c.dangling.len()).sum();
        share(told().map(|c| c.cited.iter().filter(|p| useful(c, p)).count()).sum(), all)
    };
    (precision, share(supported, told().count()))
}

/// The quotations of a sentence in matching form, those that are long enough to be one; cut where something is left out.
fn quotes(words: &str) -> Vec<String> {
    const PAIRS: [(char, char); 6] = [('“', '”'), ('„', '“'), ('«', '»'), ('「', '」'), ('『', '』'), ('"', '"')];
    let mut out = Vec::new();
    let mut open: Option<(char, usize)> = None;
    for (i, c) in words.char_indices() {
        match open {
            Some((close, start)) if c == close => {
                let inside = words.get(start..i).unwrap_or_default();
                let parts = inside.split(['…']).flat_map(|p| p.split("..."));
                let long = |p: &String| p.chars().count() >= SHORTEST_QUOTE;
                out.extend(parts.map(|p| matching(p).trim().trim_end_matches(['.', ',']).to_owned()).filter(long));
                open = None;
            }
            Some(_) => {}
            None => open = PAIRS.iter().find(|(o, _)| *o == c).map(|(_, close)| (*close, i + c.len_utf8())),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_quoted() {
        assert_eq!(
            quotes("It says “within 7 days of delivery … unopened and unused.” and \"no\""),
            ["within 7 days of delivery", "unopened and unused"]
        );
        assert_eq!(quotes("规定「自收到之日起七天内可以退货」"), [] as [&str; 0]);
        assert_eq!(quotes("规定「自收到商品之日起七天之内可以无理由退货」").len(), 1);
        assert_eq!(quotes("an open \"quotation without its end"), [] as [&str; 0]);
    }

    #[test]
    fn the_cut_follows_the_letters() {
        let [vi, th, en] = ["vi", "th", "en"].map(|l| Lang::new(l).unwrap());
        assert_eq!(cut_of("Đổi trong 7 ngày", &vi), Cut::Pairs);
        assert_eq!(cut_of("คืนภายใน 7 วัน", &en), Cut::UNMARKED);
        assert_eq!(cut_of("within 7 days", &th), Cut::Words);
        assert_eq!(cut_of("7天内可以退货", &vi), Cut::Characters(2));
        assert_eq!(cut_of("7", &vi), Cut::Pairs);
    }
}
