//! Members: the people of a workspace. A user is the same person in all workspaces.

use crate::meta::config_changed;
use crate::operation::{Call, Operation, Reply, get};
use crate::workspace::email_key;
use resource::{Ctx, Error, Resource, event, invalid, not_found, tidy};
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

resource::choices! {
    Role { Owner = "owner", Admin = "admin", Member = "member" }
}

/// A person who works in the workspace.
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

/// Oldest first; not cut into pages.
pub fn list(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Member>, Error> {
    const LIST: &str =
        "SELECT user_id, first_name, last_name, email, role FROM members WHERE workspace_id = $1 ORDER BY user_id";
    tx.rows(LIST, &[ctx.workspace.into()], |row| Ok(Member::decode(row)))?.into_iter().collect()
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

/// The member with this email, case folded; without one the workspace's owner.
pub fn called(ctx: &Ctx, tx: &mut dyn Tx, email: Option<&str>) -> Result<Member, Error> {
    let found = list(ctx, tx)?.into_iter().find(|member| match email {
        Some(email) => email_key(&member.email) == email_key(email),
        None => member.role == Role::Owner,
    });
    found.ok_or_else(|| {
        not_found(email.map_or("the workspace's owner".to_owned(), |email| format!("a member with the email {email}")))
    })
}

pub fn add(ctx: &Ctx, tx: &mut dyn Tx, now: i64, email: &str, name: &str, role: &str) -> Result<Uuid, Error> {
    let (email, name) = (tidy("email", email)?, tidy("name", name)?);
    // An installation's first owner is called owner@localhost until somebody says better.
    if email.chars().count() > 254
        || !email.split_once('@').is_some_and(|(a, b)| !a.is_empty() && !b.is_empty())
        || email.contains(char::is_whitespace)
    {
        return Err(invalid("email", "is not an email address"));
    }
    if !Role::WORDS.contains(&role) {
        return Err(invalid("role", format!("must be one of {}", Role::WORDS.join(", "))));
    }
    if list(ctx, tx)?.iter().any(|member| email_key(&member.email) == email_key(&email)) {
        return Err(invalid("email", format!("{email} is a member already")));
    }
    let known = tx.one("SELECT id FROM users WHERE email_fold = $1", &[email_key(&email).into()], |row| row.id(0))?;
    let user = match known {
        Some(user) => user,
        None => {
            const USER: &str = "INSERT INTO users (id, email, email_fold, created_at) VALUES ($1, $2, $3, $4)";
            let user = tx.id_at(now);
            tx.execute(USER, &[user.into(), email.as_str().into(), email_key(&email).into(), now.into()])?;
            user
        }
    };
    let (first, last) = name.split_once(' ').unwrap_or((&name, ""));
    const ADD: &str = "INSERT INTO members (workspace_id, user_id, email, first_name, last_name, role, created_at) VALUES ($1, $2, $3, $4, $5, $6, $7)";
    let params = [
        ctx.workspace.into(),
        user.into(),
        email.as_str().into(),
        first.trim().into(),
        last.trim().into(),
        role.into(),
        now.into(),
    ];
    tx.execute(ADD, &params)?;
    config_changed(tx)?;
    if tx.stamp() > 0 {
        let mut told = Map::new();
        told.insert("email".into(), json!([null, email]));
        told.insert("role".into(), json!([null, role]));
        event(ctx, tx, "member.created", "member", user, &told)?;
    }
    Ok(user)
}
