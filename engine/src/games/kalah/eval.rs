//! The static evaluation: stones in the stores, and what the pits promise, in hundredths of a
//! stone.

use super::moves::best_capture;
use super::{Kalah, STONE};
use crate::position::{Evaluate, Term, WinModel};
use crate::score::Score;

/// A stone in an own pit: it comes home when the game ends.
const PIT_STONE: i32 = 20;
/// A pit that gives another turn, for the side to move and for the side that waits.
const EXTRA_TURN: [i32; 2] = [100, 50];
/// A stone of the greatest capture that threatens, likewise.
const CAPTURE_STONE: [i32; 2] = [50, 20];

/// Judges by counting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counting;

impl Counting {
    /// The parts, by name.
    fn parts(position: &Kalah) -> [(&'static str, i32); 4] {
        let (own, other) = (position.own(), position.other());
        let difference = |own: u32, other: u32| own as i32 - other as i32;
        let weighted = |[own, other]: [u32; 2], weights: [i32; 2]| {
            own as i32 * weights[0] - other as i32 * weights[1]
        };
        [
            ("stores", STONE * position.lead()),
            ("pits", PIT_STONE * difference(own.stones().into(), other.stones().into())),
            ("extra turns", weighted([own.extra_turns(), other.extra_turns()], EXTRA_TURN)),
            (
                "captures",
                weighted(
                    [best_capture(own, other).into(), best_capture(other, own).into()],
                    CAPTURE_STONE,
                ),
            ),
        ]
    }
}

impl Evaluate<Kalah> for Counting {
    const WIN_MODEL: WinModel = WinModel { threshold: 100.0, spread: 200.0 };

    fn evaluate(&self, position: &Kalah) -> Score {
        Score(Self::parts(position).iter().map(|&(_, value)| value).sum())
    }

    fn terms(&self, position: &Kalah) -> Vec<Term> {
        let term = |(name, value)| Term { name, score: Score(value) };
        Self::parts(position).map(term).to_vec()
    }
}
