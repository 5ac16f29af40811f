//! One process per question.

use super::endings::Endings;
use super::launch::{Launch, Limits};
use crate::target::Failure;
use crate::target::process::{LINGER, Running, reached};
use std::future::pending;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{ChildStdin, ChildStdout};
use tokio::time::{Instant, timeout};

/// Runs a process, gives it its input and takes what it prints. Its group is gone when this returns, or on its way out.
///
/// # Errors
/// It cannot be run, ends with a status that is no success, prints too much, or takes too long.
pub(super) async fn ask(
    launch: &Launch<'_>,
    input: &str,
    limits: Limits,
    endings: &Endings,
) -> Result<Vec<u8>, Failure> {
    let mut running = launch.start()?;
    let Ok(printed) = timeout(limits.within, run(&mut running, input.as_bytes(), limits.bytes)).await else {
        let late = launch.late(&running, limits);
        // A question's time is not spent on the grace of its process.
        endings.end(running);
        return Err(late);
    };
    // What is left of the group has nothing to say any more: the answer is taken.
    let status = running.kill().await;
    match printed {
        None => Err(launch.too_large(limits)),
        Some(bytes) if status.is_some_and(|s| s.success()) => Ok(bytes),
        Some(_) => Err(launch.ended(&mut running, status, "").await),
    }
}

/// Feeds and reads a process until it has ended. None where it prints more than so many bytes.
async fn run(running: &mut Running, mut input: &[u8], most: usize) -> Option<Vec<u8>> {
    let (mut stdin, mut stdout) = (running.stdin.take(), running.stdout.take());
    let mut printed = Vec::new();
    let mut bytes = vec![0; 64 << 10];
    let mut over: Option<Instant> = None;
    let exited = running.exited();
    tokio::pin!(exited);
    loop {
        if over.is_some() && stdout.is_none() {
            return Some(printed);
        }
        tokio::select! {
            // In this order: on a busy machine the wait can be over before what was printed has been read.
            biased;
            n = read(&mut stdout, &mut bytes), if stdout.is_some() => match n {
                0 => stdout = None,
                n => {
                    printed.extend_from_slice(bytes.get(..n).unwrap_or_default());
                    if printed.len() > most {
                        return None;
                    }
                }
            },
            n = write(&mut stdin, input), if stdin.is_some() => {
                input = input.get(n..).unwrap_or_default();
                // A program that does not read has closed its end: that is its right.
                if n == 0 || input.is_empty() {
                    stdin = None;
                }
            },
            () = &mut exited, if over.is_none() => over = Some(Instant::now() + LINGER),
            // A grandchild may hold the pipe for ever. What the program itself printed is read by then.
            () = reached(over) => return Some(printed),
        }
    }
}

/// How many bytes came; 0 at the end.
async fn read(from: &mut Option<ChildStdout>, bytes: &mut [u8]) -> usize {
    match from {
        Some(from) => from.read(bytes).await.unwrap_or(0),
        None => pending().await,
    }
}

/// How many bytes went; 0 where nobody takes any.
async fn write(to: &mut Option<ChildStdin>, bytes: &[u8]) -> usize {
    match to {
        Some(to) => to.write(bytes).await.unwrap_or(0),
        None => pending().await,
    }
}
