//! Searches: how a move is found. They know the contract of a game, but no game.

use std::time::Duration;

use crate::game::Game;
use crate::position::{Position, TablesError};
use crate::score::{Ply, Score};

mod alpha_beta;
pub mod clock;
mod deepening;
mod expectimax;
mod frontier;
mod picker;
mod proof;
mod quiescence;
mod racing;
mod reduction;
mod statistics;
mod table;
mod threads;
mod tuning;
mod worker;

pub use alpha_beta::{Selectivity, TreeSearch, alpha_beta};
pub use clock::{Clock, TimeControl};
pub use expectimax::{counted, expectimax};
pub use proof::{Proof, proof};
pub use racing::{Racing, racing};

pub use crate::position::NoMemory;

/// Plies to look ahead.
type Depth = i32;

/// The last iteration, if no limit is met before.
const MAX_DEPTH: Depth = 120;

/// No line of play is followed further than this.
const MAX_PLY: Ply = Ply(250);

/// A search of one game, with its tables. It is driven through a trait object, once a command.
pub trait Search<P: Position>: Send {
    /// Thinks about `task` until one of its limits is met or `clock` says stop, calling `observe`
    /// with what is found; the last [`Line`] reported for each rank is the answer.
    ///
    /// `task.moves` is not empty. At least one line is reported, however tight the limits are.
    fn think(&mut self, task: &Task<'_, P>, clock: &Clock, observe: &mut Observer<'_, P>);

    /// Takes `mebibytes` for the tables, losing what is in them.
    ///
    /// # Errors
    /// [`NoMemory`] when that much can't be had; the tables are then as they were.
    fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory>;

    /// How many threads think.
    fn set_threads(&mut self, threads: usize);

    /// Has a table of all positions with up to `stones` stones, in a game that can have one.
    fn set_endgame(&mut self, _stones: u8) {}

    /// Looks into the endgame tables of `file`, or into its own ones if that is `None`, in a game
    /// that has such.
    ///
    /// # Errors
    /// [`TablesError`] when the file can't be used; everything is then as it was.
    fn set_tables(&mut self, _file: Option<&[u8]>) -> Result<(), TablesError> {
        Ok(())
    }

    /// Waits until tables that are built beside it are there.
    fn get_ready(&mut self) {}

    /// Forgets everything learned in earlier searches.
    fn clear(&mut self);
}

/// Is told what a search finds.
pub type Observer<'a, P> = dyn FnMut(&Report<P>) + 'a;

/// What a search shall find out.
pub struct Task<'a, P: Position> {
    /// The game, whose position is the root.
    pub game: &'a Game<P>,
    /// The root moves to choose from; legal and different ones, at least one.
    pub moves: Vec<P::Move>,
    /// How many of the best moves get a line, at least 1 (`MultiPV`).
    pub lines: usize,
    /// Where to stop, besides the clock.
    pub limits: Limits,
}

/// Where a search stops, besides its clock: as soon as one limit is met.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Complete iterations.
    pub depth: Option<u32>,
    /// Positions visited; never more than this with one thread.
    pub nodes: Option<u64>,
    /// A forced win within this many own moves.
    pub mate: Option<u32>,
    /// The search goes on until it is stopped, even when there is nothing left to find out.
    pub infinite: bool,
}

/// What a search tells while it thinks.
#[derive(Clone, Debug)]
pub enum Report<P: Position> {
    /// A line of play and its value.
    Line(Line<P>),
    /// The root move that is being looked at; only in long searches.
    Current {
        /// The iteration.
        depth: u32,
        /// The move.
        mv: P::Move,
        /// Its number in the order of looking, from 1.
        number: usize,
    },
    /// A sign of life.
    Progress {
        /// The iteration.
        depth: u32,
        /// What it has cost so far.
        effort: Effort,
    },
}

/// A line of play that was found best.
#[derive(Clone, Debug)]
pub struct Line<P: Position> {
    /// The iteration.
    pub depth: u32,
    /// The greatest number of plies looked ahead.
    pub seldepth: u32,
    /// 1 for the best line, 2 for the next one, up to [`Task::lines`].
    pub rank: usize,
    /// The value for the side to move.
    pub score: Score,
    /// What the score says about the value.
    pub bound: Bound,
    /// Whether the score is the value of the game, whatever the depth.
    pub proven: bool,
    /// Legal moves, the root move first; at least one. It ends at the first move of chance.
    pub pv: Vec<P::Move>,
    /// What it has cost so far.
    pub effort: Effort,
}

/// What a search has cost so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Positions visited, by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the table is, in permille.
    pub hashfull: u16,
}

/// What a score says about a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value is the score.
    Exact,
    /// The value is the score or greater.
    Lower,
    /// The value is the score or less.
    Upper,
}
