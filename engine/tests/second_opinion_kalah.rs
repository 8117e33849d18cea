//! Kalah a second time, slowly and plainly: stones sown one by one over fourteen places. Both
//! implementations must agree on random games and on the perft suite.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use yardmaster::games::kalah::Kalah;
use yardmaster::perft::perft;
use yardmaster::position::Position;

/// The numbering of the rule book: South's pits 0–5 and store 6, North's pits 7–12 and store 13.
const STORES: [usize; 2] = [6, 13];
const PLACES: usize = 14;

/// A board as the rule book describes it.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Plain {
    places: [u16; PLACES],
    side: usize,
}

impl Plain {
    fn read(text: &str) -> Self {
        let (rows, side) = text.split_once(' ').expect("two words");
        let numbers: Vec<u16> =
            rows.split([',', '/']).map(|number| number.parse().expect("a number")).collect();
        let places = numbers.try_into().expect("fourteen numbers");
        let mut plain = Self { places, side: usize::from(side == "n") };
        plain.sweep();
        plain
    }

    fn text(&self) -> String {
        let row = |places: &[u16]| places.iter().map(u16::to_string).collect::<Vec<_>>().join(",");
        let side = ["s", "n"][self.side];
        format!("{}/{} {side}", row(&self.places[..7]), row(&self.places[7..]))
    }

    fn pits(side: usize) -> std::ops::Range<usize> {
        7 * side..7 * side + 6
    }

    fn is_bare(&self, side: usize) -> bool {
        Self::pits(side).all(|place| self.places[place] == 0)
    }

    fn moves(&self) -> Vec<usize> {
        if self.is_bare(0) || self.is_bare(1) {
            return Vec::new();
        }
        Self::pits(self.side).filter(|&place| self.places[place] > 0).collect()
    }

    fn after(mut self, origin: usize) -> Self {
        let store = STORES[self.side];
        let mut hand = std::mem::take(&mut self.places[origin]);
        let mut place = origin;
        while hand > 0 {
            place = (place + 1) % PLACES;
            if place != STORES[1 - self.side] {
                self.places[place] += 1;
                hand -= 1;
            }
        }
        if Self::pits(self.side).contains(&place) && self.places[place] == 1 {
            let opposite = 12 - place;
            self.places[store] += 1 + self.places[opposite];
            self.places[place] = 0;
            self.places[opposite] = 0;
        }
        if place != store {
            self.side = 1 - self.side;
        }
        self.sweep();
        self
    }

    fn sweep(&mut self) {
        if self.is_bare(0) || self.is_bare(1) {
            for side in [0, 1] {
                for place in Self::pits(side) {
                    self.places[STORES[side]] += std::mem::take(&mut self.places[place]);
                }
            }
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.moves().into_iter().map(|origin| self.after(origin).perft(depth - 1)).sum()
    }
}

/// The letter of a place.
fn letter(place: usize) -> String {
    ["a", "b", "c", "d", "e", "f", "", "A", "B", "C", "D", "E", "F"][place].to_owned()
}

/// A board with `stones` stones thrown into some of its places: the fewer, the fuller.
fn random_board(random: &mut Xoshiro256PlusPlus, stones: u16) -> Plain {
    let mut pick = |choices: usize| random.next_u64() as usize % choices;
    let open: Vec<usize> = (0..=pick(PLACES)).map(|_| pick(PLACES)).collect();
    let mut places = [0; PLACES];
    for _ in 0..stones {
        places[open[pick(open.len())]] += 1;
    }
    let mut plain = Plain { places, side: pick(2) };
    plain.sweep();
    plain
}

#[test]
fn both_play_the_same_games() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
    let mut laps = 0;
    for game in 0..3_000_u16 {
        let mut plain = random_board(&mut random, 1 + game % 255);
        let mut fast = Kalah::read(&plain.text(), ()).expect("a board is a position");
        loop {
            assert_eq!(fast.to_string(), plain.text());
            let mut moves = Vec::new();
            fast.moves(&mut moves);
            let texts: Vec<String> = moves.iter().map(|&pit| fast.move_text(pit)).collect();
            let expected = plain.moves();
            assert_eq!(texts, expected.iter().map(|&place| letter(place)).collect::<Vec<_>>());
            assert_eq!(fast.count_events(), expected.len() as u64);
            if expected.is_empty() {
                break;
            }
            let chosen = random.next_u64() as usize % expected.len();
            laps += usize::from(plain.places[expected[chosen]] >= 13);
            plain = plain.after(expected[chosen]);
            fast = fast.after(moves[chosen]);
        }
        let mut moves = Vec::new();
        fast.moves(&mut moves);
        let margin = i32::from(plain.places[6]) - i32::from(plain.places[13]);
        let winner = fast.outcome(&moves).expect("the game is over").winner;
        let named = winner.map(|side| fast.side_name(side));
        assert_eq!(named, [Some("north"), None, Some("south")][(margin.signum() + 1) as usize]);
    }
    assert!(laps > 10_000, "only {laps} sowings of a lap or more were tried");
}

/// The records of a perft suite: position text, and counts by depth.
fn suite(text: &str) -> Vec<(&str, Vec<u64>)> {
    let mut records: Vec<(&str, Vec<u64>)> = Vec::new();
    for line in text.lines() {
        match line.split_once(' ') {
            Some(("pos", position)) => records.push((position, Vec::new())),
            Some(("perft", counts)) => {
                let counts = counts.split(' ').map(|count| count.parse::<u64>().expect("a count"));
                records.last_mut().expect("a position precedes its counts").1.extend(counts);
            }
            _ => (),
        }
    }
    records
}

#[test]
fn both_count_what_the_perft_suite_says() {
    const NODES_AT_MOST: u64 = 1_000_000;
    let records = suite(include_str!("../../perft/suites/kalah.perft"));
    assert!(records.len() > 10);
    for (text, counts) in records {
        let (plain, fast) = (Plain::read(text), Kalah::read(text, ()).expect(text));
        assert_eq!(plain.text(), fast.to_string());
        for (depth, nodes) in (1..).zip(counts).filter(|&(_, nodes)| nodes <= NODES_AT_MOST) {
            assert_eq!(plain.perft(depth), nodes, "perft {depth} of {text}, stone by stone");
            assert_eq!(perft(&fast, depth), nodes, "perft {depth} of {text}");
        }
    }
}
