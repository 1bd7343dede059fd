//! Conditional requests: `ETag`, `If-None-Match` → 304, `If-Match` → 412.

use crate::request::compression::without_coding;
use crate::request::envelope::{Answer, Body};
use crm::api::call::Call;
use crm::api::operation::Operation;
use crm::operations::{addressed, is_hidden};
use http_body_util::Full;
use hyper::header::{self, HeaderMap, HeaderName, HeaderValue};
use hyper::http::request::Parts;
use hyper::{Method, StatusCode};
use resource::{About, Error, invalid, version_of};
use store::Tx;

/// The answer, or 304 without a body if `If-None-Match` has its ETag.
pub(super) fn unless_known(head: &Parts, answer: Answer) -> Answer {
    let reads = head.method == Method::GET || head.method == Method::HEAD;
    if !reads || !head.headers.contains_key(header::IF_NONE_MATCH) {
        return answer;
    }
    let Some(etag) = answer.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok()) else { return answer };
    // A weak comparison, because proxies that compress answers make tags weak. A tag of a compressed answer is known, too.
    let is_known = |tag: &Tag| tag.text == etag || without_coding(&tag.text).is_some_and(|plain| plain == etag);
    // A malformed header matches nothing.
    let known = match tags(&head.headers, header::IF_NONE_MATCH) {
        Ok(Tags::Any) => HeaderValue::from_str(etag).ok(),
        Ok(Tags::These(tags)) => {
            let known = tags.iter().find(|tag| is_known(tag));
            known.and_then(|tag| HeaderValue::from_str(&tag.text).ok())
        }
        Err(_) => None,
    };
    let Some(known) = known else { return answer };
    let (mut parts, _) = answer.into_parts();
    parts.status = StatusCode::NOT_MODIFIED;
    parts.headers.insert(header::ETAG, known);
    parts.headers.remove(header::CONTENT_TYPE);
    Answer::from_parts(parts, Body::Left(Full::default()))
}

/// `If-Match` for the record in the path: the record must have one of these versions.
pub(super) struct Expected {
    about: &'static About,
    place: usize,
    tags: Tags,
}

impl Expected {
    /// Refuses `If-Match` where it would have no effect, because the client relies on it.
    pub(super) fn of(operation: &Operation, headers: &HeaderMap) -> Result<Option<Expected>, Error> {
        if !operation.writes() || !headers.contains_key(header::IF_MATCH) {
            return Ok(None);
        }
        let tags = tags(headers, header::IF_MATCH)?;
        match addressed(operation.path) {
            Some((about, place)) => Ok(Some(Expected { about, place, tags })),
            None => Err(invalid("If-Match", "this operation's path names no record that has an ETag")),
        }
    }

    /// Checks the version in the transaction of the write. If the record does not exist, or is hidden from the caller, the
    /// rule itself answers 404.
    pub(super) fn hold(&self, call: &Call, tx: &mut dyn Tx) -> Result<(), Error> {
        let Tags::These(tags) = &self.tags else { return Ok(()) };
        let id = call.id(self.place, self.about.one)?;
        let Some(version) = version_of(&call.ctx, tx, self.about, id)? else { return Ok(()) };
        if is_hidden(call, tx, self.about, id)? {
            return Ok(());
        }
        if tags.iter().any(|tag| !tag.weak && tag.version() == Some(version)) {
            return Ok(());
        }
        let strong = tags.iter().any(|tag| !tag.weak);
        Err(Error::Precondition(strong.then_some(version)))
    }
}

enum Tags {
    /// `*`
    Any,
    These(Vec<Tag>),
}

struct Tag {
    weak: bool,
    /// Includes the quotes.
    text: String,
}

impl Tag {
    fn version(&self) -> Option<i64> {
        self.text.trim_matches('"').split_once('-')?.0.parse().ok()
    }
}

/// The tags of a header, which may be sent more than once. A quoted tag may contain commas.
fn tags(headers: &HeaderMap, name: HeaderName) -> Result<Tags, Error> {
    let unfit = || {
        invalid(
            if name == header::IF_MATCH { "If-Match" } else { "If-None-Match" },
            "takes * or ETags as they were given: \"3-1f2e3d4c\"",
        )
    };
    let lines: Result<Vec<&str>, _> = headers.get_all(&name).iter().map(HeaderValue::to_str).collect();
    let lines = lines.map_err(|_| unfit())?.join(",");
    let mut rest = lines.trim_matches([' ', '\t', ',']);
    if rest == "*" {
        return Ok(Tags::Any);
    }
    let mut tags = Vec::new();
    while !rest.is_empty() {
        let weak = rest.starts_with("W/");
        let quoted = if weak { &rest[2..] } else { rest };
        let end = quoted.strip_prefix('"').and_then(|inner| inner.find('"')).ok_or_else(unfit)? + 2;
        tags.push(Tag { weak, text: quoted[..end].to_owned() });
        let after = quoted[end..].trim_start_matches([' ', '\t']);
        if !after.is_empty() && !after.starts_with(',') {
            return Err(unfit());
        }
        rest = after.trim_start_matches([' ', '\t', ',']);
    }
    if tags.is_empty() { Err(unfit()) } else { Ok(Tags::These(tags)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Option<Vec<(bool, String)>> {
        let mut headers = HeaderMap::new();
        for line in lines {
            headers.append(header::IF_MATCH, HeaderValue::from_str(line).expect("visible"));
        }
        match tags(&headers, header::IF_MATCH).ok()? {
            Tags::Any => Some(Vec::new()),
            Tags::These(tags) => Some(tags.into_iter().map(|tag| (tag.weak, tag.text)).collect()),
        }
    }

    #[test]
    fn tags_are_read_as_clients_write_them() {
        let strong = |text: &str| (false, format!("\"{text}\""));
        assert_eq!(read(&["*"]), Some(vec![]));
        assert_eq!(read(&["\"3-ab\""]), Some(vec![strong("3-ab")]));
        assert_eq!(
            read(&["\"3-ab\" , W/\"4,5\",", "\"\""]),
            Some(vec![strong("3-ab"), (true, "\"4,5\"".into()), strong("")])
        );
        for bad in ["", "3", "\"3", "3\"", "\"3\"x", "w/\"3\"", "W/ \"3\"", "*, \"3\"", "\"3\" \"4\""] {
            assert_eq!(read(&[bad]), None, "{bad}");
        }
    }
}
