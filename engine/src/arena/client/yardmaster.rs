//! A client of the text protocol that is modelled on UCI.

use std::fmt::Write;
use std::time::Duration;

use super::super::chance::Seed;
use super::super::fault::Fault;
use super::super::spec::PlayerSpec;
use super::super::time::Go;
use super::{
    Answer, Channel, LineOfPlay, Player, Request, START_UP, StartError, Thoughts, Verdict, words,
};
use crate::games::Variant;

/// The option that names the game.
const VARIANT_OPTION: &str = "UCI_Variant";

/// What begins a line that reports an error.
const COMPLAINT: &str = "info string error:";

/// What only an answer to a search begins with.
const ANSWERS: [&str; 1] = ["bestmove"];

/// A player that speaks the protocol.
pub(super) struct Yardmaster {
    channel: Channel,
}

/// The name of the option that a line offers.
fn offered_option(text: &str) -> Option<&str> {
    let rest = text.strip_prefix("option name ")?;
    rest.split(" type ").next().map(str::trim)
}

impl Yardmaster {
    /// Introduces the player and sets its options, the game first.
    pub(super) fn start(
        mut channel: Channel,
        spec: &PlayerSpec,
        variant: Variant,
    ) -> Result<Self, StartError> {
        let name = || spec.name.clone();
        let fault = |fault| StartError::Fault { name: name(), variant, fault };
        let mut known: Vec<String> = Vec::new();
        let is_last = |text: &str| {
            known.extend(offered_option(text).map(str::to_owned));
            text == "uciok"
        };
        channel.ask("uci", START_UP, is_last).map_err(fault)?;
        let is_known = |option: &str| known.iter().any(|name| name.eq_ignore_ascii_case(option));
        if let Some((option, _)) = spec.options.iter().find(|(name, _)| !is_known(name)) {
            let (option, known) = (option.clone(), known.join(", "));
            return Err(StartError::NoSuchOption { name: name(), option, known });
        }
        let mut request = String::new();
        if is_known(VARIANT_OPTION) {
            let _ = writeln!(request, "setoption name {VARIANT_OPTION} value {variant}");
        }
        for (option, value) in &spec.options {
            let _ = writeln!(request, "setoption name {option} value {value}");
        }
        request += "isready";
        let mut complaint = None;
        let is_last = |text: &str| {
            complaint = complaint.take().or_else(|| complaint_of(text));
            text == "readyok"
        };
        channel.ask(&request, START_UP, is_last).map_err(fault)?;
        match complaint {
            Some(complaint) => Err(StartError::Refusal { name: name(), complaint }),
            None => Ok(Self { channel }),
        }
    }
}

/// The error that a line reports.
fn complaint_of(text: &str) -> Option<String> {
    text.strip_prefix(COMPLAINT).map(|complaint| complaint.trim().to_owned())
}

impl Player for Yardmaster {
    fn new_game(&mut self, _seed: Seed) -> Result<(), Fault> {
        self.channel.sync("ucinewgame\nisready", "readyok", &ANSWERS)
    }

    fn think(&mut self, request: &Request<'_>) -> Result<Answer, Fault> {
        let mut answer = Answer::default();
        // A player that has read the position owes no other answer when its time begins.
        let position = position_command(request.line);
        self.channel.sync(&format!("{position}\nisready"), "readyok", &ANSWERS)?;
        let hear = |text: &str| {
            if let Some(complaint) = complaint_of(text) {
                answer.complaint = Some(complaint);
            }
            hear_search(text, &mut answer.thoughts)
        };
        let command = go_command(&request.go, ["wtime", "btime", "winc", "binc"]);
        let (line, time) = self.channel.search(&command, request.go.patience, hear)?;
        answer.mv = best_move(&line.text);
        answer.time = time;
        Ok(answer)
    }

    fn settle(&mut self) -> Result<(), Fault> {
        self.channel.sync("isready", "readyok", &ANSWERS)
    }
}

/// The command that sets up the position that a line of play has come to.
pub(super) fn position_command(line: &LineOfPlay) -> String {
    let mut command = match &line.start {
        Some(text) => format!("position fen {text}"),
        None => "position startpos".to_owned(),
    };
    if !line.events.is_empty() {
        command += " moves ";
        command += &line.events.join(" ");
    }
    command
}

/// The command to think, with the dialect's words for the times of both sides and what they gain.
pub(super) fn go_command(go: &Go, words: [&str; 4]) -> String {
    let mut command = "go".to_owned();
    let [first_time, second_time, first_gain, second_gain] = words;
    for (word, left) in [first_time, second_time].into_iter().zip(go.left) {
        if let Some(left) = left {
            let _ = write!(command, " {word} {}", left.as_millis());
        }
    }
    for (word, gain) in [first_gain, second_gain].into_iter().zip(go.increments) {
        if gain > Duration::ZERO {
            let _ = write!(command, " {word} {}", gain.as_millis());
        }
    }
    if let Some(moves) = go.moves_left {
        let _ = write!(command, " movestogo {moves}");
    }
    if let Some(time) = go.limits.move_time {
        let _ = write!(command, " movetime {}", time.0);
    }
    if let Some(nodes) = go.limits.nodes {
        let _ = write!(command, " nodes {nodes}");
    }
    if let Some(depth) = go.limits.depth {
        let _ = write!(command, " depth {depth}");
    }
    command
}

/// Takes in a line of a search; whether it is the answer.
pub(super) fn hear_search(text: &str, thoughts: &mut Thoughts) -> bool {
    match words::first(text) {
        ("bestmove", _) => true,
        ("info", rest) => {
            hear_info(rest, thoughts);
            false
        }
        _ => false,
    }
}

/// The move of a `bestmove` line.
pub(super) fn best_move(text: &str) -> String {
    text.split_whitespace().nth(1).unwrap_or_default().to_owned()
}

/// Takes in an `info` line, if it is not about a second-best move.
fn hear_info(rest: &str, thoughts: &mut Thoughts) {
    let mut words = rest.split_whitespace();
    let mut found = Thoughts::default();
    while let Some(word) = words.next() {
        match word {
            "string" => return,
            "multipv" if words.next() != Some("1") => return,
            "depth" => found.depth = words.next().and_then(|depth| depth.parse().ok()),
            "nodes" => found.nodes = words.next().and_then(|nodes| nodes.parse().ok()),
            "score" => {
                let (kind, value) = (words.next(), words.next().and_then(|n| n.parse().ok()));
                found.score = match (kind, value) {
                    (Some("cp"), Some(score)) => Some(Verdict::Score(score)),
                    (Some("mate"), Some(moves)) => Some(Verdict::Mate(moves)),
                    _ => None,
                };
            }
            "pv" => found.add_line(words.by_ref().map(str::to_owned).collect()),
            _ => (),
        }
    }
    // A sign of life counts nodes, but its depth is not searched yet.
    if found.score.is_some() {
        thoughts.score = found.score;
        thoughts.depth = found.depth.or(thoughts.depth);
    }
    thoughts.nodes = found.nodes.or(thoughts.nodes);
    for line in found.lines {
        thoughts.add_line(line);
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::time::{Clock, Limits, Millis};
    use super::*;
    use crate::position::Side;

    #[test]
    fn the_command_to_think_names_every_limit() {
        let limits = Limits {
            control: Some("40/60+0.6".parse().unwrap()),
            move_time: Some(Millis(100)),
            nodes: Some(2_000),
            depth: Some(5),
            margin: Millis(50),
        };
        let clocks = [Clock::new(limits), Clock::new(Limits::NONE)];
        let go = Go::new(Side::First, &clocks, Duration::from_secs(30));
        assert_eq!(
            go_command(&go, ["wtime", "btime", "winc", "binc"]),
            "go wtime 60000 winc 600 movestogo 40 movetime 100 nodes 2000 depth 5"
        );
        let go = Go::new(Side::Second, &clocks, Duration::from_secs(30));
        assert_eq!(
            go_command(&go, ["p1time", "p2time", "p1inc", "p2inc"]),
            "go p1time 60000 p1inc 600"
        );
    }

    #[test]
    fn the_last_word_on_the_best_move_counts() {
        let mut thoughts = Thoughts::default();
        let lines = [
            "info depth 3 score cp -12 nodes 50 pv a b",
            "info depth 4 seldepth 9 multipv 1 score mate -3 upperbound nodes 90 time 1 pv c d e",
            "info depth 4 multipv 2 score cp 900 nodes 95 pv z",
            "info depth 5 nodes 99 nps 1",
            "info string score cp 5 pv q",
        ];
        for line in lines {
            assert!(!hear_search(line, &mut thoughts));
        }
        assert!(hear_search("bestmove c ponder d", &mut thoughts));
        assert_eq!(best_move("bestmove c ponder d"), "c");
        assert_eq!(thoughts.score, Some(Verdict::Mate(-3)));
        assert_eq!((thoughts.depth, thoughts.nodes), (Some(4), Some(99)));
        assert_eq!(thoughts.lines, [vec!["a", "b"], vec!["c", "d", "e"]]);
    }

    #[test]
    fn a_game_is_told_from_its_start() {
        let mut line =
            LineOfPlay { start: None, positions: Vec::new(), events: vec!["c4=P".to_owned()] };
        assert_eq!(position_command(&line), "position startpos moves c4=P");
        line.start = Some("4,4/4,4 s".to_owned());
        line.events.clear();
        assert_eq!(position_command(&line), "position fen 4,4/4,4 s");
    }
}
