//! Imports of contacts or companies from a file: a job writes the rows in small transactions through the same rules as
//! `POST`. `pending → processing → completed | failed → undoing → undone`. The progress is in the record and is
//! committed together with the rows, so that no row is written twice after a crash.

mod columns;
pub mod encoding;
pub mod errors;
pub mod preview;
mod undo;

use crate::api::call::{Call, Reply, list_where, show};
use crate::api::effects::{Effect, EffectResult, Format, Raw};
use crate::api::operation::{EffectSteps, Operation, Upload, get, post};
use crate::api::queue;
use crate::api::scope::{COMPANIES_READ, COMPANIES_WRITE, CONTACTS_READ, CONTACTS_WRITE, Scopes};
use crate::records::collection::{Collected, Collection, NormalizeOptions, matched};
use crate::records::company::Company;
use crate::records::contact::Contact;
use crate::records::tag::KnownTags;
use crate::tenant::stored_files::{begin, confirm, name_of, release, sent};
use crate::transfer::tabular::{self, Layout, Target, Targets};
use columns::{Assigned, TIMES, targets};
use resource::{
    Actor, Changes, Cond, Ctx, Error, Field, Input, Op, Problem, Resource, Saved, Shape, Test, Time, custom, find,
    insert, insert_among, invalid, place, update,
};
use serde_json::{Map, Value as Json, json};
use store::{Tally, Tx, Uuid, Value};

pub use columns::Members;
pub use undo::{FORGET, UNDO, forget, go_back};

resource::choices! {
    ImportStatus {
        Pending = "pending", Processing = "processing", Completed = "completed", Failed = "failed",
        Undoing = "undoing", Undone = "undone",
    }
}

/// A file of records that is imported, and the progress.
#[derive(Resource)]
#[resource(table = "imports", one = "import")]
pub struct Import {
    #[field(read_only)]
    pub id: Uuid,
    #[field(read_only, filter)]
    pub collection: Collection,
    #[field(read_only, filter)]
    pub format: Format,
    #[field(read_only)]
    pub filename: Option<String>,
    /// The member of each column; null if the column is ignored.
    #[field(read_only)]
    pub mapping: Map<String, Json>,
    /// Columns that were not recognised and were left out.
    #[field(read_only)]
    pub ignored_columns: Vec<String>,
    /// The member by which a row finds the record to change.
    #[field(read_only)]
    pub match_on: Option<String>,
    /// Rows are only checked.
    #[field(read_only, filter)]
    pub dry_run: bool,
    #[field(read_only, filter)]
    pub status: ImportStatus,
    /// Why it failed as a whole.
    #[field(read_only)]
    pub error: Option<String>,
    /// The progress in the file, in percent.
    #[field(read_only)]
    pub progress: i64,
    /// Rows of the file; null until its end is reached.
    #[field(read_only)]
    pub total: Option<i64>,
    #[field(read_only)]
    pub processed: i64,
    /// Records that were created, or would be.
    #[field(read_only)]
    pub created: i64,
    /// Records that were changed, or would be.
    #[field(read_only)]
    pub updated: i64,
    /// Rows without any change.
    #[field(read_only)]
    pub skipped: i64,
    /// Rows that were rejected; see its errors.
    #[field(read_only)]
    pub failed: i64,
    /// By an undo: records that were removed again.
    #[field(read_only)]
    pub removed: i64,
    /// By an undo: records that have their earlier values again.
    #[field(read_only)]
    pub restored: i64,
    /// By an undo: records that were not changed because somebody has changed them since; see its errors.
    #[field(read_only)]
    pub kept: i64,
    #[field(read_only)]
    pub completed_at: Option<Time>,
    #[field(read_only)]
    pub undone_at: Option<Time>,
    #[field(hidden)]
    pub blob: Option<String>,
    #[field(hidden)]
    pub size: i64,
    #[field(hidden)]
    pub place: i64,
    #[field(hidden)]
    pub layout: String,
    #[field(hidden)]
    pub scopes: String,
    #[field(hidden)]
    pub actor: String,
    #[field(read_only, filter, sort)]
    pub created_at: Time,
    #[field(read_only)]
    pub updated_at: Time,
}

/// The members of the form besides the file.
#[derive(Resource)]
pub struct ImportForm {
    /// A JSON object: `collection` (contacts or companies, required), `format` (csv or ndjson; defaults to the
    /// extension of the file name), `mapping` ({column: member or null}), `match_on` (the member by which a row finds
    /// the record to change), `dry_run`, `strict` (a column that is not recognised is refused instead of left out).
    #[field(required)]
    pub options: Map<String, Json>,
}

/// The members of `options`.
#[derive(Resource)]
pub struct ImportOptions {
    #[field(required)]
    pub collection: Collection,
    pub format: Option<Format>,
    pub mapping: Option<Map<String, Json>>,
    #[field(max = 100)]
    pub match_on: Option<String>,
    pub dry_run: Option<bool>,
    pub strict: Option<bool>,
}

/// Members that only files have.
#[derive(Resource)]
pub struct FileMembers {
    /// First and last name in one column; `tabular` divides it.
    #[field(
        max = 200,
        synonyms = "name fullname displayname personname contactname candidatename candidate vollername vollstandigername \
                    nomcomplet nombrecompleto nomecompleto naamvolledig volledigenaam"
    )]
    pub full_name: Option<String>,
}

const FORM: &[Field] = ImportForm::FIELDS;
const OPTIONS: &[Field] = ImportOptions::FIELDS;

pub const OPERATIONS: &[Operation] = &[
    get("/imports", "list_imports", "List imports").scope(CONTACTS_READ).or(COMPANIES_READ).list::<Import>().read(list),
    post("/imports", "create_import", "Import a file of contacts or companies")
        .scope(CONTACTS_WRITE)
        .or(COMPANIES_WRITE)
        .upload(Upload { name: "ImportForm", most: MOST, members: FORM, only: None })
        .gives::<Import>(&[202])
        .effect(EffectSteps { prepare, complete }),
    post("/imports/preview", "preview_import", "Propose a mapping for the columns of a file")
        .scope(CONTACTS_WRITE)
        .or(COMPANIES_WRITE)
        .upload(Upload { name: "ImportForm", most: MOST, members: FORM, only: None })
        .gives_object("ImportPreview", preview::schema)
        .deferred(preview::preview),
    get("/imports/{id}", "get_import", "Get an import")
        .scope(CONTACTS_READ)
        .or(COMPANIES_READ)
        .gives::<Import>(&[200])
        .read(read),
    get("/imports/{id}/errors", "list_import_errors", "List the errors of an import")
        .scope(CONTACTS_READ)
        .or(COMPANIES_READ)
        .query(errors::QUERY)
        .gives_items("ImportError", errors::schema)
        .files(&["text/csv"])
        .read(errors::list),
    post("/imports/{id}/undo", "undo_import", "Undo an import")
        .scope(CONTACTS_WRITE)
        .or(COMPANIES_WRITE)
        .gives::<Import>(&[202])
        .write(undo::begin),
];

/// Most bytes of a file.
pub const MOST: u64 = 2 * 1024 * 1024 * 1024;
/// The job that imports the next rows; its payload is the import's id.
pub const ROWS: &str = "import.rows";
/// Rows per transaction.
pub const CHUNK: usize = 500;
/// Most problems of a row that are listed.
const MOST_PROBLEMS: usize = 20;

fn list(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let readable = [Collection::Contacts, Collection::Companies].into_iter();
    let mut readable: Vec<Value> =
        readable.filter(|c| call.key.scopes.has(c.read())).map(|c| c.word().into()).collect();
    if readable.is_empty() {
        readable.push("".into());
    }
    let field = Import::FIELDS.iter().find(|field| field.name == "collection");
    let mine = field.map(|field| Cond::Test(Test { field, op: Op::In, values: readable }));
    list_where::<Import>(call, tx, mine.as_slice())
}

fn read(call: &Call, tx: &mut dyn Tx) -> Result<Reply, Error> {
    let import = readable(call, tx)?;
    show::<Import>(&call.ctx, tx, import.id)
}

/// The import in the path, if the key may read its collection.
fn readable(call: &Call, tx: &mut dyn Tx) -> Result<Saved<Import>, Error> {
    let import = find::<Import>(&call.ctx, tx, call.id(0, "import")?)?;
    call.key.scopes.require(import.record.collection.read())?;
    Ok(import)
}

/// The options of an import.
#[derive(Clone)]
pub struct Options {
    pub collection: Collection,
    pub format: Format,
    pub mapping: Map<String, Json>,
    pub match_on: Option<String>,
    pub dry_run: bool,
    /// Refuse columns that are not recognised.
    pub strict: bool,
}

impl Options {
    /// Parses the options in a body. Without a format, the extension of the file name decides.
    pub fn of(members: &Map<String, Json>, filename: Option<&str>) -> Result<Options, Error> {
        let given = Changes::check(&Shape { record: &[], extra: OPTIONS }, &Input(members), true)?;
        let collection = given.named_text("collection").and_then(Collection::from_word);
        let collection = collection.ok_or_else(|| invalid("collection", "is required"))?;
        let match_on = given.named_text("match_on").map(str::to_owned);
        let takes = columns::matches(collection);
        if let Some(member) = &match_on
            && !takes.contains(&member.as_str())
        {
            return Err(invalid("match_on", format!("must be one of {}", takes.join(", "))));
        }
        let by_name = || {
            let name = filename.unwrap_or_default().to_lowercase();
            let json = [".ndjson", ".jsonl", ".json"].iter().any(|end| name.ends_with(end));
            if json { Format::Ndjson } else { Format::Csv }
        };
        Ok(Options {
            collection,
            format: given.named_text("format").and_then(Format::from_word).unwrap_or_else(by_name),
            mapping: given.named_json("mapping")?,
            match_on,
            dry_run: given.named("dry_run") == Some(&Value::Bool(true)),
            strict: given.named("strict") == Some(&Value::Bool(true)),
        })
    }
}

fn prepare(call: &Call, tx: &mut dyn Tx) -> Result<Effect, Error> {
    let options = options(call)?;
    call.key.scopes.require(options.collection.write())?;
    match begin(&call.ctx, tx, sent(call)?.size as i64)? {
        Effect::Keep { blob, job } => Ok(Effect::KeepText { blob, job }),
        other => Ok(other),
    }
}

fn options(call: &Call) -> Result<Options, Error> {
    let form = call.members(FORM)?;
    let members: Map<String, Json> = form.named_json("options")?;
    let filename = name_of(sent(call)?).ok();
    Options::of(&members, filename.as_deref()).map_err(|error| below("options", error))
}

/// Prefixes the fields of an object's problems with its name.
fn below(name: &str, error: Error) -> Error {
    match error {
        Error::Invalid(problems) => {
            let below = |p: Problem| match p.field.as_str() {
                "file" => p,
                field => Problem { field: format!("{name}.{field}"), reason: p.reason },
            };
            Error::Invalid(problems.into_iter().map(below).collect())
        }
        other => other,
    }
}

fn complete(call: &Call, tx: &mut dyn Tx, effect: &Effect, outcome: &EffectResult) -> Result<Reply, Error> {
    let EffectResult::Stored { head, size } = outcome else {
        return Err(store::Error::Internal("the file was not kept".into()).into());
    };
    let blob = confirm(&call.ctx, tx, effect, *size as i64)?;
    let file = StoredFile { filename: name_of(sent(call)?).ok(), blob, size: *size, head };
    let id = start(&call.ctx, tx, call.key.scopes, &options(call)?, &file).map_err(|error| below("options", error))?;
    queue::enqueue(&call.ctx, tx, ROWS, &id.to_string())?;
    let mut reply = show::<Import>(&call.ctx, tx, id)?;
    (reply.status, reply.location) = (202, Some(format!("/imports/{id}")));
    Ok(reply)
}

/// A stored file to import.
pub struct StoredFile<'a> {
    pub filename: Option<String>,
    pub blob: String,
    pub size: u64,
    /// The beginning of the file.
    pub head: &'a str,
}

/// Creates an import; the caller must enqueue its job.
pub fn start(ctx: &Ctx, tx: &mut dyn Tx, scopes: Scopes, options: &Options, file: &StoredFile) -> Result<Uuid, Error> {
    let layout = Layout::of(options.format, file.head, file.size <= file.head.len() as u64)?;
    let Assigned { targets, ignored, problems } = targets(&Members::of(ctx, tx, options.collection)?, options, &layout);
    if !problems.is_empty() {
        return Err(Error::Invalid(problems));
    }
    let pairs: Vec<Json> = targets.iter().map(|t| json!(t.as_ref().map(|t| [&t.column, &t.member]))).collect();
    let member =
        |t: &Target| (t.column.clone(), if t.member.is_empty() { Json::Null } else { t.member.clone().into() });
    let mut mapping: Map<String, Json> = layout.header.iter().map(|column| (column.clone(), Json::Null)).collect();
    mapping.extend(targets.iter().flatten().map(member));
    let actor = &ctx.actor;
    let actor = json!({ "kind": actor.kind, "id": actor.id, "name": &*actor.name, "user": actor.user });
    let mut changes = Changes::default();
    changes.set(Import::COLLECTION, options.collection);
    changes.set(Import::FORMAT, options.format);
    changes.set(Import::FILENAME, file.filename.clone());
    changes.set(Import::MAPPING, Json::Object(mapping));
    changes.set(Import::IGNORED_COLUMNS, Json::from(ignored));
    changes.set(Import::MATCH_ON, options.match_on.clone());
    changes.set(Import::DRY_RUN, options.dry_run);
    changes.set(Import::STATUS, ImportStatus::Pending);
    for count in [
        Import::PROGRESS,
        Import::PROCESSED,
        Import::CREATED,
        Import::UPDATED,
        Import::SKIPPED,
        Import::FAILED,
        Import::REMOVED,
        Import::RESTORED,
        Import::KEPT,
    ] {
        changes.set(count, 0);
    }
    changes.set(Import::BLOB, file.blob.as_str());
    changes.set(Import::SIZE, file.size as i64);
    changes.set(Import::PLACE, layout.start as i64);
    changes.set(Import::LAYOUT, json!([layout.delimiter, pairs]).to_string());
    changes.set(Import::SCOPES, scopes.names().join(","));
    changes.set(Import::ACTOR, actor.to_string());
    insert::<Import>(ctx, tx, &changes)
}

// ---- the job ----

fn named(ctx: &Ctx, tx: &mut dyn Tx, payload: &str) -> Result<Option<Saved<Import>>, Error> {
    let id = Uuid::try_parse(payload).map_err(|_| store::Error::unreadable("is not an id"))?;
    match find::<Import>(ctx, tx, id) {
        Err(Error::NotFound(_)) => Ok(None),
        found => found.map(Some),
    }
}

/// The effect that reads the next rows.
pub fn due(ctx: &Ctx, tx: &mut dyn Tx, payload: &str) -> Result<Option<Effect>, Error> {
    let Some(import) = named(ctx, tx, payload)? else { return Ok(None) };
    let record = &import.record;
    let running = matches!(record.status, ImportStatus::Pending | ImportStatus::Processing);
    let Some(blob) = record.blob.clone().filter(|_| running) else { return Ok(None) };
    let (delimiter, _) = layout(record)?;
    let (from, size) = (record.place.unsigned_abs(), record.size.unsigned_abs());
    Ok(Some(Effect::Rows { blob, format: record.format, delimiter, from, size }))
}

fn layout(record: &Import) -> Result<(u8, Targets), Error> {
    type Parts = (u8, Vec<Option<(String, String)>>);
    let (delimiter, pairs): Parts = place(Import::ABOUT.table, "layout", &record.id).json(&record.layout)?;
    let target = |(column, member)| Target { column, member };
    Ok((delimiter, pairs.into_iter().map(|pair| pair.map(target)).collect()))
}

/// The result of importing some rows.
#[derive(Default)]
struct Done {
    /// The number of rows that there was time for.
    rows: usize,
    created: i64,
    updated: i64,
    skipped: i64,
    failed: i64,
    /// The row and the id of each created record.
    made: Vec<(i64, Uuid)>,
}

/// Imports the rows that were read; true if there may be more.
pub fn advance(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, outcome: Option<&EffectResult>) -> Result<bool, Error> {
    let Some(import) = named(ctx, tx, payload)? else { return Ok(false) };
    let rows = match outcome {
        Some(EffectResult::Rows(rows)) if rows.from == import.record.place.unsigned_abs() => rows,
        // Another worker has continued the import since the rows were read.
        Some(EffectResult::Rows(_)) => return Ok(true),
        Some(EffectResult::Unread(why)) => {
            finish(ctx, tx, &import, Some(why))?;
            return Ok(false);
        }
        _ => return Ok(false),
    };
    let acting = acting(ctx, &import.record)?;
    let done = match import.record.collection {
        Collection::Contacts => bring::<Contact>(&acting, tx, &import, &rows.rows)?,
        Collection::Companies => bring::<Company>(&acting, tx, &import, &rows.rows)?,
    };
    // The next step reads the remaining rows again.
    let rest = rows.ends.get(done.rows.saturating_sub(1)).filter(|_| done.rows < rows.rows.len());
    let (to, end) = rest.map_or((rows.to, rows.end), |end| (*end, false));
    let first = import.record.processed + 1;
    if !done.made.is_empty() && !import.record.dry_run {
        const MADE: &str = "INSERT INTO import_made (workspace_id, import_id, place, records) VALUES ($1, $2, $3, $4)";
        let params = [ctx.workspace.into(), import.id.into(), first.into(), json!(done.made).to_string().into()];
        tx.execute(MADE, &params)?;
    }
    const ADVANCE: &str = "UPDATE imports SET status = 'processing', place = $1, progress = $2, processed = processed + $3, \
         created = created + $4, updated = updated + $5, skipped = skipped + $6, failed = failed + $7, \
         updated_at = $8, version = version + 1 WHERE workspace_id = $9 AND id = $10";
    let now = tx.stamp();
    let params = [
        (to as i64).into(),
        (to * 100 / import.record.size.unsigned_abs().max(1)).min(100).cast_signed().into(),
        (done.rows as i64).into(),
        done.created.into(),
        done.updated.into(),
        done.skipped.into(),
        done.failed.into(),
        now.into(),
        ctx.workspace.into(),
        import.id.into(),
    ];
    tx.execute(ADVANCE, &params)?;
    invalidate_totals(tx);
    if end {
        finish(ctx, tx, &import, None)?;
    }
    Ok(!end)
}

/// Ends an import whose next rows can't be written; the rows before them stay.
pub fn give_up(ctx: &Ctx, tx: &mut dyn Tx, payload: &str, why: &str) -> Result<(), Error> {
    let Some(import) = named(ctx, tx, payload)? else { return Ok(()) };
    let next = import.record.processed + 1;
    let why = format!("the rows from {next} on could not be written ({why}); those before them are in");
    finish(ctx, tx, &import, Some(&why))
}

/// Invalidates cached totals of the list of imports.
fn invalidate_totals(tx: &mut dyn Tx) {
    let all = Tally { collection: Import::ABOUT.table, field: "", value: String::new(), archived: false };
    tx.tally(all, 0);
}

/// Ends the import. The file is deleted now, and the data for an undo when it has expired.
fn finish(ctx: &Ctx, tx: &mut dyn Tx, import: &Saved<Import>, why: Option<&str>) -> Result<(), Error> {
    const FINISH: &str = "UPDATE imports SET status = $1, error = $2, total = processed, progress = 100, completed_at = $3, \
         updated_at = $3, blob = NULL, version = version + 1 WHERE workspace_id = $4 AND id = $5";
    let status = if why.is_some() { ImportStatus::Failed } else { ImportStatus::Completed };
    let (now, why) = (tx.stamp(), why.map(str::to_owned));
    let params = [status.word().into(), why.into(), now.into(), ctx.workspace.into(), import.id.into()];
    tx.execute(FINISH, &params)?;
    if let Some(blob) = &import.record.blob {
        release(ctx, tx, blob, import.record.size)?;
    }
    queue::enqueue_in(ctx, tx, undo::TIME, undo::FORGET, &import.id.to_string())?;
    invalidate_totals(tx);
    resource::event(ctx, tx, &format!("import.{}", status.word()), Import::ABOUT.one, import.id, &Map::new())
}

/// The context of the user who started the import.
fn acting(ctx: &Ctx, record: &Import) -> Result<Ctx, Error> {
    #[derive(serde::Deserialize)]
    struct Stored {
        kind: String,
        id: Option<Uuid>,
        name: String,
        user: Option<Uuid>,
    }
    let place = place(Import::ABOUT.table, "actor", &record.id);
    let actor: Stored = place.json(&record.actor)?;
    let kind = |word: &str| ["key", "user", "system"].into_iter().find(|kind| *kind == word);
    let kind = place.word(&actor.kind, kind)?;
    Ok(Ctx { actor: Actor { kind, id: actor.id, name: actor.name.into(), user: actor.user }, ..ctx.clone() })
}

fn bring<R: Collected>(ctx: &Ctx, tx: &mut dyn Tx, import: &Saved<Import>, rows: &[Raw]) -> Result<Done, Error> {
    let record = &import.record;
    let (_, targets) = layout(record)?;
    let defined = custom::definitions(ctx, tx, R::ABOUT.one)?;
    let fields = Members::of(ctx, tx, record.collection)?.fields;
    let tags = KnownTags::of(ctx, tx)?;
    let by = NormalizeOptions {
        scopes: Scopes::parse(&record.scopes)?,
        defined: Some(&defined),
        tags: Some(&tags),
        dry_run: record.dry_run,
    };
    let mut done = Done::default();
    for (number, raw) in (record.processed + 1..).zip(rows) {
        let body = tabular::body(&fields, &targets, raw);
        match body.and_then(|body| write_row::<R>(ctx, tx, record, &by, body)) {
            Ok(Row::Made(id)) => {
                done.created += 1;
                done.made.extend(id.map(|id| (number, id)));
            }
            Ok(Row::Same) => done.skipped += 1,
            Ok(Row::Changed(changed)) => {
                done.updated += 1;
                if let Some(changed) = changed {
                    undo::keep(ctx, tx, import.id, number, &changed)?;
                }
            }
            Err(error) => {
                // The address of an erased person is not stored with the error.
                let is_erased = matches!(error, Error::Erased(_));
                let problems = match error {
                    Error::Invalid(problems) | Error::Erased(problems) => problems,
                    Error::NotFound(_) | Error::Scope(_) => {
                        vec![Problem { field: "row".into(), reason: error.message() }]
                    }
                    other => return Err(other),
                };
                done.failed += 1;
                if problems.len() > MOST_PROBLEMS {
                    let more = format!("has {} more problems that are not listed", problems.len() - MOST_PROBLEMS);
                    errors::note(ctx, tx, import.id, (number, MOST_PROBLEMS as i64), None, &more, None)?;
                }
                for (n, problem) in (0..).zip(problems.iter().take(MOST_PROBLEMS)) {
                    let (column, value) = errors::column_of(&targets, raw, &problem.field);
                    let value = value.filter(|_| !is_erased);
                    errors::note(
                        ctx,
                        tx,
                        import.id,
                        (number, n),
                        column.as_deref(),
                        &problem.reason,
                        value.as_deref(),
                    )?;
                }
            }
        }
        done.rows += 1;
        if !tx.has_time() {
            break;
        }
    }
    Ok(done)
}

enum Row {
    /// `None` in a dry run.
    Made(Option<Uuid>),
    Changed(Option<undo::Changed>),
    Same,
}

fn write_row<R: Collected>(
    ctx: &Ctx,
    tx: &mut dyn Tx,
    import: &Import,
    by: &NormalizeOptions,
    mut body: Map<String, Json>,
) -> Result<Row, Error> {
    let saved = match &import.match_on {
        Some(member) => matched::<R>(ctx, tx, member, &body)?,
        None => None,
    };
    let Some(saved) = saved else {
        let times = times::<R>(tx, import.collection, by, &mut body)?;
        let mut changes = R::normalized(ctx, tx, by, R::checked(&body, true)?, None)?;
        times.into_iter().for_each(|(name, time)| changes.set_named(R::FIELDS, name, time));
        if by.dry_run {
            return Ok(Row::Made(None));
        }
        let labels = by.tags.map(|tags| &tags.labels);
        return Ok(Row::Made(Some(insert_among::<R>(ctx, tx, &changes, labels)?)));
    };
    let changes = R::normalized(ctx, tx, by, R::checked(&body, false)?, Some(&saved))?;
    let changed = undo::Changed::of(&saved, &changes)?;
    if changed.is_nothing() {
        return Ok(Row::Same);
    }
    if by.dry_run {
        return Ok(Row::Changed(None));
    }
    update(ctx, tx, &saved, &changes)?;
    R::changed(ctx, tx, &saved, &changes)?;
    Ok(Row::Changed(Some(changed)))
}

/// The times in the row of a new record.
fn times<R: Collected>(
    tx: &dyn Tx,
    collection: Collection,
    by: &NormalizeOptions,
    body: &mut Map<String, Json>,
) -> Result<Vec<(&'static str, i64)>, Error> {
    let mut times = Vec::new();
    for name in TIMES {
        let known = R::FIELDS.iter().any(|field| field.name == name);
        let Some(Json::String(text)) = body.get(name).filter(|_| known) else { continue };
        let time = Time::parse(text).ok_or_else(|| invalid(name, "must be an RFC 3339 time or a date"))?;
        if time.0 > tx.stamp() {
            return Err(invalid(name, "must not be in the future"));
        }
        body.remove(name);
        times.push((name, time.0));
    }
    if times.iter().any(|(name, _)| *name == "archived_at") {
        by.scopes.require(collection.delete())?;
        if R::FIELDS.iter().any(|field| field.name == "global_status") {
            let status = body.entry("global_status").or_insert_with(|| "archived".into());
            if *status != "archived" {
                return Err(invalid("archived_at", "requires the status archived"));
            }
        }
    }
    Ok(times)
}
