//! Throw-away projects for the tests that run the real binaries.
#![allow(dead_code, clippy::panic, clippy::expect_used, clippy::unwrap_used)]

use ragline::core::measure;
use ragline::layer::refusal::Own;
use ragline::suite::digest::expects;
use ragline::suite::load;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// The suite and target of a project that says nothing else.
pub(crate) const RAGLINE: &str = r#"version = 1
[targets.answers]
kind = "recorded"
file = "answers.jsonl"
provides = ["answer", "contexts"]
"#;

/// A project in a folder of its own, removed when dropped.
pub(crate) struct Project {
    dir: TempDir,
}

/// How a process ended.
pub(crate) struct Ended {
    /// Its exit code; -1 when a signal ended it.
    pub(crate) code: i32,
    /// Its standard output.
    pub(crate) out: String,
    /// Its standard error.
    pub(crate) err: String,
}

impl Ended {
    /// Both streams, for messages.
    pub(crate) fn both(&self) -> String {
        format!("exit {}\n--- out\n{}\n--- err\n{}", self.code, self.out, self.err)
    }
}

impl From<Output> for Ended {
    fn from(o: Output) -> Self {
        Ended {
            code: o.status.code().unwrap_or(-1),
            out: String::from_utf8_lossy(&o.stdout).into_owned(),
            err: String::from_utf8_lossy(&o.stderr).into_owned(),
        }
    }
}

/// A command that sees neither our own variables nor those of the CI job or test runner around this test.
pub(crate) fn command(program: impl AsRef<Path>) -> Command {
    let mut command = Command::new(program.as_ref());
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let server = ["CI", "GITLAB_CI", "JENKINS_URL", "TF_BUILD", "BUILDKITE", "CIRCLECI"].contains(&&*text);
        if server || ["RAGLINE_", "NEXTEST", "GITHUB_"].iter().any(|p| text.starts_with(p)) {
            command.env_remove(&name);
        }
    }
    command.stdin(Stdio::null());
    command
}

/// Runs a command to its end.
pub(crate) fn end(command: &mut Command) -> Ended {
    command.output().unwrap_or_else(|e| panic!("{command:?}: {e}")).into()
}

impl Project {
    /// A project with the usual `ragline.toml` and nothing else.
    pub(crate) fn new() -> Self {
        let project = Project { dir: tempfile::tempdir().expect("a folder for the project") };
        project.write("ragline.toml", RAGLINE);
        project
    }

    /// Its folder.
    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    /// Writes a file of the project.
    pub(crate) fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("the folder of a file");
        fs::write(&path, text).expect("a file of the project");
        path
    }

    /// The text of a file of the project; empty when there is none.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap_or_default()
    }

    /// Replaces `{expects:ID}` by what the question of the suite expects, `{measure}` by the measure of this program for
    /// the suite's language, and `{dir}` by the project's folder.
    pub(crate) fn fill(&self, text: &str) -> String {
        let mut text = text.replace("{dir}", &self.path().to_string_lossy());
        if !text.contains("{measure}") && !text.contains("{expects:") {
            return text;
        }
        let path = self.path().join("suites/shop.yaml");
        let suite = match load::load(&path, "suites/shop.yaml") {
            Ok((suite, _)) => suite,
            Err(p) => panic!("{p:?}"),
        };
        text = text.replace("{measure}", &measure::of(&suite.language, &Own::default()));
        for q in &suite.questions {
            text = text.replace(&format!("{{expects:{}}}", q.id), &expects(q, suite.top_k));
        }
        assert!(!text.contains("{expects:"), "no such question: {text}");
        text
    }

    /// `ragline` in this project.
    pub(crate) fn ragline(&self, args: &[&str]) -> Command {
        let mut c = command(env!("CARGO_BIN_EXE_ragline"));
        c.current_dir(self.path()).args(args);
        c
    }

    /// Runs `ragline` in this project.
    pub(crate) fn run(&self, args: &[&str]) -> Ended {
        end(&mut self.ragline(args))
    }

    /// The lines of a results file, by question.
    pub(crate) fn results(&self, name: &str) -> BTreeMap<String, Value> {
        self.read(name)
            .lines()
            .skip(1)
            .map(|l| serde_json::from_str::<Value>(l).expect("a line of results"))
            .map(|v| (v["id"].as_str().expect("an id").to_owned(), v))
            .collect()
    }
}

/// The built harness, up to date.
pub(crate) fn rag_suite() -> &'static Path {
    static PATH: OnceLock<PathBuf> = OnceLock::new();
    PATH.get_or_init(|| {
        let mut build = cargo();
        build.args(["test", "--test", "rag_suite", "--no-run", "--message-format", "json"]);
        at_home(&mut build);
        let ended = end(&mut build);
        assert_eq!(ended.code, 0, "{}", ended.both());
        let found = ended.out.lines().filter_map(|l| serde_json::from_str::<Value>(l).ok()).find_map(|v| {
            let ours = v["target"]["name"] == "rag_suite" && v["profile"]["test"] == true;
            v["executable"].as_str().filter(|_| ours).map(PathBuf::from)
        });
        found.unwrap_or_else(|| panic!("cargo names no rag_suite\n{}", ended.both()))
    })
}

pub(crate) fn cargo() -> Command {
    let mut c = command(std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from));
    c.current_dir(env!("CARGO_MANIFEST_DIR"));
    c
}

/// The target folder, profile and platform that this test itself was built with, so that nothing is built twice.
pub(crate) fn at_home(command: &mut Command) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
    command.arg("--locked").arg("--target-dir").arg(target);
    let built = Path::new(env!("CARGO_BIN_EXE_ragline")).parent().expect("the profile's folder");
    let parts: Vec<String> = built
        .strip_prefix(target)
        .map(|p| p.iter().map(|s| s.to_string_lossy().into_owned()).collect())
        .unwrap_or_default();
    if let [platform, _] = parts.as_slice() {
        command.args(["--target", platform]);
    }
    let nextest = command.get_args().any(|a| a == "nextest");
    match parts.last().map(String::as_str) {
        None | Some("debug") => {}
        Some("release") => {
            command.arg("--release");
        }
        // nextest has profiles of its own.
        Some(other) => {
            command.args([if nextest { "--cargo-profile" } else { "--profile" }, other]);
        }
    }
}

/// `test NAME ... ok|FAILED|ignored`, by name.
pub(crate) fn lines_of_cargo_test(text: &str) -> BTreeMap<String, String> {
    text.lines()
        .filter_map(|l| l.strip_prefix("test ")?.rsplit_once(" ... "))
        .filter(|(name, _)| !name.starts_with("result:"))
        .map(|(name, shown)| (name.trim().to_owned(), shown.trim().to_owned()))
        .collect()
}

pub(crate) fn listed_names(text: &str) -> BTreeSet<String> {
    text.lines().filter_map(|l| l.strip_suffix(": test")).map(str::to_owned).collect()
}
