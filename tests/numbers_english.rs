//! English numbers in words and in the spellings of trade and science, with the right value of every case.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may")]

use ragline::text::number::{self, Mention};
use ragline::text::pack::Lang;

/// Readings and units, as `1500|1.5 USD`; what has no value as `date:2026`.
fn shown(text: &str) -> Vec<String> {
    let one = |m: &Mention| {
        if !m.kind.has_value() {
            return format!("{}:{}", m.kind.name(), m.shown_value());
        }
        let readings: Vec<String> = m.readings.iter().map(ToString::to_string).collect();
        readings.join("|") + &m.unit.map(|u| format!(" {u}")).unwrap_or_default()
    };
    number::mentions(text, &Lang::new("en").unwrap()).iter().map(one).collect()
}

fn each(cases: &[(&str, &[&str])]) {
    let wrong: Vec<String> = cases
        .iter()
        .map(|(text, right)| (text, right, shown(text)))
        .filter(|(_, right, found)| found != *right)
        .map(|(text, right, found)| format!("{text:?}: {found:?}, not {right:?}"))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn fractions_of_every_denominator() {
    each(&[
        ("one half", &["0.5"]),
        ("two thirds", &["0.666666666666667"]),
        ("one-eighth", &["0.125"]),
        ("twelve sixteenths", &["0.75"]),
        ("twenty-three fifths", &["4.6"]),
        ("one twenty-fifth", &["0.04"]),
        ("three twenty-firsts", &["0.142857142857143"]),
        ("one one hundred fifth", &["0.00952380952380952"]),
        ("three one hundredths", &["0.03"]),
        ("one ten-thousandth", &["0.0001"]),
        ("two ten-thousandths", &["0.0002"]),
        ("three hundred-thousandths", &["0.00003"]),
        ("twenty-one hundredths", &["0.21"]),
        ("a trillionth", &["0.000000000001"]),
        ("a hundred trillionths", &["0.0000000001"]),
        ("2 thirds of it", &["0.666666666666667"]),
        ("3 quarters of the fee", &["0.75"]),
        ("negative two thirds", &["-0.666666666666667"]),
        ("minus 1/2", &["-0.5"]),
        ("one over 1 hundred and twenty", &["0.00833333333333333"]),
        ("⅐ and ⅒", &["0.142857142857", "0.1"]),
    ]);
}

/// What is above the bar and what below is not always said; both readings are kept.
#[test]
fn fractions_that_two_readers_split_in_two_ways() {
    each(&[
        ("one hundred thirty fifths", &["2.85714285714286|26"]),
        ("one hundred and thirty fifths", &["26"]),
        ("one hundred thirty two fifths", &["26.4"]),
        ("twenty twenty fifths", &["0.8"]),
        ("one hundred one thousand fifths", &["20200|0.0995024875621891"]),
        ("one hundred thousandths", &["0.1|0.00001"]),
        ("one hundred and twenty-three thousandths", &["0.123|100.023"]),
        ("two hundred fifty thousandths", &["0.25|0.004"]),
    ]);
}

#[test]
fn fractions_behind_whole_numbers() {
    each(&[
        ("one and a half", &["1.5"]),
        ("twenty and three fifths", &["20.6"]),
        ("one hundred and one fifths", &["20.2"]),
        ("three and one hundredth", &["3.01"]),
        ("two hundred thirty two and a thirtieth", &["232.0333333333333333"]),
        ("five and three eighths inches", &["5.375 inch"]),
        ("one and three-quarter hours", &["1.75 hour"]),
        ("5 and a half days", &["5.5 day"]),
        ("2 and 3/4 cups", &["2.75 cup"]),
        ("one and 1/2", &["1.5"]),
        ("- 1 4/5", &["-1.8|1.8"]),
        ("2  1/4", &["2.25"]),
        ("the result is 1 3/4.", &["1.75"]),
        ("page 7 1/2", &["7", "ratio:0.5"]),
        ("Room 7 1/2", &["7", "ratio:0.5"]),
        ("5 and 10", &["5", "10"]),
    ]);
}

#[test]
fn fractions_of_magnitudes() {
    each(&[
        ("half a million", &["500000"]),
        ("half of a million", &["500000"]),
        ("a quarter of a million", &["250000"]),
        ("a quarter million us dollars", &["250000 USD"]),
        ("two thirds of a million", &["666666.666666667"]),
        ("1/2 million", &["500000"]),
        ("3 1/2 million", &["3500000"]),
        ("one and a half million", &["1500000"]),
        ("2 and a half million", &["2500000"]),
        // Idiom: half of the million, not of one. Other fractions are as they are written, with the idiom behind.
        ("two million and a half", &["2500000|2000000.5"]),
        ("five billion and three quarters", &["5750000000|5000000000.75"]),
        ("two million and three fifths", &["2000000.6|2600000"]),
        ("one hundred and three quarters", &["100.75"]),
    ]);
}

#[test]
fn a_third_party_is_no_third() {
    each(&[
        ("a third of the fee", &["0.333333333333333"]),
        ("a third party", &["3 ordinal"]),
        ("between 5 and a third party", &["5", "3 ordinal"]),
        ("a third day", &["0.333333333333333 day"]),
        ("half past nine", &["time:570"]),
    ]);
}

#[test]
fn dozens_and_scores() {
    each(&[
        ("half a  dozen", &["6"]),
        ("3 hundred dozen", &["3600"]),
        ("2 thousand dozen and a half", &["24006"]),
        ("half of a dozen", &["6"]),
        ("one and a half dozen", &["18"]),
        ("1 1/2 dozen", &["18"]),
        ("2.5 dozen", &["30"]),
        ("three hundred and two dozens", &["3624|324"]),
        ("a baker's dozen", &["13"]),
        ("a dozen and a half", &["18"]),
        ("two score", &["40"]),
        ("three score and ten", &["70"]),
        ("four score and seven years", &["87 year"]),
        ("a score of 80", &["80"]),
        ("two scores were kept", &["2"]),
        ("the two score higher", &["2"]),
        ("dozens of people", &[]),
    ]);
}

#[test]
fn ordinals_of_powers() {
    each(&[
        ("the two hundredth customer", &["200 ordinal"]),
        ("three trillionth", &["3000000000000 ordinal"]),
        ("the millionth visitor", &["1000000 ordinal"]),
        ("one hundred and twenty-first", &["121 ordinal"]),
        ("one hundredth", &["0.01"]),
    ]);
}

/// A count of a whole is one share, as `3/5` is; where a unit or a year follows it is two numbers.
#[test]
fn counts_of_a_whole() {
    each(&[
        ("3 out of 5", &["ratio:0.6"]),
        ("nine out of ten customers", &["ratio:0.9"]),
        ("two out of five hundreds", &["ratio:0.004"]),
        ("1 in 5 customers", &["ratio:0.2"]),
        ("one out of every five", &["ratio:0.2"]),
        ("one in a million", &["ratio:0.000001"]),
        ("5 in 8", &["ratio:0.625"]),
        ("8 in 5", &["8", "5"]),
        ("five out of three pieces", &["5", "3 count"]),
        ("1 in 2024", &["1", "2024"]),
        ("2 in 3 days", &["2", "3 day"]),
        ("$1 in 5", &["1 USD", "5"]),
        ("7 in 30 boxes", &["7", "30"]),
    ]);
}

#[test]
fn powers_and_exponents() {
    each(&[
        ("2^3", &["8"]),
        ("2 ^ 3", &["8"]),
        ("2.5^-1", &["0.4"]),
        ("1.1^+23", &["8.95430243255237372246531"]),
        ("1.1^-23", &["0.111678157794248"]),
        ("2 ^ - 3", &["0.125"]),
        ("1.5 ^ + 2", &["2.25"]),
        ("3^100", &["515377520732011000000000000000000000000000000000"]),
        ("-2^2", &["-4|4"]),
        ("10^6 cells", &["1000000"]),
        ("1.3x10^6", &["1300000"]),
        ("6 × 10⁻⁴ m", &["0.0006 m"]),
        ("12.32e+14", &["1232000000000000"]),
        ("10² m", &["10"]),
        ("7^th", &["7"]),
        ("2^0.5", &["2", "0.5"]),
    ]);
}

#[test]
fn tens_of_years_are_no_seconds() {
    each(&[
        ("the 90s", &["90"]),
        ("a man in his 30s", &["30"]),
        ("in her early 40s", &["40"]),
        ("the mid-50s", &["50"]),
        ("rates in the low 60s", &["60"]),
        ("wait 30s", &["30 second"]),
        ("retry after 60s", &["60 second"]),
    ]);
}

#[test]
fn mixed_numbers_with_blanks_around_the_bar() {
    each(&[
        ("1 1 / 2", &["1.5"]),
        ("2 3 / 4 cups", &["2.75 cup"]),
        ("5 / 8 / 2026", &["5", "8", "2026"]),
        ("page 7 1 / 2", &["7", "ratio:0.5"]),
    ]);
}

#[test]
fn groups_between_blanks() {
    each(&[
        ("1 234 567", &["1234567"]),
        ("1 234 567.89", &["1234567.89"]),
        ("10 000", &["10000"]),
        ("123 456 789 euros", &["123456789 EUR"]),
        ("100 200 300", &["100", "200", "300"]),
        ("1 234", &["1", "234"]),
        ("12 345 678 90", &["12", "345", "678", "90"]),
        ("+44 234 567", &["phone:44234567"]),
    ]);
}

#[test]
fn magnitudes_of_letters_and_words() {
    each(&[
        ("1,674,200.5 M", &["1674200500000|1674200.5"]),
        ("10 m", &["10 m"]),
        ("1.2b", &["1200000000|1.2"]),
        ("10T", &["10|10000000000000 tonne"]),
        ("$1.5T", &["1500000000000 USD"]),
        ("- 10  k", &["-10000|10000"]),
        ("4 thousand 3 hundred 21", &["4321"]),
        ("4 thousand and 21", &["4021"]),
        ("sold $4 thousand and 21 boxes", &["4000 USD", "21"]),
        ("five hundreds", &["500"]),
        ("five quadrillion", &["5000000000000000"]),
        ("the 90s", &["90"]),
        ("90s", &["90 second"]),
        ("hundreds of boxes", &[]),
    ]);
}

#[test]
fn percents_in_front() {
    each(&[
        ("percents of twenty", &["20 percent"]),
        ("percent of 16", &["16 percent"]),
        ("10 percent of twenty", &["10 percent", "20"]),
        ("as a percentage of 100.", &["100"]),
        ("what percent of 20?", &["20"]),
        ("20 per cents", &["20 percent"]),
    ]);
}

#[test]
fn money_in_two_parts() {
    each(&[
        ("ten dollars fifty", &["10.5 USD"]),
        ("thirty five dollars and twenty five cents", &["35.25 USD"]),
        ("$5 and 50 cents", &["5.5 USD"]),
        ("one dollar and 5 days", &["1 USD", "5 day"]),
        ("one kuai and five mao five", &["1.55 CNY"]),
        ("two jiao", &["20 cent"]),
        ("500 Canadian cents", &["500 cent"]),
        ("two and 50/100 dollars", &["2.5 USD"]),
        ("5 KWD 250 fils", &["5.25 KWD"]),
        ("5 KWD 25", &["5 KWD", "25"]),
    ]);
}

#[test]
fn currencies_of_the_world() {
    each(&[
        ("50 Kenyan shillings", &["50 KES"]),
        ("20 Danish kroner", &["20 DKK"]),
        ("300 Trinidad and Tobago dollars", &["300 TTD"]),
        ("MAD 100 or 100 MAD", &["100 MAD", "100 MAD"]),
        ("₦500, 200 zł, ₲900", &["500 NGN", "200 PLN", "900 PYG"]),
        ("¥500", &["500 JPY"]),
        ("200 kr", &["200 crown"]),
        ("100,000 ரூ", &["100000|100 LKR"]),
        // The króna has no decimals.
        ("ISK 40.000", &["40000|40 ISK"]),
        ("sen 100", &["100 cent"]),
        ("MAUD 60", &["60000000 AUD"]),
        ("kEUR 20 and 20 kEUR", &["20000 EUR", "20000 EUR"]),
        ("-$20", &["-20|20 USD"]),
        ("$15-20", &["15 USD", "20 USD"]),
        ("USD 15-20", &["15 USD", "20 USD"]),
        ("$3 to $5 million", &["3000000|3 USD", "5000000 USD"]),
        ("hkd$ 15", &["15 HKD"]),
        // Words that are codes too.
        ("TOP 10", &["10"]),
        ("ALL 50", &["50"]),
        ("1 CUP", &["1 cup"]),
        ("5 try again", &["5"]),
        ("I was mad 100 times", &["100 times"]),
        ("10 real people", &["10"]),
    ]);
}

#[test]
fn marks_of_feet_and_inches() {
    each(&[
        ("5'10\"", &["5.833333333333333 foot"]),
        ("6′ 2″ tall", &["6.166666666666667 foot"]),
        ("a 24\" screen", &["24 inch"]),
        ("he said \"it is 12\" and left", &["12"]),
        ("\"7\" days", &["7"]),
        ("'5' it is", &["5"]),
        ("an 85\" screen", &["85 inch"]),
        ("2569\" is where the quotation ends", &["2569"]),
        ("1998' 10\" is no height", &["1998", "10 inch"]),
    ]);
}

/// Doses are counted: six tablets are no six hours.
#[test]
fn doses_have_a_unit() {
    each(&[
        ("Take 2 tablets", &["2 tablet"]),
        ("6 capsules every 8 hours", &["6 tablet", "8 hour"]),
        ("no more than 3 pills", &["3 tablet"]),
    ]);
}

/// Hundreds above the bar of a fraction behind `and`, blanks around a slash, a plus in front of a point, and powers of ten in
/// raised digits.
#[test]
fn fractions_and_powers_as_people_write_them() {
    each(&[
        ("seven hundred seven and two hundred eighty-two thousandths", &["707.282"]),
        ("six and seven hundred eleven ten-thousandths", &["6.0711"]),
        ("two and two hundredths", &["2.02"]),
        ("add 1 / 3 cup", &["0.333333333333333 cup"]),
        ("2 / 5 / 9", &["2", "5", "9"]),
        ("page 5 / 3.5", &["5", "3.5"]),
        ("+.5 points", &["0.5 point"]),
        ("5+.5", &["5", "5"]),
    ]);
    let first = |text: &str| number::mentions(text, &Lang::new("en").unwrap())[0].shown_value();
    assert_eq!(first("1 / 3 of it"), "0.333333333333333");
    assert_eq!(first("10⁶ cells"), "1000000");
    assert_eq!(first("10⁻³ mol"), "0.001");
    // A footnote, since nobody raises twelve.
    assert_eq!(first("12² people"), "12");
}

/// A fraction behind `and` with a lower magnitude of its own, of digits or words on either side of the bar, and shares of
/// thousands with `k`.
#[test]
fn what_belongs_to_the_fraction_alone() {
    each(&[
        ("one billion and a half million", &["1000500000"]),
        ("one billion and three quarters million", &["1000750000"]),
        ("1 billion and a half million", &["1000500000"]),
        ("1 billion and 3 quarters million", &["1000750000"]),
        ("two million and a half thousand", &["2000500"]),
        // The higher magnitude is of both.
        ("two hundred and a half million", &["200500000"]),
        ("forty and 5 tenths", &["40.5"]),
        ("2 and 3 tenths", &["2.3"]),
        ("5 and 1 third", &["5.333333333333333"]),
        ("thirty five thousand and 71 thousandths", &["35000.071|35071"]),
        ("5 hundred thousandths", &["0.5|0.00005"]),
        ("fifty/sixty", &["0.833333333333333"]),
        ("20/three", &["6.66666666666667"]),
        // Two of a choice, no fraction.
        ("two/three days", &["2", "3 day"]),
        ("4 thousand 3 hundred and 0", &["4300", "0"]),
        ("five dozs", &["60"]),
        ("3 point five", &["3.5"]),
        // A sentence is read alike wherever it stands.
        ("1 1/2 cupfuls", &["1.5"]),
        ("Is it 62%? 1 1/2 cupfuls", &["62 percent", "1.5"]),
        ("one in 10k", &["ratio:0.0001"]),
        ("1 in 2 million", &["ratio:0.0000005"]),
    ]);
}

/// Former and other currencies, thousands in a code, and the mark of inches behind a blank.
#[test]
fn rarer_money_and_marks() {
    each(&[
        ("420 million Finnish markka", &["420000000 markka"]),
        ("20 French francs", &["20 franc"]),
        ("2 satoshis", &["2 satoshi"]),
        ("twenty MUSD", &["20000000 USD"]),
        ("20 EURm", &["20000000 EUR"]),
        ("3 GBPbn", &["3000000000 GBP"]),
        ("20 mEUR", &["20000000 EUR"]),
        ("a pen that is 10 \" long", &["10 inch"]),
        ("he said \"take 10 \" and left", &["10"]),
    ]);
}
