//! The tables that a search looks into.

use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use super::super::{Draughts, RuleSet};
use super::Bitbase;
use super::file::Packed;
use crate::position::{End, Patience};

/// Tables are unpacked beside the game from so many pieces on: that takes about a second.
const PIECES_TO_UNPACK: u32 = 16;
/// The most pieces of a position from which a search looks into tables. It waits for them.
const PIECES_AT_ROOT: u32 = 10;

/// Tables that are there when they are needed.
#[derive(Clone, Debug)]
pub(in super::super) struct Endings<R> {
    packed: Arc<[Packed]>,
    /// Filled by a thread, once there is one.
    tables: Option<Arc<OnceLock<Bitbase<R>>>>,
    in_use: bool,
}

impl<R: RuleSet> Endings<R> {
    pub(in super::super) fn new(packed: Vec<Packed>) -> Self {
        Self { packed: packed.into(), tables: None, in_use: false }
    }

    /// Has the tables ready for a search from `position`, as far as `patience` goes.
    pub(in super::super) fn prepare(
        &mut self,
        position: &Draughts<R>,
        patience: &mut Patience<'_>,
    ) {
        let occupied = position.board().occupied();
        self.in_use = false;
        if !occupied.has_at_most(PIECES_TO_UNPACK) || self.packed.is_empty() {
            return;
        }
        let packed = &self.packed;
        let tables = self.tables.get_or_insert_with(|| unpack_beside(Arc::clone(packed)));
        if !occupied.has_at_most(PIECES_AT_ROOT) {
            return;
        }
        // What a search finds does not depend on how fast they are unpacked, if its time is unlimited.
        while tables.get().is_none() && patience(0).is_continue() {
            thread::sleep(Duration::from_millis(1));
        }
        self.in_use = tables.get().is_some();
    }

    /// How `position` ends, if a table in use says so.
    #[inline]
    pub(in super::super) fn end(&self, position: &Draughts<R>) -> Option<End> {
        if !self.in_use {
            return None;
        }
        self.tables.as_ref()?.get()?.end(position)
    }
}

/// Unpacks tables on a thread of its own.
fn unpack_beside<R: RuleSet>(packed: Arc<[Packed]>) -> Arc<OnceLock<Bitbase<R>>> {
    let tables = Arc::new(OnceLock::new());
    let filled = Arc::clone(&tables);
    thread::spawn(move || _ = filled.get_or_init(|| Bitbase::unpack(&packed)));
    tables
}
