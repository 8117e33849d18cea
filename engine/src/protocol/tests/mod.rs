//! Whole sessions about the toy games.

use std::io::{self, BufReader, Cursor, Write};
use std::thread::{self, JoinHandle};

use self::driver::{Driver, fits};
use super::fuzz::Paper;
use super::*;

mod conversations;
mod damage;
#[allow(unreachable_pub)]
#[path = "../../../tests/driver/mod.rs"]
mod driver;
mod scripts;

impl Paper {
    fn lines(&self) -> Vec<String> {
        let bytes = self.0.lock().expect("a paper").clone();
        String::from_utf8(bytes).expect("text").lines().map(str::to_owned).collect()
    }
}

fn menu() -> Menu {
    Menu::new(toy::VARIANTS, None).expect("the toy has variants")
}

/// The answers to a script whose end is the end of the input.
fn answers(script: &str) -> Vec<String> {
    let paper = Paper::default();
    run(menu(), None, Cursor::new(script.as_bytes().to_vec()), paper.clone());
    paper.lines()
}

/// The answers to a script fit the patterns.
fn check(script: &str, patterns: &[&str]) {
    let lines = answers(script);
    let fit = lines.len() == patterns.len()
        && lines.iter().zip(patterns).all(|(line, pattern)| fits(pattern, line));
    assert!(fit, "{script:?} was answered by {lines:#?}\nexpected {patterns:#?}");
}

/// A conversation that goes to and fro.
fn converse() -> (Driver, JoinHandle<()>) {
    let (input, to_engine) = io::pipe().expect("a pipe");
    let (from_engine, output) = io::pipe().expect("a pipe");
    let engine = thread::spawn(|| run(menu(), None, BufReader::new(input), output));
    (Driver::new(to_engine, BufReader::new(from_engine)), engine)
}

/// A heap that no search comes to the end of.
const ENDLESS: &str = "position fen 200 a 0";

const NONE: &str = "bestmove (none)";
