//! The journey of a team from a spreadsheet to a gate: `scripts/journey.sh` acts it out, and docs/journey.md shows what was
//! typed and printed. `UPDATE_JOURNEY=1 cargo test --test journey` writes it into the page anew; read the difference.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by a panic"
)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

const PAGE: &str = "docs/journey.md";

fn there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|o| o.status.success())
}

/// The page with what the steps printed between its markers, and the steps that it shows.
fn filled(page: &str, steps: &Path) -> (String, BTreeSet<String>) {
    let (mut out, mut shown) = (String::new(), BTreeSet::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push_str(line);
        out.push('\n');
        let Some(name) = line.strip_prefix("<!-- step: ").and_then(|l| l.strip_suffix(" -->")) else { continue };
        let end = format!("<!-- end: {name} -->");
        lines.by_ref().find(|l| *l == end).unwrap_or_else(|| panic!("{PAGE}: no {end}"));
        let text = fs::read_to_string(steps.join(name)).unwrap_or_else(|e| panic!("{PAGE}: step {name}: {e}"));
        if name.ends_with(".md") {
            // As GitHub shows it.
            for line in text.trim_end().lines() {
                out.push_str(format!("> {line}").trim_end());
                out.push('\n');
            }
        } else {
            assert!(!text.contains("\n~~~"), "{name}");
            out.push_str(&format!("~~~console\n{text}~~~\n"));
        }
        out.push_str(&end);
        out.push('\n');
        assert!(shown.insert(name.to_owned()), "{PAGE}: {name} is shown twice");
    }
    (out, shown)
}

#[test]
fn the_page_shows_what_happens() {
    if !there("git") || !there("python3") || !there("bash") {
        eprintln!("SKIPPED: the journey needs git, bash and python3");
        assert!(std::env::var_os("CI").is_none_or(|v| v.is_empty()), "CI has git, bash and python3");
        return;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let done = Command::new("bash")
        .arg(root.join("scripts/journey.sh"))
        .args([Path::new(env!("CARGO_BIN_EXE_ragline")), folder.path()])
        .output()
        .unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));

    let steps = folder.path().join("steps");
    let page = fs::read_to_string(root.join(PAGE)).unwrap();
    let (wanted, shown) = filled(&page, &steps);
    let made: BTreeSet<String> =
        fs::read_dir(&steps).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(made, shown, "{PAGE} shows every step of the script");
    if std::env::var_os("UPDATE_JOURNEY").is_some() {
        fs::write(root.join(PAGE), wanted).unwrap();
        return;
    }
    let differs = wanted.lines().zip(page.lines()).find(|(w, p)| w != p);
    assert!(
        wanted == page,
        "{PAGE} is out of date: UPDATE_JOURNEY=1 cargo test --test journey writes it anew; the first line that differs: {differs:?}"
    );
}
