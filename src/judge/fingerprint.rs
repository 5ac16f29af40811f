//! The identity of a judge: equal when the same statements would be judged by the same judge in the same way.

use super::inquest::Terms;
use super::prompts::Prompts;
use crate::digest::Hasher;
use crate::text::pack::Lang;

/// The version of what reads replies and counts votes. Raised by hand in the commit that lets any reply count otherwise.
pub const READING: u32 = 1;

/// What makes a judge this judge. No host and no key: the same model behind another address is the same judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint<'a> {
    /// The model that is asked for.
    pub requested: &'a str,
    /// The model that answered, by its own name, and what identifies its software; empty before the first reply.
    pub returned: &'a [&'a str],
    /// The kind of endpoint.
    pub endpoint: &'a str,
    /// The language of the prompts.
    pub lang: &'a Lang,
    /// Votes, batches, limits.
    pub terms: Terms,
    /// The seed; none where the endpoint takes none.
    pub seed: Option<u64>,
    /// Whether a temperature of 0 is told.
    pub temperature: bool,
    /// The embeddings model with its dimension, where one is used.
    pub embeddings: Option<(&'a str, usize)>,
}

impl Fingerprint<'_> {
    /// The digest: 16 hexadecimal digits.
    pub fn digest(&self) -> String {
        let prompts = Prompts::of(self.lang);
        let Terms { votes, batch, window, reply_tokens } = self.terms;
        let mut h = Hasher::default();
        h.field(self.requested);
        h.field(&self.returned.len().to_string());
        self.returned.iter().for_each(|r| h.field(r));
        h.field(self.endpoint);
        h.field(self.lang.as_str());
        h.field(prompts.digest());
        h.field(&READING.to_string());
        h.field(&format!("{votes} {batch} {window:?} {reply_tokens} {:?} {}", self.seed, self.temperature));
        match self.embeddings {
            Some((model, dimension)) => h.field(&format!("{model} {dimension}")),
            None => h.field(""),
        }
        h.short()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn every_part_makes_another_judge() {
        let (vi, th) = (Lang::new("vi").unwrap(), Lang::new("th").unwrap());
        let plain = Fingerprint {
            requested: "m",
            returned: &[],
            endpoint: "openai-chat",
            lang: &vi,
            terms: Terms::default(),
            seed: Some(1),
            temperature: true,
            embeddings: None,
        };
        let others = [
            Fingerprint { requested: "n", ..plain.clone() },
            Fingerprint { returned: &["m-2026"], ..plain.clone() },
            Fingerprint { returned: &["m-2026", "fp"], ..plain.clone() },
            Fingerprint { endpoint: "other", ..plain.clone() },
            Fingerprint { lang: &th, ..plain.clone() },
            Fingerprint { terms: Terms { votes: 1, ..Terms::default() }, ..plain.clone() },
            Fingerprint { terms: Terms { window: Some(4096), ..Terms::default() }, ..plain.clone() },
            Fingerprint { seed: None, ..plain.clone() },
            Fingerprint { temperature: false, ..plain.clone() },
            Fingerprint { embeddings: Some(("e", 768)), ..plain.clone() },
            Fingerprint { embeddings: Some(("e", 512)), ..plain.clone() },
        ];
        let mut all: Vec<String> = others.iter().map(Fingerprint::digest).collect();
        all.push(plain.digest());
        assert_eq!(plain.digest(), plain.clone().digest());
        all.sort();
        all.dedup();
        assert_eq!(all.len(), others.len() + 1);
    }
}
