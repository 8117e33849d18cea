//! Reading of command lines: bounded in length, checked for UTF-8, never fatal.

use std::io::{self, BufRead, ErrorKind};

/// The longest line that is taken, in bytes without its end: room for a game of a hundred
/// thousand plies.
pub(super) const LINE_MAX: usize = 1 << 20;

/// Why a line is not a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum LineError {
    /// The line is skipped up to its end.
    #[error("a line of more than {LINE_MAX} bytes, expected a shorter one")]
    TooLong,
    /// The bytes are no characters.
    #[error("a line that is not UTF-8, expected UTF-8")]
    NotUtf8,
}

/// Cuts an input into lines.
pub(super) struct Lines<R> {
    input: R,
    bytes: Vec<u8>,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, bytes: Vec::new() }
    }

    /// Reads up to the end of the line or of the input into `bytes`, but never more than
    /// [`LINE_MAX`]. `None` at the end of the input.
    fn read(&mut self) -> io::Result<Option<Result<(), LineError>>> {
        self.bytes.clear();
        let (mut begun, mut fits) = (false, true);
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            let end = chunk.iter().position(|&byte| byte == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let at_end = chunk.is_empty();
            begun |= !at_end;
            // One byte more than the limit is room for the carriage return.
            fits &= self.bytes.len() + part.len() <= LINE_MAX + 1;
            if fits {
                self.bytes.extend_from_slice(part);
            }
            let used = end.map_or(part.len(), |end| end + 1);
            self.input.consume(used);
            if at_end || end.is_some() {
                break;
            }
        }
        if self.bytes.last() == Some(&b'\r') {
            self.bytes.pop();
        }
        let line =
            if fits && self.bytes.len() <= LINE_MAX { Ok(()) } else { Err(LineError::TooLong) };
        Ok(begun.then_some(line))
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = Result<String, LineError>;

    /// The next line without its end; an input that can't be read any further has ended.
    fn next(&mut self) -> Option<Self::Item> {
        let line = self.read().ok().flatten()?;
        Some(line.and_then(|()| match str::from_utf8(&self.bytes) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(LineError::NotUtf8),
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn check(input: &[u8], expected: &[Result<&str, LineError>]) {
        for capacity in [1, 3, 8192] {
            let lines = Lines::new(BufReader::with_capacity(capacity, input));
            let lines: Vec<_> = lines.collect();
            let lines: Vec<_> = lines.iter().map(|line| line.as_deref().map_err(|&e| e)).collect();
            assert_eq!(lines, expected, "{capacity} bytes at a time");
        }
    }

    #[test]
    fn a_line_ends_with_a_line_feed_or_with_the_input() {
        check(b"", &[]);
        check(b"uci\nisready\r\n\nquit", &[Ok("uci"), Ok("isready"), Ok(""), Ok("quit")]);
    }

    #[test]
    fn a_line_that_is_not_utf8_is_refused_alone() {
        check(b"a\n\xff\xfe\nb\n", &[Ok("a"), Err(LineError::NotUtf8), Ok("b")]);
    }

    #[test]
    fn a_line_is_too_long_beyond_the_limit_only() {
        let fits = "x".repeat(LINE_MAX);
        for end in ["\n", "\r\n"] {
            check(format!("{fits}{end}b").as_bytes(), &[Ok(&fits), Ok("b")]);
            check(format!("x{fits}{end}b").as_bytes(), &[Err(LineError::TooLong), Ok("b")]);
            check(format!("{fits}{fits}{end}b").as_bytes(), &[Err(LineError::TooLong), Ok("b")]);
        }
    }
}
