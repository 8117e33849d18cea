//! Moves of chance: a move whose event is not sure is worth the average of what may happen.
//!
//! Star1 and Star2 pruning (Ballard, *The \*-minimax search procedure for trees containing chance
//! nodes*, 1983). Scores are averaged within a limit, so that a possible win counts for much, but
//! not for everything, and so that an event not yet looked at has known bounds.

use super::alpha_beta::{Selectivity, TreeSearch, TreeThread};
use super::tuning::CHANCE;
use super::worker::Interrupted;
use super::{Depth, MAX_PLY};
use crate::position::{Evaluate, Ordered, Weight};
use crate::score::{Ply, Score, Turn, Window};

/// Expectimax search for a game with chance.
pub fn expectimax<P: Ordered, E: Evaluate<P>>(
    evaluation: E,
    selectivity: Selectivity,
) -> TreeSearch<P, E> {
    TreeSearch::new(evaluation, selectivity)
}

/// What a score counts in an average.
pub fn counted(score: Score) -> Score {
    score.clamp(-CHANCE.limit, CHANCE.limit)
}

/// One event of a move of chance.
#[derive(Clone, Copy)]
pub(super) struct Branch<P> {
    child: P,
    weight: i64,
    /// The most that it can count.
    most: Score,
}

/// The sum over the branches: what is known of some, and the bounds of the others.
///
/// The average is rounded down: it is at least `b` if and only if the sum is at least `b * total`.
struct Sum {
    /// Weighted scores of the branches that were looked at.
    known: i64,
    /// Weighted upper bounds of the others.
    open_most: i64,
    /// The weight of the others.
    open_weight: i64,
    total: i64,
}

impl Sum {
    fn new<P>(branches: &[Branch<P>]) -> Self {
        let total = branches.iter().map(|branch| branch.weight).sum();
        let most = |branch: &Branch<P>| branch.weight * i64::from(branch.most.0);
        let open_most = branches.iter().map(most).sum();
        Self { known: 0, open_most, open_weight: total, total }
    }

    /// A bound of the average that lies outside `window`.
    fn decided(&self, window: Window) -> Option<Score> {
        let (least, most) = (self.least(), self.most());
        if most <= window.alpha {
            Some(most)
        } else if least >= window.beta {
            Some(least)
        } else {
            None
        }
    }

    /// The average cannot be more.
    fn most(&self) -> Score {
        Score((self.known + self.open_most).div_euclid(self.total) as i32)
    }

    /// The average cannot be less.
    fn least(&self) -> Score {
        let open = self.open_weight * i64::from(-CHANCE.limit.0);
        Score((self.known + open).div_euclid(self.total) as i32)
    }

    /// The bounds that the score of `branch`, taken out of the open ones, must lie between for the
    /// average to lie within `window` (Star1).
    fn window_of<P>(&self, branch: &Branch<P>, window: Window) -> Window {
        let weight = branch.weight;
        let other_most = self.known + self.open_most - weight * i64::from(branch.most.0);
        let other_least = self.known - (self.open_weight - weight) * i64::from(CHANCE.limit.0);
        // With this score or less the average is at most alpha, whatever the others are.
        let alpha =
            ((i64::from(window.alpha.0) + 1) * self.total - 1 - other_most).div_euclid(weight);
        // With this score or more the average is at least beta.
        let beta = -(other_least - i64::from(window.beta.0) * self.total).div_euclid(weight);
        let limit = i64::from(CHANCE.limit.0);
        Window {
            alpha: Score(alpha.clamp(-limit - 1, limit) as i32),
            beta: Score(beta.clamp(-limit, limit + 1) as i32),
        }
    }

    fn take<P>(&mut self, branch: &Branch<P>, score: Score) {
        self.open_most -= branch.weight * i64::from(branch.most.0);
        self.open_weight -= branch.weight;
        self.known += branch.weight * i64::from(score.0);
    }

    fn lower_most<P>(&mut self, branch: &mut Branch<P>, most: Score) {
        let most = most.min(branch.most);
        self.open_most -= branch.weight * i64::from(branch.most.0 - most.0);
        branch.most = most;
    }
}

impl<P: Ordered, E: Evaluate<P>> TreeThread<'_, P, E> {
    /// The value of a move of chance for who makes it, exact within `window`, a bound outside.
    pub(super) fn chance_value(
        &mut self,
        position: &P,
        mv: P::Move,
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        let depth = match self.selectivity {
            Selectivity::FullWidth => depth,
            Selectivity::Selective => depth - CHANCE.cost,
        };
        let mut branches = self.buffers.branches.pop().unwrap_or_default();
        branches.clear();
        branches.extend(position.events(mv).map(|(event, Weight(weight))| Branch {
            child: position.after(event),
            weight: i64::from(weight),
            most: CHANCE.limit,
        }));
        // The likeliest events decide soonest.
        branches.sort_by_key(|branch| std::cmp::Reverse(branch.weight));
        let average = self.average(position, &mut branches, depth, window, ply)?;
        self.buffers.branches.push(branches);
        // A line ends where chance has its say.
        self.line_mut(ply.next()).clear();
        Ok(average)
    }

    fn average(
        &mut self,
        position: &P,
        branches: &mut [Branch<P>],
        depth: Depth,
        window: Window,
        ply: Ply,
    ) -> Result<Score, Interrupted> {
        let mut sum = Sum::new(branches);
        if let Some(decided) = sum.decided(window) {
            return Ok(decided);
        }
        if depth >= CHANCE.probe_depth {
            for branch in branches.iter_mut() {
                let bounds = sum.window_of(branch, window);
                if let Some(most) = self.probe(position, &branch.child, depth, bounds, ply)? {
                    sum.lower_most(branch, most);
                    if let Some(decided) = sum.decided(window) {
                        return Ok(decided);
                    }
                }
            }
        }
        for branch in branches.iter() {
            let bounds = sum.window_of(branch, window);
            let score = self.child_value(position, &branch.child, depth, bounds, ply)?;
            sum.take(branch, counted(score));
            if let Some(decided) = sum.decided(window) {
                return Ok(decided);
            }
        }
        Ok(sum.most())
    }

    /// The most that a child can count, found with a single one of its moves (Star2): what the
    /// opponent can get at least is what the parent can get at most. `None` if that says nothing.
    fn probe(
        &mut self,
        parent: &P,
        child: &P,
        depth: Depth,
        bounds: Window,
        ply: Ply,
    ) -> Result<Option<Score>, Interrupted> {
        let turn = Turn::between(parent.side_to_move(), child.side_to_move());
        let ply = ply.next();
        if turn == Turn::Stays || ply >= MAX_PLY {
            return Ok(None);
        }
        self.worker.visit(ply)?;
        let Some(mv) = self.likeliest_move(child, ply) else { return Ok(None) };
        let window = turn.window(bounds);
        let score = self.event_value(child, mv, depth - 1, window, ply)?;
        Ok((score > window.alpha).then(|| counted(turn.score(score))))
    }
}
