//! Repositories with two branches to merge, and the table of what two people may do to one baseline.
#![allow(dead_code, clippy::panic, clippy::expect_used, clippy::unwrap_used)]

use crate::project_kit::{Ended, Project, command, end};
use std::collections::BTreeMap;

pub(crate) const BASELINE: &str = "suites/shop.baseline.toml";
pub(crate) const ANSWERS: &str = "suites/shop.accepted.jsonl";
pub(crate) const IDS: [&str; 6] = ["q1", "q2", "q3", "q4", "q5", "q6"];

/// What one branch holds of a question: its block behind `expects`, and its answer.
pub(crate) type Block = (&'static str, &'static str);
/// What is left of a question: its block behind `expects` and its answer, or nothing.
pub(crate) type After = Option<(&'static str, Option<&'static str>)>;
pub(crate) type State = BTreeMap<&'static str, Block>;

pub(crate) const PASS: Block = ("facts = \"pass\"\n", "red");
pub(crate) const PASS_ANEW: Block = ("facts = \"pass\"\n", "crimson red");
pub(crate) const PASS_TOO: Block = ("facts = \"pass\"\n", "dark red");
pub(crate) const FAIL: Block = ("facts = \"fail\"\nreason = \"paint\"\n", "blue");
pub(crate) const FAIL_OTHER: Block = ("facts = \"fail\"\nreason = \"lamp\"\nowner = \"cskh\"\n", "green");
pub(crate) const FAIL_MARCH: Block = ("facts = \"fail\"\nreason = \"paint\"\nuntil = \"2999-03-31\"\n", "blue");
pub(crate) const FAIL_MAY: Block = ("facts = \"fail\"\nreason = \"later\"\nuntil = \"2999-05-31\"\n", "blue");
pub(crate) const FLAKY: Block =
    ("facts = \"pass\"\nreason = \"varies\"\nstability = \"flaky\"\nfloor = \"7/10\"\n", "red or blue");
pub(crate) const FLAKY_LESS: Block =
    ("facts = \"pass\"\nreason = \"varies a lot\"\nstability = \"flaky\"\nfloor = \"1/2\"\n", "blue or red");
pub(crate) const RETRIEVAL_FAILS: Block =
    ("retrieval = \"fail\"\nfacts = \"pass\"\nreason = \"index\"\n", "red at last");
pub(crate) const FACTS_FAIL: Block = ("retrieval = \"pass\"\nfacts = \"fail\"\nreason = \"paint\"\n", "blue");

/// A repository with a suite of six questions.
pub(crate) struct Repository {
    pub(crate) project: Project,
}

impl Repository {
    pub(crate) fn new() -> Self {
        let project = Project::new();
        let question = |id: &&str| format!("  - id: {id}\n    question: What does {id} say?\n    facts: [red]\n");
        let questions: String = IDS.iter().map(question).collect();
        project
            .write("suites/shop.yaml", &format!("version: 1\nlanguage: en\ntarget: answers\nquestions:\n{questions}"));
        let repository = Repository { project };
        repository.git(&["init", "-q", "-b", "main"]);
        for (key, value) in [
            ("user.name", "t"),
            ("user.email", "t@example.org"),
            ("core.autocrlf", "false"),
            ("merge.conflictStyle", "merge"),
        ] {
            repository.git(&["config", key, value]);
        }
        repository
    }

    #[track_caller]
    pub(crate) fn git(&self, args: &[&str]) -> Ended {
        let ended = self.try_git(args);
        assert_eq!(ended.code, 0, "git {args:?}: {}", ended.both());
        ended
    }

    pub(crate) fn try_git(&self, args: &[&str]) -> Ended {
        let mut c = command("git");
        c.arg("-C").arg(self.project.path()).args(args);
        c.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        end(&mut c)
    }

    pub(crate) fn write(&self, state: &State, measure: &str) {
        let mut toml = format!(
            "# Written by `ragline accept`. Review it like code.\n[baseline]\nversion = 1\nmeasure = \"{measure}\"\n"
        );
        let mut jsonl =
            "{\"version\":1,\"kind\":\"responses\",\"suite\":\"shop\",\"subject\":\"s1\",\"target\":\"answers\"}\n"
                .to_owned();
        for (id, (block, answer)) in state {
            let expects =
                if IDS.contains(id) { self.project.fill(&format!("{{expects:{id}}}")) } else { "00000000".to_owned() };
            toml += &format!("\n# What does {id} say?\n[question.\"{id}\"]\nexpects = \"{expects}\"\n{block}");
            jsonl += &format!("{{\"id\":\"{id}\",\"answer\":\"It is {answer}.\",\"contexts\":[]}}\n");
        }
        self.project.write(BASELINE, &toml);
        self.project.write(ANSWERS, &jsonl);
    }

    pub(crate) fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", message]);
    }

    /// Merges two branches; whether the baseline and the answers are in conflict.
    pub(crate) fn merge(&self) -> (bool, bool) {
        self.try_git(&["merge", "-q", "--no-edit", "theirs"]);
        let unmerged = self.git(&["ls-files", "-u"]).out;
        (unmerged.contains(BASELINE), unmerged.contains(ANSWERS))
    }

    /// Each block, behind `expects`, and each answer.
    pub(crate) fn state(&self) -> BTreeMap<String, (String, Option<String>)> {
        let mut found = BTreeMap::new();
        for block in self.project.read(BASELINE).split("\n[question.\"").skip(1) {
            let (id, rest) = block.split_once("\"]\n").unwrap();
            let rest = rest.split("\n#").next().unwrap().lines().filter(|l| !l.starts_with("expects") && !l.is_empty());
            found.insert(id.to_owned(), (rest.map(|l| format!("{l}\n")).collect::<String>(), None));
        }
        for line in self.project.read(ANSWERS).lines().skip(1) {
            let v: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"));
            let text = v["answer"].as_str().unwrap().trim_start_matches("It is ").trim_end_matches('.').to_owned();
            found.entry(v["id"].as_str().unwrap().to_owned()).or_default().1 = Some(text);
        }
        found
    }

    /// What is left is in order, fits the suite and can be run.
    #[track_caller]
    pub(crate) fn is_sound(&self, what: &str, gone: bool) {
        let ended = self.project.run(&["baseline", "check"]);
        let orders: Vec<&str> =
            ended.err.lines().filter(|l| l.contains("error[") && !l.contains("baseline-gone")).collect();
        assert!(orders.is_empty(), "{what}: {}", ended.both());
        assert_eq!(ended.code, if gone { 2 } else { 0 }, "{what}: {}", ended.both());
    }
}

/// A row of the table: what both branches come from, what each does, whether git has a conflict in the baseline and in the
/// answers, and which blocks differ from those of the base afterwards (no block: left out or removed), with the words that are
/// said of them.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) base: &'static [(&'static str, Option<Block>)],
    pub(crate) ours: &'static [(&'static str, Option<Block>)],
    pub(crate) theirs: &'static [(&'static str, Option<Block>)],
    pub(crate) conflict: (bool, bool),
    pub(crate) after: &'static [(&'static str, After)],
    pub(crate) says: &'static [&'static str],
}

/// The block and the answer of a side.
pub(crate) const fn whole(b: Block) -> After {
    Some((b.0, Some(b.1)))
}

pub(crate) const ROWS: [Row; 17] = [
    Row {
        name: "accept different questions, far apart",
        base: &[],
        ours: &[("q1", Some(FAIL))],
        theirs: &[("q6", Some(FAIL_OTHER))],
        conflict: (false, false),
        after: &[("q1", whole(FAIL)), ("q6", whole(FAIL_OTHER))],
        says: &[],
    },
    Row {
        name: "accept neighbours",
        base: &[],
        ours: &[("q3", Some(FAIL))],
        theirs: &[("q4", Some(FAIL_OTHER))],
        conflict: (false, true),
        after: &[("q3", whole(FAIL)), ("q4", whole(FAIL_OTHER))],
        says: &["0 changed on both sides"],
    },
    Row {
        name: "add neighbours",
        base: &[("q3", None), ("q4", None)],
        ours: &[("q3", Some(PASS_ANEW))],
        theirs: &[("q4", Some(FAIL))],
        conflict: (true, true),
        after: &[("q3", whole(PASS_ANEW)), ("q4", whole(FAIL))],
        says: &["0 changed on both sides"],
    },
    Row {
        name: "the same question, pass and fail",
        base: &[("q3", Some(FAIL))],
        ours: &[("q3", Some(PASS_ANEW))],
        theirs: &[("q3", Some(FAIL_OTHER))],
        conflict: (true, true),
        after: &[("q3", whole(PASS_ANEW))],
        says: &["q3  facts: pass (ours) over fail (theirs)"],
    },
    Row {
        name: "the same question, accepted in the same way",
        base: &[],
        ours: &[("q3", Some(FAIL))],
        theirs: &[("q3", Some(FAIL))],
        conflict: (false, false),
        after: &[("q3", whole(FAIL))],
        says: &[],
    },
    Row {
        name: "the same failure for different reasons",
        base: &[],
        ours: &[("q3", Some(FAIL))],
        theirs: &[("q3", Some(FAIL_OTHER))],
        conflict: (true, true),
        after: &[("q3", whole(FAIL))],
        says: &["q3  reason, owner and issue of ours"],
    },
    Row {
        name: "each fails in another layer",
        base: &[],
        ours: &[("q3", Some(RETRIEVAL_FAILS))],
        theirs: &[("q3", Some(FACTS_FAIL))],
        conflict: (true, true),
        after: &[("q3", Some(("retrieval = \"pass\"\nfacts = \"pass\"\n", None)))],
        says: &["retrieval: pass (theirs) over fail (ours); facts: pass (ours) over fail (theirs)", "none kept"],
    },
    Row {
        name: "`until` moved on both sides",
        base: &[("q3", Some(FAIL))],
        ours: &[("q3", Some(FAIL_MAY))],
        theirs: &[("q3", Some(FAIL_MARCH))],
        conflict: (true, false),
        after: &[("q3", Some((FAIL_MARCH.0, Some("blue"))))],
        says: &["until 2999-03-31, the earlier day; reason, owner and issue of theirs"],
    },
    Row {
        name: "flaky against pass",
        base: &[("q3", Some(FAIL))],
        ours: &[("q3", Some(FLAKY))],
        theirs: &[("q3", Some(PASS_ANEW))],
        conflict: (true, true),
        after: &[("q3", whole(PASS_ANEW))],
        says: &["facts: pass (theirs) over flaky (ours)"],
    },
    Row {
        name: "flaky against fail",
        base: &[],
        ours: &[("q3", Some(FAIL))],
        theirs: &[("q3", Some(FLAKY))],
        conflict: (true, true),
        after: &[("q3", whole(FLAKY))],
        says: &["facts: flaky (theirs) over fail (ours)"],
    },
    Row {
        name: "flaky against fail with a last day",
        base: &[],
        ours: &[("q3", Some(FAIL_MAY))],
        theirs: &[("q3", Some(FLAKY))],
        conflict: (true, true),
        after: &[("q3", None)],
        says: &["left out, accept it as new"],
    },
    Row {
        name: "flaky with different floors",
        base: &[],
        ours: &[("q3", Some(FLAKY_LESS))],
        theirs: &[("q3", Some(FLAKY))],
        conflict: (true, true),
        after: &[("q3", whole(FLAKY))],
        says: &["floor 7/10, the higher one"],
    },
    Row {
        name: "one removes it, one edits it",
        base: &[],
        ours: &[("q3", None)],
        theirs: &[("q3", Some(FAIL))],
        conflict: (true, true),
        after: &[("q3", Some(("", Some("blue"))))],
        says: &["theirs changed it, ours removed it: it stays; the failures that it accepted are not"],
    },
    Row {
        name: "one removes it, one leaves it and edits its neighbour",
        base: &[],
        ours: &[("q3", None)],
        theirs: &[("q4", Some(FAIL))],
        conflict: (false, true),
        after: &[("q3", None), ("q4", whole(FAIL))],
        says: &["0 changed on both sides"],
    },
    Row {
        name: "one renames it, one takes up another answer",
        base: &[],
        ours: &[("q3", None), ("q7", Some(PASS))],
        theirs: &[("q3", Some(PASS_ANEW))],
        // The answer is taken up; the block is as it was, so only the answers are at odds.
        conflict: (false, true),
        after: &[("q3", None), ("q7", whole(PASS))],
        says: &[],
    },
    Row {
        name: "both add the same id",
        base: &[("q3", None)],
        ours: &[("q3", Some(FAIL))],
        theirs: &[("q3", Some(PASS))],
        conflict: (true, true),
        after: &[("q3", whole(PASS))],
        says: &["facts: pass (theirs) over fail (ours)"],
    },
    Row {
        name: "both take up another answer with the same outcome",
        base: &[],
        ours: &[("q3", Some(PASS_ANEW))],
        theirs: &[("q3", Some(PASS_TOO))],
        conflict: (false, true),
        after: &[("q3", whole(PASS_ANEW))],
        says: &["ours kept"],
    },
];

pub(crate) fn edited(state: &State, edits: &[(&'static str, Option<Block>)]) -> State {
    let mut state = state.clone();
    for (id, block) in edits {
        match block {
            Some(b) => drop(state.insert(id, *b)),
            None => drop(state.remove(id)),
        }
    }
    state
}

pub(crate) fn every_pass() -> State {
    IDS.into_iter().map(|id| (id, PASS)).collect()
}
