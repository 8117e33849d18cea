//! Positions and moves as text.
//!
//! A position: the 16 ranks from north to south, `r` and `b` for pieces, a number for a run of empty
//! squares; the side to move; the number of the next ply. A move: the squares of its path, one after
//! the other.

use std::fmt::{self, Write as _};

use super::Halma;
use super::board::{ARMY, Board, Square, Squares, WIDTH};
use super::moves::{self, Move, shortest_chain};
use crate::position::{MoveError, Position, Side};

/// Why a text is not a position of halma.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum HalmaError {
    /// Not board, side and ply number.
    #[error("{text:?} has {count} parts, expected board, side to move and ply number")]
    Parts {
        /// The whole text.
        text: String,
        /// How many parts it has.
        count: usize,
    },
    /// Too few or too many ranks.
    #[error("the board {board:?} has {count} ranks, expected 16")]
    RankCount {
        /// The board part of the text.
        board: String,
        /// How many ranks it has.
        count: usize,
    },
    /// A rank with too few or too many squares.
    #[error("rank {rank} {text:?} has {width} squares, expected 16")]
    RankWidth {
        /// The number of the rank, 1 to 16.
        rank: u8,
        /// What the text has for it.
        text: String,
        /// How many squares that is.
        width: usize,
    },
    /// A character that is neither a piece nor a digit.
    #[error("{letter:?} in rank {rank} {text:?} is no piece, expected r, b or a number")]
    Piece {
        /// The number of the rank, 1 to 16.
        rank: u8,
        /// What the text has for it.
        text: String,
        /// The character.
        letter: char,
    },
    /// A run of empty squares with an impossible length. Digits that touch are one number.
    #[error("{run:?} in rank {rank} {text:?} is no run of empty squares, expected 1 to 16")]
    Run {
        /// The number of the rank, 1 to 16.
        rank: u8,
        /// What the text has for it.
        text: String,
        /// The number as it is written.
        run: String,
    },
    /// The side to move is neither Red nor Blue.
    #[error("{text:?} is no side to move, expected r or b")]
    SideToMove {
        /// What stands in its place.
        text: String,
    },
    /// The ply number is none.
    #[error("{text:?} is no ply number, expected 1 to 4294967295")]
    PlyNumber {
        /// What stands in its place.
        text: String,
    },
    /// More pieces of a side than a camp has squares.
    #[error("the board {board:?} has {count} {side} pieces, expected 19 at most")]
    TooManyPieces {
        /// The board part of the text.
        board: String,
        /// Whose pieces: `red` or `blue`.
        side: &'static str,
        /// How many there are.
        count: u32,
    },
}

/// The position that a text describes: first what it draws, then whether that can be.
pub(super) fn read_position(text: &str) -> Result<Halma, HalmaError> {
    let parts: Vec<&str> = text.split_whitespace().collect();
    let &[board, side, ply] = parts.as_slice() else {
        return Err(HalmaError::Parts { text: text.to_owned(), count: parts.len() });
    };
    let armies = read_board(board)?;
    let to_move = match side {
        "r" => Side::First,
        "b" => Side::Second,
        _ => return Err(HalmaError::SideToMove { text: side.to_owned() }),
    };
    let ply = read_number(ply)
        .filter(|&ply| ply >= 1)
        .ok_or_else(|| HalmaError::PlyNumber { text: ply.to_owned() })?;

    for (side, army) in ["red", "blue"].into_iter().zip(armies) {
        let count = army.len();
        if count > ARMY {
            return Err(HalmaError::TooManyPieces { board: board.to_owned(), side, count });
        }
    }
    Ok(Halma::new(Board::with_armies(armies), to_move, ply))
}

/// A number in its one plain spelling: digits only, no leading zero.
fn read_number(text: &str) -> Option<u32> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit()) && !text.starts_with('0');
    if plain { text.parse().ok() } else { None }
}

fn read_board(board: &str) -> Result<[Squares; 2], HalmaError> {
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != usize::from(WIDTH) {
        return Err(HalmaError::RankCount { board: board.to_owned(), count: ranks.len() });
    }
    let mut armies = [Squares::NONE; 2];
    for (rank, text) in (0..WIDTH).rev().zip(ranks) {
        read_rank(rank, text, &mut armies)?;
    }
    Ok(armies)
}

/// Adds the pieces of one rank, which counts from 0, to the armies.
fn read_rank(rank: u8, text: &str, armies: &mut [Squares; 2]) -> Result<(), HalmaError> {
    let number = rank + 1;
    let mut file = 0;
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (item, after) = rest.split_at(digits.max(letter.len_utf8()));
        rest = after;
        let side = match item {
            "r" => Side::First,
            "b" => Side::Second,
            run if digits > 0 => {
                let length = read_number(run).filter(|&length| length <= u32::from(WIDTH));
                file += length.ok_or_else(|| HalmaError::Run {
                    rank: number,
                    text: text.to_owned(),
                    run: run.to_owned(),
                })? as usize;
                continue;
            }
            _ => {
                return Err(HalmaError::Piece { rank: number, text: text.to_owned(), letter });
            }
        };
        // A piece off the board only adds to the width that is refused below.
        if let Some(square) = u8::try_from(file).ok().and_then(|file| Square::at(file, rank)) {
            armies[side.index()] = armies[side.index()].with(square);
        }
        file += 1;
    }
    if file != usize::from(WIDTH) {
        return Err(HalmaError::RankWidth { rank: number, text: text.to_owned(), width: file });
    }
    Ok(())
}

impl fmt::Display for Halma {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..WIDTH).rev() {
            let mut run = 0;
            for file in 0..WIDTH {
                match piece_letter(self, file, rank) {
                    None => run += 1,
                    Some(letter) => {
                        write_run(f, run)?;
                        f.write_char(letter)?;
                        run = 0;
                    }
                }
            }
            write_run(f, run)?;
            f.write_char(if rank > 0 { '/' } else { ' ' })?;
        }
        let side = match self.to_move {
            Side::First => 'r',
            Side::Second => 'b',
        };
        write!(f, "{side} {}", self.ply)
    }
}

fn write_run(f: &mut fmt::Formatter<'_>, run: u8) -> fmt::Result {
    if run > 0 { write!(f, "{run}") } else { Ok(()) }
}

fn piece_letter(position: &Halma, file: u8, rank: u8) -> Option<char> {
    let square = Square::at(file, rank)?;
    let letters = [(Side::First, 'r'), (Side::Second, 'b')];
    letters.into_iter().find(|&(side, _)| position.army(side).contains(square)).map(|(_, c)| c)
}

/// The board with its coordinates, north at the top.
pub(super) fn picture(position: &Halma) -> String {
    let mut lines = String::new();
    for rank in (0..WIDTH).rev() {
        let _ = write!(lines, "{:2}", rank + 1);
        for file in 0..WIDTH {
            lines.push(' ');
            lines.push(piece_letter(position, file, rank).unwrap_or('.'));
        }
        lines.push('\n');
    }
    lines.push_str("   a b c d e f g h i j k l m n o p");
    lines
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

/// The text of a legal move: the path with the fewest jumps, the smallest of those.
pub(super) fn print_move(position: &Halma, mv: Move) -> String {
    if mv.is_pass() {
        return "pass".to_owned();
    }
    let path = if mv.is_step() {
        vec![mv.from(), mv.to()]
    } else {
        shortest_chain(position.board.occupied(), mv.from(), mv.to())
            .expect("a legal move that is no step is a chain of jumps")
    };
    path.iter().map(Square::to_string).collect()
}

/// The legal move with this text: the whole path of a step or of any true chain, or origin and
/// destination alone, or `pass` where there is no other move.
pub(super) fn read_move(position: &Halma, text: &str) -> Result<Move, MoveError> {
    let named = if text.eq_ignore_ascii_case("pass") {
        Some(Move::PASS)
    } else {
        let malformed = || MoveError::Malformed {
            text: text.to_owned(),
            expected: "the squares of the path, as in d15f13f11, or pass",
        };
        let path = read_path(text).ok_or_else(malformed)?;
        let &[from, .., to] = path.as_slice() else { return Err(malformed()) };
        let is_true = path.len() == 2 || is_chain(position.board.occupied(), &path);
        Move::new(from, to).filter(|_| is_true)
    };
    let mut legal = Vec::new();
    position.moves(&mut legal);
    named
        .filter(|mv| legal.contains(mv))
        .ok_or_else(|| MoveError::Illegal { text: text.to_owned() })
}

/// The squares written one after the other; `None` if the text is anything else.
fn read_path(text: &str) -> Option<Vec<Square>> {
    let mut path = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.bytes().next() {
        let file = letter.to_ascii_lowercase().checked_sub(b'a')?;
        let after = rest.get(1..)?;
        rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
        let rank = read_number(&after[..after.len() - rest.len()])?;
        path.push(Square::at(file, u8::try_from(rank.checked_sub(1)?).ok()?)?);
    }
    Some(path)
}

/// Whether every two squares of the path are a jump apart, and none comes twice.
fn is_chain(occupied: Squares, path: &[Square]) -> bool {
    let quarter = path[0].quarter();
    let jumps = moves::Jumps::new(occupied, quarter);
    let mut seen = Squares::NONE.with(path[0]);
    path.windows(2).all(|jump| {
        let (from, to) = (jump[0], jump[1]);
        let is_new = !seen.contains(to);
        seen = seen.with(to);
        is_new && to.quarter() == quarter && jumps.single(from.bit()) & to.bit() != 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str =
        "rrrrr11/rrrrr11/rrrr12/rrr13/rr14/16/16/16/16/16/16/14bb/13bbb/12bbbb/11bbbbb/11bbbbb r 1";

    /// The start with its northernmost rank replaced.
    fn with_first_rank(rank: &str) -> String {
        START.replacen("rrrrr11", rank, 1)
    }

    #[test]
    fn the_start_reads_and_prints() {
        assert_eq!(read_position(START), Ok(Halma::start(())));
        assert_eq!(Halma::start(()).to_string(), START);
    }

    #[test]
    fn a_position_prints_in_its_shortest_form() {
        let cases = [
            ("1r14/16/16/16/16/16/16/16/16/16/16/16/16/16/16/4111b111b41 b 7", ""),
            ("11r14/16/16/16/16/16/16/16/16/16/16/16/16/16/16/16 b 7", ""),
            (
                "  r15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/2b13  b\t4294967295 ",
                "r15/16/16/16/16/16/16/16/16/16/16/16/16/16/16/2b13 b 4294967295",
            ),
        ];
        for (text, expected) in cases {
            let printed = read_position(text).map(|position| position.to_string());
            assert_eq!(printed.unwrap_or_default(), expected, "{text}");
        }
    }

    #[test]
    fn every_refusal_of_a_position_says_what_was_expected() {
        let cases = [
            ("", "\"\" has 0 parts, expected board, side to move and ply number"),
            ("16/16 r", "\"16/16 r\" has 2 parts, expected board, side to move and ply number"),
            ("16/16 r 1", "the board \"16/16\" has 2 ranks, expected 16"),
            (&with_first_rank("r14"), "rank 16 \"r14\" has 15 squares, expected 16"),
            (&with_first_rank("r16"), "rank 16 \"r16\" has 17 squares, expected 16"),
            (&with_first_rank(""), "rank 16 \"\" has 0 squares, expected 16"),
            (
                &with_first_rank("r14x"),
                "'x' in rank 16 \"r14x\" is no piece, expected r, b or a number",
            ),
            (
                &with_first_rank("R15"),
                "'R' in rank 16 \"R15\" is no piece, expected r, b or a number",
            ),
            (
                &with_first_rank("é15"),
                "'é' in rank 16 \"é15\" is no piece, expected r, b or a number",
            ),
            (
                &with_first_rank("r0r14"),
                "\"0\" in rank 16 \"r0r14\" is no run of empty squares, expected 1 to 16",
            ),
            (
                &with_first_rank("17"),
                "\"17\" in rank 16 \"17\" is no run of empty squares, expected 1 to 16",
            ),
            (
                &with_first_rank("r015"),
                "\"015\" in rank 16 \"r015\" is no run of empty squares, expected 1 to 16",
            ),
            (
                &with_first_rank("1015"),
                "\"1015\" in rank 16 \"1015\" is no run of empty squares, expected 1 to 16",
            ),
            (&START.replace("r 1", "w 1"), "\"w\" is no side to move, expected r or b"),
            (&START.replace("r 1", "r 0"), "\"0\" is no ply number, expected 1 to 4294967295"),
            (&START.replace("r 1", "r 01"), "\"01\" is no ply number, expected 1 to 4294967295"),
            (&START.replace("r 1", "r +1"), "\"+1\" is no ply number, expected 1 to 4294967295"),
            (&START.replace("r 1", "r x"), "\"x\" is no ply number, expected 1 to 4294967295"),
            (
                &START.replace("r 1", "r 4294967296"),
                "\"4294967296\" is no ply number, expected 1 to 4294967295",
            ),
            (
                "rrrrrrrrrrrrrrrr/rrrr12/16/16/16/16/16/16/16/16/16/16/16/16/16/16 r 1",
                "the board \"rrrrrrrrrrrrrrrr/rrrr12/16/16/16/16/16/16/16/16/16/16/16/16/16/16\" \
                 has 20 red pieces, expected 19 at most",
            ),
            (
                "bbbbbbbbbbbbbbbb/bbbb12/16/16/16/16/16/16/16/16/16/16/16/16/16/16 r 1",
                "the board \"bbbbbbbbbbbbbbbb/bbbb12/16/16/16/16/16/16/16/16/16/16/16/16/16/16\" \
                 has 20 blue pieces, expected 19 at most",
            ),
        ];
        for (text, expected) in cases {
            assert_eq!(read_position(text).unwrap_err().to_string(), expected);
        }
    }

    /// d15 can jump to f13, and there round a triangle of f13, f11 and h11.
    const CHAINS: &str = "16/3r12/4b11/16/5bb9/6b9/16/16/16/16/16/16/16/16/16/16 r 1";

    #[test]
    fn a_move_is_read_from_any_true_path_or_its_two_ends() {
        let cases = [
            ("d15c16", "d15c16"),
            ("d15f13", "d15f13"),
            ("d15f13f11", "d15f13f11"),
            ("d15f11", "d15f13f11"),
            ("D15F13F11", "d15f13f11"),
            // The long way round: f13-f11 directly, or over g11 to h11 first.
            ("d15f13h11", "d15f13h11"),
            ("d15f13h11f11", "d15f13f11"),
        ];
        let position = read_position(CHAINS).unwrap();
        for (text, printed) in cases {
            let mv = read_move(&position, text).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(print_move(&position, mv), printed, "{text}");
        }
    }

    #[test]
    fn a_path_that_is_no_move_is_refused() {
        let illegal = [
            // No piece there, an enemy's, an occupied square, too far.
            "a1a2",
            "e14e15",
            "d15e14",
            "d15d12",
            // Nowhere, and round in a circle.
            "d15d15",
            "d15f13f11h11f13",
            "d15f13d15",
            // A path with a jump that is none, with a step in it, or steps alone.
            "d15f11h11",
            "d15f13f12",
            "d15c15b15",
            // A pass while there are moves.
            "pass",
            "PASS",
        ];
        let malformed = [
            "", "d15", "d15-f13", "d15q1", "d15f0", "d15f013", "d15f17", "15", "d15f", "é1a1",
            "passe",
        ];
        let position = read_position(CHAINS).unwrap();
        for text in illegal {
            let expected = format!("{text:?} is not legal here");
            assert_eq!(read_move(&position, text).unwrap_err().to_string(), expected);
        }
        for text in malformed {
            let expected = format!(
                "{text:?} is not a move, expected the squares of the path, as in d15f13f11, or pass"
            );
            assert_eq!(read_move(&position, text).unwrap_err().to_string(), expected);
        }
    }

    #[test]
    fn a_pass_is_read_when_there_is_nothing_else() {
        let stuck = read_position("16/16/16/16/16/16/16/16/16/16/16/16/16/16/16/b15 r 1").unwrap();
        assert_eq!(read_move(&stuck, "Pass"), Ok(Move::PASS));
        assert_eq!(print_move(&stuck, Move::PASS), "pass");
        // The two ends of no move are not another name for it.
        assert!(read_move(&stuck, "a1a1").is_err());
    }

    #[test]
    fn the_picture_has_the_north_at_the_top() {
        let picture = picture(&Halma::start(()));
        let lines: Vec<&str> = picture.lines().collect();
        assert_eq!(lines.len(), 17);
        assert_eq!(lines[0], "16 r r r r r . . . . . . . . . . .");
        assert_eq!(lines[15], " 1 . . . . . . . . . . . b b b b b");
        assert_eq!(lines[16], "   a b c d e f g h i j k l m n o p");
    }
}
