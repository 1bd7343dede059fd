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
const MIGRATIONS: &[Migration] = migrations![
    "0001_house",
    "0002_people",
    "0003_files",
    "0004_search",
    "0006_merges",
    "0007_imports",
    "0009_projects",
    "0010_tasks",
    "0011_feed",
    "0012_reasons",
    "0013_sequences",
    "0008_deals",
    "0014_post",
    "0016_boards",
    "0015_enrollments",
    "0017_credits",
    "0019_sourcing",
    "0021_dashboard",
    "0020_enrichment",
    "0018_profiles",
    "0022_depth",
    "0023_mail_reading",
    "0024_sign_in",
    "0025_outgoing",
    "0026_storage",
    "0027_templates",
    "0028_sync_failures",
    "0030_merge_links",
    "0031_definitions",
    "0032_rules",
    "0033_erasure",
];

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
    known(tx)?;
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
fn known(tx: &mut dyn Script) -> Result<(), Error> {
    let mut names = Vec::new();
    tx.each("SELECT name FROM migrations ORDER BY version", &[], &mut |row| {
        names.push(row.text(0)?);
        Ok(())
    })?;
    match names.iter().zip(MIGRATIONS).find(|(name, ours)| *name != ours.name) {
        None => Ok(()),
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
