//! Who meets whom, in which order.

use serde::{Deserialize, Serialize};

/// How more than two players meet.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Tournament {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first player meets all others.
    Gauntlet,
}

/// The pairs of a match in the order of their numbers: a round has every meeting once, so that a
/// match that is broken off is as fair as can be.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    meetings: Vec<[usize; 2]>,
}

impl Schedule {
    /// The schedule for so many players, at least two.
    pub(super) fn new(tournament: Tournament, players: usize) -> Self {
        let seconds = |first: usize| (first + 1..players).map(move |second| [first, second]);
        let meetings = match tournament {
            Tournament::RoundRobin => (0..players).flat_map(seconds).collect(),
            Tournament::Gauntlet => seconds(0).collect(),
        };
        Self { meetings }
    }

    /// How many pairs there are when each two players meet in `rounds` of them.
    pub(super) fn pairs(&self, rounds: u64) -> u64 {
        rounds.saturating_mul(self.meetings.len() as u64)
    }

    /// The players of a pair, counted from 1.
    pub(super) fn players(&self, pair: u64) -> [usize; 2] {
        self.meetings[((pair - 1) % self.meetings.len() as u64) as usize]
    }

    /// The round of a pair, from 0. All its pairs have the same opening.
    pub(super) fn round(&self, pair: u64) -> u64 {
        (pair - 1) / self.meetings.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meetings(tournament: Tournament, players: usize) -> Vec<[usize; 2]> {
        let schedule = Schedule::new(tournament, players);
        (1..=schedule.pairs(1)).map(|pair| schedule.players(pair)).collect()
    }

    #[test]
    fn everybody_meets_everybody_or_the_first_one_only() {
        assert_eq!(
            meetings(Tournament::RoundRobin, 4),
            [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
        );
        assert_eq!(meetings(Tournament::Gauntlet, 4), [[0, 1], [0, 2], [0, 3]]);
    }

    #[test]
    fn a_round_has_one_opening() {
        let schedule = Schedule::new(Tournament::RoundRobin, 3);
        let rounds: Vec<u64> = (1..=7).map(|pair| schedule.round(pair)).collect();
        assert_eq!(rounds, [0, 0, 0, 1, 1, 1, 2]);
        assert_eq!(schedule.pairs(5), 15);
    }
}
