//! What a judge is asked: texts in the language of the data, as versioned files, and the data behind its fence.
//!
//! A prompt is one message: the task, what is data, the data, the task's end, the form of the reply. A check word stands
//! at each end, and a reply bears both, so that a prompt which a server cut is noticed. No text that is judged is ever
//! filled into a template.

use super::Verdict;
use super::fence::Fence;
use crate::digest::Hasher;
use crate::text::norm::matching;
use crate::text::pack::Lang;
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// What is asked of each statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// Do the sources support it?
    Support,
    /// Is the source useful to arrive at the answer that the statement is?
    Useful,
    /// Does the source, an answer, meet the requirement that the statement is?
    Rubric,
    /// Which question does the source, an answer, answer? There are no statements.
    Question,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Kind; 4] = [Kind::Support, Kind::Useful, Kind::Rubric, Kind::Question];

    /// The name, as files write it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Support => "support",
            Kind::Useful => "useful",
            Kind::Rubric => "rubric",
            Kind::Question => "question",
        }
    }
}

/// The texts of a language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Prompts {
    /// Raised with every change that lets a judge read a prompt otherwise.
    pub version: u32,
    /// Its code.
    pub language: String,
    data: String,
    said: String,
    reply: String,
    check: String,
    again: String,
    support: Task,
    useful: Task,
    rubric: Task,
    question: Task,
    /// How a verdict may be said.
    pub words: Words,
    #[serde(skip)]
    digest: String,
}

/// One task: what stands before the data, and what behind.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Task {
    task: String,
    end: String,
}

/// How a verdict may be said; the English words count in every language.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    yes: Vec<String>,
    no: Vec<String>,
    unclear: Vec<String>,
    unknown: Vec<String>,
}

impl Words {
    /// The verdict that a text is, whole; nothing when it is none.
    pub fn read(&self, said: &str) -> Option<Verdict> {
        let said = matching(said);
        let said = said.trim();
        let of = |words: &Words| {
            let has = |list: &[String]| list.iter().any(|w| matching(w).trim() == said);
            let lists = [
                (&words.yes, Verdict::Yes),
                (&words.no, Verdict::No),
                (&words.unclear, Verdict::Unclear),
                (&words.unknown, Verdict::Unknown),
            ];
            lists.into_iter().find_map(|(list, verdict)| has(list).then_some(verdict))
        };
        of(self).or_else(|| of(&Prompts::english().words))
    }
}

const FILES: [&str; 4] = [
    include_str!("prompts/en.toml"),
    include_str!("prompts/vi.toml"),
    include_str!("prompts/th.toml"),
    include_str!("prompts/zh.toml"),
];

static ALL: LazyLock<Vec<Prompts>> = LazyLock::new(|| FILES.iter().filter_map(|f| Prompts::read(f).ok()).collect());

/// What a prompt is made of.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'a> {
    /// What is asked of each statement.
    pub kind: Kind,
    /// The question that the answer belongs to; empty where it is no part of the task.
    pub question: &'a str,
    /// The sources, in the order in which they are shown.
    pub sources: &'a [&'a str],
    /// The statements, each with its id.
    pub statements: &'a [(usize, &'a str)],
    /// An earlier reply could not be used.
    pub again: bool,
}

/// A prompt that can be sent.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// The text of its one message.
    pub text: String,
    /// The check word that a reply bears.
    pub check: String,
    /// The JSON Schema of a reply.
    pub schema: Value,
}

impl Prompts {
    /// The texts for a language; the English ones where there are none.
    pub fn of(lang: &Lang) -> &'static Prompts {
        ALL.iter().find(|p| p.language == lang.as_str()).unwrap_or_else(|| Prompts::english())
    }

    #[allow(clippy::expect_used, reason = "a file of this crate, read by every test of it")]
    fn english() -> &'static Prompts {
        ALL.first().expect("the English prompts are read")
    }

    fn read(file: &str) -> Result<Prompts, toml::de::Error> {
        let mut prompts: Prompts = toml::from_str(file)?;
        let mut digest = Hasher::default();
        digest.field(file);
        prompts.digest = digest.short();
        Ok(prompts)
    }

    /// The digest of the texts.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    fn task(&self, kind: Kind) -> &Task {
        match kind {
            Kind::Support => &self.support,
            Kind::Useful => &self.useful,
            Kind::Rubric => &self.rubric,
            Kind::Question => &self.question,
        }
    }

    /// An answer with its question in front, to be judged as one statement: a bare `No.` states nothing alone.
    pub fn with_question(&self, question: &str, answer: &str) -> String {
        format!("{}{question} {answer}", self.said)
    }

    /// Writes a prompt.
    pub fn prompt(&self, parts: &Parts<'_>) -> Prompt {
        let texts =
            parts.sources.iter().copied().chain(parts.statements.iter().map(|(_, t)| *t)).chain([parts.question]);
        let fence = Fence::around(texts);
        let (first, last) = fence.words();
        let fill = |t: &str| t.replace("{mark}", fence.mark()).replace("{first}", first).replace("{last}", last);
        let task = self.task(parts.kind);
        let mut text = format!("{}\n{}\n\n", fill(&task.task), fill(&self.data));
        if !parts.question.is_empty() {
            text.push_str(&fence.data("question", None, parts.question));
        }
        for (i, source) in parts.sources.iter().enumerate() {
            text.push_str(&fence.data("source", Some(i + 1), source));
        }
        for (id, statement) in parts.statements {
            let kind = if parts.kind == Kind::Useful { "expected answer" } else { "statement" };
            text.push_str(&fence.data(kind, Some(*id), statement));
        }
        let again = if parts.again { format!("{}\n", self.again) } else { String::new() };
        let form = form(parts);
        // The task once more: whatever stood in between was data.
        text.push_str(&format!("\n{}\n{again}{}\n{}{form}\n{}", task.task, task.end, self.reply, fill(&self.check)));
        Prompt { text, check: fence.check(), schema: schema(parts) }
    }
}

/// The form of a reply, as the prompt shows it.
fn form(parts: &Parts<'_>) -> String {
    if parts.kind == Kind::Question {
        return r#"{"check": "…", "question": "…", "noncommittal": false}"#.to_owned();
    }
    let verdict = |id: &usize| format!(r#"{{"id": {id}, "quote": "…", "verdict": "yes|no|unclear"}}"#);
    let all: Vec<String> = parts.statements.iter().map(|(id, _)| verdict(id)).collect();
    format!(r#"{{"check": "…", "verdicts": [{}]}}"#, all.join(", "))
}

/// The same as a JSON Schema. The check word is any text: a grammar that writes it would prove nothing.
fn schema(parts: &Parts<'_>) -> Value {
    let object = |properties: Value, required: &[&str]| json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false});
    let text = json!({"type": "string"});
    if parts.kind == Kind::Question {
        let properties = json!({"check": text, "question": text, "noncommittal": {"type": "boolean"}});
        return object(properties, &["check", "question", "noncommittal"]);
    }
    let ids: Vec<usize> = parts.statements.iter().map(|(id, _)| *id).collect();
    let verdict = json!({"type": "string", "enum": ["yes", "no", "unclear"]});
    let properties = json!({"id": {"type": "integer", "enum": ids}, "quote": text, "verdict": verdict});
    let one = object(properties, &["id", "quote", "verdict"]);
    let list = json!({"type": "array", "items": one, "minItems": ids.len(), "maxItems": ids.len()});
    object(json!({"check": text, "verdicts": list}), &["check", "verdicts"])
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use super::*;

    fn lang(code: &str) -> Lang {
        Lang::new(code).unwrap()
    }

    #[test]
    fn every_file_is_read_and_is_of_its_language() {
        for file in FILES {
            Prompts::read(file).unwrap_or_else(|e| panic!("{e}"));
        }
        for code in ["en", "vi", "th", "zh"] {
            assert_eq!(Prompts::of(&lang(code)).language, code);
        }
        assert_eq!(Prompts::of(&lang("de")).language, "en");
    }

    #[test]
    fn the_names_of_the_form_stand_in_every_language() {
        for prompts in ALL.iter() {
            for kind in Kind::ALL {
                let task = prompts.task(kind);
                let names: &[&str] = match kind {
                    Kind::Question => &["\"question\"", "\"noncommittal\"", "true", "false"],
                    Kind::Support | Kind::Useful | Kind::Rubric => {
                        &["\"quote\"", "\"verdict\"", "\"yes\"", "\"no\"", "\"unclear\""]
                    }
                };
                names.iter().for_each(|n| assert!(task.end.contains(n), "{} {kind:?} {n}", prompts.language));
                assert!(task.task.contains("\"source\"") || task.end.contains("\"source\"") || kind == Kind::Useful);
            }
            let holds = |text: &str, names: &[&str]| names.iter().all(|n| text.contains(n));
            assert!(holds(&prompts.data, &["<<<{mark}", "{mark}>>>", "{first}"]), "{}", prompts.language);
            assert!(holds(&prompts.check, &["{last}", "\"check\""]), "{}", prompts.language);
        }
    }

    #[test]
    fn verdicts_are_said_in_every_language_and_in_english_everywhere() {
        for (code, said, verdict) in [
            ("vi", "Có", Some(Verdict::Yes)),
            ("vi", "không", Some(Verdict::No)),
            ("th", "ไม่", Some(Verdict::No)),
            ("th", "ใช่", Some(Verdict::Yes)),
            ("zh", "是", Some(Verdict::Yes)),
            ("zh", "不支持", Some(Verdict::No)),
            ("zh", "YES", Some(Verdict::Yes)),
            ("vi", "Unclear.", Some(Verdict::Unclear)),
            ("en", "idk", Some(Verdict::Unknown)),
            ("en", "yes, mostly", None),
            ("en", "not yes", None),
            ("en", "", None),
        ] {
            assert_eq!(Prompts::of(&lang(code)).words.read(said), verdict, "{code} {said}");
        }
    }

    #[test]
    fn a_prompt_begins_and_ends_with_the_task_and_bears_a_check_word_at_each_end() {
        let (sources, statements) = (["{question} %s {{x}}", "two"], [(3, "a\n\"b\"")]);
        let parts =
            Parts { kind: Kind::Support, question: "", sources: &sources, statements: &statements, again: false };
        for prompts in ALL.iter() {
            let prompt = prompts.prompt(&parts);
            let (first, last) = prompt.check.split_once('-').unwrap();
            let (at_first, at_last) = (prompt.text.find(first).unwrap(), prompt.text.find(last).unwrap());
            let data = prompt.text.find("<<<").unwrap();
            assert!(at_first < prompt.text.find("{question} %s {{x}}").unwrap() && data < at_last);
            assert!(prompt.text.contains(r#""a\n\"b\"""#), "{}", prompt.text);
            assert!(prompt.text.matches(prompts.support.task.as_str()).count() == 2);
            assert!(!prompt.text.contains("{mark}") && !prompt.text.contains("{last}"));
            let again = prompts.prompt(&Parts { again: true, ..parts });
            assert!(again.text.contains(prompts.again.as_str()) && !prompt.text.contains(prompts.again.as_str()));
        }
    }
}
