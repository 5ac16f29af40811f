//! One look at the address that tells whether a server is ready.

use std::io;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::target::process::LINGER;

/// The most bytes of an answer that are looked at.
const MOST: usize = 8 << 10;

/// An address that can be asked. It may hold a secret, so it is not shown.
pub(super) enum Address {
    /// In the clear: asked by a few lines of our own, so that waiting for a server needs no client.
    Plain {
        /// Where to connect to.
        host: String,
        /// The port.
        port: u16,
        /// The value of `Host`.
        authority: String,
        /// Path and query.
        path: String,
    },
    /// With TLS.
    #[cfg(feature = "http")]
    Tls(String),
}

impl std::fmt::Debug for Address {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Address")
    }
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn read(text: &str) -> Result<Address, String> {
        if text.contains(|c: char| c.is_control() || c == ' ') {
            return Err("it holds blanks".to_owned());
        }
        if let Some(rest) = text.strip_prefix("http://") {
            return plain(rest);
        }
        if text.starts_with("https://") {
            #[cfg(feature = "http")]
            return Ok(Address::Tls(text.to_owned()));
            #[cfg(not(feature = "http"))]
            return Err("this build has no `http`, which https:// needs".to_owned());
        }
        Err("it begins with neither http:// nor https://".to_owned())
    }

    /// Looks once. The caller limits the time.
    ///
    /// # Errors
    /// Why it is not ready: a status that is no 2xx with what came with it, or no connection.
    pub(super) async fn look(&self) -> Result<(), String> {
        let (status, body) = match self {
            Address::Plain { host, port, authority, path } => {
                get(host, *port, authority, path).await.map_err(|e| refused(&e))?
            }
            #[cfg(feature = "http")]
            Address::Tls(url) => get_tls(url).await?,
        };
        if (200..300).contains(&status) {
            return Ok(());
        }
        Err(format!("{status} {}", body.split_whitespace().collect::<Vec<_>>().join(" ")).trim_end().to_owned())
    }
}

fn plain(rest: &str) -> Result<Address, String> {
    let rest = rest.split('#').next().unwrap_or_default();
    let at = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, path) = rest.split_at_checked(at).unwrap_or((rest, ""));
    if authority.contains('@') {
        return Err("a name and a password have no place in it".to_owned());
    }
    let (host, port) = match authority.rsplit_once(':') {
        // The colons of an address in brackets are its own.
        Some((host, port)) if !port.ends_with(']') => (host, port.parse().map_err(|_| format!("`{port}` is no port"))?),
        Some(_) | None => (authority, 80),
    };
    let host = host.strip_prefix('[').and_then(|h| h.strip_suffix(']')).unwrap_or(host);
    if host.is_empty() {
        return Err("it names no host".to_owned());
    }
    let path = if path.starts_with('/') { path.to_owned() } else { format!("/{path}") };
    Ok(Address::Plain { host: host.to_owned(), port, authority: authority.to_owned(), path })
}

/// The status and the beginning of the body.
async fn get(host: &str, port: u16, authority: &str, path: &str) -> io::Result<(u16, String)> {
    let mut stream = TcpStream::connect((host, port)).await?;
    let version = env!("CARGO_PKG_VERSION");
    let request = format!(
        "GET {path} HTTP/1.1\r\nHost: {authority}\r\nUser-Agent: ragline/{version}\r\nAccept: */*\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut bytes = Vec::new();
    let head = loop {
        if let Some(head) = memchr::memmem::find(&bytes, b"\r\n\r\n") {
            break head;
        }
        if bytes.len() > MOST || stream.read_buf(&mut bytes).await? == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "no HTTP response"));
        }
    };
    let text = String::from_utf8_lossy(bytes.get(..head).unwrap_or_default()).into_owned();
    let status = text.strip_prefix("HTTP/1.").and_then(|t| t.split(' ').nth(1)?.parse().ok());
    let Some(status) = status else {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "no HTTP response"));
    };
    // The body is only for the message, and a server may leave the connection open behind it.
    let rest = async { while bytes.len() < MOST && stream.read_buf(&mut bytes).await.is_ok_and(|n| n > 0) {} };
    if !(200..300).contains(&status) {
        let _ = timeout(LINGER, rest).await;
    }
    let body = String::from_utf8_lossy(bytes.get(head + 4..).unwrap_or_default()).into_owned();
    let chunked = text.lines().any(|l| l.to_ascii_lowercase().replace(' ', "") == "transfer-encoding:chunked");
    // Of a body in chunks the first is enough.
    let body = if chunked { body.lines().nth(1).unwrap_or_default().to_owned() } else { body };
    Ok((status, body))
}

#[cfg(feature = "http")]
async fn get_tls(url: &str) -> Result<(u16, String), String> {
    // An error says that a provider has been chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let plain = |e: reqwest::Error| {
        let mut e: &dyn std::error::Error = &e.without_url();
        while let Some(source) = e.source() {
            e = source;
        }
        e.to_string()
    };
    let client = reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build().map_err(plain)?;
    let mut response = client.get(url).send().await.map_err(plain)?;
    let status = response.status().as_u16();
    let chunk = timeout(LINGER, response.chunk()).await.ok().and_then(Result::ok).flatten().unwrap_or_default();
    Ok((status, String::from_utf8_lossy(chunk.get(..MOST).unwrap_or(&chunk)).into_owned()))
}

fn refused(e: &io::Error) -> String {
    if e.kind() == io::ErrorKind::ConnectionRefused { "connection refused".to_owned() } else { e.to_string() }
}

#[cfg(test)]
mod tests {
    use super::Address;

    fn parts(text: &str) -> (String, u16, String, String) {
        match Address::read(text).unwrap() {
            Address::Plain { host, port, authority, path } => (host, port, authority, path),
            #[cfg(feature = "http")]
            Address::Tls(url) => panic!("{url}"),
        }
    }

    #[test]
    fn addresses() {
        let own = |(h, p, a, r): (&str, u16, &str, &str)| (h.to_owned(), p, a.to_owned(), r.to_owned());
        assert_eq!(parts("http://h:8000/a?b=c#d"), own(("h", 8000, "h:8000", "/a?b=c")));
        assert_eq!(parts("http://h"), own(("h", 80, "h", "/")));
        assert_eq!(parts("http://h?x"), own(("h", 80, "h", "/?x")));
        assert_eq!(parts("http://[::1]:9"), own(("::1", 9, "[::1]:9", "/")));
        assert_eq!(parts("http://[::1]/z"), own(("::1", 80, "[::1]", "/z")));
        for wrong in ["h:80", "ftp://h", "http://", "http://h:x", "http://u:p@h", "http://h/a b", "http://h\r\nX: y"] {
            assert!(Address::read(wrong).is_err(), "{wrong}");
        }
    }
}
