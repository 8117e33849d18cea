//! Streams of random numbers: every use of chance in a match draws from its own, so that a seed
//! fixes the whole match, in whatever order its games are played.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// What a stream is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// The order of a list of openings.
    Order = 1,
    /// The random plies of an opening, and a deal.
    Opening,
    /// The moves of a random player.
    Player,
    /// What is tried aside of a game.
    Aside,
}

/// The seed that starts a whole match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Seed(pub(crate) u64);

impl Seed {
    /// The seed of the stream for the `number`-th thing of this kind.
    #[must_use]
    pub(crate) fn child(self, purpose: Purpose, number: u64) -> Self {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(self.0);
        let offset = stream.next_u64() ^ (purpose as u64).wrapping_mul(0xA076_1D64_78BD_642F);
        Self(offset.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)))
    }

    /// Its stream.
    pub(crate) fn stream(self) -> Stream {
        Stream(Xoshiro256PlusPlus::seed_from_u64(self.0))
    }
}

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub(crate) struct Stream(Xoshiro256PlusPlus);

impl Stream {
    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.0.next_u64()) * bound as u128) >> 64) as usize
    }

    /// One of `items`, which are not none.
    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// Brings `items` into a random order.
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_differ_by_seed_purpose_and_number() {
        let mut seeds = Vec::new();
        for seed in [0, 1, u64::MAX] {
            for purpose in [Purpose::Order, Purpose::Opening, Purpose::Player] {
                seeds.extend((0..50).map(|number| Seed(seed).child(purpose, number).0));
            }
        }
        let all = seeds.len();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), all);
    }

    #[test]
    fn every_order_is_as_likely_as_any_other() {
        let mut stream = Seed(1).stream();
        let mut counts = std::collections::HashMap::new();
        for _ in 0..6_000 {
            let mut items = [1, 2, 3];
            stream.shuffle(&mut items);
            *counts.entry(items).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
