//! Several threads on one search (lazy SMP): each deepens on its own, they share the table.

use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use super::Observer;
use super::deepening::{Tree, deepen};
use super::worker::{Shared, Worker};
use crate::position::Position;

/// Searches with a tree a thread, made by `plant`, until the first one, which alone reports, has its
/// answer.
pub(super) fn think<'a, P: Position, T: Tree<'a, P>>(
    shared: &'a Shared<'a, P>,
    observe: &'a mut Observer<'a, P>,
    plant: impl Fn(Worker<'a, P>) -> T + Sync,
) {
    thread::scope(|scope| {
        for index in 1..shared.threads {
            let plant = &plant;
            let help = move || deepen(&mut plant(Worker::new(shared, index, None)));
            // Where the system has no room for more threads, those that there are have to do.
            if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                break;
            }
        }
        deepen(&mut plant(Worker::new(shared, 0, Some(observe))));
        shared.finished.store(true, Relaxed);
    });
}
