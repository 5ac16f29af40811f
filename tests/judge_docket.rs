//! What the metrics of one answer ask, what they do not ask, and what they come to with a judge that is a script.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by a panic")]

mod judge_kit;

use judge_kit::{conduct, heard, lang, plain};
use ragline::judge::docket::{Case, Docket, Metric, Value};
use ragline::judge::inquest::Found;
use ragline::judge::metrics::{Absent, Lost, Measured};
use ragline::text::pack::Lang;

fn case<'a>(lang: &'a Lang, answer: &'a str, passages: &'a [&'a str]) -> Case<'a> {
    Case {
        question: "How long may I return it?",
        answer,
        refused: false,
        passages,
        reference: None,
        rubric: None,
        wrong: &[],
        lang,
    }
}

/// With an honest judge; and how many calls were made.
fn judged(metric: Metric, case: &Case<'_>) -> (Measured<Value>, usize) {
    let docket = Docket::new(metric, case);
    let found: Vec<Found> = docket
        .inquiries()
        .iter()
        .map(|i| conduct(i.clone(), plain(1), |_, read| heard(read.honest().to_string())).0)
        .collect();
    let calls = found.iter().map(|f| f.calls).sum();
    (docket.measure(&found), calls)
}

fn share(measured: Measured<Value>) -> f64 {
    match measured {
        Measured::Value(Value::Share(rate)) => rate.value().unwrap(),
        other @ (Measured::Value(_) | Measured::NotApplicable(_) | Measured::Unmeasured(_)) => panic!("{other:?}"),
    }
}

/// A05: a refusal states nothing that could be faithful, and no judge is asked.
#[test]
fn a_refusal_is_not_judged_and_costs_nothing() {
    let en = lang("en");
    let refusal = Case { refused: true, ..case(&en, "I cannot find that in the documents.", &["It is blue."]) };
    for metric in [Metric::Faithfulness, Metric::ContextPrecision] {
        assert_eq!(judged(metric, &refusal), (Measured::NotApplicable(Absent::Refusal), 0), "{metric:?}");
    }
}

#[test]
fn what_cannot_be_measured_does_not_apply_and_costs_nothing() {
    let en = lang("en");
    for (metric, absent) in [
        (Metric::ContextRecall, Absent::NoReference),
        (Metric::NoiseSensitivity, Absent::NoReference),
        (Metric::FactualCorrectness, Absent::NoReference),
        (Metric::Rubric, Absent::NoRubric),
    ] {
        assert_eq!(
            judged(metric, &case(&en, "It is blue.", &["x"])),
            (Measured::NotApplicable(absent), 0),
            "{metric:?}"
        );
    }
    let blank = case(&en, " … ", &["x"]);
    assert_eq!(judged(Metric::Faithfulness, &blank).0, Measured::NotApplicable(Absent::NothingStated));
    let without = case(&en, "It is blue.", &[]);
    assert_eq!(judged(Metric::ContextPrecision, &without).0, Measured::NotApplicable(Absent::NoPassage));
    // Claims without a passage are supported by nothing.
    let (measured, calls) = judged(Metric::Faithfulness, &without);
    assert_eq!((share(measured), calls), (0.0, 0));
}

/// The judge says yes to everything with words that stand there; the number that a rule found wrong stays wrong.
#[test]
fn a_statement_that_a_rule_found_wrong_stays_wrong() {
    let en = lang("en");
    let answer = "Returns are free of charge. You have 17 days for it.";
    let at = answer.find("17 days").unwrap();
    let passages = ["Returns are free of charge. You have 7 days for it."];
    let wrong = at..at + 7;
    let docket = Docket::new(
        Metric::Faithfulness,
        &Case { wrong: std::slice::from_ref(&wrong), ..case(&en, answer, &passages) },
    );
    let (found, asks) = conduct(docket.inquiries()[0].clone(), plain(1), |_, read| {
        heard(read.says(&[(read.statements[0].0, "yes", "Returns are free of charge")]))
    });
    assert_eq!((share(docket.measure(&[found])), asks.len()), (0.5, 1));
}

/// `Không.` says nothing alone.
#[test]
fn a_short_answer_is_judged_with_its_question() {
    let vi = lang("vi");
    let case =
        Case { question: "Có được hoàn tiền không?", ..case(&vi, "Không.", &["Không hoàn tiền."]) };
    let docket = Docket::new(Metric::Faithfulness, &case);
    let statements = &docket.inquiries()[0].statements;
    assert_eq!(statements.len(), 1);
    assert!(statements[0].text.contains("Có được hoàn tiền không? Không."), "{}", statements[0].text);
}

#[test]
fn the_metrics_come_out_of_an_honest_judge() {
    let en = lang("en");
    let passages = ["The lamp is blue and small. It costs nine euro today.", "The chair was made of old wood."];
    let answer = "The lamp is blue and small. The chair was made of old wood. The table is round.";
    let reference = "The lamp is blue and small. The chair has four long legs.";
    let case = Case { reference: Some(reference), rubric: Some("The table is round."), ..case(&en, answer, &passages) };
    assert!((share(judged(Metric::Faithfulness, &case).0) - 2.0 / 3.0).abs() < 1e-12);
    assert!((share(judged(Metric::ContextRecall, &case).0) - 0.5).abs() < 1e-12);
    let Measured::Value(Value::Factual(factual)) = judged(Metric::FactualCorrectness, &case).0 else { panic!() };
    assert_eq!((factual.precision.hits, factual.precision.n, factual.recall.hits, factual.recall.n), (1, 3, 1, 2));
    // The chair comes of a passage that is of no use for the reference, the table of none.
    let Measured::Value(Value::Noise(noise)) = judged(Metric::NoiseSensitivity, &case).0 else { panic!() };
    assert_eq!((noise.relevant.hits, noise.irrelevant.hits, noise.unsupported.hits, noise.relevant.n), (0, 1, 1, 3));
    assert_eq!(judged(Metric::Rubric, &case), (Measured::Value(Value::Met(true)), 1));
    // One call a passage, with the reference as what is expected.
    let docket = Docket::new(Metric::ContextPrecision, &case);
    let useful = |i: usize| {
        conduct(docket.inquiries()[i].clone(), plain(1), |_, read| {
            assert_eq!(read.statements[0].1, reference);
            heard(read.says(&[(1, if i == 1 { "yes" } else { "no" }, "The chair was made")]))
        })
        .0
    };
    let Measured::Value(Value::Precision(p)) = docket.measure(&[useful(0), useful(1)]) else { panic!() };
    assert_eq!((p.ratio, p.ap), (0.5, 0.5));
}

/// A02: why nothing was measured is told in the judge's own words.
#[test]
fn a_metric_that_was_lost_says_why() {
    let en = lang("en");
    let docket = Docket::new(Metric::Faithfulness, &case(&en, "The lamp is blue.", &["The lamp is blue."]));
    let (found, _) = conduct(docket.inquiries()[0].clone(), plain(1), |_, _| heard("NaN"));
    let Measured::Unmeasured(Lost::Judge(why)) = docket.measure(&[found]) else { panic!() };
    assert_eq!(why, "no JSON verdict in the reply: NaN");
}
