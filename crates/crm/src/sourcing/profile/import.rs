//! The progress of profile imports, so that an interrupted one continues where it stopped.

use super::{checked, segment};
use resource::{Error, invalid};
use serde_json::{Map, Value as Json};
use store::Tx;

/// The longest line, in bytes.
pub const LINE: usize = 1024 * 1024;

/// The part of the file that is in the database and need not be read again.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reached {
    pub bytes: u64,
    pub lines: u64,
    pub imported: u64,
    pub refused: u64,
}

/// The profile of a line; `None` for an empty line.
pub fn read(line: &[u8]) -> Result<Option<segment::Prepared>, Error> {
    if line.len() > LINE {
        return Err(invalid("line", format!("is longer than {LINE} bytes")));
    }
    let line = std::str::from_utf8(line).map_err(|_| invalid("line", "is not UTF-8"))?;
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.is_empty() {
        return Ok(None);
    }
    let unfit = |error: serde_json::Error| invalid("line", format!("is not a JSON object: {error}"));
    let given: Map<String, Json> = serde_json::from_str(line).map_err(unfit)?;
    Ok(Some(segment::prepare(&checked(given)?)))
}

pub fn reached(tx: &mut dyn Tx, source: &str) -> Result<Option<Reached>, Error> {
    const REACHED: &str = "SELECT bytes, lines, imported, refused FROM profile_imports WHERE source = $1";
    let decode = |row: &dyn store::Row| {
        let number = |at: usize| row.int(at).map(i64::unsigned_abs);
        Ok(Reached { bytes: number(0)?, lines: number(1)?, imported: number(2)?, refused: number(3)? })
    };
    Ok(tx.one(REACHED, &[source.into()], decode)?)
}

pub fn note(tx: &mut dyn Tx, source: &str, reached: &Reached) -> Result<(), Error> {
    const NOTE: &str = "INSERT INTO profile_imports (source, bytes, lines, imported, refused) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (source) DO UPDATE SET bytes = excluded.bytes, lines = excluded.lines, imported = excluded.imported, \
         refused = excluded.refused";
    let numbers = [reached.bytes, reached.lines, reached.imported, reached.refused];
    let mut params = vec![source.into()];
    params.extend(numbers.map(|number| store::Value::Int(number as i64)));
    Ok(tx.execute(NOTE, &params)?)
}

/// Deletes the progress of a completed import, so that the same file is imported from its beginning.
pub fn done(tx: &mut dyn Tx, source: &str) -> Result<(), Error> {
    Ok(tx.execute("DELETE FROM profile_imports WHERE source = $1", &[source.into()])?)
}
