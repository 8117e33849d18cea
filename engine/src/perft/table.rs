//! Counts of positions that may come up again, by another order of the same moves.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::memory;
use crate::position::{Key, NoMemory};

/// Counts by position and depth, shared by all threads without a lock.
///
/// A position is known by its 64-bit key alone, so that a count from a table is all but certain: of
/// n different positions some two have the same key with a probability of about n²/2⁶⁵.
pub struct Table {
    buckets: Vec<Bucket>,
}

/// The first slot keeps the deepest count, the second the latest.
#[derive(Default)]
#[repr(align(32))]
struct Bucket([Slot; 2]);

/// The first word is the key xor the second, so that words of two different writes do not fit each
/// other (Hyatt and Mann, *A lock-less transposition table implementation*, 2002). The second is the
/// count over its depth.
#[derive(Default)]
struct Slot {
    check: AtomicU64,
    word: AtomicU64,
}

/// A depth takes the lowest bits of a word; counts of 2⁵⁶ and more are not kept.
const DEPTH_BITS: u32 = 8;

impl Table {
    /// An empty table.
    ///
    /// # Errors
    /// [`NoMemory`] when there is not enough of it.
    pub fn new(mebibytes: usize) -> Result<Self, NoMemory> {
        memory::check(mebibytes)?;
        let count = (mebibytes * (1024 * 1024 / size_of::<Bucket>())).max(1);
        let buckets = memory::table(count).map_err(|_| NoMemory { mebibytes })?;
        Ok(Self { buckets })
    }

    /// The number of sequences of `depth` events from the position with this key, if it is known.
    pub(super) fn count(&self, key: Key, depth: u32) -> Option<u64> {
        let words = self.bucket(key).0.iter().filter_map(|slot| {
            let word = slot.word.load(Relaxed);
            (slot.check.load(Relaxed) ^ word == key.0).then_some(word)
        });
        // A depth of 0 marks an empty slot.
        words.into_iter().find(|&word| depth_of(word) == depth).map(|word| word >> DEPTH_BITS)
    }

    /// Remembers the count of a position, `depth` being at least 1.
    pub(super) fn keep(&self, key: Key, depth: u32, count: u64) {
        if count >> (u64::BITS - DEPTH_BITS) != 0 || depth >> DEPTH_BITS != 0 {
            return;
        }
        let [deepest, latest] = &self.bucket(key).0;
        let kept = depth_of(deepest.word.load(Relaxed));
        let slot = if depth >= kept { deepest } else { latest };
        let word = count << DEPTH_BITS | u64::from(depth);
        slot.check.store(key.0 ^ word, Relaxed);
        slot.word.store(word, Relaxed);
    }

    fn bucket(&self, key: Key) -> &Bucket {
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}

fn depth_of(word: u64) -> u32 {
    (word & ((1 << DEPTH_BITS) - 1)) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_comes_back_for_its_position_and_depth_only() {
        let table = Table::new(1).expect("1 MiB");
        assert_eq!(table.count(Key(0), 3), None, "a fresh table knows nothing");
        table.keep(Key(0), 3, 940);
        assert_eq!(table.count(Key(0), 3), Some(940));
        assert_eq!(table.count(Key(0), 4), None);
        assert_eq!(table.count(Key(1), 3), None);
    }

    #[test]
    fn a_deep_count_stays_while_shallow_ones_come_and_go() {
        let table = Table::new(1).expect("1 MiB");
        table.keep(Key(1), 9, 1 << 50);
        for depth in 2..9 {
            table.keep(Key(2), depth, 7);
        }
        assert_eq!(table.count(Key(1), 9), Some(1 << 50));
        assert_eq!(table.count(Key(2), 8), Some(7));
        assert_eq!(table.count(Key(2), 7), None);
    }

    #[test]
    fn a_count_too_large_for_a_word_is_not_kept() {
        let table = Table::new(1).expect("1 MiB");
        table.keep(Key(5), 2, 1 << 56);
        assert_eq!(table.count(Key(5), 2), None);
    }
}
