//! Connected accounts: through which messages leave and arrive. `connected ⇄ error` by itself, `→ disconnected` when it
//! is removed. Made and removed by the operator; its secrets are sealed and never shown.

mod sync;

pub use sync::{
    SyncFailure, UNDELIVERED, begin_reading, claim, let_go, note_undelivered, renew, sync_failed, sync_worked,
};

use sync::sync_at_once;
pub(crate) use sync::{LONGEST_WAIT, SYNC_LEASE};

use crate::meta::Secret;
use crate::operation::{Operation, get};
use crate::scope::{MESSAGES_READ, SOURCING_READ};
use crate::seal::{self, Sealed};
use crate::workspace::Feature;
use crate::{member, outbox, unstored};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use resource::{
    Changes, Ctx, Error, Format, Index, Input, Part, Problem, Resource, Saved, Shape, Time, find, invalid, not_found,
    update,
};
use serde_json::{Map, Value as Json, json};
use store::{Row, Tx, Uuid, Value};

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
    .list::<unstored::UnstoredMail>()
    .read(unstored::list),
];

/// How the account is reached: what is sealed.
#[derive(Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Reach {
    /// An account for email: where its mail is handed over, and where it arrives.
    pub smtp: Option<String>,
    pub imap: Option<String>,
    /// Any other: the provider's address and our token there.
    pub url: Option<String>,
    pub token: Option<String>,
    /// What the provider signs with when it tells of events by itself.
    pub webhook: Option<String>,
    pub by_operator: ByOperator,
}

/// Which addresses the operator set on the command line: the server connects to them wherever they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct ByOperator {
    pub smtp: bool,
    pub imap: bool,
    pub url: bool,
}

/// Why an account does not work.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// What everybody who sees the account reads: no word of the server.
    pub reason: String,
    /// The same in the server's words, for admins and the operator.
    pub detail: Option<String>,
}

impl Trouble {
    /// With the part of the account that does not work before it: `smtp: …`.
    pub fn of(&self, part: &str) -> Trouble {
        let with = |text: &String| format!("{part}: {text}");
        Trouble { reason: with(&self.reason), detail: self.detail.as_ref().map(with) }
    }

    /// Of all parts that do not work; none if each does.
    pub fn of_parts(wrong: &[(&'static str, Trouble)]) -> Option<Trouble> {
        let all: Vec<Trouble> = wrong.iter().map(|(part, trouble)| trouble.of(part)).collect();
        let joined = |words: fn(&Trouble) -> &str| all.iter().map(words).collect::<Vec<_>>().join("; ");
        let detail = all.iter().any(|trouble| trouble.detail.is_some()).then(|| joined(Trouble::words));
        (!all.is_empty()).then(|| Trouble { reason: joined(|trouble| &trouble.reason), detail })
    }

    /// As much as an admin may read.
    pub fn words(&self) -> &str {
        self.detail.as_deref().unwrap_or(&self.reason)
    }
}

impl<T: Into<String>> From<T> for Trouble {
    fn from(reason: T) -> Trouble {
        Trouble { reason: reason.into(), detail: None }
    }
}

impl std::fmt::Debug for Reach {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Reach")
    }
}

fn problem(field: &str, reason: &str) -> Problem {
    Problem { field: field.into(), reason: reason.into() }
}

/// All that a check found wrong.
pub fn problems<T>(checked: Result<T, Error>) -> Result<Vec<Problem>, Error> {
    match checked {
        Ok(_) => Ok(Vec::new()),
        Err(Error::Invalid(problems)) => Ok(problems),
        Err(error) => Err(error),
    }
}

/// What is wrong with where an account of its kind is: what it must have and lacks, and what it can't have.
pub fn check_reach(mail: bool, reach: &Reach) -> Vec<Problem> {
    const ELSE: &str = "is for network and chat; an email account has smtp and imap";
    const MAIL: &str = "is for email; network and chat have url and token";
    let all = [
        (mail && reach.smtp.is_none(), "smtp", "is required: smtp://user:password@host:port?tls=none|starttls|tls"),
        (mail && reach.url.is_some(), "url", ELSE),
        (mail && reach.token.is_some(), "token", ELSE),
        (!mail && reach.smtp.is_some(), "smtp", MAIL),
        (!mail && reach.imap.is_some(), "imap", MAIL),
        (!mail && reach.url.is_none(), "url", "is required: the provider's address"),
        (!mail && reach.token.is_none(), "token", "is required: our token at the provider"),
    ];
    all.into_iter().filter(|(wrong, ..)| *wrong).map(|(_, name, why)| problem(name, why)).collect()
}

/// Why an account may not move from one place to another: its stored secret would go to a server that it was not given
/// for. `token_given` says whether the provider's token came with the change.
pub fn check_move(before: &Reach, after: &Reach, token_given: bool) -> Vec<Problem> {
    const TOKEN: &str = "is required with a new url: the stored token is not sent to another address";
    const AGAIN: &str = "needs the user and the password again: the stored ones are not sent to another address";
    // What is no address at all has another fault.
    let drops = |scheme: &str, before: &Option<String>, after: &Option<String>| {
        let begins = |text: &&str| text.get(..scheme.len()).is_some_and(|it| it.eq_ignore_ascii_case(scheme));
        let after = after.as_deref().map(str::trim_start).filter(begins);
        has_login(before.as_deref()) && after.is_some() && !has_login(after)
    };
    let all = [
        (after.url != before.url && !token_given, "token", TOKEN),
        (drops("smtp://", &before.smtp, &after.smtp), "smtp", AGAIN),
        (drops("imap://", &before.imap, &after.imap), "imap", AGAIN),
    ];
    all.into_iter().filter(|(wrong, ..)| *wrong).map(|(_, name, why)| problem(name, why)).collect()
}

fn has_login(address: Option<&str>) -> bool {
    let rest = address.and_then(|address| address.split_once("://")).map_or("", |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().is_some_and(|authority| authority.contains('@'))
}

fn new_webhook_secret() -> String {
    let random: [u8; 24] = rand::random();
    format!("whsec_{}", STANDARD.encode(random))
}

/// A new account, checked and tested by whoever adds it.
pub fn add(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    members: &Map<String, Json>,
    owner: Option<&str>,
    reach: &Reach,
) -> Result<Uuid, Error> {
    let mut changes = check_new(members)?;
    let provider = changes.text("provider").and_then(Channel::from_word);
    let license = changes.text("license_type").unwrap_or("classic");
    let active = |word: &str| {
        if provider == Some(Channel::Network) && (word == "classic" || word == license) { "active" } else { "inactive" }
    };
    let api = json!({ "classic": active("classic"), "sales_navigator": active("sales_navigator"), "recruiter": active("recruiter") });
    let fields = ConnectedAccount::FIELDS;
    changes.set(fields, "api_status", api.to_string());
    changes.set(fields, "owner_id", member::called(ctx, tx, owner)?.user_id);
    changes.set(fields, "receives", reach.imap.is_some() || reach.url.is_some());
    let id = resource::insert::<ConnectedAccount>(ctx, tx, &changes)?;
    let webhook = reach.url.as_ref().map(|_| new_webhook_secret());
    let reach = Reach { webhook, ..reach.clone() };
    let sealed = seal::seal(tx, secret, id, &serde_json::to_string(&reach).unwrap_or_default())?;
    const STATE: &str = "INSERT INTO account_states (workspace_id, account_id, sealed, key_id, free_at, failures, sync_at, sync_until, uid_validity, uid_next) \
         VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0, 0)";
    tx.execute(STATE, &[ctx.workspace.into(), id.into(), sealed.text.into(), sealed.key_id.into()])?;
    Ok(id)
}

/// The members of a new account's record, or all that is wrong with them.
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
            provider.is_some_and(|provider| provider != Channel::Network) && said("license_type").is_some(),
            "license_type",
            "is for a professional network alone",
        ),
    ];
    let kind = kind.into_iter().filter(|(wrong, ..)| *wrong).map(|(_, name, why)| problem(name, why));
    checked(members, true, kind.collect())
}

/// The same of a change.
pub fn check_change(members: &Map<String, Json>) -> Result<Changes, Error> {
    checked(members, false, Vec::new())
}

fn checked(members: &Map<String, Json>, new: bool, more: Vec<Problem>) -> Result<Changes, Error> {
    let shape = Shape { record: ConnectedAccount::FIELDS, extra: &[] };
    let checked = Changes::check(&shape, &Input(members), new);
    let mut all = more;
    // The name stands in the header `From` of mails.
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

/// Changes what an operator may change of it: its name, its limits, where it is.
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
    changes.set(ConnectedAccount::FIELDS, "receives", reach.imap.is_some() || reach.url.is_some());
    update(ctx, tx, &account, &changes)?;
    let before = self::reach(ctx, tx, secret, id)?.unwrap_or_default();
    let mut reach = reach.clone();
    // The provider at the old address knows the old secret.
    if reach.url != before.url {
        reach.webhook = Some(new_webhook_secret());
    }
    let sealed = seal::seal(tx, secret, id, &serde_json::to_string(&reach).unwrap_or_default())?;
    tx.execute(WRITE, &[sealed.text.into(), sealed.key_id.into(), ctx.workspace.into(), id.into()])?;
    if reach != before { sync_at_once(ctx, tx, id) } else { Ok(()) }
}

/// All that were not removed, oldest first.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Uuid>, Error> {
    const LIST: &str = "SELECT id FROM connected_accounts WHERE workspace_id = $1 AND removed_at IS NULL ORDER BY id";
    Ok(tx.rows(LIST, &[ctx.workspace.into()], |row| row.id(0))?)
}

/// Forgets the account's secrets. What was sent and received through it stays; what waits to be sent is told so.
pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let account = find::<ConnectedAccount>(ctx, tx, id)?;
    if account.record.removed_at.is_some() {
        return Err(not_found("connected account"));
    }
    let (now, mut changes, fields) = (tx.stamp(), Changes::default(), ConnectedAccount::FIELDS);
    changes.set(fields, "status", AccountStatus::Disconnected.word());
    changes.set(fields, "status_reason", "the account was removed");
    changes.set(fields, "removed_at", now);
    update(ctx, tx, &account, &changes)?;
    const FORGET: &str = "DELETE FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    tx.execute(FORGET, &[ctx.workspace.into(), id.into()])?;
    outbox::abandon(ctx, tx, id)
}

/// How the account is reached; `None` if it was removed.
pub fn reach(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, id: Uuid) -> Result<Option<Reach>, Error> {
    const SEALED: &str = "SELECT sealed, key_id FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    let sealed = tx.one(SEALED, &[ctx.workspace.into(), id.into()], sealed)?;
    let Some(sealed) = sealed else { return Ok(None) };
    let text = seal::open(secret, id, &sealed)?;
    let reach = serde_json::from_str(&text);
    reach.map(Some).map_err(|error| store::Error::Corrupt(format!("the account's secrets: {error}")).into())
}

fn sealed(row: &dyn Row) -> Result<Sealed, store::Error> {
    Ok(Sealed { text: row.text(0)?, key_id: row.text(1)? })
}

pub const UNKNOWN: &str = "no connected account has this id";

/// Counts a search through the account, if it may make one now: the network does not ask for patience, and its
/// `search_limit` leaves room.
pub fn begin_search(ctx: &Ctx, tx: &mut dyn Tx, account: &Saved<ConnectedAccount>) -> Result<(), Error> {
    const STATE: &str = "SELECT search_free_at, searched_from, searches FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    const COUNT: &str =
        "UPDATE account_states SET searched_from = $1, searches = $2 WHERE workspace_id = $3 AND account_id = $4";
    let (record, now) = (&account.record, tx.now());
    let key = [ctx.workspace.into(), account.id.into()];
    let state = tx.one(STATE, &key, |row| Ok((row.int(0)?, row.int(1)?, row.int(2)?)))?;
    let (free_at, from, searches) = state.unwrap_or((0, 0, 0));
    let not_yet = |why: String, until: i64| {
        let seconds = (until - now + 999) / 1000;
        Error::Outside {
            why: format!("the account {} {why}; try again in {seconds} seconds", record.name),
            retry_after: Some(seconds),
        }
    };
    if free_at > now {
        return Err(not_yet("was asked by its network for patience".to_owned(), free_at));
    }
    // A window that begins later than now was begun by a clock that has been set back since.
    let (from, searches) = if from + DAY <= now || from > now { (now, 0) } else { (from, searches) };
    if let Some(limit) = record.search_limit.filter(|limit| searches >= *limit) {
        return Err(not_yet(
            format!("has made the {limit} searches that it may in 24 hours (search_limit)"),
            from + DAY,
        ));
    }
    Ok(tx.execute(COUNT, &[from.into(), (searches + 1).into(), ctx.workspace.into(), account.id.into()])?)
}

/// Counts searches that followed from one.
pub fn note_searches(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, more: i64) -> Result<(), Error> {
    const COUNT: &str =
        "UPDATE account_states SET searches = searches + $1 WHERE workspace_id = $2 AND account_id = $3";
    Ok(tx.execute(COUNT, &[more.into(), ctx.workspace.into(), id.into()])?)
}

/// The network asks for so many milliseconds of patience.
pub fn be_patient(tx: &mut dyn Tx, workspace: Uuid, id: Uuid, time: i64) -> Result<(), Error> {
    const WAIT: &str = "UPDATE account_states SET search_free_at = $1 WHERE workspace_id = $2 AND account_id = $3";
    let until = tx.now() + time;
    Ok(tx.execute(WAIT, &[until.into(), workspace.into(), id.into()])?)
}

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

/// Seals all secrets of the workspace anew, under the newest key; gives how many.
pub fn reseal(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret) -> Result<usize, Error> {
    const ALL: &str = "SELECT sealed, key_id, account_id FROM account_states WHERE workspace_id = $1";
    const WRITE: &str =
        "UPDATE account_states SET sealed = $1, key_id = $2 WHERE workspace_id = $3 AND account_id = $4";
    let all = tx.rows(ALL, &[ctx.workspace.into()], |row| Ok((sealed(row)?, row.id(2)?)))?;
    for (old, id) in &all {
        let plain = seal::open(secret, *id, old)?;
        let new = seal::seal(tx, secret, *id, &plain)?;
        tx.execute(WRITE, &[new.text.into(), new.key_id.into(), ctx.workspace.into(), (*id).into()])?;
    }
    Ok(all.len())
}

/// Notes that the account works, or why not. Its health is an event only when it changes.
pub fn note_health(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, trouble: Option<&Trouble>) -> Result<(), Error> {
    const DETAIL: &str = "UPDATE account_states SET status_detail = $1 WHERE workspace_id = $2 AND account_id = $3";
    let account = find::<ConnectedAccount>(ctx, tx, id)?;
    if account.record.removed_at.is_some() {
        return Ok(());
    }
    let (now, mut changes, fields) = (tx.now(), Changes::default(), ConnectedAccount::FIELDS);
    let status = if trouble.is_some() { AccountStatus::Error } else { AccountStatus::Connected };
    changes.set(fields, "status", status.word());
    changes.set(fields, "status_reason", trouble.map(|trouble| trouble.reason.clone()));
    update(ctx, tx, &account, &changes)?;
    let detail = trouble.and_then(|trouble| trouble.detail.as_deref());
    tx.execute(DETAIL, &[detail.into(), ctx.workspace.into(), id.into()])?;
    match trouble {
        None => {
            const WELL: &str =
                "UPDATE account_states SET failures = 0, free_at = 0 WHERE workspace_id = $1 AND account_id = $2";
            tx.execute(WELL, &[ctx.workspace.into(), id.into()])?;
            sync_at_once(ctx, tx, id)?;
        }
        // Looked at again after 5 s, 30 s, 2 min, 5 min, 15 min, then every hour.
        Some(_) => {
            const ILL: &str = "UPDATE account_states SET failures = failures + 1, free_at = $1 + 1000 * (CASE WHEN failures < 1 THEN 5 \
                 WHEN failures < 2 THEN 30 WHEN failures < 3 THEN 120 WHEN failures < 4 THEN 300 WHEN failures < 5 THEN 900 \
                 ELSE 3600 END) WHERE workspace_id = $2 AND account_id = $3 AND free_at <= $1";
            tx.execute(ILL, &[now.into(), ctx.workspace.into(), id.into()])?;
        }
    }
    Ok(())
}

/// Why the account does not work in its server's words, for admins and the operator.
pub fn status_detail(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<Option<String>, Error> {
    const DETAIL: &str = "SELECT status_detail FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    Ok(tx.one(DETAIL, &[ctx.workspace.into(), id.into()], |row| row.maybe_text(0))?.flatten())
}

/// Accounts that did not work and may be tried again, over all workspaces. Those that can't receive are tried by
/// receiving: logging in is not enough.
pub fn to_check(tx: &mut dyn Tx) -> Result<Vec<(Uuid, Uuid)>, Error> {
    let to_check = format!(
        "SELECT a.workspace_id, a.account_id FROM account_states a JOIN connected_accounts c ON c.workspace_id = a.workspace_id AND c.id = a.account_id \
         WHERE c.status = 'error' AND a.free_at <= {} AND a.sync_failures = 0 LIMIT 20",
        tx.dialect().clock()
    );
    Ok(tx.rows(&to_check, &[], |row| Ok((row.id(0)?, row.id(1)?)))?)
}

/// Stops the account until somebody tests it again: it reaches its server, but must not go on.
pub fn hold(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, why: &str) -> Result<(), Error> {
    const HELD: &str = "UPDATE account_states SET free_at = $1 WHERE workspace_id = $2 AND account_id = $3";
    note_health(ctx, tx, id, Some(&why.into()))?;
    let never = tx.now() + 100 * 365 * DAY;
    Ok(tx.execute(HELD, &[never.into(), ctx.workspace.into(), id.into()])?)
}

/// Why the account can't send now, and when it can.
#[derive(Clone, Debug, PartialEq)]
pub struct NotNow {
    pub until: i64,
    pub why: String,
}

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Whether the account may send one more message at `now`: it is well, and its caps and gap leave room.
pub fn slot(ctx: &Ctx, tx: &mut dyn Tx, account: &Saved<ConnectedAccount>, now: i64) -> Result<Option<NotNow>, Error> {
    let record = &account.record;
    if record.status != AccountStatus::Connected {
        const FREE: &str = "SELECT free_at FROM account_states WHERE workspace_id = $1 AND account_id = $2";
        let free = tx.one(FREE, &[ctx.workspace.into(), account.id.into()], |row| row.int(0))?.unwrap_or(0);
        let why = record.status_reason.as_deref().unwrap_or("it does not work");
        return Ok(Some(NotNow { until: free.max(now + 1000), why: format!("the account {}: {why}", record.name) }));
    }
    if let Some(limit) = cap(record, now)
        && let Some(at) = handed(ctx, tx, account.id, limit - 1)?
        && at + DAY > now
    {
        let why = format!("the account {} has sent the {limit} messages that it may in 24 hours", record.name);
        return Ok(Some(NotNow { until: at + DAY, why }));
    }
    if let Some(gap) = record.min_gap_minutes.filter(|gap| *gap > 0).map(|minutes| minutes * 60_000)
        && let Some(at) = handed(ctx, tx, account.id, 0)?
        && at + gap > now
    {
        let why = format!("the account {} waits {} minutes between messages", record.name, gap / 60_000);
        return Ok(Some(NotNow { until: at + gap, why }));
    }
    Ok(None)
}

impl ConnectedAccount {
    /// Whether it has a cap or a gap, so that one message has to wait for others.
    pub fn is_paced(&self) -> bool {
        self.daily_limit.is_some() || self.ramp_up.is_some() || self.min_gap_minutes.is_some()
    }
}

/// The cap of the day: what the account has at most, and what it has grown to.
pub fn cap(record: &ConnectedAccount, now: i64) -> Option<i64> {
    let age = (now - record.created_at.0).max(0) / DAY + 1;
    let grown = record.ramp_up.map(|first| first.saturating_mul(age));
    match (record.daily_limit, grown) {
        (Some(limit), Some(grown)) => Some(limit.min(grown)),
        (limit, grown) => limit.or(grown),
    }
}

/// When the account handed over the message so many before its last.
fn handed(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, before: i64) -> Result<Option<i64>, Error> {
    const HANDED: &str = "SELECT handed_at FROM messages WHERE workspace_id = $1 AND account_id = $2 AND handed_at IS NOT NULL \
         ORDER BY handed_at DESC LIMIT 1 OFFSET $3";
    Ok(tx.one(HANDED, &[ctx.workspace.into(), id.into(), before.into()], |row| row.int(0))?)
}

/// The account that sends on a channel when none is named: the member's own, else the workspace's oldest.
pub fn default(ctx: &Ctx, tx: &mut dyn Tx, channel: Channel, owner: Option<Uuid>) -> Result<Option<Uuid>, Error> {
    const OF_CHANNEL: &str = "SELECT id, owner_id FROM connected_accounts \
         WHERE workspace_id = $1 AND provider = $2 AND removed_at IS NULL ORDER BY id";
    let all =
        tx.rows(OF_CHANNEL, &[ctx.workspace.into(), Value::from(channel.word())], |row| Ok((row.id(0)?, row.id(1)?)))?;
    let own = all.iter().find(|(_, of)| Some(*of) == owner);
    Ok(own.or(all.first()).map(|(id, _)| *id))
}
