//! `relata oauth`: the OAuth clients of the installation; and the tokens of accounts on the command line.

use crate::Exit;
use crate::cli::{self, OauthArgs};
use crate::commands::{line, read};
use crate::config::Config;
use crate::oauth_provider::provider;
use crate::open::{self, Installation};
use crate::runtime::{block_on, block_on_drivers};
use connect::oauth::{Issuer, Provider, TokenError};
use crm::api::effects::{Grant, OauthClient};
use crm::api::meta;
use crm::outreach::account;
use crm::outreach::oauth;
use resource::{Error, invalid};
use server::oauth::AccountTokens;
use server::{Access, Guard};
use std::sync::Arc;
use store::{Lane, Tx, Uuid};

pub(crate) fn run(config: &Config, command: cli::Oauth) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    let server = block_on(installation.store.read(Lane::Slow, |tx| meta::get(tx, meta::PUBLIC_URL)))?;
    let redirect = format!("{}/oauth/callback", config.link(None, server.as_deref())?);
    match command {
        cli::Oauth::Add(add) => {
            let (new, secret) = (provider(&add.name, &add.settings)?, installation.secret.clone());
            block_on(installation.store.bookkeep(move |tx| {
                let known = oauth::list(tx)?.into_iter().find(|known| known.name == new.name);
                if known.is_some_and(|known| known.from_file) {
                    return Err(invalid("--name", "is set up in the settings file; change it there"));
                }
                oauth::set(tx, &secret, &new, false)
            }))?;
            println!("{redirect}");
        }
        cli::Oauth::List => {
            let secret = installation.secret.clone();
            let all = block_on(installation.store.read(Lane::Slow, move |tx| {
                let all = oauth::list(tx)?;
                let setup = |one: oauth::OauthProvider| Ok((oauth::setup(tx, &secret, &one.name)?, one));
                all.into_iter().map(setup).collect::<Result<Vec<_>, Error>>()
            }))?;
            for (setup, one) in all {
                let setup: Provider = serde_json::from_str(&setup.unwrap_or_default()).map_err(Exit::failed)?;
                let place = if one.from_file { "file" } else { "command" };
                line(&[&one.name, &one.title, &setup.issuer.client_id, &setup.issuer.token_url, &redirect, place]);
            }
        }
        cli::Oauth::Remove { name } => {
            block_on(installation.store.bookkeep(move |tx| {
                let known = oauth::list(tx)?.into_iter().find(|known| known.name == name);
                if known.is_some_and(|known| known.from_file) {
                    return Err(invalid(
                        "name",
                        "is set up in the settings file; remove it there and start the server again",
                    ));
                }
                oauth::remove(tx, &name)
            }))?;
        }
    }
    installation.store.close();
    Ok(())
}

/// The grant of the command line.
pub(crate) fn grant(args: &OauthArgs) -> Result<Option<Grant>, Exit> {
    let (Some(token_url), Some(client_id), Some(refresh_token)) =
        (args.oauth_token_url.clone(), args.oauth_client_id.clone(), args.oauth_refresh_token.clone())
    else {
        return Ok(None);
    };
    let client_secret = args.oauth_client_secret.clone().filter(|secret| !secret.is_empty());
    let issuer = Issuer { token_url, client_id, client_secret };
    issuer.check().map_err(|(member, wrong)| invalid(format!("--oauth-{}", member.replace('_', "-")), wrong.reason))?;
    let Issuer { token_url, client_id, client_secret } = issuer;
    let client = Some(OauthClient { token_url, client_id, client_secret });
    Ok(Some(Grant { provider: None, client, refresh_token, access_token: None }))
}

/// The grant with a new access token, and its lifetime in milliseconds.
pub(crate) fn renewed(grant: &Grant) -> Result<(Grant, i64), Exit> {
    let Some(OauthClient { token_url, client_id, client_secret }) = grant.client.clone() else {
        return Err(Exit::failed("the grant has no client"));
    };
    let issuer = Issuer { token_url, client_id, client_secret };
    let tokens = block_on_drivers(async { Ok(issuer.refresh(&grant.refresh_token).await) })?;
    let tokens = tokens.map_err(|error| {
        let (TokenError::Revoked(text) | TokenError::Client(text) | TokenError::Transient(text)) = error;
        Exit::failed(format!("--oauth-refresh-token: {text}; nothing was changed (--no-test does so anyway)"))
    })?;
    let refresh_token = tokens.refresh.unwrap_or_else(|| grant.refresh_token.clone());
    let grant = Grant { refresh_token, access_token: Some(tokens.access), ..grant.clone() };
    Ok((grant, tokens.lifetime.as_millis() as i64))
}

fn workspace(installation: &Installation, slug: Option<&str>) -> Result<Uuid, Exit> {
    read(installation, slug, |ctx, _| Ok(ctx.workspace))
}

/// Whether an account has OAuth tokens.
pub(crate) fn has_tokens(installation: &Installation, slug: Option<&str>, id: Uuid) -> Result<bool, Exit> {
    let (secret, workspace) = (installation.secret.clone(), workspace(installation, slug)?);
    let stored = move |tx: &mut dyn Tx| account::stored_grant(tx, &secret, workspace, id);
    Ok(block_on(installation.store.read(Lane::Slow, stored))?.is_some())
}

/// Access to the servers of an account with its stored tokens. Tokens that could not be renewed are tried again.
pub(crate) fn access(installation: &Installation, slug: Option<&str>, guard: Guard, id: Uuid) -> Result<Access, Exit> {
    let workspace = workspace(installation, slug)?;
    let tokens = Arc::new(AccountTokens::new(installation.store.clone(), installation.secret.clone(), Arc::default()));
    block_on_drivers(async {
        tokens.retry(workspace, id).await;
        Ok(())
    })?;
    Ok(Access { guard, tokens: Some(tokens.source(workspace, id)) })
}
