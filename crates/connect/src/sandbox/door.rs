//! The door of the sandbox's services.

use std::future::Future;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

/// Lets clients in, for as long as nobody ends it; those inside end with it.
pub async fn serve<F>(listener: TcpListener, welcome: impl Fn(TcpStream) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    let mut inside = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((socket, _)) = accepted else { continue };
                let _ = socket.set_nodelay(true);
                inside.spawn(welcome(socket));
            }
            Some(_) = inside.join_next() => {}
        }
    }
}
