//! What may go wrong with a sequence that can be started: warnings in the response, nothing is refused.

use super::plan::{self, ParsedStep};
use super::senders::Connected;
use super::step::StepType;
use super::template::{self, Filling, UNSUBSCRIBE_URL};
use super::{Sequence, read_steps, steps_of};
use crate::api::call::Call;
use crate::api::effects::{DomainPoint, SendingDomain};
use crate::outreach::account::{Channel, ConnectedAccount, reach};
use crate::outreach::template_values::{self, Sender, is_empty, named};
use crate::records::contact::Contact;
use resource::{Batch, Ctx, Error, Resource, Saved, StoredRow, find, place};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeSet;
use store::{Tx, Uuid, Value};

/// The most enrolled people whose values are checked, so that starting takes no longer for many.
const MOST_PEOPLE: i64 = 200;
/// The most bytes of templates that are filled in for the check of values.
const MOST_BYTES: usize = 5_000_000;
/// The most names with a brace too few that a warning lists.
const MOST_HALF_WRITTEN: usize = 10;
/// The most senders whose domains are collected, and the most domains that are checked.
const MOST_ACCOUNTS: usize = 50;
const MOST_DOMAINS: usize = 5;

/// What the warnings are made from. A transaction reads it, and the templates are filled in after it.
pub struct Source {
    public_url: String,
    steps: Vec<ParsedStep>,
    /// The enrollments of people, and their values.
    people: Vec<(Uuid, Map<String, Json>)>,
    /// How many people are enrolled.
    enrolled: i64,
}

/// The warnings, as JSON.
#[derive(Clone, Debug)]
pub struct Warnings(pub Vec<Json>);

pub fn schema() -> Json {
    json!({
        "type": "array",
        "description": "What may go wrong although the sequence was started.",
        "items": {
            "type": "object",
            "required": ["code", "message", "fix"],
            "properties": {
                "code": {
                    "type": "string",
                    "enum": [
                        "public_url_loopback",
                        "public_url_not_https",
                        "no_unsubscribe_link",
                        "half_written_names",
                        "missing_values",
                        "domain_check_failed",
                    ],
                },
                "message": { "type": "string" },
                "fix": { "type": "string", "description": "What to do about it." },
            },
        },
    })
}

/// Reads what the warnings need.
pub fn read(ctx: &Ctx, tx: &mut dyn Tx, sequence: &Saved<Sequence>, public_url: &str) -> Result<Source, Error> {
    let steps = plan::read(&read_steps(&steps_of(ctx, tx, sequence.id, sequence.record.version)?)?)?;
    let (counts, place) = (&sequence.record.enrollments.0, place(Sequence::ABOUT.table, "enrollments", &sequence.id));
    let enrolled = place.member::<i64>(counts, "active")? + place.member::<i64>(counts, "paused")?;
    let open = enrolled_people(ctx, tx, sequence.id)?;
    let mut people = Vec::with_capacity(open.len());
    for (enrollment, contact, variables) in open.into_iter().take(MOST_PEOPLE as usize) {
        people.push((enrollment, values(ctx, tx, &sequence.record, contact, variables)?));
    }
    Ok(Source { public_url: public_url.to_owned(), steps, people, enrolled })
}

/// An enrollment, its contact and its variables.
type Enrolled = (Uuid, Uuid, Map<String, Json>);

/// The open enrollments; at most so many of each status.
fn enrolled_people(ctx: &Ctx, tx: &mut dyn Tx, sequence: Uuid) -> Result<Vec<Enrolled>, Error> {
    const OPEN: &str = "SELECT id, contact_id, custom_variables FROM enrollments \
         WHERE workspace_id = $1 AND sequence_id = $2 AND status = $3 ORDER BY id LIMIT $4";
    let mut open = Vec::new();
    for status in ["active", "paused"] {
        let params: [Value; 4] = [ctx.workspace.into(), sequence.into(), status.into(), MOST_PEOPLE.into()];
        open.extend(tx.rows(OPEN, &params, |row| Ok((row.id(0)?, row.id(1)?, row.json(2)?)))?);
    }
    Ok(open)
}

/// The values of one person. Those of the sender and the link are always there.
fn values(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    sequence: &Sequence,
    contact: Uuid,
    variables: Map<String, Json>,
) -> Result<Map<String, Json>, Error> {
    let contact = find::<Contact>(ctx, tx, contact)?;
    let mut names = template_values::of(ctx, tx, &contact, Sender::Nobody, &[])?;
    names.extend(variables.into_iter().filter(|(_, value)| !is_empty(value)));
    names.insert("sender".into(), json!({ "name": "x", "first_name": "x", "email": "x", "signature": "x" }));
    names.insert("project".into(), named(sequence.project_id.map(|_| "x".to_owned())));
    names.insert(UNSUBSCRIBE_URL.into(), "x".into());
    Ok(names)
}

impl Source {
    /// The warnings.
    pub fn warnings(self) -> Warnings {
        let mut warnings = Vec::new();
        let mails: Vec<(usize, &ParsedStep)> =
            self.steps.iter().enumerate().filter(|(_, step)| step.kind == StepType::Email && !step.manual).collect();
        if !mails.is_empty() {
            warnings.extend(address(&self.public_url));
        }
        let texts = mails.iter().flat_map(|(at, step)| step.texts().into_iter().map(move |text| (at, text)));
        let without = texts.filter(|(_, text)| !template::names(text.body, UNSUBSCRIBE_URL));
        let without: Vec<String> =
            without.map(|(at, text)| format!("steps.{at}.{}", text.path).trim_end_matches('.').to_owned()).collect();
        if !without.is_empty() {
            warnings.push(warning(
                "no_unsubscribe_link",
                format!("no unsubscribe link is in the text of {}", without.join(", ")),
                "add {{ unsubscribe_url }} to the text; the header List-Unsubscribe alone is not shown by all mail programs",
            ));
        }
        warnings.extend(self.half_written_names());
        warnings.extend(self.missing_values());
        Warnings(warnings)
    }

    fn half_written_names(&self) -> Option<Json> {
        let mut found = Vec::new();
        for (at, step) in self.steps.iter().enumerate() {
            for text in step.texts() {
                for (member, part) in [("subject", text.subject.unwrap_or_default()), ("body", text.body)] {
                    let names = template::half_written(part).into_iter();
                    found.extend(names.map(|name| format!("{name} in steps.{at}.{}{member}", text.path)));
                }
            }
        }
        found.truncate(MOST_HALF_WRITTEN);
        (!found.is_empty()).then(|| {
            warning(
                "half_written_names",
                format!("names have a brace too few and are sent as they are written: {}", found.join(", ")),
                "write two braces on both sides, such as {{ first_name }}",
            )
        })
    }

    fn missing_values(&self) -> Option<Json> {
        let texts = self.steps.iter().flat_map(ParsedStep::texts).flat_map(|text| [text.subject, Some(text.body)]);
        let length: usize = texts.flatten().map(|text| text.len() + 100).sum();
        let (mut checked, mut lacking, mut names) = (0, 0, BTreeSet::new());
        for (enrollment, person) in self.people.iter().take((MOST_BYTES / length.max(1)).max(1)) {
            checked += 1;
            let filling = Filling::of(person);
            // Of variants, only the one counts that the person gets.
            let steps = self.steps.iter().map(|step| step.for_enrollment(*enrollment));
            let missing: Vec<String> = steps
                .flat_map(|step| {
                    let texts = [step.subject.as_deref(), Some(step.body.as_str())];
                    texts.into_iter().flatten().flat_map(|text| filling.missing(text)).collect::<Vec<_>>()
                })
                .collect();
            lacking += i64::from(!missing.is_empty());
            names.extend(missing);
        }
        let names = names.into_iter().collect::<Vec<_>>().join(", ");
        let of = if checked < self.enrolled { format!("the first {checked}") } else { checked.to_string() };
        (lacking > 0).then(|| {
            warning(
                "missing_values",
                format!("{lacking} of {of} enrolled people lack values: {names}. They end as failed at that step"),
                "fill in these values, or give the names a fallback such as {{ title | default(\"your role\") }}",
            )
        })
    }
}

/// The domains that the mails of a sequence are sent from.
pub fn domains(call: &Call, tx: &mut dyn Tx, sequence: &Saved<Sequence>) -> Result<Vec<SendingDomain>, Error> {
    let ctx = &call.ctx;
    let steps = plan::read(&read_steps(&steps_of(ctx, tx, sequence.id, sequence.record.version)?)?)?;
    let (mut connected, mut accounts) = (Connected::default(), BTreeSet::new());
    for step in steps.iter().filter(|step| step.kind == StepType::Email && !step.manual) {
        accounts.extend(connected.senders(ctx, tx, &sequence.record.owner_ids.0, step, Channel::Email)?);
    }
    let mut domains: Vec<SendingDomain> = Vec::new();
    let accounts: Vec<Uuid> = accounts.into_iter().take(MOST_ACCOUNTS).collect();
    let mut records: Batch<ConnectedAccount> = Batch::read(ctx, tx, accounts.iter().copied())?;
    for id in accounts {
        let address = records.take(ctx, tx, id)?.record.address.unwrap_or_default();
        let Some((_, domain)) = address.rsplit_once('@') else { continue };
        if domains.len() == MOST_DOMAINS || domains.iter().any(|known| known.domain.eq_ignore_ascii_case(domain)) {
            continue;
        }
        let smtp = reach(ctx, tx, &call.secret, id)?.and_then(|reach| reach.smtp).map(Into::into);
        domains.push(SendingDomain { domain: domain.to_owned(), smtp });
    }
    Ok(domains)
}

/// What is wrong with the DNS records of a domain. The address of the links has warnings of its own.
pub fn failing(domain: &str, points: &[DomainPoint]) -> Option<Json> {
    let failed = points.iter().filter(|point| point.verdict == "fail");
    let reasons: Vec<String> =
        failed.map(|point| format!("{}: {}", point.check.to_uppercase(), point.reason)).collect();
    (!reasons.is_empty()).then(|| {
        warning(
            "domain_check_failed",
            format!("mail from {domain} may be refused or taken for spam: {}", reasons.join("; ")),
            "add the DNS records that the check of the domain lists, at the account in the settings or by \
             GET /connected-accounts/{id}/domain-check",
        )
    })
}

fn warning(code: &str, message: String, fix: &str) -> Json {
    json!({ "code": code, "message": message, "fix": fix })
}

/// What is wrong with the address in the links of mails.
fn address(public_url: &str) -> Option<Json> {
    let (scheme, rest) = public_url.split_once("://").unwrap_or(("", public_url));
    let authority = rest.split('/').next().unwrap_or_default();
    let host = authority.strip_prefix('[').map_or_else(
        || authority.rsplit_once(':').map_or(authority, |(host, _)| host),
        |rest| rest.split(']').next().unwrap_or_default(),
    );
    let is_loopback = host == "localhost"
        || host.ends_with(".localhost")
        || host.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback() || ip.is_unspecified());
    const FIX: &str = "an operator starts the server with --public-url https://… , an address that recipients can open";
    if is_loopback {
        let message = format!("links in mails lead to {public_url}, which only this machine can open");
        return Some(warning("public_url_loopback", message, FIX));
    }
    (scheme != "https").then(|| {
        let message = format!("links in mails lead to {public_url}, without https; mail programs ignore such links");
        warning("public_url_not_https", message, FIX)
    })
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn only_a_public_https_address_has_no_warning() {
        for (url, code) in [
            ("https://crm.example.com", None),
            ("https://crm.example.com:8443/x", None),
            ("http://crm.example.com", Some("public_url_not_https")),
            ("http://127.0.0.1:8080", Some("public_url_loopback")),
            ("https://localhost", Some("public_url_loopback")),
            ("http://[::1]:8080/", Some("public_url_loopback")),
        ] {
            let found = address(url);
            assert_eq!(found.as_ref().and_then(|one| one["code"].as_str()), code, "{url}");
        }
    }
}
