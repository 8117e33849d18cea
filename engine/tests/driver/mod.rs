//! A GUI in small: it sends lines to an engine and reads what comes, never waiting for ever.

use std::io::{BufRead, Write};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// Longer than any answer takes, even on a machine with much else to do.
pub const PATIENCE: Duration = Duration::from_mins(1);

/// The GUI's end of a conversation.
pub struct Driver {
    input: Option<Box<dyn Write>>,
    lines: Receiver<String>,
}

impl Driver {
    /// Talks to an engine that reads what is written to `input` and whose answers come from
    /// `output`.
    pub fn new(input: impl Write + 'static, output: impl BufRead + Send + 'static) -> Self {
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in output.lines() {
                let line = line.expect("an answer is text");
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Self { input: Some(Box::new(input)), lines }
    }

    /// Sends a line; an engine that has ended does not hear it.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("the input is open");
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.input = None;
    }

    /// The lines up to the first that begins with `begin`, and that one.
    pub fn until(&mut self, begin: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => panic!("no {begin:?} came after {lines:#?}"),
                Err(RecvTimeoutError::Disconnected) => panic!("the end came after {lines:#?}"),
            }
            if lines.last().is_some_and(|line| line.starts_with(begin)) {
                return lines;
            }
        }
    }

    /// The next line that begins with `begin`; others are skipped.
    pub fn next(&mut self, begin: &str) -> String {
        self.until(begin).pop().expect("the line that was waited for")
    }

    /// All lines up to the answer to `isready`, without it.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// The lines up to the end of the output.
    pub fn rest(&mut self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Timeout) => panic!("no end came after {lines:#?}"),
                Err(RecvTimeoutError::Disconnected) => return lines,
            }
        }
    }
}

/// The lines that begin with `begin`.
pub fn count(lines: &[String], begin: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(begin)).count()
}

/// Whether `text` is `pattern`, in which each `*` stands for any text.
pub fn fits(pattern: &str, text: &str) -> bool {
    let Some((begin, rest)) = pattern.split_once('*') else { return pattern == text };
    let Some(text) = text.strip_prefix(begin) else { return false };
    (0..=text.len()).filter(|&at| text.is_char_boundary(at)).any(|at| fits(rest, &text[at..]))
}
