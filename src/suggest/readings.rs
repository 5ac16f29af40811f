//! How a short model answer may be said: without a remark in parentheses, without an apposition, or by one of two names.
//!
//! `Peter Townsend (an officer)`, `Puff, the magic dragon` and `pigeons or doves` are answered in full by `Peter Townsend`,
//! `Puff` and `doves`. A remark that bounds what is said (`free (orders above 500)`, `returns (except sale items)`) is kept.

use crate::text::norm::{find_phrase, matching, matching_mapped, parenthesised, without};
use crate::text::number::{self, Kind, Mention};
use crate::text::pack::{Lang, Pack};
use std::ops::Range;

/// At most so many names of one thing.
const NAMES: usize = 4;

/// The readings of a short text; itself where there is no other one.
///
/// What would stand in the question as it is left, is left as it is: who repeats the question has not answered it.
pub(super) fn of(text: &str, question: &str, lang: &Lang) -> Vec<String> {
    let readings = without_what_may_be_left_out(text, lang);
    let asked = |said: &str| find_phrase(&matching(question), &matching(said)).is_some();
    if readings.iter().any(|r| r != text && asked(r)) { vec![text.to_owned()] } else { readings }
}

fn without_what_may_be_left_out(text: &str, lang: &Lang) -> Vec<String> {
    let pack = Pack::of(lang);
    let bare = without_remarks(text, lang, pack);
    let head = head(&bare, pack).unwrap_or(bare.as_str()).trim();
    let names = names(head, lang, pack);
    if names.len() > 1 { names } else { vec![head.to_owned()] }
}

/// The text without its remarks in parentheses, as long as words are left.
fn without_remarks(text: &str, lang: &Lang, pack: Option<&Pack>) -> String {
    let inside = |r: &Range<usize>| text.get(r.clone()).unwrap_or_default();
    let remarks = parenthesised(text).into_iter().filter(|r| !bounds(inside(r), lang, pack));
    let out = without(text, remarks);
    let out = out.split_whitespace().collect::<Vec<_>>().join(" ");
    if out.chars().any(char::is_alphanumeric) { out } else { text.to_owned() }
}

/// Whether a remark may bound what is said: it denies, narrows, or holds a number that is no year.
fn bounds(remark: &str, lang: &Lang, pack: Option<&Pack>) -> bool {
    let form = matching(remark);
    let says = |p: &Pack| p.claims.negators.stand_in(&form) || p.claims.narrowing.stand_in(&form);
    let year = |m: &Mention| m.kind == Kind::Number && m.unit.is_none() && m.key.chars().count() == 4;
    pack.is_some_and(says) || number::mentions(remark, lang).iter().any(|m| m.kind != Kind::Date && !year(m))
}

/// What stands in front of an apposition: behind the only comma stands a small word, and nothing joins the two.
fn head<'t>(text: &'t str, pack: Option<&Pack>) -> Option<&'t str> {
    let claims = &pack?.claims;
    let (head, rest) = text.split_once(", ")?;
    let first = rest.split_whitespace().next()?;
    let small = first.chars().all(char::is_lowercase) && claims.function_words.iter().any(|w| w == first);
    // `Austin, TX`
    let region =
        (2..=3).contains(&rest.len()) && rest.chars().all(char::is_uppercase) && head.chars().any(char::is_lowercase);
    let named = head.chars().next().is_some_and(char::is_uppercase);
    let listed =
        rest.contains(',') || claims.joints.stand_in(&matching(head)) || claims.joints.iter().any(|j| j == first);
    (named && (small || region) && !listed).then_some(head)
}

/// The names that a word for `or` parts; one where none does, or where numbers are parted.
fn names(text: &str, lang: &Lang, pack: Option<&Pack>) -> Vec<String> {
    let whole = || vec![text.to_owned()];
    let Some(pack) = pack.filter(|p| p.claims.alternatives.iter().next().is_some()) else { return whole() };
    if number::mentions(text, lang).iter().any(|m| m.claim) {
        return whole();
    }
    let mapped = matching_mapped(text);
    let starts: Vec<usize> = text.char_indices().map(|(i, _)| i).collect();
    let byte = |point: usize| starts.get(point).copied().unwrap_or(text.len());
    let mut names: Vec<String> = Vec::new();
    let mut from = 0;
    for word in pack.claims.alternatives.places(&mapped.text) {
        let word = mapped.original(word);
        names.push(text.get(from..byte(word.start)).unwrap_or_default().to_owned());
        from = byte(word.end);
    }
    names.push(text.get(from..).unwrap_or_default().to_owned());
    let trimmed = |n: String| n.trim_matches(|c: char| c.is_whitespace() || matches!(c, ',' | '、' | '，')).to_owned();
    let names: Vec<String> = names.into_iter().map(trimmed).collect();
    let said = names.iter().all(|n| n.chars().any(char::is_alphanumeric));
    if said && names.len() <= NAMES { names } else { whole() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remarks_and_appositions_are_left_out_and_names_parted() {
        for (lang, text, want) in [
            ("en", "Peter Townsend (an officer)", "Peter Townsend"),
            ("en", "(My Little Stick of) Blackpool Rock", "Blackpool Rock"),
            ("en", "War of the Spanish Succession (1701-1714)", "War of the Spanish Succession"),
            ("vi", "Nguyễn Văn An (giám đốc)", "Nguyễn Văn An"),
            ("zh", "王伟（经理）", "王伟"),
            ("th", "สมชาย (ผู้จัดการ)", "สมชาย"),
            ("en", "Puff, the magic dragon", "Puff"),
            ("en", "Austin, TX", "Austin"),
            ("en", "pigeons or doves", "pigeons|doves"),
            ("vi", "Momo hoặc ZaloPay", "Momo|ZaloPay"),
            ("th", "เงินสด หรือ บัตร", "เงินสด|บัตร"),
            ("zh", "微信或支付宝", "微信|支付宝"),
            ("en", "The Spot, or Thespot", "The Spot|Thespot"),
        ] {
            assert_eq!(of(text, "", &Lang::new(lang).unwrap()).join("|"), want, "{text}");
        }
    }

    #[test]
    fn what_the_question_says_is_no_answer() {
        let en = Lang::new("en").unwrap();
        assert_eq!(of("Orion (network)", "What was Orion called?", &en), ["Orion (network)"]);
        assert_eq!(of("tea or coffee", "Is it tea or milk?", &en), ["tea or coffee"]);
    }

    #[test]
    fn what_bounds_or_lists_stays() {
        for (lang, text) in [
            ("en", "free delivery (orders above 500 dollars)"),
            ("en", "returns (not for sale items)"),
            ("vi", "miễn phí (chỉ nội thành)"),
            ("vi", "được đổi (trừ hàng giảm giá)"),
            ("th", "ฟรี (ยกเว้นสินค้าลดราคา)"),
            ("zh", "包邮（偏远地区除外）"),
            ("vi", "Hà Nội, Đà Nẵng"),
            ("en", "Laius, and Jocasta"),
            ("en", "7 or 14 days"),
            ("en", "(see below)"),
            ("en", "or"),
            ("en", "US, UK"),
            ("zh", "或许"),
        ] {
            assert_eq!(of(text, "", &Lang::new(lang).unwrap()), [text], "{text}");
        }
    }
}
