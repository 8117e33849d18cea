//! The search for one value: null-window tests over a table of bounds.

use std::cmp::Reverse;
use std::ops::ControlFlow;

use super::super::board::{PITS, Pit, Row, play};
use super::busy::Busy;
use super::endgame::Endgame;
use super::ordering;
use super::table::{Cache, Known, Place, Table};
use crate::position::Patience;
use crate::score::Turn;

/// Positions with up to so many stones more than the endgame table covers are kept in the thread's
/// own cache: they recur soon or not at all, and a search that looks all of them up in the large
/// table spends most of its time waiting for memory.
const CACHED: u8 = 8;
/// The nodes between two reports of effort, about a quarter of a millisecond.
const NODES_A_REPORT: u64 = 1024;

/// A position from the mover's side, without the stores.
#[derive(Clone, Copy)]
pub(super) struct Node {
    own: Row,
    other: Row,
    stones: u8,
    place: Option<Place>,
}

impl Node {
    pub(super) fn new(own: Row, other: Row) -> Self {
        let (own, other) = (own.without_store(), other.without_store());
        let stones = own.stones() + other.stones();
        Self { own, other, stones, place: Place::of(own, other) }
    }

    /// The stones in the pits.
    pub(super) fn stones(&self) -> u8 {
        self.stones
    }

    /// What the mover can always collect. It may play all pits that give an extra turn, from the
    /// right, so that none disturbs the next. If stones are left by then, its rightmost pit that
    /// holds some reaches the store, or ends in an empty pit and captures at least itself.
    fn surely_collected(&self) -> u8 {
        let extra_turns = self.own.extra_turns() as u8;
        extra_turns + u8::from(self.own.mobility() as u8 > extra_turns)
    }
}

/// The least and the most that a mover collects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Range {
    pub(super) least: u8,
    pub(super) most: u8,
}

impl Range {
    fn exact(collected: u8) -> Self {
        Self { least: collected, most: collected }
    }
}

/// A move and where it leads.
#[derive(Clone, Copy)]
struct Child {
    node: Node,
    pit: Pit,
    turn: Turn,
    /// What goes to the mover's store at once.
    gain: u8,
    /// What the mover collects by this move, as far as it is known.
    range: Range,
    /// Higher is searched earlier.
    promise: i32,
}

impl Child {
    const NONE: Self = {
        let node = Node { own: Row::EMPTY, other: Row::EMPTY, stones: 0, place: None };
        let range = Range { least: 0, most: 0 };
        Self { node, pit: Pit::ALL[0], turn: Turn::Passes, gain: 0, range, promise: 0 }
    };

    fn new(parent: &Node, pit: Pit) -> Self {
        let (own, other, turn) = play(parent.own, parent.other, pit);
        let node = match turn {
            Turn::Stays => Node::new(own, other),
            Turn::Passes => Node::new(other, own),
        };
        Self { node, pit, turn, gain: own.store(), ..Self::NONE }
    }

    /// What the mover of `parent` collects if the mover of the child collects `range`.
    fn seen_from(&self, parent: &Node, range: Range) -> Range {
        let Range { least, most } = range;
        match self.turn {
            // The rest has been swept.
            _ if self.node.stones == 0 => Range::exact(self.gain),
            Turn::Stays => Range { least: self.gain + least, most: self.gain + most },
            Turn::Passes => Range { least: parent.stones - most, most: parent.stones - least },
        }
    }
}

/// The children of a node.
struct Children {
    list: [Child; PITS],
    len: usize,
}

impl Children {
    fn of(parent: &Node) -> Self {
        let mut children = Self { list: [Child::NONE; PITS], len: 0 };
        for pit in parent.own.moves() {
            children.list[children.len] = Child::new(parent, pit);
            children.len += 1;
        }
        children
    }

    fn as_slice(&self) -> &[Child] {
        &self.list[..self.len]
    }

    fn as_mut_slice(&mut self) -> &mut [Child] {
        &mut self.list[..self.len]
    }

    /// Leaves out those that can't lead to `goal`, and returns what they lead to at most.
    fn exclude(&mut self, goal: u8) -> u8 {
        let (mut kept, mut excluded) = (0, 0);
        for at in 0..self.len {
            let child = self.list[at];
            if child.range.most < goal {
                excluded = excluded.max(child.range.most);
            } else {
                self.list[kept] = child;
                kept += 1;
            }
        }
        self.len = kept;
        excluded
    }

    /// Brings the most promising to the front.
    fn sort(&mut self) {
        if self.len < 2 {
            return;
        }
        for child in self.as_mut_slice() {
            let Child { node, pit, turn, gain, .. } = *child;
            child.promise = match turn {
                Turn::Stays => ordering::extra_turn(pit),
                Turn::Passes => ordering::passing(pit, gain, node.own, node.other),
            };
        }
        self.as_mut_slice().sort_by_key(|child| Reverse(child.promise));
    }
}

/// What all threads see.
pub(super) struct Shared {
    pub(super) endgame: Endgame,
    pub(super) table: Table,
    pub(super) busy: Busy,
}

/// One thread's search.
pub(super) struct Search<'a> {
    shared: &'a Shared,
    cache: Cache,
    effort: &'a mut Patience<'a>,
    nodes: u64,
    reported: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(shared: &'a Shared, effort: &'a mut Patience<'a>) -> Self {
        Self { shared, cache: Cache::new(), effort, nodes: 0, reported: 0 }
    }

    /// Narrows down what the mover collects: to one number, unless the search is interrupted.
    ///
    /// MTD(f) (Plaat 1996): each test excludes the numbers on one side of a goal. The first asks
    /// whether the mover collects more than half of the stones.
    pub(super) fn solve(&mut self, node: &Node) -> Range {
        let mut range = self.range(node);
        let mut goal = node.stones / 2 + 1;
        while range.least < range.most {
            goal = goal.clamp(range.least + 1, range.most);
            match self.test(node, goal) {
                None => break,
                Some(bound) if bound >= goal => {
                    range.least = bound;
                    goal = bound.saturating_add(1);
                }
                Some(bound) => {
                    range.most = bound;
                    goal = bound;
                }
            }
        }
        range
    }

    /// [`Search::solve`] for each move.
    pub(super) fn solve_moves(&mut self, node: &Node) -> Vec<(Pit, Range)> {
        let children = Children::of(node);
        let solve = |child: &Child| {
            let range = self.solve(&child.node);
            (child.pit, child.seen_from(node, range))
        };
        children.as_slice().iter().map(solve).collect()
    }

    /// A move by which the mover collects `collected` stones, if there is one; `None` if not, or
    /// if the search is interrupted.
    pub(super) fn move_to(&mut self, node: &Node, collected: u8) -> Option<Pit> {
        let mut children = self.children(node);
        children.sort();
        for child in children.as_slice() {
            if self.value(node, child, collected)? >= collected {
                return Some(child.pit);
            }
        }
        None
    }

    /// Tests whether the mover collects `goal` stones or more.
    ///
    /// The answer is a bound: if it is `goal` or more, the mover collects at least as much; if it
    /// is less, no more than that. `None` if the search is interrupted.
    fn test(&mut self, node: &Node, goal: u8) -> Option<u8> {
        let range = self.range(node);
        if range.least >= goal {
            return Some(range.least);
        }
        if range.most < goal {
            return Some(range.most);
        }
        self.count_node()?;
        let before = self.nodes;
        let mut children = self.children(node);
        // Enhanced transposition cutoff (Plaat 1996): no child is searched if one is known to do.
        let known = children.as_slice().iter().map(|child| child.range.least).max();
        if let Some(least) = known.filter(|&least| least >= goal) {
            self.learn(node, Range { least, ..range }, 1);
            return Some(least);
        }
        let mut most = children.exclude(goal);
        children.sort();
        let children = children.as_mut_slice();
        // Each child may be put off once while another thread searches it; not the first, which is
        // likely to end the matter.
        let (mut at, mut delays) = (0, children.len());
        while at < children.len() {
            if at > 0 && delays > 0 && self.is_busy(&children[at].node) {
                delays -= 1;
                children[at..].rotate_left(1);
                continue;
            }
            let value = self.value(node, &children[at], goal)?;
            if value >= goal {
                let nodes = self.nodes - before + 1;
                self.learn(node, Range { least: value, ..range }, nodes);
                return Some(value);
            }
            most = most.max(value);
            at += 1;
        }
        let most = most.min(range.most);
        self.learn(node, Range { most, ..range }, self.nodes - before + 1);
        Some(most)
    }

    /// [`Search::test`] of one move, told to the other threads.
    fn value(&mut self, parent: &Node, child: &Child, goal: u8) -> Option<u8> {
        if child.range.least >= goal {
            return Some(child.range.least);
        }
        if child.range.most < goal {
            return Some(child.range.most);
        }
        let place = self.shared_place(&child.node);
        place.inspect(|&place| self.shared.busy.enter(place));
        let value = match child.turn {
            Turn::Stays => {
                self.test(&child.node, goal - child.gain).map(|value| child.gain + value)
            }
            // Both sides together collect all stones, those that are gained at once included.
            Turn::Passes => {
                self.test(&child.node, parent.stones - goal + 1).map(|value| parent.stones - value)
            }
        };
        place.inspect(|&place| self.shared.busy.leave(place));
        value
    }

    fn is_busy(&self, node: &Node) -> bool {
        self.shared_place(node).is_some_and(|place| self.shared.busy.contains(place))
    }

    /// The children and what is known of them.
    fn children(&self, node: &Node) -> Children {
        let mut children = Children::of(node);
        // In a loop of its own: the processor waits for all entries at the same time.
        for child in children.as_mut_slice() {
            child.range = child.seen_from(node, self.range(&child.node));
        }
        children
    }

    /// What the mover collects, as far as it is known without a search.
    fn range(&self, node: &Node) -> Range {
        if node.stones <= self.shared.endgame.stones() {
            return Range::exact(self.shared.endgame.collected(node.own, node.other));
        }
        let known = match node.place {
            None => Known::default(),
            Some(place) if self.is_cached(node) => self.cache.get(place),
            Some(place) => self.shared.table.get(place),
        };
        Range {
            least: known.collected.max(node.surely_collected()),
            most: node.stones - known.conceded,
        }
    }

    fn learn(&mut self, node: &Node, range: Range, nodes: u64) {
        let known = Known { collected: range.least, conceded: node.stones - range.most };
        match node.place {
            None => (),
            Some(place) if self.is_cached(node) => self.cache.put(place, known),
            Some(place) => self.shared.table.put(place, known, nodes),
        }
    }

    /// The place of a position whose bounds all threads see.
    fn shared_place(&self, node: &Node) -> Option<Place> {
        node.place.filter(|_| !self.is_cached(node))
    }

    fn is_cached(&self, node: &Node) -> bool {
        node.stones <= self.shared.endgame.stones() + CACHED
    }

    /// `None` when the search is to end.
    fn count_node(&mut self) -> Option<()> {
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
