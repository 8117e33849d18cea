//! Games as a person reads them: PDN for draughts, and a list of moves in the same manner for the
//! other games.
//!
//! Each game is a block of tags, `[Name "value"]`, an empty line, the moves, and an empty line. In
//! braces behind a move stand its player's score and depth, the nodes and the seconds:
//! `{+0.12/7 2000 0.003s}`, a forced win in 5 own moves being `+M5`. [PDN](crate::pdn) has results of
//! `2-0`, `1-1` and `0-2`, White's points first. In the other games each ply has its own number, since
//! a side may move twice, results are `1-0`, `1/2-1/2` and `0-1`, the points of the side first in turn
//! order first, and moves are written as the protocol writes them, a flip with what it showed.

use super::record::{GameRecord, PairRecord, PlyRecord};
use crate::games::draughts::pdn::move_text as pdn_text;
use crate::games::draughts::{Color, Draughts, Fmjd, RuleSet, Site};
use crate::games::{Variant, Visitor};
use crate::pdn::{self, Item, PdnGame, Written};
use crate::position::{Position, Side};

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

fn write_game(
    text: &mut String,
    variant: Variant,
    pair: &PairRecord,
    game: &GameRecord,
    number: u32,
) {
    let written = match variant {
        Variant::Draughts => draughts_game::<Site>(variant, pair, game, number),
        Variant::DraughtsFmjd => draughts_game::<Fmjd>(variant, pair, game, number),
        _ => write_other_game(variant, pair, game, number),
    };
    *text += &written;
}

/// The tags of a game, the results being called so.
fn tags(
    variant: Variant,
    pair: &PairRecord,
    game: &GameRecord,
    number: u32,
    results: [&str; 3],
) -> PdnGame {
    let second = pair.players.iter().find(|name| **name != game.first).unwrap_or(&game.first);
    let players = [&game.first, second];
    let names = variant.visit(SideNames);
    // PDN names White first, whoever begins.
    let order = if names[1] == "white" { [1, 0] } else { [0, 1] };
    let mut tags = PdnGame::default();
    tags.set_tag("Event", format!("Yardmaster match, {variant}"));
    tags.set_tag("Site", "?");
    tags.set_tag("Date", "????.??.??");
    tags.set_tag("Round", format!("{}.{number}", pair.pair));
    for index in order {
        tags.set_tag(&capitalized(names[index]), players[index].as_str());
    }
    let points = game.half_points(players[order[0]]);
    tags.set_tag(pdn::RESULT, results[2 - points.min(2)]);
    tags
}

/// What else is told of a game, behind where it begins.
fn add_circumstances(tags: &mut PdnGame, pair: &PairRecord, game: &GameRecord) {
    if let Some(deal) = &pair.opening.deal {
        tags.set_tag("Deal", deal.as_str());
    }
    tags.set_tag("Opening", pair.opening.number.to_string());
    tags.set_tag("Termination", game.reason.as_str());
}

/// What has happened, the opening first, and what is told of it.
fn plies<'a>(
    pair: &'a PairRecord,
    game: &'a GameRecord,
) -> impl Iterator<Item = (&'a String, Option<String>)> {
    let opening = pair.opening.moves.iter().map(|mv| (mv, None));
    opening.chain(game.plies.iter().map(|ply| (&ply.event, Some(comment(ply)))))
}

/// A game of draughts as PDN.
fn draughts_game<R: RuleSet>(
    variant: Variant,
    pair: &PairRecord,
    game: &GameRecord,
    number: u32,
) -> String {
    let start = Draughts::<R>::start(R::Rules::default());
    let root = pair.opening.start.as_deref();
    let root = root.and_then(|text| Draughts::read(text, R::Rules::default()).ok());
    let mut position = root.unwrap_or(start);
    let mut written = tags(variant, pair, game, number, ["2-0", "1-1", "0-2"]);
    let first = if start.color_to_move() == Color::White { 'W' } else { 'B' };
    written.set_tag(pdn::GAME_TYPE, pdn::game_type(first));
    if position != start {
        // Counters are no part of the standard.
        let text = position.to_string();
        let (fen, counters) = text.split_once(":H").unwrap_or((&text, ""));
        written.set_tag(pdn::FEN, fen);
        if counters != "0:F1" {
            written.set_tag("Counters", format!("H{counters}"));
        }
    }
    add_circumstances(&mut written, pair, game);
    let second_begins = position.side_to_move() == Side::Second;
    for (text, comment) in plies(pair, game) {
        // A record holds moves that were played.
        let Ok(mv) = position.read_move(text) else { break };
        let text = pdn_text(&position, mv);
        written.items.push(Item::Move { text, strength: String::new() });
        written.items.extend(comment.map(Item::Comment));
        position = position.after(mv);
    }
    Written { game: &written, second_begins }.to_string()
}

/// A game that PDN has no words for, in the same manner.
fn write_other_game(variant: Variant, pair: &PairRecord, game: &GameRecord, number: u32) -> String {
    let mut written = tags(variant, pair, game, number, ["1-0", "1/2-1/2", "0-1"]);
    let result = written.tag(pdn::RESULT).unwrap_or_default().to_owned();
    if let Some(start) = &pair.opening.start {
        written.set_tag(pdn::FEN, start.as_str());
    }
    add_circumstances(&mut written, pair, game);
    let mut text = String::new();
    for (name, value) in &written.tags {
        text += &pdn::tag_line(name, value);
    }
    text.push('\n');
    let words = (1..).zip(plies(pair, game)).map(|(number, (mv, comment))| match comment {
        Some(comment) => format!("{number}. {mv} {{{comment}}}"),
        None => format!("{number}. {mv}"),
    });
    let words: Vec<String> = words.chain([result]).collect();
    pdn::write_wrapped(&mut text, words.iter().map(String::as_str))
        .expect("a string takes every line");
    text.push('\n');
    text
}

fn capitalized(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// `score/depth nodes seconds`; what a player did not tell is left out.
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
    parts.join(" ")
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
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"17.1\"]
[White \"B \\\"b\\\"\"]
[Black \"A\"]
[Result \"0-2\"]
[GameType \"20,B,10,10,N1,0\"]
[Opening \"3\"]
[Termination \"no legal move\"]

1. 20-25 31-26 {+0.12/7 2000 0.003s} 2. 25-30 {-0.05/7 2000 0.003s} *

[Event";
        assert!(text.starts_with(black_begins), "{text}");
        let text = transcript(Variant::DraughtsFmjd, &pair(&[], None));
        assert!(text.contains("[White \"A\"]") && text.contains("[Result \"1-1\"]"));
        assert!(text.contains("[GameType \"20,W,10,10,N2,0\"]") && !text.contains("[FEN"));
    }

    #[test]
    fn a_game_of_draughts_is_read_back() {
        let mut pair = pair(&[("2x11x22x13x2", 3), ("20-25", 1)], None);
        pair.opening.moves.clear();
        pair.opening.start = Some("W:WK2:B7,8,17,18,20:H4:F9".to_owned());
        let text = transcript(Variant::DraughtsFmjd, &pair);
        let games: Vec<_> = pdn::Reader::new(&text).map(Result::unwrap).collect();
        let [first, second] = games.as_slice() else { panic!("{text}") };
        assert_eq!(first.items, second.items);
        let moves = first.items.iter().filter_map(|item| match item {
            Item::Move { text, .. } => Some(text.as_str()),
            _ => None,
        });
        assert_eq!(moves.collect::<Vec<_>>(), ["2x2", "20-25"], "{text}");
        assert_eq!(first.tag("FEN"), Some("W:WK2:B7,8,17,18,20"));
        assert_eq!(first.tag("Counters"), Some("H4:F9"));
        pair.games[0].plies.remove(0);
        pair.opening.start = Some("B:WK2:B20:H0:F1".to_owned());
        let text = transcript(Variant::DraughtsFmjd, &pair);
        assert!(text.contains("\n1... 20-25 {+0.01/7 2000 0.003s} *\n"), "{text}");
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
        let plies = vec![("c", 1); 60];
        let text = transcript(Variant::Kalah, &pair(&plies, None));
        assert!(text.lines().filter(|line| !line.starts_with('[')).all(|line| line.len() <= 100));
    }
}
