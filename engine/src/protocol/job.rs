//! What runs beside the command loop: one search, count or benchmark, on a thread of its own.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use super::go::Ending;
use super::output::Output;
use super::reply::Choice;
use crate::search::Clock;

/// Room for the deepest line of play that a search or perft looks at.
pub(super) const STACK_BYTES: usize = 32 << 20;

/// A running job, as the command loop holds it.
pub(super) struct Job {
    watch: Arc<Watch>,
    thread: JoinHandle<()>,
}

/// What the loop and the job share. A job has a clock of its own, so that a late stop can't reach
/// the next job.
pub(super) struct Watch {
    pub(super) clock: Clock,
    ending: Ending,
    answered: AtomicBool,
}

impl Job {
    /// Runs `work`, which must end soon after its clock was stopped, and answer just before.
    pub(super) fn spawn(
        clock: Clock,
        ending: Ending,
        work: impl FnOnce(&Watch) + Send + 'static,
    ) -> Self {
        let watch = Arc::new(Watch { clock, ending, answered: AtomicBool::new(false) });
        let shared = Arc::clone(&watch);
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || work(&shared))
            .expect("the system has room for one more thread");
        Self { watch, thread }
    }

    /// Asks for an early end.
    pub(super) fn stop(&self) {
        self.watch.clock.stop();
        self.thread.thread().unpark();
    }

    /// The opponent played the expected move.
    pub(super) fn ponder_hit(&self) {
        // A clock that does not ponder would begin anew.
        if !self.watch.clock.is_pondering() {
            return;
        }
        if self.watch.ending == Ending::PonderHit {
            self.watch.clock.stop();
        }
        self.watch.clock.ponder_hit();
        self.thread.thread().unpark();
    }

    /// Whether its last line is out, or about to be.
    pub(super) fn is_answered(&self) -> bool {
        self.watch.answered.load(Ordering::SeqCst)
    }

    /// Whether an early end was asked for.
    pub(super) fn is_stopped(&self) -> bool {
        self.watch.clock.is_stopped()
    }

    /// Whether it will end without a further command.
    pub(super) fn ends(&self) -> bool {
        self.is_stopped() || self.watch.ending == Ending::Limit && !self.watch.clock.is_pondering()
    }

    /// Waits for its end.
    pub(super) fn join(self) {
        if let Err(panic) = self.thread.join() {
            std::panic::resume_unwind(panic);
        }
    }
}

impl Watch {
    /// Waits, without work, for the command that an infinite or pondering search ends with.
    pub(super) fn hold(&self) {
        let held = || self.ending == Ending::Stop || self.clock.is_pondering();
        while held() && !self.clock.is_stopped() {
            thread::park();
        }
    }

    /// Prints the answer to a search.
    pub(super) fn choose(&self, output: &Output, choice: &Choice) {
        self.answer(output, &output.voice().choice(choice));
    }

    /// Prints the job's last line. From the moment when a GUI can read it, the loop knows that the
    /// job is over, so that the next command is never refused.
    pub(super) fn answer(&self, output: &Output, text: &str) {
        self.answered.store(true, Ordering::SeqCst);
        // There is nobody left to tell that nobody listens.
        let _ = output.say(text);
    }
}
