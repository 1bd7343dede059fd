//! Collects the request log: requests of keys are buffered in memory and written about once a second. Requests beyond the
//! limit are counted but not logged.

use crate::App;
use crm::api::key::Identity;
use crm::dashboard::requests::{self, Answered, Hours};
use resource::Error;
use std::collections::HashSet;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use store::{Lane, Uuid};

/// The most requests that are logged between two writes.
const MOST: usize = 1000;
/// The longest logged path and query, in bytes.
const LONGEST: usize = 2000;
/// Replaces text that is left out.
const HIDDEN: &str = "…";
/// Parameters whose values are logged if they are plain words or numbers, since they contain no personal data.
const HARMLESS: &[&str] = &["limit", "offset", "sort", "order", "fields", "count"];
const HOUR: i64 = 60 * 60 * 1000;

#[derive(Default)]
pub(crate) struct RequestLog(Mutex<Noted>);

#[derive(Default)]
struct Noted {
    requests: Vec<Answered>,
    hours: Hours,
}

impl RequestLog {
    /// Counts a request. `request` is called only if the request is logged.
    pub(crate) fn note(&self, identity: &Identity, at: i64, failed: bool, request: impl FnOnce() -> Answered) {
        let mut noted = self.lock();
        let hour = at - at.rem_euclid(HOUR);
        let count = noted.hours.entry((identity.workspace, identity.key, hour)).or_insert((identity.user, 0, 0));
        count.1 += 1;
        count.2 += i64::from(failed);
        if noted.requests.len() < MOST {
            let mut request = request();
            request.path = path_shown(&request.path);
            request.query = query_shown(&request.query);
            noted.requests.push(request);
        }
    }

    /// Writes the buffer. If that fails, the buffer is discarded, so that it does not grow during an outage of the database.
    pub(crate) async fn write(&self, app: &App) {
        let Noted { requests, hours } = std::mem::take(&mut *self.lock());
        if hours.is_empty() {
            return;
        }
        let written = app.store.bookkeep(move |tx| requests::write(tx, &requests, &hours));
        if let Err(error) = written.await {
            tracing::warn!(%error, "failed to write the request log; these requests are not logged");
        }
    }

    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

/// The path with ids and words of routes only. Any other segment may be personal data.
fn path_shown(path: &str) -> String {
    static WORDS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
        let operations = crm::operations::all().chain(crm::dashboard::all());
        operations.flat_map(|operation| operation.path.split('/')).chain(["api", "v1", "dashboard"]).collect()
    });
    let is_id = |segment: &str| segment.len() == 36 && Uuid::try_parse(segment).is_ok();
    let segments = path.split('/').map(|segment| match WORDS.contains(segment) || is_id(segment) {
        true => segment,
        false => HIDDEN,
    });
    shortened(segments.collect::<Vec<_>>().join("/"))
}

/// The names of the query's parameters. Values may be personal data: names, addresses, words of a CV.
fn query_shown(query: &str) -> String {
    let plain = |text: &str, more: &[u8]| {
        text.len() <= 200 && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || more.contains(&b))
    };
    let pair = |pair: &str| match pair.split_once('=') {
        Some((name, value)) if HARMLESS.contains(&name) && plain(value, b",.:-") => format!("{name}={value}"),
        Some((name, "")) if plain(name, b".-") => format!("{name}="),
        Some((name, _)) if plain(name, b".-") => format!("{name}={HIDDEN}"),
        _ => HIDDEN.to_owned(),
    };
    shortened(query.split('&').filter(|text| !text.is_empty()).map(pair).collect::<Vec<_>>().join("&"))
}

/// Cuts at the limit, at the end of a character.
fn shortened(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(LONGEST));
    text
}

/// Deletes old entries, one workspace after another.
pub(crate) async fn forget(app: &Arc<App>) {
    let forgotten = async {
        for workspace in app.store.read(Lane::Slow, crm::tenant::workspace::list).await? {
            app.store.bookkeep(move |tx| requests::forget(tx, workspace.id)).await?;
        }
        Ok::<_, Error>(())
    };
    if let Err(error) = forgotten.await {
        tracing::warn!(%error, "failed to delete old entries of the request log; retrying in a minute");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_log_names_nobody() {
        let cases = [
            ("", ""),
            (
                "limit=50&offset=100&sort=last_name.desc&count=none",
                "limit=50&offset=100&sort=last_name.desc&count=none",
            ),
            ("search=Ada+Lovelace&limit=5", "search=…&limit=5"),
            ("email=eq.ada%40example.com&or=(first_name.eq.Ada)", "email=…&or=…"),
            ("custom.seniority=senior&cursor=", "custom.seniority=…&cursor="),
            ("cursor=TG92ZWxhY2U", "cursor=…"),
            ("ada@example.com=1&Ada%20Lovelace&ada", "…&…&…"),
            ("limit=ada@example.com&sort=Ada%20L", "limit=…&sort=…"),
        ];
        for (query, shown) in cases {
            assert_eq!(query_shown(query), shown);
        }
        let id = "/api/v1/contacts/0192f3a4-5b6c-7d8e-9f00-112233445566/timeline";
        assert_eq!(path_shown(id), id);
        assert_eq!(path_shown("/api/v1/contacts/ada@example.com/Ada"), "/api/v1/contacts/…/…");
        assert_eq!(path_shown("/api/v1/contacts/lovelace/0030123456"), "/api/v1/contacts/…/…");
        assert_eq!(path_shown("/dashboard/keys"), "/dashboard/keys");
        assert!(shortened("é".repeat(3000)).len() <= LONGEST);
    }
}
