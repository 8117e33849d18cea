//! The player that moves at random: everything should beat it.

use super::super::chance::{Seed, Stream};
use super::super::fault::Fault;
use super::{Answer, Player, Request};

/// Chooses each legal move with the same probability, at once.
pub(super) struct Random {
    stream: Stream,
}

impl Random {
    pub(super) fn new() -> Self {
        Self { stream: Seed(0).stream() }
    }
}

impl Player for Random {
    fn new_game(&mut self, seed: Seed) -> Result<(), Fault> {
        self.stream = seed.stream();
        Ok(())
    }

    fn think(&mut self, request: &Request<'_>) -> Result<Answer, Fault> {
        let mut choices = (request.choices)();
        let mv = choices.swap_remove(self.stream.below(choices.len())).text;
        Ok(Answer { mv, ..Answer::default() })
    }

    fn settle(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
