//! OAuth of connected accounts: current access tokens, which one node at a time renews, and mailboxes that users connect in
//! the browser.

use crate::accounts::{self, Access};
use crate::{App, clock};
use connect::fault::Fault;
use connect::oauth::{Issuer, Provider, TokenError};
use connect::server::TokenSource;
use crm::api::effects::{
    ByOperator, EffectResult, Grant, OauthClient, OauthCode, OauthMailbox, OauthPage, Reach, SecretString, Trouble,
};
use crm::api::meta::Secret;
use crm::outreach::account::{self, StoredGrant};
use crm::outreach::oauth;
use resource::{Actor, Ctx, Error, Memory};
use std::sync::Arc;
use std::time::Duration;
use store::{Lane, Store, Tx, Uuid};

/// A token is not used for a new session if it expires within this time, in milliseconds.
const NEARLY_EXPIRED: i64 = 1_000;
/// A token that was renewed this recently, in milliseconds, is not renewed again because a mail server refuses it.
const JUST_RENEWED: i64 = 5_000;
/// How long to wait for the node that is renewing a token, and how often to look. The longest is that of the lease.
const PATIENCE: Duration = Duration::from_secs(20);
const LOOK: Duration = Duration::from_millis(100);

/// The access tokens of all accounts.
pub struct AccountTokens {
    store: Store,
    secret: Secret,
    memory: Arc<Memory>,
}

impl AccountTokens {
    pub fn new(store: Store, secret: Secret, memory: Arc<Memory>) -> AccountTokens {
        AccountTokens { store, secret, memory }
    }

    /// The tokens of one account, for connections to its servers.
    pub fn source(self: &Arc<Self>, workspace: Uuid, account: Uuid) -> TokenSource {
        let tokens = self.clone();
        TokenSource::new(move |refused| {
            let tokens = tokens.clone();
            Box::pin(async move { tokens.token(workspace, account, refused.as_deref()).await })
        })
    }

    async fn stored(&self, workspace: Uuid, account: Uuid) -> Result<StoredGrant, Fault> {
        let secret = self.secret.clone();
        let read = move |tx: &mut dyn Tx| account::stored_grant(tx, &secret, workspace, account);
        let stored = self.store.read(Lane::Fast, read).await.map_err(|error| unread(account, &error))?;
        stored.ok_or_else(|| Fault::Sender("the account has no access token; connect it again".to_owned()))
    }

    /// A current access token. `refused` is one that a mail server did not accept.
    async fn token(&self, workspace: Uuid, account: Uuid, refused: Option<&str>) -> Result<String, Fault> {
        let began = clock::instant();
        loop {
            let stored = self.stored(workspace, account).await?;
            let trouble = || stored.trouble.clone().unwrap_or_default();
            if stored.revoked {
                return Err(TokenError::Revoked(trouble()).into());
            }
            let current = stored.grant.access_token.as_deref();
            let is_current = stored.expires_at > stored.now + NEARLY_EXPIRED;
            match current.filter(|_| is_current) {
                Some(token) if refused != Some(token) => return Ok(token.to_owned()),
                Some(_) if stored.renewed_at + JUST_RENEWED > stored.now => {
                    let text = "the mail server refuses an access token that was just issued";
                    return Err(Fault::Sender(text.to_owned()));
                }
                Some(_) => {}
                // A failed renewal is repeated after its wait, not by every connection.
                None if stored.failures > 0 && stored.refresh_at > stored.now => {
                    return Err(Fault::Unreached(trouble()));
                }
                None => {}
            }
            if let Some(renewed) = self.renew(workspace, account, stored.version).await? {
                return Ok(renewed);
            }
            if clock::instant() - began > PATIENCE {
                return Err(Fault::Unreached("the access token is being renewed; that takes too long".to_owned()));
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    /// Renews the tokens of an account, unless another task does so or has done so. The new tokens are stored before they
    /// are returned: the provider may have made the old refresh token void.
    pub(crate) async fn renew(&self, workspace: Uuid, account: Uuid, version: i64) -> Result<Option<String>, Fault> {
        let secret = self.secret.clone();
        let claim = move |tx: &mut dyn Tx| account::claim_renewal(tx, &secret, workspace, account, version);
        let claimed = self.store.bookkeep(claim).await.map_err(|error| unread(account, &error))?;
        let Some(stored) = claimed else { return Ok(None) };
        let renewed = match self.issuer(&stored.grant).await {
            Ok(issuer) => issuer.refresh(&stored.grant.refresh_token).await,
            Err(error) => Err(error),
        };
        match renewed {
            Ok(tokens) => {
                let lifetime = tokens.lifetime.as_millis() as i64;
                let refresh_token = tokens.refresh.unwrap_or_else(|| stored.grant.refresh_token.clone());
                let access = tokens.access;
                let grant = Grant { refresh_token, access_token: Some(access.clone()), ..stored.grant };
                self.record(workspace, account, version, grant, lifetime).await?;
                Ok(Some(access))
            }
            Err(error) => {
                self.failed(workspace, account, stored, &error).await;
                Err(error.into())
            }
        }
    }

    /// Stores renewed tokens. It is retried for a while: if it fails, rotated tokens are lost.
    async fn record(
        &self,
        workspace: Uuid,
        account: Uuid,
        version: i64,
        grant: Grant,
        lifetime: i64,
    ) -> Result<(), Fault> {
        let mut failed = None;
        for wait in [0, 1, 2, 4, 8] {
            tokio::time::sleep(Duration::from_secs(wait)).await;
            let (secret, grant) = (self.secret.clone(), grant.clone());
            let write = move |tx: &mut dyn Tx| {
                account::record_renewal(tx, &secret, workspace, account, version, &grant, lifetime)
            };
            match self.store.bookkeep(write).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(Fault::Unreached("the account was connected again meanwhile".to_owned())),
                Err(error) => {
                    tracing::error!(%error, %account, "failed to store renewed OAuth tokens; retrying for 15 s, after that the account may have to be connected again");
                    failed = Some(error);
                }
            }
        }
        Err(failed.map_or_else(|| Fault::Unreached(String::new()), |error| unread(account, &error)))
    }

    async fn failed(&self, workspace: Uuid, account: Uuid, stored: StoredGrant, error: &TokenError) {
        let (revoked, text) = match error {
            TokenError::Revoked(text) => (true, text.clone()),
            TokenError::Client(text) | TokenError::Transient(text) => (false, text.clone()),
        };
        let (words, is_expired) = (text.clone(), stored.expires_at <= stored.now + NEARLY_EXPIRED);
        let write =
            move |tx: &mut dyn Tx| account::record_failed_renewal(tx, workspace, account, &stored, &words, revoked);
        match self.store.bookkeep(write).await {
            Ok(Some(_)) if revoked => {
                tracing::warn!(%account, why = text, "the provider does not renew the OAuth tokens of an account; its messages wait until it is connected again");
            }
            Ok(Some(wait)) => {
                tracing::warn!(%account, why = text, "failed to renew the OAuth tokens of an account; retrying in {} s", wait / 1000);
            }
            Ok(None) => return,
            Err(error) => {
                tracing::error!(%error, %account, "failed to record that OAuth tokens were not renewed; retrying in 30 s");
                return;
            }
        }
        // Until its token expires, an account works although the token server does not; and one that is not reached is
        // retried soon.
        if !revoked && (!is_expired || matches!(error, TokenError::Transient(_))) {
            return;
        }
        let trouble = accounts::trouble_of(&Fault::from(error.clone()));
        let ctx = Ctx { workspace, actor: Actor::system("outbox"), memory: self.memory.clone() };
        let note = move |tx: &mut dyn Tx| account::note_refusal(&ctx, tx, account, &trouble, 0);
        if let Err(error) = self.store.write(workspace, note).await {
            log_failure!(error, %account, "failed to record the status of an account; the next test records it");
        }
    }

    /// The client that renews these tokens.
    async fn issuer(&self, grant: &Grant) -> Result<Issuer, TokenError> {
        if let Some(OauthClient { token_url, client_id, client_secret }) = grant.client.clone() {
            return Ok(Issuer { token_url, client_id, client_secret });
        }
        let (secret, name) = (self.secret.clone(), grant.provider.clone().unwrap_or_default());
        let asked = name.clone();
        let setup = self.store.read(Lane::Fast, move |tx| oauth::setup(tx, &secret, &asked)).await;
        match setup {
            Ok(Some(setup)) => provider_of(&setup).map(|provider| provider.issuer),
            Ok(None) => Err(TokenError::Client(format!("the operator has removed the OAuth provider {name}"))),
            Err(error) => Err(TokenError::Transient(error.to_string())),
        }
    }

    /// Tries a revoked grant again: the user or the operator asks for it.
    pub async fn retry(&self, workspace: Uuid, account: Uuid) {
        if let Ok(stored) = self.stored(workspace, account).await
            && (stored.revoked || stored.failures > 0)
        {
            // A failure is recorded, and the test reports it.
            let _ = self.renew(workspace, account, stored.version).await;
        }
    }
}

fn unread(account: Uuid, error: &Error) -> Fault {
    tracing::warn!(%error, %account, "failed to read or store OAuth tokens");
    Fault::Unreached("the access token of the account can't be read or stored; the server's log says why".to_owned())
}

fn provider_of(setup: &str) -> Result<Provider, TokenError> {
    serde_json::from_str(setup)
        .map_err(|_| TokenError::Client("the settings of the OAuth provider can't be read".to_owned()))
}

/// A token that was just issued and is not stored yet.
fn just(token: String) -> TokenSource {
    TokenSource::new(move |refused| {
        let token = match refused {
            Some(_) => Err(Fault::Sender("the mail server refuses the access token of the provider".to_owned())),
            None => Ok(token.clone()),
        };
        Box::pin(async move { token })
    })
}

/// Access to a mailbox with a token that is not stored yet.
pub fn with_token(guard: connect::guard::Guard, token: String) -> Access {
    Access { guard, tokens: Some(just(token)) }
}

/// The page of a provider.
pub(crate) fn page(setup: &SecretString, redirect: &str, address: Option<&str>) -> Result<EffectResult, Error> {
    let page = provider_of(&setup.0).and_then(|provider| provider.page(redirect, address));
    match page {
        Ok(page) => Ok(EffectResult::OauthPage(OauthPage {
            url: page.url,
            state: page.state.into(),
            verifier: page.verifier.into(),
        })),
        Err(error) => {
            tracing::warn!(?error, "an OAuth provider is not set up correctly; see `relata oauth`");
            Err(resource::invalid("provider", "is not set up correctly; the server's log says why"))
        }
    }
}

/// Exchanges a code for tokens, and signs in to the mailbox with them.
pub(crate) async fn mailbox(
    app: &Arc<App>,
    asked: &OauthCode,
) -> Result<Result<Box<OauthMailbox>, (&'static str, Trouble)>, Error> {
    let mailbox = async {
        let code = |error: TokenError| {
            let reason = match &error {
                TokenError::Transient(_) => "the provider does not answer as expected; begin again later",
                TokenError::Revoked(_) => "the provider does not accept the code; begin again",
                TokenError::Client(_) => connect::oauth::CLIENT,
            };
            let (TokenError::Revoked(text) | TokenError::Client(text) | TokenError::Transient(text)) = error;
            ("code", Trouble { reason: reason.to_owned(), detail: Some(format!("{reason} ({text})")) })
        };
        let provider = provider_of(&asked.provider.0).map_err(code)?;
        let tokens = provider.exchange(&asked.code.0, &asked.verifier.0, &asked.redirect).await.map_err(code)?;
        let Some(refresh_token) = tokens.refresh.clone() else {
            let why = "the provider gave no refresh token, so that the access would end soon; the operator must add the scope for offline access";
            return Err(("code", why.into()));
        };
        let signed_in = match &asked.address {
            Some(_) => None,
            None => provider.address(&tokens).await.map_err(code)?,
        };
        let Some(address) = asked.address.clone().or(signed_in) else {
            return Err((
                "address",
                "the provider does not say the address of the mailbox; begin again and give it".into(),
            ));
        };
        let (smtp, imap) = provider.servers(&address);
        let by_operator = ByOperator { smtp: true, imap: true, url: false };
        let reach = Reach { smtp: Some(smtp), imap, by_operator, ..Reach::default() };
        let access = with_token(app.guard.clone(), tokens.access.clone());
        if let Some(trouble) = Trouble::of_parts(&accounts::check_account(&access, &reach).await) {
            tracing::warn!(reason = trouble.words(), "the test of an account failed");
            let with = |text: &str| format!("the mailbox {address} can't be opened with this permission: {text}");
            let detail = trouble.detail.as_deref().map(with);
            return Err(("code", Trouble { reason: with(&trouble.reason), detail }));
        }
        let grant = Grant {
            provider: Some(asked.name.clone()),
            client: None,
            refresh_token,
            access_token: Some(tokens.access.clone()),
        };
        Ok(Box::new(OauthMailbox { address, reach, grant, lifetime: tokens.lifetime.as_millis() as i64 }))
    };
    Ok(mailbox.await)
}
