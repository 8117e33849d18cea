//! Scripts and their answers.

use super::driver::{count, fits};
use super::*;
use crate::protocol::input;

#[test]
fn nothing_is_said_before_it_is_asked() {
    check("", &[]);
    check("\n  \n# uci\nstop\nponderhit\nwait\nucinewgame\nquit\nisready", &[]);
}

#[test]
fn uci_tells_the_name_and_every_option() {
    let lines = answers("uci\nsetoption name UCI_Variant value dice\nuci");
    assert!(fits("id name Yardmaster *", &lines[0]) && fits("id author *", &lines[1]));
    assert_eq!(lines[2], "option name UCI_Variant type combo default nim var nim var dice");
    assert!(lines.contains(&"option name Hash type spin default 64 min 1 max 65536".to_owned()));
    let (first, second) = lines.split_at(lines.len() / 2);
    assert_eq!(first, second, "a default does not depend on what is set");
    assert_eq!(first.last().map(String::as_str), Some("uciok"));
}

#[test]
fn a_search_ends_with_one_bestmove() {
    check(
        "position startpos moves t1 t2\ngo depth 2\nwait",
        &[
            "info depth 1 seldepth 1 multipv 1 score cp 5 nodes 3 nps * hashfull 64 time * pv t2",
            "info depth 2 seldepth 2 multipv 1 score cp 5 nodes 15 nps * time * pv t2 t3",
            "bestmove t2 ponder t3",
        ],
    );
    check(
        "position fen 5 a 0\ngo depth 9\nwait\ngo depth 1\nwait",
        &[
            "info depth 1 *",
            "info depth 2 *",
            "info depth 3 * score mate 2 nodes * pv t1 t1 t3",
            "info depth 4 * score mate 2 nodes *",
            "info depth 5 * score mate 2 proven nodes *",
            "bestmove t1 ponder t1",
            // The depth of the last search does not stick, and neither does its result.
            "info depth 1 * score cp 5 * pv t1",
            "bestmove t1",
        ],
    );
}

#[test]
fn a_line_of_play_ends_at_the_first_move_of_chance() {
    let lines = answers(
        "setoption name UCI_Variant value dice\nposition fen 4 a 0\n\
         go depth 2 searchmoves r\nwait\nposition startpos\ngo depth 2 searchmoves t1\nwait",
    );
    assert!(lines[1].ends_with(" pv r"), "{lines:#?}");
    assert_eq!(lines[2], "bestmove r");
    assert!(lines.iter().all(|line| !line.contains('=')), "choices go out, events come in");
}

#[test]
fn a_finished_game_has_a_score_and_no_move() {
    let mate = "info depth 0 score mate 0";
    check("position fen 0 b 7\ngo depth 5\nwait", &[mate, NONE]);
    check("position fen 3 b 7 moves t3\ngo\nstop\nwait", &[mate, NONE]);
    check("position fen 9 b 100\ngo wtime 5 btime 5", &["info depth 0 score cp 0", NONE]);
    check("position fen 0 b 7\neval", &["Evaluation: none, the game is over (a, no stones)"]);
}

#[test]
fn a_refused_position_leaves_none() {
    let gone = "info string error: no position is set, expected an accepted \"position\" before";
    for (bad, error) in [
        ("position", "\"\" is not a position, expected *"),
        ("position sartpos", "\"sartpos\" is not a position, expected *"),
        ("position fen 9", "\"9\" is no heap, expected *"),
        ("position startpos moves t1 t4 t1", "move 2 of the list: \"t4\" is not legal here"),
        (
            "position fen 1 a 0 moves t1 t1",
            "move 2 of the list: \"t1\" comes after the end of the game (a, no stones)",
        ),
    ] {
        let error = format!("info string error: {error}");
        let script = format!(
            "position startpos\n{bad}\ngo depth 1\nwait\nd\neval\nflip\ngo perft 1\n\
             position startpos\ngo depth 1\nwait"
        );
        let info = "info depth 1 *";
        let expected = [&error, gone, NONE, gone, gone, gone, gone, info, "bestmove t1"];
        check(&script, &expected);
    }
}

#[test]
fn events_are_played_after_a_draw_by_a_counter() {
    let lines = answers("position fen 9 a 99 moves t1 t1\nd");
    assert_eq!(lines[1], "Fen: 7 a 101");
    assert_eq!(lines[3], "Result: draw, no progress");
}

#[test]
fn a_board_tells_what_the_rules_say() {
    check(
        "position startpos moves T1\nd\nposition fen 3 a 0 moves t3\nd\n\
         setoption name UCI_Variant value dice\nposition startpos moves r=2\nd\nflip\nd",
        &[
            "oooooooooooooooooooo",
            "Fen: 20 b 1",
            "Key: 0000000000000029",
            "Result: none",
            "Legal moves (3): t1 t2 t3",
            "",
            "Fen: 0 b 1",
            "Key: 0000000000000001",
            "Result: a, no stones",
            "Legal moves (0):",
            "ooooooooooooooooooo",
            "Fen: 19 b 1",
            "Key: 0000000000000027",
            "Result: none",
            "Legal moves (4): t1 t2 t3 r",
            "ooooooooooooooooooo",
            "Fen: 19 a 1",
            "Key: 0000000000000026",
            "Result: none",
            "Legal moves (4): t1 t2 t3 r",
        ],
    );
}

#[test]
fn perft_counts_events() {
    check("go perft 0\nwait", &["", "Nodes searched: 1"]);
    check(
        "setoption name UCI_Variant value dice\nsetoption name Threads value 2\ngo perft 2\nwait",
        &["t1: 5", "t2: 5", "t3: 5", "r=1: 5", "r=2: 5", "", "Nodes searched: 25"],
    );
    check("position fen 0 a 0\ngo perft 3\nwait", &["", "Nodes searched: 0"]);
    let deep = "info string error: perft 1001 is deeper than 1000 plies";
    check("go perft 1001", &[deep]);
    check("go perft", &["info string error: perft without a value, *"]);
    check(&format!("{ENDLESS}\ngo perft 99\nstop\nwait"), &["info string perft was stopped"]);
}

#[test]
fn an_evaluation_is_the_sum_of_its_terms() {
    check(
        "position fen 7 b 0\neval",
        &[
            "rest     +0.30",
            "turn     -0.05",
            "total    +0.25",
            "Evaluation: +0.25, seen from b, who is to move",
        ],
    );
}

#[test]
fn a_bad_go_is_answered_and_begins_no_search() {
    for (bad, error) in [
        ("go depth abc", "\"abc\" is not a value of depth, *"),
        ("go depth -1", "\"-1\" is not a value of depth, *"),
        ("go nodes", "nodes without a value, *"),
        ("go deepth 5", "unknown in go: \"deepth 5\", *"),
        ("go searchmoves depth 1", "searchmoves without a value, *"),
        ("go depth 1 searchmoves t4 x", "\"t4 x\" in searchmoves are not legal here, *"),
    ] {
        check(&format!("{bad}\nwait"), &[&format!("info string error: {error}"), NONE]);
    }
}

#[test]
fn what_is_wrong_in_a_go_is_named_and_the_rest_is_used() {
    check(
        "go depth 1 fast\nwait",
        &["info string error: unknown in go: \"fast\", *", "info depth 1 *", "bestmove t1"],
    );
    check(
        "go searchmoves t9 T3 t3 depth 1\nwait",
        &["info string error: \"t9\" in searchmoves is not legal here", "* pv t3", "bestmove t3"],
    );
}

#[test]
fn no_limit_is_the_least_that_a_search_can_do() {
    for go in ["depth 0", "nodes 0", "movetime 0", "mate 0", "wtime 0 btime 0", "wtime -100"] {
        let lines = answers(&format!("{ENDLESS}\ngo {go}\nwait"));
        assert_eq!(count(&lines, "bestmove t"), 1, "{go}: {lines:#?}");
        assert!(lines[0].starts_with("info depth 1 "), "{go}: {lines:#?}");
    }
}

#[test]
fn more_lines_than_moves_are_as_many_as_moves() {
    let lines = answers("setoption name multipv value 256\ngo depth 2\nwait");
    assert_eq!((count(&lines, "info depth 1"), count(&lines, "info depth 2")), (3, 3));
    assert_eq!(lines.last().map(String::as_str), Some("bestmove t1 ponder t3"));
}

#[test]
fn a_seed_chooses_among_equal_moves() {
    let best = |seed: u32| {
        let script =
            format!("setoption name Seed value {seed}\nposition fen 8 a 0\ngo depth 8\nwait");
        answers(&script).pop().expect("an answer")[.."bestmove t1".len()].to_owned()
    };
    assert_eq!(best(0), "bestmove t1");
    assert_eq!(best(7), best(7));
    let others: Vec<_> = (1..20).map(best).collect();
    for mv in ["bestmove t1", "bestmove t2", "bestmove t3"] {
        assert!(others.iter().any(|best| best == mv), "{mv} is never chosen: {others:?}");
    }
}

#[test]
fn options_outlive_a_change_of_the_variant() {
    let lines = answers(
        "setoption name Hash value 7\nsetoption name MultiPV value 2\n\
         setoption name UCI_ShowWDL value true\nposition fen 9 b 3\n\
         setoption name UCI_Variant value DICE\nd\ngo depth 1\nwait\n\
         setoption name uci_variant value dice\nposition fen 2 a 0\n\
         setoption name UCI_Variant value dice\nd",
    );
    assert_eq!(lines[1], "Fen: 21 a 0", "the start position is set");
    assert!(fits("info depth 1 * multipv 1 score cp * wdl * nodes * hashfull 7 *", &lines[5]));
    assert!(fits("info depth 1 * multipv 2 *", &lines[6]), "{lines:#?}");
    assert_eq!(lines[9], "Fen: 21 a 0", "and also when the variant stays");
}

#[test]
fn a_refused_value_changes_nothing() {
    let lines = answers(
        "setoption name Hash value 9\nsetoption name Hash value 2000\nsetoption name Hash value x\n\
         setoption Hash 3\nsetoption name UCI_Variant value chess\ngo depth 1\nwait",
    );
    assert_eq!(lines[0], "info string error: Hash stays at 9 MiB: 2000 MiB can't be had");
    assert_eq!(count(&lines, "info string error: "), 4);
    assert!(fits("info depth 1 * hashfull 9 *", &lines[4]), "{lines:#?}");
}

#[test]
fn the_rule_of_no_progress_holds_in_the_game_that_is_played() {
    check(
        "position fen 9 a 20 moves t1 t1\nsetoption name NoProgressPlies value 22\n\
         go depth 1\nwait\nsetoption name NoProgressPlies value 0\ngo depth 1\nwait",
        &["info depth 0 score cp 0", NONE, "info depth 1 * pv t3", "bestmove t3"],
    );
}

#[test]
fn bench_counts_the_same_nodes_every_time() {
    let nodes = |script| -> Vec<String> {
        answers(script).into_iter().filter(|line| line.ends_with(" nodes")).collect()
    };
    let all = nodes("bench\nwait");
    assert!(fits("nim: * nodes", &all[0]) && fits("dice: * nodes", &all[1]), "{all:?}");
    assert_eq!(all, nodes("setoption name MultiPV value 3\ngo depth 5\nwait\nbench\nwait"));
    assert_eq!(all[1..], nodes("bench dice\nwait"));
    assert_ne!(all[1..], nodes("bench 2 Dice\nwait"));
    let sum = answers("bench\nwait").pop().expect("the sum");
    assert!(fits("* nodes * nps", &sum), "{sum}");
    check("bench chess", &["info string error: \"chess\" is neither a depth nor a variant, *"]);
    check("bench 99 nim\nstop\nwait", &["info string bench was stopped"]);
}

#[test]
fn every_unknown_line_is_answered_by_one_error() {
    check(
        "joho",
        &["info string error: unknown command \"joho\", expected one that \"help\" lists"],
    );
    let long = format!("{}\nisready", "x".repeat(input::LINE_MAX + 1));
    check(&long, &["info string error: a line of more than 1048576 bytes, *", "readyok"]);
    let long = format!("position startpos moves {}\nisready", "t1 ".repeat(300_000));
    check(&long, &["info string error: move 22 of the list: *", "readyok"]);
    let paper = Paper::default();
    run(menu(), None, Cursor::new(b"\xff\xfe\r\n\xef\xbb\xbfisready\r\n"), paper.clone());
    assert_eq!(
        paper.lines(),
        ["info string error: a line that is not UTF-8, expected UTF-8", "readyok"]
    );
}

#[test]
fn lines_as_arguments_wait_for_each_other() {
    let paper = Paper::default();
    let lines = ["position fen 5 a 0", "go depth 1", "go infinite", "go depth 1", "quit", "d"];
    run_lines(menu(), lines, paper.clone());
    let lines = paper.lines();
    assert_eq!(count(&lines, "bestmove"), 3);
    assert_eq!(count(&lines, "info string error: waiting for a search"), 1);
    assert_eq!(count(&lines, "Fen"), 0);
}

#[test]
fn a_log_holds_both_sides_of_the_conversation() {
    let path = std::env::temp_dir().join(format!("yardmaster-log-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let name = path.display();
    check(
        &format!(
            "setoption name Debug Log File value {name}\nisready\n\
             setoption name Debug Log File value {name}/none\nisready\n\
             setoption name Debug Log File value <empty>\nisready"
        ),
        &["readyok", "info string error: \"*\" can't be opened for a log: *", "readyok", "readyok"],
    );
    let log = std::fs::read_to_string(&path).expect("a log");
    std::fs::remove_file(&path).expect("a log");
    let lines: Vec<_> = log.lines().collect();
    let patterns = [
        "*:*:*.* >> isready",
        "*:*:*.* << readyok",
        "*:*:*.* >> setoption *",
        "*:*:*.* << info string error: *",
        "*:*:*.* >> isready",
        "*:*:*.* << readyok",
        "*:*:*.* >> setoption *",
    ];
    assert_eq!(lines.len(), patterns.len(), "{log}");
    assert!(lines.iter().zip(patterns).all(|(line, pattern)| fits(pattern, line)), "{log}");
}
