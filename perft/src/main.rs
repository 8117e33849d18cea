//! `perft`: counts positions, alone or against the tables of a suite.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use clap::{Args, Parser, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use yardmaster::games::Variant;
use yardmaster::perft::{Leaves, Perft, Table};
use yardmaster_perft::{Case, Count, SUITES, count, read_suite};

/// Counts the different ways in which a game can go on.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true, arg_required_else_help = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    position: Option<PositionArgs>,
    #[command(flatten)]
    way: Way,
}

#[derive(Subcommand)]
enum Command {
    /// Compare counts with the tables of suites, by default with all that are built in.
    Suite(SuiteArgs),
}

#[derive(Args)]
struct PositionArgs {
    /// draughts, draughts-fmjd, halma, banqi or kalah.
    variant: Variant,
    /// Plies to look ahead.
    depth: u32,
    /// The position, instead of the start position.
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Show the count of each first move.
    #[arg(long)]
    divide: bool,
}

#[derive(Args)]
struct SuiteArgs {
    /// Suites to read instead of the built-in ones.
    files: Vec<PathBuf>,
    /// Leave out counts greater than this.
    #[arg(long, default_value_t = 100_000_000, value_name = "COUNT")]
    nodes: u64,
}

/// How to count.
#[derive(Args, Clone, Copy)]
struct Way {
    /// Threads, 0 for one a core.
    #[arg(long, global = true, default_value_t = 0, value_name = "N")]
    threads: usize,
    /// Keep the counts of positions that may come up again in a table of so many MiB.
    #[arg(long, global = true, default_value_t = 0, value_name = "MIB")]
    hash: usize,
    /// Make every move of the last ply, instead of counting them without making them.
    #[arg(long, global = true)]
    make_leaves: bool,
}

impl Way {
    /// Does `job` in this way.
    fn follow(
        self,
        job: impl FnOnce(Perft<'_>) -> Result<(), String> + Send,
    ) -> Result<(), String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        let pool = pool.map_err(|error| error.to_string())?;
        let table = match self.hash {
            0 => None,
            mebibytes => Some(Table::new(mebibytes).map_err(|error| error.to_string())?),
        };
        let leaves = if self.make_leaves { Leaves::Made } else { Leaves::Counted };
        pool.install(|| job(Perft { leaves, table: table.as_ref(), stop: None }))
    }
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let result = match (cli.command, cli.position) {
        (Some(Command::Suite(args)), _) => cli.way.follow(|perft| suites(&args, perft)),
        (None, Some(args)) => cli.way.follow(|perft| position(&args, perft)),
        (None, None) => unreachable!("clap asks for one of them"),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("perft: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Counts one position: a line a depth, or a line a first move.
fn position(args: &PositionArgs, perft: Perft<'_>) -> Result<(), String> {
    let fen = args.fen.as_deref();
    if args.divide {
        let mut lines = String::new();
        let mut line = |event: &str, count: u64| {
            writeln!(lines, "{event}: {count}").expect("a string takes every line");
        };
        let depth = args.depth;
        let total =
            args.variant.visit(Count { position: fen, depth, perft, on_event: &mut line })?;
        return print(&format!("{lines}\nNodes searched: {total}\n"));
    }
    for depth in 0..=args.depth {
        let start = Instant::now();
        let nodes = count(args.variant, fen, depth, perft)?;
        let seconds = start.elapsed().as_secs_f64();
        let speed = nodes as f64 / seconds.max(1e-9) / 1e6;
        print(&format!("perft {depth:<2} {nodes:>16} {seconds:>9.3} s {speed:>8.1} Mn/s\n"))?;
    }
    Ok(())
}

/// Counts the positions of suites; a line a suite, and one for each count that is wrong.
fn suites(args: &SuiteArgs, perft: Perft<'_>) -> Result<(), String> {
    let mut wrong = 0;
    for (name, text) in texts(&args.files)? {
        let cases = read_suite(&text).map_err(|error| format!("{name}: {error}"))?;
        let start = Instant::now();
        let (nodes, failures) = check(&name, &cases, args.nodes, perft)?;
        let seconds = start.elapsed().as_secs_f64();
        wrong += failures;
        let verdict = if failures == 0 { "right" } else { "WRONG" };
        let speed = nodes as f64 / seconds / 1e6;
        let positions = cases.len();
        print(&format!(
            "{name}: {positions} positions, {nodes} nodes, {seconds:.1} s, {speed:.1} Mn/s, {verdict}\n"
        ))?;
    }
    if wrong > 0 { Err(format!("{wrong} counts are wrong")) } else { Ok(()) }
}

/// The suites by name: the files, or those that are built in.
fn texts(files: &[PathBuf]) -> Result<Vec<(String, String)>, String> {
    if files.is_empty() {
        return Ok(SUITES.iter().map(|&(name, text)| (name.into(), text.into())).collect());
    }
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path);
        text.map(|text| (path.display().to_string(), text))
            .map_err(|error| format!("{}: {error}", path.display()))
    };
    files.iter().map(read).collect()
}

/// Compares all counts up to `most`; how many nodes that took, and how many counts are wrong.
fn check(suite: &str, cases: &[Case], most: u64, perft: Perft<'_>) -> Result<(u64, usize), String> {
    let counts = |case: &Case| case.counts.iter().filter(|&&count| count <= most).sum::<u64>();
    let bar = ProgressBar::new(cases.iter().map(counts).sum());
    let style = ProgressStyle::with_template("{msg:20} {wide_bar} {percent:>3} % {eta}");
    bar.set_style(style.expect("the template is right"));
    bar.set_message(suite.to_owned());
    let (mut nodes, mut wrong) = (0, 0);
    for case in cases {
        for (depth, &expected) in (1..).zip(&case.counts).filter(|&(_, &count)| count <= most) {
            let found = count(case.variant, Some(&case.position), depth, perft)
                .map_err(|error| format!("{suite}: {}: {error}", case.name))?;
            nodes += found;
            bar.inc(expected);
            if found != expected {
                wrong += 1;
                let name = &case.name;
                bar.suspend(|| {
                    eprintln!("{suite}: {name}: depth {depth}: {found}, expected {expected}");
                });
            }
        }
    }
    bar.finish_and_clear();
    Ok((nodes, wrong))
}

/// Writes to the standard output. That nobody reads it any more is no reason to complain.
fn print(text: &str) -> Result<(), String> {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => std::process::exit(0),
        result => result.map_err(|error| error.to_string()),
    }
}
