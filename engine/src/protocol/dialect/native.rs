//! The protocol that is modelled on UCI.

use std::fmt::Write;

use super::{Reader, Voice};
use crate::protocol::command::{Assignment, Command, CommandError, Order, Setup, Signal};
use crate::protocol::go::Go;
use crate::protocol::options::{self, Setting};
use crate::protocol::registry::Variant;
use crate::protocol::reply::{self, Choice, Info, LineInfo};
use crate::score::Score;
use crate::search::{Bound, Effort};

/// The native dialect.
pub(super) struct Native {
    pub(super) variants: &'static [Variant],
}

impl Reader for Native {
    fn read<'a>(&mut self, line: &'a str) -> Result<Command<'a>, CommandError> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(match word {
            "uci" => Command::Signal(Signal::Introduce),
            "isready" => Command::Signal(Signal::IsReady { answer: "readyok" }),
            "stop" => Command::Signal(Signal::Stop),
            "ponderhit" => Command::Signal(Signal::PonderHit),
            "wait" => Command::Signal(Signal::Wait),
            "d" => Command::Signal(Signal::Show),
            "compiler" => Command::Signal(Signal::Compiler),
            "help" => Command::Signal(Signal::Help),
            "quit" => Command::Signal(Signal::Quit),
            "setoption" => {
                let assignment = Assignment::read(rest);
                let setting = assignment.and_then(|found| Setting::read(&found, self.variants));
                Command::Order(Order::Set(setting))
            }
            "ucinewgame" => Command::Order(Order::NewGame),
            "position" => Command::Order(Order::Position(Setup::read(rest))),
            "go" => Command::Order(Order::Go(Go::read(rest))),
            "eval" => Command::Order(Order::Evaluate),
            "bench" => Command::Order(Order::Bench(rest.split_whitespace().collect())),
            "flip" => Command::Order(Order::Flip),
            "ugi" | "hub" => return Err(CommandError::late(word)),
            _ => return Err(CommandError::unknown(word)),
        })
    }
}

impl Voice for Native {
    fn introduction(&self, first: &Variant, variants: &[Variant]) -> String {
        let options = options::listing(first.name, variants);
        format!("{}{options}uciok", identity())
    }

    fn info(&self, info: &Info) -> Option<String> {
        Some(match info {
            Info::Line(line) => info_line(line),
            Info::Current { depth, mv, number } => {
                format!("info depth {depth} currmove {mv} currmovenumber {number}")
            }
            Info::Progress { depth, effort } => format!("info depth {depth} {}", cost(effort)),
            Info::Over(value) => format!("info depth 0 {}", score(*value)),
        })
    }

    fn choice(&self, choice: &Choice) -> String {
        let mut text = format!("bestmove {}", choice.mv.as_deref().unwrap_or("(none)"));
        if let Some(reply) = &choice.reply {
            let _ = write!(text, " ponder {reply}");
        }
        text
    }

    fn complaint(&self, message: &str) -> String {
        format!("info string error: {message}")
    }
}

/// The `id` lines.
pub(super) fn identity() -> String {
    format!("id name {}\nid author {}\n", reply::version(), env!("CARGO_PKG_AUTHORS"))
}

fn info_line(line: &LineInfo) -> String {
    let LineInfo { depth, seldepth, rank, .. } = line;
    let mut text = format!("info depth {depth} seldepth {seldepth} multipv {rank} ");
    text += &score(line.score);
    text += match line.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    };
    if line.proven {
        text += " proven";
    }
    if let Some([win, draw, loss]) = line.wdl {
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let _ = write!(text, " {} pv", cost(&line.effort));
    for mv in &line.pv {
        text.push(' ');
        text += mv;
    }
    text
}

/// `score cp` in hundredths, or `score mate` in own moves.
fn score(score: Score) -> String {
    match score.forced_in() {
        Some(plies) => format!("score mate {}", (plies.abs() + 1) / 2 * plies.signum()),
        None => format!("score cp {}", score.0),
    }
}

fn cost(effort: &Effort) -> String {
    let Effort { nodes, time, hashfull } = effort;
    let rate = reply::rate(*nodes, time.as_micros());
    format!("nodes {nodes} nps {rate} hashfull {hashfull} time {}", time.as_millis())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::position::WinModel;
    use crate::protocol::notation::Notation;
    use crate::protocol::toy::{Choice as Take, Heap, heap};
    use crate::score::Ply;
    use crate::search::{Line, Report};

    const VOICE: Native = Native { variants: &[] };

    /// A line of play with the first two moves of a heap of nine.
    fn line(score: Score) -> Line<Heap<false>> {
        let effort = Effort { nodes: 4_000, time: Duration::from_secs(2), hashfull: 17 };
        Line {
            depth: 4,
            seldepth: 6,
            rank: 2,
            score,
            bound: Bound::Exact,
            proven: false,
            pv: vec![Take::Take(1), Take::Take(3)],
            effort,
        }
    }

    fn check(report: &Report<Heap<false>>, wdl: Option<WinModel>, expected: &str) {
        let info = Info::new(&heap("9 a 0"), report, wdl, Notation::native());
        assert_eq!(VOICE.info(&info).as_deref(), Some(expected));
    }

    const MODEL: Option<WinModel> = Some(WinModel { threshold: 100.0, spread: 50.0 });

    #[test]
    fn an_info_line_has_its_words_in_this_order() {
        check(
            &Report::Line(line(Score(-25))),
            None,
            "info depth 4 seldepth 6 multipv 2 score cp -25 nodes 4000 nps 2000 hashfull 17 \
             time 2000 pv t1 t3",
        );
        check(
            &Report::Line(Line { bound: Bound::Lower, ..line(Score(100)) }),
            MODEL,
            "info depth 4 seldepth 6 multipv 2 score cp 100 lowerbound wdl 500 482 18 nodes 4000 \
             nps 2000 hashfull 17 time 2000 pv t1 t3",
        );
        check(
            &Report::Line(Line { bound: Bound::Upper, proven: true, ..line(Score(100)) }),
            MODEL,
            "info depth 4 seldepth 6 multipv 2 score cp 100 upperbound proven wdl 1000 0 0 \
             nodes 4000 nps 2000 hashfull 17 time 2000 pv t1 t3",
        );
        check(
            &Report::Current { depth: 4, mv: Take::Take(2), number: 2 },
            None,
            "info depth 4 currmove t2 currmovenumber 2",
        );
        check(
            &Report::Progress { depth: 4, effort: Effort::default() },
            None,
            "info depth 4 nodes 0 nps 0 hashfull 0 time 0",
        );
    }

    #[test]
    fn a_forced_end_is_told_in_own_moves() {
        for (plies, wins, loses) in [(1, 1, -1), (2, 1, -1), (3, 2, -2), (4, 2, -2), (9, 5, -5)] {
            assert_eq!(score(Score::win_in(Ply(plies))), format!("score mate {wins}"));
            assert_eq!(score(Score::loss_in(Ply(plies))), format!("score mate {loses}"));
        }
        assert_eq!(score(Score::loss_in(Ply::ROOT)), "score mate 0");
        assert_eq!(score(Score::HEURISTIC_MAX), "score cp 900000");
    }
}
