//! The rule book of draughts, example by example, and the published tables.

use std::collections::HashMap;

use yardmaster::games::draughts::{Draughts, Fmjd, RuleSet, Site};
use yardmaster::history::History;
use yardmaster::perft::perft;
use yardmaster::position::{Horizon, Ordered, Outcome, Position, Rules, Side};

/// Counts beyond this many nodes are left to the perft suites.
const NODES_AT_MOST: u64 = 2_000_000;

fn read<R: RuleSet>(text: &str) -> Draughts<R> {
    Draughts::read(text, R::Rules::default()).unwrap_or_else(|error| panic!("{error} in {text}"))
}

/// The texts of all legal moves, sorted.
fn legal<R: RuleSet>(position: &Draughts<R>) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let mut texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
    texts.sort();
    texts
}

fn check_legal(text: &str, site: &[&str], fmjd: &[&str]) {
    assert_eq!(legal(&read::<Site>(text)), site, "{text} on the site");
    assert_eq!(legal(&read::<Fmjd>(text)), fmjd, "{text} of the FMJD");
}

fn play<R: RuleSet>(position: &Draughts<R>, moves: &[&str]) -> Draughts<R> {
    moves.iter().fold(*position, |position, text| {
        let mv = position.read_move(text).unwrap_or_else(|error| panic!("{error} at {position}"));
        position.after(mv)
    })
}

fn outcome<R: RuleSet>(position: &Draughts<R>) -> Option<Outcome> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    position.outcome(&moves)
}

/// Why the game is drawn, if it is.
fn draw<R: RuleSet>(position: &Draughts<R>) -> Option<&'static str> {
    outcome(position).map(|outcome| {
        assert_eq!(outcome.winner, None, "{position}");
        outcome.reason
    })
}

#[test]
fn black_begins_on_the_site_and_white_in_the_fmjd() {
    assert_eq!(
        read::<Site>("B:W31-50:B1-20:H0:F1"),
        Draughts::start(<Site as RuleSet>::Rules::default())
    );
    assert_eq!(read::<Fmjd>("W:W31-50:B1-20:H0:F1"), Draughts::start(()));
    assert_eq!(read::<Site>("B:WK1:BK2").side_to_move(), Side::First);
    assert_eq!(read::<Fmjd>("W:WK1:BK2").side_to_move(), Side::First);
    assert_eq!(read::<Site>("B:WK1:BK2").side_name(Side::First), "black");
    assert_eq!(read::<Fmjd>("B:WK1:BK2").side_name(Side::First), "white");
}

#[test]
fn a_man_moves_forward_and_captures_both_ways() {
    check_legal("W:W28:B1", &["28-22", "28-23"], &["28-22", "28-23"]);
    check_legal("B:W50:B28", &["28-32", "28-33"], &["28-32", "28-33"]);
    check_legal("W:W28:B33", &["28x39"], &["28x39"]);
    check_legal("W:W28:B22,12", &["28x17x8"], &["28x17x8"]);
}

#[test]
fn a_king_flies_and_lands_anywhere_behind_its_victim() {
    let flights = ["46-14", "46-19", "46-23", "46-28", "46-32", "46-37", "46-41"];
    check_legal("W:WK46:B6,5,10", &flights, &flights);
    let landings = ["46x10", "46x14", "46x19", "46x5"];
    check_legal("W:WK46:B23", &landings, &landings);
}

#[test]
fn most_pieces_must_be_taken_and_on_the_site_most_kings_among_them() {
    check_legal("W:W26:B12,K21,31,32", &["26x17x8"], &["26x17x8", "26x37x28"]);
    check_legal("W:W35:B30,K40", &["35x44"], &["35x24", "35x44"]);
    check_legal("W:WK41,49:B9,10,12,19,38", &["41x14x3x21x43"], &["41x14x3x21x43"]);
}

#[test]
fn a_man_that_only_passes_the_last_row_stays_a_man() {
    let position = read::<Fmjd>("W:W15:B9,10");
    assert_eq!(legal(&position), ["15x4x13"]);
    assert_eq!(play(&position, &["15x13"]).to_string(), "B:W13:B:H0:F1");
}

#[test]
fn a_man_whose_move_or_capture_ends_on_the_last_row_is_a_king() {
    let check = |text, mv: &str, after: &str| {
        assert_eq!(play(&read::<Fmjd>(text), &[mv]).to_string(), after, "{text} {mv}");
        assert_eq!(
            play(&read::<Site>(text), &[mv]).board(),
            play(&read::<Fmjd>(text), &[mv]).board()
        );
    };
    check("W:W8:BK50", "8-2", "B:WK2:BK50:H0:F1");
    check("W:W15:B10", "15x4", "B:WK4:B:H0:F1");
    // Also when another capture was to be had.
    check("W:W15,35:B10,30", "15x4", "B:WK4,35:B30:H0:F1");
    check("B:WK6:B42", "42-48", "W:WK6:BK48:H0:F2");
}

#[test]
fn captured_pieces_leave_at_once_on_the_site_and_block_in_the_fmjd() {
    check_legal(
        "B:W27,28,38,39,42:BK25",
        &["25x48x31x22x33x42", "25x48x31x22x33x47"],
        &["25x48x31x22x33"],
    );
    // On the site the king turns back over a square that it has just emptied.
    let turning = read::<Site>("B:W6,24,28,38,41:B13,K49");
    let mut captures = Vec::new();
    turning.moves(&mut captures);
    assert!(captures.iter().all(|mv| mv.captured().len() == 4), "{:?}", legal(&turning));
}

#[test]
fn a_capture_that_can_go_round_both_ways_is_one_move() {
    check_legal("W:WK2:B7,8,17,18", &["2x11x22x13x2"], &["2x11x22x13x2"]);
    let windmill = "W:W20,28,31,32,33,34,36,37,38,40-50:B1-8,10-17,19,22,23,24";
    for count in [read::<Fmjd>(windmill).count_events(), read::<Site>(windmill).count_events()] {
        assert_eq!(count, 1);
    }
    let mv = read::<Fmjd>(windmill).read_move("20x20").unwrap();
    assert_eq!((mv.from(), mv.captured().len()), (mv.to(), 4));
    assert_eq!(read::<Fmjd>("B:WK1,K2,14,16,31,37,42:BK49").count_events(), 8);
}

#[test]
fn a_side_without_a_move_has_lost_even_when_a_counter_has_run_out() {
    let lost = |winner| Some(Outcome { winner: Some(winner), reason: "no legal move" });
    assert_eq!(outcome(&read::<Fmjd>("B:W50:B")), lost(Side::First));
    assert_eq!(outcome(&read::<Site>("B:W50:B:H500")), lost(Side::Second));
    assert_eq!(outcome(&read::<Fmjd>("W:W46:B37,41:H99")), lost(Side::Second));
}

#[test]
fn the_number_of_the_move_counts_the_moves_of_the_second_player() {
    let start = Draughts::<Site>::start(<Site as RuleSet>::Rules::default());
    assert!(play(&start, &["20-25"]).to_string().ends_with(":H1:F1"));
    assert!(play(&start, &["20-25", "33-28"]).to_string().ends_with(":H2:F2"));
    let start = Draughts::<Fmjd>::start(());
    assert!(play(&start, &["33-28"]).to_string().ends_with(":H0:F1"));
    assert!(play(&start, &["33-28", "20-25"]).to_string().ends_with(":H0:F2"));
}

#[test]
fn the_idle_plies_start_again_with_progress_as_the_rule_set_sees_it() {
    let check = |text, mv: &str, site: &str, fmjd: &str| {
        let idle = |text: String| text.split(':').nth(3).unwrap().to_owned();
        assert_eq!(idle(play(&read::<Site>(text), &[mv]).to_string()), site, "{text} {mv}");
        assert_eq!(idle(play(&read::<Fmjd>(text), &[mv]).to_string()), fmjd, "{text} {mv}");
    };
    check("W:WK46,32:BK1,K2:H7", "46-41", "H8", "H8");
    check("W:WK46,32:BK1,K2:H7", "32-28", "H8", "H0");
    check("W:WK46,7:BK3,K4:H7", "7-1", "H0", "H0");
    check("W:WK46,32:BK28,K2:H7", "32x23", "H0", "H0");
}

#[test]
fn a_hundred_plies_without_progress_draw_on_the_site() {
    let reason = Some("no capture and no promotion");
    assert_eq!(draw(&read::<Site>("W:WK46:BK1:H99")), None);
    assert_eq!(draw(&play(&read::<Site>("W:WK46:BK1:H99"), &["46-41"])), reason);
    assert_eq!(draw(&read::<Site>("W:WK46:BK1:H100")), reason);

    let with = |plies| <Site as RuleSet>::Rules::default().with_no_progress_plies(plies);
    let position = |plies, text: &str| Draughts::<Site>::read(text, with(plies)).unwrap();
    assert_eq!(draw(&position(7, "W:WK46:BK1:H6")), None);
    assert_eq!(draw(&position(7, "W:WK46:BK1:H7")), reason);
    assert_eq!(draw(&position(0, "W:WK46:BK1:H65535")), None);
}

#[test]
fn twenty_five_moves_of_kings_alone_draw_in_the_fmjd() {
    let reason = Some("25 moves of kings only");
    let before = read::<Fmjd>("W:WK46,K47,30:BK1,K2,15:H49");
    assert_eq!(draw(&before), None);
    assert_eq!(draw(&play(&before, &["46-41"])), reason);
    assert_eq!(draw(&play(&before, &["30-25"])), None);
    // Even when the last capture is long ago.
    let man_moves = play(&before, &["30-25", "1-6", "46-41"]);
    assert!(man_moves.to_string().contains(":H2:"), "{man_moves}");
}

/// Plays four moves over and over, `plies` in all, and answers how the game then stands.
fn shuffle(position: Draughts<Fmjd>, moves: [&str; 4], plies: usize) -> Option<&'static str> {
    let mut now = position;
    for ply in 0..plies {
        assert_eq!(draw(&now), None, "{position} is drawn after {ply} plies");
        now = play(&now, &[moves[ply % 4]]);
    }
    draw(&now)
}

#[test]
fn one_king_holds_out_against_three_pieces_for_sixteen_moves() {
    let check = |text, moves| {
        assert_eq!(shuffle(read(text), moves, 31), None, "{text}");
        assert_eq!(shuffle(read(text), moves, 32), Some("one king against three pieces"), "{text}");
    };
    check("W:WK46,K47,K48:BK1", ["46-41", "1-6", "41-46", "6-1"]);
    check("W:WK46,49,50:BK1", ["46-41", "1-6", "41-46", "6-1"]);
    check("W:WK46:BK1,K2,6", ["46-41", "2-7", "41-46", "7-2"]);
    // Four pieces have until the 25th move.
    assert_eq!(shuffle(read("W:WK46,K47,K48,50:BK1"), ["46-41", "1-6", "41-46", "6-1"], 49), None);
}

#[test]
fn one_king_holds_out_against_two_pieces_for_five_moves() {
    let check = |text, moves| {
        assert_eq!(shuffle(read(text), moves, 9), None, "{text}");
        assert_eq!(shuffle(read(text), moves, 10), Some("one king against two pieces"), "{text}");
    };
    check("W:WK46,K47:BK1", ["46-41", "1-6", "41-46", "6-1"]);
    check("W:WK46,50:BK1", ["46-41", "1-6", "41-46", "6-1"]);
    check("W:WK46:BK1", ["46-41", "1-6", "41-46", "6-1"]);
    // One man has no king to hold out with.
    assert_eq!(shuffle(read("W:WK46,K47:B6"), ["46-41", "6-11", "41-46", "11-16"], 3), None);
}

#[test]
fn the_moves_of_an_ending_count_from_the_moment_that_it_arises() {
    // The sixteen moves are all but over when the third piece is captured: the five moves begin.
    let before = read::<Fmjd>("B:WK46,K47,40:BK45:H31");
    let after = play(&before, &["45x34"]);
    let moves = ["46-41", "34-40", "41-46", "40-34"];
    assert_eq!(shuffle(after, moves, 9), None);
    assert_eq!(shuffle(after, moves, 10), Some("one king against two pieces"));
}

#[test]
fn a_man_may_move_in_an_ending_without_winning_time() {
    let start = read::<Fmjd>("W:WK46,50:BK2");
    let nine = ["46-41", "2-11", "50-45", "11-2", "45-40", "2-11", "40-35", "11-2", "41-46"];
    let position = play(&start, &nine);
    assert!(position.to_string().contains(":H2:"), "{position}");
    assert_eq!(draw(&position), None);
    assert_eq!(draw(&play(&position, &["2-11"])), Some("one king against two pieces"));
    // The text tells the idle plies alone: what it says of the ending is the least that is true.
    assert_eq!(draw(&read::<Fmjd>("W:WK46,35:BK6:H9")), None);
    assert_eq!(draw(&read::<Fmjd>("W:WK46,35:BK6:H10")), Some("one king against two pieces"));
    assert_eq!(
        draw(&read::<Fmjd>("W:WK46,K35,K40:BK6:H32")),
        Some("one king against three pieces")
    );
}

#[test]
fn the_third_time_draws_in_the_fmjd_and_never_on_the_site() {
    assert_eq!(Draughts::<Fmjd>::REPETITION_DRAW, Some(3));
    assert_eq!(Draughts::<Site>::REPETITION_DRAW, None);
    let mut position = read::<Fmjd>("W:WK46,K47,35:BK1,K2,15");
    let mut history = History::default();
    history.push(position.key());
    for (count, text) in (0..).zip(["46-41", "1-6", "41-46", "6-1"].into_iter().cycle().take(8)) {
        assert_eq!(
            history.occurrences(position.reversible_plies()),
            1 + count / 4,
            "after {count}"
        );
        position = play(&position, &[text]);
        history.push(position.key());
    }
    assert_eq!(history.occurrences(position.reversible_plies()), 3);
}

#[test]
fn positions_have_the_same_key_only_when_the_boards_and_the_colors_to_move_are_the_same() {
    let mut boards = HashMap::new();
    for (text, depth) in [
        ("W:W31-50:B1-20", 7),
        ("W:WK31-50:BK1-20", 5),
        ("W:WK46,47:B4,K5", 4),
        ("B:WK46,47:B4,K5", 4),
    ] {
        let mut positions = vec![read::<Fmjd>(text)];
        for _ in 0..depth {
            let mut next = Vec::new();
            for position in positions {
                position.successors(|successor| {
                    let board = (*successor.board(), successor.color_to_move());
                    match boards.insert(successor.key(), board) {
                        None => next.push(*successor),
                        Some(earlier) => assert_eq!(earlier, board, "{successor}"),
                    }
                });
            }
            positions = next;
        }
    }
    assert!(boards.len() > 100_000, "{} positions are too few", boards.len());
}

#[test]
fn a_table_tells_positions_apart_when_a_draw_is_in_sight() {
    let check = |one: &str, other: &str, expected: bool| {
        let (one, other) = (read::<Fmjd>(one), read::<Fmjd>(other));
        assert_eq!(one.key(), other.key());
        assert_eq!(one.table_key() == other.table_key(), expected, "{one} {other}");
    };
    check("W:WK46,K47,30:BK1,K2,15:H3", "W:WK46,K47,30:BK1,K2,15:H4", true);
    check("W:WK46,K47,30:BK1,K2,15:H43", "W:WK46,K47,30:BK1,K2,15:H44", false);
    check("W:WK46,K47:BK1:H3", "W:WK46,K47:BK1:H4", false);
    let never = <Site as RuleSet>::Rules::default().with_no_progress_plies(0);
    let site = |text: &str, rules| Draughts::<Site>::read(text, rules).unwrap().table_key();
    assert_eq!(site("W:WK46:BK1:H98", never), site("W:WK46:BK1:H99", never));
    let usual = <Site as RuleSet>::Rules::default();
    assert_ne!(site("W:WK46:BK1:H98", usual), site("W:WK46:BK1:H99", usual));
}

#[test]
fn captures_and_promotions_are_tactical_and_look_promising() {
    let check = |text, better: &str, worse: &str, tactical: [bool; 2]| {
        let position = read::<Fmjd>(text);
        let moves = [better, worse].map(|text| position.read_move(text).unwrap());
        assert!(position.promise(moves[0]) > position.promise(moves[1]), "{text}");
        assert_eq!(moves.map(|mv| position.is_tactical(mv)), tactical, "{text}");
    };
    check("W:W8,38:BK45", "8-2", "38-32", [true, false]);
    check("W:WK46,38:B25", "38-32", "46-41", [false, false]);
    check("W:W35:B30,K40", "35x44", "35x24", [true, true]);
}

#[test]
fn beyond_the_horizon_all_captures_are_looked_at_or_else_promotions() {
    fn check<R: RuleSet>(text: &str, horizon: Horizon, expected: &[&str]) {
        let position = read::<R>(text);
        let mut moves = Vec::new();
        assert_eq!(position.horizon(&mut moves), horizon, "{text}");
        let texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
        assert_eq!(texts, expected, "{text}");
    }
    check::<Fmjd>("W:W8,38:BK45", Horizon::Settled, &["8-2", "8-3"]);
    check::<Fmjd>("W:W31-50:B1-20", Horizon::Settled, &[]);
    check::<Fmjd>("W:W35,10:B30,K40", Horizon::Unsettled, &["35x24", "35x44"]);
    check::<Fmjd>("W:W36:B31,27", Horizon::Unsettled, &[]);
    // A counter has run out.
    check::<Site>("W:W8:BK50:H100", Horizon::Unsettled, &["8-2", "8-3"]);
}

#[test]
fn positions_after_articles_of_the_fmjd_rules_have_the_moves_of_the_table() {
    let table = include_str!("golden/draughts-rules.txt");
    for line in table.lines().filter(|line| line.contains("fmjd")) {
        let (head, site) = line.split_once("site ").unwrap();
        let (head, fmjd) = head.split_once("fmjd ").unwrap();
        let text = head.split_whitespace().find(|word| word.contains(":W")).unwrap();
        check_ends::<Fmjd>(text, fmjd);
        check_ends::<Site>(text, if site.starts_with("same") { fmjd } else { site });
    }
}

/// Compares from and to of all moves, or the number of end squares, and how many pieces are taken.
fn check_ends<R: RuleSet>(text: &str, expected: &str) {
    let mut moves = Vec::new();
    let position = read::<R>(text);
    position.moves(&mut moves);
    if let Some(count) = expected.strip_suffix(" end squares") {
        let mut ends: Vec<_> = moves.iter().map(|mv| mv.to()).collect();
        ends.sort();
        ends.dedup();
        return assert_eq!(ends.len().to_string(), count.trim(), "{text}");
    }
    let words = expected.split_whitespace();
    let ends = words.map(|word| word.trim_end_matches(','));
    let mut ends: Vec<&str> = ends.take_while(|word| word.contains('x')).collect();
    ends.sort_unstable();
    let mut found: Vec<String> =
        moves.iter().map(|mv| format!("{}x{}", mv.from(), mv.to())).collect();
    found.sort();
    assert_eq!(found, ends, "{text}");
    let taken = expected.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
    if let Some(taken) = taken.and_then(|(taken, _)| taken.parse::<u32>().ok()) {
        assert!(moves.iter().all(|mv| mv.captured().len() == taken), "{text}");
    }
}

#[test]
fn the_counts_are_those_of_the_tables() {
    let mut text = "";
    let mut compared = 0;
    for line in include_str!("golden/draughts-perft.txt").lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "pos" => text = rest.split_whitespace().next().unwrap(),
            "both" => {
                compared += check_counts::<Fmjd>(text, rest) + check_counts::<Site>(text, rest);
            }
            "fmjd" => compared += check_counts::<Fmjd>(text, rest),
            "site" => compared += check_counts::<Site>(text, rest),
            _ => (),
        }
    }
    assert!(compared > 70, "only {compared} counts were compared");
}

/// How many counts were compared.
fn check_counts<R: RuleSet>(text: &str, counts: &str) -> usize {
    let position = read::<R>(text);
    let counts = counts.split_whitespace().map(|count| count.parse().unwrap());
    let counts: Vec<u64> = counts.take_while(|&count| count <= NODES_AT_MOST).collect();
    for (depth, &count) in (1..).zip(&counts) {
        assert_eq!(perft(&position, depth), count, "perft {depth} of {position}");
    }
    counts.len()
}

#[test]
fn a_board_with_ways_beyond_number_is_listed_and_read_like_any_other() {
    let check = |text, count| {
        let position = read::<Site>(text);
        let texts = legal(&position);
        assert_eq!(texts.len(), count, "{text}");
        for text in texts {
            let mv = position.read_move(&text).unwrap();
            assert_eq!(position.move_text(mv), text);
        }
    };
    check(
        "W:WK27:BK12,K19,K43,K10,K42,K28,K21,K44,K29,K1,K31,K18,K20,K41,K32,K8,K34,K11,K9,K30",
        48,
    );
    check(
        "W:WK5,K4,K36,K47,K45,K50,K1,K46,K35,K15:BK14,K8,K24,K27,K44,K28,K31,K34,K11,K33,K42,K18,K17,K43",
        182,
    );
}
