//! The program under load: searches that are stopped at once, engines that are killed, thousands of
//! games, all sizes of tables and numbers of threads.
//!
//! Each check runs briefly here, and at full length in a test that is ignored; no test depends on how
//! fast the machine is. What the long ones measured stands in `README.md` beside this file.

use std::fs;
use std::io::{BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use driver::{Driver, count};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use yardmaster::protocol::{VARIANTS, names};

#[allow(dead_code, unreachable_pub)]
mod driver;

/// A running engine that is gone when the test is over.
struct Engine {
    child: Child,
    gui: Driver,
}

impl Engine {
    fn start(variant: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_yardmaster"))
            .args(["--variant", variant])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        Self { child, gui: Driver::new(input, BufReader::new(output)) }
    }

    /// What the process takes of the memory, in KiB.
    fn resident(&self) -> u64 {
        let path = format!("/proc/{}/status", self.child.id());
        let text = fs::read_to_string(path).expect("there is a proc filesystem");
        let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a size");
        line.trim().trim_end_matches(" kB").parse().expect("a number")
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn below(random: &mut Xoshiro256PlusPlus, bound: u64) -> u64 {
    random.next_u64() % bound
}

/// Positions beside the start, by variant.
fn positions(variant: &str) -> [&'static str; 2] {
    match variant {
        "draughts" | "draughts-fmjd" => {
            ["W:WK1,K2,31,32,33:BK48,11,12,13", "B:W28,32,37,38:B8,12,13,19"]
        }
        "halma" => [
            "rrrr12/rrr13/rrr1r11/rr1r12/r4r10/3rr11/16/16/16/16/12b3/11b4/13b2/12bbbb/10b1bbbb/10bbbbbb b 20",
            "16/16/16/16/16/16/16/16/16/16/16/14rr/13rrr/12rrrr/9r2rrrr/11rrrrr r 99",
        ],
        "banqi" => [
            "8/2K2r2/1c4P1/8 r - 5 60",
            "??Pk????/????????/????????/???????? r KA2E2R2H2C2P4a2e2r2h2c2p5 0 3",
        ],
        _ => ["5,0,4,1,0,3,8/2,2,9,1,3,0,10 n", "3,3,3,3,3,3,0/3,3,3,3,3,3,0 s"],
    }
}

/// Begins and stops searches after random delays up to 4 ms, and tells how long a stop took.
fn stop_searches(variant: &str, searches: u64, threads: u32) -> Vec<Duration> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(searches);
    let mut engine = Engine::start(variant);
    let gui = &mut engine.gui;
    gui.send(&format!("setoption name Threads value {threads}\nsetoption name Hash value 16"));
    gui.ready();
    let mut delays = Vec::new();
    for number in 0..searches {
        if number % 50 == 0 {
            let others = positions(variant);
            let position = match below(&mut random, 3) {
                0 => "position startpos".to_owned(),
                other => format!("position fen {}", others[other as usize - 1]),
            };
            gui.send(&position);
            assert_eq!(gui.ready(), [""; 0], "{variant} refuses {position:?}");
        }
        let go = ["go infinite", "go movetime 2", "go ponder wtime 100 btime 100", "go depth 4"];
        gui.send(go[below(&mut random, 4) as usize]);
        thread::sleep(Duration::from_micros(below(&mut random, 4000)));
        let begin = Instant::now();
        gui.send("stop");
        gui.next("bestmove");
        delays.push(begin.elapsed());
    }
    assert_eq!(count(&gui.ready(), "bestmove"), 0, "{variant}: more answers than searches");
    gui.send("quit");
    assert_eq!(gui.rest(), [""; 0], "{variant}");
    delays.sort();
    delays
}

#[test]
fn every_search_that_is_stopped_is_answered_once() {
    for variant in names(VARIANTS) {
        stop_searches(variant, 100, 2);
    }
}

#[test]
#[ignore = "100,000 searches take some ten minutes"]
fn a_hundred_thousand_searches_that_are_stopped_are_answered_once_each() {
    for variant in names(VARIANTS) {
        let delays = stop_searches(variant, 20_000, 2);
        let at = |share: usize| delays[(delays.len() - 1) * share / 1000].as_secs_f64() * 1e3;
        let [median, most, rare, longest] = [500, 990, 999, 1000].map(at);
        eprintln!(
            "{variant}: {} stops, p50 {median:.2} ms, p99 {most:.2}, p99.9 {rare:.2}, longest {longest:.2}",
            delays.len()
        );
    }
}

/// Starts engines and kills them, most of them in the middle of something.
fn kill_engines(engines: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(engines);
    let variants: Vec<_> = names(VARIANTS).collect();
    for number in 0..engines {
        let variant = variants[number as usize % variants.len()];
        let mut child = Command::new(env!("CARGO_BIN_EXE_yardmaster"))
            .args(["--variant", variant])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut input = child.stdin.take().expect("a pipe");
        let script =
            "uci\nsetoption name Threads value 2\nisready\ngo infinite\nd\nstop\ngo depth 9\n";
        let length = below(&mut random, script.len() as u64 + 1) as usize;
        input.write_all(&script.as_bytes()[..length]).expect("the program listens");
        thread::sleep(Duration::from_micros(below(&mut random, 20_000)));
        child.kill().expect("it runs until it is killed");
        child.wait().expect("it ends");
        let mut complaint = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut complaint).expect("text");
        assert_eq!(complaint, "", "engine {number}, {variant}");
    }
}

#[test]
fn engines_are_started_and_killed() {
    kill_engines(20);
}

#[test]
#[ignore = "1,000 processes"]
fn a_thousand_engines_are_started_and_killed() {
    kill_engines(1000);
}

/// The events of a random game, as far as its first plies.
fn random_game(gui: &mut Driver, random: &mut Xoshiro256PlusPlus) -> Vec<String> {
    const PLIES: usize = 60;
    let mut events: Vec<String> = Vec::new();
    while events.len() < PLIES {
        gui.send(&position(&events));
        gui.send("go perft 1");
        let mut lines = gui.until("Nodes searched");
        lines.pop();
        let legal: Vec<&str> =
            lines.iter().filter_map(|line| Some(line.split_once(": 1")?.0)).collect();
        if legal.is_empty() {
            break;
        }
        events.push(legal[below(random, legal.len() as u64) as usize].to_owned());
    }
    events
}

/// The command that sets a position.
fn position(events: &[String]) -> String {
    match events {
        [] => "position startpos".to_owned(),
        events => format!("position startpos moves {}", events.join(" ")),
    }
}

/// Searches at every third ply of so many games, and tells the memory of the engine after a tenth of
/// them and at the end, in KiB.
fn memory_over(variant: &str, games: u64) -> [u64; 2] {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(games);
    let mut engine = Engine::start(variant);
    engine.gui.send("setoption name Hash value 1");
    engine.gui.ready();
    let known: Vec<_> = (0..10).map(|_| random_game(&mut engine.gui, &mut random)).collect();
    let mut early = 0;
    for game in 0..games {
        let events = &known[(game % 10) as usize];
        let plies = (0..events.len()).step_by(3);
        let searches = plies.len();
        let script = plies.fold("ucinewgame\n".to_owned(), |script, ply| {
            script + &position(&events[..ply]) + "\ngo nodes 20\nwait\n"
        });
        engine.gui.send(&script);
        let lines = engine.gui.ready();
        assert_eq!(count(&lines, "bestmove "), searches, "{variant}, game {game}");
        if game == games / 10 {
            early = engine.resident();
        }
    }
    [early, engine.resident()]
}

#[cfg(target_os = "linux")]
#[test]
fn games_leave_nothing_behind() {
    for variant in names(VARIANTS) {
        let [early, late] = memory_over(variant, 20);
        assert!(late < early + 16 * 1024, "{variant}: {early} KiB, then {late} KiB");
    }
}

#[cfg(target_os = "linux")]
#[test]
#[ignore = "10,000 games of each variant"]
fn memory_stays_as_it_is_over_ten_thousand_games() {
    for variant in names(VARIANTS) {
        let [early, late] = memory_over(variant, 10_000);
        eprintln!("{variant}: {early} KiB after 1,000 games, {late} KiB after 10,000");
        assert!(late < early + 1024, "{variant}: {early} KiB, then {late} KiB");
    }
}

/// Searches with tables of so many MiB, one after the other.
fn sizes(mebibytes: &[u64]) {
    for variant in names(VARIANTS) {
        let mut engine = Engine::start(variant);
        for mebibytes in mebibytes {
            engine.gui.send(&format!("setoption name Hash value {mebibytes}"));
            assert_eq!(engine.gui.ready(), [""; 0], "{variant}, {mebibytes} MiB");
            engine.gui.send("go depth 3");
            let lines = engine.gui.until("bestmove");
            assert_eq!(count(&lines, "info string"), 0, "{variant}, {mebibytes} MiB: {lines:#?}");
        }
    }
}

#[test]
fn tables_of_any_size_are_searched_with() {
    sizes(&[1, 3, 64, 200, 1]);
}

#[test]
#[ignore = "it takes 8 GiB"]
fn tables_of_8_gib_are_searched_with() {
    sizes(&[1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 1]);
}

#[test]
fn any_number_of_threads_answers() {
    for variant in names(VARIANTS) {
        let mut engine = Engine::start(variant);
        engine.gui.send("setoption name Hash value 2");
        for threads in [1, 2, 3, 5, 8, 13, 21, 34, 63, 64] {
            engine.gui.send(&format!("setoption name Threads value {threads}\ngo depth 3"));
            let lines = engine.gui.until("bestmove");
            assert_eq!(count(&lines, "info string"), 0, "{variant}, {threads}: {lines:#?}");
            engine.gui.send("go infinite\nisready");
            engine.gui.next("readyok");
            engine.gui.send("stop");
            engine.gui.next("bestmove");
        }
        assert_eq!(count(&engine.gui.ready(), "bestmove"), 0, "{variant}");
    }
}
