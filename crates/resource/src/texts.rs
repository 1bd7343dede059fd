//! Indexed texts, by which `search` and patterns find records. They are written in batches after the record, so that
//! writes stay fast. The table `indexed` has the stamp up to which they are complete; records that changed later are
//! checked individually.
//!
//! A text has a section for each field, and each section starts with a mark: first the fields of `search`, then a mark,
//! the beginnings of all their words, `END`, and the fields that only patterns use.

use crate::fold::{digits, plain};
use crate::sql::Sql;
use crate::words::{BEGINNING, END, begins};
use crate::{Ctx, Error, Field, Format, Kind, Resource};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use store::{Ref, Row, Tx};
use uuid::Uuid;

const MARK: char = '\u{4}';
/// Most characters of a `Beside` text that are searched.
const BESIDE: usize = 200_000;
/// Bytes of text that one unit indexes; its last record may exceed this. Replacing a text costs twice as much as adding
/// one.
const BYTES: usize = 30_000;
/// Texts that one statement writes.
const AT_ONCE: usize = 100;

/// The text of a record for the index.
pub(crate) struct Text {
    pub id: Uuid,
    pub updated_at: i64,
    pub text: String,
    /// The stored JSON list of the ids of its labels.
    pub labels: String,
    /// The combined key that equals that of possible duplicates.
    likeness: Option<String>,
}

/// The progress in a commit that is too large for one unit: its stamp and the last record, by collection. The indexing
/// worker keeps it in memory; after a restart it indexes the commit from the start.
pub type Midway = BTreeMap<&'static str, (i64, Uuid)>;

/// Indexes at most `most` changed records of a collection and not much more than `BYTES` of text; true if there is more
/// to do. A damaged record keeps its text and is reported in `damaged`.
pub fn index<R: Resource>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    most: i64,
    midway: &mut Midway,
    damaged: &mut Vec<Error>,
) -> Result<bool, Error> {
    const REACHED: &str = "INSERT INTO indexed (workspace_id, collection, stamp) VALUES ($1, $2, $3) \
         ON CONFLICT (workspace_id, collection) DO UPDATE SET stamp = excluded.stamp";
    let (table, texts) = (R::ABOUT.table, R::ABOUT.texts_table);
    let reached = reached(ctx, tx, table)?;
    let begun = midway.remove(table).filter(|(stamp, _)| *stamp > reached);
    let (stamp, last) = begun.unwrap_or((reached, Uuid::max()));
    let select = Select::of::<R>();
    let next = select.where_("(t.updated_at, t.id) > ($2, $3) ORDER BY t.updated_at, t.id LIMIT $4");
    let params = [ctx.workspace.into(), stamp.into(), last.into(), most.into()];
    let (mut rows, mut bytes, mut found, mut read, mut reached_row) = (Vec::new(), 0, 0, 0, None);
    tx.each(&next, &params, &mut |row| {
        found += 1;
        if bytes < BYTES {
            let (id, updated_at) = (row.id(0)?, row.int(1)?);
            (read, reached_row) = (read + 1, Some((id, updated_at)));
            match select.read(row) {
                Ok(text) => {
                    bytes += text.text.len();
                    rows.push(text);
                }
                Err(error) => damaged.push(error.in_row(table, id).into()),
            }
        }
        Ok(())
    })?;
    let more = found == most || found > read;
    // All earlier commits are visible; the current stamp may still get more changes.
    let mut stamp = tx.stamp() - 1;
    // The commit of the last record may have more records, so the index is complete only up to the one before.
    if let Some((id, updated_at)) = reached_row.filter(|(_, updated_at)| more && *updated_at <= stamp) {
        stamp = updated_at - 1;
        midway.insert(table, (updated_at, id));
    }
    let has_moved = begun.is_some() || reached_row.is_some();
    let due = due(ctx, tx, table, most)?;
    let mut done = 0;
    for id in &due {
        if bytes >= BYTES || !tx.has_time() {
            break;
        }
        if !rows.iter().any(|row| row.id == *id) {
            let one = select.where_("t.id = $2");
            match tx.one(&one, &[ctx.workspace.into(), (*id).into()], |row| Ok(select.read(row)))? {
                Some(Ok(found)) => {
                    bytes += found.text.len();
                    rows.push(found);
                }
                Some(Err(error)) => damaged.push(error.in_row(table, id).into()),
                None => bytes += forget::<R>(ctx, tx, *id)?,
            }
        }
        done += 1;
    }
    // Many rows per statement, because SQLite writes the collected trigrams as a segment after each statement, and
    // merging many small segments is slow.
    for some in rows.chunks(AT_ONCE) {
        let mut sql =
            Sql::new(&format!("INSERT INTO {texts} (workspace_id, collection, record, text, likeness) VALUES "));
        sql.params.extend([ctx.workspace.into(), table.into()]);
        for (n, Text { id, text, likeness, .. }) in some.iter().enumerate() {
            sql.push(if n == 0 { "($1, $2, " } else { ", ($1, $2, " }).bind(*id).push(", ");
            sql.bind(text.as_str()).push(", ").bind(likeness.as_deref()).push(")");
        }
        sql.push(&format!(
            " ON CONFLICT (workspace_id, collection, record) DO UPDATE SET text = excluded.text, likeness = excluded.likeness \
              WHERE {texts}.text <> excluded.text OR coalesce({texts}.likeness, '') <> coalesce(excluded.likeness, '')"
        ));
        tx.execute(&sql.text, &sql.params)?;
    }
    for id in &due[..done] {
        const DONE: &str = "DELETE FROM texts_due WHERE workspace_id = $1 AND collection = $2 AND record = $3";
        tx.execute(DONE, &[ctx.workspace.into(), table.into(), (*id).into()])?;
    }
    if has_moved {
        tx.execute(REACHED, &[ctx.workspace.into(), table.into(), stamp.into()])?;
    }
    Ok(more || due.len() as i64 == most || done < due.len())
}

/// Queues the text of a record for indexing when its own row does not show the change: the `Beside` text changed, or
/// the record was deleted. A long text takes long to remove, so the write itself does not do it.
pub fn retext(ctx: &Ctx, tx: &mut dyn Tx, table: &str, id: Uuid) -> Result<(), Error> {
    const DUE: &str =
        "INSERT INTO texts_due (workspace_id, collection, record) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
    Ok(tx.execute(DUE, &[ctx.workspace.into(), table.into(), id.into()])?)
}

/// Removes the text of a deleted record; returns its length.
fn forget<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<usize, Error> {
    let sql = format!(
        "SELECT length(text) FROM {} WHERE workspace_id = $1 AND collection = $2 AND record = $3",
        R::ABOUT.texts_table
    );
    let params = [ctx.workspace.into(), R::ABOUT.table.into(), id.into()];
    let Some(length) = tx.one(&sql, &params, |row| row.int(0))? else { return Ok(0) };
    forget_text::<R>(ctx, tx, id)?;
    Ok(length as usize)
}

/// Removes the text of a record from the index.
pub fn forget_text<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, id: Uuid) -> Result<(), Error> {
    let texts = R::ABOUT.texts_table;
    let sql = format!("DELETE FROM {texts} WHERE workspace_id = $1 AND collection = $2 AND record = $3");
    Ok(tx.execute(&sql, &[ctx.workspace.into(), R::ABOUT.table.into(), id.into()])?)
}

fn due(ctx: &Ctx, tx: &mut dyn Tx, table: &str, most: i64) -> Result<Vec<Uuid>, Error> {
    const DUE: &str =
        "SELECT record FROM texts_due WHERE workspace_id = $1 AND collection = $2 ORDER BY record LIMIT $3";
    Ok(tx.rows(DUE, &[ctx.workspace.into(), table.into(), most.into()], |row| row.id(0))?)
}

/// The stamp up to which the index is complete.
pub(crate) fn reached(ctx: &Ctx, tx: &mut dyn Tx, table: &str) -> Result<i64, Error> {
    const REACHED: &str = "SELECT stamp FROM indexed WHERE workspace_id = $1 AND collection = $2";
    Ok(tx.one(REACHED, &[ctx.workspace.into(), table.into()], |row| row.int(0))?.unwrap_or(0))
}

/// The texts of the `most` latest changes since the index was written.
pub(crate) fn tail<R: Resource>(ctx: &Ctx, tx: &mut dyn Tx, reached: i64, most: i64) -> Result<Vec<Text>, Error> {
    let select = Select::of::<R>();
    let sql = select.where_("t.updated_at > $2 ORDER BY t.updated_at DESC, t.id DESC LIMIT $3");
    Ok(tx.rows(&sql, &[ctx.workspace.into(), reached.into(), most.into()], |row| select.read(row))?)
}

/// Reads texts from the rows of a table.
struct Select {
    sql: String,
    searched: Vec<&'static Field>,
    /// Only patterns use these.
    others: Vec<&'static Field>,
    labels: bool,
    beside: bool,
    alike: Vec<&'static Field>,
}

impl Select {
    fn of<R: Resource>() -> Select {
        let searched = sections(R::FIELDS);
        let others = others(R::FIELDS);
        let labels = R::FIELDS.iter().find(|field| field.kind == Kind::Labels && field.search);
        let mut sql = "SELECT t.id, t.updated_at".to_owned();
        for field in searched.iter().chain(&others).copied().chain(labels) {
            sql.push_str(&format!(", t.{}", field.name));
        }
        let table = R::ABOUT.table;
        let alike: Vec<&'static Field> = R::FIELDS.iter().filter(|field| field.alike).collect();
        for field in &alike {
            sql.push_str(&format!(", t.{}", field.order_column()));
        }
        sql.push_str(&match R::ABOUT.beside {
            None => format!(" FROM {table} t"),
            Some(beside) => format!(
                ", b.{} FROM {table} t LEFT JOIN {} b ON b.workspace_id = t.workspace_id AND b.{} = t.id",
                beside.text, beside.table, beside.record
            ),
        });
        Select { sql, searched, others, labels: labels.is_some(), beside: R::ABOUT.beside.is_some(), alike }
    }

    fn where_(&self, cond: &str) -> String {
        format!("{} WHERE t.workspace_id = $1 AND {cond}", self.sql)
    }

    fn read(&self, row: &dyn Row) -> Result<Text, store::Error> {
        let (mut text, mut column) = (String::with_capacity(512), 2);
        let mut before = None;
        for (n, field) in self.searched.iter().enumerate() {
            open(&mut text, n);
            let value = row.get(column)?;
            for line in lines(field, value).map_err(|error| error.in_column(field.name))? {
                write_line(&mut text, &line);
            }
            let own = if field.kind == Kind::Text && !value.is_null() { Some(plain(value.text()?)) } else { None };
            if let (true, Some(before), Some(own)) = (field.joined, &before, &own)
                && [before, own].iter().all(|name| name.chars().next().is_some_and(written_together))
            {
                write_line(&mut text, &format!("{before}{own}"));
                write_line(&mut text, &format!("{own}{before}"));
            }
            before = own;
            column += 1;
        }
        open(&mut text, self.searched.len());
        let alike = column + self.others.len() + usize::from(self.labels);
        let beside = alike + self.alike.len();
        if self.beside
            && let Ref::Text(more) = row.get(beside)?
        {
            write_line(&mut text, &plain(&more.chars().take(BESIDE).collect::<String>()));
        }
        close(&mut text);
        for (n, field) in self.others.iter().enumerate() {
            open(&mut text, self.searched.len() + 1 + n);
            for line in lines(field, row.get(column)?).map_err(|error| error.in_column(field.name))? {
                write_line(&mut text, &line);
            }
            column += 1;
        }
        open(&mut text, self.searched.len() + 1 + self.others.len());
        let labels = if self.labels { row.text(column)? } else { String::new() };
        let mut parts = Vec::new();
        for n in 0..self.alike.len() {
            parts.push(row.get(alike + n)?.maybe(|part| part.text().map(plain))?);
        }
        let likeness = parts.into_iter().collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty());
        let likeness = likeness.map(|parts| parts.join("\n"));
        Ok(Text { id: row.id(0)?, updated_at: row.int(1)?, text, labels, likeness })
    }
}

/// The name of a label in the form of the text index.
pub(crate) fn of_label(name: &str) -> String {
    let mut text = plain(name);
    close(&mut text);
    text
}

/// Ends the part for `search` with the beginnings of its words.
fn close(text: &mut String) {
    for beginning in beginnings(text) {
        text.push(BEGINNING);
        text.push_str(&beginning);
    }
    text.push(END);
}

fn open(text: &mut String, section: usize) {
    text.push_str(&mark(section));
}

fn write_line(text: &mut String, line: &str) {
    text.push('\n');
    text.push_str(line);
}

/// The mark that starts the n-th section. Texts contain no capitals, so each mark is unique.
fn mark(n: usize) -> String {
    [MARK, char::from_u32('A' as u32 + n as u32).unwrap_or('A')].iter().collect()
}

/// The fields that `search` uses, in their order.
fn sections(fields: &'static [Field]) -> Vec<&'static Field> {
    let text = |field: &&Field| matches!(field.kind, Kind::Text | Kind::Texts | Kind::Items(_));
    fields.iter().filter(|field| field.search).filter(text).collect()
}

/// The fields that only patterns use.
fn others(fields: &'static [Field]) -> Vec<&'static Field> {
    fields.iter().filter(|field| patterned(field) && !field.search).collect()
}

/// The marks before the first and after the last of these fields.
pub(crate) fn between(fields: &'static [Field], first: &str, last: &str) -> Option<(String, String)> {
    let (searched, others) = (sections(fields), others(fields));
    let at = |name: &str| {
        let searched_at = searched.iter().position(|field| field.name == name);
        let other_at = || others.iter().position(|field| field.name == name).map(|at| searched.len() + 1 + at);
        searched_at.or_else(other_at)
    };
    Some((mark(at(first)?), mark(at(last)? + 1)))
}

/// The first one or two characters of all words.
fn beginnings(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut chars = text.chars().peekable();
    let mut before = ' ';
    while let Some(c) = chars.next() {
        if c == MARK {
            // The letter of a mark is not a word.
            chars.next();
            before = ' ';
            continue;
        }
        if begins(before, c) {
            let next = chars.peek().filter(|next| !crate::words::parts_words(**next));
            found.insert([Some(&c), next].into_iter().flatten().collect());
        }
        before = c;
    }
    found
}

/// Scripts in which family name and given name have no space between them: Hangul, and the scripts without any spaces.
fn written_together(c: char) -> bool {
    crate::words::unspaced(c) || matches!(c, '\u{1100}'..='\u{11ff}')
}

pub(crate) fn patterned(field: &Field) -> bool {
    field.filter && field.custom.is_none() && matches!(field.kind, Kind::Text | Kind::Items(_))
}

fn lines(field: &Field, value: Ref<'_>) -> Result<Vec<String>, store::Error> {
    Ok(match (field.kind, value) {
        (_, Ref::Null) => Vec::new(),
        (Kind::Items(_), value) => crate::terms::keys(field, &value.to_value())?.iter().map(|key| plain(key)).collect(),
        (Kind::Texts, value) => {
            let items: Vec<Json> = crate::stored::json(value)?;
            items.iter().filter_map(Json::as_str).map(plain).collect()
        }
        (_, value) if field.format == Format::Phone => vec![plain(value.text()?), digits(value.text()?)],
        (_, value) => vec![plain(value.text()?)],
    })
}
