//! What the search learns about moves while it runs: which ones refuted the position before.

use crate::position::{Ordered, Side};
use crate::score::Ply;

use super::tuning::HISTORY;

/// Killer moves (Akl and Newborn 1977) and the history heuristic (Schaeffer 1983), both by the
/// move's [slot](Ordered::slot).
pub(super) struct Statistics {
    history: [Vec<i16>; 2],
    killers: Vec<[u16; 2]>,
}

/// No move has this slot.
pub(super) const NO_SLOT: u16 = u16::MAX;

impl Statistics {
    pub(super) fn new<P: Ordered>() -> Self {
        Self { history: [vec![0; P::SLOTS], vec![0; P::SLOTS]], killers: Vec::new() }
    }

    /// The quiet moves that last refuted a position at this ply.
    pub(super) fn killers(&self, ply: Ply) -> [u16; 2] {
        self.killers.get(usize::from(ply.0)).copied().unwrap_or([NO_SLOT; 2])
    }

    /// How well the move did so far, within ±[`HISTORY`]`.limit`.
    pub(super) fn history(&self, side: Side, slot: u16) -> i32 {
        i32::from(self.history[side.index()][usize::from(slot)])
    }

    /// A quiet move refuted the position, the `failed` ones before it did not.
    pub(super) fn learn(&mut self, side: Side, ply: Ply, depth: i32, refuter: u16, failed: &[u16]) {
        let ply = usize::from(ply.0);
        if self.killers.len() <= ply {
            self.killers.resize(ply + 1, [NO_SLOT; 2]);
        }
        let killers = &mut self.killers[ply];
        if killers[0] != refuter {
            *killers = [refuter, killers[0]];
        }
        let bonus = HISTORY.bonus(depth);
        self.adjust(side, refuter, bonus);
        for &slot in failed {
            self.adjust(side, slot, -bonus);
        }
    }

    /// Adds so that the sum never leaves the limit: the nearer it is, the less is added.
    fn adjust(&mut self, side: Side, slot: u16, bonus: i32) {
        let entry = &mut self.history[side.index()][usize::from(slot)];
        let old = i32::from(*entry);
        *entry = (old + bonus - old * bonus.abs() / HISTORY.limit) as i16;
    }
}
