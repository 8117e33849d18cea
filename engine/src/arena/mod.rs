//! The match runner: games between programs, and what they say about strength.
//!
//! The runner is the referee. It knows the rules from [`crate::games`], deals what lies face down,
//! keeps the clocks, and takes no program's word for a result.
//!
//! - What a match is: `args` reads the command line into `settings`, `spec` the players; `schedule`
//!   says who meets whom, `opening` and `deal` where games begin, both from streams of `chance`.
//! - Playing: `runner` hands pairs of games to threads and takes their results in order; `referee`
//!   plays a game with its `time` and `adjudication`; `client` speaks with players, which are
//!   children in a `process`; what they do wrong is a `fault`; `stop` ends them all.
//! - Judging: `record` keeps everything, `transcript` makes it readable, `statistics` and `report`
//!   say what it means, `progress` says it meanwhile.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::games::Variant;
use crate::games::banqi::Banqi;
use crate::games::draughts::{Draughts, Fmjd, Site};
use crate::games::halma::Halma;
use crate::games::kalah::Kalah;

mod adjudication;
mod args;
pub(crate) mod chance;
mod client;
pub(crate) mod contest;
mod deal;
mod fault;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzz;
mod opening;
mod process;
mod progress;
mod record;
mod referee;
mod report;
mod runner;
mod schedule;
mod settings;
mod spec;
mod statistics;
mod stop;
mod time;
mod transcript;

pub use args::Match;
use args::{ArgsError, Play, Task};
use client::StartError;
use opening::OpeningError;
use record::{Content, Header, PairRecord, RecordError};
use report::Standings;
use stop::Stop;

/// The exit status of a program that Ctrl-C ended.
pub const INTERRUPTED: u8 = 130;

/// How a match has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// All pairs are played, or the test is decided.
    Complete,
    /// Ctrl-C ended it.
    Interrupted,
    /// There were more faults than are put up with.
    Faulty {
        /// How many.
        faults: u64,
    },
}

/// Why there is no match, or no report.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct Error(#[from] MatchError);

/// The reasons behind [`Error`].
#[derive(Debug, thiserror::Error)]
enum MatchError {
    #[error(transparent)]
    Args(#[from] ArgsError),
    #[error(transparent)]
    Opening(#[from] OpeningError),
    #[error(transparent)]
    Start(#[from] StartError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("Ctrl-C can't be handled: {0}")]
    Interrupt(#[from] ctrlc::Error),
    #[error("the record has other pairs than this match would have played")]
    Order,
    #[error("pair {pair} is in {} and in another record", path.display())]
    Twice { pair: u64, path: PathBuf },
    #[error("the report can't be written: {0}")]
    Output(#[from] io::Error),
}

/// Does what the arguments say, and writes the report to `output`.
///
/// # Errors
/// One line on why there is no match: wrong settings, a player that can't start, a record that can't
/// be read or written.
pub fn run(arguments: &Match, output: &mut dyn Write) -> Result<Ending, Error> {
    let ending = match &arguments.task {
        None => play(&arguments.play, output)?,
        Some(Task::Report { files }) => {
            let (header, pairs) = load(files)?;
            let mut standings = Standings::new(&header.settings);
            for pair in &pairs {
                standings.add(pair);
            }
            write!(output, "{standings}").map_err(MatchError::from)?;
            Ending::Complete
        }
        Some(Task::Games { files }) => {
            let (header, pairs) = load(files)?;
            for pair in &pairs {
                let text = transcript::transcript(header.settings.variant, pair);
                output.write_all(text.as_bytes()).map_err(MatchError::from)?;
            }
            Ending::Complete
        }
    };
    Ok(ending)
}

fn play(arguments: &Play, output: &mut dyn Write) -> Result<Ending, MatchError> {
    let settings = arguments.settings()?;
    let (conduct, files) = (arguments.conduct(), arguments.files());
    let stop = Stop::at_interrupt()?;
    let run = match settings.variant {
        Variant::Draughts => runner::run::<Draughts<Site>>,
        Variant::DraughtsFmjd => runner::run::<Draughts<Fmjd>>,
        Variant::Halma => runner::run::<Halma>,
        Variant::Banqi => runner::run::<Banqi>,
        Variant::Kalah => runner::run::<Kalah>,
    };
    let (standings, ending) = run(&settings, conduct, &files, &stop)?;
    write!(output, "{standings}")?;
    match ending {
        Ending::Complete => (),
        Ending::Interrupted => {
            let pairs = standings.pairs();
            let hint = if files.record.is_some() { "; --resume goes on" } else { "" };
            writeln!(output, "Interrupted after {pairs} pairs{hint}.")?;
        }
        Ending::Faulty { faults } => {
            writeln!(output, "Ended after {faults} faults: its players are not fit for a match.")?;
        }
    }
    Ok(ending)
}

/// The pairs of one match, in the order of their numbers, from any number of records.
fn load(files: &[PathBuf]) -> Result<(Header, Vec<PairRecord>), MatchError> {
    let mut header: Option<Header> = None;
    let mut pairs: BTreeMap<u64, PairRecord> = BTreeMap::new();
    for path in files {
        let (other, more) = Content::load(path)?;
        match &header {
            Some(header) => other.check_same_match(header, path)?,
            None => header = Some(other),
        }
        for pair in more {
            let number = pair.pair;
            if pairs.insert(number, pair).is_some() {
                return Err(MatchError::Twice { pair: number, path: path.clone() });
            }
        }
    }
    let header = header.expect("the command line names at least one record");
    Ok((header, pairs.into_values().collect()))
}
