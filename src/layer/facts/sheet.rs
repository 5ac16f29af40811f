//! The answer as facts look at it: each form is made when a fact first asks for it, and once.

use super::words::Form;
use super::{negation, polarity, predicate};
use crate::layer::{Exam, Reading};
use crate::suite::{Fact, FactForm};
use crate::text::decimal::Decimal;
use crate::text::norm::{self, Mapped, find_phrase, tone};
use crate::text::number::{self, Mention, Relation};
use crate::text::pack::{Lang, Pack, Tone};
use crate::text::segment::{sentences_in, words_of};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::ops::Range;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// An answer without its citation markers.
pub(super) struct Sheet<'e> {
    pub(super) text: &'e str,
    pub(super) lang: &'e Lang,
    pub(super) pack: Option<&'e Pack>,
    /// It refuses, so it has neither a yes nor a no.
    pub(super) refuses: bool,
    /// The question.
    pub(super) question: &'e str,
    /// What is looked for must not be said: what is denied is not said.
    pub(super) forbidden: bool,
    /// The text is a value in an answer, not a sentence: what is denied in it is not the value.
    pub(super) is_value: bool,
    matching: OnceCell<String>,
    toned: OnceCell<String>,
    composed: OnceCell<Cow<'e, str>>,
    /// The reading whose numbers these are; none for another text than the answer.
    reading: Option<&'e Reading<'e>>,
    mentions: OnceCell<Vec<Mention>>,
    composed_amounts: OnceCell<Vec<Mention>>,
    mapped: OnceCell<Mapped>,
    toned_mapped: OnceCell<Mapped>,
    unmarked: OnceCell<Mapped>,
    starts: OnceCell<Vec<usize>>,
    sentences: OnceCell<Vec<Sentence>>,
    may_deny: OnceCell<bool>,
    asked: OnceCell<Option<String>>,
    question_words: OnceCell<BTreeSet<String>>,
    said: OnceCell<Option<bool>>,
    /// What the answer must state.
    facts: &'e [Fact],
    required: OnceCell<Vec<Mention>>,
}

/// A sentence with its words.
pub(super) struct Sentence {
    /// Its bytes.
    pub(super) range: Range<usize>,
    /// Its words in order.
    pub(super) words: Vec<Word>,
}

/// A word of the text.
pub(super) struct Word {
    /// In matching form, with tone marks in one place.
    pub(super) form: String,
    /// Its bytes.
    pub(super) place: Range<usize>,
}

/// A word in matching form with its tone marks in one place, where the language has that. The words of a text are cut
/// before, since a mark in its own place is no letter.
pub(super) fn word_form(word: &str, pack: Option<&Pack>) -> String {
    match pack.and_then(|p| p.tone) {
        Some(Tone::Vi) => tone::fold(word).into_owned(),
        None => word.to_owned(),
    }
}

/// The sum of two amounts in the unit of the second, which must be the smaller one of a kind.
fn sum(large: (Decimal, number::Unit), small: (Decimal, number::Unit)) -> Option<Decimal> {
    let one = |unit: number::Unit| unit.in_base(Decimal::from(1));
    let smaller = one(large.1)? > one(small.1)?;
    let all = large.1.in_base(large.0)?.checked_add(small.1.in_base(small.0)?)?;
    let fits = large.1.relation(small.1) == Relation::Convertible && smaller;
    if fits { Decimal::ratio(all, one(small.1)?) } else { None }
}

impl<'e> Sheet<'e> {
    pub(super) fn new(exam: &Exam<'e>, reading: &'e Reading<'e>, refuses: bool) -> Self {
        Sheet {
            reading: Some(reading),
            ..Sheet::blank(
                reading.cited.plain.as_ref(),
                (exam.lang, exam.pack),
                (&exam.question.text, &exam.question.facts),
                refuses,
            )
        }
    }

    /// Another text, looked at in the same way.
    pub(super) fn of<'t>(&self, text: &'t str) -> Sheet<'t>
    where
        'e: 't,
    {
        let of = Sheet::blank(text, (self.lang, self.pack), (self.question, self.facts), self.refuses);
        Sheet { forbidden: self.forbidden, is_value: self.is_value, ..of }
    }

    /// A value in the text, looked at in the same way.
    pub(super) fn of_value<'t>(&self, text: &'t str) -> Sheet<'t>
    where
        'e: 't,
    {
        Sheet { is_value: true, ..self.of(text) }
    }

    /// The same, with all that is known of the text, to look for what must not be said.
    pub(super) fn forbidding(self) -> Self {
        Sheet { forbidden: true, ..self }
    }

    fn blank(
        text: &'e str,
        (lang, pack): (&'e Lang, Option<&'e Pack>),
        (question, facts): (&'e str, &'e [Fact]),
        refuses: bool,
    ) -> Self {
        Sheet {
            text,
            lang,
            pack,
            refuses,
            question,
            forbidden: false,
            is_value: false,
            matching: OnceCell::new(),
            toned: OnceCell::new(),
            composed: OnceCell::new(),
            reading: None,
            mentions: OnceCell::new(),
            composed_amounts: OnceCell::new(),
            mapped: OnceCell::new(),
            toned_mapped: OnceCell::new(),
            unmarked: OnceCell::new(),
            starts: OnceCell::new(),
            sentences: OnceCell::new(),
            may_deny: OnceCell::new(),
            asked: OnceCell::new(),
            question_words: OnceCell::new(),
            said: OnceCell::new(),
            facts,
            required: OnceCell::new(),
        }
    }

    /// The matching form.
    pub(super) fn matching(&self) -> &str {
        self.matching.get_or_init(|| norm::matching(self.text))
    }

    /// The matching form with tone marks in one place and short forms written out, where the language has that.
    pub(super) fn toned(&self) -> Option<&str> {
        self.pack.filter(|p| norm::has_form_of_its_own(p))?;
        Some(self.toned.get_or_init(|| norm::matching_in(self.text, self.pack)))
    }

    /// The composed form, for expressions.
    pub(super) fn composed(&self) -> &str {
        self.composed.get_or_init(|| match is_nfc_quick(self.text.chars()) {
            IsNormalized::Yes => Cow::Borrowed(self.text),
            IsNormalized::No | IsNormalized::Maybe => Cow::Owned(self.text.nfc().collect()),
        })
    }

    /// The numbers.
    pub(super) fn mentions(&self) -> &[Mention] {
        match self.reading {
            Some(reading) => reading.mentions(self.lang),
            None => self.mentions.get_or_init(|| number::mentions(self.text, self.lang)),
        }
    }

    /// The numbers that stand whole within a range of bytes.
    pub(super) fn mentions_in(&self, range: &Range<usize>) -> &[Mention] {
        let all = self.mentions();
        let first = all.partition_point(|m| m.start < range.start);
        let behind = all.partition_point(|m| m.end <= range.end);
        all.get(first..behind.max(first)).unwrap_or_default()
    }

    /// Amounts that are written in two units, the larger first (`1 hour 30 minutes`, `1小时30分钟`): each as one number in the
    /// smaller unit.
    pub(super) fn composed_amounts(&self) -> &[Mention] {
        self.composed_amounts.get_or_init(|| {
            let all = self.mentions();
            let whole = |pair: &[Mention]| {
                let [large, small] = pair else { return None };
                let gap = self.text.get(large.end..small.start)?;
                let joint = gap.trim();
                let joins = self.pack.is_some_and(|p| p.claims.joints.iter().any(|j| j == joint));
                if !(joint.is_empty() || joint == "," || joins) || gap.contains('\n') {
                    return None;
                }
                let (a, b) = (large.unit?, small.unit?);
                let total = sum((large.value()?, a), (small.value()?, b))?;
                Some(Mention { readings: vec![total], end: small.end, unit: Some(b), ..large.clone() })
            };
            all.windows(2).filter_map(whole).collect()
        })
    }

    /// A form of the text that knows where its pieces stand.
    pub(super) fn mapped(&self, form: Form) -> &Mapped {
        match form {
            Form::Matching => self.mapped.get_or_init(|| norm::matching_mapped(self.text)),
            Form::Toned => self.toned_mapped.get_or_init(|| norm::matching_mapped_in(self.text, self.pack)),
            Form::Unmarked => self.unmarked.get_or_init(|| norm::unmarked_mapped(self.mapped(Form::Matching))),
        }
    }

    /// The bytes of a range of code points of the text.
    pub(super) fn bytes(&self, points: Range<usize>) -> Range<usize> {
        let end = self.text.len();
        let starts = self.starts.get_or_init(|| self.text.char_indices().map(|(i, _)| i).collect());
        let byte = |point: usize| starts.get(point).copied().unwrap_or(end);
        byte(points.start)..byte(points.end)
    }

    /// The sentences with their words.
    pub(super) fn sentences(&self) -> &[Sentence] {
        self.sentences.get_or_init(|| {
            let read = |range: Range<usize>| {
                let piece = self.text.get(range.clone()).unwrap_or_default();
                // A tone mark in its own place would part words.
                let toned = self.pack.is_some_and(|p| p.tone.is_some());
                let mapped =
                    if toned { norm::matching_mapped(piece) } else { norm::matching_mapped_in(piece, self.pack) };
                let starts: Vec<usize> = piece.char_indices().map(|(i, _)| i).collect();
                let byte = |point: usize| range.start + starts.get(point).copied().unwrap_or(piece.len());
                let word = |r: Range<usize>| {
                    let at = mapped.original(r.clone());
                    let form = word_form(mapped.text.get(r).unwrap_or_default(), self.pack);
                    Word { form, place: byte(at.start)..byte(at.end) }
                };
                let words = words_of(&mapped.text).into_iter().map(word).collect();
                Sentence { range, words }
            };
            sentences_in(self.text, self.pack).into_iter().map(read).collect()
        })
    }

    /// How many of some words begin inside a range of bytes.
    pub(super) fn words_between(&self, words: &[&Word], range: &Range<usize>) -> usize {
        words.iter().filter(|w| range.contains(&w.place.start)).count()
    }

    /// Whether a word that denies may change what is said: one stands in the text, and none in the question.
    pub(super) fn may_deny(&self) -> bool {
        *self.may_deny.get_or_init(|| {
            let Some(claims) = self.pack.map(|p| &p.claims) else { return false };
            let denies = |text: &str| claims.negators.stand_in(text) || claims.negators_behind.stand_in(text);
            denies(self.matching()) && !negation::question_denies(self.question, claims)
        })
    }

    /// What the question asks for, where a yes or a no answers it.
    pub(super) fn asked(&self) -> Option<&str> {
        let asked = self.asked.get_or_init(|| self.pack.and_then(|p| p.claims.asked(self.question)));
        asked.as_deref()
    }

    /// Whether a word, in matching form, stands in the question: an answer that repeats it has not said it by that.
    pub(super) fn is_asked(&self, word: &str) -> bool {
        let words = self.question_words.get_or_init(|| {
            let form = norm::matching(self.question);
            words_of(&form).into_iter().filter_map(|r| form.get(r)).map(|w| word_form(w, self.pack)).collect()
        });
        words.contains(word)
    }

    /// The yes or no that it says: by its first words, else by what it says of the thing asked for. A yes that is only
    /// polite is followed by a word of regret and a no.
    pub(super) fn said(&self) -> Option<bool> {
        *self.said.get_or_init(|| match polarity::read(self.text, self.pack, self.question) {
            None => predicate::read(self),
            Some(true) if self.pack.is_some_and(|p| p.claims.regrets.stand_in(self.matching())) => {
                predicate::read(self).or(Some(true))
            }
            Some(said) => Some(said),
        })
    }

    /// The numbers that the facts of the question ask for: each fact that is a number, and each number of a phrase that the
    /// answer holds. A number of the answer that states one of them is in its place, whatever other fact is missing.
    pub(super) fn required(&self) -> &[Mention] {
        self.required.get_or_init(|| {
            let mut out = Vec::new();
            let mut open: Vec<&Fact> = self.facts.iter().collect();
            while let Some(fact) = open.pop() {
                match &fact.form {
                    FactForm::AnyOf(more) | FactForm::AllOf(more) | FactForm::Order(more) => open.extend(more),
                    FactForm::Text(text) => {
                        let numbers = number::mentions(text, self.lang);
                        let whole = matches!(numbers.as_slice(), [m] if m.start == 0 && m.end == text.trim_end().len());
                        if whole || find_phrase(self.matching(), &norm::matching(text)).is_some() {
                            out.extend(numbers.into_iter().filter(|m| m.kind.has_value()));
                        }
                    }
                    FactForm::Number { value, unit, op: _ } => {
                        let unit = unit.as_deref().and_then(|u| number::unit(u, self.lang));
                        out.push(super::value::wanted(*value, unit));
                    }
                    FactForm::Regex(_) | FactForm::Date(_) | FactForm::YesNo(_) => {}
                }
            }
            out
        })
    }

    /// The piece of the text that a mention is.
    pub(super) fn written(&self, mention: &Mention) -> &str {
        self.text.get(mention.start..mention.end).unwrap_or_default()
    }

    /// The code points of a byte range of the text.
    pub(super) fn points(&self, range: Range<usize>) -> Range<usize> {
        let count = |to: usize| self.text.get(..to).map_or(0, |t| t.chars().count());
        count(range.start)..count(range.end)
    }

    /// Where a phrase stands, in code points of the text.
    pub(super) fn place(&self, phrase: &str) -> Option<Range<usize>> {
        let find = |m: &Mapped, needle: &str| find_phrase(&m.text, needle).map(|r| m.original(r));
        find(self.mapped(Form::Matching), &norm::matching(phrase)).or_else(|| {
            self.toned()?;
            find(self.mapped(Form::Toned), &norm::matching_in(phrase, self.pack))
        })
    }
}
