//! The manual's pages on the codes of problems, carried in the program: a section for each code, so that `ragline explain`
//! works offline.

/// The pages, in the order in which a newcomer meets them.
const PAGES: &[&str] = &[
    include_str!("../../docs/problems/files.md"),
    include_str!("../../docs/problems/suite.md"),
    include_str!("../../docs/problems/config.md"),
    include_str!("../../docs/problems/target.md"),
    include_str!("../../docs/problems/run.md"),
    include_str!("../../docs/problems/recording.md"),
    include_str!("../../docs/problems/baseline.md"),
    include_str!("../../docs/problems/thresholds.md"),
    include_str!("../../docs/problems/privacy.md"),
    include_str!("../../docs/problems/import.md"),
];

/// What stands in front of a code where its section begins.
const BEGIN: &str = "\n## `";

/// What the manual says of one code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The code, as messages print it.
    pub code: &'static str,
    /// The section without its heading, as Markdown, without blank lines at its ends.
    pub text: &'static str,
}

impl Section {
    /// The first sentence of it, on one line.
    pub fn first_sentence(&self) -> String {
        let paragraph = self.text.split("\n\n").next().unwrap_or_default();
        let line = paragraph.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.split_once(". ") {
            Some((first, _)) => format!("{first}."),
            None => line,
        }
    }
}

/// The sections of all codes, page by page.
pub fn sections() -> impl Iterator<Item = Section> {
    PAGES.iter().flat_map(|page| page.split(BEGIN).skip(1)).filter_map(|section| {
        let (code, text) = section.split_once('`')?;
        Some(Section { code, text: text.trim() })
    })
}

/// What the manual says of a code; none for a code that is not known.
pub fn section(code: &str) -> Option<Section> {
    sections().find(|s| s.code == code)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_found_by_its_code_and_ends_where_the_next_begins() {
        let found = section("no-access").unwrap();
        assert!(found.text.starts_with("The system answers 401 or 403"), "{}", found.text);
        assert!(!found.text.contains("## "), "{}", found.text);
        assert_eq!(section("no-such-code"), None);
        assert_eq!(section(""), None);
    }

    #[test]
    fn the_first_sentence_is_one_line_that_ends_with_its_full_stop() {
        let of = |text: &'static str| Section { code: "c", text }.first_sentence();
        assert_eq!(of("A file\nof `a.md` is gone. Look\nfor it.\n\nMore."), "A file of `a.md` is gone.");
        assert_eq!(of("All on one line."), "All on one line.");
        assert_eq!(of("Two lines,\none sentence.\n\n```yaml\na. b\n```"), "Two lines, one sentence.");
    }
}
