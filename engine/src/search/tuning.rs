//! Every constant of the searches, grouped by technique, with unit, source and measured worth.

use std::time::Duration;

use super::Depth;
use crate::score::{Ply, Score, Window};

/// How a clock is spent.
pub(super) struct Time {
    /// A search takes at least this long.
    pub(super) least: Duration,
    /// A clock for the whole game is shared among at most this many own moves.
    pub(super) horizon: u32,
    /// In shares: no new iteration begins after this time.
    pub(super) soft: f64,
    /// In shares: a search is broken off after this time.
    pub(super) hard: f64,
    /// The most of the clock that a move may use, in percent, unless it is the last one before the
    /// control.
    pub(super) ceiling_percent: u32,
    /// The same for the last move: a busy machine may look at the clock a moment too late.
    pub(super) last_move_percent: u32,
    /// With pondering on, this much more: part of the thinking is done on the opponent's time.
    pub(super) ponder_bonus: f64,
}

/// Shares and factors as in common use; not measured here yet.
pub(super) const TIME: Time = Time {
    least: Duration::from_millis(1),
    horizon: 40,
    soft: 0.6,
    hard: 3.0,
    ceiling_percent: 60,
    last_move_percent: 95,
    ponder_bonus: 1.25,
};

/// Windows around the value of the iteration before.
pub(super) struct Aspiration {
    /// Iterations with the full window, before there is a value to trust.
    from: Depth,
    /// Half the width of the first window, in hundredths of the game's unit.
    half: i32,
    /// How much wider the window gets on each miss.
    growth: i32,
    /// After this many misses the window is full.
    misses: i32,
}

pub(super) const ASPIRATION: Aspiration = Aspiration { from: 4, half: 25, growth: 3, misses: 4 };

impl Aspiration {
    /// The window for an iteration, `last` being the value of the one before.
    pub(super) fn window(&self, depth: Depth, last: Score) -> Window {
        if depth < self.from || last.is_forced() {
            return Window::FULL;
        }
        Window { alpha: Score(last.0 - self.half), beta: Score(last.0 + self.half) }
    }

    /// The window after `misses` misses, the last of which was `found` outside `window`.
    pub(super) fn widened(&self, window: Window, found: Score, misses: i32) -> Window {
        if misses >= self.misses || found.is_forced() {
            return Window::FULL;
        }
        let step = self.half * self.growth.pow(misses as u32);
        if found <= window.alpha {
            Window { alpha: Score(found.0 - step), ..window }
        } else {
            Window { beta: Score(found.0 + step), ..window }
        }
    }
}

/// When an iterative deepening ends before its limits.
pub(super) struct Effort {
    /// The only legal move needs no thought; this many iterations give its value.
    pub(super) only_move_depth: Depth,
    /// Values outside the aspiration window are told from this time on.
    pub(super) miss_after: Duration,
    /// The part of the time that an iteration is begun in, by the number of iterations in which the
    /// best move has not changed.
    unrest: [f64; 5],
}

pub(super) const EFFORT: Effort = Effort {
    only_move_depth: 4,
    miss_after: Duration::from_secs(1),
    unrest: [1.6, 1.2, 1.0, 0.8, 0.6],
};

impl Effort {
    /// See [`Clock::is_spent`](super::Clock::is_spent).
    pub(super) fn unrest(&self, settled: u32) -> f64 {
        self.unrest[(settled as usize).min(self.unrest.len() - 1)]
    }
}

/// The ranks of moves; each kind lies above the next, whatever the game's guess adds.
pub(super) struct Order {
    pub(super) table: i32,
    pub(super) tactical: i32,
    pub(super) killer: i32,
    /// What a hundredth of the game's guess weighs against history.
    pub(super) promise_weight: i32,
}

pub(super) const ORDER: Order =
    Order { table: 1 << 30, tactical: 1 << 28, killer: 1 << 27, promise_weight: 16 };

/// What a refutation teaches.
pub(super) struct History {
    /// No entry leaves ± this.
    pub(super) limit: i32,
    /// The bonus grows with the square of the depth up to this.
    most: i32,
}

pub(super) const HISTORY: History = History { limit: 16_384, most: 1_600 };

impl History {
    pub(super) fn bonus(&self, depth: Depth) -> i32 {
        (4 * depth * depth).min(self.most)
    }
}

/// How much less deeply late moves are looked at.
pub(super) struct Reduction {
    /// Nodes with less depth reduce nothing.
    from_depth: Depth,
    /// The first moves are not reduced.
    from_number: usize,
    /// `base + ln(depth) * ln(number) / divisor` plies.
    base: f64,
    divisor: f64,
}

pub(super) const REDUCTION: Reduction =
    Reduction { from_depth: 3, from_number: 3, base: 0.3, divisor: 2.2 };

impl Reduction {
    /// Never so much that a move is not looked at, at least statically.
    pub(super) fn plies(&self, depth: usize, number: usize) -> u8 {
        if (depth as Depth) < self.from_depth || number < self.from_number {
            return 0;
        }
        let plies = self.base + (depth as f64).ln() * (number as f64).ln() / self.divisor;
        (plies as u8).min(depth as u8 - 2)
    }
}

/// How much less deeply late moves are looked at where moves are ordered well (the steps are those of
/// Scan, Letouzey).
pub(super) struct ReductionSteps {
    /// Nodes with less depth reduce nothing.
    from_depth: Depth,
    /// From this move on one ply less, where a value is asked for and where a bound is.
    one: [usize; 2],
    /// From this move on two plies less, where a bound is asked for.
    two: usize,
}

/// Draughts-fmjd, against [`REDUCTION`]: 5,000 nodes a move, 400 games, +37 ± 24 Elo; 20,000 nodes, 200
/// games, +21 ± 27.
pub(super) const REDUCTION_STEPS: ReductionSteps =
    ReductionSteps { from_depth: 3, one: [3, 1], two: 6 };

impl ReductionSteps {
    /// The plies for the `number`-th move, from 0.
    pub(super) fn plies(&self, depth: Depth, number: usize, is_bound: bool) -> Depth {
        let is_late = depth >= self.from_depth && number >= self.one[usize::from(is_bound)];
        Depth::from(is_late) + Depth::from(is_late && is_bound && number >= self.two)
    }
}

/// Down to here, moves that the opponent has to react to are not reduced: with such a one a combination
/// begins.
///
/// Draughts-fmjd, 40,000 nodes a move, 200 games: +7 ± 23 Elo, and more problems solved; see the log.
pub(super) const FORCING: Ply = Ply(4);

/// Cutting short what a shallower search finds far better than it need be (`ProbCut`, Buro 1995;
/// linear margins and the depth are those of Scan, Letouzey).
pub(super) struct ProbCut {
    /// Nodes with less depth are looked at in full.
    pub(super) from_depth: Depth,
    /// What the shallower search must find beyond beta for each ply of depth, in hundredths of the
    /// game's unit.
    margin: i32,
    /// The depth of the shallower search, in percent.
    percent: Depth,
}

/// Draughts-fmjd, 40,000 nodes a move, 200 games: from depth 3 on with margin 5 instead of from depth 6 on
/// with margin 10, +40 ± 28 Elo; margin 8 instead of 5, −3 ± 20, and more problems solved; see the log.
pub(super) const PROBCUT: ProbCut = ProbCut { from_depth: 3, margin: 7, percent: 40 };

impl ProbCut {
    pub(super) fn margin(&self, depth: Depth) -> i32 {
        self.margin * depth
    }

    /// The depth of the shallower search, at least 1.
    pub(super) fn depth(&self, depth: Depth) -> Depth {
        (depth * self.percent / 100).max(1)
    }
}

/// Late-move pruning, in games whose positions have very many moves.
pub(super) struct Wide {
    /// The moves looked at with two plies to go, and how many more with each further ply. The last
    /// ply is the business of [`Frontier`].
    least: usize,
    more: usize,
}

/// See the log: half as many and twice as many moves lose.
pub(super) const WIDE: Wide = Wide { least: 11, more: 3 };

impl Wide {
    pub(super) fn moves(&self, depth: Depth) -> usize {
        self.least + self.more * (depth.max(2) - 2) as usize
    }
}

/// What a static evaluation decides near the horizon, in games whose positions have very many moves.
pub(super) struct Frontier {
    /// Up to this depth nothing is looked at that stands far above the window, by so many hundredths
    /// for each ply.
    depth: Depth,
    above: i32,
    /// The same with one ply to go.
    above_last: i32,
    /// The moves looked at on the last ply.
    pub(super) moves: usize,
    /// A move on the last ply gives up the turn: it is worth at least so many hundredths less than
    /// it promises.
    turn: i32,
}

/// Of 31,000 moves on the last ply of halma, 95 % are worth at least 560 less than they promise, and
/// half of them at least 760. See the log for the other numbers.
pub(super) const FRONTIER: Frontier =
    Frontier { depth: 3, above: 300, above_last: 400, moves: 12, turn: 550 };

impl Frontier {
    /// Whether a position with this static value is left alone, in a search that asks whether it is
    /// worth `beta`.
    pub(super) fn is_above(&self, standing: Score, depth: Depth, beta: Score) -> bool {
        let margin = if depth <= 1 { self.above_last } else { self.above * depth };
        depth <= self.depth && !beta.is_forced() && standing.0 - margin >= beta.0
    }

    /// A move on the last ply that promises no more than this can't be hoped to be worth more than
    /// `alpha`.
    pub(super) fn needed(&self, standing: Score, alpha: Score) -> i32 {
        alpha.0 - standing.0 + self.turn
    }
}

/// The search below the horizon.
pub(super) struct Quiescence {
    /// A line goes on while the product of its choices below the horizon is at most 2 to this
    /// power: the exchanges of a game end long before, a board full of kings is left alone.
    pub(super) bits: Depth,
}

/// With 12 bits `bench` counts the nodes that it counts without a bound; with 8 it counts others.
pub(super) const QUIESCENCE: Quiescence = Quiescence { bits: 12 };

/// How far forced moves are followed.
pub(super) struct Extension {
    /// Single replies are extended up to this many times the iteration's depth.
    pub(super) single_reply_within: Depth,
}

pub(super) const EXTENSION: Extension = Extension { single_reply_within: 2 };

/// Moves of chance.
pub(super) struct Chance {
    /// In an average no score counts more than ± this: about what a won game is worth.
    pub(super) limit: Score,
    /// A move of chance costs this many plies more than another.
    pub(super) cost: Depth,
    /// From this depth on, each event is first probed with one reply (Star2).
    pub(super) probe_depth: Depth,
}

pub(super) const CHANCE: Chance = Chance { limit: Score(20_000), cost: 1, probe_depth: 2 };

/// How a search shares its effort with a solver.
pub(super) struct Proof {
    /// The tree search begins with at most so many positions, and at most such a share of a limit.
    pub(super) overture: u64,
    pub(super) overture_share: u64,
    /// The part of a limit in positions, numerator and denominator, that is used before the solver
    /// gives up.
    pub(super) solver_share: (u64, u64),
    /// The part of the time that is used before the solver gives up.
    pub(super) time_share: f64,
    /// The same before it gives up on a line of best play, and on the first move of that.
    pub(super) line_share: f64,
    pub(super) move_share: f64,
    /// The positions between two signs of life, about a second.
    pub(super) nodes_a_sign: u64,
}

pub(super) const PROOF: Proof = Proof {
    overture: 10_000,
    overture_share: 8,
    solver_share: (3, 4),
    time_share: 0.6,
    line_share: 0.1,
    move_share: 0.75,
    nodes_a_sign: 2_000_000,
};

/// Getting ready for a search.
pub(super) struct Preparation {
    /// The part of the time that it may take.
    pub(super) time_share: f64,
}

/// Banqi builds endgame tables, which last for the rest of the game. The share was not measured.
pub(super) const PREPARATION: Preparation = Preparation { time_share: 0.3 };

/// What a planner may spend on a race.
pub(super) struct Racing {
    /// Positions looked at.
    pub(super) positions: u64,
    /// One in so many of the positions that a limit allows.
    pub(super) nodes_share: u64,
    /// The part of the time.
    pub(super) time_share: f64,
}

/// So many positions take some 60 ms.
pub(super) const RACING: Racing = Racing { positions: 20_000, nodes_share: 2, time_share: 0.4 };
