//! A client of the Universal Game Interface.

use std::fmt::Write;

use super::super::chance::Seed;
use super::super::fault::Fault;
use super::super::spec::PlayerSpec;
use super::yardmaster::{best_move, go_command, hear_search, position_command};
use super::{Answer, Channel, Player, Request, START_UP, StartError, words};
use crate::games::Variant;

/// What only an answer to a search or a question begins with.
const ANSWERS: [&str; 2] = ["bestmove", "response"];

/// A player that speaks the Universal Game Interface.
pub(super) struct Ugi {
    channel: Channel,
}

impl Ugi {
    /// Introduces the player and sets its options. One that offers several games is told which.
    pub(super) fn start(
        mut channel: Channel,
        spec: &PlayerSpec,
        variant: Variant,
    ) -> Result<Self, StartError> {
        let mut has_variants = false;
        let is_last = |text: &str| {
            has_variants |= text.starts_with("option name UCI_Variant ");
            words::first(text).0 == "ugiok"
        };
        let fault = |fault| StartError::Fault { name: spec.name.clone(), variant, fault };
        channel.ask("ugi", START_UP, is_last).map_err(fault)?;
        let mut request = String::new();
        if has_variants {
            let _ = writeln!(request, "setoption name UCI_Variant value {variant}");
        }
        for (option, value) in &spec.options {
            let _ = writeln!(request, "setoption name {option} value {value}");
        }
        request += "isready";
        channel.ask(&request, START_UP, |text| text == "readyok").map_err(fault)?;
        Ok(Self { channel })
    }
}

impl Player for Ugi {
    fn new_game(&mut self, _seed: Seed) -> Result<(), Fault> {
        self.channel.sync("uginewgame\nisready", "readyok", &ANSWERS)
    }

    fn think(&mut self, request: &Request<'_>) -> Result<Answer, Fault> {
        let mut answer = Answer::default();
        let position = position_command(request.line);
        self.channel.sync(&format!("{position}\nisready"), "readyok", &ANSWERS)?;
        let command = go_command(&request.go, ["p1time", "p2time", "p1inc", "p2inc"]);
        let hear = |text: &str| hear_search(text, &mut answer.thoughts);
        let (line, time) = self.channel.search(&command, request.go.patience, hear)?;
        answer.mv = best_move(&line.text);
        answer.time = time;
        Ok(answer)
    }

    fn settle(&mut self) -> Result<(), Fault> {
        self.channel.sync("isready", "readyok", &ANSWERS)
    }
}
