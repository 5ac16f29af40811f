//! Do the documents still say what the facts want?

use super::{Checked, State, says};
use crate::layer::facts::source::{Read, Unsaid, unsaid};
use crate::layer::{Exam, Provides};
use crate::suite::corpus::{Corpus, Standing};
use crate::suite::{Evidence, EvidenceItem, Expect, Fact, FactForm, Question, Suite};
use crate::target::response::Response;
use crate::text::pack::Pack;
use serde_json::{Value, json};

/// A number or date that is wanted and that nothing which the evidence names says.
#[derive(Debug)]
pub struct Missing<'s> {
    /// Its question.
    pub question: &'s Question,
    /// The fact, or the part of it that is a value.
    pub fact: &'s Fact,
    /// What is known of it, and what stands in its place.
    pub unsaid: Unsaid<'s>,
}

/// A fact in words that stands in no document in these words, or a yes or no that the words of the evidence deny.
#[derive(Debug)]
pub struct Reworded<'s> {
    /// Its question.
    pub question: &'s Question,
    /// The fact.
    pub fact: &'s Fact,
    /// The words that the evidence names say the opposite.
    pub opposite: bool,
}

impl Missing<'_> {
    /// For programs.
    pub(super) fn json(&self) -> Value {
        let instead = self.unsaid.instead.as_ref().map(
            |i| json!({ "doc": i.doc, "line": i.line, "text": i.sentence, "value": i.written, "proposed": i.sure }),
        );
        json!({
            "id": self.question.id.as_str(), "fact": self.fact.form.to_string(), "docs": self.unsaid.docs,
            "elsewhere": self.unsaid.only_elsewhere, "instead": instead,
        })
    }
}

impl Reworded<'_> {
    /// For programs.
    pub(super) fn json(&self) -> Value {
        json!({ "id": self.question.id.as_str(), "fact": self.fact.form.to_string(), "opposite": self.opposite })
    }
}

/// Looks up the facts of the questions that want an answer. Words of the evidence that are gone are taken as the nearest ones
/// say them now, since those will stand in their place.
pub(super) fn look_up<'s>(
    suite: &'s Suite,
    corpus: &Corpus,
    places: &[Checked<'s>],
) -> (Vec<Missing<'s>>, Vec<Reworded<'s>>) {
    let read = Read::default();
    let response = Response::default();
    let (mut missing, mut reworded) = (Vec::new(), Vec::new());
    let wants = |q: &&Question| matches!(q.expect, Expect::Answer | Expect::Either) && !q.facts.is_empty();
    let mut rest = places;
    for question in suite.questions.iter().filter(wants) {
        // Places stand in the order of the questions.
        let skip = rest.iter().position(|p| p.question.id == question.id).unwrap_or(rest.len());
        let (_, from) = rest.split_at(skip);
        let own = from.iter().take_while(|p| p.question.id == question.id).count();
        let (own, after) = from.split_at(own);
        if own.is_empty() {
            continue;
        }
        rest = after;
        let renewed = renewed(question, own);
        let exam = Exam {
            question,
            response: &response,
            provides: Provides::ALL,
            lang: &suite.language,
            pack: Pack::of(&suite.language),
            corpus: Some(corpus),
            top_k: None,
            pool: None,
            holdings: None,
            own: None,
        };
        let found = unsaid(&exam, renewed.as_ref().unwrap_or(question), &read);
        for u in found {
            let Some(fact) = at(&question.facts, &u.path) else { continue };
            missing.push(Missing { question, fact, unsaid: Unsaid { fact, ..u } });
        }
        let valued = |fact: &Fact| {
            missing.iter().any(|m| std::ptr::eq(m.fact, fact) || m.fact.form.to_string() == fact.form.to_string())
        };
        reworded
            .extend(question.facts.iter().filter(|f| !valued(f)).filter_map(|f| in_words(question, f, suite, corpus)));
    }
    (missing, reworded)
}

/// The question with the nearest words in the place of those that are gone; nothing where none are.
fn renewed(question: &Question, own: &[Checked<'_>]) -> Option<Question> {
    let near = |p: &Checked<'_>| match &p.state {
        State::Stale(_, Some(nearest)) => Some((p.index, nearest.clone())),
        State::Stale(_, None) | State::Found | State::Ambiguous(_) | State::Unknown => None,
    };
    let near: Vec<_> = own.iter().filter_map(near).collect();
    if near.is_empty() {
        return None;
    }
    let renew = |(index, e): (usize, &Evidence)| {
        let new = near.iter().find(|(i, _)| *i == index).map(|(_, n)| n);
        EvidenceItem::One(match new {
            Some(n) => Evidence {
                doc: Some(n.spot.doc.clone()),
                section: n.spot.section.clone(),
                span: Some(n.text.clone()),
                ..e.clone()
            },
            None => e.clone(),
        })
    };
    Some(Question { evidence: question.places().enumerate().map(renew).collect(), ..question.clone() })
}

/// The fact at a path.
fn at<'s>(facts: &'s [Fact], path: &[usize]) -> Option<&'s Fact> {
    let (first, rest) = path.split_first()?;
    let fact = facts.get(*first)?;
    if rest.is_empty() { Some(fact) } else { at(fact.members(), rest) }
}

/// A fact in words that no text says which the evidence names, or a yes or no against the words that it names.
fn in_words<'s>(question: &'s Question, fact: &'s Fact, suite: &Suite, corpus: &Corpus) -> Option<Reworded<'s>> {
    if let FactForm::YesNo(wanted) = &fact.form {
        let other = Fact { form: FactForm::YesNo(!wanted), ..fact.clone() };
        let mut spans = question.places().filter_map(|e| e.span.as_deref()).peekable();
        spans.peek()?;
        let opposite = |span: &str| says(question, &other, span, suite) && !says(question, fact, span, suite);
        let against = spans.all(opposite);
        return against.then_some(Reworded { question, fact, opposite: true });
    }
    let FactForm::Text(text) = &fact.form else { return None };
    // The documents' own normal forms are at hand; the ladder of facts reads a text anew.
    let phrase = |e: &Evidence| Evidence { span: Some(text.clone()), at: None, ..e.clone() };
    if question.places().any(|e| corpus.standing(&phrase(e)) == Standing::Found) {
        return None;
    }
    let spans = question.places().filter_map(|e| e.span.as_deref());
    let texts: Vec<&str> = question.places().flat_map(|e| corpus.named_texts(e)).map(|n| n.text).chain(spans).collect();
    let said = texts.is_empty() || texts.iter().any(|t| says(question, fact, t, suite));
    (!said).then_some(Reworded { question, fact, opposite: false })
}
