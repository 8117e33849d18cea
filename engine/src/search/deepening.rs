//! Iterative deepening over the root moves, with aspiration windows and several lines (`MultiPV`).

use super::tuning::{ASPIRATION, EFFORT};
use super::worker::{Interrupted, Worker};
use super::{Bound, Depth, Line, MAX_DEPTH, Report};
use crate::position::Position;
use crate::score::{Score, Window};

/// A tree below the root, searched to a depth at a time.
pub(super) trait Tree<'a, P: Position> {
    /// The thread's own things.
    fn worker(&mut self) -> &mut Worker<'a, P>;

    /// The value of a root move for who makes it, exact within `window` and a bound outside.
    /// `number` is its place in the order, from 0.
    fn look(
        &mut self,
        mv: P::Move,
        number: usize,
        depth: Depth,
        window: Window,
    ) -> Result<Score, Interrupted>;

    /// The best line after the move last looked at, if its value lay above the window's `alpha`.
    fn continuation(&self) -> &[P::Move];

    /// The value of the root without looking ahead.
    fn static_score(&self) -> Score;
}

/// A root move and the best that is known of it.
struct RootMove<P: Position> {
    mv: P::Move,
    /// The value found in this iteration, if the move was the best one when it was looked at.
    found: Option<Score>,
    /// The value last found, and the iteration it was found in.
    score: Score,
    bound: Bound,
    depth: Depth,
    pv: Vec<P::Move>,
}

/// Deepens until a limit is met. The last lines reported are the answer.
pub(super) fn deepen<'a, P: Position>(tree: &mut impl Tree<'a, P>) {
    let task = tree.worker().task();
    let fallback = tree.static_score();
    let new_root = |&mv: &P::Move| RootMove {
        mv,
        found: None,
        score: fallback,
        bound: Bound::Exact,
        depth: 0,
        pv: vec![mv],
    };
    let mut roots: Vec<RootMove<P>> = task.moves.iter().map(new_root).collect();
    let lines = task.lines.min(roots.len());
    let mate_cap = task.limits.mate.map(|moves| moves.saturating_mul(2).max(1));
    let last = task.limits.depth.map(|depth| depth.max(1)).into_iter().chain(mate_cap).min();
    let last = last.map_or(MAX_DEPTH, |depth| depth.min(MAX_DEPTH as u32) as Depth);

    let mut settled = 0;
    // Helper threads run ahead by turns, so that they do not all look at the same tree.
    let ahead = (tree.worker().index % 2) as Depth;
    for depth in 1 + ahead..=last {
        tree.worker().iteration = depth;
        tree.worker().seldepth = crate::score::Ply::ROOT;
        let best_before = roots[0].mv;
        let ended = iterate(tree, &mut roots, lines, depth);
        if ended.is_ok() || roots[..lines].iter().any(|root| root.depth == depth) || depth == 1 {
            report_lines(tree, &roots[..lines]);
        }
        settled = if roots[0].mv == best_before { settled + 1 } else { 0 };
        if ended.is_err() || is_enough(tree.worker(), &roots, depth, settled) {
            return;
        }
    }
}

/// One iteration: the best `lines` moves, one after the other, each among those that are left.
fn iterate<'a, P: Position>(
    tree: &mut impl Tree<'a, P>,
    roots: &mut [RootMove<P>],
    lines: usize,
    depth: Depth,
) -> Result<(), Interrupted> {
    for rank in 0..lines {
        aspire(tree, &mut roots[rank..], depth)?;
    }
    roots[..lines].sort_by_key(|root| std::cmp::Reverse(root.score));
    Ok(())
}

/// Finds the best of `roots` and its value with a window around the last one, widened on a miss.
fn aspire<'a, P: Position>(
    tree: &mut impl Tree<'a, P>,
    roots: &mut [RootMove<P>],
    depth: Depth,
) -> Result<(), Interrupted> {
    let mut window = ASPIRATION.window(depth, roots[0].score);
    for misses in 1.. {
        for root in roots.iter_mut() {
            root.found = None;
        }
        let ended = look_at_all(tree, roots, depth, window);
        // Stable, so that moves that were not better keep their order.
        roots.sort_by_key(|root| std::cmp::Reverse(root.found));
        let best = ended?;
        if best > window.alpha && best < window.beta {
            break;
        }
        report_miss(tree, &roots[0], best, window);
        window = ASPIRATION.widened(window, best, misses);
    }
    Ok(())
}

/// The best value of `roots` within `window`.
fn look_at_all<'a, P: Position>(
    tree: &mut impl Tree<'a, P>,
    roots: &mut [RootMove<P>],
    depth: Depth,
    mut window: Window,
) -> Result<Score, Interrupted> {
    let mut best = -Score::INFINITE;
    for (number, root) in roots.iter_mut().enumerate() {
        tree.worker().report_current(root.mv, number + 1);
        let score = tree.look(root.mv, number, depth, window)?;
        best = best.max(score);
        if score > window.alpha {
            root.found = Some(score);
            (root.score, root.depth) = (score, depth);
            root.bound = if score < window.beta { Bound::Exact } else { Bound::Lower };
            root.pv.truncate(1);
            root.pv.extend_from_slice(tree.continuation());
            window.alpha = score;
            if score >= window.beta {
                break;
            }
        }
    }
    Ok(best)
}

/// Whether the answer will hardly change any more, or time is better kept.
fn is_enough<P: Position>(
    worker: &Worker<'_, P>,
    roots: &[RootMove<P>],
    depth: Depth,
    settled: u32,
) -> bool {
    let limits = &worker.task().limits;
    if worker.clock().is_over() {
        return true;
    }
    if limits.infinite || worker.clock().is_pondering() {
        return false;
    }
    let forced = roots[0].score.forced_in();
    if let (Some(mate), Some(plies @ 1..)) = (limits.mate, forced)
        && (plies as u32).div_ceil(2) <= mate.max(1)
    {
        return true;
    }
    // A forced end that the iteration saw in full is not going to be improved.
    if worker.task().lines == 1 && forced.is_some_and(|plies| plies.abs() <= depth) {
        return true;
    }
    if worker.clock().is_limited() && roots.len() == 1 && depth >= EFFORT.only_move_depth {
        return true;
    }
    worker.clock().is_spent(EFFORT.unrest(settled))
}

fn report_lines<'a, P: Position>(tree: &mut impl Tree<'a, P>, roots: &[RootMove<P>]) {
    for (rank, root) in (1..).zip(roots) {
        report_line(tree, root, rank, root.depth, (root.score, root.bound));
    }
}

/// Tells of a value outside the window, in a search that takes its time.
fn report_miss<'a, P: Position>(
    tree: &mut impl Tree<'a, P>,
    root: &RootMove<P>,
    best: Score,
    window: Window,
) {
    if tree.worker().task().lines == 1 && tree.worker().clock().elapsed() >= EFFORT.miss_after {
        let bound = if best <= window.alpha { Bound::Upper } else { Bound::Lower };
        let depth = tree.worker().iteration;
        report_line(tree, root, 1, depth, (best, bound));
    }
}

fn report_line<'a, P: Position>(
    tree: &mut impl Tree<'a, P>,
    root: &RootMove<P>,
    rank: usize,
    depth: Depth,
    (score, bound): (Score, Bound),
) {
    let worker = tree.worker();
    let line = Line {
        depth: depth as u32,
        seldepth: u32::from(worker.seldepth.0),
        rank,
        score,
        bound,
        proven: false,
        pv: root.pv.clone(),
        effort: worker.effort(),
    };
    worker.report(&Report::Line(line));
}
