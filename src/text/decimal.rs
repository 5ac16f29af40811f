//! Exact decimals: an integer mantissa times a power of ten. Never binary floats.

use std::cmp::Ordering;
use std::fmt;

/// So many bytes hold a decimal that is written [`Decimal::short`].
pub(crate) const SHORT: usize = 24;

/// `mantissa × 10^exponent`, in lowest terms, so that equal values are equal in all fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Decimal {
    mantissa: i128,
    exponent: i32,
}

impl Decimal {
    /// A decimal; trailing zeros of the mantissa move into the exponent.
    pub fn new(mut mantissa: i128, mut exponent: i32) -> Self {
        if mantissa == 0 {
            return Decimal { mantissa: 0, exponent: 0 };
        }
        // Nearly all fit 64 bits, which are divided many times faster.
        if let Ok(mut short) = i64::try_from(mantissa) {
            while short % 10 == 0 {
                short /= 10;
                exponent = exponent.saturating_add(1);
            }
            return Decimal { mantissa: short.into(), exponent };
        }
        while mantissa % 10 == 0 {
            mantissa /= 10;
            exponent = exponent.saturating_add(1);
        }
        Decimal { mantissa, exponent }
    }

    /// Reads `-12`, `12.50`, `1e6`; nothing when it is not of that form or needs more than 38 digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (body, exp) = match text.split_once(['e', 'E']) {
            Some((b, e)) => (b, e.parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (sign, body) = match body.strip_prefix('-') {
            Some(b) => (-1, b),
            None => (1, body.strip_prefix('+').unwrap_or(body)),
        };
        let (whole, frac) = body.split_once('.').unwrap_or((body, ""));
        if whole.is_empty() || (frac.is_empty() && body.contains('.')) {
            return None;
        }
        // Up to eighteen digits fit 64 bits.
        let short = whole.len() + frac.len() <= 18;
        let digits = whole.bytes().chain(frac.bytes()).map(|b| b.is_ascii_digit().then(|| b - b'0'));
        let m = if short {
            let mut m: i64 = 0;
            for d in digits {
                m = m * 10 + i64::from(d?);
            }
            i128::from(m)
        } else {
            let mut m: i128 = 0;
            for d in digits {
                m = m.checked_mul(10)?.checked_add(i128::from(d?))?;
            }
            m
        };
        Some(Decimal::new(sign * m, exp.checked_sub(i32::try_from(frac.len()).ok()?)?))
    }

    /// The product, or nothing when it needs more than 38 digits.
    pub fn checked_mul(self, other: Decimal) -> Option<Self> {
        Some(Decimal::new(self.mantissa.checked_mul(other.mantissa)?, self.exponent.checked_add(other.exponent)?))
    }

    /// The sum, or nothing when it needs more than 38 digits.
    pub fn checked_add(self, other: Decimal) -> Option<Self> {
        let e = self.exponent.min(other.exponent);
        Some(Decimal::new(self.at(e)?.checked_add(other.at(e)?)?, e))
    }

    /// The mantissa at a smaller exponent.
    fn at(self, exponent: i32) -> Option<i128> {
        let by = u32::try_from(self.exponent.checked_sub(exponent)?).ok()?;
        if by == 0 {
            return Some(self.mantissa);
        }
        10i128.checked_pow(by)?.checked_mul(self.mantissa)
    }

    /// The value times a power of ten.
    #[must_use]
    pub fn shifted(self, by: i32) -> Self {
        if self.mantissa == 0 { self } else { Decimal { exponent: self.exponent.saturating_add(by), ..self } }
    }

    /// The distance to another value, or nothing when it needs more than 38 digits.
    pub fn distance(self, other: Decimal) -> Option<Self> {
        let minus = Decimal { mantissa: other.mantissa.checked_neg()?, ..other };
        let d = self.checked_add(minus)?;
        Some(Decimal { mantissa: d.mantissa.checked_abs()?, ..d })
    }

    /// The value with the opposite sign, or nothing when it does not fit.
    pub fn negated(self) -> Option<Self> {
        Some(Decimal { mantissa: self.mantissa.checked_neg()?, ..self })
    }

    /// Rounded to a multiple of `10^step`, halves away from zero.
    #[must_use]
    pub fn rounded(self, step: i32) -> Self {
        let Some(drop) = step.checked_sub(self.exponent).and_then(|d| u32::try_from(d).ok()).filter(|d| *d > 0) else {
            return self;
        };
        let Some(pow) = 10i128.checked_pow(drop) else { return Decimal::new(0, 0) };
        let (quotient, rest) = (self.mantissa / pow, self.mantissa % pow);
        let up = rest.unsigned_abs() >= pow.unsigned_abs() - rest.unsigned_abs();
        Decimal::new(if up { quotient + self.mantissa.signum() } else { quotient }, step)
    }

    /// Without its decimals.
    #[must_use]
    pub fn rounded_down(self) -> Self {
        match u32::try_from(self.exponent.saturating_neg()) {
            Ok(places) if places > 0 => match 10i128.checked_pow(places) {
                Some(pow) => Decimal::new(self.mantissa.div_euclid(pow), 0),
                None => Decimal::new(0, 0),
            },
            _ => self,
        }
    }

    /// The quotient: exact where it ends within 18 digits, else rounded to 15 significant ones. Nothing for a divisor of 0.
    pub fn ratio(over: Decimal, under: Decimal) -> Option<Self> {
        if under.mantissa == 0 {
            return None;
        }
        // A long divisor leaves few digits for the quotient: where it does not go in, its first ones are enough.
        let under = if over.mantissa % under.mantissa == 0 { under } else { under.to_significant(20)? };
        let exponent = over.exponent.checked_sub(under.exponent)?;
        let mut shift = 0;
        let mut mantissa = over.mantissa;
        let few = |mantissa: i128| (mantissa / under.mantissa).unsigned_abs() < 10u128.pow(15);
        while mantissa % under.mantissa != 0 && (shift < 18 || few(mantissa)) {
            match mantissa.checked_mul(10) {
                Some(m) => (mantissa, shift) = (m, shift + 1),
                None => break,
            }
        }
        let quotient = Decimal::new(mantissa.checked_div(under.mantissa)?, exponent.checked_sub(shift)?);
        if mantissa % under.mantissa == 0 {
            return Some(quotient);
        }
        quotient.to_significant(15)
    }

    /// The value to a whole power, within 400 either way: exact where 38 digits hold it, else rounded to 15 significant
    /// ones. Nothing for 0 to a negative power, and beyond 400.
    pub fn power(self, exponent: i32) -> Option<Self> {
        let times = exponent.unsigned_abs();
        if times > 400 {
            return None;
        }
        let one = Decimal::from(1);
        let exact = (0..times).try_fold(one, |product, _| product.checked_mul(self));
        let power = match exact {
            Some(value) => value,
            None => {
                let near = (0..times)
                    .try_fold(one, |product, _| product.to_significant(18)?.checked_mul(self.to_significant(18)?));
                near?.to_significant(15)?
            }
        };
        if exponent < 0 { Decimal::ratio(one, power) } else { Some(power) }
    }

    /// Rounded to so many significant digits.
    fn to_significant(self, most: i32) -> Option<Self> {
        let digits = i32::try_from(self.mantissa.unsigned_abs().to_string().len()).ok()?;
        if digits <= most { Some(self) } else { Some(self.rounded(self.exponent.checked_add(digits - most)?)) }
    }

    /// The power of ten of its last digit, 0 for whole numbers.
    pub fn step(self) -> i32 {
        self.exponent.min(0)
    }

    /// As it is printed, within some bytes; nothing for what has a sign or many digits.
    pub(crate) fn short(self, bytes: &mut [u8; SHORT]) -> Option<&[u8]> {
        let mut rest = u64::try_from(self.mantissa).ok()?;
        let places = usize::try_from(self.exponent.min(0).unsigned_abs()).ok()?;
        let zeros = usize::try_from(self.exponent.max(0)).ok()?;
        let mut at = SHORT;
        let mut put = |byte| {
            at = at.checked_sub(1)?;
            *bytes.get_mut(at)? = byte;
            Some(())
        };
        for _ in 0..zeros {
            put(b'0')?;
        }
        let mut written = 0;
        while rest > 0 || written <= places {
            if written == places && places > 0 {
                put(b'.')?;
            }
            put(b'0' + u8::try_from(rest % 10).ok()?)?;
            (rest, written) = (rest / 10, written + 1);
        }
        bytes.get(at..)
    }

    /// As a machine integer, where it is one.
    pub fn to_i64(self) -> Option<i64> {
        let by = u32::try_from(self.exponent).ok()?;
        i64::try_from(10i128.checked_pow(by)?.checked_mul(self.mantissa)?).ok()
    }

    /// True for whole numbers.
    pub fn is_whole(self) -> bool {
        self.exponent >= 0
    }

    /// How many digits count when the last written digit stands for `10^step` (2 for `70`, 1 for `0.07`).
    pub fn significant(self, step: i32) -> i64 {
        if self.mantissa == 0 {
            return 0;
        }
        let digits = self.mantissa.unsigned_abs().checked_ilog10().map_or(0, |l| i64::from(l) + 1);
        digits + i64::from(self.exponent) - i64::from(step)
    }

    /// Ten to a power.
    pub fn power_of_ten(exponent: i32) -> Self {
        Decimal { mantissa: 1, exponent }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Decimal {
    fn cmp(&self, other: &Self) -> Ordering {
        if self.exponent == other.exponent {
            return self.mantissa.cmp(&other.mantissa);
        }
        let e = self.exponent.min(other.exponent);
        match (self.at(e), other.at(e)) {
            (Some(a), Some(b)) => a.cmp(&b),
            // One of them has more digits than fit: the sign and then the order of magnitude decide.
            _ => {
                let size = |d: &Decimal| i64::from(d.exponent) + d.mantissa.unsigned_abs().to_string().len() as i64;
                self.mantissa.signum().cmp(&other.mantissa.signum()).then_with(|| {
                    let by_size = size(self).cmp(&size(other));
                    if self.mantissa < 0 { by_size.reverse() } else { by_size }
                })
            }
        }
    }
}

impl From<i64> for Decimal {
    fn from(n: i64) -> Self {
        Decimal::new(i128::from(n), 0)
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.mantissa.unsigned_abs().to_string();
        if self.mantissa < 0 {
            f.write_str("-")?;
        }
        match usize::try_from(self.exponent) {
            Ok(zeros) if zeros <= 60 => write!(f, "{digits}{}", "0".repeat(zeros)),
            Ok(_) => write!(f, "{digits}e{}", self.exponent),
            Err(_) => {
                let places = self.exponent.unsigned_abs() as usize;
                if places > 60 {
                    return write!(f, "{digits}e{}", self.exponent);
                }
                let padded = format!("{digits:0>width$}", width = places + 1);
                let (whole, frac) = padded.split_at(padded.len() - places);
                write!(f, "{whole}.{frac}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_equal_and_print_plainly() {
        for (a, b, shown) in [
            ("1.50", "1.5", "1.5"),
            ("1500", "1.5e3", "1500"),
            ("0.0", "0", "0"),
            ("0.007", "7e-3", "0.007"),
            ("43.5", "435e-1", "43.5"),
            ("9000000000000000000000", "9e21", "9000000000000000000000"),
            ("0.0000000000000000000012", "12e-22", "0.0000000000000000000012"),
            ("-0.25", "-25e-2", "-0.25"),
            ("100000000000000000000", "1e20", "100000000000000000000"),
        ] {
            assert_eq!(Decimal::parse(a), Decimal::parse(b));
            assert_eq!(Decimal::parse(a).unwrap().to_string(), shown);
            let (mut bytes, short) = ([0; SHORT], shown.as_bytes());
            assert!(Decimal::parse(a).unwrap().short(&mut bytes).is_none_or(|b| b == short), "{a}");
        }
        for bad in ["", "1.", ".5", "1.2.3", "a", "1e", "--1", "99999999999999999999999999999999999999999"] {
            assert_eq!(Decimal::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn order_is_by_value() {
        let d = |s| Decimal::parse(s).unwrap();
        assert!(d("1.5") < d("1.51") && d("-2") < d("-1") && d("1e30") < d("1e31") && d("-1e60") < d("1e-60"));
        assert_eq!(d("0.1").checked_add(d("0.2")), Some(d("0.3")));
        assert_eq!(d("1.5").checked_mul(d("1e6")), Some(d("1500000")));
    }

    #[test]
    fn rounding_is_away_from_zero_at_halves() {
        let d = |s| Decimal::parse(s).unwrap();
        for (value, step, right) in [
            ("66.67", -1, "66.7"),
            ("66.65", -1, "66.7"),
            ("66.64", -1, "66.6"),
            ("-2.5", 0, "-3"),
            ("4980000", 6, "5e6"),
        ] {
            assert_eq!(d(value).rounded(step), d(right), "{value}");
        }
        assert_eq!(Decimal::ratio(d("1"), d("8")), Some(d("0.125")));
        assert_eq!(Decimal::ratio(d("2"), d("3")), Some(d("0.666666666666667")));
        assert_eq!(Decimal::ratio(d("1"), d("7000")), Some(d("0.000142857142857143")));
        assert_eq!(Decimal::ratio(d("1"), d("8.95430243255237372246531")), Some(d("0.111678157794248")));
        assert_eq!(Decimal::ratio(d("-450000"), d("0.5")), Some(d("-900000")));
        assert_eq!((Decimal::ratio(d("1"), d("0")), d("1e3").to_i64(), d("0.5").to_i64()), (None, Some(1000), None));
        assert_eq!((d("70").significant(0), d("0.07").significant(-2), d("5e6").significant(6)), (2, 1, 1));
        assert_eq!(d("7").distance(d("9.5")), Some(d("2.5")));
        for (base, exponent, right) in [
            ("2", 3, "8"),
            ("2.5", -1, "0.4"),
            ("10", -4, "0.0001"),
            ("-2", 3, "-8"),
            ("7", 0, "1"),
            ("1.1", 23, "8.95430243255237372246531"),
            ("3", 100, "5.15377520732011e47"),
        ] {
            assert_eq!(d(base).power(exponent), Some(d(right)), "{base}^{exponent}");
        }
        assert_eq!((d("0").power(-1), d("2").power(401)), (None, None));
    }
}
