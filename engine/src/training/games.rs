//! Files of games to learn from: a line of settings, then a line a game, appended as it ends.
//!
//! ```text
//! yardmaster games 3: draughts, 1000 nodes a move, 8 random plies, seed 1, at most 400 plies 86…
//! 1 0-1 20-24 31-26 14-20/-3 37-31/5 … 0c2fa3b6e1d09a55
//! 2 1/2 17-21 32-28 … 93d1e0b4a8c67f21
//! ```
//!
//! A game has its number, the result for the side that moves first, and its events from the start
//! position, with what the search thought of those that it chose: the score of the side that moved.
//! In parentheses after an event stands an aside: what was tried in its place. The last word of each line
//! is its checksum.
//! A line that a kill cut off is dropped when the file is gone on with.

use std::collections::HashSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::files;
use crate::games::Variant;
use crate::position::{MoveError, Position, Side};
use crate::score::Score;
use crate::weights::WeightsError;

/// What all games of a file have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Settings {
    pub(crate) variant: Variant,
    /// Positions visited for each move.
    pub(crate) nodes: u64,
    /// Random plies at the beginning.
    pub(crate) random: u32,
    pub(crate) seed: u64,
    /// A longer game is a draw.
    pub(crate) max_plies: u32,
    /// After so many of a hundred moves that were searched stands an aside.
    pub(crate) asides: u32,
    /// The checksum of the weights with which the positions were judged, if not by those of this
    /// version.
    pub(crate) weights: Option<u64>,
}

const BEGINNING: &str = "yardmaster games 3: ";

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variant, nodes, random, seed, max_plies, asides, weights } = self;
        write!(f, "{BEGINNING}{variant}, {nodes} nodes a move, {random} random plies, ")?;
        write!(f, "seed {seed}, at most {max_plies} plies")?;
        if *asides > 0 {
            write!(f, ", {asides} % asides")?;
        }
        weights.map_or(Ok(()), |sum| write!(f, ", weights {sum:016x}"))
    }
}

/// Why a file of games can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum GamesError {
    #[error("{}: {error}", path.display())]
    Io { path: PathBuf, error: io::Error },
    #[error("{}: {error}", path.display())]
    Weights { path: PathBuf, error: WeightsError },
    #[error("{} does not begin like a file of games, expected {BEGINNING:?}", .0.display())]
    NoGames(PathBuf),
    #[error("{} holds other games, expected {expected:?}", path.display())]
    OtherSettings { path: PathBuf, expected: String },
    #[error("{}, line {line}: {text:?} is damaged, its checksum is not that of its words", path.display())]
    Damaged { path: PathBuf, line: usize, text: String },
    #[error("{}, line {line}: {text:?} is no game, expected a number, a result and moves", path.display())]
    NoGame { path: PathBuf, line: usize, text: String },
    #[error("{}, game {game}: {error}", path.display())]
    NoMove { path: PathBuf, game: u64, error: MoveError },
}

/// Who has won.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GameResult(pub(crate) Option<Side>);

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Some(Side::First) => "1-0",
            Some(Side::Second) => "0-1",
            None => "1/2",
        })
    }
}

impl FromStr for GameResult {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "1-0" => Ok(Self(Some(Side::First))),
            "0-1" => Ok(Self(Some(Side::Second))),
            "1/2" => Ok(Self(None)),
            _ => Err(()),
        }
    }
}

/// A game as a file holds it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct GameLine<'a> {
    pub(crate) number: u64,
    pub(crate) result: GameResult,
    /// The events with their scores, and the asides, separated by spaces.
    pub(crate) events: &'a str,
}

/// An event of a game, in text form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Ply<'a> {
    pub(crate) event: &'a str,
    /// From the view of the side that moved, if it searched.
    pub(crate) score: Option<Score>,
}

impl fmt::Display for Ply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            None => f.write_str(self.event),
            Some(Score(score)) => write!(f, "{}/{score}", self.event),
        }
    }
}

/// What a game is written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step<'a> {
    /// An event happens.
    Ply(Ply<'a>),
    /// The last event is taken back, and something else tried.
    Aside,
    /// The game goes on where it was before the aside.
    Return,
}

impl<'a> Step<'a> {
    /// A score that is no number is taken for a part of the event.
    fn read(text: &'a str) -> Self {
        let parts = text.split_once('/');
        match (text, parts.and_then(|(event, score)| Some((event, score.parse().ok()?)))) {
            ("(", _) => Self::Aside,
            (")", _) => Self::Return,
            (_, None) => Self::Ply(Ply { event: text, score: None }),
            (_, Some((event, score))) => Self::Ply(Ply { event, score: Some(Score(score)) }),
        }
    }
}

impl fmt::Display for Step<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ply(ply) => ply.fmt(f),
            Self::Aside => f.write_str("("),
            Self::Return => f.write_str(")"),
        }
    }
}

impl<'a> GameLine<'a> {
    pub(super) fn read(line: &'a str) -> Option<Self> {
        let (number, rest) = line.split_once(' ')?;
        let (result, events) = rest.split_once(' ')?;
        Some(Self { number: number.parse().ok()?, result: result.parse().ok()?, events })
    }

    /// The game, step by step.
    pub(crate) fn steps(&self) -> impl Iterator<Item = Step<'a>> + use<'a> {
        self.events.split(' ').map(Step::read)
    }
}

/// A game that is gone through again.
pub(crate) struct Replay<P> {
    position: P,
    /// The position before the last event.
    before: P,
    /// In an aside, the two positions of the game itself.
    main: Option<[P; 2]>,
}

impl<P: Position> Default for Replay<P> {
    fn default() -> Self {
        let start = P::start(P::Rules::default());
        Self { position: start, before: start, main: None }
    }
}

impl<P: Position> Replay<P> {
    pub(crate) fn position(&self) -> &P {
        &self.position
    }

    pub(crate) fn is_aside(&self) -> bool {
        self.main.is_some()
    }

    /// Takes a step.
    pub(crate) fn step(&mut self, step: &Step<'_>) -> Result<(), MoveError> {
        match step {
            Step::Ply(ply) => {
                let event = self.position.read_event(ply.event)?;
                self.before = self.position;
                self.position = self.position.after(event);
            }
            Step::Aside => {
                self.main.get_or_insert([self.before, self.position]);
                self.position = self.before;
            }
            Step::Return => {
                if let Some(main) = self.main.take() {
                    [self.before, self.position] = main;
                }
            }
        }
        Ok(())
    }
}

/// A file that games are added to.
pub(crate) struct GameFile {
    file: File,
    path: PathBuf,
}

impl GameFile {
    /// Begins the file at `path`, or goes on with it; answers the numbers of its games, too.
    pub(crate) fn open(
        path: &Path,
        settings: &Settings,
    ) -> Result<(Self, HashSet<u64>), GamesError> {
        let failed = |error| GamesError::Io { path: path.to_owned(), error };
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(path).map_err(failed)?;
        files::lock(&file).map_err(failed)?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(failed)?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut this = Self { file, path: path.to_owned() };
        if whole == 0 {
            // A cut-off first line is the beginning of the one that this file would get.
            let first = files::sealed(&settings.to_string());
            if !first.starts_with(&text) {
                return Err(GamesError::NoGames(path.to_owned()));
            }
            this.file.set_len(0).map_err(failed)?;
            this.add_line(&settings.to_string())?;
            return Ok((this, HashSet::new()));
        }
        let text = &text[..whole];
        let games = read(path, text, settings.variant, Some(settings))?;
        let numbers = games.map(|game| Ok(game?.number)).collect::<Result<_, _>>()?;
        this.file.set_len(whole as u64).map_err(failed)?;
        Ok((this, numbers))
    }

    /// Adds a game; it is in the file when this returns.
    pub(crate) fn add(&mut self, game: &GameLine<'_>) -> Result<(), GamesError> {
        let GameLine { number, result, events } = game;
        self.add_line(&format!("{number} {result} {events}"))
    }

    fn add_line(&mut self, line: &str) -> Result<(), GamesError> {
        // One write a line: a kill leaves at most the last one cut off.
        let written = self.file.write_all(format!("{}\n", files::sealed(line)).as_bytes());
        written.map_err(|error| GamesError::Io { path: self.path.clone(), error })
    }
}

/// The games of `variant` in the text of a file, which must be those of `settings` if these are given. A
/// line that was cut off is none of them.
pub(crate) fn read<'a>(
    path: &'a Path,
    text: &'a str,
    variant: Variant,
    settings: Option<&Settings>,
) -> Result<impl Iterator<Item = Result<GameLine<'a>, GamesError>>, GamesError> {
    if !text.starts_with(BEGINNING) {
        return Err(GamesError::NoGames(path.to_owned()));
    }
    let unseal = move |line, text: &'a str| {
        let damaged = || GamesError::Damaged { path: path.to_owned(), line, text: beginning(text) };
        files::unsealed(text).ok_or_else(damaged)
    };
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut lines = (1..).zip(text[..whole].lines());
    let head = lines.next().map(|(line, text)| unseal(line, text)).transpose()?;
    let expected = settings.map_or_else(|| format!("{BEGINNING}{variant}, "), Settings::to_string);
    let fits = |head: &str| match settings {
        Some(_) => head == expected,
        None => head.starts_with(&expected),
    };
    if !head.is_none_or(fits) {
        return Err(GamesError::OtherSettings { path: path.to_owned(), expected });
    }
    Ok(lines.map(move |(line, text)| {
        GameLine::read(unseal(line, text)?).ok_or_else(|| GamesError::NoGame {
            path: path.to_owned(),
            line,
            text: beginning(text),
        })
    }))
}

/// Enough of a line to know it by.
fn beginning(text: &str) -> String {
    text.chars().take(40).collect()
}
