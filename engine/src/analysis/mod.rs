//! The command `yardmaster analyze`: reads games of draughts from a PDN file, checks their moves, and
//! writes the games again with what the engine thinks of each move.
//!
//! A game with a mistake in it is told of in one line and written up to there; the others go on.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use clap::builder::PossibleValuesParser;
use indicatif::{ProgressBar, ProgressStyle};

use crate::games::Variant;
use crate::games::draughts::{Fmjd, Site};
use crate::pdn::{GAME_TYPE, PdnGame, Reader, Written};
use crate::search::NoMemory;
use annotator::{Annotator, Mistake};

mod annotator;

/// The rule sets that PDN is about.
const VARIANTS: [&str; 2] = ["draughts", "draughts-fmjd"];

/// What the games are looked at for, if nothing else is said.
const MOVE_TIME_MS: u64 = 500;

/// Reads games of draughts (PDN), checks the moves, and writes them with scores and better moves.
#[derive(Args, Clone, Debug)]
pub struct Analyze {
    /// The file with the games; - for the standard input
    #[arg(value_name = "FILE.pdn")]
    file: PathBuf,
    /// Write to a file instead of the standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The rules, whatever the games say; otherwise those of the FMJD, or of the site where their
    /// `GameType` has Black begin
    #[arg(long, value_name = "NAME", ignore_case = true)]
    #[arg(value_parser = PossibleValuesParser::new(VARIANTS))]
    variant: Option<String>,
    /// Positions to look at for each move
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Plies to look ahead
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Milliseconds for each move (500 if no limit is given)
    #[arg(long, value_name = "MS")]
    movetime: Option<u64>,
    /// Size of the tables
    #[arg(long, value_name = "MIB", default_value_t = 64)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=65_536))]
    hash: u32,
    /// Threads that search together
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=64))]
    threads: u16,
}

/// How much is thought about a position.
#[derive(Clone, Copy, Debug)]
struct Effort {
    nodes: Option<u64>,
    depth: Option<u32>,
    time: Option<Duration>,
    mebibytes: usize,
    threads: usize,
}

/// What came of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Every game was annotated to its end.
    Complete,
    /// Some games have mistakes in them.
    Mistaken {
        /// How many.
        games: u64,
    },
}

/// Why nothing comes of it.
#[derive(Debug, thiserror::Error)]
pub enum AnalyzeError {
    /// A file can't be read or written.
    #[error("{path:?}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// The games would be written over while they are read.
    #[error("{0:?} is the file with the games, expected another one for the output")]
    SameFile(PathBuf),
    /// There is nothing to do.
    #[error("{0:?} has no games in it")]
    NoGames(PathBuf),
    /// The tables can't be had.
    #[error(transparent)]
    NoMemory(#[from] NoMemory),
    /// The games can't be printed.
    #[error("the games can't be printed: {0}")]
    Output(#[from] io::Error),
}

/// The engine for each rule set that was needed so far.
struct Annotators {
    effort: Effort,
    site: Option<Annotator<Site>>,
    fmjd: Option<Annotator<Fmjd>>,
}

/// Annotates the games. `out` takes them unless a file does; `complain` takes a line for each game with a
/// mistake.
///
/// # Errors
/// [`AnalyzeError`] when a file can't be read or written, or has no games.
pub fn run(
    analyze: &Analyze,
    out: &mut dyn Write,
    complain: &mut dyn FnMut(&str),
) -> Result<Ending, AnalyzeError> {
    let text = read(&analyze.file)?;
    let games: Vec<_> = Reader::new(&text).collect();
    if games.is_empty() {
        return Err(AnalyzeError::NoGames(analyze.file.clone()));
    }
    let mut file = match &analyze.output {
        None => None,
        Some(path) => Some(create(path, &analyze.file)?),
    };
    let mut annotators = Annotators { effort: analyze.effort(), site: None, fmjd: None };
    let bar = progress_bar(&games);
    let mut mistaken = 0;
    for (number, game) in (1..).zip(games) {
        let mistake = match game {
            Err(error) => Some(error.to_string()),
            Ok(mut game) => {
                let (mistake, second_begins) = annotators.annotate(analyze, &mut game, &bar)?;
                let text = Written { game: &game, second_begins }.to_string();
                match &mut file {
                    Some(file) => file.write_all(text.as_bytes())?,
                    None => out.write_all(text.as_bytes()).and_then(|()| out.flush())?,
                }
                mistake.map(|mistake| mistake.to_string())
            }
        };
        if let Some(mistake) = mistake {
            mistaken += 1;
            bar.suspend(|| complain(&format!("game {number}: {mistake}")));
        }
    }
    bar.finish_and_clear();
    Ok(if mistaken == 0 { Ending::Complete } else { Ending::Mistaken { games: mistaken } })
}

impl Analyze {
    fn effort(&self) -> Effort {
        let given = self.nodes.is_some() || self.depth.is_some() || self.movetime.is_some();
        let time = self.movetime.or((!given).then_some(MOVE_TIME_MS));
        Effort {
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            depth: self.depth.map(|depth| depth.max(1)),
            time: time.map(Duration::from_millis),
            mebibytes: self.hash as usize,
            threads: usize::from(self.threads),
        }
    }

    /// The rules of a game.
    fn variant(&self, game: &PdnGame) -> Result<Variant, Mistake> {
        if let Some(name) = &self.variant {
            return Ok(name.parse().expect("clap takes these names only"));
        }
        let Some(game_type) = game.tag(GAME_TYPE) else { return Ok(Variant::DraughtsFmjd) };
        let mut parts = game_type.split(',').map(str::trim);
        match (parts.next(), parts.next()) {
            (Some("20"), None | Some("W")) => Ok(Variant::DraughtsFmjd),
            (Some("20"), Some("B")) => Ok(Variant::Draughts),
            _ => Err(Mistake::GameType(game_type.to_owned())),
        }
    }
}

impl Annotators {
    /// Annotates a game up to its first mistake; tells that, and whether the second player begins.
    fn annotate(
        &mut self,
        analyze: &Analyze,
        game: &mut PdnGame,
        bar: &ProgressBar,
    ) -> Result<(Option<Mistake>, bool), NoMemory> {
        let effort = self.effort;
        let begun = match analyze.variant(game) {
            Err(mistake) => return Ok((Some(mistake), false)),
            Ok(Variant::Draughts) => match &mut self.site {
                Some(annotator) => annotator.annotate(game, bar),
                None => self.site.insert(Annotator::new(effort)?).annotate(game, bar),
            },
            Ok(_) => match &mut self.fmjd {
                Some(annotator) => annotator.annotate(game, bar),
                None => self.fmjd.insert(Annotator::new(effort)?).annotate(game, bar),
            },
        };
        Ok(begun)
    }
}

fn read(path: &Path) -> Result<String, AnalyzeError> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut io::stdin().lock(), &mut bytes).map(|_| bytes)
    } else {
        fs::read(path)
    };
    let bytes = bytes.map_err(|error| AnalyzeError::File { path: path.to_owned(), error })?;
    // Old files are in some code page; names alone suffer from that.
    Ok(String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| char::from(byte)).collect()))
}

fn create(path: &Path, input: &Path) -> Result<File, AnalyzeError> {
    if let (Ok(output), Ok(input)) = (path.canonicalize(), input.canonicalize())
        && output == input
    {
        return Err(AnalyzeError::SameFile(path.to_owned()));
    }
    File::create(path).map_err(|error| AnalyzeError::File { path: path.to_owned(), error })
}

/// Counts moves, on a terminal only.
fn progress_bar<E>(games: &[Result<PdnGame, E>]) -> ProgressBar {
    let items = games.iter().flatten().map(|game| game.items.len() as u64);
    let bar = ProgressBar::new(items.sum());
    let style = "{bar:40} {percent} %, {elapsed} gone, {eta} left";
    bar.set_style(ProgressStyle::with_template(style).expect("the template is right"));
    bar
}
