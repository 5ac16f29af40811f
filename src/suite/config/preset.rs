//! Presets: what the API of a known RAG server looks like, as data. Each says where its shape is documented and when that
//! was looked up; a user's own settings come on top.

use super::live::{EnvText, Mapping, Stream};
use super::read;
use crate::problem::{Problems, Source};
use crate::suite::node::{Reader, toml};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The shape of one server's API.
#[derive(Debug, Clone)]
pub struct Preset {
    /// Its name, as `preset = "…"` writes it.
    pub name: &'static str,
    /// What it is for.
    pub title: String,
    /// Where the API is documented.
    pub docs: String,
    /// When that was looked up.
    pub checked: String,
    /// What a user should know.
    pub note: Option<String>,
    /// What stands behind the user's address.
    pub path: String,
    /// Names that the user must give in `vars`, each with what it is.
    pub needs: BTreeMap<String, String>,
    /// Names that have a default.
    pub vars: BTreeMap<String, String>,
    /// Headers.
    pub headers: Vec<(String, EnvText)>,
    /// Parameters of the address.
    pub query: Vec<(String, EnvText)>,
    /// The body.
    pub body: Option<EnvText>,
    /// How a response comes.
    pub stream: Stream,
    /// Where its parts stand.
    pub mapping: Mapping,
}

impl Preset {
    /// The address that is asked: the user's, and the preset's path where it is not there already.
    pub fn address(&self, url: &str) -> String {
        let url = url.trim_end_matches('/');
        if url.ends_with(&self.path) { url.to_owned() } else { format!("{url}{}", self.path) }
    }
}

/// The files, by name.
const FILES: [(&str, &str); 1] = [("openai-chat", include_str!("presets/openai-chat.toml"))];

/// The names of all presets, sorted.
pub const NAMES: [&str; FILES.len()] = {
    let mut names = [""; FILES.len()];
    let mut i = 0;
    while i < FILES.len() {
        names[i] = FILES[i].0;
        i += 1;
    }
    names
};

/// The preset of a name.
pub fn find(name: &str) -> Option<Preset> {
    let (name, text) = FILES.iter().find(|(n, _)| *n == name)?;
    // A broken file of ours is found by the test below.
    parse(name, text).ok()
}

fn parse(name: &'static str, text: &str) -> Result<Preset, Problems> {
    let source = Arc::new(Source { path: format!("preset {name}"), text: text.to_owned() });
    let reader = Reader::new(&source);
    let tree = toml::parse(&reader);
    let preset = read::preset(&reader, &tree, name);
    let problems = reader.finish();
    match preset {
        Some(p) if !problems.any_error() => Ok(p),
        Some(_) | None => Err(problems),
    }
}

#[cfg(test)]
mod tests {
    use super::{FILES, NAMES, parse};

    #[test]
    fn every_preset_reads_and_says_where_it_comes_from() {
        assert!(NAMES.is_sorted());
        for (name, text) in FILES {
            let preset = parse(name, text).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            assert!(preset.docs.starts_with("https://") && preset.checked.starts_with("20"), "{name}");
            assert!(preset.mapping.answer.is_mapped() || preset.mapping.delta.is_mapped(), "{name}");
        }
    }
}
