//! Writing of reply lines: whole lines from any thread, worded in the dialect of the session, flushed
//! at once, copied to a log if wished.

use std::fmt::{Display, Write as _};
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{SystemTime, UNIX_EPOCH};

use super::dialect::{Dialect, Voice};
use super::reply::Info;
use crate::files::check_regular;

/// A complaint is cut after so many characters: what it quotes may be as long as an input line.
const ERROR_MAX: usize = 400;

/// Nobody reads the output any more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Closed;

/// The one way out, shared by the command loop and the searches.
pub(super) struct Output {
    sink: Mutex<Sink>,
    closed: AtomicBool,
    on_close: Box<dyn Fn() + Send + Sync>,
}

struct Sink {
    writer: Box<dyn Write + Send>,
    voice: &'static dyn Voice,
    log: Option<File>,
}

impl Output {
    /// `on_close` is called once, when a write fails.
    pub(super) fn new(
        writer: impl Write + Send + 'static,
        on_close: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let voice = Dialect::default().voice();
        let sink = Sink { writer: Box::new(writer), voice, log: None };
        Self {
            sink: Mutex::new(sink),
            closed: AtomicBool::new(false),
            on_close: Box::new(on_close),
        }
    }

    /// Writes `text` and a line feed. A text of several lines stays together.
    pub(super) fn say(&self, text: impl Display) -> Result<(), Closed> {
        let text = format!("{text}\n");
        let mut sink = self.sink();
        if self.is_closed() {
            return Err(Closed);
        }
        sink.note("<<", &text);
        if sink.writer.write_all(text.as_bytes()).and_then(|()| sink.writer.flush()).is_err() {
            self.closed.store(true, Ordering::SeqCst);
            (self.on_close)();
            return Err(Closed);
        }
        Ok(())
    }

    /// Writes the line that says what was wrong.
    pub(super) fn complain(&self, error: impl Display) -> Result<(), Closed> {
        self.say(self.voice().complaint(&one_line(&error.to_string())))
    }

    /// Words what is written from now on in another dialect.
    pub(super) fn set_voice(&self, voice: &'static dyn Voice) {
        self.sink().voice = voice;
    }

    /// How answers are worded.
    pub(super) fn voice(&self) -> &'static dyn Voice {
        self.sink().voice
    }

    /// Writes what a search tells.
    pub(super) fn inform(&self, info: &Info) -> Result<(), Closed> {
        self.voice().info(info).map_or(Ok(()), |text| self.say(text))
    }

    /// Copies a line of the input to the log.
    pub(super) fn heard(&self, line: &str) {
        self.sink().note(">>", line);
    }

    /// Copies all lines from now on to the end of the file at `path`, or to none.
    pub(super) fn set_log(&self, path: Option<&str>) -> io::Result<()> {
        self.sink().log = path.map(open_log).transpose()?;
        Ok(())
    }

    /// Whether a write has failed.
    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::SeqCst)
    }

    fn sink(&self) -> MutexGuard<'_, Sink> {
        self.sink.lock().expect("no thread panics while it writes")
    }
}

impl Sink {
    /// A log that can't be written any more (a full disk) is given up: the game goes on.
    fn note(&mut self, mark: &str, text: &str) {
        let Some(log) = &mut self.log else { return };
        let mut marked = String::new();
        let now = time_of_day();
        for line in text.lines() {
            let _ = writeln!(marked, "{now} {mark} {line}");
        }
        if log.write_all(marked.as_bytes()).is_err() {
            self.log = None;
        }
    }
}

/// The time of the day in UTC, to the millisecond.
fn time_of_day() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = now.as_secs() % (24 * 60 * 60);
    let (hours, minutes, seconds) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02}.{:03}", now.subsec_millis())
}

/// Opens a log.
fn open_log(path: &str) -> io::Result<File> {
    check_regular(path)?;
    File::options().create(true).append(true).open(path)
}

/// One line, whatever the message quotes.
fn one_line(message: &str) -> String {
    let mut line = String::new();
    for (count, c) in message.chars().enumerate() {
        match c {
            _ if count == ERROR_MAX => {
                line.push('…');
                break;
            }
            c if c.is_control() => line.extend(c.escape_default()),
            c => line.push(c),
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_line_of_bounded_length() {
        assert_eq!(one_line("a\nb"), "a\\nb");
        let long = one_line(&"ü".repeat(1 << 20));
        assert_eq!(long.chars().count(), ERROR_MAX + 1);
    }
}
