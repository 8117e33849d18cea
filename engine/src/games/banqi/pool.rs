//! The pieces, and how many of each there are: what is face down is known as counts alone.
//!
//! This is the only chance in the program. Every face-down square holds each piece of the pool with
//! probability (count in the pool) / (size of the pool), whatever has been flipped where.

use std::fmt;

/// The colors of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Color {
    /// Upper-case letters.
    Red,
    /// Lower-case letters.
    Black,
}

impl Color {
    /// Both colors.
    pub const ALL: [Self; 2] = [Self::Red, Self::Black];

    /// The opposing color.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Red => Self::Black,
            Self::Black => Self::Red,
        }
    }

    /// What players call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Black => "black",
        }
    }
}

/// The kinds of pieces, the highest rank first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// `K`
    General,
    /// `A`
    Advisor,
    /// `E`
    Elephant,
    /// `R`
    Chariot,
    /// `H`
    Horse,
    /// `C`
    Cannon,
    /// `P`
    Soldier,
}

impl Kind {
    /// All kinds, the highest rank first.
    pub const ALL: [Self; 7] = [
        Self::General,
        Self::Advisor,
        Self::Elephant,
        Self::Chariot,
        Self::Horse,
        Self::Cannon,
        Self::Soldier,
    ];

    /// How many pieces of the kind each color starts with.
    pub const fn full_count(self) -> u8 {
        match self {
            Self::General => 1,
            Self::Soldier => 5,
            _ => 2,
        }
    }

    /// Whether a piece of this kind captures an adjacent enemy of kind `victim`. A cannon never
    /// does: it needs a piece to jump.
    pub const fn takes(self, victim: Self) -> bool {
        match (self, victim) {
            (Self::Cannon, _) | (Self::General, Self::Soldier) => false,
            (Self::Soldier, Self::General) => true,
            _ => self as u8 <= victim as u8,
        }
    }

    /// The letter of a red piece of the kind.
    fn letter(self) -> char {
        match self {
            Self::General => 'K',
            Self::Advisor => 'A',
            Self::Elephant => 'E',
            Self::Chariot => 'R',
            Self::Horse => 'H',
            Self::Cannon => 'C',
            Self::Soldier => 'P',
        }
    }
}

/// A kind of piece in a color.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub kind: Kind,
}

impl Piece {
    /// How many different pieces there are.
    pub const COUNT: usize = 2 * Kind::ALL.len();

    /// Every piece once, in the order of the pool's text: `KAERHCP`, then `kaerhcp`.
    pub fn all() -> impl Iterator<Item = Self> {
        Color::ALL.into_iter().flat_map(|color| Kind::ALL.map(|kind| Self { color, kind }))
    }

    /// The piece's place in [`Piece::all`].
    pub const fn index(self) -> usize {
        self.color as usize * Kind::ALL.len() + self.kind as usize
    }

    /// The piece that `letter` stands for. `B` and `N`, the letters of xiangqi texts, are taken for
    /// `E` and `H`.
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::Red } else { Color::Black };
        let upper = match letter.to_ascii_uppercase() {
            'B' => 'E',
            'N' => 'H',
            upper => upper,
        };
        let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == upper)?;
        Some(Self { color, kind })
    }

    /// The letter that stands for the piece.
    pub fn letter(self) -> char {
        match self.color {
            Color::Red => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The same kind in the other color.
    #[must_use]
    pub fn mirrored(self) -> Self {
        Self { color: self.color.other(), ..self }
    }
}

/// How many of each piece there are in a set of pieces, such as the pool.
///
/// Fourteen counts of four bits; the largest is 5.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Census(u64);

/// The lowest bit of every count.
const UNITS: u64 = 0x0011_1111_1111_1111;
/// The bits of a count.
const COUNT_BITS: usize = 4;
/// The bits of all counts of one color.
const COLOR_BITS: usize = COUNT_BITS * Kind::ALL.len();
/// The counts of the red pieces.
const RED: u64 = (1 << COLOR_BITS) - 1;

impl Census {
    /// No piece at all.
    pub const EMPTY: Self = Self(0);
    /// The 32 pieces of the game.
    pub const FULL: Self = Self::full();

    const fn full() -> Self {
        let mut counts = 0;
        let mut kind = 0;
        while kind < Kind::ALL.len() {
            counts |= (Kind::ALL[kind].full_count() as u64) << (COUNT_BITS * kind);
            kind += 1;
        }
        Self(counts | counts << COLOR_BITS)
    }

    /// How many pieces like `piece` there are.
    pub fn count(self, piece: Piece) -> u8 {
        (self.0 >> (COUNT_BITS * piece.index())) as u8 & 0xF
    }

    /// How many pieces of each kind of a color there are, four bits each, the general's the lowest.
    pub(super) fn counts(self, color: Color) -> u32 {
        match color {
            Color::Red => (self.0 & RED) as u32,
            Color::Black => (self.0 >> COLOR_BITS) as u32,
        }
    }

    /// Whether there is a piece of the color.
    pub fn has(self, color: Color) -> bool {
        let counts = match color {
            Color::Red => self.0 & RED,
            Color::Black => self.0 & !RED,
        };
        counts != 0
    }

    /// How many pieces there are.
    pub fn total(self) -> u32 {
        Piece::all().map(|piece| u32::from(self.count(piece))).sum()
    }

    /// How many different pieces there are.
    pub fn different(self) -> u32 {
        // No count is over 7, so the lower three bits tell whether it is zero.
        ((self.0 | self.0 >> 1 | self.0 >> 2) & UNITS).count_ones()
    }

    /// Each different piece once with its count, in the order of [`Piece::all`].
    pub fn iter(self) -> impl Iterator<Item = (Piece, u8)> {
        Piece::all().map(move |piece| (piece, self.count(piece))).filter(|&(_, count)| count > 0)
    }

    /// Adds `count` pieces like `piece`.
    pub(super) fn add(&mut self, piece: Piece, count: u8) {
        debug_assert!(self.count(piece) + count <= piece.kind.full_count());
        self.0 += u64::from(count) << (COUNT_BITS * piece.index());
    }

    /// Removes one piece.
    pub(super) fn remove(&mut self, piece: Piece) {
        debug_assert!(self.count(piece) > 0, "no {} to remove from {self}", piece.letter());
        self.0 -= 1 << (COUNT_BITS * piece.index());
    }

    /// The same pieces in the other color.
    pub(super) fn mirrored(self) -> Self {
        Self(self.0 >> COLOR_BITS | (self.0 & RED) << COLOR_BITS)
    }
}

/// The letters of the pieces, each with its count when there is more than one; `-` for none.
impl fmt::Display for Census {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::EMPTY {
            return write!(f, "-");
        }
        for (piece, count) in self.iter() {
            write!(f, "{}", piece.letter())?;
            if count > 1 {
                write!(f, "{count}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_decide_who_takes_whom_except_between_general_and_soldier() {
        let check = |hunter: char, victims: &str| {
            let hunter = Piece::from_letter(hunter).unwrap().kind;
            let taken: String =
                Kind::ALL.into_iter().filter(|&k| hunter.takes(k)).map(Kind::letter).collect();
            assert_eq!(taken, victims, "what {hunter:?} takes");
        };
        check('K', "KAERHC");
        check('A', "AERHCP");
        check('E', "ERHCP");
        check('R', "RHCP");
        check('H', "HCP");
        check('C', "");
        check('P', "KP");
    }

    #[test]
    fn the_full_census_has_the_32_pieces_of_the_game() {
        assert_eq!(Census::FULL.to_string(), "KA2E2R2H2C2P5ka2e2r2h2c2p5");
        assert_eq!(Census::FULL.total(), 32);
        assert_eq!(Census::FULL.different(), 14);
        assert_eq!(Census::FULL.mirrored(), Census::FULL);
    }

    #[test]
    fn a_piece_removed_and_mirrored_is_missing_on_the_other_side() {
        let mut census = Census::FULL;
        census.remove(Piece::from_letter('K').unwrap());
        census.remove(Piece::from_letter('p').unwrap());
        assert_eq!(census.to_string(), "A2E2R2H2C2P5ka2e2r2h2c2p4");
        assert_eq!(census.mirrored().to_string(), "KA2E2R2H2C2P4a2e2r2h2c2p5");
        assert_eq!((census.total(), census.different()), (30, 13));
    }

    #[test]
    fn a_color_is_there_while_one_piece_of_it_is() {
        let mut census = Census::EMPTY;
        assert!(!census.has(Color::Red) && !census.has(Color::Black));
        census.add(Piece::from_letter('p').unwrap(), 1);
        assert!(!census.has(Color::Red) && census.has(Color::Black));
        assert!(census.mirrored().has(Color::Red));
    }

    #[test]
    fn every_letter_reads_back_and_the_letters_of_xiangqi_are_understood() {
        for piece in Piece::all() {
            assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
        }
        for (other, own) in [('B', 'E'), ('b', 'e'), ('N', 'H'), ('n', 'h')] {
            assert_eq!(Piece::from_letter(other), Piece::from_letter(own));
        }
        assert_eq!(Piece::from_letter('?'), None);
    }
}
