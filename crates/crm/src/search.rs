//! Search by a body: the list grammar's conditions as plain members, all optional, all of which must hold.

use crate::operation::{Call, Content, Reply};
use resource::{Changes, Cond, Error, Problem, Query, Resource, Time, custom, invalid, list, search_fields};
use serde_json::Value as Json;
use store::{Tx, Value};

resource::choices! {
    Direction { Asc = "asc", Desc = "desc" }
}

/// What a member of the body asks of the collection.
pub enum Asks {
    /// The list's own parameter of this name: `query` is `search`.
    Parameter(&'static str),
    /// A filter: `last_contacted_after` is `last_contacted_at=gte.…`.
    Filter(&'static str, &'static str),
    /// Every word stands somewhere in the fields from the first to the last.
    Text(&'static str, &'static str),
}

/// The list that a body asks for, with `sort_by`, `sort_direction`, `limit` and `offset` besides what `asks` says,
/// as far as `base` holds.
pub fn run<R: Resource>(
    call: &Call,
    tx: &mut dyn Tx,
    members: &Changes,
    asks: &[(&'static str, Asks)],
    base: &[Cond],
) -> Result<Reply, Error> {
    let (mut pairs, mut texts) = (Vec::new(), Vec::new());
    for (field, value) in members.iter() {
        let asked = asks.iter().find(|(name, _)| *name == field.name).map(|(_, asks)| asks);
        match (asked, value) {
            (_, Value::Null) => {}
            (Some(Asks::Text(first, last)), Value::Text(text)) => {
                let need = search_fields(R::FIELDS, first, last, text).map_err(|e| named(e, &[(first, field.name)]))?;
                texts.push(Cond::Find(need));
            }
            (Some(Asks::Filter(name, operator)), value) => {
                if let Some(text) = operand(field.kind, operator, value) {
                    pairs.push(((*name).to_owned(), text));
                }
            }
            (Some(Asks::Parameter(name)), value) => pairs.push(((*name).to_owned(), text_of(field.kind, value))),
            (None, value) if matches!(field.name, "limit" | "offset") => {
                pairs.push((field.name.to_owned(), text_of(field.kind, value)));
            }
            _ => {}
        }
    }
    let direction = members.text("sort_direction");
    if let Some(field) = members.text("sort_by") {
        if field.starts_with('-') || field.contains(',') {
            return Err(invalid("sort_by", "takes one field; sort_direction says which way"));
        }
        let minus = if direction == Some(Direction::Desc.word()) { "-" } else { "" };
        pairs.push(("sort".to_owned(), format!("{minus}{field}")));
    } else if direction.is_some() {
        let turned = direction == Some(Direction::Asc.word());
        let default = R::ABOUT.default_sort.trim_start_matches('-');
        pairs.push(("sort".to_owned(), if turned { default.to_owned() } else { format!("-{default}") }));
    }
    let mut back: Vec<(&str, &str)> = vec![("sort", "sort_by")];
    for (member, asks) in asks {
        if let Asks::Filter(name, _) | Asks::Parameter(name) = asks {
            back.push((name, member));
        }
    }
    let own = R::ABOUT.custom && Query::names_custom(&pairs);
    let custom = if own { custom::fields::<R>(&call.ctx, tx)? } else { Vec::new() };
    let mut query = Query::parse(&R::ABOUT, R::FIELDS, &custom, &pairs).map_err(|e| named(e, &back))?;
    query.conds.append(&mut texts);
    let page = list::<R>(&call.ctx, tx, &query, base)?;
    Ok(Reply::of(Content::Page(page)))
}

/// Problems under the names that the body has for them.
fn named(error: Error, names: &[(&str, &str)]) -> Error {
    let Error::Invalid(problems) = error else { return error };
    let name = |problem: Problem| match names.iter().find(|(parameter, _)| *parameter == problem.field) {
        Some((_, member)) => Problem { field: (*member).to_owned(), ..problem },
        None => problem,
    };
    Error::Invalid(problems.into_iter().map(name).collect())
}

/// `in.("a","b")`, `cs.{"a","b"}`, `gte.2026-…`; nothing of an empty list.
fn operand(kind: resource::Kind, operator: &str, value: &Value) -> Option<String> {
    let text = text_of(kind, value);
    let (open, close) = match operator {
        "in" => ('(', ')'),
        "cs" => ('{', '}'),
        _ => return Some(format!("{operator}.{text}")),
    };
    let items: Vec<String> = serde_json::from_str(&text).unwrap_or_default();
    let quoted: Vec<String> =
        items.iter().map(|item| format!("\"{}\"", item.replace('\\', "\\\\").replace('"', "\\\""))).collect();
    (!quoted.is_empty()).then(|| format!("{operator}.{open}{}{close}", quoted.join(",")))
}

/// A value as a query string would write it.
fn text_of(kind: resource::Kind, value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        Value::Int(ms) if kind == resource::Kind::Time => Time(*ms).to_string(),
        Value::Int(n) => n.to_string(),
        Value::Bool(b) => Json::from(*b).to_string(),
        Value::Id(id) => id.to_string(),
        _ => String::new(),
    }
}
