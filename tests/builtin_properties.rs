//! Corpus and builtin target on any text: no panic, the same answer every time, places that are right.

#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stdout, reason = "a test may")]

use proptest::prelude::*;
use ragline::problem::Place;
use ragline::suite::Evidence;
use ragline::suite::config::{BuiltinConfig, Chunking};
use ragline::suite::corpus::{Corpus, Standing};
use ragline::target::builtin::Builtin;
use ragline::target::response::Response;
use ragline::text::pack::Lang;
use std::sync::Arc;

fn corpus(text: &str) -> Corpus {
    Corpus::from_texts([("a.md".to_owned(), text.to_owned()), ("b.txt".to_owned(), text.to_owned())])
}

/// Text in four scripts with what Markdown is made of.
const TEXT: &str = "[a-c#*|`=~ .\n\t0-9,%ảđ\u{0301}\u{200b}ก่าเ中文。\u{feff}\u{3000}]{0,120}";

fn chunking() -> impl Strategy<Value = Chunking> {
    prop_oneof![
        Just(Chunking::Section),
        (0_usize..40).prop_map(Chunking::SectionMax),
        (0_usize..40, 0_usize..50).prop_map(|(size, overlap)| Chunking::Fixed { size, overlap }),
    ]
}

proptest! {
    #[test]
    fn sections_lie_in_order_within_the_text(text in TEXT) {
        let corpus = corpus(&text);
        for document in corpus.documents.values() {
            prop_assert!(!document.sections.is_empty());
            prop_assert!(document.sections.iter().all(|s| s.start <= s.end && text.get(s.start..s.end).is_some()));
            prop_assert!(document.sections.windows(2).all(|w| w[0].end <= w[1].start && w[0].line < w[1].line));
        }
    }

    #[test]
    fn every_line_stands_where_it_is(text in TEXT) {
        let corpus = corpus(&text);
        for line in text.lines().filter(|l| l.chars().any(|c| c.is_ascii_alphanumeric())) {
            let evidence = Evidence {
                doc: Some("a.md".into()), section: vec![], span: Some(line.into()),
                chunk: None, url: None, grade: 1, at: None, union: false, place: Place::default(),
            };
            prop_assert_eq!(corpus.standing(&evidence), Standing::Found, "{}", line);
            prop_assert!(corpus.locate(&evidence).is_some());
        }
    }

    #[test]
    fn any_question_has_the_same_answer_every_time(
        text in TEXT, question in TEXT, chunk in chunking(), top_k in 0_usize..4, lang in "vi|th|zh|en|xx",
    ) {
        let config = BuiltinConfig { chunk, top_k, ..BuiltinConfig::default() };
        let lang = Lang::new(&lang).unwrap();
        let corpus = Arc::new(corpus(&text));
        let ask = |question: &str| -> Response<'static> { Builtin::new(Arc::clone(&corpus), &config, &lang).ask(question) };
        let response = ask(&question);
        prop_assert_eq!(&response, &ask(&question));
        let contexts = response.contexts.unwrap();
        prop_assert!(contexts.len() <= top_k);
        for context in contexts {
            let document: Vec<char> = corpus.documents[context.doc.as_deref().unwrap()].text.chars().collect();
            let (start, end) = (context.start.unwrap() as usize, context.end.unwrap() as usize);
            prop_assert_eq!(document[start..end].iter().collect::<String>(), context.text.unwrap().into_owned());
        }
    }
}

#[test]
fn many_threads_may_ask() {
    let text = "# Fees\nDelivery costs 5 dollars.\n# Times\nDelivery takes 2 days.\n";
    let target = Builtin::new(Arc::new(corpus(text)), &BuiltinConfig::default(), &Lang::new("en").unwrap());
    let alone = target.ask("How many days does delivery take?");
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| target.ask("How many days does delivery take?"))).collect();
        for thread in threads {
            assert_eq!(thread.join().unwrap(), alone);
        }
    });
}
