//! A second, slow and plain set of banqi rules, written from the rule book alone: characters in an
//! array, no table, no mask. The fast rules must agree with it along random games, and the perft
//! suite with both.

use std::fmt::Write;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use yardmaster::games::banqi::Banqi;
use yardmaster::perft::perft;
use yardmaster::position::Position;

/// The letters of the pieces of one color, in the order of ranks.
const RANKS: &str = "KAERHCP";
/// Random games compared with the fast rules.
const GAMES: u64 = 150;
/// What the slow rules are asked to count at most.
const NODES_AT_MOST: u64 = 120_000;

/// A position: rows from rank 4 down to rank 1, `.` for an empty square.
#[derive(Clone)]
struct Slow {
    rows: [[char; 8]; 4],
    side: char,
    /// The face-down pieces, one character each.
    pool: Vec<char>,
    quiet: u32,
    ply: u32,
}

impl Slow {
    fn read(text: &str) -> Self {
        let fields: Vec<&str> = text.split(' ').collect();
        let mut rows = [['.'; 8]; 4];
        for (row, rank) in rows.iter_mut().zip(fields[0].split('/')) {
            let mut column = 0;
            for letter in rank.chars() {
                if let Some(run) = letter.to_digit(10) {
                    column += run as usize;
                } else {
                    row[column] = letter;
                    column += 1;
                }
            }
        }
        let mut pool = Vec::new();
        for letter in fields[2].chars().filter(|&letter| letter != '-') {
            match letter.to_digit(10) {
                Some(count) => {
                    let last = *pool.last().unwrap();
                    pool.extend((1..count).map(|_| last));
                }
                None => pool.push(letter),
            }
        }
        let side = fields[1].chars().next().unwrap();
        Self {
            rows,
            side,
            pool,
            quiet: fields[3].parse().unwrap(),
            ply: fields[4].parse().unwrap(),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (index, row) in self.rows.iter().enumerate() {
            if index > 0 {
                text.push('/');
            }
            let mut run = 0;
            for &letter in row {
                if letter != '.' && run > 0 {
                    write!(text, "{run}").unwrap();
                    run = 0;
                }
                if letter == '.' { run += 1 } else { text.push(letter) }
            }
            if run > 0 {
                write!(text, "{run}").unwrap();
            }
        }
        write!(text, " {} ", self.side).unwrap();
        for letter in RANKS.chars().chain(RANKS.to_ascii_lowercase().chars()) {
            match self.pool.iter().filter(|&&other| other == letter).count() {
                0 => (),
                1 => text.push(letter),
                count => write!(text, "{letter}{count}").unwrap(),
            }
        }
        if self.pool.is_empty() {
            text.push('-');
        }
        write!(text, " {} {}", self.quiet, self.ply).unwrap();
        text
    }

    fn at(&self, column: i32, row: i32) -> Option<char> {
        let on_board = (0..8).contains(&column) && (0..4).contains(&row);
        on_board.then(|| self.rows[row as usize][column as usize])
    }

    fn is_own(&self, letter: char) -> bool {
        letter.is_ascii_alphabetic() && letter.is_ascii_uppercase() == (self.side == 'r')
    }

    fn is_enemy(&self, letter: char) -> bool {
        letter.is_ascii_alphabetic() && !self.is_own(letter)
    }

    /// The letters of the living pieces, face up and face down.
    fn living(&self) -> impl Iterator<Item = char> {
        let shown = self.rows.iter().flatten().filter(|letter| letter.is_ascii_alphabetic());
        shown.chain(&self.pool).copied()
    }

    fn all_captured(&self) -> bool {
        !self.living().any(|letter| letter.is_ascii_uppercase())
            || !self.living().any(|letter| letter.is_ascii_lowercase())
    }

    /// All events as texts, sorted.
    fn events(&self) -> Vec<String> {
        let mut events = Vec::new();
        if self.all_captured() {
            return events;
        }
        for row in 0..4 {
            for column in 0..8 {
                let letter = self.rows[row as usize][column as usize];
                if letter == '?' {
                    let flips =
                        self.pool.iter().map(|shown| format!("{}={shown}", name(column, row)));
                    events.extend(flips);
                } else if self.is_own(letter) {
                    for (right, down) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                        for (to_column, to_row) in self.reach(letter, (column, row), (right, down))
                        {
                            events.push(format!(
                                "{}{}",
                                name(column, row),
                                name(to_column, to_row)
                            ));
                        }
                    }
                }
            }
        }
        events.sort();
        events.dedup();
        events
    }

    /// Where a piece may go in one direction.
    fn reach(&self, piece: char, from: (i32, i32), step: (i32, i32)) -> Vec<(i32, i32)> {
        let square = |distance: i32| (from.0 + step.0 * distance, from.1 + step.1 * distance);
        let at = |distance: i32| self.at(square(distance).0, square(distance).1);
        let mut reach = Vec::new();
        match at(1) {
            Some('.') => reach.push(square(1)),
            Some(next) if self.is_enemy(next) && captures(piece, next) => reach.push(square(1)),
            _ => (),
        }
        if piece.eq_ignore_ascii_case(&'C') {
            let occupied: Vec<i32> = (1..8).filter(|&d| at(d).is_some_and(|c| c != '.')).collect();
            let second = occupied.get(1);
            reach.extend(second.filter(|&&d| self.is_enemy(at(d).unwrap())).map(|&d| square(d)));
        }
        reach
    }

    fn after(&self, event: &str) -> Self {
        let mut next = self.clone();
        let letters: Vec<char> = event.chars().collect();
        let (column, row) = place(letters[0], letters[1]);
        let mut mover = self.side;
        next.quiet += 1;
        if letters[2] == '=' {
            next.rows[row][column] = letters[3];
            let found = next.pool.iter().position(|&letter| letter == letters[3]).unwrap();
            next.pool.remove(found);
            next.quiet = 0;
            if mover == '-' {
                mover = if letters[3].is_ascii_uppercase() { 'r' } else { 'b' };
            }
        } else {
            let (to_column, to_row) = place(letters[2], letters[3]);
            if next.rows[to_row][to_column] != '.' {
                next.quiet = 0;
            }
            next.rows[to_row][to_column] = next.rows[row][column];
            next.rows[row][column] = '.';
        }
        next.side = if mover == 'r' { 'b' } else { 'r' };
        next.ply += 1;
        next
    }

    fn result(&self) -> Option<&'static str> {
        let other = if self.side == 'r' { "black" } else { "red" };
        if !self.living().any(|letter| letter.is_ascii_uppercase()) {
            Some("black")
        } else if !self.living().any(|letter| letter.is_ascii_lowercase()) {
            Some("red")
        } else if self.events().is_empty() {
            Some(other)
        } else if self.quiet >= 120 {
            Some("draw")
        } else {
            None
        }
    }

    fn perft(&self, depth: u32) -> u64 {
        let events = self.events();
        match depth {
            0 => 1,
            1 => events.len() as u64,
            _ => events.iter().map(|event| self.after(event).perft(depth - 1)).sum(),
        }
    }
}

/// Whether a piece captures another next to it.
fn captures(piece: char, victim: char) -> bool {
    let rank = |letter: char| RANKS.find(letter.to_ascii_uppercase()).unwrap();
    match (piece.to_ascii_uppercase(), victim.to_ascii_uppercase()) {
        ('C', _) | ('K', 'P') => false,
        ('P', 'K') => true,
        _ => rank(piece) <= rank(victim),
    }
}

fn name(column: i32, row: i32) -> String {
    format!("{}{}", (b'a' + column as u8) as char, 4 - row)
}

fn place(file: char, rank: char) -> (usize, usize) {
    (file as usize - 'a' as usize, '4' as usize - rank as usize)
}

fn result(position: &Banqi) -> Option<&'static str> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    position
        .outcome(&moves)
        .map(|outcome| outcome.winner.map_or("draw", |side| position.side_name(side)))
}

fn event_texts(position: &Banqi) -> Vec<String> {
    let mut moves = Vec::new();
    position.moves(&mut moves);
    let events = moves.into_iter().flat_map(|mv| position.events(mv));
    let mut texts: Vec<String> = events.map(|(event, _)| position.event_text(event)).collect();
    texts.sort();
    texts
}

#[test]
fn fast_and_slow_rules_agree_along_random_games() {
    let mut results = Vec::new();
    for seed in 0..GAMES {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut fast = Banqi::start(());
        let mut slow = Slow::read(&fast.to_string());
        loop {
            assert_eq!(fast.to_string(), slow.text(), "seed {seed}");
            let events = slow.events();
            assert_eq!(event_texts(&fast), events, "seed {seed}, at {fast}");
            assert_eq!(fast.count_events(), events.len() as u64, "seed {seed}, at {fast}");
            assert_eq!(result(&fast), slow.result(), "seed {seed}, at {fast}");
            if let Some(result) = slow.result() {
                results.push(result);
                break;
            }
            let event = &events[random.next_u64() as usize % events.len()];
            fast = fast.after(fast.read_event(event).unwrap());
            slow = slow.after(event);
        }
    }
    for end in ["red", "black", "draw"] {
        assert!(results.contains(&end), "no random game ended with {end}");
    }
}

#[test]
fn the_perft_suite_agrees_with_fast_and_slow_rules() {
    let suite = include_str!("../../perft/suites/banqi.perft");
    let mut position = "";
    let mut compared = 0;
    for line in suite.lines() {
        match line.split_once(' ') {
            Some(("pos", text)) => position = text,
            Some(("perft", counts)) => {
                let fast = Banqi::read(position, ()).unwrap();
                let slow = Slow::read(position);
                for (depth, count) in (1..).zip(counts.split(' ')) {
                    let count: u64 = count.parse().unwrap();
                    if count <= NODES_AT_MOST {
                        assert_eq!(perft(&fast, depth), count, "fast perft {depth} of {position}");
                        assert_eq!(slow.perft(depth), count, "slow perft {depth} of {position}");
                        compared += 1;
                    }
                }
            }
            _ => (),
        }
    }
    assert!(compared >= 60, "the suite has only {compared} counts to compare");
}
