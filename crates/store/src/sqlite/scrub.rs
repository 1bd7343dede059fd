//! Removes the remains of deleted rows while the database is in use, in short steps between commits.
//!
//! SQLite overwrites deleted rows and free pages (`secure_delete`), but two kinds of remains stay. The trigram indexes keep
//! the entries of deleted texts until their segments are merged. And when SQLite splits a page, copies of the moved rows
//! stay in the unused bytes between the cell pointers and the cells; this module writes zeros there, page by page
//! (<https://www.sqlite.org/fileformat2.html>, "B-tree Pages").

use super::at_rest::empty_log;
use super::connection::connect;
use super::values::err;
use crate::Error;
use crate::instant::instant;
use rusqlite::{Connection, OptionalExtension};
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

/// How long a step may hold the writer.
const STEP: Duration = Duration::from_millis(15);
/// The pages of the index that one statement merges, so that it takes a few milliseconds.
const MERGED: i64 = 64;
const INDEXES: [&str; 2] = ["texts_trigrams", "message_texts_trigrams"];
/// Below this number of pages (128 GiB) the first byte of an overflow page is never the type of a b-tree page.
const MOST_PAGES: u32 = 0x0200_0000;

/// A request to remove the remains of deleted rows. The writer carries out a step of it between two commits.
pub(super) struct Scrub {
    next: Step,
    /// Whether the log is empty, too.
    pub(super) answer: tokio::sync::oneshot::Sender<Result<bool, Error>>,
}

#[derive(Clone, Copy)]
enum Step {
    /// Begin to merge the segments of this index, or go on.
    Merge {
        index: usize,
        begun: bool,
    },
    /// Overwrite the unused bytes from this page on.
    Pages(u32),
    /// The log still contains earlier versions of pages.
    Cleaned,
    EmptyLog,
}

impl Scrub {
    pub(super) fn new(answer: tokio::sync::oneshot::Sender<Result<bool, Error>>) -> Scrub {
        Scrub { next: Step::Merge { index: 0, begun: false }, answer }
    }

    /// Only empties the log; not if readers use it.
    pub(super) fn of_log(answer: tokio::sync::oneshot::Sender<Result<bool, Error>>) -> Scrub {
        Scrub { next: Step::EmptyLog, answer }
    }

    /// Carries out one step; gives the answer if it was the last.
    pub(super) fn step(&mut self, conn: &Connection, file: &Path) -> Option<Result<bool, Error>> {
        if matches!(self.next, Step::EmptyLog) {
            return Some(connect(file, false, 8).and_then(|conn| empty_log(&conn)));
        }
        let next = conn.execute_batch("BEGIN IMMEDIATE").map_err(err).and_then(|()| {
            let next = self.next.carry_out(conn)?;
            conn.execute_batch("COMMIT").map_err(err).map(|()| next)
        });
        if next.is_err() && !conn.is_autocommit() {
            let _ = conn.execute_batch("ROLLBACK");
        }
        match next {
            Ok(Step::Cleaned) => Some(Ok(false)),
            Ok(next) => {
                self.next = next;
                None
            }
            Err(error) => Some(Err(error)),
        }
    }
}

impl Step {
    fn carry_out(self, conn: &Connection) -> Result<Step, Error> {
        let end = instant() + STEP;
        match self {
            Step::Merge { index, .. } if index == INDEXES.len() => Ok(Step::Pages(1)),
            Step::Merge { index, begun } => {
                // A negative number makes one segment of all; further calls go on.
                let mut pages = if begun { MERGED } else { -MERGED };
                while instant() < end {
                    if !merge(conn, INDEXES[index], pages)? && pages > 0 {
                        return Ok(Step::Merge { index: index + 1, begun: false });
                    }
                    pages = MERGED;
                }
                Ok(Step::Merge { index, begun: true })
            }
            Step::Pages(mut page) => {
                let pages: u32 = conn.query_row("PRAGMA page_count", [], |row| row.get(0)).map_err(err)?;
                if pages >= MOST_PAGES {
                    tracing::warn!(
                        "the database is too large to remove all remains of deleted rows while the server runs; run `relata compact` at a quiet time"
                    );
                    return Ok(Step::Cleaned);
                }
                while page <= pages && instant() < end {
                    clear(conn, page)?;
                    page += 1;
                }
                Ok(if page > pages { Step::Cleaned } else { Step::Pages(page) })
            }
            Step::Cleaned | Step::EmptyLog => Ok(Step::Cleaned),
        }
    }
}

/// Merges some pages of a trigram index; false if there was nothing to merge.
fn merge(conn: &Connection, index: &str, pages: i64) -> Result<bool, Error> {
    let before = conn.total_changes();
    let merge = format!("INSERT INTO {index} ({index}, rank) VALUES ('merge', ?1)");
    conn.prepare_cached(&merge).and_then(|mut merge| merge.execute([pages])).map_err(err)?;
    // The insert itself counts as a change.
    Ok(conn.total_changes() - before >= 2)
}

/// Overwrites the unused bytes of a page.
fn clear(conn: &Connection, page: u32) -> Result<(), Error> {
    let data = conn
        .prepare_cached("SELECT data FROM sqlite_dbpage('main') WHERE pgno = ?1")
        .and_then(|mut read| read.query_row([page], |row| row.get::<_, Vec<u8>>(0)).optional())
        .map_err(err)?;
    let Some(mut data) = data else { return Ok(()) };
    let gaps = gaps(&data, if page == 1 { 100 } else { 0 }).unwrap_or_default();
    let mut has_remains = false;
    for gap in gaps {
        let gap = &mut data[gap];
        has_remains |= gap.iter().any(|byte| *byte != 0);
        gap.fill(0);
    }
    if has_remains {
        conn.prepare_cached("UPDATE sqlite_dbpage SET data = ?2 WHERE pgno = ?1")
            .and_then(|mut write| write.execute((page, data)))
            .map_err(err)?;
    }
    Ok(())
}

/// The unused bytes of a b-tree page whose header begins at this offset: between the cell pointers and the cells, and in
/// free blocks. `None` for pages of other kinds.
fn gaps(page: &[u8], header: usize) -> Option<Vec<Range<usize>>> {
    let number = |at: usize| Some(usize::from(u16::from_be_bytes([*page.get(at)?, *page.get(at + 1)?])));
    let header_size = match page.get(header)? {
        2 | 5 => 12,
        10 | 13 => 8,
        _ => return None,
    };
    let pointers_end = header + header_size + 2 * number(header + 3)?;
    let cells = match number(header + 5)? {
        0 => 65_536,
        start => start,
    };
    if pointers_end > cells || cells > page.len() {
        return None;
    }
    let before_cells = pointers_end..cells;
    let mut gaps = vec![before_cells];
    let (mut end, mut block) = (cells, number(header + 1)?);
    while block != 0 {
        let (next, size) = (number(block)?, number(block + 2)?);
        if block < end || size < 4 || block + size > page.len() {
            return None;
        }
        end = block + size;
        gaps.push(block + 4..end);
        block = next;
    }
    Some(gaps)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows that grow, move and disappear in random order, then a scrub.
    #[test]
    fn no_byte_of_a_deleted_row_stays_and_all_others_do() {
        for seed in 0..3 {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("test.db");
            let conn = connect(&file, false, 8).expect("a database");
            conn.execute_batch(
                "PRAGMA synchronous = OFF; CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL); CREATE INDEX by_text ON rows (text, id); \
                 CREATE TABLE keyed (key BLOB PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID;",
            )
            .expect("tables");
            for index in INDEXES {
                conn.execute_batch(&format!(
                    "CREATE VIRTUAL TABLE {index} USING fts5 (text, tokenize = 'trigram case_sensitive 1', detail = 'none')"
                ))
                .expect("an index");
            }
            let mut dice: u64 = seed + 1;
            let mut roll = |below: u64| {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (dice >> 33) % below
            };
            for id in 0..3_000_u64 {
                let word = if id % 3 == 0 { "erased" } else { "kept" };
                let text = |roll: &mut dyn FnMut(u64) -> u64| {
                    let most = if roll(20) == 0 { 900 } else { 30 };
                    format!("{word}{id} ").repeat(1 + roll(most) as usize)
                };
                let (first, second, key) = (text(&mut roll), text(&mut roll), roll(u64::MAX).to_be_bytes());
                conn.execute("INSERT INTO rows VALUES (?1, ?2)", (id as i64, &first)).expect("a row");
                conn.execute("INSERT INTO keyed VALUES (?1, ?2)", (key, &first)).expect("a row");
                conn.execute(&format!("INSERT INTO {} (rowid, text) VALUES (?1, ?2)", INDEXES[0]), (id as i64, &first))
                    .expect("a text");
                if roll(2) == 0 {
                    conn.execute("UPDATE rows SET text = ?2 WHERE id = ?1", (roll(id + 1) as i64, &second))
                        .expect("a row");
                }
            }
            conn.execute_batch(&format!(
                "DELETE FROM rows WHERE text LIKE 'erased%'; DELETE FROM keyed WHERE text LIKE 'erased%'; \
                 DELETE FROM {} WHERE text LIKE 'erased%'",
                INDEXES[0]
            ))
            .expect("a deletion");
            let all = |sql: &str| -> Vec<(i64, String)> {
                let mut rows = conn.prepare(sql).expect("a query");
                let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
                rows.map(|row| row.expect("a row")).collect()
            };
            let queries = [
                "SELECT id, text FROM rows ORDER BY id".to_owned(),
                "SELECT id, text FROM rows INDEXED BY by_text ORDER BY text, id".to_owned(),
                "SELECT length(text), text FROM keyed ORDER BY key".to_owned(),
                format!("SELECT rowid, text FROM {} ORDER BY rowid", INDEXES[0]),
                format!("SELECT rowid, '' FROM {0} WHERE {0} MATCH 'kep AND ept' ORDER BY rowid", INDEXES[0]),
            ];
            let before = queries.each_ref().map(|sql| all(sql));

            let mut scrub = Scrub::new(tokio::sync::oneshot::channel().0);
            let mut steps = 1;
            let cleaned = loop {
                match scrub.step(&conn, &file) {
                    None => steps += 1,
                    Some(answer) => break answer.expect("a scrub"),
                }
            };
            assert!(!cleaned && steps > 3, "{steps} steps");
            assert!(
                Scrub::of_log(tokio::sync::oneshot::channel().0)
                    .step(&conn, &file)
                    .expect("one step")
                    .expect("a scrub")
            );

            for (sql, before) in queries.iter().zip(&before) {
                assert!(!before.is_empty() && all(sql) == *before, "seed {seed}: {sql}");
            }
            let verdict: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a verdict");
            assert_eq!(verdict, "ok", "seed {seed}");
            conn.execute_batch(&format!("INSERT INTO {0} ({0}) VALUES ('integrity-check')", INDEXES[0]))
                .expect("an index");
            let terms = "CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', 'texts_trigrams', 'row')";
            conn.execute_batch(terms).expect("terms");
            let erased =
                conn.query_row("SELECT count(*) FROM temp.terms WHERE term = 'era'", [], |row| row.get::<_, i64>(0));
            assert_eq!(erased.expect("a count"), 0);
            for name in ["test.db", "test.db-wal"] {
                let bytes = std::fs::read(folder.path().join(name)).unwrap_or_default();
                for remains in [&b"erase"[..], b"rased"] {
                    let found = bytes.windows(remains.len()).position(|bytes| bytes == remains);
                    assert_eq!(found, None, "seed {seed}: {name}, page {:?}", found.map(|at| at / 4096 + 1));
                }
            }
            conn.execute_batch("INSERT INTO rows SELECT id + 10000, text || 'x' FROM rows").expect("more rows");
            let verdict: String = conn.query_row("PRAGMA integrity_check", [], |row| row.get(0)).expect("a verdict");
            assert_eq!(verdict, "ok", "seed {seed}");
        }
    }

    #[test]
    fn pages_that_are_not_understood_stay_as_they_are() {
        let mut page = vec![7; 4096];
        for kind in [0, 1, 3, 7, 255] {
            page[0] = kind;
            assert_eq!(gaps(&page, 0), None, "type {kind}");
        }
        let with = |bytes: &[(usize, u16)]| {
            let mut page = vec![0; 4096];
            page[0] = 13;
            for (at, value) in bytes {
                page[*at..*at + 2].copy_from_slice(&value.to_be_bytes());
            }
            let gaps = gaps(&page, 0)?;
            Some(gaps.into_iter().map(|gap| (gap.start, gap.end)).collect::<Vec<_>>())
        };
        // No cells; two cells; more cell pointers than there is room; cells beyond the page.
        assert_eq!(with(&[(5, 4096)]), Some(vec![(8, 4096)]));
        assert_eq!(with(&[(3, 2), (5, 4000)]), Some(vec![(12, 4000)]));
        assert_eq!(with(&[(3, 2_000), (5, 4000)]), None);
        assert_eq!(with(&[(5, 5_000)]), None);
        // A free block; one before the cells, one beyond the page, a circle.
        assert_eq!(with(&[(1, 4010), (5, 4000), (4012, 20)]), Some(vec![(8, 4000), (4014, 4030)]));
        assert_eq!(with(&[(1, 3000), (5, 4000), (3002, 20)]), None);
        assert_eq!(with(&[(1, 4090), (5, 4000), (4092, 20)]), None);
        assert_eq!(with(&[(1, 4010), (5, 4000), (4010, 4010), (4012, 20)]), None);
    }
}
