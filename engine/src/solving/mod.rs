//! The command `yardmaster solve`: exact values of kalah positions, however long they take.
//!
//! It prints the value, the value of each move, and a line of best play. A solution that is
//! interrupted goes on from its checkpoint; and instead of one value, a whole opening book can be
//! made.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use clap::Args;

use crate::files;
use crate::games::kalah::Kalah;
use crate::games::kalah::board::PITS;
use crate::games::kalah::solver::book::{Book, BookError};
use crate::games::kalah::solver::checkpoint::{CheckpointError, Progress};
use crate::games::kalah::solver::{Bounds, ENDGAME_STONES, ENDGAME_STONES_AT_MOST, Margin, Solver};
use crate::games::kalah::text::ReadError;
use crate::position::Position;
use crate::score::Turn;
use display::Display;

mod display;

/// Finds the exact value of a kalah position, and of each of its moves.
#[derive(Args, Clone, Debug)]
pub struct Solve {
    /// A position text, or a number n of stones: n in each pit, South to move
    #[arg(default_value = "4")]
    position: String,
    /// Size of the table
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 20))]
    hash: u64,
    /// Threads that search together
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
    /// Stones that the endgame table covers
    #[arg(long, value_name = "STONES", default_value_t = ENDGAME_STONES)]
    #[arg(value_parser = clap::value_parser!(u8).range(..=i64::from(ENDGAME_STONES_AT_MOST)))]
    endgame: u8,
    /// The value alone, without the values of the moves and the line of best play
    #[arg(long)]
    value_only: bool,
    /// File to keep what is known in, and to go on from if it is there
    #[arg(long, value_name = "FILE", conflicts_with = "book")]
    checkpoint: Option<PathBuf>,
    /// Seconds between two checkpoints
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Make an opening book instead, and go on with it if the file is there
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
    /// Leave positions out of the book that have fewer stones in the pits
    #[arg(long, value_name = "STONES", default_value_t = 40)]
    book_stones: u8,
}

/// Whether there is an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// It was printed.
    Complete,
    /// Ctrl-C came first.
    Interrupted,
}

/// Why there is none.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The position can't be read.
    #[error(transparent)]
    Position(#[from] ReadError),
    /// The memory for the table can't be had.
    #[error("{0} MiB can't be had")]
    NoMemory(u64),
    /// A file can't be read or written.
    #[error("{path:?}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// A checkpoint can't be gone on with.
    #[error("{path:?}: {error}")]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: CheckpointError,
    },
    /// A checkpoint is about something else.
    #[error("{path:?} is a checkpoint of {found}, expected one of {expected}")]
    OtherPosition {
        /// The file.
        path: PathBuf,
        /// Its position.
        found: String,
        /// The position to be solved.
        expected: String,
    },
    /// A book can't be gone on with.
    #[error("{path:?}: {error}")]
    Book {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: BookError,
    },
    /// The answer can't be printed.
    #[error("the answer can't be printed: {0}")]
    Output(#[from] io::Error),
    /// Ctrl-C can't be caught.
    #[error("Ctrl-C can't be caught: {0}")]
    Interrupt(#[from] ctrlc::Error),
}

/// Does what `arguments` say; the answer goes to `out`.
///
/// # Errors
/// [`SolveError`] says why there is no answer.
pub fn run(arguments: &Solve, out: &mut dyn Write) -> Result<Ending, SolveError> {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&interrupted);
    ctrlc::set_handler(move || {
        // The second time it ends the program at once.
        if flag.swap(true, Ordering::SeqCst) {
            std::process::exit(crate::arena::INTERRUPTED.into());
        }
    })?;
    let position = arguments.position()?;
    if let Some(path) = &arguments.book {
        return arguments.make_book(&position, path, &interrupted, out);
    }
    let mut solution = Solution::begin(arguments, position, &interrupted)?;
    solution.run(out)
}

impl Solve {
    fn position(&self) -> Result<Kalah, ReadError> {
        let text = self.position.trim();
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Kalah::read(text, ());
        }
        let row = [text; PITS].join(",");
        Kalah::read(&format!("{row},0/{row},0 s"), ())
    }

    fn solver(&self) -> Result<Solver, SolveError> {
        let solver = Solver::with_endgame(self.hash as usize, self.endgame);
        solver.map_err(|_| SolveError::NoMemory(self.hash))
    }

    fn make_book(
        &self,
        position: &Kalah,
        path: &Path,
        interrupted: &AtomicBool,
        out: &mut dyn Write,
    ) -> Result<Ending, SolveError> {
        let mut book = match fs::read_to_string(path) {
            Ok(text) => {
                text.parse().map_err(|error| SolveError::Book { path: path.to_owned(), error })?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Book::default(),
            Err(error) => return Err(SolveError::File { path: path.to_owned(), error }),
        };
        let solver = self.solver()?;
        let display = Display::new();
        let write = |book: &Book| {
            let (text, stones) = (&self.position, self.book_stones);
            let comment = format!(
                "# Kalah from {position} on, with {stones} stones or more in the pits. Made by\n\
                 # yardmaster solve \"{text}\" --book FILE --book-stones {stones}\n"
            );
            replace(path, |file| write!(file, "{comment}{book}"))
        };
        let (mut written, mut result) = (Instant::now(), Ok(()));
        let flow = book.add(
            position,
            self.book_stones,
            &solver,
            &mut |_| pause_if(interrupted.load(Ordering::SeqCst)),
            &mut |book, open| {
                display.book(book.len(), open);
                if written.elapsed() >= Duration::from_secs(self.every) {
                    result = write(book);
                    written = Instant::now();
                }
            },
        );
        display.finish();
        result?;
        write(&book)?;
        writeln!(out, "positions {}", book.len())?;
        Ok(if flow.is_break() { Ending::Interrupted } else { Ending::Complete })
    }
}

/// Writes a file anew: until that is done, the old one stays.
fn replace(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> Result<(), SolveError> {
    files::replace(path, content).map_err(|error| SolveError::File { path: path.to_owned(), error })
}

fn pause_if(condition: bool) -> ControlFlow<()> {
    if condition { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// A position that is being solved.
struct Solution<'a> {
    arguments: &'a Solve,
    solver: Solver,
    progress: Progress,
    /// The time that was spent before this run, and when this run began.
    before: Duration,
    begun: Instant,
    interrupted: &'a AtomicBool,
    display: Display,
}

impl<'a> Solution<'a> {
    /// Begins, or goes on from a checkpoint.
    fn begin(
        arguments: &'a Solve,
        position: Kalah,
        interrupted: &'a AtomicBool,
    ) -> Result<Self, SolveError> {
        let begun = Instant::now();
        let file = arguments.checkpoint.as_ref().map(|path| (path, File::open(path)));
        let (mut solver, progress) = match file {
            Some((path, Ok(file))) => {
                let loaded = Solver::load(&mut BufReader::new(file), arguments.endgame);
                let (solver, progress) =
                    loaded.map_err(|error| SolveError::Checkpoint { path: path.clone(), error })?;
                if progress.position != position {
                    let (found, expected) = (progress.position.to_string(), position.to_string());
                    return Err(SolveError::OtherPosition { path: path.clone(), found, expected });
                }
                (solver, progress)
            }
            Some((path, Err(error))) if error.kind() != io::ErrorKind::NotFound => {
                return Err(SolveError::File { path: path.clone(), error });
            }
            _ => {
                let solver = arguments.solver()?;
                let bounds = solver.known(&position);
                (solver, Progress { position, bounds, nodes: 0, milliseconds: 0 })
            }
        };
        solver.set_threads(arguments.threads.into());
        let before = Duration::from_millis(progress.milliseconds);
        let display = Display::new();
        Ok(Self { arguments, solver, progress, before, begun, interrupted, display })
    }

    fn run(&mut self, out: &mut dyn Write) -> Result<Ending, SolveError> {
        let ending = match self.answer(out)? {
            ControlFlow::Continue(()) => Ending::Complete,
            ControlFlow::Break(()) => {
                let Bounds { lower: Margin(lower), upper: Margin(upper) } = self.progress.bounds;
                writeln!(out, "interrupted, the value is from {lower:+} to {upper:+}")?;
                Ending::Interrupted
            }
        };
        self.display.finish();
        writeln!(out, "nodes {}", self.progress.nodes)?;
        writeln!(out, "seconds {:.2}", self.elapsed().as_secs_f64())?;
        self.keep()?;
        Ok(ending)
    }

    /// Prints all that is asked for; breaks at an interrupt.
    fn answer(&mut self, out: &mut dyn Write) -> Result<ControlFlow<()>, SolveError> {
        let position = self.progress.position;
        let bounds = self.value(&position, self.progress.bounds, "value")?;
        let Some(Margin(margin)) = bounds.exact() else { return Ok(ControlFlow::Break(())) };
        self.display.finish();
        writeln!(out, "position {position}\nvalue {margin:+}")?;
        if self.arguments.value_only {
            return Ok(ControlFlow::Continue(()));
        }
        let line = self.line(&position);
        let mut after = position;
        let mut texts = Vec::new();
        for pit in line {
            texts.push(after.move_text(pit));
            after = after.after(pit);
        }
        writeln!(out, "pv {}", texts.join(" "))?;
        let mut moves = Vec::new();
        position.moves(&mut moves);
        for pit in moves {
            let (child, text) = (position.after(pit), position.move_text(pit));
            let turn = Turn::between(position.side_to_move(), child.side_to_move());
            let bounds = self.value(&child, self.solver.known(&child), &text)?;
            let Some(Margin(margin)) = bounds.exact() else { return Ok(ControlFlow::Break(())) };
            let margin = match turn {
                Turn::Stays => margin,
                Turn::Passes => -margin,
            };
            self.display.finish();
            writeln!(out, "move {text} {margin:+}")?;
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The value of a position: bounds that are not exact at an interrupt.
    fn value(
        &mut self,
        position: &Kalah,
        bounds: Bounds,
        what: &str,
    ) -> Result<Bounds, SolveError> {
        let mut bounds = bounds;
        while bounds.exact().is_none() && !self.interrupted.load(Ordering::SeqCst) {
            let every = Duration::from_secs(self.arguments.every);
            let (last, progress, display) = (Instant::now(), &mut self.progress, &self.display);
            let (before, begun, interrupted) = (self.before, self.begun, self.interrupted);
            bounds = self.solver.narrow(position, bounds, &mut |nodes| {
                progress.nodes += nodes;
                display.search(what, bounds, progress.nodes, before + begun.elapsed());
                pause_if(interrupted.load(Ordering::SeqCst) || last.elapsed() >= every)
            });
            if *position == self.progress.position {
                self.progress.bounds = bounds;
            }
            if last.elapsed() >= every {
                self.keep()?;
            }
        }
        Ok(bounds)
    }

    /// A line of best play.
    fn line(&mut self, position: &Kalah) -> Vec<crate::games::kalah::board::Pit> {
        let (progress, interrupted) = (&mut self.progress, self.interrupted);
        self.solver.best_line(position, &mut |nodes| {
            progress.nodes += nodes;
            pause_if(interrupted.load(Ordering::SeqCst))
        })
    }

    fn elapsed(&self) -> Duration {
        self.before + self.begun.elapsed()
    }

    /// Writes the checkpoint, if there is to be one.
    fn keep(&mut self) -> Result<(), SolveError> {
        let Some(path) = &self.arguments.checkpoint else { return Ok(()) };
        self.progress.milliseconds = self.elapsed().as_millis() as u64;
        replace(path, |file| self.solver.save(&self.progress, file))
    }
}
