//! Selectors and digests.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by them")]

mod suite_support;

use ragline::layer::LayerId;
use ragline::suite::Suite;
use ragline::suite::digest::expects;
use ragline::suite::select::{RunFacts, Selection, Selector};
use suite_support::{load_jsonl, load_yaml};

fn suites() -> Vec<Suite> {
    let shop = "version: 1\nsuite: shop-vi\nquestions:\n- { id: q01, question: a, facts: [x y], tags: [warranty, fees], owner: cskh }\n- { id: q02, question: b, evidence: [{ any_of: [{ doc: phi.md }, { doc: doi-tra.md }] }], severity: critical }\n- { id: x1, question: c, expect: refuse }\n";
    let bank = "version: 1\nsuite: bank\nquestions:\n- { id: q01, question: a, facts: [x y] }\n- { id: shop-vi2, question: b, facts: [x y], tags: [fees] }\n";
    [shop, bank].map(|t| load_yaml(t).unwrap().0).into()
}

fn pick(selectors: &[&str]) -> Result<Vec<String>, String> {
    let suites = suites();
    let selectors: Vec<_> = selectors.iter().map(|s| Selector::parse(s)).collect::<Result<_, _>>()?;
    let run = |suite: &str, id: &str| match (suite, id) {
        ("shop-vi", "q01") => RunFacts { change: Some("regressed".into()), layers_changed: vec![LayerId::Facts] },
        ("bank", _) => RunFacts { change: Some("unchanged".into()), layers_changed: vec![] },
        _ => RunFacts::default(),
    };
    let s = Selection::new(&selectors, &suites, Some(&run)).map_err(|e| e.why.join("; "))?;
    assert_eq!(s.is_partial(), s.count() < s.total());
    let mut names = Vec::new();
    for (i, suite) in suites.iter().enumerate() {
        for (j, q) in suite.questions.iter().enumerate() {
            if s.has(i, j) {
                names.push(format!("{}::{}", suite.name, q.id));
            }
        }
    }
    Ok(names)
}

#[test]
fn selectors_select_what_they_say() {
    let all = ["shop-vi::q01", "shop-vi::q02", "shop-vi::x1", "bank::q01", "bank::shop-vi2"];
    for (selectors, right) in [
        (&[][..], &all[..]),
        (&["all"], &all),
        (&["*"], &all),
        (&["shop-vi"], &all[..3]),
        (&["shop-*"], &all[..3]),
        (&["bank::q01"], &all[3..4]),
        (&["*::q01"], &[all[0], all[3]]),
        (&["shop-vi::q0?"], &all[..2]),
        (&["x1"], &all[2..3]),
        (&["q0*"], &[all[0], all[1], all[3]]),
        (&["tag:fees"], &[all[0], all[4]]),
        (&["tag:war*"], &all[..1]),
        (&["severity:critical"], &all[1..2]),
        (&["owner:cs*"], &all[..1]),
        (&["doc:doi-*"], &all[1..2]),
        (&["change:regressed"], &all[..1]),
        (&["layer:facts"], &all[..1]),
        (&["x1", "tag:fees"], &[all[0], all[2], all[4]]),
    ] {
        assert_eq!(pick(selectors).unwrap(), right, "{selectors:?}");
    }
}

#[test]
fn selectors_that_select_nothing_are_errors_that_help() {
    for (selector, words) in [
        ("q01", &["several suites", "shop-vi::q01", "bank::q01"][..]),
        ("shop-v", &["did you mean `shop-vi`"]),
        ("bnk::q01", &["names no suite", "did you mean `bank`"]),
        ("bank::q02", &["did you mean `q01`"]),
        ("tag:warrenty", &["did you mean `warranty`"]),
        ("owner:nobody", &["there are cskh"]),
        ("severity:minor", &["critical, normal"]),
        ("change:fixed", &["matches nothing"]),
        ("layer:fact", &["did you mean `facts`"]),
        ("layer:numbers", &["matches nothing"]),
        ("tags:fees", &["did you mean `tag:fees`"]),
        ("", &["empty"]),
        ("tag:", &["empty"]),
        ("shop-vi::", &["empty"]),
        ("[", &["not a glob"]),
    ] {
        let e = pick(&[selector]).unwrap_err();
        assert!(words.iter().all(|w| e.contains(w)), "{selector}: {e}");
    }
    let s = Selector::parse("change:fixed").unwrap();
    assert!(Selection::new(&[s], &suites(), None).unwrap_err().why[0].contains("needs a run"));
}

#[test]
fn d03_the_digest_covers_what_is_expected_and_nothing_else() {
    let of = |keys: &str| {
        let (s, _) =
            load_yaml(&suite_support::one_question(&format!("    facts: [x y]\n    evidence: [{{ doc: d }}]\n{keys}")))
                .unwrap();
        expects(&s.questions[0], s.top_k)
    };
    let plain = of("");
    assert!(plain.len() == 8 && plain.bytes().all(|b| b.is_ascii_hexdigit()));
    for same in [
        "    expect: answer\n    severity: minor\n    evidence_match: any\n",
        "    tags: [t]\n    owner: o\n    group: g\n    extra: { a: 1 }\n",
        "    must_not: []\n    layers: { facts: on }\n",
        "    draft: true\n    # a comment\n",
    ] {
        assert_eq!(of(same), plain, "{same}");
    }
    let mut all = vec![plain];
    for other in [
        "    expect: either\n",
        "    must_not: [z z]\n",
        "    reference: r\n",
        "    rubric: r\n",
        "    top_k: 3\n",
        "    layers: { facts: warn }\n",
        "    layers: { citation: off }\n",
    ] {
        all.push(of(other));
    }
    let count = all.len();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), count);

    // Layout, quotes, syntax, order of keys, the way an accent is typed and the id do not count.
    let a = load_yaml("version: 1\ntop_k: 3\nquestions:\n- id: a\n  question: Ho\u{300}a?\n  facts: [7, { number: { value: 7.0 } }]\n  evidence: [{ doc: \"7\", section: A }]\n").unwrap().0;
    let b = load_jsonl("{\"version\":1}\n{\"top_k\":3,\"evidence\":[{\"section\":[\"A\"],\"doc\":7,\"grade\":1}],\"id\":\"b\",\"facts\":[{\"text\":\"7\"},{\"number\":{\"value\":7}}],\"question\":\"H\u{f2}a?\"}\n").unwrap().0;
    assert_eq!(expects(&a.questions[0], a.top_k), expects(&b.questions[0], b.top_k));
}
