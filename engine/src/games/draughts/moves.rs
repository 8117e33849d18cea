//! The moves: what the side to move may play.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::marker::PhantomData;

use ahash::AHasher;

use super::RuleSet;
use super::board::{Board, Color, Rank};
use super::squares::{Direction, Fan, Square, Squares};

/// A move or a whole capture. Captures that agree in from, to and the captured squares lead to the
/// same position and are the same move, whatever way the piece takes between.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    from: Square,
    to: Square,
    captured: Squares,
}

impl Move {
    /// Where the piece starts.
    pub fn from(self) -> Square {
        self.from
    }

    /// Where the piece ends: in a capture, perhaps where it started, or where a captured piece was.
    pub fn to(self) -> Square {
        self.to
    }

    /// The squares whose pieces are captured.
    pub fn captured(self) -> Squares {
        self.captured
    }

    /// Whether anything is captured.
    pub fn is_capture(self) -> bool {
        !self.captured.is_empty()
    }
}

/// A board as the side to move sees it.
pub(super) struct View<R> {
    color: Color,
    men: Squares,
    kings: Squares,
    enemies: Squares,
    enemy_kings: Squares,
    empty: Squares,
    rules: PhantomData<R>,
}

/// The captures of a position at first sight.
enum Jumps {
    /// Nothing can be captured.
    None,
    /// Only men capture, one piece each, and all of these captures count the same: the squares that
    /// they land on, by the direction of the jump.
    OneEach(Fan),
    /// Which captures are legal has yet to be found out: the pieces that can jump, by direction.
    Many(Fan),
}

impl<R: RuleSet> View<R> {
    pub(super) fn new(board: &Board, color: Color) -> Self {
        let (own, enemies) = (board.of(color), board.of(color.other()));
        Self {
            color,
            men: own - board.kings(),
            kings: own & board.kings(),
            enemies,
            enemy_kings: enemies & board.kings(),
            empty: board.empty(),
            rules: PhantomData,
        }
    }

    /// Appends every legal move to `out`. Capturing is compulsory (4.1).
    pub(super) fn moves(&self, out: &mut Vec<Move>) {
        match self.jumps() {
            Jumps::None => self.quiet_moves(out),
            Jumps::OneEach(landings) => single_captures(landings, out),
            Jumps::Many(jumpers) => self.captures(jumpers, out),
        }
    }

    /// How many legal moves there are, without a list of them where the first sight tells it.
    pub(super) fn count(&self) -> u64 {
        let count = match self.jumps() {
            Jumps::None => {
                let [left, right] = self.color.advance(self.men);
                let steps = (left & self.empty).len() + (right & self.empty).len();
                // In one direction no square is reached by two kings: one would stop the other.
                let slides = self.slides().map_or(0, |slides| slides.within(self.empty).len());
                steps + slides
            }
            Jumps::OneEach(landings) => landings.len(),
            Jumps::Many(jumpers) => {
                let mut captures = Vec::with_capacity(16);
                self.captures(jumpers, &mut captures);
                captures.len() as u32
            }
        };
        u64::from(count)
    }

    /// Looks for the jumps of all pieces at once.
    fn jumps(&self) -> Jumps {
        let takeoffs = takeoffs(self.enemies, self.empty);
        let men = takeoffs.within(self.men);
        if let Some(kings) = self.jumping_kings(&takeoffs) {
            return Jumps::Many(Fan::of(|direction| men[direction] | kings[direction]));
        }
        if men.is_empty() {
            return Jumps::None;
        }
        let victims = Fan::of(|direction| direction.step(men[direction]));
        let landings = Fan::of(|direction| direction.step(victims[direction]));
        // A second jump goes straight on or across: what is behind has just been captured.
        let go_on = Fan::of(|direction| {
            let [left, right] = direction.across();
            landings[direction] & (takeoffs[direction] | takeoffs[left] | takeoffs[right])
        });
        let count_more = victims.union() & self.enemy_kings & R::KINGS_COUNT_MORE;
        if (go_on.union() | count_more).is_empty() {
            Jumps::OneEach(landings)
        } else {
            Jumps::Many(men)
        }
    }

    /// For each direction, the kings and the squares that they can slide to, if there are kings.
    fn slides(&self) -> Option<Fan> {
        let any = !self.kings.is_empty();
        any.then(|| Fan::of(|direction| direction.slides(self.kings, self.empty)))
    }

    /// The kings that stand on a takeoff or can slide to one, if there are such.
    fn jumping_kings(&self, takeoffs: &Fan) -> Option<Fan> {
        let slides = self.slides()?;
        let reached = Fan::of(|direction| slides[direction] & takeoffs[direction]);
        let any = !reached.is_empty();
        any.then(|| {
            Fan::of(|direction| {
                // The first piece on the way back is the king that came.
                let back = direction.opposite();
                let came_by = back.slides(reached[direction], self.empty);
                (reached[direction] | back.step(came_by)) & self.kings
            })
        })
    }

    fn quiet_moves(&self, out: &mut Vec<Move>) {
        let mut add = |from, to| out.push(Move { from, to, captured: Squares::NONE });
        let [left, right] = self.color.advance(self.men).map(|targets| targets & self.empty);
        let [from_left, from_right] =
            [left, right].map(|targets| self.color.other().advance(targets));
        // A step shifts all men alike, so that both sets have the same order. The way back to the
        // right is the second direction of the other color, and so on.
        for (from, to) in (from_left[1] & self.men).into_iter().zip(left) {
            add(from, to);
        }
        for (from, to) in (from_right[0] & self.men).into_iter().zip(right) {
            add(from, to);
        }
        for from in self.kings {
            let pieces = Squares::ALL - self.empty;
            let ways = Fan::of(|direction| direction.way(from, pieces));
            for to in ways.union() & self.empty {
                add(from, to);
            }
        }
    }

    fn captures(&self, jumpers: Fan, out: &mut Vec<Move>) {
        let mut search = Majority::new(self.enemy_kings & R::KINGS_COUNT_MORE, out);
        for direction in Direction::ALL {
            for from in jumpers[direction] & self.men {
                search.start(&self.course(from, Rank::Man), from, direction);
            }
            for from in jumpers[direction] & self.kings {
                search.start(&self.course(from, Rank::King), from, direction);
            }
        }
    }

    /// What the captures of the piece on `from` have to do with. That square is empty meanwhile.
    pub(super) fn course(&self, from: Square, rank: Rank) -> Course<R> {
        let pieces = Squares::ALL - self.empty - from.into();
        Course { rank, enemies: self.enemies, pieces, rules: PhantomData }
    }
}

fn single_captures(landings: Fan, out: &mut Vec<Move>) {
    for direction in Direction::ALL {
        let back = direction.opposite();
        let victims = back.step(landings[direction]);
        // A step shifts all men alike, so that the three sets have the same order.
        let ways = back.step(victims).into_iter().zip(victims).zip(landings[direction]);
        out.extend(ways.map(|((from, victim), to)| Move { from, to, captured: victim.into() }));
    }
}

/// The squares from which a jump in each direction finds an enemy next and an empty square behind.
/// Not all are squares of the board: they are to be met with some that are.
fn takeoffs(enemies: Squares, empty: Squares) -> Fan {
    Fan::of(|direction| {
        let back = direction.opposite();
        back.step(back.step(empty) & enemies)
    })
}

/// The surroundings of one capturing piece.
pub(super) struct Course<R> {
    rank: Rank,
    enemies: Squares,
    pieces: Squares,
    rules: PhantomData<R>,
}

impl<R: RuleSet> Course<R> {
    /// The piece that is jumped in this direction from `at`, when those on `taken` are captured
    /// already, and the squares to land on; no squares when there is no jump.
    #[inline]
    pub(super) fn jump(
        &self,
        direction: Direction,
        at: Square,
        taken: Squares,
    ) -> (Squares, Squares) {
        let in_the_way = self.in_the_way(taken);
        let reach = |from| match self.rank {
            Rank::Man => direction.next(from),
            Rank::King => direction.way(from, in_the_way),
        };
        let victim = reach(at) & (self.enemies - taken);
        match victim.into_iter().next() {
            None => (Squares::NONE, Squares::NONE),
            Some(place) => (victim, reach(place) - in_the_way),
        }
    }

    /// Whether a piece on any of the squares `from` can jump.
    fn goes_on(&self, from: Squares, taken: Squares) -> bool {
        let empty = Squares::ALL - self.in_the_way(taken);
        let takeoffs = takeoffs(self.enemies - taken, empty);
        let reached = match self.rank {
            Rank::Man => Fan::of(|_| from),
            Rank::King => Fan::of(|direction| direction.slides(from, empty)),
        };
        !Fan::of(|direction| reached[direction] & takeoffs[direction]).is_empty()
    }

    fn in_the_way(&self, taken: Squares) -> Squares {
        self.pieces - (taken & R::REMOVED_AT_ONCE)
    }
}

/// The search for the captures that take the most (4.13), over all pieces of the side to move.
struct Majority<'a> {
    /// The victims that decide between captures of the same number.
    count_more: Squares,
    /// The best captures so far are those from `start` on, each worth `best`.
    out: &'a mut Vec<Move>,
    start: usize,
    best: u32,
    /// The captures, whole or not, that have been followed. How one goes on depends on the square
    /// that it has reached and on the captured pieces, not on the way, so once is enough.
    followed: HashSet<Move, BuildHasherDefault<AHasher>>,
}

/// Two ways meet in the same square with the same pieces captured only from this number on: two
/// pieces in the other order are taken along other lines, or leave the capturing piece elsewhere.
const WAYS_MEET_FROM: u32 = 3;

impl<'a> Majority<'a> {
    fn new(count_more: Squares, out: &'a mut Vec<Move>) -> Self {
        let start = out.len();
        Self { count_more, out, start, best: 0, followed: HashSet::default() }
    }

    /// Follows the captures from `from` that begin with a jump in this direction.
    fn start<R: RuleSet>(&mut self, course: &Course<R>, from: Square, direction: Direction) {
        let (captured, landings) = course.jump(direction, from, Squares::NONE);
        self.follow(course, Move { from, to: from, captured }, direction, landings, 1);
    }

    /// Follows a capture of `count` pieces, the last of them in this direction, from each of the
    /// squares that it may land on.
    fn follow<R: RuleSet>(
        &mut self,
        course: &Course<R>,
        so_far: Move,
        direction: Direction,
        mut landings: Squares,
        count: u32,
    ) {
        if count >= WAYS_MEET_FROM {
            let is_new = |&to: &Square| self.followed.insert(Move { to, ..so_far });
            landings = landings.into_iter().filter(is_new).collect();
        }
        let captured = so_far.captured;
        if !course.goes_on(landings, captured) {
            return self.offer(so_far, landings, count);
        }
        let mut ends = landings;
        // Along the line, the same piece is next from all of these squares: one stands for all.
        for along in [direction, direction.opposite()] {
            let Some(at) = landings.into_iter().next() else { break };
            let (victim, next) = course.jump(along, at, captured);
            if !next.is_empty() {
                ends = Squares::NONE;
                let so_far = Move { captured: captured | victim, ..so_far };
                self.follow(course, so_far, along, next, count + 1);
            }
        }
        for at in landings {
            for across in direction.across() {
                let (victim, next) = course.jump(across, at, captured);
                if !next.is_empty() {
                    ends = ends - at.into();
                    let so_far = Move { captured: captured | victim, ..so_far };
                    self.follow(course, so_far, across, next, count + 1);
                }
            }
        }
        self.offer(so_far, ends, count);
    }

    /// Keeps the captures that end on the squares `ends` if none found so far is worth more.
    fn offer(&mut self, capture: Move, ends: Squares, count: u32) {
        // There are at most twenty kings to capture, so the second rule never outweighs the first.
        let worth = count * 32 + (capture.captured & self.count_more).len();
        if worth < self.best || ends.is_empty() {
            return;
        }
        if worth > self.best {
            self.best = worth;
            self.out.truncate(self.start);
        }
        self.out.extend(ends.into_iter().map(|to| Move { to, ..capture }));
    }
}
