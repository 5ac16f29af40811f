//! What messages about targets are made of: times, sizes, quotations without secrets.

use crate::secret::Secrets;
use crate::text::norm::visible;
use std::time::Duration;

/// The longest quotation, in characters.
const LONGEST: usize = 200;

/// A time as people write it: `30 s`, `1.5 s`, `500 ms`.
pub(crate) fn time(time: Duration) -> String {
    let ms = time.as_millis();
    match ms {
        0..1000 => format!("{ms} ms"),
        _ if ms.is_multiple_of(1000) => format!("{} s", ms / 1000),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}

/// A size as people write it: `8 MiB`, `1.5 KiB`, `100 bytes`.
pub(crate) fn size(bytes: usize) -> String {
    let units = [(1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB")];
    for (unit, name) in units {
        if bytes >= unit {
            let whole = bytes.is_multiple_of(unit);
            return if whole {
                format!("{} {name}", bytes / unit)
            } else {
                // A size in a message needs no more digits than this.
                format!("{:.1} {name}", bytes as f64 / unit as f64)
            };
        }
    }
    format!("{bytes} bytes")
}

/// The beginning of a text in one line, with what cannot be seen made visible.
pub(crate) fn quote(bytes: &[u8], secrets: &Secrets) -> String {
    // A good deal more than is shown: a secret must not be cut before it is found.
    let text = String::from_utf8_lossy(bytes.get(..16 * LONGEST).unwrap_or(bytes)).into_owned();
    let text = visible(secrets.hide(text.trim()).lines().next().unwrap_or_default());
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}

/// The last line of a text that is not blank, from behind where it is long. Empty where there is none.
pub(crate) fn last_line(text: &str, secrets: &Secrets) -> String {
    let hidden = secrets.hide(text);
    let line = visible(hidden.lines().map(str::trim).rfind(|l| !l.is_empty()).unwrap_or_default());
    match line.char_indices().rev().nth(LONGEST) {
        // What is kept of a program's words may begin in the middle of a secret; the end of a long line does not.
        Some((at, c)) => format!("…{}", line.get(at + c.len_utf8()..).unwrap_or_default()),
        None => line,
    }
}

/// `what: why`, or `what` alone where there is no why.
pub(crate) fn because(what: &str, why: &str) -> String {
    if why.is_empty() { what.to_owned() } else { format!("{what}: {why}") }
}

#[cfg(test)]
mod tests {
    use super::{last_line, quote, size, time};
    use crate::secret::{Secret, Secrets};
    use std::time::Duration;

    #[test]
    fn times_and_sizes() {
        let ms = Duration::from_millis;
        assert_eq!([time(ms(30_000)), time(ms(1500)), time(ms(500))], ["30 s", "1.5 s", "500 ms"]);
        assert_eq!([size(8 << 20), size(1536), size(100)], ["8 MiB", "1.5 KiB", "100 bytes"]);
    }

    #[test]
    fn quotations_hide_secrets_before_they_are_cut() {
        let secrets = Secrets::new([Secret::new("k".repeat(300))]);
        assert_eq!(quote("k".repeat(300).as_bytes(), &secrets), "***");
        assert_eq!(last_line(&format!("{}\n\n", "k".repeat(300)), &secrets), "***");
        assert_eq!(last_line("one\ntwo\u{1b}[0m\n \n", &secrets), "two\\u{1b}[0m");
        assert_eq!(last_line(&"ab".repeat(200), &secrets), format!("…{}", "ab".repeat(100)));
    }
}
