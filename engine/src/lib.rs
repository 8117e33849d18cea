//! Yardmaster plays draughts, halma, banqi and kalah.

pub mod game;
pub mod games;
pub mod history;
pub mod perft;
pub mod position;
pub mod protocol;
pub mod score;
pub mod search;
