//! Draughts on 10×10 squares, on one page: the rules of the Ply Yard site and those of the FMJD.
//!
//! Both are the same game but for the constants and counters of a [`RuleSet`]. Numbers like (4.13)
//! are articles of the official FMJD rules of international draughts, annex 1.
//!
//! ```
//! use yardmaster::games::draughts::{Draughts, Fmjd};
//! use yardmaster::position::Position;
//!
//! let position = Draughts::<Fmjd>::read("W:W26:B12,K21,31,32", ()).unwrap();
//! let mut moves = Vec::new();
//! position.moves(&mut moves);
//! let texts: Vec<String> = moves.into_iter().map(|mv| position.move_text(mv)).collect();
//! assert_eq!(texts, ["26x17x8", "26x37x28"]);
//! ```

pub mod bitbase;
mod board;
mod eval;
mod exchanges;
pub mod hub;
mod moves;
mod patterns;
pub mod pdn;
mod squares;
mod text;

use std::fmt::Debug;

use crate::position::{Horizon, Key, MoveError, Ordered, Outcome, Position, Rules, Side, Weight};

pub use board::{Board, Color, Rank};
pub use eval::{Evaluation, Learned};
pub use moves::Move;
pub use squares::{Direction, Iter, Square, Squares};
pub use text::PositionError;

use moves::{Sink, Urgency, View};

/// What the two rule sets differ in.
pub trait RuleSet: Copy + Eq + Debug + Send + Sync + 'static {
    /// What may be set within the rule set.
    type Rules: Rules;

    /// Who moves first in the start position.
    const FIRST: Color;

    /// The captured pieces that are gone while the capture still goes on: all or none.
    const REMOVED_AT_ONCE: Squares;

    /// Where a captured king counts for more among captures of the same number: everywhere or
    /// nowhere.
    const KINGS_COUNT_MORE: Squares;

    /// See [`Position::REPETITION_DRAW`].
    const REPETITION_DRAW: Option<usize>;

    /// Whether such a move, not being a capture, sets the counter of idle plies back to 0.
    fn is_progress(change: Change) -> bool;

    /// The ending that the rule set limits, if `board` shows one.
    fn ending(board: &Board) -> Option<Ending>;

    /// The counters that may draw the game in this position.
    fn clocks(position: &Draughts<Self>) -> [Option<Clock>; 2];
}

/// What a move that captures nothing does to the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Change {
    /// A king moves.
    King,
    /// A man moves and stays one.
    Man,
    /// A man becomes a king.
    Promotion,
}

/// Material with which the weaker side may hold out for a limited number of plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// One king against three pieces with at least one king.
    OneAgainstThree,
    /// One king against at most two pieces with at least one king.
    OneAgainstTwo,
}

impl Ending {
    /// The plies that draw.
    fn limit(self) -> u16 {
        match self {
            // (6.3): 16 moves of each side.
            Self::OneAgainstThree => 32,
            // (6.4): 5 moves of each side.
            Self::OneAgainstTwo => 10,
        }
    }
}

/// A counter that draws the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// The plies that it has counted.
    pub plies: u16,
    /// The plies that draw.
    pub limit: u16,
    /// What the rule book calls the draw.
    pub reason: &'static str,
}

/// The rules of the site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Site;

impl RuleSet for Site {
    type Rules = SiteRules;
    const FIRST: Color = Color::Black;
    const REMOVED_AT_ONCE: Squares = Squares::ALL;
    const KINGS_COUNT_MORE: Squares = Squares::ALL;
    const REPETITION_DRAW: Option<usize> = None;

    fn is_progress(change: Change) -> bool {
        change == Change::Promotion
    }

    fn ending(_board: &Board) -> Option<Ending> {
        None
    }

    fn clocks(position: &Draughts<Self>) -> [Option<Clock>; 2] {
        let limit = position.rules.no_progress_plies;
        let clock = Clock { plies: position.idle, limit, reason: "no capture and no promotion" };
        [Some(clock).filter(|_| limit > 0), None]
    }
}

/// What may be set in the rules of the site.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SiteRules {
    no_progress_plies: u16,
}

impl Default for SiteRules {
    /// A hundred plies: the site says "a long time".
    fn default() -> Self {
        Self { no_progress_plies: 100 }
    }
}

impl Rules for SiteRules {
    fn with_no_progress_plies(self, plies: u16) -> Self {
        Self { no_progress_plies: plies }
    }
}

/// The rules of the FMJD, the world draughts federation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fmjd;

impl RuleSet for Fmjd {
    type Rules = ();
    const FIRST: Color = Color::White;
    /// (4.8), (4.11)
    const REMOVED_AT_ONCE: Squares = Squares::NONE;
    /// (4.14)
    const KINGS_COUNT_MORE: Squares = Squares::NONE;
    /// (6.1)
    const REPETITION_DRAW: Option<usize> = Some(3);

    fn is_progress(change: Change) -> bool {
        change != Change::King
    }

    #[inline]
    fn ending(board: &Board) -> Option<Ending> {
        // A glance tells nearly every position from an ending: each side has a king there.
        if board.kings().is_empty() {
            return None;
        }
        let [white, black] = Color::ALL.map(|color| board.of(color));
        if !white.meets(board.kings()) || !black.meets(board.kings()) {
            return None;
        }
        ending_of(white, black)
    }

    fn clocks(position: &Draughts<Self>) -> [Option<Clock>; 2] {
        // (6.2): 25 moves of each side.
        let kings = Clock { plies: position.idle, limit: 50, reason: "25 moves of kings only" };
        let plies = position.ending_plies;
        let ending = Self::ending(&position.board).map(|ending| {
            let reason = match ending {
                Ending::OneAgainstThree => "one king against three pieces",
                Ending::OneAgainstTwo => "one king against two pieces",
            };
            Clock { plies, limit: ending.limit(), reason }
        });
        [Some(kings), ending]
    }
}

/// The ending of two sides that both have a king. Out of the way of all other positions.
#[cold]
#[inline(never)]
fn ending_of(white: Squares, black: Squares) -> Option<Ending> {
    let (few, many) = if white.has_at_most(1) { (white, black) } else { (black, white) };
    match few.has_at_most(1) {
        true if many.has_at_most(2) => Some(Ending::OneAgainstTwo),
        true if many.has_at_most(3) => Some(Ending::OneAgainstThree),
        _ => None,
    }
}

/// A position of draughts.
#[derive(Clone, Copy, Debug)]
pub struct Draughts<R: RuleSet> {
    board: Board,
    color: Color,
    /// Plies since the last capture or other progress.
    idle: u16,
    /// Plies since the material of a limited ending arose; 0 outside of one. Neither a capture nor
    /// a move of a man that leaves the ending the same sets it back.
    ending_plies: u16,
    /// Counts the moves of the second player, from 1.
    number: u16,
    rules: R::Rules,
}

/// Positions are equal when their texts are. The plies of an ending belong, like repetition, to the
/// history of a game: a text does not tell them.
impl<R: RuleSet> PartialEq for Draughts<R> {
    fn eq(&self, other: &Self) -> bool {
        let told = |position: &Self| {
            (position.board, position.color, position.idle, position.number, position.rules)
        };
        told(self) == told(other)
    }
}

impl<R: RuleSet> Eq for Draughts<R> {}

impl<R: RuleSet> Draughts<R> {
    fn new(board: Board, color: Color, idle: u16, number: u16, rules: R::Rules) -> Self {
        // The idle plies were certainly played with this material, if perhaps not all of its plies.
        let ending_plies = R::ending(&board).map_or(0, |_| idle);
        Self { board, color, idle, ending_plies, number, rules }
    }

    /// Which piece stands where.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The color of the side to move.
    pub fn color_to_move(&self) -> Color {
        self.color
    }

    /// Whether a man ends its move on the last row; to pass it in a capture is not enough (4.15).
    fn promotes(&self, mv: Move) -> bool {
        mv.rank() == Rank::Man && self.color.last_row().contains(mv.to())
    }

    /// [`Position::successors`], color by color.
    #[inline(always)]
    fn make_moves(&self, visit: impl FnMut(&Self)) {
        View::<R>::new(&self.board, self.color).moves(&mut Successors { before: self, visit });
    }

    /// The counter that has drawn the game.
    #[inline]
    fn expired(&self) -> Option<Clock> {
        if !self.is_counting() {
            return None;
        }
        R::clocks(self).into_iter().flatten().find(|clock| clock.plies >= clock.limit)
    }

    /// Whether any counter stands above 0.
    #[inline]
    fn is_counting(&self) -> bool {
        self.idle > 0 || self.ending_plies > 0
    }

    fn side_of(color: Color) -> Side {
        if color == R::FIRST { Side::First } else { Side::Second }
    }

    fn color_of(side: Side) -> Color {
        match side {
            Side::First => R::FIRST,
            Side::Second => R::FIRST.other(),
        }
    }
}

impl<R: RuleSet> Position for Draughts<R> {
    type Move = Move;
    type Event = Move;
    type Rules = R::Rules;
    type ReadError = PositionError;

    const REPETITION_DRAW: Option<usize> = R::REPETITION_DRAW;

    fn start(rules: Self::Rules) -> Self {
        let mut board = Board::default();
        for square in Squares::ALL {
            match square.number() {
                1..=20 => board.put(Color::Black, Rank::Man, square),
                31..=50 => board.put(Color::White, Rank::Man, square),
                _ => (),
            }
        }
        Self::new(board, R::FIRST, 0, 1, rules)
    }

    fn read(text: &str, rules: Self::Rules) -> Result<Self, PositionError> {
        text::read_position(text, rules)
    }

    fn side_to_move(&self) -> Side {
        Self::side_of(self.color)
    }

    fn side_name(&self, side: Side) -> &'static str {
        Self::color_of(side).name()
    }

    fn moves(&self, out: &mut Vec<Move>) {
        View::<R>::new(&self.board, self.color).moves(out);
    }

    fn events(&self, mv: Move) -> impl Iterator<Item = (Move, Weight)> {
        std::iter::once((mv, Weight(1)))
    }

    fn sole_event(&self, mv: Move) -> Option<Move> {
        Some(mv)
    }

    #[inline(always)]
    fn after(&self, mv: Move) -> Self {
        let (board, change) = self.board.after(self.color, mv);
        let is_progress = mv.is_capture() || R::is_progress(change);
        let idle = if is_progress { 0 } else { self.idle.saturating_add(1) };
        let ending_plies = match R::ending(&board) {
            None => 0,
            ending if ending == R::ending(&self.board) => self.ending_plies.saturating_add(1),
            Some(_) => 0,
        };
        let color = self.color.other();
        let number = self.number.saturating_add(u16::from(color == R::FIRST));
        Self { board, color, idle, ending_plies, number, rules: self.rules }
    }

    #[inline(always)]
    fn successors(&self, visit: impl FnMut(&Self)) {
        // Each color has code of its own, so that no move asks for the color again.
        match self.color {
            Color::White => Self { color: Color::White, ..*self }.make_moves(visit),
            Color::Black => Self { color: Color::Black, ..*self }.make_moves(visit),
        }
    }

    #[inline(always)]
    fn count_events(&self) -> u64 {
        View::<R>::new(&self.board, self.color).count()
    }

    fn outcome(&self, moves: &[Move]) -> Option<Outcome> {
        // Be its pieces captured or blocked, and be a counter at its limit or not.
        if moves.is_empty() {
            let winner = Some(self.side_to_move().other());
            return Some(Outcome { winner, reason: "no legal move" });
        }
        self.expired().map(|clock| Outcome { winner: None, reason: clock.reason })
    }

    fn key(&self) -> Key {
        self.board.key(self.color)
    }

    fn reversible_plies(&self) -> usize {
        usize::from(self.idle)
    }

    fn plies_left(&self) -> u32 {
        // A game begins with forty pieces and takes some ninety plies; endings take their time.
        10 + 2 * self.board.occupied().len()
    }

    fn mirrored(&self) -> Self {
        Self { board: self.board.mirrored(), color: self.color.other(), ..*self }
    }

    fn picture(&self) -> String {
        text::picture(&self.board)
    }

    fn move_text(&self, mv: Move) -> String {
        text::move_text(self, mv)
    }

    fn event_text(&self, event: Move) -> String {
        self.move_text(event)
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        text::read_move(self, text)
    }

    fn read_event(&self, text: &str) -> Result<Move, MoveError> {
        self.read_move(text)
    }
}

/// Makes the moves that it is handed.
struct Successors<'a, R: RuleSet, F> {
    before: &'a Draughts<R>,
    visit: F,
}

impl<R: RuleSet, F: FnMut(&Draughts<R>)> Sink for Successors<'_, R, F> {
    #[inline(always)]
    fn take(&mut self, mv: Move) {
        (self.visit)(&self.before.after(mv));
    }
}

/// The plies to a draw that a search may see, far more than it looks ahead in most positions.
const DRAW_IN_SIGHT: u16 = 40;

impl<R: RuleSet> Ordered for Draughts<R> {
    const SLOTS: usize = Square::COUNT as usize * Square::COUNT as usize;

    const PROBCUT: bool = true;

    const TRUSTS_ORDER: bool = true;

    fn slot(mv: Move) -> u16 {
        let [from, to] = [mv.from(), mv.to()].map(|square| u16::from(square.number() - 1));
        from * u16::from(Square::COUNT) + to
    }

    fn is_tactical(&self, mv: Move) -> bool {
        mv.is_capture() || self.promotes(mv)
    }

    /// What is offered has to be captured (4.1).
    #[inline]
    fn must_react(&self) -> bool {
        View::<R>::new(&self.board, self.color).can_capture()
    }

    /// In hundredths of a man: what is captured and promoted, and the rows that a man goes ahead.
    fn promise(&self, mv: Move) -> i32 {
        const MAN: i32 = 100;
        const KING: i32 = 300;
        const ROW: i32 = 2;
        let kings = (mv.captured() & self.board.kings()).len() as i32;
        let men = mv.captured().len() as i32 - kings;
        let rows = match mv.rank() {
            Rank::King => 0,
            Rank::Man => (i32::from(mv.from().row()) - i32::from(mv.to().row())).abs(),
        };
        men * MAN + kings * KING + i32::from(self.promotes(mv)) * (KING - MAN) + rows * ROW
    }

    fn is_quiet(&self, moves: &[Move]) -> bool {
        // Either all moves are captures or none is (4.1).
        !moves.first().is_some_and(|mv| mv.is_capture())
    }

    #[inline]
    fn horizon(&self, out: &mut Vec<Move>) -> Horizon {
        match View::<R>::new(&self.board, self.color).urgent_moves(out) {
            Urgency::Quiet if self.expired().is_none() => Horizon::Settled,
            Urgency::Quiet => {
                out.clear();
                self.moves(out);
                Horizon::Unsettled
            }
            Urgency::Captures | Urgency::Stuck => Horizon::Unsettled,
        }
    }

    /// Exchanges, at the horizon alone.
    fn gains(&self, is_beyond: bool, out: &mut Vec<Move>) {
        let enemy = View::<R>::new(&self.board, self.color.other());
        if is_beyond || !self.board.kings().is_empty() || enemy.can_capture() {
            return;
        }
        let exchanges = exchanges::exchanges(&self.board, self.color);
        View::<R>::new(&self.board, self.color).steps_on(exchanges, out);
    }

    /// Equal boards with another number of plies to a draw are other positions as soon as the draw
    /// is in sight. Every ply of the counter counts: a coarser key would let one of them pass for
    /// the other at the very end, where a single ply tells a win from a draw.
    #[inline]
    fn table_key(&self) -> Key {
        if !self.is_counting() {
            return self.key();
        }
        let clocks = R::clocks(self).into_iter().flatten().zip(1..);
        let in_sight =
            clocks.filter(|(clock, _)| clock.plies.saturating_add(DRAW_IN_SIGHT) >= clock.limit);
        in_sight.fold(self.key(), |Key(key), (clock, which)| {
            Key(key ^ board::mixed(u64::from(clock.plies) << 2 | which))
        })
    }
}
