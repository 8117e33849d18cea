//! What is known of positions: bounds, in eight bytes a position, and what more would cost.
//!
//! A position with at most 31 stones a pit fits in 60 bits. A one-to-one mix of them makes its
//! [`Place`]: the upper bits choose the bucket, the lower 44 are stored. With [`PLACES`] buckets or
//! more the two together name the position, so an entry is never taken for another position's;
//! and as it is one word, threads share the table without locks.
//!
//! The shared table has a second word for what is left to do: see [`Effort`].

use std::collections::TryReserveError;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::board::Row;
use crate::memory;
use crate::score::Turn;

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

/// What is left to do for a proof, and for a disproof, that a side collects some number of stones:
/// likely nodes. Nothing is left of what is done, and without end is what can't be done.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Effort {
    pub(super) proof: f64,
    pub(super) disproof: f64,
}

impl Effort {
    /// It is so.
    pub(super) const PROVED: Self = Self { proof: 0.0, disproof: f64::INFINITY };
    /// It is not so.
    pub(super) const DISPROVED: Self = Self { proof: f64::INFINITY, disproof: 0.0 };

    /// What is left to do where nothing is.
    pub(super) fn decided(is_so: bool) -> Self {
        if is_so { Self::PROVED } else { Self::DISPROVED }
    }

    /// The same for the side that is to move before or after `turn`: a proof for one side is a
    /// disproof for the other.
    pub(super) fn seen_by(self, turn: Turn) -> Self {
        match turn {
            Turn::Stays => self,
            Turn::Passes => Self { proof: self.disproof, disproof: self.proof },
        }
    }
}

/// From the top: the goal, what is left to do for a proof, and for a disproof, as numbers with 19
/// bits of fraction. It goes with the [`Entry`] beside it, and threads may tear the two apart. So
/// an outlook is read as work left to do, however little or much, and never as a proof: a wrong one
/// costs time and changes no value.
#[derive(Clone, Copy)]
struct Outlook(u64);

impl Outlook {
    const NUMBER_BITS: u32 = 28;

    fn new(goal: u8, effort: Effort) -> Self {
        let number = |effort: f64| u64::from((effort as f32).to_bits() >> (32 - Self::NUMBER_BITS));
        Self(
            u64::from(goal) << 56
                | number(effort.proof) << Self::NUMBER_BITS
                | number(effort.disproof),
        )
    }

    fn of(self, goal: u8) -> Option<Effort> {
        let number = |bits: u64| {
            let number = f32::from_bits((bits << (32 - Self::NUMBER_BITS)) as u32);
            f64::from(number.clamp(1.0, f32::MAX))
        };
        let effort =
            Effort { proof: number(self.0 >> Self::NUMBER_BITS), disproof: number(self.0) };
        (self.0 >> 56 == u64::from(goal)).then_some(effort)
    }
}

/// The entries of a bucket: a cache line.
const WAYS: usize = 4;

/// What is known of a position and what is left to do.
#[derive(Default)]
struct Slot {
    entry: AtomicU64,
    outlook: AtomicU64,
}

/// The slots that a position may be in, all within one line of the processor's cache.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([Slot; WAYS]);

/// A table that threads share.
pub(super) struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    /// An empty table of so many MiB, at least four.
    pub(super) fn new(mib: usize) -> Result<Self, TryReserveError> {
        let size = mib.saturating_mul((1 << 20) / size_of::<Bucket>()).max(PLACES);
        Ok(Self { buckets: memory::table(size)? })
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.buckets.fill_with(Bucket::default);
    }

    /// Its size.
    pub(super) fn mebibytes(&self) -> usize {
        (self.buckets.len() * size_of::<Bucket>()) >> 20
    }

    /// All that it holds.
    pub(super) fn words(&self) -> impl Iterator<Item = u64> {
        let slots = self.buckets.iter().flat_map(|Bucket(slots)| slots);
        slots.flat_map(|slot| [&slot.entry, &slot.outlook].map(|word| word.load(Ordering::Relaxed)))
    }

    /// Replaces all that it holds.
    pub(super) fn set_words<E>(
        &mut self,
        mut next: impl FnMut() -> Result<u64, E>,
    ) -> Result<(), E> {
        for slot in self.buckets.iter_mut().flat_map(|Bucket(slots)| slots) {
            *slot.entry.get_mut() = next()?;
            *slot.outlook.get_mut() = next()?;
        }
        Ok(())
    }

    /// How many of a thousand entries are taken, by a sample.
    pub(super) fn permille_full(&self) -> u16 {
        let sample = self.buckets.iter().flat_map(|Bucket(slots)| slots).take(1000);
        sample.filter(|slot| slot.entry.load(Ordering::Relaxed) != 0).count() as u16
    }

    /// Begins to fetch what is known of a position.
    pub(super) fn prefetch(&self, place: Place) {
        memory::prefetch(self.bucket(place));
    }

    /// What is known of a position.
    pub(super) fn get(&self, place: Place) -> Known {
        let known = |slot: &Slot| slot.entry().known_of(place);
        self.bucket(place).iter().find_map(known).unwrap_or_default()
    }

    /// What is left to do to prove that the mover collects `goal`, if the search has been there.
    pub(super) fn effort(&self, place: Place, goal: u8) -> Option<Effort> {
        let slot = self.bucket(place).iter().find(|slot| slot.entry().known_of(place).is_some())?;
        Outlook(slot.outlook.load(Ordering::Relaxed)).of(goal)
    }

    /// Stores what is known now, and what is left to do for `goal`, in place of what cost the least.
    pub(super) fn put(&self, place: Place, known: Known, (goal, effort): (u8, Effort), nodes: u64) {
        let cost = |slot: &&Slot| {
            let entry = slot.entry();
            // Zero for the position itself, so that it is never stored twice.
            entry.known_of(place).map_or(1 + entry.effort(), |_| 0)
        };
        if let Some(cheapest) = self.bucket(place).iter().min_by_key(cost) {
            cheapest.entry.store(Entry::new(place, known, nodes).0, Ordering::Relaxed);
            cheapest.outlook.store(Outlook::new(goal, effort).0, Ordering::Relaxed);
        }
    }

    fn bucket(&self, place: Place) -> &[Slot; WAYS] {
        &self.buckets[place.bucket(self.buckets.len())].0
    }
}

impl Slot {
    fn entry(&self) -> Entry {
        Entry(self.entry.load(Ordering::Relaxed))
    }
}

/// A table of one thread's own that fits in the fastest memory: 64 KiB. A larger one saves a few
/// nodes and costs more time in waiting.
///
/// An entry has the lower 48 bits of a place; the bucket, a single entry, tells the others apart.
pub(super) struct Cache {
    entries: Vec<u64>,
}

impl Cache {
    /// No fewer than the 2^12 that the bits left out of an entry demand.
    const ENTRIES: usize = 1 << 13;
    /// The bits of an entry that say what is known.
    const KNOWN_BITS: u32 = 16;

    pub(super) fn new() -> Self {
        Self { entries: vec![0; Self::ENTRIES] }
    }

    pub(super) fn get(&self, place: Place) -> Known {
        let entry = self.entries[place.bucket(Self::ENTRIES)];
        let differs = (entry >> Self::KNOWN_BITS) ^ place.0;
        if differs << Self::KNOWN_BITS != 0 {
            return Known::default();
        }
        let [collected, conceded, ..] = entry.to_le_bytes();
        Known { collected, conceded }
    }

    pub(super) fn put(&mut self, place: Place, known: Known) {
        let known = u64::from(known.conceded) << 8 | u64::from(known.collected);
        self.entries[place.bucket(Self::ENTRIES)] = place.0 << Self::KNOWN_BITS | known;
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
    fn the_cache_keeps_what_was_learned_last_and_nothing_else() {
        let mut cache = Cache::new();
        let known = Known { collected: 3, conceded: 255 };
        cache.put(place(1, 2), known);
        for own in 0..32 {
            for other in 0..32 {
                let expected = if (own, other) == (1, 2) { known } else { Known::default() };
                assert_eq!(cache.get(place(own, other)), expected, "{own} {other}");
            }
        }
    }

    const OUTLOOK: (u8, Effort) = (7, Effort { proof: 12.5, disproof: 3e9 });

    #[test]
    fn a_table_keeps_what_was_learned_last_and_nothing_else() {
        let table = Table::new(2).expect("two MiB");
        let (here, elsewhere) = (place(1, 2), place(2, 1));
        assert_eq!(table.get(here), Known::default());
        for known in [Known { collected: 3, conceded: 1 }, Known { collected: 4, conceded: 255 }] {
            table.put(here, known, OUTLOOK, 1_000_000);
            assert_eq!(table.get(here), known);
            assert_eq!(table.get(elsewhere), Known::default());
        }
        let taken = table.buckets.iter().flat_map(|Bucket(slots)| slots);
        assert_eq!(taken.filter(|slot| slot.entry().0 != 0).count(), 1);
    }

    #[test]
    fn costs_are_kept_for_the_goal_that_they_belong_to() {
        let table = Table::new(2).expect("two MiB");
        let (goal, effort) = OUTLOOK;
        table.put(place(1, 2), Known { collected: 1, conceded: 1 }, OUTLOOK, 1);
        let kept = table.effort(place(1, 2), goal).expect("it was put there");
        let near = |kept: f64, put: f64| (kept / put - 1.0).abs() < 1e-5;
        assert!(near(kept.proof, effort.proof) && near(kept.disproof, effort.disproof), "{kept:?}");
        assert_eq!(table.effort(place(1, 2), goal + 1), None);
        assert_eq!(table.effort(place(2, 1), goal), None);
    }

    #[test]
    fn what_is_left_to_do_is_never_taken_for_a_proof() {
        let table = Table::new(2).expect("two MiB");
        for effort in [Effort::PROVED, Effort::DISPROVED] {
            table.put(place(1, 2), Known { collected: 1, conceded: 1 }, (7, effort), 1);
            let kept = table.effort(place(1, 2), 7).expect("it was put there");
            assert!(
                [kept.proof, kept.disproof].iter().all(|&left| left >= 1.0 && left.is_finite())
            );
        }
    }

    #[test]
    fn a_full_bucket_gives_up_what_cost_the_least() {
        let table = Table { buckets: vec![Bucket::default()] };
        let known = Known { collected: 1, conceded: 1 };
        for (own, nodes) in (0..).zip([10_000, 100, 90_000, 5_000_000, 20_000]) {
            table.put(place(own, 0), known, OUTLOOK, nodes);
        }
        let kept: Vec<u8> = (0..5).filter(|&own| table.get(place(own, 0)) == known).collect();
        assert_eq!(kept, [0, 2, 3, 4]);
    }

    #[test]
    fn a_table_beyond_all_memory_is_refused() {
        assert!(Table::new(usize::MAX).is_err());
    }
}
