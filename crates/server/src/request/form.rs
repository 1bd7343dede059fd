//! A body of `multipart/form-data`.

use crate::App;
use crate::request::connections::{Lost, Receiving};
use crate::request::received::{Received, TIMEOUT, declared, late, shortened, too_large};
use crate::request::refused::Refused;
use crate::request::spool::Spool;
use crate::shares::Share;
use bytes::Bytes;
use crm::api::call::Sent;
use crm::api::operation::Upload;
use crm::tenant::storage::Usage;
use futures_util::Stream;
use hyper::HeaderMap;
use hyper::body::Body as _;
use hyper::header::{self, HeaderValue};
use multer::{Field, Multipart};
use resource::{Error, Kind, invalid};
use serde_json::Value as Json;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use store::Uuid;

/// The bytes that a form may have besides its file.
const AROUND: u64 = 64 * 1024;
/// The bytes that may come before a part begins. multer keeps them in memory.
const BEFORE: u64 = 256 * 1024;
/// Most parts of a form.
const PARTS: usize = 100;

/// Reads a form: its file goes to a temporary file, its other parts become members.
pub(crate) async fn form(
    app: &Arc<App>,
    workspace: Uuid,
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
                let fits = |size| if is_part { fits(size) } else { Ok(()) };
                let (file, share) = part.spooled(app, workspace, upload, fits).await?;
                (received.file, received.share) = (Some(file), Some(share));
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
        workspace: Uuid,
        upload: &Upload,
        fits: impl Fn(u64) -> Result<(), Error>,
    ) -> Result<(Sent, Share), Refused> {
        let mut spool = Spool::new(app, workspace, upload.most).await?;
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
            Kind::Object => Json::Object(resource::object(text.as_bytes()).map_err(|error| error.renamed(&name))?),
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
