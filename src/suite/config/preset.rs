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
    /// Where the API is documented: an address.
    pub docs: String,
    /// When that was looked up: `YYYY-MM-DD`.
    pub checked: String,
    /// What a user should know.
    pub note: Option<String>,
    /// What stands behind the user's address: a template that begins with `/`.
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
    /// The address that is asked: the user's, and the preset's path behind it. Segments that both have, such as the `/v1`
    /// of `https://api.openai.com/v1`, are not doubled, and an address with parameters of its own stays as it is.
    pub fn address(&self, url: &str) -> String {
        if url.contains(['?', '#']) {
            return url.to_owned();
        }
        let url = url.trim_end_matches('/');
        let (host, own) = match url.split_once("://").and_then(|(_, rest)| rest.find('/').map(|at| (rest, at))) {
            Some((rest, at)) => url.split_at_checked(url.len() - rest.len() + at).unwrap_or((url, "")),
            None => (url, ""),
        };
        let own: Vec<&str> = own.split('/').skip(1).collect();
        let path: Vec<&str> = self.path.split('/').skip(1).collect();
        let shared =
            (0..=own.len().min(path.len())).rev().find(|n| own.iter().rev().take(*n).rev().eq(path.iter().take(*n)));
        let rest = path.iter().skip(shared.unwrap_or(0));
        own.iter().chain(rest).fold(host.to_owned(), |all, segment| format!("{all}/{segment}"))
    }

    /// The variables of the environment that its texts name, in order of appearance: its keys.
    pub fn variables(&self) -> Vec<String> {
        let texts = self.query.iter().chain(&self.headers).map(|(_, t)| t).chain(&self.body);
        let mut found: Vec<String> = Vec::new();
        for name in texts.flat_map(|t| read::units::names(&t.raw).unwrap_or_default()) {
            if !found.iter().any(|f| f == name) {
                found.push(name.to_owned());
            }
        }
        found
    }
}

/// The files, by name.
const FILES: [(&str, &str); 16] = [
    ("anythingllm", include_str!("presets/anythingllm.toml")),
    ("azure-openai-data", include_str!("presets/azure-openai-data.toml")),
    ("dify", include_str!("presets/dify.toml")),
    ("dify-stream", include_str!("presets/dify-stream.toml")),
    ("flowise", include_str!("presets/flowise.toml")),
    ("hayhooks", include_str!("presets/hayhooks.toml")),
    ("langserve", include_str!("presets/langserve.toml")),
    ("lightrag", include_str!("presets/lightrag.toml")),
    ("llamaindex", include_str!("presets/llamaindex.toml")),
    ("ollama", include_str!("presets/ollama.toml")),
    ("ollama-stream", include_str!("presets/ollama-stream.toml")),
    ("openai-chat", include_str!("presets/openai-chat.toml")),
    ("openai-chat-stream", include_str!("presets/openai-chat-stream.toml")),
    ("openwebui", include_str!("presets/openwebui.toml")),
    ("ragflow", include_str!("presets/ragflow.toml")),
    ("vectara", include_str!("presets/vectara.toml")),
];

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

/// All presets, by name: what a listing of them shows.
pub fn all() -> Vec<Preset> {
    NAMES.into_iter().filter_map(find).collect()
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
    use super::{FILES, NAMES, Preset, all, find, parse};

    #[test]
    fn every_preset_reads_and_says_where_it_comes_from() {
        assert!(NAMES.is_sorted());
        for (name, text) in FILES {
            let preset = parse(name, text).unwrap_or_else(|e| panic!("{name}: {e}"));
            assert!(preset.docs.starts_with("https://") && preset.checked.starts_with("20"), "{name}");
            assert!(preset.path.starts_with('/') && preset.note.is_some(), "{name}");
            assert!(preset.mapping.answer.is_mapped() || preset.mapping.delta.is_mapped(), "{name}");
            assert!(preset.mapping.error.is_mapped(), "{name}");
        }
        assert_eq!(all().len(), FILES.len());
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/suite/config/presets");
        // A file that nobody lists is not shipped.
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), FILES.len());
    }

    #[test]
    fn the_path_stands_behind_the_address_once() {
        let address = |name: &str, url: &str| find(name).unwrap().address(url);
        for url in [
            "https://api.openai.com",
            "https://api.openai.com/",
            "https://api.openai.com/v1",
            "https://api.openai.com/v1/",
            "https://api.openai.com/v1/chat/completions",
        ] {
            assert_eq!(address("openai-chat", url), "https://api.openai.com/v1/chat/completions", "{url}");
        }
        assert_eq!(address("ollama", "http://[::1]:11434/api"), "http://[::1]:11434/api/chat");
        assert_eq!(address("ollama", "http://chat"), "http://chat/api/chat");
        assert_eq!(address("ollama", "http://10.0.0.2/team/ollama"), "http://10.0.0.2/team/ollama/api/chat");
        assert_eq!(address("ollama", "${OLLAMA_URL}"), "${OLLAMA_URL}/api/chat");
        assert_eq!(address("langserve", "http://127.0.0.1:8000/rag"), "http://127.0.0.1:8000/rag/invoke");
        assert_eq!(
            address("langserve", "http://127.0.0.1:8000/rag/invoke?a=b"),
            "http://127.0.0.1:8000/rag/invoke?a=b"
        );
        assert_eq!(
            address("flowise", "https://flows.shop.example/api/v1"),
            "https://flows.shop.example/api/v1/prediction/{{ flow }}"
        );
        // Only whole segments are the same.
        assert_eq!(address("dify", "https://shop.example/v1/chat"), "https://shop.example/v1/chat/v1/chat-messages");
    }

    #[test]
    fn a_preset_says_which_keys_it_needs() {
        let keys = |name: &str| find(name).as_ref().map(Preset::variables).unwrap();
        assert_eq!(keys("ollama"), Vec::<String>::new());
        assert_eq!(keys("azure-openai-data"), ["AZURE_OPENAI_API_KEY", "AZURE_SEARCH_KEY"]);
    }
}
