//! When to stop: a search's limits in time, and the signals that reach it from outside.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::tuning;

/// The time that a player has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TimeControl {
    /// What is left on the player's clock.
    pub remaining: Option<Duration>,
    /// What each move adds.
    pub increment: Duration,
    /// Moves to the next time control, if it is not the whole game.
    pub moves_to_go: Option<u32>,
    /// Exactly this long for the move.
    pub move_time: Option<Duration>,
    /// Kept back for what the way to the player costs.
    pub overhead: Duration,
    /// Whether the opponent's time is thought through, too: then a move may take longer.
    pub ponders: bool,
}

/// The clock of one search, shared by its threads and by who may stop it.
#[derive(Debug)]
pub struct Clock {
    start: Instant,
    /// No new iteration is begun after this time, scaled by how settled the search is.
    soft: Option<Duration>,
    /// The search is broken off after this time.
    hard: Option<Duration>,
    stopped: AtomicBool,
    pondering: AtomicBool,
    /// Microseconds from `start` to the hit; the hard limit counts from there.
    hit_after: AtomicU64,
}

impl Clock {
    /// A clock that runs from now on. While it ponders, time does not end the search.
    pub fn start(control: &TimeControl, plies_left: u32, pondering: bool) -> Self {
        let (soft, hard) = limits(control, plies_left);
        Self {
            start: Instant::now(),
            soft,
            hard,
            stopped: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
            hit_after: AtomicU64::new(0),
        }
    }

    /// A clock without an end.
    pub fn unlimited() -> Self {
        Self::start(&TimeControl::default(), 1, false)
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether time ends the search at all, once it does not ponder.
    pub fn is_limited(&self) -> bool {
        self.hard.is_some()
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
    }

    /// Whether [`Clock::stop`] was called.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }

    /// What [`Clock::stop`] sets, for work that knows no clock.
    pub fn stop_signal(&self) -> &AtomicBool {
        &self.stopped
    }

    /// The opponent played the expected move: from now on time counts. A search that has thought for
    /// its time already is over.
    pub fn ponder_hit(&self) {
        let elapsed = self.elapsed();
        self.hit_after.store(elapsed.as_micros() as u64, Ordering::SeqCst);
        self.pondering.store(false, Ordering::SeqCst);
        if self.soft.is_some_and(|soft| elapsed >= soft) {
            self.stop();
        }
    }

    /// Whether the search runs on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::SeqCst)
    }

    /// Whether the search must end now.
    pub fn is_over(&self) -> bool {
        self.is_stopped()
            || self.hard.is_some_and(|hard| {
                !self.is_pondering() && self.elapsed() >= hard.saturating_add(self.hit_after())
            })
    }

    /// Whether another iteration is not worth beginning. `unrest` is 1 for a search that changes
    /// its mind as often as others do, less for a settled one.
    pub fn is_spent(&self, unrest: f64) -> bool {
        self.is_over()
            || self.soft.is_some_and(|soft| {
                !self.is_pondering() && self.elapsed().as_secs_f64() >= soft.as_secs_f64() * unrest
            })
    }

    /// The part of its time that the search has used; `None` while time does not end it.
    pub fn used(&self) -> Option<f64> {
        let limit = self.soft.or(self.hard).filter(|_| !self.is_pondering())?;
        Some(self.elapsed().as_secs_f64() / limit.as_secs_f64().max(1e-6))
    }

    fn hit_after(&self) -> Duration {
        Duration::from_micros(self.hit_after.load(Ordering::SeqCst))
    }
}

/// When no new iteration begins, and when the search is broken off.
fn limits(control: &TimeControl, plies_left: u32) -> (Option<Duration>, Option<Duration>) {
    let clock = control.remaining.map(|remaining| {
        let usable = remaining.saturating_sub(control.overhead).max(tuning::TIME.least);
        let own_moves = control.moves_to_go.unwrap_or(plies_left.div_ceil(2)).max(1);
        let horizon = own_moves.min(tuning::TIME.horizon);
        // An increment that was already added can be spent again after each move of the horizon.
        let gained = control.increment.saturating_mul(horizon - 1);
        let kept = control.overhead.saturating_mul(horizon - 1);
        let total = usable.saturating_add(gained).saturating_sub(kept);
        let share = total.as_secs_f64() / f64::from(horizon);
        let pondered = if control.ponders { tuning::TIME.ponder_bonus } else { 1.0 };
        let of_share = |factor: f64| {
            Duration::try_from_secs_f64(share * factor * pondered).unwrap_or(Duration::MAX)
        };
        let percent = match own_moves {
            1 => tuning::TIME.last_move_percent,
            _ => tuning::TIME.ceiling_percent,
        };
        let ceiling = usable / 100 * percent;
        (
            of_share(tuning::TIME.soft).min(ceiling),
            of_share(tuning::TIME.hard).min(ceiling).max(tuning::TIME.least),
        )
    });
    match (clock, control.move_time) {
        (None, None) => (None, None),
        (Some((soft, hard)), None) => (Some(soft), Some(hard)),
        (None, Some(fixed)) => (None, Some(fixed)),
        (Some((soft, hard)), Some(fixed)) => (Some(soft), Some(hard.min(fixed))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn hard(remaining: u64, increment: u64, moves_to_go: Option<u32>, overhead: u64) -> Duration {
        let control = TimeControl {
            remaining: Some(ms(remaining)),
            increment: ms(increment),
            moves_to_go,
            overhead: ms(overhead),
            ..TimeControl::default()
        };
        let (soft, hard) = limits(&control, 80);
        let (soft, hard) = (soft.expect("a clock is limited"), hard.expect("a clock is limited"));
        assert!(soft <= hard.max(ms(1)));
        hard
    }

    #[test]
    fn a_clock_is_never_overrun() {
        for remaining in [0, 1, 5, 20, 100, 1_000, 60_000, u64::from(u32::MAX)] {
            for increment in [0, 10, 5_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40)] {
                    let most = ms(remaining.saturating_sub(10).max(1));
                    assert!(hard(remaining, increment, moves_to_go, 10) <= most);
                }
            }
        }
    }

    #[test]
    fn the_last_move_before_the_control_may_use_it_up() {
        assert!(hard(1_000, 0, Some(1), 10) > ms(900));
        assert!(hard(1_000, 0, Some(10), 10) < ms(700));
    }

    #[test]
    fn no_move_uses_the_clock_to_its_last_tick() {
        for moves_to_go in [None, Some(1), Some(2), Some(40)] {
            for increment in [0, 10, 5_000] {
                assert!(hard(1_000, increment, moves_to_go, 10) <= ms(950), "{moves_to_go:?}");
            }
        }
    }

    #[test]
    fn a_longer_clock_gives_more_time() {
        assert!(hard(60_000, 0, None, 10) > hard(6_000, 0, None, 10));
        assert!(hard(60_000, 1_000, None, 10) > hard(60_000, 0, None, 10));
    }

    #[test]
    fn the_largest_clock_does_not_overflow() {
        let control = TimeControl {
            remaining: Some(Duration::from_millis(u64::MAX)),
            increment: Duration::from_millis(u64::MAX),
            moves_to_go: Some(u32::MAX),
            overhead: ms(10),
            ..TimeControl::default()
        };
        assert!(limits(&control, 80).1.is_some());
    }

    #[test]
    fn time_counts_from_the_ponder_hit() {
        let control = TimeControl { move_time: Some(ms(0)), ..TimeControl::default() };
        let clock = Clock::start(&control, 80, true);
        assert!(!clock.is_over());
        clock.ponder_hit();
        assert!(clock.is_over());
    }

    #[test]
    fn a_ponder_hit_ends_a_search_that_has_had_its_time() {
        let start = |remaining| {
            let remaining = Some(ms(remaining));
            Clock::start(&TimeControl { remaining, ..TimeControl::default() }, 80, true)
        };
        let (short, long) = (start(0), start(3_600_000));
        while short.elapsed() < ms(1) {
            std::hint::spin_loop();
        }
        short.ponder_hit();
        long.ponder_hit();
        assert!(short.is_over());
        assert!(!long.is_over());
    }
}
