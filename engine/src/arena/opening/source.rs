//! Which openings a match is played with, as the command line and the record name them.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::games::Variant;

/// Where openings come from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(in crate::arena) enum Source {
    /// The start position.
    Start,
    /// The two-move ballots of draughts.
    Ballots,
    /// All positions after so many plies.
    All(u32),
    /// So many random plies.
    Random(u32),
    /// So many random flips of banqi.
    Flips(u32),
    /// A file: on each line a position text, `startpos` or nothing, then moves if there are any.
    File(PathBuf),
}

/// The text names no source of openings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{0:?} is no source of openings, expected start, ballots, all=N, random=N, flips=N or file=PATH"
)]
pub(in crate::arena) struct SourceError(String);

impl Source {
    /// What suits a game when nothing else is asked for: games that differ, and are not decided.
    pub(in crate::arena) fn of(variant: Variant) -> Self {
        match variant {
            Variant::Draughts | Variant::DraughtsFmjd | Variant::Kalah => Self::Random(6),
            Variant::Halma => Self::Random(8),
            // A common opening of 14 flips saves a third of the games.
            Variant::Banqi => Self::Flips(14),
        }
    }
}

impl FromStr for Source {
    type Err = SourceError;

    fn from_str(text: &str) -> Result<Self, SourceError> {
        let error = || SourceError(text.to_owned());
        let plies = |text: &str| text.parse().map_err(|_| error());
        match text.split_once('=') {
            None if text == "start" => Ok(Self::Start),
            None if text == "ballots" => Ok(Self::Ballots),
            Some(("all", number)) => Ok(Self::All(plies(number)?)),
            Some(("random", number)) => Ok(Self::Random(plies(number)?)),
            Some(("flips", number)) => Ok(Self::Flips(plies(number)?)),
            Some(("file", path)) if !path.is_empty() => Ok(Self::File(path.into())),
            _ => Err(error()),
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Start => write!(f, "start"),
            Self::Ballots => write!(f, "ballots"),
            Self::All(plies) => write!(f, "all={plies}"),
            Self::Random(plies) => write!(f, "random={plies}"),
            Self::Flips(plies) => write!(f, "flips={plies}"),
            Self::File(path) => write!(f, "file={}", path.display()),
        }
    }
}

impl TryFrom<String> for Source {
    type Error = SourceError;

    fn try_from(text: String) -> Result<Self, SourceError> {
        text.parse()
    }
}

impl From<Source> for String {
    fn from(source: Source) -> Self {
        source.to_string()
    }
}

/// In which order a list of openings is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(in crate::arena) enum Order {
    /// As they stand.
    Sequential,
    /// Shuffled by the seed.
    Random,
}

/// Which openings a match is played with.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(in crate::arena) struct OpeningSettings {
    /// Where they come from.
    pub(in crate::arena) source: Source,
    /// The order of a list.
    pub(in crate::arena) order: Order,
    /// The number of the first one to use, from 1.
    pub(in crate::arena) first: u64,
    /// The greatest score, in hundredths, that either side may have at the start.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(in crate::arena) balance: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_reads_as_it_prints() {
        for text in ["start", "ballots", "all=3", "random=8", "flips=14", "file=a/b c"] {
            assert_eq!(text.parse::<Source>().unwrap().to_string(), text);
        }
        assert_eq!(
            "random".parse::<Source>().unwrap_err().to_string(),
            "\"random\" is no source of openings, expected start, ballots, all=N, random=N, \
             flips=N or file=PATH"
        );
    }
}
