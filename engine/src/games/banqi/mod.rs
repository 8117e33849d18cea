//! Banqi (Chinese dark chess) on 8×4 squares.
//!
//! # Rules
//!
//! - 32 pieces lie face down in random order, one on each square: of each color 1 general, 2
//!   advisors, 2 elephants, 2 chariots, 2 horses, 2 cannons and 5 soldiers.
//! - A ply is a flip of a face-down piece or a move of an own face-up piece. The first ply of the
//!   game is a flip; the first player gets the color that it shows.
//! - Every piece steps to an empty square next to it: up, down, left or right.
//! - A piece captures a face-up enemy next to it of the same or a lower rank: general, advisor,
//!   elephant, chariot, horse, cannon, soldier. But a soldier captures a general, and a general
//!   never captures a soldier.
//! - A cannon captures only by a jump: along a rank or file, at any distance, a face-up enemy of
//!   any rank, with exactly one piece in between, whoever owns it and whether it is face up or not.
//! - Face-down pieces can't be captured. They block the way and serve as what a cannon jumps.
//! - A side whose 16 pieces are all captured has lost; face-down pieces are not captured. Otherwise
//!   a side to move with nothing to flip and no move has lost. Otherwise
//!   [`QUIET_PLIES_TO_DRAW`] plies in a row without capture and flip are a draw.
//!
//! # What is not known
//!
//! A [`Banqi`] holds what both players know: the squares, and the face-down pieces as counts
//! ([`Census`]). Which of them lies where is nowhere in it, so nothing that looks at a position can
//! play by it. A flip is a [`Move`]; what it shows is an [`Event`] that the game's record brings.
//!
//! # Sides
//!
//! The first player moves at odd ply numbers, whatever the color turns out to be.

mod board;
mod endgames;
mod eval;
mod features;
mod moves;
mod order;
mod pool;
mod text;

use crate::position::{Key, MoveError, Ordered, Outcome, Position, Side, Weight};

pub use self::board::Square;
pub use self::eval::Evaluation;
pub use self::pool::{Census, Color, Kind, Piece};
pub use self::text::BanqiError;

use self::board::{Board, KEYS, SQUARES};

/// So many plies in a row without a capture and without a flip are a draw.
pub const QUIET_PLIES_TO_DRAW: u16 = 120;

/// The ply number does not count on beyond this, which no game reaches: at most 31 captures and 32
/// flips interrupt the quiet plies.
const LAST_PLY_NUMBER: u32 = 1_000_000;

/// From here on a search may meet the draw by quiet plies, so that its table must tell positions
/// apart by them: 40 plies are more than it looks ahead.
const QUIET_PLIES_THAT_MATTER: u16 = QUIET_PLIES_TO_DRAW - 40;

/// A position, as both players see it.
///
/// ```
/// use yardmaster::games::banqi::Banqi;
/// use yardmaster::position::Position;
///
/// let position = Banqi::read("1r6/8/1?6/1C5K r P 0 1", ())?;
/// assert_eq!(
///     position.picture(),
///     "4  . r . . . . . .\n\
///      3  . . . . . . . .\n\
///      2  . ? . . . . . .\n\
///      1  . C . . . . . K\n   a b c d e f g h"
/// );
/// // The cannon jumps the face-down piece, which is the pool's only one: a red soldier.
/// let position = position.after(position.read_event("b1b4")?);
/// assert_eq!(position.to_string(), "1C6/8/1?6/7K b P 0 2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banqi {
    board: Board,
    /// Nobody knows before the first flip.
    to_move: Option<Color>,
    /// Plies since the last capture or flip.
    quiet_plies: u16,
    /// The number of the next ply, 1 for the first of the game.
    ply_number: u32,
}

/// What a player chooses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Move {
    /// Turn the face-down piece of a square up.
    Flip(Square),
    /// Move a face-up piece, to an empty square or onto the enemy that it captures.
    Go {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
}

/// What then happens.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A square was turned up and showed a piece.
    Flip(Square, Piece),
    /// A face-up piece moved.
    Go {
        /// Where it stood.
        from: Square,
        /// Where it went.
        to: Square,
    },
}

impl Banqi {
    /// The color to move; `None` before the first flip.
    pub fn color_to_move(&self) -> Option<Color> {
        self.to_move
    }

    /// The face-down pieces.
    pub fn pool(&self) -> Census {
        self.board.pool()
    }

    /// Whether all 16 pieces of a color are captured.
    fn all_captured(&self, color: Color) -> bool {
        !self.board.living().has(color)
    }

    /// Whether the side to move has nothing to flip and no move.
    fn is_stuck(&self) -> bool {
        let hidden = self.board.hidden().is_empty();
        hidden && self.to_move.is_none_or(|color| moves::count(&self.board, color) == 0)
    }

    /// Whether the game is over because a side has no piece left.
    fn is_decided(&self) -> bool {
        Color::ALL.into_iter().any(|color| self.all_captured(color))
    }
}

impl Position for Banqi {
    type Move = Move;
    type Event = Event;
    type Rules = ();
    type ReadError = BanqiError;

    fn start((): ()) -> Self {
        Self { board: Board::start(), to_move: None, quiet_plies: 0, ply_number: 1 }
    }

    fn read(text: &str, (): ()) -> Result<Self, BanqiError> {
        text::read(text)
    }

    fn side_to_move(&self) -> Side {
        if self.ply_number % 2 == 1 { Side::First } else { Side::Second }
    }

    /// The color of the side; `first` or `second` before the first flip.
    fn side_name(&self, side: Side) -> &'static str {
        match (self.to_move, side) {
            (Some(color), _) if side == self.side_to_move() => color.name(),
            (Some(color), _) => color.other().name(),
            (None, Side::First) => "first",
            (None, Side::Second) => "second",
        }
    }

    fn moves(&self, out: &mut Vec<Move>) {
        match self.to_move {
            _ if self.is_decided() => (),
            Some(color) => moves::list(&self.board, color, out),
            None => moves::list_flips(self.board.hidden(), out),
        }
    }

    fn events(&self, mv: Move) -> impl Iterator<Item = (Event, Weight)> {
        let (flip, go) = match mv {
            Move::Flip(square) => (Some(square), None),
            Move::Go { from, to } => (None, Some((Event::Go { from, to }, Weight(1)))),
        };
        let shown = flip.into_iter().flat_map(|square| {
            let flips = self.board.pool().iter();
            flips.map(move |(piece, n)| (Event::Flip(square, piece), Weight(n.into())))
        });
        go.into_iter().chain(shown)
    }

    /// `None` for every flip, even when the pool has one kind of piece left: what a flip shows is
    /// told by the game's record, not by the engine.
    fn sole_event(&self, mv: Move) -> Option<Event> {
        match mv {
            Move::Flip(_) => None,
            Move::Go { from, to } => Some(Event::Go { from, to }),
        }
    }

    fn after(&self, event: Event) -> Self {
        let mut next = *self;
        let mover = match event {
            Event::Flip(square, piece) => {
                next.board.reveal(square, piece);
                next.quiet_plies = 0;
                // The first flip gives its player the color that it shows.
                self.to_move.unwrap_or(piece.color)
            }
            Event::Go { from, to } => {
                next.quiet_plies = match next.board.carry(from, to) {
                    Some(_) => 0,
                    None => self.quiet_plies.saturating_add(1),
                };
                self.to_move.expect("before the first flip no piece is face up")
            }
        };
        next.to_move = Some(mover.other());
        // At the very end the number goes to and fro, so that the side still changes.
        next.ply_number = if self.ply_number < LAST_PLY_NUMBER {
            self.ply_number + 1
        } else {
            self.ply_number - 1
        };
        next
    }

    fn count_events(&self) -> u64 {
        if self.is_decided() {
            return 0;
        }
        let flips = self.board.hidden().count() * self.board.pool().different();
        let moves = self.to_move.map_or(0, |color| moves::count(&self.board, color));
        u64::from(flips + moves)
    }

    fn outcome(&self, _moves: &[Move]) -> Option<Outcome> {
        let (own, opponent) = (self.side_to_move(), self.side_to_move().other());
        let won_by = |winner, reason| Some(Outcome { winner: Some(winner), reason });
        match self.to_move {
            Some(color) if self.all_captured(color) => won_by(opponent, "all captured"),
            Some(color) if self.all_captured(color.other()) => won_by(own, "all captured"),
            _ if self.is_stuck() => won_by(opponent, "no legal move"),
            _ if self.quiet_plies >= QUIET_PLIES_TO_DRAW => {
                Some(Outcome { winner: None, reason: "120 plies without capture or flip" })
            }
            _ => None,
        }
    }

    fn key(&self) -> Key {
        match self.to_move {
            Some(Color::Black) => Key(self.board.key().0 ^ KEYS.black),
            // A full pool tells that nothing has been flipped.
            Some(Color::Red) | None => self.board.key(),
        }
    }

    fn reversible_plies(&self) -> usize {
        self.quiet_plies.into()
    }

    /// Games between programs last 141 plies on average, and one that is not over by then goes on
    /// for some time.
    fn plies_left(&self) -> u32 {
        160_u32.saturating_sub(self.ply_number).max(20)
    }

    /// The colors are swapped on the board, in the pool and for the side to move; the ply number
    /// changes by one, so that the other player moves.
    fn mirrored(&self) -> Self {
        let odd = self.ply_number % 2 == 1;
        Self {
            board: self.board.mirrored(),
            to_move: self.to_move.map(Color::other),
            quiet_plies: self.quiet_plies,
            ply_number: if odd { self.ply_number + 1 } else { self.ply_number - 1 },
        }
    }

    fn picture(&self) -> String {
        text::picture(&self.board)
    }

    fn move_text(&self, mv: Move) -> String {
        text::move_text(mv)
    }

    fn event_text(&self, event: Event) -> String {
        text::event_text(event)
    }

    fn read_move(&self, text: &str) -> Result<Move, MoveError> {
        text::read_move(self, text)
    }

    fn read_event(&self, text: &str) -> Result<Event, MoveError> {
        text::read_event(self, text)
    }
}

impl Ordered for Banqi {
    const SLOTS: usize = SQUARES * SQUARES;
    const JUDGED_BY_MOVES: bool = false;
    const REPETITION_IS_VAIN: bool = true;

    /// Leaves out all but one of the flips that change little at once.
    fn likely_moves(&self, out: &mut Vec<Move>) {
        if self.is_decided() {
            return;
        }
        if let Some(color) = self.to_move {
            moves::list_goes(&self.board, color, out);
        }
        moves::list_flips(moves::likely_flips(&self.board), out);
    }

    fn slot(mv: Move) -> u16 {
        let (from, to) = match mv {
            Move::Flip(square) => (square, square),
            Move::Go { from, to } => (from, to),
        };
        (from.index() * SQUARES + to.index()) as u16
    }

    /// Captures are. A flip is not: most of them change little.
    fn is_tactical(&self, mv: Move) -> bool {
        match mv {
            Move::Flip(_) => false,
            Move::Go { to, .. } => self.board.piece(to).is_some(),
        }
    }

    fn promise(&self, mv: Move) -> i32 {
        order::promise(&self.board, mv)
    }

    /// Every position counts as quiet: what threatens to be taken is judged as it stands.
    fn is_quiet(&self, _moves: &[Move]) -> bool {
        true
    }

    /// Captures that seem to gain.
    fn gains(&self, _is_beyond: bool, out: &mut Vec<Move>) {
        if let Some(color) = self.to_move {
            order::list_gains(&self.board, color, out);
        }
    }

    fn table_key(&self) -> Key {
        let near = u64::from(self.quiet_plies.saturating_sub(QUIET_PLIES_THAT_MATTER));
        Key(self.key().0 ^ near.wrapping_mul(KEYS.counter))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Banqi {
        Banqi::read(text, ()).unwrap()
    }

    fn moves(position: &Banqi) -> Vec<Move> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves
    }

    fn play(mut position: Banqi, events: &str) -> Banqi {
        for text in events.split_whitespace() {
            position = position.after(position.read_event(text).unwrap());
        }
        position
    }

    #[test]
    fn a_game_ends_by_capture_then_by_lack_of_moves_then_by_quiet_plies() {
        let check = |text: &str, expected: Option<(&str, &str)>| {
            let position = read(text);
            let outcome = position.outcome(&moves(&position));
            let described = outcome.map(|Outcome { winner, reason }| {
                (winner.map_or("draw", |side| position.side_name(side)), reason)
            });
            assert_eq!(described, expected, "{text}");
        };
        check("7?/8/8/K7 b P 0 1", Some(("red", "all captured")));
        check("7?/8/8/K7 r P 0 1", Some(("red", "all captured")));
        check("7?/8/8/K7 r P 120 1", Some(("red", "all captured")));
        check("7?/8/8/K7 b p 0 1", None);
        check("5APk/7P/8/8 b - 0 1", Some(("red", "no legal move")));
        check("8/8/A7/pE6 b - 120 1", Some(("red", "no legal move")));
        check("7p/8/8/K7 r - 119 1", None);
        check("7p/8/8/K7 r - 120 1", Some(("draw", "120 plies without capture or flip")));
        check("7p/8/8/K6? r P 120 1", Some(("draw", "120 plies without capture or flip")));
    }

    #[test]
    fn the_board_ends_the_moves_and_the_counter_does_not() {
        assert_eq!(moves(&read("7?/8/8/K7 b P 0 1")), []);
        assert_eq!(moves(&read("7?/8/8/K7 r P 0 1")), []);
        assert_eq!(moves(&read("7p/8/8/K7 r - 120 1")).len(), 2);
    }

    #[test]
    fn the_first_flip_gives_its_player_the_color_that_it_shows() {
        let check = |event: &str, to_move: Color, first: &str| {
            let start = Banqi::start(());
            assert_eq!((start.color_to_move(), start.side_name(Side::First)), (None, "first"));
            let position = play(start, event);
            assert_eq!(position.color_to_move(), Some(to_move));
            assert_eq!(position.side_to_move(), Side::Second);
            assert_eq!(position.side_name(Side::First), first);
        };
        check("c4=P", Color::Black, "red");
        check("c4=p", Color::Red, "black");
    }

    #[test]
    fn captures_and_flips_reset_the_quiet_plies() {
        let position = read("8/8/8/Ap4?k r E 7 20");
        let check = |event: &str, quiet: usize| {
            assert_eq!(play(position, event).reversible_plies(), quiet, "after {event}");
        };
        check("a1a2", 8);
        check("a1b1", 0);
        check("g1=E", 0);
    }

    #[test]
    fn a_flip_is_told_by_the_record_even_when_one_kind_is_left() {
        let position = read("8/8/8/A5?k r E 0 20");
        for mv in moves(&position) {
            let events: Vec<_> = position.events(mv).collect();
            let expected = match mv {
                Move::Flip(_) => None,
                Move::Go { .. } => Some(events[0].0),
            };
            assert_eq!((position.sole_event(mv), events.len()), (expected, 1));
        }
    }

    #[test]
    fn what_lies_under_the_face_down_pieces_is_not_in_the_position() {
        let deal: Vec<char> = "KAAEERRHHCCPPPPPkaaeerrhhccppppp".chars().collect();
        // Both deals agree on a1 to d1, the only squares turned up, and on nothing else.
        let other_deal: Vec<char> =
            deal[..4].iter().chain(deal[4..].iter().rev()).copied().collect();
        let [one, other] = [deal, other_deal].map(|deal| {
            let mut position = Banqi::start(());
            for square in Square::all().take(4) {
                let piece = Piece::from_letter(deal[square.index()]).unwrap();
                position = position.after(Event::Flip(square, piece));
            }
            position
        });
        assert_eq!(one, other);
        assert_eq!(one.pool().to_string(), "ER2H2C2P5ka2e2r2h2c2p5");
    }

    #[test]
    fn the_mirror_swaps_colors_pool_and_player() {
        let check = |text: &str, mirrored: &str| {
            assert_eq!(read(text).mirrored(), read(mirrored));
            assert_eq!(read(mirrored).mirrored(), read(text));
        };
        check("1r6/8/1?6/1C5K r P 3 7", "1R6/8/1?6/1c5k b p 3 8");
        let start = Banqi::start(());
        check(&start.to_string(), &start.to_string().replace(" 0 1", " 0 2"));
    }

    #[test]
    fn only_a_counter_near_its_limit_enters_the_key_of_the_table() {
        let at = |quiet: u16| read(&format!("7p/8/8/K7 r - {quiet} 1"));
        assert_eq!(at(0).key(), at(120).key());
        assert_eq!(at(0).table_key(), at(80).table_key());
        let near: Vec<Key> = (80..=120).map(|quiet| at(quiet).table_key()).collect();
        for (place, key) in near.iter().enumerate() {
            assert!(!near[..place].contains(key), "{} quiet plies", place + 80);
        }
        assert_ne!(at(0).key(), read("7p/8/8/K7 b - 0 1").key());
    }

    #[test]
    fn the_last_ply_number_reads_back_and_the_players_still_alternate() {
        let position = read("7p/8/8/K7 r - 0 1000000");
        let next = play(position, "a1a2");
        assert_eq!(read(&next.to_string()), next);
        assert_ne!(next.side_to_move(), position.side_to_move());
        assert_eq!(play(next, "h4h3").side_to_move(), position.side_to_move());
        assert_eq!(position.mirrored().mirrored(), position);
    }

    #[test]
    fn captures_are_tactical_and_flips_are_not() {
        let position = read("8/8/8/Ap4?k r E 0 20");
        let check = |text: &str, tactical: bool| {
            assert_eq!(position.is_tactical(position.read_move(text).unwrap()), tactical, "{text}");
        };
        check("a1b1", true);
        check("a1a2", false);
        check("g1", false);
    }
}
