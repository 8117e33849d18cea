//! What the pieces can do: steps, captures, a cannon's jumps, flips.

use super::Move;
use super::board::{Board, FILES, RANKS, Square, Squares};
use super::pool::{Color, Kind};

/// Appends all moves of a color, kind by kind, and then the flips.
pub(super) fn list(board: &Board, color: Color, out: &mut Vec<Move>) {
    list_goes(board, color, out);
    list_flips(board.hidden(), out);
}

/// Appends the moves of the face-up pieces of a color, kind by kind.
pub(super) fn list_goes(board: &Board, color: Color, out: &mut Vec<Move>) {
    let empty = !board.occupied();
    for kind in Kind::ALL {
        let targets = empty | prey(board, color, kind);
        for from in board.shown_of(color, kind).squares() {
            let mut reach = from.only().neighbors() & targets;
            if kind == Kind::Cannon {
                reach |= jumps(board.occupied(), from) & board.shown(color.other());
            }
            out.extend(reach.squares().map(|to| Move::Go { from, to }));
        }
    }
}

/// Appends the flips of these face-down pieces, a1 to h1 first.
pub(super) fn list_flips(hidden: Squares, out: &mut Vec<Move>) {
    out.extend(hidden.squares().map(Move::Flip));
}

/// The face-down pieces whose flips matter at once: those next to a face-up piece, and those that a
/// face-up cannon aims at. The others are much alike, and one of them stands for all.
pub(super) fn likely_flips(board: &Board) -> Squares {
    let shown = board.shown(Color::Red) | board.shown(Color::Black);
    let cannons =
        Color::ALL.into_iter().flat_map(|color| board.shown_of(color, Kind::Cannon).squares());
    let aimed_at = cannons.fold(Squares::NONE, |set, cannon| set | jumps(board.occupied(), cannon));
    let in_touch = board.hidden() & (shown.neighbors() | aimed_at);
    let alone = board.hidden() & !in_touch;
    in_touch | alone.squares().next().map_or(Squares::NONE, Square::only)
}

/// How many moves of face-up pieces a color has: the length of [`list`] without its flips.
pub(super) fn count(board: &Board, color: Color) -> u32 {
    let empty = !board.occupied();
    // Different pieces moved in one direction never meet, so each direction gathers all kinds.
    let mut reached = [Squares::NONE; 4];
    for kind in Kind::ALL {
        let targets = empty | prey(board, color, kind);
        let shifted = board.shown_of(color, kind).shifted();
        for (reached, shifted) in reached.iter_mut().zip(shifted) {
            *reached |= shifted & targets;
        }
    }
    let [east, west, north, south] = reached.map(Squares::count);
    let enemies = board.shown(color.other());
    let jumps: u32 = board
        .shown_of(color, Kind::Cannon)
        .squares()
        .map(|cannon| (jumps(board.occupied(), cannon) & enemies).count())
        .sum();
    east + west + north + south + jumps
}

/// The face-up enemies that a piece of this color and kind captures from a neighboring square.
pub(super) fn prey(board: &Board, color: Color, kind: Kind) -> Squares {
    let enemy = color.other();
    let general = board.shown_of(enemy, Kind::General);
    let soldiers = board.shown_of(enemy, Kind::Soldier);
    match kind {
        Kind::Cannon => Squares::NONE,
        Kind::General => board.shown(enemy) & !soldiers,
        Kind::Soldier => general | soldiers,
        _ => {
            let outranking = Kind::ALL.into_iter().take_while(|&other| other < kind);
            let safe =
                outranking.fold(Squares::NONE, |set, kind| set | board.shown_of(enemy, kind));
            board.shown(enemy) & !safe
        }
    }
}

/// The face-up pieces of this color that capture a piece of kind `victim` from a neighboring square.
pub(super) fn hunters(board: &Board, color: Color, victim: Kind) -> Squares {
    Kind::ALL
        .into_iter()
        .filter(|hunter| hunter.takes(victim))
        .fold(Squares::NONE, |set, hunter| set | board.shown_of(color, hunter))
}

/// Where a cannon on `from` lands when it jumps exactly one piece of any kind: the second piece in
/// each direction. It may land there only if that is a face-up enemy.
pub(super) fn jumps(occupied: Squares, from: Square) -> Squares {
    let Squares(occupied) = occupied;
    let (file, rank) = (from.file(), from.rank());
    let along_rank = occupied >> (FILES * rank) & 0xFF;
    let on_rank = JUMPS_ALONG_RANK[usize::from(file)][along_rank as usize];
    // The four bits of the file are brought together.
    let along_file = (occupied >> file & 0x0101_0101).wrapping_mul(0x0102_0408) >> 24 & 0xF;
    let on_file = JUMPS_ALONG_FILE[usize::from(rank)][along_file as usize];
    Squares(u32::from(on_rank) << (FILES * rank) | on_file << file)
}

/// By the place on a line and what is occupied there: the second piece on either side, as a bit of a
/// rank.
static JUMPS_ALONG_RANK: [[u8; 256]; FILES as usize] = {
    let mut jumps = [[0; 256]; FILES as usize];
    let mut from = 0;
    while from < jumps.len() {
        let mut occupied = 0;
        while occupied < 256 {
            jumps[from][occupied] = seconds(from as u32, occupied as u32) as u8;
            occupied += 1;
        }
        from += 1;
    }
    jumps
};

/// The same along a file, as bits of the file `a`.
static JUMPS_ALONG_FILE: [[u32; 16]; RANKS as usize] = {
    let mut jumps = [[0; 16]; RANKS as usize];
    let mut from = 0;
    while from < jumps.len() {
        let mut occupied = 0;
        while occupied < 16 {
            let seconds = seconds(from as u32, occupied as u32);
            let mut rank = 0;
            while rank < RANKS {
                jumps[from][occupied] |= (seconds >> rank & 1) << (FILES * rank);
                rank += 1;
            }
            occupied += 1;
        }
        from += 1;
    }
    jumps
};

/// The second piece on either side of a place on a line.
const fn seconds(from: u32, occupied: u32) -> u32 {
    let mut landings = 0;
    let mut seen = 0;
    let mut at = from;
    while at > 0 {
        at -= 1;
        seen += occupied >> at & 1;
        if seen == 2 {
            landings |= 1 << at;
            break;
        }
    }
    seen = 0;
    at = from + 1;
    while at < 8 {
        seen += occupied >> at & 1;
        if seen == 2 {
            landings |= 1 << at;
            break;
        }
        at += 1;
    }
    landings
}

#[cfg(test)]
mod tests {
    use super::super::Banqi;
    use super::super::board::Square;
    use super::*;
    use crate::position::Position;

    fn moves(text: &str) -> String {
        let position = Banqi::read(text, ()).unwrap();
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let mut texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
        texts.sort();
        texts.join(" ")
    }

    fn check(text: &str, expected: &str) {
        assert_eq!(moves(text), expected, "moves of {text}");
    }

    #[test]
    fn a_general_steps_and_takes_all_but_soldiers() {
        check("8/3p4/2kKr3/3?4 r P 0 1", "d1 d2c2 d2e2");
    }

    #[test]
    fn a_soldier_takes_only_generals_and_soldiers() {
        check("8/3c4/2kPp3/3h4 r - 0 1", "d2c2 d2e2");
    }

    #[test]
    fn equal_ranks_take_each_other() {
        check("8/3h4/2aHr3/3H4 r - 0 1", "d1c1 d1e1 d2d3");
    }

    #[test]
    fn a_cannon_jumps_one_piece_of_either_color_or_face_down_at_any_distance() {
        check("8/8/8/C1A3p1 r - 0 1", "a1a2 a1b1 a1g1 c1b1 c1c2 c1d1");
        check("p7/8/?7/C7 r k 0 1", "a1a4 a1b1 a2");
        check("8/8/8/p1?4C r k 0 1", "c1 h1a1 h1g1 h1h2");
        check("7C/7p/7p/8 r - 0 1", "h4g4 h4h2");
    }

    #[test]
    fn a_cannon_takes_nothing_adjacent_nothing_face_down_and_nothing_over_two() {
        check("8/8/p7/Cp6 r - 0 1", "");
        check("8/8/8/C1A2?2 r k 0 1", "a1a2 a1b1 c1b1 c1c2 c1d1 f1");
        check("8/8/8/Ch?p4 r k 0 1", "a1a2 c1");
    }

    #[test]
    fn face_down_pieces_block_every_step() {
        check("8/3?4/2?K?3/3?4 r ahp2 0 1", "c2 d1 d3 e2");
    }

    #[test]
    fn before_the_first_flip_all_squares_may_be_flipped() {
        let all: Vec<String> = Square::all().map(|square| square.to_string()).collect();
        let mut sorted = all.clone();
        sorted.sort();
        assert_eq!(moves(&Banqi::start(()).to_string()), sorted.join(" "));
    }

    #[test]
    fn what_a_kind_hunts_is_what_is_hunted_by_it() {
        let position = Banqi::read("KAERHCP1/8/8/kaerhcp1 r - 0 1", ()).unwrap();
        for hunter in Kind::ALL {
            for victim in Kind::ALL {
                let board = &position.board;
                let preys = prey(board, Color::Red, hunter) & board.shown_of(Color::Black, victim);
                let hunted =
                    hunters(board, Color::Red, victim) & board.shown_of(Color::Red, hunter);
                assert_eq!(preys.is_empty(), !hunter.takes(victim), "{hunter:?} x {victim:?}");
                assert_eq!(hunted.is_empty(), !hunter.takes(victim), "{hunter:?} x {victim:?}");
            }
        }
    }
}
