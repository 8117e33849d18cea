//! The kalah solver against plain minimax, against reference values, and against what is published:
//! Irving, Donkers, Uiterwijk, *Solving Kalah*, ICGA Journal 23(3), 2000.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::LazyLock;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use serde::Deserialize;
use yardmaster::games::kalah::Kalah;
use yardmaster::games::kalah::board::Row;
use yardmaster::games::kalah::solver::book::{Book, BookError};
use yardmaster::games::kalah::solver::checkpoint::{CheckpointError, Progress};
use yardmaster::games::kalah::solver::{Bounds, Margin, Solver};
use yardmaster::position::{Position, Side};
use yardmaster::score::Turn;

fn read(text: &str) -> Kalah {
    Kalah::read(text, ()).expect(text)
}

/// A solver with a small table of each kind, so that small positions are searched.
fn small_solver(endgame: u8) -> Solver {
    Solver::with_endgame(2, endgame).expect("two MiB")
}

fn solved(solver: &Solver, position: &Kalah) -> i16 {
    let Margin(margin) = solver
        .solve(position, &mut |_| ControlFlow::Continue(()))
        .expect("nothing ends the search");
    margin
}

/// Each move by its text, and the margin that it leads to.
fn move_values(solver: &Solver, position: &Kalah) -> HashMap<String, i16> {
    let values = solver.values(position, &mut |_| ControlFlow::Continue(()));
    let margin = |bounds: Bounds| bounds.exact().expect("nothing ends the search").0;
    values.into_iter().map(|(pit, bounds)| (position.move_text(pit), margin(bounds))).collect()
}

fn start(stones: u8) -> Kalah {
    let row = [stones.to_string().as_str(); 6].join(",");
    read(&format!("{row},0/{row},0 s"))
}

/// The margin by looking at every move to the end; `seen` only keeps equal positions apart from
/// being looked at again.
fn minimax(position: &Kalah, seen: &mut HashMap<(Row, Row, Side), i16>) -> i16 {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    if moves.is_empty() {
        return position.lead() as i16;
    }
    let (south, north) = (position.row(Side::First), position.row(Side::Second));
    let key = (south, north, position.side_to_move());
    if let Some(&margin) = seen.get(&key) {
        return margin;
    }
    let value = |pit| {
        let after = position.after(pit);
        let margin = minimax(&after, seen);
        match Turn::between(position.side_to_move(), after.side_to_move()) {
            Turn::Stays => margin,
            Turn::Passes => -margin,
        }
    };
    let margin = moves.into_iter().map(value).max().expect("there are moves");
    seen.insert(key, margin);
    margin
}

/// Stones thrown into some of the fourteen places of a board: the fewer, the fuller.
fn random_position(random: &mut Xoshiro256PlusPlus, stones: u8) -> Kalah {
    let mut pick = |choices: usize| random.next_u64() as usize % choices;
    let open: Vec<usize> = (0..=pick(20)).map(|_| pick(14)).collect();
    let mut places = [0; 14];
    for _ in 0..stones {
        places[open[pick(open.len())]] += 1;
    }
    let row = |places: &[u8]| places.iter().map(u8::to_string).collect::<Vec<_>>().join(",");
    let side = ["s", "n"][pick(2)];
    read(&format!("{}/{} {side}", row(&places[..7]), row(&places[7..])))
}

#[test]
fn the_search_finds_what_plain_minimax_finds() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(18);
    let solver = small_solver(3);
    for game in 0..250 {
        let position = random_position(&mut random, 1 + game % 16);
        let expected = minimax(&position, &mut HashMap::new());
        assert_eq!(solved(&solver, &position), expected, "{position}");
    }
}

#[test]
fn the_endgame_table_holds_what_plain_minimax_finds() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(14);
    let solver = small_solver(15);
    for game in 0..250 {
        let position = random_position(&mut random, 1 + game % 15);
        let expected = minimax(&position, &mut HashMap::new());
        assert_eq!(solved(&solver, &position), expected, "{position}");
    }
}

#[test]
fn endgame_tables_of_any_size_lead_to_the_same_values() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(24);
    let solvers = [0, 1, 6, 13, 15].map(small_solver);
    for game in 0..200 {
        let position = random_position(&mut random, 10 + game % 15);
        let values = solvers.each_ref().map(|solver| solved(solver, &position));
        assert_eq!(values, [values[0]; 5], "{position}");
    }
}

#[test]
fn pits_too_full_for_the_table_are_searched_all_the_same() {
    let solver = small_solver(12);
    for text in ["0,0,0,0,1,0,0/0,0,0,0,33,0,0 s", "33,0,0,0,0,1,0/1,0,0,0,0,0,0 n"] {
        let position = read(text);
        let expected = minimax(&position, &mut HashMap::new());
        assert_eq!(solved(&solver, &position), expected, "{position}");
    }
}

#[test]
fn the_start_positions_have_their_published_values() {
    // A larger endgame table than the usual one makes this faster than it takes to build.
    let solver = Solver::with_endgame(16, 17).expect("sixteen MiB");
    for (stones, margin) in [(1, 2), (2, 10), (3, 2), (4, 10)] {
        assert_eq!(solved(&solver, &start(stones)), margin, "{stones} stones a pit");
    }
}

#[test]
#[ignore = "takes half a minute"]
fn the_start_position_with_five_stones_a_pit_has_its_published_value() {
    let solver = Solver::with_endgame(1024, 18).expect("a GiB");
    assert_eq!(solved(&solver, &start(5)), 12);
}

#[test]
fn the_first_moves_have_their_known_values() {
    let solver = Solver::new(16).expect("sixteen MiB");
    for (stones, margins) in [
        (1, [0, 0, 0, -2, -2, 2]),
        (2, [-14, -8, -6, -14, 10, -2]),
        (3, [-12, -16, -10, -2, 2, 0]),
        (4, [-14, -8, 10, -2, -6, 4]),
    ] {
        let expected = ["a", "b", "c", "d", "e", "f"].map(str::to_owned).into_iter().zip(margins);
        let values = move_values(&solver, &start(stones));
        assert_eq!(values, expected.collect(), "{stones} stones a pit");
    }
}

/// A reference position.
#[derive(Deserialize)]
struct Reference {
    fen: String,
    value: i16,
    moves: HashMap<String, i16>,
    stones_in_pits: u8,
}

fn references() -> impl Iterator<Item = Reference> {
    let lines = include_str!("golden/kalah-values.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect("a golden line is a position"))
}

#[test]
fn every_reference_position_has_its_value() {
    let solver = Solver::new(16).expect("sixteen MiB");
    for reference in references() {
        let position = read(&reference.fen);
        assert_eq!(solved(&solver, &position), reference.value, "{position}");
    }
}

#[test]
fn every_move_of_the_smaller_reference_positions_has_its_value() {
    let solver = Solver::new(16).expect("sixteen MiB");
    for reference in references().filter(|reference| reference.stones_in_pits <= 36) {
        let position = read(&reference.fen);
        assert_eq!(move_values(&solver, &position), reference.moves, "{position}");
    }
}

#[test]
fn a_best_line_ends_the_game_with_the_promised_margin() {
    let solver = Solver::new(16).expect("sixteen MiB");
    let small = references().filter(|reference| reference.stones_in_pits <= 36);
    let positions = small.map(|reference| (read(&reference.fen), reference.value));
    let finished = read("0,0,0,0,0,0,30/0,0,0,0,0,0,18 n");
    for (position, margin) in positions.chain([(start(2), 10), (finished, -12)]) {
        let line = solver.best_line(&position, &mut |_| ControlFlow::Continue(()));
        let end = line.into_iter().fold(position, |position, pit| {
            assert_ne!(position.own().pit(pit), 0, "{position}");
            position.after(pit)
        });
        assert_eq!(end.count_events(), 0, "{end} after {position}");
        let lead = end.row(position.side_to_move()).store().cast_signed()
            - end.row(position.side_to_move().other()).store().cast_signed();
        assert_eq!(i16::from(lead), margin, "{position}");
    }
}

#[test]
fn an_interrupted_search_proves_bounds_and_goes_on_from_there() {
    let solver = small_solver(8);
    let position = start(3);
    let mut interruptions = 0;
    let margin = loop {
        let mut left = 10_000_u64;
        let found = solver.solve(&position, &mut |nodes| {
            left = left.saturating_sub(nodes);
            if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match found {
            Ok(margin) => break margin,
            Err(Bounds { lower, upper }) => {
                assert!(lower <= Margin(2) && Margin(2) <= upper, "{lower:?} {upper:?}");
                assert_ne!(lower, upper);
                interruptions += 1;
            }
        }
    };
    assert_eq!(margin, Margin(2));
    assert!(interruptions > 3, "only {interruptions} interruptions");
}

#[test]
fn the_largest_game_can_be_looked_into() {
    let solver = small_solver(10);
    for position in [
        start(21),
        read("255,0,0,0,0,0,0/0,0,0,0,0,0,0 s"),
        read("60,3,0,60,0,0,1/9,0,60,0,0,60,2 n"),
    ] {
        let mut reports = 0;
        let found = solver.solve(&position, &mut |_| {
            reports += 1;
            if reports < 300 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let Bounds { lower, upper } =
            found.map_or_else(|bounds| bounds, |margin| Bounds { lower: margin, upper: margin });
        assert!(Margin(-255) <= lower && lower <= upper && upper <= Margin(255), "{position}");
    }
}

#[test]
fn effort_counts_every_node() {
    let solver = small_solver(8);
    let mut reports = Vec::new();
    let _ = solver.solve(&start(3), &mut |nodes| {
        reports.push(nodes);
        ControlFlow::Continue(())
    });
    let (last, full) = reports.split_last().expect("there is a report");
    assert!(full.len() > 100);
    assert!(full.iter().all(|&nodes| nodes == full[0]));
    assert!(*last <= full[0]);
}

#[test]
fn a_solver_that_can_not_grow_stays_as_it_was() {
    let mut solver = small_solver(8);
    let margin = solved(&solver, &start(2));
    let full = solver.permille_full();
    assert!(solver.resize(usize::MAX).is_err());
    assert_eq!(solver.permille_full(), full);
    assert_eq!(solved(&solver, &start(2)), margin);
    assert!(solver.resize(3).is_ok());
    assert_eq!(solver.permille_full(), 0);
    assert_eq!(solved(&solver, &start(2)), margin);
}

#[test]
fn threads_that_share_a_solver_agree() {
    let solver = small_solver(10);
    for reference in references().filter(|reference| reference.stones_in_pits <= 36) {
        let position = read(&reference.fen);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    assert_eq!(solved(&solver, &position), reference.value, "{position}");
                });
            }
        });
    }
}

/// A book for Kalah(6,3), as long as there are 26 stones in the pits.
static SMALL_BOOK: LazyLock<Book> = LazyLock::new(|| {
    let mut book = Book::default();
    let mut patience = |_| ControlFlow::Continue(());
    let flow = book.add(&start(3), 26, &small_solver(12), &mut patience, &mut |_, _| ());
    assert!(flow.is_continue());
    book
});

/// Plays from `start` with `solver` on one side, which may spend so many nodes a move, and random
/// moves on the other; no move of the solver may be worth less than its position. Counts its moves.
fn play_perfectly(
    solver: &Solver,
    referee: &Solver,
    (nodes, start): (u64, Kalah),
    random: &mut Xoshiro256PlusPlus,
) -> usize {
    let (mut position, mut count) = (start, 0);
    let player = [Side::First, Side::Second][random.next_u32() as usize % 2];
    loop {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        if moves.is_empty() {
            return count;
        }
        let mut pit = moves[random.next_u32() as usize % moves.len()];
        if position.side_to_move() == player {
            let mut left = nodes;
            let line = solver.best_line(&position, &mut |nodes| {
                left = left.saturating_sub(nodes);
                if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            });
            pit = *line.first().expect("there is a move in time");
            let after = position.after(pit);
            let margin = solved(referee, &after);
            let margin = match Turn::between(player, after.side_to_move()) {
                Turn::Stays => margin,
                Turn::Passes => -margin,
            };
            assert_eq!(margin, solved(referee, &position), "{position}");
            count += 1;
        }
        position = position.after(pit);
    }
}

#[test]
fn a_player_with_a_book_is_perfect_without_much_time() {
    let book = SMALL_BOOK.clone();
    assert!(book.len() > 20, "only {} positions", book.len());
    let solver = small_solver(8).with_book(book);
    let referee = small_solver(12);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(31);
    let moves: usize =
        (0..40).map(|_| play_perfectly(&solver, &referee, (100_000, start(3)), &mut random)).sum();
    assert!(moves > 200, "only {moves} moves");
}

#[test]
fn a_book_reads_as_it_was_written() {
    let book = SMALL_BOOK.clone();
    let text = format!("# A comment.\n{book}");
    assert_eq!(text.parse(), Ok(book));
}

#[test]
fn a_damaged_book_is_refused() {
    let text = SMALL_BOOK.to_string();
    let damaged = text.replacen(" 1", " 2", 1);
    assert!(matches!(damaged.parse::<Book>(), Err(BookError::Damaged { .. })), "{damaged}");
    let shortened = &text[..text.len() - 5];
    assert!(matches!(shortened.parse::<Book>(), Err(BookError::Damaged { .. })));
    for text in ["", "# A comment.\n", "444444444444 29 c\n"] {
        assert!(matches!(text.parse::<Book>(), Err(BookError::Form(_))), "{text:?}");
    }
}

#[test]
fn the_book_of_the_engine_knows_the_start_and_agrees_with_the_solver() {
    let book = Book::built_in().expect("it is as it was written");
    let solver = Solver::new(4).expect("four MiB").with_book(book.clone());
    let known = solver.known(&start(4));
    assert_eq!(known.exact(), Some(Margin(10)));
    let line = solver.best_line(&start(4), &mut |_| ControlFlow::Break(()));
    assert_eq!(start(4).move_text(line[0]), "c");
    // The positions with the fewest stones are the quickest to solve.
    let text = book.to_string();
    let mut lines: Vec<&str> = text.lines().skip(1).collect();
    let stones = |line: &&str| line.chars().take(12).map(|c| c.to_digit(32)).sum::<Option<u32>>();
    lines.sort_by_key(stones);
    let referee = Solver::new(16).expect("sixteen MiB");
    for line in &lines[..5] {
        let pits: Vec<String> =
            line[..12].chars().map(|c| c.to_digit(32).unwrap().to_string()).collect();
        let position = read(&format!("{},0/{},0 s", pits[..6].join(","), pits[6..].join(",")));
        assert_eq!(
            solver.known(&position).exact(),
            Some(Margin(solved(&referee, &position))),
            "{line}"
        );
    }
}

#[test]
fn a_checkpoint_is_gone_on_with() {
    let position = start(3);
    let solver = small_solver(8);
    let margin = solved(&solver, &position);
    let bounds = Bounds { lower: Margin(-2), upper: Margin(4) };
    let progress = Progress { position, bounds, nodes: 12, milliseconds: 34 };
    let mut file = Vec::new();
    solver.save(&progress, &mut file).expect("there is room");
    let (loaded, read) = Solver::load(&mut file.as_slice(), 8).expect("it is as it was written");
    assert_eq!(read, progress);
    // Everything is known already.
    let found = loaded.solve(&position, &mut |_| ControlFlow::Break(()));
    assert_eq!(found, Ok(Margin(margin)));

    let last = file.len() - 100;
    file[last] ^= 1;
    let found = Solver::load(&mut file.as_slice(), 8).map(|(_, progress)| progress);
    assert!(matches!(found, Err(CheckpointError::Damaged)), "{found:?}");
    file.truncate(last);
    assert!(matches!(Solver::load(&mut file.as_slice(), 8), Err(CheckpointError::Io(_))));
    let found = Solver::load(&mut "something else\n".as_bytes(), 8).map(|(_, progress)| progress);
    assert!(matches!(found, Err(CheckpointError::Line { .. })), "{found:?}");
}

#[test]
fn each_step_narrows_the_bounds_until_one_value_is_left() {
    for threads in [1, 2, 3] {
        let mut solver = small_solver(10);
        solver.set_threads(threads);
        for reference in references().filter(|reference| reference.stones_in_pits <= 36) {
            let position = read(&reference.fen);
            let mut bounds = solver.known(&position);
            while bounds.exact().is_none() {
                let narrower = solver.narrow(&position, bounds, &mut |_| ControlFlow::Continue(()));
                assert_ne!(narrower, bounds, "{threads} {position}");
                bounds = narrower;
            }
            assert_eq!(bounds.exact(), Some(Margin(reference.value)), "{threads} {position}");
        }
    }
}

#[test]
fn a_first_bound_comes_long_before_the_value() {
    let solver = small_solver(12);
    let start = read("6,6,6,6,6,6,0/6,6,6,6,6,6,0 s");
    let mut left = 3_000_000_u64;
    let bounds = solver.solve(&start, &mut |nodes| {
        left = left.saturating_sub(nodes);
        if left == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    // South collects 19 of the 72 stones or more.
    let bounds = bounds.expect_err("far more is needed for the value");
    assert!((Margin(-34)..=Margin(2)).contains(&bounds.lower), "{bounds:?}");
}
