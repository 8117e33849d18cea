//! Where the positions with certain pieces lie in a table.
//!
//! Everything is seen by the side to move as if it were White, so that one table does for both
//! colors. The pieces of a kind are a set of squares, and sets of the same size are numbered in the
//! order of the combinatorial number system (Beckenbach 1964): men on the 45 squares that they can
//! stand on, kings on the squares that are left by what was numbered before.

use std::fmt;

use super::super::board::{Board, Color};
use super::super::squares::{Direction, Square, Squares};

/// The most pieces that a table can have.
pub const PIECES_AT_MOST: u32 = 5;

/// The squares that men can stand on: all but those of the last row.
const MEN_SQUARES: usize = 45;
const SQUARES: usize = Square::COUNT as usize;

/// How many men and kings either side has.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Material {
    /// The side to move: men, kings.
    pub own: [u8; 2],
    /// The other side.
    pub enemy: [u8; 2],
}

impl Material {
    /// One more than the largest [`Material::code`].
    pub(super) const CODES: usize = 1 << 12;

    /// All materials of so many pieces with at least one on each side, in an order in which moves lead
    /// to earlier ones only, or to the same one with the sides swapped, which comes next.
    pub fn all(pieces: u32) -> Vec<Self> {
        let pieces = pieces as u8;
        let mut all = Vec::new();
        for own in 1..pieces {
            for own_kings in 0..=own {
                for enemy_kings in 0..=pieces - own {
                    let own = [own - own_kings, own_kings];
                    let enemy = [pieces - own[0] - own[1] - enemy_kings, enemy_kings];
                    all.push(Self { own, enemy });
                }
            }
        }
        all.sort_by_key(|material| {
            let swapped = material.swapped();
            (material.men(), (*material).max(swapped), *material < swapped)
        });
        all
    }

    /// The number of pieces.
    pub fn pieces(self) -> u32 {
        self.own.iter().chain(&self.enemy).map(|&count| u32::from(count)).sum()
    }

    fn men(self) -> u8 {
        self.own[0] + self.enemy[0]
    }

    /// The same pieces with the other side to move.
    #[must_use]
    pub fn swapped(self) -> Self {
        Self { own: self.enemy, enemy: self.own }
    }

    /// A small number of its own.
    pub(super) fn code(self) -> usize {
        let digits = [self.own[0], self.own[1], self.enemy[0], self.enemy[1]];
        digits.into_iter().fold(0, |code, digit| code << 3 | usize::from(digit))
    }

    /// How many placements the table has room for.
    pub(super) fn size(self) -> usize {
        let [own, enemy] = [self.own, self.enemy].map(|side| side.map(usize::from));
        let free = SQUARES - own[0] - enemy[0];
        choose(MEN_SQUARES, own[0])
            * choose(MEN_SQUARES, enemy[0])
            * choose(free, own[1])
            * choose(free - own[1], enemy[1])
    }
}

/// `2m1k-1m`: two men and a king to move against a man.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |f: &mut fmt::Formatter<'_>, side: [u8; 2]| {
            let named = side.into_iter().zip(["m", "k"]).filter(|&(count, _)| count > 0);
            named.into_iter().try_for_each(|(count, name)| write!(f, "{count}{name}"))
        };
        side(f, self.own)?;
        f.write_str("-")?;
        side(f, self.enemy)
    }
}

/// The pieces of a position, seen by the side to move: its men move up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Pieces {
    pub(super) own_men: Squares,
    pub(super) own_kings: Squares,
    pub(super) enemy_men: Squares,
    pub(super) enemy_kings: Squares,
}

impl Pieces {
    /// Those on `board` with `color` to move.
    #[inline]
    pub(super) fn of(board: &Board, color: Color) -> Self {
        let (own, enemy, kings) = match color {
            Color::White => (board.of(color), board.of(color.other()), board.kings()),
            Color::Black => (
                board.of(color).rotated(),
                board.of(color.other()).rotated(),
                board.kings().rotated(),
            ),
        };
        Self {
            own_men: own - kings,
            own_kings: own & kings,
            enemy_men: enemy - kings,
            enemy_kings: enemy & kings,
        }
    }

    /// The board on which they are those of White.
    #[inline]
    pub(super) fn board(&self) -> Board {
        let (own, enemy) = (self.own_men | self.own_kings, self.enemy_men | self.enemy_kings);
        Board::of_pieces(own, enemy, self.own_kings | self.enemy_kings)
    }

    /// The same with the other side to move.
    #[inline]
    pub(super) fn swapped(&self) -> Self {
        Self {
            own_men: self.enemy_men.rotated(),
            own_kings: self.enemy_kings.rotated(),
            enemy_men: self.own_men.rotated(),
            enemy_kings: self.own_kings.rotated(),
        }
    }

    pub(super) fn empty(&self) -> Squares {
        Squares::ALL - self.own_men - self.own_kings - self.enemy_men - self.enemy_kings
    }

    pub(super) fn material(&self) -> Material {
        let count = |squares: Squares| squares.len() as u8;
        Material {
            own: [count(self.own_men), count(self.own_kings)],
            enemy: [count(self.enemy_men), count(self.enemy_kings)],
        }
    }

    /// Where the position lies in the table of its material.
    #[inline]
    pub(super) fn index(&self) -> usize {
        let men = self.own_men | self.enemy_men;
        let free = SQUARES - men.len() as usize;
        let own_kings = self.own_kings.len() as usize;
        let mut index = rank(self.own_men, Squares::row(0));
        let mut next =
            |count: usize, of: usize, rank: usize| index = index * choose(of, count) + rank;
        next(self.enemy_men.len() as usize, MEN_SQUARES, rank(self.enemy_men, Squares::NONE));
        next(own_kings, free, rank(self.own_kings, men));
        let enemy_kings = self.enemy_kings.len() as usize;
        next(enemy_kings, free - own_kings, rank(self.enemy_kings, men | self.own_kings));
        index
    }
}

/// The number of a set among those of its size on the squares that are not `taken`.
#[inline]
fn rank(set: Squares, taken: Squares) -> usize {
    let mut rank = 0;
    for (square, count) in set.into_iter().zip(1..) {
        rank += choose(free_before(square, taken), count);
    }
    rank
}

/// How many of the squares before `square` are not `taken`.
#[inline]
fn free_before(square: Square, taken: Squares) -> usize {
    let before = (1 << square.bit()) - 1;
    ((Squares::ALL - taken).bits() & before).count_ones() as usize
}

/// The places of the members of a set, the last one first, among the squares that it is chosen from.
#[inline]
fn places(mut number: usize, count: usize) -> impl Iterator<Item = usize> {
    (1..=count).rev().map(move |count| {
        if count == 1 {
            return number;
        }
        let place = CHOOSE[count].partition_point(|&sets| sets as usize <= number) - 1;
        number -= choose(place, count);
        place
    })
}

/// The set of `count` squares with this number, by what square a place stands for.
#[inline]
fn set_of_rank(number: usize, count: usize, square: impl Fn(usize) -> Square) -> Squares {
    places(number, count).map(square).collect()
}

/// The placements of a material, one after the other.
pub(super) struct Placements {
    material: Material,
    /// How many numbers the sets of own kings have, of enemy men, and of enemy kings.
    own_kings: usize,
    enemy_men: usize,
    enemy_kings: usize,
    /// What the last number was made of, so that the next one, which mostly differs in the last
    /// part only, costs less: the men, and these with the own kings.
    men: Part,
    front: Part,
}

/// The first part of a placement.
struct Part {
    number: usize,
    pieces: Pieces,
    /// The squares that are left for kings.
    free: Vec<Square>,
}

impl Part {
    const NONE: Self = {
        let none = Squares::NONE;
        let pieces = Pieces { own_men: none, own_kings: none, enemy_men: none, enemy_kings: none };
        Self { number: usize::MAX, pieces, free: Vec::new() }
    };

    fn set(&mut self, number: usize, pieces: Pieces, kings: usize) {
        (self.number, self.pieces) = (number, pieces);
        if kings > 0 {
            self.free.clear();
            self.free.extend(pieces.empty());
        }
    }
}

impl Placements {
    pub(super) fn new(material: Material) -> Self {
        let free = SQUARES - usize::from(material.men());
        let own_kings = usize::from(material.own[1]);
        Self {
            material,
            own_kings: choose(free, own_kings),
            enemy_kings: choose(free - own_kings, usize::from(material.enemy[1])),
            enemy_men: choose(MEN_SQUARES, usize::from(material.enemy[0])),
            men: Part::NONE,
            front: Part::NONE,
        }
    }

    /// The pieces that lie at `index`; `None` where two men would stand on one square.
    pub(super) fn at(&mut self, index: usize) -> Option<Pieces> {
        let (front, enemy_kings) = (index / self.enemy_kings, index % self.enemy_kings);
        if front != self.front.number {
            self.set_front(front);
        }
        let pieces = self.front.pieces;
        if pieces.own_men.meets(pieces.enemy_men) {
            return None;
        }
        let count = usize::from(self.material.enemy[1]);
        let enemy_kings = set_of_rank(enemy_kings, count, |place| self.front.free[place]);
        Some(Pieces { enemy_kings, ..pieces })
    }

    /// Where those positions lie in which the first piece of the side to move, a king if it has one,
    /// stands a step further ahead, to the left and to the right; `pieces` are those that were last
    /// asked for. They lie before them.
    #[inline]
    pub(super) fn ahead(&self, pieces: &Pieces) -> [Option<usize>; 2] {
        // What is moved stays the first one of its set, so that the number of the set falls by as
        // much as the number of the square.
        let is_man = pieces.own_kings.is_empty();
        let men = pieces.own_men | pieces.enemy_men;
        let (moving, taken, room, weight) = if is_man {
            (pieces.own_men, Squares::NONE, pieces.empty() - Squares::row(0), self.enemy_men)
        } else {
            (pieces.own_kings, men, pieces.empty(), 1)
        };
        let first = moving.into_iter().next().expect("both sides have pieces");
        [Direction::UpLeft, Direction::UpRight].map(|direction| {
            let to = (direction.next(first) & room).into_iter().next()?;
            let fall = free_before(first, taken) - free_before(to, taken);
            let front = self.front.number - fall * weight;
            let others = (men | pieces.own_kings) ^ first.into() ^ to.into();
            Some(front * self.enemy_kings + rank(pieces.enemy_kings, others))
        })
    }

    fn set_front(&mut self, front: usize) {
        let (men, own_kings) = (front / self.own_kings, front % self.own_kings);
        let [own, enemy] =
            [self.material.own, self.material.enemy].map(|side| side.map(usize::from));
        if men != self.men.number {
            let (own_men, enemy_men) = (men / self.enemy_men, men % self.enemy_men);
            let own_men = set_of_rank(own_men, own[0], |place| numbered(place + 6));
            let enemy_men = set_of_rank(enemy_men, enemy[0], |place| numbered(place + 1));
            let pieces = Pieces { own_men, enemy_men, ..Part::NONE.pieces };
            self.men.set(men, pieces, own[1]);
        }
        let own_kings = set_of_rank(own_kings, own[1], |place| self.men.free[place]);
        self.front.set(front, Pieces { own_kings, ..self.men.pieces }, enemy[1]);
    }
}

fn numbered(number: usize) -> Square {
    Square::numbered(number as u8).expect("men stand on squares of the board")
}

/// Binomial coefficients.
#[inline]
fn choose(of: usize, count: usize) -> usize {
    CHOOSE[count][of] as usize
}

static CHOOSE: [[u32; SQUARES + 1]; PIECES_AT_MOST as usize] = {
    let mut table = [[0; SQUARES + 1]; PIECES_AT_MOST as usize];
    table[0] = [1; SQUARES + 1];
    let mut count = 1;
    while count < PIECES_AT_MOST as usize {
        let mut of = 1;
        while of <= SQUARES {
            table[count][of] = table[count][of - 1] + table[count - 1][of - 1];
            of += 1;
        }
        count += 1;
    }
    table
};
