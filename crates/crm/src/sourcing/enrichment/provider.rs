//! The providers that a workspace asks for addresses, by position. The operator adds and removes them; their settings
//! may contain secrets, so they are sealed and never shown.

use super::EnrichmentType;
use crate::api::meta::Secret;
use crate::api::seal::{self, Sealed};
use resource::{Ctx, Error, StoredRow, event, fold, invalid, not_found, tidy};
use serde_json::{Map, json};
use store::{Row, Tx, Uuid, Value};

/// A provider for the operator's list.
#[derive(Clone, Debug)]
pub struct Provider {
    pub id: Uuid,
    pub name: String,
    pub kind: String,
    pub position: i64,
    pub finds: Vec<EnrichmentType>,
    pub host: String,
    /// Most concurrent questions, over all nodes.
    pub hands: i64,
    /// The timeout of a question.
    pub seconds: i64,
    /// The time in milliseconds before which it must not be asked.
    pub free_at: i64,
    /// The last error, unless the last answer was a success.
    pub trouble: Option<String>,
    pub removed: bool,
}

/// A new provider.
pub struct New {
    pub name: String,
    pub kind: &'static str,
    /// Last if absent.
    pub position: Option<i64>,
    pub finds: Vec<EnrichmentType>,
    pub host: String,
    pub hands: i64,
    pub seconds: i64,
    /// The settings; they are stored sealed.
    pub setup: String,
}

/// Most providers of a workspace.
const MOST: usize = 20;
const COLUMNS: &str = "SELECT id, name, kind, position, finds, host, hands, seconds, free_at, trouble, removed_at FROM enrichment_providers";

fn decode(row: &dyn Row) -> Result<Provider, store::Error> {
    let finds = |words: &str| words.split_whitespace().map(EnrichmentType::from_word).collect();
    Ok(Provider {
        id: row.id(0)?,
        name: row.text(1)?,
        kind: row.text(2)?,
        position: row.int(3)?,
        finds: row.word(4, finds)?,
        host: row.text(5)?,
        hands: row.int(6)?,
        seconds: row.int(7)?,
        free_at: row.int(8)?,
        trouble: row.get(9)?.maybe(|text| text.text().map(str::to_owned))?,
        removed: row.maybe_int(10)?.is_some(),
    })
}

/// All providers that were not removed, in the order in which they are asked.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Provider>, Error> {
    let sql = format!("{COLUMNS} WHERE workspace_id = $1 AND removed_at IS NULL ORDER BY position, id");
    Ok(tx.rows(&sql, &[ctx.workspace.into()], decode)?)
}

pub fn of(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<Provider>, Error> {
    let sql = format!("{COLUMNS} WHERE workspace_id = $1 AND id = $2");
    Ok(tx.one(&sql, &[ctx.workspace.into(), id.into()], decode)?)
}

/// The provider with this name or id.
pub fn called(ctx: &Ctx, tx: &mut dyn Tx, name: &str) -> Result<Provider, Error> {
    let id = Uuid::try_parse(name).ok();
    let mut all = list(ctx, tx)?.into_iter();
    let found = all.find(|provider| Some(provider.id) == id || fold(&provider.name) == fold(name));
    found.ok_or_else(|| not_found(format!("the provider {name}")))
}

pub fn add(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, new: &New) -> Result<Uuid, Error> {
    const ADD: &str = "INSERT INTO enrichment_providers (workspace_id, id, name, kind, position, finds, host, hands, seconds, sealed, \
         key_id, free_at, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)";
    let name = tidy("name", &new.name)?;
    if name.is_empty() || name.chars().count() > 100 || name.contains(char::is_control) {
        return Err(invalid("name", "must have 1 to 100 characters, in one line"));
    }
    let all = list(ctx, tx)?;
    if all.iter().any(|known| fold(&known.name) == fold(&name)) {
        return Err(invalid("name", format!("a provider called {name} exists already; remove it first")));
    }
    if all.len() >= MOST {
        return Err(invalid("name", format!("a workspace has at most {MOST} providers; remove one first")));
    }
    let position = new.position.unwrap_or_else(|| all.last().map_or(1, |last| last.position + 1));
    if !(0..=1000).contains(&position) {
        return Err(invalid("position", "must be from 0 to 1000"));
    }
    if !(1..=32).contains(&new.hands) {
        return Err(invalid("hands", "must be from 1 to 32"));
    }
    let (id, now) = (tx.id(), tx.now());
    let sealed = seal::seal(tx, secret, id, &new.setup)?;
    let finds: Vec<&str> = new.finds.iter().map(|one| one.word()).collect();
    let params = [
        ctx.workspace.into(),
        id.into(),
        name.as_str().into(),
        new.kind.into(),
        position.into(),
        finds.join(" ").into(),
        new.host.as_str().into(),
        new.hands.into(),
        new.seconds.into(),
        sealed.text.into(),
        sealed.key_id.into(),
        0.into(),
        now.into(),
    ];
    tx.execute(ADD, &params)?;
    let changes =
        Map::from_iter([("name".to_owned(), json!([null, name])), ("kind".to_owned(), json!([null, new.kind]))]);
    event(ctx, tx, "enrichment_provider.created", "enrichment_provider", id, &changes)?;
    Ok(id)
}

/// Deletes the settings of the provider. Requests that wait for it continue with the next provider; values that it
/// found stay.
pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, name: &str) -> Result<(), Error> {
    const REMOVE: &str = "UPDATE enrichment_providers SET removed_at = $1, sealed = NULL, key_id = NULL, free_at = 0 \
         WHERE workspace_id = $2 AND id = $3";
    let provider = called(ctx, tx, name)?;
    let now = tx.now();
    tx.execute(REMOVE, &[now.into(), ctx.workspace.into(), provider.id.into()])?;
    let changes = Map::from_iter([("name".to_owned(), json!([provider.name, null]))]);
    event(ctx, tx, "enrichment_provider.deleted", "enrichment_provider", provider.id, &changes)
}

/// The settings of the provider; `None` if it was removed.
pub fn setup(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, id: Uuid) -> Result<Option<String>, Error> {
    const SEALED: &str = "SELECT sealed, key_id FROM enrichment_providers WHERE workspace_id = $1 AND id = $2 \
         AND removed_at IS NULL";
    let sealed = tx.one(SEALED, &[ctx.workspace.into(), id.into()], sealed)?;
    sealed.map(|sealed| seal::open(secret, id, &sealed)).transpose()
}

fn sealed(row: &dyn Row) -> Result<Sealed, store::Error> {
    Ok(Sealed { text: row.text(0)?, key_id: row.text(1)? })
}

/// Seals the settings of all providers of the workspace again under the newest key; returns their number.
pub fn reseal(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret) -> Result<usize, Error> {
    const WRITE: &str = "UPDATE enrichment_providers SET sealed = $1, key_id = $2 WHERE workspace_id = $3 AND id = $4";
    let all = list(ctx, tx)?;
    for provider in &all {
        if let Some(plain) = setup(ctx, tx, secret, provider.id)? {
            let new = seal::seal(tx, secret, provider.id, &plain)?;
            tx.execute(WRITE, &[new.text.into(), new.key_id.into(), ctx.workspace.into(), provider.id.into()])?;
        }
    }
    Ok(all.len())
}

/// Records the provider's last error, and the time before which it must not be asked.
pub fn note(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, trouble: Option<&str>, free_at: Option<i64>) -> Result<(), Error> {
    const TROUBLE: &str = "UPDATE enrichment_providers SET trouble = $1 WHERE workspace_id = $2 AND id = $3";
    const BUSY: &str =
        "UPDATE enrichment_providers SET free_at = $1 WHERE workspace_id = $2 AND id = $3 AND free_at < $1";
    let trouble = trouble.map_or(Value::Null, Value::from);
    tx.execute(TROUBLE, &[trouble, ctx.workspace.into(), id.into()])?;
    match free_at {
        Some(free_at) => Ok(tx.execute(BUSY, &[free_at.into(), ctx.workspace.into(), id.into()])?),
        None => Ok(()),
    }
}
