//! A request's body: members as JSON, or a form whose file is streamed into a temporary file.

use crate::request::connections::{Lost, Receiving};
use crate::request::envelope::Failure;
use crate::request::refused::Refused;
use crate::{App, effects};
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use bytes::{Bytes, BytesMut};
use crm::api::call::Sent;
use crm::api::operation::{Operation, Upload};
use crm::tenant::storage::Usage;
use futures_util::Stream;
use http_body_util::BodyExt;
use hyper::HeaderMap;
use hyper::body::Body as _;
use hyper::header::{self, HeaderValue};
use multer::{Field, Multipart};
use resource::{Changes, Error, Input, Kind, invalid};
use serde_json::{Map, Value as Json};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{Read, Seek, Write};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

/// The time limit of a body, or of the next part of a long one.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The slowest accepted rate of a long body, in bytes per second.
const SLOWEST: u64 = 64 * 1024;
/// The bytes that a form may have besides its file.
const AROUND: u64 = 64 * 1024;
/// The bytes that may come before a part begins. multer keeps them in memory.
const BEFORE: u64 = 256 * 1024;
/// Most parts of a form.
const PARTS: usize = 100;
/// The most bytes that are read and discarded so that a client that is still sending can read the answer.
const DRAIN: usize = 32 * 1024 * 1024;

/// The content of a body.
#[derive(Default)]
pub struct Received {
    pub members: Map<String, Json>,
    pub file: Option<Sent>,
}

/// Reads the body in the form that the operation expects. A file that exceeds the storage quota is refused as soon as that is
/// known. `read` is set to whether the whole body was read.
pub async fn read(
    app: &Arc<App>,
    operation: &Operation,
    storage: Option<Usage>,
    headers: &HeaderMap,
    body: &mut Receiving,
    read: &mut bool,
) -> Result<Received, Refused> {
    if operation.method == "GET" {
        return Ok(Received::default());
    }
    check_encoding(headers)?;
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let essence = content_type.split(';').next().unwrap_or("").trim();
    let Some(upload) = operation.upload else {
        let members = members(operation, essence, headers, body, read).await?;
        return Ok(Received { members, file: None });
    };
    if essence.eq_ignore_ascii_case("multipart/form-data") {
        let most = Duration::from_secs(upload.most / SLOWEST) + TIMEOUT;
        let received = tokio::time::timeout(most, form(app, &upload, storage.as_ref(), content_type, headers, body));
        return received.await.unwrap_or_else(|_| Err(late().into()));
    }
    if operation.body.is_some() {
        // A JSON body contains the whole file, and is in memory more than once.
        let _room = app.room().await?;
        let members = members(operation, essence, headers, body, read).await?;
        return Ok(Received {
            members: Map::new(),
            file: Some(from_members(app, operation, &upload, &members).await?),
        });
    }
    if essence.is_empty() && body.is_end_stream() {
        return Err(invalid("file", "is missing; send multipart/form-data with one part named file").into());
    }
    Err(unsupported("multipart/form-data", essence).into())
}

/// Refuses a compressed body, because the server does not decompress it.
pub fn check_encoding(headers: &HeaderMap) -> Result<(), Failure> {
    let given = headers.get_all(header::CONTENT_ENCODING).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
    match given.into_iter().find(|value| !matches!(value.trim().to_ascii_lowercase().as_str(), "" | "identity")) {
        Some(value) => {
            let reason = format!("send the body without Content-Encoding, not with {}", shortened(&value));
            Err(Failure::new(415, "unsupported_media_type", reason))
        }
        None => Ok(()),
    }
}

/// Reads and discards the rest, so that a client that is still sending can read the answer.
pub async fn drain(body: &mut Receiving) {
    let discard = async {
        let mut discarded = 0;
        while let Some(Ok(frame)) = body.frame().await {
            discarded += frame.data_ref().map_or(0, Bytes::len);
            if discarded > DRAIN {
                return;
            }
        }
    };
    let _ = tokio::time::timeout(Duration::from_secs(10), discard).await;
}

fn unsupported(wanted: &str, given: &str) -> Failure {
    let given = if given.is_empty() { "none" } else { given };
    Failure::new(415, "unsupported_media_type", format!("send Content-Type: {wanted}, not {given}"))
}

fn too_large(most: u64) -> Refused {
    Failure::new(413, "payload_too_large", format!("the body is larger than {}", size(most))).into()
}

/// `10 MiB (10,485,760 bytes)`.
fn size(bytes: u64) -> String {
    let digits = bytes.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|group| str::from_utf8(group).ok()).collect();
    let exact = format!("{} bytes", groups.join(","));
    match bytes % (1 << 20) {
        0 => format!("{} MiB ({exact})", bytes >> 20),
        _ => exact,
    }
}

fn late() -> Error {
    invalid("body", "did not arrive in time")
}

fn declared(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

// ---- members as JSON ----

async fn members(
    operation: &Operation,
    essence: &str,
    headers: &HeaderMap,
    body: &mut Receiving,
    read: &mut bool,
) -> Result<Map<String, Json>, Refused> {
    let most = operation.body.as_ref().map_or(crm::api::operation::BODY, |body| body.most);
    if declared(headers).is_some_and(|length| length > most as u64) {
        return Err(too_large(most as u64));
    }
    *read = true;
    let length = declared(headers).unwrap_or(most as u64);
    let time = TIMEOUT + Duration::from_secs(length / SLOWEST);
    let Ok(collected) = tokio::time::timeout(time, collect(body, most)).await else {
        return Err(late().into());
    };
    let bytes = match collected {
        Ok(Some(bytes)) => bytes,
        Ok(None) => {
            *read = false;
            return Err(too_large(most as u64));
        }
        Err(Lost::Late) => return Err(late().into()),
        Err(Lost::Broken) => return Err(invalid("body", "could not be read to its end").into()),
    };
    if bytes.iter().all(u8::is_ascii_whitespace) {
        let missing = || invalid("body", "is missing; send a JSON object").into();
        return operation.body_is_optional().then(Map::new).ok_or_else(missing);
    }
    if !essence.eq_ignore_ascii_case("application/json") {
        let wanted =
            if operation.upload.is_some() { "multipart/form-data or application/json" } else { "application/json" };
        return Err(unsupported(wanted, essence).into());
    }
    let object = resource::object(&bytes)?;
    if operation.body.is_none()
        && let Some(name) = object.keys().next()
    {
        return Err(invalid(shortened(name), "is not a member of this body; it takes none").into());
    }
    Ok(object)
}

/// The whole body; `None` if it is larger than `most`, breaks off or takes too long.
pub async fn whole(body: &mut Receiving, most: usize) -> Option<Bytes> {
    tokio::time::timeout(TIMEOUT, collect(body, most)).await.ok()?.ok()?
}

async fn collect(body: &mut Receiving, most: usize) -> Result<Option<Bytes>, Lost> {
    let mut whole = BytesMut::new();
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame?.into_data() {
            if whole.len() + data.len() > most {
                return Ok(None);
            }
            if whole.is_empty() && hyper::body::Body::is_end_stream(body) {
                return Ok(Some(data));
            }
            whole.extend_from_slice(&data);
        }
    }
    Ok(Some(whole.freeze()))
}

pub fn shortened(name: &str) -> String {
    name.chars().take(60).collect()
}

/// A file that is sent as base64 in a JSON member.
async fn from_members(
    app: &Arc<App>,
    operation: &Operation,
    upload: &Upload,
    members: &Map<String, Json>,
) -> Result<Sent, Refused> {
    /// With or without `=` at the end.
    const BASE64: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let Some(body) = &operation.body else { return Err(invalid("body", "must be a form").into()) };
    let checked = Changes::check(&body.shape, &Input(members), body.creating)?;
    let content = BASE64.decode(checked.named_text("file_base64").unwrap_or_default());
    let content = content.map_err(|_| invalid("file_base64", "is not base64"))?;
    let mut spool = Spool::new(app, upload.most).await?;
    let size = content.len() as u64;
    spool.add("file_base64", content.into()).await?;
    let text = |name: &str| checked.named_text(name).map(str::to_owned);
    if size == 0 {
        return Err(invalid("file_base64", "must not be empty").into());
    }
    spool.sent("file_base64", upload, text("filename"), text("content_type")).await
}

// ---- a form ----

async fn form(
    app: &Arc<App>,
    upload: &Upload,
    storage: Option<&Usage>,
    content_type: &str,
    headers: &HeaderMap,
    body: &mut Receiving,
) -> Result<Received, Refused> {
    let most = upload.most + AROUND;
    if declared(headers).is_some_and(|length| length > most) {
        return Err(too_large(upload.most));
    }
    let least = declared(headers).map_or(0, |length| length.saturating_sub(AROUND));
    // With a Content-Length this one check is enough. The file is then read to its end, so that a later quota error has its
    // exact size.
    let (fits, is_part) =
        (|size: u64| storage.map_or(Ok(()), |usage| usage.check_part(size as i64)), declared(headers).is_none());
    fits(least)?;
    let boundary = multer::parse_boundary(content_type)
        .map_err(|_| invalid("body", "is a form without a boundary; let the client library set the Content-Type"))?;
    let before = Arc::new(AtomicU64::new(0));
    let mut form = Multipart::new(Gate { body, left: most, before: before.clone(), pending_once: false }, boundary);
    let mut received = Received::default();
    for parts in 0.. {
        before.store(BEFORE, Ordering::Relaxed);
        let next = tokio::time::timeout(TIMEOUT, form.next_field()).await.map_err(|_| late())?;
        before.store(u64::MAX, Ordering::Relaxed);
        let Some(part) = next.map_err(|error| refused(&error, upload.most))? else { break };
        if parts == PARTS {
            return Err(invalid("body", format!("has more than {PARTS} parts")).into());
        }
        let part = Part::of(part).map_err(Refused::from)?;
        match part.name.as_str() {
            "file" if received.file.is_some() => return Err(invalid("file", "must be given once").into()),
            "file" => {
                received.file = Some(part.spooled(app, upload, |size| if is_part { fits(size) } else { Ok(()) }).await?)
            }
            _ => {
                let (name, value) = part.member(upload).await?;
                if received.members.contains_key(&name) {
                    return Err(invalid(name, "must be given once").into());
                }
                received.members.insert(name, value);
            }
        }
    }
    if received.file.is_none() {
        return Err(invalid("file", "is missing; send multipart/form-data with one part named file").into());
    }
    Ok(received)
}

fn refused(error: &multer::Error, most: u64) -> Refused {
    let why = match error {
        multer::Error::StreamReadFailed(cause) => cause.downcast_ref::<Stopped>(),
        _ => None,
    };
    match why {
        Some(Stopped::TooLarge) => too_large(most),
        Some(Stopped::Long) => invalid("body", "has too much before a part begins").into(),
        Some(Stopped::Late) => late().into(),
        Some(Stopped::Broken) => invalid("body", "could not be read to its end").into(),
        None => invalid("body", format!("is not a whole multipart form: {error}")).into(),
    }
}

/// One part of a form.
struct Part<'a> {
    name: String,
    filename: Option<String>,
    content_type: Option<String>,
    field: Field<'a>,
}

impl<'a> Part<'a> {
    fn of(field: Field<'a>) -> Result<Part<'a>, Error> {
        let disposition = field.headers().get(header::CONTENT_DISPOSITION).map_or(&b""[..], HeaderValue::as_bytes);
        let disposition =
            std::str::from_utf8(disposition).map_err(|_| invalid("body", "a part's name is not UTF-8"))?;
        let name = parameter(disposition, "name").filter(|name| !name.is_empty());
        let name = name.ok_or_else(|| invalid("body", "a part has no name"))?;
        let filename = extended(disposition).or_else(|| parameter(disposition, "filename"));
        let content_type = field.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
        Ok(Part { name, filename, content_type: content_type.map(str::to_owned), field })
    }

    /// The next bytes; `None` at the part's end.
    async fn chunk(&mut self, most: u64) -> Result<Option<Bytes>, Refused> {
        let chunk = tokio::time::timeout(TIMEOUT, self.field.chunk()).await.map_err(|_| late())?;
        chunk.map_err(|error| refused(&error, most))
    }

    async fn spooled(
        mut self,
        app: &Arc<App>,
        upload: &Upload,
        fits: impl Fn(u64) -> Result<(), Error>,
    ) -> Result<Sent, Refused> {
        let mut spool = Spool::new(app, upload.most).await?;
        let mut kept = Ok(());
        while let Some(chunk) = self.chunk(upload.most).await? {
            // Read to the end, to distinguish a file that is too large from a body that is.
            if kept.is_ok() {
                kept = spool.add("file", chunk).await;
                // A file over its own limit gets that error, not the quota's.
                if kept.is_ok() && spool.size <= upload.most {
                    fits(spool.size)?;
                }
            }
        }
        kept?;
        spool.sent("file", upload, self.filename, self.content_type).await
    }

    /// Text, or JSON where the member is an object.
    async fn member(mut self, upload: &Upload) -> Result<(String, Json), Refused> {
        let name = shortened(&self.name);
        let Some(field) = upload.members.iter().find(|field| field.name == self.name) else {
            let taken: Vec<&str> = ["file"].into_iter().chain(upload.members.iter().map(|field| field.name)).collect();
            return Err(invalid(name, format!("is not a part of this form; it takes {}", taken.join(", "))).into());
        };
        let mut whole = Vec::new();
        while let Some(chunk) = self.chunk(upload.most).await? {
            if whole.len() + chunk.len() > AROUND as usize {
                return Err(invalid(name, format!("is longer than {AROUND} bytes")).into());
            }
            whole.extend_from_slice(&chunk);
        }
        let text = String::from_utf8(whole).map_err(|_| invalid(name.clone(), "is not UTF-8"))?;
        let value = match field.kind {
            Kind::Object => serde_json::from_str(&text)
                .map_err(|error| invalid(name.clone(), format!("is not valid JSON: {error}")))?,
            _ => Json::from(text),
        };
        Ok((name, value))
    }
}

/// A parameter of a Content-Disposition, by its name; quoted or not.
fn parameter(disposition: &str, wanted: &str) -> Option<String> {
    let mut rest = disposition.split_once(';')?.1;
    loop {
        let (name, after) = rest.split_once('=')?;
        let (value, next) = match after.trim_start().strip_prefix('"') {
            Some(quoted) => {
                let mut value = String::new();
                let mut letters = quoted.char_indices();
                let end = loop {
                    match letters.next() {
                        // Browsers write a quote as %22, other clients as \". Other backslashes, as in paths, are kept.
                        Some((_, '\\')) if letters.as_str().starts_with('"') => {
                            letters.next();
                            value.push('"');
                        }
                        Some((at, '"')) => break at + 1,
                        Some((_, letter)) => value.push(letter),
                        None => break quoted.len(),
                    }
                };
                (value, &quoted[end..])
            }
            None => {
                let end = after.find(';').unwrap_or(after.len());
                (after[..end].trim().to_owned(), &after[end..])
            }
        };
        if name.trim().eq_ignore_ascii_case(wanted) {
            return Some(value.replace("%22", "\""));
        }
        rest = next.split_once(';').map_or("", |(_, rest)| rest);
    }
}

/// `filename*=UTF-8''…`, which has priority over `filename`.
fn extended(disposition: &str) -> Option<String> {
    let value = parameter(disposition, "filename*")?;
    let (charset, rest) = value.split_once('\'')?;
    let (_, encoded) = rest.split_once('\'')?;
    let bytes = percent_encoding::percent_decode_str(encoded);
    charset.eq_ignore_ascii_case("utf-8").then(|| bytes.decode_utf8().ok().map(|text| text.into_owned()))?
}

/// Why no more of a body is read.
#[derive(Debug)]
enum Stopped {
    TooLarge,
    Long,
    Late,
    Broken,
}
impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}
impl std::error::Error for Stopped {}

/// Limits what multer reads. multer buffers everything available before it parses, so it gets one piece at a time, and no
/// more than `before` until a part begins. So a long body needs little memory.
struct Gate<'a> {
    body: &'a mut Receiving,
    left: u64,
    before: Arc<AtomicU64>,
    pending_once: bool,
}

impl Stream for Gate<'_> {
    type Item = Result<Bytes, Stopped>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if std::mem::take(&mut self.pending_once) {
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        loop {
            return Poll::Ready(match std::task::ready!(Pin::new(&mut *self.body).poll_frame(cx)) {
                None => None,
                Some(Err(Lost::Late)) => Some(Err(Stopped::Late)),
                Some(Err(Lost::Broken)) => Some(Err(Stopped::Broken)),
                Some(Ok(frame)) => {
                    let Ok(data) = frame.into_data() else { continue };
                    let (size, before) = (data.len() as u64, self.before.load(Ordering::Relaxed));
                    if size > self.left {
                        Some(Err(Stopped::TooLarge))
                    } else if size > before {
                        Some(Err(Stopped::Long))
                    } else {
                        self.left -= size;
                        self.before.store(before - size, Ordering::Relaxed);
                        self.pending_once = true;
                        Some(Ok(data))
                    }
                }
            });
        }
    }
}

/// An unnamed temporary file in the data folder. The system removes it even after a crash.
struct Spool {
    file: File,
    size: u64,
    most: u64,
}

impl Spool {
    async fn new(app: &Arc<App>, most: u64) -> Result<Spool, Error> {
        let folder = app.data.clone();
        let file = blocking(move || tempfile::tempfile_in(folder)).await?;
        Ok(Spool { file, size: 0, most })
    }

    async fn add(&mut self, field: &str, bytes: Bytes) -> Result<(), Error> {
        self.size += bytes.len() as u64;
        if self.size > self.most {
            return Err(invalid(field, format!("is larger than {}", size(self.most))));
        }
        let mut file = self.file.try_clone().map_err(no_room)?;
        blocking(move || file.write_all(&bytes)).await
    }

    async fn sent(
        self,
        field: &str,
        upload: &Upload,
        filename: Option<String>,
        content_type: Option<String>,
    ) -> Result<Sent, Refused> {
        if self.size == 0 {
            return Err(invalid(field, "must not be empty").into());
        }
        let mut sent = Sent { filename, content_type, sniffed: None, size: self.size, content: self.file };
        if let Some(only) = upload.only {
            sent.sniffed = (only.sniff)(&effects::whole(&sent).await?);
            if sent.sniffed.is_none() {
                return Err(invalid(field, format!("is none of these: {}", only.names)).into());
            }
        }
        Ok(sent)
    }
}

/// A hash of the bytes of a file that came with a request.
pub async fn hash(sent: &Sent) -> Result<Vec<u8>, Error> {
    let mut file = sent.content.try_clone().map_err(no_room)?;
    blocking(move || {
        file.rewind()?;
        let (mut hash, mut chunk) = (Sha256::new(), vec![0; 64 * 1024]);
        loop {
            match file.read(&mut chunk)? {
                0 => return Ok(hash.finalize().to_vec()),
                length => hash.update(&chunk[..length]),
            }
        }
    })
    .await
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> std::io::Result<T> + Send + 'static) -> Result<T, Error> {
    tokio::task::spawn_blocking(work).await.map_err(no_room)?.map_err(no_room)
}

fn no_room(error: impl std::fmt::Display) -> Error {
    Error::Unavailable(format!("an upload can't be kept in the data folder: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_parts_are_read_as_clients_write_them() {
        let read = |text: &str| (parameter(text, "name"), extended(text).or_else(|| parameter(text, "filename")));
        let named = |name: &str, file: &str| (Some(name.to_owned()), Some(file.to_owned()));
        assert_eq!(read("form-data; name=\"file\"; filename=\"Résumé.pdf\""), named("file", "Résumé.pdf"));
        assert_eq!(read("form-data; name=file; filename=cv.pdf"), named("file", "cv.pdf"));
        assert_eq!(read("form-data; filename=\"a; name=b.pdf\"; name=\"file\""), named("file", "a; name=b.pdf"));
        assert_eq!(read("form-data; name=\"file\"; filename=\"a\\\"b%22.pdf\""), named("file", "a\"b\".pdf"));
        assert_eq!(read("form-data; name=\"file\"; filename=\"C:\\cv\\a.pdf\""), named("file", "C:\\cv\\a.pdf"));
        let both = "form-data; name=\"file\"; filename=\"x.pdf\"; filename*=UTF-8''R%C3%A9sum%C3%A9.pdf";
        assert_eq!(read(both), named("file", "Résumé.pdf"));
        assert_eq!(read("form-data"), (None, None));
        assert_eq!(read("form-data; name"), (None, None));
        assert_eq!(read("form-data; name=\"").0.as_deref(), Some(""));
    }
}
