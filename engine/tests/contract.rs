//! The laws that every game keeps, tried on seeded random games.

use proptest::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use yardmaster::games::banqi::{self, Banqi};
use yardmaster::games::draughts::{self, Draughts, Fmjd, Site};
use yardmaster::games::halma::{self, Halma};
use yardmaster::position::{Evaluate, Horizon, Ordered, Position, Term};
use yardmaster::score::Score;

/// Random games a law is tried on, and the plies after which one is broken off.
const GAMES: u64 = 60;
const PLIES: usize = 400;

/// Calls `visit` with every position of random games.
fn walk<P: Position>(mut visit: impl FnMut(&P, &[P::Move])) {
    for seed in 0..GAMES {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = P::start(P::Rules::default());
        let mut moves = Vec::new();
        for _ in 0..PLIES {
            moves.clear();
            position.moves(&mut moves);
            visit(&position, &moves);
            if position.outcome(&moves).is_some() {
                break;
            }
            let mv = moves[random.next_u64() as usize % moves.len()];
            let events: Vec<_> = position.events(mv).collect();
            position = position.after(events[random.next_u64() as usize % events.len()].0);
        }
    }
}

/// All laws that need no knowledge of the game, evaluation included.
fn laws<P: Ordered, E: Evaluate<P>>(evaluation: &E) {
    walk(|position: &P, moves| {
        let text = position.to_string();
        let again = P::read(&text, P::Rules::default()).expect("a printed position is readable");
        assert_eq!(&again, position, "{text} does not read back");
        assert_eq!(again.to_string(), text, "{text} does not print back");
        assert_eq!(again.key(), position.key(), "the key of {text} is not kept");

        events_have_their_own_texts(position, moves);
        assert_eq!(position.count_events(), listed_events(position, moves), "count of {text}");
        let mut successors = Vec::new();
        position.successors(|next| successors.push(*next));
        let events = moves.iter().flat_map(|&mv| position.events(mv));
        assert!(events.map(|(event, _)| position.after(event)).eq(successors), "after {text}");

        let outcome = position.outcome(moves);
        assert!(outcome.is_some() || !moves.is_empty(), "{text} neither ends nor goes on");

        let mut seen = Vec::new();
        let horizon = position.horizon(&mut seen);
        let is_judged = outcome.is_none() && position.is_quiet(moves);
        assert_eq!(horizon == Horizon::Settled, is_judged, "the horizon at {text}");
        if horizon == Horizon::Settled {
            position.gains(false, &mut seen);
        }
        assert!(seen.iter().all(|mv| moves.contains(mv)), "moves beyond the horizon at {text}");
        if horizon == Horizon::Unsettled {
            assert_eq!(position.outcome(&seen), outcome, "the end at the horizon at {text}");
            assert!(outcome.is_some() || !seen.is_empty(), "nothing to look at in {text}");
        }

        let mirrored = position.mirrored();
        assert_eq!(&mirrored.mirrored(), position, "{text} mirrored twice");
        assert_ne!(mirrored.side_to_move(), position.side_to_move());
        if outcome.is_none() {
            assert_eq!(evaluation.evaluate(&mirrored), evaluation.evaluate(position), "{text}");
            let sum = evaluation
                .terms(position)
                .iter()
                .fold(Score::DRAW, |sum, &Term { score, .. }| sum + score);
            assert_eq!(sum, evaluation.evaluate(position), "the terms of {text}");
        }
    });
}

fn listed_events<P: Position>(position: &P, moves: &[P::Move]) -> u64 {
    moves.iter().map(|&mv| position.events(mv).count() as u64).sum()
}

fn events_have_their_own_texts<P: Ordered>(position: &P, moves: &[P::Move]) {
    let mut texts = Vec::new();
    // Each reading may list all moves: of long lists only some are read.
    let read_every = 1 + moves.len() / 32;
    for (number, &mv) in moves.iter().enumerate() {
        assert!(usize::from(P::slot(mv)) < P::SLOTS);
        let is_read = number.is_multiple_of(read_every);
        let text = position.move_text(mv);
        assert!(!is_read || position.read_move(&text) == Ok(mv), "{text} at {position}");
        for (event, _) in position.events(mv) {
            let text = position.event_text(event);
            assert!(!is_read || position.read_event(&text) == Ok(event), "{text} at {position}");
            texts.push(text);
        }
    }
    let all = texts.len();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), all, "two events of {position} print alike");
}

/// A position text with some bytes changed, dropped or doubled: it reads as a position that reads
/// back, or is refused; it never panics.
fn check_damaged<P: Position>(texts: &[String]) {
    let damage = (any::<prop::sample::Index>(), any::<prop::sample::Index>(), 0..3, any::<u8>());
    let damages = prop::collection::vec(damage, 1..4);
    proptest!(|(which in any::<prop::sample::Index>(), damages in damages)| {
        let mut bytes = which.get(texts).clone().into_bytes();
        for (place, source, kind, random) in damages {
            if bytes.is_empty() { break; }
            let place = place.index(bytes.len());
            match kind {
                // Half of the changes are to a byte that occurs in such texts.
                0 if random % 2 == 0 => bytes[place] = bytes[source.index(bytes.len())],
                0 => bytes[place] = random,
                1 => { bytes.remove(place); }
                _ => bytes.insert(place, bytes[place]),
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        if let Ok(position) = P::read(&text, P::Rules::default()) {
            let again = P::read(&position.to_string(), P::Rules::default());
            prop_assert_eq!(again.ok(), Some(position));
            let mut moves = Vec::new();
            position.moves(&mut moves);
            let _ = position.outcome(&moves);
        }
        let start = P::start(P::Rules::default());
        let _ = (start.read_move(&text), start.read_event(&text));
    });
}

/// [`check_damaged`] on the texts of a random game.
fn damaged_texts<P: Position>() {
    let mut texts = Vec::new();
    walk(|position: &P, _| {
        if texts.len() < 2_000 {
            texts.push(position.to_string());
        }
    });
    check_damaged::<P>(&texts);
}

#[test]
fn banqi_keeps_the_laws() {
    laws::<Banqi, _>(&banqi::Evaluation::default());
}

#[test]
fn damaged_banqi_texts_are_refused_or_read() {
    damaged_texts::<Banqi>();
}

#[test]
fn the_weights_of_a_banqi_flip_sum_to_the_pool() {
    walk(|position: &Banqi, moves| {
        for &mv in moves {
            let sum: u32 = position.events(mv).map(|(_, weight)| weight.0).sum();
            let expected = match mv {
                banqi::Move::Flip(_) => position.pool().total(),
                banqi::Move::Go { .. } => 1,
            };
            assert_eq!(sum, expected, "the weights at {position}");
        }
    });
}

#[test]
fn draughts_keeps_the_laws() {
    laws::<Draughts<Site>, _>(&draughts::Evaluation::default());
    laws::<Draughts<Fmjd>, _>(&draughts::Evaluation::default());
}

#[test]
fn damaged_draughts_texts_are_refused_or_read() {
    damaged_texts::<Draughts<Site>>();
    damaged_texts::<Draughts<Fmjd>>();
}

#[test]
fn halma_keeps_the_laws() {
    laws::<Halma, _>(&halma::Evaluation);
}

#[test]
fn damaged_halma_texts_are_refused_or_read() {
    damaged_texts::<Halma>();
}

mod kalah {
    use yardmaster::games::kalah::{Evaluation, Kalah};
    use yardmaster::position::Side;

    use super::*;

    #[test]
    fn kalah_keeps_the_laws() {
        laws::<Kalah, _>(&Evaluation);
    }

    #[test]
    fn kalah_neither_loses_nor_finds_a_stone() {
        walk(|position: &Kalah, _| {
            let rows = [Side::First, Side::Second].map(|side| position.row(side));
            let stones: u32 =
                rows.map(|row| u32::from(row.stones()) + u32::from(row.store())).iter().sum();
            assert_eq!(stones, 48, "{position}");
        });
    }

    #[test]
    fn kalah_takes_damaged_texts_calmly() {
        damaged_texts::<Kalah>();
    }
}
