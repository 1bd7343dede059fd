//! Compressed answers of the API: JSON, and exports while they are sent. They contain no secret that a page of another
//! origin could guess by the size of answers: keys and links are shown by the dashboard's operations alone.

use crate::request::envelope::{Answer, Body};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use futures_util::StreamExt;
use futures_util::stream::try_unfold;
use http_body_util::{BodyDataStream, BodyExt, Full, StreamBody};
use hyper::StatusCode;
use hyper::body::Frame;
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::http::request::Parts;
use std::io::{Error, Write};

/// Smaller answers are sent as they are.
const FROM: usize = 1024;
/// Larger answers are compressed on a thread of their own, since that takes a millisecond or more.
const LARGE: usize = 64 * 1024;
/// Half the time of the usual level, for answers that are a few percent larger.
const GZIP_LEVEL: u32 = 4;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Coding {
    Gzip,
}

impl Coding {
    /// The preferred one first.
    const ALL: [Coding; 1] = [Coding::Gzip];

    const fn name(self) -> &'static str {
        match self {
            Coding::Gzip => "gzip",
        }
    }

    /// The coding that the client prefers; `None` if it prefers plain answers. `*` names no coding that the client is
    /// known to read.
    fn preferred(headers: &HeaderMap) -> Option<Coding> {
        let lines = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|line| line.to_str().ok());
        let given: Vec<(&str, f32)> = lines.flat_map(|line| line.split(',')).map(weighted).collect();
        let weight_of =
            |name: &str| given.iter().find(|(one, _)| one.eq_ignore_ascii_case(name)).map(|(_, weight)| *weight);
        let least = weight_of("identity").unwrap_or(0.0);
        let mut best: Option<(Coding, f32)> = None;
        for coding in Coding::ALL {
            let weight = weight_of(coding.name()).unwrap_or(0.0);
            if weight > 0.0 && weight >= least && best.is_none_or(|(_, most)| weight > most) {
                best = Some((coding, weight));
            }
        }
        best.map(|(coding, _)| coding)
    }
}

/// A coding and its weight, which is 1 if it is missing and 0 if it can't be read.
fn weighted(one: &str) -> (&str, f32) {
    let mut parts = one.split(';').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
    (name, weight.map_or(1.0, |weight| weight.parse().unwrap_or(0.0)))
}

/// The answer, compressed if the client accepts it.
pub(super) async fn compressed(head: &Parts, mut answer: Answer) -> Answer {
    let coding = Coding::preferred(&head.headers);
    if matches!(answer.status(), StatusCode::NOT_MODIFIED | StatusCode::NO_CONTENT) {
        // As the full answer would say.
        answer.headers_mut().append(header::VARY, HeaderValue::from_name(header::ACCEPT_ENCODING));
        return answer;
    }
    let kind = answer.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default();
    let whole = kind == "application/json";
    // An export has no length; files that were uploaded have one, and are sent as they were stored.
    let streamed =
        matches!(kind, "text/csv" | "application/x-ndjson") && !answer.headers().contains_key(header::CONTENT_LENGTH);
    if !whole && !streamed {
        return answer;
    }
    let (mut parts, body) = answer.into_parts();
    parts.headers.append(header::VARY, HeaderValue::from_name(header::ACCEPT_ENCODING));
    let body = match (coding, body) {
        (Some(coding), Body::Left(full)) if whole => match pack(coding, full).await {
            Ok(packed) => {
                mark(&mut parts.headers, coding);
                Body::Left(Full::new(packed))
            }
            Err(plain) => Body::Left(Full::new(plain)),
        },
        (Some(coding), Body::Right(stream)) if streamed => {
            mark(&mut parts.headers, coding);
            let chunks = BodyDataStream::new(stream);
            let state = Some((chunks, Encoder::new(coding)));
            let packed = try_unfold(state, |state| async move {
                let Some((mut chunks, encoder)) = state else { return Ok::<_, Error>(None) };
                let (packed, encoder) = next(&mut chunks, encoder).await?;
                Ok(Some((Frame::data(packed), encoder.map(|encoder| (chunks, encoder)))))
            });
            Body::Right(StreamBody::new(packed).boxed_unsync())
        }
        (_, body) => body,
    };
    Answer::from_parts(parts, body)
}

/// The same record in another coding is another representation, and needs another ETag. The version stays at its
/// beginning.
fn mark(headers: &mut HeaderMap, coding: Coding) {
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding.name()));
    let tag = headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()).and_then(|tag| tag.strip_suffix('"'));
    let tag = tag.and_then(|tag| HeaderValue::from_str(&format!("{tag}-{}\"", coding.name())).ok());
    if let Some(tag) = tag {
        headers.insert(header::ETAG, tag);
    }
}

/// An ETag as it would be without a coding.
pub(super) fn without_coding(tag: &str) -> Option<String> {
    let inner = tag.strip_suffix('"')?;
    let plain = Coding::ALL.iter().find_map(|coding| inner.strip_suffix(coding.name())?.strip_suffix('-'))?;
    Some(format!("{plain}\""))
}

/// The compressed body, or the plain one if it is small.
async fn pack(coding: Coding, body: Full<Bytes>) -> Result<Bytes, Bytes> {
    let Ok(whole) = body.collect().await;
    let plain = whole.to_bytes();
    if plain.len() < FROM {
        return Err(plain);
    }
    let packed = written(plain.len(), Encoder::new(coding), plain.clone(), true).await;
    packed.map(|(packed, _)| packed).map_err(|_| plain)
}

/// The next compressed bytes of a stream, and the encoder, until the stream has ended.
async fn next<S>(chunks: &mut S, mut encoder: Encoder) -> Result<(Bytes, Option<Encoder>), Error>
where
    S: futures_util::Stream<Item = Result<Bytes, Error>> + Unpin,
{
    loop {
        let Some(chunk) = chunks.next().await else {
            return written(0, encoder, Bytes::new(), true).await;
        };
        let chunk = chunk?;
        let (packed, rest) = written(chunk.len(), encoder, chunk, false).await?;
        let Some(rest) = rest else { return Ok((packed, None)) };
        if !packed.is_empty() {
            return Ok((packed, Some(rest)));
        }
        encoder = rest;
    }
}

/// Compresses a chunk, on another thread if it is large. The encoder is used up by the last one.
async fn written(size: usize, encoder: Encoder, chunk: Bytes, last: bool) -> Result<(Bytes, Option<Encoder>), Error> {
    if size < LARGE {
        return encoder.write(&chunk, last);
    }
    let work = tokio::task::spawn_blocking(move || encoder.write(&chunk, last));
    work.await.map_err(|error| Error::other(error.to_string()))?
}

enum Encoder {
    Gzip(GzEncoder<Vec<u8>>),
}

impl Encoder {
    fn new(coding: Coding) -> Encoder {
        match coding {
            Coding::Gzip => Encoder::Gzip(GzEncoder::new(Vec::new(), Compression::new(GZIP_LEVEL))),
        }
    }

    /// The bytes that are complete after this chunk.
    fn write(mut self, chunk: &[u8], last: bool) -> Result<(Bytes, Option<Encoder>), Error> {
        match &mut self {
            Encoder::Gzip(encoder) => encoder.write_all(chunk)?,
        }
        if last {
            let Encoder::Gzip(encoder) = self;
            return Ok((encoder.finish()?.into(), None));
        }
        let out = match &mut self {
            Encoder::Gzip(encoder) => std::mem::take(encoder.get_mut()),
        };
        Ok((out.into(), Some(self)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_client_chooses_the_coding() {
        let chosen = |lines: &[&str]| {
            let mut headers = HeaderMap::new();
            for line in lines {
                headers.append(header::ACCEPT_ENCODING, HeaderValue::from_str(line).expect("visible"));
            }
            Coding::preferred(&headers)
        };
        for lines in [
            &["gzip"][..],
            &["GZIP"],
            &["deflate, gzip;q=0.5, br"],
            &["br", "gzip ; q=1.0"],
            &["identity, gzip"],
            &["identity;q=0, gzip;q=0.001"],
        ] {
            assert_eq!(chosen(lines), Some(Coding::Gzip), "{lines:?}");
        }
        for lines in [
            &[][..],
            &[""],
            &["br"],
            &["*"],
            &["gzip;q=0"],
            &["gzip;q=0.0"],
            &["gzip;q=x"],
            &["gzip;q=0.5, identity"],
            &["gzipped"],
        ] {
            assert_eq!(chosen(lines), None, "{lines:?}");
        }
    }

    #[test]
    fn an_etag_names_its_coding() {
        assert_eq!(without_coding("\"3-1f2e3d4c-gzip\"").as_deref(), Some("\"3-1f2e3d4c\""));
        for tag in ["\"3-1f2e3d4c\"", "\"3-1f2e3d4c-br\"", "\"gzip\"", "x-gzip", ""] {
            assert_eq!(without_coding(tag), None, "{tag}");
        }
        let mut headers = HeaderMap::new();
        headers.insert(header::ETAG, HeaderValue::from_static("\"3-1f2e3d4c\""));
        mark(&mut headers, Coding::Gzip);
        assert_eq!(headers[header::ETAG], "\"3-1f2e3d4c-gzip\"");
        assert_eq!(headers[header::CONTENT_ENCODING], "gzip");
    }
}
