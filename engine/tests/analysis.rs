//! `yardmaster analyze` as a user has it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use yardmaster::pdn::{Item, PdnGame, Reader};

/// A directory for the files of a test.
fn directory(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn yardmaster(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yardmaster")).args(arguments).output().unwrap()
}

/// What is written of the games in `pdn`, and what is complained of.
fn analyze(name: &str, pdn: &str, arguments: &[&str]) -> (bool, Vec<PdnGame>, String) {
    let file = directory(name).join("games.pdn");
    fs::write(&file, pdn).unwrap();
    let file = file.display().to_string();
    let output = yardmaster(&[&["analyze", &file], arguments].concat());
    let text = String::from_utf8(output.stdout).unwrap();
    let games =
        Reader::new(&text).map(|game| game.unwrap_or_else(|error| panic!("{error}: {text}")));
    (output.status.success(), games.collect(), String::from_utf8(output.stderr).unwrap())
}

fn moves(game: &PdnGame) -> Vec<&str> {
    let mut texts = Vec::new();
    for item in &game.items {
        if let Item::Move { text, .. } = item {
            texts.push(text.as_str());
        }
    }
    texts
}

fn comments(game: &PdnGame) -> Vec<&str> {
    let mut texts = Vec::new();
    for item in &game.items {
        if let Item::Comment(text) = item {
            texts.push(text.as_str());
        }
    }
    texts
}

#[test]
fn every_move_gets_a_score_and_a_bad_one_a_better_one() {
    // White gives a man away for nothing, and may have taken two in the end.
    let pdn = "[White \"A, \\\"b\\\"\"]\n[Annotator \"Me\"]\n\n\
               1. 34-29 {mine} 19-24 $1 (19-23) 2. 30:19 14x34? 3. 39x30 2-0\n";
    let pdn = pdn
        .replace("34-29 {mine} 19-24", "34-30 {mine} 20-25")
        .replace("2. 30:19 14x34? 3. 39x30", "2. 30-24 19:30! 3. 35x24");
    let (success, games, errors) = analyze("analyze-moves", &pdn, &["--depth", "7"]);
    assert!(success && errors.is_empty(), "{errors}");
    let [game] = games.as_slice() else { panic!("{games:#?}") };
    assert_eq!(moves(game), ["34-30", "20-25", "30-24", "19x30", "35x24"]);
    assert_eq!(game.tag("White"), Some("A, \"b\""));
    assert_eq!(game.tag("Result"), Some("2-0"));
    let annotators = format!("Me, Yardmaster {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(game.tag("Annotator"), Some(annotators.as_str()));
    let comments = comments(game);
    assert!(comments.contains(&"mine") && comments.len() == 6, "{comments:?}");
    assert!(comments[0].starts_with(['+', '-']) && comments[0].contains("/7"), "{comments:?}");
    for kept in [Item::Glyph("1".to_owned()), Item::Variation("19-23".to_owned())] {
        assert!(game.items.contains(&kept), "{game:#?}");
    }
    let marked = Item::Move { text: "19x30".to_owned(), strength: "!".to_owned() };
    assert!(game.items.contains(&marked), "{game:#?}");
}

#[test]
fn a_lost_win_is_seen() {
    // 27-22 would take everything; 50-44 does not.
    let pdn = "[FEN \"W:W27,32,50:B18,21\"]\n1. 50-44 21-26 *";
    let (success, games, errors) = analyze("analyze-win", pdn, &["--depth", "9"]);
    assert!(!success, "a capture is compulsory");
    assert!(errors.contains("game 1: move 1 of white: \"50-44\" is not legal here"), "{errors}");
    let last = comments(&games[0]).join(" ");
    assert!(last.ends_with("; what follows: 50-44 21-26"), "{last}");

    let pdn = "[FEN \"B:W50:B33\"]\n1... 33-39 2. 50-44 39x50 *";
    let (success, games, errors) = analyze("analyze-end", pdn, &["--depth", "5"]);
    assert!(success, "{errors}");
    let comments = comments(&games[0]);
    assert!(comments[1].starts_with("-M1/") && comments[1].contains("best 50-45 "), "{comments:?}");
    assert!(comments[2].starts_with("+M1/"), "{comments:?}");
}

#[test]
fn a_mistake_ends_its_game_only() {
    let pdn = "[Event \"1\"]\n1. 32-28 *\n\
               [Event \"2\"]\n1. 32-28 19-23 2. 28x19 14x24 3. 37-32 *\n\
               [Event \"3\"]\n[GameType \"25\"]\n1. 22-18 *\n\
               [Event \"4\"]\n1. e3-d4 *\n\
               [Event \"5\"]\n[FEN \"W:W60:B1\"]\n1. 32-28 *\n\
               [Event \"6\"]\n[GameType \"20,B,10,10,N1,0\"]\n1. 20-25 31-26 *\n\
               [Event \"7\"]\n[FEN \"W:WK4:B13,32,37,20\"]\n1. 4x15 *\n\
               [Event \"8\"]\n[FEN \"W:WK4:B13,32,37,20\"]\n1. 4x18x38x15 *\n\
               [Event \"9\"]\n1. 32-28 /FEN \"W:W32:B1\"/ 2. 32-27 1-7 *\n";
    let (success, games, errors) = analyze("analyze-mistakes", pdn, &["--nodes", "100"]);
    assert!(!success);
    let errors: Vec<&str> = errors.lines().collect();
    let game_type = "expected a GameType that begins with 20";
    assert_eq!(
        errors,
        [
            "yardmaster: game 2: move 2 of black: \"14x24\" is not legal here",
            &format!("yardmaster: game 3: \"25\" is not draughts on 10x10, {game_type}"),
            "yardmaster: game 4: \"e3-d4\" is no move, expected for example 32-28 or 26x37",
            "yardmaster: game 5: \"60\" is not a square, expected a number from 1 to 50",
            "yardmaster: game 7: move 1 of white: \"4x15\" is ambiguous, expected one of \
             4x27x38x15 4x31x42x15",
            "yardmaster: game 8: move 1 of white: \"4x18x38x15\" is not legal here",
        ]
    );
    let events: Vec<_> = games.iter().map(|game| game.tag("Event").unwrap()).collect();
    assert_eq!(events, ["1", "2", "3", "5", "6", "7", "8", "9"]);
    assert_eq!(moves(&games[1]), ["32-28", "19-23", "28x19"]);
    assert_eq!(moves(&games[4]), ["20-25", "31-26"]);
    assert_eq!(moves(&games[7]), ["32-28", "32-27", "1-7"]);
}

#[test]
fn what_a_match_writes_is_read_and_the_same_every_time() {
    let folder = directory("analyze-match");
    let path = |name: &str| folder.join(name).display().to_string();
    for variant in ["draughts", "draughts-fmjd"] {
        let (games, output) = (path(variant), path("output.pdn"));
        let engine = format!("cmd={}", env!("CARGO_BIN_EXE_yardmaster"));
        let played = yardmaster(&[
            "match",
            "--variant",
            variant,
            "--player",
            &engine,
            "name=A",
            "nodes=200",
            "--player",
            "cmd=random",
            "--pairs",
            "2",
            "--games",
            &games,
        ]);
        assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
        let annotate = ["analyze", &games, "--nodes", "100", "--output", &output];
        let texts: Vec<_> = (0..2)
            .map(|_| {
                let done = yardmaster(&annotate);
                let errors = String::from_utf8_lossy(&done.stderr).into_owned();
                assert!(done.status.success() && done.stdout.is_empty(), "{errors}");
                fs::read_to_string(&output).unwrap()
            })
            .collect();
        assert_eq!(texts[0], texts[1], "{variant}");
        let record = fs::read_to_string(&games).unwrap();
        let [written, annotated]: [Vec<PdnGame>; 2] = [record.as_str(), &texts[0]]
            .map(|text| Reader::new(text).map(Result::unwrap).collect());
        assert_eq!(written.len(), 4, "{variant}");
        for (before, after) in written.iter().zip(&annotated) {
            assert_eq!(moves(before), moves(after), "{variant}");
            assert!(comments(after).len() > comments(before).len(), "{variant}");
        }
    }
}

#[test]
fn files_that_are_none_are_told() {
    let folder = directory("analyze-files");
    let (empty, games) = (folder.join("empty.pdn"), folder.join("games.pdn"));
    fs::write(&empty, "% nothing\n").unwrap();
    fs::write(&games, "1. 32-28 *").unwrap();
    let [empty, games] = [empty, games].map(|path| path.display().to_string());
    let check = |arguments: &[&str], expected: &str| {
        let output = yardmaster(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(expected), "{errors}");
    };
    check(&["analyze", "no/such/file"], "\"no/such/file\": No such file");
    check(&["analyze", &empty], "has no games in it");
    check(&["analyze", &games, "--output", &games], "is the file with the games");
    assert_eq!(fs::read_to_string(&games).unwrap(), "1. 32-28 *");
}
