//! Moves as PDN 3.0 writes them: from and to, and the squares between only where from and to name
//! several captures. Then each of them is where the way turns, or else lies right behind a captured
//! piece.

use std::collections::HashSet;

use super::moves::{Course, Move};
use super::squares::{Direction, Square, Squares};
use super::{Draughts, RuleSet, text};
use crate::position::Position;

/// The text of a legal move.
pub fn move_text<R: RuleSet>(position: &Draughts<R>, mv: Move) -> String {
    if !mv.is_capture() {
        return format!("{}-{}", mv.from(), mv.to());
    }
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let alike = moves.iter().filter(|other| (other.from(), other.to()) == (mv.from(), mv.to()));
    if alike.count() == 1 {
        return format!("{}x{}", mv.from(), mv.to());
    }
    let course = text::course(position, mv.from());
    let mut way = Way { course, mv, dead_ends: HashSet::new() };
    let mut squares = way.onwards(mv.from(), Squares::NONE, None).unwrap_or_default();
    squares.push(mv.from());
    let numbers: Vec<String> = squares.iter().rev().map(Square::to_string).collect();
    numbers.join("x")
}

/// What matters of a jump to the next one.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Jump {
    direction: Direction,
    /// Whether it lands right behind what it takes.
    is_short: bool,
}

/// The search for the way of a capture.
struct Way<R> {
    course: Course<R>,
    mv: Move,
    /// From here, with these pieces captured, coming by this jump, no way leads on.
    dead_ends: HashSet<(Square, Squares, Option<Jump>)>,
}

impl<R: RuleSet> Way<R> {
    /// The way from `at` to the end, last square first, when the pieces on `taken` are captured and
    /// `last` was the jump here.
    fn onwards(&mut self, at: Square, taken: Squares, last: Option<Jump>) -> Option<Vec<Square>> {
        if taken == self.mv.captured() {
            return (at == self.mv.to()).then(Vec::new);
        }
        if self.dead_ends.contains(&(at, taken, last)) {
            return None;
        }
        for direction in Direction::ALL {
            // Straight on, the square between is the one right behind the captured piece.
            if last.is_some_and(|jump| jump.direction == direction && !jump.is_short) {
                continue;
            }
            let (victim, landings) = self.course.jump(direction, at, taken);
            if !victim.meets(self.mv.captured()) {
                continue;
            }
            for landing in landings {
                let is_short = nearest(victim, landings) == Some(landing);
                let jump = Jump { direction, is_short };
                if let Some(mut rest) = self.onwards(landing, taken | victim, Some(jump)) {
                    rest.push(landing);
                    return Some(rest);
                }
            }
        }
        self.dead_ends.insert((at, taken, last));
        None
    }
}

/// The landing square that is next to `victim`; all lie on one diagonal, on one side of it.
fn nearest(victim: Squares, landings: Squares) -> Option<Square> {
    let victim = victim.into_iter().next()?;
    landings.into_iter().min_by_key(|landing| landing.row().abs_diff(victim.row()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::draughts::{Fmjd, Site, SiteRules};

    fn texts<R: RuleSet>(position: &Draughts<R>) -> Vec<String> {
        let mut moves = Vec::new();
        position.moves(&mut moves);
        moves.into_iter().map(|mv| move_text(position, mv)).collect()
    }

    #[test]
    fn squares_between_are_written_only_where_they_tell_something() {
        let check = |text: &str, expected: &[&str]| {
            let position = Draughts::<Fmjd>::read(text, ()).unwrap();
            let mut found = texts(&position);
            found.sort();
            assert_eq!(found, expected, "{text}");
        };
        check("W:W28:B22,12", &["28x8"]);
        check("W:W32:B1", &["32-27", "32-28"]);
        check("W:WK2:B7,8,17,18", &["2x2"]);
        check("W:WK4:B13,32,37,20", &["4x27x38x15", "4x31x42x15"]);
        // It lands right behind 31 on its way straight on to 18, though it might land on 22, too.
        let ways = ["36x27x13x24x42", "36x27x13x24x47", "36x27x9x20x42", "36x27x9x20x47"];
        check("W:WK36:B14,18,19,31,38", &ways);
    }

    #[test]
    fn every_text_names_its_move() {
        for text in [
            "W:WK4:B13,32,37,20",
            "W:WK36:B14,18,19,31,38",
            "W:WK2:B7,8,17,18",
            "B:W27,28,38,39,42:BK25",
        ] {
            let fmjd = Draughts::<Fmjd>::read(text, ()).unwrap();
            let site = Draughts::<Site>::read(text, SiteRules::default()).unwrap();
            let mut moves = Vec::new();
            fmjd.moves(&mut moves);
            for mv in moves.drain(..) {
                assert_eq!(fmjd.read_move(&move_text(&fmjd, mv)), Ok(mv), "{text}");
            }
            site.moves(&mut moves);
            for mv in moves {
                assert_eq!(site.read_move(&move_text(&site, mv)), Ok(mv), "{text}");
            }
        }
    }
}
