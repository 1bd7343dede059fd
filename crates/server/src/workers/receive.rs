//! Receives mail and events: reads the mailbox of each account by IMAP, and polls each provider in addition to its webhook.
//! A lease makes sure that one node at a time receives for an account.

mod batches;
mod mailbox;
mod provider;

pub(crate) use provider::{WEBHOOKS, provider_events, store_events};

use crate::{App, accounts};
use connect::fault::Fault;
use connect::server::Invalid;
use crm::api::effects::Trouble;
use crm::outreach::account::{self, Channel, SyncFailure};
use resource::{Actor, Ctx, Error};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::Uuid;
use tokio::sync::watch::Receiver;

/// How often a node looks for accounts that no node receives for.
const SWEEP: Duration = Duration::from_millis(500);
/// How long to wait before the next attempt when a failed one could not be recorded, in milliseconds.
const UNRECORDED_WAIT: i64 = 5_000;
/// How many failed attempts in a row change nothing about an account's status: to connect, and to read an open mailbox.
const CONNECT_TOLERANCE: i64 = 1;
const READ_TOLERANCE: i64 = 3;

pub(crate) fn start(app: &Arc<App>, stopped: &Receiver<bool>) {
    tokio::spawn(run(app.clone(), stopped.clone()));
}

async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    while !*stopped.borrow() {
        let node = app.outbox.node().to_owned();
        match app.store.bookkeep(move |tx| account::claim(tx, &node)).await {
            Ok((claimed, damaged)) => {
                for error in damaged {
                    tracing::error!(%error, "an account is put off for an hour: stored data can't be read");
                }
                for (workspace, account, channel) in claimed {
                    let (app, stopped) = (app.clone(), stopped.clone());
                    let following = Following {
                        app,
                        workspace,
                        account,
                        stopped,
                        behind_noted: None,
                        opened: false,
                        worked: false,
                        undelivered: HashMap::new(),
                    };
                    tokio::spawn(following.run(channel));
                }
            }
            Err(error) => log_failure!(error, "failed to claim accounts to receive for; retrying in 0.5 s"),
        }
        app.mail_pool.end_idle();
        tokio::select! {
            () = tokio::time::sleep(SWEEP) => {}
            _ = stopped.changed() => {}
        }
    }
}

/// Why receiving for an account ended.
enum End {
    /// The account was removed, another node has the lease, or this node stops.
    Over,
    /// The account's address can't be used.
    Misconfigured(Invalid),
    Fault(Fault),
    Error(Error),
}

impl From<Fault> for End {
    fn from(fault: Fault) -> End {
        End::Fault(fault)
    }
}
impl From<Invalid> for End {
    fn from(wrong: Invalid) -> End {
        End::Misconfigured(wrong)
    }
}
impl From<Error> for End {
    fn from(error: Error) -> End {
        End::Error(error)
    }
}

struct Following {
    app: Arc<App>,
    workspace: Uuid,
    account: Uuid,
    stopped: Receiver<bool>,
    /// When the worker last recorded that the mailbox is behind.
    behind_noted: Option<Instant>,
    /// Whether the mailbox was opened.
    opened: bool,
    /// Whether the worker has recorded that receiving works.
    worked: bool,
    /// Mails that the mail server lists but did not deliver, with the number of attempts.
    undelivered: HashMap<u32, i64>,
}

impl Following {
    async fn run(mut self, channel: Channel) {
        let mut stopped = self.stopped.clone();
        let followed = tokio::select! {
            followed = self.follow(channel) => followed,
            _ = stopped.wait_for(|stopped| *stopped) => Ok(()),
        };
        let failed = match followed {
            Ok(()) | Err(End::Over) => None,
            Err(End::Misconfigured(wrong)) => Some((wrong.to_string().into(), 0)),
            Err(End::Fault(fault)) => {
                tracing::debug!(account = %self.account, %fault, "failed to receive for an account");
                Some((accounts::trouble_of(&fault), self.tolerance(channel, &fault)))
            }
            Err(End::Error(error)) => {
                log_failure!(error, account = %self.account, "failed to store received mail or events; retrying");
                let reason = "what arrives can't be read or stored; the server's log says why";
                Some((reason.into(), READ_TOLERANCE))
            }
        };
        let wait = match failed {
            Some((trouble, tolerated)) => self.failed(channel, &trouble, tolerated).await,
            None => 0,
        };
        let (workspace, account, node) = (self.workspace, self.account, self.app.outbox.node().to_owned());
        let released = self.app.store.bookkeep(move |tx| account::let_go(tx, workspace, account, &node, wait));
        if let Err(error) = released.await {
            tracing::debug!(%error, %account, "failed to release the lease of an account; it expires by itself");
        }
    }

    /// How often in a row a fault may happen before the account is in `error`.
    fn tolerance(&self, channel: Channel, fault: &Fault) -> i64 {
        match channel {
            Channel::Email if self.opened => READ_TOLERANCE,
            _ if !fault.may_pass() => 0,
            Channel::Email => CONNECT_TOLERANCE,
            // A provider that throttles polling may still accept messages, so polling alone never stops the account.
            Channel::Network | Channel::Chat => i64::MAX,
        }
    }

    /// Records a failed attempt. Returns how long to wait before the next, in milliseconds.
    async fn failed(&self, channel: Channel, trouble: &Trouble, tolerated: i64) -> i64 {
        let trouble = trouble.of(if channel == Channel::Email { "imap" } else { "url" });
        let (ctx, account, recorded) = (self.ctx(), self.account, trouble.clone());
        let record = move |tx: &mut dyn store::Tx| account::sync_failed(&ctx, tx, account, &recorded, tolerated);
        match self.app.store.write(self.workspace, record).await {
            Ok(SyncFailure { wait, status_changed }) => {
                if status_changed {
                    let (reason, seconds) = (trouble.words(), wait / 1000);
                    tracing::warn!(%account, reason, "an account can't receive and sends nothing; retrying in {seconds} s, then less often");
                }
                self.app.wrote(self.workspace);
                wait
            }
            Err(error) => {
                log_failure!(error, %account, "failed to record the status of an account; retrying in 5 s");
                UNRECORDED_WAIT
            }
        }
    }

    /// Records that receiving works, once.
    async fn worked(&mut self) -> Result<(), End> {
        if !self.worked {
            let (workspace, account) = (self.workspace, self.account);
            if self.app.store.bookkeep(move |tx| account::sync_worked(tx, workspace, account)).await? {
                tracing::info!(%account, "an account receives again");
            }
            self.worked = true;
        }
        Ok(())
    }

    async fn follow(&mut self, channel: Channel) -> Result<(), End> {
        let reach = accounts::reach(&self.app, self.workspace, self.account).await?.ok_or(End::Over)?;
        match channel {
            Channel::Email => self.follow_mailbox(&reach).await,
            Channel::Network | Channel::Chat => self.follow_provider(&reach).await,
        }
    }

    fn ctx(&self) -> Ctx {
        acting(&self.app, self.workspace)
    }

    /// Renews the lease. Ends receiving if another node has it.
    async fn renew(&self) -> Result<(), End> {
        let (workspace, account, node) = (self.workspace, self.account, self.app.outbox.node().to_owned());
        let ours = self.app.store.bookkeep(move |tx| account::renew(tx, workspace, account, &node)).await?;
        if ours { Ok(()) } else { Err(End::Over) }
    }
}

pub(crate) fn acting(app: &Arc<App>, workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("inbox"), memory: app.memory.clone() }
}
