//! The measure: what decides a verdict besides the question. When it differs, outcomes are not comparable.

use crate::digest::Hasher;
use crate::layer::refusal::Own;
use crate::text::number;
use crate::text::pack::{Lang, Pack};

/// The version of the rules in code. Raised by hand in the commit that lets any answer come out differently.
pub const RULES: u32 = 8;

/// The measure for suites of a language: the rules' version and the packs that they read. English data is tried for
/// every language, so it is part of each.
///
/// The wordings of refusals that a project adds are part of it where there are any.
pub fn of(lang: &Lang, own: &Own) -> String {
    let mut h = Hasher::default();
    h.field(&RULES.to_string());
    let english = Lang::new("en");
    for lang in [Some(lang), english.as_ref()].into_iter().flatten() {
        h.field(lang.as_str());
        h.field(Pack::of(lang).map_or("", Pack::digest));
    }
    h.field(&number::digest());
    own.add_to(&mut h);
    h.short()
}
