//! `yardmaster train`: fits the weights of an evaluation to the results of games.
//!
//! Logistic regression: the evaluation of a quiet position is taken for the logarithm of the odds of
//! the side to move, a draw for half a win. What is learned is partly the result of the game, partly
//! what the search thought: results know what no search sees, but thoughts tell one game from another
//! where all ended the same. Each weight takes steps of its own size (Duchi,
//! Hazan and Singer 2011). All is done in one order, so that the same games make the same file.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use indicatif::{ProgressBar, ProgressStyle};

use super::games::{self, GamesError};
use super::{Ending, Reason, TrainingError};
use crate::arena::chance::{Purpose, Seed};
use crate::files;
use crate::games::Variant;
use crate::games::banqi::{self, Banqi};
use crate::games::draughts::{self, Draughts, Fmjd, Site};
use crate::position::{Ordered, Position, Side, Weighted};
use crate::score::Score;
use crate::weights;

/// Fit the weights of an evaluation to games from `selfplay`
#[derive(clap::Args)]
pub struct Train {
    /// Files of games
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The game
    #[arg(long, value_name = "NAME", default_value_t = Variant::Draughts)]
    variant: Variant,
    /// The file of weights to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The weights to begin with, instead of 0
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Times that all games are gone through
    #[arg(long, value_name = "N", default_value_t = 6)]
    epochs: u32,
    /// The size of the first step of a weight
    #[arg(long, value_name = "RATE", default_value_t = 0.02)]
    rate: f32,
    /// How strongly weights that few positions speak for are held at 0
    #[arg(long, value_name = "L2", default_value_t = 0.02)]
    l2: f32,
    /// What counts is the result by this share, and what the search thought by the rest
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    results: f32,
    /// What the search thought of the positions that followed counts as well: that of each by this
    /// share less than that of the one before it
    #[arg(long, value_name = "SHARE", default_value_t = 0.0)]
    foresight: f32,
    /// One game of so many is held out, to see what the weights are worth
    #[arg(long, value_name = "N", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    held_out: u64,
}

impl Train {
    /// Trains, telling the losses on the standard error.
    ///
    /// # Errors
    /// One line on why a file can't be used, or a game has no weights to learn.
    pub fn run(&self) -> Result<Ending, TrainingError> {
        let train = match self.variant {
            Variant::Draughts => train::<Draughts<Site>, draughts::Evaluation<Site>>,
            Variant::DraughtsFmjd => train::<Draughts<Fmjd>, draughts::Evaluation<Fmjd>>,
            Variant::Banqi => train::<Banqi, banqi::Evaluation>,
            other => return Err(Reason::NoWeights(other).into()),
        };
        Ok(train(self)?)
    }
}

/// A position and what became of it.
struct Sample<P> {
    position: P,
    /// The plies of the game before it.
    ply: u16,
    /// What the search thought, in hundredths of a unit.
    thought: f32,
    /// 1 for a win of the side to move, 0 for a loss.
    result: f32,
    /// What is to be learned, on the same scale.
    target: f32,
}

/// What is to be learned of a sample.
#[derive(Clone, Copy)]
struct Target {
    /// The logarithm of the odds that a hundredth of a unit is worth in the search's thoughts.
    worth: f32,
    /// The share of the result.
    results: f32,
}

impl Target {
    /// Takes the worth that fits the results best, by Newton's method.
    fn fitted<P>(samples: &[Sample<P>], results: f32) -> Self {
        let mut worth = 0.01;
        for _ in 0..8 {
            let (mut slope, mut curvature) = (0.0, 1e-9);
            for &Sample { thought, result, .. } in samples {
                let (thought, expected) = (f64::from(thought), f64::from(odds(thought * worth)));
                slope += (expected - f64::from(result)) * thought;
                curvature += expected * (1.0 - expected) * thought * thought;
            }
            worth = (worth - (slope / curvature) as f32).clamp(1e-4, 0.1);
        }
        Self { worth, results }
    }

    /// Sets the targets of samples that stand in the order of the games. What the search thinks later
    /// knows more; so thoughts are joined with those that follow (Sutton 1988, TD(λ)), at the end
    /// with the result.
    fn set<P: Position>(self, samples: &mut [Sample<P>], foresight: f32) {
        let mut later: Option<(u16, Side, f32)> = None;
        for sample in samples.iter_mut().rev() {
            let side = sample.position.side_to_move();
            let future = match later {
                Some((ply, by, expected)) if ply > sample.ply => {
                    if by == side {
                        expected
                    } else {
                        1.0 - expected
                    }
                }
                _ => sample.result,
            };
            let thought = odds(sample.thought * self.worth);
            let expected = foresight * future + (1.0 - foresight) * thought;
            later = Some((sample.ply, side, expected));
            sample.target = self.results * sample.result + (1.0 - self.results) * expected;
        }
    }
}

/// The probability that a logarithm of odds stands for.
fn odds(logarithm: f32) -> f32 {
    1.0 / (1.0 + (-logarithm).exp())
}

/// The positions of the games that are learned from, and those that are held out.
struct Samples<P> {
    learned: Vec<Sample<P>>,
    held_out: Vec<Sample<P>>,
}

/// The two parts of every weight, and the squared steps that they have taken.
struct Model {
    weights: Vec<[f32; 2]>,
    taken: Vec<[f32; 2]>,
}

fn train<P: Ordered, E: Weighted<P>>(arguments: &Train) -> Result<Ending, Reason> {
    let interrupted = super::interrupt()?;
    let mut samples = load::<P, E>(arguments)?;
    let (learned, held_out) = (samples.learned.len(), samples.held_out.len());
    eprintln!("{learned} positions to learn from, {held_out} held out");
    let target = Target::fitted(&samples.learned, arguments.results);
    eprintln!(
        "a hundredth of the search is worth {:.5} of the logarithm of the odds",
        target.worth
    );
    target.set(&mut samples.learned, arguments.foresight);
    target.set(&mut samples.held_out, arguments.foresight);
    let mut model = Model::new(E::WEIGHTS);
    if let Some(path) = &arguments.from {
        let file = fs::read(path).map_err(|error| GamesError::Io { path: path.clone(), error })?;
        let weights = weights::read(arguments.variant.name(), E::WEIGHTS, &file)
            .map_err(|error| GamesError::Weights { path: path.clone(), error })?;
        model.begin_with(&weights, target);
    }
    let mut order: Vec<u32> = (0..learned as u32).collect();
    let mut chance = Seed(1).child(Purpose::Order, 0).stream();
    let bar = ProgressBar::new(u64::from(arguments.epochs));
    let style =
        ProgressStyle::with_template("epoch {pos}/{len} {wide_bar} [{elapsed}, {eta} to go]");
    bar.set_style(style.expect("the template is right"));
    for epoch in 1..=arguments.epochs {
        chance.shuffle(&mut order);
        let mut loss = 0.0;
        for &index in &order {
            let sample = &samples.learned[index as usize];
            loss += f64::from(model.learn::<P, E>(&sample.position, sample.target, arguments));
        }
        let (mut test, mut results) = (0.0, 0.0);
        for sample in &samples.held_out {
            let expected = model.expected::<P, E>(&sample.position);
            test += f64::from(entropy(expected, sample.target));
            results += f64::from(entropy(expected, sample.result));
        }
        let loss = loss / learned.max(1) as f64;
        let [test, results] = [test, results].map(|sum| sum / held_out.max(1) as f64);
        bar.suspend(|| {
            let held_out = format!("held out {test:.5}, of its results alone {results:.5}");
            eprintln!("epoch {epoch}: loss {loss:.5}, {held_out}");
        });
        bar.inc(1);
        if interrupted.load(Ordering::Relaxed) {
            bar.finish_and_clear();
            return Ok(Ending::Interrupted);
        }
    }
    bar.finish_and_clear();
    let bytes = model.file(arguments.variant, target);
    files::replace(&arguments.out, |file| file.write_all(&bytes))
        .map_err(|error| GamesError::Io { path: arguments.out.clone(), error })?;
    Ok(Ending::Complete)
}

/// The positions of all files that the search thought about and would have judged at its horizon.
fn load<P: Ordered, E: Weighted<P>>(arguments: &Train) -> Result<Samples<P>, Reason> {
    let mut samples = Samples { learned: Vec::new(), held_out: Vec::new() };
    for path in &arguments.files {
        let io = |error| GamesError::Io { path: path.clone(), error };
        let text = fs::read_to_string(path).map_err(io)?;
        for game in games::read(path, &text, arguments.variant, None)? {
            let game = game?;
            let held_out = game.number % arguments.held_out == 0;
            let samples = if held_out { &mut samples.held_out } else { &mut samples.learned };
            let (mut moves, mut gains) = (Vec::new(), Vec::new());
            let mut position = P::start(P::Rules::default());
            for (number, ply) in (0..).zip(game.plies()) {
                let event = position.read_event(ply.event).map_err(|error| GamesError::NoMove {
                    path: path.clone(),
                    game: game.number,
                    error,
                })?;
                moves.clear();
                position.moves(&mut moves);
                gains.clear();
                position.gains(&mut gains);
                if let Some(Score(thought)) = ply.score
                    && position.is_quiet(&moves)
                    && gains.is_empty()
                {
                    let thought = thought.clamp(-E::DECIDED, E::DECIDED) as f32;
                    let result = score(game.result.0, position.side_to_move());
                    let target = result;
                    samples.push(Sample { position, ply: number, thought, result, target });
                }
                position = position.after(event);
            }
        }
    }
    Ok(samples)
}

fn score(winner: Option<Side>, side: Side) -> f32 {
    match winner {
        None => 0.5,
        Some(winner) if winner == side => 1.0,
        Some(_) => 0.0,
    }
}

impl Model {
    fn new(count: usize) -> Self {
        Self { weights: vec![[0.0; 2]; count], taken: vec![[1e-6; 2]; count] }
    }

    /// Takes the weights of a file, whose scale is that of the search.
    fn begin_with(&mut self, weights: &[[i16; 2]], Target { worth, .. }: Target) {
        let scaled = |part: i16| f32::from(part) * worth / 16.0;
        self.weights = weights.iter().map(|pair| pair.map(scaled)).collect();
    }

    /// The parts of the weights in this phase.
    fn shares<P: Position, E: Weighted<P>>(position: &P) -> [f32; 2] {
        let opening = E::phase(position) as f32 / E::OPENING as f32;
        [opening, 1.0 - opening]
    }

    /// What the side to move is expected to score.
    fn expected<P: Position, E: Weighted<P>>(&self, position: &P) -> f32 {
        let [opening, end] = Self::shares::<P, E>(position);
        let mut sum = 0.0;
        E::features(position, |index, count| {
            let weight = self.weights[index];
            sum += count as f32 * (weight[0] * opening + weight[1] * end);
        });
        odds(sum)
    }

    /// Steps down the gradient of the loss; answers the loss before the step.
    fn learn<P: Position, E: Weighted<P>>(
        &mut self,
        position: &P,
        target: f32,
        how: &Train,
    ) -> f32 {
        let expected = self.expected::<P, E>(position);
        let error = expected - target;
        let shares = Self::shares::<P, E>(position);
        E::features(position, |index, count| {
            let decay = if index < E::DENSE { how.l2 } else { 0.0 };
            let parts = self.weights[index].iter_mut().zip(&mut self.taken[index]);
            for ((weight, taken), share) in parts.zip(shares) {
                let gradient = error * count as f32 * share + decay * *weight;
                *taken += gradient * gradient;
                *weight -= how.rate * gradient / taken.sqrt();
            }
        });
        entropy(expected, target)
    }

    /// The file of the weights, on the scale of the search that played the games.
    fn file(&self, variant: Variant, Target { worth, .. }: Target) -> Vec<u8> {
        let scaled = |weight: f32| (weight * 16.0 / worth).round() as i16;
        let weights: Vec<[i16; 2]> = self.weights.iter().map(|pair| pair.map(scaled)).collect();
        weights::write(variant.name(), &weights)
    }
}

/// The cross entropy, in nats.
fn entropy(expected: f32, score: f32) -> f32 {
    let expected = expected.clamp(1e-6, 1.0 - 1e-6);
    -(score * expected.ln() + (1.0 - score) * (1.0 - expected).ln())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_thoughts_count_less_and_less_and_never_those_of_another_game() {
        let start = Draughts::<Fmjd>::start(());
        let sample = |position, ply, thought, result| Sample {
            position,
            ply,
            thought,
            result,
            target: f32::NAN,
        };
        // Two games, the first with a ply that was not thought about.
        let (white, black) = (start, start.mirrored());
        let mut samples = [
            sample(white, 0, 100.0, 1.0),
            sample(black, 1, 50.0, 0.0),
            sample(black, 3, -200.0, 0.0),
            sample(white, 0, 0.0, 0.5),
        ];
        let target = Target { worth: 0.01, results: 0.25 };
        target.set(&mut samples, 0.75);
        let third = 0.25 * odds(-2.0);
        let second = 0.25 * odds(0.5) + 0.75 * third;
        let first = 0.25 * odds(1.0) + 0.75 * (1.0 - second);
        let expected = [0.25 + 0.75 * first, 0.75 * second, 0.75 * third, 0.5];
        for (sample, expected) in samples.iter().zip(expected) {
            assert!((sample.target - expected).abs() < 1e-6, "{} {expected}", sample.target);
        }
    }

    #[test]
    fn training_that_begins_with_weights_leaves_them_on_their_scale() {
        let mut model = Model::new(2);
        let target = Target { worth: 0.00625, results: 0.0 };
        let weights = [[1600, -80], [3, 0]];
        model.begin_with(&weights, target);
        let file = model.file(Variant::DraughtsFmjd, target);
        assert_eq!(weights::read(Variant::DraughtsFmjd.name(), 2, &file), Ok(weights.to_vec()));
    }
}
