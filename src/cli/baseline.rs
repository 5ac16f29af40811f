//! `ragline baseline`: the files themselves, without a run.

use super::{say, say_error, say_problems};
use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use ragline::baseline::check::{self, Checked};
use ragline::baseline::merge::Fits;
use ragline::drive::baselines::{self, Of, Pair};
use ragline::drive::session::{self, Opened};
use ragline::drive::{resolve, versions};
use ragline::gate::Exit;
use ragline::problem::{Place, Problem, Problems, read_source, shown_path};
use ragline::report::file;
use ragline::suite::digest::expects;
use ragline::suite::{QuestionId, config};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct BaselineArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Are the baselines in the form that `accept` writes, and do they fit their suites and answers? Exit code 0 or 2.
    Check(CheckArgs),
    /// End a merge conflict of baselines and accepted answers: question by question, the stricter side where both changed.
    Resolve(ResolveArgs),
    /// For git: `merge.ragline.driver = ragline baseline merge %O %A %B %P`.
    Merge(MergeArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// Files of baselines; without any all of the project.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Bring them in order without changing what they say.
    #[arg(long)]
    write: bool,
}

#[derive(Debug, Args)]
struct ResolveArgs {
    /// Files in conflict, baselines or accepted answers; without any all that git names.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Say what would be done, and write nothing.
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Args)]
struct MergeArgs {
    /// What both sides come from (%O).
    base: PathBuf,
    /// Ours, which is written (%A).
    ours: PathBuf,
    /// Theirs (%B).
    theirs: PathBuf,
    /// The file's path in the repository (%P).
    path: Option<PathBuf>,
}

pub(crate) fn baseline(folder: &Path, args: &BaselineArgs) -> Result<Exit> {
    match &args.what {
        What::Check(a) => check_files(folder, a),
        What::Resolve(a) => resolve_files(folder, a),
        What::Merge(a) => merge_for_git(a),
    }
}

/// The pairs that are named, each once.
fn named(files: &[PathBuf], root: &Path) -> Result<Vec<Pair>> {
    let mut pairs: Vec<Pair> = Vec::new();
    for file in files {
        let whole = std::path::absolute(file).unwrap_or_else(|_| file.clone());
        let Some(pair) = Pair::of(&whole, root) else {
            bail!("{} is no file of a baseline, expected NAME.baseline.toml or NAME.accepted.jsonl", file.display());
        };
        if !pairs.contains(&pair) {
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

fn check_files(folder: &Path, args: &CheckArgs) -> Result<Exit> {
    let opened = match session::open(folder) {
        Ok(opened) => opened,
        Err(stop) => {
            say_problems(&stop.problems);
            return Ok(stop.exit);
        }
    };
    let mut known = baselines::of_project(&opened);
    let mut strangers = baselines::of_nobody(&opened);
    let wanted = named(&args.files, &absolute(&opened.project.root))?;
    if !wanted.is_empty() {
        let is_wanted = |p: &Pair| wanted.iter().any(|w| w.baseline.0 == absolute(&p.baseline.0));
        let stray = |w: &&Pair| !known.iter().any(|of| absolute(&of.pair.baseline.0) == w.baseline.0);
        strangers = wanted.iter().filter(stray).cloned().collect();
        known.retain(|of| is_wanted(&of.pair));
    }
    let (mut problems, mut text, mut files) = (Problems::default(), String::new(), 0);
    for of in known.iter().filter(|of| !wanted.is_empty() || of.pair.baseline.0.exists() || of.pair.answers.0.exists())
    {
        files += 1;
        check_pair(&of.pair, Some(of), args.write, &mut problems, &mut text)?;
    }
    for pair in &strangers {
        files += 1;
        let what = "no suite of this project has this baseline";
        let help = "rename it to NAME.baseline.toml after its suite, or delete it and its accepted answers";
        problems.0.push(Problem::error("baseline-stray", Place::file(&pair.baseline.1), what).help(help));
        check_pair(pair, None, args.write, &mut problems, &mut text)?;
    }
    say_problems(&problems);
    if problems.any_error() {
        say(&text)?;
        return Ok(Exit::Usage);
    }
    let said = match files {
        0 => "there is no baseline yet".to_owned(),
        1 => "1 baseline is in order".to_owned(),
        n => format!("{n} baselines are in order"),
    };
    say(&format!("{text}{said}\n"))?;
    Ok(Exit::Open)
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

/// Checks the two files of a baseline, and writes them in order where that is wanted.
fn check_pair(pair: &Pair, of: Option<&Of<'_>>, write: bool, problems: &mut Problems, text: &mut String) -> Result<()> {
    let (path, shown) = &pair.baseline;
    let mut checked = Checked::default();
    if path.exists() {
        match read_source(path, shown) {
            Ok(source) => checked = check::baseline(&source, of.map(|of| of.suite)),
            Err(p) => checked.rest.0.push(p),
        }
    } else {
        let what = "there is no such baseline";
        problems.0.push(
            Problem::error("no-baseline", Place::file(shown), what)
                .help("its accepted answers stand alone: delete them, or bring it back from the history"),
        );
    }
    problems.0.append(&mut checked.rest.0);
    match (&checked.baseline, write) {
        (Some(read), true) if !checked.form.0.is_empty() => {
            write_file(path, &read.to_toml())?;
            let _ = writeln!(text, "wrote {shown}");
            for (line, lost) in &checked.lost {
                let _ = writeln!(text, "  line {line} taken out: {lost}");
            }
        }
        (Some(_) | None, _) => problems.0.append(&mut checked.form.0),
    }
    let (path, shown) = &pair.answers;
    if !path.exists() {
        if let Some(read) = &checked.baseline
            && !read.entries.is_empty()
        {
            let what = "there are no accepted answers beside the baseline";
            let help = "a question that changes is judged alone; commit this file, which `accept` writes, too";
            problems.0.push(Problem::warning("accepted-missing", Place::file(shown), what).help(help));
        }
        return Ok(());
    }
    let source = match read_source(path, shown) {
        Ok(source) => source,
        Err(p) => {
            problems.0.push(p);
            return Ok(());
        }
    };
    let (read, order, found) = check::answers(&source, checked.baseline.as_ref());
    match (read, of, &checked.baseline) {
        (Some(mut read), Some(of), Some(baseline)) if write && order && read.doubled.is_empty() => {
            read.lines.retain(|id, _| baseline.entries.contains_key(id.as_str()));
            let target = read.header.target.clone().unwrap_or_else(|| of.target_name().to_owned());
            let content = read.to_jsonl(&of.suite.name, &target).map_err(Problems::from)?;
            write_file(path, &content)?;
            let _ = writeln!(text, "wrote {shown}");
            let mended = ["accepted-order", "accepted-orphan"];
            problems.0.extend(found.0.into_iter().filter(|p| !mended.contains(&p.code)));
        }
        (Some(_) | None, _, _) => problems.0.extend(found.0),
    }
    Ok(())
}

fn write_file(path: &Path, content: &str) -> Result<()> {
    file::write(path, content.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

/// What the suites of the working tree say, or why they say nothing.
enum Suites {
    Read(Box<Opened>),
    Unread(String),
}

impl Suites {
    fn fits(&self, pair: &Pair, id: &QuestionId) -> Fits {
        let opened = match self {
            Suites::Read(opened) => opened,
            Suites::Unread(why) => return Fits::Unknown(why.clone()),
        };
        let whole = absolute(&pair.baseline.0);
        let all = baselines::of_project(opened);
        let Some(of) = all.iter().find(|of| absolute(&of.pair.baseline.0) == whole) else {
            return Fits::Unknown("no suite of this project has this baseline".to_owned());
        };
        let found = of.suite.questions.iter().find(|q| q.id == *id && !q.draft);
        found.map_or(Fits::Gone, |q| Fits::Expects(expects(q, of.suite.top_k)))
    }
}

fn resolve_files(folder: &Path, args: &ResolveArgs) -> Result<Exit> {
    // The suites may be in conflict themselves: then only what can be merged without them is.
    let suites = match session::open(folder) {
        Ok(opened) => Suites::Read(Box::new(opened)),
        Err(stop) => {
            let why = stop.problems.0.first().map_or_else(String::new, |p| format!("{}: {}", p.place, p.title));
            Suites::Unread(format!("the suites cannot be read ({why})"))
        }
    };
    let root = match &suites {
        Suites::Read(opened) => opened.project.root.clone(),
        Suites::Unread(_) => config::load(folder).map_or_else(|_| folder.to_owned(), |(project, _)| project.root),
    };
    let root = absolute(&root);
    let mut files = args.files.clone();
    if files.is_empty() {
        files = versions::in_conflict(&root).into_iter().filter(|p| Pair::of(p, &root).is_some()).collect();
        if let Suites::Read(opened) = &suites {
            // Marks that were written down without git knowing of them.
            let all = baselines::of_project(opened).into_iter().flat_map(|of| [of.pair.baseline.0, of.pair.answers.0]);
            let marked = |p: &PathBuf| {
                read_source(p, "").is_ok_and(|s| ragline::baseline::conflict::first_mark(&s.text).is_some())
            };
            files.extend(all.filter(|p| p.exists()).filter(marked));
        }
    }
    let pairs = named(&files, &root)?;
    let (mut problems, mut text, mut write) = (Problems::default(), String::new(), Vec::new());
    for pair in &pairs {
        match resolve::resolve(pair, &|id| suites.fits(pair, id)) {
            Ok(Some(done)) => {
                let _ = writeln!(
                    text,
                    "{}: {} questions, {} changed on both sides",
                    pair.baseline.1,
                    done.questions,
                    done.told.len()
                );
                for (id, what) in &done.told {
                    let _ = writeln!(text, "  {id}  {what}");
                }
                write.extend(done.write);
            }
            Ok(None) => {
                let _ = writeln!(text, "{}: not in conflict", pair.baseline.1);
            }
            Err(more) => problems.0.extend(more.0),
        }
    }
    if !problems.0.is_empty() {
        say_problems(&problems);
        return Ok(Exit::Usage);
    }
    if pairs.is_empty() {
        text.push_str("no file of a baseline is in conflict\n");
    }
    if !args.dry_run {
        for (path, _, content) in &write {
            write_file(path, content)?;
        }
    }
    if !write.is_empty() {
        let names: Vec<String> = write.iter().map(|(path, ..)| quoted(&near(path))).collect();
        let _ = match args.dry_run {
            true => writeln!(text, "nothing written (--dry-run); it would be {}", names.join(" ")),
            false => writeln!(text, "written; look at it, then\n  git add {}", names.join(" ")),
        };
    }
    say(&text)?;
    Ok(Exit::Open)
}

/// A path as it is typed from here.
fn near(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    shown_path(path, &here)
}

/// A word of a command line.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-".contains(c);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// git's merge driver: writes the merged file to %A and ends with 0, or leaves git's marks there and ends with 1.
fn merge_for_git(args: &MergeArgs) -> Result<Exit> {
    let shown = args.path.as_ref().unwrap_or(&args.ours).to_string_lossy().into_owned();
    match resolve::merge_for_git(&args.base, &args.ours, &args.theirs, &shown) {
        Ok(text) => {
            write_file(&args.ours, &text)?;
            Ok(Exit::Open)
        }
        Err(problems) => {
            versions::mark(&args.base, &args.ours, &args.theirs);
            say_problems(&problems);
            say_error("then      ragline baseline resolve");
            Ok(Exit::Closed)
        }
    }
}
