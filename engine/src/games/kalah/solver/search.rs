//! The search for one value: tests over what is known of positions.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use super::super::board::Pit;
use super::book::Book;
use super::busy::Busy;
use super::endgame::Endgame;
use super::node::{Children, Node, Range, Source};
use super::table::{Cache, Effort, Known, Place, Table};
use crate::position::Patience;

/// Positions with up to so many stones more than the endgame table covers are near it. They are
/// kept in the thread's own cache: they recur soon or not at all, and a search that looks all of
/// them up in the large table spends most of its time waiting for memory.
const NEAR: u8 = 8;
/// The nodes between two reports of effort, some twenty microseconds.
pub(super) const NODES_A_REPORT: u64 = 64;

/// What all threads see.
pub(super) struct Shared {
    pub(super) book: Book,
    /// Built by who needs it first. Its number of stones.
    pub(super) endgame: Arc<OnceLock<Endgame>>,
    pub(super) endgame_stones: u8,
    pub(super) table: Table,
    pub(super) busy: Busy,
}

impl Shared {
    /// The endgame table, which may have to be built first.
    pub(super) fn endgame(&self) -> &Endgame {
        self.endgame.get_or_init(|| Endgame::new(self.endgame_stones))
    }
}

/// One thread's search.
pub(super) struct Search<'a> {
    pub(super) shared: &'a Shared,
    endgame: &'a Endgame,
    cache: Cache,
    effort: &'a mut Patience<'a>,
    pub(super) nodes: u64,
    reported: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(shared: &'a Shared, effort: &'a mut Patience<'a>) -> Self {
        shared.busy.begin();
        Self {
            shared,
            endgame: shared.endgame(),
            cache: Cache::new(),
            effort,
            nodes: 0,
            reported: 0,
        }
    }

    /// Narrows down what the mover collects: to one number, unless the search is interrupted.
    pub(super) fn solve(&mut self, node: &Node) -> Range {
        let mut range = self.known(node);
        while !range.is_exact() {
            let narrower = self.narrow(node, range);
            if narrower == range {
                break;
            }
            range = narrower;
        }
        range
    }

    /// One step of [`Search::solve`]; leaves the range as it is if the search is interrupted.
    ///
    /// MTD(f) (Plaat 1996): each test excludes the numbers on one side of a goal. The goals go up to
    /// half of the stones, and on from there by what the tests say. Those far below are proved with
    /// a hundredth of the effort, so a first bound is known early.
    pub(super) fn narrow(&mut self, node: &Node, range: Range) -> Range {
        let half = node.stones / 2 + 1;
        let short = half.saturating_sub(range.least);
        let goal = if short > node.stones / 16 { half - short / 2 } else { half };
        let goal = goal.clamp(range.least + 1, range.most);
        match self.decide(node, goal) {
            None => range,
            Some(bound) if bound >= goal => Range { least: bound, ..range },
            Some(bound) => Range { most: bound, ..range },
        }
    }

    /// What is known of a position at the root, where the book is looked into as well.
    pub(super) fn known(&self, node: &Node) -> Range {
        match self.shared.book.best(node) {
            Some(best) => Range::exact(best.collected),
            None => self.look_up(node, self.source(node)),
        }
    }

    /// [`Search::solve`] for each move.
    pub(super) fn solve_moves(&mut self, node: &Node) -> Vec<(Pit, Range)> {
        let children = Children::of(node);
        let mut moves = Vec::new();
        for child in children.as_slice() {
            let range = self.solve(&child.node);
            moves.push((child.pit, child.seen_from(node, range)));
        }
        moves
    }

    /// A move by which the mover collects `collected` stones, if there is one; `None` if not, or
    /// if the search is interrupted.
    pub(super) fn move_to(&mut self, node: &Node, collected: u8) -> Option<Pit> {
        if let Some(best) = self.shared.book.best(node) {
            return Some(best.pit);
        }
        let children = self.children(node);
        for child in children.in_order() {
            let bound = match child.range.decides(collected) {
                Some(bound) => bound,
                None => child.bound(node, self.decide(&child.node, child.goal(node, collected))?),
            };
            if bound >= collected {
                return Some(child.pit);
            }
        }
        None
    }

    /// Whether the mover collects `goal` stones or more, as a bound: at least so many, or at most.
    fn decide(&mut self, node: &Node, goal: u8) -> Option<u8> {
        let endless = Effort { proof: f64::INFINITY, disproof: f64::INFINITY };
        let source = self.source(node);
        let effort = self.prove(node, source, goal, endless)?;
        debug_assert!(effort == Effort::PROVED || effort == Effort::DISPROVED, "{effort:?}");
        let found = if effort == Effort::PROVED { goal } else { goal - 1 };
        // What is known may be more than what was asked for.
        Some(self.look_up(node, source).decides(goal).unwrap_or(found))
    }

    /// The children and what is known of them.
    #[inline(always)]
    pub(super) fn children(&self, node: &Node) -> Children {
        let mut children = Children::of(node);
        for child in children.as_mut_slice() {
            child.source = self.source(&child.node);
            self.prefetch(&child.source);
        }
        // In a loop of its own: the processor waits for all of them at the same time.
        for child in children.as_mut_slice() {
            child.range = child.seen_from(node, self.look_up(&child.node, child.source));
        }
        children
    }

    fn source(&self, node: &Node) -> Source {
        if node.stones <= self.endgame.stones() {
            return Source::Endgame(self.endgame.address(node.own, node.other));
        }
        match node.place() {
            None => Source::Nowhere,
            Some(place) if self.is_near(node) => Source::Cache(place),
            Some(place) => Source::Table(place),
        }
    }

    /// Begins to fetch what is in the slower parts of the memory.
    fn prefetch(&self, source: &Source) {
        match *source {
            Source::Endgame(address) => self.endgame.prefetch(address),
            Source::Table(place) => self.shared.table.prefetch(place),
            Source::Cache(_) | Source::Nowhere => (),
        }
    }

    /// What the mover collects, as far as it is known without a search.
    pub(super) fn look_up(&self, node: &Node, source: Source) -> Range {
        let known = match source {
            Source::Endgame(address) => return Range::exact(self.endgame.collected(address)),
            Source::Cache(place) => self.cache.get(place),
            Source::Table(place) => self.shared.table.get(place),
            Source::Nowhere => Known::default(),
        };
        Range {
            least: known.collected.max(node.surely_collected()),
            most: node.stones - known.conceded,
        }
    }

    /// Keeps what was found out about a position near the endgame table.
    pub(super) fn learn(&mut self, node: &Node, source: Source, range: Range) {
        if let Source::Cache(place) = source {
            let known = Known { collected: range.least, conceded: node.stones - range.most };
            self.cache.put(place, known);
        }
    }

    /// Keeps what a position far from it will still cost, and what follows if that is nothing.
    pub(super) fn learn_far(
        &self,
        node: &Node,
        place: Place,
        goal: u8,
        effort: Effort,
        nodes: u64,
    ) {
        let Range { mut least, mut most } = self.look_up(node, Source::Table(place));
        if effort == Effort::PROVED {
            least = least.max(goal);
        } else if effort == Effort::DISPROVED {
            most = most.min(goal - 1);
        }
        let known = Known { collected: least, conceded: node.stones - most };
        self.shared.table.put(place, known, (goal, effort), nodes);
    }

    fn is_near(&self, node: &Node) -> bool {
        node.stones <= self.endgame.stones() + NEAR
    }

    /// `None` when the search is to end.
    pub(super) fn count_node(&mut self) -> Option<()> {
        self.nodes += 1;
        if self.nodes - self.reported < NODES_A_REPORT {
            return Some(());
        }
        self.report().is_continue().then_some(())
    }

    /// Reports the effort that has not been reported yet.
    pub(super) fn report(&mut self) -> ControlFlow<()> {
        let fresh = self.nodes - self.reported;
        self.reported = self.nodes;
        (self.effort)(fresh)
    }
}

impl Drop for Search<'_> {
    fn drop(&mut self) {
        self.shared.busy.end();
    }
}
