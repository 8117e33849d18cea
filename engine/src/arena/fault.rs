//! What a player does wrong.

use serde::{Deserialize, Serialize};

/// What a player can do wrong. Each loses the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum FaultKind {
    /// It ended.
    Crash,
    /// It did not answer.
    Hang,
    /// It answered too late.
    TimeLoss,
    /// It answered with what is no legal move.
    IllegalMove,
    /// It spoke when it was not asked to, or answered twice.
    Protocol,
    /// It wrote more than can be read.
    Flood,
}

impl FaultKind {
    /// All kinds, in the order of reports.
    pub(super) const ALL: [Self; 6] =
        [Self::Crash, Self::Hang, Self::TimeLoss, Self::IllegalMove, Self::Protocol, Self::Flood];

    /// What it is called in records.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Hang => "hang",
            Self::TimeLoss => "time loss",
            Self::IllegalMove => "illegal move",
            Self::Protocol => "protocol violation",
            Self::Flood => "flood",
        }
    }
}

/// What a player did wrong, and how.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{}: {detail}", kind.name())]
pub(super) struct Fault {
    /// The kind of wrong.
    pub(super) kind: FaultKind,
    /// How it came to it.
    pub(super) detail: String,
}

impl Fault {
    pub(super) fn new(kind: FaultKind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into() }
    }
}
