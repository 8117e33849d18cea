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
use super::statistics::{NO_SLOT, Statistics};
use super::table::{Entry, Table};
use super::tuning::{EXTENSION, FORCING, PREPARATION, PROBCUT, REDUCTION_STEPS, WIDE};
use super::worker::{Interrupted, Shared, Worker};
use super::{Bound, Depth, MAX_PLY, NoMemory, Observer, Search, Task, threads};
use crate::position::{Deterministic, Evaluate, Key, Ordered, TablesError};
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
    reductions: Reductions,
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
        let reductions = Reductions::new();
        let game = std::marker::PhantomData;
        Self { evaluation, table, reductions, threads: 1, selectivity, game }
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
        threads::think(&shared, observe, |worker| TreeThread::new(worker, self));
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
    /// Whether a shallower search is on that decides whether to look deeper.
    is_foreseeing: bool,
    table: &'a Table,
    pub(super) selectivity: Selectivity,
    statistics: Statistics,
    /// The last static values, in games whose search asks for that of nearly every position.
    judged: Vec<(Key, Score)>,
    reductions: &'a Reductions,
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

/// How many static values are kept.
const JUDGED: usize = 1 << 13;

/// A node that is being searched, and what was found out so far.
struct Node {
    ply: Ply,
    depth: Depth,
    window: Window,
    best: Score,
    /// The move that raised alpha last, or the one known before; [`NO_SLOT`] if there is none.
    best_slot: u16,
}

impl<'a, P: Ordered, E: Evaluate<P>> TreeThread<'a, P, E> {
    fn new(worker: Worker<'a, P>, search: &'a TreeSearch<P, E>) -> Self {
        Self {
            worker,
            evaluation: &search.evaluation,
            is_foreseeing: false,
            table: &search.table,
            selectivity: search.selectivity,
            statistics: Statistics::new::<P>(),
            judged: vec![(Key(0), Score(0)); if P::IS_WIDE { JUDGED } else { 0 }],
            reductions: &search.reductions,
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
        if self.heeds_repetition() {
            let reversible = position.reversible_plies();
            if reversible > 0 && self.worker.path.recurs(position.key(), reversible) {
                return Ok(Score::DRAW);
            }
        }
        if let Some(end) = self.evaluation.end(position) {
            return Ok(end.score(ply));
        }
        if depth <= 0 && self.selectivity == Selectivity::Selective {
            return self.value_beyond(position, depth, window, ply);
        }
        if self.is_frontier(depth) {
            return self.frontier_value(position, window, ply);
        }
        self.value_inside(position, depth, window, ply)
    }

    /// The static value of a position.
    pub(super) fn standing(&mut self, position: &P) -> Score {
        if !P::IS_WIDE {
            return self.evaluation.evaluate(position);
        }
        let key = position.table_key();
        let place = key.0 as usize % JUDGED;
        let (judged, score) = self.judged[place];
        if judged == key {
            return score;
        }
        let score = self.evaluation.evaluate(position);
        self.judged[place] = (key, score);
        score
    }

    /// Whether a position that comes again is worth a draw.
    fn heeds_repetition(&self) -> bool {
        P::REPETITION_DRAW.is_some()
            || P::REPETITION_IS_VAIN && self.selectivity == Selectivity::Selective
    }

    /// The value of a position that no rule and no table has ended, by its moves.
    fn value_inside(
        &mut self,
        position: &P,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        let key = position.table_key();
        self.table.prefetch(key);
        let mut moves = self.take_list();
        // Few moves are listed before the table's memory has answered; many only when it can't help.
        if !P::IS_WIDE {
            self.list(position, &mut moves);
        }
        let known = self.table.probe(key);
        let served = known.and_then(|entry| self.served(entry, depth, window, ply));
        if let Some(score) = served.filter(|_| window.is_null()) {
            self.put_back(moves);
            return Ok(score);
        }
        let score = match self.stands_above(position, depth, window) {
            None => self.foreseen(position, depth, window, ply)?,
            above => above,
        };
        if let Some(score) = score {
            self.put_back(moves);
            return Ok(score);
        }
        if P::IS_WIDE {
            self.list(position, &mut moves);
        }
        let value = if let Some(outcome) = position.outcome(&moves) {
            position.outcome_score(outcome, ply)
        } else if ply >= MAX_PLY || depth <= 0 && position.is_quiet(&moves) {
            self.evaluation.evaluate(position)
        } else {
            if self.heeds_repetition() {
                self.worker.path.push(position.key());
            }
            let slot = known.map(|entry| entry.slot);
            let best_slot = slot.unwrap_or(NO_SLOT);
            let node = Node { ply, depth, window, best: -Score::INFINITE, best_slot };
            let node = self.best_of(position, &moves, slot, node)?;
            if self.heeds_repetition() {
                self.worker.path.pop();
            }
            self.remember(key, &node, window);
            node.best
        };
        self.put_back(moves);
        Ok(value)
    }

    /// The best of the moves of a node.
    fn best_of(
        &mut self,
        position: &P,
        moves: &[P::Move],
        table_slot: Option<u16>,
        mut node: Node,
    ) -> Result<Node, Interrupted> {
        let Node { ply, depth, .. } = node;
        let ranked = self.buffers.ranked.pop().unwrap_or_default();
        let most = self.looked_at(depth);
        let mut picker =
            Picker::new(ranked, position, moves, most, table_slot, &self.statistics, ply);
        let mut failed = self.buffers.slots.pop().unwrap_or_default();
        failed.clear();
        let child_depth = self.depth_below(depth, moves.len(), ply);
        for number in 0.. {
            let Some(mv) = picker.pick() else { break };
            let score = self.move_value(position, mv, number, child_depth, node.window, ply)?;
            let slot = P::slot(mv);
            node.best = node.best.max(score);
            if score > node.window.alpha {
                node.best_slot = slot;
                node.window.alpha = score;
                self.put_in_line(mv, ply);
                if score >= node.window.beta {
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
        Ok(node)
    }

    /// A value of at least beta that a shallower search promises by a margin (`ProbCut`, Buro 1995).
    fn foreseen(
        &mut self,
        position: &P,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Option<Score>, Interrupted> {
        let is_tried = P::PROBCUT
            && self.selectivity == Selectivity::Selective
            && window.is_null()
            && depth >= PROBCUT.from_depth
            && !window.beta.is_forced()
            && !self.is_foreseeing;
        if !is_tried {
            return Ok(None);
        }
        let margin = PROBCUT.margin(depth);
        let raised = Window::null(Score(window.beta.0 + margin - 1));
        self.is_foreseeing = true;
        let score = self.value_inside(position, PROBCUT.depth(depth), raised, ply)?;
        self.is_foreseeing = false;
        let lowered = if score.is_forced() { score } else { Score(score.0 - margin) };
        Ok((score >= raised.beta).then_some(lowered))
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
        let child = position.sole_event(mv).map(|event| position.after(event));
        let value = |this: &mut Self, depth, window| match &child {
            Some(child) => this.child_value(position, child, depth, window, ply),
            None => this.chance_value(position, mv, depth, window, ply),
        };
        if number == 0 {
            return value(self, depth, window);
        }
        let null = Window::null(window.alpha);
        let is_forcing = || child.as_ref().is_some_and(P::must_react);
        let reduction = match self.reduction(position, mv, number, depth + 1, window) {
            plies if plies > 0 && ply <= FORCING && is_forcing() => 0,
            plies => plies,
        };
        let mut score = value(self, depth - reduction, null)?;
        if score > window.alpha && reduction > 0 {
            score = value(self, depth, null)?;
        }
        if score > window.alpha && score < window.beta {
            score = value(self, depth, window)?;
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
        let score = self.value(child, depth, turn.window(window), ply.next())?;
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

    /// The plies by which the `number`-th move (from 0) is first looked at less deeply.
    fn reduction(
        &self,
        position: &P,
        mv: P::Move,
        number: usize,
        depth: Depth,
        window: Window,
    ) -> Depth {
        if self.selectivity == Selectivity::FullWidth || position.is_tactical(mv) {
            return 0;
        }
        if P::TRUSTS_ORDER {
            REDUCTION_STEPS.plies(depth, number, window.is_null())
        } else {
            self.reductions.plies(depth, number)
        }
    }

    /// How many moves of a node are looked at, at most.
    fn looked_at(&self, depth: Depth) -> usize {
        match self.selectivity {
            Selectivity::Selective if P::IS_WIDE => WIDE.moves(depth),
            _ => usize::MAX,
        }
    }

    /// The depth of the children of a node with so many moves.
    fn depth_below(&self, depth: Depth, moves: usize, ply: Ply) -> Depth {
        depth.max(0) - 1 + self.extension(moves, ply)
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

    fn remember(&self, key: Key, node: &Node, window: Window) {
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
        self.table.store(key, entry);
    }

    /// Lists the moves that are looked at.
    fn list(&self, position: &P, moves: &mut Vec<P::Move>) {
        match self.selectivity {
            Selectivity::FullWidth => position.moves(moves),
            Selectivity::Selective => position.likely_moves(moves),
        }
    }

    /// An empty list of moves.
    pub(super) fn take_list(&mut self) -> Vec<P::Move> {
        let mut moves = self.buffers.moves.pop().unwrap_or_default();
        moves.clear();
        moves
    }

    /// Keeps the memory of a list.
    pub(super) fn put_back(&mut self, moves: Vec<P::Move>) {
        self.buffers.moves.push(moves);
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
