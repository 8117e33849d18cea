//! The end of a match before its last game: Ctrl-C or the signal to terminate, a decision, an error. It ends the children, and
//! whoever waits for one of them wakes up.

use std::process::Child;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, Weak};

use super::INTERRUPTED;
use super::process::end;

/// Why a match ends before its last game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Cause {
    /// There is nothing left to find out, or no way to go on.
    Done = 1,
    /// The user wants it.
    Interrupt,
}

/// Whether a match shall end, and the children that must not outlive it.
#[derive(Debug, Default)]
pub(super) struct Stop {
    cause: AtomicU8,
    children: Mutex<Vec<Weak<Mutex<Child>>>>,
}

impl Stop {
    /// One that Ctrl-C raises; a second Ctrl-C ends the program at once.
    pub(super) fn at_interrupt() -> Result<Arc<Self>, ctrlc::Error> {
        let stop = Arc::new(Self::default());
        let shared = Arc::clone(&stop);
        ctrlc::set_handler(move || {
            if shared.cause() == Some(Cause::Interrupt) {
                shared.end_children();
                std::process::exit(INTERRUPTED.into());
            }
            shared.raise(Cause::Interrupt);
        })?;
        Ok(stop)
    }

    /// Ends the match. An interrupt stays one.
    pub(super) fn raise(&self, cause: Cause) {
        self.cause.fetch_max(cause as u8, Ordering::SeqCst);
        self.end_children();
    }

    /// Why the match shall end, if it shall.
    pub(super) fn cause(&self) -> Option<Cause> {
        match self.cause.load(Ordering::SeqCst) {
            0 => None,
            1 => Some(Cause::Done),
            _ => Some(Cause::Interrupt),
        }
    }

    /// Ends `child`, too, when the match ends.
    pub(super) fn watch(&self, child: &Arc<Mutex<Child>>) {
        let mut children = self.children.lock().expect("no thread panics with the list");
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(child));
        drop(children);
        // It may have been started just after the others were ended.
        if self.cause().is_some() {
            end(child);
        }
    }

    fn end_children(&self) {
        let children = self.children.lock().expect("no thread panics with the list");
        for child in children.iter().filter_map(Weak::upgrade) {
            end(&child);
        }
    }
}
