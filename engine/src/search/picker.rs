//! The order in which moves are looked at: what refutes most often comes first.

use super::statistics::Statistics;
use super::tuning::ORDER;
use crate::position::Ordered;
use crate::score::Ply;

/// The moves of a node, handed out best first. Most nodes need but a few, so nothing is sorted.
pub(super) struct Picker<P: Ordered> {
    moves: Vec<(i32, P::Move)>,
    next: usize,
}

impl<P: Ordered> Picker<P> {
    /// Ranks `moves`: the table's move, tactical moves, killers, then the others by history; within
    /// each by the game's own guess. `buffer` is used for the list.
    pub(super) fn new(
        mut buffer: Vec<(i32, P::Move)>,
        position: &P,
        moves: &[P::Move],
        table_slot: Option<u16>,
        statistics: &Statistics,
        ply: Ply,
    ) -> Self {
        let side = position.side_to_move();
        let killers = statistics.killers(ply);
        let rank = |mv: P::Move| {
            let slot = P::slot(mv);
            let promise = position.promise(mv);
            if table_slot == Some(slot) {
                ORDER.table + promise
            } else if position.is_tactical(mv) {
                ORDER.tactical + promise
            } else if let Some(place) = killers.iter().position(|&killer| killer == slot) {
                ORDER.killer - place as i32 + promise
            } else {
                promise * ORDER.promise_weight + statistics.history(side, slot)
            }
        };
        buffer.clear();
        buffer.extend(moves.iter().map(|&mv| (rank(mv), mv)));
        Self { moves: buffer, next: 0 }
    }

    /// The best move that is left; of equal ones the first generated.
    pub(super) fn pick(&mut self) -> Option<P::Move> {
        let rest = self.moves.get_mut(self.next..)?;
        let mut best = 0;
        for place in 1..rest.len() {
            if rest[place].0 > rest[best].0 {
                best = place;
            }
        }
        let (_, mv) = *rest.get(best)?;
        rest[..=best].rotate_right(1);
        self.next += 1;
        Some(mv)
    }

    /// Gives the buffer back.
    pub(super) fn into_buffer(self) -> Vec<(i32, P::Move)> {
        self.moves
    }
}
