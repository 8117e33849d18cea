//! The text protocol, modelled on UCI: what a GUI sends, what the engine answers. `protocol.md`
//! specifies it for those who write a GUI. Other dialects have readers and words of their own in
//! `dialect`; what commands do is the same for all.
//!
//! Three kinds of threads: one reads the input, so that it is always read; the command loop, which
//! called [`run`], serves one line after the other; a job (a search, a perft, a benchmark) thinks
//! and prints its own lines. A running job owns the search, so that nothing but the output needs a
//! lock.

use std::io::{BufRead, Write};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc;
use std::thread;

pub use dialect::Dialect;
use engine::Engine;
use input::{LineError, Lines};
use output::Output;
pub use registry::{Bench, VARIANTS, Variant, names};

mod bench;
mod command;
mod dialect;
mod engine;
#[cfg(any(test, fuzzing))]
pub(crate) mod fuzz;
mod go;
mod input;
mod job;
mod notation;
mod options;
mod output;
mod registry;
mod reply;
mod session;
#[cfg(test)]
mod tests;
#[cfg(any(test, fuzzing))]
mod toy;

/// So many lines may wait while a command is served.
const QUEUE: usize = 16;

/// What the command loop is woken by.
enum Event {
    Line(Result<String, LineError>),
    InputEnded,
    OutputClosed,
}

/// What can be played, and what is played at first.
#[derive(Clone, Copy)]
pub struct Menu {
    variants: &'static [Variant],
    /// What the user wants to begin with, if that was said.
    chosen: Option<&'static Variant>,
}

impl Menu {
    /// `variants`, beginning with the one called `chosen`, in whatever case, or else as the dialect
    /// does. `None` when there is none of that name.
    pub fn new(variants: &'static [Variant], chosen: Option<&str>) -> Option<Self> {
        let chosen = match chosen {
            Some(name) => Some(registry::find(variants, name)?),
            None => None,
        };
        (!variants.is_empty()).then_some(Self { variants, chosen })
    }

    /// What is played at first in the native dialect.
    fn first(self) -> &'static Variant {
        self.chosen.unwrap_or(&self.variants[0])
    }
}

/// Serves the lines of `input` until `quit`, the end of the input, or the first answer that can't
/// be written. A first line may ask for another dialect than the native one; with `dialect` it need not.
pub fn run(
    menu: Menu,
    dialect: Option<Dialect>,
    input: impl BufRead + Send + 'static,
    output: impl Write + Send + 'static,
) {
    let (sender, events) = mpsc::sync_channel(QUEUE);
    let closing = sender.clone();
    // A full queue wakes the loop as well; it looks whether the output is closed.
    let output = Output::new(output, move || drop(closing.try_send(Event::OutputClosed)));
    let output = Arc::new(output);
    // It is not waited for: nothing ends a read from outside.
    thread::spawn(move || {
        for line in Lines::new(input) {
            if sender.send(Event::Line(line)).is_err() {
                return;
            }
        }
        // The loop may have ended before its input.
        let _ = sender.send(Event::InputEnded);
    });
    let mut engine = Engine::new(menu, Arc::clone(&output));
    if dialect.is_some_and(|dialect| engine.speak(dialect).is_break()) {
        return;
    }
    for event in events {
        let flow = match event {
            Event::Line(Ok(line)) => engine.obey(&line),
            Event::Line(Err(error)) => engine.refuse(error),
            Event::InputEnded | Event::OutputClosed => ControlFlow::Break(()),
        };
        if flow.is_break() || output.is_closed() {
            break;
        }
    }
    engine.close();
}

/// Serves `lines` in order. A search is over before the next line is served.
pub fn run_lines<'a>(
    menu: Menu,
    lines: impl IntoIterator<Item = &'a str>,
    output: impl Write + Send + 'static,
) {
    let output = Arc::new(Output::new(output, || ()));
    let mut engine = Engine::new(menu, output);
    for line in lines {
        if engine.obey(line).is_break() || engine.finish().is_break() {
            break;
        }
    }
    engine.close();
}
