//! Games as a person reads them: PDN for draughts, and a list of moves in the same manner for the
//! other games.
//!
//! Each game is a block of tags, `[Name "value"]`, an empty line, the moves, and an empty line. In
//! braces behind a move stand its player's score and depth, the nodes and the seconds:
//! `{+0.12/7 2000 0.003s}`, a forced win in 5 own moves being `+M5`. In PDN two plies share a
//! number, and results are `2-0`, `1-1` and `0-2`, White's points first. In the other games each ply
//! has its own number, since a side may move twice, and results are `1-0`, `1/2-1/2` and `0-1`, the
//! points of the side first in turn order first. Moves are written as the protocol writes them, a
//! flip with what it showed.

use std::fmt::Write;

use super::record::{GameRecord, PairRecord, PlyRecord};
use crate::games::{Variant, Visitor};
use crate::position::{Position, Side};

/// The columns that moves are broken into lines at.
const WIDTH: usize = 100;

/// PDN's number of the game: international draughts, White begins, numbers from the upper left.
const PDN_GAME_TYPE: &str = "20";

/// The games of a pair.
pub(super) fn transcript(variant: Variant, pair: &PairRecord) -> String {
    let mut text = String::new();
    for (number, game) in (1..).zip(&pair.games) {
        write_game(&mut text, variant, pair, game, number);
    }
    text
}

/// What the sides are called before anything has happened, in turn order.
struct SideNames;

impl Visitor for SideNames {
    type Output = [&'static str; 2];

    fn visit<P: Position>(self) -> [&'static str; 2] {
        let start = P::start(P::Rules::default());
        [Side::First, Side::Second].map(|side| start.side_name(side))
    }
}

/// The start position's text.
struct StartText;

impl Visitor for StartText {
    type Output = String;

    fn visit<P: Position>(self) -> String {
        P::start(P::Rules::default()).to_string()
    }
}

fn write_game(
    text: &mut String,
    variant: Variant,
    pair: &PairRecord,
    game: &GameRecord,
    number: u32,
) {
    let is_draughts = matches!(variant, Variant::Draughts | Variant::DraughtsFmjd);
    let second = pair.players.iter().find(|name| **name != game.first).unwrap_or(&game.first);
    let players = [&game.first, second];
    let names = variant.visit(SideNames);
    // PDN names White first, whoever begins.
    let order = if is_draughts && names[1] == "white" { [1, 0] } else { [0, 1] };
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("a string takes every line");
    };
    tag("Event", &format!("Yardmaster match, {variant}"));
    tag("Round", &format!("{}.{number}", pair.pair));
    for index in order {
        tag(&capitalized(names[index]), players[index]);
    }
    let result = result(game, players[order[0]], is_draughts);
    tag("Result", result);
    if is_draughts {
        tag("GameType", PDN_GAME_TYPE);
    }
    let start = pair.opening.start.clone();
    // Only by the rules of the FMJD the start position goes without saying.
    let start = match variant {
        Variant::Draughts => Some(start.unwrap_or_else(|| variant.visit(StartText))),
        _ => start,
    };
    if let Some(start) = start {
        tag("FEN", &start);
    }
    if let Some(deal) = &pair.opening.deal {
        tag("Deal", deal);
    }
    tag("Opening", &pair.opening.number.to_string());
    tag("Termination", &game.reason);
    text.push('\n');
    let moves = movetext(pair, game, if is_draughts { 2 } else { 1 });
    write_wrapped(text, moves.iter().map(String::as_str).chain([result]));
    text.push('\n');
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn result(game: &GameRecord, named_first: &str, is_draughts: bool) -> &'static str {
    match (game.half_points(named_first), is_draughts) {
        (2, true) => "2-0",
        (1, true) => "1-1",
        (_, true) => "0-2",
        (2, false) => "1-0",
        (1, false) => "1/2-1/2",
        (_, false) => "0-1",
    }
}

/// The moves with their comments, a number before each `plies` of them.
fn movetext(pair: &PairRecord, game: &GameRecord, plies: usize) -> Vec<String> {
    let opening = pair.opening.moves.iter().map(|mv| (mv, None));
    let played = game.plies.iter().map(|ply| (&ply.event, Some(ply)));
    let mut words = Vec::new();
    for (index, (mv, ply)) in opening.chain(played).enumerate() {
        let number = match index % plies {
            0 => format!("{}. ", index / plies + 1),
            _ => String::new(),
        };
        let comment = ply.map_or(String::new(), |ply| format!(" {}", comment(ply)));
        words.push(format!("{number}{mv}{comment}"));
    }
    words
}

/// `{score/depth nodes seconds}`; what a player did not tell is left out.
fn comment(ply: &PlyRecord) -> String {
    let mut parts = Vec::new();
    let judged = match (ply.mate, ply.score) {
        (Some(mate), _) => Some(format!("{}M{}", if mate < 0 { '-' } else { '+' }, mate.abs())),
        (None, Some(score)) => Some(format!("{:+.2}", score as f64 / 100.0)),
        (None, None) => None,
    };
    match (judged, ply.depth) {
        (Some(score), Some(depth)) => parts.push(format!("{score}/{depth}")),
        (Some(score), None) => parts.push(score),
        (None, _) => (),
    }
    parts.extend(ply.nodes.map(|nodes| nodes.to_string()));
    parts.push(format!("{:.3}s", ply.time / 1e3));
    format!("{{{}}}", parts.join(" "))
}

/// Words between spaces, in lines that are not too long. A move stays with its number.
fn write_wrapped<'a>(text: &mut String, words: impl Iterator<Item = &'a str>) {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += word.len();
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::super::record::{Mover, OpeningRecord, Warnings};
    use super::*;

    fn pair(plies: &[(&str, i64)], winner: Option<&str>) -> PairRecord {
        let ply = |(number, &(event, score)): (usize, &(&str, i64))| PlyRecord {
            event: event.to_owned(),
            mover: if number % 2 == 0 { Mover::First } else { Mover::Second },
            score: Some(score),
            mate: None,
            depth: Some(7),
            nodes: Some(2_000),
            time: 3.25,
        };
        let game = |first: &str| GameRecord {
            first: first.to_owned(),
            winner: winner.map(str::to_owned),
            reason: "no legal move".to_owned(),
            fault: None,
            plies: plies.iter().enumerate().map(ply).collect(),
            warnings: [Warnings::default(); 2],
        };
        PairRecord {
            pair: 17,
            players: ["A".to_owned(), "B \"b\"".to_owned()],
            opening: OpeningRecord {
                number: 3,
                start: None,
                moves: vec!["20-25".to_owned()],
                deal: None,
            },
            games: [game("A"), game("B \"b\"")],
        }
    }

    #[test]
    fn draughts_is_written_in_pdn() {
        let text = transcript(Variant::Draughts, &pair(&[("31-26", 12), ("25-30", -5)], Some("A")));
        let black_begins = "\
[Event \"Yardmaster match, draughts\"]
[Round \"17.1\"]
[White \"B \\\"b\\\"\"]
[Black \"A\"]
[Result \"0-2\"]
[GameType \"20\"]
[FEN \"B:W31,32,33,34,35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50:\
B1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20:H0:F1\"]
[Opening \"3\"]
[Termination \"no legal move\"]

1. 20-25 31-26 {+0.12/7 2000 0.003s} 2. 25-30 {-0.05/7 2000 0.003s} 0-2

[Event";
        assert!(text.starts_with(black_begins), "{text}");
        let text = transcript(Variant::DraughtsFmjd, &pair(&[], None));
        assert!(text.contains("[White \"A\"]") && text.contains("[Result \"1-1\"]"));
        assert!(!text.contains("[FEN"));
    }

    #[test]
    fn other_games_number_every_ply() {
        let mut pair = pair(&[("c", 12), ("a", 40)], Some("B \"b\""));
        pair.opening.moves.clear();
        pair.games[0].plies[1].mate = Some(-3);
        let text = transcript(Variant::Kalah, &pair);
        assert!(
            text.contains("[South \"A\"]\n[North \"B \\\"b\\\"\"]\n[Result \"0-1\"]"),
            "{text}"
        );
        let moves = "1. c {+0.12/7 2000 0.003s} 2. a {-M3/7 2000 0.003s} 0-1\n";
        assert!(text.contains(moves), "{text}");
    }

    #[test]
    fn long_games_are_broken_into_lines() {
        let plies = vec![("32-28", 1); 60];
        let text = transcript(Variant::DraughtsFmjd, &pair(&plies, None));
        assert!(text.lines().filter(|line| !line.starts_with('[')).all(|line| line.len() <= WIDTH));
    }
}
