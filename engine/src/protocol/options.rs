//! The options: their names, ranges and values.

use std::fmt::Write;
use std::time::Duration;

use super::command::Assignment;
use super::go::count;
use super::registry::{self, Variant};
use crate::games::kalah::solver::{ENDGAME_STONES, ENDGAME_STONES_AT_MOST};

/// The values in force. They outlive a change of the variant.
#[derive(Clone, Debug, Default)]
pub(super) struct Options {
    /// Of the tables, in MiB.
    pub(super) hash: usize,
    pub(super) threads: usize,
    pub(super) multi_pv: usize,
    pub(super) ponder: bool,
    pub(super) move_overhead: Duration,
    pub(super) show_wdl: bool,
    /// Shuffles the root moves, so that another one of equal moves is found; 0 for no shuffling.
    pub(super) seed: u64,
    pub(super) no_progress_plies: u16,
    pub(super) endgame_stones: u8,
    /// A file of endgame tables; `None` for those of the program.
    pub(super) table_path: Option<String>,
}

/// An option with a new value that is within its range.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Setting {
    Variant(&'static str),
    Hash(usize),
    Threads(usize),
    MultiPv(usize),
    Ponder(bool),
    MoveOverhead(Duration),
    ClearHash,
    LogFile(Option<String>),
    ShowWdl(bool),
    Seed(u64),
    NoProgressPlies(u16),
    EndgameStones(u8),
    TablePath(Option<String>),
}

/// Why an option is left as it was.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum OptionError {
    #[error("{command} without a name, expected {expected:?}")]
    Nameless { command: &'static str, expected: &'static str },
    #[error("unknown option {name:?}, expected {known}")]
    Unknown { name: String, known: String },
    #[error("{value:?} is not a value of {name}, expected {expected}")]
    Malformed { name: &'static str, value: String, expected: String },
}

/// An option as it is offered.
struct Offer {
    name: &'static str,
    kind: Kind,
}

/// What values an option has, and what they mean.
pub(super) enum Kind {
    Variant,
    Spin { default: u64, min: u64, max: u64, setting: fn(u64) -> Setting },
    Check { default: bool, setting: fn(bool) -> Setting },
    Button { setting: Setting },
    File { setting: fn(Option<String>) -> Setting },
}

/// What stands for an empty text.
const EMPTY: &str = "<empty>";

/// The option that names the game.
pub(super) const VARIANT: &str = "UCI_Variant";

/// The option for the size of the tables.
pub(super) const HASH: &str = "Hash";

const OFFERS: &[Offer] = &[
    Offer { name: VARIANT, kind: Kind::Variant },
    spin(HASH, 64, 1, 65_536, |mebibytes| Setting::Hash(mebibytes as usize)),
    spin("Threads", 1, 1, 64, |threads| Setting::Threads(threads as usize)),
    spin("MultiPV", 1, 1, 256, |lines| Setting::MultiPv(lines as usize)),
    Offer { name: "Ponder", kind: Kind::Check { default: false, setting: Setting::Ponder } },
    spin("Move Overhead", 10, 0, 5_000, |ms| Setting::MoveOverhead(Duration::from_millis(ms))),
    Offer { name: "Clear Hash", kind: Kind::Button { setting: Setting::ClearHash } },
    Offer { name: "Debug Log File", kind: Kind::File { setting: Setting::LogFile } },
    Offer { name: "UCI_ShowWDL", kind: Kind::Check { default: false, setting: Setting::ShowWdl } },
    // The largest number that every GUI can hold.
    spin("Seed", 0, 0, i32::MAX as u64, Setting::Seed),
    spin("NoProgressPlies", 100, 0, 10_000, |plies| Setting::NoProgressPlies(plies as u16)),
    spin("EndgameStones", ENDGAME_STONES as u64, 0, ENDGAME_STONES_AT_MOST as u64, |stones| {
        Setting::EndgameStones(stones as u8)
    }),
    Offer { name: "TablePath", kind: Kind::File { setting: Setting::TablePath } },
];

const fn spin(
    name: &'static str,
    default: u64,
    min: u64,
    max: u64,
    setting: fn(u64) -> Setting,
) -> Offer {
    Offer { name, kind: Kind::Spin { default, min, max, setting } }
}

/// What values the option called `name` has.
pub(super) fn kind(name: &str) -> Option<&'static Kind> {
    OFFERS.iter().find(|offer| offer.name == name).map(|offer| &offer.kind)
}

impl Options {
    /// Every option at its default.
    pub(super) fn new() -> Self {
        let mut options = Self::default();
        for Offer { kind, .. } in OFFERS {
            match *kind {
                Kind::Spin { default, setting, .. } => options.store(&setting(default)),
                Kind::Check { default, setting } => options.store(&setting(default)),
                Kind::Variant | Kind::Button { .. } | Kind::File { .. } => (),
            }
        }
        options
    }

    /// Keeps a value. What has no value, or is kept elsewhere, changes nothing.
    pub(super) fn store(&mut self, setting: &Setting) {
        match *setting {
            Setting::TablePath(ref path) => self.table_path.clone_from(path),
            Setting::Hash(mebibytes) => self.hash = mebibytes,
            Setting::Threads(threads) => self.threads = threads,
            Setting::MultiPv(lines) => self.multi_pv = lines,
            Setting::Ponder(ponder) => self.ponder = ponder,
            Setting::MoveOverhead(overhead) => self.move_overhead = overhead,
            Setting::ShowWdl(show) => self.show_wdl = show,
            Setting::Seed(seed) => self.seed = seed,
            Setting::NoProgressPlies(plies) => self.no_progress_plies = plies,
            Setting::EndgameStones(stones) => self.endgame_stones = stones,
            Setting::Variant(_) | Setting::ClearHash | Setting::LogFile(_) => (),
        }
    }
}

impl Setting {
    /// Reads the new value of an option.
    pub(super) fn read(
        assignment: &Assignment<'_>,
        variants: &[Variant],
    ) -> Result<Self, OptionError> {
        let Assignment { name, value } = assignment;
        let Some(offer) = OFFERS.iter().find(|offer| offer.name.eq_ignore_ascii_case(name)) else {
            let known = "one that \"uci\" lists".to_owned();
            return Err(OptionError::Unknown { name: name.clone(), known });
        };
        let value = value.unwrap_or("");
        offer.kind.read(value, variants).ok_or_else(|| OptionError::Malformed {
            name: offer.name,
            value: value.to_owned(),
            expected: offer.kind.expected(variants),
        })
    }
}

impl Kind {
    fn read(&self, value: &str, variants: &[Variant]) -> Option<Setting> {
        match self {
            Self::Variant => {
                registry::find(variants, value).map(|variant| Setting::Variant(variant.name))
            }
            Self::Spin { min, max, setting, .. } => {
                count(value).filter(|number| (min..=max).contains(&number)).map(setting)
            }
            Self::Check { setting, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => Some(setting(true)),
                "false" => Some(setting(false)),
                _ => None,
            },
            Self::Button { setting } => Some(setting.clone()),
            Self::File { setting } => {
                let named = !value.is_empty() && value != EMPTY;
                Some(setting(named.then(|| value.to_owned())))
            }
        }
    }

    fn expected(&self, variants: &[Variant]) -> String {
        match self {
            Self::Variant => registry::names(variants).collect::<Vec<_>>().join(", "),
            Self::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            Self::Check { .. } => "true or false".to_owned(),
            Self::Button { .. } => "nothing".to_owned(),
            Self::File { .. } => "a file".to_owned(),
        }
    }
}

/// The `option` lines of the answer to `uci`. `variant` is the one that the program began with.
pub(super) fn listing(variant: &str, variants: &[Variant]) -> String {
    let mut text = String::new();
    for Offer { name, kind } in OFFERS {
        let _ = write!(text, "option name {name} type ");
        let _ = match kind {
            Kind::Variant => {
                let _ = write!(text, "combo default {variant}");
                registry::names(variants).try_for_each(|name| write!(text, " var {name}"))
            }
            Kind::Spin { default, min, max, .. } => {
                write!(text, "spin default {default} min {min} max {max}")
            }
            Kind::Check { default, .. } => write!(text, "check default {default}"),
            Kind::Button { .. } => write!(text, "button"),
            Kind::File { .. } => write!(text, "string default {EMPTY}"),
        };
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::toy;
    use super::*;

    fn read(name: &str, value: Option<&str>) -> Result<Setting, String> {
        let assignment = Assignment { name: name.to_owned(), value };
        Setting::read(&assignment, toy::VARIANTS).map_err(|error| error.to_string())
    }

    #[test]
    fn a_value_within_the_range_is_taken() {
        for (name, value, expected) in [
            ("Hash", "1", Setting::Hash(1)),
            ("hash", "65536", Setting::Hash(65_536)),
            ("MULTIPV", "3", Setting::MultiPv(3)),
            ("ponder", "True", Setting::Ponder(true)),
            ("Clear Hash", "", Setting::ClearHash),
            ("Debug Log File", "<empty>", Setting::LogFile(None)),
            ("Debug Log File", "a b", Setting::LogFile(Some("a b".into()))),
            ("UCI_Variant", "DICE", Setting::Variant("dice")),
            ("NoProgressPlies", "0", Setting::NoProgressPlies(0)),
            ("EndgameStones", "12", Setting::EndgameStones(12)),
            ("TablePath", "five.bitbase", Setting::TablePath(Some("five.bitbase".into()))),
        ] {
            assert_eq!(read(name, Some(value)), Ok(expected));
        }
    }

    #[test]
    fn any_other_value_is_refused() {
        for (name, value, expected) in [
            ("Hash", "0", "\"0\" is not a value of Hash, expected a whole number from 1 to 65536"),
            (
                "Hash",
                "99999999999999999999",
                "\"99999999999999999999\" is not a value of Hash, expected a whole number from 1 to 65536",
            ),
            (
                "threads",
                "-1",
                "\"-1\" is not a value of Threads, expected a whole number from 1 to 64",
            ),
            (
                "MultiPV",
                "two",
                "\"two\" is not a value of MultiPV, expected a whole number from 1 to 256",
            ),
            ("Ponder", "yes", "\"yes\" is not a value of Ponder, expected true or false"),
            ("UCI_Variant", "chess", "\"chess\" is not a value of UCI_Variant, expected nim, dice"),
            ("Speed", "1", "unknown option \"Speed\", expected one that \"uci\" lists"),
        ] {
            assert_eq!(read(name, Some(value)), Err(expected.to_owned()));
        }
        assert!(read("Hash", None).is_err());
    }

    #[test]
    fn every_default_is_in_its_range_and_in_force() {
        for Offer { name, kind } in OFFERS {
            if let Kind::Spin { default, min, max, .. } = kind {
                assert!((min..=max).contains(&default), "{name}");
            }
        }
        let options = Options::new();
        assert_eq!((options.hash, options.threads, options.multi_pv), (64, 1, 1));
        assert_eq!((options.seed, options.no_progress_plies), (0, 100));
    }
}
