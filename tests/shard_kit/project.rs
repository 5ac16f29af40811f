//! Projects whose questions come out in every way, and the comparison of two runs of them.

use super::{Said, checkout, run, said};
use crate::binary_kit::Folder;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt::Write as _;

pub(crate) const RAGLINE: &str = r#"version = 1
[targets.answers]
kind = "recorded"
file = "answers.jsonl"
provides = ["answer", "contexts"]
[targets.other]
kind = "recorded"
file = "other.jsonl"
provides = ["answer", "contexts"]
[profile.some]
select = ["all"]
[privacy]
mask = ["phone"]
"#;

/// Two suites of a project, of so many questions in all: most pass, and of each way not to pass there are some.
pub(crate) struct Project {
    pub(crate) folder: Folder,
}

impl Project {
    pub(crate) fn new(questions: usize) -> Project {
        let folder = Folder::new();
        folder.write("ragline.toml", RAGLINE.as_bytes());
        let (mut answers, mut corpus) = (String::new(), "# Terms\n\n".to_owned());
        for (suite, n) in [("shop", questions - questions / 4), ("desk", questions / 4)] {
            let mut text = format!(
                "version: 1\nsuite: {suite}\nlanguage: en\ntarget: answers\ncorpus: ../docs\ntop_k: 3\nquestions:\n"
            );
            for i in 0..n {
                let severity = if i % 50 == 7 {
                    "critical"
                } else if i % 50 == 8 {
                    "minor"
                } else {
                    "normal"
                };
                let _ = write!(
                    text,
                    "  - id: q{i:04}\n    question: How long does warranty {suite} {i} last?\n    facts: [\"{i} days\"]\n    \
                     evidence: [{{ doc: terms.md, span: \"Warranty {suite} {i} lasts {i} days.\" }}]\n    \
                     severity: {severity}\n    tags: [t{}]\n",
                    i % 3
                );
                if i % 60 == 59 {
                    text.push_str("    draft: true\n");
                }
                if i % 61 == 60 {
                    text.push_str("    layers: { numbers: warn }\n");
                }
                let _ = writeln!(corpus, "Warranty {suite} {i} lasts {i} days.\n");
                answers += &Project::answer(suite, i, i);
            }
            folder.write(&format!("suites/{suite}.yaml"), text.as_bytes());
        }
        folder.write("docs/terms.md", corpus.as_bytes());
        folder.write("answers.jsonl", answers.as_bytes());
        folder.write("other.jsonl", answers.replace("lasts", "will last").as_bytes());
        Project { folder }
    }

    fn answer(suite: &str, i: usize, days: usize) -> String {
        let phone = format!("Call us at 0912 345 {:03}.", i % 1000);
        let passage = json!({"doc": "terms.md", "text": format!("Warranty {suite} {i} lasts {i} days. {phone}")});
        let answer = format!("It lasts {days} days. {phone}");
        json!({"suite": suite, "id": format!("q{i:04}"), "answer": answer, "contexts": [passage]}).to_string() + "\n"
    }

    /// Accepts everything as it is, and breaks some of it afterwards.
    pub(crate) fn accepted(self) -> Project {
        run(&self.folder, &["run"], &[]).exits(2);
        run(&self.folder, &["accept", "--first", "--reason", "as it is"], &[]).exits(0);
        std::fs::remove_dir_all(self.folder.path().join(".ragline")).unwrap();
        self
    }

    pub(crate) fn broken(self) -> Project {
        let answers = self.folder.read("answers.jsonl");
        let mut now = String::new();
        for (n, line) in answers.lines().enumerate() {
            match n % 40 {
                // Another number, no answer, a refusal, passages that another question names, nothing at all.
                3 => now += &line.replace(" days. Call", " weeks, or 99999. Call"),
                5 => now += r#"{"suite":"shop","id":"q0005","error":"no, ask 0912 345 678"}"#,
                9 => now += &line.replace("It lasts", "Sorry, I do not know. It lasted"),
                13 => now += &line.replace("Warranty", "Guarantee"),
                17 => continue,
                _ => now += line,
            }
            now.push('\n');
        }
        let mut seen = BTreeSet::new();
        let unique: Vec<&str> = now
            .lines()
            .filter(|l| {
                let v: serde_json::Value = serde_json::from_str(l).unwrap();
                seen.insert((v["suite"].to_string(), v["id"].to_string()))
            })
            .collect();
        self.folder.write("answers.jsonl", (unique.join("\n") + "\n").as_bytes());
        // A question that is in the baseline and not in the suite, and one whose expectations were edited.
        let suite = self.folder.read("suites/desk.yaml");
        let at = suite.find("  - id: q0001\n").unwrap();
        let end = suite.find("  - id: q0002\n").unwrap();
        let suite = format!("{}{}", suite.split_at(at).0, suite.split_at(end).1)
            .replace("facts: [\"4 days\"]", "facts: [\"5 days\"]");
        self.folder.write("suites/desk.yaml", suite.as_bytes());
        self
    }

    pub(crate) fn policy(self, text: &str) -> Project {
        self.folder.write("thresholds.toml", format!("version = 1\n{text}").as_bytes());
        self
    }

    /// A single run of a checkout.
    pub(crate) fn single(&self, words: &[&str]) -> Said {
        let args: Vec<&str> = ["run", "--today", "2026-12-01"].into_iter().chain(words.iter().copied()).collect();
        said(&checkout(&self.folder), &args)
    }
}

/// A small project, for what is refused.
pub(crate) fn small() -> Project {
    Project::new(24).accepted()
}

#[track_caller]
pub(crate) fn same(single: &Said, merged: &Said) {
    assert_eq!(single.exit, merged.exit, "{}", merged.terminal);
    // Where they differ the whole would fill the screen.
    for (what, a, b) in [
        ("results", &single.results, &merged.results),
        ("junit", &single.junit, &merged.junit),
        ("markdown", &single.markdown, &merged.markdown),
        ("terminal", &single.terminal, &merged.terminal),
    ] {
        let at = a.lines().zip(b.lines()).find(|(a, b)| a != b);
        assert!(a == b, "{what}: {at:?}, {} and {} lines", a.lines().count(), b.lines().count());
    }
}
