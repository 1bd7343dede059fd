//! The sandbox's certificate, made when it starts, and the door of its mail servers.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;

use crate::transport::Stream;

/// A certificate for this address and `localhost`, and how to trust it.
pub fn made(listen: IpAddr) -> io::Result<(TlsAcceptor, String)> {
    let made =
        rcgen::generate_simple_self_signed([listen.to_string(), "localhost".to_owned()]).map_err(io::Error::other)?;
    let key = rustls::pki_types::PrivateKeyDer::Pkcs8(made.signing_key.serialize_der().into());
    let config = ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key)
        .map_err(io::Error::other)?;
    Ok((TlsAcceptor::from(Arc::new(config)), made.cert.pem()))
}

/// Lets clients in, for as long as nobody ends it; those inside end with it.
pub async fn serve<F: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    secured: bool,
    converse: impl Fn(Box<dyn Stream>, TlsAcceptor) -> F + Clone + Send + 'static,
) {
    let mut inside = JoinSet::new();
    loop {
        tokio::select! {
            accepted = listener.accept() => {
                let Ok((socket, _)) = accepted else { continue };
                let _ = socket.set_nodelay(true);
                let (acceptor, converse) = (acceptor.clone(), converse.clone());
                inside.spawn(async move {
                    match secured {
                        false => converse(Box::new(socket), acceptor).await,
                        true => {
                            if let Ok(stream) = acceptor.accept(socket).await {
                                converse(Box::new(stream), acceptor).await;
                            }
                        }
                    }
                });
            }
            Some(_) = inside.join_next() => {}
        }
    }
}
