//! The corpus of the fuzzer, as it is and damaged.

use std::fs;
use std::path::{Path, PathBuf};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::{TARGETS, Target};

/// Damaged inputs a target.
const DAMAGED: usize = 500;

/// The inputs of a target, with their files.
fn corpus(target: Target) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(target.name);
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{folder:?}: {error}"));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let bytes = fs::read(&path).expect("an input");
        (path, bytes)
    };
    paths.into_iter().map(read).collect()
}

#[test]
fn every_target_has_a_program_and_a_corpus() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz");
    for target in TARGETS {
        let program = folder.join("fuzz_targets").join(format!("{}.rs", target.name));
        let text = fs::read_to_string(&program).unwrap_or_else(|e| panic!("{program:?}: {e}"));
        assert!(text.contains(&format!("target(\"{}\")", target.name)), "{program:?}");
        let corpus = corpus(*target);
        let bytes: usize = corpus.iter().map(|(_, bytes)| bytes.len()).sum();
        assert!(corpus.len() >= 5, "{} inputs of {}", corpus.len(), target.name);
        assert!(bytes <= 64 << 10, "the corpus of {} has {bytes} bytes", target.name);
    }
}

#[test]
fn the_corpus_is_read_without_a_fault() {
    for target in TARGETS {
        for (path, bytes) in corpus(*target) {
            eprintln!("{}", path.display());
            (target.read)(&bytes);
        }
    }
}

#[test]
fn damaged_inputs_are_read_without_a_fault() {
    for target in TARGETS {
        let inputs: Vec<_> = corpus(*target).into_iter().map(|(_, bytes)| bytes).collect();
        let mut damage = Damage { random: Xoshiro256PlusPlus::seed_from_u64(1) };
        for _ in 0..DAMAGED {
            let bytes = damage.done_to(&inputs);
            // What a failed test shows is enough to repeat it.
            eprintln!("{}: {:?}", target.name, String::from_utf8_lossy(&bytes));
            (target.read)(&bytes);
        }
    }
}

/// Changes of inputs by chance.
struct Damage {
    random: Xoshiro256PlusPlus,
}

impl Damage {
    /// A number below `end`, which is not 0.
    fn below(&mut self, end: usize) -> usize {
        (self.random.next_u64() % end as u64) as usize
    }

    /// One of the inputs, with one to four changes.
    fn done_to(&mut self, inputs: &[Vec<u8>]) -> Vec<u8> {
        let mut bytes = inputs[self.below(inputs.len())].clone();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len() + 1);
            let other = &inputs[self.below(inputs.len())];
            match self.below(5) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, self.random.next_u64() as u8),
                2 if at < bytes.len() => drop(bytes.remove(at)),
                3 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                // A part of another input.
                _ => {
                    let from = self.below(other.len() + 1);
                    let to = (from + self.below(16)).min(other.len());
                    bytes.splice(at..at, other[from..to].iter().copied());
                }
            }
        }
        bytes
    }
}
