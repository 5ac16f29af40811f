//! Programs that are run for a target: each is the leader of a process group of its own, and the group is ended as one, so
//! that neither a helper process nor a shell's child outlives the run.
//!
//! A process that leaves its group (`setsid`) is out of reach; so is everything on systems that know no groups but the
//! program itself.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};

/// How long a program may take to end by itself after it was told to.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// How long its pipes are waited for after it ended: a grandchild may hold them for ever.
pub(crate) const LINGER: Duration = Duration::from_millis(200);

/// How much of what a program says beside its answers is kept for messages, in bytes.
const KEPT: usize = 8 << 10;

/// A killed process is gone in a moment, unless the kernel holds it in a call that does not end.
const REAPED_WITHIN: Duration = Duration::from_secs(1);

/// A program that runs, or ran and has not been waited for.
#[derive(Debug)]
pub(crate) struct Running {
    /// None once its end has been taken note of.
    child: Option<Child>,
    status: Option<ExitStatus>,
    /// The id of the group, which is that of its leader; none once the whole group is known to be gone.
    group: Option<u32>,
    /// What it reads from; none when it was started without, or when it has been taken.
    pub(crate) stdin: Option<ChildStdin>,
    /// What it prints; none when it has been taken.
    pub(crate) stdout: Option<ChildStdout>,
    /// What it says on its standard error.
    pub(crate) errors: Drain,
}

/// The groups that may still run, for the one end that drops nothing.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn groups() -> MutexGuard<'static, BTreeSet<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Kills every group that was started in this process. To be called right before the process ends without dropping what
/// it holds; whoever waits for one of them finds it dead.
pub(crate) fn kill_all() {
    for group in groups().iter() {
        #[cfg(unix)]
        if let Some(group) = as_pid(*group) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        #[cfg(not(unix))]
        let _ = group;
    }
}

/// Starts a program. Its arguments are handed over as they are: there is no shell. Without `fed` its standard input is
/// empty. `variables` are those of the environment that it has beside ours. Must be called within a runtime that has its I/O enabled.
///
/// # Errors
/// Why it does not start, in words that go behind its name.
pub(crate) fn spawn(
    program: &str,
    arguments: &[&str],
    folder: &Path,
    fed: bool,
    variables: &[(&str, &str)],
) -> Result<Running, String> {
    let mut command = Command::new(resolve(program, folder));
    command.args(arguments).current_dir(folder).envs(variables.iter().copied()).kill_on_drop(true);
    command.stdin(if fed { Stdio::piped() } else { Stdio::null() }).stdout(Stdio::piped()).stderr(Stdio::piped());
    #[cfg(unix)]
    command.process_group(0);
    // Held while it starts, so that none is missed by whoever kills them all.
    let mut groups = groups();
    let mut child = command.spawn().map_err(|e| why_not(program, folder, &e))?;
    groups.extend(child.id());
    drop(groups);
    Ok(Running {
        stdin: child.stdin.take(),
        stdout: child.stdout.take(),
        errors: Drain::new(child.stderr.take()),
        group: child.id(),
        status: None,
        child: Some(child),
    })
}

fn why_not(program: &str, folder: &Path, e: &io::Error) -> String {
    let with_folder = program.contains(['/', std::path::MAIN_SEPARATOR]);
    if !folder.is_dir() {
        return format!("cannot be run: its folder {} is not there", folder.display());
    }
    let kind = e.kind();
    let why = if kind == io::ErrorKind::NotFound && !with_folder {
        "it is in no folder of PATH".to_owned()
    } else if kind == io::ErrorKind::NotFound && resolve(program, folder).exists() {
        "its interpreter is not there (see its first line)".to_owned()
    } else if kind == io::ErrorKind::NotFound {
        "it is not there".to_owned()
    } else if kind == io::ErrorKind::PermissionDenied {
        "it may not be executed".to_owned()
    } else if kind == io::ErrorKind::ArgumentListTooLong {
        "its arguments are too long; give the question on standard input".to_owned()
    } else {
        e.to_string()
    };
    format!("cannot be run: {why}")
}

/// A program with a folder in its name is looked for below the folder that it runs in: whether the system does so by itself
/// differs from one to the next.
#[cfg(not(windows))]
fn resolve(program: &str, folder: &Path) -> PathBuf {
    if program.contains('/') {
        return std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned()).join(program);
    }
    PathBuf::from(program)
}

/// As the system's own shell does: `npm` is `npm.cmd`.
#[cfg(windows)]
fn resolve(program: &str, folder: &Path) -> PathBuf {
    let endings = std::env::var("PATHEXT").unwrap_or_else(|_| ".COM;.EXE;.BAT;.CMD".to_owned());
    let folders: Vec<PathBuf> = if program.contains(['/', '\\']) {
        vec![std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())]
    } else {
        std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect()
    };
    candidates(program, &folders, &endings).into_iter().find(|p| p.is_file()).unwrap_or_else(|| PathBuf::from(program))
}

/// Where a program may be: in each folder under its name, where that has an ending, and under its name with each ending.
#[cfg(any(windows, test))]
fn candidates(program: &str, folders: &[PathBuf], endings: &str) -> Vec<PathBuf> {
    let plain = Path::new(program).extension().is_some().then(|| program.to_owned());
    let named = endings.split(';').filter(|e| !e.is_empty()).map(|e| format!("{program}{}", e.to_lowercase()));
    let names: Vec<String> = plain.into_iter().chain(named).collect();
    folders.iter().flat_map(|f| names.iter().map(move |n| f.join(n))).collect()
}

impl Running {
    /// Whether the program itself has ended. The others of its group may still run.
    pub(crate) fn has_exited(&mut self) -> bool {
        let Some(child) = &mut self.child else { return true };
        // Its end is looked at and not taken note of: until it is, no other process can get its id, which is the group's.
        #[cfg(all(unix, not(any(target_os = "openbsd", target_os = "redox", target_os = "cygwin"))))]
        if let Some(pid) = self.group.and_then(as_pid) {
            use rustix::process::{WaitId, WaitIdOptions, waitid};
            let how = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
            // An error says that somebody else took note of it.
            return !matches!(waitid(WaitId::Pid(pid), how), Ok(None));
        }
        !matches!(child.try_wait(), Ok(None))
    }

    /// Waits until the program itself has ended.
    pub(crate) async fn exited(&mut self) {
        #[cfg(unix)]
        if let Ok(mut signals) = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::child()) {
            while !self.has_exited() {
                // The signal may be lost where the program that we are a part of handles it itself.
                let _ = timeout(LINGER, signals.recv()).await;
            }
            return;
        }
        while !self.has_exited() {
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Asks the group to end and kills what is left of it after the grace. Returns how the program itself ended.
    pub(crate) async fn end(mut self, grace: Duration) -> Option<ExitStatus> {
        self.stdin = None;
        self.signal(Ending::Asked);
        let _ = timeout(grace, self.gone()).await;
        self.kill().await
    }

    /// Kills the group, waits until nobody of it is left and takes note of its leader's end, which may have come before.
    /// None where the system does not let the leader go.
    pub(crate) async fn kill(&mut self) -> Option<ExitStatus> {
        self.signal(Ending::Killed);
        // The others die by themselves, and on a busy machine not before we look.
        let _ = timeout(REAPED_WITHIN, self.gone()).await;
        self.forget();
        self.status
    }

    /// Waits until no process of the group is left.
    async fn gone(&mut self) {
        self.exited().await;
        self.reap(REAPED_WITHIN).await;
        // With its leader gone, the id stays the group's as long as anybody is in it.
        while self.is_anybody_left() {
            sleep(Duration::from_millis(5)).await;
        }
        self.forget();
    }

    /// Nobody is left who could be sent a signal: from now on the id may become another's.
    fn forget(&mut self) {
        if let Some(group) = self.group.take() {
            groups().remove(&group);
        }
    }

    async fn reap(&mut self, within: Duration) {
        let Some(child) = &mut self.child else { return };
        if let Ok(status) = timeout(within, child.wait()).await {
            self.status = status.ok();
            self.child = None;
        }
    }

    #[cfg(unix)]
    fn is_anybody_left(&self) -> bool {
        let Some(group) = self.group else { return false };
        let known = as_pid(group).is_some_and(|g| rustix::process::test_kill_process_group(g).is_ok());
        known && !only_dead(group)
    }

    #[cfg(not(unix))]
    fn is_anybody_left(&self) -> bool {
        false
    }

    #[cfg(unix)]
    fn signal(&mut self, how: Ending) {
        use rustix::process::{Signal, kill_process_group};
        let signal = match how {
            Ending::Asked => Signal::TERM,
            Ending::Killed => Signal::KILL,
        };
        if let Some(group) = self.group.and_then(as_pid) {
            // It fails where nobody is left, which is what is wanted.
            let _ = kill_process_group(group, signal);
        }
    }

    #[cfg(not(unix))]
    fn signal(&mut self, how: Ending) {
        match (how, &mut self.child) {
            // There is no way to ask.
            (Ending::Asked | Ending::Killed, Some(child)) => drop(child.start_kill()),
            (Ending::Asked | Ending::Killed, None) => {}
        }
    }
}

#[derive(Debug, Clone, Copy)]
enum Ending {
    Asked,
    Killed,
}

#[cfg(unix)]
fn as_pid(id: u32) -> Option<rustix::process::Pid> {
    // 0 would be our own group.
    rustix::process::Pid::from_raw(i32::try_from(id).ok()?)
}

/// Whether nobody of a group but the dead is left. In a container whose first process takes note of nobody's end, the
/// orphans of a program stay in the table for ever, and waiting for them would be in vain.
#[cfg(target_os = "linux")]
fn only_dead(group: u32) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    let runs = |e: std::fs::DirEntry| {
        let stat = std::fs::read_to_string(e.path().join("stat")).ok()?;
        // `pid (name) state parent group …`; the name may hold blanks and brackets (proc_pid_stat(5)).
        let mut fields = stat.rsplit_once(')')?.1.split_ascii_whitespace();
        let state = fields.next()?;
        Some(fields.nth(1)?.parse() == Ok(group) && !matches!(state, "Z" | "X"))
    };
    !processes.flatten().any(|e| runs(e) == Some(true))
}

#[cfg(all(unix, not(target_os = "linux")))]
fn only_dead(_group: u32) -> bool {
    false
}

impl Drop for Running {
    fn drop(&mut self) {
        self.signal(Ending::Killed);
        self.forget();
        let Some(mut child) = self.child.take() else { return };
        // A thread and no task: it may be the runtime that is ending. Where there is no thread to be had, tokio takes note of
        // the child's end when the next one ends.
        let reap = move || {
            for _ in 0..400 {
                if !matches!(child.try_wait(), Ok(None)) {
                    return;
                }
                std::thread::sleep(Duration::from_millis(5));
            }
        };
        let _ = std::thread::Builder::new().name("reap".to_owned()).spawn(reap);
    }
}

/// Reads a pipe to its end so that nobody blocks on it, and keeps the last of it.
#[derive(Debug)]
pub(crate) struct Drain {
    tail: Arc<Mutex<Vec<u8>>>,
    task: Option<JoinHandle<()>>,
}

impl Drain {
    /// Begins to read.
    pub(crate) fn new(from: Option<impl AsyncRead + Unpin + Send + 'static>) -> Drain {
        let tail = Arc::new(Mutex::new(Vec::new()));
        let task = from.map(|mut from| {
            let tail = Arc::clone(&tail);
            tokio::spawn(async move {
                let mut bytes = vec![0; 16 << 10];
                while let Ok(n @ 1..) = from.read(&mut bytes).await {
                    let mut tail = tail.lock().unwrap_or_else(PoisonError::into_inner);
                    tail.extend_from_slice(bytes.get(..n).unwrap_or_default());
                    let over = tail.len().saturating_sub(KEPT);
                    tail.drain(..over);
                }
            })
        });
        Drain { tail, task }
    }

    /// Waits for the end of the pipe, for so long.
    pub(crate) async fn settle(&mut self, within: Duration) {
        if let Some(task) = &mut self.task
            && timeout(within, &mut *task).await.is_ok()
        {
            self.task = None;
        }
    }

    /// The last of what came, at most 8 KiB.
    pub(crate) fn tail(&self) -> String {
        String::from_utf8_lossy(&self.tail.lock().unwrap_or_else(PoisonError::into_inner)).into_owned()
    }
}

impl Drop for Drain {
    fn drop(&mut self) {
        if let Some(task) = &self.task {
            task.abort();
        }
    }
}

/// Ends at that time; never where there is none.
pub(crate) async fn reached(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// How a program ended, in words that go behind its name.
pub(crate) fn ended(status: Option<ExitStatus>) -> String {
    #[cfg(unix)]
    if let Some(signal) = status.and_then(|s| std::os::unix::process::ExitStatusExt::signal(&s)) {
        return format!("was ended by signal {signal}");
    }
    match status.and_then(|s| s.code()) {
        Some(code) => format!("ended with exit status {code}"),
        None => "ended".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::candidates;
    use std::path::PathBuf;

    #[test]
    fn a_program_without_ending_is_looked_for_with_each() {
        let folders = [PathBuf::from("a"), PathBuf::from("b")];
        let shown =
            |program| candidates(program, &folders, ".EXE;.CMD").iter().map(|p| p.display().to_string()).collect();
        let found: Vec<String> = shown("npm");
        assert_eq!(found, ["a/npm.exe", "a/npm.cmd", "b/npm.exe", "b/npm.cmd"]);
        let found: Vec<String> = shown("npm.cmd");
        assert_eq!(found.first().map(String::as_str), Some("a/npm.cmd"));
    }
}
