//! Answers that are paid for with credits. From the moment that the credits are taken until the answer is handed to its
//! connection, a `Delivery` stands for them: whatever ends it before, it gives them back. If the process itself ends, a
//! job that was enqueued with the sale does.

use crate::envelope::Body;
use crate::{App, http};
use bytes::Bytes;
use crm::operation::{Call, Reply, Sold};
use crm::{credits, idempotency, job};
use http_body_util::{BodyExt, Either};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use resource::{Ctx, Error};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use store::{Tx, Uuid};

/// Finds in a read, sells in a write. The write goes on to its end when nobody waits for it any more; then its credits
/// are given back.
pub async fn run(
    app: &Arc<App>,
    name: &'static str,
    steps: Sold,
    call: Arc<Call>,
) -> Result<(Reply, Option<Delivery>), Error> {
    let asking = call.clone();
    let found = http::read(app, move |tx| (steps.find)(&asking, tx)).await.map_err(http::too_wide)?;
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let app = app.clone();
    tokio::spawn(async move {
        let (ctx, workspace) = (call.ctx.clone(), call.ctx.workspace);
        let work = move |tx: &mut dyn Tx| {
            tx.name(name);
            let mut sale = None;
            let reply = idempotency::once(&call, tx, |tx| {
                let (reply, taken) = (steps.sell)(&call, tx, found.clone())?;
                // With a key the answer is kept, and can be asked for again.
                sale = taken.filter(|_| call.once.is_none());
                Ok(reply)
            })?;
            let owed = sale.map(|entry| Ok::<_, Error>((entry, credits::on_its_way(&call.ctx, tx, entry)?)));
            Ok::<_, Error>((reply, owed.transpose()?))
        };
        let sold = app.store.write(workspace, work).await;
        app.wrote(workspace);
        let delivery = |(entry, job)| Delivery(Some(Owed { app, ctx, entry, job }));
        // If nobody waits for it, it comes back here and ends.
        drop(sender.send(sold.map(|(reply, owed)| (reply, owed.map(delivery)))));
    });
    receiver.await.unwrap_or_else(|_| Err(store::Error::Unavailable("the writer is gone".into()).into()))
}

/// Credits for an answer that is on its way; given back unless it gets there.
pub struct Delivery(Option<Owed>);

struct Owed {
    app: Arc<App>,
    ctx: Ctx,
    /// In the ledger.
    entry: Uuid,
    /// Gives back what nobody else does.
    job: Uuid,
}

impl Owed {
    /// Ends the matter, off the path of whoever asked.
    fn settle(self, delivered: bool) {
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let Owed { app, ctx, entry, job } = self;
            let workspace = ctx.workspace;
            let settled = move |tx: &mut dyn Tx| {
                if job::cancel(&ctx, tx, job)? && !delivered {
                    credits::not_delivered(&ctx, tx, entry)?;
                }
                Ok::<_, Error>(())
            };
            if let Err(error) = app.store.write(workspace, settled).await {
                tracing::warn!(%error, %entry, "the credits of an answer will be given back, whether it arrived or not");
            }
            app.wrote(workspace);
        });
    }
}

impl Delivery {
    /// The answer's body, bound to its credits.
    pub fn with(self, body: Body) -> Body {
        Either::Right(Paid { body, delivery: self }.boxed_unsync())
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        if let Some(owed) = self.0.take() {
            owed.settle(false);
        }
    }
}

/// A body that has arrived, as far as can be told, when its connection has taken it.
struct Paid {
    body: Body,
    delivery: Delivery,
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
            && let Some(owed) = self.delivery.0.take()
        {
            owed.settle(true);
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
