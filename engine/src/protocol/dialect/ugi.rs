//! The Universal Game Interface: the native dialect with other words for beginning, and with
//! questions about the rules, since the engines are the referees there.

use super::native::{Native, identity};
use super::{Reader, Voice};
use crate::protocol::command::{Command, CommandError, Order, Question, Signal};
use crate::protocol::options;
use crate::protocol::registry::Variant;
use crate::protocol::reply::{Choice, Info};

/// The dialect of match runners for many games.
pub(super) struct Ugi {
    pub(super) native: Native,
}

impl Reader for Ugi {
    fn read<'a>(&mut self, line: &'a str) -> Result<Command<'a>, CommandError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(match word {
            "ugi" => Command::Signal(Signal::Introduce),
            "uginewgame" => Command::Order(Order::NewGame),
            "query" => Command::Signal(Signal::Ask(match rest.trim() {
                "gameover" => Question::GameOver,
                "result" => Question::Result,
                "p1turn" => Question::FirstToMove,
                other => return Err(CommandError::NoQuestion { text: other.to_owned() }),
            })),
            "uci" | "ucinewgame" => return Err(CommandError::unknown(word)),
            _ => return self.native.read(line),
        })
    }
}

impl Voice for Ugi {
    fn introduction(&self, first: &Variant, variants: &[Variant]) -> String {
        let options = options::listing(first.name, variants);
        format!("{}{options}ugiok", identity())
    }

    fn info(&self, info: &Info) -> Option<String> {
        self.native.info(info)
    }

    /// Two words exactly: some clients take no more.
    fn choice(&self, choice: &Choice) -> String {
        self.native.choice(&Choice { mv: choice.mv.clone(), reply: None })
    }

    fn complaint(&self, message: &str) -> String {
        self.native.complaint(message)
    }
}
