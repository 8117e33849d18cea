//! Proofs: the exact value of a game that can be played out.
//!
//! A tree search comes first, so that there is always a move to answer with. Then a solver is asked
//! for the value of the root, or of each move if more lines than one are wanted. If it does not get
//! that done in its share of the time, the tree search goes on.

use std::cell::Cell;
use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::alpha_beta::{Selectivity, TreeSearch};
use super::tuning::PROOF;
use super::{Bound, Clock, Effort, Limits, Line, NoMemory, Observer, Report, Search, Task};
use crate::memory;
use crate::position::{Deterministic, Evaluate, Ordered, Position, Solve};
use crate::score::{Score, Turn};

/// A tree search together with a solver.
pub struct Proof<P, E, S> {
    tree: TreeSearch<P, E>,
    solver: S,
}

/// A search that proves the values of a game without chance with `solver`.
pub fn proof<P: Deterministic + Ordered, E: Evaluate<P>, S: Solve<P>>(
    evaluation: E,
    solver: S,
) -> Proof<P, E, S> {
    Proof { tree: TreeSearch::new(evaluation, Selectivity::Selective), solver }
}

impl<P: Deterministic + Ordered, E: Evaluate<P>, S: Solve<P>> Search<P> for Proof<P, E, S> {
    fn think(&mut self, task: &Task<'_, P>, clock: &Clock, observe: &mut Observer<'_, P>) {
        if task.limits.depth.is_some() || task.limits.mate.is_some() {
            return self.tree.think(task, clock, observe);
        }
        let nodes = task.limits.nodes.unwrap_or(u64::MAX);
        let overture = PROOF.overture.min(nodes.div_ceil(PROOF.overture_share));
        let mut so_far = SoFar::default();
        so_far.search(&mut self.tree, task, overture, clock, observe);
        if clock.is_over() {
            return;
        }
        let attempt = Attempt {
            solver: &self.solver,
            task,
            clock,
            quota: nodes / PROOF.solver_share.1 * PROOF.solver_share.0,
            nodes: Cell::new(so_far.nodes),
        };
        let proven = attempt.lines();
        so_far.nodes = attempt.nodes.get();
        if let Some(lines) = proven {
            so_far.report(lines, self.solver.hashfull(), clock, observe);
        } else {
            let rest = nodes.saturating_sub(so_far.nodes);
            so_far.search(&mut self.tree, task, rest, clock, observe);
        }
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory> {
        // A solver needs most of it; a tree search that lasts a moment does not.
        memory::check(mebibytes)?;
        let for_tree = mebibytes.div_ceil(8);
        self.solver.set_hash((mebibytes - for_tree).max(1))?;
        self.tree.set_hash(for_tree)
    }

    fn set_threads(&mut self, threads: usize) {
        self.tree.set_threads(threads);
    }

    fn clear(&mut self) {
        self.tree.clear();
        self.solver.clear();
    }
}

/// What the parts of a search have cost and found together.
#[derive(Default)]
struct SoFar {
    nodes: u64,
    /// The last iteration that was told of, and its ply looked at deepest.
    depth: u32,
    seldepth: u32,
}

impl SoFar {
    /// Lets the tree search look at up to `nodes` positions, telling of iterations not told of yet.
    fn search<P: Deterministic + Ordered, E: Evaluate<P>>(
        &mut self,
        tree: &mut TreeSearch<P, E>,
        task: &Task<'_, P>,
        nodes: u64,
        clock: &Clock,
        observe: &mut Observer<'_, P>,
    ) {
        if nodes == 0 && self.nodes > 0 {
            return;
        }
        let limits = Limits { nodes: Some(nodes), ..task.limits };
        let task = Task { game: task.game, moves: task.moves.clone(), lines: task.lines, limits };
        let before = (self.nodes, self.depth);
        tree.think(&task, clock, &mut |report| {
            let mut report = report.clone();
            let (depth, effort) = match &mut report {
                Report::Line(line) => (line.depth, Some(&mut line.effort)),
                Report::Current { depth, .. } => (*depth, None),
                Report::Progress { effort, .. } => (u32::MAX, Some(effort)),
            };
            if let Some(effort) = effort {
                effort.nodes += before.0;
                self.nodes = effort.nodes;
            }
            // A second search goes through the iterations of the first one again.
            if before.1 > 0 && depth <= before.1 {
                return;
            }
            if let Report::Line(line) = &report {
                (self.depth, self.seldepth) = (line.depth, line.seldepth);
            }
            observe(&report);
        });
    }

    fn report<P: Position>(
        &self,
        lines: Vec<(Score, Vec<P::Move>)>,
        hashfull: u16,
        clock: &Clock,
        observe: &mut Observer<'_, P>,
    ) {
        for (rank, (score, pv)) in (1..).zip(lines) {
            let plies = pv.len() as u32;
            let effort = Effort { nodes: self.nodes, time: clock.elapsed(), hashfull };
            let (depth, seldepth) = (plies.max(self.depth), plies.max(self.seldepth));
            let bound = Bound::Exact;
            let line = Line { depth, seldepth, rank, score, bound, proven: true, pv, effort };
            observe(&Report::Line(line));
        }
    }
}

/// A proof under way.
struct Attempt<'a, P: Position, S> {
    solver: &'a S,
    task: &'a Task<'a, P>,
    clock: &'a Clock,
    /// Positions after which it is given up.
    quota: u64,
    nodes: Cell<u64>,
}

impl<P: Deterministic, S: Solve<P>> Attempt<'_, P, S> {
    /// The values of the best moves, and lines of best play; `None` if it took too long.
    fn lines(&self) -> Option<Vec<(Score, Vec<P::Move>)>> {
        let root = self.task.game.position();
        let mut legal = Vec::new();
        root.moves(&mut legal);
        if self.task.lines == 1 && self.task.moves.len() == legal.len() {
            let value = self.solver.value(root, &mut self.patience())?;
            let line = self.solver.best_line(root, &mut self.patience());
            return (!line.is_empty()).then(|| vec![(value, line)]);
        }
        let mut lines = Vec::new();
        for &mv in &self.task.moves {
            let child = root.after(mv);
            let turn = Turn::between(root.side_to_move(), child.side_to_move());
            let value = turn.score(self.solver.value(&child, &mut self.patience())?);
            let mut line = vec![mv];
            line.extend(self.solver.best_line(&child, &mut self.patience()));
            lines.push((value, line));
        }
        lines.sort_by_key(|&(score, _)| Reverse(score));
        lines.truncate(self.task.lines);
        Some(lines)
    }

    /// Goes on until time or nodes are used up.
    fn patience(&self) -> impl FnMut(u64) -> ControlFlow<()> {
        |nodes| {
            self.nodes.set(self.nodes.get() + nodes);
            let used = self.clock.used().unwrap_or(0.0);
            if self.clock.is_over() || self.nodes.get() >= self.quota || used >= PROOF.time_share {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        }
    }
}
