//! An inquest against a scripted judge: what is asked, what is asked again, and what a reply counts for.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod judge_kit;

use judge_kit::{conduct, heard, inquiry, plain};
use ragline::judge::Verdict::{self, No, Unclear, Unknown, Yes};
use ragline::judge::inquest::{Statement, Terms};
use ragline::judge::metrics::{Measured, faithfulness};
use ragline::judge::reply::{Heard, Reply};

#[test]
fn an_honest_judge_is_asked_once_a_statement() {
    let inquiry = inquiry(
        "en",
        &["You may return it within 30 days.", "Opened boxes are not taken back."],
        &["You may return it within 30 days.", "Opened boxes are taken back."],
    );
    let (found, asks) = conduct(inquiry, plain(1), |_, read| heard(read.honest().to_string()));
    assert_eq!(found.verdicts(), [Yes, No]);
    assert_eq!((asks.len(), found.calls, found.lost), (2, 2, None));
    assert_eq!(found.quotes[0].as_deref(), Some("You may return it within 30 days"));
    assert_eq!(found.quotes[1], None);
}

/// J09: a `yes` whose words do not stand in the source is asked about once more, and then is a `no`.
#[test]
fn a_judge_that_nods_is_asked_once_more_and_then_is_not_believed() {
    let one = || inquiry("vi", &["Đổi trả trong 7 ngày."], &["Đổi trả trong 17 ngày."]);
    let (found, asks) = conduct(one(), plain(1), |_, read| heard(read.says(&[(1, "yes", "17 ngày")])));
    assert_eq!((found.verdicts(), asks.len()), (vec![No], 2));
    // Without a quote at all it is the same.
    let (found, _) = conduct(one(), plain(1), |_, read| heard(read.says(&[(1, "yes", "")])));
    assert_eq!(found.verdicts(), [No]);
    // A judge that finds the words at the second attempt is believed.
    let right = inquiry("vi", &["Đổi trả trong 7 ngày."], &["Đổi trả trong 7 ngày."]);
    let (found, asks) = conduct(right, plain(1), |ask, read| {
        heard(read.says(&[(1, "yes", if ask.attempt == 0 { "" } else { "7 ngày" })]))
    });
    assert_eq!((found.verdicts(), asks.len()), (vec![Yes], 2));
    // Where the second reply is of no use, nobody knows.
    let (found, _) = conduct(one(), plain(1), |ask, read| {
        if ask.attempt == 0 { heard(read.says(&[(1, "yes", "17 ngày")])) } else { heard("well") }
    });
    assert_eq!(found.verdicts(), [Unclear]);
}

/// J08.
#[test]
fn a_fenced_block_counts_where_the_prompt_is_known_to_have_arrived() {
    let one = || inquiry("vi", &["Đổi trả trong 7 ngày."], &["Được đổi trong 7 ngày."]);
    let block = "```json {\"id\":1,\"verdict\":\"yes\",\"quote\":\"7 ngày\"} ```";
    let counted = |prompt_tokens| {
        let reply = Reply { content: block.to_owned(), prompt_tokens, ..Reply::default() };
        conduct(one(), plain(1), move |_, _| Heard::Reply(reply.clone())).0
    };
    assert_eq!(counted(Some(900)).verdicts(), [Yes]);
    let untold = counted(None);
    assert_eq!(untold.verdicts(), [Unknown]);
    assert!(untold.lost.unwrap().contains("check word is missing"));
}

/// A04: fewer verdicts than statements, none, more, one twice.
#[test]
fn verdicts_that_do_not_match_their_statements_are_no_support() {
    let four = ["a is b.", "c is d.", "e is f.", "g is h."];
    let quote = |id: usize| four[(id - 1).min(3)].trim_end_matches('.');
    for (ids, came) in [(vec![1, 2], 2), (vec![], 0), (vec![1, 2, 3, 4, 5], 5), (vec![1, 2, 2, 4], 4)] {
        let inquiry = inquiry("en", &["a is b. c is d. e is f. g is h."], &four);
        let (found, asks) = conduct(inquiry, plain(4), |_, read| {
            let verdicts: Vec<(usize, &str, &str)> = ids.iter().map(|i| (*i, "yes", quote(*i))).collect();
            heard(read.says(&verdicts))
        });
        assert_eq!(asks.len(), 2, "{ids:?}");
        let measured = faithfulness(&found.verdicts(), 1);
        assert!(matches!(measured, Measured::Unmeasured(_)), "{ids:?}: {measured:?}");
        let lost = found.lost.unwrap();
        let again = if ids == [1, 2] { "asked 2".to_owned() } else { "asked 4".to_owned() };
        assert!(lost.contains(&again) && lost.contains(&format!("got {came}")), "{ids:?}: {lost}");
    }
}

/// J10: the one that is missing is asked for again, alone.
#[test]
fn only_what_is_missing_is_asked_for_again() {
    let four = ["a is b.", "c is d.", "e is f.", "g is h."];
    let judge = |answers_again: bool| {
        conduct(inquiry("en", &["a is b. c is d."], &four), plain(4), move |ask, read| {
            let all = read.honest();
            let list = all["verdicts"].as_array().unwrap();
            let kept: Vec<_> = if ask.attempt == 0 {
                list.iter().filter(|v| v["id"] != 4).cloned().collect()
            } else {
                assert_eq!(read.statements.len(), 1);
                assert_eq!(read.statements[0].0, 4, "it keeps its number");
                if answers_again { list.clone() } else { Vec::new() }
            };
            heard(serde_json::json!({"check": read.check, "verdicts": kept}).to_string())
        })
        .0
        .verdicts()
    };
    assert_eq!(judge(true), [Yes, Yes, No, No]);
    assert_eq!(judge(false), [Yes, Yes, No, Unknown]);
}

#[test]
fn what_the_judge_does_not_know_is_not_asked_again_and_counts_neither_way() {
    for (said, verdict) in [("unclear", Unclear), ("idk", Unknown), ("không biết", Unknown)] {
        let (found, asks) =
            conduct(inquiry("vi", &["x"], &["y"]), plain(1), |_, read| heard(read.says(&[(1, said, "")])));
        assert_eq!((found.verdicts(), asks.len()), (vec![verdict], 1), "{said}");
    }
}

/// A02, A09: a reply without a verdict is asked for once more, and then is told as it came.
#[test]
fn a_reply_that_cannot_be_read_is_unknown_with_its_words() {
    for content in ["NaN", "I see 3 problems, so I would say 0.9", "{\"score\": 70}", "far from perfect", ""] {
        let (found, asks) = conduct(inquiry("en", &["a"], &["a"]), plain(1), |_, _| heard(content));
        assert_eq!((found.verdicts(), asks.len()), (vec![Unknown], 2), "{content}");
        assert!(found.lost.unwrap().contains(content));
    }
    let again = conduct(inquiry("en", &["a b"], &["a b"]), plain(1), |ask, read| {
        if ask.attempt == 0 { heard("Sure!") } else { heard(read.honest().to_string()) }
    });
    assert_eq!(again.0.verdicts(), [Yes]);
    assert!(again.1[1].prompt.text.contains("Reply with the JSON object only."));
    let cut = Reply { content: "{\"check\": \"".to_owned(), cut: true, ..Reply::default() };
    let (found, _) = conduct(inquiry("en", &["a"], &["a"]), plain(1), |_, _| Heard::Reply(cut.clone()));
    assert!(found.lost.unwrap().contains("limit of tokens"));
}

#[test]
fn a_call_that_failed_is_unknown_and_not_made_again() {
    let (found, asks) =
        conduct(inquiry("en", &["a"], &["a"]), plain(1), |_, _| Heard::Failed("HTTP 503, 3 attempts".into()));
    assert_eq!((found.verdicts(), asks.len()), (vec![Unknown], 1));
    assert_eq!(found.lost.as_deref(), Some("HTTP 503, 3 attempts"));
}

/// G12: a server that keeps the end of a long prompt.
#[test]
fn a_prompt_that_was_cut_is_noticed_by_the_count_and_by_the_check_word() {
    let long = "The shop opens at nine. ".repeat(1800);
    let count =
        |n: u64| move |content: String| Heard::Reply(Reply { content, prompt_tokens: Some(n), ..Reply::default() });
    // The server says what it read; the judge only saw the end.
    let (found, asks) = conduct(inquiry("en", &[&long], &["It is free."]), plain(1), |_, read| {
        let last = read.check.split_once('-').unwrap().1.to_owned();
        count(2050)(format!(r#"{{"check":"{last}","verdicts":[{{"id":1,"quote":"nine","verdict":"yes"}}]}}"#))
    });
    assert_eq!((found.verdicts(), asks.len()), (vec![Unknown], 1));
    let lost = found.lost.unwrap();
    assert!(lost.contains("was cut (2050 of about ") && lost.contains("tokens)"), "{lost}");
    // It says nothing of tokens: the check word tells.
    let (found, _) = conduct(inquiry("en", &[&long], &["It is free."]), plain(1), |_, read| {
        let last = read.check.split_once('-').unwrap().1.to_owned();
        heard(format!(r#"{{"check":"{last}","verdicts":[{{"id":1,"quote":"nine","verdict":"yes"}}]}}"#))
    });
    assert_eq!(found.verdicts(), [Unknown]);
    assert!(found.lost.unwrap().contains("check word is wrong"));
    // A short prompt whose count is right.
    let (found, _) = conduct(inquiry("en", &["It is free."], &["It is free."]), plain(1), |_, read| {
        count(400)(read.honest().to_string())
    });
    assert_eq!(found.verdicts(), [Yes]);
}

#[test]
fn a_prompt_that_does_not_fit_is_not_sent_and_not_cut() {
    let long = "七天内可以退货。".repeat(500);
    let terms = Terms { window: Some(4096), ..plain(1) };
    let (found, asks) = conduct(inquiry("zh", &[&long], &["可以退货"]), terms, |_, _| panic!("nothing is asked"));
    assert_eq!((found.verdicts(), asks.len(), found.calls), (vec![Unknown], 0, 0));
    assert!(found.lost.unwrap().contains("does not fit"));
}

/// A rule comes before a judge, and no judge overrules it.
#[test]
fn what_a_rule_found_wrong_is_not_asked_about() {
    let mut all = inquiry("en", &["It costs 5 euro. It is blue."], &["It costs 50 euro.", "It is blue."]);
    all.statements[0] = Statement { ruled_out: true, ..all.statements[0].clone() };
    let (found, asks) = conduct(all, plain(5), |_, read| {
        assert!(read.statements.iter().all(|(id, _)| *id == 2));
        heard(read.says(&[(1, "yes", "It costs 5 euro"), (2, "yes", "It is blue")]))
    });
    // The verdict on the first was not asked for, so the reply is about something else.
    assert_eq!((found.verdicts(), asks.len()), (vec![No, Unknown], 2));
}

#[test]
fn without_a_source_nothing_is_supported_and_nobody_is_asked() {
    let (found, asks) =
        conduct(inquiry("th", &[], &["คืนได้"]), plain(1), |_, _| panic!("nothing is asked"));
    assert_eq!((found.verdicts(), asks.len()), (vec![No], 0));
}

/// A08: votes over the order of the passages; a split is shown.
#[test]
fn votes_are_cast_over_different_orders_and_the_majority_decides() {
    let sources = ["It is blue.", "It is red.", "It is green."];
    let mut seen: Vec<Vec<String>> = Vec::new();
    let (found, asks) = conduct(inquiry("en", &sources, &["It is red."]), Terms::default(), |ask, read| {
        seen.push(read.sources.clone());
        let says: [(Verdict, &str); 3] = [(No, ""), (Yes, "It is red"), (Yes, "It is red")];
        let (verdict, quote) = says[ask.call];
        heard(read.says(&[(1, verdict.name(), quote)]))
    });
    assert_eq!((found.verdicts(), asks.len()), (vec![Yes], 3));
    assert_eq!(found.voted[0].votes, [No, Yes, Yes]);
    assert!(found.voted[0].is_split());
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 3, "three orders");
    // One passage has one order, so there is one vote.
    let (_, asks) = conduct(inquiry("en", &sources[..1], &["It is red."]), Terms::default(), |_, read| {
        heard(read.honest().to_string())
    });
    assert_eq!(asks.len(), 1);
}
