//! The page of a finding code: the manual's pages, carried in the program, so that `ragline explain` works offline.

macro_rules! pages {
    ($($code:literal,)*) => {
        /// The page of a finding code, as Markdown; none for a code that is not known.
        pub fn page(code: &str) -> Option<&'static str> {
            match code {
                $($code => Some(include_str!(concat!("../../docs/findings/", $code, ".md"))),)*
                _ => None,
            }
        }

        /// The codes that have a page, in the order of the layers.
        pub const CODES: &[&str] = &[$($code,)*];
    };
}

pages! {
    "answer-missing",
    "answer-empty",
    "response-missing",
    "response-error",
    "response-timeout",
    "response-unreadable",
    "target-unreachable",
    "interrupted",
    "response-stale",
    "contexts-missing",
    "context-text-missing",
    "context-place-missing",
    "labels-do-not-fit",
    "nothing-asserted",
    "evidence-not-retrieved",
    "evidence-span-cut",
    "evidence-not-in-prompt",
    "evidence-stale",
    "duplicate-passage",
    "fact-missing",
    "fact-wrong-value",
    "fact-stale",
    "fact-negated",
    "fact-condition-missing",
    "fact-out-of-order",
    "forbidden-claim",
    "answer-failed",
    "false-refusal",
    "not-refused",
    "not-clarified",
    "partial-refusal",
    "refusal-flag-disagrees",
    "language-not-covered",
    "number-ungrounded",
    "number-unit-mismatch",
    "number-from-question",
    "number-other-reading",
    "number-derived",
    "number-unit-qualifier",
    "number-other-subject",
    "citation-missing",
    "citation-dangling",
    "citation-not-evidence",
    "citation-unsupported",
    "citation-superfluous",
    "citation-fields-disagree",
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layer::Code;

    #[test]
    fn each_code_has_its_page_and_each_page_its_code() {
        for code in Code::ALL {
            let page = page(code.as_str()).unwrap_or_else(|| panic!("docs/findings/{code}.md is not embedded"));
            assert!(page.starts_with(&format!("# {code}\n")), "{code}");
            assert!(page.contains("\n## Example\n") && page.contains("\n## What to try\n"), "{code}");
        }
        assert_eq!(CODES.len(), Code::ALL.len());
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/findings");
        let files = std::fs::read_dir(folder)
            .unwrap()
            .filter(|f| f.as_ref().is_ok_and(|f| f.path().extension().is_some_and(|e| e == "md")));
        assert_eq!(files.count(), CODES.len(), "a page for a code that is gone");
        assert_eq!(page("no-such-code"), None);
    }
}
