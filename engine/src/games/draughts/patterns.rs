//! Patterns of men: what stands on a block of eight squares, four rows by four files.
//!
//! Blocks overlap. A pattern is the same one for White as for Black on the block turned by 180°, so
//! half of the blocks do for both. Patterns of men are how Scan (Letouzey) judges; the even blocks are
//! those of its version 2.

use super::squares::{Square, Squares};

/// Eight squares have so many patterns: each is empty, or has an own or an enemy man.
pub(super) const PATTERNS: usize = 3_usize.pow(8);

/// Four rows by four files: two neighboring squares on each of four rows.
#[derive(Clone, Copy)]
pub(super) struct Block {
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
    pub(super) fn pattern(&self, own: Squares, enemy: Squares) -> usize {
        let [own, enemy] = [own, enemy].map(|men| self.gathered(men));
        usize::from(TERNARY[own]) + 2 * usize::from(TERNARY[enemy])
    }

    /// The value of the ternary digit that stands for a square, if it is in the block.
    pub(super) fn digit(&self, square: Square) -> Option<usize> {
        let bit = self.gathered(square.into());
        (bit != 0).then(|| usize::from(TERNARY[bit]))
    }

    /// The squares of the block in eight bits.
    #[inline(always)]
    fn gathered(&self, men: Squares) -> usize {
        let bits = men.bits() >> self.first & self.squares;
        (bits.wrapping_mul(self.magic) >> self.shift & 0xff) as usize
    }
}

/// The blocks of the first rows, and of the middle ones the first half.
pub(super) const BLOCKS: [Block; 14] = [
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_gathers_each_of_its_eight_squares_in_a_bit_of_its_own() {
        for block in BLOCKS {
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
        let covers = |square: Square| BLOCKS.iter().any(|block| block.gathered(square.into()) != 0);
        for square in Squares::ALL {
            assert!(covers(square) || covers(square.rotated()), "{square}");
        }
    }
}
