//! The program as a GUI has it: a child process with pipes. Each test plays every variant.

use std::fs;
use std::io::{BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use driver::{Driver, PATIENCE, count, fits};
use yardmaster::protocol::{VARIANTS, names};

#[allow(dead_code, unreachable_pub)]
mod driver;

const NONE: &str = "bestmove (none)";
const BUSY: &str = "info string error: busy searching, expected \"stop\" before";

/// A running program with a GUI.
struct Program {
    child: Child,
    gui: Driver,
}

impl Program {
    fn start(variant: &str) -> Self {
        let mut child = command()
            .args(["--variant", variant])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        Self { child, gui: Driver::new(input, BufReader::new(output)) }
    }

    /// Waits for the end, which must be a good one; the lines up to there.
    fn end(mut self) -> Vec<String> {
        let lines = self.gui.rest();
        ends_well(&mut self.child);
        lines
    }
}

impl Drop for Program {
    /// A failed test leaves no process behind.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command() -> Command {
    Command::new(env!("CARGO_BIN_EXE_yardmaster"))
}

/// The process ends with code 0 and without a word on standard error.
fn ends_well(child: &mut Child) {
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break status;
        }
        assert!(begin.elapsed() < PATIENCE, "the program does not end");
        thread::sleep(Duration::from_millis(5));
    };
    let mut complaint = String::new();
    let stderr = child.stderr.as_mut().expect("a pipe");
    stderr.read_to_string(&mut complaint).expect("text");
    assert!(status.success() && complaint.is_empty(), "{status}, {complaint}");
}

/// Talks about every variant with a program of its own.
fn each(talk: impl Fn(&str, &mut Driver)) {
    for variant in names(VARIANTS) {
        let mut program = Program::start(variant);
        talk(variant, &mut program.gui);
        program.gui.send("quit");
        let rest = program.end();
        assert!(rest.is_empty(), "{variant} has more to say: {rest:#?}");
    }
}

/// Runs the program with arguments.
fn with_arguments(arguments: &[&str]) -> Output {
    command().args(arguments).stdin(Stdio::null()).output().expect("the program starts")
}

fn lines(output: &Output) -> Vec<String> {
    let text = str::from_utf8(&output.stdout).expect("text");
    text.lines().map(str::to_owned).collect()
}

/// The legal moves at the position that is set.
fn legal_moves(gui: &mut Driver) -> Vec<String> {
    gui.send("d");
    let line = gui.next("Legal moves");
    let (_, moves) = line.split_once(": ").expect("moves");
    moves.split(' ').map(str::to_owned).collect()
}

/// The events that may be played at the position that is set.
fn legal_events(gui: &mut Driver) -> Vec<String> {
    gui.send("go perft 1");
    let lines = gui.until("Nodes searched");
    lines.iter().filter_map(|line| Some(line.split_once(": 1")?.0.to_owned())).collect()
}

/// The two words behind `bestmove` and `ponder`.
fn best_and_ponder(line: &str) -> (String, Option<String>) {
    let words: Vec<&str> = line.split(' ').collect();
    match words[..] {
        ["bestmove", best] => (best.to_owned(), None),
        ["bestmove", best, "ponder", reply] => (best.to_owned(), Some(reply.to_owned())),
        _ => panic!("{line}"),
    }
}

#[test]
fn the_handshake_names_every_variant() {
    each(|variant, gui| {
        gui.send("uci");
        let lines = gui.until("uciok");
        assert!(fits("id name Yardmaster *", &lines[0]), "{lines:#?}");
        let combo = format!("option name UCI_Variant type combo default {variant} var *");
        let combo = lines.iter().find(|line| fits(&combo, line)).expect("the variants");
        assert!(names(VARIANTS).all(|name| combo.contains(&format!(" var {name}"))), "{combo}");
    });
}

#[test]
fn a_stop_ends_a_search_with_a_legal_move() {
    each(|variant, gui| {
        let legal = legal_moves(gui);
        gui.send("go infinite");
        gui.next("info depth");
        assert_eq!(count(&gui.ready(), "bestmove"), 0, "{variant}");
        gui.send("stop");
        let (best, _) = best_and_ponder(&gui.next("bestmove"));
        assert!(legal.contains(&best), "{variant}: {best} is none of {legal:?}");
    });
}

#[test]
fn every_line_begins_with_a_legal_move_and_the_last_one_with_the_best() {
    each(|variant, gui| {
        let legal = legal_moves(gui);
        gui.send("go depth 4");
        let lines = gui.until("bestmove");
        let (best, _) = best_and_ponder(lines.last().expect("an answer"));
        let firsts: Vec<&str> =
            lines.iter().filter_map(|line| line.split_once(" pv ")?.1.split(' ').next()).collect();
        assert!(firsts.iter().all(|first| legal.iter().any(|mv| mv == first)), "{variant}");
        assert_eq!(firsts.last(), Some(&best.as_str()), "{variant}: {lines:#?}");
        let order =
            "info depth * seldepth * multipv 1 score * nodes * nps * hashfull * time * pv *";
        assert!(lines.iter().any(|line| fits(order, line)), "{variant}: {lines:#?}");
    });
}

#[test]
fn pondering_ends_with_the_hit_or_a_stop() {
    each(|variant, gui| {
        for (go, end) in [
            ("go ponder movetime 20", "ponderhit"),
            ("go ponder wtime 200 btime 200", "ponderhit"),
            ("go ponder wtime 200000 btime 200000", "stop"),
            ("go ponder depth 1", "ponderhit"),
            ("go ponder", "ponderhit"),
        ] {
            gui.send(go);
            gui.next("info depth");
            assert_eq!(count(&gui.ready(), "bestmove"), 0, "{variant}, {go}");
            gui.send(end);
            gui.next("bestmove");
            assert_eq!(count(&gui.ready(), "bestmove"), 0, "{variant}, {go}");
        }
    });
}

#[test]
fn the_reply_to_ponder_on_can_be_played() {
    each(|variant, gui| {
        gui.send("go depth 3");
        let (best, reply) = best_and_ponder(&gui.next("bestmove"));
        if let Some(reply) = reply {
            gui.send(&format!("position startpos moves {best} {reply}"));
            assert_eq!(gui.ready(), Vec::<String>::new(), "{variant}");
        }
    });
}

#[test]
fn the_end_of_the_input_or_quit_ends_a_search() {
    for variant in names(VARIANTS) {
        for quits in [true, false] {
            let mut program = Program::start(variant);
            program.gui.send("go infinite");
            program.gui.next("info depth");
            if quits {
                program.gui.send("quit");
            }
            program.gui.close();
            assert_eq!(count(&program.end(), "bestmove"), 1, "{variant}");
        }
    }
}

#[test]
fn a_closed_output_ends_the_program_quietly() {
    for variant in names(VARIANTS) {
        for script in ["uci\n", "go infinite\n", "go depth 3\nwait\nd\n"] {
            let mut child = command()
                .args(["--variant", variant])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .expect("the program starts");
            drop(child.stdout.take());
            let mut input = child.stdin.take().expect("a pipe");
            input.write_all(script.as_bytes()).expect("the program listens");
            ends_well(&mut child);
        }
    }
}

#[test]
fn whatever_the_bytes_the_session_goes_on() {
    each(|variant, gui| {
        gui.send_bytes(b"\xff\xfe\x00\n\x00\r\n\r\nisready\r\n");
        let lines = gui.until("readyok");
        assert_eq!(count(&lines, "info string error: "), 2, "{variant}: {lines:#?}");
        let padding = " ".repeat((1 << 20) - "isready".len());
        gui.send(&format!("isready{padding}"));
        assert_eq!(gui.until("readyok").len(), 1, "{variant}");
        gui.send(&format!("isready {padding}"));
        assert!(gui.next("info string error: ").contains("1048576"), "{variant}");
        assert!(gui.ready().is_empty(), "{variant}");
    });
}

#[test]
fn a_refused_position_is_never_searched() {
    each(|variant, gui| {
        let event = legal_events(gui).swap_remove(0);
        let illegal = format!("position startpos moves {event} zz99");
        for (position, named) in [
            ("position", "\"\""),
            ("position fen", "\"fen\""),
            ("position fen zz", "zz"),
            ("position startpos moves zz99", "move 1 of the list: \"zz99\""),
            (illegal.as_str(), "move 2 of the list: \"zz99\""),
        ] {
            gui.send("position startpos");
            gui.send(position);
            gui.send("go depth 1");
            let lines = gui.until("bestmove");
            assert_eq!(lines.len(), 3, "{variant}: {lines:#?}");
            assert!(lines[0].contains(named), "{variant}: {lines:#?}");
            assert_eq!(lines[2], NONE, "{variant}");
        }
        gui.send("position startpos");
        gui.send("go depth 1");
        assert_ne!(gui.next("bestmove"), NONE, "{variant}");
    });
}

#[test]
fn a_busy_engine_refuses_what_would_disturb_the_search() {
    each(|variant, gui| {
        gui.send("go infinite");
        gui.next("info depth");
        for line in ["go depth 1", "position startpos", "setoption name Hash value 3", "ucinewgame"]
        {
            gui.send(line);
            assert_eq!(gui.next("info string"), BUSY, "{variant}, {line}");
        }
        gui.send("wait");
        assert!(gui.next("info string error: ").contains("stop"), "{variant}");
        gui.send("d");
        gui.next("Legal moves");
        gui.send("stop");
        gui.send("position startpos");
        gui.send("go depth 1");
        assert_eq!(count(&gui.until("bestmove"), BUSY), 0, "{variant}");
        assert_eq!(count(&gui.until("bestmove"), "info string"), 0, "{variant}");
    });
}

#[test]
fn a_stop_without_a_search_is_no_news() {
    each(|variant, gui| {
        gui.send("stop");
        gui.send("ponderhit");
        assert!(gui.ready().is_empty(), "{variant}");
        for _ in 0..10 {
            gui.send("go depth 1");
            gui.next("bestmove");
            gui.send("stop");
            gui.send("go depth 2");
            let lines = gui.until("bestmove");
            assert!(count(&lines, "info depth 2 ") > 0, "{variant}: {lines:#?}");
        }
        assert!(gui.ready().is_empty(), "{variant}");
    });
}

#[test]
fn no_limit_is_answered_at_once() {
    each(|variant, gui| {
        for go in
            ["depth 0", "nodes 0", "movetime 0", "mate 0", "wtime 0 btime 0", "wtime -9 btime -9"]
        {
            gui.send(&format!("go {go}"));
            let lines = gui.until("bestmove");
            assert_ne!(lines.last().map(String::as_str), Some(NONE), "{variant}, {go}");
            assert!(count(&lines, "info depth") > 0, "{variant}, {go}");
        }
        for go in ["depth abc", "depth", "depth -1", "nodes 1e6", "deepth 4", "searchmoves zz99"] {
            gui.send(&format!("go {go}"));
            let lines = gui.until("bestmove");
            assert_eq!(lines.len(), 2, "{variant}, {go}: {lines:#?}");
            assert_eq!(lines[1], NONE, "{variant}, {go}");
        }
    });
}

/// Twenty kings a side, which can take each other in every way.
const KINGS: &str = "B:WK1,K2,K5,K7,K8,K14,K17,K18,K24,K25,K28,K29,K31,K32,K37,K41,K42,K44,K45,K49:\
                     BK4,K9,K11,K12,K13,K19,K20,K21,K23,K26,K27,K33,K34,K35,K36,K38,K39,K40,K43,K46";

#[test]
fn a_board_full_of_kings_is_not_searched_for_ever() {
    for variant in ["draughts", "draughts-fmjd"] {
        let mut program = Program::start(variant);
        program.gui.send(&format!("position fen {KINGS}\ngo depth 1 nodes 200000"));
        let lines = program.gui.until("bestmove");
        assert!(count(&lines, "info depth 1 ") > 0, "{variant}: {lines:#?}");
        let cut_off = lines.iter().any(|line| line.contains(" nodes 200000 "));
        assert!(!cut_off, "{variant} has not finished an iteration: {lines:#?}");
        program.gui.send("quit");
        program.end();
    }
}

#[cfg(unix)]
#[test]
fn threads_that_the_system_has_no_room_for_are_done_without() {
    // Address space for some of the threads, but not for all.
    let limited = "ulimit -v 300000 && exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_yardmaster")])
        .args(["setoption name Threads value 64", "go depth 4"])
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let lines = lines(&output);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    assert_eq!(count(&lines, "bestmove "), 1, "{lines:#?}");
}

#[test]
fn a_huge_clock_does_not_overflow() {
    each(|variant, gui| {
        let huge = "9".repeat(30);
        gui.send(&format!("go wtime {huge} btime {huge} winc {huge} binc {huge} depth 2"));
        assert_ne!(gui.next("bestmove"), NONE, "{variant}");
        gui.send(&format!("go depth 2 nodes {huge} movetime {huge} movestogo {huge} mate {huge}"));
        assert_ne!(gui.next("bestmove"), NONE, "{variant}");
    });
}

#[test]
fn no_more_nodes_are_visited_than_the_limit_allows() {
    each(|variant, gui| {
        // Kalah knows the start by heart, and counts on from here.
        if variant == "kalah" {
            gui.send("position startpos moves c f B A d D f b f d B e A f");
        }
        for limit in [1, 50, 300, 1000, 20_000] {
            gui.send("ucinewgame");
            gui.send(&format!("go nodes {limit}"));
            for line in gui.until("bestmove") {
                let nodes = line.split_once(" nodes ").map(|(_, rest)| rest);
                let nodes = nodes.and_then(|rest| rest.split(' ').next()?.parse::<u64>().ok());
                assert!(nodes.is_none_or(|nodes| nodes <= limit), "{variant} {limit}: {line}");
            }
        }
    });
}

#[test]
fn only_the_moves_that_are_asked_for_are_searched() {
    each(|variant, gui| {
        let legal = legal_moves(gui);
        let last = legal.last().expect("a legal move");
        gui.send(&format!("go searchmoves zz99 {last} {last} depth 2"));
        let lines = gui.until("bestmove");
        assert!(lines[0].contains("\"zz99\""), "{variant}: {lines:#?}");
        let (best, _) = best_and_ponder(lines.last().expect("an answer"));
        assert_eq!(&best, last, "{variant}");
    });
}

#[test]
fn more_lines_than_moves_are_as_many_as_moves() {
    each(|variant, gui| {
        let legal = legal_moves(gui);
        gui.send("setoption name MultiPV value 256");
        gui.send("go depth 1");
        let lines = gui.until("bestmove");
        let last = format!(" multipv {} ", legal.len());
        let more = format!(" multipv {} ", legal.len() + 1);
        assert!(lines.iter().any(|line| line.contains(&last)), "{variant}: {lines:#?}");
        assert!(!lines.iter().any(|line| line.contains(&more)), "{variant}: {lines:#?}");
    });
}

#[test]
fn a_pipe_gets_its_result_by_waiting() {
    for variant in names(VARIANTS) {
        let mut program = Program::start(variant);
        program.gui.send("position startpos\ngo depth 3\nwait\nquit");
        let lines = program.end();
        assert!(count(&lines, "info depth 3 ") > 0, "{variant}: {lines:#?}");
        assert_eq!(count(&lines, "bestmove"), 1, "{variant}");
    }
}

#[test]
fn another_variant_begins_at_its_start_position() {
    let fen = |gui: &mut Driver| {
        gui.send("d");
        let lines = gui.until("Legal moves");
        lines.into_iter().find(|line| line.starts_with("Fen: ")).expect("a position")
    };
    each(|variant, gui| {
        let start = fen(gui);
        for other in names(VARIANTS) {
            gui.send(&format!("setoption name UCI_Variant value {}", other.to_uppercase()));
            gui.send("go depth 1");
            assert_ne!(gui.next("bestmove"), NONE, "{other}");
        }
        gui.send(&format!("setoption name UCI_Variant value {variant}"));
        assert_eq!(fen(gui), start, "{variant}");
    });
}

#[test]
fn a_log_file_holds_the_conversation() {
    each(|variant, gui| {
        let name = format!("yardmaster {variant} {}.log", std::process::id());
        let path = std::env::temp_dir().join(name);
        gui.send(&format!("setoption name Debug Log File value {}", path.display()));
        gui.send("go depth 1");
        gui.next("bestmove");
        gui.send("setoption name Debug Log File value");
        assert!(gui.ready().is_empty(), "{variant}");
        let log = fs::read_to_string(&path).expect("a log");
        fs::remove_file(&path).expect("a log");
        let expected = ["*:*:*.* >> go depth 1", "*:*:*.* << info *"];
        let begins = log.lines().zip(expected).all(|(line, expected)| fits(expected, line));
        assert!(begins, "{variant}: {log}");
        assert!(log.contains(" << bestmove "), "{variant}: {log}");
        assert!(!log.contains("isready"), "{variant}: {log}");
    });
}

#[cfg(unix)]
#[test]
fn a_pipe_that_nobody_else_has_opened_is_neither_a_log_nor_a_table() {
    let path = std::env::temp_dir().join(format!("yardmaster {}.pipe", std::process::id()));
    let made = Command::new("mkfifo").arg(&path).status().expect("mkfifo");
    assert!(made.success());
    let mut program = Program::start("draughts");
    program.gui.send(&format!("setoption name Debug Log File value {}", path.display()));
    program.gui.send(&format!("setoption name TablePath value {}", path.display()));
    program.gui.send("setoption name TablePath value /dev/zero");
    let lines = program.gui.ready();
    fs::remove_file(&path).expect("a pipe");
    assert!(lines[0].ends_with("can't be opened for a log: not a regular file"), "{lines:#?}");
    for line in &lines[1..3] {
        assert!(line.ends_with("is not used: not a regular file"), "{lines:#?}");
    }
    program.gui.send("quit");
    program.end();
}

#[test]
fn arguments_are_commands() {
    for variant in names(VARIANTS) {
        let upper = variant.to_uppercase();
        let output = with_arguments(&["--variant", &upper, "position startpos", "go depth 2", "d"]);
        let lines = lines(&output);
        assert!(output.status.success() && output.stderr.is_empty(), "{variant}");
        let answer = lines.iter().position(|line| line.starts_with("bestmove "));
        let board = lines.iter().position(|line| line.starts_with("Fen: "));
        assert!(answer.is_some() && answer < board, "{variant}: {lines:#?}");
    }
    assert!(!with_arguments(&["--variant", "chess"]).status.success());
    let version = lines(&with_arguments(&["--version"]));
    assert_eq!(version, [format!("yardmaster {}", env!("CARGO_PKG_VERSION"))]);
}

#[test]
fn a_race_is_run_or_refused() {
    let near = "16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/9r2rrrr/11rrrrr r 99";
    let output = with_arguments(&["race", near]);
    let lines = lines(&output);
    assert!(output.status.success() && output.stderr.is_empty(), "{lines:#?}");
    assert!(fits("2 moves, * s, beam of 30 positions", &lines[0]), "{lines:#?}");
    let moves: Vec<&str> = lines[1].split(' ').collect();
    assert!(lines.len() == 2 && moves.len() == 2, "{lines:#?}");
    let refused = [
        ("16/16 r 1", "yardmaster: the board \"16/16\" has 2 ranks, expected 16\n"),
        (
            "16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/9r2rrrr/11rrrr1 r 99",
            "yardmaster: red has 18 men, expected 19\n",
        ),
        (
            "rrrrr11/rrrrr11/rrrr12/rrr13/rr14/16/16/16/16/16/16/16/16/16/16/15b r 1",
            "yardmaster: 1 enemy men in the goal, expected none\n",
        ),
    ];
    for (position, expected) in refused {
        let output = with_arguments(&["race", position]);
        assert!(!output.status.success() && output.stdout.is_empty(), "{position}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
    }
}

/// The tests are built without the optimizations of a release, whose own count is compared when all is
/// checked.
#[test]
fn bench_is_the_same_in_every_build() {
    let lines = lines(&with_arguments(&["bench"]));
    let nodes = lines.last().and_then(|line| line.split(' ').next());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/signature");
    let signature = fs::read_to_string(path).expect("a signature");
    assert_eq!(nodes, Some(signature.trim()), "{lines:#?}");
}

#[test]
fn one_thread_finds_the_same_every_time() {
    /// What is told of a search, without times.
    fn told(variant: &str, lines: &[String]) -> Vec<String> {
        let mut program = Program::start(variant);
        for line in lines {
            program.gui.send(line);
        }
        let lines = program.gui.until("bestmove");
        program.gui.send("quit");
        program.end();
        let without = |line: &String| {
            let words: Vec<&str> = line.split(' ').collect();
            let is_time = |at: usize| at < words.len() && ["nps", "time"].contains(&words[at]);
            let kept = (0..words.len()).filter(|&at| !is_time(at) && (at == 0 || !is_time(at - 1)));
            kept.map(|at| words[at]).collect::<Vec<_>>().join(" ")
        };
        // A sign of life comes after some time.
        lines.iter().filter(|line| !line.contains(" currmove ")).map(without).collect()
    }
    for variant in names(VARIANTS) {
        let legal = |seed: u32| {
            let seed = format!("setoption name Seed value {seed}");
            ["go nodes 30000", "go depth 4"].map(|go| told(variant, &[seed.clone(), go.to_owned()]))
        };
        let (first, seeded) = (legal(0), legal(7));
        assert_eq!(first, legal(0), "{variant}");
        assert_eq!(seeded, legal(7), "{variant} with a seed");
    }
}

#[test]
fn bench_is_the_same_every_time() {
    let nodes = || -> Vec<String> {
        let output = with_arguments(&["bench 2"]);
        let lines = lines(&output);
        assert!(fits("* nodes * nps", lines.last().expect("the sum")), "{lines:#?}");
        lines.into_iter().filter(|line| line.ends_with(" nodes")).collect()
    };
    let first = nodes();
    assert_eq!(first, nodes());
    let told: Vec<&str> = first.iter().filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    assert_eq!(told, names(VARIANTS).collect::<Vec<_>>());
}

#[test]
fn a_new_game_forgets_the_last_one() {
    each(|variant, gui| {
        let answer = |gui: &mut Driver, lines: &str| -> Vec<String> {
            gui.send(lines);
            let lines = gui.until("bestmove");
            // What else is told depends on the time.
            let found =
                lines.iter().filter(|line| line.contains(" pv ") && !line.contains("bound"));
            found.filter_map(|line| line.split(" nps ").next()).map(str::to_owned).collect()
        };
        let first = answer(gui, "ucinewgame\nposition startpos\ngo depth 4");
        let again = answer(gui, "ucinewgame\ngo depth 4");
        assert_eq!(first, again, "{variant}");
    });
}
