//! The games that can be played: which rules, which search and which evaluation go together.

use super::dialect::hub;
use super::notation::Notation;
use super::session::{GameSession, Session};
use crate::games::banqi::{self, Banqi};
use crate::games::draughts::{self, Draughts, Fmjd, Learned, Site};
use crate::games::halma::{self, Halma};
use crate::games::kalah::{self, Kalah};
use crate::position::{Deterministic, Evaluate, Ordered, Race, Solve};
use crate::search::{Selectivity, alpha_beta, expectimax, proof, racing};

/// A game as the option `UCI_Variant` offers it.
pub struct Variant {
    /// Its name, in lower case.
    pub name: &'static str,
    /// Begins a session at the start position, with tables as small as can be.
    pub(super) open: fn() -> Box<dyn Session>,
    /// How it is played in Hub, if it is.
    pub(super) hub: Option<HubVariant>,
    /// Its part of `bench`.
    pub(super) bench: Bench,
}

/// A variant as the Hub protocol offers it.
pub(super) struct HubVariant {
    /// The value of the parameter `variant`.
    pub(super) name: &'static str,
    /// As [`Variant::open`], with positions and moves as Hub writes them.
    pub(super) open: fn() -> Box<dyn Session>,
}

/// Fixed searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bench {
    /// How deep each position is searched.
    pub depth: u32,
    /// One position a line, as the command `position` takes it; lines with `#` are comments.
    pub positions: &'static str,
}

/// All games, the default first.
pub const VARIANTS: &[Variant] = &[
    Variant::draughts::<Site>("draughts", "site", DRAUGHTS),
    Variant::draughts::<Fmjd>("draughts-fmjd", hub::NORMAL, DRAUGHTS_FMJD),
    Variant::race::<Halma, halma::Evaluation, halma::race::Runner>("halma", HALMA),
    Variant::chance::<Banqi, banqi::Evaluation>("banqi", BANQI),
    Variant::solved::<Kalah, kalah::Evaluation, kalah::Solver>("kalah", KALAH),
];

// Depths that take about a second each in a debug build.
const DRAUGHTS: Bench = Bench { depth: 11, positions: include_str!("bench/draughts.txt") };
const DRAUGHTS_FMJD: Bench =
    Bench { depth: 11, positions: include_str!("bench/draughts-fmjd.txt") };
const HALMA: Bench = Bench { depth: 5, positions: include_str!("bench/halma.txt") };
const BANQI: Bench = Bench { depth: 4, positions: include_str!("bench/banqi.txt") };
const KALAH: Bench = Bench { depth: 13, positions: include_str!("bench/kalah.txt") };

impl Variant {
    /// Draughts by the rules `R`, which Hub calls `hub`.
    pub(super) const fn draughts<R: Learned>(
        name: &'static str,
        hub: &'static str,
        bench: Bench,
    ) -> Self {
        let open = || draughts_session::<R>(Notation::native());
        let hub = HubVariant { name: hub, open: || draughts_session::<R>(Notation::hub()) };
        Self { name, open, hub: Some(hub), bench }
    }

    /// The game `P`, in which chance has a say, judged by `E`.
    pub const fn chance<P, E>(name: &'static str, bench: Bench) -> Self
    where
        P: Ordered,
        E: Evaluate<P> + Default,
    {
        let open = || {
            let search = expectimax::<P, E>(E::default(), Selectivity::Selective);
            GameSession::boxed(E::default(), search, Notation::native())
        };
        Self { name, open, hub: None, bench }
    }

    /// The game `P` of skill, judged by `E`, in which `R` runs once the sides are past each other.
    pub const fn race<P, E, R>(name: &'static str, bench: Bench) -> Self
    where
        P: Deterministic + Ordered,
        E: Evaluate<P> + Default,
        R: Race<P> + Default + 'static,
    {
        let open = || {
            let search = racing(E::default(), R::default());
            GameSession::boxed(E::default(), search, Notation::native())
        };
        Self { name, open, hub: None, bench }
    }

    /// The game `P` of skill, judged by `E` and played out by `S`.
    pub const fn solved<P, E, S>(name: &'static str, bench: Bench) -> Self
    where
        P: Deterministic + Ordered,
        E: Evaluate<P> + Default,
        S: Solve<P> + Default + 'static,
    {
        let open = || {
            let search = proof(E::default(), S::default());
            GameSession::boxed(E::default(), search, Notation::native())
        };
        Self { name, open, hub: None, bench }
    }
}

fn draughts_session<R: Learned>(notation: Notation<Draughts<R>>) -> Box<dyn Session> {
    let evaluation = draughts::Evaluation::<R>::default;
    let search = alpha_beta(evaluation(), Selectivity::Selective);
    GameSession::boxed(evaluation(), search, notation)
}

impl Bench {
    /// The lines of positions, without comments.
    pub(super) fn lines(self) -> impl Iterator<Item = &'static str> {
        let lines = self.positions.lines().map(str::trim);
        lines.filter(|line| !line.is_empty() && !line.starts_with('#'))
    }
}

/// The names of `variants`.
pub fn names(variants: &[Variant]) -> impl Iterator<Item = &'static str> {
    variants.iter().map(|variant| variant.name)
}

/// The variant called `name`, in whatever case.
pub(super) fn find<'a>(variants: &'a [Variant], name: &str) -> Option<&'a Variant> {
    variants.iter().find(|variant| variant.name.eq_ignore_ascii_case(name))
}
