//! The built-in suites and the command line.

use std::process::{Command, Output};

use yardmaster::perft::Perft;
use yardmaster_perft::{SUITES, count, read_suite};

/// Greater counts are left to `perft suite`.
const NODES_AT_MOST: u64 = 1_000_000;

fn perft(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_perft")).args(arguments).output().expect("perft runs")
}

#[test]
fn the_counts_of_the_suites_are_right() {
    for (suite, text) in SUITES {
        let cases = read_suite(text).expect("a built-in suite is readable");
        assert!(!cases.is_empty(), "{suite} is empty");
        for case in cases {
            for (depth, &expected) in (1..).zip(&case.counts) {
                if expected <= NODES_AT_MOST {
                    let found = count(case.variant, Some(&case.position), depth, Perft::default());
                    assert_eq!(found, Ok(expected), "{suite}: {}: depth {depth}", case.name);
                }
            }
        }
    }
}

#[test]
fn a_division_lists_the_first_moves() {
    let output = perft(&["kalah", "2", "--divide"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text, "a: 6\nb: 6\nc: 5\nd: 6\ne: 6\nf: 6\n\nNodes searched: 35\n");
}

#[test]
fn a_wrong_count_fails_and_is_named() {
    let file = std::env::temp_dir().join(format!("perft-{}.perft", std::process::id()));
    let suite = "variant kalah\nname start\npos 4,4,4,4,4,4,0/4,4,4,4,4,4,0 s\nperft 6 36\n";
    std::fs::write(&file, suite).expect("a file can be written");
    let output = perft(&["suite", file.to_str().expect("a plain path")]);
    std::fs::remove_file(&file).expect("it is there");
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).expect("text");
    assert!(text.contains("start: depth 2: 35, expected 36"), "{text}");
}

#[test]
fn bad_arguments_get_one_clear_error() {
    for (arguments, expected) in [
        (&["kalah", "2", "--fen", "x"][..], "perft: "),
        (&["chess", "2"], "draughts, draughts-fmjd, halma, banqi, kalah"),
        (&["suite", "no-such-file"], "perft: no-such-file: "),
    ] {
        let output = perft(arguments);
        assert!(!output.status.success());
        let text = String::from_utf8(output.stderr).expect("text");
        assert!(text.contains(expected), "{text}");
    }
}
