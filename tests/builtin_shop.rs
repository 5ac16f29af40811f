//! The builtin target on the demo shop: what BM25 finds, and what it refuses.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test may")]

use ragline::suite::config::BuiltinConfig;
use ragline::suite::corpus::Corpus;
use ragline::suite::{Evidence, EvidenceItem, Expect, Need, load};
use ragline::target::builtin::Builtin;
use ragline::target::response::Context;
use std::path::Path;
use std::sync::Arc;

/// The evidence's section is that of the passage, or above it.
fn holds(context: &Context<'_>, evidence: &Evidence) -> bool {
    let above = context.section.iter().zip(&evidence.section).all(|(a, b)| a == b);
    context.doc.as_deref() == evidence.doc.as_deref() && above && context.section.len() >= evidence.section.len()
}

#[test]
fn the_demo_is_answered_and_its_foreign_questions_are_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    if !root.join("fixtures/shop").is_dir() {
        println!("SKIPPED: there is no fixtures/shop");
        return;
    }
    for name in ["shop-en", "shop-th", "shop-vi", "shop-zh"] {
        let (suite, _) = load::load(&root.join(format!("suites/{name}.yaml")), name).unwrap();
        let corpus = Arc::new(Corpus::load(suite.corpus.as_deref().unwrap(), "corpus").unwrap());
        let target = Builtin::new(corpus, &BuiltinConfig::default(), &suite.language);
        let (mut hits, mut asked, mut refused, mut foreign, mut wrongly) = (0, 0, 0, 0, Vec::new());
        for question in &suite.questions {
            let response = target.ask(&question.text);
            if question.expect == Expect::Refuse {
                foreign += 1;
                refused += usize::from(response.refused == Some(true));
                continue;
            }
            asked += 1;
            wrongly.extend((response.refused == Some(true)).then(|| question.id.as_str()));
            let contexts = response.contexts.unwrap();
            let found = |item: &EvidenceItem| match item {
                EvidenceItem::One(evidence) => contexts.iter().any(|c| holds(c, evidence)),
                EvidenceItem::AnyOf(_) | EvidenceItem::AllOf(_) => true,
            };
            hits += usize::from(match question.evidence_match {
                Need::All => question.evidence.iter().all(found),
                Need::Any => question.evidence.iter().any(found),
            });
        }
        println!("{name}: hit@3 {hits}/{asked}, refused {refused}/{foreign}; answerable but refused: {wrongly:?}");
        assert!(hits * 27 >= asked * 23, "{name}: {hits} of {asked}");
        assert_eq!(refused, foreign, "{name}");
        assert!(wrongly.len() * 9 <= asked, "{name}: {wrongly:?}");
    }
}
