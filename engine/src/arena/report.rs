//! What a match has shown, in the shape that other tools read.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::fault::FaultKind;
use super::record::{GameRecord, Mover, PairRecord};
use super::settings::Settings;
use super::statistics::{Distribution, Estimate, Sprt};

/// The results between two players, from the view of the first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Tally {
    /// Games lost, drawn, won.
    pub(super) games: [u64; 3],
    /// Pairs by half points, 0 to 4.
    pub(super) pairs: [u64; 5],
    /// Of the pairs with two half points, those without a draw.
    decisive: u64,
}

impl Tally {
    /// Counts a pair between two players, in either order.
    fn add(&mut self, pair: &PairRecord, player: &str) {
        let halves = pair.games.each_ref().map(|game| game.half_points(player));
        for half_points in halves {
            self.games[half_points] += 1;
        }
        self.pairs[halves[0] + halves[1]] += 1;
        self.decisive += u64::from(halves == [0, 2] || halves == [2, 0]);
    }

    /// The same results from the view of the other player.
    fn reversed(mut self) -> Self {
        self.games.reverse();
        self.pairs.reverse();
        self
    }

    /// The results of two meetings together.
    fn merged(mut self, other: Self) -> Self {
        for (sum, count) in self.games.iter_mut().zip(other.games) {
            *sum += count;
        }
        for (sum, count) in self.pairs.iter_mut().zip(other.pairs) {
            *sum += count;
        }
        self.decisive += other.decisive;
        self
    }

    fn total(&self) -> u64 {
        self.games.iter().sum()
    }

    fn points(&self) -> f64 {
        self.games[2] as f64 + self.games[1] as f64 / 2.0
    }

    /// The distribution that statistics are made from.
    pub(super) fn distribution(&self) -> Distribution {
        Distribution::new(&self.pairs)
    }
}

/// What a player did in all its games.
#[derive(Clone, Debug, Default)]
struct Behavior {
    moves: u64,
    depths: (u64, u64),
    nodes: (u64, f64),
    milliseconds: f64,
    longest: f64,
    warnings: [u64; 3],
    faults: BTreeMap<&'static str, u64>,
}

impl Behavior {
    fn add(&mut self, game: &GameRecord, player: &str) {
        let side = if game.first == player { Mover::First } else { Mover::Second };
        for ply in game.plies.iter().filter(|ply| ply.mover == side) {
            self.moves += 1;
            self.milliseconds += ply.time;
            self.longest = self.longest.max(ply.time);
            if let Some(depth) = ply.depth {
                self.depths = (self.depths.0 + 1, self.depths.1 + u64::from(depth));
            }
            if let Some(nodes) = ply.nodes {
                self.nodes = (self.nodes.0 + nodes, self.nodes.1 + ply.time);
            }
        }
        let warnings = game.warnings[side as usize];
        let found = [warnings.illegal, warnings.other_move, warnings.past_end];
        for (sum, count) in self.warnings.iter_mut().zip(found) {
            *sum += count;
        }
        if let Some(fault) = game.fault.as_ref().filter(|fault| fault.player == player) {
            *self.faults.entry(fault.kind.name()).or_default() += 1;
        }
    }
}

impl fmt::Display for Behavior {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = self.moves.max(1) as f64;
        write!(f, "{} moves", self.moves)?;
        if self.depths.0 > 0 {
            write!(f, ", depth {:.2}", self.depths.1 as f64 / self.depths.0 as f64)?;
        }
        if self.nodes.0 > 0 {
            write!(f, ", {:.0} nodes/s", self.nodes.0 as f64 * 1e3 / self.nodes.1.max(1e-3))?;
        }
        let (mean, longest) = (self.milliseconds / moves, self.longest);
        write!(f, ", {mean:.2} ms/move (longest {longest:.2})")?;
        let [illegal, other_move, past_end] = self.warnings;
        write!(
            f,
            "; PV warnings: {illegal} illegal, {other_move} not starting with bestmove, \
             {past_end} past the end; faults: "
        )?;
        if self.faults.is_empty() {
            return write!(f, "none");
        }
        let kinds = FaultKind::ALL.iter().filter_map(|kind| self.faults.get_key_value(kind.name()));
        let texts: Vec<String> = kinds.map(|(kind, count)| format!("{count} {kind}")).collect();
        write!(f, "{}", texts.join(", "))
    }
}

/// The results of a match so far.
#[derive(Clone, Debug)]
pub(super) struct Standings {
    names: Vec<String>,
    /// By the numbers of two players, the smaller first.
    meetings: BTreeMap<(usize, usize), Tally>,
    behavior: Vec<Behavior>,
    sprt: Option<Sprt>,
    pairs: u64,
}

impl Standings {
    /// The standings before the first pair.
    pub(super) fn new(settings: &Settings) -> Self {
        let names: Vec<String> = settings.players.iter().map(|spec| spec.name.clone()).collect();
        Self {
            behavior: vec![Behavior::default(); names.len()],
            names,
            meetings: BTreeMap::new(),
            sprt: settings.sprt,
            pairs: 0,
        }
    }

    /// Counts a pair.
    pub(super) fn add(&mut self, pair: &PairRecord) {
        let number = |name: &String| self.names.iter().position(|other| other == name);
        let (Some(a), Some(b)) = (number(&pair.players[0]), number(&pair.players[1])) else {
            return;
        };
        let (first, second) = (a.min(b), a.max(b));
        self.meetings.entry((first, second)).or_default().add(pair, &self.names[first]);
        for player in [a, b] {
            for game in &pair.games {
                self.behavior[player].add(game, &self.names[player]);
            }
        }
        self.pairs += 1;
    }

    /// Pairs that are counted.
    pub(super) fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The results of the first player against the second.
    pub(super) fn duel(&self) -> Tally {
        self.meetings.get(&(0, 1)).copied().unwrap_or_default()
    }

    /// The results of two players, from the view of the first.
    fn meeting(&self, player: usize, opponent: usize) -> Option<Tally> {
        if player < opponent {
            self.meetings.get(&(player, opponent)).copied()
        } else {
            self.meetings.get(&(opponent, player)).map(|tally| tally.reversed())
        }
    }

    /// The state of the test.
    pub(super) fn test(&self) -> Option<(Sprt, f64)> {
        let sprt = self.sprt?;
        Some((sprt, sprt.log_likelihood_ratio(&self.duel().distribution())))
    }

    /// A few words on the state of the match.
    pub(super) fn summary(&self) -> String {
        let mut text = String::new();
        if self.names.len() == 2 && self.pairs > 0 {
            let tally = self.duel();
            let [losses, draws, wins] = tally.games;
            let elo = tally.distribution().elo();
            let _ = write!(text, "+{wins} ={draws} -{losses}, Elo {}", Plain(elo));
        }
        if let Some((sprt, ratio)) = self.test() {
            let (lower, upper) = sprt.bounds();
            let _ = write!(text, ", LLR {ratio:.2} ({lower:.2}, {upper:.2})");
        }
        text
    }
}

/// The whole report.
impl fmt::Display for Standings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (&(first, second), tally) in &self.meetings {
            writeln!(f, "Results of {} vs {}:", self.names[first], self.names[second])?;
            write_tally(f, tally)?;
            if let Some((sprt, ratio)) = self.test() {
                let (lower, upper) = sprt.bounds();
                let Sprt { elo0, elo1, .. } = sprt;
                write!(f, "LLR: {ratio:.2} ({lower:.2}, {upper:.2}) [{elo0:.2}, {elo1:.2}]")?;
                match sprt.decision(ratio) {
                    None => writeln!(f)?,
                    Some(super::statistics::Decision::Null) => writeln!(f, " H0 accepted")?,
                    Some(super::statistics::Decision::Alternative) => {
                        writeln!(f, " H1 accepted")?;
                    }
                }
            }
            writeln!(f)?;
        }
        if self.names.len() > 2 {
            self.write_cross_table(f)?;
            writeln!(f)?;
        }
        for (name, behavior) in self.names.iter().zip(&self.behavior) {
            writeln!(f, "{name}: {behavior}")?;
        }
        Ok(())
    }
}

/// The lines on two players.
fn write_tally(f: &mut fmt::Formatter<'_>, tally: &Tally) -> fmt::Result {
    let [losses, draws, wins] = tally.games;
    let results = tally.distribution();
    let [ll, ld, even, wd, ww] = tally.pairs;
    let pairs = tally.pairs.iter().sum::<u64>() as f64;
    let (games, points) = (tally.total(), tally.points());
    writeln!(f, "Elo: {}, nElo: {}", Plain(results.elo()), Plain(results.normalized_elo()))?;
    writeln!(
        f,
        "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {}",
        100.0 * results.superiority(),
        100.0 * even as f64 / pairs,
        ratio(wd + ww, ll + ld),
    )?;
    writeln!(
        f,
        "Games: {games}, Wins: {wins}, Losses: {losses}, Draws: {draws}, \
         Points: {points:.1} ({:.2} %)",
        100.0 * points / games as f64
    )?;
    writeln!(
        f,
        "Ptnml(0-2): [{ll}, {ld}, {even}, {wd}, {ww}], WL/DD Ratio: {}",
        ratio(tally.decisive, even - tally.decisive)
    )
}

/// A ratio of counts; nothing to nothing is as much as one to one.
fn ratio(part: u64, other: u64) -> String {
    match (part, other) {
        (0, 0) => "1.00".to_owned(),
        (_, 0) => "inf".to_owned(),
        _ => format!("{:.2}", part as f64 / other as f64),
    }
}

/// An estimate as other tools print it.
struct Plain(Estimate);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Rounding must not leave a negative zero.
        let value = if self.0.value.abs() < 0.005 { 0.0 } else { self.0.value };
        write!(f, "{value:.2} +/- {:.2}", self.0.error)
    }
}

impl Standings {
    /// A line a player, the best first: its points, and those against each of the others.
    fn write_cross_table(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let players = 0..self.names.len();
        let against = |player: usize, opponent: usize| match self.meeting(player, opponent) {
            Some(tally) => format!("{:.1}/{}", tally.points(), tally.total()),
            None => "-".to_owned(),
        };
        let sums: Vec<Tally> = players
            .clone()
            .map(|player| {
                let meetings = players.clone().filter(|&opponent| opponent != player);
                let tallies = meetings.filter_map(|opponent| self.meeting(player, opponent));
                tallies.fold(Tally::default(), Tally::merged)
            })
            .collect();
        let share = |player: usize| sums[player].points() / sums[player].total().max(1) as f64;
        let mut order: Vec<usize> = players.clone().collect();
        order.sort_by(|&a, &b| share(b).total_cmp(&share(a)));
        let width = self.names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(6);
        write!(f, "{:>4} {:width$} {:>17} {:>7} {:>9}", "Rank", "Player", "Elo", "%", "Points")?;
        for rank in 1..=order.len() {
            write!(f, " {:>11}", format!("vs {rank}"))?;
        }
        writeln!(f)?;
        for (rank, &player) in (1..).zip(&order) {
            let elo = match sums[player].total() {
                0 => "-".to_owned(),
                _ => Plain(sums[player].distribution().elo()).to_string(),
            };
            let (points, percent) = (sums[player].points(), 100.0 * share(player));
            write!(
                f,
                "{rank:>4} {:width$} {elo:>17} {percent:>7.2} {points:>9.1}",
                self.names[player]
            )?;
            for &opponent in &order {
                write!(f, " {:>11}", against(player, opponent))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
