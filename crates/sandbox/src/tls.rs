//! The sandbox's certificate, generated at its start, and the listeners of its mail servers.

use std::future::Future;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;

use rustls::ServerConfig;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;

use crate::accept;
use connect::transport::Stream;

/// A TLS acceptor with a new certificate for this address and `localhost`, and the certificate as PEM.
pub(crate) fn acceptor(listen: IpAddr) -> io::Result<(TlsAcceptor, String)> {
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

/// Serves a mail server: with implicit TLS if `secured`, otherwise with STARTTLS on request.
pub(crate) async fn serve<F: Future<Output = ()> + Send + 'static>(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    secured: bool,
    serve_client: impl Fn(Box<dyn Stream>, TlsAcceptor) -> F + Clone + Send + 'static,
) {
    let serve_one = move |socket| {
        let (acceptor, serve_client) = (acceptor.clone(), serve_client.clone());
        async move {
            let stream: Box<dyn Stream> = match secured {
                false => Box::new(socket),
                true => match acceptor.accept(socket).await {
                    Ok(stream) => Box::new(stream),
                    Err(_) => return,
                },
            };
            serve_client(stream, acceptor).await;
        }
    };
    accept::serve(listener, serve_one).await;
}
