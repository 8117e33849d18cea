//! A client of the Hub protocol of draughts programs: version 2, and version 1 as Scan 2.0 speaks
//! it.
//!
//! Hub names a capture by its captured squares, `28x19x23` being from, to and captured, and a
//! position by a letter a square. Both are translated here, with texts alone.

use std::fmt::Write;
use std::time::Duration;

use super::super::chance::Seed;
use super::super::fault::{Fault, FaultKind};
use super::super::spec::PlayerSpec;
use super::super::time::{Go, Millis};
use super::{
    Answer, Channel, Choice, LineOfPlay, Player, Request, START_UP, StartError, Thoughts, Verdict,
    words,
};
use crate::games::Variant;

/// What Hub players of the site's rules call them.
const SITE: &str = "site";

/// Squares of the board.
const SQUARES: usize = 50;

/// What only an answer to a search begins with, in either version.
const ANSWERS: [&str; 2] = ["done", "move"];

/// A version of the protocol.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Version {
    /// Words in a fixed order, times in milliseconds.
    One,
    /// Pairs of keys and values, times in seconds.
    Two,
}

/// A player that speaks Hub.
pub(super) struct Hub {
    channel: Channel,
    version: Version,
}

impl Hub {
    /// Introduces the player and sets its parameters, the rules first unless they are those of the
    /// FMJD, which go without saying.
    pub(super) fn start(
        mut channel: Channel,
        spec: &PlayerSpec,
        version: Version,
        variant: Variant,
    ) -> Result<Self, StartError> {
        let fault = |fault| StartError::Fault { name: spec.name.clone(), variant, fault };
        let wrong_game =
            || StartError::WrongGame { name: spec.name.clone(), dialect: "Hub", variant };
        if !matches!(variant, Variant::Draughts | Variant::DraughtsFmjd) {
            return Err(wrong_game());
        }
        let (mut known, mut rules) = (Vec::new(), String::new());
        let is_last = |text: &str| {
            let (word, rest) = words::first(text);
            if word == "param" {
                known.extend(value(rest, "name").map(str::to_owned));
                if value(rest, "name") == Some("variant") {
                    value(rest, "values").unwrap_or_default().clone_into(&mut rules);
                }
            }
            word == "wait"
        };
        channel.ask("hub", START_UP, is_last).map_err(fault)?;
        let mut request = String::new();
        if variant != Variant::DraughtsFmjd {
            if rules.split_whitespace().all(|name| name != SITE) {
                return Err(wrong_game());
            }
            let _ = writeln!(request, "set-param name=variant value={SITE}");
        }
        for (option, value) in &spec.options {
            if version == Version::Two && !known.contains(option) {
                let (name, option) = (spec.name.clone(), option.clone());
                return Err(StartError::NoSuchOption { name, option, known: known.join(", ") });
            }
            let _ = match version {
                Version::One => writeln!(request, "set {option} {value}"),
                Version::Two => writeln!(request, "set-param name={option} value=\"{value}\""),
            };
        }
        request += "init";
        let is_last = |text: &str| words::first(text).0 == "ready";
        channel.ask(&request, START_UP, is_last).map_err(fault)?;
        Ok(Self { channel, version })
    }
}

impl Player for Hub {
    fn new_game(&mut self, _seed: Seed) -> Result<(), Fault> {
        let request = match self.version {
            Version::One => "new\nping",
            Version::Two => "new-game\nping",
        };
        self.channel.sync(request, "pong", &ANSWERS)
    }

    fn think(&mut self, request: &Request<'_>) -> Result<Answer, Fault> {
        let (base, moves) = reversible_line(request.line).ok_or_else(|| {
            Fault::new(FaultKind::Protocol, "a position that Hub has no words for")
        })?;
        let (set_up, go) = match self.version {
            Version::One => (version_one_set_up(&base, &moves, &request.go), "go"),
            Version::Two => (version_two_set_up(&base, &moves, &request.go), "go think"),
        };
        self.channel.sync(&format!("{set_up}\nping"), "pong", &ANSWERS)?;
        let (version, mut answer) = (self.version, Answer::default());
        let hear = |text: &str| match (version, words::first(text)) {
            (Version::One, ("move", _)) | (Version::Two, ("done", _)) => true,
            (_, ("error", rest)) => {
                answer.complaint = Some(rest.to_owned());
                false
            }
            (Version::One, ("info", rest)) => {
                hear_version_one(rest, &mut answer.thoughts);
                false
            }
            (Version::Two, ("info", rest)) => {
                hear_version_two(rest, &mut answer.thoughts);
                false
            }
            _ => false,
        };
        let (line, time) = self.channel.search(go, request.go.patience, hear)?;
        let (_, rest) = words::first(&line.text);
        let mv = match self.version {
            Version::One => words::first(rest).0,
            Version::Two => value(rest, "move").unwrap_or_default(),
        };
        let before = request.line.positions.last().and_then(|text| Board::read(text));
        let named = before.and_then(|before| find(mv, &before, &(request.choices)()));
        answer.mv = named.unwrap_or_else(|| mv.to_owned());
        answer.time = time;
        Ok(answer)
    }

    fn settle(&mut self) -> Result<(), Fault> {
        self.channel.sync("ping", "pong", &ANSWERS)
    }
}

/// The value of a key in the rest of a line.
fn value<'a>(rest: &'a str, key: &str) -> Option<&'a str> {
    words::pairs(rest).into_iter().find(|(name, _)| *name == key).map(|(_, value)| value)
}

/// A draughts board as Hub draws it: the side to move (`W`, `B`), then a letter a square.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Board {
    letters: Vec<char>,
    /// Plies since the last capture or move of a man.
    reversible: usize,
}

impl Board {
    /// The board of a printed position text, `W:W31,K40:B1:H3:F2`.
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let side = parts.next()?.chars().next()?;
        let mut letters = vec!['e'; SQUARES + 1];
        letters[0] = side;
        let mut reversible = 0;
        for part in parts {
            let (kind, list) = part.split_at_checked(1)?;
            match kind {
                "H" => reversible = list.parse().ok()?,
                "W" | "B" => {
                    for piece in list.split(',').filter(|piece| !piece.is_empty()) {
                        let (number, letter) = match piece.strip_prefix('K') {
                            Some(number) => (number, kind.to_owned()),
                            None => (piece, kind.to_lowercase()),
                        };
                        let square: usize = number.parse().ok()?;
                        *letters.get_mut(square)? = letter.chars().next()?;
                    }
                }
                _ => (),
            }
        }
        Some(Self { letters, reversible })
    }

    /// The squares where this board has pieces of the side not to move and `after` has none of them.
    /// A capture may end on such a square.
    fn captured_until(&self, after: &Self) -> Vec<usize> {
        let enemy = if self.letters[0] == 'W' { 'b' } else { 'w' };
        let stands =
            |board: &Self, square: usize| board.letters[square].to_ascii_lowercase() == enemy;
        let is_taken = |&square: &usize| stands(self, square) && !stands(after, square);
        (1..=SQUARES).filter(is_taken).collect()
    }
}

/// The last position that can't recur, and the moves since. Only moves of kings are among them, and
/// those are written in Hub as anywhere.
fn reversible_line(line: &LineOfPlay) -> Option<(Board, Vec<String>)> {
    let now = Board::read(line.positions.last()?)?;
    let back = now.reversible.min(line.events.len());
    let from = line.events.len() - back;
    Some((Board::read(&line.positions[from])?, line.events[from..].to_vec()))
}

fn version_one_set_up(base: &Board, moves: &[String], go: &Go) -> String {
    let mut letters = base.letters.clone();
    letters[0] = letters[0].to_ascii_lowercase();
    let mut text = format!("pos {}", letters.iter().collect::<String>());
    for mv in moves {
        let _ = write!(text, "\nmove {mv}");
    }
    if let Some(left) = go.left[go.side.index()] {
        let gain = go.increments[go.side.index()];
        let left = left.saturating_sub(gain).as_millis();
        let _ = write!(text, "\nlevel {} {left} {}", go.moves_left.unwrap_or(0), gain.as_millis());
    }
    if let Some(Millis(time)) = go.limits.move_time {
        let _ = write!(text, "\ntime {time}");
    }
    if let Some(depth) = go.limits.depth {
        let _ = write!(text, "\ndepth {depth}");
    }
    text
}

fn version_two_set_up(base: &Board, moves: &[String], go: &Go) -> String {
    let mut text = format!("pos pos={}", base.letters.iter().collect::<String>());
    if !moves.is_empty() {
        let _ = write!(text, " moves=\"{}\"", moves.join(" "));
    }
    if let Some(depth) = go.limits.depth {
        let _ = write!(text, "\nlevel depth={depth}");
    }
    if let Some(nodes) = go.limits.nodes {
        let _ = write!(text, "\nlevel nodes={nodes}");
    }
    if let Some(time) = go.limits.move_time {
        let _ = write!(text, "\nlevel move-time={}", seconds(time.duration()));
    }
    if let Some(left) = go.left[go.side.index()] {
        text += "\nlevel";
        if let Some(moves) = go.moves_left {
            let _ = write!(text, " moves={moves}");
        }
        // The player adds the increment before its move.
        let gain = go.increments[go.side.index()];
        let _ = write!(text, " time={}", seconds(left.saturating_sub(gain)));
        if gain > Duration::ZERO {
            let _ = write!(text, " inc={}", seconds(gain));
        }
    }
    text
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
}

/// Takes in `depth mean-depth score nodes time speed pv…`; the score is in hundredths.
fn hear_version_one(rest: &str, thoughts: &mut Thoughts) {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [depth, _mean_depth, score, nodes, _time, _speed, line @ ..] = words.as_slice() else {
        return;
    };
    thoughts.depth = depth.parse().ok();
    thoughts.score = score.parse().ok().map(Verdict::Score);
    thoughts.nodes = nodes.parse().ok();
    thoughts.add_line(line.iter().map(|word| short_name(word)).collect());
}

/// Takes in pairs; the score is in men.
fn hear_version_two(rest: &str, thoughts: &mut Thoughts) {
    for (key, value) in words::pairs(rest) {
        match key {
            "depth" => thoughts.depth = value.parse().ok(),
            "nodes" => thoughts.nodes = value.parse().ok(),
            "score" => {
                let score = value.parse().ok().filter(|score: &f64| score.is_finite());
                thoughts.score = score.map(|score| Verdict::Score((score * 100.0).round() as i64));
            }
            "pv" => thoughts.add_line(value.split_whitespace().map(short_name).collect()),
            _ => (),
        }
    }
}

/// A move of Hub without its captured squares.
fn short_name(mv: &str) -> String {
    let mut squares = mv.split('x');
    match (squares.next(), squares.next()) {
        (Some(from), Some(to)) => format!("{from}x{to}"),
        _ => mv.to_owned(),
    }
}

/// The name of the legal move that Hub calls `mv`. Captured squares may come in any order.
fn find(mv: &str, before: &Board, choices: &[Choice]) -> Option<String> {
    let mut squares = mv.split('x');
    let (from, to) = (squares.next()?, squares.next()?);
    let captured: Option<Vec<usize>> = squares.map(|square| square.parse().ok()).collect();
    let mut captured = captured?;
    captured.sort_unstable();
    let is_meant = |choice: &&Choice| {
        let mut path = choice.text.split('x');
        let ends = (path.next(), path.next_back());
        let after = choice.after.as_deref().and_then(Board::read);
        ends == (Some(from), Some(to))
            && after.is_some_and(|after| before.captured_until(&after) == captured)
    };
    choices.iter().find(is_meant).map(|choice| choice.text.clone())
}

#[cfg(test)]
mod tests {
    use super::super::super::time::{Clock, Limits};
    use super::*;
    use crate::position::Side;

    const START: &str = "W:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:\
                         B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20:H0:F1";

    fn go(control: &str) -> Go {
        let control = Some(control.parse().unwrap());
        let clock = Clock::new(Limits { control, depth: Some(9), ..Limits::NONE });
        Go::new(Side::First, &[clock.clone(), clock], Duration::from_secs(30))
    }

    #[test]
    fn the_start_is_set_up_in_both_versions() {
        let board = Board::read(START).unwrap();
        let letters = "bbbbbbbbbbbbbbbbbbbbeeeeeeeeeewwwwwwwwwwwwwwwwwwww";
        assert_eq!(
            version_two_set_up(&board, &[], &go("40/60+0.5")),
            format!("pos pos=W{letters}\nlevel depth=9\nlevel moves=40 time=59.500 inc=0.500")
        );
        assert_eq!(
            version_one_set_up(&board, &["1-6".to_owned()], &go("60")),
            format!("pos w{letters}\nmove 1-6\nlevel 0 60000 0\ndepth 9")
        );
    }

    #[test]
    fn a_line_begins_where_nothing_before_can_recur() {
        let positions = ["W:W31:B1:H0:F1", "B:W27:B1:H0:F1", "W:W27:BK6:H1:F2", "B:WK5:BK6:H2:F2"];
        let line = LineOfPlay {
            start: None,
            positions: positions.map(str::to_owned).to_vec(),
            events: ["31-27", "1-6", "27-5"].map(str::to_owned).to_vec(),
        };
        let (base, moves) = reversible_line(&line).unwrap();
        assert_eq!(base, Board::read(positions[1]).unwrap());
        assert_eq!(moves, ["1-6", "27-5"]);
    }

    #[test]
    fn a_capture_is_found_by_its_captured_squares() {
        let before = Board::read("W:W26:B12,K21,31,32:H0:F1").unwrap();
        let choice = |text: &str, after: &str| Choice {
            text: text.to_owned(),
            gain: None,
            after: Some(after.to_owned()),
        };
        let choices =
            [choice("26x17x8", "B:W8:B31,32:H0:F1"), choice("26x37x28", "B:W28:B12,K21:H0:F1")];
        let check = |mv: &str, expected: Option<&str>| {
            assert_eq!(find(mv, &before, &choices).as_deref(), expected, "{mv}");
        };
        check("26x8x12x21", Some("26x17x8"));
        check("26x8x21x12", Some("26x17x8"));
        check("26x28x31x32", Some("26x37x28"));
        check("26x28x12x21", None);
        check("26x28", None);
        check("26-28", None);
    }

    #[test]
    fn both_versions_tell_the_same_thoughts() {
        let (mut one, mut two) = (Thoughts::default(), Thoughts::default());
        hear_version_one("9 8.7 -12 5000 0.10 1.2 32-28 19x23x14", &mut one);
        hear_version_two(
            "depth=9 mean-depth=8.7 score=-0.12 nodes=5000 pv=\"32-28 19x23x14\"",
            &mut two,
        );
        assert_eq!(one, two);
        assert_eq!(one.lines, [vec!["32-28", "19x23"]]);
    }
}
