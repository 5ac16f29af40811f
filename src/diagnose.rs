//! Diagnosis: the first layer at fault, and what to change next.
//!
//! A RAG answer goes wrong in a chain: the corpus, the retriever, what is put into the prompt, how passages are cut, the
//! model. The layers' outcomes are read from the front of that chain to its end, and the first broken link is named.
//! It is a suspicion: only a rerun with frozen passages proves a layer.

mod gather;
mod rows;

use crate::layer::finding::Code;
use crate::layer::refusal::Label;
use crate::suite::Expect;
pub use gather::stale_values;
pub use rows::{Case, ROWS, Row};
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
    /// The numbers and dates that are wanted and not stated stand in what the evidence names; asked only where something fails.
    pub values_stand: Option<bool>,
    /// Retrieval passes on any passage of a document or section, since the evidence names no words of it.
    pub coarse: bool,
    /// What the answer leaves out stands in the passages of the prompt; asked only where retrieval passes so.
    pub missing_in_contexts: Option<bool>,
    /// All that fails of the facts is a yes or no that cannot be told.
    pub untold: bool,
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
            values_stand: None,
            coarse: false,
            missing_in_contexts: None,
            untold: false,
            check_disputed: false,
        }
    }
}

impl EvidenceFacts {
    /// Unknown counts as yes; the note says so.
    pub(crate) fn found(&self) -> bool {
        self.in_top_k.unwrap_or(true)
    }

    pub(crate) fn sent(&self) -> bool {
        self.in_prompt.unwrap_or(true)
    }

    pub(crate) fn whole(&self) -> bool {
        self.complete.unwrap_or(true)
    }

    pub(crate) fn invents(&self) -> bool {
        self.unsupported.unwrap_or(false)
    }

    pub(crate) fn refuses(&self) -> bool {
        self.refusal == Label::Refusal
    }
}

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

/// The row of a question that wants a value which its documents do not state: neither a repeat nor an acceptance mends that.
pub const STALE_VALUE: u8 = 30;

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
