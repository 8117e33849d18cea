//! Packing a table: one value after the other, by an adaptive arithmetic code (Rissanen and Langdon
//! 1979; the coder is the carry-less one of Mahoney's data compressors).
//!
//! Positions in which the side to move can capture are left out. The value of another is most often
//! that of the two positions in which one piece of the side to move stands a step further ahead, which
//! come before it; whether the other side threatens a capture says much, too. So each of these
//! contexts has counts of its own.

use super::super::RuleSet;
use super::super::board::Color;
use super::super::moves::View;
use super::file::Packed;
use super::index::{Material, Placements};
use super::{DRAW, Plies, Table, UNTOLD};

/// Packs what has to be told of a whole table.
pub(super) fn pack<R: RuleSet>(table: &Table) -> Packed {
    let mut encoder = Encoder { low: 0, high: u32::MAX, bytes: Vec::new() };
    let _ = code::<R>(table.material, |model, context, index| {
        let plies = table.plies[index];
        model.code(context, &mut |chance, asked| {
            let bit = asked.answer(plies);
            encoder.put(chance, bit);
            bit
        });
        plies
    });
    Packed::new(table.material, encoder.finish())
}

/// The table that was packed. Whatever the bytes are, there is one.
pub(super) fn unpack<R: RuleSet>(packed: &Packed) -> Table {
    let mut decoder = Decoder::new(packed.bytes());
    let plies = code::<R>(packed.material(), |model, context, _| {
        model.code(context, &mut |chance, _| decoder.take(chance))
    });
    Table { material: packed.material(), plies }
}

/// Goes through the positions of a table that have to be told, and asks `code` for each.
fn code<R: RuleSet>(
    material: Material,
    mut code: impl FnMut(&mut Model, usize, usize) -> Plies,
) -> Vec<Plies> {
    let mut model = Model::default();
    let mut values = vec![UNTOLD; material.size()];
    let mut placements = Placements::new(material);
    for index in 0..values.len() {
        let Some(pieces) = placements.at(index) else { continue };
        let board = pieces.board();
        if View::<R>::new(&board, Color::White).can_capture() {
            continue;
        }
        let threat = View::<R>::new(&board, Color::Black).can_capture();
        let near = placements.ahead(&pieces).map(|near| near.map_or(0, |near| kind(values[near])));
        let context = (near[0] * KINDS + near[1]) * 2 + usize::from(threat);
        values[index] = code(&mut model, context, index);
    }
    values
}

/// The values of neighbors that are told apart: none, untold, drawn, or the plies to the end; of the
/// longest ones whether they win.
const KINDS: usize = 32;

fn kind(plies: Plies) -> usize {
    match plies {
        UNTOLD => 1,
        DRAW => 2,
        plies => (3 + usize::from(plies)).min(KINDS - 1 - usize::from(plies % 2 == 1)),
    }
}

/// What a bit of a value says.
#[derive(Clone, Copy)]
enum Asked {
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
    /// It ends in two times so many plies, or one more; it does not end sooner.
    Moves(Plies),
}

impl Asked {
    fn answer(self, plies: Plies) -> bool {
        match self {
            Self::Draw => plies == DRAW,
            Self::Win => plies % 2 == 1,
            Self::Moves(moves) => plies / 2 == moves,
        }
    }
}

/// The chances of bits.
struct Model {
    chances: Vec<Chance>,
}

/// The moves to an end from which on they are not told apart any more.
const MOVES: usize = 31;
/// The bits of values in a context.
const BITS: usize = 2 + 2 * MOVES;

impl Default for Model {
    fn default() -> Self {
        Self { chances: vec![Chance::default(); KINDS * KINDS * 2 * BITS] }
    }
}

impl Model {
    /// Asks `bit` for the bits of a value, one after the other.
    fn code(&mut self, context: usize, bit: &mut impl FnMut(u32, Asked) -> bool) -> Plies {
        let chances = &mut self.chances[context * BITS..][..BITS];
        let mut ask = |at: usize, asked| {
            let chance: &mut Chance = &mut chances[at];
            let answer = bit(chance.of_yes(), asked);
            chance.learn(answer);
            answer
        };
        if ask(0, Asked::Draw) {
            return DRAW;
        }
        let wins = u8::from(ask(1, Asked::Win));
        let counts = 2 + usize::from(wins) * MOVES;
        let last = (UNTOLD - 1) / 2 - 1;
        let moves = (0..last)
            .find(|&moves| ask(counts + usize::from(moves).min(MOVES - 1), Asked::Moves(moves)));
        2 * moves.unwrap_or(last) + wins
    }
}

/// How likely a bit is set: the chance in the upper 22 bits, and how often it was met.
#[derive(Clone, Copy)]
struct Chance(u32);

impl Chance {
    const COUNT_BITS: u32 = 10;
    /// From here on older bits count less and less.
    const COUNT_AT_MOST: u32 = 255;
}

impl Default for Chance {
    fn default() -> Self {
        Self(1 << 31)
    }
}

impl Chance {
    /// In 65,536ths, neither none nor all.
    fn of_yes(self) -> u32 {
        (self.0 >> 16).clamp(1, 65_535)
    }

    fn learn(&mut self, yes: bool) {
        let (chance, count) = (self.0 >> Self::COUNT_BITS, self.0 & ((1 << Self::COUNT_BITS) - 1));
        let goal = if yes { (1 << (32 - Self::COUNT_BITS)) - 1 } else { 0 };
        let way = i64::from(goal) - i64::from(chance);
        let step = (way * i64::from(STEPS[count as usize])) >> 16;
        let chance = (i64::from(chance) + step) as u32;
        let count = (count + 1).min(Self::COUNT_AT_MOST);
        self.0 = chance << Self::COUNT_BITS | count;
    }
}

/// How far a chance goes towards the bit that was met, in 65,536ths, by how often one was met before.
static STEPS: [u32; Chance::COUNT_AT_MOST as usize + 1] = {
    let mut steps = [0; Chance::COUNT_AT_MOST as usize + 1];
    let mut count = 0;
    while count < steps.len() {
        steps[count] = 2 * 65_536 / (2 * count as u32 + 3);
        count += 1;
    }
    steps
};

/// Where the interval from `low` to `high` is divided between set and unset.
fn middle(low: u32, high: u32, chance: u32) -> u32 {
    low + ((u64::from(high - low) * u64::from(chance)) >> 16) as u32
}

struct Encoder {
    low: u32,
    high: u32,
    bytes: Vec<u8>,
}

impl Encoder {
    fn put(&mut self, chance: u32, bit: bool) {
        let middle = middle(self.low, self.high, chance);
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.bytes.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 255;
        }
    }

    fn finish(mut self) -> Vec<u8> {
        // With the zeros that the decoder reads behind the end, a number between both.
        self.bytes.push((self.low >> 24) as u8 + 1);
        self.bytes
    }
}

struct Decoder<'a> {
    low: u32,
    high: u32,
    value: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { low: 0, high: u32::MAX, value: 0, bytes: bytes.iter() };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        self.value = self.value << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }

    fn take(&mut self, chance: u32) -> bool {
        let middle = middle(self.low, self.high, chance);
        let bit = self.value <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 255;
            self.shift();
        }
        bit
    }
}
