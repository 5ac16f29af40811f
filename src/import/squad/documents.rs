//! Articles as Markdown documents.

use std::collections::HashSet;
use unicode_normalization::UnicodeNormalization;

/// One article, as it stands in the corpus.
#[derive(Debug)]
pub(super) struct Article {
    /// The document's id: its file name.
    pub(super) doc: String,
    /// The heading of the document.
    pub(super) title: String,
    /// The heading of each paragraph.
    pub(super) headings: Vec<String>,
    /// The document.
    pub(super) markdown: String,
}

/// Turns titles and paragraphs into documents; also says how many articles had no title.
pub(super) fn articles(raw: &[(Option<&str>, Vec<String>)]) -> (Vec<Article>, usize) {
    let mut taken = HashSet::new();
    let mut untitled = 0;
    let articles = raw.iter().enumerate().map(|(index, (title, paragraphs))| {
        let number = index + 1;
        let title = title.map(heading_text).filter(|t| t.chars().any(char::is_alphanumeric)).unwrap_or_else(|| {
            untitled += 1;
            format!("Article {number}")
        });
        let stem = file_stem(&title);
        let stem = if stem.is_empty() { format!("article-{number}") } else { stem };
        // Some file systems do not tell upper from lower case.
        let numbered = (2_usize..).map(|n| format!("{stem}-{n}"));
        let free = [stem.clone()].into_iter().chain(numbered).find(|name| taken.insert(name.to_lowercase()));
        let doc = format!("{}.md", free.unwrap_or(stem));
        let headings: Vec<String> = (1..=paragraphs.len()).map(|n| format!("Paragraph {n}")).collect();
        let mut markdown = format!("# {title}\n");
        for (heading, paragraph) in headings.iter().zip(paragraphs) {
            markdown += &format!("\n## {heading}\n\n{}\n", plain(paragraph));
        }
        Article { doc, title, headings, markdown }
    });
    (articles.collect(), untitled)
}

/// A title as one line that Markdown reads back unchanged.
fn heading_text(title: &str) -> String {
    let words: Vec<&str> = title.split(|c: char| c.is_whitespace() || c == '\0').filter(|w| !w.is_empty()).collect();
    let mut line = words.join(" ");
    while line.ends_with('#') && line.trim_end_matches('#').ends_with([' ']) {
        line = line.trim_end_matches('#').trim_end().to_owned();
    }
    line
}

/// A file name without its ending: letters and digits of any script, `.`, `_` and `-`; at most 60 characters.
fn file_stem(title: &str) -> String {
    let mut stem = String::new();
    for c in title.nfc() {
        let inner = matches!(c, '.' | '_' | '-') || unicode_normalization::char::is_combining_mark(c);
        if c.is_alphanumeric() || (inner && !stem.is_empty()) {
            stem.push(c);
        } else if !(stem.is_empty() || stem.ends_with('-')) {
            stem.push('-');
        }
    }
    let cut: String = stem.chars().take(60).collect();
    cut.trim_end_matches(['-', '.']).to_owned()
}

/// A paragraph whose lines Markdown does not take for headings or code: such lines are indented. NUL, which no text file
/// may hold, becomes a blank.
fn plain(paragraph: &str) -> String {
    let text = paragraph.replace("\r\n", "\n").replace(['\r'], "\n").replace('\0', " ");
    let line = |line: &str| {
        let rest = line.trim_start_matches(' ');
        let rule = !rest.trim_end().is_empty() && rest.trim_end().chars().all(|c| matches!(c, '=' | '-'));
        let structural = rest.starts_with(['#']) || rest.starts_with("```") || rest.starts_with("~~~") || rule;
        if structural { format!("    {rest}") } else { line.to_owned() }
    };
    let lines: Vec<String> = text.split('\n').map(line).collect();
    lines.join("\n")
}

impl Article {
    /// True when the document reads back as one section per paragraph.
    #[cfg(test)]
    fn reads_back(&self) -> bool {
        let document = crate::suite::corpus::Document::new(self.markdown.clone(), true);
        let paths = document.sections.iter().map(|s| s.path.clone());
        let first = vec![self.title.clone()];
        let others = self.headings.iter().map(|h| vec![self.title.clone(), h.clone()]);
        paths.eq([first].into_iter().chain(others))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn documents_have_names_that_differ() {
        let raw: Vec<(Option<&str>, Vec<String>)> = [
            Some("Super Bowl 50"),
            Some("super/bowl 50"),
            None,
            Some(" # "),
            Some("Việt Nam ##"),
            Some("น้ำ"),
            Some(".."),
        ]
        .into_iter()
        .map(|t| (t, vec![]))
        .collect();
        let (articles, untitled) = articles(&raw);
        let docs: Vec<&str> = articles.iter().map(|a| a.doc.as_str()).collect();
        assert_eq!(
            docs,
            [
                "Super-Bowl-50.md",
                "super-bowl-50-2.md",
                "Article-3.md",
                "Article-4.md",
                "Việt-Nam.md",
                "น้ำ.md",
                "Article-7.md"
            ]
        );
        assert_eq!(untitled, 3);
        assert_eq!(articles[4].title, "Việt Nam");
    }

    proptest! {
        #[test]
        fn any_paragraph_stays_one_section(
            title in "[ #A-c\\-=\n]{0,12}",
            paragraphs in prop::collection::vec("[a#`~=\\- \t\r\n|>.]{0,40}", 0..4),
        ) {
            let (articles, _) = articles(&[(Some(&title), paragraphs)]);
            prop_assert!(articles[0].reads_back(), "{}", articles[0].markdown);
        }
    }
}
