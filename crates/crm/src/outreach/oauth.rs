//! Connecting mailboxes by OAuth: the providers that the operator set up, and users who are on the page of a provider.

use crate::api::meta::Secret;
use crate::api::seal::{self, Sealed};
use resource::{Ctx, Error, not_found};
use store::{Row, Tx, Uuid, Value};

/// A provider for lists.
#[derive(Clone, Debug)]
pub struct OauthProvider {
    pub name: String,
    /// Its name on buttons.
    pub title: String,
    /// Whether it says the address of the mailbox; otherwise the user gives it.
    pub says_address: bool,
    /// Whether the settings file has it, not the command line.
    pub from_file: bool,
}

/// A new provider.
#[derive(Clone)]
pub struct NewProvider {
    pub name: String,
    pub title: String,
    pub says_address: bool,
    /// The settings of the client; they are stored sealed.
    pub setup: String,
}

/// How long a user may stay on the page of a provider, in milliseconds.
const LIFE: i64 = 10 * 60_000;
/// Most pages that a session can have open.
const MOST: i64 = 20;

/// All providers by name.
pub fn list(tx: &mut dyn Tx) -> Result<Vec<OauthProvider>, Error> {
    const LIST: &str = "SELECT name, title, says_address, from_file FROM oauth_providers ORDER BY name";
    let decode = |row: &dyn Row| {
        Ok(OauthProvider {
            name: row.text(0)?,
            title: row.text(1)?,
            says_address: row.int(2)? != 0,
            from_file: row.int(3)? != 0,
        })
    };
    Ok(tx.rows(LIST, &[], decode)?)
}

/// Sets a provider up, or changes it.
pub fn set(tx: &mut dyn Tx, secret: &Secret, new: &NewProvider, from_file: bool) -> Result<(), Error> {
    const SET: &str = "INSERT INTO oauth_providers (name, id, title, says_address, sealed, key_id, from_file, created_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (name) DO UPDATE SET id = excluded.id, title = excluded.title, \
         says_address = excluded.says_address, sealed = excluded.sealed, key_id = excluded.key_id, from_file = excluded.from_file";
    let now = tx.clock()?;
    let id = tx.id_at(now);
    let sealed = seal::seal(tx, secret, id, &new.setup)?;
    let params: [Value; 8] = [
        new.name.as_str().into(),
        id.into(),
        new.title.as_str().into(),
        i64::from(new.says_address).into(),
        sealed.text.into(),
        sealed.key_id.into(),
        i64::from(from_file).into(),
        now.into(),
    ];
    Ok(tx.execute(SET, &params)?)
}

/// Replaces the providers of the settings file.
pub fn set_from_file(tx: &mut dyn Tx, secret: &Secret, all: &[NewProvider]) -> Result<(), Error> {
    for known in list(tx)? {
        if known.from_file && all.iter().all(|new| new.name != known.name) {
            remove(tx, &known.name)?;
        }
    }
    all.iter().try_for_each(|new| set(tx, secret, new, true))
}

/// Removes a provider. Accounts that use it can't renew their tokens any more.
pub fn remove(tx: &mut dyn Tx, name: &str) -> Result<(), Error> {
    const REMOVE: &str = "DELETE FROM oauth_providers WHERE name = $1 RETURNING name";
    let removed = tx.one(REMOVE, &[name.into()], |_| Ok(()))?;
    removed.ok_or_else(|| not_found(format!("the OAuth provider {name}")))
}

fn sealed(row: &dyn Row) -> Result<(Sealed, Uuid), store::Error> {
    Ok((Sealed { text: row.text(0)?, key_id: row.text(1)? }, row.id(2)?))
}

/// The settings of a provider's client.
pub fn setup(tx: &mut dyn Tx, secret: &Secret, name: &str) -> Result<Option<String>, Error> {
    const SEALED: &str = "SELECT sealed, key_id, id FROM oauth_providers WHERE name = $1";
    let Some((sealed, id)) = tx.one(SEALED, &[name.into()], sealed)? else { return Ok(None) };
    let text = seal::open(secret, id, &sealed);
    text.map(Some).map_err(|error| error.at("sealed").in_row("oauth_providers", id))
}

/// Seals the settings of all providers again, with the newest key; gives how many.
pub fn reseal(tx: &mut dyn Tx, secret: &Secret) -> Result<usize, Error> {
    const ALL: &str = "SELECT sealed, key_id, id FROM oauth_providers";
    const WRITE: &str = "UPDATE oauth_providers SET sealed = $1, key_id = $2 WHERE id = $3";
    let all = tx.rows(ALL, &[], sealed)?;
    for (old, id) in &all {
        let plain = seal::open(secret, *id, old)?;
        let new = seal::seal(tx, secret, *id, &plain)?;
        tx.execute(WRITE, &[new.text.into(), new.key_id.into(), (*id).into()])?;
    }
    Ok(all.len())
}

/// A user on the page of a provider.
#[derive(Clone, Debug)]
pub struct Flow {
    pub provider: String,
    /// The account that is reconnected.
    pub account: Option<Uuid>,
    pub address: Option<String>,
    pub sender: Option<String>,
}

fn hash(secret: &Secret, state: &str) -> Value {
    secret.hash(&format!("relata oauth state {state}")).into()
}

/// Records that a user was sent to the page of a provider.
pub fn begin(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    session: Uuid,
    flow: &Flow,
    state: &str,
    verifier: &str,
) -> Result<(), Error> {
    const EXPIRED: &str = "DELETE FROM oauth_flows WHERE workspace_id = $1 AND expires_at <= $2";
    const SURPLUS: &str = "DELETE FROM oauth_flows WHERE workspace_id = $1 AND session_id = $2 AND hash NOT IN (SELECT hash FROM oauth_flows \
         WHERE workspace_id = $1 AND session_id = $2 ORDER BY expires_at DESC, hash LIMIT $3)";
    const BEGIN: &str = "INSERT INTO oauth_flows (workspace_id, hash, session_id, provider, account_id, address, name, sealed, key_id, \
         expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)";
    let now = tx.now();
    tx.execute(EXPIRED, &[ctx.workspace.into(), now.into()])?;
    tx.execute(SURPLUS, &[ctx.workspace.into(), session.into(), (MOST - 1).into()])?;
    let sealed = seal::seal(tx, secret, session, verifier)?;
    let params: [Value; 10] = [
        ctx.workspace.into(),
        hash(secret, state),
        session.into(),
        flow.provider.as_str().into(),
        flow.account.into(),
        flow.address.as_deref().into(),
        flow.sender.as_deref().into(),
        sealed.text.into(),
        sealed.key_id.into(),
        (now + LIFE).into(),
    ];
    Ok(tx.execute(BEGIN, &params)?)
}

/// Ends the flow of this session with this state: a state works once. Gives the flow and the PKCE verifier; `None` if the
/// state is unknown, used, expired or of another session.
pub fn end(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    session: Uuid,
    state: &str,
) -> Result<Option<(Flow, String)>, Error> {
    const END: &str = "DELETE FROM oauth_flows WHERE workspace_id = $1 AND hash = $2 AND session_id = $3 AND expires_at > $4 \
         RETURNING provider, account_id, address, name, sealed, key_id";
    let now = tx.now();
    let decode = |row: &dyn Row| {
        let flow = Flow {
            provider: row.text(0)?,
            account: row.maybe_id(1)?,
            address: row.maybe_text(2)?,
            sender: row.maybe_text(3)?,
        };
        Ok((flow, Sealed { text: row.text(4)?, key_id: row.text(5)? }))
    };
    let ended = tx.one(END, &[ctx.workspace.into(), hash(secret, state), session.into(), now.into()], decode)?;
    let Some((flow, sealed)) = ended else { return Ok(None) };
    Ok(Some((flow, seal::open(secret, session, &sealed)?)))
}
