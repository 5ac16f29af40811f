//! `${NAME}` in settings that are no templates, and which of the values are secret.

use super::Environment;
use crate::problem::Problem;
use crate::secret::Secret;
use crate::suite::config::live::EnvText;

/// The text with its variables filled in.
///
/// # Errors
/// A variable that is not there or empty (`env-missing`).
pub(crate) fn fill(text: &EnvText, environment: &Environment) -> Result<String, Problem> {
    let mut filled = String::new();
    let mut rest = text.raw.as_str();
    while let Some((before, name, after)) = next(rest) {
        let Some(value) = environment.get(name) else {
            let what = format!("the environment variable `{name}` is not set");
            return Err(Problem::error("env-missing", text.place.clone(), what).help(format!("export {name}=…")));
        };
        filled.push_str(before);
        filled.push_str(value);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// The values that must not be shown. A port is none: a few digits would be taken out of every number.
pub(crate) fn secrets<'t>(texts: impl IntoIterator<Item = &'t EnvText>, environment: &Environment) -> Vec<Secret> {
    let mut found = Vec::new();
    for text in texts {
        let mut rest = text.raw.as_str();
        while let Some((_, name, after)) = next(rest) {
            let is_secret = |v: &&str| v.len() > 5 || !v.bytes().all(|b| b.is_ascii_digit());
            found.extend(environment.get(name).filter(is_secret).map(Secret::new));
            rest = after;
        }
    }
    found
}

/// What stands before the first `${NAME}`, the name, and what follows. The form was checked when the settings were read.
fn next(text: &str) -> Option<(&str, &str, &str)> {
    let (before, rest) = text.split_once("${")?;
    let (name, after) = rest.split_once('}')?;
    Some((before, name, after))
}

#[cfg(test)]
mod tests {
    use super::{fill, secrets};
    use crate::problem::Place;
    use crate::suite::config::live::EnvText;
    use crate::target::Environment;

    #[test]
    fn variables_are_filled_in_and_ports_are_no_secrets() {
        let pair = |(n, v): (&str, &str)| (n.to_owned(), v.to_owned());
        let environment: Environment = [("PORT", "8080"), ("KEY", "abc")].map(pair).into_iter().collect();
        let text = |raw: &str| EnvText { raw: raw.to_owned(), place: Place::default() };
        let all = text("http://h:${PORT}/?k=${KEY}&l=${KEY}");
        assert_eq!(fill(&all, &environment).unwrap(), "http://h:8080/?k=abc&l=abc");
        assert_eq!(secrets([&all], &environment).iter().map(|s| s.expose()).collect::<Vec<_>>(), ["abc", "abc"]);
        let missing = fill(&text("${NONE}"), &environment).unwrap_err();
        assert_eq!((missing.code, missing.title.contains("`NONE`")), ("env-missing", true));
    }
}
