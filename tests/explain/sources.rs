//! The codes of problems as the sources write them.
//!
//! A code is the argument of a function or closure that takes a `code`: `Problem::error` and those built on it. Which these are
//! is read from the sources too, so a new one is found; and a call whose code cannot be told fails the test.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A code and where it is made.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Made {
    pub(crate) code: String,
    pub(crate) place: String,
}

/// A piece of a source file.
#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(char),
}

impl Token {
    fn is(&self, sign: char) -> bool {
        *self == Token::Sign(sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self, Token::Word(w) if w == word)
    }
}

/// The tokens of a file, each with its line; comments and what only tests hold are left out.
fn tokens(source: &str) -> Vec<(Token, usize)> {
    let c: Vec<char> = source.chars().collect();
    let (mut found, mut i, mut line) = (Vec::new(), 0, 1);
    let at = |i: usize| c.get(i).copied().unwrap_or('\0');
    while i < c.len() {
        let start = i;
        match at(i) {
            '/' if at(i + 1) == '/' => {
                while i < c.len() && at(i) != '\n' {
                    i += 1;
                }
            }
            '/' if at(i + 1) == '*' => {
                i += 2;
                while i < c.len() && !(at(i) == '*' && at(i + 1) == '/') {
                    i += 1;
                }
                i += 2;
            }
            '"' => {
                let mut text = String::new();
                i += 1;
                while i < c.len() && at(i) != '"' {
                    if at(i) == '\\' {
                        i += 1;
                    }
                    text.push(at(i));
                    i += 1;
                }
                i += 1;
                found.push((Token::Text(text), line));
            }
            'r' if at(i + 1) == '"' || (at(i + 1) == '#' && (at(i + 2) == '"' || at(i + 2) == '#')) => {
                let marks = (i + 1..).take_while(|j| at(*j) == '#').count();
                let end: String = std::iter::once('"').chain((0..marks).map(|_| '#')).collect();
                let from = i + 2 + marks;
                let to = (from..c.len()).find(|j| c[*j..].iter().take(end.len()).collect::<String>() == end).unwrap();
                found.push((Token::Text(c[from..to].iter().collect()), line));
                i = to + end.len();
            }
            // A character, or the name of a lifetime.
            '\'' if at(i + 1) == '\\' => {
                i += 3;
                while at(i) != '\'' {
                    i += 1;
                }
                i += 1;
            }
            '\'' if at(i + 2) == '\'' => i += 3,
            w if w.is_alphanumeric() || w == '_' => {
                while at(i).is_alphanumeric() || at(i) == '_' {
                    i += 1;
                }
                found.push((Token::Word(c[start..i].iter().collect()), line));
            }
            s => {
                if !s.is_whitespace() {
                    found.push((Token::Sign(s), line));
                }
                i += 1;
            }
        }
        line += c[start..i.min(c.len())].iter().filter(|c| **c == '\n').count();
    }
    without_tests(without_messages(found))
}

/// Leaves out `#[error(…)]`: the words of an error of the library, which is no problem with a code.
fn without_messages(all: Vec<(Token, usize)>) -> Vec<(Token, usize)> {
    let mut kept = Vec::new();
    let mut i = 0;
    while let Some(token) = all.get(i) {
        let begins = token.0.is('#')
            && all.get(i + 1).is_some_and(|(t, _)| t.is('['))
            && all.get(i + 2).is_some_and(|(t, _)| t.is_word("error"));
        if begins {
            i = closing(&all, i + 1) + 1;
            continue;
        }
        kept.push(token.clone());
        i += 1;
    }
    kept
}

/// Leaves out `#[cfg(test)] mod NAME { … }`.
fn without_tests(all: Vec<(Token, usize)>) -> Vec<(Token, usize)> {
    let is_mark = |i: usize| {
        let words: Vec<String> = all[i..].iter().take(9).map(|(t, _)| format!("{t:?}")).collect();
        let mark = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
        words.len() == 9
            && mark.iter().zip(&words).all(|(m, w)| w.contains(&format!("\"{m}\"")) || w.contains(&format!("'{m}'")))
    };
    let mut kept = Vec::new();
    let mut i = 0;
    while i < all.len() {
        if is_mark(i) && all.get(i + 9).is_some_and(|(t, _)| t.is('{')) {
            i = closing(&all, i + 9) + 1;
        } else {
            kept.push(all[i].clone());
            i += 1;
        }
    }
    kept
}

/// Where the bracket that opens at a place is closed.
fn closing(all: &[(Token, usize)], open: usize) -> usize {
    let mut depth = 0;
    for (i, (t, _)) in all.iter().enumerate().skip(open) {
        match t {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            Token::Sign(_) | Token::Word(_) | Token::Text(_) => {}
        }
        if depth == 0 {
            return i;
        }
    }
    panic!("a bracket is not closed");
}

/// The pieces between the commas of one level.
fn pieces(inner: &[(Token, usize)]) -> Vec<&[(Token, usize)]> {
    let (mut found, mut from, mut i) = (Vec::new(), 0, 0);
    while i < inner.len() {
        match &inner[i].0 {
            Token::Sign('(' | '[' | '{') => i = closing(inner, i),
            Token::Sign(',') => {
                found.push(&inner[from..i]);
                from = i + 1;
            }
            Token::Sign(_) | Token::Word(_) | Token::Text(_) => {}
        }
        i += 1;
    }
    if from < inner.len() {
        found.push(&inner[from..]);
    }
    found
}

/// The place of the parameter that is a code.
fn place_of_code(params: &[&[(Token, usize)]]) -> Option<usize> {
    let is_self = |p: &[(Token, usize)]| p.iter().any(|(t, _)| t.is_word("self"));
    let given: Vec<_> = params.iter().filter(|p| !is_self(p)).collect();
    given.iter().position(|p| {
        let text = p.iter().any(|(t, _)| t.is_word("static"));
        p.first().is_some_and(|(t, _)| t.is_word("code")) && (p.len() == 1 || text)
    })
}

/// What is called by a name in one file: the place of its code, or nothing where it takes none.
type Named = BTreeMap<String, Option<usize>>;

struct File {
    path: String,
    tokens: Vec<(Token, usize)>,
    functions: Named,
    /// Closures, and functions under another name.
    local: Named,
    consts: BTreeMap<String, String>,
}

fn file(path: &Path) -> File {
    let tokens = tokens(&std::fs::read_to_string(path).unwrap());
    let (mut functions, mut local, mut consts) = (Named::new(), Named::new(), BTreeMap::new());
    let word = |i: usize| match tokens.get(i) {
        Some((Token::Word(w), _)) => Some(w.clone()),
        Some((Token::Text(_) | Token::Sign(_), _)) | None => None,
    };
    let is = |i: usize, sign: char| tokens.get(i).is_some_and(|(t, _)| t.is(sign));
    for i in 0..tokens.len() {
        if word(i).as_deref() == Some("fn")
            && let Some(name) = word(i + 1)
        {
            let open = (i..).find(|j| is(*j, '(')).unwrap();
            let place = place_of_code(&pieces(&tokens[open + 1..closing(&tokens, open)]));
            let known = functions.entry(name).or_insert(place);
            *known = known.or(place);
        }
        if word(i).as_deref() == Some("let") {
            let name = if word(i + 1).as_deref() == Some("mut") { i + 2 } else { i + 1 };
            let begin = name + 2;
            if is(name + 1, '=')
                && is(begin, '|')
                && let Some(name) = word(name)
            {
                let end = (begin + 1..).find(|j| is(*j, '|')).unwrap();
                local.insert(name, place_of_code(&pieces(&tokens[begin + 1..end])));
            }
        }
        // `let problem = if … { Problem::warning } else { Problem::error };`
        let called = matches!(word(i + 3).as_deref(), Some("error" | "warning"));
        if word(i).as_deref() == Some("Problem") && is(i + 1, ':') && called && !is(i + 4, '(') {
            let back = (0..i).rev().find(|j| word(*j).as_deref() == Some("let")).unwrap();
            local.insert(word(back + 1).unwrap(), Some(0));
        }
        if word(i).as_deref() == Some("const")
            && let (Some(name), Some((Token::Text(text), _))) =
                (word(i + 1), tokens.iter().skip(i).find(|(t, _)| matches!(t, Token::Text(_)) || t.is(';')))
        {
            consts.insert(name, text.clone());
        }
    }
    File { path: path.to_string_lossy().into_owned(), tokens, functions, local, consts }
}

fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") && path.file_name().is_some_and(|n| n != "tests.rs") {
            found.push(path);
        }
    }
}

/// Every code that stands in `src`, with its place.
pub(crate) fn codes() -> Vec<Made> {
    let mut paths = Vec::new();
    walk(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut paths);
    let files: Vec<File> = paths.iter().map(|p| file(p)).collect();
    let mut everywhere = Named::new();
    let mut consts = BTreeMap::new();
    for f in &files {
        everywhere.extend(f.functions.iter().filter(|(_, place)| place.is_some()).map(|(n, p)| (n.clone(), *p)));
        consts.extend(f.consts.clone());
    }
    let mut found: Vec<Made> = files.iter().flat_map(|f| of_file(f, &everywhere, &consts)).collect();
    found.sort();
    found
}

fn of_file(f: &File, everywhere: &Named, consts: &BTreeMap<String, String>) -> Vec<Made> {
    let (mut found, mut of_tuples, mut passed_on) = (Vec::new(), Vec::new(), false);
    for (i, (token, line)) in f.tokens.iter().enumerate() {
        let Token::Word(name) = token else { continue };
        let place = format!("{}:{line}", f.path);
        let next = |n: usize, sign: char| f.tokens.get(i + n).is_some_and(|(t, _)| t.is(sign));
        // `let (code, title) = …`: the begins of its tuples.
        if name == "let" && next(1, '(') && f.tokens.get(i + 2).is_some_and(|(t, _)| t.is_word("code")) {
            of_tuples.extend(begins(&f.tokens, i).into_iter().map(|code| Made { code, place: place.clone() }));
        }
        // `Problem { … }` is written out in one file only; elsewhere a part of one is changed.
        if name == "Problem" && next(1, '{') && !f.path.ends_with("problem.rs") {
            let inner = &f.tokens[i + 2..closing(&f.tokens, i + 1)];
            let is_code = |p: &&[(Token, usize)]| p.first().is_some_and(|(t, _)| t.is_word("code"));
            let built = !matches!(f.tokens[i - 1].0, Token::Sign('>'));
            assert!(!built || !pieces(inner).iter().any(is_code), "{place}: a problem is made without its function");
        }
        let declared = i > 0 && f.tokens[i - 1].0.is_word("fn");
        let own = f.local.get(name).or_else(|| f.functions.get(name));
        let qualified = i > 2 && f.tokens[i - 1].0.is(':') && f.tokens[i - 3].0.is_word("Problem");
        let at = match own.filter(|_| !qualified) {
            Some(own) => *own,
            None => everywhere.get(name).copied().flatten(),
        };
        let Some(at) = at.filter(|_| next(1, '(') && !declared) else { continue };
        let inner = &f.tokens[i + 2..closing(&f.tokens, i + 1)];
        match pieces(inner).get(at).copied().unwrap_or_default() {
            [(Token::Text(code), _)] => found.push(Made { code: code.clone(), place }),
            // Passed on; where it comes from is found there.
            [(Token::Word(w), _)] if w == "code" => passed_on = true,
            [(Token::Word(w), _)] if consts.contains_key(w) => found.push(Made { code: consts[w].clone(), place }),
            other => panic!("{place}: the code of `{name}` cannot be told from {other:?}"),
        }
    }
    // A file may speak of codes of findings in the same way, and hand them to nobody here.
    if passed_on {
        found.extend(of_tuples);
    }
    found
}

/// The texts behind an opening bracket and in front of a comma, up to the end of a statement.
fn begins(tokens: &[(Token, usize)], from: usize) -> Vec<String> {
    let mut found = Vec::new();
    let mut depth = 0;
    for i in from..tokens.len() {
        match &tokens[i].0 {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth -= 1,
            Token::Sign(';') if depth == 0 => break,
            Token::Text(text) if tokens[i - 1].0.is('(') && tokens.get(i + 1).is_some_and(|(t, _)| t.is(',')) => {
                // A call of something else has its name in front.
                if !matches!(tokens[i - 2].0, Token::Word(_) | Token::Sign('!')) {
                    found.push(text.clone());
                }
            }
            Token::Sign(_) | Token::Word(_) | Token::Text(_) => {}
        }
    }
    found
}

#[test]
fn the_ways_in_which_a_code_is_written_are_read() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a.rs");
    let text = r###"
        // usage("in-a-comment", 1)
        #[derive(thiserror::Error)]
        #[error("in an attribute")]
        struct Fault;
        fn usage(code: &'static str, title: &str) -> Problem { Problem::error(code, Place::default(), title) }
        fn other(what: &str) { other("no-code"); }
        const LINE: &str = "of-a-const";
        fn f(p: char) -> Problem {
            let at = |code, title: String| Problem::error(code, p, title);
            let report = |place: &Place, code, t: String| at(code, t);
            report(&x, "second-argument", format!("a, {}", '"'));
            let problem = if x { Problem::warning } else { Problem::error };
            problem("as-a-value", y, z);
            at(LINE, "a".into());
            let (code, title) = match k { A => ("in-a-tuple", said("not-this-one", 1)), _ => { ("in-a-block", 2) } };
            at(code, title);
            Problem::error("ca", r#"raw "one"#.into(), "b")
        }
        #[cfg(test)]
        mod tests { fn g() { usage("in-a-test", 1) } }
    "###;
    std::fs::write(&path, text).unwrap();
    let f = file(&path);
    // `Problem::error` itself stands in another file.
    let everywhere = Named::from([("error".to_owned(), Some(0)), ("usage".to_owned(), Some(0))]);
    let found: Vec<String> = of_file(&f, &everywhere, &f.consts).into_iter().map(|m| m.code).collect();
    assert_eq!(found, ["second-argument", "as-a-value", "of-a-const", "ca", "in-a-tuple", "in-a-block"]);
}
