//! `relata import`, `relata export` and `relata demo`: many records at once, with or without a running server. An
//! import is the same job as in the server; this process leases it, and if it dies the server continues it.

use crate::commands::operator;
use crate::config::Config;
use crate::open;
use crate::progress::Progress;
use crate::runtime::block_on_drivers;
use crate::{Exit, cli, profiles, sandbox};
use crm::api::effects::{Effect, EffectResult};
use crm::api::queue;
use crm::api::scope::Scopes;
use crm::jobs;
use crm::records::collection::Collection;
use crm::tenant::{stored_files, workspace};
use crm::transfer::demo::{self, Plan};
use crm::transfer::export::Export;
use crm::transfer::import::preview::Preview;
use crm::transfer::import::{self, Import, Members, Options, StoredFile};
use resource::{Ctx, Error, invalid};
use serde_json::{Map, Value as Json};
use std::io::Write;
use std::sync::Arc;
use store::{Lane, Store, Tx, Uuid};

/// How many errors are printed.
const ERRORS: i64 = 20;

pub(crate) fn import(config: &Config, slug: Option<&str>, asked: cli::Import) -> Result<(), Exit> {
    let filename = asked.file.file_name().map(|name| name.to_string_lossy().into_owned());
    let options = Options::of(&members(&asked)?, filename.as_deref())?;
    let source = std::fs::File::open(&asked.file)
        .map_err(|error| Exit::wrong(format!("{} can't be read: {error}", asked.file.display())))?;
    let installation = open::as_is(config)?;
    if asked.preview {
        let ended = block_on_drivers(preview(&installation.store, slug, source, options));
        installation.store.close();
        return ended;
    }
    let files = config.storage()?;
    let ended = block_on_drivers(async {
        let ctx = context(&installation.store, slug).await?;
        let length = source.metadata().map_err(Exit::failed)?.len() as i64;
        let effect = write(&installation.store, &ctx, move |ctx, tx| stored_files::begin(ctx, tx, length)).await?;
        let Effect::Keep { blob, .. } = &effect else { return Err(Exit::failed("the file has no storage name")) };
        let EffectResult::Stored { head, size } =
            server::import_reader::keep(&files, &config.data, blob, source).await?
        else {
            return Err(Exit::failed("the file was not stored"));
        };
        let options = options.clone();
        let (id, job) = write(&installation.store, &ctx, move |ctx, tx| {
            let blob = stored_files::confirm(ctx, tx, &effect, size as i64)?;
            let scopes = Scopes::parse("full_access")?;
            let file = StoredFile { filename: filename.clone(), blob, size, head: &head };
            let id = import::start(ctx, tx, scopes, &options, &file)?;
            Ok((id, queue::hold(ctx, tx, import::ROWS, &id.to_string())?))
        })
        .await?;
        let mut progress = Progress::of("importing");
        loop {
            let this = job.clone();
            let effect = read(&installation.store, &ctx, move |ctx, tx| jobs::prepare(ctx, tx, &this)).await?;
            let outcome = match effect {
                Some(Effect::Rows { blob, format, delimiter, from, size }) => {
                    Some(server::import_reader::read(&files, &blob, format, delimiter, from, size).await?)
                }
                _ => None,
            };
            let this = job.clone();
            let more =
                write(&installation.store, &ctx, move |ctx, tx| jobs::complete(ctx, tx, &this, outcome.as_ref()))
                    .await?;
            let import = state(&installation.store, &ctx, id).await?;
            let note = format!("{} rows, {} failed", import.processed, import.failed);
            progress.at(import.progress.unsigned_abs(), Some(100), &note);
            if !more {
                drop(progress);
                let errors =
                    read(&installation.store, &ctx, move |ctx, tx| import::errors::first(ctx, tx, id, ERRORS)).await?;
                return Ok((import, errors));
            }
        }
    });
    installation.store.close();
    let (import, errors) = ended?;
    if !import.ignored_columns.is_empty() {
        eprintln!("left out, because they are not recognised: {}", printed(&import.ignored_columns.join(", ")));
    }
    for error in &errors {
        eprintln!("{error}");
    }
    if import.failed > errors.len() as i64 {
        eprintln!("… GET /api/v1/imports/{}/errors?format=csv lists all", import.id);
    }
    println!(
        "{}\t{}\tprocessed {}\tcreated {}\tupdated {}\tskipped {}\tfailed {}",
        import.id,
        import.status.word(),
        import.processed,
        import.created,
        import.updated,
        import.skipped,
        import.failed
    );
    match (import.error, import.failed) {
        (Some(error), _) => Err(Exit::failed(error)),
        (None, 0) => Ok(()),
        (None, 1) => Err(Exit::failed("1 row could not be imported")),
        (None, failed) => Err(Exit::failed(format!("{failed} rows could not be imported"))),
    }
}

/// Prints the mapping of each column; fails if the import would be refused.
async fn preview(store: &Store, slug: Option<&str>, source: std::fs::File, options: Options) -> Result<(), Exit> {
    let (ctx, collection) = (context(store, slug).await?, options.collection);
    let members = read(store, &ctx, move |ctx, tx| Members::of(ctx, tx, collection)).await?;
    let preview = Preview::of(source, &options, &members)?;
    println!("column\tmember\tsamples");
    for column in &preview.columns {
        let member = column.member.as_deref().unwrap_or("-");
        println!("{}\t{member}\t{}", printed(&column.name), printed(&column.samples.join(" | ")));
    }
    if preview.problems.is_empty() { Ok(()) } else { Err(Error::Invalid(preview.problems).into()) }
}

/// Puts the text on one line, without control characters.
fn printed(text: &str) -> String {
    text.replace(char::is_control, " ")
}

/// The options as members of an API request.
fn members(asked: &cli::Import) -> Result<Map<String, Json>, Exit> {
    let mut members = Map::from_iter([("collection".to_owned(), Json::from(asked.collection.as_str()))]);
    members.extend(asked.format.as_deref().map(|format| ("format".to_owned(), format.into())));
    members.extend(asked.match_on.as_deref().map(|member| ("match_on".to_owned(), member.into())));
    members.insert("dry_run".into(), asked.dry_run.into());
    members.insert("strict".into(), asked.strict.into());
    let mut mapping = Map::new();
    for pair in &asked.mapping {
        let unfit = || Exit::wrong(format!("mapping: {pair} is not of the form COLUMN=MEMBER"));
        let (column, member) = pair.split_once('=').ok_or_else(unfit)?;
        mapping.insert(column.to_owned(), if member.is_empty() { Json::Null } else { member.into() });
    }
    members.insert("mapping".into(), mapping.into());
    Ok(members)
}

async fn state(store: &Store, ctx: &Ctx, id: Uuid) -> Result<Import, Exit> {
    read(store, ctx, move |ctx, tx| Ok(resource::find::<Import>(ctx, tx, id)?.record)).await
}

pub(crate) fn export(config: &Config, slug: Option<&str>, asked: cli::Export) -> Result<(), Exit> {
    let collection = Collection::from_word(&asked.collection)
        .ok_or_else(|| invalid("collection", format!("must be one of {}", Collection::WORDS.join(", "))))?;
    let mut pairs = vec![("format".to_owned(), asked.format.clone())];
    for filter in &asked.filters {
        let unfit = || Exit::wrong(format!("{filter} is not of the form field=op.value"));
        let (name, value) = filter.split_once('=').ok_or_else(unfit)?;
        pairs.push((name.to_owned(), value.to_owned()));
    }
    let export = Arc::new(Export::asked(collection, &pairs)?);
    let installation = open::as_is(config)?;
    let unwritten = |error: std::io::Error| Exit::failed(format!("the export can't be written: {error}"));
    let ended = block_on_drivers(async {
        let ctx = context(&installation.store, slug).await?;
        let first = export.clone();
        // Report invalid filters before writing anything.
        let mut piece = read(&installation.store, &ctx, move |ctx, tx| first.piece(ctx, tx, "")).await?;
        let mut output: Box<dyn Write> = match &asked.output {
            Some(path) => Box::new(std::fs::File::create(path).map_err(unwritten)?),
            None => Box::new(std::io::stdout()),
        };
        let (mut progress, mut written) = (Progress::of("exporting"), 0);
        loop {
            output.write_all(&piece.bytes).map_err(unwritten)?;
            written += piece.bytes.len() as u64;
            if asked.output.is_some() {
                progress.at(written, None, &format!("{} KiB", written / 1024));
            }
            let Some(after) = piece.next else { break };
            let next = export.clone();
            piece = read(&installation.store, &ctx, move |ctx, tx| next.piece(ctx, tx, &after)).await?;
        }
        output.flush().map_err(unwritten)
    });
    installation.store.close();
    ended
}

pub(crate) fn demo(config: &Config, slug: Option<&str>, asked: &cli::Demo) -> Result<(), Exit> {
    let plan = Plan { contacts: asked.contacts, seed: asked.seed };
    let installation = open::as_is(config)?;
    let ended = block_on_drivers(async {
        let ctx = context(&installation.store, slug).await?;
        if !asked.force && !read(&installation.store, &ctx, demo::is_empty).await? {
            if asked.sandbox {
                return Ok(());
            }
            return Err(Exit::failed("the workspace has records already; --force adds the demonstration to them"));
        }
        let mut progress = Progress::of("");
        server::demo::fill(&installation.store, &ctx, &plan, |step, n, most| {
            if n == 0 {
                progress = Progress::of(step);
            }
            progress.at(n as u64, Some(most as u64), &n.to_string());
            if n == most {
                println!("{step}\t{n}");
            }
        })
        .await?;
        let profiles = profiles::demonstrate(&installation.store, asked.seed).await?;
        println!("profiles\t{profiles}");
        Ok(())
    });
    let ended = ended.and_then(|()| if asked.sandbox { sandbox::start_demo(&installation, slug) } else { Ok(()) });
    installation.store.close();
    ended
}

async fn context(store: &Store, slug: Option<&str>) -> Result<Ctx, Exit> {
    let slug = slug.map(str::to_owned);
    let found = store.read(Lane::Slow, move |tx| Ok::<_, Error>(workspace::called(tx, slug.as_deref())?.id));
    Ok(operator(found.await?))
}

async fn read<T: Send + 'static>(
    store: &Store,
    ctx: &Ctx,
    work: impl FnOnce(&Ctx, &mut dyn Tx) -> Result<T, Error> + Send + 'static,
) -> Result<T, Exit> {
    let ctx = ctx.clone();
    Ok(store.read(Lane::Slow, move |tx| work(&ctx, tx)).await?)
}

async fn write<T: Send + 'static>(
    store: &Store,
    ctx: &Ctx,
    mut work: impl FnMut(&Ctx, &mut dyn Tx) -> Result<T, Error> + Send + 'static,
) -> Result<T, Exit> {
    let ctx = ctx.clone();
    Ok(store.write(ctx.workspace, move |tx| work(&ctx, tx)).await?)
}
