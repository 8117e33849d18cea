//! What the referee asks of a player, whatever it speaks, and the players that know how to answer.
//!
//! Everything that a player is told is text that both players may know: the position at the start
//! of the game, what has happened since, the time. A client never sees a deal.

use std::time::{Duration, Instant};

use super::chance::Seed;
use super::fault::{Fault, FaultKind};
use super::process::{Line, Process};
use super::spec::{Dialect, GREEDY, PLANNER, PlayerSpec, RANDOM};
use super::stop::Stop;
use super::time::Go;
use crate::games::Variant;
use crate::words;

mod greedy;
mod hub;
mod mgtp;
mod planner;
mod random;
mod ugi;

mod yardmaster;

/// How long a program may take to get ready for its first game.
const START_UP: Duration = Duration::from_mins(1);

/// A line of play as text.
#[derive(Clone, Debug)]
pub(super) struct LineOfPlay {
    /// The position text at the start, `None` for the start position of the game.
    pub(super) start: Option<String>,
    /// The position texts from the start on: one more than there are events.
    pub(super) positions: Vec<String>,
    /// What has happened since the start.
    pub(super) events: Vec<String>,
}

/// A legal move, and where it leads if that is sure.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    /// The text of the move.
    pub(super) text: String,
    /// What it promises to gain at once, if that is much.
    pub(super) gain: Option<i32>,
    /// The text of the position after it.
    pub(super) after: Option<String>,
}

/// What a player shall answer with a move.
pub(super) struct Request<'a> {
    /// The game so far.
    pub(super) line: &'a LineOfPlay,
    /// The legal moves, for players that do not know the rules or name moves in another way.
    pub(super) choices: &'a dyn Fn() -> Vec<Choice>,
    /// The time.
    pub(super) go: Go,
}

/// A player's answer.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Answer {
    /// The move, as the player names it.
    pub(super) mv: String,
    /// From the word to begin until the answer was read.
    pub(super) time: Duration,
    /// What it told about its thoughts.
    pub(super) thoughts: Thoughts,
    /// The last error that it reported.
    pub(super) complaint: Option<String>,
}

/// What a player told about its thoughts: the last word on each.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct Thoughts {
    pub(super) score: Option<Verdict>,
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    /// The lines of play that it thought best, the last one last.
    pub(super) lines: Vec<Vec<String>>,
}

/// Of the lines of play that a player tells in one search so many are kept, the last ones.
const LINES_MAX: usize = 256;

impl Thoughts {
    fn add_line(&mut self, line: Vec<String>) {
        if self.lines.len() == LINES_MAX {
            self.lines.remove(0);
        }
        self.lines.push(line);
    }
}

/// How a player judges its position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// In hundredths of the game's unit.
    Score(i64),
    /// A forced win in so many own moves, or a loss if negative.
    Mate(i64),
}

impl Verdict {
    /// The verdict as a score; a forced end is greater than every other score.
    pub(super) fn score(self) -> i64 {
        match self {
            Self::Score(score) => score,
            Self::Mate(moves) if moves > 0 => i64::MAX,
            Self::Mate(_) => i64::MIN,
        }
    }
}

/// A player that is ready to play.
pub(super) trait Player: Send {
    /// Forgets the last game. `seed` fixes what a player leaves to chance, if it is ours.
    fn new_game(&mut self, seed: Seed) -> Result<(), Fault>;

    /// Asks for a move.
    fn think(&mut self, request: &Request<'_>) -> Result<Answer, Fault>;

    /// Whether the player is in order after the game's last move.
    fn settle(&mut self) -> Result<(), Fault>;
}

/// Why a player does not get ready.
#[derive(Debug, thiserror::Error)]
pub(super) enum StartError {
    /// Its program can't be started.
    #[error("player {name:?}: {command:?} can't be started: {error}")]
    Program { name: String, command: String, error: std::io::Error },
    /// It did something wrong before its first game.
    #[error("player {name:?} does not get ready for {variant}: {fault}")]
    Fault { name: String, variant: Variant, fault: Fault },
    /// It refused an option.
    #[error("player {name:?}: {complaint}")]
    Refusal { name: String, complaint: String },
    /// It has no such option.
    #[error("player {name:?} has no option {option:?}, only {known}")]
    NoSuchOption { name: String, option: String, known: String },
    /// Its protocol is for another game.
    #[error("player {name:?} speaks {dialect}, but not for {variant}")]
    WrongGame { name: String, dialect: &'static str, variant: Variant },
    /// The built-in planner is asked for another game.
    #[error("player {name:?} plans races, which is for halma only, not for {variant}")]
    NoPlanner { name: String, variant: Variant },
}

/// Starts a player and sets its options.
pub(super) fn start(
    spec: &PlayerSpec,
    variant: Variant,
    silence: Duration,
    stop: &Stop,
) -> Result<Box<dyn Player>, StartError> {
    if spec.command == RANDOM {
        return Ok(Box::new(random::Random::new()));
    }
    if spec.command == GREEDY {
        return Ok(Box::new(greedy::Greedy::new()));
    }
    if spec.command == PLANNER {
        if variant != Variant::Halma {
            return Err(StartError::NoPlanner { name: spec.name.clone(), variant });
        }
        return Ok(Box::new(planner::Planner::start(spec)?));
    }
    let process = Process::start(spec, stop).map_err(|error| StartError::Program {
        name: spec.name.clone(),
        command: spec.command.clone(),
        error,
    })?;
    let channel = Channel { process, silence };
    Ok(match spec.dialect {
        Dialect::Yardmaster => Box::new(yardmaster::Yardmaster::start(channel, spec, variant)?),
        Dialect::Hub => Box::new(hub::Hub::start(channel, spec, hub::Version::Two, variant)?),
        Dialect::Hub1 => Box::new(hub::Hub::start(channel, spec, hub::Version::One, variant)?),
        Dialect::Mgtp => Box::new(mgtp::Mgtp::start(channel, spec, variant)?),
        Dialect::Ugi => Box::new(ugi::Ugi::start(channel, spec, variant)?),
    })
}

/// The talk with a child process: a request, and the lines until its answer.
struct Channel {
    process: Process,
    /// How long a player may be silent where no clock runs.
    silence: Duration,
}

impl Channel {
    /// Says `request` and gives each line to `is_last` until that is the answer.
    fn ask(
        &mut self,
        request: &str,
        patience: Duration,
        mut is_last: impl FnMut(&str) -> bool,
    ) -> Result<Line, Fault> {
        self.process.say(format!("{request}\n"));
        let deadline = Instant::now() + patience;
        loop {
            let line = self.process.hear(deadline)?;
            if is_last(&line.text) {
                return Ok(line);
            }
        }
    }

    /// Says `request`, which the player answers with `reply` alone. A line that begins with one of
    /// `answers` shows that it answers to what it was not asked.
    fn sync(&mut self, request: &str, reply: &str, answers: &[&str]) -> Result<(), Fault> {
        let (silence, mut stray) = (self.silence, None);
        self.ask(request, silence, |text| {
            let (word, _) = words::first(text);
            if answers.contains(&word) {
                stray.get_or_insert_with(|| text.to_owned());
            }
            word == reply
        })?;
        match stray {
            None => Ok(()),
            Some(text) => {
                Err(Fault::new(FaultKind::Protocol, format!("{text:?} without being asked")))
            }
        }
    }

    /// Says `request` and waits for the answer to a search; `is_answer` takes in what else is said.
    fn search(
        &mut self,
        request: &str,
        patience: Duration,
        is_answer: impl FnMut(&str) -> bool,
    ) -> Result<(Line, Duration), Fault> {
        let begin = Instant::now();
        let line = self.ask(request, patience, is_answer)?;
        let time = line.at.saturating_duration_since(begin);
        Ok((line, time))
    }
}
