//! What is known of positions: bounds, in eight bytes a position.
//!
//! A position with at most 31 stones a pit fits in 60 bits. A one-to-one mix of them makes its
//! [`Place`]: the upper bits choose the bucket, the lower 44 are stored. With [`PLACES`] buckets or
//! more the two together name the position, so an entry is never taken for another position's;
//! and as it is one word, threads share the table without locks.

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::board::Row;

/// The bits of a position.
const BITS: u32 = 60;
/// The bits of it that an entry holds.
const TAG_BITS: u32 = 44;
/// The fewest buckets that tell apart what the tag does not.
const PLACES: usize = 1 << (BITS - TAG_BITS);

/// A position, mixed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place(u64);

impl Place {
    /// The place of a position; `None` if a pit is too full.
    pub(super) fn of(own: Row, other: Row) -> Option<Self> {
        const MASK: u64 = (1 << BITS) - 1;
        let position = own.packed()? | other.packed()? << (BITS / 2);
        // Odd factors and shifted copies can be undone, so different positions stay different.
        let mut mix = position.wrapping_mul(0x9e37_79b9_7f4a_7c15) & MASK;
        mix ^= mix >> 32;
        mix = mix.wrapping_mul(0xd6e8_feb8_6659_fd93) & MASK;
        Some(Self(mix ^ mix >> 29))
    }

    /// The mix itself, a different one for each position.
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    /// Its bucket among `buckets`. Places that share one lie within 2^44 of each other.
    fn bucket(self, buckets: usize) -> usize {
        ((u128::from(self.0) * buckets as u128) >> BITS) as usize
    }
}

/// What is known of a position: nothing, by default.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Known {
    /// The side to move collects at least so many stones.
    pub(super) collected: u8,
    /// The other side collects at least so many.
    pub(super) conceded: u8,
}

/// From the top: tag, logarithm of the nodes that were spent, stones conceded, stones collected.
/// A word of zeros knows nothing of whatever position it is taken for.
#[derive(Clone, Copy)]
struct Entry(u64);

impl Entry {
    fn new(place: Place, known: Known, nodes: u64) -> Self {
        // Every fourfold counts one, so that four bits reach 2^30 nodes.
        let effort = u64::from(nodes.max(1).ilog2() / 2).min(15);
        let tag = place.0 << (64 - TAG_BITS);
        Self(tag | effort << 16 | u64::from(known.conceded) << 8 | u64::from(known.collected))
    }

    fn known_of(self, place: Place) -> Option<Known> {
        let here = (self.0 >> (64 - TAG_BITS)) ^ place.0;
        let [collected, conceded, ..] = self.0.to_le_bytes();
        (here << (64 - TAG_BITS) == 0).then_some(Known { collected, conceded })
    }

    fn effort(self) -> u64 {
        self.0 >> 16 & 15
    }
}

/// The entries of a bucket: half a cache line.
const WAYS: usize = 4;

/// A table that threads share.
pub(super) struct Table {
    entries: Vec<AtomicU64>,
}

impl Table {
    /// An empty table of so many MiB, at least two.
    pub(super) fn new(mib: usize) -> Result<Self, TryReserveError> {
        let entries_per_mib = (1 << 20) / size_of::<AtomicU64>();
        let buckets = mib.saturating_mul(entries_per_mib / WAYS).max(PLACES);
        let mut entries = Vec::new();
        entries.try_reserve_exact(buckets.saturating_mul(WAYS))?;
        entries.resize_with(buckets * WAYS, AtomicU64::default);
        Ok(Self { entries })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        for entry in &mut self.entries {
            *entry.get_mut() = 0;
        }
    }

    /// How many of a thousand entries are taken, by a sample.
    pub(super) fn permille_full(&self) -> u16 {
        let sample = self.entries.iter().take(1000);
        sample.filter(|entry| entry.load(Ordering::Relaxed) != 0).count() as u16
    }

    pub(super) fn get(&self, place: Place) -> Known {
        let known = |entry: &AtomicU64| Entry(entry.load(Ordering::Relaxed)).known_of(place);
        self.bucket(place).iter().find_map(known).unwrap_or_default()
    }

    /// Stores what is known now, in place of what cost the least.
    pub(super) fn put(&self, place: Place, known: Known, nodes: u64) {
        let cost = |entry: &&AtomicU64| {
            let entry = Entry(entry.load(Ordering::Relaxed));
            // Zero for the position itself, so that it is never stored twice.
            entry.known_of(place).map_or(1 + entry.effort(), |_| 0)
        };
        if let Some(cheapest) = self.bucket(place).iter().min_by_key(cost) {
            cheapest.store(Entry::new(place, known, nodes).0, Ordering::Relaxed);
        }
    }

    fn bucket(&self, place: Place) -> &[AtomicU64] {
        let bucket = place.bucket(self.entries.len() / WAYS);
        &self.entries[bucket * WAYS..][..WAYS]
    }
}

/// A table of one thread's own, small enough for its cache: 512 KiB.
pub(super) struct Cache {
    entries: Vec<u64>,
}

impl Cache {
    pub(super) fn new() -> Self {
        Self { entries: vec![0; PLACES] }
    }

    pub(super) fn get(&self, place: Place) -> Known {
        Entry(self.entries[place.bucket(PLACES)]).known_of(place).unwrap_or_default()
    }

    pub(super) fn put(&mut self, place: Place, known: Known) {
        self.entries[place.bucket(PLACES)] = Entry::new(place, known, 1).0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(own: u8, other: u8) -> Place {
        let row = |stones| Row::new([stones, 1, 0, 31, 2, 0, 0]);
        Place::of(row(own), row(other)).expect("no pit is too full")
    }

    #[test]
    fn positions_that_share_a_bucket_differ_in_their_tags() {
        let mut seen = std::collections::HashSet::new();
        for own in 0..32 {
            for other in 0..32 {
                let place = place(own, other);
                let tag = Entry::new(place, Known::default(), 1).0;
                assert!(seen.insert((place.bucket(PLACES), tag)), "{own} {other}");
            }
        }
    }

    #[test]
    fn a_pit_of_more_than_31_stones_has_no_place() {
        let row = Row::new([0, 0, 0, 0, 0, 32, 0]);
        assert_eq!(Place::of(row, Row::new([1, 0, 0, 0, 0, 0, 0])), None);
        assert_eq!(Place::of(Row::new([1, 0, 0, 0, 0, 0, 0]), row), None);
    }

    #[test]
    fn a_table_keeps_what_was_learned_last_and_nothing_else() {
        let table = Table::new(2).expect("two MiB");
        let (here, elsewhere) = (place(1, 2), place(2, 1));
        assert_eq!(table.get(here), Known::default());
        for known in [Known { collected: 3, conceded: 1 }, Known { collected: 4, conceded: 255 }] {
            table.put(here, known, 1_000_000);
            assert_eq!(table.get(here), known);
            assert_eq!(table.get(elsewhere), Known::default());
        }
        let taken = table.entries.iter().filter(|entry| entry.load(Ordering::Relaxed) != 0);
        assert_eq!(taken.count(), 1);
    }

    #[test]
    fn a_full_bucket_gives_up_what_cost_the_least() {
        let table = Table { entries: (0..WAYS).map(|_| AtomicU64::new(0)).collect() };
        let known = Known { collected: 1, conceded: 1 };
        for (own, nodes) in (0..).zip([10_000, 100, 90_000, 5_000_000, 20_000]) {
            table.put(place(own, 0), known, nodes);
        }
        let kept: Vec<u8> = (0..5).filter(|&own| table.get(place(own, 0)) == known).collect();
        assert_eq!(kept, [0, 2, 3, 4]);
    }

    #[test]
    fn a_table_beyond_all_memory_is_refused() {
        assert!(Table::new(usize::MAX).is_err());
    }
}
