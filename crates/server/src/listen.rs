//! Binds the port and accepts connections.

use crate::App;
use crate::request::connections::Receiving;
use crate::request::pipeline;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket};

/// Connections that wait to be accepted.
pub(crate) const BACKLOG: u32 = 1024;

/// Binds the port. The server accepts connections only after its start.
pub fn bind(listen: SocketAddr) -> Result<TcpSocket, String> {
    let bound = || {
        let socket = if listen.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
        socket.set_reuseaddr(true)?;
        socket.bind(listen)?;
        Ok(socket)
    };
    bound().map_err(|error| unbound(listen, &error))
}

pub(crate) fn unbound(listen: SocketAddr, error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::AddrInUse => {
            format!("can't listen on {listen}: another program uses this port; end it, or choose another with --listen")
        }
        std::io::ErrorKind::AddrNotAvailable => {
            format!("can't listen on {listen}: this machine does not have this address; choose another with --listen")
        }
        std::io::ErrorKind::PermissionDenied => format!(
            "can't listen on {listen}: this user may not use this port; choose one from 1024 on with --listen, and \
             forward to it"
        ),
        _ => format!("can't listen on {listen}: {error}"),
    }
}

pub(crate) async fn accept(listener: TcpListener, app: Arc<App>, mut stopped: tokio::sync::watch::Receiver<bool>) {
    let mut builder = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
    // `connections` limits the time of request heads, since it can tell idle connections from unfinished heads.
    builder.http1().timer(TokioTimer::new()).header_read_timeout(None).max_buf_size(64 * 1024);
    builder.http2().timer(TokioTimer::new()).keep_alive_interval(Duration::from_secs(30)).max_concurrent_streams(100);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = stopped.changed() => return,
        };
        let (stream, peer) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                // Out of file handles: wait for some to be closed.
                tracing::warn!(%error, "failed to accept a connection; retrying in 50 ms");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let Some(admitted) = app.connections.admit_soon(peer.ip()).await else { continue };
        let _ = stream.set_nodelay(true);
        let (app, connection) = (app.clone(), admitted.connection().clone());
        let service = hyper::service::service_fn(move |request| {
            let app = app.clone();
            // Called before hyper reads on, since only here it is known what follows this head.
            let (in_flight, noticed) = connection.begin(&request);
            let request = request.map(|body| Receiving::new(body, connection.clone()));
            async move {
                let answer = pipeline::answer(&app, peer.ip(), request, &noticed).await;
                Ok::<_, std::convert::Infallible>(answer.map(|body| in_flight.until_sent(body)))
            }
        });
        let connection = builder.serve_connection(TokioIo::new(admitted.wire(stream)), service).into_owned();
        tokio::spawn(admitted.serve(connection, |connection| connection.graceful_shutdown(), stopped.clone()));
    }
}
