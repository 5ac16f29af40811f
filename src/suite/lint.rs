//! Is a suite sound? What can be read and still checks nothing, or the wrong thing.
//!
//! Everything here is a warning: the suite can be used, and a person should look. What [`super::load`] warns of (texts
//! cut by a comment, ids that differ by case, assertions where they are not read) comes with the loaded suite.

use super::corpus::{Corpus, Standing};
use super::model::{Evidence, Expect, Fact, FactForm, Question, Suite};
use super::node::reader::shown;
use crate::problem::near::did_you_mean;
use crate::problem::{Place, Problem, Problems};
use crate::suggest::unstated;
use crate::text::common::is_common;
use crate::text::norm;
use crate::text::pack::Pack;
use std::collections::HashMap;

/// Looks for questions that are not sound; with the corpus, also for evidence that does not stand in it.
pub fn lint(suite: &Suite, corpus: Option<&Corpus>) -> Problems {
    let sections = corpus.map(Corpus::normal_sections).unwrap_or_default();
    let mut lint = Lint { suite, corpus, sections, problems: Vec::new() };
    lint.duplicate_questions();
    for question in &suite.questions {
        lint.evidence(question);
        lint.facts(question);
    }
    lint.problems.sort_by_key(|p| (p.place.line, p.place.column));
    Problems(lint.problems)
}

struct Lint<'a> {
    suite: &'a Suite,
    corpus: Option<&'a Corpus>,
    /// The sections of the corpus in matching form.
    sections: Vec<String>,
    problems: Vec<Problem>,
}

/// Facts that stand together in so many sections tell none of them apart.
const MANY_SECTIONS: usize = 5;

impl Lint<'_> {
    fn warn(&mut self, code: &'static str, place: &Place, title: String, help: &str) -> &mut Problem {
        let problem = Problem::warning(code, place.clone(), title).help(help).source(&self.suite.source);
        self.problems.push(problem);
        let last = self.problems.len() - 1;
        &mut self.problems[last]
    }

    fn duplicate_questions(&mut self) {
        let mut seen: HashMap<String, &Question> = HashMap::new();
        for q in &self.suite.questions {
            match seen.get(&norm::matching(&q.text)) {
                None => {
                    seen.insert(norm::matching(&q.text), q);
                }
                Some(first) => {
                    let title = format!("questions `{}` and `{}` ask the same", first.id, q.id);
                    let related = (first.place.clone(), "asked first here".to_owned());
                    let help = "remove one of them: the same failure would be counted twice";
                    self.warn("duplicate-question", &q.place, title, help).related.push(related);
                }
            }
        }
    }

    fn evidence(&mut self, question: &Question) {
        for place in question.places() {
            self.invisible(place);
            if let Some(corpus) = self.corpus {
                self.standing(place, corpus);
            }
        }
    }

    /// Names that are compared character by character, with characters that nobody sees.
    fn invisible(&mut self, e: &Evidence) {
        for (key, name) in [("doc", &e.doc), ("chunk", &e.chunk), ("url", &e.url)] {
            let found = name.as_deref().and_then(|n| n.chars().find(|c| is_invisible(*c)));
            if let Some(c) = found {
                let title = format!("`{key}` holds the invisible character U+{:04X}", u32::from(c));
                self.warn("invisible-character", &e.place, title, "type the name anew, or copy it without formatting");
            }
        }
    }

    fn standing(&mut self, e: &Evidence, corpus: &Corpus) {
        let doc = shown(e.doc.as_deref().unwrap_or_default());
        let (title, help) = match corpus.standing(e) {
            Standing::Found | Standing::Unknown => return,
            Standing::NoDocument => {
                let near = did_you_mean(&doc, corpus.documents.keys().map(String::as_str));
                let help = match near {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => "name a file by its path below the corpus folder, with `/`".to_owned(),
                };
                (format!("the corpus has no document `{doc}`"), help)
            }
            Standing::NoSection => {
                let path = shown(&e.section.join(" › "));
                let of = if doc.is_empty() { "the corpus".to_owned() } else { format!("document `{doc}`") };
                match corpus.sections_ending(e).as_slice() {
                    [] => (
                        format!("{of} has no section “{path}”"),
                        "name its headings as they stand in the document: the whole path, or the last ones".to_owned(),
                    ),
                    several => {
                        let paths: Vec<String> = several.iter().take(3).map(|p| format!("“{}”", shown(p))).collect();
                        (
                            format!("{} sections of {of} end with “{path}”", several.len()),
                            format!("name the one that is meant with more of its headings: {}", paths.join(", ")),
                        )
                    }
                }
            }
            Standing::NoSpan => {
                let span = shown(e.span.as_deref().unwrap_or_default());
                let place = if doc.is_empty() { "the corpus".to_owned() } else { format!("document `{doc}`") };
                (
                    format!("“{span}” does not stand in {place} where it should"),
                    "copy the words from the document".to_owned(),
                )
            }
        };
        self.warn("evidence-stale", &e.place, title, &help);
    }

    fn facts(&mut self, question: &Question) {
        let without = match question.expect {
            Expect::Refuse => Some("a refusal"),
            Expect::Clarify => Some("a question back"),
            Expect::Answer | Expect::Either => None,
        };
        if let (Some(what), Some(fact)) = (without, question.facts.first()) {
            let title = format!("question `{}` expects {what} and names facts of an answer", question.id);
            self.warn("refuse-with-facts", &fact.place, title, "remove `facts`, or use `expect: either`");
        }
        self.many_sections(question);
        self.unasked(question);
        self.against_reference(question);
        let asked = norm::matching(&question.text);
        let mut facts: Vec<&Fact> = question.facts.iter().collect();
        while let Some(fact) = facts.pop() {
            facts.extend(fact.members());
            if let FactForm::Text(text) = &fact.form {
                self.text_fact(fact, text, &asked);
            }
        }
    }

    /// Whether all that must be stated stands in many sections: then answers from the wrong one pass too.
    fn many_sections(&mut self, question: &Question) {
        let text = |f: &Fact| {
            let FactForm::Text(text) = &f.form else { return None };
            f.looking.condition.is_none().then(|| norm::matching(text))
        };
        let texts: Option<Vec<String>> = question.facts.iter().map(text).collect();
        let (Some(texts), Some(first)) = (texts, question.facts.first()) else { return };
        let holds = |section: &&String| texts.iter().all(|t| norm::find_phrase(section, t).is_some());
        let many = self.sections.iter().filter(holds).count();
        if many >= MANY_SECTIONS {
            let facts: Vec<String> = question.facts.iter().map(|f| format!("“{}”", shown(&f.to_string()))).collect();
            let title = format!("{many} sections of the corpus hold {}", facts.join(" and "));
            let help = "an answer from another section would pass: name what only the right one says";
            self.warn("fact-in-many-sections", &first.place, title, help);
        }
    }

    /// Whether the question's own model answer would fail.
    fn against_reference(&mut self, question: &Question) {
        for fact in unstated(question, &self.suite.language) {
            let fact_shown = shown(&fact.to_string());
            let title =
                format!("the model answer of question `{}` does not state the fact “{fact_shown}”", question.id);
            let help = "one of the two is wrong: an answer that says what `reference` says would be red";
            self.warn("fact-against-reference", &fact.place, title, help);
        }
    }

    /// Whether a yes or no is wanted of a question that asks for neither.
    fn unasked(&mut self, question: &Question) {
        let wanted = question.facts.iter().find(|f| matches!(f.form, FactForm::YesNo(_)));
        let claims = Pack::of(&self.suite.language).map(|p| &p.claims).filter(|c| c.yes_no_question.is_some());
        let (Some(fact), Some(claims)) = (wanted, claims) else { return };
        if claims.asked(&question.text).is_some() {
            return;
        }
        let title = format!("question `{}` asks for no yes or no, and wants one", question.id);
        let help = "name the words of the right answer, or ask so that yes or no answers it";
        self.warn("yes-no-unasked", &fact.place, title, help);
    }

    fn text_fact(&mut self, fact: &Fact, text: &str, asked: &str) {
        let form = norm::matching(text);
        let width = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        let problem = if form.trim().chars().count() <= 1 {
            let help = "name more of it, for instance with its unit, or use `number: { value: …, unit: … }`";
            self.warn("fact-too-short", &fact.place, format!("the fact “{}” is one character", shown(text)), help)
        } else if is_common(form.trim(), self.suite.language.as_str()) {
            let title = format!("the fact “{}” is a word that nearly every answer has", shown(text));
            self.warn("fact-too-common", &fact.place, title, "name the words that decide; for yes or no use `yes_no`")
        } else if stands_in(&form, asked) {
            let title = format!("the fact “{}” is part of the question", shown(text));
            let help = "an answer that repeats the question would pass: name what only the answer says";
            self.warn("fact-in-question", &fact.place, title, help)
        } else {
            return;
        };
        problem.width = width.max(1);
    }
}

fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{00a0}' | '\u{00ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202f}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Whether words stand in a text with word borders on both sides. Scripts that write without blanks have no borders.
fn stands_in(words: &str, text: &str) -> bool {
    let words = words.trim();
    let unspaced = |c: char| matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}');
    let glued = |a: Option<char>, b: Option<char>| match (a, b) {
        (Some(a), Some(b)) => a.is_alphanumeric() && b.is_alphanumeric() && !unspaced(a) && !unspaced(b),
        (None, _) | (_, None) => false,
    };
    !words.is_empty()
        && text.match_indices(words).any(|(at, _)| {
            let before = text.get(..at).and_then(|t| t.chars().next_back());
            let after = text.get(at + words.len()..).and_then(|t| t.chars().next());
            !glued(before, words.chars().next()) && !glued(words.chars().next_back(), after)
        })
}
