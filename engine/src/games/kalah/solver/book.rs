//! The opening book: exact values of the positions that take too long to solve while a clock runs.
//!
//! A player that follows the book needs but one move in each position, while its opponent may play
//! any. So the book holds, from some start position on and for either side, each position that the
//! player may come to with a best move, and what follows from that with any reply; and it ends
//! where few stones are left, so that positions are easy to solve.
//!
//! It is a text: lines that begin with `#` are comments, the line after them says the checksum of
//! all that follows, and then there is a position a line. `444444444444 29 c` are the pits of the
//! mover and those of the other side, each in the direction of sowing and a digit each (`a` is ten,
//! `v` is 31), what the mover collects with perfect play, and a move by which it does.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use super::super::board::{PITS, Pit, Row, play};
use super::node::Node;
use super::{Kalah, Solver};
use crate::files;
use crate::position::Patience;
use crate::score::Turn;

/// Exact values, with a best move each.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    lines: BTreeMap<[u8; 2 * PITS], Best>,
}

/// What the mover of a position collects, and a move by which it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Best {
    pub(super) collected: u8,
    pub(super) pit: Pit,
}

/// Why a text is not a book.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BookError {
    /// There is no checksum.
    #[error("{0:?} is not a book, expected comments and then \"checksum\" with sixteen digits")]
    Form(String),
    /// The book is not as it was written.
    #[error("the book is damaged: its checksum is {found}, expected {expected}")]
    Damaged {
        /// What stands in the book.
        expected: String,
        /// What follows from its lines.
        found: String,
    },
    /// A line is no position with its value.
    #[error("{0:?} is not a line of a book, expected such as \"444444444444 29 c\"")]
    Line(String),
}

/// Who is to move: the one who follows the book, or the one who may play anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
enum Role {
    Player,
    Opponent,
}

impl Book {
    /// The book that comes with the engine.
    ///
    /// # Errors
    /// [`BookError`] if it is damaged.
    pub fn built_in() -> Result<Self, BookError> {
        include_str!("kalah.book").parse()
    }

    /// How many positions it holds.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn best(&self, node: &Node) -> Option<Best> {
        self.lines.get(&pits(node)).copied()
    }

    /// Adds what a player needs to know that begins at `start`, on either side, as long as there are
    /// `stones` stones or more in the pits.
    ///
    /// A book whose making was interrupted can be gone on with: what it holds is not solved again.
    /// `progress` is told the book and the positions that are still open.
    pub fn add(
        &mut self,
        start: &Kalah,
        stones: u8,
        solver: &Solver,
        patience: &mut Patience<'_>,
        progress: &mut dyn FnMut(&Self, usize),
    ) -> ControlFlow<()> {
        let start = Node::new(start.own(), start.other());
        let mut open = vec![(start, Role::Player), (start, Role::Opponent)];
        let mut seen = HashSet::new();
        while let Some((node, role)) = open.pop() {
            if node.stones < stones || !is_writable(&node) || !seen.insert((pits(&node), role)) {
                continue;
            }
            progress(self, open.len());
            let moves: Vec<Pit> = match role {
                Role::Opponent => node.own.moves().collect(),
                Role::Player => {
                    let found = self.best(&node).or_else(|| solver.best(&node, patience));
                    let Some(best) = found else { return ControlFlow::Break(()) };
                    self.lines.insert(pits(&node), best);
                    vec![best.pit]
                }
            };
            open.extend(moves.into_iter().map(|pit| after(&node, role, pit)));
        }
        ControlFlow::Continue(())
    }

    fn checksum(lines: &str) -> String {
        format!("{:016x}", files::checksum(lines.as_bytes()))
    }
}

/// Where a move leads to, and who is to move there.
fn after(node: &Node, role: Role, pit: Pit) -> (Node, Role) {
    let (own, other, turn) = play(node.own, node.other, pit);
    match (turn, role) {
        (Turn::Stays, _) => (Node::new(own, other), role),
        (Turn::Passes, Role::Player) => (Node::new(other, own), Role::Opponent),
        (Turn::Passes, Role::Opponent) => (Node::new(other, own), Role::Player),
    }
}

/// Whether there is a digit for each pit.
fn is_writable(node: &Node) -> bool {
    pits(node).iter().all(|&stones| stones < 32)
}

/// The pits of the mover, and those of the other side.
fn pits(node: &Node) -> [u8; 2 * PITS] {
    let [own, other] = [node.own, node.other].map(|row| Pit::ALL.map(|pit| row.pit(pit)));
    std::array::from_fn(|at| if at < PITS { own[at] } else { other[at - PITS] })
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digit = |stones: u8| char::from_digit(u32::from(stones), 32).unwrap_or('?');
        let letter = |pit: Pit| char::from(b'a' + pit.index() as u8);
        let line = |(pits, best): (&[u8; 2 * PITS], &Best)| {
            let pits: String = pits.iter().map(|&stones| digit(stones)).collect();
            format!("{pits} {} {}\n", best.collected, letter(best.pit))
        };
        let lines: String = self.lines.iter().map(line).collect();
        write!(f, "checksum {}\n{lines}", Self::checksum(&lines))
    }
}

impl FromStr for Book {
    type Err = BookError;

    fn from_str(text: &str) -> Result<Self, BookError> {
        let mut rest = text;
        let checksum = loop {
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            rest = after;
            match line.strip_prefix("checksum ") {
                Some(checksum) => break checksum,
                None if line.starts_with('#') => (),
                None => return Err(BookError::Form(line.to_owned())),
            }
        };
        let found = Self::checksum(rest);
        if found != checksum {
            return Err(BookError::Damaged { expected: checksum.to_owned(), found });
        }
        let read = |line: &str| read_line(line).ok_or_else(|| BookError::Line(line.to_owned()));
        Ok(Self { lines: rest.lines().map(read).collect::<Result<_, _>>()? })
    }
}

fn read_line(line: &str) -> Option<([u8; 2 * PITS], Best)> {
    let mut words = line.split(' ');
    let (board, collected, letter) = (words.next()?, words.next()?, words.next()?);
    let stones: Option<Vec<u8>> =
        board.chars().map(|digit| digit.to_digit(32).map(|stones| stones as u8)).collect();
    let pits: [u8; 2 * PITS] = stones?.try_into().ok()?;
    let pit = Pit::ALL.into_iter().find(|pit| letter.as_bytes() == [b'a' + pit.index() as u8])?;
    let row = |pits: &[u8]| Row::new(std::array::from_fn(|at| *pits.get(at).unwrap_or(&0)));
    let node = Node::new(row(&pits[..PITS]), row(&pits[PITS..]));
    let collected = collected.parse().ok().filter(|&collected| collected <= node.stones)?;
    let legal = node.own.pit(pit) != 0 && words.next().is_none();
    legal.then_some((pits, Best { collected, pit }))
}
