//! What `ragline init` writes: a small project that runs at once, in the language of its questions.

/// A file of the start: its path in the project, and its text.
pub type StartFile = (&'static str, &'static str);

/// The policy of a new project: the defaults, each said.
const THRESHOLDS: StartFile = ("thresholds.toml", include_str!("start/thresholds.toml"));

/// The settings of a new project that asks the builtin retriever.
pub const SETTINGS: StartFile = ("ragline.toml", include_str!("start/ragline.toml"));

/// The languages that there is a start in.
pub const LANGUAGES: [&str; 4] = ["en", "vi", "th", "zh"];

/// The suite, its document and the policy in a language; English where there is no start in that language.
pub fn files(language: &str) -> [StartFile; 3] {
    let base = language.split('-').next().unwrap_or_default();
    let (suite, document) = match base {
        "vi" => (include_str!("start/vi/first.yaml"), ("corpus/doi-tra.md", include_str!("start/vi/doi-tra.md"))),
        "th" => (include_str!("start/th/first.yaml"), ("corpus/returns.md", include_str!("start/th/returns.md"))),
        "zh" => (include_str!("start/zh/first.yaml"), ("corpus/returns.md", include_str!("start/zh/returns.md"))),
        _ => (include_str!("start/en/first.yaml"), ("corpus/returns.md", include_str!("start/en/returns.md"))),
    };
    [("suites/first.yaml", suite), document, THRESHOLDS]
}
