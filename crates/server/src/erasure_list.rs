//! The file with the list of erasures, beside the database. Each node keeps one: it adds the entries of the database, and
//! repeats those that a restored database lacks.

use crm::api::meta::Secret;
use crm::erasure::list::{self, Listed, Repeated};
use crm::tenant::workspace;
use resource::{Actor, Ctx, Memory};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Lane, Store, Uuid};

/// The name of the list in the data folder.
pub const NAME: &str = "erasures.list";
const HEAD: &str = "relata erasures 1\n";
/// Entries that are read from the database at a time.
const PAGE: i64 = 500;

/// A line has the first digits of a hash over its number and its content, so that a changed, lost or moved line is
/// found.
const CHECK: usize = 16;

fn line(number: usize, listed: &Listed) -> String {
    let json = serde_json::json!(listed).to_string();
    format!("{} {json}\n", check(number, &json))
}

fn check(number: usize, json: &str) -> String {
    let mut hash = list::hex(&Sha256::digest(format!("{number} {json}")));
    hash.truncate(CHECK);
    hash
}

/// The content of a list.
#[derive(Debug, Default, PartialEq)]
pub struct Content {
    pub entries: Vec<Listed>,
    /// The numbers of damaged lines, counted from one.
    pub damaged: Vec<usize>,
    /// The length without a last line that a crash cut off.
    whole: u64,
}

impl Content {
    fn parse(text: &[u8]) -> Content {
        let mut content = Content::default();
        let Some(rest) = text.strip_prefix(HEAD.as_bytes()) else {
            // A crash can cut off the head of a new list. The database still has its entries.
            if !HEAD.as_bytes().starts_with(text) {
                content.damaged.push(1);
            }
            return content;
        };
        content.whole = HEAD.len() as u64;
        for (at, line) in rest.split_inclusive(|byte| *byte == b'\n').enumerate() {
            let number = at + 2;
            let Some(line) = line.strip_suffix(b"\n") else { break };
            content.whole += line.len() as u64 + 1;
            match read_line(number, line) {
                Some(listed) => content.entries.push(listed),
                None => content.damaged.push(number),
            }
        }
        content
    }

    fn lines(&self) -> usize {
        self.entries.len() + self.damaged.len()
    }
}

fn read_line(number: usize, line: &[u8]) -> Option<Listed> {
    let (stated, json) = str::from_utf8(line).ok()?.split_once(' ')?;
    if stated != check(number, json) {
        return None;
    }
    serde_json::from_str(json).ok()
}

/// The entries of a list; an error if a line is damaged. There is no list before the first start.
pub fn read(path: &Path) -> Result<Vec<Listed>, String> {
    let content = match std::fs::read(path) {
        Ok(bytes) => Content::parse(&bytes),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(unread(path, &error)),
    };
    undamaged(path, &content)?;
    Ok(content.entries)
}

fn undamaged(path: &Path, content: &Content) -> Result<(), String> {
    let Some(first) = content.damaged.first() else { return Ok(()) };
    Err(format!(
        "the list of erasures {} is damaged in line {first}; {} of its entries are readable. Replace it with an export \
         (`relata erasures export`), or keep what is readable with `relata erasures repair`",
        path.display(),
        content.entries.len()
    ))
}

fn unread(path: &Path, error: &std::io::Error) -> String {
    format!("the list of erasures {} can't be read: {error}", path.display())
}

fn unwritten(path: &Path, error: &std::io::Error) -> String {
    format!("the list of erasures {} can't be written: {error}", path.display())
}

/// Writes a new list. A file with this name must not exist.
pub fn write_new(path: &Path, entries: &[Listed]) -> Result<(), String> {
    let made = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let mut text = HEAD.to_owned();
    for (at, listed) in entries.iter().enumerate() {
        text.push_str(&line(at + 2, listed));
    }
    made.and_then(|mut file| file.write_all(text.as_bytes()).and_then(|()| file.sync_all()))
        .map_err(|error| unwritten(path, &error))
}

/// Keeps the readable lines of a damaged list, and moves the list aside. Returns the number of readable and of damaged
/// lines.
pub fn repair(path: &Path) -> Result<(usize, usize, PathBuf), String> {
    let bytes = std::fs::read(path).map_err(|error| unread(path, &error))?;
    let content = Content::parse(&bytes);
    let aside = (1..).map(|number| path.with_extension(format!("damaged-{number}"))).find(|aside| !aside.exists());
    let aside = aside.unwrap_or_else(|| path.with_extension("damaged"));
    if !content.damaged.is_empty() {
        let part = path.with_extension("part");
        let _ = std::fs::remove_file(&part);
        write_new(&part, &content.entries)?;
        let moved = std::fs::hard_link(path, &aside).and_then(|()| std::fs::rename(&part, path));
        moved.map_err(|error| unwritten(path, &error))?;
    }
    Ok((content.entries.len(), content.damaged.len(), aside))
}

/// A list that no other process changes meanwhile.
struct Locked {
    path: PathBuf,
    file: File,
    content: Content,
}

impl Locked {
    fn open(path: &Path) -> Result<Locked, String> {
        let opened = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path);
        let mut file = opened.map_err(|error| unread(path, &error))?;
        let mut bytes = Vec::new();
        let read = file.lock().and_then(|()| file.read_to_end(&mut bytes));
        read.map_err(|error| unread(path, &error))?;
        let content = Content::parse(&bytes);
        undamaged(path, &content)?;
        Ok(Locked { path: path.to_owned(), file, content })
    }

    /// Adds entries at the end, and waits until they are on disk.
    fn append(&mut self, entries: &[Listed]) -> Result<(), String> {
        let mut text = if self.content.whole == 0 { HEAD.to_owned() } else { String::new() };
        for (at, listed) in entries.iter().enumerate() {
            text.push_str(&line(self.content.lines() + at + 2, listed));
        }
        let whole = self.content.whole;
        let file = &mut self.file;
        let written = file
            .set_len(whole)
            .and_then(|()| file.seek(SeekFrom::Start(whole)))
            .and_then(|_| file.write_all(text.as_bytes()))
            .and_then(|()| file.sync_all());
        written.map_err(|error| unwritten(&self.path, &error))?;
        let Some(folder) = self.path.parent() else { return Ok(()) };
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| unwritten(&self.path, &error))
    }
}

/// What was repeated in a restored database.
#[derive(Debug, Default)]
pub struct Report {
    /// Entries that the database lacked.
    pub entries: usize,
    /// Records that were erased again.
    pub erased: usize,
    /// Records that are merged with others, which were not erased.
    pub merged: Vec<Uuid>,
    /// Entries whose hashes have another key.
    pub foreign: usize,
    workspaces: BTreeSet<Uuid>,
}

impl Report {
    /// The report in sentences, for the log and for commands; none if nothing was repeated.
    pub fn sentences(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        match self.erased {
            0 if self.entries == 0 => {}
            0 => sentences.push("Erased again: nothing. The database has none of the erased records.".to_owned()),
            1 => sentences.push(
                "Erased again: 1 record, which was erased after the backup was made. A running server removes \
                 everything else about it."
                    .to_owned(),
            ),
            more => sentences.push(format!(
                "Erased again: {more} records, which were erased after the backup was made. A running server removes \
                 everything else about them."
            )),
        }
        for id in &self.merged {
            sentences.push(format!(
                "Not erased again: {id}. In this database it is merged with a record that was not erased. Undo the \
                 merge, then restart the server or erase {id}."
            ));
        }
        if self.foreign > 0 {
            sentences.push(format!(
                "Entries whose hashes of addresses can't be used, because they were made with another key: {}. Their \
                 addresses can be stored again.",
                self.foreign
            ));
        }
        sentences
    }
}

/// Repeats the entries that the database lacks. Entries of workspaces that it does not have are ignored.
pub async fn repeat(
    store: &Store,
    secret: &Secret,
    memory: &Arc<Memory>,
    entries: Vec<Listed>,
) -> Result<Report, resource::Error> {
    let workspaces = store.read(Lane::Slow, workspace::list).await?;
    let workspaces: BTreeSet<Uuid> = workspaces.into_iter().map(|workspace| workspace.id).collect();
    let known: BTreeSet<(Uuid, Uuid)> = stored(store).await?.into_iter().map(|one| (one.workspace, one.id)).collect();
    let mut report = Report::default();
    let is_missing = |one: &Listed| workspaces.contains(&one.workspace) && !known.contains(&(one.workspace, one.id));
    let mut missing: Vec<Listed> = entries.into_iter().filter(is_missing).collect();
    // An address that was allowed again may have been erased again.
    missing.sort_by_key(|one| (one.workspace, one.entry.at, one.id));
    missing.dedup_by_key(|one| (one.workspace, one.id));
    for listed in missing {
        let ctx = Ctx { workspace: listed.workspace, actor: Actor::system("restore"), memory: memory.clone() };
        let (id, listed, secret) = (listed.workspace, Arc::new(listed), secret.clone());
        loop {
            let (ctx, listed, secret) = (ctx.clone(), listed.clone(), secret.clone());
            let done: Repeated = store.write(id, move |tx| list::repeat(&ctx, tx, &secret, &listed)).await?;
            report.erased += done.erased;
            if done.is_unfinished {
                continue;
            }
            report.entries += usize::from(done.merged.is_none());
            report.foreign += usize::from(done.is_foreign);
            report.merged.extend(done.merged);
            report.workspaces.insert(id);
            break;
        }
    }
    Ok(report)
}

/// All entries of the database, with the sealed keys of their hashes.
pub async fn sealed(store: &Store, secret: &Secret) -> Result<Vec<Listed>, resource::Error> {
    let mut entries = stored(store).await?;
    let secret = secret.clone();
    let keys: BTreeMap<Uuid, String> = store.read(Lane::Slow, move |tx| list::sealed_keys(tx, &secret)).await?;
    for listed in &mut entries {
        listed.key = keys.get(&listed.workspace).cloned();
    }
    Ok(entries)
}

async fn stored(store: &Store) -> Result<Vec<Listed>, resource::Error> {
    let mut entries: Vec<Listed> = Vec::new();
    loop {
        let after = entries.last().map_or((Uuid::nil(), Uuid::nil()), |last| (last.workspace, last.id));
        let page = store.read(Lane::Slow, move |tx| list::page(tx, after, PAGE)).await?;
        let is_last = (page.len() as i64) < PAGE;
        entries.extend(page);
        if is_last {
            return Ok(entries);
        }
    }
}

/// Makes the list of this data folder and the database agree: repeats in the database what only the list has, and adds
/// to the list what only the database has.
pub async fn sync(store: &Store, secret: &Secret, memory: &Arc<Memory>, path: &Path) -> Result<Report, String> {
    let place = path.to_owned();
    let opened = tokio::task::spawn_blocking(move || Locked::open(&place)).await;
    let mut locked = opened.map_err(|error| error.to_string())??;
    let failed = |error: resource::Error| error.to_string();
    let listed: BTreeSet<(Uuid, Uuid)> = locked.content.entries.iter().map(|one| (one.workspace, one.id)).collect();
    let entries = std::mem::take(&mut locked.content.entries);
    let lines = entries.len();
    let report = repeat(store, secret, memory, entries.clone()).await.map_err(failed)?;
    locked.content.entries = entries;
    debug_assert_eq!(lines, locked.content.lines());
    let mut new = sealed(store, secret).await.map_err(failed)?;
    new.retain(|one| !listed.contains(&(one.workspace, one.id)));
    if new.is_empty() && locked.content.whole > 0 {
        return Ok(report);
    }
    let written = tokio::task::spawn_blocking(move || locked.append(&new)).await;
    written.map_err(|error| error.to_string())??;
    Ok(report)
}

/// Writes a report to the log.
pub fn log(report: &Report) {
    for sentence in report.sentences() {
        tracing::warn!("{sentence}");
    }
}

/// Once a second: if the number of entries changed, makes list and database agree.
#[derive(Default)]
pub(crate) struct Watch {
    seen: Option<i64>,
}

impl Watch {
    pub(crate) async fn check(&mut self, app: &crate::App) {
        let counted = app.store.read(Lane::Fast, list::count).await;
        let Ok(count) =
            counted.inspect_err(|error| log_failure!(error, "failed to read the list of erasures; retrying in 1 s"))
        else {
            return;
        };
        if self.seen == Some(count) {
            return;
        }
        match sync(&app.store, &app.secret, &app.memory, &app.data.join(NAME)).await {
            Ok(report) => {
                // The start of the server has logged what can't be repeated.
                if report.entries > 0 {
                    log(&report);
                }
                report.workspaces.iter().for_each(|workspace| app.wrote(*workspace));
                self.seen = Some(count);
            }
            Err(error) => tracing::error!(error, "failed to update the list of erasures; retrying in 1 s"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crm::erasure::list::Entry;

    fn listed(number: u128) -> Listed {
        let entry =
            Entry { at: 1, collection: "contacts".into(), records: vec![Uuid::from_u128(9)], ..Entry::default() };
        Listed { workspace: Uuid::from_u128(1), id: Uuid::from_u128(number), key: Some("k".into()), entry }
    }

    #[test]
    fn a_list_is_read_as_it_was_written_and_a_cut_line_is_written_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(NAME);
        assert_eq!(read(&path), Ok(Vec::new()));
        Locked::open(&path).and_then(|mut list| list.append(&[listed(1)])).expect("written");
        Locked::open(&path).and_then(|mut list| list.append(&[listed(2), listed(3)])).expect("written");
        let three = vec![listed(1), listed(2), listed(3)];
        assert_eq!(read(&path), Ok(three.clone()));
        let bytes = std::fs::read(&path).expect("a list");
        // Wherever a crash cuts the file, the rest is readable and can be continued.
        for end in 0..bytes.len() {
            std::fs::write(&path, &bytes[..end]).expect("written");
            let left = read(&path).expect("readable");
            assert_eq!(left, three[..left.len()]);
            Locked::open(&path).and_then(|mut list| list.append(&three[left.len()..])).expect("written");
            assert_eq!(std::fs::read(&path).expect("a list"), bytes, "cut at {end}");
        }
    }

    #[test]
    fn a_damaged_list_is_an_error_and_a_repair_keeps_the_other_lines() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join(NAME);
        write_new(&path, &[listed(1), listed(2), listed(3)]).expect("written");
        let whole = std::fs::read(&path).expect("a list");
        for at in HEAD.len()..whole.len() - 1 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            let content = Content::parse(&bytes);
            assert!(!content.damaged.is_empty(), "byte {at}");
        }
        // A line that is missing in the middle is noticed, too.
        let text = String::from_utf8(whole.clone()).expect("text");
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        assert_eq!(Content::parse([lines[0], lines[2], lines[3]].concat().as_bytes()).damaged, [2, 3]);
        let mut bytes = whole;
        bytes[HEAD.len() + 30] ^= 1;
        std::fs::write(&path, &bytes).expect("written");
        let error = read(&path).expect_err("damaged");
        assert!(error.contains("line 2") && error.contains("relata erasures repair"), "{error}");
        let (kept, damaged, aside) = repair(&path).expect("repaired");
        assert_eq!((kept, damaged), (2, 1));
        assert_eq!(read(&path), Ok(vec![listed(2), listed(3)]));
        assert_eq!(std::fs::read(aside).expect("the damaged list"), bytes);
    }
}
