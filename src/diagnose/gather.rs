//! What is known of one answer, from the outcomes of its layers.

use super::{EvidenceFacts, GOOD_RANK};
use crate::layer::facts::source::{self, Unsaid};
use crate::layer::finding::{Code, Finding};
use crate::layer::refusal::{Label, asks_back};
use crate::layer::{
    Detail, Exam, LayerId, LayerMap, LayerResult, Outcome, Reading, Skip, citation, facts, says_nothing,
};
use crate::suite::{Expect, Fact, FactForm, Level, Question};
use crate::target::response::{Answer, Context};

impl EvidenceFacts {
    /// Reads the outcomes of all layers.
    pub fn gather(exam: &Exam<'_>, layers: &LayerMap<LayerResult>) -> Self {
        let verdict = |layer: LayerId| match layers[layer].outcome {
            Outcome::Pass => Some(true),
            Outcome::Fail => Some(false),
            Outcome::Unmeasured | Outcome::Skipped(_) => None,
        };
        let answered = match &exam.response.answer {
            Answer::Text(text) => !says_nothing(text),
            Answer::Absent => !exam.provides.answer,
            Answer::Null => false,
        };
        let mut found = EvidenceFacts {
            run_ok: exam.response.error.is_none() && answered,
            answer: verdict(LayerId::Facts),
            citation: verdict(LayerId::Citation),
            unsupported: unsupported(layers),
            ..EvidenceFacts::default()
        };
        if let Detail::Refusal(detail) = &layers[LayerId::Refusal].detail {
            found.refusal = detail.label;
        } else if answered {
            found.refusal = Reading::new(exam).refusal.label;
        }
        found.run_ok &= found.refusal != Label::Error;
        let doubtful = exam.question.expect == Expect::Clarify || found.answer == Some(false);
        if let (true, true, Answer::Text(text)) = (doubtful, found.run_ok, &exam.response.answer) {
            found.asks_back = asks_back(&citation::read(text, 0).plain, exam.question, exam.pack, exam.own());
        }
        let decided = [LayerId::Facts, LayerId::Refusal, LayerId::Numbers];
        if exam.response.refused.is_some() && decided.iter().any(|l| layers[*l].outcome == Outcome::Fail) {
            let told = |f: &Finding| f.code == Code::RefusalFlagDisagrees;
            let flagged = exam.response.refused == Some(true);
            // A claim without ground is one, whatever the flag says of it; words of refusal are no claim.
            let invents = found.invents() && (flagged || found.refusal == Label::Partial);
            found.flag_against = !invents && layers[LayerId::Refusal].findings.iter().any(told);
        }
        if let Detail::Retrieval(detail) = &layers[LayerId::Retrieval].detail {
            found.in_corpus = detail.in_corpus;
            if verdict(LayerId::Retrieval).is_some() {
                found.in_top_k = Some(detail.in_top_k);
                found.in_prompt = Some(detail.in_prompt);
                found.heading_unsure = detail.heading_unsure;
                found.complete = Some(detail.complete);
                found.rank_ok = detail.rank.map(|r| r <= GOOD_RANK);
            }
        }
        let failed = layers.0.iter().any(|l| l.outcome == Outcome::Fail);
        if exam.question.expect == Expect::Refuse && failed && found.in_corpus.is_none() {
            found.in_corpus = forbidden_in_corpus(exam);
        }
        if found.in_top_k == Some(false) && found.answer == Some(true) {
            found.answer_in_contexts = answer_in_contexts(exam);
        }
        let missed = missed(exam, layers);
        let yes_no = |(_, fact): &(usize, &Fact)| matches!(fact.form, FactForm::YesNo(_));
        found.untold = !missed.is_empty() && missed.iter().all(yes_no) && is_untold(layers);
        found.coarse = found.complete == Some(true) && exam.question.level().is_some_and(|l| l < Level::Words);
        if found.coarse && (found.refusal == Label::Refusal || !missed.is_empty()) {
            found.missing_in_contexts = missing_in_contexts(exam, &missed);
        }
        found
    }

    /// What a person said of this very answer: that a layer is wrong which a rule passes. The chain is then read with the person's
    /// verdict, since the fault that the rule did not see is the system's.
    pub fn hear(&mut self, layer: LayerId, expect: Expect) {
        match layer {
            LayerId::Retrieval => {
                (self.in_top_k, self.in_prompt, self.complete) = (Some(false), Some(false), Some(false));
                self.coarse = false;
            }
            LayerId::Facts => self.answer = Some(false),
            LayerId::Numbers => self.unsupported = Some(true),
            LayerId::Citation => self.citation = Some(false),
            LayerId::Refusal if expect == Expect::Answer => self.refusal = Label::Refusal,
            LayerId::Refusal => (self.refusal, self.asks_back) = (Label::None, false),
        }
    }

    /// Takes in what the documents do not say that is wanted.
    pub fn with_stale(&mut self, stale: &[Unsaid<'_>]) {
        if !stale.is_empty() {
            self.values_stand = Some(false);
        }
    }
}

/// The required facts that the answer does not state, with their positions; none where the facts were not looked at.
fn missed<'q>(exam: &Exam<'q>, layers: &LayerMap<LayerResult>) -> Vec<(usize, &'q Fact)> {
    let Detail::Facts(verdicts) = &layers[LayerId::Facts].detail else { return Vec::new() };
    let required = verdicts.iter().filter(|v| !v.forbidden);
    exam.question.facts.iter().zip(required).enumerate().filter(|(_, (_, v))| !v.ok).map(|(i, (f, _))| (i, f)).collect()
}

/// Whether the yes or no of an answer that is no refusal cannot be told.
fn is_untold(layers: &LayerMap<LayerResult>) -> bool {
    let Detail::Facts(verdicts) = &layers[LayerId::Facts].detail else { return false };
    let wrong = |v: &facts::FactVerdict| !v.ok && v.reason != "polarity_unknown";
    !verdicts.iter().any(wrong)
}

/// The values which a question wants and which its documents do not state, where that may be why it fails: of the facts that
/// are not stated, and, where all are stated and a number has no ground, of all.
pub fn stale_values<'c>(exam: &Exam<'c>, layers: &LayerMap<LayerResult>) -> Vec<Unsaid<'c>> {
    let failed = |layer: LayerId| layers[layer].outcome == Outcome::Fail;
    let answerable = matches!(exam.question.expect, Expect::Answer | Expect::Either);
    if exam.corpus.is_none() || !answerable || !(failed(LayerId::Facts) || failed(LayerId::Numbers)) {
        return Vec::new();
    }
    let missed = missed(exam, layers);
    if missed.is_empty() && failed(LayerId::Facts) {
        return Vec::new();
    }
    let all = source::unsaid(exam, exam.question, &source::Read::default());
    all.into_iter().filter(|u| missed.is_empty() || missed.iter().any(|(i, _)| u.path.first() == Some(i))).collect()
}

/// Whether the facts that are missing stand in the passages of the prompt. Nothing where none of them can be looked for in a
/// text that is no answer (a yes or no, a part of JSON), and where a passage came without its text.
fn missing_in_contexts(exam: &Exam<'_>, missed: &[(usize, &Fact)]) -> Option<bool> {
    let contexts = exam.response.contexts.as_ref()?;
    let sent = || contexts.iter().filter(|c| Context::in_prompt(c));
    let texts: Option<Vec<&str>> = sent().map(|c| c.text.as_deref()).collect();
    let mut facts = missed.iter().map(|(_, f)| *f).filter(|f| is_of_texts(f)).peekable();
    facts.peek()?;
    // What belongs together may be cut between two passages.
    let joined = texts.as_ref().map(|t| t.join("\n")).unwrap_or_default();
    texts.map(|mut texts| {
        texts.push(&joined);
        facts.all(|f| source::stands_in(exam, f, &texts))
    })
}

/// Whether a fact can be looked for in a passage.
fn is_of_texts(fact: &Fact) -> bool {
    let form = match &fact.form {
        FactForm::YesNo(_) => false,
        FactForm::Text(_)
        | FactForm::Regex(_)
        | FactForm::Number { .. }
        | FactForm::Date(_)
        | FactForm::AnyOf(_)
        | FactForm::AllOf(_)
        | FactForm::Order(_) => fact.members().iter().all(is_of_texts),
    };
    form && fact.looking.path.is_none()
}

/// Numbers without ground, or a forbidden claim. No number at all is no unsupported one.
fn unsupported(layers: &LayerMap<LayerResult>) -> Option<bool> {
    let forbidden = layers[LayerId::Facts].findings.iter().any(|f| f.code == Code::ForbiddenClaim);
    let numbers = match layers[LayerId::Numbers].outcome {
        Outcome::Fail => Some(true),
        Outcome::Pass | Outcome::Skipped(Skip::NotApplicable) => Some(false),
        Outcome::Unmeasured | Outcome::Skipped(Skip::Off | Skip::NotObserved) => None,
    };
    if forbidden { Some(true) } else { numbers }
}

/// Whether a section of the corpus says what an answer must not say: then the question can be answered, and its label is
/// wrong. Nothing where it forbids nothing, or there is no corpus.
fn forbidden_in_corpus(exam: &Exam<'_>) -> Option<bool> {
    let corpus = exam.corpus.filter(|_| !exam.question.must_not.is_empty())?;
    let of = |fact: &Fact| Question { facts: vec![fact.clone()], must_not: Vec::new(), ..exam.question.clone() };
    let forbidden: Vec<Question> = exam.question.must_not.iter().map(of).collect();
    let says = |text: &str| {
        let reading = Reading::of_text(text);
        forbidden.iter().any(|q| facts::states_all(&Exam { question: q, ..*exam }, &reading) == Some(true))
    };
    let mut sections = corpus.documents.values().flat_map(|d| d.sections.iter().map(|s| d.body(s)));
    Some(sections.any(says))
}

/// Whether the passages of the prompt, read as if they were the answer, state the facts.
fn answer_in_contexts(exam: &Exam<'_>) -> Option<bool> {
    let contexts = exam.response.contexts.as_ref()?;
    let texts: Vec<&str> =
        contexts.iter().filter(|c| Context::in_prompt(c)).filter_map(|c| c.text.as_deref()).collect();
    if texts.is_empty() {
        return contexts.is_empty().then_some(false);
    }
    let text = texts.join("\n");
    // Passages do not refuse, whatever they say of documents and information; and their brackets are not citations.
    let reading = Reading::of_text(&text);
    facts::states_all(exam, &reading)
}
