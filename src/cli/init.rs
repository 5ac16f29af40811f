//! `ragline init`.

use super::{say, say_problems};
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

/// Puts a section behind what the settings hold.
#[cfg(feature = "http")]
fn append(settings: &Path, section: &str) -> Result<()> {
    let mut text = std::fs::read_to_string(settings).with_context(|| format!("cannot read {}", settings.display()))?;
    text.push_str(&format!("\n{section}"));
    ragline::report::file::write(settings, text.as_bytes())
        .with_context(|| format!("cannot write {}", settings.display()))
}

#[cfg(feature = "http")]
fn live(folder: &Path, args: &InitArgs, url: &str) -> Result<Exit> {
    use ragline::drive::session;
    use ragline::report::{clean, cut};
    let settings = folder.join("ragline.toml");
    let section = format!("[targets.{}]", args.name);
    if std::fs::read_to_string(&settings).is_ok_and(|text| text.contains(&section)) {
        bail!(
            "{} has a section {section} already; see what it returns: ragline target check {}",
            settings.display(),
            args.name
        );
    }
    let question = args.question.as_deref().unwrap_or_else(|| start::first_question(&args.language));
    let found = match session::connect(&args.name, url, &args.header, question, &Default::default()) {
        Ok(found) => found,
        Err(session::Unconnected::Stop(stop)) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
        Err(session::Unconnected::Skeleton { said, toml }) => {
            let mut out = String::new();
            for (name, text) in start::live_files() {
                out.push_str(&put(folder, name, text)?);
            }
            append(&settings, &toml)?;
            out.push_str(&format!("wrote    {section} into ragline.toml as far as it is known\n"));
            say(&out)?;
            bail!(
                "{url} wants the question in a way that was not found out; it says: {said}\n  \
                 help: write `body` as it wants it, then: ragline target check {} --write",
                args.name
            );
        }
    };
    let mut out = format!("asked    {question}   ({} requests)\n", found.requests);
    let answer = found.answer.as_deref();
    out.push_str(&format!("answer   {}\n", clean::terminal(&cut::chars(answer.unwrap_or("(none)"), 200))));
    out.push_str(&format!("passages {}\n\n", found.passages));
    let fresh = !folder.join("suites").is_dir();
    for (name, text) in start::live_files() {
        out.push_str(&put(folder, name, text)?);
    }
    append(&settings, &found.toml)?;
    out.push_str(&format!("wrote    {section} into ragline.toml\n"));
    if fresh {
        let suite = start::live_suite(&args.language, &args.name, question, answer);
        out.push_str(&put(folder, "suites/first.yaml", &suite)?);
    } else {
        out.push_str(&format!(
            "         write `target: {}` into the suites that ask it, or run with --target {0}\n",
            args.name
        ));
    }
    let name = &args.name;
    out.push_str(&format!(
        "\nnext     ragline target check {name}     what is mapped, and whether document names meet\n         \
         ragline run                  then write facts into suites/first.yaml and run again\n"
    ));
    say(&out)?;
    Ok(Exit::Open)
}

#[cfg(not(feature = "http"))]
fn live(_folder: &Path, _args: &InitArgs, _url: &str) -> Result<Exit> {
    bail!("this build has no `http`; build with the feature `http`")
}
