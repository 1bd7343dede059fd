//! Statistics of steps and their variants, from counts that every change of an enrollment updates.

use super::comparison::{self, Results};
use super::counts::{of_step, of_variant};
use crate::api::call::{Call, Reply};
use crate::outreach::sequence::plan::{self, ParsedStep};
use crate::outreach::sequence::{self, Sequence};
use resource::{Ctx, Error, find};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use store::{Tx, Uuid};

const COUNTS: [&str; 9] =
    ["planned", "sent", "skipped", "failed", "bounced", "replied", "unsubscribed", "opened", "clicked"];
/// A step is planned or skipped before a variant is chosen.
const VARIANT_COUNTS: [&str; 7] = ["sent", "failed", "bounced", "replied", "unsubscribed", "opened", "clicked"];

pub(super) fn schema() -> Json {
    let version = "The last version of the sequence that has it.";
    let mut properties = Map::from_iter([
        ("step_id".to_owned(), json!({ "type": "string", "format": "uuid" })),
        ("position".to_owned(), json!({ "type": "integer" })),
        ("type".to_owned(), json!({ "type": "string" })),
        ("name".to_owned(), json!({ "type": ["string", "null"] })),
        ("version".to_owned(), json!({ "type": "integer", "description": version })),
    ]);
    for count in COUNTS {
        properties.insert(count.into(), json!({ "type": "integer" }));
    }
    let mut variant = Map::from_iter([
        ("variant_id".to_owned(), json!({ "type": "string", "format": "uuid" })),
        ("position".to_owned(), json!({ "type": "integer", "description": "Its index in the step, from 0." })),
        ("name".to_owned(), json!({ "type": ["string", "null"] })),
        ("weight".to_owned(), json!({ "type": "integer" })),
        ("version".to_owned(), json!({ "type": "integer", "description": version })),
    ]);
    for count in VARIANT_COUNTS {
        variant.insert(count.into(), json!({ "type": "integer" }));
    }
    let required: Vec<String> = variant.keys().cloned().collect();
    let variant = json!({ "type": "object", "required": required, "properties": variant });
    let description =
        "What became of each variant: those of the newest version, then those that only older versions have.";
    properties.insert("variants".into(), json!({ "type": "array", "description": description, "items": variant }));
    properties.insert("comparison".into(), comparison::schema());
    let required: Vec<String> = properties.keys().cloned().collect();
    json!({ "type": "object", "description": "What became of a step.", "required": required, "properties": properties })
}

/// The steps of the newest version, then those that only older versions have.
pub(super) fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let sequence = find::<Sequence>(&call.ctx, tx, call.id(0, "sequence")?)?;
    let mut shown: Vec<ShownStep> = Vec::new();
    for version in (1..=sequence.record.version).rev() {
        let stored = sequence::read_steps(&sequence::steps_of(&call.ctx, tx, sequence.id, version)?)?;
        let parsed = plan::read(&stored).map_err(|error| error.at("steps").in_row("sequence_versions", sequence.id))?;
        for (position, step) in parsed.iter().enumerate() {
            let at = match shown.iter().position(|known| known.id == step.id) {
                Some(at) => at,
                None => {
                    shown.push(ShownStep::of(&call.ctx, tx, step, position, version)?);
                    shown.len() - 1
                }
            };
            shown[at].add_variants(&call.ctx, tx, step, version)?;
        }
    }
    Ok(Reply::whole(shown.into_iter().map(ShownStep::json).collect()))
}

struct ShownStep {
    id: Uuid,
    json: Json,
    variants: Vec<Json>,
    /// Of the newest version that has variants.
    compared: Vec<Results>,
}

impl ShownStep {
    fn of(ctx: &Ctx, tx: &mut dyn Tx, step: &ParsedStep, position: usize, version: i64) -> Result<ShownStep, Error> {
        let counts = counts_of(ctx, tx, step.id)?;
        let mut json = json!({
            "step_id": step.id, "position": position, "type": step.kind.word(), "name": step.name, "version": version,
        });
        for count in COUNTS {
            json[count] = counts.get(&of_step(count)).copied().unwrap_or(0).into();
        }
        Ok(ShownStep { id: step.id, json, variants: Vec::new(), compared: Vec::new() })
    }

    /// Adds the variants of a version that newer versions don't have.
    fn add_variants(&mut self, ctx: &Ctx, tx: &mut dyn Tx, step: &ParsedStep, version: i64) -> Result<(), Error> {
        let is_newest = self.variants.is_empty();
        for (position, variant) in step.variants.iter().enumerate() {
            let id = variant.id.to_string();
            if self.variants.iter().any(|known| known["variant_id"] == id) {
                continue;
            }
            let counts = counts_of(ctx, tx, variant.id)?;
            let count = |what: &str| counts.get(&of_variant(what)).copied().unwrap_or(0);
            let mut json = json!({
                "variant_id": id, "position": position, "name": variant.name, "weight": variant.weight, "version": version,
            });
            for what in VARIANT_COUNTS {
                json[what] = count(what).into();
            }
            self.variants.push(json);
            if is_newest {
                let name = variant.label(position);
                self.compared.push(Results { id: variant.id, name, sent: count("sent"), replied: count("replied") });
            }
        }
        Ok(())
    }

    fn json(self) -> Json {
        let mut json = self.json;
        json["variants"] = self.variants.into();
        json["comparison"] = if self.compared.is_empty() { Json::Null } else { comparison::compare(&self.compared) };
        json
    }
}

/// The counts of a step or a variant, by name.
fn counts_of(ctx: &Ctx, tx: &mut dyn Tx, record: Uuid) -> Result<BTreeMap<String, i64>, Error> {
    const OF_RECORD: &str = "SELECT name, n FROM record_counts WHERE workspace_id = $1 AND record = $2";
    let params = [ctx.workspace.into(), record.into()];
    Ok(tx.rows(OF_RECORD, &params, |row| Ok((row.text(0)?, row.int(1)?)))?.into_iter().collect())
}
