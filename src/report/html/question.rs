//! One question with all its evidence: what a reviewer opens.

use super::beside::Beside;
use super::page::Page;
use super::spans::{self, Mark, Span};
use super::sums::{heads, scroll};
use crate::core::{Change, LayerReport, QuestionReport, RunHeader, Verdict};
use crate::layer::{Detail, LayerId, Outcome, Weight, citation};
use crate::report::terminal::show::{ResultView, name_of, seen_by};
use crate::report::{cut, results, story, terminal, words};
use crate::target::response::{Answer, Context, Response};

/// Code points of a passage.
const PASSAGE: usize = 4_000;

/// Code points of what is told in a sentence: a message may quote megabytes.
const SENTENCE: usize = 2_000;

/// So many passages of a question are shown.
const PASSAGES: usize = 50;

/// What a question's body is made from.
pub(super) struct Asked<'a> {
    pub(super) q: &'a QuestionReport,
    pub(super) beside: &'a Beside,
    pub(super) header: &'a RunHeader,
}

impl Asked<'_> {
    /// The text of the answer: as the target returned it, else what the run kept of it.
    pub(super) fn answer(&self) -> Option<&str> {
        match self.beside.response.as_ref().map(|r| &r.answer) {
            Some(Answer::Text(text)) => Some(text),
            Some(Answer::Null | Answer::Absent) | None => self.q.answer.as_deref(),
        }
    }

    /// Everything before the passages.
    pub(super) fn front(&self, p: &mut Page) {
        self.asked(p);
        self.answers(p);
        self.why(p);
        self.layers(p);
        self.diagnosis(p);
    }

    fn asked(&self, p: &mut Page) {
        let q = self.q;
        p.inside("dl", &[], |p| {
            let mut say = |name: &str, text: &str| {
                p.inside("div", &[], |p| {
                    p.leaf("dt", &[], name);
                    p.leaf("dd", &[], &cut::chars(text, SENTENCE));
                });
            };
            say("Place", &q.place.to_string());
            if !q.tags.is_empty() {
                say("Tags", &q.tags.join(", "));
            }
            if let Some(group) = &q.group {
                say("Group", group);
            }
            if let Verdict::Skipped(reason) = &q.verdict {
                say("Does not count", reason);
            }
            if let Some(note) = &q.change_note {
                say("Change", note);
            }
            if let Some(reason) = &q.known_reason {
                say("Accepted because", reason);
            }
            if let Some(r) = q.repeats {
                let rate = |r: crate::stats::Rate| format!("{} of {} runs passed", r.hits, r.n);
                say("Asked several times", &rate(r.first));
                r.fresh.into_iter().for_each(|r| say("Asked anew", &rate(r)));
                r.base.into_iter().for_each(|r| say("On the control arm", &rate(r)));
            }
        });
        section(p, "Question", |p| p.leaf("p", &self.foreign(), &cut::chars(&q.question, SENTENCE)));
        if !self.beside.expected.is_empty() {
            section(p, "Expected", |p| {
                p.inside("ul", &self.foreign(), |p| {
                    self.beside.expected.iter().for_each(|e| p.leaf("li", &[], &cut::chars(e, SENTENCE)));
                });
            });
        }
    }

    /// Attributes of a text in the language of the suite.
    fn foreign(&self) -> Vec<super::page::Attribute<'_>> {
        let mut out = vec![("class", "text")];
        if !self.beside.language.is_empty() {
            out.push(("lang", self.beside.language.as_str()));
        }
        out
    }

    fn answers(&self, p: &mut Page) {
        let faults = story::spans(self.q);
        section(p, "Answer", |p| {
            let mut part = |name: &str, fill: &mut dyn FnMut(&mut Page)| {
                p.inside("div", &[("class", "part")], |p| {
                    p.leaf("span", &[("class", "label")], name);
                    p.inside("p", &self.foreign(), |p| fill(p));
                });
            };
            let marks = self.marks(&faults);
            match (self.q.was_answer.as_deref(), self.answer()) {
                (Some(was), Some(now)) => {
                    let c = words::both(was, now, &faults);
                    if c.kind == words::Kind::Same {
                        part("now", &mut |p| self.marked(p, now, &marks));
                        part("", &mut |p| p.text("(the same as before)"));
                        return;
                    }
                    part("was", &mut |p| spans::pieces(p, &c.was, "del"));
                    part("now", &mut |p| spans::pieces(p, &c.now, "ins"));
                    if c.kind == words::Kind::Alike {
                        let said =
                            "(the same to the eye: only invisible characters or the composition of letters differ)";
                        part("", &mut |p| p.text(said));
                    }
                    if !marks.is_empty() {
                        part("marked", &mut |p| self.marked(p, now, &marks));
                    }
                }
                (Some(was), None) => {
                    part("was", &mut |p| spans::pieces(p, &words::alone(was, &[]), "del"));
                    part("now", &mut |p| p.text("(no answer)"));
                }
                (None, Some(now)) => part("now", &mut |p| self.marked(p, now, &marks)),
                (None, None) => part("now", &mut |p| p.text("(no answer is kept)")),
            }
        });
    }

    /// The pieces of the answer that findings speak of, and its citations.
    fn marks(&self, faults: &[(usize, usize)]) -> Vec<Span> {
        let Some(answer) = self.answer() else { return Vec::new() };
        let shown = cut::chars(answer, words::COMPARED);
        let contexts = self.beside.response.as_ref().and_then(|r| r.contexts.as_ref()).map_or(0, Vec::len);
        let cited = citation::read(&shown, contexts);
        let citations = cited.markers.iter().map(|m| (m.start, m.end, Mark::Citation));
        faults.iter().map(|(start, end)| (*start, *end, Mark::Fault)).chain(citations).collect()
    }

    fn marked(&self, p: &mut Page, answer: &str, marks: &[Span]) {
        spans::put(p, &cut::chars(answer, words::COMPARED), marks);
        let all = answer.chars().count();
        if all > words::COMPARED {
            cut_note(p, all);
        }
    }

    fn why(&self, p: &mut Page) {
        let reasons = story::reasons(self.q);
        if reasons.is_empty() {
            return;
        }
        section(p, "Why", |p| {
            p.inside("ul", &[("class", "reasons")], |p| {
                for r in &reasons {
                    p.inside("li", &[], |p| {
                        p.text(&cut::chars(r.message, SENTENCE));
                        p.text(" ");
                        code(p, r.code.as_str());
                    });
                }
            });
        });
    }

    fn layers(&self, p: &mut Page) {
        if self.q.change == Change::Removed {
            return;
        }
        let view: Option<ResultView> = results::line_of(self.q).ok().and_then(|line| serde_json::from_str(&line).ok());
        section(p, "Layers", |p| {
            scroll(p, "Layers", |p| {
                p.inside("table", &[], |p| {
                    heads(p, &["Layer", "Now", "Was", "What it saw"]);
                    p.inside("tbody", &[], |p| {
                        for (id, l) in self.q.layers.iter() {
                            let seen = view.as_ref().map(|v| seen_by(v, id)).unwrap_or_default();
                            layer(p, id, l, &seen);
                        }
                    });
                });
            });
        });
    }

    fn diagnosis(&self, p: &mut Page) {
        let Some(blame) = story::blame(self.q) else { return };
        let e = &self.q.evidence;
        section(p, "Blame", |p| {
            p.leaf("p", &[], &blame);
            if let Some(d) = &self.q.diagnosis {
                let note = d.note.as_ref().map(|n| format!("; {n}")).unwrap_or_default();
                p.leaf("p", &[("class", "dim")], &format!("row {} of the table of the diagnosis{note}", d.row));
            }
            p.inside("dl", &[("class", "facts")], |p| {
                for (name, fact) in [
                    ("Evidence stands in the corpus", e.in_corpus),
                    ("… among the first passages", e.in_top_k),
                    ("… in the prompt", e.in_prompt),
                    ("… there as a whole", e.complete),
                    ("The answer states the facts", e.answer),
                    ("It claims what nothing supports", e.unsupported),
                ] {
                    p.inside("div", &[], |p| {
                        p.leaf("dt", &[], name);
                        p.leaf("dd", &[], fact.map_or("not known", |f| if f { "yes" } else { "no" }));
                    });
                }
            });
        });
    }

    /// What was retrieved. Empty where that is not known.
    pub(super) fn passages(&self, p: &mut Page) {
        let Some(contexts) = self.beside.response.as_ref().and_then(|r| r.contexts.as_ref()) else { return };
        let out = contexts.iter().filter(|c| !c.in_prompt()).count();
        let not = if out > 0 { format!(", {} of them not in the prompt", cut::count(out)) } else { String::new() };
        section(p, &format!("Passages: {}{not}", cut::count(contexts.len())), |p| {
            p.inside("ol", &[("class", "passages")], |p| {
                for (i, c) in contexts.iter().take(PASSAGES).enumerate() {
                    p.inside("li", &[], |p| self.passage(p, i, c));
                }
            });
            if contexts.len() > PASSAGES {
                p.leaf("p", &[], &format!("… and {} more", cut::count(contexts.len() - PASSAGES)));
            }
        });
    }

    fn passage(&self, p: &mut Page, index: usize, c: &Context<'_>) {
        p.inside("p", &[("class", "name")], |p| {
            p.leaf("b", &self.foreign(), &cut::chars(&name_of(c), SENTENCE));
            for flag in self.flags(index, c) {
                p.text(" ");
                p.leaf("span", &[("class", "flag")], &flag);
            }
        });
        let Some(text) = &c.text else {
            p.leaf("p", &[("class", "dim")], "(no text)");
            return;
        };
        let shown = cut::chars(text.trim(), PASSAGE);
        let marks = spans::evidence(&shown, &self.beside.spans, self.beside.pack());
        p.inside("blockquote", &self.foreign(), |p| {
            spans::put(p, &shown, &marks);
            let all = text.chars().count();
            if all > PASSAGE {
                cut_note(p, all);
            }
        });
    }

    /// What is said of a passage beside its name.
    fn flags(&self, index: usize, c: &Context<'_>) -> Vec<String> {
        let mut out = Vec::new();
        if !c.in_prompt() {
            out.push("not in the prompt".to_owned());
        }
        if matches!(self.detail(LayerId::Retrieval), Detail::Retrieval(d) if d.holders.contains(&index)) {
            out.push("holds the evidence".to_owned());
        }
        if matches!(self.detail(LayerId::Citation), Detail::Citation(d) if d.cited.contains(&index)) {
            out.push("cited".to_owned());
        }
        out.extend(c.score.map(|s| format!("score {s:.3}")));
        out
    }

    fn detail(&self, layer: LayerId) -> &Detail {
        &self.q.layers[layer].result.detail
    }

    /// What to type, and what the answer took.
    pub(super) fn back(&self, p: &mut Page) {
        let q = self.q;
        section(p, "To type", |p| {
            let name = terminal::name(q);
            let mut lines = if q.change == Change::Removed {
                vec![format!("ragline accept --removed {name}")]
            } else {
                let again = terminal::repeat(self.header, &[q]).0;
                vec![format!("ragline show {name} --was --contexts"), again]
            };
            lines.extend(story::accept(&[q]));
            p.leaf("pre", &[], &lines.join("\n"));
        });
        if let Some(used) = self.beside.response.as_ref().and_then(used) {
            p.leaf("p", &[("class", "dim")], &used);
        }
    }
}

/// `911 tokens of the prompt, 24 of the answer`.
fn used(response: &Response<'_>) -> Option<String> {
    let usage = response.usage.as_ref()?;
    let said = [(usage.input_tokens, "tokens of the prompt"), (usage.output_tokens, "tokens of the answer")];
    let said: Vec<String> = said.iter().filter_map(|(n, what)| Some(format!("{} {what}", (*n)?))).collect();
    (!said.is_empty()).then(|| format!("Used: {}", said.join(", ")))
}

fn cut_note(p: &mut Page, all: usize) {
    p.leaf("span", &[("class", "dim")], &format!(" (cut; the whole is {} characters)", cut::count(all)));
}

fn section(p: &mut Page, title: &str, fill: impl FnOnce(&mut Page)) {
    p.inside("section", &[], |p| {
        p.leaf("h4", &[], title);
        fill(p);
    });
    p.line();
}

/// A finding's code, which leads to its page at the end of the report.
fn code(p: &mut Page, code: &str) {
    p.inside("a", &[("href", &format!("#code-{code}")), ("class", "code")], |p| p.leaf("code", &[], code));
}

fn layer(p: &mut Page, id: LayerId, l: &LayerReport, seen: &str) {
    let outcome = |o: Outcome| format!("{} {}", story::sign(o), o.name());
    p.inside("tr", &[], |p| {
        p.leaf("th", &[("scope", "row")], id.name());
        let warns = if l.warn && l.result.outcome == Outcome::Fail { " (warns)" } else { "" };
        p.leaf("td", &[("class", tone(l.result.outcome))], &format!("{}{warns}", outcome(l.result.outcome)));
        p.leaf("td", &[], &l.was.map(outcome).unwrap_or_default());
        p.inside("td", &[("class", "prose")], |p| {
            p.text(&cut::chars(seen, SENTENCE));
            for f in &l.result.findings {
                p.inside("div", &[], |p| {
                    let note = if f.weight == Weight::Note { "note: " } else { "" };
                    p.text(&format!("{note}{} ", cut::chars(&f.message, SENTENCE)));
                    code(p, f.code.as_str());
                });
            }
        });
    });
}

fn tone(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Pass => "good",
        Outcome::Fail => "bad",
        Outcome::Unmeasured => "warn",
        Outcome::Skipped(_) => "dim",
    }
}
