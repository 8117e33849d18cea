//! The annotation of one game: every position is searched once, and what was played is compared with
//! what was found.

use std::fmt::{self, Write};

use indicatif::ProgressBar;

use super::Effort;
use crate::game::Game;
use crate::games::draughts::{Draughts, Evaluation, Learned, Move, pdn};
use crate::pdn::{FEN, Item, PdnGame};
use crate::position::{Position, Side};
use crate::score::{Ply, Score, Turn};
use crate::search::{Clock, Limits, NoMemory, Report, Search, Selectivity, Task, TimeControl};
use crate::search::{TreeSearch, alpha_beta};

/// The tag for who annotated a game.
const ANNOTATOR: &str = "Annotator";

/// What a game is not annotated any further for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Mistake {
    /// It is another game.
    GameType(String),
    /// A position in it is none.
    Position(String),
    /// A move in it can't be played.
    Move { number: usize, side: &'static str, error: String },
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::GameType(text) => {
                write!(
                    f,
                    "{text:?} is not draughts on 10x10, expected a GameType that begins with 20"
                )
            }
            Self::Position(error) => f.write_str(error),
            Self::Move { number, side, error } => write!(f, "move {number} of {side}: {error}"),
        }
    }
}

/// What was found out about a position.
#[derive(Clone, Copy)]
struct Verdict {
    /// From the side to move.
    score: Score,
    depth: u32,
    /// `None` when the game is over.
    best: Option<Move>,
}

/// An engine that looks at games.
pub(super) struct Annotator<R: Learned> {
    search: TreeSearch<Draughts<R>, Evaluation<R>>,
    effort: Effort,
}

impl<R: Learned> Annotator<R> {
    pub(super) fn new(effort: Effort) -> Result<Self, NoMemory> {
        let mut search = alpha_beta(Evaluation::<R>::default(), Selectivity::Selective);
        search.set_threads(effort.threads);
        search.set_hash(effort.mebibytes)?;
        Ok(Self { search, effort })
    }

    /// Adds a comment to every move, and writes the moves as the standard wants them. At a mistake it
    /// ends; what follows is kept in a comment. Tells whether the second player makes the first move.
    pub(super) fn annotate(
        &mut self,
        game: &mut PdnGame,
        bar: &ProgressBar,
    ) -> (Option<Mistake>, bool) {
        let rules = <Draughts<R> as Position>::Rules::default();
        let start = match game.tag(FEN) {
            None => Ok(Draughts::<R>::start(rules)),
            Some(fen) => Draughts::<R>::read(fen, rules),
        };
        let start = match start {
            Ok(start) => start,
            Err(error) => return (Some(Mistake::Position(error.to_string())), false),
        };
        self.search.clear();
        sign(game);
        let mut pen = Pen { line: Game::new(start), known: None, items: Vec::new(), plies: 0 };
        let mut first = start.side_to_move();
        pen.plies = usize::from(first == Side::Second);
        let mut items = std::mem::take(&mut game.items).into_iter();
        let mut mistake = None;
        for item in items.by_ref() {
            let added = match &item {
                Item::Move { text, strength } => self.add_move(&mut pen, text, strength),
                Item::Setup(fen) => pen.set_up(fen, rules),
                other => {
                    pen.items.push(other.clone());
                    Ok(())
                }
            };
            if pen.has_no_move() {
                first = pen.line.position().side_to_move();
                pen.plies = usize::from(first == Side::Second);
            }
            bar.inc(1);
            if let Err(error) = added {
                pen.give_up(&error, &item, items.by_ref());
                mistake = Some(error);
                break;
            }
        }
        game.items = pen.items;
        (mistake, first == Side::Second)
    }

    /// Plays a move and says what to think of it.
    fn add_move(&mut self, pen: &mut Pen<R>, text: &str, strength: &str) -> Result<(), Mistake> {
        let position = *pen.line.position();
        let mv = position.read_move(text).map_err(|error| Mistake::Move {
            number: pen.plies / 2 + 1,
            side: position.side_name(position.side_to_move()),
            error: error.to_string(),
        })?;
        let before = pen.known.take().unwrap_or_else(|| self.judge(&pen.line));
        pen.line.play(mv);
        pen.plies += 1;
        let after = self.judge(&pen.line);
        pen.known = Some(after);
        let text = pdn::move_text(&position, mv);
        pen.items.push(Item::Move { text, strength: strength.to_owned() });
        // A forced end is a ply further away from where the move was made.
        let score = Turn::Passes.score(after.score).from_table(Ply::ROOT.next());
        let mut comment = told(score, after.depth);
        // A look from one ply further on may like the move better than what was found before.
        if let Some(best) = before.best.filter(|&best| best != mv && before.score > score) {
            let best = pdn::move_text(&position, best);
            let _ = write!(comment, "; best {best} {}", told(before.score, before.depth));
        }
        pen.items.push(Item::Comment(comment));
        Ok(())
    }

    /// What a position is worth. A draw that nobody claimed is none.
    fn judge(&mut self, line: &Game<Draughts<R>>) -> Verdict {
        let position = line.position();
        let mut moves = Vec::new();
        position.moves(&mut moves);
        if moves.is_empty() {
            return Verdict { score: Score::loss_in(Ply::ROOT), depth: 0, best: None };
        }
        let Effort { nodes, depth, time, .. } = self.effort;
        let limits = Limits { depth, nodes, ..Limits::default() };
        let control = TimeControl { move_time: time, ..TimeControl::default() };
        let clock = Clock::start(&control, position.plies_left(), false);
        let mut verdict = Verdict { score: Score::DRAW, depth: 0, best: Some(moves[0]) };
        let task = Task { game: line, moves, lines: 1, limits };
        self.search.think(&task, &clock, &mut |report| {
            if let Report::Line(line) = report {
                verdict = Verdict {
                    score: line.score,
                    depth: line.depth,
                    best: line.pv.first().copied(),
                };
            }
        });
        verdict
    }
}

/// What is written of a game so far.
struct Pen<R: Learned> {
    line: Game<Draughts<R>>,
    /// What was found out about the position that is reached.
    known: Option<Verdict>,
    items: Vec<Item>,
    /// Plies so far, counted from the first player's first move.
    plies: usize,
}

impl<R: Learned> Pen<R> {
    /// Whether nothing was played yet.
    fn has_no_move(&self) -> bool {
        !self.items.iter().any(|item| matches!(item, Item::Move { .. }))
    }

    /// Goes on from another position.
    fn set_up(
        &mut self,
        fen: &str,
        rules: <Draughts<R> as Position>::Rules,
    ) -> Result<(), Mistake> {
        let position = Draughts::<R>::read(fen, rules)
            .map_err(|error| Mistake::Position(error.to_string()))?;
        self.line = Game::new(position);
        self.known = None;
        let second = usize::from(position.side_to_move() == Side::Second);
        // The number of the move goes on; a side may have been left out.
        self.plies += self.plies.abs_diff(second) % 2;
        self.items.push(Item::Setup(fen.to_owned()));
        Ok(())
    }

    /// Keeps what can't be followed any more as a comment.
    fn give_up(&mut self, mistake: &Mistake, item: &Item, rest: impl Iterator<Item = Item>) {
        let mut text = format!("{mistake}; what follows:");
        for item in std::iter::once(item.clone()).chain(rest) {
            let _ = match item {
                Item::Move { text: mv, strength } => write!(text, " {mv}{strength}"),
                Item::Comment(inner) | Item::Variation(inner) => write!(text, " ({inner})"),
                Item::Glyph(number) => write!(text, " ${number}"),
                Item::Setup(fen) => write!(text, " /FEN {fen}/"),
            };
        }
        self.items.push(Item::Comment(text.replace(['{', '}'], "|")));
    }
}

/// Adds the engine to those who annotated a game.
fn sign(game: &mut PdnGame) {
    let engine = concat!("Yardmaster ", env!("CARGO_PKG_VERSION"));
    let annotators = match game.tag(ANNOTATOR).filter(|name| !name.is_empty() && *name != "?") {
        Some(others) if others.contains(engine) => others.to_owned(),
        Some(others) => format!("{others}, {engine}"),
        None => engine.to_owned(),
    };
    game.set_tag(ANNOTATOR, annotators);
}

/// A score in men, or `M` and the moves to a win, and the depth.
fn told(score: Score, depth: u32) -> String {
    match score.forced_in() {
        Some(plies) => {
            let sign = if score.0 < 0 { '-' } else { '+' };
            format!("{sign}M{}/{depth}", (plies.abs() + 1) / 2)
        }
        None => format!("{score}/{depth}"),
    }
}
