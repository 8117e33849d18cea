//! What a match is: everything that decides its games, and how it is judged.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::chance::Seed;
use super::opening::OpeningSettings;
use super::schedule::Tournament;
use super::spec::PlayerSpec;
use super::statistics::Sprt;
use crate::games::Variant;

/// What decides the games of a match. Two runs with the same settings play the same match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Settings {
    #[serde(with = "variant_name")]
    pub(super) variant: Variant,
    pub(super) players: Vec<PlayerSpec>,
    pub(super) tournament: Tournament,
    pub(super) seed: Seed,
    pub(super) openings: OpeningSettings,
    pub(super) ends: Ends,
    /// The test that ends the match.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) sprt: Option<Sprt>,
}

/// How games end, besides by the rules.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Ends {
    /// A game of so many plies, those of the opening included, is a draw.
    pub(super) max_plies: u32,
    /// When a game is adjudicated a draw.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) draw: Option<DrawRule>,
    /// When a game is adjudicated a loss.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) resign: Option<ResignRule>,
}

/// A draw when both players have seen nothing better for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct DrawRule {
    /// Not before this ply.
    pub(super) from: u32,
    /// For so many moves of each player.
    pub(super) moves: u32,
    /// The scores were at most so far from 0.
    pub(super) score: u32,
}

/// A loss when both players have seen nothing else for a while.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct ResignRule {
    /// For so many moves of each player.
    pub(super) moves: u32,
    /// The scores were at least so far from 0.
    pub(super) score: u32,
}

/// The part of a match that is played here: every pair whose number leaves the same rest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(super) struct Shard {
    /// From 1 to `count`.
    number: u64,
    count: u64,
}

/// The text is not a part of a whole.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is not a shard, expected for example 3/8 for the third of eight")]
pub(super) struct ShardError(String);

impl Shard {
    /// Whether a pair, counted from 1, belongs to it.
    pub(super) fn has(self, pair: u64) -> bool {
        pair % self.count == self.number % self.count
    }

    /// Whether it is the whole match.
    pub(super) fn is_whole(self) -> bool {
        self.count == 1
    }
}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let read = || {
            let (number, count) = text.split_once('/')?;
            let shard = Self { number: number.parse().ok()?, count: count.parse().ok()? };
            (1..=shard.count).contains(&shard.number).then_some(shard)
        };
        read().ok_or_else(|| ShardError(text.to_owned()))
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

/// How a match is run. Nothing here changes its games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Conduct {
    /// Pairs between each two players that meet.
    pub(super) pairs: u64,
    /// Games at a time.
    pub(super) concurrency: usize,
    /// How long a player may be silent where no clock runs.
    pub(super) silence: Duration,
    /// The match ends when there are more faults than this.
    pub(super) faults: u64,
    /// The part of the match that is played here.
    pub(super) shard: Shard,
}

/// A variant by its name.
mod variant_name {
    use serde::{Deserialize, Deserializer, Serializer, de};

    use crate::games::Variant;

    #[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
    pub(super) fn serialize<S: Serializer>(
        variant: &Variant,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(variant.name())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Variant, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_have_every_pair_once() {
        for count in 1..8 {
            let shards: Vec<Shard> =
                (1..=count).map(|number| format!("{number}/{count}").parse().unwrap()).collect();
            for pair in 1..30 {
                assert_eq!(shards.iter().filter(|shard| shard.has(pair)).count(), 1);
            }
        }
        for text in ["0/3", "4/3", "1", "a/b", "1/0"] {
            let error = text.parse::<Shard>().unwrap_err().to_string();
            assert_eq!(
                error,
                format!("{text:?} is not a shard, expected for example 3/8 for the third of eight")
            );
        }
    }
}
