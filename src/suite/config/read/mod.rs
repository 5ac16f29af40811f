//! Reads `ragline.toml`.

mod address;
pub(crate) mod limits;
pub(crate) mod live;
pub(crate) mod mapping;
pub(crate) mod refusal;
pub(crate) mod units;

pub(crate) use live::preset;

use super::live::Privacy;
use super::{BuiltinConfig, CONCURRENCY, Chunking, FILE, Profile, Project, REPEATS, TargetConfig, TargetKind};
use crate::layer::Provides;
use crate::privacy::Masker;
use crate::privacy::allow::Allowed;
use crate::problem::Place;
use crate::problem::near::or_near;
use crate::suite::load::version;
use crate::suite::node::reader::shown;
use crate::suite::node::{Entry, Fields, Node, Reader, Shape, Style, Value};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The keys of `ragline.toml`.
pub(crate) const RAGLINE: Shape = Shape {
    what: FILE,
    keys: &["version", "targets", "profile", "privacy", "refusal", "history"],
    reserved: &["judge", "report", "embed"],
};

/// The keys of a builtin target.
pub(crate) const BUILTIN_TARGET: Shape = Shape {
    what: "a builtin target",
    keys: &["kind", "provides", "concurrency", "watch", "env", "k1", "b", "chunk", "top_k", "refuse_below"],
    reserved: &[],
};

/// The keys of a recorded target.
pub(crate) const RECORDED_TARGET: Shape = Shape {
    what: "a recorded target",
    keys: &["kind", "provides", "concurrency", "watch", "env", "file"],
    reserved: &[],
};

/// Looks at items: the place of one, from 0, and what is wrong with it.
type Check = fn(&[String]) -> Result<(), (usize, String)>;

/// The keys of `privacy`.
pub(crate) const PRIVACY: Shape = Shape { what: "`privacy`", keys: &["mask", "allow"], reserved: &[] };

/// The keys of `chunk`.
pub(crate) const CHUNK: Shape = Shape { what: "`chunk`", keys: &["by", "max_chars", "size", "overlap"], reserved: &[] };

/// The keys of a profile.
pub(crate) const PROFILE: Shape = Shape {
    what: "a profile",
    keys: &["inherits", "select", "target", "answers", "without_keys", "policy_from", "repeat", "against", "confirm"],
    reserved: &["shard", "budget"],
};

#[derive(Clone, Copy)]
enum Kind {
    Builtin,
    Recorded,
    Http,
    Command,
}

/// The target that is always there.
pub(super) fn builtin() -> TargetConfig {
    TargetConfig {
        name: "builtin".to_owned(),
        place: Place::file(FILE),
        kind: TargetKind::Builtin(BuiltinConfig::default()),
        provides: None,
        concurrency: CONCURRENCY,
        watch: Vec::new(),
        env: Vec::new(),
    }
}

/// The project that a file states.
pub(super) fn project(reader: &Reader<'_>, tree: &Node<'_>, root: PathBuf) -> Option<Project> {
    let fields = reader.fields(tree, &RAGLINE)?;
    version(reader, tree);
    let mut targets = BTreeMap::from([("builtin".to_owned(), builtin())]);
    for e in entries(reader, fields.get("targets"), "`targets`") {
        name(reader, e, "a target");
        if let Some(target) = target(reader, e, &root) {
            targets.insert(target.name.clone(), target);
        }
    }
    let mut profiles = BTreeMap::new();
    for e in entries(reader, fields.get("profile"), "`profile`") {
        name(reader, e, "a profile");
        if let Some(profile) = profile(reader, &e.value) {
            profiles.insert(e.key.clone().into_owned(), profile);
        }
    }
    inherited(reader, fields.get("profile"), &profiles);
    let privacy = fields.get("privacy").and_then(|n| reader.fields(n, &PRIVACY));
    let items = |key: &str, code: &'static str, check: Check| {
        let Some(node) = privacy.as_ref().and_then(|p| p.get(key)) else { return Vec::new() };
        let items = reader.strings(node, &format!("`{key}`"), &format!("an item of `{key}`"));
        if let Err((at, why)) = check(&items) {
            let span = match &node.value {
                Value::List(nodes) => nodes.get(at).map_or(node.span, |n| n.span),
                Value::Scalar(..) | Value::Map(_) => node.span,
            };
            reader.push(reader.error(code, span, why));
        }
        items
    };
    let privacy = Privacy {
        mask: items("mask", "mask-item", |items| Masker::new(items).map(drop)),
        allow: items("allow", "allow-item", |items| Allowed::new(items).map(drop)),
    };
    let refusal = fields.get("refusal").map(|n| refusal::own(reader, n)).unwrap_or_default();
    let history = fields.get("history").and_then(|n| folder(reader, n, "`history`", &root));
    Some(Project { root, targets, profiles, privacy, refusal, history })
}

/// A folder of the project, where it is on every machine.
fn folder(reader: &Reader<'_>, node: &Node<'_>, what: &str, root: &std::path::Path) -> Option<PathBuf> {
    let named = PathBuf::from(quoted(reader, node, what)?);
    let inside =
        named.components().all(|c| matches!(c, std::path::Component::Normal(_) | std::path::Component::CurDir));
    if named.as_os_str().is_empty() || !inside {
        let title = format!("{what} is `{}`, expected a folder of the project", shown(&named.to_string_lossy()));
        reader.push(reader.error("history-folder", node.span, title).help("write history = \"suites\""));
        return None;
    }
    Some(root.join(named))
}

fn entries<'n, 'a>(reader: &Reader<'a>, node: Option<&'n Node<'a>>, what: &str) -> &'n [Entry<'a>] {
    match node.map(|n| (&n.value, n)) {
        None => &[],
        Some((Value::Map(entries), _)) => entries,
        Some((Value::Scalar(..) | Value::List(_), n)) => {
            let title = format!("{what} is {}, expected sections such as [targets.NAME]", n.kind());
            reader.push(reader.error("expected-map", n.span, title));
            &[]
        }
    }
}

/// Names appear in file names and on the command line, so they have the form of ids.
fn name(reader: &Reader<'_>, e: &Entry<'_>, what: &str) {
    if crate::suite::QuestionId::new(&e.key).is_none() {
        let title = format!("`{}` cannot name {what}, expected letters a-z A-Z, digits and . _ -", shown(&e.key));
        reader.push(reader.error("id-form", e.key_span, title));
    }
}

fn target(reader: &Reader<'_>, e: &Entry<'_>, root: &std::path::Path) -> Option<TargetConfig> {
    let Value::Map(_) = &e.value.value else {
        let title = format!("target `{}` is {}, expected a section [targets.NAME]", shown(&e.key), e.value.kind());
        reader.push(reader.error("expected-map", e.key_span, title));
        return None;
    };
    let kinds =
        [("http", Kind::Http), ("command", Kind::Command), ("recorded", Kind::Recorded), ("builtin", Kind::Builtin)];
    let kind = match e.value.get("kind") {
        Some(n) => reader.word(n, "`kind`", &kinds, &[])?,
        // The target that is always there need not say what it is.
        None if e.key == "builtin" => Kind::Builtin,
        None => {
            let title = format!("`kind` is missing in target `{}`", shown(&e.key));
            reader.push(
                reader
                    .error("key-missing", e.key_span, title)
                    .help("write kind = \"http\", \"command\", \"recorded\" or \"builtin\""),
            );
            return None;
        }
    };
    if let (Kind::Recorded | Kind::Http | Kind::Command, "builtin") = (kind, e.key.as_ref()) {
        let title = "the target `builtin` is always the builtin one";
        reader.push(reader.error("target-builtin", e.key_span, title).help("give this target another name"));
        return None;
    }
    let shape = match kind {
        Kind::Builtin => &BUILTIN_TARGET,
        Kind::Recorded => &RECORDED_TARGET,
        Kind::Http => &live::HTTP_TARGET,
        Kind::Command => &live::COMMAND_TARGET,
    };
    let fields = reader.fields(&e.value, shape)?;
    let provides = fields.get("provides").map(|n| provides(reader, n));
    let concurrency = fields.get("concurrency").and_then(|n| concurrency(reader, n));
    let watch = fields.get("watch").map(|n| reader.strings(n, "`watch`", "a glob of `watch`")).unwrap_or_default();
    let env = fields.get("env").map(|n| reader.strings(n, "`env`", "a name of `env`")).unwrap_or_default();
    let kind = match kind {
        Kind::Builtin => TargetKind::Builtin(builtin_config(reader, &fields)),
        Kind::Recorded => {
            let Some(file) = fields.get("file") else {
                let title = format!("`file` is missing in target `{}`", shown(&e.key));
                reader.push(reader.error("key-missing", e.key_span, title).help("name the file of recorded responses"));
                return None;
            };
            TargetKind::Recorded { file: root.join(quoted(reader, file, "`file`")?) }
        }
        Kind::Http => TargetKind::Http(Box::new(live::http(reader, &e.key, &fields, root)?)),
        Kind::Command => TargetKind::Command(Box::new(live::command(reader, &e.key, &fields, root)?)),
    };
    Some(TargetConfig {
        name: e.key.clone().into_owned(),
        place: reader.place(e.key_span),
        kind,
        provides,
        concurrency: concurrency.and_then(|n| usize::try_from(n).ok()).unwrap_or(CONCURRENCY),
        watch,
        env,
    })
}

/// How many questions are asked at once.
fn concurrency(reader: &Reader<'_>, node: &Node<'_>) -> Option<u64> {
    if matches!(&node.value, Value::Scalar(t, _) if t.contains('/')) {
        let title = "`concurrency` is how many questions are asked at once, expected a whole number from 1 to 1024";
        reader.push(reader.error("expected-number", node.span, title).help("how many in a time is `rate`"));
        return None;
    }
    reader.integer(node, "`concurrency`", 1, 1024)
}

/// A TOML text: unlike in YAML, a number or a boolean is none.
fn quoted(reader: &Reader<'_>, node: &Node<'_>, what: &str) -> Option<String> {
    if let Value::Scalar(_, Style::Plain) = node.value {
        reader.push(reader.error("expected-text", node.span, format!("{what} is no text")).help("write it in quotes"));
        return None;
    }
    reader.string(node, what)
}

fn provides(reader: &Reader<'_>, node: &Node<'_>) -> Provides {
    #[derive(Clone, Copy)]
    enum What {
        Answer,
        Contexts,
        Citations,
    }
    let words = [("answer", What::Answer), ("contexts", What::Contexts), ("citations", What::Citations)];
    let mut provides = Provides { answer: false, contexts: false, citations: false };
    let Some(items) = reader.list(node, "`provides`") else { return provides };
    for item in items {
        match reader.word(item, "an item of `provides`", &words, &[]) {
            Some(What::Answer) => provides.answer = true,
            Some(What::Contexts) => provides.contexts = true,
            Some(What::Citations) => provides.citations = true,
            None => {}
        }
    }
    if items.is_empty() {
        let title = "`provides` is empty: nothing could be checked";
        reader.push(reader.error("provides-empty", node.span, title));
    }
    provides
}

fn builtin_config(reader: &Reader<'_>, fields: &Fields<'_, '_>) -> BuiltinConfig {
    let default = BuiltinConfig::default();
    let number = |key: &str, what, low: f64, high: f64, default| {
        let Some(node) = fields.get(key) else { return default };
        let Some(n) = reader.number(node, what) else { return default };
        if !(low..=high).contains(&n) {
            let title = format!("{what} is {n}, expected a number from {low} to {high}");
            reader.push(reader.error("number-range", node.span, title));
        }
        n
    };
    BuiltinConfig {
        k1: number("k1", "`k1`", 0.0, 100.0, default.k1),
        b: number("b", "`b`", 0.0, 1.0, default.b),
        chunk: fields.get("chunk").and_then(|n| chunk(reader, n)).unwrap_or(default.chunk),
        top_k: fields.get("top_k").and_then(|n| size(reader, n, "`top_k`", 1)).unwrap_or(default.top_k),
        refuse_below: number("refuse_below", "`refuse_below`", 0.0, 1.0, default.refuse_below),
    }
}

fn size(reader: &Reader<'_>, node: &Node<'_>, what: &str, min: u64) -> Option<usize> {
    usize::try_from(reader.integer(node, what, min, 10_000_000)?).ok()
}

fn chunk(reader: &Reader<'_>, node: &Node<'_>) -> Option<Chunking> {
    #[derive(Clone, Copy)]
    enum By {
        Section,
        Fixed,
    }
    let fields = reader.fields(node, &CHUNK)?;
    let Some(by) = fields.get("by") else {
        let title = "`by` is missing in `chunk`";
        reader.push(reader.error("key-missing", node.span, title).help("write by = \"section\" or \"fixed\""));
        return None;
    };
    let by = reader.word(by, "`by`", &[("section", By::Section), ("fixed", By::Fixed)], &[])?;
    let foreign: &[&str] = match by {
        By::Section => &["size", "overlap"],
        By::Fixed => &["max_chars"],
    };
    for e in fields.entries.iter().filter(|e| foreign.contains(&e.key.as_ref())) {
        let title = format!("`{}` does not go with this `by`", e.key);
        reader.push(reader.error("unknown-key", e.key_span, title));
    }
    match by {
        By::Section => Some(match fields.get("max_chars").and_then(|n| size(reader, n, "`max_chars`", 1)) {
            Some(n) => Chunking::SectionMax(n),
            None => Chunking::Section,
        }),
        By::Fixed => {
            let Some(node_size) = fields.get("size") else {
                reader.push(reader.error("key-missing", node.span, "`size` is missing in `chunk`"));
                return None;
            };
            let chars = size(reader, node_size, "`size`", 1)?;
            let overlap = match fields.get("overlap") {
                Some(n) => size(reader, n, "`overlap`", 0)?,
                None => 0,
            };
            if overlap >= chars {
                let title = format!("`overlap` is {overlap}, expected less than `size` {chars}");
                reader.push(reader.error("number-range", fields.get("overlap").unwrap_or(node).span, title));
                return None;
            }
            Some(Chunking::Fixed { size: chars, overlap })
        }
    }
}

fn profile(reader: &Reader<'_>, node: &Node<'_>) -> Option<Profile> {
    let fields = reader.fields(node, &PROFILE)?;
    let repeat = fields.get("repeat").and_then(|n| reader.integer(n, "`repeat`", 1, u64::from(REPEATS)));
    let select: Option<Vec<(String, &Node<'_>)>> = fields.get("select").map(|n| match &n.value {
        Value::List(items) => items.iter().filter_map(|i| Some((quoted(reader, i, "a selector")?, i))).collect(),
        Value::Scalar(..) | Value::Map(_) => quoted(reader, n, "`select`").into_iter().map(|s| (s, n)).collect(),
    });
    for (text, node) in select.iter().flatten() {
        if let Err(why) = crate::suite::select::Selector::parse(text) {
            reader.push(reader.error("selector", node.span, why));
        }
    }
    let text = |key: &str| fields.get(key).and_then(|n| quoted(reader, n, &format!("`{key}`")));
    Some(Profile {
        inherits: text("inherits"),
        select: select.map(|s| s.into_iter().map(|(s, _)| s).collect()),
        target: text("target"),
        answers: text("answers"),
        without_keys: fields.get("without_keys").and_then(|n| reader.boolean(n, "`without_keys`")),
        policy_from: text("policy_from"),
        against: text("against"),
        repeat: repeat.and_then(|n| u32::try_from(n).ok()),
        confirm: fields.get("confirm").and_then(|n| limits::spend(reader, n)),
    })
}

/// Every profile inherits from one that is there, and none from itself.
fn inherited(reader: &Reader<'_>, node: Option<&Node<'_>>, profiles: &BTreeMap<String, Profile>) {
    for e in entries(reader, node, "`profile`") {
        let Some(parent) = profiles.get(e.key.as_ref()).and_then(|p| p.inherits.as_deref()) else { continue };
        let span = match &e.value.value {
            Value::Map(fields) => fields.iter().find(|f| f.key == "inherits").map_or(e.key_span, |f| f.value.span),
            Value::Scalar(..) | Value::List(_) => e.key_span,
        };
        if !profiles.contains_key(parent) {
            let near = or_near(parent, profiles.keys().map(String::as_str));
            let title = format!("`inherits` names a profile `{}` that is not there{near}", shown(parent));
            reader.push(reader.error("unknown-profile", span, title));
            continue;
        }
        let mut seen = vec![e.key.as_ref()];
        let mut next = Some(parent);
        while let Some(name) = next {
            if seen.contains(&name) {
                // Told once, at the first profile of the circle.
                if name == e.key {
                    let title = format!("profile `{}` inherits from itself: {}", shown(name), seen.join(" -> "));
                    reader.push(reader.error("profile-circle", span, title));
                }
                break;
            }
            seen.push(name);
            next = profiles.get(name).and_then(|p| p.inherits.as_deref());
        }
    }
}
