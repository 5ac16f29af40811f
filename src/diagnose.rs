//! Diagnosis: the first layer at fault, and what to change next.
//!
//! A RAG answer goes wrong in a chain: the corpus, the retriever, what is put into the prompt, how passages are cut, the
//! model. The layers' outcomes are read from the front of that chain to its end, and the first broken link is named.
//! It is a suspicion: only a rerun with frozen passages proves a layer.

use crate::layer::finding::{Code, Finding};
use crate::layer::refusal::{Label, asks_back};
use crate::layer::{
    Detail, Exam, LayerId, LayerMap, LayerResult, Outcome, Reading, Skip, citation, facts, says_nothing,
};
use crate::suite::{Expect, Fact, Question};
use crate::target::response::{Answer, Context};
use serde::{Deserialize, Serialize};

/// The first rank at which evidence still counts as well ranked.
pub const GOOD_RANK: usize = 3;

/// What is known of one answer. `None` is unknown: not asked, or not measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct EvidenceFacts {
    /// The target answered without an error, and not with a blank.
    pub run_ok: bool,
    /// The evidence stands in the corpus.
    pub in_corpus: Option<bool>,
    /// A passage of the right document or section is among those that count.
    pub in_top_k: Option<bool>,
    /// Such a passage was in the prompt.
    pub in_prompt: Option<bool>,
    /// A passage may be the evidence: its heading path is a part of the wanted one, or the other way round.
    pub heading_unsure: bool,
    /// The evidence is whole in the prompt, at the finest level that it names.
    pub complete: Option<bool>,
    /// The first passage with evidence stands at rank [`GOOD_RANK`] or above.
    pub rank_ok: Option<bool>,
    /// Whether the answer refuses.
    pub refusal: Label,
    /// It asks the user back instead of answering; looked at only where that decides a row.
    pub asks_back: bool,
    /// The refusal flag of the response and its text do not agree, and something fails that the one or the other decides.
    pub flag_against: bool,
    /// The answer states the required facts.
    pub answer: Option<bool>,
    /// The answer claims what nothing supports: an ungrounded number, or something it must not say.
    pub unsupported: Option<bool>,
    /// The citations are right.
    pub citation: Option<bool>,
    /// The required facts stand in the passages of the prompt; asked only where it decides a row.
    pub answer_in_contexts: Option<bool>,
    /// A reviewer said that the check itself is wrong.
    pub check_disputed: bool,
}

impl Default for EvidenceFacts {
    /// A run of which nothing else is known.
    fn default() -> Self {
        EvidenceFacts {
            run_ok: true,
            in_corpus: None,
            in_top_k: None,
            in_prompt: None,
            heading_unsure: false,
            complete: None,
            rank_ok: None,
            refusal: Label::None,
            asks_back: false,
            flag_against: false,
            answer: None,
            unsupported: None,
            citation: None,
            answer_in_contexts: None,
            check_disputed: false,
        }
    }
}

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
        found
    }

    /// Unknown counts as yes; the note says so.
    fn found(&self) -> bool {
        self.in_top_k.unwrap_or(true)
    }

    fn sent(&self) -> bool {
        self.in_prompt.unwrap_or(true)
    }

    fn whole(&self) -> bool {
        self.complete.unwrap_or(true)
    }

    fn invents(&self) -> bool {
        self.unsupported.unwrap_or(false)
    }

    fn refuses(&self) -> bool {
        self.refusal == Label::Refusal
    }
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

/// Which questions a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// All.
    Any,
    /// Those whose answer the corpus holds.
    Answerable,
    /// Those that must be refused.
    OutOfCorpus,
    /// Those that must be asked back.
    Unclear,
}

/// One row of the table.
#[derive(Debug, Clone, Copy)]
pub struct Row {
    /// Its number, as reports write it.
    pub row: u8,
    /// Which questions it is about.
    pub case: Case,
    /// When it holds.
    pub when: fn(&EvidenceFacts) -> bool,
    /// The layer at fault.
    pub layer: &'static str,
    /// What to change next.
    pub next: &'static str,
}

/// What to do where the flag of the response and its text do not agree.
const FLAG: &str = "The flag decides, and the text says the other: look at the `refused` mapping of the target (which word stands for a refusal?), then at how the system sets it.";

/// The table, in the order in which it is asked: a disputed check comes right after a broken run, then the chain from
/// the corpus to the answer. The last row of each case always holds.
pub const ROWS: &[Row] = &[
    Row {
        row: 0,
        case: Case::Any,
        when: |e| !e.run_ok,
        layer: "pipeline",
        next: "Fix the call and run again; this says nothing about quality.",
    },
    Row {
        row: 20,
        case: Case::Any,
        when: |e| e.check_disputed,
        layer: "measure",
        next: "Mend the fact or rule, and score both runs again before comparing them.",
    },
    Row {
        row: 1,
        case: Case::Answerable,
        when: |e| e.in_corpus == Some(false),
        layer: "test set / corpus",
        next: "Correct the evidence or bring the document into the corpus; do not tune the retriever.",
    },
    Row {
        row: 22,
        case: Case::Answerable,
        when: |e| !e.found() && e.heading_unsure,
        layer: "test set / mapping",
        next: "A passage has a part of the heading path that the evidence names: name the section as the target returns it, leave it out, or map `section` to the whole path; do not tune the retriever.",
    },
    Row {
        row: 2,
        case: Case::Answerable,
        when: |e| !e.found() && e.answer == Some(true) && e.answer_in_contexts == Some(true),
        layer: "test set",
        next: "Another passage carries the answer: add it to the evidence as an alternative.",
    },
    Row {
        row: 3,
        case: Case::Answerable,
        when: |e| !e.found() && e.answer == Some(true),
        layer: "retrieval (answer from internal knowledge)",
        next: "Count it as a miss, it will fail on new content: fix retrieval and forbid answers without passages.",
    },
    Row {
        row: 4,
        case: Case::Answerable,
        when: |e| !e.found() && e.refuses(),
        layer: "retrieval",
        next: "The refusal is right here. Look at synonyms, abbreviations, filters, the index and top_k.",
    },
    Row {
        row: 5,
        case: Case::Answerable,
        when: |e| !e.found(),
        layer: "retrieval",
        next: "Look at synonyms, abbreviations, filters, the index and top_k; and at the refusal prompt, since it answered without the evidence.",
    },
    Row {
        row: 6,
        case: Case::Answerable,
        when: |e| !e.sent(),
        layer: "context assembly",
        next: "The evidence was found and dropped: look at the token budget, de-duplication, and the order before cutting.",
    },
    Row {
        row: 7,
        case: Case::Answerable,
        when: |e| !e.whole() && e.answer == Some(true),
        layer: "chunking (lucky)",
        next: "The pass is unsafe: the deciding words are cut. Add overlap; keep heading and exception together.",
    },
    Row {
        row: 8,
        case: Case::Answerable,
        when: |e| !e.whole(),
        layer: "chunking",
        next: "Add overlap; keep heading and exception together.",
    },
    Row { row: 23, case: Case::Answerable, when: |e| e.flag_against, layer: "mapping (refusal flag)", next: FLAG },
    Row {
        row: 9,
        case: Case::Answerable,
        when: |e| e.refuses(),
        layer: "generation: over-refusal",
        next: "Soften the refusal prompt; check where the evidence stands in the prompt, and truncation.",
    },
    Row {
        row: 26,
        case: Case::Answerable,
        when: |e| e.answer == Some(false) && e.asks_back,
        layer: "generation: asks back",
        next: "It asks the user instead of answering, which is no refusal: the passages answer the question as it stands, so ask less in the prompt; or, if the question is open, use `expect: clarify`.",
    },
    Row {
        row: 10,
        case: Case::Answerable,
        when: |e| e.answer == Some(false) && e.rank_ok == Some(false),
        layer: "ranking (suspect)",
        next: "Try the same passages with the evidence first: if that passes, look at the reranker, else at the prompt.",
    },
    Row {
        row: 11,
        case: Case::Answerable,
        when: |e| e.answer == Some(false) && e.invents(),
        layer: "generation: invention",
        next: "Freeze the passages and restrict the prompt to them.",
    },
    Row {
        row: 12,
        case: Case::Answerable,
        when: |e| e.answer == Some(false),
        layer: "generation: misreading",
        next: "Freeze the passages, try prompt or model: it left something out, took a wrong condition or the number of another subject, or is off topic.",
    },
    Row {
        row: 13,
        case: Case::Answerable,
        when: EvidenceFacts::invents,
        layer: "generation: added detail",
        next: "Limit the scope of answers, and run the questions outside the corpus again.",
    },
    Row {
        row: 14,
        case: Case::Answerable,
        when: |e| e.citation == Some(false),
        layer: "citation",
        next: "Look at the marker format, the index base, and the mapping after reranking.",
    },
    Row { row: 15, case: Case::Answerable, when: |_| true, layer: "none", next: "Nothing to change." },
    Row {
        row: 16,
        case: Case::OutOfCorpus,
        when: |e| e.in_corpus == Some(true),
        layer: "test set",
        next: "The label is wrong: the corpus holds evidence.",
    },
    Row { row: 24, case: Case::OutOfCorpus, when: |e| e.flag_against, layer: "mapping (refusal flag)", next: FLAG },
    Row {
        row: 18,
        case: Case::OutOfCorpus,
        when: EvidenceFacts::invents,
        layer: "generation: fabrication",
        next: "Tighten the refusal instruction, or the threshold below which nothing is answered.",
    },
    Row {
        row: 17,
        case: Case::OutOfCorpus,
        when: |e| matches!(e.refusal, Label::Refusal | Label::Partial),
        layer: "none",
        next: "Nothing to change.",
    },
    Row {
        row: 19,
        case: Case::OutOfCorpus,
        when: |_| true,
        layer: "generation: neighbour answer",
        next: "It answers what the corpus does not hold, and no number in it is known to be ungrounded: check the scope.",
    },
    Row { row: 27, case: Case::Unclear, when: |e| e.asks_back, layer: "none", next: "Nothing to change." },
    Row {
        row: 28,
        case: Case::Unclear,
        when: EvidenceFacts::refuses,
        layer: "generation: over-refusal",
        next: "It refuses where it could ask what is meant: tell the prompt to ask back when a question is open.",
    },
    Row {
        row: 29,
        case: Case::Unclear,
        when: |_| true,
        layer: "generation: guesses what is meant",
        next: "It answers one of several meanings: tell the prompt to ask back when a question is open.",
    },
];

/// The first layer at fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// The row of the table.
    pub row: u8,
    /// The layer at fault; `none` when nothing is.
    pub layer: &'static str,
    /// What to change next.
    pub next: &'static str,
    /// What was not known, or is worth a look although nothing is at fault.
    pub note: Option<String>,
}

/// The row of a question whose expectation was edited while the answer stayed: no row of the table, since it is about two
/// runs and not about one answer.
pub const EDITED: u8 = 21;

/// The row of a question whose recording cannot stand for its answer: there was no call that could be mended.
pub const RECORDING: u8 = 25;

impl Diagnosis {
    /// What is said of a question for which nobody was asked because its recording is missing or of another request; nothing
    /// for any other reason.
    pub fn of_recording(code: Code) -> Option<Diagnosis> {
        let next = if code == Code::ResponseStale {
            "The recording is of another request; ask again: `ragline run --answers fill`."
        } else if code == Code::ResponseMissing {
            "No recording answers this request: add it to the file, or, where a target can be asked, run with `--answers fill`."
        } else {
            return None;
        };
        Some(Diagnosis { row: RECORDING, layer: "recording", next, note: None })
    }

    /// The same where the answer is the accepted one and what the question expects was edited since, and something fails that
    /// did not fail before: nothing of the system changed, so the edit is looked at first. A broken run, and one without a fault, stay as they
    /// are.
    #[must_use]
    pub fn after_an_edit(self) -> Diagnosis {
        if self.layer == "none" || self.row == 0 {
            return self;
        }
        Diagnosis {
            row: EDITED,
            layer: "question",
            next: "The answer is the accepted one and what the question expects was edited: look at the question first.",
            note: self.note,
        }
    }
}

/// Names the first layer at fault. A question that expects either is diagnosed as one outside the corpus when it
/// refuses, and as an answerable one when it answers.
pub fn diagnose(expect: Expect, evidence: &EvidenceFacts) -> Diagnosis {
    let refused = matches!(evidence.refusal, Label::Refusal | Label::Partial);
    let case = match expect {
        Expect::Answer => Case::Answerable,
        Expect::Refuse => Case::OutOfCorpus,
        Expect::Either if refused => Case::OutOfCorpus,
        Expect::Either => Case::Answerable,
        Expect::Clarify => Case::Unclear,
    };
    let applies = |row: &&Row| (row.case == Case::Any || row.case == case) && (row.when)(evidence);
    let row = ROWS.iter().find(applies);
    Diagnosis {
        row: row.map_or(15, |r| r.row),
        layer: row.map_or("none", |r| r.layer),
        next: row.map_or("Nothing to change.", |r| r.next),
        note: note(case, evidence),
    }
}

/// What the diagnosis took for granted.
fn note(case: Case, e: &EvidenceFacts) -> Option<String> {
    if !e.run_ok {
        return None;
    }
    let mut notes = Vec::new();
    if case == Case::Answerable {
        if e.in_top_k.is_none() {
            notes.push("retrieval was not measured; it is taken as right");
        } else if e.in_corpus.is_none() {
            notes.push("there is no corpus to look the evidence up in; it is taken to hold it");
        }
        if e.answer.is_none() {
            notes.push("no fact was checked");
        }
        if e.rank_ok == Some(false) && e.answer != Some(false) {
            notes.push("the first evidence stands below rank 3");
        }
    }
    if e.unsupported.is_none() {
        notes.push("whether the numbers are grounded is not known");
    }
    if e.refusal == Label::Unknown {
        notes.push("no language pack can tell whether it refuses");
    }
    (!notes.is_empty()).then(|| notes.join("; "))
}
