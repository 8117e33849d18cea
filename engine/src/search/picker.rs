//! The order in which moves are looked at: what refutes most often comes first.

use super::statistics::Statistics;
use super::tuning::ORDER;
use crate::position::Ordered;
use crate::score::Ply;

/// The moves of a node, handed out best first. Most nodes need but a few, so nothing is sorted.
pub(super) struct Picker<P: Ordered> {
    moves: Vec<(i32, P::Move)>,
    next: usize,
    /// Whether the moves that are left stand in their order.
    is_sorted: bool,
}

impl<P: Ordered> Picker<P> {
    /// Ranks `moves`: the table's move, tactical moves, killers, then the others by history; within
    /// each by the game's own guess. Only the first `most` are ever picked. `buffer` is used for the
    /// list.
    pub(super) fn new(
        mut buffer: Vec<(i32, P::Move)>,
        position: &P,
        moves: &[P::Move],
        most: usize,
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
        let ranked = moves.iter().map(|&mv| (rank(mv), mv));
        let is_sorted = most < moves.len();
        if is_sorted {
            keep_best(&mut buffer, ranked, most);
        } else {
            buffer.extend(ranked);
        }
        Self { moves: buffer, next: 0, is_sorted }
    }

    /// The best move that is left; of equal ones the first generated.
    pub(super) fn pick(&mut self) -> Option<P::Move> {
        let rest = self.moves.get_mut(self.next..)?;
        if self.is_sorted {
            self.next += 1;
            return rest.first().map(|&(_, mv)| mv);
        }
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

/// Puts the `most` best of `ranked` into `best`, which is empty, in their order. Few of many get
/// that far, so that they are put in their places one by one.
fn keep_best<M: Copy>(
    best: &mut Vec<(i32, M)>,
    ranked: impl Iterator<Item = (i32, M)>,
    most: usize,
) {
    let mut worst = if most > 0 { i32::MIN } else { i32::MAX };
    for (rank, mv) in ranked {
        if best.len() == most {
            if rank <= worst {
                continue;
            }
            best.pop();
        }
        best.push((rank, mv));
        let mut place = best.len() - 1;
        while place > 0 && best[place - 1].0 < rank {
            best[place] = best[place - 1];
            place -= 1;
        }
        best[place] = (rank, mv);
        if best.len() == most {
            worst = best[most - 1].0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::keep_best;

    #[test]
    fn the_best_are_kept_in_their_order_and_of_equal_ones_the_first() {
        let ranked = [(3, 'a'), (7, 'b'), (3, 'c'), (9, 'd'), (7, 'e'), (1, 'f')];
        for (most, expected) in [(0, ""), (1, "d"), (3, "dbe"), (4, "dbea"), (9, "dbeacf")] {
            let mut best = Vec::new();
            keep_best(&mut best, ranked.into_iter(), most);
            assert_eq!(best.into_iter().map(|(_, name)| name).collect::<String>(), expected);
        }
    }
}
