//! Variants of a step: texts that are compared with each other. A step has either a text of its own or variants, and each
//! contact gets one of them.

use super::{ExecutionMode, Known, StepType, id, text};
use crate::outreach::sequence::template;
use resource::{Error, Place, Problem, Resource};
use serde::Deserialize;
use serde_json::{Map, Value as Json, json};
use store::{Tx, Uuid};

/// One of the texts of a step that are compared.
#[derive(Resource)]
pub struct Variant {
    /// Sent back with a change, the variant stays the same one and keeps its results.
    pub id: Uuid,
    #[field(max = 200)]
    pub name: Option<String>,
    /// How often contacts get it, in proportion to the weights of the other variants.
    #[field(default = "1", least = LEAST_WEIGHT, most = MOST_WEIGHT)]
    pub weight: i64,
    /// As in a step.
    #[field(max = 255)]
    pub subject: Option<String>,
    /// As in a step.
    #[field(max = 20_000, label = "Text")]
    pub body: Option<String>,
}

/// A step has no variants, or from two to five.
const FEWEST: usize = 2;
pub const MOST: usize = 5;
/// All steps of a sequence together.
const MOST_IN_ALL: usize = 50;
pub const LEAST_WEIGHT: i64 = 1;
pub const MOST_WEIGHT: i64 = 100;

/// The variants of a step that are objects, each with its index.
pub fn of(step: &Map<String, Json>) -> impl Iterator<Item = (usize, &Map<String, Json>)> {
    let items = step.get("variants").and_then(Json::as_array).into_iter().flatten();
    items.enumerate().filter_map(|(at, variant)| Some((at, variant.as_object()?)))
}

/// The objects with the subjects and bodies of a step, each with its path: its variants, or the step if it has none.
pub fn contents<'a>(path: &str, step: &'a Map<String, Json>) -> Vec<(String, &'a Map<String, Json>)> {
    let variants: Vec<_> = of(step).map(|(at, variant)| (format!("{path}.variants.{at}"), variant)).collect();
    if variants.is_empty() { vec![(path.to_owned(), step)] } else { variants }
}

/// Examines the templates of steps and their variants, so that checks in a transaction are fast.
pub fn examine_templates<'a>(steps: impl Iterator<Item = &'a Json>) {
    let variants = |step: &'a Json| step.get("variants").and_then(Json::as_array).into_iter().flatten().take(MOST);
    let contents = steps.flat_map(|step| std::iter::once(step).chain(variants(step)));
    template::examine_all(
        contents.flat_map(|one| [one.get("subject"), one.get("body")]).flatten().filter_map(Json::as_str),
    );
}

/// The ids of the variants of a stored step.
pub(super) fn ids(place: &Place, step: &Map<String, Json>) -> Result<Vec<Uuid>, Error> {
    #[derive(Deserialize)]
    struct Stored {
        id: Uuid,
    }
    let variants: Option<Vec<Stored>> = place.member(step, "variants")?;
    Ok(variants.into_iter().flatten().map(|variant| variant.id).collect())
}

/// Checks the number of variants, and whether the step can have any.
pub(super) fn check(path: &str, step: &Map<String, Json>, problems: &mut Vec<Problem>) {
    let Some(Json::Array(variants)) = step.get("variants") else { return };
    if variants.is_empty() {
        return;
    }
    let mut problem = |member: &str, reason: String| {
        problems.push(Problem { field: format!("{path}.{member}"), reason });
    };
    if !(FEWEST..=MOST).contains(&variants.len()) {
        problem("variants", format!("must have from {FEWEST} to {MOST} items, or none"));
    }
    let kind = text(step, "type").and_then(StepType::from_word);
    let is_manual = text(step, "execution_mode") == Some(ExecutionMode::Manual.word());
    if is_manual || kind.is_some_and(|kind| !kind.has_text()) {
        problem("variants", "is for a message that is sent automatically; leave it out of this step".into());
    }
    for member in ["subject", "body"] {
        if text(step, member).is_some_and(|text| !text.trim().is_empty()) {
            problem(member, "must be empty in a step with variants; move it into a variant".into());
        }
    }
}

/// Checks the ids of a step's variants.
pub(super) fn check_ids(path: &str, step: &Map<String, Json>, known: &Known, problems: &mut Vec<Problem>) {
    let mut before = Vec::new();
    for (at, variant) in of(step) {
        let Some(id) = id(variant) else { continue };
        let reason = match known {
            _ if before.contains(&id) => Some("another variant has it already"),
            Known::Of(_) if !known.variants_of(super::id(step)).contains(&id) => {
                Some("no variant of this step has this id; leave it out of a new variant")
            }
            _ => None,
        };
        let field = format!("{path}.variants.{at}.id");
        problems.extend(reason.map(|reason| Problem { field, reason: reason.into() }));
        before.push(id);
    }
}

/// Whether all steps together have too many variants.
pub(super) fn excess<'a>(steps: impl Iterator<Item = &'a Map<String, Json>>) -> Option<Problem> {
    let count: usize = steps.filter_map(|step| step.get("variants")?.as_array()).map(Vec::len).sum();
    let reason = || format!("have {count} variants; all steps together may have {MOST_IN_ALL}");
    (count > MOST_IN_ALL).then(|| Problem { field: "steps".into(), reason: reason() })
}

/// Gives ids to the new variants of a checked step.
pub(super) fn store_ids(tx: &mut dyn Tx, known: &Known, step: &mut Map<String, Json>) {
    let kept = known.variants_of(id(step)).to_vec();
    let Some(Json::Array(variants)) = step.get_mut("variants") else { return };
    for variant in variants.iter_mut().filter_map(Json::as_object_mut) {
        let id = id(variant).filter(|id| kept.contains(id)).unwrap_or_else(|| tx.id());
        variant.insert("id".into(), json!(id));
    }
}
