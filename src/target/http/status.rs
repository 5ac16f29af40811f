//! What a status that is no success means for another attempt.

use super::body::{self, Said};
use super::retry_after::retry_after;
use crate::secret::Secrets;
use crate::target::mapping;
use crate::target::{Again, Failure, FailureKind};
use jiff::Timestamp;
use reqwest::StatusCode;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};

/// The failure of a response whose status is neither a success nor a redirect. `body` is its start, `asked` the request as it
/// may be shown (`POST http://127.0.0.1:8000/chat`).
pub(super) fn failure(
    status: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    secrets: &Secrets,
    asked: impl FnOnce() -> String,
) -> Failure {
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
    // Where nothing stands, or not for this method, the place is what is wrong.
    let place = matches!(status.as_u16(), 404 | 405 | 410).then(|| format!(" ({})", asked())).unwrap_or_default();
    // Many frameworks say no more than the status does.
    let text = text.filter(|t| status.canonical_reason() != Some(t.as_str()));
    let text = text.map_or_else(String::new, |t| format!(": {t}"));
    let why = format!("HTTP {}{reason}{place}{text}", status.as_u16());
    if error.as_ref().is_some_and(|e| e.spent) {
        return Failure::new(FailureKind::RateLimited, format!("the quota is used up, {why}")).again(Again::Never);
    }
    let again = match asked_to_wait(headers, Timestamp::now()) {
        Some(wait) => Again::After(wait),
        None => Again::Soon,
    };
    // Some say by another status that they are asked too fast (403 and 400 with a name for it).
    let limited = status.is_client_error() && error.as_ref().is_some_and(|e| e.limited);
    match status.as_u16() {
        _ if limited => Failure::new(FailureKind::RateLimited, format!("rate limited, {why}")).again(again),
        429 => Failure::new(FailureKind::RateLimited, format!("rate limited, {why}")).again(again),
        // What the server cannot do at all: 501, 505, 506, 508, 510, 511.
        501 | 505 | 506 | 508 | 510 | 511 => Failure::new(FailureKind::Status, why).again(Again::Never),
        // 408 and 425 ask for another attempt (RFC 9110, section 15.5.9; RFC 8470, section 5.2). Beyond 504: what proxies
        // and providers send while their servers are away (520 to 529).
        // A `Retry-After` may stand with any of them.
        408 | 425 | 500.. => Failure::new(FailureKind::Status, why).again(again),
        _ => Failure::new(FailureKind::Status, why).again(Again::Never),
    }
}

/// How long the server asks to be left alone.
fn asked_to_wait(headers: &HeaderMap, now: Timestamp) -> Option<std::time::Duration> {
    let text = |name| headers.get(name).and_then(|v| v.to_str().ok());
    retry_after(text(RETRY_AFTER)?, text(DATE), now)
}
