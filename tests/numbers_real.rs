//! Numbers of real text: phrases with their value, and parallel paragraphs in four languages. Needs `RAGLINE_DATA`.

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

use ragline::text::decimal::Decimal;
use ragline::text::number::{self, Mention, agree};
use ragline::text::pack::Lang;

/// Phrases that hold a digit, with the value that a labelled collection gives them.
#[test]
fn phrases_with_digits_have_their_value() {
    let Some(text) = data_kit::text("d_numbers_tsv/duckling.tsv") else { return };
    let (mut right, mut all) = (0, 0);
    for line in text.lines().skip(1) {
        let f: Vec<&str> = line.split('\t').collect();
        let [lang, kind, value, phrase, ..] = f.as_slice() else { continue };
        let han = *lang == "zh" && *kind == "numeral";
        if !(phrase.chars().any(|c| c.is_ascii_digit()) || han) {
            continue;
        }
        let Some(value) = value.split(' ').next().and_then(Decimal::parse) else { continue };
        let found = number::mentions(phrase, &Lang::new(lang).unwrap());
        let values: Vec<Decimal> = found.iter().flat_map(|m| m.readings.clone()).collect();
        all += 1;
        if values.contains(&value) {
            right += 1;
        } else if std::env::var("SHOW").is_ok() {
            println!("{lang} {kind} {phrase:?}: {value}, found {values:?}");
        }
    }
    println!("{right} of {all}");
    // The rest are spelled parts ("20 rupees 43 cents"), signs written as words, dozens and fractions.
    assert!(right * 100 >= all * 78, "{right} of {all}");
}

fn paragraphs(lang: &str) -> Option<Vec<String>> {
    let json: serde_json::Value =
        serde_json::from_str(&data_kit::text(&format!("a_xquad/xquad.{lang}.json"))?).unwrap();
    let articles = json["data"].as_array().unwrap();
    let all = articles.iter().flat_map(|a| a["paragraphs"].as_array().unwrap());
    Some(all.map(|p| p["context"].as_str().unwrap().to_owned()).collect())
}

/// The numbers of an English paragraph, looked for in its translation and in another paragraph.
#[test]
fn translations_keep_their_numbers() {
    let Some(english) = paragraphs("en") else { return };
    let digits = |m: &Mention| m.kind.has_value() && !m.spelled;
    let claims: Vec<Vec<Mention>> = english
        .iter()
        .map(|p| number::mentions(p, &Lang::new("en").unwrap()).into_iter().filter(digits).collect())
        .collect();
    for (lang, least) in [("vi", 0.95), ("th", 0.95), ("zh", 0.92)] {
        let Some(other) = paragraphs(lang) else { return };
        let read: Vec<Vec<Mention>> = other.iter().map(|p| number::mentions(p, &Lang::new(lang).unwrap())).collect();
        let (mut found, mut elsewhere, mut n) = (0, 0, 0);
        for (i, list) in claims.iter().enumerate() {
            let holds = |p: usize, c: &Mention| {
                read[p].iter().any(|e| agree(c, e).is_some_and(|a| a != number::Agreement::UnitConflict))
            };
            for c in list {
                n += 1;
                found += usize::from(holds(i, c));
                elsewhere += usize::from(holds((i + 97) % read.len(), c));
                if !holds(i, c) && std::env::var("SHOW").is_ok() {
                    println!("{lang} {:?} in {:.90}", &english[i].get(c.start..c.end), other[i]);
                }
            }
        }
        let share = |k: usize| k as f64 / n as f64;
        println!("{lang}: {:.3} of {n} found, {:.3} in another paragraph", share(found), share(elsewhere));
        assert!(share(found) >= least && share(elsewhere) <= 0.10, "{lang}");
    }
}

/// Right answers, cut out of their paragraph by people, are grounded in it.
#[test]
fn right_answers_are_grounded() {
    use ragline::layer::{Outcome, Reading, numbers};
    use ragline::suite::Expect;
    use ragline::target::response::{Context, Response};
    for tag in ["en", "vi", "th", "zh"] {
        let Some(text) = data_kit::text(&format!("a_xquad/xquad.{tag}.json")) else { return };
        let json: serde_json::Value = serde_json::from_str(&text).unwrap();
        let (mut checked, mut failed) = (0, 0);
        for p in json["data"].as_array().unwrap().iter().flat_map(|a| a["paragraphs"].as_array().unwrap()) {
            for qa in p["qas"].as_array().unwrap() {
                let question = layer_kit::question(qa["question"].as_str().unwrap(), Expect::Answer);
                let answer = qa["answers"][0]["text"].as_str().unwrap();
                let context = Context { text: p["context"].as_str().map(Into::into), ..Context::default() };
                let response = Response { contexts: Some(vec![context]), ..layer_kit::says(answer) };
                let lang = Lang::new(tag).unwrap();
                let exam = layer_kit::exam(&question, &response, &lang);
                let result = numbers::check(&exam, &Reading::new(&exam));
                match result.outcome {
                    Outcome::Pass => checked += 1,
                    Outcome::Fail => {
                        (checked, failed) = (checked + 1, failed + 1);
                        println!("{tag} {answer:?}: {}", result.findings[0].message);
                    }
                    Outcome::Unmeasured | Outcome::Skipped(_) => {}
                }
            }
        }
        println!("{tag}: {failed} of {checked} right answers fail");
        assert!(failed * 100 <= checked, "{tag}: {failed} of {checked}");
    }
}
