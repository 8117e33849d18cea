//! What is seen of a solution while it runs: a line on the standard error, if that is a terminal.

use std::cell::Cell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::games::kalah::solver::{Bounds, Margin};

/// What is seen of a solution while it runs.
pub(super) struct Display {
    /// Hidden where there is no terminal.
    bar: ProgressBar,
    drawn: Cell<Instant>,
}

impl Display {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::no_length();
        bar.set_style(ProgressStyle::with_template("{msg}").expect("the template is right"));
        Self { bar, drawn: Cell::new(Instant::now()) }
    }

    /// Shows what is known of the value that is being found.
    pub(super) fn search(&self, what: &str, bounds: Bounds, nodes: u64, time: Duration) {
        if self.is_due() {
            let Bounds { lower: Margin(lower), upper: Margin(upper) } = bounds;
            let (seconds, millions) = (time.as_secs(), nodes / 1_000_000);
            let text =
                format!("{what}: {lower:+} to {upper:+}, {millions} million nodes, {seconds} s");
            self.bar.set_message(text);
        }
    }

    /// Shows how a book grows.
    pub(super) fn book(&self, positions: usize, open: usize) {
        if self.is_due() {
            self.bar.set_message(format!("{positions} positions, {open} open"));
        }
    }

    /// Makes room for the answer.
    pub(super) fn finish(&self) {
        self.bar.finish_and_clear();
    }

    /// Whether the last picture is old enough.
    fn is_due(&self) -> bool {
        let due = self.drawn.get().elapsed() >= Duration::from_millis(200);
        if due {
            self.drawn.set(Instant::now());
        }
        due
    }
}
