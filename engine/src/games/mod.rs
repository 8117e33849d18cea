//! The games. Each has the same five files; what is special about a game is its sixth.
//!
//! A game knows the contract in [`crate::position`] and nothing of searches or protocols.

pub mod banqi;
pub mod draughts;
pub mod halma;
pub mod kalah;
