//! The kinds of personal data.

use std::fmt;

/// A kind of personal data. In the order in which equally long pieces are decided: a check digit before a mere form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The number of a mainland Chinese identity card.
    ZhId,
    /// The number of a Thai identity card.
    ThId,
    /// The number of a payment card.
    Card,
    /// The Vietnamese personal number of 12 digits, as on the identity card (CCCD).
    VnCccd,
    /// A telephone number of a person.
    Phone,
    /// An address for e-mail.
    Email,
}

impl Kind {
    /// Every kind, in the order of the manual.
    pub const ALL: [Kind; 6] = [Kind::Email, Kind::Phone, Kind::Card, Kind::ThId, Kind::VnCccd, Kind::ZhId];

    /// The name, as `mask` writes it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Email => "email",
            Kind::Phone => "phone",
            Kind::Card => "card",
            Kind::ThId => "th-id",
            Kind::VnCccd => "vn-cccd",
            Kind::ZhId => "zh-id",
        }
    }

    /// The kind of that name.
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.name() == name)
    }

    /// What stands where a piece of this kind stood.
    pub fn placeholder(self) -> &'static str {
        match self {
            Kind::Email => "‹email›",
            Kind::Phone => "‹phone›",
            Kind::Card => "‹card›",
            Kind::ThId => "‹th-id›",
            Kind::VnCccd => "‹vn-cccd›",
            Kind::ZhId => "‹zh-id›",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
