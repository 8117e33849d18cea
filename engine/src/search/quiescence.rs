//! The search below the horizon: what changes the value at once is played out before it is judged.

use super::alpha_beta::TreeThread;
use super::tuning::QUIESCENCE;
use super::worker::Interrupted;
use super::{Depth, MAX_PLY};
use crate::position::{Evaluate, Horizon, Ordered};
use crate::score::{Ply, Score, Window};

impl<P: Ordered, E: Evaluate<P>> TreeThread<'_, P, E> {
    /// The value of a position at the horizon of a selective search, or below. There the depth counts
    /// the choices on the way, in bits, down from 0: a forced move is followed for ever, many choices
    /// are not.
    pub(super) fn value_beyond(
        &mut self,
        position: &P,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        let mut moves = self.take_list();
        let is_last = ply >= MAX_PLY || depth < -QUIESCENCE.bits;
        let value = match position.horizon(&mut moves) {
            Horizon::Unsettled => match position.outcome(&moves) {
                Some(outcome) => position.outcome_score(outcome, ply),
                None if is_last => self.standing(position),
                None => self.best_beyond(position, &moves, -Score::INFINITE, depth, window, ply)?,
            },
            Horizon::Settled => {
                let score = self.standing(position);
                if is_last || score >= window.beta {
                    score
                } else {
                    position.gains(depth < 0, &mut moves);
                    self.best_beyond(position, &moves, score, depth, window, ply)?
                }
            }
        };
        self.put_back(moves);
        Ok(value)
    }

    /// The best of `moves`, in the order in which they are listed, and of what is `sure` without them.
    fn best_beyond(
        &mut self,
        position: &P,
        moves: &[P::Move],
        sure: Score,
        depth: Depth,
        mut window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        if moves.is_empty() {
            return Ok(sure);
        }
        let child_depth = depth - moves.len().ilog2() as Depth;
        let mut best = sure;
        window.alpha = window.alpha.max(sure);
        for &mv in moves {
            let score = self.event_value(position, mv, child_depth, window, ply)?;
            best = best.max(score);
            if score > window.alpha {
                window.alpha = score;
                self.put_in_line(mv, ply);
                if score >= window.beta {
                    break;
                }
            }
        }
        Ok(best)
    }
}
