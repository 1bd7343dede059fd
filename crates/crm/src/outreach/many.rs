//! Requests that change many records: those that are named, or all in pages.

use resource::{Changes, Error, invalid};
use serde_json::{Value as Json, json};
use std::collections::BTreeSet;
use store::{Tx, Uuid, Value};

/// The most records that one request looks at.
pub const MOST: i64 = 500;
/// So many records are changed even if the time of the transaction is over.
const AT_LEAST: usize = 50;

/// Which records a request is about.
pub enum Asked {
    /// Each id once, in the order of the request.
    Named(Vec<Uuid>),
    /// All after this one.
    All { after: Uuid },
}

impl Asked {
    /// Reads the member with the ids, such as `contact_ids`, and `after`. `what` are the named records, such as `contacts`.
    pub fn of(members: &Changes, ids: &'static str, what: &str) -> Result<Asked, Error> {
        let named: Option<Vec<Uuid>> = members.named_json(ids)?;
        let after = if let Some(Value::Id(after)) = members.named("after") { Some(*after) } else { None };
        match named {
            Some(_) if after.is_some() => Err(invalid("after", format!("is not for a request with {ids}"))),
            Some(named) if named.is_empty() => {
                Err(invalid(ids, format!("must name 1 to {MOST} {what}, or be left out for all")))
            }
            Some(mut named) => {
                let mut seen = BTreeSet::new();
                named.retain(|id| seen.insert(*id));
                Ok(Asked::Named(named))
            }
            None => Ok(Asked::All { after: after.unwrap_or(Uuid::nil()) }),
        }
    }
}

/// What a request did.
#[derive(Default)]
pub struct Done {
    pub changed: i64,
    /// The ids as the request names them, with the reasons.
    pub refused: Vec<(Uuid, String)>,
    /// Where the next request goes on.
    pub next: Option<Uuid>,
}

impl Done {
    /// The refusals in the response; `member` is the name of the id.
    pub fn refused(&self, member: &str) -> Vec<Json> {
        self.refused.iter().map(|(id, reason)| json!({ member: id, "reason": reason })).collect()
    }
}

/// Changes records, each an id and the id that the request names it by. `act` gives the reason if it refuses one. The writer
/// is not held up for long: the caller asks again for the rest.
pub fn each(
    tx: &mut dyn Tx,
    asked: &Asked,
    records: &[(Uuid, Uuid)],
    mut act: impl FnMut(&mut dyn Tx, Uuid) -> Result<Option<String>, Error>,
) -> Result<Done, Error> {
    let is_named = matches!(asked, Asked::Named(_));
    let is_full = !is_named && records.len() as i64 == MOST;
    let mut done = Done { next: records.last().map(|(id, _)| *id).filter(|_| is_full), ..Done::default() };
    for (n, (id, named)) in records.iter().enumerate() {
        if n >= AT_LEAST && !tx.has_time() {
            if !is_named {
                done.next = Some(records[n - 1].0);
                break;
            }
            done.refused.push((*named, "was not tried yet; ask again".into()));
            continue;
        }
        match act(tx, *id)? {
            None => done.changed += 1,
            Some(reason) => done.refused.push((*named, reason)),
        }
    }
    Ok(done)
}

/// The schema of the refusals; `member` is the name of the id.
pub fn refused_schema(member: &str) -> Json {
    json!({
        "type": "array",
        "items": {
            "type": "object",
            "required": [member, "reason"],
            "properties": {
                member: { "type": "string", "format": "uuid" },
                "reason": { "type": "string" },
            },
        },
    })
}

/// The schema of `next`; `what` are the records.
pub fn next_schema(what: &str) -> Json {
    let description =
        format!("One request looks at {MOST} {what} at most. Send it as `after` to go on; null at the end.");
    json!({ "type": ["string", "null"], "format": "uuid", "description": description })
}
