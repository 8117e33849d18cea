//! Patterns of men: what stands on a block of eight squares, four rows by four files.
//!
//! Blocks overlap. A pattern is the same one for White as for Black on the block turned by 180°, so
//! half of the blocks do for both. Patterns of men are how Scan (Letouzey) judges; the even blocks are
//! those of its version 2.
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

/// The blocks whose first row is one of the first four.
const WIDTHS: [usize; 4] = [4, 4, 4, 2];

/// Calls `count` with the index of each pattern that White sees and with 1, and with that of each
/// that Black sees and -1. Those of a block lie together.
#[inline(always)]
pub(super) fn patterns(board: &Board, mut count: impl FnMut(usize, i32)) {
    let [white, black] = [White, Black].map(|color| (board.of(color) - board.kings()).bits());
    let seen = |upper: [u64; 7]| -> [u64; 4] {
        std::array::from_fn(|row| {
            upper[row] + 9 * (upper[row + 1] + 9 * (upper[row + 2] + 9 * upper[row + 3]))
        })
    };
    let whites =
        seen(std::array::from_fn(|row| PAIRS[five(white, row)] + 2 * PAIRS[five(black, row)]));
    let blacks = seen(std::array::from_fn(|row| {
        TURNED_PAIRS[five(black, 9 - row)] + 2 * TURNED_PAIRS[five(white, 9 - row)]
    }));
    let mut base = 0;
    for row in 0..4 {
        for pair in 0..WIDTHS[row] {
            count(base + (whites[row] >> (16 * pair) & 0xffff) as usize, 1);
            count(base + (blacks[row] >> (16 * pair) & 0xffff) as usize, -1);
            base += PATTERNS;
        }
    }
}

/// The value of the digit to the base of three that stands for a square of the first rows in the
/// patterns of a block, if it belongs to that.
pub(super) fn digit(block: usize, square: Square) -> Option<usize> {
    let (first_row, pair) = (block / 4, block % 4);
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

    /// The patterns of the blocks, as White and as Black see them, counted square by square.
    fn counted(board: &Board) -> Vec<(usize, i32)> {
        let mut counted = Vec::new();
        for block in 0..BLOCKS {
            for (color, sign) in [(White, 1), (Black, -1)] {
                let mut pattern = block * PATTERNS;
                for square in Squares::ALL - board.kings() {
                    let seen = if color == White { square } else { square.rotated() };
                    let Some(digit) = digit(block, seen) else { continue };
                    if board.of(color).contains(square) {
                        pattern += digit;
                    } else if board.of(color.other()).contains(square) {
                        pattern += 2 * digit;
                    }
                }
                counted.push((pattern, sign));
            }
        }
        counted
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
            let mut found = Vec::new();
            patterns(&board, |index, sign| found.push((index, sign)));
            assert_eq!(found, counted(&board), "{board:?}");
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
