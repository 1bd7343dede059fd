//! Settings > Accounts: connecting a mailbox by OAuth. The dashboard sends the user to the page of the provider, and the
//! provider sends the user back to the dashboard, which passes the code on. The browser's session is needed for both.

use super::accounts::{detailed, own};
use super::answers::{account_schema, schema_of};
use super::role;
use crate::api::call::{Call, Reply};
use crate::api::effects::{Effect, EffectResult, OauthCode, SecretString};
use crate::api::operation::{EffectSteps, Operation, get, post};
use crate::api::scope::Role;
use crate::outreach::account::{self, Channel, ConnectedAccount};
use crate::outreach::oauth::{self, Flow};
use crate::tenant::member;
use resource::{Error, Field, Format, Resource, invalid, not_found};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

const RECORD: &[Field] = ConnectedAccount::FIELDS;

/// A provider that the operator set up.
#[derive(Resource)]
pub struct OauthProvider {
    pub name: String,
    /// Its name on a button.
    pub title: String,
    /// Whether the user gives the address of the mailbox, because the provider does not say it.
    pub needs_address: bool,
}

#[derive(Resource)]
pub struct OauthStart {
    /// The name of a provider that the operator set up.
    #[field(required, max = 100)]
    pub provider: String,
    /// The account to reconnect; a new one is connected without it.
    pub account_id: Option<Uuid>,
    /// The sender name of a new account; the name of the user if absent.
    #[field(as_in = RECORD)]
    pub name: Option<String>,
    /// The address of the mailbox; the one that the provider says if absent.
    #[field(format = Format::Email, max = 254)]
    pub address: Option<String>,
}

/// Where to send the user.
#[derive(Resource)]
pub struct OauthPage {
    pub url: String,
}

#[derive(Resource)]
pub struct OauthCallback {
    /// Both come from the provider, in the address of the page that it sends the user to.
    #[field(required, max = 4000)]
    pub code: String,
    #[field(required, max = 1000)]
    pub state: String,
}

const START: &[Field] = OauthStart::FIELDS;
const CALLBACK: &[Field] = OauthCallback::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get(
        "/oauth/providers",
        "dashboard_oauth_providers",
        "List the providers whose mailboxes can be connected by OAuth",
    )
    .gives_objects("OauthProvider", schema_of::<OauthProvider>)
    .role(Role::Member)
    .read(providers),
    post("/oauth/start", "dashboard_oauth_start", "Begin to connect a mailbox by OAuth, or to reconnect one")
        .gives_object("OauthPage", schema_of::<OauthPage>)
        .role(Role::Member)
        .reauthenticates()
        .members("OauthStart", START)
        .effect(EffectSteps { prepare: prepare_start, complete: complete_start }),
    post("/oauth/callback", "dashboard_oauth_callback", "Connect the mailbox that the provider gave access to")
        .gives_object_as(&[200, 201], "AccountDetail", account_schema)
        .role(Role::Member)
        .members("OauthCallback", CALLBACK)
        .effect(EffectSteps { prepare: prepare_callback, complete: complete_callback }),
];

fn providers(_: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let shown =
        |one: oauth::OauthProvider| json!({ "name": one.name, "title": one.title, "needs_address": !one.says_address });
    Ok(Reply::whole(oauth::list(tx)?.into_iter().map(shown).collect()))
}

/// The page of the dashboard that providers send users back to.
fn redirect(call: &Call) -> String {
    format!("{}/oauth/callback", call.public_url)
}

fn text(call: &Call, name: &str) -> Option<String> {
    let text = call.body.get(name).and_then(Json::as_str).map(str::trim).filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

/// What the body asks for.
fn flow(call: &Call, tx: &mut dyn Tx) -> Result<Flow, Error> {
    call.members(START)?;
    let provider = text(call, "provider").unwrap_or_default();
    let Some(known) = oauth::list(tx)?.into_iter().find(|known| known.name == provider) else {
        return Err(invalid("provider", "the operator has not set this provider up; it takes `relata oauth add`"));
    };
    let (account, mut address) =
        (text(call, "account_id").and_then(|id| Uuid::try_parse(&id).ok()), text(call, "address"));
    if let Some(id) = account {
        let account = match own(call, tx, id) {
            Err(Error::NotFound(_)) => return Err(invalid("account_id", account::UNKNOWN)),
            found => found?.record,
        };
        if account.provider != Channel::Email {
            return Err(invalid("account_id", "is not an email account"));
        }
        address = account.address;
    }
    if address.is_none() && !known.says_address {
        return Err(invalid("address", "is required: this provider does not say the address of the mailbox"));
    }
    let sender = text(call, "name");
    if sender.as_deref().is_some_and(|name| name.contains(char::is_control)) {
        return Err(invalid("name", "must be one line"));
    }
    Ok(Flow { provider, account, address, sender })
}

fn prepare_start(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let flow = flow(call, tx)?;
    let provider = oauth::setup(tx, &call.secret, &flow.provider)?.ok_or_else(|| not_found("OAuth provider"))?;
    Ok(Effect::OauthPage { provider: provider.into(), redirect: redirect(call), address: flow.address })
}

fn complete_start(call: &Call, tx: &mut dyn Tx, _: &Effect, result: &EffectResult) -> Result<Reply, Error> {
    let EffectResult::OauthPage(page) = result else {
        return Err(store::Error::Internal("there is no page of a provider".into()).into());
    };
    let flow = flow(call, tx)?;
    oauth::begin(&call.ctx, tx, &call.secret, call.key.key, &flow, &page.state.0, &page.verifier.0)?;
    Ok(Reply::json(&json!({ "url": page.url })))
}

fn prepare_callback(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    call.members(CALLBACK)?;
    let state = text(call, "state").unwrap_or_default();
    let Some((flow, verifier)) = oauth::end(&call.ctx, tx, &call.secret, call.key.key, &state)? else {
        let why =
            "is not of this session, was used already, or is older than 10 minutes; begin again in Settings > Accounts";
        return Err(invalid("state", why));
    };
    let provider = oauth::setup(tx, &call.secret, &flow.provider)?.ok_or_else(|| not_found("OAuth provider"))?;
    Ok(Effect::OauthCode(OauthCode {
        name: flow.provider,
        provider: provider.into(),
        code: SecretString(text(call, "code").unwrap_or_default()),
        verifier: verifier.into(),
        redirect: redirect(call),
        address: flow.address,
        account: flow.account,
        sender: flow.sender,
    }))
}

fn complete_callback(call: &Call, tx: &mut dyn Tx, effect: &Effect, result: &EffectResult) -> Result<Reply, Error> {
    let (Effect::OauthCode(asked), EffectResult::OauthMailbox(result)) = (effect, result) else {
        return Err(store::Error::Internal("there is no mailbox of a provider".into()).into());
    };
    let mailbox = match result {
        Ok(mailbox) => mailbox,
        // Only admins see the words of the provider or the mail server.
        Err((field, trouble)) if role(call).is(Role::Admin) => return Err(invalid(*field, trouble.words())),
        Err((field, trouble)) => return Err(invalid(*field, trouble.reason.as_str())),
    };
    let (ctx, secret) = (&call.ctx, &call.secret);
    let (id, status) = match asked.account {
        Some(id) => {
            let id = own(call, tx, id)?.id;
            account::set(ctx, tx, secret, id, &Map::new(), &mailbox.reach)?;
            (id, 200)
        }
        None => {
            let owner = member::one(ctx, tx, call.key.user)?;
            let own_name = format!("{} {}", owner.first_name, owner.last_name);
            let name = asked.sender.clone().unwrap_or(own_name).trim().to_owned();
            let name = if name.is_empty() { mailbox.address.clone() } else { name };
            let members = Map::from_iter([
                ("provider".to_owned(), json!(Channel::Email.word())),
                ("name".to_owned(), json!(name.chars().take(100).collect::<String>())),
                ("address".to_owned(), json!(mailbox.address)),
            ]);
            (account::add(ctx, tx, secret, &members, Some(&owner.email), &mailbox.reach)?, 201)
        }
    };
    account::put_grant(ctx, tx, secret, id, &mailbox.grant, mailbox.lifetime)?;
    account::note_health(ctx, tx, id, None)?;
    Ok(Reply { status, ..detailed(call, tx, id)? })
}
