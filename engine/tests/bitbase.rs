//! Draughts endings with few pieces: how their tables are made and loaded, and how they are played: won
//! ones are won and drawn ones held, within the rules.

use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Command, Output};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use yardmaster::game::Game;
use yardmaster::games::draughts::{Draughts, Evaluation, Fmjd, Learned, Move, RuleSet, Site};
use yardmaster::position::{End, Evaluate, Position, Side};
use yardmaster::search::{Clock, Limits, Report, Search, Selectivity, Task, alpha_beta};

fn below(random: &mut Xoshiro256PlusPlus, bound: usize) -> usize {
    (random.next_u64() % bound as u64) as usize
}

/// A random position with so many pieces, one or more of each color.
fn random_position<R: RuleSet>(random: &mut Xoshiro256PlusPlus, pieces: usize) -> Draughts<R> {
    loop {
        let mut sides = [Vec::new(), Vec::new()];
        let mut squares: Vec<usize> = (1..=50).collect();
        for piece in 0..pieces {
            let square = squares.swap_remove(below(random, squares.len()));
            let side = if piece < 2 { piece } else { below(random, 2) };
            let last_row = if side == 0 { square <= 5 } else { square > 45 };
            let king = last_row || below(random, 2) == 0;
            sides[side].push(if king { format!("K{square}") } else { square.to_string() });
        }
        let [white, black] = sides.map(|side| side.join(","));
        let color = ["W", "B"][below(random, 2)];
        let text = format!("{color}:W{white}:B{black}");
        let position = Draughts::read(&text, R::Rules::default()).expect("it is a position");
        let mut moves = Vec::new();
        position.moves(&mut moves);
        if position.outcome(&moves).is_none() {
            return position;
        }
    }
}

/// Chooses a move by a search of so few nodes that it hardly looks ahead.
fn searched<R: Learned>(
    search: &mut dyn Search<Draughts<R>>,
    game: &Game<Draughts<R>>,
    moves: &[Move],
) -> Move {
    let limits = Limits { nodes: Some(200), ..Limits::default() };
    let task = Task { game, moves: moves.to_vec(), lines: 1, limits };
    let mut best = moves[0];
    search.think(&task, &Clock::unlimited(), &mut |report| {
        if let Report::Line(line) = report {
            best = line.pv[0];
        }
    });
    best
}

/// Who wins, and after how many plies, when the engine plays the side `engine` against a player who
/// moves at random, or against itself.
fn play_out<R: Learned>(
    position: Draughts<R>,
    engine: Option<Side>,
    search: &mut dyn Search<Draughts<R>>,
    random: &mut Xoshiro256PlusPlus,
) -> (Option<Side>, u16) {
    let mut game = Game::new(position);
    for plies in 0..200 {
        let mut moves = Vec::new();
        game.position().moves(&mut moves);
        if let Some(outcome) = game.outcome(&moves) {
            return (outcome.winner, plies);
        }
        let searches = engine.is_none_or(|engine| engine == game.position().side_to_move());
        let mv = if searches {
            searched(search, &game, &moves)
        } else {
            moves[below(random, moves.len())]
        };
        game.play(mv);
    }
    (None, 200)
}

fn check_endings<R: Learned>(seed: u64) {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut search = alpha_beta(Evaluation::<R>::default(), Selectivity::Selective);
    let mut knows = Evaluation::<R>::default();
    let (mut wins, mut draws) = (0, 0);
    for number in 0..150 {
        let position = random_position::<R>(&mut random, 2 + number % 3);
        knows.prepare(&position, &mut |_| ControlFlow::Continue(()));
        let end = knows.end(&position).expect("all counters are at their beginning");
        let mover = position.side_to_move();
        let mut played = |engine| play_out(position, engine, &mut search, &mut random);
        let winner = match end {
            End::Draw => {
                draws += 1;
                for side in [mover, mover.other()] {
                    let (winner, _) = played(Some(side));
                    assert_ne!(winner, Some(side.other()), "{position} is held, seed {seed}");
                }
                assert_eq!(played(None).0, None, "{position} is a draw, seed {seed}");
                continue;
            }
            End::Win(_) => mover,
            End::Loss(_) => mover.other(),
        };
        let (End::Win(ply) | End::Loss(ply)) = end else { continue };
        wins += 1;
        let against_itself = played(None);
        assert_eq!(against_itself, (Some(winner), ply.0), "{position}, seed {seed}");
        let (won_by, plies) = played(Some(winner));
        assert_eq!(won_by, Some(winner), "{position} is won, seed {seed}");
        assert!(plies <= ply.0, "{position} takes {plies} plies, seed {seed}");
    }
    assert!(wins >= 50 && draws >= 30, "{wins} wins and {draws} draws");
}

#[test]
fn endings_of_the_site_are_won_and_held() {
    check_endings::<Site>(1);
}

#[test]
fn endings_of_the_fmjd_are_won_and_held() {
    check_endings::<Fmjd>(2);
}

fn yardmaster(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_yardmaster")).args(arguments).output().expect("it runs")
}

/// A file that is gone when the test is over.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("yardmaster-{}-{name}.bitbase", std::process::id())))
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

fn build(file: &Scratch, variant: &str, pieces: &str) -> Output {
    yardmaster(&["bitbase", file.path(), "--variant", variant, "--pieces", pieces])
}

#[test]
fn tables_are_the_same_however_often_their_making_was_broken_off() {
    let [whole, parts] = ["whole", "parts"].map(Scratch::new);
    let output = build(&whole, "draughts", "3");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let longest = "1m-2m: 3343 wins, 19298 draws, 20149 losses, longest win 33 plies";
    assert!(text.contains(longest), "{text}");
    assert!(build(&parts, "draughts", "2").status.success());
    // A kill while the file is being written.
    let unfinished = format!("{}.new", parts.path());
    fs::write(&unfinished, "yardmaster bit").unwrap();
    assert!(build(&parts, "draughts", "3").status.success());
    assert!(!PathBuf::from(unfinished).exists());
    assert_eq!(fs::read(&whole.0).unwrap(), fs::read(&parts.0).unwrap());
}

#[test]
fn a_file_that_can_t_be_gone_on_with_is_left_alone() {
    let file = Scratch::new("other");
    assert!(build(&file, "draughts", "2").status.success());
    let before = fs::read(&file.0).unwrap();
    let check = |variant, expected: &str| {
        let output = build(&file, variant, "2");
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success() && complaint.contains(expected), "{complaint}");
        assert!(output.stdout.is_empty());
    };
    check("draughts-fmjd", "expected \"yardmaster bitbase 1: draughts-fmjd, \"");
    check("halma", "halma has no endgame tables to build, expected draughts or draughts-fmjd");
    assert_eq!(fs::read(&file.0).unwrap(), before);
    let mut damaged = before;
    *damaged.last_mut().unwrap() ^= 1;
    fs::write(&file.0, &damaged).unwrap();
    check("draughts", "can't be gone on with: it is damaged");
    assert_eq!(fs::read(&file.0).unwrap(), damaged);
}

#[test]
fn the_option_table_path_replaces_the_tables() {
    let small = Scratch::new("small");
    assert!(build(&small, "draughts", "2").status.success());
    let path = small.path();
    let check = |lines: &[&str], expected: &[&str]| {
        let output = yardmaster(&[&["--variant", "draughts"], lines].concat());
        let text = String::from_utf8_lossy(&output.stdout);
        for part in expected {
            assert!(text.contains(part), "{part} in {text}");
        }
    };
    let [set, missing] =
        [path, "/no/such/file"].map(|path| format!("setoption name TablePath value {path}"));
    let go = ["position fen W:W21:B3,4", "go depth 1"];
    let known = "score mate 17";
    check(&go, &[known]);
    check(&[&[set.as_str()], &go[..]].concat(), &["score cp"]);
    let back = "setoption name TablePath value <empty>";
    check(&[&[set.as_str(), back], &go[..]].concat(), &[known]);
    let refused = "info string error: \"/no/such/file\" is not used: ";
    check(&[&[missing.as_str()], &go[..]].concat(), &[refused, known]);
    // The tables of the site's rules are none for other rules, which is said when they come.
    let other = format!("info string error: {path:?} is not used: it begins with ");
    let fmjd = "setoption name UCI_Variant value draughts-fmjd";
    check(&[&[set.as_str(), fmjd], &go[..]].concat(), &[other.as_str(), known]);
    // Other games have no use for them.
    let halma = "setoption name UCI_Variant value halma";
    let output = yardmaster(&[set.as_str(), halma, "isready"]);
    assert_eq!(output.stdout, b"readyok\n");
}
