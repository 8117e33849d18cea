//! The evaluation, learned from games against itself: a sum of weights of patterns of men and of some
//! counts of men and kings.
//!
//! Everything is seen by the side to move as if it were White: Black's view is the board turned by
//! 180°. So both colors are judged alike by construction. All weights have a part for the opening and
//! one for the end of the game. `yardmaster train` fits them to games; how those of this version came
//! about is told next to them, in `weights/README.md`. One thing is not learned: which endings are
//! drawn in spite of the material. How those with few pieces end is [known](super::bitbase).

use super::bitbase::{Endings, Packed};
use super::board::{Board, Color};
use super::patterns::{
    BLOCKS, BLOCKS_A_PANEL, BLOCKS_IN_PANELS, PANEL_PATTERNS, PANELS, PATTERNS, Rows, digit,
};
use super::squares::{Fan, Squares};
use super::{Draughts, Fmjd, RuleSet, Site};
use crate::memory;
use crate::position::{End, Evaluate, Patience, TablesError, Term, Weighted, WinModel};
use crate::score::Score;
use crate::weights;

/// Rules for which weights were learned: kings are worth more where captures go further.
pub trait Learned: RuleSet {
    /// The name of the variant in the file of weights.
    const VARIANT: &'static str;
    /// The file, written by `yardmaster train`.
    const WEIGHTS: &'static [u8];
    /// The file of endgame tables, written by `yardmaster bitbase`.
    const BITBASE: &'static [u8];
}

impl Learned for Site {
    const VARIANT: &'static str = "draughts";
    const WEIGHTS: &'static [u8] = include_bytes!("weights/draughts.weights");
    const BITBASE: &'static [u8] = include_bytes!("bitbase/draughts.bitbase");
}

impl Learned for Fmjd {
    const VARIANT: &'static str = "draughts-fmjd";
    const WEIGHTS: &'static [u8] = include_bytes!("weights/draughts-fmjd.weights");
    const BITBASE: &'static [u8] = include_bytes!("bitbase/draughts-fmjd.bitbase");
}

/// The learned evaluation, by default with the weights of this version.
#[derive(Clone, Debug)]
pub struct Evaluation<R> {
    weights: Box<[Parts]>,
    /// What the patterns of panels count for, with the blocks in them and the places of their men.
    panels: Vec<Parts>,
    endings: Endings<R>,
}

/// The parts of a weight for the opening and for the end.
type Parts = [i16; 2];

/// A sum of weights.
#[derive(Clone, Copy, Default)]
struct Sum([i32; 2]);

impl Sum {
    #[inline(always)]
    fn add(&mut self, weight: Parts, count: i32) {
        for (sum, part) in self.0.iter_mut().zip(weight) {
            *sum += count * i32::from(part);
        }
    }

    /// The same from the other side.
    fn turned(self) -> Self {
        Self(self.0.map(|sum| -sum))
    }
}

impl<R: Learned> Default for Evaluation<R> {
    fn default() -> Self {
        let weights = weights::read(R::VARIANT, COUNT, R::WEIGHTS);
        Self::weighing(weights.expect("the weights of this version fit it"))
    }
}

impl<R: Learned> Evaluation<R> {
    /// What the weights of the parts of an evaluation are worth, in hundredths of a man.
    fn parts(&self, position: &Draughts<R>) -> [i32; PARTS.len()] {
        let mut sums = [Sum::default(); PARTS.len()];
        Self::features(position, |index, count| {
            let part = PARTS.partition_point(|&(_, end)| end <= index);
            sums[part].add(self.weights[index], count);
        });
        sums.map(|sum| tapered(position, sum))
    }
}

/// Adds up what the patterns of panels count for: their own weights, those of the blocks in them, and those
/// of the places where the men stand.
fn panels(weights: &[Parts]) -> Vec<Parts> {
    let blocks = with_places(weights);
    let mut panels = memory::table(PANELS * PANEL_PATTERNS).expect("there are 9 MB");
    for (index, sum) in panels.iter_mut().enumerate() {
        let (panel, pattern) = (index / PANEL_PATTERNS, index % PANEL_PATTERNS);
        let mut all = Sum::default();
        all.add(weights[index], 1);
        let mut rest = pattern;
        for row in 0..BLOCKS_A_PANEL {
            let Sum(block) = blocks[(PANELS * row + panel) * PATTERNS + rest % PATTERNS];
            all.0[0] += block[0];
            all.0[1] += block[1];
            rest /= 9;
        }
        *sum = all.0.map(|part| part.clamp(i16::MIN.into(), i16::MAX.into()) as i16);
    }
    panels
}

/// The weights of the blocks in panels, and what men count for by their places: each place of the first
/// five rows is a part of one block, and those of the others are parts of blocks seen by the other side.
fn with_places(weights: &[Parts]) -> Vec<Sum> {
    let own = &weights[BLOCK_PATTERNS..][..BLOCKS_IN_PANELS * PATTERNS];
    let mut sums: Vec<Sum> = own.iter().map(|pair| Sum(pair.map(i32::from))).collect();
    for square in Squares::ALL.into_iter().take(25) {
        let [own, enemy] = [square, square.rotated()].map(|place| {
            let mut sum = Sum::default();
            place_features(place.into(), |index, count| sum.add(weights[index], count));
            sum
        });
        let (block, digit) = (0..BLOCKS_IN_PANELS)
            .find_map(|block| Some((block, digit(block, square)?)))
            .expect("the blocks cover the first five rows");
        let base = block * PATTERNS;
        for (pattern, sum) in sums[base..base + PATTERNS].iter_mut().enumerate() {
            let signs = match pattern / digit % 3 {
                0 => [0, 0],
                1 => [1, 0],
                _ => [0, -1],
            };
            for part in 0..2 {
                sum.0[part] += signs[0] * own.0[part] + signs[1] * enemy.0[part];
            }
        }
    }
    sums
}

/// The weight that counts for what stands on a block.
#[inline(always)]
fn block_weight(block: usize, rows: &Rows) -> usize {
    BLOCK_PATTERNS + block * PATTERNS + rows.block(block)
}

/// The weights that count for the men of an army, seen from its side, by their places.
fn place_features(men: Squares, mut count: impl FnMut(usize, i32)) {
    count(MAN, men.len() as i32);
    for row in 1..10 {
        count(ROWS + row as usize - 1, (men & Squares::row(row)).len() as i32);
    }
    count(CENTRAL, (men & CENTER).len() as i32);
    count(EDGE, (men & EDGES).len() as i32);
}

/// The weights that count for White besides those of patterns and places; what counts for Black counts
/// negatively.
#[inline(always)]
fn other_features(board: &Board, mut count: impl FnMut(usize, i32)) {
    let men = Color::ALL.map(|color| board.of(color) - board.kings());
    count(IMBALANCE, imbalance(men[0]) - imbalance(men[1]));
    if !board.kings().is_empty() {
        for (color, sign) in [(Color::White, 1), (Color::Black, -1)] {
            Army::new(board, color).king_features(|index, times| count(index, sign * times));
        }
    }
}

/// How many more men stand on one wing than on the other.
#[inline(always)]
fn imbalance(men: Squares) -> i32 {
    // Those on the left and those that are missing on the right.
    let [left, missing] = [men & LEFT, RIGHT - men];
    ((left | missing).len() as i32 - RIGHT.len() as i32).abs()
}

/// The weights of patterns come first, those of panels, panel by panel, and those of blocks; then those of
/// a king on each bit of the board, then the others.
const BLOCK_PATTERNS: usize = PANELS * PANEL_PATTERNS;
const KING_SQUARES: usize = BLOCK_PATTERNS + BLOCKS * PATTERNS;
const MAN: usize = KING_SQUARES + 64;
const FIRST_KING: usize = MAN + 1;
const FURTHER_KING: usize = MAN + 2;
const KING_MOBILITY: usize = MAN + 3;
const LOCKED_KING: usize = MAN + 4;
const LONG_DIAGONAL: usize = MAN + 5;
const IMBALANCE: usize = MAN + 6;
/// Men on each of the rows but the last.
const ROWS: usize = MAN + 7;
const CENTRAL: usize = MAN + 16;
const EDGE: usize = MAN + 17;
const TEMPO: usize = MAN + 18;
const COUNT: usize = MAN + 19;

/// A hundredth of a man in weights.
const WEIGHT_UNIT: i32 = 16;

/// The names of the parts, and the weights that each ends before.
const PARTS: [(&str, usize); 8] = [
    ("structure", KING_SQUARES),
    ("king squares", MAN),
    ("men", FIRST_KING),
    ("kings", KING_MOBILITY),
    ("king mobility", IMBALANCE),
    ("balance", ROWS),
    ("places", TEMPO),
    ("tempo", COUNT),
];

impl<R: Learned> Evaluate<Draughts<R>> for Evaluation<R> {
    /// Chosen by hand: about two men ahead win every second game, most others are drawn.
    const WIN_MODEL: WinModel = WinModel { threshold: 180.0, spread: 60.0 };

    fn evaluate(&self, position: &Draughts<R>) -> Score {
        let board = position.board();
        let mut sum = Sum::default();
        for (rows, sign) in Rows::of(board) {
            for panel in 0..PANELS {
                sum.add(self.panels[panel * PANEL_PATTERNS + rows.panel(panel)], sign);
            }
            for block in BLOCKS_IN_PANELS..BLOCKS {
                sum.add(self.weights[block_weight(block, &rows)], sign);
            }
        }
        other_features(board, |index, count| sum.add(self.weights[index], count));
        if position.color_to_move() == Color::Black {
            sum = sum.turned();
        }
        sum.add(self.weights[TEMPO], 1);
        let sum = tapered(position, sum);
        Score(sum / drawishness(position, sum)).heuristic()
    }

    fn prepare(&mut self, position: &Draughts<R>, patience: &mut Patience<'_>) {
        self.endings.prepare(position, patience);
    }

    fn set_tables(&mut self, file: Option<&[u8]>) -> Result<(), TablesError> {
        self.endings = endings::<R>(file.unwrap_or(R::BITBASE))?;
        Ok(())
    }

    #[inline]
    fn end(&self, position: &Draughts<R>) -> Option<End> {
        self.endings.end(position)
    }

    fn terms(&self, position: &Draughts<R>) -> Vec<Term> {
        let values = self.parts(position);
        // With the fractions that the parts lose.
        let scaling = self.evaluate(position).0 - values.iter().sum::<i32>();
        let terms = PARTS.iter().zip(values).map(|(&(name, _), value)| (name, value));
        let terms = terms.chain([("drawish ending", scaling)]);
        terms.map(|(name, value)| Term { name, score: Score(value) }).collect()
    }
}

impl<R: Learned> Weighted<Draughts<R>> for Evaluation<R> {
    const WEIGHTS: usize = COUNT;
    const DENSE: usize = MAN;
    const OPENING: i32 = 40;

    fn weighing(weights: Vec<[i16; 2]>) -> Self {
        let endings = endings::<R>(R::BITBASE).expect("the tables of this version are sound");
        Self { panels: panels(&weights), weights: weights.into(), endings }
    }

    fn phase(position: &Draughts<R>) -> i32 {
        position.board().occupied().len() as i32
    }

    #[inline(always)]
    fn features(position: &Draughts<R>, mut count: impl FnMut(usize, i32)) {
        let board = position.board();
        let color = position.color_to_move();
        let sign = if color == Color::White { 1 } else { -1 };
        for (rows, side) in Rows::of(board) {
            for panel in 0..PANELS {
                count(panel * PANEL_PATTERNS + rows.panel(panel), sign * side);
            }
            for block in 0..BLOCKS {
                count(block_weight(block, &rows), sign * side);
            }
        }
        other_features(board, |index, times| count(index, sign * times));
        for (color, sign) in [(color, 1), (color.other(), -1)] {
            let army = Army::new(board, color);
            place_features(army.men, |index, times| count(index, sign * times));
        }
        count(TEMPO, 1);
    }
}

/// The endgame tables of a file.
fn endings<R: Learned>(file: &[u8]) -> Result<Endings<R>, TablesError> {
    let packed = Packed::read_all(R::VARIANT, file);
    let packed = packed.map_err(|error| TablesError { reason: error.to_string() })?;
    Ok(Endings::new(packed))
}

/// What a sum of weights is worth in hundredths of a man.
fn tapered<R: Learned>(position: &Draughts<R>, Sum([opening, end]): Sum) -> i32 {
    let phase = Evaluation::phase(position);
    let of = Evaluation::<R>::OPENING;
    (opening * phase + end * (of - phase)) / (of * WEIGHT_UNIT)
}

/// The divisor of a score that the material will hardly ever turn into a win (the facts are those
/// of Scan's evaluation).
fn drawishness<R: RuleSet>(position: &Draughts<R>, sum: i32) -> i32 {
    let board = position.board();
    if board.kings().is_empty() {
        return 1;
    }
    let color = if sum > 0 { position.color_to_move() } else { position.color_to_move().other() };
    let [stronger, weaker] = [board.of(color), board.of(color.other())];
    let [strong_kings, weak_kings] = [stronger, weaker].map(|army| (army & board.kings()).len());
    if weak_kings == 0 {
        return 1;
    }
    let men = (stronger.len() - strong_kings).abs_diff(weaker.len() - weak_kings);
    match stronger.has_at_most(3) {
        // A lone king that can't be trapped by fewer than four pieces holds the draw.
        true => 8,
        false if strong_kings == weak_kings && men <= 1 => 2,
        false => 1,
    }
}

/// The pieces of one side, turned so that its men move up, and what stands around them.
struct Army {
    men: Squares,
    kings: Squares,
    enemies: Squares,
    enemy_men: Squares,
    empty: Squares,
}

impl Army {
    #[inline(always)]
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
            enemy_men: enemies - kings,
            empty: Squares::ALL - own - enemies,
        }
    }

    /// The squares where an enemy man or king would take a piece of the army.
    fn attacked(&self) -> Squares {
        let attacked = Fan::of(|direction| {
            direction.step(self.enemies) & direction.opposite().step(self.empty)
        });
        attacked.union()
    }

    /// What the kings of the army count for.
    fn king_features(&self, mut count: impl FnMut(usize, i32)) {
        if self.kings.is_empty() {
            return;
        }
        count(FIRST_KING, 1);
        count(FURTHER_KING, self.kings.len() as i32 - 1);
        for king in self.kings {
            count(KING_SQUARES + king.bit(), 1);
        }
        // The squares that they see, but for those where a man or king would take them.
        let slides = Fan::of(|direction| direction.slides(self.kings, self.empty)).union();
        count(KING_MOBILITY, ((slides & self.empty) - self.attacked()).len() as i32);
        let around = Fan::of(|direction| direction.step(self.empty)).union();
        count(LOCKED_KING, (self.kings - around).len() as i32);
        let enemy_kings = self.enemies - self.enemy_men;
        let rules = self.kings.meets(MAIN_DIAGONAL) && !enemy_kings.meets(MAIN_DIAGONAL);
        count(LONG_DIAGONAL, i32::from(rules));
    }
}

const CENTER: Squares = Squares::numbered(&[22, 23, 24, 27, 28, 29, 32, 33]);

const EDGES: Squares = Squares::numbered(&[6, 16, 26, 36, 15, 25, 35, 45]);

/// The four columns on the left, and the four on the right.
const LEFT: Squares = Squares::numbered(&[
    1, 2, 6, 7, 11, 12, 16, 17, 21, 22, 26, 27, 31, 32, 36, 37, 41, 42, 46, 47,
]);
const RIGHT: Squares = Squares::numbered(&[
    4, 5, 9, 10, 14, 15, 19, 20, 24, 25, 29, 30, 34, 35, 39, 40, 44, 45, 49, 50,
]);

const MAIN_DIAGONAL: Squares = Squares::numbered(&[5, 10, 14, 19, 23, 28, 32, 37, 41, 46]);

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::position::Position;

    fn position(text: &str) -> Draughts<Fmjd> {
        Draughts::read(text, ()).unwrap()
    }

    fn score<R: Learned>(text: &str) -> Score {
        Evaluation::default().evaluate(&Draughts::<R>::read(text, R::Rules::default()).unwrap())
    }

    /// Only men and kings count, and the patterns in which nobody stands.
    fn material(man: Parts) -> Evaluation<Fmjd> {
        let mut weights = vec![[0, 0]; COUNT];
        weights[MAN] = man;
        weights[FIRST_KING] = [4000, 4000];
        weights[FURTHER_KING] = [2400, 2400];
        Evaluation::weighing(weights)
    }

    #[test]
    fn at_the_start_nobody_is_ahead() {
        assert!(score::<Site>("B:W31-50:B1-20").0.abs() < 15);
        assert!(score::<Fmjd>("W:W31-50:B1-20").0.abs() < 15);
    }

    #[test]
    fn the_better_of_two_positions_scores_higher() {
        let check = |better: &str, worse: &str| {
            assert!(score::<Fmjd>(better) > score::<Fmjd>(worse), "{better} over {worse}");
            assert!(score::<Site>(better) > score::<Site>(worse), "{better} over {worse}");
        };
        // A man more; a king for a man; a man further on; the middle.
        check("W:W31-50:B1-19", "W:W31-50:B1-20");
        check("W:WK40,41-45:B1-6", "W:W40,41-45:B1-6");
        check("W:W12,41,42:B3,16,25", "W:W32,41,42:B3,16,25");
        check(
            "W:W28,32,37,38,42,43,48:B3,8,9,12,13,14,19",
            "W:W26,32,37,38,42,43,48:B3,8,9,12,13,14,19",
        );
    }

    #[test]
    fn a_king_is_worth_more_where_it_may_cross_what_it_emptied() {
        let text = "W:WK40,41-45:B1-6";
        assert!(score::<Site>(text) > score::<Fmjd>(text));
    }

    /// The features of a position, and those of it with the colors swapped.
    #[test]
    fn features_are_those_of_the_mirrored_position() {
        fn features(position: &Draughts<Fmjd>) -> HashMap<usize, i32> {
            let mut features = HashMap::new();
            Evaluation::features(position, |index, count| {
                assert!(index < COUNT);
                *features.entry(index).or_default() += count;
            });
            features
        }
        for text in ["B:W31-50:B1-20", "W:W28,32,K5,40:B3,K7,13,20", "B:WK46,K47,22:B16,K6"] {
            let position = position(text);
            assert_eq!(features(&position), features(&position.mirrored()), "{text}");
        }
    }

    #[test]
    fn a_judgment_is_the_sum_of_the_weights_of_its_features() {
        let evaluation = Evaluation::<Fmjd>::default();
        for text in ["B:W31-50:B1-19", "W:W28,32,K5,40:B3,K7,13,20,45", "W:W6,16,26,39:B25,35,30"] {
            let position = position(text);
            let mut sum = Sum::default();
            Evaluation::features(&position, |index, count| {
                sum.add(evaluation.weights[index], count);
            });
            let expected =
                tapered(&position, sum) / drawishness(&position, tapered(&position, sum));
            assert_eq!(evaluation.evaluate(&position), Score(expected), "{text}");
        }
    }

    #[test]
    fn the_parts_are_weighed_by_the_phase() {
        let evaluation = material([1600, 800]);
        let score = |text| evaluation.evaluate(&position(text));
        // 39 pieces of 40, and 3.
        assert_eq!(score("W:W31-50:B1-19"), Score((1600 * 39 + 800) / (40 * 16)));
        assert_eq!(score("B:W31,32:B3"), Score(-(1600 * 3 + 800 * 37) / (40 * 16)));
    }

    #[test]
    fn a_king_against_three_pieces_or_equal_kings_bring_the_score_down() {
        let check = |text, expected| {
            let terms = material([1600, 1600]).terms(&position(text));
            let scaling = terms.last().expect("there are terms").score.0;
            assert_eq!(scaling < -10, expected, "{text}: {scaling}");
        };
        check("W:WK46,K47,K48:BK6", true);
        check("W:WK46,42,43,44:BK3,8,9", true);
        check("W:WK46,K47,K48,K49:BK6", false);
        check("W:WK46,K47,K48:B6", false);
        check("W:WK46,42,43,44:BK3,8", false);
    }
}
