//! What lies face down: the one place in the program that knows it.
//!
//! The referee asks the deal what a choice leads to, and tells the players only what then has
//! happened. A game without chance has nothing to hide.

use super::chance::Stream;
use crate::games::banqi::{Banqi, Event, Move, Piece, Square};
use crate::position::{Deterministic, Position};

/// What is hidden in a game of `P`.
pub(crate) trait Deal<P: Position>: Send + Sync + Sized {
    /// One of the deals that are possible in `position`, each as likely as any other.
    fn shuffled(position: &P, stream: &mut Stream) -> Self;

    /// What happens when `mv`, which is legal, is chosen in `position`.
    fn event(&self, position: &P, mv: P::Move) -> P::Event;

    /// The deal for the record; `None` where there is nothing hidden.
    fn text(&self) -> Option<String>;
}

/// Nothing is hidden.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open;

impl<P: Deterministic> Deal<P> for Open {
    fn shuffled(_position: &P, _stream: &mut Stream) -> Self {
        Self
    }

    fn event(&self, _position: &P, mv: P::Move) -> P::Event {
        mv
    }

    fn text(&self) -> Option<String> {
        None
    }
}

/// Which piece lies face down on each square, in the order of [`Square::all`].
#[derive(Clone, Debug)]
pub(crate) struct FaceDown {
    pieces: Vec<Option<Piece>>,
}

impl Deal<Banqi> for FaceDown {
    fn shuffled(position: &Banqi, stream: &mut Stream) -> Self {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let flips = moves.into_iter().filter_map(|mv| match mv {
            Move::Flip(square) => Some(square),
            Move::Go { .. } => None,
        });
        let pool = position.pool().iter();
        let mut pool: Vec<Piece> =
            pool.flat_map(|(piece, count)| vec![piece; usize::from(count)]).collect();
        stream.shuffle(&mut pool);
        let mut pieces = vec![None; Square::all().count()];
        for (square, piece) in flips.zip(pool) {
            pieces[square.index()] = Some(piece);
        }
        Self { pieces }
    }

    fn event(&self, _position: &Banqi, mv: Move) -> Event {
        match mv {
            Move::Flip(square) => {
                let piece = self.pieces[square.index()];
                Event::Flip(square, piece.expect("a piece was dealt to every face-down square"))
            }
            Move::Go { from, to } => Event::Go { from, to },
        }
    }

    /// A letter a square, a1 to h1 first, `.` where nothing was face down.
    fn text(&self) -> Option<String> {
        Some(self.pieces.iter().map(|piece| piece.map_or('.', Piece::letter)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::super::chance::Seed;
    use super::*;

    #[test]
    fn a_deal_holds_the_pool_and_is_kept_to_the_end() {
        let start = Banqi::start(());
        let deal = FaceDown::shuffled(&start, &mut Seed(7).stream());
        let mut shown: Vec<char> = Vec::new();
        let mut position = start;
        for square in Square::all() {
            let event = deal.event(&position, Move::Flip(square));
            shown.extend(position.event_text(event).chars().last());
            position = position.after(event);
        }
        assert_eq!(deal.text(), Some(shown.iter().collect()));
        assert_eq!(position.pool().total(), 0);
        let other = FaceDown::shuffled(&start, &mut Seed(8).stream());
        assert_ne!(other.text(), deal.text());
    }

    #[test]
    fn only_face_down_squares_are_dealt_to() {
        let position = Banqi::read("1r6/8/1?6/1C5K r P 0 1", ()).unwrap();
        let deal = FaceDown::shuffled(&position, &mut Seed(1).stream());
        assert_eq!(deal.text().unwrap(), ".........P......................");
    }
}
