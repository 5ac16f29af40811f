//! The detectors: each says of a run of digits, or of a text, what it is.

mod around;
mod card;
mod email;
mod identity;
mod phone;
mod run;

use super::{Found, Kind};
use run::Shadow;

/// Every piece that some detector claims; pieces may overlap.
pub(super) fn all(text: &str) -> Vec<Found> {
    let mut found = email::find(text);
    let shadow = Shadow::new(text);
    for chain in shadow.chains() {
        for run in chain.runs() {
            let kind = if identity::is_chinese(&run, &shadow) {
                Kind::ZhId
            } else if identity::is_thai(&run) {
                Kind::ThId
            } else if card::is_card(&run) {
                Kind::Card
            } else if identity::is_vietnamese(&run) {
                Kind::VnCccd
            } else if phone::is_phone(&run) {
                Kind::Phone
            } else {
                continue;
            };
            let (start, end) = run.bounds(kind, &shadow);
            if !shadow.stands_alone(start, end) || around::is_labelled_otherwise(text, shadow.byte(start)) {
                continue;
            }
            // No price begins with 0; `+55 000 000 điểm` and `13800138000 元` are counted.
            let counted = kind == Kind::Phone && run.digit(0) != 0;
            if counted && around::is_amount(text, shadow.byte(start), shadow.byte(end)) {
                continue;
            }
            found.push(Found { kind, range: shadow.byte(start)..shadow.byte(end) });
        }
    }
    found
}
