//! The settings of targets that are asked anew: over HTTP, or as a command.

use crate::problem::Place;
use regex::Regex;
use serde_json_path::JsonPath;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// A text of the settings in which `${NAME}` stands for a variable of the environment. What is written here may be shown;
/// what it is filled with may not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EnvText {
    /// As written.
    pub raw: String,
    /// Where it stands.
    pub place: Place,
}

/// A target that is asked over HTTP.
#[derive(Debug, Clone)]
pub struct HttpConfig {
    /// The preset that it is built on.
    pub preset: Option<String>,
    /// The address: a template.
    pub url: EnvText,
    /// The method; POST where there is a body, else GET.
    pub method: String,
    /// Parameters of the address, in order: templates whose results are percent-encoded.
    pub query: Vec<(String, EnvText)>,
    /// Headers, in order: templates.
    pub headers: Vec<(String, EnvText)>,
    /// The body: a template of JSON in which every value is escaped as JSON.
    pub body: Option<EnvText>,
    /// Further names for the templates.
    pub vars: BTreeMap<String, String>,
    /// Where the parts of a response stand.
    pub mapping: Mapping,
    /// How a response comes; as one JSON value when nothing is said.
    pub stream: Stream,
    /// A file of certificates (PEM) to trust beside the system's.
    pub ca: Option<PathBuf>,
    /// Through which proxy: none, that of the environment, or this address.
    pub proxy: Proxy,
    /// The most bytes of a response; 8 MiB.
    pub max_body: usize,
    /// What every target that is asked anew has.
    pub live: Live,
}

/// How the body of a response comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stream {
    /// One JSON value.
    #[default]
    Json,
    /// Server-sent events whose data are JSON values.
    Sse,
    /// A JSON value a line.
    Ndjson,
}

/// Which proxy is used.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Proxy {
    /// That of HTTP_PROXY, HTTPS_PROXY, ALL_PROXY; never for this machine itself, nor for hosts in NO_PROXY.
    #[default]
    Environment,
    /// None.
    Direct,
    /// This one.
    Through(EnvText),
}

/// A target that is a program.
#[derive(Debug, Clone)]
pub struct CommandConfig {
    /// The program and its arguments; no shell. Arguments are templates.
    pub command: Vec<EnvText>,
    /// One process answers all questions, a line of JSON in, a line out; else one process a question.
    pub persistent: bool,
    /// What one process is given on its standard input: a template, of JSON where it begins as JSON does; the request as a
    /// line of JSON when nothing is said.
    pub stdin: Option<EnvText>,
    /// What it prints.
    pub output: Output,
    /// Where the parts of a response stand.
    pub mapping: Mapping,
    /// The most bytes that are taken from one answer; 8 MiB. Of its standard error only the end is kept.
    pub max_output: usize,
    /// Where it runs; the project's folder when nothing is said.
    pub folder: PathBuf,
    /// The same as the settings write it; empty when nothing is said. Unlike `folder` it is the same on every machine.
    pub folder_shown: String,
    /// Further names for the templates.
    pub vars: BTreeMap<String, String>,
    /// What every target that is asked anew has.
    pub live: Live,
}

/// What a command prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Output {
    /// A JSON value.
    #[default]
    Json,
    /// The answer, as it is.
    Text,
}

/// What every target that is asked anew has.
#[derive(Debug, Clone, PartialEq)]
pub struct Live {
    /// A server that is started for the run and stopped after it.
    pub start: Option<Start>,
    /// An address that answers 2xx when the target can be asked.
    pub ready: Option<EnvText>,
    /// How long starting and the first answer may take together; 60 s.
    pub ready_within: Duration,
    /// The same where there is something to wait for: a server that is started, an address to look at, or a time that the
    /// settings name, as for a server that others start.
    pub warm_up: Option<Duration>,
    /// The time-outs.
    pub timeouts: Timeouts,
    /// How often an attempt that failed for a passing reason is made again; 2.
    pub retries: u32,
    /// At most so many attempts in a time.
    pub rate: Option<Rate>,
    /// The file of recorded answers that `replay` and `fill` use.
    pub recording: PathBuf,
    /// What a call costs.
    pub price: Option<Price>,
}

/// A server to start: a program with its arguments, split at blanks as a shell would, without a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Start {
    /// The program and its arguments.
    pub command: Vec<EnvText>,
    /// Where it runs.
    pub folder: PathBuf,
}

/// Nested time-outs: an attempt, a question with all its attempts and waits, the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the connection stands; 5 s.
    pub connect: Duration,
    /// Between two pieces of a response; 30 s.
    pub idle: Duration,
    /// One attempt; 30 s.
    pub attempt: Duration,
    /// One question, waits included; 90 s.
    pub question: Duration,
    /// All questions; 30 min.
    pub run: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let s = Duration::from_secs;
        Timeouts { connect: s(5), idle: s(30), attempt: s(30), question: s(90), run: s(30 * 60) }
    }
}

/// At most `count` attempts in each `per`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rate {
    /// How many.
    pub count: u32,
    /// In which time.
    pub per: Duration,
}

/// The user's prices.
#[derive(Debug, Clone, PartialEq)]
pub struct Price {
    /// For a million tokens of the prompt.
    pub input: f64,
    /// For a million tokens of the answer.
    pub output: f64,
    /// For a call.
    pub call: f64,
    /// The currency, as it is printed; `$`.
    pub currency: String,
}

/// Where the parts of a response stand in the JSON that a system returns.
#[derive(Debug, Clone, Default)]
pub struct Mapping {
    /// The answer.
    pub answer: Field,
    /// The pieces of a streamed answer, in each event; they are joined.
    pub delta: Field,
    /// The passages: every node that the path selects is one.
    pub contexts: Field,
    /// The parts of a passage, from the passage.
    pub context: Parts,
    /// The citations: every node is one.
    pub citations: Field,
    /// The parts of a citation, from the citation.
    pub citation: Parts,
    /// The system's own refusal flag.
    pub refused: Field,
    /// Where the system says that it failed; what stands there makes the response an error.
    pub error: Field,
    /// Tokens of the prompt.
    pub input_tokens: Field,
    /// Tokens of the answer.
    pub output_tokens: Field,
    /// Passages come without their text, which stands in the suite's corpus.
    pub text_from_corpus: bool,
}

/// The parts of a passage or a citation.
#[derive(Debug, Clone, Default)]
pub struct Parts {
    /// The document.
    pub doc: Field,
    /// The heading path: a list, or one text.
    pub section: Field,
    /// The passage's id.
    pub chunk: Field,
    /// The address.
    pub url: Field,
    /// The text.
    pub text: Field,
    /// The retriever's score.
    pub score: Field,
    /// Place in the document, in code points.
    pub start: Field,
    /// End in the document, in code points.
    pub end: Field,
    /// Whether it was in the prompt.
    pub in_prompt: Field,
    /// A passage by its number, from 1.
    pub context: Field,
    /// Words copied from the passage.
    pub quote: Field,
}

/// Where one part stands: the first path that selects something, and how its text is made to meet ours.
#[derive(Debug, Clone, Default)]
pub struct Field {
    /// The paths, the first that selects anything but null wins; none: the response has no such part.
    pub paths: Vec<JsonPath>,
    /// What is taken off the front.
    pub strip_prefix: Option<String>,
    /// Only what follows the last `/` or `\`.
    pub basename: bool,
    /// Only what the first group matches, or the whole match; a text that does not match stays as it is.
    pub regex: Option<Regex>,
    /// What is put in place of every match, in order: the expression, and the text, in which `$1` is the first group.
    pub replace: Vec<(Regex, String)>,
    /// All letters small.
    pub lowercase: bool,
    /// Only in the events of a stream that have this name; none: in all.
    pub event: Option<String>,
}

impl Field {
    /// Whether the settings say where it stands.
    pub fn is_mapped(&self) -> bool {
        !self.paths.is_empty()
    }
}

/// `[privacy]`: what is taken out of answers before anything is written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Privacy {
    /// The kinds, as written: `email`, `phone`, `card`, `th-id`, `vn-cccd`, `zh-id`, `regex:…`.
    pub mask: Vec<String>,
    /// Phone numbers and e-mail addresses that are public, as written: neither taken out nor looked for.
    pub allow: Vec<String>,
}
