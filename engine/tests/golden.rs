//! The reference games and positions of an independent, deliberately naive program: legal moves as
//! sets, position texts, results, perft counts.

use serde::Deserialize;
use yardmaster::games::banqi::Banqi;
use yardmaster::games::draughts::{Draughts, Fmjd, Site};
use yardmaster::games::halma::Halma;
use yardmaster::perft::perft;
use yardmaster::position::Position;

/// Perft counts beyond this many nodes are left to the perft suites.
const NODES_AT_MOST: u64 = 2_000_000;

#[derive(Deserialize)]
struct Case {
    #[serde(default)]
    moves: Vec<String>,
    fen: String,
    result: Option<String>,
    legal: Vec<String>,
    #[serde(default)]
    perft: Option<Vec<u64>>,
}

/// The cases of a file of JSON lines.
fn cases(jsonl: &str) -> impl Iterator<Item = Case> {
    jsonl.lines().map(|line| serde_json::from_str(line).expect("a golden line is a case"))
}

/// All events of the position as texts, sorted.
fn event_texts<P: Position>(position: &P) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let events = moves.into_iter().flat_map(|mv| position.events(mv));
    let mut texts: Vec<String> = events.map(|(event, _)| position.event_text(event)).collect();
    texts.sort();
    texts
}

fn check_position<P: Position>(position: &P, case: &Case) {
    assert_eq!(event_texts(position), case.legal, "legal moves of {}", case.fen);
    check_perft(position, case);
}

fn check_perft<P: Position>(position: &P, case: &Case) {
    for (depth, &nodes) in (1..).zip(case.perft.iter().flatten()) {
        if nodes <= NODES_AT_MOST {
            assert_eq!(perft(position, depth), nodes, "perft {depth} of {}", case.fen);
        }
    }
}

fn winner<P: Position>(position: &P) -> Option<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    position.outcome(&moves).map(|outcome| match outcome.winner {
        Some(side) => position.side_name(side).to_owned(),
        None => "draw".to_owned(),
    })
}

/// Games from the start position: every move is found by its text, and the end is as it should be.
fn check_games<P: Position>(jsonl: &str) {
    for case in cases(jsonl) {
        let mut position = P::start(P::Rules::default());
        for text in &case.moves {
            let event = position.read_event(text).unwrap_or_else(|error| {
                panic!("{error}, after {position} of the game to {}", case.fen)
            });
            assert_eq!(&position.event_text(event), text, "at {position}");
            position = position.after(event);
        }
        assert_eq!(position.to_string(), case.fen);
        assert_eq!(winner(&position), case.result, "result of {}", case.fen);
        check_position(&position, &case);
    }
}

/// Positions without a game behind them.
fn check_positions<P: Position>(jsonl: &str) {
    for case in cases(jsonl) {
        let position = P::read(&case.fen, P::Rules::default())
            .unwrap_or_else(|error| panic!("{error} in {}", case.fen));
        assert_eq!(position.to_string(), case.fen);
        check_position(&position, &case);
    }
}

/// Rule positions: here a flip is listed once, whatever it shows.
fn check_banqi_rules(jsonl: &str) {
    for case in cases(jsonl) {
        let position = Banqi::read(&case.fen, ()).unwrap_or_else(|error| panic!("{error}"));
        let mut moves = Vec::new();
        position.moves(&mut moves);
        let mut texts: Vec<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
        texts.sort();
        assert_eq!(texts, case.legal, "legal moves of {}", case.fen);
        assert_eq!(winner(&position), case.result, "result of {}", case.fen);
        check_perft(&position, &case);
    }
}

#[test]
fn banqi_games_go_as_they_should() {
    check_games::<Banqi>(include_str!("golden/banqi-games.jsonl"));
}

#[test]
fn banqi_positions_have_the_moves_they_should() {
    check_positions::<Banqi>(include_str!("golden/banqi-positions.jsonl"));
}

#[test]
fn banqi_rules_are_kept() {
    check_banqi_rules(include_str!("golden/banqi-rules.jsonl"));
}

#[test]
fn draughts_is_as_it_should_be_on_the_site() {
    check_games::<Draughts<Site>>(include_str!("golden/draughts-games.jsonl"));
    check_positions::<Draughts<Site>>(include_str!("golden/draughts-positions.jsonl"));
}

#[test]
fn draughts_is_as_it_should_be_in_the_fmjd() {
    check_games::<Draughts<Fmjd>>(include_str!("golden/draughts-fmjd-games.jsonl"));
    check_positions::<Draughts<Fmjd>>(include_str!("golden/draughts-fmjd-positions.jsonl"));
}

#[test]
fn halma_games_go_as_they_should() {
    check_games::<Halma>(include_str!("golden/halma-games.jsonl"));
}

#[test]
fn halma_positions_have_the_moves_they_should() {
    check_positions::<Halma>(include_str!("golden/halma-positions.jsonl"));
}
mod kalah {
    use yardmaster::games::kalah::Kalah;
    use yardmaster::position::Side;

    use super::*;

    /// One move and what it leads to.
    #[derive(Deserialize)]
    struct Ply {
        name: String,
        fen: String,
        #[serde(rename = "move")]
        mv: String,
        after: String,
        over: bool,
        margin_south: Option<i32>,
    }

    #[test]
    fn kalah_games_are_played_as_recorded() {
        check_games::<Kalah>(include_str!("golden/kalah-games.jsonl"));
    }

    #[test]
    fn kalah_positions_have_the_moves_of_the_reference() {
        check_positions::<Kalah>(include_str!("golden/kalah-positions.jsonl"));
    }

    #[test]
    fn each_rule_of_kalah_does_what_it_says() {
        for line in include_str!("golden/kalah-rules.jsonl").lines() {
            let ply: Ply = serde_json::from_str(line).expect("a golden line is a ply");
            let name = ply.name;
            let before = Kalah::read(&ply.fen, ()).expect(&name);
            let after = before.after(before.read_move(&ply.mv).expect(&name));
            // The file leaves the turn with the last mover once the game is over.
            let words = if ply.over { 1 } else { 2 };
            let shown =
                |text: &str| text.split(' ').take(words).map(str::to_owned).collect::<Vec<_>>();
            assert_eq!(shown(&after.to_string()), shown(&ply.after), "{name}");
            let mut moves = Vec::new();
            after.moves(&mut moves);
            let outcome = after.outcome(&moves);
            assert_eq!(outcome.is_some(), ply.over, "{name}");
            let [south, north] =
                [Side::First, Side::Second].map(|side| i32::from(after.row(side).store()));
            assert_eq!(outcome.map(|_| south - north), ply.margin_south, "{name}");
            let winner = match south.cmp(&north) {
                std::cmp::Ordering::Less => Some(Side::Second),
                std::cmp::Ordering::Equal => None,
                std::cmp::Ordering::Greater => Some(Side::First),
            };
            assert!(outcome.is_none_or(|outcome| outcome.winner == winner), "{name}");
        }
    }
}
