//! The presets over a real connection: a server on loopback answers with the sample of each (tests/presets), the target asks it
//! as ragline.toml says, and the answer, the passages or the error come through, streams included.

#![cfg(feature = "http")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by them")]

use ragline::suite::config::live::Stream;
use ragline::suite::config::preset::{self, Preset};
use ragline::suite::config::{self, TargetKind};
use ragline::target::response::Answer;
use ragline::target::{Corpora, Environment, FailureKind, Reply, Request, Surroundings, http, mapping};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A server that answers one request with this body and ends: its address, and the request's head and body.
fn server(kind: &'static str, body: Vec<u8>) -> (String, JoinHandle<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let run = move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let (mut seen, mut piece) = (Vec::new(), [0; 4096]);
        loop {
            let n = stream.read(&mut piece).unwrap();
            assert!(n > 0, "the request ended early");
            seen.extend_from_slice(&piece[..n]);
            let Some(at) = seen.windows(4).position(|w| w == b"\r\n\r\n") else { continue };
            let head = String::from_utf8(seen[..at].to_vec()).unwrap();
            let length =
                |l: &str| l.to_ascii_lowercase().strip_prefix("content-length: ").map(|n| n.parse::<usize>().unwrap());
            let wanted = head.lines().find_map(length).unwrap();
            if seen.len() < at + 4 + wanted {
                continue;
            }
            let head_of_answer = format!("HTTP/1.1 200 OK\r\ncontent-type: {kind}\r\nconnection: close\r\n\r\n");
            stream.write_all(head_of_answer.as_bytes()).unwrap();
            // In small pieces: characters and events are cut in the middle.
            for part in body.chunks(97) {
                stream.write_all(part).unwrap();
                stream.flush().unwrap();
            }
            return (head, seen[at + 4..].to_vec());
        }
    };
    (address, thread::spawn(run))
}

fn sample(preset: &Preset, error: &str) -> (&'static str, Vec<u8>) {
    let (kind, ending) = match preset.stream {
        Stream::Json => ("application/json", "json"),
        Stream::Sse => ("text/event-stream; charset=utf-8", "sse"),
        Stream::Ndjson => ("application/x-ndjson", "ndjson"),
    };
    let file = format!("{}/tests/presets/{}{error}.{ending}", env!("CARGO_MANIFEST_DIR"), preset.name);
    (kind, std::fs::read(&file).unwrap_or_else(|e| panic!("{file}: {e}")))
}

/// Asks one question of a target that ragline.toml describes with the preset alone.
fn ask(preset: &Preset, error: &str) -> (Reply, String, Vec<u8>) {
    let (kind, body) = sample(preset, error);
    let (address, served) = server(kind, body);
    let vars: Vec<String> = preset.needs.keys().map(|k| format!("{k} = \"shop\"")).collect();
    let (name, vars) = (preset.name, vars.join(", "));
    let text = format!(
        "version = 1\n[targets.bot]\nkind = \"http\"\npreset = \"{name}\"\nurl = \"{address}\"\nvars = {{ {vars} }}\n"
    );
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ragline.toml"), text).unwrap();
    let (project, _) = config::load(folder.path()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let TargetKind::Http(config) = &project.targets["bot"].kind else { panic!("{name}") };
    let environment: Environment = preset.variables().into_iter().map(|n| (n, "sk-shop-1234".to_owned())).collect();
    let around = Surroundings {
        name: "bot",
        provides: None,
        concurrency: 1,
        subject: None,
        environment: &environment,
        corpora: Corpora::default(),
    };
    let target = http::open(config, &around).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(
        (target.provides().answer, target.provides().contexts),
        (true, preset.mapping.contexts.is_mapped()),
        "{name}"
    );
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let request =
        Request { within: Some(Duration::from_secs(10)), ..Request::new("shop", "q1", "Bảo hành \"bao lâu\"?") };
    let reply = runtime.block_on(target.ask(request));
    // A request that never came must not leave the server waiting.
    drop(TcpStream::connect(address.trim_start_matches("http://")));
    let (head, body) = served.join().unwrap();
    (reply, head, body)
}

#[test]
fn every_preset_is_asked_and_read_over_a_connection() {
    for preset in preset::all() {
        let name = preset.name;
        let (reply, head, body) = ask(&preset, "");
        let Reply::Response(response) = reply else { panic!("{name}: {reply:?}") };
        // What the mapping gives of the same values without a connection is tested in tests/presets.rs.
        let Answer::Text(answer) = &response.answer else { panic!("{name}") };
        assert!(!answer.trim().is_empty(), "{name}");
        assert_eq!(response.contexts.is_some(), preset.mapping.contexts.is_mapped(), "{name}");
        let first = head.lines().next().unwrap();
        assert!(first.starts_with("POST /") && !first.contains("{{"), "{name}: {first}");
        let lower = head.to_ascii_lowercase();
        assert!(lower.contains("\r\ncontent-type: application/json"), "{name}: {head}");
        for (header, _) in &preset.headers {
            assert!(lower.contains(&format!("\r\n{}: ", header.to_ascii_lowercase())), "{name}: {head}");
        }
        assert_eq!(head.contains("sk-shop-1234"), !preset.headers.is_empty(), "{name}: {head}");
        let sent = mapping::json(&body).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(sent.to_string().contains(r#""Bảo hành \"bao lâu\"?""#), "{name}: {sent}");
    }
}

#[test]
fn an_error_in_a_success_fails_the_call() {
    for preset in preset::all() {
        let name = preset.name;
        let (reply, ..) = ask(&preset, ".error");
        let Reply::Failed(failure) = reply else { panic!("{name}: {reply:?}") };
        assert_eq!(failure.kind, FailureKind::ErrorBody, "{name}: {failure}");
    }
}

/// Each question is a conversation of its own.
#[test]
fn conversations_are_fresh() {
    for (name, pointer) in [("anythingllm", "/sessionId"), ("flowise", "/overrideConfig/sessionId")] {
        let preset = preset::find(name).unwrap();
        let session = || {
            let (_, _, body) = ask(&preset, "");
            let sent = mapping::json(&body).unwrap();
            sent.pointer(pointer).unwrap().as_str().unwrap().to_owned()
        };
        let (one, two) = (session(), session());
        assert!(one.len() >= 16 && one != two, "{name}: {one} {two}");
    }
    let dify = preset::find("dify").unwrap();
    let (_, _, body) = ask(&dify, "");
    assert_eq!(mapping::json(&body).unwrap()["conversation_id"], "");
}
