//! Opening the data folder: the secret, the lock, the database.

use crate::Exit;
use crate::commands::block_on;
use crate::config::Config;
use crm::meta::{Secret, check_secret};
use crm::{door, furnish, workspace};
use resource::{Actor, Ctx};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;
use store::{Lane, Mode, Store};

/// An open installation, and the set-up token if this start is its first.
pub struct House {
    pub store: Store,
    pub secret: Secret,
    pub token: Option<String>,
    /// Whether nobody has set the dashboard up yet.
    pub waits: bool,
}

/// For `serve` and `migrate`: makes what is missing.
pub fn migrated(config: &Config) -> Result<House, Exit> {
    make_folder(&config.data)?;
    let (secret, made) = match read_secret(config)? {
        Some(secret) => (secret, false),
        None => make_secret(config)?,
    };
    let token = crm::key::token();
    let (mut first, mut unfit, mut waits) = (false, false, false);
    let opened = Store::open(&config.place(), Mode::Migrate, &mut |tx| {
        check_secret(tx, &secret).inspect_err(|_| unfit = true)?;
        first = workspace::first(tx, &secret, &token).map_err(as_store)?;
        waits = door::setup_required(tx).map_err(as_store)?;
        Ok(())
    });
    match opened {
        Ok(store) => {
            furnish(&store)?;
            Ok(House { store, secret, token: first.then_some(token), waits })
        }
        Err(error) => {
            // A secret that fits nothing must not stay to be taken for the right one.
            if made && unfit {
                let _ = std::fs::remove_file(config.secret_path());
            }
            Err(error.into())
        }
    }
}

/// For operator commands: the database as it is.
pub fn as_is(config: &Config) -> Result<House, Exit> {
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
    Ok(House { store, secret, token: None, waits: false })
}

/// Gives each workspace what it should start with and lacks.
pub fn furnish(store: &Store) -> Result<(), Exit> {
    for workspace in block_on(store.read(Lane::Slow, furnish::bare))? {
        let ctx = Ctx { workspace, actor: Actor::system("first start"), memory: Arc::default() };
        block_on(store.write(workspace, move |tx| furnish::furnish(&ctx, tx)))?;
    }
    Ok(())
}

pub fn migrate(config: &Config) -> Result<(), Exit> {
    let house = migrated(config)?;
    house.store.close();
    println!("The database is at schema version {}.", store::migrations().len());
    Ok(())
}

/// Writes the embedded database anew.
pub fn compact(config: &Config) -> Result<(), Exit> {
    if config.database_url.is_some() {
        return Err(Exit::wrong(
            "this command is for the embedded database. For PostgreSQL use: vacuumdb --full --analyze",
        ));
    }
    let house = as_is(config)?;
    house.store.close();
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
    made.map_err(|e| Exit::failed(format!("the data folder {} can't be made: {e}", path.display())))
}

pub fn read_secret(config: &Config) -> Result<Option<Secret>, Exit> {
    let path = config.secret_path();
    match std::fs::read_to_string(&path) {
        Ok(text) => match Secret::parse(&text) {
            Some(secret) => Ok(Some(secret)),
            None => {
                Err(Exit::failed(format!("{} does not hold a secret: at least 32 hexadecimal digits", path.display())))
            }
        },
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(e) => Err(Exit::failed(format!("the secret {} can't be read: {e}", path.display()))),
    }
}

/// Whoever comes first makes it, whole at once; another process that starts at the same moment reads that one. Gives
/// back the secret, and whether it was made here.
fn make_secret(config: &Config) -> Result<(Secret, bool), Exit> {
    let path = config.secret_path();
    let bytes: [u8; 32] = rand::random();
    let text: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let draft = path.with_extension(format!("new-{}", &text[..8]));
    write_secret(&draft, &text)?;
    let placed = std::fs::hard_link(&draft, &path);
    // What is left of a draft that can't be removed says nothing to anyone.
    let _ = std::fs::remove_file(&draft);
    match placed {
        Ok(()) => {
            let secret = Secret::parse(&text).ok_or_else(|| Exit::failed("the new secret can't be read"))?;
            Ok((secret, true))
        }
        Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => match read_secret(config)? {
            Some(secret) => Ok((secret, false)),
            None => Err(Exit::failed(format!("the secret {} comes and goes", path.display()))),
        },
        Err(e) => Err(Exit::failed(format!("the secret {} can't be written: {e}", path.display()))),
    }
}

pub fn write_secret(path: &Path, text: &str) -> Result<(), Exit> {
    let unwritten = |e: std::io::Error| Exit::failed(format!("the secret {} can't be written: {e}", path.display()));
    let mut file =
        OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(path).map_err(unwritten)?;
    file.write_all(format!("{text}\n").as_bytes()).and_then(|()| file.sync_all()).map_err(unwritten)
}

/// Held by `serve` for its life: one server per embedded database.
pub fn lock(config: &Config) -> Result<Option<File>, Exit> {
    if config.database_url.is_some() {
        return Ok(None);
    }
    make_folder(&config.data)?;
    let path = config.data.join("serve.lock");
    let file = OpenOptions::new().write(true).create(true).truncate(false).mode(0o600).open(&path);
    let file = file.map_err(|e| Exit::failed(format!("{} can't be opened: {e}", path.display())))?;
    match file.try_lock() {
        Ok(()) => Ok(Some(file)),
        Err(_) => Err(Exit::failed(format!(
            "another `relata serve` runs on {}; an embedded database has one server (several nodes need --database-url postgres://…)",
            config.data.display()
        ))),
    }
}
