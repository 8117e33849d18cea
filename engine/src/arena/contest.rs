//! What the arena needs of a game besides its rules.

use super::deal::{Deal, FaceDown, Open};
use crate::games::banqi::{self, Banqi};
use crate::games::draughts::{self, Draughts, Fmjd, Site};
use crate::games::halma::{self, Halma};
use crate::games::kalah::{self, Kalah};
use crate::position::Ordered;
use crate::search::{Search, Selectivity, alpha_beta, expectimax};

/// A game that matches can be played in.
pub(crate) trait Contest: Ordered {
    /// What is hidden in it.
    type Deal: Deal<Self>;

    /// A search that judges whether an opening is balanced.
    fn judge() -> Box<dyn Search<Self>>;
}

impl Contest for Draughts<Site> {
    type Deal = Open;

    fn judge() -> Box<dyn Search<Self>> {
        Box::new(alpha_beta::<Self, _>(draughts::Evaluation::default(), Selectivity::Selective))
    }
}

impl Contest for Draughts<Fmjd> {
    type Deal = Open;

    fn judge() -> Box<dyn Search<Self>> {
        Box::new(alpha_beta::<Self, _>(draughts::Evaluation::default(), Selectivity::Selective))
    }
}

impl Contest for Halma {
    type Deal = Open;

    fn judge() -> Box<dyn Search<Self>> {
        Box::new(alpha_beta::<Self, _>(halma::Evaluation, Selectivity::Selective))
    }
}

impl Contest for Banqi {
    type Deal = FaceDown;

    fn judge() -> Box<dyn Search<Self>> {
        Box::new(expectimax::<Self, _>(banqi::Evaluation::default(), Selectivity::Selective))
    }
}

impl Contest for Kalah {
    type Deal = Open;

    fn judge() -> Box<dyn Search<Self>> {
        Box::new(alpha_beta::<Self, _>(kalah::Evaluation, Selectivity::Selective))
    }
}
