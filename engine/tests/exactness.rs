//! Every search, restricted to full width, finds the value that plain minimax or expectimax finds,
//! for every root move, with one thread and with two.
//!
//! The evaluation is coarse and pseudo-random: it forces ties and disagrees with every ordering.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use yardmaster::game::Game;
use yardmaster::games::banqi::Banqi;
use yardmaster::games::draughts::{Draughts, Fmjd, Site};
use yardmaster::games::halma::Halma;
use yardmaster::games::kalah::{Kalah, Solver};
use yardmaster::history::History;
use yardmaster::perft::perft;
use yardmaster::position::{Evaluate, Ordered, Position, Term, Weight, WinModel};
use yardmaster::score::{Ply, Score, Turn};
use yardmaster::search::Selectivity::FullWidth;
use yardmaster::search::{
    Clock, Limits, Report, Search, Task, alpha_beta, counted, expectimax, proof,
};

/// -2, -1, 0, 1 or 2 units, by the position's key.
struct Coarse;

impl<P: Position> Evaluate<P> for Coarse {
    const WIN_MODEL: WinModel = WinModel { threshold: 100.0, spread: 100.0 };

    fn evaluate(&self, position: &P) -> Score {
        let mixed = position.key().0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        Score((mixed % 5) as i32 * 100 - 200)
    }

    fn terms(&self, position: &P) -> Vec<Term> {
        vec![Term { name: "noise", score: self.evaluate(position) }]
    }
}

/// Minimax and expectimax as in the textbook.
struct Plain {
    path: History,
}

impl Plain {
    fn value<P: Ordered>(&mut self, position: &P, depth: i32, ply: Ply) -> Score {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let recurs = self.path.occurrences(position.reversible_plies()) > 1;
        if P::REPETITION_DRAW.is_some() && recurs {
            return Score::DRAW;
        }
        if let Some(outcome) = position.outcome(&moves) {
            return position.outcome_score(outcome, ply);
        }
        if depth <= 0 && position.is_quiet(&moves) {
            return Coarse.evaluate(position);
        }
        let values = moves.iter().map(|&mv| self.move_value(position, mv, depth, ply));
        values.max().expect("a game that is not over has moves")
    }

    fn move_value<P: Ordered>(&mut self, position: &P, mv: P::Move, depth: i32, ply: Ply) -> Score {
        let mut after = |event| {
            let child = position.after(event);
            self.path.push(child.key());
            let value = self.value(&child, depth - 1, ply.next());
            self.path.pop();
            Turn::between(position.side_to_move(), child.side_to_move()).score(value)
        };
        if let Some(event) = position.sole_event(mv) {
            return after(event);
        }
        let (mut sum, mut total) = (0, 0);
        for (event, Weight(weight)) in position.events(mv) {
            sum += i64::from(counted(after(event)).0) * i64::from(weight);
            total += i64::from(weight);
        }
        Score(sum.div_euclid(total) as i32)
    }
}

/// The values of all root moves, as the search under test finds them.
fn searched<P: Ordered>(
    search: &mut impl Search<P>,
    game: &Game<P>,
    moves: &[P::Move],
    depth: i32,
) -> Vec<(P::Move, Score)> {
    let limits = Limits { depth: Some(depth as u32), infinite: true, ..Limits::default() };
    let task = Task { game, moves: moves.to_vec(), lines: moves.len(), limits };
    let mut found = vec![None; moves.len()];
    search.think(&task, &Clock::unlimited(), &mut |report: &Report<P>| {
        if let Report::Line(line) = report
            && line.depth == depth as u32
        {
            found[line.rank - 1] = Some((line.pv[0], line.score));
        }
    });
    found.into_iter().map(|line| line.expect("every move has a line")).collect()
}

/// Plain search of more events than this takes too long.
const EVENTS_AT_MOST: u64 = 200_000;

/// Plies after which a random game is broken off.
const PLIES: usize = 150;

/// Compares a search with plain search at positions of random games.
fn check<P: Ordered, S: Search<P>>(mut search: S, depth: i32, positions: usize) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(depth as u64);
    search.set_hash(1).expect("there is 1 MiB");
    let mut checked = 0;
    while checked < positions {
        let mut game = Game::new(P::start(P::Rules::default()));
        let mut moves = Vec::new();
        for _ in 0..PLIES {
            moves.clear();
            game.position().moves(&mut moves);
            if game.outcome(&moves).is_some() || checked == positions {
                break;
            }
            let checkable = perft(game.position(), depth as u32) <= EVENTS_AT_MOST;
            if random.next_u64().is_multiple_of(8) && checkable {
                checked += 1;
                search.set_threads(1 + checked % 2);
                agree(&mut search, &game, &moves, depth);
            }
            let mv = moves[random.next_u64() as usize % moves.len()];
            let events: Vec<_> = game.position().events(mv).collect();
            game.play(events[random.next_u64() as usize % events.len()].0);
        }
    }
}

fn agree<P: Ordered>(search: &mut impl Search<P>, game: &Game<P>, moves: &[P::Move], depth: i32) {
    search.clear();
    let mut plain = Plain { path: game.history().clone() };
    let lines = searched(search, game, moves, depth);
    for (mv, score) in &lines {
        let value = plain.move_value(game.position(), *mv, depth, Ply::ROOT);
        let text = game.position().move_text(*mv);
        assert_eq!(*score, value, "{text} at depth {depth} of {}", game.position());
    }
    assert!(lines.is_sorted_by(|a, b| a.1 >= b.1), "the best lines come first");
    // A single line takes another way through the tree: its window is narrower.
    let limits = Limits { depth: Some(depth as u32), infinite: true, ..Limits::default() };
    let task = Task { game, moves: moves.to_vec(), lines: 1, limits };
    let mut best = None;
    search.think(&task, &Clock::unlimited(), &mut |report: &Report<P>| {
        if let Report::Line(line) = report {
            best = Some(line.score);
        }
    });
    assert_eq!(best, Some(lines[0].1), "the best line alone at {}", game.position());
}

#[test]
fn draughts_is_searched_exactly() {
    for (depth, positions) in [(1, 60), (2, 60), (3, 40), (4, 10)] {
        check::<Draughts<Site>, _>(alpha_beta(Coarse, FullWidth), depth, positions);
        check::<Draughts<Fmjd>, _>(alpha_beta(Coarse, FullWidth), depth, positions);
    }
}

#[test]
fn halma_is_searched_exactly() {
    for (depth, positions) in [(1, 40), (2, 20), (3, 2)] {
        check::<Halma, _>(alpha_beta(Coarse, FullWidth), depth, positions);
    }
}

#[test]
fn banqi_is_searched_exactly() {
    for (depth, positions) in [(1, 40), (2, 20), (3, 10), (4, 2)] {
        check::<Banqi, _>(expectimax(Coarse, FullWidth), depth, positions);
    }
}

#[test]
fn kalah_is_searched_exactly() {
    for depth in 1..=6 {
        check::<Kalah, _>(alpha_beta(Coarse, FullWidth), depth, 40);
    }
}

/// Games with so few stones in the pits are played out by plain minimax in a moment.
const STONES_AT_MOST: u8 = 12;

/// More plies than any of them has.
const TO_THE_END: i32 = 100;

/// The margin at the end of a line of play from a position, for its side to move.
fn played_out(mut position: Kalah, line: &[<Kalah as Position>::Move]) -> Score {
    let side = position.side_to_move();
    for &mv in line {
        position = position.after(mv);
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let outcome = position.outcome(&moves).expect("the line goes to the end of the game");
    let turn = Turn::between(side, position.side_to_move());
    turn.score(position.outcome_score(outcome, Ply::ROOT))
}

#[test]
fn kalah_is_proven_exactly() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut search = proof(Coarse, Solver::default());
    for _ in 0..40 {
        let mut game = Game::new(Kalah::start(()));
        let mut moves = Vec::new();
        loop {
            moves.clear();
            game.position().moves(&mut moves);
            let stones = game.position().own().stones() + game.position().other().stones();
            if moves.is_empty() || stones <= STONES_AT_MOST {
                break;
            }
            game.play(moves[random.next_u64() as usize % moves.len()]);
        }
        if moves.is_empty() {
            continue;
        }
        for lines in [1, moves.len()] {
            let task = Task { game: &game, moves: moves.clone(), lines, limits: Limits::default() };
            let mut proven = vec![None; lines];
            search.think(&task, &Clock::unlimited(), &mut |report: &Report<Kalah>| {
                if let Report::Line(line) = report
                    && line.proven
                {
                    proven[line.rank - 1] = Some((line.score, line.pv.clone()));
                }
            });
            for line in proven {
                let (score, pv) = line.expect("every line is proven");
                let mut plain = Plain { path: game.history().clone() };
                let value = plain.move_value(game.position(), pv[0], TO_THE_END, Ply::ROOT);
                assert_eq!(score, value, "at {}", game.position());
                assert_eq!(score, played_out(*game.position(), &pv), "at {}", game.position());
            }
        }
    }
}
