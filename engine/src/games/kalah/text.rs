//! The text forms of positions and moves, and the picture of the board.

use std::fmt;

use super::Kalah;
use super::board::{PITS, Pit, Row, STONES_MAX};
use crate::position::{MoveError, Side};

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// The text is not two words.
    #[error("{0:?} is not a position, expected two rows and a side, such as {START:?}")]
    Form(String),
    /// The first word is not two rows.
    #[error("{0:?} is not a board, expected two rows separated by '/'")]
    Rows(String),
    /// A row has too many numbers, or too few.
    #[error("{row:?} has {numbers} numbers, expected seven: six pits and the store")]
    Numbers {
        /// The row that was read.
        row: String,
        /// How many numbers it has.
        numbers: usize,
    },
    /// What stands in a row is no number of stones.
    #[error("{0:?} is not a number of stones, expected 0 to {STONES_MAX}")]
    Stones(String),
    /// The last word names no side.
    #[error("{0:?} is not a side, expected 's' or 'n'")]
    Side(String),
    /// The board is bare.
    #[error("{0:?} has no stones, expected 1 to {STONES_MAX}")]
    NoStones(String),
    /// The board has more stones than the rules allow.
    #[error("{board:?} has {stones} stones, expected 1 to {STONES_MAX}")]
    TooManyStones {
        /// The board that was read.
        board: String,
        /// How many stones it has.
        stones: u32,
    },
}

/// The start position.
const START: &str = "4,4,4,4,4,4,0/4,4,4,4,4,4,0 s";

/// The numbers of a row: the pits in the direction of sowing, and the store.
const NUMBERS: usize = PITS + 1;

/// The position that `text` describes; what it draws may be over already.
pub(super) fn read(text: &str) -> Result<Kalah, ReadError> {
    let mut words = text.split_whitespace();
    let (Some(board), Some(side), None) = (words.next(), words.next(), words.next()) else {
        return Err(ReadError::Form(text.to_owned()));
    };
    let Some((south, north)) = board.split_once('/') else {
        return Err(ReadError::Rows(board.to_owned()));
    };
    let rows = [read_row(south)?, read_row(north)?];
    let to_move = match side {
        "s" => Side::First,
        "n" => Side::Second,
        _ => return Err(ReadError::Side(side.to_owned())),
    };
    match rows.iter().flatten().map(|&stones| u32::from(stones)).sum() {
        0 => Err(ReadError::NoStones(board.to_owned())),
        1..=STONES_MAX => Ok(Kalah::new(rows.map(Row::new), to_move)),
        stones => Err(ReadError::TooManyStones { board: board.to_owned(), stones }),
    }
}

fn read_row(text: &str) -> Result<[u8; NUMBERS], ReadError> {
    let numbers = text.split(',').count();
    if numbers != NUMBERS {
        return Err(ReadError::Numbers { row: text.to_owned(), numbers });
    }
    let mut row = [0; NUMBERS];
    for (stones, word) in row.iter_mut().zip(text.split(',')) {
        *stones = read_stones(word)?;
    }
    Ok(row)
}

fn read_stones(word: &str) -> Result<u8, ReadError> {
    // The standard parser takes a leading plus as well.
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| digits).ok_or_else(|| ReadError::Stones(word.to_owned()))
}

impl fmt::Display for Kalah {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [south, north] = [Side::First, Side::Second].map(|side| row_text(self.row(side)));
        let to_move = match self.to_move {
            Side::First => 's',
            Side::Second => 'n',
        };
        write!(f, "{south}/{north} {to_move}")
    }
}

fn row_text(row: Row) -> String {
    let pits: String = Pit::ALL.map(|pit| format!("{},", row.pit(pit))).concat();
    pits + &row.store().to_string()
}

/// The letter of a pit.
pub(super) fn pit_text(side: Side, pit: Pit) -> String {
    let first = match side {
        Side::First => b'a',
        Side::Second => b'A',
    };
    char::from(first + pit.index() as u8).to_string()
}

/// The pit of the side to move that `text` names.
pub(super) fn read_pit(position: &Kalah, text: &str) -> Result<Pit, MoveError> {
    let side = position.to_move;
    let named = |&pit: &Pit| pit_text(side, pit).eq_ignore_ascii_case(text);
    match Pit::ALL.into_iter().find(named) {
        None => {
            let expected = match side {
                Side::First => "a pit from a to f",
                Side::Second => "a pit from A to F",
            };
            Err(MoveError::Malformed { text: text.to_owned(), expected })
        }
        Some(pit) if position.own().pit(pit) == 0 => {
            Err(MoveError::Illegal { text: text.to_owned() })
        }
        Some(pit) => Ok(pit),
    }
}

/// The board as its players see it: North's pits on top, from right to left.
pub(super) fn picture(position: &Kalah) -> String {
    let row = |side, pits: [Pit; PITS]| {
        let letters: String = pits.map(|pit| format!("{:>4}", pit_text(side, pit))).concat();
        let stones: String = pits.map(|pit| format!("{:>4}", position.row(side).pit(pit))).concat();
        (letters, stones)
    };
    let mut leftward = Pit::ALL;
    leftward.reverse();
    let (north_letters, north) = row(Side::Second, leftward);
    let (south_letters, south) = row(Side::First, Pit::ALL);
    let [south_store, north_store] =
        [Side::First, Side::Second].map(|side| position.row(side).store());
    let gap = " ".repeat(4 * PITS);
    format!(
        "    {north_letters}\n    {north}\n{north_store:>4}{gap}{south_store:>4}\n    {south}\n    {south_letters}\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    #[test]
    fn a_refusal_quotes_what_it_was_given() {
        let check = |text: &str, message: &str| {
            assert_eq!(read(text).expect_err(text).to_string(), message);
        };
        check(
            "",
            "\"\" is not a position, expected two rows and a side, such as \
             \"4,4,4,4,4,4,0/4,4,4,4,4,4,0 s\"",
        );
        check(
            "1,1,1,1,1,1,0/1,1,1,1,1,1,0",
            "\"1,1,1,1,1,1,0/1,1,1,1,1,1,0\" is not a position, expected two rows and a side, \
             such as \"4,4,4,4,4,4,0/4,4,4,4,4,4,0 s\"",
        );
        check("1,1 s", "\"1,1\" is not a board, expected two rows separated by '/'");
        check(
            "1,1,1,1,1,1/1,1,1,1,1,1,0 s",
            "\"1,1,1,1,1,1\" has 6 numbers, expected seven: six pits and the store",
        );
        check(
            "1,1,1,1,1,1,0/1,1,1,1,1,1,0,0 s",
            "\"1,1,1,1,1,1,0,0\" has 8 numbers, expected seven: six pits and the store",
        );
        for wrong in ["256", "-1", "+1", "x", "", "1e1", "99999999999999999999"] {
            check(
                &format!("{wrong},1,1,1,1,1,0/1,1,1,1,1,1,0 s"),
                &format!("{wrong:?} is not a number of stones, expected 0 to 255"),
            );
        }
        check(
            "1,1,1,1,1,1,0/1,1,1,1,1,1,0/1 s",
            "\"0/1\" is not a number of stones, expected 0 to 255",
        );
        check("1,1,1,1,1,1,0/1,1,1,1,1,1,0 w", "\"w\" is not a side, expected 's' or 'n'");
        check(
            "0,0,0,0,0,0,0/0,0,0,0,0,0,0 s",
            "\"0,0,0,0,0,0,0/0,0,0,0,0,0,0\" has no stones, expected 1 to 255",
        );
        check(
            "1,0,0,0,0,0,255/0,0,0,0,0,0,0 s",
            "\"1,0,0,0,0,0,255/0,0,0,0,0,0,0\" has 256 stones, expected 1 to 255",
        );
    }

    #[test]
    fn a_finished_game_reads_as_one() {
        let check = |text: &str, read: &str| {
            let position = Kalah::read(text, ()).expect(text);
            assert_eq!(position.to_string(), read);
        };
        check("0,0,0,0,0,0,9/1,2,0,0,0,0,5 s", "0,0,0,0,0,0,9/0,0,0,0,0,0,8 s");
        check("0,0,0,0,3,0,9/0,0,0,0,0,0,5 s", "0,0,0,0,0,0,12/0,0,0,0,0,0,5 s");
        check("0,0,0,0,255,0,0/0,0,0,0,0,0,0 n", "0,0,0,0,0,0,255/0,0,0,0,0,0,0 n");
        check("0,0,0,0,0,0,0/0,0,0,0,0,0,1 n", "0,0,0,0,0,0,0/0,0,0,0,0,0,1 n");
    }

    #[test]
    fn a_letter_names_a_pit_of_the_side_to_move_in_either_case() {
        let check = |position: &str, text: &str, expected: Result<usize, &str>| {
            let position = Kalah::read(position, ()).expect(position);
            let found = position.read_move(text).map(Pit::index).map_err(|error| error.to_string());
            assert_eq!(found, expected.map_err(str::to_owned), "{text} at {position}");
        };
        for (south, north) in
            [("0,1,1,1,1,1,9", "4,0,4,4,4,4,0"), ("0,1,1,1,1,1,9", "1,0,1,1,1,1,9")]
        {
            let south_moves = format!("{south}/{north} s");
            check(&south_moves, "b", Ok(1));
            check(&south_moves, "F", Ok(5));
            check(&south_moves, "a", Err("\"a\" is not legal here"));
            check(&south_moves, "g", Err("\"g\" is not a move, expected a pit from a to f"));
            let north_moves = format!("{south}/{north} n");
            check(&north_moves, "A", Ok(0));
            check(&north_moves, "f", Ok(5));
            check(&north_moves, "b", Err("\"b\" is not legal here"));
            check(&north_moves, "", Err("\"\" is not a move, expected a pit from A to F"));
            check(&north_moves, "AB", Err("\"AB\" is not a move, expected a pit from A to F"));
        }
    }

    #[test]
    fn a_picture_shows_either_store_where_its_owner_sows() {
        let position = Kalah::read("1,2,3,4,5,16,7/10,20,30,40,50,0,8 n", ()).expect("a position");
        let expected = [
            "       F   E   D   C   B   A",
            "       0  50  40  30  20  10",
            "   8                           7",
            "       1   2   3   4   5  16",
            "       a   b   c   d   e   f",
            "",
        ];
        assert_eq!(position.picture(), expected.join("\n"));
    }
}
