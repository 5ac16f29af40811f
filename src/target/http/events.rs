//! Bodies that come in pieces: server-sent events (<https://html.spec.whatwg.org/multipage/server-sent-events.html>) and a
//! JSON value a line. Both are read as bytes, so that a character that was cut between two pieces is whole again.

use crate::secret::Secrets;
use crate::suite::config::live::Stream;
use crate::target::{Failure, FailureKind, mapping};
use serde_json::Value;

/// Names of events that say no more than that the server is alive.
const SIGNS_OF_LIFE: [&str; 4] = ["ping", "heartbeat", "keepalive", "keep-alive"];

/// A stream that is being read.
#[derive(Debug)]
pub struct Events<'s> {
    secrets: &'s Secrets,
    sse: bool,
    /// The line that has begun.
    line: Vec<u8>,
    /// The last byte was a CR: a LF after it belongs to it.
    after_cr: bool,
    first_line: bool,
    /// The data of the event that has begun.
    data: Option<Vec<u8>>,
    /// Its name.
    name: String,
    whole: Whole,
    done: bool,
}

/// What a stream held.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Whole {
    /// The data of its events, in order of arrival.
    pub values: Vec<Value>,
    /// The name of each, as its `event:` line says; empty where there is none.
    pub names: Vec<String>,
    /// It said itself that it was over.
    pub done: bool,
}

impl<'s> Events<'s> {
    /// Nothing has come yet. What must not be shown is taken out of every value.
    pub fn new(stream: Stream, secrets: &'s Secrets) -> Self {
        Events {
            secrets,
            sse: stream == Stream::Sse,
            line: Vec::new(),
            after_cr: false,
            first_line: true,
            data: None,
            name: String::new(),
            whole: Whole::default(),
            done: false,
        }
    }

    /// Whether the stream has said that it is over: nothing more is read then.
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Reads on.
    ///
    /// # Errors
    /// An event that is no JSON, or that says that the system failed.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), Failure> {
        while let Some((&first, tail)) = bytes.split_first().filter(|_| !self.done) {
            if std::mem::take(&mut self.after_cr) && first == b'\n' {
                bytes = tail;
                continue;
            }
            // A line of NDJSON ends with LF; a CR before it is white space for JSON.
            let end = if self.sse { memchr::memchr2(b'\n', b'\r', bytes) } else { memchr::memchr(b'\n', bytes) };
            let Some((line, rest)) = end.and_then(|at| bytes.split_at_checked(at)) else {
                self.line.extend_from_slice(bytes);
                return Ok(());
            };
            self.line.extend_from_slice(line);
            self.after_cr = rest.first() == Some(&b'\r');
            bytes = rest.get(1..).unwrap_or_default();
            self.end_line()?;
        }
        Ok(())
    }

    /// What a stream held whose connection has ended.
    ///
    /// # Errors
    /// [`FailureKind::Cut`] where it ended in the middle of an event; otherwise as for [`Events::push`].
    pub fn finish(mut self) -> Result<Whole, Failure> {
        let cut = |f: Failure| {
            if f.kind != FailureKind::NotJson {
                return f;
            }
            Failure::new(FailureKind::Cut, format!("the stream ended in the middle: {}", f.why))
        };
        if !self.done {
            if !self.line.is_empty() {
                self.end_line().map_err(cut)?;
            }
            self.dispatch().map_err(cut)?;
        }
        Ok(Whole { done: self.done, ..self.whole })
    }

    fn end_line(&mut self) -> Result<(), Failure> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if std::mem::take(&mut self.first_line) {
            line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
        }
        if !self.sse {
            if line.iter().all(u8::is_ascii_whitespace) {
                return Ok(());
            }
            return self.value(line, "");
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let (field, value) = match memchr::memchr(b':', line).and_then(|at| line.split_at_checked(at)) {
            Some((field, value)) => {
                let value = value.get(1..).unwrap_or_default();
                (field, value.strip_prefix(b" ").unwrap_or(value))
            }
            None => (line, &b""[..]),
        };
        match field {
            b"data" => match &mut self.data {
                Some(data) => {
                    data.push(b'\n');
                    data.extend_from_slice(value);
                }
                None => self.data = Some(value.to_vec()),
            },
            b"event" => self.name = String::from_utf8_lossy(value).into_owned(),
            // A comment (its field is empty), an id, a time for reconnecting, or what nobody knows.
            _ => {}
        }
        Ok(())
    }

    /// An event is whole.
    fn dispatch(&mut self) -> Result<(), Failure> {
        let name = std::mem::take(&mut self.name);
        let Some(data) = self.data.take() else { return Ok(()) };
        let data = data.trim_ascii();
        // Outside JSON, as OpenAI ends its streams: https://platform.openai.com/docs/api-reference/chat-streaming
        if data == b"[DONE]" {
            self.done = true;
            return Ok(());
        }
        if name == "error" {
            let said = self.decoded(data).unwrap_or_else(|_| Value::String(self.shown(data)));
            return Err(mapping::error_event(&said));
        }
        if data.is_empty() || (SIGNS_OF_LIFE.contains(&name.as_str()) && self.decoded(data).is_err()) {
            return Ok(());
        }
        self.value(data, &name)
    }

    fn value(&mut self, data: &[u8], name: &str) -> Result<(), Failure> {
        match self.decoded(data) {
            Ok(value) => {
                self.whole.values.push(value);
                self.whole.names.push(self.secrets.hide(name).into_owned());
                Ok(())
            }
            Err(why) => {
                let what = if self.sse { "an event of the stream" } else { "a line of the stream" };
                Err(Failure::new(
                    FailureKind::NotJson,
                    format!("{what} is no JSON: {} ({why})", mapping::quote(&self.shown(data))),
                ))
            }
        }
    }

    fn decoded(&self, data: &[u8]) -> Result<Value, String> {
        let mut value = mapping::read(data)?;
        self.secrets.hide_value(&mut value);
        Ok(value)
    }

    fn shown(&self, data: &[u8]) -> String {
        self.secrets.hide(&String::from_utf8_lossy(data)).into_owned()
    }
}

/// Whether a stream that has come to an end was whole, as far as its protocol says: OpenAI's ends with `[DONE]` or gives a
/// reason for its finish, Ollama's last line has `"done": true`
/// (<https://github.com/ollama/ollama/blob/main/docs/api.md>). A protocol that has no end mark is whole with its connection.
pub fn is_whole(events: &[Value], done: bool) -> bool {
    if done {
        return true;
    }
    let choices = |e: &Value| e.get("choices").and_then(Value::as_array).cloned();
    if events.iter().any(|e| choices(e).is_some_and(|c| c.iter().any(|c| c.get("delta").is_some()))) {
        let finished = |c: &Value| c.get("finish_reason").is_some_and(|r| !r.is_null());
        return events.iter().filter_map(choices).any(|c| c.iter().any(finished));
    }
    match events.last().and_then(|e| e.get("done")) {
        Some(Value::Bool(done)) => *done,
        Some(_) | None => true,
    }
}
