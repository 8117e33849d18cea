//! The tree search: principal variation search (Marsland and Campbell 1982) with a transposition
//! table, generic over the game.
//!
//! Moves of chance are the business of [`super::expectimax`]; a game without them
//! ([`Deterministic`]) never gets there.

use std::ops::ControlFlow;

use super::deepening::Tree;
use super::expectimax::Branch;
use super::picker::Picker;
use super::reduction::Reductions;
use super::statistics::Statistics;
use super::table::{Entry, Table};
use super::tuning::{EXTENSION, PREPARATION, QUIESCENCE, WIDE};
use super::worker::{Interrupted, Shared, Worker};
use super::{Bound, Depth, MAX_PLY, NoMemory, Observer, Search, Task, threads};
use crate::position::{Deterministic, Evaluate, Ordered, TablesError};
use crate::score::{Ply, Score, Turn, Window};
use crate::search::Clock;

/// What a search may do to look deeper.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Selectivity {
    /// Only what leaves the value at a given depth as plain minimax or expectimax finds it.
    FullWidth,
    /// Reductions, extensions, and whatever deeper searches left in the table.
    Selective,
}

/// A search of a tree of moves, with its table.
pub struct TreeSearch<P, E> {
    evaluation: E,
    table: Table,
    threads: usize,
    selectivity: Selectivity,
    game: std::marker::PhantomData<P>,
}

/// Alpha-beta search for a game without chance.
pub fn alpha_beta<P: Deterministic + Ordered, E: Evaluate<P>>(
    evaluation: E,
    selectivity: Selectivity,
) -> TreeSearch<P, E> {
    TreeSearch::new(evaluation, selectivity)
}

impl<P: Ordered, E: Evaluate<P>> TreeSearch<P, E> {
    pub(super) fn new(evaluation: E, selectivity: Selectivity) -> Self {
        let table = Table::new(1).expect("there is 1 MiB");
        Self { evaluation, table, threads: 1, selectivity, game: std::marker::PhantomData }
    }
}

impl<P: Ordered, E: Evaluate<P>> Search<P> for TreeSearch<P, E> {
    fn think(&mut self, task: &Task<'_, P>, clock: &Clock, observe: &mut Observer<'_, P>) {
        self.table.age();
        let mut patience = |_| match clock.used() {
            _ if clock.is_over() => ControlFlow::Break(()),
            Some(used) if used >= PREPARATION.time_share => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        self.evaluation.prepare(task.game.position(), &mut patience);
        let shared = Shared::new(task, clock, &self.table, self.threads);
        threads::think(&shared, observe, |worker| {
            TreeThread::new(worker, &self.evaluation, &self.table, self.selectivity)
        });
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory> {
        self.table = Table::new(mebibytes)?;
        Ok(())
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    fn set_tables(&mut self, file: Option<&[u8]>) -> Result<(), TablesError> {
        self.evaluation.set_tables(file)
    }

    fn clear(&mut self) {
        self.table.clear();
    }
}

/// One thread of a search, with what it learned about moves and its buffers.
pub(super) struct TreeThread<'a, P: Ordered, E> {
    pub(super) worker: Worker<'a, P>,
    pub(super) evaluation: &'a E,
    table: &'a Table,
    pub(super) selectivity: Selectivity,
    statistics: Statistics,
    reductions: Reductions,
    /// The best line from each ply on, as far as it is known.
    lines: Vec<Vec<P::Move>>,
    pub(super) buffers: Buffers<P>,
}

/// Lists that are not in use, so that a node allocates nothing.
pub(super) struct Buffers<P: Ordered> {
    moves: Vec<Vec<P::Move>>,
    pub(super) ranked: Vec<Vec<(i32, P::Move)>>,
    slots: Vec<Vec<u16>>,
    pub(super) branches: Vec<Vec<Branch<P>>>,
}

/// A node that is being searched, and what was found out so far.
struct Node {
    ply: Ply,
    depth: Depth,
    window: Window,
    best: Score,
    best_slot: u16,
}

impl<'a, P: Ordered, E: Evaluate<P>> TreeThread<'a, P, E> {
    fn new(
        worker: Worker<'a, P>,
        evaluation: &'a E,
        table: &'a Table,
        selectivity: Selectivity,
    ) -> Self {
        Self {
            worker,
            evaluation,
            table,
            selectivity,
            statistics: Statistics::new::<P>(),
            reductions: Reductions::new(),
            lines: vec![Vec::new(); usize::from(MAX_PLY.0) + 2],
            buffers: Buffers {
                moves: Vec::new(),
                ranked: Vec::new(),
                slots: Vec::new(),
                branches: Vec::new(),
            },
        }
    }

    /// The value of a position for its side to move, exact within `window` and a bound outside.
    pub(super) fn value(
        &mut self,
        position: &P,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        self.worker.visit(ply)?;
        self.line_mut(ply).clear();
        if P::REPETITION_DRAW.is_some()
            && self.worker.path.occurrences(position.reversible_plies()) > 1
        {
            return Ok(Score::DRAW);
        }
        if let Some(end) = self.evaluation.end(position) {
            return Ok(end.score(ply));
        }
        if !P::JUDGED_BY_MOVES && depth <= 0 {
            return Ok(match position.outcome(&[]) {
                Some(outcome) => position.outcome_score(outcome, ply),
                None => self.evaluation.evaluate(position),
            });
        }
        if self.is_frontier(depth) {
            return self.frontier_value(position, window, ply);
        }
        let known = self.table.probe(position.table_key());
        if window.is_null()
            && let Some(score) = known.and_then(|entry| self.served(entry, depth, window, ply))
        {
            return Ok(score);
        }
        if let Some(score) = self.stands_above(position, depth, window) {
            return Ok(score);
        }
        let mut moves = self.buffers.moves.pop().unwrap_or_default();
        moves.clear();
        match self.selectivity {
            Selectivity::FullWidth => position.moves(&mut moves),
            Selectivity::Selective => position.likely_moves(&mut moves),
        }
        let value = if let Some(outcome) = position.outcome(&moves) {
            position.outcome_score(outcome, ply)
        } else if ply >= MAX_PLY || is_leaf(position, &moves, depth) {
            self.evaluation.evaluate(position)
        } else {
            self.best_of(position, &moves, known, depth, window, ply)?
        };
        self.buffers.moves.push(moves);
        Ok(value)
    }

    /// The value of a position by the best of its moves.
    fn best_of(
        &mut self,
        position: &P,
        moves: &[P::Move],
        known: Option<Entry>,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        let table_slot = known.map(|entry| entry.slot);
        let ranked = self.buffers.ranked.pop().unwrap_or_default();
        let most = self.looked_at(depth);
        let mut picker =
            Picker::new(ranked, position, moves, most, table_slot, &self.statistics, ply);
        let mut failed = self.buffers.slots.pop().unwrap_or_default();
        failed.clear();
        let mut node = Node { ply, depth, window, best: -Score::INFINITE, best_slot: u16::MAX };
        let child_depth = self.depth_below(depth, moves.len(), ply);
        for number in 0.. {
            let Some(mv) = picker.pick() else { break };
            let score = self.move_value(position, mv, number, child_depth, node.window, ply)?;
            let slot = P::slot(mv);
            if score > node.best {
                (node.best, node.best_slot) = (score, slot);
            }
            if score > node.window.alpha {
                node.window.alpha = score;
                self.put_in_line(mv, ply);
                if score >= window.beta {
                    if !position.is_tactical(mv) {
                        let side = position.side_to_move();
                        self.statistics.learn(side, ply, depth.max(0), slot, &failed);
                    }
                    break;
                }
            }
            if !position.is_tactical(mv) {
                failed.push(slot);
            }
        }
        self.buffers.ranked.push(picker.into_buffer());
        self.buffers.slots.push(failed);
        self.remember(position, &node, window);
        Ok(node.best)
    }

    /// The value of a move for who makes it, exact within `window` and a bound outside: the first
    /// move is looked at with the whole window, the others must first beat `alpha`.
    fn move_value(
        &mut self,
        position: &P,
        mv: P::Move,
        number: usize,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        if number == 0 {
            return self.event_value(position, mv, depth, window, ply);
        }
        let null = Window::null(window.alpha);
        let reduction = self.reduction(position, mv, number, depth + 1);
        let mut score = self.event_value(position, mv, depth - reduction, null, ply)?;
        if score > window.alpha && reduction > 0 {
            score = self.event_value(position, mv, depth, null, ply)?;
        }
        if score > window.alpha && score < window.beta {
            score = self.event_value(position, mv, depth, window, ply)?;
        }
        Ok(score)
    }

    /// The value of what follows a move, for who makes it.
    pub(super) fn event_value(
        &mut self,
        position: &P,
        mv: P::Move,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        match position.sole_event(mv) {
            Some(event) => self.child_value(position, &position.after(event), depth, window, ply),
            None => self.chance_value(position, mv, depth, window, ply),
        }
    }

    /// The value of a child for the side that moves in the parent.
    pub(super) fn child_value(
        &mut self,
        parent: &P,
        child: &P,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        let turn = Turn::between(parent.side_to_move(), child.side_to_move());
        if P::REPETITION_DRAW.is_some() {
            self.worker.path.push(child.key());
        }
        let score = self.value(child, depth, turn.window(window), ply.next())?;
        if P::REPETITION_DRAW.is_some() {
            self.worker.path.pop();
        }
        Ok(turn.score(score))
    }

    /// The move of a position that would be looked at first; `None` when the game is over.
    pub(super) fn likeliest_move(&mut self, position: &P, ply: Ply) -> Option<P::Move> {
        let mut moves = self.buffers.moves.pop().unwrap_or_default();
        moves.clear();
        position.moves(&mut moves);
        let mut likeliest = None;
        if position.outcome(&moves).is_none() {
            let slot = self.table.probe(position.table_key()).map(|entry| entry.slot);
            let ranked = self.buffers.ranked.pop().unwrap_or_default();
            let mut picker = Picker::new(ranked, position, &moves, 1, slot, &self.statistics, ply);
            likeliest = picker.pick();
            self.buffers.ranked.push(picker.into_buffer());
        }
        self.buffers.moves.push(moves);
        likeliest
    }

    fn reduction(&self, position: &P, mv: P::Move, number: usize, depth: Depth) -> Depth {
        match self.selectivity {
            Selectivity::Selective if !position.is_tactical(mv) => {
                self.reductions.plies(depth, number)
            }
            _ => 0,
        }
    }

    /// How many moves of a node are looked at, at most.
    fn looked_at(&self, depth: Depth) -> usize {
        match self.selectivity {
            Selectivity::Selective if P::IS_WIDE => WIDE.moves(depth),
            _ => usize::MAX,
        }
    }

    /// The depth of the children of a node with so many moves. Below the horizon it counts the
    /// choices on the way, in bits: a forced move is followed for ever, many choices are not.
    fn depth_below(&self, depth: Depth, moves: usize, ply: Ply) -> Depth {
        match self.selectivity {
            Selectivity::Selective if depth <= 0 => depth - moves.ilog2() as Depth,
            _ => depth.max(0) - 1 + self.extension(moves, ply),
        }
    }

    /// A forced move is looked at without loss of depth.
    fn extension(&self, moves: usize, ply: Ply) -> Depth {
        let far = Depth::from(ply.0) >= EXTENSION.single_reply_within * self.worker.iteration;
        match self.selectivity {
            Selectivity::Selective if moves == 1 && !far => 1,
            _ => 0,
        }
    }

    /// The value that the entry proves with respect to `window`, if it looked deep enough.
    fn served(&self, entry: Entry, depth: Depth, window: Window, ply: Ply) -> Option<Score> {
        let deep_enough = match self.selectivity {
            Selectivity::FullWidth => entry.depth == depth.max(0),
            Selectivity::Selective => entry.depth >= depth,
        };
        let score = entry.score.from_table(ply);
        let decides = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => score >= window.beta,
            Bound::Upper => score <= window.alpha,
        };
        (deep_enough && decides).then_some(score)
    }

    fn remember(&self, position: &P, node: &Node, window: Window) {
        let bound = if node.best >= window.beta {
            Bound::Lower
        } else if node.best > window.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let entry = Entry {
            score: node.best.to_table(node.ply),
            bound,
            depth: node.depth,
            slot: node.best_slot,
        };
        self.table.store(position.table_key(), entry);
    }

    /// The best line from `ply` on is `mv` and the best line after it.
    pub(super) fn put_in_line(&mut self, mv: P::Move, ply: Ply) {
        let (head, tail) = self.lines.split_at_mut(usize::from(ply.0) + 1);
        let line = &mut head[usize::from(ply.0)];
        line.clear();
        line.push(mv);
        line.extend_from_slice(&tail[0]);
    }

    pub(super) fn line_mut(&mut self, ply: Ply) -> &mut Vec<P::Move> {
        &mut self.lines[usize::from(ply.0)]
    }
}

/// Whether a position that is not over is judged as it stands. Below the horizon all moves of one
/// that is not quiet are looked at, unless there were too many on the way to it.
fn is_leaf<P: Ordered>(position: &P, moves: &[P::Move], depth: Depth) -> bool {
    depth <= 0 && (position.is_quiet(moves) || depth < -QUIESCENCE.bits)
}

impl<'a, P: Ordered, E: Evaluate<P>> Tree<'a, P> for TreeThread<'a, P, E> {
    fn worker(&mut self) -> &mut Worker<'a, P> {
        &mut self.worker
    }

    fn look(
        &mut self,
        mv: P::Move,
        number: usize,
        depth: Depth,
        window: Window,
    ) -> Result<Score, Interrupted> {
        let root = *self.worker.task().game.position();
        self.move_value(&root, mv, number, depth - 1, window, Ply::ROOT)
    }

    fn continuation(&self) -> &[P::Move] {
        &self.lines[1]
    }

    fn static_score(&self) -> Score {
        self.evaluation.evaluate(self.worker.task().game.position())
    }
}
