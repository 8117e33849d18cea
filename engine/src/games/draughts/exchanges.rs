//! Exchanges: a man is offered where it must be taken, and who took it is taken in turn.
//!
//! That such steps are followed beyond the horizon, and which of them, is known from Scan (Letouzey).

use super::board::{Board, Color};
use super::squares::{Direction, Fan, Squares};

/// The squares that men of `color` step to, by the two directions ahead of it, such that the only move
/// of the other side is to take that one man, and the taker can be taken where it lands.
///
/// Only for boards without kings, on which neither side can capture. Some exchanges are left out: those
/// where the way to the taker's other side opens only by the exchange itself.
pub(super) fn exchanges(board: &Board, color: Color) -> [Squares; 2] {
    let (own, enemies, empty) = (board.of(color), board.of(color.other()), board.empty());
    // A piece there would be taken: one of `pieces` is next to it, the square behind is empty.
    let attacked_by = |pieces: Squares| {
        Fan::of(|direction| direction.step(pieces) & direction.opposite().step(empty)).union()
    };
    // A taker that lands next to a man with an empty square behind would go on.
    let goes_on = Fan::of(|direction| {
        let back = direction.opposite();
        back.step(own & back.step(empty))
    });
    let targets = attacked_by(own) - goes_on.union();
    // Without these, the man in front of them could be taken.
    let supports = Fan::of(|direction| direction.step(own & direction.step(enemies))).union();
    let men = own - supports;
    color.ahead().map(|ahead| {
        let [left, right] = ahead.across();
        // From where it is taken, and whether the taker lands on a target.
        let [by_front, by_left, by_right] = [
            [ahead.opposite().step(enemies), ahead.step(targets)],
            taken_across(left, enemies, empty, targets),
            taken_across(right, enemies, empty, targets),
        ];
        let once = |[taken, retaken]: [Squares; 2], other: Squares, another: Squares| {
            (taken & retaken) - other - another
        };
        let offers = once(by_front, by_left[0], by_right[0])
            | once(by_left, by_front[0], by_right[0])
            | once(by_right, by_front[0], by_left[0]);
        ahead.step(men) & empty & offers
    })
}

/// The squares on which a man is taken by an enemy that moves in `direction`, and those of which the
/// landing is one of the `targets`.
fn taken_across(
    direction: Direction,
    enemies: Squares,
    empty: Squares,
    targets: Squares,
) -> [Squares; 2] {
    let back = direction.opposite();
    [direction.step(enemies) & back.step(empty), back.step(targets)]
}

#[cfg(test)]
mod tests {
    use super::super::squares::Square;
    use super::super::{Draughts, Fmjd};
    use super::*;
    use crate::position::Position;

    /// The exchanges by their definition, with the moves of the rules.
    fn expected(position: &Draughts<Fmjd>) -> Vec<(Square, Square)> {
        let list = |position: &Draughts<Fmjd>| {
            let mut moves = Vec::new();
            position.moves(&mut moves);
            moves
        };
        let mut exchanges = Vec::new();
        for mv in list(position) {
            let offered = position.after(mv);
            let [taking] = list(&offered)[..] else { continue };
            let taken: Squares = mv.to().into();
            if taking.captured() != taken {
                continue;
            }
            // It is another one that is taken only where more are.
            if list(&offered.after(taking)).iter().any(|mv| mv.is_capture()) {
                exchanges.push((mv.from(), mv.to()));
            }
        }
        exchanges
    }

    #[test]
    fn exchanges_are_those_of_the_rules_and_few_are_left_out() {
        let mut state = 1_u64;
        let mut random = |below: usize| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 33) as usize % below
        };
        let (mut found, mut missed) = (0, 0);
        for _ in 0..400 {
            let mut position = Draughts::<Fmjd>::start(());
            for _ in 0..60 {
                let mut moves = Vec::new();
                position.moves(&mut moves);
                if moves.is_empty() || !position.board().kings().is_empty() {
                    break;
                }
                let passed = Draughts { color: position.color.other(), ..position };
                let mut replies = Vec::new();
                passed.moves(&mut replies);
                if ![&moves, &replies].iter().any(|moves| moves.iter().any(|mv| mv.is_capture())) {
                    let expected = expected(&position);
                    let color = position.color_to_move();
                    let steps = color.ahead().into_iter().zip(exchanges(position.board(), color));
                    for (ahead, squares) in steps {
                        for to in squares {
                            assert!(
                                expected.contains(&(ahead.before(to), to)),
                                "{position:?} {to}"
                            );
                            found += 1;
                        }
                    }
                    let squares = exchanges(position.board(), color);
                    missed +=
                        expected.len() - squares.map(|s| s.len() as usize).iter().sum::<usize>();
                }
                position = position.after(moves[random(moves.len())]);
            }
        }
        assert!(found > 1000 && missed * 4 < found, "{found} found, {missed} missed");
    }
}
