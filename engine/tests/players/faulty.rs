//! A player for the tests of the match runner. It plays legal moves, and what its first argument
//! names it does wrong on its third move; or it speaks the dialect that the argument names.
//!
//! Its moves are a function of the position command alone.

use std::io::{self, BufRead, Write};
use std::process::{Command, ExitCode, Stdio};
use std::thread;
use std::time::Duration;

use yardmaster::game::Game;
use yardmaster::games::banqi::Banqi;
use yardmaster::games::draughts::{Draughts, Fmjd};
use yardmaster::games::{Variant, Visitor};
use yardmaster::position::Position;

/// The move on which something goes wrong.
const FAULTY_MOVE: u32 = 3;

/// How long an idle process is kept: longer than any test.
const IDLE: Duration = Duration::from_mins(1);

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mode = arguments.first().map_or("play", String::as_str);
    let log = arguments.get(1).map(|path| std::fs::File::create(path).expect("a log file"));
    match mode {
        "idle" => thread::sleep(IDLE),
        "hub" | "hub1" => hub(mode == "hub1"),
        "mgtp" => mgtp(),
        "ugi" => return talk("ugi", "play", None),
        _ => return talk("uci", mode, log),
    }
    ExitCode::SUCCESS
}

fn say(line: &str) {
    let mut out = io::stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        std::process::exit(1);
    }
}

/// Speaks the text protocol, or its sibling.
fn talk(hello: &str, mode: &str, mut log: Option<std::fs::File>) -> ExitCode {
    let (mut variant, mut position, mut moves) = (Variant::Draughts, String::new(), 0);
    for line in io::stdin().lock().lines() {
        let line = line.expect("the referee writes UTF-8");
        if let Some(log) = &mut log {
            writeln!(log, "{line}").expect("a log file");
        }
        let word = line.split(' ').next().unwrap_or_default();
        match word {
            _ if word == hello => {
                say("id name test player\noption name UCI_Variant type combo default draughts");
                say("option name Moods type string default");
                say(&format!("{hello}ok"));
            }
            "setoption" if line.starts_with("setoption name UCI_Variant value ") => {
                let name = line.rsplit(' ').next().unwrap_or_default();
                variant = name.parse().expect("a variant");
            }
            "setoption" => say("info string error: no moods today"),
            "isready" => say("readyok"),
            "ucinewgame" | "uginewgame" => moves = 0,
            "position" => {
                position = line;
                if mode == "eager" && moves + 1 == FAULTY_MOVE {
                    say(&format!("bestmove {}", variant.visit(Choose(&position))));
                }
            }
            "go" => {
                moves += 1;
                let mv = variant.visit(Choose(&position));
                let is_faulty = moves == FAULTY_MOVE;
                if let Some(status) = answer(if is_faulty { mode } else { "play" }, &mv) {
                    return status;
                }
            }
            "quit" => break,
            _ => say(&format!("info string error: {line:?} is unknown")),
        }
    }
    ExitCode::SUCCESS
}

/// Answers a search, in the way that `mode` names; the status if the player ends.
#[allow(clippy::zombie_processes, reason = "a process that is left behind is one of the faults")]
fn answer(mode: &str, mv: &str) -> Option<ExitCode> {
    let best = format!("bestmove {mv}");
    match mode {
        "crash" => {
            eprintln!("something went wrong\nout of moods");
            return Some(ExitCode::from(3));
        }
        "orphan" => {
            let program = std::env::current_exe().expect("the program's path");
            let child = Command::new(program).arg("idle").stdin(Stdio::null()).spawn();
            child.expect("another process");
            return Some(ExitCode::SUCCESS);
        }
        "hang" => thread::sleep(IDLE),
        "illegal" => say("info string error: lost my way\nbestmove zz99"),
        "none" => say("bestmove (none)"),
        "flood" => loop {
            say(&"info string flood ".repeat(500));
        },
        "long-line" => {
            let mut out = io::stdout().lock();
            while out.write_all(&[b'x'; 4096]).is_ok() {}
        }
        "late" => {
            thread::sleep(Duration::from_millis(400));
            say(&best);
        }
        "twice" => say(&format!("{best}\n{best}")),
        "garbage" => {
            let mut out = io::stdout().lock();
            let noise = b"\xff\xfe\x00\x01 garbage\n\nbestmove \xc3\x28\n";
            let _ = out.write_all(noise).and_then(|()| out.flush());
        }
        "lines" => say(&format!("info depth 1 score cp 0 nodes 7 pv {mv} nonsense\n{best}")),
        _ => say(&format!("info depth 4 score cp 12 nodes 99 pv {mv}\n{best}")),
    }
    None
}

/// Chooses a move in the position that a command sets up.
struct Choose<'a>(&'a str);

impl Visitor for Choose<'_> {
    type Output = String;

    fn visit<P: Position>(self) -> String {
        let text = self.0.strip_prefix("position ").expect("a position command");
        let (root, events) = text.split_once(" moves ").unwrap_or((text, ""));
        let root = match root.strip_prefix("fen ") {
            Some(text) => P::read(text, P::Rules::default()).expect("a position"),
            None => P::start(P::Rules::default()),
        };
        let mut game = Game::new(root);
        for event in events.split_whitespace() {
            game.play(game.position().read_event(event).expect("an event"));
        }
        let position = game.position();
        position.move_text(choose(position))
    }
}

/// A legal move that looks random.
fn choose<P: Position>(position: &P) -> P::Move {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let hash = position
        .to_string()
        .bytes()
        .fold(0_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    moves[(hash >> 7) as usize % moves.len()]
}

/// Speaks Hub, version 1 or 2.
fn hub(is_first_version: bool) {
    let mut letters = String::new();
    let mut moves: Vec<String> = Vec::new();
    for line in io::stdin().lock().lines() {
        let line = line.expect("the referee writes UTF-8");
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match word {
            "hub" if is_first_version => say("name test player\nauthor nobody\nwait"),
            "hub" => {
                say(
                    "id name=\"test player\" version=1\nparam name=book value=true type=bool\nwait",
                );
            }
            "init" => say("ready"),
            "ping" => say("pong"),
            "pos" if is_first_version => {
                letters = rest.to_uppercase()[..1].to_owned() + &rest[1..];
                moves.clear();
            }
            "pos" => {
                let rest = rest.strip_prefix("pos=").expect("a position");
                let (board, list) = rest.split_once(" moves=").unwrap_or((rest, ""));
                board.clone_into(&mut letters);
                moves = list.trim_matches('"').split_whitespace().map(str::to_owned).collect();
            }
            "move" => moves.push(rest.to_owned()),
            "go" => {
                let mv = hub_move(&letters, &moves);
                if is_first_version {
                    say(&format!("info 9 8.5 -12 5000 0.01 0.5 {mv}\nmove {mv}"));
                } else {
                    say("info depth=9 mean-depth=8.5 score=-0.12 nodes=5000 time=0.01 nps=0.5");
                    say(&format!("done move={mv}"));
                }
            }
            "quit" => return,
            _ => (),
        }
    }
}

/// Speaks MGTP, with remarks in between. Its board stands upright.
fn mgtp() {
    let turned = |square: &str| -> String {
        let (file, rank) = (square.as_bytes()[0], square.as_bytes()[1]);
        // a–h and 1–8 turn into each other; so do 1–4 and a–d.
        [rank - b'1' + b'a', file - b'a' + b'1'].map(char::from).iter().collect()
    };
    let ours = |letter: &str| -> String {
        let letters = [("G", "A"), ("g", "a"), ("M", "E"), ("m", "e"), ("N", "H"), ("n", "h")];
        let ours = letters.iter().find(|(theirs, _)| *theirs == letter);
        ours.map_or(letter, |(_, ours)| ours).to_owned()
    };
    let mut position = Banqi::start(());
    for line in io::stdin().lock().lines() {
        let line = line.expect("the referee writes UTF-8");
        let words: Vec<&str> = line.split(' ').collect();
        let happen = |position: &Banqi, event: String| {
            position.after(position.read_event(&event).expect("an event that can happen"))
        };
        let answer = match words.as_slice() {
            ["7", "reset_board"] => {
                position = Banqi::start(());
                String::new()
            }
            ["10", "move", from, to] => {
                position = happen(&position, turned(from) + &turned(to));
                String::new()
            }
            ["11", "flip", square, piece] => {
                position = happen(&position, format!("{}={}", turned(square), ours(piece)));
                String::new()
            }
            ["12", "genmove", color] => {
                let side = position.to_string();
                let side = side.split(' ').nth(1).expect("a side");
                let expected = match side {
                    "r" => "red",
                    "b" => "black",
                    _ => "unknown",
                };
                assert_eq!(*color, expected);
                say("My result:");
                let text = position.move_text(choose(&position));
                let (from, to) = text.split_at(2);
                let to = if to.is_empty() { from } else { to };
                format!(" {} {}", turned(from), turned(to))
            }
            ["14", "ready"] | ["16", "time_left", ..] => String::new(),
            _ => return,
        };
        say(&format!("={}{answer}", words[0]));
    }
}

/// A move in Hub's words: from, to, and the captured squares, here the last one first.
fn hub_move(letters: &str, moves: &[String]) -> String {
    let mut position = hub_position(letters);
    for mv in moves {
        position = position.after(position.read_event(mv).expect("a legal move"));
    }
    let mv = choose(&position);
    let text = position.move_text(mv);
    let mut squares = text.split('x');
    let (Some(from), Some(to)) = (squares.next(), squares.next_back()) else { return text };
    let enemies = |text: String, side: char| -> Vec<u32> {
        let list = text.split(':').skip(1).find_map(|part| part.strip_prefix(side));
        let squares = list.unwrap_or_default().split(',');
        squares.filter_map(|square| square.trim_start_matches('K').parse().ok()).collect()
    };
    let side = if position.to_string().starts_with('W') { 'B' } else { 'W' };
    let after = enemies(position.after(mv).to_string(), side);
    let captured = enemies(position.to_string(), side).into_iter().rev();
    let captured = captured.filter(|square| !after.contains(square));
    captured.fold(format!("{from}x{to}"), |text, square| format!("{text}x{square}"))
}

fn hub_position(letters: &str) -> Draughts<Fmjd> {
    assert_eq!(letters.len(), 51, "{letters}");
    let list = |man: char, king: char| {
        let square = |(number, letter): (usize, char)| match letter {
            _ if letter == man => Some(number.to_string()),
            _ if letter == king => Some(format!("K{number}")),
            _ => None,
        };
        let squares: Vec<String> = (0..).zip(letters.chars()).skip(1).filter_map(square).collect();
        squares.join(",")
    };
    let text = format!("{}:W{}:B{}", &letters[..1], list('w', 'W'), list('b', 'B'));
    Draughts::read(&text, ()).expect("a position")
}
