//! Suppressions: addresses and domains to which nothing is sent. They are checked when a message is sent.

use crate::api::call::{Call, Reply, make, show};
use crate::api::operation::{Operation, delete, get, post};
use crate::api::reaction::Reacts;
use crate::api::scope::{Feature, MESSAGES_READ, MESSAGES_WRITE};
use crate::records::erased_address::{self, Hasher, Kind, is_erased};
use resource::{
    Changes, Ctx, Error, Field, Format, Index, Input, Problem, Resource, Shape, StoredRow, Time, among, by_keys,
    by_many_keys, decoded, find, fold, invalid, not_found,
};
use serde_json::{Map, Value as Json};
use std::collections::{HashMap, HashSet};
use store::{Tx, Uuid, Value};

resource::choices! {
    /// Whose wish it is.
    SuppressionReason { Manual = "manual", Unsubscribed = "unsubscribed", Complained = "complained", Bounced = "bounced" }
}

/// An address, or all of a domain, to which nothing is sent.
#[derive(Resource)]
#[resource(table = "suppressions", one = "suppression", indexes = INDEXES)]
pub struct Suppression {
    #[field(read_only)]
    pub id: Uuid,
    #[field(format = Format::Email, max = 254, filter)]
    pub address: Option<String>,
    #[field(format = Format::Host, max = 253, filter)]
    pub domain: Option<String>,
    #[field(read_only, default = "\"manual\"", filter, counted)]
    pub reason: SuppressionReason,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
}

const INDEXES: &[Index] = &[
    Index { name: "suppressions_address", fields: &["address"] },
    Index { name: "suppressions_domain", fields: &["domain"] },
];

/// Which one goes.
#[derive(Resource)]
pub struct SuppressionChoice {
    /// The suppressed address; or give `domain`.
    #[field(max = 254)]
    pub address: Option<String>,
    /// The suppressed domain; or give `address`.
    #[field(max = 253)]
    pub domain: Option<String>,
}
const CHOICE: &[Field] = SuppressionChoice::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/suppressions", "list_suppressions", "List suppressed addresses and domains")
        .feature(Feature::Outreach)
        .scope(MESSAGES_READ)
        .list::<Suppression>(),
    post("/suppressions", "create_suppression", "Suppress an address or a domain")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .body::<Suppression>("SuppressionInput", &[], true)
        .write(create)
        .gives::<Suppression>(&[201, 200]),
    delete("/suppressions", "delete_suppression", "Remove the suppression of an address or a domain")
        .feature(Feature::Outreach)
        .scope(MESSAGES_WRITE)
        .query(CHOICE)
        .members("SuppressionChoice", CHOICE)
        .write(remove),
];

fn create(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    // Nothing is sent to an erased address, and a suppression would store it again.
    if let Some(address) = call.body.get("address").and_then(Json::as_str) {
        erased_address::refuse_email(&call.ctx, tx, "address", address)?;
    }
    let (id, made) = add(&call.ctx, tx, &call.body, SuppressionReason::Manual)?;
    let reply = show::<Suppression>(&call.ctx, tx, id)?;
    Ok(if made { Reply { status: 201, ..reply } } else { reply })
}

fn remove(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let (asked, sent) = (call.asked(CHOICE)?, call.members(CHOICE)?);
    let word = |name: &str| asked.named_text(name).or(sent.named_text(name)).map(str::to_owned);
    lift(&call.ctx, tx, word("address").as_deref(), word("domain").as_deref())?;
    Ok(Reply::deleted())
}

/// Suppresses an address or a domain, unless it is suppressed already. Gives the suppression's id, and whether it is new.
pub fn add(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    members: &Map<String, Json>,
    reason: SuppressionReason,
) -> Result<(Uuid, bool), Error> {
    let shape = Shape { record: Suppression::FIELDS, extra: &[] };
    let mut changes = Changes::check(&shape, &Input(members), true)?;
    let known = match (changes.text(Suppression::ADDRESS), changes.text(Suppression::DOMAIN)) {
        (Some(address), None) => of_address(ctx, tx, address)?,
        (None, Some(domain)) => of_domain(ctx, tx, domain)?,
        _ => return Err(invalid("address", "exactly one of address and domain must be given")),
    };
    if let Some(id) = known {
        return Ok((id, false));
    }
    changes.set(Suppression::REASON, reason);
    let (id, _) = make::<Suppression>(ctx, tx, &changes)?;
    Suppression::created(ctx, tx, id, &changes)?;
    Ok((id, true))
}

/// Suppresses one address, since its owner wants no mail or mail to it bounces.
pub fn suppress(ctx: &Ctx, tx: &mut dyn Tx, address: &str, reason: SuppressionReason) -> Result<(), Error> {
    add(ctx, tx, &Map::from_iter([("address".to_owned(), address.into())]), reason).map(drop)
}

/// Suppresses an address to which mail can't be delivered.
pub fn suppress_bounced(ctx: &Ctx, tx: &mut dyn Tx, address: &str) -> Result<(), Error> {
    match suppress(ctx, tx, address, SuppressionReason::Bounced) {
        // It is a profile, or a server invented an address.
        Err(Error::Invalid(_)) => Ok(()),
        other => other,
    }
}

pub fn lift(ctx: &Ctx, tx: &mut dyn Tx, address: Option<&str>, domain: Option<&str>) -> Result<(), Error> {
    let found = match (address, domain) {
        (Some(address), None) => of_address(ctx, tx, address)?,
        (None, Some(domain)) => of_domain(ctx, tx, domain)?,
        _ => return Err(invalid("address", "exactly one of address and domain must be given")),
    };
    let id = found.ok_or_else(|| not_found("suppression"))?;
    let saved = find::<Suppression>(ctx, tx, id)?;
    resource::delete(ctx, tx, &saved)
}

/// All suppressions, oldest first.
pub fn all(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<Suppression>, Error> {
    const ALL: &str =
        "SELECT id, address, domain, reason, created_at FROM suppressions WHERE workspace_id = $1 ORDER BY id";
    tx.rows(ALL, &[ctx.workspace.into()], |row| Ok(decoded::<Suppression>(row)))?.into_iter().collect()
}

/// Why an address is suppressed: by itself, by its domain or by a parent domain.
pub fn against(ctx: &Ctx, tx: &mut dyn Tx, address: &str) -> Result<Option<String>, Error> {
    const AGAINST: &str = "SELECT address, domain FROM suppressions WHERE workspace_id = $1 AND address_fold = $2 \
         UNION ALL SELECT address, domain FROM suppressions WHERE workspace_id = $1 AND domain_fold IN ($3, $4, $5, $6, $7, $8)";
    let folded = fold(address.trim());
    let mut params: Vec<Value> = vec![ctx.workspace.into(), folded.as_str().into()];
    params.extend(domains(&folded).into_iter().map(Value::from));
    params.resize(8, "".into());
    let found = tx.one(AGAINST, &params, |row| {
        let word = |column| row.get(column)?.maybe(|text| Ok(text.text()?.to_owned()));
        Ok((word(0)?, word(1)?))
    })?;
    match found {
        Some((_, domain)) => {
            let domain: Option<String> = domain;
            Ok(Some(why(address, domain.as_deref())))
        }
        None if is_erased(ctx, tx, Kind::Email, address)? => Ok(Some(ERASED.into())),
        None => Ok(None),
    }
}

/// Why nothing is sent to an address that another record still has.
const ERASED: &str = "the address belongs to somebody who was erased";

/// Why an address is suppressed; of several reasons, the owner's own.
pub fn reason_against(ctx: &Ctx, tx: &mut dyn Tx, address: &str) -> Result<Option<SuppressionReason>, Error> {
    const REASONS: &str = "SELECT reason, id FROM suppressions WHERE workspace_id = $1 AND address_fold = $2 \
         UNION ALL SELECT reason, id FROM suppressions WHERE workspace_id = $1 AND domain_fold IN ($3, $4, $5, $6, $7, $8)";
    let folded = fold(address.trim());
    let mut params: Vec<Value> = vec![ctx.workspace.into(), folded.as_str().into()];
    params.extend(domains(&folded).into_iter().map(Value::from));
    params.resize(8, "".into());
    let found = tx.rows(REASONS, &params, |row| row.word(0, SuppressionReason::from_word))?;
    let strongest = [
        SuppressionReason::Complained,
        SuppressionReason::Unsubscribed,
        SuppressionReason::Manual,
        SuppressionReason::Bounced,
    ];
    Ok(strongest.into_iter().find(|reason| found.contains(reason)))
}

/// The reason if the owner unsubscribed or complained at one of these addresses.
pub fn refused_by_owner(ctx: &Ctx, tx: &mut dyn Tx, addresses: &[String]) -> Result<Option<String>, Error> {
    let sql = format!(
        "SELECT address, reason FROM suppressions \
         WHERE workspace_id = $1 AND reason IN ('unsubscribed', 'complained') AND address_fold IN {}",
        among(2)
    );
    let folded: HashSet<String> = addresses.iter().map(|address| fold(address.trim())).collect();
    for params in by_keys(ctx, folded.iter().map(String::as_str)) {
        if let Some((address, reason)) = tx.one(&sql, &params, |row| Ok((row.text(0)?, row.text(1)?)))? {
            return Ok(Some(format!("the contact {reason} at {address}")));
        }
    }
    Ok(None)
}

/// Whether the owner of one of these addresses has complained since this time.
pub fn complained_since(ctx: &Ctx, tx: &mut dyn Tx, addresses: &[String], since: i64) -> Result<bool, Error> {
    const SINCE: &str = "SELECT 1 FROM suppressions \
         WHERE workspace_id = $1 AND address_fold = $2 AND reason = 'complained' AND created_at >= $3 LIMIT 1";
    for address in addresses {
        let params = [ctx.workspace.into(), Value::from(fold(address.trim())), since.into()];
        if tx.one(SINCE, &params, |_| Ok(()))?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

fn why(address: &str, domain: Option<&str>) -> String {
    match domain {
        Some(domain) => format!("the domain {domain} is suppressed"),
        None => format!("the address {address} is suppressed"),
    }
}

/// The domain of an address and its parent domains, at most six; the longest parents are left out.
fn domains(folded: &str) -> Vec<&str> {
    let domain = folded.rsplit_once('@').map_or("", |(_, domain)| domain);
    let mut domains: Vec<&str> = vec![domain];
    let above = std::iter::successors(Some(domain), |domain| domain.split_once('.').map(|(_, above)| above));
    domains.extend(above.skip(1).filter(|above| above.contains('.')));
    if domains.len() > 6 {
        domains.drain(1..domains.len() - 5);
    }
    domains
}

/// Which of many addresses are suppressed, read together.
#[derive(Default)]
pub struct Checked {
    seen: HashSet<String>,
    addresses: HashSet<String>,
    /// Domains by their folded form.
    domains: HashMap<String, String>,
    erased: HashSet<String>,
}

impl Checked {
    pub fn read(ctx: &Ctx, tx: &mut dyn Tx, addresses: impl IntoIterator<Item = String>) -> Result<Checked, Error> {
        let mut checked = Checked::default();
        checked.add(ctx, tx, addresses)?;
        Ok(checked)
    }

    /// Reads more addresses; those that were read already are not read again.
    pub fn add(
        &mut self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        addresses: impl IntoIterator<Item = String>,
    ) -> Result<(), Error> {
        let folded = addresses.into_iter().map(|address| fold(address.trim()));
        let new: HashSet<String> = folded.filter(|address| !self.seen.contains(address)).collect();
        if new.is_empty() {
            return Ok(());
        }
        for (list, params) in by_many_keys(ctx, new.iter().map(String::as_str)) {
            let sql =
                format!("SELECT address_fold FROM suppressions WHERE workspace_id = $1 AND address_fold IN {list}");
            self.addresses.extend(tx.rows(&sql, &params, |row| row.text(0))?);
        }
        for (list, params) in by_many_keys(ctx, new.iter().flat_map(|address| domains(address))) {
            let sql = format!(
                "SELECT domain_fold, domain FROM suppressions WHERE workspace_id = $1 AND domain_fold IN {list}"
            );
            self.domains.extend(tx.rows(&sql, &params, |row| Ok((row.text(0)?, row.text(1)?)))?);
        }
        if let Some(hasher) = Hasher::read(ctx, tx)? {
            let erased = hasher.erased_among(ctx, tx, Kind::Email, new.iter().map(String::as_str))?;
            self.erased.extend(erased.into_iter().map(str::to_owned));
        }
        self.seen.extend(new);
        Ok(())
    }

    /// The suppressed ones of these addresses, as problems of the member that names them.
    pub fn problems(
        &self,
        ctx: &Ctx,
        tx: &mut dyn Tx,
        member: &str,
        addresses: &[String],
    ) -> Result<Vec<Problem>, Error> {
        let mut problems = Vec::new();
        for (at, address) in addresses.iter().enumerate() {
            if let Some(why) = self.against(ctx, tx, address)? {
                problems.push(Problem { field: format!("{member}.{at}"), reason: format!("{why}; leave it out") });
            }
        }
        Ok(problems)
    }

    /// Why nothing is sent to this address.
    pub fn against(&self, ctx: &Ctx, tx: &mut dyn Tx, address: &str) -> Result<Option<String>, Error> {
        let folded = fold(address.trim());
        if !self.seen.contains(&folded) {
            return against(ctx, tx, address);
        }
        if self.addresses.contains(&folded) {
            return Ok(Some(why(address, None)));
        }
        let domain = domains(&folded).into_iter().find_map(|domain| self.domains.get(domain));
        let erased = || self.erased.contains(&folded).then(|| ERASED.to_owned());
        Ok(domain.map(|domain| why(address, Some(domain))).or_else(erased))
    }
}

fn of_address(ctx: &Ctx, tx: &mut dyn Tx, address: &str) -> Result<Option<Uuid>, Error> {
    const OF_ADDRESS: &str = "SELECT id FROM suppressions WHERE workspace_id = $1 AND address_fold = $2 LIMIT 1";
    Ok(tx.one(OF_ADDRESS, &[ctx.workspace.into(), Value::from(fold(address.trim()))], |row| row.id(0))?)
}

fn of_domain(ctx: &Ctx, tx: &mut dyn Tx, domain: &str) -> Result<Option<Uuid>, Error> {
    const OF_DOMAIN: &str = "SELECT id FROM suppressions WHERE workspace_id = $1 AND domain_fold = $2 LIMIT 1";
    Ok(tx.one(OF_DOMAIN, &[ctx.workspace.into(), Value::from(fold(domain.trim()))], |row| row.id(0))?)
}
