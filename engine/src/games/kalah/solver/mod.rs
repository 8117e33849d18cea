//! Exact values: the margin at the end of the game with perfect play on both sides.
//!
//! # How it works
//!
//! *Stores do not matter.* What they hold can't be lost, so the question is only how many of the
//! stones in the pits the side to move still *collects*; the other side collects the rest. A
//! position is twelve pits, seen from the side to move, and its value a number from 0 to their
//! stones. The margin follows: what is in the stores, plus twice the value, minus the stones.
//!
//! *Few stones are looked up.* The values of all positions with few stones are computed when the
//! solver is made (`endgame`): 30 million positions with up to 16 stones, a byte each.
//!
//! *More stones are searched* (`search`). A test asks whether the side to move collects some number
//! of stones, and MTD(f) asks one test after the other, the easy ones first, until a single number
//! remains. A test needs no evaluation and no depth: no position recurs, so every line ends in the
//! endgame table. After an extra turn the same side is asked for the rest; otherwise the other side
//! is asked whether it can collect so much that the goal is out of reach.
//!
//! *Near the endgame table* the test is alpha-beta with a null window (`window`). All that matters
//! there is to be quick. Before a node searches a child it looks all of them up: one that is known
//! to reach the goal ends the matter. Where nothing is known there is still a bound: the side to
//! move collects a stone for each extra turn at hand, and then one more. (That is where the empty
//! capture comes in: the last pit always brings at least its own stone home.)
//!
//! *Far from it* what matters is to choose the moves whose proof is small: proof-number search
//! (`proof_number`) needs half the nodes of alpha-beta. It is led by guesses at what proofs cost
//! (`guess`).
//!
//! *Nothing is searched twice.* Each test leaves what it found out about each position that it met
//! in a table: far from the endgame table in one that threads share, near it in a small one of the
//! thread's own (`table`).
//!
//! *Threads help each other* (`busy`): they share the table, and keep out of each other's way.

pub mod book;
mod busy;
pub mod checkpoint;
mod endgame;
mod guess;
mod node;
mod proof_number;
mod search;
mod table;
mod window;

use std::collections::TryReserveError;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use book::{Best, Book};
use busy::Busy;
use endgame::Endgame;
use node::{Node, Range};
use search::{Search, Shared};
use table::Table;

use super::board::Pit;
use super::{Kalah, STONE};
use crate::position::{NoMemory, Patience, Position, Proven, Solve};
use crate::score::Score;

/// The stones that the endgame table of [`Solver::new`] covers: 30 MB, and twice that while it is
/// built. One stone more takes 1.7 times as much, and saves a quarter of the nodes.
pub const ENDGAME_STONES: u8 = 16;
/// The most stones an endgame table can be built for.
pub const ENDGAME_STONES_AT_MOST: u8 = endgame::STONES_AT_MOST as u8;

/// By how many stones the side to move is ahead when the game is over, stores included.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Margin(pub i16);

/// The least and the most that a margin can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// It is this or more.
    pub lower: Margin,
    /// It is this or less.
    pub upper: Margin,
}

impl Bounds {
    /// The margin, where the bounds leave but one.
    pub fn exact(self) -> Option<Margin> {
        (self.lower == self.upper).then_some(self.lower)
    }

    /// What `range` means in the game of `position`.
    fn of(position: &Kalah, node: &Node, range: Range) -> Self {
        let margin = |collected: u8| {
            let ahead = 2 * i32::from(collected) - i32::from(node.stones);
            Margin((position.lead() + ahead) as i16)
        };
        Self { lower: margin(range.least), upper: margin(range.most) }
    }

    /// The range that these bounds come from.
    fn range(self, position: &Kalah, node: &Node) -> Range {
        let collected = |Margin(margin)| {
            let ahead = i32::from(margin) - position.lead();
            i32::midpoint(ahead, node.stones.into()) as u8
        };
        Range { least: collected(self.lower), most: collected(self.upper) }
    }
}

/// Solves positions, and remembers what it finds.
///
/// Threads may share it, and work together when they solve the same position at the same time: the
/// first one that finishes has the value, and the patience of the others may end their searches.
pub struct Solver {
    shared: Shared,
    threads: usize,
}

impl Solver {
    /// A solver whose table takes `mib` MiB, four at least. Its endgame table is built, on the
    /// current rayon pool, when it is needed first.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(mib: usize) -> Result<Self, TryReserveError> {
        Self::with_endgame(mib, ENDGAME_STONES)
    }

    /// [`Solver::new`] with an endgame table of up to `stones` stones, 18 at most.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn with_endgame(mib: usize, stones: u8) -> Result<Self, TryReserveError> {
        let (book, table, busy) = (Book::default(), Table::new(mib)?, Busy::new());
        let (endgame, endgame_stones) = (Arc::default(), stones);
        let shared = Shared { book, endgame, endgame_stones, table, busy };
        Ok(Self { shared, threads: 1 })
    }

    /// Begins to build an endgame table of up to `stones` stones, in a thread of its own. What needs
    /// the table waits for it.
    pub fn build_endgame(&mut self, stones: u8) {
        if stones != self.shared.endgame_stones {
            self.shared.endgame = Arc::default();
            self.shared.endgame_stones = stones;
        }
        let endgame = Arc::clone(&self.shared.endgame);
        let build = move || {
            endgame.get_or_init(|| Endgame::new(stones));
        };
        // Where the system has no room for a thread, the first one that needs the table builds it.
        let _ = thread::Builder::new().spawn(build);
    }

    /// Looks positions up in `book` before it solves them.
    #[must_use]
    pub fn with_book(mut self, book: Book) -> Self {
        self.shared.book = book;
        self
    }

    /// Changes the size of the table, and forgets what is in it.
    ///
    /// # Errors
    /// If there is not so much memory beside the old table, which then stays.
    pub fn resize(&mut self, mib: usize) -> Result<(), TryReserveError> {
        self.shared.table = Table::new(mib)?;
        Ok(())
    }

    /// Forgets all positions that were searched.
    pub fn clear(&mut self) {
        self.shared.table.clear();
    }

    /// How many of a thousand places of the table are taken.
    pub fn permille_full(&self) -> u16 {
        self.shared.table.permille_full()
    }

    /// How many threads take each step of [`Solver::narrow`] together.
    pub fn set_threads(&mut self, threads: usize) {
        self.threads = threads;
    }

    /// What is known of `position` without a search.
    pub fn known(&self, position: &Kalah) -> Bounds {
        let node = Node::new(position.own(), position.other());
        let range = match self.shared.book.best(&node) {
            Some(best) => Range::exact(best.collected),
            // Not worth waiting for.
            None if self.shared.endgame.get().is_none() => Range { least: 0, most: node.stones },
            None => self.search(&mut |_| ControlFlow::Continue(())).known(&node),
        };
        Bounds::of(position, &node, range)
    }

    /// What is proven of `position` after one step more from `bounds`, which are left as they are
    /// when `patience` ends before.
    pub fn narrow(&self, position: &Kalah, bounds: Bounds, patience: &mut Patience<'_>) -> Bounds {
        let node = Node::new(position.own(), position.other());
        let known = self.known(position).range(position, &node);
        let range = bounds.range(position, &node).and(known);
        if range.is_exact() {
            return Bounds::of(position, &node, range);
        }
        // The first thread that has made the step ends the search of the others.
        let (done, helped) = (AtomicBool::new(false), AtomicU64::new(0));
        let help = || {
            let narrower = self.step(&node, range, &mut |nodes| {
                helped.fetch_add(nodes, Relaxed);
                if done.load(Relaxed) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            done.store(true, Relaxed);
            narrower
        };
        let range = thread::scope(|scope| {
            let spawn = |_| thread::Builder::new().spawn_scoped(scope, help).ok();
            // Where the system has no room for more threads, those that there are have to do.
            let helpers: Vec<_> = (1..self.threads).map_while(spawn).collect();
            let narrower = self.step(&node, range, &mut |nodes| {
                let flow = patience(nodes + helped.swap(0, Relaxed));
                if done.load(Relaxed) { ControlFlow::Break(()) } else { flow }
            });
            done.store(true, Relaxed);
            let found = helpers.into_iter().map(|helper| helper.join().expect("it does not panic"));
            found.fold(narrower, Range::and)
        });
        let _ = patience(helped.into_inner());
        Bounds::of(position, &node, range)
    }

    /// One thread's step.
    fn step(&self, node: &Node, range: Range, patience: &mut Patience<'_>) -> Range {
        let mut search = self.search(patience);
        let range = search.narrow(node, range);
        let _ = search.report();
        range
    }

    /// The margin of `position`.
    ///
    /// # Errors
    /// The bounds that are proved when `patience` ends the search.
    pub fn solve(&self, position: &Kalah, patience: &mut Patience<'_>) -> Result<Margin, Bounds> {
        let node = Node::new(position.own(), position.other());
        let mut search = self.search(patience);
        let bounds = Bounds::of(position, &node, search.solve(&node));
        // Nothing is left to interrupt.
        let _ = search.report();
        bounds.exact().ok_or(bounds)
    }

    /// Each move of `position` and the margin that it leads to, seen from the side to move. A
    /// search that `patience` ends leaves bounds that are not exact.
    pub fn values(&self, position: &Kalah, patience: &mut Patience<'_>) -> Vec<(Pit, Bounds)> {
        let node = Node::new(position.own(), position.other());
        let mut search = self.search(patience);
        let moves = search.solve_moves(&node);
        let _ = search.report();
        moves.into_iter().map(|(pit, range)| (pit, Bounds::of(position, &node, range))).collect()
    }

    /// A line of perfect play from `position` to the end of the game; not so far if `patience` ends
    /// the search.
    pub fn best_line(&self, position: &Kalah, patience: &mut Patience<'_>) -> Vec<Pit> {
        let mut search = self.search(patience);
        let mut position = *position;
        let mut line = Vec::new();
        loop {
            let node = Node::new(position.own(), position.other());
            let Range { least, most } = search.solve(&node);
            let best = (least == most).then(|| search.move_to(&node, least)).flatten();
            let Some(pit) = best else { break };
            line.push(pit);
            position = position.after(pit);
        }
        let _ = search.report();
        line
    }

    /// What the mover collects, and a move by which it does; `None` if `patience` ends the search.
    fn best(&self, node: &Node, patience: &mut Patience<'_>) -> Option<Best> {
        let mut search = self.search(patience);
        let Range { least, most } = search.solve(node);
        let pit = (least == most).then(|| search.move_to(node, least)).flatten()?;
        let _ = search.report();
        Some(Best { collected: least, pit })
    }

    fn search<'a>(&'a self, patience: &'a mut Patience<'_>) -> Search<'a> {
        Search::new(&self.shared, patience)
    }
}

impl Default for Solver {
    /// The smallest solver, with the book that comes with the engine.
    fn default() -> Self {
        let solver = Self::new(4).expect("there are four MiB");
        solver.with_book(Book::built_in().expect("a test reads it"))
    }
}

impl From<Bounds> for Proven {
    fn from(Bounds { lower: Margin(lower), upper: Margin(upper) }: Bounds) -> Self {
        let [least, most] = [lower, upper].map(|margin| Score(STONE * i32::from(margin)));
        Self { least, most }
    }
}

impl From<Proven> for Bounds {
    fn from(Proven { least, most }: Proven) -> Self {
        let [lower, upper] = [least, most].map(|Score(score)| Margin((score / STONE) as i16));
        Self { lower, upper }
    }
}

impl Solve<Kalah> for Solver {
    const STRIDE: u64 = search::NODES_A_REPORT;

    fn known(&self, position: &Kalah) -> Proven {
        Self::known(self, position).into()
    }

    fn narrow(&self, position: &Kalah, proven: Proven, patience: &mut Patience<'_>) -> Proven {
        Self::narrow(self, position, proven.into(), patience).into()
    }

    fn best_line(&self, position: &Kalah, patience: &mut Patience<'_>) -> Vec<Pit> {
        Self::best_line(self, position, patience)
    }

    fn hashfull(&self) -> u16 {
        self.permille_full()
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory> {
        self.resize(mebibytes).map_err(|_| NoMemory { mebibytes })
    }

    fn set_threads(&mut self, threads: usize) {
        Self::set_threads(self, threads);
    }

    fn set_endgame(&mut self, stones: u8) {
        self.build_endgame(stones);
    }

    fn get_ready(&mut self) {
        self.shared.endgame();
    }

    fn clear(&mut self) {
        Self::clear(self);
    }
}
