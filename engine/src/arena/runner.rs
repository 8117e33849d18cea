//! Runs a match: threads that play pairs, and one place where results come in, in the order of
//! their numbers, so that a match is the same at any concurrency.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

use super::client;
use super::contest::Contest;
use super::opening::{Book, OpeningError};
use super::progress::Progress;
use super::record::{Mode, PairRecord, RecordError, RecordFile};
use super::referee::{Broken, Referee, Seat};
use super::report::Standings;
use super::schedule::Schedule;
use super::settings::{Conduct, Settings};
use super::stop::{Cause, Stop};
use super::transcript::transcript;
use super::{Ending, MatchError};

/// Where a match is written to.
#[derive(Clone, Debug)]
pub(super) struct Files {
    /// The record.
    pub(super) record: Option<PathBuf>,
    /// Whether the record may be there already.
    pub(super) mode: Mode,
    /// The games as a person reads them.
    pub(super) games: Option<PathBuf>,
}

/// A match that is being played, as all its threads see it.
struct Match<'a, P: Contest> {
    settings: &'a Settings,
    conduct: Conduct,
    schedule: Schedule,
    book: Book<P>,
    stop: &'a Stop,
    /// The numbers of the pairs to play, ascending.
    todo: Vec<u64>,
    /// How many of them are begun.
    begun: AtomicUsize,
}

/// What comes from the playing threads.
type News = Result<PairRecord, MatchError>;

/// Plays a match and gives its standings, and how it ended.
pub(super) fn run<P: Contest>(
    settings: &Settings,
    conduct: Conduct,
    files: &Files,
    stop: &Arc<Stop>,
) -> Result<(Standings, Ending), MatchError> {
    let book = Book::<P>::open(&settings.openings, settings.variant, settings.seed)?;
    let schedule = Schedule::new(settings.tournament, settings.players.len());
    match check_players(settings, conduct, stop) {
        Err(_) if stop.cause().is_some() => {
            return Ok((Standings::new(settings), Ending::Interrupted));
        }
        checked => checked?,
    }
    let mut ledger = Ledger::open(settings, conduct, files)?;
    let total = schedule.pairs(conduct.pairs);
    let mut todo: Vec<u64> = (1..=total).filter(|&pair| conduct.shard.has(pair)).collect();
    ledger.progress.set_total(todo.len() as u64);
    if let Some(openings) = book.len().filter(|&openings| conduct.pairs > openings as u64) {
        let pairs = conduct.pairs;
        ledger.progress.note(&format!("{openings} openings for {pairs} pairs: they come again"));
    }
    todo.drain(..ledger.settled(&todo)?);
    if todo.is_empty() || ledger.is_decided() {
        return Ok((ledger.finish(), Ending::Complete));
    }
    let begun = AtomicUsize::new(0);
    let game = Match { settings, conduct, schedule, book, stop, todo, begun };
    let ending = game.play(&mut ledger);
    let standings = ledger.finish();
    Ok((standings, ending?))
}

/// Starts every player once: what can't start is said at once, and not game by game.
fn check_players(settings: &Settings, conduct: Conduct, stop: &Stop) -> Result<(), MatchError> {
    for spec in &settings.players {
        let mut player = client::start(spec, settings.variant, conduct.silence, stop)?;
        player.new_game(settings.seed).map_err(|fault| client::StartError::Fault {
            name: spec.name.clone(),
            variant: settings.variant,
            fault,
        })?;
    }
    Ok(())
}

impl<P: Contest> Match<'_, P> {
    /// Plays the pairs that are to be played.
    fn play(&self, ledger: &mut Ledger<'_>) -> Result<Ending, MatchError> {
        let threads = self.conduct.concurrency.clamp(1, self.todo.len());
        let (sender, news) = mpsc::sync_channel(threads);
        thread::scope(|scope| {
            for _ in 0..threads {
                let sender = sender.clone();
                scope.spawn(move || self.play_pairs(&sender));
            }
            drop(sender);
            let ending = self.collect(ledger, &news);
            self.stop.raise(Cause::Done);
            // A thread that has news yet must not wait for a reader.
            drop(news);
            ending
        })
    }

    /// Takes in results in the order of their numbers.
    fn collect(
        &self,
        ledger: &mut Ledger<'_>,
        news: &Receiver<News>,
    ) -> Result<Ending, MatchError> {
        let mut waiting = BTreeMap::new();
        let mut next = self.todo.iter().peekable();
        for result in news {
            let record = result?;
            waiting.insert(record.pair, record);
            while let Some(record) = next.peek().and_then(|pair| waiting.remove(*pair)) {
                next.next();
                ledger.add(&record)?;
                if ledger.faults > self.conduct.faults {
                    return Ok(Ending::Faulty { faults: ledger.faults });
                }
                if ledger.is_decided() {
                    return Ok(Ending::Complete);
                }
            }
        }
        match self.stop.cause() {
            Some(Cause::Interrupt) => Ok(Ending::Interrupted),
            _ => Ok(Ending::Complete),
        }
    }

    /// A thread's work: pairs, until there are no more or the match ends.
    fn play_pairs(&self, sender: &SyncSender<News>) {
        let mut seats: Vec<Seat<'_>> = self.settings.players.iter().map(Seat::new).collect();
        while self.stop.cause().is_none() {
            let index = self.begun.fetch_add(1, Ordering::SeqCst);
            let Some(&pair) = self.todo.get(index) else { return };
            let news = match self.play_pair(&mut seats, pair) {
                Ok(record) => Ok(record),
                Err(PairError::Broken(Broken::Stopped)) => return,
                Err(PairError::Broken(Broken::Start(error))) => Err(error.into()),
                Err(PairError::Opening(error)) => Err(error.into()),
            };
            let failed = news.is_err();
            if sender.send(news).is_err() || failed {
                return;
            }
        }
    }

    fn play_pair(&self, seats: &mut [Seat<'_>], pair: u64) -> Result<PairRecord, PairError> {
        let opening = self.book.opening(self.schedule.round(pair))?;
        let players = self.schedule.players(pair);
        let (settings, silence) = (self.settings, self.conduct.silence);
        let referee = Referee { settings, silence, stop: self.stop };
        let mut play = |players: [usize; 2], game: u64| {
            let seats = seats.get_disjoint_mut(players).expect("two players are not one");
            referee.play(seats, &opening, 2 * pair + game)
        };
        let [a, b] = players;
        let games = [play([a, b], 0)?, play([b, a], 1)?];
        let players = players.map(|player| self.settings.players[player].name.clone());
        Ok(PairRecord { pair, players, opening: opening.record(), games })
    }
}

/// Why a pair has no record.
enum PairError {
    Broken(Broken),
    Opening(OpeningError),
}

impl From<Broken> for PairError {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

impl From<OpeningError> for PairError {
    fn from(error: OpeningError) -> Self {
        Self::Opening(error)
    }
}

/// Where results are written down.
struct Ledger<'a> {
    settings: &'a Settings,
    conduct: Conduct,
    standings: Standings,
    progress: Progress,
    record: Option<RecordFile>,
    games: Option<(PathBuf, File)>,
    /// Pairs of an earlier run, in the order of their numbers.
    resumed: Vec<u64>,
    /// Faults of this run.
    faults: u64,
}

impl<'a> Ledger<'a> {
    fn open(settings: &'a Settings, conduct: Conduct, files: &Files) -> Result<Self, MatchError> {
        let (record, pairs) = match &files.record {
            Some(path) => {
                let (record, pairs) = RecordFile::open(path, settings, conduct.shard, files.mode)?;
                (Some(record), pairs)
            }
            None => (None, Vec::new()),
        };
        let games = match &files.games {
            Some(path) => {
                let file = File::create(path).map_err(|error| file_error(path, error))?;
                Some((path.clone(), file))
            }
            None => None,
        };
        let resumed = pairs.iter().map(|pair| pair.pair).collect();
        let (standings, progress) = (Standings::new(settings), Progress::new());
        let mut ledger =
            Self { settings, conduct, standings, progress, record, games, resumed, faults: 0 };
        for pair in &pairs {
            ledger.standings.add(pair);
            ledger.write_games(pair)?;
        }
        Ok(ledger)
    }

    /// How many of the pairs to play are played: an earlier run has left them off in order.
    fn settled(&self, todo: &[u64]) -> Result<usize, MatchError> {
        let common = self.resumed.len().min(todo.len());
        if self.resumed[..common] != todo[..common] {
            return Err(MatchError::Order);
        }
        self.progress.skip(common as u64);
        Ok(common)
    }

    fn add(&mut self, pair: &PairRecord) -> Result<(), MatchError> {
        if let Some(record) = &mut self.record {
            record.add(pair)?;
        }
        self.write_games(pair)?;
        self.standings.add(pair);
        self.progress.add(pair, &self.standings);
        self.faults += pair.games.iter().filter(|game| game.fault.is_some()).count() as u64;
        Ok(())
    }

    fn write_games(&mut self, pair: &PairRecord) -> Result<(), MatchError> {
        if let Some((path, file)) = &mut self.games {
            let text = transcript(self.settings.variant, pair);
            file.write_all(text.as_bytes()).map_err(|error| file_error(path, error))?;
        }
        Ok(())
    }

    /// Whether the test has ended. A part of a match decides nothing.
    fn is_decided(&self) -> bool {
        self.conduct.shard.is_whole()
            && self.standings.test().is_some_and(|(sprt, ratio)| sprt.decision(ratio).is_some())
    }

    fn finish(self) -> Standings {
        self.progress.finish();
        self.standings
    }
}

fn file_error(path: &Path, error: std::io::Error) -> RecordError {
    RecordError::File { path: path.to_owned(), error }
}
