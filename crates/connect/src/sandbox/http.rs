//! The sandbox's HTTP services. A handler can leave its client without an answer.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tower::ServiceExt;

use super::door;

/// Hangs up on the client of a request when it is told.
#[derive(Clone, Default)]
pub struct Line(Arc<Notify>);

impl Line {
    pub fn hang_up(&self) {
        self.0.notify_one();
    }
}

pub async fn serve(listener: TcpListener, router: Router) {
    let welcome = move |socket| {
        let line = Line::default();
        let given = line.clone();
        let service = router.clone().map_request(move |mut request: Request<hyper::body::Incoming>| {
            request.extensions_mut().insert(given.clone());
            request
        });
        async move {
            let builder = Builder::new(TokioExecutor::new());
            let connection = builder.serve_connection(TokioIo::new(socket), TowerToHyperService::new(service));
            tokio::select! {
                _ = connection => {}
                () = line.0.notified() => {}
            }
        }
    };
    door::serve(listener, welcome).await;
}
