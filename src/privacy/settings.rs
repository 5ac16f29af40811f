//! Keys that stand in `ragline.toml` as they are, where `${NAME}` would keep them out of a file that is committed.
//!
//! In settings the name decides, not the look of the value: `lotus-dev-key` is no chance and opens the door all the same.
//! What the names of the settings do not tell is looked for by the forms of issuers, as in recordings.

use super::keys;
use crate::problem::{Place, Problem};
use crate::suite::config::live::{EnvText, Proxy};
use crate::suite::config::{Project, TargetConfig, TargetKind};
use regex::Regex;
use std::sync::LazyLock;

/// A warning for each place of the settings that holds a key, a token or a password as it is. No value is shown.
pub fn keys_in_settings(project: &Project) -> Vec<Problem> {
    let mut found = Vec::new();
    for target in project.targets.values() {
        Look { target, found: &mut found }.at_all();
    }
    found.sort_by_key(|p| (p.place.line, p.place.column));
    found
}

struct Look<'t, 'f> {
    target: &'t TargetConfig,
    found: &'f mut Vec<Problem>,
}

impl Look<'_, '_> {
    fn at_all(&mut self) {
        match &self.target.kind {
            TargetKind::Http(c) => {
                for (name, text) in &c.headers {
                    self.named("header", name, &text.raw, &text.place);
                }
                for (name, text) in &c.query {
                    self.named("query parameter", name, &text.raw, &text.place);
                }
                self.address("url", &c.url);
                if let Proxy::Through(proxy) = &c.proxy {
                    self.address("proxy", proxy);
                }
                if let Some(body) = &c.body {
                    self.json("body", body);
                }
                self.vars(&c.vars);
            }
            TargetKind::Command(c) => {
                self.words("command", &c.command);
                if let Some(stdin) = &c.stdin {
                    self.json("stdin", stdin);
                }
                self.vars(&c.vars);
            }
            TargetKind::Builtin(_) | TargetKind::Recorded { .. } => {}
        }
        if let Some(live) = self.target.live() {
            if let Some(start) = &live.start {
                self.words("start", &start.command);
            }
            if let Some(ready) = &live.ready {
                self.address("ready", ready);
            }
        }
    }

    fn warn(&mut self, what: &str, place: &Place, variable: &str) {
        // A target that was built on another line (a preset's) has nothing of its own here.
        let place = Place { column: 0, ..place.clone() };
        if self.found.iter().any(|p| p.place == place && p.title.ends_with(what)) {
            return;
        }
        let title = format!("target `{}`: a key stands as it is in {what}", self.target.name);
        let help = format!("write `${{{variable}}}`, and set {variable} where ragline runs");
        self.found.push(Problem::warning("key-in-settings", place, title).help(help));
    }

    /// A value with a name.
    fn named(&mut self, kind: &str, name: &str, value: &str, place: &Place) -> bool {
        let bare = bare(value);
        let is_key = (is_name(name) && is_literal(bare)) || holds_key(value);
        if is_key {
            self.warn(&format!("{kind} `{name}`"), place, &self.variable(name));
        }
        is_key
    }

    /// The password of an address, and its parameters.
    fn address(&mut self, key: &str, text: &EnvText) {
        let raw = text.raw.as_str();
        let authority =
            raw.split_once("://").map_or("", |(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or(rest));
        let password = authority.rsplit_once('@').and_then(|(user, _)| user.split_once(':')).map(|(_, p)| p);
        if password.is_some_and(is_literal) {
            let variable = self.variable("password");
            self.warn(&format!("the password of `{key}`"), &text.place, &variable);
        }
        let query = raw.split_once('?').map_or("", |(_, query)| query);
        let pairs = query.split('#').next().unwrap_or(query).split('&').filter_map(|p| p.split_once('='));
        let mut any = password.is_some();
        for (name, value) in pairs {
            any |= self.named("query parameter", name, value, &text.place);
        }
        if !any && holds_key(raw) {
            let variable = self.variable("key");
            self.warn(&format!("`{key}`"), &text.place, &variable);
        }
    }

    /// The members of a JSON text.
    fn json(&mut self, key: &str, text: &EnvText) {
        let mut any = false;
        for c in MEMBER.iter().flat_map(|m| m.captures_iter(&text.raw)) {
            if let (Some(name), Some(value)) = (c.get(1), c.get(2)) {
                any |= self.named(&format!("`{key}`, member"), name.as_str(), value.as_str(), &text.place);
            }
        }
        if !any && holds_key(&text.raw) {
            let variable = self.variable("key");
            self.warn(&format!("`{key}`"), &text.place, &variable);
        }
    }

    /// The arguments of a program: `--api-key X`, `--api-key=X`, `API_KEY=X`.
    fn words(&mut self, key: &str, words: &[EnvText]) {
        let mut option = "";
        for word in words {
            let raw = word.raw.as_str();
            let (name, value) = match raw.split_once('=') {
                Some((name, value)) => (name, value),
                None if raw.starts_with('-') => (raw, ""),
                None => (option, raw),
            };
            option = if raw.starts_with('-') && !raw.contains('=') { raw } else { "" };
            let name = name.trim_start_matches('-');
            if !self.named(&format!("`{key}`, argument"), name, value, &word.place) && holds_key(raw) {
                let variable = self.variable("key");
                self.warn(&format!("`{key}`"), &word.place, &variable);
            }
        }
    }

    fn vars(&mut self, vars: &std::collections::BTreeMap<String, String>) {
        let place = self.target.place.clone();
        for (name, value) in vars {
            self.named("`vars`,", name, value, &place);
        }
    }

    /// `X-Clinic-Key` is `CLINIC_KEY`; a name that says nothing but that it is a key gets the target's in front.
    fn variable(&self, name: &str) -> String {
        let plain = |text: &str| -> String {
            let upper = text.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' });
            upper.collect::<String>().trim_matches('_').to_owned()
        };
        let name = plain(name);
        let name = name.strip_prefix("X_").unwrap_or(&name);
        let what = match name {
            "AUTHORIZATION" | "PROXY_AUTHORIZATION" | "AUTH" => "TOKEN",
            other => other,
        };
        let bare = ["KEY", "TOKEN", "SECRET", "PASSWORD", "API_KEY", "APIKEY", "COOKIE"].contains(&what);
        let target = plain(&self.target.name);
        let starts = target.starts_with(|c: char| c.is_ascii_alphabetic());
        if bare && starts { format!("{target}_{what}") } else { what.to_owned() }
    }
}

/// `"name": "value"` of a JSON text.
static MEMBER: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r#""([^"\\]+)"\s*:\s*"([^"\\]*)""#).ok());

/// Whether a setting of this name holds a key. Names of other keys (of a cache, of a sort order) do not.
fn is_name(name: &str) -> bool {
    const OTHER: &[&str] = &["idempotency", "cache", "partition", "sort", "primary", "foreign", "public", "routing"];
    const PARTS: &[&str] = &[
        "key",
        "token",
        "secret",
        "auth",
        "authorization",
        "password",
        "passwd",
        "pwd",
        "credential",
        "credentials",
        "cookie",
    ];
    const ENDS: &[&str] = &["apikey", "accesskey", "authkey", "secretkey", "accesstoken", "authtoken"];
    let name = name.to_ascii_lowercase();
    let mut parts = name.split(|c: char| !c.is_ascii_alphanumeric());
    !OTHER.iter().any(|w| name.contains(w))
        && (ENDS.iter().any(|w| name.ends_with(w)) || parts.any(|part| PARTS.contains(&part)))
}

/// Without the word for its scheme: what matters of `Bearer X`.
fn bare(value: &str) -> &str {
    let value = value.trim();
    match value.split_once(' ') {
        Some((scheme, rest)) if scheme.chars().all(|c| c.is_ascii_alphabetic() || c == '-') => rest.trim(),
        Some(_) | None => value,
    }
}

/// Whether a value is a key as it is, and neither filled in later nor what local servers are given for want of a key.
fn is_literal(value: &str) -> bool {
    const FEWEST: usize = 4;
    const NONE: &[&str] = &[
        "anonymous",
        "anything",
        "changeme",
        "change-me",
        "default",
        "dummy",
        "empty",
        "fake",
        "false",
        "local",
        "localhost",
        "lm-studio",
        "none",
        "no-key",
        "no-key-required",
        "nokey",
        "not-needed",
        "not-required",
        "null",
        "ollama",
        "placeholder",
        "public",
        "sk-local",
        "sk-no-key-required",
        "test",
        "true",
        "unused",
        "vllm",
    ];
    let value = value.trim();
    let lower = value.to_ascii_lowercase();
    let filled_in = ["${", "{{", "***"].iter().any(|mark| value.contains(mark));
    let placeholder = value.starts_with('<') && value.ends_with('>');
    let mut chars = lower.chars();
    let first = chars.next();
    let repeats = chars.all(|c| Some(c) == first);
    value.chars().count() >= FEWEST && !filled_in && !placeholder && !repeats && !NONE.contains(&lower.as_str())
}

/// Whether a text holds a key by its form.
fn holds_key(text: &str) -> bool {
    keys::find(text).iter().any(|k| text.get(k.range.clone()).is_some_and(is_literal))
}

#[cfg(test)]
mod tests {
    use super::{bare, is_literal, is_name};

    #[test]
    fn names_of_keys() {
        for name in
            ["X-Clinic-Key", "Authorization", "api_key", "apikey", "x-api-key", "access_token", "Cookie", "xAuthToken"]
        {
            assert!(is_name(name), "{name}");
        }
        for name in
            ["Idempotency-Key", "cache_key", "keyword", "max_tokens", "author", "X-Tenant", "sort_key", "Accept"]
        {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn values_that_are_keys() {
        for value in ["lotus-dev-key", "Bearer lotus-dev-key", "hunter2", "Basic dXNlcjpwYXNz"] {
            assert!(is_literal(bare(value)), "{value}");
        }
        for value in [
            "EMPTY",
            "none",
            "local",
            "Bearer EMPTY",
            "${KEY}",
            "Bearer ${KEY}",
            "{{ key }}",
            "",
            "xxxxxxxx",
            "<your key>",
            "***",
            "abc",
        ] {
            assert!(!is_literal(bare(value)), "{value}");
        }
    }
}
