//! Building tables backwards from the ends of games (retrograde analysis, Ströhlein 1970).
//!
//! Captures and promotions lead into tables that are there already. All other moves can be taken
//! back, and lead from a material to the same with the other side to move, so that these two tables
//! are built together. A second pass then looks at all moves of all positions, forwards.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use super::super::board::Color;
use super::super::squares::{Direction, Squares};
use super::super::{Draughts, RuleSet};
use super::file::Packed;
use super::index::{Material, Pieces, Placements};
use super::pack;
use super::{Bitbase, DRAW, Plies, Step, Table, UNTOLD, Verdict, for_each_after, in_time};

/// Tables in the making, the smallest first.
#[derive(Debug)]
pub struct Build<R> {
    /// Whole tables, in which everything is told.
    bitbase: Bitbase<R>,
}

/// Two tables of the same pieces, which differ in who is to move, or one if that is all the same.
#[derive(Debug)]
pub struct Built {
    /// What is to be kept: the one that takes less room, packed.
    pub packed: Packed,
    /// What they tell.
    pub facts: Vec<Facts>,
}

/// What a table tells in all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Facts {
    /// The pieces.
    pub material: Material,
    /// The positions that the side to move wins, draws and loses.
    pub counts: [u64; 3],
    /// The plies of the longest win, and the first position with it; `None` if there is no win.
    pub longest: Option<(u16, String)>,
}

/// Something that a table tells is not what the moves say.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the table {material} is wrong: {position} ends in {told} plies, its moves say {found}")]
pub struct WrongTable {
    /// Of which pieces the table is.
    pub material: Material,
    /// The first wrong position.
    pub position: String,
    /// What the table tells.
    pub told: String,
    /// What follows from the tables after each move.
    pub found: String,
}

/// The positions that a thread looks at at a time.
const CHUNK: usize = 1 << 12;

impl<R: RuleSet> Default for Build<R> {
    fn default() -> Self {
        Self { bitbase: Bitbase::default() }
    }
}

impl<R: RuleSet> Build<R> {
    /// Builds the tables with the pieces of `material`. Those that its moves lead to must be there:
    /// the order of [`Material::all`] sees to it.
    ///
    /// # Errors
    /// [`WrongTable`] if the second pass finds something else than the first.
    pub fn add(&mut self, material: Material) -> Result<Built, WrongTable> {
        let mut halves = vec![Half::begin::<R>(material, &self.bitbase)];
        if material.swapped() != material {
            halves.push(Half::begin::<R>(material.swapped(), &self.bitbase));
        }
        for plies in 0..UNTOLD {
            for half in &halves {
                half.settle(plies);
            }
            for (at, half) in halves.iter().enumerate() {
                half.look_back(plies, &halves[(at + 1) % halves.len()]);
            }
            if !halves.iter().any(|half| half.goes_on(plies)) {
                break;
            }
        }
        let tables: Vec<Table> = halves.into_iter().map(Half::into_table).collect();
        let packed = tables.iter().map(pack::pack::<R>).min_by_key(Packed::len);
        let packed = packed.expect("there is a table");
        let materials: Vec<Material> = tables.iter().map(|table| table.material).collect();
        for table in tables {
            self.bitbase.insert(table);
        }
        materials.iter().try_for_each(|&material| self.verify(material))?;
        let unpacked = pack::unpack::<R>(&packed);
        let whole = self.bitbase.table(unpacked.material).expect("it has just been built");
        let same = |(&told, &plies): (&Plies, &Plies)| told == UNTOLD || told == plies;
        assert!(unpacked.plies.iter().zip(&whole.plies).all(same), "packing loses nothing");
        Ok(Built {
            packed,
            facts: materials.iter().map(|&material| self.facts(material)).collect(),
        })
    }

    /// Goes on from tables that were built before.
    pub fn resume(&mut self, packed: &Packed) {
        self.bitbase.insert(pack::unpack::<R>(packed));
        let material = packed.material();
        // Of both tables what is not told follows from the moves.
        let mut whole = vec![material, material.swapped()];
        whole.dedup();
        let tables: Vec<Table> =
            whole.into_iter().map(|material| self.completed(material)).collect();
        for table in tables {
            self.bitbase.insert(table);
        }
    }

    fn completed(&self, material: Material) -> Table {
        let mut plies = vec![DRAW; material.size()];
        for_each_placement(material, &mut plies, |plies, pieces| {
            *plies = self.bitbase.plies(pieces).expect("the tables before it are there");
        });
        Table { material, plies }
    }

    /// Whether the value of every position is what its moves say.
    fn verify(&self, material: Material) -> Result<(), WrongTable> {
        let table = self.bitbase.table(material).expect("it has been built");
        let wrong = table.plies.par_chunks(CHUNK).enumerate().find_map_first(|(chunk, plies)| {
            let mut placements = Placements::new(material);
            plies.iter().zip(chunk * CHUNK..).find_map(|(&told, index)| {
                let pieces = placements.at(index)?;
                let found = self.bitbase.plies_by_moves(&pieces);
                let found = found.expect("the tables before it are there");
                (told != found).then_some((pieces, told, found))
            })
        });
        let Some((pieces, told, found)) = wrong else { return Ok(()) };
        let [told, found] = [told, found].map(|plies| match plies {
            DRAW => "no".to_owned(),
            plies => plies.to_string(),
        });
        Err(WrongTable { material, position: text::<R>(&pieces), told, found })
    }

    fn facts(&self, material: Material) -> Facts {
        let table = self.bitbase.table(material).expect("it has been built");
        let mut placements = Placements::new(material);
        let (mut counts, mut longest) = ([0; 3], None);
        for (&plies, index) in table.plies.iter().zip(0..) {
            let Some(pieces) = placements.at(index) else { continue };
            let wins = plies % 2 == 1 && plies != DRAW;
            counts[if plies == DRAW {
                1
            } else if wins {
                0
            } else {
                2
            }] += 1;
            if wins && longest.is_none_or(|(most, _)| most < plies) {
                longest = Some((plies, pieces));
            }
        }
        let longest = longest.map(|(plies, pieces)| (plies.into(), text::<R>(&pieces)));
        Facts { material, counts, longest }
    }
}

fn text<R: RuleSet>(pieces: &Pieces) -> String {
    Draughts::<R>::new(pieces.board(), Color::White, 0, 1, R::Rules::default()).to_string()
}

/// Shows each placement to `visit` together with its cell, on all threads.
fn for_each_placement<T: Send>(
    material: Material,
    cells: &mut [T],
    visit: impl Fn(&mut T, &Pieces) + Sync,
) {
    cells.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, cells)| {
        let mut placements = Placements::new(material);
        for (cell, index) in cells.iter_mut().zip(chunk * CHUNK..) {
            if let Some(pieces) = placements.at(index) {
                visit(cell, &pieces);
            }
        }
    });
}

/// A table that is being built.
struct Half {
    material: Material,
    cells: Vec<Cell>,
}

/// What is known of a position.
struct Cell {
    plies: AtomicU8,
    /// As long as that is not settled: the plies of the shortest win by a promotion, or if there is
    /// none, of the longest loss; or [`DRAW`].
    outside: AtomicU8,
    /// The moves within the tables that are not known to lose, or [`SAFE`] or [`SETTLED`].
    unanswered: AtomicU8,
}

/// A promotion does not lose.
const SAFE: u8 = u8::MAX;
/// All was known from the start.
const SETTLED: u8 = SAFE - 1;

impl Cell {
    fn new(plies: Plies, outside: Plies, unanswered: u8) -> Self {
        let [plies, outside, unanswered] = [plies, outside, unanswered].map(AtomicU8::new);
        Self { plies, outside, unanswered }
    }

    fn first_look<R: RuleSet>(pieces: &Pieces, smaller: &Bitbase<R>) -> Self {
        let ending = R::ending(&pieces.board());
        let (mut verdict, mut inside, mut captures) = (Verdict::default(), 0, false);
        for_each_after::<R>(pieces, |after, step| {
            captures |= step == Step::Capture;
            if step == Step::Quiet {
                inside += 1;
            } else {
                let plies = smaller.plies(after).expect("smaller tables come first");
                verdict = verdict.with(in_time::<R>(plies, ending, after));
            }
        });
        let blocked = inside == 0 && verdict.win.is_none() && !verdict.draws && verdict.loss == 0;
        if captures || blocked {
            return Self::new(verdict.plies(), DRAW, SETTLED);
        }
        let safe = verdict.win.is_some() || verdict.draws;
        Self::new(DRAW, verdict.plies(), if safe { SAFE } else { inside })
    }

    /// The plies to the end by a promotion, if nothing better is possible any more.
    fn by_promotion(&self) -> Option<Plies> {
        let outside = self.outside.load(Relaxed);
        let holds = outside % 2 == 1 || self.unanswered.load(Relaxed) == 0;
        (outside != DRAW && holds && self.plies.load(Relaxed) == DRAW).then_some(outside)
    }

    /// A move leads to a position that ends in so many plies.
    fn found_after(&self, plies: Plies) {
        match self.unanswered.load(Relaxed) {
            SETTLED => (),
            _ if plies.is_multiple_of(2) => {
                // What is settled ends sooner, or as soon.
                let _ = self.plies.compare_exchange(DRAW, plies + 1, Relaxed, Relaxed);
            }
            SAFE => (),
            _ => {
                if self.unanswered.fetch_sub(1, Relaxed) == 1 {
                    self.outside.fetch_max(plies + 1, Relaxed);
                }
            }
        }
    }
}

impl Half {
    fn begin<R: RuleSet>(material: Material, smaller: &Bitbase<R>) -> Self {
        let mut cells = Vec::new();
        cells.resize_with(material.size(), || Cell::new(DRAW, DRAW, SETTLED));
        for_each_placement(material, &mut cells, |cell, pieces| {
            *cell = Cell::first_look(pieces, smaller);
        });
        Self { material, cells }
    }

    fn into_table(self) -> Table {
        let plies = self.cells.into_iter().map(|cell| cell.plies.into_inner()).collect();
        Table { material: self.material, plies }
    }

    /// Settles what ends in so many plies by a promotion, or by the last answer to be found.
    fn settle(&self, plies: Plies) {
        let due = |cell: &&Cell| cell.by_promotion() == Some(plies);
        self.cells.par_iter().filter(due).for_each(|cell| cell.plies.store(plies, Relaxed));
    }

    /// Whether anything ends in more plies.
    fn goes_on(&self, plies: Plies) -> bool {
        self.cells.par_iter().any(|cell| {
            let found = cell.plies.load(Relaxed);
            found != DRAW && found > plies || cell.by_promotion().is_some_and(|due| due > plies)
        })
    }

    /// From the positions that end in so many plies, finds those before them.
    fn look_back(&self, plies: Plies, before: &Self) {
        self.cells.par_chunks(CHUNK).enumerate().for_each(|(chunk, cells)| {
            let mut placements = Placements::new(self.material);
            for (cell, index) in cells.iter().zip(chunk * CHUNK..) {
                if cell.plies.load(Relaxed) == plies {
                    let pieces = placements.at(index).expect("only positions end");
                    for_each_before(&pieces, |pieces| {
                        before.cells[pieces.index()].found_after(plies);
                    });
                }
            }
        });
    }
}

/// The positions from which the other side may have come by a move that neither captures nor
/// promotes. In some of them it has to capture.
fn for_each_before(pieces: &Pieces, mut visit: impl FnMut(&Pieces)) {
    let empty = pieces.empty();
    for from in pieces.enemy_men {
        let back = Direction::UpLeft.next(from) | Direction::UpRight.next(from);
        for to in back & empty {
            let enemy_men = pieces.enemy_men ^ from.into() ^ to.into();
            visit(&Pieces { enemy_men, ..*pieces }.swapped());
        }
    }
    let occupied = Squares::ALL - empty;
    for from in pieces.enemy_kings {
        for direction in Direction::ALL {
            for to in direction.way(from, occupied) & empty {
                let enemy_kings = pieces.enemy_kings ^ from.into() ^ to.into();
                visit(&Pieces { enemy_kings, ..*pieces }.swapped());
            }
        }
    }
}
