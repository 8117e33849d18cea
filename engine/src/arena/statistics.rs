//! What the results of a match say about strength: Elo, normalized Elo, the likelihood of
//! superiority, and the sequential probability ratio test (SPRT).
//!
//! The unit of all statistics is the pair: two games from one opening with the sides swapped are
//! one draw from a distribution over the five scores 0, ¼, ½, ¾, 1 (pentanomial). So the luck of an
//! opening does not pass for noise. The same formulas serve single games with three scores.
//! Source of the tests: M. Van den Bergh, *The generalized sequential probability ratio test*; a
//! normalized Elo is a difference in units of the standard deviation of a game.

use std::f64::consts::LN_10;

use serde::{Deserialize, Serialize};

/// The quantile of the normal distribution that 97.5 % lie below.
const QUANTILE: f64 = 1.959_964;

/// The Elo that go with a factor e in the odds, divided by two: normalized Elo per standard
/// deviation.
const NORMALIZED: f64 = 800.0 / LN_10;

/// A count of zero stands for so much in a test: something unseen is not impossible.
const UNSEEN: f64 = 1e-3;

/// How often each score of a pair, or of a game, occurred; the scores are equally spaced from 0 to 1.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Distribution {
    counts: Vec<f64>,
}

/// What a number is known to be: the estimate and half of the interval that holds it in 95 % of
/// cases.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) error: f64,
}

impl Distribution {
    /// Five counts are pairs, three are games.
    pub(super) fn new(counts: &[u64]) -> Self {
        Self { counts: counts.iter().map(|&count| count as f64).collect() }
    }

    /// The same without zeros.
    fn regularized(&self) -> Self {
        let counts = self.counts.iter().map(|&count| if count == 0.0 { UNSEEN } else { count });
        Self { counts: counts.collect() }
    }

    fn total(&self) -> f64 {
        self.counts.iter().sum()
    }

    /// The scores, each with its share.
    fn shares(&self) -> Vec<(f64, f64)> {
        let (total, last) = (self.total(), (self.counts.len() - 1) as f64);
        let scored = self.counts.iter().enumerate();
        scored.map(|(index, &count)| (index as f64 / last, count / total)).collect()
    }

    /// Games in a draw from the distribution.
    fn games(&self) -> f64 {
        if self.counts.len() == 5 { 2.0 } else { 1.0 }
    }

    fn mean_and_variance(&self) -> (f64, f64) {
        moments(&self.shares())
    }

    /// The standard error of the mean.
    fn standard_error(&self) -> f64 {
        (self.mean_and_variance().1 / self.total()).sqrt()
    }

    /// The difference in Elo; infinite where every point went to one side.
    pub(super) fn elo(&self) -> Estimate {
        let (mean, half) = (self.mean_and_variance().0, QUANTILE * self.standard_error());
        let error = (elo_of(mean + half) - elo_of(mean - half)) / 2.0;
        Estimate { value: elo_of(mean), error: if error.is_nan() { f64::INFINITY } else { error } }
    }

    /// The difference in normalized Elo.
    pub(super) fn normalized_elo(&self) -> Estimate {
        let (mean, variance) = self.mean_and_variance();
        let value = match (mean - 0.5, variance * self.games()) {
            (0.0, _) => 0.0,
            (advantage, variance) => advantage / variance.sqrt() * NORMALIZED,
        };
        let error = NORMALIZED / self.games().sqrt() * QUANTILE / self.total().sqrt();
        Estimate { value, error }
    }

    /// How likely the first player is the better one, in 0..=1.
    pub(super) fn superiority(&self) -> f64 {
        match self.mean_and_variance().0 - 0.5 {
            0.0 => 0.5,
            advantage => normal_distribution(advantage / self.standard_error()),
        }
    }
}

/// The Elo difference of an expected score.
fn elo_of(score: f64) -> f64 {
    match score {
        _ if score <= 0.0 => f64::NEG_INFINITY,
        _ if score >= 1.0 => f64::INFINITY,
        _ => 400.0 * (score / (1.0 - score)).log10(),
    }
}

/// The expected score of an Elo difference.
fn score_of(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

fn moments(shares: &[(f64, f64)]) -> (f64, f64) {
    let mean: f64 = shares.iter().map(|(score, share)| score * share).sum();
    (mean, shares.iter().map(|(score, share)| share * (score - mean).powi(2)).sum())
}

/// Φ, the distribution function of the standard normal distribution, to about 1e-15.
fn normal_distribution(x: f64) -> f64 {
    match x {
        _ if x < 0.0 => 1.0 - normal_distribution(-x),
        _ if x > 38.0 => 1.0,
        // Near the middle the series of the integral converges (Marsaglia 2004)…
        _ if x < 5.0 => {
            let (mut term, mut sum, mut odd) = (x, x, 1.0);
            while term > sum * 1e-17 {
                odd += 2.0;
                term *= x * x / odd;
                sum += term;
            }
            0.5 + sum * (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
        }
        // …far out the continued fraction of the tail does.
        _ => {
            let fraction = (1..=60).rev().fold(x, |rest, n| x + f64::from(n) / rest);
            1.0 - (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt() / fraction
        }
    }
}

/// How the hypotheses of a test measure strength.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Model {
    /// In normalized Elo: the number of games does not depend on how many are drawn.
    #[default]
    Normalized,
    /// In Elo.
    Logistic,
}

/// A sequential test of two hypotheses about the difference in strength.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Sprt {
    /// The difference that is to be ruled out.
    pub(super) elo0: f64,
    /// The difference that is hoped for.
    pub(super) elo1: f64,
    /// How likely `elo1` may be accepted when `elo0` is true.
    pub(super) alpha: f64,
    /// How likely `elo0` may be accepted when `elo1` is true.
    pub(super) beta: f64,
    /// What the differences are measured in.
    pub(super) model: Model,
}

/// How a sequential test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Decision {
    /// `elo0` is accepted.
    Null,
    /// `elo1` is accepted.
    Alternative,
}

impl Sprt {
    /// The log-likelihood ratios at which the test ends.
    pub(super) fn bounds(&self) -> (f64, f64) {
        let (alpha, beta) = (self.alpha, self.beta);
        ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln())
    }

    /// The log-likelihood ratio of `elo1` to `elo0`, 0 before the first result.
    pub(super) fn log_likelihood_ratio(&self, results: &Distribution) -> f64 {
        if results.total() == 0.0 {
            return 0.0;
        }
        let results = results.regularized();
        let shares = results.shares();
        let fit = |elo: f64| match self.model {
            Model::Logistic => fit_mean(&shares, score_of(elo)),
            Model::Normalized => fit_normalized(&shares, elo / NORMALIZED * results.games().sqrt()),
        };
        let (null, alternative) = (fit(self.elo0), fit(self.elo1));
        let ratio: f64 = shares
            .iter()
            .zip(null.iter().zip(&alternative))
            .map(|((_, share), (null, alternative))| share * (alternative.ln() - null.ln()))
            .sum();
        results.total() * ratio
    }

    /// What a log-likelihood ratio decides.
    pub(super) fn decision(&self, ratio: f64) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        match ratio {
            _ if ratio <= lower => Some(Decision::Null),
            _ if ratio >= upper => Some(Decision::Alternative),
            _ => None,
        }
    }
}

/// The shares nearest to the observed ones whose mean is `mean`.
fn fit_mean(shares: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let deviations: Vec<f64> = shares.iter().map(|(score, _)| score - mean).collect();
    tilted(shares, &deviations)
}

/// The shares nearest to the observed ones whose mean lies `t` standard deviations above ½: a fixed
/// point, since the standard deviation is that of the shares sought.
fn fit_normalized(shares: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut fitted = vec![1.0 / shares.len() as f64; shares.len()];
    for _ in 0..10 {
        let scored: Vec<_> = shares.iter().map(|share| share.0).zip(fitted.clone()).collect();
        let (mean, variance) = moments(&scored);
        let deviation = variance.sqrt();
        let constraint: Vec<f64> = shares
            .iter()
            .map(|(score, _)| {
                let distance = (mean - score) / deviation;
                score - 0.5 - 0.5 * t * deviation * (1.0 + distance * distance)
            })
            .collect();
        let next = tilted(shares, &constraint);
        let change = next.iter().zip(&fitted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-9 {
            break;
        }
    }
    fitted
}

/// The shares nearest to the observed ones under which `constraint` is 0 on average: each share
/// divided by `1 + x * constraint`, with the x that makes it so.
fn tilted(shares: &[(f64, f64)], constraint: &[f64]) -> Vec<f64> {
    let least = constraint.iter().copied().fold(f64::INFINITY, f64::min);
    let most = constraint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let average = |x: f64| -> f64 {
        shares.iter().zip(constraint).map(|((_, share), phi)| share * phi / (1.0 + x * phi)).sum()
    };
    // The average falls from +∞ to −∞ between the poles; halving is exact enough and never fails.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = low.midpoint(high);
        if average(middle) > 0.0 { low = middle } else { high = middle }
    }
    let x = low.midpoint(high);
    shares.iter().zip(constraint).map(|((_, share), phi)| share / (1.0 + x * phi)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results with all their statistics, as two public programs compute them.
    const VECTORS: &str = include_str!("../../tests/golden/sprt-vectors.json");

    fn vectors() -> Vec<(Distribution, serde_json::Value)> {
        let vectors: Vec<serde_json::Value> = serde_json::from_str(VECTORS).unwrap();
        assert_eq!(vectors.len(), 26);
        let read = |vector: serde_json::Value| {
            let counts: Vec<u64> = serde_json::from_value(vector["results"].clone()).unwrap();
            (Distribution::new(&counts), vector)
        };
        vectors.into_iter().map(read).collect()
    }

    fn check(vector: &serde_json::Value, field: &str, found: f64, tolerance: f64) {
        let expected = vector[field].as_f64().unwrap();
        let scale = expected.abs().max(1.0);
        let results = &vector["results"];
        assert!(
            (found - expected).abs() <= tolerance * scale,
            "{field} of {results} is {found}, expected {expected}"
        );
    }

    #[test]
    fn estimates_are_those_of_other_programs() {
        for (results, vector) in vectors() {
            let results = results.regularized();
            // The other programs keep the expected score of an Elo within 0.001 and 0.999.
            let most = elo_of(0.999);
            check(&vector, "elo", results.elo().value.clamp(-most, most), 1e-6);
            check(&vector, "nelo", results.normalized_elo().value, 1e-6);
            check(&vector, "nelo_err95", results.normalized_elo().error, 1e-6);
            check(&vector, "los", results.superiority(), 1e-6);
            let (mean, half) = (results.mean_and_variance().0, QUANTILE * results.standard_error());
            if mean - half > 0.0 && mean + half < 1.0 {
                check(&vector, "err95", results.elo().error, 1e-6);
            }
        }
    }

    #[test]
    fn likelihood_ratios_are_those_of_other_programs() {
        for (results, vector) in vectors() {
            for (elo0, elo1) in [(0.0, 5.0), (0.0, 10.0), (-5.0, 0.0), (0.5, 2.5)] {
                let ratio = |model| {
                    let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model };
                    sprt.log_likelihood_ratio(&results)
                };
                let field = |model| format!("LLR_{model}_{elo0}_{elo1}");
                check(&vector, &field("logistic"), ratio(Model::Logistic), 1e-5);
                check(&vector, &field("normalized"), ratio(Model::Normalized), 1.6e-5);
            }
        }
    }

    #[test]
    fn a_test_ends_at_its_bounds() {
        let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
        let (lower, upper) = sprt.bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
        assert_eq!(sprt.decision(2.94), None);
        assert_eq!(sprt.decision(2.95), Some(Decision::Alternative));
        assert_eq!(sprt.decision(-2.95), Some(Decision::Null));
    }

    #[test]
    fn one_sided_results_are_infinite_and_never_undefined() {
        let check = |counts: &[u64], elo: &str, superiority: &str| {
            let results = Distribution::new(counts);
            let (found, normalized) = (results.elo(), results.normalized_elo());
            assert_eq!(found.value.to_string(), elo, "{counts:?}");
            assert!(!found.error.is_nan() && !normalized.value.is_nan(), "{counts:?}");
            assert_eq!(results.superiority().to_string(), superiority, "{counts:?}");
        };
        check(&[0, 0, 0, 0, 10], "inf", "1");
        check(&[10, 0, 0, 0, 0], "-inf", "0");
        check(&[0, 0, 10, 0, 0], "0", "0.5");
        check(&[5, 0, 0, 0, 5], "0", "0.5");
    }

    #[test]
    fn the_normal_distribution_is_that_of_the_tables() {
        let check = |x: f64, expected: f64| {
            let found = normal_distribution(x);
            assert!((found - expected).abs() < 1e-12, "Φ({x}) = {found}, expected {expected}");
        };
        check(0.0, 0.5);
        check(1.0, 0.841_344_746_068_543);
        check(-1.959_963_984_540_054, 0.025);
        check(3.0, 0.998_650_101_968_37);
        check(5.0, 0.999_999_713_348_428);
        check(4.999_999_999, 0.999_999_713_348_428);
        check(40.0, 1.0);
    }
}
