//! Text: positions as PDN FEN with the counters of draughts servers, moves with their landing
//! squares, and a picture of the board.

use std::collections::HashSet;
use std::fmt;

use super::board::{Board, Color, Rank};
use super::moves::{Course, Move, View};
use super::squares::{Direction, Square, Squares};
use super::{Draughts, RuleSet};
use crate::position::{MoveError, Position};

/// Why a text is not a position of draughts: first what can't be drawn, then what can't be played.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PositionError {
    /// The text does not begin with the side to move.
    #[error("{0:?} is not a side to move, expected W or B")]
    SideToMove(String),
    /// A part between colons is of no known kind.
    #[error("{0:?} is not a part of a position, expected W…, B…, H… or F…")]
    Part(String),
    /// A part of the same kind came before.
    #[error("{0:?} is a second part of its kind, expected one of each")]
    SecondPart(String),
    /// A color has no list of pieces, not even an empty one.
    #[error("{text:?} has no list of {color} pieces, expected for example W:W31-50:B1-20")]
    NoList {
        /// The position text.
        text: String,
        /// The color.
        color: &'static str,
    },
    /// An entry of a list does not name pieces.
    #[error("{0:?} does not name pieces, expected for example 32, K32 or 31-50")]
    Pieces(String),
    /// A square has a number that is not on the board.
    #[error("{0:?} is not a square, expected a number from 1 to 50")]
    Square(String),
    /// The last square of a range comes before its first.
    #[error("{0:?} runs backwards, expected the smaller square first")]
    Backwards(String),
    /// Two pieces stand on one square.
    #[error("{0:?} puts a second piece on {1}, expected one piece a square")]
    Taken(String, Square),
    /// The plies since the last progress are no number that is counted to.
    #[error("{0:?} is not a number of plies, expected H0 to H65535")]
    Plies(String),
    /// The number of the move is none that is counted to.
    #[error("{0:?} is not the number of a move, expected F1 to F65535")]
    MoveNumber(String),
    /// A board of the Hub protocol has not fifty letters, or other ones.
    #[error("{0:?} is not a board, expected a side and 50 letters of w, W, b, B and e")]
    Letters(String),
    /// No game comes to an empty board: who moved last has a piece.
    #[error("{0:?} is an empty board, expected a piece")]
    EmptyBoard(String),
    /// A side has more pieces than a game begins with.
    #[error("{color} has {count} pieces, expected at most 20")]
    TooManyPieces {
        /// The side.
        color: &'static str,
        /// Its pieces.
        count: u32,
    },
    /// A man stands where it would have become a king.
    #[error("a {color} man stands on {square}, its last row, expected a king, K{square}")]
    ManOnLastRow {
        /// The man's color.
        color: &'static str,
        /// The first such square.
        square: Square,
    },
}

/// The pieces that a side begins a game with; it never gets more.
const MOST_PIECES: u32 = 20;

/// What a position text tells, as far as it has been read.
#[derive(Default)]
struct Drawing {
    board: Board,
    listed: [bool; 2],
    idle: Option<u16>,
    number: Option<u16>,
}

pub(super) fn read_position<R: RuleSet>(
    text: &str,
    rules: R::Rules,
) -> Result<Draughts<R>, PositionError> {
    let trimmed = text.trim();
    let mut parts = trimmed.strip_suffix('.').unwrap_or(trimmed).split(':');
    let color = match parts.next() {
        Some("W" | "w") => Color::White,
        Some("B" | "b") => Color::Black,
        other => return Err(PositionError::SideToMove(other.unwrap_or_default().to_owned())),
    };
    let mut drawing = Drawing::default();
    for part in parts {
        drawing.add(part)?;
    }
    for color in Color::ALL {
        if !drawing.listed[color as usize] {
            return Err(PositionError::NoList { text: text.to_owned(), color: color.name() });
        }
    }
    check_legal(&drawing.board, text)?;
    let (idle, number) = (drawing.idle.unwrap_or(0), drawing.number.unwrap_or(1));
    Ok(Draughts::new(drawing.board, color, idle, number, rules))
}

/// Whether a board can be played on. It need not arise in a game.
pub(super) fn check_legal(board: &Board, text: &str) -> Result<(), PositionError> {
    if board.occupied().is_empty() {
        return Err(PositionError::EmptyBoard(text.to_owned()));
    }
    for color in Color::ALL {
        let count = board.of(color).len();
        if count > MOST_PIECES {
            return Err(PositionError::TooManyPieces { color: color.name(), count });
        }
        let stuck = (board.of(color) - board.kings()) & color.last_row();
        if let Some(square) = stuck.into_iter().next() {
            return Err(PositionError::ManOnLastRow { color: color.name(), square });
        }
    }
    Ok(())
}

impl Drawing {
    /// Adds a part of the text: `W31,K32`, `H4`.
    fn add(&mut self, part: &str) -> Result<(), PositionError> {
        let mut letters = part.chars();
        let second = || PositionError::SecondPart(part.to_owned());
        match letters.next().map(|letter| letter.to_ascii_uppercase()) {
            Some('W') => {
                self.add_pieces(Color::White, letters.as_str()).unwrap_or_else(|| Err(second()))
            }
            Some('B') => {
                self.add_pieces(Color::Black, letters.as_str()).unwrap_or_else(|| Err(second()))
            }
            Some('H') => {
                let plies = read_number(letters.as_str());
                let plies = plies.ok_or_else(|| PositionError::Plies(part.to_owned()))?;
                self.idle.replace(plies).map_or(Ok(()), |_| Err(second()))
            }
            Some('F') => {
                let number = read_number(letters.as_str()).filter(|&number| number > 0);
                let number = number.ok_or_else(|| PositionError::MoveNumber(part.to_owned()))?;
                self.number.replace(number).map_or(Ok(()), |_| Err(second()))
            }
            _ => Err(PositionError::Part(part.to_owned())),
        }
    }

    /// Adds the pieces of a color; `None` when they were told before.
    fn add_pieces(&mut self, color: Color, list: &str) -> Option<Result<(), PositionError>> {
        if std::mem::replace(&mut self.listed[color as usize], true) {
            return None;
        }
        let mut entries = list.split(',').filter(|_| !list.is_empty());
        Some(entries.try_for_each(|entry| self.add_entry(color, entry)))
    }

    /// Adds `32`, `K32`, `31-50` or `K31-50`.
    fn add_entry(&mut self, color: Color, entry: &str) -> Result<(), PositionError> {
        let (rank, squares) = match entry.strip_prefix(['K', 'k']) {
            Some(squares) => (Rank::King, squares),
            None => (Rank::Man, entry),
        };
        let (first, last) = squares.split_once('-').unwrap_or((squares, squares));
        let square = |text: &str| {
            let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            match text.parse().ok().and_then(Square::numbered) {
                Some(square) if is_number => Ok(square),
                None if is_number => Err(PositionError::Square(text.to_owned())),
                _ => Err(PositionError::Pieces(entry.to_owned())),
            }
        };
        let (first, last) = (square(first)?, square(last)?);
        if last < first {
            return Err(PositionError::Backwards(entry.to_owned()));
        }
        for square in Squares::ALL.into_iter().filter(|&square| first <= square && square <= last) {
            if self.board.occupied().contains(square) {
                return Err(PositionError::Taken(entry.to_owned(), square));
            }
            self.board.put(color, rank, square);
        }
        Ok(())
    }
}

/// A number of digits alone, without the sign that Rust would read.
fn read_number(text: &str) -> Option<u16> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

impl<R: RuleSet> fmt::Display for Draughts<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = |color| if color == Color::White { 'W' } else { 'B' };
        write!(f, "{}", letter(self.color))?;
        for color in Color::ALL {
            write!(f, ":{}", letter(color))?;
            for (index, square) in self.board.of(color).into_iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                let king = if self.board.rank(square) == Rank::King { "K" } else { "" };
                write!(f, "{comma}{king}{square}")?;
            }
        }
        write!(f, ":H{}:F{}", self.idle, self.number)
    }
}

/// White at the bottom, `w` and `b` men, `W` and `B` kings, `.` an empty dark square; the numbers
/// at both ends are those of a row's first and last square.
pub(super) fn picture(board: &Board) -> String {
    let symbol = |square: Square| match (board.of(Color::White), board.of(Color::Black)) {
        (white, _) if white.contains(square) => ['w', 'W'][board.rank(square) as usize],
        (_, black) if black.contains(square) => ['b', 'B'][board.rank(square) as usize],
        _ => '.',
    };
    let row = |row: u8| {
        let squares = Squares::row(row.into()).into_iter();
        let cells: Vec<String> = squares.map(|square| symbol(square).to_string()).collect();
        // The light square comes first on the rows that begin with 1, 11, 21, 31 and 41.
        let (indent, outdent) = if row.is_multiple_of(2) { ("  ", "") } else { ("", "  ") };
        format!("{:2}  {indent}{}{outdent}  {:2}", row * 5 + 1, cells.join("   "), row * 5 + 5)
    };
    (0..10).map(row).collect::<Vec<_>>().join("\n")
}

pub(super) fn move_text<R: RuleSet>(position: &Draughts<R>, mv: Move) -> String {
    if !mv.is_capture() {
        return format!("{}-{}", mv.from(), mv.to());
    }
    let mut path = Path { course: course(position, mv.from()), mv, dead_ends: HashSet::new() };
    let mut squares = path.onwards(mv.from(), Squares::NONE).unwrap_or_default();
    squares.push(mv.from());
    let numbers: Vec<String> = squares.iter().rev().map(Square::to_string).collect();
    numbers.join("x")
}

pub(super) fn course<R: RuleSet>(position: &Draughts<R>, from: Square) -> Course<R> {
    let view = View::<R>::new(position.board(), position.color_to_move());
    view.course(from, position.board().rank(from))
}

/// The search for the ways that a capture can take.
struct Path<R> {
    course: Course<R>,
    mv: Move,
    /// From these squares, with these pieces captured, no way leads to the end of the capture.
    dead_ends: HashSet<(Square, Squares)>,
}

impl<R: RuleSet> Path<R> {
    /// The smallest way from `at` to the end, in numeric order of its squares and last square first,
    /// when the pieces on `taken` are captured.
    fn onwards(&mut self, at: Square, taken: Squares) -> Option<Vec<Square>> {
        if taken == self.mv.captured() {
            return (at == self.mv.to()).then(Vec::new);
        }
        if self.dead_ends.contains(&(at, taken)) {
            return None;
        }
        let jumps = Direction::ALL.map(|direction| self.course.jump(direction, at, taken));
        let ours = jumps.iter().filter(|(victim, _)| victim.meets(self.mv.captured()));
        let mut steps: Vec<(Square, Squares)> = ours
            .flat_map(|&(victim, landings)| landings.into_iter().map(move |to| (to, victim)))
            .collect();
        steps.sort_unstable_by_key(|&(to, _)| to);
        for (to, victim) in steps {
            if let Some(mut rest) = self.onwards(to, taken | victim) {
                rest.push(to);
                return Some(rest);
            }
        }
        self.dead_ends.insert((at, taken));
        None
    }
}

const MOVE_FORM: &str = "for example 32-28 or 28x19x10, with squares from 1 to 50";

pub(super) fn read_move<R: RuleSet>(position: &Draughts<R>, text: &str) -> Result<Move, MoveError> {
    let malformed = || MoveError::Malformed { text: text.to_owned(), expected: MOVE_FORM };
    let is_capture = text.contains(['x', 'X']);
    let separators: &[char] = if is_capture { &['x', 'X'] } else { &['-'] };
    let squares: Option<Vec<Square>> = text.split(separators).map(read_square).collect();
    let squares = squares.ok_or_else(malformed)?;
    let [from, between @ .., to] = squares.as_slice() else { return Err(malformed()) };
    if !is_capture && !between.is_empty() {
        return Err(malformed());
    }

    let mut moves = Vec::new();
    position.moves(&mut moves);
    moves.retain(|mv| mv.from() == *from && mv.to() == *to && mv.is_capture() == is_capture);
    if !between.is_empty() {
        let captured = captured_along(position, &squares);
        moves.retain(|mv| Some(mv.captured()) == captured);
    }
    match moves.as_slice() {
        [] => Err(MoveError::Illegal { text: text.to_owned() }),
        [mv] => Ok(*mv),
        several => {
            let candidates: Vec<String> =
                several.iter().map(|&mv| position.move_text(mv)).collect();
            Err(MoveError::Ambiguous { text: text.to_owned(), candidates: candidates.join(" ") })
        }
    }
}

pub(super) fn read_square(text: &str) -> Option<Square> {
    read_number(text).and_then(|number| u8::try_from(number).ok()).and_then(Square::numbered)
}

/// What a capture by way of exactly these landing squares takes; `None` if it is no way.
fn captured_along<R: RuleSet>(position: &Draughts<R>, squares: &[Square]) -> Option<Squares> {
    let from = *squares.first()?;
    if !position.board().of(position.color_to_move()).contains(from) {
        return None;
    }
    let course = course(position, from);
    squares.windows(2).try_fold(Squares::NONE, |taken, step| {
        let jumps = Direction::ALL.map(|direction| course.jump(direction, step[0], taken));
        let (victim, _) = jumps.into_iter().find(|(_, landings)| landings.contains(step[1]))?;
        Some(taken | victim)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::{Fmjd, Site, SiteRules};
    use crate::position::Rules;

    fn fmjd(text: &str) -> Draughts<Fmjd> {
        Draughts::read(text, ()).unwrap_or_else(|error| panic!("{error} in {text}"))
    }

    fn site(text: &str) -> Draughts<Site> {
        Draughts::read(text, SiteRules::default())
            .unwrap_or_else(|error| panic!("{error} in {text}"))
    }

    #[test]
    fn a_position_is_read_in_all_its_spellings() {
        let check =
            |text: &str, printed: &str| assert_eq!(fmjd(text).to_string(), printed, "{text}");
        let start = Draughts::<Fmjd>::start(()).to_string();
        check("W:W31-50:B1-20", &start);
        check(" W:B1-20:W31-50:H0:F1. ", &start);
        check("W:F1:H0:B20,19,1-18:W50,31-49", &start);
        check("w:w31-50:b1-20:h0:f1", &start);
        check("B:W50:B", "B:W50:B:H0:F1");
        check("W:WK4-6:B", "W:WK4,K5,K6:B:H0:F1");
        check("W:W:BK3", "W:W:BK3:H0:F1");
        check("B:W06-8,K01:BK46-46:F7:H12.", "B:WK1,6,7,8:BK46:H12:F7");
        check("B:WK1:BK2:H65535:F65535", "B:WK1:BK2:H65535:F65535");
    }

    #[test]
    fn what_is_no_position_is_refused_with_the_reason() {
        let check =
            |text: &str, message: &str| match Draughts::<Site>::read(text, SiteRules::default()) {
                Ok(position) => panic!("{text} reads as {position}"),
                Err(error) => assert_eq!(error.to_string(), message, "{text}"),
            };
        check("", r#""" is not a side to move, expected W or B"#);
        check("WB:W1:B2", r#""WB" is not a side to move, expected W or B"#);
        check("W:W31::B1", r#""" is not a part of a position, expected W…, B…, H… or F…"#);
        check("W:W31:B1:X3", r#""X3" is not a part of a position, expected W…, B…, H… or F…"#);
        check("W:W31:B1:", r#""" is not a part of a position, expected W…, B…, H… or F…"#);
        check("W:W31:W32", r#""W32" is a second part of its kind, expected one of each"#);
        check("W:W31:B1:H1:H2", r#""H2" is a second part of its kind, expected one of each"#);
        check("W:W31:B1:F1:F1", r#""F1" is a second part of its kind, expected one of each"#);
        let example = "expected for example W:W31-50:B1-20";
        check("W:W31", &format!(r#""W:W31" has no list of black pieces, {example}"#));
        check("W:B1", &format!(r#""W:B1" has no list of white pieces, {example}"#));
        let pieces = "does not name pieces, expected for example 32, K32 or 31-50";
        check("W:W31,:B1", &format!(r#""" {pieces}"#));
        check("W:WQ31:B1", &format!(r#""Q31" {pieces}"#));
        check("W:WKK31:B1", &format!(r#""KK31" {pieces}"#));
        check("W:W+31:B1", &format!(r#""+31" {pieces}"#));
        check("W:W31-33-35:B1", &format!(r#""31-33-35" {pieces}"#));
        check("W:WK31-K33:B1", &format!(r#""K31-K33" {pieces}"#));
        check("W:W 31:B1", &format!(r#"" 31" {pieces}"#));
        check("W:W0:B4", r#""0" is not a square, expected a number from 1 to 50"#);
        check("W:WK4,WK5,55:B4", &format!(r#""WK5" {pieces}"#));
        check("W:WK4,55:B4", r#""55" is not a square, expected a number from 1 to 50"#);
        check("W:W40-300:B4", r#""300" is not a square, expected a number from 1 to 50"#);
        check("W:W50-31:B1", r#""50-31" runs backwards, expected the smaller square first"#);
        check("W:W14,14:B10", r#""14" puts a second piece on 14, expected one piece a square"#);
        check("W:W14:B14", r#""14" puts a second piece on 14, expected one piece a square"#);
        check(
            "W:W14:BK12-16",
            r#""K12-16" puts a second piece on 14, expected one piece a square"#,
        );
        check("W:W31:B1:H65536", r#""H65536" is not a number of plies, expected H0 to H65535"#);
        check("W:W31:B1:H-1", r#""H-1" is not a number of plies, expected H0 to H65535"#);
        check("W:W31:B1:H", r#""H" is not a number of plies, expected H0 to H65535"#);
        check("W:W31:B1:F0", r#""F0" is not the number of a move, expected F1 to F65535"#);
        check("W:W31:B1:F+1", r#""F+1" is not the number of a move, expected F1 to F65535"#);
        check("W:W:B", r#""W:W:B" is an empty board, expected a piece"#);
        check("W:W30-50:B1", "white has 21 pieces, expected at most 20");
        check("W:W31:BK1-21", "black has 21 pieces, expected at most 20");
        check("W:W4:B49", "a white man stands on 4, its last row, expected a king, K4");
        check("W:WK4:B49", "a black man stands on 49, its last row, expected a king, K49");
    }

    #[test]
    fn the_counters_stop_at_their_largest_value() {
        let last = site("W:WK46:BK1:H65535:F65535").mirrored();
        let mv = last.read_move("5-10").unwrap();
        assert_eq!(last.after(mv).to_string(), "W:WK50:BK10:H65535:F65535");
    }

    #[test]
    fn the_limit_is_no_part_of_the_text() {
        let rules = <Draughts<Site> as Position>::Rules::default().with_no_progress_plies(7);
        let position = Draughts::<Site>::read("W:W31:B1:H3", rules).unwrap();
        assert_eq!(position.to_string(), "W:W31:B1:H3:F1");
    }

    #[test]
    fn a_capture_prints_the_smallest_of_its_ways() {
        let check = |text, moves: &[&str]| {
            let position = fmjd(text);
            let mut list = Vec::new();
            position.moves(&mut list);
            let mut texts: Vec<String> = list.iter().map(|&mv| position.move_text(mv)).collect();
            texts.sort();
            assert_eq!(texts, moves, "{text}");
        };
        check("W:W28:B22,12", &["28x17x8"]);
        check("W:W15:B9,10", &["15x4x13"]);
        check("B:W27,28,38,39,42:BK25", &["25x48x31x22x33"]);
        check("W:WK2:B7,8,17,18", &["2x11x22x13x2"]);
        check("W:WK4:B13,32,37,20", &["4x27x38x15", "4x31x42x15"]);
    }

    #[test]
    fn a_move_is_read_in_all_its_spellings() {
        let check = |text, spelling, printed: &str| {
            let position = fmjd(text);
            let mv = position.read_move(spelling).map_err(|error| error.to_string());
            let read = mv.map(|mv| position.move_text(mv));
            assert_eq!(read.as_deref(), Ok(printed), "{spelling} at {text}");
        };
        let start = "W:W31-50:B1-20";
        check(start, "32-28", "32-28");
        check(start, "032-28", "32-28");
        check("W:W28:B22,12", "28x17x8", "28x17x8");
        check("W:W28:B22,12", "28X17x8", "28x17x8");
        check("W:W28:B22,12", "28x8", "28x17x8");
        // The same capture the other way round, and with longer flights between.
        check("W:WK2:B7,8,17,18", "2x13x22x11x2", "2x11x22x13x2");
        check("W:WK2:B7,8,17,18", "2x2", "2x11x22x13x2");
    }

    #[test]
    fn what_is_no_move_is_refused_with_the_reason() {
        let check = |position: &str, text: &str, message: &str| {
            let error = fmjd(position).read_move(text).map_err(|error| error.to_string());
            assert_eq!(error, Err(message.to_owned()), "{text} at {position}");
        };
        let start = "W:W31-50:B1-20";
        let expected = format!("is not a move, expected {MOVE_FORM}");
        for text in ["", "32", "32-", "-28", "32-28-23", "32-51", "0-28", "32x", "3+2-28", "a1-b2"]
        {
            check(start, text, &format!("{text:?} {expected}"));
        }
        check(start, "32-29", r#""32-29" is not legal here"#);
        check(start, "32x28", r#""32x28" is not legal here"#);
        check(start, "19-23", r#""19-23" is not legal here"#);
        let two = "W:WK4:B13,32,37,20";
        check(two, "4x15", r#""4x15" is ambiguous, expected one of 4x27x38x15 4x31x42x15"#);
        // Squares that the piece passes, but does not land on in this order.
        check("W:W28:B22,12", "28x22x8", r#""28x22x8" is not legal here"#);
        check("W:W28:B22,12", "28x17x12x8", r#""28x17x12x8" is not legal here"#);
        check("W:W28:B22,12", "28-8", r#""28-8" is not legal here"#);
        check("W:W28:B22,12", "28x17", r#""28x17" is not legal here"#);
        check("W:WK2:B7,8,17,18", "2x11x2", r#""2x11x2" is not legal here"#);
        check("W:WK2:B7,8,17,18", "8x17x2", r#""8x17x2" is not legal here"#);
    }

    #[test]
    fn the_picture_shows_the_board_from_the_side_of_white() {
        let expected = [
            " 1    b   .   .   .   .   5",
            " 6  .   .   .   .   .    10",
            "11    .   .   .   .   .  15",
            "16  .   .   .   .   .    20",
            "21    .   .   .   .   .  25",
            "26  .   .   W   .   .    30",
            "31    .   .   .   .   .  35",
            "36  .   .   .   .   .    40",
            "41    .   .   .   B   .  45",
            "46  w   .   .   .   .    50",
        ];
        assert_eq!(fmjd("W:W46,K28:B1,K44").picture(), expected.join("\n"));
    }
}
