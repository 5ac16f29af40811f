//! The arithmetic of the judged metrics: values worked out by hand, the table of odd input, and the verdicts and values
//! that RAGChecker publishes with its examples.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr,
    reason = "a test fails by a panic"
)]

use ragline::judge::Verdict::{self, No, Unclear, Unknown, Yes};
use ragline::judge::metrics::{
    Absent, Generated, Lost, Measured, Noise, Supports, answer_relevancy, context_precision, context_recall, cosine,
    factual_correctness, faithfulness, noise_sensitivity, random_line, rescaled, rubric,
};
use serde_json::Value;

fn near(got: f64, want: f64) {
    assert!((got - want).abs() < 5e-5, "{got} is not {want}");
}

#[track_caller]
fn value<T: std::fmt::Debug>(measured: Measured<T>) -> T {
    let shown = format!("{measured:?}");
    measured.value().unwrap_or_else(|| panic!("{shown} is no value"))
}

#[test]
fn faithfulness_is_a_share_of_what_is_known_when_enough_is() {
    // J01: three of four are known, 75 %.
    let lost = Lost::TooFewKnown { known: 3, asked: 4 };
    assert_eq!(faithfulness(&[Yes, Yes, No, Unclear], 1), Measured::Unmeasured(lost));
    // J02.
    near(value(faithfulness(&[Yes, Yes, Yes, Yes, No], 1)).value().unwrap(), 0.8);
    // Four of five are known: 80 % are enough, and the fifth counts neither way.
    near(value(faithfulness(&[Yes, Yes, No, Unknown, Yes], 1)).value().unwrap(), 0.75);
}

#[test]
fn odd_input_is_no_number_by_accident() {
    assert_eq!(faithfulness(&[], 3), Measured::NotApplicable(Absent::NothingStated));
    // No passage: nothing supports what is claimed, and no judge need be asked.
    near(value(faithfulness(&[Unknown, Unknown], 0)).value().unwrap(), 0.0);
    assert_eq!(context_recall(&[], 3), Measured::NotApplicable(Absent::NoReference));
    assert_eq!(context_precision(&[]), Measured::NotApplicable(Absent::NoPassage));
    let none_known = Lost::TooFewKnown { known: 0, asked: 2 };
    assert_eq!(faithfulness(&[Unknown, Unclear], 1), Measured::Unmeasured(none_known));
    assert_eq!(rubric(None), Measured::NotApplicable(Absent::NoRubric));
    assert_eq!(rubric(Some(Yes)), Measured::Value(true));
    assert_eq!(rubric(Some(No)), Measured::Value(false));
    assert!(matches!(rubric(Some(Unclear)), Measured::Unmeasured(_)));
}

fn generated(vectors: &[&[f64]], noncommittal: &[bool]) -> Vec<Option<Generated>> {
    let one = |(v, n): (&&[f64], &bool)| Some(Generated { vector: v.to_vec(), noncommittal: *n });
    vectors.iter().zip(noncommittal).map(one).collect()
}

#[test]
fn relevancy_is_the_mean_cosine_unless_all_say_noncommittal() {
    let vectors: [&[f64]; 3] = [&[1.0, 0.0], &[0.6, 0.8], &[0.0, 1.0]];
    // J03, J04.
    near(value(answer_relevancy(&[1.0, 0.0], &generated(&vectors, &[false, false, true]))), 0.53333);
    near(value(answer_relevancy(&[1.0, 0.0], &generated(&vectors, &[true, true, true]))), 0.0);
    // It may be negative, and a vector that cannot be compared makes it unmeasured.
    near(value(answer_relevancy(&[1.0, 0.0], &generated(&[&[-1.0, 0.0]], &[false]))), -1.0);
    for broken in [&[f64::NAN, 1.0][..], &[0.0, 0.0], &[1.0]] {
        let measured = answer_relevancy(&[1.0, 0.0], &generated(&[&[1.0, 0.0], broken], &[false, false]));
        assert!(matches!(measured, Measured::Unmeasured(_)), "{broken:?}");
    }
    let mut two_of_three = generated(&vectors, &[false; 3]);
    two_of_three[2] = None;
    assert!(matches!(answer_relevancy(&[1.0, 0.0], &two_of_three), Measured::Unmeasured(_)));
}

#[test]
fn relevancy_is_read_against_the_random_line() {
    // J11.
    near(rescaled(0.80, 0.70).unwrap(), 0.33333);
    assert_eq!(rescaled(0.9, 1.0), None);
    let golden = vec![vec![1.0, 0.0], vec![0.0, 1.0]];
    let made = |v: &[f64]| vec![Generated { vector: v.to_vec(), noncommittal: false }];
    // The cosines with the other question: .8 and .6.
    near(random_line(&golden, &[made(&[0.6, 0.8]), made(&[0.6, 0.8])]).unwrap(), 0.7);
    assert_eq!(random_line(&golden[..1], &[made(&[1.0, 0.0])]), None);
    assert_eq!(cosine(&[1.0], &[f64::INFINITY]), None);
    assert_eq!(cosine(&[3.0, 4.0], &[6.0, 8.0]), Some(1.0));
}

#[test]
fn context_precision_has_two_definitions() {
    // J05; and the random order of R08.
    for (verdicts, ratio, ap) in [
        (vec![No, Yes, Yes], 0.66667, 0.58333),
        (vec![Yes, Yes, No, No], 0.5, 1.0),
        (vec![No, No, Yes, Yes], 0.5, 0.41667),
        (vec![No, No], 0.0, 0.0),
        // A perfect list is exactly 1.
        (vec![Yes, Yes], 1.0, 1.0),
        (vec![Yes, No, Yes, Yes, Unknown], 0.75, (1.0 + 2.0 / 3.0 + 3.0 / 4.0) / 3.0),
    ] {
        let got = value(context_precision(&verdicts));
        near(got.ratio, ratio);
        near(got.ap, ap);
    }
    assert!(value(context_precision(&[Yes, Yes])).ap >= 1.0);
    assert!(matches!(context_precision(&[Yes, Unknown]), Measured::Unmeasured(_)));
}

#[test]
fn noise_is_told_by_where_it_comes_from() {
    // J06: a1 stands in the reference; the relevant passage supports a1 and a2, the other a3, none a4.
    let by_passage = [vec![Yes, Yes, No, No], vec![No, No, Yes, No]];
    let supports =
        Supports { by_reference: &[Yes, No, No, No], by_passage: &by_passage, relevance: &[vec![Yes], vec![No]] };
    let Noise { relevant, irrelevant, unsupported } = value(noise_sensitivity(&supports));
    for rate in [relevant, irrelevant, unsupported] {
        near(rate.value().unwrap(), 0.25);
    }
    // a3 by a passage of which nobody knows whether it is relevant: three of four are known.
    let unsure = Supports { relevance: &[vec![Yes], vec![Unclear]], ..supports };
    assert_eq!(noise_sensitivity(&unsure), Measured::Unmeasured(Lost::TooFewKnown { known: 3, asked: 4 }));
    let nothing = Supports { by_reference: &[], by_passage: &[], relevance: &[] };
    assert_eq!(noise_sensitivity(&nothing), Measured::NotApplicable(Absent::NothingStated));
}

#[test]
fn factual_correctness_counts_each_side_in_its_own_claims() {
    // J07.
    let got = value(factual_correctness(&[Yes, Yes, Yes, No], &[Yes, Yes, Yes, No, No], 1.0));
    near(got.precision.value().unwrap(), 0.75);
    near(got.recall.value().unwrap(), 0.6);
    near(got.f, 0.66667);
    near(value(factual_correctness(&[No], &[No], 1.0)).f, 0.0);
    assert_eq!(factual_correctness(&[Yes], &[], 1.0), Measured::NotApplicable(Absent::NoReference));
    // J10: one of four stays unknown.
    let lost = Lost::TooFewKnown { known: 3, asked: 4 };
    assert_eq!(context_recall(&[Yes, Yes, No, Unknown], 2), Measured::Unmeasured(lost));
}

fn labels(value: &Value) -> Vec<Verdict> {
    value.as_array().unwrap().iter().map(|v| if v == "Entailment" { Yes } else { No }).collect()
}

/// For each passage its verdicts on each claim; the file has for each claim its verdict by each passage.
fn by_passage(value: &Value) -> Vec<Vec<Verdict>> {
    let claims: Vec<Vec<Verdict>> = value.as_array().unwrap().iter().map(labels).collect();
    (0..claims[0].len()).map(|p| claims.iter().map(|c| c[p]).collect()).collect()
}

/// A claim is supported when any passage supports it.
fn any_passage(passages: &[Vec<Verdict>]) -> Vec<Verdict> {
    let claims = 0..passages[0].len();
    claims.map(|c| if passages.iter().any(|p| p[c] == Yes) { Yes } else { No }).collect()
}

#[test]
fn ragcheckers_worked_verdicts_give_its_values() {
    let Ok(folder) = std::env::var("RAGLINE_DATA") else {
        eprintln!("SKIPPED: RAGLINE_DATA is not set, RAGChecker's examples were not read");
        return;
    };
    let path = std::path::Path::new(&folder).join("b_ragchecker/checking_outputs.json");
    let file: Value = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let results = file["results"].as_array().unwrap();
    assert_eq!(results.len(), 2);
    for result in results {
        let (answer, reference) = (labels(&result["answer2response"]), labels(&result["response2answer"]));
        let (of_answer, of_reference) =
            (by_passage(&result["retrieved2response"]), by_passage(&result["retrieved2answer"]));
        let is = |name: &str, got: f64| {
            let want = result["metrics"][name].as_f64().unwrap();
            assert!((got - want).abs() < 1e-12, "{name}: {got} is not {want}");
        };
        let factual = value(factual_correctness(&answer, &reference, 1.0));
        is("precision", factual.precision.value().unwrap());
        is("recall", factual.recall.value().unwrap());
        is("f1", factual.f);
        let passages = of_answer.len();
        is("faithfulness", value(faithfulness(&any_passage(&of_answer), passages)).value().unwrap());
        is("claim_recall", value(context_recall(&any_passage(&of_reference), passages)).value().unwrap());
        let useful: Vec<Verdict> = of_reference.iter().map(|p| if p.contains(&Yes) { Yes } else { No }).collect();
        is("context_precision", value(context_precision(&useful)).ratio);
        let supports = Supports { by_reference: &answer, by_passage: &of_answer, relevance: &of_reference };
        let noise = value(noise_sensitivity(&supports));
        is("noise_sensitivity_in_relevant", noise.relevant.value().unwrap());
        is("noise_sensitivity_in_irrelevant", noise.irrelevant.value().unwrap());
        is("hallucination", noise.unsupported.value().unwrap());
    }
}
