//! Settings > Members: members, their roles, and invitations. Only owners manage owners.

use super::answers::{Invitation, InvitationLink, member_schema};
use super::require;
use crate::api::call::{Call, Reply};
use crate::api::key::token;
use crate::api::operation::{Operation, delete, get, post, put};
use crate::api::scope::Role;
use crate::outreach::account;
use crate::tenant::invitation;
use crate::tenant::{member, sign_in};
use resource::{Error, Field, Format, Resource, StoredRow, Time, invalid};
use serde_json::{Value as Json, json};
use store::Tx;

#[derive(Resource)]
pub struct NewRole {
    #[field(required)]
    pub role: Role,
}

#[derive(Resource)]
pub struct NewInvitation {
    #[field(required, format = Format::Email, max = 254)]
    pub email: String,
    #[field(required)]
    pub role: Role,
}

const NEW_ROLE: &[Field] = NewRole::FIELDS;
const NEW_INVITATION: &[Field] = NewInvitation::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/members", "dashboard_members", "List members and whether they can sign in")
        .gives_objects("WorkspaceMember", member_schema)
        .role(Role::Admin)
        .read(list),
    put("/members/{user_id}", "dashboard_role", "Change a member's role")
        .gives::<member::Member>(&[200])
        .role(Role::Admin)
        .reauthenticates()
        .members("NewRole", NEW_ROLE)
        .write(set_role),
    delete("/members/{user_id}", "dashboard_remove_member", "Remove a member")
        .role(Role::Admin)
        .reauthenticates()
        .write(remove),
    get("/invitations", "dashboard_invitations", "List open invitations")
        .whole_list::<Invitation>()
        .role(Role::Admin)
        .read(invitations),
    post("/invitations", "dashboard_invite", "Create an invitation link")
        .gives::<InvitationLink>(&[201])
        .role(Role::Admin)
        .reauthenticates()
        .members("NewInvitation", NEW_INVITATION)
        .write(invite),
    delete("/invitations/{id}", "dashboard_uninvite", "Revoke an invitation").role(Role::Admin).write(uninvite),
];

fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const MORE: &str = "SELECT m.user_id, m.created_at, u.password_hash IS NOT NULL, \
         (SELECT max(s.last_used_at) FROM sessions s WHERE s.user_id = m.user_id AND s.workspace_id = m.workspace_id) \
         FROM members m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = $1";
    let more = tx.rows(MORE, &[call.ctx.workspace.into()], |row| {
        Ok((row.id(0)?, row.int(1)?, row.bool(2)?, row.maybe_int(3)?))
    })?;
    let shown = |member: &member::Member| {
        let mut shown = member::shown(member);
        if let Some((_, since, password, seen)) = more.iter().find(|(user, ..)| *user == member.user_id) {
            shown["joined_at"] = Time(*since).to_string().into();
            shown["has_password"] = (*password).into();
            shown["last_seen_at"] = seen.map_or(Json::Null, |at| Time(at).to_string().into());
        }
        shown
    };
    Ok(Reply::whole(member::list(&call.ctx, tx)?.iter().map(shown).collect()))
}

/// Rejects users who may not grant or revoke this role. Their own role is read in the transaction, because that of the
/// session may be outdated.
fn require_managing(call: &Call, tx: &mut dyn Tx, touched: Role) -> Result<(), Error> {
    let own = member::list(&call.ctx, tx)?.into_iter().find(|member| member.user_id == call.key.user);
    let own = own.ok_or_else(|| Error::Role("you are no longer a member of this workspace".into()))?;
    require(own.role, if touched == Role::Owner { Role::Owner } else { Role::Admin })
}

fn set_role(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (user, given) = (call.id(0, "member")?, call.members(NEW_ROLE)?);
    let new = given.named_text("role").and_then(Role::from_word).ok_or_else(|| invalid("role", "is required"))?;
    let before = member::one(&call.ctx, tx, user)?.role;
    for touched in [before, new] {
        require_managing(call, tx, touched)?;
    }
    member::set_role(&call.ctx, tx, user, new)?;
    Ok(Reply::json(&member::shown(&member::one(&call.ctx, tx, user)?)))
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let user = call.id(0, "member")?;
    let member = member::one(&call.ctx, tx, user)?;
    require_managing(call, tx, member.role)?;
    account::remove_of(&call.ctx, tx, user)?;
    member::remove(&call.ctx, tx, user)?;
    Ok(Reply::deleted())
}

/// The newest first.
fn invitations(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const LIST: &str = "SELECT i.id, i.email, i.role, i.created_at, i.expires_at, i.invited_by, m.email FROM invitations i \
         LEFT JOIN members m ON m.workspace_id = i.workspace_id AND m.user_id = i.invited_by \
         WHERE i.workspace_id = $1 AND i.expires_at > $2 ORDER BY i.id DESC";
    let now = tx.clock()?;
    let all = tx.rows(LIST, &[call.ctx.workspace.into(), now.into()], |row| {
        Ok(json!({
            "id": row.id(0)?, "email": row.text(1)?, "role": row.word(2, Role::from_word)?.word(),
            "created_at": Time(row.int(3)?).to_string(), "expires_at": Time(row.int(4)?).to_string(),
            "invited_by": { "user_id": row.maybe_id(5)?, "email": row.maybe_text(6)? },
        }))
    })?;
    Ok(Reply::whole(all))
}

/// The link is shown once; another invitation of the same address replaces it.
fn invite(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let given = call.members(NEW_INVITATION)?;
    let new = given.named_text("role").and_then(Role::from_word).ok_or_else(|| invalid("role", "is required"))?;
    require_managing(call, tx, new)?;
    let (email, token) = (given.named_text("email").unwrap_or_default(), token());
    let id = sign_in::invite(&call.ctx, tx, &call.secret, email, new, &token)?;
    let until = tx.stamp() + sign_in::LINK;
    Ok(Reply {
        status: 201,
        ..Reply::json(&json!({
            "id": id, "email": email, "role": new.word(), "expires_at": Time(until).to_string(),
            "link": format!("{}/invitation#{token}", call.public_url),
        }))
    })
}

fn uninvite(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    invitation::uninvite(&call.ctx, tx, call.id(0, "invitation")?)?;
    Ok(Reply::deleted())
}
