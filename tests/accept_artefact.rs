//! `ragline accept --run`: a run as CI hands it over, as a folder and as an archive. It may come from a fork, so what is no
//! plain archive of a run is refused, and nothing is written where nobody asked for it.
#![allow(clippy::panic, clippy::expect_used, clippy::unwrap_used)]

mod project_kit;

use project_kit::{Ended, Project};
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

const BASELINE: &str = "suites/shop.baseline.toml";
const ACCEPTED: &str = "suites/shop.accepted.jsonl";
const REASON: [&str; 2] = ["--reason", "say why this failure is accepted"];

/// One question of each kind: passes, fails, has an owner, has a layer switched off, asserts nothing, is a draft.
const SUITE: &str = "version: 1
language: en
target: answers
questions:
  - id: q1
    question: What does q1 say?
    facts: [red]
  - id: q2
    question: What does q2 say?
    facts: [red]
    owner: paint-shop
  - id: q3
    question: What does q3 say?
    facts: [red]
    layers: { numbers: off }
  - id: seen
    question: What does it say?
    reference: It is red.
  - id: later
    question: And then?
    draft: true
";

fn project() -> Project {
    let project = Project::new();
    project.write("suites/shop.yaml", SUITE);
    let line = |id: &str, text: &str| format!("{{\"id\":\"{id}\",\"answer\":\"{text}\",\"contexts\":[]}}\n");
    let answers = [("q1", "It is red."), ("q2", "It is blue."), ("q3", "It is red."), ("seen", "It is red.")];
    project.write("answers.jsonl", &answers.iter().map(|(id, text)| line(id, text)).collect::<String>());
    project
}

/// A project as a developer has it, and the folder of the run that CI made of it, moved away.
fn measured() -> (Project, PathBuf, String) {
    let project = project();
    assert_eq!(project.run(&["run"]).code, 2, "the first run asks for a baseline");
    let id = project.read(".ragline/runs/latest").trim().to_owned();
    let away = project.path().join("ci").join(&id);
    fs::create_dir_all(away.parent().unwrap()).unwrap();
    fs::rename(project.path().join(".ragline/runs").join(&id), &away).unwrap();
    fs::remove_dir_all(project.path().join(".ragline")).unwrap();
    (project, away, id)
}

/// Writes an archive.
fn zip(path: &Path, files: &[(&str, &[u8])]) {
    let mut zip = ZipWriter::new(File::create(path).unwrap());
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap();
}

/// The files of a run below a prefix.
fn of_run(run: &Path, prefix: &str) -> Vec<(String, Vec<u8>)> {
    let names = ["journal.jsonl", "proposed/shop.baseline.toml", "results.jsonl", "run.json"];
    names.iter().map(|n| (format!("{prefix}{n}"), fs::read(run.join(n)).unwrap())).collect()
}

fn zip_run(path: &Path, run: &Path, prefix: &str, more: &[(&str, &[u8])]) {
    let files = of_run(run, prefix);
    let mut all: Vec<(&str, &[u8])> = files.iter().map(|(n, b)| (n.as_str(), b.as_slice())).collect();
    all.extend(more);
    zip(path, &all);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to.join(entry.file_name()));
        } else {
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

fn accept_first(project: &Project, run: &str) -> Ended {
    project.run(&["accept", "--first", "--run", run, REASON[0], REASON[1]])
}

/// Every file below a folder.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut all = BTreeSet::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.is_symlink() {
            all.extend(files(&path));
        }
        all.insert(path);
    }
    all
}

/// Every form in which a run comes out of CI gives the files that accepting on the same machine gives, and these are byte
/// for byte what the run proposed.
#[test]
fn every_form_of_a_run_gives_the_proposed_baseline() {
    let (project, away, id) = measured();
    let proposed = fs::read_to_string(away.join("proposed/shop.baseline.toml")).unwrap();
    assert!(proposed.contains("facts = \"fail\"") && proposed.contains("numbers = \"skipped\""), "{proposed}");
    let at = |name: &str| project.path().join(name);
    copy(&away, &at(&format!("unpacked/.ragline/runs/{id}")));
    project.write("unpacked/rag.xml", "<testsuites/>");
    copy(&away, &at(&format!("runs/{id}")));
    zip_run(
        &at("hidden.zip"),
        &away,
        &format!(".ragline/runs/{id}/"),
        &[("rag.xml", b"<x/>"), (".ragline/.gitignore", b"*\n")],
    );
    zip_run(&at("bare.zip"), &away, "", &[]);
    zip_run(&at("with-id.zip"), &away, &format!("{id}/"), &[("rag.md", b"# x")]);
    zip_run(&at("deep.zip"), &away, &format!("a/b/c/.ragline/runs/{id}/"), &[]);
    let mut answers = None;
    let forms = [
        &format!("ci/{id}"),
        "ci",
        "unpacked",
        "unpacked/.ragline",
        "runs",
        "hidden.zip",
        "bare.zip",
        "with-id.zip",
        "deep.zip",
    ];
    for form in forms {
        let ended = accept_first(&project, form);
        assert_eq!(ended.code, 0, "{form}: {}", ended.both());
        assert_eq!(project.read(BASELINE), proposed, "{form}");
        let accepted = project.read(ACCEPTED);
        assert_eq!(*answers.get_or_insert(accepted.clone()), accepted, "{form}");
        fs::remove_file(at(BASELINE)).unwrap();
        fs::remove_file(at(ACCEPTED)).unwrap();
    }
    // Nothing of an archive is left behind, and what was made ignores itself in git.
    let left: Vec<_> = fs::read_dir(at(".ragline")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left, [".gitignore"]);
    // The project from which the run was taken is green with what was accepted.
    assert_eq!(accept_first(&project, "hidden.zip").code, 0);
    let ended = project.run(&["run"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
}

#[track_caller]
fn refused(project: &Project, run: &str, code: &str, words: &[&str]) {
    let before = files(project.path());
    let ended = accept_first(project, run);
    assert_eq!(ended.code, 2, "{run}: {}", ended.both());
    assert!(ended.err.contains(&format!("error[{code}]")), "{run}: not {code}: {}", ended.both());
    for word in words {
        assert!(ended.err.contains(word), "{run}: not `{word}`: {}", ended.both());
    }
    let mut after = files(project.path());
    after.remove(&project.path().join(".ragline"));
    after.remove(&project.path().join(".ragline/.gitignore"));
    assert_eq!(after.difference(&before).collect::<Vec<_>>(), Vec::<&PathBuf>::new(), "{run}");
}

#[test]
fn several_runs_are_refused_and_listed() {
    let (project, away, id) = measured();
    let other = "20270101-000000-00001";
    copy(&away, &project.path().join("ci").join(other));
    project.write("ci/latest", &format!("{id}\n"));
    refused(&project, "ci", "several-runs", &["holds 2 runs", other, &id, "(the last one)", "name one of them"]);
    let files = of_run(&away, &format!("runs/{id}/"));
    let more = of_run(&away, "runs/other/");
    let all: Vec<(&str, &[u8])> = files.iter().chain(&more).map(|(n, b)| (n.as_str(), b.as_slice())).collect();
    zip(&project.path().join("two.zip"), &all);
    refused(&project, "two.zip", "several-runs", &["holds 2 runs", "runs/other", "unpack it"]);
    // One of them by name.
    let ended = accept_first(&project, &format!("ci/{id}"));
    assert_eq!(ended.code, 0, "{}", ended.both());
}

/// A job that put shards together may keep them beside what it made of them: the merged run is meant.
#[test]
fn shards_beside_the_merged_run_do_not_count() {
    let (project, away, id) = measured();
    let shard = format!("{id}-1of2");
    let files = of_run(&away, &format!(".ragline/runs/{id}/"));
    let more = of_run(&away, &format!(".ragline/runs/{shard}/"));
    let all: Vec<(&str, &[u8])> = more.iter().chain(&files).map(|(n, b)| (n.as_str(), b.as_slice())).collect();
    zip(&project.path().join("rag.zip"), &all);
    copy(&away, &project.path().join("ci").join(&shard));
    for run in ["rag.zip", "ci"] {
        let ended = accept_first(&project, run);
        assert_eq!(ended.code, 0, "{run}: {}", ended.both());
        fs::remove_file(project.path().join("suites/shop.baseline.toml")).unwrap();
        fs::remove_file(project.path().join("suites/shop.accepted.jsonl")).unwrap();
    }
    // Two shards alone are two runs.
    fs::rename(&away, project.path().join("ci").join(format!("{id}-2of2"))).unwrap();
    refused(&project, "ci", "several-runs", &["holds 2 runs"]);
}

#[test]
fn what_holds_no_run_is_refused() {
    let (project, away, _) = measured();
    fs::create_dir(project.path().join("empty")).unwrap();
    refused(&project, "nowhere", "no-run", &["run.json"]);
    refused(&project, "empty", "no-run", &["no whole run", "hidden files"]);
    project.write("text.zip", "this is no archive");
    refused(&project, "text.zip", "artefact-kind", &["no archive"]);
    zip(&project.path().join("other.zip"), &[("rag.xml", b"<x/>")]);
    refused(&project, "other.zip", "no-run", &["no whole run"]);
    // A run whose journal was left out: there would be no answers to accept.
    let files = of_run(&away, "");
    let all: Vec<(&str, &[u8])> = files.iter().skip(1).map(|(n, b)| (n.as_str(), b.as_slice())).collect();
    zip(&project.path().join("part.zip"), &all);
    refused(&project, "part.zip", "no-run", &["journal.jsonl"]);
    // Cut off while it was downloaded.
    zip_run(&project.path().join("whole.zip"), &away, "", &[]);
    let bytes = fs::read(project.path().join("whole.zip")).unwrap();
    for part in [10, bytes.len() / 2, bytes.len() - 5] {
        fs::write(project.path().join("cut.zip"), &bytes[..part]).unwrap();
        refused(&project, "cut.zip", "artefact-kind", &[]);
    }
}

/// The archive of a fork: nothing leaves the folder it is unpacked into, nothing is followed, nothing grows without bound.
#[test]
fn hostile_archives_are_refused() {
    let (project, away, _) = measured();
    let at = |name: &str| project.path().join(name);
    let hostile = [
        "../run.json",
        "../../../tmp/evil",
        "/etc/cron.d/evil",
        "a/../../evil",
        "C:/evil",
        "a\\..\\evil",
        "./run.json",
        "runs//run.json",
    ];
    for (n, name) in hostile.iter().enumerate() {
        let file = format!("path-{n}.zip");
        zip_run(&at(&file), &away, "", &[(name, b"evil")]);
        refused(&project, &file, "artefact-unsafe", &["do not accept it"]);
        // The run itself under such a path.
        let file = format!("run-{n}.zip");
        zip_run(&at(&file), &away, &format!("{}/", name.trim_end_matches("/run.json")), &[]);
        refused(&project, &file, "artefact-unsafe", &["leads out of it"]);
    }
    // A link in place of a file of the run.
    let secret = project.write("secret.txt", "{\"id\":\"q1\"}\n");
    let mut link = ZipWriter::new(File::create(at("link.zip")).unwrap());
    for (name, bytes) in of_run(&away, "") {
        if name == "journal.jsonl" {
            link.add_symlink("journal.jsonl", secret.to_str().unwrap(), SimpleFileOptions::default()).unwrap();
        } else {
            link.start_file(name, SimpleFileOptions::default()).unwrap();
            link.write_all(&bytes).unwrap();
        }
    }
    link.finish().unwrap();
    refused(&project, "link.zip", "artefact-unsafe", &["is a link"]);
    // A file that grows a thousandfold.
    let mut bomb = ZipWriter::new(File::create(at("bomb.zip")).unwrap());
    for (name, bytes) in of_run(&away, "") {
        bomb.start_file(&name, SimpleFileOptions::default().compression_method(CompressionMethod::Deflated)).unwrap();
        bomb.write_all(&bytes).unwrap();
        if name == "journal.jsonl" {
            (0..64).for_each(|_| bomb.write_all(&vec![b' '; 1 << 20]).unwrap());
        }
    }
    let size = bomb.finish().unwrap().stream_position().unwrap();
    assert!(size < 1 << 20, "{size}");
    refused(&project, "bomb.zip", "artefact-too-large", &["200 times"]);
    // One that lies about how long its files are: the bytes are counted. The size stands in the header of the file and in
    // that of the directory.
    let mut lying = fs::read(at("bomb.zip")).unwrap();
    let long =
        u32::try_from((64 << 20) + fs::metadata(away.join("journal.jsonl")).unwrap().len()).unwrap().to_le_bytes();
    let places: Vec<usize> = (0..lying.len() - 4).filter(|i| lying[*i..i + 4] == long).collect();
    assert!(!places.is_empty());
    places.iter().for_each(|i| lying[*i..i + 4].copy_from_slice(&100_u32.to_le_bytes()));
    fs::write(at("lying.zip"), lying).unwrap();
    let ended = accept_first(&project, "lying.zip");
    assert_eq!(ended.code, 2, "{}", ended.both());
    // More files than any run has.
    let many: Vec<String> = (0..20_001).map(|n| format!("f{n}")).collect();
    zip_run(&at("many.zip"), &away, "", &many.iter().map(|n| (n.as_str(), &b""[..])).collect::<Vec<_>>());
    refused(&project, "many.zip", "artefact-too-large", &["20000"]);
    // Two files of one name: another program may read the one, and this one the other.
    zip_run(&at("twice.zip"), &away, "", &[("run.jsoX", b"{}")]);
    let bytes = fs::read(at("twice.zip")).unwrap();
    let patched: Vec<u8> = String::from_utf8_lossy(&bytes)
        .contains("run.jsoX")
        .then(|| replace(&bytes, b"run.jsoX", b"run.json"))
        .unwrap();
    fs::write(at("twice.zip"), patched).unwrap();
    refused(&project, "twice.zip", "artefact-unsafe", &["two files of one name"]);
    assert!(!Path::new("/tmp/evil").exists());
}

fn replace(bytes: &[u8], old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = bytes.to_vec();
    for i in 0..out.len().saturating_sub(old.len()) {
        if out[i..].starts_with(old) {
            out[i..i + new.len()].copy_from_slice(new);
        }
    }
    out
}

/// What stands in the files of a hostile run is shown as text and never as a command for the terminal.
#[test]
fn hostile_words_of_a_run_stay_words() {
    let (project, away, _) = measured();
    let record = fs::read_to_string(away.join("run.json")).unwrap();
    let interrupted = record.replacen("\"suites\"", "\"interrupted\":true,\"suites\"", 1);
    let id = record.split("\"id\":\"").nth(1).unwrap().split('"').next().unwrap();
    let evil = interrupted.replace(id, "\\u001b[31mred\\n::error::x");
    let deep = "[".repeat(200_000);
    for (name, content) in [("evil", evil.as_str()), ("deep", deep.as_str()), ("kind", "{\"version\":9}")] {
        let folder = project.path().join(name);
        copy(&away, &folder);
        fs::write(folder.join("run.json"), content).unwrap();
        let ended = accept_first(&project, name);
        assert_eq!(ended.code, 2, "{name}: {}", ended.both());
        assert!(!ended.err.contains("\u{1b}[31mred") && !ended.err.contains("\n::error::"), "{}", ended.both());
    }
}

#[cfg(unix)]
#[test]
fn links_in_a_folder_are_not_followed() {
    let (project, away, id) = measured();
    let outside = tempfile::tempdir().unwrap();
    copy(&away, &outside.path().join(&id));
    // A folder that only links to a run holds none.
    fs::create_dir(project.path().join("linked")).unwrap();
    std::os::unix::fs::symlink(outside.path(), project.path().join("linked/runs")).unwrap();
    refused(&project, "linked", "no-run", &["no whole run"]);
    // A file of the run that is a link.
    copy(&away, &project.path().join("run"));
    fs::remove_file(project.path().join("run/journal.jsonl")).unwrap();
    std::os::unix::fs::symlink(
        outside.path().join(&id).join("journal.jsonl"),
        project.path().join("run/journal.jsonl"),
    )
    .unwrap();
    refused(&project, "run", "artefact-unsafe", &["journal.jsonl", "link"]);
}

/// The suite of another commit: said in plain words, once, and nothing is written.
#[test]
fn a_run_of_another_state_of_the_suite_says_so() {
    let (project, away, _) = measured();
    zip_run(&project.path().join("run.zip"), &away, "", &[]);
    let right = project.read("suites/shop.yaml");
    // Two edited, one gone, one new.
    let other = right
        .replace("facts: [red]\n    owner", "facts: [blue]\n    owner")
        .replace("- id: q3", "- id: q4")
        .replacen("[red]", "[green]", 1);
    project.write("suites/shop.yaml", &other);
    for form in ["run.zip", "ci"] {
        let words = [
            "another state of the suite `shop`",
            "2 edited since (q1, q2)",
            "1 not in the run (q4)",
            "1 no more in the suite (q3)",
            "git switch",
        ];
        refused(&project, form, "run-outdated", &words);
    }
    // Nothing is edited; one is new: the first baseline would not be that of the whole suite.
    project.write("suites/shop.yaml", &format!("{right}  - id: q9\n    question: New?\n    facts: [red]\n"));
    refused(&project, "run.zip", "run-outdated", &["1 not in the run (q9)"]);
    // Beside a baseline a question may be new: what is accepted was measured as it stands.
    project.write("suites/shop.yaml", &right);
    assert_eq!(accept_first(&project, "run.zip").code, 0);
    project.write("suites/shop.yaml", &format!("{right}  - id: q9\n    question: New?\n    facts: [red]\n"));
    let ended = project.run(&["accept", "q1", "q2", "--run", "run.zip", "--reason", "paint"]);
    assert_eq!(ended.code, 0, "{}", ended.both());
    // Other rules than this program's.
    let record = fs::read_to_string(away.join("run.json")).unwrap();
    fs::write(away.join("run.json"), record.replace(&project.fill("{measure}"), "0000000000000000")).unwrap();
    let ended = project.run(&["accept", "q1", "--run", "ci", "--reason", "paint"]);
    assert_eq!(ended.code, 2, "{}", ended.both());
    assert!(
        ended.err.contains("run-outdated") && ended.err.contains("another version of the rules"),
        "{}",
        ended.both()
    );
}
