//! An evaluation that is learned: a sum of weights from a file.
//!
//! Men count by the patterns that they form with the men around them. A pattern is what stands on a
//! block of eight squares, four rows by four files; the board has 28 overlapping blocks. Each pattern
//! has a weight, the same one for White as for Black on the block turned by 180°. Kings count by
//! number, square and mobility. All weights have a part for the opening and one for the end of the
//! game. `yardmaster train` fits them to games.
//!
//! Patterns of men are how Scan (Letouzey) judges; the even blocks are those of its version 2.

use super::board::{Board, Color};
use super::eval::{CENTER, EDGES, LEFT, MAIN_DIAGONAL, RIGHT};
use super::squares::{Fan, Squares};
use super::{Draughts, RuleSet};
use crate::position::{Evaluate, Term, Weighted, WeightsError, WinModel, read_weights};
use crate::score::Score;

/// The learned evaluation, for either rule set.
#[derive(Clone, Debug)]
pub struct Patterns {
    weights: Vec<[i16; 2]>,
}

impl Patterns {
    /// Reads a file that `yardmaster train` has written for the variant of this name.
    ///
    /// # Errors
    /// [`WeightsError`] says why it is not such a file.
    pub fn read(variant: &str, file: &[u8]) -> Result<Self, WeightsError> {
        Ok(Self { weights: read_weights(variant, COUNT, file)? })
    }

    /// The two parts of what the features of a position are worth, added up by `part`.
    #[inline]
    fn sums<R: RuleSet, const N: usize>(
        &self,
        position: &Draughts<R>,
        part: impl Fn(usize) -> usize,
    ) -> [i32; N] {
        let mut sums = [[0, 0]; N];
        <Self as Weighted<Draughts<R>>>::features(position, |index, count| {
            let sum = &mut sums[part(index)];
            let [opening, end] = self.weights[index];
            sum[0] += count * i32::from(opening);
            sum[1] += count * i32::from(end);
        });
        sums.map(|sums| tapered(position, sums))
    }
}

/// Eight squares have so many patterns: each is empty, or has an own or an enemy man.
const PATTERNS: usize = 3_usize.pow(8);

/// Blocks of which no two are each other's turned by 180°.
const BLOCKS: usize = 14;

/// The weights of patterns come first, block by block; then those of a king on each bit of the board,
/// then the others.
const KING_SQUARES: usize = BLOCKS * PATTERNS;
const MAN: usize = KING_SQUARES + 64;
const FIRST_KING: usize = MAN + 1;
const FURTHER_KING: usize = MAN + 2;
const KING_MOBILITY: usize = MAN + 3;
const LOCKED_KING: usize = MAN + 4;
const LONG_DIAGONAL: usize = MAN + 5;
const SAFE_STEP: usize = MAN + 6;
const IMBALANCE: usize = MAN + 7;
/// Men on each of the rows but the last.
const ROWS: usize = MAN + 8;
const CENTRAL: usize = MAN + 17;
const EDGE: usize = MAN + 18;
const TEMPO: usize = MAN + 19;
const COUNT: usize = MAN + 20;

/// A hundredth of a man in weights.
const WEIGHT_UNIT: i32 = 16;

/// The names of the parts, and the weights that each ends before.
const PARTS: [(&str, usize); 9] = [
    ("structure", KING_SQUARES),
    ("king squares", MAN),
    ("men", FIRST_KING),
    ("kings", KING_MOBILITY),
    ("king mobility", SAFE_STEP),
    ("steps", IMBALANCE),
    ("balance", ROWS),
    ("places", TEMPO),
    ("tempo", COUNT),
];

impl<R: RuleSet> Evaluate<Draughts<R>> for Patterns {
    /// Chosen by hand: about two men ahead win every second game, most others are drawn.
    const WIN_MODEL: WinModel = WinModel { threshold: 180.0, spread: 60.0 };

    fn evaluate(&self, position: &Draughts<R>) -> Score {
        let [sum] = self.sums(position, |_| 0);
        Score(sum / drawishness(position, sum)).heuristic()
    }

    fn terms(&self, position: &Draughts<R>) -> Vec<Term> {
        let part = |index| PARTS.partition_point(|&(_, end)| end <= index);
        let values: [i32; PARTS.len()] = self.sums(position, part);
        // With the fractions that the parts lose.
        let scaling = self.evaluate(position).0 - values.iter().sum::<i32>();
        let terms = PARTS.iter().zip(values).map(|(&(name, _), value)| (name, value));
        let terms = terms.chain([("drawish ending", scaling)]);
        terms.map(|(name, value)| Term { name, score: Score(value) }).collect()
    }
}

impl<R: RuleSet> Weighted<Draughts<R>> for Patterns {
    const WEIGHTS: usize = COUNT;
    const DENSE: usize = MAN;
    const OPENING: i32 = 40;

    fn weighing(weights: Vec<[i16; 2]>) -> Self {
        Self { weights }
    }

    fn phase(position: &Draughts<R>) -> i32 {
        position.board().occupied().len() as i32
    }

    #[inline(always)]
    fn features(position: &Draughts<R>, mut count: impl FnMut(usize, i32)) {
        let color = position.color_to_move();
        let [own, enemy] = [color, color.other()].map(|color| Army::new(position.board(), color));
        for (block, base) in ALL_BLOCKS.iter().zip((0..).step_by(PATTERNS)) {
            // Either army in its own frame: its men move up.
            count(base + block.pattern(own.men, own.enemy_men), 1);
            count(base + block.pattern(enemy.men, enemy.enemy_men), -1);
        }
        count(MAN, own.men.len() as i32 - enemy.men.len() as i32);
        count(TEMPO, 1);
        for (army, sign) in [(&own, 1), (&enemy, -1)] {
            count(SAFE_STEP, sign * army.safe_steps());
            count(IMBALANCE, sign * army.imbalance());
            for row in 1..10 {
                let men = army.men & Squares::row(row);
                count(ROWS + row as usize - 1, sign * men.len() as i32);
            }
            count(CENTRAL, sign * (army.men & CENTER).len() as i32);
            count(EDGE, sign * (army.men & EDGES).len() as i32);
            army.king_features(|index, times| count(index, sign * times));
        }
    }
}

/// What sums of the two parts of weights are worth in hundredths of a man.
fn tapered<R: RuleSet>(position: &Draughts<R>, [opening, end]: [i32; 2]) -> i32 {
    let phase = Patterns::phase(position);
    let of = <Patterns as Weighted<Draughts<R>>>::OPENING;
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

/// Four rows by four files: two neighboring squares on each of four rows.
#[derive(Clone, Copy)]
struct Block {
    /// The bit of the first of its squares.
    first: u32,
    /// Its squares when that bit is the lowest one.
    squares: u64,
    /// Brings them together, for multiplication, and where they are then. Which square becomes
    /// which bit does not matter as long as they are different; a test sees to it.
    magic: u64,
    shift: u32,
}

impl Block {
    /// The block whose first row and first pair of squares are these.
    const fn at(row: u32, pair: u32) -> Self {
        let first = row / 2 * 13 + row % 2 * 6 + pair;
        if row.is_multiple_of(2) {
            let squares = 0b11 | 0b11 << 6 | 0b11 << 13 | 0b11 << 19;
            Self { first, squares, magic: 0x0202_0101, shift: 19 }
        } else {
            let squares = 0b11 | 0b11 << 7 | 0b11 << 13 | 0b11 << 20;
            Self { first, squares, magic: 0x0402_0201, shift: 20 }
        }
    }

    /// The number of the pattern that two armies form on the block.
    #[inline(always)]
    fn pattern(&self, own: Squares, enemy: Squares) -> usize {
        let [own, enemy] = [own, enemy].map(|men| self.gathered(men));
        usize::from(TERNARY[own]) + 2 * usize::from(TERNARY[enemy])
    }

    /// The squares of the block in eight bits.
    #[inline(always)]
    fn gathered(&self, men: Squares) -> usize {
        let bits = men.bits() >> self.first & self.squares;
        (bits.wrapping_mul(self.magic) >> self.shift & 0xff) as usize
    }
}

/// The blocks of the first rows, and of the middle ones the first half.
const ALL_BLOCKS: [Block; BLOCKS] = [
    Block::at(0, 0),
    Block::at(0, 1),
    Block::at(0, 2),
    Block::at(0, 3),
    Block::at(1, 0),
    Block::at(1, 1),
    Block::at(1, 2),
    Block::at(1, 3),
    Block::at(2, 0),
    Block::at(2, 1),
    Block::at(2, 2),
    Block::at(2, 3),
    Block::at(3, 0),
    Block::at(3, 1),
];

/// Eight bits as a number whose digits to the base of three are these bits.
static TERNARY: [u16; 256] = {
    let mut table = [0; 256];
    let mut bits = 1;
    while bits < 256 {
        table[bits] = 3 * table[bits >> 1] + (bits & 1) as u16;
        bits += 1;
    }
    table
};

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

    /// The steps of men that do not put the man where it is taken.
    fn safe_steps(&self) -> i32 {
        let safe = self.empty - self.attacked();
        let [left, right] = Color::White.advance(self.men).map(|to| to & safe);
        (left.len() + right.len()) as i32
    }

    /// How many more men stand on one wing than on the other.
    fn imbalance(&self) -> i32 {
        let [left, right] = [LEFT, RIGHT].map(|wing| (self.men & wing).len());
        left.abs_diff(right) as i32
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

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::super::{Fmjd, Square};
    use super::*;

    fn position(text: &str) -> Draughts<Fmjd> {
        Draughts::read(text, ()).unwrap()
    }

    /// Only men and kings count, and the patterns in which nobody stands.
    fn material() -> Patterns {
        let mut weights = vec![[0, 0]; COUNT];
        weights[MAN] = [1600, 1600];
        weights[FIRST_KING] = [4000, 4000];
        weights[FURTHER_KING] = [2400, 2400];
        Patterns { weights }
    }

    #[test]
    fn a_block_gathers_each_of_its_eight_squares_in_a_bit_of_its_own() {
        for block in ALL_BLOCKS {
            let squares =
                Squares::ALL.into_iter().filter(|&square| block.gathered(square.into()) != 0);
            let bits: Vec<usize> = squares.map(|square| block.gathered(square.into())).collect();
            assert_eq!(bits.len(), 8);
            assert!(bits.iter().all(|bit| bit.is_power_of_two()));
            assert_eq!(bits.iter().fold(0, |all, bit| all | bit), 0xff);
            assert_eq!(block.gathered(Squares::ALL), 0xff);
        }
    }

    #[test]
    fn the_blocks_and_their_turned_ones_cover_the_board() {
        let covers =
            |square: Square| ALL_BLOCKS.iter().any(|block| block.gathered(square.into()) != 0);
        for square in Squares::ALL {
            assert!(covers(square) || covers(square.rotated()), "{square}");
        }
    }

    /// The features of a position, and those of it with the colors swapped.
    #[test]
    fn features_are_those_of_the_mirrored_position() {
        fn features(position: &Draughts<Fmjd>) -> HashMap<usize, i32> {
            let mut features = HashMap::new();
            <Patterns as Weighted<Draughts<Fmjd>>>::features(position, |index, count| {
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
    fn the_parts_are_weighed_by_the_phase() {
        let mut patterns = material();
        patterns.weights[MAN] = [1600, 800];
        let score = |text| patterns.evaluate(&position(text));
        // 39 pieces of 40, and 3.
        assert_eq!(score("W:W31-50:B1-19"), Score((1600 * 39 + 800) / (40 * 16)));
        assert_eq!(score("B:W31,32:B3"), Score(-(1600 * 3 + 800 * 37) / (40 * 16)));
    }

    #[test]
    fn a_king_against_three_pieces_or_equal_kings_bring_the_score_down() {
        let check = |text, expected| {
            let terms = material().terms(&position(text));
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
