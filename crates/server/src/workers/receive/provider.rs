//! Polls a provider for events, in addition to its webhook.

use super::{End, Following};
use crate::{App, accounts, clock};
use connect::provider::{Event, Webhook, What};
use crm::api::effects::Reach;
use crm::outreach::inbound::{self, Progress, ProviderEvent, ProviderEventKind};
use resource::{Ctx, Error};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Lane, Uuid};

/// The path of webhooks, followed by the workspace and the account.
pub(crate) const WEBHOOKS: &str = "/hooks/accounts/";
/// How often the worker records that it polled a provider without news, and renews the lease.
const POLL_RECORDED: Duration = Duration::from_secs(15);
/// How often a provider is polled.
const POLL: Duration = Duration::from_secs(2);

impl Following {
    pub(super) async fn follow_provider(&mut self, reach: &Reach) -> Result<(), End> {
        let provider = accounts::provider(&self.app.guard, reach).ok_or(End::Over)??;
        if let Some(secret) = reach.webhook.clone().filter(|_| self.app.webhooks) {
            let url = format!("{}{WEBHOOKS}{}/{}", self.app.public_url, self.workspace, self.account);
            if let Err(fault) = provider.notify(Some(&Webhook { url, secret })).await {
                tracing::info!(account = %self.account, %fault, "the provider accepts no webhook; polling it instead");
            }
        }
        let mut noted: Option<Instant> = None;
        loop {
            let (ctx, account) = (self.ctx(), self.account);
            let progress = self.app.store.read(Lane::Fast, move |tx| inbound::progress(&ctx, tx, account)).await?;
            let progress = progress.ok_or(End::Over)?;
            let events = provider.events(progress.place.as_deref(), 100).await?;
            store_events(&self.app, &self.ctx(), account, provider_events(account, &events.events)).await?;
            let ctx = self.ctx();
            let moved = progress.place.as_deref() != Some(&events.cursor);
            let progress = Progress { place: Some(events.cursor), ..progress };
            let write = move |tx: &mut dyn store::Tx| {
                inbound::looked_at(&ctx, tx, account, None)?;
                inbound::advance(&ctx, tx, account, &progress)
            };
            if moved || noted.is_none_or(|at| clock::instant() - at > POLL_RECORDED) {
                self.app.store.write(self.workspace, write).await?;
                self.app.wrote(self.workspace);
                self.renew().await?;
                self.worked().await?;
                noted = Some(clock::instant());
            }
            if !events.has_more {
                tokio::time::sleep(POLL).await;
            }
        }
    }
}

/// Stores events in as many units of work as they need, so that none of them holds the writer for long. Events that are sent
/// again after an error are stored once.
pub(crate) async fn store_events(app: &App, ctx: &Ctx, account: Uuid, events: Vec<ProviderEvent>) -> Result<(), Error> {
    let (events, workspace, mut done) = (Arc::new(events), ctx.workspace, 0);
    while done < events.len() {
        let (ctx, events) = (ctx.clone(), events.clone());
        let unit = move |tx: &mut dyn store::Tx| {
            tx.name("provider_events");
            inbound::receive_provider_events(&ctx, tx, account, &events[done..])
        };
        done += app.store.write(workspace, unit).await?;
    }
    Ok(())
}

/// The events that `crm` handles.
pub(crate) fn provider_events(account: Uuid, events: &[Event]) -> Vec<ProviderEvent> {
    let unreadable = events.iter().filter(|event| event.what == What::Unreadable).count();
    if unreadable > 0 {
        tracing::warn!(%account, unreadable, "a provider sent events that can't be read; skipping them");
    }
    let one = |event: &Event| {
        let kind = match &event.what {
            What::Message { message_id, text } => {
                ProviderEventKind::Message { id: message_id.clone(), text: text.clone() }
            }
            What::Accepted { invitation_id } => ProviderEventKind::Accepted { invitation: invitation_id.clone() },
            What::Declined { .. } | What::Other | What::Unreadable => return None,
        };
        let at = event.at.map_or_else(clock::now_ms, |at| at.as_millisecond());
        Some(ProviderEvent { at, profile: event.from.network_url.clone(), phone: event.from.phone.clone(), kind })
    };
    events.iter().filter_map(one).collect()
}
