//! `thresholds.toml` and `ragline.toml`: what they state counts, and what cannot count is an error with its line.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by them")]

mod suite_support;

use ragline::gate::thresholds::{BaselineUse, Bound, Incomparable, Metric, Mode, Stale, Thresholds};
use ragline::layer::LayerId;
use ragline::problem::{Problems, Source};
use ragline::suite::config::live::{Rate, Timeouts};
use ragline::suite::config::{self, Chunking, TargetKind};
use std::sync::Arc;
use std::time::Duration;
use suite_support::{codes, lines_of, load_yaml};

fn thresholds(text: &str) -> Result<Thresholds, Problems> {
    Thresholds::parse(&Arc::new(Source { path: "thresholds.toml".into(), text: text.into() }))
}

fn project(text: &str) -> Result<config::Project, Problems> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("ragline.toml"), text).unwrap();
    let (project, warnings) = config::load(dir.path())?;
    assert!(warnings.0.is_empty());
    assert_eq!(project.root, dir.path());
    Ok(project)
}

#[test]
fn the_policy_of_the_manual_is_read_whole() {
    let t = thresholds(
        r#"version = 1
mode = "advisory"
max_regressed = 2
max_unmeasured = 1
stale = "warn"
primary = ["retrieval", "facts"]
baseline = "none"
incomparable = "allow"
[suite.shop-vi]
"retrieval.hit@3" = { min = 0.80, bound = "lower" }
"refusal.false_rate" = 0.1
[suite.shop-vi.tag.warranty]
"facts.rate" = 0.9
"#,
    )
    .unwrap();
    assert_eq!((t.modes.all.value, t.stale.value, t.max_regressed.value), (Mode::Advisory, Stale::Warn, 2));
    assert_eq!((t.baseline.value, t.incomparable.value), (BaselineUse::None, Incomparable::Allow));
    assert_eq!(t.max_regressed.place.as_ref().unwrap().to_string(), "thresholds.toml:3");
    assert_eq!(t.primary.value, [LayerId::Retrieval, LayerId::Facts]);
    let rules: Vec<_> =
        t.rules.iter().map(|r| (r.metric, r.tag.as_deref(), r.min, r.max, r.bound, r.place.line)).collect();
    assert_eq!(
        rules,
        [
            (Metric::Hit(3), None, Some(0.8), None, Bound::Lower, 10),
            (Metric::FalseRefusalRate, None, None, Some(0.1), Bound::Value, 11),
            (Metric::Rate(LayerId::Facts), Some("warranty"), Some(0.9), None, Bound::Value, 13),
        ]
    );
    assert_eq!(t.rules[0].metric.to_string(), "retrieval.hit@3");

    let none = Thresholds::load(std::path::Path::new("/nonexistent/thresholds.toml"), "thresholds.toml").unwrap();
    assert_eq!((none.modes.all.value, none.max_regressed.value, none.rules.len()), (Mode::Block, 0, 0));
    assert_eq!(none.max_regressed.place, None);
}

#[test]
fn k01_numbers_of_a_threshold_are_exact_or_refused() {
    let with = |n: &str| thresholds(&format!("version = 1\n[suite.s]\n\"facts.rate\" = {{ min = {n} }}\n"));
    for (fine, value) in [("1", 1.0), ("0", 0.0), ("0.8", 0.8), ("8e-1", 0.8), ("0.0", 0.0)] {
        assert_eq!(with(fine).unwrap().rules[0].min, Some(value), "{fine}");
    }
    for bad in [
        "nan",
        "-inf",
        "inf",
        "1e400",
        "1e-400",
        "\"0.8\"",
        "0,8",
        "1_0.5",
        "true",
        "-0.1",
        "1.01",
        "2",
        "2026-01-01",
        "[0.8]",
        "",
    ] {
        let p = with(bad).unwrap_err();
        assert!(p.any_error() && p.0.iter().all(|p| p.place.line == 3 && p.place.column > 0), "{bad}: {p}");
    }
    // The short form obeys the same table.
    let p = thresholds("version = 1\n[suite.s]\n\"facts.rate\" = 80\n").unwrap_err();
    assert_eq!(lines_of(&p), [(3, "threshold-range")]);
}

#[test]
fn c03_a_threshold_that_cannot_bind_is_an_error() {
    let p = thresholds("version = 1\n[suite.refund]\n\"context_recal\" = 0.8\n\"faithfulness\" = 0.7\n\"facts.rat\" = 0.8\n\"retrieval.hit@0\" = 1\n\"retrieval.hit\" = 1\n\"context_recall\" = 0.9\nfacts.rate = 0.9\n")
        .unwrap_err();
    assert_eq!(
        lines_of(&p),
        [
            (3, "threshold-metric-unknown"),
            (4, "threshold-not-measured"),
            (5, "threshold-metric-unknown"),
            (6, "threshold-metric-unknown"),
            (7, "threshold-metric-unknown"),
            (8, "threshold-not-measured"),
            (9, "threshold-metric-unknown"),
        ]
    );
    assert_eq!(p.0[2].help.as_deref(), Some("did you mean `facts.rate`?"));
    assert_eq!(p.0[4].help.as_deref(), Some("did you mean `retrieval.hit@3`?"));
    assert!(p.0[1].title.contains("no judge"), "{p}");

    let (suite, _) = load_yaml(
        "version: 1\nsuite: refund\ntop_k: 4\nquestions:\n- { id: a, question: q, facts: [x y], tags: [fees] }\n",
    )
    .unwrap();
    let t = thresholds("version = 1\n[suite.refunds]\n\"facts.rate\" = 0.9\n\"numbers.rate\" = 0.9\n[suite.refund]\n\"retrieval.hit@4\" = 0.5\n\"retrieval.r@7\" = 0.5\n[suite.refund.tag.fee]\n\"facts.rate\" = 0.9\n[suite.refund.tag.fees]\n\"facts.rate\" = 0.9\n").unwrap();
    let p = t.bind(&[suite], []);
    assert_eq!(lines_of(&p), [(2, "threshold-suite-unknown"), (7, "threshold-cut-off"), (8, "threshold-tag-unknown")]);
    assert_eq!(p.0[0].help.as_deref(), Some("did you mean `refund`?"));
    assert_eq!(p.0[2].help.as_deref(), Some("did you mean `fees`?"));
}

#[test]
fn c02_toml_keys_given_twice_name_both_lines() {
    let p = thresholds("version = 1\nmode = \"block\"\nmode = \"advisory\"\n[suite.a]\n\"facts.rate\" = 1\n[suite.b]\n\"facts.rate\" = 1\n[suite.a]\n\"facts.rate\" = 0\n").unwrap_err();
    let titles: Vec<_> = p.0.iter().map(|p| p.title.as_str()).collect();
    assert!(titles.contains(&"key `mode` given at lines 2 and 3"), "{p}");
    assert!(titles.contains(&"key `suite.a` given at lines 4 and 8"), "{p}");
    let p = thresholds("version = 1\nh\u{f2}a = 1\n").unwrap_err();
    assert_eq!(p.0[0].place.line, 2, "{p}");
    // Equal only in composed form.
    let p = thresholds("version = 1\n[suite.s.tag.\"h\u{f2}a\"]\n\"facts.rate\" = 1\n[suite.s.tag.\"ho\u{300}a\"]\n\"facts.rate\" = 0\n").unwrap_err();
    assert_eq!(codes(&p), ["duplicate-key"]);
}

#[test]
fn wrong_policies_are_refused_with_their_lines() {
    for (text, right) in [
        ("", (1, "version-missing")),
        ("version = 2\n", (1, "version-unknown")),
        ("version = 1\nmod = 1\n", (2, "unknown-key")),
        ("version = 1\nmode = \"blok\"\n", (2, "unknown-value")),
        ("version = 1\nmax_regressed = -1\n", (2, "expected-number")),
        ("version = 1\nmax_regressed = 1.5\n", (2, "expected-number")),
        ("version = 1\nprimary = [\"faithfulness\"]\n", (2, "not-yet-supported")),
        ("version = 1\n[suite.s]\n\"facts.rate\" = { bound = \"lower\" }\n", (3, "threshold-empty")),
        ("version = 1\n[suite.s]\n\"facts.rate\" = { min = 0.9, max = 0.1 }\n", (3, "threshold-range")),
        ("version = 1\n[suite.s]\n\"facts.rate\" = { min = 0.9, mx = 0.1 }\n", (3, "unknown-key")),
        ("version = 1\nsuite = 3\n", (2, "expected-map")),
    ] {
        assert_eq!(lines_of(&thresholds(text).unwrap_err()), [right], "{text}");
    }
}

#[test]
fn targets_and_profiles_are_read() {
    let p = project(
        r#"version = 1
[targets.builtin]
top_k = 5
[targets.small]
kind = "builtin"
k1 = 1
b = 0.5
chunk = { by = "fixed", size = 300, overlap = 50 }
refuse_below = 0.25
provides = ["answer", "contexts"]
concurrency = 2
watch = ["prompts/**"]
env = ["MODEL"]
[targets.saved]
kind = "recorded"
file = "fixtures/a.jsonl"
[profile.pr]
select = "tag:fast"
repeat = 1
[profile.night]
select = ["all"]
"#,
    )
    .unwrap();
    let TargetKind::Builtin(b) = &p.targets["small"].kind else { panic!() };
    assert_eq!(
        (b.k1, b.b, b.chunk, b.top_k, b.refuse_below),
        (1.0, 0.5, Chunking::Fixed { size: 300, overlap: 50 }, 3, 0.25)
    );
    let small = &p.targets["small"];
    assert_eq!(
        (small.concurrency, small.watch.as_slice(), small.env.as_slice()),
        (2, &["prompts/**".to_owned()][..], &["MODEL".to_owned()][..])
    );
    assert!(small.provides.is_some_and(|p| p.answer && p.contexts && !p.citations));
    let TargetKind::Builtin(b) = &p.targets["builtin"].kind else { panic!() };
    assert_eq!(b.top_k, 5);
    let TargetKind::Recorded { file } = &p.targets["saved"].kind else { panic!() };
    assert_eq!(*file, p.root.join("fixtures/a.jsonl"));
    assert_eq!(p.profiles["pr"].select.as_deref().unwrap(), ["tag:fast"]);

    let dir = tempfile::tempdir().unwrap();
    let (none, _) = config::load(dir.path()).unwrap();
    assert_eq!(none.targets.keys().collect::<Vec<_>>(), ["builtin"]);
    // Found upwards.
    std::fs::write(dir.path().join("ragline.toml"), "version = 1\n").unwrap();
    std::fs::create_dir_all(dir.path().join("a/b")).unwrap();
    let (up, _) = config::load(&dir.path().join("a/b")).unwrap();
    assert_eq!(up.root, dir.path());
}

#[test]
fn live_targets_are_read_with_their_defaults() {
    let p = project(
        r#"version = 1
[targets.own]
kind = "http"
url = "http://127.0.0.1:8000/chat"
[targets.dify]
kind = "http"
url = "https://dify.shop.example/v1"
preset = "dify"
headers = { authorization = "Bearer ${SHOP_KEY}", X-Shop = "a" }
timeout = { attempt = "2m" }
rate = "30/min"
price = { call = 0.5, currency = "VND" }
[targets.dify.response]
context = { doc = { path = "$.document_name", strip_prefix = "kb/" } }
[targets.program]
kind = "command"
command = "python3 'my bot.py' {{ question }}"
timeout = { run = "20s" }
"#,
    )
    .unwrap();
    let http = |name: &str| match &p.targets[name].kind {
        TargetKind::Http(c) => c.clone(),
        TargetKind::Builtin(_) | TargetKind::Recorded { .. } | TargetKind::Command(_) => panic!("{name}"),
    };
    let own = http("own");
    assert_eq!((own.method.as_str(), own.max_body, own.live.retries), ("GET", 8 << 20, 2));
    assert_eq!(own.live.timeouts, Timeouts::default());
    assert_eq!(own.live.recording, p.root.join("recordings/own.jsonl"));
    assert!(!own.mapping.answer.is_mapped() && !own.mapping.contexts.is_mapped());

    let dify = http("dify");
    assert_eq!((dify.method.as_str(), dify.url.raw.as_str()), ("POST", "https://dify.shop.example/v1/chat-messages"));
    let headers: Vec<(&str, &str)> = dify.headers.iter().map(|(n, v)| (n.as_str(), v.raw.as_str())).collect();
    assert_eq!(headers, [("authorization", "Bearer ${SHOP_KEY}"), ("X-Shop", "a")]);
    // One part is replaced, the others stay the preset's.
    assert_eq!(dify.mapping.context.doc.strip_prefix.as_deref(), Some("kb/"));
    assert!(dify.mapping.context.text.is_mapped() && dify.mapping.answer.is_mapped());
    let s = Duration::from_secs;
    let times = dify.live.timeouts;
    assert_eq!((times.attempt, times.question, times.run, times.idle), (s(120), s(120), s(1800), s(30)));
    assert_eq!(dify.live.rate, Some(Rate { count: 30, per: s(60) }));
    let price = dify.live.price.clone().unwrap();
    assert_eq!((price.input, price.call, price.currency.as_str()), (0.0, 0.5, "VND"));
    let variables: Vec<String> = p.targets["dify"].variables().into_iter().map(|(name, _)| name).collect();
    assert_eq!(variables, ["SHOP_KEY"]);

    let TargetKind::Command(program) = &p.targets["program"].kind else { panic!() };
    let words: Vec<&str> = program.command.iter().map(|w| w.raw.as_str()).collect();
    assert_eq!(words, ["python3", "my bot.py", "{{ question }}"]);
    // What is not said gives way to what is said.
    let times = program.live.timeouts;
    assert_eq!((times.connect, times.attempt, times.question, times.run), (s(5), s(20), s(20), s(20)));
}

#[test]
fn wrong_settings_are_refused_with_their_lines() {
    for (text, right) in [
        ("[targets]\n", vec![(1, "version-missing")]),
        ("version = 1\njudge = 1\ncolour = 2\n", vec![(2, "not-yet-supported"), (3, "unknown-key")]),
        ("version = 1\nprivacy = 1\n", vec![(2, "expected-map")]),
        ("version = 1\n[targets.a]\nkind = \"http\"\nurl = \"x\"\n", vec![(4, "address")]),
        ("version = 1\n[targets.a]\nkind = \"http\"\n", vec![(2, "key-missing")]),
        ("version = 1\n[targets.a]\nkind = \"command\"\n", vec![(2, "key-missing")]),
        ("version = 1\n[targets.a]\nkind = \"builtn\"\n", vec![(3, "unknown-value")]),
        ("version = 1\n[targets.a]\ntop_k = 3\n", vec![(2, "key-missing")]),
        ("version = 1\n[targets.a]\nkind = \"recorded\"\n", vec![(2, "key-missing")]),
        ("version = 1\n[targets.a]\nkind = \"recorded\"\nfile = \"a\"\nk1 = 1\n", vec![(5, "unknown-key")]),
        (
            "version = 1\n[targets.a]\nkind = \"builtin\"\ntop_k = 0\nb = 2\nk1 = nan\n",
            vec![(4, "expected-number"), (5, "number-range"), (6, "expected-number")],
        ),
        (
            "version = 1\n[targets.a]\nkind = \"builtin\"\nchunk = { by = \"fixed\", size = 3, overlap = 3 }\n",
            vec![(4, "number-range")],
        ),
        (
            "version = 1\n[targets.a]\nkind = \"builtin\"\nchunk = { by = \"section\", size = 3 }\n",
            vec![(4, "unknown-key")],
        ),
        ("version = 1\n[targets.a]\nkind = \"builtin\"\ntimeout = { run = \"30m\" }\n", vec![(4, "unknown-key")]),
        (
            "version = 1\n[profile.p]\nselect = 3\nrepeat = 0\ninherits = \"q\"\n",
            vec![(3, "expected-text"), (4, "expected-number"), (5, "unknown-profile")],
        ),
        ("version = 1\n[profile.p]\nselect = [\"tg:x\"]\n", vec![(3, "selector")]),
        ("version = 1\n[targets.a]\nkind = \"builtin\"\n[targets.a]\nkind = \"builtin\"\n", vec![(4, "duplicate-key")]),
        ("version = 1\nx = \n", vec![(2, "toml-syntax")]),
    ] {
        let p = project(text).unwrap_err();
        assert_eq!(lines_of(&p), right, "{text}\n{p}");
    }
}
