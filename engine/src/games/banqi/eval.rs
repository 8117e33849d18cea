//! What a position is worth without looking ahead, in hundredths of a soldier.
//!
//! A piece is worth what it can still do: it depends on which enemies live, face up or face down.
//! Nothing here knows where a face-down piece lies; it counts in full for its side, wherever it is,
//! so that a flip alone neither wins nor loses material. What is won by force has to be hunted down,
//! which takes more plies than a search sees: the second term leads the way.

use super::board::{Board, Squares};
use super::endgames::Endgames;
use super::moves;
use super::pool::{Color, Kind, Piece};
use super::{Banqi, Move, QUIET_PLIES_TO_DRAW};
use crate::position::{End, Evaluate, Patience, Term, WinModel};
use crate::score::Score;

/// The evaluation of banqi, with its endgame tables.
#[derive(Debug, Default)]
pub struct Evaluation {
    endgames: Endgames,
}

/// The names of the terms, in the order of [`terms`].
const NAMES: [&str; 3] = ["material", "hunting", "mobility"];

/// The value of a piece by the number of living enemies that outrank it. With all enemies alive
/// these are 1 for an advisor, 3 for an elephant, 5 for a chariot, 7 for a horse, 8 for a soldier.
const BY_OUTRANKING: [i32; 9] = [1400, 900, 700, 520, 400, 300, 220, 160, 100];
/// The value of a general by the number of living enemy soldiers: nothing else endangers it.
const GENERAL_BY_SOLDIERS: [i32; 6] = [1400, 1200, 1080, 1000, 960, 930];
/// A cannon takes everything, but needs a piece to jump: a value for itself, and one for every
/// living piece.
const CANNON: i32 = 220;
const CANNON_BY_SCREEN: i32 = 14;
/// A piece with no enemy left to capture has its value divided by this. It is not zero: the enemy
/// still has to capture the piece in order to win.
const IDLE_DIVISOR: i32 = 8;
/// Material beyond this is divided: who is so far ahead should look for the end.
const AMPLE: i32 = 6000;
const AMPLE_DIVISOR: i32 = 8;

/// What each hunter adds for the kinds of prey that it takes, in 256ths of the value of one such
/// prey, by the plies to the nearest: most at distance 2, where it waits for the prey to move, while
/// next to it the prey has often just evaded. All hunters count, since one alone corners nothing.
const HUNT_BY_DISTANCE: [i32; 11] = [0, 20, 28, 20, 15, 12, 10, 8, 6, 4, 2];
/// The same for prey that a cannon could take now.
const JUMP: i32 = 28;
/// The same for each square that hunted prey lacks to a [`ROOM`] to flee in: corners are traps.
/// In 120 endings at 4 plies, against an evaluation that counted the nearest hunter alone, this
/// scored 0.60 ± 0.04; without confinement it was 0.53, with a room of 20 squares 0.53.
const CONFINED: i32 = 4;
const ROOM: u32 = 10;
/// Hunting is worth no more than this: it is a means to win material.
const HUNTING_AT_MOST: i32 = 4000;

/// For each move of a face-up piece.
const MOVE: i32 = 4;

/// The score fades to zero at this many quiet plies, later than the draw comes: so that progress is
/// better than waiting all the time, but being ahead is still worth something.
const FADE: i32 = QUIET_PLIES_TO_DRAW as i32 + 30;

impl Evaluate<Banqi> for Evaluation {
    /// Fitted to the 31,633 positions of 200 endings without face-down pieces, played at 4 plies.
    const WIN_MODEL: WinModel = WinModel { threshold: 2350.0, spread: 850.0 };

    /// Zero before the first flip. Never beyond 130 soldiers: material is cut down to 81 even for
    /// 16 pieces against none, hunting to 40, and 72 moves make 3.
    fn evaluate(&self, position: &Banqi) -> Score {
        Score(terms(position).into_iter().sum())
    }

    fn prepare(&mut self, position: &Banqi, patience: &mut Patience<'_>) {
        self.endgames.prepare(position, patience);
    }

    fn end(&self, position: &Banqi) -> Option<End> {
        self.endgames.end(position)
    }

    fn terms(&self, position: &Banqi) -> Vec<Term> {
        let scores = terms(position).map(Score);
        NAMES.into_iter().zip(scores).map(|(name, score)| Term { name, score }).collect()
    }
}

/// The terms from the side to move, in the order of [`NAMES`].
fn terms(position: &Banqi) -> [i32; NAMES.len()] {
    let Some(color) = position.to_move else { return [0; NAMES.len()] };
    let board = &position.board;
    let own = Army::of(board, color);
    let enemy = Army::of(board, color.other());

    let material = ample(own.material - enemy.material);
    let hunting = (hunting(board, color, &enemy) - hunting(board, color.other(), &own))
        .clamp(-HUNTING_AT_MOST, HUNTING_AT_MOST);
    let mobility =
        MOVE * (moves::count(board, color) as i32 - moves::count(board, color.other()) as i32);

    let left = FADE - i32::from(position.quiet_plies.min(QUIET_PLIES_TO_DRAW));
    [material, hunting, mobility].map(|term| term * left / FADE)
}

/// A lead beyond [`AMPLE`] cut down.
fn ample(lead: i32) -> i32 {
    let within = lead.clamp(-AMPLE, AMPLE);
    within + (lead - within) / AMPLE_DIVISOR
}

/// What the pieces of a color are worth.
struct Army {
    /// The value of one piece of each kind.
    values: [i32; Kind::ALL.len()],
    /// The value of all living pieces.
    material: i32,
}

impl Army {
    fn of(board: &Board, color: Color) -> Self {
        let living = board.living();
        let counts = |color| Kind::ALL.map(|kind| usize::from(living.count(Piece { color, kind })));
        let (own, enemy) = (counts(color), counts(color.other()));
        let screens = board.occupied().count() as i32;
        let values = Kind::ALL.map(|kind| match kind {
            Kind::Cannon => CANNON + CANNON_BY_SCREEN * screens,
            _ => value(kind, &enemy),
        });
        let material = values.iter().zip(own).map(|(value, count)| value * count as i32).sum();
        Self { values, material }
    }
}

/// The value of a piece other than a cannon against the living `enemy` pieces of each kind.
fn value(kind: Kind, enemy: &[usize; Kind::ALL.len()]) -> i32 {
    let number = |takes: fn(Kind, Kind) -> bool| -> usize {
        let kinds = Kind::ALL.into_iter().filter(|&other| takes(kind, other));
        kinds.map(|other| enemy[other as usize]).sum()
    };
    let full = match kind {
        Kind::General => GENERAL_BY_SOLDIERS[enemy[Kind::Soldier as usize]],
        _ => BY_OUTRANKING[number(|own, other| own != other && other.takes(own))],
    };
    if number(Kind::takes) > 0 { full } else { full / IDLE_DIVISOR }
}

/// How far the pieces of a color have come in hunting down the `prey`, the other color's army.
fn hunting(board: &Board, color: Color, prey: &Army) -> i32 {
    let empty = !board.occupied();
    let jumped = board
        .shown_of(color, Kind::Cannon)
        .squares()
        .fold(Squares::NONE, |set, cannon| set | moves::jumps(board.occupied(), cannon));
    let mut score = 0;
    for kind in Kind::ALL {
        let victims = board.shown_of(color.other(), kind);
        if victims.is_empty() {
            continue;
        }
        let mut parts = JUMP * (victims & jumped).count() as i32;
        let hunters = moves::hunters(board, color, kind);
        if !hunters.is_empty() {
            parts += closeness(hunters, victims, empty) + confinement(hunters, victims, empty);
        }
        score += parts * prey.values[kind as usize] / 256;
    }
    score
}

/// How close the hunters are to the nearest of the victims. They walk over empty squares, and do
/// not stand in each other's way.
fn closeness(mut hunters: Squares, victims: Squares, empty: Squares) -> i32 {
    let passable = empty | hunters;
    let mut reached = victims;
    let mut parts = 0;
    for part in HUNT_BY_DISTANCE.into_iter().skip(1) {
        let next = reached.neighbors();
        let met = next & hunters;
        if !met.is_empty() {
            parts += part * met.count() as i32;
            hunters = hunters & !met;
        }
        let grown = reached | (next & passable);
        if hunters.is_empty() || grown == reached {
            break;
        }
        reached = grown;
    }
    parts
}

/// How little room the victims have: the squares that they reach before a hunter could be there.
fn confinement(hunters: Squares, victims: Squares, empty: Squares) -> i32 {
    let (mut held, mut room) = (hunters, Squares::NONE);
    loop {
        let watched = held.neighbors();
        let grown = room | ((victims | room).neighbors() & empty & !watched);
        if grown == room || grown.count() >= ROOM {
            return CONFINED * ROOM.saturating_sub(grown.count()) as i32;
        }
        room = grown;
        held |= watched & empty;
    }
}

/// The rough values that moves are ordered by.
const ROUGH: [i32; Kind::ALL.len()] = [930, 900, 520, 300, 160, 600, 100];
/// What puts every capture before the quiet moves, unless it hangs a more valuable piece.
const CAPTURE: i32 = 500;
/// A flip next to a face-up piece changes more than one elsewhere.
const FLIP_IN_COMPANY: i32 = 20;
const FLIP_ALONE: i32 = -20;

/// What a move promises to gain: the piece that it captures, the danger that it escapes, less the
/// danger that it runs into.
pub(super) fn promise(board: &Board, mv: Move) -> i32 {
    let (from, to) = match mv {
        Move::Flip(square) => {
            let shown = board.shown(Color::Red) | board.shown(Color::Black);
            let alone = (square.only().neighbors() & shown).is_empty();
            return if alone { FLIP_ALONE } else { FLIP_IN_COMPANY };
        }
        Move::Go { from, to } => (from, to),
    };
    let Some(piece) = board.piece(from) else { return 0 };
    let gain = board.piece(to).map_or(0, |victim| CAPTURE + ROUGH[victim.kind as usize]);
    let dangers = moves::hunters(board, piece.color.other(), piece.kind) & !to.only();
    let risk = |near: Squares| {
        if (near.neighbors() & dangers).is_empty() { 0 } else { ROUGH[piece.kind as usize] }
    };
    gain + risk(from.only()) - risk(to.only())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Ordered, Position};

    fn term(text: &str, name: &str) -> i32 {
        let position = Banqi::read(text, ()).unwrap();
        let terms = Evaluation::default().terms(&position);
        terms.into_iter().find(|term| term.name == name).unwrap().score.0
    }

    /// The first position is better for the side to move, as the term judges it.
    fn check_better(name: &str, better: &str, worse: &str) {
        let (better_score, worse_score) = (term(better, name), term(worse, name));
        assert!(
            better_score > worse_score,
            "{name}: {better} has {better_score}, {worse} has {worse_score}"
        );
    }

    #[test]
    fn the_start_is_worth_nothing() {
        assert_eq!(Evaluation::default().evaluate(&Banqi::start(())), Score::DRAW);
    }

    #[test]
    fn a_piece_is_worth_what_the_living_enemies_let_it_do() {
        // A general gains as the enemy's soldiers fall, seen or not.
        check_better("material", "8/8/8/K2a3p r - 0 1", "8/8/8/K2a2pp r - 0 1");
        check_better("material", "8/8/8/K2a3p r - 0 1", "8/8/8/K2a2?? r p2 0 1");
        // An advisor that nothing outranks is worth more than one that fears a general.
        check_better("material", "8/8/8/A2r4 r - 0 1", "8/8/8/A2k4 r - 0 1");
        // A horse that only flees is worth less than one that still has prey.
        check_better("material", "8/8/8/H2rp3 r - 0 1", "8/8/8/H2re3 r - 0 1");
    }

    #[test]
    fn a_face_down_piece_counts_like_a_face_up_one() {
        let check = |hidden: &str, shown: &str| {
            assert_eq!(term(hidden, "material"), term(shown, "material"));
        };
        check("8/8/8/K2?4 r a 0 1", "8/8/8/K2a4 r - 0 1");
        check("8/8/8/?2?4 b Kc 0 1", "8/8/8/K2c4 b - 0 1");
    }

    #[test]
    fn a_hunt_is_better_closer_with_more_hunters_and_in_a_corner() {
        check_better("hunting", "8/8/8/h2A4 r - 0 1", "8/8/8/h5A1 r - 0 1");
        check_better("hunting", "8/8/3R4/h2A4 r - 0 1", "8/8/8/h2A4 r - 0 1");
        check_better("hunting", "8/8/1A6/h7 r - 0 1", "8/3A4/2h5/8 r - 0 1");
        check_better("hunting", "8/8/8/C1?1h3 r p 0 1", "8/8/8/C1h1?3 r p 0 1");
    }

    #[test]
    fn a_lead_fades_with_the_quiet_plies() {
        check_better("material", "8/8/8/A2r4 r - 0 1", "8/8/8/A2r4 r - 60 1");
        check_better("material", "8/8/8/A2r4 r - 119 1", "8/8/8/A2r4 b - 119 1");
    }

    #[test]
    fn no_lead_comes_near_a_forced_win() {
        let check = |text: &str| {
            let score = Evaluation::default().evaluate(&Banqi::read(text, ()).unwrap());
            assert!((6_000..=13_000).contains(&score.0), "{text} is worth {score}");
        };
        check("KAAEERRH/HCCPPPPP/8/3p4 r - 0 1");
        check("3A4/2AhE3/KERRHHCC/PPPPP3 r - 0 1");
    }

    #[test]
    fn captures_come_first_then_escapes_and_walking_into_danger_last() {
        let position = Banqi::read("8/3r1H2/2pH4/?6A r c 0 1", ()).unwrap();
        let order = ["d2c2", "d2e2", "h1h2", "a1", "f3e3"];
        let promises = order.map(|text| position.promise(position.read_move(text).unwrap()));
        assert!(promises.is_sorted_by(|a, b| a > b), "{order:?} promise {promises:?}");
    }
}
