//! Masking a whole reply, and what was made of it.

use super::parts::Part;
use super::{Masked, Masker};
use crate::core::examine::Examined;
use crate::layer::{Detail, Finding};
use crate::target::response::{self, Answer, Response};
use crate::target::{Failure, Reply};
use std::borrow::Cow;

/// What was taken out of a reply, with what stands in its place.
type Pieces = Vec<(String, &'static str)>;

/// A message of more bytes is not looked through for parts: each part would be looked for in each of them.
const LONGEST: usize = 16 << 10;

impl Masker {
    /// The reply without personal data, or nothing when it holds none; what was made of it loses the same. To be called
    /// between examining a reply and writing or reporting anything of it.
    #[must_use = "the reply that came still holds what was found"]
    pub fn reply(&self, reply: &Reply, examined: &mut Examined) -> Option<Reply> {
        if self.is_empty() {
            return None;
        }
        let mut pieces = Pieces::new();
        let masked = match reply {
            Reply::Line { bytes, line } => response::parse(bytes).ok().and_then(|mut r| {
                let any = self.texts_of(&mut r, &mut pieces);
                let bytes = any.then(|| serde_json::to_vec(&r).ok()).flatten()?;
                Some(Reply::Line { bytes, line: *line })
            }),
            Reply::Response(r) => {
                let mut r = r.clone();
                self.texts_of(&mut r, &mut pieces).then_some(Reply::Response(r))
            }
            Reply::Missing(why) => self.owned(why, &mut pieces).map(Reply::Missing),
            Reply::Failed(failure) => {
                self.owned(&failure.why, &mut pieces).map(|why| Reply::Failed(Failure { why, ..failure.clone() }))
            }
        };
        // A part of a longer piece may be a shorter one itself.
        pieces.sort_unstable_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then(a.cmp(b)));
        pieces.dedup();
        let parts: Vec<Part> = pieces.iter().map(|(piece, placeholder)| Part::new(piece, placeholder)).collect();
        self.examined(examined, &parts);
        masked
    }

    /// Masks every text of a response: answer, passages, quotes, addresses, the error. The names of documents and passages
    /// stay, since they are compared. True when anything was taken out; the response then says `masked`.
    pub fn response(&self, response: &mut Response<'_>) -> bool {
        self.texts_of(response, &mut Pieces::new())
    }

    fn texts_of(&self, response: &mut Response<'_>, pieces: &mut Pieces) -> bool {
        let mut any = false;
        let mut mask = |text: &mut Cow<'_, str>| {
            if let Cow::Owned(masked) = self.piece(text, pieces) {
                *text = Cow::Owned(masked);
                any = true;
            }
        };
        if let Answer::Text(text) = &mut response.answer {
            mask(text);
        }
        for c in response.contexts.iter_mut().flatten() {
            c.section.iter_mut().chain(&mut c.url).chain(&mut c.text).for_each(&mut mask);
        }
        for c in response.citations.iter_mut().flatten() {
            c.section.iter_mut().chain(&mut c.url).chain(&mut c.quote).for_each(&mut mask);
        }
        response.error.iter_mut().for_each(&mut mask);
        response.masked |= any;
        any
    }

    fn owned(&self, text: &str, pieces: &mut Pieces) -> Option<String> {
        match self.piece(text, pieces) {
            Cow::Owned(masked) => Some(masked),
            Cow::Borrowed(_) => None,
        }
    }

    fn piece<'t>(&self, text: &'t str, pieces: &mut Pieces) -> Cow<'t, str> {
        match self.mask(text) {
            None => Cow::Borrowed(text),
            Some(masked) => {
                pieces.extend(masked.pieces);
                Cow::Owned(masked.text)
            }
        }
    }

    /// Masks what was made of a reply: the answer that is kept for reports, and all that quotes it or its passages.
    fn examined(&self, examined: &mut Examined, parts: &[Part]) {
        let answer = examined.answer.as_deref().and_then(|a| self.mask(a));
        for result in &mut examined.layers.0 {
            for finding in &mut result.findings {
                self.finding(finding, answer.as_ref(), examined.answer.as_deref(), parts);
            }
            match &mut result.detail {
                Detail::None | Detail::Retrieval(_) | Detail::Refusal(_) => {}
                Detail::Facts(verdicts) => {
                    for v in verdicts {
                        // The suite is the user's; a report travels further than it.
                        self.words(&mut v.fact, parts);
                        self.words(&mut v.reason, parts);
                    }
                }
                Detail::Citation(detail) => detail.dangling.iter_mut().for_each(|d| self.words(d, parts)),
                Detail::Numbers(verdicts) => {
                    for v in verdicts {
                        let Some(masked) = &answer else { continue };
                        let ((start, end), cut) = masked.span(v.start, v.end);
                        (v.start, v.end) = (start, end);
                        if cut {
                            v.text = points(&masked.text, start, end);
                            v.value.clone_from(&v.text);
                        }
                    }
                }
            }
        }
        if let Some(masked) = answer {
            examined.answer = Some(masked.text);
        }
        if let Some(stranger) = &mut examined.stranger {
            self.words(stranger, parts);
        }
        if let Some(note) = examined.diagnosis.as_mut().and_then(|d| d.note.as_mut()) {
            self.words(note, parts);
        }
    }

    fn finding(&self, finding: &mut Finding, masked: Option<&Masked>, answer: Option<&str>, parts: &[Part]) {
        if let (Some((start, end)), Some(masked), Some(answer)) = (finding.span, masked, answer) {
            let (span, cut) = masked.span(start, end);
            finding.span = Some(span);
            // A number may be a part of what was taken out, too short to be known by itself.
            let quoted = points(answer, start, end);
            if cut && !quoted.is_empty() {
                finding.message = finding.message.replace(&quoted, &points(&masked.text, span.0, span.1));
            }
        }
        self.words(&mut finding.message, parts);
    }

    /// Masks words of ours that quote a reply, perhaps only a part of what was taken out of it, or in another form.
    fn words(&self, text: &mut String, parts: &[Part]) {
        if let Cow::Owned(masked) = self.text(text) {
            *text = masked;
        }
        // What a layer writes is short. A longer text is an error as the target wrote it, which knows of no forms of ours.
        let parts = if text.len() <= LONGEST { parts } else { &[] };
        for part in parts {
            if let Some(left) = part.without(text) {
                *text = left;
            }
        }
    }
}

/// The code points `start..end` of a text.
fn points(text: &str, start: usize, end: usize) -> String {
    text.chars().skip(start).take(end.saturating_sub(start)).collect()
}
