//! Fields that a workspace defines. `custom_data` holds their values as given, `custom_data_fold` holds them for
//! comparisons, and `terms` holds them for lookups and ordered reads. A definition becomes a `Field`, so that filters,
//! sorts and cursors treat it like any other.

use crate::changes::{GUESSED, LONGEST_NAME, NO_URL, is_date, is_url, nearest, tidy};
pub use crate::definition::{CustomType, Definition};
use crate::error::MAX_PROBLEMS;
use crate::memory::is_committed;
use crate::stored::json_text;
use crate::{Ctx, Error, Field, Kind, Problem, Resource, StoredRow, fold};
use serde_json::{Map, Number, Value as Json};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock};
use store::Tx;

/// The job that removes a deleted field's values from the records; its payload is the field's term name.
pub const CLEAR: &str = "custom_field.clear";

/// The most characters that fit into an index entry in every script.
const LONGEST: usize = 500;
/// Beyond this, a double can't represent every whole number.
const GREATEST: f64 = 9_007_199_254_740_991.0;

/// The name under which `terms` holds values of this field.
pub fn term(entity: &str, key: &str) -> String {
    format!("{entity}.custom.{key}")
}

/// Whether a text has the form of such a name.
pub fn is_term(name: &str) -> bool {
    name.contains(".custom.")
}

/// The custom fields of the workspace for this kind of record, by position.
pub fn definitions(ctx: &Ctx, tx: &mut dyn Tx, entity: &str) -> Result<Vec<Definition>, Error> {
    const DEFINED: &str = "SELECT key, label, type, is_required, options, id FROM custom_fields \
         WHERE workspace_id = $1 AND entity = $2 ORDER BY position, id";
    Ok(tx.rows(DEFINED, &[ctx.workspace.into(), entity.into()], |row| {
        let options = row.json::<Vec<Choice>>(4)?.into_iter().map(|option| option.value).collect();
        Ok(Definition {
            key: row.text(0)?,
            label: row.text(1)?,
            r#type: row.word(2, CustomType::from_word)?,
            required: row.bool(3)?,
            options,
        })
    })?)
}

/// An option as it is stored.
#[derive(serde::Deserialize)]
struct Choice {
    value: String,
}

/// The workspace's fields for the list grammar.
pub fn fields<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<&'static Field>, Error> {
    let defined = definitions(ctx, tx, R::ABOUT.one)?;
    Ok(defined.iter().map(|definition| definition.field(R::ABOUT.one)).collect())
}

impl Definition {
    /// Leaks one `Field` per distinct definition, because lists and filters work with `&'static Field`.
    pub fn field(&self, entity: &str) -> &'static Field {
        type Known = HashMap<(String, &'static str, Vec<String>), &'static Field>;
        static KNOWN: OnceLock<Mutex<Known>> = OnceLock::new();
        let known = KNOWN.get_or_init(Mutex::default);
        let mut known = known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let term = term(entity, &self.key);
        known.entry((term.clone(), self.r#type.word(), self.options.clone())).or_insert_with(|| {
            let leak = |text: String| -> &'static str { text.leak() };
            let kind = match self.r#type {
                CustomType::Text | CustomType::Url => Kind::Text,
                CustomType::Number => Kind::Number,
                CustomType::Boolean => Kind::Bool,
                CustomType::Date => Kind::Date,
                CustomType::Select => {
                    Kind::Choice(self.options.iter().map(|option| leak(option.clone())).collect::<Vec<_>>().leak())
                }
                CustomType::MultiSelect => Kind::Texts,
            };
            let mut field = Field::of::<Option<String>>(leak(format!("custom_data.{}", self.key)), "");
            field = Field { kind, term: Some(leak(term)), custom: Some(leak(self.key.clone())), filter: true, ..field };
            Box::leak(Box::new(Field { sort: kind != Kind::Texts, ..field }))
        })
    }

    /// Whether a stored value is valid for this field. Values that are no longer options are valid.
    pub fn is_of_type(&self, value: &Json) -> bool {
        match (self.r#type, value) {
            (CustomType::Select, value) => value.is_string(),
            (CustomType::MultiSelect, Json::Array(items)) => items.iter().all(Json::is_string),
            (_, value) => self.check("", value).is_ok(),
        }
    }

    /// The value to store. Null, an empty text and an empty list mean no value.
    fn check(&self, path: &str, value: &Json) -> Result<Option<Json>, Problem> {
        let unfit = |reason: &str| Problem { field: path.to_owned(), reason: reason.to_owned() };
        let listed = |text: &str| match self.options.iter().any(|option| option == text) {
            true => Ok(Json::from(text)),
            false => Err(unfit(&format!("must be one of {}", self.options.join(", ")))),
        };
        match (self.r#type, value) {
            (_, Json::Null) => Ok(None),
            (CustomType::Text | CustomType::Url, Json::String(text)) => {
                let text = tidy(path, text).map_err(|_| unfit("must not hold the character NUL"))?;
                if text.chars().count() > LONGEST {
                    return Err(unfit(&format!("must be at most {LONGEST} characters")));
                }
                if self.r#type == CustomType::Url && !text.is_empty() && !is_url(&text) {
                    return Err(unfit(NO_URL));
                }
                Ok((!text.is_empty()).then(|| text.into()))
            }
            (CustomType::Text | CustomType::Url, _) => Err(unfit("must be a string")),
            (CustomType::Number, Json::Number(number)) => match number.as_f64() {
                Some(n) if n.abs() <= GREATEST && n.fract() == 0.0 => Ok(Some((n as i64).into())),
                Some(n) if n.abs() <= GREATEST => Ok(Number::from_f64(n).map(Json::Number)),
                _ => Err(unfit("must be from -9007199254740991 to 9007199254740991")),
            },
            (CustomType::Number, _) => Err(unfit("must be a number")),
            (CustomType::Boolean, Json::Bool(_)) => Ok(Some(value.clone())),
            (CustomType::Boolean, _) => Err(unfit("must be true or false")),
            (CustomType::Date, Json::String(text)) if is_date(text) => Ok(Some(value.clone())),
            (CustomType::Date, _) => Err(unfit("must be a date of the form YYYY-MM-DD")),
            (CustomType::Select, Json::String(text)) => listed(text).map(Some),
            (CustomType::Select, _) => Err(unfit(&format!("must be one of {}", self.options.join(", ")))),
            (CustomType::MultiSelect, Json::Array(items)) => {
                let mut chosen: Vec<Json> = Vec::new();
                for item in items {
                    let item = listed(item.as_str().unwrap_or_default())?;
                    if !chosen.contains(&item) {
                        chosen.push(item);
                    }
                }
                Ok((!chosen.is_empty()).then_some(Json::Array(chosen)))
            }
            (CustomType::MultiSelect, _) => Err(unfit(&format!("must be a list of {}", self.options.join(", ")))),
        }
    }
}

/// Checks `sent` and merges it over `stored`. A value equal to the stored one always passes, so that a client can send
/// back what it read after the definition has changed. `known` are the definitions, if the caller has read them in this
/// transaction.
pub fn merge(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    entity: &str,
    sent: &Map<String, Json>,
    stored: Option<&Map<String, Json>>,
    known: Option<&[Definition]>,
) -> Result<(Map<String, Json>, Vec<Problem>), Error> {
    if let Some(known) = known {
        return put_over(ctx, tx, entity, sent, stored, known);
    }
    let defined = current(ctx, tx, entity)?;
    put_over(ctx, tx, entity, sent, stored, &defined)
}

/// Marks the definitions of the workspace as changed, so that every node reads them again after this transaction
/// commits.
pub fn changed(ctx: &Ctx, tx: &mut dyn Tx) -> Result<(), Error> {
    const MOVE: &str = "UPDATE heads SET fields_stamp = $1 WHERE workspace_id = $2";
    let now = tx.stamp();
    Ok(tx.execute(MOVE, &[now.into(), ctx.workspace.into()])?)
}

/// The definitions as of this transaction, from the cache if they have not changed since.
fn current(ctx: &Ctx, tx: &mut dyn Tx, entity: &str) -> Result<Arc<Vec<Definition>>, Error> {
    const STAMP: &str = "SELECT fields_stamp FROM heads WHERE workspace_id = $1";
    let stamp = tx.one(STAMP, &[ctx.workspace.into()], |row| row.int(0))?.unwrap_or(0);
    if let Some(known) = ctx.memory.definitions(ctx.workspace, entity, stamp) {
        return Ok(known);
    }
    let read = Arc::new(definitions(ctx, tx, entity)?);
    if is_committed(tx, stamp) {
        ctx.memory.cache_definitions(ctx.workspace, entity, stamp, read.clone());
    }
    Ok(read)
}

fn put_over(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    entity: &str,
    sent: &Map<String, Json>,
    stored: Option<&Map<String, Json>>,
    defined: &[Definition],
) -> Result<(Map<String, Json>, Vec<Problem>), Error> {
    let (mut merged, mut problems) = (stored.cloned().unwrap_or_default(), Vec::new());
    let defines = |key: &String| defined.iter().any(|definition| definition.key == *key);
    let cleared = if sent.keys().all(defines) { Vec::new() } else { clearing(ctx, tx)? };
    let names: Vec<&str> = defined.iter().map(|definition| definition.key.as_str()).collect();
    for (key, value) in sent {
        if problems.len() >= MAX_PROBLEMS {
            break;
        }
        let Some(definition) = defined.iter().find(|definition| definition.key == *key) else {
            if !cleared.contains(&term(entity, key)) {
                // Finding the nearest name is slow, and other writes wait for this transaction.
                let names = if problems.len() < GUESSED { &names[..] } else { &[] };
                let shown: String = key.chars().take(LONGEST_NAME).collect();
                problems.push(Problem { field: format!("custom_data.{shown}"), reason: unknown(key, names) });
            }
            continue;
        };
        let path = format!("custom_data.{key}");
        if merged.get(key) == Some(value) {
            continue;
        }
        match definition.check(&path, value) {
            Ok(Some(value)) => drop(merged.insert(key.clone(), value)),
            Ok(None) if definition.required => problems.push(Problem { field: path, reason: "is required".into() }),
            Ok(None) => drop(merged.remove(key)),
            Err(problem) => problems.push(problem),
        }
    }
    if stored.is_none() {
        let missing = defined.iter().filter(|definition| definition.required && !sent.contains_key(&definition.key));
        problems.extend(missing.map(|definition| Problem {
            field: format!("custom_data.{}", definition.key),
            reason: "is required".into(),
        }));
    }
    Ok((merged, problems))
}

fn unknown(key: &str, known: &[&str]) -> String {
    match nearest(key, known) {
        Some(near) => format!("is not a custom field here (did you mean {near}?)"),
        None => "is not a custom field here".into(),
    }
}

/// The terms of deleted fields whose values a job is still removing from the records.
pub fn clearing(ctx: &Ctx, tx: &mut dyn Tx) -> Result<Vec<String>, Error> {
    const CLEARING: &str = "SELECT payload FROM jobs WHERE workspace_id = $1 AND kind = $2";
    Ok(tx.rows(CLEARING, &[ctx.workspace.into(), CLEAR.into()], |row| row.text(0))?)
}

/// The keys by which values are compared and found, by the key of their field. A list has several.
pub(crate) fn keys(data: &str) -> Result<BTreeMap<String, Vec<String>>, store::Error> {
    let data: Map<String, Json> = json_text(data)?;
    let key = |value: &Json| match value {
        Json::String(text) => fold(text),
        Json::Number(number) => number_key(number.as_f64().unwrap_or_default()),
        other => other.to_string(),
    };
    let keys = |value: &Json| match value {
        Json::Array(items) => items.iter().map(key).collect(),
        one => vec![key(one)],
    };
    Ok(data.iter().map(|(name, value)| (name.clone(), keys(value))).collect())
}

/// The object of keys that ranges and sorts read. Lists are left out because they have no order.
pub(crate) fn folded(data: &str) -> Result<String, store::Error> {
    let parsed: Map<String, Json> = json_text(data)?;
    let single = |name: &String| parsed.get(name).is_some_and(|value| !value.is_array());
    let folded: Map<String, Json> = keys(data)?
        .into_iter()
        .filter(|(name, _)| single(name))
        .map(|(name, mut key)| (name, key.remove(0).into()))
        .collect();
    Ok(Json::Object(folded).to_string())
}

/// Text that sorts as the number does.
pub(crate) fn number_key(n: f64) -> String {
    // -0.0 and 0.0 have the same key.
    let bits = (n + 0.0).to_bits();
    let ordered = if bits >> 63 == 1 { !bits } else { bits | 1 << 63 };
    format!("{ordered:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_keys_sort_like_numbers() {
        let numbers = [-1e15, -2.5, -1.0, -0.001, 0.0, 1e-9, 0.5, 1.0, 2.0, 10.0, 1e15];
        let keys: Vec<String> = numbers.iter().map(|n| number_key(*n)).collect();
        assert!(keys.is_sorted(), "{keys:?}");
        assert_eq!(number_key(0.0), number_key(-0.0));
    }

    #[test]
    fn values_are_folded_by_type() {
        let data = r#"{"a":"ÉLAN","b":2,"c":true,"d":["X","y"]}"#;
        assert_eq!(keys(data).unwrap()["d"], ["x", "y"]);
        let folded: Map<String, Json> = serde_json::from_str(&folded(data).unwrap()).unwrap();
        assert_eq!((&folded["a"], &folded["c"], folded.get("d")), (&"élan".into(), &"true".into(), None));
    }
}
