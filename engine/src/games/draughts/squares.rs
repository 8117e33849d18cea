//! The squares: fifty of them in 63 bits.
//!
//! A set of squares is one word. Two rows take 13 bits, with gaps between the rows:
//!
//! ```text
//!       0   1   2   3   4  ( 5)      squares  1 to  5
//!     6   7   8   9  10              squares  6 to 10
//!  (11)(12)
//!      13  14  15  16  17  (18)      squares 11 to 15
//!    19  20  21  22  23              squares 16 to 20, and so on
//! ```
//!
//! So one step along a diagonal is the same shift, by 6 or by 7, on every row, and a step over an
//! edge of the board ends in a gap, which belongs to no set of squares.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor, Index, Sub};

/// A dark square of the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Square(u8); // its bit in a set of squares

impl Square {
    /// How many there are; they are numbered from 1 to this.
    pub const COUNT: u8 = 50;

    /// The square that players call `number`; `None` unless that is from 1 to 50.
    pub const fn numbered(number: u8) -> Option<Self> {
        if number == 0 || number > Self::COUNT {
            return None;
        }
        let (pair, place) = ((number - 1) / 10, (number - 1) % 10);
        Some(Self(pair * 13 + place + place / 5))
    }

    /// What players call the square, from 1 to 50.
    pub fn number(self) -> u8 {
        let (pair, place) = (self.0 / 13, self.0 % 13);
        pair * 10 + place + u8::from(place < 5)
    }

    /// The row of the square, counted from 0 at Black's back row to 9 at White's.
    pub fn row(self) -> u8 {
        (self.number() - 1) / 5
    }

    /// The square in its place when the board is turned by 180°: 51 - n for n.
    #[must_use]
    pub fn rotated(self) -> Self {
        Self(62 - self.0)
    }

    /// An index for tables with an entry a bit of a word.
    #[inline]
    pub(super) fn bit(self) -> usize {
        usize::from(self.0 % 64)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Squares(u64);

impl Squares {
    /// No square.
    pub const NONE: Self = Self(0);

    /// The whole board.
    pub const ALL: Self = {
        let (mut all, mut row) = (0, 0);
        while row < 10 {
            all |= Self::row(row).0;
            row += 1;
        }
        Self(all)
    };

    /// The five squares of a row, counted from 0 at Black's back row to 9 at White's.
    pub const fn row(row: u32) -> Self {
        Self(0b11111 << (row / 2 * 13 + row % 2 * 6))
    }

    /// The squares with these numbers.
    ///
    /// # Panics
    /// Unless each is from 1 to 50.
    pub const fn numbered(numbers: &[u8]) -> Self {
        let (mut set, mut index) = (0, 0);
        while index < numbers.len() {
            let square = Square::numbered(numbers[index]).expect("a square has a number up to 50");
            set |= 1 << square.0;
            index += 1;
        }
        Self(set)
    }

    /// The word: a bit for each square, in the order of the module's picture.
    pub(super) fn bits(self) -> u64 {
        self.0
    }

    /// Whether the set has no square.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of squares in the set.
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set has no more than `count` squares, at a cost that grows with `count` alone.
    pub fn has_at_most(self, count: u32) -> bool {
        (0..count).fold(self, |rest, _| Self(rest.0 & rest.0.wrapping_sub(1))).is_empty()
    }

    /// Whether `square` belongs to the set.
    pub fn contains(self, square: Square) -> bool {
        self.0 >> square.0 & 1 != 0
    }

    /// Whether the sets have a square in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The set on the board turned by 180°: square n becomes square 51 - n.
    #[must_use]
    pub fn rotated(self) -> Self {
        Self(self.0.reverse_bits() >> 1)
    }
}

impl From<Square> for Squares {
    fn from(square: Square) -> Self {
        Self(1 << square.0)
    }
}

impl BitAnd for Squares {
    type Output = Self;
    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitOr for Squares {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitXor for Squares {
    type Output = Self;
    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// The squares of the first set that are not in the second.
impl Sub for Squares {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Self {
        squares.into_iter().fold(Self::NONE, |set, square| set | square.into())
    }
}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = Iter;
    fn into_iter(self) -> Iter {
        Iter(self)
    }
}

/// The squares of a set in the order of their numbers.
#[derive(Clone, Debug)]
pub struct Iter(Squares);

impl Iterator for Iter {
    type Item = Square;
    fn next(&mut self) -> Option<Square> {
        let rest = self.0.0;
        (rest != 0).then(|| {
            self.0 = Squares(rest & (rest - 1));
            Square(rest.trailing_zeros() as u8)
        })
    }
}

/// One of the four ways along a diagonal; up is towards square 1, left towards square 6.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Direction {
    /// From 50 towards 1: 28 to 22.
    UpLeft,
    /// 28 to 23.
    UpRight,
    /// 28 to 32.
    DownLeft,
    /// 28 to 33.
    DownRight,
}

impl Direction {
    /// All four, opposite ones at the same distance from the ends.
    pub const ALL: [Self; 4] = [Self::UpLeft, Self::UpRight, Self::DownLeft, Self::DownRight];

    /// The way back.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::UpLeft => Self::DownRight,
            Self::UpRight => Self::DownLeft,
            Self::DownLeft => Self::UpRight,
            Self::DownRight => Self::UpLeft,
        }
    }

    /// The two directions that cross this one.
    #[must_use]
    pub fn across(self) -> [Self; 2] {
        match self {
            Self::UpLeft | Self::DownRight => [Self::UpRight, Self::DownLeft],
            Self::UpRight | Self::DownLeft => [Self::UpLeft, Self::DownRight],
        }
    }

    /// The squares one step on from `from`. A step over the edge leaves a bit in a gap, so the
    /// result is to be met with a set of squares before anything else is asked of it.
    #[inline]
    pub fn step(self, from: Squares) -> Squares {
        Squares(self.shift(from.0, 1))
    }

    /// The square from which a step leads to `square`, if there is one: over the edge of the board
    /// the answer is no square.
    #[inline]
    pub(super) fn before(self, square: Square) -> Square {
        let step: i8 = match self {
            Self::UpLeft => -7,
            Self::UpRight => -6,
            Self::DownLeft => 6,
            Self::DownRight => 7,
        };
        Square(square.0.wrapping_sub(step as u8))
    }

    /// The bits `steps` steps on.
    #[inline]
    const fn shift(self, bits: u64, steps: u32) -> u64 {
        match self {
            Self::UpLeft => bits >> (7 * steps),
            Self::UpRight => bits >> (6 * steps),
            Self::DownLeft => bits << (6 * steps),
            Self::DownRight => bits << (7 * steps),
        }
    }

    /// `from`, and what is reached from there by sliding over `empty` squares: the flood of all
    /// pieces at once, doubling its stride (Kogge and Stone 1973). A diagonal has at most nine
    /// steps; four rounds make fifteen.
    #[inline]
    pub fn slides(self, from: Squares, empty: Squares) -> Squares {
        let (mut reached, mut free) = (from.0, empty.0);
        for steps in [1, 2, 4] {
            reached |= free & self.shift(reached, steps);
            free &= self.shift(free, steps);
        }
        Squares(reached | free & self.shift(reached, 8))
    }

    /// The square next to `from`; none behind the edge.
    #[inline]
    pub fn next(self, from: Square) -> Squares {
        Squares(NEIGHBORS[self as usize][from.bit()])
    }

    /// The way from `from` up to and including the first of the `pieces`, or to the edge.
    #[inline]
    pub fn way(self, from: Square, pieces: Squares) -> Squares {
        let ray = RAYS[self as usize][from.bit()];
        let met = ray & pieces.0;
        Squares(match self {
            // The bits up to the lowest of `met`, all bits when nothing is met.
            Self::DownLeft | Self::DownRight => ray & (met ^ met.wrapping_sub(1)),
            // The bits from the highest of `met`. Bit 0 ends every ray that has it anyway.
            Self::UpLeft | Self::UpRight => ray & (u64::MAX << ((met | 1).ilog2())),
        })
    }
}

/// A set of squares for each direction.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Fan([Squares; 4]);

impl Fan {
    /// The sets that `squares` answers.
    #[inline]
    pub(super) fn of(squares: impl Fn(Direction) -> Squares) -> Self {
        Self(Direction::ALL.map(squares))
    }

    /// The part of each set that lies within `squares`.
    #[inline]
    #[must_use]
    pub(super) fn within(self, squares: Squares) -> Self {
        Self(self.0.map(|set| set & squares))
    }

    /// Each set after a step in its direction; see [`Direction::step`].
    #[inline]
    #[must_use]
    pub(super) fn one_step_on(self) -> Self {
        Self::of(|direction| direction.step(self[direction]))
    }

    /// The squares in any of the sets.
    #[inline]
    pub(super) fn union(self) -> Squares {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }

    /// The number of squares in all sets together, a square counted as often as it occurs.
    #[inline]
    pub(super) fn len(self) -> u32 {
        self.0.map(Squares::len).iter().sum()
    }

    /// Whether all sets are empty.
    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.union().is_empty()
    }
}

impl Index<Direction> for Fan {
    type Output = Squares;
    #[inline]
    fn index(&self, direction: Direction) -> &Squares {
        &self.0[direction as usize]
    }
}

/// For each direction and bit: the next square, if there is one.
static NEIGHBORS: [[u64; 64]; 4] = rays(1);

/// For each direction and bit: all squares on the way to the edge.
static RAYS: [[u64; 64]; 4] = rays(9);

const fn rays(length: u32) -> [[u64; 64]; 4] {
    let mut rays = [[0; 64]; 4];
    let mut direction = 0;
    while direction < 4 {
        let mut bit = 0;
        while bit < 63 {
            let (mut reached, mut steps) = (1 << bit, 0);
            while steps < length {
                reached = Direction::ALL[direction].shift(reached, 1) & Squares::ALL.0;
                rays[direction][bit] |= reached;
                steps += 1;
            }
            bit += 1;
        }
        direction += 1;
    }
    rays
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(number: u8) -> Square {
        Square::numbered(number).unwrap()
    }

    fn set(numbers: &[u8]) -> Squares {
        Squares::numbered(numbers)
    }

    #[test]
    fn fifty_squares_are_numbered_in_the_order_of_their_bits() {
        let numbers: Vec<u8> = Squares::ALL.into_iter().map(Square::number).collect();
        assert_eq!(numbers, (1..=50).collect::<Vec<_>>());
        for number in numbers {
            assert_eq!(square(number).number(), number);
        }
        assert_eq!(Square::numbered(0), None);
        assert_eq!(Square::numbered(51), None);
    }

    #[test]
    fn a_step_is_the_same_shift_on_every_row_and_ends_at_the_edge() {
        let check = |from, direction: Direction, to: &[u8]| {
            assert_eq!(
                direction.step(set(&[from])) & Squares::ALL,
                set(to),
                "{from} {direction:?}"
            );
        };
        for (from, steps) in [
            (28, [&[22][..], &[23], &[32], &[33]]),
            (22, [&[17], &[18], &[27], &[28]]),
            (5, [&[], &[], &[10], &[]]),
            (6, [&[], &[1], &[], &[11]]),
            (15, [&[10], &[], &[20], &[]]),
            (46, [&[], &[41], &[], &[]]),
            (50, [&[44], &[45], &[], &[]]),
            (45, [&[40], &[], &[50], &[]]),
        ] {
            for (direction, to) in Direction::ALL.into_iter().zip(steps) {
                check(from, direction, to);
            }
        }
    }

    #[test]
    fn a_way_ends_with_the_first_piece_or_at_the_edge() {
        let pieces = set(&[10, 46, 44, 1]);
        assert_eq!(Direction::UpRight.way(square(28), pieces), set(&[23, 19, 14, 10]));
        assert_eq!(Direction::DownLeft.way(square(28), pieces), set(&[32, 37, 41, 46]));
        assert_eq!(Direction::DownRight.way(square(28), pieces), set(&[33, 39, 44]));
        assert_eq!(Direction::UpLeft.way(square(28), pieces), set(&[22, 17, 11, 6]));
        assert_eq!(Direction::UpLeft.way(square(18), pieces), set(&[12, 7, 1]));
    }

    #[test]
    fn the_flood_of_one_piece_is_its_way() {
        for pieces in [Squares::NONE, set(&[1, 8, 17, 24, 32, 39, 44, 50]), Squares::row(4)] {
            for from in Squares::ALL - pieces {
                for direction in Direction::ALL {
                    let slides = direction.slides(from.into(), Squares::ALL - pieces);
                    let way = direction.way(from, pieces) - pieces;
                    assert_eq!(slides, way | from.into(), "{from} {direction:?}");
                }
            }
        }
    }

    #[test]
    fn a_small_set_is_told_from_a_large_one() {
        assert!(Squares::NONE.has_at_most(0));
        assert!(set(&[7]).has_at_most(1) && !set(&[7]).has_at_most(0));
        assert!(set(&[7, 50]).has_at_most(3) && !set(&[1, 2, 3, 4]).has_at_most(3));
    }

    #[test]
    fn turning_the_board_maps_square_n_to_51_minus_n() {
        for from in Squares::ALL {
            assert_eq!(Squares::from(from).rotated(), set(&[51 - from.number()]));
            assert_eq!(from.rotated().number(), 51 - from.number());
        }
    }
}
