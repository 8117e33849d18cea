//! The board: which piece stands where.
//!
//! Only this file changes a board, and each change keeps its hash.

use std::hint::cold_path;

use super::squares::{Direction, Square, Squares};
use super::{Change, Move};

/// The color of a piece, and of the player who moves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// Starts on 31 to 50 and moves towards 1.
    White,
    /// Starts on 1 to 20 and moves towards 50.
    Black,
}

impl Color {
    /// Both colors.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// The opponent's color.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }

    /// The directions in which men of this color move.
    #[inline]
    pub fn ahead(self) -> [Direction; 2] {
        match self {
            Self::White => [Direction::UpLeft, Direction::UpRight],
            Self::Black => [Direction::DownLeft, Direction::DownRight],
        }
    }

    /// The squares one step ahead of men of this color, by either direction.
    #[inline]
    pub fn advance(self, men: Squares) -> [Squares; 2] {
        match self {
            Self::White => [Direction::UpLeft.step(men), Direction::UpRight.step(men)],
            Self::Black => [Direction::DownLeft.step(men), Direction::DownRight.step(men)],
        }
    }

    /// The row on which a man of this color becomes a king.
    pub fn last_row(self) -> Squares {
        match self {
            Self::White => Squares::row(0),
            Self::Black => Squares::row(9),
        }
    }

    /// `white` or `black`.
    pub fn name(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Black => "black",
        }
    }
}

/// Which piece stands where, and the hash of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    white: Squares,
    black: Squares,
    kings: Squares,
    hash: u64,
}

impl Board {
    /// Adds a piece of `color` on an empty square.
    pub fn put(&mut self, color: Color, rank: Rank, square: Square) {
        self.toggle(color, rank, square);
    }

    /// Takes away the piece of `color` from its square, and answers what it was.
    #[inline]
    pub fn lift(&mut self, color: Color, square: Square) -> Rank {
        let rank = self.rank(square);
        self.toggle(color, rank, square);
        rank
    }

    /// The board after a move of a piece of `color`, and what the move did to the piece.
    #[inline(always)]
    pub(super) fn after(&self, color: Color, mv: Move) -> (Self, Change) {
        let [from, to] = [Squares::from(mv.from()), Squares::from(mv.to())];
        let captured = mv.captured();
        let (mut kings, mut hash) = (self.kings, self.hash);
        if mv.is_capture() {
            for square in captured {
                hash ^= random(color.other(), self.rank(square), square);
            }
            kings = kings - captured;
        }
        let change = if from.meets(kings) {
            kings = kings ^ from ^ to;
            hash ^= random(color, Rank::King, mv.from()) ^ random(color, Rank::King, mv.to());
            Change::King
        } else if to.meets(color.last_row()) {
            cold_path();
            kings = kings | to;
            hash ^= random(color, Rank::Man, mv.from()) ^ random(color, Rank::King, mv.to());
            Change::Promotion
        } else {
            hash ^= random(color, Rank::Man, mv.from()) ^ random(color, Rank::Man, mv.to());
            Change::Man
        };
        let (white, black) = match color {
            Color::White => (self.white ^ from ^ to, self.black - captured),
            Color::Black => (self.white - captured, self.black ^ from ^ to),
        };
        (Self { white, black, kings, hash }, change)
    }

    /// Both changes are the same flip of bits; the hash changes with them, here and nowhere else.
    #[inline]
    fn toggle(&mut self, color: Color, rank: Rank, square: Square) {
        let at = Squares::from(square);
        // No array indexed by the color: the sets stay in registers.
        match color {
            Color::White => self.white = self.white ^ at,
            Color::Black => self.black = self.black ^ at,
        }
        if rank == Rank::King {
            self.kings = self.kings ^ at;
        }
        self.hash ^= random(color, rank, square);
    }

    /// What stands on an occupied square.
    pub fn rank(&self, square: Square) -> Rank {
        if self.kings.contains(square) { Rank::King } else { Rank::Man }
    }

    /// The pieces of a color.
    pub fn of(&self, color: Color) -> Squares {
        match color {
            Color::White => self.white,
            Color::Black => self.black,
        }
    }

    /// The kings of both colors.
    pub fn kings(&self) -> Squares {
        self.kings
    }

    /// The pieces of both colors.
    pub fn occupied(&self) -> Squares {
        self.white | self.black
    }

    /// The squares without a piece.
    pub fn empty(&self) -> Squares {
        Squares::ALL - self.occupied()
    }

    /// A hash of the pieces and their squares (Zobrist 1970).
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The board turned by 180° with the colors swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirrored = Self::default();
        for color in Color::ALL {
            for square in self.of(color) {
                mirrored.put(color.other(), self.rank(square), square.rotated());
            }
        }
        mirrored
    }
}

/// What a piece may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    /// Moves one step forward.
    Man,
    /// Flies along the diagonals.
    King,
}

/// A random number for every piece on every square.
#[inline]
fn random(color: Color, rank: Rank, square: Square) -> u64 {
    HASHES[color as usize][rank as usize][square.bit()]
}

/// By color, rank and bit.
static HASHES: [[[u64; 64]; 2]; 2] = {
    let mut hashes = [[[0; 64]; 2]; 2];
    let mut seed = 0;
    let mut index = 0;
    while index < 4 * 63 {
        seed = next_seed(seed);
        hashes[index / 126][index / 63 % 2][index % 63] = mixed(seed);
        index += 1;
    }
    hashes
};

/// The sequence of the generator splitmix64 (Steele, Lea and Flood 2014).
const fn next_seed(seed: u64) -> u64 {
    seed.wrapping_add(0x9e37_79b9_7f4a_7c15)
}

/// Its output function: every bit of `seed` changes about half of the bits of the result.
pub(super) const fn mixed(seed: u64) -> u64 {
    let seed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let seed = (seed ^ seed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    seed ^ seed >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(number: u8) -> Square {
        Square::numbered(number).unwrap()
    }

    #[test]
    fn lifting_undoes_putting() {
        let mut board = Board::default();
        board.put(Color::White, Rank::King, square(28));
        let before = board;
        board.put(Color::Black, Rank::Man, square(3));
        assert_ne!(board.hash(), before.hash());
        assert_eq!(board.lift(Color::Black, square(3)), Rank::Man);
        assert_eq!(board, before);
        assert_eq!(board.lift(Color::White, square(28)), Rank::King);
        assert_eq!(board, Board::default());
    }
}
