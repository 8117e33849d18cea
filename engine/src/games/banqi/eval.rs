//! The evaluation, learned from games against itself: a sum of weights of what [`features`] counts.
//!
//! All weights have a part for the start, with 32 living pieces, and one for the end. `yardmaster
//! train` fits them to games; how those of this version came about is told next to them, in
//! `weights/README.md`. One thing is not learned: the score fades with the quiet plies.

use super::endgames::Endgames;
use super::features::{COUNT, PARTS, features};
use super::{Banqi, QUIET_PLIES_TO_DRAW};
use crate::position::{End, Evaluate, Patience, Term, Weighted, WinModel};
use crate::score::Score;
use crate::weights;

/// The learned evaluation, by default with the weights of this version, and its endgame tables.
#[derive(Debug)]
pub struct Evaluation {
    weights: Box<[Packed; COUNT]>,
    endgames: Endgames,
}

/// The file, written by `yardmaster train`.
const WEIGHTS: &[u8] = include_bytes!("weights/banqi.weights");

/// A hundredth of a soldier in weights.
const WEIGHT_UNIT: i32 = 16;

/// The score fades to zero at this many quiet plies, later than the draw comes: so that progress is
/// better than waiting all the time, but being ahead is still worth something.
const FADE: i32 = QUIET_PLIES_TO_DRAW as i32 + 30;

impl Default for Evaluation {
    fn default() -> Self {
        let weights = weights::read("banqi", COUNT, WEIGHTS);
        Self::weighing(weights.expect("the weights of this version fit it"))
    }
}

/// A weight, or a sum of weights: the part for the end times 2^32 plus that for the start, so that both
/// are added at once.
#[derive(Clone, Copy, Default, Debug)]
struct Packed(i64);

impl Packed {
    fn new([opening, end]: [i16; 2]) -> Self {
        Self((i64::from(end) << 32) + i64::from(opening))
    }

    #[inline(always)]
    fn add(&mut self, Self(weight): Self, count: i32) {
        self.0 += weight * i64::from(count);
    }

    /// What it is worth in hundredths of a soldier.
    fn tapered(self, position: &Banqi) -> i32 {
        let opening = self.0 as i32;
        let end = ((self.0 - i64::from(opening)) >> 32) as i32;
        let (phase, of) = (Evaluation::phase(position), Evaluation::OPENING);
        let left = FADE - i32::from(position.quiet_plies.min(QUIET_PLIES_TO_DRAW));
        (opening * phase + end * (of - phase)) / (of * WEIGHT_UNIT) * left / FADE
    }
}

impl Evaluate<Banqi> for Evaluation {
    /// Fitted to the 31,633 positions of 200 endings without face-down pieces, played at 4 plies.
    const WIN_MODEL: WinModel = WinModel { threshold: 2350.0, spread: 850.0 };

    fn evaluate(&self, position: &Banqi) -> Score {
        let mut sum = Packed::default();
        features(position, |index, count| sum.add(self.weights[index], count));
        Score(sum.tapered(position)).heuristic()
    }

    fn prepare(&mut self, position: &Banqi, patience: &mut Patience<'_>) {
        self.endgames.prepare(position, patience);
    }

    fn end(&self, position: &Banqi) -> Option<End> {
        self.endgames.end(position)
    }

    fn terms(&self, position: &Banqi) -> Vec<Term> {
        let mut sums = [Packed::default(); PARTS.len()];
        features(position, |index, count| {
            let part = PARTS.partition_point(|&(_, end)| end <= index);
            sums[part].add(self.weights[index], count);
        });
        let values = sums.map(|sum| sum.tapered(position));
        // The fractions that the parts lose.
        let rest = self.evaluate(position).0 - values.iter().sum::<i32>();
        let terms = PARTS.iter().zip(values).map(|(&(name, _), value)| (name, value));
        let terms = terms.chain([("rounding", rest)]);
        terms.map(|(name, value)| Term { name, score: Score(value) }).collect()
    }
}

impl Weighted<Banqi> for Evaluation {
    const WEIGHTS: usize = COUNT;
    const DENSE: usize = COUNT;
    const OPENING: i32 = 32;
    const DECIDED: i32 = 6000;

    fn weighing(weights: Vec<[i16; 2]>) -> Self {
        let weights: Box<[Packed]> = weights.into_iter().map(Packed::new).collect();
        let weights = weights.try_into().expect("there are as many weights as there should be");
        Self { weights, endgames: Endgames::default() }
    }

    fn phase(position: &Banqi) -> i32 {
        position.board.occupied().count() as i32
    }

    #[inline(always)]
    fn features(position: &Banqi, count: impl FnMut(usize, i32)) {
        features(position, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    fn position(text: &str) -> Banqi {
        Banqi::read(text, ()).unwrap()
    }

    fn score(text: &str) -> i32 {
        Evaluation::default().evaluate(&position(text)).0
    }

    #[test]
    fn the_start_is_worth_nothing() {
        assert_eq!(Evaluation::default().evaluate(&Banqi::start(())), Score::DRAW);
    }

    #[test]
    fn the_better_of_two_positions_scores_higher() {
        let check = |better: &str, worse: &str| {
            assert!(score(better) > score(worse), "{better} over {worse}");
        };
        // A general gains as the enemy's soldiers fall, an advisor as the general falls.
        check("8/2E5/8/K3a2p r - 0 1", "8/2E5/8/K3appp r - 0 1");
        check("2e5/8/8/A2r2pp r - 0 1", "2k5/8/8/A2r2pp r - 0 1");
        // A piece more, seen or not.
        check("8/3E3?/8/K3a2p r H 0 1", "8/3E3?/8/K3a2p r h 0 1");
        check("8/3E2A1/8/K3a2p r - 0 1", "8/3E4/8/K3a2p r - 0 1");
    }

    #[test]
    fn a_lead_fades_with_the_quiet_plies() {
        let ahead = |quiet: u16| score(&format!("8/3A4/8/A2r4 r - {quiet} 1"));
        assert!(ahead(0) > ahead(60) && ahead(60) > ahead(119) && ahead(119) > 0);
    }

    #[test]
    fn a_judgment_is_the_sum_of_the_weights_of_its_features() {
        let weights = weights::read("banqi", COUNT, WEIGHTS).unwrap();
        for text in ["1r6/8/1?6/1C5K r P 0 1", "KAE1p3/3h4/2??2c1/PPr5 b Ak 0 1"] {
            let position = position(text);
            let mut sums = [0; 2];
            Evaluation::features(&position, |index, count| {
                for (sum, part) in sums.iter_mut().zip(weights[index]) {
                    *sum += count * i32::from(part);
                }
            });
            let phase = Evaluation::phase(&position);
            let expected = (sums[0] * phase + sums[1] * (32 - phase)) / (32 * 16);
            assert_eq!(Evaluation::default().evaluate(&position), Score(expected), "{text}");
        }
    }
}
