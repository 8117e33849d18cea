//! Which move a search tries first.
//!
//! Extra turns come first, the pit next to the store before the others. What orders the rest is not
//! how good a move is likely to be, but how cheaply it may refute: stones that leave the board weigh
//! ten times what they are worth. All else is a guess at the position that the move leads to.
//!
//! The weights were fitted to the number of nodes: random changes, kept when they shrank the trees
//! of some forty random positions with 31 to 38 stones in the pits, then smoothed and rounded.

use super::super::board::{PITS, Pit, Row};
use super::super::moves::best_capture;

/// More than any other move promises.
const EXTRA_TURN: i32 = 1_000_000;
/// A stone that goes to the store at once.
const GAIN: i32 = 1000;
/// A pit farther to the right.
const RIGHTWARD: i32 = 20;

/// What a position is likely to be worth, in hundredths of a stone.
struct Guess {
    /// A stone of the side to move, and of the other side, by pit.
    stones: [[i32; PITS]; 2],
    /// A pit that gives an extra turn.
    extra_turn: [i32; 2],
    /// A pit with stones.
    occupied: [i32; 2],
    /// A stone of the greatest capture.
    capture: [i32; 2],
}

const GUESS: Guess = Guess {
    stones: [[50, 50, 100, 100, 150, 200], [-50, -25, 0, 0, 25, 50]],
    extra_turn: [250, -200],
    occupied: [450, -150],
    capture: [-30, -120],
};

/// The promise of a move that gives an extra turn.
pub(super) fn extra_turn(pit: Pit) -> i32 {
    EXTRA_TURN + pit.index() as i32
}

/// The promise of a move that brings `gain` stones to the store and passes the turn to the side
/// of `own`.
pub(super) fn passing(pit: Pit, gain: u8, own: Row, other: Row) -> i32 {
    let mut guess = 0;
    for (side, row, opposite) in [(0, own, other), (1, other, own)] {
        for pit in Pit::ALL {
            guess += GUESS.stones[side][pit.index()] * i32::from(row.pit(pit));
        }
        guess += GUESS.extra_turn[side] * row.extra_turns() as i32;
        guess += GUESS.occupied[side] * row.mobility() as i32;
        guess += GUESS.capture[side] * i32::from(best_capture(row, opposite));
    }
    GAIN * i32::from(gain) + RIGHTWARD * pit.index() as i32 - guess
}
