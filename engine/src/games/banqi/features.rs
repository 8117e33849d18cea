//! What the evaluation counts in a position, each thing with the number of its weight.
//!
//! Everything is seen by the side to move, so that both colors are judged alike by construction. What
//! a piece is worth depends on which enemies live, face up or face down; what it threatens, on the
//! steps that it needs to get there. Nothing here knows where a face-down piece lies.

use super::Banqi;
use super::board::{Board, Squares};
use super::moves;
use super::pool::{Census, Color, Kind};

const KINDS: usize = Kind::ALL.len();

/// A living piece, by its kind and the number of living enemies that take it and are not its equals:
/// none to nine. For a general those are the soldiers.
pub(super) const MATERIAL: usize = 0;
const DANGERS: usize = 10;
/// A living piece with nothing left to take, by its kind.
const IDLE: usize = MATERIAL + KINDS * DANGERS;
/// A piece of the side to move and one of the other, both face up, by their kinds and the steps from
/// one to the other over empty squares, one to [`STEPS`]; while many pieces are face down, which block
/// the ways and change things sooner, to [`STEPS_AMONG_HIDDEN`].
pub(super) const MEETINGS: usize = IDLE + KINDS;
const STEPS: usize = 8;
const STEPS_AMONG_HIDDEN: usize = 4;
const MANY_HIDDEN: u32 = 6;
/// A piece that a cannon of the side to move could take, and one that a cannon of the other side could.
const JUMPS: usize = MEETINGS + KINDS * KINDS * STEPS;
/// A face-up piece, by its kind and the numbers of face-down and of empty squares next to it.
pub(super) const PLACES: usize = JUMPS + 2 * KINDS;
const NEIGHBORS: usize = 5;
/// A face-up piece by its kind and square; the board is the same from all of its corners.
const SQUARES: usize = PLACES + KINDS * NEIGHBORS * NEIGHBORS;
const CORNER: usize = 8;
/// Sixteenths of flips next to pieces that show one that takes them, by the kind of the pieces.
const RISKS: usize = SQUARES + KINDS * CORNER;
/// The same for one that they take.
const CHANCES: usize = RISKS + KINDS;
/// To be on the move.
const TEMPO: usize = CHANCES + KINDS;
/// How many weights there are.
pub(super) const COUNT: usize = TEMPO + 1;

/// The names of the parts of an evaluation, and the weights that each ends before.
pub(super) const PARTS: [(&str, usize); 4] =
    [("material", MEETINGS), ("threats", PLACES), ("places", TEMPO), ("tempo", COUNT)];

/// Names the weights that count for the side to move, and how often; nothing before the first flip.
#[inline(always)]
pub(super) fn features(position: &Banqi, mut count: impl FnMut(usize, i32)) {
    let Some(color) = position.to_move else { return };
    let board = &position.board;
    let own = Army::new(board, color);
    let enemy = Army::new(board, color.other());
    own.material(&enemy, &mut count);
    enemy.material(&own, |index, times| count(index, -times));
    let occupied = board.occupied();
    meetings(&own, &enemy, board, |index| count(index, 1));
    own.jumps(occupied, &enemy, |kind| count(JUMPS + kind, 1));
    enemy.jumps(occupied, &own, |kind| count(JUMPS + KINDS + kind, -1));
    let around = Around::new(board);
    own.places(&around, &enemy, &mut count);
    enemy.places(&around, &own, |index, times| count(index, -times));
    count(TEMPO, 1);
}

/// Counts of the pieces of one color by kind, four bits each.
#[derive(Clone, Copy)]
struct Counts {
    each: u32,
    /// The sums of each kind and those that outrank it.
    sums: u32,
}

impl Counts {
    fn new(census: Census, color: Color) -> Self {
        let each = census.counts(color);
        // The last sum may not fit; nobody asks for it.
        Self { each, sums: each.wrapping_mul(0x0111_1111) }
    }

    fn of(self, kind: usize) -> u32 {
        self.each >> (4 * kind) & 0xF
    }

    fn down_to(self, kind: usize) -> u32 {
        self.sums >> (4 * kind) & 0xF
    }

    fn total(self) -> u32 {
        self.down_to(KINDS - 2) + self.of(KINDS - 1)
    }

    /// How many of these take an enemy of this kind by a step.
    #[inline(always)]
    fn takers(self, kind: usize) -> u32 {
        const GENERAL: usize = Kind::General as usize;
        const CANNON: usize = Kind::Cannon as usize;
        const SOLDIER: usize = Kind::Soldier as usize;
        match kind {
            GENERAL => self.of(GENERAL) + self.of(SOLDIER),
            CANNON => self.down_to(CANNON - 1),
            SOLDIER => self.down_to(CANNON - 1) - self.of(GENERAL) + self.of(SOLDIER),
            _ => self.down_to(kind),
        }
    }

    /// How many of these an enemy of this kind takes, a cannon by a jump.
    #[inline(always)]
    fn prey(self, kind: usize) -> u32 {
        const GENERAL: usize = Kind::General as usize;
        const CANNON: usize = Kind::Cannon as usize;
        const SOLDIER: usize = Kind::Soldier as usize;
        match kind {
            GENERAL => self.down_to(CANNON),
            CANNON => self.total(),
            SOLDIER => self.of(GENERAL) + self.of(SOLDIER),
            _ => self.total() - self.down_to(kind - 1),
        }
    }
}

/// The pieces of one color.
struct Army {
    living: Counts,
    hidden: Counts,
    shown: Squares,
    kinds: [Squares; KINDS],
    /// The bits of the number of the kind that stands on each square.
    bits: [u32; 3],
}

impl Army {
    #[inline(always)]
    fn new(board: &Board, color: Color) -> Self {
        let kinds = Kind::ALL.map(|kind| board.shown_of(color, kind));
        Self {
            living: Counts::new(board.living(), color),
            hidden: Counts::new(board.pool(), color),
            shown: board.shown(color),
            kinds,
            bits: [0, 1, 2].map(|bit| {
                let numbered = kinds.iter().enumerate().filter(|(kind, _)| kind >> bit & 1 == 1);
                numbered.fold(0, |set, (_, &Squares(squares))| set | squares)
            }),
        }
    }

    /// The number of the kind on a square where a piece stands.
    #[inline(always)]
    fn kind_at(&self, square: usize) -> usize {
        let bit = |set: u32| (set >> square & 1) as usize;
        bit(self.bits[0]) + 2 * bit(self.bits[1]) + 4 * bit(self.bits[2])
    }

    #[inline(always)]
    fn material(&self, enemy: &Self, mut count: impl FnMut(usize, i32)) {
        for kind in 0..KINDS {
            let number = self.living.of(kind) as i32;
            if number == 0 {
                continue;
            }
            let mut dangers = enemy.living.takers(kind);
            if kind != Kind::Cannon as usize {
                dangers -= enemy.living.of(kind);
            }
            count(MATERIAL + kind * DANGERS + dangers as usize, number);
            if enemy.living.prey(kind) == 0 {
                count(IDLE + kind, number);
            }
        }
    }

    /// Counts the kinds of enemies that the cannons could take.
    #[inline(always)]
    fn jumps(&self, occupied: Squares, enemy: &Self, mut count: impl FnMut(usize)) {
        let mut targets = Squares::NONE;
        for cannon in self.kinds[Kind::Cannon as usize].squares() {
            targets |= moves::jumps(occupied, cannon);
        }
        if (targets & enemy.shown).is_empty() {
            return;
        }
        for (kind, &squares) in enemy.kinds.iter().enumerate() {
            for _ in (squares & targets).squares() {
                count(kind);
            }
        }
    }

    #[inline(always)]
    fn places(&self, around: &Around, enemy: &Self, mut count: impl FnMut(usize, i32)) {
        for kind in 0..KINDS {
            let mut flips = 0;
            for square in self.kinds[kind].squares() {
                let at = square.index();
                let hidden = around.hidden.at(at);
                flips += hidden as u32;
                let places = (kind * NEIGHBORS + hidden) * NEIGHBORS + around.empty.at(at);
                count(PLACES + places, 1);
                count(SQUARES + kind * CORNER + usize::from(CORNERS[at]), 1);
            }
            if flips > 0 {
                let sixteenths = |number: u32| ((number * flips * around.sixteenths) >> 16) as i32;
                count(RISKS + kind, sixteenths(enemy.hidden.takers(kind)));
                count(CHANCES + kind, sixteenths(enemy.hidden.prey(kind)));
            }
        }
    }
}

/// What stands next to each square.
struct Around {
    hidden: Tally,
    empty: Tally,
    /// A sixteenth of what is face down turns up with each flip, times 2^16.
    sixteenths: u32,
}

impl Around {
    #[inline(always)]
    fn new(board: &Board) -> Self {
        let hidden = board.hidden();
        Self {
            hidden: Tally::of_neighbors(hidden),
            empty: Tally::of_neighbors(!board.occupied()),
            sixteenths: SIXTEENTHS[hidden.count() as usize],
        }
    }
}

/// By the number of face-down pieces: 2^20 divided by it, rounded up.
const SIXTEENTHS: [u32; 33] = {
    let mut shares = [0; 33];
    let mut number = 1;
    while number < shares.len() {
        shares[number] = (1_u32 << 20).div_ceil(number as u32);
        number += 1;
    }
    shares
};

/// A number of up to four for each square, in three sets.
struct Tally([u32; 3]);

impl Tally {
    /// How many neighbors of each square are in the set.
    #[inline(always)]
    fn of_neighbors(set: Squares) -> Self {
        let [a, b, c, d] = set.shifted().map(|Squares(set)| set);
        let (ab, cd) = (a ^ b, c ^ d);
        Self([ab ^ cd, a & b ^ c & d ^ ab & cd, a & b & c & d])
    }

    #[inline(always)]
    fn at(&self, square: usize) -> usize {
        let bit = |set: u32| (set >> square & 1) as usize;
        bit(self.0[0]) + 2 * bit(self.0[1]) + 4 * bit(self.0[2])
    }
}

/// The squares of a quarter of the board, and which of them each square corresponds to.
const CORNERS: [u8; super::board::SQUARES] = {
    let mut corners = [0; super::board::SQUARES];
    let mut square = 0;
    while square < corners.len() {
        let (file, rank) = (square % 8, square / 8);
        let file = if file < 4 { file } else { 7 - file };
        let rank = if rank < 2 { rank } else { 3 - rank };
        corners[square] = (4 * rank + file) as u8;
        square += 1;
    }
    corners
};

/// The most pieces of a color.
const PIECES: usize = 16;

/// Names the weights of pieces of both colors that can walk to each other.
#[inline(always)]
fn meetings(own: &Army, enemy: &Army, board: &Board, mut count: impl FnMut(usize)) {
    let many_hidden = board.hidden().count() >= MANY_HIDDEN;
    let steps = if many_hidden { STEPS_AMONG_HIDDEN } else { STEPS };
    let (empty, enemies) = (Twin::both(!board.occupied()), Twin::both(enemy.shown));
    let mut pieces = 0;
    let (mut kinds, mut from) = ([0_u8; PIECES], [0_u32; PIECES]);
    for (kind, squares) in (0..).zip(own.kinds) {
        for square in squares.squares() {
            kinds[pieces % PIECES] = kind;
            from[pieces % PIECES] = 1 << square.index();
            pieces += 1;
        }
    }
    let pairs = from.chunks_exact(2).zip(kinds.chunks_exact(2));
    for (from, kinds) in pairs.take(pieces.div_ceil(2)) {
        let mut reached = Twin(u64::from(from[0]) | u64::from(from[1]) << 32);
        let mut unmet = enemies;
        for step in 0..steps {
            let next = reached.neighbors();
            let mut met = next.0 & unmet.0;
            while met != 0 {
                let at = met.trailing_zeros() as usize;
                met &= met - 1;
                let (kind, other) = (usize::from(kinds[at / 32]), enemy.kind_at(at % 32));
                count(MEETINGS + (kind * KINDS + other) * STEPS + step);
            }
            unmet.0 &= !next.0;
            let grown = reached.0 | next.0 & empty.0;
            if grown == reached.0 || unmet.0 == 0 {
                break;
            }
            reached.0 = grown;
        }
    }
}

/// Two sets of squares, side by side in one number.
#[derive(Clone, Copy)]
struct Twin(u64);

impl Twin {
    const UNITS: u64 = 0x1_0000_0001;
    const FILE_A: u64 = 0x0101_0101 * Self::UNITS;
    const FILE_H: u64 = 0x8080_8080 * Self::UNITS;
    const RANK_1: u64 = 0xFF * Self::UNITS;
    const RANK_4: u64 = 0xFF00_0000 * Self::UNITS;

    #[inline(always)]
    fn both(Squares(set): Squares) -> Self {
        Self(u64::from(set) * Self::UNITS)
    }

    #[inline(always)]
    fn neighbors(self) -> Self {
        let Self(sets) = self;
        let sideways = (sets & !Self::FILE_H) << 1 | (sets & !Self::FILE_A) >> 1;
        Self(sideways | (sets & !Self::RANK_4) << 8 | (sets & !Self::RANK_1) >> 8)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::position::Position;

    fn features_of(position: &Banqi) -> BTreeMap<usize, i32> {
        let mut all = BTreeMap::new();
        features(position, |index, times| *all.entry(index).or_default() += times);
        all.retain(|_, times| *times != 0);
        all
    }

    fn read(text: &str) -> Banqi {
        Banqi::read(text, ()).unwrap()
    }

    #[test]
    fn features_are_those_of_the_mirrored_position_and_of_the_turned_board() {
        for (text, turned) in [
            ("1r6/8/1?6/1C5K r P 3 7", "K5C1/6?1/8/6r1 r P 3 7"),
            ("KAE1p3/3h4/2??2c1/PPr5 b Ak 0 1", "5rPP/1c2??2/4h3/3p1EAK b Ak 0 1"),
        ] {
            let position = read(text);
            assert_eq!(features_of(&position), features_of(&position.mirrored()), "{text}");
            assert_eq!(features_of(&position), features_of(&read(turned)), "{text}");
        }
    }

    #[test]
    fn pieces_meet_by_their_shortest_way_over_empty_squares() {
        let check = |text: &str, steps: Option<usize>| {
            let all = features_of(&read(text));
            let (taker, other) = (Kind::Advisor as usize, Kind::Chariot as usize);
            let first = MEETINGS + (taker * KINDS + other) * STEPS;
            let found = (0..STEPS).find(|step| all.contains_key(&(first + step)));
            assert_eq!(found.map(|step| step + 1), steps, "{text}");
        };
        check("8/8/8/Ar6 r - 0 1", Some(1));
        check("8/8/8/A2r4 r - 0 1", Some(3));
        check("8/8/1P6/AP1r4 r - 0 1", Some(7));
        check("8/8/?7/A?1r4 r P2 0 1", None);
        // Far ways are not followed among many face-down pieces.
        check("8/8/8/A4r2 r - 0 1", Some(5));
        check("????????/8/8/A4r2 r P5C2H 0 1", None);
    }

    #[test]
    fn a_piece_is_known_by_the_enemies_that_take_it_seen_or_not() {
        let check = |text: &str, kind: Kind, dangers: usize| {
            let index = MATERIAL + kind as usize * DANGERS + dangers;
            assert!(features_of(&read(text)).contains_key(&index), "{text}");
        };
        check("8/8/8/K2app2 r - 0 1", Kind::General, 2);
        check("8/8/8/K2a1??1 r p2 0 1", Kind::General, 2);
        check("8/8/8/A2akpp1 r - 0 1", Kind::Advisor, 1);
        check("8/8/8/P2kae1r r - 0 1", Kind::Soldier, 3);
        check("8/8/8/C2kae1c r - 0 1", Kind::Cannon, 3);
    }

    #[test]
    fn every_number_is_below_the_count_and_before_the_first_flip_there_is_none() {
        assert!(features_of(&Banqi::start(())).is_empty());
        let text = "KAAEERRH/HCCPPPPP/2??1kc1/aer1hp?? r krp2 0 1";
        let text = text.replace("r krp2", "r rhp2");
        let all = features_of(&read(&text));
        assert!(all.keys().all(|&index| index < COUNT), "{all:?}");
        assert_eq!(all.get(&TEMPO), Some(&1));
    }
}
