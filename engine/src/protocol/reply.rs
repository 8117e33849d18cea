//! The lines that the engine answers with.

use std::fmt::Write;

use crate::game::Game;
use crate::position::{Outcome, Position, Term, WinModel};
use crate::score::{Ply, Score};
use crate::search::{Bound, Effort, Line, Report};

/// The answer when there is no move to play.
pub(super) const NO_MOVE: &str = "bestmove (none)";

/// The `info` line of a report on `position`.
pub(super) fn info<P: Position>(
    position: &P,
    report: &Report<P>,
    win_model: Option<WinModel>,
) -> String {
    match report {
        Report::Line(line) => info_line(position, line, win_model),
        Report::Current { depth, mv, number } => {
            let mv = position.move_text(*mv);
            format!("info depth {depth} currmove {mv} currmovenumber {number}")
        }
        Report::Progress { depth, effort } => format!("info depth {depth} {}", cost(effort)),
    }
}

fn info_line<P: Position>(position: &P, line: &Line<P>, win_model: Option<WinModel>) -> String {
    let Line { depth, seldepth, rank, .. } = line;
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
    if let Some(model) = win_model {
        let [win, draw, loss] = chances(line, model);
        let _ = write!(text, " wdl {win} {draw} {loss}");
    }
    let _ = write!(text, " {} pv", cost(&line.effort));
    for mv in pv_texts(position, &line.pv) {
        text.push(' ');
        text += &mv;
    }
    text
}

/// The line that stands before [`NO_MOVE`] when the game is over.
pub(super) fn game_over<P: Position>(position: &P, outcome: Outcome) -> String {
    format!("info depth 0 {}", score(position.outcome_score(outcome, Ply::ROOT)))
}

/// `score cp` in hundredths, or `score mate` in own moves.
fn score(score: Score) -> String {
    match score.forced_in() {
        Some(plies) => format!("score mate {}", (plies.abs() + 1) / 2 * plies.signum()),
        None => format!("score cp {}", score.0),
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

fn cost(effort: &Effort) -> String {
    let Effort { nodes, time, hashfull } = effort;
    let rate = rate(*nodes, time.as_micros());
    format!("nodes {nodes} nps {rate} hashfull {hashfull} time {}", time.as_millis())
}

/// Nodes a second.
pub(super) fn rate(nodes: u64, micros: u128) -> u128 {
    u128::from(nodes) * 1_000_000 / micros.max(1)
}

/// The texts of a line of moves. It ends with the first one that leaves the next position to chance.
fn pv_texts<P: Position>(position: &P, pv: &[P::Move]) -> Vec<String> {
    let mut texts = Vec::with_capacity(pv.len());
    let mut position = *position;
    for &mv in pv {
        texts.push(position.move_text(mv));
        let Some(event) = position.sole_event(mv) else { break };
        position = position.after(event);
    }
    texts
}

/// The answer of a search: the first move of `pv`, and the reply that is worth pondering on.
pub(super) fn best_move<P: Position>(position: &P, pv: &[P::Move]) -> String {
    let texts = pv_texts(position, pv);
    let mut text = format!("bestmove {}", texts.first().map_or("(none)", String::as_str));
    if let (Some(reply), true) = (texts.get(1), reply_is_expected(position, pv)) {
        let _ = write!(text, " ponder {reply}");
    }
    text
}

/// Whether the second move is the opponent's, and leaves a position that can be thought about.
fn reply_is_expected<P: Position>(position: &P, pv: &[P::Move]) -> bool {
    let [first, second, ..] = *pv else { return false };
    let Some(event) = position.sole_event(first) else { return false };
    let next = position.after(event);
    next.side_to_move() != position.side_to_move() && next.sole_event(second).is_some()
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
protocol.md says it in full.";

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::toy::{Choice, Heap, heap};
    use super::*;

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
            pv: vec![Choice::Take(1), Choice::Take(3)],
            effort,
        }
    }

    fn check(report: &Report<Heap<false>>, wdl: Option<WinModel>, expected: &str) {
        assert_eq!(info(&heap("9 a 0"), report, wdl), expected);
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
            &Report::Current { depth: 4, mv: Choice::Take(2), number: 2 },
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
