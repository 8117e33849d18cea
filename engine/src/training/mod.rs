//! Learning from games: `yardmaster selfplay` plays them, `yardmaster train` fits the weights of an
//! evaluation to their results.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) mod games;
mod selfplay;
mod train;

use crate::games::Variant;
use games::GamesError;
pub use selfplay::Selfplay;
pub use train::Train;

/// How a tool has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// With all that it was asked for.
    Complete,
    /// By Ctrl-C; what was done so far is kept.
    Interrupted,
}

/// Why a tool can't do its work.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct TrainingError(#[from] Reason);

/// The reasons behind [`TrainingError`].
#[derive(Debug, thiserror::Error)]
enum Reason {
    #[error(transparent)]
    Games(#[from] GamesError),
    #[error("Ctrl-C can't be handled: {0}")]
    Interrupt(#[from] ctrlc::Error),
    #[error("{0} has no weights to learn")]
    NoWeights(Variant),
    #[error("there are no threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// A flag that Ctrl-C raises.
fn interrupt() -> Result<Arc<AtomicBool>, ctrlc::Error> {
    let flag = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&flag);
    ctrlc::set_handler(move || shared.store(true, Ordering::Relaxed))?;
    Ok(flag)
}
