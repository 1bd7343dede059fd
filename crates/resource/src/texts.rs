//! Texts: what a record is found by, whichever pattern is asked for. They are written after the record,
//! in batches, so that a write does not pay for them; `indexed` says up to which stamp they are true, and
//! what has changed since is looked at one by one.

use crate::fold::plain;
use crate::sql::{Sql, text_of};
use crate::{Ctx, Error, Field, Kind, Op, Resource, Test};
use store::{Ref, Tx};

/// Patterns with a shorter literal can't use trigrams.
const LITERAL: usize = 3;
/// Texts that one statement writes.
const AT_ONCE: usize = 100;

/// Brings the texts of a collection up to date by about `most` records; true if there is more to do.
pub fn index<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, most: i64) -> Result<bool, Error> {
    const REACHED: &str = "INSERT INTO indexed (workspace_id, collection, stamp) VALUES ($1, $2, $3) \
         ON CONFLICT (workspace_id, collection) DO UPDATE SET stamp = excluded.stamp";
    let table = R::ABOUT.table;
    let from = reached(ctx, tx, table)?;
    let columns: Vec<&Field> = R::FIELDS.iter().filter(|field| searched(field)).collect();
    let names: Vec<&str> = columns.iter().map(|field| field.name).collect();
    let select = format!("SELECT id, updated_at, {} FROM {table} WHERE workspace_id = $1", names.join(", "));
    let text = |row: &dyn store::Row| {
        let mut lines = Vec::new();
        for (n, field) in columns.iter().enumerate() {
            lines.extend(words(field, row.get(n + 2)?)?);
        }
        Ok((row.id(0)?, row.int(1)?, lines.join("\n")))
    };
    let next = format!("{select} AND updated_at > $2 ORDER BY updated_at, id LIMIT $3");
    let mut rows = tx.rows(&next, &[ctx.workspace.into(), from.into(), most.into()], text)?;
    let more = rows.len() as i64 == most;
    // All earlier commits are in; others may still share this one.
    let mut stamp = tx.stamp() - 1;
    if let Some((last, at, _)) = rows.last().filter(|_| more) {
        // All of the last commit, or none of it: the stamp says no more than that.
        let (last, at) = (*last, *at);
        let rest = format!("{select} AND updated_at = $2 AND id > $3");
        rows.extend(tx.rows(&rest, &[ctx.workspace.into(), at.into(), last.into()], text)?);
        stamp = stamp.min(at);
    }
    // Many at once: with each statement SQLite writes the trigrams gathered so far down as a part of their own,
    // and small parts are all merged again.
    for some in rows.chunks(AT_ONCE) {
        let mut sql = Sql::new("INSERT INTO texts (workspace_id, collection, record, text) VALUES ");
        sql.params.extend([ctx.workspace.into(), table.into()]);
        for (n, (id, _, text)) in some.iter().enumerate() {
            sql.push(if n == 0 { "($1, $2, " } else { ", ($1, $2, " });
            sql.bind(*id).push(", ").bind(text.as_str()).push(")");
        }
        sql.push(
            " ON CONFLICT (workspace_id, collection, record) \
              DO UPDATE SET text = excluded.text WHERE texts.text <> excluded.text",
        );
        tx.execute(&sql.text, &sql.params)?;
    }
    if !rows.is_empty() {
        tx.execute(REACHED, &[ctx.workspace.into(), table.into(), stamp.into()])?;
    }
    Ok(more)
}

/// The stamp up to which the texts are true.
pub(crate) fn reached(ctx: &Ctx, tx: &mut dyn Tx, table: &str) -> Result<i64, Error> {
    const REACHED: &str = "SELECT stamp FROM indexed WHERE workspace_id = $1 AND collection = $2";
    Ok(tx.one(REACHED, &[ctx.workspace.into(), table.into()], |row| row.int(0))?.unwrap_or(0))
}

fn searched(field: &Field) -> bool {
    field.filter && matches!(field.kind, Kind::Text | Kind::Items(_))
}

fn words(field: &Field, value: Ref<'_>) -> Result<Vec<String>, store::Error> {
    match (field.kind, value) {
        (_, Ref::Null) => Ok(Vec::new()),
        (Kind::Items(_), value) => {
            Ok(crate::save::keys(field, &value.to_value()).iter().map(|key| plain(key)).collect())
        }
        (_, value) => Ok(vec![plain(value.text()?)]),
    }
}

/// The longest literal of a pattern, as it stands in the texts; `None` if it is too short to be looked up.
pub(crate) fn literal(test: &Test) -> Option<String> {
    if !matches!(test.op, Op::Like | Op::Ilike) || !searched(test.field) {
        return None;
    }
    let (mut literals, mut escaped) = (vec![String::new()], false);
    for c in text_of(test.values.first()?)?.chars() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '%' | '_' if !escaped => literals.push(String::new()),
            other => literals.last_mut()?.push(other),
        }
        escaped = false;
    }
    let longest = literals.into_iter().map(|literal| plain(&literal)).max_by_key(|literal| literal.chars().count())?;
    (longest.chars().count() >= LITERAL).then_some(longest)
}
