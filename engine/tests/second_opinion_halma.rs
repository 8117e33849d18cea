//! A second move generator for halma, slow and plain: a board of characters, the piece really
//! lifted, every chain tried out by recursion. The fast one must agree with it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use yardmaster::games::halma::Halma;
use yardmaster::perft::perft;
use yardmaster::position::Position;

/// File and rank from 0; ordered as the rule book orders squares.
type Place = (i8, i8);

const DIRECTIONS: [Place; 8] =
    [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];

#[derive(Clone)]
struct Plain {
    pieces: BTreeMap<Place, char>,
    to_move: char,
}

impl Plain {
    /// Reads the text of a position that is known to be well formed.
    fn new(text: &str) -> Self {
        let mut parts = text.split(' ');
        let mut pieces = BTreeMap::new();
        for (rank, row) in (0..16).rev().zip(parts.next().unwrap().split('/')) {
            let (mut file, mut run) = (0, 0);
            for letter in row.chars() {
                if let Some(digit) = letter.to_digit(10) {
                    run = 10 * run + digit as i8;
                } else {
                    file += run;
                    run = 0;
                    pieces.insert((file, rank), letter);
                    file += 1;
                }
            }
        }
        Self { pieces, to_move: parts.next().unwrap().chars().next().unwrap() }
    }

    fn is_empty(&self, (file, rank): Place) -> bool {
        (0..16).contains(&file)
            && (0..16).contains(&rank)
            && !self.pieces.contains_key(&(file, rank))
    }

    /// Whether a side fills the other's camp.
    fn is_over(&self) -> bool {
        let north_west =
            |&(file, rank): &Place| file < [5, 5, 4, 3, 2, 0][(15 - rank).min(5) as usize];
        let filled = |side: char, turn: fn(Place) -> Place| {
            let men = self.pieces.iter().filter(|(_, piece)| **piece == side);
            men.filter(|(place, _)| north_west(&turn(**place))).count() == 19
        };
        filled('b', |place| place) || filled('r', |(file, rank)| (15 - file, 15 - rank))
    }

    /// Every pair of origin and destination with the path that should be printed; no path for the
    /// pass.
    fn moves(&self) -> BTreeMap<(Place, Place), Vec<Place>> {
        let mut moves = BTreeMap::new();
        if self.is_over() {
            return moves;
        }
        let own = self.pieces.iter().filter(|(_, piece)| **piece == self.to_move);
        for &origin in own.map(|(place, _)| place) {
            for (files, ranks) in DIRECTIONS {
                let next = (origin.0 + files, origin.1 + ranks);
                if self.is_empty(next) {
                    moves.insert((origin, next), vec![origin, next]);
                }
            }
            for (destination, path) in self.chains(origin) {
                moves.insert((origin, destination), path);
            }
        }
        if moves.is_empty() {
            moves.insert(((0, 0), (0, 0)), Vec::new());
        }
        moves
    }

    /// The destinations of all chains of a piece, with the shortest and then smallest path: one
    /// jump is added at a time, to the paths in their order.
    fn chains(&self, origin: Place) -> BTreeMap<Place, Vec<Place>> {
        let mut lifted = self.clone();
        lifted.pieces.remove(&origin);
        let mut found = BTreeMap::new();
        let mut paths = BTreeSet::from([vec![origin]]);
        while !paths.is_empty() {
            let mut longer = BTreeSet::new();
            for path in &paths {
                for landing in lifted.landings(path[path.len() - 1]) {
                    if landing != origin && !found.contains_key(&landing) {
                        longer.insert([path.as_slice(), &[landing]].concat());
                    }
                }
            }
            paths.clear();
            for path in longer {
                // The paths come in their order, so the first to an end is the smallest.
                if let Entry::Vacant(vacant) = found.entry(path[path.len() - 1]) {
                    vacant.insert(path.clone());
                    paths.insert(path);
                }
            }
        }
        found
    }

    /// The landing squares of every chain that a recursion over the squares landed on can find, with
    /// the path to be printed. Only for boards with few chains.
    fn chains_one_by_one(&self, origin: Place) -> BTreeMap<Place, Vec<Place>> {
        let mut lifted = self.clone();
        lifted.pieces.remove(&origin);
        let mut found = BTreeMap::new();
        lifted.follow(&mut vec![origin], &mut found);
        found
    }

    fn follow(&self, path: &mut Vec<Place>, found: &mut BTreeMap<Place, Vec<Place>>) {
        for landing in self.landings(path[path.len() - 1]) {
            if path.contains(&landing) {
                continue;
            }
            path.push(landing);
            let best = found.entry(landing).or_insert_with(|| path.clone());
            if (path.len(), &*path) < (best.len(), &*best) {
                best.clone_from(path);
            }
            self.follow(path, found);
            path.pop();
        }
    }

    fn landings(&self, (file, rank): Place) -> Vec<Place> {
        let jump = |(files, ranks): Place| {
            let landing = (file + 2 * files, rank + 2 * ranks);
            let over = self.pieces.contains_key(&(file + files, rank + ranks));
            (over && self.is_empty(landing)).then_some(landing)
        };
        DIRECTIONS.into_iter().filter_map(jump).collect()
    }

    fn after(&self, (from, to): (Place, Place)) -> Self {
        let mut next = self.clone();
        if from != to {
            let piece = next.pieces.remove(&from).unwrap();
            next.pieces.insert(to, piece);
        }
        next.to_move = if self.to_move == 'r' { 'b' } else { 'r' };
        next
    }

    fn perft(&self, depth: usize) -> u64 {
        match depth {
            0 => 1,
            1 => self.moves().len() as u64,
            _ => self.moves().into_keys().map(|mv| self.after(mv).perft(depth - 1)).sum(),
        }
    }
}

fn text_of(path: &[Place]) -> String {
    let square = |&(file, rank): &Place| format!("{}{}", char::from(b'a' + file as u8), rank + 1);
    if path.is_empty() { "pass".to_owned() } else { path.iter().map(square).collect() }
}

fn check(position: &Halma) {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let fast: BTreeSet<String> = moves.iter().map(|&mv| position.move_text(mv)).collect();
    let plain = Plain::new(&position.to_string()).moves();
    let slow: BTreeSet<String> = plain.values().map(|path| text_of(path)).collect();
    assert_eq!(fast, slow, "{position}");
    assert_eq!(moves.len(), slow.len(), "a move is listed twice at {position}");
    assert_eq!(position.count_events(), slow.len() as u64, "{position}");
}

/// Pieces of both sides on random squares of a block; the denser, the longer the chains.
fn random_placement(random: &mut Xoshiro256PlusPlus, block: u64) -> Halma {
    let mut board = [['.'; 16]; 16];
    for (letter, at_most) in [('r', 20), ('b', 20)] {
        for _ in 0..random.next_u64() % at_most {
            let rank = (random.next_u64() % block) as usize;
            let file = (random.next_u64() % block) as usize;
            // The block touches another corner each time.
            let corner = random.next_u64().is_multiple_of(2);
            let (rank, file) = if corner { (rank, file) } else { (15 - rank, 15 - file) };
            board[rank][file] = letter;
        }
    }
    let mut ranks = Vec::new();
    for row in board {
        let squares: String = row.iter().collect();
        let mut rank = squares;
        for run in (1..=16).rev() {
            rank = rank.replace(&".".repeat(run), &run.to_string());
        }
        ranks.push(rank);
    }
    let side = if random.next_u64().is_multiple_of(2) { 'r' } else { 'b' };
    Halma::read(&format!("{} {side} 1", ranks.join("/")), ()).unwrap()
}

#[test]
fn both_generators_agree_on_random_games() {
    for seed in 0..12 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Halma::start(());
        let mut moves = Vec::new();
        for _ in 0..150 {
            check(&position);
            moves.clear();
            position.moves(&mut moves);
            position = position.after(moves[random.next_u64() as usize % moves.len()]);
        }
    }
}

#[test]
fn both_generators_agree_on_random_placements() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(16);
    for block in [3, 5, 7, 9, 12, 16] {
        for _ in 0..150 {
            check(&random_placement(&mut random, block));
        }
    }
}

#[test]
fn the_shortest_and_smallest_path_is_so_among_all_chains() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(19);
    for _ in 0..300 {
        let position = random_placement(&mut random, 6);
        let plain = Plain::new(&position.to_string());
        let own = plain.pieces.iter().filter(|(_, piece)| **piece == plain.to_move);
        for &origin in own.map(|(place, _)| place) {
            assert_eq!(plain.chains(origin), plain.chains_one_by_one(origin), "{position}");
        }
        check(&position);
    }
}

/// A record of the perft suite.
struct Case<'a> {
    name: &'a str,
    text: &'a str,
    counts: Vec<u64>,
}

fn suite() -> Vec<Case<'static>> {
    let mut cases: Vec<Case<'_>> = Vec::new();
    for line in include_str!("../../perft/suites/halma.perft").lines() {
        match line.split_once(' ') {
            Some(("name", name)) => cases.push(Case { name, text: "", counts: Vec::new() }),
            Some(("pos", text)) => cases.last_mut().unwrap().text = text,
            Some(("perft", counts)) => {
                cases.last_mut().unwrap().counts =
                    counts.split(' ').map(|count| count.parse().unwrap()).collect();
            }
            Some(("variant", variant)) => assert_eq!(variant, "halma"),
            _ => assert!(line.is_empty() || line.starts_with('#'), "{line}"),
        }
    }
    cases
}

#[test]
fn both_generators_count_what_the_perft_suite_says() {
    const FAST_AT_MOST: u64 = 10_000_000;
    const SLOW_AT_MOST: u64 = 100_000;
    let cases = suite();
    assert!(!cases.is_empty());
    for Case { name, text, counts } in cases {
        let (fast, slow) = (Halma::read(text, ()).unwrap(), Plain::new(text));
        for (depth, &count) in (1..).zip(&counts) {
            if count <= FAST_AT_MOST {
                assert_eq!(perft(&fast, depth), count, "{name} to depth {depth}");
            }
            if count <= SLOW_AT_MOST {
                assert_eq!(slow.perft(depth as usize), count, "{name} to depth {depth}");
            }
        }
    }
}
