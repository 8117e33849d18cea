//! A hand-written evaluation of halma, in hundredths of a file or rank of the way.
//!
//! Each army is judged in Red's frame, as if it walked to the south-east; Blue's is turned by 180°.
//! The value is the difference of the two, with a bonus for the move. A share of what the best move
//! gains is part of it. It stands for a quiescence search, which halma does not have: without it a
//! side rather shuffles at home than makes a step over which the other could jump next.
//!
//! The weights were set by hand and by matches of players who look one or two plies ahead.

use super::Halma;
use super::board::{Square, Squares, WIDTH, camp};
use super::moves::{self, Jumps};
use crate::position::{Evaluate, Position, Side, Term, WinModel};
use crate::score::Score;

/// A file or a rank of the way, the unit of the scores.
const STEP: i32 = 100;

/// For each man, times the square of his lag behind the mean of his army.
const LAG: i32 = 8;

/// For each man, times the square of his lead over the mean of his army.
const LEAD: i32 = 1;

/// For each man outside the goal, times the square of his distance from the diagonal between the
/// camps.
const OFFSIDE: i32 = 12;

/// For each square that a jump towards the goal may land on.
const JUMP: i32 = 40;

/// For each step that an enemy man in the goal is away from leaving it.
const GUEST: i32 = 200;

/// The steps that a square held by the army is worth on the way of a guest.
const HELD: usize = 3;

/// For a guest without a move that leads him out; with `n` such moves, divided by `1 + n`: about as
/// long he will stay if he moves by chance.
const NO_WAY_OUT: i32 = 1200;

/// For each move of a guest that does not lead him out.
const WAY_BACK: i32 = 30;

/// Guests begin to count when the army has this far to go, and count fully this much nearer.
const GUESTS_FROM: i32 = 150;
const GUESTS_FULLY: i32 = 100;

/// For each file or rank that the best move of the side to move gains.
const BEST_OWN: i32 = 60;

/// For each file or rank that the best move of the other side would gain now.
const BEST_OTHER: i32 = 40;

/// For the side to move.
const TEMPO: i32 = 200;

/// The hand-written evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Evaluation;

/// The parts of an army's value, in the order of [`NAMES`].
type Parts = [i32; NAMES.len()];

const NAMES: [&str; 6] = ["distance", "stragglers", "diagonal", "jumps", "guests", "best move"];

impl Evaluate<Halma> for Evaluation {
    /// Fitted to the positions of 300 games between players who look one ply ahead. Only 2 of them
    /// were not over after 300 plies, so an even score wins every second game.
    const WIN_MODEL: WinModel = WinModel { threshold: 0.0, spread: 1200.0 };

    fn evaluate(&self, position: &Halma) -> Score {
        let [own, other] = both_parts(position).map(|parts| parts.iter().sum::<i32>());
        Score(own - other + TEMPO)
    }

    fn terms(&self, position: &Halma) -> Vec<Term> {
        let [own, other] = both_parts(position);
        let parts = own.into_iter().zip(other).map(|(own, other)| own - other);
        let names = NAMES.into_iter().chain(["tempo"]);
        let values = parts.chain([TEMPO]);
        names.zip(values).map(|(name, value)| Term { name, score: Score(value) }).collect()
    }
}

/// The parts of the side to move, and those of the other side.
fn both_parts(position: &Halma) -> [Parts; 2] {
    let mover = position.side_to_move();
    [View::of(position, mover).parts(BEST_OWN), View::of(position, mover.other()).parts(BEST_OTHER)]
}

/// The files and ranks that a side's men still have to go to fill their goal, at least; 0 for
/// 19 men only when they fill it.
pub(super) fn distance(position: &Halma, side: Side) -> u32 {
    position.advances[side.index()].distance
}

/// An army and its enemy in the army's frame: it walks to the south-east.
struct View {
    own: Squares,
    enemy: Squares,
    advance: Advance,
}

impl View {
    fn of(position: &Halma, side: Side) -> Self {
        let (own, enemy) = (position.army(side), position.army(side.other()));
        let advance = position.advances[side.index()];
        match side {
            Side::First => Self { own, enemy, advance },
            Side::Second => Self { own: own.rotated(), enemy: enemy.rotated(), advance },
        }
    }

    fn parts(&self, best_move: i32) -> Parts {
        let advance = &self.advance;
        let distance = advance.distance as i32;
        [
            -STEP * distance,
            -advance.stragglers,
            -OFFSIDE * advance.offside,
            JUMP * self.jumps_ahead().len() as i32,
            -self.guests(distance),
            best_move * self.best_gain(),
        ]
    }

    /// The squares that a single jump to the east, the south or the south-east lands on.
    fn jumps_ahead(&self) -> Squares {
        let occupied = self.own.union(self.enemy);
        let east = self.own.east().intersection(occupied).east();
        let south = self.own.south().intersection(occupied).south();
        let both = self.own.east().south().intersection(occupied).east().south();
        east.union(south).union(both).without(occupied)
    }

    /// The most files and ranks that a move gains. The two of a step to the south-east are taken for
    /// granted.
    fn best_gain(&self) -> i32 {
        let occupied = self.own.union(self.enemy);
        let mut best = 1;
        for quarter in 0..4 {
            for (room, men) in Jumps::new(occupied, quarter).rooms(self.own.quarter(quarter)) {
                best = best.max(furthest(room) - rearmost(men));
            }
        }
        2 * best
    }

    /// What the enemy men in the goal cost: more and more as the army arrives.
    fn guests(&self, distance: i32) -> i32 {
        let near = (GUESTS_FROM - distance).clamp(0, GUESTS_FULLY);
        if near == 0 || self.enemy.intersection(camp(Side::Second)).is_empty() {
            return 0;
        }
        self.guests_stay() * near / GUESTS_FULLY
    }

    /// What keeps the enemy men in the goal from leaving it. As long as they stand there the army
    /// can't win.
    ///
    /// A guest leaves by steps and jumps over squares that are free. A square that a man of the army
    /// holds is as dear as [`HELD`] others, for he would have to make way first.
    fn guests_stay(&self) -> i32 {
        let goal = camp(Side::Second);
        let mut guests = self.enemy.intersection(goal);
        let occupied = self.own.union(self.enemy);
        let jumps: [Jumps; 4] = std::array::from_fn(|quarter| Jumps::new(occupied, quarter));
        let mut reached = goal.union(self.own).complement();
        // The squares of the army that are reached after so many further steps.
        let mut held = [Squares::NONE; HELD];
        let mut value = 0;
        for step in 1.. {
            if guests.is_empty() {
                break;
            }
            let place = step as usize % HELD;
            let made_way = std::mem::take(&mut held[place]);
            let beside = moves::approaches(reached, occupied, &jumps).without(reached);
            let waiting = held.into_iter().fold(made_way, Squares::union);
            held[place] = beside.intersection(self.own).without(waiting);
            let next = reached.union(beside.without(self.own)).union(made_way);
            for guest in guests.intersection(next) {
                let choices = moves::destinations(guest, occupied, &jumps[guest.quarter()]);
                let out = choices.intersection(reached).len() as i32;
                let back = choices.without(reached).len() as i32;
                value += GUEST * step + NO_WAY_OUT / (1 + out) + WAY_BACK * back;
            }
            guests = guests.without(next);
            reached = next;
        }
        value
    }
}

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
            offside: 0,
            distance: 0,
            stragglers: 0,
        };
        let army = army.into_iter().fold(nobody, |mut advance, square| {
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
        army.judged()
    }

    /// After a man's move.
    pub(super) fn moved(mut self, from: Square, to: Square) -> Self {
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
        self.judged()
    }

    fn judged(mut self) -> Self {
        self.distance = self.crossings(&self.western) + self.crossings(&self.northern);
        self.stragglers = self.cost_of_stragglers();
        self
    }

    /// Whether every man of the army has passed every man of the `other` one, who walk the other way.
    pub(super) fn is_past(&self, other: &Self) -> bool {
        let rearmost = |army: &Self| army.ways.iter().position(|&men| men > 0);
        match (rearmost(self), rearmost(other)) {
            (Some(own), Some(other)) => own + other >= self.ways.len(),
            _ => true,
        }
    }

    /// What the army costs by itself.
    pub(super) fn cost(&self) -> i32 {
        STEP * self.distance as i32 + self.stragglers + OFFSIDE * self.offside
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

/// The rows and columns of a quarter from its north-west corner to the furthest of `places`.
fn furthest(places: u64) -> i32 {
    (0..15).rev().find(|&way| places & AT[way] != 0).unwrap_or_default() as i32
}

/// The same to the nearest of `places`.
fn rearmost(places: u64) -> i32 {
    (0..15).find(|&way| places & AT[way] != 0).unwrap_or_default() as i32
}

/// For each number of rows and columns, the places that lie so far from the north-west corner of a
/// quarter.
static AT: [u64; 15] = {
    let mut table = [0; 15];
    let mut place = 0;
    while place < 64 {
        table[(place & 7) + 7 - (place >> 3)] |= 1 << place;
        place += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::super::Move;
    use super::*;

    fn position(text: &str) -> Halma {
        Halma::read(text, ()).unwrap()
    }

    fn term(text: &str, name: &str) -> i32 {
        let terms = Evaluation.terms(&position(text));
        terms.iter().find(|term| term.name == name).unwrap().score.0
    }

    #[test]
    fn the_distance_is_what_the_men_have_to_go_to_free_goal_squares() {
        let cases = [
            // The start: from 60 files and ranks to 510.
            ("rrrrr11/rrrrr11/rrrr12/rrr13/rr14/16/16/16/16/16/16/16/16/16/16/16 r 1", 450),
            // All home.
            ("16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/11rrrrr/11rrrrr r 1", 0),
            // The last man past the only hole on both axes: l1 is 4 files and 5 ranks from p6.
            ("16/16/16/16/16/16/16/16/16/16/15r/14rr/13rrr/12rrrr/11rrrrr/12rrrr r 1", 9),
            // A man whose way and diagonal fit, but who is not in the goal: k1 for l2.
            ("16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/12rrrr/10rrrrrr r 1", 2),
            // Fewer men than goal squares need not fill it.
            ("16/16/16/16/16/16/16/16/16/16/16/14rr/16/16/11r4/16 r 1", 0),
            ("16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 r 1", 0),
        ];
        for (text, expected) in cases {
            assert_eq!(distance(&position(text), Side::First), expected, "{text}");
            assert_eq!(distance(&position(text).mirrored(), Side::Second), expected, "{text}");
        }
    }

    #[test]
    fn an_enemy_in_the_goal_costs_more_the_harder_it_is_for_him_to_leave() {
        // The blue man on p1 is alone; he has a way along the first rank, and the last square of it
        // is held; he is shut in; he is deeper than another.
        let cases = [
            "b15/16/16/16/16/16/16/16/16/16/16/8rr6/7rrrrr4/7rrrr5/7rrrrr4/8rrr4b r 1",
            "b15/16/16/16/16/16/16/16/16/16/15r/14rr/13rrr/12rrrr/11rrrrr/10rrr2b r 1",
            "b15/16/16/16/16/16/16/16/16/16/15r/14rr/13rrr/12rrrr/11rrrrr/11rrrrb r 1",
        ];
        let values = cases.map(|text| term(text, "guests"));
        assert!(values.is_sorted_by(|easier, harder| harder < easier), "{values:?}");
        assert!(values[0] < 0);
        let at_the_rim = "b15/16/16/16/16/16/16/16/16/16/15r/14rr/13rrr/12rrrr/11brrrr/11rrrrr r 1";
        assert!(term(at_the_rim, "guests") > values[1]);
        // Nobody in the goal, and an army that is not there yet.
        let home = "b15/16/16/16/16/16/16/16/16/16/15r/14rr/13rrr/12rrrr/11rrrrr/11rrrr1 r 1";
        assert_eq!(term(home, "guests"), 0);
        assert_eq!(term(&Halma::start(()).to_string(), "guests"), 0);
    }

    #[test]
    fn a_player_who_leaves_his_men_at_home_at_random_loses() {
        for seed in 0..4 {
            let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut position = Halma::start(());
            while position.ply() < 1000 {
                let (moves, best) = best_move(&position);
                let Some(best) = best else { break };
                let other = moves[random.next_u64() as usize % moves.len()];
                let is_ours = position.side_to_move() == Side::First;
                position = position.after(if is_ours { best } else { other });
            }
            let winner = position.outcome(&[]).and_then(|outcome| outcome.winner);
            assert_eq!(winner, Some(Side::First), "seed {seed}: {position}");
        }
    }

    #[test]
    fn the_best_move_is_the_longest_chain_ahead() {
        let chain = "16/r15/1r14/16/3r12/16/16/16/16/16/16/16/16/16/16/16 r 1";
        // From a15 over b14 and d12 to e11; without a jump there is still a step.
        assert_eq!(term(chain, "best move"), 8 * BEST_OWN - 2 * BEST_OTHER);
        let alone = "r15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 r 1";
        assert_eq!(term(alone, "best move"), 2 * (BEST_OWN - BEST_OTHER));
    }

    #[test]
    fn no_evaluation_looks_like_a_forced_win() {
        // Blue is all but home; Red is far away, and apart from each other.
        let text = "1bbbbb10/bbbbb11/bbbb12/bbb13/b14r/\
                    16/16/16/16/16/r15/r15/rr14/rrr13/rrrr12/rrrrrrr9 r 1";
        let score = Evaluation.evaluate(&position(text));
        assert!(score.0.abs() < Score::HEURISTIC_MAX.0 / 4, "{score}");
    }

    /// The legal moves, and the best for a player who looks one ply ahead.
    fn best_move(position: &Halma) -> (Vec<Move>, Option<Move>) {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let best = moves.iter().copied().max_by_key(|&mv| {
            let next = position.after(mv);
            (next.outcome(&[]).is_some(), -Evaluation.evaluate(&next))
        });
        (moves, best)
    }

    /// The plies of a game between two such players, from a random opening of a few plies.
    fn greedy_game(mut position: Halma, opening: u32, seed: u64, at_most: u32) -> Option<u32> {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        for ply in 0..at_most {
            let (moves, best) = best_move(&position);
            let Some(best) = best else { return Some(ply) };
            let other = moves[random.next_u64() as usize % moves.len()];
            position = position.after(if ply < opening { other } else { best });
        }
        None
    }

    #[test]
    fn greedy_players_come_home() {
        let games: Vec<Option<u32>> =
            (0..40).map(|seed| greedy_game(Halma::start(()), 6, seed, 220)).collect();
        let finished = games.iter().flatten().count();
        assert!(finished >= 38, "{finished} of 40 games from seeds 0 to 39 ended: {games:?}");
    }

    #[test]
    fn greedy_players_let_a_shut_in_man_out_and_end_the_game() {
        let locked = "rbbbb11/bbbbb11/bbbb12/bbb13/bb14/16/16/16/16/16/16/14rr/13rrr/12rrrr/11rrrrr/\
                      11rrrrb r 120";
        let plies = greedy_game(position(locked), 0, 0, 60);
        assert!(plies.is_some(), "the lock is not opened");
    }
}
