//! The command `yardmaster solve` as a user calls it.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

fn solve(arguments: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_yardmaster");
    Command::new(program).arg("solve").args(arguments).output().expect("the program starts")
}

/// What it prints, without the lines that differ from run to run.
fn answer(arguments: &[&str]) -> String {
    let output = solve(arguments);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().filter(|line| !line.starts_with("seconds "));
    lines.flat_map(|line| [line, "\n"]).collect()
}

fn error(arguments: &[&str]) -> String {
    let output = solve(arguments);
    assert!(!output.status.success() && output.stdout.is_empty(), "{output:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// A file that is not there.
fn file(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("yardmaster-{}-{name}", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

#[test]
fn a_number_of_stones_is_solved_with_the_values_of_all_moves() {
    let text = answer(&["1", "--endgame", "8"]);
    let moves = "move a +0\nmove b +0\nmove c +0\nmove d -2\nmove e -2\nmove f +2\n";
    assert!(text.contains("value +2\npv f "), "{text}");
    assert!(text.contains(moves), "{text}");
}

#[test]
fn a_position_is_solved_for_its_side_to_move() {
    let position = "0,0,0,0,0,1,20/0,0,0,0,0,1,26 s";
    let text = answer(&[position, "--value-only", "--endgame", "4"]);
    assert!(text.starts_with(&format!("position {position}\nvalue -6\n")), "{text}");
}

#[test]
fn a_solution_goes_on_from_its_checkpoint() {
    let path = file("checkpoint");
    let name = path.to_str().expect("text");
    let arguments = ["3", "--value-only", "--endgame", "10", "--checkpoint", name];
    let first = answer(&arguments);
    assert!(first.contains("value +2\n"), "{first}");
    // The second time nothing is left to do.
    assert_eq!(answer(&arguments), first);
    let other = error(&["2", "--endgame", "10", "--checkpoint", name]);
    assert!(other.contains("is a checkpoint of 3,3,3,3,3,3,0/3,3,3,3,3,3,0 s"), "{other}");
    fs::write(&path, "nothing").expect("the file can be written");
    assert!(error(&arguments).contains("\"nothing\" is not a line of a checkpoint"));
    fs::remove_file(path).expect("the file is there");
}

#[test]
fn a_book_is_made_and_gone_on_with() {
    let path = file("book");
    let name = path.to_str().expect("text");
    let arguments = ["2", "--endgame", "8", "--book", name, "--book-stones", "16"];
    let first = answer(&arguments);
    assert!(first.starts_with("positions "), "{first}");
    let text = fs::read_to_string(&path).expect("it was written");
    assert!(text.contains("\n222222222222 17 "), "{text}");
    assert_eq!(answer(&arguments), first);
    fs::write(&path, text.replace(" 17 ", " 18 ")).expect("the file can be written");
    assert!(error(&arguments).contains("the book is damaged"));
    fs::remove_file(path).expect("the file is there");
}

#[test]
fn what_is_no_position_is_refused() {
    assert!(error(&["44"]).contains("has 528 stones"));
    assert!(error(&["four"]).contains("\"four\" is not a position"));
}
