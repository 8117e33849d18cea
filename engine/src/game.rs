//! A game in progress: its position, and what came before.

use crate::history::History;
use crate::position::{Outcome, Position};

/// A position with the line of play that led to it.
#[derive(Clone, Debug)]
pub struct Game<P: Position> {
    position: P,
    history: History,
}

impl<P: Position> Game<P> {
    /// A game that begins at `position`.
    pub fn new(position: P) -> Self {
        let mut history = History::default();
        history.push(position.key());
        Self { position, history }
    }

    /// The position that has been reached.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The keys of all positions of the game, the present one included.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Goes on with a legal event.
    pub fn play(&mut self, event: P::Event) {
        self.position = self.position.after(event);
        self.history.push(self.position.key());
    }

    /// How the game has ended here, repetition included. `moves` are the legal moves.
    pub fn outcome(&self, moves: &[P::Move]) -> Option<Outcome> {
        self.position.outcome(moves).or_else(|| {
            let limit = P::REPETITION_DRAW?;
            let recurs = self.history.occurrences(self.position.reversible_plies()) >= limit;
            recurs.then_some(Outcome { winner: None, reason: "repetition" })
        })
    }
}
