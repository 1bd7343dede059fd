//! The server addresses and secrets of an account.

use super::problem;
use crate::api::effects::Reach;
use crate::api::meta::Secret;
use crate::api::seal::{self, Sealed};
use resource::{Ctx, Error, Problem, place};
use store::{Row, Tx, Uuid};

/// What is missing or not allowed in the server addresses of an account of this kind.
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

/// Why an account can't move to another server: its stored secret would be sent to a server that it was not given for.
/// `token_given` says whether the request has the provider's token.
pub fn check_move(before: &Reach, after: &Reach, token_given: bool) -> Vec<Problem> {
    const TOKEN: &str = "is required with a new url: the stored token is not sent to another address";
    const AGAIN: &str = "needs the user and the password again: the stored ones are not sent to another address";
    // An invalid address is reported elsewhere.
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

/// The server addresses and secrets of an account; `None` if it was removed.
pub fn reach(ctx: &Ctx, tx: &mut dyn Tx, secret: &Secret, id: Uuid) -> Result<Option<Reach>, Error> {
    const SEALED: &str = "SELECT sealed, key_id FROM account_states WHERE workspace_id = $1 AND account_id = $2";
    let sealed = tx.one(SEALED, &[ctx.workspace.into(), id.into()], sealed)?;
    let Some(sealed) = sealed else { return Ok(None) };
    let text = seal::open(secret, id, &sealed).map_err(|error| error.at("sealed").in_row("account_states", id))?;
    place("account_states", "sealed", &id).json(&text).map(Some)
}

fn sealed(row: &dyn Row) -> Result<Sealed, store::Error> {
    Ok(Sealed { text: row.text(0)?, key_id: row.text(1)? })
}

/// Seals all secrets of the workspace again, with the newest key; gives how many.
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
