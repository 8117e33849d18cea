//! The board: squares, sets of squares, the camps, and the pieces of both sides with their key.
//!
//! A jump moves a piece by two files, two ranks or both, so it keeps the parity of both. The board
//! is therefore held as four interleaved 8×8 boards, the *quarters*, one for each pair of parities.
//! A jump chain stays in its quarter, which is a single `u64`, and the pieces that it jumps all
//! stand in the other three.

use crate::position::{Key, Side};

/// The files, and the ranks.
pub const WIDTH: u8 = 16;

/// The pieces of a side at the start, and the squares of a camp.
pub const ARMY: u32 = 19;

/// A square of the 16×16 board.
///
/// Its index is 64 times its quarter (the parity of the file, plus 2 for an odd rank) plus its place
/// in the quarter, which counts from a1's corner along the ranks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// The square on a file and a rank, both from 0; `None` off the board.
    pub const fn at(file: u8, rank: u8) -> Option<Self> {
        if file >= WIDTH || rank >= WIDTH {
            return None;
        }
        Some(Self((file & 1) << 6 | (rank & 1) << 7 | (rank >> 1) << 3 | file >> 1))
    }

    /// The file, 0 for `a`.
    pub const fn file(self) -> u8 {
        (self.0 & 7) << 1 | self.0 >> 6 & 1
    }

    /// The rank, 0 for the southernmost.
    pub const fn rank(self) -> u8 {
        (self.0 >> 3 & 7) << 1 | self.0 >> 7
    }

    /// The files and ranks from the north-west corner.
    pub(super) const fn way(self) -> i32 {
        (self.file() + WIDTH - 1 - self.rank()) as i32
    }

    /// A number below 256 of its own for every square.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The square with this [index](Self::index).
    pub(super) const fn numbered(index: u8) -> Self {
        Self(index)
    }

    /// Which of the four quarters it lies in.
    pub(super) const fn quarter(self) -> usize {
        (self.0 >> 6) as usize
    }

    /// Its bit in the word of its quarter.
    pub(super) const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// The square on the place `bit` of a quarter.
    const fn in_quarter(quarter: usize, bit: u32) -> Self {
        Self((quarter as u8) << 6 | bit as u8)
    }

    /// The squares on the places `bits` of a quarter, in their order.
    pub(super) fn in_places(quarter: usize, mut bits: u64) -> impl Iterator<Item = Self> {
        std::iter::from_fn(move || {
            let square = (bits != 0).then(|| Self::in_quarter(quarter, bits.trailing_zeros()));
            bits &= bits.wrapping_sub(1);
            square
        })
    }

    /// Where the square comes to lie when the board is turned by 180°.
    #[must_use]
    pub const fn rotated(self) -> Self {
        Self(255 - self.0)
    }
}

/// A set of squares, one word for each quarter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Squares([u64; 4]);

/// The places of a quarter that have a place to the east of them, and to the west.
pub(super) const NOT_LAST_FILE: u64 = 0x7f7f_7f7f_7f7f_7f7f;
pub(super) const NOT_FIRST_FILE: u64 = 0xfefe_fefe_fefe_fefe;

impl Squares {
    /// No square.
    pub const NONE: Self = Self([0; 4]);

    /// The set with one more square.
    #[must_use]
    pub const fn with(mut self, square: Square) -> Self {
        self.0[square.quarter()] |= square.bit();
        self
    }

    /// Whether the set holds the square.
    pub const fn contains(self, square: Square) -> bool {
        self.0[square.quarter()] & square.bit() != 0
    }

    /// Whether the set holds every square of `other`.
    pub fn contains_all(self, other: Self) -> bool {
        other.without(self) == Self::NONE
    }

    /// The number of squares.
    pub fn len(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the set holds no square.
    pub fn is_empty(self) -> bool {
        self == Self::NONE
    }

    /// The squares of one quarter, as bits.
    pub(super) const fn quarter(self, quarter: usize) -> u64 {
        self.0[quarter]
    }

    /// The set that holds `bits` in one quarter and nothing else.
    pub(super) const fn from_quarter(quarter: usize, bits: u64) -> Self {
        let mut words = [0; 4];
        words[quarter] = bits;
        Self(words)
    }

    /// The set that holds these bits in the quarters.
    pub(super) const fn from_quarters(words: [u64; 4]) -> Self {
        Self(words)
    }

    /// The squares of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] | b[0], a[1] | b[1], a[2] | b[2], a[3] | b[3]])
    }

    /// The squares that both sets share.
    #[must_use]
    pub const fn intersection(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] & b[0], a[1] & b[1], a[2] & b[2], a[3] & b[3]])
    }

    /// The squares that exactly one of the sets holds.
    #[must_use]
    pub const fn symmetric_difference(self, other: Self) -> Self {
        let (a, b) = (self.0, other.0);
        Self([a[0] ^ b[0], a[1] ^ b[1], a[2] ^ b[2], a[3] ^ b[3]])
    }

    /// The squares that are not in `other`.
    #[must_use]
    pub const fn without(self, other: Self) -> Self {
        self.intersection(other.complement())
    }

    /// The squares outside the set.
    #[must_use]
    pub const fn complement(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([!a, !b, !c, !d])
    }

    /// Every square one file to the east; what leaves the board is lost, as below.
    #[must_use]
    pub(super) const fn east(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([(b & NOT_LAST_FILE) << 1, a, (d & NOT_LAST_FILE) << 1, c])
    }

    /// Every square one file to the west.
    #[must_use]
    pub(super) const fn west(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([b, (a & NOT_FIRST_FILE) >> 1, d, (c & NOT_FIRST_FILE) >> 1])
    }

    /// Every square one rank to the north.
    #[must_use]
    pub(super) const fn north(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([c << 8, d << 8, a, b])
    }

    /// Every square one rank to the south.
    #[must_use]
    pub(super) const fn south(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([c, d, a >> 8, b >> 8])
    }

    /// The set on the board turned by 180°.
    #[must_use]
    pub fn rotated(self) -> Self {
        let [a, b, c, d] = self.0;
        Self([d.reverse_bits(), c.reverse_bits(), b.reverse_bits(), a.reverse_bits()])
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = SquaresIter;

    fn into_iter(self) -> SquaresIter {
        SquaresIter { left: self, quarter: 0 }
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::NONE, Self::with)
    }
}

/// The squares of a set, in the order of [`Square::index`].
#[derive(Clone, Debug)]
pub struct SquaresIter {
    left: Squares,
    quarter: usize,
}

impl Iterator for SquaresIter {
    type Item = Square;

    fn next(&mut self) -> Option<Square> {
        while self.left.0[self.quarter] == 0 {
            if self.quarter == 3 {
                return None;
            }
            self.quarter += 1;
        }
        let word = &mut self.left.0[self.quarter];
        let square = Square::in_quarter(self.quarter, word.trailing_zeros());
        *word &= *word - 1;
        Some(square)
    }
}

/// The starting camp of a side: Red's in the north-west, Blue's in the south-east. It is the
/// other side's goal.
pub const fn camp(side: Side) -> Squares {
    CAMPS[side as usize]
}

const CAMPS: [Squares; 2] = {
    /// How many files each camp row has, from the edge of the board inwards.
    const ROWS: [u8; 5] = [5, 5, 4, 3, 2];
    let mut camps = [Squares::NONE; 2];
    let mut row = 0;
    while row < ROWS.len() {
        let mut file = 0;
        while file < ROWS[row] {
            if let Some(square) = Square::at(file, WIDTH - 1 - row as u8) {
                camps[0] = camps[0].with(square);
                camps[1] = camps[1].with(square.rotated());
            }
            file += 1;
        }
        row += 1;
    }
    camps
};

/// The pieces of both sides. Every change keeps the key.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    armies: [Squares; 2],
    key: Key,
}

impl Board {
    /// The board with these pieces of the first and of the second side, which share no square.
    pub(super) fn with_armies(armies: [Squares; 2]) -> Self {
        debug_assert!(armies[0].intersection(armies[1]).is_empty());
        let mut key = 0;
        for (army, keys) in armies.into_iter().zip(&PIECE_KEYS) {
            for square in army {
                key ^= keys[usize::from(square.index())];
            }
        }
        Self { armies, key: Key(key) }
    }

    /// The squares of a side's pieces.
    pub(super) fn army(&self, side: Side) -> Squares {
        self.armies[side.index()]
    }

    /// The squares of all pieces.
    pub(super) fn occupied(&self) -> Squares {
        self.armies[0].union(self.armies[1])
    }

    /// Moves a piece of `side` to an empty square.
    pub(super) fn relocate(&mut self, side: Side, from: Square, to: Square) {
        let Squares(words) = &mut self.armies[side.index()];
        words[from.quarter()] ^= from.bit();
        words[to.quarter()] ^= to.bit();
        let keys = &PIECE_KEYS[side.index()];
        self.key.0 ^= keys[usize::from(from.index())] ^ keys[usize::from(to.index())];
    }

    /// The board turned by 180°, with the sides swapped.
    pub(super) fn mirrored(&self) -> Self {
        Self::with_armies([self.armies[1].rotated(), self.armies[0].rotated()])
    }

    /// What one of the first side's pieces on a square adds to the key.
    pub(super) fn piece_key(square: Square) -> u64 {
        PIECE_KEYS[0][usize::from(square.index())]
    }

    /// The key of the pieces, with the side to move in it.
    pub(super) fn key(&self, to_move: Side) -> Key {
        match to_move {
            Side::First => self.key,
            Side::Second => Key(self.key.0 ^ SECOND_TO_MOVE),
        }
    }
}

/// Zobrist keys: one for a piece of each side on each square.
static PIECE_KEYS: [[u64; 256]; 2] = {
    let mut keys = [[0; 256]; 2];
    let mut i = 0;
    while i < 512 {
        keys[i / 256][i % 256] = split_mix(i as u64);
        i += 1;
    }
    keys
};

/// The part of a key that tells who moves.
const SECOND_TO_MOVE: u64 = split_mix(512);

/// The `n`th number of `SplitMix64` (Steele, Lea and Flood 2014) from seed 0: unlike a generator
/// that is run, it can fill a table at compile time.
const fn split_mix(n: u64) -> u64 {
    let mut z = (n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = Square> {
        (0..=255).map(Square)
    }

    #[test]
    fn every_file_and_rank_has_a_square_of_its_own() {
        for square in all() {
            assert_eq!(Square::at(square.file(), square.rank()), Some(square));
        }
        assert_eq!(Square::at(16, 0), None);
        assert_eq!(Square::at(0, 16), None);
    }

    #[test]
    fn a_shift_moves_every_square_by_one_and_drops_what_leaves_the_board() {
        type Shift = fn(Squares) -> Squares;
        let shifts: [(Shift, u8, u8); 4] = [
            (Squares::east, 1, 0),
            (Squares::west, 255, 0),
            (Squares::north, 0, 1),
            (Squares::south, 0, 255),
        ];
        for (shift, files, ranks) in shifts {
            for square in all() {
                let (file, rank) =
                    (square.file().wrapping_add(files), square.rank().wrapping_add(ranks));
                let expected = Square::at(file, rank).into_iter().collect();
                assert_eq!(shift(Squares::NONE.with(square)), expected, "{square:?}");
            }
        }
    }

    #[test]
    fn a_set_turned_by_180_degrees_holds_the_turned_squares() {
        let red = camp(Side::First);
        assert_eq!(red.len(), ARMY);
        assert_eq!(red.rotated(), camp(Side::Second));
        assert_eq!(red.into_iter().map(Square::rotated).collect::<Squares>(), red.rotated());
    }

    #[test]
    fn a_relocation_keeps_the_key() {
        let mut board = Board::with_armies([camp(Side::First), camp(Side::Second)]);
        let (from, to) = (Square::at(3, 14).unwrap(), Square::at(5, 12).unwrap());
        board.relocate(Side::First, from, to);
        assert!(board.army(Side::First).contains(to) && !board.occupied().contains(from));
        assert_eq!(board, Board::with_armies(board.armies));
        assert_ne!(board.key(Side::First), board.key(Side::Second));
    }
}
