//! Perft: the number of different ways in which a game can go on for a number of plies.
//!
//! It checks a move generator as a whole. Draws by a counter or by repetition are ignored.

mod table;

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::position::Position;

pub use table::Table;

/// The number of sequences of `depth` events from `position`.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    Perft::default().counter().count(position, depth).expect("nobody stops it")
}

/// What is done at the last ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Leaves {
    /// The moves are counted by [`Position::count_events`].
    #[default]
    Counted,
    /// Each move is made.
    Made,
}

/// A way to count; by default without any of it.
#[derive(Clone, Copy, Default)]
pub struct Perft<'a> {
    /// What is done at the last ply.
    pub leaves: Leaves,
    /// Where the counts of positions are kept that may come up again.
    pub table: Option<&'a Table>,
    /// Ends the counting as soon as it is set.
    pub stop: Option<&'a AtomicBool>,
}

/// One event at the root and the number of sequences that begin with it.
pub type Division<P> = (<P as Position>::Event, u64);

/// The plies from the root whose events are shared out to the threads.
const SHARED_PLIES: u32 = 3;

/// Below this depth it takes longer to wait for the table than to count again.
const TABLE_DEPTH: u32 = 3;

impl Perft<'_> {
    /// [`perft`] split by the first event, in the order of the move list, counted on the current
    /// rayon pool. `None` when it was stopped before the end; nothing for `depth` 0.
    pub fn divide<P: Position>(&self, position: &P, depth: u32) -> Option<Vec<Division<P>>> {
        let Some(depth) = depth.checked_sub(1) else { return Some(Vec::new()) };
        let count = |event| {
            let count = self.shared(&position.after(event), depth, SHARED_PLIES - 1)?;
            Some((event, count))
        };
        events(position).into_par_iter().map(count).collect()
    }

    /// The number of sequences of `depth` events, shared out for so many plies.
    fn shared<P: Position>(&self, position: &P, depth: u32, plies: u32) -> Option<u64> {
        if plies == 0 || depth < 2 {
            return self.counter().count(position, depth);
        }
        let count = |event| self.shared(&position.after(event), depth - 1, plies - 1);
        events(position).into_par_iter().map(count).sum()
    }

    fn counter<P: Position>(&self) -> Counter<'_, P> {
        Counter { how: *self, buffers: Vec::new() }
    }
}

fn events<P: Position>(position: &P) -> Vec<P::Event> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().flat_map(|mv| position.events(mv)).map(|(event, _)| event).collect()
}

/// Counts one subtree; the move lists of a ply are reused.
struct Counter<'a, P: Position> {
    how: Perft<'a>,
    buffers: Vec<Vec<P::Move>>,
}

impl<P: Position> Counter<'_, P> {
    fn count(&mut self, position: &P, depth: u32) -> Option<u64> {
        match depth {
            0 => Some(1),
            1 if self.how.leaves == Leaves::Counted => Some(position.count_events()),
            1 => self.over_events(position, |_, next| {
                black_box(next);
                Some(1)
            }),
            _ => self.count_tree(position, depth),
        }
    }

    /// [`count`](Self::count) for a depth of at least 2.
    fn count_tree(&mut self, position: &P, depth: u32) -> Option<u64> {
        if self.how.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return None;
        }
        let table = self.how.table.filter(|_| depth >= TABLE_DEPTH);
        if let Some(count) = table.and_then(|table| table.count(position.key(), depth)) {
            return Some(count);
        }
        let count = match (depth, self.how.leaves) {
            // Side by side, so that nothing is made that is not counted, like a hash.
            (2, Leaves::Counted) => self.over_events(position, |_, next| Some(next.count_events())),
            _ => self.over_events(position, |counter, next| counter.count(next, depth - 1)),
        }?;
        if let Some(table) = table {
            table.keep(position.key(), depth, count);
        }
        Some(count)
    }

    /// The sum of what is counted after each event.
    fn over_events(
        &mut self,
        position: &P,
        mut count: impl FnMut(&mut Self, &P) -> Option<u64>,
    ) -> Option<u64> {
        let mut moves = self.buffers.pop().unwrap_or_default();
        moves.clear();
        position.moves(&mut moves);
        let mut total = 0;
        for &mv in &moves {
            for (event, _) in position.events(mv) {
                total += count(self, &position.after(event))?;
            }
        }
        self.buffers.push(moves);
        Some(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::banqi::Banqi;
    use crate::games::kalah::Kalah;

    /// All ways to count agree.
    fn check<P: Position>(position: &P, depth: u32) {
        let expected = perft(position, depth);
        let table = Table::new(1).expect("1 MiB");
        for leaves in [Leaves::Counted, Leaves::Made] {
            for table in [None, Some(&table)] {
                let division = Perft { leaves, table, stop: None }.divide(position, depth);
                let counts = division.expect("nobody stops it").into_iter().map(|(_, count)| count);
                assert_eq!(counts.sum::<u64>(), expected, "{leaves:?}, {}", table.is_some());
            }
        }
    }

    #[test]
    fn however_it_is_counted_the_count_is_the_same() {
        check(&Kalah::start(()), 7);
        check(&Banqi::start(()), 3);
    }

    #[test]
    fn a_count_that_is_stopped_is_none() {
        let stop = AtomicBool::new(true);
        let perft = Perft { stop: Some(&stop), ..Perft::default() };
        assert_eq!(perft.divide(&Kalah::start(()), 6), None);
    }
}
