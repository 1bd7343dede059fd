//! The operator's commands: each opens the store, changes it through the rules, and prints lines that scripts can
//! parse.

use crate::config::Config;
use crate::open::{self, Installation};
use crate::runtime::block_on;
use crate::{Exit, cli};
use crm::api::key::{self, New};
use crm::api::meta;
use crm::api::scope::Scopes;
use crm::check;
use crm::outreach::sequence::fields;
use crm::pipelines::reason::{self, ReasonKind};
use crm::records::custom_field::{self, Entity, Given};
use crm::tenant::workspace::{self, Settings};
use crm::tenant::{credits, member, sign_in, storage};
use resource::custom::CustomType;
use resource::{Actor, Ctx, Error, Time, invalid, not_found};
use std::io::Write;
use std::sync::Arc;
use store::{Lane, Tx, Uuid};

pub(crate) fn keys(config: &Config, slug: Option<&str>, command: cli::Keys) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    match command {
        cli::Keys::Create { name, bundle, scopes, owner, expires } => {
            let words = [bundle, scopes].into_iter().flatten().collect::<Vec<_>>().join(",");
            let scopes = Scopes::parse(&words)?;
            let expires_at = match expires {
                None => None,
                Some(text) => {
                    Some(Time::parse(&text).ok_or_else(|| invalid("expires", "must be a date or an RFC 3339 time"))?.0)
                }
            };
            let (key, secret) = (key::mint(), installation.secret.clone());
            let minted = key.clone();
            write(&installation, slug, move |ctx, tx| {
                let owner = member::called(ctx, tx, owner.as_deref())?.user_id;
                key::create(ctx, tx, &secret, &minted, &New { name: &name, scopes, owner, expires_at })
            })?;
            println!("{key}");
        }
        cli::Keys::List => {
            let (now, keys) = read(&installation, slug, |ctx, tx| Ok((tx.clock()?, key::list(ctx, tx)?)))?;
            for key in keys {
                let state = key.state(now);
                let shown = format!("{}…{}", key::PREFIX, key.last4);
                let used = key.last_used_at.map_or("never".to_owned(), |at| Time(at).to_string());
                line(&[
                    &key.id.to_string(),
                    &key.name,
                    &shown,
                    &key.owner,
                    &key.scopes,
                    &Time(key.created_at).to_string(),
                    &used,
                    state,
                    &key.expires_at.map_or("never".to_owned(), |at| Time(at).to_string()),
                ]);
            }
        }
        cli::Keys::Revoke { id } => {
            let id = listed(&id, "keys")?;
            write(&installation, slug, move |ctx, tx| key::revoke(ctx, tx, id))?;
        }
    }
    installation.store.close();
    Ok(())
}

pub(crate) fn workspace(config: &Config, slug: Option<&str>, command: cli::Workspace) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    match command {
        cli::Workspace::Create { name, slug, owner, owner_name } => {
            let made = slug.clone();
            block_on(installation.store.bookkeep(move |tx| {
                let now = tx.clock()?;
                let ctx = operator(tx.id_at(now));
                workspace::create(&ctx, tx, now, &name, &slug, (&owner, &owner_name))
            }))?;
            open::add_workspace_defaults(&installation.store)?;
            println!("{made}");
        }
        cli::Workspace::Set(set) => {
            let unfit = || invalid("storage-limit", format!("must be {}, unlimited or default", storage::SIZES));
            let storage_limit = match set.storage_limit.as_deref() {
                None => None,
                Some("default") => Some(None),
                Some(text) => Some(Some(storage::parse(text).ok_or_else(unfit)?)),
            };
            let settings = Settings {
                name: None,
                storage_limit,
                rate_limit: set.rate_limit,
                sourcing_credits: set.sourcing_credits,
                enrichment_credits: set.enrichment_credits,
                plan: set.plan,
                subscription: set.subscription,
                timezone: set.timezone,
                currency: set.currency,
                longest_key_days: set.longest_key_days,
                unsubscribe_by_reply: set.unsubscribe_by_reply,
            };
            write(&installation, slug, move |ctx, tx| workspace::set(ctx, tx, &settings))?;
        }
        cli::Workspace::List => {
            let listed = block_on(installation.store.read(Lane::Slow, |tx| {
                let mut lines = Vec::new();
                for workspace in workspace::list(tx)? {
                    let ctx = operator(workspace.id);
                    let credits = [
                        credits::balance(&ctx, tx, credits::Kind::Sourcing)?,
                        credits::balance(&ctx, tx, credits::Kind::Enrichment)?,
                    ];
                    let storage = storage::usage(tx, workspace.id)?;
                    lines.push((workspace, credits, storage));
                }
                Ok::<_, Error>(lines)
            }))?;
            for (w, [sourcing, enrichment], storage) in listed {
                let (id, limit) = (w.id.to_string(), w.rate_limit.to_string());
                line(&[
                    &w.slug,
                    &w.name,
                    &id,
                    &w.plan,
                    &w.subscription,
                    &limit,
                    &sourcing.to_string(),
                    &enrichment.to_string(),
                    &w.timezone,
                    &w.currency,
                    &storage.used.to_string(),
                    &storage.limit.map_or("unlimited".to_owned(), |limit| limit.to_string()),
                    &w.longest_key_days.map_or("-".to_owned(), |days| days.to_string()),
                ]);
            }
        }
        cli::Workspace::Ledger { kind, limit } => {
            let known = || invalid("kind", format!("must be one of {}", credits::Kind::WORDS.join(", ")));
            let kind = credits::Kind::from_word(&kind).ok_or_else(known)?;
            let entries = read(&installation, slug, move |ctx, tx| {
                credits::check(ctx, tx)?;
                credits::entries(ctx, tx, kind, None, limit)
            })?;
            for entry in entries {
                line(&[
                    &entry.number.to_string(),
                    &Time(entry.created_at).to_string(),
                    &entry.debit,
                    &entry.credit,
                    &entry.amount.to_string(),
                    &entry.balance.to_string(),
                    &entry.reason,
                    &entry.actor,
                    &entry.id.to_string(),
                    &entry.refunds.map_or("-".to_owned(), |id| id.to_string()),
                ]);
            }
        }
    }
    installation.store.close();
    Ok(())
}

pub(crate) fn members(config: &Config, slug: Option<&str>, command: cli::Members) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    match command {
        cli::Members::Add { email, name, role } => {
            let user = write(&installation, slug, move |ctx, tx| {
                let now = tx.stamp();
                member::add(ctx, tx, now, &email, &name, &role)
            })?;
            println!("{user}");
        }
        cli::Members::List => {
            for member in read(&installation, slug, member::list)? {
                let name = format!("{} {}", member.first_name, member.last_name);
                line(&[&member.user_id.to_string(), &member.email, name.trim(), member.role.word()]);
            }
        }
        cli::Members::ResetPassword { email, public_url } => {
            let server = block_on(installation.store.read(Lane::Slow, |tx| meta::get(tx, meta::PUBLIC_URL)))?;
            let link = config.link(public_url.as_deref(), server.as_deref())?;
            let (token, secret) = (key::token(), installation.secret.clone());
            let made = token.clone();
            let slug = match slug {
                Some(slug) => slug.to_owned(),
                None => workspace_of(&installation, &email)?,
            };
            let first =
                write(&installation, Some(&slug), move |ctx, tx| sign_in::make_link(ctx, tx, &secret, &email, &made))?;
            let page = if first { "setup" } else { "invitation" };
            println!("{link}/{page}#{token}");
        }
    }
    installation.store.close();
    Ok(())
}

/// The oldest workspace that a member with this email belongs to: a password is the same in all of them.
fn workspace_of(installation: &Installation, email: &str) -> Result<String, Exit> {
    let email = email.to_owned();
    Ok(block_on(installation.store.read(Lane::Slow, move |tx| {
        for workspace in workspace::list(tx)? {
            match member::called(&operator(workspace.id), tx, Some(&email)) {
                Ok(_) => return Ok(workspace.slug),
                Err(Error::NotFound(_)) => {}
                Err(error) => return Err(error),
            }
        }
        Err(not_found(format!("a member with the email {email} in any workspace")))
    }))?)
}

pub(crate) fn fields(config: &Config, slug: Option<&str>, command: cli::Fields) -> Result<(), Exit> {
    let entity = |word: &str| {
        Entity::from_word(word).ok_or_else(|| invalid("entity", format!("must be one of {}", Entity::WORDS.join(", "))))
    };
    let split = |options: Option<Vec<String>>| {
        options.map(|options| options.iter().map(|text| custom_field::option(text)).collect())
    };
    let installation = open::as_is(config)?;
    match command {
        cli::Fields::Create { which, label, kind, options, required } => {
            let (entity, key) = (entity(&which.entity)?, which.key);
            let kind = CustomType::from_word(&kind)
                .ok_or_else(|| invalid("type", format!("must be one of {}", CustomType::WORDS.join(", "))))?;
            let given = Given { label, options: split(options), required: Some(required), ..Given::default() };
            let made =
                write(&installation, slug, move |ctx, tx| custom_field::create(ctx, tx, entity, &key, kind, &given))?;
            println!("{made}");
        }
        cli::Fields::List { entity: only } => {
            let only = only.as_deref().map(entity).transpose()?;
            for of in [Entity::Contact, Entity::Company].into_iter().filter(|of| only.is_none_or(|only| only == *of)) {
                for field in read(&installation, slug, move |ctx, tx| custom_field::list(ctx, tx, of))? {
                    let options: Vec<&str> =
                        field.options.0.iter().filter_map(|option| option.get("value")?.as_str()).collect();
                    line(&[
                        of.word(),
                        &field.key,
                        &field.label,
                        field.r#type.word(),
                        &options.join(","),
                        if field.is_required { "required" } else { "optional" },
                        &field.position.to_string(),
                        &field.id.to_string(),
                    ]);
                }
            }
        }
        cli::Fields::Update { which, label, options, rename_option, required, position } => {
            let (entity, key) = (entity(&which.entity)?, which.key);
            let pair = |text: &String| {
                let pair = text.split_once('=').map(|(old, new)| (old.to_owned(), new.to_owned()));
                pair.ok_or_else(|| invalid("rename-option", "must be of the form OLD=NEW"))
            };
            let renamed = rename_option.iter().map(pair).collect::<Result<_, _>>()?;
            let given = Given { label, options: split(options), renamed, required, position };
            read(&installation, slug, fields::examine)?;
            write(&installation, slug, move |ctx, tx| fields::change(ctx, tx, entity, &key, &given))?;
        }
        cli::Fields::Delete { which } => {
            let (entity, key) = (entity(&which.entity)?, which.key);
            read(&installation, slug, fields::examine)?;
            write(&installation, slug, move |ctx, tx| fields::remove(ctx, tx, entity, &key))?;
        }
    }
    installation.store.close();
    Ok(())
}

pub(crate) fn reasons(config: &Config, slug: Option<&str>, command: cli::Reasons) -> Result<(), Exit> {
    let kind = |word: &str| {
        let unknown = || invalid("kind", format!("must be one of {}", ReasonKind::WORDS.join(", ")));
        ReasonKind::from_word(word).ok_or_else(unknown)
    };
    let installation = open::as_is(config)?;
    match command {
        cli::Reasons::Create { kind: of, name } => {
            let of = kind(&of)?;
            println!("{}", write(&installation, slug, move |ctx, tx| reason::create(ctx, tx, of, &name))?);
        }
        cli::Reasons::List { kind: only } => {
            let only = only.as_deref().map(kind).transpose()?;
            for reason in read(&installation, slug, move |ctx, tx| reason::list(ctx, tx, only))? {
                line(&[reason.kind.word(), &reason.position.to_string(), &reason.name, &reason.id.to_string()]);
            }
        }
        cli::Reasons::Update { id, name, position } => {
            let id = listed(&id, "reasons")?;
            write(&installation, slug, move |ctx, tx| reason::change(ctx, tx, id, name.as_deref(), position))?;
        }
        cli::Reasons::Delete { id } => {
            let id = listed(&id, "reasons")?;
            write(&installation, slug, move |ctx, tx| reason::remove(ctx, tx, id))?;
        }
    }
    installation.store.close();
    Ok(())
}

/// Parses an id from the command's list.
pub(crate) fn listed(id: &str, command: &str) -> Result<Uuid, Exit> {
    Ok(Uuid::try_parse(id).map_err(|_| invalid("id", format!("must be the id that `{command} list` shows")))?)
}

/// Checks one workspace or all, each in one snapshot; prints a line for each fault.
pub(crate) fn check(config: &Config, slug: Option<&str>, repair: bool) -> Result<(), Exit> {
    let installation = open::as_is(config)?;
    let only = slug.map(str::to_owned);
    let workspaces = block_on(installation.store.read(Lane::Slow, move |tx| match only.as_deref() {
        Some(slug) => Ok::<_, Error>(vec![workspace::called(tx, Some(slug))?]),
        None => workspace::list(tx),
    }))?;
    let (mut faults, mut left) = (0, 0);
    for workspace in &workspaces {
        let id = workspace.id;
        let found = if repair {
            let mut found = block_on(installation.store.write(id, move |tx| check::repair_records(&operator(id), tx)))?;
            found.extend(block_on(installation.store.write(id, move |tx| check::repair_derived(&operator(id), tx)))?);
            found
        } else {
            block_on(installation.store.read(Lane::Slow, move |tx| {
                tx.lift_time_limit()?;
                check::check(&operator(id), tx)
            }))?
        };
        for fault in &found {
            match &fault.written {
                Some(written) => line(&["repaired", &workspace.slug, fault.check, &fault.detail, written]),
                None => line(&["fault", &workspace.slug, fault.check, &fault.detail]),
            }
        }
        faults += found.len();
        left += found.iter().filter(|fault| fault.written.is_none()).count();
    }
    installation.store.close();
    let counted = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let (checked, found) = (counted(workspaces.len(), "workspace"), counted(faults, "fault"));
    println!("Checked {checked}: {found}, {} repaired.", faults - left);
    match left {
        0 => Ok(()),
        _ if repair => Err(Exit::failed(format!("{} can't be repaired", counted(left, "fault")))),
        _ => Err(Exit::failed(format!("{}; `relata check --repair` repairs what it can", counted(left, "fault")))),
    }
}

pub(crate) fn line(cells: &[&str]) {
    print(&format!("{}\n", cells.join("\t")));
}

/// Prints output that may be long. If the reader closes the pipe early, as `head` does, the program ends without an error.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => {}
        Err(e) if e.kind() == std::io::ErrorKind::BrokenPipe => std::process::exit(0),
        Err(e) => {
            eprintln!("relata: can't write to the standard output: {e}");
            std::process::exit(1);
        }
    }
}

pub(crate) fn operator(workspace: Uuid) -> Ctx {
    Ctx { workspace, actor: Actor::system("operator"), memory: Arc::default() }
}

pub(crate) fn read<T: Send + 'static>(
    installation: &Installation,
    slug: Option<&str>,
    work: impl FnOnce(&Ctx, &mut dyn Tx) -> Result<T, Error> + Send + 'static,
) -> Result<T, Exit> {
    let slug = slug.map(str::to_owned);
    let answer = installation.store.read(Lane::Slow, move |tx| {
        let workspace = workspace::called(tx, slug.as_deref())?;
        work(&operator(workspace.id), tx)
    });
    Ok(block_on(answer)?)
}

pub(crate) fn write<T: Send + 'static>(
    installation: &Installation,
    slug: Option<&str>,
    mut work: impl FnMut(&Ctx, &mut dyn Tx) -> Result<T, Error> + Send + 'static,
) -> Result<T, Exit> {
    let slug = slug.map(str::to_owned);
    let workspace = block_on(
        installation.store.read(Lane::Slow, move |tx| Ok::<_, Error>(workspace::called(tx, slug.as_deref())?.id)),
    )?;
    Ok(block_on(installation.store.write(workspace, move |tx| work(&operator(workspace), tx)))?)
}
