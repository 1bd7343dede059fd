//! The dashboard's files, built into the program. A debug build reads them from `web/dist`, so that they can be changed while
//! it runs. A path without another handler belongs to the dashboard's router and gets `index.html`.

use crate::request::envelope::Answer;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use http_body_util::{Either, Full};
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, Response, StatusCode};
use papaya::HashMap;
use rust_embed::{EmbeddedFile, RustEmbed};
use std::borrow::Cow;
use std::io::Write;
use std::sync::LazyLock;

#[derive(RustEmbed)]
#[folder = "../../web/dist/"]
#[allow_missing = true]
struct Files;

/// Scripts are allowed from this server only. The component library sets styles on elements, and a CV is shown in a frame
/// from a blob URL.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; \
     frame-src 'self' blob:; object-src 'none'; frame-ancestors 'none'; base-uri 'self'; form-action 'self'";
const NOT_BUILT: &str = "<!doctype html><html lang=\"en\"><title>Relata</title><p>The dashboard is not built: \
     <code>cd web &amp;&amp; npm ci &amp;&amp; npm run build</code>. The API reference is at <a href=\"/docs/\">/docs/</a>.</p></html>\n";
const PAGE: &str = "index.html";
/// Names of files in this folder contain a hash of their content.
const HASHED: &str = "assets/";
/// Paths of APIs and tools: a missing one gets a JSON error, not the dashboard's page.
const OTHERS: &[&str] = &["api", "dashboard", "docs", "hooks", "healthz", "readyz", "metrics"];
/// Smaller files are not compressed.
const PACKED_FROM: usize = 1024;

/// `None` if there is no such file and the client does not accept a page.
pub(crate) fn answer(head: &Parts) -> Option<Answer> {
    if head.method != Method::GET && head.method != Method::HEAD {
        return None;
    }
    let path = head.uri.path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    if OTHERS.contains(&first) {
        return None;
    }
    if let Some(file) = Some(path).filter(|path| !path.is_empty()).and_then(Files::get) {
        return Some(sent(head, path, &file));
    }
    let page = path.is_empty() || accepts(&head.headers, header::ACCEPT, "text/html");
    if !page || path.starts_with(HASHED) {
        return None;
    }
    Some(match Files::get(PAGE) {
        Some(file) => sent(head, PAGE, &file),
        None => {
            let mut answer = Response::new(Either::Left(Full::new(Bytes::from_static(NOT_BUILT.as_bytes()))));
            guard(answer.headers_mut(), "text/html; charset=utf-8", "no-cache");
            answer
        }
    })
}

fn sent(head: &Parts, path: &str, file: &EmbeddedFile) -> Answer {
    let hash: String = file.metadata.sha256_hash().iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let kind = file.metadata.mimetype();
    let text = ["text/", "application/javascript", "application/json", "image/svg", "application/manifest"];
    let packs = text.iter().any(|text| kind.starts_with(text)) && file.data.len() >= PACKED_FROM;
    let kind = if kind.starts_with("text/") { format!("{kind}; charset=utf-8") } else { kind.to_owned() };
    let cached = if path.starts_with(HASHED) { "public, max-age=31536000, immutable" } else { "no-cache" };
    // In a release build the bytes are part of the program, and no answer copies them.
    let data = match &file.data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::copy_from_slice(data),
    };
    let mut answer = versioned(head, &hash, &data, packs);
    guard(answer.headers_mut(), &kind, cached);
    answer
}

/// Bytes with their hash as ETag, compressed if that `packs` and the client accepts it; 304 if the client has them.
/// Answers share the bytes: many that a client does not read cost no memory.
pub(crate) fn versioned(head: &Parts, hash: &str, data: &Bytes, packs: bool) -> Answer {
    let packed = packs && accepts(&head.headers, header::ACCEPT_ENCODING, "gzip");
    let etag = format!("\"{hash}{}\"", if packed { "-gzip" } else { "" });
    let known = head.headers.get(header::IF_NONE_MATCH).and_then(|tags| tags.to_str().ok());
    let known = known.is_some_and(|tags| tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == etag));
    let body = match (known, packed) {
        (true, _) => Bytes::new(),
        (false, true) => pack(hash, data),
        (false, false) => data.clone(),
    };
    let mut answer = Response::new(Either::Left(Full::new(body)));
    let headers = answer.headers_mut();
    headers.extend(HeaderValue::from_str(&etag).ok().map(|etag| (header::ETAG, etag)));
    headers.insert(header::VARY, HeaderValue::from_static("Accept-Encoding"));
    if packed && !known {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if known {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
    }
    answer
}

fn guard(headers: &mut HeaderMap, kind: &str, cached: &'static str) {
    headers.extend(HeaderValue::from_str(kind).ok().map(|kind| (header::CONTENT_TYPE, kind)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cached));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
}

/// Compresses a file at its first request and caches the result.
fn pack(hash: &str, data: &[u8]) -> Bytes {
    static PACKED: LazyLock<HashMap<String, Bytes>> = LazyLock::new(HashMap::new);
    let packed = PACKED.pin();
    if let Some(bytes) = packed.get(hash) {
        return bytes.clone();
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory can't fail.
    let _ = encoder.write_all(data);
    let bytes = Bytes::from(encoder.finish().unwrap_or_default());
    packed.insert(hash.to_owned(), bytes.clone());
    bytes
}

/// Whether a header lists `what`, without `q=0`.
pub(crate) fn accepts(headers: &HeaderMap, name: HeaderName, what: &str) -> bool {
    let lines = headers.get_all(name);
    let mut all = lines.iter().filter_map(|line| line.to_str().ok()).flat_map(|line| line.split(','));
    all.any(|one| {
        let mut parts = one.split(';').map(str::trim);
        parts.next().is_some_and(|one| one.eq_ignore_ascii_case(what)) && !parts.any(|part| part == "q=0")
    })
}
