//! A backup of the embedded database: database, files and secret in one SQLite file, encrypted if a passphrase
//! is given (age format).

use crate::config::{self, Config};
use crate::{Exit, open};
use age::secrecy::SecretString;
use connect::files::BACKUP;
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use store::Store;

const PLACES: &str = "CREATE TABLE backup_files (name TEXT NOT NULL PRIMARY KEY, content BLOB NOT NULL) STRICT";

pub(crate) fn backup(config: &Config, file: &Path, passphrase_file: Option<&Path>) -> Result<(), Exit> {
    only_embedded(config, &format!("pg_dump --format=custom --file={} \"$RELATA_DATABASE_URL\"", file.display()))?;
    if file.exists() {
        return Err(Exit::wrong(format!("{} exists already; name another file", file.display())));
    }
    let passphrase = passphrase_file.map(read_passphrase).transpose()?;
    let installation = open::as_is(config)?;
    let part = open::beside(file, "part");
    let made = make(config, &installation.store, &part, passphrase)
        .and_then(|()| std::fs::rename(&part, file).map_err(Exit::failed));
    installation.store.close();
    if made.is_err() {
        let _ = std::fs::remove_file(&part);
    }
    made
}

/// The backup is written under another name and renamed, so that a file with the final name is complete.
fn make(config: &Config, store: &Store, part: &Path, passphrase: Option<SecretString>) -> Result<(), Exit> {
    let secret = std::fs::read(config.secret_path()).map_err(Exit::failed)?;
    let held = Held::new(config)?;
    let Some(passphrase) = passphrase else { return pack(secret, &held, store, part) };
    // The unencrypted copy stays on the server's own disk, in the folder of links, which is removed on drop.
    let clear = held.folder.join("clear");
    pack(secret, &held, store, &clear)?;
    encrypt(&clear, part, passphrase).map_err(|e| Exit::failed(format!("{} can't be written: {e}", part.display())))
}

fn pack(secret: Vec<u8>, held: &Held, store: &Store, part: &Path) -> Result<(), Exit> {
    let names = held.with_copy(store, part)?;
    let copy = Connection::open(part).map_err(Exit::failed)?;
    copy.execute_batch(PLACES).map_err(Exit::failed)?;
    let add = |name: &str, content: Vec<u8>| {
        let added = copy.execute("INSERT INTO backup_files (name, content) VALUES (?1, ?2)", (name, content));
        added.map(drop).map_err(Exit::failed)
    };
    add("secret", secret)?;
    for name in names {
        add(&format!("files/{name}"), std::fs::read(held.folder.join(&name)).map_err(Exit::failed)?)?;
    }
    copy.close().map_err(|(_, e)| Exit::failed(e))?;
    let seal = seal(std::fs::File::open(part).map_err(Exit::failed)?).map_err(Exit::failed)?;
    let mut file = std::fs::OpenOptions::new().append(true).open(part).map_err(Exit::failed)?;
    file.write_all(MARK).and_then(|()| file.write_all(&seal)).and_then(|()| file.sync_all()).map_err(Exit::failed)
}

/// The passphrase is read from a file, because other users can see a command's arguments.
pub(crate) fn read_passphrase(file: &Path) -> Result<SecretString, Exit> {
    let text = std::fs::read_to_string(file)
        .map_err(|e| Exit::wrong(format!("the passphrase file {} can't be read: {e}", file.display())))?;
    match text.trim_end_matches(['\r', '\n']) {
        "" => Err(Exit::wrong(format!("the passphrase file {} is empty", file.display()))),
        passphrase => Ok(passphrase.to_owned().into()),
    }
}

fn encrypt(clear: &Path, to: &Path, passphrase: SecretString) -> std::io::Result<()> {
    let file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(to)?;
    let mut encrypted = age::Encryptor::with_user_passphrase(passphrase).wrap_output(std::io::BufWriter::new(file))?;
    std::io::copy(&mut std::fs::File::open(clear)?, &mut encrypted)?;
    encrypted.finish()?.into_inner()?.sync_all()
}

/// The first bytes of a file in the age format.
const AGE: &[u8] = b"age-encryption.org/";

/// The content of a backup, decrypted if necessary.
pub(crate) fn opened(file: &Path, passphrase: Option<SecretString>) -> Result<Box<dyn Read>, Exit> {
    let unread = |e: std::io::Error| Exit::failed(format!("{} can't be read: {e}", file.display()));
    let mut backup = std::fs::File::open(file).map_err(unread)?;
    let mut start = Vec::new();
    (&backup).take(AGE.len() as u64).read_to_end(&mut start).map_err(unread)?;
    backup.rewind().map_err(unread)?;
    if start.len() < AGE.len() {
        return Err(incomplete(file, ""));
    }
    let passphrase = match (start == AGE, passphrase) {
        (false, None) => return Ok(Box::new(backup)),
        (false, Some(_)) => {
            return Err(Exit::wrong(format!("{} is not encrypted; leave out --passphrase-file", file.display())));
        }
        (true, None) => {
            return Err(Exit::wrong(format!("{} is encrypted; give its --passphrase-file", file.display())));
        }
        (true, Some(passphrase)) => passphrase,
    };
    let identity = age::scrypt::Identity::new(passphrase);
    let opened = age::Decryptor::new_buffered(std::io::BufReader::new(backup))
        .and_then(|decryptor| decryptor.decrypt(std::iter::once(&identity as &dyn age::Identity)));
    match opened {
        Ok(content) => Ok(Box::new(content)),
        Err(age::DecryptError::DecryptionFailed | age::DecryptError::KeyDecryptionFailed) => {
            Err(Exit::failed(format!("{} does not open with this passphrase", file.display())))
        }
        Err(age::DecryptError::NoMatchingKeys) => {
            Err(Exit::failed(format!("{} was not encrypted with a passphrase", file.display())))
        }
        Err(error) => Err(incomplete(file, &format!(": {error}"))),
    }
}

pub(crate) fn incomplete(file: &Path, why: &str) -> Exit {
    Exit::failed(format!("{} is not a backup of Relata, or not a complete one{why}", file.display()))
}

/// Hard links to the stored files, so that files deleted during the backup can still be copied. Removed on drop.
struct Held {
    /// `None` if the files are in a bucket, which must be backed up separately.
    from: Option<PathBuf>,
    folder: PathBuf,
}

impl Held {
    fn new(config: &Config) -> Result<Held, Exit> {
        let from = match &config.files {
            config::Place::Folder(folder) => Some(folder.clone()),
            config::Place::Bucket(_) => None,
        };
        let above = from.as_ref().unwrap_or(&config.data);
        let held = Held { folder: above.join(format!("{BACKUP}-{}", std::process::id())), from };
        std::fs::create_dir_all(&held.folder).map_err(Exit::failed)?;
        Ok(held)
    }

    /// Copies the database, and returns the names of the files that the copy refers to, each with a hard link.
    fn with_copy(&self, store: &Store, part: &Path) -> Result<Vec<String>, Exit> {
        for _ in 0..ATTEMPTS {
            if let Some(from) = &self.from {
                for name in files_below(from)? {
                    self.hold(from, &name);
                }
            }
            copy_database(store, part)?;
            let Some(from) = &self.from else { return Ok(Vec::new()) };
            let names = referred_to(part).map_err(Exit::failed)?;
            // A file may have been stored and deleted since the links were made; then the database must be copied
            // again.
            if names.iter().all(|name| self.hold(from, Path::new(name))) {
                return Ok(names);
            }
        }
        Err(Exit::failed("files are stored and deleted faster than they can be copied; try again"))
    }

    /// Links the file; returns whether a link exists.
    fn hold(&self, from: &Path, name: &Path) -> bool {
        let to = self.folder.join(name);
        if to.exists() {
            return true;
        }
        let folder = to.parent().unwrap_or(&self.folder);
        std::fs::create_dir_all(folder).and_then(|()| std::fs::hard_link(from.join(name), &to)).is_ok()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Removes the links that a killed backup left: they would keep deleted files on disk.
pub(crate) fn sweep(config: &Config) {
    let folder = match &config.files {
        config::Place::Folder(folder) => folder,
        config::Place::Bucket(_) => &config.data,
    };
    for (folder, error) in connect::files::remove_unfinished_backups(folder) {
        tracing::warn!(folder = %folder.display(), %error, "failed to remove the remains of an unfinished backup");
    }
}

const ATTEMPTS: usize = 5;

fn copy_database(store: &Store, part: &Path) -> Result<(), Exit> {
    let _ = std::fs::remove_file(part);
    // Create the file first, so that only the owner can read the secret in it.
    let made = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(part);
    made.map_err(|e| Exit::failed(format!("{} can't be made: {e}", part.display())))?;
    Ok(store.copy_to(part)?)
}

fn referred_to(copy: &Path) -> rusqlite::Result<Vec<String>> {
    let copy = Connection::open(copy)?;
    let mut names =
        copy.prepare("SELECT blob FROM cvs UNION SELECT blob FROM files UNION SELECT blob FROM attachments")?;
    names.query_map([], |row| row.get(0))?.collect()
}

/// A mark and the hash of all bytes before it follow the database: SQLite itself does not notice every byte that a disk
/// or a network changed.
const MARK: &[u8] = b"\nrelata backup 1\n";
const SEAL: usize = 32;

fn seal(mut content: impl Read) -> std::io::Result<[u8; SEAL]> {
    let (mut hash, mut buffer) = (Sha256::new(), vec![0; 1 << 20]);
    loop {
        match content.read(&mut buffer)? {
            0 => return Ok(hash.finalize().into()),
            n => hash.update(&buffer[..n]),
        }
    }
}

/// Extracts the database of a backup, if its hash is correct.
pub(crate) fn unseal(file: &Path, mut content: Box<dyn Read>, work: &Path) -> Result<(), Exit> {
    let damaged = |why: &str| incomplete(file, why);
    let unwritten = |e: std::io::Error| Exit::failed(format!("{} can't be written: {e}", work.display()));
    // An old work file may be readable by others.
    let _ = std::fs::remove_file(work);
    let mut options = std::fs::OpenOptions::new();
    let mut copy = options.read(true).write(true).create_new(true).mode(0o600).open(work).map_err(unwritten)?;
    let mut buffer = vec![0; 1 << 20];
    loop {
        // Content that age can't authenticate shows as a read error.
        match content.read(&mut buffer).map_err(|e| damaged(&format!(": {e}")))? {
            0 => break,
            n => copy.write_all(&buffer[..n]).map_err(unwritten)?,
        }
    }
    let size = copy.stream_position().map_err(unwritten)?;
    let whole = size.checked_sub((MARK.len() + SEAL) as u64).ok_or_else(|| damaged(""))?;
    let mut end = Vec::new();
    copy.seek(SeekFrom::Start(whole)).and_then(|_| copy.read_to_end(&mut end)).map_err(unwritten)?;
    copy.rewind().map_err(unwritten)?;
    let (mark, kept) = end.split_at(MARK.len());
    if mark != MARK || seal((&copy).take(whole)).map_err(unwritten)? != kept {
        return Err(damaged(""));
    }
    copy.set_len(whole).map_err(unwritten)
}

pub(crate) fn only_embedded(config: &Config, instead: &str) -> Result<(), Exit> {
    match &config.database_url {
        None => Ok(()),
        Some(_) => Err(Exit::wrong(format!(
            "this command is for the embedded database. For PostgreSQL use: {instead}  (and keep a copy of the secret {})",
            config.secret_path().display()
        ))),
    }
}

/// Paths of all files below a folder, relative to it.
pub(crate) fn files_below(folder: &Path) -> Result<Vec<PathBuf>, Exit> {
    let (mut files, mut folders) = (Vec::new(), vec![PathBuf::new()]);
    while let Some(relative) = folders.pop() {
        let entries = match std::fs::read_dir(folder.join(&relative)) {
            Ok(entries) => entries,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            Err(e) => return Err(Exit::failed(e)),
        };
        for entry in entries {
            let entry = entry.map_err(Exit::failed)?;
            if entry.file_name().to_string_lossy().starts_with(BACKUP) {
                continue;
            }
            let path = relative.join(entry.file_name());
            if entry.path().is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    Ok(files)
}
