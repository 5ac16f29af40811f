//! Taking personal data out of texts.

use super::allow::Allowed;
use super::{Kind, Taken, find};
use regex::Regex;
use std::borrow::Cow;
use std::ops::Range;

/// What stands where a pattern of the user matched.
const OWN: &str = "‹masked›";

/// Everything that stands where something was taken out.
fn placeholders() -> impl Iterator<Item = &'static str> {
    Kind::ALL.iter().map(|k| k.placeholder()).chain([OWN])
}

/// What stands at the beginning of a text in place of something that was taken out of it, if anything does.
pub fn placeholder_at(text: &str) -> Option<&'static str> {
    if !text.starts_with('‹') {
        return None;
    }
    placeholders().find(|p| text.starts_with(p))
}

/// What is taken out: the kinds and patterns of `[privacy] mask`.
#[derive(Debug, Clone, Default)]
pub struct Masker {
    kinds: Vec<Kind>,
    patterns: Vec<Regex>,
    allowed: Allowed,
}

/// Masking one piece may set its neighbour free (digits that went on behind it); so often it is looked again.
const ROUNDS: usize = 8;

/// A text that was masked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Masked {
    /// The text without personal data.
    pub text: String,
    /// What was taken out, each with what stands in its place.
    pub pieces: Vec<(String, &'static str)>,
    rounds: Vec<Vec<Cut>>,
}

/// A piece that gave way to a placeholder, in code points of the text before and after.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Cut {
    before: Range<usize>,
    after: Range<usize>,
}

impl Masker {
    /// Reads the items of `mask`.
    ///
    /// # Errors
    /// The place of an item, from 0, and what is wrong with it: no kind of that name, a pattern that cannot be read or
    /// that matches the empty text.
    pub fn new(items: &[String]) -> Result<Masker, (usize, String)> {
        let mut masker = Masker::default();
        for (i, item) in items.iter().enumerate() {
            masker.add(item).map_err(|why| (i, why))?;
        }
        Ok(masker)
    }

    /// The same, but for what is public: `allow` of `[privacy]`. A pattern of the user takes out what it matches all the same.
    #[must_use]
    pub fn but_for(self, allowed: Allowed) -> Masker {
        Masker { allowed, ..self }
    }

    fn add(&mut self, item: &str) -> Result<(), String> {
        if let Some(pattern) = item.strip_prefix("regex:") {
            let regex = Regex::new(pattern).map_err(|e| {
                let text = e.to_string();
                let last = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
                format!("this is no regular expression: {last}")
            })?;
            if pattern.is_empty() || regex.is_match("") {
                return Err("this pattern matches where nothing stands".to_owned());
            }
            self.patterns.push(regex);
            return Ok(());
        }
        let kind = Kind::parse(item).ok_or_else(|| {
            let names: Vec<&str> = Kind::ALL.iter().map(|k| k.name()).collect();
            format!(
                "`{}` is no kind of personal data, expected {} or regex:PATTERN",
                crate::suite::node::reader::shown(item),
                names.join(", ")
            )
        })?;
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
        Ok(())
    }

    /// True when nothing is taken out.
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty() && self.patterns.is_empty()
    }

    /// The text without personal data: `‹phone›` stands where a number stood. Masking a masked text changes nothing.
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.mask(text) {
            Some(masked) => Cow::Owned(masked.text),
            None => Cow::Borrowed(text),
        }
    }

    /// The same, with what was taken out and where; nothing when there is nothing to take out.
    pub fn mask(&self, text: &str) -> Option<Masked> {
        let mut masked = Masked { text: text.to_owned(), pieces: Vec::new(), rounds: Vec::new() };
        for _ in 0..ROUNDS {
            let found = self.find(&masked.text);
            if found.is_empty() {
                break;
            }
            masked.replace(&found);
        }
        (!masked.rounds.is_empty()).then_some(masked)
    }

    /// What is to be taken out of a text, in order, with what stands in its place.
    fn find(&self, text: &str) -> Vec<(Range<usize>, &'static str)> {
        if self.is_empty() {
            return Vec::new();
        }
        let mut found: Vec<(Range<usize>, &'static str)> = find(text)
            .into_iter()
            .filter(|f| self.kinds.contains(&f.kind) && !self.allowed.holds(f, text))
            .map(|f| (f.range, f.kind.placeholder()))
            .collect();
        for pattern in &self.patterns {
            found.extend(pattern.find_iter(text).filter(|m| !m.is_empty()).map(|m| (m.range(), OWN)));
        }
        // What stands for personal data is none.
        let mut taken = Taken::default();
        for placeholder in placeholders() {
            text.match_indices(placeholder).for_each(|(at, p)| {
                taken.take(&(at..at + p.len()));
            });
        }
        found.sort_by_key(|(r, _)| (std::cmp::Reverse(r.len()), r.start));
        found.retain(|(range, _)| taken.take(range));
        found.sort_by_key(|(r, _)| r.start);
        found
    }
}

impl Masked {
    fn replace(&mut self, found: &[(Range<usize>, &'static str)]) {
        let mut out = String::with_capacity(self.text.len());
        let mut cuts = Vec::with_capacity(found.len());
        let (mut from, mut read, mut written) = (0, 0, 0);
        for (range, placeholder) in found {
            let between = self.text.get(from..range.start).unwrap_or_default();
            let piece = self.text.get(range.clone()).unwrap_or_default();
            let skipped = between.chars().count();
            let (before, after) = (read + skipped, written + skipped);
            read = before + piece.chars().count();
            written = after + placeholder.chars().count();
            cuts.push(Cut { before: before..read, after: after..written });
            out.push_str(between);
            out.push_str(placeholder);
            self.pieces.push((piece.to_owned(), *placeholder));
            from = range.end;
        }
        out.push_str(self.text.get(from..).unwrap_or_default());
        self.text = out;
        self.rounds.push(cuts);
    }

    /// Where a piece of the text, in code points, stands in the masked text; with whether any of it was taken out. A piece
    /// that reaches into a placeholder takes all of it.
    pub fn span(&self, start: usize, end: usize) -> ((usize, usize), bool) {
        let (mut start, mut end, mut cut) = (start, end, false);
        for round in &self.rounds {
            let first = round.get(round.partition_point(|c| c.before.end <= start));
            cut |= first.is_some_and(|c| c.before.start < end.max(start + 1));
            let moved = |at: usize, inside: fn(&Cut) -> usize| {
                let before = round.partition_point(|c| c.before.start < at);
                match before.checked_sub(1).and_then(|i| round.get(i)) {
                    Some(c) if at < c.before.end => inside(c),
                    Some(c) => c.after.end + (at - c.before.end),
                    None => at,
                }
            };
            start = moved(start, |c| c.after.start);
            end = moved(end, |c| c.after.end);
        }
        ((start, end.max(start)), cut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masker(items: &[&str]) -> Masker {
        Masker::new(&items.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn only_the_named_kinds_are_taken_out() {
        let text = "lan@example.com, 0912 345 678";
        assert_eq!(masker(&["email"]).text(text), "‹email›, 0912 345 678");
        assert_eq!(masker(&["phone"]).text(text), "lan@example.com, ‹phone›");
        assert!(matches!(masker(&[]).text(text), Cow::Borrowed(_)));
    }

    #[test]
    fn a_card_is_no_phone_though_cards_are_not_masked() {
        assert_eq!(masker(&["phone"]).text("4111 1111 1111 1111"), "4111 1111 1111 1111");
    }

    #[test]
    fn the_longest_piece_wins() {
        let m = masker(&["email", "regex:KH-[0-9]+: \\S+"]);
        assert_eq!(m.text("KH-12: a@example.com; b@example.com"), "‹masked› ‹email›");
    }

    #[test]
    fn patterns_do_not_eat_placeholders() {
        let m = masker(&["phone", "regex:[a-z]+"]);
        assert_eq!(m.text("gọi 0912345678"), "‹masked›ọ‹masked› ‹phone›");
        assert_eq!(m.text("‹phone› ‹masked›"), "‹phone› ‹masked›");
    }

    #[test]
    fn wrong_items_are_named() {
        let wrong = |item: &str| Masker::new(&["email".to_owned(), item.to_owned()]).unwrap_err();
        assert_eq!(wrong("mail").0, 1);
        assert!(wrong("mail").1.contains("`mail` is no kind"), "{:?}", wrong("mail"));
        assert!(wrong("regex:(").1.contains("unclosed group"), "{:?}", wrong("regex:("));
        assert!(wrong("regex:a*").1.contains("nothing stands"));
        assert!(wrong("regex:").1.contains("nothing stands"));
    }

    #[test]
    fn spans_follow_the_text() {
        let text = "Gọi 0912345678 trong 7 ngày, hoặc lan@example.com.";
        let masked = masker(&["phone", "email"]).mask(text).unwrap();
        assert_eq!(masked.text, "Gọi ‹phone› trong 7 ngày, hoặc ‹email›.");
        let at = |s: &str| {
            let i = text.find(s).unwrap();
            let start = text.get(..i).unwrap().chars().count();
            (start, start + s.chars().count())
        };
        let now = |(start, end): (usize, usize)| masked.text.chars().skip(start).take(end - start).collect::<String>();
        for (piece, wanted, cut) in [
            ("Gọi", "Gọi", false),
            ("7 ngày", "7 ngày", false),
            ("0912345678", "‹phone›", true),
            ("345", "‹phone›", true),
            ("678 trong", "‹phone› trong", true),
            ("hoặc lan", "hoặc ‹email›", true),
            (".", ".", false),
        ] {
            let (start, end) = if piece == "." { (text.chars().count() - 1, text.chars().count()) } else { at(piece) };
            let (span, was_cut) = masked.span(start, end);
            assert_eq!((now(span), was_cut), (wanted.to_owned(), cut), "{piece}");
        }
    }
}
