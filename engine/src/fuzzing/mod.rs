//! What others made is read here with any bytes at all: a target a kind of input, for the fuzzer and
//! for the tests.
//!
//! A target takes bytes and panics when something is wrong with what was made of them. `engine/fuzz`
//! hands them to a fuzzer that looks for new ways through the code; the tests below try them with its
//! corpus, as it is and damaged. How to run both is told in `CONTRIBUTING.md`.

mod files;
mod texts;

use crate::protocol::fuzz;

/// A kind of input.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name of its program in `engine/fuzz` and of its folder there in `corpus`.
    pub name: &'static str,
    /// Reads an input.
    ///
    /// # Panics
    /// If it is not read as it should be.
    pub read: fn(&[u8]),
}

/// All kinds of input.
pub const TARGETS: &[Target] = &[
    Target { name: "positions", read: texts::positions },
    Target { name: "moves", read: texts::moves },
    Target { name: "pdn", read: texts::pdn },
    Target { name: "openings", read: texts::openings },
    Target { name: "commands", read: fuzz::commands },
    Target { name: "sessions", read: fuzz::sessions },
    Target { name: "plays", read: fuzz::plays },
    Target { name: "bitbase", read: files::bitbase },
    Target { name: "weights", read: files::weights },
    Target { name: "book", read: files::book },
    Target { name: "checkpoint", read: files::checkpoint },
    Target { name: "games", read: files::games },
    Target { name: "record", read: files::record },
];

/// The target of this name.
///
/// # Panics
/// If there is none.
pub fn target(name: &str) -> Target {
    let found = TARGETS.iter().find(|target| target.name == name);
    *found.unwrap_or_else(|| panic!("there is no target {name:?}"))
}

#[cfg(test)]
mod tests;
