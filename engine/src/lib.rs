//! Yardmaster plays draughts, halma, banqi and kalah. This page is the map of its code.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`position`] | the contract of a game: [`position::Position`], its evaluation, its move order |
//! | [`score`] | what a value is, and how it changes hands |
//! | [`game`], [`history`] | a game in progress, and what came before |
//! | [`games`] | the rule books; each game has the same five files |
//! | [`perft`](mod@perft) | counting the ways in which a game can go on |
//! | [`search`] | alpha-beta, expectimax, exact proofs; they know no game |
//! | [`protocol`] | the text protocol, and the table of what can be played |
//! | [`training`] | learning evaluations from games against itself |
//! | [`arena`] | the match runner: players, referee, records, statistics |
//! | [`solving`] | the command that solves kalah positions, and makes its opening book |
//! | [`pdn`] | the notation for games of draughts |
//! | [`analysis`] | the command that annotates games of draughts |
//! | `fuzzing` | what others made is read with any bytes: for the fuzzer and tests |
//! | [`tabling`] | the command that builds the endgame tables of draughts |
//!
//! ```
//! use yardmaster::game::Game;
//! use yardmaster::games::kalah::{Evaluation, Kalah};
//! use yardmaster::position::Position;
//! use yardmaster::score::Score;
//! use yardmaster::search::{Clock, Limits, Report, Search, Selectivity, Task, alpha_beta};
//!
//! // Kalah with one stone a pit is played out within twenty plies: the last pit wins by two stones.
//! let game = Game::new(Kalah::read("1,1,1,1,1,1,0/1,1,1,1,1,1,0 s", ()).unwrap());
//! let mut moves = Vec::new();
//! game.position().moves(&mut moves);
//! let limits = Limits { depth: Some(20), ..Limits::default() };
//! let task = Task { game: &game, moves, lines: 1, limits };
//!
//! let mut best = None;
//! let mut search = alpha_beta(Evaluation, Selectivity::Selective);
//! search.think(&task, &Clock::unlimited(), &mut |report| {
//!     if let Report::Line(line) = report {
//!         best = Some((line.pv[0], line.score));
//!     }
//! });
//! let (mv, score) = best.unwrap();
//! assert_eq!((game.position().move_text(mv).as_str(), score), ("f", Score(200)));
//! ```
//!
//! # Invariants
//!
//! - `games` knows neither `search` nor `protocol`; `search` knows no game. A test guards the border.
//! - A position is a small value; nothing is undone. It never holds what the players do not know.
//! - Only [`score::Turn`] changes the sign of a score, and it swaps the window with it.
//! - Only a game's `board` changes a board, and it answers for the key, be it kept or made at need.
//! - In a search node there is no virtual call and no allocation.
//! - Nothing but `protocol` and the tools (`analysis`, `arena`, `solving`, `tabling`, `training`) prints or
//!   reads the environment; only `memory` asks the system how much there is. There is no global mutable
//!   state.
//! - Bad input gets one clear error; it never panics and never half-applies.

pub mod analysis;
pub mod arena;
mod files;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod game;
pub mod games;
pub mod history;
mod memory;
pub mod pdn;
pub mod perft;
pub mod position;
pub mod protocol;
pub mod score;
pub mod search;
pub mod solving;
pub mod tabling;
pub mod training;
pub mod weights;
mod words;
