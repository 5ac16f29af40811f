//! Refusals in data that nobody of this project wrote. The folder comes from `RAGLINE_DATA`; without it every test says so.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by the first and reports by the second")]

mod data_kit;
mod layer_kit;

use layer_kit::question;
use ragline::layer::refusal::{Label, read};
use ragline::suite::Expect;
use ragline::text::pack::{Lang, Pack};
use ragline::text::segment::sentences;
use serde_json::Value;

fn label_of(lang: &str, asked: &str, answer: &str) -> Label {
    read(Some(answer), &question(asked, Expect::Answer), Pack::by_code(lang)).label
}

/// Answers of five systems to trivia, each judged by a person: one that was judged right is hardly a refusal.
#[test]
fn right_answers_of_five_systems() {
    let Some(text) = data_kit::text("f_evouna/TQ.json") else { return };
    let rows: Vec<Value> = serde_json::from_str(&text).unwrap();
    let (mut answers, mut refusals, mut partial, mut right) = (0, 0, 0, 0);
    for row in &rows {
        let question = row["question"].as_str().unwrap_or_default();
        for system in ["fid", "gpt35", "chatgpt", "gpt4", "newbing"] {
            let (Some(answer), Some(judged)) =
                (row[format!("answer_{system}")].as_str(), row[format!("judge_{system}")].as_bool())
            else {
                continue;
            };
            answers += 1;
            match label_of("en", question, answer) {
                Label::Refusal => {
                    refusals += 1;
                    right += usize::from(judged);
                    if judged {
                        eprintln!("judged right: {question} {answer}");
                    }
                }
                Label::Partial => partial += 1,
                Label::None | Label::Error | Label::Empty | Label::Unknown => {}
            }
        }
    }
    eprintln!("{answers} answers: {refusals} refusals ({right} of them judged right), {partial} partial");
    assert!(right * 20 <= refusals, "{right} of {refusals}");
}

/// Sentences of encyclopaedia articles refuse nothing.
#[test]
fn ordinary_prose() {
    for (lang, most) in [("en", 0.8), ("vi", 1.0), ("zh", 0.8), ("th", 2.0)] {
        let Some(text) = data_kit::text(&format!("a_xquad/xquad.{lang}.json")) else { return };
        let articles: Value = serde_json::from_str(&text).unwrap();
        let paragraphs = articles["data"].as_array().unwrap().iter().flat_map(|a| a["paragraphs"].as_array().unwrap());
        let (mut all, mut hit) = (0u32, 0u32);
        for paragraph in paragraphs.filter_map(|p| p["context"].as_str()) {
            for sentence in sentences(paragraph, &Lang::new(lang).unwrap()) {
                let sentence = paragraph.get(sentence).unwrap();
                all += 1;
                if label_of(lang, "?", sentence) != Label::None {
                    hit += 1;
                    eprintln!("{lang}: {sentence}");
                }
            }
        }
        let rate = f64::from(hit) * 1000.0 / f64::from(all);
        eprintln!("{lang}: {hit} of {all} sentences, {rate:.1} in a thousand");
        assert!(rate <= most, "{lang}: {rate}");
    }
}

/// Phrases as they stand in public programs. The counts are printed; the floor keeps them from falling.
#[test]
fn phrases_of_public_programs() {
    let Some(table) = data_kit::text("e_refusal_phrases/phrases.tsv") else { return };
    let (mut refusals, mut seen, mut near, mut hit, mut errors, mut caught) = (0, 0, 0, 0, 0, 0);
    let right = |kind: &str| {
        if kind == "refusal" {
            Label::Refusal
        } else if kind == "near_miss" {
            Label::None
        } else {
            Label::Error
        }
    };
    for line in table.lines().skip(1) {
        let mut cells = line.split('\t');
        let (lang, kind, phrase) = (cells.next().unwrap(), cells.next().unwrap(), cells.next().unwrap());
        let label = label_of(lang, "?", phrase);
        let refuses = label == Label::Refusal;
        match kind {
            "refusal" => {
                refusals += 1;
                seen += usize::from(refuses);
            }
            "near_miss" => {
                near += 1;
                hit += usize::from(refuses);
            }
            _ => {
                errors += 1;
                caught += usize::from(label == Label::Error);
            }
        }
        if label != right(kind) {
            eprintln!("{lang} {kind} {label:?}: {phrase}");
        }
    }
    eprintln!(
        "refusals seen {seen}/{refusals}; near misses taken for one {hit}/{near}; error messages known {caught}/{errors}"
    );
    assert!(seen * 100 >= refusals * 97, "{seen}/{refusals}");
    // What a filter puts in place of an answer can be worded as a refusal is; the other two are told apart.
    assert!(caught * 3 >= errors * 2, "{caught}/{errors}");
}
