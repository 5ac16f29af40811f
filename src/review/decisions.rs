//! `ragline-decisions`, version 1: what a reviewer decided of questions, as the HTML report saves it.
//!
//! One JSON object: `version`, `kind`, the `run` that was looked at, and `decisions`. A decision names its question, and by
//! digests what was looked at: what the question expects, and the answer. Where one of them is another by now, the decision
//! is about something else.

use crate::layer::LayerId;
use crate::problem::{Place, Problem, Problems, near, read_source};
use crate::suite::QuestionId;
use crate::target::response::plain_message;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::path::Path;

/// The version of the format.
pub const VERSION: u64 = 1;

/// The kind of the format.
pub const KIND: &str = "ragline-decisions";

/// The names of what can be decided, as files write them.
pub const NAMES: [&str; 3] = ["accept", "keep", "check_wrong"];

/// A file of decisions.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decisions {
    /// The id of the run that was looked at.
    pub run: Option<String>,
    /// The decisions, in file order; of a question there is one at most.
    pub all: Vec<Decision>,
}

/// What was decided of one question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The suite.
    pub suite: String,
    /// The question's id.
    pub id: QuestionId,
    /// What was decided.
    pub said: Said,
    /// Who decided.
    pub who: Option<String>,
    /// The digest of what the question expected.
    pub expects: Option<String>,
    /// The digest of the answer that was looked at, as labels name it ([`crate::labels::digest_of`]).
    pub answer: Option<String>,
}

/// What can be decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Said {
    /// The new answer is right: it is to be accepted.
    Accept {
        /// Why, where it was said.
        reason: Option<String>,
    },
    /// What was accepted stays right: the question stays as it is.
    Keep {
        /// Why, where it was said.
        reason: Option<String>,
    },
    /// A layer judges the answer wrongly: a label is to say so.
    CheckWrong {
        /// The layer.
        layer: LayerId,
        /// Why.
        reason: String,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u64,
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    decisions: Vec<Entry>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    suite: String,
    id: String,
    decision: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    layer: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    who: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    expects: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    answer: Option<String>,
}

/// Reads a file of decisions; `shown` is the path that messages use.
///
/// # Errors
/// When it cannot be read, and as for [`parse`].
pub fn read(path: &Path, shown: &str) -> Result<Decisions, Problems> {
    parse(&read_source(path, shown)?.text, shown)
}

/// Reads the text of such a file.
///
/// # Errors
/// When it is no JSON of this form, of another kind or version, or holds a decision that says nothing that could be carried out;
/// every such decision is named.
pub fn parse(text: &str, shown: &str) -> Result<Decisions, Problems> {
    let fault = |line: usize, column: usize, title: String| {
        let at = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let place = Place { file: shown.into(), line: at(line), column: at(column) };
        Problem::error("decisions-file", place, title)
            .help("save the decisions again from the HTML report; `ragline schema decisions` says what a file holds")
    };
    let file: File = serde_json::from_str(text).map_err(|e| {
        Problems::from(fault(e.line(), e.column(), format!("no file of decisions: {}", plain_message(&e))))
    })?;
    if file.kind != KIND || file.version != VERSION {
        let title =
            format!("version {} of kind `{}`, expected version {VERSION} of kind `{KIND}`", file.version, file.kind);
        return Err(fault(0, 0, title).into());
    }
    let (mut all, mut problems) = (Vec::with_capacity(file.decisions.len()), Vec::new());
    let mut seen = HashSet::new();
    for (entry, n) in file.decisions.into_iter().zip(1_usize..) {
        let name = format!("{}::{}", entry.suite, entry.id);
        match decision(entry) {
            Ok(d) if seen.insert(name.clone()) => all.push(d),
            Ok(_) => problems.push(fault(0, 0, format!("decision {n}: {name} is decided twice"))),
            Err(why) => problems.push(fault(0, 0, format!("decision {n}, of {name}: {why}"))),
        }
    }
    if problems.is_empty() { Ok(Decisions { run: file.run, all }) } else { Err(Problems(problems)) }
}

fn decision(entry: Entry) -> Result<Decision, String> {
    let id = QuestionId::new(&entry.id).ok_or("`id` is no id of a question")?;
    if entry.suite.trim().is_empty() {
        return Err("`suite` is empty".to_owned());
    }
    let text = |text: Option<String>| text.filter(|t| !t.trim().is_empty());
    let reason = text(entry.reason);
    let said = match (entry.decision.as_str(), entry.layer) {
        ("accept", None) => Said::Accept { reason },
        ("keep", None) => Said::Keep { reason },
        ("check_wrong", Some(layer)) => Said::CheckWrong {
            layer: layer_of(&layer)?,
            reason: reason.ok_or("`reason` is missing: why is the check wrong?")?,
        },
        ("check_wrong", None) => return Err("`layer` is missing: which layer's check is wrong?".to_owned()),
        ("accept" | "keep", Some(_)) => {
            return Err(format!("`layer` says nothing beside `{}`: it is for `check_wrong`", entry.decision));
        }
        (other, _) => {
            let near = near::or_near(other, NAMES);
            return Err(format!("`decision` is `{other}`, expected one of {}{near}", NAMES.join(", ")));
        }
    };
    Ok(Decision {
        suite: entry.suite,
        id,
        said,
        who: text(entry.who),
        expects: text(entry.expects),
        answer: text(entry.answer),
    })
}

fn layer_of(name: &str) -> Result<LayerId, String> {
    LayerId::parse(name).ok_or_else(|| {
        let known = LayerId::ALL.map(LayerId::name);
        format!("`layer` is `{name}`, expected one of {}{}", known.join(", "), near::or_near(name, known))
    })
}

impl Decisions {
    /// The text of the file, indented, with a line break at its end.
    pub fn text(&self) -> String {
        let entry = |d: &Decision| {
            let (decision, layer, reason) = match &d.said {
                Said::Accept { reason } => ("accept", None, reason.clone()),
                Said::Keep { reason } => ("keep", None, reason.clone()),
                Said::CheckWrong { layer, reason } => ("check_wrong", Some(layer.to_string()), Some(reason.clone())),
            };
            Entry {
                suite: d.suite.clone(),
                id: d.id.to_string(),
                decision: decision.to_owned(),
                layer,
                reason,
                who: d.who.clone(),
                expects: d.expects.clone(),
                answer: d.answer.clone(),
            }
        };
        let file = File {
            version: VERSION,
            kind: KIND.to_owned(),
            run: self.run.clone(),
            decisions: self.all.iter().map(entry).collect(),
        };
        // Texts and numbers alone: nothing that could fail.
        serde_json::to_string_pretty(&file).unwrap_or_default() + "\n"
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test may")]
    use super::*;
    use proptest::prelude::*;

    fn file(entries: &str) -> String {
        format!(r#"{{"version":1,"kind":"ragline-decisions","run":"r1","decisions":[{entries}]}}"#)
    }

    fn titles(text: &str) -> Vec<String> {
        parse(text, "d.json").unwrap_err().0.into_iter().map(|p| p.title).collect()
    }

    #[test]
    fn each_decision_is_read() {
        let read = parse(
            &file(
                r#"{"suite":"shop-vi","id":"q14","decision":"accept","reason":"the shop changed it","who":"Lan","expects":"3f9a1c20","answer":"0011223344556677"},
                   {"suite":"shop-vi","id":"q15","decision":"keep"},
                   {"suite":"shop-th","id":"q14","decision":"check_wrong","layer":"facts","reason":" ๗ วัน is 7 days "}"#,
            ),
            "d.json",
        )
        .unwrap();
        assert_eq!(read.run.as_deref(), Some("r1"));
        let [a, b, c] = &read.all[..] else { unreachable!() };
        assert_eq!((a.suite.as_str(), a.id.as_str(), a.who.as_deref()), ("shop-vi", "q14", Some("Lan")));
        assert_eq!(a.said, Said::Accept { reason: Some("the shop changed it".into()) });
        assert_eq!((a.expects.as_deref(), a.answer.as_deref()), (Some("3f9a1c20"), Some("0011223344556677")));
        assert_eq!((&b.said, &b.who), (&Said::Keep { reason: None }, &None));
        assert_eq!(c.said, Said::CheckWrong { layer: LayerId::Facts, reason: " ๗ วัน is 7 days ".into() });
    }

    #[test]
    fn what_cannot_be_carried_out_is_named() {
        let entries = r#"{"suite":"a","id":"q1","decision":"acept"},
            {"suite":"a","id":"q2","decision":"check_wrong","reason":"x"},
            {"suite":"a","id":"q3","decision":"check_wrong","layer":"fact","reason":"x"},
            {"suite":"a","id":"q4","decision":"check_wrong","layer":"facts","reason":"  "},
            {"suite":"a","id":"q5","decision":"keep","layer":"facts"},
            {"suite":"a","id":"q6","decision":"keep"},{"suite":"a","id":"q6","decision":"accept"},
            {"suite":" ","id":"q7","decision":"keep"},
            {"suite":"a","id":"a b","decision":"keep"}"#;
        let found = titles(&file(entries));
        let starts = [
            "decision 1, of a::q1: `decision` is `acept`, expected one of accept, keep, check_wrong",
            "decision 2, of a::q2: `layer` is missing",
            "decision 3, of a::q3: `layer` is `fact`, expected one of retrieval, facts",
            "decision 4, of a::q4: `reason` is missing",
            "decision 5, of a::q5: `layer` says nothing beside `keep`",
            "decision 7: a::q6 is decided twice",
            "decision 8, of  ::q7: `suite` is empty",
            "decision 9, of a::a b: `id`",
        ];
        assert_eq!(found.len(), starts.len(), "{found:#?}");
        for (title, start) in found.iter().zip(starts) {
            assert!(title.starts_with(start), "{title}");
        }
    }

    #[test]
    fn another_file_is_refused() {
        for (text, part) in [
            ("", "no file of decisions"),
            ("[]", "no file of decisions"),
            (r#"{"version":2,"kind":"ragline-decisions","decisions":[]}"#, "version 2"),
            (r#"{"version":1,"kind":"labels","decisions":[]}"#, "kind `labels`"),
            (r#"{"version":1,"version":1,"kind":"ragline-decisions","decisions":[]}"#, "duplicate"),
            (r#"{"version":1,"kind":"ragline-decisions","decisions":[],"extra":1}"#, "extra"),
            (r#"{"version":1,"kind":"ragline-decisions","decisions":[{"suite":"a","id":"q"}]}"#, "decision"),
        ] {
            assert!(titles(text)[0].contains(part), "{text}: {:?}", titles(text));
        }
        let at = parse("{\n  \"version\": x}", "d.json").unwrap_err().0[0].place.clone();
        assert_eq!((at.line, at.column), (2, 14));
    }

    fn some() -> impl Strategy<Value = Decision> {
        let text = || proptest::option::of("[a-z<>\"\\\\ ]{0,8}[a-zày7\u{202e}]");
        let said = prop_oneof![
            text().prop_map(|reason| Said::Accept { reason }),
            text().prop_map(|reason| Said::Keep { reason }),
            (0_usize..5, "[a-z]{1,9}").prop_map(|(n, reason)| Said::CheckWrong { layer: LayerId::ALL[n], reason }),
        ];
        let head = ("[a-z]{1,9}", "[A-Za-z0-9][A-Za-z0-9._-]{0,9}", said);
        (head, text(), text(), text()).prop_map(|((suite, id, said), who, expects, answer)| Decision {
            suite,
            id: QuestionId::new(&id).unwrap(),
            said,
            who,
            expects,
            answer,
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn what_is_written_reads_back(mut all in proptest::collection::vec(some(), 0..9)) {
            let mut seen = HashSet::new();
            all.retain(|d| seen.insert((d.suite.clone(), d.id.clone())));
            let decisions = Decisions { run: Some("r".into()), all };
            prop_assert_eq!(parse(&decisions.text(), "d.json").ok(), Some(decisions));
        }

        #[test]
        fn no_text_makes_it_panic(text in any::<String>()) {
            let _ = parse(&text, "d.json");
            let _ = parse(&file(&text), "d.json");
        }
    }
}
