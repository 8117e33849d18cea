//! Positions as the search sees them: from the side to move, and without stores.

use super::super::board::{PITS, Pit, Row, play};
use super::guess;
use super::table::Place;
use crate::score::Turn;

/// A position from the mover's side, without the stores.
#[derive(Clone, Copy)]
pub(super) struct Node {
    pub(super) own: Row,
    pub(super) other: Row,
    /// The stones in the pits.
    pub(super) stones: u8,
}

impl Node {
    pub(super) fn new(own: Row, other: Row) -> Self {
        let (own, other) = (own.without_store(), other.without_store());
        Self { own, other, stones: own.stones() + other.stones() }
    }

    pub(super) fn place(&self) -> Option<Place> {
        Place::of(self.own, self.other)
    }

    /// What the mover can always collect. It may play all pits that give an extra turn, from the
    /// right, so that none disturbs the next. If stones are left by then, its rightmost pit that
    /// holds some reaches the store, or ends in an empty pit and captures at least itself.
    pub(super) fn surely_collected(&self) -> u8 {
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
    pub(super) fn exact(collected: u8) -> Self {
        Self { least: collected, most: collected }
    }

    pub(super) fn is_exact(self) -> bool {
        self.least == self.most
    }

    /// What follows from both.
    pub(super) fn and(self, other: Self) -> Self {
        Self { least: self.least.max(other.least), most: self.most.min(other.most) }
    }

    /// A range that decides whether the mover collects `goal`, as the bound that it gives.
    pub(super) fn decides(self, goal: u8) -> Option<u8> {
        match self {
            Self { least, .. } if least >= goal => Some(least),
            Self { most, .. } if most < goal => Some(most),
            _ => None,
        }
    }
}

/// Where it stands what is known of a position.
#[derive(Clone, Copy)]
pub(super) enum Source {
    Endgame(usize),
    /// The thread's own cache, for positions near the endgame table.
    Cache(Place),
    /// The table that threads share.
    Table(Place),
    Nowhere,
}

impl Source {
    /// The place in the shared table, if it stands there.
    pub(super) fn table(self) -> Option<Place> {
        if let Self::Table(place) = self { Some(place) } else { None }
    }
}

/// A move and where it leads.
#[derive(Clone, Copy)]
pub(super) struct Child {
    pub(super) node: Node,
    pub(super) pit: Pit,
    pub(super) turn: Turn,
    /// What goes to the mover's store at once.
    pub(super) gain: u8,
    /// Where it stands what is known of the child.
    pub(super) source: Source,
    /// What the mover collects by this move, as far as it is known.
    pub(super) range: Range,
}

impl Child {
    const NONE: Self = {
        let node = Node { own: Row::EMPTY, other: Row::EMPTY, stones: 0 };
        let range = Range { least: 0, most: 0 };
        Self { node, pit: Pit::ALL[0], turn: Turn::Passes, gain: 0, source: Source::Nowhere, range }
    };

    fn new(parent: &Node, pit: Pit) -> Self {
        let (own, other, turn) = play(parent.own, parent.other, pit);
        let gain = own.store();
        // At the end of the game the stores have all stones.
        let stones = if own.is_empty() { 0 } else { parent.stones - gain };
        let (own, other) = (own.without_store(), other.without_store());
        let node = match turn {
            Turn::Stays => Node { own, other, stones },
            Turn::Passes => Node { own: other, other: own, stones },
        };
        Self { node, pit, turn, gain, ..Self::NONE }
    }

    /// What the mover of `parent` collects if the mover of the child collects `range`.
    pub(super) fn seen_from(&self, parent: &Node, range: Range) -> Range {
        let Range { least, most } = range;
        match self.turn {
            // The rest has been swept.
            _ if self.node.stones == 0 => Range::exact(self.gain),
            Turn::Stays => Range { least: self.gain + least, most: self.gain + most },
            Turn::Passes => Range { least: parent.stones - most, most: parent.stones - least },
        }
    }

    /// What the mover of the child has to collect for the mover of `parent` to collect `goal`, or
    /// to keep it from doing so.
    pub(super) fn goal(&self, parent: &Node, goal: u8) -> u8 {
        match self.turn {
            Turn::Stays => goal - self.gain,
            // Both sides together collect all stones, those that are gained at once included.
            Turn::Passes => parent.stones - goal + 1,
        }
    }

    /// A bound of what the mover of the child collects, as one for the mover of `parent`.
    pub(super) fn bound(&self, parent: &Node, bound: u8) -> u8 {
        match self.turn {
            Turn::Stays => self.gain + bound,
            Turn::Passes => parent.stones - bound,
        }
    }

    /// Higher is searched earlier.
    fn promise(&self) -> i32 {
        match self.turn {
            Turn::Stays => guess::extra_turn(self.pit),
            Turn::Passes => guess::passing(self.pit, self.gain, &self.node),
        }
    }
}

/// The children of a node.
pub(super) struct Children {
    list: [Child; PITS],
    len: usize,
}

impl Children {
    #[inline(always)]
    pub(super) fn of(parent: &Node) -> Self {
        let (mut pits, mut len) = (parent.own.moves(), 0);
        let list = std::array::from_fn(|_| {
            let Some(pit) = pits.next() else { return Child::NONE };
            len += 1;
            Child::new(parent, pit)
        });
        Self { list, len }
    }

    pub(super) fn as_slice(&self) -> &[Child] {
        &self.list[..self.len]
    }

    pub(super) fn as_mut_slice(&mut self) -> &mut [Child] {
        &mut self.list[..self.len]
    }

    /// The most that a child is known to lead to for sure.
    pub(super) fn least(&self) -> u8 {
        self.as_slice().iter().map(|child| child.range.least).max().unwrap_or(0)
    }

    /// Leaves out those that can't lead to `goal`, and returns what they lead to at most.
    pub(super) fn exclude(&mut self, goal: u8) -> u8 {
        let (mut kept, mut excluded) = (0, 0);
        for at in 0..self.len {
            let most = self.list[at].range.most;
            if most < goal {
                excluded = excluded.max(most);
            } else {
                self.list[kept] = self.list[at];
                kept += 1;
            }
        }
        self.len = kept;
        excluded
    }

    /// The children in the order of their promise, the most promising first.
    pub(super) fn in_order(&self) -> impl Iterator<Item = &Child> {
        let mut order = [(i32::MIN, 0); PITS];
        if self.len > 1 {
            for (at, child) in self.as_slice().iter().enumerate() {
                let mut entry = (child.promise(), at);
                // Insertion: there are six at most.
                for place in &mut order[..=at] {
                    if entry.0 > place.0 {
                        std::mem::swap(&mut entry, place);
                    }
                }
            }
        }
        order.into_iter().take(self.len).map(|(_, at)| &self.list[at])
    }
}
