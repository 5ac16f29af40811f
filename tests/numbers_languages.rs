//! German, French, Spanish, Japanese and Korean: separators, magnitudes, percents, dates and ordinals, with the right
//! value of every case.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

use ragline::text::number::{self, Mention};
use ragline::text::pack::Lang;

fn shown(lang: &str, text: &str) -> Vec<String> {
    let one = |m: &Mention| {
        if !m.kind.has_value() {
            return format!("{}:{}", m.kind.name(), m.shown_value());
        }
        let readings: Vec<String> = m.readings.iter().map(ToString::to_string).collect();
        readings.join("|") + &m.unit.map(|u| format!(" {u}")).unwrap_or_default()
    };
    number::mentions(text, &Lang::new(lang).unwrap()).iter().map(one).collect()
}

fn each(lang: &str, cases: &[(&str, &[&str])]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(text, right)| (text, right, shown(lang, text)))
        .filter(|(_, right, found)| found != *right)
        .map(|(text, right, found)| format!("{lang} {text:?}: {found:?}, not {right:?}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn german() {
    each(
        "de",
        &[
            ("1.500 kg", &["1500|1.5 kg"]),
            ("1.234.567,89 Euro", &["1234567.89 EUR"]),
            ("0,500 l", &["0.5 l"]),
            ("1'250,50", &["1250.5"]),
            ("3 Mio Euro", &["3000000 EUR"]),
            ("1 Billion Euro", &["1000000000000 EUR"]),
            ("5 Tsd Stück", &["5000 count"]),
            ("15 Prozent, 2 Prozentpunkte", &["15 percent", "2 percent_point"]),
            ("7 bis 10 Tage", &["7 day", "10 day"]),
            ("am 30. November 2026", &["date:2026-11-30"]),
            ("30. November", &["date:--11-30"]),
            ("1. Bitte öffnen", &[]),
            ("30.11.2026", &["date:2026-11-30"]),
            ("um 8.30 Uhr", &["time:510"]),
            ("zwei Wochen", &["2 week"]),
            ("der dritte Tag, Nr. 5, § 7", &["3 ordinal", "5 ordinal", "7 ordinal"]),
        ],
    );
}

#[test]
fn french() {
    each(
        "fr",
        &[
            ("1 234,5 €", &["1234.5 EUR"]),
            ("1.500 kg", &["1500|1.5 kg"]),
            ("1,5 million d'euros", &["1500000 EUR"]),
            ("2 milliards d’euros", &["2000000000 EUR"]),
            ("3 mille", &["3000"]),
            ("15 pour cent, 2 points de pourcentage", &["15 percent", "2 percent_point"]),
            ("7 à 10 jours", &["7 day", "10 day"]),
            ("le 30 novembre 2026", &["date:2026-11-30"]),
            ("le 1er janvier", &["date:--01-01"]),
            ("novembre 2026", &["date:2026-11"]),
            ("les mars", &[]),
            ("30/11/2026", &["date:2026-11-30"]),
            ("8h30", &["time:510"]),
            ("quinze jours", &["15 day"]),
            ("2e étage, n° 5, la troisième étape", &["2 ordinal", "5 ordinal", "3 ordinal"]),
        ],
    );
}

#[test]
fn spanish() {
    each(
        "es",
        &[
            ("1.500 kg", &["1500|1.5 kg"]),
            ("2 mil euros", &["2000 EUR"]),
            ("3 mil millones de euros", &["3000000000 EUR"]),
            ("15 por ciento, 2 puntos porcentuales", &["15 percent", "2 percent_point"]),
            ("de 7 a 10 días", &["7 day", "10 day"]),
            ("30 de noviembre de 2026", &["date:2026-11-30"]),
            ("el 15 de mayo", &["date:--05-15"]),
            ("30/11/2026", &["date:2026-11-30"]),
            ("5 de cada 10", &["5", "10"]),
            ("siete días", &["7 day"]),
            ("3º piso, 3.ª edición, tercera vez", &["3 ordinal", "3 ordinal", "3 ordinal"]),
        ],
    );
}

#[test]
fn japanese() {
    each(
        "ja",
        &[
            ("3万円", &["30000 JPY"]),
            ("1.2億円", &["120000000 JPY"]),
            ("2兆円", &["2000000000000 JPY"]),
            ("百一、一万三、三百五", &["101", "10003", "305"]),
            ("15パーセント、3割、2ポイント", &["15 percent", "30 percent", "2 percent_point"]),
            ("7〜10日", &["7 day", "10 day"]),
            ("2026年11月30日", &["date:2026-11-30"]),
            ("令和8年11月30日", &["date:2026-11-30"]),
            ("平成30年", &["date:2018"]),
            ("昭和64年1月7日", &["date:1989-01-07"]),
            ("第3章、3番目、三番目", &["3 ordinal", "3 ordinal", "3 ordinal"]),
            ("午後3時、8時30分", &["time:900", "time:510"]),
        ],
    );
}

#[test]
fn korean() {
    each(
        "ko",
        &[
            ("3만원", &["30000 KRW"]),
            ("1억 5천만 원", &["150000000 KRW"]),
            ("2조 원", &["2000000000000 KRW"]),
            ("15퍼센트, 2퍼센트포인트", &["15 percent", "2 percent_point"]),
            ("7~10일", &["7 day", "10 day"]),
            ("2026년 11월 30일", &["date:2026-11-30"]),
            ("제3장, 3번째", &["3 ordinal", "3 ordinal"]),
            ("3번", &["3 times"]),
            ("오후 3시, 8시 30분", &["time:900", "time:510"]),
            ("3개월", &["3 month"]),
        ],
    );
}
