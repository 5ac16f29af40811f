//! Findings: the reasons behind an outcome, each with a stable code that has a page in the manual.

use std::fmt;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $summary:literal;)*) => {
        /// A stable code in kebab case. `ragline explain CODE` shows its page.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code { $(#[doc = $summary] $name,)* }

        impl Code {
            /// Every code, in the order of the layers.
            pub const ALL: &'static [Code] = &[$(Code::$name,)*];

            /// The code as reports write it.
            pub fn as_str(self) -> &'static str {
                match self { $(Code::$name => $code,)* }
            }

            /// One sentence on what it means.
            pub fn summary(self) -> &'static str {
                match self { $(Code::$name => $summary,)* }
            }
        }
    };
}

codes! {
    AnswerMissing = "answer-missing", "The response holds no answer although the target is said to return one.";
    AnswerEmpty = "answer-empty", "The answer is blank, so no check of its content can say anything.";
    AnswerFailed = "answer-failed", "The text in place of an answer says that the system failed.";
    ResponseMissing = "response-missing", "There is no response to this question.";
    ResponseError = "response-error", "The target reported an error instead of an answer.";
    ResponseTimeout = "response-timeout", "The target gave no whole answer within its time.";
    ResponseUnreadable = "response-unreadable", "What the target returned could not be read as an answer.";
    TargetUnreachable = "target-unreachable", "The target could not be reached, or did not become ready.";
    Interrupted = "interrupted", "The run was ended from outside before the question was answered.";
    ResponseStale = "response-stale", "The recorded response belongs to another subject than the one under test.";
    ContextsMissing = "contexts-missing", "The response holds no passages although the target is said to return them.";
    ContextTextMissing = "context-text-missing", "Passages came without their text, and the check needs it.";
    ContextPlaceMissing = "context-place-missing", "Passages came without the document, section or id that the evidence names.";
    LabelsDoNotFit = "labels-do-not-fit", "No passage bears a name that any evidence of the suite names.";
    NothingAsserted = "nothing-asserted", "Not one layer could be checked.";
    EvidenceNotRetrieved = "evidence-not-retrieved", "The evidence is not among the passages that count.";
    EvidenceSpanCut = "evidence-span-cut", "The document was found, but the deciding words were cut off.";
    EvidenceNotInPrompt = "evidence-not-in-prompt", "The evidence was found, but was not put into the prompt.";
    EvidenceStale = "evidence-stale", "The evidence does not stand in the corpus, so the question must be mended first.";
    DuplicatePassage = "duplicate-passage", "The same passage was returned more than once.";
    FactMissing = "fact-missing", "A required fact is not stated in the answer.";
    FactWrongValue = "fact-wrong-value", "The answer states another value than the required one.";
    FactStale = "fact-stale", "What the evidence names does not say what the fact wants, so the question must be mended first.";
    FactNegated = "fact-negated", "The answer denies what it must state, or a negation stands in front of it.";
    FactConditionMissing = "fact-condition-missing", "A fact is stated without the condition or exception that belongs to it.";
    FactOutOfOrder = "fact-out-of-order", "What must be stated one after the other is stated in another order.";
    ForbiddenClaim = "forbidden-claim", "The answer says something that it must not say.";
    FalseRefusal = "false-refusal", "The question was refused although an answer was expected.";
    NotRefused = "not-refused", "The question was answered although the corpus does not hold the answer.";
    NotClarified = "not-clarified", "The answer does not ask back although the question leaves open what is meant.";
    PartialRefusal = "partial-refusal", "The answer refuses one part and claims another.";
    RefusalFlagDisagrees = "refusal-flag-disagrees", "The refusal flag of the response and its text do not agree.";
    LanguageNotCovered = "language-not-covered", "No language pack can tell a refusal in this language.";
    NumberUngrounded = "number-ungrounded", "A number of the answer stands neither in a passage nor in the question.";
    NumberUnitMismatch = "number-unit-mismatch", "The value stands in a passage, but with another unit.";
    NumberFromQuestion = "number-from-question", "A number of the answer stands only in the question.";
    NumberOtherReading = "number-other-reading", "A number is grounded only under its less usual reading.";
    NumberDerived = "number-derived", "A number is computed from numbers of the passages or the question.";
    NumberUnitQualifier = "number-unit-qualifier", "A number counts other days than the passages: working days or all.";
    NumberOtherSubject = "number-other-subject", "Another number of the passages is nearer to what was asked.";
    CitationMissing = "citation-missing", "The answer cites nothing although the target is said to cite.";
    CitationDangling = "citation-dangling", "A citation leads to no passage that was in the prompt.";
    CitationNotEvidence = "citation-not-evidence", "None of the cited passages holds the evidence.";
    CitationUnsupported = "citation-unsupported", "What a sentence cites does not bear it out.";
    CitationSuperfluous = "citation-superfluous", "A cited passage adds nothing to what the others bear out.";
    CitationFieldsDisagree = "citation-fields-disagree", "Markers in the text and the citation field name different passages.";
}

impl Code {
    /// The code of that name.
    pub fn parse(name: &str) -> Option<Self> {
        Code::ALL.iter().copied().find(|c| c.as_str() == name)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// What a finding does to the outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// It is why the layer failed or was not measured.
    Fault,
    /// It is worth a look and changes nothing.
    Note,
}

/// One reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The stable code.
    pub code: Code,
    /// Whether it decided the outcome.
    pub weight: Weight,
    /// One sentence about this answer, in plain text; hostile text inside it is cleaned by each report.
    pub message: String,
    /// The piece of the answer that it is about: code points `start..end` of the answer as returned.
    pub span: Option<(usize, usize)>,
}

impl Finding {
    /// A finding that decided the outcome.
    pub fn fault(code: Code, message: impl Into<String>) -> Self {
        Finding { code, weight: Weight::Fault, message: message.into(), span: None }
    }

    /// A finding that is worth a look.
    pub fn note(code: Code, message: impl Into<String>) -> Self {
        Finding { code, weight: Weight::Note, message: message.into(), span: None }
    }

    /// Adds the piece of the answer, in code points.
    #[must_use]
    pub fn span(mut self, start: usize, end: usize) -> Self {
        self.span = Some((start, end));
        self
    }
}
