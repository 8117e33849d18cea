//! A hand-written evaluation of halma, in hundredths of a file or rank of the way.
//!
//! Each army is judged in Red's frame, as if it walked to the south-east; Blue's is turned by 180°.
//! The value is the difference of the two, with a bonus for the move. A share of what the best move
//! gains is part of it. It stands for a quiescence search, which halma does not have: without it a
//! side rather shuffles at home than makes a step over which the other could jump next. What the others
//! of its men could gain counts, too, but less.
//!
//! The weights, here and in [`super::advance`], were set by hand and by matches.

use super::Halma;
use super::board::{Squares, camp};
use super::moves::{self, Jumps};
use crate::position::{Evaluate, Position, Side, Term, WinModel};
use crate::score::Score;

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

/// For each file or rank that a man could gain by the best move through each of his rooms, beyond a
/// step: of the side to move, and of the other one. What one man has used others can often use next.
const LADDERS_OWN: i32 = 10;
const LADDERS_OTHER: i32 = 8;

/// For the side to move.
const TEMPO: i32 = 200;

/// The hand-written evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Evaluation;

/// The parts of an army's value, in the order of [`NAMES`].
type Parts = [i32; NAMES.len()];

const NAMES: [&str; 7] =
    ["distance", "stragglers", "diagonal", "jumps", "guests", "best move", "ladders"];

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
    let prospects = prospects(position);
    let parts = |side: Side, [best, ladders]: [i32; 2]| {
        let Prospect { gain, ladder, landings } = prospects[side.index()];
        let guests = guests(position, side);
        let [distance, stragglers, offside] = position.advances[side.index()].costs();
        let [best, ladders] = [best * gain, ladders * ladder];
        [-distance, -stragglers, -offside, JUMP * landings, -guests, best, ladders]
    };
    let mover = position.side_to_move();
    let own = parts(mover, [BEST_OWN, LADDERS_OWN]);
    [own, parts(mover.other(), [BEST_OTHER, LADDERS_OTHER])]
}

/// What a side can gain by its next moves.
#[derive(Clone, Copy)]
struct Prospect {
    /// The most files and ranks that a move gains. The two of a step straight ahead are taken for
    /// granted.
    gain: i32,
    /// The files and ranks beyond that step that each man could gain through each of his rooms.
    ladder: i32,
    /// The squares that a single jump ahead lands on: along a file, a rank, or both.
    landings: i32,
}

/// The prospects of both sides.
///
/// Both jump from room to room of the same empty places, only that they go opposite ways. A room of
/// one place is worth no more than the jump into it, which is counted for itself.
fn prospects(position: &Halma) -> [Prospect; 2] {
    let armies = [Side::First, Side::Second].map(|side| position.army(side));
    let occupied = armies[0].union(armies[1]);
    // In rows of a quarter.
    let (mut gains, mut ladders) = ([1, 1], [0, 0]);
    let mut landings = [[0; 2]; 4];
    for (quarter, landings) in landings.iter_mut().enumerate() {
        let jumps = Jumps::new(occupied, quarter);
        let men = armies.map(|army| army.quarter(quarter));
        for side in [Side::First, Side::Second] {
            let [straight, both] = jumps.ahead(side, men[side.index()]);
            landings[side.index()] = straight | both;
            gains[side.index()] = gains[side.index()].max(1 + i32::from(both != 0));
        }
        for (room, around) in jumps.large_rooms(men[0] | men[1]) {
            let ways = ways(room);
            let (nearest, furthest) = (ways.trailing_zeros() as i32, ways.ilog2() as i32);
            let mut count = |side: usize, gain: i32| {
                gains[side] = gains[side].max(gain);
                ladders[side] += (gain - 1).max(0);
            };
            each_way(around & men[0], |way| count(0, furthest - way));
            each_way(around & men[1], |way| count(1, way - nearest));
        }
    }
    [0, 1].map(|side| Prospect {
        gain: 2 * gains[side],
        ladder: 2 * ladders[side],
        landings: Squares::from_quarters(landings.map(|both| both[side])).len() as i32,
    })
}

/// What the enemy men in a side's goal cost it: more and more as its army arrives.
fn guests(position: &Halma, side: Side) -> i32 {
    let near = (GUESTS_FROM - distance(position, side) as i32).clamp(0, GUESTS_FULLY);
    let enemy = position.army(side.other());
    if near == 0 || enemy.intersection(camp(side.other())).is_empty() {
        return 0;
    }
    View::of(position, side).guests_stay() * near / GUESTS_FULLY
}

/// The files and ranks that a side's men still have to go to fill their goal, at least; 0 for
/// 19 men only when they fill it.
pub(super) fn distance(position: &Halma, side: Side) -> u32 {
    position.advances[side.index()].distance()
}

/// An army and its enemy in the army's frame: it walks to the south-east.
struct View {
    own: Squares,
    enemy: Squares,
}

impl View {
    fn of(position: &Halma, side: Side) -> Self {
        let (own, enemy) = (position.army(side), position.army(side.other()));
        match side {
            Side::First => Self { own, enemy },
            Side::Second => Self { own: own.rotated(), enemy: enemy.rotated() },
        }
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

/// Hands out how many rows and columns each of the places of a quarter lies from its north-west corner.
fn each_way(mut places: u64, mut visit: impl FnMut(i32)) {
    while places != 0 {
        let place = places.trailing_zeros() as i32;
        visit((place & 7) + 7 - (place >> 3));
        places &= places - 1;
    }
}

/// How many rows and columns the places of a quarter lie from its north-west corner: a bit for each
/// number that occurs.
///
/// The rows are laid over each other, each moved by one more than the one to the north of it: by
/// twos, by fours, and all eight.
fn ways(places: u64) -> u64 {
    const ROWS: u64 = 0x00ff_00ff_00ff_00ff;
    const TWOS: u64 = 0x0000_ffff_0000_ffff;
    const FOURS: u64 = 0xffff_ffff;
    let twos = (places & ROWS) << 1 | places >> 8 & ROWS;
    let fours = (twos & TWOS) << 2 | twos >> 16 & TWOS;
    (fours & FOURS) << 4 | fours >> 32
}

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
    fn a_ladder_counts_for_each_man_who_can_use_it() {
        // From a15 over b14 and d12 to e11, and from a13 over b13 and d12.
        let one = "16/r15/1r14/16/3r12/16/16/16/16/16/16/16/16/16/16/16 r 1";
        assert_eq!(term(one, "ladders"), LADDERS_OWN * (8 - 2));
        let two = "16/r15/1r14/rr14/3r12/16/16/16/16/16/16/16/16/16/16/16 r 1";
        assert_eq!(term(two, "ladders"), LADDERS_OWN * (8 - 2 + 6 - 2));
        assert_eq!(term(&two.replace(" r ", " b "), "ladders"), -LADDERS_OTHER * (8 - 2 + 6 - 2));
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
