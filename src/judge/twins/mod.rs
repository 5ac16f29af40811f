//! Twins of good answers with one planted error each: what a judge is measured with.
//!
//! A person who reviews answers finds few wrong ones, and those that are found are seldom of each kind. So from every answer
//! that is known to be right one corrupted twin is made per [`Kind`], by a rule, with the edit, the kind and the seed written
//! down (FactCC, Kryściński and others 2020; CheckList, Ribeiro and others 2020). A judge that lets twins pass is lenient,
//! one that fails the paraphrases (which say the same in other words) is harsh.
//!
//! An edit that changes nothing, or whose text is still borne out by the passages ([`mod@entailed`]), is discarded.
//!
//! * [`source`]: the right answers of a suite;
//! * [`words`]: what a language brings: units, negations, names that may be exchanged;
//! * [`number`], [`negation`], [`name`], [`clause`], [`cite`], [`paraphrase`]: the edits.

pub mod cite;
pub mod clause;
mod edit;
pub mod entailed;
pub mod name;
pub mod negation;
pub mod number;
pub mod paraphrase;
pub mod source;
pub mod words;

pub use edit::Edit;
pub use source::{Passage, Pool, Source};

use crate::digest::Hasher;
use serde::Serialize;
use words::Table;

/// What is planted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The first number becomes twice itself and three.
    Num2x3,
    /// One digit of it is another.
    NumDigit,
    /// It is one more or one less.
    NumPm1,
    /// It is another number of the passages, of the same unit.
    NumSwap,
    /// Its unit is another.
    UnitSwap,
    /// A year, month or day is one more or one less.
    DateOff1,
    /// The main verb is negated, or its negation is taken away.
    NegFlip,
    /// A name is another of its class.
    EntitySwap,
    /// The exception is left out.
    DropException,
    /// A sentence of another place is added.
    AddUnsupported,
    /// The marker leads to another passage.
    CiteSwap,
    /// The same in other words: must still pass.
    CleanParaphrase,
}

impl Kind {
    /// All kinds, in the order in which they are written.
    pub const ALL: [Kind; 12] = [
        Kind::Num2x3,
        Kind::NumDigit,
        Kind::NumPm1,
        Kind::NumSwap,
        Kind::UnitSwap,
        Kind::DateOff1,
        Kind::NegFlip,
        Kind::EntitySwap,
        Kind::DropException,
        Kind::AddUnsupported,
        Kind::CiteSwap,
        Kind::CleanParaphrase,
    ];

    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Num2x3 => "num_2x3",
            Kind::NumDigit => "num_digit",
            Kind::NumPm1 => "num_pm1",
            Kind::NumSwap => "num_swap",
            Kind::UnitSwap => "unit_swap",
            Kind::DateOff1 => "date_off1",
            Kind::NegFlip => "neg_flip",
            Kind::EntitySwap => "entity_swap",
            Kind::DropException => "drop_exception",
            Kind::AddUnsupported => "add_unsupported",
            Kind::CiteSwap => "cite_swap",
            Kind::CleanParaphrase => "clean_paraphrase",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|k| k.name() == name)
    }

    /// Whether a twin of this kind is still right.
    pub fn is_clean(self) -> bool {
        self == Kind::CleanParaphrase
    }
}

/// One twin.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Twin {
    /// `SUITE::ID#KIND`.
    pub id: String,
    /// The question that it answers.
    pub of: String,
    /// The kind by name.
    pub kind: &'static str,
    /// The language.
    pub lang: String,
    /// What was drawn from: the same seed gives the same twin.
    pub seed: u64,
    /// What is asked.
    pub question: String,
    /// The answer with the edit.
    pub answer: String,
    /// The right answer.
    pub was: String,
    /// What was taken out and what stands there instead.
    pub edit: Change,
    /// The passages, as `ragline inspect` takes them.
    pub contexts: Vec<String>,
    /// What a good judge says: `fail`, and `pass` of a paraphrase.
    pub label: &'static str,
}

/// An edit as files write it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Change {
    /// The words that were there.
    pub from: String,
    /// The words that are there now.
    pub to: String,
}

/// The twin of one kind of a right answer; nothing where the answer has no place for it, where its language brings no words,
/// or where what comes out is still borne out.
pub fn twin(source: &Source, pool: &Pool, kind: Kind, seed: u64) -> Option<Twin> {
    let mut rng = fastrand::Rng::with_seed(seed_of(source, kind, seed));
    let table = Table::of(&source.lang)?;
    let found = match kind {
        Kind::Num2x3 => number::doubled(source),
        Kind::NumDigit => number::one_digit(source, &mut rng),
        Kind::NumPm1 => number::off_by_one(source, &mut rng),
        Kind::NumSwap => number::swapped(source, &mut rng),
        Kind::UnitSwap => number::other_unit(source, table, &mut rng),
        Kind::DateOff1 => number::other_date(source, table, &mut rng),
        Kind::NegFlip => negation::flipped(source, table),
        Kind::EntitySwap => name::swapped(source, pool, table, &mut rng),
        Kind::DropException => clause::without_exception(source, table),
        Kind::AddUnsupported => clause::added(source, pool, table, &mut rng),
        Kind::CiteSwap => cite::swapped(source, pool, &mut rng),
        Kind::CleanParaphrase => paraphrase::paraphrased(source, table, &mut rng),
    };
    let Planted { was, contexts, edit } = found?;
    let answer = edit.apply(&was)?;
    if !entailed::is_twin(source, kind, &was, &answer, &contexts) {
        return None;
    }
    Some(Twin {
        id: format!("{}::{}#{}", source.suite, source.id, kind.name()),
        of: source.id.clone(),
        kind: kind.name(),
        lang: source.lang.as_str().to_owned(),
        seed,
        question: source.question.clone(),
        edit: Change { from: was.get(edit.at.clone())?.to_owned(), to: edit.with },
        answer,
        was,
        contexts: contexts.into_iter().map(|c| c.text).collect(),
        label: if kind.is_clean() { "pass" } else { "fail" },
    })
}

/// The twins of some kinds (all where none is named) of right answers, in the order of the kinds and of the answers; of each
/// kind at most so many, drawn from all.
pub fn drawn(sources: &[Source], pool: &Pool, kinds: &[Kind], most: Option<usize>, seed: u64) -> Vec<Twin> {
    let mut out = Vec::new();
    for kind in Kind::ALL.into_iter().filter(|k| kinds.is_empty() || kinds.contains(k)) {
        let mut order: Vec<usize> = (0..sources.len()).collect();
        if most.is_some() {
            fastrand::Rng::with_seed(seed).shuffle(&mut order);
        }
        let made = order.iter().filter_map(|i| Some((*i, twin(sources.get(*i)?, pool, kind, seed)?)));
        let mut made: Vec<(usize, Twin)> = made.take(most.unwrap_or(usize::MAX)).collect();
        made.sort_by_key(|(i, _)| *i);
        out.extend(made.into_iter().map(|(_, twin)| twin));
    }
    out
}

/// A right answer with its passages, and the edit.
#[derive(Debug, Clone)]
pub struct Planted {
    /// The answer that is edited.
    pub was: String,
    /// The passages.
    pub contexts: Vec<Passage>,
    /// The edit.
    pub edit: Edit,
}

impl Planted {
    /// An edit of a source as it is.
    pub fn of(source: &Source, edit: Edit) -> Self {
        Planted { was: source.answer.clone(), contexts: source.contexts.clone(), edit }
    }
}

/// The seed of one twin, which neither the order of the questions nor their number moves.
fn seed_of(source: &Source, kind: Kind, seed: u64) -> u64 {
    let mut hash = Hasher::default();
    hash.update(&seed.to_le_bytes());
    for field in [source.suite.as_str(), source.id.as_str(), kind.name()] {
        hash.field(field);
    }
    u64::from_str_radix(&hash.short(), 16).unwrap_or(seed)
}
