//! The static evaluation: stones in the stores, and what the pits promise, in hundredths of a
//! stone.

use super::moves::best_capture;
use super::{Kalah, STONE};
use crate::position::{Evaluate, Term, WinModel};
use crate::score::Score;

// Fitted by least squares to the margins that perfect play leads to from 7660 positions with 4 to
// 37 stones in the pits, reached by more or less random play.

/// A stone in a pit: it may come home at the end of the game.
const PIT_STONE: i32 = 15;
/// A pit with stones: a choice.
const OCCUPIED: i32 = 245;
/// A pit that gives the side to move another turn. To the other side it is worth nothing yet.
const EXTRA_TURN: i32 = 215;
/// A stone of the greatest capture that threatens, by the side to move and by the other one.
const CAPTURE_STONE: [i32; 2] = [125, 60];

/// Judges by counting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Evaluation;

impl Evaluation {
    /// The parts, by name.
    fn parts(position: &Kalah) -> [(&'static str, i32); 5] {
        let (own, other) = (position.own(), position.other());
        let stones = i32::from(own.stones()) - i32::from(other.stones());
        let occupied = own.mobility() as i32 - other.mobility() as i32;
        let captures = [best_capture(own, other), best_capture(other, own)].map(i32::from);
        [
            ("stores", STONE * position.lead()),
            ("pits", PIT_STONE * stones),
            ("mobility", OCCUPIED * occupied),
            ("extra turns", EXTRA_TURN * own.extra_turns() as i32),
            ("captures", CAPTURE_STONE[0] * captures[0] - CAPTURE_STONE[1] * captures[1]),
        ]
    }
}

impl Evaluate<Kalah> for Evaluation {
    const WIN_MODEL: WinModel = WinModel { threshold: 120.0, spread: 340.0 };

    fn evaluate(&self, position: &Kalah) -> Score {
        Score(Self::parts(position).iter().map(|&(_, value)| value).sum())
    }

    fn terms(&self, position: &Kalah) -> Vec<Term> {
        let term = |(name, value)| Term { name, score: Score(value) };
        Self::parts(position).map(term).to_vec()
    }
}
