//! Accepts the connections of the sandbox's services.

use std::future::Future;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// Serves clients until the future is dropped, which also ends the open connections.
pub(crate) async fn serve<F>(listener: TcpListener, serve_one: impl Fn(TcpStream) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut connections = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((socket, _)) = accepted else { continue };
                let _ = socket.set_nodelay(true);
                connections.spawn(serve_one(socket));
            }
            Some(_) = connections.join_next() => {}
        }
    }
}
