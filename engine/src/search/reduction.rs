//! Late-move reductions: moves that come late in the order are first looked at less deeply.

use super::Depth;
use super::tuning::REDUCTION;

/// The plies by which the `number`-th move (from 0) of a node is looked at less deeply, by depth.
pub(super) struct Reductions {
    by_depth_and_number: Vec<[u8; NUMBERS]>,
}

const DEPTHS: usize = 64;
const NUMBERS: usize = 64;

impl Reductions {
    pub(super) fn new() -> Self {
        let row = |depth| std::array::from_fn(|number| REDUCTION.plies(depth, number));
        Self { by_depth_and_number: (0..DEPTHS).map(row).collect() }
    }

    /// At least 0, and never so many that a move is not looked at at all.
    pub(super) fn plies(&self, depth: Depth, number: usize) -> Depth {
        let row = &self.by_depth_and_number[(depth.max(0) as usize).min(DEPTHS - 1)];
        Depth::from(row[number.min(NUMBERS - 1)])
    }
}
