//! Proof-number search, for positions far from the endgame table.
//!
//! That the mover collects some number of stones has many proofs, or many disproofs, and they
//! differ in size. Alpha-beta takes the first one that its order of moves leads to. Proof-number
//! search looks for a small one: it keeps for each position what a proof and a disproof are likely
//! to cost yet, and always goes on where the least is left to do. A move that does not keep what it
//! promised is left for the next one, and taken up again when that one has become dearer.
//!
//! This is df-pn (Nagai 2002): depth first, with limits for both costs below which a position is
//! still the right place to be, and with the costs in the table. Two things make it fast here. A
//! new position costs what the guess says, not 1. And a limit lies a little above the costs of the
//! next best move (Pawlewicz, Lew 2007), or else the search would jump to and fro.

use super::super::board::PITS;
use super::guess;
use super::node::{Child, Node, Source};
use super::search::Search;
use super::table::Effort;

/// By how much a move may become dearer than the next best one before the search turns to that.
const SLACK: f64 = 0.3;
/// A move that another thread is busy with counts as so many times as dear: enough for a thread to
/// turn to one that is as cheap, and not enough to send it where a proof costs more.
const BUSY: f64 = 1.03;

impl Search<'_> {
    /// Tests whether the mover collects `goal` stones or more, as long as what a proof and a
    /// disproof are likely to cost yet both stay below `limit`. `None` if the search is
    /// interrupted.
    pub(super) fn prove(
        &mut self,
        node: &Node,
        source: Source,
        goal: u8,
        limit: Effort,
    ) -> Option<Effort> {
        if let Some(bound) = self.look_up(node, source).decides(goal) {
            return Some(Effort::decided(bound >= goal));
        }
        let Source::Table(place) = source else {
            return self.test(node, source, goal).map(|bound| Effort::decided(bound >= goal));
        };
        self.count_node()?;
        let before = self.nodes;
        let children = self.children(node);
        let children = children.as_slice();
        let mut efforts = [Effort::DISPROVED; PITS];
        for (effort, child) in efforts.iter_mut().zip(children) {
            *effort = self.effort(node, child, goal);
        }
        let efforts = &mut efforts[..children.len()];
        loop {
            let choice = self.choice(children, efforts);
            let effort = choice.effort;
            if effort.proof >= limit.proof || effort.disproof >= limit.disproof {
                self.learn_far(node, place, goal, effort, self.nodes - before + 1);
                return Some(effort);
            }
            let child = &children[choice.best];
            let limit = choice.limit(limit).seen_by(child.turn);
            let marked = child.source.table().filter(|_| !self.shared.busy.is_alone());
            marked.inspect(|&place| self.shared.busy.enter(place));
            let found = self.prove(&child.node, child.source, child.goal(node, goal), limit);
            marked.inspect(|&place| self.shared.busy.leave(place));
            efforts[choice.best] = found?.seen_by(child.turn);
            // Another thread may have been faster.
            if !self.shared.busy.is_alone()
                && let Some(bound) = self.look_up(node, source).decides(goal)
            {
                return Some(Effort::decided(bound >= goal));
            }
        }
    }

    /// What it is likely to cost yet to prove that a move collects `goal`, and that it does not.
    fn effort(&self, parent: &Node, child: &Child, goal: u8) -> Effort {
        if let Some(bound) = child.range.decides(goal) {
            return Effort::decided(bound >= goal);
        }
        let goal = child.goal(parent, goal);
        let known = child.source.table();
        let known = known.and_then(|place| self.shared.table.effort(place, goal));
        known.unwrap_or_else(|| guess::effort(&child.node, goal)).seen_by(child.turn)
    }

    /// The cheapest of some moves.
    fn choice(&self, children: &[Child], efforts: &[Effort]) -> Choice {
        let alone = self.shared.busy.is_alone();
        let (mut best, mut proof, mut next) = (0, f64::INFINITY, f64::INFINITY);
        for (at, (child, effort)) in children.iter().zip(efforts).enumerate() {
            let busy = !alone
                && child.source.table().is_some_and(|place| self.shared.busy.contains(place));
            let price = if busy { BUSY * effort.proof } else { effort.proof };
            if price < proof {
                (best, proof, next) = (at, price, proof);
            } else {
                next = next.min(price);
            }
        }
        let others = efforts.iter().enumerate().filter(|&(at, _)| at != best);
        let others = others.map(|(_, effort)| effort.disproof).sum::<f64>();
        let disproof = others + efforts.get(best).map_or(0.0, |effort| effort.disproof);
        let proof = efforts.iter().map(|effort| effort.proof).fold(f64::INFINITY, f64::min);
        Choice { best, next, others, effort: Effort { proof, disproof } }
    }
}

/// The move to search.
struct Choice {
    best: usize,
    /// What proof the next best move costs.
    next: f64,
    /// What it costs to disprove all other moves.
    others: f64,
    /// Of all moves together: one proof is enough, and all disproofs are needed.
    effort: Effort,
}

impl Choice {
    /// Up to where the search of the move stays within `limit`, and does not become much dearer
    /// than the next best one.
    fn limit(&self, limit: Effort) -> Effort {
        Effort {
            proof: limit.proof.min(self.next * (1.0 + SLACK) + 1.0),
            disproof: limit.disproof - self.others,
        }
    }
}
