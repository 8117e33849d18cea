//! How positions with few pieces end with perfect play, under either rule set.
//!
//! The tables hold, for every position with certain pieces, the plies to its end: computed backwards
//! by `build`, numbered by `index`, packed by `pack` into a file whose form [`file`] tells.
//! `yardmaster bitbase` makes that file; those of this version, for up to four pieces, are part of the
//! program. Of two tables that differ only in who is to move one is left out, and so are positions in
//! which the side to move can capture: what is not told follows from the moves.
//!
//! The draws by counters that a material brings with it under the rules of the FMJD (6.3, 6.4) are
//! taken into account where it arises: a win that takes longer is none. Plies that a counter has run
//! already are not known to the tables. What is a draw without them is one with them; a win that takes
//! no longer than the plies left is one too; of other positions they say nothing.

mod build;
mod endings;
mod file;
mod index;
mod pack;

use std::marker::PhantomData;

use super::board::{Board, Color};
use super::moves::{Move, Sink, View};
use super::{Change, Draughts, Ending, RuleSet};
use crate::position::End;
use crate::score::Ply;

pub use build::{Build, Built, Facts, WrongTable};
pub(super) use endings::Endings;
pub use file::{BitbaseError, Packed};
pub use index::{Material, PIECES_AT_MOST};

use index::Pieces;

/// The plies to the end with perfect play: odd where the side to move wins, even where it loses.
type Plies = u8;
/// Neither side wins.
const DRAW: Plies = Plies::MAX;
/// What follows from the moves.
const UNTOLD: Plies = DRAW - 1;

/// All positions with certain pieces.
#[derive(Debug)]
struct Table {
    material: Material,
    plies: Vec<Plies>,
}

/// Tables by their material. Where there is one, there are those that its moves lead to.
#[derive(Debug)]
pub struct Bitbase<R> {
    tables: Vec<Option<Table>>,
    /// The most pieces that a table has.
    pieces: u32,
    rules: PhantomData<R>,
}

impl<R: RuleSet> Default for Bitbase<R> {
    fn default() -> Self {
        let tables = (0..Material::CODES).map(|_| None).collect();
        Self { tables, pieces: 0, rules: PhantomData }
    }
}

impl<R: RuleSet> Bitbase<R> {
    /// How the game ends, if a table says so.
    pub fn end(&self, position: &Draughts<R>) -> Option<End> {
        if !position.board().occupied().has_at_most(self.pieces) {
            return None;
        }
        let plies = self.plies(&Pieces::of(position.board(), position.color_to_move()))?;
        if plies == DRAW {
            return Some(End::Draw);
        }
        let plies = u16::from(plies);
        let in_time = |clock: super::Clock| clock.plies + plies <= clock.limit;
        let ply = Ply(plies);
        let end = if plies % 2 == 1 { End::Win(ply) } else { End::Loss(ply) };
        R::clocks(position).into_iter().flatten().all(in_time).then_some(end)
    }

    /// The tables that were packed.
    pub fn unpack(packed: &[Packed]) -> Self {
        let mut bitbase = Self::default();
        for packed in packed {
            bitbase.insert(pack::unpack::<R>(packed));
        }
        bitbase
    }

    fn table(&self, material: Material) -> Option<&Table> {
        self.tables[material.code()].as_ref()
    }

    fn insert(&mut self, table: Table) {
        self.pieces = self.pieces.max(table.material.pieces());
        let code = table.material.code();
        self.tables[code] = Some(table);
    }

    /// The plies to the end from a position in which no counter runs yet.
    fn plies(&self, pieces: &Pieces) -> Option<Plies> {
        if (pieces.own_men | pieces.own_kings).is_empty() {
            return Some(0);
        }
        let material = pieces.material();
        let plies = match self.table(material) {
            Some(table) => table.plies[pieces.index()],
            // The other one of the two is there, or none.
            None => self.table(material.swapped()).map(|_| UNTOLD)?,
        };
        if plies == UNTOLD { self.plies_by_moves(pieces) } else { Some(plies) }
    }

    /// What the plies after each move make of the position.
    fn plies_by_moves(&self, pieces: &Pieces) -> Option<Plies> {
        let ending = R::ending(&pieces.board());
        let mut verdict = Some(Verdict::default());
        for_each_after::<R>(pieces, |after, _| {
            let plies = self.plies(after).map(|plies| in_time::<R>(plies, ending, after));
            verdict = verdict.zip(plies).map(|(verdict, plies)| verdict.with(plies));
        });
        verdict.map(Verdict::plies)
    }
}

/// The plies to the end of a position that came from one with the limited ending `before`, or none:
/// in another ending, which it begins, a win that takes too long is a draw.
#[inline]
fn in_time<R: RuleSet>(plies: Plies, before: Option<Ending>, after: &Pieces) -> Plies {
    let ending = R::ending(&after.board()).filter(|_| plies != DRAW);
    match ending {
        Some(begun) if ending != before && u16::from(plies) > begun.limit() => DRAW,
        _ => plies,
    }
}

/// What the moves of a position that were looked at make of it.
#[derive(Clone, Copy, Default)]
struct Verdict {
    /// The shortest win.
    win: Option<Plies>,
    /// Whether a move draws.
    draws: bool,
    /// The longest loss.
    loss: Plies,
}

impl Verdict {
    /// With one move more, after which there are so many plies to the end.
    fn with(self, plies: Plies) -> Self {
        match plies {
            DRAW => Self { draws: true, ..self },
            _ if plies.is_multiple_of(2) => {
                Self { win: Some(self.win.map_or(plies + 1, |win| win.min(plies + 1))), ..self }
            }
            _ => Self { loss: self.loss.max(plies + 1), ..self },
        }
    }

    /// When all moves have been looked at.
    fn plies(self) -> Plies {
        self.win.unwrap_or(if self.draws { DRAW } else { self.loss })
    }
}

/// What a move does to the pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// It leads to the same pieces with the other side to move.
    Quiet,
    Promotion,
    Capture,
}

/// Hands what follows each legal move to `visit`, seen by the other side.
fn for_each_after<R: RuleSet>(pieces: &Pieces, visit: impl FnMut(&Pieces, Step)) {
    let board = pieces.board();
    View::<R>::new(&board, Color::White).moves(&mut After { board, visit });
}

struct After<F> {
    board: Board,
    visit: F,
}

impl<F: FnMut(&Pieces, Step)> Sink for After<F> {
    fn take(&mut self, mv: Move) {
        let (board, change) = self.board.after(Color::White, mv);
        let step = match change {
            _ if mv.is_capture() => Step::Capture,
            Change::Promotion => Step::Promotion,
            Change::King | Change::Man => Step::Quiet,
        };
        (self.visit)(&Pieces::of(&board, Color::Black), step);
    }
}

#[cfg(test)]
mod tests;
