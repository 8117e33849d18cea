//! The Hub protocol of draughts programs, version 2.
//!
//! Lines are a word and pairs, `level depth=5`. What a reader does not know it skips, as the protocol
//! has it. Limits come in `level` lines, add up, and hold for the next `go` only.

use std::fmt::Write;
use std::time::Duration;

use super::{Reader, Voice};
use crate::protocol::command::{Assignment, Command, CommandError, NoSetup, Order, Setup, Signal};
use crate::protocol::go::{Go, GoError, count};
use crate::protocol::options::{self, Kind, OptionError, Setting};
use crate::protocol::registry::Variant;
use crate::protocol::reply::{Choice, Info, LineInfo};
use crate::score::Score;
use crate::words;

/// What Hub calls international draughts.
pub(in crate::protocol) const NORMAL: &str = "normal";

/// The version of the protocol.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A table's size is told as the power of two that is its number of entries, of 16 bytes each: this
/// one is a mebibyte.
const MEBIBYTE: u32 = 16;

/// The least distance in score from a forced win, in hundredths of a man: Hub has 90 men and more for
/// a win.
const HEURISTIC_MAX: i32 = 8_999;

/// What Hub calls a variant.
pub(super) fn name(variant: &Variant) -> Option<&'static str> {
    variant.hub.as_ref().map(|hub| hub.name)
}

/// A parameter and the option that it is.
struct Param {
    name: &'static str,
    option: &'static str,
}

const PARAMS: &[Param] = &[
    Param { name: "variant", option: options::VARIANT },
    Param { name: "threads", option: "Threads" },
    Param { name: "tt-size", option: options::HASH },
    Param { name: "ponder", option: "Ponder" },
    Param { name: "move-overhead", option: "Move Overhead" },
    Param { name: "seed", option: "Seed" },
    Param { name: "no-progress-plies", option: "NoProgressPlies" },
    Param { name: "log-file", option: "Debug Log File" },
];

/// Reads lines.
pub(super) struct Hub {
    variants: &'static [Variant],
    /// The limits of the next search, or what is wrong with them.
    level: Result<Level, GoError>,
}

/// The limits in `level` lines.
#[derive(Clone, Default)]
struct Level {
    depth: Option<u32>,
    nodes: Option<u64>,
    move_time: Option<Duration>,
    time: Option<f64>,
    increment: f64,
    moves: Option<u32>,
    infinite: bool,
}

impl Hub {
    pub(super) fn new(variants: &'static [Variant]) -> Self {
        Self { variants, level: Ok(Level::default()) }
    }

    fn set_param(&self, rest: &str) -> Result<Setting, OptionError> {
        let pairs = words::pairs(rest);
        let of = |key| pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        let (Some(name), Some(value)) = (of("name"), of("value")) else {
            return Err(OptionError::Nameless {
                command: "set-param",
                expected: "set-param name=<name> value=<value>",
            });
        };
        let Some(param) = PARAMS.iter().find(|param| param.name == name) else {
            let names: Vec<_> = PARAMS.iter().map(|param| param.name).collect();
            return Err(OptionError::Unknown { name: name.to_owned(), known: names.join(", ") });
        };
        let malformed = |expected: String| OptionError::Malformed {
            name: param.name,
            value: value.to_owned(),
            expected,
        };
        let native = match param.option {
            options::VARIANT => {
                let named = |variant: &&Variant| self::name(variant) == Some(value);
                let variant = self.variants.iter().find(named);
                variant.ok_or_else(|| malformed(variants(self.variants)))?.name.to_owned()
            }
            options::HASH => {
                let (least, most) = table_sizes();
                let size = count(value).filter(|size| (least.into()..=most.into()).contains(size));
                let size = size
                    .ok_or_else(|| malformed(format!("a whole number from {least} to {most}")))?;
                (1_u64 << (size as u32 - MEBIBYTE)).to_string()
            }
            _ => value.to_owned(),
        };
        let assignment = Assignment { name: param.option.to_owned(), value: Some(&native) };
        Setting::read(&assignment, self.variants).map_err(|error| match error {
            OptionError::Malformed { expected, .. } => malformed(expected),
            other => other,
        })
    }

    /// The search that a `go` asks for. Its limits are used up.
    fn go<'a>(&mut self, rest: &str) -> Result<Go<'a>, GoError> {
        let level = std::mem::replace(&mut self.level, Ok(Level::default()))?;
        let ponder = words::pairs(rest).into_iter().any(|(mode, _)| mode == "ponder");
        // The increment is added before the move.
        let time = level.time.map(|time| duration(time + level.increment));
        Ok(Go {
            depth: level.depth,
            nodes: level.nodes,
            move_time: level.move_time,
            // Whoever is to move is meant.
            clocks: [time; 2],
            increments: [duration(level.increment); 2],
            moves_left: level.moves,
            infinite: level.infinite,
            ponder,
            past_draws: true,
            ..Go::default()
        })
    }
}

impl Reader for Hub {
    fn read<'a>(&mut self, line: &'a str) -> Result<Command<'a>, CommandError> {
        let (word, rest) = words::first(line);
        Ok(match word {
            "hub" => Command::Signal(Signal::Introduce),
            "init" => Command::Signal(Signal::IsReady { answer: "ready" }),
            "ping" => Command::Signal(Signal::IsReady { answer: "pong" }),
            "stop" => Command::Signal(Signal::Stop),
            "ponder-hit" => Command::Signal(Signal::PonderHit),
            "quit" => Command::Signal(Signal::Quit),
            "set-param" => Command::Order(Order::Set(self.set_param(rest))),
            "new-game" => Command::Order(Order::NewGame),
            "pos" => Command::Order(Order::Position(set_up(rest))),
            "level" => {
                if let Ok(level) = &mut self.level
                    && let Err(error) = level.add(rest)
                {
                    self.level = Err(error);
                }
                Command::Signal(Signal::Nothing)
            }
            "go" => Command::Order(Order::Go(self.go(rest))),
            _ => Command::Signal(Signal::Nothing),
        })
    }
}

impl Level {
    /// Takes the limits of a line.
    fn add(&mut self, rest: &str) -> Result<(), GoError> {
        for (key, value) in words::pairs(rest) {
            let whole = || malformed(key, value, "a whole number from 0", count(value));
            let real = || malformed(key, value, "a number of seconds", seconds(value));
            let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
            match key {
                "depth" => self.depth = Some(small(whole()?)),
                "nodes" => self.nodes = Some(whole()?),
                "move-time" => self.move_time = Some(duration(real()?)),
                "time" => self.time = Some(real()?),
                "inc" => self.increment = real()?.max(0.0),
                "moves" => self.moves = Some(small(whole()?)).filter(|&moves| moves > 0),
                "infinite" => self.infinite = true,
                _ => (),
            }
        }
        Ok(())
    }
}

fn malformed<T>(
    key: &str,
    value: &str,
    expected: &'static str,
    read: Option<T>,
) -> Result<T, GoError> {
    let error = || GoError::Malformed { word: key.to_owned(), value: value.to_owned(), expected };
    read.ok_or_else(error)
}

/// A number, maybe with a fraction and maybe negative.
fn seconds(text: &str) -> Option<f64> {
    text.parse().ok().filter(|seconds: &f64| seconds.is_finite())
}

/// Less than nothing is nothing, and too much is the most.
fn duration(seconds: f64) -> Duration {
    Duration::from_micros((seconds * 1e6) as u64)
}

/// What follows the word `pos`.
fn set_up(rest: &str) -> Result<Setup<'_>, NoSetup> {
    let pairs = words::pairs(rest);
    let of = |key| pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    let text = of("pos").filter(|text| !text.is_empty());
    let text = text.ok_or_else(|| NoSetup::Hub { text: rest.trim().to_owned() })?;
    let moves = of("moves").unwrap_or_default();
    Ok(Setup { fen: Some(text.to_owned()), moves: moves.split_whitespace().collect() })
}

/// The names of the variants that are offered.
fn variants(variants: &[Variant]) -> String {
    variants.iter().filter_map(name).collect::<Vec<_>>().join(" ")
}

/// The least and the greatest size of a table.
fn table_sizes() -> (u32, u32) {
    let Some(Kind::Spin { min, max, .. }) = options::kind(options::HASH) else {
        unreachable!("the size of the tables is a number")
    };
    (MEBIBYTE + min.ilog2(), MEBIBYTE + max.ilog2())
}

/// Words the answers.
pub(super) struct Wording;

impl Voice for Wording {
    fn introduction(&self, first: &Variant, variants: &[Variant]) -> String {
        let mut text = format!(
            "id name=Yardmaster version={VERSION} author=\"{}\"\n",
            env!("CARGO_PKG_AUTHORS")
        );
        for Param { name, option } in PARAMS {
            let _ = match options::kind(option).expect("a parameter is an option") {
                Kind::Variant => {
                    let value = self::name(first).unwrap_or(NORMAL);
                    let values = self::variants(variants);
                    writeln!(text, "param name={name} value={value} type=enum values=\"{values}\"")
                }
                Kind::Spin { default, .. } if *option == options::HASH => {
                    let (value, (min, max)) = (MEBIBYTE + default.ilog2(), table_sizes());
                    writeln!(text, "param name={name} value={value} type=int min={min} max={max}")
                }
                Kind::Spin { default, min, max, .. } => {
                    writeln!(text, "param name={name} value={default} type=int min={min} max={max}")
                }
                Kind::Check { default, .. } => {
                    writeln!(text, "param name={name} value={default} type=bool")
                }
                Kind::File { .. } => writeln!(text, "param name={name} value=\"\" type=string"),
                Kind::Button { .. } => Ok(()),
            };
        }
        text + "wait"
    }

    fn info(&self, info: &Info) -> Option<String> {
        match info {
            Info::Line(line) if line.rank == 1 => Some(info_line(line)),
            Info::Line(_) | Info::Current { .. } => None,
            Info::Progress { depth, effort } => {
                let (nodes, time) = (effort.nodes, effort.time);
                let speed = speed(nodes, time);
                let time = time.as_secs_f64();
                Some(format!("info depth={depth} nodes={nodes} time={time:.3} nps={speed:.3}"))
            }
            Info::Over(score) => Some(format!("info depth=0 score={}", men(*score))),
        }
    }

    fn choice(&self, choice: &Choice) -> String {
        let Some(mv) = &choice.mv else { return "done".to_owned() };
        match &choice.reply {
            Some(reply) => format!("done move={mv} ponder={reply}"),
            None => format!("done move={mv}"),
        }
    }

    /// The message stands in double quotes and can have none inside.
    fn complaint(&self, message: &str) -> String {
        format!("error message=\"{}\"", message.replace('"', "'"))
    }
}

/// Clients take the parts in this order only. The mean depth of the leaves is not counted: the depth
/// of the iteration stands for it.
fn info_line(line: &LineInfo) -> String {
    let LineInfo { depth, score, effort, pv, .. } = line;
    let speed = speed(effort.nodes, effort.time);
    format!(
        "info depth={depth} mean-depth={depth}.0 score={} nodes={} time={:.3} nps={speed:.3} pv=\"{}\"",
        men(*score),
        effort.nodes,
        effort.time.as_secs_f64(),
        pv.join(" "),
    )
}

/// Million nodes a second.
fn speed(nodes: u64, time: Duration) -> f64 {
    nodes as f64 / 1e6 / time.as_secs_f64().max(1e-6)
}

/// A score in men; a win is 100 less a hundredth for each ply to it.
fn men(score: Score) -> String {
    let hundredths = match score.forced_in() {
        Some(plies) => (10_000 - plies.abs()).max(HEURISTIC_MAX + 1) * score.0.signum(),
        None => score.0.clamp(-HEURISTIC_MAX, HEURISTIC_MAX),
    };
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}{}.{:02}", hundredths.abs() / 100, hundredths.abs() % 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Side;
    use crate::protocol::go::Ending;
    use crate::protocol::registry::VARIANTS;
    use crate::score::Ply;

    /// The search that a `go` after these lines asks for.
    fn go(lines: &[&str]) -> Result<Go<'static>, GoError> {
        let mut hub = Hub::new(VARIANTS);
        for line in lines {
            assert_eq!(hub.read(line), Ok(Command::Signal(Signal::Nothing)), "{line}");
        }
        match hub.read("go think") {
            Ok(Command::Order(Order::Go(go))) => go,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn limits_add_up_and_hold_for_one_search() {
        let ms = Duration::from_millis;
        let read = go(&["level depth=7", "level nodes=500 foo=9", "level move-time=0.25"]).unwrap();
        let limits = read.limits(Ending::Limit);
        assert_eq!((limits.depth, limits.nodes), (Some(7), Some(500)));
        assert_eq!(read.time(Side::First).move_time, Some(ms(250)));
        let mut hub = Hub::new(VARIANTS);
        let _ = hub.read("level depth=7");
        let nothing = Go { past_draws: true, ..Go::default() };
        assert!(hub.go("think").unwrap() != nothing);
        assert_eq!(hub.go("think"), Ok(nothing));
        assert!(hub.go("ponder").unwrap().ponder && !hub.go("analyze").unwrap().ponder);
    }

    #[test]
    fn an_increment_comes_before_the_move() {
        let ms = Duration::from_millis;
        for (level, left, gain, moves) in [
            ("level moves=9 time=291.587", 291_587, 0, Some(9)),
            ("level time=60 inc=0.5", 60_500, 500, None),
            ("level time=-0.5 inc=1", 500, 1_000, None),
            ("level time=-5 inc=1", 0, 1_000, None),
            ("level time=1 inc=-1 moves=0", 1_000, 0, None),
        ] {
            let read = go(&[level]).unwrap();
            for side in [Side::First, Side::Second] {
                let time = read.time(side);
                assert_eq!(time.remaining, Some(ms(left)), "{level}");
                assert_eq!((time.increment, time.moves_to_go), (ms(gain), moves), "{level}");
            }
        }
        let endless = go(&["level time=1e300 inc=1e300"]).unwrap().time(Side::First);
        assert!(endless.remaining > Some(Duration::from_hours(1)));
    }

    #[test]
    fn a_limit_that_is_none_is_told_and_no_search_begins() {
        for (level, expected) in [
            ("level depth=abc", "\"abc\" is not a value of depth, expected a whole number from 0"),
            ("level nodes=-1", "\"-1\" is not a value of nodes, expected a whole number from 0"),
            ("level time=", "\"\" is not a value of time, expected a number of seconds"),
            (
                "level move-time=nan",
                "\"nan\" is not a value of move-time, expected a number of seconds",
            ),
        ] {
            let error = go(&[level, "level depth=5"]).unwrap_err().to_string();
            assert_eq!(error, expected, "{level}");
        }
    }

    #[test]
    fn a_win_is_a_hundred_men_less_its_plies() {
        for (score, expected) in [
            (Score(7), "0.07"),
            (Score(-1_234), "-12.34"),
            (Score::HEURISTIC_MAX, "89.99"),
            (-Score::HEURISTIC_MAX, "-89.99"),
            (Score::win_in(Ply(3)), "99.97"),
            (Score::loss_in(Ply(10)), "-99.90"),
            (Score::loss_in(Ply::ROOT), "-100.00"),
        ] {
            assert_eq!(men(score), expected);
        }
    }

    #[test]
    fn every_parameter_is_an_option() {
        let text = Wording.introduction(&VARIANTS[0], VARIANTS);
        for Param { name, option } in PARAMS {
            assert!(options::kind(option).is_some(), "{option}");
            assert!(text.contains(&format!("\nparam name={name} value=")), "{text}");
        }
        assert!(text.contains("value=site type=enum values=\"site normal\"\n"), "{text}");
        let set = |line: &str| Hub::new(VARIANTS).set_param(line);
        assert_eq!(set("name=tt-size value=24"), Ok(Setting::Hash(256)));
        assert_eq!(set("name=variant value=normal"), Ok(Setting::Variant("draughts-fmjd")));
        assert_eq!(set("value=true name=ponder"), Ok(Setting::Ponder(true)));
    }
}
