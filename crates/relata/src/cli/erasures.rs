//! The arguments of `relata erasures`.

use clap::Subcommand;
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum Erasures {
    /// Write the list of erasures, without personal data, to a file for `relata restore --erasures`
    Export {
        /// The file to write
        file: PathBuf,
    },
    /// Erase the records of a list again that a restored database contains; a running server completes it
    Replay {
        /// A list, as `relata erasures export` writes it
        file: PathBuf,
    },
    /// Keep the readable entries of a damaged list in the data folder
    Repair,
}
