//! What a status that is no success means for another attempt.

use super::body::{self, Said};
use super::retry_after::retry_after;
use crate::secret::Secrets;
use crate::target::mapping;
use crate::target::{Again, Failure, FailureKind};
use jiff::Timestamp;
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The failure of a response whose status is neither a success nor a redirect. `body` is its start.
pub(super) fn failure(status: StatusCode, headers: &HeaderMap, body: &[u8], secrets: &Secrets) -> Failure {
    let said = Said::of(headers);
    let text = if said.unpacked().is_err() {
        None
    } else if said.is_page() || body::looks_like_page(body) {
        body::title(body, secrets).map(|t| format!("a web page \"{t}\""))
    } else {
        Some(body::start(body, secrets)).filter(|t| !t.is_empty())
    };
    let error = mapping::read(body).ok().and_then(|mut value| {
        secrets.hide_value(&mut value);
        mapping::of_body(&value)
    });
    let text = error.as_ref().map(|e| e.message.clone()).or(text);
    let reason = status.canonical_reason().map_or_else(String::new, |r| format!(" {r}"));
    let why = format!("HTTP {}{reason}{}", status.as_u16(), text.map_or_else(String::new, |t| format!(": {t}")));
    if error.as_ref().is_some_and(|e| e.spent) {
        return Failure::new(FailureKind::RateLimited, format!("the quota is used up, {why}")).again(Again::Never);
    }
    let again = match asked_to_wait(headers, Timestamp::now()) {
        Some(wait) => Again::After(wait),
        None => Again::Soon,
    };
    match status.as_u16() {
        429 => Failure::new(FailureKind::RateLimited, format!("rate limited, {why}")).again(again),
        503 => Failure::new(FailureKind::Status, why).again(again),
        // What the server cannot do at all: 501, 505, 506, 508, 510, 511.
        501 | 505 | 506 | 508 | 510 | 511 => Failure::new(FailureKind::Status, why).again(Again::Never),
        // 408 and 425 ask for another attempt (RFC 9110, section 15.5.9; RFC 8470, section 5.2). Beyond 504: what proxies
        // and providers send while their servers are away (520 to 529).
        408 | 425 | 500.. => Failure::new(FailureKind::Status, why).again(Again::Soon),
        _ => Failure::new(FailureKind::Status, why).again(Again::Never),
    }
}

/// How long the server asks to be left alone.
fn asked_to_wait(headers: &HeaderMap, now: Timestamp) -> Option<std::time::Duration> {
    let text = |name| headers.get(name).and_then(|v| v.to_str().ok());
    retry_after(text(RETRY_AFTER)?, text(DATE), now)
}
