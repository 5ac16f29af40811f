//! The documentation is tested: the README's commands and examples are run, examples that are whole files are read by
//! the program's own readers, lists of codes and keys are complete, and links lead somewhere.
//!
//! A fenced block is an example when a comment stands in the line above it: `<!-- file: suite -->`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::print_stderr
)]

use ragline::baseline::Baseline;
use ragline::core::Change;
use ragline::gate::Exit;
use ragline::gate::expected::Named;
use ragline::gate::rules::COUNT_RULES;
use ragline::gate::thresholds::{Metric, Thresholds};
use ragline::layer::Code;
use ragline::problem::{Problems, Source, render};
use ragline::review::decisions;
use ragline::suite::corpus::Corpus;
use ragline::suite::{Suite, config, lint, load, schema};
use ragline::target::response;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}")).replace("\r\n", "\n")
}

/// The pages, by their paths below the root.
fn pages() -> Vec<(String, String)> {
    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                walk(&path, found);
            } else if path.extension().is_some_and(|e| e == "md") {
                found.push(path);
            }
        }
    }
    let mut found: Vec<PathBuf> =
        ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map(|f| root().join(f)).into();
    walk(&root().join("docs"), &mut found);
    found.sort();
    let shown = |p: &Path| p.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
    found.iter().map(|p| (shown(p), read(&shown(p)))).collect()
}

/// A fenced block.
struct Block {
    page: String,
    line: usize,
    /// The comment in the line above, without its marks.
    mark: Option<String>,
    language: String,
    text: String,
}

fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let mut open = false;
    let mut above = "";
    for (line, n) in text.lines().zip(1..) {
        match (line.trim_start().strip_prefix("```"), open) {
            (Some(language), false) => {
                let mark = above.strip_prefix("<!-- ").and_then(|m| m.strip_suffix(" -->")).map(str::to_owned);
                let language = language.trim().to_owned();
                found.push(Block { page: page.to_owned(), line: n, mark, language, text: String::new() });
                open = true;
            }
            (Some(_), true) => open = false,
            (None, true) => {
                let block = found.last_mut().unwrap();
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, false) => {}
        }
        above = line;
    }
    assert!(!open, "{page}: a block is not closed");
    found
}

/// A page without its fenced blocks and without code in a line.
fn prose(text: &str) -> String {
    let mut out = String::new();
    let mut open = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            open = !open;
        } else if !open {
            out.extend(line.split('`').step_by(2));
        }
        out.push('\n');
    }
    out
}

fn marked(text: &str, mark: &str) -> String {
    let found: Vec<Block> = blocks("README.md", text)
        .into_iter()
        .filter(|b| b.mark.as_deref().is_some_and(|m| m.starts_with(mark)))
        .collect();
    assert_eq!(found.len(), 1, "README.md: one block with the mark `{mark}`");
    found.into_iter().next().unwrap().text
}

/// The program in a folder, as a person has it: no CI job, 100 columns.
fn command(program: &str, folder: &Path) -> Command {
    let mut c = Command::new(program);
    c.current_dir(folder).env("COLUMNS", "100");
    for (name, _) in
        std::env::vars().filter(|(n, _)| n.starts_with("RAGLINE_") || n.starts_with("GITHUB_") || n == "CI")
    {
        c.env_remove(name);
    }
    c
}

fn ragline(folder: &Path, args: &[&str]) -> Output {
    command(env!("CARGO_BIN_EXE_ragline"), folder).args(args).output().unwrap()
}

fn said(out: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&out.stdout), String::from_utf8_lossy(&out.stderr))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// This repository's own project in a folder that may be written to.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for name in ["suites", "fixtures"] {
        copy(&root().join(name), &folder.path().join(name));
    }
    for name in ["ragline.toml", "thresholds.toml"] {
        fs::copy(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

#[cfg(unix)]
#[test]
fn the_first_suite_of_the_readme_goes_from_red_to_green_to_red() {
    let readme = read("README.md");
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("suites")).unwrap();
    fs::write(folder.path().join("suites/help.yaml"), marked(&readme, "first suite: suites/help.yaml")).unwrap();
    fs::write(folder.path().join("answers.jsonl"), marked(&readme, "first suite: answers.jsonl")).unwrap();
    let binary = Path::new(env!("CARGO_BIN_EXE_ragline")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap());
    let mut codes = Vec::new();
    for line in marked(&readme, "first suite: commands").lines() {
        let wanted = match line.split_once("# exit ") {
            Some((_, rest)) => rest.chars().next().and_then(|c| c.to_digit(10)).unwrap(),
            None => 0,
        };
        let out = command("sh", folder.path()).args(["-c", line]).env("PATH", &path).output().unwrap();
        assert_eq!(out.status.code(), i32::try_from(wanted).ok(), "{line}\n{}", said(&out));
        codes.push(wanted);
        if wanted == 1 {
            assert!(said(&out).contains("help::return-window  regressed"), "{}", said(&out));
        }
    }
    assert_eq!(codes, [2, 0, 0, 0, 1]);
}

#[test]
fn the_readmes_first_command_is_green_and_asks_what_it_says() {
    assert!(read("README.md").contains("cargo run --release -- run     # 128 questions"));
    let folder = project();
    let out = ragline(folder.path(), &["run"]);
    assert_eq!(out.status.code(), Some(0), "{}", said(&out));
    assert!(said(&out).contains("4 suites · 128 questions"), "{}", said(&out));
}

/// Every line of the shown red build is a line of the program's, in the same order; `…` stands for lines left out. To
/// refresh it, run the documented command and copy.
#[test]
fn the_red_build_of_the_readme_is_the_programs_own() {
    const ANSWERS: &str = "fixtures/shop/regressed.vi.jsonl";
    let readme = read("README.md");
    let shown = marked(&readme, "red build");
    assert!(readme.contains(&format!("cargo run --release -- run --answers {ANSWERS}")));
    let folder = project();
    let in_order = |output: &str, lines: &mut dyn Iterator<Item = &str>| {
        let mut rest = output.lines();
        for line in lines.filter(|l| l.trim() != "…" && !l.trim().is_empty()) {
            assert!(
                rest.any(|l| l == line),
                "README.md shows a line that the program does not print there:\n{line}\n{output}"
            );
        }
    };

    // One accepted answer, altered: the block of that question.
    let accepted = read("suites/shop-vi.accepted.jsonl");
    let altered: Vec<String> = accepted
        .lines()
        .map(|l| {
            if l.contains("\"id\":\"return-window\"") {
                l.replacen("trong 7 ngày", "trong 17 ngày", 1)
            } else {
                l.into()
            }
        })
        .collect();
    fs::write(folder.path().join("one.jsonl"), altered.join("\n")).unwrap();
    let out = ragline(folder.path(), &["run", "--answers", "one.jsonl"]);
    assert_eq!(out.status.code(), Some(1), "{}", said(&out));
    in_order(&said(&out), &mut shown.lines().take_while(|l| !l.starts_with("GATE")));

    // The recording that the README names, where it is there: all that is shown.
    if folder.path().join(ANSWERS).exists() {
        let out = ragline(folder.path(), &["run", "--answers", ANSWERS]);
        assert_eq!(out.status.code(), Some(1), "{}", said(&out));
        in_order(&said(&out), &mut shown.lines());
    }
}

fn source(block: &Block) -> Arc<Source> {
    Arc::new(Source { path: format!("{}:{}", block.page, block.line), text: block.text.clone() })
}

fn rendered(problems: &Problems) -> String {
    problems.0.iter().map(|p| render(p, false)).collect()
}

fn suites() -> Vec<Suite> {
    let paths = load::discover(&root().join("")).unwrap();
    load::load_all(&paths, root()).unwrap().0
}

/// Reads an example as the file that it is marked as; what the reader says against it.
fn problems_of(block: &Block, kind: &str) -> String {
    let text = source(block);
    let folder = root().join("suites");
    match kind {
        "suite" | "suite.jsonl" => {
            let path = folder.join(if kind == "suite" { "example.yaml" } else { "example.jsonl" });
            match load::load_source(&path, &text) {
                Ok((suite, warnings)) => {
                    let corpus = suite.corpus.as_ref().map(|c| Corpus::load(c, "corpus").unwrap());
                    rendered(&warnings) + &rendered(&lint::lint(&suite, corpus.as_ref()))
                }
                Err(p) => rendered(&p),
            }
        }
        "thresholds" => match Thresholds::parse(&text) {
            Ok(t) => rendered(&t.bind(&suites(), ["pr", "nightly"])),
            Err(p) => rendered(&p),
        },
        "ragline" => {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("ragline.toml");
            fs::write(&path, &text.text).unwrap();
            match config::load_file(&path, &text.path) {
                Ok((_, warnings)) => rendered(&warnings),
                Err(p) => rendered(&p),
            }
        }
        "baseline" => match Baseline::parse(&text) {
            // The canonical form, as `ragline accept` writes it.
            Ok(b) if b.to_toml() == text.text => String::new(),
            Ok(b) => format!("not in canonical form, which is\n{}", b.to_toml()),
            Err(p) => rendered(&p),
        },
        "decisions" => decisions::parse(&text.text, &text.path).err().map(|p| rendered(&p)).unwrap_or_default(),
        "expected" => Named::parse(&text).err().map(|p| rendered(&p.into())).unwrap_or_default(),
        "responses" => {
            let lines = text.text.lines().filter(|l| !l.contains("\"kind\":\"responses\""));
            lines.filter_map(|l| response::parse(l.as_bytes()).err().map(|e| format!("{e:?} in {l}\n"))).collect()
        }
        other => format!("no reader for a file of kind `{other}`"),
    }
}

#[test]
fn examples_that_are_files_can_be_read() {
    let mut read = BTreeSet::new();
    for (page, text) in pages() {
        for block in blocks(&page, &text) {
            let kind = match block.mark.as_deref() {
                Some("first suite: suites/help.yaml") => Some("suite"),
                Some("first suite: answers.jsonl") => Some("responses"),
                Some(m) => m.strip_prefix("file: "),
                None => None,
            };
            let whole = block.text.starts_with("version: 1") || block.text.starts_with("version = 1");
            let known = ["yaml", "toml", "json", "jsonc"].contains(&block.language.as_str());
            assert!(!(whole && known && kind.is_none()), "{page}:{}: a whole file without its mark", block.line);
            if let Some(kind) = kind {
                let problems = problems_of(&block, kind);
                assert!(problems.is_empty(), "{page}:{}\n{problems}", block.line);
                read.insert(kind.to_owned());
            }
        }
    }
    let kinds = ["baseline", "decisions", "expected", "ragline", "responses", "suite", "suite.jsonl", "thresholds"];
    assert_eq!(read, kinds.map(String::from).into());
}

#[test]
fn json_of_the_manual_is_json() {
    for (page, text) in pages() {
        for block in blocks(&page, &text).iter().filter(|b| b.language == "json") {
            for line in block.text.lines() {
                if let Err(e) = serde_json::from_str::<serde_json::Value>(line) {
                    panic!("{page}:{}: {e}: {line}", block.line);
                }
            }
        }
    }
}

/// What a list of the manual must name, as `code`.
fn names_all<'a>(page: &str, what: &str, names: impl IntoIterator<Item = &'a str>) {
    let text = read(page);
    // `a`, `a` `b`, or `a.b` of the code spans.
    let spans: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    for name in names {
        let named =
            spans.iter().any(|s| s.split([' ', ',', ':', '=', '{', '}', '(', ')', '|', '[', ']']).any(|w| w == name));
        assert!(named, "{page} does not name the {what} `{name}`");
    }
}

#[test]
fn every_code_state_rule_and_metric_is_in_the_manual() {
    let index = read("docs/README.md");
    for code in Code::ALL {
        assert!(index.contains(&format!("[{code}](findings/{code}.md)")), "docs/README.md does not list {code}");
    }
    names_all("docs/baseline.md", "change", Change::ALL.map(Change::name));
    names_all("docs/thresholds.md", "rule", COUNT_RULES);
    names_all("docs/thresholds.md", "metric", Metric::NAMES);
}

#[test]
fn every_exit_code_is_in_the_tables() {
    let exits =
        [Exit::Open, Exit::Closed, Exit::Usage, Exit::Incomplete, Exit::NothingSelected, Exit::ReportNotWritten];
    for page in ["README.md", "docs/thresholds.md"] {
        let text = read(page);
        let table = text.split("Exit codes\n").last().unwrap();
        for exit in exits {
            assert!(table.contains(&format!("\n| {} | ", exit.code())), "{page}: no row for exit code {}", exit.code());
        }
    }
}

#[test]
fn every_command_and_flag_is_in_the_manual() {
    let all: String = pages().into_iter().map(|(_, text)| text).collect();
    let index = read("docs/README.md");
    let words = |args: &[&str]| said(&ragline(root(), args));
    let commands = |help: &str| -> Vec<String> {
        let list = help.split("Commands:\n").nth(1).unwrap_or_default().split("\n\n").next().unwrap_or_default();
        let names = list.lines().filter(|l| l.starts_with("  ") && !l.starts_with("   "));
        names.filter_map(|l| l.split_whitespace().next()).filter(|n| *n != "help").map(str::to_owned).collect()
    };
    let top = commands(&words(&["--help"]));
    assert!(top.len() >= 6, "{top:?}");
    for name in &top {
        assert!(index.contains(&format!("`ragline {name}")), "docs/README.md does not list `ragline {name}`");
        let help = words(&[name, "--help"]);
        let mut flags = help.clone();
        for format in commands(&help) {
            assert!(all.contains(&format!("ragline {name} {format}")), "no page shows `ragline {name} {format}`");
            flags += &words(&[name, &format, "--help"]);
        }
        for flag in flags.split_whitespace().filter(|w| w.starts_with("--") && w.len() > 3) {
            let flag = flag.trim_end_matches([',', '.', ';', ':', '`', ')']);
            // `--github[=<GITHUB>]`
            let flag = flag.split_once('[').map_or(flag, |(name, _)| name);
            if !["--help", "--version", "--directory"].contains(&flag) {
                assert!(all.contains(flag), "no page names `{flag}` of `ragline {name}`");
            }
        }
    }
}

/// The keys of a schema, at every level.
fn keys(value: &serde_json::Value, found: &mut BTreeSet<String>) {
    match value {
        serde_json::Value::Object(map) => {
            for (name, inner) in map {
                if name == "properties"
                    && let serde_json::Value::Object(properties) = inner
                {
                    found.extend(properties.keys().cloned());
                }
                keys(inner, found);
            }
        }
        serde_json::Value::Array(items) => items.iter().for_each(|i| keys(i, found)),
        serde_json::Value::Null
        | serde_json::Value::Bool(_)
        | serde_json::Value::Number(_)
        | serde_json::Value::String(_) => {}
    }
}

#[test]
fn every_key_of_a_file_is_in_its_page() {
    for (kind, page) in [
        ("suite", "docs/suites.md"),
        ("responses", "docs/recordings.md"),
        ("decisions", "docs/html.md"),
        ("ragline", "docs/targets.md"),
        ("thresholds", "docs/thresholds.md"),
    ] {
        let schema: serde_json::Value = serde_json::from_str(&schema::schema(kind).unwrap()).unwrap();
        let mut found = BTreeSet::new();
        keys(&schema, &mut found);
        assert!(found.contains("version"), "{kind}: {found:?}");
        let text = read(page);
        for key in found {
            let named = text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|w| w == key);
            assert!(named, "{page} does not name `{key}` of {kind}");
        }
    }
}

/// The heading's anchor as forges make it.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'))
        .map(|c| if c == ' ' { '-' } else { c })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    for (page, text) in pages() {
        for target in prose(&text).split("](").skip(1).filter_map(|t| t.split(')').next()) {
            if target.starts_with("https://") {
                continue;
            }
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let folder = Path::new(&page).parent().unwrap();
            let file = if path.is_empty() { root().join(&page) } else { root().join(folder).join(path) };
            assert!(file.exists(), "{page}: `{target}` leads nowhere");
            if !heading.is_empty() {
                let there = fs::read_to_string(&file).unwrap();
                let found = there.lines().filter(|l| l.starts_with('#')).any(|l| anchor(l) == heading);
                assert!(found, "{page}: `{target}`: no such heading");
            }
        }
    }
}

/// The example of docs/harness.md, compiled.
#[allow(dead_code)]
mod target_in_rust {
    use ragline::layer::Provides;
    use ragline::target::response::{Answer, Context, Response};
    use ragline::target::{Pending, Reply, Request, Target};

    struct Bot;

    impl Target for Bot {
        fn name(&self) -> &str {
            "bot"
        }
        fn provides(&self) -> Provides {
            Provides { answer: true, contexts: true, citations: false }
        }
        fn subject(&self) -> Option<String> {
            Some("prompt 14".into())
        }
        fn ask<'a>(&'a self, request: Request<'a>) -> Pending<'a> {
            Box::pin(async move {
                let answer = format!("You asked: {}", request.question);
                Reply::Response(Response {
                    id: request.id.to_owned().into(),
                    answer: Answer::Text(answer.into()),
                    contexts: Some(vec![Context {
                        doc: Some("returns.md".into()),
                        text: Some("Items may be returned within 7 days.".into()),
                        ..Context::default()
                    }]),
                    ..Response::default()
                })
            })
        }
    }

    fn main() -> std::process::ExitCode {
        ragline::harness::Harness::new(".").target(Bot).main()
    }
}

#[test]
fn the_target_of_the_manual_is_the_one_that_compiles() {
    let manual = read("docs/harness.md");
    let shown =
        blocks("docs/harness.md", &manual).into_iter().find(|b| b.mark.as_deref() == Some("rust: target")).unwrap();
    let bare = |text: &str| text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n");
    assert!(bare(include_str!("readme.rs")).contains(&bare(&shown.text)), "compile it in tests/readme.rs too");
}
