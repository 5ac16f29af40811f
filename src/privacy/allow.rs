//! What is public: the phone numbers and addresses by which anybody may reach a shop or an office. They are facts of a corpus
//! rather than personal data.

use super::{Found, Kind};
use crate::text::norm::chars;
use std::collections::BTreeSet;

/// So many digits are a phone number rather than chance, its country's code and the zeros before it left out.
const FEWEST: usize = 6;

/// A country's code has at most so many digits.
const CODE: usize = 3;

/// The phone numbers and e-mail addresses that may stand anywhere.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allowed {
    /// Lower case.
    emails: BTreeSet<String>,
    phones: Vec<Phone>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Phone {
    /// Its digits, without the zeros in front.
    digits: String,
    /// It begins with a `+` or `00`, so a country's code comes first.
    abroad: bool,
}

impl Phone {
    fn new(text: &str) -> Phone {
        let digits: String = text.chars().filter_map(chars::digit).map(|d| char::from(b'0' + d)).collect();
        let abroad = text.trim_start().starts_with(['+', '＋']) || digits.starts_with("00");
        Phone { digits: digits.trim_start_matches('0').to_owned(), abroad }
    }

    /// Whether two are one number, whatever parts its digits and whether a country's code stands before it.
    fn is(&self, other: &Phone) -> bool {
        let with_code = |long: &Phone, short: &Phone| {
            let more = long.digits.len().checked_sub(short.digits.len());
            long.abroad && !short.abroad && more.is_some_and(|n| n <= CODE) && long.digits.ends_with(&short.digits)
        };
        self.digits == other.digits || with_code(self, other) || with_code(other, self)
    }
}

impl Allowed {
    /// Reads the items of `[privacy] allow`.
    ///
    /// # Errors
    /// The place of an item, from 0, and what is wrong with it: it is neither an address nor a phone number.
    pub fn new(items: &[String]) -> Result<Allowed, (usize, String)> {
        let mut allowed = Allowed::default();
        for (i, item) in items.iter().enumerate() {
            if !allowed.add(item) {
                let shown = crate::suite::node::reader::shown(item);
                return Err((i, format!("`{shown}` is neither an e-mail address nor a phone number")));
            }
        }
        Ok(allowed)
    }

    /// Adds an item; false where it is neither an address nor a phone number, which allows nothing.
    pub fn add(&mut self, item: &str) -> bool {
        if item.contains('@') {
            let item = item.trim();
            let whole = super::find(item).iter().any(|f| f.kind == Kind::Email && f.range == (0..item.len()));
            if whole {
                self.emails.insert(item.to_lowercase());
            }
            return whole;
        }
        let phone = Phone::new(item);
        let plain = |c: char| !c.is_alphabetic();
        let is_phone = phone.digits.len() >= FEWEST && item.chars().all(plain);
        if is_phone {
            self.phones.push(phone);
        }
        is_phone
    }

    /// Whether a piece of a text is public. A card or the number of a person never is.
    pub fn holds(&self, found: &Found, text: &str) -> bool {
        let piece = text.get(found.range.clone()).unwrap_or_default();
        match found.kind {
            Kind::Email => self.emails.contains(&piece.to_lowercase()),
            Kind::Phone => {
                let phone = Phone::new(piece);
                self.phones.iter().any(|p| p.is(&phone))
            }
            Kind::Card | Kind::ThId | Kind::VnCccd | Kind::ZhId => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allowed(items: &[&str]) -> Result<Allowed, (usize, String)> {
        Allowed::new(&items.iter().map(|i| (*i).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn a_public_number_is_known_in_every_form_and_its_neighbour_is_not() {
        let allowed = allowed(&["0236 555 0190", "+66 81 234 5678", "Help@Example.com"]).unwrap();
        let left = |text: &str| -> Vec<String> {
            let found = super::super::find(text).into_iter().filter(|f| !allowed.holds(f, text));
            found.filter_map(|f| text.get(f.range).map(str::to_owned)).collect()
        };
        for public in ["0236 555 0190", "0236-555-0190", "+84 236 555 0190", "081-234-5678", "help@example.com"] {
            assert!(!super::super::find(public).is_empty(), "{public}");
            assert_eq!(left(public), Vec::<String>::new(), "{public}");
        }
        for other in ["0236 555 0191", "0912 555 019", "+84 912 345 678", "lan@example.com", "4111 1111 1111 1111"] {
            assert_eq!(left(other), [other], "{other}");
        }
    }

    #[test]
    fn what_allows_nothing_is_an_error() {
        for wrong in ["help", "12", "", "@example.com", "call 0236 555 0190"] {
            assert_eq!(allowed(&["0236 555 0190", wrong]).unwrap_err().0, 1, "{wrong}");
        }
    }
}
