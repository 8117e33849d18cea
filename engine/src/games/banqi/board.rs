//! The board: 32 squares as bits of a `u32`, what is seen on them, and the counts of what is not.
//!
//! Bit 0 is a1, bit 7 is h1, bit 31 is h4: a rank is a byte. The board is the only one to change
//! itself, and every change keeps its key.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign, Not};

use super::pool::{Census, Color, Kind, Piece};
use crate::position::Key;

/// Files of the board.
pub(super) const FILES: u8 = 8;
/// Ranks of the board.
pub(super) const RANKS: u8 = 4;
/// Squares of the board.
pub(super) const SQUARES: usize = 32;

/// A square of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Square(u8); // 0..32, a1 to h1, then a2 and on

impl Square {
    /// Every square, a1 to h1 first.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SQUARES as u8).map(Self)
    }

    /// The square on a file (0 is `a`) and a rank (0 is `1`), if there is one.
    pub fn at(file: u8, rank: u8) -> Option<Self> {
        (file < FILES && rank < RANKS).then(|| Self(rank * FILES + file))
    }

    /// The square with this place in [`Square::all`], which has so many.
    pub(super) fn from_index(index: usize) -> Self {
        debug_assert!(index < SQUARES);
        Self(index as u8)
    }

    /// The square's place in [`Square::all`].
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The file, 0 for `a`.
    pub(super) fn file(self) -> u8 {
        self.0 % FILES
    }

    /// The rank, 0 for `1`.
    pub(super) fn rank(self) -> u8 {
        self.0 / FILES
    }

    /// The set of this square alone.
    pub(super) fn only(self) -> Squares {
        Squares(1 << self.0)
    }
}

/// The square's name, such as `c4`.
impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// A set of squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Squares(pub(super) u32);

impl Squares {
    pub(super) const NONE: Self = Self(0);
    const FILE_A: u32 = 0x0101_0101;
    const FILE_H: u32 = 0x8080_8080;

    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(super) fn count(self) -> u32 {
        self.0.count_ones()
    }

    pub(super) fn contains(self, square: Square) -> bool {
        !(self & square.only()).is_empty()
    }

    /// The set moved by one square in each of the four directions; what leaves the board is lost.
    pub(super) fn shifted(self) -> [Self; 4] {
        let Self(set) = self;
        let east = (set & !Self::FILE_H) << 1;
        let west = (set & !Self::FILE_A) >> 1;
        [Self(east), Self(west), Self(set << FILES), Self(set >> FILES)]
    }

    /// All squares next to a square of the set.
    pub(super) fn neighbors(self) -> Self {
        let [east, west, north, south] = self.shifted();
        east | west | north | south
    }

    /// The squares of the set, a1 to h1 first.
    pub(super) fn squares(self) -> impl Iterator<Item = Square> {
        let Self(mut set) = self;
        std::iter::from_fn(move || {
            let lowest = Square(set.trailing_zeros() as u8);
            let more = set != 0;
            set &= set.wrapping_sub(1);
            more.then_some(lowest)
        })
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

impl BitOrAssign for Squares {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl Not for Squares {
    type Output = Self;
    fn not(self) -> Self {
        Self(!self.0)
    }
}

/// What players see on a square.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Cell {
    Empty,
    /// A face-down piece. Nobody knows which.
    Hidden,
    /// A face-up piece.
    Shown(Piece),
}

/// What players see on the squares, and the counts of what they don't.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Board {
    hidden: Squares,
    /// The face-up pieces of each color.
    colors: [Squares; 2],
    /// The face-up pieces of each kind, both colors.
    kinds: [Squares; 7],
    /// The face-down pieces.
    pool: Census,
    /// The pieces that are not captured, face up or face down.
    living: Census,
    key: Key,
}

impl Board {
    /// All pieces face down.
    pub(super) fn start() -> Self {
        Self::set_up(&[Cell::Hidden; SQUARES], Census::FULL)
    }

    /// The board with these cells (in the order of [`Square::all`]) and this pool, of as many pieces
    /// as there are hidden cells.
    pub(super) fn set_up(cells: &[Cell; SQUARES], pool: Census) -> Self {
        let mut board = Self {
            hidden: Squares::NONE,
            colors: [Squares::NONE; 2],
            kinds: [Squares::NONE; 7],
            pool,
            living: pool,
            key: Key(KEYS.of_pool(pool)),
        };
        for (square, &cell) in Square::all().zip(cells) {
            match cell {
                Cell::Empty => (),
                Cell::Hidden => {
                    board.hidden |= square.only();
                    board.key.0 ^= KEYS.hidden[square.index()];
                }
                Cell::Shown(piece) => {
                    board.living.add(piece, 1);
                    board.put(square, piece);
                }
            }
        }
        board
    }

    /// What is seen on a square.
    pub(super) fn cell(&self, square: Square) -> Cell {
        match self.piece(square) {
            Some(piece) => Cell::Shown(piece),
            None if self.hidden.contains(square) => Cell::Hidden,
            None => Cell::Empty,
        }
    }

    /// The face-up piece on a square.
    pub(super) fn piece(&self, square: Square) -> Option<Piece> {
        let kind =
            Kind::ALL.into_iter().find(|&kind| self.kinds[kind as usize].contains(square))?;
        let red = self.colors[Color::Red as usize].contains(square);
        Some(Piece { color: if red { Color::Red } else { Color::Black }, kind })
    }

    /// The squares of the face-up pieces of a color.
    pub(super) fn shown(&self, color: Color) -> Squares {
        self.colors[color as usize]
    }

    /// The squares of the face-up pieces of a color and kind.
    pub(super) fn shown_of(&self, color: Color, kind: Kind) -> Squares {
        self.colors[color as usize] & self.kinds[kind as usize]
    }

    /// The squares with a face-down piece.
    pub(super) fn hidden(&self) -> Squares {
        self.hidden
    }

    /// The squares with any piece.
    pub(super) fn occupied(&self) -> Squares {
        self.hidden | self.colors[0] | self.colors[1]
    }

    /// The face-down pieces.
    pub(super) fn pool(&self) -> Census {
        self.pool
    }

    /// The pieces that are not captured.
    pub(super) fn living(&self) -> Census {
        self.living
    }

    /// The key of the squares and the pool; it does not know who moves.
    pub(super) fn key(&self) -> Key {
        self.key
    }

    /// Turns the face-down piece on a square up: it is `piece`, one of the pool.
    pub(super) fn reveal(&mut self, square: Square, piece: Piece) {
        debug_assert!(self.hidden.contains(square));
        let keys = &KEYS.pool[piece.index()];
        let before = usize::from(self.pool.count(piece));
        self.key.0 ^= keys[before] ^ keys[before - 1] ^ KEYS.hidden[square.index()];
        self.pool.remove(piece);
        self.hidden = self.hidden & !square.only();
        self.put(square, piece);
    }

    /// Moves the face-up piece on `from` to `to`, and returns the piece that it captures there.
    pub(super) fn carry(&mut self, from: Square, to: Square) -> Option<Piece> {
        let captured = self.piece(to);
        if let Some(captured) = captured {
            self.lift(to, captured);
            self.living.remove(captured);
        }
        let piece = self.piece(from).expect("a move starts on a face-up piece");
        self.lift(from, piece);
        self.put(to, piece);
        captured
    }

    /// The board with the colors of all pieces swapped.
    pub(super) fn mirrored(&self) -> Self {
        let mut cells = [Cell::Empty; SQUARES];
        for square in Square::all() {
            cells[square.index()] = match self.cell(square) {
                Cell::Shown(piece) => Cell::Shown(piece.mirrored()),
                cell => cell,
            };
        }
        Self::set_up(&cells, self.pool.mirrored())
    }

    fn put(&mut self, square: Square, piece: Piece) {
        self.colors[piece.color as usize] |= square.only();
        self.kinds[piece.kind as usize] |= square.only();
        self.key.0 ^= KEYS.shown[piece.index()][square.index()];
    }

    fn lift(&mut self, square: Square, piece: Piece) {
        let (color, kind) = (piece.color as usize, piece.kind as usize);
        self.colors[color] = self.colors[color] & !square.only();
        self.kinds[kind] = self.kinds[kind] & !square.only();
        self.key.0 ^= KEYS.shown[piece.index()][square.index()];
    }
}

/// Random numbers whose exclusive or is the key of a position (Zobrist 1970).
pub(super) struct Keys {
    shown: [[u64; SQUARES]; Piece::COUNT],
    hidden: [u64; SQUARES],
    /// By the count of the piece in the pool: the squares do not tell it, since a piece that is not
    /// face up may be face down or captured.
    pool: [[u64; Kind::Soldier.full_count() as usize + 1]; Piece::COUNT],
    /// Black is to move.
    pub(super) black: u64,
    /// Spreads a draw counter over a key.
    pub(super) counter: u64,
}

/// The numbers of every key: fixed, so that equal positions have equal keys in every run.
pub(super) static KEYS: Keys = Keys::new();

impl Keys {
    const fn new() -> Self {
        let mut keys = Self {
            shown: [[0; SQUARES]; Piece::COUNT],
            hidden: [0; SQUARES],
            pool: [[0; 6]; Piece::COUNT],
            black: 0,
            counter: 0,
        };
        let mut seed = 0;
        let mut square = 0;
        while square < SQUARES {
            let mut piece = 0;
            while piece < Piece::COUNT {
                keys.shown[piece][square] = next_random(&mut seed);
                piece += 1;
            }
            keys.hidden[square] = next_random(&mut seed);
            square += 1;
        }
        let mut piece = 0;
        while piece < Piece::COUNT {
            // A count of zero adds nothing.
            let mut count = 1;
            while count < keys.pool[piece].len() {
                keys.pool[piece][count] = next_random(&mut seed);
                count += 1;
            }
            piece += 1;
        }
        keys.black = next_random(&mut seed);
        keys.counter = next_random(&mut seed) | 1;
        keys
    }

    fn of_pool(&self, pool: Census) -> u64 {
        pool.iter()
            .fold(0, |key, (piece, count)| key ^ self.pool[piece.index()][usize::from(count)])
    }
}

/// `SplitMix64` (Steele, Lea and Flood 2014): random enough for keys, and usable in constants.
const fn next_random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mixed = (*seed ^ (*seed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        Square::all().find(|square| square.to_string() == name).unwrap()
    }

    fn piece(letter: char) -> Piece {
        Piece::from_letter(letter).unwrap()
    }

    #[test]
    fn the_corners_have_their_names() {
        let names: Vec<String> = Square::all().map(|square| square.to_string()).collect();
        assert_eq!((names[0].as_str(), names[7].as_str()), ("a1", "h1"));
        assert_eq!((names[24].as_str(), names[31].as_str()), ("a4", "h4"));
        assert_eq!(
            (Square::at(2, 3), Square::at(8, 0), Square::at(0, 4)),
            (Some(square("c4")), None, None)
        );
    }

    #[test]
    fn neighbors_do_not_wrap_around_the_edge() {
        let check = |name: &str, expected: &str| {
            let names: Vec<String> = square(name)
                .only()
                .neighbors()
                .squares()
                .map(|square| square.to_string())
                .collect();
            assert_eq!(names.join(" "), expected, "neighbors of {name}");
        };
        check("a1", "b1 a2");
        check("h1", "g1 h2");
        check("a3", "a2 b3 a4");
        check("h4", "h3 g4");
        check("d2", "d1 c2 e2 d3");
    }

    #[test]
    fn a_piece_moves_from_the_pool_to_the_board_and_then_away() {
        let mut board = Board::start();
        board.reveal(square("c2"), piece('A'));
        board.reveal(square("c3"), piece('p'));
        assert_eq!(board.cell(square("c2")), Cell::Shown(piece('A')));
        assert_eq!(board.cell(square("c1")), Cell::Hidden);
        assert_eq!(board.pool().to_string(), "KAE2R2H2C2P5ka2e2r2h2c2p4");
        assert_eq!(board.living(), Census::FULL);

        assert_eq!(board.carry(square("c2"), square("c3")), Some(piece('p')));
        assert_eq!(board.cell(square("c2")), Cell::Empty);
        assert_eq!(board.cell(square("c3")), Cell::Shown(piece('A')));
        assert_eq!(board.living().to_string(), "KA2E2R2H2C2P5ka2e2r2h2c2p4");
    }

    #[test]
    fn boards_that_look_alike_differ_in_key_when_their_pools_differ() {
        let mut cells = [Cell::Empty; SQUARES];
        cells[0] = Cell::Hidden;
        let keys = ['K', 'k', 'P', 'p', 'C'].map(|letter| {
            let mut pool = Census::EMPTY;
            pool.add(piece(letter), 1);
            Board::set_up(&cells, pool).key()
        });
        for (place, key) in keys.iter().enumerate() {
            assert!(!keys[..place].contains(key));
        }
    }
}
