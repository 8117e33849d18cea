//! What a line of input asks for.

use super::go::{Go, GoError};
use super::options::{OptionError, Setting};

/// A line of input, read as far as that is possible without knowing the game.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Command<'a> {
    /// Served at once, even while a search runs.
    Signal(Signal),
    /// Served when no search runs.
    Order(Order<'a>),
}

/// A command that a running search does not hinder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Signal {
    Nothing,
    /// Who the engine is, and what can be set.
    Introduce,
    /// `answer` shows that the engine is ready.
    IsReady {
        answer: &'static str,
    },
    Stop,
    PonderHit,
    Wait,
    Show,
    Ask(Question),
    Compiler,
    Help,
    Quit,
}

/// A question about the rules at the present position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Question {
    GameOver,
    Result,
    /// Whether the side first in turn order is to move.
    FirstToMove,
}

/// A command that needs the engine at rest.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order<'a> {
    Set(Result<Setting, OptionError>),
    NewGame,
    Position(Result<Setup<'a>, NoSetup>),
    Go(Result<Go<'a>, GoError>),
    Evaluate,
    Bench(Vec<&'a str>),
    Flip,
}

/// A position as the GUI tells it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Setup<'a> {
    /// The position text, `None` for the start position.
    pub(super) fen: Option<String>,
    /// The events that follow.
    pub(super) moves: Vec<&'a str>,
}

/// A new value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Assignment<'a> {
    /// The name, with single spaces.
    pub(super) name: String,
    /// The rest of the line.
    pub(super) value: Option<&'a str>,
}

/// A line is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum CommandError {
    #[error("unknown command {word:?}, expected one that \"help\" lists")]
    Unknown { word: String },
    #[error("{word:?} after another command, expected it as the first one")]
    Late { word: String },
    #[error("{text:?} is no question, expected gameover, result or p1turn")]
    NoQuestion { text: String },
}

/// `position` without a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum NoSetup {
    #[error(
        "{text:?} is not a position, expected \"startpos\" or \"fen <text>\", then \"moves …\""
    )]
    Native { text: String },
    #[error("{text:?} is not a position, expected pos=<side and squares> moves=<moves>")]
    Hub { text: String },
}

impl CommandError {
    pub(super) fn unknown(word: &str) -> Self {
        Self::Unknown { word: word.to_owned() }
    }

    pub(super) fn late(word: &str) -> Self {
        Self::Late { word: word.to_owned() }
    }
}

impl<'a> Setup<'a> {
    /// The start position.
    pub(super) fn start() -> Self {
        Self { fen: None, moves: Vec::new() }
    }

    /// Reads what follows the word `position`.
    pub(super) fn read(text: &'a str) -> Result<Self, NoSetup> {
        let (position, moves) = split_at_word(text, "moves").unwrap_or((text, ""));
        let mut words = position.split_whitespace();
        let kind = words.next();
        let fen = words.collect::<Vec<_>>().join(" ");
        let fen = match kind {
            Some("startpos") if fen.is_empty() => None,
            Some("fen") if !fen.is_empty() => Some(fen),
            _ => return Err(NoSetup::Native { text: text.trim().to_owned() }),
        };
        Ok(Self { fen, moves: moves.split_whitespace().collect() })
    }
}

impl<'a> Assignment<'a> {
    /// Reads what follows the word `setoption`.
    pub(super) fn read(text: &'a str) -> Result<Self, OptionError> {
        const NAMELESS: OptionError = OptionError::Nameless {
            command: "setoption",
            expected: "setoption name <name> [value <value>]",
        };
        let (before, named) = split_at_word(text, "name").ok_or(NAMELESS)?;
        let (name, value) = match split_at_word(named, "value") {
            Some((name, value)) => (name, Some(value.trim())),
            None => (named, None),
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || !before.trim().is_empty() {
            return Err(NAMELESS);
        }
        Ok(Self { name, value })
    }
}

/// What stands before and after the first `word` between white space.
fn split_at_word<'a>(text: &'a str, word: &str) -> Option<(&'a str, &'a str)> {
    text.match_indices(word).map(|(at, _)| (&text[..at], &text[at + word.len()..])).find(
        |(before, after)| {
            (before.is_empty() || before.ends_with(char::is_whitespace))
                && (after.is_empty() || after.starts_with(char::is_whitespace))
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_a_text_and_what_followed() {
        let read = Setup::read("  fen  5 f  0  moves t1  t2");
        let expected = Setup { fen: Some("5 f 0".to_owned()), moves: vec!["t1", "t2"] };
        assert_eq!(read, Ok(expected));
        assert_eq!(Setup::read("startpos moves"), Ok(Setup { fen: None, moves: vec![] }));
        assert_eq!(Setup::read("startpos"), Ok(Setup { fen: None, moves: vec![] }));
        for bad in ["", "fen", "fen moves t1", "startpos t1", "5"] {
            assert!(Setup::read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_of_an_option_may_have_spaces_and_its_value_too() {
        let value = Some("/a  b/value x");
        let expected = Assignment { name: "Debug Log File".to_owned(), value };
        assert_eq!(Assignment::read(" name Debug  Log File value  /a  b/value x "), Ok(expected));
        assert_eq!(
            Assignment::read("name Clear Hash"),
            Ok(Assignment { name: "Clear Hash".to_owned(), value: None })
        );
        for bad in ["", "name", "name value 3", "Hash 3", "x name Hash value 3"] {
            assert!(Assignment::read(bad).is_err(), "{bad}");
        }
    }
}
