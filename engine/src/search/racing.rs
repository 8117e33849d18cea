//! Races: once neither side can stop the other any more, what matters is how many moves it still
//! needs.
//!
//! A planner for one side alone then chooses the move, looking much further along its own moves than
//! a tree search does, and the tree search says what it is worth. Before that, the tree search does
//! both.

use std::ops::ControlFlow;

use super::alpha_beta::{Selectivity, TreeSearch};
use super::tuning::RACING;
use super::{Clock, Limits, NoMemory, Observer, Search, Task};
use crate::position::{Deterministic, Evaluate, Ordered, Race};

/// A tree search together with a planner.
pub struct Racing<P, E, R> {
    tree: TreeSearch<P, E>,
    planner: R,
}

/// A search that leaves the choice to `planner` in a race.
pub fn racing<P: Deterministic + Ordered, E: Evaluate<P>, R: Race<P>>(
    evaluation: E,
    planner: R,
) -> Racing<P, E, R> {
    Racing { tree: TreeSearch::new(evaluation, Selectivity::Selective), planner }
}

impl<P: Deterministic + Ordered, E: Evaluate<P>, R: Race<P>> Racing<P, E, R> {
    /// The first move of the way that the planner found, and the positions that it looked at.
    fn planned(&self, task: &Task<'_, P>, clock: &Clock) -> (Option<P::Move>, u64) {
        let nodes = task.limits.nodes.unwrap_or(u64::MAX);
        let quota = RACING.positions.min(nodes / RACING.nodes_share);
        let mut visited = 0;
        let mut patience = |more| {
            let used = clock.used().unwrap_or(0.0);
            if visited + more > quota || clock.is_over() || used >= RACING.time_share {
                return ControlFlow::Break(());
            }
            visited += more;
            ControlFlow::Continue(())
        };
        let way = self.planner.way_home(task.game.position(), &mut patience);
        (way.map(|way| way[0]), visited)
    }
}

/// The moves that do not lead to a position which the game has seen twice, unless all do: no rule of
/// such a game ends a repetition, and nobody comes nearer to the goal by one.
fn fresh_moves<P: Deterministic>(task: &Task<'_, P>) -> Vec<P::Move> {
    let (position, history) = (task.game.position(), task.game.history());
    let is_fresh = |mv: &P::Move| history.count(position.after(*mv).key()) < TIMES_SEEN;
    let fresh: Vec<P::Move> = task.moves.iter().copied().filter(is_fresh).collect();
    if fresh.is_empty() { task.moves.clone() } else { fresh }
}

/// The times that a position is worth seeing.
const TIMES_SEEN: usize = 2;

impl<P: Deterministic + Ordered, E: Evaluate<P>, R: Race<P>> Search<P> for Racing<P, E, R> {
    fn think(&mut self, task: &Task<'_, P>, clock: &Clock, observe: &mut Observer<'_, P>) {
        if task.lines > 1 {
            return self.tree.think(task, clock, observe);
        }
        let (chosen, visited) = self.planned(task, clock);
        let fresh = fresh_moves(task);
        let chosen = chosen.filter(|mv| fresh.contains(mv));
        let moves = chosen.map_or(fresh, |mv| vec![mv]);
        let nodes = task.limits.nodes.map(|nodes| nodes - visited);
        let limits = Limits { nodes, ..task.limits };
        let task = Task { game: task.game, moves, lines: 1, limits };
        self.tree.think(&task, clock, observe);
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory> {
        self.tree.set_hash(mebibytes)
    }

    fn set_threads(&mut self, threads: usize) {
        self.tree.set_threads(threads);
    }

    fn clear(&mut self) {
        self.tree.clear();
    }
}
