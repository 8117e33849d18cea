//! The endgame table: the value of every position with few stones in the pits.
//!
//! A position is two rows, and each row is ranked among the rows with as many stones. So the table
//! is a sequence of blocks, one for each number of stones of the mover and of the waiter, and a
//! block is a matrix: a line for each row of the mover, a column for each row of the waiter.
//!
//! A sowing that brings no stone to a store stays within its row, stops short of the store, passes
//! the turn, and lowers the rank of the row. All others lead to fewer stones. So the blocks are
//! filled by their total of stones, and the lines of a block by rank. While the table is built, a
//! second one holds the same values by the row of the waiter. With both at hand the row that
//! changes at a step is fixed, and the steps run along lines in memory, one column after the other.

use std::collections::VecDeque;

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

use super::super::board::{PITS, Pit, Row, play};
use crate::memory;
use crate::score::Turn;

/// The most stones a table can be built for: ranks fit 16 bits.
pub(super) const STONES_AT_MOST: usize = 18;
/// Numbers of stones, from 0 on.
const COUNTS: usize = STONES_AT_MOST + 1;

/// What the side to move collects until the end of the game, with perfect play on both sides.
pub(super) struct Endgame {
    stones: u8,
    starts: Starts,
    values: Vec<u8>,
}

/// Where each block begins, by the total of stones and those of the mover. Blocks lie in the order
/// of their totals.
type Starts = [[u32; COUNTS]; COUNTS];

impl Endgame {
    /// The table of all positions with up to `stones` stones in the pits, built on the current
    /// rayon pool.
    pub(super) fn new(stones: u8) -> Self {
        let stones = stones.min(STONES_AT_MOST as u8);
        let (starts, size) = starts(usize::from(stones));
        let rows: Vec<Rows> = (0..=usize::from(stones)).map(Rows::with_stones).collect();
        let table = || memory::table(size).expect("some MiB");
        let (mut by_mover, mut by_waiter) = (table(), table());
        for total in 0..=usize::from(stones) {
            let fresh = starts[total][0] as usize;
            let (mover_known, mut mover_rest) = by_mover.split_at_mut(fresh);
            let (waiter_known, mut waiter_rest) = by_waiter.split_at_mut(fresh);
            let known = Known { starts: &starts, by_mover: mover_known, by_waiter: waiter_known };
            let mut blocks = VecDeque::new();
            for here in 0..=total {
                let cells = combinations(here) * combinations(total - here);
                let (by_mover, by_waiter);
                (by_mover, mover_rest) = mover_rest.split_at_mut(cells);
                (by_waiter, waiter_rest) = waiter_rest.split_at_mut(cells);
                blocks.push_back(Block { by_mover, by_waiter });
            }
            let mut pairs = Vec::new();
            while let Some(block) = blocks.pop_front() {
                pairs.push((block, blocks.pop_back()));
            }
            pairs.into_par_iter().enumerate().for_each(|(here, (mut block, mirrored))| {
                let lines = Lines { here: &rows[here], there: &rows[total - here] };
                lines.fill(&mut block, &known);
                if let Some(mirrored) = mirrored {
                    let columns = combinations(total - here);
                    transpose(block.by_mover, columns, mirrored.by_waiter);
                    transpose(block.by_waiter, columns, mirrored.by_mover);
                }
            });
        }
        Self { stones, starts, values: by_mover }
    }

    /// The largest number of stones in the pits that the table covers.
    pub(super) fn stones(&self) -> u8 {
        self.stones
    }

    /// Where the position lies in which the side to move owns `own`.
    pub(super) fn address(&self, own: Row, other: Row) -> usize {
        address(&self.starts, own, other)
    }

    /// Begins to fetch the value there.
    pub(super) fn prefetch(&self, address: usize) {
        memory::prefetch(&self.values[address]);
    }

    /// What the side to move of the position there collects.
    pub(super) fn collected(&self, address: usize) -> u8 {
        self.values[address]
    }
}

/// What is known of positions with fewer stones.
struct Known<'a> {
    starts: &'a Starts,
    by_mover: &'a [u8],
    by_waiter: &'a [u8],
}

impl<'a> Known<'a> {
    /// The values of the positions in which the mover has `row`, by the row of the waiter.
    fn mover(&self, row: Row, there: usize) -> &'a [u8] {
        &self.by_mover[self.line(row, there)..][..combinations(there)]
    }

    /// The values of the positions in which the waiter has `row`, by the row of the mover.
    fn waiter(&self, row: Row, there: usize) -> &'a [u8] {
        &self.by_waiter[self.line(row, there)..][..combinations(there)]
    }

    fn line(&self, row: Row, there: usize) -> usize {
        let here = usize::from(row.stones());
        self.starts[here + there][here] as usize + rank(row) * combinations(there)
    }

    /// What a side collects by a sowing that brings a stone to its store.
    fn collected(&self, own: Row, other: Row, pit: Pit) -> u8 {
        let stones = own.stones() + other.stones();
        let (own, other, turn) = play(own, other, pit);
        match turn {
            _ if own.is_empty() => own.store(),
            Turn::Stays => own.store() + self.by_mover[address(self.starts, own, other)],
            Turn::Passes => stones - self.by_mover[address(self.starts, other, own)],
        }
    }
}

/// The values of the positions with certain numbers of stones on either side.
struct Block<'a> {
    /// A line has the row of the mover.
    by_mover: &'a mut [u8],
    /// A line has the row of the waiter.
    by_waiter: &'a mut [u8],
}

/// Writes a matrix of so many columns with its lines as columns.
fn transpose(from: &[u8], columns: usize, to: &mut [u8]) {
    /// The side of a square that stays in the fastest cache.
    const SQUARE: usize = 64;
    let lines = from.len() / columns;
    for first_line in (0..lines).step_by(SQUARE) {
        let some_lines = first_line..lines.min(first_line + SQUARE);
        for column in 0..columns {
            let to = &mut to[column * lines..][some_lines.clone()];
            for (to, line) in to.iter_mut().zip(some_lines.clone()) {
                *to = from[line * columns + column];
            }
        }
    }
}

/// Fills a block.
struct Lines<'a> {
    /// The rows that have a line each.
    here: &'a Rows,
    /// The rows that have a column each.
    there: &'a Rows,
}

impl Lines<'_> {
    fn fill(&self, block: &mut Block<'_>, known: &Known<'_>) {
        let (here, there) = (self.here.stones, self.there.stones);
        if here == 0 || there == 0 {
            block.by_mover.fill(here as u8);
            block.by_waiter.fill(there as u8);
            return;
        }
        for line in 0..self.here.all.len() {
            self.fill_mover(block, known, line);
            self.fill_waiter(block, known, line);
        }
    }

    /// One line with the moves of its own row.
    fn fill_mover(&self, block: &mut Block<'_>, known: &Known<'_>, line: usize) {
        let (here, there) = (self.here.stones, self.there.stones);
        let total = (here + there) as u8;
        let columns = self.there.all.len();
        let out = &mut block.by_mover[line * columns..][..columns];
        let row = self.here.all[line];
        for pit in row.moves() {
            let (way, after) = way(row, pit);
            match way {
                Way::Extra => {
                    let from = known.mover(after, there);
                    out.iter_mut().zip(from).for_each(|(out, &value)| *out = (*out).max(1 + value));
                }
                Way::Over(0) => {
                    let from = &block.by_waiter[rank(after) * columns..][..columns];
                    out.iter_mut()
                        .zip(from)
                        .for_each(|(out, &value)| *out = (*out).max(total - value));
                }
                Way::Over(sown) => {
                    let from = known.waiter(after, there + sown);
                    for (out, &column) in out.iter_mut().zip(&self.there.sown_into[sown - 1]) {
                        *out = (*out).max(total - from[usize::from(column)]);
                    }
                }
                Way::Capture(pit) => {
                    let from: Vec<&[u8]> =
                        (0..=there).map(|captured| known.waiter(after, there - captured)).collect();
                    let columns = &self.there.emptied[pit.index()];
                    for ((out, &column), row) in out.iter_mut().zip(columns).zip(&self.there.all) {
                        let from = from[usize::from(row.pit(pit))];
                        *out = (*out).max(total - from[usize::from(column)]);
                    }
                }
                Way::Lap => {
                    for (out, &other) in out.iter_mut().zip(&self.there.all) {
                        *out = (*out).max(known.collected(row, other, pit));
                    }
                }
            }
        }
    }

    /// One line with the moves of the rows of its columns.
    fn fill_waiter(&self, block: &mut Block<'_>, known: &Known<'_>, line: usize) {
        let (here, there) = (self.here.stones, self.there.stones);
        let total = (here + there) as u8;
        let columns = self.there.all.len();
        let out = &mut block.by_waiter[line * columns..][..columns];
        let row = self.here.all[line];
        let steps = &self.there.steps;
        let mut pass = |steps: &[Step], from: &[u8]| {
            for step in steps {
                let out = &mut out[usize::from(step.before)];
                *out = (*out).max(total - from[usize::from(step.after)]);
            }
        };
        pass(&steps.over[0], &block.by_mover[line * columns..][..columns]);
        for sown in 1..=PITS.min(there - 1) {
            pass(&steps.over[sown], known.mover(sown_into(row, sown), there - 1 - sown));
        }
        for pit in Pit::ALL {
            pass(&steps.capture[pit.index()], known.mover(row.without(pit), there - 1));
        }
        let from = known.waiter(row, there - 1);
        for step in &steps.extra {
            let out = &mut out[usize::from(step.before)];
            *out = (*out).max(1 + from[usize::from(step.after)]);
        }
        for &(before, pit) in &steps.lap {
            let before = usize::from(before);
            out[before] = out[before].max(known.collected(self.there.all[before], row, pit));
        }
    }
}

/// All rows with the same number of stones, by rank, and what may happen to them.
struct Rows {
    stones: usize,
    all: Vec<Row>,
    /// The ranks after one stone has been sown into each of the first 1, 2, … pits; of no meaning
    /// where that makes more stones than a table can have.
    sown_into: [Vec<u16>; PITS],
    /// The ranks after a pit has been emptied.
    emptied: [Vec<u16>; PITS],
    steps: Steps,
}

/// The sowings from all rows with the same number of stones, by what they do to the other side.
#[derive(Default)]
struct Steps {
    extra: Vec<Step>,
    over: [Vec<Step>; PITS + 1],
    capture: [Vec<Step>; PITS],
    lap: Vec<(u16, Pit)>,
}

/// The rank of a row before and after one sowing.
struct Step {
    before: u16,
    after: u16,
}

/// What a sowing does to the other side.
enum Way {
    /// Nothing: the same side moves again.
    Extra,
    /// One stone falls into each of its first pits; if none does, none falls into the store either.
    Over(usize),
    /// This pit of its row is emptied.
    Capture(Pit),
    /// The sowing comes round to its own side again.
    Lap,
}

/// What sowing from `pit` does, and what becomes of `row`; if it is [`Way::Lap`] that depends.
fn way(row: Row, pit: Pit) -> (Way, Row) {
    let last = pit.index() + usize::from(row.pit(pit));
    let ones = Row::new([1, 1, 1, 1, 1, 1, 0]);
    let (after, _, _) = play(row, ones, pit);
    let way = match last {
        PITS => Way::Extra,
        0..PITS if row.pit(Pit::ALL[last]) == 0 => Way::Capture(Pit::ALL[last].opposite()),
        0..PITS => Way::Over(0),
        _ if last <= 2 * PITS => Way::Over(last - PITS),
        _ => Way::Lap,
    };
    (way, after)
}

/// The row with one more stone in each of its first `pits` pits.
fn sown_into(row: Row, pits: usize) -> Row {
    Pit::ALL[..pits].iter().fold(row, |row, &pit| row.with_one_more(pit))
}

impl Rows {
    fn with_stones(stones: usize) -> Self {
        let mut all = vec![Row::EMPTY; combinations(stones)];
        put_rows(Row::EMPTY, &Pit::ALL, stones, &mut all);
        let ranks =
            |change: &dyn Fn(Row) -> Row| all.iter().map(|&row| rank(change(row)) as u16).collect();
        let sown_into = std::array::from_fn(|pit| ranks(&|row| sown_into(row, pit + 1)));
        let emptied = std::array::from_fn(|pit| ranks(&|row| row.without(Pit::ALL[pit])));
        let mut steps = Steps::default();
        for (before, &row) in all.iter().enumerate() {
            let before = before as u16;
            for pit in row.moves() {
                let (way, after) = way(row, pit);
                let step = Step { before, after: rank(after) as u16 };
                match way {
                    Way::Extra => steps.extra.push(step),
                    Way::Over(sown) => steps.over[sown].push(step),
                    Way::Capture(pit) => steps.capture[pit.index()].push(step),
                    Way::Lap => steps.lap.push((before, pit)),
                }
            }
        }
        Self { stones, all, sown_into, emptied, steps }
    }
}

/// Puts every row that `row` becomes by `stones` more stones in `pits` where its rank belongs.
fn put_rows(row: Row, pits: &[Pit], stones: usize, rows: &mut [Row]) {
    let Some((&pit, pits)) = pits.split_first() else { return };
    let mut row = row;
    for here in 0..=stones {
        if here == stones {
            rows[rank(row)] = row;
        } else {
            put_rows(row, pits, stones - here, rows);
        }
        row = row.with_one_more(pit);
    }
}

/// The number of rows with so many stones.
fn combinations(stones: usize) -> usize {
    BINOMIALS[PITS - 2][stones + 1] as usize
}

/// Where a position lies.
fn address(starts: &Starts, own: Row, other: Row) -> usize {
    let (here, there) = (usize::from(own.stones()), usize::from(other.stones()));
    starts[here + there][here] as usize + rank(own) * combinations(there) + rank(other)
}

/// Where the blocks with up to `stones` stones begin, and where the last one ends.
fn starts(stones: usize) -> (Starts, usize) {
    let mut starts = [[0; COUNTS]; COUNTS];
    let mut size = 0;
    for (total, starts) in starts.iter_mut().enumerate().take(stones + 1) {
        for (here, start) in starts.iter_mut().enumerate().take(total + 1) {
            *start = size as u32;
            size += combinations(here) * combinations(total - here);
        }
    }
    (starts, size)
}

/// The rank of a row among those with as many stones, in the combinatorial number system: the sums
/// of its first 1, 2, … 5 pits, each made greater than the one before it, are a combination.
fn rank(row: Row) -> usize {
    let sums = row.running_sums();
    (0..PITS - 1).map(|pit| BINOMIALS[pit][usize::from(sums[pit])] as usize).sum()
}

/// `BINOMIALS[pit][sum]` is the number of rows that come before one whose pits up to `pit` hold
/// `sum` stones, those before them alike: (sum + pit) over (pit + 1).
static BINOMIALS: [[u16; 32]; PITS - 1] = binomials();

const fn binomials() -> [[u16; 32]; PITS - 1] {
    let mut table = [[0; 32]; PITS - 1];
    let mut pit = 0;
    while pit < PITS - 1 {
        let mut sum = 1;
        while sum <= COUNTS {
            let left = if pit == 0 { 1 } else { table[pit - 1][sum] };
            table[pit][sum] = table[pit][sum - 1] + left;
            sum += 1;
        }
        pit += 1;
    }
    table
}
