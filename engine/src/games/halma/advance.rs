//! How far an army has come, kept move by move: what the evaluation and the planner for one army
//! both go by.

use super::board::{Square, Squares, WIDTH, camp};
use crate::position::Side;

/// A file or a rank of the way, the unit of the scores.
pub(super) const STEP: i32 = 100;

/// For each man, times the square of his lag behind the mean of his army.
const LAG: i32 = 8;

/// For each man, times the square of his lead over the mean of his army.
const LEAD: i32 = 1;

/// For each man outside the goal, times the square of his distance from the diagonal between the
/// camps.
const OFFSIDE: i32 = 12;

/// A count for each of the 16 files, or ranks.
type Lanes = [u8; WIDTH as usize];

/// How far an army has come on its way to the south-east. It is kept with the army, move by move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Advance {
    men: u8,
    /// For each file, the men on it or to the west of it.
    western: Lanes,
    /// For each rank, counted from the north, the men on it or to the north of it.
    northern: Lanes,
    /// How many men have come so many files and ranks from the north-west corner.
    ways: [u8; 31],
    /// The sum of the men's files and ranks from there, and of their squares.
    sum: i32,
    squares: i32,
    /// The mean of the men's files and ranks, rounded down.
    mean: i32,
    /// The sum of the squared distances of the men from the diagonal, men in the goal left out.
    offside: i32,
    /// The fewest files and ranks that fill the goal, each axis taken for itself.
    distance: u32,
    /// What the men cost who lag far behind the mean of the army, or run far ahead of it.
    stragglers: i32,
}

/// For each lane, the goal squares on it or before it: the same for files as for ranks.
const GOAL: Lanes = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 5, 9, 14, 19];

impl Advance {
    pub(super) fn of(army: Squares) -> Self {
        let nobody = Self {
            men: 0,
            western: [0; 16],
            northern: [0; 16],
            ways: [0; 31],
            sum: 0,
            squares: 0,
            mean: 0,
            offside: 0,
            distance: 0,
            stragglers: 0,
        };
        let mut army = army.into_iter().fold(nobody, |mut advance, square| {
            advance.men += 1;
            add(&mut advance.western, &FROM[usize::from(square.file())]);
            add(&mut advance.northern, &FROM[usize::from(WIDTH - 1 - square.rank())]);
            let way = square.way();
            advance.ways[way as usize] += 1;
            advance.sum += way;
            advance.squares += way * way;
            advance.offside += offside(square);
            advance
        });
        army.judge();
        army
    }

    /// After a man's move.
    pub(super) fn moved(mut self, from: Square, to: Square) -> Self {
        self.relocate(from, to);
        self
    }

    /// A man moves.
    pub(super) fn relocate(&mut self, from: Square, to: Square) {
        let (file, rank) = (usize::from(from.file()), usize::from(WIDTH - 1 - from.rank()));
        subtract(&mut self.western, &FROM[file]);
        subtract(&mut self.northern, &FROM[rank]);
        add(&mut self.western, &FROM[usize::from(to.file())]);
        add(&mut self.northern, &FROM[usize::from(WIDTH - 1 - to.rank())]);
        let (old, new) = (from.way(), to.way());
        self.ways[old as usize] -= 1;
        self.ways[new as usize] += 1;
        self.sum += new - old;
        self.squares += new * new - old * old;
        self.offside += offside(to) - offside(from);
        self.judge();
    }

    fn judge(&mut self) {
        self.distance = self.crossings(&self.western) + self.crossings(&self.northern);
        self.stragglers = self.cost_of_stragglers();
        self.mean = self.sum / i32::from(self.men).max(1);
    }

    /// Whether every man of the army has passed every man of the `other` one, who walk the other way.
    pub(super) fn is_past(&self, other: &Self) -> bool {
        let rearmost = |army: &Self| army.ways.iter().position(|&men| men > 0);
        match (rearmost(self), rearmost(other)) {
            (Some(own), Some(other)) => own + other >= self.ways.len(),
            _ => true,
        }
    }

    /// What a man is worth to the army on each square: the difference of two squares is about what
    /// the army costs less after his move.
    pub(super) fn worths(&self) -> &'static [i16; 256] {
        &WORTHS[self.mean as usize]
    }

    /// The squares that are worth more than so much to the army of `side`, and maybe some that are
    /// worth a little less.
    pub(super) fn worth_more(&self, side: Side, worth: i32) -> &'static Squares {
        let class = ((worth - LEAST_WORTH) / CLASS).clamp(0, CLASSES as i32 - 1);
        &WORTH_MORE[side.index()][self.mean as usize][class as usize]
    }

    /// What the army costs by itself: for the way to go, the stragglers, and the men off the diagonal.
    pub(super) fn costs(&self) -> [i32; 3] {
        [STEP * self.distance as i32, self.stragglers, OFFSIDE * self.offside]
    }

    /// The sum of the [`costs`](Self::costs).
    pub(super) fn cost(&self) -> i32 {
        self.costs().iter().sum()
    }

    /// The fewest files and ranks that fill the goal.
    ///
    /// On an axis the men who have to cross from a lane to the next are those by which the men
    /// before that border outnumber the goal squares there, and the other way round. The goal is the
    /// only set of 19 squares with its numbers of files and ranks (one is the conjugate partition of
    /// the other; Gale 1957, Ryser 1957), so the distance is 0 only when it is filled.
    pub(super) fn distance(&self) -> u32 {
        self.distance
    }

    fn crossings(&self, lanes: &Lanes) -> u32 {
        let crossing = |(men, goal): (&u8, &u8)| {
            let beyond = (self.men - men).saturating_sub(GOAL[15] - goal);
            u32::from(men.saturating_sub(*goal) + beyond)
        };
        lanes.iter().zip(&GOAL).map(crossing).sum()
    }

    /// The sum of all squared distances from the mean follows from the sums; only those of the men
    /// behind are added up.
    fn cost_of_stragglers(&self) -> i32 {
        let (men, sum) = (i32::from(self.men), self.sum);
        if men == 0 {
            return 0;
        }
        let all = men * (men * self.squares - sum * sum);
        let mut behind = 0;
        for (&count, way) in self.ways.iter().zip(0..(sum + men - 1) / men) {
            let lag = sum - men * way;
            behind += i32::from(count) * lag * lag;
        }
        (LAG * behind + LEAD * (all - behind)) / (men * men)
    }
}

/// What a man is worth on each square, for each mean of his army.
static WORTHS: [[i16; 256]; 31] = {
    let mut table = [[0; 256]; 31];
    let mut entry = 0;
    while entry < 31 * 256 {
        let (mean, index) = (entry / 256, entry % 256);
        let way = Square::numbered(index as u8).way();
        let lag = mean as i32 - way;
        let astray = (if lag > 0 { LAG } else { LEAD }) * lag * lag;
        let worth = STEP * way - astray - OFFSIDE * OFFSIDE_AT[index] as i32;
        table[mean][index] = worth as i16;
        entry += 1;
    }
    table
};

/// Worths are told apart in so many classes, each so wide, from about this one on.
const CLASSES: usize = 64;
const CLASS: i32 = 64;
const LEAST_WORTH: i32 = 31 * STEP - CLASS * CLASSES as i32;

/// For each side and mean of its army, the squares of each class of worths and of those above it. Those
/// below all classes are in the first one.
static WORTH_MORE: [[[Squares; CLASSES]; 31]; 2] = {
    let mut table = [[[Squares::NONE; CLASSES]; 31]; 2];
    let mut mean = 0;
    while mean < 31 {
        let mut index = 0;
        while index < 256 {
            let above = WORTHS[mean][index] as i32 - LEAST_WORTH;
            let class = if above < 0 { 0 } else { (above / CLASS) as usize };
            let square = Square::numbered(index as u8);
            let [red, blue] = [&table[0][mean][class], &table[1][mean][class]];
            let (red, blue) = (red.with(square), blue.with(square.rotated()));
            table[0][mean][class] = red;
            table[1][mean][class] = blue;
            index += 1;
        }
        let mut class = CLASSES - 1;
        while class > 0 {
            class -= 1;
            table[0][mean][class] = table[0][mean][class].union(table[0][mean][class + 1]);
            table[1][mean][class] = table[1][mean][class].union(table[1][mean][class + 1]);
        }
        mean += 1;
    }
    table
};

/// The squared distance from the diagonal between the camps, 0 in the goal.
fn offside(square: Square) -> i32 {
    i32::from(OFFSIDE_AT[usize::from(square.index())])
}

static OFFSIDE_AT: [u8; 256] = {
    let mut table = [0; 256];
    let (mut file, mut rank) = (0, 0);
    while rank < WIDTH {
        if let Some(square) = Square::at(file, rank)
            && !camp(Side::Second).contains(square)
        {
            let off = file.abs_diff(WIDTH - 1 - rank);
            table[square.index() as usize] = off * off;
        }
        file += 1;
        if file == WIDTH {
            (file, rank) = (0, rank + 1);
        }
    }
    table
};

fn add(lanes: &mut Lanes, more: &Lanes) {
    for (lane, more) in lanes.iter_mut().zip(more) {
        *lane = lane.wrapping_add(*more);
    }
}

fn subtract(lanes: &mut Lanes, less: &Lanes) {
    for (lane, less) in lanes.iter_mut().zip(less) {
        *lane = lane.wrapping_sub(*less);
    }
}

/// For a man on each lane, what he adds to the lanes.
static FROM: [Lanes; WIDTH as usize] = {
    let mut table = [[0; 16]; 16];
    let mut lane = 0;
    while lane < 16 {
        let mut behind = lane;
        while behind < 16 {
            table[lane][behind] = 1;
            behind += 1;
        }
        lane += 1;
    }
    table
};
