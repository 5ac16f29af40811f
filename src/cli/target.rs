//! `ragline target`.

use super::{say, say_error, say_problems};
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use ragline::drive::session::{self, Check, Opened};
use ragline::gate::Exit;
use ragline::report::{clean, cut};
use ragline::suite::config::{self, TargetKind};
use ragline::target::guess::Guess;
use ragline::target::response::Answer;
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct TargetArgs {
    #[command(subcommand)]
    command: TargetCommand,
}

#[derive(Debug, Subcommand)]
enum TargetCommand {
    /// Ask a target once and show what was mapped, how document names meet, and what is missing.
    Check(CheckArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// The target, as ragline.toml names it; without it the one that is asked over HTTP or as a command.
    name: Option<String>,

    /// What is asked; without it the first question of a suite.
    #[arg(long, value_name = "TEXT")]
    question: Option<String>,

    /// Print the whole response before the mapping.
    #[arg(long)]
    raw: bool,

    /// Write the proposed mapping into ragline.toml.
    #[arg(long)]
    write: bool,
}

pub(crate) fn target(folder: &Path, args: &TargetArgs) -> Result<Exit> {
    let TargetCommand::Check(args) = &args.command;
    let opened = match session::open(folder) {
        Ok(opened) => opened,
        // A target can be looked at before there is a suite.
        Err(stop) if stop.problems.0.iter().all(|p| p.code == "no-suite") => match config::load(folder) {
            Ok((project, warnings)) => Opened { project, suites: Vec::new(), warnings },
            Err(problems) => {
                say_problems(&problems);
                return Ok(Exit::Usage);
            }
        },
        Err(stop) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
    };
    let Some(name) = args.name.as_deref().or_else(|| only(&opened)) else {
        let names: Vec<&str> = opened.project.targets.keys().map(String::as_str).collect();
        say_error(&format!("error: which target? Write ragline target check NAME, of: {}", names.join(", ")));
        return Ok(Exit::Usage);
    };
    let check = match session::check(&opened, name, args.question.as_deref()) {
        Ok(check) => check,
        Err(stop) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
    };
    say(&told(&check, args.raw)?)?;
    let Some(guess) = &check.guess else {
        if args.write && check.is_mapped {
            say_error(&format!("nothing was written: target `{}` has a mapping already", check.target));
        } else if args.write {
            say_error("nothing was written: no response came that a mapping could be made of");
        }
        return Ok(if check.mapped.is_ok() { Exit::Open } else { Exit::Incomplete });
    };
    if guess.is_empty() {
        bail!(
            "nothing in the response looks like an answer; look at the whole of it with --raw, and write \
             [targets.{name}.response] by hand"
        );
    }
    let toml = guess.to_toml(name);
    if args.write {
        write(&opened.project.root.join(config::FILE), &toml, name)?;
        say_error(&format!(
            "wrote    [targets.{name}.response] into {}; it maps what stands above:\n\n{toml}",
            config::FILE
        ));
    } else {
        say(&format!("\nThis mapping fits what came; --write puts it into {}:\n\n{toml}", config::FILE))?;
    }
    Ok(Exit::Open)
}

/// The target that can be looked at, where there is just one.
fn only(opened: &Opened) -> Option<&str> {
    let mut asked = opened.project.targets.iter().filter(|(_, t)| match &t.kind {
        TargetKind::Http(_) | TargetKind::Command(_) => true,
        TargetKind::Builtin(_) | TargetKind::Recorded { .. } => false,
    });
    let (name, _) = asked.next()?;
    asked.next().is_none().then_some(name.as_str())
}

/// Puts the section at the end of the settings, where TOML lets sections stand in any order.
fn write(path: &Path, toml: &str, name: &str) -> Result<()> {
    let mut text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    if text.contains(&format!("[targets.{name}.response]")) {
        bail!("{} has a section [targets.{name}.response] already", path.display());
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push('\n');
    text.push_str(toml);
    ragline::report::file::write(path, text.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// Of a text, so much is shown.
const SHORT: usize = 200;

fn short(text: &str) -> String {
    clean::terminal(&cut::chars(text, SHORT)).into_owned()
}

/// So many events of a stream are shown, the first of each kind.
const EVENTS: usize = 8;

/// What came before the mapping: all of it, or enough to see where things stand.
fn came(check: &Check, raw: bool) -> Result<String> {
    let mut out = String::new();
    let names = check.names.iter().map(String::as_str).chain(std::iter::repeat(""));
    let mut kinds = BTreeSet::new();
    let mut left = 0;
    for (value, name) in check.values.iter().zip(names) {
        let keys: Vec<&String> = value.as_object().into_iter().flat_map(|o| o.keys()).collect();
        if !raw && (!kinds.insert((name, keys)) || kinds.len() > EVENTS) {
            left += 1;
            continue;
        }
        if !name.is_empty() {
            writeln!(out, "  event: {}", clean::terminal(name))?;
        }
        let text = serde_json::to_string_pretty(value)?;
        let shown = if raw { text } else { cut::chars(&text, 2_000) };
        shown.lines().try_for_each(|line| writeln!(out, "  {}", clean::terminal(line)))?;
    }
    if left > 0 {
        writeln!(out, "  … and {left} more events like these; --raw shows all of them")?;
    }
    Ok(out)
}

fn told(check: &Check, raw: bool) -> Result<String> {
    let mut out = String::new();
    writeln!(out, "target    {}", check.target)?;
    writeln!(out, "question  {}", short(&check.question))?;
    writeln!(out, "took      {:.2} s", check.took.as_secs_f64())?;
    for why in &check.failed {
        writeln!(out, "repeated  {}", clean::terminal(why))?;
    }
    if raw || (check.guess.is_some() && !check.values.is_empty()) {
        out.push_str(&came(check, raw)?);
    }
    if check.guess.as_ref().is_some_and(|g| !g.is_empty()) {
        writeln!(out, "\nWith the mapping below:\n")?;
    }
    match &check.mapped {
        Err(_) if check.guess.as_ref().is_some_and(Guess::is_empty) => {}
        Err(failure) => writeln!(out, "failed    {} ({})", clean::terminal(&failure.why), failure.kind.name())?,
        Ok(r) => {
            match &r.answer {
                Answer::Text(t) => writeln!(out, "answer    {}", short(t))?,
                Answer::Null | Answer::Absent => writeln!(out, "answer    (none)")?,
            }
            if let Some(refused) = r.refused {
                let from = check.refused_from.as_deref().map_or_else(String::new, |f| format!(" ({})", short(f)));
                writeln!(out, "refused   {refused}{from}")?;
            }
            if let Some(contexts) = &r.contexts {
                let from = check
                    .events
                    .map_or_else(String::new, |n| format!(" from {n} event{}", if n == 1 { "" } else { "s" }));
                writeln!(out, "passages  {}{from}", contexts.len())?;
                for c in contexts.iter().take(3) {
                    let name = [&c.doc, &c.chunk, &c.url].into_iter().flatten().next();
                    let name = name.map_or("(no name)", AsRef::as_ref);
                    writeln!(
                        out,
                        "          {}: {}",
                        clean::terminal(name),
                        short(c.text.as_deref().unwrap_or("(no text)"))
                    )?;
                }
            }
            if let Some(citations) = &r.citations {
                writeln!(out, "cited     {}", citations.len())?;
            }
            if let Some(usage) = &r.usage {
                let tokens = |n: Option<u64>| n.map_or_else(|| "?".to_owned(), |n| n.to_string());
                writeln!(out, "tokens    {} in, {} out", tokens(usage.input_tokens), tokens(usage.output_tokens))?;
            }
        }
    }
    let three = |names: Vec<&str>| clean::terminal(&names.join(", ")).into_owned();
    if !check.returned.is_empty() {
        writeln!(out, "names     theirs: {}", three(check.returned.iter().take(3).map(String::as_str).collect()))?;
        let ours = if check.known.is_empty() {
            "none: no suite names a document in `evidence`, and none has a `corpus`; write them as they stand above"
                .to_owned()
        } else {
            three(check.known.iter().take(3).map(String::as_str).collect())
        };
        writeln!(out, "          ours:   {ours}")?;
    }
    for line in &check.missing {
        writeln!(out, "missing   {}", clean::terminal(line))?;
    }
    if check.mapped.is_ok() && check.missing.is_empty() {
        writeln!(out, "all that is mapped came")?;
    }
    Ok(out)
}
