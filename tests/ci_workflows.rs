//! The workflows that a user copies, and those of this repository: no secret and no right to write meets code that nobody has
//! reviewed, and nothing that an event holds becomes part of a shell line.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

use serde_json::Value;
use std::path::{Path, PathBuf};

/// A workflow, or the action, with its name.
struct File {
    name: String,
    text: String,
    yaml: Value,
}

fn read(path: &Path) -> File {
    let text = std::fs::read_to_string(path).unwrap();
    let yaml = serde_yaml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    File { name: path.file_name().unwrap().to_str().unwrap().to_owned(), text, yaml }
}

fn workflows() -> Vec<File> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<PathBuf> = ["docs/ci/github", ".github/workflows"]
        .iter()
        .flat_map(|f| std::fs::read_dir(root.join(f)).unwrap().map(|e| e.unwrap().path()))
        .collect();
    paths.sort();
    assert!(paths.len() >= 7, "{paths:?}");
    paths.iter().map(|p| read(p)).collect()
}

fn action() -> File {
    read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/actions/ragline/action.yml"))
}

fn jobs(file: &File) -> impl Iterator<Item = (&String, &Value)> {
    file.yaml["jobs"].as_object().unwrap().iter()
}

fn steps(job: &Value) -> Vec<&Value> {
    job["steps"].as_array().unwrap().iter().collect()
}

/// Whether a job takes a secret: the token of the job is none, it has its own rights.
fn secrets(job: &Value) -> bool {
    job.to_string().contains("secrets.") || job.to_string().contains("toJSON(secrets)")
}

fn writes(job: &Value) -> bool {
    job["permissions"].as_object().is_some_and(|p| p.values().any(|v| v == "write"))
        || job["permissions"] == "write-all"
}

fn triggered_by(file: &File, name: &str) -> bool {
    match &file.yaml["on"] {
        Value::Object(on) => on.contains_key(name),
        Value::Array(on) => on.iter().any(|v| v == name),
        scalar @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => scalar == name,
    }
}

/// The code of the fork is checked out: by its commit or its repository. On `pull_request` it is what is checked out when
/// nothing is said.
fn checks_out_a_fork(file: &File, job: &Value) -> bool {
    let said = |step: &Value| {
        let with = step["with"].to_string();
        ["workflow_run.head", "pull_request.head", "github.head_ref", "refs/pull"].iter().any(|w| with.contains(w))
    };
    let checkout = |s: &&&Value| s["uses"].as_str().is_some_and(|u| u.starts_with("actions/checkout@"));
    let steps = steps(job);
    let own_only = job["if"].as_str().is_some_and(|i| i.contains("head.repo.full_name == github.repository"));
    steps.iter().filter(checkout).any(|s| said(s))
        || (triggered_by(file, "pull_request") && !own_only && steps.iter().filter(checkout).count() > 0)
        || steps
            .iter()
            .any(|s| s["run"].as_str().is_some_and(|r| r.contains("gh pr checkout") || r.contains("git fetch")))
}

#[test]
fn no_secret_meets_code_that_nobody_has_reviewed() {
    let mut approved = 0;
    for file in workflows() {
        // Its code would run with the secrets of this repository.
        assert!(!triggered_by(&file, "pull_request_target"), "{}", file.name);
        for (name, job) in jobs(&file).filter(|(_, job)| checks_out_a_fork(&file, job)) {
            assert!(!writes(job), "{} {name} may write where a fork's code runs", file.name);
            if secrets(job) {
                // Only what a maintainer approved, and exactly that: the environment waits for a reviewer, the commit is
                // named by its digest, and looked at once more before it is fetched.
                assert_eq!(job["environment"], "rag-live", "{} {name}", file.name);
                let steps = steps(job);
                let at = |what: &dyn Fn(&Value) -> bool| steps.iter().position(|s| what(s)).unwrap();
                let fetched = at(&|s| s["with"]["ref"] == "${{ github.event.workflow_run.head_sha }}");
                let checked = at(&|s| s["run"].as_str().is_some_and(|r| r.ends_with("check-head.sh")));
                assert!(checked < fetched, "{} {name}", file.name);
                // Nothing of the fork is run but by the step that is given the secret: the scripts are those of the main branch.
                for step in &steps {
                    let runs = step["run"].as_str().or(step["uses"].as_str()).unwrap();
                    assert!(!runs.contains("approved"), "{} {name}: {runs}", file.name);
                }
                approved += 1;
            }
        }
        // What runs after a fork's run, without an approval, has no secret at all.
        if triggered_by(&file, "workflow_run") {
            for (name, job) in jobs(&file).filter(|(_, job)| job["environment"].is_null()) {
                assert!(!secrets(job), "{} {name}", file.name);
                assert!(!checks_out_a_fork(&file, job), "{} {name}", file.name);
                for step in steps(job) {
                    let uses = step["uses"].as_str().unwrap_or_default();
                    assert!(!uses.starts_with("./"), "{} {name}: its artefact could hold that action", file.name);
                }
            }
        }
        // Secrets of the whole workflow would be in every job.
        assert!(!file.yaml["env"].to_string().contains("secrets."), "{}", file.name);
    }
    assert_eq!(approved, 1, "the job that waits for an approval was looked at");
}

#[test]
fn a_forks_report_is_shown_as_text() {
    let mut comments = 0;
    for file in workflows().iter().filter(|f| triggered_by(f, "workflow_run")) {
        for (_, job) in jobs(file) {
            for step in steps(job).iter().filter(|s| s["run"].as_str().is_some_and(|r| r.ends_with("comment.sh"))) {
                assert_eq!(step["env"]["RAGLINE_FOREIGN"], "true", "{}", file.name);
                // What was unpacked lies outside the checkout, so nothing of it stands in for a script.
                assert_eq!(step["env"]["RAGLINE_REPORT"].as_str().unwrap().find("${{ runner.temp }}/"), Some(0));
                comments += 1;
            }
            for step in
                steps(job).iter().filter(|s| s["uses"].as_str().is_some_and(|u| u.contains("download-artifact")))
            {
                assert!(step["with"]["path"].as_str().unwrap().starts_with("${{ runner.temp }}/"), "{}", file.name);
            }
        }
    }
    assert_eq!(comments, 2);
}

/// `${{ }}` in a shell line is filled in before the shell reads it: a title could be a command.
#[test]
fn no_shell_line_is_filled_in() {
    let mut lines = 0;
    let files = workflows();
    let action = action();
    let of_jobs = files.iter().flat_map(|f| jobs(f).flat_map(|(_, job)| steps(job)).map(move |s| (f, s)));
    let of_action = action.yaml["runs"]["steps"].as_array().unwrap().iter().map(|s| (&action, s));
    for (file, step) in of_jobs.chain(of_action) {
        if let Some(run) = step["run"].as_str() {
            assert!(!run.contains("${{"), "{}: {run}", file.name);
            lines += 1;
        }
        // Nor may a title or the name of a branch come in by a variable that a later step evaluates.
        let env = step["env"].to_string();
        for hostile in ["head_ref", ".title", ".body", "head_branch", "head.ref", "head.label", "message"] {
            assert!(!env.contains(hostile), "{}: {env}", file.name);
        }
    }
    assert!(lines >= 8, "{lines}");
    for name in ["api.sh", "build.sh", "check-head.sh", "comment.sh", "propose.sh", "run.sh"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(".github/actions/ragline").join(name);
        let text = std::fs::read_to_string(path).unwrap();
        assert!(!text.contains("eval ") && !text.contains("${{"), "{name}");
    }
}

#[test]
fn rights_are_small_and_actions_are_pinned() {
    for file in workflows() {
        let ours = file.name == "ci.yml";
        assert!(
            file.yaml["permissions"].is_object(),
            "{}: every right is asked for by the job that needs it",
            file.name
        );
        for (name, job) in jobs(&file) {
            assert!(ours || job["permissions"].is_object(), "{} {name}", file.name);
            assert!(job["timeout-minutes"].is_u64(), "{} {name}", file.name);
            assert!(
                !(writes(job) && job["permissions"]["contents"] == "write" && secrets(job)),
                "{} {name}",
                file.name
            );
            for step in steps(job) {
                let Some(uses) = step["uses"].as_str() else { continue };
                if let Some((_, pin)) = uses.split_once('@') {
                    assert!(pin.len() == 40 && pin.bytes().all(|b| b.is_ascii_hexdigit()), "{}: {uses}", file.name);
                } else {
                    assert!(uses.starts_with("./"), "{}: {uses}", file.name);
                }
                if uses.starts_with("actions/checkout@") {
                    assert_eq!(step["with"]["persist-credentials"], false, "{} {name}", file.name);
                }
            }
        }
        assert!(
            file.text.lines().filter(|l| l.contains("@") && l.contains("uses:")).all(|l| l.contains("# v")),
            "{}",
            file.name
        );
    }
}

/// What the examples hand to the action is what it takes.
#[test]
fn the_examples_use_the_action_as_it_is() {
    let action = action();
    let inputs = action.yaml["inputs"].as_object().unwrap();
    let mut used = 0;
    for file in workflows() {
        for (name, job) in jobs(&file) {
            for step in steps(job) {
                if step["uses"].as_str().is_some_and(|u| u.ends_with(".github/actions/ragline")) {
                    for key in step["with"].as_object().into_iter().flatten().map(|(k, _)| k) {
                        assert!(inputs.contains_key(key), "{} {name}: {key}", file.name);
                    }
                    let comments = step["with"]["comment"] == "true";
                    assert_eq!(comments, job["permissions"]["pull-requests"] == "write", "{} {name}", file.name);
                    used += 1;
                }
            }
        }
    }
    assert!(used >= 5, "{used}");
    // Each input comes to its script by a variable, and is used.
    let text = action.yaml["runs"].to_string();
    for input in inputs.keys() {
        assert!(text.contains(&format!("inputs.{input} ")), "{input}");
    }
}
