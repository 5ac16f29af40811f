//! JUnit as its readers see it: a second parser reads the file, and counts what it finds.
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "helpers of tests")]

mod report_kit;

use ragline::core::state::{Change, Verdict};
use ragline::gate::{ADVISED, Exit, RuleVerdict};
use ragline::layer::{Code, LayerId};
use ragline::report::junit::{Dialect, Form, Junit, Known, Times};
use ragline::suite::Severity;
use report_kit::*;
use roxmltree::{Document, Node};
use std::collections::BTreeSet;

fn cases<'a>(doc: &'a Document<'a>) -> Vec<Node<'a, 'a>> {
    doc.descendants().filter(|n| n.has_tag_name("testcase")).collect()
}

fn case<'a>(doc: &'a Document<'a>, name: &str) -> Node<'a, 'a> {
    cases(doc).into_iter().find(|n| n.attribute("name") == Some(name)).unwrap()
}

fn child<'a>(case: Node<'a, 'a>, tag: &str) -> Option<Node<'a, 'a>> {
    case.children().find(|n| n.has_tag_name(tag))
}

fn property<'a>(case: Node<'a, 'a>, name: &str) -> Option<&'a str> {
    let found = case.descendants().find(|n| n.has_tag_name("property") && n.attribute("name") == Some(name));
    found.and_then(|n| n.attribute("value"))
}

/// Header counts equal the children, on every level; each case has at most one outcome and a unique name.
fn sound(xml: &str) {
    let doc = Document::parse(xml).unwrap();
    for level in doc.descendants().filter(|n| n.has_tag_name("testsuites") || n.has_tag_name("testsuite")) {
        let count = |tag: &str| level.descendants().filter(|n| n.has_tag_name(tag)).count().to_string();
        for (attribute, tag) in
            [("tests", "testcase"), ("failures", "failure"), ("errors", "error"), ("skipped", "skipped")]
        {
            assert_eq!(level.attribute(attribute), Some(count(tag).as_str()), "{attribute}");
        }
    }
    let names: BTreeSet<_> = cases(&doc).iter().map(|c| (c.attribute("classname"), c.attribute("name"))).collect();
    assert_eq!(names.len(), cases(&doc).len(), "names are unique");
    for c in cases(&doc) {
        let outcomes = c.children().filter(|n| ["failure", "error", "skipped"].contains(&n.tag_name().name()));
        for o in outcomes.clone() {
            let message = o.attribute("message").unwrap();
            assert!(message.chars().count() < 200 && !message.contains('\n'), "{message}");
        }
        assert!(outcomes.count() <= 1);
    }
    // Nothing of the clock or the machine.
    for n in doc.descendants() {
        assert!(!n.has_attribute("time") && !n.has_attribute("timestamp") && !n.has_attribute("hostname"));
    }
}

#[test]
fn a_red_run_tells_each_question_and_each_rule() {
    let mut run = red();
    let edited = question("shop-vi", "q90", "?").state(Change::Edited, Verdict::Passed);
    run.questions.push(edited);
    run.questions.push(question("shop-vi", "q91", "?").state(Change::NotSelected, Verdict::Skipped("x".into())));
    let xml = run.junit();
    sound(&xml);
    let doc = Document::parse(&xml).unwrap();

    let q14 = case(&doc, "q14");
    assert_eq!(q14.attribute("classname"), Some("rag.shop-vi"));
    assert_eq!((q14.attribute("file"), q14.attribute("line")), (Some("suites/shop-vi.yaml"), Some("118")));
    let failure = child(q14, "failure").unwrap();
    assert_eq!(failure.attribute("type"), Some("regressed.facts"));
    assert_eq!(failure.attribute("message"), Some("PASS -> FAIL facts, numbers: does not state \"7 ngày\""));
    let story = failure.text().unwrap();
    for part in ["‹17 ngày›", "[fact-missing]", "[number-ungrounded]", "suites/shop-vi.yaml:118", "same passages"]
    {
        assert!(story.contains(part), "{part} is not in\n{story}");
    }
    assert_eq!(property(q14, "severity"), Some("critical"));
    assert_eq!(property(q14, "tags"), Some("warranty, exception"));
    assert_eq!(property(q14, "layers"), Some("retrieval=pass facts=fail refusal=pass numbers=fail citation=pass"));

    let error = child(case(&doc, "q09"), "error").unwrap();
    assert_eq!(error.attribute("type"), Some("unmeasured.retrieval"));
    assert_eq!(error.attribute("message"), Some("PASS -> UNMEASURED all layers: 504 from staging, 3 tries"));
    assert!(child(case(&doc, "q05"), "skipped").unwrap().attribute("message").unwrap().contains("#412"));
    assert_eq!(property(case(&doc, "q90"), "change"), Some("edited"));
    assert!(cases(&doc).iter().all(|c| c.attribute("name") != Some("q91")), "not selected: absent");

    // The rules: broken ones as the exit code says, looked at or not.
    assert_eq!(
        child(case(&doc, "max_regressed"), "failure").unwrap().attribute("message"),
        Some("2 regressed, at most 0")
    );
    assert_eq!(case(&doc, "max_regressed").attribute("file"), Some("thresholds.toml"));
    assert!(child(case(&doc, "max_unmeasured"), "error").is_some());
    assert!(child(case(&doc, "shop-vi.retrieval.hit@3"), "skipped").is_some());
    assert!(child(case(&doc, "stale"), "skipped").is_none() && child(case(&doc, "stale"), "failure").is_none());
    assert_eq!(run.junit(), run.junit(), "the same bytes");
}

#[test]
fn exits_1_to_3_show_without_any_broken_question() {
    for (exit, tag) in [(Exit::Closed, "failure"), (Exit::Usage, "error"), (Exit::Incomplete, "error")] {
        let mut run = run("a", vec![question("a", "q1", "?")]);
        run.decision.rules = vec![rule("baseline", RuleVerdict::Broken(exit), "no", 0)];
        let xml = run.junit();
        sound(&xml);
        let doc = Document::parse(&xml).unwrap();
        assert!(child(case(&doc, "baseline"), tag).is_some(), "{exit:?}");
    }
}

/// The run under a policy that only advises, as the gate decides it.
fn advised(mut run: Run) -> Run {
    for q in &mut run.questions {
        if matches!(q.verdict, Verdict::Failed | Verdict::Incomplete) {
            q.verdict = Verdict::Skipped(format!("{ADVISED} ({})", q.change.words()));
        }
    }
    for rule in &mut run.decision.rules {
        if let RuleVerdict::Broken(exit) = rule.verdict {
            rule.verdict = RuleVerdict::Advised(exit);
        }
    }
    run.decision.advisory = true;
    run.decision.exit = Exit::Open;
    run
}

#[test]
fn advisory_writes_no_failure() {
    let run = advised(red());
    let xml = run.junit();
    sound(&xml);
    assert!(!xml.contains("<failure") && !xml.contains("<error"));
    let doc = Document::parse(&xml).unwrap();
    for name in ["q14", "q09", "max_regressed", "max_unmeasured"] {
        let message = child(case(&doc, name), "skipped").unwrap().attribute("message").unwrap();
        assert!(message.contains("would have blocked"), "{message}");
    }
}

/// cases E03: equal ids in two suites, and a suite that is called as the gate is.
#[test]
fn names_are_unique_and_do_not_depend_on_the_order() {
    let names = |suites: [&str; 3]| {
        let mut all = run(suites[0], Vec::new());
        all.header.suites = suites.iter().map(|s| header(s, 1)).collect();
        for s in suites {
            let q = question(s, "q1", "Opening hours");
            all.questions.push(if s == "a" { q.broken(LayerId::Facts, Code::FactMissing, "no", None) } else { q });
        }
        all.questions.push(question("gate", "max_regressed", "?"));
        all.decision.rules = vec![rule("max_regressed", RuleVerdict::Broken(Exit::Closed), "1 regressed", 4)];
        let xml = all.junit();
        sound(&xml);
        let doc = Document::parse(&xml).unwrap();
        let pair =
            |c: &Node<'_, '_>| (c.attribute("classname").unwrap().to_owned(), c.attribute("name").unwrap().to_owned());
        cases(&doc).iter().map(pair).collect::<BTreeSet<_>>()
    };
    let there = names(["a", "b", "gate"]);
    assert_eq!(there.len(), 5);
    assert_eq!(there, names(["gate", "b", "a"]));
}

/// cases E07: three failed layers are one failure that lists all three.
#[test]
fn several_failed_layers_are_one_failure() {
    let q2 = question("a", "q2", "?")
        .broken(LayerId::Facts, Code::FactMissing, "first", None)
        .broken(LayerId::Numbers, Code::NumberUngrounded, "second", None)
        .broken(LayerId::Citation, Code::CitationDangling, "third", None);
    let flaky = question("a", "q3", "?").state(Change::Flaky, Verdict::Skipped("flaky".into()));
    let xml = run("a", vec![question("a", "q1", "?"), q2, flaky, question("a", "q4", "?")]).junit();
    sound(&xml);
    let doc = Document::parse(&xml).unwrap();
    assert_eq!(doc.root_element().attribute("tests"), Some("4"));
    assert_eq!(doc.root_element().attribute("failures"), Some("1"));
    let failure = child(case(&doc, "q2"), "failure").unwrap();
    assert!(["first", "second", "third"].iter().all(|t| failure.text().unwrap().contains(t)));
}

/// cases E14: 300 answers of 1 MiB and one of 12 MiB.
#[test]
fn long_answers_stay_small_and_no_id_is_lost() {
    let long = "𠮷<".repeat((1 << 20) / 5);
    let mut questions: Vec<_> = (0..300)
        .map(|i| {
            question("a", &format!("q{i}"), "?")
                .broken(LayerId::Facts, Code::FactMissing, &"<&'\">".repeat(2_000), Some((3, 9)))
                .was_now("ngắn", &long)
        })
        .collect();
    questions.push(
        question("a", "huge", "?").broken(LayerId::Facts, Code::FactMissing, "no", None).was_now("", &long.repeat(12)),
    );
    let xml = run("a", questions).junit();
    assert!(xml.len() < 10 << 20, "{} bytes", xml.len());
    sound(&xml);
    let doc = Document::parse(&xml).unwrap();
    assert_eq!(cases(&doc).iter().filter(|c| child(**c, "failure").is_some()).count(), 301);
    assert!(!xml.contains('\u{fffd}'), "no broken character at a cut");
    assert!(xml.contains("the whole is"), "a cut says how much was cut");
}

/// More than the budget of a file: the last stories are left out, and the file says so.
#[test]
fn over_the_budget_the_last_stories_are_left_out() {
    let why = "\"'".repeat(2_000);
    let questions: Vec<_> = (0..3_000)
        .map(|i| {
            let q = question("a", &format!("q{i}"), &why);
            (0..6).fold(q, |q, k| q.broken(LayerId::Facts, Code::FactMissing, &format!("{k}{why}"), None))
        })
        .collect();
    let mut run = run("a", questions);
    run.decision.rules = vec![rule("max_regressed", RuleVerdict::Broken(Exit::Closed), "3000 regressed", 4)];
    let xml = run.junit();
    assert!(xml.len() < 10 << 20, "{} bytes", xml.len());
    sound(&xml);
    let doc = Document::parse(&xml).unwrap();
    let told = |id: &str| child(case(&doc, id), "failure").unwrap().text().unwrap().starts_with("question");
    assert!(told("q0") && !told("q2999"));
    assert!(xml.contains("stories_left_out"));
}

#[test]
fn hostile_text_stays_text() {
    let evil = "\u{0}\u{b}\u{1b}[31m]]></failure><failure/>\u{fffe}\u{ffff}\u{202e}\tx & <b> \"'\r\n";
    let mut q =
        question("a", "q1", evil).broken(LayerId::Facts, Code::FactMissing, evil, Some((0, 99))).was_now("was", evil);
    q.tags = vec![evil.into()];
    q.owner = Some(evil.into());
    q.severity = Severity::Minor;
    q.place.file = evil.into();
    let mut run = run("a", vec![q]);
    run.header.suites[0].target = evil.into();
    run.decision.rules = vec![rule(evil, RuleVerdict::Broken(Exit::Closed), evil, 3)];
    let xml = run.junit();
    sound(&xml);
    let doc = Document::parse(&xml).unwrap();
    let text = child(case(&doc, "q1"), "failure").unwrap().text().unwrap();
    assert!(text.contains("]]></failure><failure/>"), "{text}");
    assert!(text.contains("␛[31m") && text.contains("\\u{202e}"));
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_that_names_it() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let mut junit = Junit::new();
    red().play(&mut junit);
    let error = junit.write_to(&dir.path().join("file/junit.xml")).unwrap_err();
    assert!(error.to_string().contains("junit.xml"), "{error}");
    let path = dir.path().join("new/junit.xml");
    junit.write_to(&path).unwrap();
    sound(&std::fs::read_to_string(path).unwrap());
}

fn formed(run: &Run, form: Form) -> String {
    let mut junit = Junit::with(form);
    run.play(&mut junit);
    junit.text().unwrap()
}

#[test]
fn known_failures_show_as_asked() {
    let mut run = red();
    let flaky = question("shop-vi", "f1", "?").state(Change::Flaky, Verdict::Skipped("flaky".into()));
    run.questions.push(flaky);
    for (known, tag) in [(Known::Pass, None), (Known::Skipped, Some("skipped")), (Known::Failure, Some("failure"))] {
        let xml = formed(&run, Form { known, ..Form::default() });
        sound(&xml);
        let doc = Document::parse(&xml).unwrap();
        for id in ["q05", "f1"] {
            let found =
                case(&doc, id).children().find(|n| ["failure", "skipped", "error"].contains(&n.tag_name().name()));
            assert_eq!(found.map(|n| n.tag_name().name()), tag, "{id}");
        }
        assert_eq!(
            property(case(&doc, "q05"), "change"),
            Some("still_failing"),
            "what it is stands there all the same"
        );
        assert!(child(case(&doc, "q14"), "failure").is_some() && child(case(&doc, "q09"), "error").is_some());
    }
    // Where the policy only advises, a known failure that was asked for as one stays one.
    let run = advised(run);
    let xml = formed(&run, Form { known: Known::Failure, ..Form::default() });
    let doc = Document::parse(&xml).unwrap();
    assert!(child(case(&doc, "q05"), "failure").is_some() && child(case(&doc, "q14"), "failure").is_none());
}

/// The elements and attributes of `junit-10.xsd` of Jenkins' xUnit plugin (jenkinsci/xunit-plugin,
/// `src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd/junit-10.xsd`), as far as they are written.
#[test]
fn the_strict_dialect_holds_what_its_schema_allows() {
    let allowed: &[(&str, &[&str], &[&str])] = &[
        ("testsuites", &["name", "time", "tests", "failures", "errors"], &["testsuite"]),
        (
            "testsuite",
            &["name", "tests", "failures", "errors", "time", "skipped"],
            &["properties", "testcase", "system-out"],
        ),
        ("properties", &[], &["property"]),
        ("property", &["name", "value"], &[]),
        ("testcase", &["name", "time", "classname"], &["skipped", "error", "failure", "system-out"]),
        ("skipped", &["type", "message"], &[]),
        ("error", &["type", "message"], &[]),
        ("failure", &["type", "message"], &[]),
        ("system-out", &[], &[]),
    ];
    let mut times = Times::default();
    times.add("shop-vi", "q14", 812);
    let xml = formed(&red(), Form { dialect: Dialect::Strict, times: Some(times), ..Form::default() });
    let doc = Document::parse(&xml).unwrap();
    for node in doc.descendants().filter(Node::is_element) {
        let name = node.tag_name().name();
        let (_, attributes, children) = allowed.iter().find(|a| a.0 == name).unwrap_or_else(|| panic!("{name}"));
        assert!(node.attributes().all(|a| attributes.contains(&a.name())), "{node:?}");
        assert!(node.children().filter(Node::is_element).all(|c| children.contains(&c.tag_name().name())), "{node:?}");
    }
    // What has no place of its own is told all the same, and nothing is told twice over of what did not change.
    let out = |id: &str| child(case(&doc, id), "system-out").and_then(|n| n.text().map(str::to_owned));
    let told = out("q14").unwrap();
    assert!(
        ["change: regressed\n", "severity: critical\n", "place: suites/shop-vi.yaml:118\n"]
            .iter()
            .all(|t| told.contains(t)),
        "{told}"
    );
    assert_eq!(out("q30"), None);
    assert_eq!(doc.root_element().attribute("tests"), Some(cases(&doc).len().to_string().as_str()));
}

/// cases E12: seconds with a point and three places, whatever the size.
#[test]
fn times_are_plain_seconds() {
    let mut times = Times::default();
    for (id, ms) in [("q14", 8_271_446), ("q22", 0), ("q09", 1), ("q15", 10), ("q15", 5)] {
        times.add("shop-vi", id, ms);
    }
    let xml = formed(&red(), Form { times: Some(times), ..Form::default() });
    let doc = Document::parse(&xml).unwrap();
    let time = |id: &str| case(&doc, id).attribute("time").unwrap();
    assert_eq!(["q14", "q22", "q09", "q15", "q30"].map(time), ["8271.446", "0.000", "0.001", "0.015", "0.000"]);
    let plain = regex::Regex::new(r"^\d+\.\d{3}$").unwrap();
    let all: Vec<_> = doc.descendants().filter_map(|n| n.attribute("time")).collect();
    assert_eq!(all.len(), cases(&doc).len() + 3, "every case, both suites, the whole");
    assert!(all.iter().all(|t| plain.is_match(t)), "{all:?}");
    assert_eq!(doc.root_element().attribute("time"), Some("8271.462"));
}

/// A run that was ended from outside is no success, also where the policy only advises.
#[test]
fn an_interrupted_run_is_never_green() {
    let mut run = advised(red());
    run.decision.exit = Exit::Incomplete;
    run.decision.rules.push(rule("interrupted", RuleVerdict::Broken(Exit::Incomplete), "ended from outside", 0));
    let xml = run.junit();
    sound(&xml);
    let doc = Document::parse(&xml).unwrap();
    assert!(child(case(&doc, "interrupted"), "error").is_some());
    assert!(child(case(&doc, "q14"), "failure").is_none());
}

#[test]
fn rules_of_one_name_are_two_cases() {
    let mut run = red();
    run.decision.rules = (0..3).map(|i| rule("a.b.facts.rate", RuleVerdict::Holds, "holds", i)).collect();
    let xml = run.junit();
    sound(&xml);
    assert!(xml.contains("name=\"a.b.facts.rate (3)\""));
}

/// Passed cases lose their property rather than the file its readers.
#[test]
fn a_file_of_very_many_questions_is_made_smaller_visibly() {
    let questions = |n: usize| (0..n).map(|i| question("a", &format!("a-question-of-the-golden-set-{i}"), "?"));
    let mut many = run("a", questions(60_000).collect());
    many.decision.rules = vec![rule("max_regressed", RuleVerdict::Holds, "0 regressed", 4)];
    let xml = many.junit();
    let doc = Document::parse(&xml).unwrap();
    assert_eq!(cases(&doc).len(), 60_001, "no case is lost");
    assert_eq!(property(case(&doc, "a-question-of-the-golden-set-7"), "change"), None);
    assert!(xml.contains("name=\"properties_left_out\" value=\"those of 60,000 passed cases"), "{}", xml.len());
    let few = run("a", questions(600).collect()).junit();
    assert!(!few.contains("properties_left_out") && few.contains("value=\"unchanged\""));
}
