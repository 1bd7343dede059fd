//! Terms: the keys under which a record is found by the values of some fields.

use crate::sql::{Sql, text_key, text_of};
use crate::stored::json_text;
use crate::{Ctx, Error, Field, Kind, custom, digits, fold};
use serde_json::Value as Json;
use std::borrow::Cow;
use std::collections::BTreeSet;
use store::{Tx, Value};
use uuid::Uuid;

/// The names and keys under which `terms` holds this value.
pub(crate) fn terms(field: &Field, value: &Value) -> Result<Terms, store::Error> {
    Ok(match (field.term, field.kind, value) {
        (Some(name), Kind::Object, Value::Text(data)) => {
            let named = |(key, values): (String, Vec<String>)| {
                values.into_iter().map(move |value| (Cow::Owned(format!("{name}.{key}")), value))
            };
            let keys = custom::keys(data).map_err(|error| error.in_column(field.name))?;
            keys.into_iter().flat_map(named).collect()
        }
        (Some(name), Kind::Id, Value::Id(id)) => BTreeSet::from([(name.into(), id.to_string())]),
        (Some(name), ..) => keys(field, value)?.into_iter().map(|key| (name.into(), key)).collect(),
        (None, ..) => BTreeSet::new(),
    })
}

/// Names and keys of terms.
pub(crate) type Terms = BTreeSet<(Cow<'static, str>, String)>;

/// The keys of texts, lists and addresses.
pub(crate) fn keys(field: &Field, value: &Value) -> Result<BTreeSet<String>, store::Error> {
    let (Some(_), Some(text)) = (field.term, text_of(value)) else { return Ok(BTreeSet::new()) };
    let list = || json_text::<Vec<Json>>(text).map_err(|error| error.in_column(field.name));
    Ok(match field.kind {
        Kind::Text | Kind::Choice(_) => BTreeSet::from([text_key(field, text)]),
        Kind::Labels | Kind::Ids => list()?.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        Kind::Texts => list()?.iter().filter_map(Json::as_str).map(fold).collect(),
        Kind::Items(fields) => {
            let first = fields.first().map_or("", |field| field.name);
            let key = |text: &str| if field.by_digits() { digits(text) } else { fold(text) };
            list()?.iter().filter_map(|item| item.get(first)?.as_str()).map(key).collect()
        }
        _ => BTreeSet::new(),
    })
}

/// Adds terms of a record, up to 32 per statement.
pub(crate) fn add_terms(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    id: Uuid,
    terms: &[(Cow<'static, str>, String)],
) -> Result<(), Error> {
    for some in terms.chunks(32) {
        let mut sql = Sql::new("INSERT INTO terms (workspace_id, record, field, key) VALUES ");
        sql.params.extend([ctx.workspace.into(), id.into()]);
        for (n, (field, key)) in some.iter().enumerate() {
            sql.push(if n == 0 { "($1, $2, " } else { ", ($1, $2, " });
            sql.bind(&**field).push(", ").bind(key.as_str()).push(")");
        }
        // Two fields may write the same term.
        sql.push(" ON CONFLICT DO NOTHING");
        tx.execute(&sql.text, &sql.params)?;
    }
    Ok(())
}

pub(crate) fn write_terms(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid, old: &Terms, new: &Terms) -> Result<(), Error> {
    drop_terms(ctx, tx, id, &old.difference(new).collect::<Vec<_>>())?;
    add_terms(ctx, tx, id, &new.difference(old).cloned().collect::<Vec<_>>())
}

/// Deletes terms of a record, up to 32 per statement: a record may have a hundred custom fields with a term each.
pub(crate) fn drop_terms(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    id: Uuid,
    terms: &[&(Cow<'static, str>, String)],
) -> Result<(), Error> {
    for some in terms.chunks(32) {
        // Each alternative contains the whole key, so that both engines use the index.
        let mut sql = Sql::new("DELETE FROM terms WHERE ");
        sql.params.extend([ctx.workspace.into(), id.into()]);
        for (n, (field, key)) in some.iter().enumerate() {
            sql.push(if n == 0 { "" } else { " OR " }).push("(workspace_id = $1 AND record = $2 AND field = ");
            sql.bind(&**field).push(" AND key = ").bind(key.as_str()).push(")");
        }
        tx.execute(&sql.text, &sql.params)?;
    }
    Ok(())
}

/// The text of a value in `counters`.
pub(crate) fn counted_value(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Bool(b) => b.to_string(),
        Value::Int(n) => (*n != 0).to_string(),
        _ => String::new(),
    }
}
