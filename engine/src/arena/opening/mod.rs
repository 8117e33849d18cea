//! Where games begin: the start position, a list from a file or by rule, or random plies; each game
//! of a pair begins alike.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::chance::{Purpose, Seed, Stream};
use super::contest::Contest;
use super::deal::Deal;
use super::record::OpeningRecord;
use crate::game::Game;
use crate::games::Variant;
use crate::position::{MoveError, Position};
use crate::search::{Clock, Limits, Report, Search, Task};

mod source;

pub(super) use source::{OpeningSettings, Order, Source};

/// Positions that the search visits to judge whether an opening is balanced.
const JUDGED_NODES: u64 = 20_000;

/// So many random openings are tried until one goes on and is balanced.
const TRIES: usize = 10_000;

/// A list of openings by rule has no more than this.
const LIST_MAX: usize = 1_000_000;

/// The plies of draughts that a two-move ballot is drawn for: one of each side.
const BALLOT_PLIES: u32 = 2;

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub(super) enum OpeningError {
    /// The file can't be read.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    /// A line of the file is no opening.
    #[error("{}, line {line}: {reason}", path.display())]
    Line { path: PathBuf, line: usize, reason: String },
    /// There is nothing to choose from.
    #[error("no opening of {0} goes on and is balanced")]
    None(Source),
    /// There is too much to choose from.
    #[error("{0} are more than {LIST_MAX} openings, expected fewer plies")]
    TooMany(Source),
    /// The source is of another game.
    #[error("{openings} are openings of {of}, not of {variant}")]
    OtherGame { openings: Source, of: &'static str, variant: Variant },
}

/// Where a game begins.
pub(super) struct Opening<P: Contest> {
    /// Its number in the order of use, from 1.
    number: u64,
    start: Start<P>,
    /// What lies face down.
    pub(super) deal: P::Deal,
}

/// The first part of an opening: what both players know of it.
#[derive(Clone, Debug)]
pub(super) struct Start<P: Position> {
    /// Where it starts, `None` for the start position.
    root: Option<P>,
    /// What has happened since.
    events: Vec<P::Event>,
}

impl<P: Position> Start<P> {
    const NOTHING: Self = Self { root: None, events: Vec::new() };

    fn root(&self) -> P {
        self.root.unwrap_or_else(|| P::start(P::Rules::default()))
    }

    fn game(&self) -> Game<P> {
        let mut game = Game::new(self.root());
        for &event in &self.events {
            game.play(event);
        }
        game
    }
}

impl<P: Contest> Opening<P> {
    /// The position where it starts, and what has happened since.
    pub(super) fn line(&self) -> (P, &[P::Event]) {
        (self.start.root(), &self.start.events)
    }

    /// Whether it starts elsewhere than the game does.
    pub(super) fn is_set_up(&self) -> bool {
        self.start.root.is_some()
    }

    /// Its record.
    pub(super) fn record(&self) -> OpeningRecord {
        let mut position = self.start.root();
        let mut moves = Vec::new();
        for &event in &self.start.events {
            moves.push(position.event_text(event));
            position = position.after(event);
        }
        let start = self.start.root.map(|root| root.to_string());
        OpeningRecord { number: self.number, start, moves, deal: self.deal.text() }
    }
}

/// The openings of a match.
pub(super) struct Book<P: Contest> {
    settings: OpeningSettings,
    seed: Seed,
    /// All of them, in the order of use; empty where each is drawn anew.
    list: Vec<Start<P>>,
}

impl<P: Contest> Book<P> {
    /// Reads or lists the openings.
    pub(super) fn open(
        settings: &OpeningSettings,
        variant: Variant,
        seed: Seed,
    ) -> Result<Self, OpeningError> {
        let source = &settings.source;
        let other_game =
            |of| Err(OpeningError::OtherGame { openings: source.clone(), of, variant });
        let is_draughts = matches!(variant, Variant::Draughts | Variant::DraughtsFmjd);
        let mut list = match source {
            Source::Random(_) => Vec::new(),
            Source::Flips(_) if variant == Variant::Banqi => Vec::new(),
            Source::Flips(_) => return other_game("banqi"),
            Source::Start => vec![Start::NOTHING],
            Source::Ballots if is_draughts => all(BALLOT_PLIES, source)?,
            Source::Ballots => return other_game("draughts"),
            Source::All(_) if variant == Variant::Banqi => {
                return other_game("games without chance");
            }
            Source::All(plies) => all(*plies, source)?,
            Source::File(path) => read_file(path)?,
        };
        let is_list = !matches!(source, Source::Random(_) | Source::Flips(_));
        if is_list {
            let mut judge = Judge::new(settings.balance);
            list.retain(|start| judge.accepts(&start.game()));
            if list.is_empty() {
                return Err(OpeningError::None(source.clone()));
            }
            if settings.order == Order::Random {
                seed.child(Purpose::Order, 0).stream().shuffle(&mut list);
            }
        }
        Ok(Self { settings: settings.clone(), seed, list })
    }

    /// How many different openings there are; `None` if they are drawn.
    pub(super) fn len(&self) -> Option<usize> {
        (!self.list.is_empty()).then_some(self.list.len())
    }

    /// The opening of a round, rounds being counted from 0. A list that is used up begins anew.
    pub(super) fn opening(&self, round: u64) -> Result<Opening<P>, OpeningError> {
        let number = self.settings.first + round;
        let mut stream = self.seed.child(Purpose::Opening, number).stream();
        if self.list.is_empty() {
            let (start, deal) = self.draw(&mut stream)?;
            return Ok(Opening { number, start, deal });
        }
        let index = (number - 1) % self.list.len() as u64;
        let start = self.list[index as usize].clone();
        let deal = P::Deal::shuffled(start.game().position(), &mut stream);
        Ok(Opening { number, start, deal })
    }

    /// Random plies from the start position.
    fn draw(&self, stream: &mut Stream) -> Result<(Start<P>, P::Deal), OpeningError> {
        let (plies, kind) = match self.settings.source {
            Source::Flips(plies) => (plies, Kind::Flips),
            Source::Random(plies) => (plies, Kind::Any),
            _ => unreachable!("the other sources are lists"),
        };
        let mut judge = Judge::new(self.settings.balance);
        for _ in 0..TRIES {
            let start = P::start(P::Rules::default());
            let deal = P::Deal::shuffled(&start, stream);
            let found = walk(start, plies, kind, &deal, stream);
            if let Some((game, events)) = found
                && judge.accepts(&game)
            {
                return Ok((Start { root: None, events }, deal));
            }
        }
        Err(OpeningError::None(self.settings.source.clone()))
    }
}

/// Which moves are played in random plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// All.
    Any,
    /// Those that turn up what is face down.
    Flips,
}

/// Random plies; `None` if they come to an end of the game.
fn walk<P: Contest>(
    start: P,
    plies: u32,
    kind: Kind,
    deal: &P::Deal,
    stream: &mut Stream,
) -> Option<(Game<P>, Vec<P::Event>)> {
    let mut game = Game::new(start);
    let (mut events, mut moves) = (Vec::new(), Vec::new());
    for _ in 0..plies {
        moves.clear();
        game.position().moves(&mut moves);
        if game.outcome(&moves).is_some() {
            return None;
        }
        if kind == Kind::Flips {
            moves.retain(|&mv| game.position().sole_event(mv).is_none());
        }
        if moves.is_empty() {
            return None;
        }
        let event = deal.event(game.position(), stream.pick(&moves));
        game.play(event);
        events.push(event);
    }
    Some((game, events))
}

/// All different positions after so many plies, in the order of the move lists.
fn all<P: Position>(plies: u32, source: &Source) -> Result<Vec<Start<P>>, OpeningError> {
    let root = P::start(P::Rules::default());
    let mut lines = vec![(root, Vec::new())];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for (position, events) in lines {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            for event in moves.into_iter().filter_map(|mv| position.sole_event(mv)) {
                let after: P = position.after(event);
                if seen.insert(after.to_string()) {
                    let mut events: Vec<P::Event> = events.clone();
                    events.push(event);
                    next.push((after, events));
                }
            }
            if next.len() > LIST_MAX {
                return Err(OpeningError::TooMany(source.clone()));
            }
        }
        lines = next;
    }
    Ok(lines.into_iter().map(|(_, events)| Start { root: None, events }).collect())
}

/// The openings of a file. Empty lines and those that begin with `#` are skipped.
fn read_file<P: Position>(path: &Path) -> Result<Vec<Start<P>>, OpeningError> {
    let text = fs::read_to_string(path)
        .map_err(|error| OpeningError::File { path: path.to_owned(), error })?;
    read_list(path, &text)
}

/// The openings in the text of the file at `path`.
pub(super) fn read_list<P: Position>(
    path: &Path,
    text: &str,
) -> Result<Vec<Start<P>>, OpeningError> {
    let mut list = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            list.push(read_opening(line).map_err(|reason| OpeningError::Line {
                path: path.to_owned(),
                line: number,
                reason,
            })?);
        }
    }
    Ok(list)
}

/// `POSITION [moves M…]`, `startpos [moves M…]` or `M…`; in the first form `fen` may stand in front.
fn read_opening<P: Position>(line: &str) -> Result<Start<P>, String> {
    let (root, moves) = match line.split_once(" moves ") {
        Some((root, moves)) => (root.trim(), moves),
        None => (line.strip_suffix(" moves").unwrap_or(line), ""),
    };
    let text = root.strip_prefix("fen ").unwrap_or(root);
    if root == "startpos" {
        return read_events(None, moves);
    }
    match P::read(text, P::Rules::default()) {
        Ok(position) => read_events(Some(position), moves),
        // A line without a position is a list of moves.
        Err(error) if moves.is_empty() => read_events(None, line)
            .map_err(|reason| format!("neither a position ({error}) nor moves ({reason})")),
        Err(error) => Err(error.to_string()),
    }
}

fn read_events<P: Position>(root: Option<P>, moves: &str) -> Result<Start<P>, String> {
    let mut start = Start { root, events: Vec::new() };
    let mut position = start.root();
    for text in moves.split_whitespace() {
        let event = position.read_event(text).map_err(|error: MoveError| error.to_string())?;
        position = position.after(event);
        start.events.push(event);
    }
    Ok(start)
}

/// Tells whether a game can begin somewhere.
struct Judge<P: Position> {
    balance: Option<u32>,
    search: Option<Box<dyn Search<P>>>,
}

impl<P: Contest> Judge<P> {
    fn new(balance: Option<u32>) -> Self {
        Self { balance, search: balance.map(|_| P::judge()) }
    }

    /// Whether the game goes on, and neither side is too far ahead.
    fn accepts(&mut self, game: &Game<P>) -> bool {
        let mut moves = Vec::new();
        game.position().moves(&mut moves);
        if game.outcome(&moves).is_some() {
            return false;
        }
        let (Some(balance), Some(search)) = (self.balance, &mut self.search) else { return true };
        search.clear();
        let limits = Limits { nodes: Some(JUDGED_NODES), ..Limits::default() };
        let task = Task { game, moves, lines: 1, limits };
        let mut score = None;
        search.think(&task, &Clock::unlimited(), &mut |report| {
            if let Report::Line(line) = report {
                score = Some(line.score);
            }
        });
        score.is_some_and(|score| score.0.unsigned_abs() <= balance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::banqi::Banqi;
    use crate::games::draughts::{Draughts, Fmjd, Site};
    use crate::games::kalah::Kalah;

    fn settings(source: Source) -> OpeningSettings {
        OpeningSettings { source, order: Order::Sequential, first: 1, balance: None }
    }

    fn book<P: Contest>(source: Source, variant: Variant) -> Book<P> {
        Book::open(&settings(source), variant, Seed(1)).unwrap()
    }

    #[test]
    fn ballots_are_the_81_first_moves_of_both_sides() {
        let book = book::<Draughts<Fmjd>>(Source::Ballots, Variant::DraughtsFmjd);
        assert_eq!(book.len(), Some(81));
        assert_eq!(book.opening(0).unwrap().record().moves.len(), 2);
        assert_eq!(
            book.opening(81).unwrap().record().moves,
            book.opening(0).unwrap().record().moves
        );
    }

    #[test]
    fn unbalanced_openings_are_left_out() {
        let mut settings = settings(Source::Ballots);
        settings.balance = Some(0);
        let none = Book::<Draughts<Site>>::open(&settings, Variant::Draughts, Seed(1));
        let count = none.map_or(0, |book| book.len().unwrap());
        settings.balance = Some(300);
        let many = Book::<Draughts<Site>>::open(&settings, Variant::Draughts, Seed(1)).unwrap();
        assert!(count < many.len().unwrap(), "{count} of {:?}", many.len());
    }

    #[test]
    fn transpositions_are_one_opening() {
        // Kalah has 6, 35 and 185 lines of one to three plies; some come to the same position.
        assert_eq!(book::<Kalah>(Source::All(1), Variant::Kalah).len(), Some(6));
        let all = book::<Kalah>(Source::All(3), Variant::Kalah).len().unwrap();
        assert!(all > 100 && all <= 185, "{all}");
    }

    #[test]
    fn a_seed_fixes_random_openings_and_deals() {
        let record = |seed, source, round| {
            let book = Book::<Banqi>::open(&settings(source), Variant::Banqi, Seed(seed)).unwrap();
            serde_json::to_string(&book.opening(round).unwrap().record()).unwrap()
        };
        for source in [Source::Flips(8), Source::Random(8), Source::Start] {
            assert_eq!(record(5, source.clone(), 3), record(5, source.clone(), 3));
            assert_ne!(record(5, source.clone(), 3), record(5, source.clone(), 4));
            assert_ne!(record(5, source.clone(), 3), record(6, source.clone(), 3));
        }
    }

    #[test]
    fn a_banqi_opening_of_flips_shows_what_was_dealt() {
        let opening = book::<Banqi>(Source::Flips(14), Variant::Banqi).opening(0).unwrap();
        let record = opening.record();
        let deal: Vec<char> = record.deal.unwrap().chars().collect();
        assert_eq!(record.moves.len(), 14);
        for flip in record.moves {
            let (square, piece) = flip.split_once('=').expect("every ply is a flip");
            let bytes = square.as_bytes();
            let index = usize::from(bytes[1] - b'1') * 8 + usize::from(bytes[0] - b'a');
            assert_eq!(piece, deal[index].to_string());
        }
    }

    #[test]
    fn a_line_of_a_file_is_a_position_or_moves_or_both() {
        let check = |line: &str, root: Option<&str>, moves: usize| {
            let start = read_opening::<Kalah>(line).unwrap_or_else(|e| panic!("{line}: {e}"));
            assert_eq!(start.root.map(|root| root.to_string()).as_deref(), root, "{line}");
            assert_eq!(start.events.len(), moves, "{line}");
        };
        let position = "4,4,0,5,5,5,1/4,4,4,4,4,4,0 s";
        check("c a", None, 2);
        check("startpos", None, 0);
        check("startpos moves c a", None, 2);
        check(position, Some(position), 0);
        check(&format!("{position} moves a"), Some(position), 1);
        check(&format!("fen {position} moves a"), Some(position), 1);
        assert!(read_opening::<Kalah>("c q").unwrap_err().contains("\"q\""));
        assert!(read_opening::<Kalah>("4,4 s moves a").is_err());
    }
}
