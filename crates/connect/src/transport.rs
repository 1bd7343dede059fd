//! A connection to a server, with or without TLS.

use std::future::Future;
use std::io::{self, ErrorKind};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{CertificateError, ClientConfig, crypto::CryptoProvider};
use rustls_platform_verifier::Verifier;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

use crate::fault::Fault;
use crate::server::{Server, Tls};

pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send + Sync + std::fmt::Debug {}
impl<T: AsyncRead + AsyncWrite + Unpin + Send + Sync + std::fmt::Debug> Stream for T {}

/// Limits the wait for an answer.
pub async fn within<T>(limit: Duration, what: &str, work: impl Future<Output = T>) -> Result<T, Fault> {
    tokio::time::timeout(limit, work)
        .await
        .map_err(|_| Fault::Unreached(format!("{what} did not come within {} s", limit.as_secs_f32())))
}

/// Returns the connection and the name of this end for EHLO.
pub async fn open(server: &Server) -> Result<(Box<dyn Stream>, String), Fault> {
    let unreached = |error: io::Error| Fault::Unreached(format!("{server}: {}", words(&error)));
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
    // The account's owner must fix an untrusted certificate; a lost connection is only worth a retry.
    let secured = secured.map_err(|error| match error.kind() {
        ErrorKind::InvalidData => Fault::Sender(format!("{server}: {}", tls_words(server, &error))),
        _ => Fault::Unreached(format!("{server}: {}", tls_words(server, &error))),
    })?;
    Ok(Box::new(secured))
}

/// Describes a connection error and what to do about it, without system error numbers.
pub fn words(error: &io::Error) -> String {
    let text = match error.kind() {
        // Errors without a number have a text of their own.
        _ if error.raw_os_error().is_none() => return error.to_string(),
        ErrorKind::ConnectionRefused => {
            "nothing accepts connections at this host and port; check both, and whether the server runs"
        }
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
            "the server closed the connection; check the port and tls=, or try again later"
        }
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => {
            "no way through the network leads to this host; check the host and the network of this machine"
        }
        ErrorKind::TimedOut => "the host does not answer; check host and port, and whether a firewall is between",
        _ => {
            let text = error.to_string();
            return text.split(" (os error").next().unwrap_or_default().to_owned();
        }
    };
    text.to_owned()
}

fn tls_words(server: &Server, error: &io::Error) -> String {
    match error.get_ref().and_then(|error| error.downcast_ref()) {
        Some(rustls::Error::InvalidMessage(_)) if server.tls == Tls::Tls => {
            "the server does not speak TLS at this port from the first byte on; try tls=starttls".to_owned()
        }
        Some(rustls::Error::InvalidMessage(_)) => {
            "the server does not speak TLS after STARTTLS; try tls=tls with the port for it".to_owned()
        }
        Some(rustls::Error::InvalidCertificate(error)) => certificate_words(server, error),
        Some(rustls::Error::AlertReceived(alert)) => {
            format!("the server ended TLS ({alert:?}); it may offer old versions of TLS alone")
        }
        Some(other) => format!("TLS failed: {other}"),
        None if error.kind() == ErrorKind::UnexpectedEof => {
            "the server closed the connection instead of beginning TLS; check the port, or try tls=starttls".to_owned()
        }
        None => format!("TLS failed: {}", words(error)),
    }
}

fn certificate_words(server: &Server, error: &CertificateError) -> String {
    let (host, text) = (&server.host, error.to_string());
    match error {
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
            "the server's certificate has expired; renew it there".to_owned()
        }
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
            "the server's certificate is not valid yet; check the clocks of both machines".to_owned()
        }
        CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
            format!("the server's certificate is not for {host}; use the name in the certificate")
        }
        // A CA certificate is only used for a server if it is self-signed.
        _ if *error == CertificateError::UnknownIssuer || text.contains("CaUsedAsEndEntity") => {
            "the server's certificate is self-signed, or of an authority that this machine does not trust; give the \
             server a certificate of a known authority, or let the operator trust this one: `relata accounts` with \
             ?ca=FILE behind the address"
                .to_owned()
        }
        _ => format!("the server's certificate is not accepted: {text}"),
    }
}

/// The machine's certificates are read once; a custom file each time it is used.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guard::Guard;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    /// A server that sends this to every client and then resets or closes the connection.
    async fn saying(greeting: &'static [u8], resets: bool) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let _ = stream.write_all(greeting).await;
                let _ = stream.read(&mut [0; 1024]).await;
                if resets {
                    let _ = stream.set_zero_linger();
                }
            }
        });
        port
    }

    async fn said(port: u16, tls: &str) -> String {
        let server = |scheme: &str| format!("{scheme}://a:b@127.0.0.1:{port}?tls={tls}");
        let smtp = Server::smtp(&server("smtp"), &Guard::operator()).unwrap();
        let imap = Server::imap(&server("imap"), &Guard::operator()).unwrap();
        let smtp = crate::smtp::check(&smtp).await.unwrap_err().to_string();
        format!("{smtp}\n{}", crate::imap::check(&imap).await.unwrap_err())
    }

    #[tokio::test]
    async fn failed_connections_are_described_in_plain_words() {
        let free = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().port();
        let cases = [
            (saying(b"220 mail.example.com ready\r\n", false).await, "tls", "try tls=starttls"),
            (saying(b"", false).await, "tls", "try tls=starttls"),
            (saying(b"", true).await, "tls", "the server closed the connection"),
            (free, "none", "nothing accepts connections at this host and port"),
            (free, "tls", "nothing accepts connections at this host and port"),
        ];
        for (port, tls, words) in cases {
            let said = said(port, tls).await;
            assert_eq!(said.matches(words).count(), 2, "{said}");
            assert!(!said.contains("os error") && !said.contains("InvalidContentType"), "{said}");
        }
    }
}
