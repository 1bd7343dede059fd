//! Webhooks: events that a provider sends.

use crate::request::body;
use crate::request::connections::Receiving;
use crate::request::envelope::{Answer, Failure, failed, json_answer};
use crate::workers::receive::{WEBHOOKS, acting, provider_events, store_events};
use crate::{App, accounts, clock};
use connect::provider::webhook;
use hyper::http::request::Parts;
use resource::Error;
use std::sync::Arc;
use store::Uuid;

const LARGEST_HOOK: usize = 1024 * 1024;

/// Answers a webhook. Events without a valid signature are refused.
pub(super) async fn hook(app: &Arc<App>, head: &Parts, body: &mut Receiving) -> Answer {
    match receive(app, head, body).await {
        Ok(()) => json_answer(200, "{\"data\":{\"received\":true}}"),
        Err(failure) => failed(&failure),
    }
}

async fn receive(app: &Arc<App>, head: &Parts, body: &mut Receiving) -> Result<(), Failure> {
    let unknown = || Failure::new(404, "not_found", "there is no such account");
    if head.method != hyper::Method::POST {
        return Err(Failure::new(405, "method_not_allowed", "a webhook is posted"));
    }
    let path = head.uri.path().strip_prefix(WEBHOOKS).and_then(|rest| rest.split_once('/'));
    let ids =
        path.and_then(|(workspace, account)| Some((Uuid::try_parse(workspace).ok()?, Uuid::try_parse(account).ok()?)));
    let (workspace, account) = ids.ok_or_else(unknown)?;
    body::check_encoding(&head.headers)?;
    let broken = |error: Error| Failure::of(&error, "");
    let secret = accounts::reach(app, workspace, account).await.map_err(broken)?.and_then(|reach| reach.webhook);
    let secret = secret.ok_or_else(unknown)?;
    let bytes = body::whole(body, LARGEST_HOOK).await;
    let bytes = bytes.ok_or_else(|| Failure::new(413, "payload_too_large", "a webhook has at most 1 MiB"))?;
    let text = |name: &str| head.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let signed = webhook::Signed {
        id: text("webhook-id"),
        timestamp: text("webhook-timestamp"),
        signature: text("webhook-signature"),
    };
    let events = webhook::events(&secret, signed, &bytes, clock::now_ms() / 1000)
        .map_err(|rejected| Failure::new(401, "invalid_signature", rejected.0.to_owned()))?;
    store_events(app, &acting(app, workspace), account, provider_events(account, &events)).await.map_err(broken)?;
    app.wrote(workspace);
    Ok(())
}
