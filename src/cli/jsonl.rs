//! Commands that answer JSON lines with JSON lines.

use anyhow::{Context as _, Result, bail};
use ragline::gate::Exit;
use serde_json::Value;
use std::io::{BufRead as _, BufReader, IsTerminal as _, Read, Write as _};
use std::path::Path;

/// A line is at most so many bytes long; a longer one is cut and cannot be read.
const LONGEST_LINE: u64 = 64 * 1024 * 1024;

/// Answers each line of a file, or of standard input, with one line. A line that cannot be read is answered with its error,
/// so that lines stay in step; the exit code then is that of a usage error. `none` is what is asked for where a person sits
/// at standard input.
pub(super) fn answer(
    file: Option<&Path>,
    none: &str,
    answer: impl Fn(&str) -> std::result::Result<Value, String>,
) -> Result<Exit> {
    let source: Box<dyn Read> = match file {
        Some(path) => Box::new(std::fs::File::open(path).with_context(|| path.display().to_string())?),
        None if std::io::stdin().is_terminal() => bail!("{none}"),
        None => Box::new(std::io::stdin()),
    };
    let mut input = BufReader::new(source);
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let mut line = Vec::new();
    let mut exit = Exit::Open;
    loop {
        line.clear();
        if (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_start_matches('\u{feff}').trim();
        if text.is_empty() {
            continue;
        }
        match answer(text) {
            Ok(answer) => writeln!(out, "{answer}")?,
            Err(why) => {
                writeln!(out, "{}", serde_json::json!({ "error": why }))?;
                exit = Exit::Usage;
            }
        }
    }
    out.flush()?;
    Ok(exit)
}
