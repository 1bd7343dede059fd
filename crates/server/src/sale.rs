//! Answers that are paid for with credits. From the moment that the credits are taken until the answer is handed to its
//! connection, a `Delivery` stands for them: whatever ends it before, it gives them back.

use crate::envelope::Body;
use crate::{App, http};
use bytes::Bytes;
use crm::operation::{Call, Reply, Sale, Sold};
use crm::{credits, idempotency};
use http_body_util::{BodyExt, Either};
use hyper::body::{Body as HttpBody, Frame, SizeHint};
use resource::{Ctx, Error};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use store::Tx;

/// Finds in a read, sells in a write. The write goes on to its end when nobody waits for it any more; then its credits
/// are given back.
pub async fn run(app: &Arc<App>, steps: Sold, call: Arc<Call>) -> Result<(Reply, Option<Delivery>), Error> {
    let asking = call.clone();
    let found = http::read(app, move |tx| (steps.find)(&asking, tx)).await?;
    let (sender, receiver) = tokio::sync::oneshot::channel();
    let app = app.clone();
    tokio::spawn(async move {
        let (ctx, workspace) = (call.ctx.clone(), call.ctx.workspace);
        let work = move |tx: &mut dyn Tx| {
            let mut sale = None;
            let reply = idempotency::once(&call, tx, |tx| {
                let (reply, taken) = (steps.sell)(&call, tx, found.clone())?;
                // With a key the answer is kept, and can be asked for again.
                sale = taken.filter(|_| call.once.is_none());
                Ok(reply)
            })?;
            Ok::<_, Error>((reply, sale))
        };
        let sold = app.store.write(workspace, work).await;
        app.wrote(workspace);
        let delivery = |sale| Delivery(Some(Owed { app, ctx, sale }));
        // If nobody waits for it, it comes back here and ends.
        drop(sender.send(sold.map(|(reply, sale)| (reply, sale.map(delivery)))));
    });
    receiver.await.unwrap_or_else(|_| Err(store::Error::Unavailable("the writer is gone".into()).into()))
}

/// Credits for an answer that is on its way; given back unless it gets there.
pub struct Delivery(Option<Owed>);

struct Owed {
    app: Arc<App>,
    ctx: Ctx,
    sale: Sale,
}

impl Delivery {
    /// The answer's body, bound to its credits.
    pub fn with(self, body: Body) -> Body {
        Either::Right(Paid { body, delivery: self }.boxed_unsync())
    }
}

impl Drop for Delivery {
    fn drop(&mut self) {
        let Some(Owed { app, ctx, sale }) = self.0.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let workspace = ctx.workspace;
            let back = move |tx: &mut dyn Tx| credits::refund(&ctx, tx, sale.entry, sale.taken, "not delivered");
            if let Err(error) = app.store.write(workspace, back).await {
                tracing::error!(%error, entry = %sale.entry, "credits for an answer that was not delivered are not given back");
            }
            app.wrote(workspace);
        });
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
        if matches!(&polled, Poll::Ready(Some(Ok(_)))) {
            self.delivery.0 = None;
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
