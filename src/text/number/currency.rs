//! Currencies: the codes of ISO 4217 with the decimals of each, and their words in English.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The codes in order, each with how many decimals its amounts have: ISO 4217, list one (current currencies and funds), and
/// the codes withdrawn since 2022 (ANG, BGN, HRK, SLL, ZWL), which texts still hold.
pub(super) const CODES: &[(&str, u8)] = &[
    ("AED", 2),
    ("AFN", 2),
    ("ALL", 2),
    ("AMD", 2),
    ("ANG", 2),
    ("AOA", 2),
    ("ARS", 2),
    ("AUD", 2),
    ("AWG", 2),
    ("AZN", 2),
    ("BAM", 2),
    ("BBD", 2),
    ("BDT", 2),
    ("BGN", 2),
    ("BHD", 3),
    ("BIF", 0),
    ("BMD", 2),
    ("BND", 2),
    ("BOB", 2),
    ("BOV", 2),
    ("BRL", 2),
    ("BSD", 2),
    ("BTN", 2),
    ("BWP", 2),
    ("BYN", 2),
    ("BZD", 2),
    ("CAD", 2),
    ("CDF", 2),
    ("CHE", 2),
    ("CHF", 2),
    ("CHW", 2),
    ("CLF", 4),
    ("CLP", 0),
    ("CNY", 2),
    ("COP", 2),
    ("COU", 2),
    ("CRC", 2),
    ("CUP", 2),
    ("CVE", 2),
    ("CZK", 2),
    ("DJF", 0),
    ("DKK", 2),
    ("DOP", 2),
    ("DZD", 2),
    ("EGP", 2),
    ("ERN", 2),
    ("ETB", 2),
    ("EUR", 2),
    ("FJD", 2),
    ("FKP", 2),
    ("GBP", 2),
    ("GEL", 2),
    ("GHS", 2),
    ("GIP", 2),
    ("GMD", 2),
    ("GNF", 0),
    ("GTQ", 2),
    ("GYD", 2),
    ("HKD", 2),
    ("HNL", 2),
    ("HRK", 2),
    ("HTG", 2),
    ("HUF", 2),
    ("IDR", 2),
    ("ILS", 2),
    ("INR", 2),
    ("IQD", 3),
    ("IRR", 2),
    ("ISK", 0),
    ("JMD", 2),
    ("JOD", 3),
    ("JPY", 0),
    ("KES", 2),
    ("KGS", 2),
    ("KHR", 2),
    ("KMF", 0),
    ("KPW", 2),
    ("KRW", 0),
    ("KWD", 3),
    ("KYD", 2),
    ("KZT", 2),
    ("LAK", 2),
    ("LBP", 2),
    ("LKR", 2),
    ("LRD", 2),
    ("LSL", 2),
    ("LYD", 3),
    ("MAD", 2),
    ("MDL", 2),
    ("MGA", 2),
    ("MKD", 2),
    ("MMK", 2),
    ("MNT", 2),
    ("MOP", 2),
    ("MRU", 2),
    ("MUR", 2),
    ("MVR", 2),
    ("MWK", 2),
    ("MXN", 2),
    ("MXV", 2),
    ("MYR", 2),
    ("MZN", 2),
    ("NAD", 2),
    ("NGN", 2),
    ("NIO", 2),
    ("NOK", 2),
    ("NPR", 2),
    ("NZD", 2),
    ("OMR", 3),
    ("PAB", 2),
    ("PEN", 2),
    ("PGK", 2),
    ("PHP", 2),
    ("PKR", 2),
    ("PLN", 2),
    ("PYG", 0),
    ("QAR", 2),
    ("RON", 2),
    ("RSD", 2),
    ("RUB", 2),
    ("RWF", 0),
    ("SAR", 2),
    ("SBD", 2),
    ("SCR", 2),
    ("SDG", 2),
    ("SEK", 2),
    ("SGD", 2),
    ("SHP", 2),
    ("SLE", 2),
    ("SLL", 2),
    ("SOS", 2),
    ("SRD", 2),
    ("SSP", 2),
    ("STN", 2),
    ("SVC", 2),
    ("SYP", 2),
    ("SZL", 2),
    ("THB", 2),
    ("TJS", 2),
    ("TMT", 2),
    ("TND", 3),
    ("TOP", 2),
    ("TRY", 2),
    ("TTD", 2),
    ("TWD", 2),
    ("TZS", 2),
    ("UAH", 2),
    ("UGX", 0),
    ("USD", 2),
    ("USN", 2),
    ("UYI", 0),
    ("UYU", 2),
    ("UYW", 4),
    ("UZS", 2),
    ("VED", 2),
    ("VES", 2),
    ("VND", 0),
    ("VUV", 0),
    ("WST", 2),
    ("XAF", 0),
    ("XCD", 2),
    ("XCG", 2),
    ("XDR", 2),
    ("XOF", 0),
    ("XPF", 0),
    ("YER", 2),
    ("ZAR", 2),
    ("ZMW", 2),
    ("ZWG", 2),
    ("ZWL", 2),
];

/// Codes that are words too often to be read as codes: `TOP 10`, `ALL 50`, `1 CUP`.
pub(super) const WORDLIKE: &[&str] = &["ALL", "CUP", "GEL", "PEN", "TOP"];

/// How many decimals amounts of a currency have, by its code.
pub(super) fn decimals(code: &str) -> Option<u8> {
    let place = CODES.binary_search_by(|(c, _)| (*c).cmp(code)).ok()?;
    CODES.get(place).map(|(_, decimals)| *decimals)
}

/// The words of currencies, as their file holds them.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct File {
    family: Vec<Family>,
    names: BTreeMap<String, Vec<String>>,
}

/// A name that several countries share.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    one: String,
    many: String,
    of: BTreeMap<String, Vec<String>>,
}

/// The file of words.
pub(super) const WORDS: &str = include_str!("../packs/numbers/currencies.toml");

/// Every word and sign with the unit it names.
pub(super) fn words() -> &'static [(String, String)] {
    static ALL: OnceLock<Vec<(String, String)>> = OnceLock::new();
    ALL.get_or_init(read)
}

fn read() -> Vec<(String, String)> {
    let file: File = toml::from_str(WORDS).unwrap_or_default();
    let mut all = Vec::new();
    for family in &file.family {
        let sign = matches!(family.one.as_str(), "dollar" | "peso");
        for (code, nations) in &family.of {
            if sign {
                all.push((format!("{}$", code.to_lowercase()), code.clone()));
            }
            for nation in nations {
                // `Canadian cents`
                for cent in ["cent", "cents"].iter().filter(|_| family.one == "dollar") {
                    all.push((format!("{nation} {cent}"), "cent".to_owned()));
                }
                for name in [&family.one, &family.many] {
                    all.push((format!("{nation} {name}"), code.clone()));
                }
                // `Canadian $30`
                if family.one == "dollar" {
                    all.push((format!("{nation} $"), code.clone()));
                }
            }
        }
    }
    for (code, list) in file.names {
        all.extend(list.into_iter().map(|word| (word, code.clone())));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::unit::{Dimension, Unit};
    use super::*;

    #[test]
    fn codes_are_in_order_and_each_is_a_unit_of_money() {
        assert!(CODES.is_sorted());
        for (code, _) in CODES {
            assert_eq!(Unit::named(code).map(Unit::dimension), Some(Dimension::Money), "{code}");
        }
        assert_eq!(
            (decimals("KWD"), decimals("JPY"), decimals("EUR"), decimals("XXX")),
            (Some(3), Some(0), Some(2), None)
        );
    }

    #[test]
    fn the_file_reads_and_names_known_units() {
        let all = words();
        assert!(all.len() > 400, "{}", all.len());
        for (word, name) in all {
            assert!(Unit::named(name).is_some(), "{word}: {name}");
        }
    }
}
