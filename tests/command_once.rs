//! Command targets with one process per question, with real processes that misbehave.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

mod command_kit;
mod process_kit;

use command_kit::{KEY, answer, bot, problem, question};
use process_kit::{alive, assert_alive, assert_gone, marker, run, within, zombies};
use ragline::layer::Provides;
use ragline::target::response::{Answer, Citation, Context};
use ragline::target::{Again, FailureKind, Request};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt as _;
use std::time::{Duration, Instant};

const MS: fn(u64) -> Duration = Duration::from_millis;

/// A field of this process in `/proc/self/status`, in KiB.
fn status(field: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|l| l.starts_with(field)).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse().unwrap()
}

#[test]
fn a_grandchild_that_holds_the_pipes_is_not_waited_for_and_not_left() {
    let m = marker();
    let bot = bot("", &format!("sleep {m} & echo '{{\"answer\":\"x\"}}'"));
    run(async {
        let began = Instant::now();
        assert_eq!(bot.answer("q1").await, "x");
        assert!(began.elapsed() < MS(1500), "{:?}", began.elapsed());
        assert_gone(&m);
        bot.target.close().await;
    });
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn what_a_grandchild_prints_just_after_the_end_still_counts() {
    let bot = bot("", "(sleep 0.05; echo '{\"answer\":\"late\"}') &");
    assert_eq!(run(bot.answer("q1")), "late");
}

#[test]
fn a_reader_of_standard_input_sees_its_end() {
    let reader = bot("", "cat > got; echo '{\"answer\":\"x\"}'");
    let (began, q) = (Instant::now(), "Wie \"viel\"?\n$(reboot) {{ id }} ${KEY}");
    run(async {
        let request = Request { repeat: 2, ..Request::new("s", "q1", q) };
        assert_eq!(answer(&reader.ask(request).await.unwrap()), "x");
        let got: Value = serde_json::from_str(&reader.read("got")).unwrap();
        assert_eq!(
            (&got["id"], &got["question"], &got["suite"], &got["repeat"]),
            (&"q1".into(), &q.into(), &"s".into(), &2.into())
        );
        assert!(reader.read("got").ends_with("}\n") && reader.read("got").lines().count() == 1);
        let session = got["session"].as_str().unwrap().to_owned();
        assert!(session.len() >= 16, "{session}");
        // Each question has a conversation of its own.
        reader.ask(request).await.unwrap();
        assert_ne!(serde_json::from_str::<Value>(&reader.read("got")).unwrap()["session"], session);
    });
    assert!(began.elapsed() < MS(2000));
}

#[test]
fn a_program_that_does_not_read_a_long_question_still_answers() {
    let long = "x".repeat(4 << 20);
    let bot = bot("output = \"text\"", "echo fine");
    let request = Request::new("s", "q1", &long);
    assert_eq!(answer(&run(bot.ask(request)).unwrap()), "fine");
    // And one that does read it gets all of it, while it prints as much itself.
    let bot = command_kit::bot("output = \"text\"\nstdin = \"{{ question }}\"", "exec cat");
    assert_eq!(answer(&run(bot.ask(request)).unwrap()).len(), long.len());
}

#[test]
fn a_full_standard_error_blocks_nobody() {
    let bot = bot("", "head -c 5000000 /dev/zero >&2; echo '{\"answer\":\"x\"}'");
    assert_eq!(run(bot.answer("q1")), "x");
}

#[test]
fn without_end_on_either_output_memory_stays_bounded() {
    let endless = bot("max_output = \"1MiB\"", "exec head -c 1000000000 /dev/zero");
    let noisy = bot("output = \"text\"", "head -c 1000000000 /dev/zero >&2; echo fine");
    run(async {
        // The first warms everything up.
        assert_eq!(noisy.answer("q0").await, "fine");
        let before = status("VmHWM");
        let (kind, why) = endless.fails("q1").await;
        assert_eq!(
            (kind, why.as_str()),
            (FailureKind::TooLarge, "`sh …` printed more than 1 MiB: output over `max_output`")
        );
        assert_eq!(noisy.answer("q2").await, "fine");
        let grown = status("VmHWM") - before;
        assert!(grown < 64 << 10, "{grown} KiB");
    });
}

#[test]
fn one_that_ignores_the_signal_is_late_on_time_and_killed_after_its_grace() {
    let m = marker();
    let script = format!("trap '' TERM; echo 'loading 3 of 7' >&2; sleep {m} & while :; do sleep 0.1; done");
    let bot = bot("timeout = { attempt = \"500ms\" }", &script);
    run(async {
        let began = Instant::now();
        let f = bot.ask(question("q1")).await.unwrap_err();
        assert_eq!((f.kind, f.again), (FailureKind::Total, Again::Soon));
        assert_eq!(f.why, "no answer within 500 ms: loading 3 of 7");
        // Not after the grace of two seconds.
        assert!(began.elapsed() < MS(2000), "{:?}", began.elapsed());
        assert_alive(&m);
        bot.target.close().await;
        assert_eq!(alive(&m), [] as [u32; 0]);
        assert!(began.elapsed() > MS(2000) && began.elapsed() < MS(4500), "{:?}", began.elapsed());
    });
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn one_that_listens_to_the_signal_may_tidy_up() {
    let bot =
        bot("timeout = { attempt = \"400ms\" }", "trap 'echo bye > note; exit' TERM; while :; do sleep 0.05; done");
    run(async {
        assert_eq!(bot.fails("q1").await.0, FailureKind::Total);
        let began = Instant::now();
        bot.target.close().await;
        assert!(began.elapsed() < MS(1000), "{:?}", began.elapsed());
    });
    assert_eq!(bot.read("note"), "bye\n");
}

#[test]
fn a_trickle_is_no_answer_and_the_request_says_how_long_it_may_take() {
    let bot = bot("", "while :; do printf x; sleep 0.1; done");
    let began = Instant::now();
    run(async {
        let request = Request { within: Some(MS(700)), ..question("q1") };
        assert_eq!(bot.ask(request).await.unwrap_err().why, "no answer within 700 ms");
    });
    assert!(began.elapsed() >= MS(700) && began.elapsed() < MS(1700), "{:?}", began.elapsed());
}

#[test]
fn an_attempt_that_is_given_up_leaves_nothing() {
    let m = marker();
    let bot = bot("", &format!("trap '' TERM; sleep {m} & wait; wait"));
    run(async {
        assert!(tokio::time::timeout(MS(400), bot.target.ask(question("q1"))).await.is_err());
        assert_gone(&m);
    });
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn a_runtime_that_ends_takes_what_is_on_its_way_out_with_it() {
    let m = marker();
    let bot = bot("timeout = { attempt = \"300ms\" }", &format!("trap '' TERM; sleep {m} & wait; wait"));
    run(async {
        assert_eq!(bot.fails("q1").await.0, FailureKind::Total);
    });
    assert_gone(&m);
    assert!(within(1000, || zombies().is_empty()), "{:?}", zombies());
}

#[test]
fn many_at_once_are_not_mixed_up() {
    let bot = bot("output = \"text\"\nstdin = \"{{ question }}\"", "sleep 0.1; cat");
    run(async {
        let ask = |n: usize| {
            let bot = &bot;
            async move { assert_eq!(bot.answer(&format!("number {n}")).await, format!("number {n}")) }
        };
        tokio::join!(ask(1), ask(2), ask(3), ask(4), ask(5), ask(6), ask(7), ask(8));
    });
}

#[test]
fn arguments_are_a_list_and_no_shell_reads_them() {
    let settings = "command = [\"sh\", \"bot.sh\", \"{{ question }}\", \"--id={{ id }}\", \"{{ kind }}\"]\noutput = \"text\"\nvars = { kind = \"a b\" }";
    let bot = bot(settings, "printf '%s|%s|%s|%s\\n\\n' \"$#\" \"$1\" \"$2\" \"$3\"");
    let q = "it's \"$(touch pwned)\"; `id` * \\n\n--help";
    let request = Request::new("s", "q1", q);
    assert_eq!(answer(&run(bot.ask(request)).unwrap()), format!("3|{q}|--id=q1|a b"));
    assert!(!bot.path().join("pwned").exists());
}

#[test]
fn the_input_is_a_template_and_json_is_escaped_as_such() {
    let settings = "output = \"text\"\nstdin = '{\"input\": {{ question }}, \"user\": {{ session }}}'";
    let bot = bot(settings, "cat");
    let q = "a \"b\"\n\\";
    let sent = answer(&run(bot.ask(Request::new("s", "q1", q))).unwrap()).to_owned();
    let sent: Value = serde_json::from_str(&sent).unwrap();
    assert_eq!(sent["input"], q);
    assert!(sent["user"].as_str().unwrap().len() >= 16);
}

#[test]
fn it_runs_in_its_folder() {
    let bot = bot("command = [\"./here\"]\nfolder = \"inner\"\noutput = \"text\"", "");
    let inner = bot.path().join("inner");
    let failed = run(bot.fails("q0"));
    assert_eq!(
        failed,
        (FailureKind::Process, format!("`./here` cannot be run: its folder {} is not there", inner.display()))
    );
    std::fs::create_dir(&inner).unwrap();
    assert_eq!(run(bot.fails("q0")).1, "`./here` cannot be run: it is not there");
    std::fs::write(inner.join("here"), "#!/no/such/shell\n").unwrap();
    assert_eq!(run(bot.fails("q0")).1, "`./here` cannot be run: it may not be executed");
    std::fs::set_permissions(inner.join("here"), std::fs::Permissions::from_mode(0o755)).unwrap();
    assert_eq!(run(bot.fails("q0")).1, "`./here` cannot be run: its interpreter is not there (see its first line)");
    std::fs::write(inner.join("here"), "#!/bin/sh\npwd\n").unwrap();
    assert_eq!(run(bot.answer("q1")), inner.canonicalize().unwrap().to_str().unwrap());
    let bot = command_kit::bot("command = [\"no-such-program-xyz\", \"a\"]", "");
    assert_eq!(run(bot.fails("q1")).1, "`no-such-program-xyz …` cannot be run: it is in no folder of PATH");
}

#[test]
fn ends_that_are_no_answers() {
    let end = |settings: &str, script: &str| {
        let f = run(bot(settings, script).ask(question("q1"))).unwrap_err();
        (f.kind, f.again, f.why)
    };
    let process = |again, why: &str| (FailureKind::Process, again, why.to_owned());
    // An answer before a bad end is none: the program says that it failed.
    let script = "echo '{\"answer\":\"x\"}'; echo Traceback >&2; echo 'KeyError: 1' >&2; echo >&2; exit 3";
    assert_eq!(end("", script), process(Again::Never, "`sh …` ended with exit status 3: KeyError: 1"));
    assert_eq!(end("output = \"text\"", "exit 1"), process(Again::Never, "`sh …` ended with exit status 1"));
    assert_eq!(end("", "echo busy >&2; exit 75"), process(Again::Soon, "`sh …` ended with exit status 75: busy"));
    assert_eq!(end("", "kill -9 $$"), process(Again::Never, "`sh …` was ended by signal 9"));
    assert_eq!(end("", "echo"), process(Again::Never, "`sh …` ended without an answer"));
}

#[test]
fn our_own_format_is_read_without_an_id() {
    let line = r#"{"answer":"30 days","contexts":[{"doc":12345678901234567890,"text":"…"}],"citations":[{"context":1}],"refused":false,"usage":{"output_tokens":3},"latency_ms":5}"#;
    let told = bot("", &format!("printf '\\357\\273\\277%s\\n' '{line}'"));
    let response = run(told.ask(Request { repeat: 1, ..question("q\"1") })).unwrap();
    assert_eq!((response.id.as_ref(), response.repeat, answer(&response)), ("q\"1", 1, "30 days"));
    // No digit of an id is lost.
    let context = Context { doc: Some("12345678901234567890".into()), text: Some("…".into()), ..Context::default() };
    assert_eq!(response.contexts, Some(vec![context]));
    assert_eq!(response.citations, Some(vec![Citation { context: Some(1), ..Citation::default() }]));
    assert_eq!((response.refused, response.latency_ms), (Some(false), Some(5)));
    assert_eq!(response.usage.unwrap().output_tokens, Some(3));
    let null = bot("", "echo '{\"answer\":null}'");
    assert_eq!(run(null.ask(question("q1"))).unwrap().answer, Answer::Null);
    let error = bot("", "echo '{\"id\":\"q1\",\"error\":\"no index\"}'");
    assert_eq!(run(error.ask(question("q1"))).unwrap().error.as_deref(), Some("no index"));
}

#[test]
fn what_is_not_our_format_says_why() {
    let fails = |script: &str| run(bot("", script).fails("q1"));
    let (kind, why) = fails("echo Loading model; echo '{\"answer\":\"x\"}'");
    assert_eq!(kind, FailureKind::NotJson);
    assert!(why.starts_with("not JSON: `Loading model`"), "{why}");
    let (kind, why) = fails("echo '{\"answer\":\"x\"}{\"answer\":\"y\"}'");
    assert_eq!((kind, why.contains("trailing characters")), (FailureKind::NotJson, true), "{why}");
    let (kind, why) = fails("printf '{\"answer\":\"\\351\"}'");
    assert_eq!((kind, why.contains("not UTF-8")), (FailureKind::NotJson, true), "{why}");
    let (kind, why) = fails("echo '{\"reply\":\"x\"}'");
    assert_eq!((kind, why.contains("unknown field `reply`")), (FailureKind::Unmapped, true), "{why}");
    let (kind, why) = fails("echo '{}'");
    assert_eq!((kind, why.contains("needs one of `answer`")), (FailureKind::Unmapped, true), "{why}");
    let (kind, why) = fails("echo '[\"x\"]'");
    assert_eq!((kind, why.as_str()), (FailureKind::Unmapped, "no JSON object: `[\"x\"]`"));
    let (kind, why) = fails("echo '{\"id\":\"q2\",\"answer\":\"x\"}'");
    assert_eq!((kind, why.as_str()), (FailureKind::Process, "the program answered `q2` when it was asked `q1`"));
    let text = bot("output = \"text\"", "printf '\\351'");
    assert_eq!(run(text.fails("q1")).0, FailureKind::NotJson);
}

#[test]
fn a_foreign_format_is_mapped_and_its_id_is_its_own() {
    let settings = "response = { answer = \"$.out\", contexts = \"$.docs[*]\", context = { doc = \"$.name\" } }";
    let told =
        bot(settings, r#"printf '%s' '{"id":"chatcmpl-1","out":"30 days","docs":[{"name":"a.md"},{"name":7}]}'"#);
    let response = run(told.ask(question("q1"))).unwrap();
    assert_eq!((response.id.as_ref(), answer(&response)), ("q1", "30 days"));
    let docs: Vec<_> = response.contexts.unwrap().into_iter().map(|c| c.doc.unwrap()).collect();
    assert_eq!(docs, ["a.md", "7"]);
    let (kind, why) = run(bot(settings, "echo '{\"reply\":\"x\"}'").fails("q1"));
    assert_eq!((kind, why.contains("`reply`")), (FailureKind::Unmapped, true), "{why}");
    let (kind, why) = run(bot(settings, "echo Loading").fails("q1"));
    assert_eq!((kind, why.contains("Loading")), (FailureKind::NotJson, true), "{why}");
}

#[test]
fn text_is_the_answer_as_it_is() {
    let bot = bot("output = \"text\"", "printf '  one\\n{two}\\n\\n'");
    assert_eq!(run(bot.answer("q1")), "  one\n{two}");
    // Silence is an answer that says nothing, and a good end.
    let bot = command_kit::bot("output = \"text\"", "");
    assert_eq!(run(bot.answer("q1")), "");
}

#[test]
fn secrets_come_back_from_nowhere() {
    let settings = "command = [\"sh\", \"bot.sh\", \"${KEY}\", \"{{ question }}\"]";
    let script = r#"
esc=$(printf %s "$1" | sed 's/"/\\"/g')
case "$2" in
  answer) printf '{"answer":"got %s","contexts":[{"doc":"%s","section":["%s"],"text":"%s"}],"citations":[{"quote":"%s"}]}' "$esc" "$esc" "$esc" "$esc" "$esc";;
  error) printf '{"error":"bad key %s"}' "$esc";;
  plain) printf 'bad key %s' "$1";;
  key) printf '{"%s":1}' "$esc";;
  die) echo "bad key $1" >&2; exit 1;;
  hang) echo "slow key $1" >&2; sleep 5;;
esac"#;
    let told = bot(settings, script);
    let shown = run(async {
        let mut shown = String::new();
        for q in ["answer", "error", "plain", "key", "die", "hang"] {
            let request = Request { within: Some(MS(1000)), ..question(q) };
            shown.push_str(&format!("{:?}\n", told.ask(request).await));
        }
        shown
    });
    assert!(!shown.contains("very") && shown.matches("***").count() >= 9, "{shown}");
    assert!(
        shown.contains("got ***") && shown.contains("exit status 1: bad key ***") && shown.contains("slow key ***"),
        "{shown}"
    );
    // The program did get it.
    let told = bot(settings, "printf %s \"$1\" > got; echo '{\"answer\":\"x\"}'");
    run(told.answer("q"));
    assert_eq!(told.read("got"), KEY);
}

#[test]
fn a_port_is_no_secret() {
    let bot = bot("command = [\"sh\", \"-c\", \"echo within 80 days # ${PORT}\"]\noutput = \"text\"", "");
    assert_eq!(run(bot.answer("q1")), "within 80 days");
}

#[test]
fn a_request_is_known_by_what_is_sent_and_by_nothing_of_this_machine() {
    let settings = "command = [\"sh\", \"bot.sh\", \"${KEY}\", \"{{ session }}\"]";
    let (one, two) = (bot(settings, ""), bot(settings, "exit"));
    let q = Request::new("s", "q1", "Why?");
    let key = one.target.key(q).unwrap();
    assert_eq!(one.target.key(q).unwrap(), key);
    // Another folder of the project, another session.
    assert_ne!(one.path(), two.path());
    assert_eq!(two.target.key(q).unwrap(), key);
    for other in [
        Request { question: "Why", ..q },
        Request { id: "q2", ..q },
        Request { suite: "t", ..q },
        Request { repeat: 1, ..q },
    ] {
        assert_ne!(one.target.key(other).unwrap(), key, "{other:?}");
    }
    // How long it may take is no part of it.
    assert_eq!(one.target.key(Request { within: Some(MS(1)), ..q }).unwrap(), key);
    for other in [
        "command = [\"sh\", \"bot.sh\", \"${KEY}\", \"{{ session }}\", \"x\"]".to_owned(),
        format!("{settings}\nfolder = \"inner\""),
        format!("{settings}\nstdin = \"{{{{ question }}}}\""),
    ] {
        assert_ne!(bot(&other, "").target.key(q).unwrap(), key, "{other}");
    }
}

#[test]
fn what_it_says_of_itself() {
    let settings = "concurrency = 3\nretries = 5\ntimeout = { attempt = \"4s\" }\nrate = \"10/min\"";
    let told = bot(settings, "");
    let manners = told.target.manners().unwrap();
    assert_eq!((told.target.name(), told.target.concurrency(), told.target.is_replay()), ("bot", 3, false));
    assert_eq!((manners.retries, manners.timeouts.attempt, manners.host.as_str()), (5, Duration::from_secs(4), "sh"));
    assert_eq!((manners.rate.unwrap().count, manners.warm_up), (10, None));
    assert_eq!(told.target.provides(), Provides::ALL);
    let text = bot("output = \"text\"", "");
    assert_eq!(text.target.provides(), Provides { answer: true, contexts: false, citations: false });
    let mapped = bot("response = { contexts = \"$.docs[*]\" }", "");
    assert_eq!(mapped.target.provides(), Provides { answer: false, contexts: true, citations: false });
    let said = bot("response = { answer = \"$.a\" }\nprovides = [\"answer\", \"citations\"]", "");
    assert_eq!(said.target.provides(), Provides { answer: true, contexts: false, citations: true });
    let warm = bot("start = \"sleep 1\"\nready_within = \"7s\"", "");
    assert_eq!(warm.target.manners().unwrap().warm_up, Some(Duration::from_secs(7)));
}

#[test]
fn settings_that_are_wrong() {
    let (code, title) = problem("command = [\"sh\", \"${NONE}\"]");
    assert_eq!((code, title.contains("`NONE`")), ("env-missing", true));
    assert_eq!(problem("start = \"sh ${NONE}\"").0, "env-missing");
    assert_eq!(problem("ready = \"http://localhost:99999/\"").0, "ready-address");
    let (_, title) = problem("stdin = \"{{ qestion }}\"");
    assert!(title.contains("qestion"), "{title}");
}

#[test]
fn what_was_started_beside_it_runs_while_it_is_asked_and_is_missed_when_it_is_gone() {
    let m = marker();
    let bot = bot(
        &format!("start = \"sh -c 'sleep {m} & sleep 1.2; echo out of memory >&2; exit 9'\""),
        "echo '{\"answer\":\"x\"}'",
    );
    run(async {
        bot.target.open().await.unwrap();
        assert_eq!(bot.answer("q1").await, "x");
        assert_alive(&m);
        tokio::time::sleep(MS(1500)).await;
        assert_eq!(
            bot.fails("q2").await,
            (FailureKind::NotReady, "`sh …` ended with exit status 9: out of memory".to_owned())
        );
        bot.target.close().await;
        assert_gone(&m);
    });
}
