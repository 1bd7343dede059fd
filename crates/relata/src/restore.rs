//! Restoring a backup of the embedded database. What was taken away after the backup does not come back with it: erased
//! records, removed workspaces, members and accounts, sessions, invitations and API keys. Suppressions that were added after
//! it stay, and so does the privacy of mailboxes.

use crate::backup::{files_below, incomplete, only_embedded, opened, read_passphrase, unseal};
use crate::commands::operator;
use crate::config::{self, Config};
use crate::runtime::block_on;
use crate::{Exit, erasures, open};
use crm::api::key;
use crm::dashboard::workspace::remove_with_accounts;
use crm::erasure::list::Listed;
use crm::outreach::account;
use crm::outreach::sequence::start;
use crm::outreach::suppression::{self, SuppressionReason};
use crm::tenant::member;
use resource::Ctx;
use rusqlite::Connection;
use serde_json::Map;
use server::erasure_list;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Lane, Mode, Store, Tx, Uuid};

pub(crate) fn restore(
    config: &Config,
    file: &Path,
    passphrase_file: Option<&Path>,
    list: Option<&Path>,
    removed_workspaces: bool,
) -> Result<(), Exit> {
    only_embedded(config, &format!("pg_restore --no-owner --dbname=\"$RELATA_DATABASE_URL\" {}", file.display()))?;
    if !file.is_file() {
        return Err(Exit::wrong(format!("there is no file {}", file.display())));
    }
    let content = opened(file, passphrase_file.map(read_passphrase).transpose()?)?;
    let mut listed = list.map(erasures::read).transpose()?.unwrap_or_default();
    let has_list = list.is_some() || config.data.join(erasure_list::NAME).exists() || config.database_file().exists();
    listed.extend(erasures::known(config)?);
    let running = open::lock(config).err();
    // Held to the end, so that a server that starts meanwhile leaves the copy alone.
    let _restoring = open::lock_restore(config)?;
    let work = open::restore_part(config);
    let mut since = Since::read(&config.database_file());
    if let Ok(since) = &mut since
        && removed_workspaces
    {
        since.brought_back = std::mem::take(&mut since.removed_workspaces);
    }
    let outcome = put_in_place(config, file, content, &work, running, listed, since);
    for rest in [work.clone(), open::beside(&work, "wal"), open::beside(&work, "shm")] {
        let _ = std::fs::remove_file(rest);
    }
    if outcome.is_ok() && !has_list {
        eprintln!(
            "There is no list of erasures here. If people were erased after this backup, restore it again into an empty \
             folder with --erasures FILE; `relata erasures export FILE` writes the list, in the folder that was used since."
        );
    }
    outcome
}

fn put_in_place(
    config: &Config,
    file: &Path,
    content: Box<dyn Read>,
    work: &Path,
    running: Option<Exit>,
    listed: Vec<Listed>,
    since: rusqlite::Result<Since>,
) -> Result<(), Exit> {
    // Check everything on a copy before changing the live database.
    unseal(file, content, work)?;
    store::check_copy(work).map_err(|e| incomplete(file, &format!(": {e}")))?;
    let secret = packed_secret(work).map_err(|e| Exit::failed(format!("{} is not a backup: {e}", file.display())))?;
    let parsed =
        crm::api::meta::Secret::parse(&secret).ok_or_else(|| Exit::failed("the backup's secret is damaged"))?;
    let is_other = open::read_secret(config)?.is_none_or(|own| own.hash("") != parsed.hash(""));
    if is_other && (running.is_some() || config.database_file().exists()) {
        return Err(Exit::failed(format!(
            "{} holds the data of another installation: the backup has another secret. Restore into an empty folder \
             (--data FOLDER), or stop the server and move the data away first",
            config.data.display()
        )));
    }
    // The names are unique, so the files have no effect until the database refers to them.
    let (before, files) = match &config.files {
        config::Place::Folder(folder) => (files_below(folder)?, unpack(work, folder)?),
        config::Place::Bucket(_) => (Vec::new(), Vec::new()),
    };
    only_the_database(work).map_err(Exit::failed)?;
    // Migrate older backups before they go live.
    let place = store::Place::Sqlite(work.to_owned());
    let copy = Store::open(&place, Mode::Migrate, &mut |tx| crm::api::meta::check_secret(tx, &parsed))?;
    // People who were erased after the backup must not be visible for a moment.
    let adapted = hold_sequences(&copy).and_then(|held| {
        let report = block_on(erasure_list::repeat(&copy, &parsed, &Arc::default(), listed))?;
        let removed = since.as_ref().map_or(Ok(Vec::new()), |since| since.repeat(&copy))?;
        Ok((held, report, removed))
    });
    copy.close();
    let (held, report, removed) = adapted?;
    let flat = Connection::open(work).map_err(Exit::failed)?;
    // Messages queued at the time of the backup may have been sent since, so they are not sent automatically.
    const QUEUED: &str =
        "UPDATE sends SET state = 'sending', node = 'restored', lease_until = 0 WHERE state = 'queued'";
    flat.execute(QUEUED, []).map_err(Exit::failed)?;
    let has_users = end_access(&flat).map_err(Exit::failed)?;
    let is_new = !config.database_file().exists();
    let revoked = revoke_again(&flat, &config.database_file());
    let has_keys = has_active_keys(&flat).map_err(Exit::failed)?;
    flat.pragma_update(None, "journal_mode", "DELETE").map_err(Exit::failed)?;
    flat.close().map_err(|(_, e)| Exit::failed(e))?;

    if running.is_none() {
        open::write_secret(&config.secret_path(), &secret)?;
    }
    store::restore_into(work, &config.database_file())?;
    if let config::Place::Folder(folder) = &config.files {
        // Delete files that the restored database does not refer to.
        for name in before.iter().filter(|name| !files.contains(name)) {
            std::fs::remove_file(folder.join(name)).map_err(Exit::failed)?;
        }
    }
    println!("Restored {} into {}", file.display(), config.data.display());
    report.sentences().iter().for_each(|sentence| println!("{sentence}"));
    removed.iter().for_each(|sentence| println!("{sentence}"));
    if let Err(error) = since {
        eprintln!(
            "The replaced database can't be read ({error}), so workspaces, members and accounts that were removed after the \
             backup are there again, and suppressions that were added after it are missing. {LOOK}"
        );
    }
    match revoked {
        Ok(_) if is_new && (has_keys || has_users) => println!(
            "Workspaces, members, accounts and API keys are those of the backup, also if they were removed after it. {LOOK}"
        ),
        Ok(0) => {}
        Ok(keys) => println!("Revoked again: {keys} {}.", if keys == 1 { "API key" } else { "API keys" }),
        Err(error) => eprintln!(
            "The replaced database can't be read ({error}), so API keys that were revoked after the backup work again. \
             Look at them with `relata keys list`."
        ),
    }
    if has_users {
        println!(
            "Everybody has to sign in again, and open invitations have ended. Roles and passwords are those of the backup."
        );
    }
    if held > 0 {
        println!(
            "Paused sequences: {held}. They would repeat messages that were sent after the backup. Check them with \
             `relata sequences list`, then start them."
        );
    }
    Ok(())
}

const LOOK: &str = "Look at them with `relata workspace list`, and in each workspace with `relata members list`, `relata \
     accounts list` and `relata keys list`.";

/// What the database to be replaced has removed since the backup.
#[derive(Default)]
struct Since {
    removed_workspaces: BTreeSet<Uuid>,
    /// Removed workspaces that the operator wants back.
    brought_back: BTreeSet<Uuid>,
    /// Those that it has not removed. The backup may have been chosen to bring others back.
    workspaces: BTreeSet<Uuid>,
    /// Workspaces with their members.
    members: BTreeSet<(Uuid, Uuid)>,
    removed_accounts: BTreeSet<Uuid>,
    private_accounts: BTreeSet<Uuid>,
    suppressions: Vec<Suppressed>,
}

/// A suppression of the database to be replaced.
#[derive(Clone)]
struct Suppressed {
    workspace: Uuid,
    /// `address` or `domain`, and its value.
    member: &'static str,
    value: String,
    reason: SuppressionReason,
}

/// Suppressions written in one transaction.
const SUPPRESSED_TOGETHER: usize = 200;

impl Since {
    fn read(present: &Path) -> rusqlite::Result<Since> {
        const REMOVED: &str = "SELECT id, id FROM workspaces WHERE removed_at IS NOT NULL";
        const WORKSPACES: &str = "SELECT id, id FROM workspaces WHERE removed_at IS NULL";
        const MEMBERS: &str = "SELECT workspace_id, user_id FROM members";
        const ACCOUNTS: &str = "SELECT id, id FROM connected_accounts WHERE removed_at IS NOT NULL";
        const PRIVATE: &str = "SELECT id, id FROM connected_accounts WHERE removed_at IS NULL AND visibility = 'owner'";
        if !present.exists() {
            return Ok(Since::default());
        }
        let present = Connection::open(present)?;
        let pairs = |sql: &str| -> rusqlite::Result<BTreeSet<(Uuid, Uuid)>> {
            let mut statement = present.prepare(sql)?;
            let id = |row: &rusqlite::Row<'_>, at| {
                let bytes = row.get::<_, Vec<u8>>(at)?;
                Uuid::from_slice(&bytes).map_err(|_| rusqlite::Error::InvalidQuery)
            };
            statement.query_map([], |row| Ok((id(row, 0)?, id(row, 1)?)))?.collect()
        };
        let ids = |sql: &str| Ok::<_, rusqlite::Error>(pairs(sql)?.into_iter().map(|(id, _)| id).collect());
        Ok(Since {
            removed_workspaces: ids(REMOVED)?,
            brought_back: BTreeSet::new(),
            workspaces: ids(WORKSPACES)?,
            members: pairs(MEMBERS)?,
            removed_accounts: ids(ACCOUNTS)?,
            private_accounts: ids(PRIVATE)?,
            suppressions: suppressions(&present)?,
        })
    }

    /// Removes them from the copy, too. Returns sentences for the operator.
    fn repeat(&self, copy: &Store) -> Result<Vec<String>, Exit> {
        let workspaces = block_on(copy.read(Lane::Slow, crm::tenant::workspace::list))?;
        let mut left = workspaces.len();
        let mut sentences = Vec::new();
        for workspace in workspaces {
            let (id, name) = (workspace.id, format!("{} ({})", workspace.name, workspace.slug));
            if self.workspaces.contains(&id) {
                sentences.extend(self.repeat_in(copy, id, &name)?);
            }
            if self.brought_back.contains(&id) {
                let keys = block_on(copy.write(id, move |tx| revoke_all(&operator(id), tx)))?;
                sentences.push(format!(
                    "Brought back: the workspace {name}. Its API keys are revoked ({keys}). Its members and accounts are those \
                     of the backup, also if they were removed before the workspace was. {LOOK}"
                ));
            }
            if !self.removed_workspaces.contains(&id) {
                continue;
            }
            // An installation has at least one.
            if left == 1 {
                sentences.push(format!("Not removed again: the workspace {name}. The backup has no other one."));
                continue;
            }
            block_on(copy.write(id, move |tx| remove_with_accounts(&operator(id), tx)))?;
            left -= 1;
            sentences.push(format!(
                "Removed again: the workspace {name}, which was removed after the backup was made. A running server erases \
                 its records. To bring it back, restore again with --removed-workspaces."
            ));
        }
        Ok(sentences)
    }

    /// The members and accounts of a workspace.
    fn repeat_in(&self, copy: &Store, workspace: Uuid, name: &str) -> Result<Vec<String>, Exit> {
        let ctx = operator(workspace);
        let members = block_on(copy.read(Lane::Slow, move |tx| member::list(&ctx, tx)))?;
        let mut sentences = Vec::new();
        for one in members.into_iter().filter(|one| !self.members.contains(&(workspace, one.user_id))) {
            let user = one.user_id;
            let removed = block_on(copy.write(workspace, move |tx| {
                account::remove_of(&operator(workspace), tx, user)?;
                member::remove(&operator(workspace), tx, user)
            }));
            sentences.push(match removed {
                Ok(()) => format!("Removed again: {} from the workspace {name}, with their accounts.", one.email),
                // A workspace has an owner.
                Err(resource::Error::Invalid(_)) => {
                    format!("Not removed again: {}, the only owner of the workspace {name}.", one.email)
                }
                Err(error) => return Err(error.into()),
            });
        }
        let removed = self.removed_accounts.clone();
        let accounts =
            block_on(copy.write(workspace, move |tx| account::remove_again(&operator(workspace), tx, &removed)))?;
        sentences.extend(accounts.into_iter().map(|account| format!("Disconnected again: {account}.")));
        let private = self.private_accounts.clone();
        let private =
            block_on(copy.write(workspace, move |tx| account::make_private_again(&operator(workspace), tx, &private)))?;
        sentences.extend(private.into_iter().map(|account| format!("Private again: {account}.")));
        let own: Vec<Suppressed> = self.suppressions.iter().filter(|one| one.workspace == workspace).cloned().collect();
        let mut added = 0;
        for some in own.chunks(SUPPRESSED_TOGETHER).map(<[Suppressed]>::to_vec) {
            added += block_on(copy.write(workspace, move |tx| suppress(&operator(workspace), tx, &some)))?;
        }
        if added > 0 {
            sentences.push(format!("Suppressed again in the workspace {name}: {added} addresses and domains."));
        }
        Ok(sentences)
    }
}

fn suppressions(present: &Connection) -> rusqlite::Result<Vec<Suppressed>> {
    const ALL: &str = "SELECT workspace_id, address, domain, reason FROM suppressions ORDER BY id";
    let mut statement = present.prepare(ALL)?;
    let read = |row: &rusqlite::Row<'_>| {
        let (address, domain) = (row.get::<_, Option<String>>(1)?, row.get::<_, Option<String>>(2)?);
        let (member, value) = if address.is_some() { ("address", address) } else { ("domain", domain) };
        Ok(Suppressed {
            workspace: Uuid::from_slice(&row.get::<_, Vec<u8>>(0)?).map_err(|_| rusqlite::Error::InvalidQuery)?,
            member,
            value: value.ok_or(rusqlite::Error::InvalidQuery)?,
            reason: SuppressionReason::from_word(&row.get::<_, String>(3)?).ok_or(rusqlite::Error::InvalidQuery)?,
        })
    };
    statement.query_map([], read)?.collect()
}

/// Adds those suppressions that are missing. Returns how many there were.
fn suppress(ctx: &Ctx, tx: &mut dyn Tx, suppressions: &[Suppressed]) -> Result<usize, resource::Error> {
    let mut added = 0;
    for Suppressed { member, value, reason, .. } in suppressions {
        let members = Map::from_iter([((*member).to_owned(), value.as_str().into())]);
        let (_, is_new) = suppression::add(ctx, tx, &members, *reason)?;
        added += usize::from(is_new);
    }
    Ok(added)
}

/// Revokes all keys of a workspace. Returns how many there were.
fn revoke_all(ctx: &Ctx, tx: &mut dyn Tx) -> Result<usize, resource::Error> {
    let active: Vec<Uuid> =
        key::list(ctx, tx)?.into_iter().filter(|key| key.revoked_at.is_none()).map(|key| key.id).collect();
    active.iter().try_for_each(|id| key::revoke(ctx, tx, *id))?;
    Ok(active.len())
}

fn has_active_keys(copy: &Connection) -> rusqlite::Result<bool> {
    copy.query_one("SELECT EXISTS (SELECT 1 FROM api_keys WHERE revoked_at IS NULL)", [], |row| row.get(0))
}

/// Ends all sessions, invitations and links for a new password, because some of them may have been ended or used after the
/// backup. Returns whether there are people who sign in.
fn end_access(copy: &Connection) -> rusqlite::Result<bool> {
    const SESSIONS: &str = "DELETE FROM sessions";
    const INVITATIONS: &str = "DELETE FROM invitations";
    const LINKS: &str = "UPDATE users SET setup_hash = NULL, setup_until = NULL WHERE password_hash IS NOT NULL";
    for ending in [SESSIONS, INVITATIONS, LINKS] {
        copy.execute(ending, [])?;
    }
    copy.query_one("SELECT EXISTS (SELECT 1 FROM users WHERE password_hash IS NOT NULL)", [], |row| row.get(0))
}

/// Revokes the keys that the database to be replaced has revoked, but not those of workspaces that were removed: the backup
/// may have been chosen to bring them back. Returns how many there are.
fn revoke_again(copy: &Connection, present: &Path) -> rusqlite::Result<usize> {
    const REVOKED: &str = "SELECT revoked_at, id FROM api_keys WHERE revoked_at IS NOT NULL \
         AND workspace_id IN (SELECT id FROM workspaces WHERE removed_at IS NULL)";
    const REVOKE: &str = "UPDATE api_keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL";
    if !present.exists() {
        return Ok(0);
    }
    let present = Connection::open(present)?;
    let mut statement = present.prepare(REVOKED)?;
    let revoked = statement.query_map([], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)))?;
    let mut keys = 0;
    for key in revoked {
        keys += copy.execute(REVOKE, key?)?;
    }
    Ok(keys)
}

/// Pauses sequences: messages sent since the backup are not in it, so nothing may continue automatically.
fn hold_sequences(copy: &Store) -> Result<usize, Exit> {
    let workspaces = block_on(copy.read(Lane::Slow, crm::tenant::workspace::list))?;
    let mut held = 0;
    for workspace in workspaces {
        let id = workspace.id;
        const REASON: &str = "a backup was restored, and messages that were sent after it would be sent again";
        held += block_on(copy.write(id, move |tx| start::hold(&operator(id), tx, None, Some(REASON))))?.len();
    }
    Ok(held)
}

fn packed_secret(copy: &Path) -> rusqlite::Result<String> {
    let conn = Connection::open(copy)?;
    let secret: Vec<u8> =
        conn.query_one("SELECT content FROM backup_files WHERE name = 'secret'", [], |row| row.get(0))?;
    Ok(String::from_utf8_lossy(&secret).trim().to_owned())
}

/// Writes the files of the copy to the files' folder one by one, and returns their names.
fn unpack(copy: &Path, folder: &Path) -> Result<Vec<PathBuf>, Exit> {
    let conn = Connection::open(copy).map_err(Exit::failed)?;
    let mut statement =
        conn.prepare("SELECT name, content FROM backup_files WHERE name LIKE 'files/%'").map_err(Exit::failed)?;
    let mut rows = statement.query([]).map_err(Exit::failed)?;
    let mut names = Vec::new();
    while let Some(row) = rows.next().map_err(Exit::failed)? {
        let (name, content): (String, Vec<u8>) = (row.get(0).map_err(Exit::failed)?, row.get(1).map_err(Exit::failed)?);
        let name = PathBuf::from(name.trim_start_matches("files/"));
        if name.components().all(|part| matches!(part, std::path::Component::Normal(_))) {
            let path = folder.join(&name);
            let above = path.parent().unwrap_or(folder);
            std::fs::DirBuilder::new().recursive(true).mode(0o700).create(above).map_err(Exit::failed)?;
            let file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path);
            file.and_then(|mut file| file.write_all(&content)).map_err(Exit::failed)?;
            names.push(name);
        }
    }
    Ok(names)
}

/// Removes the tables that only a backup has.
fn only_the_database(copy: &Path) -> rusqlite::Result<()> {
    Connection::open(copy)?.execute_batch("DROP TABLE backup_files; VACUUM")
}
