//! The transposition table: what earlier visits of a position found out.
//!
//! It is shared by all threads without a lock: an entry is two words, the first of which is the key
//! xor the second, so that words of two different writes do not fit each other (Hyatt and Mann,
//! *A lock-less transposition table implementation*, 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::{Bound, Depth, NoMemory};
use crate::memory;
use crate::position::Key;
use crate::score::Score;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Entry {
    /// The value, forced ends counted from this position.
    pub(super) score: Score,
    /// What the score says of the value.
    pub(super) bound: Bound,
    /// How many plies were looked ahead.
    pub(super) depth: Depth,
    /// The [slot](crate::position::Ordered::slot) of the best move.
    pub(super) slot: u16,
}

/// How many generations an entry can be told from the present one.
const GENERATIONS: u64 = 64;

impl Entry {
    /// 32 bits of score, 16 of slot, 8 of depth, 2 of bound (never 0), 6 of generation.
    fn pack(self, generation: u64) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.score.0 as u32)
            | u64::from(self.slot) << 32
            | u64::from(self.depth.clamp(0, 255) as u8) << 48
            | bound << 56
            | generation << 58
    }

    /// `None` for a word that holds no entry.
    fn unpack(word: u64) -> Option<Self> {
        let bound = match word >> 56 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        let depth = Depth::from((word >> 48) as u8);
        Some(Self { score: Score(word as u32 as i32), bound, depth, slot: (word >> 32) as u16 })
    }
}

#[derive(Default)]
struct Slot {
    check: AtomicU64,
    word: AtomicU64,
}

impl Slot {
    /// The key of the entry, if the two words belong together, and the entry's word.
    fn load(&self) -> (Key, u64) {
        let word = self.word.load(Relaxed);
        (Key(self.check.load(Relaxed) ^ word), word)
    }

    fn store(&self, key: Key, word: u64) {
        self.check.store(key.0 ^ word, Relaxed);
        self.word.store(word, Relaxed);
    }
}

/// The entries that a key may stand in: one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; 4]);

/// A table of a fixed size.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    generation: u64,
}

impl Table {
    /// An empty table.
    pub(super) fn new(mebibytes: usize) -> Result<Self, NoMemory> {
        memory::check(mebibytes)?;
        let count = mebibytes * (1024 * 1024 / size_of::<Bucket>());
        let buckets = memory::table(count).map_err(|_| NoMemory { mebibytes })?;
        Ok(Self { buckets, generation: 0 })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.generation = 0;
        self.buckets
            .par_iter_mut()
            .with_min_len(4096)
            .for_each(|bucket| *bucket = Bucket::default());
    }

    /// A new search begins: entries of earlier ones give way more easily.
    pub(super) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Fetches the entries of this key from memory, without waiting for them.
    #[inline]
    pub(super) fn prefetch(&self, key: Key) {
        memory::prefetch(self.bucket(key));
    }

    /// What is known of the position with this key.
    pub(super) fn probe(&self, key: Key) -> Option<Entry> {
        let slots = self.bucket(key).0.iter().map(Slot::load);
        slots.filter(|slot| slot.0 == key).find_map(|slot| Entry::unpack(slot.1))
    }

    /// Keeps what was found, in place of the entry that seems to be worth least.
    pub(super) fn store(&self, key: Key, entry: Entry) {
        let slots = &self.bucket(key).0;
        let place = slots.iter().find(|slot| slot.load().0 == key);
        let place = place.unwrap_or_else(|| {
            slots.iter().min_by_key(|slot| self.worth(slot.load().1)).expect("a bucket has slots")
        });
        place.store(key, entry.pack(self.generation));
    }

    /// Entries of this search, in permille, in a sample of the table.
    pub(super) fn hashfull(&self) -> u16 {
        let sample = &self.buckets[..self.buckets.len().min(250)];
        let slots = sample.iter().flat_map(|bucket| &bucket.0).map(|slot| slot.load().1);
        let used = slots.filter(|&word| Entry::unpack(word).is_some() && self.years(word) == 0);
        (used.count() * 1000 / (4 * sample.len())) as u16
    }

    fn bucket(&self, key: Key) -> &Bucket {
        let index = (u128::from(key.0) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// Searches since the entry was stored.
    fn years(&self, word: u64) -> i32 {
        ((self.generation + GENERATIONS - (word >> 58)) % GENERATIONS) as i32
    }

    /// A depth counts as much as an eighth of a search's age.
    fn worth(&self, word: u64) -> i32 {
        match Entry::unpack(word) {
            None => i32::MIN,
            Some(entry) => entry.depth - 8 * self.years(word),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(score: i32, depth: Depth) -> Entry {
        Entry { score: Score(score), bound: Bound::Lower, depth, slot: 0xabcd }
    }

    #[test]
    fn an_entry_comes_back_as_it_was_stored() {
        let table = Table::new(1).expect("1 MiB");
        for (key, score) in [(0, -999_997), (1, 0), (u64::MAX, 999_990), (1 << 63, -1)] {
            table.store(Key(key), entry(score, 17));
            assert_eq!(table.probe(Key(key)), Some(entry(score, 17)));
        }
        assert_eq!(table.probe(Key(77)), None);
    }

    #[test]
    fn words_of_two_writes_do_not_fit() {
        let slot = Slot::default();
        slot.store(Key(5), entry(1, 1).pack(0));
        slot.word.store(entry(2, 2).pack(0), Relaxed);
        assert_ne!(slot.load().0, Key(5));
    }

    #[test]
    fn a_full_bucket_gives_up_the_oldest_then_the_shallowest() {
        let mut table = Table::new(1).expect("1 MiB");
        for key in 0..4 {
            table.store(Key(key), entry(0, key as Depth + 1));
        }
        table.store(Key(9), entry(0, 1));
        assert_eq!(table.probe(Key(0)), None, "the shallowest gave way");
        table.age();
        for key in 1..3 {
            table.store(Key(key), entry(0, 1));
        }
        table.store(Key(10), entry(0, 1));
        assert!(table.probe(Key(9)).is_none(), "an entry of an earlier search gave way");
        assert!(table.probe(Key(1)).is_some());
    }

    #[test]
    fn hashfull_counts_this_search_only() {
        let mut table = Table::new(1).expect("1 MiB");
        assert_eq!(table.hashfull(), 0);
        for key in 0..2_000_000_u64 {
            table.store(Key(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)), entry(0, 1));
        }
        assert!(table.hashfull() > 990);
        table.age();
        assert_eq!(table.hashfull(), 0);
        table.clear();
        assert_eq!(table.probe(Key(0)), None);
    }

    #[test]
    fn memory_that_is_not_there_is_refused() {
        let mebibytes = usize::MAX >> 21;
        assert_eq!(Table::new(mebibytes).err(), Some(NoMemory { mebibytes }));
    }

    #[test]
    fn memory_that_would_only_be_promised_is_refused() {
        // More than is free, less than the whole machine has: nothing but a look tells.
        let Some(available) = memory::available() else { return };
        let mebibytes = (available >> 20) as usize + 256;
        assert_eq!(Table::new(mebibytes).err(), Some(NoMemory { mebibytes }));
    }
}
