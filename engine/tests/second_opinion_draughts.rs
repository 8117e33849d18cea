//! A second move generator for draughts, written from the rule book alone: a board of 10×10
//! characters, one piece and one jump at a time, every way of every capture spelled out. It is slow
//! and shares nothing with the engine, which has to agree with it on every move and every text.

use std::collections::BTreeMap;

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use yardmaster::games::draughts::{Draughts, Fmjd, Move, RuleSet, Site, Square};
use yardmaster::position::Position;

/// What a square of the slow board shows: `w` and `b` men, `W` and `B` kings, `.` nothing.
type Cells = [[char; 10]; 10];

/// Row and column, from the upper left.
type Place = (usize, usize);

/// From, to, and the captured squares in ascending order.
type Action = (u8, u8, Vec<u8>);

/// The rules that differ between the two rule sets.
#[derive(Clone, Copy)]
struct Book {
    removed_at_once: bool,
    kings_count_more: bool,
}

const SITE: Book = Book { removed_at_once: true, kings_count_more: true };
const FMJD: Book = Book { removed_at_once: false, kings_count_more: false };

/// Ways of captures that are spelled out in a position before it is given up as too rich.
const WAYS_AT_MOST: usize = 20_000;

fn place(number: u8) -> Place {
    let (row, fifth) = (usize::from(number - 1) / 5, usize::from(number - 1) % 5);
    (row, 2 * fifth + usize::from(row % 2 == 0))
}

fn number((row, column): Place) -> u8 {
    (row * 5 + column / 2 + 1) as u8
}

/// The place `steps` diagonal steps on, if it is on the board.
fn on((row, column): Place, (down, right): (i32, i32), steps: i32) -> Option<Place> {
    let (row, column) = (row as i32 + down * steps, column as i32 + right * steps);
    ((0..10).contains(&row) && (0..10).contains(&column)).then_some((row as usize, column as usize))
}

const DIAGONALS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

struct SlowBoard {
    cells: Cells,
    mover: char,
}

impl SlowBoard {
    fn read(text: &str) -> Self {
        let mut cells = [['.'; 10]; 10];
        let mut parts = text.split(':');
        let mover = parts.next().unwrap().to_ascii_lowercase().chars().next().unwrap();
        for part in parts.filter(|part| part.starts_with(['W', 'B'])) {
            let color = part.chars().next().unwrap();
            for entry in part[1..].split(',').filter(|entry| !entry.is_empty()) {
                let (row, column) = place(entry.trim_start_matches('K').parse().unwrap());
                let king = entry.starts_with('K');
                cells[row][column] = if king { color } else { color.to_ascii_lowercase() };
            }
        }
        Self { cells, mover }
    }

    /// The lists of pieces, as the position text has them.
    fn lists(&self) -> String {
        let list = |color: char| {
            let mut entries = Vec::new();
            for square in 1..=50 {
                let (row, column) = place(square);
                let cell = self.cells[row][column];
                if cell.to_ascii_lowercase() == color {
                    entries.push(format!("{}{square}", if cell == color { "" } else { "K" }));
                }
            }
            entries.join(",")
        };
        format!("W{}:B{}", list('w'), list('b'))
    }

    fn is_own(&self, cell: char) -> bool {
        cell.to_ascii_lowercase() == self.mover
    }

    fn is_enemy(&self, cell: char) -> bool {
        cell != '.' && !self.is_own(cell)
    }

    /// Every legal action with all its ways, or `None` when there are too many ways.
    fn actions(&self, book: Book) -> Option<BTreeMap<Action, Vec<Vec<u8>>>> {
        let mut ways = Vec::new();
        for square in 1..=50 {
            let (row, column) = place(square);
            let piece = self.cells[row][column];
            if self.is_own(piece) {
                let mut cells = self.cells;
                cells[row][column] = '.';
                self.jump(book, piece, &cells, &mut vec![square], &mut Vec::new(), &mut ways);
            }
        }
        if ways.len() > WAYS_AT_MOST {
            return None;
        }
        let mut actions: BTreeMap<Action, Vec<Vec<u8>>> = BTreeMap::new();
        if ways.is_empty() {
            for (from, to) in self.steps() {
                actions.insert((from, to, Vec::new()), vec![vec![from, to]]);
            }
            return Some(actions);
        }
        let kings = |captured: &[u8]| {
            let is_king = |&&square: &&u8| {
                let (row, column) = place(square);
                self.cells[row][column].is_ascii_uppercase()
            };
            captured.iter().filter(is_king).count()
        };
        let most = ways.iter().map(|(_, captured)| captured.len()).max().unwrap();
        ways.retain(|(_, captured)| captured.len() == most);
        if book.kings_count_more {
            let most = ways.iter().map(|(_, captured)| kings(captured)).max().unwrap();
            ways.retain(|(_, captured)| kings(captured) == most);
        }
        for (way, mut captured) in ways {
            captured.sort_unstable();
            let action = (way[0], way[way.len() - 1], captured);
            actions.entry(action).or_default().push(way);
        }
        Some(actions)
    }

    /// All moves that capture nothing.
    fn steps(&self) -> Vec<(u8, u8)> {
        let mut steps = Vec::new();
        for from in 1..=50 {
            let (row, column) = place(from);
            let piece = self.cells[row][column];
            if !self.is_own(piece) {
                continue;
            }
            for diagonal in DIAGONALS {
                let forward = if self.mover == 'w' { -1 } else { 1 };
                let is_king = piece.is_ascii_uppercase();
                let reach = if is_king { 9 } else { 1 };
                let allowed = is_king || diagonal.0 == forward;
                for distance in 1..=reach {
                    let Some((row, column)) = on(place(from), diagonal, distance) else { break };
                    if !allowed || self.cells[row][column] != '.' {
                        break;
                    }
                    steps.push((from, number((row, column))));
                }
            }
        }
        steps
    }

    /// Adds every way in which the piece, now on the last square of `way`, can go on capturing;
    /// `way` itself when there is none and something is captured.
    fn jump(
        &self,
        book: Book,
        piece: char,
        cells: &Cells,
        way: &mut Vec<u8>,
        captured: &mut Vec<u8>,
        ways: &mut Vec<(Vec<u8>, Vec<u8>)>,
    ) {
        if ways.len() > WAYS_AT_MOST {
            return;
        }
        let here = place(way[way.len() - 1]);
        let mut goes_on = false;
        for diagonal in DIAGONALS {
            // The first piece on the diagonal: next to a man, at any distance from a king.
            let reach = if piece.is_ascii_uppercase() { 9 } else { 1 };
            let first = (1..=reach).find(|&distance| {
                on(here, diagonal, distance).is_some_and(|(row, column)| cells[row][column] != '.')
            });
            let Some(distance) = first else { continue };
            let victim = on(here, diagonal, distance).unwrap();
            let is_new = !captured.contains(&number(victim));
            if !self.is_enemy(cells[victim.0][victim.1]) || !is_new {
                continue;
            }
            for behind in 1..=reach {
                let Some(landing) = on(victim, diagonal, behind) else { break };
                if cells[landing.0][landing.1] != '.' {
                    break;
                }
                goes_on = true;
                let mut cells = *cells;
                if book.removed_at_once {
                    cells[victim.0][victim.1] = '.';
                }
                way.push(number(landing));
                captured.push(number(victim));
                self.jump(book, piece, &cells, way, captured, ways);
                way.pop();
                captured.pop();
            }
        }
        if !goes_on && !captured.is_empty() {
            ways.push((way.clone(), captured.clone()));
        }
    }

    fn play(&mut self, (from, to, captured): &Action) {
        let (row, column) = place(*from);
        let mut piece = std::mem::replace(&mut self.cells[row][column], '.');
        for &square in captured {
            let (row, column) = place(square);
            self.cells[row][column] = '.';
        }
        let (row, column) = place(*to);
        if (piece == 'w' && row == 0) || (piece == 'b' && row == 9) {
            piece = piece.to_ascii_uppercase();
        }
        self.cells[row][column] = piece;
        self.mover = if self.mover == 'w' { 'b' } else { 'w' };
    }
}

fn action(mv: Move) -> Action {
    let captured = mv.captured().into_iter().map(Square::number).collect();
    (mv.from().number(), mv.to().number(), captured)
}

/// Whether the position was compared: those with too many ways are passed over.
fn check<R: RuleSet>(position: &Draughts<R>, book: Book, context: &str) -> bool {
    let text = position.to_string();
    let slow = SlowBoard::read(&text);
    let Some(expected) = slow.actions(book) else { return false };

    let mut moves = Vec::new();
    position.moves(&mut moves);
    assert_eq!(position.count_events(), expected.len() as u64, "count of {text}, {context}");
    let mut actions: Vec<Action> = moves.iter().map(|&mv| action(mv)).collect();
    actions.sort();
    assert!(actions.iter().eq(expected.keys()), "{actions:?} of {text}, {context}");

    for mv in moves {
        let action = action(mv);
        let ways = &expected[&action];
        let joined = |way: &Vec<u8>| {
            let numbers: Vec<String> = way.iter().map(u8::to_string).collect();
            numbers.join(if mv.is_capture() { "x" } else { "-" })
        };
        let smallest = ways.iter().min().unwrap();
        assert_eq!(position.move_text(mv), joined(smallest), "{text}, {context}");
        for way in ways.iter().take(50) {
            let read = position.read_move(&joined(way));
            // Two squares alone may stand for several captures.
            if way.len() > 2 || !mv.is_capture() {
                assert_eq!(read, Ok(mv), "{way:?} of {text}, {context}");
            }
        }
        let mut played = SlowBoard::read(&text);
        played.play(&action);
        let after = position.after(mv).to_string();
        assert!(after.contains(&played.lists()), "{after} after {action:?} of {text}, {context}");
        assert!(after.to_ascii_lowercase().starts_with(played.mover), "{after}");
    }
    true
}

fn random_games<R: RuleSet>(book: Book) {
    let mut moves = Vec::new();
    for seed in 0..300 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut position = Draughts::<R>::start(R::Rules::default());
        for _ in 0..150 {
            check(&position, book, &format!("seed {seed}"));
            moves.clear();
            position.moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            position = position.after(moves[random.next_u64() as usize % moves.len()]);
        }
    }
}

/// Pieces of both sides on random squares, `kings` in eight of them kings.
fn placement(random: &mut Xoshiro256PlusPlus, own: u64, enemies: u64, kings: u64) -> String {
    let mut squares: Vec<u8> = (1..=50).collect();
    let mut list = |count: u64, last_row: std::ops::RangeInclusive<u8>| {
        let mut entries = Vec::new();
        for _ in 0..count {
            let square = squares.swap_remove(random.next_u64() as usize % squares.len());
            let king = last_row.contains(&square) || random.next_u64() % 8 < kings;
            entries.push(format!("{}{square}", if king { "K" } else { "" }));
        }
        entries.join(",")
    };
    let (white, black) = (list(own, 1..=5), list(enemies, 46..=50));
    let mover = ["W", "B"][random.next_u64() as usize % 2];
    format!("{mover}:W{white}:B{black}")
}

fn random_placements<R: RuleSet>(book: Book) {
    let mut compared = 0;
    for seed in 0..20_000 {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let (own, enemies) = (1 + random.next_u64() % 12, 1 + random.next_u64() % 12);
        let kings = random.next_u64() % 9;
        let text = placement(&mut random, own, enemies, kings);
        let position = Draughts::<R>::read(&text, R::Rules::default()).unwrap();
        compared += usize::from(check(&position, book, &format!("seed {seed}")));
    }
    assert!(compared > 19_000, "only {compared} placements were simple enough to compare");
}

#[test]
fn random_games_agree_under_the_rules_of_the_site() {
    random_games::<Site>(SITE);
}

#[test]
fn random_games_agree_under_the_rules_of_the_fmjd() {
    random_games::<Fmjd>(FMJD);
}

#[test]
fn random_placements_agree_under_the_rules_of_the_site() {
    random_placements::<Site>(SITE);
}

#[test]
fn random_placements_agree_under_the_rules_of_the_fmjd() {
    random_placements::<Fmjd>(FMJD);
}

/// Perft by the slow board; `None` when a position on the way has too many ways.
fn slow_perft(board: &SlowBoard, book: Book, depth: usize) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for action in board.actions(book)?.keys() {
        let mut next = SlowBoard { ..*board };
        next.play(action);
        total += slow_perft(&next, book, depth - 1)?;
    }
    Some(total)
}

/// Counts a suite anew as far as that is cheap.
fn check_suite<R: RuleSet>(suite: &str, book: Book) {
    const NODES_AT_MOST: u64 = 20_000;
    let mut text = String::new();
    let mut compared = 0;
    for line in suite.lines() {
        match line.split_once(' ') {
            // The fast board spells ranges out.
            Some(("pos", position)) => {
                let position = Draughts::<R>::read(position, R::Rules::default()).unwrap();
                text = position.to_string();
            }
            Some(("perft", counts)) => {
                for (depth, count) in (1..).zip(counts.split(' ')) {
                    let count = count.parse().unwrap();
                    if count <= NODES_AT_MOST {
                        let slow = slow_perft(&SlowBoard::read(&text), book, depth);
                        assert_eq!(slow.unwrap_or(count), count, "perft {depth} of {text}");
                        compared += usize::from(slow.is_some());
                    }
                }
            }
            _ => (),
        }
    }
    assert!(compared > 60, "only {compared} counts were compared");
}

#[test]
fn the_suite_of_the_site_counts_what_the_slow_board_counts() {
    check_suite::<Site>(include_str!("../../perft/suites/draughts.perft"), SITE);
}

#[test]
fn the_suite_of_the_fmjd_counts_what_the_slow_board_counts() {
    check_suite::<Fmjd>(include_str!("../../perft/suites/draughts-fmjd.perft"), FMJD);
}
