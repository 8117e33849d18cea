//! `yardmaster bitbase`: builds the endgame tables of draughts.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};

use crate::files;
use crate::games::Variant;
use crate::games::draughts::bitbase::{
    BitbaseError, Build, Built, Facts, Material, Packed, WrongTable,
};
use crate::games::draughts::{Fmjd, RuleSet, Site};

/// Build the endgame tables of draughts, or go on with them
#[derive(clap::Args)]
pub struct Bitbase {
    /// The file of tables; an existing one is gone on with
    file: PathBuf,
    /// The rules: draughts or draughts-fmjd
    #[arg(long, value_name = "NAME", default_value_t = Variant::Draughts)]
    variant: Variant,
    /// The most pieces on the board
    #[arg(long, value_name = "N", default_value_t = 4)]
    #[arg(value_parser = clap::value_parser!(u32).range(2..=5))]
    pieces: u32,
    /// Threads, 0 for one a core
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
}

/// Why no tables are built.
#[derive(Debug, thiserror::Error)]
pub enum TablingError {
    /// A file can't be read or written.
    #[error("{path:?}: {error}")]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: io::Error,
    },
    /// A file can't be gone on with.
    #[error("{path:?} can't be gone on with: {error}")]
    Tables {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        error: BitbaseError,
    },
    /// The second pass does not confirm the first.
    #[error(transparent)]
    Wrong(#[from] WrongTable),
    /// Only draughts has tables.
    #[error("{0} has no endgame tables to build, expected draughts or draughts-fmjd")]
    NoTables(Variant),
    /// The facts can't be printed.
    #[error("the facts can't be printed: {0}")]
    Output(#[from] io::Error),
    /// No threads can be had.
    #[error("there are no threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

impl Bitbase {
    /// Builds the tables that are missing, and writes what they tell to `out`. After each table the
    /// file is written anew, so that a program that is killed loses only the present one.
    ///
    /// # Errors
    /// [`TablingError`] says why it stopped.
    pub fn run(&self, out: &mut (dyn Write + Send)) -> Result<(), TablingError> {
        let build = match self.variant {
            Variant::Draughts => Self::build::<Site>,
            Variant::DraughtsFmjd => Self::build::<Fmjd>,
            other => return Err(TablingError::NoTables(other)),
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(self.threads).build()?;
        pool.install(|| build(self, out))
    }

    fn build<R: RuleSet>(&self, out: &mut (dyn Write + Send)) -> Result<(), TablingError> {
        let path = self.file.as_path();
        let mut tables = self.read()?;
        let mut materials: Vec<Material> = (2..=self.pieces).flat_map(Material::all).collect();
        // The table with the other side to move is built together with the first.
        materials.retain(|&material| material >= material.swapped());

        let bar = ProgressBar::new(materials.len() as u64);
        let template = "{pos}/{len} tables {wide_bar} {msg} [{elapsed}]";
        bar.set_style(ProgressStyle::with_template(template).expect("the template is right"));
        let mut build = Build::<R>::default();
        for material in materials {
            bar.set_message(material.to_string());
            bar.tick();
            let either =
                |table: &&Packed| [material, material.swapped()].contains(&table.material());
            if let Some(table) = tables.iter().find(either) {
                build.resume(table);
            } else {
                let Built { packed, facts } = build.add(material)?;
                tables.push(packed);
                self.write(path, &tables)?;
                let mut printed = Ok(());
                bar.suspend(|| printed = print(out, &facts));
                printed?;
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        let bytes: usize = tables.iter().map(Packed::len).sum();
        writeln!(out, "{} tables, {bytes} bytes", tables.len())?;
        Ok(())
    }

    /// The tables that are there already.
    fn read(&self) -> Result<Vec<Packed>, TablingError> {
        let path = &self.file;
        match fs::read(path) {
            Ok(file) => Packed::read_all(self.variant.name(), &file)
                .map_err(|error| TablingError::Tables { path: path.clone(), error }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(TablingError::File { path: path.clone(), error }),
        }
    }

    fn write(&self, path: &Path, tables: &[Packed]) -> Result<(), TablingError> {
        let bytes = Packed::write_all(self.variant.name(), tables);
        files::replace(path, |file| file.write_all(&bytes))
            .map_err(|error| TablingError::File { path: path.to_owned(), error })
    }
}

/// A line a table.
fn print(out: &mut dyn Write, facts: &[Facts]) -> io::Result<()> {
    for Facts { material, counts: [wins, draws, losses], longest } in facts {
        write!(out, "{material}: {wins} wins, {draws} draws, {losses} losses")?;
        match longest {
            Some((plies, position)) => writeln!(out, ", longest win {plies} plies {position}")?,
            None => writeln!(out)?,
        }
    }
    out.flush()
}
