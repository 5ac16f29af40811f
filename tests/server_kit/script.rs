//! What a server sends, byte by byte.

use std::fmt::Write as _;
use std::time::Duration;

/// One step of a reply.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// These bytes, in a write of their own.
    Send(Vec<u8>),
    /// Nothing for this time.
    Wait(Duration),
    /// These bytes again and again, until the client goes away.
    Endless(Vec<u8>),
    /// The connection is closed, as a server does that ends in order.
    Close,
    /// The connection is reset, as when a server dies.
    Reset,
}

/// The steps of one reply. After the last the connection is kept open for the next request.
#[derive(Debug, Clone, Default)]
pub(crate) struct Script {
    pub(crate) steps: Vec<Step>,
}

impl Script {
    /// A whole reply with its length; `headers` are lines without their ends.
    pub(crate) fn reply(status: u16, headers: &[&str], body: impl AsRef<[u8]>) -> Script {
        let length = format!("content-length: {}", body.as_ref().len());
        let mut lines = headers.to_vec();
        lines.push(&length);
        // Head and body in one write, as servers do.
        let mut bytes = head(status, &lines);
        bytes.extend(body.as_ref());
        Script::raw(bytes)
    }

    /// A whole reply of JSON.
    pub(crate) fn json(status: u16, body: &str) -> Script {
        Script::reply(status, &["content-type: application/json"], body)
    }

    /// A web page.
    pub(crate) fn html(status: u16, body: &str) -> Script {
        Script::reply(status, &["content-type: text/html; charset=utf-8"], body)
    }

    /// Sent elsewhere.
    pub(crate) fn redirect(status: u16, location: &str) -> Script {
        Script::reply(status, &[&format!("location: {location}")], "")
    }

    /// A reply whose body comes in chunks; a piece is a chunk and a write.
    pub(crate) fn chunked(status: u16, headers: &[&str], pieces: &[&[u8]]) -> Script {
        let mut script = Script::open_chunks(status, headers);
        for piece in pieces.iter().filter(|p| !p.is_empty()) {
            script = script.chunk(piece);
        }
        script.end_chunks()
    }

    /// The head of a reply whose body comes in chunks.
    pub(crate) fn open_chunks(status: u16, headers: &[&str]) -> Script {
        let mut lines = headers.to_vec();
        lines.push("transfer-encoding: chunked");
        Script::raw(head(status, &lines))
    }

    /// A head that promises so many bytes, without any of them.
    pub(crate) fn promise(status: u16, headers: &[&str], length: usize) -> Script {
        let length = format!("content-length: {length}");
        let mut lines = headers.to_vec();
        lines.push(&length);
        Script::raw(head(status, &lines))
    }

    /// Nothing at all, for ever (the server gives up after a minute).
    pub(crate) fn silence() -> Script {
        Script::default().wait(Duration::from_secs(60))
    }

    /// Closed without a byte.
    pub(crate) fn close_at_once() -> Script {
        Script::default().close()
    }

    /// Exactly these bytes.
    pub(crate) fn raw(bytes: impl Into<Vec<u8>>) -> Script {
        Script { steps: vec![Step::Send(bytes.into())] }
    }

    /// Then these bytes.
    pub(crate) fn then(mut self, bytes: impl Into<Vec<u8>>) -> Script {
        self.steps.push(Step::Send(bytes.into()));
        self
    }

    /// Then one chunk.
    pub(crate) fn chunk(self, bytes: impl AsRef<[u8]>) -> Script {
        let bytes = bytes.as_ref();
        let mut piece = format!("{:x}\r\n", bytes.len()).into_bytes();
        piece.extend(bytes);
        piece.extend(b"\r\n");
        self.then(piece)
    }

    /// Then the end of the chunks.
    pub(crate) fn end_chunks(self) -> Script {
        self.then(*b"0\r\n\r\n")
    }

    /// Then the bytes one at a time, with a pause before each.
    pub(crate) fn drip(mut self, bytes: impl AsRef<[u8]>, pause: Duration) -> Script {
        for byte in bytes.as_ref() {
            self = self.wait(pause).then(vec![*byte]);
        }
        self
    }

    /// Then nothing for a time.
    pub(crate) fn wait(mut self, time: Duration) -> Script {
        self.steps.push(Step::Wait(time));
        self
    }

    /// Nothing for a time, then all the rest.
    pub(crate) fn after(mut self, time: Duration) -> Script {
        self.steps.insert(0, Step::Wait(time));
        self
    }

    /// Then the same bytes until the client goes away.
    pub(crate) fn endless(mut self, bytes: impl Into<Vec<u8>>) -> Script {
        self.steps.push(Step::Endless(bytes.into()));
        self
    }

    /// Then the connection is closed in order.
    pub(crate) fn close(mut self) -> Script {
        self.steps.push(Step::Close);
        self
    }

    /// Then the connection is reset.
    pub(crate) fn reset(mut self) -> Script {
        self.steps.push(Step::Reset);
        self
    }
}

fn head(status: u16, lines: &[&str]) -> Vec<u8> {
    let mut text = format!("HTTP/1.1 {status} {}\r\n", reason(status));
    for line in lines {
        let _ = write!(text, "{line}\r\n");
    }
    text.push_str("\r\n");
    text.into_bytes()
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        301 => "Moved Permanently",
        302 => "Found",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        401 => "Unauthorized",
        404 => "Not Found",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        503 => "Service Unavailable",
        _ => "Whatever",
    }
}
