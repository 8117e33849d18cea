//! Planning for one army alone: the moves that bring it home soonest while the other army stands
//! still.
//!
//! A beam search (Lowerre 1976): of all positions after so many moves only the cheapest are followed.
//! What a position costs is what [`Evaluation`](super::Evaluation) says about the army itself.

use super::Halma;
use super::advance::Advance;
use super::board::{Board, Square, Squares};

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
    /// Whether the beam left nothing out.
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

/// Moves that take a piece further back than this, in files and ranks, are left out.
const WORST_GAIN: i32 = -2;

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
    let turn = |squares: Squares| match side {
        Side::First => squares,
        Side::Second => squares.rotated(),
    };
    let (men, others) = (turn(position.army(side)), turn(position.army(side.other())));
    let start = Stage { men, advance: position.advances[side.index()], key: 0 };
    let mut stages = vec![start];
    let mut links: Vec<Vec<Candidate>> = Vec::new();
    let mut is_home = start.advance.distance() == 0;
    while !is_home && links.len() < beam.depth {
        let Some(chosen) = cheapest(&stages, others, beam.width, patience) else { break };
        if chosen.is_empty() {
            break;
        }
        stages = chosen.iter().map(|candidate| candidate.stage(&stages)).collect();
        is_home = stages[0].advance.distance() == 0;
        links.push(chosen);
    }
    let mut place = 0;
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
    let left_out = links.iter().any(|level| level.len() == beam.width);
    (!moves.is_empty()).then_some(Plan { moves, is_home, is_exact: !left_out })
}

/// A way home for `side` with as few moves as can be found: beams of growing width, each of which
/// need only look for a shorter way than the one before. Every way home that is found is shown to
/// `found`, with the width of its beam.
///
/// The search ends with `patience`, or when a beam leaves nothing out.
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
        let plan = plan(position, side, Beam { width, depth }, patience);
        let is_exact = plan.as_ref().is_none_or(|plan| plan.is_exact);
        if let Some(plan) = plan.filter(|plan| plan.is_home) {
            found(width, &plan);
            best = Some(plan);
        }
        if is_exact || patience(0).is_break() {
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

/// The cheapest different positions one move after `stages`, the cheapest first; `None` when
/// `patience` ends before.
fn cheapest(
    stages: &[Stage],
    others: Squares,
    width: usize,
    patience: &mut Patience<'_>,
) -> Option<Vec<Candidate>> {
    // Most children are dear: those that can't be among the chosen any more are never stored.
    let room = 4 * width + 256;
    let mut children = Vec::with_capacity(2 * room);
    let mut dearest = i32::MAX;
    for (parent, stage) in (0..).zip(stages) {
        if patience(1).is_break() {
            return None;
        }
        stage.expand(parent, others, |child: Candidate| {
            if child.cost <= dearest {
                children.push(child);
            }
        });
        if children.len() > room {
            keep_cheapest(&mut children, width);
            dearest = children.last().map_or(i32::MAX, |child| child.cost);
        }
    }
    keep_cheapest(&mut children, width);
    Some(children)
}

/// Sorts the candidates, drops repeated positions, and all but the first `width`.
fn keep_cheapest(candidates: &mut Vec<Candidate>, width: usize) {
    candidates.sort_unstable();
    candidates.dedup_by_key(|candidate| (candidate.cost, candidate.key));
    candidates.truncate(width);
}

impl Stage {
    fn expand(&self, parent: u32, others: Squares, mut child: impl FnMut(Candidate)) {
        let occupied = self.men.union(others);
        for quarter in 0..4 {
            let men = self.men.quarter(quarter);
            if men == 0 {
                continue;
            }
            let jumps = Jumps::new(occupied, quarter);
            for from in Squares::from_quarter(quarter, men) {
                for to in moves::destinations(from, occupied, &jumps) {
                    if to.way() - from.way() < WORST_GAIN {
                        continue;
                    }
                    let advance = self.advance.moved(from, to);
                    let key = self.key ^ Board::piece_key(from) ^ Board::piece_key(to);
                    child(Candidate { cost: advance.cost(), key, parent, from, to });
                }
            }
        }
    }
}

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
    use std::ops::ControlFlow;

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
}
