//! Which paragraph bears a claim out, on real paragraphs in four languages: the claim is a question with its short answer, its
//! own paragraph stands among the others of its article.
//!
//! The data is not part of this project: RAGLINE_DATA names the folder that holds `a_xquad/xquad.LANG.json`
//! (google-deepmind/xquad). The first six questions of each article; `scripts/evidence-real.py citation` takes all.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may")]

mod data_kit;
mod inspect_kit;

use inspect_kit::ask_of;
use serde_json::{Value, json};

const QUESTIONS: usize = 6;

#[test]
fn a_claim_is_borne_out_by_its_own_paragraph() {
    let Some(data) = data_kit::folder("a_xquad") else { return };
    for lang in ["vi", "th", "zh", "en"] {
        let text = std::fs::read_to_string(data.join(format!("xquad.{lang}.json"))).unwrap();
        let set: Value = serde_json::from_str(&text).unwrap();
        let (mut rows, mut of) = (Vec::new(), Vec::new());
        for article in set["data"].as_array().unwrap() {
            let paragraphs = article["paragraphs"].as_array().unwrap();
            let contexts: Vec<&str> = paragraphs.iter().map(|p| p["context"].as_str().unwrap()).collect();
            let asked = paragraphs
                .iter()
                .enumerate()
                .flat_map(|(own, p)| p["qas"].as_array().unwrap().iter().map(move |q| (own, q)));
            for (own, qa) in asked.take(QUESTIONS) {
                let question = qa["question"].as_str().unwrap().trim_end_matches(['?', '？', ' ']);
                let answer = qa["answers"][0]["text"].as_str().unwrap();
                for cited in 0..contexts.len() {
                    rows.push(json!({ "lang": lang, "answer": format!("{question} {answer} [{}]", cited + 1), "contexts": contexts }));
                    of.push((own, cited));
                }
            }
        }
        let (mut picked, mut right, mut rights, mut wrong, mut wrongs) = (0, 0, 0, 0, 0);
        for (said, (own, cited)) in ask_of("citation", &rows).iter().zip(of) {
            let Some(claim) = said["claims"].as_array().unwrap().last() else { continue };
            // A claim in Latin letters before a paragraph in others is not told.
            let Some(supported) = claim["supported"].as_bool() else { continue };
            if own == cited {
                rights += 1;
                right += usize::from(supported);
                picked += usize::from(claim["best"].as_u64() == Some(own as u64 + 1));
            } else {
                wrongs += 1;
                wrong += usize::from(supported);
            }
        }
        println!("{lang}: picked {picked} of {rights}, own {right} of {rights}, other {wrong} of {wrongs}");
        assert!(rights >= 250, "{lang}: {rights}");
        // As measured over all questions, less what the error of a sample of 288 may take.
        assert!(picked * 1000 >= rights * 965, "{lang}: picked {picked} of {rights}");
        assert!(right * 100 >= rights * 91, "{lang}: {right} of {rights}");
        assert!(wrong * 100 <= wrongs * 3, "{lang}: {wrong} of {wrongs}");
    }
}
