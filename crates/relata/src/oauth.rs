//! `relata oauth`: the OAuth clients of the installation; and the tokens of accounts on the command line.

use crate::Exit;
use crate::cli::{self, OauthArgs, OauthSettings};
use crate::commands::{line, read};
use crate::config::Config;
use crate::open::{self, House};
use crate::runtime::{block_on, block_on_drivers};
use connect::oauth::{Issuer, PRESETS, Provider, TokenError, preset};
use crm::api::effects::{Grant, OauthClient};
use crm::api::meta;
use crm::outreach::account;
use crm::outreach::oauth::{self, NewProvider};
use resource::{Error, invalid};
use server::oauth::AccountTokens;
use server::{Access, Guard};
use std::sync::Arc;
use store::{Lane, Tx, Uuid};

pub(crate) fn run(config: &Config, command: cli::Oauth) -> Result<(), Exit> {
    let house = open::as_is(config)?;
    let server = block_on(house.store.read(Lane::Slow, |tx| meta::get(tx, meta::PUBLIC_URL)))?;
    let redirect = format!("{}/oauth/callback", config.link(None, server.as_deref())?);
    match command {
        cli::Oauth::Add(add) => {
            let (new, secret) = (provider(&add.name, &add.settings)?, house.secret.clone());
            block_on(house.store.bookkeep(move |tx| {
                let known = oauth::list(tx)?.into_iter().find(|known| known.name == new.name);
                if known.is_some_and(|known| known.from_file) {
                    return Err(invalid("--name", "is set up in the settings file; change it there"));
                }
                oauth::set(tx, &secret, &new, false)
            }))?;
            println!("{redirect}");
        }
        cli::Oauth::List => {
            let secret = house.secret.clone();
            let all = block_on(house.store.read(Lane::Slow, move |tx| {
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
            block_on(house.store.bookkeep(move |tx| {
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
    house.store.close();
    Ok(())
}

/// The provider with these settings; a known one needs only the client's id and secret.
pub(crate) fn provider(name: &str, settings: &OauthSettings) -> Result<NewProvider, Exit> {
    let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    if name.is_empty() || name.len() > 50 || !name.chars().all(plain) {
        return Err(invalid("--name", "must be 1 to 50 lower-case letters, digits and hyphens").into());
    }
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || ".-".contains(letter);
    if settings
        .tenant
        .as_deref()
        .is_some_and(|tenant| name != "microsoft" || tenant.is_empty() || !tenant.chars().all(is_name))
    {
        return Err(invalid("--tenant", "is for microsoft alone, the id or the domain of an organisation").into());
    }
    let required = |option: &str, value: &Option<String>| {
        let missing = format!("is required for a provider that is none of {}", PRESETS.join(", "));
        value.clone().ok_or_else(|| Exit::from(invalid(option, missing)))
    };
    let usual = preset(name, settings.tenant.as_deref());
    let mut provider = match usual {
        Some(provider) => provider,
        None => Provider {
            issuer: Issuer {
                token_url: required("--token-url", &settings.token_url)?,
                client_id: String::new(),
                client_secret: None,
            },
            authorization_url: required("--authorization-url", &settings.authorization_url)?,
            userinfo_url: None,
            scopes: Vec::new(),
            parameters: Vec::new(),
            smtp: required("--smtp", &settings.smtp)?,
            imap: None,
        },
    };
    let set = |place: &mut String, value: &Option<String>| {
        if let Some(value) = value {
            value.trim().clone_into(place);
        }
    };
    set(&mut provider.issuer.token_url, &settings.token_url);
    set(&mut provider.authorization_url, &settings.authorization_url);
    set(&mut provider.smtp, &settings.smtp);
    provider.imap = settings.imap.clone().or(provider.imap);
    provider.userinfo_url = settings.userinfo_url.clone().or(provider.userinfo_url);
    if let Some(scopes) = &settings.scopes {
        provider.scopes = scopes.split_whitespace().map(str::to_owned).collect();
    }
    provider.issuer.client_id = settings.client_id.trim().to_owned();
    provider.issuer.client_secret = settings.client_secret.clone().filter(|secret| !secret.is_empty());
    provider.check().map_err(|(member, wrong)| {
        let option = format!("--{}", member.replace('_', "-"));
        Exit::from(invalid(format!("{name}: {option}"), wrong.reason))
    })?;
    let title = match (settings.title.as_deref(), name) {
        (Some(title), _) => title,
        (None, "google") => "Google",
        (None, "microsoft") => "Microsoft",
        (None, name) => name,
    };
    let says_address = provider.userinfo_url.is_some() || provider.scopes.iter().any(|scope| scope == "openid");
    let setup = serde_json::to_string(&provider).map_err(Exit::failed)?;
    Ok(NewProvider { name: name.to_owned(), title: title.to_owned(), says_address, setup })
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

fn workspace(house: &House, slug: Option<&str>) -> Result<Uuid, Exit> {
    read(house, slug, |ctx, _| Ok(ctx.workspace))
}

/// Whether an account has OAuth tokens.
pub(crate) fn has_tokens(house: &House, slug: Option<&str>, id: Uuid) -> Result<bool, Exit> {
    let (secret, workspace) = (house.secret.clone(), workspace(house, slug)?);
    let stored = move |tx: &mut dyn Tx| account::stored_grant(tx, &secret, workspace, id);
    Ok(block_on(house.store.read(Lane::Slow, stored))?.is_some())
}

/// Access to the servers of an account with its stored tokens. Tokens that could not be renewed are tried again.
pub(crate) fn access(house: &House, slug: Option<&str>, guard: Guard, id: Uuid) -> Result<Access, Exit> {
    let workspace = workspace(house, slug)?;
    let tokens = Arc::new(AccountTokens::new(house.store.clone(), house.secret.clone(), Arc::default()));
    block_on_drivers(async {
        tokens.retry(workspace, id).await;
        Ok(())
    })?;
    Ok(Access { guard, tokens: Some(tokens.source(workspace, id)) })
}
