//! The record of a match: a file of JSON lines, the first with the settings, then one a finished
//! pair. Everything that a report says can be made from it. Each line ends with the checksum of what
//! stands before that.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::fault::FaultKind;
use super::settings::{Settings, Shard};
use crate::files::{checksum, lock};

/// The version of the format, to be raised when old records can't be read any more.
const FORMAT: u32 = 2;

/// What every record begins with.
const BEGINNING: &[u8] = b"{\"format\":";

/// The first line of a record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    /// The version of the format.
    format: u32,
    /// What the match is.
    pub(super) settings: Settings,
    /// Which of its pairs are in this record.
    pub(super) shard: Shard,
}

/// Two games with the same opening and the sides swapped.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct PairRecord {
    /// Its number in the match, from 1.
    pub(super) pair: u64,
    /// The names of the players; the first one begins in the first game.
    pub(super) players: [String; 2],
    pub(super) opening: OpeningRecord,
    pub(super) games: [GameRecord; 2],
}

/// Where both games of a pair begin.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct OpeningRecord {
    /// Its number among the openings, from 1.
    pub(super) number: u64,
    /// The position text, if it is not the start position.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) start: Option<String>,
    /// What happened before the players moved.
    pub(super) moves: Vec<String>,
    /// What lay face down.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) deal: Option<String>,
}

/// A game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct GameRecord {
    /// Who played the side that is first in the game's turn order.
    pub(super) first: String,
    /// Who won, `None` for a draw.
    pub(super) winner: Option<String>,
    /// How it ended.
    pub(super) reason: String,
    /// What a player did wrong.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) fault: Option<FaultRecord>,
    /// What was played after the opening.
    pub(super) plies: Vec<PlyRecord>,
    /// What was wrong with the lines of play that players told, for the first side and the second.
    #[serde(skip_serializing_if = "are_none", default)]
    pub(super) warnings: [Warnings; 2],
}

fn are_none(warnings: &[Warnings; 2]) -> bool {
    *warnings == [Warnings::default(); 2]
}

/// Who did something wrong, and what.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct FaultRecord {
    pub(super) player: String,
    pub(super) kind: FaultKind,
}

/// A ply and what its player told.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct PlyRecord {
    /// What happened, as a game record holds it.
    #[serde(rename = "move")]
    pub(super) event: String,
    /// Whether the first side moved.
    #[serde(rename = "by")]
    pub(super) mover: Mover,
    /// In hundredths, from the mover's view.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) score: Option<i64>,
    /// A forced win in so many own moves, or a loss if negative.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) mate: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) nodes: Option<u64>,
    /// Milliseconds.
    pub(super) time: f64,
}

/// The side that moved, as records name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) enum Mover {
    #[serde(rename = "1")]
    First,
    #[serde(rename = "2")]
    Second,
}

/// How often something was wrong with the lines of play that a player told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Warnings {
    /// A move of the line was not legal.
    pub(super) illegal: u64,
    /// The line did not begin with the move that was then played.
    pub(super) other_move: u64,
    /// The line went on after the end of the game.
    pub(super) past_end: u64,
}

impl PairRecord {
    /// The points of the first player in half points, 0 to 4.
    pub(super) fn half_points(&self) -> usize {
        self.games.iter().map(|game| game.half_points(&self.players[0])).sum()
    }
}

impl GameRecord {
    /// The points of a player in half points, 0 to 2.
    pub(super) fn half_points(&self, player: &str) -> usize {
        match &self.winner {
            None => 1,
            Some(winner) if winner == player => 2,
            Some(_) => 0,
        }
    }
}

/// Why a record can't be read or written.
#[derive(Debug, thiserror::Error)]
pub(super) enum RecordError {
    /// The operating system refuses.
    #[error("{}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    /// There is a record already.
    #[error("{} exists, expected --resume to go on with it, or another name", .0.display())]
    Exists(PathBuf),
    /// The file is something else, or damaged.
    #[error("{}, line {line}: {reason}", path.display())]
    Line { path: PathBuf, line: usize, reason: String },
    /// The record is of another match.
    #[error("{} is the record of a match with other settings: {difference}", path.display())]
    OtherMatch { path: PathBuf, difference: String },
}

/// A record that is being written.
#[derive(Debug)]
pub(super) struct RecordFile {
    path: PathBuf,
    file: File,
}

/// Whether a record may exist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mode {
    /// It must not.
    Create,
    /// If it does, it is gone on with.
    Resume,
}

impl RecordFile {
    /// Creates a record, or opens one and gives the pairs that are in it.
    pub(super) fn open(
        path: &Path,
        settings: &Settings,
        shard: Shard,
        mode: Mode,
    ) -> Result<(Self, Vec<PairRecord>), RecordError> {
        let failed = |error| RecordError::File { path: path.to_owned(), error };
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        match mode {
            Mode::Create => options.create_new(true),
            Mode::Resume => options.create(true).truncate(false),
        };
        let mut file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => RecordError::Exists(path.to_owned()),
            _ => failed(error),
        })?;
        lock(&file).map_err(failed)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        let content = Content::read(path, &text)?;
        // What a killed run has left of its last line is written anew.
        file.set_len(content.valid_bytes).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut record = Self { path: path.to_owned(), file };
        let header = Header { format: FORMAT, settings: settings.clone(), shard };
        match content.header {
            Some(found) => found.check(&header, path)?,
            None => record.write(&header)?,
        }
        Ok((record, content.pairs))
    }

    /// Appends a pair: a whole line in one write.
    pub(super) fn add(&mut self, pair: &PairRecord) -> Result<(), RecordError> {
        self.write(pair)
    }

    fn write(&mut self, line: &impl Serialize) -> Result<(), RecordError> {
        let written =
            self.file.write_all(self::line(line).as_bytes()).and_then(|()| self.file.flush());
        written.map_err(|error| RecordError::File { path: self.path.clone(), error })
    }
}

/// What stands between the last field of a line and its checksum.
pub(super) const SUM: &str = ",\"sum\":\"";

/// The line of a header or a pair.
pub(super) fn line(object: &impl Serialize) -> String {
    sealed(&serde_json::to_string(object).expect("records have text keys only"))
}

/// The line of an object, with its checksum as the last field.
pub(super) fn sealed(object: &str) -> String {
    let fields = object.strip_suffix('}').expect("an object");
    format!("{fields}{SUM}{:016x}\"}}\n", checksum(fields.as_bytes()))
}

/// The object of a line; an error if it is not as it was written.
fn unsealed(line: &[u8]) -> Result<String, String> {
    let line = str::from_utf8(line).map_err(|error| error.to_string())?;
    let (fields, sum) = line.rsplit_once(SUM).ok_or("it has no checksum at its end")?;
    if sum != format!("{:016x}\"}}", checksum(fields.as_bytes())) {
        return Err("its checksum is not that of its fields".to_owned());
    }
    Ok(format!("{fields}}}"))
}

impl Header {
    /// Whether `self`, read from `path`, is the header of the match that `expected` describes.
    fn check(&self, expected: &Self, path: &Path) -> Result<(), RecordError> {
        let to_json = |header: &Self| serde_json::to_value(header).expect("a header is an object");
        match difference("", &to_json(self), &to_json(expected)) {
            None => Ok(()),
            Some(difference) => Err(RecordError::OtherMatch { path: path.to_owned(), difference }),
        }
    }

    /// Whether two records are of one match, shards aside.
    pub(super) fn check_same_match(&self, other: &Self, path: &Path) -> Result<(), RecordError> {
        let expected = Self { shard: self.shard, ..other.clone() };
        self.check(&expected, path)
    }
}

/// The first difference between two values, named by its place.
fn difference(
    place: &str,
    found: &serde_json::Value,
    expected: &serde_json::Value,
) -> Option<String> {
    use serde_json::Value;
    let inner =
        |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
    match (found, expected) {
        (Value::Object(a), Value::Object(b)) => {
            let keys = a.keys().chain(b.keys().filter(|key| !a.contains_key(*key)));
            let at = |map: &serde_json::Map<_, _>, key: &String| -> Value {
                map.get(key).cloned().unwrap_or(Value::Null)
            };
            keys.into_iter().find_map(|key| difference(&inner(key), &at(a, key), &at(b, key)))
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => (1..)
            .zip(a.iter().zip(b))
            .find_map(|(number, (a, b))| difference(&inner(&number.to_string()), a, b)),
        _ if found == expected => None,
        _ => Some(format!("{place} is {found}, not {expected}")),
    }
}

/// The version that the first line of a record begins with.
fn format_of(line: &[u8]) -> Option<u32> {
    let rest = str::from_utf8(line.strip_prefix(BEGINNING)?).ok()?;
    rest.split([',', '}']).next()?.parse().ok()
}

/// What is in a record.
#[derive(Debug)]
pub(super) struct Content {
    /// `None` in an empty file.
    pub(super) header: Option<Header>,
    pub(super) pairs: Vec<PairRecord>,
    /// The length up to the end of the last whole line.
    valid_bytes: u64,
}

impl Content {
    /// Reads the record at `path`, which has a header.
    pub(super) fn load(path: &Path) -> Result<(Header, Vec<PairRecord>), RecordError> {
        let failed = |error| RecordError::File { path: path.to_owned(), error };
        let text = std::fs::read(path).map_err(failed)?;
        let content = Self::read(path, &text)?;
        let empty = || io::Error::new(io::ErrorKind::UnexpectedEof, "an empty record");
        let header = content.header.ok_or_else(|| failed(empty()))?;
        Ok((header, content.pairs))
    }

    pub(super) fn read(path: &Path, text: &[u8]) -> Result<Self, RecordError> {
        let whole = text.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let wrong = |line, reason: String| RecordError::Line { path: path.into(), line, reason };
        // A kill may have torn even the first line; anything else is not to be overwritten.
        if !text[..text.len().min(BEGINNING.len())].iter().zip(BEGINNING).all(|(a, b)| a == b) {
            return Err(wrong(1, "not the record of a match".to_owned()));
        }
        let (mut header, mut pairs) = (None, Vec::new());
        // Each line ends with a line feed, so that there is nothing behind the last one.
        let lines = text[..whole].split(|&byte| byte == b'\n');
        for (number, line) in (1..).zip(lines).filter(|(_, line)| !line.is_empty()) {
            let damaged = |reason: String| wrong(number, format!("a damaged line: {reason}"));
            if header.is_none() {
                let format = format_of(line);
                if let Some(found) = format.filter(|&found| found != FORMAT) {
                    return Err(wrong(number, format!("format {found}, expected {FORMAT}")));
                }
                let found = serde_json::from_str(&unsealed(line).map_err(damaged)?);
                header = Some(found.map_err(|error| {
                    wrong(number, format!("not the record of a match: {error}"))
                })?);
            } else {
                let pair = serde_json::from_str(&unsealed(line).map_err(damaged)?);
                pairs.push(pair.map_err(|error| damaged(error.to_string()))?);
            }
        }
        Ok(Self { header, pairs, valid_bytes: whole as u64 })
    }
}
