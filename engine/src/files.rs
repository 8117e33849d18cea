//! Writing files so that a program that is killed leaves no half of one.

use std::fs::{self, File};
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
