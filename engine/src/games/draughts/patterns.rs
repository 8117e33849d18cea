//! Patterns of men: what stands on a block of eight squares, four rows by four files, or on a panel of
//! twelve, six rows by four files.
//!
//! They overlap, and a panel holds three blocks: what is known of a block counts also where a panel was
//! never seen before. A pattern is the same one for White as for Black on the squares turned by 180°, so
//! half of them do for both. Patterns of men are how Scan (Letouzey) judges; the even blocks are those of
//! its version 2, the panels those of its version 3.
//!
//! A row of five squares has four pairs of neighbors. Four numbers of 16 bits in one word hold what
//! stands on them, and the patterns of the four blocks side by side are made of four such words at
//! once: no sum leaves its 16 bits.

use super::board::Board;
use super::board::Color::{Black, White};
use super::squares::Square;

/// Eight squares have so many patterns: each is empty, or has an own or an enemy man.
pub(super) const PATTERNS: usize = 3_usize.pow(8);

/// The blocks of the first rows, and of the middle ones the first half.
pub(super) const BLOCKS: usize = 14;

/// Those of the blocks that are parts of panels.
pub(super) const BLOCKS_IN_PANELS: usize = PANELS * BLOCKS_A_PANEL;

/// The panels of the first six rows.
pub(super) const PANELS: usize = 4;

/// Blocks one row apart: the block number `PANELS * i + panel` begins on the row number `i` of a panel.
pub(super) const BLOCKS_A_PANEL: usize = 3;

/// Twelve squares have so many patterns.
pub(super) const PANEL_PATTERNS: usize = 3_usize.pow(12);

/// The men on the first seven rows as one side sees them, in numbers with two digits to the base of three
/// for each pair of neighbors, four pairs to a word.
pub(super) struct Rows([u64; 7]);

impl Rows {
    /// The rows as White and as Black see them, and the sign of what they count for.
    #[inline(always)]
    pub(super) fn of(board: &Board) -> [(Self, i32); 2] {
        let [white, black] = [White, Black].map(|color| (board.of(color) - board.kings()).bits());
        let whites =
            std::array::from_fn(|row| PAIRS[five(white, row)] + 2 * PAIRS[five(black, row)]);
        let blacks = std::array::from_fn(|row| {
            TURNED_PAIRS[five(black, 9 - row)] + 2 * TURNED_PAIRS[five(white, 9 - row)]
        });
        [(Self(whites), 1), (Self(blacks), -1)]
    }

    /// The pattern on a block.
    #[inline(always)]
    pub(super) fn block(&self, block: usize) -> usize {
        let (first_row, pair) = (block / PANELS, block % PANELS);
        self.pattern::<4>(first_row, pair)
    }

    /// The pattern on a panel.
    #[inline(always)]
    pub(super) fn panel(&self, panel: usize) -> usize {
        self.pattern::<4>(0, panel) + PATTERNS * self.pattern::<2>(4, panel)
    }

    /// The pattern on so many rows of a pair, at most four.
    #[inline(always)]
    fn pattern<const ROWS: usize>(&self, first_row: usize, pair: usize) -> usize {
        let rows = &self.0[first_row..first_row + ROWS];
        let four_pairs = rows.iter().rfold(0, |sum, row| 9 * sum + row);
        (four_pairs >> (16 * pair) & 0xffff) as usize
    }
}

/// The value of the digit to the base of three that stands for a square of the first rows in the
/// patterns of a block, if it belongs to that.
pub(super) fn digit(block: usize, square: Square) -> Option<usize> {
    let (first_row, pair) = (block / PANELS, block % PANELS);
    let (row, place) = (usize::from(square.row()), usize::from(square.number() - 1) % 5);
    let [row, place] = [row.checked_sub(first_row)?, place.checked_sub(pair)?];
    (row < 4 && place < 2).then(|| 9_usize.pow(row as u32) * [1, 3][place])
}

/// The men on a row, in five bits.
#[inline(always)]
fn five(men: u64, row: usize) -> usize {
    (men >> (row / 2 * 13 + row % 2 * 6) & 0b11111) as usize
}

/// For each row of men, and for each pair of neighbors on it, a number with two digits to the base of
/// three.
static PAIRS: [u64; 32] = pairs([0, 1, 2, 3, 4]);

/// The same for a row that is seen from the other side.
static TURNED_PAIRS: [u64; 32] = pairs([4, 3, 2, 1, 0]);

const fn pairs(places: [u32; 5]) -> [u64; 32] {
    let mut pairs = [0; 32];
    let mut men = 0;
    while men < 32 {
        let mut pair = 0;
        while pair < 4 {
            let (one, other) = (men >> places[pair] & 1, men >> places[pair + 1] & 1);
            pairs[men] |= ((one + 3 * other) as u64) << (16 * pair);
            pair += 1;
        }
        men += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::super::board::{Color, Rank};
    use super::super::squares::Squares;
    use super::*;

    /// A pattern as `color` sees it, counted square by square.
    fn counted(board: &Board, color: Color, digit: impl Fn(Square) -> Option<usize>) -> usize {
        let mut pattern = 0;
        for square in Squares::ALL - board.kings() {
            let seen = if color == White { square } else { square.rotated() };
            let Some(digit) = digit(seen) else { continue };
            if board.of(color).contains(square) {
                pattern += digit;
            } else if board.of(color.other()).contains(square) {
                pattern += 2 * digit;
            }
        }
        pattern
    }

    /// The digit of a square in a panel: that in the block above, or in the lowest one.
    fn panel_digit(panel: usize, square: Square) -> Option<usize> {
        let lowest = (BLOCKS_A_PANEL - 1) * PANELS + panel;
        digit(panel, square).or_else(|| Some(81 * digit(lowest, square)?))
    }

    #[test]
    fn the_patterns_are_those_of_the_squares_one_by_one() {
        let mut state = 1_u64;
        for _ in 0..200 {
            let mut board = Board::default();
            for square in Squares::ALL {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                let rank = if state >> 60 == 0 { Rank::King } else { Rank::Man };
                match state >> 33 & 3 {
                    0 => board.put(Color::White, rank, square),
                    1 => board.put(Color::Black, rank, square),
                    _ => (),
                }
            }
            for (color, (rows, sign)) in [White, Black].into_iter().zip(Rows::of(&board)) {
                assert_eq!(sign, if color == White { 1 } else { -1 });
                for block in 0..BLOCKS {
                    let expected = counted(&board, color, |square| digit(block, square));
                    assert_eq!(rows.block(block), expected, "{board:?}, block {block}");
                }
                for panel in 0..PANELS {
                    let expected = counted(&board, color, |square| panel_digit(panel, square));
                    assert_eq!(rows.panel(panel), expected, "{board:?}, panel {panel}");
                }
            }
        }
    }

    #[test]
    fn a_panel_has_twelve_squares_with_a_digit_each() {
        for panel in 0..PANELS {
            let digits = Squares::ALL.into_iter().filter_map(|square| panel_digit(panel, square));
            let mut digits: Vec<usize> = digits.collect();
            digits.sort_unstable();
            let powers: Vec<usize> = (0..12).map(|power| 3_usize.pow(power)).collect();
            assert_eq!(digits, powers);
        }
    }

    #[test]
    fn a_block_has_eight_squares_with_a_digit_each() {
        for block in 0..BLOCKS {
            let mut digits: Vec<usize> =
                Squares::ALL.into_iter().filter_map(|square| digit(block, square)).collect();
            digits.sort_unstable();
            assert_eq!(digits, [1, 3, 9, 27, 81, 243, 729, 2187]);
        }
    }

    #[test]
    fn the_blocks_and_their_turned_ones_cover_the_board() {
        let covers = |square| (0..BLOCKS).any(|block| digit(block, square).is_some());
        for square in Squares::ALL {
            assert!(covers(square) || covers(square.rotated()), "{square}");
        }
    }
}
