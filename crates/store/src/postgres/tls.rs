//! TLS as requested by the database URL: `sslmode=require` encrypts, `verify-full` (or any mode with
//! `sslrootcert=FILE`) also verifies the server. The meaning is libpq's, so that a URL works in both.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::CryptoProvider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// Returns the URL without the parameters that the driver does not know, and the TLS connector for them.
pub(super) fn from_url(url: &str) -> Result<(String, MakeRustlsConnect), String> {
    let (base, query) = url.split_once('?').unwrap_or((url, ""));
    let (mut verify, mut root, mut kept) = (false, None, Vec::new());
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        match pair.split_once('=') {
            Some(("sslmode", "verify-full" | "verify-ca")) => {
                verify = true;
                kept.push("sslmode=require".to_owned());
            }
            Some(("sslrootcert", file)) => {
                verify = true;
                root = Some(decoded(file));
            }
            _ => kept.push(pair.to_owned()),
        }
    }
    let url = if kept.is_empty() { base.to_owned() } else { format!("{base}?{}", kept.join("&")) };
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider.clone()).with_safe_default_protocol_versions();
    let builder = builder.map_err(|e| e.to_string())?;
    let config = match (verify, root) {
        (false, _) => {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(Anyone(provider))).with_no_client_auth()
        }
        (true, Some(file)) => {
            let mut roots = RootCertStore::empty();
            let unread = |e: rustls::pki_types::pem::Error| format!("sslrootcert {file} can't be read: {e}");
            for cert in CertificateDer::pem_file_iter(&file).map_err(unread)? {
                roots.add(cert.map_err(unread)?).map_err(|e| e.to_string())?;
            }
            builder.with_root_certificates(roots).with_no_client_auth()
        }
        (true, None) => {
            let (connect, _) = MakeRustlsConnect::with_native_certs().map_err(|e| format!("{e:?}"))?;
            return Ok((url, connect));
        }
    };
    Ok((url, MakeRustlsConnect::new(config)))
}

/// Decodes percent escapes; an invalid escape stays as it is.
fn decoded(text: &str) -> String {
    let (mut bytes, mut rest) = (Vec::with_capacity(text.len()), text.as_bytes());
    while let Some((&first, after)) = rest.split_first() {
        let escaped = (first == b'%').then(|| after.get(..2)).flatten().and_then(|two| std::str::from_utf8(two).ok());
        match escaped.and_then(|two| u8::from_str_radix(two, 16).ok()) {
            Some(byte) => (bytes.push(byte), rest = &after[2..]),
            None => (bytes.push(first), rest = after),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Encrypts without verifying the server, as `sslmode=require` means.
#[derive(Debug)]
struct Anyone(Arc<CryptoProvider>);

impl ServerCertVerifier for Anyone {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }
    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls12_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }
    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        rustls::crypto::verify_tls13_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }
    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
