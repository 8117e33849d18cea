//! Files with checksums. As they are, they are refused or hold just what was written; with the
//! checksums that they should have, whatever the bytes are, nothing worse than a refusal comes of it.

use std::io::Cursor;
use std::iter::repeat;
use std::path::Path;

use crate::arena::fuzz as arena;
use crate::files::{checksum, sealed};
use crate::games::Variant;
use crate::games::draughts::bitbase::{Bitbase, Packed};
use crate::games::draughts::{Draughts, Fmjd, Site, SiteRules};
use crate::games::kalah::solver::book::Book;
use crate::games::kalah::solver::checkpoint::{read_progress, word_sum};
use crate::games::kalah::{Kalah, Solver};
use crate::position::Position;
use crate::training;
use crate::training::games::Replay;
use crate::weights;

/// Tables with more pieces take too long to unpack. Those with three are unpacked once in a while.
const PIECES: u32 = 2;

/// The smallest table of the solver.
const MEBIBYTES: usize = 4;

/// The length in bytes of the first line of tables and weights.
const HEADER: usize = 80;

/// The bytes as they are, and with a first line that says `what` and the checksum of the others.
fn with_header(what: &str, bytes: &[u8]) -> [Vec<u8>; 2] {
    let body = bytes.get(HEADER..).unwrap_or_default();
    let header = format!("{what}{:016x}", checksum(body));
    let mut file = format!("{header:<width$}\n", width = HEADER - 1).into_bytes();
    file.extend(body);
    [bytes.to_vec(), file]
}

/// The first lines may differ in what stands behind the checksum: it is not looked at.
fn same_body(a: &[u8], b: &[u8]) -> bool {
    a.get(HEADER..) == b.get(HEADER..)
}

/// One input of many, for what takes long.
fn is_rare(bytes: &[u8]) -> bool {
    checksum(bytes).is_multiple_of(256)
}

/// A file of endgame tables.
pub(super) fn bitbase(bytes: &[u8]) {
    for file in with_header("yardmaster bitbase 1: draughts, ", bytes) {
        let Ok(tables) = Packed::read_all("draughts", &file) else { continue };
        assert!(same_body(&Packed::write_all("draughts", &tables), &file));
        let pieces = PIECES + u32::from(is_rare(bytes));
        let small = |table: &&Packed| table.material().pieces() <= pieces;
        let small: Vec<Packed> = tables.iter().filter(small).take(2).cloned().collect();
        let bitbase = Bitbase::<Site>::unpack(&small);
        for text in ["W:WK1:BK50", "B:W7,K20:BK50", "W:WK1,K2:BK40", "B:W31,32:B20", "W:W50:BK1,2"]
        {
            let position = Draughts::read(text, SiteRules::default()).expect("a position");
            let _ = bitbase.end(&position);
        }
    }
}

/// A file of weights. The same weights may be compressed in many ways.
pub(super) fn weights(bytes: &[u8]) {
    const COUNT: usize = 8;
    for file in with_header("yardmaster weights 3: draughts, 8 pairs, ", bytes) {
        let Ok(weights) = weights::read("draughts", COUNT, &file) else { continue };
        assert_eq!(weights.len(), COUNT);
        let written = weights::write("draughts", &weights);
        assert_eq!(weights::read("draughts", COUNT, &written), Ok(weights));
    }
}

/// A kalah book.
pub(super) fn book(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let lines = text.split_once('\n').map_or("", |(_, lines)| lines);
    let signed = format!("checksum {:016x}\n{lines}", checksum(lines.as_bytes()));
    for text in [text.as_ref(), &signed] {
        let Ok(book) = text.parse::<Book>() else { continue };
        assert_eq!(book.to_string().parse().as_ref(), Ok(&book), "{text:?}");
        let solver = Solver::with_endgame(1, 0).expect("a MiB").with_book(book);
        let position = Kalah::read("1,0,1,0,0,1,9/0,1,0,2,0,0,9 s", ()).expect("a position");
        let _ = solver.known(&position);
    }
}

/// A checkpoint of the kalah solver. The words of its table are those of the input, and then zeros; one
/// table of many is read, since that takes long.
pub(super) fn checkpoint(bytes: &[u8]) {
    let load = |file: &[u8]| Solver::load(&mut Cursor::new(file), 0);
    let _ = read_progress(&mut Cursor::new(bytes));
    let text = String::from_utf8_lossy(bytes);
    let Some((head, rest)) = text.split_once("\nmebibytes ") else { return };
    let head = format!("{head}\nmebibytes {MEBIBYTES}\n");
    let mut file = format!("{head}checksum {:016x}\n", checksum(head.as_bytes())).into_bytes();
    let words = rest.split_once('\n').map_or("", |(_, words)| words);
    let Ok(read) = read_progress(&mut Cursor::new(&file)) else { return };
    if !is_rare(bytes) {
        return;
    }
    file.extend(words.bytes().chain(repeat(0)).take(MEBIBYTES << 20));
    let sum = word_sum(&file[file.len() - (MEBIBYTES << 20)..]);
    file.extend(sum.to_le_bytes());
    let (solver, progress) = load(&file).expect("the sums are right");
    assert_eq!(progress, read);
    let mut written = Vec::new();
    solver.save(&progress, &mut written).expect("memory takes it");
    let (_, again) = load(&written).expect("what was written is read");
    assert_eq!(again, progress);
}

/// Games to learn from.
pub(super) fn games(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let sealed: String = text.lines().map(|line| sealed(line) + "\n").collect();
    for text in [text.as_ref(), &sealed] {
        let read = training::games::read(Path::new("games"), text, Variant::DraughtsFmjd, None);
        let Ok(games) = read else { continue };
        for game in games.map_while(Result::ok) {
            let mut replay = Replay::<Draughts<Fmjd>>::default();
            for step in game.steps() {
                if replay.step(&step).is_err() {
                    break;
                }
            }
        }
    }
}

/// The record of a match.
pub(super) fn record(bytes: &[u8]) {
    let path = Path::new("record");
    arena::record(path, bytes);
    arena::record(path, &arena::seal_record(bytes));
}
