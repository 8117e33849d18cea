//! What a solver knows, as a file: a solution that takes days goes on where it was stopped.
//!
//! A few lines of text say what the file is about; the words of the table follow, and their sum.

use std::io::{self, BufRead, Read, Write};

use super::super::Kalah;
use super::{Bounds, Margin, Solver};
use crate::position::Position;

/// The first line.
const TITLE: &str = "yardmaster kalah checkpoint 1";

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
        writeln!(file, "{TITLE}\nposition {position}\nbounds {lower} {upper}\nnodes {nodes}")?;
        writeln!(file, "milliseconds {milliseconds}\nmebibytes {mebibytes}")?;
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
        let title = line(file)?;
        if title != TITLE {
            return Err(CheckpointError::Line { found: title, expected: "a checkpoint's title" });
        }
        let expected = "\"position\" and a position";
        let position = field(file, "position", expected, |text| Kalah::read(text, ()).ok())?;
        let expected = "\"bounds\" and two margins, the lower one first";
        let bounds = field(file, "bounds", expected, |text| {
            let (lower, upper) = text.split_once(' ')?;
            let [lower, upper] = [lower, upper].map(|text| text.parse().ok().map(Margin));
            let (lower, upper) = (lower?, upper?);
            (lower <= upper).then_some(Bounds { lower, upper })
        })?;
        let number = |text: &str| text.parse().ok();
        let nodes = field(file, "nodes", "\"nodes\" and a number", number)?;
        let milliseconds = field(file, "milliseconds", "\"milliseconds\" and a number", number)?;
        let mebibytes = field(file, "mebibytes", "\"mebibytes\" and a number", number)? as usize;
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
        Ok((solver, Progress { position, bounds, nodes, milliseconds }))
    }
}

/// The next line, without its end.
fn line(file: &mut impl BufRead) -> io::Result<String> {
    /// More than any line of a checkpoint.
    const LONGEST: u64 = 1000;
    let mut bytes = Vec::new();
    file.by_ref().take(LONGEST).read_until(b'\n', &mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).trim_end().to_owned())
}

/// The next line, which begins with `name`.
fn field<T>(
    file: &mut impl BufRead,
    name: &str,
    expected: &'static str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, CheckpointError> {
    let found = line(file)?;
    let value = found.strip_prefix(name).and_then(|rest| read(rest.trim_start()));
    value.ok_or(CheckpointError::Line { found, expected })
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
