//! Players as they are named on the command line: `name=A cmd=./yardmaster option.Hash=16 nodes=2000`.

use serde::{Deserialize, Serialize};

use super::time::{Limits, Millis, TimeControlError};

/// The command that stands for the built-in random player.
pub(super) const RANDOM: &str = "random";

/// The command that stands for the built-in player that takes what it can.
pub(super) const GREEDY: &str = "greedy";

/// The command that stands for the built-in player of halma that plans its own moves only.
pub(super) const PLANNER: &str = "planner";

/// A player, how it is started and how long it thinks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct PlayerSpec {
    /// What it is called in reports; different for each player.
    pub(super) name: String,
    /// The program, or [`RANDOM`], [`GREEDY`] or [`PLANNER`].
    pub(super) command: String,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(super) arguments: Vec<String>,
    /// The directory in which it runs.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) directory: Option<String>,
    /// What it speaks.
    pub(super) dialect: Dialect,
    /// Options to set, by name.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(super) options: Vec<(String, String)>,
    /// What ends its thought.
    pub(super) limits: Limits,
}

/// A protocol between a player and the referee.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Dialect {
    /// Yardmaster's own, which is modelled on UCI.
    Yardmaster,
    /// Hub, version 2 (Scan 3).
    Hub,
    /// Hub, version 1 (Scan 2).
    Hub1,
    /// The Universal Game Interface.
    Ugi,
    /// The numbered text protocol of Taiwanese programs for banqi.
    Mgtp,
}

/// Why words do not describe a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum SpecError {
    /// A word is not a pair of key and value.
    #[error("{0:?} is not a setting of a player, expected key=value")]
    NotAPair(String),
    /// No such key.
    #[error(
        "{0:?} is not a setting of a player, expected one of name, cmd, args, arg, dir, proto, \
         option.NAME, tc, movetime, nodes, depth, margin"
    )]
    UnknownKey(String),
    /// A value of the wrong form.
    #[error("{value:?} is not a value of {key}, expected {expected}")]
    Value {
        /// The key.
        key: String,
        /// What was read.
        value: String,
        /// What would be right.
        expected: &'static str,
    },
    /// A clock's time control of the wrong form.
    #[error(transparent)]
    TimeControl(#[from] TimeControlError),
    /// There is nothing to start.
    #[error("{0:?} has no command, expected cmd=PROGRAM or cmd=random")]
    NoCommand(String),
    /// The player would think for ever.
    #[error("player {0:?} has no limit, expected one of tc=, movetime=, nodes=, depth=")]
    NoLimit(String),
    /// Two players can't be told apart.
    #[error("two players are called {0:?}, expected different names")]
    SameName(String),
    /// A match needs two.
    #[error("{0} players, expected at least two: --player cmd=… --player cmd=…")]
    TooFew(usize),
}

/// What the words for a player have said so far.
#[derive(Clone, Debug)]
struct Draft {
    name: Option<String>,
    spec: PlayerSpec,
}

/// The players that `players` describe, each after what `each` says about all of them.
pub(super) fn read_players(
    players: &[Vec<String>],
    each: &[String],
) -> Result<Vec<PlayerSpec>, SpecError> {
    if players.len() < 2 {
        return Err(SpecError::TooFew(players.len()));
    }
    let mut specs: Vec<PlayerSpec> = Vec::new();
    for words in players {
        let mut draft = Draft::new();
        for word in each.iter().chain(words) {
            draft.set(word)?;
        }
        let spec = draft.finish(&specs, words)?;
        if specs.iter().any(|other| other.name == spec.name) {
            return Err(SpecError::SameName(spec.name));
        }
        specs.push(spec);
    }
    Ok(specs)
}

impl Draft {
    fn new() -> Self {
        let spec = PlayerSpec {
            name: String::new(),
            command: String::new(),
            arguments: Vec::new(),
            directory: None,
            dialect: Dialect::Yardmaster,
            options: Vec::new(),
            limits: Limits::NONE,
        };
        Self { name: None, spec }
    }

    /// Obeys `key=value`.
    fn set(&mut self, word: &str) -> Result<(), SpecError> {
        let (key, value) =
            word.split_once('=').ok_or_else(|| SpecError::NotAPair(word.to_owned()))?;
        let wrong =
            |expected| SpecError::Value { key: key.to_owned(), value: value.to_owned(), expected };
        let number = || value.parse::<u64>().map_err(|_| wrong("a whole number"));
        let spec = &mut self.spec;
        match key {
            "name" if value.trim().is_empty() => return Err(wrong("a name")),
            "name" => self.name = Some(value.to_owned()),
            "cmd" => value.clone_into(&mut spec.command),
            "args" => spec.arguments.extend(split_arguments(value)),
            "arg" => spec.arguments.push(value.to_owned()),
            "dir" => spec.directory = Some(value.to_owned()),
            "proto" => {
                spec.dialect = match value {
                    "yardmaster" | "uci" => Dialect::Yardmaster,
                    "hub" | "hub2" => Dialect::Hub,
                    "hub1" => Dialect::Hub1,
                    "ugi" => Dialect::Ugi,
                    "mgtp" => Dialect::Mgtp,
                    _ => return Err(wrong("yardmaster, hub, hub1, ugi or mgtp")),
                }
            }
            "tc" => spec.limits.control = Some(value.parse()?),
            "movetime" => spec.limits.move_time = Some(Millis(number()?)),
            "nodes" => spec.limits.nodes = Some(number()?),
            "depth" => {
                spec.limits.depth = Some(number()?.try_into().map_err(|_| wrong("a depth"))?);
            }
            "margin" => spec.limits.margin = Millis(number()?),
            _ => match key.strip_prefix("option.") {
                Some(option) => self.set_option(option, value),
                None => return Err(SpecError::UnknownKey(key.to_owned())),
            },
        }
        Ok(())
    }

    /// A later value replaces an earlier one: a player's own words come after those for all.
    fn set_option(&mut self, name: &str, value: &str) {
        let options = &mut self.spec.options;
        options.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
        options.push((name.to_owned(), value.to_owned()));
    }

    /// The player; one without a name is called after its command, and numbered if another is so
    /// called, too.
    fn finish(self, others: &[PlayerSpec], words: &[String]) -> Result<PlayerSpec, SpecError> {
        let mut spec = self.spec;
        if spec.command.is_empty() {
            return Err(SpecError::NoCommand(words.join(" ")));
        }
        spec.name = self.name.unwrap_or_else(|| {
            let base = spec.command.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
            let is_free = |name: &String| others.iter().all(|other| other.name != *name);
            let numbered = (2..).map(|number| format!("{base}-{number}"));
            let mut names = std::iter::once(base.clone()).chain(numbered);
            names.find(is_free).expect("the numbers never end")
        });
        let is_built_in = [RANDOM, GREEDY, PLANNER].contains(&spec.command.as_str());
        if spec.limits.are_none() && !is_built_in {
            return Err(SpecError::NoLimit(spec.name));
        }
        Ok(spec)
    }
}

/// Arguments between spaces; double quotes keep one with spaces together.
fn split_arguments(text: &str) -> Vec<String> {
    let (mut arguments, mut current, mut quoted) = (Vec::new(), None::<String>, false);
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                current.get_or_insert_default();
            }
            c if c.is_whitespace() && !quoted => arguments.extend(current.take()),
            c => current.get_or_insert_default().push(c),
        }
    }
    arguments.extend(current);
    arguments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split('|').filter(|word| !word.is_empty()).map(str::to_owned).collect()
    }

    fn read(players: &[&str], each: &str) -> Result<Vec<PlayerSpec>, SpecError> {
        let players: Vec<_> = players.iter().map(|player| words(player)).collect();
        read_players(&players, &words(each))
    }

    #[test]
    fn a_players_own_words_come_after_those_for_all() {
        let players =
            ["name=A|cmd=./ym|args=-x \"a b\"|option.Hash=32", "cmd=bin/ym|nodes=7|proto=ugi"];
        let players = read(&players, "tc=40/60+0.6|option.hash=16").unwrap();
        let [a, b] = players.as_slice() else { panic!("two players") };
        assert_eq!((a.name.as_str(), b.name.as_str()), ("A", "ym"));
        assert_eq!(a.arguments, ["-x", "a b"]);
        assert_eq!(a.options, [("Hash".to_owned(), "32".to_owned())]);
        assert_eq!(b.options, [("hash".to_owned(), "16".to_owned())]);
        assert_eq!((a.limits.nodes, b.limits.nodes), (None, Some(7)));
        assert_eq!((a.dialect, b.dialect), (Dialect::Yardmaster, Dialect::Ugi));
    }

    #[test]
    fn players_without_a_name_are_numbered() {
        let players = read(&["cmd=./ym", "cmd=ym", "cmd=x/ym"], "depth=3").unwrap();
        let names: Vec<_> = players.iter().map(|player| player.name.as_str()).collect();
        assert_eq!(names, ["ym", "ym-2", "ym-3"]);
    }

    #[test]
    fn words_that_describe_no_player_are_refused() {
        let check = |players: &[&str], expected: &str| {
            assert_eq!(read(players, "").unwrap_err().to_string(), expected);
        };
        check(&["cmd=random"], "1 players, expected at least two: --player cmd=… --player cmd=…");
        check(&["cmd", ""], "\"cmd\" is not a setting of a player, expected key=value");
        check(&["name=A", ""], "\"name=A\" has no command, expected cmd=PROGRAM or cmd=random");
        check(
            &["cmd=x", ""],
            "player \"x\" has no limit, expected one of tc=, movetime=, nodes=, depth=",
        );
        check(
            &["name=A|cmd=random", "name=A|cmd=random"],
            "two players are called \"A\", expected different names",
        );
        check(&["cmd=x|nodes=1e6", ""], "\"1e6\" is not a value of nodes, expected a whole number");
        check(
            &["cmd=x|proto=xboard", ""],
            "\"xboard\" is not a value of proto, expected yardmaster, hub, hub1, ugi or mgtp",
        );
        check(
            &["cmd=x|node=5", ""],
            "\"node\" is not a setting of a player, expected one of name, cmd, args, arg, dir, \
             proto, option.NAME, tc, movetime, nodes, depth, margin",
        );
    }
}
