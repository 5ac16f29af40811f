//! Secrets are taken out of what a target gave. A text is looked at where it is whole: what a stream, or the parts of an
//! answer, cut in two is a secret again once they are joined.

use super::response::{Answer, OwnedResponse};
use super::{Failure, Reply};
use crate::secret::Secrets;
use std::borrow::Cow;

/// Takes the secrets out of every text of a reply.
pub(crate) fn reply(reply: Reply, secrets: &Secrets) -> Reply {
    if secrets.is_empty() {
        return reply;
    }
    match reply {
        Reply::Response(mut r) => {
            response(&mut r, secrets);
            Reply::Response(r)
        }
        Reply::Line { bytes, line } => match std::str::from_utf8(&bytes).map(|text| secrets.hide(text)) {
            Ok(Cow::Owned(hidden)) => Reply::Line { bytes: hidden.into_bytes(), line },
            Ok(Cow::Borrowed(_)) | Err(_) => Reply::Line { bytes, line },
        },
        Reply::Missing(why) => Reply::Missing(secrets.hide(&why).into_owned()),
        Reply::Failed(f) => Reply::Failed(Failure { why: secrets.hide(&f.why).into_owned(), ..f }),
    }
}

/// Takes the secrets out of every text of a response.
pub(crate) fn response(response: &mut OwnedResponse, secrets: &Secrets) {
    if secrets.is_empty() {
        return;
    }
    let mut texts: Vec<&mut Cow<'static, str>> = Vec::new();
    texts.extend(&mut response.error);
    if let Answer::Text(answer) = &mut response.answer {
        texts.push(answer);
    }
    for c in response.contexts.iter_mut().flatten() {
        texts.extend([&mut c.doc, &mut c.chunk, &mut c.url, &mut c.text].into_iter().flatten());
        texts.extend(&mut c.section);
    }
    for c in response.citations.iter_mut().flatten() {
        texts.extend([&mut c.doc, &mut c.chunk, &mut c.url, &mut c.quote].into_iter().flatten());
        texts.extend(&mut c.section);
    }
    for text in texts {
        if let Cow::Owned(hidden) = secrets.hide(text) {
            *text = Cow::Owned(hidden);
        }
    }
}
