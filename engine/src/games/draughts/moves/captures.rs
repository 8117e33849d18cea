//! The captures that take the most.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::marker::PhantomData;

use ahash::AHasher;

use super::super::RuleSet;
use super::super::board::Rank;
use super::super::squares::{Direction, Fan, Square, Squares};
use super::{Move, takeoffs};

/// The surroundings of one capturing piece.
pub(in super::super) struct Course<R> {
    pub(super) rank: Rank,
    pub(super) enemies: Squares,
    pub(super) pieces: Squares,
    pub(super) rules: PhantomData<R>,
}

impl<R: RuleSet> Course<R> {
    /// The piece that is jumped in this direction from `at`, when those on `taken` are captured
    /// already, and the squares to land on; no squares when there is no jump.
    pub(in super::super) fn jump(
        &self,
        direction: Direction,
        at: Square,
        taken: Squares,
    ) -> (Squares, Squares) {
        match self.rank {
            Rank::Man => self.man_jump(direction, at.into(), taken),
            Rank::King => self.king_jump(direction, at, taken),
        }
    }

    /// The same for a man, or for several at once.
    #[inline]
    pub(super) fn man_jump(
        &self,
        direction: Direction,
        at: Squares,
        taken: Squares,
    ) -> (Squares, Squares) {
        let victims = direction.step(at) & (self.enemies - taken);
        let landings = direction.step(victims) & (Squares::ALL - self.in_the_way(taken));
        (victims, landings)
    }

    #[inline]
    pub(super) fn king_jump(
        &self,
        direction: Direction,
        at: Square,
        taken: Squares,
    ) -> (Squares, Squares) {
        let in_the_way = self.in_the_way(taken);
        let victim = direction.way(at, in_the_way) & (self.enemies - taken);
        match victim.into_iter().next() {
            None => (Squares::NONE, Squares::NONE),
            Some(place) => (victim, direction.way(place, in_the_way) - in_the_way),
        }
    }

    /// Whether a king on any of the squares `from` can jump.
    fn king_goes_on(&self, from: Squares, taken: Squares) -> bool {
        let empty = Squares::ALL - self.in_the_way(taken);
        let takeoffs = takeoffs(self.enemies - taken, empty);
        !Fan::of(|direction| direction.slides(from, empty) & takeoffs[direction]).is_empty()
    }

    #[inline]
    fn in_the_way(&self, taken: Squares) -> Squares {
        self.pieces - (taken & R::REMOVED_AT_ONCE)
    }
}

/// What becomes of the captures that are found.
pub(super) trait Found {
    /// All that were found so far are worth less than the next.
    fn forget(&mut self);

    /// A capture that may end on each of the squares `ends`.
    fn add(&mut self, capture: Move, ends: Squares);
}

/// A list.
impl Found for Vec<Move> {
    fn forget(&mut self) {
        self.clear();
    }

    fn add(&mut self, capture: Move, ends: Squares) {
        self.extend(ends.into_iter().map(|to| Move { to, ..capture }));
    }
}

/// A count.
impl Found for u32 {
    fn forget(&mut self) {
        *self = 0;
    }

    fn add(&mut self, _capture: Move, ends: Squares) {
        *self += ends.len();
    }
}

/// The search for the captures that take the most (4.13), over all pieces of the side to move.
pub(super) struct Majority<F> {
    /// The victims that decide between captures of the same number.
    count_more: Squares,
    /// The captures so far that are worth `best`, the most.
    pub(super) found: F,
    best: u32,
    /// The captures, whole or not, that have been followed. How one goes on depends on the square
    /// that it has reached and on the captured pieces, not on the way, so once is enough.
    followed: HashSet<Move, BuildHasherDefault<AHasher>>,
}

/// Two ways of a king meet in the same square with the same pieces captured only from this number
/// on: two pieces in the other order are taken along other lines, or leave the king elsewhere.
const WAYS_OF_KINGS_MEET_FROM: u32 = 3;

/// The same for men, who come back to a square only round four pieces.
const WAYS_OF_MEN_MEET_FROM: u32 = 4;

impl<F: Found> Majority<F> {
    pub(super) fn new(count_more: Squares, found: F) -> Self {
        Self { count_more, found, best: 0, followed: HashSet::default() }
    }

    /// Follows the capture of a man that has come to the square `at` with `count` pieces captured.
    pub(super) fn follow_man<R: RuleSet>(
        &mut self,
        course: &Course<R>,
        so_far: Move,
        at: Squares,
        count: u32,
    ) {
        if count >= WAYS_OF_MEN_MEET_FROM && self.know(so_far, at).is_empty() {
            return;
        }
        let mut ends = at;
        for direction in Direction::ALL {
            let (victim, next) = course.man_jump(direction, at, so_far.captured);
            if !next.is_empty() {
                ends = Squares::NONE;
                let so_far = Move { captured: so_far.captured | victim, ..so_far };
                self.follow_man(course, so_far, next, count + 1);
            }
        }
        self.offer(so_far, ends, count);
    }

    /// Follows a king's capture of `count` pieces, the last of them in this direction, from each of
    /// the squares that it may land on.
    pub(super) fn follow_king<R: RuleSet>(
        &mut self,
        course: &Course<R>,
        so_far: Move,
        direction: Direction,
        mut landings: Squares,
        count: u32,
    ) {
        if count >= WAYS_OF_KINGS_MEET_FROM {
            landings = self.know(so_far, landings);
        }
        let captured = so_far.captured;
        if !course.king_goes_on(landings, captured) {
            return self.offer(so_far, landings, count);
        }
        let mut ends = landings;
        // Along the line, the same piece is next from all of these squares: one stands for all.
        for along in [direction, direction.opposite()] {
            let Some(at) = landings.into_iter().next() else { break };
            let (victim, next) = course.king_jump(along, at, captured);
            if !next.is_empty() {
                ends = Squares::NONE;
                let so_far = Move { captured: captured | victim, ..so_far };
                self.follow_king(course, so_far, along, next, count + 1);
            }
        }
        for at in landings {
            for across in direction.across() {
                let (victim, next) = course.king_jump(across, at, captured);
                if !next.is_empty() {
                    ends = ends - at.into();
                    let so_far = Move { captured: captured | victim, ..so_far };
                    self.follow_king(course, so_far, across, next, count + 1);
                }
            }
        }
        self.offer(so_far, ends, count);
    }

    /// The squares on which the capture has not been met before; from now on it has.
    fn know(&mut self, so_far: Move, squares: Squares) -> Squares {
        squares.into_iter().filter(|&to| self.followed.insert(Move { to, ..so_far })).collect()
    }

    /// Keeps the captures that end on the squares `ends` if none found so far is worth more.
    fn offer(&mut self, capture: Move, ends: Squares, count: u32) {
        // There are at most twenty kings to capture, so the second rule never outweighs the first.
        if ends.is_empty() {
            return;
        }
        let kings = capture.captured & self.count_more;
        let worth = count * 32 + if kings.is_empty() { 0 } else { kings.len() };
        if worth < self.best {
            return;
        }
        if worth > self.best {
            self.best = worth;
            self.found.forget();
        }
        self.found.add(capture, ends);
    }
}
