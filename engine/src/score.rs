//! What a value is, and how it changes hands between parent and child.

use std::fmt;
use std::ops::{Add, AddAssign, Neg, Sub};

use crate::position::Side;

/// The number of plies between the root of a search and a node.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Ply(pub u16);

impl Ply {
    /// The root itself.
    pub const ROOT: Self = Self(0);

    /// One ply deeper.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// A value from the side to move's view, in hundredths of the game's unit
/// (a man, a step, a soldier, a stone).
///
/// Forced wins lie outside the heuristic range and count plies, so that a sooner win is a better
/// one: `Score::win_in(Ply(3)) > Score::win_in(Ply(5))`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Score(pub i32);

impl Score {
    /// A draw, and the value of a position where neither side is ahead.
    pub const DRAW: Self = Self(0);
    /// A win on the spot.
    pub const WIN: Self = Self(1_000_000);
    /// The largest heuristic value; everything beyond is a forced win.
    pub const HEURISTIC_MAX: Self = Self(900_000);
    /// Greater than every score.
    pub const INFINITE: Self = Self(1_000_001);

    /// A win that is complete `ply` plies from here.
    pub fn win_in(ply: Ply) -> Self {
        Self(Self::WIN.0 - i32::from(ply.0))
    }

    /// A loss that is complete `ply` plies from here.
    pub fn loss_in(ply: Ply) -> Self {
        -Self::win_in(ply)
    }

    /// Whether the score is a forced win or loss.
    pub fn is_forced(self) -> bool {
        self.0.abs() > Self::HEURISTIC_MAX.0
    }

    /// The plies to a forced win (positive) or loss (negative).
    pub fn forced_in(self) -> Option<i32> {
        self.is_forced().then(|| (Self::WIN.0 - self.0.abs()) * self.0.signum())
    }

    /// The score kept within the heuristic range, so that no evaluation looks like a forced win.
    #[must_use]
    pub fn heuristic(self) -> Self {
        self.clamp(-Self::HEURISTIC_MAX, Self::HEURISTIC_MAX)
    }

    /// The score as a table stores it: forced ends are counted from the stored node, not from the
    /// root that found it.
    #[must_use]
    pub fn to_table(self, ply: Ply) -> Self {
        if self.is_forced() { Self(self.0 + i32::from(ply.0) * self.0.signum()) } else { self }
    }

    /// The reverse of [`Score::to_table`] at a node `ply` plies from the current root.
    #[must_use]
    pub fn from_table(self, ply: Ply) -> Self {
        if self.is_forced() { Self(self.0 - i32::from(ply.0) * self.0.signum()) } else { self }
    }
}

impl Neg for Score {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add for Score {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Score {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Score {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "+" };
        write!(f, "{sign}{}.{:02}", self.0.abs() / 100, self.0.abs() % 100)
    }
}

/// The open interval of scores that still matter at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// What the side to move is sure of already.
    pub alpha: Score,
    /// From here on the opponent will not let the game come here.
    pub beta: Score,
}

impl Window {
    /// Every score matters.
    pub const FULL: Self = Self { alpha: Score(-Score::INFINITE.0), beta: Score::INFINITE };

    /// The smallest window above `alpha`: it only asks whether a score is greater.
    pub fn null(alpha: Score) -> Self {
        Self { alpha, beta: Score(alpha.0 + 1) }
    }

    /// Whether no score lies between the bounds.
    pub fn is_null(self) -> bool {
        self.beta.0 - self.alpha.0 <= 1
    }
}

/// Who moves after an event, seen from who moved before it.
///
/// This is the only place where a score changes its sign or a window swaps its bounds. The turn is
/// read off the two positions, so that kalah's extra turn needs no other code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// The opponent moves.
    Passes,
    /// The same side moves again.
    Stays,
}

impl Turn {
    /// The turn between a parent and its child.
    pub fn between(parent: Side, child: Side) -> Self {
        if parent == child { Self::Stays } else { Self::Passes }
    }

    /// The child's score as the parent sees it.
    #[must_use]
    pub fn score(self, child: Score) -> Score {
        match self {
            Self::Passes => -child,
            Self::Stays => child,
        }
    }

    /// The parent's window as the child sees it.
    #[must_use]
    pub fn window(self, parent: Window) -> Window {
        match self {
            Self::Passes => Window { alpha: -parent.beta, beta: -parent.alpha },
            Self::Stays => parent,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sooner_win_is_a_better_one() {
        assert!(Score::win_in(Ply(3)) > Score::win_in(Ply(5)));
        assert!(Score::loss_in(Ply(3)) < Score::loss_in(Ply(5)));
        assert!(Score::win_in(Ply(500)) > Score::HEURISTIC_MAX);
    }

    #[test]
    fn the_table_counts_forced_ends_from_its_own_node() {
        let found = Score::win_in(Ply(9));
        assert_eq!(found.to_table(Ply(4)), Score::win_in(Ply(5)));
        assert_eq!(found.to_table(Ply(4)).from_table(Ply(2)), Score::win_in(Ply(7)));
        assert_eq!(Score(37).to_table(Ply(4)), Score(37));
        assert_eq!((-found).to_table(Ply(4)), Score::loss_in(Ply(5)));
    }

    #[test]
    fn a_window_and_a_score_change_hands_together() {
        let window = Window { alpha: Score(-3), beta: Score(8) };
        let handed = Turn::Passes.window(window);
        assert_eq!(handed, Window { alpha: Score(-8), beta: Score(3) });
        assert_eq!(Turn::Passes.score(Score(3)), Score(-3));
        assert_eq!(Turn::Stays.window(window), window);
        assert_eq!(Turn::Stays.score(Score(3)), Score(3));
    }

    #[test]
    fn a_score_prints_in_whole_units() {
        assert_eq!(Score(-105).to_string(), "-1.05");
        assert_eq!(Score(7).to_string(), "+0.07");
    }
}
