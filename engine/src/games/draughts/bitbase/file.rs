//! The file of tables: a line of text, filled up with spaces to 80 bytes, that says what they are and
//! a checksum of all that follows. A table then is the numbers of own men, own kings, enemy men and
//! enemy kings, a byte each; the length of what was [packed](super::pack) in four bytes, the lowest
//! first; and that.

use super::index::{Material, PIECES_AT_MOST};
use crate::files::checksum;

/// A packed table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packed {
    material: Material,
    bytes: Vec<u8>,
}

/// The length in bytes of the line of text.
const HEADER: usize = 80;

impl Packed {
    pub(super) fn new(material: Material, bytes: Vec<u8>) -> Self {
        Self { material, bytes }
    }

    /// The pieces of the table, those of the side to move first.
    pub fn material(&self) -> Material {
        self.material
    }

    /// How many bytes the table takes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it takes none.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The file of these tables.
    pub fn write_all(variant: &str, tables: &[Self]) -> Vec<u8> {
        let mut body = Vec::new();
        for Self { material: Material { own, enemy }, bytes } in tables {
            body.extend([own[0], own[1], enemy[0], enemy[1]]);
            body.extend((bytes.len() as u32).to_le_bytes());
            body.extend(bytes);
        }
        let header = beginning(variant) + &format!("{:016x}", checksum(&body));
        let mut file = format!("{header:<width$}\n", width = HEADER - 1).into_bytes();
        file.extend(body);
        file
    }

    /// Reads what [`Packed::write_all`] wrote.
    ///
    /// # Errors
    /// [`BitbaseError`] when it is something else.
    pub fn read_all(variant: &str, file: &[u8]) -> Result<Vec<Self>, BitbaseError> {
        let (header, body) = file.split_at_checked(HEADER).ok_or(BitbaseError::NoTables)?;
        let header = str::from_utf8(header).map_err(|_| BitbaseError::NoTables)?.trim_end();
        let expected = beginning(variant);
        let Some(sum) = header.strip_prefix(&expected) else {
            return Err(BitbaseError::OtherTables { header: header.to_owned(), expected });
        };
        if sum != format!("{:016x}", checksum(body)) {
            return Err(BitbaseError::Damaged);
        }
        let (mut tables, mut rest) = (Vec::new(), body);
        while !rest.is_empty() {
            let table;
            (table, rest) = Self::read(rest).ok_or(BitbaseError::Damaged)?;
            tables.push(table);
        }
        Ok(tables)
    }

    /// Reads a table, and leaves what follows it.
    fn read(bytes: &[u8]) -> Option<(Self, &[u8])> {
        let (&[a, b, c, d], rest) = bytes.split_first_chunk()?;
        let material = Material { own: [a, b], enemy: [c, d] };
        let has_both =
            [material.own, material.enemy].iter().all(|side| side.iter().any(|&n| n > 0));
        if !has_both || material.pieces() > PIECES_AT_MOST {
            return None;
        }
        let (&length, rest) = rest.split_first_chunk()?;
        let (bytes, rest) = rest.split_at_checked(u32::from_le_bytes(length) as usize)?;
        Some((Self::new(material, bytes.to_vec()), rest))
    }
}

fn beginning(variant: &str) -> String {
    format!("yardmaster bitbase 1: {variant}, ")
}

/// Why a file holds no tables that can be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BitbaseError {
    /// It does not begin like one.
    #[error("it is no file of endgame tables")]
    NoTables,
    /// It is one for something else.
    #[error("it begins with {header:?}, expected {expected:?}")]
    OtherTables {
        /// Its first line.
        header: String,
        /// How the line should begin.
        expected: String,
    },
    /// Its checksum is wrong.
    #[error("it is damaged")]
    Damaged,
}
