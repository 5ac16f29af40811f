//! Times, sizes and rates as people write them.

use super::quoted;
use crate::suite::config::live::{EnvText, Rate};
use crate::suite::node::reader::shown;
use crate::suite::node::{Node, Reader, Style, Value};
use std::time::Duration;

/// A text in which `${NAME}` may stand.
pub(super) fn env_text(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Option<EnvText> {
    let raw = quoted(reader, node, what)?;
    if let Err(why) = names(&raw) {
        reader.push(reader.error("env-form", node.span, format!("{what}: {why}")).help("write ${NAME}"));
    }
    Some(EnvText { raw, place: reader.place(node.span) })
}

/// The names of `${NAME}` in a text.
///
/// # Errors
/// Where a `${` is not followed by a name and `}`.
pub(crate) fn names(text: &str) -> Result<Vec<&str>, String> {
    let mut names = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("${") {
        let Some((name, tail)) = after.split_once('}') else {
            return Err("`${` is not closed by `}`".to_owned());
        };
        let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !first || !name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
            return Err(format!("`{name}` is no name of an environment variable"));
        }
        names.push(name);
        rest = tail;
    }
    Ok(names)
}

/// A time: a number with `ms`, `s`, `m` or `h`. More than nothing, at most a day.
pub(super) fn duration(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Option<Duration> {
    let text = scalar(node);
    let found = text.and_then(|text| {
        let (number, unit) = split_unit(text)?;
        let seconds = match unit {
            "ms" => 0.001,
            "s" => 1.0,
            "m" | "min" => 60.0,
            "h" => 3600.0,
            _ => return None,
        };
        let time = Duration::try_from_secs_f64(number * seconds).ok()?;
        (!time.is_zero() && time <= Duration::from_secs(86_400)).then_some(time)
    });
    if found.is_none() {
        let written = shown(text.unwrap_or(node.kind()));
        let number = text.and_then(split_unit);
        let title = match number {
            Some((_, "")) => format!("{what} is `{written}`: {written} what?"),
            Some((n, "ms" | "s" | "m" | "min" | "h")) if n > 0.0 => {
                format!("{what} is `{written}`, expected at most a day")
            }
            Some((_, "ms" | "s" | "m" | "min" | "h")) => format!("{what} is `{written}`, expected more than nothing"),
            Some(_) | None => format!("{what} is `{written}`, expected a time"),
        };
        reader.push(reader.error("expected-time", node.span, title).help("write \"30s\", \"500ms\", \"5m\" or \"1h\""));
    }
    found
}

/// A size: bytes, or a number with `KiB`, `MiB`, `GiB` (or `KB`, `MB`, `GB`).
pub(super) fn size(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Option<usize> {
    let text = scalar(node);
    let found = text.and_then(|text| {
        let (number, unit) = split_unit(text)?;
        let factor: u32 = match unit {
            "" | "B" => 1,
            "KiB" | "kib" => 1 << 10,
            "MiB" | "mib" => 1 << 20,
            "GiB" | "gib" => 1 << 30,
            "KB" | "kB" => 1_000,
            "MB" => 1_000_000,
            "GB" => 1_000_000_000,
            _ => return None,
        };
        let bytes = number * f64::from(factor);
        // Exact below 2^53, and no limit is above 16 GiB.
        (1.0..=f64::from(1 << 30) * 16.0).contains(&bytes).then_some(bytes as usize)
    });
    if found.is_none() {
        let title =
            format!("{what} is `{}`, expected a size from 1 byte to 16 GiB", shown(text.unwrap_or(node.kind())));
        reader.push(reader.error("expected-size", node.span, title).help("write \"8MiB\" or a number of bytes"));
    }
    found
}

/// A rate: a count and a time, `10/s`, `600/min`, `5000/h`.
pub(super) fn rate(reader: &Reader<'_>, node: &Node<'_>) -> Option<Rate> {
    let text = scalar(node);
    let found = text.and_then(|t| t.split_once('/')).and_then(|(count, per)| {
        let per = match per.trim() {
            "s" => 1,
            "m" | "min" => 60,
            "h" => 3600,
            _ => return None,
        };
        let count = count.trim().parse().ok().filter(|n: &u32| *n >= 1)?;
        Some(Rate { count, per: Duration::from_secs(per) })
    });
    if found.is_none() {
        let written = shown(text.unwrap_or(node.kind()));
        let title = match text.map(str::parse::<u32>) {
            Some(Ok(_)) => format!("`rate` is `{written}`: {written} per what?"),
            Some(Err(_)) | None => format!("`rate` is `{written}`, expected a count and a time"),
        };
        let help = "write \"10/s\", \"600/min\" or \"5000/h\"; how many at once is `concurrency`";
        reader.push(reader.error("expected-rate", node.span, title).help(help));
    }
    found
}

fn scalar<'n>(node: &'n Node<'_>) -> Option<&'n str> {
    match &node.value {
        Value::Scalar(text, Style::Plain | Style::Quoted | Style::Block) => Some(text.as_ref()),
        Value::List(_) | Value::Map(_) => None,
    }
}

fn split_unit(text: &str) -> Option<(f64, &str)> {
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(at)?;
    Some((number.parse().ok().filter(|n: &f64| n.is_finite())?, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::names;

    #[test]
    fn names_of_the_environment() {
        assert_eq!(names("Bearer ${A_1} and ${_b}, not $C nor {D}").unwrap(), ["A_1", "_b"]);
        assert!(names("${").is_err() && names("${}").is_err() && names("${1A}").is_err() && names("${a b}").is_err());
    }
}
