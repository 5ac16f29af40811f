//! The recipes for CI engines: their shell lines are run as the engine would run them, with its variables, each job in a
//! checkout of its own, and what is kept of one job is handed to the next as the recipe says.
#![cfg(unix)]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod binary_kit;
mod shard_kit;

use binary_kit::Folder;
use serde_json::Value;
use shard_kit::project::{Project, small};
use shard_kit::{checkout, copy_into, run};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn text(name: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ci").join(name)).unwrap()
}

fn yaml(name: &str) -> Value {
    serde_yaml::from_str(&text(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// The lines of a job: a line, or several.
fn lines(of: &Value) -> Vec<String> {
    match of {
        Value::String(line) => vec![line.clone()],
        Value::Array(all) => all.iter().map(|l| l.as_str().unwrap().to_owned()).collect(),
        other @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_)) => {
            panic!("no shell lines: {other}")
        }
    }
}

/// Runs the lines of a job as one script that ends with the first that fails; with the variables of the engine.
fn shell(folder: &Folder, lines: &[String], variables: &[(&str, String)]) -> i32 {
    let tools = folder.path().join(".tools");
    std::fs::create_dir_all(&tools).unwrap();
    // What Buildkite's agent does with artefacts and annotations.
    let agent = tools.join("buildkite-agent");
    std::fs::write(
        &agent,
        "#!/bin/sh\ncase \"$1 $2\" in\n'artifact download') mkdir -p \"$4\" && cp -R \"$ARTEFACTS\"/. \"$4\" ;;\n\
         'annotate --context') cat >annotation.md ;;\n*) exit 64 ;;\nesac\n",
    )
    .unwrap();
    std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_ragline")).parent().unwrap();
    let path = format!("{}:{}:{}", tools.display(), binary.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.arg("-e").arg("-c").arg(lines.join("\n")).current_dir(folder.path()).env_clear();
    command.env("PATH", path).env("HOME", folder.path()).env("CI", "true");
    let done = command.envs(variables.iter().map(|(n, v)| (n, v))).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout).into_owned() + &String::from_utf8_lossy(&done.stderr);
    let code = done.status.code().unwrap_or(-1);
    assert!(code < 2, "exit {code} of {lines:?}:\n{said}");
    code
}

/// Four jobs and the one behind them. `ask` runs a shard in its checkout and says what of it is kept, by the name that it
/// gets where `decide` runs.
fn acted_out(ask: impl Fn(&Folder, usize) -> Vec<(PathBuf, String)>, decide: impl Fn(&Folder) -> i32) {
    for (project, exit) in [(small(), 0), (small().broken_enough(), 1)] {
        let merging = checkout(&project.folder);
        for n in 1..=4 {
            let folder = checkout(&project.folder);
            for (from, to) in ask(&folder, n) {
                copy_into(&from, &merging.path().join(to));
            }
        }
        assert_eq!(decide(&merging), exit);
        let alone = checkout(&project.folder);
        run(&alone, &["run", "--results", "r.jsonl"], &[]).exits(exit);
        let merged = std::fs::read_to_string(merging.last_run().join("results.jsonl")).unwrap();
        assert_eq!(merged, alone.read("r.jsonl"));
    }
}

trait Broken {
    fn broken_enough(self) -> Project;
}

impl Broken for Project {
    /// One answer is wrong, and nothing is missing: the gate is closed and the run is complete.
    fn broken_enough(self) -> Project {
        let answers = self.folder.read("answers.jsonl").replace("It lasts 3 days", "It lasts 4000 days");
        self.folder.write("answers.jsonl", answers.as_bytes());
        self
    }
}

fn runs(folder: &Folder) -> PathBuf {
    folder.path().join(".ragline/runs")
}

#[track_caller]
fn is_junit(folder: &Folder, name: &str) {
    let text = folder.read(name);
    let document = roxmltree::Document::parse(&text).unwrap();
    assert!(document.descendants().filter(|n| n.has_tag_name("testcase")).count() > 24);
}

#[test]
fn gitlab() {
    let recipe = yaml("gitlab.yml");
    assert_eq!(recipe["rag-shard"]["parallel"], 4);
    let variables = |more: &[(&'static str, String)]| {
        let own = recipe["variables"].as_object().unwrap().iter();
        let mut all: Vec<(&'static str, String)> =
            own.map(|(n, v)| (&*Box::leak(n.clone().into_boxed_str()), v.as_str().unwrap().to_owned())).collect();
        all.push(("GITLAB_CI", "true".into()));
        all.push(("CI_PIPELINE_CREATED_AT", "2026-11-30T23:59:58Z".into()));
        all.extend_from_slice(more);
        all
    };
    // Artefacts are unpacked where they lay.
    acted_out(
        |folder, n| {
            let numbered = variables(&[("CI_NODE_INDEX", n.to_string()), ("CI_NODE_TOTAL", "4".into())]);
            assert_eq!(shell(folder, &lines(&recipe["rag-shard"]["script"]), &numbered), 0);
            assert_eq!(recipe["rag-shard"]["artifacts"]["paths"][0], ".ragline/runs/");
            let record = std::fs::read_to_string(folder.last_run().join("run.json")).unwrap();
            assert!(record.contains("\"today\":\"2026-11-30\""), "all shards are of one day");
            vec![(runs(folder), ".ragline/runs".into())]
        },
        |folder| {
            let code = shell(folder, &lines(&recipe["rag"]["script"]), &variables(&[("CI_NODE_TOTAL", "1".into())]));
            is_junit(folder, recipe["rag"]["artifacts"]["reports"]["junit"].as_str().unwrap());
            assert!(folder.read("rag.md").contains("GATE"));
            code
        },
    );
}

#[test]
fn azure_pipelines() {
    let recipe = yaml("azure.yml");
    let (ask, decide) = (&recipe["jobs"][0], &recipe["jobs"][1]);
    assert_eq!(ask["strategy"]["parallel"], "4");
    let script = |job: &Value| {
        let steps = job["steps"].as_array().unwrap();
        steps.iter().filter_map(|s| s["script"].as_str()).map(str::to_owned).collect::<Vec<_>>()
    };
    let azure = |folder: &Folder| {
        let workspace = folder.path().join("pipeline").to_str().unwrap().to_owned();
        vec![("TF_BUILD", "True".to_owned()), ("PIPELINE_WORKSPACE", workspace)]
    };
    acted_out(
        |folder, n| {
            let mut variables = azure(folder);
            variables.push(("SYSTEM_JOBPOSITIONINPHASE", n.to_string()));
            variables.push(("SYSTEM_TOTALJOBSINPHASE", "4".into()));
            assert_eq!(shell(folder, &script(ask), &variables), 0);
            let publish = &ask["steps"][1];
            assert_eq!(publish["artifact"], "rag-shard-$(System.JobPositionInPhase)");
            vec![(folder.path().join(publish["publish"].as_str().unwrap()), format!("pipeline/rag-shard-{n}"))]
        },
        |folder| {
            let code = shell(folder, &script(decide), &azure(folder));
            is_junit(folder, decide["steps"][2]["inputs"]["testResultsFiles"].as_str().unwrap());
            code
        },
    );
}

#[test]
fn buildkite() {
    let recipe = yaml("buildkite.yml");
    let (ask, decide) = (&recipe["steps"][0], &recipe["steps"][1]);
    assert_eq!(ask["parallelism"], 4);
    // When a pipeline is uploaded, `$$` becomes `$`, and every other `$NAME` is filled in.
    let uploaded = |step: &Value| -> Vec<String> {
        let all = lines(&step["command"]);
        assert!(all.iter().all(|l| l.matches('$').count() == 2 * l.matches("$$").count()), "{all:?}");
        all.iter().map(|l| l.replace("$$", "$")).collect()
    };
    acted_out(
        |folder, n| {
            // Counted from 0.
            let variables = [
                ("BUILDKITE", "true".to_owned()),
                ("BUILDKITE_PARALLEL_JOB", (n - 1).to_string()),
                ("BUILDKITE_PARALLEL_JOB_COUNT", "4".into()),
            ];
            assert_eq!(shell(folder, &uploaded(ask), &variables), 0);
            assert_eq!(ask["artifact_paths"], ".ragline/runs/**/*");
            vec![(runs(folder), "kept/.ragline/runs".into())]
        },
        |folder| {
            let kept = folder.path().join("kept").to_str().unwrap().to_owned();
            let code = shell(folder, &uploaded(decide), &[("BUILDKITE", "true".into()), ("ARTEFACTS", kept)]);
            is_junit(folder, "rag.xml");
            assert_eq!(folder.read("annotation.md"), folder.read("rag.md"));
            code
        },
    );
}

#[test]
fn circleci() {
    let recipe = yaml("circleci.yml");
    let (ask, decide) = (&recipe["jobs"]["rag-shard"], &recipe["jobs"]["rag"]);
    assert_eq!(ask["parallelism"], 4);
    let script = |job: &Value| {
        let steps = job["steps"].as_array().unwrap();
        steps.iter().filter_map(|s| s["run"].as_str()).map(str::to_owned).collect::<Vec<_>>()
    };
    let step = |job: &Value, name: &str| {
        job["steps"].as_array().unwrap().iter().find(|s| !s[name].is_null()).unwrap()[name].clone()
    };
    acted_out(
        |folder, n| {
            let variables = [
                ("CIRCLECI", "true".to_owned()),
                ("CIRCLE_NODE_INDEX", (n - 1).to_string()),
                ("CIRCLE_NODE_TOTAL", "4".into()),
            ];
            assert_eq!(shell(folder, &script(ask), &variables), 0);
            let persisted = step(ask, "persist_to_workspace");
            assert_eq!((&persisted["root"], &persisted["paths"][0]), (&".ragline/runs".into(), &"*-*of*".into()));
            // Two containers that keep a file of one name are an error: only the folder of the shard is kept.
            let run = folder.last_run();
            let name = run.file_name().unwrap().to_str().unwrap().to_owned();
            assert!(name.ends_with(&format!("-{n}of4")), "{name}");
            let at = step(decide, "attach_workspace")["at"].as_str().unwrap().to_owned();
            vec![(run, format!("{at}/{name}"))]
        },
        |folder| {
            let code = shell(folder, &script(decide), &[("CIRCLECI", "true".into())]);
            let results = step(decide, "store_test_results")["path"].as_str().unwrap().to_owned();
            is_junit(folder, &format!("{results}/junit.xml"));
            code
        },
    );
}

/// Its language is no YAML: the shell lines are taken from between their quotes.
#[test]
fn jenkins() {
    let recipe = text("Jenkinsfile");
    assert_eq!(recipe.matches('{').count(), recipe.matches('}').count());
    let shells: Vec<String> = recipe
        .lines()
        .filter_map(|l| l.trim().strip_prefix("sh '").and_then(|l| l.strip_suffix('\'')))
        .map(str::to_owned)
        .collect();
    let [ask, clean, decide] = shells.as_slice() else { panic!("{shells:?}") };
    acted_out(
        |folder, n| {
            assert_eq!(shell(folder, std::slice::from_ref(ask), &[("SHARD", n.to_string())]), 0);
            assert!(recipe.contains(&format!("dir('shards/{n}') {{ unstash 'rag-shard-{n}' }}")));
            vec![(folder.path().join(".ragline/runs"), format!("stash/{n}/.ragline/runs"))]
        },
        |folder| {
            // The workspace was used before.
            folder.write("shards/1/old/run.json", b"{}");
            assert_eq!(shell(folder, std::slice::from_ref(clean), &[]), 0);
            copy_into(&folder.path().join("stash"), &folder.path().join("shards"));
            let code = shell(folder, std::slice::from_ref(decide), &[]);
            is_junit(folder, "rag.xml");
            code
        },
    );
}
