//! How long a server asks to be left alone (RFC 9110, section 10.2.3), in the forms that servers really send.

use jiff::civil::DateTime;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;
use jiff::{RoundMode, Timestamp, TimestampRound, Unit};
use std::time::Duration;

/// The wait that a `Retry-After` asks for, in whole seconds, rounded up.
///
/// A date counts from the server's own `Date` where there is one: its clock may be hours away from ours, which `now` gives.
/// None where it asks for nothing that can be kept: nothing, 0, less than 0, a time that is over, no time at all. Then the
/// usual growing wait is right.
pub fn retry_after(value: &str, date: Option<&str>, now: Timestamp) -> Option<Duration> {
    let value = value.trim();
    let seconds = match seconds(value) {
        Some(seconds) => seconds,
        None => {
            let from = date.and_then(|d| http_date(d.trim())).unwrap_or(now);
            // A date has whole seconds; ours has not.
            let from = from.round(TimestampRound::new().smallest(Unit::Second).mode(RoundMode::Floor)).unwrap_or(from);
            let ahead = http_date(value)?.as_second().checked_sub(from.as_second())?;
            u64::try_from(ahead).ok()?
        }
    };
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// Digits, with or without a fraction. More of them than a number holds are a very long time.
fn seconds(value: &str) -> Option<u64> {
    let (whole, fraction) = value.split_once('.').unwrap_or((value, "0"));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let more = u64::from(fraction.bytes().any(|b| b != b'0'));
    Some(whole.parse::<u64>().unwrap_or(u64::MAX).saturating_add(more))
}

/// A date in one of the three forms of RFC 9110, section 5.6.7. The day of the week is not looked at: some servers send a
/// wrong one.
fn http_date(text: &str) -> Option<Timestamp> {
    let civil = match text.split_once(',') {
        Some((_, rest)) => {
            let rest = rest.trim().strip_suffix("GMT").or_else(|| rest.trim().strip_suffix("UTC"))?.trim();
            parse("%d %b %Y %H:%M:%S", rest).or_else(|| parse("%d-%b-%y %H:%M:%S", rest))?
        }
        None => {
            let (_, rest) = text.split_once(' ')?;
            // `Nov  6` and `Nov 16`.
            let words: Vec<&str> = rest.split_whitespace().collect();
            parse("%b %d %H:%M:%S %Y", &words.join(" "))?
        }
    };
    TimeZone::UTC.to_timestamp(civil).ok()
}

fn parse(form: &str, text: &str) -> Option<DateTime> {
    BrokenDownTime::parse(form, text).ok()?.to_datetime().ok()
}

#[cfg(test)]
mod tests {
    use super::{http_date, retry_after};
    use jiff::Timestamp;
    use std::time::Duration;

    /// Our clock: an hour behind the server's.
    const NOW: &str = "2026-11-30T08:00:00.4Z";
    const SERVER: &str = "Mon, 30 Nov 2026 09:00:00 GMT";

    fn wait(value: &str, date: Option<&str>) -> Option<u64> {
        retry_after(value, date, NOW.parse().unwrap()).map(|d| {
            assert_eq!(d, Duration::from_secs(d.as_secs()));
            d.as_secs()
        })
    }

    #[test]
    fn numbers() {
        for (value, right) in [
            ("2", Some(2)),
            (" 2 ", Some(2)),
            ("0", None),
            ("000", None),
            ("1.5", Some(2)),
            ("1.0", Some(1)),
            ("0.0", None),
            ("0.001", Some(1)),
            ("120", Some(120)),
            ("2026", Some(2026)),
            ("86400", Some(86_400)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("-1", None),
            ("-1.5", None),
            ("+3", None),
            ("1e3", None),
            (".5", None),
            ("5.", None),
            ("", None),
            ("soon", None),
            ("2 s", None),
            ("٢", None),
        ] {
            assert_eq!(wait(value, Some(SERVER)), right, "{value:?}");
        }
    }

    #[test]
    fn dates_count_from_the_servers_clock() {
        for value in ["Mon, 30 Nov 2026 09:00:02 GMT", "Monday, 30-Nov-26 09:00:02 GMT", "Mon Nov 30 09:00:02 2026"] {
            assert_eq!(wait(value, Some(SERVER)), Some(2), "{value}");
            // Without its clock ours must do.
            assert_eq!(wait(value, None), Some(3602), "{value}");
            assert_eq!(wait(value, Some("nonsense")), Some(3602), "{value}");
        }
        assert_eq!(wait("Sun Nov 29 09:00:00 2026", Some(SERVER)), None);
        assert_eq!(wait("Mon, 30 Nov 2026 09:00:00 GMT", Some(SERVER)), None, "now is no wait");
        assert_eq!(wait("Sun, 06 Nov 1994 08:49:37 GMT", Some(SERVER)), None);
        assert_eq!(wait("Mon, 30 Nov 2026 09:00:02 +0700", Some(SERVER)), None, "no HTTP date");
        assert_eq!(wait("Mon, 31 Feb 2027 09:00:02 GMT", Some(SERVER)), None, "no day");
    }

    #[test]
    fn the_examples_of_rfc_9110() {
        let right: Timestamp = "1994-11-06T08:49:37Z".parse().unwrap();
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            assert_eq!(http_date(text), Some(right), "{text}");
        }
    }
}
