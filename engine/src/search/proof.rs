//! Proofs: the exact value of a game that can be played out.
//!
//! What the solver knows at once is answered at once. Otherwise a tree search comes first, so that
//! there is always a move to answer with. Then the solver is asked for the value of the root, step
//! by step, or of each move if more lines than one are wanted. If it does not get that done in its
//! share of the time, the tree search goes on, and what is proven by then bounds its scores.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::alpha_beta::{Selectivity, TreeSearch};
use super::tuning::PROOF;
use super::{Bound, Clock, Effort, Limits, Line, NoMemory, Observer, Report, Search, Task};
use crate::memory;
use crate::position::{Deterministic, Evaluate, Ordered, Position, Proven, Solve};
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
        let mut so_far = SoFar::new(task, &self.solver);
        if so_far.proven.exact().is_none() {
            let overture = PROOF.overture.min(nodes.div_ceil(PROOF.overture_share));
            so_far.search(&mut self.tree, task, overture, clock, observe);
            if clock.is_over() {
                return;
            }
        }
        let quota = nodes / PROOF.solver_share.1 * PROOF.solver_share.0;
        let solver = &self.solver;
        let mut attempt = Attempt { solver, task, clock, quota, so_far: &mut so_far, observe };
        if attempt.run().is_none() {
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
        self.solver.set_threads(threads);
    }

    fn set_endgame(&mut self, stones: u8) {
        self.solver.set_endgame(stones);
    }

    fn get_ready(&mut self) {
        self.solver.get_ready();
    }

    fn clear(&mut self) {
        self.tree.clear();
        self.solver.clear();
    }
}

/// What the parts of a search have cost and found together.
struct SoFar<P: Position> {
    nodes: u64,
    /// The last iteration that was told of, and its ply looked at deepest.
    depth: u32,
    seldepth: u32,
    /// The best line that was told of.
    pv: Vec<P::Move>,
    /// Of the best of the moves to choose from.
    proven: Proven,
}

impl<P: Deterministic + Ordered> SoFar<P> {
    fn new(task: &Task<'_, P>, solver: &impl Solve<P>) -> Self {
        let nothing = Proven { least: Score(-i32::MAX), most: Score(i32::MAX) };
        let proven = if is_whole(task) { solver.known(task.game.position()) } else { nothing };
        Self { nodes: 0, depth: 0, seldepth: 0, pv: Vec::new(), proven }
    }

    /// Lets the tree search look at up to `nodes` positions, telling of iterations not told of yet.
    fn search<E: Evaluate<P>>(
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
            if let Report::Line(line) = &mut report {
                self.take(line);
            }
            observe(&report);
        });
    }

    /// Keeps what a line says. A best score that can't be is replaced by the bound that says so.
    fn take(&mut self, line: &mut Line<P>) {
        (self.depth, self.seldepth) = (line.depth, line.seldepth);
        if line.rank > 1 {
            return;
        }
        self.pv.clone_from(&line.pv);
        let Proven { least, most } = self.proven;
        if line.score < least {
            (line.score, line.bound) = (least, Bound::Lower);
        } else if line.score > most {
            (line.score, line.bound) = (most, Bound::Upper);
        }
    }
}

/// Whether all legal moves may be chosen.
fn is_whole<P: Position>(task: &Task<'_, P>) -> bool {
    let mut legal = Vec::new();
    task.game.position().moves(&mut legal);
    task.moves.len() == legal.len()
}

/// A proof under way.
struct Attempt<'a, 'b, P: Position, S> {
    solver: &'a S,
    task: &'a Task<'a, P>,
    clock: &'a Clock,
    /// Positions after which it is given up.
    quota: u64,
    so_far: &'a mut SoFar<P>,
    observe: &'a mut Observer<'b, P>,
}

impl<P: Deterministic + Ordered, S: Solve<P>> Attempt<'_, '_, P, S> {
    /// Finds the values of the best moves and lines of best play; `None` if it took too long.
    fn run(&mut self) -> Option<()> {
        if self.task.lines > 1 || !is_whole(self.task) {
            return self.run_by_moves();
        }
        let root = *self.task.game.position();
        let value = self.value(&root, Tell::Bounds)?;
        let pv = self.best_line(&root);
        if pv.is_empty() {
            return None;
        }
        self.tell(1, value, Bound::Exact, pv);
        Some(())
    }

    /// [`Attempt::run`], each move by itself.
    fn run_by_moves(&mut self) -> Option<()> {
        let root = *self.task.game.position();
        let mut lines = Vec::new();
        for &mv in &self.task.moves {
            let child = root.after(mv);
            let turn = Turn::between(root.side_to_move(), child.side_to_move());
            let value = turn.score(self.value(&child, Tell::Nothing)?);
            lines.push((value, mv, child));
        }
        lines.sort_by_key(|&(value, ..)| Reverse(value));
        lines.truncate(self.task.lines);
        for (rank, (value, mv, child)) in (1..).zip(lines) {
            let mut pv = vec![mv];
            pv.extend(self.best_line(&child));
            self.tell(rank, value, Bound::Exact, pv);
        }
        Some(())
    }

    /// The value of a position, step by step.
    fn value(&mut self, position: &P, tell: Tell) -> Option<Score> {
        let mut proven = self.solver.known(position);
        loop {
            if let Some(value) = proven.exact() {
                return Some(value);
            }
            if !self.has_nodes() {
                return None;
            }
            let solver = self.solver;
            let spend = &mut |nodes| self.spend(nodes, PROOF.time_share);
            let narrower = solver.narrow(position, proven, spend);
            if narrower == proven {
                return None;
            }
            if let (Tell::Bounds, None) = (tell, narrower.exact()) {
                let (score, bound) = if narrower.least > proven.least {
                    (narrower.least, Bound::Lower)
                } else {
                    (narrower.most, Bound::Upper)
                };
                self.so_far.proven = narrower;
                self.tell(1, score, bound, self.so_far.pv.clone());
            }
            proven = narrower;
        }
    }

    /// Best play. Its first move is worth most of the time; the others are there to be looked at.
    fn best_line(&mut self, position: &P) -> Vec<P::Move> {
        let used = self.clock.used().unwrap_or(0.0);
        for share in [PROOF.line_share + 2.0 * used, PROOF.move_share] {
            if !self.has_nodes() {
                break;
            }
            let solver = self.solver;
            let line = solver.best_line(position, &mut |nodes| self.spend(nodes, share));
            if !line.is_empty() {
                return line;
            }
        }
        Vec::new()
    }

    /// Goes on until nodes or this share of the time are used up.
    fn spend(&mut self, nodes: u64, share: f64) -> ControlFlow<()> {
        let before = self.so_far.nodes;
        self.so_far.nodes += nodes;
        if self.so_far.nodes / PROOF.nodes_a_sign > before / PROOF.nodes_a_sign {
            let report = Report::Progress { depth: self.so_far.depth, effort: self.effort() };
            (self.observe)(&report);
        }
        let used = self.clock.used().unwrap_or(0.0);
        if self.clock.is_over() || !self.has_nodes() || used >= share {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Whether one step more keeps within the nodes.
    fn has_nodes(&self) -> bool {
        self.so_far.nodes + S::STRIDE <= self.quota
    }

    fn effort(&self) -> Effort {
        let (nodes, time) = (self.so_far.nodes, self.clock.elapsed());
        Effort { nodes, time, hashfull: self.solver.hashfull() }
    }

    fn tell(&mut self, rank: usize, score: Score, bound: Bound, pv: Vec<P::Move>) {
        let plies = if bound == Bound::Exact { pv.len() as u32 } else { 0 };
        let SoFar { depth, seldepth, .. } = *self.so_far;
        let (depth, seldepth) = (depth.max(plies), seldepth.max(plies));
        let (proven, effort) = (bound == Bound::Exact, self.effort());
        let line = Line { depth, seldepth, rank, score, bound, proven, pv, effort };
        (self.observe)(&Report::Line(line));
    }
}

/// What is told of a value before it is known.
#[derive(Clone, Copy)]
enum Tell {
    Bounds,
    Nothing,
}
