//! A client of MGTP, the line protocol of Taiwanese programs for banqi: numbered requests, and
//! answers with the same number, `=12 b3 b4` or `?12`. Programs print what they like in between.
//!
//! Its board stands upright: our files a–h are its ranks 1–8, and our ranks 1–4 its files a–d.

use super::super::chance::Seed;
use super::super::fault::{Fault, FaultKind};
use super::super::spec::PlayerSpec;
use super::{Answer, Channel, Player, Request, START_UP, StartError};
use crate::games::Variant;

/// Requests: their numbers are fixed.
const RESET_BOARD: &str = "7 reset_board";
const MOVE: &str = "10 move";
const FLIP: &str = "11 flip";
const GENERATE_MOVE: &str = "12 genmove";
const READY: &str = "14 ready";
const TIME_LEFT: &str = "16 time_left";

/// Our letters of the red pieces, and those of the protocol; black ones are in lower case in both.
const LETTERS: [(char, char); 7] =
    [('K', 'K'), ('A', 'G'), ('E', 'M'), ('R', 'R'), ('H', 'N'), ('C', 'C'), ('P', 'P')];

/// A player that speaks MGTP.
pub(super) struct Mgtp {
    channel: Channel,
    /// The events of the game that it has been told.
    told: usize,
}

impl Mgtp {
    /// Waits until the player is ready. It has no options.
    pub(super) fn start(
        mut channel: Channel,
        spec: &PlayerSpec,
        variant: Variant,
    ) -> Result<Self, StartError> {
        let name = spec.name.clone();
        if variant != Variant::Banqi {
            return Err(StartError::WrongGame { name, dialect: "MGTP", variant });
        }
        if let Some((option, _)) = spec.options.first() {
            let (option, known) = (option.clone(), "none".to_owned());
            return Err(StartError::NoSuchOption { name, option, known });
        }
        let ready = channel.ask(READY, START_UP, |text| reply(READY, text).is_some());
        match ready {
            Ok(_) => Ok(Self { channel, told: 0 }),
            Err(fault) => Err(StartError::Fault { name, variant, fault }),
        }
    }

    /// Makes a request that has nothing to answer but that it was understood.
    fn tell(&mut self, request: &str) -> Result<(), Fault> {
        let (silence, mut refused) = (self.channel.silence, false);
        self.channel.ask(request, silence, |text| {
            let reply = reply(request, text);
            refused = reply.is_some_and(|reply| reply.is_err());
            reply.is_some()
        })?;
        if refused {
            return Err(Fault::new(FaultKind::Protocol, format!("{request:?} refused")));
        }
        Ok(())
    }
}

impl Player for Mgtp {
    fn new_game(&mut self, _seed: Seed) -> Result<(), Fault> {
        self.told = 0;
        self.tell(RESET_BOARD)
    }

    fn think(&mut self, request: &Request<'_>) -> Result<Answer, Fault> {
        if request.line.start.is_some() {
            return Err(Fault::new(FaultKind::Protocol, "a position that MGTP has no words for"));
        }
        while let Some(event) = request.line.events.get(self.told) {
            let event = tell_event(event).expect("the referee writes events of banqi");
            self.tell(&event)?;
            self.told += 1;
        }
        let color = color_to_move(request.line.positions.last().map_or("", String::as_str));
        // Before the first flip nobody has a color, and a clock can't be told.
        if let (Some(color), Some(left)) = (color, request.go.left[request.go.side.index()]) {
            self.tell(&format!("{TIME_LEFT} {color} {}", left.as_millis()))?;
        }
        let command = format!("{GENERATE_MOVE} {}", color.unwrap_or("unknown"));
        let hear = |text: &str| reply(GENERATE_MOVE, text).is_some();
        let (line, time) = self.channel.search(&command, request.go.patience, hear)?;
        let said = reply(GENERATE_MOVE, &line.text).and_then(Result::ok).unwrap_or_default();
        let mv = read_move(said).unwrap_or_else(|| said.to_owned());
        Ok(Answer { mv, time, ..Answer::default() })
    }

    fn settle(&mut self) -> Result<(), Fault> {
        self.tell(READY)
    }
}

/// What `text` answers to `request`, if it does: `Err` for a refusal.
fn reply<'a>(request: &str, text: &'a str) -> Option<Result<&'a str, ()>> {
    let (number, _) = request.split_once(' ')?;
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    match word.split_at_checked(1)? {
        ("=", answered) if answered == number => Some(Ok(rest.trim())),
        ("?", answered) if answered == number => Some(Err(())),
        _ => None,
    }
}

/// The color of the side to move in a position text, once it has one.
fn color_to_move(position: &str) -> Option<&'static str> {
    match position.split(' ').nth(1)? {
        "r" => Some("red"),
        "b" => Some("black"),
        _ => None,
    }
}

/// The request that tells an event: `c4=P`, or `b2b3`.
fn tell_event(event: &str) -> Option<String> {
    if let Some((square, piece)) = event.split_once('=') {
        let piece: char = piece.parse().ok()?;
        let &(_, letter) = LETTERS.iter().find(|(ours, _)| ours.eq_ignore_ascii_case(&piece))?;
        let letter = if piece.is_lowercase() { letter.to_ascii_lowercase() } else { letter };
        return Some(format!("{FLIP} {} {letter}", upright(square)?));
    }
    let (from, to) = event.split_at_checked(2)?;
    Some(format!("{MOVE} {} {}", upright(from)?, upright(to)?))
}

/// Our square by the name that it has on the upright board.
fn upright(square: &str) -> Option<String> {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'4'] = *square.as_bytes() else { return None };
    Some([rank - b'1' + b'a', file - b'a' + b'1'].map(char::from).iter().collect())
}

/// A square of the upright board by our name for it.
fn lying(square: &str) -> Option<String> {
    let [file @ b'a'..=b'd', rank @ b'1'..=b'8'] = *square.as_bytes() else { return None };
    Some([rank - b'1' + b'a', file - b'a' + b'1'].map(char::from).iter().collect())
}

/// The move that `b3 b4` names; a flip names its square twice.
fn read_move(said: &str) -> Option<String> {
    let (from, to) = said.split_once(' ')?;
    let (from, to) = (lying(from)?, lying(to.trim())?);
    Some(if from == to { from } else { from + &to })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_told_on_the_upright_board() {
        assert_eq!(tell_event("c4=P").as_deref(), Some("11 flip d3 P"));
        assert_eq!(tell_event("h1=e").as_deref(), Some("11 flip a8 m"));
        assert_eq!(tell_event("a2a3").as_deref(), Some("10 move b1 c1"));
        for text in ["", "c4", "c9=P", "c4=X", "i1i2"] {
            assert_eq!(tell_event(text), None, "{text:?}");
        }
    }

    #[test]
    fn every_square_comes_back_by_its_name() {
        for file in 'a'..='h' {
            for rank in '1'..='4' {
                let square = format!("{file}{rank}");
                let there = upright(&square).expect("a square");
                assert_eq!(lying(&there), Some(square));
            }
        }
    }

    #[test]
    fn a_move_is_read_and_a_flip_names_its_square_twice() {
        assert_eq!(read_move("b3 b4").as_deref(), Some("c2d2"));
        assert_eq!(read_move("d8 d8").as_deref(), Some("h4"));
        for text in ["", "b3", "b3 b9", "e1 e2", "resign"] {
            assert_eq!(read_move(text), None, "{text:?}");
        }
    }

    #[test]
    fn an_answer_has_the_number_of_its_request() {
        assert_eq!(reply(GENERATE_MOVE, "=12 b3 b4"), Some(Ok("b3 b4")));
        assert_eq!(reply(READY, "=14"), Some(Ok("")));
        assert_eq!(reply(READY, "?14 no"), Some(Err(())));
        for text in ["", "=", "=1", "=140", "My result:", "é"] {
            assert_eq!(reply(READY, text), None, "{text:?}");
        }
    }

    #[test]
    fn a_side_has_its_color_from_the_first_flip_on() {
        assert_eq!(color_to_move("8/8/8/K6k b - 3 77"), Some("black"));
        assert_eq!(color_to_move("8/8/8/K6k r - 3 77"), Some("red"));
        assert_eq!(color_to_move("????????/????????/????????/???????? - KA2 0 1"), None);
    }
}
