//! Which positions the threads are searching right now.
//!
//! Threads that solve the same position share what they learn, but left alone they would learn it
//! at the same time. So each marks the positions on its way, and the others prefer moves that are
//! not marked: by the time they come back, more is known about those that are. A mark that is
//! overwritten or seen too late costs time and changes no value.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::table::Place;

/// Marks: many more than the plies of a few threads.
const MARKS: usize = 4096;

/// A mark that no position has: places have 60 bits.
const NONE: u64 = u64::MAX;

/// The positions that are being searched.
pub(super) struct Busy {
    marks: Vec<AtomicU64>,
    searches: AtomicUsize,
}

impl Busy {
    /// Nobody searches anything.
    pub(super) fn new() -> Self {
        let marks = (0..MARKS).map(|_| AtomicU64::new(NONE)).collect();
        Self { marks, searches: AtomicUsize::new(0) }
    }

    /// Says that one search more begins.
    pub(super) fn begin(&self) {
        self.searches.fetch_add(1, Ordering::Relaxed);
    }

    /// Says that a search has ended.
    pub(super) fn end(&self) {
        self.searches.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether there is but one search: it need not look out for others.
    pub(super) fn is_alone(&self) -> bool {
        self.searches.load(Ordering::Relaxed) < 2
    }

    /// Whether a thread is searching the position.
    pub(super) fn contains(&self, place: Place) -> bool {
        self.mark(place).load(Ordering::Relaxed) == place.bits()
    }

    /// Says that the position is being searched.
    pub(super) fn enter(&self, place: Place) {
        self.mark(place).store(place.bits(), Ordering::Relaxed);
    }

    /// Says that it is no more.
    pub(super) fn leave(&self, place: Place) {
        self.mark(place).store(NONE, Ordering::Relaxed);
    }

    fn mark(&self, place: Place) -> &AtomicU64 {
        &self.marks[place.bits() as usize % MARKS]
    }
}
