//! The halma player that plans its own moves only, as if the opponent stood still: a sparring
//! partner.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::super::chance::Seed;
use super::super::fault::{Fault, FaultKind};
use super::super::spec::PlayerSpec;
use super::{Answer, Player, Request, StartError, Thoughts};
use crate::games::halma::race::{self, Beam, Plan};
use crate::games::halma::{Halma, Move};
use crate::position::Position;

/// The positions that are followed after each move, unless the option `Width` says so.
const WIDTH: usize = 100;

/// The moves ahead that are planned, unless the limit `depth` says so.
const DEPTH: usize = 4;

/// The option for the width of the beam.
const WIDTH_OPTION: &str = "Width";

/// Plays the first move of the best plan.
pub(super) struct Planner {
    beam: Beam,
}

impl Planner {
    /// A planner with the limits and the options of `spec`.
    pub(super) fn start(spec: &PlayerSpec) -> Result<Self, StartError> {
        let depth = spec.limits.depth.map_or(DEPTH, |depth| depth as usize);
        let mut beam = Beam { width: WIDTH, depth };
        for (option, value) in &spec.options {
            if !option.eq_ignore_ascii_case(WIDTH_OPTION) {
                return Err(StartError::NoSuchOption {
                    name: spec.name.clone(),
                    option: option.clone(),
                    known: WIDTH_OPTION.to_owned(),
                });
            }
            let refusal = || StartError::Refusal {
                name: spec.name.clone(),
                complaint: format!("{value:?} is not a width, expected a number from 1 to 1000000"),
            };
            let width = value.parse().ok().filter(|width| (1..=1_000_000).contains(width));
            beam.width = width.ok_or_else(refusal)?;
        }
        Ok(Self { beam })
    }

    fn plan(&self, position: &Halma, time: Option<Duration>) -> Option<Plan> {
        let begin = Instant::now();
        let mut patience = |_| match time {
            Some(time) if begin.elapsed() >= time => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        race::plan(position, position.side_to_move(), self.beam, &mut patience)
    }
}

impl Player for Planner {
    fn new_game(&mut self, _seed: Seed) -> Result<(), Fault> {
        Ok(())
    }

    fn think(&mut self, request: &Request<'_>) -> Result<Answer, Fault> {
        let begin = Instant::now();
        let text = request.line.positions.last().expect("a line of play has a position");
        let position = Halma::read(text, ())
            .map_err(|error| Fault::new(FaultKind::Protocol, error.to_string()))?;
        let time = request.go.limits.move_time.map(super::super::time::Millis::duration);
        let plan = self.plan(&position, time);
        let depth = plan.as_ref().map(|plan| plan.moves.len() as u32);
        let mv = plan.map_or(Move::PASS, |plan| plan.moves[0]);
        let thoughts = Thoughts { depth, ..Thoughts::default() };
        let mv = position.move_text(mv);
        Ok(Answer { mv, time: begin.elapsed(), thoughts, ..Answer::default() })
    }

    fn settle(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}
