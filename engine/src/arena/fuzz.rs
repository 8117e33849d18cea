//! What the match runner reads, for the fuzzer.

use std::path::Path;

use super::opening;
use super::record::{self, Content};
use crate::position::Position;

/// Reads a list of openings.
pub(crate) fn openings<P: Position>(path: &Path, text: &str) {
    let _ = opening::read_list::<P>(path, text);
}

/// Reads a record: what is read of it is written as it was read.
pub(crate) fn record(path: &Path, bytes: &[u8]) {
    let Ok(content) = Content::read(path, bytes) else { return };
    let header = content.header.iter().map(record::line);
    let lines: String = header.chain(content.pairs.iter().map(record::line)).collect();
    let again = Content::read(path, lines.as_bytes()).expect("what was written is read");
    assert_eq!((again.header, again.pairs), (content.header, content.pairs), "{lines}");
}

/// The bytes with the checksums that their lines should have, so that what is behind the check is
/// read, too.
pub(crate) fn seal_record(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let sealed = |line: &str| match line.rsplit_once(record::SUM) {
        Some((fields, _)) => record::sealed(&format!("{fields}}}")),
        None => format!("{line}\n"),
    };
    text.lines().map(sealed).collect::<String>().into_bytes()
}
