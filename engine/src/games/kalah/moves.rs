//! What a move does, told without making it.

use super::board::{Landing, Pit, Row};

/// What a side gets at once by sowing from a pit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// It moves again.
    ExtraTurn,
    /// So many stones go to its store, the capturing one included.
    Capture(u8),
    /// Nothing but the stones that it drops into its store in passing.
    Quiet,
}

/// What the side of `own` gets by sowing from `pit`, which holds stones.
pub fn effect(own: Row, other: Row, pit: Pit) -> Effect {
    let stones = own.pit(pit);
    match Landing::of(pit, stones) {
        Landing::Store => Effect::ExtraTurn,
        Landing::Own(last) if stones == FULL_LAP || (stones < FULL_LAP && own.pit(last) == 0) => {
            // A lap that comes back to its own side has sown into the opposite pit as well.
            let sown = u8::from(last <= pit);
            Effect::Capture(1 + other.pit(last.opposite()) + sown)
        }
        Landing::Own(_) | Landing::Other => Effect::Quiet,
    }
}

/// The stones that come round to the pit that they were taken from.
const FULL_LAP: u8 = 13;

/// The stones that go to the store of `own` by its greatest capture, 0 without one.
pub fn best_capture(own: Row, other: Row) -> u8 {
    if own.may_lap() {
        let captured = |pit| match effect(own, other, pit) {
            Effect::Capture(stones) => stones,
            Effect::ExtraTurn | Effect::Quiet => 0,
        };
        return own.moves().map(captured).max().unwrap_or(0);
    }
    // Without laps, a sowing captures if it ends in a pit of its row that is empty now.
    // What to do about a pit is hard to foresee, so all of them go one way.
    let sowing = |pit: Pit| (1 << own.pit(pit) & !1_u32) << pit.index();
    let ends = Pit::ALL.into_iter().fold(0, |ends, pit| ends | sowing(pit));
    let captured = |pit: Pit| {
        let lands = ends >> pit.index() & u32::from(own.pit(pit) == 0) & 1;
        (1 + other.pit(pit.opposite())) & (lands as u8).wrapping_neg()
    };
    Pit::ALL.into_iter().fold(0, |best, pit| best.max(captured(pit)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::kalah::board::{PITS, play};
    use crate::score::Turn;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    #[test]
    fn the_best_capture_is_the_greatest_of_all() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(12);
        for most in [2, 3, 5, 8, 9, 16, 40] {
            for _ in 0..2_000 {
                let mut row = || {
                    let mut stones = [0; PITS + 1];
                    stones[..PITS].fill_with(|| (random.next_u32() % most) as u8);
                    Row::new(stones)
                };
                let (own, other) = (row(), row());
                let captured = |pit| match effect(own, other, pit) {
                    Effect::Capture(stones) => Some(stones),
                    Effect::ExtraTurn | Effect::Quiet => None,
                };
                let greatest = own.moves().filter_map(captured).max();
                assert_eq!(best_capture(own, other), greatest.unwrap_or(0), "{own:?} {other:?}");
            }
        }
    }

    #[test]
    fn an_effect_foretells_what_playing_shows() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(11);
        let mut captures = [0; 2];
        for _ in 0..20_000 {
            let mut row = || {
                let mut stones = [0; PITS + 1];
                stones[..PITS].fill_with(|| (random.next_u32() % 16) as u8);
                Row::new(stones)
            };
            let (own, other) = (row(), row());
            for pit in own.moves() {
                let (after, _, turn) = play(own, other, pit);
                if after.is_empty() {
                    continue; // The sweep hides what was captured.
                }
                let dropped = (own.pit(pit) + pit.index() as u8 + 7) / FULL_LAP;
                let gain = after.store() - dropped;
                match effect(own, other, pit) {
                    Effect::ExtraTurn => assert_eq!((turn, gain), (Turn::Stays, 0)),
                    Effect::Capture(stones) => {
                        captures[usize::from(own.pit(pit) == FULL_LAP)] += 1;
                        assert_eq!((turn, gain), (Turn::Passes, stones));
                    }
                    Effect::Quiet => assert_eq!((turn, gain), (Turn::Passes, 0)),
                }
            }
        }
        assert!(captures.iter().all(|&seen| seen > 100), "too few captures tried: {captures:?}");
    }
}
