//! The word difference between the accepted answer and the new one: `trong ‹17 ngày› kể từ`.

use super::{clean, cut};
use crate::privacy::placeholder_at;
use icu_segmenter::WordSegmenter;
use icu_segmenter::options::WordBreakInvariantOptions;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use unicode_normalization::UnicodeNormalization as _;

/// So much of an answer is compared, in code points; the rest is cut, visibly.
pub const COMPARED: usize = 8_000;

/// More differing words than this are not compared one by one: the whole piece counts as changed.
const DIFFERING: usize = 600;

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its text, cleaned for one line.
    pub text: String,
    /// Shown between `‹` and `›`.
    pub marked: bool,
}

/// Two answers as they are shown one above the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compared {
    /// The accepted one.
    pub was: Vec<Piece>,
    /// The new one.
    pub now: Vec<Piece>,
    /// How the two relate.
    pub kind: Kind,
}

/// How two answers relate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The same code points.
    Same,
    /// The same to the eye: other invisible characters, or letters composed in another way.
    Alike,
    /// Some words differ; they are marked.
    Words,
    /// Most words differ: another answer, and marks would only disturb.
    Other,
}

/// What two answers have in common at both ends is cut into words only so near to the difference, in code points:
/// finding the words of Thai takes time.
const AROUND: usize = 200;

/// A differing middle longer than this, in code points, is not cut into words: it counts as changed, in one piece.
const MIDDLE: usize = 3_000;

/// One word (or what stands between two) and its place.
struct Word<'a> {
    text: &'a str,
    /// Code points before it.
    at: usize,
    changed: bool,
}

/// Compares two answers. `faults` are the pieces of the new answer that findings speak of, in code points: where a
/// word of one differs, all of it is marked, so that `‹17 ngày›` is marked and not `‹17›` alone.
pub fn compare(was: &str, now: &str, faults: &[(usize, usize)]) -> Compared {
    put(was, now, faults, Marks::Now)
}

/// As [`compare`], with what is gone marked in the accepted answer too: for a report that strikes it out.
pub fn both(was: &str, now: &str, faults: &[(usize, usize)]) -> Compared {
    put(was, now, faults, Marks::Both)
}

/// Where words that differ are marked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Marks {
    /// In the new answer; in the accepted one only when the new one has nothing to mark.
    Now,
    /// In each.
    Both,
}

fn put(was: &str, now: &str, faults: &[(usize, usize)], wanted: Marks) -> Compared {
    let (was, now) = (cut::chars(was, COMPARED), cut::chars(now, COMPARED));
    if was == now {
        let same = || vec![Piece { text: clean::terminal(&now).into_owned(), marked: false }];
        return Compared { was: same(), now: same(), kind: Kind::Same };
    }
    let (head, tail) = common_ends(&was, &now);
    let (mut old, mut new) = (words_between(&was, head, tail), words_between(&now, head, tail));
    mark(&mut old, &mut new);
    let kind = kind(&was, &now, &old, &new);
    if kind == Kind::Words {
        widen(&mut new, faults);
    }
    let in_now = new.iter().any(|w| w.changed && !w.text.trim().is_empty());
    let marks = matches!(kind, Kind::Words | Kind::Alike);
    let in_was = !in_now || kind == Kind::Alike || wanted == Marks::Both;
    Compared { was: pieces(&old, marks && in_was), now: pieces(&new, marks && in_now), kind }
}

/// One answer with the pieces marked that findings speak of.
pub fn alone(answer: &str, faults: &[(usize, usize)]) -> Vec<Piece> {
    let answer = cut::chars(answer, COMPARED);
    if faults.is_empty() {
        return vec![Piece { text: clean::terminal(&answer).into_owned(), marked: false }];
    }
    let mut words = words(&answer);
    for w in &mut words {
        w.changed = faults.iter().any(|f| overlaps(w, *f));
    }
    pieces(&words, true)
}

/// The bytes that two texts have in common at the front and at the end, less what is needed around the difference.
fn common_ends(a: &str, b: &str) -> (usize, usize) {
    let bytes = |chars: &mut dyn Iterator<Item = (char, char)>| -> usize {
        let same: Vec<usize> = chars.take_while(|(x, y)| x == y).map(|(x, _)| x.len_utf8()).collect();
        same.iter().take(same.len().saturating_sub(AROUND)).sum()
    };
    let head = bytes(&mut a.chars().zip(b.chars()));
    let rest = |t: &str| t.get(head..).unwrap_or_default().chars().rev().collect::<Vec<_>>();
    let (a, b) = (rest(a), rest(b));
    (head, bytes(&mut a.into_iter().zip(b)))
}

/// The words of a text, its ends in one piece each.
fn words_between(text: &str, head: usize, tail: usize) -> Vec<Word<'_>> {
    let end = text.len() - tail;
    let part = |range: std::ops::Range<usize>| text.get(range).unwrap_or_default();
    let (before, middle, after) = (part(0..head), part(head..end), part(end..text.len()));
    let mut out = Vec::new();
    let mut at = 0;
    for (piece, whole) in [(before, true), (middle, middle.chars().count() > MIDDLE), (after, true)] {
        let found = if whole { vec![Word { text: piece, at: 0, changed: false }] } else { words(piece) };
        out.extend(found.into_iter().filter(|w| !w.text.is_empty()).map(|w| Word { at: at + w.at, ..w }));
        at += piece.chars().count();
    }
    out
}

fn words(text: &str) -> Vec<Word<'_>> {
    let (mut start, mut at) = (0, 0);
    let mut out = Vec::new();
    for end in WordSegmenter::new_auto(WordBreakInvariantOptions::default()).segment_str(text).skip(1) {
        // What stands for personal data is one word: half of it cannot differ.
        let placeholder = text.get(start..).and_then(placeholder_at).map_or(0, str::len);
        if end < start + placeholder {
            continue;
        }
        if let Some(piece) = text.get(start..end) {
            out.push(Word { text: piece, at, changed: false });
            at += piece.chars().count();
        }
        start = end;
    }
    out
}

fn overlaps(word: &Word<'_>, (start, end): (usize, usize)) -> bool {
    word.at < end && start < word.at + word.text.chars().count()
}

/// Marks the words that differ.
fn mark<'a>(old: &mut [Word<'a>], new: &mut [Word<'a>]) {
    let common = |a: &[Word<'_>], b: &[Word<'_>]| a.iter().zip(b).take_while(|(x, y)| x.text == y.text).count();
    let head = common(old, new);
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(x, y)| x.text == y.text).count();
    let tail = tail.min(old.len() - head).min(new.len() - head);
    let (old_end, new_end) = (old.len() - tail, new.len() - tail);
    let old = old.get_mut(head..old_end).unwrap_or_default();
    let new = new.get_mut(head..new_end).unwrap_or_default();
    if old.len().max(new.len()) > DIFFERING {
        old.iter_mut().chain(new).for_each(|w| w.changed = true);
        return;
    }
    let (a, b): (Vec<&str>, Vec<&str>) = (old.iter().map(|w| w.text).collect(), new.iter().map(|w| w.text).collect());
    for op in capture_diff_slices(Algorithm::Myers, &a, &b) {
        match op {
            DiffOp::Equal { .. } => {}
            DiffOp::Delete { .. } | DiffOp::Insert { .. } | DiffOp::Replace { .. } => {
                for (side, range) in [(&mut *old, op.old_range()), (&mut *new, op.new_range())] {
                    side.get_mut(range).unwrap_or_default().iter_mut().for_each(|w| w.changed = true);
                }
            }
        }
    }
    join(old);
    join(new);
}

/// A blank between two changed words is changed too: one mark rather than two.
fn join(words: &mut [Word<'_>]) {
    for i in 1..words.len().saturating_sub(1) {
        if let [before, middle, after] = &mut words[i - 1..=i + 1]
            && before.changed
            && after.changed
            && middle.text.trim().is_empty()
        {
            middle.changed = true;
        }
    }
}

fn kind(was: &str, now: &str, old: &[Word<'_>], new: &[Word<'_>]) -> Kind {
    let seen = |t: &str| t.chars().filter(|c| !clean::invisible(*c)).nfc().collect::<String>();
    if seen(was) == seen(now) {
        return Kind::Alike;
    }
    let letters = |words: &[Word<'_>], changed: bool| -> usize {
        words
            .iter()
            .filter(|w| !changed || w.changed)
            .map(|w| w.text.chars().filter(|c| c.is_alphanumeric()).count())
            .sum()
    };
    let (all, changed) = (letters(old, false).max(letters(new, false)), letters(old, true).max(letters(new, true)));
    if changed * 5 > all * 3 { Kind::Other } else { Kind::Words }
}

/// Where a word of a faulty piece differs, marks the whole piece.
fn widen(new: &mut [Word<'_>], faults: &[(usize, usize)]) {
    for fault in faults {
        if new.iter().any(|w| w.changed && overlaps(w, *fault)) {
            new.iter_mut().filter(|w| overlaps(w, *fault)).for_each(|w| w.changed = true);
        }
    }
}

/// Neighbours of a kind as one piece; changed words with their invisible characters shown.
fn pieces(words: &[Word<'_>], marks: bool) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::new();
    for group in words.chunk_by(|a, b| a.changed == b.changed) {
        let raw: String = group.iter().map(|w| w.text).collect();
        let changed = group.first().is_some_and(|w| w.changed) && marks;
        let text = if changed { clean::compared(&raw) } else { clean::terminal(&raw) };
        // Blanks stay outside of a mark.
        let inner = text.trim();
        if !changed || inner.is_empty() {
            out.push(Piece { text: text.into_owned(), marked: false });
            continue;
        }
        let before = text.len() - text.trim_start().len();
        let after = text.trim_end().len();
        for (part, marked) in [(text.get(..before), false), (Some(inner), true), (text.get(after..), false)] {
            if let Some(part) = part.filter(|p| !p.is_empty()) {
                out.push(Piece { text: part.to_owned(), marked });
            }
        }
    }
    out
}

/// The pieces as one text with the marks in it.
pub fn text(pieces: &[Piece]) -> String {
    pieces.iter().map(|p| if p.marked { format!("‹{}›", unbracketed(&p.text)) } else { p.text.clone() }).collect()
}

/// A text that is going to be marked, its placeholders (`‹phone›`) without the brackets that the mark has too.
fn unbracketed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let (shown, len) = match placeholder_at(rest) {
            Some(p) => (p.trim_matches(['‹', '›']), p.len()),
            None => (rest.get(..c.len_utf8()).unwrap_or_default(), c.len_utf8()),
        };
        out.push_str(shown);
        rest = rest.get(len..).unwrap_or_default();
    }
    out
}

/// The pieces as one text of at most `columns` columns, cut at the front and at the end so that the first mark is seen.
pub fn window(pieces: &[Piece], columns: usize) -> String {
    let whole = text(pieces);
    if cut::columns(&whole) <= columns {
        return whole;
    }
    let before: usize = pieces.iter().take_while(|p| !p.marked).map(|p| cut::columns(&p.text)).sum();
    let lead = columns / 3;
    let marked = pieces.iter().any(|p| p.marked);
    if !marked || before <= lead {
        return cut::width(&whole, columns);
    }
    // Leave out whole words until the mark stands at about a third.
    let mut left_out = 0;
    let mut rest = String::new();
    for word in words(&whole) {
        if rest.is_empty() && (left_out + lead < before || word.text.trim().is_empty()) {
            left_out += cut::columns(word.text);
        } else {
            rest.push_str(word.text);
        }
    }
    cut::width(&format!("{}{rest}", cut::MARK), columns)
}

/// The pieces around the marks: of what is not marked only `around` columns stay beside a mark, and the whole is at most
/// `columns` wide. What is left out shows as the mark of a cut.
pub fn excerpt(pieces: &[Piece], around: usize, columns: usize) -> Vec<Piece> {
    let marked = pieces.iter().any(|p| p.marked);
    // Neighbours of a kind are one piece: what is clean in halves may mean something as a whole (`GH` and `-3`).
    let joined = |run: &[Piece]| Piece {
        text: run.iter().map(|p| p.text.as_str()).collect(),
        marked: run.iter().any(|p| p.marked),
    };
    let pieces: Vec<Piece> = pieces.chunk_by(|a, b| a.marked == b.marked).map(joined).collect();
    let mut out: Vec<Piece> = Vec::new();
    let mut used = 0;
    for (i, piece) in pieces.iter().enumerate() {
        let left = columns.saturating_sub(used);
        if left == 0 {
            break;
        }
        let text = match (piece.marked || !marked, i == 0, i + 1 == pieces.len()) {
            (true, _, _) => piece.text.clone(),
            (false, first, last) => shorten(&piece.text, if first { 0 } else { around }, if last { 0 } else { around }),
        };
        let text = cut::width(&text, left);
        used += cut::columns(&text);
        out.push(Piece { text, marked: piece.marked });
    }
    out
}

/// A text of which about so many columns stay in front and at the end; whole where that saves nothing.
fn shorten(text: &str, front: usize, end: usize) -> String {
    if cut::columns(text) <= front + end + 20 {
        return text.to_owned();
    }
    let head = if front == 0 { cut::MARK.to_string() } else { cut::width(text, front) };
    let (mut tail, mut used) = (Vec::new(), 0);
    let clusters: Vec<&str> = cut::clusters(text).collect();
    for cluster in clusters.iter().rev() {
        used += cut::columns(cluster);
        if used > end {
            break;
        }
        tail.push(*cluster);
    }
    tail.reverse();
    format!("{head}{}", tail.concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_gone_and_what_came_are_both_marked_on_request() {
        let c = both("Trong 7 ngày kể từ ngày nhận.", "Trong 17 ngày kể từ ngày nhận.", &[]);
        assert_eq!(text(&c.was), "Trong ‹7› ngày kể từ ngày nhận.");
        assert_eq!(text(&c.now), "Trong ‹17› ngày kể từ ngày nhận.");
        let c = both("ลูกค้าคืนสินค้าได้ภายใน 7 วัน", "ลูกค้าเปลี่ยนสินค้าได้ภายใน 7 วัน", &[]);
        assert_eq!(text(&c.was), "ลูกค้า‹คืน›สินค้าได้ภายใน 7 วัน");
        let c = both("商品自签收之日起七天内可以退货。", "商品自签收之日起十天内可以退货。", &[]);
        assert_eq!(text(&c.was), "商品自签收之日起‹七天›内可以退货。");
    }

    #[test]
    fn an_excerpt_keeps_every_mark_and_little_around_it() {
        let filler = "and so on and on ".repeat(40);
        let (was, now) =
            (format!("{filler}7 days {filler}red {filler}"), format!("{filler}9 days {filler}blue {filler}"));
        let c = both(&was, &now, &[]);
        let shown = text(&excerpt(&c.now, 40, 400));
        assert!(shown.starts_with('…') && shown.ends_with('…'), "{shown}");
        assert!(shown.contains("‹9›") && shown.contains("‹blue›") && cut::columns(&shown) <= 240, "{shown}");
        // Nothing is marked: the beginning.
        assert_eq!(text(&excerpt(&alone("a b c", &[]), 40, 3)), "a …");
        assert_eq!(text(&excerpt(&alone("a b c", &[]), 40, 5)), "a b c");
    }

    fn now(was: &str, now: &str, faults: &[(usize, usize)]) -> String {
        text(&compare(was, now, faults).now)
    }

    #[test]
    fn words_that_differ_are_marked_in_four_languages() {
        let vi = (
            "Quý khách được đổi trả trong 7 ngày kể từ ngày nhận.",
            "Quý khách được đổi trả trong 17 ngày kể từ ngày nhận.",
        );
        assert_eq!(now(vi.0, vi.1, &[]), "Quý khách được đổi trả trong ‹17› ngày kể từ ngày nhận.");
        assert_eq!(now(vi.0, vi.1, &[(29, 36)]), "Quý khách được đổi trả trong ‹17 ngày› kể từ ngày nhận.");
        assert_eq!(now("ลูกค้าคืนสินค้าได้ภายใน 7 วัน", "ลูกค้าเปลี่ยนสินค้าได้ภายใน 7 วัน", &[]), "ลูกค้า‹เปลี่ยน›สินค้าได้ภายใน 7 วัน");
        assert_eq!(
            now("商品自签收之日起七天内可以退货。", "商品自签收之日起十天内可以退货。", &[]),
            "商品自签收之日起‹十天›内可以退货。"
        );
        assert_eq!(
            now("You can return it within 7 days.", "You can return it within 30 days.", &[]),
            "You can return it within ‹30› days."
        );
    }

    #[test]
    fn a_word_that_is_gone_is_marked_where_it_was() {
        let c = compare("Đổi trả trong 7 ngày, trừ hàng giảm giá.", "Đổi trả trong 7 ngày.", &[]);
        assert_eq!(
            (text(&c.was).as_str(), text(&c.now).as_str()),
            ("Đổi trả trong 7 ngày‹, trừ hàng giảm giá›.", "Đổi trả trong 7 ngày.")
        );
    }

    #[test]
    fn a_mark_on_a_placeholder_has_one_pair_of_brackets() {
        let answer = "Call ‹masked› now, or ‹vn-cccd› later.";
        assert_eq!(text(&alone(answer, &[(5, 13)])), answer);
        assert_eq!(text(&alone(answer, &[(5, 17)])), "Call ‹masked now›, or ‹vn-cccd› later.");
        assert_eq!(text(&alone(answer, &[(26, 28)])), answer, "half of a placeholder is all of it");
        assert_eq!(now("Call ‹masked› now, please.", "Call ‹phone› now, please.", &[]), "Call ‹phone› now, please.");
        assert_eq!(now("Call 0912 now, please.", "Call ‹phone› now, please.", &[]), "Call ‹phone› now, please.");
    }

    #[test]
    fn another_answer_has_no_marks() {
        let c = compare("Phí giao hàng là 35.000 đồng.", "Xin lỗi, tôi không tìm thấy thông tin.", &[]);
        assert_eq!((c.kind, text(&c.now).as_str()), (Kind::Other, "Xin lỗi, tôi không tìm thấy thông tin."));
    }

    #[test]
    fn what_the_eye_cannot_see_is_written_out() {
        let c = compare("trong 7 ngày", "trong 7\u{200b} ngày", &[]);
        assert_eq!(c.kind, Kind::Alike);
        assert!(text(&c.now).contains("\\u{200b}"), "{}", text(&c.now));
        assert_eq!(compare("hòa", "ho\u{300}a", &[]).kind, Kind::Alike);
        assert_eq!(compare("a", "a", &[]).kind, Kind::Same);
    }

    #[test]
    fn a_long_answer_is_shown_around_its_first_difference() {
        let filler = "Đây là một câu rất dài để làm đầy dòng. ".repeat(20);
        let c = compare(&format!("{filler}Phí là 5 đồng."), &format!("{filler}Phí là 9 đồng."), &[]);
        let shown = window(&c.now, 60);
        assert!(shown.starts_with('…') && shown.contains("‹9›") && cut::columns(&shown) <= 60, "{shown}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_pieces_hold_the_whole_text(a in "[ab \u{200b}ngày七ก่]{0,40}", b in any::<String>(), f in (0_usize..20, 0_usize..40), w in 1_usize..60) {
            let c = compare(&a, &b, &[f]);
            let plain: String = c.was.iter().map(|p| p.text.as_str()).collect();
            let seen = |t: &str| t.replace("\\u{200b}", "").replace('\u{200b}', "");
            prop_assert_eq!(seen(&plain), seen(&clean::terminal(&a)));
            for side in [&c.was, &c.now, &alone(&b, &[f])] {
                prop_assert!(cut::columns(&window(side, w)) <= w);
            }
        }
    }
}
