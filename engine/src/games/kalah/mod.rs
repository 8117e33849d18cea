//! Kalah: six pits and a store a side; whoever stores more stones wins.
//!
//! The rules on one page. A side takes all stones of one of its pits and sows them one by one,
//! counter-clockwise, over its own pits, its own store and the other side's pits; the other
//! store is left out. Then
//!
//! - the last stone in the own store gives another turn, a ply of its own;
//! - the last stone in an own pit that was empty captures itself and all stones opposite, even if
//!   there are none ("empty capture");
//! - anything else passes the turn.
//!
//! The game is over when either side's pits are all empty after a ply, extra turn or not. Stones
//! left in pits go to their owner's store.
//!
//! [`board`] sows, [`moves`] tells what a move gains, [`text`] reads and prints, [`eval`] judges,
//! and [`solver`] knows.

pub mod board;
pub mod eval;
pub mod moves;
pub mod solver;
pub mod text;

pub use eval::Evaluation;
pub use solver::Solver;

use board::{PITS, Pit, Row};
use moves::{Effect, effect};

use crate::position::{Key, MoveError, Ordered, Outcome, Position, Side, Weight};
use crate::score::{Ply, Score, Turn};

/// The pits and the store of either side at the start.
const START: [u8; PITS + 1] = [4, 4, 4, 4, 4, 4, 0];
/// Hundredths of a stone in a stone.
const STONE: i32 = 100;

/// A position: South is [`Side::First`]. Where the game is over, all stones are in the stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kalah {
    /// Pits and store of South and of North.
    rows: [Row; 2],
    to_move: Side,
}

impl Kalah {
    /// The position with these rows of South and North, swept if the game is over.
    fn new([south, north]: [Row; 2], to_move: Side) -> Self {
        let (south, north) = board::settled(south, north);
        Self { rows: [south, north], to_move }
    }

    /// The pits and the store of a side.
    pub fn row(&self, side: Side) -> Row {
        self.rows[side.index()]
    }

    /// The row of the side to move.
    pub fn own(&self) -> Row {
        self.row(self.to_move)
    }

    /// The row of the side that waits.
    pub fn other(&self) -> Row {
        self.row(self.to_move.other())
    }

    /// By how many stones the store of the side to move is ahead.
    pub fn lead(&self) -> i32 {
        i32::from(self.own().store()) - i32::from(self.other().store())
    }
}

impl Position for Kalah {
    type Move = Pit;
    type Event = Pit;
    type Rules = ();
    type ReadError = text::ReadError;

    fn start((): ()) -> Self {
        Self { rows: [Row::new(START); 2], to_move: Side::First }
    }

    fn read(text: &str, (): ()) -> Result<Self, text::ReadError> {
        text::read(text)
    }

    fn side_to_move(&self) -> Side {
        self.to_move
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "south",
            Side::Second => "north",
        }
    }

    fn moves(&self, out: &mut Vec<Pit>) {
        out.extend(self.own().moves());
    }

    fn events(&self, mv: Pit) -> impl Iterator<Item = (Pit, Weight)> {
        std::iter::once((mv, Weight(1)))
    }

    fn sole_event(&self, mv: Pit) -> Option<Pit> {
        Some(mv)
    }

    fn after(&self, pit: Pit) -> Self {
        let (own, other, turn) = board::play(self.own(), self.other(), pit);
        let rows = match self.to_move {
            Side::First => [own, other],
            Side::Second => [other, own],
        };
        let to_move = match turn {
            Turn::Stays => self.to_move,
            Turn::Passes => self.to_move.other(),
        };
        Self { rows, to_move }
    }

    fn successors(&self, mut visit: impl FnMut(&Self)) {
        self.own().moves().for_each(|pit| visit(&self.after(pit)));
    }

    fn count_events(&self) -> u64 {
        u64::from(self.own().mobility())
    }

    fn outcome(&self, moves: &[Pit]) -> Option<Outcome> {
        if !moves.is_empty() {
            return None;
        }
        let [south, north] = self.rows.map(Row::store);
        let (winner, reason) = match south.cmp(&north) {
            std::cmp::Ordering::Greater => (Some(Side::First), "more stones"),
            std::cmp::Ordering::Less => (Some(Side::Second), "more stones"),
            std::cmp::Ordering::Equal => (None, "equal stones"),
        };
        Some(Outcome { winner, reason })
    }

    /// The margin: a win by more stones is a better one, a sooner win is not.
    fn outcome_score(&self, _outcome: Outcome, _ply: Ply) -> Score {
        Score(STONE * self.lead())
    }

    fn key(&self) -> Key {
        let [south, north] = self.rows.map(Row::bits);
        // The top byte of a row is unused.
        let mut key = south | (self.to_move.index() as u64) << 63;
        for (word, factor) in [(north, 0x9e37_79b9_7f4a_7c15), (0, 0xd6e8_feb8_6659_fd93)] {
            key = key.wrapping_mul(factor);
            key = (key ^ (key >> 32)).wrapping_add(word);
        }
        key = key.wrapping_mul(0xa076_1d64_78bd_642f);
        Key(key ^ (key >> 32))
    }

    /// Every ply brings stones nearer to a store for good: no position recurs.
    fn reversible_plies(&self) -> usize {
        0
    }

    /// A ply for every two stones in the pits: perfect play takes 0.52 a stone.
    fn plies_left(&self) -> u32 {
        let stones = u32::from(self.own().stones()) + u32::from(self.other().stones());
        stones.div_ceil(2).max(1)
    }

    fn mirrored(&self) -> Self {
        let [south, north] = self.rows;
        Self { rows: [north, south], to_move: self.to_move.other() }
    }

    fn picture(&self) -> String {
        text::picture(self)
    }

    fn move_text(&self, mv: Pit) -> String {
        text::pit_text(self.to_move, mv)
    }

    fn event_text(&self, event: Pit) -> String {
        self.move_text(event)
    }

    fn read_move(&self, text: &str) -> Result<Pit, MoveError> {
        text::read_pit(self, text)
    }

    fn read_event(&self, text: &str) -> Result<Pit, MoveError> {
        self.read_move(text)
    }
}

impl Ordered for Kalah {
    const SLOTS: usize = PITS;

    fn slot(mv: Pit) -> u16 {
        mv.index() as u16
    }

    fn is_tactical(&self, mv: Pit) -> bool {
        effect(self.own(), self.other(), mv) != Effect::Quiet
    }

    /// Extra turns first: they cost nothing. Among them the pit next to the store, since sowing
    /// from another one first would add a stone to it.
    fn promise(&self, mv: Pit) -> i32 {
        match effect(self.own(), self.other(), mv) {
            Effect::ExtraTurn => 1000 + mv.index() as i32,
            Effect::Capture(stones) => i32::from(stones),
            Effect::Quiet => 0,
        }
    }

    fn is_quiet(&self, _moves: &[Pit]) -> bool {
        true
    }

    fn table_key(&self) -> Key {
        self.key()
    }
}
