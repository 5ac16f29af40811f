//! TLS: only servers that somebody vouches for, the user's own authority among them.
#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests fail by a panic")]

mod server_kit;

use ragline::target::{Again, FailureKind};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use server_kit::asking::{answer, failure, open, response};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

fn file(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server_kit/tls").join(name);
    path.to_str().unwrap().to_owned()
}

/// A server that speaks TLS on so many connections, one after the other, one request on each; and its port.
fn server(connections: usize) -> (u16, JoinHandle<Vec<String>>) {
    let read = |name| std::fs::read(file(name)).unwrap();
    let chain: Vec<_> = CertificateDer::pem_slice_iter(&read("server.pem")).map(Result::unwrap).collect();
    let key = PrivateKeyDer::from_pem_slice(&read("server.key")).unwrap();
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let thread = std::thread::spawn(move || {
        let mut heads = Vec::new();
        for stream in listener.incoming().take(connections) {
            let stream = stream.unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
            let mut tls = StreamOwned::new(ServerConnection::new(Arc::clone(&config)).unwrap(), stream);
            let mut got = Vec::new();
            let mut piece = [0; 4096];
            // The request ends with its body, `{"q": "?"}`.
            while !got.ends_with(b"}") {
                match tls.read(&mut piece) {
                    Ok(n) if n > 0 => got.extend_from_slice(&piece[..n]),
                    Ok(_) | Err(_) => break,
                }
            }
            heads.push(String::from_utf8(got).unwrap());
            let _ = tls
                .write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 17\r\nconnection: close\r\n\r\n{\"answer\": \"yes\"}");
            tls.conn.send_close_notify();
            let _ = tls.flush();
        }
        heads
    });
    (port, thread)
}

fn settings(host: &str, port: u16, ca: &str) -> String {
    format!(
        "url = \"https://{host}:{port}/ask\"\nbody = '{{\"q\": {{{{ question }}}}}}'\n{ca}\n\
         [targets.shop.response]\nanswer = \"$.answer\"\n"
    )
}

#[test]
fn the_users_own_authority_vouches_for_a_server() {
    let (port, thread) = server(2);
    let ca = format!("ca = '{}'", file("ca.pem"));
    for host in ["127.0.0.1", "localhost"] {
        assert_eq!(answer(&response(&open(&settings(host, port, &ca)), "?")), "yes");
    }
    let heads = thread.join().unwrap();
    assert!(heads.iter().all(|h| h.starts_with("POST /ask HTTP/1.1\r\n")), "{heads:?}");
}

#[test]
fn a_server_that_nobody_vouches_for_is_not_asked() {
    let (port, thread) = server(1);
    // An authority that signed something else: the server's certificate is none.
    let f = failure(&open(&settings("127.0.0.1", port, &format!("ca = '{}'", file("server.pem")))), "?");
    assert_eq!((f.kind, f.again), (FailureKind::Connect, Again::Never), "{f}");
    assert!(f.why.contains("certificate") && f.why.contains("`ca`"), "{f}");
    assert_eq!(thread.join().unwrap(), [""], "nothing was sent");
}
