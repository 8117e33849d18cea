//! The command line of `yardmaster match`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches, Subcommand};

use super::chance::Seed;
use super::opening::{OpeningSettings, Order, Source};
use super::record::Mode;
use super::runner::Files;
use super::schedule::Tournament;
use super::settings::{Conduct, DrawRule, Ends, ResignRule, Settings, Shard};
use super::spec::{SpecError, read_players};
use super::statistics::{Model, Sprt};
use super::time::read_seconds;
use crate::games::Variant;

/// Plays matches between programs, or reports on matches that were played.
#[derive(Args, Clone, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub struct Match {
    #[command(subcommand)]
    pub(super) task: Option<Task>,
    #[command(flatten)]
    pub(super) play: Play,
}

/// What is done with records.
#[derive(Subcommand, Clone, Debug)]
pub(super) enum Task {
    /// Report on one match, recorded in one file or in a file a shard
    Report {
        /// Records
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
    /// Write the games of a match as a person reads them
    Games {
        /// Records
        #[arg(required = true)]
        files: Vec<PathBuf>,
    },
}

/// How a match is played.
#[derive(Args, Clone, Debug)]
pub(super) struct Play {
    /// The game
    #[arg(long, value_name = "NAME", default_value_t = Variant::Draughts)]
    variant: Variant,

    #[command(flatten)]
    players: Players,

    /// Settings of all players: tc=MOVES/SECONDS+INCREMENT, movetime=MS, nodes=N, depth=N,
    /// margin=MS, option.NAME=VALUE and the others
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    each: Vec<String>,

    /// How more than two players meet
    #[arg(long, value_enum, default_value_t = Tournament::RoundRobin)]
    tournament: Tournament,

    /// Pairs between each two players that meet; a pair is two games with the same opening and the
    /// sides swapped
    #[arg(long, value_name = "N", default_value_t = 100)]
    pairs: u64,

    /// Games played at a time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    /// Fixes the openings, the deals and the random player
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// start, ballots, all=PLIES, random=PLIES, flips=PLIES or file=PATH [default: random=6, halma
    /// random=8, banqi flips=14]
    #[arg(long, value_name = "SOURCE")]
    openings: Option<Source>,

    /// The order in which a list of openings is used
    #[arg(long, value_enum, default_value_t = Order::Random)]
    order: Order,

    /// The number of the first opening to use
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    opening_start: u64,

    /// Leave out openings that a shallow search finds unbalanced by more than so many hundredths
    #[arg(long, value_name = "CENTIS")]
    balance: Option<u32>,

    /// Plies after which a game is a draw
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..))]
    max_plies: u32,

    /// Adjudicate a draw when both players have told scores near 0 for some moves: moves=N
    /// score=CENTIS [from=PLY]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    draw: Vec<String>,

    /// Adjudicate a loss when both players have told scores against a side for some moves: moves=N
    /// score=CENTIS
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    resign: Vec<String>,

    /// End the match when a sequential test is decided: elo0=E elo1=E [alpha=P] [beta=P]
    /// [model=normalized|logistic]
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    sprt: Vec<String>,

    /// How long a player may be silent where no clock runs
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
    hang: Duration,

    /// End the match when there are more faults (crashes, time losses and the like)
    #[arg(long, value_name = "N", default_value_t = 10)]
    faults: u64,

    /// Write the record of the match, a JSON line a pair
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Go on with the record of a match that was broken off
    #[arg(long, requires = "record")]
    resume: bool,

    /// Write the games as a person reads them: draughts as PDN
    #[arg(long, value_name = "FILE")]
    games: Option<PathBuf>,

    /// Play a part of the match: 3/8 is the third of eight
    #[arg(long, value_name = "I/N", default_value = "1/1")]
    shard: Shard,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = read_seconds(text).filter(|seconds| !seconds.is_zero());
    seconds.ok_or_else(|| format!("{text:?} is not a time, expected seconds"))
}

/// The words of each `--player`, which `clap` alone would run together.
#[derive(Clone, Debug, Default)]
struct Players(Vec<Vec<String>>);

impl Players {
    const ID: &'static str = "player";
}

impl Args for Players {
    fn augment_args(command: Command) -> Command {
        let arg = Arg::new(Self::ID)
            .long(Self::ID)
            .value_name("KEY=VALUE")
            .num_args(1..)
            .action(ArgAction::Append)
            .help(
                "A player: cmd=PROGRAM or cmd=random or cmd=greedy, name=NAME, args=\"…\", \
                 dir=DIRECTORY, proto=yardmaster|hub|hub1|ugi|mgtp, and what --each takes; once for each \
                 player",
            );
        command.arg(arg)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Players {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let players = matches.get_occurrences::<String>(Self::ID).into_iter().flatten();
        Ok(Self(players.map(|words| words.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Why arguments describe no match.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum ArgsError {
    #[error(transparent)]
    Player(#[from] SpecError),
    /// Words after `--draw`, `--resign` or `--sprt`.
    #[error("{word:?} is not a setting of --{option}, expected {expected}")]
    Word { option: &'static str, word: String, expected: &'static str },
    /// A setting that has no default.
    #[error("--{option} without {key}, expected {expected}")]
    Missing { option: &'static str, key: &'static str, expected: &'static str },
    /// A test is about two players.
    #[error("--sprt with {0} players, expected two")]
    SprtPlayers(usize),
    /// A test that can't end.
    #[error("--sprt with elo0 not below elo1, or an error rate not between 0 and 0.5")]
    SprtValues,
}

/// The settings `key=value` of an option that takes several.
struct Words<'a> {
    option: &'static str,
    expected: &'static str,
    pairs: Vec<(&'a str, &'a str)>,
}

impl<'a> Words<'a> {
    /// `None` if the option is not there.
    fn read(
        words: &'a [String],
        option: &'static str,
        keys: &[&str],
        expected: &'static str,
    ) -> Result<Option<Self>, ArgsError> {
        let mut pairs = Vec::new();
        for word in words {
            match word.split_once('=') {
                Some((key, value)) if keys.contains(&key) => pairs.push((key, value)),
                _ => return Err(ArgsError::Word { option, word: word.clone(), expected }),
            }
        }
        Ok((!pairs.is_empty()).then_some(Self { option, expected, pairs }))
    }

    fn get<T: std::str::FromStr>(&self, key: &str) -> Result<Option<T>, ArgsError> {
        let Some((_, value)) = self.pairs.iter().find(|(name, _)| *name == key) else {
            return Ok(None);
        };
        let (option, expected) = (self.option, self.expected);
        let word = || format!("{key}={value}");
        let value =
            value.parse().map_err(|_| ArgsError::Word { option, word: word(), expected })?;
        Ok(Some(value))
    }

    fn require<T: std::str::FromStr>(&self, key: &'static str) -> Result<T, ArgsError> {
        let (option, expected) = (self.option, self.expected);
        self.get(key)?.ok_or(ArgsError::Missing { option, key, expected })
    }
}

impl Play {
    /// What decides the games.
    pub(super) fn settings(&self) -> Result<Settings, ArgsError> {
        let players = read_players(&self.players.0, &self.each)?;
        let sprt = self.sprt()?;
        if sprt.is_some() && players.len() != 2 {
            return Err(ArgsError::SprtPlayers(players.len()));
        }
        Ok(Settings {
            variant: self.variant,
            players,
            tournament: self.tournament,
            seed: Seed(self.seed),
            openings: OpeningSettings {
                source: self.openings.clone().unwrap_or_else(|| Source::of(self.variant)),
                order: self.order,
                first: self.opening_start,
                balance: self.balance,
            },
            ends: self.ends()?,
            sprt,
        })
    }

    fn ends(&self) -> Result<Ends, ArgsError> {
        let draw = match Words::read(
            &self.draw,
            "draw",
            &["moves", "score", "from"],
            "moves=N score=CENTIS [from=PLY]",
        )? {
            Some(words) => Some(DrawRule {
                moves: words.require("moves")?,
                score: words.require("score")?,
                from: words.get("from")?.unwrap_or(0),
            }),
            None => None,
        };
        let expected = "moves=N score=CENTIS";
        let resign = match Words::read(&self.resign, "resign", &["moves", "score"], expected)? {
            Some(words) => {
                Some(ResignRule { moves: words.require("moves")?, score: words.require("score")? })
            }
            None => None,
        };
        Ok(Ends { max_plies: self.max_plies, draw, resign })
    }

    fn sprt(&self) -> Result<Option<Sprt>, ArgsError> {
        let expected = "elo0=E elo1=E [alpha=P] [beta=P] [model=normalized|logistic]";
        let keys = ["elo0", "elo1", "alpha", "beta", "model"];
        let Some(words) = Words::read(&self.sprt, "sprt", &keys, expected)? else {
            return Ok(None);
        };
        let sprt = Sprt {
            elo0: words.require("elo0")?,
            elo1: words.require("elo1")?,
            alpha: words.get("alpha")?.unwrap_or(0.05),
            beta: words.get("beta")?.unwrap_or(0.05),
            model: words.get("model")?.unwrap_or_default(),
        };
        let is_rate = |rate: f64| rate > 0.0 && rate < 0.5;
        let is_finite = sprt.elo0.is_finite() && sprt.elo1.is_finite();
        if !is_finite || sprt.elo0 >= sprt.elo1 || !is_rate(sprt.alpha) || !is_rate(sprt.beta) {
            return Err(ArgsError::SprtValues);
        }
        Ok(Some(sprt))
    }

    /// How the match is run.
    pub(super) fn conduct(&self) -> Conduct {
        Conduct {
            pairs: self.pairs,
            concurrency: self.concurrency,
            silence: self.hang,
            faults: self.faults,
            shard: self.shard,
        }
    }

    /// Where it is written to.
    pub(super) fn files(&self) -> Files {
        Files {
            record: self.record.clone(),
            mode: if self.resume { Mode::Resume } else { Mode::Create },
            games: self.games.clone(),
        }
    }
}

impl std::str::FromStr for Model {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "normalized" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        arguments: Match,
    }

    fn parse(text: &str) -> Play {
        let words = ["match"].into_iter().chain(text.split_whitespace());
        Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{error}")).arguments.play
    }

    const PLAYERS: &str = "--player name=A cmd=x nodes=5 --player name=B cmd=random";

    #[test]
    fn players_keep_their_own_words() {
        let settings = parse(PLAYERS).settings().unwrap();
        assert_eq!(settings.players[0].limits.nodes, Some(5));
        assert_eq!(settings.players[1].limits.nodes, None);
    }

    #[test]
    fn a_test_is_read_with_its_defaults() {
        let sprt = parse(&format!("{PLAYERS} --sprt elo0=-5 elo1=2.5 model=logistic"));
        let sprt = sprt.settings().unwrap().sprt.unwrap();
        assert_eq!((sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta), (-5.0, 2.5, 0.05, 0.05));
        assert_eq!(sprt.model, Model::Logistic);
    }

    #[test]
    fn wrong_settings_are_named() {
        let check = |text: &str, expected: &str| {
            let error = parse(&format!("{PLAYERS} {text}")).settings().unwrap_err().to_string();
            assert_eq!(error, expected, "{text}");
        };
        check(
            "--sprt elo0=5",
            "--sprt without elo1, expected elo0=E elo1=E [alpha=P] [beta=P] [model=normalized|logistic]",
        );
        check(
            "--sprt elo0=5 elo1=0",
            "--sprt with elo0 not below elo1, or an error rate not between 0 and 0.5",
        );
        check("--sprt elo0=0 elo1=5 --player cmd=random", "--sprt with 3 players, expected two");
        check(
            "--draw moves=x score=5",
            "\"moves=x\" is not a setting of --draw, expected moves=N score=CENTIS [from=PLY]",
        );
        check(
            "--resign plies=3",
            "\"plies=3\" is not a setting of --resign, expected moves=N score=CENTIS",
        );
    }
}
