//! The borders between the parts of the program, as `lib.rs` states them.

use std::fs;
use std::path::{Path, PathBuf};

/// All source files below a folder of `src`, or that file itself.
fn sources(part: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(part);
    let mut open = vec![root];
    let mut files = Vec::new();
    while let Some(path) = open.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a folder of the sources is readable");
            open.extend(entries.map(|entry| entry.expect("so are its entries").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    assert!(!files.is_empty(), "nothing is left of {part}");
    files
}

/// No code line of `part` contains any of `forbidden`; comments may.
fn check(part: &str, forbidden: &[&str]) {
    for file in sources(part) {
        let text = fs::read_to_string(&file).expect("a source file is text");
        for (number, line) in (1..).zip(text.lines()) {
            let code = line.split("//").next().unwrap_or_default();
            for word in forbidden {
                assert!(!code.contains(word), "{}:{number}: {word}", file.display());
            }
        }
    }
}

#[test]
fn games_know_neither_search_nor_protocol() {
    check("games", &["crate::search", "crate::protocol", "crate::arena"]);
}

#[test]
fn searches_know_no_game() {
    check("search", &["crate::games", "crate::protocol", "crate::arena"]);
}

#[test]
fn nothing_below_the_protocol_prints_or_reads_the_environment() {
    for part in ["games", "search", "position.rs", "score.rs", "history.rs", "game.rs", "perft"] {
        check(
            part,
            &["print!(", "println!(", "std::env", "env::var", "io::stdout", "std::process"],
        );
    }
}
