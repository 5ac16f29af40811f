//! The HTML report: one file for a reviewer who looks at every question, in any browser, without a network.
//!
//! The whole page is written here, so that it reads without its script: the decision, the layers, a row for each question,
//! the gravest first, and behind each row all its evidence. The script filters, opens one question as a page of its own, and
//! keeps what a reviewer decides. A Content-Security-Policy lets nothing run or load but our own script and style, named by
//! their digests; every text that is not ours goes through the HTML cleaner.

mod beside;
mod list;
mod page;
mod question;
mod spans;
mod sums;
mod top;

pub use beside::{Beside, Besides};

use super::gather::Gathered;
use super::{explain, file, order, story};
use crate::core::event::Reporter;
use crate::core::{Event, QuestionReport};
use crate::digest::Hasher;
use crate::gate::Decision;
use list::{Data, Known};
use page::Page;
use question::Asked;
use std::collections::BTreeSet;
use std::io;
use std::path::Path;
use sums::Sums;

/// The style of the page.
const STYLE: &str = include_str!("assets/report.css");

/// Its script.
const SCRIPT: &str = include_str!("assets/report.js");

/// Bytes of passages in one file; those of the gravest questions come first.
const PASSAGES: usize = 24_000_000;

/// Collects a run; [`Html::write_to`] writes the report.
#[derive(Debug, Default)]
pub struct Html {
    title: Option<String>,
    besides: Besides,
    run: Gathered,
    decision: Option<Decision>,
    questions: Vec<Told>,
    codes: BTreeSet<&'static str>,
    sums: Sums,
}

/// A question as it will stand in the list.
#[derive(Debug)]
struct Told {
    gravity: (bool, usize, u8),
    known: Known,
    row: Page,
    front: Page,
    passages: Page,
    back: Page,
}

impl Html {
    /// An empty report.
    pub fn new() -> Self {
        Html::default()
    }

    /// What the report is called in its heading, in place of the suites.
    #[must_use]
    pub fn title(mut self, title: Option<String>) -> Self {
        self.title = title;
        self
    }

    /// What the events do not carry: expectations, and what the target returned.
    #[must_use]
    pub fn besides(mut self, besides: Besides) -> Self {
        self.besides = besides;
        self
    }

    /// The page; empty until the run is decided.
    pub fn text(&self) -> String {
        self.decision.as_ref().map(|d| self.page(d)).unwrap_or_default()
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    /// When it cannot be written; the message names the path.
    pub fn write_to(&self, path: &Path) -> io::Result<()> {
        file::write(path, self.text().as_bytes())
    }

    fn take(&mut self, q: &QuestionReport) {
        let none = Beside::default();
        let beside = self.besides.of(q).unwrap_or(&none);
        let asked = Asked { q, beside, header: &self.run.header };
        let mut parts = [(); 4].map(|()| Page::default());
        let [row, front, passages, back] = &mut parts;
        list::row(row, &asked);
        asked.front(front);
        asked.passages(passages);
        asked.back(back);
        let [row, front, passages, back] = parts;
        let known = Known::of(&asked);
        self.sums.add(q, beside.response.as_ref());
        for (_, l) in q.layers.iter() {
            self.codes.extend(l.result.findings.iter().map(|f| f.code.as_str()));
        }
        self.codes.extend(story::reasons(q).iter().map(|r| r.code.as_str()));
        let gravity = order::gravity(q);
        self.questions.push(Told { gravity, known, row, front, passages, back });
    }

    fn page(&self, d: &Decision) -> String {
        let mut questions: Vec<&Told> = self.questions.iter().collect();
        questions.sort_by_key(|t| t.gravity);
        let known: Vec<&Known> = questions.iter().map(|t| &t.known).collect();
        let mut p = Page::default();
        p.open("!doctype html", &[]);
        p.line();
        p.inside("html", &[("lang", "en")], |p| {
            p.inside("head", &[], |p| self.head(p, d));
            p.line();
            p.inside("body", &[], |p| {
                p.leaf("a", &[("class", "skip"), ("href", "#questions")], "To the questions");
                p.inside("header", &[("id", "top")], |p| {
                    top::decision(p, &self.run, d, self.title.as_deref());
                });
                p.line();
                p.inside("main", &[], |p| {
                    self.summary(p, d);
                    self.list(p, &questions, &known);
                    self.pages(p);
                });
                p.leaf("footer", &[], &format!("ragline {} · run {}", crate::VERSION, self.run.header.id));
                let data = Data::new(&self.run.header, known);
                // Texts and numbers alone: nothing that could fail.
                p.data("data", &serde_json::to_string(&data).unwrap_or_default());
                p.asset("script", SCRIPT);
            });
        });
        p.line();
        p.into_text()
    }

    fn head(&self, p: &mut Page, d: &Decision) {
        let digest = |source: &str| {
            let mut hasher = Hasher::default();
            hasher.update(source.as_bytes());
            format!("'sha256-{}'", hasher.base64())
        };
        let policy = format!(
            "default-src 'none'; script-src {}; style-src {}; img-src data:; base-uri 'none'; form-action 'none'",
            digest(SCRIPT),
            digest(STYLE)
        );
        p.open("meta", &[("charset", "utf-8")]);
        p.open("meta", &[("http-equiv", "Content-Security-Policy"), ("content", &policy)]);
        p.open("meta", &[("name", "viewport"), ("content", "width=device-width, initial-scale=1")]);
        p.open("meta", &[("name", "referrer"), ("content", "no-referrer")]);
        p.open("meta", &[("name", "color-scheme"), ("content", "light dark")]);
        // Without it a browser asks a server for one.
        p.open("link", &[("rel", "icon"), ("href", "data:,")]);
        let title =
            format!("{} · {}", top::headline(&self.run, d), top::subject(self.title.as_deref(), &self.run.header));
        p.leaf("title", &[], &title);
        p.asset("style", STYLE);
    }

    fn summary(&self, p: &mut Page, d: &Decision) {
        p.inside("div", &[("id", "summary")], |p| {
            let mut part = |fill: &dyn Fn(&mut Page)| {
                let mut inner = Page::default();
                fill(&mut inner);
                if !inner.is_empty() {
                    p.inside("section", &[], |p| p.put(&inner));
                    p.line();
                }
            };
            part(&|p| top::layers(p, d));
            if !self.questions.is_empty() {
                part(&|p| self.sums.matrix(p));
                part(&|p| self.sums.diagnosis(p));
            }
            part(&|p| top::unseen(p, &self.run.header, d));
            part(&|p| self.sums.tokens(p));
        });
    }

    fn list(&self, p: &mut Page, questions: &[&Told], known: &[&Known]) {
        if questions.is_empty() {
            return;
        }
        p.inside("section", &[("id", "questions"), ("tabindex", "-1"), ("aria-labelledby", "list-title")], |p| {
            p.leaf("h2", &[("id", "list-title")], "Questions");
            list::legend(p);
            list::filters(p, known);
            p.leaf("p", &[("id", "status"), ("role", "status"), ("class", "js")], "");
            p.inside("div", &[("id", "list")], |p| {
                let mut left = PASSAGES;
                for t in questions {
                    left = one(p, t, left);
                }
            });
        });
    }

    /// The pages of the finding codes that occur, as `ragline explain` prints them.
    fn pages(&self, p: &mut Page) {
        if self.codes.is_empty() {
            return;
        }
        p.inside("section", &[("id", "codes")], |p| {
            p.leaf("h2", &[], "What the codes mean");
            for code in &self.codes {
                let Some(page) = explain::page(code) else { continue };
                p.inside("details", &[("id", &format!("code-{code}"))], |p| {
                    p.inside("summary", &[], |p| p.leaf("code", &[], &format!("ragline explain {code}")));
                    p.leaf("pre", &[], page);
                });
                p.line();
            }
        });
    }
}

/// A question of the list; gives back how many bytes of passages may still come.
fn one(p: &mut Page, t: &Told, left: usize) -> usize {
    let fits = t.passages.len() <= left;
    p.inside("details", &[("class", "question"), ("id", &t.known.key)], |p| {
        p.put(&t.row);
        p.line();
        // A browser that runs the script takes this for one text, which costs it next to nothing; the script makes elements of
        // it when the question is opened.
        p.inside("noscript", &[], |p| {
            p.inside("div", &[("class", "body")], |p| {
                p.put(&t.front);
                if fits {
                    p.put(&t.passages);
                } else {
                    let key = &t.known.key;
                    p.leaf("p", &[], &format!("The passages are left out for length: ragline show {key} --contexts"));
                }
                p.put(&t.back);
            });
        });
    });
    p.line();
    if fits { left - t.passages.len() } else { left }
}

impl Reporter for Html {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.run.take(event);
        match event {
            Event::Started(_) => {}
            Event::Question(q) => self.take(q),
            Event::Decided(d) => self.decision = Some(d.clone()),
        }
        Ok(())
    }
}

/// A page that says one sentence and decides nothing: what a shard writes.
pub fn undecided(sentence: &str) -> String {
    let mut p = Page::default();
    p.open("!doctype html", &[]);
    p.inside("html", &[("lang", "en")], |p| {
        p.inside("head", &[], |p| {
            p.open("meta", &[("charset", "utf-8")]);
            p.open("meta", &[("http-equiv", "Content-Security-Policy"), ("content", "default-src 'none'")]);
            p.leaf("title", &[], sentence);
        });
        p.inside("body", &[], |p| p.leaf("h1", &[], sentence));
    });
    p.line();
    p.into_text()
}
