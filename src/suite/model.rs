//! The model of a golden set.

use crate::layer::{LayerId, LayerMap};
use crate::problem::{Place, Source};
use crate::text::decimal::Decimal;
use crate::text::number::Civil;
use crate::text::pack::Lang;
use serde_json_path::JsonPath;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// The id of a question: `[A-Za-z0-9][A-Za-z0-9._-]{0,99}`, unique within its suite.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QuestionId(Arc<str>);

impl QuestionId {
    /// An id, or nothing when the text is not of the form.
    pub fn new(text: &str) -> Option<Self> {
        let mut bytes = text.bytes();
        let first = bytes.next()?;
        let rest_ok = bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'));
        (first.is_ascii_alphanumeric() && rest_ok && text.len() <= 100).then(|| QuestionId(text.into()))
    }

    /// The text of the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for QuestionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::borrow::Borrow<str> for QuestionId {
    fn borrow(&self) -> &str {
        &self.0
    }
}

/// One golden set: a file.
#[derive(Debug, Clone)]
pub struct Suite {
    /// The name: `suite:` of the file, or the file's name without its ending. Same form as a question's id.
    pub name: Arc<str>,
    /// The file.
    pub path: PathBuf,
    /// The file as messages show it.
    pub shown: Arc<str>,
    /// The file's text, for messages.
    pub source: Arc<Source>,
    /// The suite's own edition number, free text.
    pub edition: Option<String>,
    /// The language: given, or detected from the questions.
    pub language: Lang,
    /// The folder of the corpus, already joined with the suite's folder.
    pub corpus: Option<PathBuf>,
    /// The default target of this suite.
    pub target: Option<String>,
    /// How many contexts count for retrieval; none: all that were in the prompt.
    pub top_k: Option<usize>,
    /// What the numbers layer grants every question; each question's own grant holds it too.
    pub numbers: NumbersGrant,
    /// The questions, in file order.
    pub questions: Vec<Question>,
}

/// What a question expects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Expect {
    /// An answer from the corpus.
    #[default]
    Answer,
    /// A refusal: the corpus does not hold the answer.
    Refuse,
    /// Both are fine.
    Either,
    /// A question back: it is not clear what is meant, and more than one answer may be right.
    Clarify,
}

/// How much a broken question matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Severity {
    /// One broken is one too many, whatever the thresholds.
    Critical,
    /// Counts against `max_regressed`.
    #[default]
    Normal,
    /// Is shown and never blocks.
    Minor,
}

/// How one layer is used for a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum LayerSetting {
    /// Checked, and a fail counts.
    #[default]
    On,
    /// Checked and shown; a fail is tolerated.
    Warn,
    /// Not checked.
    Off,
}

/// What the numbers layer grants a question beyond its usual rules: its own, with what the suite grants to all.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NumbersGrant {
    /// Numbers that need no passage, as texts with their units: a hotline of the system's instructions, `24 hours`. They
    /// are compared with the answer's numbers as those of a passage are.
    pub allow: Vec<String>,
    /// Whether the sum or difference of two grounded numbers is grounded too.
    pub allow_sum: bool,
}

/// What is made of a citation that does not bear out the sentence that cites it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Support {
    /// It fails the layer.
    Fail,
    /// It is told.
    #[default]
    Note,
    /// Nobody looks.
    Off,
}

impl Support {
    /// The name, as suites write it.
    pub fn name(self) -> &'static str {
        match self {
            Support::Fail => "fail",
            Support::Note => "note",
            Support::Off => "off",
        }
    }
}

/// How the citation layer reads a question's answers: what the question says, else what its suite says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct CitationPolicy {
    /// What is made of a citation that does not bear out its sentence.
    pub support: Option<Support>,
    /// Whether the markers of the text count the passages from 0 and not from 1.
    pub from_zero: Option<bool>,
}

impl CitationPolicy {
    /// What is made of a citation that does not bear out its sentence. Where nothing is said, and citations belong to the
    /// whole answer (`apart`: a field or a list of sources), nobody looks: no sentence cites anything then.
    pub fn support(self, apart: bool) -> Support {
        self.support.unwrap_or(if apart { Support::Off } else { Support::Note })
    }

    /// The number by which markers name the first passage, 0 or 1.
    pub fn count_from(self) -> usize {
        usize::from(self.from_zero != Some(true))
    }

    /// What this says, and for what it leaves open what another says.
    #[must_use]
    pub fn or(self, other: CitationPolicy) -> CitationPolicy {
        CitationPolicy { support: self.support.or(other.support), from_zero: self.from_zero.or(other.from_zero) }
    }
}

/// Which of several must hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Need {
    /// One suffices.
    #[default]
    Any,
    /// Each is needed.
    All,
}

/// One golden question: one test case.
#[derive(Debug, Clone)]
pub struct Question {
    /// Its id.
    pub id: QuestionId,
    /// What is asked.
    pub text: String,
    /// What is expected.
    pub expect: Expect,
    /// Where the answer stands; empty when retrieval is not checked.
    pub evidence: Vec<EvidenceItem>,
    /// Whether one item of `evidence` suffices.
    pub evidence_match: Need,
    /// What the answer must say; all of them.
    pub facts: Vec<Fact>,
    /// What the answer must not say; none of them.
    pub must_not: Vec<Fact>,
    /// A model answer.
    pub reference: Option<String>,
    /// Instructions for a judge.
    pub rubric: Option<String>,
    /// Tags, in file order.
    pub tags: Vec<String>,
    /// How much it matters.
    pub severity: Severity,
    /// Who is asked when it breaks.
    pub owner: Option<String>,
    /// Questions of one group share evidence: one cluster in statistics.
    pub group: Option<String>,
    /// The setting of each layer.
    pub layers: LayerMap<LayerSetting>,
    /// What the numbers layer grants.
    pub numbers: NumbersGrant,
    /// How citations are read; the suite's where the question says nothing.
    pub citation: CitationPolicy,
    /// The number of contexts that count for retrieval; the suite's where the question has none.
    pub top_k: Option<usize>,
    /// Not ready yet: not asked, counted apart.
    pub draft: bool,
    /// Where it begins in its file.
    pub place: Place,
}

impl Question {
    /// True when the question states something that a rule can check. A question with a `reference` or `rubric` alone
    /// is *observed*: asked, shown, counted apart, never green.
    pub fn asserts(&self) -> bool {
        !self.evidence.is_empty()
            || !self.facts.is_empty()
            || !self.must_not.is_empty()
            || matches!(self.expect, Expect::Refuse | Expect::Clarify)
    }

    /// How finely its evidence is named, at the coarsest place; nothing without evidence.
    pub fn level(&self) -> Option<Level> {
        self.places().map(Evidence::level).min()
    }

    /// Each place that the evidence names, however places are combined, in file order.
    pub fn places(&self) -> impl Iterator<Item = &Evidence> {
        let mut open: Vec<&EvidenceItem> = self.evidence.iter().rev().collect();
        std::iter::from_fn(move || {
            loop {
                match open.pop()? {
                    EvidenceItem::One(place) => return Some(place),
                    EvidenceItem::AnyOf(items) | EvidenceItem::AllOf(items) => open.extend(items.iter().rev()),
                }
            }
        })
    }

    /// The setting of one layer.
    pub fn setting(&self, layer: LayerId) -> LayerSetting {
        self.layers[layer]
    }
}

/// One item of `evidence`: a place, or places combined.
#[derive(Debug, Clone, PartialEq)]
pub enum EvidenceItem {
    /// A place.
    One(Evidence),
    /// One of them suffices.
    AnyOf(Vec<EvidenceItem>),
    /// Each of them is needed.
    AllOf(Vec<EvidenceItem>),
}

/// A place where the answer stands. At least one of `doc`, `chunk`, `url`, `span` is given; with `at`, a document or address.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The document, as the target names it.
    pub doc: Option<String>,
    /// The heading path, outermost first; empty when not given. A prefix of the passage's own path matches, and a part
    /// that only one heading path of the corpus ends with.
    pub section: Vec<String>,
    /// The words that decide.
    pub span: Option<String>,
    /// The passage's id.
    pub chunk: Option<String>,
    /// The document's address.
    pub url: Option<String>,
    /// The characters of the document that decide, from and up to: code points of its text with LF line ends.
    pub at: Option<(u64, u64)>,
    /// Passages of the document that are in the prompt together may cover the span between them.
    pub union: bool,
    /// Graded relevance, at least 1; 1 when not given.
    pub grade: u32,
    /// Where it stands in the suite.
    pub place: Place,
}

/// How finely evidence names its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A document or an address: any passage of it counts.
    Document,
    /// A section: any passage of it counts.
    Section,
    /// Words, characters or one passage.
    Words,
}

impl Evidence {
    /// How finely it names its place.
    pub fn level(&self) -> Level {
        if self.span.is_some() || self.chunk.is_some() || self.at.is_some() {
            Level::Words
        } else if self.section.is_empty() {
            Level::Document
        } else {
            Level::Section
        }
    }

    /// What it names that a passage can bear: the document, the passage's id, the address.
    pub fn names(&self) -> impl Iterator<Item = &String> {
        [&self.doc, &self.chunk, &self.url].into_iter().flatten()
    }
}

/// One fact that an answer must state (or, under `must_not`, must not).
#[derive(Debug, Clone)]
pub struct Fact {
    /// Its form.
    pub form: FactForm,
    /// How it is looked for.
    pub looking: Looking,
    /// Where it stands in the suite.
    pub place: Place,
}

/// The forms of a fact.
#[derive(Debug, Clone)]
pub enum FactForm {
    /// Words, found with word borders.
    Text(String),
    /// One of them suffices.
    AnyOf(Vec<Fact>),
    /// Each of them is needed.
    AllOf(Vec<Fact>),
    /// Each of them is needed, and each is first stated behind the one before it.
    Order(Vec<Fact>),
    /// A regular expression over the answer with its characters in composed form; case as written.
    Regex(regex::Regex),
    /// A number by value, with its unit where one is given.
    Number {
        /// The value.
        value: Decimal,
        /// The unit as written (`VND`, `day`, `%`), if any.
        unit: Option<String>,
        /// What the answer may say of it.
        op: NumberOp,
    },
    /// A calendar date, or a part of one: at least a year, a month or a day.
    Date(Civil),
    /// The answer says yes (`true`) or no (`false`).
    YesNo(bool),
}

/// What an answer may say of a number that it must state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NumberOp {
    /// The value, as it is or as any bound.
    #[default]
    Stated,
    /// The value itself, no bound.
    Eq,
    /// The value as an upper bound, or without a bound.
    Le,
    /// The value as a lower bound, or without a bound.
    Ge,
}

impl NumberOp {
    /// The name, as suites write it.
    pub fn name(self) -> &'static str {
        match self {
            NumberOp::Stated => "stated",
            NumberOp::Eq => "eq",
            NumberOp::Le => "le",
            NumberOp::Ge => "ge",
        }
    }
}

/// How a fact is looked for. A combined fact hands `fold`, `fuzzy`, `min_recall` and `negation` on to its members, as far
/// as they do not say otherwise.
#[derive(Debug, Clone, Default)]
pub struct Looking {
    /// Letters are compared without their marks (`Röntgen` is `Rontgen`, `đ` is `d`).
    pub fold: bool,
    /// In scripts without blanks, most of the pairs of characters suffice.
    pub fuzzy: bool,
    /// The least share of the words of a text that must stand in a sentence or two neighbouring ones (above 0, at most 1).
    pub min_recall: Option<f64>,
    /// What a negation in front of it does.
    pub negation: Negation,
    /// What must be stated too: a fact with its condition left out misleads.
    pub condition: Option<Box<Fact>>,
    /// The part of an answer in JSON that is looked at.
    pub path: Option<JsonPath>,
}

impl Looking {
    /// Whether not all words of a text must stand in the answer.
    pub fn is_content_with_most(&self) -> bool {
        self.min_recall.is_some_and(|share| share < 1.0)
    }
}

/// What a negation that governs the words of a fact does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Negation {
    /// As `strict` where the fact holds a word of permission or duty, as `warn` elsewhere.
    #[default]
    Auto,
    /// A negated mention does not count.
    Strict,
    /// A negated mention counts, with a note.
    Warn,
    /// Nobody looks.
    Off,
}

impl Negation {
    /// The name, as suites write it.
    pub fn name(self) -> &'static str {
        match self {
            Negation::Auto => "auto",
            Negation::Strict => "strict",
            Negation::Warn => "warn",
            Negation::Off => "off",
        }
    }
}

impl Fact {
    /// Its members, where it is a combined one.
    pub fn members(&self) -> &[Fact] {
        match &self.form {
            FactForm::AnyOf(facts) | FactForm::AllOf(facts) | FactForm::Order(facts) => facts,
            FactForm::Text(_)
            | FactForm::Regex(_)
            | FactForm::Number { .. }
            | FactForm::Date(_)
            | FactForm::YesNo(_) => &[],
        }
    }
}
