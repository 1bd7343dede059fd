//! Settings > Accounts: the accounts that send and receive messages. Members manage their own; admins manage all. The
//! server tests an account before it is saved, unless the user opts out.

use super::answers::account_schema;
use super::role;
use crate::api::call::{Call, Content, Reply, show};
use crate::api::effects::{ByOperator, Effect, EffectResult, Reach, Trouble};
use crate::api::operation::{EffectSteps, Operation, delete, get, post, put};
use crate::api::scope::Role;
use crate::outreach::account::{self, AccountVisibility, Channel, ConnectedAccount, FileSent, LicenseType};
use crate::outreach::outbox;
use crate::tenant::member;
use resource::{Error, Field, Problem, Resource, Saved, Time, find, not_found, place};
use serde_json::{Map, Value as Json};
use store::{Tx, Uuid, Value};

const RECORD: &[Field] = ConnectedAccount::FIELDS;
/// Most characters of a server address or token.
const PLACE: usize = 2000;

/// The same options as `relata accounts add`.
#[derive(Resource)]
pub struct NewAccount {
    #[field(required)]
    pub provider: Channel,
    #[field(required, as_in = RECORD)]
    pub name: String,
    #[field(as_in = RECORD)]
    pub visibility: AccountVisibility,
    #[field(as_in = RECORD)]
    pub address: Option<String>,
    /// smtp://user:password@host:port?tls=none|starttls|tls
    #[field(max = PLACE)]
    pub smtp: Option<String>,
    /// imap://user:password@host:port?tls=tls
    #[field(max = PLACE)]
    pub imap: Option<String>,
    #[field(max = PLACE)]
    pub url: Option<String>,
    #[field(max = PLACE)]
    pub token: Option<String>,
    pub license_type: Option<LicenseType>,
    #[field(as_in = RECORD)]
    pub daily_limit: Option<i64>,
    #[field(as_in = RECORD)]
    pub min_gap_minutes: Option<i64>,
    #[field(as_in = RECORD)]
    pub ramp_up: Option<i64>,
    #[field(default = "\"auto\"")]
    pub file_sent: FileSent,
    #[field(as_in = RECORD)]
    pub signature: Option<String>,
    /// False saves it without a test.
    #[field(default = "true")]
    pub test: bool,
}

#[derive(Resource)]
pub struct AccountChange {
    #[field(as_in = RECORD)]
    pub name: String,
    /// Its owner alone can change it.
    pub visibility: AccountVisibility,
    #[field(max = PLACE)]
    pub smtp: Option<String>,
    #[field(max = PLACE)]
    pub imap: Option<String>,
    #[field(max = PLACE)]
    pub url: Option<String>,
    #[field(max = PLACE)]
    pub token: Option<String>,
    #[field(as_in = RECORD)]
    pub daily_limit: Option<i64>,
    #[field(as_in = RECORD)]
    pub min_gap_minutes: Option<i64>,
    #[field(as_in = RECORD)]
    pub ramp_up: Option<i64>,
    pub file_sent: FileSent,
    #[field(as_in = RECORD)]
    pub signature: Option<String>,
    #[field(default = "true")]
    pub test: bool,
}

const NEW_ACCOUNT: &[Field] = NewAccount::FIELDS;
const ACCOUNT_CHANGE: &[Field] = AccountChange::FIELDS;
/// Members for the connection; the others belong to the record.
const WHERE: &[&str] = &["smtp", "imap", "url", "token", "test"];

pub const OPERATIONS: &[Operation] = &[
    post("/accounts", "dashboard_new_account", "Connect an account of one's own")
        .gives_object_as(&[201], "AccountDetail", account_schema)
        .role(Role::Member)
        .reauthenticates()
        .members("NewAccount", NEW_ACCOUNT)
        .effect(EffectSteps { prepare: prepare_new, complete: complete_new }),
    get("/accounts/{id}", "dashboard_account", "An account's caps, health and sends")
        .gives_object("AccountDetail", account_schema)
        .role(Role::Member)
        .read(shown),
    put("/accounts/{id}", "dashboard_change_account", "Change an account's name, limits or where it is")
        .gives_object("AccountDetail", account_schema)
        .role(Role::Member)
        .reauthenticates()
        .members("AccountChange", ACCOUNT_CHANGE)
        .effect(EffectSteps { prepare: prepare_change, complete: complete_change }),
    delete("/accounts/{id}", "dashboard_remove_account", "Remove an account").role(Role::Member).write(remove),
    post("/accounts/{id}/test", "dashboard_test_account", "Try to reach an account")
        .gives_object("AccountDetail", account_schema)
        .role(Role::Member)
        .effect(EffectSteps { prepare: prepare_test, complete: complete_test }),
];

/// The account in the path, if the user owns it or may see all.
fn seen(call: &Call, tx: &mut dyn Tx) -> Result<Saved<ConnectedAccount>, Error> {
    own(call, tx, call.id(0, "connected_account")?)
}

/// An account, if the user owns it or may see all.
pub(super) fn own(call: &Call, tx: &mut dyn Tx, id: Uuid) -> Result<Saved<ConnectedAccount>, Error> {
    let account = find::<ConnectedAccount>(&call.ctx, tx, id)?;
    let own = account.record.owner_id == call.key.user || role(call).is(Role::Admin);
    if own && account.record.removed_at.is_none() { Ok(account) } else { Err(not_found("connected_account")) }
}

/// A member of the body that is not empty.
fn given<'a>(call: &'a Call, name: &str) -> Option<&'a str> {
    call.body.get(name).and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty())
}

/// Combines the connection data in the body with the stored data. An address in the displayed form, without its
/// secrets, means no change; null removes it. A changed address loses its mark of being set by the operator.
fn reach(call: &Call, before: &Reach) -> Reach {
    let removed = |name: &str| call.body.get(name) == Some(&Json::Null);
    let address = |name: &str, before: &Option<String>| {
        if removed(name) {
            return None;
        }
        let shown = before.as_deref().map(without_secrets);
        let new = given(call, name).filter(|new| Some(*new) != shown.as_deref()).map(str::to_owned);
        new.or_else(|| before.clone())
    };
    let (smtp, imap, url) = (address("smtp", &before.smtp), address("imap", &before.imap), address("url", &before.url));
    let was = before.by_operator;
    let by_operator = ByOperator {
        smtp: was.smtp && smtp == before.smtp,
        imap: was.imap && imap == before.imap,
        url: was.url && url == before.url,
    };
    let stored = before.token.clone().filter(|_| !removed("token"));
    let token = given(call, "token").map(str::to_owned).or(stored);
    Reach { smtp, imap, url, token, webhook: before.webhook.clone(), by_operator }
}

/// The members of the body that belong to the record.
fn record(call: &Call) -> Map<String, Json> {
    call.body.iter().filter(|(name, _)| !WHERE.contains(&name.as_str())).map(|(n, v)| (n.clone(), v.clone())).collect()
}

fn tested(call: &Call) -> bool {
    call.body.get("test") != Some(&Json::Bool(false))
}

/// Adds problems of fields that have none yet.
fn add_new(problems: &mut Vec<Problem>, more: Vec<Problem>) {
    let known: Vec<String> = problems.iter().map(|problem| problem.field.clone()).collect();
    problems.extend(more.into_iter().filter(|problem| !known.contains(&problem.field)));
}

fn prepare_new(call: &Call, _: &mut dyn Tx) -> Result<Effect, Error> {
    let mut problems = account::problems(call.members(NEW_ACCOUNT))?;
    let reach = reach(call, &Reach::default());
    add_new(&mut problems, account::problems(account::check_new(&record(call)))?);
    if let Some(provider) = given(call, "provider").and_then(Channel::from_word) {
        add_new(&mut problems, account::check_reach(provider == Channel::Email, &reach));
    }
    Ok(Effect::Reach { account: None, reach, test: tested(call) && problems.is_empty(), problems })
}

/// The connection data, if the test found no problems. Only admins see the words of the mail server or provider.
fn reached<'a>(call: &Call, effect: &'a Effect, outcome: &EffectResult) -> Result<&'a Reach, Error> {
    let (Effect::Reach { reach, problems, .. }, EffectResult::Reached(wrong)) = (effect, outcome) else {
        return Err(store::Error::Internal("there is no account to reach".into()).into());
    };
    let (mut problems, admin) = (problems.clone(), role(call).is(Role::Admin));
    problems.extend(wrong.iter().map(|(field, trouble)| Problem {
        field: (*field).into(),
        reason: if admin { trouble.words() } else { &trouble.reason }.into(),
    }));
    if problems.is_empty() { Ok(reach) } else { Err(Error::Invalid(problems)) }
}

fn complete_new(call: &Call, tx: &mut dyn Tx, effect: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
    let reach = reached(call, effect, outcome)?;
    let owner = member::one(&call.ctx, tx, call.key.user)?;
    let id = account::add(&call.ctx, tx, &call.secret, &record(call), Some(&owner.email), reach)?;
    Ok(Reply { status: 201, ..detailed(call, tx, id)? })
}

fn shown(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = seen(call, tx)?.id;
    detailed(call, tx, id)
}

/// The record with details for its owner: addresses without secrets, and sending limits.
pub(super) fn detailed(call: &Call, tx: &mut dyn Tx, id: Uuid) -> Result<Reply, Error> {
    const SENT: &str = "SELECT count(*) FROM messages WHERE workspace_id = $1 AND account_id = $2 AND handed_at > $3";
    const DAY: i64 = 24 * 60 * 60 * 1000;
    let account = find::<ConnectedAccount>(&call.ctx, tx, id)?;
    let reply = show::<ConnectedAccount>(&call.ctx, tx, id)?;
    let Content::Json(json) = &reply.data else { return Ok(reply) };
    let mut shown: Json = place(ConnectedAccount::ABOUT.table, "", &id).bytes(json)?;
    let now = if tx.stamp() > 0 { tx.stamp() } else { tx.clock()? };
    let reach = account::reach(&call.ctx, tx, &call.secret, id)?.unwrap_or_default();
    for (name, place) in [("smtp", reach.smtp), ("imap", reach.imap), ("url", reach.url)] {
        shown[name] = place.as_deref().map(without_secrets).into();
    }
    if role(call).is(Role::Admin) {
        shown["status_detail"] = account::status_detail(&call.ctx, tx, id)?.into();
    }
    let params: [Value; 3] = [call.ctx.workspace.into(), id.into(), (now - DAY).into()];
    shown["sent_last_24_hours"] = tx.one(SENT, &params, |row| row.int(0))?.into();
    shown["cap_today"] = account::cap(&account.record, now).into();
    let waits = account::slot(&call.ctx, tx, &account, now)?;
    shown["waits_until"] = waits.as_ref().map(|waits| Time(waits.until).to_string()).into();
    shown["waits_for"] = waits.map(|waits| waits.why).into();
    shown["oauth_provider"] = account::granted_by(&call.ctx, tx, id)?.into();
    shown["unknown_outcomes"] = outbox::unknown_outcomes(&call.ctx, tx, id)?.into();
    Ok(Reply::json(&shown))
}

/// `smtp://user:password@host:587?tls=starttls&ca=…` as `smtp://host:587?tls=starttls`.
fn without_secrets(place: &str) -> String {
    let (scheme, rest) = place.split_once("://").unwrap_or(("", place));
    let (host, query) = rest.split_once(['?', '#']).unwrap_or((rest, ""));
    let host = host.rsplit_once('@').map_or(host, |(_, host)| host);
    let security = query.split('&').find(|part| part.starts_with("tls=")).map(|part| format!("?{part}"));
    format!("{scheme}://{host}{}", security.unwrap_or_default())
}

fn prepare_change(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let mut problems = account::problems(call.members(ACCOUNT_CHANGE))?;
    add_new(&mut problems, account::problems(account::check_change(&record(call)))?);
    let account = seen(call, tx)?;
    let visibility = given(call, "visibility").is_some_and(|word| word != account.record.visibility.word());
    if visibility && account.record.owner_id != call.key.user {
        let reason = "is changed by the owner of the account alone".into();
        add_new(&mut problems, vec![Problem { field: "visibility".into(), reason }]);
    }
    let is_of_other = account.record.owner_id != call.key.user;
    if is_of_other && account.record.visibility == AccountVisibility::Owner {
        // Otherwise an admin could send its mails through a server of theirs.
        let reason = "the account is private; its owner alone changes it";
        let changed =
            ["smtp", "imap", "url", "token", "signature"].into_iter().filter(|name| call.body.contains_key(*name));
        add_new(&mut problems, changed.map(|name| Problem { field: name.into(), reason: reason.into() }).collect());
    }
    let before = account::reach(&call.ctx, tx, &call.secret, account.id)?;
    let before = before.ok_or_else(|| not_found("connected_account"))?;
    let after = reach(call, &before);
    add_new(&mut problems, account::check_reach(account.record.provider == Channel::Email, &after));
    add_new(&mut problems, account::check_move(&before, &after, given(call, "token").is_some()));
    // A new name or limit needs no test.
    let test = tested(call) && after != before && problems.is_empty();
    Ok(Effect::Reach { account: Some((call.ctx.workspace, account.id)), reach: after, test, problems })
}

fn complete_change(call: &Call, tx: &mut dyn Tx, effect: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
    let reach = reached(call, effect, outcome)?;
    let id = seen(call, tx)?.id;
    account::set(&call.ctx, tx, &call.secret, id, &record(call), reach)?;
    if matches!(effect, Effect::Reach { test: true, .. }) {
        account::note_health(&call.ctx, tx, id, None)?;
    }
    detailed(call, tx, id)
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let id = seen(call, tx)?.id;
    account::remove(&call.ctx, tx, id)?;
    Ok(Reply::deleted())
}

fn prepare_test(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let id = seen(call, tx)?.id;
    let reach = account::reach(&call.ctx, tx, &call.secret, id)?;
    let reach = reach.ok_or_else(|| not_found("connected_account"))?;
    Ok(Effect::Reach { account: Some((call.ctx.workspace, id)), reach, test: true, problems: Vec::new() })
}

/// Problems are reported in the status of the account.
fn complete_test(call: &Call, tx: &mut dyn Tx, _: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
    let id = seen(call, tx)?.id;
    let trouble = if let EffectResult::Reached(wrong) = outcome { Trouble::of_parts(wrong) } else { None };
    account::note_health(&call.ctx, tx, id, trouble.as_ref())?;
    detailed(call, tx, id)
}
