//! The move generator: steps by shifts of whole sets, jump chains by flood fill in one quarter of
//! the board.
//!
//! Chains are never listed: a position may have tens of thousands of them, but only a few hundred
//! pairs of origin and destination, and those are the moves.

use super::board::{NOT_FIRST_FILE, NOT_LAST_FILE, Square, Squares};
use crate::position::Side;

/// A move: where a piece starts and where it stops, by a step or by any chain of jumps; or the
/// pass.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Move {
    from: Square,
    to: Square,
}

impl Move {
    /// The only move of a side that can move no piece. No piece stops where it started, so such a
    /// pair is free to stand for it.
    pub const PASS: Self = match Square::at(0, 0) {
        Some(square) => Self { from: square, to: square },
        None => unreachable!(),
    };

    /// The move of the piece on `from` to `to`; `None` if they are the same.
    pub fn new(from: Square, to: Square) -> Option<Self> {
        (from != to).then_some(Self { from, to })
    }

    /// Whether it is the pass.
    pub fn is_pass(self) -> bool {
        self == Self::PASS
    }

    /// The square that the piece leaves.
    pub const fn from(self) -> Square {
        self.from
    }

    /// The square that the piece stops on.
    pub const fn to(self) -> Square {
        self.to
    }

    /// Whether the move is a single step to a neighbor. A step changes the parity of the file or
    /// of the rank, a chain of jumps never does.
    pub const fn is_step(self) -> bool {
        self.from.quarter() != self.to.quarter()
    }
}

/// Appends the moves of the pieces `own`, `occupied` being the squares of all pieces: piece by
/// piece, each time the steps first. A forced pass is not among them.
pub(super) fn generate(own: Squares, occupied: Squares, out: &mut Vec<Move>) {
    for quarter in 0..4 {
        let jumps = Jumps::new(occupied, quarter);
        for from in Squares::from_quarter(quarter, own.quarter(quarter)) {
            let destinations = destinations(from, occupied, &jumps);
            out.extend(destinations.into_iter().map(|to| Move { from, to }));
        }
    }
}

/// Where the piece on `from` can move, `jumps` being those in its quarter.
pub(super) fn destinations(from: Square, occupied: Squares, jumps: &Jumps) -> Squares {
    let landings = Squares::from_quarter(from.quarter(), jumps.landings(from.bit()));
    neighbors(from).without(occupied).union(landings)
}

/// The squares, free or not, from which a step leads to one of `targets`, or a single jump to a free
/// one.
pub(super) fn approaches(targets: Squares, occupied: Squares, jumps: &[Jumps; 4]) -> Squares {
    let row = targets.union(targets.east()).union(targets.west());
    let free = targets.without(occupied);
    (0..4).fold(row.union(row.north()).union(row.south()), |all, quarter| {
        let from = jumps[quarter].across(free.quarter(quarter));
        all.union(Squares::from_quarter(quarter, from))
    })
}

/// Hands out the moves to the squares that are `wanted` for a piece, which are asked for quarter by
/// quarter, as origin and destination: for each piece, those that it may step to, and those in each
/// room that it may jump into. A forced pass is not among them.
pub(super) fn each_to(
    own: Squares,
    occupied: Squares,
    wanted: impl Fn(Square, usize) -> u64,
    mut visit: impl FnMut(Square, Square),
) {
    for quarter in 0..4 {
        let men = own.quarter(quarter);
        for from in Square::in_places(quarter, men) {
            // A step leads to another quarter.
            for quarter in [quarter ^ 1, quarter ^ 2, quarter ^ 3] {
                let free = neighbors(from).quarter(quarter) & !occupied.quarter(quarter);
                for to in Square::in_places(quarter, free & wanted(from, quarter)) {
                    visit(from, to);
                }
            }
        }
        for (room, men) in Jumps::new(occupied, quarter).rooms(men) {
            for from in Square::in_places(quarter, men) {
                for to in Square::in_places(quarter, room & wanted(from, quarter)) {
                    visit(from, to);
                }
            }
        }
    }
}

/// The places of a quarter that bring a piece of `side` at least so many files and ranks nearer to its
/// goal.
pub(super) fn ahead(side: Side, from: Square, gain: i32, quarter: usize) -> u64 {
    match side {
        Side::First => AHEAD[(from.way() + gain).max(0) as usize].quarter(quarter),
        // The same from the other corner.
        Side::Second => !AHEAD[(from.way() - gain + 1).max(0) as usize].quarter(quarter),
    }
}

/// For each number of files and ranks, the squares that lie so far from the north-west corner or
/// further. From the furthest square on there is none.
static AHEAD: [Squares; 64] = {
    let mut table = [Squares::NONE; 64];
    let mut index = 0;
    while index < 256 {
        let square = Square::numbered(index as u8);
        let mut way = 0;
        while way <= square.way() {
            table[way as usize] = table[way as usize].with(square);
            way += 1;
        }
        index += 1;
    }
    table
};

/// How many moves [`generate`] would append.
pub(super) fn count(own: Squares, occupied: Squares) -> u32 {
    let jumps = (0..4).map(|quarter| {
        let jumps = Jumps::new(occupied, quarter);
        jumps.count(own.quarter(quarter))
    });
    count_steps(own, occupied.complement()) + jumps.sum::<u32>()
}

/// How many steps the pieces have together.
///
/// Bit by bit, the own pieces in the 3×3 box around every square are added up as binary numbers of
/// four digits. On an empty square the box without its center is the same as the box.
fn count_steps(own: Squares, empty: Squares) -> u32 {
    let (ones, twos) = add(own, own.east(), own.west());
    let (box_ones, carry) = add(ones, ones.north(), ones.south());
    let (box_twos, fours) = add(twos, twos.north(), twos.south());
    let count = |digit: Squares| digit.intersection(empty).len();
    count(box_ones) + 2 * (count(carry) + count(box_twos)) + 4 * count(fours)
}

/// A full adder for every square: the sum of three bits, and its carry.
fn add(a: Squares, b: Squares, c: Squares) -> (Squares, Squares) {
    let half = a.symmetric_difference(b);
    (half.symmetric_difference(c), a.intersection(b).union(half.intersection(c)))
}

/// The up to eight squares around one.
fn neighbors(square: Square) -> &'static Squares {
    &NEIGHBORS[usize::from(square.index())]
}

static NEIGHBORS: [Squares; 256] = {
    let mut table = [Squares::NONE; 256];
    let mut i = 0;
    while i < 256 {
        if let Some(square) = Square::at(i as u8 & 15, i as u8 >> 4) {
            let center = Squares::NONE.with(square);
            let row = center.union(center.east()).union(center.west());
            let around = row.union(row.north()).union(row.south()).without(center);
            table[square.index() as usize] = around;
        }
        i += 1;
    }
    table
};

/// What can be jumped in one quarter of the board.
///
/// A piece on its way need not be lifted from its origin: pieces of its own quarter are never
/// jumped, so it is no stepping stone; and its origin is never a landing square, as no chain ends
/// or passes where it began.
pub(super) struct Jumps {
    empty: u64,
    /// For the directions east, north, north-east and north-west: the places with a piece between
    /// them and the next place of the quarter in that direction.
    bridges: [u64; 4],
}

impl Jumps {
    /// The jumps in a quarter when the pieces stand on `occupied`.
    pub(super) fn new(occupied: Squares, quarter: usize) -> Self {
        let (file, rank) = (quarter & 1, quarter >> 1 & 1);
        let beside = occupied.quarter(quarter ^ 1);
        let above = occupied.quarter(quarter ^ 2);
        let across = occupied.quarter(quarter ^ 3);
        // From an odd rank, the rank above belongs to the next row of places; from an odd file,
        // the file to the east belongs to the next column, and from an even one the file to the
        // west to the last one.
        let northern = across >> (8 * rank);
        let north_west = match (file, rank) {
            (0, 0) => across << 1,
            (0, _) => across >> 7,
            _ => northern,
        };
        Self {
            empty: !occupied.quarter(quarter),
            bridges: [
                beside >> file & NOT_LAST_FILE,
                above >> (8 * rank),
                northern >> file & NOT_LAST_FILE,
                north_west & NOT_FIRST_FILE,
            ],
        }
    }

    /// The places one jump from any of `from`, empty or not.
    fn across(&self, from: u64) -> u64 {
        let [east, north, north_east, north_west] = self.bridges;
        (from & east) << 1
            | from >> 1 & east
            | (from & north) << 8
            | from >> 8 & north
            | (from & north_east) << 9
            | from >> 9 & north_east
            | (from & north_west) << 7
            | from >> 7 & north_west
    }

    /// The empty places one jump from any of `from`.
    pub(super) fn single(&self, from: u64) -> u64 {
        self.across(from) & self.empty
    }

    /// The places where a chain of the piece on `origin` may stop.
    pub(super) fn landings(&self, origin: u64) -> u64 {
        self.links().flood(self.single(origin))
    }

    /// The empty places one jump ahead of the pieces on `own`, if they walk as `side` does: straight
    /// along a rank or a file, and along both.
    pub(super) fn ahead(&self, side: Side, own: u64) -> [u64; 2] {
        let [east, north, _, north_west] = self.bridges;
        let [straight, both] = match side {
            Side::First => [(own & east) << 1 | own >> 8 & north, own >> 7 & north_west],
            Side::Second => [own >> 1 & east | (own & north) << 8, (own & north_west) << 7],
        };
        [straight & self.empty, both & self.empty]
    }

    /// The jumps between two empty places.
    pub(super) fn links(&self) -> Links {
        let (empty, [east, north, north_east, north_west]) = (self.empty, self.bridges);
        Links([
            east & empty & empty >> 1,
            north & empty & empty >> 8,
            north_east & empty & empty >> 9,
            north_west & empty & empty >> 7,
        ])
    }

    /// The *rooms* that the pieces on `own` can jump into, each with those pieces.
    ///
    /// A jump between empty places leads both ways, so from each place of a room the same places
    /// are reached: the room.
    pub(super) fn rooms(&self, own: u64) -> impl Iterator<Item = (u64, u64)> {
        self.rooms_around(self.links(), self.single(own), own)
    }

    /// Those of the [`rooms`](Self::rooms) that have more than one place.
    pub(super) fn large_rooms(&self, own: u64) -> impl Iterator<Item = (u64, u64)> {
        let links = self.links();
        self.rooms_around(links, self.single(own) & links.ends(), own)
    }

    fn rooms_around(
        &self,
        links: Links,
        mut entries: u64,
        own: u64,
    ) -> impl Iterator<Item = (u64, u64)> {
        std::iter::from_fn(move || {
            if entries == 0 {
                return None;
            }
            let room = links.flood(entries & entries.wrapping_neg());
            entries &= !room;
            Some((room, self.across(room) & own))
        })
    }

    /// Those of the pieces on `own` that can jump at all.
    pub(super) fn movers(&self, own: u64) -> u64 {
        own & self.across(self.empty)
    }

    /// How many places the pieces on `own` have to stop on after a chain, each counted for itself.
    fn count(&self, own: u64) -> u32 {
        let mut movers = self.movers(own);
        let mut total = 0;
        while movers != 0 {
            total += self.landings(movers & movers.wrapping_neg()).count_ones();
            movers &= movers - 1;
        }
        total
    }
}

/// The jumps between empty places of a quarter, which lead both ways.
///
/// For the directions of [`Jumps`]: the places from which one leads there.
#[derive(Clone, Copy)]
pub(super) struct Links([u64; 4]);

impl Links {
    /// The places that a link leads from, or to.
    fn ends(&self) -> u64 {
        let [east, north, north_east, north_west] = self.0;
        let from = east | north | north_east | north_west;
        from | east << 1 | north << 8 | north_east << 9 | north_west << 7
    }

    /// The places that chains reach from `reached`, with those themselves.
    fn flood(&self, mut reached: u64) -> u64 {
        let [east, north, north_east, north_west] = self.0;
        loop {
            // A chain that turns often goes on within a round.
            let mut grown = reached;
            grown |= (grown & east) << 1 | grown >> 1 & east;
            grown |= (grown & north) << 8 | grown >> 8 & north;
            grown |= (grown & north_east) << 9 | grown >> 9 & north_east;
            grown |= (grown & north_west) << 7 | grown >> 7 & north_west;
            if grown == reached {
                return reached;
            }
            reached = grown;
        }
    }
}

/// The squares of a chain with the fewest jumps from one square to another, both included; among
/// several such chains the smallest, square by square in the order of file and rank. `None` when
/// no chain leads there.
pub(super) fn shortest_chain(occupied: Squares, from: Square, to: Square) -> Option<Vec<Square>> {
    let quarter = from.quarter();
    let jumps = Jumps::new(occupied, quarter);
    if to.quarter() != quarter || to.bit() & jumps.empty == 0 {
        return None;
    }
    // The places at every number of jumps from the end. A jump over a piece leads both ways.
    let mut layers = vec![to.bit()];
    let mut seen = to.bit();
    loop {
        let last = layers[layers.len() - 1];
        if jumps.across(last) & from.bit() != 0 {
            break;
        }
        let next = jumps.single(last) & !seen;
        if next == 0 {
            return None;
        }
        seen |= next;
        layers.push(next);
    }
    let mut chain = vec![from];
    let mut here = from;
    for layer in layers.into_iter().rev() {
        let candidates = Squares::from_quarter(quarter, jumps.single(here.bit()) & layer);
        here = candidates
            .into_iter()
            .min_by_key(|square| (square.file(), square.rank()))
            .expect("every place of a layer is one jump from the layer before it");
        chain.push(here);
    }
    Some(chain)
}

#[cfg(test)]
mod tests {
    use super::super::Halma;
    use super::*;
    use crate::position::Position;

    /// The squares that a piece may go to, as texts in alphabetical order.
    fn destinations(text: &str, from: &str) -> Vec<String> {
        let mut moves = Vec::new();
        Halma::read(text, ()).unwrap().moves(&mut moves);
        let of_piece = moves.into_iter().filter(|mv| mv.from().to_string() == from);
        let mut squares: Vec<String> = of_piece.map(|mv| mv.to().to_string()).collect();
        squares.sort();
        squares
    }

    fn check(cases: &[(&str, &str, &[&str])]) {
        for &(text, from, expected) in cases {
            assert_eq!(destinations(text, from), expected, "{from} of {text}");
        }
    }

    #[test]
    fn a_piece_steps_to_any_empty_neighbor() {
        check(&[
            (
                "16/16/16/16/16/16/16/16/16/16/16/16/1r14/16/16/16 r 1",
                "b4",
                &["a3", "a4", "a5", "b3", "b5", "c3", "c4", "c5"],
            ),
            ("16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/15r r 1", "p1", &["o1", "o2", "p2"]),
        ]);
    }

    #[test]
    fn a_jump_passes_one_adjacent_piece_of_either_side_and_needs_an_empty_square_behind_it() {
        check(&[
            // Over an own and an enemy piece.
            ("16/16/16/16/16/16/16/16/16/16/16/16/16/16/b15/rr14 r 1", "a1", &["a3", "b2", "c1"]),
            // Not over two pieces in a row, nor over a piece at a distance, nor over the edge.
            ("16/16/16/16/16/16/16/16/16/16/16/16/16/2r13/16/rbb13 r 1", "a1", &["a2", "b2"]),
            (
                "16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/14rb r 1",
                "o1",
                &["n1", "n2", "o2", "p2"],
            ),
        ]);
    }

    #[test]
    fn a_chain_may_turn_and_may_stop_at_any_of_its_landing_squares() {
        let text = "16/16/16/16/16/16/16/16/16/16/16/16/3b12/2b13/16/rb14 r 1";
        // From c1 nothing can be jumped; with a piece on c2 the chain goes on.
        check(&[(text, "a1", &["a2", "b2", "c1"])]);
        let text = "16/16/16/16/16/16/16/16/16/16/16/16/16/16/2b13/rb14 r 1";
        check(&[(text, "a1", &["a2", "b2", "c1", "c3"])]);
    }

    #[test]
    fn steps_and_jumps_do_not_mix_in_one_ply() {
        // From a1 a step to b1 would make a jump over c1 possible, a jump to a3 a step to b4.
        let text = "16/16/16/16/16/16/16/16/16/16/16/16/16/16/b15/r1b13 r 1";
        check(&[(text, "a1", &["a3", "b1", "b2"])]);
    }

    #[test]
    fn no_chain_ends_where_it_began() {
        // a1-c1-c3-a3 and on over a2 is a circle, in both directions.
        let text = "16/16/16/16/16/16/16/16/16/16/16/16/16/1b14/b1b13/rb14 r 1";
        check(&[(text, "a1", &["a3", "b2", "c1", "c3"])]);
    }

    #[test]
    fn a_chain_may_cross_the_goal_camp_and_leave_it_again() {
        // k2-m2 over l2 into the goal, m2-m4 over m3, m4-k6 over l5 out of it.
        let text = "16/16/16/16/16/16/16/16/16/16/16/11b4/16/12b3/10rb4/16 r 1";
        let reached = destinations(text, "k2");
        for landing in ["m2", "m4", "k6"] {
            assert!(reached.iter().any(|square| square == landing), "{landing} of {reached:?}");
        }
    }

    #[test]
    fn six_men_around_an_empty_corner_are_a_fortress() {
        // Every step and every jump to a16 would come from a square that a blue man holds.
        let men = "1bb13/bb14/b1b13/16/16/16/16/16/16/16/16/16/16/16/16/16 r 1";
        let blue = Halma::read(men, ()).unwrap().board.occupied();
        for square in blue.complement().into_iter().filter(|square| square.to_string() != "a16") {
            let mut moves = Vec::new();
            let red = Squares::NONE.with(square);
            generate(red, red.union(blue), &mut moves);
            assert!(moves.iter().all(|mv| mv.to().to_string() != "a16"), "{square}");
        }
    }

    #[test]
    fn the_printed_chain_is_a_shortest_one_and_the_smallest_of_those() {
        let square = |text: &str| {
            Square::at(text.as_bytes()[0] - b'a', text[1..].parse::<u8>().unwrap() - 1).unwrap()
        };
        let cases = [
            // Two ways round of equal length, a1-a3-c3 and a1-c1-c3.
            ("16/16/16/16/16/16/16/16/16/16/16/16/16/1b14/b1b13/rb14 r 1", "a1", "c3", "a1 a3 c3"),
            // The direct jump is preferred to the way round.
            ("16/16/16/16/16/16/16/16/16/16/16/16/16/1b14/bbb13/rb14 r 1", "a1", "c3", "a1 c3"),
            // Ranks are compared as numbers: c8 comes before c12.
            (
                "16/16/16/16/16/1b1b12/r15/1b1b12/16/16/16/16/16/16/16/16 r 1",
                "a10",
                "e10",
                "a10 c8 e10",
            ),
            // No way there.
            ("16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/rb14 r 1", "a1", "e1", ""),
        ];
        for (text, from, to, expected) in cases {
            let position = Halma::read(text, ()).unwrap();
            let chain = shortest_chain(position.board.occupied(), square(from), square(to));
            let squares = chain.unwrap_or_default();
            let path: Vec<String> = squares.iter().map(Square::to_string).collect();
            assert_eq!(path.join(" "), expected, "{from} to {to} of {text}");
        }
    }
}
