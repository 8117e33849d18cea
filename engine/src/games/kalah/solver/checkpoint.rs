//! What a solver knows, as a file: a solution that takes days goes on where it was stopped.
//!
//! A few lines of text say what the file is about, and the last of them is their checksum; the words
//! of the table follow, and their sum.

use std::io::{self, BufRead, Read, Write};

use super::super::Kalah;
use super::{Bounds, Margin, Solver};
use crate::files;
use crate::position::Position;

/// The first line.
const TITLE: &str = "yardmaster kalah checkpoint 2";

/// How far a solution has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// What is solved.
    pub position: Kalah,
    /// What is proven of it.
    pub bounds: Bounds,
    /// The nodes that were searched for it.
    pub nodes: u64,
    /// The time that it took, in milliseconds.
    pub milliseconds: u64,
}

/// Why a file is not gone on with.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// It can't be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its first lines are not those of a checkpoint.
    #[error("{found:?} is not a line of a checkpoint, expected {expected}")]
    Line {
        /// What was read.
        found: String,
        /// What should stand there.
        expected: &'static str,
    },
    /// It is not as it was written.
    #[error("the checkpoint is damaged: its words do not add up to their sum")]
    Damaged,
    /// There is no room for its table.
    #[error("the table of the checkpoint has {mebibytes} MiB, which can't be had")]
    NoMemory {
        /// The size of the table.
        mebibytes: usize,
    },
}

impl Solver {
    /// Writes all that is known, together with how far a solution has come. No search may run.
    ///
    /// # Errors
    /// Those of `file`.
    pub fn save(&self, progress: &Progress, file: &mut impl Write) -> io::Result<()> {
        let Progress { position, bounds, nodes, milliseconds } = progress;
        let Bounds { lower: Margin(lower), upper: Margin(upper) } = bounds;
        let mebibytes = self.shared.table.mebibytes();
        let lines = format!(
            "{TITLE}\nposition {position}\nbounds {lower} {upper}\nnodes {nodes}\n\
             milliseconds {milliseconds}\nmebibytes {mebibytes}\n"
        );
        writeln!(file, "{lines}checksum {:016x}", files::checksum(lines.as_bytes()))?;
        let mut sum = Sum::default();
        for word in self.shared.table.words() {
            sum.add(word);
            file.write_all(&word.to_le_bytes())?;
        }
        file.write_all(&sum.0.to_le_bytes())?;
        file.flush()
    }

    /// A solver with an endgame table of so many stones that knows what was written, and how far the solution had come.
    ///
    /// # Errors
    /// [`CheckpointError`] says why it can't be gone on with.
    pub fn load(file: &mut impl BufRead, endgame: u8) -> Result<(Self, Progress), CheckpointError> {
        let (progress, mebibytes) = Header::read(file)?;
        let mut solver = Self::with_endgame(mebibytes, endgame)
            .map_err(|_| CheckpointError::NoMemory { mebibytes })?;
        let mut sum = Sum::default();
        solver.shared.table.set_words(|| {
            let word = word(file)?;
            sum.add(word);
            Ok::<_, io::Error>(word)
        })?;
        if word(file)? != sum.0 || file.read(&mut [0])? > 0 {
            return Err(CheckpointError::Damaged);
        }
        Ok((solver, progress))
    }
}

/// The lines of text at the beginning.
struct Header<'a, R> {
    file: &'a mut R,
    /// What was read of them.
    lines: String,
}

impl<'a, R: BufRead> Header<'a, R> {
    /// How far the solution had come, and the size of the table.
    fn read(file: &'a mut R) -> Result<(Progress, usize), CheckpointError> {
        let mut header = Self { file, lines: String::new() };
        let title = header.line()?;
        if title != TITLE {
            return Err(CheckpointError::Line { found: title, expected: "a checkpoint's title" });
        }
        let expected = "\"position\" and a position";
        let position = header.field("position", expected, |text| Kalah::read(text, ()).ok())?;
        let expected = "\"bounds\" and two margins, the lower one first";
        let bounds = header.field("bounds", expected, |text| {
            let (lower, upper) = text.split_once(' ')?;
            let [lower, upper] = [lower, upper].map(|text| text.parse().ok().map(Margin));
            let (lower, upper) = (lower?, upper?);
            (lower <= upper).then_some(Bounds { lower, upper })
        })?;
        let number = |text: &str| text.parse().ok();
        let nodes = header.field("nodes", "\"nodes\" and a number", number)?;
        let milliseconds = header.field("milliseconds", "\"milliseconds\" and a number", number)?;
        let mebibytes = header.field("mebibytes", "\"mebibytes\" and a number", number)?;
        // Before a table of that size is taken.
        let sum = format!("{:016x}", files::checksum(header.lines.as_bytes()));
        let expected = "\"checksum\" and that of the lines before";
        header.field("checksum", expected, |text| (text == sum).then_some(()))?;
        Ok((Progress { position, bounds, nodes, milliseconds }, mebibytes as usize))
    }

    /// The next line, without its end.
    fn line(&mut self) -> io::Result<String> {
        /// More than any line of a checkpoint.
        const LONGEST: u64 = 1000;
        let mut bytes = Vec::new();
        self.file.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)?;
        let text = String::from_utf8_lossy(&bytes);
        self.lines.push_str(&text);
        Ok(text.strip_suffix('\n').unwrap_or(&text).to_owned())
    }

    /// What stands in the next line behind `name`.
    fn field<T>(
        &mut self,
        name: &str,
        expected: &'static str,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, CheckpointError> {
        let found = self.line()?;
        let value = found.strip_prefix(name).and_then(|rest| read(rest.strip_prefix(' ')?));
        value.ok_or(CheckpointError::Line { found, expected })
    }
}

fn word(file: &mut impl Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    file.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}

/// A checksum of words.
#[derive(Default)]
struct Sum(u64);

impl Sum {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}

/// What the lines of a checkpoint say, for the fuzzer.
#[cfg(any(test, fuzzing))]
pub(crate) fn read_progress(file: &mut impl BufRead) -> Result<Progress, CheckpointError> {
    Header::read(file).map(|(progress, _)| progress)
}

/// The sum of the words that are written so, for the fuzzer.
#[cfg(any(test, fuzzing))]
pub(crate) fn word_sum(bytes: &[u8]) -> u64 {
    let (words, _) = bytes.as_chunks();
    let mut sum = Sum::default();
    for &word in words {
        sum.add(u64::from_le_bytes(word));
    }
    sum.0
}
