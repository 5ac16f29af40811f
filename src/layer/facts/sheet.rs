//! The answer as facts look at it: each form is made when a fact first asks for it, and once.

use crate::layer::{Exam, Reading};
use crate::suite::{Fact, FactForm};
use crate::text::norm::{self, Mapped, find_phrase};
use crate::text::number::{self, Mention};
use crate::text::pack::{Lang, Pack};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::ops::Range;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// An answer without its citation markers.
pub(super) struct Sheet<'e> {
    pub(super) text: &'e str,
    pub(super) lang: &'e Lang,
    pub(super) pack: Option<&'e Pack>,
    /// It refuses, so it has neither a yes nor a no.
    pub(super) refuses: bool,
    matching: OnceCell<String>,
    toned: OnceCell<String>,
    composed: OnceCell<Cow<'e, str>>,
    /// The reading whose numbers these are; none for another text than the answer.
    reading: Option<&'e Reading<'e>>,
    mentions: OnceCell<Vec<Mention>>,
    said: OnceCell<Option<bool>>,
    /// What the answer must state.
    facts: &'e [Fact],
    required: OnceCell<Vec<Mention>>,
}

impl<'e> Sheet<'e> {
    pub(super) fn new(exam: &Exam<'e>, reading: &'e Reading<'e>, refuses: bool) -> Self {
        Sheet {
            text: reading.cited.plain.as_ref(),
            lang: exam.lang,
            pack: exam.pack,
            refuses,
            matching: OnceCell::new(),
            toned: OnceCell::new(),
            composed: OnceCell::new(),
            reading: Some(reading),
            mentions: OnceCell::new(),
            said: OnceCell::new(),
            facts: &exam.question.facts,
            required: OnceCell::new(),
        }
    }

    /// Another text, looked at in the same way.
    pub(super) fn of(&self, text: &'e str) -> Self {
        Sheet {
            text,
            matching: OnceCell::new(),
            toned: OnceCell::new(),
            composed: OnceCell::new(),
            reading: None,
            mentions: OnceCell::new(),
            said: OnceCell::new(),
            required: OnceCell::new(),
            ..*self
        }
    }

    /// The matching form.
    pub(super) fn matching(&self) -> &str {
        self.matching.get_or_init(|| norm::matching(self.text))
    }

    /// The matching form with tone marks in one place, where the language has that.
    pub(super) fn toned(&self) -> Option<&str> {
        self.pack.and_then(|p| p.tone)?;
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

    /// What it says first.
    pub(super) fn said(&self) -> Option<bool> {
        *self.said.get_or_init(|| super::polarity::read(self.text, self.pack))
    }

    /// The numbers that the facts of the question ask for: each fact that is a number, and each number of a phrase that the
    /// answer holds. A number of the answer that states one of them is in its place, whatever other fact is missing.
    pub(super) fn required(&self) -> &[Mention] {
        self.required.get_or_init(|| {
            let mut out = Vec::new();
            let mut open: Vec<&Fact> = self.facts.iter().collect();
            while let Some(fact) = open.pop() {
                match &fact.form {
                    FactForm::AnyOf(more) | FactForm::AllOf(more) => open.extend(more),
                    FactForm::Text(text) => {
                        let numbers = number::mentions(text, self.lang);
                        let whole = matches!(numbers.as_slice(), [m] if m.start == 0 && m.end == text.trim_end().len());
                        if whole || find_phrase(self.matching(), &norm::matching(text)).is_some() {
                            out.extend(numbers.into_iter().filter(|m| m.kind.has_value()));
                        }
                    }
                    FactForm::Number { value, unit } => {
                        let unit = unit.as_deref().and_then(|u| number::unit(u, self.lang));
                        out.push(super::check::wanted(*value, unit));
                    }
                    FactForm::Regex(_) | FactForm::YesNo(_) => {}
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
        find(&norm::matching_mapped(self.text), &norm::matching(phrase)).or_else(|| {
            self.pack.and_then(|p| p.tone)?;
            find(&norm::matching_mapped_in(self.text, self.pack), &norm::matching_in(phrase, self.pack))
        })
    }
}
