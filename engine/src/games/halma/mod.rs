//! Halma on 16×16 squares for two players with 19 pieces each: the rules on one page.
//!
//! Red starts in the north-west camp and moves first, Blue starts in the south-east camp. In one ply
//! a piece makes a step to an empty neighbor, or a chain of jumps, each over exactly one adjacent
//! piece of either side to the empty square right behind it. Nothing is captured. A side wins at
//! once when its 19 pieces fill the camp in which the other side started. There is no draw.
//!
//! ```
//! use yardmaster::games::halma::Halma;
//! use yardmaster::position::Position;
//!
//! let start = Halma::start(());
//! let chain = start.read_move("d16f14").unwrap();
//! assert_eq!(
//!     start.after(chain).to_string(),
//!     "rrr1r11/rrrrr11/rrrr1r10/rrr13/rr14/16/16/16/16/16/16/14bb/13bbb/12bbbb/11bbbbb/11bbbbb b 2",
//! );
//! ```

mod advance;
mod board;
mod eval;
mod moves;
pub mod race;
mod text;

use std::iter;

pub use self::board::{ARMY, Square, Squares, SquaresIter, WIDTH, camp};
pub use self::eval::Evaluation;
pub use self::moves::Move;
pub use self::text::HalmaError;

use self::advance::{Advance, STEP};
use self::board::Board;
use crate::position::{Key, MoveError, Ordered, Outcome, Position, Side, Weight};

/// The files and ranks that a step takes a piece back at most.
const FAR_BACK: i32 = 2;

/// What a move hardly ahead promises, in hundredths, and how many moves that promise more are plenty.
const HARDLY: i32 = 160;
const PLENTY: usize = 20;

/// What a move promises that fills the goal: more than any other, in hundredths.
const WIN: i32 = 1 << 20;

/// A position of halma.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Halma {
    board: Board,
    /// How far the armies have come, each seen from its own camp.
    advances: [Advance; 2],
    to_move: Side,
    /// The number of the next ply, from 1.
    ply: u32,
}

impl Halma {
    fn new(board: Board, to_move: Side, ply: u32) -> Self {
        let [red, blue] = [board.army(Side::First), board.army(Side::Second).rotated()];
        Self { board, advances: [red, blue].map(Advance::of), to_move, ply }
    }

    /// The squares of a side's pieces.
    pub fn army(&self, side: Side) -> Squares {
        self.board.army(side)
    }

    /// The same board with `side` to move.
    #[must_use]
    pub fn with_side_to_move(mut self, side: Side) -> Self {
        self.to_move = side;
        self
    }

    /// The number of the next ply, 1 at the start.
    pub fn ply(&self) -> u32 {
        self.ply
    }

    /// About how much less the army of the side to move costs by itself after a move, in hundredths.
    fn relief(&self, from: Square, to: Square) -> i32 {
        self.worth(to) - self.worth(from)
    }

    /// What a man is worth to the army of the side to move on a square, in hundredths.
    fn worth(&self, square: Square) -> i32 {
        let worths = self.advances[self.to_move.index()].worths();
        let square = match self.to_move {
            Side::First => square,
            Side::Second => square.rotated(),
        };
        i32::from(worths[usize::from(square.index())])
    }

    /// What the side to move has to fill.
    fn goal(&self) -> Squares {
        camp(self.to_move.other())
    }

    /// The side whose pieces fill its goal.
    ///
    /// In a game only the side that has just moved can have filled it. A position that is read may
    /// show both camps filled, or that of the side to move: who has just moved is asked first.
    fn winner(&self) -> Option<Side> {
        let fills_goal = |side: &Side| self.army(*side).contains_all(camp(side.other()));
        [self.to_move.other(), self.to_move].into_iter().find(fills_goal)
    }
}

impl Position for Halma {
    type Move = Move;
    type Event = Move;
    type Rules = ();
    type ReadError = HalmaError;

    fn start((): ()) -> Self {
        let armies = [camp(Side::First), camp(Side::Second)];
        Self::new(Board::with_armies(armies), Side::First, 1)
    }

    fn read(text: &str, (): ()) -> Result<Self, HalmaError> {
        text::read_position(text)
    }

    fn side_to_move(&self) -> Side {
        self.to_move
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "red",
            Side::Second => "blue",
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        if self.winner().is_some() {
            return;
        }
        let listed = out.len();
        moves::generate(self.army(self.to_move), self.board.occupied(), out);
        if out.len() == listed {
            out.push(Move::PASS);
        }
    }

    fn events(&self, mv: Move) -> impl Iterator<Item = (Move, Weight)> {
        iter::once((mv, Weight(1)))
    }

    fn sole_event(&self, mv: Move) -> Option<Move> {
        Some(mv)
    }

    fn after(&self, mv: Move) -> Self {
        let mut next = *self;
        if !mv.is_pass() {
            next.board.relocate(self.to_move, mv.from(), mv.to());
            let (from, to) = match self.to_move {
                Side::First => (mv.from(), mv.to()),
                Side::Second => (mv.from().rotated(), mv.to().rotated()),
            };
            next.advances[self.to_move.index()].relocate(from, to);
        }
        next.to_move = self.to_move.other();
        // Two sides that pass for ever would come to the end of the numbers.
        next.ply = self.ply.saturating_add(1);
        next
    }

    fn count_events(&self) -> u64 {
        if self.winner().is_some() {
            return 0;
        }
        let count = moves::count(self.army(self.to_move), self.board.occupied());
        // A side without a move has the pass.
        u64::from(count.max(1))
    }

    fn outcome(&self, _moves: &[Move]) -> Option<Outcome> {
        self.winner().map(|winner| Outcome { winner: Some(winner), reason: "goal filled" })
    }

    fn key(&self) -> Key {
        self.board.key(self.to_move)
    }

    /// Every ply but a winning one can be undone; but no rule asks for it.
    fn reversible_plies(&self) -> usize {
        0
    }

    /// A sensible game takes about 100 plies for the 450 files and ranks that an army has to go. The
    /// last men may take longer than that, so some plies are always left.
    fn plies_left(&self) -> u32 {
        let distance = |side| eval::distance(self, side);
        10 + distance(Side::First).min(distance(Side::Second)) * 2 / 9
    }

    fn mirrored(&self) -> Self {
        let [red, blue] = self.advances;
        Self {
            board: self.board.mirrored(),
            advances: [blue, red],
            to_move: self.to_move.other(),
            ply: self.ply,
        }
    }

    fn picture(&self) -> String {
        text::picture(self)
    }

    fn move_text(&self, mv: Move) -> String {
        text::print_move(self, mv)
    }

    fn event_text(&self, event: Move) -> String {
        text::print_move(self, event)
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        text::read_move(self, text)
    }

    fn read_event(&self, text: &str) -> Result<Move, MoveError> {
        text::read_move(self, text)
    }
}

impl Ordered for Halma {
    const SLOTS: usize = 1 << 16;

    const JUDGED_BY_MOVES: bool = false;

    const IS_WIDE: bool = true;

    /// Leaves out what takes a piece back or hardly ahead where there are plenty of other moves, and
    /// what takes it far back unless there is nothing else.
    fn likely_moves(&self, out: &mut Vec<Move>) {
        if self.winner().is_some() {
            return;
        }
        let listed = out.len();
        let (mover, army) = (self.to_move, self.army(self.to_move));
        let occupied = self.board.occupied();
        let advance = &self.advances[mover.index()];
        let better =
            |from, quarter| advance.worth_more(mover, self.worth(from) + HARDLY).quarter(quarter);
        moves::each_to(army, occupied, better, |from, to| out.extend(Move::new(from, to)));
        if out.len() - listed >= PLENTY {
            return;
        }
        out.truncate(listed);
        let ahead = |from, quarter| moves::ahead(mover, from, -FAR_BACK, quarter);
        moves::each_to(army, occupied, ahead, |from, to| out.extend(Move::new(from, to)));
        if out.len() == listed {
            self.moves(out);
        }
    }

    fn promising_moves(&self, most: usize, least: i32, out: &mut Vec<(i32, Move)>) {
        let (side, army, goal) = (self.to_move, self.army(self.to_move), self.goal());
        let outside = army.without(goal);
        let may_win = outside.len() == 1;
        let mut put = |from: Square, to: Square| {
            let wins = may_win && outside.contains(from) && goal.contains(to);
            let promise = if wins { WIN } else { self.relief(from, to) };
            if promise <= least {
                return;
            }
            if out.len() == most {
                if out.last().is_none_or(|&(worst, _)| promise <= worst) {
                    return;
                }
                out.pop();
            }
            let place = out.iter().rposition(|&(other, _)| other >= promise);
            out.extend(Move::new(from, to).map(|mv| (promise, mv)));
            out[place.map_or(0, |place| place + 1)..].rotate_right(1);
        };
        let advance = &self.advances[side.index()];
        let wanted = |from: Square, quarter: usize| {
            let better = advance.worth_more(side, self.worth(from) + least).quarter(quarter);
            if may_win { better | goal.quarter(quarter) } else { better }
        };
        moves::each_to(army, self.board.occupied(), wanted, &mut put);
        if out.is_empty() && least < 0 {
            let mut moves = Vec::new();
            self.moves(&mut moves);
            out.extend(moves.into_iter().take(most).map(|mv| (0, mv)));
        }
    }

    fn slot(mv: Move) -> u16 {
        u16::from_be_bytes([mv.from().index(), mv.to().index()])
    }

    /// No ply of halma changes more than another: nothing is captured, and whatever a jump into
    /// the goal gains, the evaluation sees it as it sees any other gain.
    fn is_tactical(&self, _mv: Move) -> bool {
        false
    }

    /// What the army costs less by itself after the move, in quarters of a file or rank.
    fn promise(&self, mv: Move) -> i32 {
        self.relief(mv.from(), mv.to()) * 4 / STEP
    }

    fn is_quiet(&self, _moves: &[Move]) -> bool {
        true
    }

    fn table_key(&self) -> Key {
        self.key()
    }
}

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;
    use crate::perft::perft;
    use crate::score::{Ply, Score};

    fn position(text: &str) -> Halma {
        Halma::read(text, ()).unwrap()
    }

    fn moves(position: &Halma) -> Vec<Move> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves
    }

    fn winner(text: &str) -> Option<Side> {
        let position = position(text);
        let moves = moves(&position);
        let outcome = position.outcome(&moves);
        assert_eq!(outcome.is_some(), moves.is_empty(), "{text}");
        assert_eq!(outcome.is_some(), position.count_events() == 0, "{text}");
        outcome.and_then(|outcome| outcome.winner)
    }

    #[test]
    fn the_start_has_the_known_perft() {
        let start = Halma::start(());
        let counts: Vec<u64> = (0..=4).map(|depth| perft(&start, depth)).collect();
        assert_eq!(counts, [1, 40, 1600, 85_440, 4_562_496]);
        let jumps = moves(&start).iter().filter(|mv| !mv.is_step()).count();
        assert_eq!(jumps, 19);
    }

    #[test]
    fn a_side_wins_with_all_its_pieces_on_the_other_camp() {
        let cases = [
            (
                "16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/11rrrrr/11rrrrr b 2",
                Some(Side::First),
            ),
            (
                "bbbbb11/bbbbb11/bbbb12/bbb13/bb14/16/16/16/16/16/16/16/16/16/16/16 r 1",
                Some(Side::Second),
            ),
            // Whoever is to move.
            (
                "16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/11rrrrr/11rrrrr r 1",
                Some(Side::First),
            ),
            // One piece short, one square beside, one enemy in the way.
            ("16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/11rrrrr/12rrrr b 2", None),
            ("16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/12rrrr/10rrrrrr b 2", None),
            ("16/16/16/16/16/16/16/16/16/16/15r/14rr/13rrr/12rrrr/11rrrrr/11rrrrb b 2", None),
            // At the start both camps are full, but of the wrong side.
            (
                "rrrrr11/rrrrr11/rrrr12/rrr13/rr14/16/16/16/16/16/16/14bb/13bbb/12bbbb/11bbbbb/11bbbbb r 1",
                None,
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(winner(text), expected, "{text}");
        }
    }

    #[test]
    fn of_two_filled_goals_that_of_the_side_that_has_just_moved_counts() {
        let board =
            "bbbbb11/bbbbb11/bbbb12/bbb13/bb14/16/16/16/16/16/16/14rr/13rrr/12rrrr/11rrrrr/11rrrrr";
        assert_eq!(winner(&format!("{board} b 90")), Some(Side::First));
        assert_eq!(winner(&format!("{board} r 91")), Some(Side::Second));
    }

    #[test]
    fn a_chain_may_stop_where_it_wins_although_it_could_go_on() {
        // k3 over l2 to m1, the last hole; and over l1 on to k1.
        let before =
            position("16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/10r1rrrr/11rrrrr/11r1rrr r 99");
        let longer = before.after(before.read_move("k3m1k1").unwrap());
        assert_eq!(longer.outcome(&moves(&longer)), None);
        let won = before.after(before.read_move("k3m1").unwrap());
        let outcome = won.outcome(&[]).unwrap();
        assert_eq!(outcome, Outcome { winner: Some(Side::First), reason: "goal filled" });
        assert_eq!(won.outcome_score(outcome, Ply(1)), Score::loss_in(Ply(1)));
    }

    #[test]
    fn a_side_without_a_move_passes_and_nothing_else() {
        // No red piece at all; a red piece shut in behind two rows.
        let cases = [
            "16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/b15 r 7",
            "16/16/16/16/16/16/16/16/16/16/16/16/16/bbb13/bbb13/rbb13 r 7",
        ];
        for text in cases {
            let stuck = position(text);
            assert_eq!(moves(&stuck), [Move::PASS], "{text}");
            assert_eq!((stuck.count_events(), stuck.outcome(&[Move::PASS])), (1, None));
            let next = stuck.after(Move::PASS);
            assert_eq!(next.to_string(), text.replace("r 7", "b 8"));
            assert_eq!(next.key(), position(&next.to_string()).key());
        }
        let empty = position("16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 b 1");
        assert_eq!(perft(&empty, 5), 1);
        let last = Halma { ply: u32::MAX, ..empty };
        assert_eq!(last.after(Move::PASS).ply(), u32::MAX);
    }

    #[test]
    fn pieces_may_leave_and_enter_either_camp_at_any_time() {
        let text = "r15/16/16/5r10/16/16/16/16/16/16/16/16/13r2/16/16/15r r 1";
        for mv in ["a16b15", "f13e14", "n4m5", "p1o2", "n4o3"] {
            assert!(position(text).read_move(mv).is_ok(), "{mv}");
        }
    }

    #[test]
    fn the_plies_left_shrink_with_the_way() {
        assert_eq!(Halma::start(()).plies_left(), 110);
        let near =
            position("15b/16/16/16/16/16/16/16/16/16/15r/14rr/13rrr/12rrrr/11rrrrr/11rrrr1 r 1");
        assert_eq!(near.plies_left(), 11);
    }

    #[test]
    fn a_move_towards_the_goal_promises_more() {
        let start = Halma::start(());
        let promise =
            |position: &Halma, text: &str| position.promise(position.read_move(text).unwrap());
        let [ahead, level] = ["d16f14", "e15f16"].map(|text| promise(&start, text));
        assert!(ahead > 12 && level < 0, "{ahead} {level}");
        assert_eq!(promise(&start.mirrored(), "m1k3"), ahead);
    }

    #[test]
    fn the_promising_moves_are_the_best_and_a_winning_one_comes_first() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for start in [Halma::start(()), Halma::start(()).mirrored()] {
            let mut position = start;
            for ply in 0..80 {
                let least = [i32::MIN / 2, -300, 0, 200, 700][ply % 5];
                let mut promising = Vec::new();
                position.promising_moves(12, least, &mut promising);
                assert!(promising.is_sorted_by(|a, b| a.0 >= b.0), "{position}");
                let moves = moves(&position);
                let mut best: Vec<i32> =
                    moves.iter().map(|mv| position.relief(mv.from(), mv.to())).collect();
                best.retain(|&promise| promise > least);
                best.sort_unstable_by(|a, b| b.cmp(a));
                let promises = promising.iter().map(|&(promise, _)| promise);
                assert!(promises.eq(best.into_iter().take(12)), "{position}");
                let mut likely = Vec::new();
                position.likely_moves(&mut likely);
                assert!(likely.iter().all(|mv| moves.contains(mv)), "{position}");
                let is_missing =
                    |&(promise, mv): &(i32, Move)| promise > HARDLY && !likely.contains(&mv);
                assert!(!promising.iter().any(is_missing), "{position}");
                position = position.after(likely[random.next_u64() as usize % likely.len()]);
            }
        }
        let text = "16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/10r1rrrr/11rrrrr/11r1rrr r 99";
        let mut promising = Vec::new();
        position(text).promising_moves(12, 5_000, &mut promising);
        assert_eq!((promising[0].0, promising[0].1.to().to_string()), (WIN, "m1".to_owned()));
    }
}
