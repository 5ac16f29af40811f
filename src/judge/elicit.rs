//! The state machine behind answer relevancy: which questions does this answer answer?
//!
//! Several calls, each for one question, each with a seed of its own: the prompt is the same, and a copy of a reply is no
//! second opinion. A reply that cannot be read is asked for once more.

use super::inquest::{Ask, Terms};
use super::parse::{self, Asked};
use super::prompts::{Kind, Parts, Prompt, Prompts};
use super::reply::{Arrived, Heard};
use super::tokens;
use crate::text::pack::Lang;

/// How many questions are made of an answer (Ragas: `strictness`).
pub const QUESTIONS: usize = 3;

#[derive(Debug, Clone)]
struct Call {
    attempt: u32,
    wanted: bool,
    made: Option<Asked>,
}

/// The state of an elicitation.
#[derive(Debug, Clone)]
pub struct Elicitation {
    lang: Lang,
    answer: String,
    calls: Vec<Call>,
    lost: Option<String>,
    made: usize,
}

/// What an elicitation came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Elicited {
    /// For each question that was asked for, the question; none where none came.
    pub questions: Vec<Option<Asked>>,
    /// The first reason for which one is missing.
    pub lost: Option<String>,
    /// How many calls were made.
    pub calls: usize,
}

impl Elicitation {
    /// Begins one for an answer.
    pub fn new(answer: &str, lang: &Lang, terms: Terms) -> Elicitation {
        let call = Call { attempt: 0, wanted: true, made: None };
        let mut elicitation = Elicitation {
            lang: lang.clone(),
            answer: answer.to_owned(),
            calls: vec![call; QUESTIONS],
            lost: None,
            made: 0,
        };
        let needed = tokens::most(&elicitation.prompt(0).text) + terms.reply_tokens;
        if let Some(window) = terms.window.filter(|w| needed > *w) {
            elicitation.calls.iter_mut().for_each(|c| c.wanted = false);
            elicitation.lost =
                Some(format!("the prompt does not fit: up to {needed} tokens with its reply, of a window of {window}"));
        }
        elicitation
    }

    /// The calls that are wanted now, each told once; [`Ask::call`] is to be added to the seed.
    pub fn asks(&mut self) -> Vec<Ask> {
        let prompts = [self.prompt(0), self.prompt(1)];
        let mut out = Vec::new();
        for (i, call) in self.calls.iter_mut().enumerate().filter(|(_, c)| c.wanted) {
            call.wanted = false;
            if let Some(prompt) = prompts.get(call.attempt as usize) {
                out.push(Ask { call: i, attempt: call.attempt, prompt: prompt.clone() });
            }
        }
        self.made += out.len();
        out
    }

    /// Takes what came of a call.
    pub fn give(&mut self, ask: &Ask, heard: &Heard) {
        let words = &Prompts::of(&self.lang).words;
        let Some(call) = self.calls.get_mut(ask.call).filter(|c| c.attempt == ask.attempt && !c.wanted) else { return };
        let (why, again) = match heard {
            Heard::Failed(why) => (why.clone(), false),
            Heard::Reply(reply) => match parse::question(&reply.content, &reply.expected(&ask.prompt, &[], words)) {
                Ok(made) => {
                    call.made = Some(made);
                    return;
                }
                Err(unread) => {
                    let was_cut = matches!(reply.arrived(&ask.prompt), Arrived::Cut(_));
                    (reply.why(&ask.prompt, &unread.to_string()), !was_cut)
                }
            },
        };
        if again && call.attempt == 0 {
            call.attempt = 1;
            call.wanted = true;
        } else if self.lost.is_none() {
            self.lost = Some(why);
        }
    }

    /// What it came to.
    pub fn finish(self) -> Elicited {
        Elicited { questions: self.calls.into_iter().map(|c| c.made).collect(), lost: self.lost, calls: self.made }
    }

    fn prompt(&self, attempt: u32) -> Prompt {
        let sources = [self.answer.as_str()];
        let parts =
            Parts { kind: Kind::Question, question: "", sources: &sources, statements: &[], again: attempt > 0 };
        Prompts::of(&self.lang).prompt(&parts)
    }
}
