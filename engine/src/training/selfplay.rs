//! `yardmaster selfplay`: games against itself, to learn from.

use std::fs;
use std::mem;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::games::{GameFile, GameLine, GameResult, GamesError, Ply, Settings, Step};
use super::{Ending, Reason, TrainingError};
use crate::arena::chance::{Purpose, Seed, Stream};
use crate::arena::contest::Contest;
use crate::game::Game;
use crate::games::Variant;
use crate::games::banqi::{self, Banqi};
use crate::games::draughts::{self, Draughts, Fmjd, Site};
use crate::games::halma::Halma;
use crate::games::kalah::Kalah;
use crate::position::{Ordered, Outcome, Weight, Weighted};
use crate::score::Score;
use crate::search::{Clock, Limits, Report, Search, Selectivity, Task, expectimax};
use crate::weights;

/// Play games against itself, to learn from
#[derive(clap::Args)]
pub struct Selfplay {
    /// The file of games; an existing one is gone on with
    file: PathBuf,
    /// The game
    #[arg(long, value_name = "NAME", default_value_t = Variant::Draughts)]
    variant: Variant,
    /// Games in the file at the end
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    games: u64,
    /// Positions visited for each move
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    nodes: u64,
    /// Random plies at the beginning of each game
    #[arg(long, value_name = "N", default_value_t = 8)]
    random: u32,
    /// A longer game is a draw
    #[arg(long, value_name = "N", default_value_t = 400)]
    max_plies: u32,
    /// After so many of a hundred searched moves an aside is played: random moves, then a few searched
    /// ones. Searches meet what good moves never lead to
    #[arg(long, value_name = "PERCENT", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u32).range(..=100))]
    asides: u32,
    /// A file of weights to judge positions with, from `train`
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Fixes all games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Games at a time, 0 for one a core
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

impl Selfplay {
    /// Plays the games that are missing.
    ///
    /// # Errors
    /// One line on why a file can't be used.
    pub fn run(&self) -> Result<Ending, TrainingError> {
        let play = match self.variant {
            Variant::Draughts => play_weighted::<Draughts<Site>, draughts::Evaluation<Site>>,
            Variant::DraughtsFmjd => play_weighted::<Draughts<Fmjd>, draughts::Evaluation<Fmjd>>,
            Variant::Halma => play_as_is::<Halma>,
            Variant::Banqi => play_weighted::<Banqi, banqi::Evaluation>,
            Variant::Kalah => play_as_is::<Kalah>,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build();
        Ok(pool.map_err(Reason::from)?.install(|| play(self))?)
    }

    fn settings(&self, weights: Option<u64>) -> Settings {
        let &Self { variant, nodes, random, seed, max_plies, asides, .. } = self;
        Settings { variant, nodes, random, seed, max_plies, asides, weights }
    }
}

/// Plays a game that has weights to learn.
fn play_weighted<P, E>(arguments: &Selfplay) -> Result<Ending, Reason>
where
    P: Contest + Ordered,
    E: Weighted<P>,
{
    let Some(path) = &arguments.weights else { return play_as_is::<P>(arguments) };
    let file = fs::read(path).map_err(|error| GamesError::Io { path: path.to_owned(), error })?;
    let weights = weights::read(arguments.variant.name(), E::WEIGHTS, &file)
        .map_err(|error| GamesError::Weights { path: path.to_owned(), error })?;
    let settings = arguments.settings(Some(weights::sum_of(&weights)));
    play::<P>(arguments, &settings, || {
        Box::new(expectimax(E::weighing(weights.clone()), Selectivity::Selective))
    })
}

/// Plays with the evaluation as it is.
fn play_as_is<P: Contest>(arguments: &Selfplay) -> Result<Ending, Reason> {
    if arguments.weights.is_some() {
        return Err(Reason::NoWeights(arguments.variant));
    }
    play::<P>(arguments, &arguments.settings(None), P::judge)
}

fn play<P: Contest>(
    arguments: &Selfplay,
    settings: &Settings,
    search: impl Fn() -> Box<dyn Search<P>> + Send + Sync,
) -> Result<Ending, Reason> {
    let (file, present) = GameFile::open(&arguments.file, settings)?;
    let missing: Vec<u64> = (1..=arguments.games).filter(|game| !present.contains(game)).collect();
    let interrupted = super::interrupt()?;

    let bar = ProgressBar::new(arguments.games).with_position(present.len() as u64);
    let template = "{pos}/{len} games {wide_bar} {per_sec} [{elapsed}, {eta} to go]";
    bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
    bar.reset_eta();

    let file = Mutex::new(file);
    missing.into_par_iter().try_for_each_init(search, |search, number| {
        if interrupted.load(Ordering::Relaxed) {
            return Ok(());
        }
        if let Some((result, steps)) = game(search.as_mut(), settings, number, &interrupted) {
            let events = steps.join(" ");
            let mut file = file.lock().expect("no thread panics with the file");
            file.add(&GameLine { number, result, events: &events })?;
            bar.inc(1);
        }
        Ok::<_, GamesError>(())
    })?;
    bar.finish_and_clear();
    let ended = interrupted.load(Ordering::Relaxed);
    Ok(if ended { Ending::Interrupted } else { Ending::Complete })
}

/// At most so many moves at the beginning of an aside are random, one at least.
const ASTRAY: usize = 3;

/// So many moves of an aside are searched.
const ASIDE: u32 = 4;

/// Plays a game: its result and its steps. `None` when it was interrupted.
fn game<P: Contest>(
    search: &mut dyn Search<P>,
    settings: &Settings,
    number: u64,
    interrupted: &AtomicBool,
) -> Option<(GameResult, Vec<String>)> {
    search.clear();
    let stream = |purpose| Seed(settings.seed).child(purpose, number).stream();
    let mut play = Play {
        search,
        nodes: settings.nodes,
        game: Game::new(P::start(P::Rules::default())),
        steps: Vec::new(),
        chance: stream(Purpose::Opening),
    };
    let mut aside_chance = stream(Purpose::Aside);
    for ply in 0..settings.max_plies {
        if interrupted.load(Ordering::Relaxed) {
            return None;
        }
        let is_left = aside_chance.below(100) < settings.asides as usize;
        let before = is_left.then(|| play.game.clone());
        match (play.ply(ply < settings.random), before) {
            (Ok(Choice::Searched), Some(before)) => {
                play.aside(before, &mut aside_chance);
            }
            (Ok(_), _) => (),
            (Err(Outcome { winner, .. }), _) => return Some((GameResult(winner), play.steps)),
        }
    }
    Some((GameResult(None), play.steps))
}

/// A game that is being played.
struct Play<'a, P: Contest> {
    search: &'a mut dyn Search<P>,
    nodes: u64,
    game: Game<P>,
    steps: Vec<String>,
    chance: Stream,
}

/// How a move came about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    Only,
    Random,
    Searched,
}

impl<P: Contest> Play<'_, P> {
    /// Plays a ply, unless the game is over.
    fn ply(&mut self, is_random: bool) -> Result<Choice, Outcome> {
        let mut moves = Vec::new();
        self.game.position().moves(&mut moves);
        if let Some(outcome) = self.game.outcome(&moves) {
            return Err(outcome);
        }
        let (mv, score, choice) = match moves.as_slice() {
            &[only] => (only, None, Choice::Only),
            several if is_random => (self.chance.pick(several), None, Choice::Random),
            several => {
                let (mv, score) = best_move(self.search, &self.game, several, self.nodes);
                (mv, Some(score), Choice::Searched)
            }
        };
        let event = happening(self.game.position(), mv, &mut self.chance);
        let ply = Ply { event: &self.game.position().event_text(event), score };
        self.steps.push(Step::Ply(ply).to_string());
        self.game.play(event);
        Ok(choice)
    }

    /// Tries something else `before` the last event; the game goes on after that event.
    fn aside(&mut self, before: Game<P>, chance: &mut Stream) {
        let after = mem::replace(&mut self.game, before);
        mem::swap(&mut self.chance, chance);
        let start = self.steps.len();
        self.steps.push(Step::Aside.to_string());
        let (mut random, mut searched) = (1 + self.chance.below(ASTRAY), 0);
        while searched < ASIDE {
            match self.ply(random > 0) {
                Ok(Choice::Only) => (),
                Ok(Choice::Random) => random -= 1,
                Ok(Choice::Searched) => searched += 1,
                Err(_) => break,
            }
        }
        self.steps.push(Step::Return.to_string());
        if searched == 0 {
            self.steps.truncate(start);
        }
        mem::swap(&mut self.chance, chance);
        self.game = after;
    }
}

fn best_move<P: Contest>(
    search: &mut dyn Search<P>,
    game: &Game<P>,
    moves: &[P::Move],
    nodes: u64,
) -> (P::Move, Score) {
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    let task = Task { game, moves: moves.to_vec(), lines: 1, limits };
    let mut best = (moves[0], Score::DRAW);
    search.think(&task, &Clock::unlimited(), &mut |report| {
        if let Report::Line(line) = report {
            best = (line.pv[0], line.score);
        }
    });
    best
}

/// What follows when `mv` is chosen, as likely as the rules say.
fn happening<P: Contest>(position: &P, mv: P::Move, chance: &mut Stream) -> P::Event {
    let events: Vec<(P::Event, Weight)> = position.events(mv).collect();
    let total: usize = events.iter().map(|&(_, Weight(weight))| weight as usize).sum();
    let mut rest = chance.below(total);
    for (event, Weight(weight)) in events {
        match rest.checked_sub(weight as usize) {
            None => return event,
            Some(less) => rest = less,
        }
    }
    unreachable!("the number is less than the sum of the weights")
}
