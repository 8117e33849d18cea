//! Perft suites: positions with the number of ways in which they can go on.
//!
//! A suite is a text file. `variant` names the rules for what follows; each position has a `name`, a
//! `pos` and a `perft` line with the counts for depth 1, 2, 3, …; `#` begins a comment:
//!
//! ```text
//! # Computed by two independent generators.
//! variant kalah
//!
//! name  start
//! pos   4,4,4,4,4,4,0/4,4,4,4,4,4,0 s
//! perft 6 35 185 942
//! ```

use yardmaster::games::{Variant, Visitor};
use yardmaster::perft::Perft;
use yardmaster::position::{Position, Rules};

/// A position and its counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// The rules.
    pub variant: Variant,
    /// What the position is called.
    pub name: String,
    /// The position text.
    pub position: String,
    /// The counts for depth 1, 2, 3, …
    pub counts: Vec<u64>,
}

/// Why a text is not a suite; lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SuiteError {
    /// A line begins with none of the known words.
    #[error(
        "line {line}: {word:?} begins no line of a suite, expected variant, name, pos or perft"
    )]
    UnknownWord {
        /// Where.
        line: usize,
        /// What was read.
        word: String,
    },
    /// There is no such variant.
    #[error("line {line}: {name:?} is no variant, expected one of {}", Variant::NAMES.join(", "))]
    UnknownVariant {
        /// Where.
        line: usize,
        /// What was read.
        name: String,
    },
    /// A count is not a number.
    #[error("line {line}: {count:?} is not a count of positions")]
    BadCount {
        /// Where.
        line: usize,
        /// What was read.
        count: String,
    },
    /// A `perft` line without the lines that must stand before it.
    #[error("line {line}: counts without a {missing} line before them")]
    Incomplete {
        /// Where.
        line: usize,
        /// The word that is missing.
        missing: &'static str,
    },
}

/// The cases of a suite.
///
/// # Errors
/// [`SuiteError`] names the first line that is wrong.
pub fn read_suite(text: &str) -> Result<Vec<Case>, SuiteError> {
    let mut cases = Vec::new();
    let (mut variant, mut name, mut position) = (None, None, None);
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        let (word, rest) = content.split_once(char::is_whitespace).unwrap_or((content, ""));
        let rest = rest.trim();
        match word {
            "variant" => {
                let unknown = SuiteError::UnknownVariant { line, name: rest.to_owned() };
                variant = Some(rest.parse().map_err(|_| unknown)?);
            }
            "name" => name = Some(rest.to_owned()),
            "pos" => position = Some(rest.to_owned()),
            "perft" => {
                let incomplete = |missing| SuiteError::Incomplete { line, missing };
                let count = |count: &str| {
                    count
                        .parse()
                        .map_err(|_| SuiteError::BadCount { line, count: count.to_owned() })
                };
                cases.push(Case {
                    variant: variant.ok_or(incomplete("variant"))?,
                    name: name.take().ok_or(incomplete("name"))?,
                    position: position.take().ok_or(incomplete("pos"))?,
                    counts: rest.split_whitespace().map(count).collect::<Result<_, _>>()?,
                });
            }
            _ if word.is_empty() || word.starts_with('#') => (),
            _ => return Err(SuiteError::UnknownWord { line, word: word.to_owned() }),
        }
    }
    Ok(cases)
}

/// The suites that come with the program, by file name.
pub const SUITES: [(&str, &str); 5] = [
    ("draughts.perft", include_str!("../suites/draughts.perft")),
    ("draughts-fmjd.perft", include_str!("../suites/draughts-fmjd.perft")),
    ("halma.perft", include_str!("../suites/halma.perft")),
    ("banqi.perft", include_str!("../suites/banqi.perft")),
    ("kalah.perft", include_str!("../suites/kalah.perft")),
];

/// What is counted: a position of a variant, to a depth, split by its first events.
pub struct Count<'a> {
    /// The position text; `None` is the start position.
    pub position: Option<&'a str>,
    /// Plies to look ahead.
    pub depth: u32,
    /// In which way.
    pub perft: Perft<'a>,
    /// Is told the number of each first event as soon as all are counted.
    pub on_event: &'a mut dyn FnMut(&str, u64),
}

impl Visitor for Count<'_> {
    type Output = Result<u64, String>;

    fn visit<P: Position>(self) -> Self::Output {
        let rules = P::Rules::default().with_no_progress_plies(0);
        let position = match self.position {
            None => P::start(rules),
            Some(text) => P::read(text, rules).map_err(|error| error.to_string())?,
        };
        if self.depth == 0 {
            return Ok(1);
        }
        let division =
            self.perft.divide(&position, self.depth).ok_or("the counting was stopped")?;
        for &(event, count) in &division {
            (self.on_event)(&position.event_text(event), count);
        }
        Ok(division.iter().map(|(_, count)| count).sum())
    }
}

/// The number of sequences of `depth` events from a position.
///
/// # Errors
/// Why the text is not a position; or that the counting was stopped.
pub fn count(
    variant: Variant,
    position: Option<&str>,
    depth: u32,
    perft: Perft<'_>,
) -> Result<u64, String> {
    variant.visit(Count { position, depth, perft, on_event: &mut |_, _| () })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suite_reads_as_it_is_written() {
        let text = "# source\nvariant kalah\n\nname a b\npos  1,0 s \nperft 6 35\n";
        let case = Case {
            variant: Variant::Kalah,
            name: "a b".to_owned(),
            position: "1,0 s".to_owned(),
            counts: vec![6, 35],
        };
        assert_eq!(read_suite(text), Ok(vec![case]));
    }

    #[test]
    fn a_bad_suite_names_its_line() {
        let check = |text, message: &str| {
            assert_eq!(read_suite(text).unwrap_err().to_string(), message);
        };
        check(
            "\nfen x",
            "line 2: \"fen\" begins no line of a suite, expected variant, name, pos or perft",
        );
        check(
            "variant chess",
            "line 1: \"chess\" is no variant, expected one of draughts, draughts-fmjd, halma, banqi, kalah",
        );
        check("variant kalah\nname x\nperft 1", "line 3: counts without a pos line before them");
        check("name x\npos y\nperft 1", "line 3: counts without a variant line before them");
        check(
            "variant kalah\nname x\npos y\nperft 1 -2",
            "line 4: \"-2\" is not a count of positions",
        );
    }
}
