//! Each engine has its own migrations; this test reads both schemas back and compares them.

use crate::support::{Base, administer_on};
use std::collections::BTreeMap;

/// Tables that belong to no workspace. All others have `workspace_id` at the head of their key.
const GLOBAL: &[&str] = &[
    "api_keys",
    "attempts",
    "meta",
    "oauth_providers",
    "migrations",
    "nodes",
    "places",
    "profile_imports",
    "profile_segments",
    "profile_terms",
    "profile_writer",
    "profiles",
    "sessions",
    "users",
    "workspaces",
];

#[derive(Debug, Default, PartialEq)]
struct Table {
    /// Name, type and nullability of each column, in order.
    columns: Vec<(String, String, bool)>,
    primary: Vec<String>,
    /// Whether the index is unique, its columns and its condition, by name.
    indexes: BTreeMap<String, (bool, Vec<String>, String)>,
    foreign: Vec<String>,
}

type Schema = BTreeMap<String, Table>;

/// Lists refer to the index of a primary key by the name that SQLite gave it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_index_of_a_records_key_has_the_name_that_lists_use() {
    let base = Base::sqlite();
    drop(base.open().await);
    let file = rusqlite::Connection::open(base.file()).unwrap();
    let mut tables = 0;
    for (name, table) in of_sqlite(&base).iter().filter(|(_, table)| table.primary == ["workspace_id", "id"]) {
        let asked = format!("SELECT name FROM pragma_index_info('sqlite_autoindex_{name}_1') ORDER BY seqno");
        let mut columns = file.prepare(&asked).unwrap();
        let columns: Result<Vec<String>, _> = columns.query_map([], |row| row.get(0)).unwrap().collect();
        assert_eq!(columns.unwrap(), table.primary, "{name}");
        tables += 1;
    }
    assert!(tables > 10, "only {tables} tables of records");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn both_engines_have_the_same_schema() {
    let (sqlite, postgres) = (Base::sqlite(), Base::postgres());
    drop((sqlite.open().await, postgres.open().await));
    let (mut ours, mut theirs) = (of_sqlite(&sqlite), of_postgres(&postgres.database()));
    level_trigrams(&mut ours, &mut theirs);
    let tables = |schema: &Schema| schema.keys().cloned().collect::<Vec<_>>();
    assert_eq!(tables(&ours), tables(&theirs));
    for (name, table) in &ours {
        assert!(!table.columns.is_empty() && !table.primary.is_empty(), "{name} has columns and a key");
        assert_eq!(table, &theirs[name], "{name}: SQLite on the left, PostgreSQL on the right");
        if !GLOBAL.contains(&name.as_str()) {
            assert_eq!(table.primary[0], "workspace_id", "the key of {name}");
            assert!(table.foreign.iter().all(|key| key.contains("(workspace_id")), "{name}: {:?}", table.foreign);
        } else {
            assert!(table.foreign.is_empty(), "{name} is global and has no foreign keys");
        }
    }
}

/// The engines differ only in trigrams: SQLite has a virtual table over numbered rows, PostgreSQL an index. Both must
/// exist; the rest of the tables must be equal.
fn level_trigrams(sqlite: &mut Schema, postgres: &mut Schema) {
    for table in ["texts", "message_texts"] {
        let trigrams = format!("{table}_trigrams");
        assert!(sqlite.remove(&trigrams).is_some(), "SQLite's trigrams");
        sqlite.retain(|name, _| !name.starts_with(&format!("{trigrams}_")));
        let theirs = postgres.get_mut(table).unwrap();
        assert_eq!(theirs.indexes.remove(&trigrams), Some((false, vec!["text".into()], String::new())));
        let ours = sqlite.get_mut(table).unwrap();
        assert_eq!(ours.columns.remove(0), ("rid".into(), "integer".into(), false));
        let (unique, key, _) = ours.indexes.remove(&format!("{table}_record")).unwrap();
        assert!(unique);
        ours.primary = key;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn text_sorts_by_its_bytes() {
    let base = Base::postgres();
    base.open().await;
    let unfit = administer_on(
        &base.database(),
        "SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = 'public' \
         AND table_name <> 'migrations' AND data_type IN ('text', 'character varying') AND collation_name IS DISTINCT FROM 'C'",
    );
    assert!(unfit.is_empty(), "these lack COLLATE \"C\": {unfit:?}");
}

fn of_sqlite(base: &Base) -> Schema {
    let conn = rusqlite::Connection::open(base.file()).unwrap();
    let rows = |sql: &str, of: &str| -> Vec<Vec<String>> {
        let mut statement = conn.prepare(sql).unwrap();
        let columns = statement.column_count();
        let params: &[&dyn rusqlite::ToSql] = if sql.contains("?1") { &[&of] } else { &[] };
        let row = |row: &rusqlite::Row<'_>| (0..columns).map(|at| row.get(at)).collect();
        statement.query_map(params, row).unwrap().map(Result::unwrap).collect()
    };
    let mut schema = Schema::new();
    for name in
        rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'", "")
    {
        let (name, mut table) = (name[0].as_str(), Table::default());
        let columns = "SELECT name, type, CAST(\"notnull\" AS TEXT) FROM pragma_table_info(?1) ORDER BY cid";
        for column in rows(columns, name) {
            let kind = match column[1].as_str() {
                "INTEGER" | "BIGINT" => "integer",
                "BLOB" => "bytes",
                "TEXT" => "text",
                _ if name.contains("texts_trigrams") => "virtual",
                other => panic!("{name} has a column of type {other}"),
            };
            table.columns.push((column[0].clone(), kind.to_owned(), column[2] == "0"));
        }
        let primary = "SELECT name FROM pragma_table_info(?1) WHERE pk > 0 ORDER BY pk";
        table.primary = rows(primary, name).into_iter().flatten().collect();
        let indexes = "SELECT l.name, CAST(l.\"unique\" AS TEXT), s.sql FROM pragma_index_list(?1) l \
                       JOIN sqlite_schema s ON s.name = l.name WHERE l.origin = 'c'";
        for index in rows(indexes, name) {
            let columns = rows("SELECT name FROM pragma_index_info(?1) ORDER BY seqno", &index[0]);
            let condition = index[2].split_once(" WHERE ").map_or("", |(_, condition)| condition).to_owned();
            table
                .indexes
                .insert(index[0].clone(), (index[1] == "1", columns.into_iter().flatten().collect(), condition));
        }
        let foreign = "SELECT '(' || group_concat(\"from\", ', ') || ') to ' || \"table\" || ', ' || on_delete \
                       FROM (SELECT * FROM pragma_foreign_key_list(?1) ORDER BY id, seq) GROUP BY id";
        table.foreign = rows(foreign, name).into_iter().flatten().collect();
        table.foreign.sort();
        schema.insert(name.to_owned(), table);
    }
    schema
}

fn of_postgres(database: &str) -> Schema {
    // Each row is one line of fields.
    let rows = |sql: &str| -> Vec<Vec<String>> {
        administer_on(database, sql).iter().map(|row| row.split('|').map(str::to_owned).collect()).collect()
    };
    let list = |fields: &str| fields.split(',').filter(|field| !field.is_empty()).map(str::to_owned).collect();
    let mut schema = Schema::new();
    let columns = "SELECT concat_ws('|', table_name, column_name, data_type, is_nullable) FROM information_schema.columns \
                   WHERE table_schema = 'public' AND table_name <> 'migration_lock' ORDER BY table_name, ordinal_position";
    for column in rows(columns) {
        let kind = match column[2].as_str() {
            "bigint" | "boolean" => "integer",
            "uuid" | "bytea" => "bytes",
            "text" => "text",
            other => panic!("{} has a column of type {other}", column[0]),
        };
        let table = schema.entry(column[0].clone()).or_default();
        table.columns.push((column[1].clone(), kind.to_owned(), column[3] == "YES"));
    }
    let indexes = "SELECT concat_ws('|', t.relname, c.relname, i.indisprimary, i.indisunique, \
                     (SELECT string_agg(a.attname, ',' ORDER BY k.n) FROM unnest(i.indkey) WITH ORDINALITY k(at, n) \
                      JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.at), \
                     coalesce(pg_get_expr(i.indpred, t.oid), '')) \
                   FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid \
                   WHERE t.relnamespace = 'public'::regnamespace AND t.relname <> 'migration_lock'";
    for index in rows(indexes) {
        let table = schema.entry(index[0].clone()).or_default();
        if index[2] == "t" {
            table.primary = list(&index[4]);
        } else {
            let condition = index[5].trim_start_matches('(').trim_end_matches(')').to_owned();
            table.indexes.insert(index[1].clone(), (index[3] == "t", list(&index[4]), condition));
        }
    }
    let foreign = "SELECT concat_ws('|', t.relname, (SELECT string_agg(a.attname, ', ' ORDER BY k.n) \
                     FROM unnest(f.conkey) WITH ORDINALITY k(at, n) JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.at), \
                     r.relname, CASE f.confdeltype WHEN 'r' THEN 'RESTRICT' WHEN 'c' THEN 'CASCADE' WHEN 'a' THEN 'NO ACTION' END) \
                   FROM pg_constraint f JOIN pg_class t ON t.oid = f.conrelid JOIN pg_class r ON r.oid = f.confrelid \
                   WHERE f.contype = 'f' ORDER BY 1";
    for key in rows(foreign) {
        schema.entry(key[0].clone()).or_default().foreign.push(format!("({}) to {}, {}", key[1], key[2], key[3]));
    }
    schema.values_mut().for_each(|table| table.foreign.sort());
    schema
}
