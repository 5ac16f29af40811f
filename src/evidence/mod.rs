//! Does the evidence of a suite still stand in the corpus? Nobody is asked.
//!
//! Documents change, and the golden set stays behind: then retrieval is blamed for words that no passage can hold. Each place
//! that evidence names is looked up; where its words are gone, the nearest words are shown with the numbers that changed,
//! and [`update`] writes them into the suite. A question that must be refused is looked at the other way round: what an
//! answer to it must not say may stand in the corpus by now.
//!
//! Facts are looked up too, since a sheet often names documents and no words of them: a number or date that a question wants and
//! that what its evidence names does not state makes every right answer red.
//!
//! * [`check`] reads one suite;
//! * [`wanted`] looks up its facts;
//! * [`nearest`] finds the words that took the place of others;
//! * [`update`] writes them.

pub mod nearest;
pub mod update;
pub mod wanted;

use crate::inspect::states;
use crate::suite::corpus::{Corpus, Spot, Standing};
use crate::suite::{Evidence, Expect, Fact, Question, Suite};
use nearest::{Nearest, Questions, Sought, Texts};
use serde_json::{Value, json};

/// What became of one place that evidence names.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// It stands in the corpus once.
    Found,
    /// Its words stand in several sections: a passage of each would count.
    Ambiguous(Vec<Spot>),
    /// It does not stand where it should; the words that are nearest to it, where there are any.
    Stale(Standing, Option<Nearest>),
    /// A corpus knows nothing of what it names (a passage's id or an address alone).
    Unknown,
}

/// One place that evidence names.
#[derive(Debug)]
pub struct Checked<'s> {
    /// Its question.
    pub question: &'s Question,
    /// Which of the question's places it is, from 0, in file order.
    pub index: usize,
    /// What it names.
    pub evidence: &'s Evidence,
    /// What became of it.
    pub state: State,
    /// The facts of the question that the old words state and the nearest ones do not.
    pub lost: Vec<&'s Fact>,
}

/// A question that must be refused, and what of it stands in the corpus.
#[derive(Debug)]
pub struct Answerable<'s> {
    /// The question.
    pub question: &'s Question,
    /// What an answer must not say.
    pub fact: &'s Fact,
    /// Where the corpus says it.
    pub spot: Spot,
}

/// A question that must be refused, with a section that speaks of all that it asks for.
#[derive(Debug)]
pub struct Spoken<'s> {
    /// The question.
    pub question: &'s Question,
    /// The section.
    pub spot: Spot,
    /// The share of the question's words, by weight, that stand there.
    pub share: f64,
}

/// From this share of its words on, a section may answer a question. On the four suites of the shops the questions that
/// must be refused reach .39 at most, half of the others .52.
const SPOKEN: f64 = 0.6;

/// What became of a suite.
#[derive(Debug)]
pub struct OfSuite<'s> {
    /// The suite.
    pub suite: &'s Suite,
    /// Every place, in file order.
    pub places: Vec<Checked<'s>>,
    /// Refusals that the corpus answers.
    pub answerable: Vec<Answerable<'s>>,
    /// Numbers and dates that are wanted and that no document says which the evidence names.
    pub unsaid: Vec<wanted::Missing<'s>>,
    /// Facts in words that the document does not say in these words: for a person to look at.
    pub reworded: Vec<wanted::Reworded<'s>>,
    /// Refusals of which a section may say more than it should: for a person to look at.
    pub spoken: Vec<Spoken<'s>>,
}

/// Looks up every place of a suite.
pub fn check<'s>(suite: &'s Suite, corpus: &Corpus) -> OfSuite<'s> {
    let texts = Texts::new(corpus, &suite.language);
    let mut places = Vec::new();
    for question in &suite.questions {
        for (index, evidence) in question.places().enumerate() {
            let state = state(evidence, corpus, &texts);
            let lost = match &state {
                State::Stale(_, Some(nearest)) => lost(question, evidence, nearest, suite),
                State::Found | State::Ambiguous(_) | State::Stale(_, None) | State::Unknown => Vec::new(),
            };
            places.push(Checked { question, index, evidence, state, lost });
        }
    }
    let refused = || suite.questions.iter().filter(|q| q.expect == Expect::Refuse);
    let answerable: Vec<Answerable<'_>> = refused().filter_map(|q| answerable(q, corpus, suite)).collect();
    let told = |q: &Question| answerable.iter().any(|a| a.question.id == q.id);
    let questions = Questions::new(suite.questions.iter().map(|q| q.text.as_str()), &suite.language);
    let spoken = |question: &'s Question| {
        let (spot, share) = texts.most_of(&question.text, &questions).filter(|(_, share)| *share >= SPOKEN)?;
        Some(Spoken { question, spot, share })
    };
    let spoken = refused().filter(|q| !told(q)).filter_map(spoken).collect();
    let (unsaid, reworded) = wanted::look_up(suite, corpus, &places);
    OfSuite { suite, places, answerable, unsaid, reworded, spoken }
}

fn state(evidence: &Evidence, corpus: &Corpus, texts: &Texts<'_>) -> State {
    match corpus.standing(evidence) {
        Standing::Unknown => State::Unknown,
        Standing::Found => {
            let spots = corpus.spots(evidence);
            if spots.len() > 1 { State::Ambiguous(spots) } else { State::Found }
        }
        standing @ (Standing::NoDocument | Standing::NoSection | Standing::NoSpan) => {
            let sought = evidence.span.as_deref().map(|span| Sought { span, doc: evidence.doc.as_deref() });
            State::Stale(standing, sought.and_then(|s| texts.nearest(&s)))
        }
    }
}

/// Whether a text states a fact, by the check that judges answers.
fn says(question: &Question, fact: &Fact, text: &str, suite: &Suite) -> bool {
    states(&question.text, vec![fact.clone()], &suite.language, text)
}

fn lost<'s>(question: &'s Question, evidence: &Evidence, nearest: &Nearest, suite: &Suite) -> Vec<&'s Fact> {
    let Some(span) = &evidence.span else { return Vec::new() };
    let gone = |f: &&Fact| says(question, f, span, suite) && !says(question, f, &nearest.text, suite);
    question.facts.iter().filter(gone).collect()
}

/// The first section that says what an answer to the question must not say.
fn answerable<'s>(question: &'s Question, corpus: &Corpus, suite: &Suite) -> Option<Answerable<'s>> {
    question.must_not.iter().find_map(|fact| {
        corpus.documents.iter().find_map(|(doc, document)| {
            let section = document.sections.iter().find(|s| says(question, fact, document.body(s), suite))?;
            let spot = Spot { doc: doc.clone(), section: section.path.clone(), line: section.line };
            Some(Answerable { question, fact, spot })
        })
    })
}

impl OfSuite<'_> {
    /// Places that do not stand in the corpus.
    pub fn stale(&self) -> usize {
        self.places.iter().filter(|p| matches!(p.state, State::Stale(..))).count()
    }

    /// Places that stand in several sections.
    pub fn ambiguous(&self) -> usize {
        self.places.iter().filter(|p| matches!(p.state, State::Ambiguous(_))).count()
    }

    /// Places that name a document or a section and no words: a document that is gone can be told of them, and values that are.
    pub fn without_words(&self) -> usize {
        self.places.iter().filter(|p| p.evidence.span.is_none() && p.state == State::Found).count()
    }

    /// Whether nothing must be mended: nothing is stale, every number and date that is wanted stands in its document, and no
    /// refusal can be answered.
    pub fn is_sound(&self) -> bool {
        self.stale() == 0 && self.answerable.is_empty() && self.unsaid.is_empty()
    }

    /// One object for programs: `{"suite","places":[{"id","index","state","doc","line"…}],"facts":[…],"reworded":[…],"answerable":[…],"spoken":[…]}`.
    pub fn json(&self) -> Value {
        let spot = |s: &Spot| json!({ "doc": s.doc, "section": s.section, "line": s.line });
        let place = |p: &Checked<'_>| {
            let mut out = json!({ "id": p.question.id.as_str(), "index": p.index, "state": p.state.name() });
            let Some(map) = out.as_object_mut() else { return out };
            match &p.state {
                State::Ambiguous(spots) => {
                    map.insert("spots".into(), spots.iter().map(spot).collect());
                }
                State::Stale(standing, nearest) => {
                    map.insert("missing".into(), missing(standing).into());
                    if let Some(n) = nearest {
                        let numbers: Vec<Value> =
                            n.numbers.iter().map(|(a, b)| json!({ "was": a, "now": b })).collect();
                        map.insert(
                            "nearest".into(),
                            json!({
                                "doc": n.spot.doc, "section": n.spot.section, "line": n.spot.line,
                                "text": n.text, "share": (n.share * 1000.0).round() / 1000.0, "numbers": numbers,
                            }),
                        );
                        map.insert("lost_facts".into(), p.lost.iter().map(ToString::to_string).collect());
                    }
                }
                State::Found | State::Unknown => {}
            }
            out
        };
        let answerable = |a: &Answerable<'_>| json!({ "id": a.question.id.as_str(), "must_not": a.fact.to_string(), "spot": spot(&a.spot) });
        json!({
            "suite": self.suite.name.as_ref(),
            "places": self.places.iter().map(place).collect::<Vec<_>>(),
            "facts": self.unsaid.iter().map(wanted::Missing::json).collect::<Vec<_>>(),
            "reworded": self.reworded.iter().map(wanted::Reworded::json).collect::<Vec<_>>(),
            "answerable": self.answerable.iter().map(answerable).collect::<Vec<_>>(),
            "spoken": self.spoken.iter().map(|s| {
                json!({ "id": s.question.id.as_str(), "spot": spot(&s.spot), "share": (s.share * 1000.0).round() / 1000.0 })
            }).collect::<Vec<_>>(),
        })
    }
}

impl State {
    /// In a word.
    pub fn name(&self) -> &'static str {
        match self {
            State::Found => "found",
            State::Ambiguous(_) => "ambiguous",
            State::Stale(..) => "stale",
            State::Unknown => "unknown",
        }
    }
}

/// What is not there, in a word.
pub fn missing(standing: &Standing) -> &'static str {
    match standing {
        Standing::NoDocument => "document",
        Standing::NoSection => "section",
        Standing::NoSpan => "span",
        Standing::Found | Standing::Unknown => "nothing",
    }
}
