//! The sandbox's certificate, made when it starts, and its mail servers behind it.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use super::door;
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

/// A mail server: under TLS from the first byte on if it is `secured`, later if the client asks for it.
pub async fn serve<F: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    secured: bool,
    converse: impl Fn(Box<dyn Stream>, TlsAcceptor) -> F + Clone + Send + 'static,
) {
    let welcome = move |socket| {
        let (acceptor, converse) = (acceptor.clone(), converse.clone());
        async move {
            let stream: Box<dyn Stream> = match secured {
                false => Box::new(socket),
                true => match acceptor.accept(socket).await {
                    Ok(stream) => Box::new(stream),
                    Err(_) => return,
                },
            };
            converse(stream, acceptor).await;
        }
    };
    door::serve(listener, welcome).await;
}
