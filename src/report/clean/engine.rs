//! What CI engines read as commands in the lines that a step prints, and the texts of GitHub's own commands.
//!
//! GitHub's runner takes a line whose first letters are `::name …::`, and `##[name]` wherever it stands (actions/runner,
//! `src/Runner.Common/ActionCommand.cs`); Azure's agent takes `##vso[…]` and `##[…]`, TeamCity `##teamcity[…]`. An answer
//! that holds such a thing must stay text.

use super::xml;
use std::borrow::Cow;

/// What is put between two letters that would begin a command together: nothing that can be seen.
const BREAK: char = '\u{200b}';

/// A text in which no engine finds a command of its own.
pub(super) fn inert(text: Cow<'_, str>) -> Cow<'_, str> {
    if !text.contains("##") && !text.contains("::") {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    let mut chars = text.chars().peekable();
    let (mut before_last, mut last) = (' ', ' ');
    while let Some(c) = chars.next() {
        let next = chars.peek().copied().unwrap_or(' ');
        // `## Heading` is Markdown, and `suite::id` a name: no engine reads those.
        let hash = c == '#' && last == '#';
        let colon = c == ':' && last == ':' && !before_last.is_alphanumeric();
        if (hash && (next == '[' || next.is_alphabetic())) || (colon && next.is_alphabetic()) {
            out.push(BREAK);
        }
        out.push(c);
        (before_last, last) = (last, c);
    }
    Cow::Owned(out)
}

/// A page of lines that an engine reads, without a command in it. Its pieces may be clean and begin one together.
pub fn log(page: &str) -> Cow<'_, str> {
    inert(Cow::Borrowed(page))
}

/// A text as the message of a workflow command: lines stay lines, as `%0A`.
pub fn workflow(text: &str) -> String {
    escaped(text, &[])
}

/// A text as the value of a property of a workflow command (`title=`, `file=`).
pub fn workflow_property(text: &str) -> String {
    escaped(text, &[':', ','])
}

fn escaped(text: &str, more: &[char]) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in xml(text).chars() {
        match c {
            '%' => out.push_str("%25"),
            '\n' => out.push_str("%0A"),
            '\r' => out.push_str("%0D"),
            ':' if more.contains(&c) => out.push_str("%3A"),
            ',' if more.contains(&c) => out.push_str("%2C"),
            _ => out.push(c),
        }
    }
    out
}

/// A text as a message of SARIF (2.1.0, 3.11): a plain text there may hold links (`[text](place)`) and placeholders
/// (`{0}`); neither is left.
pub fn sarif(text: &str) -> String {
    let clean = xml(text);
    let mut out = String::with_capacity(clean.len() + 8);
    let mut last = ' ';
    for c in clean.chars() {
        if (last == ']' && c == '(') || (last == '{' && c.is_ascii_digit()) {
            out.push(BREAK);
        }
        out.push(c);
        last = c;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::clean::{terminal, tests::hostile};
    use proptest::prelude::*;

    /// Name, properties and text.
    type Command = (String, Vec<(String, String)>, String);

    /// How the runner reads a line, by its source: none for a line that is no command.
    fn read(line: &str) -> Option<Command> {
        let line = line.trim_start();
        let (info, data) = line.strip_prefix("::")?.split_once("::")?;
        let (name, properties) = info.split_once(' ').unwrap_or((info, ""));
        let plain = |t: &str, of: &[(&str, &str)]| of.iter().fold(t.to_owned(), |t, (from, to)| t.replace(from, to));
        let data = plain(data, &[("%0D", "\r"), ("%0A", "\n"), ("%25", "%")]);
        let of = [("%0D", "\r"), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")];
        let properties = properties.split(',').filter_map(|p| p.split_once('='));
        let properties = properties.map(|(k, v)| (k.to_owned(), plain(v, &of))).collect();
        Some((name.to_owned(), properties, data))
    }

    proptest! {
        #[test]
        fn a_command_is_read_back_as_it_was_meant(title in hostile(), message in hostile(), file in hostile()) {
            let line = format!(
                "::error file={},title={},line=3::{}",
                workflow_property(&file), workflow_property(&title), workflow(&message)
            );
            prop_assert_eq!(line.lines().count(), 1, "{}", line);
            let (name, properties, data) = read(&line).unwrap();
            prop_assert_eq!(name, "error");
            prop_assert_eq!(data, xml(&message).into_owned());
            let get = |k: &str| properties.iter().find(|(n, _)| n == k).map(|(_, v)| v.clone()).unwrap_or_default();
            prop_assert_eq!(properties.len(), 3, "{}", line);
            prop_assert_eq!(get("title"), xml(&title).into_owned());
            prop_assert_eq!(get("file"), xml(&file).into_owned());
            prop_assert_eq!(get("line"), "3");
        }

        #[test]
        fn nothing_on_a_line_of_a_terminal_is_a_command(front in hostile(), text in hostile(), n in 0_usize..4) {
            let command = ["::error::x", "::set-env name=A::b", "##[error]x", "##vso[task.setvariable variable=a]b"];
            let text = format!("{front} {}{text}", command[n]);
            let shown = terminal(&text);
            // The runner knows its commands by name; `:: x::` has none.
            let named = read(&shown).is_some_and(|(name, ..)| name.starts_with(char::is_alphabetic));
            prop_assert!(!named, "{}", shown);
            for start in ["##[", "##vso[", "##teamcity["] {
                prop_assert!(!shown.contains(start), "{}", shown);
            }
        }

        #[test]
        fn a_message_of_sarif_has_no_link_and_no_placeholder(text in hostile()) {
            let text = format!("{text}[a](http://x){{0}}");
            let shown = sarif(&text);
            prop_assert!(!shown.contains("](") && !shown.contains("{0"), "{}", shown);
            prop_assert_eq!(shown.replace(BREAK, ""), xml(&text).replace(BREAK, ""));
        }
    }

    #[test]
    fn what_is_no_command_stays_as_it_is() {
        for text in ["## Heading", "shop-vi::q14", "a::b::c", "std::fs", "# 1", "12::30", "##", "::"] {
            assert_eq!(terminal(text), text);
        }
        assert_eq!(terminal("::error::x"), ":\u{200b}:error::x");
        assert_eq!(terminal("see ##[error]x"), "see #\u{200b}#[error]x");
        assert_eq!(workflow("50 %: a,b\nc"), "50 %25: a,b%0Ac");
        assert_eq!(workflow_property("50 %: a,b\nc"), "50 %25%3A a%2Cb%0Ac");
    }
}
