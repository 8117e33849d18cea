//! The games. Each has the same five files; what is special about a game is its sixth.
//!
//! A game knows the contract in [`crate::position`] and nothing of searches or protocols. To add
//! one: write its folder after the pattern of the others, give it a line in [`Variant`] and one in
//! the [registry](crate::protocol), its reference games to `tests/golden.rs`, its laws to
//! `tests/contract.rs` and a suite to `perft/`.

use std::fmt;
use std::str::FromStr;

use crate::position::Position;

pub mod banqi;
pub mod draughts;
pub mod halma;
pub mod kalah;

use banqi::Banqi;
use draughts::{Draughts, Fmjd, Site};
use halma::Halma;
use kalah::Kalah;

/// A rule set, by the name that players call it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Variant {
    /// Draughts on 10×10 by the rules of the Ply Yard site.
    Draughts,
    /// Draughts on 10×10 by the rules of the FMJD.
    DraughtsFmjd,
    /// Halma on 16×16 for two.
    Halma,
    /// Banqi, Chinese dark chess.
    Banqi,
    /// Kalah with six pits a side, with empty capture.
    Kalah,
}

/// Something that is done with a variant, whichever it is.
pub trait Visitor {
    /// What comes out.
    type Output;

    /// Does it.
    fn visit<P: Position>(self) -> Self::Output;
}

impl Variant {
    /// All variants; the first is the default one.
    pub const ALL: [Self; 5] =
        [Self::Draughts, Self::DraughtsFmjd, Self::Halma, Self::Banqi, Self::Kalah];

    /// The names of [`Variant::ALL`].
    pub const NAMES: [&str; 5] = ["draughts", "draughts-fmjd", "halma", "banqi", "kalah"];

    /// The name in commands and options.
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Does something with the variant's positions.
    pub fn visit<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Draughts => visitor.visit::<Draughts<Site>>(),
            Self::DraughtsFmjd => visitor.visit::<Draughts<Fmjd>>(),
            Self::Halma => visitor.visit::<Halma>(),
            Self::Banqi => visitor.visit::<Banqi>(),
            Self::Kalah => visitor.visit::<Kalah>(),
        }
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// There is no variant of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{name:?} is no variant, expected one of {}", Variant::NAMES.join(", "))]
pub struct NoSuchVariant {
    /// What was read.
    pub name: String,
}

impl FromStr for Variant {
    type Err = NoSuchVariant;

    /// The variant of this name, without regard to case.
    fn from_str(name: &str) -> Result<Self, NoSuchVariant> {
        let found = Self::ALL.into_iter().find(|variant| variant.name().eq_ignore_ascii_case(name));
        found.ok_or_else(|| NoSuchVariant { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_is_found_by_its_name() {
        for variant in Variant::ALL {
            assert_eq!(variant.name().to_uppercase().parse(), Ok(variant));
        }
        assert!("chess".parse::<Variant>().is_err());
    }
}
