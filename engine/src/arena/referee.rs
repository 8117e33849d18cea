//! The referee of one game. It knows the rules and the deal, keeps the clocks, and takes no player's
//! word for anything.

use std::time::Duration;

use super::adjudication::{Adjudged, Adjudication};
use super::chance::Purpose;
use super::client::{self, Answer, Choice, LineOfPlay, Player, Request, StartError, Verdict};
use super::contest::Contest;
use super::deal::Deal;
use super::fault::{Fault, FaultKind};
use super::opening::Opening;
use super::record::{FaultRecord, GameRecord, Mover, PlyRecord, Warnings};
use super::settings::Settings;
use super::spec::PlayerSpec;
use super::stop::Stop;
use super::time::{Clock, Go};
use crate::game::Game;
use crate::position::{Ordered, Position, Side};

/// A place for a player, who may have to be started anew.
pub(super) struct Seat<'a> {
    spec: &'a PlayerSpec,
    player: Option<Box<dyn Player>>,
}

impl<'a> Seat<'a> {
    /// A place nobody sits at yet.
    pub(super) fn new(spec: &'a PlayerSpec) -> Self {
        Self { spec, player: None }
    }
}

/// What the referee has to know besides the game.
#[derive(Clone, Copy)]
pub(super) struct Referee<'a> {
    pub(super) settings: &'a Settings,
    /// How long a player may be silent where no clock runs.
    pub(super) silence: Duration,
    pub(super) stop: &'a Stop,
}

/// Why a game has no result.
#[derive(Debug)]
pub(super) enum Broken {
    /// The match ends.
    Stopped,
    /// A player can't be started.
    Start(StartError),
}

/// How a game has ended.
struct End {
    winner: Option<Side>,
    reason: String,
    fault: Option<(Side, FaultKind)>,
}

impl End {
    fn fault(side: Side, fault: &Fault) -> Self {
        let reason = fault.to_string();
        Self { winner: Some(side.other()), reason, fault: Some((side, fault.kind)) }
    }

    fn draw(reason: &str) -> Self {
        Self { winner: None, reason: reason.to_owned(), fault: None }
    }
}

/// A game that is being played.
struct InPlay<'a, P: Contest> {
    opening: &'a Opening<P>,
    game: Game<P>,
    line: LineOfPlay,
    clocks: [Clock; 2],
    adjudication: Adjudication,
    plies: Vec<PlyRecord>,
    warnings: [Warnings; 2],
}

impl Referee<'_> {
    /// Plays a game; the first seat is that of the side first in turn order. `number` tells it from
    /// the other games of the match.
    pub(super) fn play<P: Contest>(
        &self,
        mut seats: [&mut Seat<'_>; 2],
        opening: &Opening<P>,
        number: u64,
    ) -> Result<GameRecord, Broken> {
        let clocks = seats.each_ref().map(|seat| Clock::new(seat.spec.limits));
        let mut play = InPlay::new(opening, clocks, Adjudication::new(self.settings.ends));
        let end = match self.begin(&mut seats, number)? {
            Some(end) => end,
            None => self.play_on(&mut seats, &mut play)?,
        };
        if let Some((side, _)) = end.fault {
            seats[side.index()].player = None;
        }
        let name = |side: Side| seats[side.index()].spec.name.clone();
        Ok(GameRecord {
            first: name(Side::First),
            winner: end.winner.map(name),
            reason: end.reason,
            fault: end.fault.map(|(side, kind)| FaultRecord { player: name(side), kind }),
            plies: play.plies,
            warnings: play.warnings,
        })
    }

    /// Gets both players ready.
    fn begin(&self, seats: &mut [&mut Seat<'_>; 2], number: u64) -> Result<Option<End>, Broken> {
        for side in [Side::First, Side::Second] {
            let seat = &mut *seats[side.index()];
            if seat.player.is_none() {
                let variant = self.settings.variant;
                let player = client::start(seat.spec, variant, self.silence, self.stop);
                seat.player = Some(player.map_err(|error| self.unless_stopped(error))?);
            }
            let seed = self.settings.seed.child(Purpose::Player, 2 * number + side.index() as u64);
            let player = seat.player.as_mut().expect("it was just started");
            if let Err(fault) = player.new_game(seed) {
                return self.blame(side, &fault).map(Some);
            }
        }
        Ok(None)
    }

    /// Plays to the end.
    fn play_on<P: Contest>(
        &self,
        seats: &mut [&mut Seat<'_>; 2],
        play: &mut InPlay<'_, P>,
    ) -> Result<End, Broken> {
        let mut moves = Vec::new();
        let end = loop {
            if self.stop.cause().is_some() {
                return Err(Broken::Stopped);
            }
            moves.clear();
            play.game.position().moves(&mut moves);
            if let Some(end) = play.end(&moves, self.settings.ends.max_plies) {
                break end;
            }
            let side = play.game.position().side_to_move();
            let player = seats[side.index()].player.as_mut().expect("both players sit");
            if let Err(fault) = play.turn(player.as_mut(), side, &moves, self.silence) {
                return self.blame(side, &fault);
            }
        };
        for side in [Side::First, Side::Second] {
            let player = seats[side.index()].player.as_mut().expect("both players sit");
            if let Err(fault) = player.settle() {
                return self.blame(side, &fault);
            }
        }
        Ok(end)
    }

    /// The end by a player's fault. It is none of its own when the match ends.
    fn blame(&self, side: Side, fault: &Fault) -> Result<End, Broken> {
        match self.stop.cause() {
            Some(_) => Err(Broken::Stopped),
            None => Ok(End::fault(side, fault)),
        }
    }

    fn unless_stopped(&self, error: StartError) -> Broken {
        match self.stop.cause() {
            Some(_) => Broken::Stopped,
            None => Broken::Start(error),
        }
    }
}

impl<'a, P: Contest> InPlay<'a, P> {
    fn new(opening: &'a Opening<P>, clocks: [Clock; 2], adjudication: Adjudication) -> Self {
        let (root, events) = opening.line();
        let line = LineOfPlay {
            start: opening.is_set_up().then(|| root.to_string()),
            positions: vec![root.to_string()],
            events: Vec::new(),
        };
        let mut play = Self {
            opening,
            game: Game::new(root),
            line,
            clocks,
            adjudication,
            plies: Vec::new(),
            warnings: [Warnings::default(); 2],
        };
        for &event in events {
            play.happen(event);
        }
        play
    }

    /// Goes on with an event, which everybody sees.
    fn happen(&mut self, event: P::Event) {
        self.line.events.push(self.game.position().event_text(event));
        self.game.play(event);
        self.line.positions.push(self.game.position().to_string());
    }

    /// How the game has ended here, `moves` being the legal moves.
    fn end(&self, moves: &[P::Move], max_plies: u32) -> Option<End> {
        if let Some(outcome) = self.game.outcome(moves) {
            let reason = outcome.reason.to_owned();
            return Some(End { winner: outcome.winner, reason, fault: None });
        }
        let plies = self.line.events.len();
        if plies >= max_plies as usize {
            return Some(End::draw("ply limit"));
        }
        Some(match self.adjudication.result(plies)? {
            Adjudged::Draw => End::draw("adjudicated a draw by score"),
            Adjudged::Win(winner) => End {
                winner: Some(winner),
                reason: "adjudicated a win by score".to_owned(),
                fault: None,
            },
        })
    }

    /// Lets `player` move for `side`.
    fn turn(
        &mut self,
        player: &mut dyn Player,
        side: Side,
        moves: &[P::Move],
        silence: Duration,
    ) -> Result<(), Fault> {
        let position = *self.game.position();
        let choices = || choices(&position, moves);
        let go = Go::new(side, &self.clocks, silence);
        let request = Request { line: &self.line, choices: &choices, go };
        let answer = player.think(&request)?;
        // Late is late, whatever the move.
        self.clocks[side.index()]
            .spend(answer.time)
            .map_err(|loss| Fault::new(FaultKind::TimeLoss, loss.to_string()))?;
        let mv = position.read_move(&answer.mv).map_err(|error| {
            let complaint = answer
                .complaint
                .as_deref()
                .map_or(String::new(), |complaint| format!("; the player says: {complaint}"));
            Fault::new(FaultKind::IllegalMove, format!("{error}{complaint}"))
        })?;
        self.check_lines(side, mv, &answer);
        let event = self.opening.deal.event(&position, mv);
        self.plies.push(ply_record(position.event_text(event), side, &answer));
        self.adjudication.note(side, answer.thoughts.score.map(Verdict::score));
        self.happen(event);
        Ok(())
    }

    /// Counts what is wrong with the lines of play that a player told before it chose `mv`.
    fn check_lines(&mut self, side: Side, mv: P::Move, answer: &Answer) {
        let warnings = &mut self.warnings[side.index()];
        for line in &answer.thoughts.lines {
            match check_line(&self.game, line) {
                LineCheck::Right => (),
                LineCheck::Illegal => warnings.illegal += 1,
                LineCheck::PastEnd => warnings.past_end += 1,
            }
        }
        let first = answer.thoughts.lines.last().and_then(|line| line.first());
        let other = |first: &String| match self.game.position().read_move(first) {
            Ok(first) => first != mv,
            // It is counted as illegal.
            Err(_) => false,
        };
        warnings.other_move += u64::from(first.is_some_and(other));
    }
}

fn choices<P: Ordered>(position: &P, moves: &[P::Move]) -> Vec<Choice> {
    let choice = |&mv: &P::Move| Choice {
        text: position.move_text(mv),
        gain: position.is_tactical(mv).then(|| position.promise(mv)),
        after: position.sole_event(mv).map(|event| position.after(event).to_string()),
    };
    moves.iter().map(choice).collect()
}

fn ply_record(event: String, side: Side, answer: &Answer) -> PlyRecord {
    let (score, mate) = match answer.thoughts.score {
        Some(Verdict::Score(score)) => (Some(score), None),
        Some(Verdict::Mate(moves)) => (None, Some(moves)),
        None => (None, None),
    };
    PlyRecord {
        event,
        mover: match side {
            Side::First => Mover::First,
            Side::Second => Mover::Second,
        },
        score,
        mate,
        depth: answer.thoughts.depth,
        nodes: answer.thoughts.nodes,
        time: answer.time.as_micros() as f64 / 1e3,
    }
}

/// What is wrong with a line of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LineCheck {
    Right,
    Illegal,
    PastEnd,
}

/// Follows a line of play from the present position of `game`. Chance ends it.
fn check_line<P: Position>(game: &Game<P>, line: &[String]) -> LineCheck {
    let mut game = game.clone();
    let mut moves = Vec::new();
    let mut words = line.iter();
    while let Some(text) = words.next() {
        moves.clear();
        game.position().moves(&mut moves);
        if game.outcome(&moves).is_some() {
            return LineCheck::PastEnd;
        }
        match game.position().read_move(text) {
            Ok(mv) => match game.position().sole_event(mv) {
                Some(event) => game.play(event),
                None if words.next().is_some() => return LineCheck::Illegal,
                None => return LineCheck::Right,
            },
            // A short name that fits several captures can't be followed.
            Err(crate::position::MoveError::Ambiguous { .. }) => return LineCheck::Right,
            Err(_) => return LineCheck::Illegal,
        }
    }
    LineCheck::Right
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::banqi::Banqi;
    use crate::games::kalah::Kalah;

    #[test]
    fn a_line_of_play_is_legal_and_ends_with_the_game() {
        fn check<P: Position>(position: &str, line: &str, expected: LineCheck) {
            let game = Game::new(P::read(position, P::Rules::default()).unwrap());
            let line: Vec<String> = line.split(' ').map(str::to_owned).collect();
            assert_eq!(check_line(&game, &line), expected, "{line:?}");
        }
        let kalah = "0,0,0,0,1,1,10/0,0,0,0,0,1,35 s";
        check::<Kalah>(kalah, "f e", LineCheck::Right);
        check::<Kalah>(kalah, "f a", LineCheck::Illegal);
        check::<Kalah>(kalah, "e F f", LineCheck::PastEnd);
        let banqi = "????????/????????/????????/???????? - KA2E2R2H2C2P5ka2e2r2h2c2p5 0 1";
        check::<Banqi>(banqi, "c4", LineCheck::Right);
        check::<Banqi>(banqi, "c4 d4", LineCheck::Illegal);
    }
}
