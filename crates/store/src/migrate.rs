//! Brings a database to this program's schema, in the one transaction that holds the lock.

use crate::{Engine, Error, Mode, Tx};

/// One step: its name, and its SQL for each engine.
pub struct Migration {
    pub name: &'static str,
    sqlite: &'static str,
    postgres: &'static str,
}

macro_rules! migrations {
    ($($name:literal),* $(,)?) => {
        &[$(Migration {
            name: $name,
            sqlite: include_str!(concat!("../migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!("../migrations/postgres/", $name, ".sql")),
        }),*]
    };
}

/// In order; a step's position is its version. Steps only add within a minor version.
#[rustfmt::skip]
const MIGRATIONS: &[Migration] = migrations![
    "0001_initial",
    "0002_bounces_since",
    "0003_filing",
    "0004_ignored_columns",
    "0005_erasures",
    "0006_oauth",
    "0007_sending",
    "0008_private_mailboxes",
    "0009_message_drafts",
    "0010_inbox",
    "0011_quoted",
    "0012_variants",
    "0013_message_authors",
    "0014_unstored_mails_by_uid",
    "0015_notes_of_all_records",
];

/// The first step of the versions before 0.1.0, which were never released.
const DEVELOPMENT: &str = "0001_house";

pub fn migrations() -> &'static [Migration] {
    MIGRATIONS
}

#[derive(Debug, PartialEq)]
pub enum Schema {
    Empty,
    Older(usize),
    Current,
    Newer(usize),
}

impl Migration {
    pub fn text(&self, engine: Engine) -> &'static str {
        match engine {
            Engine::Sqlite => self.sqlite,
            Engine::Postgres => self.postgres,
        }
    }
}

/// Runs a script of several statements, which `Tx` can't.
pub(crate) trait Script: Tx {
    fn script(&mut self, sql: &str) -> Result<(), Error>;
}

pub(crate) fn run(tx: &mut dyn Script, mode: Mode) -> Result<(), Error> {
    let done = match (schema(tx)?, mode) {
        (Schema::Newer(version), _) => return Err(newer(version)),
        (Schema::Empty | Schema::Older(_), Mode::Expect) => {
            return Err(Error::Unavailable(
                "the database has an older schema than this program; run `relata migrate` or start `relata serve` first".into(),
            ));
        }
        (Schema::Current, _) => return Ok(()),
        (Schema::Empty, Mode::Migrate) => 0,
        (Schema::Older(version), Mode::Migrate) => version,
    };
    tx.script("CREATE TABLE IF NOT EXISTS migrations (version BIGINT NOT NULL PRIMARY KEY, name TEXT NOT NULL)")?;
    let engine = tx.dialect().0;
    for (index, migration) in MIGRATIONS.iter().enumerate().skip(done) {
        tx.script(migration.text(engine))
            .map_err(|e| Error::Internal(format!("migration {} failed: {e}", migration.name)))?;
        tx.execute(
            "INSERT INTO migrations (version, name) VALUES ($1, $2)",
            &[(index as i64 + 1).into(), migration.name.into()],
        )?;
    }
    Ok(())
}

/// Refuses a database whose earlier steps are not this program's.
fn known<T: Tx + ?Sized>(tx: &mut T) -> Result<(), Error> {
    let mut names = Vec::new();
    tx.each("SELECT name FROM migrations ORDER BY version", &[], &mut |row| {
        names.push(row.text(0)?);
        Ok(())
    })?;
    match names.iter().zip(MIGRATIONS).find(|(name, ours)| *name != ours.name) {
        None => Ok(()),
        Some((name, _)) if name == DEVELOPMENT => Err(Error::Unavailable(
            "a development version before 0.1.0 made the database, and this program can't upgrade it; export the records \
             with that version, and import them into a new database"
                .into(),
        )),
        Some((name, ours)) => Err(Error::Unavailable(format!(
            "the database has been through `{name}` where this program has `{}`: another program made it",
            ours.name
        ))),
    }
}

pub(crate) fn schema<T: Tx + ?Sized>(tx: &mut T) -> Result<Schema, Error> {
    let exists = tx.dialect().migrations_exist();
    let mut found = 0;
    tx.each(exists, &[], &mut |_| {
        found = 1;
        Ok(())
    })?;
    let mut version = 0;
    if found == 1 {
        known(tx)?;
        tx.each("SELECT coalesce(max(version), 0) FROM migrations", &[], &mut |row| {
            version = row.int(0)? as usize;
            Ok(())
        })?;
    }
    Ok(match version {
        0 => Schema::Empty,
        v if v < MIGRATIONS.len() => Schema::Older(v),
        v if v == MIGRATIONS.len() => Schema::Current,
        v => Schema::Newer(v),
    })
}

pub(crate) fn newer(version: usize) -> Error {
    let ours = MIGRATIONS.len();
    Error::Unavailable(format!(
        "the database has schema version {version}, newer than this program's {ours}; use the newer program"
    ))
}
