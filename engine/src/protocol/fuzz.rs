//! Lines of input and whole sessions, for the fuzzer.

use std::cell::RefCell;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex};

use super::dialect::Dialect;
use super::engine::Engine;
use super::output::Output;
use super::{Menu, VARIANTS, Variant, toy};

/// The text of an input, as a GUI that sends no wrong bytes would send it.
fn lines(bytes: &[u8]) -> Vec<String> {
    String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect()
}

/// Lines are read or refused, in every dialect.
pub(crate) fn commands(bytes: &[u8]) {
    for dialect in [Dialect::Native, Dialect::Ugi, Dialect::Hub] {
        let mut reader = dialect.reader(VARIANTS);
        for line in lines(bytes) {
            let _ = reader.read(&line);
        }
    }
}

/// A session about the toy games, each with an engine of its own.
pub(crate) fn sessions(bytes: &[u8]) {
    let mut table = Table::new(toy::VARIANTS);
    table.play(&lines(bytes));
    if let Some(engine) = table.engine.take() {
        engine.close();
    }
    table.check();
}

/// A session about a real game, which the first byte names. Engines are kept, since it takes long to
/// begin with one.
pub(crate) fn plays(bytes: &[u8]) {
    thread_local! {
        static TABLES: RefCell<Vec<Table>> = const { RefCell::new(Vec::new()) };
    }
    let Some((&game, bytes)) = bytes.split_first() else { return };
    TABLES.with_borrow_mut(|tables| {
        if tables.is_empty() {
            tables.extend(VARIANTS.chunks(1).map(Table::new));
        }
        let game = usize::from(game) % tables.len();
        let table = &mut tables[game];
        for line in ["setoption name Hash value 1", "ucinewgame", "position startpos"] {
            table.obey(line);
        }
        table.play(&lines(bytes));
        table.rest();
        table.check();
    });
}

/// What an engine says.
#[derive(Clone, Default)]
pub(super) struct Paper(pub(super) Arc<Mutex<Vec<u8>>>);

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("a paper").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An engine, and what it was asked and answered.
struct Table {
    variants: &'static [Variant],
    engine: Option<Engine>,
    paper: Paper,
    /// The searches that were asked for and not refused because another one was running.
    searches: usize,
    script: Vec<String>,
    /// Whether the native dialect is spoken; searches are counted in no other.
    is_native: bool,
}

impl Table {
    fn new(variants: &'static [Variant]) -> Self {
        let (paper, script) = (Paper::default(), Vec::new());
        Self { variants, engine: None, paper, searches: 0, script, is_native: true }
    }

    fn count(&self, begin: &str) -> usize {
        let text = self.paper.0.lock().expect("a paper");
        let text = str::from_utf8(&text).expect("text");
        text.lines().filter(|line| line.starts_with(begin)).count()
    }

    /// Serves the lines, as far as they leave files alone and take little time.
    fn play(&mut self, lines: &[String]) {
        for line in lines.iter().filter_map(|line| tame(line)) {
            self.obey(&line);
        }
    }

    fn obey(&mut self, line: &str) {
        const BUSY: &str = "info string error: busy";
        let variants = self.variants;
        let paper = self.paper.clone();
        let mut engine = self.engine.take().unwrap_or_else(|| {
            let menu = Menu::new(variants, None).expect("there are variants");
            Engine::new(menu, Arc::new(Output::new(paper, || ())))
        });
        let is_search = first_word(line) == "go" && !line.contains("perft");
        let before = if is_search { self.count(BUSY) } else { 0 };
        let flow = engine.obey(line);
        if is_search && self.count(BUSY) == before {
            self.searches += 1;
        }
        self.is_native &= engine.dialect() == Dialect::Native;
        self.script.push(line.to_owned());
        match flow {
            ControlFlow::Continue(()) => self.engine = Some(engine),
            ControlFlow::Break(()) => engine.close(),
        }
    }

    /// Ends what still runs.
    fn rest(&mut self) {
        if let Some(engine) = &mut self.engine {
            for line in ["stop", "wait"] {
                assert!(engine.obey(line).is_continue());
            }
        }
    }

    /// Every search was answered once.
    fn check(&mut self) {
        let answers = self.count("bestmove ");
        let said = String::from_utf8_lossy(&self.paper.0.lock().expect("a paper")).into_owned();
        assert!(!self.is_native || answers == self.searches, "{:#?}\n{said}", self.script);
        self.paper.0.lock().expect("a paper").clear();
        self.script.clear();
        self.searches = 0;
    }
}

fn first_word(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').split_whitespace().next().unwrap_or_default()
}

/// The line with small numbers, so that it takes little time and memory; none for one that names a
/// file, or another dialect.
fn tame(line: &str) -> Option<String> {
    let lower = line.to_lowercase();
    if ["log", "path", "tables"].iter().any(|name| lower.contains(name)) {
        return None;
    }
    match first_word(&lower) {
        "go" if lower.contains("perft") => Some("go perft 1".to_owned()),
        "go" => Some(format!("{line} nodes 60")),
        "bench" => Some("bench 1".to_owned()),
        "setoption" | "set-param" => {
            let mut digits = 0;
            let small = |c: &char| {
                digits = if c.is_ascii_digit() { digits + 1 } else { 0 };
                digits < 2
            };
            Some(line.chars().filter(small).collect())
        }
        _ => Some(line.to_owned()),
    }
}
