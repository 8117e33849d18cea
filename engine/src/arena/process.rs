//! Players as child processes: lines in, lines out, deadlines, and an end in any case.
//!
//! Three threads serve a child, all asleep until there is something to do: one reads its output and
//! stamps each line with the time, one writes to it (a child that does not read must not stop the
//! referee), one drains its error output and keeps the last line for reports.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use super::fault::{Fault, FaultKind};
use super::spec::PlayerSpec;
use super::stop::Stop;

/// The longest line that a player may write, in bytes.
const LINE_MAX: u64 = 1 << 18;

/// The most that a player may write in answer to one request, in bytes.
const OUTPUT_MAX: usize = 1 << 24;

/// Lines that may wait to be looked at; a player that writes more between its moves is not read.
const QUEUE: usize = 256;

/// How often a silent child is looked after: it may have ended while another process keeps its pipe
/// open.
const LOOK: Duration = Duration::from_millis(500);

/// How long the error output of a child that has ended is waited for.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// What the reader has heard.
enum Heard {
    Line(Line),
    TooLong,
}

/// A line of a player.
#[derive(Debug)]
pub(super) struct Line {
    /// Without its end; bytes that are no characters are replaced.
    pub(super) text: String,
    /// When it was read.
    pub(super) at: Instant,
}

/// A running child process. It is killed when it is dropped.
pub(super) struct Process {
    child: Arc<Mutex<Child>>,
    input: Sender<String>,
    output: Receiver<Heard>,
    last_words: Receiver<String>,
    /// Bytes read since the last request.
    read: usize,
}

impl Process {
    /// Starts the player's program.
    pub(super) fn start(spec: &PlayerSpec, stop: &Stop) -> io::Result<Self> {
        let mut command = Command::new(program(&spec.command)?);
        command.args(&spec.arguments);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(directory) = &spec.directory {
            command.current_dir(directory);
        }
        // Ctrl-C on the terminal is for the referee, who ends its players in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            unreachable!("all three are piped");
        };
        let child = Arc::new(Mutex::new(child));
        stop.watch(&child);
        let (input, lines) = mpsc::channel();
        thread::spawn(move || write(stdin, &lines));
        let (sender, output) = mpsc::sync_channel(QUEUE);
        thread::spawn(move || read(stdout, &sender));
        let (sender, last_words) = mpsc::channel();
        thread::spawn(move || drain(stderr, &sender));
        Ok(Self { child, input, output, last_words, read: 0 })
    }

    /// Begins a request: writes `lines`, each with its end.
    pub(super) fn say(&mut self, lines: String) {
        self.read = 0;
        // The writer is gone when the child has closed its input; reading will tell.
        let _ = self.input.send(lines);
    }

    /// The next line, if it comes before `deadline`.
    pub(super) fn hear(&mut self, deadline: Instant) -> Result<Line, Fault> {
        let mut has_ended = false;
        loop {
            let wait = deadline.saturating_duration_since(Instant::now()).min(LOOK);
            match self.output.recv_timeout(wait) {
                Ok(Heard::Line(line)) => {
                    self.read += line.text.len() + 1;
                    if self.read > OUTPUT_MAX {
                        let detail = format!("more than {OUTPUT_MAX} bytes for one move");
                        return Err(Fault::new(FaultKind::Flood, detail));
                    }
                    return Ok(line);
                }
                Ok(Heard::TooLong) => {
                    let detail = format!("a line of more than {LINE_MAX} bytes");
                    return Err(Fault::new(FaultKind::Flood, detail));
                }
                Err(RecvTimeoutError::Disconnected) => return Err(self.crash()),
                // What it wrote before its end may have come since.
                Err(RecvTimeoutError::Timeout) if has_ended => return Err(self.crash()),
                Err(RecvTimeoutError::Timeout) if Instant::now() >= deadline => {
                    return Err(Fault::new(FaultKind::Hang, "no answer"));
                }
                Err(RecvTimeoutError::Timeout) => {
                    has_ended = self.status().is_some();
                }
            }
        }
    }

    /// How the child has ended, if it has.
    fn status(&self) -> Option<ExitStatus> {
        let mut child = self.child.lock().expect("no thread panics with the child");
        child.try_wait().ok().flatten()
    }

    /// How the child has ended, and its last words.
    fn crash(&mut self) -> Fault {
        let words = self.last_words.recv_timeout(LAST_WORDS).unwrap_or_default();
        // A child that ends closes its output a moment before it is gone.
        if self.status().is_none() {
            thread::sleep(LAST_WORDS);
        }
        let status = match self.status() {
            Some(status) => status.to_string(),
            None => "it closed its output".to_owned(),
        };
        let detail = if words.is_empty() { status } else { format!("{status}: {words}") };
        Fault::new(FaultKind::Crash, detail)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        end(&self.child);
    }
}

/// Kills a child and waits for its end.
pub(super) fn end(child: &Mutex<Child>) {
    let mut child = child.lock().expect("no thread panics with the child");
    // Either fails only for a child that has ended already.
    let _ = child.kill();
    let _ = child.wait();
}

/// A program in a directory is found from here, wherever it will run.
fn program(command: &str) -> io::Result<std::path::PathBuf> {
    if command.contains(std::path::is_separator) {
        return std::path::absolute(command);
    }
    Ok(Path::new(command).to_owned())
}

fn write(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for text in lines {
        if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            return;
        }
    }
}

fn read(stdout: ChildStdout, sender: &SyncSender<Heard>) {
    let mut reader = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match reader.by_ref().take(LINE_MAX + 1).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => return,
            Ok(_) => (),
        }
        let at = Instant::now();
        let is_too_long = bytes.len() as u64 > LINE_MAX;
        let text = String::from_utf8_lossy(&bytes).trim().to_owned();
        let heard = if is_too_long { Heard::TooLong } else { Heard::Line(Line { text, at }) };
        if sender.send(heard).is_err() || is_too_long {
            return;
        }
    }
}

/// Reads all, keeps the last line that says something.
fn drain(stderr: ChildStderr, sender: &Sender<String>) {
    let mut reader = BufReader::new(stderr);
    let (mut bytes, mut last) = (Vec::new(), String::new());
    loop {
        bytes.clear();
        match reader.by_ref().take(LINE_MAX).read_until(b'\n', &mut bytes) {
            Ok(0) | Err(_) => break,
            Ok(_) => (),
        }
        let text = String::from_utf8_lossy(&bytes);
        if !text.trim().is_empty() {
            last = text.trim().chars().take(200).collect();
        }
    }
    // Nobody may be interested any more.
    let _ = sender.send(last);
}
