//! What a thread of a search has in hand besides its tree: counters, the line of play that leads to
//! the present node, and the word to whoever watches.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::table::Table;
use super::{Clock, Depth, Effort, Observer, Report, Task};
use crate::history::History;
use crate::position::Position;
use crate::score::Ply;

/// The search was told to end; what it was about to find out is not known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Interrupted;

/// Nodes between two looks at the clock.
const POLL: u64 = 64;

/// Without a new line, a sign of life is given this often.
const BEAT: Duration = Duration::from_secs(1);

/// Before this time it is not told which root move is being looked at.
const CURRENT_AFTER: Duration = Duration::from_secs(3);

/// What the threads of one search share.
pub(super) struct Shared<'a, P: Position> {
    task: &'a Task<'a, P>,
    clock: &'a Clock,
    table: &'a Table,
    /// How many threads search.
    pub(super) threads: usize,
    /// Nodes that the threads have told of.
    nodes: AtomicU64,
    /// The main thread has its answer.
    pub(super) finished: AtomicBool,
}

impl<'a, P: Position> Shared<'a, P> {
    pub(super) fn new(
        task: &'a Task<'a, P>,
        clock: &'a Clock,
        table: &'a Table,
        threads: usize,
    ) -> Self {
        let (nodes, finished) = (AtomicU64::new(0), AtomicBool::new(false));
        Self { task, clock, table, threads, nodes, finished }
    }

    fn effort(&self) -> Effort {
        Effort {
            nodes: self.nodes.load(Relaxed),
            time: self.clock.elapsed(),
            hashfull: self.table.hashfull(),
        }
    }
}

/// One thread of a search. Only the main thread has an observer.
pub(super) struct Worker<'a, P: Position> {
    shared: &'a Shared<'a, P>,
    observer: Option<&'a mut Observer<'a, P>>,
    /// 0 for the main thread.
    pub(super) index: usize,
    nodes: u64,
    told: u64,
    poll_at: u64,
    quota: u64,
    next_beat: Duration,
    /// The present iteration.
    pub(super) iteration: Depth,
    /// The deepest ply of this iteration.
    pub(super) seldepth: Ply,
    /// The game, and the line from the root to the present node.
    pub(super) path: History,
}

impl<'a, P: Position> Worker<'a, P> {
    pub(super) fn new(
        shared: &'a Shared<'a, P>,
        index: usize,
        observer: Option<&'a mut Observer<'a, P>>,
    ) -> Self {
        // With one thread a node limit is kept to the node; several share it out.
        let limit = shared.task.limits.nodes.unwrap_or(u64::MAX);
        let quota = limit / shared.threads as u64;
        Self {
            shared,
            observer,
            index,
            nodes: 0,
            told: 0,
            poll_at: POLL.min(quota),
            quota,
            next_beat: BEAT,
            iteration: 0,
            seldepth: Ply::ROOT,
            path: shared.task.game.history().clone(),
        }
    }

    pub(super) fn task(&self) -> &'a Task<'a, P> {
        self.shared.task
    }

    pub(super) fn clock(&self) -> &'a Clock {
        self.shared.clock
    }

    /// Counts a node.
    pub(super) fn visit(&mut self, ply: Ply) -> Result<(), Interrupted> {
        if self.nodes >= self.poll_at {
            self.poll()?;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        Ok(())
    }

    /// Tells the observer, if this is the main thread.
    pub(super) fn report(&mut self, report: &Report<P>) {
        self.tell_nodes();
        self.next_beat = self.clock().elapsed() + BEAT;
        if let Some(observer) = &mut self.observer {
            observer(report);
        }
    }

    /// In a long search, tells which root move is looked at.
    pub(super) fn report_current(&mut self, mv: P::Move, number: usize) {
        if self.observer.is_some() && self.clock().elapsed() >= CURRENT_AFTER {
            self.report(&Report::Current { depth: self.iteration as u32, mv, number });
        }
    }

    /// What the search has cost so far.
    pub(super) fn effort(&mut self) -> Effort {
        self.tell_nodes();
        self.shared.effort()
    }

    #[cold]
    fn poll(&mut self) -> Result<(), Interrupted> {
        self.tell_nodes();
        let over = self.clock().is_over() || self.shared.finished.load(Relaxed);
        if over || self.nodes >= self.quota {
            return Err(Interrupted);
        }
        self.poll_at = (self.nodes + POLL).min(self.quota);
        if self.observer.is_some() && self.clock().elapsed() >= self.next_beat {
            let effort = self.shared.effort();
            self.report(&Report::Progress { depth: self.iteration as u32, effort });
        }
        Ok(())
    }

    fn tell_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.told, Relaxed);
        self.told = self.nodes;
    }
}
