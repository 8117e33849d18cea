//! `yardmaster race`: the shortest way home for one army of halma that is found in some time.

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use yardmaster::games::halma::race::{self, Plan};
use yardmaster::games::halma::{ARMY, Halma, HalmaError, camp};
use yardmaster::position::{Position, Side};

/// Looks for the shortest way home for one army of halma, while the other one stands still
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The position; the side to move runs. Without one, Red starts alone on the board
    #[arg(value_name = "FEN")]
    position: Option<String>,

    /// How long to look
    #[arg(long, value_name = "SECONDS", default_value_t = 60)]
    time: u32,
}

/// Why nobody can run.
#[derive(Debug, thiserror::Error)]
pub(crate) enum RaceError {
    /// The text is no position.
    #[error("{0}")]
    Position(#[from] HalmaError),
    /// Without all men the goal can't be filled.
    #[error("{side} has {men} men, expected {ARMY}")]
    Men {
        /// Who should run.
        side: &'static str,
        /// How many men he has.
        men: u32,
    },
    /// Who stands still never leaves the goal.
    #[error("{0} enemy men in the goal, expected none")]
    Guests(u32),
    /// In the time given.
    #[error("no way home was found")]
    NoWay,
    /// Nobody listens.
    #[error(transparent)]
    Output(#[from] io::Error),
}

/// One army, ready to run.
const ALONE: &str = "rrrrr11/rrrrr11/rrrr12/rrr13/rr14/16/16/16/16/16/16/16/16/16/16/16 r 1";

/// Looks for the shortest way, and prints each that is shorter than the last, and its moves in the
/// end.
pub(crate) fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), RaceError> {
    let position = Halma::read(arguments.position.as_deref().unwrap_or(ALONE), ())?;
    let side = position.side_to_move();
    let men = position.army(side).len();
    if men != ARMY {
        return Err(RaceError::Men { side: position.side_name(side), men });
    }
    let guests = position.army(side.other()).intersection(camp(side.other())).len();
    if guests > 0 {
        return Err(RaceError::Guests(guests));
    }
    let (begin, time) = (Instant::now(), Duration::from_secs(arguments.time.into()));
    let bar = ProgressBar::new_spinner();
    let mut positions = 0;
    let mut patience = |more| {
        positions += more;
        if positions % 256 == 0 {
            bar.set_message(format!("{positions} positions"));
            bar.tick();
        }
        if begin.elapsed() < time { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let mut printed = Ok(());
    let plan = race::shortest(&position, side, &mut patience, &mut |width, plan| {
        let (moves, seconds) = (plan.moves.len(), begin.elapsed().as_secs_f64());
        let line = format!("{moves} moves, {seconds:.1} s, beam of {width} positions");
        printed = bar.suspend(|| writeln!(out, "{line}"));
    });
    bar.finish_and_clear();
    printed?;
    let plan = plan.ok_or(RaceError::NoWay)?;
    writeln!(out, "{}", texts(position, side, &plan).join(" "))?;
    Ok(())
}

/// The moves of a plan as text.
fn texts(position: Halma, side: Side, plan: &Plan) -> Vec<String> {
    let mut position = position;
    let mut texts = Vec::with_capacity(plan.moves.len());
    for &mv in &plan.moves {
        texts.push(position.move_text(mv));
        let next = position.after(mv);
        position = next.with_side_to_move(side);
    }
    texts
}
