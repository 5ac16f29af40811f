//! The identity of what is tested: what changes it, and what does not.
#![allow(clippy::unwrap_used, clippy::panic)]

use ragline::drive::subject::subject;
use ragline::suite::config;
use ragline::target::Environment;
use std::path::Path;

const BASE: &str = r#"version = 1
[targets.shop]
kind = "http"
url = "http://127.0.0.1:8000/chat?v=1"
headers = { Authorization = "Bearer ${TOKEN}", X-Mode = "fast" }
body = '{"message": {{ question | tojson }}}'
vars = { model = "m-1" }
response = { answer = "$.answer", contexts = "$.docs[*]", context = { text = "$.text" } }
watch = ["prompts/**", "app.toml"]
env = ["MODEL", "ABSENT"]
"#;

struct Told {
    digest: String,
    warnings: Vec<String>,
}

fn write(root: &Path, name: &str, bytes: &[u8]) {
    let path = root.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn project(settings: &str) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    write(dir.path(), "ragline.toml", settings.as_bytes());
    write(dir.path(), "prompts/system.md", b"Be brief.");
    write(dir.path(), "prompts/deep/er.md", b"Be kind.");
    write(dir.path(), "app.toml", b"k = 3");
    write(dir.path(), "elsewhere.md", b"x");
    dir
}

fn of(root: &Path, variables: &[(&str, &str)]) -> Told {
    let (project, _) = config::load(root).unwrap_or_else(|p| panic!("{p}"));
    let environment: Environment = variables.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    let (digest, warnings) = subject(&project.targets["shop"], &project.root, &environment).unwrap();
    Told { digest, warnings: warnings.into_iter().map(|w| w.title).collect() }
}

fn with(settings: &str) -> String {
    of(project(settings).path(), &[("MODEL", "a")]).digest
}

#[test]
fn the_same_in_another_place_with_another_key() {
    let first = of(project(BASE).path(), &[("MODEL", "a"), ("TOKEN", "one")]);
    let second = of(project(BASE).path(), &[("MODEL", "a"), ("TOKEN", "two"), ("OTHER", "x"), ("ABSENT", "")]);
    assert_eq!(first.digest, second.digest);
    assert_eq!(first.digest.len(), 16);
    assert!(first.warnings.is_empty(), "{:?}", first.warnings);
}

#[test]
fn how_it_is_asked_is_not_what_is_asked() {
    let base = with(BASE);
    for more in [
        "concurrency = 2\n",
        "retries = 0\n",
        "timeout = { attempt = \"1s\" }\n",
        "rate = \"10/s\"\n",
        "recording = \"elsewhere.jsonl\"\n",
        "price = { call = 0.1 }\n",
        "proxy = \"none\"\n",
        "max_body = \"1MiB\"\n",
    ] {
        assert_eq!(with(&format!("{BASE}{more}")), base, "{more}");
    }
    let literal_key = BASE.replace("Bearer ${TOKEN}", "Bearer abc");
    assert_eq!(with(&literal_key), base, "a key is no part of the system");
    let order = BASE.replace("\"prompts/**\", \"app.toml\"", "\"app.toml\", \"prompts/**\"");
    assert_eq!(with(&order), base);
}

#[test]
fn what_makes_the_answers_changes_it() {
    let base = with(BASE);
    let mut seen = vec![base];
    for (from, to) in [
        ("chat?v=1", "chat?v=2"),
        ("X-Mode = \"fast\"", "X-Mode = \"slow\""),
        ("\"message\"", "\"msg\""),
        ("m-1", "m-2"),
        ("$.answer", "$.text"),
        ("text = \"$.text\"", "text = \"$.body\""),
        ("[\"MODEL\", \"ABSENT\"]", "[\"ABSENT\"]"),
        ("watch = [\"prompts/**\", \"app.toml\"]", "watch = [\"prompts/**\"]"),
        ("watch = [\"prompts/**\", \"app.toml\"]", "watch = [\"prompts/*\", \"app.toml\"]"),
    ] {
        assert!(BASE.contains(from), "{from}");
        let now = with(&BASE.replace(from, to));
        assert!(!seen.contains(&now), "{from} → {to}");
        seen.push(now);
    }
    for model in ["b", ""] {
        let now = of(project(BASE).path(), &[("MODEL", model)]).digest;
        assert!(!seen.contains(&now), "MODEL={model}");
        seen.push(now);
    }
    // A value that looks like the mark of an absent one is a value.
    let none = of(project(BASE).path(), &[("MODEL", "none")]).digest;
    assert!(!seen.contains(&none));
}

#[test]
fn watched_files_count_by_name_and_bytes() {
    let dir = project(BASE);
    let env = [("MODEL", "a")];
    let base = of(dir.path(), &env).digest;
    write(dir.path(), "elsewhere.md", b"another");
    write(dir.path(), "prompts/__pycache__/x.pyc", b"left behind by a run");
    assert_eq!(of(dir.path(), &env).digest, base, "what is not watched");
    write(dir.path(), "prompts/system.md", b"Be brief.\r\n");
    let ends = of(dir.path(), &env).digest;
    assert_ne!(ends, base, "bytes as they are");
    write(dir.path(), "prompts/system.md", b"Be brief.");
    assert_eq!(of(dir.path(), &env).digest, base);
    std::fs::rename(dir.path().join("prompts/deep/er.md"), dir.path().join("prompts/deep/re.md")).unwrap();
    assert_ne!(of(dir.path(), &env).digest, base, "another name");
    std::fs::rename(dir.path().join("prompts/deep/re.md"), dir.path().join("prompts/deep/er.md")).unwrap();
    write(dir.path(), "prompts/new.md", b"");
    assert_ne!(of(dir.path(), &env).digest, base, "an empty file is a file");
}

#[cfg(unix)]
#[test]
fn a_link_in_a_circle_ends() {
    let dir = project(BASE);
    let base = of(dir.path(), &[]).digest;
    std::os::unix::fs::symlink("..", dir.path().join("prompts/loop")).unwrap();
    assert_eq!(of(dir.path(), &[]).digest, base);
}

#[test]
fn a_glob_that_matches_nothing_is_said() {
    let settings = BASE.replace("\"app.toml\"]", "\"app.toml\", \"promts/**\"]");
    let told = of(project(&settings).path(), &[]);
    assert_eq!(told.warnings.len(), 1, "{:?}", told.warnings);
    assert!(told.warnings[0].contains("promts/**"));
}

#[test]
fn settings_alone_are_a_subject_too() {
    let bare = "version = 1\n[targets.shop]\nkind = \"command\"\ncommand = [\"sh\", \"bot.sh\"]\n";
    let one = with(bare);
    assert_ne!(one, with(&bare.replace("bot.sh", "bot2.sh")));
    assert_eq!(one, with(&format!("{bare}concurrency = 1\n")));
}
