//! Guesses: what a position is likely to be worth, what a proof is likely to cost, and which move
//! to try first.

use super::super::board::{PITS, Pit};
use super::super::moves::best_capture;
use super::node::Node;
use super::table::Effort;

// What a position is worth, stores apart, in hundredths of a stone from its mover: fitted by least
// squares to the values of 42,000 positions with 17 to 33 stones that the search from the start
// position met. They are off by 5.7 stones, where guesses without regard to how many stones are in
// which pit are off by 7.9.

/// What it is worth to be on move; little, for most that comes of it is in the pits.
const BASE: i32 = -280;
/// A stone of the greatest capture, of the mover and of the other side.
const CAPTURE_STONE: [i32; 2] = [90, -50];
/// Fuller pits count as this full.
const FULLEST: usize = 12;
/// A pit of the mover, and one of the other side, by the number of its stones.
#[rustfmt::skip]
const PIT: [[[i32; FULLEST + 1]; PITS]; 2] = [
    [
        [0, 430, 600, 710, 790, 880, 1070, 640, 550, 460, 370, 290, 240],
        [0, 460, 630, 730, 790, 930, 530, 470, 390, 430, 480, 520, 530],
        [0, 350, 480, 560, 730, 220, 70, 190, 260, 290, 460, 570, 710],
        [0, 280, 390, 560, 70, 50, -10, -10, 140, 320, 480, 550, 780],
        [0, 180, 320, -160, -170, -170, -180, -210, 140, 330, 360, 530, 680],
        [0, 210, -110, -140, -100, -30, 80, 270, 460, 550, 640, 730, 850],
    ],
    [
        [0, -280, -420, -500, -530, -630, -600, -320, -260, -200, -90, 0, 40],
        [0, -340, -490, -560, -630, -520, -390, -280, -210, -180, -260, -150, -580],
        [0, -310, -400, -540, -430, -150, -20, -70, -60, -60, -160, -270, -440],
        [0, -280, -400, -370, -100, -30, 50, 70, 30, -200, -360, -370, -570],
        [0, -220, -160, 100, 150, 170, 210, 300, 40, -130, -180, -320, -460],
        [0, -110, 90, 160, 170, 120, 90, -40, -280, -450, -540, -580, -710],
    ],
];

/// What the pits of a position are worth, each by itself.
fn pits(node: &Node) -> i32 {
    let mut sum = 0;
    for pit in Pit::ALL {
        let [own, other] = [node.own, node.other].map(|row| usize::from(row.pit(pit)));
        sum += PIT[0][pit.index()][own.min(FULLEST)] + PIT[1][pit.index()][other.min(FULLEST)];
    }
    sum
}

/// By how many stones the mover is likely to win the rest of the game.
fn margin(node: &Node) -> f32 {
    let own = i32::from(best_capture(node.own, node.other));
    let other = i32::from(best_capture(node.other, node.own));
    let captures = CAPTURE_STONE[0] * own + CAPTURE_STONE[1] * other;
    (BASE + pits(node) + captures) as f32 / 100.0
}

// What a proof costs grows with the stones, and with what is asked beyond what is likely. Found by
// trying some twenty pairs on the start position and its moves.

/// The logarithm of what a stone more in the pits costs.
const STONE: f32 = 0.16;
/// The logarithm of what a stone more to be collected costs.
const DEMAND: f32 = 0.22;

/// What it is likely to cost to prove that the mover collects `goal`, and that it does not.
pub(super) fn effort(node: &Node, goal: u8) -> Effort {
    let collected = f32::midpoint(f32::from(node.stones), margin(node));
    // Exactly between the numbers of stones that would be a proof and a disproof.
    let demand = f32::from(goal) - 0.5 - collected;
    let [cost, odds] = [STONE * f32::from(node.stones), DEMAND * demand].map(f32::exp);
    let [proof, disproof] = [cost * odds, cost / odds].map(|nodes| f64::from(nodes).max(1.0));
    Effort { proof, disproof }
}

// What orders the moves near the endgame table is not how good one is likely to be, but how cheaply
// it may refute: stones that leave the board weigh ten times what they are worth.

/// More than any other move promises.
const EXTRA_TURN: i32 = 1_000_000;
/// A stone that goes to the store at once.
const GAIN: i32 = 1000;
/// A pit farther to the right.
const RIGHTWARD: i32 = 20;

/// The promise of a move that gives an extra turn: the pit next to the store comes first, since
/// sowing from another one would add a stone to it.
pub(super) fn extra_turn(pit: Pit) -> i32 {
    EXTRA_TURN + pit.index() as i32
}

/// The promise of a move that brings `gain` stones to the store and passes the turn to the mover
/// of `node`.
pub(super) fn passing(pit: Pit, gain: u8, node: &Node) -> i32 {
    GAIN * i32::from(gain) + RIGHTWARD * pit.index() as i32 - pits(node)
}
