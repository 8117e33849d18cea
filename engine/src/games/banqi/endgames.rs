//! Endgame tables: how positions with few pieces, all of them face up, end with perfect play.
//!
//! A table holds all positions with certain pieces, and for each the plies to its end, found
//! backwards from the ends (retrograde analysis, Ströhlein 1970). Steps can be taken back, so that
//! the predecessors of a position are its neighbors; captures lead into smaller tables. Positions
//! are the same when they are reflected at a middle line of the board: the first piece stands in
//! one quarter of it. The colors can be swapped as well, so that two sets of pieces share a table.
//!
//! The tables know nothing of the draw by quiet plies. What is a draw without it is one with it; a
//! win that takes no longer than the plies left is one too; of other positions they say nothing.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use ahash::AHasher;

use super::board::{Board, FILES, SQUARES, Square, Squares};
use super::moves;
use super::pool::{Census, Color, Kind, Piece};
use super::{Banqi, QUIET_PLIES_TO_DRAW};
use crate::position::{End, Patience};
use crate::score::Ply;

/// The most pieces of a table: one with four takes half a MiB and some 30 ms to build, one with
/// five would take 32 times as much. All that five pieces may come to take 120 to 210 ms.
const PIECES_AT_MOST: u32 = 4;
/// The most pieces of a position from which a search looks into tables: all that it may come to are
/// built by then.
const PIECES_AT_ROOT: u32 = 5;

type ByPieces<T> = HashMap<Census, T, BuildHasherDefault<AHasher>>;

/// The tables that a search may meet, by their pieces.
#[derive(Debug, Default)]
pub(super) struct Endgames {
    tables: ByPieces<Table>,
}

impl Endgames {
    /// Builds the tables that a game may come to from `position` on, the smallest first, as far as
    /// `patience` goes. The others are forgotten: what a search finds does not depend on earlier ones.
    pub(super) fn prepare(&mut self, position: &Banqi, patience: &mut Patience<'_>) {
        let living = position.board.living();
        if living.total() > PIECES_AT_ROOT {
            self.tables.clear();
            return;
        }
        let wanted: Vec<Census> =
            parts(living).into_iter().map(|part| with_colors_in_order(part).0).collect();
        self.tables.retain(|pieces, _| wanted.contains(pieces));
        for pieces in wanted {
            if self.tables.contains_key(&pieces) {
                continue;
            }
            let Some(table) = Table::build(pieces, &self.tables, patience) else { return };
            self.tables.insert(pieces, table);
        }
    }

    /// How `position` ends, if a table in use says so.
    pub(super) fn end(&self, position: &Banqi) -> Option<End> {
        let end = self.end_given_time(position)?;
        let plies = match end {
            End::Draw => 0,
            End::Win(Ply(plies)) | End::Loss(Ply(plies)) => plies,
        };
        (position.quiet_plies + plies <= QUIET_PLIES_TO_DRAW).then_some(end)
    }

    /// How `position` would end without a draw by quiet plies.
    fn end_given_time(&self, position: &Banqi) -> Option<End> {
        let board = &position.board;
        if self.tables.is_empty() || !board.hidden().is_empty() {
            return None;
        }
        let (pieces, swapped) = with_colors_in_order(board.living());
        Some(self.tables.get(&pieces)?.end(board, position.to_move?, swapped))
    }
}

/// The sets of pieces that may be left of `living` with pieces of both colors, and few enough for a
/// table, the smallest first.
fn parts(living: Census) -> Vec<Census> {
    let mut parts = vec![Census::EMPTY];
    for (piece, count) in living.iter() {
        for at in 0..parts.len() {
            for count in 1..=count {
                let mut part = parts[at];
                part.add(piece, count);
                parts.push(part);
            }
        }
    }
    let has_both = |part: &Census| Color::ALL.into_iter().all(|color| part.has(color));
    parts.retain(|part| has_both(part) && part.total() <= PIECES_AT_MOST);
    parts.sort_by_key(|part| part.total());
    parts
}

/// The one of the two sets that differ in their colors only, which has a table; and whether it is
/// the other one.
fn with_colors_in_order(pieces: Census) -> (Census, bool) {
    let swapped = pieces.mirrored();
    if swapped < pieces { (swapped, true) } else { (pieces, false) }
}

/// The squares of the pieces of a table, five bits each, the first piece in the lowest ones.
#[derive(Clone, Copy)]
struct Placement(u32);

impl Placement {
    const BITS: usize = SQUARES.ilog2() as usize;
    /// The lowest bit of every square.
    const UNITS: u32 = 0b00001_00001_00001_00001;
    /// The bits of a square that tell the right half of the board, and the upper half.
    const RIGHT: u32 = FILES as u32 / 2;
    const UPPER: u32 = SQUARES as u32 / 2;

    /// How many there are for so many pieces, with the first one in the lower left quarter.
    fn count(pieces: usize) -> usize {
        SQUARES.pow(pieces as u32) / 4
    }

    fn of(squares: impl Iterator<Item = Square>) -> Self {
        let placed =
            squares.enumerate().map(|(at, square)| (square.index() << (Self::BITS * at)) as u32);
        Self(placed.sum())
    }

    /// The place, in a table of so many pieces, of the reflection that has the first piece in the
    /// lower left quarter.
    fn index(self, pieces: usize) -> usize {
        let Self(mut squares) = self;
        let units = Self::UNITS & ((1 << (Self::BITS * pieces)) - 1);
        if squares & Self::RIGHT != 0 {
            squares ^= units * (u32::from(FILES) - 1);
        }
        if squares & Self::UPPER != 0 {
            squares ^= units * (SQUARES as u32 - u32::from(FILES));
        }
        // The first square has three bits left: two for the file, one for the rank.
        (squares >> 2 & !7 | squares >> 1 & 4 | squares & 3) as usize
    }

    fn at(index: usize) -> Self {
        let index = index as u32;
        Self((index & !7) << 2 | (index & 4) << 1 | index & 3)
    }

    fn square(self, at: usize) -> Square {
        let index = self.0 as usize >> (Self::BITS * at) & (SQUARES - 1);
        Square::from_index(index)
    }

    fn moved(self, at: usize, to: Square) -> Self {
        let change = self.square(at).index() ^ to.index();
        Self(self.0 ^ (change << (Self::BITS * at)) as u32)
    }
}

/// The plies to the end with perfect play: odd where the side to move wins, even where it loses.
type Plies = u8;
/// Neither side wins.
const DRAW: Plies = Plies::MAX;

/// All positions with certain pieces.
#[derive(Debug)]
struct Table {
    /// In the order of [`Piece::all`].
    pieces: Vec<Piece>,
    /// By the color to move and the placement.
    plies: [Vec<Plies>; 2],
}

impl Table {
    fn end(&self, board: &Board, to_move: Color, swapped: bool) -> End {
        let swap = |piece: Piece| if swapped { piece.mirrored() } else { piece };
        let mut left = board.occupied();
        let squares = self.pieces.iter().map(|&piece| {
            let Piece { color, kind } = swap(piece);
            let square = (board.shown_of(color, kind) & left).squares().next();
            let square = square.expect("the pieces of the table are on the board");
            left = left & !square.only();
            square
        });
        let placement = Placement::of(squares);
        let color = if swapped { to_move.other() } else { to_move };
        match self.plies[color as usize][placement.index(self.pieces.len())] {
            DRAW => End::Draw,
            plies if plies % 2 == 1 => End::Win(Ply(plies.into())),
            plies => End::Loss(Ply(plies.into())),
        }
    }

    /// The table of `pieces`, whose captures lead into the tables `smaller`; `None` if `patience`
    /// ends before it is built.
    fn build(
        pieces: Census,
        smaller: &ByPieces<Self>,
        patience: &mut Patience<'_>,
    ) -> Option<Self> {
        let list = |(piece, count)| std::iter::repeat_n(piece, usize::from(count));
        let pieces: Vec<Piece> = pieces.iter().flat_map(list).collect();
        let captures =
            (0..pieces.len()).map(|taken| Captures::of(&pieces, taken, smaller)).collect();
        let size = Placement::count(pieces.len());
        let mut builder = Builder {
            captures,
            table: Self { pieces, plies: [(); 2].map(|()| vec![DRAW; size]) },
            unanswered: [(); 2].map(|()| vec![0; size]),
            longest: [(); 2].map(|()| vec![0; size]),
            found: vec![Vec::new(); usize::from(DRAW)],
        };
        for index in 0..size {
            if index % Builder::POSITIONS_A_CHECK == 0 && patience(0).is_break() {
                return None;
            }
            builder.look_ahead(index);
        }
        for plies in 0..DRAW {
            if patience(0).is_break() {
                return None;
            }
            builder.look_back(plies);
        }
        Some(builder.table)
    }
}

/// Where the captures of one piece lead.
struct Captures<'a> {
    /// `None` if it was the last one of its color.
    table: Option<&'a Table>,
    swapped: bool,
    /// Which of the pieces before the capture are those of the table.
    order: Vec<usize>,
}

impl<'a> Captures<'a> {
    fn of(pieces: &[Piece], taken: usize, tables: &'a ByPieces<Table>) -> Self {
        let mut left = Census::EMPTY;
        let mut others: Vec<usize> = (0..pieces.len()).filter(|&at| at != taken).collect();
        for &at in &others {
            left.add(pieces[at], 1);
        }
        if !left.has(pieces[taken].color) {
            return Self { table: None, swapped: false, order: Vec::new() };
        }
        let (left, swapped) = with_colors_in_order(left);
        let table = &tables[&left];
        let swap = |piece: Piece| if swapped { piece.mirrored() } else { piece };
        let order = table.pieces.iter().map(|&piece| {
            let at = others.iter().position(|&at| swap(pieces[at]) == piece);
            others.remove(at.expect("the table has the pieces that are left"))
        });
        let order = order.collect();
        Self { table: Some(table), swapped, order }
    }

    /// The plies to the end after the capture, with `to_move` to move.
    fn plies(&self, placement: Placement, to_move: Color) -> Plies {
        let Some(table) = self.table else { return 0 };
        let color = if self.swapped { to_move.other() } else { to_move };
        let squares = self.order.iter().map(|&at| placement.square(at));
        table.plies[color as usize][Placement::of(squares).index(self.order.len())]
    }
}

/// A table that is being built.
struct Builder<'a> {
    captures: Vec<Captures<'a>>,
    table: Table,
    /// By color to move and placement: the steps that are not known to lose, or [`Self::SAFE`].
    unanswered: [Vec<u8>; 2],
    /// The plies to the end after the capture that loses last.
    longest: [Vec<Plies>; 2],
    /// The positions that are known to end in so many plies at most.
    found: Vec<Vec<(Color, u32)>>,
}

impl Builder<'_> {
    /// There is a capture that does not lose.
    const SAFE: u8 = u8::MAX;
    /// Some milliseconds pass between two checks of patience.
    const POSITIONS_A_CHECK: usize = 1 << 14;

    /// Finds out what captures lead to, and counts the steps.
    fn look_ahead(&mut self, index: usize) {
        let placement = Placement::at(index);
        let pieces = &self.table.pieces;
        let occupied = squares(pieces, placement, |_| true);
        if (occupied.count() as usize) < pieces.len() {
            return;
        }
        for color in Color::ALL {
            let enemies = squares(pieces, placement, |piece| piece.color != color);
            let (mut steps, mut wins, mut safe, mut longest) = (0, None, false, 0);
            for (at, piece) in pieces.iter().enumerate().filter(|(_, piece)| piece.color == color) {
                let from = placement.square(at);
                let near = from.only().neighbors();
                steps += (near & !occupied).count() as u8;
                let is_cannon = piece.kind == Kind::Cannon;
                let reach = if is_cannon { moves::jumps(occupied, from) } else { near };
                for to in (reach & enemies).squares() {
                    let is_there = |&prey: &usize| placement.square(prey) == to;
                    let prey = (0..pieces.len()).find(is_there).expect("an enemy is there");
                    if !is_cannon && !piece.kind.takes(pieces[prey].kind) {
                        continue;
                    }
                    let after = placement.moved(at, to);
                    match self.captures[prey].plies(after, color.other()) {
                        DRAW => safe = true,
                        plies if plies % 2 == 0 => {
                            wins = Some(wins.map_or(plies + 1, |best: u8| best.min(plies + 1)));
                        }
                        plies => longest = longest.max(plies + 1),
                    }
                }
            }
            self.longest[color as usize][index] = longest;
            self.unanswered[color as usize][index] =
                if safe || wins.is_some() { Self::SAFE } else { steps };
            let lost = (steps == 0 && !safe).then_some(longest);
            if let Some(plies) = wins.or(lost) {
                self.found[usize::from(plies)].push((color, index as u32));
            }
        }
    }

    /// Settles the positions that end in so many plies, and finds those before them.
    fn look_back(&mut self, plies: Plies) {
        for (color, index) in std::mem::take(&mut self.found[usize::from(plies)]) {
            let index = index as usize;
            if self.table.plies[color as usize][index] != DRAW {
                continue;
            }
            self.table.plies[color as usize][index] = plies;
            let placement = Placement::at(index);
            let occupied = squares(&self.table.pieces, placement, |_| true);
            let pieces = self.table.pieces.len();
            for at in 0..pieces {
                if self.table.pieces[at].color == color {
                    continue;
                }
                let came_from = placement.square(at).only().neighbors() & !occupied;
                for from in came_from.squares() {
                    let before = placement.moved(at, from).index(pieces);
                    self.found_before(plies, color.other(), before);
                }
            }
        }
    }

    /// A step of `color` leads to a position that ends in so many plies.
    fn found_before(&mut self, plies: Plies, color: Color, index: usize) {
        let unanswered = &mut self.unanswered[color as usize][index];
        let known = match plies % 2 {
            // It wins.
            0 => plies + 1,
            _ if *unanswered == Self::SAFE => return,
            _ => {
                *unanswered -= 1;
                if *unanswered > 0 {
                    return;
                }
                self.longest[color as usize][index].max(plies + 1)
            }
        };
        self.found[usize::from(known)].push((color, index as u32));
    }
}

/// The squares of the pieces that are like `wanted`.
fn squares(pieces: &[Piece], placement: Placement, wanted: impl Fn(Piece) -> bool) -> Squares {
    let squares = pieces.iter().enumerate().filter(|&(_, &piece)| wanted(piece));
    squares.fold(Squares::NONE, |set, (at, _)| set | placement.square(at).only())
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::position::{Outcome, Position};

    fn prepared(text: &str) -> Endgames {
        let mut endgames = Endgames::default();
        let position = Banqi::read(text, ()).unwrap();
        endgames.prepare(&position, &mut |_| ControlFlow::Continue(()));
        endgames
    }

    /// What the moves of the game make of the ends of the positions after them.
    fn end_by_moves(endgames: &Endgames, position: &Banqi) -> End {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        match position.outcome(&moves) {
            Some(Outcome { winner: None, .. }) => return End::Draw,
            Some(Outcome { winner: Some(winner), .. }) => {
                assert_ne!(winner, position.side_to_move(), "nobody wins before his move");
                return End::Loss(Ply(0));
            }
            None => (),
        }
        let ends = moves.into_iter().map(|mv| {
            let after = position.after(position.sole_event(mv).unwrap());
            let decided = !after.board.living().has(after.to_move.unwrap());
            let end =
                if decided { Some(End::Loss(Ply(0))) } else { endgames.end_given_time(&after) };
            match end.expect("it is in a table") {
                End::Draw => End::Draw,
                End::Win(ply) => End::Loss(ply.next()),
                End::Loss(ply) => End::Win(ply.next()),
            }
        });
        ends.max_by_key(|end| end.score(Ply::ROOT)).unwrap()
    }

    /// Every `stride`th position with the pieces of `text` has the end that its moves lead to; the
    /// numbers of wins, draws and losses.
    fn check_all(text: &str, stride: usize) -> [u32; 3] {
        let endgames = prepared(text);
        let start = Banqi::read(text, ()).unwrap();
        let (pieces, _) = with_colors_in_order(start.board.living());
        let pieces = &endgames.tables[&pieces].pieces;
        let mut ends = [0; 3];
        for index in (0..Placement::count(pieces.len())).step_by(stride) {
            let placement = Placement::at(index);
            let mut cells = [super::super::board::Cell::Empty; SQUARES];
            for (at, &piece) in pieces.iter().enumerate() {
                cells[placement.square(at).index()] = super::super::board::Cell::Shown(piece);
            }
            let board = Board::set_up(&cells, Census::EMPTY);
            if board.living().total() < pieces.len() as u32 {
                continue;
            }
            for color in Color::ALL {
                let position = Banqi { board, to_move: Some(color), quiet_plies: 0, ply_number: 1 };
                let end = endgames.end_given_time(&position).expect("it is in a table");
                assert_eq!(end, end_by_moves(&endgames, &position), "{position}");
                ends[match end {
                    End::Win(_) => 0,
                    End::Draw => 1,
                    End::Loss(_) => 2,
                }] += 1;
            }
        }
        ends
    }

    #[test]
    fn every_position_ends_as_its_moves_say() {
        let [wins, draws, losses] = check_all("7A/8/P7/k7 r - 0 1", 1);
        assert!(wins > 0 && draws > 0 && losses > 0, "{wins} {draws} {losses}");
        check_all("7K/8/8/p7 r - 0 1", 1);
        check_all("7C/8/H7/r7 b - 0 1", 1);
        check_all("7C/8/P7/p1c5 b - 0 1", 7);
        check_all("7K/8/H7/k1p5 b - 0 1", 7);
        check_all("7A/8/A7/k1c5 b - 0 1", 7);
    }

    /// A reference position with the expected result of each move for its mover.
    #[derive(serde::Deserialize)]
    struct Reference {
        fen: String,
        kind: String,
        actions: std::collections::HashMap<String, String>,
    }

    #[test]
    fn reference_positions_end_as_they_should() {
        let mut endgames = Endgames::default();
        let mut seen = 0;
        for line in include_str!("../../../tests/golden/banqi-values.jsonl").lines() {
            let reference: Reference = serde_json::from_str(line).unwrap();
            if reference.kind != "revealed" {
                continue;
            }
            seen += 1;
            let position = Banqi::read(&reference.fen, ()).unwrap();
            endgames.prepare(&position, &mut |_| ControlFlow::Continue(()));
            let values = reference.actions.values().map(|value| value.parse::<i32>().unwrap());
            let best = values.max().unwrap();
            let value = match endgames.end_given_time(&position).expect("it is in a table") {
                End::Draw => 0,
                End::Win(_) => 1,
                End::Loss(_) => -1,
            };
            assert_eq!(value, best, "{position}");
        }
        assert_eq!(seen, 83);
    }

    #[test]
    fn one_piece_against_one_is_often_decided_by_who_moves() {
        let endgames = prepared("7K/8/8/a7 r - 0 1");
        let end = |text: &str| endgames.end(&Banqi::read(text, ()).unwrap());
        assert_eq!(end("8/8/8/Ka6 r - 0 1"), Some(End::Win(Ply(1))));
        // The other color's general hunts as well.
        assert_eq!(end("8/8/8/kA6 b - 0 1"), Some(End::Win(Ply(1))));
        assert_eq!(end("8/8/1K6/a7 b - 118 1"), Some(End::Loss(Ply(2))));
        assert_eq!(end("8/8/1K6/a7 b - 119 1"), None, "the draw may come first");
        assert_eq!(end("8/8/8/Kc6 r - 0 1"), None, "no search has asked for this one");
    }

    #[test]
    fn a_search_from_many_pieces_uses_no_table() {
        let mut endgames = prepared("7K/8/8/a7 r - 0 1");
        let many = Banqi::read("KAE5/8/8/aek5 r - 0 1", ()).unwrap();
        endgames.prepare(&many, &mut |_| ControlFlow::Continue(()));
        assert_eq!(endgames.end(&Banqi::read("8/8/8/Ka6 r - 0 1", ()).unwrap()), None);
    }

    #[test]
    fn a_build_that_is_broken_off_leaves_the_smaller_tables() {
        let mut endgames = Endgames::default();
        let position = Banqi::read("7K/8/1A6/a1r5 r - 0 1", ()).unwrap();
        let mut checks = 0;
        endgames.prepare(&position, &mut |_| {
            checks += 1;
            if checks > 600 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(!endgames.tables.is_empty());
        assert!(!endgames.tables.contains_key(&with_colors_in_order(position.board.living()).0));
    }
}
