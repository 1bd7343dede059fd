//! Sign-in, the set-up of a new installation, invitations, and links that replace a lost password. Only hashes of links
//! are stored. A user's own link, which the operator prints, sets a password once. An invitation never sets the
//! password of an existing user, because the inviter knows its link. The caller checks and hashes passwords while no
//! transaction is open.

use crate::api::meta::Secret;
use crate::api::scope::Role;
use crate::tenant::attempt::{self, Trier};
use crate::tenant::email::email_key;
use crate::tenant::member;
use crate::tenant::session::{self, Place};
use crate::tenant::workspace::{self, Settings};
use resource::{Ctx, Error, Format, Resource, StoredRow, Time, event, invalid};
use serde_json::{Map, json};
use store::{Tx, Uuid};

/// How long a link is valid, in milliseconds.
pub const LINK: i64 = 7 * 24 * 60 * 60 * 1000;

/// The owner and the first workspace of a new installation.
#[derive(Resource)]
pub struct SetUp {
    #[field(required, max = 100)]
    pub token: String,
    #[field(required, format = Format::Email, max = 254)]
    pub email: String,
    /// At least twelve characters, and not easy to guess.
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
    /// Fills the workspace with demo data.
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

/// A link that a user follows: an invitation, or a link that replaces a lost password.
#[derive(Resource)]
pub struct Accept {
    #[field(required, max = 100)]
    pub token: String,
    #[field(max = 100)]
    pub first_name: Option<String>,
    #[field(max = 100)]
    pub last_name: Option<String>,
    /// A new password, or that of the existing account with the invited address. Not needed with a session of that
    /// account.
    #[field(max = 200)]
    pub password: Option<String>,
}

#[derive(Resource)]
pub struct Token {
    #[field(required, max = 100)]
    pub token: String,
}

/// Whether no user can sign in yet.
pub fn setup_required(tx: &mut dyn Tx) -> Result<bool, Error> {
    const ANY: &str = "SELECT 1 FROM users WHERE password_hash IS NOT NULL LIMIT 1";
    Ok(tx.one(ANY, &[], |_| Ok(()))?.is_none())
}

/// The user of a link.
#[derive(Clone)]
pub struct Guest {
    pub workspace: Uuid,
    pub workspace_name: String,
    pub email: String,
    /// Empty unless they are a member already.
    pub first_name: String,
    pub last_name: String,
    pub user: Option<Uuid>,
    /// Only for an invitation: the hash of the user's existing password.
    pub password_hash: Option<String>,
    /// The invitation; `None` for a user's own link.
    pub invitation: Option<(Uuid, Role)>,
}

/// The user of a link, if its token is still valid.
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

/// The invitation with this token, unless its inviter has left or may no longer grant its role.
fn invited(tx: &mut dyn Tx, secret: &Secret, now: i64, token: &str) -> Result<Option<Guest>, Error> {
    const INVITED: &str = "SELECT i.id, i.email, i.role, w.id, w.name, u.id, u.password_hash, m.role, m.user_id FROM invitations i \
         JOIN workspaces w ON w.id = i.workspace_id \
         JOIN members m ON m.workspace_id = i.workspace_id AND m.user_id = i.invited_by \
         LEFT JOIN users u ON u.email_fold = i.email_fold \
         WHERE i.hash = $1 AND i.expires_at > $2 AND w.removed_at IS NULL";
    let found = tx.one(INVITED, &[secret.hash(token).into(), now.into()], |row| {
        let role = row.word(2, Role::from_word)?;
        let guest = Guest {
            workspace: row.id(3)?,
            workspace_name: row.text(4)?,
            email: row.text(1)?,
            first_name: String::new(),
            last_name: String::new(),
            user: row.maybe_id(5)?,
            password_hash: row.maybe_text(6)?,
            invitation: Some((row.id(0)?, role)),
        };
        let inviter =
            row.word(7, Role::from_word).map_err(|error| error.in_row("members", row.id(8).unwrap_or_default()));
        Ok((guest, inviter?.manages(role)))
    })?;
    Ok(found.filter(|(_, permitted)| *permitted).map(|(guest, _)| guest))
}

/// The input of the set-up.
#[derive(Clone)]
pub struct Chosen {
    pub token: String,
    pub email: String,
    pub first_name: String,
    pub last_name: String,
    pub settings: Settings,
    pub password_hash: String,
}

/// Sets up the installation, once: its owner and its first workspace.
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

/// Sets a user's password. Invalidates the link and ends all sessions of the user.
pub fn set_password(tx: &mut dyn Tx, user: Uuid, password_hash: &str) -> Result<(), Error> {
    const SET: &str = "UPDATE users SET password_hash = $1, setup_hash = NULL, setup_until = NULL WHERE id = $2";
    tx.execute(SET, &[password_hash.into(), user.into()])?;
    session::close_all(tx, user, None)
}

/// The user with this email, and the hash of their password, if they have one.
pub fn known(tx: &mut dyn Tx, email: &str) -> Result<Option<(Uuid, String)>, Error> {
    const KNOWN: &str = "SELECT id, password_hash FROM users WHERE email_fold = $1 AND password_hash IS NOT NULL";
    Ok(tx.one(KNOWN, &[email_key(email.trim()).into()], |row| Ok((row.id(0)?, row.text(1)?)))?)
}

/// After a correct password: starts a session in the user's first workspace; false if there is none.
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

/// The workspaces of a user: id, name, role; the oldest first.
pub fn workspaces(tx: &mut dyn Tx, user: Uuid) -> Result<Vec<(Uuid, String, String)>, Error> {
    const ALL: &str = "SELECT w.id, w.name, m.role FROM members m JOIN workspaces w ON w.id = m.workspace_id \
         WHERE m.user_id = $1 AND w.removed_at IS NULL ORDER BY w.id";
    Ok(tx.rows(ALL, &[user.into()], |row| Ok((row.id(0)?, row.text(1)?, row.text(2)?)))?)
}

/// The proof of identity of somebody who accepts a link.
#[derive(Clone)]
pub enum Proof {
    /// The hash of a newly chosen password: with their own link, or as a new user.
    NewPassword(String),
    /// The password of this user; its hash.
    Password(Uuid, String),
    /// A session of this user.
    Session(Uuid),
}

/// The error for everybody who accepts an invitation without being its user. It does not reveal whether the user has
/// another password, or none at all.
pub fn not_theirs() -> Error {
    let way_out = "sign in to that account first, or ask the operator of this server for a link that sets its password";
    invalid("password", format!("is not that of the account that this address has here; {way_out}"))
}

/// Accepts a link: the user's own sets their password, an invitation makes them a member. Everything that was checked
/// outside the transaction is compared again, and only a user whom this transaction creates gets the new password.
pub fn accept(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    secret: &Secret,
    token: &str,
    (first_name, last_name): (Option<&str>, Option<&str>),
    proof: &Proof,
) -> Result<Uuid, Error> {
    let gone = || invalid("token", "is not valid any more; ask for a new link");
    let guest = guest(tx, secret, token)?.filter(|guest| guest.workspace == ctx.workspace).ok_or_else(gone)?;
    let Some((invitation, role)) = guest.invitation else {
        let (Some(user), Proof::NewPassword(hash)) = (guest.user, proof) else { return Err(gone()) };
        let (first, last) = (first_name.unwrap_or(&guest.first_name), last_name.unwrap_or(&guest.last_name));
        member::rename(ctx, tx, user, first, last)?;
        set_password(tx, user, hash)?;
        let mut changes = Map::new();
        changes.insert("password".into(), json!([null, "set"]));
        event(ctx, tx, "member.updated", "member", user, &changes)?;
        return Ok(user);
    };
    let now = tx.stamp();
    let user = match (proof, guest.user) {
        (Proof::NewPassword(hash), None) => member::make_user(tx, now, &guest.email, Some(hash))?,
        (Proof::Password(user, hash), Some(known)) if *user == known && guest.password_hash.as_ref() == Some(hash) => {
            Some(known)
        }
        (Proof::Session(user), Some(known)) if *user == known => Some(known),
        _ => None,
    };
    let user = user.ok_or_else(not_theirs)?;
    const SPENT: &str = "DELETE FROM invitations WHERE workspace_id = $1 AND id = $2";
    tx.execute(SPENT, &[ctx.workspace.into(), invitation.into()])?;
    let (first, last) = member::names_elsewhere(tx, user)?;
    member::add(ctx, tx, now, &guest.email, "", role.word())?;
    let given = |name: Option<&str>| name.map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned);
    member::rename(ctx, tx, user, &given(first_name).unwrap_or(first), &given(last_name).unwrap_or(last))?;
    Ok(user)
}

/// Creates a link with which a member chooses a new password; an earlier link becomes invalid. Returns whether the
/// member is an owner and the installation is not set up yet.
pub fn make_link(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, email: &str, token: &str) -> Result<bool, Error> {
    const LINKED: &str = "UPDATE users SET setup_hash = $1, setup_until = $2 WHERE id = $3";
    let member = member::called(ctx, tx, Some(email))?;
    let until = tx.stamp() + LINK;
    tx.execute(LINKED, &[secret.hash(token).into(), until.into(), member.user_id.into()])?;
    let mut changes = Map::new();
    changes.insert("link_until".into(), json!([null, Time(until).to_string()]));
    event(ctx, tx, "member.link_made", "member", member.user_id, &changes)?;
    Ok(member.role == Role::Owner && setup_required(tx)?)
}

/// Creates an invitation to the workspace with the token of its link.
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
    let mut changes = Map::new();
    changes.insert("email".into(), json!([null, email]));
    changes.insert("role".into(), json!([null, role.word()]));
    event(ctx, tx, "invitation.created", "invitation", id, &changes)?;
    Ok(id)
}
