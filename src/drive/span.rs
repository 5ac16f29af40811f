//! Lengths of time in words.

use std::time::Duration;

/// A length of time as messages say it: `250 ms`, `1.5 s`, `90 s`, `30 min`. Minutes only where they are whole and ten or
/// more, since settings and servers speak of seconds.
pub fn said(d: Duration) -> String {
    let ms = d.as_millis();
    if ms < 1000 {
        return format!("{ms} ms");
    }
    // To the tenth: what is measured is never exactly what was set.
    let tenths = (ms + 50) / 100;
    let (s, tenth) = (tenths / 10, tenths % 10);
    match (s, tenth) {
        (s, 0) if s % 60 == 0 && (600..=36_000).contains(&s) => format!("{} min", s / 60),
        (s, 0) => format!("{s} s"),
        (s, tenth) => format!("{s}.{tenth} s"),
    }
}

/// The same for what is left, to the whole second where it is more than one.
pub(super) fn left(d: Duration) -> String {
    if d < Duration::from_secs(1) { said(d) } else { said(Duration::from_secs((d.as_millis() as u64 + 500) / 1000)) }
}

#[cfg(test)]
mod tests {
    use super::{left, said};
    use std::time::Duration;

    #[test]
    fn lengths_read_as_a_person_would_say_them() {
        let ms = Duration::from_millis;
        for (d, words) in [
            (ms(0), "0 ms"),
            (ms(250), "250 ms"),
            (ms(1000), "1 s"),
            (ms(1500), "1.5 s"),
            (ms(2999), "3 s"),
            (ms(90_000), "90 s"),
            (ms(600_000), "10 min"),
            (ms(1_800_000), "30 min"),
            (ms(86_400_000), "86400 s"),
        ] {
            assert_eq!(said(d), words);
        }
        assert_eq!(left(ms(29_990)), "30 s");
        assert_eq!(left(ms(990)), "990 ms");
    }
}
