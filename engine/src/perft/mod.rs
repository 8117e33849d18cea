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
    Perft::default().count(position, depth).expect("nobody stops it")
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
            return self.count(position, depth);
        }
        let count = |event| self.shared(&position.after(event), depth - 1, plies - 1);
        events(position).into_par_iter().map(count).sum()
    }

    /// [`perft`] in this way, on the calling thread. `None` when it was stopped before the end.
    pub fn count<P: Position>(&self, position: &P, depth: u32) -> Option<u64> {
        match depth {
            0 => Some(1),
            1 => Some(self.last_ply(position)),
            _ => self.count_tree(position, depth),
        }
    }

    /// [`count`](Self::count) for a depth of at least 2.
    fn count_tree<P: Position>(&self, position: &P, depth: u32) -> Option<u64> {
        if self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return None;
        }
        // Here it takes longer to wait for the table than to count again.
        if depth == 2 {
            let mut count = 0;
            position.successors(|next| count += self.last_ply(next));
            return Some(count);
        }
        if let Some(count) = self.table.and_then(|table| table.count(position.key(), depth)) {
            return Some(count);
        }
        let mut count = Some(0);
        position.successors(|next| {
            count = count.and_then(|count| Some(count + self.count_tree(next, depth - 1)?));
        });
        if let (Some(table), Some(count)) = (self.table, count) {
            table.keep(position.key(), depth, count);
        }
        count
    }

    /// [`count`](Self::count) for depth 1.
    fn last_ply<P: Position>(&self, position: &P) -> u64 {
        match self.leaves {
            Leaves::Counted => position.count_events(),
            Leaves::Made => {
                let mut count = 0;
                position.successors(|next| {
                    black_box(*next);
                    count += 1;
                });
                count
            }
        }
    }
}

fn events<P: Position>(position: &P) -> Vec<P::Event> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.into_iter().flat_map(|mv| position.events(mv)).map(|(event, _)| event).collect()
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
