//! A judge that is a script: it reads a prompt as a diligent reader would, by its fence alone.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    clippy::expect_used,
    reason = "each test file uses a part, and fails by a panic"
)]

use ragline::judge::inquest::{Ask, Found, Inquest, Inquiry, Statement, Terms};
use ragline::judge::prompts::Kind;
use ragline::judge::reply::{Heard, Reply};
use ragline::text::pack::Lang;
use regex::Regex;
use serde_json::{Value, json};

/// A prompt as it is read by whoever keeps to its fence.
#[derive(Debug, Clone, Default)]
pub(crate) struct Read {
    /// What stands outside the data: instructions.
    pub(crate) outside: String,
    pub(crate) question: Option<String>,
    pub(crate) sources: Vec<String>,
    pub(crate) statements: Vec<(usize, String)>,
    /// The check word, put together.
    pub(crate) check: String,
}

impl Read {
    pub(crate) fn of(prompt: &str) -> Read {
        let mark = Regex::new("<<<([0-9a-f]{16})").unwrap().captures(prompt).expect("a mark")[1].to_owned();
        let (begin, end) = (format!("<<<{mark} "), format!("{mark}>>>"));
        let mut read = Read::default();
        let mut lines = prompt.lines();
        while let Some(line) = lines.next() {
            let Some(kind) = line.strip_prefix(&begin) else {
                read.outside.push_str(line);
                read.outside.push('\n');
                continue;
            };
            let text: String = serde_json::from_str(lines.next().unwrap()).expect("one JSON string");
            assert_eq!(lines.next(), Some(end.as_str()), "the block ends behind its one line");
            match kind.rsplit_once(' ') {
                Some(("source", _)) => read.sources.push(text),
                Some(("statement" | "expected answer", id)) => read.statements.push((id.parse().unwrap(), text)),
                _ if kind == "question" => read.question = Some(text),
                other => panic!("{other:?}"),
            }
        }
        let words = Regex::new(r"\b[0-9a-f]{6}\b").unwrap();
        let found: Vec<&str> = words.find_iter(&read.outside).map(|m| m.as_str()).collect();
        assert_eq!(found.len(), 2, "{}", read.outside);
        read.check = format!("{}-{}", found[0], found[1]);
        read
    }

    /// A statement is supported when a source holds it, without the stop at its end.
    pub(crate) fn support(&self, statement: &str) -> Option<String> {
        let bare = statement.trim_end_matches(['.', '。', '!', '！']);
        self.sources.iter().any(|s| s.contains(bare)).then(|| bare.to_owned())
    }

    /// What a diligent judge replies.
    pub(crate) fn honest(&self) -> Value {
        let verdict = |(id, text): &(usize, String)| match self.support(text) {
            Some(quote) => json!({"id": id, "quote": quote, "verdict": "yes"}),
            None => json!({"id": id, "quote": "", "verdict": "no"}),
        };
        json!({"check": self.check, "verdicts": self.statements.iter().map(verdict).collect::<Vec<_>>()})
    }

    /// A reply with these verdicts and quotes.
    pub(crate) fn says(&self, verdicts: &[(usize, &str, &str)]) -> String {
        let one = |(id, verdict, quote): &(usize, &str, &str)| json!({"id": id, "quote": quote, "verdict": verdict});
        json!({"check": self.check, "verdicts": verdicts.iter().map(one).collect::<Vec<_>>()}).to_string()
    }
}

pub(crate) fn lang(code: &str) -> Lang {
    Lang::new(code).unwrap()
}

pub(crate) fn inquiry(code: &str, sources: &[&str], statements: &[&str]) -> Inquiry {
    Inquiry {
        kind: Kind::Support,
        question: String::new(),
        sources: sources.iter().map(|s| (*s).to_owned()).collect(),
        statements: statements.iter().map(|s| Statement::new(*s)).collect(),
        lang: lang(code),
    }
}

/// One vote, so many statements a call.
pub(crate) fn plain(batch: usize) -> Terms {
    Terms { votes: 1, batch, ..Terms::default() }
}

pub(crate) fn heard(content: impl Into<String>) -> Heard {
    Heard::Reply(Reply { content: content.into(), ..Reply::default() })
}

/// Conducts an inquest with a judge; with every ask that was made.
pub(crate) fn conduct(
    inquiry: Inquiry,
    terms: Terms,
    mut judge: impl FnMut(&Ask, &Read) -> Heard,
) -> (Found, Vec<Ask>) {
    let mut inquest = Inquest::new(inquiry, terms);
    let mut all = Vec::new();
    loop {
        let asks = inquest.asks();
        if asks.is_empty() {
            break;
        }
        for ask in asks {
            let heard = judge(&ask, &Read::of(&ask.prompt.text));
            inquest.give(&ask, &heard, terms);
            all.push(ask);
        }
    }
    assert!(inquest.is_over());
    (inquest.finish(), all)
}
