//! Answers that cost credits. A `ChargeGuard` holds the charge until the answer is passed to its connection, and refunds it
//! if the request ends before. If the process crashes, a job that was enqueued with the charge makes the refund.

use crate::request::envelope::Body;
use crate::{App, lanes};
use bytes::Bytes;
use crm::api::call::{Call, Reply};
use crm::api::operation::Find;
use crm::api::{idempotency, queue};
use crm::tenant::credits;
use http_body_util::{BodyExt, Either};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use resource::{Ctx, Error};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use store::{Tx, Uuid};

/// Finds the data in a read and charges for it in a write. If the client hangs up meanwhile, the write continues and the
/// charge is refunded.
pub(super) async fn run(
    app: &Arc<App>,
    name: &'static str,
    find: Find,
    call: Arc<Call>,
) -> Result<(Reply, Option<ChargeGuard>), Error> {
    let asking = call.clone();
    let charge = lanes::read(app, call.ctx.workspace, move |tx| find(&asking, tx)).await.map_err(lanes::too_wide)?;
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let app = app.clone();
    tokio::spawn(async move {
        let (ctx, workspace) = (call.ctx.clone(), call.ctx.workspace);
        let work = move |tx: &mut dyn Tx| {
            tx.name(name);
            let mut charged = None;
            let reply = idempotency::replay_or_run(&call, tx, |tx| {
                let (reply, entry) = charge(&call, tx)?;
                // With an Idempotency-Key the answer is stored, and the client can fetch it again, so no refund is needed.
                charged = entry.filter(|_| call.idempotency.is_none());
                Ok(reply)
            })?;
            let pending = charged.map(|entry| Ok::<_, Error>((entry, credits::on_its_way(&call.ctx, tx, entry)?)));
            Ok::<_, Error>((reply, pending.transpose()?))
        };
        let answered = app.store.write(workspace, work).await;
        app.wrote(workspace);
        let guard = |(entry, job)| ChargeGuard(Some(Charge { app, ctx, entry, job }));
        // If the client has hung up, `send` returns the guard, and dropping it refunds the charge.
        drop(sender.send(answered.map(|(reply, pending)| (reply, pending.map(guard)))));
    });
    receiver.await.unwrap_or_else(|_| Err(store::Error::Unavailable("the writer is gone".into()).into()))
}

/// The charge for an answer in flight. Dropping it refunds the charge, unless the answer was sent.
pub(super) struct ChargeGuard(Option<Charge>);

struct Charge {
    app: Arc<App>,
    ctx: Ctx,
    /// The charge in the ledger.
    entry: Uuid,
    /// Refunds the charge if this process crashes.
    job: Uuid,
}

impl Charge {
    /// Cancels the refund job, and refunds the charge if the answer was not delivered. Runs in a task of its own, so that the
    /// request does not wait for it.
    fn close(self, delivered: bool) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let Charge { app, ctx, entry, job } = self;
            let workspace = ctx.workspace;
            let close = move |tx: &mut dyn Tx| {
                if queue::cancel(&ctx, tx, job)? && !delivered {
                    credits::not_delivered(&ctx, tx, entry)?;
                }
                Ok::<_, Error>(())
            };
            if let Err(error) = app.store.write(workspace, close).await {
                tracing::warn!(%error, %entry, "failed to cancel the refund job of a paid answer; the job will refund the credits");
            }
            app.wrote(workspace);
        });
    }
}

impl ChargeGuard {
    /// The answer's body, with its charge.
    pub(super) fn with(self, body: Body) -> Body {
        Either::Right(Paid { body, charge: self }.boxed_unsync())
    }
}

impl Drop for ChargeGuard {
    fn drop(&mut self) {
        if let Some(charge) = self.0.take() {
            charge.close(false);
        }
    }
}

/// A body that counts as delivered when its connection has accepted the first frame.
struct Paid {
    body: Body,
    charge: ChargeGuard,
}

impl HttpBody for Paid {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        if matches!(&polled, Poll::Ready(Some(Ok(_))))
            && let Some(charge) = self.charge.0.take()
        {
            charge.close(true);
        }
        polled.map_err(std::io::Error::other)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
