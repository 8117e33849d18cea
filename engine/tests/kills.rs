//! Programs that write files, killed at random moments: at most the last unit is lost, what was written
//! before reads back, and the same command goes on to the same end.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// A folder of a test's own, gone when it is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("yardmaster-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain path").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn command(arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_yardmaster"));
    command.args(arguments.split(' ')).stdin(Stdio::null());
    command
}

/// Runs to the end.
fn run(arguments: &str) -> Output {
    let output = command(arguments).output().expect("the program starts");
    assert!(output.status.success(), "{arguments}: {output:?}");
    output
}

/// Moments to kill at.
struct Killer {
    random: Xoshiro256PlusPlus,
    /// About as long as a run takes to its end.
    span: Duration,
}

impl Killer {
    /// Measures a whole run.
    fn of(arguments: &str) -> Self {
        let begin = Instant::now();
        run(arguments);
        Self { random: Xoshiro256PlusPlus::seed_from_u64(1), span: begin.elapsed() }
    }

    /// Starts the program and kills it at a random moment; tells whether it had not ended before.
    fn kill(&mut self, arguments: &str) -> bool {
        let mut child = command(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let share = (self.random.next_u64() % 1000) as f64 / 1000.0;
        thread::sleep(self.span.mul_f64(share));
        child.kill().expect("it can be killed");
        !child.wait().expect("it ends").success()
    }
}

/// The whole lines of a file that may end with a part of one.
fn lines(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    text[..whole].lines().map(str::to_owned).collect()
}

/// Kills a program that appends lines to `file`, again and again, and then lets it run to its end. No
/// line that was there is lost.
fn kill_while_it_appends(arguments: &str, file: &str, killer: &mut Killer) {
    const KILLS: usize = 12;
    // Several kills take the time of a whole run.
    killer.span /= 3;
    let mut kept: Vec<String> = Vec::new();
    for _ in 0..KILLS {
        killer.kill(arguments);
        let found = lines(file);
        assert!(found.starts_with(&kept), "lines are lost:\n{kept:#?}\n{found:#?}");
        kept = found;
    }
    run(arguments);
    assert!(lines(file).starts_with(&kept));
}

#[test]
fn games_to_learn_from_survive_kills() {
    let folder = Folder::new("kill-games");
    let (whole, broken) = (folder.file("whole"), folder.file("broken"));
    let arguments = |file: &str| format!("selfplay {file} --variant kalah --games 60 --nodes 300");
    let mut killer = Killer::of(&arguments(&whole));
    kill_while_it_appends(&arguments(&broken), &broken, &mut killer);
    // Two games that are played at a time may end in any order.
    let set = |file: &str| lines(file).into_iter().collect::<BTreeSet<_>>();
    assert_eq!(set(&broken), set(&whole));
    assert_eq!(lines(&broken).len(), 61);
}

/// The lines of a record without times, which differ, and so without checksums.
fn timeless(record: &str) -> Vec<String> {
    let without = |line: String| {
        let mut parts = line.split(",\"time\":");
        let first = parts.next().unwrap_or_default().to_owned();
        let rest =
            parts.map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
        let line = rest.fold(first, |line, part| line + part);
        line.rsplit_once(",\"sum\"").expect("a checksum").0.to_owned()
    };
    lines(record).into_iter().map(without).collect()
}

#[test]
fn records_of_matches_survive_kills() {
    let folder = Folder::new("kill-record");
    let (whole, broken) = (folder.file("whole"), folder.file("broken"));
    let arguments = |record: &str| {
        let program = env!("CARGO_BIN_EXE_yardmaster");
        format!(
            "match --variant kalah --player cmd={program} nodes=50 --player cmd=greedy --pairs 40 \
             --record {record} --resume"
        )
    };
    let mut killer = Killer::of(&arguments(&whole));
    kill_while_it_appends(&arguments(&broken), &broken, &mut killer);
    assert_eq!(timeless(&broken), timeless(&whole));
    assert_eq!(lines(&broken).len(), 41);
    // The report takes the record for that of a whole match.
    run(&format!("match report {broken}"));
}

#[test]
fn a_file_that_another_program_appends_to_is_refused() {
    let folder = Folder::new("kill-lock");
    let program = env!("CARGO_BIN_EXE_yardmaster");
    for (file, arguments) in [
        ("games", "selfplay FILE --variant kalah --games 1000000 --nodes 10".to_owned()),
        (
            "record",
            format!(
                "match --variant kalah --player cmd={program} nodes=9 --player cmd=greedy \
                 --pairs 100000 --record FILE --resume"
            ),
        ),
    ] {
        let path = folder.file(file);
        let arguments = arguments.replace("FILE", &path);
        let mut first = command(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        // It has begun with the file.
        let begin = Instant::now();
        while lines(&path).len() < 2 && begin.elapsed() < Duration::from_mins(1) {
            thread::sleep(Duration::from_millis(5));
        }
        let second = command(&arguments).output().expect("the program starts");
        let told = String::from_utf8(second.stderr).expect("text");
        first.kill().expect("it can be killed");
        first.wait().expect("it ends");
        assert!(!second.status.success(), "{arguments}");
        assert!(told.contains("another program is writing it"), "{told}");
    }
}

#[test]
fn checkpoints_survive_kills() {
    let folder = Folder::new("kill-checkpoint");
    let (whole, broken) = (folder.file("whole"), folder.file("broken"));
    // With so large a table the program writes about as long as it solves.
    let arguments =
        |file: &str| format!("solve 3 --value-only --endgame 4 --hash 128 --checkpoint {file}");
    let mut killer = Killer::of(&arguments(&whole));
    for kill in 0..12 {
        killer.kill(&arguments(&broken));
        if kill == 5 {
            // From here on there is an old one that must stay until the new one is whole.
            run(&arguments(&broken));
        }
    }
    // It goes on from whatever there is.
    let output = run(&arguments(&broken));
    let told = String::from_utf8(output.stdout).expect("text");
    assert!(told.contains("\nvalue +2\n"), "{told}");
}

#[test]
fn books_survive_kills() {
    let folder = Folder::new("kill-book");
    let (whole, broken) = (folder.file("whole"), folder.file("broken"));
    let arguments = |file: &str| format!("solve 2 --endgame 8 --book {file} --book-stones 14");
    let mut killer = Killer::of(&arguments(&whole));
    for _ in 0..8 {
        killer.kill(&arguments(&broken));
    }
    run(&arguments(&broken));
    assert_eq!(fs::read(&broken).ok(), fs::read(whole).ok());
    // A book is gone on with, and written anew.
    for _ in 0..4 {
        killer.kill(&arguments(&broken));
        run(&arguments(&broken));
    }
}

#[test]
fn weights_survive_kills() {
    let folder = Folder::new("kill-weights");
    let (games, whole, broken) =
        (folder.file("games"), folder.file("whole"), folder.file("broken"));
    run(&format!("selfplay {games} --variant draughts --games 20 --nodes 20 --max-plies 60"));
    let arguments = |out: &str| format!("train {games} --variant draughts --epochs 2 --out {out}");
    let mut killer = Killer::of(&arguments(&whole));
    let expected = fs::read(&whole).expect("weights");
    fs::write(&broken, "older weights").expect("a file can be written");
    for _ in 0..12 {
        let has_died = killer.kill(&arguments(&broken));
        let found = fs::read(&broken).expect("there is always a file");
        let is_old = found == b"older weights";
        assert!(is_old || found == expected, "a half-written file of {} bytes", found.len());
        assert!(has_died || !is_old, "it has ended, and has written nothing");
    }
}

#[test]
fn endgame_tables_survive_kills() {
    let folder = Folder::new("kill-tables");
    let (whole, broken) = (folder.file("whole"), folder.file("broken"));
    let arguments = |file: &str| format!("bitbase {file} --variant draughts-fmjd --pieces 3");
    let mut killer = Killer::of(&arguments(&whole));
    for _ in 0..8 {
        killer.kill(&arguments(&broken));
    }
    run(&arguments(&broken));
    assert!(Path::new(&whole).exists());
    assert_eq!(fs::read(broken).ok(), fs::read(whole).ok());
}
