//! Both engines accept every constant SQL statement in the source.

use crate::support::{Base, postgres_url};
use std::fs;
use std::path::{Path, PathBuf};
use tokio_postgres::NoTls;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_constant_statement_is_prepared_by_both_engines() {
    let (sqlite, postgres) = (Base::sqlite(), Base::postgres());
    drop((sqlite.open().await, postgres.open().await));
    let file = rusqlite::Connection::open(sqlite.file()).unwrap();
    let url = postgres_url(&postgres.database());
    let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
    tokio::spawn(connection);

    let statements = constants();
    assert!(statements.len() > 25, "only {} statements were found in the source", statements.len());
    let mut unfit = Vec::new();
    for (place, sql) in &statements {
        unfit.extend(file.prepare(sql).err().map(|e| format!("{place}: SQLite: {e}: {sql}")));
        unfit.extend(client.prepare(sql).await.err().map(|e| format!("{place}: PostgreSQL: {e:?}: {sql}")));
    }
    assert!(unfit.is_empty(), "{}", unfit.join("\n"));

    let misspelt = "SELECT id, scoep FROM tags WHERE workspace_id = $1";
    assert!(file.prepare(misspelt).is_err() && client.prepare(misspelt).await.is_err(), "a misspelt statement passes");
}

/// `const NAME: &str = "SELECT …"` and the like, with file and line.
fn constants() -> Vec<(String, String)> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut files = Vec::new();
    for entry in fs::read_dir(crates).unwrap() {
        sources(&entry.unwrap().path().join("src"), &mut files);
    }
    let mut found = Vec::new();
    for file in files {
        let source = fs::read_to_string(&file).unwrap();
        for (at, mark) in source.match_indices(": &str =") {
            let line = source[..at].rsplit('\n').next().unwrap_or_default();
            let text = source[at + mark.len()..].trim_start().strip_prefix('"');
            let (true, Some(text)) = (line.contains("const "), text) else { continue };
            let sql = literal(text);
            if ["SELECT ", "INSERT ", "UPDATE ", "DELETE "].iter().any(|verb| sql.starts_with(verb)) {
                found.push((format!("{}: {}", file.display(), line.trim()), sql));
            }
        }
    }
    found
}

fn sources(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, files),
            false => files.extend(path.extension().is_some_and(|end| end == "rs").then_some(path)),
        }
    }
}

/// A string literal up to its closing quote, unescaped as by the compiler.
fn literal(source: &str) -> String {
    let (mut text, mut rest) = (String::new(), source.chars().peekable());
    while let Some(c) = rest.next().filter(|c| *c != '"') {
        match (c, rest.peek()) {
            ('\\', Some('\n')) => while rest.next_if(|c| c.is_whitespace()).is_some() {},
            ('\\', Some(_)) => text.extend(rest.next()),
            _ => text.push(c),
        }
    }
    text
}
