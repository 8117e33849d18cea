//! Files of weights: what an evaluation [has learned](crate::position::Weighted).

use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;

use crate::files::checksum;

/// The length in bytes of the line of text, filled up with spaces, that a file of weights begins with.
const HEADER: usize = 80;

/// How hard is tried to make the file small, from 1 to 10.
const COMPRESSION: u8 = 9;

/// A file of weights, in sixteenths of a hundredth of the unit: a line that says what they are and a
/// checksum, then both parts of each weight in sixteen bits, the lower byte first, compressed (zlib).
/// The checksum is that of the file's own bytes.
pub fn write(variant: &str, weights: &[[i16; 2]]) -> Vec<u8> {
    let body = body_of(weights);
    let (count, sum) = (weights.len(), checksum(&body));
    let header = format!("yardmaster weights 3: {variant}, {count} pairs, {sum:016x}");
    let mut file = format!("{header:<width$}\n", width = HEADER - 1).into_bytes();
    file.extend(body);
    file
}

/// Reads what [`write()`] wrote.
///
/// # Errors
/// [`WeightsError`] when it is something else.
pub fn read(variant: &str, count: usize, file: &[u8]) -> Result<Vec<[i16; 2]>, WeightsError> {
    let (header, body) = file.split_at_checked(HEADER).ok_or(WeightsError::NoWeights)?;
    let header = str::from_utf8(header).map_err(|_| WeightsError::NoWeights)?.trim_end();
    let expected = format!("yardmaster weights 3: {variant}, {count} pairs, ");
    let Some(sum) = header.strip_prefix(&expected) else {
        return Err(WeightsError::OtherWeights { header: header.to_owned(), expected });
    };
    if sum != format!("{:016x}", checksum(body)) {
        return Err(WeightsError::Damaged);
    }
    let bytes = decompress_to_vec_zlib_with_limit(body, 4 * count);
    let bytes = bytes.ok().filter(|bytes| bytes.len() == 4 * count);
    let bytes = bytes.ok_or(WeightsError::Damaged)?;
    let (pairs, _) = bytes.as_chunks();
    let part = |low, high| i16::from_le_bytes([low, high]);
    Ok(pairs.iter().map(|&[a, b, c, d]| [part(a, b), part(c, d)]).collect())
}

/// The checksum in the file of these weights.
pub fn sum_of(weights: &[[i16; 2]]) -> u64 {
    checksum(&body_of(weights))
}

fn body_of(weights: &[[i16; 2]]) -> Vec<u8> {
    let bytes: Vec<u8> = weights.iter().flatten().flat_map(|part| part.to_le_bytes()).collect();
    compress_to_vec_zlib(&bytes, COMPRESSION)
}

/// Why a file holds no weights that can be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum WeightsError {
    /// It does not begin like one.
    #[error("it is no file of weights")]
    NoWeights,
    /// It is one for something else.
    #[error("it begins with {header:?}, expected {expected:?}")]
    OtherWeights {
        /// Its first line.
        header: String,
        /// How the line should begin.
        expected: String,
    },
    /// Its checksum is wrong, or its length.
    #[error("it is damaged")]
    Damaged,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_come_back_as_they_were_written_and_damage_is_noticed() {
        let weights = [[1, -2], [i16::MAX, i16::MIN], [0, 7]];
        let file = write("draughts", &weights);
        assert_eq!(read("draughts", 3, &file), Ok(weights.to_vec()));
        for place in HEADER..file.len() {
            let mut damaged = file.clone();
            damaged[place] ^= 1;
            assert_eq!(read("draughts", 3, &damaged), Err(WeightsError::Damaged));
        }
        assert_eq!(read("draughts", 3, &file[..file.len() - 1]), Err(WeightsError::Damaged));
        assert_eq!(read("draughts", 3, &file[..9]), Err(WeightsError::NoWeights));
        for (variant, count) in [("halma", 3), ("draughts", 4), ("draughts-fmjd", 3)] {
            let error = read(variant, count, &file).unwrap_err();
            assert!(matches!(error, WeightsError::OtherWeights { .. }), "{error}");
        }
    }

    #[test]
    fn many_zeros_take_little_room_and_more_weights_than_told_are_damage() {
        let file = write("draughts", &vec![[0, 0]; 1_000_000]);
        assert!(file.len() < 10_000, "{}", file.len());
        let text = String::from_utf8_lossy(&file[..HEADER]).replace("1000000 pairs", "3 pairs");
        let mut fewer = format!("{:<width$}\n", text.trim_end(), width = HEADER - 1).into_bytes();
        fewer.extend(&file[HEADER..]);
        assert_eq!(read("draughts", 3, &fewer), Err(WeightsError::Damaged));
    }
}
