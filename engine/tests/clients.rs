//! Whole games through clients that others wrote; `clients/README.md` says which.
//!
//! They are installed on first use, so that needs Python 3 and Node.js; without them these tests fail
//! and say so.

#![cfg(unix)]

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

const PROGRAM: &str = env!("CARGO_BIN_EXE_yardmaster");

/// A client is through by then, even on a busy machine.
const PATIENCE: Duration = Duration::from_mins(3);

/// An installation is done by then, even over a slow line.
const INSTALLATION: Duration = Duration::from_mins(15);

/// Held while something is installed: some launchers of Python fail when several begin at once.
static INSTALLING: Mutex<()> = Mutex::new(());

/// The file `name` of the clients.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

/// Runs a command; its output is shown when it fails.
fn run(mut command: Command, needs: &str, patience: Duration, log: &Path) -> String {
    let output = File::create(log).expect("a file for the output");
    let errors = output.try_clone().expect("a second handle");
    command.stdin(Stdio::null()).stdout(output).stderr(errors);
    let mut child = command.spawn().unwrap_or_else(|error| match error.kind() {
        ErrorKind::NotFound => {
            let program = command.get_program().display();
            panic!("{program} is not installed: this test needs {needs}")
        }
        _ => panic!("{command:?}: {error}"),
    });
    let begin = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().expect("a child") {
            break Some(status);
        }
        if begin.elapsed() > patience {
            let _ = child.kill();
            let _ = child.wait();
            break None;
        }
        thread::sleep(Duration::from_millis(20));
    };
    let said = fs::read_to_string(log).expect("text");
    match status {
        Some(status) if status.success() => said,
        Some(status) => panic!("{command:?} ended with {status}; it needs {needs}:\n{said}"),
        None => panic!("{command:?} did not end in {patience:?}:\n{said}"),
    }
}

/// A folder with packages in it, filled anew by `install` when `versions` are others than they were.
fn installed(name: &str, versions: &Path, install: impl FnOnce(&Path, &Path)) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("clients").join(name);
    let stamp = folder.join("versions");
    let versions = fs::read_to_string(versions).expect("the versions of the packages");
    if !fs::read_to_string(&stamp).is_ok_and(|installed| installed == versions) {
        // Another test that failed is no reason not to go on.
        let _installing = INSTALLING.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder for the packages");
        install(&folder, &folder.join("log"));
        // Last: what is broken off is begun anew.
        fs::write(stamp, versions).expect("a stamp");
    }
    folder
}

/// Plays through a script of Python; `packages` is the file with its requirements.
fn play_in_python(script: &str, packages: &str) {
    const NEEDS: &str = "Python 3 with its module venv, and a package index";
    let requirements = file(packages);
    let folder = installed(packages, &requirements, |folder, log| {
        let mut venv = Command::new("python3");
        venv.args(["-m", "venv"]).arg(folder.join("venv"));
        run(venv, NEEDS, INSTALLATION, log);
        let mut pip = Command::new(folder.join("venv/bin/python"));
        pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
        pip.arg("-r").arg(&requirements);
        run(pip, NEEDS, INSTALLATION, log);
    });
    let mut python = Command::new(folder.join("venv/bin/python"));
    python.arg("-B").arg(file(script)).arg(PROGRAM);
    let said = run(python, NEEDS, PATIENCE, &folder.join("log"));
    // To be seen when it is asked for.
    eprintln!("{script}:\n{said}");
}

#[test]
fn python_chess_plays_every_variant() {
    play_in_python("python_chess.py", "chess.txt");
}

#[test]
fn pydraughts_plays_over_hub() {
    play_in_python("pydraughts_hub.py", "pydraughts.txt");
}

#[test]
fn py_draughts_plays_over_hub() {
    play_in_python("py_draughts_hub.py", "py_draughts.txt");
}

#[test]
fn open_spiel_agrees_about_banqi() {
    play_in_python("open_spiel_banqi.py", "open_spiel.txt");
}

#[test]
fn node_uci_plays_kalah_and_banqi() {
    const NEEDS: &str = "Node.js with npm, and a package registry";
    let package = file("package.json");
    let folder = installed("node", &package, |folder, log| {
        fs::copy(&package, folder.join("package.json")).expect("a copy");
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--no-package-lock", "--ignore-scripts"]);
        npm.current_dir(folder);
        run(npm, NEEDS, INSTALLATION, log);
    });
    let mut node = Command::new("node");
    node.arg(file("node_uci.js")).arg(PROGRAM).env("NODE_PATH", folder.join("node_modules"));
    let said = run(node, NEEDS, PATIENCE, &folder.join("log"));
    eprintln!("node_uci.js:\n{said}");
}
