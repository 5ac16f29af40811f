//! The folder of a project that holds the documents which evidence names: what a suite without a corpus most likely means.

use super::document_kind;
use crate::suite::write::inline;
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

/// Folders are looked into so deep below the project's.
const DEEPEST: usize = 5;

/// So many folders are looked into at most: a guess is not worth more.
const MOST: usize = 2_000;

/// Folders of tools, full of files that are nobody's documents.
const OF_TOOLS: [&str; 4] = ["node_modules", "target", "venv", "__pycache__"];

/// A folder that holds documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holding {
    /// The folder, beginning with the project's.
    pub folder: PathBuf,
    /// The names that are no files of it, in order.
    pub missing: Vec<String>,
    /// How many names there are.
    pub names: usize,
}

/// The folder at or below `root` that holds most of the documents, at least half of them. Nothing when there is no such folder,
/// or two that hold the same number.
pub fn holding<'n>(root: &Path, names: impl IntoIterator<Item = &'n str>) -> Option<Holding> {
    let names: BTreeSet<&str> = names.into_iter().filter(|n| document_kind(n).is_some()).collect();
    if names.is_empty() {
        return None;
    }
    let held = |folder: &Path| names.iter().filter(|n| is_below(n) && folder.join(n).is_file()).count();
    let mut folders = vec![root.to_owned()];
    folders_below(root, DEEPEST, &mut folders);
    let mut counts: Vec<(usize, PathBuf)> = folders.into_iter().map(|f| (held(&f), f)).collect();
    counts.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    let mut counts = counts.into_iter();
    let (most, folder) = counts.next()?;
    if most * 2 < names.len() || counts.next().is_some_and(|(next, _)| next == most) {
        return None;
    }
    let missing = names.iter().filter(|n| !folder.join(n).is_file()).map(|n| (*n).to_owned()).collect();
    Some(Holding { folder, missing, names: names.len() })
}

/// Whether a name is that of a document below a folder.
fn is_below(name: &str) -> bool {
    Path::new(name).components().all(|c| matches!(c, Component::Normal(_)))
}

fn folders_below(folder: &Path, deep: usize, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let known = name.starts_with('.') || OF_TOOLS.contains(&name.as_ref());
        // What a link names is found where it lies.
        if known || found.len() >= MOST || !entry.file_type().is_ok_and(|t| t.is_dir()) {
            continue;
        }
        found.push(entry.path());
        if deep > 1 {
            folders_below(&entry.path(), deep - 1, found);
        }
    }
}

/// The line with which the suite of a file names a folder: `corpus: ../docs`.
pub fn corpus_line(suite: &Path, folder: &Path) -> String {
    let path = from_suite(suite, folder);
    let plain =
        path.starts_with("../") && path.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/'));
    format!("corpus: {}", if plain { path } else { inline(&path) })
}

/// A folder as the suite of a file names it under `corpus`: counted from the folder of that file, with `/`. Neither need be there.
fn from_suite(suite: &Path, folder: &Path) -> String {
    let parts = |path: &Path| -> Vec<String> {
        let mut parts: Vec<String> = Vec::new();
        for part in std::path::absolute(path).unwrap_or_else(|_| path.to_owned()).components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir => {
                    parts.pop();
                }
                Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                    parts.push(part.as_os_str().to_string_lossy().into_owned());
                }
            }
        }
        parts
    };
    let from = parts(suite.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new(".")));
    let to = parts(folder);
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = from.iter().skip(common).map(|_| "..");
    let steps: Vec<&str> = up.chain(to.iter().skip(common).map(String::as_str)).collect();
    if steps.is_empty() { ".".to_owned() } else { steps.join("/") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_with_most_of_the_names_is_found() {
        let dir = tempfile::tempdir().unwrap();
        for file in ["docs/a.md", "docs/b.md", "docs/x/c.md", "other/a.md", "node_modules/a.md", "node_modules/b.md"] {
            let path = dir.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "x").unwrap();
        }
        let find = |names: &[&str]| {
            let found = holding(dir.path(), names.iter().copied());
            found.map(|h| (h.folder.strip_prefix(dir.path()).unwrap().to_string_lossy().into_owned(), h.missing))
        };
        assert_eq!(find(&["a.md", "b.md"]), Some(("docs".into(), vec![])));
        assert_eq!(find(&["a.md", "b.md", "x/c.md", "z.md"]), Some(("docs".into(), vec!["z.md".into()])));
        assert_eq!(find(&["c.md"]), Some(("docs/x".into(), vec![])));
        // Two hold it, nobody does, and no document is named.
        assert_eq!(find(&["a.md"]), None);
        assert_eq!(find(&["y.md", "z.md", "b.md"]), None);
        assert_eq!(find(&["manual, page 3"]), None);
        assert_eq!(find(&["../docs/b.md"]), None);
    }

    #[test]
    fn a_folder_counts_from_the_suites_file() {
        for (suite, folder, want) in [
            ("suites/x.yaml", "tai-lieu", "../tai-lieu"),
            ("x.yaml", "docs", "docs"),
            ("./suites/x.yaml", "./suites/docs/", "docs"),
            ("suites/deep/x.yaml", "a/../docs/vi", "../../docs/vi"),
            ("suites/x.yaml", "suites", "."),
        ] {
            assert_eq!(from_suite(Path::new(suite), Path::new(folder)), want, "{suite} {folder}");
        }
        let line = |folder: &str| corpus_line(Path::new("suites/x.yaml"), Path::new(folder));
        assert_eq!(line("tài-liệu"), "corpus: ../tài-liệu");
        assert_eq!(line("my docs: new"), "corpus: \"../my docs: new\"");
        assert_eq!(line("suites/true"), "corpus: \"true\"");
    }
}
