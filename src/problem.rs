//! Faults in a user's file: a place, what is wrong, what was expected, what to do.

pub mod manual;
pub mod near;
mod render;
mod veil;

pub use render::render;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A text file as it was read: without byte-order mark, line ends LF.
#[derive(Debug)]
pub struct Source {
    /// The path as messages show it: relative to the project folder where it lies below it, with `/`.
    pub path: String,
    /// The whole text.
    pub text: String,
}

/// A place in a file. Lines and columns count from 1; columns count code points.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The path as messages show it.
    pub file: Arc<str>,
    /// Line, from 1; 0 when only the file is known.
    pub line: u32,
    /// Column in code points, from 1; 0 when only the line is known.
    pub column: u32,
}

impl Place {
    /// The first character of a file.
    pub fn file(path: &str) -> Self {
        Place { file: path.into(), line: 0, column: 0 }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        Ok(())
    }
}

/// How grave a [`Problem`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Gravity {
    /// The file cannot be used: exit code 2.
    Error,
    /// The file can be used; a person should look.
    Warning,
}

/// One fault in a user's file.
#[derive(Debug, Clone)]
pub struct Problem {
    /// Stable code in kebab case, the name of its section in the manual (`docs/problems/`).
    pub code: &'static str,
    /// Error or warning.
    pub gravity: Gravity,
    /// What is wrong, one line, with what was expected.
    pub title: String,
    /// Where.
    pub place: Place,
    /// How many code points the caret spans (at least 1).
    pub width: u32,
    /// What stands at the caret, in a few words; may be empty.
    pub label: String,
    /// Other places that belong to it, such as the first of two equal keys, each with its label.
    pub related: Vec<(Place, String)>,
    /// What to do, one line.
    pub help: Option<String>,
    /// The file's text, to show the line; absent when the file could not be read.
    pub source: Option<Arc<Source>>,
}

impl Problem {
    /// An error at a place.
    pub fn error(code: &'static str, place: Place, title: impl Into<String>) -> Self {
        Problem {
            code,
            gravity: Gravity::Error,
            title: one_line(title.into()),
            place,
            width: 1,
            label: String::new(),
            related: Vec::new(),
            help: None,
            source: None,
        }
    }

    /// A warning at a place.
    pub fn warning(code: &'static str, place: Place, title: impl Into<String>) -> Self {
        Problem { gravity: Gravity::Warning, ..Problem::error(code, place, title) }
    }

    /// Adds what to do.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Adds the words at the caret and its width in code points.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>, width: usize) -> Self {
        self.label = label.into();
        self.width = u32::try_from(width).unwrap_or(u32::MAX).max(1);
        self
    }

    /// Adds the text of the file, so that the line can be shown.
    #[must_use]
    pub fn source(mut self, source: &Arc<Source>) -> Self {
        self.source = Some(Arc::clone(source));
        self
    }

    /// Puts the caret into a line of which only the bytes are known; `column` counts bytes, from 1.
    #[must_use]
    pub fn in_line(mut self, line: &[u8], column: usize) -> Self {
        let front = line.get(..column.saturating_sub(1)).unwrap_or(line);
        let column = String::from_utf8_lossy(front).chars().count() + 1;
        self.place.column = u32::try_from(column).unwrap_or(u32::MAX);
        // The lines before it are blank as far as anybody will see.
        let before = usize::try_from(self.place.line).unwrap_or(1).saturating_sub(1);
        let text = "\n".repeat(before) + &String::from_utf8_lossy(line);
        self.source = Some(Arc::new(Source { path: self.place.file.to_string(), text }));
        self
    }

    /// Adds another place that belongs to it.
    #[must_use]
    pub fn related(mut self, place: Place, label: impl Into<String>) -> Self {
        self.related.push((place, label.into()));
        self
    }
}

/// A title is one line, whatever a user's file put into it.
fn one_line(title: String) -> String {
    if !title.contains(char::is_control) {
        return title;
    }
    title.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Everything that is wrong with the files of a project. Never empty when it is an error.
#[derive(Debug, Clone, Default)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// True when at least one of them is an error.
    pub fn any_error(&self) -> bool {
        self.0.iter().any(|p| p.gravity == Gravity::Error)
    }
}

impl From<Problem> for Problems {
    fn from(p: Problem) -> Self {
        Problems(vec![p])
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, p) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{}: {} [{}]", p.place, p.title, p.code)?;
            if let Some(h) = &p.help {
                write!(f, "\n  help: {h}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// Reads a text file of a project: UTF-8 with or without byte-order mark, line ends LF or CRLF.
///
/// `shown` is the path that messages use.
///
/// # Errors
/// A [`Problem`] when the file cannot be read, holds NUL, or is not UTF-8 (the likely encoding is named).
pub fn read_source(path: &Path, shown: &str) -> Result<Arc<Source>, Problem> {
    let bytes = std::fs::read(path)
        .map_err(|e| Problem::error("file-unreadable", Place::file(shown), format!("cannot read this file: {e}")))?;
    let text = decode(&bytes).map_err(|(line, what)| {
        Problem::error("file-not-utf8", Place { file: shown.into(), line, column: 0 }, what)
            .help("save the file as UTF-8")
    })?;
    Ok(Arc::new(Source { path: shown.to_owned(), text }))
}

/// UTF-8 text without byte-order mark and with LF line ends, or the line and the reason why not.
pub(crate) fn decode(bytes: &[u8]) -> Result<String, (u32, String)> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err((1, "this file is UTF-16, expected UTF-8".into()));
    }
    let bytes = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(bytes);
    let line_of = |at: usize| u32::try_from(bytes.iter().take(at).filter(|b| **b == b'\n').count() + 1).unwrap_or(1);
    if let Some(at) = memchr::memchr(0, bytes) {
        let wide = bytes.iter().skip(1).step_by(2).take(40).filter(|b| **b == 0).count() > 4;
        let what = if wide { "this file looks like UTF-16, expected UTF-8" } else { "this file holds a NUL character" };
        return Err((line_of(at), what.into()));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| {
        let line = line_of(e.valid_up_to());
        (line, "this line is not UTF-8; it looks like Latin-1 or Windows-1252, expected UTF-8".to_owned())
    })?;
    Ok(if memchr::memchr(b'\r', bytes).is_some() { text.replace("\r\n", "\n") } else { text.to_owned() })
}

/// A path as messages show it: relative to `root` where it lies below it, with `/` between the parts.
pub fn shown_path(path: &Path, root: &Path) -> String {
    let rel: PathBuf = path.strip_prefix(root).map_or_else(|_| path.to_owned(), Path::to_owned);
    rel.to_string_lossy().replace('\\', "/")
}
