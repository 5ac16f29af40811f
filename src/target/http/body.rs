//! What a body is, by what is said of it and how it begins.

use crate::secret::Secrets;
use crate::target::mapping::{self, quote};
use crate::target::{Failure, FailureKind};
use reqwest::header::{CONTENT_ENCODING, CONTENT_TYPE, HeaderMap};
use serde_json::Value;
use std::borrow::Cow;

/// What the headers say of a body.
#[derive(Debug)]
pub(super) struct Said {
    /// The media type in lower case, without parameters; empty when nothing is said.
    pub(super) media: String,
    charset: Option<String>,
    encoding: Option<String>,
}

impl Said {
    pub(super) fn of(headers: &HeaderMap) -> Said {
        let get = |name| headers.get(name).map(|v| String::from_utf8_lossy(v.as_bytes()).into_owned());
        let content_type = get(CONTENT_TYPE).unwrap_or_default().to_ascii_lowercase();
        let mut parts = content_type.split(';').map(str::trim);
        let media = parts.next().unwrap_or_default().to_owned();
        let charset = parts.find_map(|p| p.strip_prefix("charset=")).map(|c| c.trim_matches('"').to_owned());
        let encoding = get(CONTENT_ENCODING).map(|e| e.trim().to_ascii_lowercase());
        Said { media, charset, encoding: encoding.filter(|e| !e.is_empty() && e != "identity") }
    }

    /// Whether it is said to be a web page: then it is none of ours, whatever stands in it.
    pub(super) fn is_page(&self) -> bool {
        self.media == "text/html" || self.media == "application/xhtml+xml"
    }

    /// Whether it is said to be JSON.
    pub(super) fn is_json(&self) -> bool {
        self.media == "application/json" || self.media.ends_with("+json")
    }

    /// Refuses what is packed: we asked for it as it is, and a small packed body may become a very large one.
    pub(super) fn unpacked(&self) -> Result<(), Failure> {
        match &self.encoding {
            None => Ok(()),
            Some(encoding) => Err(Failure::new(
                FailureKind::NotJson,
                format!("the body is compressed ({}) though nobody asked for it", quote(encoding)),
            )),
        }
    }

    /// The body as UTF-8.
    ///
    /// # Errors
    /// An encoding that is not read here. RFC 8259, section 8.1: JSON between systems is UTF-8.
    pub(super) fn decoded<'b>(&self, body: &'b [u8]) -> Result<Cow<'b, [u8]>, Failure> {
        let refuse = |name: &str| {
            Failure::new(
                FailureKind::NotJson,
                format!("the body is said to be in {}, and JSON is read in UTF-8", quote(name)),
            )
        };
        let units = |from: fn([u8; 2]) -> u16| -> Vec<u16> {
            body.chunks_exact(2).filter_map(|c| Some(from(c.try_into().ok()?))).collect()
        };
        match self.charset.as_deref() {
            None | Some("utf-8" | "utf8" | "us-ascii" | "ascii") => Ok(Cow::Borrowed(body)),
            Some(_) if body.is_ascii() => Ok(Cow::Borrowed(body)),
            Some(name @ ("iso-8859-1" | "latin1")) => {
                // Where Latin-1 has control characters, who says Latin-1 means Windows-1252.
                if body.iter().any(|b| (0x80..0xa0).contains(b)) {
                    return Err(refuse(name));
                }
                Ok(Cow::Owned(body.iter().map(|b| char::from(*b)).collect::<String>().into_bytes()))
            }
            Some(name @ ("utf-16le" | "utf-16be")) => {
                let units = if name == "utf-16le" { units(u16::from_le_bytes) } else { units(u16::from_be_bytes) };
                String::from_utf16(&units).map(|t| Cow::Owned(t.into_bytes())).map_err(|_| refuse(name))
            }
            Some(name) => Err(refuse(name)),
        }
    }
}

/// One JSON value from a whole body, without secrets.
///
/// # Errors
/// [`FailureKind::NotJson`]: a web page with its title, packed bytes, another encoding, or no JSON with its start. `from`
/// makes the address as it may be shown.
pub(super) fn json(
    said: &Said,
    body: &[u8],
    secrets: &Secrets,
    from: impl FnOnce() -> String,
) -> Result<Value, Failure> {
    said.unpacked()?;
    let body = said.decoded(body)?;
    if said.is_page() || looks_like_page(&body) {
        return Err(page(&body, secrets, &from()));
    }
    if said.media == "text/event-stream" {
        let why = format!("{}; set stream = \"sse\", or ask for one JSON value", crate::target::failure::STREAM);
        return Err(Failure::new(FailureKind::NotJson, why));
    }
    match mapping::read(&body) {
        Ok(mut value) => {
            secrets.hide_value(&mut value);
            Ok(value)
        }
        Err(why) => {
            let start = start(&body, secrets);
            let kind = if said.media.is_empty() { String::new() } else { format!(", {}", quote(&said.media)) };
            let stands = if start.is_empty() { String::new() } else { format!(": {start}") };
            Err(Failure::new(FailureKind::NotJson, format!("{why}{kind}{stands}")))
        }
    }
}

/// A web page in place of an answer.
pub(super) fn page(body: &[u8], secrets: &Secrets, from: &str) -> Failure {
    let title = title(body, secrets).map_or_else(String::new, |t| format!(" \"{t}\""));
    let why = format!("the response is a web page{title}, no JSON, from {from}");
    Failure::new(FailureKind::NotJson, why)
}

/// The start of a body in one line, without secrets. They are taken out before it is cut: half a secret is one too.
pub(super) fn start(body: &[u8], secrets: &Secrets) -> String {
    quote(&secrets.hide(&String::from_utf8_lossy(body)))
}

/// Whether bytes begin as markup does.
pub(super) fn looks_like_page(body: &[u8]) -> bool {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body).trim_ascii_start();
    body.first() == Some(&b'<')
}

/// The title of a web page.
pub(super) fn title(body: &[u8], secrets: &Secrets) -> Option<String> {
    let text = String::from_utf8_lossy(body);
    // Lower case of ASCII alone keeps every place where it is.
    let lower = text.to_ascii_lowercase();
    let open = lower.find("<title")?;
    let begin = open + lower.get(open..)?.find('>')? + 1;
    let end = begin + lower.get(begin..)?.find("</title")?;
    let title = quote(&secrets.hide(text.get(begin..end)?));
    (!title.is_empty()).then_some(title)
}
