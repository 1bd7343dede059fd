//! Whether mail from the domain of an email account is likely to be accepted.

use super::{Channel, ConnectedAccount, reach};
use crate::api::call::{Call, Reply};
use crate::api::effects::{DomainPoint, Effect, EffectResult};
use crate::api::operation::EffectSteps;
use resource::{Error, Items, Part, Resource, find, invalid, not_found};
use serde_json::{Value as Json, json};
use store::Tx;

resource::choices! {
    /// A part of the check.
    DomainPart { Spf = "spf", Dkim = "dkim", Dmarc = "dmarc", Mx = "mx", Unsubscribe = "unsubscribe" }
}
resource::choices! {
    DomainVerdict { Pass = "pass", Warn = "warn", Fail = "fail", Unknown = "unknown" }
}

#[derive(Resource)]
pub struct DomainQuery {
    /// The DKIM selector; the usual ones are tried without it.
    #[field(max = 100)]
    pub selector: Option<String>,
}

/// A DNS record to add or to change.
#[derive(Resource)]
pub struct DnsRecord {
    pub name: String,
    /// TXT or MX.
    pub kind: String,
    pub value: String,
}

#[derive(Resource)]
pub struct DomainFinding {
    pub check: DomainPart,
    pub verdict: DomainVerdict,
    pub reason: String,
    /// The record that was found.
    pub found: Option<String>,
    /// The record to add, or to put in place of the one that was found.
    pub record: Option<Part<DnsRecord>>,
}

#[derive(Resource)]
pub struct DomainCheck {
    pub domain: String,
    pub findings: Items<DomainFinding>,
}

pub(super) const STEPS: EffectSteps = EffectSteps { prepare, complete };

fn prepare(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    call.asked(DomainQuery::FIELDS)?;
    let selector = call.query.iter().find(|(name, _)| name == "selector").map(|(_, value)| value.trim().to_owned());
    let account = find::<ConnectedAccount>(&call.ctx, tx, call.id(0, "connected_account")?)?;
    if account.record.removed_at.is_some() {
        return Err(not_found("connected_account"));
    }
    let address = account.record.address.filter(|_| account.record.provider == Channel::Email);
    let Some((_, domain)) = address.as_deref().and_then(|address| address.rsplit_once('@')) else {
        return Err(invalid("id", "is not an email account: only mail has a sending domain"));
    };
    let smtp = reach(&call.ctx, tx, &call.secret, account.id)?.and_then(|reach| reach.smtp).map(Into::into);
    Ok(Effect::CheckDomain { domain: domain.to_owned(), selector, smtp })
}

fn complete(call: &Call, _: &mut dyn Tx, effect: &Effect, result: &EffectResult) -> Result<Reply, Error> {
    let (Effect::CheckDomain { domain, .. }, EffectResult::Domain(points)) = (effect, result) else {
        return Err(store::Error::Internal("there is no domain to check".into()).into());
    };
    let findings: Vec<Json> = points.iter().chain([&unsubscribe(&call.public_url)]).map(shown).collect();
    Ok(Reply::json(&json!({ "domain": domain, "findings": findings })))
}

fn shown(point: &DomainPoint) -> Json {
    let record = point.record.as_ref().map(|(name, kind, value)| json!({ "name": name, "kind": kind, "value": value }));
    json!({ "check": point.check, "verdict": point.verdict, "reason": point.reason, "found": point.found, "record": record })
}

/// Whether the links for one-click unsubscribing are https, as large providers require (RFC 8058).
pub fn unsubscribe(public_url: &str) -> DomainPoint {
    let (verdict, reason) = match public_url.starts_with("https://") {
        true => ("pass", "mails of sequences have a one-click unsubscribe link with https".to_owned()),
        false => {
            let why = "one-click unsubscribe links must begin with https://, or large providers ignore them; the operator \
                       sets the address of the server with --public-url";
            ("fail", why.to_owned())
        }
    };
    DomainPoint { check: "unsubscribe", verdict, reason, found: Some(public_url.to_owned()), record: None }
}
