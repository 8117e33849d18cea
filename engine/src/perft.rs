//! Perft: the number of different ways in which a game can go on for a number of plies.
//!
//! It checks a move generator as a whole. Draws by a counter or by repetition are ignored.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::position::Position;

/// The number of sequences of `depth` events from `position`.
pub fn perft<P: Position>(position: &P, depth: u32) -> u64 {
    let never = AtomicBool::new(false);
    Counter { buffers: Vec::new(), stop: &never }.count(position, depth).unwrap_or(0)
}

/// One event at the root and the number of sequences that begin with it.
pub type Division<P> = (<P as Position>::Event, u64);

/// [`perft`] split by the first event, in the order of the move list, counted on the current
/// rayon pool. `None` when `stop` was set before the end; nothing for `depth` 0.
pub fn divide<P: Position>(
    position: &P,
    depth: u32,
    stop: &AtomicBool,
) -> Option<Vec<Division<P>>> {
    let Some(depth) = depth.checked_sub(1) else { return Some(Vec::new()) };
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let events: Vec<P::Event> =
        moves.into_iter().flat_map(|mv| position.events(mv)).map(|(event, _)| event).collect();
    events
        .par_iter()
        .map(|&event| {
            let mut counter = Counter { buffers: Vec::new(), stop };
            Some((event, counter.count(&position.after(event), depth)?))
        })
        .collect()
}

/// Counts one subtree; the move lists of a ply are reused.
struct Counter<'a, P: Position> {
    buffers: Vec<Vec<P::Move>>,
    stop: &'a AtomicBool,
}

impl<P: Position> Counter<'_, P> {
    fn count(&mut self, position: &P, depth: u32) -> Option<u64> {
        match depth {
            0 => return Some(1),
            1 => return Some(position.count_events()),
            _ => (),
        }
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut moves = self.buffers.pop().unwrap_or_default();
        moves.clear();
        position.moves(&mut moves);
        let mut total = 0;
        for &mv in &moves {
            for (event, _) in position.events(mv) {
                total += self.count(&position.after(event), depth - 1)?;
            }
        }
        self.buffers.push(moves);
        Some(total)
    }
}
