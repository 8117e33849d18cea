//! Pits, rows and sowing, seen from the side that sows.
//!
//! A row is one side's six pits and its store, a byte each. A side sows along its own row, store
//! included, and on along the pits of the other row: thirteen places that a lap visits once. So
//! one sowing is an addition to either row, looked up by pit and number of stones. No byte ever
//! carries into the next: a game has at most 255 stones.

use crate::score::Turn;

/// The pits of a side.
pub const PITS: usize = 6;
/// The largest number of stones in a game.
pub const STONES_MAX: u32 = 255;

/// The places of a lap: own pits 0–5, own store 6, the other side's pits 7–12.
const LAP: usize = 2 * PITS + 1;
/// The byte of a row, and the place of a lap, that is the store.
const STORE: usize = PITS;
/// The bytes of a row that are pits.
const PIT_BYTES: u64 = 0x0000_ffff_ffff_ffff;
/// A one in every pit. A product with it holds in each byte the sum of the pits up to there.
const ONES: u64 = 0x0000_0101_0101_0101;
/// The stones that reach the store exactly: six from the first pit, one from the last.
const TO_STORE: u64 = 0x0000_0102_0304_0506;

/// A pit of the side to move, counted in the direction of sowing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Pit(u8);

impl Pit {
    /// The six pits in the direction of sowing.
    pub const ALL: [Self; PITS] = [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5)];

    /// 0 for the pit farthest from its owner's store, 5 for the one next to it.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The pit of the other side that lies opposite.
    #[must_use]
    pub fn opposite(self) -> Self {
        Self(PITS as u8 - 1 - self.0)
    }

    /// Where the pit lies within a row.
    fn shift(self) -> u32 {
        8 * u32::from(self.0)
    }
}

/// One side's pits and store.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Row(u64);

impl Row {
    /// Neither pits nor store hold stones.
    pub const EMPTY: Self = Self(0);

    /// A row with these numbers of stones: the pits in the direction of sowing, then the store.
    pub fn new(stones: [u8; PITS + 1]) -> Self {
        Self(stones.iter().rev().fold(0, |row, &stones| row << 8 | u64::from(stones)))
    }

    /// Pits and store as one number, for hashing.
    pub fn bits(self) -> u64 {
        self.0
    }

    /// The pits alone, in five bits each; `None` if one of them holds more than 31 stones.
    pub fn packed(self) -> Option<u64> {
        const TOO_MANY: u64 = 0x0000_e0e0_e0e0_e0e0;
        const EVEN: u64 = 0x0000_001f_001f_001f;
        if self.0 & TOO_MANY != 0 {
            return None;
        }
        // From six bytes to three pairs of ten bits, and on to one number.
        let pairs = self.0 & EVEN | self.0 >> 3 & EVEN << 5;
        Some(pairs & 0x3ff | pairs >> 6 & 0xf_fc00 | pairs >> 12 & 0x3ff0_0000)
    }

    /// The same pits, with an empty store.
    #[must_use]
    pub fn without_store(self) -> Self {
        Self(self.0 & PIT_BYTES)
    }

    /// The stones in a pit.
    pub fn pit(self, pit: Pit) -> u8 {
        (self.0 >> pit.shift()) as u8
    }

    /// The stones in the store.
    pub fn store(self) -> u8 {
        (self.0 >> (8 * STORE)) as u8
    }

    /// The stones in all pits.
    pub fn stones(self) -> u8 {
        self.running_sums()[PITS - 1]
    }

    /// For each pit, the stones in the pits up to there.
    pub fn running_sums(self) -> [u8; PITS] {
        let sums = (self.0 & PIT_BYTES).wrapping_mul(ONES);
        std::array::from_fn(|pit| (sums >> (8 * pit)) as u8)
    }

    /// The row with one stone more in a pit.
    #[must_use]
    pub fn with_one_more(self, pit: Pit) -> Self {
        Self(self.0 + (1 << pit.shift()))
    }

    /// The row with an empty pit.
    #[must_use]
    pub fn without(self, pit: Pit) -> Self {
        Self(self.0 & !(0xff << pit.shift()))
    }

    /// Whether no pit holds a stone.
    pub fn is_empty(self) -> bool {
        self.0 & PIT_BYTES == 0
    }

    /// The pits that hold stones, in the direction of sowing.
    pub fn moves(self) -> impl Iterator<Item = Pit> {
        let mut left = top_bits(self.0 & PIT_BYTES);
        std::iter::from_fn(move || {
            let pit = (left != 0).then(|| Pit((left.trailing_zeros() / 8) as u8));
            left &= left.wrapping_sub(1);
            pit
        })
    }

    /// How many pits hold stones.
    pub fn mobility(self) -> u32 {
        non_zero_bytes(self.0 & PIT_BYTES)
    }

    /// How many pits end their sowing in the store on its first visit.
    pub fn extra_turns(self) -> u32 {
        PITS as u32 - non_zero_bytes((self.0 ^ TO_STORE) & PIT_BYTES)
    }

    /// Whether a pit is so full that its sowing may come round to its own side: it holds eight
    /// stones or more.
    pub fn may_lap(self) -> bool {
        self.0 & 0x0000_f8f8_f8f8_f8f8 != 0
    }

    /// The row with all stones of its pits in the store.
    fn swept(self) -> Self {
        Self(u64::from(self.store() + self.stones()) << (8 * STORE))
    }
}

/// The top bit of each byte that is not zero.
fn top_bits(bytes: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // Set by the addition for 1–127, and by the byte itself from 128 on.
    (((bytes & LOW) + LOW) | bytes) & !LOW
}

/// The number of bytes that are not zero.
fn non_zero_bytes(bytes: u64) -> u32 {
    // Each has a one at its bottom now; the product adds them up in the uppermost byte.
    ((top_bits(bytes) >> 7).wrapping_mul(0x0101_0101_0101_0101) >> 56) as u32
}

/// Where the last stone of a sowing falls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Landing {
    /// In a pit of the side that sows.
    Own(Pit),
    /// In its store: it moves again.
    Store,
    /// In a pit of the other side.
    Other,
}

impl Landing {
    /// Where the last of `stones` stones from `pit` falls.
    pub fn of(pit: Pit, stones: u8) -> Self {
        match (pit.index() + usize::from(stones)) % LAP {
            STORE => Self::Store,
            place @ 0..STORE => Self::Own(Pit(place as u8)),
            _ => Self::Other,
        }
    }
}

/// The own row, the other row and the turn after one ply: sowing from a pit that holds stones,
/// capture, and the sweep if the game is over.
pub fn play(own: Row, other: Row, pit: Pit) -> (Row, Row, Turn) {
    let sowing = &SOWINGS[pit.index()][usize::from(own.pit(pit))];
    let own = own.0.wrapping_add(sowing.own);
    let other = other.0 + sowing.other;
    // Whether there is a capture is hard to foresee, so both cases go one way, the stones masked.
    // A pit that was not empty, or that was sown into on an earlier lap, holds more than one.
    let is_capture = own & (0xff * sowing.last) == sowing.last;
    let last = if is_capture { sowing.last } else { 0 };
    // With the bytes turned round, and moved on past the store, a pit is where its opposite was.
    let captured = other & (0xff * (last.swap_bytes() >> 16));
    let home = (last | captured).wrapping_mul(0x0101_0101_0101_0101) >> 56;
    let (own, other) = settled(Row(own - last + (home << (8 * STORE))), Row(other - captured));
    (own, other, sowing.turn)
}

/// The two rows, with the stones left in the pits brought home if either side has run out.
pub fn settled(own: Row, other: Row) -> (Row, Row) {
    if own.is_empty() || other.is_empty() { (own.swept(), other.swept()) } else { (own, other) }
}

/// What a sowing adds to the two rows.
#[derive(Clone, Copy)]
struct Sowing {
    /// To the own row, modulo 2^64: the pit loses its stones.
    own: u64,
    /// To the other row.
    other: u64,
    /// The last stone, if it falls into a pit of the own row; 0 if not.
    last: u64,
    turn: Turn,
}

/// The sowings of a pit, by its number of stones.
type Sowings = [Sowing; STONES_MAX as usize + 1];

/// Every sowing, by pit and number of stones.
static SOWINGS: [Sowings; PITS] = sowings();

#[expect(clippy::large_stack_arrays, reason = "evaluated by the compiler alone")]
const fn sowings() -> [Sowings; PITS] {
    const NOTHING: Sowing = Sowing { own: 0, other: 0, last: 0, turn: Turn::Passes };
    let mut table = [[NOTHING; STONES_MAX as usize + 1]; PITS];
    let mut pit = 0;
    while pit < PITS {
        let mut stones = 1;
        while stones <= STONES_MAX as usize {
            let mut sowing = table[pit][stones - 1];
            sowing.own = sowing.own.wrapping_sub(1 << (8 * pit));
            (sowing.last, sowing.turn) = (0, Turn::Passes);
            match (pit + stones) % LAP {
                STORE => {
                    sowing.own = sowing.own.wrapping_add(1 << (8 * STORE));
                    sowing.turn = Turn::Stays;
                }
                place @ 0..STORE => {
                    sowing.last = 1 << (8 * place);
                    sowing.own = sowing.own.wrapping_add(sowing.last);
                }
                place => sowing.other += 1 << (8 * (place - STORE - 1)),
            }
            table[pit][stones] = sowing;
            stones += 1;
        }
        pit += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sowing from `pit` of `own`, both rows as pits and store.
    fn check(own: [u8; 7], other: [u8; 7], pit: usize, after: ([u8; 7], [u8; 7], Turn)) {
        let expected = (Row::new(after.0), Row::new(after.1), after.2);
        assert_eq!(play(Row::new(own), Row::new(other), Pit::ALL[pit]), expected, "{own:?} {pit}");
    }

    #[test]
    fn a_lap_leaves_out_the_store_of_the_other_side() {
        check(
            [1, 1, 1, 1, 1, 8, 0],
            [1, 1, 1, 1, 1, 1, 9],
            5,
            ([2, 1, 1, 1, 1, 0, 1], [2, 2, 2, 2, 2, 2, 9], Turn::Passes),
        );
    }

    #[test]
    fn thirteen_stones_end_in_their_own_pit_and_capture() {
        check(
            [0, 0, 0, 0, 0, 13, 0],
            [1, 1, 1, 1, 1, 1, 0],
            5,
            ([1, 1, 1, 1, 1, 0, 4], [0, 2, 2, 2, 2, 2, 0], Turn::Passes),
        );
    }

    #[test]
    fn a_second_lap_never_captures() {
        check(
            [26, 0, 0, 0, 0, 0, 0],
            [1, 1, 1, 1, 1, 1, 0],
            0,
            ([2, 2, 2, 2, 2, 2, 2], [3, 3, 3, 3, 3, 3, 0], Turn::Passes),
        );
        check(
            [0, 14, 0, 0, 0, 0, 0],
            [1, 1, 1, 1, 1, 1, 0],
            1,
            ([1, 1, 2, 1, 1, 1, 1], [2, 2, 2, 2, 2, 2, 0], Turn::Passes),
        );
    }

    #[test]
    fn the_fullest_pit_is_sown_without_a_carry() {
        // 255 = 19 laps of 13, and 8 stones more.
        check(
            [255, 0, 0, 0, 0, 0, 0],
            [0, 0, 0, 0, 0, 0, 0],
            0,
            ([19, 20, 20, 20, 20, 20, 20], [20, 20, 19, 19, 19, 19, 0], Turn::Passes),
        );
    }

    #[test]
    fn bytes_are_counted_whatever_they_hold() {
        for (bytes, count) in [(0, 0), (1, 1), (0x80, 1), (0xff00, 1), (0x00ff_0180_7f00, 4)] {
            assert_eq!(non_zero_bytes(bytes), count, "{bytes:#x}");
        }
    }
}
