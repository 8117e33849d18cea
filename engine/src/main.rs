//! The program: the text protocol on standard input and output.

use std::io::{self, BufReader};

use clap::Parser;
use clap::builder::PossibleValuesParser;
use yardmaster::protocol::{self, Menu, VARIANTS};

/// A game engine for draughts, halma, banqi and kalah. It speaks a UCI-like text protocol; without
/// commands as arguments it reads them from standard input.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    /// The game to begin with
    #[arg(long, value_name = "NAME", ignore_case = true)]
    #[arg(value_parser = PossibleValuesParser::new(protocol::names(VARIANTS)))]
    variant: Option<String>,

    /// Commands to run in order, each quoted as one argument: "position startpos" "go depth 10"
    #[arg(value_name = "COMMAND")]
    commands: Vec<String>,
}

fn main() {
    let Arguments { variant, commands } = Arguments::parse();
    let menu = Menu::new(VARIANTS, variant.as_deref()).expect("clap takes known variants only");
    match commands.as_slice() {
        [] => protocol::run(menu, BufReader::new(io::stdin()), io::stdout()),
        lines => protocol::run_lines(menu, lines.iter().map(String::as_str), io::stdout()),
    }
}
