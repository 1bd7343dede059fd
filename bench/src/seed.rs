//! Filling databases. Ten thousand contacts are created through the API. Larger tables are multiples of these, made by
//! SQL in the closed database: copy `k` is the whole history again, moved into the past by `k` times its length. A
//! copy's ids, stamps, feed positions, addresses and terms move with it, and the tallies are multiplied; `check` then
//! compares them with count(*).

use crate::Fault;
use crate::load::{self, Load, Until};
use crate::people::People;
use crate::process::Install;
use std::fs;
use std::path::Path;
use std::time::Duration;

pub(crate) const BASE: usize = 10_000;

/// The API key of a seeded folder.
pub(crate) fn key(data: &Path) -> Result<String, Fault> {
    Ok(fs::read_to_string(data.join("key"))?)
}

/// Creates the first contacts through the API, and the key that the bench uses.
pub(crate) fn base(install: &Install) -> Result<(), Fault> {
    let server = install.serve()?;
    let key = install.key(None)?;
    define(install)?;
    let mut people = People::new(1);
    let body = |number| load::post("/api/v1/contacts", &key, &people.seeded(number).to_string());
    let requests: Vec<Vec<u8>> = (0..BASE).map(body).collect();
    load::run(&Load { address: server.address, requests: &requests, connections: 64, until: Until::Done })?;
    fs::write(install.data.join("key"), key)?;
    Ok(())
}

/// Defines the custom fields that the contacts have.
pub(crate) fn define(install: &Install) -> Result<(), Fault> {
    let score: &[&str] = &["--key", "score", "--type", "number"];
    let level: &[&str] = &["--key", "level", "--type", "select", "--options", "junior,senior,lead"];
    for field in [score, level] {
        install.operate(&[&["fields", "create", "--entity", "contact"], field].concat())?;
    }
    Ok(())
}

/// Waits until the server has indexed all texts: the copies are in the past, where the indexer would not find missing
/// texts.
pub(crate) fn indexed(install: &Install, open: impl Fn() -> Result<Box<dyn Database>, Fault>) -> Result<(), Fault> {
    let _server = install.serve()?;
    for _ in 0..600 {
        if open()?.number("SELECT count(*) FROM texts WHERE collection = 'contacts'")? == BASE as i64 {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    Err("the texts of the seed are not indexed in time".into())
}

/// A database that the seeder writes to, with the SQL of its engine.
pub(crate) trait Database {
    fn run(&mut self, sql: &str) -> Result<(), Fault>;
    fn number(&mut self, sql: &str) -> Result<i64, Fault>;
    fn columns(&mut self, table: &str) -> Result<Vec<String>, Fault>;
    /// Secondary indexes: the statements that drop and create each.
    fn indexes(&mut self, table: &str) -> Result<Vec<(String, String)>, Fault>;
    /// Updates the statistics, as the engine itself does in time.
    fn analyze(&mut self) -> Result<(), Fault>;
    /// The id with the time `ms` and the random part of `id`.
    fn id_at(&self, id: &str, ms: &str) -> String;
}

/// Multiplies the contacts by `times`.
pub(crate) fn multiply(database: &mut dyn Database, times: usize) -> Result<(), Fault> {
    let (first, last) = ("SELECT min(created_at) FROM contacts", "SELECT max(created_at) FROM contacts");
    let span = database.number(last)? - database.number(first)? + 1000;
    let mut indexes = database.indexes("contacts")?;
    indexes.extend(database.indexes("events")?);
    for (drop, _) in &indexes {
        database.run(drop)?;
    }
    database.run(&numbers(times, span))?;
    let copies = [
        copy(database, "contacts", "", "id")?,
        copy(database, "events", " AND t.record_type = 'contact'", "place")?,
        copy(database, "texts", " AND t.collection = 'contacts'", "record")?,
        copy(database, "terms", " AND t.field LIKE 'contact.%'", "field, key, record")?,
    ];
    for sql in copies {
        database.run(&sql)?;
    }
    database.run(&format!("UPDATE counters SET n = n * {times} WHERE collection = 'contacts'"))?;
    database.run("DROP TABLE bench_copies")?;
    for (_, make) in &indexes {
        database.run(make)?;
    }
    database.analyze()?;
    check(database)
}

/// One row per copy: its number and by how many milliseconds it is in the past.
fn numbers(times: usize, span: i64) -> String {
    let rows: Vec<String> = (1..times as i64).map(|k| format!("({k}, {})", k * span)).collect();
    format!("CREATE TABLE bench_copies (k BIGINT, back BIGINT); INSERT INTO bench_copies VALUES {}", rows.join(", "))
}

fn copy(database: &mut dyn Database, table: &str, only: &str, order: &str) -> Result<String, Fault> {
    let mut columns = database.columns(table)?;
    // SQLite numbers texts itself.
    columns.retain(|column| column != "rid");
    let values: Vec<String> = columns.iter().map(|column| moved(database, table, column)).collect();
    let names = columns.join(", ");
    // The oldest copy first and each in the order of its key, so that pages are filled once.
    let order = if table == "terms" { order.to_owned() } else { format!("c.k DESC, t.{order}") };
    let select = format!("SELECT {} FROM {table} t, bench_copies c WHERE 1 = 1{only}", values.join(", "));
    Ok(match table {
        "terms" => format!("INSERT INTO terms ({names}) SELECT * FROM ({select}) s ORDER BY {order}"),
        _ => format!("INSERT INTO {table} ({names}) {select} ORDER BY {order}"),
    })
}

/// The value of a copy in this column.
fn moved(database: &dyn Database, table: &str, column: &str) -> String {
    // Each copy has its own addresses, so that filters by them stay as selective as in a real database.
    let email = |text: &str| format!("replace({text}, '@', '.' || c.k || '@')");
    let phone = |text: &str| format!("replace({text}, '+1 555', '+' || (1000 + c.k) || ' 555')");
    let profile = |text: &str| format!("replace({text}, '/person-', '/person-' || c.k || '-')");
    match (table, column) {
        ("contacts", "id") => database.id_at("t.id", "t.created_at - c.back"),
        ("contacts", "created_at" | "updated_at" | "archived_at" | "last_contacted_at") | ("events", "at") => {
            format!("t.{column} - c.back AS {column}")
        }
        ("contacts", "emails") => email("t.emails"),
        ("contacts", "phones") => phone("t.phones"),
        ("contacts", "network_profile" | "network_profile_fold") => profile(&format!("t.{column}")),
        ("events", "place") => "t.place - c.back * 65536".into(),
        // The time of a contact's first event is that of its id.
        ("events", "record_id") => database.id_at("t.record_id", "t.at - c.back"),
        ("events", "changes") => email(&phone(&profile("t.changes"))),
        ("terms" | "texts", "record") => {
            let at = "(SELECT o.created_at FROM contacts o WHERE o.workspace_id = t.workspace_id AND o.id = t.record)";
            format!("{} AS record", database.id_at("t.record", &format!("{at} - c.back")))
        }
        // A phone is stored as digits, on a line of its own.
        ("texts", "text") => {
            let phone = "replace(t.text, '\n1555', '\n' || (1000 + c.k) || '555')";
            email(&profile(phone))
        }
        ("terms", "key") => {
            let (email, profile) = (email("t.key"), profile("t.key"));
            format!(
                "CASE t.field WHEN 'contact.email' THEN {email} WHEN 'contact.profile' THEN {profile} \
                 WHEN 'contact.phone' THEN (1000 + c.k) || substr(t.key, 2) ELSE t.key END AS key"
            )
        }
        (_, column) => format!("t.{column} AS {column}"),
    }
}

/// Checks that tallies equal the counts, and that there are no dangling references.
fn check(database: &mut dyn Database) -> Result<(), Fault> {
    let total = database.number("SELECT count(*) FROM contacts")?;
    let sums = [
        "SELECT CAST(sum(n) AS BIGINT) FROM counters WHERE collection = 'contacts' AND field = ''",
        "SELECT CAST(sum(n) AS BIGINT) FROM counters WHERE collection = 'contacts' AND field = 'global_status'",
        "SELECT count(*) FROM events WHERE type = 'contact.created'",
        "SELECT count(*) FROM events e JOIN contacts c ON c.workspace_id = e.workspace_id AND c.id = e.record_id",
        "SELECT count(*) FROM terms d JOIN contacts c ON c.workspace_id = d.workspace_id AND c.id = d.record \
         WHERE d.field = 'contact.email'",
        "SELECT count(*) FROM texts x JOIN contacts c ON c.workspace_id = x.workspace_id AND c.id = x.record",
    ];
    for sql in sums {
        let found = database.number(sql)?;
        if found != total {
            return Err(format!("{total} contacts, but {found} by: {sql}").into());
        }
    }
    for status in ["new", "contacted", "replied", "qualified", "archived"] {
        let counted = database.number(&format!("SELECT count(*) FROM contacts WHERE global_status = '{status}'"))?;
        let kept = format!(
            "SELECT CAST(sum(n) AS BIGINT) FROM counters WHERE collection = 'contacts' AND field = 'global_status' \
             AND value = '{status}'"
        );
        if database.number(&kept)? != counted {
            return Err(format!("the kept count of {status} is not {counted}").into());
        }
    }
    Ok(())
}

pub(crate) struct Sqlite(rusqlite::Connection);

impl Sqlite {
    /// Opens the closed file without durability: an interrupted seed is started again.
    pub(crate) fn open(path: &Path) -> Result<Sqlite, Fault> {
        let connection = rusqlite::Connection::open(path)?;
        connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA cache_size = -1048576; PRAGMA temp_store = FILE")?;
        Ok(Sqlite(connection))
    }

    pub(crate) fn ids(path: &Path, count: usize) -> Result<Vec<String>, Fault> {
        let connection = rusqlite::Connection::open(path)?;
        let step = connection.query_row("SELECT max(rowid) FROM contacts", [], |row| row.get::<_, i64>(0))?;
        let step = (step / count as i64).max(1);
        let mut statement = connection.prepare("SELECT id FROM contacts WHERE rowid % ?1 = 0")?;
        let ids = statement.query_map([step], |row| row.get::<_, [u8; 16]>(0))?;
        Ok(ids.map(|id| id.map(|id| uuid::Uuid::from_bytes(id).to_string())).collect::<Result<_, _>>()?)
    }
}

impl Database for Sqlite {
    fn run(&mut self, sql: &str) -> Result<(), Fault> {
        Ok(self.0.execute_batch(sql)?)
    }
    fn number(&mut self, sql: &str) -> Result<i64, Fault> {
        Ok(self.0.query_row(sql, [], |row| row.get(0))?)
    }
    fn columns(&mut self, table: &str) -> Result<Vec<String>, Fault> {
        let mut statement = self.0.prepare("SELECT name FROM pragma_table_info(?1)")?;
        Ok(statement.query_map([table], |row| row.get(0))?.collect::<Result<_, _>>()?)
    }
    fn indexes(&mut self, table: &str) -> Result<Vec<(String, String)>, Fault> {
        let sql = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?1 AND sql IS NOT NULL";
        let mut statement = self.0.prepare(sql)?;
        let pair = |row: &rusqlite::Row<'_>| Ok((format!("DROP INDEX {}", row.get::<_, String>(0)?), row.get(1)?));
        Ok(statement.query_map([table], pair)?.collect::<Result<_, _>>()?)
    }
    /// The product never runs ANALYZE on SQLite, so the bench does not either.
    fn analyze(&mut self) -> Result<(), Fault> {
        self.run("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    fn id_at(&self, id: &str, ms: &str) -> String {
        format!("unhex(printf('%012x', {ms}) || substr(hex({id}), 13))")
    }
}
