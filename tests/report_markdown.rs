//! The Markdown report, read as GitHub reads it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::string_slice, reason = "helpers of tests")]

mod markdown_kit;
mod report_kit;

use markdown_kit::{is_live, page};
use ragline::core::state::{Change, Verdict};
use ragline::gate::{Exit, RuleVerdict};
use ragline::layer::{Code, LayerId};
use ragline::report::clean;
use ragline::report::markdown::{Markdown, Passage, Passages, Room};
use report_kit::*;

/// cases E05
const E05: &str = "a | b \\| c `x` ``` \n| new | row |\n<details> @ops-team closes #12 \\\\| end";

#[test]
fn a_table_survives_a_hostile_answer() {
    let q = question("a", "q1", "?").broken(LayerId::Facts, Code::FactMissing, E05, None).was_now("x", E05);
    let mut run = run("a", vec![q]);
    run.decision.next = vec!["ragline accept ```` x".into()];
    let text = run.markdown();
    let page = page(&text);
    let [changed, layers] = &page.tables[..] else { panic!("{} tables: {text}", page.tables.len()) };
    assert_eq!((changed.len(), layers.len()), (2, 6), "{text}");
    assert!(changed.iter().all(|r| r.len() == 4) && layers.iter().all(|r| r.len() == 6), "{text}");
    assert_eq!(changed[1][0], "a::q1 ?", "an id can be copied; the question stands below it");
    let said = changed[1][3].replace('\u{200b}', "");
    assert!(said.starts_with(&clean::terminal(E05).into_owned()), "{said}");
    // The answer is in the fold, and nothing of it is alive.
    assert_eq!(page.folds, ["a::q1 regressed"]);
    assert!(page.text.replace('\u{200b}', "").contains(&clean::terminal(E05).into_owned()), "{}", page.text);
    assert!(!is_live(&page.text) && page.links == 0, "{}", page.text);
    assert!(page.code[0].contains("ragline accept ```` x"), "{:?}", page.code);
}

#[test]
fn the_decision_comes_first() {
    let text = red().markdown();
    let (mark, rest) = text.split_once('\n').unwrap();
    assert!(mark.starts_with("<!-- ragline report ") && mark.ends_with(" -->"), "{mark}");
    assert!(
        rest.starts_with("### ❌ GATE CLOSED · shop-vi\n\n- critical question regressed: q14 (thresholds.toml:7)\n"),
        "{text}"
    );
    assert!(text.contains("Questions: 2 regressed"), "{text}");
    assert!(text.contains("| shop-vi::q15 | fixed | facts ✓ |"), "{text}");
    assert!(
        text.contains(
            "ragline accept shop-vi::q14 shop-vi::q22 --run rag.zip --reason \"…\"\ngit add suites && git commit"
        ),
        "{text}"
    );
    // What was asked, the reasons, the blame; what the layers were and are.
    for part in [
        "| shop-vi::q22<br>Phí vận chuyển đến Cần Giờ là bao nhiêu? | regressed | retrieval ✗, facts ✗, refusal ✗ |",
        "does not state \"35.000 đồng\"<br>and 1 more",
        "<br>blame: retrieval (other passages than before) |",
        "| facts | 46 → 45 of 51 | .88 | .77 to .94 |  |  |",
        "| retrieval | 49 → 48 of 51 | .94 | .84 to .98 | .06 |  |",
        "- 30 questions cannot show that a layer fell by less than about 13 points.",
        "- Rules that were not evaluated: shop-vi.retrieval.hit&#64;&#8203;3",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(text.contains("- **shop-vi::q05** Máy bị vào nước thì sao? — index rebuild, &#35;&#8203;412\n"), "{text}");
    // The order: decision, questions, layers, commands, folds.
    let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part} is not in {text}"));
    let order = ["- critical", "| Question |", "| Layer |", "cannot show", "```sh", "<details>"].map(at);
    assert!(order.is_sorted(), "{order:?}");
    let mut run = red();
    run.decision.tally = vec![(Change::StillFailing, 5), (Change::NewPass, 1)];
    assert!(run.markdown().contains("Questions: 5 known failures · 1 new pass\n"));
    let mut advisory = red();
    advisory.decision.exit = Exit::Open;
    assert!(advisory.markdown().contains("**Advisory: this would have blocked (exit 1)**"));
}

/// What is gone is struck out, what came is marked, by the words of the language.
#[test]
fn a_fold_shows_the_difference_word_by_word() {
    let text = red().markdown();
    assert!(text.contains("<b>was</b> Quý khách được đổi trả trong <del>7</del> ngày"), "{text}");
    assert!(text.contains("<b>now</b> Quý khách được đổi trả trong <ins>17 ngày</ins> kể từ"), "{text}");
    assert!(text.contains("[1]"), "a citation marker is readable");
    let pairs = [
        ("ลูกค้าคืนสินค้าได้ภายใน 7 วัน", "ลูกค้าเปลี่ยนสินค้าได้ภายใน 7 วัน", "ลูกค้า<del>คืน</del>สินค้า", "ลูกค้า<ins>เปลี่ยน</ins>สินค้า"),
        (
            "商品自签收之日起七天内可以退货。",
            "商品自签收之日起十天内可以退货。",
            "起<del>七天</del>内",
            "起<ins>十天</ins>内",
        ),
    ];
    for (was, now, del, ins) in pairs {
        let q = question("a", "q1", "?").broken(LayerId::Facts, Code::FactMissing, "no", None).was_now(was, now);
        let text = run("a", vec![q]).markdown();
        assert!(text.contains(del) && text.contains(ins), "{text}");
        assert_eq!(page(&text).folds.len(), 1);
    }
}

#[test]
fn a_fold_shows_passages_in_short() {
    let run = red();
    let mut passages = Passages::default();
    let of = |n: usize| Passage { place: format!("doc{n}.md › A | B"), text: "<b>long</b> text ".repeat(60) };
    passages.add("shop-vi", "q22", (0..8).map(of).collect());
    passages.add("shop-vi", "q14", Vec::new());
    let mut m = Markdown::new().passages(passages);
    run.play(&mut m);
    let text = m.text();
    page(&text);
    assert!(text.contains("<b>passage 1</b> doc0.md › A &#124; B: &#60;b&#62;long"), "{text}");
    assert!(text.contains("<b>passages</b> and 3 more") && text.contains("<b>passages</b> none"), "{text}");
    assert_eq!(text.matches("long&#60;/b&#62;").count(), 5 * 9, "160 columns of each of five");
}

#[test]
fn a_long_report_loses_folds_then_rows_from_the_end_and_says_so() {
    let long = "<@|ệ".repeat(200);
    let questions = |n: usize| {
        (0..n)
            .map(|i| {
                question("a", &format!("q{i}"), "?")
                    .broken(LayerId::Facts, Code::FactMissing, &long, None)
                    .was_now("x", &long)
            })
            .collect::<Vec<_>>()
    };
    let mut some = run("a", questions(12));
    let text = some.markdown();
    let read = page(&text);
    assert_eq!(read.tables[0].len(), 13, "every row is there");
    assert!((1..12).contains(&read.folds.len()) && read.folds[0] == "a::q0 regressed", "{:?}", read.folds);
    let left = 12 - read.folds.len();
    assert!(text.contains(&format!("… and the details of {left} more questions, left out for length")), "{text}");

    some.questions = questions(2_000);
    some.decision.rules =
        (0..500).map(|i| rule(&format!("r{i}"), RuleVerdict::Broken(Exit::Closed), &long, i)).collect();
    let text = some.markdown();
    assert!(text.encode_utf16().count() <= 60_000 && text.len() < 1 << 20, "{}", text.len());
    assert!(text.contains("| a::q0<br>?") && !text.contains("| a::q1999<br>"));
    let rows = page(&text).tables[0].len() - 1;
    let left = ragline::report::cut::count(2_000 - rows);
    assert!(text.contains(&format!("… and {left} more questions, left out for length")), "{rows}");
    assert!(text.contains("| citation |"), "the layer table is still there");
    assert!(text.contains("ragline accept change:regressed --run rag.zip --reason"), "and the command");

    // A step summary has room for more, and is kept to what is left of it.
    let mut m = Markdown::new();
    some.play(&mut m);
    let summary = m.within(Room::SUMMARY);
    assert!(summary.len() > text.len() && summary.len() < 1 << 20, "{}", summary.len());
    page(&summary);
    for bytes in [0, 10, 500, 5_000, 50_000] {
        assert!(m.within(Room { bytes, ..Room::SUMMARY }).len() <= bytes, "{bytes}");
    }
}

#[test]
fn many_suites_leave_room_for_the_decision() {
    let mut run = run("a", vec![question("a", "q1", "?").broken(LayerId::Facts, Code::FactMissing, "no", None)]);
    let one = run.decision.suites[0].clone();
    run.decision.suites =
        (0..300).map(|i| ragline::gate::SuiteSummary { suite: format!("s{i}").into(), ..one.clone() }).collect();
    let text = run.markdown();
    assert!(text.encode_utf16().count() <= 60_000);
    assert!(text.contains("… and 280 more suites") && text.contains("| a::q1<br>"), "{text}");
}

/// What blocks first; of those regressions, new failures, expired ones, what was not measured; then what is fixed.
#[test]
fn the_gravest_comes_first() {
    let broken = |id: &str| question("a", id, "?").broken(LayerId::Facts, Code::FactMissing, "no", None);
    let mut critical = broken("critical");
    critical.severity = ragline::suite::Severity::Critical;
    let questions = vec![
        question("a", "fixed", "?").state(Change::Fixed, Verdict::Passed),
        broken("tolerated").state(Change::Regressed, Verdict::Skipped("tolerated: minor".into())),
        question("a", "away", "?").unmeasured(Code::ResponseError, "504"),
        broken("expired").state(Change::Expired, Verdict::Failed),
        broken("new").state(Change::NewFail, Verdict::Failed),
        broken("regressed"),
        critical,
    ];
    let text = run("a", questions).markdown();
    let read = page(&text);
    let names: Vec<&str> = read.tables[0].iter().skip(1).map(|r| r[0].split(' ').next().unwrap()).collect();
    let wanted = ["critical", "regressed", "new", "expired", "away", "tolerated", "fixed"].map(|n| format!("a::{n}"));
    assert_eq!(names, wanted, "{text}");
    assert!(text.contains("| tolerated: minor<br>no"), "{text}");
}

#[test]
fn many_failures_are_accepted_by_what_changed_and_known_ones_are_bounded() {
    let mut questions: Vec<_> = (0..11)
        .map(|i| question("a", &format!("q{i}"), "?").broken(LayerId::Facts, Code::FactMissing, "no", None))
        .collect();
    questions[3] = questions[3].clone().state(Change::NewFail, Verdict::Failed);
    questions.extend((0..23).map(|i| {
        question("a", &format!("known{i}"), "?").state(Change::StillFailing, Verdict::Skipped("known".into()))
    }));
    let text = run("a", questions).markdown();
    assert!(text.contains("ragline accept change:regressed change:new_fail --run rag.zip --reason \"…\""), "{text}");
    assert!(text.contains("- **a::known19** ? — no reason is noted\n- and 3 more\n\n</details>\n"), "{text}");
    assert_eq!(page(&text).folds[0], "23 known failures");
    // Of many reasons some are told, and the rest counted.
    let mut many = question("a", "q1", "?");
    for i in 0..9 {
        many = many.broken(LayerId::Facts, Code::FactMissing, &format!("no {i}"), None);
    }
    let text = run("a", vec![many]).markdown();
    assert!(text.contains("no 1<br>and 7 more"), "{text}");
    assert!(text.contains("<b>why</b> and 3 more"), "{text}");
}

/// A policy that advises is no reason not to accept; and what was accepted up to a day gets another day.
#[test]
fn what_would_have_blocked_and_what_has_expired_can_be_accepted() {
    let broken = |id: &str| question("a", id, "?").broken(LayerId::Facts, Code::FactMissing, "no", None);
    let would =
        broken("q1").state(Change::Regressed, Verdict::Skipped(format!("{} (regressed)", ragline::gate::ADVISED)));
    let tolerated = broken("q2").state(Change::Regressed, Verdict::Skipped("tolerated: minor".into()));
    let text = run("a", vec![would.clone(), tolerated]).markdown();
    assert!(text.contains("If this is meant, with the artefact of this job as `rag.zip`"), "{text}");
    assert!(text.contains("\nragline accept a::q1 --run rag.zip --reason \"…\"\n"), "{text}");
    let expired = broken("q3").state(Change::Expired, Verdict::Failed);
    let text = run("a", vec![would, expired]).markdown();
    let wanted = "\nragline accept a::q3 a::q1 --run rag.zip --reason \"…\" --until YYYY-MM-DD\ngit add ";
    assert!(text.contains(wanted), "{text}");
}

/// A column in which nothing stands says nothing.
#[test]
fn columns_without_anything_are_left_out() {
    let mut run = red();
    assert!(run.markdown().contains("| Layer | Right, was → now | Share | 95 % interval | At random |"));
    for layer in &mut run.decision.suites[0].layers {
        layer.random = None;
    }
    let text = run.markdown();
    assert!(!text.contains("At random") && text.contains("| facts | 46 → 45 of 51 | .88 | .77 to .94 |"), "{text}");
    assert!(page(&text).tables.iter().flatten().all(|row| !row.is_empty()), "{text}");
}

/// A fix is taken from the artefact too, with its commit; other commands stay as they are.
#[test]
fn what_got_better_is_accepted_from_the_artefact() {
    let mut fixed = run("a", vec![question("a", "q1", "?").state(Change::Fixed, Verdict::Passed)]);
    fixed.decision.next = vec!["ragline lint".into(), "ragline accept a::q1".into()];
    let text = fixed.markdown();
    assert!(text.contains("```sh\nragline lint\nragline accept a::q1 --run rag.zip\ngit add "), "{text}");
}

/// A CI step finds its own comment by the first line, and not that of another job.
#[test]
fn the_mark_is_that_of_the_title_or_of_the_suites() {
    let mark = |run: &Run, title: Option<&str>| {
        let mut m = Markdown::new().title(title.map(str::to_owned));
        run.play(&mut m);
        let text = m.text();
        let (line, rest) = text.split_once('\n').unwrap();
        assert_eq!(page(line).comments.len(), 1, "{line}");
        assert!(title.is_none() || rest.starts_with("### ❌ GATE CLOSED · nightly --&#62;"), "{rest}");
        line.to_owned()
    };
    let (one, mut two) = (red(), red());
    two.header.suites.push(header("other", 1));
    let title = Some("nightly --> x");
    assert_eq!(mark(&one, None), mark(&red(), None));
    assert_ne!(mark(&one, None), mark(&two, None));
    assert_eq!(mark(&one, title), mark(&two, title), "a title stays, whatever was selected");
    assert_ne!(mark(&one, title), mark(&one, None));
    two.header.suites.swap(0, 1);
    let mut same = red();
    same.header.suites.push(header("other", 1));
    assert_eq!(mark(&two, None), mark(&same, None), "the order says nothing");
}
