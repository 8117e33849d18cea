//! The program: the text protocol on standard input and output, the match runner, the solver of kalah,
//! the planner of halma races, the annotator of draughts games and the builder of their endgame
//! tables, and the tools that learn from games.

mod race;

use std::error::Error;
use std::io::{self, BufReader};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use yardmaster::analysis::{self, Analyze};
use yardmaster::arena::{self, Ending};
use yardmaster::protocol::{self, Dialect, Menu, VARIANTS};
use yardmaster::solving::{self, Solve};
use yardmaster::tabling::Bitbase;
use yardmaster::training::{self, Selfplay, Train};

/// A game engine for draughts, halma, banqi and kalah. It speaks a UCI-like text protocol; without
/// commands as arguments it reads them from standard input.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
struct Arguments {
    #[command(subcommand)]
    tool: Option<Tool>,

    /// The game to begin with
    #[arg(long, value_name = "NAME", ignore_case = true)]
    #[arg(value_parser = PossibleValuesParser::new(protocol::names(VARIANTS)))]
    variant: Option<String>,

    /// Commands to run in order, each quoted as one argument: "position startpos" "go depth 10"
    #[arg(value_name = "COMMAND")]
    commands: Vec<String>,
}

#[derive(Subcommand)]
enum Tool {
    Analyze(Analyze),
    Match(Box<arena::Match>),
    Race(race::Arguments),
    Solve(Solve),
    Selfplay(Selfplay),
    Train(Train),
    Bitbase(Bitbase),
}

fn main() -> ExitCode {
    let Arguments { tool, variant, commands } = Arguments::parse();
    if let Some(tool) = tool {
        return tool.run().unwrap_or_else(|error| {
            eprintln!("yardmaster: {error}");
            ExitCode::FAILURE
        });
    }
    let menu = Menu::new(VARIANTS, variant.as_deref()).expect("clap takes known variants only");
    let dialect = match commands.as_slice() {
        [word] => Dialect::named(word),
        _ => None,
    };
    match commands.as_slice() {
        lines if lines.is_empty() || dialect.is_some() => {
            protocol::run(menu, dialect, BufReader::new(io::stdin()), io::stdout());
        }
        lines => protocol::run_lines(menu, lines.iter().map(String::as_str), io::stdout()),
    }
    ExitCode::SUCCESS
}

impl Tool {
    fn run(self) -> Result<ExitCode, Box<dyn Error>> {
        let interrupted = ExitCode::from(arena::INTERRUPTED);
        let learned = |ending| match ending {
            training::Ending::Complete => ExitCode::SUCCESS,
            training::Ending::Interrupted => interrupted,
        };
        Ok(match self {
            Self::Analyze(arguments) => {
                let complain = &mut |line: &str| eprintln!("yardmaster: {line}");
                match analysis::run(&arguments, &mut io::stdout(), complain)? {
                    analysis::Ending::Complete => ExitCode::SUCCESS,
                    analysis::Ending::Mistaken { .. } => ExitCode::FAILURE,
                }
            }
            Self::Match(arguments) => match arena::run(&arguments, &mut io::stdout())? {
                Ending::Complete => ExitCode::SUCCESS,
                Ending::Faulty { .. } => ExitCode::FAILURE,
                Ending::Interrupted => interrupted,
            },
            Self::Race(arguments) => {
                race::run(&arguments, &mut io::stdout().lock())?;
                ExitCode::SUCCESS
            }
            Self::Solve(arguments) => match solving::run(&arguments, &mut io::stdout())? {
                solving::Ending::Complete => ExitCode::SUCCESS,
                solving::Ending::Interrupted => interrupted,
            },
            Self::Selfplay(arguments) => learned(arguments.run()?),
            Self::Train(arguments) => learned(arguments.run()?),
            Self::Bitbase(arguments) => {
                arguments.run(&mut io::stdout())?;
                ExitCode::SUCCESS
            }
        })
    }
}
