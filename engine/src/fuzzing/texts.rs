//! Texts of positions, moves and games.

use std::cell::OnceCell;
use std::path::Path;

use crate::arena::fuzz as arena;
use crate::games::banqi::{self, Banqi};
use crate::games::draughts::{self, Draughts, Fmjd, RuleSet, Site, hub};
use crate::games::halma::{self, Halma};
use crate::games::kalah::{self, Kalah};
use crate::pdn::{Reader, Written};
use crate::position::{Evaluate, Ordered, Position};

/// The game that the first byte names, and the text behind it.
fn split(bytes: &[u8]) -> Option<(u8, String)> {
    let (&first, rest) = bytes.split_first()?;
    Some((first, String::from_utf8_lossy(rest).into_owned()))
}

/// The position text of any game, in its native form or in that of Hub.
pub(super) fn positions(bytes: &[u8]) {
    thread_local! {
        static SITE: OnceCell<draughts::Evaluation<Site>> = const { OnceCell::new() };
        static FMJD: OnceCell<draughts::Evaluation<Fmjd>> = const { OnceCell::new() };
    }
    let Some((game, text)) = split(bytes) else { return };
    match game % 7 {
        0 => SITE
            .with(|judge| position::<Draughts<Site>>(&text, judge.get_or_init(Default::default))),
        1 => FMJD
            .with(|judge| position::<Draughts<Fmjd>>(&text, judge.get_or_init(Default::default))),
        2 => position::<Halma>(&text, &halma::Evaluation),
        3 => position::<Banqi>(&text, &banqi::Evaluation::default()),
        4 => position::<Kalah>(&text, &kalah::Evaluation),
        5 => hub_position::<Site>(&text),
        _ => hub_position::<Fmjd>(&text),
    }
}

/// A position that is read is written and read again as it is, and all that can be asked of it has
/// an answer.
fn position<P: Ordered>(text: &str, judge: &impl Evaluate<P>) {
    let Ok(position) = P::read(text, P::Rules::default()) else { return };
    let written = position.to_string();
    let again = P::read(&written, P::Rules::default()).expect("what was written is read");
    assert_eq!((again, again.key()), (position, position.key()), "{text:?} as {written:?}");
    assert_eq!(position.mirrored().mirrored(), position, "{text:?} mirrored twice");
    let _ = (position.picture(), position.plies_left(), judge.evaluate(&position));
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let outcome = position.outcome(&moves);
    assert!(outcome.is_some() || !moves.is_empty(), "{text:?} neither ends nor goes on");
    for &mv in moves.iter().take(8) {
        let name = position.move_text(mv);
        assert_eq!(position.read_move(&name), Ok(mv), "{name} in {text:?}");
        for (event, _) in position.events(mv) {
            let after = position.after(event).to_string();
            let next = P::read(&after, P::Rules::default());
            assert_eq!(next.ok(), Some(position.after(event)), "{name} in {text:?} to {after}");
        }
    }
}

fn hub_position<R: RuleSet>(text: &str) {
    let Ok(position) = hub::read_position::<R>(text, R::Rules::default()) else { return };
    let written = position.to_string();
    let again = Draughts::<R>::read(&written, R::Rules::default());
    assert_eq!(again.ok(), Some(position), "{text:?} as {written:?}");
}

/// Texts of moves of any game, a word each, in a line of play from the start position.
pub(super) fn moves(bytes: &[u8]) {
    let Some((game, text)) = split(bytes) else { return };
    match game % 5 {
        0 => line::<Draughts<Site>>(&text),
        1 => line::<Draughts<Fmjd>>(&text),
        2 => line::<Halma>(&text),
        3 => line::<Banqi>(&text),
        _ => line::<Kalah>(&text),
    }
}

/// A text that is taken for a move names a legal one, which has a text that names it, too.
fn line<P: Position>(text: &str) {
    let mut position = P::start(P::Rules::default());
    for word in text.split(' ') {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        if let Ok(mv) = position.read_move(word) {
            assert!(moves.contains(&mv), "{word:?} in {position}");
            assert_eq!(position.read_move(&position.move_text(mv)), Ok(mv), "{word:?}");
        }
        let Ok(event) = position.read_event(word) else { continue };
        assert_eq!(position.read_event(&position.event_text(event)), Ok(event), "{word:?}");
        position = position.after(event);
    }
}

/// Games in the notation of draughts: what is read is written as it was read.
pub(super) fn pdn(bytes: &[u8]) {
    for game in Reader::new(&String::from_utf8_lossy(bytes)).flatten() {
        let text = Written { game: &game, second_begins: false }.to_string();
        let again: Vec<_> = Reader::new(&text).collect();
        assert_eq!(again, [Ok(game)], "{text}");
    }
}

/// A list of openings of any game.
pub(super) fn openings(bytes: &[u8]) {
    let Some((game, text)) = split(bytes) else { return };
    let path = Path::new("openings");
    match game % 5 {
        0 => arena::openings::<Draughts<Site>>(path, &text),
        1 => arena::openings::<Draughts<Fmjd>>(path, &text),
        2 => arena::openings::<Halma>(path, &text),
        3 => arena::openings::<Banqi>(path, &text),
        _ => arena::openings::<Kalah>(path, &text),
    }
}
