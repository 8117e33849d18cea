//! The board: which piece stands where. Only this file changes it.

use std::hint::cold_path;

use super::squares::{Direction, Square, Squares};
use super::{Change, Move};
use crate::position::Key;

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

/// Which piece stands where.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    white: Squares,
    black: Squares,
    kings: Squares,
}

impl Board {
    /// Adds a piece of `color` on an empty square.
    pub fn put(&mut self, color: Color, rank: Rank, square: Square) {
        let at = Squares::from(square);
        match color {
            Color::White => self.white = self.white | at,
            Color::Black => self.black = self.black | at,
        }
        if rank == Rank::King {
            self.kings = self.kings | at;
        }
    }

    /// The board with these pieces, of which the `kings` are kings.
    pub(super) fn of_pieces(white: Squares, black: Squares, kings: Squares) -> Self {
        Self { white, black, kings }
    }

    /// The board after a move of a piece of `color`, and what the move did to the piece.
    #[inline(always)]
    pub(super) fn after(&self, color: Color, mv: Move) -> (Self, Change) {
        let [from, to] = [Squares::from(mv.from()), Squares::from(mv.to())];
        let captured = mv.captured();
        let mut kings = self.kings - captured;
        let change = match mv.rank() {
            Rank::King => {
                kings = kings ^ from ^ to;
                Change::King
            }
            Rank::Man if to.meets(color.last_row()) => {
                cold_path();
                kings = kings | to;
                Change::Promotion
            }
            Rank::Man => Change::Man,
        };
        // No array indexed by the color: the sets stay in registers.
        let (white, black) = match color {
            Color::White => (self.white ^ from ^ to, self.black - captured),
            Color::Black => (self.white - captured, self.black ^ from ^ to),
        };
        (Self { white, black, kings }, change)
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

    /// A hash of the pieces, their squares and the color to move. To make one where it is asked for
    /// costs less than to keep one up with every move.
    #[inline]
    pub(super) fn key(&self, to_move: Color) -> Key {
        // No set of squares has the top bit, so neither factor is 0.
        let pieces = folded(self.white.bits() ^ WHITE, self.black.bits() ^ BLACK);
        let turn = match to_move {
            Color::White => WHITE_TO_MOVE,
            Color::Black => BLACK_TO_MOVE,
        };
        Key(folded(pieces ^ self.kings.bits(), turn))
    }

    /// The board turned by 180° with the colors swapped.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        Self {
            white: self.black.rotated(),
            black: self.white.rotated(),
            kings: self.kings.rotated(),
        }
    }
}

/// What a piece may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Rank {
    /// Moves one step forward.
    Man,
    /// Flies along the diagonals.
    King,
}

/// Both halves of a product, so that every bit of both factors counts (Wang Yi 2019, wyhash).
fn folded(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

// The first bits of the square roots of 2, 3, 5 and 7 behind the point, with the top bit and the
// lowest one set.
const WHITE: u64 = 0xea09_e667_f3bc_c909;
const BLACK: u64 = 0xbb67_ae85_84ca_a73b;
const WHITE_TO_MOVE: u64 = 0xbc6e_f372_fe94_f82b;
const BLACK_TO_MOVE: u64 = 0xa54f_f53a_5f1d_36f1;

/// The output function of the generator splitmix64 (Steele, Lea and Flood 2014): every bit of `seed`
/// changes about half of the bits of the result.
pub(super) const fn mixed(seed: u64) -> u64 {
    let seed = (seed ^ seed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let seed = (seed ^ seed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    seed ^ seed >> 31
}
