//! Whole sessions as text files. In `transcripts/*.txt`, a line that begins with
//!
//! - `$ ` holds the arguments of the program (first line only),
//! - `# ` is a comment,
//! - `> ` is sent to the program,
//! - anything else is expected from it, in this order; `*` stands for any text, and `...` for any
//!   number of lines. Empty lines do not count.

use std::fs;
use std::io::BufReader;
use std::path::Path;
use std::process::{Command, Stdio};

use driver::{Driver, fits};

#[allow(dead_code, unreachable_pub)]
mod driver;

/// Plays one session.
fn check(name: &str, transcript: &str) {
    let arguments = transcript.lines().next().and_then(|line| line.strip_prefix("$ "));
    let mut child = Command::new(env!("CARGO_BIN_EXE_yardmaster"))
        .args(arguments.unwrap_or("").split_whitespace())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let input = child.stdin.take().expect("a pipe");
    let output = child.stdout.take().expect("a pipe");
    let mut gui = Driver::new(input, BufReader::new(output));
    let mut skipping = false;
    for (number, line) in (1..).zip(transcript.lines()) {
        if line.is_empty() || line.starts_with("# ") || line.starts_with("$ ") {
            continue;
        }
        if let Some(command) = line.strip_prefix("> ") {
            gui.send(command);
        } else if line == "..." {
            skipping = true;
        } else {
            // Where a failed test was waiting.
            eprintln!("{name}:{number}: {line}");
            let mut answer = next_line(&mut gui);
            while skipping && !fits(line, &answer) {
                answer = next_line(&mut gui);
            }
            assert!(fits(line, &answer), "{name}:{number}: expected {line:?}, got {answer:?}");
            skipping = false;
        }
    }
    gui.close();
    let rest: Vec<String> = gui.rest().into_iter().filter(|line| !line.is_empty()).collect();
    assert!(skipping || rest.is_empty(), "{name}: more came: {rest:#?}");
    assert!(child.wait().expect("a child").success(), "{name}");
}

/// The next line that is not empty.
fn next_line(gui: &mut Driver) -> String {
    loop {
        let line = gui.next("");
        if !line.is_empty() {
            return line;
        }
    }
}

#[test]
fn every_session_goes_as_it_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the folder of the transcripts")
        .map(|entry| entry.expect("a file").path())
        .collect();
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let transcript = fs::read_to_string(&path).expect("a text");
        check(&path.display().to_string(), &transcript);
    }
}

/// The sessions in a page of documentation: its code blocks that begin with `> `. What a search finds
/// may change with every better search, and in how many lines; that it answers so may not.
fn sessions(page: &str) -> impl Iterator<Item = String> {
    let blocks = page.split("```").skip(1).step_by(2);
    let bodies = blocks.filter_map(|block| block.split_once('\n')).map(|(_, body)| body);
    bodies.filter(|body| body.starts_with("> ")).map(|body| {
        let mut lines = Vec::new();
        for line in body.lines() {
            match line.split_once(' ') {
                Some(("info", _)) if lines.last() == Some(&"...") => (),
                Some(("info", _)) => {
                    lines.extend([
                        "info depth * score * nodes * nps * hashfull * time * pv *",
                        "...",
                    ]);
                }
                Some(("bestmove", _)) => lines.push("bestmove *"),
                Some(("done", _)) => lines.push("done move=*"),
                _ if line == "…" => lines.push("..."),
                _ => lines.push(line),
            }
        }
        lines.join("\n")
    })
}

#[test]
fn every_session_in_the_documentation_is_a_real_one() {
    for page in ["README.md", "protocol.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(page);
        let text = fs::read_to_string(path).expect("a page of documentation");
        let sessions: Vec<String> = sessions(&text).collect();
        assert!(!sessions.is_empty(), "{page} shows no session");
        for session in sessions {
            check(page, &session);
        }
    }
}
