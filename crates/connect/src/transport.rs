//! A connection to a server, in the clear or under TLS.

use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, crypto::CryptoProvider};
use rustls_platform_verifier::Verifier;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::fault::Fault;
use crate::server::{Server, Tls};

pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send + Sync + std::fmt::Debug {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send + Sync + std::fmt::Debug> Stream for T {}

/// Waits for an answer, but not for ever.
pub async fn within<T>(limit: Duration, what: &str, work: impl Future<Output = T>) -> Result<T, Fault> {
    tokio::time::timeout(limit, work)
        .await
        .map_err(|_| Fault::Unreached(format!("{what} did not come within {} s", limit.as_secs_f32())))
}

/// The connection, and by what this end of it is known.
pub async fn open(server: &Server) -> Result<(Box<dyn Stream>, String), Fault> {
    let unreached = |error: std::io::Error| Fault::Unreached(format!("{server}: {error}"));
    let connected = async {
        let addresses = server.addresses().await?;
        TcpStream::connect(&addresses[..]).await.map_err(unreached)
    };
    let socket = within(server.timeouts.connect, &format!("{server}: a connection"), connected).await??;
    socket.set_nodelay(true).map_err(unreached)?;
    let name = match socket.local_addr().map_err(unreached)?.ip() {
        std::net::IpAddr::V4(ip) => format!("[{ip}]"),
        std::net::IpAddr::V6(ip) => format!("[IPv6:{ip}]"),
    };
    match server.tls {
        Tls::Tls => Ok((secure(server, Box::new(socket)).await?, name)),
        Tls::None | Tls::StartTls => Ok((Box::new(socket), name)),
    }
}

pub async fn secure(server: &Server, stream: Box<dyn Stream>) -> Result<Box<dyn Stream>, Fault> {
    let name = ServerName::try_from(server.host.clone())
        .map_err(|_| Fault::Sender(format!("{server}: TLS needs a host's name or address")))?;
    let connector = TlsConnector::from(trust(server)?);
    let secured = within(server.timeouts.connect, &format!("{server}: TLS"), connector.connect(name, stream)).await?;
    // A certificate that is not believed is for the account's owner to mend; a lost connection is not.
    let secured = secured.map_err(|error| match error.kind() {
        std::io::ErrorKind::InvalidData => Fault::Sender(format!("{server}: TLS failed: {error}")),
        _ => Fault::Unreached(format!("{server}: TLS failed: {error}")),
    })?;
    Ok(Box::new(secured))
}

/// The machine's certificates are read once; a file of one's own, whenever it is named.
fn trust(server: &Server) -> Result<Arc<ClientConfig>, Fault> {
    static MACHINE: OnceLock<Arc<ClientConfig>> = OnceLock::new();
    let failed = |error: &dyn std::fmt::Display| Fault::Sender(format!("{server}: TLS can't begin: {error}"));
    let Some(file) = &server.ca else {
        if let Some(config) = MACHINE.get() {
            return Ok(config.clone());
        }
        let config = trusting(Vec::new()).map_err(|error| failed(&error))?;
        return Ok(MACHINE.get_or_init(|| config).clone());
    };
    let unread = |error| Fault::Sender(format!("{server}: no certificate in {}: {error}", file.display()));
    let extra = CertificateDer::pem_file_iter(file).map_err(unread)?.collect::<Result<Vec<_>, _>>().map_err(unread)?;
    trusting(extra).map_err(|error| failed(&error))
}

fn trusting(extra: Vec<CertificateDer<'static>>) -> Result<Arc<ClientConfig>, rustls::Error> {
    let provider: Arc<CryptoProvider> = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = Verifier::new_with_extra_roots(extra, provider.clone())?;
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth();
    Ok(Arc::new(config))
}
