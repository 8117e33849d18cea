//! Yardmaster plays draughts, halma, banqi and kalah.

pub mod games;
pub mod history;
pub mod perft;
pub mod position;
pub mod score;
