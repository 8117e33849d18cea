//! Reading of PDN, as it is found: the reading grammar of PDN 3.0, and what else is common.
//!
//! A game ends with `*`, with a result, or where the tags of the next one begin. Lines with `%` at
//! their beginning are skipped, and so is what follows a `;`. Moves may be written with `-`, `x` or `:`.

use super::{Item, PdnGame, RESULT};

/// The results that end a game.
const RESULTS: [&str; 8] = ["*", "1-0", "0-1", "1/2-1/2", "2-0", "0-2", "1-1", "0-0"];

/// Why a text is no game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// A tag is not of the form `[Name "value"]`.
    #[error("{0:?} is not a tag, expected for example [White \"Wiersma, Harm\"]")]
    Tag(String),
    /// What is opened is not closed.
    #[error("{0:?} is not closed, expected {1:?}")]
    Open(String, char),
    /// A word is nothing that stands among moves.
    #[error("{0:?} is no move, expected for example 32-28 or 26x37")]
    Word(String),
    /// What stands between slashes is not a position.
    #[error("{0:?} is not a position to go on from, expected for example /FEN \"W:W31-50:B1-20\"/")]
    Setup(String),
}

/// The games of a text, one after the other. After an error it goes on with the next game.
pub struct Reader<'a> {
    rest: &'a str,
    /// Whether a line begins here.
    at_line_start: bool,
}

/// A part of the text.
enum Token<'a> {
    Tag(String, String),
    Item(Item),
    /// A move number, or dots for a move that is not told.
    Nothing,
    /// A result, or `*`.
    End(&'a str),
    Text(&'a str),
}

impl<'a> Reader<'a> {
    /// The games of `text`.
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.trim_start_matches('\u{feff}'), at_line_start: true }
    }

    /// Skips white space and what is no part of any game.
    fn skip(&mut self) {
        loop {
            let trimmed = self.rest.trim_start();
            let skipped = &self.rest[..self.rest.len() - trimmed.len()];
            self.at_line_start |= skipped.contains('\n');
            self.rest = trimmed;
            if !(self.rest.starts_with(';') || self.at_line_start && self.rest.starts_with('%')) {
                return;
            }
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
        }
    }

    /// What stands up to `close`, which is behind a first character.
    fn enclosed(&mut self, close: char) -> Result<&'a str, ReadError> {
        let inner = &self.rest[1..];
        let Some(end) = inner.find(close) else {
            let open: String = self.rest.chars().take(20).collect();
            self.rest = "";
            return Err(ReadError::Open(open, close));
        };
        self.rest = &inner[end + close.len_utf8()..];
        Ok(&inner[..end])
    }

    /// `[Name "value"]`.
    fn tag(&mut self) -> Result<Token<'a>, ReadError> {
        let line = self.rest.lines().next().unwrap_or_default();
        let error = || ReadError::Tag(line.chars().take(60).collect());
        let parts = || {
            let (name, value) = line.strip_prefix('[')?.split_once('"')?;
            let (value, length) = unescaped(value)?;
            let used = line.len() - line.split_once('"')?.1.len() + length;
            let close = line[used..].find(']')?;
            line[used..used + close].trim().is_empty().then_some(())?;
            let name = name.trim();
            (!name.is_empty()).then(|| (name.to_owned(), value, used + close + 1))
        };
        let Some((name, value, used)) = parts() else {
            self.rest = &self.rest[line.len()..];
            return Err(error());
        };
        self.rest = &self.rest[used..];
        Ok(Token::Tag(name, value))
    }

    /// What stands in parentheses, which may hold more of them, and comments.
    fn variation(&mut self) -> Result<Token<'a>, ReadError> {
        let (mut depth, mut in_comment) = (0, false);
        for (at, c) in self.rest.char_indices() {
            match c {
                '{' => in_comment = true,
                '}' => in_comment = false,
                '(' if !in_comment => depth += 1,
                ')' if !in_comment => depth -= 1,
                _ => (),
            }
            if depth == 0 {
                let words: Vec<_> = self.rest[1..at].split_whitespace().collect();
                self.rest = &self.rest[at + 1..];
                return Ok(Token::Item(Item::Variation(words.join(" "))));
            }
        }
        let open: String = self.rest.chars().take(20).collect();
        self.rest = "";
        Err(ReadError::Open(open, ')'))
    }

    /// The next part of the text.
    fn token(&mut self) -> Option<Result<Token<'a>, ReadError>> {
        self.skip();
        self.at_line_start = false;
        let first = self.rest.chars().next()?;
        Some(match first {
            '[' => self.tag(),
            '{' => self.enclosed('}').map(|text| {
                let words: Vec<_> = text.split_whitespace().collect();
                Token::Item(Item::Comment(words.join(" ")))
            }),
            '(' if !self.rest.starts_with("(!") && !self.rest.starts_with("(?") => self.variation(),
            '/' => self.enclosed('/').and_then(|text| {
                let fen = text.trim().strip_prefix("FEN").map(str::trim);
                let fen = fen.and_then(|fen| fen.strip_prefix('"')?.strip_suffix('"'));
                let error = || ReadError::Setup(text.to_owned());
                fen.map(|fen| Token::Item(Item::Setup(fen.to_owned()))).ok_or_else(error)
            }),
            _ => Ok(self.word()),
        })
    }

    /// What stands up to white space, or up to something that is a part of its own.
    fn word(&mut self) -> Token<'a> {
        let is_end = |c: char| c.is_whitespace() || "[]{}$;".contains(c);
        let first = self.rest.chars().next().map_or(0, char::len_utf8);
        let end = self.rest[first..].find(is_end).map_or(self.rest.len(), |end| first + end);
        let (mut word, _) = self.rest.split_at(end);
        // A move may follow its number at once: 12.32-28.
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let dots = word[digits..].bytes().take_while(|&byte| byte == b'.').count();
        if dots > 0 {
            self.rest = &self.rest[digits + dots..];
            return Token::Nothing;
        }
        if let Some(number) = word.strip_prefix('$') {
            self.rest = &self.rest[end..];
            return Token::Item(Item::Glyph(number.to_owned()));
        }
        // A variation may follow at once, a mark like (?) belongs to the move.
        if let Some(at) = word.find('(')
            && !word[at..].starts_with("(!")
            && !word[at..].starts_with("(?")
        {
            word = &word[..at];
        }
        // The star that ends a game may follow its result at once: 2-0*.
        let result = word.strip_suffix('*').filter(|word| RESULTS.contains(word)).unwrap_or(word);
        if RESULTS.contains(&result) {
            self.rest = &self.rest[result.len()..];
            return Token::End(result);
        }
        self.rest = &self.rest[word.len()..];
        move_item(word).map_or(Token::Text(word), Token::Item)
    }

    /// Skips the rest of a game that can't be read.
    fn recover(&mut self) {
        while let Some(token) = self.peek_token() {
            // The tags are those of the next game.
            if let Ok(Token::End(_) | Token::Tag(..)) = token {
                return;
            }
        }
    }

    /// The next part of the text; a tag is left where it is.
    fn peek_token(&mut self) -> Option<Result<Token<'a>, ReadError>> {
        let before = (self.rest, self.at_line_start);
        let token = self.token();
        if let Some(Ok(Token::Tag(..))) = token {
            (self.rest, self.at_line_start) = before;
        }
        token
    }
}

impl Iterator for Reader<'_> {
    type Item = Result<PdnGame, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut game = PdnGame::default();
        loop {
            let is_empty = game == PdnGame::default();
            match self.peek_token() {
                None if is_empty => return None,
                None => return Some(Ok(game)),
                Some(Ok(Token::Tag(..))) if !game.items.is_empty() => return Some(Ok(game)),
                Some(Ok(Token::Tag(name, value))) => {
                    // It was left where it is.
                    let _ = self.token();
                    game.tags.push((name, value));
                }
                Some(Ok(Token::Item(item))) => game.items.push(item),
                Some(Ok(Token::Nothing)) => (),
                // A result may be followed by the sign that ends a game.
                Some(Ok(Token::End(_))) if is_empty => (),
                Some(Ok(Token::End(result))) => {
                    if result != "*" && game.tag(RESULT).is_none() {
                        game.set_tag(RESULT, result);
                    }
                    return Some(Ok(game));
                }
                Some(Ok(Token::Text(word))) => {
                    self.recover();
                    return Some(Err(ReadError::Word(word.to_owned())));
                }
                Some(Err(error)) => {
                    self.recover();
                    return Some(Err(error));
                }
            }
        }
    }
}

/// The value of a tag up to its closing quote, and how much of the text that was.
fn unescaped(text: &str) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Some((value, at + 1)),
            '\\' => match chars.next()? {
                (_, escaped @ ('"' | '\\')) => value.push(escaped),
                (_, other) => value.extend(['\\', other]),
            },
            other => value.push(other),
        }
    }
    None
}

/// A move, whatever its separators, and the mark behind it.
fn move_item(word: &str) -> Option<Item> {
    let end = word.find(['!', '?', '(', '*']).unwrap_or(word.len());
    let (squares, strength) = word.split_at(end);
    // Only spaces tell a star that ends a game from one that marks a forced move.
    let strength = if strength == "*" { "" } else { strength };
    let is_mark = |c: char| "!?()".contains(c);
    if !strength.chars().all(is_mark) {
        return None;
    }
    let text = squares.replace([':', 'X', '×'], "x");
    let separator = if text.contains('x') { 'x' } else { '-' };
    let is_square = |square: &str| {
        (1..=2).contains(&square.len()) && square.bytes().all(|byte| byte.is_ascii_digit())
    };
    let count = text.split(separator).count();
    let is_path = count == 2 || count > 2 && separator == 'x';
    let is_move = is_path && text.split(separator).all(is_square);
    is_move.then(|| Item::Move { text, strength: strength.to_owned() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use super::super::Written;
    use super::*;

    fn games(text: &str) -> Vec<Result<PdnGame, ReadError>> {
        Reader::new(text).collect()
    }

    /// The items of the only game, moves as their texts and the rest in a short form.
    fn items(text: &str) -> Vec<String> {
        let games = games(text);
        let [Ok(game)] = games.as_slice() else { panic!("{games:#?}") };
        let short = |item: &Item| match item {
            Item::Move { text, strength } => format!("{text}{strength}"),
            Item::Comment(text) => format!("{{{text}}}"),
            Item::Glyph(number) => format!("${number}"),
            Item::Variation(text) => format!("({text})"),
            Item::Setup(fen) => format!("/{fen}/"),
        };
        game.items.iter().map(short).collect()
    }

    #[test]
    fn moves_are_read_in_every_common_form() {
        let check = |text: &str, expected: &str| {
            let expected: Vec<_> = expected.split(' ').map(str::to_owned).collect();
            assert_eq!(items(text), expected, "{text:?}");
        };
        check("1. 32-28 19-23 2. 28x19 14x23 2-0", "32-28 19-23 28x19 14x23");
        check("1.32-28 19-23 2.28:19 14X23 *", "32-28 19-23 28x19 14x23");
        check("1. 32-28 1... 19-23 12. ... 05-10", "32-28 19-23 05-10");
        check("32-28! 19-23(?) 28x19x10?! 14-20*", "32-28! 19-23(?) 28x19x10?! 14-20");
        check("32-28 $1 19-23$14 28x19", "32-28 $1 19-23 $14 28x19");
        check("1. 32-28\n; a line\n% another\n19-23 1/2-1/2", "32-28 19-23");
        check("1.31-26 17-21 /FEN \"B:B1-16:W26\"/ 1... 1-7", "31-26 17-21 /B:B1-16:W26/ 1-7");
    }

    #[test]
    fn comments_and_variations_are_kept_whole() {
        let text =
            "{begin\n  here} 1. 32-28 (1. 34-30 {a ) b} (1. 31-26) 20-25) 19-23{x}28x19(20-24)";
        assert_eq!(
            items(text),
            [
                "{begin here}",
                "32-28",
                "(1. 34-30 {a ) b} (1. 31-26) 20-25)",
                "19-23",
                "{x}",
                "28x19",
                "(20-24)"
            ]
        );
    }

    #[test]
    fn games_are_told_apart() {
        let text = "[Event \"a\"]\n[Result \"2-0\"]\n\n1. 32-28 2-0\n\n[Event \"b\"]\n\n31-26\n\
                    [Event \"c\"] [Site \"d\"]\n\n* 33-28 * 34-30 1-1 *\n";
        let games: Vec<_> = games(text).into_iter().map(Result::unwrap).collect();
        let tags: Vec<_> = games.iter().map(|game| game.tag("Event")).collect();
        assert_eq!(tags, [Some("a"), Some("b"), Some("c"), None, None]);
        let moves: Vec<_> = games.iter().map(|game| game.items.len()).collect();
        assert_eq!(moves, [1, 1, 0, 1, 1]);
        assert_eq!(games[2].tag("Site"), Some("d"));
        for end in ["2-0*[Event \"x\"]", "1-1(20-24)", "1-1*(20-24)"] {
            let games = self::games(&format!("1. 32-28 {end}"));
            assert_eq!(games.len(), 2, "{end}: {games:#?}");
        }
        let results: Vec<_> = games.iter().map(|game| game.tag("Result")).collect();
        assert_eq!(results, [Some("2-0"), None, None, None, Some("1-1")]);
    }

    #[test]
    fn what_can_not_be_read_is_told_and_the_next_game_goes_on() {
        let check = |text: &str, message: &str| {
            let games = games(&format!("{text}\n[Event \"next\"]\n1. 32-28 *"));
            let [Err(error), Ok(next)] = games.as_slice() else { panic!("{text}: {games:#?}") };
            assert_eq!(error.to_string(), message, "{text}");
            assert_eq!((next.tag("Event"), next.items.len()), (Some("next"), 1));
        };
        let expected = "is no move, expected for example 32-28 or 26x37";
        check("1. 32-28 Nf3 19-23", &format!("\"Nf3\" {expected}"));
        check("1. 32-28-23 19-23", &format!("\"32-28-23\" {expected}"));
        check(
            "[Event a]\n1. 32-28 *",
            "\"[Event a]\" is not a tag, expected for example [White \"Wiersma, Harm\"]",
        );
        check(
            "1. 32-28 /W:W1/ 1-7",
            "\"W:W1\" is not a position to go on from, expected for example /FEN \"W:W31-50:B1-20\"/",
        );
        let open = games("1. 32-28 {never closed");
        assert_eq!(open, [Err(ReadError::Open("{never closed".to_owned(), '}'))]);
    }

    const GAMES: &str = "% games\n[Event \"a \\\"b\\\"\"]\n[Result \"2-0\"]\n\n\
        {begin} 1. 32-28! $1 19-23(?) (18-23 {x} (20-24)) 2. 28:19 14x23x5 /FEN \"B:W1:B2\"/ 2-0\n\
        [Event \"b\"]\n12... 05-10 ; rest\n 13.31-26 *\n1-1";

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Some bytes are changed, dropped or doubled.
        #[test]
        fn damaged_games_are_refused_or_written_as_they_were_read(
            damages in prop::collection::vec((any::<Index>(), 0..3, any::<u8>()), 1..6)
        ) {
            let mut bytes = GAMES.as_bytes().to_vec();
            for (place, kind, byte) in damages {
                let place = place.index(bytes.len());
                match kind {
                    0 => bytes[place] = byte,
                    1 => drop(bytes.remove(place)),
                    _ => bytes.insert(place, bytes[place]),
                }
            }
            for game in games(&String::from_utf8_lossy(&bytes)).into_iter().flatten() {
                let text = Written { game: &game, second_begins: false }.to_string();
                let read = games(&text);
                prop_assert_eq!(read, [Ok(game)], "{}", text);
            }
        }
    }
}
