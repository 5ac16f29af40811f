//! `ragline inspect LAYER`, asked as a user would: the real binary, JSON lines in and out.
#![allow(dead_code, clippy::unwrap_used, clippy::panic, reason = "each test file uses a part, and fails by a panic")]

use serde_json::{Value, json};
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

/// One call about numbers, with what stands on its input.
pub(crate) fn binary(args: &[&str], input: &str) -> Output {
    inspect("numbers", args, input)
}

/// One call about a layer.
pub(crate) fn inspect(layer: &str, args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ragline"));
    command.args(["inspect", layer]).args(args);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let done = child.wait_with_output().unwrap();
    let _ = writer.join();
    done
}

/// One answer about numbers for each row, in order.
pub(crate) fn ask(rows: &[Value]) -> Vec<Value> {
    ask_of("numbers", rows)
}

/// One answer about a layer for each row, in order.
pub(crate) fn ask_of(layer: &str, rows: &[Value]) -> Vec<Value> {
    let input: String = rows.iter().map(|r| format!("{r}\n")).collect();
    let done = inspect(layer, &[], &input);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let out: Vec<Value> =
        String::from_utf8(done.stdout).unwrap().lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert_eq!(out.len(), rows.len());
    out
}

/// What a text states, as the tables write it: `value unit kind`, readings joined by `|`, `~` for what counts as evidence
/// only.
pub(crate) fn shown(mentions: &Value) -> String {
    let one = |m: &Value| {
        let readings: Vec<&str> = m["readings"].as_array().unwrap().iter().map(|r| r.as_str().unwrap()).collect();
        assert_eq!(readings[0], m["value"].as_str().unwrap());
        let unit = m["unit"].as_str().map(|u| format!(" {u}")).unwrap_or_default();
        let kind = match m["kind"].as_str().unwrap() {
            "number" | "quantity" | "money" | "percent" => String::new(),
            kind => format!(" {kind}"),
        };
        let evidence = if m["claim"] == json!(true) { "" } else { " ~" };
        format!("{}{unit}{kind}{evidence}", readings.join("|"))
    };
    mentions["mentions"].as_array().unwrap().iter().map(one).collect::<Vec<_>>().join(", ")
}
