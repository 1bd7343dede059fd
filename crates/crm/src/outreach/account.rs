//! Connected accounts send and receive messages. The server changes between `connected` and `error`; a removed account is
//! `disconnected`. Operators add and remove accounts. Their secrets are sealed and never shown.

pub mod domain;
mod grant;
mod health;
mod limits;
mod reach;
mod sync;

pub(crate) use grant::TOKEN_LEASE;
pub use grant::{
    StoredGrant, claim_renewal, due_renewals, granted_by, postpone_renewal, put_grant, record_failed_renewal,
    record_renewal, remove_grant, reseal_grants, stored_grant,
};
pub use health::{
    Pause, hold, is_read, note_filing, note_health, note_login, note_refusal, note_sent, pause, status_detail, to_check,
};
pub use limits::{Wait, be_patient, begin_search, cap, handed, note_searches, slot};
pub use reach::{check_move, check_reach, reach, reseal};
pub(crate) use sync::{LONGEST_WAIT, SYNC_LEASE};
pub use sync::{
    REFUSED, SyncFailure, UNDELIVERED, begin_reading, claim, let_go, note_undelivered, renew, sync_failed, sync_worked,
};

use crate::api::call::{Call, Reply, list_by};
use crate::api::effects::Reach;
use crate::api::meta::Secret;
use crate::api::operation::{Operation, get};
use crate::api::private;
use crate::api::queue;
use crate::api::scope::{Feature, MESSAGES_READ, SOURCING_READ};
use crate::api::seal;
use crate::outreach::skipped_mail::UnstoredMail;
use crate::tenant::member;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use resource::{
    Changes, Ctx, Error, Format, Index, Input, Part, Problem, Resource, Saved, Shape, Time, find, fold, invalid,
    not_found, update,
};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use store::{Tx, Uuid, Value};
use sync::sync_at_once;

const DAY: i64 = 24 * 60 * 60 * 1000;

resource::choices! {
    /// The way a message goes.
    Channel { Email = "email", Network = "network", Chat = "chat" }
}
resource::choices! {
    LicenseType { Classic = "classic", SalesNavigator = "sales_navigator", Recruiter = "recruiter" }
}
resource::choices! {
    AccountStatus { Connected = "connected", Disconnected = "disconnected", Error = "error" }
}
resource::choices! {
    /// Whether copies of sent mails are put into the Sent folder.
    FileSent { Auto = "auto", Never = "never" }
}
resource::choices! {
    /// Who sees the conversations and messages of an account.
    AccountVisibility { Workspace = "workspace", Owner = "owner" }
}
resource::choices! {
    Activity { Active = "active", Inactive = "inactive" }
}

/// Which interfaces of a professional network the account may use.
#[derive(Resource)]
pub struct ApiStatus {
    #[field(default = "\"inactive\"")]
    pub classic: Activity,
    #[field(default = "\"inactive\"")]
    pub sales_navigator: Activity,
    #[field(default = "\"inactive\"")]
    pub recruiter: Activity,
}

/// An account through which messages leave and arrive.
#[derive(Resource)]
#[resource(table = "connected_accounts", one = "connected_account", indexes = INDEXES)]
pub struct ConnectedAccount {
    #[field(read_only)]
    pub id: Uuid,
    #[field(required, max = 100, sort)]
    pub name: String,
    #[field(required, filter, counted)]
    pub provider: Channel,
    #[field(filter)]
    pub license_type: Option<LicenseType>,
    #[field(read_only, default = "{}")]
    pub api_status: Part<ApiStatus>,
    #[field(read_only, default = "\"connected\"", filter, counted)]
    pub status: AccountStatus,
    /// What is wrong with it, and what to do.
    #[field(read_only)]
    pub status_reason: Option<String>,
    /// The member whose account it is.
    #[field(read_only)]
    pub owner_id: Uuid,
    /// Who sees its conversations and messages: all members (`workspace`), or its owner alone (`owner`).
    #[field(default = "\"workspace\"")]
    pub visibility: AccountVisibility,
    /// What its messages are from.
    #[field(format = Format::Email, max = 254)]
    pub address: Option<String>,
    /// Most messages in any 24 hours; none is set unless given.
    #[field(least = 1, most = 100_000)]
    pub daily_limit: Option<i64>,
    /// Between two messages; none is kept unless given.
    #[field(least = 0, most = 1440)]
    pub min_gap_minutes: Option<i64>,
    /// Most messages on its first day, twice as many on its second, three times on its third … up to `daily_limit`.
    #[field(least = 1, most = 100_000)]
    pub ramp_up: Option<i64>,
    /// Most searches in 24 hours; none is set unless given.
    #[field(least = 1, most = 100_000)]
    pub search_limit: Option<i64>,
    /// At the end of its mails, above the quoted text of an answer. HTML when it begins with `<`, else plain text.
    #[field(max = 10_000, unlisted)]
    pub signature: Option<String>,
    /// `auto`: a sent mail that the server does not put into the Sent folder itself is put there. `never`: it is not.
    #[field(default = "\"auto\"")]
    pub file_sent: FileSent,
    /// Why sent mails can't be put into the Sent folder. Sending goes on.
    #[field(read_only)]
    pub filing_problem: Option<String>,
    /// Whether messages arrive through it, too.
    #[field(read_only)]
    pub receives: bool,
    /// When it was last looked at for new messages.
    #[field(read_only)]
    pub last_sync_at: Option<Time>,
    /// Mails in the folder that is read: as many as are stored and unstored.
    #[field(read_only, default = "0")]
    pub mails_in_folder: i64,
    #[field(read_only, default = "0")]
    pub mails_stored: i64,
    /// Listed with their reasons at `/connected-accounts/{id}/unstored`.
    #[field(read_only, default = "0")]
    pub mails_unstored: i64,
    /// While the account is behind: mails in the folder that were not read yet.
    #[field(read_only, default = "0")]
    pub mails_waiting: i64,
    /// Since when mails wait, if they have for more than a minute; null while the account keeps up.
    #[field(read_only)]
    pub behind_since: Option<Time>,
    #[field(hidden)]
    pub removed_at: Option<Time>,
    #[field(read_only, sort)]
    pub created_at: Time,
    #[field(read_only)]
    pub updated_at: Time,
}

const INDEXES: &[Index] = &[Index { name: "connected_accounts_name", fields: &["name"] }];

pub const OPERATIONS: &[Operation] = &[
    get("/connected-accounts", "list_connected_accounts", "List connected accounts")
        .feature(Feature::Outreach)
        .scope(SOURCING_READ)
        .or(MESSAGES_READ)
        .list::<ConnectedAccount>(),
    get("/connected-accounts/{id}", "get_connected_account", "Get a connected account")
        .feature(Feature::Outreach)
        .scope(SOURCING_READ)
        .or(MESSAGES_READ)
        .record::<ConnectedAccount>(),
    get(
        "/connected-accounts/{id}/unstored",
        "list_unstored_mails",
        "List the mails in an account's folder that were not stored, and why",
    )
    .feature(Feature::Outreach)
    .scope(MESSAGES_READ)
    .list::<UnstoredMail>()
    .read(list_skipped),
    get(
        "/connected-accounts/{id}/domain-check",
        "check_sending_domain",
        "Check the DNS records of an email account's domain, and say which to add",
    )
    .feature(Feature::Outreach)
    .scope(MESSAGES_READ)
    .query(domain::DomainQuery::FIELDS)
    .gives::<domain::DomainCheck>(&[200])
    .read_effect(domain::STEPS),
];

/// Fails the queued messages of a removed account; the payload is the account's id.
pub const ABANDON: &str = "outbox.abandon";

fn list_skipped(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let visible = private::visible(&call.ctx, tx, UnstoredMail::ACCOUNT_ID.field)?;
    list_by::<ConnectedAccount, UnstoredMail>(call, tx, "account_id", &[], &visible)
}

fn problem(field: &str, reason: &str) -> Problem {
    Problem { field: field.into(), reason: reason.into() }
}

/// The problems that a check found.
pub fn problems<T>(checked: Result<T, Error>) -> Result<Vec<Problem>, Error> {
    match checked {
        Ok(_) => Ok(Vec::new()),
        Err(Error::Invalid(problems)) => Ok(problems),
        Err(error) => Err(error),
    }
}

fn new_webhook_secret() -> String {
    let random: [u8; 24] = rand::random();
    format!("whsec_{}", STANDARD.encode(random))
}

/// Adds an account, which the caller has checked and tested.
pub fn add(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    members: &Map<String, Json>,
    owner: Option<&str>,
    reach: &Reach,
) -> Result<Uuid, Error> {
    let mut changes = check_new(members)?;
    check_unconnected(ctx, tx, &changes)?;
    let provider = changes.text(ConnectedAccount::PROVIDER).and_then(Channel::from_word);
    let license = changes.text(ConnectedAccount::LICENSE_TYPE).unwrap_or("classic");
    let active = |word: &str| {
        if provider == Some(Channel::Network) && (word == "classic" || word == license) { "active" } else { "inactive" }
    };
    let api = json!({ "classic": active("classic"), "sales_navigator": active("sales_navigator"), "recruiter": active("recruiter") });
    changes.set(ConnectedAccount::API_STATUS, api);
    changes.set(ConnectedAccount::OWNER_ID, member::called(ctx, tx, owner)?.user_id);
    changes.set(ConnectedAccount::RECEIVES, reach.imap.is_some() || reach.url.is_some());
    let id = resource::insert::<ConnectedAccount>(ctx, tx, &changes)?;
    let webhook = reach.url.as_ref().map(|_| new_webhook_secret());
    let reach = Reach { webhook, ..reach.clone() };
    let sealed = seal::seal(tx, secret, id, &serde_json::json!(reach).to_string())?;
    const STATE: &str = "INSERT INTO account_states (workspace_id, account_id, sealed, key_id, free_at, failures, sync_at, sync_until, uid_validity, uid_next) \
         VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0, 0)";
    tx.execute(STATE, &[ctx.workspace.into(), id.into(), sealed.text.into(), sealed.key_id.into()])?;
    Ok(id)
}

/// Refuses a mailbox that is connected already: each mail would be read twice.
fn check_unconnected(ctx: &Ctx, tx: &mut dyn Tx, changes: &Changes) -> Result<(), Error> {
    const MAILBOXES: &str = "SELECT address, name FROM connected_accounts \
         WHERE workspace_id = $1 AND provider = 'email' AND removed_at IS NULL AND address IS NOT NULL";
    let Some(address) = changes.text(ConnectedAccount::ADDRESS).map(fold) else { return Ok(()) };
    let mailboxes = tx.rows(MAILBOXES, &[ctx.workspace.into()], |row| Ok((row.text(0)?, row.text(1)?)))?;
    match mailboxes.into_iter().find(|(known, _)| fold(known) == address) {
        Some((_, name)) => Err(invalid(
            "address",
            format!("is connected already, as the account {name}; change that account, or remove it first"),
        )),
        None => Ok(()),
    }
}

/// The members of a new account's record, or all their problems.
pub fn check_new(members: &Map<String, Json>) -> Result<Changes, Error> {
    let said = |name: &str| members.get(name).and_then(Json::as_str).filter(|text| !text.trim().is_empty());
    let provider = said("provider").and_then(Channel::from_word);
    let kind = [
        (
            provider == Some(Channel::Email) && said("address").is_none(),
            "address",
            "is required; it is what the account's mails are from",
        ),
        (
            provider.is_some_and(|provider| provider != Channel::Email) && said("file_sent").is_some(),
            "file_sent",
            "is for an email account alone",
        ),
        (
            provider.is_some_and(|provider| provider != Channel::Email) && said("signature").is_some(),
            "signature",
            "is for an email account alone",
        ),
        (
            provider.is_some_and(|provider| provider != Channel::Network) && said("license_type").is_some(),
            "license_type",
            "is for a professional network alone",
        ),
    ];
    let kind = kind.into_iter().filter(|(wrong, ..)| *wrong).map(|(_, name, why)| problem(name, why));
    checked(members, true, kind.collect())
}

/// The members of a change, or all their problems.
pub fn check_change(members: &Map<String, Json>) -> Result<Changes, Error> {
    checked(members, false, Vec::new())
}

fn checked(members: &Map<String, Json>, new: bool, more: Vec<Problem>) -> Result<Changes, Error> {
    let shape = Shape { record: ConnectedAccount::FIELDS, extra: &[] };
    let checked = Changes::check(&shape, &Input(members), new);
    let mut all = more;
    // Mails have the name in their `From` header.
    if members.get("name").and_then(Json::as_str).is_some_and(|name| name.trim().contains(char::is_control)) {
        all.push(problem("name", "must be one line"));
    }
    match checked {
        Ok(changes) if all.is_empty() => Ok(changes),
        Err(Error::Invalid(found)) => {
            all.retain(|problem| found.iter().all(|known| known.field != problem.field));
            all.splice(0..0, found);
            Err(Error::Invalid(all))
        }
        Ok(_) => Err(Error::Invalid(all)),
        Err(error) => Err(error),
    }
}

/// Changes the name, the limits or the server of an account.
pub fn set(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    id: Uuid,
    members: &Map<String, Json>,
    reach: &Reach,
) -> Result<(), Error> {
    const WRITE: &str =
        "UPDATE account_states SET sealed = $1, key_id = $2 WHERE workspace_id = $3 AND account_id = $4";
    let mut changes = check_change(members)?;
    let account = find::<ConnectedAccount>(ctx, tx, id)?;
    if changes.text(ConnectedAccount::SIGNATURE).is_some() && account.record.provider != Channel::Email {
        return Err(invalid("signature", "is for an email account alone"));
    }
    changes.set(ConnectedAccount::RECEIVES, reach.imap.is_some() || reach.url.is_some());
    let before = self::reach(ctx, tx, secret, id)?.unwrap_or_default();
    if *reach != before || members.contains_key("file_sent") {
        changes.clear(ConnectedAccount::FILING_PROBLEM);
    }
    update(ctx, tx, &account, &changes)?;
    let mut reach = reach.clone();
    // The provider at the old address knows the old webhook secret.
    if reach.url != before.url {
        reach.webhook = Some(new_webhook_secret());
    }
    let sealed = seal::seal(tx, secret, id, &serde_json::json!(reach).to_string())?;
    tx.execute(WRITE, &[sealed.text.into(), sealed.key_id.into(), ctx.workspace.into(), id.into()])?;
    if !reach.uses_tokens() {
        remove_grant(ctx, tx, id)?;
    }
    if reach != before { sync_at_once(ctx, tx, id) } else { Ok(()) }
}

/// All accounts that were not removed, oldest first.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Uuid>, Error> {
    const LIST: &str = "SELECT id FROM connected_accounts WHERE workspace_id = $1 AND removed_at IS NULL ORDER BY id";
    Ok(tx.rows(LIST, &[ctx.workspace.into()], |row| row.id(0))?)
}

/// Removes an account and its secrets. Its messages stay; those that are queued fail.
pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let account = find::<ConnectedAccount>(ctx, tx, id)?;
    if account.record.removed_at.is_some() {
        return Err(not_found("connected account"));
    }
    let (now, mut changes) = (tx.stamp(), Changes::default());
    changes.set(ConnectedAccount::STATUS, AccountStatus::Disconnected);
    changes.set(ConnectedAccount::STATUS_REASON, "the account was removed");
    changes.set(ConnectedAccount::REMOVED_AT, now);
    update(ctx, tx, &account, &changes)?;
    const FORGET: &str = "DELETE FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    tx.execute(FORGET, &[ctx.workspace.into(), id.into()])?;
    remove_grant(ctx, tx, id)?;
    queue::enqueue(ctx, tx, ABANDON, &id.to_string()).map(drop)
}

/// Removes the accounts of a member, so that nobody sends in their name after they have left.
pub fn remove_of(ctx: &Ctx, tx: &mut dyn Tx, owner: Uuid) -> Result<(), Error> {
    const OWN: &str = "SELECT id FROM connected_accounts WHERE workspace_id = $1 AND owner_id = $2 AND removed_at IS NULL \
         ORDER BY id";
    let own = tx.rows(OWN, &[ctx.workspace.into(), owner.into()], |row| row.id(0))?;
    own.into_iter().try_for_each(|id| remove(ctx, tx, id))
}

/// Removes those of these accounts that are connected. Returns their names and addresses.
pub fn remove_again(ctx: &Ctx, tx: &mut dyn Tx, accounts: &BTreeSet<Uuid>) -> Result<Vec<String>, Error> {
    const CONNECTED: &str = "SELECT id, name, coalesce(address, '') FROM connected_accounts \
         WHERE workspace_id = $1 AND removed_at IS NULL ORDER BY id";
    let connected = tx.rows(CONNECTED, &[ctx.workspace.into()], |row| Ok((row.id(0)?, row.text(1)?, row.text(2)?)))?;
    let mut removed = Vec::new();
    for (id, name, address) in connected.into_iter().filter(|(id, ..)| accounts.contains(id)) {
        remove(ctx, tx, id)?;
        removed.push(format!("{name} {address}").trim_end().to_owned());
    }
    Ok(removed)
}

/// Makes those of these accounts private that are not. Returns their names and addresses.
pub fn make_private_again(ctx: &Ctx, tx: &mut dyn Tx, accounts: &BTreeSet<Uuid>) -> Result<Vec<String>, Error> {
    const OPEN: &str = "SELECT id FROM connected_accounts WHERE workspace_id = $1 AND removed_at IS NULL \
         AND visibility = 'workspace' ORDER BY id";
    let open = tx.rows(OPEN, &[ctx.workspace.into()], |row| row.id(0))?;
    let mut changed = Vec::new();
    for id in open.into_iter().filter(|id| accounts.contains(id)) {
        let saved = find::<ConnectedAccount>(ctx, tx, id)?;
        let mut changes = Changes::default();
        changes.set(ConnectedAccount::VISIBILITY, AccountVisibility::Owner);
        update(ctx, tx, &saved, &changes)?;
        let address = saved.record.address.unwrap_or_default();
        changed.push(format!("{} {address}", saved.record.name).trim_end().to_owned());
    }
    Ok(changed)
}

pub const UNKNOWN: &str = "no connected account has this id";

/// An account of a professional network that a body names as `account_id`.
pub fn network(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<ConnectedAccount>, Error> {
    let account = match find::<ConnectedAccount>(ctx, tx, id) {
        Err(Error::NotFound(_)) => return Err(invalid("account_id", UNKNOWN)),
        found => found?,
    };
    let record = &account.record;
    if record.provider != Channel::Network {
        let reason =
            format!("the account {} is for {}; an account of a network is needed", record.name, record.provider.word());
        return Err(invalid("account_id", reason));
    }
    if record.removed_at.is_some() {
        return Err(invalid(
            "account_id",
            format!("the account {} was removed; connect it anew or name another", record.name),
        ));
    }
    Ok(account)
}

/// The account that sends on a channel when none is named: the member's own, else the workspace's oldest that is not private.
pub fn default(ctx: &Ctx, tx: &mut dyn Tx, channel: Channel, owner: Option<Uuid>) -> Result<Option<Uuid>, Error> {
    const OF_CHANNEL: &str = "SELECT id, owner_id FROM connected_accounts WHERE workspace_id = $1 AND provider = $2 \
         AND removed_at IS NULL AND (visibility = 'workspace' OR owner_id = $3) ORDER BY id";
    let params = [ctx.workspace.into(), Value::from(channel.word()), owner.unwrap_or_default().into()];
    let all = tx.rows(OF_CHANNEL, &params, |row| Ok((row.id(0)?, row.id(1)?)))?;
    let own = all.iter().find(|(_, of)| Some(*of) == owner);
    Ok(own.or(all.first()).map(|(id, _)| *id))
}
