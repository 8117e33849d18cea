//! The last plies before the horizon in games whose positions have very many moves: nearly all the
//! nodes of a search are there, and the static evaluation says which of them matter.

use super::Depth;
use super::alpha_beta::{Selectivity, TreeThread};
use super::tuning::FRONTIER;
use super::worker::Interrupted;
use crate::position::{Evaluate, Ordered};
use crate::score::{Ply, Score, Window};

impl<P: Ordered, E: Evaluate<P>> TreeThread<'_, P, E> {
    /// Whether a node with so much depth has a [value of its own kind](Self::frontier_value).
    pub(super) fn is_frontier(&self, depth: Depth) -> bool {
        P::IS_WIDE && depth == 1 && self.selectivity == Selectivity::Selective
    }

    /// The static value, if it lies so far above the window that the opponent will hardly change
    /// that (reverse futility pruning).
    pub(super) fn stands_above(
        &mut self,
        position: &P,
        depth: Depth,
        window: Window,
    ) -> Option<Score> {
        let is_asked = P::IS_WIDE && self.selectivity == Selectivity::Selective;
        if !is_asked || !window.is_null() || position.outcome(&[]).is_some() {
            return None;
        }
        let standing = self.standing(position);
        FRONTIER.is_above(standing, depth, window.beta).then_some(standing)
    }

    /// The value of a position one ply before the horizon. The moves are looked at in the order of
    /// what they promise, until the rest can't reach the window any more (futility pruning, Schaeffer
    /// 1986).
    pub(super) fn frontier_value(
        &mut self,
        position: &P,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        if let Some(outcome) = position.outcome(&[]) {
            return Ok(position.outcome_score(outcome, ply));
        }
        let standing = self.standing(position);
        if window.is_null() && FRONTIER.is_above(standing, 1, window.beta) {
            return Ok(standing);
        }
        let mut promising = self.buffers.ranked.pop().unwrap_or_default();
        promising.clear();
        let least = FRONTIER.needed(standing, window.alpha);
        position.promising_moves(FRONTIER.moves, least, &mut promising);
        // No more can be hoped for from those that are left out.
        let mut best =
            if promising.len() < FRONTIER.moves { window.alpha } else { -Score::INFINITE };
        let mut window = window;
        for &(promise, mv) in &promising {
            if promise <= FRONTIER.needed(standing, window.alpha) {
                best = best.max(window.alpha);
                break;
            }
            let score = self.event_value(position, mv, 0, window, ply)?;
            best = best.max(score);
            if score > window.alpha {
                window.alpha = score;
                self.put_in_line(mv, ply);
                if score >= window.beta {
                    break;
                }
            }
        }
        self.buffers.ranked.push(promising);
        Ok(best)
    }
}
