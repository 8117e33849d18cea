//! PDN 3.0, the notation for games of draughts: games as they are written and read.
//!
//! What is written keeps to the standard: a full `GameType`, squares between only in captures that
//! would be ambiguous without, and `*` between games. What is read may be older and laxer. Only the
//! texts are taken apart here; what they mean is the rule book's business.

use std::fmt::{self, Write};

mod reader;

pub use reader::{ReadError, Reader};

/// The columns that movetext is broken into lines at.
const WIDTH: usize = 100;

/// The tag that tells which game is played.
pub const GAME_TYPE: &str = "GameType";

/// The tag that tells how a game has ended. Older files tell it behind the moves.
pub const RESULT: &str = "Result";

/// The tag that tells where a game begins.
pub const FEN: &str = "FEN";

/// A game: its tags, and what stands in its movetext.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PdnGame {
    /// Names and values, in order.
    pub tags: Vec<(String, String)>,
    /// The movetext.
    pub items: Vec<Item>,
}

/// A part of the movetext.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// A move, with a mark like `!?` if there is one.
    Move {
        /// As it was written, but with `x` for every capture.
        text: String,
        /// What stands behind it.
        strength: String,
    },
    /// What stands in braces.
    Comment(String),
    /// `$` and a number.
    Glyph(String),
    /// What stands in parentheses.
    Variation(String),
    /// A position text that the game goes on from.
    Setup(String),
}

impl PdnGame {
    /// The value of the tag `name`.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets the value of the tag `name`, at its place or behind the others.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.to_owned(), value.into())),
        }
    }
}

/// The `GameType` of draughts on 10×10; `first` is `W` or `B`, who moves first. The first square lies at
/// the upper left for White, at the lower right for Black.
pub fn game_type(first: char) -> String {
    let corner = if first == 'W' { 2 } else { 1 };
    format!("20,{first},10,10,N{corner},0")
}

/// A tag with its line feed.
pub fn tag_line(name: &str, value: &str) -> String {
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]\n")
}

/// A game as PDN: tags, an empty line, the moves in lines that are not too long, `*`, an empty line. A
/// move of the second player has a number when something stands before it; `begins` says whose the
/// first move is.
pub struct Written<'a> {
    /// The game.
    pub game: &'a PdnGame,
    /// Whether the second player makes the first move.
    pub second_begins: bool,
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.game.tags {
            f.write_str(&tag_line(name, value))?;
        }
        if !self.game.tags.is_empty() {
            f.write_char('\n')?;
        }
        let words = self.words();
        write_wrapped(f, words.iter().map(String::as_str))?;
        f.write_char('\n')
    }
}

impl Written<'_> {
    fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut ply = usize::from(self.second_begins);
        let mut needs_number = true;
        for item in &self.game.items {
            match item {
                Item::Move { text, strength } => {
                    let number = match ply % 2 {
                        0 => format!("{}. ", ply / 2 + 1),
                        _ if needs_number => format!("{}... ", ply / 2 + 1),
                        _ => String::new(),
                    };
                    words.push(format!("{number}{text}{strength}"));
                    ply += 1;
                    needs_number = false;
                }
                Item::Comment(text) => words.push(format!("{{{}}}", text.replace('}', ")"))),
                Item::Glyph(number) => words.push(format!("${number}")),
                Item::Variation(text) => {
                    // Marks of a move may stand in parentheses, too.
                    let gap = if text.starts_with(['!', '?']) { " " } else { "" };
                    words.push(format!("({gap}{text})"));
                    needs_number = true;
                }
                Item::Setup(fen) => {
                    words.push(format!("/FEN \"{fen}\"/"));
                    needs_number = true;
                }
            }
        }
        words.push("*".to_owned());
        words
    }
}

/// Words between spaces, in lines that are not too long. A move stays with its number.
///
/// # Errors
/// None of its own: those of `out`.
pub fn write_wrapped<'a>(
    out: &mut impl fmt::Write,
    words: impl Iterator<Item = &'a str>,
) -> fmt::Result {
    let mut column = 0;
    for word in words {
        if column > 0 && column + 1 + word.len() > WIDTH {
            out.write_char('\n')?;
            column = 0;
        }
        if column > 0 {
            out.write_char(' ')?;
            column += 1;
        }
        out.write_str(word)?;
        column += word.len();
    }
    out.write_char('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mv(text: &str) -> Item {
        Item::Move { text: text.to_owned(), strength: String::new() }
    }

    #[test]
    fn a_game_is_written_by_the_standard() {
        let mut game = PdnGame::default();
        game.set_tag("Event", "a \"b\" \\");
        game.set_tag("Result", "1-1");
        game.set_tag("Result", "2-0");
        game.items = vec![
            Item::Comment("well {x}".to_owned()),
            mv("32-28"),
            Item::Glyph("1".to_owned()),
            mv("19-23"),
            Item::Move { text: "28x19".to_owned(), strength: "!".to_owned() },
            Item::Variation("37-32 $2".to_owned()),
            mv("14x23"),
        ];
        let text = Written { game: &game, second_begins: false }.to_string();
        let expected = "[Event \"a \\\"b\\\" \\\\\"]\n[Result \"2-0\"]\n\n\
             {well {x)} 1. 32-28 $1 19-23 2. 28x19! (37-32 $2) 2... 14x23 *\n\n";
        assert_eq!(text, expected);
        game.items = vec![mv("19-23"), mv("28x19"), Item::Setup("B:W1:B2".to_owned()), mv("2-7")];
        let text = Written { game: &game, second_begins: true }.to_string();
        assert!(text.ends_with("\n1... 19-23 2. 28x19 /FEN \"B:W1:B2\"/ 2... 2-7 *\n\n"), "{text}");
    }

    #[test]
    fn what_is_written_is_read_back() {
        let mut game = PdnGame::default();
        game.set_tag("White", "A \\ \"B\"");
        game.set_tag(GAME_TYPE, game_type('W'));
        game.items = (0..90).flat_map(|_| [mv("32-28"), Item::Comment("x y".to_owned())]).collect();
        let text = Written { game: &game, second_begins: true }.to_string();
        assert!(text.lines().all(|line| line.len() <= WIDTH));
        let read: Vec<_> = Reader::new(&text).collect();
        assert_eq!(read, [Ok(game)]);
    }
}
