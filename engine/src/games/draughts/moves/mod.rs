//! The moves: what the side to move may play.

mod captures;

use std::marker::PhantomData;

use captures::{Found, Majority};

pub(super) use captures::Course;

use super::RuleSet;
use super::board::{Board, Color, Rank};
use super::squares::{Direction, Fan, Square, Squares};

/// A move or a whole capture. Captures that agree in from, to and the captured squares lead to the
/// same position and are the same move, whatever way the piece takes between.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Move {
    rank: Rank,
    from: Square,
    to: Square,
    captured: Squares,
}

impl Move {
    /// What moves, a man or a king.
    pub fn rank(self) -> Rank {
        self.rank
    }

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

/// What the side to move may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Urgency {
    /// It must capture.
    Captures,
    /// It makes a quiet move.
    Quiet,
    /// It has no move.
    Stuck,
}

/// The captures of a position at first sight.
#[derive(Clone, Copy)]
enum Jumps {
    /// Nothing can be captured.
    None,
    /// Only men capture, one piece each, and all of these captures count the same: the squares that
    /// they land on, by the direction of the jump.
    OneEach(Fan),
    /// Only men capture, two pieces each, and all of these captures count the same.
    TwoEach {
        /// The squares between the two jumps, by the direction of the first.
        between: Fan,
        /// The squares from which a jump is possible, by its direction.
        takeoffs: Fan,
    },
    /// Which captures are legal has yet to be found out: the pieces that can jump, by direction,
    /// perhaps without some whose captures are worth too little.
    Many(Fan),
}

impl<R: RuleSet> View<R> {
    #[inline]
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

    /// Hands every legal move to `sink`. Capturing is compulsory (4.1).
    #[inline(always)]
    pub(super) fn moves(&self, sink: &mut impl Sink) {
        match self.jumps() {
            Jumps::None => self.quiet_moves(sink),
            jumps => self.take_captures(jumps, sink),
        }
    }

    /// Hands the captures to `sink`, or else the promotions, and tells what there is.
    #[inline(always)]
    pub(super) fn urgent_moves(&self, sink: &mut impl Sink) -> Urgency {
        match self.jumps() {
            Jumps::None if self.is_stuck() => Urgency::Stuck,
            Jumps::None => {
                self.steps_to(self.color.last_row(), sink);
                Urgency::Quiet
            }
            jumps => {
                self.take_captures(jumps, sink);
                Urgency::Captures
            }
        }
    }

    #[inline(always)]
    fn take_captures(&self, jumps: Jumps, sink: &mut impl Sink) {
        match jumps {
            Jumps::None => (),
            Jumps::OneEach(landings) => single_captures(landings, sink),
            Jumps::TwoEach { between, takeoffs } => double_captures(between, takeoffs, sink),
            Jumps::Many(jumpers) => {
                for mv in self.captures(jumpers, Vec::with_capacity(16)) {
                    sink.take(mv);
                }
            }
        }
    }

    /// Whether the legal moves are captures.
    pub(super) fn can_capture(&self) -> bool {
        let takeoffs = takeoffs(self.enemies, self.empty);
        let king_jumps = |slides: Fan| Fan::of(|direction| slides[direction] & takeoffs[direction]);
        !takeoffs.within(self.men).is_empty()
            || self.slides().is_some_and(|slides| !king_jumps(slides).is_empty())
    }

    /// Whether no piece can take a quiet step.
    #[inline(always)]
    fn is_stuck(&self) -> bool {
        let [left, right] = self.color.advance(self.men);
        !(left | right).meets(self.empty)
            && !Fan::of(|direction| direction.step(self.kings)).union().meets(self.empty)
    }

    /// How many legal moves there are, without a list of them where the first sight tells it.
    #[inline(always)]
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
            Jumps::TwoEach { between, takeoffs } => {
                let mut count = 0;
                double_captures(between, takeoffs, &mut count);
                count
            }
            Jumps::Many(jumpers) => self.captures(jumpers, 0),
        };
        u64::from(count)
    }

    /// Looks for the jumps of all pieces at once.
    #[inline(always)]
    fn jumps(&self) -> Jumps {
        let takeoffs = takeoffs(self.enemies, self.empty);
        let men = takeoffs.within(self.men);
        if self.kings.is_empty() && men.is_empty() {
            return Jumps::None;
        }
        if let Some(kings) = self.jumping_kings(&takeoffs) {
            return Jumps::Many(Fan::of(|direction| men[direction] | kings[direction]));
        }
        if men.is_empty() {
            return Jumps::None;
        }
        let decisive = self.enemy_kings & R::KINGS_COUNT_MORE;
        let victims = men.one_step_on();
        let landings = victims.one_step_on();
        let between = going_on(&landings, &takeoffs);
        if between.is_empty() {
            return if victims.union().meets(decisive) {
                Jumps::Many(men)
            } else {
                Jumps::OneEach(landings)
            };
        }
        // Whoever captures one piece only is behind: two come before one (4.13). No second jump
        // leads back: the man has not left its square yet.
        let second_victims = takeoffs.within(between.union()).one_step_on();
        let third = going_on(&second_victims.one_step_on(), &takeoffs);
        if !third.is_empty() || (victims.union() | second_victims.union()).meets(decisive) {
            return Jumps::Many(Fan::of(|direction| {
                let back = direction.opposite();
                back.step(back.step(between[direction]))
            }));
        }
        Jumps::TwoEach { between, takeoffs }
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
                if reached[direction].is_empty() {
                    return Squares::NONE;
                }
                // The first piece on the way back is the king that came.
                let back = direction.opposite();
                let came_by = back.slides(reached[direction], self.empty);
                (reached[direction] | back.step(came_by)) & self.kings
            })
        })
    }

    #[inline(always)]
    fn quiet_moves(&self, sink: &mut impl Sink) {
        let captured = Squares::NONE;
        self.steps_to(Squares::ALL, sink);
        for from in self.kings {
            let pieces = Squares::ALL - self.empty;
            let ways = Fan::of(|direction| direction.way(from, pieces));
            for to in ways.union() & self.empty {
                sink.take(Move { rank: Rank::King, from, to, captured });
            }
        }
    }

    /// The steps of men to those of the `goals` that are empty.
    #[inline(always)]
    fn steps_to(&self, goals: Squares, sink: &mut impl Sink) {
        self.steps_on(self.color.advance(self.men).map(|steps| steps & self.empty & goals), sink);
    }

    /// The steps of men to squares, by the direction ahead.
    #[inline(always)]
    pub(super) fn steps_on(&self, squares: [Squares; 2], sink: &mut impl Sink) {
        let captured = Squares::NONE;
        for (direction, squares) in self.color.ahead().into_iter().zip(squares) {
            for to in squares {
                sink.take(Move { rank: Rank::Man, from: direction.before(to), to, captured });
            }
        }
    }

    fn captures<F: Found>(&self, jumpers: Fan, found: F) -> F {
        let mut search = Majority::new(self.enemy_kings & R::KINGS_COUNT_MORE, found);
        for direction in Direction::ALL {
            for from in jumpers[direction] & self.men {
                let course = self.course(from, Rank::Man);
                let (captured, next) = course.man_jump(direction, from.into(), Squares::NONE);
                let so_far = Move { rank: Rank::Man, from, to: from, captured };
                search.follow_man(&course, so_far, next, 1);
            }
            for from in jumpers[direction] & self.kings {
                let course = self.course(from, Rank::King);
                let (captured, next) = course.king_jump(direction, from, Squares::NONE);
                let so_far = Move { rank: Rank::King, from, to: from, captured };
                search.follow_king(&course, so_far, direction, next, 1);
            }
        }
        search.found
    }

    /// What the captures of the piece on `from` have to do with. That square is empty meanwhile.
    pub(super) fn course(&self, from: Square, rank: Rank) -> Course<R> {
        let pieces = Squares::ALL - self.empty - from.into();
        Course { rank, enemies: self.enemies, pieces, rules: PhantomData }
    }
}

#[inline(always)]
fn single_captures(landings: Fan, sink: &mut impl Sink) {
    for direction in Direction::ALL {
        for to in landings[direction] {
            let victim = direction.before(to);
            let from = direction.before(victim);
            sink.take(Move { rank: Rank::Man, from, to, captured: victim.into() });
        }
    }
}

#[inline(always)]
fn double_captures(between: Fan, takeoffs: Fan, sink: &mut impl Sink) {
    for first in Direction::ALL {
        if between[first].is_empty() {
            continue;
        }
        for second in Direction::ALL {
            let back = second.opposite();
            for at in between[first] & takeoffs[second] {
                let victims = [first.before(at), back.before(at)];
                let [from, to] = [first.before(victims[0]), back.before(victims[1])];
                let captured = victims.into_iter().collect();
                sink.take(Move { rank: Rank::Man, from, to, captured });
            }
        }
    }
}

/// Those of the squares where men have landed, by direction, from which they jump again: straight on
/// or across, since what is behind has just been captured.
#[inline(always)]
fn going_on(landings: &Fan, takeoffs: &Fan) -> Fan {
    Fan::of(|direction| {
        let [left, right] = direction.across();
        landings[direction] & (takeoffs[direction] | takeoffs[left] | takeoffs[right])
    })
}

/// The squares from which a jump in each direction finds an enemy next and an empty square behind.
/// Not all are squares of the board: they are to be met with some that are.
fn takeoffs(enemies: Squares, empty: Squares) -> Fan {
    Fan::of(|direction| {
        let back = direction.opposite();
        back.step(back.step(empty) & enemies)
    })
}

/// What becomes of the legal moves.
pub(super) trait Sink {
    /// The next one.
    fn take(&mut self, mv: Move);
}

/// A list.
impl Sink for Vec<Move> {
    #[inline]
    fn take(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// A count.
impl Sink for u32 {
    #[inline]
    fn take(&mut self, _mv: Move) {
        *self += 1;
    }
}
