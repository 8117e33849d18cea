//! What the program is built from: the licenses of its dependencies, and its own unsafe code.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Licenses that ask for no more than their text.
const PERMISSIVE: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Whether an SPDX expression is met by permissive licenses alone. Parentheses bind `OR` in it, as far as
/// they are used at all; older packages write a slash for `OR`.
fn is_permissive(expression: &str) -> bool {
    let all_of = expression.split(" AND ");
    all_of.into_iter().all(|part| {
        let part = part.replace(['(', ')'], "").replace('/', " OR ");
        part.split(" OR ").any(|license| PERMISSIVE.contains(&license.trim()))
    })
}

/// What this machine is called; a registry need not have given out packages for others.
fn platform() -> String {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("-vV").output().expect("rustc runs");
    let text = String::from_utf8(output.stdout).expect("text");
    text.lines().find_map(|line| line.strip_prefix("host: ")).expect("a host").to_owned()
}

#[test]
fn every_dependency_has_a_permissive_license() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--format-version", "1", "--locked", "--offline"]);
    cargo.arg("--filter-platform").arg(platform());
    cargo.args(["--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")]);
    let output = cargo.output().expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("a list");
    assert!(packages.len() > 20, "{} packages", packages.len());
    for package in packages {
        let license = package["license"].as_str().unwrap_or("none told");
        assert!(is_permissive(license), "{}: {license}", package["name"]);
    }
}

#[test]
fn every_dependency_is_a_package_of_the_public_registry_with_its_checksum() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../Cargo.lock");
    let text = fs::read_to_string(path).expect("the locked versions");
    let own = ["yardmaster", "yardmaster-benches", "yardmaster-perft"];
    let mut others = 0;
    for package in text.split("[[package]]").skip(1) {
        let field = |name: &str| {
            let line = package.lines().find_map(|line| line.strip_prefix(name));
            line.map(|value| value.trim_start_matches(" = ").trim_matches('"'))
        };
        let name = field("name").expect("a name");
        if own.contains(&name) {
            assert_eq!(field("source"), None, "{name}");
            continue;
        }
        others += 1;
        let source = field("source").unwrap_or("none told");
        assert!(source.starts_with("registry+"), "{name}: {source}");
        assert!(field("checksum").is_some_and(|sum| sum.len() == 64), "{name}");
    }
    assert!(others > 20, "{others} packages");
}

#[test]
fn a_license_is_read_as_an_expression() {
    for (expression, expected) in [
        ("MIT OR Apache-2.0", true),
        ("MIT/Apache-2.0", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("GPL-3.0-only", false),
        ("MIT AND GPL-3.0-only", false),
        ("GPL-3.0-only OR MIT", true),
    ] {
        assert_eq!(is_permissive(expression), expected, "{expression}");
    }
}

/// All source files below a folder.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn unsafe_code_says_why_it_is_safe() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["engine/src", "perft/src", "benches"] {
        sources(&root.join(folder), &mut files);
    }
    assert!(files.len() > 50, "{} files", files.len());
    for path in files {
        let text = fs::read_to_string(&path).expect("a text");
        let lines: Vec<&str> = text.lines().collect();
        for (number, line) in lines.iter().enumerate() {
            let code = line.split("//").next().unwrap_or_default();
            let is_unsafe =
                ["unsafe {", "unsafe fn", "unsafe impl"].iter().any(|w| code.contains(w));
            let before = &lines[number.saturating_sub(5)..number];
            let is_argued = before.iter().any(|line| line.contains("SAFETY:"));
            assert!(!is_unsafe || is_argued, "{}:{}: {line}", path.display(), number + 1);
        }
    }
}
