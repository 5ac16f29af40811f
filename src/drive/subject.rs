//! The identity of what is tested: a digest over everything that makes the answers what they are, and over nothing else.
//!
//! In: how the target is asked as the settings are written (`${NAME}` as it stands, never its value), its `vars`, where
//! the parts of a response stand, the files that `watch` names, the variables that `env` names. Out: how patiently or how
//! often it is asked (concurrency, time-outs, retries, rate), what it costs, where its recording lies, how it is reached
//! (proxy, certificates), and where this project lies on this machine. So two machines agree on it, and a new key for the
//! same system changes nothing.

use crate::digest::Hasher;
use crate::problem::{Place, Problem, shown_path};
use crate::suite::config::live::{CommandConfig, Field, HttpConfig, Live, Mapping, Output, Parts, Stream};
use crate::suite::config::{TargetConfig, TargetKind};
use crate::target::Environment;
use globset::GlobBuilder;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Component, Path};

/// The identity of a target that is asked anew, with a warning for each glob of `watch` that matches nothing.
///
/// # Errors
/// A glob that is none, or a watched file that cannot be read.
pub fn subject(
    target: &TargetConfig,
    root: &Path,
    environment: &Environment,
) -> Result<(String, Vec<Problem>), Problem> {
    let mut h = Hasher::default();
    h.field("ragline subject 1");
    match &target.kind {
        TargetKind::Http(c) => http(&mut h, c),
        TargetKind::Command(c) => command(&mut h, c, root),
        TargetKind::Builtin(_) | TargetKind::Recorded { .. } => h.field("other"),
    }
    for name in target.env.iter().collect::<BTreeSet<_>>() {
        h.field("env");
        h.field(name);
        // Unset and empty are the same, as everywhere, and neither is the same as any value.
        option(&mut h, environment.get(name));
    }
    let warnings = watched(&mut h, target, root)?;
    Ok((h.short(), warnings))
}

/// Absent is not the same as blank.
fn option(h: &mut Hasher, text: Option<&str>) {
    h.field(if text.is_some() { "some" } else { "none" });
    h.field(text.unwrap_or_default());
}

fn pairs<'a>(h: &mut Hasher, what: &str, pairs: impl Iterator<Item = (String, &'a str)>) {
    let mut sorted: Vec<(String, &str)> = pairs.collect();
    sorted.sort_unstable();
    for (name, value) in sorted {
        h.field(what);
        h.field(&name);
        h.field(value);
    }
}

/// Headers whose values are keys: another key is no other system.
const SENSITIVE: [&str; 6] =
    ["authorization", "proxy-authorization", "cookie", "x-api-key", "api-key", "x-goog-api-key"];

fn http(h: &mut Hasher, c: &HttpConfig) {
    h.field("http");
    h.field(&c.method);
    h.field(&without_password(&c.url.raw));
    pairs(h, "query", c.query.iter().map(|(n, t)| (n.clone(), t.raw.as_str())));
    let headers = c.headers.iter().map(|(n, t)| (n.to_ascii_lowercase(), t.raw.as_str()));
    pairs(h, "header", headers.map(|(n, t)| if SENSITIVE.contains(&n.as_str()) { (n, "") } else { (n, t) }));
    h.field("body");
    option(h, c.body.as_ref().map(|t| t.raw.as_str()));
    h.field(match c.stream {
        Stream::Json => "json",
        Stream::Sse => "sse",
        Stream::Ndjson => "ndjson",
    });
    vars(h, &c.vars);
    mapping(h, &c.mapping);
    live(h, &c.live);
}

fn command(h: &mut Hasher, c: &CommandConfig, root: &Path) {
    h.field("command");
    for word in &c.command {
        h.field("word");
        h.field(&word.raw);
    }
    h.field("stdin");
    option(h, c.stdin.as_ref().map(|t| t.raw.as_str()));
    h.field(if c.persistent { "persistent" } else { "once" });
    h.field(match c.output {
        Output::Json => "json",
        Output::Text => "text",
    });
    h.field(&shown_path(&c.folder, root));
    vars(h, &c.vars);
    mapping(h, &c.mapping);
    live(h, &c.live);
}

/// The server that is started for the run is part of the system; when it is ready, and how soon, is not.
fn live(h: &mut Hasher, live: &Live) {
    for word in live.start.iter().flat_map(|s| &s.command) {
        h.field("start");
        h.field(&word.raw);
    }
}

fn vars(h: &mut Hasher, vars: &BTreeMap<String, String>) {
    pairs(h, "var", vars.iter().map(|(n, v)| (n.clone(), v.as_str())));
}

/// `https://user:password@host/` without what stands before the `@`.
fn without_password(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let Some((authority, path)) = rest.split_at_checked(end) else { return url.to_owned() };
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://{host}{path}"),
        None => url.to_owned(),
    }
}

fn mapping(h: &mut Hasher, m: &Mapping) {
    let Mapping {
        answer,
        delta,
        contexts,
        context,
        citations,
        citation,
        refused,
        error,
        input_tokens,
        output_tokens,
        text_from_corpus,
    } = m;
    for f in [answer, delta, contexts, citations, refused, error, input_tokens, output_tokens] {
        field(h, f);
    }
    for p in [context, citation] {
        let Parts { doc, section, chunk, url, text, score, start, end, in_prompt, context, quote } = p;
        for f in [doc, section, chunk, url, text, score, start, end, in_prompt, context, quote] {
            field(h, f);
        }
    }
    h.field(if *text_from_corpus { "text from corpus" } else { "text from response" });
}

fn field(h: &mut Hasher, f: &Field) {
    h.field("part");
    let Field { paths, strip_prefix, basename, regex, replace, lowercase, event } = f;
    for path in paths {
        h.field("path");
        h.field(&path.to_string());
    }
    option(h, strip_prefix.as_deref());
    h.field(if *basename { "basename" } else { "whole" });
    option(h, regex.as_ref().map(regex::Regex::as_str));
    // What is not written leaves the digest as it is.
    for (regex, with) in replace {
        h.field("replace");
        h.field(regex.as_str());
        h.field(with);
    }
    if *lowercase {
        h.field("lowercase");
    }
    if let Some(event) = event {
        h.field("event");
        h.field(event);
    }
}

/// The files that the globs of `watch` name, each with its path from the project's folder and its bytes, in order.
fn watched(h: &mut Hasher, target: &TargetConfig, root: &Path) -> Result<Vec<Problem>, Problem> {
    let mut files: BTreeMap<String, std::path::PathBuf> = BTreeMap::new();
    let mut warnings = Vec::new();
    for glob in &target.watch {
        let wrong = |why: String| {
            Problem::error(
                "watch-glob",
                target.place.clone(),
                format!("`{glob}` in `watch` of `{}`: {why}", target.name),
            )
        };
        if Path::new(glob).is_absolute() {
            return Err(wrong("it is absolute, and differs between machines".into())
                .help("write it from the project's folder: \"app/**\""));
        }
        let plain = glob.strip_prefix("./").unwrap_or(glob);
        let matcher = GlobBuilder::new(plain)
            .literal_separator(true)
            .build()
            .map_err(|e| wrong(e.kind().to_string()))?
            .compile_matcher();
        let mut matches = 0;
        let mut unread = None;
        walk(&root.join(prefix(plain)), &prefix(plain), plain, &mut |shown, path| {
            if matcher.is_match(shown) {
                matches += 1;
                files.insert(shown.to_owned(), path.to_owned());
            }
        })
        .unwrap_or_else(|e| unread = Some(e));
        if let Some(e) = unread {
            return Err(wrong(format!("cannot look for its files: {e}")));
        }
        if matches == 0 {
            let what = format!("`{glob}` in `watch` of `{}` matches no file", target.name);
            warnings.push(
                Problem::warning("watch-nothing", target.place.clone(), what)
                    .help("globs are looked for from the project's folder; `**` crosses folders, `*` does not"),
            );
        }
    }
    for (shown, path) in &files {
        let bytes = fs::read(path).map_err(|e| {
            let what = format!("cannot read this file, which `watch` of `{}` names: {e}", target.name);
            Problem::error("file-unreadable", Place::file(shown), what)
        })?;
        h.field("file");
        h.field(shown);
        h.update(&(bytes.len() as u64).to_le_bytes());
        h.update(&bytes);
    }
    Ok(warnings)
}

/// The folders of a glob before its first wildcard: nothing outside them is looked at.
fn prefix(glob: &str) -> String {
    let mut folders: Vec<&str> = Vec::new();
    let mut parts = glob.split('/').peekable();
    while let Some(part) = parts.next() {
        if part.contains(['*', '?', '[', '{', '\\']) || parts.peek().is_none() {
            break;
        }
        folders.push(part);
    }
    folders.join("/")
}

/// What a run of the system leaves behind, and what version control keeps: not what is tested, unless a glob says so.
const LEFT_OUT: [&str; 4] = [".git", ".ragline", "__pycache__", ".DS_Store"];

/// Hands each file below a folder to `take`, with its path from the project's folder. Links to folders are not followed,
/// so there is no way round in a circle.
fn walk(folder: &Path, shown: &str, glob: &str, take: &mut dyn FnMut(&str, &Path)) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => return Ok(()),
        Err(e) => return Err(e),
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let named = Path::new(glob).components().any(|c| matches!(c, Component::Normal(n) if *n == *entry.file_name()));
        if LEFT_OUT.contains(&name.as_ref()) && !named {
            continue;
        }
        let below = if shown.is_empty() { name.into_owned() } else { format!("{shown}/{name}") };
        let path = entry.path();
        if entry.file_type()?.is_dir() {
            walk(&path, &below, glob, take)?;
        } else if path.is_file() {
            take(&below, &path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{prefix, without_password};

    #[test]
    fn only_the_folders_before_a_wildcard_are_walked() {
        for (glob, folders) in [
            ("app/**", "app"),
            ("prompts/*.md", "prompts"),
            ("a/b/c.txt", "a/b"),
            ("x.toml", ""),
            ("**/*.py", ""),
            ("../app/src/*.rs", "../app/src"),
            ("a{b,c}/d", ""),
        ] {
            assert_eq!(prefix(glob), folders, "{glob}");
        }
    }

    #[test]
    fn a_password_in_an_address_is_no_part_of_it() {
        assert_eq!(without_password("https://me:pw@host:1/a@b"), "https://host:1/a@b");
        assert_eq!(without_password("https://host/a@b"), "https://host/a@b");
        assert_eq!(without_password("${BASE}/chat"), "${BASE}/chat");
    }
}
