//! The builtin target: BM25 over the suite's corpus and an extractive answer. It needs no network and no model, gives the
//! same answer on every machine, and is what a suite is asked with that names no target.
//!
//! Passages are ranked by BM25 over words (and what `languages.toml` names beside them); the words of a passage's
//! headings are part of it. Equal scores stand in the order of the passages: by document id, then by place. The answer is
//! one or two sentences of these passages, each with the number of its passage; a question whose words the best passages
//! hardly hold is refused.

mod answer;
mod chunk;
mod index;
mod language;

pub use language::topic;

use super::response::{Answer, Citation, Context, Response};
use crate::VERSION;
use crate::digest::Hasher;
use crate::layer::retrieval::random::Holdings;
use crate::suite::config::{BuiltinConfig, Chunking};
use crate::suite::corpus::Corpus;
use crate::text::pack::Lang;
use answer::Material;
use chunk::Chunk;
use index::Index;
use language::Language;
use std::borrow::Cow;
use std::fmt::Write;
use std::sync::Arc;

/// The builtin target over one corpus: indexed once, then asked from any thread.
#[derive(Debug)]
pub struct Builtin {
    corpus: Arc<Corpus>,
    config: BuiltinConfig,
    lang: Lang,
    language: &'static Language,
    chunks: Vec<Chunk>,
    materials: Vec<Material>,
    index: Index,
}

impl Builtin {
    /// Cuts and indexes a corpus.
    pub fn new(corpus: Arc<Corpus>, config: &BuiltinConfig, lang: &Lang) -> Builtin {
        let language = Language::of(lang);
        let chunks = chunk::chunks(&corpus, config.chunk, lang);
        let texts = chunks.iter().map(|c| {
            let mut terms = language.terms(&c.section.join("\n"), lang);
            terms.extend(language.terms(text_of(&corpus, c), lang));
            terms
        });
        let index = Index::new(texts, config.k1, config.b);
        let material = |c: &Chunk| Material::new(text_of(&corpus, c), &c.section, &index, language, lang);
        let materials = chunks.iter().map(material).collect();
        Builtin { config: config.clone(), lang: lang.clone(), language, chunks, materials, index, corpus }
    }

    /// How many passages the corpus was cut into.
    pub fn passages(&self) -> usize {
        self.chunks.len()
    }

    /// Which passages those are.
    pub fn holdings(&self) -> Holdings {
        let mut all = Holdings::default();
        for chunk in &self.chunks {
            all.0.entry(chunk.doc.clone()).or_default().push(chunk.section.clone());
        }
        all
    }

    /// The identity of what answers: settings, language, corpus and version, as a digest.
    pub fn subject(&self) -> String {
        let BuiltinConfig { k1, b, chunk, top_k, refuse_below } = &self.config;
        let chunk = match chunk {
            Chunking::Section => "section".to_owned(),
            Chunking::SectionMax(most) => format!("section max {most}"),
            Chunking::Fixed { size, overlap } => format!("fixed {size} overlap {overlap}"),
        };
        let parts = format!(
            "builtin {VERSION}\nlanguage {}\nk1 {k1}\nb {b}\nchunk {chunk}\ntop_k {top_k}\nrefuse_below {refuse_below}\ncorpus {}\n",
            self.lang,
            self.corpus.digest()
        );
        let mut h = Hasher::default();
        h.field(&parts);
        h.short()
    }

    /// Answers a question. The response's id is empty: the caller knows it.
    pub fn ask(&self, question: &str) -> Response<'static> {
        let query = self.index.query(self.language.question_terms(question, &self.lang));
        let ranked = index::best(&self.index.scores(&query), self.config.top_k);
        let contexts = ranked.iter().filter_map(|(number, score)| self.context(*number, *score)).collect();
        let support = self.support(&query, &ranked);
        let mut response = Response { contexts: Some(contexts), ..Response::default() };
        let passages: Vec<(&Material, f64)> =
            ranked.iter().filter_map(|(number, score)| Some((self.materials.get(*number)?, *score))).collect();
        let drawn = answer::draw(&passages, &query, self.language.asks_amount(question));
        if support < self.config.refuse_below || drawn.is_empty() {
            response.answer = Answer::Text(Cow::Borrowed(self.language.refusal.as_str()));
            response.refused = Some(true);
            response.citations = Some(Vec::new());
            return response;
        }
        let mut text = String::new();
        for (passage, sentence) in &drawn {
            let blank = if text.is_empty() { "" } else { " " };
            // Writing to a string cannot fail.
            let _ = write!(text, "{blank}{sentence} [{}]", passage + 1);
        }
        let mut cited: Vec<usize> = drawn.iter().map(|(passage, _)| passage + 1).collect();
        cited.dedup();
        let citation = |n: usize| Citation { context: i64::try_from(n).ok(), ..Citation::default() };
        response.answer = Answer::Text(Cow::Owned(text));
        response.refused = Some(false);
        response.citations = Some(cited.into_iter().map(citation).collect());
        response
    }

    /// How well the corpus supports an answer, from 0 to 1: the largest share of the question's idf that one retrieved
    /// passage covers. A term that the corpus does not hold at all weighs most, which is what tells a question of another
    /// world from a question in other words.
    fn support(&self, query: &index::Query, ranked: &[(usize, f64)]) -> f64 {
        ranked.iter().map(|(n, _)| self.index.coverage(query, &[*n])).fold(0.0, f64::max)
    }

    fn context(&self, number: usize, score: f64) -> Option<Context<'static>> {
        let chunk = self.chunks.get(number)?;
        Some(Context {
            doc: Some(Cow::Owned(chunk.doc.clone())),
            section: chunk.section.iter().cloned().map(Cow::Owned).collect(),
            chunk: Some(Cow::Owned(format!("{}#{}", chunk.doc, chunk.number))),
            url: None,
            text: Some(Cow::Owned(text_of(&self.corpus, chunk).to_owned())),
            score: Some(score),
            start: Some(chunk.points.start),
            end: Some(chunk.points.end),
            in_prompt: Some(true),
        })
    }
}

/// The text of a passage.
fn text_of<'c>(corpus: &'c Corpus, chunk: &Chunk) -> &'c str {
    corpus.documents.get(&chunk.doc).and_then(|d| d.text.get(chunk.bytes.clone())).unwrap_or_default()
}

#[cfg(test)]
mod tests;
