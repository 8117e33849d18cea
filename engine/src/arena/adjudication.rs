//! Games that are ended by the scores that both players tell.

use super::settings::Ends;
use crate::position::Side;

/// For how many moves in a row each player has told what. A player that tells no score is never
/// taken to agree.
#[derive(Clone, Debug)]
pub(super) struct Adjudication {
    ends: Ends,
    level: [u32; 2],
    winning: [u32; 2],
    losing: [u32; 2],
}

/// What both players agree on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Adjudged {
    /// The side wins.
    Win(Side),
    /// Nobody does.
    Draw,
}

impl Adjudication {
    pub(super) fn new(ends: Ends) -> Self {
        Self { ends, level: [0; 2], winning: [0; 2], losing: [0; 2] }
    }

    /// Notes the score that a side has told with its move.
    pub(super) fn note(&mut self, side: Side, score: Option<i64>) {
        let index = side.index();
        let count =
            |streak: &mut u32, goes_on: bool| *streak = if goes_on { *streak + 1 } else { 0 };
        let is = |test: &dyn Fn(i64) -> bool| score.is_some_and(test);
        if let Some(rule) = self.ends.draw {
            let is_level = is(&|score| score.unsigned_abs() <= u64::from(rule.score));
            count(&mut self.level[index], is_level);
        }
        if let Some(rule) = self.ends.resign {
            let limit = i64::from(rule.score);
            count(&mut self.winning[index], is(&|score| score >= limit));
            count(&mut self.losing[index], is(&|score| score <= -limit));
        }
    }

    /// The result after so many plies of the game, if both players agree.
    pub(super) fn result(&self, plies: usize) -> Option<Adjudged> {
        if let Some(rule) = self.ends.resign {
            for side in [Side::First, Side::Second] {
                let (winner, loser) = (side.index(), side.other().index());
                if self.winning[winner] >= rule.moves && self.losing[loser] >= rule.moves {
                    return Some(Adjudged::Win(side));
                }
            }
        }
        let rule = self.ends.draw?;
        let agree = self.level.iter().all(|&moves| moves >= rule.moves);
        (agree && plies >= rule.from as usize).then_some(Adjudged::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::super::settings::{DrawRule, ResignRule};
    use super::*;

    const ENDS: Ends = Ends {
        max_plies: 1_000,
        draw: Some(DrawRule { from: 5, moves: 2, score: 10 }),
        resign: Some(ResignRule { moves: 2, score: 300 }),
    };

    /// The verdict after scores told in turn.
    fn check(ends: Ends, scores: &[Option<i64>], expected: Option<Adjudged>) {
        let mut adjudication = Adjudication::new(ends);
        for (&score, side) in scores.iter().zip([Side::First, Side::Second].into_iter().cycle()) {
            adjudication.note(side, score);
        }
        assert_eq!(adjudication.result(scores.len()), expected, "{scores:?}");
    }

    #[test]
    fn both_players_must_agree_for_some_moves() {
        let some = |scores: &[i64]| scores.iter().copied().map(Some).collect::<Vec<_>>();
        check(ENDS, &some(&[300, -300, i64::MAX, i64::MIN]), Some(Adjudged::Win(Side::First)));
        check(ENDS, &some(&[-300, 300, -301, 400]), Some(Adjudged::Win(Side::Second)));
        check(ENDS, &some(&[300, -299, 300, -300]), None);
        check(ENDS, &some(&[300, -300, 0, -300, 300, -300]), None);
        check(ENDS, &[Some(300), None, Some(300), None], None);
        check(ENDS, &some(&[0, 10, -10, 0]), None);
        check(ENDS, &some(&[50, 50, 0, 10, -10, 0]), Some(Adjudged::Draw));
    }

    #[test]
    fn nothing_is_adjudicated_unless_asked_for() {
        let ends = Ends { max_plies: 1_000, draw: None, resign: None };
        check(ends, &[Some(0); 50], None);
        check(ends, &[Some(i64::MAX), Some(i64::MIN), Some(i64::MAX), Some(i64::MIN)], None);
    }
}
