//! Planning for one army alone: the moves that bring it home soonest while the other army stands
//! still.
//!
//! A beam search (Lowerre 1976): of all positions after so many moves only the cheapest are followed.
//! What a position costs is what [`Evaluation`](super::Evaluation) says about the army itself.

use super::Halma;
use super::advance::Advance;
use super::board::{ARMY, Board, Square, Squares, camp};
use super::moves::{self, Jumps, Move};
use crate::position::{Patience, Position, Race, Side};

/// How much a planner looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Beam {
    /// The positions that are followed after each number of moves; at least 1.
    pub width: usize,
    /// The most moves ahead.
    pub depth: usize,
}

/// Moves of one army in a row.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// The moves, at least one.
    pub moves: Vec<Move>,
    /// Whether the army is home after them.
    pub is_home: bool,
    /// Whether nothing was left out that could be as good: no way home is shorter.
    pub is_exact: bool,
}

/// Runs home when the armies are past each other, so that neither can stand in the other's way.
#[derive(Clone, Copy, Default, Debug)]
pub struct Runner;

impl Race<Halma> for Runner {
    fn way_home(&self, position: &Halma, patience: &mut Patience<'_>) -> Option<Vec<Move>> {
        let [red, blue] = position.advances;
        if !red.is_past(&blue) {
            return None;
        }
        let side = position.side_to_move();
        shortest(position, side, patience, &mut |_, _| ()).map(|plan| plan.moves)
    }
}

/// Moves that take a piece further back than this, in files and ranks, are left out while more men
/// than [`LAST_MEN`] are outside the goal.
const WORST_GAIN: i32 = -2;
const LAST_MEN: u32 = 6;

/// What a search leaves out, the more serious the later.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Omission {
    /// Nothing that could be as good as what it finds.
    Nothing,
    /// Moves that take a piece far back.
    Backward,
    /// Positions beyond the width of the beam.
    Width,
    /// All that it had no patience for.
    Rest,
}

/// A position of the army after some moves, seen as if it walked to the south-east.
#[derive(Clone, Copy)]
struct Stage {
    men: Squares,
    advance: Advance,
    key: u64,
}

/// A move from a stage of the beam, and what the army costs after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    cost: i32,
    key: u64,
    /// Of the ways to one position, that one is kept whose moves gain sooner: a lower place.
    parent: u32,
    from: Square,
    to: Square,
}

/// The best moves of `side` in a row, as far as `beam` looks; `None` if it has no move, or is home.
/// When `patience` ends, the plan so far is the answer.
pub fn plan(position: &Halma, side: Side, beam: Beam, patience: &mut Patience<'_>) -> Option<Plan> {
    follow(position, side, beam, Aim::Ahead, patience).0
}

/// A way home for `side` with as few moves as can be found: beams of growing width, each of which
/// need only look for a shorter way than the one before. Every way home that is found is shown to
/// `found`, with the width of its beam.
///
/// The search ends with `patience`, or when a wider beam would leave out no less.
pub fn shortest(
    position: &Halma,
    side: Side,
    patience: &mut Patience<'_>,
    found: &mut dyn FnMut(usize, &Plan),
) -> Option<Plan> {
    let mut best: Option<Plan> = None;
    let mut width = NARROWEST;
    loop {
        let depth = best.as_ref().map_or(LONGEST, |plan| plan.moves.len() - 1);
        let (plan, omission) = follow(position, side, Beam { width, depth }, Aim::Home, patience);
        if let Some(plan) = plan {
            found(width, &plan);
            best = Some(plan);
        } else if let (Omission::Nothing, Some(best)) = (omission, &mut best) {
            best.is_exact = true;
        }
        if omission != Omission::Width {
            return best;
        }
        width = width.saturating_mul(WIDENING);
    }
}

/// The width of the first beam, how many times wider each is than the one before, and the moves
/// after which a first way home is not looked for any more.
const NARROWEST: usize = 30;
const WIDENING: usize = 3;
const LONGEST: usize = 200;

/// What a plan is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Aim {
    /// To come as near to home as can be.
    Ahead,
    /// To come home within the depth of the beam: what can't any more is not followed.
    Home,
}

/// The best moves of a beam, if they serve the aim, and what was left out that might serve it better.
fn follow(
    position: &Halma,
    side: Side,
    beam: Beam,
    aim: Aim,
    patience: &mut Patience<'_>,
) -> (Option<Plan>, Omission) {
    let turn = |squares: Squares| match side {
        Side::First => squares,
        Side::Second => squares.rotated(),
    };
    let (men, others) = (turn(position.army(side)), turn(position.army(side.other())));
    let start = Stage { men, advance: position.advances[side.index()], key: 0 };
    let mut stages = vec![start];
    let mut links: Vec<Vec<Candidate>> = Vec::new();
    let is_home = |stage: &Stage| stage.advance.distance() == 0;
    let mut home = stages.iter().position(is_home);
    let mut omission = Omission::Nothing;
    while home.is_none() && links.len() < beam.depth {
        let within = match aim {
            // Fewer men need not fill the goal.
            Aim::Home if men.len() == ARMY => beam.depth - links.len() - 1,
            Aim::Home | Aim::Ahead => usize::MAX,
        };
        let step = Step { others, width: beam.width, within };
        let Some((chosen, omitted)) = step.cheapest(&stages, patience) else {
            omission = Omission::Rest;
            break;
        };
        omission = omission.max(omitted);
        if chosen.is_empty() {
            break;
        }
        stages = chosen.iter().map(|candidate| candidate.stage(&stages)).collect();
        home = stages.iter().position(is_home);
        links.push(chosen);
    }
    let is_home = home.is_some();
    if links.is_empty() || aim == Aim::Home && !is_home {
        return (None, omission);
    }
    let moves = moves_to(home.unwrap_or(0), side, &links);
    (Some(Plan { moves, is_home, is_exact: omission == Omission::Nothing }), omission)
}

/// The moves that lead to a place of the last level.
fn moves_to(mut place: usize, side: Side, links: &[Vec<Candidate>]) -> Vec<Move> {
    let mut moves = Vec::with_capacity(links.len());
    for level in links.iter().rev() {
        let Candidate { parent, from, to, .. } = level[place];
        let squares = match side {
            Side::First => (from, to),
            Side::Second => (from.rotated(), to.rotated()),
        };
        moves.extend(Move::new(squares.0, squares.1));
        place = parent as usize;
    }
    moves.reverse();
    moves
}

/// How a beam goes one move on.
struct Step {
    others: Squares,
    width: usize,
    /// The moves after this one within which the army has to be home.
    within: usize,
}

impl Step {
    /// The cheapest different positions one move after `stages`, the cheapest first, and what is left
    /// out; `None` when `patience` ends before.
    fn cheapest(
        &self,
        stages: &[Stage],
        patience: &mut Patience<'_>,
    ) -> Option<(Vec<Candidate>, Omission)> {
        // Most children are dear: those that can't be among the chosen any more are never stored.
        let room = self.width.saturating_mul(4).saturating_add(256);
        let mut children = Vec::new();
        let mut dearest = i32::MAX;
        let mut omission = Omission::Nothing;
        for (parent, stage) in (0..).zip(stages) {
            if patience(1).is_break() {
                return None;
            }
            let omitted = stage.expand(parent, self, |child: Candidate| {
                if child.cost <= dearest {
                    children.push(child);
                }
            });
            omission = omission.max(omitted);
            if children.len() > room {
                omission = omission.max(keep_cheapest(&mut children, self.width));
                dearest = children.last().map_or(i32::MAX, |child| child.cost);
            }
        }
        omission = omission.max(keep_cheapest(&mut children, self.width));
        Some((children, omission))
    }
}

/// Sorts the candidates, drops repeated positions, and all but the first `width`.
fn keep_cheapest(candidates: &mut Vec<Candidate>, width: usize) -> Omission {
    candidates.sort_unstable();
    candidates.dedup_by_key(|candidate| (candidate.cost, candidate.key));
    if candidates.len() <= width {
        return Omission::Nothing;
    }
    candidates.truncate(width);
    Omission::Width
}

impl Stage {
    /// Hands out the positions after each move that are in time.
    fn expand(&self, parent: u32, step: &Step, mut child: impl FnMut(Candidate)) -> Omission {
        let fewest = moves_home(self.men);
        if fewest > step.within.saturating_add(1) {
            return Omission::Nothing;
        }
        // A move may take a man out, to a surplus of another quarter, and from the rim.
        let may_be_late = fewest + 3 > step.within;
        let occupied = self.men.union(step.others);
        let (omission, worst_gain) = if self.men.without(GOAL).len() <= LAST_MEN {
            (Omission::Nothing, i32::MIN)
        } else {
            (Omission::Backward, WORST_GAIN)
        };
        for quarter in 0..4 {
            let men = self.men.quarter(quarter);
            if men == 0 {
                continue;
            }
            let jumps = Jumps::new(occupied, quarter);
            for from in Squares::from_quarter(quarter, men) {
                for to in moves::destinations(from, occupied, &jumps) {
                    if to.way() - from.way() < worst_gain {
                        continue;
                    }
                    let change = Squares::NONE.with(from).with(to);
                    let after = self.men.symmetric_difference(change);
                    if may_be_late && moves_home(after) > step.within {
                        continue;
                    }
                    let advance = self.advance.moved(from, to);
                    let key = self.key ^ Board::piece_key(from) ^ Board::piece_key(to);
                    child(Candidate { cost: advance.cost(), key, parent, from, to });
                }
            }
        }
        omission
    }
}

/// The fewest moves in which 19 men can fill the goal.
///
/// Each man outside needs a move. Besides, only steps take a man from one quarter to another, and
/// some men have to change theirs if their numbers are not those of the goal. That costs a move more,
/// unless a man steps right into the goal.
fn moves_home(men: Squares) -> usize {
    let surplus = |quarter| {
        let goal = GOAL.quarter(quarter).count_ones();
        men.quarter(quarter).count_ones().saturating_sub(goal)
    };
    let steps: u32 = (0..4).map(surplus).sum();
    let at_the_rim = men.intersection(RIM).len();
    (men.without(GOAL).len() + steps.saturating_sub(at_the_rim)) as usize
}

/// The goal, and the squares around it.
const GOAL: Squares = camp(Side::Second);
const RIM: Squares = {
    let row = GOAL.union(GOAL.east()).union(GOAL.west());
    row.union(row.north()).union(row.south()).without(GOAL)
};

impl Candidate {
    fn stage(&self, parents: &[Stage]) -> Stage {
        let parent = &parents[self.parent as usize];
        let change = Squares::NONE.with(self.from).with(self.to);
        Stage {
            men: parent.men.symmetric_difference(change),
            advance: parent.advance.moved(self.from, self.to),
            key: self.key,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::ops::ControlFlow;

    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    use super::*;

    fn position(text: &str) -> Halma {
        Halma::read(text, ()).unwrap()
    }

    /// Plays a plan, the other side standing still, and checks every move.
    fn play(mut position: Halma, plan: &Plan) -> Halma {
        let side = position.side_to_move();
        for &mv in &plan.moves {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            assert!(moves.contains(&mv), "{position}");
            position = position.after(mv).with_side_to_move(side);
        }
        position
    }

    /// The shortest way that is found within so many positions.
    fn shortest_way(position: &Halma, positions: u64) -> Option<Plan> {
        shortest(position, position.side_to_move(), &mut patience(positions), &mut |_, _| ())
    }

    fn patience(positions: u64) -> impl FnMut(u64) -> ControlFlow<()> {
        let mut left = positions;
        move |more| {
            left = left.saturating_sub(more);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    const ALONE: &str = "rrrrr11/rrrrr11/rrrr12/rrr13/rr14/16/16/16/16/16/16/16/16/16/16/16 r 1";

    #[test]
    fn one_army_alone_comes_home_in_53_moves() {
        let plan = shortest_way(&position(ALONE), 250_000).unwrap();
        assert!(plan.is_home && plan.moves.len() <= 53, "{} moves", plan.moves.len());
        let end = play(position(ALONE), &plan);
        assert!(end.outcome(&[]).is_some(), "{end}");
    }

    #[test]
    fn both_armies_have_the_same_way() {
        let red = shortest_way(&position(ALONE), 8_000).unwrap();
        let blue = shortest_way(&position(ALONE).mirrored(), 8_000).unwrap();
        assert_eq!(red.moves.len(), blue.moves.len());
        play(position(ALONE).mirrored(), &blue);
    }

    #[test]
    fn the_last_moves_home_are_the_fewest() {
        let cases = [
            // The last hole is one chain away, and two steps.
            ("16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/10r1rrrr/11rrrrr/11r1rrr r 99", 1),
            ("16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/9r2rrrr/11rrrrr r 99", 2),
        ];
        for (text, expected) in cases {
            let plan = shortest_way(&position(text), 1_000).unwrap();
            assert_eq!(plan.moves.len(), expected, "{text}");
            assert!(play(position(text), &plan).outcome(&[]).is_some());
        }
    }

    /// The fewest moves home by plain breadth-first search, if they are not more than so many.
    fn plainly(men: Squares, at_most: usize) -> Option<usize> {
        let mut level = HashSet::from([men.into_iter().collect::<Vec<_>>()]);
        for moves in 0..=at_most {
            let armies = level.iter().map(|men| men.iter().copied().collect::<Squares>());
            let armies: Vec<Squares> = armies.collect();
            if armies.contains(&GOAL) {
                return Some(moves);
            }
            if moves == at_most {
                break;
            }
            level.clear();
            for men in armies {
                let mut list = Vec::new();
                moves::generate(men, men, &mut list);
                for mv in list {
                    let change = Squares::NONE.with(mv.from()).with(mv.to());
                    level.insert(men.symmetric_difference(change).into_iter().collect());
                }
            }
        }
        None
    }

    #[test]
    fn the_way_home_of_the_last_men_is_the_one_that_plain_search_finds() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut ways = [0; 4];
        for case in 0..60 {
            // Out of the goal by some moves of the last men, within three files and ranks of it.
            let mut men = GOAL;
            for _ in 0..=case % 3 {
                let mut list = Vec::new();
                moves::generate(men, men, &mut list);
                list.retain(|mv| RIM.contains(mv.to()) || !GOAL.contains(mv.to()));
                let mv = list[random.next_u64() as usize % list.len()];
                let change = Squares::NONE.with(mv.from()).with(mv.to());
                men = men.symmetric_difference(change);
            }
            let board = Board::with_armies([men, Squares::NONE]);
            let position = Halma::new(board, Side::First, 1);
            let fewest = plainly(men, 3).expect("the moves can be taken back");
            let plan = shortest_way(&position, 100_000);
            let planned = plan.as_ref().map_or(0, |plan| plan.moves.len());
            assert_eq!(planned, fewest, "{position}");
            assert!(plan.is_none_or(|plan| plan.is_exact), "{position}");
            assert!(moves_home(men) <= fewest, "{position}");
            ways[fewest] += 1;
        }
        assert!(ways[1] > 0 && ways[2] > 0 && ways[3] > 0, "{ways:?}");
    }

    #[test]
    fn there_is_no_plan_without_a_move_or_a_way() {
        let home = "16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/11rrrrr/11rrrrr b 1";
        let beam = Beam { width: 10, depth: 3 };
        let go_on = &mut patience(1_000);
        assert_eq!(plan(&position(home), Side::First, beam, go_on), None);
        assert_eq!(plan(&position(home), Side::Second, beam, go_on), None);
        let shut = "16/16/16/16/16/16/16/16/16/16/16/16/16/bbb13/bbb13/rbb13 r 7";
        assert_eq!(plan(&position(shut), Side::First, beam, go_on), None);
    }

    #[test]
    fn a_plan_that_is_broken_off_is_what_was_found_so_far() {
        let beam = Beam { width: 20, depth: 10 };
        let plan = plan(&Halma::start(()), Side::Second, beam, &mut patience(50)).unwrap();
        assert_eq!((plan.moves.len(), plan.is_home, plan.is_exact), (3, false, false));
    }

    #[test]
    fn nobody_runs_before_the_armies_are_past_each_other() {
        let run = |text: &str| Runner.way_home(&position(text), &mut patience(10_000));
        assert_eq!(run(&Halma::start(()).to_string()), None);
        // Red's last man is level with Blue's; and has passed him.
        let red = "14rr/13rrr/12rrrr/11rrrrr/11rrrr1 r 90";
        let level = format!("16/16/16/16/16/16/16/7rb7/16/16/16/{red}");
        let past = format!("16/16/16/16/16/16/16/7br7/16/16/16/{red}");
        assert_eq!(run(&level), None);
        let way = run(&past).unwrap();
        assert_eq!(way.len(), 7, "{way:?}");
    }

    #[test]
    fn a_search_ends_where_patience_stands_not_one_position_more() {
        for quota in [0, 1, 20, 700] {
            let mut visited = 0;
            let mut patience = |more: u64| {
                if visited + more > quota {
                    return ControlFlow::Break(());
                }
                visited += more;
                ControlFlow::Continue(())
            };
            let start = Halma::start(());
            let way = shortest(&start, Side::First, &mut patience, &mut |_, _| ());
            assert!(way.is_none_or(|plan| !plan.is_exact));
        }
    }
}
