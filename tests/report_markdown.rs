//! The Markdown summary, read as a GitHub-flavoured renderer reads it.
#![allow(clippy::unwrap_used, clippy::string_slice, reason = "helpers of tests")]

mod report_kit;

use ragline::core::state::{Change, Verdict};
use ragline::gate::{Exit, RuleVerdict};
use ragline::layer::{Code, LayerId};
use ragline::report::clean;
use report_kit::*;

/// The cells of a table row by the rules of GFM: an unescaped pipe ends a cell.
fn cells(row: &str) -> Vec<String> {
    let inner = row.trim().strip_prefix('|').unwrap().strip_suffix('|').unwrap();
    let mut out = vec![String::new()];
    let mut escaped = false;
    for c in inner.chars() {
        match c {
            '|' if !escaped => out.push(String::new()),
            _ => out.last_mut().unwrap().push(c),
        }
        escaped = c == '\\' && !escaped;
    }
    out.into_iter().map(|c| c.trim().to_owned()).collect()
}

/// The text that a renderer shows: entities are characters.
fn rendered(cell: &str) -> String {
    let mut out = String::new();
    let mut rest = cell;
    while let Some((before, after)) = rest.split_once("&#") {
        out.push_str(before);
        let (number, after) = after.split_once(';').unwrap();
        out.push(char::from_u32(number.parse().unwrap()).unwrap());
        rest = after;
    }
    out.push_str(rest);
    out
}

/// cases E05
const E05: &str = "a | b \\| c `x` ``` \n| new | row |\n<details> @ops-team closes #12 \\\\| end";

#[test]
fn a_table_survives_a_hostile_answer() {
    let q = question("a", "q1", "?").broken(LayerId::Facts, Code::FactMissing, E05, None).was_now("x", E05);
    let mut run = run("a", vec![q]);
    run.decision.next = vec!["ragline accept ```` x".into()];
    let text = run.markdown();
    let rows: Vec<&str> = text.lines().filter(|l| l.contains("a::q1")).collect();
    assert_eq!(rows.len(), 2, "a row, and the command below: {text}");
    let cells = cells(rows[0]);
    assert_eq!(cells.len(), 4, "{}", rows[0]);
    assert_eq!(cells[0], "a::q1<br>?", "an id can be copied; the question stands below it");
    let shown = rendered(&cells[3]);
    // Mentions and issue links are looked for in what is shown: the character without width is in their way.
    assert!(!shown.contains("@ops") && !shown.contains("#12"), "{shown}");
    assert!(shown.replace('\u{200b}', "").contains(&clean::terminal(E05).into_owned()), "{shown}");
    // HTML and code are looked for in what is written.
    let own = rows[0].replace("<br>", "");
    assert!(!own.contains('<') && !own.contains('`'), "{own}");
    // What follows is intact: the layer table has its five rows, the commands their fence.
    assert_eq!(text.lines().filter(|l| l.starts_with("| ") && self::cells(l).len() == 5).count(), 7);
    assert!(text.contains("\n`````sh\n"), "{text}");
}

#[test]
fn the_decision_comes_first() {
    let text = red().markdown();
    assert!(
        text.starts_with("### ❌ GATE CLOSED · shop-vi\n\n- critical question regressed: q14 (thresholds.toml:7)\n"),
        "{text}"
    );
    assert!(text.contains("Questions: 2 regressed"), "{text}");
    assert!(text.contains("| shop-vi::q15 | fixed | facts ✓ |"), "{text}");
    assert!(text.contains("ragline accept shop-vi::q14 shop-vi::q22 --reason \"…\""), "{text}");
    // What was asked, every reason, the blame.
    for part in [
        "| shop-vi::q22<br>Phí vận chuyển đến Cần Giờ là bao nhiêu? | regressed | retrieval ✗, facts ✗, refusal ✗ |",
        "does not state \"35.000 đồng\"<br>— refuses although",
        "<br>blame: retrieval (other passages than before): look at chunking",
    ] {
        assert!(text.contains(part), "{part} is not in {text}");
    }
    assert!(text.contains("[1]"), "a citation marker is readable: {text}");
    assert!(text.contains("- **shop-vi::q05** Máy bị vào nước thì sao? — index rebuild, &#35;&#8203;412\n"), "{text}");
    let mut run = red();
    run.decision.tally = vec![(Change::StillFailing, 5), (Change::NewPass, 1)];
    assert!(run.markdown().contains("Questions: 5 known failures · 1 new pass\n"));
    let mut advisory = red();
    advisory.decision.exit = Exit::Open;
    assert!(advisory.markdown().contains("this would have blocked (exit 1)"));
}

#[test]
fn a_long_summary_loses_rows_from_the_end_and_says_so() {
    let long = "<@|ệ".repeat(200);
    let questions = (0..2_000)
        .map(|i| {
            question("a", &format!("q{i}"), "?")
                .broken(LayerId::Facts, Code::FactMissing, &long, None)
                .was_now("x", &long)
        })
        .collect();
    let mut run = run("a", questions);
    run.decision.rules =
        (0..500).map(|i| rule(&format!("r{i}"), RuleVerdict::Broken(Exit::Closed), &long, i)).collect();
    let text = run.markdown();
    assert!(text.chars().count() < 60_000, "{}", text.chars().count());
    assert!(text.contains("| a::q0<br>?") && !text.contains("| a::q1999<br>"));
    assert!(text.contains("more questions, left out for length"), "{text}");
    assert!(text.contains("| citation |"), "the layer table is still there");
}

#[test]
fn what_blocks_comes_before_what_is_fixed() {
    let fixed = question("a", "fine", "?").state(Change::Fixed, Verdict::Passed);
    let broken = question("a", "bad", "?").broken(LayerId::Facts, Code::FactMissing, "no", None);
    let text = run("a", vec![fixed, broken]).markdown();
    assert!(text.find("a::bad").unwrap() < text.find("a::fine").unwrap());
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
    assert!(text.contains("ragline accept change:regressed change:new_fail --reason \"…\""), "{text}");
    assert!(text.contains("- **a::known19** ? — no reason is noted\n- and 3 more\n"), "{text}");
    // Of many reasons some are told, and the rest counted.
    let mut many = question("a", "q1", "?");
    for i in 0..7 {
        many = many.broken(LayerId::Facts, Code::FactMissing, &format!("no {i}"), None);
    }
    let text = run("a", vec![many]).markdown();
    assert!(text.contains("— no 3<br>— and 3 more"), "{text}");
}
