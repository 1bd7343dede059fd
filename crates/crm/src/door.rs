//! How people come in: the set-up of a new installation, the password, the invitation, and the link for who has lost theirs.
//! Whoever holds a link may choose a password once; links are kept as hashes. Hashing passwords is done by the caller,
//! with no transaction open.

use crate::attempt::{self, Trier};
use crate::member::{self, Role};
use crate::meta::{Secret, config_changed};
use crate::session::{self, Place};
use crate::workspace::{self, Settings, email_key};
use resource::{Ctx, Error, Format, Resource, Time, event, invalid, not_found};
use serde_json::{Map, json};
use store::{Tx, Uuid};

/// How long a link lets somebody in, in milliseconds.
pub const LINK: i64 = 7 * 24 * 60 * 60 * 1000;
const SHORTEST: usize = 10;

/// The owner of a new installation and the workspace it begins with.
#[derive(Resource)]
pub struct SetUp {
    #[field(required, max = 100)]
    pub token: String,
    #[field(required, format = Format::Email, max = 254)]
    pub email: String,
    /// At least ten characters.
    #[field(required, max = 200)]
    pub password: String,
    #[field(required, max = 100)]
    pub first_name: String,
    #[field(max = 100)]
    pub last_name: Option<String>,
    #[field(required, max = 100)]
    pub workspace_name: String,
    pub timezone: Option<String>,
    pub currency: Option<String>,
    /// Fills the workspace with believable people.
    #[field(default = "false")]
    pub demo_data: bool,
}

#[derive(Resource)]
pub struct SignIn {
    #[field(required, max = 254)]
    pub email: String,
    #[field(required, max = 200)]
    pub password: String,
}

/// Whoever follows a link: an invitation, or the way back in.
#[derive(Resource)]
pub struct Accept {
    #[field(required, max = 100)]
    pub token: String,
    #[field(max = 100)]
    pub first_name: Option<String>,
    #[field(max = 100)]
    pub last_name: Option<String>,
    /// A new one of at least ten characters; of somebody who has one already, that one.
    #[field(required, max = 200)]
    pub password: String,
}

#[derive(Resource)]
pub struct Token {
    #[field(required, max = 100)]
    pub token: String,
}

pub fn check_password(field: &str, password: &str) -> Result<(), Error> {
    match password.chars().count() < SHORTEST {
        true => Err(invalid(field, format!("must have at least {SHORTEST} characters"))),
        false => Ok(()),
    }
}

/// Whether nobody can sign in yet.
pub fn setup_required(tx: &mut dyn Tx) -> Result<bool, Error> {
    const ANY: &str = "SELECT 1 FROM users WHERE password_hash IS NOT NULL LIMIT 1";
    Ok(tx.one(ANY, &[], |_| Ok(()))?.is_none())
}

/// Somebody whom a link lets choose a password.
#[derive(Clone)]
pub struct Guest {
    pub workspace: Uuid,
    pub workspace_name: String,
    pub email: String,
    /// Empty unless they are a member already.
    pub first_name: String,
    pub last_name: String,
    pub user: Option<Uuid>,
    /// The hash of their password, which must be given: an invitation is no way to somebody else's account.
    pub password_hash: Option<String>,
    /// The invitation; without one the link is the user's own.
    pub invitation: Option<(Uuid, Role)>,
}

/// Whom the token of a link belongs to, if it still opens anything.
pub fn guest(tx: &mut dyn Tx, secret: &Secret, token: &str) -> Result<Option<Guest>, Error> {
    let now = tx.clock()?;
    let own = own_link(tx, secret, now, token)?;
    if own.is_some() { Ok(own) } else { invited(tx, secret, now, token) }
}

fn own_link(tx: &mut dyn Tx, secret: &Secret, now: i64, token: &str) -> Result<Option<Guest>, Error> {
    const OWN: &str = "SELECT u.id, u.email, w.id, w.name, m.first_name, m.last_name FROM users u \
         JOIN members m ON m.user_id = u.id JOIN workspaces w ON w.id = m.workspace_id \
         WHERE u.setup_hash = $1 AND (u.setup_until IS NULL OR u.setup_until > $2) AND w.removed_at IS NULL ORDER BY w.id LIMIT 1";
    Ok(tx.one(OWN, &[secret.hash(token).into(), now.into()], |row| {
        Ok(Guest {
            workspace: row.id(2)?,
            workspace_name: row.text(3)?,
            email: row.text(1)?,
            first_name: row.text(4)?,
            last_name: row.text(5)?,
            user: Some(row.id(0)?),
            password_hash: None,
            invitation: None,
        })
    })?)
}

fn invited(tx: &mut dyn Tx, secret: &Secret, now: i64, token: &str) -> Result<Option<Guest>, Error> {
    const INVITED: &str = "SELECT i.id, i.email, i.role, w.id, w.name, u.id, u.password_hash FROM invitations i \
         JOIN workspaces w ON w.id = i.workspace_id LEFT JOIN users u ON u.email_fold = i.email_fold \
         WHERE i.hash = $1 AND i.expires_at > $2 AND w.removed_at IS NULL";
    Ok(tx.one(INVITED, &[secret.hash(token).into(), now.into()], |row| {
        let role = row.text(2)?;
        let role = Role::from_word(&role).ok_or_else(|| store::Error::Corrupt(format!("invitations.role: {role}")))?;
        Ok(Guest {
            workspace: row.id(3)?,
            workspace_name: row.text(4)?,
            email: row.text(1)?,
            first_name: String::new(),
            last_name: String::new(),
            user: row.maybe_id(5)?,
            password_hash: row.maybe_text(6)?,
            invitation: Some((row.id(0)?, role)),
        })
    })?)
}

/// What the owner of a new installation has chosen.
#[derive(Clone)]
pub struct Chosen {
    pub token: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub settings: Settings,
    pub password_hash: String,
}

/// Sets the installation up, once: its owner and the workspace it begins with.
pub fn set_up(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, chosen: &Chosen) -> Result<Uuid, Error> {
    let link = guest(tx, secret, &chosen.token)?.filter(|guest| guest.invitation.is_none());
    let owner = link.filter(|guest| guest.workspace == ctx.workspace).and_then(|guest| guest.user);
    let (true, Some(owner)) = (setup_required(tx)?, owner) else { return Err(spent()) };
    if member::one(ctx, tx, owner)?.role != Role::Owner {
        return Err(spent());
    }
    workspace::set(ctx, tx, &chosen.settings)?;
    let taken = "SELECT 1 FROM users WHERE email_fold = $1 AND id <> $2";
    if tx.one(taken, &[email_key(&chosen.email).into(), owner.into()], |_| Ok(()))?.is_some() {
        return Err(invalid("email", "is another member's"));
    }
    const EMAIL: &str = "UPDATE users SET email = $1, email_fold = $2 WHERE id = $3";
    tx.execute(EMAIL, &[chosen.email.as_str().into(), email_key(&chosen.email).into(), owner.into()])?;
    tx.execute("UPDATE members SET email = $1 WHERE user_id = $2", &[chosen.email.as_str().into(), owner.into()])?;
    member::rename(ctx, tx, owner, &chosen.first_name, &chosen.last_name)?;
    set_password(tx, owner, &chosen.password_hash)?;
    Ok(owner)
}

fn spent() -> Error {
    invalid("token", "is not valid any more; `relata members reset-password` makes a new link")
}

/// Gives somebody a password. The link that led here is spent, and every session of theirs ends.
pub fn set_password(tx: &mut dyn Tx, user: Uuid, password_hash: &str) -> Result<(), Error> {
    const SET: &str = "UPDATE users SET password_hash = $1, setup_hash = NULL, setup_until = NULL WHERE id = $2";
    tx.execute(SET, &[password_hash.into(), user.into()])?;
    session::close_all(tx, user, None)
}

/// Whoever has this email and a password, by its hash.
pub fn known(tx: &mut dyn Tx, email: &str) -> Result<Option<(Uuid, String)>, Error> {
    const KNOWN: &str = "SELECT id, password_hash FROM users WHERE email_fold = $1 AND password_hash IS NOT NULL";
    Ok(tx.one(KNOWN, &[email_key(email.trim()).into()], |row| Ok((row.id(0)?, row.text(1)?)))?)
}

/// The password was right: a session in the first workspace that they are a member of, if there is any.
pub fn sign_in(
    tx: &mut dyn Tx,
    secret: &Secret,
    (user, trier): (Uuid, &Trier),
    token: &str,
    place: &Place,
) -> Result<bool, Error> {
    let now = tx.clock()?;
    attempt::forgive(tx, secret, trier)?;
    let Some((workspace, ..)) = workspaces(tx, user)?.into_iter().next() else { return Ok(false) };
    session::open(tx, secret, now, token, (user, workspace), place)?;
    Ok(true)
}

/// The workspaces that somebody is a member of: id, name, role; the oldest first.
pub fn workspaces(tx: &mut dyn Tx, user: Uuid) -> Result<Vec<(Uuid, String, String)>, Error> {
    const ALL: &str = "SELECT w.id, w.name, m.role FROM members m JOIN workspaces w ON w.id = m.workspace_id \
         WHERE m.user_id = $1 AND w.removed_at IS NULL ORDER BY w.id";
    Ok(tx.rows(ALL, &[user.into()], |row| Ok((row.id(0)?, row.text(1)?, row.text(2)?)))?)
}

/// Lets a guest in: with their own link a new password, with an invitation into its workspace. `password_hash` is that of
/// a new password; without one they have shown the one they have.
pub fn accept(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    token: &str,
    (first_name, last_name): (Option<&str>, Option<&str>),
    password_hash: Option<&str>,
) -> Result<Uuid, Error> {
    let gone = || invalid("token", "is not valid any more; ask for a new link");
    let guest = guest(tx, secret, token)?.filter(|guest| guest.workspace == ctx.workspace).ok_or_else(gone)?;
    // What was checked before must still be so.
    if guest.password_hash.is_some() != password_hash.is_none() {
        return Err(gone());
    }
    let now = tx.stamp();
    let user = match (guest.invitation, guest.user) {
        (Some((id, role)), _) => {
            const SPENT: &str = "DELETE FROM invitations WHERE workspace_id = $1 AND id = $2";
            tx.execute(SPENT, &[ctx.workspace.into(), id.into()])?;
            let user = member::add(ctx, tx, now, &guest.email, "", role.word())?;
            member::rename(ctx, tx, user, first_name.unwrap_or_default(), last_name.unwrap_or_default())?;
            user
        }
        (None, Some(user)) => {
            let kept = |given: Option<&str>, kept: &str| given.unwrap_or(kept).to_owned();
            let (first, last) = (kept(first_name, &guest.first_name), kept(last_name, &guest.last_name));
            member::rename(ctx, tx, user, &first, &last)?;
            user
        }
        (None, None) => return Err(gone()),
    };
    if let Some(hash) = password_hash {
        set_password(tx, user, hash)?;
        let mut told = Map::new();
        told.insert("password".into(), json!([null, "set"]));
        event(ctx, tx, "member.updated", "member", user, &told)?;
    }
    Ok(user)
}

/// A link with which a member chooses a new password; the one that was made before ends. Gives whether it is an owner's,
/// by which the installation still waits to be set up.
pub fn make_link(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, email: &str, token: &str) -> Result<bool, Error> {
    const LINKED: &str = "UPDATE users SET setup_hash = $1, setup_until = $2 WHERE id = $3";
    let member = member::called(ctx, tx, Some(email))?;
    let until = tx.stamp() + LINK;
    tx.execute(LINKED, &[secret.hash(token).into(), until.into(), member.user_id.into()])?;
    let mut told = Map::new();
    told.insert("link_until".into(), json!([null, Time(until).to_string()]));
    event(ctx, tx, "member.link_made", "member", member.user_id, &told)?;
    Ok(member.role == Role::Owner && setup_required(tx)?)
}

/// An invitation into the workspace, by the token of its link.
pub fn invite(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    email: &str,
    role: Role,
    token: &str,
) -> Result<Uuid, Error> {
    const INVITE: &str = "INSERT INTO invitations (workspace_id, id, email, email_fold, role, hash, invited_by, created_at, expires_at) \
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    const BEFORE: &str = "DELETE FROM invitations WHERE workspace_id = $1 AND email_fold = $2";
    let email = member::checked_email(email)?;
    if member::list(ctx, tx)?.iter().any(|member| email_key(&member.email) == email_key(&email)) {
        return Err(invalid("email", format!("{email} is a member already")));
    }
    let (id, now) = (tx.id(), tx.stamp());
    tx.execute(BEFORE, &[ctx.workspace.into(), email_key(&email).into()])?;
    let params = [
        ctx.workspace.into(),
        id.into(),
        email.as_str().into(),
        email_key(&email).into(),
        role.word().into(),
        secret.hash(token).into(),
        ctx.actor.user.into(),
        now.into(),
        (now + LINK).into(),
    ];
    tx.execute(INVITE, &params)?;
    let mut told = Map::new();
    told.insert("email".into(), json!([null, email]));
    told.insert("role".into(), json!([null, role.word()]));
    event(ctx, tx, "invitation.created", "invitation", id, &told)?;
    Ok(id)
}

/// Takes an invitation back.
pub fn uninvite(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    const TAKE: &str = "DELETE FROM invitations WHERE workspace_id = $1 AND id = $2 RETURNING email";
    let taken = tx.one(TAKE, &[ctx.workspace.into(), id.into()], |row| row.text(0))?;
    let email = taken.ok_or_else(|| not_found("invitation"))?;
    let mut told = Map::new();
    told.insert("email".into(), json!([email, null]));
    config_changed(tx)?;
    event(ctx, tx, "invitation.deleted", "invitation", id, &told)
}
