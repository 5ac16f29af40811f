//! `ragline explain` knows every code that a person can meet: the findings, and what can be wrong with files and commands. The
//! codes are read from the sources, the examples of the pages are tried out.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by them")]

#[path = "../binary_kit/mod.rs"]
mod binary_kit;
// Some of the examples are targets that are asked over HTTP.
#[cfg(feature = "http")]
mod examples;
mod sources;

use binary_kit::Folder;
use ragline::layer::Code;
use ragline::problem::manual;
use std::collections::BTreeSet;

/// What a project may be that has no fault of its own.
const SUITE: &str = "version: 1\nsuite: shop\nquestions:\n  - { id: a, question: When?, facts: [9 am] }\n";

#[test]
fn every_code_of_the_sources_has_a_section_and_every_section_a_code() {
    let all = sources::codes();
    let made: BTreeSet<String> = all.iter().map(|m| m.code.clone()).collect();
    let told: Vec<&str> = manual::sections().map(|s| s.code).collect();
    let set: BTreeSet<String> = told.iter().map(|c| (*c).to_owned()).collect();
    assert_eq!(told.len(), set.len(), "a code has two sections");
    let without: Vec<_> = all.iter().filter(|m| !set.contains(&m.code)).collect();
    let gone: Vec<&String> = set.difference(&made).collect();
    assert!(without.is_empty(), "no section in docs/problems for {without:#?}");
    assert!(gone.is_empty(), "a section in docs/problems for a code that nothing makes: {gone:?}");
    // Codes that are known to be there, of each way in which one is written.
    for code in
        ["no-access", "yaml-syntax", "threshold-cut-off", "response-line", "env-missing", "evidence-stale", "ca"]
    {
        assert!(made.contains(code), "{code} was not read from the sources");
    }
}

#[test]
fn every_page_of_the_folder_is_carried() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/problems");
    let mut headings = BTreeSet::new();
    for file in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(file.unwrap().path()).unwrap();
        for line in text.lines().filter_map(|l| l.strip_prefix("## ")) {
            let code = line.strip_prefix('`').and_then(|l| l.strip_suffix('`'));
            headings.insert(code.unwrap_or_else(|| panic!("a heading is no code: {line}")).to_owned());
        }
    }
    assert_eq!(headings, manual::sections().map(|s| s.code.to_owned()).collect());
}

#[test]
fn a_section_says_what_is_wrong_in_a_sentence_and_more() {
    for s in manual::sections() {
        let first = s.first_sentence();
        assert!(first.ends_with('.') && (20..=125).contains(&first.chars().count()), "{}: {first}", s.code);
        let prose = s.text.split("\n```").next().unwrap();
        assert!(prose.lines().count() <= 6, "{}: longer than it should be", s.code);
    }
}

#[test]
fn a_code_of_either_kind_is_explained() {
    let folder = Folder::new();
    let of = |code: &str| folder.run(&["explain", code]);
    of("no-access").exits(0).shows(&["# no-access\n\nThe system answers 401 or 403", "--header"]);
    of("fact-missing").exits(0).shows(&["# fact-missing\n", "\n## What to try\n"]);
    // Both: found before a run, and in it.
    for code in ["evidence-stale", "nothing-asserted"] {
        let section = manual::section(code).unwrap();
        of(code).exits(0).shows(&[&format!("# {code}\n"), "\n## When the suite is read\n\n", section.text]);
    }
    for s in manual::sections() {
        assert!(of(s.code).exits(0).out.contains(s.text), "{}", s.code);
    }
}

#[test]
fn without_a_code_both_kinds_are_listed_findings_first() {
    let shown = Folder::new().run(&["explain"]).exits(0).out;
    let at = |code: &str| shown.find(&format!("\n{code} ")).unwrap_or_else(|| panic!("{code} is not in:\n{shown}"));
    let last = Code::ALL.iter().map(|c| at(c.as_str())).max().unwrap();
    let findings: BTreeSet<&str> = Code::ALL.iter().map(|c| c.as_str()).collect();
    for s in manual::sections().filter(|s| !findings.contains(s.code)) {
        assert!(at(s.code) > last, "{} stands among the findings", s.code);
    }
    assert!(
        shown.contains("no-access                  The system answers 401 or 403 to `ragline init --target`: it wants")
    );
    assert_eq!(shown.matches("\nevidence-stale ").count(), 2, "of both kinds");
}

#[test]
fn a_mistyped_code_names_what_is_near_of_both_kinds() {
    let of = |code: &str| Folder::new().run(&["explain", code]).exits(2).err;
    assert_eq!(of("no-acces"), "error: there is no code `no-acces`; did you mean `no-access`?\n");
    assert_eq!(of("fact-mising"), "error: there is no code `fact-mising`; did you mean `fact-missing`?\n");
    // A finding and a set-up code: `answer-missing` is one edit away, `answers-missing` one too.
    assert_eq!(
        of("answermissing"),
        "error: there is no code `answermissing`; did you mean `answer-missing` or `answers-missing`?\n"
    );
    assert_eq!(of("evidence-stal"), "error: there is no code `evidence-stal`; did you mean `evidence-stale`?\n");
    assert_eq!(of("zzz"), "error: there is no code `zzz`; `ragline explain` lists them\n");
}

#[test]
fn a_message_ends_with_the_command_that_explains_its_first_error() {
    let bare = Folder::new();
    let two =
        Folder::with(&[("suites/shop.yaml", "version: 2\nquestions:\n  - { id: a, qestion: When?, facts: [9 am] }\n")]);
    let warned = Folder::with(&[("suites/shop.yaml", &SUITE.replace("9 am", "x"))]);
    for (folder, args, hint) in [
        (&bare, &["run"][..], Some("no-suite")),
        (&two, &["run"][..], Some("version-unknown")),
        (&two, &["lint"][..], Some("version-unknown")),
        (&two, &["accept", "all"][..], Some("version-unknown")),
        (&warned, &["lint"][..], None),
        (&warned, &["run"][..], Some("no-corpus")),
        (&warned, &["run", "--target", "x"][..], Some("unknown-target")),
    ] {
        let err = folder.run(args).err;
        let found: Vec<&str> = err.lines().filter_map(|l| l.strip_prefix("explain  ragline explain ")).collect();
        assert_eq!(found, hint.into_iter().collect::<Vec<_>>(), "{args:?}\n{err}");
        if let Some(code) = hint {
            assert_eq!(err.lines().last(), Some(&*format!("explain  ragline explain {code}")), "{err}");
            let first = err.lines().find_map(|l| l.strip_prefix("error[")).unwrap();
            assert!(first.starts_with(&format!("{code}]")), "{err}");
            folder.run(&["explain", code]).exits(0);
        }
    }
}
