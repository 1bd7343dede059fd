//! Search with a JSON body: the conditions of the list grammar as optional members, all of which must hold.

use crate::api::call::{Call, Content, Reply};
use resource::{Changes, Cond, Error, Problem, Query, Resource, Time, custom, invalid, list, search_fields};
use serde_json::Value as Json;
use store::{Tx, Value};

resource::choices! {
    Direction { Asc = "asc", Desc = "desc" }
}

/// The meaning of a member of the body.
pub enum Asks {
    /// The list parameter of this name: `query` is `search`.
    Parameter(&'static str),
    /// A filter: `last_contacted_after` is `last_contacted_at=gte.…`.
    Filter(&'static str, &'static str),
    /// Every word must occur in the fields from the first to the last.
    Text(&'static str, &'static str),
}

/// Runs the list that a body describes: the members in `asks`, `sort_by`, `sort_direction`, `limit` and `offset`,
/// within the records that match `base`.
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
                if let Some(text) = operand(field.kind, operator, value)? {
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
    let direction = members.named_text("sort_direction");
    if let Some(field) = members.named_text("sort_by") {
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

/// Renames the parameters in problems to the members of the body.
fn named(error: Error, names: &[(&str, &str)]) -> Error {
    let Error::Invalid(problems) = error else { return error };
    let name = |problem: Problem| match names.iter().find(|(parameter, _)| *parameter == problem.field) {
        Some((_, member)) => Problem { field: (*member).to_owned(), ..problem },
        None => problem,
    };
    Error::Invalid(problems.into_iter().map(name).collect())
}

/// `in.("a","b")`, `cs.{"a","b"}`, `gte.2026-…`; `None` for an empty list.
fn operand(kind: resource::Kind, operator: &str, value: &Value) -> Result<Option<String>, Error> {
    let text = text_of(kind, value);
    let (open, close) = match operator {
        "in" => ('(', ')'),
        "cs" => ('{', '}'),
        _ => return Ok(Some(format!("{operator}.{text}"))),
    };
    let unfit = |_| store::Error::Internal("a list is not of the shape that was checked".into());
    let items: Vec<String> = serde_json::from_str(&text).map_err(unfit)?;
    let quoted: Vec<String> =
        items.iter().map(|item| format!("\"{}\"", item.replace('\\', "\\\\").replace('"', "\\\""))).collect();
    Ok((!quoted.is_empty()).then(|| format!("{operator}.{open}{}{close}", quoted.join(","))))
}

/// A value in the form of a query string.
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
