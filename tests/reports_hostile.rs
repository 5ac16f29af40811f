//! Hostile text in every report: in answers, questions, messages, names of files, of suites, of targets, in titles. The
//! readers are other makers': three of XML, one of Markdown, one of JSON, and the runner's own rules for its commands.
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "helpers of tests")]

mod markdown_kit;
mod report_kit;

use markdown_kit::{is_live, page};
use proptest::prelude::*;
use ragline::core::state::{Change, Verdict};
use ragline::gate::{Exit, RuleVerdict};
use ragline::layer::{Code, LayerId};
use ragline::report::github::{ANNOTATIONS, Github};
use ragline::report::junit::{Dialect, Form, Junit};
use ragline::report::markdown::{Markdown, Passage, Passages};
use ragline::report::sarif::Sarif;
use ragline::suite::QuestionId;
use report_kit::*;

/// Pieces that mean something in some output.
const PIECES: [&str; 26] = [
    "<script>alert(1)</script>",
    "]]>",
    "</failure><failure/>",
    "<!-- -->",
    "-->",
    "```\n~~~\n",
    "`",
    "| a | b |\n| --- | --- |\n",
    "\\|",
    "::error file=a,line=1::x%0Ay",
    "\n::stop-commands::x\n",
    "##[error]x",
    "##vso[task.complete]x",
    "\u{1b}[31m\u{1b}]0;t\u{7}",
    "\u{9b}2J",
    "\u{202e}\u{2066}\u{200f}",
    "\u{0}",
    "\u{fffe}\u{ffff}\u{fdd0}",
    "</details></summary></p>\n\n# Heading\n",
    "@ops-team closes #12 GH-3 www.a.b https://x.y",
    "[a](javascript:alert(1)) ![b](c) [^1]",
    "{0} ${{ secrets.X }} $x$",
    "\r\n\t\u{85}\u{2028}",
    "&lt;b&gt; &#64;x &nbsp;",
    "<del>a</del><ins>",
    "น้ำ 七天 ngày 👩‍👩‍👧",
];

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => proptest::sample::select(&PIECES[..]).prop_map(str::to_owned),
        1 => any::<String>(),
        1 => Just(" word ".to_owned()),
    ];
    proptest::collection::vec(piece, 0..8).prop_map(|p| p.concat())
}

/// A red run with these texts wherever a text can stand.
fn run_of(texts: &[String]) -> Run {
    let t = |i: usize| texts[i % texts.len()].clone();
    // No file system holds a name of megabytes.
    let n = |i: usize| t(i).chars().take(250).collect::<String>();
    let mut questions = Vec::new();
    for i in 0..6 {
        let mut q = question("a", &format!("q{i}"), &t(i))
            .broken(LayerId::Facts, Code::FactMissing, &t(i + 1), Some((0, 5)))
            .was_now(&t(i + 2), &t(i + 3));
        q.tags = vec![t(i + 4)];
        q.owner = Some(t(i + 5));
        q.place.file = n(i + 6).as_str().into();
        q.change_note = Some(t(i + 7));
        q.known_reason = Some(t(i + 1));
        questions.push(match i {
            1 => q.state(Change::NewFail, Verdict::Skipped(t(i))),
            2 => q.state(Change::StillFailing, Verdict::Skipped(t(i))),
            3 => q.unmeasured(Code::ResponseError, &t(i)),
            _ => q,
        });
    }
    let mut run = run(&n(0), questions);
    run.questions.iter_mut().for_each(|q| q.suite = run.header.suites[0].name.clone());
    run.header.suites[0].target = n(1);
    run.header.suites[0].shown = n(2).as_str().into();
    run.header.not_in_full = Some(t(3));
    run.decision.exit = Exit::Closed;
    run.decision.rules = vec![rule(&t(4), RuleVerdict::Broken(Exit::Closed), &t(5), 3)];
    run.decision.suites[0].blind = Some(t(6));
    run.decision.next = vec![t(7)];
    run
}

/// The events of quick-xml, which must come to the end without an error: how many elements of each of these names begin.
#[allow(clippy::wildcard_enum_match_arm, reason = "another maker's type, of which few kinds matter")]
fn quick(xml: &str) -> [usize; 3] {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().check_end_names = true;
    let mut found = [0; 3];
    loop {
        match reader.read_event().unwrap() {
            Event::Eof => return found,
            Event::Start(e) | Event::Empty(e) => {
                for a in e.attributes() {
                    a.unwrap();
                }
                let at = ["testcase", "failure", "error"].iter().position(|n| *n == e.name().as_ref());
                at.into_iter().for_each(|i| found[i] += 1);
            }
            _ => {}
        }
    }
}

fn roxml(xml: &str) -> [usize; 3] {
    let doc = roxmltree::Document::parse(xml).unwrap();
    ["testcase", "failure", "error"].map(|n| doc.descendants().filter(|d| d.has_tag_name(n)).count())
}

fn check(texts: &[String]) {
    let run = run_of(texts);
    // JUnit: two failures that count three more, an error; the reader by the operating system's expat is in scripts/.
    for dialect in [Dialect::Usual, Dialect::Strict] {
        let mut junit = Junit::with(Form { dialect, ..Form::default() });
        run.play(&mut junit);
        let xml = junit.text().unwrap();
        assert_eq!(quick(&xml), [7, 4, 1], "{xml}");
        assert_eq!(roxml(&xml), [7, 4, 1]);
        let bad = |c: char| (c.is_control() && c != '\n') || matches!(c, '\u{fffe}' | '\u{ffff}' | '\u{202e}');
        assert!(!xml.contains(bad), "{xml}");
    }
    // Markdown: tables keep their rows and cells, nothing is alive, no HTML is theirs.
    let mut passages = Passages::default();
    let passage =
        |i: usize| Passage { place: texts[i % texts.len()].clone(), text: texts[(i + 1) % texts.len()].clone() };
    passages.add(&run.header.suites[0].name, "q0", vec![passage(0), passage(1)]);
    let mut markdown = Markdown::new().title(Some(texts[0].clone())).passages(passages);
    run.play(&mut markdown);
    let text = markdown.text();
    let read = page(&text);
    assert_eq!(read.tables.len(), 2, "{text}");
    assert_eq!(read.tables[0].len(), 6, "a head and five questions: {text}");
    assert!(read.tables[0].iter().all(|r| r.len() == 4), "{text}");
    assert!(read.tables[1].len() == 6 && read.tables[1].iter().all(|r| r.len() == 6), "{text}");
    assert!(read.links == 0 && !is_live(&read.text), "{}\n{text}", read.text);
    assert_eq!((read.folds.len(), read.code.len(), read.comments.len()), (5, 1, 1), "{text}");
    // GitHub: each line is one command of ours, read by the runner's rules.
    let mut github = Github::new("");
    run.play(&mut github);
    let lines = github.annotations();
    assert_eq!(lines.lines().count(), 5, "{lines}");
    for line in lines.lines() {
        let (info, data) = line.strip_prefix("::").unwrap().split_once("::").unwrap();
        let (level, properties) = info.split_once(' ').unwrap();
        assert!(["error", "warning"].contains(&level), "{line}");
        for p in properties.split(',') {
            let (name, _) = p.split_once('=').unwrap();
            assert!(["file", "line", "title"].contains(&name), "{line}");
        }
        assert!(!data.contains('\r'));
    }
    let outputs = github.outputs();
    let plain = |l: &str| {
        l.split_once('=').is_some_and(|(k, v)| {
            [k, v].iter().all(|t| t.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(&b)))
        })
    };
    assert!(outputs.lines().all(plain), "{outputs}");
    // SARIF: JSON, references that stay in the repository's folder, messages without links and placeholders.
    let mut sarif = Sarif::new("", Some(texts[0].clone()));
    run.play(&mut sarif);
    let log: serde_json::Value = serde_json::from_str(&sarif.text().unwrap()).unwrap();
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert_eq!(results.len(), 6);
    for r in results {
        let uri = r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].as_str().unwrap();
        assert!(uri.bytes().all(|b| b.is_ascii_alphanumeric() || b"-._~/%".contains(&b)), "{uri}");
        let said = r["message"]["text"].as_str().unwrap();
        assert!(!said.contains("](") && !said.contains("{0") && !said.contains('\u{202e}'), "{said}");
    }
    // The terminal: nothing steers it, and no line of it is a command of an engine.
    let shown = run.terminal(100);
    assert!(
        !shown.contains(|c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c)),
        "{shown:?}"
    );
    assert!(!["##[", "##vso["].iter().any(|t| shown.contains(t)), "{shown}");
    // Results: a line of JSON each.
    assert!(run.results().lines().all(|l| serde_json::from_str::<serde_json::Value>(l).is_ok()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn every_report_survives_hostile_text(texts in proptest::collection::vec(hostile(), 3..9)) {
        check(&texts);
    }
}

#[test]
fn every_piece_by_itself() {
    for piece in PIECES {
        check(&[piece.to_owned(), format!("x{piece}"), format!("{piece} y"), "z".to_owned()]);
    }
}

/// An answer of 2 MB, one of 100,000 lines, one of a single word as long.
#[test]
fn every_report_survives_huge_answers() {
    let huge = [
        "Tôi được đổi trả | trong 7 ngày <b>. ".repeat(50_000),
        "::error::a line\n".repeat(100_000),
        "七".repeat(700_000),
        "e\u{301}".repeat(700_000),
    ];
    for text in huge {
        let began = std::time::Instant::now();
        let mut texts = vec![text];
        // Once in every place, not in all of them at once.
        texts.extend((1..9).map(|i| format!("text {i}")));
        check(&texts);
        assert!(began.elapsed().as_secs() < 60, "{:?}", began.elapsed());
    }
}

#[test]
fn an_id_cannot_be_hostile() {
    for piece in PIECES {
        assert!(QuestionId::new(piece).is_none(), "{piece:?}");
    }
}

/// At most ten annotations, the gravest first, and the last counts the rest.
#[test]
fn annotations_are_few_and_the_gravest_first() {
    let broken = |id: &str| question("a", id, "?").broken(LayerId::Facts, Code::FactMissing, "no", None);
    let mut questions: Vec<_> =
        (0..30).map(|i| broken(&format!("new{i}")).state(Change::NewFail, Verdict::Failed)).collect();
    questions.push(broken("worse").at(7));
    let mut many = run("a", questions);
    let lines = |run: &Run, prefix: &str| {
        let mut g = Github::new(prefix);
        run.play(&mut g);
        g.annotations().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lines(&many, "rag/");
    assert_eq!(all.len(), ANNOTATIONS);
    assert!(
        all[0].starts_with("::error file=rag/suites/a.yaml,line=7,title=regressed%3A a%3A%3Aworse::question"),
        "{}",
        all[0]
    );
    assert_eq!(all[9], "::error title=ragline::and 22 more: see the summary of this step");
    many.questions.truncate(10);
    assert_eq!(lines(&many, "").len(), 10);
    assert!(!lines(&many, "").iter().any(|l| l.contains("more: see")), "ten are all of them");
    // No question is to blame: the rule is.
    many.questions.clear();
    many.decision.exit = Exit::Closed;
    many.decision.rules = vec![rule("a.facts.rate", RuleVerdict::Broken(Exit::Closed), "value .8, at least .9", 12)];
    assert_eq!(
        lines(&many, ""),
        ["::error file=thresholds.toml,line=12,title=gate%3A a.facts.rate::value .8, at least .9"]
    );
    // Advice warns.
    many.decision.exit = Exit::Open;
    assert!(lines(&many, "")[0].starts_with("::warning "));
}
