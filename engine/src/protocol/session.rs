//! One game and its search: what the commands mean once the game is known.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::command::{Question, Setup};
use super::go::{Ending, Go};
use super::job::{Job, STACK_BYTES, Watch};
use super::notation::Notation;
use super::options::Options;
use super::output::Output;
use super::reply::{self, Choice, Info, NO_CHOICE};
use crate::game::Game;
use crate::perft::Perft;
use crate::position::{Evaluate, MoveError, Outcome, Position, Rules, TablesError, WinModel};
use crate::search::{Clock, Limits, NoMemory, Report, Search, Task};

/// A game with its search, whichever game it is. While a [`Job`] that it began runs, only
/// [`Session::board`] answers at once; whatever needs the search waits for the job's end.
pub(super) trait Session {
    /// Sets a position, and plays what followed. A refusal leaves no position.
    fn set_position(&mut self, setup: &Setup<'_>) -> Result<(), SetupError>;

    /// Leaves no position.
    fn forget_position(&mut self);

    /// Changes the rules from now on; the game goes on where it is.
    fn set_no_progress_plies(&mut self, plies: u16);

    /// Takes `mebibytes` for the search's tables, or leaves them as they are.
    fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory>;

    /// How many threads a search has.
    fn set_threads(&mut self, threads: usize);

    /// Has a table of all positions with up to `stones` stones, in a game that can have one.
    fn set_endgame(&mut self, stones: u8);

    /// Looks into the endgame tables of `file`, or into its own ones, in a game that has such.
    fn set_tables(&mut self, file: Option<&[u8]>) -> Result<(), TablesError>;

    /// Waits until its search is ready.
    fn get_ready(&mut self);

    /// Forgets what earlier searches learned.
    fn clear(&mut self);

    /// Begins a search, which prints its own lines.
    fn go(
        &mut self,
        go: &Go<'_>,
        options: &Options,
        output: &Arc<Output>,
    ) -> Result<Job, GoRefused>;

    /// Begins to count the lines of play.
    fn perft(&mut self, depth: u32, threads: usize, output: &Arc<Output>)
    -> Result<Job, GoRefused>;

    /// The answer to `d`.
    fn board(&self) -> Result<String, NoPosition>;

    /// The answer to a question about the rules.
    fn tell(&self, question: Question) -> Result<&'static str, NoPosition>;

    /// The answer to `eval`.
    fn evaluation(&self) -> Result<String, NoPosition>;

    /// Swaps the sides; the game begins anew with that position.
    fn flip(&mut self) -> Result<(), NoPosition>;

    /// The nodes of a search to `depth` that begins with empty tables.
    fn bench(&mut self, depth: u32, clock: &Clock) -> u64;
}

/// No position was set, or the last one was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no position is set, expected an accepted \"position\" before")]
pub(super) struct NoPosition;

/// Why a position is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum SetupError {
    #[error("{0}")]
    Position(String),
    #[error("move {number} of the list: {error}")]
    Move { number: usize, error: MoveError },
    #[error("move {number} of the list: {text:?} comes after the end of the game ({result})")]
    AfterTheEnd { number: usize, text: String, result: String },
}

/// Why a search does not begin.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum GoRefused {
    #[error(transparent)]
    NoPosition(#[from] NoPosition),
    #[error("{texts:?} in searchmoves are not legal here, expected moves that \"d\" lists")]
    Illegal { texts: String },
    #[error("{threads} threads can't be had: {reason}")]
    Threads { threads: usize, reason: String },
}

/// The [`Session`] of the game `P`, judged by `E`.
pub(super) struct GameSession<P: Position, E> {
    rules: P::Rules,
    /// `None` after a refused position.
    record: Option<Record<P>>,
    searcher: Searcher<P>,
    evaluation: E,
    notation: Notation<P>,
}

/// A game with what it takes to play it again.
struct Record<P: Position> {
    origin: P,
    events: Vec<P::Event>,
    game: Game<P>,
}

/// Where the search is.
enum Searcher<P> {
    Here(Box<dyn Search<P>>),
    /// A job has it and sends it back.
    Away(Receiver<Box<dyn Search<P>>>),
}

impl<P: Position, E: Evaluate<P>> GameSession<P, E> {
    /// A session at the start position.
    pub(super) fn boxed(
        evaluation: E,
        search: impl Search<P> + 'static,
        notation: Notation<P>,
    ) -> Box<dyn Session> {
        let rules = P::Rules::default();
        Box::new(Self {
            rules,
            record: Some(Record::new(P::start(rules))),
            searcher: Searcher::Here(Box::new(search)),
            evaluation,
            notation,
        })
    }

    fn game(&self) -> Result<&Game<P>, NoPosition> {
        self.record.as_ref().map(|record| &record.game).ok_or(NoPosition)
    }

    /// The search, once a job that has it is over.
    fn search(&mut self) -> &mut dyn Search<P> {
        if let Searcher::Away(way_back) = &self.searcher {
            let search = way_back.recv().expect("a job sends its search back");
            self.searcher = Searcher::Here(search);
        }
        match &mut self.searcher {
            Searcher::Here(search) => search.as_mut(),
            Searcher::Away(_) => unreachable!("the search has just come back"),
        }
    }

    /// Lets `work` have the search for the length of a job.
    fn lend(
        &mut self,
        clock: Clock,
        ending: Ending,
        work: impl FnOnce(&mut dyn Search<P>, &Watch) + Send + 'static,
    ) -> Job {
        self.search();
        let (back, way_back) = mpsc::channel();
        let Searcher::Here(mut search) =
            std::mem::replace(&mut self.searcher, Searcher::Away(way_back))
        else {
            unreachable!("the search has just come back")
        };
        Job::spawn(clock, ending, move |watch| {
            work(search.as_mut(), watch);
            // The program may have ended meanwhile.
            let _ = back.send(search);
        })
    }

    /// The game that a text describes.
    fn read(&self, setup: &Setup<'_>) -> Result<Record<P>, SetupError> {
        let origin = match &setup.fen {
            None => P::start(self.rules),
            Some(fen) => {
                (self.notation.read_position)(fen, self.rules).map_err(SetupError::Position)?
            }
        };
        let mut record = Record::new(origin);
        for (number, text) in (1..).zip(&setup.moves) {
            let position = record.game.position();
            let event = (self.notation.read_event)(position, text)
                .map_err(|error| refusal(position, number, text, error))?;
            record.play(event);
        }
        Ok(record)
    }
}

/// Says of a refused move whether there could have been another one.
fn refusal<P: Position>(position: &P, number: usize, text: &str, error: MoveError) -> SetupError {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    match position.outcome(&moves) {
        Some(outcome) if moves.is_empty() => {
            let result = reply::result(position, outcome);
            SetupError::AfterTheEnd { number, text: text.to_owned(), result }
        }
        _ => SetupError::Move { number, error },
    }
}

impl<P: Position> Record<P> {
    fn new(origin: P) -> Self {
        Self { origin, events: Vec::new(), game: Game::new(origin) }
    }

    fn play(&mut self, event: P::Event) {
        self.events.push(event);
        self.game.play(event);
    }

    /// The same game under other rules, unless its first position is none there.
    fn replayed(&self, rules: P::Rules) -> Option<Self> {
        let mut record = Self::new(P::read(&self.origin.to_string(), rules).ok()?);
        for &event in &self.events {
            record.play(event);
        }
        Some(record)
    }
}

impl<P: Position, E: Evaluate<P>> Session for GameSession<P, E> {
    fn set_position(&mut self, setup: &Setup<'_>) -> Result<(), SetupError> {
        self.record = None;
        self.record = Some(self.read(setup)?);
        Ok(())
    }

    fn forget_position(&mut self) {
        self.record = None;
    }

    fn set_no_progress_plies(&mut self, plies: u16) {
        let rules = P::Rules::default().with_no_progress_plies(plies);
        if rules == self.rules {
            return;
        }
        self.rules = rules;
        if let Some(record) = &mut self.record
            && let Some(replayed) = record.replayed(rules)
        {
            *record = replayed;
        }
        // What was learned under other rules may be wrong under these.
        self.clear();
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory> {
        self.search().set_hash(mebibytes)
    }

    fn set_threads(&mut self, threads: usize) {
        self.search().set_threads(threads);
    }

    fn set_endgame(&mut self, stones: u8) {
        self.search().set_endgame(stones);
    }

    fn set_tables(&mut self, file: Option<&[u8]>) -> Result<(), TablesError> {
        self.search().set_tables(file)
    }

    fn get_ready(&mut self) {
        self.search().get_ready();
    }

    fn clear(&mut self) {
        self.search().clear();
    }

    fn go(
        &mut self,
        go: &Go<'_>,
        options: &Options,
        output: &Arc<Output>,
    ) -> Result<Job, GoRefused> {
        let game = self.game()?.clone();
        let position = game.position();
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let clock = clock(go, position, options);
        let ending = go.ending(clock.is_limited());
        let output = Arc::clone(output);
        let is_over = |outcome: &Outcome| outcome.winner.is_some() || !go.past_draws;
        if let Some(outcome) = game.outcome(&moves).filter(is_over) {
            let info = Info::over(position, outcome);
            return Ok(Job::spawn(clock, ending, move |watch| {
                if output.inform(&info).is_ok() {
                    watch.hold();
                    watch.choose(&output, &NO_CHOICE);
                }
            }));
        }
        if let Some(texts) = &go.moves {
            moves = choose(position, texts, &output);
            if moves.is_empty() {
                return Err(GoRefused::Illegal { texts: texts.join(" ") });
            }
        }
        shuffle(&mut moves, options.seed, position);
        let thinking = Thinking {
            lines: options.multi_pv.min(moves.len()),
            moves,
            limits: go.limits(ending),
            win_model: options.show_wdl.then_some(E::WIN_MODEL),
            notation: self.notation,
            game,
        };
        Ok(self.lend(clock, ending, move |search, watch| thinking.run(search, watch, &output)))
    }

    fn perft(
        &mut self,
        depth: u32,
        threads: usize,
        output: &Arc<Output>,
    ) -> Result<Job, GoRefused> {
        let position = *self.game()?.position();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK_BYTES)
            .build()
            .map_err(|error| GoRefused::Threads { threads, reason: error.to_string() })?;
        let output = Arc::clone(output);
        Ok(Job::spawn(Clock::unlimited(), Ending::Limit, move |watch| {
            let stop = watch.clock.stop_signal();
            let perft = Perft { stop: Some(stop), ..Perft::default() };
            let text = match pool.install(|| perft.divide(&position, depth)) {
                None => "info string perft was stopped".to_owned(),
                Some(division) => {
                    let total = match depth {
                        0 => 1,
                        _ => division.iter().map(|(_, count)| count).sum(),
                    };
                    reply::perft(&position, &division, total)
                }
            };
            watch.answer(&output, &text);
        }))
    }

    fn board(&self) -> Result<String, NoPosition> {
        self.game().map(reply::board)
    }

    fn tell(&self, question: Question) -> Result<&'static str, NoPosition> {
        self.game().map(|game| reply::response(game, question))
    }

    fn evaluation(&self) -> Result<String, NoPosition> {
        let game = self.game()?;
        let position = game.position();
        let mut moves = Vec::new();
        position.moves(&mut moves);
        if let Some(outcome) = game.outcome(&moves) {
            let result = reply::result(position, outcome);
            return Ok(format!("Evaluation: none, the game is over ({result})"));
        }
        let side = position.side_name(position.side_to_move());
        let total = self.evaluation.evaluate(position);
        Ok(reply::evaluation(&self.evaluation.terms(position), total, side))
    }

    fn flip(&mut self) -> Result<(), NoPosition> {
        self.record = Some(Record::new(self.game()?.position().mirrored()));
        Ok(())
    }

    fn bench(&mut self, depth: u32, clock: &Clock) -> u64 {
        let Ok(game) = self.game().cloned() else { return 0 };
        let mut moves = Vec::new();
        game.position().moves(&mut moves);
        if game.outcome(&moves).is_some() {
            return 0;
        }
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let task = Task { game: &game, moves, lines: 1, limits };
        let mut nodes = 0;
        self.clear();
        self.search().think(&task, clock, &mut |report| {
            // Signs of life come when time has passed, and would make the count depend on it.
            if let Report::Line(line) = report {
                nodes = line.effort.nodes;
            }
        });
        nodes
    }
}

/// The clock of a search that begins now.
fn clock<P: Position>(go: &Go<'_>, position: &P, options: &Options) -> Clock {
    let mut control = go.time(position.side_to_move());
    control.overhead = options.move_overhead;
    control.ponders = options.ponder;
    Clock::start(&control, position.plies_left(), go.ponder)
}

/// The legal moves among `texts`, each once; a line names the others.
fn choose<P: Position>(position: &P, texts: &[&str], output: &Output) -> Vec<P::Move> {
    let mut chosen = Vec::new();
    let mut refused = Vec::new();
    for text in texts {
        match position.read_move(text) {
            Ok(mv) if !chosen.contains(&mv) => chosen.push(mv),
            Ok(_) => (),
            Err(_) => refused.push(*text),
        }
    }
    if !refused.is_empty() && !chosen.is_empty() {
        let refused = refused.join(" ");
        // A closed output has told the command loop itself.
        let _ = output.complain(format!("{refused:?} in searchmoves is not legal here"));
    }
    chosen
}

/// Changes the order of the moves, another way in every position; a search that finds equal moves
/// keeps to the first of them.
fn shuffle<P: Position>(moves: &mut [P::Move], seed: u64, position: &P) {
    if seed == 0 {
        return;
    }
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed ^ position.key().0);
    for last in (1..moves.len()).rev() {
        // The bias of the remainder is below 2^-56: a list of moves is short.
        moves.swap(last, (random.next_u64() % (last as u64 + 1)) as usize);
    }
}

/// A search that is ready to begin.
struct Thinking<P: Position> {
    game: Game<P>,
    moves: Vec<P::Move>,
    lines: usize,
    limits: Limits,
    /// How to tell chances, if they are wanted.
    win_model: Option<WinModel>,
    notation: Notation<P>,
}

impl<P: Position> Thinking<P> {
    fn run(self, search: &mut dyn Search<P>, watch: &Watch, output: &Output) {
        let Self { game, moves, lines, limits, win_model, notation } = self;
        let position = game.position();
        let mut best = vec![moves[0]];
        let task = Task { game: &game, moves, lines, limits };
        search.think(&task, &watch.clock, &mut |report| {
            if output.inform(&Info::new(position, report, win_model, notation)).is_err() {
                watch.clock.stop();
            }
            if let Report::Line(line) = report
                && line.rank == 1
            {
                best.clone_from(&line.pv);
            }
        });
        watch.hold();
        watch.choose(output, &Choice::new(position, &best, notation));
    }
}
