//! Retrieval: metrics, the random line and the layer, with the right value of every case.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::string_slice,
    clippy::print_stdout,
    clippy::wildcard_enum_match_arm,
    reason = "a test may"
)]

mod data_kit;
mod layer_kit;

use layer_kit::doc;
use ragline::layer::retrieval::metrics::{Gain, Ranking};
use ragline::layer::retrieval::random::Random;
use ragline::layer::retrieval::{self, RetrievalDetail};
use ragline::layer::{Code, Detail, Exam, LayerResult, Outcome, Provides, Skip};
use ragline::suite::{Evidence, EvidenceItem, Expect, Need, Question};
use ragline::target::response::{Context, Response};
use ragline::text::pack::Lang;
use std::collections::HashMap;

#[track_caller]
fn near(got: Option<f64>, right: f64) {
    let got = got.expect("a value");
    assert!((got - right).abs() < 0.000_05, "{got} is not {right}");
}

#[track_caller]
fn exact(got: Option<f64>, right: f64) {
    let got = got.expect("a value");
    assert!((got - right).abs() < 0.000_000_51, "{got} is not {right}");
}

#[test]
fn r01_one_of_two_found() {
    let r = Ranking::simple(&[0.0, 1.0, 0.0, 1.0, 0.0], &[]);
    near(r.hit(1), 0.0);
    near(r.hit(3), 1.0);
    near(r.precision(3), 0.3333);
    near(r.recall(3), 0.5);
    near(r.f1(3), 0.4);
    near(r.reciprocal_rank(None), 0.5);
    near(r.average_precision(None), 0.5);
    near(r.ndcg(Some(5), Gain::Linear), 0.6509);
    near(r.context_precision_ratio(), 0.4);
    near(r.context_precision_ap(), 0.5);
}

#[test]
fn r02_short_lists_are_padded_with_misses() {
    let r = Ranking::simple(&[0.0, 1.0], &[1.0]);
    near(r.precision(5), 0.2);
    near(r.recall(5), 0.5);
    near(r.average_precision(None), 0.25);
    near(r.ndcg(Some(5), Gain::Linear), 0.3869);
}

#[test]
fn r03_seven_units() {
    let r = Ranking::simple(&[1.0, 0.0, 1.0, 1.0, 0.0], &[1.0; 4]);
    near(r.precision(5), 0.6);
    near(r.recall(5), 0.4286);
    near(r.average_precision(None), 0.3452);
    near(r.average_precision(Some(5)), 0.3452);
    near(r.ndcg(Some(5), Gain::Linear), 0.6548);
    near(r.ndcg(Some(10), Gain::Linear), 0.5307);
}

#[test]
fn r04_grades() {
    let r = Ranking::simple(&[1.0, 3.0, 0.0, 2.0], &[3.0]);
    near(r.ndcg(Some(4), Gain::Linear), 0.5937);
    near(r.ndcg(Some(4), Gain::Exponential), 0.5026);
    near(r.ndcg(Some(3), Gain::Linear), 0.4909);
    near(r.ndcg(Some(3), Gain::Exponential), 0.4193);
}

#[test]
fn r05_r06_nothing_found_is_zero_and_nothing_to_find_is_no_value() {
    let r = Ranking::simple(&[0.0, 0.0, 0.0], &[1.0]);
    for v in [r.hit(3), r.precision(3), r.recall(3), r.f1(3), r.reciprocal_rank(None), r.average_precision(None)] {
        near(v, 0.0);
    }
    near(r.ndcg(Some(3), Gain::Linear), 0.0);
    near(r.context_precision_ap(), 0.0);
    assert_eq!(r.first_rank(), None);
    let none = Ranking::simple(&[0.0], &[]);
    assert_eq!(
        (none.hit(1), none.recall(1), none.ndcg(None, Gain::Linear), none.average_precision(None)),
        (None, None, None, None)
    );
}

#[test]
fn r07_one_section_in_three_passages_counts_once() {
    let r = Ranking {
        relevant: vec![true, true, false, true, false],
        newly: vec![vec![0], vec![], vec![], vec![], vec![]],
        grades: vec![1.0],
    };
    near(r.precision(5), 0.6);
    near(r.recall(5), 1.0);
    near(r.ndcg(Some(5), Gain::Linear), 1.0);
    near(r.context_precision_ap(), 0.9167);
}

#[test]
fn r08_context_precision() {
    let of = |verdicts: [f64; 4]| Ranking::simple(&verdicts, &[]);
    near(of([1.0, 1.0, 0.0, 0.0]).context_precision_ratio(), 0.5);
    near(of([0.0, 0.0, 1.0, 1.0]).context_precision_ratio(), 0.5);
    near(of([1.0, 1.0, 0.0, 0.0]).context_precision_ap(), 1.0);
    near(of([0.0, 0.0, 1.0, 1.0]).context_precision_ap(), 0.4167);
}

#[test]
fn r09_to_r13_r16_random_line() {
    let r = Random::plain(51, 1);
    exact(r.hit(3), 0.058824);
    exact(r.precision(3), 0.019608);
    exact(r.reciprocal_rank(Some(3)), 0.035948);
    exact(r.reciprocal_rank(None), 0.088604);
    exact(r.ndcg(Some(3)), 0.041783);
    exact(r.hit(5), 0.098039);
    exact(r.reciprocal_rank(Some(5)), 0.044771);
    exact(r.ndcg(Some(5)), 0.057813);
    let r = Random::plain(10, 2);
    exact(r.hit(3), 0.533333);
    exact(r.reciprocal_rank(Some(3)), 0.340741);
    exact(r.ndcg(Some(3)), 0.261315);
    exact(r.average_precision(None), 0.371464);
    let r = Random::plain(20, 4);
    exact(r.hit(5), 0.718266);
    exact(r.reciprocal_rank(None), 0.415154);
    exact(r.ndcg(Some(5)), 0.230204);
    exact(r.average_precision(None), 0.309379);
    exact(r.average_precision(Some(5)), 0.135614);
    let r = Random::plain(5, 5);
    exact(r.hit(3), 1.0);
    exact(r.recall(3), 0.6);
    exact(r.ndcg(Some(3)), 1.0);
    let r = Random { pool: 51, units: vec![(1.0, 2)] };
    exact(r.hit(3), 0.115294);
    exact(r.recall(3), 0.115294);
    exact(r.ndcg(Some(3)), 0.082287);
    // All of two in the first three of ten: C(8,1)/C(10,3).
    exact(Random::plain(10, 2).all(3), 8.0 / 120.0);
    // A pool smaller than the cut-off, and one that cannot hold the evidence.
    exact(Random::plain(2, 1).hit(5), 1.0);
    assert_eq!(Random::plain(1, 2).hit(1), None);
}

#[test]
fn r15_two_units_in_one_passage() {
    let r = Ranking {
        relevant: vec![false, true, false, false],
        newly: vec![vec![], vec![0, 1], vec![], vec![]],
        grades: vec![1.0, 1.0],
    };
    near(r.recall(2), 1.0);
    near(r.ndcg(Some(4), Gain::Linear), 0.6309);
    near(r.average_precision(None), 0.5);
    near(r.reciprocal_rank(None), 0.5);
}

/// Values of the reference program for its own test data.
#[test]
fn trec_eval() {
    let Some(folder) = data_kit::folder("c_trec_eval/test") else { return };
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
    let mut qrels: HashMap<String, HashMap<String, f64>> = HashMap::new();
    for line in read("qrels.test").lines() {
        let f: Vec<&str> = line.split_whitespace().collect();
        qrels.entry(f[0].into()).or_default().insert(f[2].into(), f[3].parse().unwrap());
    }
    let mut runs: HashMap<String, Vec<(f32, String)>> = HashMap::new();
    for line in read("results.test").lines() {
        let f: Vec<&str> = line.split_whitespace().collect();
        runs.entry(f[0].into()).or_default().push((f[4].parse().unwrap(), f[2].into()));
    }
    let mut values: HashMap<(String, &str), f64> = HashMap::new();
    let mut sums: HashMap<&str, f64> = HashMap::new();
    for (topic, run) in &mut runs {
        // trec_eval sorts by score and, where scores are equal, by document, both falling.
        run.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| b.1.cmp(&a.1)));
        let mut judged = qrels[topic].clone();
        let grades: Vec<f64> = run.iter().map(|(_, d)| judged.remove(d).unwrap_or(0.0).max(0.0)).collect();
        let missing: Vec<f64> = judged.into_values().filter(|g| *g > 0.0).collect();
        let r = Ranking::simple(&grades, &missing);
        for (name, v) in [
            ("map", r.average_precision(None)),
            ("recip_rank", r.reciprocal_rank(None)),
            ("P_5", r.precision(5)),
            ("recall_10", r.recall(10)),
            ("ndcg", r.ndcg(None, Gain::Linear)),
            ("ndcg_cut_10", r.ndcg(Some(10), Gain::Linear)),
            ("success_1", r.hit(1)),
            ("map_cut_10", r.average_precision(Some(10))),
        ] {
            values.insert((topic.clone(), name), v.unwrap());
            *sums.entry(name).or_default() += v.unwrap() / 3.0;
        }
    }
    for (name, right) in [
        ("map", 0.1785),
        ("recip_rank", 0.4064),
        ("P_5", 0.2667),
        ("recall_10", 0.0317),
        ("ndcg", 0.4021),
        ("ndcg_cut_10", 0.3016),
        ("success_1", 0.3333),
    ] {
        near(sums.get(name).copied(), right);
    }
    // And for each topic, from the program's own output.
    let mut compared = 0;
    for line in read("out.test.aq").lines() {
        let f: Vec<&str> = line.split_whitespace().collect();
        let found = values.iter().find(|((topic, name), _)| f[1] == topic && f[0] == *name);
        if let Some((_, v)) = found {
            near(Some(*v), f[2].parse().unwrap());
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}

// The layer.

fn evidence(doc: Option<&str>, section: &[&str], span: Option<&str>) -> Evidence {
    let section = section.iter().map(ToString::to_string).collect();
    Evidence { section, span: span.map(Into::into), ..layer_kit::evidence(doc) }
}

fn question(evidence: Vec<EvidenceItem>, evidence_match: Need) -> Question {
    Question { evidence, evidence_match, ..layer_kit::question("?", Expect::Answer) }
}

fn context<'a>(doc: &'a str, section: &[&'a str], text: &'a str) -> Context<'a> {
    Context {
        doc: (!doc.is_empty()).then(|| doc.into()),
        section: section.iter().map(|s| (*s).into()).collect(),
        text: (!text.is_empty()).then(|| text.into()),
        ..Context::default()
    }
}

fn docs<'a>(names: &[&'a str]) -> Vec<Context<'a>> {
    names.iter().map(|n| context(n, &[], "text")).collect()
}

fn run_with(q: &Question, contexts: Option<Vec<Context<'_>>>, top_k: Option<usize>, provides: Provides) -> LayerResult {
    let response = Response { contexts, ..Response::default() };
    let lang = Lang::new("vi").unwrap();
    retrieval::check(&Exam { provides, top_k, pool: Some(51), ..layer_kit::exam(q, &response, &lang) })
}

fn run(q: &Question, contexts: Vec<Context<'_>>, top_k: Option<usize>) -> LayerResult {
    run_with(q, Some(contexts), top_k, Provides::ALL)
}

fn detail(r: &LayerResult) -> &RetrievalDetail {
    match &r.detail {
        Detail::Retrieval(d) => d,
        other => panic!("{other:?}"),
    }
}

fn metric(r: &LayerResult, name: &str) -> Option<f64> {
    detail(r).metrics.iter().find(|(n, _)| n.is(name)).map(|(_, v)| *v)
}

#[test]
fn i08_conventions() {
    let q = question(vec![doc("a"), doc("b")], Need::Any);
    let r = run(&q, vec![], None);
    assert_eq!(r.outcome, Outcome::Fail);
    assert!(detail(&r).metrics.iter().all(|(_, v)| *v == 0.0), "{:?}", detail(&r).metrics);
    let r = run(&q, docs(&["a"]), None);
    near(metric(&r, "p@10"), 0.1);
    near(metric(&r, "r@10"), 0.5);
    near(metric(&r, "rr"), 1.0);
    let r = run(&q, docs(&["a", "x", "b"]), None);
    near(metric(&r, "p@3"), 0.6667);
    near(metric(&r, "r@3"), 1.0);
    near(metric(&r, "ndcg@3"), 0.9197);
    near(metric(&r, "r@1"), 0.5);
    near(detail(&r).random.iter().find(|(n, _)| n.is("r@3")).map(|(_, v)| *v), 3.0 / 51.0);
    // No evidence, and a question outside the corpus: not applicable.
    let none = run(&question(vec![], Need::Any), docs(&["a"]), None);
    assert_eq!(none.outcome, Outcome::Skipped(Skip::NotApplicable));
    let refuse = Question { expect: Expect::Refuse, ..question(vec![doc("a")], Need::Any) };
    assert_eq!(run(&refuse, docs(&["a"]), None).outcome, Outcome::Skipped(Skip::NotApplicable));
}

#[test]
fn i06_nothing_found_is_zero_and_nothing_returned_is_unmeasured() {
    let q = question(vec![doc("a")], Need::Any);
    near(metric(&run(&q, docs(&["a"]), None), "r@5"), 1.0);
    near(metric(&run(&q, vec![], None), "r@5"), 0.0);
    let r = run_with(&q, None, None, Provides::ALL);
    assert_eq!((r.outcome, r.findings[0].code), (Outcome::Unmeasured, Code::ContextsMissing));
    let silent = Provides { contexts: false, ..Provides::ALL };
    assert_eq!(run_with(&q, None, None, silent).outcome, Outcome::Skipped(Skip::NotObserved));
}

#[test]
fn i02_ids_are_compared_as_written() {
    let gold = |id: &str| {
        question(vec![EvidenceItem::One(Evidence { chunk: Some(id.into()), ..evidence(None, &[], None) })], Need::Any)
    };
    for (id, result, hit) in [
        ("9007199254740993", "9007199254740992", false),
        ("9007199254740993", "9007199254740993", true),
        ("007", "7", false),
        ("007", "007", true),
        ("0", "0", true),
        ("0", "-0", false),
        ("1000", "1e3", false),
    ] {
        let context = Context { chunk: Some(result.into()), ..Context::default() };
        assert_eq!(run(&gold(id), vec![context], None).outcome == Outcome::Pass, hit, "{id} {result}");
    }
    // Composed and decomposed names are one document.
    let q = question(vec![doc("bảo-hành.md")], Need::Any);
    assert_eq!(run(&q, docs(&["ba\u{309}o-ha\u{300}nh.md"]), None).outcome, Outcome::Pass);
}

#[test]
fn levels() {
    let span = |s| EvidenceItem::One(evidence(Some("bao-hanh.md"), &["Bảo hành", "Từ chối"], Some(s)));
    let q = question(vec![span("vào nước ở phần động cơ")], Need::Any);
    let path = ["Bảo hành", "Từ chối", "Nước"];
    let whole = context("bao-hanh.md", &path, "Máy bị vào nước ở phần Động cơ thì không.");
    let cut = context("bao-hanh.md", &path, "Máy bị vào nước ở phần");
    let other = context("bao-hanh.md", &["Bảo hành", "Thời hạn"], "vào nước ở phần động cơ");
    let elsewhere = context("doi-tra.md", &[], "vào nước ở phần động cơ");
    let nameless = context("", &[], "bị vào nước ở phần động cơ");
    let textless = context("bao-hanh.md", &path, "");

    let r = run(&q, vec![elsewhere.clone(), whole.clone()], None);
    assert_eq!((r.outcome, detail(&r).rank, &detail(&r).holders[..]), (Outcome::Pass, Some(2), &[1usize][..]));
    assert!(detail(&r).in_top_k && detail(&r).in_prompt && detail(&r).complete);

    let r = run(&q, vec![cut.clone()], None);
    assert_eq!((r.outcome, r.findings[0].code), (Outcome::Fail, Code::EvidenceSpanCut), "{:?}", r.findings);
    assert!(detail(&r).in_top_k && !detail(&r).complete);

    for wrong in [&other, &elsewhere] {
        let r = run(&q, vec![wrong.clone()], None);
        assert_eq!((r.outcome, r.findings[0].code), (Outcome::Fail, Code::EvidenceNotRetrieved));
    }
    assert_eq!(run(&q, vec![nameless], None).outcome, Outcome::Pass);
    let r = run(&q, vec![textless.clone(), elsewhere.clone()], None);
    assert_eq!((r.outcome, r.findings[0].code), (Outcome::Unmeasured, Code::ContextTextMissing));
    assert_eq!(run(&q, vec![textless, whole.clone()], None).outcome, Outcome::Pass);
    // Without text, but of another document: a miss all the same.
    assert_eq!(run(&q, vec![context("x.md", &[], "")], None).outcome, Outcome::Fail);

    let r = run(&q, vec![elsewhere.clone(), whole.clone()], Some(1));
    assert_eq!((r.outcome, r.findings[0].code), (Outcome::Fail, Code::EvidenceNotRetrieved));
    assert!(r.findings[0].message.contains("rank 2"), "{}", r.findings[0].message);

    let hidden = Context { in_prompt: Some(false), ..whole };
    let r = run(&q, vec![hidden, elsewhere], None);
    assert_eq!((r.outcome, r.findings[0].code), (Outcome::Fail, Code::EvidenceNotInPrompt));
    assert!(detail(&r).in_top_k && !detail(&r).in_prompt && detail(&r).holders.is_empty());
}

#[test]
fn a_section_that_no_passage_names_cannot_be_measured() {
    let q = question(vec![EvidenceItem::One(evidence(Some("a.md"), &["A"], None))], Need::Any);
    let r = run(&q, docs(&["a.md"]), None);
    assert_eq!((r.outcome, r.findings[0].code), (Outcome::Unmeasured, Code::ContextPlaceMissing));
    let r = run(&q, vec![context("", &[], "text")], None);
    assert_eq!((r.outcome, r.findings[0].code), (Outcome::Unmeasured, Code::ContextPlaceMissing));
    assert_eq!(run(&q, docs(&["b.md"]), None).outcome, Outcome::Fail);
    assert_eq!(run(&q, vec![context("a.md", &["a", "B"], "x")], None).outcome, Outcome::Pass);
}

#[test]
fn all_any_and_nested() {
    let both = question(vec![doc("a"), doc("b")], Need::All);
    assert_eq!(run(&both, docs(&["a"]), None).outcome, Outcome::Fail);
    let r = run(&both, docs(&["a", "x", "b"]), None);
    assert_eq!(r.outcome, Outcome::Pass);
    near(metric(&r, "hit@1"), 0.0);
    near(metric(&r, "hit@3"), 1.0);
    let nested =
        question(vec![EvidenceItem::AllOf(vec![doc("a"), EvidenceItem::AnyOf(vec![doc("b"), doc("c")])])], Need::Any);
    assert_eq!(run(&nested, docs(&["a", "c"]), None).outcome, Outcome::Pass);
    assert_eq!(run(&nested, docs(&["b", "c"]), None).outcome, Outcome::Fail);
    // An alternative is one unit: finding one of two is full recall.
    near(metric(&run(&nested, docs(&["a", "c"]), None), "r@3"), 1.0);
}

/// `17 days` is not the evidence `7 days`, whatever the digits.
#[test]
fn a_span_cuts_no_number() {
    for (span, text, right) in [
        ("7 days", "within 17 days", Outcome::Fail),
        ("7 days", "within 3.7 days", Outcome::Fail),
        ("7 days", "within 7 days", Outcome::Pass),
        ("costs 5", "It costs 5,000 euro", Outcome::Fail),
        ("costs 5", "It costs 5, no more", Outcome::Pass),
        ("๗ วัน", "ภายใน ๑๗ วัน", Outcome::Fail),
        ("７天", "１７天内", Outcome::Fail),
        ("七天", "十七天内", Outcome::Fail),
        ("七天", "第七天内", Outcome::Pass),
        ("in 1990", "in 1990s", Outcome::Pass),
    ] {
        let q = question(vec![EvidenceItem::One(evidence(Some("a"), &[], Some(span)))], Need::Any);
        assert_eq!(run(&q, vec![context("a", &[], text)], None).outcome, right, "{span} in {text}");
    }
}

/// Chunks are often numbered within their document.
#[test]
fn equal_chunk_ids_of_two_documents_are_two_passages() {
    let q = question(vec![doc("b")], Need::Any);
    let chunk = |doc| Context { chunk: Some("0".into()), ..context(doc, &[], "text") };
    assert_eq!(run(&q, vec![chunk("a"), chunk("b")], None).outcome, Outcome::Pass);
}

#[test]
fn duplicates_keep_their_rank_and_count_as_misses() {
    let q = question(vec![doc("a")], Need::Any);
    let one = |id| Context { chunk: Some(id), ..context("a", &[], "x") };
    let r = run(&q, vec![one("1".into()), one("1".into()), one("2".into())], None);
    near(metric(&r, "p@3"), 0.6667);
    assert_eq!(r.findings[0].code, Code::DuplicatePassage);
    assert_eq!(r.outcome, Outcome::Pass);
}

proptest::proptest! {
    #[test]
    fn metrics_stay_between_0_and_1(grades in proptest::collection::vec(0u8..4, 0..12), missing in proptest::collection::vec(1u8..4, 0..4), k in 1usize..15) {
        let f = |v: &[u8]| v.iter().map(|g| f64::from(*g)).collect::<Vec<_>>();
        let r = Ranking::simple(&f(&grades), &f(&missing));
        for v in [r.hit(k), r.precision(k), r.recall(k), r.f1(k), r.reciprocal_rank(None), r.average_precision(Some(k)), r.ndcg(Some(k), Gain::Linear), r.ndcg(None, Gain::Exponential), r.context_precision_ap()].into_iter().flatten() {
            assert!((0.0..=1.0 + 1e-12).contains(&v), "{v}");
        }
    }

    #[test]
    fn random_stays_between_0_and_1(n in 1usize..80, r in 1usize..8, k in 1usize..90) {
        let x = Random::plain(n, r);
        for v in [x.hit(k), x.all(k), x.precision(k), x.recall(k), x.f1(k), x.reciprocal_rank(Some(k)), x.average_precision(Some(k)), x.ndcg(Some(k))].into_iter().flatten() {
            assert!((-1e-12..=1.0 + 1e-9).contains(&v), "{v}");
        }
    }
}

/// The name of a passage that holds the wanted one is told, with what would make the two meet.
#[test]
fn a_longer_name_is_told() {
    let message = |returned: &[&str]| {
        let q = question(vec![doc("fees.md")], Need::Any);
        let result = run(&q, returned.iter().map(|name| context(name, &[], "x")).collect(), None);
        assert_eq!((result.outcome, result.findings[0].code), (Outcome::Fail, Code::EvidenceNotRetrieved));
        result.findings[0].message.clone()
    };
    let said = message(&["news.md", "fees.md@r9#2"]);
    assert!(
        said.ends_with(
            "passage 2 is named “fees.md@r9#2”: make the names meet with `doc = { path = \"…\", regex = '^([^@]+)' }`."
        ),
        "{said}"
    );
    let said = message(&["/srv/kb/fees.md"]);
    assert!(said.contains("passage 1 is named “/srv/kb/fees.md”") && said.contains("basename = true"), "{said}");
    for other in ["late-fees.md", "news.md"] {
        let said = message(&[other]);
        assert!(!said.contains("is named"), "{said}");
    }
}
