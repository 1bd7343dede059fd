//! Renews the OAuth tokens of accounts before they expire. The lease of a renewal admits one node.

use crate::App;
use crm::outreach::account;
use std::sync::Arc;
use std::time::Duration;
use store::{Lane, Tx};
use tokio::sync::watch::Receiver;

/// How often a node looks for tokens to renew.
const SWEEP: Duration = Duration::from_millis(500);

pub(crate) async fn run(app: Arc<App>, mut stopped: Receiver<bool>) {
    while !*stopped.borrow() {
        match app.store.read(Lane::Fast, account::due_renewals).await {
            Ok(due) => {
                for (workspace, account) in due {
                    let app = app.clone();
                    tokio::spawn(async move {
                        let secret = app.secret.clone();
                        let read = move |tx: &mut dyn Tx| account::stored_grant(tx, &secret, workspace, account);
                        match app.store.read(Lane::Fast, read).await {
                            // A failed renewal is recorded and logged there.
                            Ok(Some(stored)) => drop(app.tokens.renew(workspace, account, stored.version).await),
                            Ok(None) => {}
                            Err(error) => {
                                log_failure!(error, %account, "failed to read the OAuth tokens of an account; retrying in an hour");
                                let later = move |tx: &mut dyn Tx| account::postpone_renewal(tx, workspace, account);
                                let _ = app.store.bookkeep(later).await;
                            }
                        }
                        app.wrote(workspace);
                    });
                }
            }
            Err(error) => log_failure!(error, "failed to find OAuth tokens to renew; retrying in 0.5 s"),
        }
        tokio::select! {
            () = tokio::time::sleep(SWEEP) => {}
            _ = stopped.changed() => {}
        }
    }
}
