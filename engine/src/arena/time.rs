//! How long players may think: time controls, and the clocks that keep them.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::position::Side;

/// A whole number of milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Millis(pub(super) u64);

impl Millis {
    pub(super) fn duration(self) -> Duration {
        Duration::from_millis(self.0)
    }
}

/// A clock's time control, written `moves/time+increment` as in `40/60+0.6`: so many seconds for
/// each so many moves, and so many more for each move. Without `moves/` the time is for the whole
/// game; it may be written `minutes:seconds`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct TimeControl {
    moves: Option<u32>,
    time: Duration,
    increment: Duration,
}

/// The text is not a time control.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is not a time control, expected moves/seconds+increment as in 40/60+0.6")]
pub(super) struct TimeControlError {
    text: String,
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, TimeControlError> {
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.parse().ok().filter(|&n| n > 0)?), rest),
                None => (None, text),
            };
            let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let (minutes, seconds) = time.split_once(':').unwrap_or(("0", time));
            let minutes: u32 = minutes.parse().ok()?;
            let time = read_seconds(seconds)?.checked_add(Duration::from_mins(1) * minutes)?;
            let control = Self { moves, time, increment: read_seconds(increment)? };
            (!control.time.is_zero()).then_some(control)
        };
        read().ok_or_else(|| TimeControlError { text: text.to_owned() })
    }
}

/// A non-negative number of seconds, down to the millisecond.
pub(super) fn read_seconds(text: &str) -> Option<Duration> {
    let seconds: f64 = text.parse().ok()?;
    let millis = Duration::try_from_secs_f64(seconds).ok()?.as_secs_f64() * 1e3;
    // A year is long enough, and leaves room for sums.
    (millis < 3.2e10).then(|| Duration::from_millis(millis.round() as u64))
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<Self, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(control: TimeControl) -> Self {
        control.to_string()
    }
}

/// What limits a player's thought on a move. At least one of the first four is set, unless the
/// player does not think.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Limits {
    /// A clock for the game.
    #[serde(rename = "tc", skip_serializing_if = "Option::is_none", default)]
    pub(super) control: Option<TimeControl>,
    /// Exactly so long for each move.
    #[serde(rename = "movetime", skip_serializing_if = "Option::is_none", default)]
    pub(super) move_time: Option<Millis>,
    /// Positions to visit.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) nodes: Option<u64>,
    /// Plies to look ahead.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) depth: Option<u32>,
    /// A move may be so much late before it loses: what the operating system takes from the player.
    pub(super) margin: Millis,
}

impl Limits {
    /// No limit but the default margin.
    pub(super) const NONE: Self =
        Self { control: None, move_time: None, nodes: None, depth: None, margin: Millis(50) };

    /// Whether the player would think for ever.
    pub(super) fn are_none(&self) -> bool {
        Self { margin: Self::NONE.margin, ..*self } == Self::NONE
    }
}

/// A player's limits in a game, with its clock if it has one.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    limits: Limits,
    left: Option<Duration>,
    moves: u32,
}

/// A move came too late.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{:.3} s over the time of {:.3} s", over.as_secs_f64(), allowed.as_secs_f64())]
pub(super) struct TimeLoss {
    over: Duration,
    allowed: Duration,
}

impl Clock {
    /// A clock at the start of a game.
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, left: limits.control.map(|control| control.time), moves: 0 }
    }

    /// The longest that the next move may take, without the margin; `None` for as long as it likes.
    fn allowed(&self) -> Option<Duration> {
        [self.left, self.limits.move_time.map(Millis::duration)].into_iter().flatten().min()
    }

    /// Makes a move that took `spent`.
    pub(super) fn spend(&mut self, spent: Duration) -> Result<(), TimeLoss> {
        if let Some(allowed) = self.allowed()
            && let Some(over) = spent.checked_sub(allowed)
            && over > self.limits.margin.duration()
        {
            return Err(TimeLoss { over, allowed });
        }
        self.moves += 1;
        if let (Some(left), Some(control)) = (&mut self.left, self.limits.control) {
            *left = left.saturating_sub(spent).saturating_add(control.increment);
            if control.moves.is_some_and(|moves| self.moves.is_multiple_of(moves)) {
                *left = left.saturating_add(control.time);
            }
        }
        Ok(())
    }

    /// Moves to the next time control, the next move included.
    fn moves_left(&self) -> Option<u32> {
        let moves = self.limits.control?.moves?;
        Some(moves - self.moves % moves)
    }
}

/// What a player is told when it shall move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Go {
    /// Who moves.
    pub(super) side: Side,
    /// What is left on the clocks of the sides.
    pub(super) left: [Option<Duration>; 2],
    /// What each move adds to the clocks of the sides.
    pub(super) increments: [Duration; 2],
    /// Moves to the next time control.
    pub(super) moves_left: Option<u32>,
    /// The other limits.
    pub(super) limits: Limits,
    /// The move has not come after this time: it never will.
    pub(super) patience: Duration,
}

/// A player that is over its time gets at most so much longer to answer, so that a late move can be
/// told from none.
const GRACE: Duration = Duration::from_secs(5);

impl Go {
    /// The word to `side`, given the clocks of both. A player may be silent for `silence` where no
    /// clock runs.
    pub(super) fn new(side: Side, clocks: &[Clock; 2], silence: Duration) -> Self {
        let own = &clocks[side.index()];
        let of_both = |clock: &Clock| {
            clock.limits.control.map_or(Duration::ZERO, |control| control.increment)
        };
        let patience = match own.allowed() {
            Some(allowed) => allowed + own.limits.margin.duration() + silence.min(GRACE),
            None => silence,
        };
        Self {
            side,
            left: clocks.each_ref().map(|clock| clock.left),
            increments: clocks.each_ref().map(of_both),
            moves_left: own.moves_left(),
            limits: own.limits,
            patience,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(millis: u64) -> Duration {
        Duration::from_millis(millis)
    }

    fn clock(control: &str) -> Clock {
        Clock::new(Limits {
            control: Some(control.parse().unwrap()),
            margin: Millis(5),
            ..Limits::NONE
        })
    }

    #[test]
    fn a_time_control_reads_and_prints() {
        let check = |text: &str, printed: &str| {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control.to_string(), printed);
        };
        check("40/60+0.6", "40/60+0.6");
        check("10", "10");
        check("1:30+0.05", "90+0.05");
        check("0.25", "0.25");
        for text in ["", "0", "x", "0/60", "40/", "1+x", "-1", "nan", "inf", "1e99", "1:x"] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            let expected = "expected moves/seconds+increment as in 40/60+0.6";
            assert_eq!(error, format!("{text:?} is not a time control, {expected}"));
        }
    }

    #[test]
    fn time_is_added_after_each_move_and_at_the_control() {
        let mut clock = clock("2/1+0.1");
        assert_eq!(clock.moves_left(), Some(2));
        clock.spend(ms(300)).unwrap();
        assert_eq!((clock.left, clock.moves_left()), (Some(ms(800)), Some(1)));
        clock.spend(ms(500)).unwrap();
        assert_eq!((clock.left, clock.moves_left()), (Some(ms(1_400)), Some(2)));
    }

    #[test]
    fn a_move_is_late_only_beyond_the_margin() {
        let mut late = clock("1");
        assert_eq!(late.clone().spend(ms(1_005)), Ok(()));
        let loss = late.spend(ms(1_006)).unwrap_err();
        assert_eq!(loss.to_string(), "0.006 s over the time of 1.000 s");
        let mut fixed = Clock::new(Limits { move_time: Some(Millis(10)), ..Limits::NONE });
        assert_eq!(fixed.spend(ms(60)), Ok(()));
        assert!(fixed.spend(ms(61)).is_err());
    }

    #[test]
    fn patience_ends_some_time_after_the_clock() {
        let unlimited = Clock::new(Limits { nodes: Some(5), ..Limits::NONE });
        let clocks = [clock("1+0.1"), unlimited];
        let first = Go::new(Side::First, &clocks, ms(30_000));
        assert_eq!(first.patience, ms(6_005));
        assert_eq!(first.left, [Some(ms(1_000)), None]);
        assert_eq!(first.increments, [ms(100), ms(0)]);
        assert_eq!(Go::new(Side::Second, &clocks, ms(30_000)).patience, ms(30_000));
    }
}
