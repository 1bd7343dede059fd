//! Statistics of steps, from counts that every change of an enrollment updates.

use crate::api::call::{Call, Reply};
use crate::outreach::sequence::{self, Sequence};
use resource::{Error, find};
use serde_json::{Map, Value as Json, json};
use store::Tx;

const COUNTS: [&str; 9] =
    ["planned", "sent", "skipped", "failed", "bounced", "replied", "unsubscribed", "opened", "clicked"];

pub(super) fn schema() -> Json {
    let mut properties = Map::from_iter([
        ("step_id".to_owned(), json!({ "type": "string", "format": "uuid" })),
        ("position".to_owned(), json!({ "type": "integer" })),
        ("type".to_owned(), json!({ "type": "string" })),
        ("name".to_owned(), json!({ "type": ["string", "null"] })),
        (
            "version".to_owned(),
            json!({ "type": "integer", "description": "The last version of the sequence that has it." }),
        ),
    ]);
    for count in COUNTS {
        properties.insert(count.into(), json!({ "type": "integer" }));
    }
    let required: Vec<String> = properties.keys().cloned().collect();
    json!({ "type": "object", "description": "What became of a step.", "required": required, "properties": properties })
}

/// The steps of the newest version, then those that only older versions have.
pub(super) fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    const OF_STEP: &str = "SELECT name, n FROM record_counts WHERE workspace_id = $1 AND record = $2";
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    let mut shown: Vec<Json> = Vec::new();
    for version in (1..=sequence.record.version).rev() {
        let steps = sequence::read_steps(&sequence::steps_of(&call.ctx, tx, sequence.id, version)?)?;
        for step in &steps {
            let Some(id) = sequence::step::id(step) else { continue };
            if shown.iter().any(|known| known["step_id"] == id.to_string()) {
                continue;
            }
            let counts =
                tx.rows(OF_STEP, &[call.ctx.workspace.into(), id.into()], |row| Ok((row.text(0)?, row.int(1)?)))?;
            let mut one = json!({
                "step_id": id, "position": step["position"], "type": step["type"], "name": step["name"], "version": version,
            });
            for count in COUNTS {
                let known = counts.iter().find(|(name, _)| name.strip_prefix("step.") == Some(count));
                one[count] = known.map_or(0, |(_, n)| *n).into();
            }
            shown.push(one);
        }
    }
    Ok(Reply::whole(shown))
}
