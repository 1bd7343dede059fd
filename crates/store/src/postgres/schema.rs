//! Brings the schema up to date while other nodes wait.

use super::connection::{Link, Server};
use super::transaction::PgTx;
use super::values::err;
use crate::{Error, Lane, Mode, Tx, migrate, tx};
use std::thread;
use std::time::Duration;

pub(super) fn prepare_schema(
    server: &Server,
    mode: Mode,
    prepare: &mut dyn FnMut(&mut dyn Tx) -> Result<(), Error>,
) -> Result<(), Error> {
    let mut link = Link::connect(server, "SET statement_timeout = 0")?;
    let encoding = link.runtime.block_on(link.client.query_one("SHOW server_encoding", &[])).map_err(err)?;
    let encoding: String = encoding.try_get(0).map_err(err)?;
    if encoding != "UTF8" {
        return Err(Error::Unavailable(format!(
            "the PostgreSQL database has encoding {encoding}; create it anew with: createdb --encoding=UTF8 --template=template0 NAME"
        )));
    }
    if mode == Mode::Migrate {
        make_lock(&link)?;
    }
    let begin = match mode {
        Mode::Migrate => "BEGIN; SELECT id FROM migration_lock WHERE id = 1 FOR UPDATE",
        Mode::Expect => "BEGIN",
    };
    link.runtime.block_on(link.client.batch_execute(begin)).map_err(err)?;
    let mut tx = PgTx::new(&mut link, Lane::Slow, 0);
    let outcome = migrate::run(&mut tx, mode).and_then(|()| check_trigrams(&mut tx));
    let outcome = outcome.and_then(|()| prepare(&mut tx));
    let appended = std::mem::take(&mut tx.appended);
    let outcome = outcome.and_then(|()| tx::write_appended(&mut tx, appended)).and_then(|()| tx.drain());
    let outcome = outcome.and_then(|()| tx.poison.take().map_or(Ok(()), Err));
    let end = if outcome.is_ok() { "COMMIT" } else { "ROLLBACK" };
    let ended = link.runtime.block_on(link.client.batch_execute(end)).map_err(err);
    outcome.and(ended)
}

/// In the C locale pg_trgm sees only ASCII letters, and searches would miss all other text.
fn check_trigrams(tx: &mut dyn Tx) -> Result<(), Error> {
    let seen = tx.one("SELECT coalesce(array_length(show_trgm('田中'), 1), 0)", &[], |row| row.int(0))?;
    if seen.unwrap_or(0) > 0 {
        return Ok(());
    }
    Err(Error::Unavailable(
        "the PostgreSQL database has a locale without letters beyond ASCII; create it anew with: \
         createdb --encoding=UTF8 --locale=C.UTF-8 --template=template0 NAME"
            .into(),
    ))
}

/// The row that every node locks before it reads the schema. Two nodes that create the table at the same time collide
/// in the catalogue; the loser tries again.
fn make_lock(link: &Link) -> Result<(), Error> {
    let make = "CREATE TABLE IF NOT EXISTS migration_lock (id BIGINT NOT NULL PRIMARY KEY); \
                INSERT INTO migration_lock (id) VALUES (1) ON CONFLICT DO NOTHING";
    let mut last = Error::Internal("the migration lock could not be made".into());
    for _ in 0..20 {
        match link.runtime.block_on(link.client.batch_execute(make)) {
            Ok(()) => return Ok(()),
            Err(error) => last = err(error),
        }
        thread::sleep(Duration::from_millis(50));
    }
    Err(last)
}
