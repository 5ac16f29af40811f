//! Yes or no, from the first words of an answer.
//!
//! Only what stands alone is a yes or no: `Không.`, `Dạ có ạ, …`, `不可以，…`. `没有发票也可以保修` begins with a no and
//! is none; so a word counts only if a mark, a particle of courtesy or the end follows it.

use crate::text::norm::chars::{is_blank, is_unspaced, is_word};
use crate::text::norm::{find_phrase, matching, plain};
use crate::text::pack::{Pack, YesNo};

/// What an answer says first: yes, no, or nothing that can be told.
///
/// A no may have the predicate of the question behind it: `Có cần giữ hoá đơn không?` is answered by `Không cần ạ.`
pub(super) fn read(answer: &str, pack: Option<&Pack>, question: &str) -> Option<bool> {
    let lowered =
        plain(answer.get(..first_part(answer)).unwrap_or(answer)).to_lowercase().replace(['*', '`', '_', '#'], "");
    let english = Pack::by_code("en");
    let asked = pack.map_or_else(Vec::new, |p| asked(p, question));
    pack.into_iter().chain(english).find_map(|p| of_first_clauses(&lowered, &p.yes_no, &asked))
}

/// The predicates that a question holds, and does not deny itself.
fn asked<'p>(pack: &'p Pack, question: &str) -> Vec<&'p str> {
    let form = matching(question);
    let denied =
        |p: &str| pack.yes_no.no.iter().any(|no| find_phrase(&form, &matching(&format!("{no} {p}"))).is_some());
    pack.claims.predicates.iter().map(AsRef::as_ref).filter(|p| find_phrase(&form, p).is_some() && !denied(p)).collect()
}

/// The end of the piece in which a yes or no can stand.
fn first_part(answer: &str) -> usize {
    answer.char_indices().nth(300).map_or(answer.len(), |(i, _)| i)
}

fn of_first_clauses(text: &str, words: &YesNo, asked: &[&str]) -> Option<bool> {
    let mut rest = text.trim_start_matches(|c: char| !is_word(c));
    // A few words of courtesy, each maybe a clause of its own, may stand in front.
    for _ in 0..4 {
        if let Some(said) = leading(rest, words, asked) {
            return Some(said);
        }
        let after = longest(rest, &words.courtesy)?;
        let behind = after.trim_start_matches(|c: char| !is_word(c));
        if let Some(said) = leading(behind, words, asked) {
            return Some(said);
        }
        // `Xin lỗi quý khách, không.`
        let clause = after.find([',', '.', '!', ';', ':', '\n', '，', '。', '！']).map(|i| after.get(i..));
        let next = match clause {
            Some(next) if longest(behind, &words.courtesy).is_none() => next?,
            _ => behind,
        };
        rest = next.trim_start_matches(|c: char| !is_word(c));
    }
    None
}

/// The rest behind the longest of the words that the text begins with, at a word border.
fn longest<'t>(text: &'t str, words: &[String]) -> Option<&'t str> {
    words
        .iter()
        .filter_map(|w| text.strip_prefix(w.as_str()).map(|rest| (w, rest)))
        .filter(|(w, rest)| {
            let (last, next) = (w.chars().next_back(), rest.chars().next());
            next.is_none_or(|n| !is_word(n) || is_unspaced(n)) || last.is_some_and(is_unspaced)
        })
        .max_by_key(|(w, _)| w.len())
        .map(|(_, rest)| rest)
}

/// The yes or no that the text begins with, if it stands alone.
fn leading(text: &str, words: &YesNo, asked: &[&str]) -> Option<bool> {
    let yes = longest(text, &words.yes);
    let no = longest(text, &words.no);
    let (said, rest) = match (yes, no) {
        // The longer word is the one that is said.
        (Some(y), Some(n)) if y.len() < n.len() => (true, y),
        (_, Some(n)) => (false, n),
        (Some(y), None) => (true, y),
        (None, None) => return None,
    };
    let unspaced = text.strip_suffix(rest).and_then(|w| w.chars().next_back()).is_some_and(is_unspaced);
    let with_predicate = || {
        let rest = rest.strip_prefix(' ')?;
        asked.iter().filter_map(|p| rest.strip_prefix(p)).find(|after| stands_alone(after, words, unspaced))
    };
    (stands_alone(rest, words, unspaced) || (!said && with_predicate().is_some())).then_some(said)
}

/// Whether nothing but particles stands between a word and the end of its clause.
fn stands_alone(rest: &str, words: &YesNo, unspaced: bool) -> bool {
    let mut rest = rest;
    loop {
        let trimmed = rest.trim_start_matches(' ');
        let Some(next) = trimmed.chars().next() else { return true };
        // In a script without marks a blank ends a clause.
        if !is_word(next) || is_blank(next) || (unspaced && trimmed.len() < rest.len()) {
            return true;
        }
        match longest(trimmed, &words.particles) {
            Some(after) if after.len() < trimmed.len() => rest = after,
            _ => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_words() {
        for (lang, answer, said) in [
            ("vi", "Không.", Some(false)),
            ("vi", "Không, máy bị vào nước thì không được bảo hành.", Some(false)),
            ("vi", "Dạ không ạ.", Some(false)),
            ("vi", "Dạ, có ạ, quý khách được đổi.", Some(true)),
            ("vi", "Xin lỗi quý khách, không được.", Some(false)),
            ("vi", "**Có**, trong 7 ngày", Some(true)),
            ("vi", "Không có phí nào.", None),
            ("vi", "Có thể đổi trong 7 ngày.", None),
            ("vi", "Được ạ", Some(true)),
            ("vi", "Yes.", Some(true)),
            ("th", "ได้ค่ะ ภายใน 7 วัน", Some(true)),
            ("th", "ไม่ได้ค่ะ", Some(false)),
            ("th", "ไม่ได้ เครื่องที่โดนน้ำไม่อยู่ในเงื่อนไข", Some(false)),
            ("th", "ได้รับภายใน 7 วัน", None),
            ("zh", "不可以。", Some(false)),
            ("zh", "不能，进水损坏不在保修范围内。", Some(false)),
            ("zh", "可以的，七天内。", Some(true)),
            ("zh", "没有发票也可以保修。", None),
            ("zh", "您好，可以。", Some(true)),
            ("en", "No.", Some(false)),
            ("en", "Yes - within 7 days", Some(true)),
            ("en", "Sorry, no.", Some(false)),
            ("en", "No fee applies.", None),
            ("en", "Nothing.", None),
            ("ja", "いいえ、できません。", Some(false)),
            ("de", "Ja, innerhalb von 7 Tagen.", Some(true)),
            ("vi", "", None),
            ("vi", "Phí là 5 đồng. Không.", None),
        ] {
            assert_eq!(read(answer, Pack::by_code(lang), ""), said, "{answer}");
        }
    }

    #[test]
    fn a_no_with_the_predicate_of_the_question() {
        let vi = Pack::by_code("vi");
        for (question, answer, said) in [
            ("Có cần giữ hoá đơn không?", "Không cần ạ.", Some(false)),
            ("Bảo hành có cần hoá đơn không?", "Dạ không cần, chị nhé.", Some(false)),
            ("Đăng ký có bắt buộc không?", "Không bắt buộc ạ", Some(false)),
            // Another predicate than the one that is asked for, one with more behind it, and one that the question denies.
            ("Có được đổi màu không?", "Không cần ạ.", None),
            ("Có cần giữ hoá đơn không?", "Không cần hoá đơn cũng được.", None),
            ("Nếu không cần thì có trả được không?", "Không cần, vẫn trả được.", None),
        ] {
            assert_eq!(read(answer, vi, question), said, "{question} {answer}");
        }
    }
}
