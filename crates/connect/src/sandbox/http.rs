//! The door of the sandbox's HTTP services. A handler can leave its client without an answer.

use std::sync::Arc;

use axum::Router;
use axum::extract::Request;
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto::Builder;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinSet;
use tower::ServiceExt;

/// Hangs up on the client of a request when it is told.
#[derive(Clone, Default)]
pub struct Line(Arc<Notify>);

impl Line {
    pub fn hang_up(&self) {
        self.0.notify_one();
    }
}

pub async fn serve(listener: TcpListener, router: Router) {
    let mut inside = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((socket, _)) = accepted else { continue };
                let _ = socket.set_nodelay(true);
                let line = Line::default();
                let given = line.clone();
                let service = router.clone().map_request(move |mut request: Request<hyper::body::Incoming>| {
                    request.extensions_mut().insert(given.clone());
                    request
                });
                inside.spawn(async move {
                    let builder = Builder::new(TokioExecutor::new());
                    let connection = builder.serve_connection(TokioIo::new(socket), TowerToHyperService::new(service));
                    tokio::select! {
                        _ = connection => {}
                        () = line.0.notified() => {}
                    }
                });
            }
            Some(_) = inside.join_next() => {}
        }
    }
}
