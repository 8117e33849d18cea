//! Whole matches through the program: faults, dialects, fairness, records.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use serde_json::Value;

/// A match is over within this time, whatever its players do.
const PATIENCE: Duration = Duration::from_mins(1);

/// The player that does things wrong. Cargo builds it for the whole test suite, but not when this
/// file alone is asked for.
fn faulty() -> String {
    static PLAYER: OnceLock<String> = OnceLock::new();
    let build = || {
        let program = Path::new(env!("CARGO_BIN_EXE_yardmaster"));
        let directory = program.parent().expect("the program is in a directory");
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--offline", "--package", "yardmaster"]);
        cargo.args(["--example", "faulty", "--target-dir"]).arg(directory.join(".."));
        if directory.ends_with("release") {
            cargo.arg("--release");
        }
        assert!(cargo.status().unwrap().success(), "the player can't be built");
        let name = format!("faulty{}", std::env::consts::EXE_SUFFIX);
        directory.join("examples").join(name).display().to_string()
    };
    PLAYER.get_or_init(build).clone()
}

/// The program itself as a player.
fn yardmaster(name: &str, limits: &str) -> String {
    format!("--player name={name} cmd={} {limits}", env!("CARGO_BIN_EXE_yardmaster"))
}

/// A directory for the files of a test.
fn directory(test: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Runs `yardmaster match` with words that hold no space.
fn run(arguments: &str) -> Output {
    let begin = Instant::now();
    let mut command = Command::new(env!("CARGO_BIN_EXE_yardmaster"));
    let output = command.arg("match").args(arguments.split_whitespace()).output().unwrap();
    assert!(begin.elapsed() < PATIENCE, "{arguments} took {:?}", begin.elapsed());
    output
}

/// The report of a match that comes to its end.
fn report(arguments: &str) -> String {
    let output = run(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The error of a match that fails.
fn failure(arguments: &str) -> String {
    let output = run(arguments);
    assert!(!output.status.success(), "{arguments} succeeds");
    String::from_utf8(output.stderr).unwrap()
}

/// The lines of a record after the first.
fn pairs(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The pairs of a record, without times.
fn timeless(path: &Path) -> Vec<Value> {
    let mut pairs = pairs(path);
    for pair in &mut pairs {
        pair.as_object_mut().unwrap().remove("sum").expect("a pair has a checksum");
    }
    for game in pairs.iter_mut().flat_map(|pair| pair["games"].as_array_mut().unwrap()) {
        for ply in game["plies"].as_array_mut().unwrap() {
            ply.as_object_mut().unwrap().remove("time").expect("a ply has a time");
        }
    }
    pairs
}

/// Both games of a pair are lost by the faulty player for this reason, and the match goes on.
fn check_fault(mode: &str, limits: &str, kind: &str, reason: &str) {
    let directory = directory(&format!("fault-{mode}"));
    let record = directory.join("record.jsonl");
    let output = report(&format!(
        "--variant kalah --player name=good cmd={0} nodes=5 \
         --player name=bad cmd={0} args={mode} {limits} --hang 1.5 --pairs 1 --record {1}",
        faulty(),
        record.display()
    ));
    assert!(output.contains("Games: 2, Wins: 2, Losses: 0, Draws: 0"), "{mode}: {output}");
    for pair in pairs(&record) {
        for game in pair["games"].as_array().unwrap() {
            assert_eq!(game["winner"], "good", "{mode}");
            assert_eq!(game["fault"]["player"], "bad", "{mode}");
            assert_eq!(game["fault"]["kind"], kind, "{mode}");
            let found = game["reason"].as_str().unwrap();
            assert!(found.contains(reason), "{mode}: {found:?}, expected {reason:?}");
        }
    }
}

#[test]
fn a_crash_loses_with_the_last_words() {
    check_fault("crash", "nodes=5", "crash", "exit status: 3: out of moods");
}

#[test]
fn an_end_with_the_pipe_open_is_a_crash_also_without_a_clock() {
    check_fault("orphan", "nodes=5", "crash", "crash: exit status: 0");
}

#[test]
fn a_hang_loses_with_and_without_a_clock() {
    check_fault("hang", "nodes=5", "hang", "hang: no answer");
    check_fault("hang", "movetime=50", "hang", "hang: no answer");
}

#[test]
fn an_illegal_move_loses_with_the_players_excuse() {
    check_fault("illegal", "nodes=5", "illegal-move", "; the player says: lost my way");
    check_fault("none", "nodes=5", "illegal-move", "\"(none)\"");
    check_fault("garbage", "nodes=5", "illegal-move", "\u{fffd}(");
}

#[test]
fn a_late_answer_is_a_time_loss_and_no_illegal_move() {
    check_fault("late", "movetime=100", "time-loss", "over the time of 0.100 s");
    check_fault("late", "tc=0.2+0.01", "time-loss", "time loss: ");
}

#[test]
fn two_answers_are_a_protocol_violation() {
    check_fault("twice", "nodes=5", "protocol", "without being asked");
}

#[test]
fn a_move_out_of_turn_is_a_protocol_violation() {
    check_fault("eager", "nodes=5", "protocol", "without being asked");
}

#[test]
fn a_flood_loses() {
    check_fault("flood", "nodes=5", "flood", "bytes for one move");
    check_fault("long-line", "nodes=5", "flood", "a line of more than");
}

#[test]
fn too_many_faults_end_the_match() {
    let output = run(&format!(
        "--variant kalah --player name=A cmd=random --player name=B cmd={} args=illegal nodes=5 \
         --pairs 50 --faults 3",
        faulty()
    ));
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("Ended after 4 faults: "), "{text}");
    assert!(text.contains("faults: 4 illegal move"), "{text}");
}

#[test]
fn a_player_that_can_not_start_is_told_at_once() {
    let check = |player: &str, expected: &str| {
        let error = failure(&format!("--player cmd=random --player name=B nodes=5 {player}"));
        assert!(error.contains(expected), "{error}");
    };
    let faulty = faulty();
    check("cmd=./no/such/program", "player \"B\": \"./no/such/program\" can't be started: ");
    check(
        &format!("cmd={faulty} option.Hush=1"),
        "has no option \"Hush\", only UCI_Variant, Moods",
    );
    check(&format!("cmd={faulty} option.Moods=1"), "player \"B\": no moods today");
    check(&format!("cmd={faulty} args=hub proto=hub"), "speaks Hub, but not for draughts");
    check(
        &format!("cmd={faulty} proto=hub --variant kalah"),
        "player \"B\" speaks Hub, but not for kalah",
    );
    check(&format!("cmd={faulty} proto=mgtp"), "speaks MGTP, but not for draughts");
}

#[test]
fn lines_of_play_are_checked() {
    let text = report(&format!(
        "--variant kalah --player name=A cmd=random --player name=B cmd={} args=lines nodes=5 \
         --pairs 2",
        faulty()
    ));
    // The third move of each game is told with nonsense behind it.
    assert!(text.contains("PV warnings: 4 illegal, 0 not starting with bestmove"), "{text}");
}

#[test]
fn other_dialects_play_whole_games() {
    let check = |variant: &str, dialect: &str, limits: &str| {
        let text = report(&format!(
            "--variant {variant} --player name=A cmd=random \
             --player name=B cmd={} args={dialect} proto={dialect} {limits} \
             --pairs 4 --seed 5 --concurrency 2 --max-plies 300",
            faulty()
        ));
        let faults = text.matches("faults: none").count();
        assert_eq!(faults, 2, "{dialect} in {variant}: {text}");
        assert!(text.contains("Games: 8,"), "{text}");
    };
    check("draughts-fmjd", "hub", "nodes=5");
    check("draughts-fmjd", "hub", "tc=40/60+0.5");
    check("draughts-fmjd", "hub1", "depth=5");
    check("draughts-fmjd", "hub1", "tc=60+0.5");
    check("banqi", "mgtp", "tc=60+0.5");
    for variant in ["draughts", "halma", "banqi", "kalah"] {
        check(variant, "ugi", "tc=60+0.5");
    }
}

#[test]
fn yardmaster_plays_the_same_in_every_dialect() {
    for (variant, dialect) in [
        ("draughts", "hub"),
        ("draughts-fmjd", "hub"),
        ("draughts", "ugi"),
        ("halma", "ugi"),
        ("banqi", "ugi"),
        ("kalah", "ugi"),
    ] {
        let words = format!("args={dialect} proto={dialect}");
        let text = report(&format!(
            "--variant {variant} {} {} --each nodes=300 --pairs 1 --max-plies 400",
            yardmaster("A", &words),
            yardmaster("B", "")
        ));
        // Each beats the other from the same opening, or neither does.
        assert!(text.contains("Ptnml(0-2): [0, 0, 1, 0, 0]"), "{dialect} in {variant}: {text}");
        assert_eq!(text.matches("faults: none").count(), 2, "{dialect} in {variant}: {text}");
        assert_eq!(text.matches("PV warnings: 0 illegal, 0 not starting").count(), 2, "{text}");
    }
}

#[test]
fn yardmaster_beats_chance_in_every_game() {
    for (variant, nodes, least) in [
        ("draughts", 300, 4.0),
        ("draughts-fmjd", 300, 4.0),
        ("halma", 300, 4.0),
        ("banqi", 1_000, 3.0),
        ("kalah", 300, 4.0),
    ] {
        let player = yardmaster("Y", &format!("nodes={nodes}"));
        let text = report(&format!(
            "--variant {variant} {player} --player name=R cmd=random --pairs 2 --concurrency 2"
        ));
        let points = text.split("Points: ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        assert!(points.parse::<f64>().unwrap() >= least, "{variant}: {text}");
        assert!(text.contains("0 illegal, 0 not starting with bestmove, 0 past the end"), "{text}");
    }
}

#[test]
fn who_takes_what_he_can_beats_who_does_not() {
    for variant in ["banqi", "kalah"] {
        let text = report(&format!(
            "--variant {variant} --player name=G cmd=greedy --player name=R cmd=random --pairs 10"
        ));
        let points = text.split("Points: ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
        assert!(points.parse::<f64>().unwrap() >= 14.0, "{variant}: {text}");
    }
}

#[test]
fn planners_come_home_in_halma_and_play_nothing_else() {
    let players = "--player name=A cmd=planner depth=2 --player name=B cmd=planner option.width=20";
    let output = report(&format!("--variant halma {players} --pairs 2 --max-plies 150"));
    assert!(output.contains("Games: 4,") && output.contains("Draws: 0"), "{output}");
    assert_eq!(output.matches("faults: none").count(), 2, "{output}");
    let cases = [
        ("kalah", "", "player \"planner\" plans races, which is for halma only, not for kalah"),
        ("halma", "option.Hash=1", "player \"planner\" has no option \"Hash\", only Width"),
        ("halma", "option.Width=0", "\"0\" is not a width, expected a number from 1 to 1000000"),
    ];
    for (variant, words, expected) in cases {
        let arguments =
            format!("--variant {variant} --player cmd=random --player cmd=planner {words}");
        let error = failure(&arguments);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_seed_fixes_a_match_at_any_concurrency() {
    let directory = directory("seed");
    for variant in ["draughts", "banqi", "kalah"] {
        let play = |name: &str, concurrency: u32, seed: u32| {
            let record = directory.join(format!("{variant}-{name}.jsonl"));
            let player = yardmaster("Y", "nodes=100");
            report(&format!(
                "--variant {variant} {player} --player name=R cmd=random --pairs 4 \
                 --seed {seed} --concurrency {concurrency} --record {}",
                record.display()
            ));
            timeless(&record)
        };
        let expected = play("one", 1, 3);
        assert_eq!(expected.len(), 4);
        assert_eq!(play("two", 2, 3), expected, "{variant}");
        assert_ne!(play("other", 2, 4), expected, "{variant}");
    }
}

#[test]
fn nobody_is_told_more_than_both_see() {
    let directory = directory("fairness");
    let (log, record) = (directory.join("log"), directory.join("record.jsonl"));
    // One process plays all games, so that its log is the whole story.
    report(&format!(
        "--variant banqi --player name=A cmd=random \
         --player name=B cmd={0} arg=play arg={1} nodes=5 --pairs 3 --record {2}",
        faulty(),
        log.display(),
        record.display()
    ));
    // What B may be told follows from the events alone, which both players see.
    let mut expected = String::from("uci\nsetoption name UCI_Variant value banqi\nisready\n");
    for game in pairs(&record).iter().flat_map(|pair| {
        let opening = pair["opening"]["moves"].as_array().unwrap().clone();
        assert!(pair["opening"]["deal"].as_str().unwrap().len() == 32);
        pair["games"].as_array().unwrap().iter().map(move |game| (opening.clone(), game))
    }) {
        let (mut events, game) = game;
        expected += "ucinewgame\nisready\n";
        let seat = if game["first"] == "B" { "1" } else { "2" };
        for ply in game["plies"].as_array().unwrap() {
            if ply["by"] == seat {
                let moves: Vec<_> = events.iter().map(|event| event.as_str().unwrap()).collect();
                let moves = moves.join(" ");
                expected.push_str("position startpos moves ");
                expected.push_str(&moves);
                expected.push_str("\nisready\ngo nodes 5\n");
            }
            events.push(ply["move"].clone());
        }
        expected += "isready\n";
    }
    let told = fs::read_to_string(&log).unwrap();
    assert_eq!(told, expected);
}

#[test]
fn a_match_that_was_broken_off_goes_on() {
    let directory = directory("resume");
    let (whole, broken) = (directory.join("whole.jsonl"), directory.join("broken.jsonl"));
    let games = directory.join("games.txt");
    let arguments = |pairs: u32, record: &Path| {
        let player = yardmaster("Y", "nodes=100");
        format!(
            "--variant kalah {player} --player name=R cmd=random --pairs {pairs} --record {}",
            record.display()
        )
    };
    let expected = report(&arguments(5, &whole));
    let text = fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    // A kill has left two pairs and a part of the third one, or of the first line.
    for torn in [lines[..3].join("\n") + "\n" + &lines[3][..40], lines[0][..20].to_owned()] {
        fs::write(&broken, torn).unwrap();
        let resumed =
            report(&format!("{} --resume --games {}", arguments(5, &broken), games.display()));
        assert_eq!(timeless(&broken), timeless(&whole));
        assert_eq!(results(&resumed), results(&expected));
        assert_eq!(fs::read_to_string(&games).unwrap().matches("[Event ").count(), 10);
    }
    let error = failure(&arguments(5, &broken));
    assert!(error.contains("exists, expected --resume"), "{error}");
    let error = failure(&format!("{} --resume --seed 9", arguments(5, &broken)));
    assert!(error.contains("other settings: settings.seed is 1, not 9"), "{error}");
    for (written, damaged) in [("\"pair\":2", "\"pair\":7"), ("\"pair\":2", "\"pear\":2")] {
        fs::write(&broken, text.replace(written, damaged)).unwrap();
        let error = failure(&format!("{} --resume", arguments(5, &broken)));
        assert!(error.contains("line 3: a damaged line: its checksum"), "{error}");
        assert!(failure(&format!("report {}", broken.display())).contains("a damaged line"));
    }
    fs::write(&broken, text.replace("\"format\":2", "\"format\":1")).unwrap();
    let error = failure(&format!("{} --resume", arguments(5, &broken)));
    assert!(error.contains("line 1: format 1, expected 2"), "{error}");
}

/// The lines of a report that do not tell of time.
fn results(report: &str) -> String {
    let lines = report.lines().filter(|line| !line.contains("ms/move"));
    lines.fold(String::new(), |text, line| text + line + "\n")
}

#[test]
fn shards_together_are_the_match() {
    let directory = directory("shards");
    let arguments = |shard: &str, name: &str| {
        format!(
            "--variant kalah --player name=A cmd={} nodes=5 --player name=R cmd=random --pairs 7 \
             --sprt elo0=0 elo1=5 --shard {shard} --record {}",
            faulty(),
            directory.join(name).display()
        )
    };
    let whole = report(&arguments("1/1", "whole"));
    for number in 1..=3 {
        report(&arguments(&format!("{number}/3"), &format!("part{number}")));
    }
    let files = |names: &[&str]| {
        let paths = names.iter().map(|name| directory.join(name).display().to_string());
        paths.collect::<Vec<_>>().join(" ")
    };
    let merged = report(&format!("report {}", files(&["part3", "part1", "part2"])));
    assert_eq!(results(&merged), results(&whole));
    assert!(merged.contains("LLR: ") && merged.contains("[0.00, 5.00]"), "{merged}");
    let games = report(&format!("games {}", files(&["part1", "part2", "part3"])));
    assert_eq!(games, report(&format!("games {}", files(&["part2", "part3", "part1"]))));
    assert_eq!(games.matches("[Round ").count(), 14);
    let error = failure(&format!("report {}", files(&["part1", "part2", "whole"])));
    assert!(error.contains("pair 1 is in"), "{error}");
}

#[test]
fn a_test_that_is_decided_ends_the_match() {
    let directory = directory("sprt");
    let play = |concurrency: u32| {
        let record = directory.join(format!("{concurrency}.jsonl"));
        let player = yardmaster("Y", "nodes=100");
        let text = report(&format!(
            "--variant kalah {player} --player name=R cmd=random --pairs 1000 \
             --sprt elo0=0 elo1=200 --concurrency {concurrency} --record {}",
            record.display()
        ));
        assert!(text.contains(" H1 accepted"), "{text}");
        timeless(&record)
    };
    let expected = play(1);
    assert!(expected.len() < 100, "{} pairs", expected.len());
    assert_eq!(play(2), expected);
}

#[test]
fn more_than_two_players_get_a_cross_table() {
    let faulty = faulty();
    let players = format!(
        "--variant kalah {} --player name=B cmd={faulty} nodes=5 --player name=C cmd=random",
        yardmaster("A", "nodes=100")
    );
    let text = report(&format!("{players} --pairs 2"));
    for title in ["A vs B", "A vs C", "B vs C"] {
        assert!(text.contains(&format!("Results of {title}:")), "{text}");
    }
    assert!(text.contains("   1 A "), "{text}");
    let text = report(&format!("{players} --pairs 2 --tournament gauntlet"));
    assert!(!text.contains("Results of B vs C:"), "{text}");
}

#[test]
fn a_game_may_end_by_plies_or_by_scores() {
    let directory = directory("ends");
    let check = |options: &str, name: &str, reason: &str| {
        let record = directory.join(name);
        let player = |name: &str| yardmaster(name, "nodes=50");
        report(&format!(
            "--variant halma {} {} --pairs 1 --openings start {options} --record {}",
            player("A"),
            player("B"),
            record.display()
        ));
        for game in pairs(&record)[0]["games"].as_array().unwrap() {
            assert_eq!(game["reason"], reason);
        }
    };
    check("--max-plies 9", "plies", "ply limit");
    check("--draw moves=2 score=1000000", "draw", "adjudicated a draw by score");
}

#[test]
#[cfg(target_os = "linux")]
fn ctrl_c_ends_the_children_and_leaves_a_record_that_goes_on() {
    let directory = directory("interrupt");
    let (record, log) = (directory.join("record.jsonl"), directory.join("log"));
    let log = log.display().to_string();
    let arguments = format!(
        "match --variant kalah --player name=A cmd=random \
         --player name=B cmd={} arg=hang arg={log} nodes=5 --hang 50 --pairs 3 --record {}",
        faulty(),
        record.display()
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_yardmaster"));
    command.args(arguments.split_whitespace()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let begin = Instant::now();
    let is_asked = |log: &str| fs::read_to_string(log).is_ok_and(|text| text.contains("go nodes"));
    while !is_asked(&log) && begin.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(20));
    }
    let begin = Instant::now();
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    // The player would have been silent for much longer.
    assert!(begin.elapsed() < Duration::from_secs(20));
    assert_eq!(pairs(&record).len(), 0);
    let processes = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let lines: Vec<_> = lines.map(|line| String::from_utf8_lossy(&line).into_owned()).collect();
    assert!(!lines.iter().any(|line| line.contains(&log)), "a child is left");
}
