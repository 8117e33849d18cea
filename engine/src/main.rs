//! The program: the text protocol on standard input and output, and the match runner.

use std::io::{self, BufReader};
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;
use clap::{Parser, Subcommand};
use yardmaster::arena::{self, Ending};
use yardmaster::protocol::{self, Menu, VARIANTS};
use yardmaster::solving::{self, Solve};

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
    Match(Box<arena::Match>),
    Solve(Solve),
}

fn main() -> ExitCode {
    let Arguments { tool, variant, commands } = Arguments::parse();
    match tool {
        Some(Tool::Match(arguments)) => return play_match(&arguments),
        Some(Tool::Solve(arguments)) => return solve(&arguments),
        None => (),
    }
    let menu = Menu::new(VARIANTS, variant.as_deref()).expect("clap takes known variants only");
    match commands.as_slice() {
        [] => protocol::run(menu, BufReader::new(io::stdin()), io::stdout()),
        lines => protocol::run_lines(menu, lines.iter().map(String::as_str), io::stdout()),
    }
    ExitCode::SUCCESS
}

fn play_match(arguments: &arena::Match) -> ExitCode {
    match arena::run(arguments, &mut io::stdout()) {
        Ok(Ending::Complete) => ExitCode::SUCCESS,
        Ok(Ending::Faulty { .. }) => ExitCode::FAILURE,
        Ok(Ending::Interrupted) => ExitCode::from(arena::INTERRUPTED),
        Err(error) => {
            eprintln!("yardmaster: {error}");
            ExitCode::FAILURE
        }
    }
}

fn solve(arguments: &Solve) -> ExitCode {
    match solving::run(arguments, &mut io::stdout()) {
        Ok(solving::Ending::Complete) => ExitCode::SUCCESS,
        Ok(solving::Ending::Interrupted) => ExitCode::from(arena::INTERRUPTED),
        Err(error) => {
            eprintln!("yardmaster: {error}");
            ExitCode::FAILURE
        }
    }
}
