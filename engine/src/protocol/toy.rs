//! Two small games and a plain search to try the protocol with, in tests only.
//!
//! A heap of stones: a move takes one to three of them; who takes the last one wins. In `dice` a
//! player may also roll for one or two. `NoProgressPlies` plies draw the game. Text: the stones,
//! the side to move, the plies that were played.

use std::fmt;

use super::notation::Notation;
use super::registry::{Bench, Variant};
use super::session::{GameSession, Session};
use crate::position::{
    Evaluate, Key, MoveError, Outcome, Position, Rules, Side, Term, Weight, WinModel,
};
use crate::score::{Ply, Score, Turn};
use crate::search::{Bound, Clock, Effort, Line, NoMemory, Observer, Report, Search, Task};

pub(super) const VARIANTS: &[Variant] = &[
    Variant {
        name: "nim",
        open: open::<false>,
        hub: None,
        bench: Bench { depth: 5, positions: "# two heaps\nstartpos\nfen 9 b 0 moves t1\n" },
    },
    Variant {
        name: "dice",
        open: open::<true>,
        hub: None,
        bench: Bench { depth: 3, positions: "startpos\n" },
    },
];

fn open<const DICE: bool>() -> Box<dyn Session> {
    GameSession::<Heap<DICE>, Judge>::boxed(Judge, Plain { hash: 1 }, Notation::native())
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Heap<const DICE: bool> {
    stones: u16,
    side: Side,
    plies: u16,
    limit: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Choice {
    Take(u16),
    Roll,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Happening {
    Taken(u16),
    Rolled(u16),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Limit(u16);

impl Default for Limit {
    fn default() -> Self {
        Self(100)
    }
}

impl Rules for Limit {
    fn with_no_progress_plies(self, plies: u16) -> Self {
        Self(plies)
    }
}

#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0:?} is no heap, expected for example \"21 a 0\"")]
pub(super) struct NoHeap(String);

impl<const DICE: bool> fmt::Display for Heap<DICE> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.stones, self.side_name(self.side), self.plies)
    }
}

impl<const DICE: bool> Position for Heap<DICE> {
    type Move = Choice;
    type Event = Happening;
    type Rules = Limit;
    type ReadError = NoHeap;

    fn start(rules: Limit) -> Self {
        Self { stones: 21, side: Side::First, plies: 0, limit: rules.0 }
    }

    fn read(text: &str, rules: Limit) -> Result<Self, NoHeap> {
        let heap = || {
            let [stones, side, plies] = text.split(' ').collect::<Vec<_>>().try_into().ok()?;
            let side = match side {
                "a" => Side::First,
                "b" => Side::Second,
                _ => return None,
            };
            let (stones, plies) = (stones.parse().ok()?, plies.parse().ok()?);
            Some(Self { stones, side, plies, limit: rules.0 })
        };
        heap().ok_or_else(|| NoHeap(text.to_owned()))
    }

    fn side_to_move(&self) -> Side {
        self.side
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["a", "b"][side.index()]
    }

    fn moves(&self, out: &mut Vec<Choice>) {
        out.extend((1..=self.stones.min(3)).map(Choice::Take));
        if DICE && self.stones >= 2 {
            out.push(Choice::Roll);
        }
    }

    fn events(&self, mv: Choice) -> impl Iterator<Item = (Happening, Weight)> {
        let events = match mv {
            Choice::Take(count) => vec![Happening::Taken(count)],
            Choice::Roll => vec![Happening::Rolled(1), Happening::Rolled(2)],
        };
        events.into_iter().map(|event| (event, Weight(1)))
    }

    fn sole_event(&self, mv: Choice) -> Option<Happening> {
        match mv {
            Choice::Take(count) => Some(Happening::Taken(count)),
            Choice::Roll => None,
        }
    }

    fn after(&self, event: Happening) -> Self {
        let (Happening::Taken(count) | Happening::Rolled(count)) = event;
        let (stones, plies) = (self.stones - count, self.plies + 1);
        Self { stones, plies, side: self.side.other(), ..*self }
    }

    fn outcome(&self, moves: &[Choice]) -> Option<Outcome> {
        if moves.is_empty() {
            return Some(Outcome { winner: Some(self.side.other()), reason: "no stones" });
        }
        let drawn = self.limit > 0 && self.plies >= self.limit;
        drawn.then_some(Outcome { winner: None, reason: "no progress" })
    }

    fn key(&self) -> Key {
        Key(u64::from(self.stones) * 2 + self.side.index() as u64)
    }

    fn reversible_plies(&self) -> usize {
        0
    }

    fn plies_left(&self) -> u32 {
        u32::from(self.stones).max(1)
    }

    fn mirrored(&self) -> Self {
        Self { side: self.side.other(), ..*self }
    }

    fn picture(&self) -> String {
        "o".repeat(self.stones.into())
    }

    fn move_text(&self, mv: Choice) -> String {
        match mv {
            Choice::Take(count) => format!("t{count}"),
            Choice::Roll => "r".to_owned(),
        }
    }

    fn event_text(&self, event: Happening) -> String {
        match event {
            Happening::Taken(count) => format!("t{count}"),
            Happening::Rolled(count) => format!("r={count}"),
        }
    }

    fn read_move(&self, text: &str) -> Result<Choice, MoveError> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let named = moves.into_iter().find(|&mv| self.move_text(mv).eq_ignore_ascii_case(text));
        named.ok_or_else(|| MoveError::Illegal { text: text.to_owned() })
    }

    fn read_event(&self, text: &str) -> Result<Happening, MoveError> {
        let mut moves = Vec::new();
        self.moves(&mut moves);
        let mut events = moves.into_iter().flat_map(|mv| self.events(mv)).map(|(event, _)| event);
        let named = events.find(|&event| self.event_text(event).eq_ignore_ascii_case(text));
        named.ok_or_else(|| MoveError::Illegal { text: text.to_owned() })
    }
}

/// Leaves a multiple of four to the opponent.
pub(super) struct Judge;

impl<const DICE: bool> Evaluate<Heap<DICE>> for Judge {
    const WIN_MODEL: WinModel = WinModel { threshold: 100.0, spread: 50.0 };

    fn evaluate(&self, position: &Heap<DICE>) -> Score {
        Score(i32::from(position.stones % 4) * 10 - 5)
    }

    fn terms(&self, position: &Heap<DICE>) -> Vec<Term> {
        let rest = Score(i32::from(position.stones % 4) * 10);
        vec![Term { name: "rest", score: rest }, Term { name: "turn", score: Score(-5) }]
    }
}

/// Looks at everything, one ply deeper each time.
struct Plain {
    hash: usize,
}

struct Count<'a> {
    clock: &'a Clock,
    nodes: u64,
    most: u64,
}

/// From this depth on a search is a long one.
const LONG: u32 = 6;

/// What there is of memory in this world.
const MEMORY: usize = 1_000;

impl<const DICE: bool> Search<Heap<DICE>> for Plain {
    fn think(
        &mut self,
        task: &Task<'_, Heap<DICE>>,
        clock: &Clock,
        observe: &mut Observer<'_, Heap<DICE>>,
    ) {
        let position = task.game.position();
        let deepest = u32::from(position.stones).max(1);
        let most = task.limits.nodes.unwrap_or(u64::MAX);
        let mut count = Count { clock, nodes: 0, most };
        for depth in 1..=task.limits.depth.unwrap_or(u32::MAX).min(deepest) {
            let mut found = Vec::new();
            for (number, &mv) in (1..).zip(&task.moves) {
                let value = value(*position, mv, Ply::ROOT, depth, &mut count);
                let Some((score, mut pv)) = value else { break };
                pv.insert(0, mv);
                found.push((score, pv));
                if depth >= LONG {
                    observe(&Report::Current { depth, mv, number });
                }
            }
            let complete = found.len() == task.moves.len();
            if depth == 1 {
                let rest = task.moves.iter().skip(found.len());
                let rest = rest.map(|&mv| (Score(-1), vec![mv]));
                found = found.into_iter().chain(rest).collect();
            } else if !complete {
                break;
            }
            found.sort_by_key(|(score, _)| -score.0);
            for (rank, (score, pv)) in (1..).zip(found).take(task.lines) {
                let effort = Effort {
                    nodes: count.nodes,
                    time: clock.elapsed(),
                    hashfull: self.hash as u16,
                };
                let proven = depth == deepest;
                let bound = Bound::Exact;
                observe(&Report::Line(Line {
                    depth,
                    seldepth: depth,
                    rank,
                    score,
                    bound,
                    proven,
                    pv,
                    effort,
                }));
            }
            if !complete || clock.is_spent(1.0) {
                break;
            }
        }
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), NoMemory> {
        if mebibytes > MEMORY {
            return Err(NoMemory { mebibytes });
        }
        self.hash = mebibytes;
        Ok(())
    }

    fn set_threads(&mut self, _threads: usize) {}

    fn clear(&mut self) {}
}

type Value = Option<(Score, Vec<Choice>)>;

/// The value of a move and what follows it, `None` when the search is over.
fn value<const DICE: bool>(
    parent: Heap<DICE>,
    mv: Choice,
    ply: Ply,
    depth: u32,
    count: &mut Count<'_>,
) -> Value {
    let mut values = Vec::new();
    let mut pv = Vec::new();
    for (event, weight) in parent.events(mv) {
        let child = parent.after(event);
        let turn = Turn::between(parent.side, child.side);
        let (score, line) = best(child, ply.next(), depth - 1, count)?;
        values.push((turn.score(score), weight));
        pv = line;
    }
    if parent.sole_event(mv).is_none() {
        pv.clear();
    }
    let total: i32 = values.iter().map(|(_, weight): &(Score, Weight)| weight.0 as i32).sum();
    let sum: i32 = values.iter().map(|(score, weight)| score.0 * weight.0 as i32).sum();
    Some((Score(sum.div_euclid(total)), pv))
}

fn best<const DICE: bool>(
    position: Heap<DICE>,
    ply: Ply,
    depth: u32,
    count: &mut Count<'_>,
) -> Value {
    if count.nodes >= count.most || count.clock.is_over() {
        return None;
    }
    count.nodes += 1;
    let mut moves = Vec::new();
    position.moves(&mut moves);
    if let Some(outcome) = position.outcome(&moves) {
        return Some((position.outcome_score(outcome, ply), Vec::new()));
    }
    if depth == 0 {
        return Some((Judge.evaluate(&position), Vec::new()));
    }
    let mut best: Value = None;
    for mv in moves {
        let (score, mut pv) = value(position, mv, ply, depth, count)?;
        if best.as_ref().is_none_or(|(found, _)| score > *found) {
            pv.insert(0, mv);
            best = Some((score, pv));
        }
    }
    best
}

/// The heap of a text.
#[cfg(test)]
pub(super) fn heap(fen: &str) -> Heap<false> {
    Heap::read(fen, Limit::default()).expect("a heap")
}
