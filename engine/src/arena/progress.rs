//! What is seen of a match while it runs: a bar on a terminal, a line a pair otherwise. It goes to
//! the standard error, so that the standard output holds the report alone.

use std::io::{IsTerminal, stderr};

use indicatif::{ProgressBar, ProgressStyle};

use super::record::PairRecord;
use super::report::Standings;

/// What is seen of a match while it runs.
#[derive(Debug)]
pub(super) struct Progress {
    /// Hidden where there is no terminal.
    bar: ProgressBar,
    is_terminal: bool,
}

impl Progress {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::no_length();
        let template = "{pos}/{len} pairs {wide_bar} {msg} [{elapsed}, {eta} to go]";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
        Self { bar, is_terminal: stderr().is_terminal() }
    }

    /// Pairs to be played.
    pub(super) fn set_total(&self, pairs: u64) {
        self.bar.set_length(pairs);
    }

    /// So many pairs were played before.
    pub(super) fn skip(&self, pairs: u64) {
        self.bar.set_position(pairs);
        self.bar.reset_eta();
    }

    /// Shows a finished pair.
    pub(super) fn add(&self, pair: &PairRecord, standings: &Standings) {
        self.bar.inc(1);
        let faults = pair.games.iter().filter(|game| game.fault.is_some());
        for (game, fault) in faults.filter_map(|game| Some((game, game.fault.as_ref()?))) {
            let (player, reason) = (&fault.player, &game.reason);
            self.note(&format!("pair {}: {player} loses: {reason}", pair.pair));
        }
        let summary = standings.summary();
        if self.is_terminal {
            self.bar.set_message(summary);
            return;
        }
        let [first, second] = &pair.players;
        let (points, lost) = (pair.half_points(), 4 - pair.half_points());
        let total = self.bar.length().unwrap_or(0);
        let half = |points: usize| points as f64 / 2.0;
        let (points, lost, count) = (half(points), half(lost), self.bar.position());
        let summary = if summary.is_empty() { summary } else { format!("; {summary}") };
        eprintln!(
            "{count}/{total}: pair {}, {first} - {second} {points}-{lost}{summary}",
            pair.pair
        );
    }

    /// Says something besides.
    pub(super) fn note(&self, text: &str) {
        self.bar.suspend(|| eprintln!("{text}"));
    }

    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
