//! Opening the data folder: the secret, the lock, the database.

use crate::Exit;
use crate::config::Config;
use crate::runtime::block_on;
use crm::api::meta::{Secret, check_secret};
use crm::tenant::{sign_in, workspace};
use crm::transfer::workspace_defaults;
use resource::{Actor, Ctx};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Lane, Mode, Store};

/// An open installation, and the set-up token if this is its first start.
pub(crate) struct Installation {
    pub store: Store,
    pub secret: Secret,
    pub token: Option<String>,
    /// Whether the dashboard has not been set up yet.
    pub waits: bool,
}

/// For `serve` and `migrate`: creates what is missing.
pub(crate) fn migrated(config: &Config) -> Result<Installation, Exit> {
    make_folder(&config.data)?;
    let (secret, made) = match read_secret(config)? {
        Some(secret) => (secret, false),
        None => make_secret(config)?,
    };
    protect_secret(config);
    let token = crm::api::key::token();
    let (mut first, mut unfit, mut waits) = (false, false, false);
    let opened = Store::open(&config.place(), Mode::Migrate, &mut |tx| {
        check_secret(tx, &secret).inspect_err(|_| unfit = true)?;
        first = workspace::first(tx, &secret, &token).map_err(as_store)?;
        waits = sign_in::setup_required(tx).map_err(as_store)?;
        Ok(())
    });
    match opened {
        Ok(store) => {
            add_workspace_defaults(&store)?;
            Ok(Installation { store, secret, token: first.then_some(token), waits })
        }
        Err(error) => {
            // A new secret that does not match the database must not stay, or it would be used next time.
            if made && unfit {
                let _ = std::fs::remove_file(config.secret_path());
            }
            Err(error.into())
        }
    }
}

/// For operator commands: opens the database without changing it.
pub(crate) fn as_is(config: &Config) -> Result<Installation, Exit> {
    let path = config.secret_path();
    let secret = read_secret(config)?;
    let missing = || {
        Exit::failed(format!(
            "there is no secret at {}; is this the right --data folder or --secret-file? Start `relata serve` once to make one",
            path.display()
        ))
    };
    let secret = secret.ok_or_else(missing)?;
    let store = Store::open(&config.place(), Mode::Expect, &mut |tx| check_secret(tx, &secret))?;
    Ok(Installation { store, secret, token: None, waits: false })
}

/// Adds the defaults that each workspace lacks.
pub(crate) fn add_workspace_defaults(store: &Store) -> Result<(), Exit> {
    for workspace in block_on(store.read(Lane::Slow, workspace_defaults::incomplete))? {
        let ctx = Ctx { workspace, actor: Actor::system("first start"), memory: Arc::default() };
        block_on(store.write(workspace, move |tx| workspace_defaults::create_missing(&ctx, tx)))?;
    }
    Ok(())
}

pub(crate) fn migrate(config: &Config) -> Result<(), Exit> {
    let installation = migrated(config)?;
    installation.store.close();
    println!("The database is at schema version {}.", store::migrations().len());
    Ok(())
}

/// Compacts the embedded database.
pub(crate) fn compact(config: &Config) -> Result<(), Exit> {
    if config.database_url.is_some() {
        return Err(Exit::wrong(
            "this command is for the embedded database. For PostgreSQL use: vacuumdb --full --analyze",
        ));
    }
    let installation = as_is(config)?;
    installation.store.close();
    if store::compact(&config.database_file())? {
        println!("Compacted {}", config.database_file().display());
        Ok(())
    } else {
        Err(Exit::failed("the database is compacted, but its write-ahead log is in use; run this again"))
    }
}

fn as_store(error: resource::Error) -> store::Error {
    match error {
        resource::Error::Store(error) => error,
        other => store::Error::Internal(other.to_string()),
    }
}

fn make_folder(path: &Path) -> Result<(), Exit> {
    let made = std::fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|e| Exit::failed(format!("the data folder {} can't be created: {e}", path.display())))
}

pub(crate) fn read_secret(config: &Config) -> Result<Option<Secret>, Exit> {
    let path = config.secret_path();
    match std::fs::read_to_string(&path) {
        Ok(text) => match Secret::parse(&text) {
            Some(secret) => Ok(Some(secret)),
            None => Err(Exit::failed(format!(
                "{} does not contain a secret: at least 32 hexadecimal digits",
                path.display()
            ))),
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Exit::failed(format!("the secret {} can't be read: {e}", path.display()))),
    }
}

/// Makes the secret of the data folder private, as the database files are. A file that `--secret-file` names keeps its mode.
fn protect_secret(config: &Config) {
    let path = config.secret_path();
    let is_open = |path: &Path| std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0);
    if path != config.data.join("secret") || !is_open(&path) {
        return;
    }
    match std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)) {
        Ok(()) => tracing::warn!(file = %path.display(), "others could read the secret; its mode is 0600 now"),
        Err(error) => {
            tracing::warn!(file = %path.display(), %error, "failed to make the secret private (0600): others can read it");
        }
    }
}

/// Reads or creates the secret. If several processes start at once, one of them creates it in one step and the others
/// read it. Returns the secret, and whether this process created it.
fn make_secret(config: &Config) -> Result<(Secret, bool), Exit> {
    let path = config.secret_path();
    let bytes: [u8; 32] = rand::random();
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let draft = path.with_extension(format!("new-{}", &text[..8]));
    write_secret(&draft, &text)?;
    let placed = std::fs::hard_link(&draft, &path);
    // A leftover draft is harmless: only its owner can read it.
    let _ = std::fs::remove_file(&draft);
    match placed {
        Ok(()) => {
            let secret = Secret::parse(&text).ok_or_else(|| Exit::failed("the new secret can't be read"))?;
            Ok((secret, true))
        }
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => match read_secret(config)? {
            Some(secret) => Ok((secret, false)),
            None => {
                Err(Exit::failed(format!("the secret {} was removed while it was read; try again", path.display())))
            }
        },
        Err(e) => Err(Exit::failed(format!("the secret {} can't be written: {e}", path.display()))),
    }
}

pub(crate) fn write_secret(path: &Path, text: &str) -> Result<(), Exit> {
    let unwritten = |e: std::io::Error| Exit::failed(format!("the secret {} can't be written: {e}", path.display()));
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path).map_err(unwritten)?;
    file.write_all(format!("{text}\n").as_bytes()).and_then(|()| file.sync_all()).map_err(unwritten)
}

/// `serve` holds this lock as long as it runs: one server per embedded database.
pub(crate) fn lock(config: &Config) -> Result<Option<File>, Exit> {
    if config.database_url.is_some() {
        return Ok(None);
    }
    let locked = locked(config, "serve.lock")?.map(Some);
    locked.ok_or_else(|| {
        Exit::failed(format!(
            "another `relata serve` runs on {}; an embedded database has one server (several nodes need --database-url postgres://…)",
            config.data.display()
        ))
    })
}

/// `restore` holds this lock as long as it runs.
pub(crate) fn lock_restore(config: &Config) -> Result<File, Exit> {
    locked(config, "restore.lock")?
        .ok_or_else(|| Exit::failed(format!("another `relata restore` runs on {}", config.data.display())))
}

/// The file with this ending behind its name, such as SQLite's `-wal`.
pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(format!("-{ending}"));
    name.into()
}

/// The copy that `restore` works on.
pub(crate) fn restore_part(config: &Config) -> PathBuf {
    config.data.join("restore.part")
}

/// Removes the copy of a `restore` that was killed: it may contain people who are erased later.
pub(crate) fn remove_unfinished_restore(config: &Config) {
    let work = restore_part(config);
    if config.database_url.is_some() || !work.exists() {
        return;
    }
    // A restore that is running needs its copy.
    let Ok(_lock) = lock_restore(config) else { return };
    for part in [work.clone(), beside(&work, "wal"), beside(&work, "shm")] {
        match std::fs::remove_file(&part) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(file = %part.display(), %error, "failed to remove what a killed restore left; remove it by hand");
            }
            _ => {}
        }
    }
}

/// A lock on a file in the data folder; `None` if another process holds it.
fn locked(config: &Config, name: &str) -> Result<Option<File>, Exit> {
    make_folder(&config.data)?;
    let path = config.data.join(name);
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
    let file = file.map_err(|e| Exit::failed(format!("{} can't be opened: {e}", path.display())))?;
    Ok(file.try_lock().is_ok().then_some(file))
}
