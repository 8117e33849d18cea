//! The player that takes what it can: a sparring partner that looks ahead no further.

use super::super::chance::{Seed, Stream};
use super::super::fault::Fault;
use super::{Answer, Player, Request};

/// Makes the capture, or what else counts as tactical in the game, that promises most; without one it
/// leaves it to chance, such as by a flip; without that it moves at random.
pub(super) struct Greedy {
    stream: Stream,
}

impl Greedy {
    pub(super) fn new() -> Self {
        Self { stream: Seed(0).stream() }
    }
}

impl Player for Greedy {
    fn new_game(&mut self, seed: Seed) -> Result<(), Fault> {
        self.stream = seed.stream();
        Ok(())
    }

    fn think(&mut self, request: &Request<'_>) -> Result<Answer, Fault> {
        let mut choices = (request.choices)();
        let most = choices.iter().filter_map(|choice| choice.gain).max();
        if most.is_some() {
            choices.retain(|choice| choice.gain == most);
        } else if choices.iter().any(|choice| choice.after.is_none()) {
            choices.retain(|choice| choice.after.is_none());
        }
        let mv = choices.swap_remove(self.stream.below(choices.len())).text;
        Ok(Answer { mv, ..Answer::default() })
    }

    fn settle(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
