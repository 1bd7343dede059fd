//! Entry conditions: filters that a contact must meet, or the step is skipped.

use crate::records::contact::Contact;
use resource::{Cond, Ctx, Error, Op, Problem, Query, Resource, Test, custom, list};
use serde_json::{Map, Value as Json};
use std::collections::BTreeMap;
use store::{Tx, Uuid, Value};

/// Most entry conditions of a step, values in them, as in `in.(a,b)`, and bytes. They are parsed again whenever the step is
/// due.
const MOST_CONDITIONS: usize = 100;
const MOST_VALUES: usize = 2000;
const MOST_BYTES: usize = 100_000;
/// The same for all steps together.
const MOST_VALUES_IN_ALL: usize = 10_000;
const MOST_BYTES_IN_ALL: usize = 1_000_000;

/// Which entry conditions exceed a limit, of one step or of all steps. Nothing is parsed, so that this is fast.
pub fn excess<'a>(steps: impl Iterator<Item = &'a Map<String, Json>>) -> Vec<Problem> {
    let (mut problems, mut values, mut bytes) = (Vec::new(), 0, 0);
    for (at, step) in steps.enumerate() {
        let Some(Json::Object(conditions)) = step.get("entry_conditions") else { continue };
        let size = Size::of(conditions);
        (values, bytes) = (values + size.values, bytes + size.bytes);
        problems.extend(size.excess().map(|reason| Problem { field: format!("steps.{at}.entry_conditions"), reason }));
    }
    for (count, most, what) in [(values, MOST_VALUES_IN_ALL, "values"), (bytes, MOST_BYTES_IN_ALL, "bytes")] {
        if problems.is_empty() && count > most {
            let reason = format!("have {count} {what} in their entry_conditions; all steps together may have {most}");
            problems.push(Problem { field: "steps".into(), reason });
        }
    }
    problems
}

/// Why the entry conditions of one step exceed a limit.
pub fn excessive(conditions: &Map<String, Json>) -> Option<String> {
    Size::of(conditions).excess()
}

struct Size {
    conditions: usize,
    values: usize,
    bytes: usize,
}

impl Size {
    fn of(conditions: &Map<String, Json>) -> Size {
        let mut size = Size { conditions: 0, values: 0, bytes: 0 };
        for (name, value) in conditions {
            let one = std::slice::from_ref(value);
            for filter in value.as_array().map_or(one, Vec::as_slice) {
                let text = filter.as_str().unwrap_or_default();
                size.conditions += 1;
                // Values are separated by commas.
                size.values += 1 + text.bytes().filter(|byte| *byte == b',').count();
                size.bytes += name.len() + text.len();
            }
        }
        size
    }

    fn excess(&self) -> Option<String> {
        let counts = [
            (self.conditions, MOST_CONDITIONS, "conditions"),
            (self.values, MOST_VALUES, "values"),
            (self.bytes, MOST_BYTES, "bytes"),
        ];
        let (count, most, what) = counts.into_iter().find(|(count, most, _)| count > most)?;
        Some(format!("has {count} {what}; a step may have {most}"))
    }
}

/// Parses entry conditions like the filters of a list of contacts.
pub(super) fn parse(ctx: &Ctx, tx: &mut dyn Tx, conditions: &Map<String, Json>) -> Result<Query, Error> {
    const NO_FILTERS: &[&str] = &["limit", "offset", "cursor", "sort", "count"];
    let (mut pairs, mut problems) = (Vec::new(), Vec::new());
    for (name, value) in conditions {
        let one = |value: &Json| match value {
            Json::String(text) => Some(text.clone()),
            Json::Number(_) | Json::Bool(_) => Some(value.to_string()),
            _ => None,
        };
        let values = match value {
            Json::Array(values) => values.iter().map(one).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty()),
            value => one(value).map(|text| vec![text]),
        };
        match values {
            _ if NO_FILTERS.contains(&name.as_str()) => {
                problems.push(Problem { field: name.clone(), reason: "is not a filter".into() });
            }
            Some(values) => pairs.extend(values.into_iter().map(|text| (name.clone(), text))),
            None => {
                let reason = "must be a filter such as \"ilike.%cto%\", or a list of such".into();
                problems.push(Problem { field: name.clone(), reason });
            }
        }
    }
    let custom = if Query::names_custom(&pairs) { custom::fields::<Contact>(ctx, tx)? } else { Vec::new() };
    let query = Query::parse(&Contact::ABOUT, Contact::FIELDS, &custom, &pairs);
    match query {
        Err(Error::Invalid(found)) => problems.extend(found),
        query if problems.is_empty() => return query,
        _ => {}
    }
    Err(Error::Invalid(problems))
}

/// The custom fields that a step's entry conditions test, each with the texts that it is compared with. `None` if the
/// conditions are invalid; they match nobody then.
pub fn compared(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    step: &Map<String, Json>,
) -> Result<Option<BTreeMap<String, Vec<String>>>, Error> {
    let Some(Json::Object(conditions)) = step.get("entry_conditions") else { return Ok(Some(BTreeMap::new())) };
    let query = match parse(ctx, tx, conditions) {
        Err(Error::Invalid(_)) => return Ok(None),
        query => query?,
    };
    let mut compared: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for cond in &query.conds {
        resource::each_test(cond, &mut |test| {
            let Some(key) = test.field.custom else { return };
            let texts = compared.entry(key.to_owned()).or_default();
            texts.extend(test.values.iter().filter_map(|value| match value {
                Value::Text(text) => Some(text.to_string()),
                _ => None,
            }));
        });
    }
    Ok(Some(compared))
}

/// Whether a contact meets the conditions.
pub fn holds(ctx: &Ctx, tx: &mut dyn Tx, conditions: &Map<String, Json>, contact: Uuid) -> Result<bool, Error> {
    let mut query = match parse(ctx, tx, conditions) {
        // A field was deleted since.
        Err(Error::Invalid(_)) => return Ok(false),
        query => query?,
    };
    (query.limit, query.count) = (1, false);
    let field = Contact::FIELDS.iter().find(|field| field.name == "id");
    let this = field.map(|field| Cond::Test(Test { field, op: Op::Eq, values: vec![contact.into()] }));
    // The first condition selects one record, so that the others need no index.
    query.conds.splice(0..0, this);
    Ok(!list::<Contact>(ctx, tx, &query, &[])?.json.is_empty())
}

#[cfg(test)]
mod tests {
    use super::super::MOST;
    use super::*;
    use serde_json::json;

    fn steps(filters: &[&str], count: usize) -> Vec<Map<String, Json>> {
        let step = json!({ "entry_conditions": { "title": filters } });
        vec![step.as_object().cloned().expect("an object"); count]
    }

    #[test]
    fn entry_conditions_are_counted_before_they_are_parsed() {
        let reasons = |steps: &[Map<String, Json>]| -> Vec<(String, String)> {
            excess(steps.iter()).into_iter().map(|problem| (problem.field, problem.reason)).collect()
        };
        let at = |field: &str, reason: &str| vec![(field.to_owned(), reason.to_owned())];
        let values = |count: usize| format!("in.({})", vec!["a"; count].join(","));
        assert_eq!(reasons(&steps(&["eq.a"; MOST_CONDITIONS], MOST)), []);
        assert_eq!(
            reasons(&steps(&["eq.a"; MOST_CONDITIONS + 1], 1)),
            at("steps.0.entry_conditions", "has 101 conditions; a step may have 100")
        );
        assert_eq!(reasons(&steps(&[&values(MOST_VALUES)], 5)), []);
        assert_eq!(
            reasons(&steps(&[&values(MOST_VALUES)], 6)),
            at("steps", "have 12000 values in their entry_conditions; all steps together may have 10000")
        );
        assert_eq!(
            reasons(&steps(&[&values(1500), &values(501)], 1)),
            at("steps.0.entry_conditions", "has 2001 values; a step may have 2000")
        );
        assert_eq!(
            reasons(&steps(&[&"x".repeat(MOST_BYTES)], 1)),
            at("steps.0.entry_conditions", "has 100005 bytes; a step may have 100000")
        );
        assert_eq!(
            reasons(
                &[json!({"entry_conditions": 5}), json!({})].map(|step| step.as_object().cloned().expect("an object"))
            ),
            []
        );
    }
}
