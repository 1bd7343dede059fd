//! Clients for the mail servers or the provider of a connected account, and tests of the connection.

use crate::{App, lanes};
use connect::fault::Fault;
use connect::guard::Guard;
use connect::provider::{Provider, is_token};
use connect::server::{Invalid, Server, TokenSource};
use connect::{imap, smtp};
use crm::api::effects::{Reach, Trouble};
use crm::outreach::account::{self, ConnectedAccount};
use resource::{Actor, Ctx, Error, find};
use std::collections::HashSet;
use std::sync::Arc;
use store::{Lane, Tx, Uuid};

/// What connections of an account may use: where they may go, and its OAuth tokens.
#[derive(Clone)]
pub struct Access {
    pub guard: Guard,
    pub tokens: Option<TokenSource>,
}

/// The guard for one address of an account. Addresses that the operator set on the command line are not restricted.
fn guard_of(guard: &Guard, by_operator: bool) -> Guard {
    if by_operator { Guard::operator() } else { guard.clone() }
}

impl From<Guard> for Access {
    fn from(guard: Guard) -> Access {
        Access { guard, tokens: None }
    }
}

impl Access {
    /// Of an account in the database.
    pub(crate) fn of(app: &Arc<App>, workspace: Uuid, account: Uuid) -> Access {
        Access { guard: app.guard.clone(), tokens: Some(app.tokens.source(workspace, account)) }
    }

    /// The server with the account's tokens. They go to no address that a member has set.
    fn admit(&self, server: Result<Server, Invalid>, by_operator: bool) -> Result<Server, Invalid> {
        match server? {
            server if server.needs_tokens() && !by_operator => Err(Invalid {
                reason: "auth=xoauth2 takes a token as the password here; to sign in by OAuth with tokens that are renewed, \
                         connect the mailbox with the button of its provider"
                    .to_owned(),
                lacks_password: true,
            }),
            server => Ok(server.with_tokens(self.tokens.clone())),
        }
    }
}

pub(crate) fn smtp_server(access: &Access, reach: &Reach) -> Option<Result<Server, Invalid>> {
    let by_operator = reach.by_operator.smtp;
    Some(access.admit(Server::smtp(reach.smtp.as_deref()?, &guard_of(&access.guard, by_operator)), by_operator))
}

/// The client of the server that receives the account's mail.
pub(crate) fn imap_server(access: &Access, reach: &Reach) -> Option<Result<Server, Invalid>> {
    let by_operator = reach.by_operator.imap;
    Some(access.admit(Server::imap(reach.imap.as_deref()?, &guard_of(&access.guard, by_operator)), by_operator))
}

/// The account's provider, of a network or chat.
pub(crate) fn provider(guard: &Guard, reach: &Reach) -> Option<Result<Provider, Invalid>> {
    let (url, token) = (reach.url.as_deref()?, reach.token.as_deref()?);
    Some(Provider::new(url, token, &guard_of(guard, reach.by_operator.url)))
}

fn acting(app: &Arc<App>, workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("outbox"), memory: app.memory.clone() }
}

/// An account, and how it is reached.
pub(crate) async fn account_of(
    app: &Arc<App>,
    workspace: Uuid,
    account: Uuid,
) -> Result<Option<(Reach, ConnectedAccount)>, Error> {
    let (ctx, secret) = (acting(app, workspace), app.secret.clone());
    let work = move |tx: &mut dyn Tx| {
        let reach = account::reach(&ctx, tx, &secret, account)?;
        let record = find::<ConnectedAccount>(&ctx, tx, account)?.record;
        Ok::<_, Error>(reach.map(|reach| (reach, record)))
    };
    app.store.read(Lane::Fast, work).await
}

/// How an account is reached, read from the database.
pub(crate) async fn reach(app: &Arc<App>, workspace: Uuid, account: Uuid) -> Result<Option<Reach>, Error> {
    let (ctx, secret) = (acting(app, workspace), app.secret.clone());
    lanes::read(app, workspace, move |tx| account::reach(&ctx, tx, &secret, account)).await
}

/// What is wrong with an account: a general reason for all members, the server's own text for admins.
pub(crate) fn trouble_of(fault: &Fault) -> Trouble {
    Trouble { reason: fault.general(), detail: Some(fault.to_string()) }
}

/// Which of these Message-IDs the Sent folder has, or which of these ids the provider knows. None if neither answers.
pub(crate) async fn sent_among(access: &Access, reach: &Reach, references: &[&str]) -> HashSet<String> {
    let mut found = HashSet::new();
    let search = async {
        match (provider(&access.guard, reach), imap_server(access, reach)) {
            (Some(Ok(provider)), _) => {
                for reference in references {
                    if matches!(provider.sent(reference).await, Ok(Some(_))) {
                        found.insert((*reference).to_owned());
                    }
                }
            }
            (None, Some(Ok(server))) => {
                let mut session = imap::Session::connect(&server).await?;
                if let Some(folder) = session.sent_folder().await? {
                    session.examine(&folder).await?;
                    for reference in references {
                        if session.find(reference).await?.is_some() {
                            found.insert((*reference).to_owned());
                        }
                    }
                }
                session.log_out().await;
            }
            _ => {}
        }
        Ok::<_, Fault>(())
    };
    if let Err(fault) = search.await {
        tracing::warn!(%fault, "failed to look for messages with an unknown outcome; retrying later");
    }
    found
}

/// Which part of an account is wrong, and why.
pub(crate) type Wrong = (&'static str, Trouble);

/// Malformed and forbidden addresses of an account, found without resolving names or connecting.
pub fn account_form(access: &Access, reach: &Reach) -> Vec<Wrong> {
    let mut all: Vec<Wrong> = Vec::new();
    let servers =
        [("smtp", "smtp.password", smtp_server(access, reach)), ("imap", "imap.password", imap_server(access, reach))];
    for (part, password, server) in servers {
        match server.map(|server| server.map(|server| server.check())) {
            Some(Err(wrong)) => all.push((if wrong.lacks_password { password } else { part }, wrong.reason.into())),
            Some(Ok(Err(forbidden))) => all.push((part, forbidden.to_string().into())),
            Some(Ok(Ok(()))) | None => {}
        }
    }
    if reach.token.as_deref().is_some_and(|token| !is_token(token)) {
        all.push(("token", "is empty or holds spaces or other letters than ASCII".into()));
    } else {
        match provider(&access.guard, reach).map(|provider| provider.map(|provider| provider.check())) {
            Some(Err(wrong)) => all.push(("url", wrong.reason.into())),
            Some(Ok(Err(forbidden))) => all.push(("url", forbidden.to_string().into())),
            Some(Ok(Ok(()))) | None => {}
        }
    }
    all
}

/// The first part of an account that signs in with OAuth tokens that are renewed.
pub fn needs_tokens(reach: &Reach) -> Option<&'static str> {
    let access = Access::from(Guard::operator());
    let servers = [("smtp", smtp_server(&access, reach)), ("imap", imap_server(&access, reach))];
    let needs = |server: &Option<Result<Server, Invalid>>| matches!(server, Some(Ok(server)) if server.needs_tokens());
    servers.iter().find(|(_, server)| needs(server)).map(|(part, _)| *part)
}

/// Signs in to all servers of the account. Returns the parts that failed.
pub async fn check_account(access: &Access, reach: &Reach) -> Vec<Wrong> {
    let malformed = account_form(access, reach);
    if !malformed.is_empty() {
        return malformed;
    }
    let sends = async {
        let Some(Ok(server)) = smtp_server(access, reach) else { return None };
        smtp::check(&server).await.err()
    };
    let receives = async {
        let Some(Ok(server)) = imap_server(access, reach) else { return None };
        imap::check(&server).await.err()
    };
    let asks = async {
        let Some(Ok(provider)) = provider(&access.guard, reach) else { return None };
        provider.account().await.err()
    };
    let (sends, receives, asks) = tokio::join!(sends, receives, asks);
    // The provider answered 401: the address is right and the token is wrong.
    let asked = if asks.as_ref().is_some_and(|fault| fault.code() == Some(401)) { "token" } else { "url" };
    let all = [("smtp", sends), ("imap", receives), (asked, asks)];
    all.into_iter().filter_map(|(part, fault)| Some((part, trouble_of(&fault?)))).collect()
}
