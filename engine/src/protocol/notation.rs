//! How the positions and moves of a game are written: as the game itself does, or as a dialect wants
//! them.

use crate::games::draughts::{self, Draughts, RuleSet};
use crate::position::{MoveError, Position};

/// The texts of a game's positions and moves.
#[derive(Clone, Copy)]
pub(super) struct Notation<P: Position> {
    /// The position that a text describes, or why it describes none.
    pub(super) read_position: fn(&str, P::Rules) -> Result<P, String>,
    /// The event that a text names.
    pub(super) read_event: fn(&P, &str) -> Result<P::Event, MoveError>,
    /// The text of a legal move.
    pub(super) move_text: fn(&P, P::Move) -> String,
}

impl<P: Position> Notation<P> {
    /// As the game does.
    pub(super) fn native() -> Self {
        Self {
            read_position: |text, rules| P::read(text, rules).map_err(|error| error.to_string()),
            read_event: P::read_event,
            move_text: P::move_text,
        }
    }
}

impl<R: RuleSet> Notation<Draughts<R>> {
    /// As the Hub protocol does.
    pub(super) fn hub() -> Self {
        Self {
            read_position: |text, rules| {
                draughts::hub::read_position(text, rules).map_err(|error| error.to_string())
            },
            read_event: draughts::hub::read_move,
            move_text: |_, mv| draughts::hub::move_text(mv),
        }
    }
}
