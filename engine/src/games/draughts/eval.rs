//! A hand-written evaluation: sums of small, named judgments over sets of squares.
//!
//! Everything is seen by the side to move as if it were White: Black's view is the board turned by
//! 180°. So both colors are judged alike by construction.

use super::board::{Board, Color};
use super::squares::{Fan, Squares};
use super::{Draughts, Fmjd, RuleSet, Site};
use crate::position::{Evaluate, Term, WinModel};
use crate::score::Score;

/// What kings are worth, in hundredths of a man: it depends on how captures work.
pub trait KingValue: RuleSet {
    /// The first king of a side: it holds a draw against most that may come.
    const FIRST_KING: i32;
    /// Each further king.
    const FURTHER_KING: i32;
}

impl KingValue for Fmjd {
    const FIRST_KING: i32 = 250;
    const FURTHER_KING: i32 = 150;
}

/// A king that may cross the squares that it has just emptied, and turn back over them, takes more.
impl KingValue for Site {
    const FIRST_KING: i32 = 300;
    const FURTHER_KING: i32 = 200;
}

/// The hand-written evaluation, for either rule set.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evaluation;

/// The judgments, in the order of their values.
const NAMES: [&str; 9] = [
    "material",
    "advancement",
    "back row",
    "center",
    "balance",
    "mobility",
    "king squares",
    "tempo",
    "drawish ending",
];

impl<R: KingValue> Evaluate<Draughts<R>> for Evaluation {
    /// Chosen by hand: about two men ahead win every second game, most others are drawn.
    const WIN_MODEL: WinModel = WinModel { threshold: 180.0, spread: 60.0 };

    fn evaluate(&self, position: &Draughts<R>) -> Score {
        Score(values(position).iter().sum()).heuristic()
    }

    fn terms(&self, position: &Draughts<R>) -> Vec<Term> {
        let terms = NAMES.into_iter().zip(values(position));
        terms.map(|(name, value)| Term { name, score: Score(value) }).collect()
    }
}

/// The value of every judgment for the side to move.
fn values<R: KingValue>(position: &Draughts<R>) -> [i32; NAMES.len()] {
    let own = Army::new(position.board(), position.color_to_move());
    let enemy = Army::new(position.board(), position.color_to_move().other());
    let pieces = position.board().occupied().len() as i32;
    let mut values = [
        own.material::<R>() - enemy.material::<R>(),
        own.advancement(pieces) - enemy.advancement(pieces),
        own.back_row() - enemy.back_row(),
        own.center(pieces) - enemy.center(pieces),
        own.balance() - enemy.balance(),
        own.mobility() - enemy.mobility(),
        own.king_squares() - enemy.king_squares(),
        TEMPO,
        0,
    ];
    let sum: i32 = values.iter().sum();
    let (weaker, stronger) = if sum > 0 { (&enemy, &own) } else { (&own, &enemy) };
    values[NAMES.len() - 1] = sum / drawishness(weaker, stronger) - sum;
    values
}

/// What it is worth to be on the move.
const TEMPO: i32 = 2;

/// The divisor of a score that the material will hardly ever turn into a win (the facts are those
/// of Scan's evaluation).
fn drawishness(weaker: &Army, stronger: &Army) -> i32 {
    if weaker.kings.is_empty() {
        return 1;
    }
    let men = stronger.men.len().abs_diff(weaker.men.len());
    match (stronger.men | stronger.kings).has_at_most(3) {
        // A lone king that can't be trapped by fewer than four pieces holds the draw.
        true => 8,
        false if stronger.kings.len() == weaker.kings.len() && men <= 1 => 2,
        false => 1,
    }
}

/// The pieces of one side, turned so that its men move up, and what stands around them.
struct Army {
    men: Squares,
    kings: Squares,
    enemies: Squares,
    enemy_kings: Squares,
    empty: Squares,
}

impl Army {
    fn new(board: &Board, color: Color) -> Self {
        let turned = |squares: Squares| match color {
            Color::White => squares,
            Color::Black => squares.rotated(),
        };
        let (own, kings) = (turned(board.of(color)), turned(board.kings()));
        let enemies = turned(board.of(color.other()));
        Self {
            men: own - kings,
            kings: own & kings,
            enemies,
            enemy_kings: enemies & kings,
            empty: Squares::ALL - own - enemies,
        }
    }

    fn material<R: KingValue>(&self) -> i32 {
        let kings = match self.kings.len() as i32 {
            0 => 0,
            kings => R::FIRST_KING + (kings - 1) * R::FURTHER_KING,
        };
        self.men.len() as i32 * 100 + kings
    }

    /// A row ahead is worth more the fewer pieces are left to stop the man, and most where nothing
    /// stands before it any more.
    fn advancement(&self, pieces: i32) -> i32 {
        let rows: i32 =
            (1..9).map(|row| (9 - row) * (self.men & ROWS[row as usize]).len() as i32).sum();
        let close = (self.men & (ROWS[1] | ROWS[2] | ROWS[3])).len() as i32;
        let free = close * i32::from(self.enemy_kings.is_empty());
        (rows * (48 - pieces) + free * (40 - pieces) * 8) / 16
    }

    /// Men at home keep the enemy from becoming kings, as long as there are men to keep.
    fn back_row(&self) -> i32 {
        if (self.enemies - self.enemy_kings).is_empty() {
            return 0;
        }
        let home = (self.men & ROWS[9]).len() as i32;
        let posts = (self.men & HOME_POSTS).len() as i32;
        3 * home + 3 * posts
    }

    /// In the middle a man has a say on both wings; on the edge it is safe but out of play.
    fn center(&self, pieces: i32) -> i32 {
        let center = (self.men & CENTER).len() as i32 * 5;
        let edges = (self.men & EDGES).len() as i32 * 3;
        (center - edges) * pieces / 40
    }

    /// Men spread over both wings, against men that stand in each other's way on one.
    fn balance(&self) -> i32 {
        let left = (self.men & LEFT).len() as i32;
        let right = (self.men & RIGHT).len() as i32;
        -3 * (left - right).abs()
    }

    /// The steps of men that do not put the man where it is taken, and the squares that kings see.
    fn mobility(&self) -> i32 {
        let attacked = Fan::of(|direction| {
            direction.step(self.enemies) & direction.opposite().step(self.empty)
        });
        let attacked = attacked.union();
        let [left, right] = Color::White.advance(self.men).map(|to| (to & self.empty) - attacked);
        let steps = (left.len() + right.len()) as i32;
        let slides = Fan::of(|direction| direction.slides(self.kings, self.empty)).union();
        2 * steps + ((slides & self.empty) - attacked).len() as i32
    }

    /// A king on the long diagonal from 46 to 5 is not to be caught; one that can't leave its square
    /// is hardly a king.
    fn king_squares(&self) -> i32 {
        if self.kings.is_empty() {
            return 0;
        }
        let around = Fan::of(|direction| direction.step(self.empty)).union();
        let locked = (self.kings - around).len() as i32;
        let rules_diagonal =
            self.kings.meets(MAIN_DIAGONAL) && !self.enemy_kings.meets(MAIN_DIAGONAL);
        25 * i32::from(rules_diagonal) - 60 * locked
    }
}

/// The rows in the frame of an army: its men start on the last four and move to the first.
const ROWS: [Squares; 10] = {
    let mut rows = [Squares::NONE; 10];
    let mut row = 0;
    while row < 10 {
        rows[row] = Squares::row(row as u32);
        row += 1;
    }
    rows
};

/// The two posts at home that together guard the whole last row best.
const HOME_POSTS: Squares = Squares::numbered(&[47, 49]);

pub(super) const CENTER: Squares = Squares::numbered(&[22, 23, 24, 27, 28, 29, 32, 33]);

pub(super) const EDGES: Squares = Squares::numbered(&[6, 16, 26, 36, 15, 25, 35, 45]);

/// The four columns on the left, and the four on the right.
pub(super) const LEFT: Squares = Squares::numbered(&[
    1, 2, 6, 7, 11, 12, 16, 17, 21, 22, 26, 27, 31, 32, 36, 37, 41, 42, 46, 47,
]);
pub(super) const RIGHT: Squares = Squares::numbered(&[
    4, 5, 9, 10, 14, 15, 19, 20, 24, 25, 29, 30, 34, 35, 39, 40, 44, 45, 49, 50,
]);

pub(super) const MAIN_DIAGONAL: Squares =
    Squares::numbered(&[5, 10, 14, 19, 23, 28, 32, 37, 41, 46]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn score<R: KingValue>(text: &str) -> Score {
        Evaluation.evaluate(&Draughts::<R>::read(text, R::Rules::default()).unwrap())
    }

    fn term(text: &str, name: &str) -> i32 {
        let terms = Evaluation.terms(&Draughts::<Fmjd>::read(text, ()).unwrap());
        terms.iter().find(|term| term.name == name).unwrap().score.0
    }

    #[test]
    fn at_the_start_nobody_is_ahead() {
        assert_eq!(score::<Site>("B:W31-50:B1-20"), Score(TEMPO));
        assert_eq!(score::<Fmjd>("W:W31-50:B1-20"), Score(TEMPO));
    }

    #[test]
    fn the_better_of_two_positions_scores_higher() {
        let check = |better: &str, worse: &str| {
            assert!(score::<Fmjd>(better) > score::<Fmjd>(worse), "{better} over {worse}");
            assert!(score::<Site>(better) > score::<Site>(worse), "{better} over {worse}");
        };
        // A man more; a king for a man; a man further on; guards at home; the middle; both wings.
        check("W:W31-50:B1-19", "W:W31-50:B1-20");
        check("W:WK40,41-45:B1-6", "W:W40,41-45:B1-6");
        check("W:W12,41,42:B3,16,25", "W:W32,41,42:B3,16,25");
        check("W:W28,32,37,47,49:B3,7,8,13,20", "W:W28,32,37,46,50:B3,7,8,13,20");
        check("W:W28,38,42:B3,8,13", "W:W26,38,42:B3,8,13");
        check("W:W27,32,34,40:B3,7,8,13", "W:W27,31,32,37:B3,7,8,13");
    }

    #[test]
    fn a_king_is_worth_more_where_it_may_cross_what_it_emptied() {
        let text = "W:WK40,41-45:B1-6";
        assert!(score::<Site>(text) > score::<Fmjd>(text));
    }

    #[test]
    fn each_judgment_sees_what_it_is_named_after() {
        let check = |name, better, worse| {
            assert!(term(better, name) > term(worse, name), "{name}: {better} over {worse}");
        };
        check("material", "W:W40,41:B1", "W:W40:B1");
        check("advancement", "W:W16:B1", "W:W36:B1");
        check("back row", "W:W47:B1", "W:W42:B1");
        check("center", "W:W28,41-45:B1-6", "W:W26,41-45:B1-6");
        check("balance", "W:W31,35:B3", "W:W31,32:B3");
        check("mobility", "W:W33:B3", "W:W35:B3");
        check("mobility", "W:W33:B15", "W:W33:B23");
        check("king squares", "W:WK28:B3", "W:WK26:B3");
        check("king squares", "W:WK26:B3", "W:W31,37,36,K46,41:B3");
    }

    #[test]
    fn a_king_against_three_pieces_or_equal_kings_bring_the_score_down() {
        let check =
            |text, expected| assert_eq!(term(text, "drawish ending") < 0, expected, "{text}");
        check("W:WK46,K47,K48:BK6", true);
        check("W:WK46,42,43,44:BK3,8,9", true);
        check("W:WK46,K47,K48,K49:BK6", false);
        check("W:WK46,K47,K48:B6", false);
        check("W:WK46,42,43,44:BK3,8", false);
        assert!(score::<Fmjd>("W:WK46,K47,K48:BK6") < Score(100));
        assert!(score::<Fmjd>("B:WK46,K47,K48:BK6") > Score(-100));
    }
}
