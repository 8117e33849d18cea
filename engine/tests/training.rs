//! `yardmaster selfplay` and `yardmaster train`, as a user runs them.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use yardmaster::games::Variant;
use yardmaster::games::draughts::{Draughts, Evaluation, Fmjd};
use yardmaster::position::Weighted;
use yardmaster::weights;

fn yardmaster(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yardmaster")).args(arguments).output().expect("it runs")
}

/// A file that is gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("yardmaster-{}-{name}", std::process::id())))
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("a plain path")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A test that failed early has not written it.
        let _ = fs::remove_file(&self.0);
    }
}

fn selfplay(file: &Scratch, variant: Variant, games: &str) -> Output {
    let variant = variant.name();
    let fixed = ["--nodes", "30", "--max-plies", "60", "--random", "6"];
    let mut arguments = vec!["selfplay", file.path(), "--variant", variant, "--games", games];
    arguments.extend(fixed);
    yardmaster(&arguments)
}

/// The lines of games, in whatever order they ended.
fn games(file: &Scratch) -> BTreeSet<String> {
    let text = fs::read_to_string(&file.0).expect("a file of games");
    assert!(text.ends_with('\n'));
    text.lines().skip(1).map(str::to_owned).collect()
}

#[test]
fn the_games_are_the_same_however_often_playing_was_broken_off() {
    for variant in Variant::ALL {
        let [whole, parts] =
            ["whole", "parts"].map(|name| Scratch::new(&format!("{variant}-{name}")));
        assert!(selfplay(&whole, variant, "4").status.success());
        assert!(selfplay(&parts, variant, "2").status.success());
        // A kill while a line is being written.
        let mut text = fs::read(&parts.0).expect("a file of games");
        text.truncate(text.len() - 5);
        fs::write(&parts.0, text).expect("a file can be written");
        assert!(selfplay(&parts, variant, "4").status.success());
        assert_eq!(games(&parts).len(), 4);
        assert_eq!(games(&parts), games(&whole), "{variant}");
    }
}

#[test]
fn asides_leave_the_game_and_are_learned_from() {
    let file = Scratch::new("asides");
    let fixed = ["--nodes", "30", "--max-plies", "60", "--random", "6", "--asides", "50"];
    let arguments = ["selfplay", file.path(), "--variant", "draughts", "--games", "20"];
    assert!(yardmaster(&[&arguments[..], &fixed].concat()).status.success());
    let text = fs::read_to_string(&file.0).expect("a file of games");
    assert!(text.lines().next().is_some_and(|head| head.contains(", 50 % asides ")), "{text}");
    let depth = |text: &str| text.matches("( ").count();
    assert_eq!(depth(&text), text.matches(" )").count());
    assert!(depth(&text) > 100, "{}", depth(&text));
    let out = Scratch::new("asides-weights");
    let output = yardmaster(&["train", file.path(), "--out", out.path(), "--held-out", "2"]);
    let told = String::from_utf8(output.stderr).expect("text");
    assert!(output.status.success() && told.contains(", asides 0."), "{told}");
    let output = yardmaster(&["selfplay", file.path(), "--asides", "101"]);
    assert!(!output.status.success());
}

#[test]
fn the_same_games_make_the_same_weights() {
    let file = Scratch::new("learn");
    assert!(selfplay(&file, Variant::DraughtsFmjd, "30").status.success());
    let weights = ["first", "second"].map(|name| {
        let out = Scratch::new(name);
        let fixed = ["--variant", "draughts-fmjd", "--epochs", "2"];
        let output =
            yardmaster(&[&["train", file.path(), "--out", out.path()], &fixed[..]].concat());
        let told = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.success(), "{told}");
        assert!(told.contains("epoch 2: loss 0."), "{told}");
        fs::read(&out.0).expect("a file of weights")
    });
    assert_eq!(weights[0], weights[1]);
    let count = <Evaluation<Fmjd> as Weighted<Draughts<Fmjd>>>::WEIGHTS;
    assert!(weights::read("draughts-fmjd", count, &weights[0]).is_ok());
}

#[test]
fn weights_that_were_learned_play_the_next_games() {
    let [first, weights, next] = ["lesson", "lesson-weights", "lesson-next"].map(Scratch::new);
    assert!(selfplay(&first, Variant::Draughts, "10").status.success());
    assert!(yardmaster(&["train", first.path(), "--out", weights.path()]).status.success());
    let play = |file: &Scratch, variant| {
        let fixed = ["--games", "2", "--nodes", "30", "--weights", weights.path()];
        let file = ["selfplay", file.path(), "--variant", variant];
        yardmaster(&[&file[..], &fixed].concat())
    };
    assert!(play(&next, "draughts").status.success());
    let text = fs::read_to_string(&next.0).expect("a file of games");
    assert!(text.lines().next().is_some_and(|head| head.contains(", weights ")), "{text}");
    assert_eq!(games(&next).len(), 2);
    for (variant, expected) in
        [("draughts-fmjd", "expected \"yardmaster weights"), ("kalah", "no weights")]
    {
        let told = String::from_utf8(play(&next, variant).stderr).expect("text");
        assert!(told.contains(expected), "{told}");
    }
}

#[test]
fn files_that_do_not_fit_get_one_clear_error() {
    let check = |arguments: &[&str], expected: &str| {
        let output = yardmaster(arguments);
        assert!(!output.status.success());
        let told = String::from_utf8(output.stderr).expect("text");
        assert!(told.contains(expected) && told.lines().count() == 1, "{told}");
    };
    let [file, fmjd, other, out] = ["settings", "fmjd", "other", "out"].map(Scratch::new);
    assert!(selfplay(&file, Variant::Kalah, "1").status.success());
    check(&["selfplay", file.path(), "--variant", "kalah"], "holds other games");
    check(
        &["train", file.path(), "--variant", "kalah", "--out", out.path()],
        "no weights to learn",
    );
    fs::write(&other.0, "1. e4 e5\n").expect("a file can be written");
    check(&["selfplay", other.path()], "does not begin like a file of games");
    check(&["train", other.path(), "--out", out.path()], "does not begin like a file of games");
    assert!(selfplay(&fmjd, Variant::DraughtsFmjd, "2").status.success());
    let train = ["train", fmjd.path(), "--out", out.path()];
    check(&train, "holds other games, expected \"yardmaster games 3: draughts, ");
    let text = fs::read_to_string(&fmjd.0).expect("a file of games");
    let mut games = text.split_inclusive('\n');
    let (head, first) = (games.next().expect("a head"), games.next().expect("a game"));
    // Another result is as good a game, but not the one that was played.
    let (number, rest) = first.split_once(' ').expect("a number");
    let other_result = if rest.starts_with("1-0") { "0-1" } else { "1-0" };
    let changed = format!("{head}{number} {other_result} {}", &rest[4..]);
    fs::write(&fmjd.0, changed).expect("it can be written");
    let of_fmjd = [&train[..], &["--variant", "draughts-fmjd"]].concat();
    check(&of_fmjd, "is damaged, its checksum is not that of its words");
}
