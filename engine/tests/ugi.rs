//! Whole games over the Universal Game Interface, in which the engines are the referees.

use std::io::BufReader;
use std::process::{Child, Command, Stdio};

use driver::Driver;

#[allow(dead_code, unreachable_pub)]
mod driver;

/// More plies than a game takes.
const PLIES: usize = 1_000;

struct Program {
    child: Child,
    gui: Driver,
}

impl Program {
    fn start(variant: &str) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_yardmaster"))
            .args(["--variant", variant, "ugi"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take().expect("a pipe");
        let output = child.stdout.take().expect("a pipe");
        let mut gui = Driver::new(input, BufReader::new(output));
        gui.send("ugi");
        gui.next("ugiok");
        gui.send("isready");
        gui.next("readyok");
        gui.send("uginewgame");
        Self { child, gui }
    }

    /// The answer to a question: exactly two words.
    fn query(&mut self, question: &str) -> String {
        self.gui.send(&format!("query {question}"));
        let line = self.gui.next("");
        let words: Vec<&str> = line.split(' ').collect();
        let ["response", answer] = words[..] else { panic!("{question} was answered by {line:?}") };
        answer.to_owned()
    }

    /// The move that it plays: the second of exactly two words.
    fn play(&mut self) -> String {
        self.gui.send("go p1time 600000 p2time 600000 p1inc 10 p2inc 10 nodes 300");
        let line = self.gui.next("bestmove");
        let words: Vec<&str> = line.split(' ').collect();
        let ["bestmove", mv] = words[..] else { panic!("{line:?}") };
        mv.to_owned()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The result of a game between two of them, who agree on it.
fn play(variant: &str) -> String {
    let mut players = [Program::start(variant), Program::start(variant)];
    let (mut position, mut plies) = ("position startpos".to_owned(), 0);
    loop {
        let [over, turn] = ["gameover", "p1turn"].map(|question| {
            let [first, second] = players.each_mut().map(|player| {
                player.gui.send(&position);
                player.query(question)
            });
            assert_eq!(first, second, "{variant}, {question} after {position}");
            first
        });
        if over == "true" {
            break;
        }
        assert_eq!(players[0].query("result"), "none", "{variant} after {position}");
        let mover = usize::from(turn == "false");
        let mv = players[mover].play();
        position += if plies == 0 { " moves " } else { " " };
        position += &mv;
        plies += 1;
        assert!(plies < PLIES, "{variant}: no end comes");
    }
    let [first, second] = players.each_mut().map(|player| player.query("result"));
    assert_eq!(first, second, "{variant} after {position}");
    first
}

#[test]
fn two_engines_play_to_a_result_that_both_know() {
    for variant in ["draughts", "draughts-fmjd", "halma", "kalah"] {
        let result = play(variant);
        assert!(["p1win", "p2win", "draw"].contains(&result.as_str()), "{variant}: {result}");
    }
}

#[test]
fn banqi_can_be_analysed() {
    let mut program = Program::start("banqi");
    program.gui.send("position startpos moves c4=P d4=k");
    assert_eq!(program.query("p1turn"), "true");
    assert_eq!(program.query("gameover"), "false");
    assert_eq!(program.play(), "c4d4");
}
