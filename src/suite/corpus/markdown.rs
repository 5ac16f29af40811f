//! The headings of Markdown: ATX (`## Title ##`) and setext (a line of `=` or `-` below), not inside fenced code, not in
//! the front matter. The rules are CommonMark's, as far as they decide what is a heading.

use super::Section;

/// One heading as it was found.
struct Heading {
    level: usize,
    title: String,
    /// Line, from 1.
    line: u32,
    /// Where the heading begins, in bytes.
    start: usize,
    /// Where the text after it begins.
    after: usize,
}

/// Cuts a document into sections. A heading's path holds the headings above it of a smaller level. Text in front of the
/// first heading is a section with an empty path; it is left out when it is blank and there is a heading.
pub(super) fn sections(text: &str) -> Vec<Section> {
    let headings = headings(text);
    let first = headings.first().map_or(text.len(), |h| h.start);
    let mut sections = Vec::with_capacity(headings.len() + 1);
    if headings.is_empty() || text.get(..first).is_some_and(|t| !t.trim().is_empty()) {
        sections.push(Section { path: Vec::new(), start: 0, end: first, line: 1 });
    }
    let ends: Vec<usize> = headings.iter().skip(1).map(|h| h.start).chain([text.len()]).collect();
    let mut open: Vec<(usize, String)> = Vec::new();
    for (heading, end) in headings.into_iter().zip(ends) {
        open.retain(|(level, _)| *level < heading.level);
        open.push((heading.level, heading.title));
        let path = open.iter().map(|(_, title)| title.clone()).collect();
        sections.push(Section { path, start: heading.after, end, line: heading.line });
    }
    sections
}

/// All headings in order.
fn headings(text: &str) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    // Begin, line number and text of the first line of a paragraph, and how many lines it has so far.
    let mut paragraph: Option<(usize, u32, &str, usize)> = None;
    let front_matter = front_matter_lines(text);
    let mut start = 0;
    for (index, with_end) in text.split_inclusive('\n').enumerate() {
        let (here, after) = (start, start + with_end.len());
        start = after;
        let line = with_end.trim_end();
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if index < front_matter {
            continue;
        }
        if let Some((mark, length)) = fence {
            if is_fence_end(line, mark, length) {
                fence = None;
            }
            continue;
        }
        fence = fence_start(line);
        if fence.is_some() {
            paragraph = None;
        } else if let Some((level, title)) = atx(line) {
            found.push(Heading { level, title, line: number, start: here, after });
            paragraph = None;
        } else if let (Some((begin, first_line, title, 1)), Some(level)) = (paragraph, setext_level(line)) {
            found.push(Heading { level, title: title.trim().to_owned(), line: first_line, start: begin, after });
            paragraph = None;
        } else if let Some((_, _, _, lines)) = paragraph.as_mut().filter(|_| !line.is_empty()) {
            // Text with a rule below it: a title of several lines is not taken for one.
            *lines += 1;
        } else {
            paragraph = may_be_setext_title(line).then_some((here, number, line, 1));
        }
    }
    found
}

/// How many lines of front matter (`---` … `---`) a document begins with.
fn front_matter_lines(text: &str) -> usize {
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return 0;
    }
    lines.position(|l| matches!(l.trim_end(), "---" | "...")).map_or(0, |at| at + 2)
}

/// The line without its indent, when that is less than four blanks (more is code).
fn unindented(line: &str) -> Option<&str> {
    let rest = line.trim_start_matches(' ');
    (line.len() - rest.len() <= 3 && !rest.starts_with('\t')).then_some(rest)
}

/// Level and title of `## Title ##`.
fn atx(line: &str) -> Option<(usize, String)> {
    let rest = unindented(line)?;
    let title = rest.trim_start_matches('#');
    let level = rest.len() - title.len();
    if !(1..=6).contains(&level) || !(title.is_empty() || title.starts_with([' ', '\t'])) {
        return None;
    }
    let title = title.trim();
    let open = title.trim_end_matches('#');
    let closed = open.is_empty() || open.ends_with([' ', '\t']);
    Some((level, if closed { open.trim_end() } else { title }.to_owned()))
}

/// The level of a line that underlines a heading.
fn setext_level(line: &str) -> Option<usize> {
    let rest = unindented(line)?.trim_end();
    let all = |mark: char| !rest.is_empty() && rest.chars().all(|c| c == mark);
    if all('=') {
        Some(1)
    } else if all('-') {
        Some(2)
    } else {
        None
    }
}

/// True for a line of plain text, which a line of `=` or `-` below would make a heading.
fn may_be_setext_title(line: &str) -> bool {
    let Some(rest) = unindented(line) else { return false };
    let list = rest.starts_with(['-', '*', '+']) && rest.chars().nth(1).is_none_or(|c| c == ' ' || c == '\t');
    !(rest.is_empty() || list || rest.starts_with(['|', '>', '<']))
}

/// The mark and length of a line that opens fenced code.
fn fence_start(line: &str) -> Option<(char, usize)> {
    let rest = unindented(line)?;
    let mark = rest.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let info = rest.trim_start_matches(mark);
    let length = rest.len() - info.len();
    (length >= 3 && !(mark == '`' && info.contains('`'))).then_some((mark, length))
}

/// True for a line that closes fenced code.
fn is_fence_end(line: &str, mark: char, length: usize) -> bool {
    unindented(line).is_some_and(|rest| rest.len() >= length && rest.chars().all(|c| c == mark))
}
