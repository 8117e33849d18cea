//! Files that can be trusted: written so that a program that is killed leaves no half of one, and with
//! checksums, so that what was damaged since is not taken for what was written.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// Writes a file anew, beside the old one with `.new` behind its name: until that is done, the old
/// one stays.
pub(crate) fn replace(
    path: &Path,
    content: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let mut unfinished = path.as_os_str().to_owned();
    unfinished.push(".new");
    let unfinished = PathBuf::from(unfinished);
    let mut file = BufWriter::new(File::create(&unfinished)?);
    content(&mut file)?;
    file.into_inner()?.sync_all()?;
    fs::rename(&unfinished, path)
}

/// Takes a file that is appended to for this program alone, until it is closed: of two programs that go on
/// with one, either would cut off what the other is writing.
pub(crate) fn lock(file: &File) -> io::Result<()> {
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Err(io::Error::other("another program is writing it")),
        // Some filesystems have no locks.
        Err(TryLockError::Error(_)) | Ok(()) => Ok(()),
    }
}

/// Refuses what is there and no regular file. A pipe would be opened only when somebody is at its other
/// end, and a device may have no end: the program would hang.
pub(crate) fn check_regular(path: &str) -> io::Result<()> {
    if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
        return Err(io::Error::other("not a regular file"));
    }
    Ok(())
}

/// FNV-1a (Fowler, Noll and Vo), in 64 bits. No two texts that differ in one byte have the same.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let add = |sum: u64, &byte: &u8| (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, add)
}

/// A line with its checksum as the last word.
pub(crate) fn sealed(line: &str) -> String {
    format!("{line} {:016x}", checksum(line.as_bytes()))
}

/// The line that was [`sealed`]; `None` if it is not as it was.
pub(crate) fn unsealed(line: &str) -> Option<&str> {
    let (inner, _) = line.rsplit_once(' ')?;
    (sealed(inner) == line).then_some(inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_line_reads_back_until_a_byte_of_it_changes() {
        let line = "12 1-0 20-24 31-26/-3";
        let sealed = sealed(line);
        assert_eq!(unsealed(&sealed), Some(line));
        for at in 0..sealed.len() {
            for change in 1..128 {
                let mut bytes = sealed.clone().into_bytes();
                bytes[at] ^= change;
                let text = String::from_utf8(bytes).expect("still ASCII");
                assert_eq!(unsealed(&text), None, "{text:?}");
            }
            assert_eq!(unsealed(&sealed[..at]), None);
        }
    }
}
