//! What moves promise before they are made: captures, escapes, and walks into danger.

use super::Move;
use super::board::{Board, Squares};
use super::moves;
use super::pool::{Color, Kind};

/// The rough values that moves are ordered by.
const ROUGH: [i32; Kind::ALL.len()] = [930, 900, 520, 300, 160, 600, 100];
/// What puts every capture before the quiet moves, unless it hangs a more valuable piece.
const CAPTURE: i32 = 500;
/// A flip next to a face-up piece changes more than one elsewhere.
const FLIP_IN_COMPANY: i32 = 20;
const FLIP_ALONE: i32 = -20;

/// What a move promises to gain: the piece that it captures, the danger that it escapes, less the
/// danger that it runs into.
pub(super) fn promise(board: &Board, mv: Move) -> i32 {
    let (from, to) = match mv {
        Move::Flip(square) => {
            let shown = board.shown(Color::Red) | board.shown(Color::Black);
            let alone = (square.only().neighbors() & shown).is_empty();
            return if alone { FLIP_ALONE } else { FLIP_IN_COMPANY };
        }
        Move::Go { from, to } => (from, to),
    };
    let Some(piece) = board.piece(from) else { return 0 };
    let gain = board.piece(to).map_or(0, |victim| CAPTURE + ROUGH[victim.kind as usize]);
    let dangers = moves::hunters(board, piece.color.other(), piece.kind) & !to.only();
    let risk = |near: Squares| {
        if (near.neighbors() & dangers).is_empty() { 0 } else { ROUGH[piece.kind as usize] }
    };
    gain + risk(from.only()) - risk(to.only())
}

/// The kinds of what is taken, the dearest first.
const BY_WORTH: [Kind; Kind::ALL.len()] = [
    Kind::General,
    Kind::Advisor,
    Kind::Cannon,
    Kind::Elephant,
    Kind::Chariot,
    Kind::Horse,
    Kind::Soldier,
];

/// Appends the captures of a color that seem to gain, the dearest victims first and of their takers the
/// cheapest: the victim is worth no less than its taker, or no enemy takes back by a step.
pub(super) fn list_gains(board: &Board, color: Color, out: &mut Vec<Move>) {
    let enemies = board.shown(color.other());
    let cannons = board.shown_of(color, Kind::Cannon);
    let aimed = cannons
        .squares()
        .fold(Squares::NONE, |set, cannon| set | moves::jumps(board.occupied(), cannon));
    let targets = enemies & (board.shown(color).neighbors() | aimed);
    if targets.is_empty() {
        return;
    }
    for victim in BY_WORTH {
        let victims = targets & board.shown_of(color.other(), victim);
        if victims.is_empty() {
            continue;
        }
        let in_reach = moves::hunters(board, color, victim).neighbors() | aimed;
        for to in (victims & in_reach).squares() {
            let near = to.only().neighbors();
            let gains = |taker: Kind| {
                ROUGH[taker as usize] <= ROUGH[victim as usize]
                    || (near & moves::hunters(board, color.other(), taker)).is_empty()
            };
            for taker in BY_WORTH.into_iter().rev().filter(|taker| taker.takes(victim)) {
                let takers = near & board.shown_of(color, taker);
                if !takers.is_empty() && gains(taker) {
                    out.extend(takers.squares().map(|from| Move::Go { from, to }));
                }
            }
            if aimed.contains(to) && gains(Kind::Cannon) {
                let aiming = cannons
                    .squares()
                    .filter(|&from| moves::jumps(board.occupied(), from).contains(to));
                out.extend(aiming.map(|from| Move::Go { from, to }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Banqi;
    use crate::position::{Ordered, Position};

    #[test]
    fn captures_come_first_then_escapes_and_walking_into_danger_last() {
        let position = Banqi::read("8/3r1H2/2pH4/?6A r c 0 1", ()).unwrap();
        let order = ["d2c2", "d2e2", "h1h2", "a1", "f3e3"];
        let promises = order.map(|text| position.promise(position.read_move(text).unwrap()));
        assert!(promises.is_sorted_by(|a, b| a > b), "{order:?} promise {promises:?}");
    }

    #[test]
    fn gains_are_captures_of_dearer_equal_or_unprotected_pieces_the_dearest_first() {
        let check = |text: &str, expected: &str| {
            let position = Banqi::read(text, ()).unwrap();
            let mut moves = Vec::new();
            position.gains(true, &mut moves);
            let texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
            assert_eq!(texts.join(" "), expected, "the gains of {text}");
        };
        // Nobody takes back; an advisor does; an advisor cannot take a general.
        check("8/8/8/Ar6 r - 0 1", "a1b1");
        check("8/8/1a6/Er6 r - 0 1", "");
        check("8/8/1a6/Kr6 r - 0 1", "a1b1");
        // An equal piece, though it is protected; the dearer victim and the cheaper taker first.
        check("8/8/1a6/Aa6 r - 0 1", "a1b1");
        check("8/8/p7/EaA5 r - 0 1", "c1b1 a1a2");
        check("8/8/8/HrR5 b - 0 1", "b1c1 b1a1");
        // A cannon jumps.
        check("8/8/8/C?a4A r p 0 1", "a1c1");
        check("8/8/2k5/C?p5 r p 0 1", "");
    }
}
