//! `yardmaster train`: fits the weights of an evaluation to the results of games.
//!
//! Logistic regression: the evaluation of a quiet position is taken for the logarithm of the odds of
//! the side to move, a draw for half a win. What is learned is partly the result of the game, partly
//! what the search thought: results know what no search sees, but thoughts tell one game from another
//! where all ended the same. Each weight takes steps of its own size (Duchi,
//! Hazan and Singer 2011). All is done in one order, so that the same games make the same file.

use std::fmt;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use indicatif::{ProgressBar, ProgressStyle};

use super::games::{self, GameLine, GamesError, Ply, Replay, Step};
use super::{Ending, Reason, TrainingError};
use crate::arena::chance::{Purpose, Seed};
use crate::files;
use crate::games::Variant;
use crate::games::banqi::{self, Banqi};
use crate::games::draughts::{self, Draughts, Fmjd, Site};
use crate::position::{MoveError, Ordered, Position, Side, Weighted};
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
    /// How strongly the weights of patterns are held where they begin, however many positions speak for
    /// a change: 1/L2 is the variance of a normal prior, in logarithms of odds
    #[arg(long, value_name = "L2", default_value_t = 100.0)]
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
    /// What the search thought, in hundredths of a unit.
    thought: f32,
    /// 1 for a win of the side to move, 0 for a loss; unknown in an aside.
    result: Option<f32>,
    /// The last one of its game or aside.
    is_last: bool,
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
            for (thought, result) in
                samples.iter().filter_map(|sample| Some((sample.thought, sample.result?)))
            {
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
        let mut later = (Side::First, 0.5);
        for sample in samples.iter_mut().rev() {
            let side = sample.position.side_to_move();
            let thought = odds(sample.thought * self.worth);
            let future = match later {
                _ if sample.is_last => sample.result.unwrap_or(thought),
                (by, expected) if by == side => expected,
                (_, expected) => 1.0 - expected,
            };
            let expected = foresight * future + (1.0 - foresight) * thought;
            later = (side, expected);
            let result = sample.result.unwrap_or(expected);
            sample.target = self.results * result + (1.0 - self.results) * expected;
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

/// The two parts of every weight.
struct Model {
    weights: Vec<[f32; 2]>,
    /// Where they began.
    start: Vec<[f32; 2]>,
    /// The squared steps that they have taken.
    taken: Vec<[f32; 2]>,
    /// How strongly a single position pulls them back, by the number of those in which they count.
    pull: Vec<f32>,
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
    model.hold::<P, E>(&samples.learned, arguments.l2);
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
            loss += f64::from(model.learn::<P, E>(&sample.position, sample.target, arguments.rate));
        }
        let loss = loss / learned.max(1) as f64;
        let held_out = model.losses::<P, E>(&samples.held_out);
        bar.suspend(|| eprintln!("epoch {epoch}: loss {loss:.5}, held out {held_out}"));
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
            add::<P, E>(&game, samples).map_err(|error| GamesError::NoMove {
                path: path.clone(),
                game: game.number,
                error,
            })?;
        }
    }
    Ok(samples)
}

/// Adds the samples of a game, and after them those of its asides.
fn add<P: Ordered, E: Weighted<P>>(
    game: &GameLine<'_>,
    samples: &mut Vec<Sample<P>>,
) -> Result<(), MoveError> {
    let mut replay = Replay::<P>::default();
    let (mut main, mut asides, mut aside) = (Vec::new(), Vec::new(), Vec::new());
    let (mut moves, mut gains) = (Vec::new(), Vec::new());
    for step in game.steps() {
        match step {
            Step::Ply(Ply { score: Some(Score(thought)), .. }) => {
                let position = *replay.position();
                moves.clear();
                position.moves(&mut moves);
                gains.clear();
                position.gains(true, &mut gains);
                if position.is_quiet(&moves) && gains.is_empty() {
                    let is_aside = replay.is_aside();
                    let result = score(game.result.0, position.side_to_move());
                    let sample = Sample {
                        position,
                        thought: thought.clamp(-E::DECIDED, E::DECIDED) as f32,
                        result: (!is_aside).then_some(result),
                        is_last: false,
                        target: f32::NAN,
                    };
                    if is_aside { &mut aside } else { &mut main }.push(sample);
                }
            }
            Step::Return => {
                end(&mut aside);
                asides.append(&mut aside);
            }
            Step::Ply(_) | Step::Aside => (),
        }
        replay.step(&step)?;
    }
    end(&mut main);
    end(&mut aside);
    samples.extend(main.into_iter().chain(asides).chain(aside));
    Ok(())
}

/// Nothing follows on the last one of `samples`.
fn end<P>(samples: &mut [Sample<P>]) {
    if let Some(last) = samples.last_mut() {
        last.is_last = true;
    }
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
        let zeros = vec![[0.0; 2]; count];
        Self {
            weights: zeros.clone(),
            start: zeros,
            taken: vec![[1.0; 2]; count],
            pull: Vec::new(),
        }
    }

    /// Takes the weights of a file, whose scale is that of the search.
    fn begin_with(&mut self, weights: &[[i16; 2]], Target { worth, .. }: Target) {
        let scaled = |part: i16| f32::from(part) * worth / 16.0;
        self.weights = weights.iter().map(|pair| pair.map(scaled)).collect();
        self.start.clone_from(&self.weights);
    }

    /// Lets the positions together pull the weights of patterns back where they began, with the same
    /// strength however many they are (a normal prior).
    fn hold<P: Ordered, E: Weighted<P>>(&mut self, samples: &[Sample<P>], l2: f32) {
        let mut counts = vec![0_u32; self.weights.len()];
        for sample in samples {
            E::features(&sample.position, |index, _| counts[index] += 1);
        }
        let pull = |(index, count): (usize, u32)| {
            if index < E::DENSE { l2 / count.max(1) as f32 } else { 0.0 }
        };
        self.pull = counts.into_iter().enumerate().map(pull).collect();
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
    fn learn<P: Position, E: Weighted<P>>(&mut self, position: &P, target: f32, rate: f32) -> f32 {
        let expected = self.expected::<P, E>(position);
        let error = expected - target;
        let shares = Self::shares::<P, E>(position);
        E::features(position, |index, count| {
            let (start, pull) = (self.start[index], self.pull[index]);
            let parts = self.weights[index].iter_mut().zip(&mut self.taken[index]);
            for (((weight, taken), start), share) in parts.zip(start).zip(shares) {
                let gradient = error * count as f32 * share + pull * (*weight - start);
                *taken += gradient * gradient;
                *weight -= rate * gradient / taken.sqrt();
            }
        });
        entropy(expected, target)
    }

    /// The losses of samples that are not learned from.
    fn losses<P: Ordered, E: Weighted<P>>(&self, samples: &[Sample<P>]) -> Losses {
        let mut losses = Losses::default();
        for sample in samples {
            let expected = self.expected::<P, E>(&sample.position);
            let loss = entropy(expected, sample.target);
            match sample.result {
                None => losses.asides.add(loss),
                Some(result) => {
                    losses.games.add(loss);
                    losses.results.add(entropy(expected, result));
                }
            }
        }
        losses
    }

    /// The file of the weights, on the scale of the search that played the games.
    fn file(&self, variant: Variant, Target { worth, .. }: Target) -> Vec<u8> {
        let scaled = |weight: f32| (weight * 16.0 / worth).round() as i16;
        let weights: Vec<[i16; 2]> = self.weights.iter().map(|pair| pair.map(scaled)).collect();
        weights::write(variant.name(), &weights)
    }
}

/// The losses of positions of games, of their results alone, and of positions of asides.
#[derive(Clone, Copy, Default)]
struct Losses {
    games: Mean,
    results: Mean,
    asides: Mean,
}

impl fmt::Display for Losses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, results, asides } = self;
        write!(f, "{games}, of the results alone {results}")?;
        if asides.count > 0 { write!(f, ", asides {asides}") } else { Ok(()) }
    }
}

/// A mean that is being added up.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.sum += f64::from(value);
        self.count += 1;
    }
}

impl fmt::Display for Mean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.5}", self.sum / self.count.max(1) as f64)
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

    /// A sample of a game that White won, or of an aside.
    fn sample(
        is_black: bool,
        thought: f32,
        is_aside: bool,
        is_last: bool,
    ) -> Sample<Draughts<Fmjd>> {
        let start = Draughts::<Fmjd>::start(());
        let position = if is_black { start.mirrored() } else { start };
        let result = if is_black { 0.0 } else { 1.0 };
        let result = (!is_aside).then_some(result);
        Sample { position, thought, result, is_last, target: f32::NAN }
    }

    #[test]
    fn later_thoughts_count_less_and_less_and_never_those_of_another_game() {
        // A game with a ply that was not thought about, an aside, another game.
        let mut samples = [
            sample(false, 100.0, false, false),
            sample(true, 50.0, false, false),
            sample(true, -200.0, false, true),
            sample(false, 300.0, true, false),
            sample(true, -100.0, true, true),
            sample(false, 0.0, false, true),
        ];
        let target = Target { worth: 0.01, results: 0.25 };
        target.set(&mut samples, 0.75);
        let third = 0.25 * odds(-2.0);
        let second = 0.25 * odds(0.5) + 0.75 * third;
        let first = 0.25 * odds(1.0) + 0.75 * (1.0 - second);
        let aside = 0.25 * odds(3.0) + 0.75 * (1.0 - odds(-1.0));
        let other = 0.25 * odds(0.0) + 0.75;
        let game = [0.25 + 0.75 * first, 0.75 * second, 0.75 * third];
        let expected = game.into_iter().chain([aside, odds(-1.0), 0.25 + 0.75 * other]);
        for (number, (sample, expected)) in samples.iter().zip(expected).enumerate() {
            assert!(
                (sample.target - expected).abs() < 1e-6,
                "{number}: {} {expected}",
                sample.target
            );
        }
    }

    #[test]
    fn positions_of_asides_follow_those_of_the_game_and_have_no_result() {
        let text = "1 1-0 32-28/5 ( 33-29 17-22/7 ) 17-22/-5 28x17/9 ( 28x17 ) 12x21/8";
        let game = GameLine::read(text).expect("a game");
        let mut samples: Vec<Sample<Draughts<Fmjd>>> = Vec::new();
        add::<_, draughts::Evaluation<Fmjd>>(&game, &mut samples).expect("legal moves");
        let found: Vec<_> =
            samples.iter().map(|sample| (sample.thought, sample.result, sample.is_last)).collect();
        // Captures are no quiet positions.
        let expected = [(5.0, Some(1.0), false), (-5.0, Some(0.0), true), (7.0, None, true)];
        assert_eq!(found, expected);
        assert!(samples[2].position.board() != samples[1].position.board());
    }

    #[test]
    fn few_positions_move_a_weight_less_than_many() {
        let moved = |count: usize| {
            let samples: Vec<_> = (0..count).map(|_| sample(false, 0.0, true, true)).collect();
            let mut model = Model::new(<draughts::Evaluation<Fmjd> as Weighted<_>>::WEIGHTS);
            model.hold::<_, draughts::Evaluation<Fmjd>>(&samples, 100.0);
            for _ in 0..4000 / count {
                for sample in &samples {
                    model.learn::<_, draughts::Evaluation<Fmjd>>(&sample.position, 0.6, 0.02);
                }
            }
            let pattern = model.pull.iter().position(|&pull| pull < 100.0).expect("a pattern");
            model.weights[pattern][0].abs()
        };
        let [few, many] = [10, 1000].map(moved);
        assert!(0.0 < few && 2.0 * few < many, "{few} {many}");
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
