//! What is summed over the questions as they come: accepted × measured, the rows of the diagnosis, tokens.

use super::page::Page;
use crate::core::{Change, QuestionReport};
use crate::drive::told::{Grounds, Told};
use crate::layer::{Detail, LayerId, LayerMap, Outcome};
use crate::report::{causes, cut};
use crate::target::response::Response;

/// A state in the table of what was and what is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Pass,
    Fail,
    Unmeasured,
    Skipped,
    /// Of what was: nothing was accepted.
    Nothing,
}

impl State {
    /// What was, in rows.
    const WAS: [State; 4] = [State::Pass, State::Fail, State::Skipped, State::Nothing];

    /// What is, in columns.
    const NOW: [State; 4] = [State::Pass, State::Fail, State::Unmeasured, State::Skipped];

    fn of(outcome: Outcome) -> State {
        match outcome {
            Outcome::Pass => State::Pass,
            Outcome::Fail => State::Fail,
            Outcome::Unmeasured => State::Unmeasured,
            Outcome::Skipped(_) => State::Skipped,
        }
    }

    /// The word, in files and in the address of a filter.
    pub(super) fn name(self) -> &'static str {
        match self {
            State::Pass => "pass",
            State::Fail => "fail",
            State::Unmeasured => "unmeasured",
            State::Skipped => "skipped",
            State::Nothing => "new",
        }
    }
}

/// What was accepted of a question: the worst of what was accepted of its layers, as its own outcome is the worst of theirs.
pub(super) fn was(q: &QuestionReport) -> State {
    let accepted: Vec<State> = q.layers.iter().filter_map(|(_, l)| l.was).map(State::of).collect();
    let worst = [State::Fail, State::Unmeasured, State::Pass, State::Skipped];
    worst.into_iter().find(|s| accepted.contains(s)).unwrap_or(State::Nothing)
}

/// What is now.
pub(super) fn now(q: &QuestionReport) -> State {
    State::of(q.outcome)
}

/// Counts by what was and what is.
#[derive(Debug, Clone, Copy, Default)]
struct Crossed([[usize; 4]; 4]);

impl Crossed {
    fn add(&mut self, was: State, now: State) {
        let at = |of: &[State; 4], state| of.iter().position(|s| *s == state);
        if let (Some(row), Some(column)) = (at(&State::WAS, was), at(&State::NOW, now))
            && let Some(n) = self.0.get_mut(row).and_then(|r| r.get_mut(column))
        {
            *n += 1;
        }
    }

    /// The rows in which anything stands.
    fn rows(&self) -> impl Iterator<Item = (State, &[usize; 4])> {
        State::WAS.into_iter().zip(&self.0).filter(|(_, row)| row.iter().any(|n| *n > 0))
    }

    fn column_is_empty(&self, column: usize) -> bool {
        self.0.iter().all(|row| row.get(column).is_none_or(|n| *n == 0))
    }
}

/// The sums of a run.
#[derive(Debug, Default)]
pub(super) struct Sums {
    questions: Crossed,
    layers: LayerMap<Crossed>,
    told: Vec<Told>,
    tokens: Tokens,
}

#[derive(Debug, Default)]
struct Tokens {
    input: u64,
    output: u64,
    answers: usize,
    of: usize,
}

impl Sums {
    /// Adds a question, with what the target returned.
    pub(super) fn add(&mut self, q: &QuestionReport, response: Option<&Response<'_>>) {
        if q.change != Change::Removed && q.change != Change::NotSelected {
            self.questions.add(was(q), now(q));
            for (layer, report) in q.layers.iter() {
                let was = report.was.map_or(State::Nothing, State::of);
                self.layers[layer].add(was, State::of(report.result.outcome));
            }
        }
        self.told.push(told(q));
        if let Some(response) = response {
            self.tokens.of += 1;
            if let Some(usage) = &response.usage {
                self.tokens.answers += 1;
                self.tokens.input += usage.input_tokens.unwrap_or(0);
                self.tokens.output += usage.output_tokens.unwrap_or(0);
            }
        }
    }

    /// The questions, and each layer, by what was accepted and what is measured.
    pub(super) fn matrix(&self, p: &mut Page) {
        p.leaf("h2", &[], "Was × now");
        table(p, "Questions by what was accepted and what is measured now", &self.questions, true);
        p.inside("details", &[], |p| {
            p.leaf("summary", &[], "The same for each layer");
            for (layer, crossed) in self.layers.iter() {
                table(p, layer.name(), crossed, false);
            }
        });
    }

    /// Where questions went wrong.
    pub(super) fn diagnosis(&self, p: &mut Page) {
        p.leaf("h2", &[], "Where it goes wrong");
        let rows = causes::rows(&self.told);
        if rows.is_empty() {
            p.leaf("p", &[], "No question has a layer at fault.");
        } else {
            scroll(p, "Layers at fault", |p| {
                p.inside("table", &[], |p| {
                    p.leaf("caption", &[], "The first layer at fault, and what to try: a suspicion, not a proof");
                    heads(p, &["Layer at fault", "Questions", "What to try", "Row"]);
                    p.inside("tbody", &[], |p| {
                        for ((row, layer), told) in &rows {
                            let next = told.first().and_then(|t| t.diagnosis.as_ref()).map_or("", |(_, next)| next);
                            p.inside("tr", &[], |p| {
                                p.leaf("th", &[("scope", "row")], layer);
                                p.leaf("td", &[("class", "n")], &cut::count(told.len()));
                                p.leaf("td", &[("class", "prose")], next);
                                p.leaf("td", &[("class", "n")], &row.to_string());
                            });
                        }
                    });
                });
            });
        }
        self.ways(p);
    }

    /// The evidence in the prompt against what the answer does.
    fn ways(&self, p: &mut Page) {
        let c = causes::crossed(&self.told);
        if c.counts.iter().all(|n| *n == 0) && c.refuse.0 == 0 {
            return;
        }
        p.inside("details", &[], |p| {
            p.leaf("summary", &[], "Evidence against answer");
            scroll(p, "Evidence against answer", |p| {
                p.inside("table", &[], |p| {
                    p.leaf("caption", &[], "Questions that expect an answer");
                    heads(p, &["Evidence in the prompt", "Answer", "Questions", "What that is"]);
                    p.inside("tbody", &[], |p| {
                        for ((whole, does, words), n) in causes::WAYS.iter().zip(c.counts) {
                            p.inside("tr", &[], |p| {
                                p.leaf("th", &[("scope", "row")], causes::whole_or_not(*whole));
                                p.leaf("td", &[], does.name());
                                p.leaf("td", &[("class", "n")], &cut::count(n));
                                p.leaf("td", &[("class", "prose")], words);
                            });
                        }
                    });
                });
            });
            for said in causes::besides(&c) {
                p.leaf("p", &[], &said);
            }
        });
    }

    /// What was used, where responses say so.
    pub(super) fn tokens(&self, p: &mut Page) {
        let t = &self.tokens;
        if t.answers > 0 {
            let n = |n: u64| cut::count(usize::try_from(n).unwrap_or(usize::MAX));
            let said = format!(
                "Used: {} tokens of prompts, {} of answers, as {} of {} answers state it.",
                n(t.input),
                n(t.output),
                cut::count(t.answers),
                cut::count(t.of)
            );
            p.leaf("p", &[("id", "used")], &said);
        }
    }
}

fn table(p: &mut Page, caption: &str, crossed: &Crossed, linked: bool) {
    let columns: Vec<(usize, State)> =
        State::NOW.into_iter().enumerate().filter(|(c, _)| !crossed.column_is_empty(*c)).collect();
    if columns.is_empty() {
        return;
    }
    scroll(p, caption, |p| {
        p.inside("table", &[("class", "matrix")], |p| {
            p.leaf("caption", &[], caption);
            let names: Vec<String> = columns.iter().map(|(_, s)| format!("now {}", s.name())).collect();
            let mut all = vec!["was"];
            all.extend(names.iter().map(String::as_str));
            heads(p, &all);
            p.inside("tbody", &[], |p| {
                for (was, row) in crossed.rows() {
                    p.inside("tr", &[], |p| {
                        p.leaf("th", &[("scope", "row")], was.name());
                        for (c, now) in &columns {
                            cell(p, row.get(*c).copied().unwrap_or(0), was, *now, linked);
                        }
                    });
                }
            });
        });
    });
}

fn cell(p: &mut Page, n: usize, was: State, now: State, linked: bool) {
    let class = match (was, now) {
        _ if n == 0 => "n none",
        (State::Pass | State::Nothing, State::Fail) => "n bad",
        (State::Fail, State::Pass) => "n good",
        (_, State::Unmeasured) => "n warn",
        _ => "n",
    };
    p.inside("td", &[("class", class)], |p| {
        let count = cut::count(n);
        if linked && n > 0 {
            let (was, now) = (was.name(), now.name());
            let label = format!("{count}: was {was}, now {now}");
            p.leaf("a", &[("href", &format!("#was={was}&now={now}")), ("aria-label", &label)], &count);
        } else {
            p.text(&count);
        }
    });
}

/// The heads of the columns.
pub(super) fn heads(p: &mut Page, heads: &[&str]) {
    p.inside("thead", &[], |p| {
        p.inside("tr", &[], |p| heads.iter().for_each(|h| p.leaf("th", &[("scope", "col")], h)));
    });
}

/// A box that is scrolled where its content is wider than the page, also with the keys.
pub(super) fn scroll(p: &mut Page, label: &str, fill: impl FnOnce(&mut Page)) {
    p.inside("div", &[("class", "scroll"), ("tabindex", "0"), ("role", "group"), ("aria-label", label)], fill);
}

/// A question as the report on causes reads it.
fn told(q: &QuestionReport) -> Told {
    let e = &q.evidence;
    let label = match &q.layers[LayerId::Refusal].result.detail {
        Detail::Refusal(d) => d.label.name(),
        Detail::None | Detail::Retrieval(_) | Detail::Facts(_) | Detail::Numbers(_) | Detail::Citation(_) => "",
    };
    let diagnosis = q.diagnosis.as_ref();
    Told {
        suite: q.suite.to_string(),
        id: q.id.to_string(),
        outcome: q.outcome.name().to_owned(),
        change: q.change.name().to_owned(),
        diagnosis: diagnosis.filter(|d| d.layer != "none").map(|d| (d.layer.to_owned(), d.next.to_owned())),
        row: diagnosis.map(|d| d.row),
        expect: q.expect.name().to_owned(),
        label: label.to_owned(),
        evidence: Grounds {
            in_corpus: e.in_corpus,
            in_top_k: e.in_top_k,
            in_prompt: e.in_prompt,
            complete: e.complete,
            answer: e.answer,
            unsupported: e.unsupported,
        },
        ..Told::default()
    }
}
