//! A request's body: members as JSON, or a form whose file is streamed into a temporary file.

use crate::App;
use crate::request::connections::{Lost, Receiving};
use crate::request::envelope::Failure;
use crate::request::form::form;
use crate::request::received::{Received, TIMEOUT, declared, late, shortened, too_large};
use crate::request::refused::Refused;
use crate::request::run::blocking;
use crate::request::spool::Spool;
use crate::shares::{Share, Shares};
use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use bytes::{Bytes, BytesMut};
use crm::api::call::Sent;
use crm::api::operation::{Operation, Upload};
use crm::tenant::storage::Usage;
use http_body_util::BodyExt;
use hyper::HeaderMap;
use hyper::body::Body as _;
use hyper::header;
use resource::{Changes, Input, invalid};
use serde_json::{Map, Value as Json};
use std::sync::Arc;
use std::time::Duration;
use store::Uuid;

/// The slowest accepted rate of a long body, in bytes per second.
const SLOWEST: u64 = 64 * 1024;
/// The most bytes of a body that is parsed at once, where it was read.
const SMALL: usize = 16 * 1024;
/// Bodies above this size need a share of the memory.
const LARGE: usize = 256 * 1024;
/// The most bytes that are read and discarded so that a client that is still sending can read the answer.
const DRAIN: usize = 32 * 1024 * 1024;

/// Reads the body in the form that the operation expects. A file that exceeds the storage quota is refused as soon as that is
/// known. `read` is set to whether the whole body was read.
pub(crate) async fn read(
    app: &Arc<App>,
    workspace: Uuid,
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
        let members = members(app, workspace, operation, essence, headers, body, read).await?;
        return Ok(Received { members, ..Received::default() });
    };
    if essence.eq_ignore_ascii_case("multipart/form-data") {
        let most = Duration::from_secs(upload.most / SLOWEST) + TIMEOUT;
        let received =
            tokio::time::timeout(most, form(app, workspace, &upload, storage.as_ref(), content_type, headers, body));
        return received.await.unwrap_or_else(|_| Err(late().into()));
    }
    if operation.body.is_some() {
        // A JSON body contains the whole file, and is in memory more than once.
        let _room = app.room().await?;
        let members = members(app, workspace, operation, essence, headers, body, read).await?;
        let (file, share) = from_members(app, workspace, operation, &upload, &members).await?;
        return Ok(Received { members: Map::new(), file: Some(file), share: Some(share) });
    }
    if essence.is_empty() && body.is_end_stream() {
        return Err(invalid("file", "is missing; send multipart/form-data with one part named file").into());
    }
    Err(unsupported("multipart/form-data", essence).into())
}

/// Refuses a compressed body, because the server does not decompress it.
pub(crate) fn check_encoding(headers: &HeaderMap) -> Result<(), Failure> {
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
pub(crate) async fn drain(body: &mut Receiving) {
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

async fn members(
    app: &Arc<App>,
    workspace: Uuid,
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
    let shares = Some((&app.large_bodies, workspace));
    let Ok(collected) = tokio::time::timeout(time, collect(body, most, shares)).await else {
        return Err(late().into());
    };
    let (bytes, share) = match collected {
        Ok(Some(collected)) => collected,
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
    // A large body is parsed on another thread, since the threads of connections serve everybody.
    let object = match bytes.len() {
        0..=SMALL => resource::object(&bytes)?,
        _ => blocking(app, workspace, move || resource::object(&bytes)).await??,
    };
    drop(share);
    if operation.body.is_none()
        && let Some(name) = object.keys().next()
    {
        return Err(invalid(shortened(name), "is not a member of this body; it takes none").into());
    }
    Ok(object)
}

/// The whole body; `None` if it is larger than `most`, breaks off or takes too long.
pub(crate) async fn whole(body: &mut Receiving, most: usize) -> Option<Bytes> {
    let (whole, _) = tokio::time::timeout(TIMEOUT, collect(body, most, None)).await.ok()?.ok()??;
    Some(whole)
}

/// The whole body; `None` if it is larger than `most`. If `shares` are given, a large body waits for one of them before it is
/// read on.
async fn collect(
    body: &mut Receiving,
    most: usize,
    shares: Option<(&Shares, Uuid)>,
) -> Result<Option<(Bytes, Option<Share>)>, Lost> {
    let (mut whole, mut share) = (BytesMut::new(), None);
    while let Some(frame) = body.frame().await {
        if let Ok(data) = frame?.into_data() {
            if whole.len() + data.len() > most {
                return Ok(None);
            }
            if whole.is_empty() && hyper::body::Body::is_end_stream(body) {
                return Ok(Some((data, None)));
            }
            if share.is_none()
                && whole.len() + data.len() > LARGE
                && let Some((shares, workspace)) = shares
            {
                share = shares.take(workspace).await;
            }
            whole.extend_from_slice(&data);
        }
    }
    Ok(Some((whole.freeze(), share)))
}

/// A file that is sent as base64 in a JSON member.
async fn from_members(
    app: &Arc<App>,
    workspace: Uuid,
    operation: &Operation,
    upload: &Upload,
    members: &Map<String, Json>,
) -> Result<(Sent, Share), Refused> {
    /// With or without `=` at the end.
    const BASE64: GeneralPurpose = GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
    );
    let Some(body) = &operation.body else { return Err(invalid("body", "must be a form").into()) };
    let checked = Changes::check(&body.shape, &Input(members), body.creating)?;
    let content = BASE64.decode(checked.named_text("file_base64").unwrap_or_default());
    let content = content.map_err(|_| invalid("file_base64", "is not base64"))?;
    let mut spool = Spool::new(app, workspace, upload.most).await?;
    let size = content.len() as u64;
    spool.add("file_base64", content.into()).await?;
    let text = |name: &str| checked.named_text(name).map(str::to_owned);
    if size == 0 {
        return Err(invalid("file_base64", "must not be empty").into());
    }
    spool.sent("file_base64", upload, text("filename"), text("content_type")).await
}
