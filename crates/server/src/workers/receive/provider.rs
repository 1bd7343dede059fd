//! Polls a provider for events, in addition to its webhook.

use super::{End, Following};
use crate::{accounts, clock};
use connect::provider::{Event, Webhook, What};
use crm::api::effects::Reach;
use crm::outreach::inbound::{self, Progress, ProviderEvent, ProviderEventKind};
use resource::Time;
use std::time::{Duration, Instant};
use store::Lane;

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
            let (ctx, received) = (self.ctx(), provider_events(&events.events));
            let moved = progress.place.as_deref() != Some(&events.cursor);
            let progress = Progress { place: Some(events.cursor), ..progress };
            let write = move |tx: &mut dyn store::Tx| {
                inbound::receive_provider_events(&ctx, tx, account, &received)?;
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

/// The events that `crm` handles.
pub(crate) fn provider_events(events: &[Event]) -> Vec<ProviderEvent> {
    let one = |event: &Event| {
        let kind = match &event.what {
            What::Message { message_id, text } => {
                ProviderEventKind::Message { id: message_id.clone(), text: text.clone() }
            }
            What::Accepted { invitation_id } => ProviderEventKind::Accepted { invitation: invitation_id.clone() },
            What::Declined { .. } | What::Other => return None,
        };
        let at = Time::parse(&event.at.to_string()).map_or(0, |at| at.0);
        Some(ProviderEvent { at, profile: event.from.network_url.clone(), phone: event.from.phone.clone(), kind })
    };
    events.iter().filter_map(one).collect()
}
