//! The terminal report against its drawings.
#![allow(clippy::unwrap_used, clippy::string_slice, reason = "helpers of tests")]

mod report_kit;

use ragline::core::event::{BaselineState, Event, Reporter};
use ragline::core::state::{Change, Verdict};
use ragline::gate::{Exit, RuleVerdict};
use ragline::layer::{Code, LayerId};
use ragline::report::cut;
use ragline::report::terminal::{Look, Terminal};
use report_kit::*;

/// The drawing of a red run, in full.
#[test]
fn a_red_run() {
    let expected = "\
ragline 0.1.0   shop-vi · 30 questions · target builtin · checked 5 of 5 layers
baseline suites/shop-vi.baseline.toml

  2 regressed   1 unmeasured   1 fixed   1 known failure   25 unchanged

✗ shop-vi::q14  regressed · critical                                         suites/shop-vi.yaml:118
  question  Tôi được đổi trả hàng trong bao lâu?
  was       Quý khách được đổi trả trong 7 ngày kể từ ngày nhận hàng. [1]
  now       Quý khách được đổi trả trong ‹17 ngày› kể từ ngày nhận hàng. [1]
  why       does not state \"7 ngày\"                                                     fact-missing
            \"17 ngày\" stands in none of the 5 passages in the prompt; passage 1 says \"7 ngày\"
                                                                                   number-ungrounded
  layers    retrieval ✓   facts ✗   refusal ✓   numbers ✗   citation ✓
  blame     generation (same passages as before): freeze the passages, look at the prompt or the
            model

✗ shop-vi::q22  regressed                                                    suites/shop-vi.yaml:201
  question  Phí vận chuyển đến Cần Giờ là bao nhiêu?
  was       Phí giao hàng đến Cần Giờ là 35.000 đồng. [2]
  now       Xin lỗi, tôi không tìm thấy thông tin về phí vận chuyển đến Cần Giờ.
  why       van-chuyen.md › Phí ngoại thành was at rank 2, now not among the 5 passages
                                                                              evidence-not-retrieved
            does not state \"35.000 đồng\"                                                fact-missing
            refuses although an answer was expected                                    false-refusal
  layers    retrieval ✗   facts ✗   refusal ✗   numbers –   citation –
  blame     retrieval (other passages than before): look at chunking, filters and top_k; the refusal
            is right for what it was given

? shop-vi::q09  unmeasured                                                    suites/shop-vi.yaml:80
  question  Cửa hàng mở cửa lúc mấy giờ?
  why       504 from staging, 3 tries                                                 response-error
  layers    retrieval ?   facts ?   refusal ?   numbers ?   citation ?

✓ shop-vi::q15  fixed          facts                            keep it: ragline accept shop-vi::q15
– shop-vi::q05  known failure  index rebuild, #412

layer          right   was   share [95 %]     at random
retrieval      48/51    49   .94 [.84, .98]   .06
facts          45/51    46   .88 [.77, .94]
refusal        57/59    58   .97 [.88, .99]
numbers        39/40    40   .98 [.87, .99]               1 not measured
citation       46/46    44   1.0 [.92, 1.0]
means      hit@3 .94 [.84, .98] (random .06)   rr .81 (random .09)   ndcg@10 .85 (random .04)   n 51
nothing to check: retrieval 9, citation 13
30 questions cannot show that a layer fell by less than about 13 points.

GATE CLOSED   exit 1
  critical question regressed: q14                                                 thresholds.toml:7
  2 regressed, at most 0                                                           thresholds.toml:4
  1 unmeasured, at most 0                                                          thresholds.toml:5
  not evaluated: shop-vi.retrieval.hit@3

show     ragline show shop-vi::q14
repeat   ragline run shop-vi::q14 shop-vi::q22 shop-vi::q09 --answers recordings/new.jsonl
explain  ragline explain fact-missing
meant?   ragline accept shop-vi::q14 shop-vi::q22 --reason \"…\"
";
    let shown = red().terminal(100);
    assert_eq!(shown, expected, "\n{shown}");
    assert!(!shown.contains("lonely"), "a mean without interval or random line says nothing");
}

#[test]
fn a_green_run_is_short() {
    let run = run("shop-vi", (0..32).map(|i| question("shop-vi", &format!("q{i}"), "?")).collect());
    let shown = run.terminal(100);
    assert!(shown.lines().count() < 20, "{shown}");
    assert!(shown.ends_with("\nGATE OPEN   exit 0\n"), "{shown}");
}

/// The first line breaks between its parts, never within one.
#[test]
fn a_long_first_line_breaks_between_its_parts() {
    let mut run = run("shop-vi", (0..32).map(|i| question("shop-vi", &format!("q{i}"), "?")).collect());
    run.header.suites[0].target = "fixtures/shop/regressed.vi.jsonl".into();
    let shown = run.terminal(100);
    let mut lines = shown.lines();
    let first = "ragline 0.1.0   shop-vi · 32 questions · target fixtures/shop/regressed.vi.jsonl";
    assert_eq!((lines.next(), lines.next()), (Some(first), Some("                checked 5 of 5 layers")));
}

#[test]
fn an_advisory_run_says_what_it_would_have_done() {
    let mut run = red();
    run.decision.advisory = true;
    run.decision.exit = Exit::Open;
    assert!(run.terminal(100).contains("\nGATE OPEN   exit 0   advisory: would have blocked (exit 1)\n"));
}

#[test]
fn a_first_run_has_a_line_per_failing_question_and_no_blocks() {
    let mut questions: Vec<_> = (0..23)
        .map(|i| {
            question("shop-vi", &format!("q{i}"), "Giá?")
                .broken(LayerId::Facts, Code::FactMissing, "does not state \"7 ngày\"", None)
                .was_now("a", "b")
                .state(Change::NewFail, Verdict::Failed)
        })
        .collect();
    questions.push(question("shop-vi", "q99", "?").state(Change::NewPass, Verdict::Passed));
    let mut run = run("shop-vi", questions);
    run.header.suites[0].baseline = BaselineState::Missing("suites/shop-vi.baseline.toml".into());
    run.decision.exit = Exit::Usage;
    run.decision.exit_if_blocking = Exit::Usage;
    run.decision.next = vec!["ragline accept --first --reason \"…\"".into()];
    let shown = run.terminal(100);
    assert!(shown.contains("no baseline yet: suites/shop-vi.baseline.toml"), "{shown}");
    assert!(!shown.contains("question  Giá?"), "no blocks: {shown}");
    assert!(
        shown.contains("✗ shop-vi::q19  new, fails     facts: does not state \"7 ngày\"\n  … and 3 more"),
        "{shown}"
    );
    assert!(shown.contains("\nNO BASELINE YET   exit 2\n"), "{shown}");
    assert!(shown.ends_with("next     ragline accept --first --reason \"…\"\n"), "{shown}");
    assert!(!shown.contains("meant?") && !shown.contains("repeat"), "{shown}");
}

#[test]
fn many_broken_questions_are_blocks_then_lines_then_a_count() {
    let questions = (0..250)
        .map(|i| question("a", &format!("q{i}"), "?").broken(LayerId::Facts, Code::FactMissing, "no", None))
        .collect();
    let shown = run("a", questions).terminal(100);
    assert_eq!(shown.matches("\n  question  ").count(), 20);
    assert!(shown.contains("\n✗ a::q99  ") && !shown.contains("\n✗ a::q100  "));
    assert!(shown.contains("… and 150 more questions"));
    assert!(shown.contains("\nrepeat   ragline run a\n"), "all of a suite is its name: {shown}");

    let mut questions: Vec<_> = (0..250)
        .map(|i| question("a", &format!("q{i}"), "?").broken(LayerId::Facts, Code::FactMissing, "no", None))
        .collect();
    questions.push(question("a", "good", "?").state(Change::NewPass, Verdict::Passed));
    let shown = run("a", questions).terminal(100);
    assert!(shown.contains("a::q19\n         (the first 20 of 250)\n"), "{shown}");
}

#[test]
fn an_outage_is_told_once() {
    let mut questions: Vec<_> = (0..40)
        .map(|i| question("a", &format!("q{i}"), "?").unmeasured(Code::ResponseError, "connection refused"))
        .collect();
    questions.push(question("a", "other", "?").unmeasured(Code::AnswerEmpty, "blank"));
    let shown = run("a", questions).terminal(100);
    assert_eq!(shown.matches("connection refused").count(), 1, "{shown}");
    assert!(shown.contains("? 40 questions  unmeasured") && shown.contains("and 28 more"), "{shown}");
    assert!(shown.contains("? a::other  unmeasured"), "{shown}");
}

/// A server that is away is one cause, however often each question asked it.
#[test]
fn the_number_of_attempts_makes_no_cause_of_its_own() {
    let why = |i: usize| match i % 3 {
        0 => "connection refused".to_owned(),
        n => format!("{} attempts, the last: connection refused", n + 1),
    };
    let questions: Vec<_> =
        (0..9).map(|i| question("a", &format!("q{i}"), "?").unmeasured(Code::TargetUnreachable, &why(i))).collect();
    let shown = run("a", questions).terminal(100);
    assert_eq!(shown.matches("connection refused").count(), 1, "{shown}");
    assert!(shown.contains("? 9 questions  unmeasured"), "{shown}");
    assert!(!shown.contains("attempts"), "{shown}");
}

#[test]
fn other_changes_have_their_own_lines() {
    let mut removed = question("a", "gone", "Old question").state(Change::Removed, Verdict::Failed);
    removed.change_note = Some("renamed? the same question is now a::new".into());
    removed.place = ragline::problem::Place { file: "suites/a.baseline.toml".into(), line: 7, column: 1 };
    let mut tolerated = question("a", "minor", "?").broken(LayerId::Facts, Code::FactMissing, "no", None);
    tolerated.verdict = Verdict::Skipped("tolerated: minor".into());
    let mut edited = question("a", "edited", "?").state(Change::Edited, Verdict::Passed);
    edited.change_note = Some("expects was edited".into());
    let ruled = |id: &str| question("a", id, "?").state(Change::RuleChanged, Verdict::Skipped("rule changed".into()));
    let known = (0..7).map(|i| {
        let mut q =
            question("a", &format!("known{i}"), "?").state(Change::StillFailing, Verdict::Skipped("known".into()));
        q.known_reason = Some("later".into());
        q
    });
    let mut all = vec![removed, tolerated, edited, ruled("r1"), ruled("r2")];
    all.extend(known);
    let shown = run("a", all).terminal(100);
    assert!(shown.contains("suites/a.baseline.toml:7") && shown.contains("renamed? the same question is now a::new"));
    assert!(shown.contains("ragline accept --removed a::gone"), "{shown}");
    assert!(shown.contains("! a::minor  regressed") && shown.contains("no: tolerated: minor"), "{shown}");
    assert!(shown.contains("take it up: ragline accept a::edited"), "{shown}");
    assert!(shown.contains("! 2 rule changed   "), "{shown}");
    assert!(
        shown.contains("7 known failures") && !shown.contains("a::known"),
        "many known failures are a count: {shown}"
    );
}

#[test]
fn suites_have_their_own_tables() {
    let mut r = run("a", vec![question("a", "q1", "?")]);
    r.header.suites.push(header("b", 3));
    let mut other = r.decision.suites[0].clone();
    other.suite = "b".into();
    other.checked_layers = 3;
    r.decision.suites.push(other);
    r.header.partial = Some((4, 3000));
    let shown = r.terminal(100);
    assert!(shown.starts_with("ragline 0.1.0   2 suites · 4 questions\n"), "{shown}");
    assert!(shown.contains("  b   3 questions · target builtin · checked 3 of 5 layers"), "{shown}");
    assert!(shown.contains("partial: 4 of 3,000 questions"));
    assert!(shown.contains("\na\nlayer ") && shown.contains("\nb\nlayer "), "{shown}");
}

#[test]
fn four_languages_keep_their_columns() {
    let one = |id: &str, q: &str, was: &str, now: &str| {
        question("a", id, q).broken(LayerId::Facts, Code::FactMissing, q, None).was_now(was, now)
    };
    let run = run(
        "a",
        vec![
            one("vi", "Bao lâu?", "Trong 7 ngày kể từ ngày nhận.", "Trong 17 ngày kể từ ngày nhận."),
            one("th", "คืนสินค้าได้ภายในกี่วัน", "คืนสินค้าได้ภายใน ๗ วันนับจากวันที่ได้รับ", "คืนสินค้าได้ภายใน ๓๐ วันนับจากวันที่ได้รับ"),
            one("zh", "多久可以退货？", "自签收之日起七天内可以退货。", "自签收之日起三十天内可以退货。"),
            one("en", "How long?", "Within 7 days of delivery.", "Within 30 days of delivery."),
        ],
    );
    let shown = run.terminal(100);
    for marked in ["Trong ‹17› ngày", "ภายใน ‹๓๐› วัน", "自签收之日起‹三十天内›可以", "Within ‹30› days"]
    {
        assert!(shown.contains(marked), "{marked}\n{shown}");
    }
    // What stands at the right ends in the last column, whatever the script before it.
    for line in shown.lines().filter(|l| l.ends_with("fact-missing")) {
        if !line.starts_with("explain") {
            assert_eq!(cut::columns(line), 100, "{line}");
        }
    }
}

/// cases E01: answers of every length, at every width; no panic, each id is there, prose keeps to the width.
#[test]
fn no_length_breaks_a_report() {
    let tails = ["€", "🙏🏽", "e\u{323}\u{302}", "น้ำ"];
    let questions: Vec<_> = (0..1200)
        .map(|i| {
            let answer = format!("{}{}", "a".repeat(i / 4), tails[i % 4]);
            question("a", &format!("q{i}"), &answer)
                .broken(LayerId::Facts, Code::FactMissing, &answer, Some((0, i / 4 + 1)))
                .was_now(&answer[..i / 4], &answer)
        })
        .collect();
    let all = run("a", questions);
    for n in all.questions.chunks(20) {
        let part = run("a", n.to_vec());
        for width in [1, 20, 40, 80] {
            let shown = part.terminal(width);
            assert!(n.iter().all(|q| shown.contains(&format!("a::{}", q.id))));
            for line in
                shown.lines().filter(|l| !l.contains("a::q") && !l.contains("suites/") && !l.contains("ragline"))
            {
                assert!(cut::columns(line) <= width.max(44), "{width}: {line}");
            }
        }
    }
    for text in [all.junit(), all.results()] {
        let words: std::collections::HashSet<&str> = text.split('"').collect();
        assert!(all.questions.iter().all(|q| words.contains(q.id.as_str())));
    }
    assert!(all.markdown().chars().count() < 60_000);
}

#[test]
fn hostile_answers_do_not_reach_the_terminal() {
    let evil = "\u{1b}[2J\u{9b}31m\u{202e}x\u{7}\r\ny\u{0}";
    let mut q = question("a", "q1", evil)
        .broken(LayerId::Facts, Code::FactMissing, evil, Some((0, 2)))
        .was_now(evil, &format!("{evil}z"));
    q.owner = Some(evil.into());
    q.known_reason = Some(evil.into());
    q.change_note = Some(evil.into());
    q.place.file = evil.into();
    let known = q.clone().state(Change::StillFailing, Verdict::Skipped(evil.into()));
    let mut run = run("a", vec![q, known]);
    run.header.suites[0].target = evil.into();
    run.header.profile = Some(evil.into());
    run.header.repeat_args = evil.into();
    run.decision.next = vec![evil.into()];
    run.decision.rules =
        vec![rule(evil, RuleVerdict::Broken(Exit::Closed), evil, 1), rule(evil, RuleVerdict::NotEvaluated, evil, 1)];
    run.decision.suites[0].blind = Some(evil.into());
    let shown = run.terminal(80);
    assert!(!shown.chars().any(|c| (c.is_control() && c != '\n') || c == '\u{202e}'), "{shown}");
}

#[test]
fn colour_is_only_there_when_asked_for() {
    let mut t = Terminal::new(Vec::new(), Look { width: 100, colour: true });
    red().play(&mut t);
    let coloured = String::from_utf8(t.into_inner()).unwrap();
    assert!(coloured.contains("\u{1b}["));
    let mut plain = String::new();
    let mut rest = coloured.as_str();
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        plain.push_str(before);
        rest = after.split_once('m').unwrap().1;
    }
    plain.push_str(rest);
    let trimmed = |s: &str| s.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    assert_eq!(trimmed(&plain), trimmed(&red().terminal(100)));
}

#[test]
fn a_closed_pipe_is_an_error_and_no_panic() {
    struct Closed;
    impl std::io::Write for Closed {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let run = red();
    let mut t = Terminal::new(Closed, Look::default());
    t.event(Event::Started(&run.header)).unwrap();
    assert!(t.event(Event::Decided(&run.decision)).is_err());
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(48))]
    #[test]
    fn any_text_at_any_width_in_any_report(a in ".{0,60}", b in ".{0,60}", w in 0_usize..120, span in (0_usize..70, 0_usize..70)) {
        let q = question("a", "q1", &a).broken(LayerId::Facts, Code::FactMissing, &b, Some(span)).was_now(&a, &b);
        let run = run("a", vec![q]);
        let shown = run.terminal(w);
        proptest::prop_assert!(shown.contains("a::q1") && !shown.chars().any(|c| c.is_control() && c != '\n'));
        roxmltree::Document::parse(&run.junit()).unwrap();
        proptest::prop_assert!(run.markdown().contains("| a::q1"));
        proptest::prop_assert_eq!(run.results().lines().count(), 2);
    }
}
