//! Conversations to and fro, while searches run.

use std::time::Duration;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::driver::count;
use super::*;

#[test]
fn a_running_search_leaves_the_engine_awake() {
    let (mut gui, engine) = converse();
    for line in [ENDLESS, "go infinite"] {
        gui.send(line);
    }
    gui.next("info depth 4");
    gui.send("d");
    assert_eq!(gui.next("Fen"), "Fen: 200 a 0");
    for line in [
        "go depth 1",
        "position startpos",
        "setoption name Hash value 5",
        "ucinewgame",
        "eval",
        "flip",
        "bench",
        "go perft 1",
        "go depth abc",
        "position x",
    ] {
        gui.send(line);
        let busy = "info string error: busy searching, expected \"stop\" before";
        assert_eq!(gui.next("info string"), busy, "{line}");
    }
    gui.send("wait");
    gui.next("info string error: waiting");
    gui.send("ponderhit");
    assert_eq!(count(&gui.ready(), "bestmove"), 0);
    gui.send("stop\nposition fen 5 a 0\ngo depth 1\nstop");
    gui.next("bestmove");
    assert_eq!(gui.next("bestmove"), "bestmove t1", "what came after a stop is done");
    gui.send("stop\nstop\nquit");
    assert_eq!(count(&gui.rest(), "bestmove"), 0);
    engine.join().expect("an end in peace");
}

#[test]
fn a_late_stop_never_reaches_the_next_search() {
    let (mut gui, engine) = converse();
    gui.send("position fen 12 a 0");
    for _ in 0..200 {
        gui.send("go depth 1");
        gui.next("bestmove");
        gui.send("stop\ngo depth 6");
        let lines = gui.until("bestmove");
        assert_eq!(count(&lines, "info string"), 0, "{lines:#?}");
        assert_eq!(count(&lines, "info depth 6 seldepth"), 1, "{lines:#?}");
    }
    gui.close();
    assert_eq!(gui.rest(), Vec::<String>::new());
    engine.join().expect("an end in peace");
}

#[test]
fn an_infinite_search_answers_only_when_it_is_stopped() {
    for (position, go, end) in [
        ("position fen 3 a 0", "go infinite", "stop"),
        ("position fen 3 a 0", "go", "stop"),
        ("position fen 3 a 0", "go infinite depth 1", "stop"),
        ("position fen 0 a 0", "go infinite", "stop"),
        ("position fen 0 a 0", "go ponder depth 1", "ponderhit"),
        ("position fen 3 a 0", "go ponder depth 1", "ponderhit"),
        ("position fen 3 a 0", "go ponder wtime 1000", "stop"),
        ("position fen 3 a 0", "go ponder", "ponderhit"),
        (ENDLESS, "go ponder", "ponderhit"),
        (ENDLESS, "go ponder movetime 1", "ponderhit"),
        (ENDLESS, "go ponder wtime 1", "ponderhit"),
    ] {
        let (mut gui, engine) = converse();
        gui.send(position);
        gui.send(go);
        gui.next("info depth");
        // Time to answer too early, if it would.
        thread::sleep(Duration::from_millis(30));
        gui.send("wait");
        let lines = gui.ready();
        assert_eq!(count(&lines, "bestmove"), 0, "{position}, {go}");
        assert_eq!(count(&lines, "info string error: waiting"), 1, "{position}, {go}");
        gui.send(end);
        gui.next("bestmove");
        gui.send("quit");
        assert_eq!(gui.rest(), Vec::<String>::new());
        engine.join().expect("an end in peace");
    }
}

#[test]
fn the_end_of_the_input_ends_a_search() {
    let (mut gui, engine) = converse();
    gui.send(&format!("{ENDLESS}\ngo infinite"));
    gui.next("info depth 3");
    gui.close();
    assert_eq!(count(&gui.rest(), "bestmove"), 1);
    engine.join().expect("an end in peace");
}

#[test]
fn a_closed_output_ends_the_engine_while_its_input_stays_open() {
    for script in
        ["isready", "position fen 200 a 0\ngo infinite", "position fen 5 a 0\ngo depth 5\nwait\ngo"]
    {
        let (input, mut to_engine) = io::pipe().expect("a pipe");
        let (from_engine, output) = io::pipe().expect("a pipe");
        let engine = thread::spawn(|| run(menu(), None, BufReader::new(input), output));
        drop(from_engine);
        writeln!(to_engine, "{script}").expect("the engine listens");
        engine.join().expect("an end in peace");
    }
}

#[test]
fn whatever_comes_every_search_is_answered_once() {
    const LINES: &[&str] = &[
        "uci",
        "stop",
        "ponderhit",
        "d",
        "eval",
        "flip",
        "ucinewgame",
        "position startpos",
        "position startpos moves t1 t2 t3",
        "position fen 0 a 0",
        "position fen 200 a 0",
        "position nonsense",
        "go depth 3",
        "go infinite",
        "go ponder movetime 1",
        "go nodes 100",
        "go depth",
        "go nonsense",
        "go movetime 1",
        "go wtime 10 btime 10 winc 1",
        "go perft 3",
        "go searchmoves t1 t9 depth 2",
        "setoption name UCI_Variant value dice",
        "setoption name UCI_Variant value nim",
        "setoption name Hash value 1001",
        "setoption name Threads value 2",
        "setoption name NoProgressPlies value 2",
        "bench 1",
        "wait now",
        "nonsense",
        "",
    ];
    for seed in 0..8 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (mut gui, engine) = converse();
        let (mut searches, mut answers) = (0, 0);
        for _ in 0..300 {
            let line = LINES[(random.next_u64() % LINES.len() as u64) as usize];
            gui.send(line);
            let lines = gui.ready();
            let busy = count(&lines, "info string error: busy") > 0;
            if line.starts_with("go") && !line.contains("perft") && !busy {
                searches += 1;
            }
            answers += count(&lines, "bestmove ");
            assert!(answers <= searches, "seed {seed}: {line} was answered by {lines:#?}");
        }
        gui.send("quit");
        answers += count(&gui.rest(), "bestmove ");
        assert_eq!(answers, searches, "seed {seed}");
        engine.join().expect("an end in peace");
    }
}
