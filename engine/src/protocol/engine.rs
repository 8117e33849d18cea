//! The engine as a GUI sees it: one variant, its options, at most one search; every command has its
//! answer.

use std::fmt::Display;
use std::fs;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::Menu;
use super::bench::Benchmark;
use super::command::{Command, Order, Setup, Signal};
use super::dialect::{Dialect, Reader};
use super::go::{Go, GoError};
use super::input::LineError;
use super::job::Job;
use super::options::{Options, Setting};
use super::output::{Closed, Output};
use super::registry::{self, Variant};
use super::reply::{self, NO_CHOICE};
use super::session::Session;
use crate::files::check_regular;
use crate::search::NoMemory;
use crate::words;

/// The state behind the commands.
pub(super) struct Engine {
    menu: Menu,
    dialect: Dialect,
    reader: Box<dyn Reader>,
    /// Whether a command was served already; the first one names the dialect.
    begun: bool,
    variant: &'static Variant,
    /// The variant that the program began with.
    default: &'static Variant,
    session: Box<dyn Session>,
    options: Options,
    job: Option<Job>,
    output: Arc<Output>,
}

/// A command came at a bad time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
enum Untimely {
    #[error("busy searching, expected \"stop\" before")]
    Busy,
    #[error(
        "waiting for a search that does not end by itself, expected \"stop\" or \"ponderhit\" before"
    )]
    Endless,
}

/// A file of endgame tables is not looked into.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{path:?} is not used: {reason}")]
struct UnusableTables {
    path: String,
    reason: String,
}

/// Whether to go on after a command.
type Flow = ControlFlow<()>;

impl Engine {
    /// An engine at the start position of what the menu begins with.
    pub(super) fn new(menu: Menu, output: Arc<Output>) -> Self {
        let variant = menu.first();
        let mut engine = Self {
            menu,
            dialect: Dialect::default(),
            reader: Dialect::default().reader(menu.variants),
            begun: false,
            variant,
            default: variant,
            session: (variant.open)(),
            options: Options::new(),
            job: None,
            output,
        };
        // Nothing is printed before the first command, not even that there is little memory.
        let _ = engine.prepare();
        engine
    }

    /// Talks in another dialect from now on.
    pub(super) fn speak(&mut self, dialect: Dialect) -> Flow {
        self.begun = true;
        let spoken = self.change_dialect(dialect);
        if spoken.is_err() { Flow::Break(()) } else { Flow::Continue(()) }
    }

    /// How it is talked with.
    #[cfg(any(test, fuzzing))]
    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// Serves one line. It breaks off when it is the last one, or when nobody listens any more.
    pub(super) fn obey(&mut self, line: &str) -> Flow {
        self.output.heard(line);
        if self.job.as_ref().is_some_and(Job::is_answered) {
            self.join();
        }
        // Some editors and shells put a byte order mark at the beginning of a file.
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            return Flow::Continue(());
        }
        if !std::mem::replace(&mut self.begun, true)
            && let Some(dialect) = Dialect::named(words::first(line).0)
        {
            self.speak(dialect)?;
        }
        let served = match self.reader.read(line) {
            Ok(Command::Signal(Signal::Quit)) => return Flow::Break(()),
            Ok(Command::Signal(signal)) => self.signal(signal),
            Ok(Command::Order(order)) => match self.rest() {
                Ok(()) => self.order(order),
                Err(busy) => self.output.complain(busy),
            },
            Err(unknown) => self.output.complain(unknown),
        };
        match served {
            Ok(()) => Flow::Continue(()),
            Err(Closed) => Flow::Break(()),
        }
    }

    /// Says why a line of the input is no text.
    pub(super) fn refuse(&self, error: LineError) -> Flow {
        match self.output.complain(error) {
            Ok(()) => Flow::Continue(()),
            Err(Closed) => Flow::Break(()),
        }
    }

    /// Waits for the end of the search; one that does not end by itself is stopped, and the line
    /// says so.
    pub(super) fn finish(&mut self) -> Flow {
        let served = self.wait();
        if let Some(job) = &self.job {
            job.stop();
        }
        self.join();
        if served.is_err() { Flow::Break(()) } else { Flow::Continue(()) }
    }

    /// Stops a search and lets it answer.
    pub(super) fn close(mut self) {
        if let Some(job) = &self.job {
            job.stop();
        }
        self.join();
    }

    fn signal(&mut self, signal: Signal) -> Result<(), Closed> {
        match signal {
            Signal::Nothing | Signal::Quit => Ok(()),
            Signal::Introduce => {
                let voice = self.output.voice();
                self.output.say(voice.introduction(self.default, self.menu.variants))
            }
            Signal::IsReady { answer } => {
                // What searches was ready before it began.
                if self.job.is_none() {
                    self.session.get_ready();
                }
                self.output.say(answer)
            }
            Signal::Stop => {
                self.job.iter().for_each(Job::stop);
                Ok(())
            }
            Signal::PonderHit => {
                self.job.iter().for_each(Job::ponder_hit);
                Ok(())
            }
            Signal::Wait => self.wait(),
            Signal::Show => self.reply(self.session.board()),
            Signal::Ask(question) => self.reply(self.session.tell(question)),
            Signal::Compiler => self.output.say(reply::compiler()),
            Signal::Help => self.output.say(reply::HELP),
        }
    }

    fn order(&mut self, order: Order<'_>) -> Result<(), Closed> {
        match order {
            Order::Set(Ok(setting)) => self.set(&setting),
            Order::Set(Err(error)) => self.output.complain(error),
            Order::NewGame => {
                self.session.clear();
                Ok(())
            }
            Order::Position(Ok(setup)) => {
                let set = self.session.set_position(&setup);
                self.report(set)
            }
            Order::Position(Err(error)) => {
                self.session.forget_position();
                self.output.complain(error)
            }
            Order::Go(Ok(go)) => self.go(&go),
            Order::Go(Err(error @ GoError::Perft(_))) => self.output.complain(error),
            Order::Go(Err(error)) => self.refuse_to_go(error),
            Order::Evaluate => self.reply(self.session.evaluation()),
            Order::Bench(words) => match Benchmark::read(&words, self.menu.variants) {
                Ok(bench) => {
                    self.job = Some(bench.start(&self.output));
                    Ok(())
                }
                Err(error) => self.output.complain(error),
            },
            Order::Flip => {
                let flipped = self.session.flip();
                self.report(flipped)
            }
        }
    }

    /// Puts a new value of an option into force.
    fn set(&mut self, setting: &Setting) -> Result<(), Closed> {
        match setting {
            Setting::Variant(name) => return self.change_variant(name),
            Setting::Hash(mebibytes) => {
                if let Err(error) = self.session.set_hash(*mebibytes) {
                    let kept = self.options.hash;
                    return self.output.complain(format_args!("Hash stays at {kept} MiB: {error}"));
                }
            }
            Setting::Threads(threads) => self.session.set_threads(*threads),
            Setting::ClearHash => self.session.clear(),
            Setting::LogFile(path) => {
                if let Err(error) = self.output.set_log(path.as_deref()) {
                    let path = path.as_deref().unwrap_or_default();
                    return self
                        .output
                        .complain(format_args!("{path:?} can't be opened for a log: {error}"));
                }
            }
            Setting::NoProgressPlies(plies) => self.session.set_no_progress_plies(*plies),
            Setting::EndgameStones(stones) => self.session.set_endgame(*stones),
            Setting::TablePath(path) => {
                if let Err(error) = self.set_tables(path.as_deref()) {
                    return self.output.complain(error);
                }
            }
            Setting::MultiPv(_)
            | Setting::Ponder(_)
            | Setting::MoveOverhead(_)
            | Setting::ShowWdl(_)
            | Setting::Seed(_) => (),
        }
        self.options.store(setting);
        Ok(())
    }

    /// Sets the start position of another variant. The same variant keeps what it has learned.
    fn change_variant(&mut self, name: &str) -> Result<(), Closed> {
        let variant = registry::find(self.menu.variants, name).expect("a setting names a variant");
        if variant.name == self.variant.name {
            let set = self.session.set_position(&Setup::start());
            return self.report(set);
        }
        self.open(variant)
    }

    /// Changes the dialect, and the variant if the dialect has no words for the present one.
    fn change_dialect(&mut self, dialect: Dialect) -> Result<(), Closed> {
        self.dialect = dialect;
        self.reader = dialect.reader(self.menu.variants);
        self.output.set_voice(dialect.voice());
        let Menu { variants, chosen } = self.menu;
        if let Some(chosen) = chosen.filter(|_| dialect.first(chosen, variants).is_none()) {
            self.output.complain(format_args!("{} is not played in this dialect", chosen.name))?;
        }
        let first = dialect.first(chosen, variants).or_else(|| dialect.first(None, variants));
        let Some(first) = first else { return Ok(()) };
        self.default = first;
        self.open(first)
    }

    /// Begins a session of `variant`.
    fn open(&mut self, variant: &'static Variant) -> Result<(), Closed> {
        self.variant = variant;
        // The tables of the last session are gone before the new ones are taken.
        self.session = self.dialect.open(variant);
        if let Err(error) = self.prepare() {
            let name = variant.name;
            self.output.complain(format_args!("{name} has small tables: {error}"))?;
        }
        match self.set_tables(self.options.table_path.clone().as_deref()) {
            Ok(()) => Ok(()),
            Err(error) => self.output.complain(error),
        }
    }

    /// Has the search look into the endgame tables of a file, or into its own ones.
    fn set_tables(&mut self, path: Option<&str>) -> Result<(), UnusableTables> {
        let unusable = |reason: String| {
            let path = path.unwrap_or_default().to_owned();
            UnusableTables { path, reason }
        };
        let read = |path| check_regular(path).and_then(|()| fs::read(path));
        let file = path.map(read).transpose();
        let file = file.map_err(|error| unusable(error.to_string()))?;
        let set = self.session.set_tables(file.as_deref());
        set.map_err(|error| unusable(error.to_string()))
    }

    /// Tells a new session what the options are.
    fn prepare(&mut self) -> Result<(), NoMemory> {
        self.session.set_threads(self.options.threads);
        self.session.set_no_progress_plies(self.options.no_progress_plies);
        self.session.set_endgame(self.options.endgame_stones);
        self.session.set_hash(self.options.hash)
    }

    fn go(&mut self, go: &Go<'_>) -> Result<(), Closed> {
        if let Some(unknown) = go.unknown() {
            self.output.complain(unknown)?;
        }
        let begun = match go.perft {
            Some(depth) => self.session.perft(depth, self.options.threads, &self.output),
            None => self.session.go(go, &self.options, &self.output),
        };
        match begun {
            Ok(job) => self.job = Some(job),
            Err(error) if go.perft.is_some() => return self.output.complain(error),
            Err(error) => return self.refuse_to_go(error),
        }
        Ok(())
    }

    /// Answers a `go` that leads to no search.
    fn refuse_to_go(&self, error: impl std::error::Error) -> Result<(), Closed> {
        self.output.complain(error)?;
        self.output.say(self.output.voice().choice(&NO_CHOICE))
    }

    /// Makes sure that no search runs. A search that was told to stop takes a moment only.
    fn rest(&mut self) -> Result<(), Untimely> {
        if self.job.as_ref().is_some_and(|job| !job.is_stopped()) {
            return Err(Untimely::Busy);
        }
        self.join();
        Ok(())
    }

    fn wait(&mut self) -> Result<(), Closed> {
        if self.job.as_ref().is_some_and(|job| !job.ends()) {
            return self.output.complain(Untimely::Endless);
        }
        self.join();
        Ok(())
    }

    fn join(&mut self) {
        if let Some(job) = self.job.take() {
            job.join();
        }
    }

    /// Prints what was asked for, or why there is none.
    fn reply(&self, answer: Result<impl Display, impl std::error::Error>) -> Result<(), Closed> {
        match answer {
            Ok(text) => self.output.say(text),
            Err(error) => self.output.complain(error),
        }
    }

    /// Prints why something was not done.
    fn report(&self, done: Result<(), impl std::error::Error>) -> Result<(), Closed> {
        match done {
            Ok(()) => Ok(()),
            Err(error) => self.output.complain(error),
        }
    }
}
