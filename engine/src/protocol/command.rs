//! What a line of input asks for.

use super::go::{Go, GoError};

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
    Uci,
    IsReady,
    Stop,
    PonderHit,
    Wait,
    Show,
    Compiler,
    Help,
    Quit,
}

/// A command that needs the engine at rest.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Order<'a> {
    SetOption(Result<Assignment<'a>, AssignmentError>),
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

/// The first word is no command.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown command {word:?}, expected one that \"help\" lists")]
pub(super) struct UnknownCommand {
    word: String,
}

/// `setoption` without the name of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("setoption without a name, expected \"setoption name <name> [value <value>]\"")]
pub(super) struct AssignmentError;

/// `position` without a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{text:?} is not a position, expected \"startpos\" or \"fen <text>\", then \"moves …\"")]
pub(super) struct NoSetup {
    text: String,
}

impl<'a> Command<'a> {
    /// Reads a line.
    pub(super) fn read(line: &'a str) -> Result<Self, UnknownCommand> {
        // Some editors and shells put a byte order mark at the beginning of a file.
        let line = line.trim_start_matches('\u{feff}').trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(match word {
            "" => Self::Signal(Signal::Nothing),
            comment if comment.starts_with('#') => Self::Signal(Signal::Nothing),
            "uci" => Self::Signal(Signal::Uci),
            "isready" => Self::Signal(Signal::IsReady),
            "stop" => Self::Signal(Signal::Stop),
            "ponderhit" => Self::Signal(Signal::PonderHit),
            "wait" => Self::Signal(Signal::Wait),
            "d" => Self::Signal(Signal::Show),
            "compiler" => Self::Signal(Signal::Compiler),
            "help" => Self::Signal(Signal::Help),
            "quit" => Self::Signal(Signal::Quit),
            "setoption" => Self::Order(Order::SetOption(Assignment::read(rest))),
            "ucinewgame" => Self::Order(Order::NewGame),
            "position" => Self::Order(Order::Position(Setup::read(rest))),
            "go" => Self::Order(Order::Go(Go::read(rest))),
            "eval" => Self::Order(Order::Evaluate),
            "bench" => Self::Order(Order::Bench(rest.split_whitespace().collect())),
            "flip" => Self::Order(Order::Flip),
            _ => return Err(UnknownCommand { word: word.to_owned() }),
        })
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
            _ => return Err(NoSetup { text: text.trim().to_owned() }),
        };
        Ok(Self { fen, moves: moves.split_whitespace().collect() })
    }
}

impl<'a> Assignment<'a> {
    fn read(text: &'a str) -> Result<Self, AssignmentError> {
        let (before, named) = split_at_word(text, "name").ok_or(AssignmentError)?;
        let (name, value) = match split_at_word(named, "value") {
            Some((name, value)) => (name, Some(value.trim())),
            None => (named, None),
        };
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        if name.is_empty() || !before.trim().is_empty() {
            return Err(AssignmentError);
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

    fn setup(line: &str) -> Result<Setup<'_>, NoSetup> {
        match Command::read(line) {
            Ok(Command::Order(Order::Position(setup))) => setup,
            other => panic!("{line} is {other:?}"),
        }
    }

    #[test]
    fn white_space_does_not_matter() {
        for line in ["isready", "  isready", "\tisready \t", "isready now"] {
            assert_eq!(Command::read(line), Ok(Command::Signal(Signal::IsReady)), "{line:?}");
        }
        for line in ["", "   ", "# go infinite", "#"] {
            assert_eq!(Command::read(line), Ok(Command::Signal(Signal::Nothing)), "{line:?}");
        }
    }

    #[test]
    fn an_unknown_command_is_quoted() {
        for line in ["joho go", "UCI", "\u{0}"] {
            let error = Command::read(line).expect_err("no command").to_string();
            assert!(error.starts_with("unknown command \""), "{error}");
        }
    }

    #[test]
    fn a_position_is_a_text_and_what_followed() {
        let read = setup("position  fen  5 f  0  moves t1  t2");
        let expected = Setup { fen: Some("5 f 0".to_owned()), moves: vec!["t1", "t2"] };
        assert_eq!(read, Ok(expected));
        assert_eq!(setup("position startpos moves"), Ok(Setup { fen: None, moves: vec![] }));
        assert_eq!(setup("position startpos"), Ok(Setup { fen: None, moves: vec![] }));
        for bad in [
            "position",
            "position fen",
            "position fen moves t1",
            "position startpos t1",
            "position 5",
        ] {
            assert!(setup(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_name_of_an_option_may_have_spaces_and_its_value_too() {
        let read = |line| match Command::read(line) {
            Ok(Command::Order(Order::SetOption(read))) => read,
            other => panic!("{other:?}"),
        };
        let value = Some("/a  b/value x");
        let expected = Assignment { name: "Debug Log File".to_owned(), value };
        assert_eq!(read("setoption  name Debug  Log File value  /a  b/value x "), Ok(expected));
        assert_eq!(
            read("setoption name Clear Hash"),
            Ok(Assignment { name: "Clear Hash".to_owned(), value: None })
        );
        for bad in [
            "setoption",
            "setoption name",
            "setoption name value 3",
            "setoption Hash 3",
            "setoption x name Hash value 3",
        ] {
            assert_eq!(read(bad), Err(AssignmentError), "{bad}");
        }
    }
}
