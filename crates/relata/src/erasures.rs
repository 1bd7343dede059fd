//! `relata erasures`: the list of erasures, which survives the restore of an older backup.

use crate::config::Config;
use crate::runtime::block_on;
use crate::{Exit, cli, open};
use crm::api::meta::Secret;
use crm::erasure::list::Listed;
use server::erasure_list;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use store::Store;

pub(crate) fn run(config: &Config, command: cli::Erasures) -> Result<(), Exit> {
    match command {
        cli::Erasures::Export { file } => {
            if file.exists() {
                return Err(Exit::wrong(format!("{} exists already; name another file", file.display())));
            }
            let installation = open::as_is(config)?;
            let mut entries = block_on(erasure_list::sealed(&installation.store, &installation.secret))?;
            installation.store.close();
            // Entries that only the list has belong to a restored database that no server has opened yet.
            let known: BTreeSet<_> = entries.iter().map(|one| (one.workspace, one.id)).collect();
            let listed = erasure_list::read(&config.data.join(erasure_list::NAME)).map_err(Exit::failed)?;
            entries.extend(listed.into_iter().filter(|one| !known.contains(&(one.workspace, one.id))));
            erasure_list::write_new(&file, &entries).map_err(Exit::failed)?;
            println!("Exported the list of erasures to {}", file.display());
        }
        cli::Erasures::Replay { file } => {
            let entries = read(&file)?;
            let installation = open::as_is(config)?;
            let report = repeat(&installation.store, &installation.secret, entries);
            installation.store.close();
            if report?.is_empty() {
                println!("The database has all entries of {}", file.display());
            }
        }
        cli::Erasures::Repair => {
            let path = config.data.join(erasure_list::NAME);
            let (kept, damaged, aside) = erasure_list::repair(&path).map_err(Exit::failed)?;
            if damaged == 0 {
                println!("{} is not damaged: {kept} entries", path.display());
            } else {
                println!("Kept {kept} entries of {}, and lost {damaged}", path.display());
                eprintln!(
                    "The damaged list is now {}. If the database was not restored, it still has the lost entries, and \
                     the next start of the server adds them.",
                    aside.display()
                );
            }
        }
    }
    Ok(())
}

/// The entries of a list that the operator names.
pub(crate) fn read(file: &Path) -> Result<Vec<Listed>, Exit> {
    if !file.is_file() {
        return Err(Exit::wrong(format!("there is no file {}", file.display())));
    }
    erasure_list::read(file).map_err(Exit::failed)
}

/// The entries that the data folder knows: those of its list and of its database.
pub(crate) fn known(config: &Config) -> Result<Vec<Listed>, Exit> {
    let mut entries = erasure_list::read(&config.data.join(erasure_list::NAME)).map_err(Exit::failed)?;
    if config.database_file().exists() {
        let stored = open::as_is(config).and_then(|installation| {
            let stored = block_on(erasure_list::sealed(&installation.store, &installation.secret));
            installation.store.close();
            Ok(stored?)
        });
        match stored {
            Ok(stored) => entries.extend(stored),
            // A lost database is a reason to restore one.
            Err(error) => eprintln!(
                "The database in {} can't be read ({}); erasures are repeated by the list beside it.",
                config.data.display(),
                error.message
            ),
        }
    }
    Ok(entries)
}

/// Repeats entries, and prints what was done.
pub(crate) fn repeat(store: &Store, secret: &Secret, entries: Vec<Listed>) -> Result<Vec<String>, Exit> {
    let report = block_on(erasure_list::repeat(store, secret, &Arc::default(), entries))?;
    let sentences = report.sentences();
    sentences.iter().for_each(|sentence| println!("{sentence}"));
    Ok(sentences)
}
