//! `ragline init`.

use super::say;
#[cfg(feature = "http")]
use super::say_problems;
use anyhow::{Context, Result, bail};
use clap::Args;
use ragline::gate::Exit;
use ragline::start;
use std::path::Path;

#[derive(Debug, Args)]
pub(crate) struct InitArgs {
    /// The language of the first questions.
    #[arg(long, value_name = "LANG", default_value = "en", value_parser = start::LANGUAGES)]
    language: String,

    /// Connect the system at this address: it is asked in the ways that are common until it answers (at most 14 requests).
    #[arg(long, value_name = "URL")]
    target: Option<String>,

    /// What it is asked.
    #[arg(long, value_name = "TEXT", requires = "target")]
    question: Option<String>,

    /// The body that it wants, a template of JSON: '{"query": {{ question }}}'. It is asked in this way alone.
    #[arg(long, value_name = "TEMPLATE", requires = "target")]
    body: Option<String>,

    /// A header of every request, such as 'Authorization: Bearer ${APP_TOKEN}'; may be given several times.
    #[arg(long, value_name = "NAME: VALUE", requires = "target")]
    header: Vec<String>,

    /// The name of the target.
    #[arg(long, value_name = "NAME", default_value = "app", requires = "target")]
    name: String,
}

pub(crate) fn init(folder: &Path, args: &InitArgs) -> Result<Exit> {
    match &args.target {
        Some(url) => live(folder, args, url),
        None => builtin(folder, args),
    }
}

fn builtin(folder: &Path, args: &InitArgs) -> Result<Exit> {
    refuse_second(folder)?;
    let files = std::iter::once(start::SETTINGS).chain(start::files(&args.language));
    let mut out = String::new();
    for (name, text) in files {
        out.push_str(&put(folder, name, text)?);
    }
    out.push_str(
        "\nnext     ragline run                                        3 questions to the builtin retriever\n         \
         ragline accept --first --reason \"first baseline\"     from then on only changes count\n",
    );
    say(&out)?;
    Ok(Exit::Open)
}

/// Suites that are there are somebody's work.
fn refuse_second(folder: &Path) -> Result<()> {
    if folder.join("suites").is_dir() {
        bail!("{} has suites already: nothing was written", folder.join("suites").display());
    }
    Ok(())
}

/// Writes a file that is not there yet.
fn put(folder: &Path, name: &str, text: &str) -> Result<String> {
    let path = folder.join(name);
    if path.exists() {
        return Ok(format!("kept     {name}\n"));
    }
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).with_context(|| format!("cannot make {}", parent.display()))?;
    }
    std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(format!("wrote    {name}\n"))
}

/// What stands in the settings under the name of a target.
#[cfg(feature = "http")]
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    /// Nothing.
    Nothing,
    /// A target over HTTP without a mapping: what an `init` that did not get through leaves.
    Unmapped,
    /// Somebody's work.
    Work,
}

#[cfg(feature = "http")]
fn before(settings: &Path, name: &str) -> Before {
    let Ok(text) = std::fs::read_to_string(settings) else { return Before::Nothing };
    let Ok(table) = text.parse::<toml::Table>() else {
        return if text.contains(&format!("[targets.{name}]")) { Before::Work } else { Before::Nothing };
    };
    let target = table.get("targets").and_then(|t| t.get(name));
    match target {
        None => Before::Nothing,
        Some(t) if t.get("response").is_some() || t.get("preset").is_some() => Before::Work,
        // Only a section of its own can be taken out as lines.
        Some(_) if !text.lines().any(|l| l.trim() == format!("[targets.{name}]")) => Before::Work,
        Some(t) if t.get("kind").and_then(toml::Value::as_str) == Some("http") => Before::Unmapped,
        Some(_) => Before::Work,
    }
}

/// Puts a section behind what the settings hold, in place of the section of the same target where there is one.
#[cfg(feature = "http")]
fn append(settings: &Path, name: &str, section: &str) -> Result<()> {
    let old = std::fs::read_to_string(settings).with_context(|| format!("cannot read {}", settings.display()))?;
    let mut text = String::new();
    let mut inside = false;
    for line in old.lines() {
        if line.trim_start().starts_with('[') {
            inside = line.trim() == format!("[targets.{name}]");
        }
        if !inside {
            text.push_str(line);
            text.push('\n');
        }
    }
    text.truncate(text.trim_end().len());
    text.push_str(&format!("\n\n{section}"));
    if text.parse::<toml::Table>().is_err() {
        bail!(
            "{}: [targets.{name}] cannot be replaced as it is written; take it out by hand, and try again",
            settings.display()
        );
    }
    ragline::report::file::write(settings, text.as_bytes())
        .with_context(|| format!("cannot write {}", settings.display()))
}

#[cfg(feature = "http")]
fn live(folder: &Path, args: &InitArgs, url: &str) -> Result<Exit> {
    use ragline::drive::session;
    use ragline::report::{clean, cut};
    let settings = folder.join("ragline.toml");
    let name = &args.name;
    let section = format!("[targets.{name}]");
    let before = before(&settings, name);
    if before == Before::Work {
        bail!(
            "{} has a section {section} already; see what it returns: ragline target check {name}, or give another --name",
            settings.display(),
        );
    }
    let question = args.question.as_deref().unwrap_or_else(|| start::first_question(&args.language));
    let known =
        session::Known { name, url, headers: &args.header, body: args.body.as_deref(), language: &args.language };
    let (toml, answer, skeleton, mut out) = match session::connect(known, question, &Default::default()) {
        Ok(found) => {
            let answer = found.answer.as_deref().unwrap_or("(none)");
            let out = format!(
                "asked    {}   ({} request{})\nanswer   {}\npassages {}\n\n",
                clean::terminal(question),
                found.requests,
                if found.requests == 1 { "" } else { "s" },
                clean::terminal(&cut::chars(answer, 200)),
                found.passages
            );
            (found.toml, found.answer, None, out)
        }
        Err(session::Unconnected::Stop(stop)) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
        Err(session::Unconnected::Skeleton { said, answered, toml }) => {
            (toml, None, Some((said, answered)), String::new())
        }
    };
    for (name, text) in start::live_files() {
        out.push_str(&put(folder, name, text)?);
    }
    append(&settings, name, &toml)?;
    let wrote = if before == Before::Unmapped { "replaced" } else { "wrote   " };
    let known = match &skeleton {
        None => "",
        Some((_, true)) => ", without a mapping",
        Some((_, false)) => " as far as it is known: not yet how the question is put",
    };
    out.push_str(&format!("{wrote} {section} in ragline.toml{known}\n"));
    out.push_str(&first_suite(folder, args, question, answer.as_deref())?);
    if let Some((said, answered)) = skeleton {
        say(&out)?;
        let said = clean::terminal(&said);
        if answered {
            bail!(
                "{url} took the question, and where the answer stands was not found out; it says: {said}\n  \
                 help: ragline target check {name} --raw shows all of it; write [targets.{name}.response] from that"
            );
        }
        bail!(
            "{url} wants the question in a way that was not found out; it says: {said}\n  \
             help: give the body that it wants: the same command with --body '{{\"query\": {{{{ question }}}}}}'; or write `body` \
             into ragline.toml, then: ragline target check {name} --write"
        );
    }
    out.push_str(&format!(
        "\nnext     ragline target check {name}     what is mapped, and whether document names meet\n         \
         ragline run                  then write facts into suites/first.yaml and run again\n"
    ));
    say(&out)?;
    Ok(Exit::Open)
}

/// The first suite, where there is none yet.
#[cfg(feature = "http")]
fn first_suite(folder: &Path, args: &InitArgs, question: &str, answer: Option<&str>) -> Result<String> {
    const FIRST: &str = "suites/first.yaml";
    let suite = start::live_suite(&args.language, &args.name, question, answer);
    if !folder.join("suites").is_dir() {
        return put(folder, FIRST, &suite);
    }
    // What an `init` that did not get through left, and nobody has touched, is written anew with the answer.
    let untouched = start::live_suite(&args.language, &args.name, question, None);
    if std::fs::read_to_string(folder.join(FIRST)).is_ok_and(|old| old == untouched) {
        ragline::report::file::write(&folder.join(FIRST), suite.as_bytes())
            .with_context(|| format!("cannot write {FIRST}"))?;
        return Ok(format!("wrote    {FIRST}\n"));
    }
    Ok(format!("         write `target: {}` into the suites that ask it, or run with --target {0}\n", args.name))
}

#[cfg(not(feature = "http"))]
fn live(_folder: &Path, _args: &InitArgs, _url: &str) -> Result<Exit> {
    bail!("this build has no `http`; build with the feature `http`")
}
