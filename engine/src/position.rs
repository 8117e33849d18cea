//! The contract of a game: what a rule book has to say for itself, so that every search, perft and
//! the protocol can work with it without knowing it.
//!
//! A *move* is what a player chooses; an *event* is what then happens. They are one type in games
//! of skill ([`Deterministic`]). In banqi the choice is "flip c4" and the event is "c4 is a red
//! soldier". Choices go out to the players, events come in as the record of the game.

use std::fmt::{Debug, Display};
use std::ops::ControlFlow;

use crate::score::{Ply, Score};

/// One of the two players, named after the turn order of the game's start position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Side {
    /// Who moves first in the start position.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// The opponent.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// 0 for the first player, 1 for the second: an index for tables with an entry a side.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A hash of what decides how a position may go on: the board and the side to move, and what is
/// face down; not the draw counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash, PartialOrd, Ord)]
pub struct Key(pub u64);

/// How often an event is among the equally likely ones: its probability is `weight / total`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weight(pub u32);

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// `None` is a draw.
    pub winner: Option<Side>,
    /// Why, in a few words of the rule book: `no legal move`, `all captured`, `repetition`.
    pub reason: &'static str,
}

/// Why a text is not the text of a move here.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// The text has not the form of a move of this game.
    #[error("{text:?} is not a move, expected {expected}")]
    Malformed {
        /// What was read.
        text: String,
        /// The form that was expected, with an example.
        expected: &'static str,
    },
    /// The text has the right form, but names no legal move.
    #[error("{text:?} is not legal here")]
    Illegal {
        /// What was read.
        text: String,
    },
    /// The text names more than one legal move.
    #[error("{text:?} is ambiguous, expected one of {candidates}")]
    Ambiguous {
        /// What was read.
        text: String,
        /// The full texts of the moves that fit, separated by spaces.
        candidates: String,
    },
    /// A flip is told without what it showed.
    #[error("{text:?} is a flip without its outcome, expected for example {text}=P")]
    OutcomeMissing {
        /// What was read.
        text: String,
    },
    /// A flip tells a piece that can't lie face down.
    #[error("{text:?} shows a piece that is not face down any more, the pool is {pool}")]
    NotInPool {
        /// What was read.
        text: String,
        /// The pool, in its text form.
        pool: String,
    },
}

/// A state of a game: a small value that is copied, never undone.
///
/// It holds the board, the side to move and the draw counters, but neither the game's history nor
/// anything that the players do not know. `Display` prints the position text, which
/// [`Position::read`] reads back.
pub trait Position: Copy + Eq + Debug + Display + Send + Sync + 'static {
    /// What a player chooses.
    type Move: Copy + Eq + Debug + Send + Sync + 'static;
    /// What then happens.
    type Event: Copy + Eq + Debug + Send + Sync + 'static;
    /// What may be set within the rules of the game.
    type Rules: Rules;
    /// Why a text is not a position: a variant a reason, each holding the offending text.
    type ReadError: std::error::Error + Send + Sync + 'static;

    /// The position recurring for this time is a draw; `None` where the game has no such rule.
    const REPETITION_DRAW: Option<usize> = None;

    /// The start position.
    fn start(rules: Self::Rules) -> Self;

    /// The position that `text` describes.
    ///
    /// # Errors
    /// In two stages: the text can't be drawn on a board, or what it draws is not a legal position.
    fn read(text: &str, rules: Self::Rules) -> Result<Self, Self::ReadError>;

    /// Who moves.
    fn side_to_move(&self) -> Side;

    /// What the game calls this side: `white`, `red`, `north`.
    fn side_name(&self, side: Side) -> &'static str;

    /// Appends every legal move to `out`, in a fixed order; nothing when the board has ended the
    /// game. A draw by a counter ends a game, too, but does not take its moves away.
    fn moves(&self, out: &mut Vec<Self::Move>);

    /// What may happen when `mv` is chosen, each event once, with its weight.
    fn events(&self, mv: Self::Move) -> impl Iterator<Item = (Self::Event, Weight)>;

    /// The event that follows for sure when `mv` is chosen; `None` where chance has a say.
    fn sole_event(&self, mv: Self::Move) -> Option<Self::Event>;

    /// The position after a legal event.
    #[must_use]
    fn after(&self, event: Self::Event) -> Self;

    /// Hands the position after each event to `visit`, in the order of the moves. A game with few
    /// moves makes no list of them for that.
    fn successors(&self, mut visit: impl FnMut(&Self)) {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        for mv in moves {
            self.events(mv).for_each(|(event, _)| visit(&self.after(event)));
        }
    }

    /// How many events the legal moves have together: perft to depth 1.
    fn count_events(&self) -> u64 {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        moves.into_iter().map(|mv| self.events(mv).count() as u64).sum()
    }

    /// How the game has ended here, repetition aside. `moves` is the list that
    /// [`Position::moves`] gives, so that nothing is generated twice.
    fn outcome(&self, moves: &[Self::Move]) -> Option<Outcome>;

    /// What `outcome` is worth to the side to move, `ply` plies from the root of a search.
    fn outcome_score(&self, outcome: Outcome, ply: Ply) -> Score {
        match outcome.winner {
            None => Score::DRAW,
            Some(winner) if winner == self.side_to_move() => Score::win_in(ply),
            Some(_) => Score::loss_in(ply),
        }
    }

    /// Kept incrementally, equal to the key of the position read anew from its text.
    fn key(&self) -> Key;

    /// How many plies back an equal position can lie: those since the last capture or the like.
    fn reversible_plies(&self) -> usize;

    /// An estimate of the plies to the end of the game, at least 1: what a clock has to last for.
    fn plies_left(&self) -> u32;

    /// The same position with the sides swapped.
    #[must_use]
    fn mirrored(&self) -> Self;

    /// The board as a picture of several lines, without the rest of the position text.
    fn picture(&self) -> String;

    /// The text of a legal move, as the engine answers it.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The text of an event that can happen here, as a game record holds it.
    fn event_text(&self, event: Self::Event) -> String;

    /// The legal move that `text` names, without regard to case where that is unambiguous.
    ///
    /// # Errors
    /// [`MoveError`] says why it names none.
    fn read_move(&self, text: &str) -> Result<Self::Move, MoveError>;

    /// The event that `text` names, without regard to case where that is unambiguous.
    ///
    /// # Errors
    /// [`MoveError`] says why it names none.
    fn read_event(&self, text: &str) -> Result<Self::Event, MoveError>;
}

/// A game without chance: a move is what happens.
pub trait Deterministic: Position<Event = <Self as Position>::Move> {}

impl<P> Deterministic for P where P: Position<Event = <P as Position>::Move> {}

/// What may be set within the rules of a game.
pub trait Rules: Copy + Eq + Debug + Default + Send + Sync + 'static {
    /// Sets the plies in a row without progress that draw the game, 0 for never. A game whose rule
    /// book fixes that number, or has none, stays as it is.
    #[must_use]
    fn with_no_progress_plies(self, plies: u16) -> Self;
}

/// A rule book that leaves nothing to set.
impl Rules for () {
    fn with_no_progress_plies(self, _plies: u16) -> Self {}
}

/// What a search needs to know in order to look at the right moves first and to stop at the right
/// positions.
pub trait Ordered: Position {
    /// One more than the largest [`Ordered::slot`].
    const SLOTS: usize;

    /// Whether [`Position::outcome`] and [`Ordered::is_quiet`] ask for the list of moves. Where they
    /// don't, none is made at the horizon of a search, and every position there is quiet.
    const JUDGED_BY_MOVES: bool = true;

    /// Whether a position has so many moves, most of them pointless, that a selective search looks
    /// at the likeliest only. Such a game is not [judged by its moves](Self::JUDGED_BY_MOVES).
    const IS_WIDE: bool = false;

    /// Whether a selective search believes a shallower one that finds a position far better than it
    /// need be.
    const PROBCUT: bool = false;

    /// Whether moves are ordered so well that a selective search looks at all but the first of them less
    /// deeply, where nothing but a bound is asked for.
    const TRUSTS_ORDER: bool = false;

    /// Whether a selective search takes a position that comes again for a draw, though no rule says so:
    /// in a game that ends in a draw without progress, who could do better has to leave the circle.
    const REPETITION_IS_VAIN: bool = false;

    /// Appends the legal moves that a selective search looks at below its root, in a fixed order: at
    /// least one while the game is not over. A game that has many pointless moves may leave them
    /// out.
    fn likely_moves(&self, out: &mut Vec<Self::Move>) {
        self.moves(out);
    }

    /// Puts at most `most` of the moves that promise more than `least` into `out`, which is empty: those
    /// that promise most, best first, each with about how much it raises the evaluation, in
    /// hundredths.
    fn promising_moves(&self, most: usize, least: i32, out: &mut Vec<(i32, Self::Move)>) {
        let mut moves = Vec::new();
        self.likely_moves(&mut moves);
        out.extend(moves.into_iter().map(|mv| (self.promise(mv), mv)));
        out.retain(|&(promise, _)| promise > least);
        out.sort_by_key(|&(promise, _)| std::cmp::Reverse(promise));
        out.truncate(most);
    }

    /// A small number for a move: the same for the same move in other positions. Different moves
    /// of one position may share a slot; it orders moves, it does not name them.
    fn slot(mv: Self::Move) -> u16;

    /// Whether the move changes more than a quiet one does (a capture, a promotion, an extra turn):
    /// such moves are never reduced and learn nothing from history.
    fn is_tactical(&self, mv: Self::Move) -> bool;

    /// Whether the side to move has to answer what was just done: near the root, a move that leads
    /// here is not reduced.
    fn must_react(&self) -> bool {
        false
    }

    /// A first guess at what the move gains, without making it: higher is looked at earlier.
    fn promise(&self, mv: Self::Move) -> i32;

    /// Whether a static evaluation can be trusted here, `moves` being the legal moves. Otherwise
    /// the search goes on below its horizon.
    fn is_quiet(&self, moves: &[Self::Move]) -> bool;

    /// What a selective search does with this position at its horizon or below it. What it may look at
    /// there is put into `out`, which is empty.
    fn horizon(&self, out: &mut Vec<Self::Move>) -> Horizon {
        if Self::JUDGED_BY_MOVES {
            self.likely_moves(out);
        }
        if self.outcome(out).is_some() || Self::JUDGED_BY_MOVES && !self.is_quiet(out) {
            return Horizon::Unsettled;
        }
        out.clear();
        Horizon::Settled
    }

    /// Appends moves that may do better than a settled position is judged, besides those that
    /// [`Ordered::horizon`] has listed. They are asked for only where that judgment is not enough. Fewer
    /// may be listed where choices were made beyond the horizon already.
    fn gains(&self, _is_beyond: bool, _out: &mut Vec<Self::Move>) {}

    /// The key for a transposition table: [`Position::key`], joined with a draw counter that is so
    /// near its limit that a search may meet it.
    fn table_key(&self) -> Key;
}

/// What becomes of a position at the horizon of a selective search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Horizon {
    /// The position is over, or is not judged as it stands: all moves that the search looks at are
    /// listed.
    Unsettled,
    /// It is not over, and is judged as it stands; moves are listed that may do better.
    Settled,
}

/// One named part of an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Term {
    /// What is judged: `material`, `mobility`.
    pub name: &'static str,
    /// Its part of the score, from the side to move.
    pub score: Score,
}

/// How a game ends with perfect play, seen from the side to move, and in how many plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Nobody wins.
    Draw,
    /// The side to move wins, and no sooner.
    Win(Ply),
    /// The side to move loses, and no later.
    Loss(Ply),
}

impl End {
    /// What it is worth `ply` plies from the root.
    pub fn score(self, Ply(ply): Ply) -> Score {
        match self {
            Self::Draw => Score::DRAW,
            Self::Win(Ply(plies)) => Score::win_in(Ply(ply + plies)),
            Self::Loss(Ply(plies)) => Score::loss_in(Ply(ply + plies)),
        }
    }
}

/// A static evaluation.
pub trait Evaluate<P: Position>: Send + Sync + 'static {
    /// How likely scores win.
    const WIN_MODEL: WinModel;

    /// The value of a position that is not over, from the side to move, within the heuristic range.
    fn evaluate(&self, position: &P) -> Score;

    /// Gets ready for a search from `position`, as far as `patience` goes: see [`Evaluate::end`].
    fn prepare(&mut self, _position: &P, _patience: &mut Patience<'_>) {}

    /// Looks into the endgame tables of `file` from now on, or into its own ones if that is `None`,
    /// in a game that has such tables.
    ///
    /// # Errors
    /// [`TablesError`] when the file can't be used; everything is then as it was.
    fn set_tables(&mut self, _file: Option<&[u8]>) -> Result<(), TablesError> {
        Ok(())
    }

    /// How the game ends from a position that is not over, where a table knows.
    fn end(&self, _position: &P) -> Option<End> {
        None
    }

    /// The parts of [`Evaluate::evaluate`], which is their sum.
    fn terms(&self, position: &P) -> Vec<Term>;
}

/// An evaluation that is a sum of weights, which can be learned from games.
///
/// Each weight has two parts, for the opening and for the end of a game; between them the phase tells
/// how much each counts.
pub trait Weighted<P: Position>: Evaluate<P> + Sized {
    /// How many weights there are.
    const WEIGHTS: usize;

    /// The weights from this one on are few and count in nearly every position.
    const DENSE: usize;

    /// The phase of the opening; that of the end is 0.
    const OPENING: i32;

    /// A score beyond this many hundredths of a unit is as good as won.
    const DECIDED: i32 = 1500;

    /// The evaluation with these weights, in sixteenths of a hundredth of the unit.
    fn weighing(weights: Vec<[i16; 2]>) -> Self;

    /// How far the game is from its end.
    fn phase(position: &P) -> i32;

    /// Names the weights that count for the side to move, and how often; those of the other side
    /// count negatively.
    fn features(position: &P, count: impl FnMut(usize, i32));
}

/// How likely a score wins: `1 / (1 + exp((threshold - score) / spread))`, in the score's unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinModel {
    /// The score that wins every second game.
    pub threshold: f64,
    /// The smaller, the steeper.
    pub spread: f64,
}

impl WinModel {
    /// Wins, draws and losses in a thousand games from a position with this score.
    pub fn permille(&self, score: Score) -> [u16; 3] {
        let rate = |score: f64| {
            (1000.0 / (1.0 + ((self.threshold - score) / self.spread).exp())).round() as u16
        };
        let (win, loss) = (rate(f64::from(score.0)), rate(-f64::from(score.0)));
        [win, 1000_u16.saturating_sub(win + loss), loss]
    }
}

/// Is told the positions visited since it was told last, and answers whether a solver goes on.
pub type Patience<'a> = dyn FnMut(u64) -> ControlFlow<()> + 'a;

/// The least and the most that the value of a position can be, as far as that is proven.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Proven {
    /// The value is this or more.
    pub least: Score,
    /// The value is this or less.
    pub most: Score,
}

impl Proven {
    /// The value, where nothing else is left.
    pub fn exact(self) -> Option<Score> {
        (self.least == self.most).then_some(self.least)
    }
}

/// Tells for sure what positions are worth, in a game that can be played out.
pub trait Solve<P: Position>: Send {
    /// The most positions that one thread looks at between two reports to its [`Patience`].
    const STRIDE: u64;

    /// What is known without a search.
    fn known(&self, position: &P) -> Proven;

    /// Goes one step on from what is proven of `position`; it stays as it is when `patience` ends
    /// before.
    fn narrow(&self, position: &P, proven: Proven, patience: &mut Patience<'_>) -> Proven;

    /// Best play from `position` to the end of the game, or as far as `patience` goes.
    fn best_line(&self, position: &P, patience: &mut Patience<'_>) -> Vec<P::Move>;

    /// How full its table is, in permille.
    fn hashfull(&self) -> u16;

    /// Takes `mebibytes` for what it finds out, losing what it has.
    ///
    /// # Errors
    /// [`NoMemory`] when that much can't be had; the solver is then as it was.
    fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory>;

    /// How many threads work on a step together.
    fn set_threads(&mut self, threads: usize);

    /// Has a table of all positions with up to `stones` stones from now on.
    fn set_endgame(&mut self, stones: u8);

    /// Waits until its tables are built.
    fn get_ready(&mut self);

    /// Forgets what it has found out.
    fn clear(&mut self);
}

/// Plans for one side alone, in a game where neither side can stop the other any more at some point.
pub trait Race<P: Position>: Send {
    /// Moves of the side to move in a row, whatever the other side does, that win with as few of them
    /// as are found before `patience` ends; `None` if there are none, or the sides still meet.
    fn way_home(&self, position: &P, patience: &mut Patience<'_>) -> Option<Vec<P::Move>>;
}

/// A file of endgame tables can't be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{reason}")]
pub struct TablesError {
    /// What is wrong with it.
    pub reason: String,
}

/// The size of a table can't be had.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{mebibytes} MiB can't be had")]
pub struct NoMemory {
    /// What was asked for.
    pub mebibytes: usize,
}
