//! Positions, moves and events as text.
//!
//! A position text is read in two stages: what it draws (four ranks, a side, a pool, two numbers),
//! and whether that is a position of the game.

use std::fmt;
use std::str::FromStr;

use super::board::{Board, Cell, FILES, RANKS, SQUARES, Square};
use super::pool::{Census, Color, Piece};
use super::{Banqi, Event, LAST_PLY_NUMBER, Move};
use crate::position::{MoveError, Position};

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BanqiError {
    /// Too few or too many fields.
    #[error("{text:?} has {found} fields, expected 5: ranks, side, pool, quiet plies, ply number")]
    Fields {
        /// The whole text.
        text: String,
        /// Its number of fields.
        found: usize,
    },
    /// Too few or too many ranks.
    #[error("{board:?} has {found} ranks, expected 4 separated by '/'")]
    Ranks {
        /// The first field.
        board: String,
        /// Its number of ranks.
        found: usize,
    },
    /// A rank that does not fill the width of the board.
    #[error("rank {rank:?} has {found} squares, expected 8")]
    Width {
        /// The rank.
        rank: String,
        /// Its number of squares.
        found: usize,
    },
    /// A character that stands for nothing on a rank.
    #[error(
        "{found:?} in rank {rank:?} is no square, expected a piece (KAERHCP, kaerhcp), '?' or a run of 1 to 8"
    )]
    Square {
        /// The rank.
        rank: String,
        /// The character.
        found: char,
    },
    /// The side is not one of the three.
    #[error("{0:?} is no side to move, expected \"r\", \"b\" or \"-\"")]
    Side(String),
    /// Something in the pool that is not a piece.
    #[error(
        "{found:?} in pool {pool:?} is no piece, expected one of KAERHCP, kaerhcp, or \"-\" for an empty pool"
    )]
    PoolPiece {
        /// The pool.
        pool: String,
        /// The character.
        found: char,
    },
    /// A count of the pool that no piece has.
    #[error("pool {pool:?} has {count:?} after {piece:?}, expected a count from 1 to {full}")]
    PoolCount {
        /// The pool.
        pool: String,
        /// The digits.
        count: String,
        /// The letter before them.
        piece: char,
        /// How many such pieces the game has.
        full: u8,
    },
    /// A piece that the pool lists again.
    #[error("pool {pool:?} lists {piece:?} twice, expected one letter with its count")]
    PoolTwice {
        /// The pool.
        pool: String,
        /// The letter.
        piece: char,
    },
    /// The plies since the last capture or flip are no number.
    #[error("{0:?} is no number of quiet plies, expected 0 to 65535")]
    QuietPlies(String),
    /// The ply number is no number.
    #[error("{0:?} is no ply number, expected 1 to {LAST_PLY_NUMBER}")]
    PlyNumber(String),
    /// The board and the pool disagree about what is face down.
    #[error("pool {pool:?} has {pieces} pieces, expected {hidden}, one for each '?' on the board")]
    PoolSize {
        /// The pool.
        pool: String,
        /// Its pieces.
        pieces: u32,
        /// The face-down squares.
        hidden: u32,
    },
    /// More pieces of a kind than the game has.
    #[error(
        "there are {found} {piece:?} on the board and in pool {pool:?}, expected at most {full}"
    )]
    TooMany {
        /// The letter of the piece.
        piece: char,
        /// The pool.
        pool: String,
        /// How many there are.
        found: u8,
        /// How many the game has.
        full: u8,
    },
    /// The side is open although a piece has been flipped.
    #[error(
        "side \"-\" with {hidden} pieces face down, expected \"r\" or \"b\": the first flip gives the colors"
    )]
    SideOpen {
        /// The face-down squares.
        hidden: u32,
    },
    /// The side is known although no piece has been flipped.
    #[error(
        "side {0:?} with all 32 pieces face down, expected \"-\": only the first flip gives the colors"
    )]
    SideKnown(String),
}

impl fmt::Display for Banqi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..RANKS).rev() {
            write_rank(f, &self.board, rank)?;
            write!(f, "{}", if rank > 0 { '/' } else { ' ' })?;
        }
        let side = match self.to_move {
            Some(Color::Red) => 'r',
            Some(Color::Black) => 'b',
            None => '-',
        };
        write!(f, "{side} {} {} {}", self.board.pool(), self.quiet_plies, self.ply_number)
    }
}

fn write_rank(f: &mut fmt::Formatter<'_>, board: &Board, rank: u8) -> fmt::Result {
    let mut run = 0;
    for file in 0..FILES {
        let square = Square::at(file, rank).expect("the loops stay on the board");
        let cell = board.cell(square);
        if cell == Cell::Empty {
            run += 1;
            continue;
        }
        if run > 0 {
            write!(f, "{run}")?;
            run = 0;
        }
        write!(f, "{}", letter(cell))?;
    }
    if run > 0 { write!(f, "{run}") } else { Ok(()) }
}

/// A cell as one character.
fn letter(cell: Cell) -> char {
    match cell {
        Cell::Empty => '.',
        Cell::Hidden => '?',
        Cell::Shown(piece) => piece.letter(),
    }
}

/// What a position text draws, legal or not.
struct Drawing<'a> {
    cells: [Cell; SQUARES],
    side: &'a str,
    to_move: Option<Color>,
    pool_text: &'a str,
    pool: Census,
    quiet_plies: u16,
    ply_number: u32,
}

/// Reads a position: the whole of [`Position::read`].
pub(super) fn read(text: &str) -> Result<Banqi, BanqiError> {
    Drawing::read(text)?.position()
}

impl<'a> Drawing<'a> {
    /// The first stage: what is drawn.
    fn read(text: &'a str) -> Result<Self, BanqiError> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[board, side, pool_text, quiet_plies, ply_number] = fields.as_slice() else {
            return Err(BanqiError::Fields { text: text.to_owned(), found: fields.len() });
        };
        let cells = read_cells(board)?;
        let to_move = match side {
            "r" => Some(Color::Red),
            "b" => Some(Color::Black),
            "-" => None,
            _ => return Err(BanqiError::Side(side.to_owned())),
        };
        let pool = read_pool(pool_text)?;
        let quiet_plies =
            number(quiet_plies).ok_or_else(|| BanqiError::QuietPlies(quiet_plies.to_owned()))?;
        let ply_number = number(ply_number)
            .filter(|number| (1..=LAST_PLY_NUMBER).contains(number))
            .ok_or_else(|| BanqiError::PlyNumber(ply_number.to_owned()))?;
        Ok(Self { cells, side, to_move, pool_text, pool, quiet_plies, ply_number })
    }

    /// The second stage: whether the drawing is a position of the game.
    fn position(self) -> Result<Banqi, BanqiError> {
        let pool = || self.pool_text.to_owned();
        let hidden = self.cells.iter().filter(|&&cell| cell == Cell::Hidden).count() as u32;
        let pieces = self.pool.total();
        if pieces != hidden {
            return Err(BanqiError::PoolSize { pool: pool(), pieces, hidden });
        }
        for piece in Piece::all() {
            let shown = self.cells.iter().filter(|&&cell| cell == Cell::Shown(piece)).count() as u8;
            let (found, full) = (shown + self.pool.count(piece), piece.kind.full_count());
            if found > full {
                let piece = piece.letter();
                return Err(BanqiError::TooMany { piece, pool: pool(), found, full });
            }
        }
        match (self.to_move, hidden as usize == SQUARES) {
            (None, false) => return Err(BanqiError::SideOpen { hidden }),
            (Some(_), true) => return Err(BanqiError::SideKnown(self.side.to_owned())),
            _ => (),
        }
        Ok(Banqi {
            board: Board::set_up(&self.cells, self.pool),
            to_move: self.to_move,
            quiet_plies: self.quiet_plies,
            ply_number: self.ply_number,
        })
    }
}

fn read_cells(board: &str) -> Result<[Cell; SQUARES], BanqiError> {
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != usize::from(RANKS) {
        return Err(BanqiError::Ranks { board: board.to_owned(), found: ranks.len() });
    }
    let mut cells = [Cell::Empty; SQUARES];
    for (rank, row) in ranks.into_iter().rev().zip(cells.chunks_mut(usize::from(FILES))) {
        read_rank(rank, row)?;
    }
    Ok(cells)
}

/// Fills a row of empty cells.
fn read_rank(rank: &str, row: &mut [Cell]) -> Result<(), BanqiError> {
    let mut file = 0;
    for letter in rank.chars() {
        let cell = match letter {
            '1'..='8' => {
                file += letter as usize - '0' as usize;
                continue;
            }
            '?' => Cell::Hidden,
            _ => Cell::Shown(
                Piece::from_letter(letter)
                    .ok_or_else(|| BanqiError::Square { rank: rank.to_owned(), found: letter })?,
            ),
        };
        if let Some(place) = row.get_mut(file) {
            *place = cell;
        }
        file += 1;
    }
    if file == row.len() {
        Ok(())
    } else {
        Err(BanqiError::Width { rank: rank.to_owned(), found: file })
    }
}

/// Reads a pool: letters in any order, each once, with or without a count.
fn read_pool(text: &str) -> Result<Census, BanqiError> {
    let mut pool = Census::EMPTY;
    if text == "-" {
        return Ok(pool);
    }
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let piece = Piece::from_letter(letter)
            .ok_or_else(|| BanqiError::PoolPiece { pool: text.to_owned(), found: letter })?;
        rest = &rest[letter.len_utf8()..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (count_text, after) = rest.split_at(digits);
        rest = after;
        let full = piece.kind.full_count();
        let count = if count_text.is_empty() { Some(1) } else { number(count_text) };
        let count = count.filter(|count| (1..=full).contains(count)).ok_or_else(|| {
            BanqiError::PoolCount {
                pool: text.to_owned(),
                count: count_text.to_owned(),
                piece: letter,
                full,
            }
        })?;
        if pool.count(piece) > 0 {
            return Err(BanqiError::PoolTwice { pool: text.to_owned(), piece: letter });
        }
        pool.add(piece, count);
    }
    Ok(pool)
}

/// A number written in digits alone: no sign.
fn number<N: FromStr>(text: &str) -> Option<N> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

/// The board with its files and ranks named.
pub(super) fn picture(board: &Board) -> String {
    let mut picture = String::new();
    for rank in (0..RANKS).rev() {
        picture.push(char::from(b'1' + rank));
        picture.push(' ');
        for file in 0..FILES {
            let square = Square::at(file, rank).expect("the loops stay on the board");
            picture.push(' ');
            picture.push(letter(board.cell(square)));
        }
        picture.push('\n');
    }
    picture.push_str("   a b c d e f g h");
    picture
}

/// `c4` for a flip, `b2b3` for the move of a face-up piece.
pub(super) fn move_text(mv: Move) -> String {
    match mv {
        Move::Flip(square) => square.to_string(),
        Move::Go { from, to } => format!("{from}{to}"),
    }
}

/// `c4=P` for a flip with what it showed, `b2b3` for the move of a face-up piece.
pub(super) fn event_text(event: Event) -> String {
    match event {
        Event::Flip(square, piece) => format!("{square}={}", piece.letter()),
        Event::Go { from, to } => format!("{from}{to}"),
    }
}

/// The three forms of a move or event.
enum Form {
    Flip(Square),
    Shown(Square, Piece),
    Go(Square, Square),
}

impl Form {
    fn read(text: &str) -> Option<Self> {
        let first = read_square(text.get(..2)?)?;
        let rest = &text[2..];
        if rest.is_empty() {
            return Some(Self::Flip(first));
        }
        let Some(letter) = rest.strip_prefix('=') else {
            return Some(Self::Go(first, read_square(rest)?));
        };
        let mut letters = letter.chars();
        let piece = Piece::from_letter(letters.next()?)?;
        letters.next().is_none().then_some(Self::Shown(first, piece))
    }
}

fn read_square(text: &str) -> Option<Square> {
    let &[file, rank] = text.as_bytes() else { return None };
    Square::at(file.to_ascii_lowercase().wrapping_sub(b'a'), rank.wrapping_sub(b'1'))
}

/// Reads a legal move: the whole of [`Position::read_move`].
pub(super) fn read_move(position: &Banqi, text: &str) -> Result<Move, MoveError> {
    let mv = match Form::read(text) {
        Some(Form::Flip(square)) => Move::Flip(square),
        Some(Form::Go(from, to)) => Move::Go { from, to },
        Some(Form::Shown(..)) | None => {
            return Err(MoveError::Malformed {
                text: text.to_owned(),
                expected: "a square to flip such as c4, or two squares such as b2b3",
            });
        }
    };
    if is_legal(position, mv) { Ok(mv) } else { Err(illegal(text)) }
}

/// Reads an event that can happen: the whole of [`Position::read_event`].
pub(super) fn read_event(position: &Banqi, text: &str) -> Result<Event, MoveError> {
    match Form::read(text) {
        Some(Form::Go(from, to)) if is_legal(position, Move::Go { from, to }) => {
            Ok(Event::Go { from, to })
        }
        Some(Form::Flip(square)) if is_legal(position, Move::Flip(square)) => {
            Err(MoveError::OutcomeMissing { text: text.to_owned() })
        }
        Some(Form::Shown(square, piece)) if is_legal(position, Move::Flip(square)) => {
            let pool = position.board.pool();
            if pool.count(piece) == 0 {
                return Err(MoveError::NotInPool { text: text.to_owned(), pool: pool.to_string() });
            }
            Ok(Event::Flip(square, piece))
        }
        Some(_) => Err(illegal(text)),
        None => Err(MoveError::Malformed {
            text: text.to_owned(),
            expected: "a flip with the piece it showed such as c4=P, or two squares such as b2b3",
        }),
    }
}

fn is_legal(position: &Banqi, mv: Move) -> bool {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.contains(&mv)
}

fn illegal(text: &str) -> MoveError {
    MoveError::Illegal { text: text.to_owned() }
}
