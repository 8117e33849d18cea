//! The benchmark: fixed searches whose number of nodes tells whether a change changed the play.

use std::sync::Arc;

use super::command::Setup;
use super::go::{Ending, count};
use super::job::{Job, Watch};
use super::options::Options;
use super::output::Output;
use super::registry::{self, Variant};
use super::reply;
use crate::search::Clock;

/// What to search.
pub(super) struct Benchmark {
    variants: Vec<&'static Variant>,
    /// Instead of the depth of each variant.
    depth: Option<u32>,
}

/// A word that is neither a depth nor a variant.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{word:?} is neither a depth nor a variant, expected \"bench [depth] [variant]\"")]
pub(super) struct BenchError {
    word: String,
}

impl Benchmark {
    /// Reads what follows the word `bench`.
    pub(super) fn read(words: &[&str], variants: &'static [Variant]) -> Result<Self, BenchError> {
        let mut bench = Self { variants: variants.iter().collect(), depth: None };
        for word in words {
            if let Some(depth) = count(word) {
                bench.depth = Some(u32::try_from(depth).unwrap_or(u32::MAX).max(1));
            } else if let Some(variant) = registry::find(variants, word) {
                bench.variants = vec![variant];
            } else {
                return Err(BenchError { word: (*word).to_owned() });
            }
        }
        Ok(bench)
    }

    /// Begins the searches, one after the other.
    pub(super) fn start(self, output: &Arc<Output>) -> Job {
        let output = Arc::clone(output);
        Job::spawn(Clock::unlimited(), Ending::Limit, move |watch| {
            let answer = match self.run(watch, &output) {
                Some(nodes) => {
                    let rate = reply::rate(nodes, watch.clock.elapsed().as_micros());
                    format!("{nodes} nodes {rate} nps")
                }
                None => "info string bench was stopped".to_owned(),
            };
            watch.answer(&output, &answer);
        })
    }

    /// All nodes, or `None` when it was stopped.
    fn run(&self, watch: &Watch, output: &Output) -> Option<u64> {
        let mut total = 0;
        for variant in &self.variants {
            let mut session = (variant.open)();
            if let Err(error) = session.set_hash(Options::new().hash) {
                output.complain(error).ok()?;
            }
            let mut nodes = 0;
            for line in variant.bench.lines() {
                let setup = Setup::read(line).expect("a line of the benchmark is a position");
                session.set_position(&setup).expect("a position of the benchmark is legal");
                nodes += session.bench(self.depth.unwrap_or(variant.bench.depth), &watch.clock);
                if watch.clock.is_stopped() {
                    return None;
                }
            }
            output.say(format_args!("{}: {nodes} nodes", variant.name)).ok()?;
            total += nodes;
        }
        Some(total)
    }
}
