//! Refusals as bots write them, and answers that only look like one: recall and false hits of each language.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test fails by the first and reports by the second")]

mod layer_kit;
mod refusal_kit;

use layer_kit::question;
use ragline::layer::refusal::{Label, RefusalDetail, read};
use ragline::suite::Expect;
use ragline::text::pack::Pack;
use refusal_kit::five::{DE, ES, FR, JA, KO};
use refusal_kit::four::{EN, Sentences, TH, VI, ZH};

fn of(lang: &str, answer: &str) -> RefusalDetail {
    read(Some(answer), &question("?", Expect::Answer), Pack::by_code(lang))
}

/// How many refusals are called one, and how many of the others are called one or one in part.
fn counted((lang, refusals, others): Sentences) -> (usize, usize) {
    let mut seen = 0;
    for text in refusals {
        let found = of(lang, text);
        if found.label == Label::Refusal {
            seen += 1;
        } else {
            eprintln!("{lang} missed ({}): {text}", found.label.name());
        }
    }
    let mut hit = 0;
    for text in others {
        let found = of(lang, text);
        if found.label != Label::None {
            hit += 1;
            eprintln!("{lang} false ({} {}): {text}", found.label.name(), found.pattern.unwrap_or_default());
        }
    }
    eprintln!("{lang}: {seen} of {} refusals, {hit} of {} others", refusals.len(), others.len());
    (seen, hit)
}

#[test]
fn four_languages() {
    let counts = [VI, EN, ZH, TH].map(|s| (s, counted(s)));
    for ((lang, refusals, others), (seen, hit)) in counts {
        assert_eq!((refusals.len(), others.len()), (40, 40), "{lang}");
        assert!(seen * 100 >= refusals.len() * 97, "{lang}: {seen} of {}", refusals.len());
        assert!(hit <= 2, "{lang}: {hit} false");
    }
}

/// The second set.
#[test]
fn twenty_more() {
    use refusal_kit::more::{EN, TH, VI, ZH};
    let counts = [VI, EN, ZH, TH].map(|s| (s, counted(s)));
    for ((lang, refusals, others), (seen, hit)) in counts {
        assert_eq!((refusals.len(), others.len()), (20, 20), "{lang}");
        assert!(seen >= 19, "{lang}: {seen} of 20");
        assert!(hit <= 1, "{lang}: {hit} false");
    }
}

#[test]
fn five_more_languages() {
    let counts = [JA, KO, DE, FR, ES].map(|s| (s, counted(s)));
    for ((lang, refusals, others), (seen, hit)) in counts {
        assert_eq!((refusals.len(), others.len()), (10, 10), "{lang}");
        assert!(seen >= 9, "{lang}: {seen} of 10");
        assert!(hit <= 1, "{lang}: {hit} false");
    }
}
