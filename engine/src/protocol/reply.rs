//! What the engine has to say, whatever the dialect.

use std::fmt::Write;

use super::command::Question;
use super::notation::Notation;
use crate::game::Game;
use crate::position::{Outcome, Position, Side, Term, WinModel};
use crate::score::{Ply, Score};
use crate::search::{Bound, Effort, Line, Report};

/// What a search tells, with moves as texts.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Info {
    /// A line of play and its value.
    Line(LineInfo),
    /// The root move that is being looked at.
    Current { depth: u32, mv: String, number: usize },
    /// A sign of life.
    Progress { depth: u32, effort: Effort },
    /// The game is over, with this value.
    Over(Score),
}

/// See [`Line`].
#[derive(Clone, PartialEq, Debug)]
pub(super) struct LineInfo {
    pub(super) depth: u32,
    pub(super) seldepth: u32,
    pub(super) rank: usize,
    pub(super) score: Score,
    pub(super) bound: Bound,
    pub(super) proven: bool,
    /// Wins, draws and losses in a thousand games, if they are wanted.
    pub(super) wdl: Option<[u16; 3]>,
    pub(super) effort: Effort,
    pub(super) pv: Vec<String>,
}

/// The answer to a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Choice {
    /// The best move; `None` when there is none to play.
    pub(super) mv: Option<String>,
    /// The reply that is worth pondering on.
    pub(super) reply: Option<String>,
}

/// The answer when there is no move to play.
pub(super) const NO_CHOICE: Choice = Choice { mv: None, reply: None };

impl Info {
    /// A report on `position`.
    pub(super) fn new<P: Position>(
        position: &P,
        report: &Report<P>,
        win_model: Option<WinModel>,
        notation: Notation<P>,
    ) -> Self {
        match report {
            Report::Line(line) => Self::Line(LineInfo {
                depth: line.depth,
                seldepth: line.seldepth,
                rank: line.rank,
                score: line.score,
                bound: line.bound,
                proven: line.proven,
                wdl: win_model.map(|model| chances(line, model)),
                effort: line.effort,
                pv: pv_texts(position, &line.pv, notation),
            }),
            Report::Current { depth, mv, number } => {
                let mv = (notation.move_text)(position, *mv);
                Self::Current { depth: *depth, mv, number: *number }
            }
            Report::Progress { depth, effort } => Self::Progress { depth: *depth, effort: *effort },
        }
    }

    /// What stands before [`NO_CHOICE`] when the game is over.
    pub(super) fn over<P: Position>(position: &P, outcome: Outcome) -> Self {
        Self::Over(position.outcome_score(outcome, Ply::ROOT))
    }
}

impl Choice {
    /// The first move of `pv`, and the reply to it that is expected.
    pub(super) fn new<P: Position>(position: &P, pv: &[P::Move], notation: Notation<P>) -> Self {
        let mut texts = pv_texts(position, pv, notation).into_iter();
        let (mv, reply) = (texts.next(), texts.next());
        Self { mv, reply: reply.filter(|_| reply_is_expected(position, pv)) }
    }
}

/// Wins, draws and losses in a thousand games; a proven value is no matter of chance.
fn chances<P: Position>(line: &Line<P>, model: WinModel) -> [u16; 3] {
    match line.score.0.signum() {
        1 if line.proven || line.score.is_forced() => [1000, 0, 0],
        -1 if line.proven || line.score.is_forced() => [0, 0, 1000],
        0 if line.proven => [0, 1000, 0],
        _ => model.permille(line.score),
    }
}

/// Nodes a second.
pub(super) fn rate(nodes: u64, micros: u128) -> u128 {
    u128::from(nodes) * 1_000_000 / micros.max(1)
}

/// The texts of a line of moves. It ends with the first one that leaves the next position to chance.
fn pv_texts<P: Position>(position: &P, pv: &[P::Move], notation: Notation<P>) -> Vec<String> {
    let mut texts = Vec::with_capacity(pv.len());
    let mut position = *position;
    for &mv in pv {
        texts.push((notation.move_text)(&position, mv));
        let Some(event) = position.sole_event(mv) else { break };
        position = position.after(event);
    }
    texts
}

/// Whether the second move is the opponent's, and leaves a position that the side to move now can think
/// about: in kalah either side may move again.
fn reply_is_expected<P: Position>(position: &P, pv: &[P::Move]) -> bool {
    let [first, second, ..] = *pv else { return false };
    let Some(event) = position.sole_event(first) else { return false };
    let next = position.after(event);
    let after = next.sole_event(second).map(|event| next.after(event));
    let mover = position.side_to_move();
    next.side_to_move() != mover && after.is_some_and(|after| after.side_to_move() == mover)
}

/// The board and what can be said about it by the rules alone.
pub(super) fn board<P: Position>(game: &Game<P>) -> String {
    let position = game.position();
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let result =
        game.outcome(&moves).map_or("none".to_owned(), |outcome| result(position, outcome));
    let mut text = format!("{}\n", position.picture().trim_end_matches('\n'));
    let _ = writeln!(text, "Fen: {position}");
    let _ = writeln!(text, "Key: {:016x}", position.key().0);
    let _ = writeln!(text, "Result: {result}");
    let _ = write!(text, "Legal moves ({}):", moves.len());
    for mv in moves {
        let _ = write!(text, " {}", position.move_text(mv));
    }
    text
}

/// Who won, and why.
pub(super) fn result<P: Position>(position: &P, outcome: Outcome) -> String {
    let winner = outcome.winner.map_or("draw", |side| position.side_name(side));
    format!("{winner}, {}", outcome.reason)
}

/// The answer to a question about the rules.
pub(super) fn response<P: Position>(game: &Game<P>, question: Question) -> &'static str {
    let position = game.position();
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let yes_or_no = |answer| if answer { "response true" } else { "response false" };
    match (question, game.outcome(&moves)) {
        (Question::FirstToMove, _) => yes_or_no(position.side_to_move() == Side::First),
        (Question::GameOver, outcome) => yes_or_no(outcome.is_some()),
        (Question::Result, None) => "response none",
        (Question::Result, Some(outcome)) => match outcome.winner {
            Some(Side::First) => "response p1win",
            Some(Side::Second) => "response p2win",
            None => "response draw",
        },
    }
}

/// The parts of an evaluation and their sum.
pub(super) fn evaluation(terms: &[Term], total: Score, side: &str) -> String {
    let width = terms.iter().map(|term| term.name.len()).max().unwrap_or(0).max("total".len());
    let mut text = String::new();
    for Term { name, score } in terms {
        let _ = writeln!(text, "{name:width$} {:>8}", score.to_string());
    }
    let _ = writeln!(text, "{:width$} {:>8}", "total", total.to_string());
    let _ = write!(text, "Evaluation: {total}, seen from {side}, who is to move");
    text
}

/// The counts of perft, a line an event.
pub(super) fn perft<P: Position>(position: &P, division: &[(P::Event, u64)], total: u64) -> String {
    let mut text = String::new();
    for &(event, count) in division {
        let _ = writeln!(text, "{}: {count}", position.event_text(event));
    }
    let _ = write!(text, "\nNodes searched: {total}");
    text
}

/// What the program is.
pub(super) fn version() -> String {
    format!("Yardmaster {}", env!("CARGO_PKG_VERSION"))
}

/// What a bug report should say about the program and the machine.
pub(super) fn compiler() -> String {
    let build = if cfg!(debug_assertions) { "debug" } else { "release" };
    let (arch, os) = (std::env::consts::ARCH, std::env::consts::OS);
    let names = |features: &[(&'static str, bool)]| {
        let there = features.iter().filter(|(_, there)| *there).map(|(name, _)| *name);
        let names = there.collect::<Vec<_>>().join(" ");
        if names.is_empty() { "nothing beyond the baseline".to_owned() } else { names }
    };
    format!(
        "{}, {build} build for {arch}-{os}\nCompiled for: {}\nCPU has: {}",
        version(),
        names(&compiled_features()),
        names(&cpu_features()),
    )
}

fn compiled_features() -> [(&'static str, bool); 4] {
    [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("neon", cfg!(target_feature = "neon")),
    ]
}

#[cfg(target_arch = "x86_64")]
fn cpu_features() -> [(&'static str, bool); 3] {
    [
        ("popcnt", std::arch::is_x86_feature_detected!("popcnt")),
        ("avx2", std::arch::is_x86_feature_detected!("avx2")),
        ("bmi2", std::arch::is_x86_feature_detected!("bmi2")),
    ]
}

#[cfg(not(target_arch = "x86_64"))]
fn cpu_features() -> [(&'static str, bool); 0] {
    []
}

/// The commands in short.
pub(super) const HELP: &str = "\
uci                                 name, options
isready                             answers readyok, also during a search
setoption name N [value V]          sets an option that uci lists
ucinewgame                          forgets what was learned from earlier searches
position startpos [moves ...]       sets the start position, and what was played
position fen F [moves ...]          sets any position
go [depth N] [nodes N] [movetime MS] [wtime MS] [btime MS] [winc MS] [binc MS]
   [movestogo N] [mate N] [infinite] [ponder] [searchmoves ...]
                                    searches, answers bestmove
go perft N                          counts the lines of play of N plies
stop, ponderhit                     end a search or its pondering
wait                                reads on when the search is over
d                                   the board, the result, the legal moves
eval                                the static evaluation and its parts
flip                                the same position with the sides swapped
bench [DEPTH] [VARIANT]             searches fixed positions, answers nodes and speed
compiler                            what a bug report should tell
# ...                               is ignored
quit                                ends the program
ugi, hub                            as the first command: another dialect
protocol.md says it in full.";
