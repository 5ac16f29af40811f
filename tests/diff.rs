//! `ragline diff`: two runs, question by question.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may")]

mod binary_kit;
mod data_kit;

use binary_kit::{Folder, lines};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write as _;

/// A line of results: the outcome of retrieval and of facts, with what else is said.
fn line(id: &str, retrieval: &str, facts: &str, more: &Value) -> String {
    let outcome = if [retrieval, facts].contains(&"fail") { "fail" } else { "pass" };
    let mut line = json!({
        "suite": "s", "id": id, "outcome": outcome, "change": "unchanged", "expects": "e1",
        "layers": {
            "retrieval": { "outcome": retrieval, "change": "unchanged" }, "facts": { "outcome": facts, "change": "unchanged" },
        },
    });
    for (name, value) in more.as_object().unwrap() {
        line[name] = value.clone();
    }
    format!("{line}\n")
}

fn results(lines: impl IntoIterator<Item = String>) -> String {
    let head = json!({ "version": 1, "kind": "results", "ragline": "0.1.0", "suites": [] });
    format!("{head}\n{}", lines.into_iter().collect::<String>())
}

/// So many questions of which the first pass, by state of the facts.
fn simple(n: usize, right: impl Fn(usize) -> bool, more: impl Fn(usize) -> Value) -> String {
    results((0..n).map(|i| line(&format!("q{i:02}"), "pass", if right(i) { "pass" } else { "fail" }, &more(i))))
}

fn none(_: usize) -> Value {
    json!({})
}

fn object(folder: &Folder, args: &[&str]) -> Value {
    let args = [&["diff"], args, &["--json"]].concat();
    lines(&folder.run(&args).exits(0).out).next().unwrap()
}

fn test<'a>(object: &'a Value, family: &str, name: &str) -> &'a Value {
    let families = object["families"].as_array().unwrap();
    let tests = families.iter().find(|f| f["family"] == family).unwrap()["tests"].as_array().unwrap();
    tests.iter().find(|t| t["of"] == name).unwrap_or_else(|| panic!("no {name} in {family}"))
}

#[track_caller]
fn near(v: &Value, right: f64, off: f64) {
    assert!(v.as_f64().is_some_and(|x| (x - right).abs() <= off), "{v} is not {right}");
}

/// An article's comparison: one question more of 27 is no winner.
#[test]
fn nineteen_and_twenty_of_27_are_noise() {
    let folder = Folder::new();
    folder.write("a.jsonl", simple(27, |i| i < 19, none).as_bytes());
    // Two that were right are wrong, three that were wrong are right.
    folder.write("b.jsonl", simple(27, |i| (2..19).contains(&i) || (20..23).contains(&i), none).as_bytes());
    let ran = folder.run(&["diff", "a.jsonl", "b.jsonl"]).exits(0).shows(&[
        "a → b: 27 questions asked by both with the same expectations",
        "passed     17            2            3            5",
        ".704   .741   +.037 [-.150, +.227]",
        "noise",
        "No difference between a and b is shown: all 3 are within noise.",
        "facts  2 no longer pass, 3 pass now",
        "✗ s::q00  pass → fail",
        "✓ s::q20  fail → pass",
    ]);
    assert!(!ran.out.contains("better"), "{}", ran.out);
    let o = object(&folder, &["a.jsonl", "b.jsonl"]);
    let passed = test(&o, "layers", "passed");
    near(&passed["exact"], 1.0, 1e-12);
    near(&passed["mid"], 0.6875, 1e-12);
    assert_eq!((&passed["changed"], &passed["differs"]), (&json!([2, 3]), &json!(false)));
    assert!(passed["unseen_below"].as_f64().unwrap() > 0.25, "{passed}");
    let counts = &o["tables"][0]["counts"];
    assert_eq!(
        (&counts["pass"]["fail"], &counts["fail"]["pass"], &counts["fail"]["fail"]),
        (&json!(2), &json!(3), &json!(5))
    );
    folder.run(&["compare", "a.jsonl", "b.jsonl"]).exits(0).shows(&["there is no winner among them"]);
}

/// Passed and facts are the same questions, and count as one test; retrieval never differs.
#[test]
fn what_differs_is_named_behind_holm() {
    let folder = Folder::new();
    folder.write("a.jsonl", simple(40, |_| true, none).as_bytes());
    folder.write("b.jsonl", simple(40, |i| i >= 7, none).as_bytes());
    let o = object(&folder, &["old=a.jsonl", "new=b.jsonl"]);
    let (passed, retrieval) = (test(&o, "layers", "passed"), test(&o, "layers", "retrieval"));
    near(&passed["p"], 0.5_f64.powi(7), 1e-12);
    near(&passed["adjusted"], 2.0 * 0.5_f64.powi(7), 1e-12);
    assert_eq!((&retrieval["differs"], &retrieval["p"]), (&json!(false), &json!(1.0)));
    // Its level is .05, since nothing else is left: five losses of forty.
    near(&retrieval["unseen_below"], 0.163, 0.001);
    folder.run(&["diff", "old=a.jsonl", "new=b.jsonl"]).exits(0).shows(&[
        "passed: old is better than new by .175, 7 questions against 0, p .016 after Holm.",
        "facts: old is better than new by .175",
        "The other 1 of 3 differences are within noise.",
    ]);
    // The policy may name other layers: what is not primary is shown and not tested.
    folder.write("thresholds.toml", b"version = 1\nprimary = [\"retrieval\"]\n");
    folder.run(&["diff", "a.jsonl", "b.jsonl"]).exits(0).shows(&["not tested"]);
    assert_eq!(test(&object(&folder, &["a.jsonl", "b.jsonl"]), "layers", "facts")["adjusted"], Value::Null);
}

/// Twenty questions of five groups: all of two groups break, which is two facts and not eight.
#[test]
fn a_group_counts_once() {
    let folder = Folder::new();
    let of = |i: usize| json!({ "group": format!("g{}", i / 4) });
    folder.write("a.jsonl", simple(40, |_| true, of).as_bytes());
    folder.write("b.jsonl", simple(40, |i| i >= 8, of).as_bytes());
    let o = object(&folder, &["a.jsonl", "b.jsonl"]);
    let passed = test(&o, "layers", "passed");
    assert_eq!(
        (&o["groups"], &passed["groups"], &passed["test"]),
        (&json!(10), &json!(10), &json!("sign flips of groups"))
    );
    near(&passed["exact"], 2.0 * 0.5_f64.powi(8), 1e-12);
    near(&passed["p"], 0.5, 1e-12);
    assert_eq!(passed["differs"], false);
    folder.run(&["diff", "a.jsonl", "b.jsonl"]).exits(0).shows(&["in 10 groups", "flips", "those of a group together"]);
}

#[test]
fn tags_are_a_family_of_their_own() {
    let folder = Folder::new();
    let of = |i: usize| json!({ "tags": if i < 10 { json!(["退货", "all"]) } else { json!(["ค่าจัดส่ง", "all"]) } });
    folder.write("a.jsonl", simple(40, |_| true, of).as_bytes());
    folder.write("b.jsonl", simple(40, |i| i >= 9, of).as_bytes());
    let o = object(&folder, &["a.jsonl", "b.jsonl"]);
    let broken = test(&o, "parts", "tag 退货");
    assert_eq!((&broken["n"], &broken["changed"], &broken["differs"]), (&json!(10), &json!([9, 0]), &json!(true)));
    near(&broken["adjusted"], 3.0 * 0.5_f64.powi(9), 1e-12);
    assert_eq!(test(&o, "parts", "tag ค่าจัดส่ง")["differs"], false);
    let ran = folder.run(&["diff", "a.jsonl", "b.jsonl"]).exits(0).shows(&["by part", "tag 退货: a is better than b"]);
    // Columns align whatever the script.
    let column = |start: &str| {
        let line = ran.out.lines().find(|l| l.trim_start().starts_with(start)).unwrap();
        let at = line.find(|c: char| c == '1' && line.contains("1.000")).unwrap();
        unicode_width::UnicodeWidthStr::width(line.get(..at).unwrap())
    };
    assert_eq!(column("tag 退货  "), column("tag ค่าจัดส่ง"), "{}", ran.out);
}

#[test]
fn what_is_not_the_same_question_stands_apart() {
    let folder = Folder::new();
    let of = |i: usize| if i == 3 { json!({ "expects": "other" }) } else { json!({}) };
    folder.write("a.jsonl", simple(12, |_| true, none).as_bytes());
    folder.write("b.jsonl", (simple(11, |i| i != 3, of) + &line("q20", "pass", "fail", &json!({}))).as_bytes());
    folder.run(&["diff", "a.jsonl", "b.jsonl"]).exits(0).shows(&[
        "a → b: 10 questions asked by both with the same expectations",
        "left out, only in a: 1 (s::q11)",
        "left out, only in b: 1 (s::q20)",
        "left out, other expectations: 1 (s::q03 pass → fail)",
        "passed     10            0",
    ]);
    let o = object(&folder, &["a.jsonl", "b.jsonl"]);
    assert_eq!((&o["only_first"], &o["only_second"]), (&json!(["s::q11"]), &json!(["s::q20"])));
    assert_eq!(o["edited"], json!([{ "id": "s::q03", "first": "pass", "second": "fail" }]));
    // What was not measured is in no table of pass and fail.
    folder.write(
        "c.jsonl",
        results([line("q00", "unmeasured", "pass", &json!({})), line("q01", "skipped", "pass", &json!({}))]).as_bytes(),
    );
    folder
        .run(&["diff", "a.jsonl", "c.jsonl"])
        .exits(0)
        .shows(&["retrieval  2 no longer pass", "✗ s::q00  pass → unmeasured"]);
}

#[test]
fn layers_say_why_their_questions_changed() {
    let folder = Folder::new();
    let bad = json!({
        "diagnosis": { "row": 12, "layer": "generation", "next": "look at the prompt" },
        "layers": {
            "retrieval": { "outcome": "pass", "change": "unchanged" },
            "facts": { "outcome": "fail", "change": "regressed", "findings": [
                { "code": "fact-missing", "message": "\u{1b}[31mthe answer does not state 七天" },
            ] },
        },
    });
    folder.write("a.jsonl", results([line("q1", "pass", "pass", &json!({}))]).as_bytes());
    folder.write("b.jsonl", results([line("q1", "pass", "fail", &bad)]).as_bytes());
    let said = "generation (row 12): fact-missing";
    let ran = folder.run(&["diff", "a.jsonl", "b.jsonl"]).exits(0).shows(&[said, "the answer does not state 七天"]);
    assert!(!ran.out.contains('\u{1b}'), "{:?}", ran.out);
    folder.run(&["diff", "b.jsonl", "a.jsonl"]).exits(0).shows(&[&format!("was {said}")]);
    let change = &object(&folder, &["a.jsonl", "b.jsonl"])["changes"][0];
    assert_eq!(change["layer"], "facts");
    assert_eq!(change["questions"][0]["next"], "look at the prompt");
    // One question is too few to say anything.
    folder.run(&["diff", "a.jsonl", "b.jsonl"]).exits(0).shows(&["noise", "any"]);
}

#[test]
fn narrow_terminals_are_kept_to() {
    let folder = Folder::new();
    let of = |i: usize| json!({ "tags": [format!("tag-{i}")], "group": format!("g{}", i / 2) });
    folder.write("a.jsonl", simple(12, |_| true, of).as_bytes());
    folder.write("b.jsonl", simple(12, |i| i > 2, of).as_bytes());
    for width in [40, 60, 100] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_ragline"));
        let out = command.current_dir(folder.path()).args(["diff", "a.jsonl", "b.jsonl"]);
        let out = out.env("COLUMNS", width.to_string()).output().unwrap();
        let text = String::from_utf8(out.stdout).unwrap();
        let wide = text.lines().map(unicode_width::UnicodeWidthStr::width).max().unwrap();
        assert!(wide <= width, "{wide} columns of {width}:\n{text}");
    }
}

const TARGETS: &str =
    "version = 1\n[targets.t]\nkind = \"recorded\"\nfile = \"answers.jsonl\"\nprovides = [\"answer\"]\n";

/// Runs of a real project: a folder, an id, `latest`, the archive in which CI keeps a run.
#[test]
fn runs_are_found_wherever_they_lie() {
    let questions: String = (0..9)
        .map(|i| {
            format!(
                "  - {{ id: q{i}, question: Mã số {i} là gì?, facts: [MA-{i}-X], tags: [ma], group: g{} }}\n",
                i / 3
            )
        })
        .collect();
    let suite = format!("version: 1\nlanguage: vi\ntarget: t\nquestions:\n{questions}");
    let folder = Folder::with(&[("ragline.toml", TARGETS), ("suites/s.yaml", &suite)]);
    let answers = |from: usize| -> String {
        let answer =
            |i: usize| if i >= from { format!("Đó là MA-{i}-X.") } else { "Đó là mã khác.".to_owned() };
        (0..9).map(|i| format!("{}\n", json!({ "id": format!("q{i}"), "answer": answer(i) }))).collect()
    };
    folder.write("answers.jsonl", answers(0).as_bytes());
    folder.run(&["run"]);
    let first = folder.last_run();
    folder.write("answers.jsonl", answers(3).as_bytes());
    folder.run(&["run"]);
    let mut zip = zip::ZipWriter::new(std::fs::File::create(folder.path().join("first.zip")).unwrap());
    for name in ["run.json", "results.jsonl", "journal.jsonl"] {
        zip.start_file(format!("a/{name}"), zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(&std::fs::read(first.join(name)).unwrap()).unwrap();
    }
    zip.finish().unwrap();
    std::fs::create_dir(folder.path().join("above")).unwrap();
    std::fs::rename(&first, folder.path().join("above/run")).unwrap();
    std::fs::create_dir(&first).unwrap();
    for name in ["run.json", "results.jsonl", "journal.jsonl"] {
        std::fs::copy(folder.path().join("above/run").join(name), first.join(name)).unwrap();
    }
    let id = first.file_name().unwrap().to_str().unwrap();
    let path = first.to_str().unwrap();
    for given in [id, path, "above", "above/run", "first.zip", &format!("before={id}"), "first.zip"] {
        let o = object(&folder, &[given, "latest"]);
        assert_eq!((&o["questions"], &o["groups"]), (&json!(9), &json!(3)), "{given}");
        assert_eq!(test(&o, "parts", "tag ma")["changed"], json!([3, 0]), "{given}");
        assert_eq!(o["other_rules"], json!([]));
    }
    // Other rules may be what differs.
    let record = std::fs::read_to_string(first.join("run.json")).unwrap();
    let own: Value = serde_json::from_str(&record).unwrap();
    let measure = own["suites"][0]["measure"].as_str().unwrap();
    std::fs::write(first.join("run.json"), record.replace(measure, "another")).unwrap();
    folder.run(&["diff", id, "latest"]).exits(0).shows(&["judged by other rules in the two runs: s."]);
    // Nothing to compare, and nothing there.
    folder.run(&["diff", "nowhere", "latest"]).exits(2).says(&["nowhere"]);
    folder.run(&["diff", "suites/s.yaml", "latest"]).exits(2).says(&["error[results-unreadable]"]);
    folder.write("empty.jsonl", results([]).as_bytes());
    folder.run(&["diff", "empty.jsonl", "latest"]).exits(2).says(&["no question was asked by both runs"]);
    folder.run(&["diff", id, id]).exits(0).shows(&["A → B: 9 questions", "No difference between A and B is shown"]);
}

/// A report states 23 of 27 with its interval.
#[test]
fn twenty_three_of_27_has_its_interval() {
    let questions: String =
        (0..27).map(|i| format!("  - {{ id: q{i}, question: Mã số {i} là gì?, facts: [MA-{i}-X] }}\n")).collect();
    let suite = format!("version: 1\nlanguage: vi\ntarget: t\nquestions:\n{questions}");
    let folder = Folder::with(&[("ragline.toml", TARGETS), ("suites/s.yaml", &suite)]);
    let answer = |i: usize| if i >= 4 { format!("Đó là MA-{i}-X.") } else { "Đó là mã khác.".to_owned() };
    let answers: String =
        (0..27).map(|i| format!("{}\n", json!({ "id": format!("q{i}"), "answer": answer(i) }))).collect();
    folder.write("answers.jsonl", answers.as_bytes());
    folder.run(&["run"]).shows(&[
        "facts          23/27   .85 [.68, .94]",
        "27 questions cannot show that a layer fell by less than about 20 points.",
    ]);
}

/// The article's random line: five of 51 passages, one of which is right. `H_5 / 51`.
#[test]
fn the_random_line_of_51_passages() {
    let ran = Folder::new().run(&["inspect", "retrieval", "0", "1", "0", "--pool", "51", "-k", "5", "--json"]).exits(0);
    let object = lines(&ran.out).next().unwrap();
    near(&object["random"]["mrr@5"], 0.0448, 5e-5);
    near(&object["random"]["mrr"], 0.0886, 5e-5);
    Folder::new().run(&["inspect", "retrieval", "0", "1", "--pool", "51", "-k", "5"]).exits(0).shows(&["0.0448"]);
}

/// BM25 against multilingual-e5-small over 298 questions: nothing is shown in either language. In English six questions are
/// found and one is lost at five passages, which would have to be seven and one; in Vietnamese six and four.
#[test]
fn real_retrievers_of_two_languages() {
    let Some(data) = data_kit::folder("c_xquad_runs") else { return };
    let path = |name: String| data.join(name).to_str().unwrap().to_owned();
    for (lang, changed, mid, exact, difference, unseen) in
        [("en", [1, 6], 0.0703, 0.125, 0.0168, 0.03167), ("vi", [4, 6], 0.5488, 0.7539, 0.0067, 0.04260)]
    {
        let folder = Folder::new();
        for system in ["bm25", "e5"] {
            let (qrels, run) = (path(format!("qrels.{lang}.txt")), path(format!("run.{system}.{lang}.txt")));
            let rest = ["--out", system, "--suite", "xq", "--language", lang, "--top-k", "5"];
            folder.run(&[&["import", "trec", "--qrels", &qrels, "--run", &run], &rest[..]].concat()).exits(0);
            let own = folder.path().join(system).to_str().unwrap().to_owned();
            folder.run(&["-C", &own, "run", "--results", &format!("{own}.jsonl")]);
        }
        let o = object(&folder, &["bm25.jsonl", "e5.jsonl"]);
        assert_eq!(o["questions"], 298);
        let passed = test(&o, "layers", "retrieval");
        assert_eq!(passed["changed"], json!(changed), "{lang}");
        near(&passed["mid"], mid, 5.1e-5);
        near(&passed["exact"], exact, 5.1e-5);
        near(&passed["adjusted"], mid, 5.1e-5);
        near(&passed["difference"], difference, 5.1e-5);
        near(&passed["unseen_below"], unseen, 5.1e-6);
        let families = o["families"].as_array().unwrap();
        let all = families.iter().flat_map(|f| f["tests"].as_array().unwrap());
        assert!(all.clone().all(|t| t["differs"] == false), "{lang}");
        // trec_eval's own figures give the same difference of means.
        let of = |system: &str| -> f64 {
            let text = data_kit::text(&format!("c_xquad_runs/out.{system}.{lang}.txt")).unwrap();
            let line = text.lines().find(|l| l.starts_with("success_5") && l.contains("\tall\t")).unwrap().to_owned();
            line.split_whitespace().last().unwrap().parse().unwrap()
        };
        near(&passed["difference"], of("e5") - of("bm25"), 1.1e-4);
        let ids: BTreeSet<&str> =
            o["changes"][0]["questions"].as_array().unwrap().iter().map(|q| q["id"].as_str().unwrap()).collect();
        assert_eq!(ids.len(), changed[0] + changed[1]);
        folder.run(&["diff", "bm25.jsonl", "e5.jsonl"]).exits(0).shows(&["No difference between bm25 and e5 is shown"]);
    }
}
