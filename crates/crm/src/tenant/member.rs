//! Members of a workspace. A user is the same person in all workspaces.

use crate::api::call::{Call, Reply};
use crate::api::meta::config_changed;
use crate::api::operation::{Operation, get};
use crate::api::scope::Role;
use crate::tenant::email::email_key;
use crate::tenant::invitation;
use resource::{Ctx, Error, Resource, decoded, event, invalid, not_found, tidy};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

/// A member of the workspace.
#[derive(Resource)]
#[resource(table = "members", one = "member")]
pub struct Member {
    pub user_id: Uuid,
    pub first_name: String,
    pub last_name: String,
    pub email: String,
    pub role: Role,
}

pub const OPERATIONS: &[Operation] =
    &[get("/workspace/members", "list_members", "List the workspace's members").read(all).whole_list::<Member>()];

/// Refuses a signed-in member who is no admin, and a key whose owner is none.
pub fn require_admin(call: &Call, tx: &mut dyn Tx, reason: &str) -> Result<(), Error> {
    let role = match call.key.role {
        Some(role) => Some(role),
        // A key may do as much as its owner.
        None => list(&call.ctx, tx)?.into_iter().find(|one| one.user_id == call.key.user).map(|one| one.role),
    };
    if role.is_some_and(|role| role.is(Role::Admin)) { Ok(()) } else { Err(Error::Role(reason.into())) }
}

/// Oldest first, without pages.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Member>, Error> {
    const LIST: &str =
        "SELECT user_id, first_name, last_name, email, role FROM members WHERE workspace_id = $1 ORDER BY user_id";
    tx.rows(LIST, &[ctx.workspace.into()], |row| Ok(decoded::<Member>(row)))?.into_iter().collect()
}

fn all(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    Ok(Reply::whole(list(&call.ctx, tx)?.iter().map(shown).collect()))
}

pub fn shown(member: &Member) -> Json {
    json!({
        "user_id": member.user_id, "first_name": member.first_name, "last_name": member.last_name,
        "email": member.email, "role": member.role.word(),
    })
}

/// The member with this email, ignoring case; `None` is the workspace's owner.
pub fn called(ctx: &Ctx, tx: &mut dyn Tx, email: Option<&str>) -> Result<Member, Error> {
    let found = list(ctx, tx)?.into_iter().find(|member| match email {
        Some(email) => email_key(&member.email) == email_key(email),
        None => member.role == Role::Owner,
    });
    found.ok_or_else(|| {
        not_found(email.map_or("the workspace's owner".to_owned(), |email| format!("a member with the email {email}")))
    })
}

/// Adds a member. Without a name, the name from another workspace of the user is copied.
pub fn add(ctx: &Ctx, tx: &mut dyn Tx, now: i64, email: &str, name: &str, role: &str) -> Result<Uuid, Error> {
    let (email, name) = (checked_email(email)?, tidy("name", name)?);
    if !Role::WORDS.contains(&role) {
        return Err(invalid("role", format!("must be one of {}", Role::WORDS.join(", "))));
    }
    if list(ctx, tx)?.iter().any(|member| email_key(&member.email) == email_key(&email)) {
        return Err(invalid("email", format!("{email} is a member already")));
    }
    // An update that changes nothing takes the row lock, so that the user can't be erased with another workspace in the
    // meantime.
    const KNOWN: &str = "UPDATE users SET email = email WHERE email_fold = $1 RETURNING id";
    let user = match make_user(tx, now, &email, None)? {
        Some(user) => user,
        None => tx
            .one(KNOWN, &[email_key(&email).into()], |row| row.id(0))?
            .ok_or_else(|| store::Error::Internal("a user vanished".into()))?,
    };
    let (first, last) = match name.split_once(' ') {
        _ if name.is_empty() => names_elsewhere(tx, user)?,
        Some((first, last)) => (first.trim().to_owned(), last.trim().to_owned()),
        None => (name, String::new()),
    };
    const ADD: &str = "INSERT INTO members (workspace_id, user_id, email, first_name, last_name, role, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let params =
        [ctx.workspace.into(), user.into(), email.as_str().into(), first.into(), last.into(), role.into(), now.into()];
    tx.execute(ADD, &params)?;
    config_changed(tx)?;
    if tx.stamp() > 0 {
        let mut changes = Map::new();
        changes.insert("email".into(), json!([null, email]));
        changes.insert("role".into(), json!([null, role]));
        event(ctx, tx, "member.created", "member", user, &changes)?;
    }
    Ok(user)
}

/// Creates a user; `None` if the address has one already. Workspaces are written concurrently, so only this statement
/// can decide: a given password never becomes that of a user whom another transaction has created.
pub fn make_user(tx: &mut dyn Tx, now: i64, email: &str, password_hash: Option<&str>) -> Result<Option<Uuid>, Error> {
    const MAKE: &str = "INSERT INTO users (id, email, email_fold, password_hash, created_at) VALUES ($1, $2, $3, $4, $5) \
         ON CONFLICT (email_fold) DO NOTHING RETURNING id";
    let (user, hash) = (tx.id_at(now), password_hash.map(str::to_owned));
    let params = [user.into(), email.into(), email_key(email).into(), hash.into(), now.into()];
    Ok(tx.one(MAKE, &params, |row| row.id(0))?)
}

/// The first and last name of the user in another workspace; empty if there is none.
pub fn names_elsewhere(tx: &mut dyn Tx, user: Uuid) -> Result<(String, String), Error> {
    const NAMES: &str = "SELECT first_name, last_name FROM members WHERE user_id = $1 AND first_name <> '' \
         ORDER BY workspace_id LIMIT 1";
    Ok(tx.one(NAMES, &[user.into()], |row| Ok((row.text(0)?, row.text(1)?)))?.unwrap_or_default())
}

/// Checks an email and returns its stored form. `owner@localhost`, the first owner of an installation, must be valid.
pub fn checked_email(email: &str) -> Result<String, Error> {
    let email = tidy("email", email)?;
    let fits = email.split_once('@').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
    match fits && email.chars().count() <= 254 && !email.contains(char::is_whitespace) {
        true => Ok(email),
        false => Err(invalid("email", "is not an email address")),
    }
}

/// Gives a member another name.
pub fn rename(ctx: &Ctx, tx: &mut dyn Tx, user: Uuid, first: &str, last: &str) -> Result<(), Error> {
    const RENAME: &str = "UPDATE members SET first_name = $1, last_name = $2 WHERE workspace_id = $3 AND user_id = $4";
    let member = one(ctx, tx, user)?;
    let (first, last) = (tidy("first_name", first)?, tidy("last_name", last)?);
    let mut changes = Map::new();
    for (name, from, to) in [("first_name", &member.first_name, &first), ("last_name", &member.last_name, &last)] {
        if from != to {
            changes.insert(name.into(), json!([from, to]));
        }
    }
    if changes.is_empty() {
        return Ok(());
    }
    tx.execute(RENAME, &[first.into(), last.into(), ctx.workspace.into(), user.into()])?;
    config_changed(tx)?;
    event(ctx, tx, "member.updated", "member", user, &changes)
}

/// The member who is this user.
pub fn one(ctx: &Ctx, tx: &mut dyn Tx, user: Uuid) -> Result<Member, Error> {
    let found = list(ctx, tx)?.into_iter().find(|member| member.user_id == user);
    found.ok_or_else(|| not_found("member"))
}

pub fn is_member(ctx: &Ctx, tx: &mut dyn Tx, user: Uuid) -> Result<bool, Error> {
    const IS: &str = "SELECT 1 FROM members WHERE workspace_id = $1 AND user_id = $2";
    Ok(tx.one(IS, &[ctx.workspace.into(), user.into()], |row| row.int(0))?.is_some())
}

/// Changes the role of a member; a workspace always keeps an owner. Ends invitations that the new role does not permit.
pub fn set_role(ctx: &Ctx, tx: &mut dyn Tx, user: Uuid, role: Role) -> Result<(), Error> {
    const SET: &str = "UPDATE members SET role = $1 WHERE workspace_id = $2 AND user_id = $3";
    let member = one(ctx, tx, user)?;
    if member.role == role {
        return Ok(());
    }
    keep_an_owner(ctx, tx, &member, "role")?;
    tx.execute(SET, &[role.word().into(), ctx.workspace.into(), user.into()])?;
    config_changed(tx)?;
    invitation::end_invitations(ctx, tx, user, Some(role))?;
    let mut changes = Map::new();
    changes.insert("role".into(), json!([member.role.word(), role.word()]));
    event(ctx, tx, "member.updated", "member", user, &changes)
}

/// Removes a member with their keys, sessions, open invitations and drafts. Their records stay.
pub fn remove(ctx: &Ctx, tx: &mut dyn Tx, user: Uuid) -> Result<(), Error> {
    const REMOVE: &str = "DELETE FROM members WHERE workspace_id = $1 AND user_id = $2";
    const DRAFTS: &str = "DELETE FROM message_drafts WHERE workspace_id = $1 AND user_id = $2";
    let member = one(ctx, tx, user)?;
    keep_an_owner(ctx, tx, &member, "user_id")?;
    for key in crate::api::key::list(ctx, tx)?.into_iter().filter(|key| key.user == user) {
        crate::api::key::revoke(ctx, tx, key.id)?;
    }
    crate::tenant::session::close_in(tx, ctx.workspace, user)?;
    invitation::end_invitations(ctx, tx, user, None)?;
    tx.execute(REMOVE, &[ctx.workspace.into(), user.into()])?;
    tx.execute(DRAFTS, &[ctx.workspace.into(), user.into()])?;
    let mut changes = Map::new();
    changes.insert("email".into(), json!([member.email, null]));
    event(ctx, tx, "member.deleted", "member", user, &changes)
}

fn keep_an_owner(ctx: &Ctx, tx: &mut dyn Tx, member: &Member, field: &str) -> Result<(), Error> {
    let others = list(ctx, tx)?.into_iter().filter(|other| other.user_id != member.user_id);
    match member.role == Role::Owner && !others.into_iter().any(|other| other.role == Role::Owner) {
        true => Err(invalid(field, "is the workspace's only owner; make somebody else one first")),
        false => Ok(()),
    }
}
