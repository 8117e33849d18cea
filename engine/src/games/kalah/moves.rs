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

/// The stones that go to the store of `own` if one of its pits captures, the most of them.
pub fn best_capture(own: Row, other: Row) -> u8 {
    let captured = |pit| match effect(own, other, pit) {
        Effect::Capture(stones) => stones,
        Effect::ExtraTurn | Effect::Quiet => 0,
    };
    own.moves().map(captured).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::kalah::board::{PITS, play};
    use crate::score::Turn;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

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
