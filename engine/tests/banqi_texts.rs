//! What banqi texts are read, how they print, and with which message the others are refused.

use yardmaster::games::banqi::{Banqi, BanqiError};
use yardmaster::position::Position;

fn read(text: &str) -> Result<Banqi, BanqiError> {
    Banqi::read(text, ())
}

#[test]
fn a_text_that_can_not_be_drawn_is_refused_with_its_reason() {
    let check = |text: &str, message: &str| {
        assert_eq!(read(text).unwrap_err().to_string(), message, "{text}");
    };
    check(
        "8/8/8/K6k r - 0",
        r#""8/8/8/K6k r - 0" has 4 fields, expected 5: ranks, side, pool, quiet plies, ply number"#,
    );
    check("", r#""" has 0 fields, expected 5: ranks, side, pool, quiet plies, ply number"#);
    check("8/8/K6k r - 0 1", r#""8/8/K6k" has 3 ranks, expected 4 separated by '/'"#);
    check("8/8/8/K5k r - 0 1", r#"rank "K5k" has 7 squares, expected 8"#);
    check("8/8/8/K6kk r - 0 1", r#"rank "K6kk" has 9 squares, expected 8"#);
    check("8//8/K6k r - 0 1", r#"rank "" has 0 squares, expected 8"#);
    check(
        "8/9/8/K6k r - 0 1",
        r#"'9' in rank "9" is no square, expected a piece (KAERHCP, kaerhcp), '?' or a run of 1 to 8"#,
    );
    check(
        "8/8/8/K6x r - 0 1",
        r#"'x' in rank "K6x" is no square, expected a piece (KAERHCP, kaerhcp), '?' or a run of 1 to 8"#,
    );
    check("8/8/8/K6k w - 0 1", r#""w" is no side to move, expected "r", "b" or "-""#);
    check(
        "8/8/8/K5?k r X 0 1",
        r#"'X' in pool "X" is no piece, expected one of KAERHCP, kaerhcp, or "-" for an empty pool"#,
    );
    check(
        "8/8/8/K5?k r 2P 0 1",
        r#"'2' in pool "2P" is no piece, expected one of KAERHCP, kaerhcp, or "-" for an empty pool"#,
    );
    check("8/8/8/K5?k r P6 0 1", r#"pool "P6" has "6" after 'P', expected a count from 1 to 5"#);
    check("8/8/8/K6k r a0 0 1", r#"pool "a0" has "0" after 'a', expected a count from 1 to 2"#);
    check(
        "8/8/8/K5?k r P999 0 1",
        r#"pool "P999" has "999" after 'P', expected a count from 1 to 5"#,
    );
    check(
        "8/8/8/K4??k r PaP 0 1",
        r#"pool "PaP" lists 'P' twice, expected one letter with its count"#,
    );
    check("8/8/8/K6k r - -1 1", r#""-1" is no number of quiet plies, expected 0 to 65535"#);
    check("8/8/8/K6k r - 65536 1", r#""65536" is no number of quiet plies, expected 0 to 65535"#);
    check("8/8/8/K6k r - 0 0", r#""0" is no ply number, expected 1 to 1000000"#);
    check("8/8/8/K6k r - 0 1000001", r#""1000001" is no ply number, expected 1 to 1000000"#);
    check("8/8/8/K6k r - 0 +1", r#""+1" is no ply number, expected 1 to 1000000"#);
}

#[test]
fn a_drawing_that_is_no_position_is_refused_with_its_reason() {
    let check = |text: &str, message: &str| {
        assert_eq!(read(text).unwrap_err().to_string(), message, "{text}");
    };
    check(
        "8/8/8/K5?k r - 0 1",
        r#"pool "-" has 0 pieces, expected 1, one for each '?' on the board"#,
    );
    check(
        "8/8/8/K5?k r P2 0 1",
        r#"pool "P2" has 2 pieces, expected 1, one for each '?' on the board"#,
    );
    check(
        "8/8/8/K5Kk r - 0 1",
        r#"there are 2 'K' on the board and in pool "-", expected at most 1"#,
    );
    check(
        "8/8/8/K4?aa r a 0 1",
        r#"there are 3 'a' on the board and in pool "a", expected at most 2"#,
    );
    check(
        "8/8/8/K6k - - 0 1",
        r#"side "-" with 0 pieces face down, expected "r" or "b": the first flip gives the colors"#,
    );
    check(
        "????????/????????/????????/???????? b KA2E2R2H2C2P5ka2e2r2h2c2p5 0 1",
        r#"side "b" with all 32 pieces face down, expected "-": only the first flip gives the colors"#,
    );
}

#[test]
fn what_may_be_written_in_more_than_one_way_prints_in_one() {
    let check = |text: &str, expected: &str| {
        assert_eq!(read(text).unwrap().to_string(), expected);
    };
    check("8/8/8/BN4?? r  p1C 0 1", "8/8/8/EH4?? r Cp 0 1");
    check("44/1b1n31/8/8 b - 007 0033", "8/1e1h4/8/8 b - 7 33");
    check(
        "????????/????????/????????/???????? - p5c2h2r2e2a2kP5C2N2R2B2A2K 0 2",
        "????????/????????/????????/???????? - KA2E2R2H2C2P5ka2e2r2h2c2p5 0 2",
    );
}

#[test]
fn moves_and_events_are_read_without_regard_to_the_case_of_squares() {
    let position = read("8/1a6/1A?5/8 r p 0 9").unwrap();
    let moves = ["b2b3", "B2B3", "B2b1", "c2", "C2"].map(|text| position.read_move(text).unwrap());
    assert_eq!(moves.map(|mv| position.move_text(mv)), ["b2b3", "b2b3", "b2b1", "c2", "c2"]);
    let events = ["B2B3", "C2=p", "c2=p"].map(|text| position.read_event(text).unwrap());
    assert_eq!(events.map(|event| position.event_text(event)), ["b2b3", "c2=p", "c2=p"]);

    let position = read("8/8/??6/8 r Eh 0 9").unwrap();
    let events = ["a2=B", "b2=n"].map(|text| position.read_event(text).unwrap());
    assert_eq!(events.map(|event| position.event_text(event)), ["a2=E", "b2=h"]);
}

#[test]
fn a_text_that_names_no_move_or_event_is_refused_with_its_reason() {
    let position = read("8/1a6/1A?5/8 r p 0 9").unwrap();
    let check = |text: &str, move_message: &str, event_message: &str| {
        let mv = position.read_move(text).unwrap_err().to_string();
        let event = position.read_event(text).map(|event| position.event_text(event));
        assert_eq!(mv, move_message);
        assert_eq!(event.map_err(|error| error.to_string()), Err(event_message.to_owned()));
    };
    let malformed = |text: &str| {
        check(
            text,
            &format!(
                "{text:?} is not a move, expected a square to flip such as c4, or two squares such as b2b3"
            ),
            &format!(
                "{text:?} is not a move, expected a flip with the piece it showed such as c4=P, or two squares such as b2b3"
            ),
        );
    };
    for text in [
        "", "c", "i2", "c5", "c0", "b2b", "b2b33", "c2=", "c2=x", "c2=pp", "c2-c3", "ü2", "b2ü",
        "c2 ",
    ] {
        malformed(text);
    }
    for text in ["b2b4", "b3b4", "b2c2", "a1", "b2"] {
        let message = format!("{text:?} is not legal here");
        check(text, &message, &message);
    }
    let as_move = |text: &str| {
        format!(
            "{text:?} is not a move, expected a square to flip such as c4, or two squares such as b2b3"
        )
    };
    check(
        "c2=P",
        &as_move("c2=P"),
        r#""c2=P" shows a piece that is not face down any more, the pool is p"#,
    );
    check("b3=p", &as_move("b3=p"), r#""b3=p" is not legal here"#);
    let missing = position.read_event("c2").unwrap_err().to_string();
    assert_eq!(missing, r#""c2" is a flip without its outcome, expected for example c2=P"#);
}

#[test]
fn the_picture_names_files_and_ranks() {
    let position = read("1r6/8/1?6/1C5K r P 0 1").unwrap();
    let expected = [
        "4  . r . . . . . .",
        "3  . . . . . . . .",
        "2  . ? . . . . . .",
        "1  . C . . . . . K",
        "   a b c d e f g h",
    ];
    assert_eq!(position.picture(), expected.join("\n"));
}
