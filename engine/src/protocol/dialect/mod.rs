//! The dialects: how lines of input are read as [`Command`]s, and how answers are worded. What the
//! commands do is the same for all of them.
//!
//! | dialect | who speaks it |
//! | --- | --- |
//! | [`native`] | GUIs that know UCI |
//! | [`ugi`] | match runners for many games |
//! | [`hub`] | GUIs and bots of draughts |
//!
//! The first command names the dialect; anything but `ugi` or `hub` is native.

use super::command::{Command, CommandError};
use super::registry::Variant;
use super::reply::{Choice, Info};
use super::session::Session;

pub(super) mod hub;
pub(super) mod native;
pub(super) mod ugi;

/// How a GUI and the engine talk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Dialect {
    /// The protocol that is modelled on UCI.
    #[default]
    Native,
    /// The Universal Game Interface.
    Ugi,
    /// The protocol of draughts programs, version 2.
    Hub,
}

/// Reads lines of input.
pub(super) trait Reader {
    /// What a line asks for.
    fn read<'a>(&mut self, line: &'a str) -> Result<Command<'a>, CommandError>;
}

/// Words answers. A text may have several lines; it has no line feed at its end.
pub(super) trait Voice: Sync {
    /// Who the engine is, and what can be set. `first` is the variant that the program began with.
    fn introduction(&self, first: &Variant, variants: &[Variant]) -> String;

    /// What a search tells; `None` where the dialect has no words for it.
    fn info(&self, info: &Info) -> Option<String>;

    /// The answer to a search.
    fn choice(&self, choice: &Choice) -> String;

    /// What was wrong. `message` is one line.
    fn complaint(&self, message: &str) -> String;
}

impl Dialect {
    /// The dialect that the command `word` asks for.
    pub fn named(word: &str) -> Option<Self> {
        match word {
            "ugi" => Some(Self::Ugi),
            "hub" => Some(Self::Hub),
            _ => None,
        }
    }

    /// A reader that has read nothing yet.
    pub(super) fn reader(self, variants: &'static [Variant]) -> Box<dyn Reader> {
        match self {
            Self::Native => Box::new(native::Native { variants }),
            Self::Ugi => Box::new(ugi::Ugi { native: native::Native { variants } }),
            Self::Hub => Box::new(hub::Hub::new(variants)),
        }
    }

    pub(super) fn voice(self) -> &'static dyn Voice {
        match self {
            Self::Native => &native::Native { variants: &[] },
            Self::Ugi => &ugi::Ugi { native: native::Native { variants: &[] } },
            Self::Hub => &hub::Wording,
        }
    }

    /// The variant that the dialect begins with, `chosen` being the user's choice if there was one;
    /// `None` when it has no words for that.
    pub(super) fn first(
        self,
        chosen: Option<&'static Variant>,
        variants: &'static [Variant],
    ) -> Option<&'static Variant> {
        match self {
            Self::Native | Self::Ugi => chosen.or(variants.first()),
            Self::Hub => match chosen {
                None => variants.iter().find(|variant| hub::name(variant) == Some(hub::NORMAL)),
                Some(chosen) => hub::name(chosen).map(|_| chosen),
            },
        }
    }

    /// Begins a session of `variant` whose positions and moves are written as the dialect does.
    pub(super) fn open(self, variant: &Variant) -> Box<dyn Session> {
        match (self, &variant.hub) {
            (Self::Hub, Some(hub)) => (hub.open)(),
            _ => (variant.open)(),
        }
    }
}
