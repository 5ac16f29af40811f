//! The state machine of one inquiry: several statements, each held against the same sources.
//!
//! It says what it wants to ask, takes what came of each call in any order, asks once more where a reply cannot be used,
//! and ends in one verdict a statement. It knows no clock, network or chance, so the same replies give the same verdicts.
//!
//! What was asked is what must come back: a statement without a verdict, or with two, is asked about once more and then is
//! unknown. A `yes` needs words of a source: where they do not stand there, the judge is asked once more, and a second time
//! it is a `no`; that removes judges that nod. A statement that a rule found wrong is a `no` that nobody is asked about.

use super::Verdict;
use super::parse::{self, Parsed};
use super::prompts::{Kind, Parts, Prompt, Prompts};
use super::quote;
use super::reply::{Arrived, Heard, Reply, cut};
use super::tokens;
use super::vote::{Voted, orders};
use crate::text::pack::Lang;
use std::collections::BTreeMap;

/// What is asked about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Inquiry {
    /// What is asked of each statement.
    pub kind: Kind,
    /// The question that the answer belongs to; empty where it is no part of the task.
    pub question: String,
    /// The sources.
    pub sources: Vec<String>,
    /// The statements.
    pub statements: Vec<Statement>,
    /// The language of the prompt.
    pub lang: Lang,
}

/// One statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Statement {
    /// The statement.
    pub text: String,
    /// A rule found it wrong: it is not asked about, and no judge can overrule it.
    pub ruled_out: bool,
}

impl Statement {
    /// A statement of which no rule says anything.
    pub fn new(text: impl Into<String>) -> Statement {
        Statement { text: text.into(), ruled_out: false }
    }
}

/// How a judge is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// How many votes at most, each over another order of the sources; 3.
    pub votes: usize,
    /// How many statements in one call; 1, at most 5.
    pub batch: usize,
    /// The most tokens that the judge reads, prompt and reply together; none: not known.
    pub window: Option<usize>,
    /// The most tokens of a reply.
    pub reply_tokens: usize,
}

impl Default for Terms {
    fn default() -> Self {
        Terms { votes: 3, batch: 1, window: None, reply_tokens: 1024 }
    }
}

/// The most statements in one call.
pub const LARGEST_BATCH: usize = 5;

/// A call that is wanted.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// Which call it is: given back with what came of it.
    pub call: usize,
    /// The attempt, from 0.
    pub attempt: u32,
    /// What is sent.
    pub prompt: Prompt,
}

/// What an inquiry came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// For each statement, in order.
    pub voted: Vec<Voted>,
    /// For each statement, words of a source that stand there and that a judge gave for its `yes`.
    pub quotes: Vec<Option<String>>,
    /// The first reason for which a verdict is unknown.
    pub lost: Option<String>,
    /// How many calls were made.
    pub calls: usize,
}

impl Found {
    /// The verdicts alone.
    pub fn verdicts(&self) -> Vec<Verdict> {
        self.voted.iter().map(|v| v.verdict).collect()
    }
}

/// One vote on one batch.
#[derive(Debug, Clone)]
struct Call {
    order: Vec<usize>,
    /// The statements by their ids, from 1.
    ids: Vec<usize>,
    attempt: u32,
    prompt: Option<Prompt>,
    given: BTreeMap<usize, Verdict>,
    /// Those whose quote did not stand at the first attempt.
    doubted: Vec<usize>,
    over: bool,
}

/// The state of an inquiry.
#[derive(Debug, Clone)]
pub struct Inquest {
    inquiry: Inquiry,
    calls: Vec<Call>,
    made: usize,
    quotes: BTreeMap<usize, String>,
    lost: Option<String>,
}

impl Inquest {
    /// Begins an inquiry.
    pub fn new(inquiry: Inquiry, terms: Terms) -> Inquest {
        let open: Vec<usize> =
            inquiry.statements.iter().enumerate().filter(|(_, s)| !s.ruled_out).map(|(i, _)| i + 1).collect();
        let call = |order: &Vec<usize>, ids: &[usize]| Call {
            order: order.clone(),
            ids: ids.to_vec(),
            attempt: 0,
            prompt: None,
            given: BTreeMap::new(),
            doubted: Vec::new(),
            over: false,
        };
        // Without a source nothing is supported, and nobody need say so.
        let orders = if inquiry.sources.is_empty() { Vec::new() } else { orders(inquiry.sources.len(), terms.votes) };
        let batches: Vec<&[usize]> = open.chunks(terms.batch.clamp(1, LARGEST_BATCH)).collect();
        let calls = batches.iter().flat_map(|ids| orders.iter().map(|o| call(o, ids))).collect();
        let mut inquest = Inquest { inquiry, calls, made: 0, quotes: BTreeMap::new(), lost: None };
        for i in 0..inquest.calls.len() {
            inquest.write(i, terms);
        }
        inquest
    }

    /// The calls that are wanted now; each is told once. None when all is said, or when others must come back first.
    pub fn asks(&mut self) -> Vec<Ask> {
        let mut out = Vec::new();
        for (i, call) in self.calls.iter().enumerate() {
            if let Some(prompt) = call.prompt.clone().filter(|_| !call.over) {
                out.push(Ask { call: i, attempt: call.attempt, prompt });
            }
        }
        self.made += out.len();
        for ask in &out {
            if let Some(call) = self.calls.get_mut(ask.call) {
                call.prompt = None;
            }
        }
        out
    }

    /// Takes what came of a call.
    pub fn give(&mut self, ask: &Ask, heard: &Heard, terms: Terms) {
        let prompts = Prompts::of(&self.inquiry.lang);
        let Some(call) = self.calls.get(ask.call).filter(|c| !c.over && c.attempt == ask.attempt) else { return };
        let ids = call.wanted();
        match heard {
            Heard::Failed(why) => self.end(ask.call, why.clone()),
            Heard::Reply(reply) => {
                match parse::verdicts(&reply.content, &reply.expected(&ask.prompt, &ids, &prompts.words)) {
                    Ok(parsed) => self.take(ask, reply, parsed, terms),
                    Err(unread) => {
                        let why = reply.why(&ask.prompt, &unread.to_string());
                        let was_cut = matches!(reply.arrived(&ask.prompt), Arrived::Cut(_));
                        // What did not arrive whole would not the next time.
                        if was_cut { self.end(ask.call, why) } else { self.again(ask.call, why, terms) }
                    }
                }
            }
        }
    }

    /// Whether every call is over.
    pub fn is_over(&self) -> bool {
        self.calls.iter().all(|c| c.over)
    }

    /// What it came to. What was not answered is unknown.
    pub fn finish(self) -> Found {
        let sourceless = self.inquiry.sources.is_empty();
        let of = |(i, s): (usize, &Statement)| {
            if s.ruled_out || sourceless {
                return Voted::alone(Verdict::No);
            }
            let mine = self.calls.iter().filter(|c| c.ids.contains(&(i + 1)));
            Voted::of(mine.map(|c| c.given.get(&(i + 1)).copied().unwrap_or(Verdict::Unknown)).collect())
        };
        Found {
            voted: self.inquiry.statements.iter().enumerate().map(of).collect(),
            quotes: (1..=self.inquiry.statements.len()).map(|id| self.quotes.get(&id).cloned()).collect(),
            lost: self.lost,
            calls: self.made,
        }
    }

    /// Takes verdicts that could be read.
    fn take(&mut self, ask: &Ask, reply: &Reply, parsed: Parsed, terms: Terms) {
        let Some(call) = self.calls.get(ask.call) else { return };
        let asked = call.wanted().len();
        if parsed.strange {
            let why = format!("verdicts do not match statements (asked {asked}, got {})", parsed.came);
            return self.again(ask.call, why, terms);
        }
        let shown: Vec<&str> =
            call.order.iter().filter_map(|s| self.inquiry.sources.get(*s)).map(String::as_str).collect();
        let mut settled = Vec::new();
        let mut doubted = Vec::new();
        for given in &parsed.given {
            let nods = given.verdict == Verdict::Yes && !quote::stands(&given.quote, &shown, &self.inquiry.lang);
            match (nods, call.attempt) {
                (false, _) => settled.push((given.id, given.verdict, given.quote.clone())),
                (true, 0) => doubted.push(given.id),
                (true, _) => settled.push((given.id, Verdict::No, String::new())),
            }
        }
        for (id, verdict, words) in settled {
            if verdict == Verdict::Yes {
                self.quotes.entry(id).or_insert(words);
            }
            if let Some(call) = self.calls.get_mut(ask.call) {
                call.given.insert(id, verdict);
            }
        }
        let missing = asked - parsed.given.len();
        if let Some(call) = self.calls.get_mut(ask.call) {
            call.doubted.extend(&doubted);
            if missing == 0 && doubted.is_empty() {
                call.over = true;
                return;
            }
        }
        let why = match reply.arrived(&ask.prompt) {
            Arrived::Cut(read) if missing > 0 => cut(read, &ask.prompt),
            Arrived::Cut(_) | Arrived::Whole | Arrived::NotTold => {
                format!("verdicts do not match statements (asked {asked}, got {})", parsed.came)
            }
        };
        self.again(ask.call, why, terms);
    }

    /// Asks once more about what is still open, or ends the call.
    fn again(&mut self, at: usize, why: String, terms: Terms) {
        match self.calls.get_mut(at) {
            Some(call) if call.attempt == 0 => {
                call.attempt = 1;
                self.write(at, terms);
            }
            Some(_) | None => self.end(at, why),
        }
    }

    /// Ends a call. What is open is unknown, for this reason; what was doubted stays unclear.
    fn end(&mut self, at: usize, why: String) {
        let Some(call) = self.calls.get_mut(at) else { return };
        call.over = true;
        for id in call.wanted() {
            let doubted = call.doubted.contains(&id);
            call.given.insert(id, if doubted { Verdict::Unclear } else { Verdict::Unknown });
        }
        if self.lost.is_none() {
            self.lost = Some(why);
        }
    }

    /// Writes the prompt of a call, which ends where it does not fit: it is never cut.
    fn write(&mut self, at: usize, terms: Terms) {
        let Some(call) = self.calls.get(at) else { return };
        let prompt = self.prompt(call);
        let needed = tokens::most(&prompt.text) + terms.reply_tokens;
        match terms.window.filter(|w| needed > *w) {
            Some(window) => self.end(
                at,
                format!(
                    "the prompt does not fit: up to {} tokens and {} for the reply, of a window of {window}",
                    tokens::most(&prompt.text),
                    terms.reply_tokens
                ),
            ),
            None => {
                if let Some(call) = self.calls.get_mut(at) {
                    call.prompt = Some(prompt);
                }
            }
        }
    }

    fn prompt(&self, call: &Call) -> Prompt {
        let inquiry = &self.inquiry;
        let sources: Vec<&str> =
            call.order.iter().filter_map(|s| inquiry.sources.get(*s)).map(String::as_str).collect();
        let text = |id: &usize| Some((*id, inquiry.statements.get(id.checked_sub(1)?)?.text.as_str()));
        let statements: Vec<(usize, &str)> = call.wanted().iter().filter_map(text).collect();
        Prompts::of(&inquiry.lang).prompt(&Parts {
            kind: inquiry.kind,
            question: &inquiry.question,
            sources: &sources,
            statements: &statements,
            again: call.attempt > 0,
        })
    }
}

impl Call {
    /// The ids that have no verdict yet.
    fn wanted(&self) -> Vec<usize> {
        self.ids.iter().copied().filter(|id| !self.given.contains_key(id)).collect()
    }
}
