//! Command targets whose processes answer question after question, with real processes that misbehave.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod command_kit;
mod process_kit;

use command_kit::{Bot, KEY, answer, bot, problem, question};
use process_kit::{alive, assert_alive, assert_gone, marker, run, within, zombies};
use ragline::target::{Again, FailureKind, Request};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// A program that answers each line with its own process's number, after what the test makes of `$q`.
fn script(cases: &str) -> String {
    format!(
        r#"
echo $$ >> started
tell() {{ printf '{{"answer":"%s of %s"}}\n' "$1" $$; }}
while read -r line; do
  q=${{line#*'"question":"'}}; q=${{q%%'"'*}}
  case "$q" in
    {cases}
    *) tell "$q";;
  esac
done
"#
    )
}

fn persistent(settings: &str, cases: &str) -> Bot {
    bot(&format!("persistent = true\n{settings}"), &script(cases))
}

/// The number of the process that gave an answer, which must be that to the question.
#[track_caller]
fn process(told: &str, question: &str) -> String {
    let (q, pid) = told.split_once(" of ").unwrap();
    assert_eq!(q, question);
    pid.to_owned()
}

/// How many processes have been started.
fn started(bot: &Bot) -> usize {
    bot.read("started").lines().count()
}

#[test]
fn one_process_answers_question_after_question() {
    let m = marker();
    let bot = persistent("", &format!("never) sleep {m};;"));
    run(async {
        let first = process(&bot.answer("q0").await, "q0");
        for n in 1..50 {
            let q = format!("q{n}");
            assert_eq!(process(&bot.answer(&q).await, &q), first);
        }
        assert_eq!(started(&bot), 1);
        bot.target.close().await;
    });
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn there_are_at_most_as_many_processes_as_questions_at_once() {
    let bot = persistent("concurrency = 3", "q*) sleep 0.05; tell \"$q\";;");
    run(async {
        let ask = |n: usize| {
            let bot = &bot;
            async move {
                let q = format!("q{n}");
                process(&bot.answer(&q).await, &q)
            }
        };
        let all = tokio::join!(ask(1), ask(2), ask(3), ask(4), ask(5), ask(6), ask(7), ask(8));
        let all = BTreeSet::from([all.0, all.1, all.2, all.3, all.4, all.5, all.6, all.7]);
        assert_eq!((all.len(), started(&bot)), (3, 3));
        bot.target.close().await;
    });
}

#[test]
fn nothing_is_started_before_the_first_question() {
    let bot = persistent("", "");
    run(async {
        bot.target.open().await.unwrap();
        bot.target.close().await;
    });
    assert!(!bot.path().join("started").exists());
}

#[test]
fn one_that_dies_is_replaced_for_the_next_question() {
    let m = marker();
    let bot = persistent("", &format!("die) sleep {m} & echo 'KeyError: 1' >&2; exit 3;;"));
    run(async {
        let first = process(&bot.answer("q1").await, "q1");
        let f = bot.ask(question("die")).await.unwrap_err();
        assert_eq!((f.kind, f.again), (FailureKind::Process, Again::Never));
        assert_eq!(f.why, "`sh …` ended with exit status 3 before it answered: KeyError: 1");
        assert_gone(&m);
        assert_ne!(process(&bot.answer("q2").await, "q2"), first);
        bot.target.close().await;
    });
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn one_that_retires_after_each_answer_fails_no_question() {
    let bot = persistent("", "q*) tell \"$q\"; exit 0;;");
    run(async {
        for n in 0..20 {
            let q = format!("q{n}");
            process(&bot.answer(&q).await, &q);
        }
        assert_eq!(started(&bot), 20);
        bot.target.close().await;
    });
    // One that never answers and always ends well is not asked for ever.
    let bot = persistent("", "q*) exit 0;;");
    let (kind, why) = run(bot.fails("q1"));
    assert_eq!((kind, why.as_str()), (FailureKind::Process, "`sh …` ended with exit status 0 before it answered"));
    assert_eq!(started(&bot), 1);
}

#[test]
fn a_late_answer_is_never_taken_for_that_of_the_next_question() {
    let bot = persistent("timeout = { attempt = \"400ms\" }", "slow) sleep 0.6; tell slow;;");
    run(async {
        let first = process(&bot.answer("q1").await, "q1");
        let (kind, why) = bot.fails("slow").await;
        assert_eq!((kind, why.as_str()), (FailureKind::Total, "no answer within 400 ms"));
        // Its answer comes while the next questions are asked.
        for n in 2..12 {
            let q = format!("q{n}");
            assert_ne!(process(&bot.answer(&q).await, &q), first);
            tokio::time::sleep(MS(50)).await;
        }
        bot.target.close().await;
    });
}

#[test]
fn a_question_that_nobody_waits_for_ends_its_process() {
    let m = marker();
    let bot = persistent("", &format!("slow) sleep {m};;"));
    run(async {
        let first = process(&bot.answer("q1").await, "q1");
        assert!(tokio::time::timeout(MS(300), bot.target.ask(question("slow"))).await.is_err());
        assert_gone(&m);
        assert_ne!(process(&bot.answer("q2").await, "q2"), first);
        bot.target.close().await;
    });
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

const HINT: &str = "print one line of JSON per question, and logs to standard error";

#[test]
fn chatter_is_no_answer() {
    // Both lines in one write: whether the second is there in time is not what is tested here.
    let bot = persistent("", "chat) echo 'Loading model'; tell chat;; twice) printf '%s\\n' \"$(tell a; tell b)\";;");
    run(async {
        let first = process(&bot.answer("q1").await, "q1");
        let (kind, why) = bot.fails("chat").await;
        assert_eq!(kind, FailureKind::NotJson);
        assert!(why.contains("Loading model") && why.ends_with(HINT), "{why}");
        let second = process(&bot.answer("q2").await, "q2");
        assert_ne!(second, first);
        let (kind, why) = bot.fails("twice").await;
        assert_eq!(kind, FailureKind::NotJson);
        assert!(why.ends_with(HINT), "{why}");
        assert_ne!(process(&bot.answer("q3").await, "q3"), second);
        bot.target.close().await;
    });
}

#[test]
fn a_line_that_nobody_asked_for_is_not_the_next_answer() {
    let bot = persistent("", "chat) tell chat; sleep 0.1; tell q2;;");
    run(async {
        let first = process(&bot.answer("chat").await, "chat");
        tokio::time::sleep(MS(400)).await;
        let (kind, why) = bot.fails("q2").await;
        assert_eq!(kind, FailureKind::NotJson);
        let expected = format!(
            "`sh …` printed a further line after its answer to `chat`: `{{\"answer\":\"q2 of {first}\"}}`; {HINT}"
        );
        assert_eq!(why, expected);
        assert_ne!(process(&bot.answer("q3").await, "q3"), first);
        bot.target.close().await;
    });
}

#[test]
fn an_answer_that_names_another_question_is_refused() {
    let bot = persistent("", r#"same) echo '{"id":"same","answer":"x"}';; other) echo '{"id":"q1","answer":"x"}';;"#);
    run(async {
        let first = process(&bot.answer("q1").await, "q1");
        assert_eq!(bot.answer("same").await, "x");
        let (kind, why) = bot.fails("other").await;
        assert_eq!((kind, why.as_str()), (FailureKind::Process, "the program answered `q1` when it was asked `other`"));
        assert_ne!(process(&bot.answer("q2").await, "q2"), first);
        bot.target.close().await;
    });
    let mapped = persistent("response = { answer = \"$.answer\" }", r#"other) echo '{"id":"q1","answer":"x"}';;"#);
    run(async {
        assert_eq!(mapped.fails("other").await.0, FailureKind::Process);
        process(&mapped.answer("q2").await, "q2");
        mapped.target.close().await;
    });
}

#[test]
fn what_the_system_says_of_itself_costs_no_process() {
    let settings = "response = { answer = \"$.answer\", error = \"$.error\" }";
    let bot = persistent(settings, r#"bad) echo '{"error":"no index"}';; odd) echo '{"reply":"x"}';;"#);
    run(async {
        let first = process(&bot.answer("q1").await, "q1");
        let (kind, why) = bot.fails("bad").await;
        assert_eq!((kind, why.contains("no index")), (FailureKind::ErrorBody, true), "{why}");
        assert_eq!(process(&bot.answer("q2").await, "q2"), first);
        // What cannot be read may be anything.
        assert_eq!(bot.fails("odd").await.0, FailureKind::Unmapped);
        assert_ne!(process(&bot.answer("q3").await, "q3"), first);
        bot.target.close().await;
    });
}

#[test]
fn blank_lines_are_skipped_and_lines_may_come_in_pieces() {
    let bot = persistent(
        "",
        r#"piece) echo; echo '  '; printf '{"answer":'; sleep 0.1; printf '"x"'; sleep 0.1; echo '}';;"#,
    );
    run(async {
        assert_eq!(bot.answer("piece").await, "x");
        process(&bot.answer("q2").await, "q2");
        bot.target.close().await;
    });
    assert_eq!(started(&bot), 1);
}

#[test]
fn long_lines_go_both_ways_and_too_long_ones_do_not() {
    let echo =
        "while read -r line; do echo \"$line\" | sed 's/.*\"question\":\"\\([a-z]*\\)\".*/{\"answer\":\"\\1\"}/'; done";
    let bot = bot("persistent = true\nmax_output = \"600KiB\"", echo);
    run(async {
        let long = "x".repeat(500_000);
        assert_eq!(answer(&bot.ask(Request::new("s", "q1", &long)).await.unwrap()).len(), long.len());
        let longer = "x".repeat(700_000);
        let f = bot.ask(Request::new("s", "q2", &longer)).await.unwrap_err();
        assert_eq!(
            (f.kind, f.why.as_str()),
            (FailureKind::TooLarge, "`sh …` printed more than 600 KiB: output over `max_output`")
        );
        assert_eq!(bot.answer("fine").await, "fine");
        bot.target.close().await;
    });
    let endless =
        command_kit::bot("persistent = true\nmax_output = \"1MiB\"", "read -r line; exec head -c 1000000000 /dev/zero");
    let began = Instant::now();
    assert_eq!(run(endless.fails("q1")).0, FailureKind::TooLarge);
    assert!(began.elapsed() < Duration::from_secs(3), "{:?}", began.elapsed());
}

#[test]
fn a_full_standard_error_blocks_nobody() {
    let bot = persistent("", "q*) head -c 1000000 /dev/zero >&2; tell \"$q\"; head -c 1000000 /dev/zero >&2;;");
    run(async {
        for q in ["q1", "q2", "q3"] {
            process(&bot.answer(q).await, q);
        }
        bot.target.close().await;
    });
    assert_eq!(started(&bot), 1);
}

#[test]
fn at_the_end_the_input_is_closed_and_what_stays_is_killed() {
    let polite = bot("persistent = true", &format!("{}\nsleep 0.3; echo bye > note", script("")));
    run(async {
        process(&polite.answer("q1").await, "q1");
        let began = Instant::now();
        polite.target.close().await;
        assert!(began.elapsed() < MS(1500), "{:?}", began.elapsed());
    });
    assert_eq!(polite.read("note"), "bye\n");
    let m = marker();
    let stubborn =
        bot("persistent = true", &format!("trap '' TERM; sleep {m} &\n{}\nwhile :; do sleep 0.1; done", script("")));
    run(async {
        process(&stubborn.answer("q1").await, "q1");
        assert_alive(&m);
        let began = Instant::now();
        stubborn.target.close().await;
        assert_eq!(alive(&m), [] as [u32; 0]);
        assert!(began.elapsed() > MS(3500) && began.elapsed() < MS(6000), "{:?}", began.elapsed());
    });
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn without_a_close_nothing_is_left_either() {
    let m = marker();
    let bot = bot("persistent = true", &format!("trap '' TERM; sleep {m} &\n{}", script("")));
    run(async {
        process(&bot.answer("q1").await, "q1");
        assert_alive(&m);
    });
    drop(bot);
    assert_gone(&m);
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn one_that_closes_its_output_and_stays_is_not_waited_for() {
    let m = marker();
    let bot = bot("persistent = true", &format!("read -r line; exec >&-; exec sleep {m}"));
    run(async {
        let (began, (kind, why)) = (Instant::now(), bot.fails("q1").await);
        assert_eq!(
            (kind, why.as_str()),
            (FailureKind::Process, "`sh …` closed its standard output before it answered")
        );
        assert!(began.elapsed() < MS(2000), "{:?}", began.elapsed());
        assert_gone(&m);
    });
}

#[test]
fn secrets_come_back_from_nowhere() {
    let settings = "command = [\"sh\", \"bot.sh\", \"${KEY}\"]";
    let bot = persistent(settings, "chat) echo \"key $1\";; die) echo \"key $1\" >&2; exit 1;;");
    run(async {
        for q in ["chat", "die"] {
            let (_, why) = bot.fails(q).await;
            assert!(!why.contains("very") && why.contains("key ***"), "{why}");
        }
        bot.target.close().await;
    });
    assert!(KEY.contains("very"));
}

#[test]
fn what_does_not_go_together_with_one_process_for_all() {
    for (settings, words) in [
        ("command = [\"bot\", \"{{ question }}\"]", "depends on the question"),
        ("command = [\"bot\", \"{{ session }}\"]", "depends on the question"),
        ("stdin = \"{{ question }}\"", "`stdin`"),
        ("output = \"text\"", "lines of JSON"),
    ] {
        let (code, title) = problem(&format!("persistent = true\n{settings}"));
        assert!(code == "persistent-form" && title.contains(words), "{code} {title}");
    }
    let bot = bot(
        "persistent = true\ncommand = [\"sh\", \"bot.sh\", \"{{ kind }}\"]\nvars = { kind = \"a\" }",
        "read -r x; echo '{\"answer\":\"x\"}'",
    );
    assert_eq!(run(bot.answer("q1")), "x");
}
