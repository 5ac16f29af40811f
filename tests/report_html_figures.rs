//! The figures of the terminal, of JUnit, of the HTML report and of the results never disagree: over the demo shop in four
//! languages, as it was accepted and with its planted faults.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::string_slice, reason = "helpers of tests")]

mod html_kit;
mod shop_kit;

use html_kit::Read;
use ragline::core::event::Reporter;
use ragline::core::machine::Finished;
use ragline::drive::record;
use ragline::drive::session::{self, Answers, Options};
use ragline::report::html::{Besides, Html};
use ragline::report::junit::Junit;
use ragline::report::results::Results;
use ragline::report::terminal::{Look, Terminal};
use serde_json::Value;
use shop_kit::{SUITES, root, there_is_a_shop, today};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// A finished run of a suite with these answers, and its reports.
struct Reports {
    finished: Finished,
    terminal: String,
    junit: String,
    html: Read,
    results: Vec<Value>,
}

fn reports(suite: &str, answers: PathBuf) -> Reports {
    let mut options = Options::new(root(), today());
    options.selectors = vec![suite.to_owned()];
    options.answers = Some(Answers::File(answers));
    options.keep = false;
    let finished = session::prepare(&options, None, None).unwrap().run().unwrap().finished;
    let suites = session::open(root()).unwrap().suites;
    let emit = |to: &mut dyn Reporter| record::emit(&finished, to).unwrap();
    let mut terminal = Terminal::new(Vec::new(), Look { width: 200, colour: false });
    emit(&mut terminal);
    let mut junit = Junit::new();
    emit(&mut junit);
    let mut html = Html::new().besides(Besides::gather(&finished, &suites, None));
    emit(&mut html);
    let mut results = Results::new();
    emit(&mut results);
    Reports {
        terminal: String::from_utf8(terminal.into_inner()).unwrap(),
        junit: junit.text().unwrap(),
        html: Read::new(&html.text()),
        results: results.text().lines().skip(1).map(|l| serde_json::from_str(l).unwrap()).collect(),
        finished,
    }
}

/// A share with two decimals, as the reports promise to write it; what is not whole is never a whole.
fn decimal(share: f64) -> String {
    match share {
        0.0 => "0.0".to_owned(),
        1.0 => "1.0".to_owned(),
        _ => format!(".{:02.0}", (share * 100.0).round().min(99.0)),
    }
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap()
}

fn agree(suite: &str, r: &Reports) {
    r.html.is_still();
    decision(suite, r);
    questions(suite, r);
    layers(suite, r);
    crossed(suite, r);
}

/// The decision: its word, its exit code, its rules, how many questions of each change.
fn decision(suite: &str, r: &Reports) {
    let line = r.terminal.lines().find(|l| l.contains("   exit ")).unwrap();
    let (word, exit) = line.split_once("   exit ").unwrap();
    assert_eq!(r.html.named("h1").next().unwrap().text.trim_end(), format!("{word} {suite} exit {}", exit.trim()));
    assert_eq!(exit.trim(), r.finished.decision.exit.code().to_string());
    let mut by_change: BTreeMap<&str, usize> = BTreeMap::new();
    r.results.iter().for_each(|q| *by_change.entry(text(q, "change")).or_default() += 1);
    let counts = r.html.within("top", "a");
    assert_eq!(counts.len(), by_change.len());
    for (change, n) in by_change {
        let link = counts.iter().find(|a| a.get("href") == Some(&format!("#change={change}"))).unwrap();
        assert!(link.text.starts_with(&format!("{n} ")), "{}", link.text);
        assert!(r.terminal.contains(&link.text), "{}", link.text);
        let rows = r.html.id("data").text.matches(&format!("\"change\":\"{change}\"")).count();
        assert_eq!(rows, n, "{change} in the list");
    }
    // JUnit: as many failures of questions as there are verdicts, as many of rules as are broken.
    let doc = roxmltree::Document::parse(&r.junit).unwrap();
    let failures = |of: &str| {
        let suite = doc.descendants().find(|n| n.has_tag_name("testsuite") && n.attribute("name") == Some(of)).unwrap();
        assert_eq!(
            suite.attribute("failures").unwrap().parse::<usize>().unwrap(),
            suite.descendants().filter(|n| n.has_tag_name("failure")).count()
        );
        suite.descendants().filter(|n| n.has_tag_name("failure")).count()
    };
    let failed = r.results.iter().filter(|q| text(q, "verdict") == "failed").count();
    assert_eq!(failures(&format!("rag.{suite}")), failed);
    let rules: Vec<String> =
        r.html.within("top", "li").iter().map(|e| e.text.trim().to_owned()).take(failures("rag.gate")).collect();
    let plain = r.terminal.split_whitespace().collect::<Vec<_>>().join(" ");
    for rule in &rules {
        assert!(plain.contains(rule), "{rule}");
    }
    let broken =
        r.html.all.iter().find(|e| e.is("rules")).map_or(0, |list| list.text.lines().filter(|l| !l.is_empty()).count());
    assert_eq!(broken, failures("rag.gate"));
}

/// Each question once, with its change, its layers, its findings and the figures of its metrics.
fn questions(suite: &str, r: &Reports) {
    let keys: BTreeSet<String> =
        r.html.named("details").filter(|d| d.is("question")).map(|d| d.get("id").unwrap().to_owned()).collect();
    let results: BTreeSet<String> = r.results.iter().map(|q| format!("{suite}::{}", text(q, "id"))).collect();
    assert_eq!(keys, results);
    let doc = roxmltree::Document::parse(&r.junit).unwrap();
    let class = format!("rag.{suite}");
    let cases: BTreeSet<String> = doc
        .descendants()
        .filter(|n| n.has_tag_name("testcase") && n.attribute("classname") == Some(&class))
        .map(|n| format!("{suite}::{}", n.attribute("name").unwrap()))
        .collect();
    assert_eq!(cases, results);
    for q in &r.results {
        let key = format!("{suite}::{}", text(q, "id"));
        let rows = r.html.within(&key, "tr");
        for (name, layer) in q["layers"].as_object().unwrap() {
            let row = rows.iter().find(|row| row.text.starts_with(&format!("{name}\n"))).unwrap();
            let now = row.text.lines().nth(1).unwrap();
            assert!(now.ends_with(text(layer, "outcome")), "{key} {name}: {now}");
            if let Some(was) = layer["was"].as_str() {
                assert!(row.text.lines().nth(2).unwrap().ends_with(was), "{key} {name}");
            }
            for finding in layer["findings"].as_array().into_iter().flatten() {
                assert!(
                    row.text.contains(text(finding, "message")) && row.text.contains(text(finding, "code")),
                    "{key}"
                );
            }
            for metric in ["hit@3", "rr", "ndcg@10"] {
                if let Some(value) = layer["metrics"][metric].as_f64() {
                    let shown = format!("{value:.3}");
                    let shown = shown.trim_end_matches('0').trim_end_matches('.');
                    assert!(row.text.contains(&format!("{metric} {shown}")), "{key} {metric} {shown}: {}", row.text);
                }
            }
        }
        let e = &q["evidence"];
        if r.html.id(&key).text.contains("\nBlame\n") {
            let said: Vec<&str> = r.html.within(&key, "dd").iter().map(|d| d.text.as_str()).collect();
            let facts = ["in_corpus", "in_top_k", "in_prompt", "complete", "answer", "unsupported"]
                .map(|name| e[name].as_bool().map_or("not known", |b| if b { "yes" } else { "no" }));
            assert_eq!(said[said.len() - 6..], facts, "{key}");
        }
    }
}

/// The layers: how many are and were right, the share, its interval.
fn layers(suite: &str, r: &Reports) {
    let rows = r.html.within("summary", "tr");
    for name in ["retrieval", "facts", "refusal", "numbers", "citation"] {
        let of = |key: &str, outcome: &str| r.results.iter().filter(|q| q["layers"][name][key] == outcome).count();
        let (pass, fail) = (of("outcome", "pass"), of("outcome", "fail"));
        let n = pass + fail;
        let measured = |q: &&Value| ["pass", "fail"].contains(&text(&q["layers"][name], "outcome"));
        let was = r.results.iter().filter(measured).filter(|q| q["layers"][name]["was"] == "pass").count();
        let row = rows.iter().find(|row| row.text.starts_with(&format!("{name}\n{was} → "))).expect(name);
        let cells: Vec<&str> = row.text.lines().collect();
        assert_eq!(cells[1], format!("{was} → {pass} of {n}"), "{suite} {name}");
        let share = decimal(pass as f64 / n as f64);
        assert_eq!(cells[2], share, "{suite} {name}");
        let interval = cells[3].replace(" to ", ", ");
        let line = r.terminal.lines().find(|l| l.starts_with(name) && l.contains('/')).unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(words[1], format!("{pass}/{n}"), "{line}");
        assert!(line.contains(&format!("{share} [{interval}]")), "{line} / {cells:?}");
    }
    let plain = r.terminal.split_whitespace().collect::<Vec<_>>().join(" ");
    for p in r.html.within("summary", "p") {
        for part in p
            .text
            .strip_prefix("Means: ")
            .or(p.text.strip_prefix("Refusals: "))
            .into_iter()
            .flat_map(|t| t.split(" · "))
        {
            assert!(plain.contains(part), "{part}");
        }
    }
}

/// What was × what is, and the layers at fault, are the sums of the list.
fn crossed(suite: &str, r: &Reports) {
    let data: Value = serde_json::from_str(&r.html.id("data").text).unwrap();
    let list = data["questions"].as_array().unwrap();
    let mut all = 0;
    for link in r.html.within("summary", "a") {
        let (was, now) = link.get("href").unwrap().strip_prefix("#was=").unwrap().split_once("&now=").unwrap();
        let n = list.iter().filter(|q| q["was"] == was && q["now"] == now).count();
        assert_eq!(link.text, n.to_string(), "{suite} {was} {now}");
        all += n;
    }
    assert_eq!(all, list.len());
    for (known, q) in
        list.iter().zip(list.iter().map(|known| r.results.iter().find(|q| text(q, "id") == text(known, "id")).unwrap()))
    {
        assert_eq!(known["now"], q["outcome"], "{q}");
    }
}

#[test]
fn every_report_has_the_same_figures() {
    if !there_is_a_shop() {
        return;
    }
    for suite in SUITES {
        let language = suite.trim_start_matches("shop-");
        let bad = reports(suite, root().join(format!("fixtures/shop/regressed.{language}.jsonl")));
        assert_eq!(bad.finished.decision.exit.code(), 1);
        agree(suite, &bad);
        let good = reports(suite, root().join(format!("suites/{suite}.accepted.jsonl")));
        assert_eq!(good.finished.decision.exit.code(), 0, "{suite}");
        agree(suite, &good);
    }
}
