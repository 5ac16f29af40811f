//! The table of the diagnosis.

use super::EvidenceFacts;
use crate::layer::refusal::Label;

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
        row: 30,
        case: Case::Answerable,
        when: |e| e.values_stand == Some(false),
        layer: "test set / corpus",
        next: "What the evidence names does not say what is wanted: `ragline evidence update` proposes the fact and the model answer anew; or bring the right document into the corpus. Do not tune the model.",
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
        row: 31,
        case: Case::Answerable,
        when: |e| e.coarse && e.missing_in_contexts == Some(false) && (e.refuses() || e.answer == Some(false)),
        layer: "retrieval (section)",
        next: "The document was found, and no passage of the prompt says what is missing, so another section holds it: look at top_k and how passages are cut, and name the deciding words as `span`.",
    },
    Row {
        row: 32,
        case: Case::Answerable,
        when: |e| e.coarse && e.missing_in_contexts.is_none() && e.refuses(),
        layer: "retrieval (section) or generation: over-refusal",
        next: "The evidence names no words, so it is not known whether the section with the answer was in the prompt: look at the passages, and name the deciding words as `span`.",
    },
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
        row: 33,
        case: Case::Answerable,
        when: |e| e.answer == Some(false) && e.untold && !e.invents(),
        layer: "measure (yes or no)",
        next: "Nothing tells its yes or no, so look at the answer first: where it is right, put what it must say (`text`, `any_of`) in the place of the `yes_no` fact.",
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
