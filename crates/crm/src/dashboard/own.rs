//! Operations for every user: the session, their other sessions, name and password.

use super::answers::{OpenSession, PasswordChanged, Reauthenticated, session_schema};
use crate::api::call::{Call, Reply};
use crate::api::effects::{Effect, EffectResult};
use crate::api::meta::config_changed;
use crate::api::operation::{EffectSteps, Operation, delete, get, post, put};
use crate::api::scope::{Feature, Role};
use crate::tenant::attempt::{self, Trier};
use crate::tenant::{member, session, sign_in, workspace};
use resource::{Ctx, Error, Field, Resource, Time, invalid, not_found};
use serde_json::{Value as Json, json};
use store::{Tx, Uuid, Value};

/// Switches to another workspace.
#[derive(Resource)]
pub struct Switch {
    #[field(required)]
    pub workspace_id: Uuid,
}

#[derive(Resource)]
pub struct Profile {
    #[field(max = 100)]
    pub first_name: String,
    #[field(max = 100)]
    pub last_name: String,
}

#[derive(Resource)]
pub struct NewPassword {
    #[field(required, max = 200)]
    pub current: String,
    /// At least twelve characters, and not easy to guess.
    #[field(required, max = 200)]
    pub new: String,
}

/// The password, entered again.
#[derive(Resource)]
pub struct Again {
    #[field(required, max = 200)]
    pub password: String,
}

const AGAIN: &[Field] = Again::FIELDS;
const SWITCH: &[Field] = Switch::FIELDS;
const PROFILE: &[Field] = Profile::FIELDS;
const NEW_PASSWORD: &[Field] = NewPassword::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/session", "dashboard_session", "Get the session, its member and permissions")
        .gives_object("Session", session_schema)
        .role(Role::Member)
        .read(shown),
    put("/session", "dashboard_switch", "Switch to another workspace")
        .gives_object("Session", session_schema)
        .role(Role::Member)
        .members("Switch", SWITCH)
        .write(switch),
    post("/session/reauthenticate", "dashboard_reauthenticate", "Confirm your password")
        .gives::<Reauthenticated>(&[200])
        .role(Role::Member)
        .members("Again", AGAIN)
        .effect(EffectSteps { prepare: prepare_again, complete: complete_again }),
    get("/sessions", "dashboard_sessions", "List your sessions")
        .whole_list::<OpenSession>()
        .role(Role::Member)
        .read(list),
    delete("/sessions/{id}", "dashboard_end_session", "End one of your sessions").role(Role::Member).write(end),
    put("/profile", "dashboard_profile", "Change your name")
        .gives_object("Session", session_schema)
        .role(Role::Member)
        .members("Profile", PROFILE)
        .write(rename),
    post("/password", "dashboard_password", "Change your password")
        .gives::<PasswordChanged>(&[200])
        .role(Role::Member)
        .members("NewPassword", NEW_PASSWORD)
        .effect(EffectSteps { prepare: prepare_password, complete: complete_password }),
];

fn shown(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    session_of(&call.ctx, tx, call.key.user)
}

/// The session of a user in a workspace.
pub fn session_of(ctx: &Ctx, tx: &mut dyn Tx, user: Uuid) -> Result<Reply, Error> {
    let workspace = workspace::find(tx, ctx.workspace)?;
    let member = member::one(ctx, tx, user)?;
    let features = [(Feature::Records, "records"), (Feature::Outreach, "outreach"), (Feature::Sourcing, "sourcing")];
    let features: Vec<&str> =
        features.into_iter().filter(|(feature, _)| feature.in_plan(&workspace.plan)).map(|(_, word)| word).collect();
    let workspaces: Vec<Json> = sign_in::workspaces(tx, user)?
        .into_iter()
        .map(|(id, name, role)| json!({ "id": id, "name": name, "role": role }))
        .collect();
    Ok(Reply::json(&json!({
        "user": member::shown(&member),
        "workspace": workspace::shown(&workspace),
        "role": member.role.word(),
        "scopes": crate::api::scope::NAMES,
        "features": features,
        "workspaces": workspaces,
    })))
}

fn switch(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(SWITCH)?;
    let Some(Value::Id(to)) = given.named("workspace_id").cloned() else {
        return Err(invalid("workspace_id", "is required"));
    };
    if !sign_in::workspaces(tx, call.key.user)?.iter().any(|(id, ..)| *id == to) {
        return Err(invalid("workspace_id", "you are not a member of a workspace with this id"));
    }
    session::switch(tx, call.key.key, to)?;
    session_of(&Ctx { workspace: to, ..call.ctx.clone() }, tx, call.key.user)
}

/// The newest first.
fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const LIST: &str = "SELECT id, address, agent, created_at, last_used_at, expires_at FROM sessions \
         WHERE user_id = $1 AND expires_at > $2 ORDER BY id DESC";
    let (current, now) = (call.key.key, tx.clock()?);
    let sessions = tx.rows(LIST, &[call.key.user.into(), now.into()], |row| {
        let id = row.id(0)?;
        Ok(json!({
            "id": id, "current": id == current, "address": row.text(1)?, "user_agent": row.text(2)?,
            "created_at": Time(row.int(3)?).to_string(), "last_used_at": Time(row.int(4)?).to_string(),
            "expires_at": Time(row.int(5)?).to_string(),
        }))
    })?;
    Ok(Reply::whole(sessions))
}

fn end(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const END: &str = "DELETE FROM sessions WHERE user_id = $1 AND id = $2 RETURNING id";
    let id = call.id(0, "session")?;
    tx.one(END, &[call.key.user.into(), id.into()], |_| Ok(()))?.ok_or_else(|| not_found("session"))?;
    config_changed(tx)?;
    Ok(Reply::deleted())
}

fn rename(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(PROFILE)?;
    let member = member::one(&call.ctx, tx, call.key.user)?;
    let (first, last) = (given.named_text("first_name"), given.named_text("last_name"));
    let (first, last) = (first.unwrap_or(&member.first_name), last.unwrap_or(&member.last_name));
    member::rename(&call.ctx, tx, call.key.user, first, last)?;
    session_of(&call.ctx, tx, call.key.user)
}

/// Wrong passwords in an open session are throttled like those at sign-in.
pub fn trier(user: Uuid, session: Uuid) -> Trier {
    Trier { email: user.to_string(), address: session.to_string() }
}

/// Counts an attempt and returns the hash of the user's password.
fn begin_attempt(call: &Call, tx: &mut dyn Tx) -> Result<String, Error> {
    const HASH: &str = "SELECT password_hash FROM users WHERE id = $1";
    let now = tx.stamp();
    attempt::begin(tx, &call.secret, now, &trier(call.key.user, call.key.key))?;
    Ok(tx.one(HASH, &[call.key.user.into()], |row| row.maybe_text(0))?.flatten().unwrap_or_default())
}

/// Resets the attempts after a correct password.
fn end_attempt(call: &Call, tx: &mut dyn Tx) -> Result<(), Error> {
    let now = tx.stamp();
    attempt::forgive(tx, &call.secret, &trier(call.key.user, call.key.key))?;
    session::authenticated(tx, call.key.key, now)
}

fn prepare_again(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let given = call.members(AGAIN)?;
    let hash = begin_attempt(call, tx)?;
    let given = given.named_text("password").unwrap_or_default().to_owned().into();
    Ok(Effect::CheckPassword { user: call.key.user, given, hash })
}

fn complete_again(call: &Call, tx: &mut dyn Tx, _: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
    if *outcome != EffectResult::Checked(true) {
        return Err(invalid("password", "is not your password"));
    }
    end_attempt(call, tx)?;
    let until = tx.stamp() + session::GRACE;
    Ok(Reply::json(&json!({ "authenticated_until": Time(until).to_string() })))
}

fn prepare_password(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let given = call.members(NEW_PASSWORD)?;
    let text = |name: &str| given.named_text(name).unwrap_or_default().to_owned();
    let member = member::one(&call.ctx, tx, call.key.user)?;
    let workspace = workspace::find(tx, call.ctx.workspace)?;
    let hash = begin_attempt(call, tx)?;
    Ok(Effect::ChangePassword {
        user: call.key.user,
        session: call.key.key,
        given: text("current").into(),
        hash,
        new: text("new").into(),
        about: vec![member.email, member.first_name, member.last_name, workspace.name],
    })
}

/// Ends all other sessions, so that everybody else must sign in with the new password.
fn complete_password(call: &Call, tx: &mut dyn Tx, _: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
    let EffectResult::Hashed(Some(hash)) = outcome else {
        return Err(invalid("current", "is not your password"));
    };
    end_attempt(call, tx)?;
    tx.execute("UPDATE users SET password_hash = $1 WHERE id = $2", &[hash.as_str().into(), call.key.user.into()])?;
    session::close_all(tx, call.key.user, Some(call.key.key))?;
    Ok(Reply::json(&json!({ "changed": true })))
}
