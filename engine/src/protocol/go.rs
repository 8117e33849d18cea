//! What a `go` asks for.

use std::time::Duration;

use crate::position::Side;
use crate::search::{Limits, TimeControl};

/// The words of a `go`.
const WORDS: &str = "depth, nodes, mate, movetime, wtime, btime, winc, binc, movestogo, infinite, \
                     ponder, searchmoves or perft";

/// The limits of one search. They never stick to the next one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Go<'a> {
    pub(super) depth: Option<u32>,
    pub(super) nodes: Option<u64>,
    pub(super) mate: Option<u32>,
    pub(super) move_time: Option<Duration>,
    pub(super) clocks: [Option<Duration>; 2],
    pub(super) increments: [Duration; 2],
    pub(super) moves_left: Option<u32>,
    pub(super) infinite: bool,
    /// Whether the opponent is still to play the expected move.
    pub(super) ponder: bool,
    /// The texts of the moves to choose from, if not from all.
    pub(super) moves: Option<Vec<&'a str>>,
    /// Whether a move is wanted even after a draw by a counter or by repetition, which not every player
    /// claims.
    pub(super) past_draws: bool,
    /// Not a search, but a count of this depth.
    pub(super) perft: Option<u32>,
    pub(super) unknown: Vec<&'a str>,
}

/// What ends a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// A limit of its own, or the end of what can be found out; not before a ponder hit, though.
    Limit,
    /// The ponder hit: it has no limit of its own.
    PonderHit,
    /// Nothing but a stop.
    Stop,
}

/// Why a `go` is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(super) enum GoError {
    #[error("{word} without a value, expected {expected}")]
    Missing { word: String, expected: &'static str },
    #[error("{value:?} is not a value of {word}, expected {expected}")]
    Malformed { word: String, value: String, expected: &'static str },
    #[error(transparent)]
    Unknown(UnknownWords),
    #[error("perft {depth} is deeper than {PERFT_MAX} plies")]
    TooDeep { depth: u64 },
    #[error(transparent)]
    Perft(Box<Self>),
}

/// Words that mean nothing in a `go`.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown in go: {words:?}, expected {WORDS}")]
pub(super) struct UnknownWords {
    words: String,
}

/// Bounds the recursion of perft in games without an end.
const PERFT_MAX: u64 = 1_000;

/// What is expected after a word that counts something.
const COUNT: &str = "a whole number from 0";
/// What is expected after a word that tells a time.
const MILLISECONDS: &str = "a whole number of milliseconds";

impl<'a> Go<'a> {
    /// Reads what follows the word `go`.
    pub(super) fn read(text: &'a str) -> Result<Self, GoError> {
        let mut go = Self::default();
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            match word {
                "searchmoves" => {
                    let list = go.moves.get_or_insert_default();
                    let before = list.len();
                    while let Some(text) = words.next_if(|word| !is_keyword(word)) {
                        list.push(text);
                    }
                    if list.len() == before {
                        return Err(GoError::Missing { word: word.into(), expected: "moves" });
                    }
                }
                _ if is_keyword(word) => go.limit(word, &mut words)?,
                unknown => go.unknown.push(unknown),
            }
        }
        // A search for ever is not what a misspelt limit meant.
        let nothing_else = Self { unknown: go.unknown.clone(), ..Self::default() };
        match go.unknown() {
            Some(unknown) if go == nothing_else => Err(GoError::Unknown(unknown)),
            _ => Ok(go),
        }
    }

    /// Takes the value of a keyword.
    fn limit(
        &mut self,
        word: &str,
        words: &mut impl Iterator<Item = &'a str>,
    ) -> Result<(), GoError> {
        let mut value = |expected, read: fn(&str) -> Option<u64>| {
            let Some(value) = words.next() else {
                return Err(GoError::Missing { word: word.to_owned(), expected });
            };
            read(value).ok_or_else(|| GoError::Malformed {
                word: word.to_owned(),
                value: value.to_owned(),
                expected,
            })
        };
        let small = |count: u64| u32::try_from(count).unwrap_or(u32::MAX);
        let mut time = || value(MILLISECONDS, milliseconds).map(Duration::from_millis);
        match word {
            "infinite" => self.infinite = true,
            "ponder" => self.ponder = true,
            "movetime" => self.move_time = Some(time()?),
            "wtime" | "time1" | "p1time" => self.clocks[Side::First.index()] = Some(time()?),
            "btime" | "time2" | "p2time" => self.clocks[Side::Second.index()] = Some(time()?),
            "winc" | "inc1" | "p1inc" => self.increments[Side::First.index()] = time()?,
            "binc" | "inc2" | "p2inc" => self.increments[Side::Second.index()] = time()?,
            "depth" => self.depth = Some(small(value(COUNT, count)?)),
            "nodes" => self.nodes = Some(value(COUNT, count)?),
            "mate" => self.mate = Some(small(value(COUNT, count)?)),
            // As the common GUIs mean it, no moves to go are the whole game.
            "movestogo" => {
                self.moves_left = Some(small(value(COUNT, count)?)).filter(|&moves| moves > 0);
            }
            _ => {
                let depth = value(COUNT, count).map_err(|error| GoError::Perft(error.into()))?;
                if depth > PERFT_MAX {
                    return Err(GoError::Perft(GoError::TooDeep { depth }.into()));
                }
                self.perft = Some(small(depth));
            }
        }
        Ok(())
    }

    /// The words that were skipped, if any.
    pub(super) fn unknown(&self) -> Option<UnknownWords> {
        (!self.unknown.is_empty()).then(|| UnknownWords { words: self.unknown.join(" ") })
    }

    /// The limits besides time. Nothing at all would be less than a search can do.
    pub(super) fn limits(&self, ending: Ending) -> Limits {
        // No move can win within no moves: the search would never be content.
        let least = self.mate.filter(|&moves| moves == 0).map(|_| 1);
        let depth = [self.depth, least].into_iter().flatten().min();
        Limits {
            depth: depth.map(|depth| depth.max(1)),
            nodes: self.nodes.map(|nodes| nodes.max(1)),
            mate: self.mate.map(|moves| moves.max(1)),
            infinite: ending == Ending::Stop,
        }
    }

    /// The time of `side`. An infinite search has no clock.
    pub(super) fn time(&self, side: Side) -> TimeControl {
        if self.infinite {
            return TimeControl::default();
        }
        TimeControl {
            remaining: self.clocks[side.index()],
            increment: self.increments[side.index()],
            moves_to_go: self.moves_left,
            move_time: self.move_time,
            ..TimeControl::default()
        }
    }

    /// What ends the search, given whether time does.
    pub(super) fn ending(&self, timed: bool) -> Ending {
        let limited = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some() || timed;
        match () {
            () if self.infinite => Ending::Stop,
            () if limited => Ending::Limit,
            () if self.ponder => Ending::PonderHit,
            () => Ending::Stop,
        }
    }
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "depth"
            | "nodes"
            | "mate"
            | "movetime"
            | "wtime"
            | "btime"
            | "winc"
            | "binc"
            | "time1"
            | "time2"
            | "inc1"
            | "inc2"
            | "p1time"
            | "p2time"
            | "p1inc"
            | "p2inc"
            | "movestogo"
            | "infinite"
            | "ponder"
            | "searchmoves"
            | "perft"
    )
}

/// A number without sign; one that is too large is the largest.
pub(super) fn count(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

/// A time; a clock that has run out may be told as less than nothing.
fn milliseconds(text: &str) -> Option<u64> {
    match text.strip_prefix('-') {
        Some(negative) => count(negative).map(|_| 0),
        None => count(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go<'_> {
        Go::read(text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn limits(text: &str) -> Limits {
        let go = go(text);
        go.limits(go.ending(false))
    }

    #[test]
    fn every_limit_is_read() {
        let expected = Limits { depth: Some(5), nodes: Some(7), mate: Some(3), infinite: false };
        assert_eq!(limits("depth 5 nodes 7 mate 3"), expected);
        assert_eq!(
            limits("infinite depth 5"),
            Limits { infinite: true, nodes: None, mate: None, ..expected }
        );
        assert_eq!(limits(""), Limits { infinite: true, ..Limits::default() });
    }

    #[test]
    fn nothing_is_the_least_possible_and_too_much_is_the_most() {
        assert_eq!(limits("depth 0").depth, Some(1));
        assert_eq!(limits("nodes 0").nodes, Some(1));
        assert_eq!(limits("mate 0"), Limits { depth: Some(1), mate: Some(1), ..Limits::default() });
        assert_eq!(limits("depth 99999999999999999999").depth, Some(u32::MAX));
        assert_eq!(limits("nodes 99999999999999999999").nodes, Some(u64::MAX));
    }

    #[test]
    fn a_clock_belongs_to_a_side() {
        let ms = Duration::from_millis;
        let texts = [
            "wtime 1 btime 2 winc 3 binc 4 movestogo 5",
            "time1 1 time2 2 inc1 3 inc2 4 movestogo 5",
            "p1time 1 p2time 2 p1inc 3 p2inc 4 movestogo 5",
        ];
        for text in texts {
            let [first, second] = [Side::First, Side::Second].map(|side| go(text).time(side));
            assert_eq!((first.remaining, first.increment), (Some(ms(1)), ms(3)));
            assert_eq!((second.remaining, second.increment), (Some(ms(2)), ms(4)));
            assert_eq!((first.moves_to_go, second.moves_to_go), (Some(5), Some(5)));
        }
        assert_eq!(go("wtime 5").time(Side::Second).remaining, None);
        assert_eq!(go("wtime -5 winc -1").time(Side::First).remaining, Some(ms(0)));
        assert_eq!(go("movetime 0").time(Side::First).move_time, Some(ms(0)));
        assert_eq!(go("wtime 5 movestogo 0").time(Side::First).moves_to_go, None);
        assert_eq!(go("wtime 5 infinite").time(Side::First), TimeControl::default());
    }

    #[test]
    fn a_search_ends_as_its_limits_say() {
        let check = |text, timed, expected| assert_eq!(go(text).ending(timed), expected, "{text}");
        check("", false, Ending::Stop);
        check("searchmoves a", false, Ending::Stop);
        check("infinite depth 3", false, Ending::Stop);
        check("ponder", false, Ending::PonderHit);
        check("ponder wtime 1000", true, Ending::Limit);
        check("depth 3", false, Ending::Limit);
        check("wtime 1000", true, Ending::Limit);
        check("btime 1000", false, Ending::Stop);
    }

    #[test]
    fn searchmoves_ends_at_the_next_keyword() {
        let go = go("searchmoves a b depth 3 searchmoves c");
        assert_eq!(go.moves, Some(vec!["a", "b", "c"]));
        assert_eq!(go.depth, Some(3));
    }

    #[test]
    fn an_unknown_word_is_skipped_but_not_alone() {
        let go = go("foo 5 depth 3");
        assert_eq!(go.unknown().expect("two words").words, "foo 5");
        assert_eq!(go.depth, Some(3));
        assert!(matches!(Go::read("foo 5"), Err(GoError::Unknown(_))));
    }

    #[test]
    fn a_bad_value_is_refused() {
        let check = |text, expected: &str| {
            let error = Go::read(text).expect_err(text).to_string();
            assert_eq!(error, expected, "{text}");
        };
        check("depth abc", "\"abc\" is not a value of depth, expected a whole number from 0");
        check("depth -1", "\"-1\" is not a value of depth, expected a whole number from 0");
        check("depth", "depth without a value, expected a whole number from 0");
        check("nodes 1e6", "\"1e6\" is not a value of nodes, expected a whole number from 0");
        check(
            "wtime depth 3",
            "\"depth\" is not a value of wtime, expected a whole number of milliseconds",
        );
        check("searchmoves depth 3", "searchmoves without a value, expected moves");
        check("perft 1001", "perft 1001 is deeper than 1000 plies");
    }
}
