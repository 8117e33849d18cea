//! Text as the Hub protocol of draughts programs has it: a position is a letter a square, and a
//! capture is named by what it takes.
//!
//! ```text
//! Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww    the start, White to move
//! 32-28                                                 a move
//! 28x19x23                                              from 28 to 19, taking 23
//! ```

use super::board::{Board, Color, Rank};
use super::moves::Move;
use super::squares::{Square, Squares};
use super::text::{self, PositionError, check_legal};
use super::{Draughts, RuleSet};
use crate::position::{MoveError, Position};

/// The position that `text` draws: `W` or `B` for the side to move, then for each square `w`, `b`, `W`,
/// `B` or `e`. Its counters are 0.
///
/// # Errors
/// [`PositionError`] says why it draws none.
pub fn read_position<R: RuleSet>(
    text: &str,
    rules: R::Rules,
) -> Result<Draughts<R>, PositionError> {
    let mut letters = text.chars();
    let color = match letters.next() {
        Some('W' | 'w') => Color::White,
        Some('B' | 'b') => Color::Black,
        _ => return Err(PositionError::SideToMove(text.to_owned())),
    };
    let mut board = Board::default();
    for square in Squares::ALL {
        let letter = letters.next();
        let (color, rank) = match letter {
            Some('e') => continue,
            Some('w') => (Color::White, Rank::Man),
            Some('W') => (Color::White, Rank::King),
            Some('b') => (Color::Black, Rank::Man),
            Some('B') => (Color::Black, Rank::King),
            _ => return Err(PositionError::Letters(text.to_owned())),
        };
        board.put(color, rank, square);
    }
    if letters.next().is_some() {
        return Err(PositionError::Letters(text.to_owned()));
    }
    check_legal(&board, text)?;
    Ok(Draughts::new(board, color, 0, 1, rules))
}

/// The text of a move; captured squares are in ascending order.
pub fn move_text(mv: Move) -> String {
    if !mv.is_capture() {
        return format!("{}-{}", mv.from(), mv.to());
    }
    let mut text = format!("{}x{}", mv.from(), mv.to());
    for square in mv.captured() {
        text.push('x');
        text += &square.to_string();
    }
    text
}

const MOVE_FORM: &str = "for example 32-28 or 28x19x23, which takes 23";

/// The legal move that `text` names. Captured squares may come in any order, and may be left out where
/// from and to name one move.
///
/// # Errors
/// [`MoveError`] says why it names none.
pub fn read_move<R: RuleSet>(position: &Draughts<R>, text: &str) -> Result<Move, MoveError> {
    let malformed = || MoveError::Malformed { text: text.to_owned(), expected: MOVE_FORM };
    let is_capture = text.contains('x');
    let separator = if is_capture { 'x' } else { '-' };
    let squares: Option<Vec<Square>> = text.split(separator).map(text::read_square).collect();
    let squares = squares.ok_or_else(malformed)?;
    let [from, to, captured @ ..] = squares.as_slice() else { return Err(malformed()) };
    if !is_capture && !captured.is_empty() {
        return Err(malformed());
    }
    let taken = captured.iter().fold(Squares::NONE, |taken, &square| taken | square.into());
    let is_meant = |mv: &Move| {
        (mv.from(), mv.to()) == (*from, *to)
            && mv.is_capture() == is_capture
            && (captured.is_empty() || mv.captured() == taken)
    };
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.retain(is_meant);
    match moves.as_slice() {
        [] => Err(MoveError::Illegal { text: text.to_owned() }),
        [mv] => Ok(*mv),
        several => {
            let candidates: Vec<String> = several.iter().map(|&mv| move_text(mv)).collect();
            Err(MoveError::Ambiguous { text: text.to_owned(), candidates: candidates.join(" ") })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::{Fmjd, Site, SiteRules};

    /// The Hub text of a position.
    fn letters(position: &Draughts<Fmjd>) -> String {
        let board = position.board();
        let letter = |square: Square| match (board.rank(square), square) {
            (rank, square) if board.of(Color::White).contains(square) => {
                if rank == Rank::King {
                    'W'
                } else {
                    'w'
                }
            }
            (rank, square) if board.of(Color::Black).contains(square) => {
                if rank == Rank::King {
                    'B'
                } else {
                    'b'
                }
            }
            _ => 'e',
        };
        let side = if position.color_to_move() == Color::White { 'W' } else { 'B' };
        std::iter::once(side).chain(Squares::ALL.into_iter().map(letter)).collect()
    }

    #[test]
    fn a_position_is_a_letter_a_square() {
        for text in ["W:W31-50:B1-20", "B:W50,K3:BK1,K46", "W:W:BK3"] {
            let position = Draughts::<Fmjd>::read(text, ()).unwrap();
            assert_eq!(read_position(&letters(&position), ()), Ok(position), "{text}");
        }
        let start = letters(&Draughts::start(()));
        assert_eq!(start, "Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww");
        let check = |text: &str, message: &str| {
            let read = read_position::<Site>(text, SiteRules::default());
            let error = read.map_err(|error| error.to_string());
            assert_eq!(error, Err(message.to_owned()), "{text}");
        };
        check("", r#""" is not a side to move, expected W or B"#);
        check(
            &start[1..],
            "\"bbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww\" is not a board, \
             expected a side and 50 letters of w, W, b, B and e",
        );
        check(
            &format!("{start}e"),
            "\"Wbbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwwwe\" is \
             not a board, expected a side and 50 letters of w, W, b, B and e",
        );
        let empty = format!("W{}", "e".repeat(50));
        check(&empty, &format!("{empty:?} is an empty board, expected a piece"));
        let man = format!("Ww{}", "e".repeat(49));
        check(&man, "a white man stands on 1, its last row, expected a king, K1");
    }

    #[test]
    fn a_capture_is_named_by_what_it_takes() {
        let check = |position: &str, text: &str, expected: Result<&str, &str>| {
            let position = Draughts::<Fmjd>::read(position, ()).unwrap();
            let read = read_move(&position, text).map(|mv| position.move_text(mv));
            let read = read.map_err(|error| error.to_string());
            assert_eq!(read, expected.map(str::to_owned).map_err(str::to_owned));
        };
        let two = "W:WK4:B13,32,37,20";
        check(two, "4x15x13x32x20", Ok("4x27x38x15"));
        check(two, "4x15x37x20x13", Ok("4x31x42x15"));
        check(two, "4x15x13x20", Err(r#""4x15x13x20" is not legal here"#));
        check(
            two,
            "4x15",
            Err(r#""4x15" is ambiguous, expected one of 4x15x13x20x32 4x15x13x20x37"#),
        );
        check("W:W28:B23", "28x19", Ok("28x19"));
        check("W:W28:B23", "28x19x23", Ok("28x19"));
        check("W:W32:B1", "32-28", Ok("32-28"));
        let form = "is not a move, expected for example 32-28 or 28x19x23, which takes 23";
        for text in ["", "32", "32-28-23", "32x", "a", "32-51"] {
            check("W:W32:B1", text, Err(&format!("{text:?} {form}")));
        }
    }

    #[test]
    fn every_move_comes_back_by_its_text() {
        for text in ["W:WK4:B13,32,37,20", "W:WK2:B7,8,17,18", "W:W31-50:B1-20"] {
            let position = Draughts::<Fmjd>::read(text, ()).unwrap();
            let mut moves = Vec::new();
            position.moves(&mut moves);
            for mv in moves {
                assert_eq!(read_move(&position, &move_text(mv)), Ok(mv));
            }
        }
    }
}
