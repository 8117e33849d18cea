//! Every constant of the searches, grouped by technique, with unit, source and measured worth.

use std::time::Duration;

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
    ponder_bonus: 1.25,
};
