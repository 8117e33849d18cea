//! Alpha-beta with a null window, for positions near the endgame table.

use super::node::{Node, Range, Source};
use super::search::Search;

impl Search<'_> {
    /// Tests whether the mover collects `goal` stones or more.
    ///
    /// The answer is a bound: if it is `goal` or more, the mover collects at least as much; if it
    /// is less, no more than that. `None` if the search is interrupted.
    pub(super) fn test(&mut self, node: &Node, source: Source, goal: u8) -> Option<u8> {
        let range = self.look_up(node, source);
        if let Some(bound) = range.decides(goal) {
            return Some(bound);
        }
        self.count_node()?;
        let mut children = self.children(node);
        // Enhanced transposition cutoff (Plaat 1996): no child is searched if one is known to do.
        let least = children.least();
        if least >= goal {
            self.learn(node, source, Range { least, ..range });
            return Some(least);
        }
        let mut most = children.exclude(goal);
        for child in children.in_order() {
            let value = if let Some(bound) = child.range.decides(goal) {
                bound
            } else {
                let goal = child.goal(node, goal);
                child.bound(node, self.test(&child.node, child.source, goal)?)
            };
            if value >= goal {
                self.learn(node, source, Range { least: value, ..range });
                return Some(value);
            }
            most = most.max(value);
        }
        let most = most.min(range.most);
        self.learn(node, source, Range { most, ..range });
        Some(most)
    }
}
